//! The prefix tree acceptor of some words, and collapsing two of its states: what learners of automata begin with.

use super::{Dfa, DfaState, Nfa, StateId};

impl<L: Clone + Ord> Dfa<L> {
    /// The tree that has just these words, each beginning they share only once.
    pub fn prefix_tree(words: impl IntoIterator<Item = impl IntoIterator<Item = L>>) -> Dfa<L> {
        let mut states = vec![DfaState::<L> { accepting: false, edges: Vec::new() }];
        for word in words {
            let mut at = 0;
            for letter in word {
                let count = states.len();
                let edges = &mut states[at].edges;
                at = match edges.binary_search_by(|edge| edge.0.cmp(&letter)) {
                    Ok(found) => edges[found].1.index(),
                    Err(place) => {
                        edges.insert(place, (letter, StateId(count as u32)));
                        states.push(DfaState { accepting: false, edges: Vec::new() });
                        count
                    }
                };
            }
            states[at].accepting = true;
        }
        Dfa::trimmed(states)
    }

    /// This automaton with two of its states made one. It has all the words of this one, and mostly more.
    pub fn collapse(&self, a: StateId, b: StateId) -> Nfa<L> {
        // The smaller number stays, so that the start stays the start; the other is left where nothing leads to.
        let (kept, gone) = (a.min(b), a.max(b));
        Nfa::from_states(self.states().iter().enumerate().map(|(number, state)| {
            let mut state = state.clone();
            if number == kept.index() && kept != gone {
                let other = &self.states()[gone.index()];
                state.accepting |= other.accepting;
                state.edges.extend(other.edges.iter().cloned());
            }
            state.edges.iter_mut().filter(|edge| edge.1 == gone).for_each(|edge| edge.1 = kept);
            state
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::automata::samples::{ALPHABET, automata, words};
    use crate::automata::{Dfa, StateId};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Whether a walk that may go on in `b` whenever it is in `a`, and the other way round, ends well.
    fn accepts_collapsed(dfa: &Dfa<char>, a: StateId, b: StateId, word: &[char]) -> bool {
        let both = |set: BTreeSet<StateId>| {
            if set.contains(&a) || set.contains(&b) { set.into_iter().chain([a, b]).collect() } else { set }
        };
        let step =
            |set: BTreeSet<StateId>, letter: &char| both(set.iter().filter_map(|&s| dfa.next(s, letter)).collect());
        let end = word.iter().fold(both(BTreeSet::from([StateId(0)])), step);
        end.iter().any(|state| dfa.states()[state.index()].accepting)
    }

    proptest! {
        #[test]
        fn a_prefix_tree_has_just_its_words(
            kept in prop::collection::btree_set(prop::collection::vec(prop::sample::select(&ALPHABET[..]), 0..5), 0..12),
        ) {
            let tree = Dfa::prefix_tree(kept.iter().map(|word| word.iter().copied()));
            for word in words(5) {
                prop_assert_eq!(tree.accepts(&word), kept.contains(&word));
            }
            let beginnings: BTreeSet<&[char]> = kept.iter().flat_map(|word| (0..=word.len()).map(|n| &word[..n])).collect();
            prop_assert_eq!(tree.states().len(), beginnings.len().max(1));
            // Numbered breadth-first: an edge met later leads to a later state.
            let targets: Vec<StateId> = tree.states().iter().flat_map(|state| &state.edges).map(|edge| edge.1).collect();
            prop_assert!(targets.iter().enumerate().all(|(i, to)| to.index() == i + 1));
        }

        #[test]
        fn collapsed_states_go_on_as_either(dfa in automata(), a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>()) {
            let count = dfa.states().len();
            let (a, b) = (StateId(a.index(count) as u32), StateId(b.index(count) as u32));
            let collapsed = dfa.collapse(a, b);
            let determined = collapsed.determinise(10_000).unwrap();
            for word in words(5) {
                let expected = accepts_collapsed(&dfa, a, b, &word);
                prop_assert_eq!(collapsed.accepts(&word), expected);
                prop_assert_eq!(determined.accepts(&word), expected);
            }
        }
    }
}
