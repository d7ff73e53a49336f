//! What evaluation works with: terms, the database of atoms, subgoals with their tables, and a budget that it spends.

use super::database::Database;
use super::limits::{TooLarge, WorkLimit, check_stop};
use super::subgoals::Subgoals;
use super::tables::Tables;
use super::terms::Terms;

/// What a search works with.
pub(super) struct EvalContext<'a> {
    pub terms: &'a mut Terms,
    pub database: &'a Database,
    pub subgoals: &'a Subgoals,
    pub tables: &'a mut Tables,
    pub budget: WorkLimit<'a>,
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
        let WorkLimit { work, most_work, most_kept, stop } = self.budget;
        if work > most_work {
            return Err(TooLarge::Work(most_work));
        }
        if self.terms.len() + self.tables.size() > most_kept {
            return Err(TooLarge::Terms(most_kept as u64));
        }
        check_stop(stop)
    }
}
