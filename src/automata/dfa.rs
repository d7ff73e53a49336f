//! Deterministic automata.

use super::StateId;

/// A deterministic automaton; its start state is number 0, and its states are numbered in the order in which a
/// breadth-first walk over sorted letters meets them. So two minimal automata with the same words are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dfa<L> {
    states: Vec<DfaState<L>>,
}

/// What a state accepts and where it leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DfaState<L> {
    /// Whether a word may end here.
    pub accepting: bool,
    /// Sorted by letter, at most one edge a letter.
    pub edges: Vec<(L, StateId)>,
}

impl<L: Clone + Ord> Dfa<L> {
    /// The automaton of these states without those that cannot be reached or lead nowhere. The first is the start.
    pub(super) fn trimmed(states: Vec<DfaState<L>>) -> Dfa<L> {
        let useful = leading_somewhere(&states);
        let mut order = vec![StateId(0)];
        let mut number = vec![None; states.len()];
        number[0] = Some(StateId(0));
        let mut kept = Vec::new();
        while kept.len() < order.len() {
            let state = &states[order[kept.len()].index()];
            let mut edges = Vec::new();
            for (letter, to) in state.edges.iter().filter(|edge| useful[edge.1.index()]) {
                let target = *number[to.index()].get_or_insert_with(|| {
                    order.push(*to);
                    StateId(order.len() as u32 - 1)
                });
                edges.push((letter.clone(), target));
            }
            kept.push(DfaState { accepting: state.accepting, edges });
        }
        Dfa { states: kept }
    }

    /// The states by number; there is always at least the start.
    pub fn states(&self) -> &[DfaState<L>] {
        &self.states
    }

    /// The state after reading a letter in a state.
    pub fn next(&self, state: StateId, letter: &L) -> Option<StateId> {
        let edges = &self.states[state.index()].edges;
        edges.binary_search_by(|edge| edge.0.cmp(letter)).ok().map(|at| edges[at].1)
    }

    /// Whether the automaton accepts a word.
    pub fn accepts<'a>(&self, word: impl IntoIterator<Item = &'a L>) -> bool
    where
        L: 'a,
    {
        let end = word.into_iter().try_fold(StateId(0), |state, letter| self.next(state, letter));
        end.is_some_and(|state| self.states[state.index()].accepting)
    }
}

/// For each state, whether an accepting state can be reached from it.
fn leading_somewhere<L>(states: &[DfaState<L>]) -> Vec<bool> {
    let mut sources = vec![Vec::new(); states.len()];
    for (from, state) in states.iter().enumerate() {
        state.edges.iter().for_each(|edge| sources[edge.1.index()].push(from));
    }
    let mut useful: Vec<bool> = states.iter().map(|state| state.accepting).collect();
    let mut open: Vec<usize> = (0..states.len()).filter(|&s| useful[s]).collect();
    while let Some(state) = open.pop() {
        for &from in &sources[state] {
            if !useful[from] {
                useful[from] = true;
                open.push(from);
            }
        }
    }
    useful
}
