//! What changes during play: states and moves of a compiled game.

use crate::board::{Player, Square};
use smallvec::SmallVec;

/// A situation of a compiled game. Only the [`super::Engine`] that made it can read it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// A set of squares for each kind of piece, then one for all pieces of each player and one for the empty squares.
    pub(super) boards: SmallVec<[u64; 16]>,
    pub(super) turn: Player,
    pub(super) plies: u32,
}

impl State {
    /// Whose turn it is.
    pub fn turn(&self) -> Player {
        self.turn
    }

    /// How many turns have been played, if the rules ask for it; otherwise 0.
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

/// Adds a letter to the end of a word.
#[inline]
pub(super) fn push_letter(path: &mut Path, letter: u16) {
    match path.last_mut() {
        Some(run) if run.letter == letter => run.times += 1,
        _ => path.push(Run { letter, times: 1 }),
    }
}
