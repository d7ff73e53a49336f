//! The fields of a line.

/// The byte where a line goes wrong, and what was expected there.
pub(crate) type Fault = (usize, &'static str);

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
