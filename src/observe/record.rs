//! What was seen of one position.

use crate::board::{Effect, Misfit, Player, Position, Shape, Square, Word};
use std::fmt;

/// One position of a game, with what was seen of the moves from it.
///
/// A record is made to be filled again and again: its position and its moves keep their room between reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Counted from 1 within its game.
    pub number: u32,
    /// The board and the hands.
    pub position: Position,
    /// How the game ended for the player who has JUST moved; `None` if it goes on.
    pub outcome: Option<Outcome>,
    /// What the outcome comes from.
    pub cause: Cause,
    /// Who is to move.
    pub turn: Player,
    /// How much the moves tell.
    pub listing: Listing,
    /// The moves listed; the first is the one that was played. There are none exactly if the game is over.
    pub moves: Vec<Move>,
}

impl Record {
    /// The move that was played from this position, unless the game was over.
    pub fn played(&self) -> Option<&Move> {
        self.moves.first()
    }

    /// Whether the game is over in this position.
    pub fn is_terminal(&self) -> bool {
        self.outcome.is_some()
    }

    /// What one of the moves does, or why it does not fit the position.
    ///
    /// # Errors
    ///
    /// [`Misfit`] with the micro-move that does not fit, and why.
    pub fn effect(&self, choice: &Move) -> Result<Effect, Misfit> {
        choice.effect(&self.position, self.turn)
    }
}

/// A record to be filled: a board of one square.
impl Default for Record {
    fn default() -> Record {
        let shape = Shape::new(1, 1).expect("one square is a board");
        Record {
            number: 1,
            position: Position::empty(shape),
            outcome: None,
            cause: Cause::Position,
            turn: Player::First,
            listing: Listing::Some,
            moves: Vec::new(),
        }
    }
}

/// How a game ended for the player who has just moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// `-1`
    Lost,
    /// `0`
    Tied,
    /// `1`
    Won,
}

/// What an outcome comes from. Only the first says anything about the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The position decides.
    #[default]
    Position,
    /// The people do: someone resigned or ran out of time, or both agreed.
    People,
    /// The game was cut short.
    Cut,
}

/// Which of the legal moves a record lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Listing {
    /// Every one.
    All,
    /// The one that was played, and perhaps others.
    Some,
}

/// What a player does in one turn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Nothing: `pass`.
    Pass,
    /// A word played by the piece on a square, or dropped there.
    Word {
        /// Where the word starts.
        start: Square,
        /// Its micro-moves.
        word: Word,
    },
}

impl Move {
    /// What it does in a position, or why it does not fit. A pass does nothing and always fits.
    ///
    /// # Errors
    ///
    /// [`Misfit`] with the micro-move that does not fit, and why.
    pub fn effect(&self, position: &Position, player: Player) -> Result<Effect, Misfit> {
        match self {
            Move::Pass => Ok(Effect::default()),
            Move::Word { start, word } => position.effect(player, *start, word),
        }
    }
}

/// As the log writes it: `48 (0 -1 e)` or `pass`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Move::Pass => f.write_str("pass"),
            Move::Word { start, word } => write!(f, "{} {word}", start.0),
        }
    }
}
