//! Movements without the words that turn back at once.

use super::{Landing, Symbol};
use crate::automata::{Dfa, DfaState, StateId};
use rustc_hash::FxHashMap;

/// The smallest automaton with all words of this one in which no step is directly followed by its opposite.
///
/// A word comes to no square twice unless it has taken or put down a piece in between, so going straight back after a
/// step that took nothing is never a move, and this automaton generates the same moves. Automata with other such words
/// may still differ where no move shows it; those of one step there and back are by far the most frequent, since
/// without them opposite directions cannot share a state.
pub fn without_backtracking(automaton: &Dfa<Symbol>) -> Dfa<Symbol> {
    no_backtrack(automaton).minimise()
}

/// The same, perhaps with more states than needed.
pub(super) fn no_backtrack(automaton: &Dfa<Symbol>) -> Dfa<Symbol> {
    type StateAndStep = (StateId, Option<(i8, i8)>);
    let start: StateAndStep = (StateId(0), None);
    let mut numbers = FxHashMap::from_iter([(start, StateId(0))]);
    let mut places = vec![start];
    let mut states = Vec::new();
    while states.len() < places.len() {
        let (at, last) = places[states.len()];
        let state = &automaton.states()[at.index()];
        let mut edges = Vec::with_capacity(state.edges.len());
        for &(symbol, to) in &state.edges {
            let last = match symbol {
                Symbol::Step { dx, dy, .. } if last == Some((-dx, -dy)) => continue,
                Symbol::Step { dx, dy, landing: Landing::On(_) } => Some((dx, dy)),
                Symbol::Step { landing: Landing::Take(_), .. } | Symbol::Put(_) | Symbol::Vanish => None,
                // A guard looks, but the cursor stays where it is.
                Symbol::Zone { .. } | Symbol::Look { .. } => last,
            };
            let number = *numbers.entry((to, last)).or_insert_with(|| {
                places.push((to, last));
                StateId(places.len() as u32 - 1)
            });
            edges.push((symbol, number));
        }
        states.push(DfaState { accepting: state.accepting, edges });
    }
    Dfa::trimmed(states)
}
