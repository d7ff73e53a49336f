//! The smallest deterministic automaton with the same words.

use super::{Dfa, DfaState, StateId};
use std::collections::BTreeMap;

impl<L: Clone + Ord> Dfa<L> {
    /// The smallest automaton with the same words.
    ///
    /// Hopcroft's algorithm: split blocks of states by the letters that lead into a block, always going on with the
    /// smaller half. Since automata here are partial (a missing edge leads to a dead state that is not kept), both
    /// first blocks have to be tried as splitters.
    pub fn minimise(&self) -> Dfa<L> {
        let states = self.states();
        let mut sources: Vec<BTreeMap<&L, Vec<usize>>> = vec![BTreeMap::new(); states.len()];
        for (from, state) in states.iter().enumerate() {
            for (letter, to) in &state.edges {
                sources[to.index()].entry(letter).or_default().push(from);
            }
        }
        let (accepting, rest): (Vec<usize>, Vec<usize>) = (0..states.len()).partition(|&s| states[s].accepting);
        let mut blocks: Vec<Vec<usize>> = [accepting, rest].into_iter().filter(|block| !block.is_empty()).collect();
        let mut block_of = vec![0; states.len()];
        for (number, block) in blocks.iter().enumerate() {
            block.iter().for_each(|&s| block_of[s] = number);
        }
        let mut waiting: Vec<usize> = (0..blocks.len()).collect();
        let mut is_waiting = vec![true; blocks.len()];
        while let Some(splitter) = waiting.pop() {
            is_waiting[splitter] = false;
            let mut into: BTreeMap<&L, Vec<usize>> = BTreeMap::new();
            for &state in &blocks[splitter] {
                for (letter, from) in &sources[state] {
                    into.entry(letter).or_default().extend(from);
                }
            }
            for from in into.into_values() {
                let mut touched: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
                from.into_iter().for_each(|s| touched.entry(block_of[s]).or_default().push(s));
                for (block, moved) in touched {
                    if moved.len() == blocks[block].len() {
                        continue;
                    }
                    let new = blocks.len();
                    moved.iter().for_each(|&s| block_of[s] = new);
                    blocks[block].retain(|&s| block_of[s] == block);
                    blocks.push(moved);
                    let next = if is_waiting[block] || blocks[new].len() <= blocks[block].len() { new } else { block };
                    is_waiting.push(false);
                    is_waiting[next] = true;
                    waiting.push(next);
                }
            }
        }
        self.merged(&blocks, &block_of)
    }

    fn merged(&self, blocks: &[Vec<usize>], block_of: &[usize]) -> Dfa<L> {
        // The start's block first, the others as they are; trimming numbers them in the usual order.
        let start = block_of[0];
        let place = |block: usize| {
            if block == start {
                0
            } else if block < start {
                block + 1
            } else {
                block
            }
        };
        let mut merged: Vec<Option<DfaState<L>>> = vec![None; blocks.len()];
        for (number, block) in blocks.iter().enumerate() {
            let state = &self.states()[block[0]];
            let to = |to: StateId| StateId(place(block_of[to.index()]) as u32);
            let edges = state.edges.iter().map(|(letter, target)| (letter.clone(), to(*target))).collect();
            merged[place(number)] = Some(DfaState { accepting: state.accepting, edges });
        }
        Dfa::trimmed(merged.into_iter().flatten().collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::automata::{Dfa, Expression, Nfa};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const ALPHABET: [char; 3] = ['a', 'b', 'c'];

    fn expressions() -> impl Strategy<Value = Expression<char>> {
        let letter = prop::sample::select(&ALPHABET[..]).prop_map(Expression::Letter);
        letter.prop_recursive(4, 24, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Expression::sequence),
                prop::collection::vec(inner.clone(), 0..4).prop_map(Expression::choice),
                (inner, 0u8..3, prop::option::of(0u8..3))
                    .prop_map(|(of, least, more)| of.repeat(least, more.map(|m| least + m))),
            ]
        })
    }

    fn words(length: usize) -> Vec<Vec<char>> {
        let longer = |words: &Vec<Vec<char>>| {
            words
                .iter()
                .flat_map(|w| ALPHABET.map(|c| w.iter().copied().chain([c]).collect()))
                .collect::<Vec<Vec<char>>>()
        };
        let mut all = vec![vec![vec![]]];
        (0..length).for_each(|n| all.push(longer(&all[n])));
        all.concat()
    }

    /// Whether the expression matches, by trying every way to cut the word: slow and plain.
    fn matches(expression: &Expression<char>, word: &[char]) -> bool {
        match expression {
            Expression::Letter(letter) => word == [*letter],
            Expression::Choice(parts) => parts.iter().any(|part| matches(part, word)),
            Expression::Sequence(parts) => match parts.split_first() {
                None => word.is_empty(),
                Some((first, rest)) => (0..=word.len()).any(|cut| {
                    matches(first, &word[..cut]) && matches(&Expression::Sequence(rest.to_vec()), &word[cut..])
                }),
            },
            Expression::Repeat { of, least, most } => {
                let fewer = |n: Option<u8>| n.map(|n| n.saturating_sub(1));
                let again = || {
                    (0..=word.len()).filter(|&cut| cut > 0 || *least > 0).any(|cut| {
                        let rest =
                            Expression::Repeat { of: of.clone(), least: least.saturating_sub(1), most: fewer(*most) };
                        matches(of, &word[..cut]) && matches(&rest, &word[cut..])
                    })
                };
                *least == 0 && word.is_empty() || *most != Some(0) && again()
            }
        }
    }

    /// How many states differ from each other, by Moore's method: tell states apart by ever longer words.
    fn classes(dfa: &Dfa<char>) -> usize {
        let mut class: Vec<usize> = dfa.states().iter().map(|state| usize::from(state.accepting)).collect();
        loop {
            let signature =
                |s: usize| (class[s], dfa.states()[s].edges.iter().map(|(l, to)| (*l, class[to.index()])).collect());
            let signatures: Vec<(usize, Vec<(char, usize)>)> = (0..class.len()).map(signature).collect();
            let distinct: Vec<_> = BTreeSet::from_iter(&signatures).into_iter().collect();
            let next: Vec<usize> = signatures.iter().map(|s| distinct.partition_point(|&d| d < s)).collect();
            if next == class {
                return distinct.len();
            }
            class = next;
        }
    }

    proptest! {
        #[test]
        fn every_form_of_an_expression_has_the_same_words(expression in expressions()) {
            let nfa = Nfa::from_expression(&expression, 10_000).unwrap();
            let dfa = nfa.determinise(10_000).unwrap();
            let minimal = dfa.minimise();
            for word in words(5) {
                let expected = matches(&expression, &word);
                prop_assert_eq!(nfa.accepts(&word), expected);
                prop_assert_eq!(dfa.accepts(&word), expected);
                prop_assert_eq!(minimal.accepts(&word), expected);
            }
            prop_assert_eq!(&minimal.minimise(), &minimal);
            prop_assert_eq!(classes(&minimal), minimal.states().len());
        }
    }

    #[test]
    fn too_large_is_an_error() {
        let thousand = (0..10).fold(Expression::Letter('a'), |e, _| e.repeat(2, Some(3)));
        assert!(Nfa::from_expression(&thousand, 1000).is_err());
    }
}
