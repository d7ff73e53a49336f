//! Writing logs.

use super::limits::{MAX_GAME, MAX_LINE, MAX_MOVES};
use super::{Cause, Listing, Move, Outcome, Record};
use crate::board::{Cell, Content, Piece, Player, Position, Word};
use std::io::{self, Write};

/// How many bytes are collected before they are written.
const ROOM: usize = 1 << 16;

/// Writes records in the log's canonical form: rows without spaces unless a name needs them, micro-moves side by side.
///
/// What it has written reads back equal. Call [`LogWriter::finish`] at the end: what is dropped unfinished lacks its
/// last records.
///
/// ```
/// use onlooker::observe::{LogReader, LogWriter};
///
/// let log = "; a comment\n1\n. .\nP .\n* position\nw all 1\n0 ( 0 1 e )\n";
/// let mut writer = LogWriter::new(Vec::new());
/// for record in LogReader::new(log.as_bytes()) {
///     writer.write(&record?)?;
/// }
/// assert_eq!(writer.finish()?, b"1\n..\nP.\n*\nw all 1\n0 (0 1 e)\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "the last records are written by finish()"]
pub struct LogWriter<W> {
    output: W,
    room: Vec<u8>,
    /// Of the game so far.
    game_bytes: usize,
}

impl<W: Write> LogWriter<W> {
    /// Writes to `output`, which need not be buffered.
    pub fn new(output: W) -> LogWriter<W> {
        LogWriter { output, room: Vec::with_capacity(2 * ROOM), game_bytes: 0 }
    }

    /// Writes one record.
    ///
    /// # Errors
    ///
    /// If the output fails. An error of the kind [`io::ErrorKind::InvalidInput`] says that the log has no way of writing such
    /// a record, or that it would be too large to be read; then nothing of it has been written.
    pub fn write(&mut self, record: &Record) -> io::Result<()> {
        let spaced = record.position.is_spaced();
        if let Some(reason) = unwritable(record, spaced) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        let room = &mut self.room;
        let before = room.len();
        let mut longest_line = 0;
        push_number(room, record.number.into());
        room.push(b'\n');
        push_position(room, &record.position, spaced);
        room.extend_from_slice(match record.outcome {
            None => b"*",
            Some(Outcome::Lost) => b"-1",
            Some(Outcome::Tied) => b"0",
            Some(Outcome::Won) => b"1",
        });
        room.extend_from_slice(match record.cause {
            Cause::Position => b"\n",
            Cause::People => b" people\n",
            Cause::Cut => b" cut\n",
        });
        room.push(record.turn.letter() as u8);
        room.extend_from_slice(match record.listing {
            Listing::All => b" all ",
            Listing::Some => b" some ",
        });
        push_number(room, record.moves.len() as u64);
        room.push(b'\n');
        for listed in &record.moves {
            let line = room.len();
            match listed {
                Move::Pass => room.extend_from_slice(b"pass"),
                Move::Word { start, word } => {
                    push_number(room, start.0.into());
                    room.push(b' ');
                    push_word(room, word);
                }
            }
            room.push(b'\n');
            longest_line = longest_line.max(room.len() - line);
        }
        let game_bytes = if record.number == 1 { 0 } else { self.game_bytes };
        self.game_bytes = game_bytes + (room.len() - before);
        if self.game_bytes > MAX_GAME || longest_line > MAX_LINE || record.moves.len() > MAX_MOVES as usize {
            room.truncate(before);
            let reason = if self.game_bytes > MAX_GAME {
                format!("a game would have more than {MAX_GAME} bytes, which is more than can be read")
            } else {
                "a record has more or longer moves than can be read".to_owned()
            };
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        if self.room.len() >= ROOM { self.write_room() } else { Ok(()) }
    }

    /// Writes what is left and returns the output.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_room()?;
        self.output.flush()?;
        Ok(self.output)
    }

    fn write_room(&mut self) -> io::Result<()> {
        self.output.write_all(&self.room)?;
        self.room.clear();
        Ok(())
    }
}

/// Why the log cannot say this, if it cannot: a row that looks like the line after the rows, or like another row.
fn unwritable(record: &Record, spaced: bool) -> Option<&'static str> {
    let width = record.position.shape().width();
    if width == 1 && spaced {
        return Some("a name of several characters cannot be written on a board that is one square wide");
    }
    if record.number != 1 || !(width == 1 || spaced) {
        return None;
    }
    let looks_like_another_line = |row: &[Cell]| {
        let name_of = |file: usize| row[file].to_string();
        row == [Cell::WALL]
            || width > 1 && name_of(0) == "hands"
            || width == 2 && row[0] == Cell::WALL && ["people", "cut"].contains(&name_of(1).as_str())
    };
    let mut rows = record.position.cells().chunks(width);
    rows.any(looks_like_another_line).then_some("a row of the game's first position would be taken for another line")
}

fn push_position(room: &mut Vec<u8>, position: &Position, spaced: bool) {
    for row in position.cells().rchunks(position.shape().width()) {
        for (file, &cell) in row.iter().enumerate() {
            if spaced && file > 0 {
                room.push(b' ');
            }
            match cell.byte() {
                Some(byte) => room.push(byte),
                None => room.extend(cell.bytes()),
            }
        }
        room.push(b'\n');
    }
    if let (Some(first), Some(second)) = (position.hand(Player::First), position.hand(Player::Second)) {
        room.extend_from_slice(b"hands ");
        push_hand(room, first);
        room.push(b' ');
        push_hand(room, second);
        room.push(b'\n');
    }
}

fn push_hand(room: &mut Vec<u8>, hand: &[Piece]) {
    let commas = hand.iter().any(|piece| piece.cell().is_long());
    for (index, piece) in hand.iter().enumerate() {
        if commas && index > 0 {
            room.push(b',');
        }
        room.extend(piece.cell().bytes());
    }
    if hand.is_empty() {
        room.push(b'-');
    } else if commas && hand.len() == 1 {
        // Otherwise each character would be a piece.
        room.push(b',');
    }
}

fn push_word(room: &mut Vec<u8>, word: &Word) {
    for micro in &word.0 {
        room.push(b'(');
        push_offset(room, micro.dx);
        push_offset(room, micro.dy);
        let (letter, name) = match micro.content {
            Content::Empty => (b'e', None),
            Content::Own => (b'w', None),
            Content::Opponent => (b'p', None),
            Content::Remove(name) => (b'd', name),
            Content::Add(name) => (b'a', name),
        };
        room.push(letter);
        if let Some(name) = name {
            room.extend(name.bytes());
        }
        room.push(b')');
    }
}

/// A number of files or ranks, and the space after it.
fn push_offset(room: &mut Vec<u8>, offset: i8) {
    if offset < 0 {
        room.push(b'-');
    }
    push_number(room, offset.unsigned_abs().into());
    room.push(b' ');
}

fn push_number(room: &mut Vec<u8>, number: u64) {
    if number < 10 {
        room.push(b'0' + number as u8);
        return;
    }
    let mut digits = [0; 20];
    let mut from = digits.len();
    let mut rest = number;
    while rest > 0 {
        from -= 1;
        digits[from] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    room.extend_from_slice(&digits[from..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::LogReader;

    #[test]
    fn what_a_log_cannot_say_is_refused() {
        for (number, rows, writable) in [
            (1, &["*", "."][..], false),
            (2, &["*", "."], true),
            (1, &["P", "."], true),
            (1, &["* cut"], false),
            (1, &["* cut ."], true),
            (1, &["hands x"], false),
            (1, &["hands"], true),
            (2, &["hands x"], true),
        ] {
            let position = Position::from_rows(rows.iter().copied()).unwrap();
            let record = Record { number, position, moves: vec![Move::Pass], ..Record::default() };
            assert_eq!(LogWriter::new(Vec::new()).write(&record).is_ok(), writable, "{number} {rows:?}");
        }
        let mut position = Position::from_rows([".", "P"]).unwrap();
        position.set(crate::board::Square(1), Cell::named("+P").unwrap());
        assert!(LogWriter::new(Vec::new()).write(&Record { position, ..Record::default() }).is_err());
    }

    #[test]
    fn rows_that_look_like_other_lines_are_read_where_the_board_is_known() {
        let log = "1\n.\n*\nw some 1\n0 (0 0 a*)\n2\n*\n*\nb some 1\npass\n";
        let records: Vec<Record> = LogReader::new(log.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(records[1].position.at(crate::board::Square(0)), Cell::WALL);
        let mut writer = LogWriter::new(Vec::new());
        records.iter().for_each(|record| writer.write(record).unwrap());
        assert_eq!(writer.finish().unwrap(), log.as_bytes());
    }

    #[test]
    fn numbers_are_written_as_they_are() {
        for number in [0, 9, 10, 99, 100, 1023, u64::from(u32::MAX)] {
            let mut room = Vec::new();
            push_number(&mut room, number);
            assert_eq!(room, number.to_string().as_bytes());
        }
    }
}
