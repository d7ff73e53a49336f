//! Sets of transitions, and families of sets of which only the smallest matter.

use smallvec::SmallVec;

/// A set of transitions, sorted. There may be millions, each with few members of many, so they are not kept as bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Set(SmallVec<[u16; 8]>);

impl Set {
    pub fn of_words(words: &[u64]) -> Set {
        Set(members(words).map(|member| member as u16).collect())
    }

    pub fn insert(&mut self, member: usize) {
        let member = member as u16;
        if let Err(at) = self.0.binary_search(&member) {
            self.0.insert(at, member);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().map(|&member| usize::from(member))
    }

    #[inline]
    fn is_subset_of_words(&self, words: &[u64]) -> bool {
        self.iter().all(|member| has(words, member))
    }

    fn is_subset(&self, other: &Set) -> bool {
        let mut others = other.0.iter();
        self.0.len() <= other.0.len() && self.0.iter().all(|member| others.any(|other| other == member))
    }

    /// The set as bits.
    pub fn words(&self) -> Vec<u64> {
        words(self.iter())
    }
}

/// A set as bits.
pub(super) fn words(members: impl IntoIterator<Item = usize>) -> Vec<u64> {
    let mut words = Vec::new();
    for member in members {
        if words.len() <= member / 64 {
            words.resize(member / 64 + 1, 0);
        }
        words[member / 64] |= 1 << (member % 64);
    }
    words
}

#[inline]
fn has(words: &[u64], member: usize) -> bool {
    words.get(member / 64).is_some_and(|word| word >> (member % 64) & 1 == 1)
}

/// The members of a set of bits.
fn members(words: &[u64]) -> impl Iterator<Item = usize> {
    let bits = |word: u64| {
        std::iter::successors((word != 0).then_some(word), |word| Some(word & (word - 1)).filter(|&word| word != 0))
    };
    let filled = words.iter().enumerate().filter(|(_, word)| **word != 0);
    filled.flat_map(move |(i, &word)| bits(word).map(move |word| 64 * i + word.trailing_zeros() as usize))
}

/// The smallest of the sets that were seen: a set that contains another one says nothing that the other does not.
///
/// Two families merge to the one that all their sets together would have given, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Family(Vec<Set>);

impl Family {
    /// Whether the empty set is in it, so that nothing can be added.
    #[inline]
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

    /// Adds a set given as bits, unless it is known to contain another.
    pub fn insert(&mut self, words: impl AsRef<[u64]>) {
        let words = words.as_ref();
        if !self.0.iter().any(|set| set.is_subset_of_words(words)) {
            self.add(Set::of_words(words));
        }
    }

    /// Adds a set that contains none of the others.
    fn add(&mut self, new: Set) {
        self.0.retain(|set| !new.is_subset(set));
        // Small sets first: they are the ones that most others contain.
        let size = new.len();
        let at = self.0.partition_point(|set| set.len() <= size);
        self.0.insert(at, new);
    }

    pub fn merge(&mut self, other: &Family) {
        for set in &other.0 {
            if !self.0.iter().any(|known| known.is_subset(set)) {
                self.add(set.clone());
            }
        }
    }

    /// Whether some set has nothing in common with `chosen`, which is given as bits.
    pub fn has_one_apart_from(&self, chosen: &[u64]) -> bool {
        self.0.iter().any(|set| set.iter().all(|member| !has(chosen, member)))
    }

    /// Keeps nothing but the empty set.
    pub fn cut(&mut self) {
        self.0.retain(Set::is_empty);
    }

    /// The same family with other numbers, in an order that depends on nothing else.
    pub fn renumbered(&self, new: &[u32]) -> Family {
        let renumber = |set: &Set| {
            let mut members: SmallVec<[u16; 8]> = set.iter().map(|old| new[old] as u16).collect();
            members.sort_unstable();
            Set(members)
        };
        let mut sets: Vec<Set> = self.0.iter().map(renumber).collect();
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
            family.insert(words(members.iter().copied()));
        }
        let kept: Vec<Vec<usize>> = family.sets().iter().map(|set| set.iter().collect()).collect();
        assert_eq!(kept, [vec![3], vec![1, 70], vec![2, 4]]);
        assert!(family.has_one_apart_from(&words([1, 2])) && !family.has_one_apart_from(&words([1, 3, 4])));
        let renumbered = family.renumbered(&(0..71).rev().collect::<Vec<u32>>());
        let kept: Vec<Vec<usize>> = renumbered.sets().iter().map(|set| set.iter().collect()).collect();
        assert_eq!(kept, [vec![67], vec![0, 69], vec![66, 68]]);
        family.insert([0, 0, 0]);
        assert!(family.is_settled() && family.sets().len() == 1);
    }
}
