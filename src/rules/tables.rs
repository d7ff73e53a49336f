//! What rules are compiled into: the tables that the generator and the engine read.

use super::state::Path;
use super::{Balance, Bound, Verdict};
use crate::board::{Bits, Cell, Content, Player, Shape, Shift};
use smallvec::SmallVec;

/// A compiled game on a board of at most `64 * N` squares.
#[derive(Debug)]
pub(super) struct Core<const N: usize> {
    pub shape: Shape,
    pub one_player: bool,
    /// Whether some ending asks how many turns have been played; otherwise they are not counted.
    pub counts_plies: bool,
    /// All squares but holes.
    pub board: Bits<N>,
    /// What can stand on a square, by number.
    pub kinds: Vec<Cell>,
    /// Whose each kind is.
    pub owners: Vec<Option<Player>>,
    /// The kinds of each player.
    pub kinds_of: [Vec<usize>; 2],
    pub players: [PlayerTables<N>; 2],
    pub start: Vec<Option<usize>>,
}

/// What a player may do, and what ends the game when that player has just moved.
#[derive(Debug, Default)]
pub(super) struct PlayerTables<const N: usize> {
    pub letters: Vec<Letter>,
    pub movers: Vec<Mover<N>>,
    pub endings: Vec<Outcome<N>>,
}

/// A micro-move as it is played and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letter {
    pub dx: i8,
    pub dy: i8,
    /// The difference in square numbers.
    pub delta: i32,
    pub act: Act,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Go there, whatever becomes of what is there.
    Pass(Content),
    /// Go there and remove what is there.
    Take,
    /// Put down the controlled piece, and control a new one of this kind.
    Put(usize),
    /// The controlled piece leaves the board.
    Vanish,
}

/// The automaton of one kind of piece, or of drops on empty squares.
#[derive(Debug)]
pub(super) struct Mover<const N: usize> {
    /// The kind that is lifted, or `None` for drops.
    pub start: Option<usize>,
    pub nodes: Vec<Node<N>>,
    /// The first steps sorted by what follows them, unless they have to be walked.
    pub openings: Option<Openings<N>>,
    /// Whether a word might come to a square twice without taking or putting anything in between.
    pub loops: bool,
    /// Whether a word might come to a square that it has changed.
    pub touches: bool,
    /// Whether a word might be read in several ways, so that it could be generated twice.
    pub ambiguous: bool,
    /// Whether the same piece might appear twice in a word.
    pub puts_again: bool,
}

/// A state of a mover.
#[derive(Debug)]
pub(super) struct Node<const N: usize> {
    pub accepting: bool,
    pub hops: Vec<Hop<N>>,
    pub puts: Vec<Put>,
    pub guards: Vec<Guard<N>>,
    /// If all that can follow are slides, these: their words need not be walked to be counted.
    pub fan: Option<Vec<Slide<N>>>,
}

impl<const N: usize> Node<N> {
    /// Where a word ends and nothing follows.
    pub fn end() -> Node<N> {
        Node { accepting: true, hops: Vec::new(), puts: Vec::new(), guards: Vec::new(), fan: None }
    }
}

/// The ways in which words of a mover begin, in the order in which they are generated.
#[derive(Debug)]
pub(super) struct Openings<const N: usize> {
    pub leaps: Vec<Leap<N>>,
    pub stays: Vec<Stay<N>>,
    pub slides: Vec<Sliding<N>>,
    pub deep: Vec<Deep<N>>,
}

/// A whole word with a single step, perhaps with something put down behind it.
#[derive(Debug)]
pub(super) struct Leap<const N: usize> {
    /// From where the step stays on the board and leads to where it must.
    pub from: Bits<N>,
    pub shift: Shift,
    pub delta: i32,
    pub holds: Board,
    pub path: Path,
}

/// A word that never leaves its square, and what must be seen there or around: all checks of one of the ways.
#[derive(Debug)]
pub(super) struct Stay<const N: usize> {
    pub path: Path,
    pub ways: Vec<Vec<Check<N>>>,
}

/// A slide with its letters.
#[derive(Debug)]
pub(super) struct Sliding<const N: usize> {
    pub slide: Slide<N>,
    pub from: Bits<N>,
    pub shift: Shift,
    pub delta: i32,
    /// The letter over empty squares, and those of the slide's ends.
    pub letter: u16,
    pub ends: SmallVec<[u16; 1]>,
}

/// A first step after which the word goes on.
#[derive(Debug)]
pub(super) struct Deep<const N: usize> {
    pub dx: i8,
    pub dy: i8,
    pub delta: i32,
    pub shift: Shift,
    pub from: Bits<N>,
    pub arm: Arm,
}

/// A slide over empty squares that may end on any of them, or on what is behind them.
#[derive(Debug)]
pub(super) struct Slide<const N: usize> {
    /// For each square, the squares that the slide comes to if nothing is in its way, and how many these are.
    pub rays: Vec<(Bits<N>, u16)>,
    /// Whether the nearest square of a ray has the lowest number, or the highest.
    pub up: bool,
    /// What the slide may end on.
    pub ends: SmallVec<[Board; 1]>,
}

/// A step in one direction, with all that may be found there.
#[derive(Debug)]
pub(super) struct Hop<const N: usize> {
    pub dx: i8,
    pub dy: i8,
    /// The difference in square numbers.
    pub delta: i32,
    pub shift: Shift,
    /// From where the step stays on the board.
    pub from: Bits<N>,
    /// What may be found there; what ends a word for certain comes first.
    pub arms: SmallVec<[Arm; 2]>,
}

/// What is found after a step, and where that leads.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    pub holds: Board,
    pub takes: bool,
    pub letter: u16,
    pub to: usize,
    /// Whether nothing can follow, and whether the word may end here: both of the state `to`.
    pub leaf: bool,
    pub accepting: bool,
}

/// One of a state's sets of squares: those with a kind of piece, all of a player, or the empty ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board(pub usize);

#[derive(Clone, Debug)]
pub(super) struct Put {
    /// What appears; nothing if the controlled piece is not put down but vanishes, after which nothing follows.
    pub kind: Option<usize>,
    pub letter: u16,
    pub to: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Guard<const N: usize> {
    pub check: Check<N>,
    pub to: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Check<const N: usize> {
    /// The cursor is here.
    Within(Bits<N>),
    /// This is to be seen there.
    Look { dx: i8, dy: i8, shift: Shift, from: Bits<N>, back: Shift, holds: Board },
}

/// An ending ready to be tried.
#[derive(Debug)]
pub(super) struct Outcome<const N: usize> {
    pub verdict: Verdict,
    pub when: When<N>,
}

#[derive(Debug)]
pub(super) enum When<const N: usize> {
    On { kinds: Vec<usize>, zone: Bits<N> },
    Line { count: usize, exactly: bool, kinds: Vec<usize>, directions: Vec<(Shift, Bits<N>)> },
    Left { count: u16, bound: Bound, kinds: Vec<usize>, zone: Bits<N> },
    Balance(Balance),
    CannotMove,
    NeitherCanMove,
    Plies(u32),
    All(Vec<When<N>>),
}

impl<const N: usize> Core<N> {
    pub fn kind(&self, cell: Cell) -> Option<usize> {
        self.kinds.iter().position(|&kind| kind == cell)
    }

    /// The number of the set with all pieces of a player: these lie behind the sets of all kinds.
    pub fn side(&self, player: Player) -> usize {
        self.kinds.len() + player.index()
    }

    /// The number of the set with all empty squares, which is the last.
    pub fn vacant(&self) -> usize {
        self.kinds.len() + 2
    }
}
