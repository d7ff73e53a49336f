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
    /// The directions of rows, columns and diagonals, each line in one of its two.
    pub const LINES: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

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

    /// How much a step adds to a square's number.
    pub fn delta(self, dx: i8, dy: i8) -> i32 {
        i32::from(dy) * self.width() as i32 + i32::from(dx)
    }

    /// The squares that lie one after another in a direction, without the first.
    pub fn ray(self, from: Square, dx: i8, dy: i8) -> impl Iterator<Item = Square> {
        let next = move |at: &Square| self.step(*at, dx, dy);
        std::iter::successors(next(&from), next)
    }

    /// The shortest step that leads straight from one square to another when it is repeated, and how often; `None` if
    /// they are the same square.
    pub fn straight(self, from: Square, to: Square) -> Option<(i8, i8, u32)> {
        let dx = self.file(to) as i32 - self.file(from) as i32;
        let dy = self.rank(to) as i32 - self.rank(from) as i32;
        let (mut steps, mut rest) = (dx.unsigned_abs(), dy.unsigned_abs());
        while rest > 0 {
            (steps, rest) = (rest, steps % rest);
        }
        let part = |whole: i32| i8::try_from(whole.checked_div(steps as i32)?).ok();
        Some((part(dx)?, part(dy)?, steps))
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
    fn straight_ways_are_made_of_equal_steps() {
        let shape = Shape::new(8, 8).unwrap();
        for (from, to, expected) in [
            ("a1", "a1", None),
            ("a1", "a8", Some((0, 1, 7))),
            ("h8", "a1", Some((-1, -1, 7))),
            ("b1", "c3", Some((1, 2, 1))),
            ("a1", "c5", Some((1, 2, 2))),
        ] {
            let (from, to) = (shape.named(from).unwrap(), shape.named(to).unwrap());
            assert_eq!(shape.straight(from, to), expected);
            if let Some((dx, dy, steps)) = expected {
                assert_eq!(shape.ray(from, dx, dy).nth(steps as usize - 1), Some(to));
                assert_eq!(from.index() as i32 + steps as i32 * shape.delta(dx, dy), to.index() as i32);
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
