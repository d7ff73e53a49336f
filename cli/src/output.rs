//! Where results go.

use anyhow::{Context, Result};
use onlooker::observe::{Compression, Compressor};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Prints a line on standard output; an error if nobody reads it any more.
pub fn line(text: impl std::fmt::Display) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{text}")
}

/// A file, or standard output, compressed as the file's name says.
pub fn create(path: Option<&Path>) -> Result<Compressor<Box<dyn Write>>> {
    let compression = path.map_or(Compression::Plain, Compression::of_path);
    let inner: Box<dyn Write> = match path {
        Some(path) => {
            Box::new(BufWriter::new(File::create(path).with_context(|| format!("cannot write {}", path.display()))?))
        }
        None => Box::new(BufWriter::new(io::stdout().lock())),
    };
    Ok(Compressor::new(inner, compression)?)
}

/// Writes all that is left.
pub fn finish(output: Compressor<Box<dyn Write>>) -> io::Result<()> {
    output.finish()?.flush()
}

/// Writes a file, compressed as its name says.
pub fn save(path: &Path, write: impl FnOnce(&mut Compressor<Box<dyn Write>>) -> io::Result<()>) -> Result<()> {
    let mut out = create(Some(path))?;
    let written = write(&mut out).and_then(|()| finish(out));
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Whether the error is that nobody reads our output any more.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().any(broken)
}
