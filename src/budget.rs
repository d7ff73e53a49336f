//! How much a search may do, and why it ended.
//!
//! A search takes a [`Budget`] in: a number of steps, and a flag that somebody else may raise. It hands a [`StopReason`]
//! out. Steps are counted instead of the time, so that the same input gives the same result everywhere; only the flag
//! makes a result depend on when it was raised, and then the result says so.
//!
//! ```
//! use onlooker::budget::{Budget, StopReason};
//! use std::sync::atomic::{AtomicBool, Ordering};
//!
//! let stop = AtomicBool::new(false);
//! let mut budget = Budget::new(3, &stop);
//! assert_eq!(budget.spend(2), Ok(()));
//! assert_eq!(budget.spend(2), Err(StopReason::BudgetSpent));
//!
//! let mut budget = Budget::new(u64::MAX, &stop);
//! stop.store(true, Ordering::Relaxed);
//! assert_eq!(budget.spend(1), Err(StopReason::Interrupted));
//! ```

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// The steps that a search may still take, and the flag that ends it early.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'s> {
    left: u64,
    stop: &'s AtomicBool,
}

/// Why a search ended. Reasons are ordered: that of several searches together is the largest of theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StopReason {
    /// It looked at everything it had to.
    #[default]
    Done,
    /// It took all the steps it was allowed.
    BudgetSpent,
    /// The stop flag was raised.
    Interrupted,
}

impl<'s> Budget<'s> {
    /// So many steps, unless the flag is raised before.
    pub fn new(steps: u64, stop: &'s AtomicBool) -> Budget<'s> {
        Budget { left: steps, stop }
    }

    /// Looks at the flag without taking a step: for loops that end soon, but not at once.
    ///
    /// # Errors
    ///
    /// [`StopReason::Interrupted`] if the flag is raised.
    #[inline]
    pub fn check(&self) -> Result<(), StopReason> {
        if self.stop.load(Ordering::Relaxed) { Err(StopReason::Interrupted) } else { Ok(()) }
    }

    /// Takes steps off what is left.
    ///
    /// # Errors
    ///
    /// [`StopReason::Interrupted`] if the flag is raised, [`StopReason::BudgetSpent`] if fewer steps are left.
    #[inline]
    pub fn spend(&mut self, steps: usize) -> Result<(), StopReason> {
        self.check()?;
        self.left = self.left.checked_sub(steps as u64).ok_or(StopReason::BudgetSpent)?;
        Ok(())
    }
}

impl StopReason {
    /// Whether the search came to its end by itself.
    pub fn is_done(self) -> bool {
        self == StopReason::Done
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            StopReason::Done => "done",
            StopReason::BudgetSpent => "the budget of steps is spent",
            StopReason::Interrupted => "interrupted",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_comes_before_the_steps_and_the_worst_reason_counts() {
        let stop = AtomicBool::new(true);
        assert_eq!(Budget::new(0, &stop).spend(1), Err(StopReason::Interrupted));
        assert_eq!(Budget::new(1, &stop).check(), Err(StopReason::Interrupted));
        stop.store(false, Ordering::Relaxed);
        let mut budget = Budget::new(1, &stop);
        assert_eq!((budget.spend(1), budget.spend(0), budget.spend(1)), (Ok(()), Ok(()), Err(StopReason::BudgetSpent)));
        let reasons = [StopReason::BudgetSpent, StopReason::Interrupted, StopReason::Done];
        assert_eq!(reasons.into_iter().max(), Some(StopReason::Interrupted));
        assert!(StopReason::default().is_done() && !StopReason::BudgetSpent.is_done());
    }
}
