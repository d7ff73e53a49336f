//! The alphabet of a piece's automaton: its letters, numbered.

use super::guard::Guards;
use super::letter::Letter;
use super::symmetry::BoardSymmetry;
use crate::rules::Symbol;
use std::collections::BTreeSet;
use std::ops::Range;

/// The letters that words may have: all tags of some symbols, sorted.
#[derive(Clone, Debug)]
pub(super) struct Alphabet {
    pub letters: Vec<Letter>,
    /// For each symbol its letters, one behind the other.
    pub groups: Vec<Range<usize>>,
    /// For each letter, whether it can be a word's first, and whether it can be a later one.
    pub possible: Vec<[bool; 2]>,
}

impl Alphabet {
    /// The letters of symbols and their images under turns.
    pub fn new(symbols: impl IntoIterator<Item = Symbol>, turns: &[BoardSymmetry], guards: &Guards) -> Alphabet {
        let symbols: BTreeSet<Symbol> =
            symbols.into_iter().flat_map(|symbol| turns.iter().map(move |turn| turn.of(symbol))).collect();
        let mut alphabet = Alphabet { letters: Vec::new(), groups: Vec::new(), possible: Vec::new() };
        for symbol in symbols {
            let begin = alphabet.letters.len();
            for letter in guards.letters(symbol) {
                let possible = [true, false].map(|first| guards.can_stand(letter, first));
                if possible != [false, false] {
                    alphabet.letters.push(letter);
                    alphabet.possible.push(possible);
                }
            }
            if alphabet.letters.len() > begin {
                alphabet.groups.push(begin..alphabet.letters.len());
            }
        }
        alphabet
    }

    pub fn len(&self) -> usize {
        self.letters.len()
    }

    /// A letter's number, if it is one of these.
    pub fn number(&self, letter: Letter) -> Option<usize> {
        self.letters.binary_search(&letter).ok()
    }

    /// The numbers of a word's letters, if it has no others.
    pub fn numbers(&self, word: &[Letter]) -> Option<Vec<usize>> {
        word.iter().map(|&letter| self.number(letter)).collect()
    }

    /// Each letter's image, if the alphabet has it.
    pub fn images(&self, turn: BoardSymmetry) -> Option<Vec<usize>> {
        let image = |letter: &Letter| self.number(Letter { symbol: turn.of(letter.symbol), tags: letter.tags });
        self.letters.iter().map(image).collect()
    }
}
