//! The nodes of a search tree: states by what is known about their moves, not by themselves.

use crate::game::{Goals, Role, Roles};
use smallvec::SmallVec;

/// A node without moves takes as much room as this many.
const ROOM: usize = 4;
/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// Which of its moves each place plays.
pub(super) type Picks = SmallVec<[u32; 4]>;

pub(super) struct TreeNode<M> {
    pub roles: Roles,
    /// The moves of each role to move.
    pub places: SmallVec<[Vec<Child<M>>; 1]>,
    /// The policy's shares of them, if there is one.
    pub shares: SmallVec<[Vec<f32>; 1]>,
    pub visits: u32,
    /// How many walks have come through it or ended there, and what they have brought to each role, where nodes are shared.
    pub walks: u32,
    pub totals: SmallVec<[f64; 2]>,
    /// What tells its state from others, where nodes are shared; 0 otherwise.
    pub key: u128,
    /// How many moves lead to a certain result, where one role moves.
    pub proved: usize,
    pub proof: Option<Proof>,
}

/// A move and what it has brought to the role that plays it.
pub(super) struct Child<M> {
    pub choice: M,
    pub visits: u32,
    pub total: f64,
    /// The node that it leads to, where one role moves and there is one.
    pub node: u32,
    /// Its place in the statistics of moves, if there are any.
    pub slot: u32,
    /// How often the role has played it later on in walks through this node, and what those walks have brought (RAVE).
    pub later: (u32, f32),
    /// What the evaluation makes of it for the role, from 0 to 1, if both sides play by it as far as the tree goes (implicit minimax).
    pub guess: f32,
    /// Whether it is certain that the role gets nothing with it.
    pub lost: bool,
    /// What is certain about it, where one role moves.
    pub proof: Option<Box<Proof>>,
}

/// A result that is certain if everyone looks after their own goal.
#[derive(Clone)]
pub(super) struct Proof {
    pub goals: Goals,
    /// Joint moves to the end.
    pub plies: u32,
    /// Whether it is also certain if all the others only play against the searching role.
    pub sound: bool,
}

impl<M> TreeNode<M> {
    /// How much room it takes.
    pub fn room(&self) -> usize {
        ROOM + self.places.iter().map(Vec::len).sum::<usize>()
    }

    /// Whether the game is not over there, but the moves are not known.
    pub fn is_truncated(&self) -> bool {
        self.places.iter().any(Vec::is_empty)
    }

    /// What is certain about one of the moves, where one role moves.
    pub fn proof_of(&self, pick: usize) -> Option<&Proof> {
        if self.places.len() == 1 { self.places[0].get(pick)?.proof.as_deref() } else { None }
    }

    /// What is certain about the moves, where one role moves.
    pub fn proofs(&self) -> impl Iterator<Item = &Proof> {
        (0..self.places.first().map_or(0, Vec::len)).filter_map(|pick| self.proof_of(pick))
    }
}

impl<M> Child<M> {
    /// A move that was not tried yet.
    pub fn untried(choice: M, slot: u32) -> Child<M> {
        Child { choice, visits: 0, total: 0.0, node: NONE, slot, later: (0, 0.0), guess: 0.5, lost: false, proof: None }
    }
}

/// What a role has got. A goal that the rules leave open is none.
pub(super) fn goal(goals: &Goals, role: Role) -> u8 {
    goals.get(role.index()).copied().flatten().unwrap_or(0)
}

/// Good results should come soon, bad ones late: the larger, the better for the role.
pub(super) fn haste(proof: &Proof, role: Role) -> i64 {
    let plies = i64::from(proof.plies);
    if goal(&proof.goals, role) > 50 { -plies } else { plies }
}
