//! The lines of a log that say something.

use super::error::Problem;
use super::limits::MAX_LINE;
use memchr::memchr;
use std::io::{ErrorKind, Read};

/// Room for so many lines at once that moving them costs nothing, yet few enough to stay in the cache.
const ROOM: usize = 1 << 16;

/// Room for the longest line, should it come.
const LONG_ROOM: usize = 2 * MAX_LINE;

/// Reads line after line into a room that does not grow with the log, and skips comments and blank lines.
pub(super) struct Lines<R> {
    input: R,
    room: Vec<u8>,
    /// The bytes of `room` that are read but not yet handed out.
    next: usize,
    filled: usize,
    /// The bytes of `room` that are the current line, without spaces at its end.
    start: usize,
    end: usize,
    number: u64,
    /// The input has no more bytes.
    drained: bool,
    /// The current line is to be handed out once more.
    again: bool,
    /// The current line was too long, and its end has not come yet.
    long: bool,
}

impl<R: Read> Lines<R> {
    pub fn new(input: R) -> Lines<R> {
        Lines {
            input,
            room: vec![0; ROOM],
            next: 0,
            filled: 0,
            start: 0,
            end: 0,
            number: 0,
            drained: false,
            again: false,
            long: false,
        }
    }

    /// The current line. It is empty before the first one and after the last.
    pub fn line(&self) -> &[u8] {
        &self.room[self.start..self.end]
    }

    /// The number of the current line, counted from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Lets [`Lines::advance`] hand out the current line once more.
    pub fn again(&mut self) {
        self.again = self.end > self.start;
    }

    /// Goes on to the next line that says something; `false` at the end, where the current line is an empty one after
    /// all others.
    pub fn advance(&mut self) -> Result<bool, Problem> {
        if std::mem::take(&mut self.again) {
            return Ok(true);
        }
        loop {
            if !self.advance_to_any()? {
                return Ok(false);
            }
            let line = &self.room[self.start..self.end];
            match line.iter().find(|&&byte| !is_space(byte)) {
                None => {}
                Some(b';') => check_text(line)?,
                Some(_) => return Ok(true),
            }
        }
    }

    fn advance_to_any(&mut self) -> Result<bool, Problem> {
        if std::mem::take(&mut self.long) {
            self.skip_line()?;
        }
        let mut scanned = 0;
        let length = loop {
            let rest = &self.room[self.next + scanned..self.filled];
            if let Some(length) = memchr(b'\n', rest) {
                break scanned + length;
            }
            scanned += rest.len();
            if scanned > MAX_LINE {
                break scanned;
            }
            if !self.fill()? {
                break scanned;
            }
        };
        self.number += 1;
        self.start = self.next;
        if length > MAX_LINE {
            self.end = self.start + length;
            self.next = self.end;
            self.long = true;
            check_text(self.line())?;
            return Err(Problem::LongLine);
        }
        let mut end = self.start + length;
        self.next = (end + 1).min(self.filled);
        if end == self.filled && length == 0 {
            self.end = self.start;
            return Ok(false);
        }
        if self.number == 1 && self.room[self.start..end].starts_with("\u{FEFF}".as_bytes()) {
            self.start += "\u{FEFF}".len();
        }
        while end > self.start && is_space(self.room[end - 1]) {
            end -= 1;
        }
        self.end = end;
        Ok(true)
    }

    /// Throws away what is left of a line that was too long.
    fn skip_line(&mut self) -> Result<(), Problem> {
        loop {
            match memchr(b'\n', &self.room[self.next..self.filled]) {
                Some(length) => {
                    self.next += length + 1;
                    return Ok(());
                }
                None => self.next = self.filled,
            }
            if !self.fill()? {
                return Ok(());
            }
        }
    }

    /// Reads more bytes behind those that have not been handed out; `false` if there are none.
    fn fill(&mut self) -> Result<bool, Problem> {
        self.room.copy_within(self.next..self.filled, 0);
        self.filled -= self.next;
        self.next = 0;
        (self.start, self.end) = (0, 0);
        if self.filled == self.room.len() {
            self.room.resize(LONG_ROOM, 0);
        }
        while !self.drained {
            match self.input.read(&mut self.room[self.filled..]) {
                Ok(0) => self.drained = true,
                Ok(bytes) => {
                    self.filled += bytes;
                    return Ok(true);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    // Nothing good comes after a failure, so half a line must not look like a whole one.
                    self.drained = true;
                    self.next = self.filled;
                    self.number += 1;
                    return Err(Problem::Input(error));
                }
            }
        }
        Ok(false)
    }
}

/// Whether a byte may stand before and after what a line says.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// Refuses bytes that are not UTF-8.
pub(super) fn check_text(line: &[u8]) -> Result<(), Problem> {
    match std::str::from_utf8(line) {
        // A line that was cut off at its greatest length may end within a character.
        Err(error) if error.error_len().is_some() || line.len() <= MAX_LINE => {
            Err(Problem::NotText { byte: line[error.valid_up_to()] })
        }
        _ => Ok(()),
    }
}
