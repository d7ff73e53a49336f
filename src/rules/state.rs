//! What changes during play: states and moves of a compiled game.

use crate::board::{Player, Square};
use smallvec::SmallVec;

/// A situation of a compiled game. Only the [`super::Engine`] that made it can read it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// A set of squares for each kind of piece, then one for all pieces of each player.
    pub(super) boards: SmallVec<[u64; 16]>,
    pub(super) turn: Player,
    pub(super) plies: u32,
}

impl State {
    /// Whose turn it is.
    pub fn turn(&self) -> Player {
        self.turn
    }

    /// How many turns have been played.
    pub fn plies(&self) -> u32 {
        self.plies
    }
}

/// A turn of the player to move: where it starts, and its word as runs of equal letters.
///
/// A word of a slide is one or two runs, however long the slide is, so moves fit in 32 bytes without allocation unless
/// they are long chains of jumps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub(super) origin: Square,
    pub(super) path: Path,
}

impl Move {
    /// Where it starts.
    pub fn origin(&self) -> Square {
        self.origin
    }
}

pub(super) type Path = SmallVec<[Run; 4]>;

/// The same letter several times in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Run {
    pub letter: u16,
    pub times: u16,
}
