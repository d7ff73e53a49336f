//! What is wrong with a sheet: where, how bad, and how to mend it.

use std::fmt;
use std::ops::Range;

/// Whether a sheet can still be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// It breaks the letter of the language, but what it means is clear.
    Warning,
    /// It has no meaning that could be run.
    Error,
}

/// One thing that is wrong with a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// The bytes of the text that it is about.
    pub span: Range<usize>,
    /// What was found and what was expected.
    pub message: String,
    /// How to mend it.
    pub mend: String,
}

impl Problem {
    pub(super) fn error(span: Range<usize>, message: impl Into<String>, mend: impl Into<String>) -> Problem {
        Problem { severity: Severity::Error, span, message: message.into(), mend: mend.into() }
    }

    /// Nothing is wrong: reading was stopped from outside.
    pub(super) fn stopped() -> Problem {
        Problem::error(0..0, "reading the sheet was stopped", "read it again")
    }

    pub(super) fn warning(span: Range<usize>, message: impl Into<String>, mend: impl Into<String>) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(span, message, mend) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.mend)
    }
}

/// A text that is not a rule sheet, or not one that can be run: the text, and everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>().join("; "))]
pub struct SheetError {
    /// What was refused.
    pub text: String,
    /// Why, in the order of the text; at least one is an error.
    pub problems: Vec<Problem>,
}
