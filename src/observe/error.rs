//! What can be wrong with a log, and where.

use super::limits::{MAX_GAME, MAX_LINE, MAX_MOVES};
use crate::board::{Cell, MAX_SIDE, MisfitReason, Player, Shape, Square, WordError};
use std::io;

/// A place in a log where something else was expected.
#[derive(Debug, thiserror::Error)]
#[error("line {line}, column {column}: {problem} (game {game}, record {record})")]
pub struct LogError {
    /// Counted from 1, comments and blank lines included.
    pub line: u64,
    /// The first wrong character of the line, counted from 1.
    pub column: usize,
    /// How many characters are wrong, at least 1.
    pub length: usize,
    /// The line, or the part of a long one around the column; what cannot be shown is replaced, character by character.
    pub text: String,
    /// Where in `text` the wrong characters are, in characters counted from 0.
    pub mark: usize,
    /// Which game of the log, counted from 1.
    pub game: u64,
    /// Which record of that game.
    pub record: u32,
    /// What is wrong.
    pub problem: Problem,
}

/// How much of a line an error shows on each side of the column.
const SHOWN: usize = 60;

impl LogError {
    /// Points at bytes of a line; games and records are the reader's to know.
    pub(super) fn new(fault: Fault, line: u64, text: &[u8], game: u64, record: u32) -> LogError {
        let (line, text) = fault.kept.as_deref().map_or((line, text), |kept| (kept.line, &kept.text));
        let chars = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().count();
        let at = fault.at.min(text.len());
        let end = (at + fault.length).min(text.len());
        let before = chars(&text[..at]);
        let length = chars(&text[at..end]).clamp(1, SHOWN);
        let text = String::from_utf8_lossy(text);
        let total = text.chars().count();
        let (from, to) = (before.saturating_sub(SHOWN), (before + length.max(SHOWN)).min(total));
        let shown = text.chars().skip(from).take(to - from).map(|c| match c {
            '\t' => ' ',
            c if c.is_control() => char::REPLACEMENT_CHARACTER,
            c => c,
        });
        let mut part = String::new();
        part.extend((from > 0).then_some('…'));
        part.extend(shown);
        part.extend((to < total).then_some('…'));
        LogError {
            line,
            column: before + 1,
            length,
            text: part,
            mark: before - from + usize::from(from > 0),
            game,
            record,
            problem: fault.problem,
        }
    }

    /// The line with the wrong characters underlined, as two lines.
    pub fn excerpt(&self) -> String {
        format!("{}\n{}{}", self.text, " ".repeat(self.mark), "^".repeat(self.length))
    }
}

/// What is wrong at some bytes of the line that was read last, or of one that was kept.
#[derive(Debug)]
pub(super) struct Fault {
    pub at: usize,
    pub length: usize,
    pub problem: Problem,
    pub kept: Option<Box<KeptLine>>,
}

/// A line that may turn out to be wrong only after others have been read.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptLine {
    pub line: u64,
    pub text: Vec<u8>,
}

impl Fault {
    pub fn new(at: usize, length: usize, problem: Problem) -> Fault {
        Fault { at, length, problem, kept: None }
    }

    /// The same in a line other than the last.
    pub fn on(mut self, kept: &KeptLine) -> Fault {
        self.kept = Some(Box::new(kept.clone()));
        self
    }
}

/// What is wrong with a log.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The input failed, or is compressed and damaged.
    #[error("the log cannot be read any further: {0}")]
    Input(io::Error),
    /// A line is not UTF-8.
    #[error("found the byte 0x{byte:02x}, which is not UTF-8 text, expected an observation log")]
    NotText {
        /// The first byte that is not.
        byte: u8,
    },
    /// The first line cannot begin a log.
    #[error("this is not an observation log: it begins with {}, expected record number 1", quote(.found))]
    NotALog {
        /// How it begins.
        found: String,
    },
    /// There is nothing but comments and blank lines.
    #[error("the log is empty, expected record number 1")]
    NoRecord,
    /// A line is longer than any log needs.
    #[error("this line is longer than {MAX_LINE} bytes, expected the lines of an observation log")]
    LongLine,
    /// A game has more text than one can keep.
    #[error("the game has more than {MAX_GAME} bytes up to here, expected the next game before that")]
    LongGame,
    /// The log ends where a record does not.
    #[error("the log ends within a record, expected {expected}")]
    Ends {
        /// What should come next.
        expected: &'static str,
    },
    /// A record begins with the wrong number, or with something else.
    #[error("found {}, expected record number {}", quote(.found), NumberText(*.next))]
    Number {
        /// What is there.
        found: String,
        /// The number that would go on with the game; 1 if only a new game can follow.
        next: u32,
    },
    /// A row is missing.
    #[error("found {}, expected row {} of the {expected} rows of the board", quote(.found), .rows + 1)]
    MissingRow {
        /// What stands in its place.
        found: String,
        /// How many rows there were.
        rows: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A game begins without a board.
    #[error("found {}, expected the rows of the board", quote(.found))]
    NoRow {
        /// What stands in its place.
        found: String,
    },
    /// A row is shorter or longer than the others.
    #[error(
        "found a row of width {found}, expected width {expected} as in the rows before, or an outcome after the last row"
    )]
    Width {
        /// How many squares it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// The board is larger than boards can be.
    #[error("the board is too large, expected at most {MAX_SIDE} rows of at most {MAX_SIDE} squares")]
    Large,
    /// Something on the board is neither a piece nor any other content of a square.
    #[error("{reason}; expected a square of the board: '.', '*', '#' or a piece")]
    Name {
        /// What is wrong with it.
        reason: String,
    },
    /// The position is not the one that the move played before leads to.
    #[error("{} holds {}, expected {} after the move played in the record before", .shape.name(*.square), seen(*.found), seen(*.expected))]
    NotFollowing {
        /// The size of the board, which gives the square its name.
        shape: Shape,
        /// The first square that differs, row by row from the top.
        square: Square,
        /// What is there.
        found: Cell,
        /// What should be there.
        expected: Cell,
    },
    /// A hands line is wrong.
    #[error("{reason}; expected both players' hands, as in 'hands PPN -'")]
    Hands {
        /// What is wrong with it.
        reason: String,
    },
    /// There is no outcome.
    #[error("found {}, expected the outcome: *, -1, 0 or 1", quote(.found))]
    Outcome {
        /// What is there.
        found: String,
    },
    /// The cause of the outcome is none.
    #[error("found {}, expected the outcome's cause: position, people or cut", quote(.found))]
    Cause {
        /// What is there.
        found: String,
    },
    /// Nobody's turn.
    #[error("found {}, expected whose turn it is, w or b, as in 'w all 20'", quote(.found))]
    TurnLine {
        /// What is there.
        found: String,
    },
    /// It is not said how many of the legal moves are listed.
    #[error("found {}, expected all or some, as in 'w all 20'", quote(.found))]
    Listing {
        /// What is there.
        found: String,
    },
    /// There is no number of moves.
    #[error("found {}, expected the number of moves listed, at most {MAX_MOVES}, as in 'w all 20'", quote(.found))]
    Count {
        /// What is there.
        found: String,
    },
    /// Something follows where a line should end.
    #[error("found {}, expected the end of the line", quote(.found))]
    Trailing {
        /// What is there.
        found: String,
    },
    /// The game is over, but goes on.
    #[error("found {count}, expected 0 moves since the game is over in this position")]
    MovesAfterEnd {
        /// How many moves are announced.
        count: u32,
    },
    /// The game is not over, but nothing was played.
    #[error("found 0, expected at least the move played since the game is not over in this position")]
    NoMoves,
    /// Fewer moves are listed than announced.
    #[error("found {}, expected move {} of the {expected} moves", quote(.text), .found + 1)]
    FewMoves {
        /// What stands in place of a move.
        text: String,
        /// How many moves there were.
        found: u32,
        /// How many were announced.
        expected: u32,
    },
    /// More moves are listed than announced.
    #[error("found a move more than the {expected} announced, expected the next record")]
    ManyMoves {
        /// How many were announced.
        expected: u32,
    },
    /// A move does not begin with a square.
    #[error("found {}, expected a move such as '12 (0 1 e)' or 'pass'", quote(.found))]
    Move {
        /// What is there.
        found: String,
    },
    /// A move begins on no square of the board.
    #[error("square {found} is not on the board, expected one from 0 to {} that is no hole", .shape.squares() - 1)]
    Square {
        /// The number that is there.
        found: u64,
        /// The board.
        shape: Shape,
    },
    /// A move begins on an empty square.
    #[error("{} is empty, expected a piece of the player to move ({})", .shape.name(*.square), .player.letter())]
    EmptyStart {
        /// The size of the board, which gives the square its name.
        shape: Shape,
        /// The square.
        square: Square,
        /// Who is to move.
        player: Player,
    },
    /// A move begins with something that is not the player's to move.
    #[error("{} holds {found}, expected a piece of the player to move ({})", .shape.name(*.square), .player.letter())]
    ForeignStart {
        /// The size of the board, which gives the square its name.
        shape: Shape,
        /// The square.
        square: Square,
        /// What it holds.
        found: Cell,
        /// Who is to move.
        player: Player,
    },
    /// A move's word cannot be read.
    #[error(transparent)]
    Word(WordError),
    /// A micro-move does not fit the position.
    #[error("{0}")]
    Misfit(MisfitReason),
    /// It cannot be told which piece a bare `a` stands for.
    #[error("a bare 'a' does not say which piece appears, and {reason}; expected a name, as in (0 0 aQ)")]
    BareAdd {
        /// Why it cannot be told.
        reason: &'static str,
    },
    /// A move is listed for the second time.
    #[error("this move is already listed as number {first}, expected each move once")]
    Repeated {
        /// Which of the moves it repeats, counted from 1.
        first: usize,
    },
}

struct NumberText(u32);

impl std::fmt::Display for NumberText {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        if self.0 == 1 { f.write_str("1") } else { write!(f, "{}, or 1 for a new game", self.0) }
    }
}

/// What was found, in quotes, or that there was nothing.
fn quote(found: &str) -> String {
    if found.is_empty() { "the end of the line".to_owned() } else { format!("{found:?}") }
}

fn seen(cell: Cell) -> String {
    if cell.is_empty() { "nothing".to_owned() } else { cell.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(at: usize, length: usize, text: &str) -> LogError {
        LogError::new(Fault::new(at, length, Problem::NoMoves), 7, text.as_bytes(), 1, 1)
    }

    #[test]
    fn long_lines_are_shown_around_the_column() {
        let line: String = ('a'..='z').cycle().take(1000).collect();
        for (at, length) in [(0, 3), (30, 1), (59, 1), (60, 1), (61, 1), (500, 26), (500, 900), (999, 1), (1000, 1)] {
            let error = error(at, length, &line);
            assert_eq!(error.column, at + 1);
            let shown: Vec<char> = error.text.chars().collect();
            assert!(shown.len() <= 2 * SHOWN + 2, "{at}");
            assert!(error.mark + error.length <= shown.len() + 1, "{at}");
            if let Some(&byte) = line.as_bytes().get(at) {
                assert_eq!(shown[error.mark], char::from(byte), "{at}");
            }
        }
        assert_eq!(error(2, 3, "abcdefg").excerpt(), "abcdefg\n  ^^^");
    }

    #[test]
    fn what_cannot_be_shown_is_replaced() {
        assert_eq!(error(3, 1, "a\t\0b").excerpt(), "a \u{FFFD}b\n   ^");
        let binary = LogError::new(Fault::new(1, 2, Problem::NoMoves), 1, b"\xff\xd8\xffx", 1, 1);
        assert_eq!(binary.excerpt(), "\u{FFFD}\u{FFFD}\u{FFFD}x\n ^^");
    }
}
