//! Errors as the exceptions of `onlooker.errors`, with the place of what is wrong.

use onlooker::concepts::HeuristicError;
use onlooker::game::{GameError, Truncation};
use onlooker::learn::SavedError;
use onlooker::locm::PlanError;
use onlooker::observe::LogError;
use onlooker::opponent::ModelError;
use onlooker::tactics::TacticsError;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::io;
use std::ops::Range;

/// What is wrong, before there is an interpreter to say it to: work is done without one.
#[derive(Clone, Debug, Default)]
pub struct Trouble {
    /// The name of the class.
    pub class: &'static str,
    pub message: String,
    pub file: Option<String>,
    pub line: Option<u64>,
    pub column: Option<usize>,
    pub game: Option<u64>,
    pub record: Option<u32>,
}

impl Trouble {
    pub fn new(class: &'static str, message: impl Into<String>) -> Trouble {
        Trouble { class, message: message.into(), ..Trouble::default() }
    }

    /// The same in a file.
    pub fn in_file(mut self, file: Option<&str>) -> Trouble {
        self.file = file.map(str::to_owned);
        self
    }

    fn at(mut self, line: u64, column: usize) -> Trouble {
        (self.line, self.column) = (Some(line), Some(column));
        self
    }

    pub fn log(error: &LogError) -> Trouble {
        let trouble = Trouble::new("LogError", error.problem.to_string()).at(error.line, error.column);
        Trouble { game: Some(error.game), record: Some(error.record), ..trouble }
    }

    pub fn plan(error: &PlanError) -> Trouble {
        Trouble::new("PlanError", error.problem.to_string()).at(error.line, error.column)
    }

    pub fn saved(error: &SavedError) -> Trouble {
        match error {
            SavedError::Io(error) => Trouble::new("EvidenceError", format!("it cannot be read: {error}")),
            SavedError::Line { line, column, found, expected } => {
                let shown: String = found.chars().take(60).collect();
                Trouble::new("EvidenceError", format!("found {shown:?}, expected {expected}")).at(*line, *column)
            }
        }
    }

    /// The first of several problems of a text, and how many more there are.
    fn text<'a>(
        class: &'static str,
        text: &str,
        problems: impl IntoIterator<Item = (Range<usize>, &'a str)>,
    ) -> Trouble {
        let mut problems = problems.into_iter();
        let (span, message) = problems.next().unwrap_or((0..0, "it cannot be read"));
        let before = &text[..span.start.min(text.len())];
        let line = before.matches('\n').count() as u64 + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        let more = problems.count();
        let more = if more > 0 { format!(" (and {more} more problems)") } else { String::new() };
        Trouble::new(class, format!("{message}{more}")).at(line, column)
    }

    pub fn heuristic(error: &HeuristicError) -> Trouble {
        let problems = error.problems.iter().map(|problem| (problem.span.clone(), problem.message.as_str()));
        Trouble::text("ConceptsError", &error.text, problems)
    }

    pub fn model(error: &ModelError) -> Trouble {
        let problems = error.problems.iter().map(|problem| (problem.span.clone(), problem.message.as_str()));
        Trouble::text("OpponentError", &error.text, problems)
    }

    pub fn tactics(error: &TacticsError) -> Trouble {
        let problems = error.problems.iter().map(|problem| (problem.span.clone(), problem.message.as_str()));
        Trouble::text("TacticsError", &error.text, problems)
    }

    pub fn game(error: &GameError) -> Trouble {
        match error {
            GameError::Rules(error) => {
                let problems = error.problems.iter().map(|problem| (problem.span.clone(), problem.message.as_str()));
                Trouble::text("RulesError", &error.text, problems)
            }
            GameError::Compile(error) => Trouble::new("RulesError", error.to_string()),
            GameError::Sheet(error) => {
                let mut problems: Vec<_> = error.problems.iter().collect();
                problems.sort_by_key(|problem| std::cmp::Reverse(problem.severity));
                let problems = problems.into_iter().map(|problem| (problem.span.clone(), problem.message.as_str()));
                Trouble::text("SheetError", &error.text, problems)
            }
            GameError::TooLarge(error) => Trouble::new("SheetError", error.to_string()),
        }
    }

    pub fn truncated(reason: Truncation) -> Trouble {
        let message = format!("a state of the game is too large, so this is not the whole truth: {reason}");
        Trouble::new("TooLarge", message)
    }

    /// The attributes of the exception.
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let kwargs = PyDict::new(py);
        kwargs.set_item("file", &self.file)?;
        kwargs.set_item("line", self.line)?;
        kwargs.set_item("column", self.column)?;
        if self.class == "LogError" {
            kwargs.set_item("game", self.game)?;
            kwargs.set_item("record", self.record)?;
        }
        Ok(kwargs)
    }

    /// The exception, which need not be raised.
    pub fn exception<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let class = py.import("onlooker.errors")?.getattr(self.class)?;
        class.call((&self.message,), Some(&self.attributes(py)?))
    }

    pub fn raise(&self, py: Python<'_>) -> PyErr {
        self.exception(py).map_or_else(|error| error, PyErr::from_value)
    }
}

/// Errors of files are those of Python: `FileNotFoundError` and the like.
pub fn os_error(error: io::Error, path: &str) -> PyErr {
    match error.raw_os_error() {
        Some(number) => PyOSError::new_err((number, strip(&error), path.to_owned())),
        None => error.into(),
    }
}

fn strip(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// What goes wrong in work that is done without an interpreter.
#[derive(Debug)]
pub enum Failure {
    Trouble(Trouble),
    Io(io::Error, String),
    Python(PyErr),
    /// It was stopped; whoever stopped it knows why.
    Stopped,
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        Failure::Trouble(trouble)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Failure {
        Failure::Python(error)
    }
}

impl Failure {
    pub fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Failure::Trouble(trouble) => trouble.raise(py),
            Failure::Io(error, path) => os_error(error, &path),
            Failure::Python(error) => error,
            Failure::Stopped => Trouble::new("Error", "it was stopped").raise(py),
        }
    }
}
