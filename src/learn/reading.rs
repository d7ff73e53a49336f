//! Words of logs as the symbols of automata, and back.

use super::perspective::symbol_of;
use crate::board::{Cell, Content, MicroMove, Player, Word};
use crate::rules::{Landing, Seen, Symbol, Taken};

/// The letters of a player's word as that player sees the board: for the second player mirrored from bottom to top,
/// with the colours swapped. `None` if it has a letter that rules do not have.
pub(super) fn named_letters(word: &Word, player: Player) -> Option<Vec<Symbol>> {
    let letters = word.0.iter().map(|micro| symbol(micro, player).map(|symbol| symbol_of(player, symbol)));
    let letters: Vec<Symbol> = letters.collect::<Option<_>>()?;
    let early = letters.iter().rev().skip(1).any(|&symbol| symbol == Symbol::Vanish);
    (!early).then_some(letters)
}

/// The same, but a piece that was taken and is put down again has no name: it is [`Cell::TAKEN_OWN`] or
/// [`Cell::TAKEN_ENEMY`].
pub(super) fn letters(word: &Word, player: Player) -> Option<Vec<Symbol>> {
    let mut letters = named_letters(word, player)?;
    let mut taken = None;
    for (micro, letter) in word.0.iter().zip(&mut letters) {
        match micro.content {
            Content::Remove(cell) => taken = cell,
            Content::Add(Some(cell)) if taken == Some(cell) => {
                *letter = Symbol::Put(if cell.owner() == Some(player) { Cell::TAKEN_OWN } else { Cell::TAKEN_ENEMY });
                taken = None;
            }
            _ => {}
        }
    }
    Some(letters)
}

/// What is removed is read as a piece of one's own or of the opponent: rules that name each kind are learnt too slowly.
fn symbol(micro: &MicroMove, player: Player) -> Option<Symbol> {
    let step = |landing| Symbol::Step { dx: micro.dx, dy: micro.dy, landing };
    Some(match micro.content {
        Content::Empty => step(Landing::On(Seen::Empty)),
        Content::Own => step(Landing::On(Seen::Own)),
        Content::Opponent => step(Landing::On(Seen::Enemy)),
        Content::Remove(Some(cell)) if (micro.dx, micro.dy) != (0, 0) => {
            step(Landing::Take(if cell.owner()? == player { Taken::Own } else { Taken::Enemy }))
        }
        Content::Add(Some(cell)) => Symbol::Put(cell),
        // What stands on the cursor's own square is the piece that moves.
        Content::Remove(Some(_)) => Symbol::Vanish,
        Content::Remove(_) | Content::Add(None) => return None,
    })
}

/// The word of letters without guards, as a log writes it; what is taken has no name.
pub(super) fn word(letters: &[Symbol]) -> Word {
    Word(letters.iter().filter_map(micro_move).collect())
}

fn micro_move(symbol: &Symbol) -> Option<MicroMove> {
    let micro = |dx, dy, content| Some(MicroMove { dx, dy, content });
    match *symbol {
        Symbol::Step { dx, dy, landing: Landing::On(Seen::Empty) } => micro(dx, dy, Content::Empty),
        Symbol::Step { dx, dy, landing: Landing::On(Seen::Own) } => micro(dx, dy, Content::Own),
        Symbol::Step { dx, dy, landing: Landing::On(Seen::Enemy) } => micro(dx, dy, Content::Opponent),
        Symbol::Step { dx, dy, landing: Landing::Take(_) } => micro(dx, dy, Content::Remove(None)),
        Symbol::Put(Cell::TAKEN_OWN | Cell::TAKEN_ENEMY) => micro(0, 0, Content::Add(None)),
        Symbol::Put(cell) => micro(0, 0, Content::Add(Some(cell))),
        Symbol::Vanish => micro(0, 0, Content::Remove(None)),
        Symbol::Zone { .. } | Symbol::Look { .. } => None,
    }
}
