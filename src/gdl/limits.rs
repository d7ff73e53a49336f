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

/// Why a sheet has no propnet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPropNet {
    /// Nobody asked for one.
    #[error("it was not wanted")]
    NotWanted,
    /// Too many atoms may hold.
    #[error("more than {0} atoms may hold")]
    Atoms(usize),
    /// The ground rules are too large.
    #[error("the ground rules have more than {0} conditions")]
    Literals(usize),
    /// The atoms that may hold are too long when they are written.
    #[error("the atoms that may hold are longer than {0} characters")]
    Length(usize),
    /// The rules are too long to plan joins for each of their conditions.
    #[error("the rules have too many conditions for {0} steps of plans")]
    Conditions(usize),
    /// Ground rules that depend on moves are recursive, which the propnet has no place for.
    #[error("ground rules about moves need each other")]
    RecursiveMoves,
    /// Evaluation on the way to it is too large, or was stopped.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// Fails once `stop` is set.
pub(super) fn check_stop(stop: &AtomicBool) -> Result<(), TooLarge> {
    if stop.load(Ordering::Relaxed) { Err(TooLarge::Stopped) } else { Ok(()) }
}

/// How much may be done, and how much was.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkLimit<'a> {
    /// Atoms looked at.
    pub work: u64,
    pub most_work: u64,
    /// The most terms, and entries of tables, that may be kept.
    pub most_kept: usize,
    pub stop: &'a AtomicBool,
}
