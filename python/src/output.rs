//! Files that are written: the old one or the new one, whatever happens.

use crate::errors::os_error;
use onlooker::observe::{Compression, Compressor};
use pyo3::prelude::*;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Where bytes go to that become a file; compressed if its name ends in .gz or .zst.
pub type Out = Compressor<BufWriter<File>>;

/// Writes a file beside its place and then puts it there.
pub fn write_file(path: &Path, write: impl FnOnce(&mut Out) -> io::Result<()>) -> PyResult<()> {
    try_write(path, write).map_err(|error| os_error(error, &path.display().to_string()))
}

/// The same for work without an interpreter.
pub fn try_write<E: From<io::Error>>(path: &Path, write: impl FnOnce(&mut Out) -> Result<(), E>) -> Result<(), E> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let beside = path.with_file_name(name);
    let written = || -> Result<(), E> {
        let mut out = Compressor::new(BufWriter::new(File::create(&beside)?), Compression::of_path(path))?;
        write(&mut out)?;
        out.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?.flush()?;
        Ok(fs::rename(&beside, path)?)
    };
    let result = written();
    if result.is_err() {
        let _ = fs::remove_file(&beside);
    }
    result
}
