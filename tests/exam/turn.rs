//! A turn: its word, what it does, and which case of the rules it is an example of.

use onlooker::board::{Cell, Word};

/// Something that a player may do.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The number of the square where the word starts.
    pub start: usize,
    pub word: Word,
    /// The board afterwards.
    pub after: Vec<u8>,
    pub case: Case,
}

/// Which case of the rules a turn is an example of. What was never seen of a case cannot be learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Case {
    /// The number of the kind.
    pub kind: usize,
    /// The number of the clause.
    pub clause: usize,
    /// The number of the direction; of the first one in a chain.
    pub step: usize,
    /// Whether a piece is gone afterwards.
    pub captures: bool,
    /// What it became, if it became something else, as the first player has it.
    pub becomes: Option<u8>,
}

/// The grammar refuses games that are seen to have more turns than this in a position.
pub const MANY: usize = 400;
/// Turns are not listed beyond this, so that such games can be refused at all.
pub const TOO_MANY: usize = 10 * MANY;

/// What the library calls a letter of the board.
pub fn cell(letter: u8) -> Cell {
    Cell::named(&char::from(letter).to_string()).expect("boards have letters, stones and holes")
}
