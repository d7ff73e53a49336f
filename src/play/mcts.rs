//! MCTS as an agent: it grows a tree for every move (`tree.rs`), with what its trees may know and hold.

use super::{Agent, AgentSpec, Choice, Evaluation, Policy, Tree};
use crate::game::{Chance, Game, Role};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An agent that grows a [`Tree`] for every move.
pub struct Mcts<G: Game> {
    /// How many playouts it grows by.
    pub playouts: u32,
    /// How it is grown.
    pub options: TreeOptions<G>,
}

impl<G: Game> Mcts<G> {
    /// So many random playouts and nothing else.
    pub fn new(playouts: u32) -> Mcts<G> {
        Mcts { playouts, options: TreeOptions::default() }
    }
}

impl<G: Game> Agent<G> for Mcts<G> {
    fn choose_among(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        mut moves: Vec<G::Move>,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Choice<G::Move> {
        let mut tree = Tree::with_options(game, state.clone(), role, self.options.clone());
        tree.grow(u64::from(self.playouts), chance, stop);
        tree.choice(chance).unwrap_or_else(|| Choice::unexamined(moves.swap_remove(0)))
    }
}

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
