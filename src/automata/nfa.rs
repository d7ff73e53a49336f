//! Nondeterministic automata, and how they become deterministic.

use super::{Dfa, DfaState, Expression, StateId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An automaton that may be in several states at once, with steps that read nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nfa<L> {
    states: Vec<NfaState<L>>,
    start: StateId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct NfaState<L> {
    accepting: bool,
    /// Where one gets without reading.
    silent: Vec<StateId>,
    edges: Vec<(L, StateId)>,
}

/// An automaton that would have more states than the limit it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the automaton would have more than {limit} states")]
pub struct TooLarge {
    /// The limit.
    pub limit: usize,
}

impl<L: Clone + Ord> Nfa<L> {
    /// The automaton of an expression (Thompson's construction), or an error if it needs more than `limit` states.
    pub fn from_expression(expression: &Expression<L>, limit: usize) -> Result<Nfa<L>, TooLarge> {
        let mut nfa = Nfa { states: Vec::new(), start: StateId(0) };
        let start = nfa.add();
        let end = nfa.build(expression, start, limit)?;
        nfa.states[end.index()].accepting = true;
        Ok(nfa)
    }

    fn add(&mut self) -> StateId {
        self.states.push(NfaState { accepting: false, silent: Vec::new(), edges: Vec::new() });
        StateId(self.states.len() as u32 - 1)
    }

    /// Adds states that read the expression from `from` on, and returns the one where it has been read.
    fn build(&mut self, expression: &Expression<L>, from: StateId, limit: usize) -> Result<StateId, TooLarge> {
        if self.states.len() > limit {
            return Err(TooLarge { limit });
        }
        match expression {
            Expression::Letter(letter) => {
                let to = self.add();
                self.states[from.index()].edges.push((letter.clone(), to));
                Ok(to)
            }
            Expression::Sequence(parts) => parts.iter().try_fold(from, |at, part| self.build(part, at, limit)),
            Expression::Choice(parts) => {
                let end = self.add();
                for part in parts {
                    let begin = self.silent_from(from);
                    let to = self.build(part, begin, limit)?;
                    self.states[to.index()].silent.push(end);
                }
                Ok(end)
            }
            Expression::Repeat { of, least, most } => {
                let mut at = from;
                for _ in 0..*least {
                    at = self.build(of, at, limit)?;
                }
                match most {
                    // The loop gets states of its own, so that it cannot be entered from what stands before it.
                    None => {
                        let hub = self.silent_from(at);
                        let back = self.build(of, hub, limit)?;
                        self.states[back.index()].silent.push(hub);
                        Ok(self.silent_from(hub))
                    }
                    Some(most) => {
                        let end = self.add();
                        for _ in *least..*most {
                            self.states[at.index()].silent.push(end);
                            at = self.build(of, at, limit)?;
                        }
                        self.states[at.index()].silent.push(end);
                        Ok(end)
                    }
                }
            }
        }
    }

    fn silent_from(&mut self, from: StateId) -> StateId {
        let to = self.add();
        self.states[from.index()].silent.push(to);
        to
    }

    /// The deterministic automaton with the same words (subset construction), or an error if it needs more than
    /// `limit` states.
    pub fn determinise(&self, limit: usize) -> Result<Dfa<L>, TooLarge> {
        let start = self.closure([self.start]);
        let mut numbers = HashMap::from([(start.clone(), StateId(0))]);
        let mut sets = vec![start];
        let mut states = Vec::new();
        while states.len() < sets.len() {
            let set = &sets[states.len()];
            let accepting = set.iter().any(|s| self.states[s.index()].accepting);
            let mut targets: BTreeMap<&L, BTreeSet<StateId>> = BTreeMap::new();
            for (letter, to) in set.iter().flat_map(|s| &self.states[s.index()].edges) {
                targets.entry(letter).or_default().insert(*to);
            }
            let mut edges = Vec::with_capacity(targets.len());
            for (letter, to) in targets {
                let to = self.closure(to);
                let next = StateId(sets.len() as u32);
                let number = *numbers.entry(to.clone()).or_insert(next);
                if number == next {
                    sets.push(to);
                }
                edges.push((letter.clone(), number));
            }
            states.push(DfaState { accepting, edges });
            if sets.len() > limit {
                return Err(TooLarge { limit });
            }
        }
        Ok(Dfa::trimmed(states))
    }

    /// All that can be reached without reading, sorted.
    fn closure(&self, from: impl IntoIterator<Item = StateId>) -> Vec<StateId> {
        let mut reached: BTreeSet<StateId> = from.into_iter().collect();
        let mut open: Vec<StateId> = reached.iter().copied().collect();
        while let Some(state) = open.pop() {
            open.extend(self.states[state.index()].silent.iter().filter(|&&to| reached.insert(to)));
        }
        reached.into_iter().collect()
    }

    /// Whether the automaton accepts a word.
    pub fn accepts<'a>(&self, word: impl IntoIterator<Item = &'a L>) -> bool
    where
        L: 'a,
    {
        let step = |states: Vec<StateId>, letter: &L| {
            let edges = states.iter().flat_map(|s| &self.states[s.index()].edges);
            self.closure(edges.filter(|edge| edge.0 == *letter).map(|edge| edge.1).collect::<Vec<_>>())
        };
        let end = word.into_iter().fold(self.closure([self.start]), step);
        end.iter().any(|s| self.states[s.index()].accepting)
    }
}
