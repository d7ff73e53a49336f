//! "What was taken is put down again", as in swaps and pushes: one letter for the learner, one alternative a kind in rules.
//!
//! A word that takes a piece and later puts down one of the same name is read with the letter [`Cell::TAKEN_OWN`] or
//! [`Cell::TAKEN_ENEMY`] in place of the name, so that what was seen of one kind holds for all. Rules name every kind.

use crate::automata::{Dfa, DfaState, StateId};
use crate::board::{Cell, Player};
use crate::rules::{Landing, Symbol, Taken};
use std::collections::BTreeMap;

/// An automaton with the names of pieces in place of "what was taken", as its player sees the board. `kinds` are the pieces
/// that there are.
pub(super) fn with_names(dfa: &Dfa<Symbol>, kinds: &[Cell]) -> Dfa<Symbol> {
    let puts_taken = |symbol: &Symbol| matches!(symbol, Symbol::Put(Cell::TAKEN_OWN | Cell::TAKEN_ENEMY));
    if !dfa.states().iter().flat_map(|state| &state.edges).any(|edge| puts_taken(&edge.0)) {
        return dfa.clone();
    }
    let mut naming = Naming { dfa, kinds, numbers: BTreeMap::new(), open: Vec::new() };
    naming.number((StateId(0), None));
    let mut states = Vec::new();
    while let Some(&at) = naming.open.get(states.len()) {
        states.push(naming.state(at));
    }
    Dfa::trimmed(states).minimise()
}

/// A state, and the piece that was taken last if it will be put down again.
type NamedState = (StateId, Option<Cell>);

struct Naming<'a> {
    dfa: &'a Dfa<Symbol>,
    kinds: &'a [Cell],
    numbers: BTreeMap<NamedState, StateId>,
    open: Vec<NamedState>,
}

impl Naming<'_> {
    fn number(&mut self, at: NamedState) -> StateId {
        let next = StateId(self.open.len() as u32);
        let number = *self.numbers.entry(at).or_insert(next);
        if number == next {
            self.open.push(at);
        }
        number
    }

    fn state(&mut self, (state, taken): NamedState) -> DfaState<Symbol> {
        let dfa = self.dfa;
        let mut edges = Vec::new();
        for &(symbol, to) in &dfa.states()[state.index()].edges {
            match symbol {
                Symbol::Step { dx, dy, landing: Landing::Take(whose @ (Taken::Own | Taken::Enemy)) }
                    if taken.is_none() =>
                {
                    edges.push((symbol, self.number((to, None))));
                    let owner = if whose == Taken::Own { Player::First } else { Player::Second };
                    for &kind in self.kinds.iter().filter(|kind| kind.owner() == Some(owner)) {
                        let landing = Landing::Take(Taken::The(kind));
                        edges.push((Symbol::Step { dx, dy, landing }, self.number((to, Some(kind)))));
                    }
                }
                // What was taken before it is taken again is not put down.
                Symbol::Step { landing: Landing::Take(_), .. } if taken.is_some() => {}
                Symbol::Put(Cell::TAKEN_OWN | Cell::TAKEN_ENEMY) => {
                    let owner = if symbol == Symbol::Put(Cell::TAKEN_OWN) { Player::First } else { Player::Second };
                    if let Some(kind) = taken.filter(|kind| kind.owner() == Some(owner)) {
                        edges.push((Symbol::Put(kind), self.number((to, None))));
                    }
                }
                _ => edges.push((symbol, self.number((to, taken)))),
            }
        }
        edges.sort_unstable();
        // A word that ends before the piece is put down needs no name.
        DfaState { accepting: taken.is_none() && dfa.states()[state.index()].accepting, edges }
    }
}
