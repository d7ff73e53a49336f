//! The chess fragment for a board and pieces: the text of `games/chess-fragment.system` with its places filled in.

use super::geometry;
use std::fmt::Write;

const TEXT: &str = include_str!("../../games/chess-fragment.system");

/// Who plays.
pub const CHESS_PLAYERS: [&str; 2] = ["white", "black"];

/// The kinds of pieces that are events when they are captured, the best first.
const EVENTS: [&str; 4] = ["queen", "rook", "bishop", "knight"];

/// Pieces that the chess fragment does not know, or a board that is too large.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChessError {
    /// A piece is called otherwise.
    #[error("found piece {0:?}, expected such as white-rook or black-knight-2: a player, a kind ({kinds}) and a number if there are several", kinds = geometry::KINDS.join(", "))]
    Piece(String),
    /// It is there twice.
    #[error("found {0:?} again, expected another name, such as {0}-2")]
    Again(String),
    /// Two pieces share a square, or it is not on the board.
    #[error("found {piece} on {square}, expected a free square of the board")]
    Square {
        /// The piece.
        piece: String,
        /// Where it is said to be.
        square: String,
    },
    /// The board is too small or too large.
    #[error("found a board of {0} x {1}, expected 3 x 3 to 8 x 8")]
    Board(usize, usize),
    /// A side has no king, or several.
    #[error("found {count} kings of {player}, expected one")]
    Kings {
        /// Whose.
        player: &'static str,
        /// How many.
        count: usize,
    },
}

/// The player and the kind that the name of a piece says.
fn parts(piece: &str) -> Option<(&str, &str)> {
    let mut words = piece.split('-');
    let (player, kind) = (words.next()?, words.next()?);
    let number = words.next().is_none_or(|number| number.parse::<u8>().is_ok());
    let known = CHESS_PLAYERS.contains(&player) && geometry::KINDS.contains(&kind);
    (known && number && words.next().is_none()).then_some((player, kind))
}

/// The text of the chess fragment on a board with pieces, each with its square.
///
/// # Errors
///
/// The board or a piece is none that the fragment has.
///
/// ```
/// use onlooker::tactics::{UpdateSystem, chess_system};
///
/// let pieces = [("white-king", "a1"), ("white-rook", "b2"), ("black-king", "d4")];
/// let system = UpdateSystem::parse(&chess_system("rook", 4, 4, &pieces)?)?;
/// assert_eq!(system.start_state().legal(&system, system.players[0]).len(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn chess_system(name: &str, width: usize, height: usize, pieces: &[(&str, &str)]) -> Result<String, ChessError> {
    if !(3..=8).contains(&width) || !(3..=8).contains(&height) {
        return Err(ChessError::Board(width, height));
    }
    let squares = geometry::squares(width, height);
    let mut kinds: Vec<&str> = Vec::new();
    for (at, &(piece, square)) in pieces.iter().enumerate() {
        let (_, kind) = parts(piece).ok_or_else(|| ChessError::Piece(piece.to_owned()))?;
        if pieces[..at].iter().any(|(other, _)| *other == piece) {
            return Err(ChessError::Again(piece.to_owned()));
        }
        let free = pieces[..at].iter().all(|(_, other)| *other != square);
        if !free || !squares.iter().any(|known| known == square) {
            return Err(ChessError::Square { piece: piece.to_owned(), square: square.to_owned() });
        }
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    for player in CHESS_PLAYERS {
        let count = pieces.iter().filter(|(piece, _)| parts(piece) == Some((player, "king"))).count();
        if count != 1 {
            return Err(ChessError::Kings { player, count });
        }
    }
    // In one order, so that two positions with the same pieces have the same system.
    let mut named: Vec<&str> = pieces.iter().map(|(piece, _)| *piece).collect();
    let rank = |kind: &str| geometry::KINDS.iter().position(|known| *known == kind);
    named.sort_by_key(|piece| (parts(piece).map(|(player, kind)| (player == "black", rank(kind))), *piece));
    kinds.sort_by_key(|kind| rank(kind));
    let joined = |shown: &dyn Fn(&str) -> String| named.iter().map(|piece| shown(piece)).collect::<Vec<_>>().join(" ");
    let mut events = String::new();
    for kind in EVENTS.iter().filter(|kind| kinds.contains(kind)) {
        let _ = writeln!(events, "event {kind} gone(<x>) kind(<x>,{kind}) owner(<x>,<q>) other(<q>,<player>)");
    }
    let mut start: Vec<String> = squares
        .iter()
        .map(|square| match pieces.iter().find(|(_, known)| known == square) {
            Some((piece, _)) => format!("on({square},{piece})"),
            None => format!("empty({square})"),
        })
        .collect();
    start.sort_by_key(|fact| fact.starts_with("empty"));
    let rows: Vec<String> = start.chunks(8).map(|row| row.join(" ")).collect();
    let fill = |line: &str| -> String {
        let words = line.split(' ').map(|word| match word {
            "NAME" => name.to_owned(),
            "WIDTH" => width.to_string(),
            "HEIGHT" => height.to_string(),
            "KINDS" => kinds.join(" "),
            "PIECES" => named.join(" "),
            "KIND-OF" => joined(&|piece| format!("kind({piece},{})", parts(piece).map_or("", |(_, kind)| kind))),
            "OWNER-OF" => joined(&|piece| format!("owner({piece},{})", parts(piece).map_or("", |(player, _)| player))),
            "EVENTS" => events.clone(),
            "START" => rows.join("\n  "),
            word => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let far = kinds.iter().any(|kind| ["queen", "rook", "bishop"].contains(kind));
    let most = if far { width.max(height) - 2 } else { 0 };
    let mut text = String::new();
    // Lines for every number of squares come in blocks, which are repeated whole.
    let mut block: Vec<&str> = Vec::new();
    for line in TEXT.lines().chain([""]) {
        match line.strip_prefix(";! N ") {
            Some(line) => block.push(line),
            None => {
                for length in 0..=most {
                    block.iter().for_each(|line| repeated(&mut text, line, length));
                    if !block.is_empty() {
                        text.push('\n');
                    }
                }
                if !block.is_empty() {
                    block.clear();
                } else if line.starts_with(';') {
                    let _ = writeln!(text, "{line}");
                } else {
                    let _ = writeln!(text, "{}", fill(line));
                }
            }
        }
    }
    Ok(text.trim_end().to_owned() + "\n")
}

/// A line for so many squares that a move passes.
fn repeated(text: &mut String, line: &str, length: usize) {
    let passed: String = (1..=length).map(|at| format!(",<v{at}>")).collect();
    let empty: Vec<String> = (1..=length).map(|at| format!("empty(<v{at}>)")).collect();
    let line = line.replace("-N", &format!("-{length}")).replace("<m>S", &format!("<m>{passed}"));
    let line = match empty.is_empty() {
        true => line.replace(" E ", " "),
        false => line.replace(" E ", &format!(" {} ", empty.join(" "))),
    };
    let _ = writeln!(text, "{line}");
}
