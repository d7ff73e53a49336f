//! How a game ends, and for whom.

use super::Side;
use super::movement::Quoted;
use crate::board::Piece;
use std::fmt;

/// One way in which a game ends. Endings are tried in their order after every move; the first that holds decides.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// After whose moves it is tried.
    pub side: Side,
    /// What it means for the player who has just moved.
    pub verdict: Verdict,
    /// When.
    pub when: Condition,
}

/// What a game's end means for the player who has just moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// That player has won.
    Win,
    /// That player has lost.
    Lose,
    /// Nobody has won.
    Tie,
}

/// A condition on the position after a move. Pieces are those of the player who has just moved; an empty list stands
/// for all of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// `P or N on far`: one of the pieces stands in the zone.
    On {
        /// Which pieces.
        pieces: Vec<Piece>,
        /// The zone's name.
        zone: String,
    },
    /// `5 in line`: so many of the pieces, or more, stand side by side in a row, column or diagonal.
    Line {
        /// How many.
        count: u16,
        /// Which pieces.
        pieces: Vec<Piece>,
    },
    /// `1 P left`: exactly so many of the pieces are on the board.
    Left {
        /// How many.
        count: u16,
        /// Which pieces.
        pieces: Vec<Piece>,
    },
    /// The player whose turn it is now has no move.
    CannotMove,
    /// So many turns have been played by all players together.
    Plies(u32),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Verdict::Win => "win",
            Verdict::Lose => "lose",
            Verdict::Tie => "tie",
        })
    }
}

/// `P or N `, with a space behind it if there are any.
struct Pieces<'a>(&'a [Piece]);

impl fmt::Display for Pieces<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, piece) in self.0.iter().enumerate() {
            write!(f, "{}{} ", if i == 0 { "" } else { "or " }, Quoted(piece.cell()))?;
        }
        Ok(())
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Condition::On { pieces, zone } if pieces.is_empty() => write!(f, "any on {zone}"),
            Condition::On { pieces, zone } => write!(f, "{}on {zone}", Pieces(pieces)),
            Condition::Line { count, pieces } => write!(f, "{count} {}in line", Pieces(pieces)),
            Condition::Left { count, pieces } => write!(f, "{count} {}left", Pieces(pieces)),
            Condition::CannotMove => f.write_str("the next player cannot move"),
            Condition::Plies(plies) => write!(f, "{plies} plies are played"),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} when {}", self.verdict, self.when)
    }
}
