//! One step of a plan.

use std::fmt;

/// An action with the objects it is done to. A trace is a slice of these.
///
/// Text may be owned or borrowed: `Action<String>`, `Action<&str>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action<S = String> {
    /// What is done.
    pub name: S,
    /// What it is done to, in order. Names of objects mean something only within their trace.
    pub arguments: Vec<S>,
}

impl<S> Action<S> {
    /// An action.
    pub fn new(name: S, arguments: impl Into<Vec<S>>) -> Action<S> {
        Action { name, arguments: arguments.into() }
    }
}

impl<S: fmt::Display> fmt::Display for Action<S> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "({}", self.name)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))?;
        f.write_str(")")
    }
}
