//! Files: those given on the command line, those dropped on the page, and those that were saved, each by the hash of its bytes.
//!
//! Nothing else of the machine is ever read. A file that is given on the command line stays where it is. Everything else lies in
//! one folder: the one that was asked for, where it outlasts the server, or one for the time being. A file there is called
//! `HASH-NAME.KIND`, is written beside its place and then put there, and is checked against its hash before it is believed.

use crate::error::ApiError;
use crate::limits::{FILE_BYTES, STORE_BYTES, STORE_FILES, TEXT_BYTES};
use axum::http::StatusCode;
use onlooker::observe::Decompressor;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, TempDir};

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Rules,
    Sheet,
    Log,
    Plans,
    Session,
    Heuristic,
    Opponent,
    Tactics,
    Evidence,
}

/// The kinds with their names, which are also the endings of files.
const KINDS: [(Kind, &str); 9] = [
    (Kind::Rules, "rules"),
    (Kind::Sheet, "kif"),
    (Kind::Log, "log"),
    (Kind::Plans, "plans"),
    (Kind::Session, "session"),
    (Kind::Heuristic, "concepts"),
    (Kind::Opponent, "opponent"),
    (Kind::Tactics, "tactics"),
    (Kind::Evidence, "evidence"),
];

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    fn named(name: &str) -> Option<Kind> {
        KINDS.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }

    /// What a file is by its name, where that says that it is rules or a sheet; otherwise by its beginning. So what is wrong in
    /// rules is found by those who read rules. `None` if it is nothing we know.
    pub fn of(name: &str, beginning: &str) -> Option<Kind> {
        let name = name.to_ascii_lowercase();
        let plain = ["gz", "zst", "xz", "bz2"].iter().find_map(|packed| name.strip_suffix(&format!(".{packed}")));
        match plain.unwrap_or(&name).rsplit_once('.') {
            Some((_, "kif" | "gdl")) => Some(Kind::Sheet),
            Some((_, "rules")) => Some(Kind::Rules),
            _ => Kind::of_text(beginning),
        }
    }

    fn of_text(beginning: &str) -> Option<Kind> {
        let beginning = beginning.trim_start_matches('\u{feff}');
        let mut lines = beginning.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.clone().find(|line| !line.starts_with(';'))?;
        let word = first.split_whitespace().next().unwrap_or_default();
        if beginning.trim_start().starts_with('{') && beginning.contains("onlooker-session") {
            return Some(Kind::Session);
        }
        if lines.next().is_some_and(|line| line.starts_with("onlooker evidence")) {
            return Some(Kind::Evidence);
        }
        match word {
            "game" | "about" | "players" => Some(Kind::Rules),
            "opponent" => Some(Kind::Opponent),
            "tactics" => Some(Kind::Tactics),
            _ if first.starts_with("concepts(") || beginning.contains("\nconcepts(") => Some(Kind::Heuristic),
            // A sheet names its roles; a plan is one action a line.
            _ if first.starts_with('(') => {
                let lower = beginning.to_ascii_lowercase();
                let is_sheet = ["(role ", "(<=", "(init "].iter().any(|sign| lower.contains(sign));
                Some(if is_sheet { Kind::Sheet } else { Kind::Plans })
            }
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                // A planner numbers its steps: `0: (board car1)`.
                Some(if first.contains('(') { Kind::Plans } else { Kind::Log })
            }
            _ if first.contains(": (") => Some(Kind::Plans),
            _ => None,
        }
    }
}

/// One file.
#[derive(Clone, Debug)]
pub struct Document {
    /// The first digits of the hash of its bytes.
    pub id: String,
    pub kind: Kind,
    /// What it is called, without the folder.
    pub name: String,
    pub bytes: u64,
    /// Whether it was given on the command line.
    pub given: bool,
    path: PathBuf,
}

impl Document {
    /// Its bytes, decompressed.
    pub fn open(&self) -> Result<Decompressor<File>, ApiError> {
        let file = File::open(&self.path).map_err(|error| self.unreadable(&error))?;
        Decompressor::new(file).map_err(|error| self.unreadable(&error))
    }

    /// What a game of it is called that has no name of its own.
    pub fn game_name(&self) -> &str {
        self.name.split('.').next().unwrap_or_default()
    }

    /// It as a text.
    pub fn text(&self) -> Result<String, ApiError> {
        self.text_up_to(TEXT_BYTES)
    }

    /// It as a text of at most so many bytes.
    pub fn text_up_to(&self, most: u64) -> Result<String, ApiError> {
        let mut bytes = Vec::new();
        self.open()?.take(most + 1).read_to_end(&mut bytes).map_err(|error| self.unreadable(&error))?;
        if bytes.len() as u64 > most {
            let why = format!("{} has more than {most} bytes", self.name);
            return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, why));
        }
        String::from_utf8(bytes).map_err(|error| {
            let line = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|&&b| b == b'\n').count() + 1;
            ApiError::bad(format!("{}:{line}: found bytes that are not UTF-8, expected a text file", self.name))
        })
    }

    fn unreadable(&self, error: &io::Error) -> ApiError {
        ApiError::new(StatusCode::GONE, format!("{} cannot be read: {}", self.name, error.kind()))
    }
}

/// All files.
pub struct Store {
    documents: Mutex<BTreeMap<String, Document>>,
    folder: Folder,
}

enum Folder {
    /// Goes with the server.
    Passing(TempDir),
    /// Stays.
    Lasting(PathBuf),
}

/// What cannot be made of the command line.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file or folder cannot be used.
    #[error("{path}: {reason}")]
    File {
        /// As it was given.
        path: String,
        /// Why.
        reason: String,
    },
}

impl StoreError {
    pub(crate) fn new(path: &Path, reason: impl std::fmt::Display) -> StoreError {
        StoreError::File { path: path.display().to_string(), reason: reason.to_string() }
    }
}

/// What is looked at of a file to know what it is.
const BEGINNING: u64 = 64 << 10;

fn beginning(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    Decompressor::new(File::open(path)?)?.take(BEGINNING).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Digits of a hash that stand for it: 80 bits.
const DIGITS: usize = 20;

fn digits(hash: Sha256) -> String {
    let mut text: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    text.truncate(DIGITS);
    text
}

fn hash_of(path: &Path) -> io::Result<(String, u64)> {
    let (mut hash, mut file) = (Sha256::new(), File::open(path)?);
    let bytes = io::copy(&mut file, &mut hash)?;
    Ok((digits(hash), bytes))
}

/// A name that can stand in the name of a file and in a heading: what else was in it is left out.
fn plain_name(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let keep = |c: &char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '+');
    let name: String = name.chars().filter(keep).take(60).collect();
    let name = name.trim_start_matches('.').to_owned();
    if name.is_empty() { "file".to_owned() } else { name }
}

impl Store {
    /// An empty store, or what is in a folder.
    ///
    /// # Errors
    ///
    /// The folder cannot be used.
    pub fn open(folder: Option<&Path>) -> Result<Store, StoreError> {
        let folder = match folder {
            None => {
                let made = tempfile::Builder::new().prefix("onlooker-").tempdir();
                Folder::Passing(made.map_err(|error| StoreError::new(Path::new("a folder for the time being"), error))?)
            }
            Some(path) => {
                if path.exists() && !path.is_dir() {
                    return Err(StoreError::new(path, "found a file, expected a folder to keep files in"));
                }
                std::fs::create_dir_all(path).map_err(|error| StoreError::new(path, error))?;
                Folder::Lasting(path.to_owned())
            }
        };
        let store = Store { documents: Mutex::default(), folder };
        if let Folder::Lasting(path) = &store.folder {
            for entry in std::fs::read_dir(path).map_err(|error| StoreError::new(path, error))?.flatten() {
                store.find_saved(&entry.path());
            }
        }
        Ok(store)
    }

    /// Whether what is saved is there after a restart.
    pub fn is_lasting(&self) -> bool {
        matches!(self.folder, Folder::Lasting(_))
    }

    /// The folder in which files lie that were not given on the command line.
    pub fn folder(&self) -> &Path {
        match &self.folder {
            Folder::Passing(folder) => folder.path(),
            Folder::Lasting(folder) => folder,
        }
    }

    /// Takes in a file of the folder if it is one of ours and whole.
    fn find_saved(&self, path: &Path) {
        let Some((stem, kind)) = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.rsplit_once('.'))
        else {
            return;
        };
        let (Some((id, name)), Some(kind)) = (stem.split_once('-'), Kind::named(kind)) else { return };
        if id.len() != DIGITS {
            return;
        }
        match hash_of(path) {
            Ok((found, bytes)) if found == id => {
                let (id, name, path) = (found, name.to_owned(), path.to_owned());
                self.documents().insert(id.clone(), Document { id, kind, name, bytes, given: false, path });
            }
            _ => {}
        }
    }

    fn documents(&self) -> MutexGuard<'_, BTreeMap<String, Document>> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in a file that was given on the command line.
    ///
    /// # Errors
    ///
    /// It cannot be read, or nobody knows what it is.
    pub fn add_given(&self, path: &Path) -> Result<Document, StoreError> {
        let refuse = |error: io::Error| StoreError::new(path, error);
        let begins = beginning(path).map_err(refuse)?;
        let name = plain_name(&path.file_name().unwrap_or_default().to_string_lossy());
        let kind = Kind::of(&name, &begins).ok_or_else(|| {
            StoreError::new(path, "it is none of rules, a rule sheet, a log, plans, a saved game, evidence, or what was learnt about play")
        })?;
        let (id, bytes) = hash_of(path).map_err(refuse)?;
        let document = Document { id: id.clone(), kind, name, bytes, given: true, path: path.to_owned() };
        self.documents().insert(id, document.clone());
        Ok(document)
    }

    /// The file with this id.
    pub fn get(&self, id: &str) -> Option<Document> {
        self.documents().get(id).cloned()
    }

    /// All files in the order of their names.
    pub fn all(&self) -> Vec<Document> {
        let mut all: Vec<Document> = self.documents().values().cloned().collect();
        all.sort_by(|one, other| (&one.name, &one.id).cmp(&(&other.name, &other.id)));
        all
    }

    /// Takes in a text that the page sent or that a job made.
    pub fn add_text(&self, name: &str, kind: Kind, text: &str) -> Result<Document, ApiError> {
        let mut incoming = self.begin()?;
        incoming.write(text.as_bytes())?;
        self.finish(incoming, name, Some(kind))
    }

    /// Room for a file that comes in pieces.
    pub fn begin(&self) -> Result<Incoming, ApiError> {
        let (files, held) = {
            let documents = self.documents();
            (
                documents.len(),
                documents.values().filter(|document| !document.given).map(|document| document.bytes).sum::<u64>(),
            )
        };
        if files >= STORE_FILES || held >= STORE_BYTES {
            let why = format!("there is no room for more files: {files} are kept, which take {held} bytes");
            return Err(ApiError::new(StatusCode::INSUFFICIENT_STORAGE, why));
        }
        let file = tempfile::Builder::new().prefix(".incoming-").tempfile_in(self.folder());
        let file = file.map_err(|error| ApiError::defect(format!("a file cannot be written: {}", error.kind())))?;
        Ok(Incoming { file, hash: Sha256::new(), bytes: 0, most: FILE_BYTES.min(STORE_BYTES - held) })
    }

    /// Puts a file in its place once it is there as a whole.
    pub fn finish(&self, incoming: Incoming, name: &str, kind: Option<Kind>) -> Result<Document, ApiError> {
        let cannot = |error: io::Error| ApiError::defect(format!("a file cannot be written: {}", error.kind()));
        let name = plain_name(name);
        let kind = match kind {
            Some(kind) => kind,
            None => Kind::of(
                &name,
                &beginning(incoming.file.path())
                    .map_err(|error| ApiError::bad(format!("{name} cannot be read: {error}")))?,
            )
            .ok_or_else(|| {
                let expected =
                    "expected rules, a rule sheet, a log, plans, a saved game, evidence, or what was learnt about play";
                ApiError::bad(format!("{name}: it does not begin as any file that is known here, {expected}"))
            })?,
        };
        let id = digits(incoming.hash);
        let mut documents = self.documents();
        if let Some(known) = documents.get(&id) {
            return Ok(known.clone());
        }
        incoming.file.as_file().sync_all().map_err(cannot)?;
        let path = self.folder().join(format!("{id}-{name}.{}", kind.name()));
        incoming.file.persist(&path).map_err(|error| cannot(error.error))?;
        let document = Document { id: id.clone(), kind, name, bytes: incoming.bytes, given: false, path };
        documents.insert(id, document.clone());
        Ok(document)
    }

    /// Writes a file of the folder that is not one of the documents: the old one or the new one is there, whatever becomes of the
    /// program. Nobody waits for the disk, since a game in progress is written after every move.
    pub fn write_beside(&self, name: &str, text: &str) -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(".incoming-").tempfile_in(self.folder())?;
        file.write_all(text.as_bytes())?;
        file.persist(self.folder().join(name)).map_err(|error| error.error)?;
        Ok(())
    }

    /// How many files there are whose names begin so.
    pub fn count_beside(&self, prefix: &str) -> usize {
        let entries = std::fs::read_dir(self.folder()).into_iter().flatten().flatten();
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix)).count()
    }

    /// Reads a file that [`Store::write_beside`] wrote.
    pub fn read_beside(&self, name: &str) -> io::Result<String> {
        let mut text = String::new();
        File::open(self.folder().join(name))?.take(TEXT_BYTES).read_to_string(&mut text)?;
        Ok(text)
    }
}

/// A file that is coming in.
pub struct Incoming {
    file: NamedTempFile,
    hash: Sha256,
    bytes: u64,
    most: u64,
}

impl Incoming {
    /// Takes in the next piece.
    pub fn write(&mut self, piece: &[u8]) -> Result<(), ApiError> {
        self.bytes += piece.len() as u64;
        if self.bytes > self.most {
            let why = format!("the file is too large: at most {} bytes are taken", self.most);
            return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, why));
        }
        self.hash.update(piece);
        self.file
            .write_all(piece)
            .map_err(|error| ApiError::defect(format!("a file cannot be written: {}", error.kind())))
    }
}

/// The store as everybody holds it.
pub type SharedStore = Arc<Store>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_what_is_in_them() {
        for (text, kind) in [
            ("; a comment\n\ngame chess\nplayers a b\n", Some(Kind::Rules)),
            ("; a sheet\n(role x)\n", Some(Kind::Sheet)),
            ("(board car1 ferry)\n(debark car1)\n", Some(Kind::Plans)),
            ("0: (board car1 ferry)\n", Some(Kind::Plans)),
            ("0.003: (board car1 ferry)\n", Some(Kind::Plans)),
            ("1\n..\nP.\n*\nw all 1\n0 (0 1 e)\n", Some(Kind::Log)),
            ("\nconcepts(1).\ngame('x').\n", Some(Kind::Heuristic)),
            ("opponent 1\ngame g\n", Some(Kind::Opponent)),
            ("{\"format\":\"onlooker-session\"}", Some(Kind::Session)),
            ("hello", None),
            ("", None),
        ] {
            assert_eq!(Kind::of("file.txt", text), kind, "{text:?}");
        }
    }

    #[test]
    fn what_is_damaged_is_still_what_its_name_says() {
        let damaged = "(rolle x)\n(cell 1";
        for (name, kind) in [
            ("a.kif", Kind::Sheet),
            ("a.GDL", Kind::Sheet),
            ("a.kif.gz", Kind::Sheet),
            ("a.rules", Kind::Rules),
            ("a.plans", Kind::Plans),
            ("kif", Kind::Plans),
        ] {
            assert_eq!(Kind::of(name, damaged), Some(kind), "{name}");
        }
    }

    #[test]
    fn what_was_saved_is_there_again_and_what_was_damaged_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(Some(folder.path())).unwrap();
        let kept = store.add_text("../../etc/my game.rules", Kind::Rules, "game a\n").unwrap();
        let spoilt = store.add_text("b", Kind::Rules, "game b\n").unwrap();
        assert_eq!(kept.name, "mygame.rules");
        std::fs::write(&spoilt.path, "game c\n").unwrap();
        drop(store);
        let store = Store::open(Some(folder.path())).unwrap();
        assert_eq!(store.get(&kept.id).unwrap().text().unwrap(), "game a\n");
        assert!(store.get(&spoilt.id).is_none());
        assert_eq!(store.all().len(), 1);
    }
}
