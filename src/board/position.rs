//! Positions: what stands where.

use super::{Cell, MAX_SIDE, Piece, Player, Shape, Square};
use std::fmt;

/// A board with what stands on it, and the pieces in hand where the game has hands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    shape: Shape,
    /// By the number of the square.
    cells: Vec<Cell>,
    /// The first player's hand, then the second's, each sorted; `None` in games without hands.
    pub(super) hands: Option<[Vec<Piece>; 2]>,
}

impl Position {
    /// An empty board.
    pub fn empty(shape: Shape) -> Position {
        Position { shape, cells: vec![Cell::EMPTY; shape.squares()], hands: None }
    }

    /// The position drawn in these rows, top row first.
    ///
    /// # Errors
    ///
    /// [`PositionError`] if the rows differ in width, the board is too large, or a character names no content.
    pub fn from_rows<'a>(rows: impl IntoIterator<Item = &'a str>) -> Result<Position, PositionError> {
        let mut drawn = Vec::new();
        let mut width = None;
        let mut height = 0;
        for row in rows {
            let found = read_row(row.as_bytes(), &mut drawn).map_err(|(column, reason)| PositionError {
                row: height,
                column,
                reason,
            })?;
            let expected = *width.get_or_insert(found);
            if found != expected {
                let reason = format!("this row has {found} squares, the rows above have {expected}");
                return Err(PositionError { row: height, column: 0, reason });
            }
            height += 1;
        }
        let width = width.unwrap_or(0);
        let shape = Shape::new(width, height).ok_or_else(|| {
            let reason = format!("the board has {width}x{height} squares, each side may have 1 to {MAX_SIDE}");
            PositionError { row: 0, column: 0, reason }
        })?;
        let mut position = Position::empty(shape);
        position.set_rows(&drawn, shape);
        Ok(position)
    }

    /// Takes over the rows of a board of this shape that [`read_row`] read, top row first.
    pub(crate) fn set_rows(&mut self, drawn: &[Cell], shape: Shape) {
        self.shape = shape;
        self.cells.clear();
        drawn.rchunks(shape.width()).for_each(|row| self.cells.extend_from_slice(row));
        self.hands = None;
    }

    /// Width and height.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// What stands on a square.
    pub fn at(&self, square: Square) -> Cell {
        self.cells[square.index()]
    }

    /// Puts something on a square.
    pub fn set(&mut self, square: Square, cell: Cell) {
        self.cells[square.index()] = cell;
    }

    /// Every square's content by the number of the square.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The pieces in hand, `None` in games without hands.
    pub fn hand(&self, player: Player) -> Option<&[Piece]> {
        self.hands.as_ref().map(|hands| hands[player.index()].as_slice())
    }

    /// Gives both players their hands, in any order.
    pub fn set_hands(&mut self, mut hands: [Vec<Piece>; 2]) {
        hands.iter_mut().for_each(|hand| hand.sort_unstable());
        self.hands = Some(hands);
    }

    /// Whether some piece's name takes several characters, so that rows need spaces.
    pub fn is_spaced(&self) -> bool {
        self.cells.iter().any(|cell| cell.is_long())
    }
}

/// Reads one row's squares into `row` and tells how many there were. A refusal names the byte and the reason.
pub(crate) fn read_row(line: &[u8], row: &mut Vec<Cell>) -> Result<usize, (usize, String)> {
    let before = row.len();
    let quick = line.iter().map_while(|&byte| Cell::from_byte(byte));
    row.extend(quick);
    if row.len() - before < line.len() {
        row.truncate(before);
        read_unusual_row(line, row)?;
    }
    Ok(row.len() - before)
}

/// A row with spaces between its squares, or with letters beyond ASCII.
fn read_unusual_row(line: &[u8], row: &mut Vec<Cell>) -> Result<(), (usize, String)> {
    let text = std::str::from_utf8(line).map_err(|e| (e.valid_up_to(), "this is not UTF-8 text".to_owned()))?;
    let mut push = |name: &str| {
        let at = name.as_ptr() as usize - text.as_ptr() as usize;
        Cell::named(name).map(|cell| row.push(cell)).map_err(|e| (at, e.to_string()))
    };
    if text.trim().contains([' ', '\t']) {
        text.split([' ', '\t']).filter(|name| !name.is_empty()).try_for_each(push)
    } else {
        let text = text.trim();
        text.char_indices().try_for_each(|(at, c)| push(&text[at..at + c.len_utf8()]))
    }
}

/// The rows as the log writes them, top row first, and the hands if there are any.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let gap = if self.is_spaced() { " " } else { "" };
        for row in self.cells.rchunks(self.shape.width()) {
            for (file, cell) in row.iter().enumerate() {
                write!(f, "{}{cell}", if file == 0 { "" } else { gap })?;
            }
            f.write_str("\n")?;
        }
        match &self.hands {
            None => Ok(()),
            Some([first, second]) => writeln!(f, "hands {} {}", HandText(first), HandText(second)),
        }
    }
}

/// A hand as `PPN`, or `-` if it is empty; with commas if a name takes several characters, and with one at the end if
/// that is the only name: `+P,`.
struct HandText<'a>(&'a [Piece]);

impl fmt::Display for HandText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("-");
        }
        let gap = if self.0.iter().any(|piece| piece.cell().is_long()) { "," } else { "" };
        self.0.iter().enumerate().try_for_each(|(i, piece)| write!(f, "{}{piece}", if i == 0 { "" } else { gap }))?;
        f.write_str(if self.0.len() == 1 { gap } else { "" })
    }
}

/// The pieces of a hand of `player` written as `PPN`, `+P,N`, `+P,` or `-`.
pub(crate) fn read_hand(text: &str, player: Player) -> Result<Vec<Piece>, String> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let names: Vec<String> = if text.contains(',') {
        text.strip_suffix(',').unwrap_or(text).split(',').map(str::to_owned).collect()
    } else {
        text.chars().map(String::from).collect()
    };
    let piece = |name: &String| {
        let piece = Piece::named(name).map_err(|e| e.to_string())?;
        if piece.owner() == player {
            Ok(piece)
        } else {
            Err(format!("{piece} is the other player's, so it is not in this hand"))
        }
    };
    names.iter().map(piece).collect()
}

/// Rows that do not draw a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct PositionError {
    /// Which row, the top one being 0.
    pub row: usize,
    /// The byte in that row.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_written_as_they_were_read() {
        for text in ["rk\n..\nPK\n", "#.#\n...\n#*#\n", "+P . n~\n. . .\n", "ж.\n.Ж\n"] {
            assert_eq!(Position::from_rows(text.lines()).unwrap().to_string(), text);
        }
        let spaced = Position::from_rows(["r k", ". P"]).unwrap();
        assert_eq!(spaced, Position::from_rows(["rk", ".P"]).unwrap());
        assert_eq!(spaced.at(Square(1)).to_string(), "P");
    }

    #[test]
    fn hands_are_kept_sorted() {
        let mut position = Position::from_rows(["..", ".."]).unwrap();
        position.set_hands([read_hand("PNP", Player::First).unwrap(), read_hand("-", Player::Second).unwrap()]);
        assert!(position.to_string().ends_with("hands NPP -\n"));
        for (text, pieces) in [("+P,N", 2), ("+P,", 1), ("AB", 2), ("AB,", 1), ("P", 1)] {
            assert_eq!(read_hand(text, Player::First).map(|hand| hand.len()), Ok(pieces), "{text}");
        }
        position.set_hands([read_hand("AB,", Player::First).unwrap(), read_hand("+p,n", Player::Second).unwrap()]);
        assert!(position.to_string().ends_with("hands AB, +p,n\n"));
        assert!(read_hand(",", Player::First).is_err());
        assert!(read_hand("Pp", Player::First).is_err());
    }

    #[test]
    fn bad_rows_are_refused_with_their_place() {
        let refused =
            |rows: &[&str]| Position::from_rows(rows.iter().copied()).map_err(|e| (e.row, e.column)).unwrap_err();
        assert_eq!(refused(&[]), (0, 0));
        assert_eq!(refused(&["..", "."]), (1, 0));
        assert_eq!(refused(&["..", ".1"]), (1, 1));
        assert_eq!(refused(&["P P", ". ?"]), (1, 2));
        assert_eq!(refused(&[".".repeat(33).as_str()]), (0, 0));
    }
}
