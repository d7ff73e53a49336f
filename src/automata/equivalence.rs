//! Equivalence of automata: where two differ, and what one has that the other has not.

use super::{Dfa, DfaState, StateId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

/// How a pair of states was come to: the number of the pair before, and the letter read there.
type BackPointer<'a, L> = Option<(usize, &'a L)>;

impl<L: Clone + Ord> Dfa<L> {
    /// A shortest word that exactly one of the two accepts, the first of them in the order of the letters; none if they
    /// accept the same words.
    ///
    /// A breadth-first walk through both at once, in which a missing edge leads out of an automaton for good.
    pub fn difference(&self, other: &Dfa<L>) -> Option<Vec<L>> {
        type StatePair = (Option<StateId>, Option<StateId>);
        let accepts = |dfa: &Dfa<L>, state: Option<StateId>| state.is_some_and(|s| dfa.states()[s.index()].accepting);
        let edges = |dfa: &'_ Dfa<L>, state: Option<StateId>| state.map_or(0, |s| dfa.states()[s.index()].edges.len());
        let start: StatePair = (Some(StateId(0)), Some(StateId(0)));
        let mut met = FxHashSet::from_iter([start]);
        let mut pairs: Vec<(StatePair, BackPointer<L>)> = vec![(start, None)];
        let mut next = 0;
        while next < pairs.len() {
            let (a, b) = pairs[next].0;
            if accepts(self, a) != accepts(other, b) {
                return Some(word_to(&pairs, next));
            }
            // The edges of both, merged by letter.
            let (mut i, mut j) = (0, 0);
            let (ends_a, ends_b) = (edges(self, a), edges(other, b));
            while i < ends_a || j < ends_b {
                let left = a.filter(|_| i < ends_a).map(|s| &self.states()[s.index()].edges[i]);
                let right = b.filter(|_| j < ends_b).map(|s| &other.states()[s.index()].edges[j]);
                let order = match (left, right) {
                    (Some(left), Some(right)) => left.0.cmp(&right.0),
                    (Some(_), None) => Ordering::Less,
                    _ => Ordering::Greater,
                };
                let left = left.filter(|_| order.is_le());
                let right = right.filter(|_| order.is_ge());
                i += usize::from(left.is_some());
                j += usize::from(right.is_some());
                let pair = (left.map(|edge| edge.1), right.map(|edge| edge.1));
                if let Some((letter, _)) = left.or(right)
                    && met.insert(pair)
                {
                    pairs.push((pair, Some((next, letter))));
                }
            }
            next += 1;
        }
        None
    }

    /// The words of this automaton that the other does not have.
    pub fn without(&self, other: &Dfa<L>) -> Dfa<L> {
        let start = (StateId(0), Some(StateId(0)));
        let mut numbers = FxHashMap::from_iter([(start, StateId(0))]);
        let mut pairs = vec![start];
        let mut states = Vec::new();
        while states.len() < pairs.len() {
            let (a, b) = pairs[states.len()];
            let state = &self.states()[a.index()];
            let edges = state.edges.iter().map(|(letter, to)| {
                let pair = (*to, b.and_then(|b| other.next(b, letter)));
                let number = *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    StateId(pairs.len() as u32 - 1)
                });
                (letter.clone(), number)
            });
            let edges = edges.collect();
            let refused = b.is_some_and(|b| other.states()[b.index()].accepting);
            states.push(DfaState { accepting: state.accepting && !refused, edges });
        }
        Dfa::trimmed(states)
    }
}

fn word_to<P, L: Clone>(pairs: &[(P, BackPointer<L>)], mut at: usize) -> Vec<L> {
    let mut word = Vec::new();
    while let Some((before, letter)) = pairs[at].1 {
        word.push(letter.clone());
        at = before;
    }
    word.reverse();
    word
}

#[cfg(test)]
mod tests {
    use crate::automata::samples::{automata, expressions, minimal, words};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_difference_is_the_first_word_that_differs(a in automata(), b in automata()) {
            let found = a.difference(&b);
            let first = words(5).into_iter().find(|word| a.accepts(word) != b.accepts(word));
            match &found {
                Some(word) if word.len() > 5 => prop_assert!(first.is_none() && a.accepts(word) != b.accepts(word)),
                _ => prop_assert_eq!(&found, &first),
            }
            prop_assert_eq!(b.difference(&a), found);
        }

        #[test]
        fn what_the_other_has_is_left_out(a in automata(), b in automata()) {
            let rest = a.without(&b);
            for word in words(5) {
                prop_assert_eq!(rest.accepts(&word), a.accepts(&word) && !b.accepts(&word));
            }
        }

        #[test]
        fn smallest_automata_without_a_difference_are_equal(a in expressions(), b in expressions()) {
            let (a, b) = (minimal(&a), minimal(&b));
            prop_assert_eq!(a.difference(&b).is_none(), a == b);
        }
    }
}
