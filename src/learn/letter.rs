//! The letters of learnt words: symbols, annotated with the guards that hold.

use crate::rules::Symbol;

/// A letter of a word, with which of the guards hold where it is made. Where there are no guards it is just the symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Letter {
    pub symbol: Symbol,
    pub tags: Tags,
}

/// For each guard, by number, whether it holds. A guard on the start of the turn is told by the word's first letter
/// alone, a guard on landings by every step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Tags(pub u8);

impl Tags {
    pub fn holds(self, guard: usize) -> bool {
        self.0 >> guard & 1 == 1
    }

    pub fn with(self, guard: usize, holds: bool) -> Tags {
        Tags(self.0 | u8::from(holds) << guard)
    }
}

impl Letter {
    /// A letter without guards.
    pub fn plain(symbol: Symbol) -> Letter {
        Letter { symbol, tags: Tags::default() }
    }
}
