//! What may be too large, and how much may be done.

use std::sync::atomic::{AtomicBool, Ordering};

/// Something that would be larger than a limit allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// Too many atoms are looked at.
    #[error("more than {0} atoms have to be looked at")]
    Work(u64),
    /// Too much has to be kept.
    #[error("more than {0} terms come up")]
    Terms(u64),
    /// A term is too long when it is written.
    #[error("a term is longer than {0} characters")]
    TermLength(u16),
    /// A term is nested too deeply.
    #[error("a term is nested more than {0} deep")]
    TermDepth(u8),
    /// The facts of a state, or its legal moves, are too long when they are written.
    #[error("the facts or the legal moves of a state are longer than {0} characters")]
    State(u64),
    /// The plans for the rules are too long.
    #[error("the rules need plans of more than {0} steps")]
    Plans(u64),
    /// Too many relations wait for each other.
    #[error("more than {0} relations deny each other in a row")]
    Denials(u32),
    /// It was stopped from outside.
    #[error("it was stopped")]
    Stopped,
}

/// Fails once `stop` is set.
pub(super) fn check_stop(stop: &AtomicBool) -> Result<(), TooLarge> {
    if stop.load(Ordering::Relaxed) { Err(TooLarge::Stopped) } else { Ok(()) }
}

/// How much may be done, and how much was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget<'a> {
    /// Atoms looked at.
    pub work: u64,
    pub most_work: u64,
    /// The most terms, and entries of tables, that may be kept.
    pub most_kept: usize,
    pub stop: &'a AtomicBool,
}
