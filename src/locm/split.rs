//! Which transitions of a sort make machines of their own.
//!
//! After Cresswell and Gregory, *Generalised Domain Model Acquisition from Action Traces* (LOCM2, 2011). Two departures:
//! sets are found by branching on what a set still lacks instead of trying all of them by size, which gives the same
//! sets; and what is tried is counted, so that the search ends.

use crate::budget::{Budget, StopReason};

/// For each transition of a sort what follows it, and what comes between it and those that do not; sets are bits.
#[derive(Clone, Debug)]
pub(super) struct Following {
    /// For each transition those that were seen to follow it at once.
    pub rows: Vec<u64>,
    /// For each two transitions that were never seen to follow each other at once, but later, the smallest sets that
    /// came between.
    pub between: Vec<(usize, usize, Vec<u64>)>,
}

impl Following {
    fn all(&self) -> u64 {
        if self.rows.len() == 64 { u64::MAX } else { (1 << self.rows.len()) - 1 }
    }

    /// Pairs of a set that never follow each other although something that shares a follower with the first is followed
    /// by the second.
    pub fn holes(&self, set: u64) -> Vec<(usize, usize)> {
        let mut holes = Vec::new();
        for row in bits(set) {
            let expected = self.expected(set, row);
            holes.extend(bits(expected & !self.rows[row]).map(|column| (row, column)));
        }
        holes
    }

    fn expected(&self, set: u64, row: usize) -> u64 {
        let mine = self.rows[row] & set;
        bits(set).map(|other| self.rows[other] & set).filter(|theirs| mine & theirs != 0).fold(0, |all, row| all | row)
    }

    /// A hole stays one in all larger sets.
    fn has_holes(&self, set: u64) -> bool {
        bits(set).any(|row| self.expected(set, row) & !self.rows[row] != 0)
    }

    /// For each hole the smallest set that has both of its transitions, no holes, and nothing in it that follows
    /// something else only because what came between is not in the set. Sets that are part of others are left out, and
    /// so is the set of all.
    pub fn split(&self, budget: &mut Budget) -> Result<Vec<u64>, StopReason> {
        let mut chosen: Vec<u64> = Vec::new();
        let mut search = SplitSearch { following: self, budget, best: None };
        for (a, b) in self.holes(self.all()) {
            let both = 1 << a | 1 << b;
            if chosen.iter().any(|set| set & both == both) {
                continue;
            }
            search.best = None;
            search.grow(both, 0)?;
            chosen.extend(search.best);
        }
        let sets = chosen.clone();
        chosen.retain(|set| !sets.iter().any(|other| other != set && set & other == *set));
        Ok(chosen)
    }

    /// A set that came between two transitions of `set` and of which nothing is in `set`; among several the one with
    /// the fewest members that are not left out.
    fn lacking(&self, set: u64, left_out: u64) -> Option<u64> {
        let within = self.between.iter().filter(|(a, b, _)| set >> a & set >> b & 1 == 1);
        let apart = within.flat_map(|(_, _, sets)| sets).filter(|&&between| between & set == 0);
        apart.map(|between| between & !left_out).min_by_key(|candidates| candidates.count_ones())
    }
}

struct SplitSearch<'a, 's> {
    following: &'a Following,
    budget: &'a mut Budget<'s>,
    best: Option<u64>,
}

impl SplitSearch<'_, '_> {
    /// Looks at all good sets that contain `set` and nothing that is left out.
    fn grow(&mut self, set: u64, left_out: u64) -> Result<(), StopReason> {
        self.budget.spend(1)?;
        if set == self.following.all() || !self.is_better(set) || self.following.has_holes(set) {
            return Ok(());
        }
        let Some(candidates) = self.following.lacking(set, left_out) else {
            self.best = Some(set);
            return Ok(());
        };
        let mut left_out = left_out;
        for candidate in bits(candidates) {
            self.grow(set | 1 << candidate, left_out)?;
            left_out |= 1 << candidate;
        }
        Ok(())
    }

    /// Smaller than the best set so far, or as large and before it in order.
    fn is_better(&self, set: u64) -> bool {
        let Some(best) = self.best else { return true };
        let differing = set ^ best;
        match set.count_ones().cmp(&best.count_ones()) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Equal => differing != 0 && set >> differing.trailing_zeros() & 1 == 1,
            std::cmp::Ordering::Greater => false,
        }
    }
}

fn bits(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |bit| set >> bit & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn blocks_have_a_machine_for_what_is_below_them() {
        // pick-up.1, put-down.1, stack.1, stack.2, unstack.1, unstack.2
        let rows = vec![0b000110, 0b001001, 0b011000, 0b100000, 0b000110, 0b011001];
        let alone = [(0, 0, 1), (0, 4, 2), (1, 1, 0), (1, 2, 0), (2, 1, 4), (2, 2, 4), (4, 0, 1), (4, 4, 2)];
        let mut between: Vec<_> = alone.iter().map(|&(a, b, only)| (a, b, vec![1 << only])).collect();
        between.extend([(1, 4, vec![0b101]), (2, 0, vec![0b10010])]);
        let following = Following { rows, between };
        assert_eq!(following.holes(0b111111), [(1, 4), (2, 0)]);
        let split = |steps, stop| following.split(&mut Budget::new(steps, &AtomicBool::new(stop)));
        assert_eq!(split(1000, false), Ok(vec![0b010111]));
        assert_eq!(split(2, false), Err(StopReason::BudgetSpent));
        assert_eq!(split(1000, true), Err(StopReason::Interrupted));
    }
}
