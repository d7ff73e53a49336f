//! Finite automata over any letters: expressions, NFA, DFA, determinise, minimise, and back to expressions.
//!
//! In comes an [`Expression`] such as `a* (a | b)`; [`Nfa::from_expression`] makes an automaton of it that
//! [`Nfa::determinise`] and [`Dfa::minimise`] turn into the smallest deterministic one. [`Dfa::expression`] leads back, and
//! [`Dfa::prefix_tree`] and [`Dfa::collapse`] are for learners. Read [`Dfa`] first.
//!
//! Automata are partial: where a letter has no edge, the word is refused. States that lead to no accepting state are
//! never kept.

mod dfa;
mod equivalence;
pub(crate) mod express;
mod expression;
mod hubs;
mod minimise;
mod nfa;
mod prefix_tree;
#[cfg(test)]
mod samples;
pub(crate) mod simplify;

pub use dfa::{Dfa, DfaState};
pub use expression::Expression;
pub use nfa::{Nfa, TooManyStates};

/// A state of an automaton, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
