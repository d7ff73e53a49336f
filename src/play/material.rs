//! What a state is worth that is not over, as far as its board tells.

use crate::board::Player;
use crate::game::{Game, Role};

/// The role's share of all the pieces on the board, from -1000 (the other has them all) to 1000; 0 in games that are not
/// played on a board by two.
///
/// The first role's pieces are those of the board's first player.
pub fn material<G: Game>(game: &G, state: &G::State, role: Role) -> i32 {
    if game.roles().len() != 2 {
        return 0;
    }
    let Some(position) = game.position(state) else { return 0 };
    let [mut first, mut second] = [0, 0];
    for cell in position.cells() {
        match cell.owner() {
            Some(Player::First) => first += 1,
            Some(Player::Second) => second += 1,
            None => {}
        }
    }
    let ahead = if role.0 == 0 { first - second } else { second - first };
    if ahead == 0 { 0 } else { 1000 * ahead / (first + second) }
}
