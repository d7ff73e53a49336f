//! What evaluation works with: terms, the database of atoms, subgoals with their tables, and a budget.

use super::database::Database;
use super::subgoals::Subgoals;
use super::tables::Tables;
use super::terms::Terms;
use std::sync::atomic::{AtomicBool, Ordering};

/// Something that would be larger than a limit allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// Too many atoms are looked at.
    #[error("more than {0} atoms have to be looked at")]
    Work(u64),
    /// Too much has to be kept.
    #[error("more than {0} terms come up")]
    Terms(u64),
    /// A term is too long when it is written.
    #[error("a term is longer than {0} characters")]
    TermLength(u16),
    /// A term is nested too deeply.
    #[error("a term is nested more than {0} deep")]
    TermDepth(u8),
    /// The facts of a state, or its legal moves, are too long when they are written.
    #[error("the facts or the legal moves of a state are longer than {0} characters")]
    State(u64),
    /// The plans for the rules are too long.
    #[error("the rules need plans of more than {0} steps")]
    Plans(u64),
    /// Too many relations wait for each other.
    #[error("more than {0} relations deny each other in a row")]
    Denials(u32),
    /// It was stopped from outside.
    #[error("it was stopped")]
    Stopped,
}

/// Fails once `stop` is set.
pub(super) fn check_stop(stop: &AtomicBool) -> Result<(), TooLarge> {
    if stop.load(Ordering::Relaxed) { Err(TooLarge::Stopped) } else { Ok(()) }
}

/// How much may be done, and how much was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget<'a> {
    /// Atoms looked at.
    pub work: u64,
    pub most_work: u64,
    /// The most terms, and entries of tables, that may be kept.
    pub most_kept: usize,
    pub stop: &'a AtomicBool,
}

/// What a search works with.
pub(super) struct EvalContext<'a> {
    pub terms: &'a mut Terms,
    pub database: &'a Database,
    pub subgoals: &'a Subgoals,
    pub tables: &'a mut Tables,
    pub budget: Budget<'a>,
}

/// Limits are looked at each time that so much was done.
const OFTEN: u64 = 1 << 10;
/// What a table costs.
const TABLE_WORK: u64 = 12;

impl EvalContext<'_> {
    /// Counts an atom that is looked at.
    #[inline]
    pub fn spend(&mut self) -> Result<(), TooLarge> {
        self.budget.work += 1;
        if self.budget.work.is_multiple_of(OFTEN) { self.look() } else { Ok(()) }
    }

    /// Counts a table that is opened, which is as much work as looking at some atoms.
    pub fn spend_table(&mut self) -> Result<(), TooLarge> {
        let before = self.budget.work;
        self.budget.work += TABLE_WORK;
        if before / OFTEN != self.budget.work / OFTEN { self.look() } else { Ok(()) }
    }

    fn look(&self) -> Result<(), TooLarge> {
        let Budget { work, most_work, most_kept, stop } = self.budget;
        if work > most_work {
            return Err(TooLarge::Work(most_work));
        }
        if self.terms.len() + self.tables.size() > most_kept {
            return Err(TooLarge::Terms(most_kept as u64));
        }
        check_stop(stop)
    }
}
