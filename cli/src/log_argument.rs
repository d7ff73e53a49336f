//! The argument LOG: a file, plain or compressed.

use anyhow::{Context, Result, bail};
use onlooker::observe::{Decompressor, GameReader};
use std::fs::File;
use std::path::Path;

/// The games of a log.
pub type Games = GameReader<Decompressor<File>>;

/// Opens a log.
pub fn open(path: &Path) -> Result<Games> {
    let name = path.display();
    if path.is_dir() {
        bail!("{name} is a directory, expected a log");
    }
    let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
    Ok(GameReader::new(Decompressor::new(file).with_context(|| format!("cannot read {name}"))?))
}
