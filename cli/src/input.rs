//! What is read: files, and standard input where `-` stands for one.

use anyhow::{Context, Result, bail};
use onlooker::observe::Decompressor;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of a file or of standard input.
pub type Bytes = Box<dyn Read + Send>;

/// Whether a path means standard input.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// What to call an input to a person.
pub fn name(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens an input that may be compressed; `expected` is what it should be.
pub fn open(path: &Path, expected: impl Display) -> Result<Decompressor<Bytes>> {
    let bytes: Bytes = if is_standard(path) {
        take_standard()?
    } else {
        let name = path.display();
        if path.is_dir() {
            bail!("{name} is a directory, expected {expected}");
        }
        Box::new(File::open(path).with_context(|| format!("cannot open {name}"))?)
    };
    Decompressor::new(bytes).with_context(|| format!("cannot read {}", name(path)))
}

/// Whether an input can be opened again and is the same.
pub fn is_repeatable(path: &Path) -> bool {
    !is_standard(path) && path.metadata().is_ok_and(|found| found.is_file())
}

/// Standard input until it is handed out.
enum Standard {
    /// With the bytes that were looked at.
    Unread(Vec<u8>),
    Taken,
}

static STANDARD: Mutex<Standard> = Mutex::new(Standard::Unread(Vec::new()));

fn standard() -> MutexGuard<'static, Standard> {
    STANDARD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take_standard() -> Result<Bytes> {
    match std::mem::replace(&mut *standard(), Standard::Taken) {
        Standard::Unread(seen) => Ok(Box::new(Cursor::new(seen).chain(io::stdin()))),
        Standard::Taken => bail!("standard input can be read only once, expected '-' in one place"),
    }
}

/// How much of standard input is looked at, at most.
const LOOKED_AT: usize = 1 << 16;

/// Whether what is on standard input begins as rule sheets do: comments and spaces aside, with a bracket.
pub fn standard_is_sheet() -> Result<bool> {
    let mut standard = standard();
    let Standard::Unread(seen) = &mut *standard else { return Ok(false) };
    loop {
        let first = seen.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
        let first = first.filter_map(|line| line.first()).find(|&&byte| byte != b';');
        if let Some(&first) = first {
            return Ok(first == b'(');
        }
        let mut more = [0; 4096];
        let count = match io::stdin().read(&mut more) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            count => count.context("cannot read standard input")?,
        };
        if count == 0 || seen.len() > LOOKED_AT {
            return Ok(false);
        }
        seen.extend_from_slice(&more[..count]);
    }
}
