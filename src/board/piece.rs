//! Pieces and what can stand on a square.

use std::fmt;

/// One of the two players of a log. A game for one has only the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// The player with the UPPERCASE pieces, written `w`.
    First,
    /// The player with the lowercase pieces, written `b`.
    Second,
}

impl Player {
    /// The other one.
    pub fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The letter of the log: `w` or `b`.
    pub fn letter(self) -> char {
        match self {
            Player::First => 'w',
            Player::Second => 'b',
        }
    }
}

/// What is on a square: nothing, a piece, a wall that appeared during play, or no square at all.
///
/// It is its own name: the bytes of the name lie in the number, with a tag for the owner above them. So cells need no
/// table of names, are equal exactly if they are written alike, and the owner is read off in one step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u64);

/// How many bytes of UTF-8 a piece's name may have.
const NAME_BYTES: usize = 7;

const EMPTY: u64 = 0;
const FIRST: u64 = 1;
const SECOND: u64 = 2;
const WALL: u64 = 3;
const HOLE: u64 = 4;

impl Cell {
    /// An empty square, `.`.
    pub const EMPTY: Cell = Cell::tagged(EMPTY, b".");
    /// A wall that appeared during play, `*`.
    pub const WALL: Cell = Cell::tagged(WALL, b"*");
    /// Not a part of the board, `#`.
    pub const HOLE: Cell = Cell::tagged(HOLE, b"#");

    /// For learners: the piece of one's own that the word took last. No piece has such a name, and it turns into itself.
    pub(crate) const TAKEN_OWN: Cell = Cell::tagged(FIRST, b":T");
    /// For learners: the opponent's piece that the word took last.
    pub(crate) const TAKEN_ENEMY: Cell = Cell::tagged(SECOND, b":t");

    const fn tagged(tag: u64, name: &[u8]) -> Cell {
        let mut bits = tag << (8 * NAME_BYTES);
        let mut i = 0;
        while i < name.len() {
            bits |= (name[i] as u64) << (8 * (NAME_BYTES - 1 - i));
            i += 1;
        }
        Cell(bits)
    }

    /// What a single byte of a drawn row means; `None` if it is not a content by itself. A table, since every square
    /// of every record of a log goes through it.
    pub(crate) fn from_byte(byte: u8) -> Option<Cell> {
        const TABLE: [u64; 256] = {
            let mut table = [u64::MAX; 256];
            let mut letter = 0;
            while letter < 26 {
                let (upper, lower) = (b'A' + letter, b'a' + letter);
                table[upper as usize] = Cell::tagged(FIRST, &[upper]).0;
                table[lower as usize] = Cell::tagged(SECOND, &[lower]).0;
                letter += 1;
            }
            table[b'.' as usize] = Cell::EMPTY.0;
            table[b'*' as usize] = Cell::WALL.0;
            table[b'#' as usize] = Cell::HOLE.0;
            table
        };
        let bits = TABLE[usize::from(byte)];
        (bits != u64::MAX).then_some(Cell(bits))
    }

    /// The content with this name: `.`, `*`, `#` or a piece's name.
    ///
    /// # Errors
    ///
    /// [`NameError`] if it is none of these.
    pub fn named(name: &str) -> Result<Cell, NameError> {
        match name {
            "." => Ok(Cell::EMPTY),
            "*" => Ok(Cell::WALL),
            "#" => Ok(Cell::HOLE),
            _ => Piece::named(name).map(Piece::cell),
        }
    }

    /// The piece here, if there is one.
    pub fn piece(self) -> Option<Piece> {
        matches!(self.0 >> (8 * NAME_BYTES), FIRST | SECOND).then_some(Piece(self))
    }

    /// Who owns the piece here, if there is one.
    pub fn owner(self) -> Option<Player> {
        match self.0 >> (8 * NAME_BYTES) {
            FIRST => Some(Player::First),
            SECOND => Some(Player::Second),
            _ => None,
        }
    }

    /// Whether nothing is here.
    pub fn is_empty(self) -> bool {
        self == Cell::EMPTY
    }

    /// The same content with a piece going over to the other player.
    pub fn turned(self) -> Cell {
        self.piece().map_or(self, |piece| piece.turned().cell())
    }

    /// Whether the name takes more than one character, so that a row must be written with spaces.
    pub fn is_long(self) -> bool {
        if self.byte().is_some() {
            return false;
        }
        let mut name = self.bytes();
        name.next();
        name.any(|byte| !(0x80..0xC0).contains(&byte))
    }

    /// The name, if it is a single byte, as nearly all are.
    pub(crate) fn byte(self) -> Option<u8> {
        const FIRST_BYTE: u32 = 8 * (NAME_BYTES as u32 - 1);
        (self.0 & ((1 << FIRST_BYTE) - 1) == 0).then_some((self.0 >> FIRST_BYTE) as u8)
    }

    /// The bytes of the name, for writers to whom formatting is too slow.
    pub(crate) fn bytes(self) -> impl Iterator<Item = u8> {
        self.0.to_be_bytes().into_iter().skip(1).take_while(|&byte| byte != 0)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let bytes = self.0.to_be_bytes();
        let name = bytes[1..].split(|&byte| byte == 0).next().unwrap_or_default();
        f.write_str(std::str::from_utf8(name).unwrap_or("?"))
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Cell({self})")
    }
}

/// A piece: a name whose letter is UPPERCASE for the first player and lowercase for the second, such as `P`, `q`,
/// `+P` or `N~`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(Cell);

impl Piece {
    /// The piece with this name.
    ///
    /// # Errors
    ///
    /// [`NameError`] if it is empty or longer than 7 bytes, has no letter, or has characters that mean something else.
    pub fn named(name: &str) -> Result<Piece, NameError> {
        let refused = |reason| Err(NameError { name: name.to_owned(), reason });
        if name.is_empty() || name.len() > NAME_BYTES {
            return refused("a piece's name has 1 to 7 bytes");
        }
        let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"().,;:|#*".contains(c);
        if !name.chars().all(plain) {
            return refused("a piece's name has no spaces and none of ( ) . , ; : | # *");
        }
        let tag = name.chars().find_map(|c| match c {
            c if c.is_uppercase() => Some(FIRST),
            c if c.is_lowercase() => Some(SECOND),
            _ => None,
        });
        match tag {
            Some(tag) => Ok(Piece(Cell::tagged(tag, name.as_bytes()))),
            None => refused("a piece's name has a letter, UPPERCASE for the first player, lowercase for the second"),
        }
    }

    /// The square's content when this piece stands on it.
    pub fn cell(self) -> Cell {
        self.0
    }

    /// Whose it is.
    pub fn owner(self) -> Player {
        if self.0.0 >> (8 * NAME_BYTES) == FIRST { Player::First } else { Player::Second }
    }

    /// The same kind of piece of the other player, if its name with the other case is a name (`ß` has none).
    pub fn turned(self) -> Piece {
        let swap = |c: char| -> String {
            if c.is_uppercase() { c.to_lowercase().collect() } else { c.to_uppercase().collect() }
        };
        let name: String = self.0.to_string().chars().map(swap).collect();
        Piece::named(&name).unwrap_or(self)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Piece({self})")
    }
}

/// A name that no piece can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not a piece: {reason}")]
pub struct NameError {
    /// What was given.
    pub name: String,
    /// What a name must be like.
    pub reason: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_owner() {
        for (name, owner) in [
            ("P", Player::First),
            ("q", Player::Second),
            ("+P", Player::First),
            ("n~", Player::Second),
            ("Ж", Player::First),
        ] {
            let piece = Piece::named(name).unwrap();
            assert_eq!(piece.owner(), owner, "{name}");
            assert_eq!(piece.to_string(), name);
            assert_eq!(piece.turned().owner(), owner.other(), "{name}");
            assert_eq!(piece.turned().turned(), piece);
            assert_eq!(piece.cell().is_long(), name.chars().count() > 1, "{name}");
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for name in ["", ".", "#", "*", "1", "+", "a b", "(P", "P;", "ABCDEFGH", "日"] {
            assert_eq!(Piece::named(name).map_err(|e| e.name), Err(name.to_owned()));
        }
    }

    #[test]
    fn a_byte_means_what_its_name_means() {
        for byte in 0..=127u8 {
            let name = char::from(byte).to_string();
            assert_eq!(Cell::from_byte(byte), Cell::named(&name).ok(), "{name:?}");
            assert!(Cell::from_byte(byte).is_none_or(|cell| cell.byte() == Some(byte)));
        }
    }
}
