//! Symmetries of a movement: the subgroups of the turns and reflections of the board.

use crate::board::{Shape, Square};
use crate::rules::Symbol;

/// A turn or reflection of the board: the images of one file to the right and of one rank up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardSymmetry {
    right: (i8, i8),
    up: (i8, i8),
}

const STAY: BoardSymmetry = BoardSymmetry { right: (1, 0), up: (0, 1) };
const MIRROR: BoardSymmetry = BoardSymmetry { right: (-1, 0), up: (0, 1) };
const FLIP: BoardSymmetry = BoardSymmetry { right: (1, 0), up: (0, -1) };
const HALF: BoardSymmetry = BoardSymmetry { right: (-1, 0), up: (0, -1) };
const QUARTER: BoardSymmetry = BoardSymmetry { right: (0, 1), up: (-1, 0) };
const BACK: BoardSymmetry = BoardSymmetry { right: (0, -1), up: (1, 0) };
const DIAGONAL: BoardSymmetry = BoardSymmetry { right: (0, 1), up: (1, 0) };
const ANTIDIAGONAL: BoardSymmetry = BoardSymmetry { right: (0, -1), up: (-1, 0) };

/// Sets of turns that are closed: the largest first. Nearly all pieces of real games have the first, the third or the
/// last but one of the symmetries.
pub(super) const GROUPS: [&[BoardSymmetry]; 7] = [
    &[STAY, MIRROR, FLIP, HALF, QUARTER, BACK, DIAGONAL, ANTIDIAGONAL],
    &[STAY, HALF, QUARTER, BACK],
    &[STAY, MIRROR, FLIP, HALF],
    &[STAY, FLIP],
    &[STAY, HALF],
    &[STAY, MIRROR],
    &[STAY],
];

impl BoardSymmetry {
    /// The image of a step.
    pub fn step(self, dx: i8, dy: i8) -> (i8, i8) {
        (dx * self.right.0 + dy * self.up.0, dx * self.right.1 + dy * self.up.1)
    }

    /// The image of a square, if the board has it.
    pub fn square(self, shape: Shape, square: Square) -> Option<Square> {
        // Seen from the middle of the board, in half squares.
        let (width, height) = (shape.width() as i32, shape.height() as i32);
        let (x, y) = (2 * shape.file(square) as i32 - width + 1, 2 * shape.rank(square) as i32 - height + 1);
        let (right, up) = (self.right, self.up);
        let x2 = x * i32::from(right.0) + y * i32::from(up.0) + width - 1;
        let y2 = x * i32::from(right.1) + y * i32::from(up.1) + height - 1;
        let is_on = |at: i32, size: i32| at % 2 == 0 && (0..size).contains(&(at / 2));
        (is_on(x2, width) && is_on(y2, height)).then(|| Square((y2 / 2 * width + x2 / 2) as u16))
    }

    pub fn of(self, symbol: Symbol) -> Symbol {
        match symbol {
            Symbol::Step { dx, dy, landing } => {
                let (dx, dy) = self.step(dx, dy);
                Symbol::Step { dx, dy, landing }
            }
            Symbol::Look { dx, dy, seen } => {
                let (dx, dy) = self.step(dx, dy);
                Symbol::Look { dx, dy, seen }
            }
            other => other,
        }
    }
}
