//! Rules that were learnt from a rule sheet, compared with other games of the sheet.

use super::NoBoard;
use crate::game::{CheckReport, RulesGame, check_game};
use crate::observe::Record;
use crate::rules::{CompileError, Rules};
use rayon::prelude::*;

/// How rules compare with the sheet that they were learnt from.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// On games that the rules were not learnt from, or why they could not be checked.
    pub check: Result<CheckReport, Unchecked>,
}

/// Why rules could not be compared with their sheet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unchecked {
    /// The rules do not run.
    #[error("what was learnt does not run: {0}")]
    DoesNotRun(CompileError),
    /// Other games do not fit on the board.
    #[error(transparent)]
    Board(NoBoard),
    /// It was stopped from outside.
    #[error("it was stopped before the rules were checked")]
    Interrupted,
}

impl From<NoBoard> for Unchecked {
    fn from(reason: NoBoard) -> Unchecked {
        match reason {
            NoBoard::Interrupted => Unchecked::Interrupted,
            reason => Unchecked::Board(reason),
        }
    }
}

impl Comparison {
    /// Mismatches that are kept.
    const KEPT: usize = 5;

    /// Checks rules on the games that `fresh` gives; they are only asked for if the rules run.
    pub(super) fn of<'g>(rules: &Rules, fresh: impl FnOnce() -> Result<&'g [Vec<Record>], NoBoard>) -> Comparison {
        let check = RulesGame::new(rules.clone()).map_err(Unchecked::DoesNotRun).and_then(|rules| {
            let check = |(game, number): (&Vec<Record>, u64)| check_game(&rules, game, number, Comparison::KEPT);
            let games: Vec<(&Vec<Record>, u64)> = fresh()?.iter().zip(1..).collect();
            let reports: Vec<CheckReport> = games.into_par_iter().map(check).collect();
            let mut all = CheckReport::default();
            reports.into_iter().for_each(|report| all.merge(report, Comparison::KEPT));
            Ok(all)
        });
        Comparison { check }
    }

    /// Whether moves and outcomes agree in all positions.
    pub fn holds(&self) -> bool {
        self.check.as_ref().is_ok_and(CheckReport::holds)
    }

    /// Whether moves do.
    pub fn moves_hold(&self) -> bool {
        self.check.as_ref().is_ok_and(|check| check.exact == check.positions)
    }
}
