//! Where results go: standard output, or files that are always whole.
//!
//! A file is written beside its place under a name of its own and takes the place when it is complete, so that whoever
//! looks finds the old file or the new one, whatever happens. What is no regular file (a pipe, a device) is written
//! directly, since nothing could take its place.

use crate::file_identity::{self, FileIdentity, is_standard_output};
use anyhow::{Context, Result, bail};
use onlooker::observe::{Compression, Compressor};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// Prints a line on standard output. That nobody reads it any more is no error: what a command found does not depend on
/// its readers.
pub fn line(text: impl std::fmt::Display) -> io::Result<()> {
    // In one piece, since what gives it colour must not be cut in two.
    let line = format!("{text}\n");
    ignoring_broken_pipe(anstream::stdout().lock().write_all(line.as_bytes()).map_err(of_standard_output))
}

/// Prints text on standard output as it is, in the same way.
pub fn text(text: impl std::fmt::Display) -> io::Result<()> {
    ignoring_broken_pipe(write!(Standard, "{text}").and_then(|()| Standard.flush()))
}

/// Standard output. Its errors say so; nobody reading any more is [`ErrorKind::BrokenPipe`], which nothing else is here.
pub struct Standard;

impl Write for Standard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().lock().write(bytes).map_err(of_standard_output)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().lock().flush().map_err(of_standard_output)
    }
}

fn of_standard_output(error: io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::BrokenPipe => error,
        kind => io::Error::new(kind, format!("cannot write to standard output: {error}")),
    }
}

/// That a reader other than that of standard output is gone is an error like any other.
fn of_other_output(error: io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::BrokenPipe => io::Error::other(error.to_string()),
        _ => error,
    }
}

/// Standard output for as long as somebody reads it.
pub struct WhileRead;

impl Write for WhileRead {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        ignoring_broken_pipe(Standard.write_all(bytes)).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        ignoring_broken_pipe(Standard.flush())
    }
}

fn ignoring_broken_pipe(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

/// Whether the error is that nobody reads standard output any more.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    };
    error.chain().any(broken)
}

/// Writes a text to a file, or to standard output.
pub fn write(path: Option<&Path>, content: &str) -> Result<()> {
    match path.filter(|path| !is_standard_output(path)) {
        None => Ok(text(content)?),
        Some(path) => save(path, |out| out.write_all(content.as_bytes())),
    }
}

/// Writes a file, compressed as its name says.
pub fn save(path: &Path, write: impl FnOnce(&mut Output) -> io::Result<()>) -> Result<()> {
    let mut out = create(Some(path))?;
    write(&mut out).and_then(|()| finish(out)).with_context(|| format!("cannot write {}", path.display()))
}

/// A file, or standard output, compressed as the file's name says. The file is there once it is finished.
pub fn create(path: Option<&Path>) -> Result<Output> {
    let compression = path.map_or(Compression::Plain, Compression::of_path);
    let place = match path {
        None => Place::Standard(BufWriter::new(Standard)),
        Some(path) => {
            let opened = Target::of(path)?.open();
            opened.with_context(|| format!("cannot write {}", path.display()))?
        }
    };
    Ok(Output(Compressor::new(place, compression)?))
}

/// Completes what was written: only now it takes its place.
pub fn finish(output: Output) -> io::Result<()> {
    output.0.finish()?.finish()
}

/// Something that is being written. Dropped before it is finished, it leaves nothing behind.
#[must_use = "a file takes its place when it is finished"]
pub struct Output(Compressor<Place>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Where bytes go.
enum Place {
    Standard(BufWriter<Standard>),
    Direct(BufWriter<File>),
    New(BufWriter<NewFile>),
}

impl Place {
    fn finish(self) -> io::Result<()> {
        match self {
            Place::Standard(mut out) => out.flush(),
            Place::Direct(mut out) => out.flush().map_err(of_other_output),
            Place::New(out) => out.into_inner().map_err(io::IntoInnerError::into_error)?.finish(),
        }
    }
}

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Place::Standard(out) => out.write(bytes),
            Place::Direct(out) => out.write(bytes).map_err(of_other_output),
            Place::New(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Place::Standard(out) => out.flush(),
            Place::Direct(out) => out.flush().map_err(of_other_output),
            Place::New(out) => out.flush(),
        }
    }
}

/// What a path says about where to write.
enum Target {
    Standard,
    /// Something that is no regular file.
    Direct(PathBuf),
    /// A file with all links followed, and what is there now.
    File(PathBuf, Option<Metadata>),
}

impl Target {
    /// Finds out, and refuses where nothing can be written; nothing is changed.
    fn of(path: &Path) -> Result<Target> {
        if is_standard_output(path) {
            return Ok(Target::Standard);
        }
        let failed = || format!("cannot write {}", path.display());
        let end = file_identity::follow(path).with_context(failed)?;
        let folder = folder_of(&end);
        match std::fs::metadata(&end) {
            Ok(found) if found.is_dir() => bail!("cannot write {}: it is a directory", path.display()),
            // A file that is open already, such as /dev/stderr, keeps what others have written to it.
            Ok(found) if !found.is_file() || file_identity::is_descriptor(&end) => Ok(Target::Direct(end)),
            Ok(found) => {
                // Whoever may not write to a file may not replace it either.
                OpenOptions::new().write(true).open(&end).with_context(failed)?;
                Ok(Target::File(end, Some(found)))
            }
            Err(error) if error.kind() == ErrorKind::NotFound && end.file_name().is_some() => {
                if !std::fs::metadata(folder).with_context(failed)?.is_dir() {
                    bail!("cannot write {}: {} is not a directory", path.display(), folder.display());
                }
                Ok(Target::File(end, None))
            }
            Err(error) => Err(error).with_context(failed),
        }
    }

    fn open(self) -> io::Result<Place> {
        Ok(match self {
            Target::Standard => Place::Standard(BufWriter::new(Standard)),
            Target::Direct(path) => Place::Direct(BufWriter::new(OpenOptions::new().append(true).open(path)?)),
            Target::File(path, old) => Place::New(BufWriter::new(NewFile::create(path, old.as_ref())?)),
        })
    }
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file that is not yet in its place.
struct NewFile {
    /// There until it has got its place.
    file: Option<NamedTempFile>,
    path: PathBuf,
}

/// The names of all files that are not in their places: they are removed if the program ends early.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all files that are not in their places, and lets nobody make others or finish them: the program ends.
pub fn abandon() -> MutexGuard<'static, Vec<PathBuf>> {
    let unfinished = unfinished();
    for path in unfinished.iter() {
        // There is nobody left to tell.
        let _ = std::fs::remove_file(path);
    }
    unfinished
}

impl NewFile {
    fn create(path: PathBuf, old: Option<&Metadata>) -> io::Result<NewFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".onlooker-").suffix(".part");
        // As for any new file, what the user's mask leaves of it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut unfinished = unfinished();
        let file = builder.tempfile_in(folder_of(&path))?;
        unfinished.push(file.path().to_owned());
        drop(unfinished);
        let new = NewFile { file: Some(file), path };
        if let (Some(old), Some(file)) = (old, &new.file) {
            keep_owner(file.as_file(), old);
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(new)
    }

    /// Puts the file in its place, on the disk too.
    fn finish(mut self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        file.as_file().sync_all()?;
        {
            let mut unfinished = unfinished();
            if let Some(file) = self.file.take() {
                unfinished.retain(|path| path != file.path());
                file.persist(&self.path)?;
            }
        }
        // Not every file system can do that, and the file is in its place.
        let _ = File::open(folder_of(&self.path)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        if let Some(file) = self.file.take() {
            unfinished.retain(|path| path != file.path());
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), NamedTempFile::flush)
    }
}

/// Only some may give files away, and nobody else has to.
#[cfg(unix)]
fn keep_owner(file: &File, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    if file.metadata().is_ok_and(|new| (new.uid(), new.gid()) != (old.uid(), old.gid())) {
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

/// Refuses outputs that cannot be written, that are each other, or that are something the command reads, by whatever names;
/// `None` is standard output. Called before any work is done.
pub fn check(outputs: &[Option<&Path>], inputs: &[impl AsRef<Path>]) -> Result<()> {
    let mut seen: Vec<(FileIdentity, String)> = Vec::new();
    for output in outputs {
        let name = match output {
            Some(path) if !is_standard_output(path) => path.display().to_string(),
            _ => "standard output".to_owned(),
        };
        if let Some(path) = output {
            Target::of(path)?;
        }
        let Some(identity) = FileIdentity::of_output(*output) else { continue };
        if let Some((_, other)) = seen.iter().find(|(known, _)| *known == identity) {
            bail!("{other} and {name} are the same: expected different places to write to");
        }
        if let Some(input) =
            inputs.iter().map(AsRef::as_ref).find(|path| FileIdentity::of_input(path).as_ref() == Some(&identity))
        {
            let input = crate::input::name(input);
            bail!("{name} would take the place of {input}, which is read: expected another place to write to");
        }
        seen.push((identity, name));
    }
    Ok(())
}
