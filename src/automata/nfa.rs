//! Nondeterministic automata: Thompson's construction from an expression, and the subset construction to a DFA.

use super::{Dfa, DfaState, Expression, StateId};
use rustc_hash::FxHashMap;

/// An automaton that may be in several states at once, with steps that read nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nfa<L> {
    pub(super) states: Vec<NfaState<L>>,
    pub(super) start: StateId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NfaState<L> {
    pub accepting: bool,
    /// Where one gets without reading.
    pub silent: Vec<StateId>,
    pub edges: Vec<(L, StateId)>,
}

/// An automaton that would have more states than the limit it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the automaton would have more than {limit} states")]
pub struct TooManyStates {
    /// The limit.
    pub limit: usize,
}

impl<L: Clone + Ord> Nfa<L> {
    /// The automaton of an expression (Thompson's construction), or an error if it needs more than `limit` states.
    ///
    /// # Errors
    ///
    /// [`TooManyStates`] if it needs more than `limit` states.
    pub fn from_expression(expression: &Expression<L>, limit: usize) -> Result<Nfa<L>, TooManyStates> {
        let mut nfa = Nfa { states: Vec::new(), start: StateId(0) };
        let start = nfa.add();
        let end = nfa.build(expression, start, limit)?;
        nfa.states[end.index()].accepting = true;
        Ok(nfa)
    }

    /// The automaton of these states, of which the first is the start.
    pub(crate) fn from_states(states: impl Iterator<Item = DfaState<L>>) -> Nfa<L> {
        let plain =
            |state: DfaState<L>| NfaState { accepting: state.accepting, silent: Vec::new(), edges: state.edges };
        Nfa { states: states.map(plain).collect(), start: StateId(0) }
    }

    fn add(&mut self) -> StateId {
        self.states.push(NfaState { accepting: false, silent: Vec::new(), edges: Vec::new() });
        StateId(self.states.len() as u32 - 1)
    }

    /// Adds states that read the expression from `from` on, and returns the one where it has been read.
    fn build(&mut self, expression: &Expression<L>, from: StateId, limit: usize) -> Result<StateId, TooManyStates> {
        if self.states.len() > limit {
            return Err(TooManyStates { limit });
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
    ///
    /// # Errors
    ///
    /// [`TooManyStates`] if it needs more than `limit` states.
    pub fn determinise(&self, limit: usize) -> Result<Dfa<L>, TooManyStates> {
        let mut reached = vec![false; self.states.len()];
        let mut start = vec![self.start];
        self.close(&mut start, &mut reached);
        let mut numbers = FxHashMap::default();
        numbers.insert(start.clone(), StateId(0));
        let mut sets = vec![start];
        let mut states = Vec::new();
        let mut targets: Vec<(&L, StateId)> = Vec::new();
        let mut next = Vec::new();
        while states.len() < sets.len() {
            let set = &sets[states.len()];
            let accepting = set.iter().any(|s| self.states[s.index()].accepting);
            targets.clear();
            targets.extend(set.iter().flat_map(|s| &self.states[s.index()].edges).map(|(letter, to)| (letter, *to)));
            // Mostly the edges of a few states one after another, each sorted: a stable sort makes use of that.
            targets.sort();
            let mut edges = Vec::with_capacity(targets.len());
            for same in targets.chunk_by(|a, b| a.0 == b.0) {
                next.clear();
                next.extend(same.iter().map(|target| target.1));
                self.close(&mut next, &mut reached);
                let number = match numbers.get(&next) {
                    Some(&number) => number,
                    None => {
                        let number = StateId(sets.len() as u32);
                        numbers.insert(next.clone(), number);
                        sets.push(next.clone());
                        number
                    }
                };
                edges.push((same[0].0.clone(), number));
            }
            states.push(DfaState { accepting, edges });
            if sets.len() > limit {
                return Err(TooManyStates { limit });
            }
        }
        Ok(Dfa::trimmed(states))
    }

    /// Adds all that can be reached without reading; sorted, each once. `reached` is all false before and after.
    fn close(&self, set: &mut Vec<StateId>, reached: &mut [bool]) {
        set.retain(|state| !std::mem::replace(&mut reached[state.index()], true));
        let mut next = 0;
        while next < set.len() {
            for &to in &self.states[set[next].index()].silent {
                if !std::mem::replace(&mut reached[to.index()], true) {
                    set.push(to);
                }
            }
            next += 1;
        }
        set.iter().for_each(|state| reached[state.index()] = false);
        set.sort_unstable();
    }

    /// Whether the automaton accepts a word.
    pub fn accepts<'a>(&self, word: impl IntoIterator<Item = &'a L>) -> bool
    where
        L: 'a,
    {
        let mut reached = vec![false; self.states.len()];
        let mut closed = |mut set: Vec<StateId>| {
            self.close(&mut set, &mut reached);
            set
        };
        let mut end = closed(vec![self.start]);
        for letter in word {
            let edges = end.iter().flat_map(|s| &self.states[s.index()].edges);
            end = closed(edges.filter(|edge| edge.0 == *letter).map(|edge| edge.1).collect());
        }
        end.iter().any(|s| self.states[s.index()].accepting)
    }
}
