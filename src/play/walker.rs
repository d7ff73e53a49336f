//! Room for walks down a tree, which is used again for the next one.

use super::playout_policy::{Played, PlayoutRoom};
use super::tree_node::Picks;
use crate::game::{Game, Playouts};
use smallvec::SmallVec;
use std::ops::Deref;

/// Room for a walk down the tree.
pub(super) struct Walker<G: Game, R: Deref<Target = G>> {
    pub state: G::State,
    pub path: Vec<(u32, Picks)>,
    pub joint: Vec<G::Move>,
    pub playouts: Playouts<G, R>,
    /// For playouts of which every move is noted.
    pub noted: PlayoutRoom<G>,
    /// What was played, in the tree and after it, where that is noted.
    pub played: Played,
    /// By slot of a move: the last walk in which it was played so far.
    pub stamps: Vec<u32>,
    pub stamp: u32,
    /// What the walk has brought to each role, from 0 to 1.
    pub values: SmallVec<[f64; 4]>,
    /// How many walks in a row have led to states beyond the engine's limits.
    pub truncations: u32,
}

impl<G: Game, R: Deref<Target = G> + Clone> Walker<G, R> {
    pub fn new(game: R, root: &G::State) -> Walker<G, R> {
        Walker {
            state: root.clone(),
            path: Vec::new(),
            joint: Vec::new(),
            playouts: Playouts::new(game),
            noted: PlayoutRoom::new(root.clone()),
            played: Played::default(),
            stamps: Vec::new(),
            stamp: 0,
            values: SmallVec::new(),
            truncations: 0,
        }
    }
}
