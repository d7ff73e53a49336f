//! Rules learnt from a rule sheet: it is played at random, watched like any other game, and what was learnt is compared with
//! games that nobody has seen.

use super::sheet_games::{SheetGames, read_as};
use super::{Comparison, Lesson, Misfit, NoBoard, SheetBoard};
use crate::game::{Game, GdlGame};
use crate::learn::{Evidence, Options, Progress};
use crate::observe::{HopReading, Record};
use crate::rules::Rules;
use rayon::prelude::*;
use std::cell::OnceCell;
use std::sync::atomic::AtomicBool;

/// Which games of a sheet are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetPlan {
    /// How many games to learn from; without a number 1000, or fewer that list enough moves.
    pub games: Option<u64>,
    /// How many other games to check the rules on, likewise.
    pub check_games: Option<u64>,
    /// The same seed gives the same games.
    pub seed: u64,
    /// Whether the rules get the sheet's names of the game and its players, as far as rules may have such names.
    pub sheet_names: bool,
}

impl Default for SheetPlan {
    fn default() -> SheetPlan {
        SheetPlan { games: None, check_games: None, seed: 1, sheet_names: true }
    }
}

/// What was learnt from a sheet.
#[derive(Clone, Debug)]
pub struct SheetReport {
    /// The board that its facts describe.
    pub board: SheetBoard,
    /// How moves that take nothing were read, since boards do not show whether a piece went straight or hopped.
    pub reading: HopReading,
    /// What was seen and learnt. Contradictions are between records of its games.
    pub lesson: Lesson,
    /// How the rules compare with the sheet.
    pub comparison: Comparison,
}

impl SheetReport {
    /// Whether the rules account for all moves, those that were seen and those of the other games, whatever becomes of
    /// endings.
    pub fn moves_hold(&self) -> bool {
        self.lesson.moves_are_consistent() && self.comparison.moves_hold()
    }

    /// Whether the rules account for everything.
    pub fn holds(&self) -> bool {
        self.lesson.is_consistent() && self.comparison.holds()
    }
}

/// Games that are checked on have numbers from here on, far from those that are learnt from.
const FRESH: u64 = 1 << 40;

/// Learns rules from a rule sheet on the threads of the current rayon pool: finds its board, plays games, learns from them,
/// and checks the rules on other games. `watch` is called wherever the learner has got to.
///
/// ```
/// use onlooker::game::GdlGame;
/// use onlooker::gdl::{Engine, GroundingLimits, Program};
/// use onlooker::learn::Options;
/// use onlooker::relearn::{SheetPlan, learn_sheet};
/// use std::sync::atomic::AtomicBool;
///
/// let program = Program::read(include_str!("../../games/tic-tac-toe.kif"))?;
/// let game = GdlGame::new("noughts", program, Engine::Fast, &GroundingLimits::default())?;
/// let plan = SheetPlan { games: Some(60), check_games: Some(20), ..SheetPlan::default() };
/// let report = learn_sheet(&game, &plan, &Options::default(), &AtomicBool::new(false), &|_| {})?;
/// assert!(report.holds());
/// assert_eq!((report.board.relation(), report.lesson.learnt.rules.name.as_str()), ("cell", "noughts"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Why the sheet does not fit on a board, or that `stop` was set before anything was learnt.
pub fn learn_sheet(
    game: &GdlGame,
    plan: &SheetPlan,
    options: &Options,
    stop: &AtomicBool,
    watch: &(dyn Fn(Progress) + Sync),
) -> Result<SheetReport, Misfit> {
    let (board, games) = watch_games(game, plan, stop)?;
    let fresh = OnceCell::new();
    let fresh = || {
        let play = || SheetGames::new(game, plan.seed, FRESH, plan.check_games, stop).all(&board);
        fresh.get_or_init(play).as_deref().map_err(NoBoard::clone)
    };
    let learn = |games: &[Vec<Record>]| {
        let mut evidence = Evidence::default();
        for (records, game) in games.iter().zip(1..) {
            evidence.observe(records).map_err(|reason| Misfit::Refused { game, reason })?;
        }
        let mut lesson = Lesson::learn(evidence, options, stop, watch)?;
        if plan.sheet_names {
            name_after(&mut lesson.learnt.rules, game, &board);
        }
        for (records, game) in games.iter().zip(1..) {
            if !lesson.contradictions.are_located() {
                lesson.contradictions.look_in(0, game, records);
            }
        }
        Ok::<Lesson, Misfit>(lesson)
    };
    let lesson = learn(&games)?;
    let comparison = Comparison::of(&lesson.learnt.rules, fresh);
    let mut report = SheetReport { board: board.clone(), reading: HopReading::Straight, lesson, comparison };
    for reading in [HopReading::HopsOverEnemies, HopReading::HopsOverAll] {
        if report.moves_hold() {
            break;
        }
        let hops: Result<Vec<Vec<Record>>, u32> = games.par_iter().map(|game| read_as(game.clone(), reading)).collect();
        let Some(lesson) = hops.ok().filter(|hops| *hops != games).and_then(|hops| learn(&hops).ok()) else { continue };
        // Rules that contradict what they were learnt from need not be compared with other games.
        if lesson.moves_are_consistent() {
            let comparison = Comparison::of(&lesson.learnt.rules, fresh);
            let hopping = SheetReport { board: board.clone(), reading, lesson, comparison };
            if hopping.moves_hold() {
                report = hopping;
            }
        }
    }
    Ok(report)
}

/// Finds the board and plays the games to learn from.
fn watch_games(game: &GdlGame, plan: &SheetPlan, stop: &AtomicBool) -> Result<(SheetBoard, Vec<Vec<Record>>), NoBoard> {
    let mut board = SheetBoard::find(game, stop)?;
    loop {
        match SheetGames::new(game, plan.seed, 0, plan.games, stop).all(&board) {
            Ok(games) => return Ok((board, games)),
            Err(reason) => board = board.widen(game, reason, stop)?,
        }
    }
}

/// Gives the rules the names that the sheet has, as far as rules may be called so.
fn name_after(rules: &mut Rules, game: &GdlGame, board: &SheetBoard) {
    let mut named = Rules { name: game.name().to_owned(), ..rules.clone() };
    if named.flaws().is_empty() {
        *rules = named.clone();
    }
    named.name = rules.name.clone();
    named.players = board.roles().iter().map(|role| game.roles()[role.index()].clone()).collect();
    if named.players.len() == rules.players.len() && named.flaws().is_empty() {
        *rules = named;
    }
}
