//! The size of a board and the names of its squares.

use std::fmt;

/// The longest side a board may have.
pub const MAX_SIDE: usize = 32;

/// A square by its number: `rank * width + file`, a1 = 0, row by row from the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub u16);

impl Square {
    /// The number as an index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The width and height of a rectangular board, both from 1 to [`MAX_SIDE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    width: u8,
    height: u8,
}

impl Shape {
    /// A shape, or `None` if a side is 0 or longer than [`MAX_SIDE`].
    pub fn new(width: usize, height: usize) -> Option<Shape> {
        let side = |n: usize| (1..=MAX_SIDE).contains(&n).then_some(n as u8);
        Some(Shape { width: side(width)?, height: side(height)? })
    }

    /// Files from left to right.
    pub fn width(self) -> usize {
        usize::from(self.width)
    }

    /// Ranks from bottom to top.
    pub fn height(self) -> usize {
        usize::from(self.height)
    }

    /// How many squares there are, holes included.
    pub fn squares(self) -> usize {
        self.width() * self.height()
    }

    /// Every square in the order of its number.
    pub fn all(self) -> impl Iterator<Item = Square> {
        (0..self.squares() as u16).map(Square)
    }

    /// The square on a file and rank, both counted from 0.
    pub fn square(self, file: usize, rank: usize) -> Option<Square> {
        (file < self.width() && rank < self.height()).then(|| Square((rank * self.width() + file) as u16))
    }

    /// The file of a square, counted from 0 at the left.
    pub fn file(self, square: Square) -> usize {
        square.index() % self.width()
    }

    /// The rank of a square, counted from 0 at the bottom.
    pub fn rank(self, square: Square) -> usize {
        square.index() / self.width()
    }

    /// The square `dx` files to the right and `dy` ranks up, if it is on the board.
    pub fn step(self, from: Square, dx: i8, dy: i8) -> Option<Square> {
        let file = self.file(from) as i32 + i32::from(dx);
        let rank = self.rank(from) as i32 + i32::from(dy);
        self.square(usize::try_from(file).ok()?, usize::try_from(rank).ok()?)
    }

    /// The square as the other player sees it: the board mirrored from bottom to top.
    pub fn mirrored(self, square: Square) -> Square {
        Square(((self.height() - 1 - self.rank(square)) * self.width() + self.file(square)) as u16)
    }

    /// The name of a file: `a` to `z`, then `aa` to `af`.
    pub fn file_name(file: usize) -> String {
        let letter = |n: usize| char::from(b'a' + n as u8);
        if file < 26 { letter(file).to_string() } else { format!("a{}", letter(file - 26)) }
    }

    /// The name of a square, such as `e4`.
    pub fn name(self, square: Square) -> SquareName {
        SquareName { file: self.file(square), rank: self.rank(square) }
    }

    /// The square with a name such as `e4`.
    pub fn named(self, name: &str) -> Option<Square> {
        let digits = name.find(|c: char| c.is_ascii_digit())?;
        let (file, rank) = name.split_at(digits);
        let file = (0..self.width()).find(|&f| Shape::file_name(f) == file)?;
        if rank.starts_with('0') {
            return None;
        }
        self.square(file, rank.parse::<usize>().ok()?.checked_sub(1)?)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A square's name, to be written.
#[derive(Clone, Copy, Debug)]
pub struct SquareName {
    file: usize,
    rank: usize,
}

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", Shape::file_name(self.file), self.rank + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_found_by_its_name() {
        for (width, height) in [(8, 8), (1, 1), (32, 32), (7, 6)] {
            let shape = Shape::new(width, height).unwrap();
            for square in shape.all() {
                assert_eq!(shape.named(&shape.name(square).to_string()), Some(square));
                assert_eq!(shape.mirrored(shape.mirrored(square)), square);
            }
        }
    }

    #[test]
    fn what_is_off_the_board_is_none() {
        let shape = Shape::new(8, 8).unwrap();
        assert_eq!(Shape::new(0, 8), None);
        assert_eq!(Shape::new(8, 33), None);
        for name in ["", "a", "a0", "a01", "a9", "i1", "1a", "é1", "a99999999999999999999"] {
            assert_eq!(shape.named(name), None, "{name}");
        }
        assert_eq!(shape.step(Square(7), 1, 0), None);
        assert_eq!(shape.step(Square(7), 0, -1), None);
        assert_eq!(shape.step(Square(7), -7, 7), Some(Square(56)));
    }
}
