//! Sets of transitions, and families of sets of which only the smallest matter.

use smallvec::SmallVec;

/// A set of transitions as bits. The last word is never zero, so equal sets are equal values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Set(SmallVec<[u64; 2]>);

impl Set {
    pub fn of_words(words: &[u64]) -> Set {
        let length = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        Set(SmallVec::from_slice(&words[..length]))
    }

    pub fn of(members: impl IntoIterator<Item = usize>) -> Set {
        let mut set = Set::default();
        members.into_iter().for_each(|member| set.insert(member));
        set
    }

    pub fn insert(&mut self, member: usize) {
        if self.0.len() <= member / 64 {
            self.0.resize(member / 64 + 1, 0);
        }
        self.0[member / 64] |= 1 << (member % 64);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
        self.0.iter().enumerate().flat_map(move |(i, &word)| bits(word).map(move |bit| 64 * i + bit))
    }

    pub fn is_subset(&self, words: &[u64]) -> bool {
        self.0.len() <= words.len() && self.0.iter().zip(words).all(|(mine, theirs)| mine & !theirs == 0)
    }

    pub fn is_disjoint(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine & theirs == 0)
    }

    pub fn words(&self) -> &[u64] {
        &self.0
    }
}

/// The smallest of the sets that were seen: a set that contains another one says nothing that the other does not.
///
/// Two families merge to the one that all their sets together would have given, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Family(Vec<Set>);

impl Family {
    /// Whether the empty set is in it, so that nothing can be added.
    pub fn is_settled(&self) -> bool {
        self.0.first().is_some_and(Set::is_empty)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sets, smaller ones first.
    pub fn sets(&self) -> &[Set] {
        &self.0
    }

    /// Adds a set given as words, unless it is known to contain another.
    pub fn insert(&mut self, words: &[u64]) {
        if self.0.iter().any(|set| set.is_subset(words)) {
            return;
        }
        let new = Set::of_words(words);
        self.0.retain(|set| !new.is_subset(set.words()));
        // Small sets first: they are the ones that most others contain.
        let size = new.len();
        let at = self.0.partition_point(|set| set.len() <= size);
        self.0.insert(at, new);
    }

    pub fn merge(&mut self, other: &Family) {
        other.0.iter().for_each(|set| self.insert(set.words()));
    }

    /// Whether some set has nothing in common with `chosen`.
    pub fn has_one_apart_from(&self, chosen: &Set) -> bool {
        self.0.iter().any(|set| set.is_disjoint(chosen))
    }

    /// Keeps nothing but the empty set.
    pub fn cut(&mut self) {
        self.0.retain(Set::is_empty);
    }

    /// The same family with other numbers, in an order that depends on nothing else.
    pub fn renumbered(&self, new: &[u32]) -> Family {
        let mut sets: Vec<Set> = self.0.iter().map(|set| Set::of(set.iter().map(|old| new[old] as usize))).collect();
        sets.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.iter().cmp(b.iter())));
        Family(sets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_smallest_sets_stay() {
        let mut family = Family::default();
        for members in [&[1, 70][..], &[1, 2, 70], &[3], &[3, 4], &[70, 1], &[2, 4]] {
            family.insert(Set::of(members.iter().copied()).words());
        }
        let kept: Vec<Vec<usize>> = family.sets().iter().map(|set| set.iter().collect()).collect();
        assert_eq!(kept, [vec![3], vec![1, 70], vec![2, 4]]);
        assert!(family.has_one_apart_from(&Set::of([1, 2])) && !family.has_one_apart_from(&Set::of([1, 3, 4])));
        family.insert(&[0, 0, 0]);
        assert!(family.is_settled() && family.sets().len() == 1);
    }
}
