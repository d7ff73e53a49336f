//! What is read: paths, or objects of Python that can be read from.

use crate::errors::{Failure, Trouble};
use onlooker::observe::Decompressor;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;

/// A number, as an argument. What does not fit is an error of this package, as all that makes no sense is.
pub fn number<'py, T: FromPyObjectOwned<'py>>(given: &Bound<'py, PyAny>) -> PyResult<T> {
    given.extract::<T>().map_err(|error| {
        let (py, error): (_, PyErr) = (given.py(), error.into());
        if !error.is_instance_of::<PyOverflowError>(py) {
            return error;
        }
        let expected = if given.lt(0).unwrap_or(false) { "at least 0" } else { "a smaller number" };
        Trouble::new("Error", format!("found {given}, expected {expected}")).raise(py)
    })
}

/// Something to be read, perhaps compressed.
#[derive(Clone)]
pub enum Input {
    Path(PathBuf),
    /// A binary file object, with what it is called.
    Object(Arc<Py<PyAny>>, Option<String>),
    Bytes(GivenBytes),
}

/// Bytes of Python, which are not copied.
#[derive(Clone)]
pub struct GivenBytes(Arc<PyBackedBytes>);

impl AsRef<[u8]> for GivenBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl<'py> FromPyObject<'_, 'py> for Input {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Input> {
        if object.hasattr("read")? {
            let name = object.getattr("name").ok().and_then(|name| name.extract::<String>().ok());
            return Ok(Input::Object(Arc::new(object.to_owned().unbind()), name));
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Input::Bytes(GivenBytes(Arc::new(bytes.to_owned().into()))));
        }
        Ok(Input::Path(object.extract::<PathBuf>()?))
    }
}

/// Bytes that can be read from anywhere.
pub trait Bytes: Read + Seek + Send {}

impl<T: Read + Seek + Send> Bytes for T {}

impl Input {
    /// What to call it.
    pub fn name(&self) -> Option<String> {
        match self {
            Input::Path(path) => Some(path.display().to_string()),
            Input::Object(_, name) => name.clone(),
            Input::Bytes(_) => None,
        }
    }

    /// Its bytes as they are.
    pub fn raw(&self) -> Result<Box<dyn Bytes>, Failure> {
        match self {
            Input::Path(path) => match File::open(path) {
                Ok(file) => Ok(Box::new(file)),
                Err(error) => Err(Failure::Io(error, path.display().to_string())),
            },
            Input::Object(object, _) => Ok(Box::new(PythonReader(Arc::clone(object)))),
            Input::Bytes(bytes) => Ok(Box::new(Cursor::new(bytes.clone()))),
        }
    }

    /// Its bytes without compression.
    pub fn open(&self) -> Result<Decompressor<Box<dyn Bytes>>, Failure> {
        Decompressor::new(self.raw()?).map_err(|error| self.failure(error))
    }

    /// What is wrong with the input.
    pub fn failure(&self, error: io::Error) -> Failure {
        Failure::Io(error, self.name().unwrap_or_default())
    }

    /// All of its text, up to a sensible size.
    pub fn text(&self, class: &'static str, most: u64) -> Result<String, Failure> {
        let mut bytes = Vec::new();
        self.open()?.take(most + 1).read_to_end(&mut bytes).map_err(|error| self.failure(error))?;
        let name = self.name();
        let refuse = |message: &str| Failure::from(Trouble::new(class, message).in_file(name.as_deref()));
        if bytes.len() as u64 > most {
            return Err(refuse(&format!("it has more than {most} bytes")));
        }
        String::from_utf8(bytes).map_err(|_| refuse("found bytes that are not UTF-8, expected a text file"))
    }
}

/// Reads from an object of Python, with the GIL only while it does.
struct PythonReader(Arc<Py<PyAny>>);

impl Read for PythonReader {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let read = self.0.bind(py).call_method1("read", (room.len(),))?;
            let bytes = read.cast::<PyBytes>().map_err(PyErr::from)?.as_bytes();
            // A file that gives more than was asked for is no file.
            let bytes = bytes.get(..room.len()).unwrap_or(bytes);
            room[..bytes.len()].copy_from_slice(bytes);
            Ok(bytes.len())
        })
        .map_err(|error: PyErr| error.into())
    }
}

impl Seek for PythonReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (offset, whence) = match to {
            SeekFrom::Start(offset) => (i64::try_from(offset).unwrap_or(i64::MAX), 0),
            SeekFrom::Current(offset) => (offset, 1),
            SeekFrom::End(offset) => (offset, 2),
        };
        Python::attach(|py| self.0.bind(py).call_method1("seek", (offset, whence))?.extract::<u64>())
            .map_err(io::Error::from)
    }
}
