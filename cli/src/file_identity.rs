//! Which file a path means, whatever it is called.

use std::io;
use std::path::{Path, PathBuf};

/// A file that two paths have in common, or not. Pipes, devices and the like have none: they may be given twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileIdentity {
    /// Standard output, if that is no file.
    Standard,
    /// A file that is there: its device and its number, or its whole path where there are no such numbers.
    Existing(u64, u64, PathBuf),
    /// A file that is not there yet.
    New(PathBuf),
}

impl FileIdentity {
    /// What is written to; `None` is standard output.
    pub fn of_output(path: Option<&Path>) -> Option<FileIdentity> {
        match path.filter(|path| !is_standard_output(path)) {
            None => standard_output().or(Some(FileIdentity::Standard)),
            Some(path) => FileIdentity::of(path),
        }
    }

    /// What is read.
    pub fn of_input(path: &Path) -> Option<FileIdentity> {
        if crate::input::is_standard(path) { standard_input() } else { FileIdentity::of(path) }
    }

    fn of(path: &Path) -> Option<FileIdentity> {
        let end = follow(path).ok()?;
        match std::fs::metadata(&end) {
            Ok(found) => existing(&found, &end),
            Err(_) => {
                let folder = end.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                Some(FileIdentity::New(folder.canonicalize().ok()?.join(end.file_name()?)))
            }
        }
    }
}

#[cfg(unix)]
fn existing(found: &std::fs::Metadata, _: &Path) -> Option<FileIdentity> {
    use std::os::unix::fs::MetadataExt;
    found.is_file().then(|| FileIdentity::Existing(found.dev(), found.ino(), PathBuf::new()))
}

#[cfg(not(unix))]
fn existing(found: &std::fs::Metadata, path: &Path) -> Option<FileIdentity> {
    found.is_file().then(|| path.canonicalize().ok().map(|path| FileIdentity::Existing(0, 0, path)))?
}

#[cfg(unix)]
fn standard_output() -> Option<FileIdentity> {
    of_descriptor(&io::stdout())
}

#[cfg(unix)]
fn standard_input() -> Option<FileIdentity> {
    of_descriptor(&io::stdin())
}

#[cfg(unix)]
fn of_descriptor(stream: &impl std::os::fd::AsFd) -> Option<FileIdentity> {
    let file = std::fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
    existing(&file.metadata().ok()?, Path::new(""))
}

#[cfg(not(unix))]
fn standard_output() -> Option<FileIdentity> {
    None
}

#[cfg(not(unix))]
fn standard_input() -> Option<FileIdentity> {
    None
}

/// Whether a path means standard output.
pub fn is_standard_output(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

/// Whether a path means a file that is open already.
pub fn is_descriptor(path: &Path) -> bool {
    path.parent().and_then(|folder| folder.canonicalize().ok()).is_some_and(|folder| folder.starts_with("/proc"))
}

/// What links lead to in the end, whether it is there or not. Links to files that are open already are the end.
pub fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // As many as the system follows.
    for _ in 0..40 {
        let is_link = path.symlink_metadata().is_ok_and(|found| found.is_symlink());
        if !is_link || is_descriptor(&path) {
            return Ok(path);
        }
        let target = path.read_link()?;
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::other("too many links lead from one to the next"))
}
