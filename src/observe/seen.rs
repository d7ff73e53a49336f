//! Which moves of a record have been listed already.

use super::Move;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Finds moves that are listed twice.
///
/// A table of the moves' places that is never emptied: what was put there for an earlier record carries that record's
/// round. So a record of three moves costs three looks, also after one of a million.
#[derive(Default)]
pub(super) struct SeenMoves {
    round: u32,
    /// Round and place; as many as a power of two.
    table: Vec<(u32, u32)>,
}

impl SeenMoves {
    /// Forgets all moves.
    pub fn clear(&mut self) {
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.table.fill((0, 0));
            1
        });
    }

    /// Takes up the last of `moves`, all others being in already; tells the place of an equal one.
    pub fn insert_last(&mut self, moves: &[Move]) -> Option<usize> {
        if self.table.len() < 2 * moves.len() {
            self.table.clear();
            self.table.resize((4 * moves.len()).next_power_of_two(), (0, 0));
            (1..moves.len()).for_each(|count| {
                self.insert(&moves[..count]);
            });
        }
        self.insert(moves)
    }

    fn insert(&mut self, moves: &[Move]) -> Option<usize> {
        let (last, others) = moves.split_last()?;
        let mut slot = fingerprint(last);
        loop {
            slot &= self.table.len() - 1;
            match self.table[slot] {
                (round, place) if round == self.round => {
                    if others[place as usize] == *last {
                        return Some(place as usize);
                    }
                }
                _ => {
                    self.table[slot] = (self.round, others.len() as u32);
                    return None;
                }
            }
            slot += 1;
        }
    }
}

fn fingerprint(listed: &Move) -> usize {
    // The standard hasher takes longer than reading the move.
    let mut hasher = FxHasher::default();
    listed.hash(&mut hasher);
    hasher.finish() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    #[test]
    fn only_what_was_listed_is_found() {
        let listed = |square| Move::Word { start: Square(square), word: "(0 1 e)".parse().unwrap() };
        let mut seen = SeenMoves::default();
        for length in [3, 500, 3] {
            seen.clear();
            let mut moves = vec![Move::Pass];
            assert_eq!(seen.insert_last(&moves), None);
            for square in 0..length {
                moves.push(listed(square));
                assert_eq!(seen.insert_last(&moves), None);
            }
            for square in 0..length {
                moves.push(listed(square));
                assert_eq!(seen.insert_last(&moves), Some(usize::from(square) + 1));
                moves.pop();
            }
        }
    }
}
