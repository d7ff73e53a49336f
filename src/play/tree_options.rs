//! What the trees of MCTS may know and hold.

use super::{AgentSpec, Evaluation, Policy};
use crate::game::Game;
use std::sync::Arc;

/// What a tree knows besides the rules, and how large it may become.
pub struct TreeOptions<G: Game> {
    /// What new nodes are worth, besides what a playout says.
    pub evaluation: Option<LeafEvaluation<G>>,
    /// Which moves are promising, for every role.
    pub policy: Option<Arc<dyn Policy<G>>>,
    /// About how many moves the tree may hold, a node counting as four. It is never less than a few times what the root takes.
    pub room: usize,
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
        TreeOptions { evaluation: None, policy: None, room: AgentSpec::ROOM as usize }
    }
}

impl<G: Game> Clone for TreeOptions<G> {
    fn clone(&self) -> TreeOptions<G> {
        TreeOptions { evaluation: self.evaluation.clone(), policy: self.policy.clone(), room: self.room }
    }
}

impl<G: Game> Clone for LeafEvaluation<G> {
    fn clone(&self) -> LeafEvaluation<G> {
        LeafEvaluation { evaluation: Arc::clone(&self.evaluation), share: self.share }
    }
}
