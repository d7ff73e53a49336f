//! Micro-moves and words: how a move is written.

use super::{Cell, Player};
use smallvec::SmallVec;
use std::fmt;

/// What a micro-move says of the square it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Content {
    /// `e`: it is empty.
    Empty,
    /// `w`: it holds a piece of the player to move.
    Own,
    /// `p`: it holds a piece of the opponent.
    Opponent,
    /// `d` and a name: what stands there is removed. A bare `d` removes whatever stands there.
    Remove(Option<Cell>),
    /// `a` and a name: the controlled piece is put down and this one appears in its place. A bare `a` stands in logs
    /// where the next position tells what appeared.
    Add(Option<Cell>),
}

/// One step of a word: where the cursor goes, and what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MicroMove {
    /// Files to the right.
    pub dx: i8,
    /// Ranks up the printed board.
    pub dy: i8,
    /// What is there.
    pub content: Content,
}

/// The micro-moves of one turn, from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(pub SmallVec<[MicroMove; 2]>);

impl MicroMove {
    /// The micro-move as the other player would make it: mirrored from bottom to top, with the colours swapped.
    pub fn turned(self) -> MicroMove {
        let content = match self.content {
            Content::Remove(Some(cell)) => Content::Remove(Some(cell.turned())),
            Content::Add(Some(cell)) => Content::Add(Some(cell.turned())),
            other => other,
        };
        MicroMove { dx: self.dx, dy: -self.dy, content }
    }
}

impl Word {
    /// The word as the other player would make it.
    pub fn turned(&self) -> Word {
        Word(self.0.iter().map(|micro| micro.turned()).collect())
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Content::Empty => f.write_str("e"),
            Content::Own => f.write_str("w"),
            Content::Opponent => f.write_str("p"),
            Content::Remove(None) => f.write_str("d"),
            Content::Remove(Some(cell)) => write!(f, "d{cell}"),
            Content::Add(None) => f.write_str("a"),
            Content::Add(Some(cell)) => write!(f, "a{cell}"),
        }
    }
}

impl fmt::Display for MicroMove {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "({} {} {})", self.dx, self.dy, self.content)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().try_for_each(|micro| micro.fmt(f))
    }
}

impl std::str::FromStr for Word {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Word, WordError> {
        let mut word = Word::default();
        word.read(text.as_bytes(), 0)?;
        Ok(word)
    }
}

impl Word {
    /// Replaces this word by the one written in `line` from the byte `from` to the end.
    ///
    /// Reads bytes with a cursor, since nearly all of a log is words.
    pub(crate) fn read(&mut self, line: &[u8], from: usize) -> Result<(), WordError> {
        self.0.clear();
        let mut cursor = Cursor { line, at: from };
        cursor.skip_spaces();
        while cursor.at < line.len() {
            let micro = if let Some(micro) = cursor.plain_micro_move() { micro } else { cursor.micro_move()? };
            self.0.push(micro);
            cursor.skip_spaces();
        }
        if self.0.is_empty() { cursor.refuse(cursor.at, "a micro-move such as (0 1 e)") } else { Ok(()) }
    }

    /// Whether there is no micro-move, which is no move at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Walks over the bytes of a line.
struct Cursor<'a> {
    line: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    fn refuse<T>(&self, at: usize, expected: &'static str) -> Result<T, WordError> {
        let rest = &self.line[at.min(self.line.len())..];
        let end = rest.iter().position(|b| b" \t()".contains(b)).unwrap_or(rest.len()).max(1).min(rest.len());
        Err(WordError { at, found: String::from_utf8_lossy(&rest[..end]).into_owned(), expected })
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), WordError> {
        self.skip_spaces();
        if self.peek() != Some(byte) {
            return self.refuse(self.at, expected);
        }
        self.at += 1;
        Ok(())
    }

    /// A micro-move in the plainest spelling, `(1 -1 e)`, which nearly all have: this halves the time of reading it.
    fn plain_micro_move(&mut self) -> Option<MicroMove> {
        let rest = &self.line[self.at..];
        let offset = |at: usize| {
            let (negative, at) = if *rest.get(at)? == b'-' { (true, at + 1) } else { (false, at) };
            let value = rest.get(at)?.wrapping_sub(b'0');
            let plain = value <= 9 && *rest.get(at + 1)? == b' ';
            plain.then(|| (if negative { -(value as i8) } else { value as i8 }, at + 2))
        };
        if rest.first() != Some(&b'(') {
            return None;
        }
        let (dx, at) = offset(1)?;
        let (dy, at) = offset(at)?;
        let content = match rest.get(at)? {
            b'e' => Content::Empty,
            b'w' => Content::Own,
            b'p' => Content::Opponent,
            _ => return None,
        };
        if *rest.get(at + 1)? != b')' {
            return None;
        }
        self.at += at + 2;
        Some(MicroMove { dx, dy, content })
    }

    fn micro_move(&mut self) -> Result<MicroMove, WordError> {
        self.expect(b'(', "'(' opening a micro-move such as (0 1 e)")?;
        let dx = self.offset()?;
        let dy = self.offset()?;
        let start = {
            self.skip_spaces();
            self.at
        };
        let content = self.content()?;
        if let Content::Add(_) = content
            && (dx, dy) != (0, 0)
        {
            return self.refuse(start, "(0 0 a..): a piece appears where the controlled one stands");
        }
        self.expect(b')', "')' closing the micro-move")?;
        Ok(MicroMove { dx, dy, content })
    }

    /// A number from -31 to 31: no board has longer steps.
    fn offset(&mut self) -> Result<i8, WordError> {
        const EXPECTED: &str = "a number of files or ranks from -31 to 31";
        self.skip_spaces();
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        self.at += usize::from(negative);
        let digits = self.at;
        // Wide enough for one digit more than is allowed, which is where it stops.
        let mut value = 0i16;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value * 10 + i16::from(digit - b'0');
            self.at += 1;
            if value > 31 {
                return self.refuse(start, EXPECTED);
            }
        }
        let ended = matches!(self.peek(), Some(b' ' | b'\t'));
        if self.at == digits || !ended {
            self.refuse(start, EXPECTED)
        } else {
            Ok(if negative { -value } else { value } as i8)
        }
    }

    fn content(&mut self) -> Result<Content, WordError> {
        const EXPECTED: &str = "a content: e, w, p, d or a, the last two with a piece's name";
        let start = self.at;
        let rest = &self.line[start..];
        let length = rest.iter().position(|b| b" \t)".contains(b)).unwrap_or(rest.len());
        let (content, name) = match &rest[..length] {
            b"e" => return self.took(1, Content::Empty),
            b"w" => return self.took(1, Content::Own),
            b"p" => return self.took(1, Content::Opponent),
            [letter @ (b'd' | b'a'), name @ ..] => (*letter, name),
            _ => return self.refuse(start, EXPECTED),
        };
        let cell = match name {
            [] => None,
            [byte] => Cell::from_byte(*byte).filter(|&cell| cell == Cell::WALL || cell.piece().is_some()),
            long => std::str::from_utf8(long).ok().and_then(|name| Cell::named(name).ok()),
        };
        if cell.is_none() && !name.is_empty() {
            return self.refuse(start, EXPECTED);
        }
        self.took(length, if content == b'd' { Content::Remove(cell) } else { Content::Add(cell) })
    }

    fn took(&mut self, bytes: usize, content: Content) -> Result<Content, WordError> {
        self.at += bytes;
        Ok(content)
    }
}

/// A text that is not a word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found {found:?}, expected {expected}")]
pub struct WordError {
    /// The byte where it went wrong.
    pub at: usize,
    /// What was there.
    pub found: String,
    /// What should have been there.
    pub expected: &'static str,
}

/// Whether a piece of `owner` answers to `content` for a word of `player`.
pub(super) fn is_side(content: Content, owner: Option<Player>, player: Player) -> bool {
    match content {
        Content::Own => owner == Some(player),
        Content::Opponent => owner == Some(player.other()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_as_they_were_read() {
        for text in [
            "(0 1 e)",
            "(1 1 p)(1 1 e)",
            "(-31 31 w)",
            "(1 1 dc)(1 1 e)",
            "(0 1 e)(0 0 aQ)",
            "(0 0 a+P)",
            "(0 0 d)(0 1 e)(0 0 a)",
            "(0 0 a*)",
        ] {
            assert_eq!(text.parse::<Word>().unwrap().to_string(), text);
        }
        assert_eq!(" (1  1 p) (1 1\te )".parse::<Word>().unwrap().to_string(), "(1 1 p)(1 1 e)");
    }

    #[test]
    fn what_is_no_word_is_refused_where_it_goes_wrong() {
        for (text, at) in [
            ("", 0),
            ("0 1 e", 0),
            ("(0 1 z)", 5),
            ("(0 1 e", 6),
            ("(0 32 e)", 3),
            ("(0 130 e)", 3),
            ("(-257 0 e)", 1),
            ("(0 999999999999 e)", 3),
            ("(0 -- e)", 3),
            ("(0 1e)", 3),
            ("(0 1 e)x", 7),
            ("(0 1 aQ)", 5),
            ("(0 1 d.)", 5),
            ("(0 1 d#)", 5),
            ("(0 1 d1)", 5),
            ("(0 1 ew)", 5),
            ("(0 1 )", 5),
        ] {
            assert_eq!(text.parse::<Word>().map_err(|e| e.at), Err(at), "{text}");
        }
    }
}
