//! How a game ends, and for whom.

use super::Side;
use super::movement::Quoted;
use crate::board::{Piece, Shape};
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

/// A condition on the position after a move. Pieces are those of the player who has just moved unless it says otherwise;
/// an empty list stands for all of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// `P or N on far`: one of the pieces stands in the zone.
    On {
        /// Which pieces.
        pieces: Vec<Piece>,
        /// The zone's name.
        zone: String,
    },
    /// `5 in line`: so many of the pieces, or more, stand side by side in a row, column or diagonal. `exactly 5 in line`
    /// if one more at either end does not count; `5 in line along ranks or files` if not all directions do.
    Line {
        /// How many.
        count: u16,
        /// Whether longer lines do not count.
        exactly: bool,
        /// Which pieces.
        pieces: Vec<Piece>,
        /// Along which lines.
        ways: Ways,
    },
    /// `1 P left`: exactly so many of the pieces are on the board, or `on` a zone. `the opponent has 0 k left` counts the
    /// opponent's pieces, which are written as they stand on the board.
    Left {
        /// Whose pieces.
        whose: Whose,
        /// How many.
        count: u16,
        /// Whether fewer or more will do.
        bound: Bound,
        /// Which pieces.
        pieces: Vec<Piece>,
        /// The name of the zone in which they are counted, if not on the whole board.
        zone: Option<String>,
    },
    /// `the opponent has fewer left`: how the number of the opponent's pieces compares with that of one's own.
    Balance(Balance),
    /// The player whose turn it is now has no move.
    CannotMove,
    /// Neither that player nor the one who has just moved would have a move.
    NeitherCanMove,
    /// So many turns have been played by all players together.
    Plies(u32),
    /// All of several conditions, with `and` between them; none of them is one of these again.
    All(Vec<Condition>),
}

impl Condition {
    /// The conditions of which all must hold; most are made of one.
    pub fn parts(&self) -> &[Condition] {
        match self {
            Condition::All(parts) => parts,
            one => std::slice::from_ref(one),
        }
    }

    /// The zone that it speaks of.
    pub(crate) fn zone(&self) -> Option<&str> {
        match self {
            Condition::On { zone, .. } | Condition::Left { zone: Some(zone), .. } => Some(zone),
            _ => None,
        }
    }

    /// The number of turns that it waits for.
    pub(crate) fn plies(&self) -> Option<u32> {
        self.parts().iter().find_map(|part| if let Condition::Plies(plies) = part { Some(*plies) } else { None })
    }
}

/// Whose pieces are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// Those of the player who has just moved.
    Mover,
    /// Those of the other player.
    Opponent,
}

/// How a number of pieces is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Just so many.
    Exactly,
    /// So many or fewer.
    OrFewer,
    /// So many or more.
    OrMore,
}

impl Bound {
    /// Whether a number is meant, for `count` pieces.
    pub fn allows(self, number: usize, count: u16) -> bool {
        match self {
            Bound::Exactly => number == usize::from(count),
            Bound::OrFewer => number <= usize::from(count),
            Bound::OrMore => number >= usize::from(count),
        }
    }
}

/// How many pieces the opponent has left, compared with the player who has just moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Balance {
    /// Fewer.
    Fewer,
    /// As many.
    Same,
    /// More.
    More,
}

impl Balance {
    /// Whether it holds for so many pieces of one's own and of the opponent.
    pub fn holds(self, own: usize, others: usize) -> bool {
        match self {
            Balance::Fewer => others < own,
            Balance::Same => others == own,
            Balance::More => others > own,
        }
    }
}

/// Directions in which lines count, by their numbers in [`Shape::LINES`]; never none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ways(u8);

impl Ways {
    /// All four.
    pub const ALL: Ways = Ways(0b1111);
    /// Along ranks.
    pub const RANKS: Ways = Ways(0b0001);
    /// Along files.
    pub const FILES: Ways = Ways(0b0010);
    /// Along both kinds of diagonals.
    pub const DIAGONALS: Ways = Ways(0b1100);
    /// Along diagonals that lead to the right and away from the first player.
    pub const RISING: Ways = Ways(0b0100);
    /// Along diagonals that lead to the right and towards the first player.
    pub const FALLING: Ways = Ways(0b1000);
    /// With names.
    const NAMED: [(&'static str, Ways); 5] = [
        ("ranks", Ways::RANKS),
        ("files", Ways::FILES),
        ("diagonals", Ways::DIAGONALS),
        ("rising-diagonals", Ways::RISING),
        ("falling-diagonals", Ways::FALLING),
    ];

    /// These and others.
    pub const fn and(self, other: Ways) -> Ways {
        Ways(self.0 | other.0)
    }

    /// The same as the second player sees them, for whom rising diagonals fall.
    pub fn mirrored(self) -> Ways {
        Ways(self.0 & 0b0011 | (self.0 & 0b0100) << 1 | (self.0 & 0b1000) >> 1)
    }

    /// Whether the direction with this number in [`Shape::LINES`] is one of them.
    pub fn has(self, number: usize) -> bool {
        self.0 >> number & 1 != 0
    }

    /// The ways as steps.
    pub fn steps(self) -> impl Iterator<Item = (i8, i8)> {
        Shape::LINES.into_iter().enumerate().filter(move |(number, _)| self.has(*number)).map(|(_, step)| step)
    }

    /// The ways with a name.
    pub(super) fn named(name: &str) -> Option<Ways> {
        Ways::NAMED.iter().find(|named| named.0 == name).map(|named| named.1)
    }
}

/// `ranks or diagonals`.
impl fmt::Display for Ways {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut left = self.0;
        let mut first = true;
        for (name, ways) in Ways::NAMED {
            if left & ways.0 == ways.0 {
                left &= !ways.0;
                write!(f, "{}{name}", if first { "" } else { " or " })?;
                first = false;
            }
        }
        Ok(())
    }
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
            Condition::Line { count, exactly, pieces, ways } => {
                write!(f, "{}{count} {}in line", if *exactly { "exactly " } else { "" }, Pieces(pieces))?;
                if *ways == Ways::ALL { Ok(()) } else { write!(f, " along {ways}") }
            }
            Condition::Left { whose, count, bound, pieces, zone } => {
                f.write_str(if *whose == Whose::Opponent { "the opponent has " } else { "" })?;
                let bound = match bound {
                    Bound::Exactly => "",
                    Bound::OrFewer => "or fewer ",
                    Bound::OrMore => "or more ",
                };
                write!(f, "{count} {bound}{}left", Pieces(pieces))?;
                zone.iter().try_for_each(|zone| write!(f, " on {zone}"))
            }
            Condition::Balance(Balance::Fewer) => f.write_str("the opponent has fewer left"),
            Condition::Balance(Balance::Same) => f.write_str("the opponent has as many left"),
            Condition::Balance(Balance::More) => f.write_str("the opponent has more left"),
            Condition::CannotMove => f.write_str("the next player cannot move"),
            Condition::NeitherCanMove => f.write_str("neither player can move"),
            Condition::Plies(plies) => write!(f, "{plies} plies are played"),
            Condition::All(parts) => parts
                .iter()
                .enumerate()
                .try_for_each(|(i, part)| write!(f, "{}{part}", if i == 0 { "" } else { " and " })),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} when {}", self.verdict, self.when)
    }
}
