//! MCTS as an agent: it grows a tree for every move (`tree.rs`).

use super::{Agent, Choice, Tree, TreeOptions};
use crate::game::{Chance, Game, Role};
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
