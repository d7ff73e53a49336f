//! Text that was saved: lines of fields, with the place of what does not belong there.
//!
//! In comes a text with a title and lines; out come its fields, one after another, or a [`SavedError`] that tells the
//! line, the column, what was found and what was expected. What the lines mean is up to those who saved them.

use std::io::{self, BufRead};

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

/// The byte where a line goes wrong, and what was expected there.
pub(crate) type Fault = (usize, &'static str);

/// Reads the lines after the first one, which must be the title; `expected` says so if it is not.
pub(crate) fn read_lines(
    input: impl BufRead,
    (title, expected): (&str, &'static str),
    mut read: impl FnMut(&str) -> Result<(), Fault>,
) -> Result<(), SavedError> {
    // An empty file has no title.
    let lines = input.lines().map(Some).chain([None]).zip(1..);
    for (line, number) in lines {
        let line = match line {
            Some(Err(error)) if error.kind() == io::ErrorKind::InvalidData => {
                let found = "bytes that are not UTF-8".to_owned();
                return Err(SavedError::Line { line: number, column: 1, found, expected: "a line of text" });
            }
            Some(line) => line?,
            None if number == 1 => String::new(),
            None => break,
        };
        let read = match number {
            1 if line.trim_end() == title => Ok(()),
            1 => Err((0, expected)),
            _ => read(&line),
        };
        read.map_err(|(at, expected)| {
            let found: String = line[at..].chars().take(40).collect();
            SavedError::Line { line: number, column: line[..at].chars().count() + 1, found, expected }
        })?;
    }
    Ok(())
}

/// The fields of a line, read one after another.
pub(crate) struct Fields<'a> {
    pub line: &'a str,
    pub at: usize,
    /// Where the field that was read last begins.
    pub before: usize,
}

impl<'a> Fields<'a> {
    pub fn of(line: &'a str) -> Fields<'a> {
        Fields { line, at: 0, before: 0 }
    }

    /// Whether nothing is left but spaces, which are skipped.
    pub fn is_finished(&mut self) -> bool {
        let rest = &self.line[self.at..];
        self.at += rest.len() - rest.trim_start_matches(' ').len();
        self.at == self.line.len()
    }

    pub fn next(&mut self, expected: &'static str) -> Result<&'a str, Fault> {
        self.is_finished();
        let rest = &self.line[self.at..];
        let length = rest.find([' ', '\t']).unwrap_or(rest.len());
        if length == 0 {
            return Err((self.at, expected));
        }
        self.before = self.at;
        self.at += length;
        Ok(&rest[..length])
    }

    /// The next field as something.
    pub fn read<T>(&mut self, expected: &'static str, read: impl Fn(&'a str) -> Option<T>) -> Result<T, Fault> {
        let field = self.next(expected)?;
        read(field).ok_or((self.before, expected))
    }

    pub fn number(&mut self, expected: &'static str) -> Result<u64, Fault> {
        self.read(expected, |field| field.parse().ok())
    }
}
