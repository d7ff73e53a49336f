//! Text that was saved: lines of fields, with the place of what does not belong there.
//!
//! In comes a text with a title, lines, and a last line `end LINES CHECKSUM`; out come its fields, one after another, or
//! a [`SavedError`] that tells the line, the column, what was found and what was expected. What the lines mean is up to
//! those who saved them. LINES is the number of lines above the last one, CHECKSUM the CRC-32 of their bytes in eight
//! hexadecimal digits: what was cut off, changed or joined with something else is refused.

mod bounded_lines;
mod digest;
mod fields;
mod writer;

pub(crate) use bounded_lines::{BoundedLines, LineError};
pub(crate) use digest::digest;
pub(crate) use fields::{Fault, Fields};
pub(crate) use writer::SavedWriter;

use std::io::{self, BufRead};

/// The longest line that saved text may have, in bytes. Writers break up what could be longer.
pub(crate) const MAX_SAVED_LINE: usize = 4 << 20;

/// A text that is not what was saved.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// It could not be read.
    #[error("it cannot be read")]
    Io(#[from] io::Error),
    /// A line says nothing.
    #[error("line {line}, column {column}: found {found:?}, expected {expected}")]
    Line {
        /// Counted from 1.
        line: u64,
        /// Counted from 1, in characters.
        column: usize,
        /// What was there.
        found: String,
        /// What should have been there.
        expected: &'static str,
    },
}

/// The first line of a kind of saved text.
pub(crate) struct Title {
    /// The line.
    pub line: &'static str,
    /// What to say where it is missing.
    pub expected: &'static str,
    /// The first words of the same line in other versions, and what to say to those.
    pub other_version: (&'static str, &'static str),
}

/// Reads the lines between the title and the end line. Only if this succeeds may be trusted what `read` was given.
pub(crate) fn read_lines(
    input: impl BufRead,
    title: &Title,
    mut read: impl FnMut(&str) -> Result<(), Fault>,
) -> Result<(), SavedError> {
    let mut lines = BoundedLines::new(input, MAX_SAVED_LINE);
    let mut checksum = crc32fast::Hasher::new();
    loop {
        let number = lines.number() + 1;
        let fault =
            |found: &str, expected| SavedError::Line { line: number, column: 1, found: found.to_owned(), expected };
        match lines.advance() {
            Ok(true) => {}
            Ok(false) if number == 1 => return Err(fault("", title.expected)),
            Ok(false) => return Err(fault("the end of the file", CUT_OFF)),
            Err(LineError::Io(error)) => return Err(error.into()),
            Err(LineError::TooLong) => return Err(fault("more than 4194304 bytes", "the end of the line before that")),
        }
        let Ok(text) = std::str::from_utf8(lines.line()) else {
            return Err(fault("bytes that are not UTF-8", "a line of text"));
        };
        let whole = text.strip_suffix('\n');
        let line = whole.unwrap_or(text);
        let is_end = number > 1 && line.starts_with("end ");
        let done = match whole {
            _ if number == 1 && line != title.line => {
                let (words, expected) = title.other_version;
                Err((0, if line.starts_with(words) { expected } else { title.expected }))
            }
            None => Err((line.len(), CUT_OFF)),
            Some(_) if is_end => check_end(line, number - 1, checksum.clone().finalize()),
            Some(_) if number == 1 => Ok(()),
            Some(line) => read(line),
        };
        done.map_err(|(at, expected)| {
            let found: String = line[at..].chars().take(40).collect();
            let found = if whole.is_none() && found.is_empty() { "the end of the file".to_owned() } else { found };
            SavedError::Line { line: number, column: line[..at].chars().count() + 1, found, expected }
        })?;
        if is_end {
            return match lines.advance() {
                Ok(false) => Ok(()),
                Err(LineError::Io(error)) => Err(error.into()),
                Ok(true) | Err(LineError::TooLong) => {
                    let found = String::from_utf8_lossy(lines.line()).trim_end().chars().take(40).collect();
                    let expected = "nothing after the line 'end' (files of evidence are merged by giving them all)";
                    Err(SavedError::Line { line: number + 1, column: 1, found, expected })
                }
            };
        }
        checksum.update(lines.line());
    }
}

const CUT_OFF: &str = "further lines and a last line 'end LINES CHECKSUM': the file is cut off";

/// Compares an end line with what came before it.
fn check_end(line: &str, lines: u64, checksum: u32) -> Result<(), Fault> {
    let mut fields = Fields::of(line);
    fields.next("end")?;
    if fields.number("a number of lines")? != lines {
        return Err((fields.before, "the number of lines above this one: some are missing or were added"));
    }
    let expected = "the checksum of the lines above: something in them was changed";
    if fields.next(expected)? != format!("{checksum:08x}") {
        return Err((fields.before, expected));
    }
    // The same line, spaces included, that was written.
    if line == writer::end_line(lines, checksum) { Ok(()) } else { Err((0, "a line 'end LINES CHECKSUM'")) }
}
