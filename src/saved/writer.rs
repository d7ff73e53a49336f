//! Writing saved text: everything goes through a checksum, which the last line has.

use std::io::{self, Write};

/// Writes a title, what is given to it, and the end line.
pub(crate) struct SavedWriter<W> {
    output: W,
    lines: u64,
    checksum: crc32fast::Hasher,
}

impl<W: Write> SavedWriter<W> {
    /// Writes the title.
    pub fn new(output: W, title: &str) -> io::Result<SavedWriter<W>> {
        let mut writer = SavedWriter { output, lines: 0, checksum: crc32fast::Hasher::new() };
        writeln!(writer, "{title}")?;
        Ok(writer)
    }

    /// Writes the end line. Without it nobody can read the rest.
    pub fn finish(mut self) -> io::Result<()> {
        writeln!(self.output, "{}", end_line(self.lines, self.checksum.finalize()))
    }
}

pub(super) fn end_line(lines: u64, checksum: u32) -> String {
    format!("end {lines} {checksum:08x}")
}

impl<W: Write> Write for SavedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        let bytes = &bytes[..written];
        self.lines += memchr::memchr_iter(b'\n', bytes).count() as u64;
        self.checksum.update(bytes);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
