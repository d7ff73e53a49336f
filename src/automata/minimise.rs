//! DFA minimisation: the smallest deterministic automaton with the same words (partition refinement, after Hopcroft).

use super::dfa::Incoming;
use super::{Dfa, DfaState, StateId};

impl<L: Clone + Ord> Dfa<L> {
    /// The smallest automaton with the same words.
    ///
    /// Valmari's form of Hopcroft's algorithm: besides the states, the edges are kept in groups, at first one for each
    /// letter. States are split by whether an edge of a group leaves them, and edges by the group of states they lead
    /// to, until nothing splits. Missing edges need no dead state, and there is no searching by letter.
    pub fn minimise(&self) -> Dfa<L> {
        let states = self.states();
        let mut edges: Vec<(&L, usize, usize)> = Vec::new();
        for (from, state) in states.iter().enumerate() {
            edges.extend(state.edges.iter().map(|(letter, to)| (letter, from, to.index())));
        }
        edges.sort_by(|a, b| a.0.cmp(b.0));
        let mut into = Incoming::new(states.len(), edges.iter().map(|edge| edge.2));
        edges.iter().enumerate().for_each(|(number, edge)| into.add(edge.2, number));
        let mut blocks = StatePartition::new(states.len());
        (0..states.len()).filter(|&s| states[s].accepting).for_each(|s| blocks.mark(s));
        blocks.split();
        let mut groups = StatePartition::in_runs(edges.len(), |number| edges[number].0 == edges[number - 1].0);
        // Edges into the first block need no look: they are what is left of a group when all others are split off.
        let (mut next_group, mut next_block) = (0, 1);
        while next_group < groups.len() {
            for &edge in groups.set(next_group) {
                blocks.mark(edges[edge].1);
            }
            blocks.split();
            next_group += 1;
            while next_block < blocks.len() {
                for &state in blocks.set(next_block) {
                    into.of(state).iter().for_each(|&edge| groups.mark(edge));
                }
                groups.split();
                next_block += 1;
            }
        }
        self.merged(&blocks)
    }

    fn merged(&self, blocks: &StatePartition) -> Dfa<L> {
        // The start's block first, in exchange with the one that would be; trimming numbers them in the usual order.
        let start = blocks.set_of[0];
        let place = |block: usize| match block {
            0 => start,
            block if block == start => 0,
            block => block,
        };
        let merged = (0..blocks.len()).map(|number| {
            let state = &self.states()[blocks.set(place(number))[0]];
            let to = |to: StateId| StateId(place(blocks.set_of[to.index()]) as u32);
            let edges = state.edges.iter().map(|(letter, target)| (letter.clone(), to(*target))).collect();
            DfaState { accepting: state.accepting, edges }
        });
        Dfa::trimmed(merged.collect())
    }
}

/// Numbers from 0 in disjoint sets, which can be split by marking some of them.
struct StatePartition {
    /// The members, those of a set side by side with the marked ones first.
    members: Vec<usize>,
    /// Where a number is among the members.
    place: Vec<usize>,
    set_of: Vec<usize>,
    /// Where a set begins and ends among the members.
    bounds: Vec<(usize, usize)>,
    /// How many of a set are marked.
    marked: Vec<usize>,
    touched: Vec<usize>,
}

impl StatePartition {
    /// All in one set.
    fn new(count: usize) -> StatePartition {
        StatePartition::in_runs(count, |_| true)
    }

    /// Sets of neighbours, as long as `same` says of a number that it belongs with the one before.
    fn in_runs(count: usize, same: impl Fn(usize) -> bool) -> StatePartition {
        let mut bounds: Vec<(usize, usize)> = Vec::new();
        let mut set_of = Vec::with_capacity(count);
        for number in 0..count {
            match bounds.last_mut() {
                Some(last) if same(number) => last.1 += 1,
                _ => bounds.push((number, number + 1)),
            }
            set_of.push(bounds.len() - 1);
        }
        let members: Vec<usize> = (0..count).collect();
        StatePartition {
            place: members.clone(),
            members,
            set_of,
            marked: vec![0; bounds.len()],
            bounds,
            touched: Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.bounds.len()
    }

    fn set(&self, set: usize) -> &[usize] {
        &self.members[self.bounds[set].0..self.bounds[set].1]
    }

    /// Marks a number that is not marked yet.
    fn mark(&mut self, number: usize) {
        let set = self.set_of[number];
        let (from, to) = (self.place[number], self.bounds[set].0 + self.marked[set]);
        self.members.swap(from, to);
        self.place[self.members[from]] = from;
        self.place[self.members[to]] = to;
        if self.marked[set] == 0 {
            self.touched.push(set);
        }
        self.marked[set] += 1;
    }

    /// Splits marked from unmarked; the smaller part becomes a new set. No number is marked then.
    fn split(&mut self) {
        while let Some(set) = self.touched.pop() {
            let (begin, end) = self.bounds[set];
            let middle = begin + std::mem::take(&mut self.marked[set]);
            if middle == end {
                continue;
            }
            let (new, rest) = if middle - begin <= end - middle {
                ((begin, middle), (middle, end))
            } else {
                ((middle, end), (begin, middle))
            };
            self.bounds[set] = rest;
            for at in new.0..new.1 {
                self.set_of[self.members[at]] = self.bounds.len();
            }
            self.bounds.push(new);
            self.marked.push(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::automata::samples::{expressions, matches, words};
    use crate::automata::{Dfa, Expression, Nfa};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

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
