//! Zones: named sets of squares that guards and endings speak of.

use crate::board::{Shape, Square};
use std::fmt;

/// A named set of squares, as the first player sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Zone {
    /// How guards and endings call it.
    pub name: String,
    /// Its parts; a square belongs to the zone if it lies in one of them.
    pub areas: Vec<Area>,
}

/// A part of a zone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Area {
    /// Ranks from the first to the last of the two, counted from 0.
    Ranks(u8, u8),
    /// Files from the first to the last of the two, counted from 0.
    Files(u8, u8),
    /// Single squares by file and rank, counted from 0.
    Squares(Vec<(u8, u8)>),
    /// All squares from a corner, by file and rank, to the opposite one to the right and above.
    Rectangle((u8, u8), (u8, u8)),
    /// The squares of the first one's colour, as on a chessboard.
    Dark,
    /// The squares of the other colour.
    Light,
    /// The four corners of the board.
    Corners,
}

impl Area {
    /// Whether a square lies in it.
    pub fn contains(&self, shape: Shape, square: Square) -> bool {
        let (file, rank) = (shape.file(square) as u8, shape.rank(square) as u8);
        match self {
            Area::Ranks(from, to) => (*from..=*to).contains(&rank),
            Area::Files(from, to) => (*from..=*to).contains(&file),
            Area::Squares(squares) => squares.contains(&(file, rank)),
            Area::Rectangle(from, to) => (from.0..=to.0).contains(&file) && (from.1..=to.1).contains(&rank),
            Area::Dark => (file + rank) % 2 == 0,
            Area::Light => (file + rank) % 2 == 1,
            Area::Corners => {
                let (right, top) = (shape.width() as u8 - 1, shape.height() as u8 - 1);
                (file == 0 || file == right) && (rank == 0 || rank == top)
            }
        }
    }

    /// The same squares as the other player sees them, mirrored from bottom to top.
    pub fn mirrored(&self, shape: Shape) -> Area {
        let turn = |rank: u8| (shape.height() as u8 - 1).saturating_sub(rank);
        let changes_colour = shape.height().is_multiple_of(2);
        match self {
            Area::Ranks(from, to) => Area::Ranks(turn(*to), turn(*from)),
            Area::Files(from, to) => Area::Files(*from, *to),
            Area::Squares(squares) => {
                let mut squares: Vec<(u8, u8)> = squares.iter().map(|&(x, y)| (x, turn(y))).collect();
                squares.sort_unstable_by_key(|&(x, y)| (y, x));
                Area::Squares(squares)
            }
            Area::Rectangle(from, to) => Area::Rectangle((from.0, turn(to.1)), (to.0, turn(from.1))),
            Area::Dark if changes_colour => Area::Light,
            Area::Light if changes_colour => Area::Dark,
            same @ (Area::Dark | Area::Light | Area::Corners) => same.clone(),
        }
    }
}

impl Zone {
    /// Whether a square lies in the zone.
    pub fn contains(&self, shape: Shape, square: Square) -> bool {
        self.areas.iter().any(|area| area.contains(shape, square))
    }

    /// Whether this zone names squares that the board does not have, or none where it should name some.
    pub(super) fn reaches_beyond(&self, shape: Shape) -> bool {
        let (width, height) = (shape.width() as u8, shape.height() as u8);
        self.areas.iter().any(|area| match area {
            Area::Ranks(from, to) => from > to || *to >= height,
            Area::Files(from, to) => from > to || *to >= width,
            Area::Squares(squares) => {
                squares.is_empty() || squares.iter().any(|&(file, rank)| file >= width || rank >= height)
            }
            Area::Rectangle(from, to) => from.0 > to.0 || from.1 > to.1 || to.0 >= width || to.1 >= height,
            Area::Dark | Area::Light | Area::Corners => false,
        })
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let file = |n: u8| Shape::file_name(usize::from(n));
        match self {
            Area::Ranks(from, to) if from == to => write!(f, "rank {}", from + 1),
            Area::Ranks(from, to) => write!(f, "ranks {} to {}", from + 1, to + 1),
            Area::Files(from, to) if from == to => write!(f, "file {}", file(*from)),
            Area::Files(from, to) => write!(f, "files {} to {}", file(*from), file(*to)),
            Area::Squares(squares) => {
                f.write_str(if squares.len() == 1 { "square" } else { "squares" })?;
                squares.iter().try_for_each(|&(x, y)| write!(f, " {}{}", file(x), y + 1))
            }
            Area::Rectangle(from, to) => {
                write!(f, "squares {}{} to {}{}", file(from.0), from.1 + 1, file(to.0), to.1 + 1)
            }
            Area::Dark => f.write_str("dark squares"),
            Area::Light => f.write_str("light squares"),
            Area::Corners => f.write_str("corners"),
        }
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, area) in self.areas.iter().enumerate() {
            write!(f, "{}{area}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
