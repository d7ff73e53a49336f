//! Lines of a text, none of which takes more memory than a limit.

use std::io::{self, BufRead, Read};

/// Reads line after line into the same room, which never grows beyond the limit.
pub(crate) struct BoundedLines<R> {
    input: R,
    limit: usize,
    line: Vec<u8>,
    number: u64,
}

/// Why there is no next line.
#[derive(Debug)]
pub(crate) enum LineError {
    /// The input failed.
    Io(io::Error),
    /// The line has more bytes than the limit; what was read of it is still there.
    TooLong,
}

impl<R: BufRead> BoundedLines<R> {
    /// Lines of at most `limit` bytes, the end of the line included.
    pub fn new(input: R, limit: usize) -> BoundedLines<R> {
        BoundedLines { input, limit, line: Vec::new(), number: 0 }
    }

    /// Goes on to the next line; `false` at the end, where the current line is an empty one after all others.
    pub fn advance(&mut self) -> Result<bool, LineError> {
        self.line.clear();
        self.number += 1;
        let mut bounded = self.input.by_ref().take(self.limit as u64 + 1);
        bounded.read_until(b'\n', &mut self.line).map_err(LineError::Io)?;
        if self.line.len() > self.limit {
            return Err(LineError::TooLong);
        }
        Ok(!self.line.is_empty())
    }

    /// The current line with its end, which only the last line of the input may lack.
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// The number of the current line, counted from 1.
    pub fn number(&self) -> u64 {
        self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn lines_are_read_up_to_the_limit() {
        let mut lines = BoundedLines::new(&b"ab\n\nabc\nabcd\nx"[..], 4);
        for (number, line) in (1..).zip(["ab\n", "\n", "abc\n"]) {
            assert!(lines.advance().unwrap());
            assert_eq!((lines.number(), lines.line()), (number, line.as_bytes()));
        }
        assert!(matches!(lines.advance(), Err(LineError::TooLong)));
        let mut last = BoundedLines::new(&b"x"[..], 4);
        assert!(last.advance().unwrap() && last.line() == b"x");
        assert!(!last.advance().unwrap() && last.number() == 2);
    }

    #[test]
    fn a_line_without_end_takes_no_more_room_than_the_limit() {
        let mut lines = BoundedLines::new(BufReader::new(io::repeat(b'x')), 1 << 16);
        assert!(matches!(lines.advance(), Err(LineError::TooLong)));
        assert!(lines.line.capacity() <= 1 << 18);
    }
}
