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
    pub(crate) fn trimmed(states: Vec<DfaState<L>>) -> Dfa<L> {
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

    /// The automaton that starts in another of its states.
    pub fn from(&self, start: StateId) -> Dfa<L> {
        let swapped = |state: StateId| match state {
            StateId(0) => start,
            state if state == start => StateId(0),
            other => other,
        };
        let mut states: Vec<DfaState<L>> = self.states.clone();
        states.swap(0, start.index());
        states.iter_mut().flat_map(|state| &mut state.edges).for_each(|edge| edge.1 = swapped(edge.1));
        Dfa::trimmed(states)
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
    let mut sources = Incoming::new(states.len(), states.iter().flat_map(|s| &s.edges).map(|edge| edge.1.index()));
    for (from, state) in states.iter().enumerate() {
        state.edges.iter().for_each(|edge| sources.add(edge.1.index(), from));
    }
    let mut useful: Vec<bool> = states.iter().map(|state| state.accepting).collect();
    let mut open: Vec<usize> = (0..states.len()).filter(|&s| useful[s]).collect();
    while let Some(state) = open.pop() {
        for &from in sources.of(state) {
            if !useful[from] {
                useful[from] = true;
                open.push(from);
            }
        }
    }
    useful
}

/// What comes into each state, in one piece of memory: learners trim and minimise thousands of automata.
pub(super) struct Incoming {
    /// Where a state's part ends; while it is being filled, where it is filled up to.
    ends: Vec<usize>,
    items: Vec<usize>,
}

impl Incoming {
    /// With room for as many items as there are targets; all of them must be added before any is asked for.
    pub fn new(states: usize, targets: impl Iterator<Item = usize> + Clone) -> Incoming {
        let mut counts = vec![0; states];
        targets.for_each(|to| counts[to] += 1);
        let mut begin = 0;
        for count in &mut counts {
            begin += std::mem::replace(count, begin);
        }
        Incoming { ends: counts, items: vec![0; begin] }
    }

    pub fn add(&mut self, to: usize, item: usize) {
        self.items[self.ends[to]] = item;
        self.ends[to] += 1;
    }

    pub fn of(&self, state: usize) -> &[usize] {
        let begin = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.items[begin..self.ends[state]]
    }
}
