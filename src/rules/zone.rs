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
}

impl Zone {
    /// Whether a square lies in the zone.
    pub fn contains(&self, shape: Shape, square: Square) -> bool {
        let (file, rank) = (shape.file(square) as u8, shape.rank(square) as u8);
        self.areas.iter().any(|area| match area {
            Area::Ranks(from, to) => (*from..=*to).contains(&rank),
            Area::Files(from, to) => (*from..=*to).contains(&file),
            Area::Squares(squares) => squares.contains(&(file, rank)),
        })
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
