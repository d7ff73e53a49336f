//! Contradictions: records that cannot all be true of one movement.

use super::evidence::Evidence;
use super::perspective::{cell_of, square_of, symbol_of};
use super::reading::{letters, word};
use super::samples::Disagreement;
use crate::board::{Cell, Content, MicroMove, Player, Square, Word};
use crate::observe::{Listing, Move, Record};
use crate::rules::Symbol;
use std::collections::BTreeMap;

/// A word that some records list and others do not, although it was possible in all of them and they list all legal
/// moves: either some of the records are false, or the movement depends on more than what its steps find.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// Whose word it is.
    pub player: Player,
    /// The piece it moves, or [`Cell::EMPTY`] for drops.
    pub start: Cell,
    /// The word; what it removes is not named.
    pub word: Word,
    /// How often it was listed.
    pub listed: u64,
    /// How often it could have been.
    pub possible: u64,
    /// For each square it starts on: how often it was listed, and how often possible.
    pub squares: Vec<(Square, u64, u64)>,
}

impl Contradiction {
    /// What disagrees about a player's kind of piece, as it stands on the board.
    pub(super) fn of(evidence: &Evidence, player: Player, kind: Cell, found: &Disagreement) -> Contradiction {
        let start = cell_of(player, kind);
        let on_the_board = |square| evidence.shape.map_or(square, |shape| square_of(player, shape, square));
        let mut squares: BTreeMap<Square, (u64, u64)> = BTreeMap::new();
        let possible = found.origins.iter().filter(|origin| origin.1.all > 0);
        possible.for_each(|&(square, times)| squares.entry(on_the_board(square)).or_default().1 += times.all);
        for (word, origins) in evidence.words.get(&(player, start)).into_iter().flatten() {
            if letters(word, player).is_some_and(|letters| letters == found.word) {
                for (square, listed) in origins {
                    squares.entry(*square).and_modify(|sums| sums.0 += u64::from(listed.all));
                }
            }
        }
        let letters: Vec<Symbol> = found.word.iter().map(|&letter| symbol_of(player, letter)).collect();
        let squares = squares.into_iter().map(|(square, (listed, possible))| (square, listed, possible)).collect();
        let (listed, possible) = (found.listed, found.possible);
        Contradiction { player, start, word: word(&letters), listed, possible, squares }
    }

    /// Whether it is the listing that is the exception, not the omission.
    pub fn is_rarely_listed(&self) -> bool {
        2 * self.listed <= self.possible
    }

    /// Whether it is so rare that false records may explain it.
    pub fn is_false_record(&self) -> bool {
        self.listed.min(self.possible - self.listed.min(self.possible)) * 50 <= self.possible
    }

    /// Whether the square explains it: the word is always listed from some squares, and never from the others.
    pub fn depends_on_square(&self) -> bool {
        self.squares.iter().all(|&(_, listed, possible)| listed == 0 || listed == possible)
    }

    /// A square of the record where the word was possible, and was listed or not, as asked.
    pub fn is_in(&self, record: &Record, listed: bool) -> Option<Square> {
        let tells = listed || record.listing == Listing::All;
        if record.turn != self.player || !tells || record.is_terminal() {
            return None;
        }
        let fits = |&square: &Square| record.position.effect(self.player, square, &self.named(record, square)).is_ok();
        let is_listed = |square: Square| {
            record.moves.iter().any(|choice| match choice {
                Move::Word { start, word } => *start == square && self.is_written(word),
                Move::Pass => false,
            })
        };
        let squares = record.position.shape().all().filter(|&square| record.position.at(square) == self.start);
        squares.filter(fits).find(|&square| is_listed(square) == listed)
    }

    /// The word from a square of the record, with the name of a piece that is put down because it was taken.
    fn named(&self, record: &Record, start: Square) -> Word {
        let shape = record.position.shape();
        let (mut at, mut taken) = (Some(start), None);
        let named = self.word.0.iter().map(|micro| {
            at = at.and_then(|at| shape.step(at, micro.dx, micro.dy));
            match micro.content {
                Content::Remove(_) => taken = at.map(|at| record.position.at(at)),
                Content::Add(None) => return MicroMove { content: Content::Add(taken), ..*micro },
                _ => {}
            }
            *micro
        });
        Word(named.collect())
    }

    /// Whether a record's word is this one. A word that does the same in another way is not: a queen may come to a
    /// square both straight and round a corner.
    fn is_written(&self, word: &Word) -> bool {
        let alike = |(mine, theirs): (&MicroMove, &MicroMove)| {
            let content = match theirs.content {
                Content::Remove(_) => Content::Remove(None),
                Content::Add(_) if mine.content == Content::Add(None) => Content::Add(None),
                other => other,
            };
            *mine == MicroMove { content, ..*theirs }
        };
        self.word.0.len() == word.0.len() && self.word.0.iter().zip(&word.0).all(alike)
    }
}
