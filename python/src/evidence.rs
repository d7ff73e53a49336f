//! Evidence: what was seen of games, observed, merged, pickled, saved.

use crate::errors::{Failure, Trouble};
use crate::input::{Bytes, Input};
use crate::output;
use crate::work::{self, Task};
use onlooker::learn::Evidence;
use onlooker::observe::{Decompressor, GameBlocks, GameReader, LogError, find_game};
use onlooker::relearn::{ObserveError, observe_log};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::io::{self, BufReader, Read, SeekFrom};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All that learning needs of the games that were seen.
#[pyclass(frozen, module = "onlooker", name = "Evidence")]
#[derive(Default)]
pub struct PyEvidence(Arc<Mutex<Evidence>>);

impl PyEvidence {
    pub fn of(evidence: Evidence) -> PyEvidence {
        PyEvidence(Arc::new(Mutex::new(evidence)))
    }

    pub fn shared(&self) -> SharedEvidence {
        SharedEvidence(Arc::clone(&self.0))
    }
}

/// Evidence that work and objects of Python share.
#[derive(Clone)]
pub struct SharedEvidence(Arc<Mutex<Evidence>>);

impl SharedEvidence {
    pub fn lock(&self) -> MutexGuard<'_, Evidence> {
        // A panic while games are added leaves whole games.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds evidence that was gathered apart, so that what is interrupted adds nothing.
    pub fn add(&self, more: Evidence) -> Result<(), Failure> {
        let mut own = self.lock();
        if own.games() == 0 && own.positions() == 0 {
            *own = more;
            return Ok(());
        }
        own.merge(more).map_err(|(refused, _)| Trouble::new("EvidenceError", refused.to_string()).into())
    }
}

/// Counts what is read.
pub struct Counted<R> {
    input: R,
    task: Task,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(room)?;
        self.task.add(read as u64);
        Ok(read)
    }
}

impl<R: io::Seek> io::Seek for Counted<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.input.seek(to)
    }
}

type Log = Decompressor<Counted<Box<dyn Bytes>>>;

/// Opens a log; how much of it is read is progress.
pub fn open_log(input: &Input, task: &Task) -> Result<GameReader<Log>, Failure> {
    let counted = Counted { input: input.raw()?, task: task.clone() };
    Ok(GameReader::new(Decompressor::new(counted).map_err(|error| input.failure(error))?))
}

/// How many bytes files have, for progress.
pub fn total(inputs: &[Input]) -> u64 {
    let size = |input: &Input| match input {
        Input::Path(path) => path.metadata().map_or(0, |found| found.len()),
        Input::Bytes(bytes) => bytes.as_ref().len() as u64,
        Input::Object(..) => 0,
    };
    inputs.iter().map(size).sum()
}

/// Adds the games of logs to evidence. With `keep_going`, damaged games are skipped and returned.
pub fn gather(
    evidence: &mut Evidence,
    inputs: &[Input],
    keep_going: bool,
    task: &Task,
) -> Result<Vec<Trouble>, Failure> {
    task.of(total(inputs));
    let mut damaged = Vec::new();
    for input in inputs {
        let name = input.name();
        let mut skip = |error: LogError| {
            damaged.push(Trouble::log(&error).in_file(name.as_deref()));
            if keep_going { Ok(()) } else { Err(error) }
        };
        observe_log(evidence, open_log(input, task)?, &mut skip, &task.stop).map_err(|error| match error {
            ObserveError::Damaged(error) => Failure::from(Trouble::log(&error).in_file(name.as_deref())),
            ObserveError::Refused { game, reason } => {
                let trouble = Trouble { game: Some(game), ..Trouble::new("LogError", reason.to_string()) };
                trouble.in_file(name.as_deref()).into()
            }
            ObserveError::Interrupted => Failure::Stopped,
        })?;
    }
    Ok(damaged)
}

/// Objects or one of them.
#[derive(FromPyObject)]
pub enum OneOrMany {
    One(Input),
    Many(Vec<Input>),
}

impl From<OneOrMany> for Vec<Input> {
    fn from(inputs: OneOrMany) -> Vec<Input> {
        match inputs {
            OneOrMany::One(input) => vec![input],
            OneOrMany::Many(inputs) => inputs,
        }
    }
}

/// A part of a log: how many lines and games it has, and the damaged games, with places counted from its beginning.
#[derive(Default)]
struct Part {
    number: u64,
    lines: u64,
    games: u64,
    damaged: Vec<Trouble>,
}

/// For Dask: number, lines, games, and the exceptions of damaged games.
type PartTuple<'py> = (u64, u64, u64, Vec<Bound<'py, PyAny>>);

impl Part {
    fn tuple<'py>(&self, py: Python<'py>) -> PyResult<PartTuple<'py>> {
        let damaged: PyResult<Vec<_>> = self.damaged.iter().map(|trouble| trouble.exception(py)).collect();
        Ok((self.number, self.lines, self.games, damaged?))
    }

    /// Adds the games of some bytes, counting lines.
    fn observe<R: Read + Send>(&mut self, evidence: &mut Evidence, bytes: R, task: &Task) -> Result<(), Failure> {
        let mut counted = CountedLines { input: bytes, lines: 0 };
        let damaged = &mut self.damaged;
        let mut skip = |error: LogError| {
            damaged.push(Trouble::log(&error));
            Ok(())
        };
        let counts = observe_log(evidence, GameReader::new(&mut counted), &mut skip, &task.stop);
        let counts = counts.map_err(|error| match error {
            ObserveError::Interrupted => Failure::Stopped,
            other => Trouble::new("LogError", other.to_string()).into(),
        })?;
        self.games = counts.games + counts.damaged;
        self.lines = counted.lines;
        Ok(())
    }
}

struct CountedLines<R> {
    input: R,
    lines: u64,
}

impl<R: Read> Read for CountedLines<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(room)?;
        self.lines += room[..read].iter().filter(|&&byte| byte == b'\n').count() as u64;
        Ok(read)
    }
}

#[pymethods]
impl PyEvidence {
    #[new]
    fn new() -> PyEvidence {
        PyEvidence::default()
    }

    /// How many games were seen.
    #[getter]
    fn games(&self) -> u64 {
        self.shared().lock().games()
    }

    /// How many positions were seen.
    #[getter]
    fn positions(&self) -> u64 {
        self.shared().lock().positions()
    }

    /// How many listed moves were seen.
    #[getter]
    fn moves(&self) -> u64 {
        self.shared().lock().moves()
    }

    /// How many different positions were seen.
    #[getter]
    fn distinct_positions(&self) -> usize {
        self.shared().lock().distinct_positions()
    }

    /// About how many bytes of memory it takes.
    #[getter]
    fn nbytes(&self) -> usize {
        self.shared().lock().memory()
    }

    fn __sizeof__(&self) -> usize {
        self.nbytes()
    }

    /// Adds the games of logs: paths, binary files, or bytes. With `keep_going`, damaged games are skipped, and their errors
    /// returned; otherwise the first is raised and nothing is added.
    #[pyo3(signature = (logs, *, keep_going = false, progress = None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        logs: OneOrMany,
        keep_going: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (inputs, own): (Vec<Input>, _) = (logs.into(), self.shared());
        let damaged = work::run(py, progress.as_ref(), move |task| {
            let mut more = Evidence::default();
            let damaged = gather(&mut more, &inputs, keep_going, task)?;
            own.add(more)?;
            Ok(damaged)
        })?;
        damaged.iter().map(|trouble| trouble.exception(py)).collect()
    }

    /// For Dask: adds the games that begin between two offsets of a log that is not compressed.
    fn _observe_range<'py>(&self, py: Python<'py>, log: Input, from: u64, to: u64) -> PyResult<Vec<PartTuple<'py>>> {
        let own = self.shared();
        let part = work::run(py, None, move |task| {
            let mut input = log.raw()?;
            let failed = |error| log.failure(error);
            let (start, end) =
                (find_game(&mut input, from).map_err(failed)?, find_game(&mut input, to).map_err(failed)?);
            let mut part = Part::default();
            if start < end {
                input.seek(SeekFrom::Start(start)).map_err(failed)?;
                let mut more = Evidence::default();
                part.observe(&mut more, input.take(end - start), task)?;
                own.add(more)?;
            }
            Ok(part)
        })?;
        Ok(vec![part.tuple(py)?])
    }

    /// For Dask: adds those blocks of a log whose numbers leave `number` when divided by `of`.
    fn _observe_blocks<'py>(
        &self,
        py: Python<'py>,
        log: Input,
        size: usize,
        number: u64,
        of: u64,
    ) -> PyResult<Vec<PartTuple<'py>>> {
        let own = self.shared();
        let parts = work::run(py, None, move |task| {
            let mut blocks = GameBlocks::new(log.open()?, size);
            let (mut more, mut parts, mut at) = (Evidence::default(), Vec::new(), 0);
            while let Some(block) = blocks.advance() {
                if task.is_stopped() {
                    return Err(Failure::Stopped);
                }
                if at % of.max(1) == number {
                    let mut part = Part { number: at, ..Part::default() };
                    part.observe(&mut more, block, task)?;
                    parts.push(part);
                }
                at += 1;
            }
            own.add(more)?;
            Ok(parts)
        })?;
        parts.iter().map(|part| part.tuple(py)).collect()
    }

    /// Adds what another evidence has seen. The order makes no difference.
    fn merge(&self, py: Python<'_>, other: &Bound<'_, PyEvidence>) -> PyResult<()> {
        let (own, other) = (self.shared(), other.get().shared());
        work::run(py, None, move |_| {
            // A copy, so that both stay what they are, even if they are the same.
            let more = other.lock().clone();
            own.add(more)
        })
    }

    /// For Dask: adds evidence that was made bytes, without making an object of it first.
    fn _merge_bytes(&self, py: Python<'_>, bytes: Input) -> PyResult<()> {
        let own = self.shared();
        work::run(py, None, move |_| {
            let Input::Bytes(bytes) = bytes else {
                return Err(Trouble::new("EvidenceError", "expected bytes of evidence").into());
            };
            let merged = own.lock().merge_bytes(bytes.as_ref());
            merged.map_err(|error| Trouble::new("EvidenceError", error.to_string()).into())
        })
    }

    /// The evidence as bytes for another process that runs the same version.
    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let own = self.shared();
        let bytes = work::run(py, None, move |_| Ok(own.lock().to_bytes()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Writes the evidence to a file, as the command line does: the same bytes for the same games. A name ending in .gz or .zst
    /// compresses it.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let own = self.shared();
        work::run(py, None, move |_| {
            let written = output::try_write(&path, |out| own.lock().write(out));
            written.map_err(|error| Failure::Io(error, path.display().to_string()))
        })
    }

    /// Reads saved evidence.
    #[staticmethod]
    fn load(py: Python<'_>, path: Input) -> PyResult<PyEvidence> {
        let read = work::run(py, None, move |_| {
            let read = Evidence::read(BufReader::new(path.open()?));
            read.map_err(|error| Trouble::saved(&error).in_file(path.name().as_deref()).into())
        })?;
        Ok(PyEvidence::of(read))
    }

    fn __add__(&self, py: Python<'_>, other: &Bound<'_, PyEvidence>) -> PyResult<PyEvidence> {
        let sum = self.copy();
        sum.merge(py, other)?;
        Ok(sum)
    }

    /// Evidence of its own that has seen the same.
    fn copy(&self) -> PyEvidence {
        PyEvidence::of(self.shared().lock().clone())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let text = |evidence: &PyEvidence| {
            let mut out = Vec::new();
            evidence.shared().lock().write(&mut out).map(|()| out).ok()
        };
        other
            .cast::<PyEvidence>()
            .is_ok_and(|other| Arc::ptr_eq(&self.0, &other.get().0) || text(self) == text(other.get()))
    }

    fn __repr__(&self) -> String {
        let evidence = self.shared();
        let evidence = evidence.lock();
        format!(
            "<Evidence: {} games, {} positions, {} moves>",
            evidence.games(),
            evidence.positions(),
            evidence.moves()
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("onlooker._onlooker")?.getattr("_evidence_of")?;
        Ok((make, (self.__bytes__(py)?,).into_pyobject(py)?))
    }
}

/// For pickles.
#[pyfunction]
pub fn _evidence_of(py: Python<'_>, bytes: Input) -> PyResult<PyEvidence> {
    let evidence = PyEvidence::default();
    evidence._merge_bytes(py, bytes)?;
    Ok(evidence)
}
