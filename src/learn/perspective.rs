//! The board as each player sees it: for the second player mirrored from bottom to top, with the colours swapped.
//!
//! Every function here is its own inverse.

use crate::board::{Cell, Player, Shape, Square};
use crate::rules::{Landing, Symbol, Taken};

pub(super) const PLAYERS: [Player; 2] = [Player::First, Player::Second];

/// A cell as a player sees it.
pub(super) fn cell_of(player: Player, cell: Cell) -> Cell {
    if player == Player::First || cell.is_empty() { cell } else { cell.turned() }
}

/// A square as a player sees it.
pub(super) fn square_of(player: Player, shape: Shape, square: Square) -> Square {
    if player == Player::First { square } else { shape.mirrored(square) }
}

/// A letter as a player sees it.
pub(super) fn symbol_of(player: Player, symbol: Symbol) -> Symbol {
    if player == Player::First { symbol } else { turned(symbol) }
}

/// A letter as the other player would make it.
fn turned(symbol: Symbol) -> Symbol {
    let turn = |landing| match landing {
        Landing::Take(Taken::The(cell)) => Landing::Take(Taken::The(cell.turned())),
        other => other,
    };
    match symbol {
        Symbol::Step { dx, dy, landing } => Symbol::Step { dx, dy: -dy, landing: turn(landing) },
        Symbol::Put(cell) => Symbol::Put(cell.turned()),
        Symbol::Look { dx, dy, seen } => Symbol::Look { dx, dy: -dy, seen },
        zone => zone,
    }
}
