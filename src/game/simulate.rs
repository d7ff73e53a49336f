//! Random play written down as a log.

use super::{Chance, Game, RulesGame, Truncation};
use crate::observe::{Cause, Listing, LogWriter, Move, Outcome, Record};
use crate::rules::Verdict;
use rayon::prelude::*;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Which games to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulationPlan {
    /// How many.
    pub games: u64,
    /// Whether every legal move is listed, or only the one played.
    pub listing: Listing,
    /// Fixes them all: the same seed, the same bytes, on any number of threads.
    pub seed: u64,
    /// A game that lasts longer than this many turns is cut short, and its record says so.
    pub plies: u32,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimulationReport {
    /// Whole games.
    pub games: u64,
    /// Records.
    pub positions: u64,
    /// Moves listed.
    pub moves: u64,
    /// Whether it was stopped before all games were played.
    pub stopped: bool,
}

/// Games that are played at the same time before they are written in their order.
const BATCH: u64 = 32;

/// Plays games at random on the threads of the current rayon pool and writes them as a log.
///
/// After each batch of games `progress` is told how many are written. Once `stop` is set, no game is begun any more, and
/// what is written is whole games.
///
/// # Errors
///
/// The log cannot be written, or a position is beyond the engine's limits; the games before it are written.
pub fn simulate<W: Write>(
    game: &RulesGame,
    plan: &SimulationPlan,
    out: &mut W,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&SimulationReport),
) -> Result<SimulationReport, SimulationError> {
    let mut report = SimulationReport::default();
    let play = |number| write_game(stop, |show| Ok(for_each_record(game, plan, number, show)?));
    write_games(&mut report, plan, out, progress, &play).map(|()| report)
}

/// Why games could not be written.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// A position is beyond the engine's limits, so its moves cannot be listed.
    #[error(transparent)]
    Truncated(#[from] Truncation),
    /// The log could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The log of one game, with how many positions and moves it has.
pub(crate) type Written = (Vec<u8>, u64, u64);

/// Writes the games of a plan that come after those that are written already.
pub(crate) fn write_games<W: Write, E: From<io::Error> + Send>(
    report: &mut SimulationReport,
    plan: &SimulationPlan,
    out: &mut W,
    progress: &mut dyn FnMut(&SimulationReport),
    play: &(dyn Fn(u64) -> Result<Option<Written>, E> + Sync),
) -> Result<(), E> {
    while report.games < plan.games {
        let batch = report.games..plan.games.min(report.games + BATCH);
        let played: Vec<_> = batch.into_par_iter().map(play).collect();
        for game in played {
            // Games are written in their order, so the first that was given up ends the log.
            let Some((bytes, positions, moves)) = game? else {
                report.stopped = true;
                return Ok(());
            };
            out.write_all(&bytes)?;
            report.games += 1;
            report.positions += positions;
            report.moves += moves;
        }
        progress(report);
    }
    Ok(())
}

/// A game of a plan by its number, counted from 0: the records that [`simulate`] writes for it.
///
/// # Errors
///
/// A position is beyond the engine's limits.
pub fn random_game(game: &RulesGame, plan: &SimulationPlan, number: u64) -> Result<Vec<Record>, Truncation> {
    let mut records = Vec::new();
    for_each_record(game, plan, number, &mut |record| {
        records.push(record.clone());
        true
    })?;
    Ok(records)
}

/// Writes a game that `play` shows record by record; `None` if it was given up.
pub(crate) fn write_game<E: From<io::Error>>(
    stop: &AtomicBool,
    play: impl FnOnce(&mut dyn FnMut(&Record) -> bool) -> Result<bool, E>,
) -> Result<Option<Written>, E> {
    let mut writer = LogWriter::new(Vec::new());
    let (mut positions, mut listed) = (0, 0);
    let mut written = Ok(());
    let ended = play(&mut |record| {
        positions += 1;
        listed += record.moves.len() as u64;
        written = writer.write(record);
        written.is_ok() && !stop.load(Ordering::Relaxed)
    })?;
    written?;
    Ok(if ended { Some((writer.finish()?, positions, listed)) } else { None })
}

/// Plays one game and shows every record, as long as somebody wants to see more; whether the game came to its end.
fn for_each_record(
    game: &RulesGame,
    plan: &SimulationPlan,
    number: u64,
    show: &mut dyn FnMut(&Record) -> bool,
) -> Result<bool, Truncation> {
    let mut chance = Chance::stream(plan.seed, number);
    let mut record = Record { listing: plan.listing, ..Record::default() };
    let mut state = game.start();
    let mut moves = Vec::new();
    for ply in 0.. {
        record.number = ply + 1;
        record.position = game.board(&state);
        record.turn = game.turn(&state);
        record.outcome = game.verdict(&state).map(outcome);
        record.moves.clear();
        if record.outcome.is_none() && ply == plan.plies {
            (record.outcome, record.cause) = (Some(Outcome::Tied), Cause::Cut);
        }
        let mut picked = None;
        if record.outcome.is_none() {
            game.legal(&state, super::Role(record.turn.index() as u8), &mut moves);
            if moves.is_empty() {
                super::ensure_over(game, &state)?;
            }
            let choice = chance.below(moves.len());
            moves.swap(0, choice);
            picked = Some(moves[0].clone());
            let last = if plan.listing == Listing::All { moves.len() } else { 1 };
            record.moves.extend(moves[..last].iter().map(|choice| {
                let (start, word) = game.word(&state, choice);
                Move::Word { start, word }
            }));
        }
        let wanted = show(&record);
        match picked {
            Some(choice) if wanted => game.play(&mut state, &[choice]),
            Some(_) => return Ok(false),
            None => return Ok(true),
        }
    }
    Ok(true)
}

/// How a log writes what the player who has just moved has got.
pub(super) fn outcome(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Win => Outcome::Won,
        Verdict::Lose => Outcome::Lost,
        Verdict::Tie => Outcome::Tied,
    }
}
