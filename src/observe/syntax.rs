//! How the single lines of a record are written.

use super::error::{Fault, Problem};
use super::limits::MAX_MOVES;
use super::lines::is_space;
use super::{Cause, Listing, Move, Outcome};
use crate::board::{Piece, Player, Shape, Square, Word, read_hand};

/// The number on a line that holds nothing else.
pub(super) fn number(line: &[u8]) -> Option<u32> {
    let mut fields = LineFields::of(line);
    let number = fields.next()?.number()?;
    if fields.next().is_some() { None } else { u32::try_from(number).ok() }
}

/// Whether a line is an outcome and not a row of a board. `*` alone is an outcome, although it could be a wall.
pub(super) fn is_outcome(line: &[u8]) -> bool {
    let mut fields = LineFields::of(line);
    match (fields.next().map(|field| field.bytes), fields.next()) {
        (Some(b"-1" | b"0" | b"1"), _) | (Some(b"*"), None) => true,
        (Some(b"*"), Some(cause)) => read_cause(cause.bytes).is_some() && fields.next().is_none(),
        _ => false,
    }
}

/// Whether a line gives the hands. A row of five pieces may read `hands` too, but nothing follows there.
pub(super) fn is_hands(line: &[u8]) -> bool {
    let mut fields = LineFields::of(line);
    fields.next().is_some_and(|field| field.bytes == b"hands") && fields.next().is_some()
}

/// Whether a line is like `b all 20`. No row is, since no piece's name is a number.
pub(super) fn is_turn(line: &[u8]) -> bool {
    turn(line).is_ok()
}

/// Whether a line looks like a move, so that it is hardly a damaged number.
pub(super) fn is_move(line: &[u8]) -> bool {
    let first = LineFields::of(line).next().map(|field| field.bytes);
    match first {
        Some(b"pass") => true,
        Some([b'0'..=b'9', ..]) => line.contains(&b'(') && line.ends_with(b")"),
        _ => false,
    }
}

/// `hands PPN pp`
pub(super) fn hands(line: &[u8]) -> Result<[Vec<Piece>; 2], Fault> {
    let mut fields = LineFields::of(line);
    fields.next();
    let mut hand = |player: Player| {
        let Some(field) = fields.next() else {
            return Err(fields.missing(|_| Problem::Hands { reason: "found one hand".to_owned() }));
        };
        read_hand(&String::from_utf8_lossy(field.bytes), player)
            .map_err(|reason| field.refuse(|_| Problem::Hands { reason }))
    };
    let hands = [hand(Player::First)?, hand(Player::Second)?];
    fields.end()?;
    Ok(hands)
}

/// `*`, or `1 people`
pub(super) fn outcome(line: &[u8]) -> Result<(Option<Outcome>, Cause), Fault> {
    let mut fields = LineFields::of(line);
    let missing = |found| Problem::Outcome { found };
    let field = fields.next().ok_or_else(|| fields.missing(missing))?;
    let outcome = match field.bytes {
        b"*" => None,
        b"-1" => Some(Outcome::Lost),
        b"0" => Some(Outcome::Tied),
        b"1" => Some(Outcome::Won),
        _ => return Err(fields.whole().refuse(missing)),
    };
    let cause = match fields.next() {
        None => Cause::Position,
        Some(field) => read_cause(field.bytes).ok_or_else(|| field.refuse(|found| Problem::Cause { found }))?,
    };
    fields.end()?;
    Ok((outcome, cause))
}

fn read_cause(name: &[u8]) -> Option<Cause> {
    match name {
        b"position" => Some(Cause::Position),
        b"people" => Some(Cause::People),
        b"cut" => Some(Cause::Cut),
        _ => None,
    }
}

/// What `b all 20` says, and where the number is, since it may be refused later.
pub(super) struct TurnLine<'a> {
    pub player: Player,
    pub listing: Listing,
    pub count: u32,
    pub count_field: Field<'a>,
}

/// `b all 20`
pub(super) fn turn(line: &[u8]) -> Result<TurnLine<'_>, Fault> {
    let mut fields = LineFields::of(line);
    let player = match fields.next() {
        Some(Field { bytes: b"w", .. }) => Player::First,
        Some(Field { bytes: b"b", .. }) => Player::Second,
        _ => return Err(fields.whole().refuse(|found| Problem::TurnLine { found })),
    };
    let missing = |found| Problem::Listing { found };
    let listing = match fields.next() {
        Some(Field { bytes: b"all", .. }) => Listing::All,
        Some(Field { bytes: b"some", .. }) => Listing::Some,
        Some(field) => return Err(field.refuse(missing)),
        None => return Err(fields.missing(missing)),
    };
    let missing = |found| Problem::Count { found };
    let field = fields.next().ok_or_else(|| fields.missing(missing))?;
    let count = field.number().filter(|&count| count <= u64::from(MAX_MOVES)).ok_or_else(|| field.refuse(missing))?;
    fields.end()?;
    Ok(TurnLine { player, listing, count: count as u32, count_field: field })
}

/// Reads `48 (0 -1 e)` or `pass` into a move, keeping the room that its word has.
pub(super) fn read_move(line: &[u8], read: &mut Move, shape: Shape) -> Result<(), Fault> {
    let mut at = 0;
    let mut number = 0u64;
    while let Some(digit @ b'0'..=b'9') = line.get(at) {
        number = number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
        at += 1;
    }
    if at == 0 || !matches!(line.get(at), Some(b' ' | b'\t' | b'(')) {
        return read_unusual_move(line, read, shape);
    }
    if number >= shape.squares() as u64 {
        return Err(Fault::new(0, at, Problem::Square { found: number, shape }));
    }
    if let Move::Pass = read {
        *read = Move::Word { start: Square(0), word: Word::default() };
    }
    if let Move::Word { start, word } = read {
        *start = Square(number as u16);
        word.read(line, at).map_err(|error| Fault::new(error.at, error.found.len(), Problem::Word(error)))?;
    }
    Ok(())
}

/// A pass, a move behind spaces, or no move at all.
#[cold]
fn read_unusual_move(line: &[u8], read: &mut Move, shape: Shape) -> Result<(), Fault> {
    let mut fields = LineFields::of(line);
    let first = fields.next().unwrap_or(Field { at: 0, bytes: b"" });
    if first.bytes == b"pass" {
        *read = Move::Pass;
        return fields.end();
    }
    if first.at > 0 && first.bytes[0].is_ascii_digit() {
        return read_move(&line[first.at..], read, shape).map_err(|fault| Fault { at: fault.at + first.at, ..fault });
    }
    Err(first.refuse(|found| Problem::Move { found }))
}

/// The bytes of a square in a row, by its file: from where, and how many.
pub(super) fn square_in_row(line: &[u8], file: usize) -> (usize, usize) {
    let mut fields = LineFields::of(line);
    let first = fields.next().unwrap_or(Field { at: 0, bytes: b"" });
    if fields.next().is_some() {
        return LineFields::of(line).nth(file).map_or((0, line.len()), |field| (field.at, field.bytes.len()));
    }
    let text = String::from_utf8_lossy(first.bytes);
    let square = text.char_indices().nth(file).map(|(at, c)| (first.at + at, c.len_utf8()));
    square.unwrap_or((0, line.len()))
}

/// The bytes of a line's first field: from where, and how many.
pub(super) fn first_field(line: &[u8]) -> (usize, usize) {
    LineFields::of(line).next().map_or((0, line.len()), |field| (field.at, field.bytes.len()))
}

/// The bytes of a micro-move in a move, by its number: from where, and how many.
pub(super) fn micro_move_in(line: &[u8], index: usize) -> (usize, usize) {
    let opening = |&(_, &byte): &(usize, &u8)| byte == b'(';
    let Some((from, _)) = line.iter().enumerate().filter(opening).nth(index) else { return (0, line.len()) };
    let length = line[from..].iter().position(|&byte| byte == b')').map_or(line.len() - from, |at| at + 1);
    (from, length)
}

/// How much of a line a message repeats.
const QUOTED: usize = 40;

/// A line, or a part of it, for a message.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut chars = text.chars();
    let mut short: String = chars.by_ref().take(QUOTED).collect();
    short.extend(chars.next().map(|_| '…'));
    short
}

/// A part of a line between spaces.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    at: usize,
    bytes: &'a [u8],
}

impl Field<'_> {
    /// The text for a message, shortened.
    fn text(&self) -> String {
        quoted(self.bytes)
    }

    fn number(&self) -> Option<u64> {
        let digit = |byte: &u8| byte.is_ascii_digit().then(|| u64::from(byte - b'0'));
        let next = |number: u64, byte| number.checked_mul(10)?.checked_add(digit(byte)?);
        if self.bytes.is_empty() { None } else { self.bytes.iter().try_fold(0, next) }
    }

    pub fn refuse(&self, problem: impl FnOnce(String) -> Problem) -> Fault {
        Fault::new(self.at, self.bytes.len(), problem(self.text()))
    }
}

/// Goes over the fields of a line.
struct LineFields<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> LineFields<'a> {
    fn of(line: &'a [u8]) -> LineFields<'a> {
        LineFields { line, at: 0 }
    }

    /// The line from its first field to its last.
    fn whole(&self) -> Field<'a> {
        let at = self.line.iter().position(|&byte| !is_space(byte)).unwrap_or(self.line.len());
        Field { at, bytes: &self.line[at..] }
    }

    /// What to say where another field should begin.
    fn missing(&self, problem: impl FnOnce(String) -> Problem) -> Fault {
        Fault::new(self.line.len(), 0, problem(String::new()))
    }

    fn end(&mut self) -> Result<(), Fault> {
        self.next().map_or(Ok(()), |field| Err(field.refuse(|found| Problem::Trailing { found })))
    }
}

impl<'a> Iterator for LineFields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        let rest = &self.line[self.at..];
        let from = rest.iter().position(|&byte| !is_space(byte))?;
        let bytes = &rest[from..];
        let bytes = &bytes[..bytes.iter().position(|&byte| is_space(byte)).unwrap_or(bytes.len())];
        let at = self.at + from;
        self.at = at + bytes.len();
        Some(Field { at, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        for (line, is) in [
            ("*", "outcome"),
            ("* cut", "outcome"),
            ("* people", "outcome"),
            ("-1", "outcome"),
            ("0 position", "outcome"),
            // The cause is wrong, but no row begins with a number.
            ("1 peeple", "outcome"),
            ("* k", "row"),
            ("* cut k", "row"),
            ("**", "row"),
            ("hands", "row"),
            ("hands - -", "hands"),
            ("hands P", "hands"),
            ("handsP", "row"),
            ("b all 20", "turn"),
            (" w  some\t0", "turn"),
            ("b all", "row"),
            ("b all k", "row"),
            ("pass", "move"),
            ("3 (0 1 e)", "move"),
            ("(3", "row"),
            ("3(", "row"),
        ] {
            let found = [("outcome", is_outcome(line.as_bytes())), ("hands", is_hands(line.as_bytes()))];
            let found =
                found.into_iter().chain([("turn", is_turn(line.as_bytes())), ("move", is_move(line.as_bytes()))]);
            let found: Vec<&str> = found.filter(|(_, holds)| *holds).map(|(name, _)| name).collect();
            assert_eq!(found, if is == "row" { vec![] } else { vec![is] }, "{line}");
        }
    }

    #[test]
    fn numbers_stand_alone() {
        for (line, expected) in [
            ("12", Some(12)),
            (" 1", Some(1)),
            ("4294967295", Some(u32::MAX)),
            ("4294967296", None),
            ("99999999999999999999999", None),
            ("1 2", None),
            ("+1", None),
            ("-1", None),
            ("1st", None),
        ] {
            assert_eq!(number(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn squares_and_micro_moves_are_found_in_their_lines() {
        for (line, file, place) in
            [("abc", 1, (1, 1)), (" abc", 0, (1, 1)), ("жжж", 2, (4, 2)), ("+P  .\tn~", 2, (6, 2)), ("a b", 0, (0, 1))]
        {
            assert_eq!(square_in_row(line.as_bytes(), file), place, "{line}");
        }
        assert_eq!(micro_move_in(b"3 (0 1 e) (1 1 dc)", 1), (10, 8));
        assert_eq!(micro_move_in(b"3 (0 1 e", 0), (2, 6));
    }
}
