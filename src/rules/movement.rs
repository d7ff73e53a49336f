//! What a movement can say.

use crate::automata::Expression;
use crate::board::{Cell, Piece, Player};
use std::fmt;

/// For whom a line of the rules holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// For both players: written as the first player sees it; for the second the board is mirrored from bottom to top
    /// and the colours are swapped.
    Both,
    /// For one player alone, written as it stands on the board.
    Only(Player),
}

impl Side {
    /// Whether the line holds for a player.
    pub fn is_for(self, player: Player) -> bool {
        self == Side::Both || self == Side::Only(player)
    }

    /// Whether it must be mirrored for a player.
    pub fn turns_for(self, player: Player) -> bool {
        self == Side::Both && player == Player::Second
    }
}

/// Where a turn starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// On a piece that is lifted.
    Piece(Piece),
    /// On an empty square, where a piece is dropped.
    Empty,
}

/// The turns that may start on a kind of piece or on an empty square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Movement {
    /// For whom.
    pub side: Side,
    /// On what.
    pub start: Start,
    /// The words.
    pub words: Expression<Atom>,
}

/// A letter of a movement's expression: a micro-move, several of them in one direction, or a guard.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// `(1 2 empty)`: a step, and what it lands on.
    Step {
        /// Files to the right.
        dx: i8,
        /// Ranks up.
        dy: i8,
        /// What is there.
        landing: Landing,
    },
    /// `orthogonal(empty* (empty | enemy))`: steps that all go in one direction out of a set.
    Along(Directions, Expression<Landing>),
    /// `put:Q`: the controlled piece is put down, this one appears and is the controlled one from then on.
    Put(Cell),
    /// `vanish`: the controlled piece leaves the board, and the turn ends.
    Vanish,
    /// `on:far`, or `off:far` if `within` is false: a guard on where the cursor is.
    Zone {
        /// The zone's name.
        name: String,
        /// Whether the cursor must be in the zone, or must not.
        within: bool,
    },
    /// `look(0 -1 own)`: a guard on what is there, without going there.
    Look {
        /// Files to the right.
        dx: i8,
        /// Ranks up.
        dy: i8,
        /// What must be there.
        seen: Seen,
    },
}

/// What a square may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seen {
    /// Nothing.
    Empty,
    /// A piece of the player to move.
    Own,
    /// A piece of the opponent.
    Enemy,
}

impl Seen {
    /// Whether a cell is that for the player to move.
    pub fn is(self, cell: Cell, player: Player) -> bool {
        match self {
            Seen::Empty => cell.is_empty(),
            Seen::Own => cell.owner() == Some(player),
            Seen::Enemy => cell.owner() == Some(player.other()),
        }
    }
}

/// What a step lands on, and what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Landing {
    /// It stays (unless the turn ends there).
    On(Seen),
    /// `take:enemy`: it is removed.
    Take(Taken),
}

/// Which piece is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Taken {
    /// Any piece of the player to move.
    Own,
    /// Any piece of the opponent.
    Enemy,
    /// Just this kind.
    The(Cell),
}

/// A set of directions with a name. Forward is away from one's own side of the board, for either player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Directions {
    /// To the four neighbours by a side.
    Orthogonal,
    /// To the four neighbours by a corner.
    Diagonal,
    /// To all eight neighbours.
    Any,
    /// One rank forward.
    Forward,
    /// One rank backward.
    Backward,
    /// One file to the left.
    Left,
    /// One file to the right.
    Right,
    /// One file to either side.
    Sideways,
    /// One rank forward or backward.
    Vertical,
    /// Forward by a corner.
    ForwardDiagonal,
    /// Backward by a corner.
    BackwardDiagonal,
    /// All leaps of so many squares one way and so many the other, such as the knight's 1,2.
    Leap(u8, u8),
}

impl Directions {
    /// The sets that have a name of their own.
    pub const NAMED: [(&'static str, Directions); 11] = [
        ("orthogonal", Directions::Orthogonal),
        ("diagonal", Directions::Diagonal),
        ("any", Directions::Any),
        ("forward", Directions::Forward),
        ("backward", Directions::Backward),
        ("left", Directions::Left),
        ("right", Directions::Right),
        ("sideways", Directions::Sideways),
        ("vertical", Directions::Vertical),
        ("forward-diagonal", Directions::ForwardDiagonal),
        ("backward-diagonal", Directions::BackwardDiagonal),
    ];

    /// The steps (files to the right, ranks up) as the first player sees them, sorted, each once.
    pub fn steps(self) -> Vec<(i8, i8)> {
        let all = |a: i8, b: i8| [(a, b), (a, -b), (-a, b), (-a, -b), (b, a), (b, -a), (-b, a), (-b, -a)].to_vec();
        let mut steps = match self {
            Directions::Orthogonal => all(0, 1),
            Directions::Diagonal => all(1, 1),
            Directions::Any => [all(0, 1), all(1, 1)].concat(),
            Directions::Forward => vec![(0, 1)],
            Directions::Backward => vec![(0, -1)],
            Directions::Left => vec![(-1, 0)],
            Directions::Right => vec![(1, 0)],
            Directions::Sideways => vec![(-1, 0), (1, 0)],
            Directions::Vertical => vec![(0, -1), (0, 1)],
            Directions::ForwardDiagonal => vec![(-1, 1), (1, 1)],
            Directions::BackwardDiagonal => vec![(-1, -1), (1, -1)],
            Directions::Leap(a, b) => all(a as i8, b as i8),
        };
        steps.sort_unstable();
        steps.dedup();
        steps
    }
}

impl fmt::Display for Directions {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self, Directions::NAMED.iter().find(|(_, directions)| directions == self)) {
            (Directions::Leap(a, b), _) => write!(f, "leap {a},{b}"),
            (_, Some((name, _))) => f.write_str(name),
            // Every other set is in the table of names.
            (_, None) => f.write_str("?"),
        }
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Seen::Empty => "empty",
            Seen::Own => "own",
            Seen::Enemy => "enemy",
        })
    }
}

impl fmt::Display for Landing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Landing::On(seen) => seen.fmt(f),
            Landing::Take(Taken::Own) => f.write_str("take:own"),
            Landing::Take(Taken::Enemy) => f.write_str("take:enemy"),
            Landing::Take(Taken::The(cell)) => write!(f, "take:{}", Quoted(*cell)),
        }
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Atom::Step { dx, dy, landing } => write!(f, "({dx} {dy} {landing})"),
            Atom::Along(directions, path) => write!(f, "{directions}({path})"),
            Atom::Put(cell) => write!(f, "put:{}", Quoted(*cell)),
            Atom::Vanish => f.write_str("vanish"),
            Atom::Zone { name, within: true } => write!(f, "on:{name}"),
            Atom::Zone { name, within: false } => write!(f, "off:{name}"),
            Atom::Look { dx, dy, seen } => write!(f, "look({dx} {dy} {seen})"),
        }
    }
}

/// A piece's name within an expression: in quotation marks unless it is one ASCII letter, since a name may hold the
/// signs of repetition (`+P`) and may be a word of the language (`own`).
pub(super) struct Quoted(pub Cell);

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = self.0.to_string();
        let plain = name.len() == 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
        if plain { f.write_str(&name) } else { write!(f, "\"{name}\"") }
    }
}
