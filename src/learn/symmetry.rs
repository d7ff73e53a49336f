//! Ways in which a movement may look the same from different sides.

use crate::rules::Symbol;
use std::collections::BTreeSet;

/// A turn or reflection of the board: the images of one file to the right and of one rank up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    right: (i8, i8),
    up: (i8, i8),
}

const STAY: Turn = Turn { right: (1, 0), up: (0, 1) };
const MIRROR: Turn = Turn { right: (-1, 0), up: (0, 1) };
const FLIP: Turn = Turn { right: (1, 0), up: (0, -1) };
const HALF: Turn = Turn { right: (-1, 0), up: (0, -1) };
const QUARTER: Turn = Turn { right: (0, 1), up: (-1, 0) };
const BACK: Turn = Turn { right: (0, -1), up: (1, 0) };
const DIAGONAL: Turn = Turn { right: (0, 1), up: (1, 0) };
const ANTIDIAGONAL: Turn = Turn { right: (0, -1), up: (-1, 0) };

/// Sets of turns that are closed: the largest first. Nearly all pieces of real games have the first, the third or the
/// last but one of the symmetries.
pub(super) const GROUPS: [&[Turn]; 7] = [
    &[STAY, MIRROR, FLIP, HALF, QUARTER, BACK, DIAGONAL, ANTIDIAGONAL],
    &[STAY, HALF, QUARTER, BACK],
    &[STAY, MIRROR, FLIP, HALF],
    &[STAY, FLIP],
    &[STAY, HALF],
    &[STAY, MIRROR],
    &[STAY],
];

impl Turn {
    pub fn of(self, symbol: Symbol) -> Symbol {
        let turn = |dx: i8, dy: i8| (dx * self.right.0 + dy * self.up.0, dx * self.right.1 + dy * self.up.1);
        match symbol {
            Symbol::Step { dx, dy, landing } => {
                let (dx, dy) = turn(dx, dy);
                Symbol::Step { dx, dy, landing }
            }
            Symbol::Look { dx, dy, seen } => {
                let (dx, dy) = turn(dx, dy);
                Symbol::Look { dx, dy, seen }
            }
            other => other,
        }
    }
}

/// The letters and all their images, sorted.
pub(super) fn closed(letters: impl IntoIterator<Item = Symbol>) -> Vec<Symbol> {
    let letters: BTreeSet<Symbol> =
        letters.into_iter().flat_map(|letter| GROUPS[0].iter().map(move |turn| turn.of(letter))).collect();
    letters.into_iter().collect()
}
