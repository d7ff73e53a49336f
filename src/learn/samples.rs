//! What is counted of words: how often they were listed, and how often they could have been.

use super::guard::Guards;
use super::letter::Letter;
use crate::board::Square;
use crate::rules::Symbol;
use std::collections::BTreeMap;

/// How often words were listed from each square, for one piece as its player sees the board.
pub(super) type WordTable = BTreeMap<Vec<Symbol>, Vec<(Square, WordCount)>>;

/// How often words were listed, with the guards that held.
pub(super) type AnnotatedWords = BTreeMap<Vec<Letter>, WordCount>;

/// How often a word was listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WordCount {
    /// In records that list all legal moves.
    pub all: u64,
    /// In records that list only some.
    pub some: u64,
}

impl WordCount {
    pub fn add(&mut self, other: WordCount) {
        self.all += other.all;
        self.some += other.some;
    }
}

/// How often a word could have been played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Opportunities {
    /// Where all legal moves were listed.
    pub all: u64,
    /// Where only some were.
    pub some: u64,
    /// How often it would have been played there if every legal move were as likely as the others.
    pub expected: f64,
}

/// A word that was listed in some records and not in others, although all of them list all legal moves.
#[derive(Clone, Debug)]
pub(super) struct Disagreement {
    pub word: Vec<Symbol>,
    pub listed: u64,
    pub possible: u64,
    /// From where it was possible, and how often.
    pub origins: Vec<(Square, Opportunities)>,
}

/// The words of a table, annotated with guards.
pub(super) fn annotate(words: &WordTable, guards: &Guards) -> AnnotatedWords {
    let mut annotated = AnnotatedWords::new();
    for (word, origins) in words {
        if guards.list.is_empty() {
            let sum = annotated.entry(word.iter().copied().map(Letter::plain).collect()).or_default();
            origins.iter().for_each(|origin| sum.add(origin.1));
            continue;
        }
        for &(start, count) in origins {
            if let Some(letters) = guards.annotate(word, start) {
                annotated.entry(letters).or_default().add(count);
            }
        }
    }
    annotated
}

/// Adds how often a word was listed to what is known already, sorted by square.
pub(super) fn add_origins(sums: &mut Vec<(Square, WordCount)>, origins: impl IntoIterator<Item = (Square, WordCount)>) {
    for (square, count) in origins {
        let at = sums.binary_search_by_key(&square, |origin| origin.0).unwrap_or_else(|at| {
            sums.insert(at, (square, WordCount::default()));
            at
        });
        sums[at].1.add(count);
    }
}
