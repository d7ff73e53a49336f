//! The records that contradict each other, found in what was learnt from.

use crate::board::{Shape, Square};
use crate::learn::{Contradiction, Learnt};
use crate::observe::{GameReader, Record};
use std::io::Read;

/// The first words on which records contradict each other, with records that list them and records that do not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contradictions {
    /// At most [`Contradictions::SHOWN`] of them.
    pub shown: Vec<LocatedContradiction>,
    /// How many more there are.
    pub more: usize,
}

/// A contradiction with a record for each side, as far as they have been found.
#[derive(Clone, Debug, PartialEq)]
pub struct LocatedContradiction {
    /// The word in question.
    pub contradiction: Contradiction,
    /// Where it is listed.
    pub listed: Option<RecordPlace>,
    /// Where it is possible and not listed.
    pub omitted: Option<RecordPlace>,
}

/// A square in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordPlace {
    /// The number of the log among those that were looked through, counted from 0.
    pub source: usize,
    /// The game, counted from 1.
    pub game: u64,
    /// The record of it.
    pub record: u32,
    /// The square.
    pub square: Square,
    shape: Shape,
}

impl Contradictions {
    /// How many contradictions are looked for in the records.
    pub const SHOWN: usize = 5;

    /// What was learnt in spite of contradictions, none of them found in the records yet. There is nothing to find if what
    /// was learnt accounts for everything all the same.
    pub fn of(learnt: &Learnt) -> Contradictions {
        if learnt.is_consistent() {
            return Contradictions::default();
        }
        let all = learnt.pieces.iter().flat_map(|piece| &piece.contradictions);
        let more = all.clone().count().saturating_sub(Contradictions::SHOWN);
        let located = |contradiction: &Contradiction| LocatedContradiction {
            contradiction: contradiction.clone(),
            listed: None,
            omitted: None,
        };
        Contradictions { shown: all.take(Contradictions::SHOWN).map(located).collect(), more }
    }

    /// Whether nothing is left to be found in records.
    pub fn are_located(&self) -> bool {
        self.shown.iter().all(|one| one.listed.is_some() && one.omitted.is_some())
    }

    /// Looks for them in a game of the log with the number `source`.
    pub fn look_in(&mut self, source: usize, game: u64, records: &[Record]) {
        for record in records {
            for one in &mut self.shown {
                let place = |listed: bool| {
                    let square = one.contradiction.is_in(record, listed)?;
                    Some(RecordPlace { source, game, record: record.number, square, shape: record.position.shape() })
                };
                let (listed, omitted) = (one.listed.or_else(|| place(true)), one.omitted.or_else(|| place(false)));
                (one.listed, one.omitted) = (listed, omitted);
            }
        }
    }

    /// Looks for them in the games of a log until all are found. Damaged games are skipped.
    pub fn look_through(&mut self, source: usize, log: GameReader<impl Read>) {
        for (game, number) in log.zip(1..) {
            if self.are_located() {
                return;
            }
            self.look_in(source, number, game.as_deref().unwrap_or_default());
        }
    }
}

impl LocatedContradiction {
    /// What contradicts what, for a person; `sources` are the names of the logs.
    pub fn describe(&self, sources: &[String]) -> String {
        let Contradiction { start, word, listed, possible, .. } = &self.contradiction;
        let place = |place: &Option<RecordPlace>| match place {
            Some(RecordPlace { source, game, record, square, shape }) => {
                let source = sources.get(*source).map_or("a log", String::as_str);
                format!("{source}, game {game}, record {record}, from {}", shape.name(*square))
            }
            None => "a record of saved evidence, or of a log that cannot be read twice".to_owned(),
        };
        let (yes, no) = (place(&self.listed), place(&self.omitted));
        let reason = if self.contradiction.depends_on_square() {
            "it depends on the square where the piece stands"
        } else if self.contradiction.is_false_record() {
            "perhaps a few records are false"
        } else {
            "something besides the squares it crosses decides"
        };
        format!(
            "contradiction: {start} has {word} listed {listed} times of {possible} where it was possible: {reason}\n  it is \
             listed in {yes}\n  but not in {no}"
        )
    }
}
