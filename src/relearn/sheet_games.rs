//! The games of a rule sheet: played at random and read off its board, as records, as evidence, or as a log.

use super::{NoBoard, NoRules, SheetBoard};
use crate::game::{GdlGame, SimulationPlan, SimulationReport, write_game, write_games};
use crate::learn::{Evidence, Refused};
use crate::observe::{HopReading, Listing, Record, reinterpret};
use rayon::prelude::*;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Why nothing is learnt from a rule sheet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// It is not seen as a board game.
    #[error(transparent)]
    Board(NoBoard),
    /// A move cannot be read as hops.
    #[error("in record {record} of game {game} there is a move that boards do not show")]
    Reading {
        /// Counted from 1.
        game: u64,
        /// Counted from 1.
        record: u32,
    },
    /// A game does not belong to those that were seen before.
    #[error("game {game}: {reason}")]
    Refused {
        /// Counted from 1.
        game: u64,
        /// What does not belong there.
        reason: Refused,
    },
    /// What was learnt is no rules.
    #[error(transparent)]
    Rules(NoRules),
    /// It was stopped from outside.
    #[error("it was stopped")]
    Interrupted,
}

impl From<NoBoard> for Misfit {
    fn from(reason: NoBoard) -> Misfit {
        match reason {
            NoBoard::Interrupted => Misfit::Interrupted,
            reason => Misfit::Board(reason),
        }
    }
}

impl From<NoRules> for Misfit {
    fn from(reason: NoRules) -> Misfit {
        match reason {
            NoRules::Interrupted => Misfit::Interrupted,
            reason => Misfit::Rules(reason),
        }
    }
}

/// How many games are played if nobody says; after how many moves listed there are enough, or after how much work.
const GAMES: u64 = 1000;
const ENOUGH_MOVES: u64 = 300_000;
const ENOUGH_WORK: u64 = 2_000_000_000;
/// Games that last longer are cut short; where few moves are enough, after one turn for so many of them.
const MAX_PLIES: u32 = 10_000;
const TURNS: u64 = 20;

/// Random games of a sheet that list all legal moves, in batches.
pub(super) struct SheetGames<'a> {
    game: &'a GdlGame,
    plan: SimulationPlan,
    first: u64,
    /// How many games are wanted, and whether fewer will do if they list enough moves.
    wanted: u64,
    enough: Option<u64>,
    played: u64,
    listed: u64,
    stop: &'a AtomicBool,
}

impl<'a> SheetGames<'a> {
    /// So many games from the number `first` on; without a number of games, as many as are enough.
    pub fn new(game: &'a GdlGame, seed: u64, first: u64, games: Option<u64>, stop: &'a AtomicBool) -> SheetGames<'a> {
        let enough = ENOUGH_MOVES.min(ENOUGH_WORK / game.work_of_a_state());
        let plies = MAX_PLIES.min((enough / TURNS) as u32);
        let plan = SimulationPlan { games: u64::MAX, listing: Listing::All, seed, plies };
        let (wanted, enough) = (games.unwrap_or(GAMES), games.is_none().then_some(enough));
        SheetGames { game, plan, first, wanted, enough, played: 0, listed: 0, stop }
    }

    /// The next games; none at the end. After an error the same games can be played again with another board.
    pub fn batch(&mut self, board: &SheetBoard) -> Result<Vec<Vec<Record>>, NoBoard> {
        if self.enough.is_some_and(|enough| self.listed >= enough) {
            return Ok(Vec::new());
        }
        // Nobody knows how long they are, so that there are not many at first.
        let numbers = self.played..self.wanted.min(self.played + self.played.div_ceil(2).max(2));
        let play = |number: u64| {
            let mut records = Vec::new();
            let mut see = |record: &Record| {
                records.push(record.clone());
                !self.stop.load(Ordering::Relaxed)
            };
            let ended = board.for_each_record(self.game, &self.plan, self.first + number, &mut see)?;
            if ended { Ok(records) } else { Err(NoBoard::Interrupted) }
        };
        let batch: Result<Vec<Vec<Record>>, NoBoard> = numbers.into_par_iter().map(play).collect();
        let batch = batch?;
        self.played += batch.len() as u64;
        self.listed += batch.iter().flatten().map(|record| record.moves.len() as u64).sum::<u64>();
        Ok(batch)
    }

    /// All the games that are left.
    pub fn all(mut self, board: &SheetBoard) -> Result<Vec<Vec<Record>>, NoBoard> {
        let mut all = Vec::new();
        loop {
            let mut batch = self.batch(board)?;
            if batch.is_empty() {
                return Ok(all);
            }
            all.append(&mut batch);
        }
    }
}

/// Plays a rule sheet at random and adds its games to evidence: the same games that [`learn_sheet`](super::learn_sheet)
/// learns from with the same seed. `reading` says how moves are read that take nothing. Returns how many games there were.
///
/// Evidence of the same sheet can be merged whatever the seeds, since the board and the names of its pieces do not depend on
/// them.
///
/// # Errors
///
/// Why the sheet does not fit on a board; games before that stay in the evidence.
pub fn observe_sheet(
    evidence: &mut Evidence,
    game: &GdlGame,
    seed: u64,
    games: Option<u64>,
    reading: HopReading,
    stop: &AtomicBool,
) -> Result<u64, Misfit> {
    let mut board = SheetBoard::find(game, stop)?;
    let mut games = SheetGames::new(game, seed, 0, games, stop);
    let mut observed = 0;
    loop {
        let batch = match games.batch(&board) {
            Ok(batch) if batch.is_empty() => return Ok(observed),
            Ok(batch) => batch,
            Err(reason) => {
                board = board.extend(game, reason, stop)?;
                continue;
            }
        };
        for game in batch {
            observed += 1;
            let game = read_as(game, reading).map_err(|record| Misfit::Reading { game: observed, record })?;
            evidence.observe(&game).map_err(|reason| Misfit::Refused { game: observed, reason })?;
        }
    }
}

/// A game whose moves are read in another way, or the number of a record in which one cannot be.
pub(super) fn read_as(game: Vec<Record>, reading: HopReading) -> Result<Vec<Record>, u32> {
    if reading == HopReading::Straight {
        return Ok(game);
    }
    game.iter().map(|record| reinterpret(record, reading).ok_or(record.number)).collect()
}

/// Plays a rule sheet at random on the threads of the current rayon pool and writes its games as a log, as
/// [`simulate`](crate::game::simulate) does for rules.
///
/// # Errors
///
/// If the sheet has no board, if a game does not fit on it, or if the log cannot be written. Games before that are written.
pub fn simulate_sheet<W: Write>(
    game: &GdlGame,
    plan: &SimulationPlan,
    out: &mut W,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&SimulationReport),
) -> Result<SimulationReport, SheetLogError> {
    let mut board = SheetBoard::find(game, stop)?;
    let mut report = SimulationReport::default();
    loop {
        let written = write_games(&mut report, plan, out, progress, &|number| {
            write_game(stop, |show| Ok(board.for_each_record(game, plan, number, show)?))
        });
        match written {
            Err(SheetLogError::Board(reason)) => board = board.extend(game, reason, stop)?,
            written => return written.map(|()| report),
        }
    }
}

/// A rule sheet whose games could not be written.
#[derive(Debug, thiserror::Error)]
pub enum SheetLogError {
    /// There is no board, or the games do not fit on it.
    #[error("{0}")]
    Board(#[from] NoBoard),
    /// The log could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}
