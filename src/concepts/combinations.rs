//! Counting subsets: how often each set of up to so many facts held together.
//!
//! Subsets of a size are numbered without gaps (the combinatorial number system), so that counts stand in one plain
//! array and no key is ever hashed or compared. If there are more subsets than the limit, the rarest facts are left out: every subset
//! that is not counted then has at most as many occurrences as the most frequent of those, which is told.

use crate::game::FactId;

/// How often subsets of facts held together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubsetCounts {
    /// The facts that are counted, by their place.
    facts: Vec<FactId>,
    /// The counts of subsets of 1, 2, ... facts, by their number.
    counts: Vec<Vec<u32>>,
    left_out: usize,
    most_missed: u64,
}

impl SubsetCounts {
    /// How many subsets are counted unless something else is asked for.
    pub const LIMIT: usize = 1 << 24;
    /// The largest subsets that can be counted.
    pub const MOST_SIZE: usize = 4;

    /// Counts the subsets of up to `size` facts in positions, each with its facts in the order of their numbers and how often it was seen.
    /// Only facts that are `wanted` count.
    pub fn count<'a, P, F>(positions: P, wanted: &[bool], size: usize, limit: usize) -> SubsetCounts
    where
        P: Iterator<Item = (F, u64)> + Clone,
        F: Iterator<Item = FactId> + 'a,
    {
        let size = size.clamp(1, SubsetCounts::MOST_SIZE);
        let mut single = vec![0_u64; wanted.len()];
        for (facts, times) in positions.clone() {
            facts.filter(|fact| wanted[fact.index()]).for_each(|fact| single[fact.index()] += times);
        }
        let mut facts: Vec<FactId> =
            (0..single.len() as u32).map(FactId).filter(|fact| single[fact.index()] > 0).collect();
        facts.sort_by_key(|fact| (std::cmp::Reverse(single[fact.index()]), *fact));
        let seen = facts.len();
        let room = |count: &usize| (1..=size).map(|size| choose(*count, size)).fold(0, usize::saturating_add);
        let kept = (0..=seen).rev().find(|count| room(count) <= limit).unwrap_or(0);
        let most_missed = facts.get(kept).map_or(0, |fact| single[fact.index()]);
        facts.truncate(kept);
        facts.sort();
        let mut place = vec![u32::MAX; wanted.len()];
        facts.iter().enumerate().for_each(|(at, fact)| place[fact.index()] = at as u32);
        let mut counts: Vec<Vec<u32>> = (1..=size).map(|size| vec![0; choose(kept, size)]).collect();
        let mut here: Vec<usize> = Vec::new();
        for (position, times) in positions {
            here.clear();
            here.extend(position.map(|fact| place[fact.index()]).filter(|at| *at != u32::MAX).map(|at| at as usize));
            let times = u32::try_from(times).unwrap_or(u32::MAX);
            add(&here, times, &mut counts);
        }
        SubsetCounts { facts, counts, left_out: seen - kept, most_missed }
    }

    /// The facts that are counted.
    pub fn facts(&self) -> &[FactId] {
        &self.facts
    }

    /// How many facts were left out for want of room, and how often any subset with one of them can have held at most.
    pub fn left_out(&self) -> (usize, u64) {
        (self.left_out, self.most_missed)
    }

    /// How often a set of facts, in the order of their numbers, held together; `None` if it is not counted.
    pub fn of(&self, facts: &[FactId]) -> Option<u32> {
        let places = facts.iter().map(|fact| self.facts.binary_search(fact).ok()).collect::<Option<Vec<usize>>>()?;
        let counts = self.counts.get(facts.len().checked_sub(1)?)?;
        counts.get(number(&places)).copied()
    }

    /// Shows all subsets that held at least once, small ones first.
    pub fn for_each(&self, see: &mut dyn FnMut(&[FactId], u32)) {
        for (size, counts) in (1..).zip(&self.counts) {
            let mut places: Vec<usize> = (0..size).collect();
            let mut facts = Vec::with_capacity(size);
            for &count in counts {
                if count > 0 {
                    facts.clear();
                    facts.extend(places.iter().map(|&at| self.facts[at]));
                    see(&facts, count);
                }
                // The next set in the order of numbers: the first place that can go up does, those before it begin again.
                let up = (0..size).find(|&at| at + 1 == size || places[at] + 1 < places[at + 1]).unwrap_or(0);
                places[up] += 1;
                (0..up).for_each(|at| places[at] = at);
            }
        }
    }

    /// How many different subsets held at least once.
    pub fn distinct(&self) -> usize {
        self.counts.iter().map(|counts| counts.iter().filter(|count| **count > 0).count()).sum()
    }
}

/// How many subsets of a size there are of so many things.
fn choose(count: usize, size: usize) -> usize {
    (0..size).fold(1_usize, |product, at| product.saturating_mul(count.saturating_sub(at)) / (at + 1))
}

/// The number of a set of ascending places among all of its size.
fn number(places: &[usize]) -> usize {
    places.iter().enumerate().map(|(at, &place)| choose(place, at + 1)).sum()
}

/// Adds a position to the counts of all its subsets; places ascend.
fn add(here: &[usize], times: u32, counts: &mut [Vec<u32>]) {
    let size = counts.len();
    for (k, &third) in here.iter().enumerate() {
        counts[0][third] = counts[0][third].saturating_add(times);
        if size < 2 {
            continue;
        }
        let two = third * third.saturating_sub(1) / 2;
        for (j, &second) in here[..k].iter().enumerate() {
            let count = &mut counts[1][two + second];
            *count = count.saturating_add(times);
            if size < 3 {
                continue;
            }
            // The largest place counts in the highest term of the number.
            let three = choose(third, 3) + second * second.saturating_sub(1) / 2;
            for (i, &first) in here[..j].iter().enumerate() {
                let count = &mut counts[2][three + first];
                *count = count.saturating_add(times);
                if size < 4 {
                    continue;
                }
                let four = choose(third, 4) + choose(second, 3) + first * first.saturating_sub(1) / 2;
                for &least in &here[..i] {
                    let count = &mut counts[3][four + least];
                    *count = count.saturating_add(times);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Chance;
    use std::collections::BTreeMap;

    /// Every subset of every position in a map, by the book.
    fn plainly(positions: &[(Vec<FactId>, u64)], size: usize) -> BTreeMap<Vec<FactId>, u32> {
        let mut counts = BTreeMap::new();
        for (facts, times) in positions {
            for bits in 1..1_u32 << facts.len() {
                if bits.count_ones() as usize <= size {
                    let subset: Vec<FactId> =
                        (0..facts.len()).filter(|at| bits >> at & 1 == 1).map(|at| facts[at]).collect();
                    *counts.entry(subset).or_default() += *times as u32;
                }
            }
        }
        counts
    }

    #[test]
    fn fast_counts_are_plain_counts() {
        let mut chance = Chance::new(1);
        for size in 1..=4 {
            let mut position = || {
                let mut facts: Vec<FactId> = (0..chance.below(11)).map(|_| FactId(chance.below(14) as u32)).collect();
                facts.sort();
                facts.dedup();
                (facts, 1 + chance.below(3) as u64)
            };
            let positions: Vec<(Vec<FactId>, u64)> = (0..40).map(|_| position()).collect();
            let shown = positions.iter().map(|(facts, times)| (facts.iter().copied(), *times));
            let fast = SubsetCounts::count(shown.clone(), &[true; 14], size, SubsetCounts::LIMIT);
            let plain = plainly(&positions, size);
            let mut all = BTreeMap::new();
            fast.for_each(&mut |facts, count| {
                assert_eq!(fast.of(facts), Some(count));
                all.insert(facts.to_vec(), count);
            });
            assert_eq!(all, plain);
            assert_eq!((fast.distinct(), fast.left_out()), (plain.len(), (0, 0)));

            // With little room, what is left out is no more frequent than is told.
            let few = SubsetCounts::count(shown, &[true; 14], size, 30);
            let (left_out, most) = few.left_out();
            assert!(left_out > 0 || size == 1);
            for (facts, count) in &plain {
                assert!(few.of(facts).map_or(u64::from(*count) <= most, |found| found == *count), "{facts:?}");
            }
        }
    }
}
