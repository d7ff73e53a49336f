//! The argument LOG: a file or standard input, plain or compressed.

use crate::input;
use anyhow::Result;
use onlooker::observe::{Decompressor, GameReader};
use std::path::Path;

/// The games of a log.
pub type Games = GameReader<Decompressor<input::Bytes>>;

/// Opens a log.
pub fn open(path: &Path) -> Result<Games> {
    Ok(GameReader::new(input::open(path, "a log")?))
}
