//! Zones of the board, and how the second player looks at it.

use std::fmt;

/// A file and a rank, or the way from one square to another.
pub type Pair = (i32, i32);

/// How a player sees the board, compared with the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// As the first player.
    Same,
    /// From the other side of the board with left and right as they are.
    Mirrored,
    /// Turned by half a circle.
    Turned,
}

impl View {
    /// The way on the board that this player calls `step`.
    pub fn step(self, step: Pair) -> Pair {
        match self {
            View::Same => step,
            View::Mirrored => (step.0, -step.1),
            View::Turned => (-step.0, -step.1),
        }
    }

    /// The square on the board that this player calls `square`, and the other way round.
    pub fn square(self, square: Pair, size: Pair) -> Pair {
        match self {
            View::Same => square,
            View::Mirrored => (square.0, size.1 - 1 - square.1),
            View::Turned => (size.0 - 1 - square.0, size.1 - 1 - square.1),
        }
    }
}

/// A set of squares as people name it, seen by its player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Zone {
    Ranks(i32, i32),
    Files(i32, i32),
    OwnHalf,
    FarHalf,
    /// Three files in the middle of the three ranks next to the player.
    Palace,
    Dark,
    Corners,
    Edge,
    /// All but the edge.
    Inner,
    Square(i32, i32),
}

impl Zone {
    /// Whether a square, as its player sees it, lies in the zone.
    pub fn contains(&self, (x, y): Pair, (width, height): Pair) -> bool {
        let edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
        match *self {
            Zone::Ranks(from, to) => (from..=to).contains(&y),
            Zone::Files(from, to) => (from..=to).contains(&x),
            Zone::OwnHalf => 2 * y < height,
            Zone::FarHalf => 2 * y >= height,
            Zone::Palace => y < 3 && (x - (width - 1) / 2).abs() <= 1,
            Zone::Dark => (x + y) % 2 == 0,
            Zone::Corners => (x == 0 || x == width - 1) && (y == 0 || y == height - 1),
            Zone::Edge => edge,
            Zone::Inner => !edge,
            Zone::Square(file, rank) => (x, y) == (file, rank),
        }
    }

    /// The kind of zone, for tables.
    pub fn name(&self) -> &'static str {
        match self {
            Zone::Ranks(..) => "ranks",
            Zone::Files(..) => "files",
            Zone::OwnHalf | Zone::FarHalf => "half",
            Zone::Palace => "palace",
            Zone::Dark => "dark squares",
            Zone::Corners => "corners",
            Zone::Edge | Zone::Inner => "edge",
            Zone::Square(..) => "square",
        }
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let file = |x: i32| char::from(b'a' + x as u8);
        match *self {
            Zone::Ranks(from, to) if from == to => write!(f, "rank {}", from + 1),
            Zone::Ranks(from, to) => write!(f, "ranks {} to {}", from + 1, to + 1),
            Zone::Files(from, to) if from == to => write!(f, "file {}", file(from)),
            Zone::Files(from, to) => write!(f, "files {} to {}", file(from), file(to)),
            Zone::OwnHalf => f.write_str("the own half"),
            Zone::FarHalf => f.write_str("the far half"),
            Zone::Palace => f.write_str("the palace"),
            Zone::Dark => f.write_str("the dark squares"),
            Zone::Corners => f.write_str("the corners"),
            Zone::Edge => f.write_str("the edge"),
            Zone::Inner => f.write_str("the squares off the edge"),
            Zone::Square(x, y) => write!(f, "{}{}", file(x), y + 1),
        }
    }
}
