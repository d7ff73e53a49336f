//! How a tree is grown: what it knows, and how much room it has.

use super::{AgentSpec, Evaluation, PlayoutMoves, Policy};
use crate::game::Game;
use std::sync::Arc;

/// What a tree knows besides the rules, how it learns while it grows, and how large it may become.
pub struct TreeOptions<G: Game> {
    /// What new nodes are worth, besides what a playout says.
    pub evaluation: Option<LeafEvaluation<G>>,
    /// Which moves are promising, for every role.
    pub policy: Option<Arc<dyn Policy<G>>>,
    /// About how many moves the tree may hold, a node counting as four. It is never less than a few times what the root takes.
    pub room: usize,
    /// Whether equal states share a node, however they are reached.
    pub transpositions: bool,
    /// How moves are drawn in playouts.
    pub playouts: PlayoutMoves,
    /// Where playouts learn: in so many of a hundred cases any move is played instead of the best.
    pub epsilon: u8,
    /// Moves that were played later on count for those of a node too, as much as its own visits after about a third as many of those (RAVE).
    pub rave: Option<u32>,
    /// Where there is an evaluation: playouts are cut off after so many joint moves, and what it says about the state reached is their result.
    pub cutoff: Option<u32>,
    /// Where there is an evaluation: how much of a move's promise is what the evaluation says if both sides play by it (implicit minimax), in
    /// percent. It is for two roles who move in turn, and what is good for one is bad for the other.
    pub minimax: u8,
}

/// An evaluation, and how much it counts.
pub struct LeafEvaluation<G: Game> {
    /// The evaluation.
    pub evaluation: Arc<dyn Evaluation<G>>,
    /// How much of a new node's worth it makes out, in percent; with 100 or more there are no playouts.
    pub share: u8,
}

impl<G: Game> Default for TreeOptions<G> {
    fn default() -> TreeOptions<G> {
        TreeOptions {
            evaluation: None,
            policy: None,
            room: AgentSpec::ROOM as usize,
            transpositions: false,
            playouts: PlayoutMoves::Uniform,
            epsilon: AgentSpec::EPSILON,
            rave: None,
            cutoff: None,
            minimax: 0,
        }
    }
}

impl<G: Game> Clone for TreeOptions<G> {
    fn clone(&self) -> TreeOptions<G> {
        TreeOptions { evaluation: self.evaluation.clone(), policy: self.policy.clone(), ..*self }
    }
}

impl<G: Game> Clone for LeafEvaluation<G> {
    fn clone(&self) -> LeafEvaluation<G> {
        LeafEvaluation { evaluation: Arc::clone(&self.evaluation), share: self.share }
    }
}
