//! From automata back to regular expressions, by state elimination.

use super::simplify::{Letters, Plain, Simplifier};
use super::{Dfa, Expression, Nfa};
use std::collections::{BTreeMap, BTreeSet};

impl<L: Clone + Ord> Dfa<L> {
    /// An expression with the same words, as short as a few tries make it. It may be very much larger than the
    /// automaton; where automata come from outside, ask for [`Dfa::expression_within`] a size.
    pub fn expression(&self) -> Expression<L> {
        self.expression_within(usize::MAX).expect("no expression is larger than that")
    }

    /// An expression with the same words, unless more than so many letters have to be handled on the way to it.
    pub fn expression_within(&self, letters: usize) -> Option<Expression<L>> {
        let simplifier = Simplifier(Plain::new());
        let nfa = Nfa::from_states(self.states().iter().cloned());
        let orders = if self.states().len() > FEW { &Order::ALL[..1] } else { &Order::ALL[..] };
        let tries = orders.iter().filter_map(|&order| {
            express(&nfa, &simplifier, &mut |letter| letter.clone(), order, letters.saturating_mul(2))
        });
        tries.min_by_key(|expression| simplifier.size(expression))
    }
}

/// Automata with more states are only tried in the order that is best as a rule.
const FEW: usize = 50;

/// Which states are eliminated first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Those that make what is left grow least.
    Lightest,
    /// Those farthest from the start.
    Last,
    /// Those nearest to the start.
    First,
}

impl Order {
    /// Every order, the best as a rule first.
    pub const ALL: [Order; 3] = [Order::Lightest, Order::Last, Order::First];
}

/// The expression of an automaton by elimination: one state after another is taken out, and every way through it becomes
/// an edge with an expression on it. None if the edges together get larger than the limit.
pub(crate) fn express<L: Clone + Ord, K: Letters>(
    nfa: &Nfa<L>,
    simplifier: &Simplifier<K>,
    letter: &mut impl FnMut(&L) -> K::Letter,
    order: Order,
    limit: usize,
) -> Option<Expression<K::Letter>> {
    let count = nfa.states.len();
    let (start, end) = (count, count + 1);
    let mut graph = Graph { out: vec![BTreeMap::new(); count + 2], into: vec![BTreeSet::new(); count + 2], size: 0 };
    graph.add(simplifier, start, nfa.start.index(), Expression::sequence([]));
    for (from, state) in nfa.states.iter().enumerate() {
        let mut edges: BTreeMap<usize, Vec<Expression<K::Letter>>> = BTreeMap::new();
        for (symbol, to) in &state.edges {
            edges.entry(to.index()).or_default().push(Expression::Letter(letter(symbol)));
        }
        for (to, letters) in edges {
            graph.add(simplifier, from, to, simplifier.choice(letters));
        }
        for to in &state.silent {
            graph.add(simplifier, from, to.index(), Expression::sequence([]));
        }
        if state.accepting {
            graph.add(simplifier, from, end, Expression::sequence([]));
        }
    }
    let mut left: Vec<usize> = (0..count).collect();
    while !left.is_empty() {
        let at = match order {
            Order::Lightest => (0..left.len()).min_by_key(|&at| graph.weight(left[at])).unwrap_or(0),
            Order::Last => left.len() - 1,
            Order::First => 0,
        };
        graph.eliminate(simplifier, left.remove(at));
        if graph.size > limit {
            return None;
        }
    }
    Some(graph.out[start].remove(&end).map_or_else(|| Expression::choice([]), |edge| edge.0))
}

/// An automaton with expressions on its edges, and their sizes.
struct Graph<L> {
    out: Vec<BTreeMap<usize, (Expression<L>, usize)>>,
    into: Vec<BTreeSet<usize>>,
    /// Of all edges.
    size: usize,
}

impl<L: Clone + Ord> Graph<L> {
    fn add<K: Letters<Letter = L>>(
        &mut self,
        simplifier: &Simplifier<K>,
        from: usize,
        to: usize,
        expression: Expression<L>,
    ) {
        let new = match self.remove(from, to) {
            Some(old) => simplifier.choice([old, expression]),
            None => expression,
        };
        let size = simplifier.size(&new);
        self.size += size;
        self.out[from].insert(to, (new, size));
        self.into[to].insert(from);
    }

    fn remove(&mut self, from: usize, to: usize) -> Option<Expression<L>> {
        let (expression, size) = self.out[from].remove(&to)?;
        self.into[to].remove(&from);
        self.size -= size;
        Some(expression)
    }

    /// By how much the edges grow if a state is eliminated and nothing is simplified.
    fn weight(&self, state: usize) -> usize {
        let own = self.out[state].get(&state).map_or(0, |edge| edge.1 + 1);
        let others = |from: &&usize| **from != state;
        let into: Vec<usize> = self.into[state].iter().filter(others).map(|&from| self.out[from][&state].1).collect();
        let out: Vec<usize> = self.out[state].iter().filter(|edge| *edge.0 != state).map(|edge| edge.1.1).collect();
        into.iter().sum::<usize>() * out.len().saturating_sub(1)
            + out.iter().sum::<usize>() * into.len().saturating_sub(1)
            + own * (into.len() * out.len()).saturating_sub(1)
    }

    fn eliminate<K: Letters<Letter = L>>(&mut self, simplifier: &Simplifier<K>, state: usize) {
        let own = self.remove(state, state).map(|of| simplifier.repeat(of, 0, None));
        let sources: Vec<usize> = self.into[state].iter().copied().collect();
        let targets: Vec<usize> = self.out[state].keys().copied().collect();
        let into: Vec<_> = sources.iter().filter_map(|&from| Some((from, self.remove(from, state)?))).collect();
        let out: Vec<_> = targets.iter().filter_map(|&to| Some((to, self.remove(state, to)?))).collect();
        for (from, before) in into {
            let before = simplifier.sequence([before].into_iter().chain(own.clone()));
            for (to, after) in &out {
                let through = simplifier.sequence([before.clone(), after.clone()]);
                self.add(simplifier, from, *to, through);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::automata::Expression;
    use crate::automata::samples::{automata, expressions, minimal};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn there_and_back_again(expression in expressions()) {
            let dfa = minimal(&expression);
            let once = dfa.expression();
            prop_assert_eq!(&minimal(&once), &dfa, "{}", once);
            prop_assert_eq!(minimal(&once).expression(), once);
        }

        #[test]
        fn automata_need_not_be_the_smallest(dfa in automata()) {
            prop_assert_eq!(minimal(&dfa.expression()), dfa.minimise());
        }
    }

    #[test]
    fn a_size_is_not_exceeded() {
        let dense = Expression::choice(['a', 'b', 'c'].map(Expression::Letter));
        let dfa = minimal(&dense.repeat(20, Some(31)));
        assert!(dfa.expression_within(10).is_none());
        assert!(dfa.expression_within(1000).is_some());
    }
}
