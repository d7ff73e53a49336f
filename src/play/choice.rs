//! What an agent chose, and what it knows about it.

use crate::game::Truncation;

/// A move for one role, with a small report.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<M> {
    /// The move.
    pub pick: M,
    /// The goal that the agent expects with it, from 0 to 100, if it has an opinion.
    pub value: Option<f64>,
    /// States that were looked at.
    pub nodes: u64,
    /// How many joint moves ahead the search was finished; 0 where there is no such depth.
    pub depth: u16,
    /// Random playouts that were made.
    pub playouts: u64,
    /// Whether the value is certain: the role can get it whatever the others do, and no more if they all play against it.
    pub proved: bool,
    /// Why a state that was looked at could not be worked out, if there was one: then the choice rests on less than all of
    /// the game.
    pub truncated: Option<Truncation>,
}

impl<M> Choice<M> {
    /// A move chosen without looking further.
    pub fn unexamined(pick: M) -> Choice<M> {
        Choice { pick, value: None, nodes: 0, depth: 0, playouts: 0, proved: false, truncated: None }
    }
}
