//! Which engine runs a sheet.

use super::ground::{Ground, GroundingLimits};
use super::limits::TooLarge;
use super::propnet::PropNet;
use super::propositions::Propositions;
use super::prover::Prover;
use std::sync::atomic::AtomicBool;

/// Which engine to run a sheet with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The rules are evaluated anew in every state.
    Prover,
    /// A propnet if it fits the limits, otherwise the prover.
    #[default]
    Fast,
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

impl PropNet {
    /// Grounds a program and lays out its propnet. Once `stop` is set it is given up.
    ///
    /// # Errors
    ///
    /// What became too large, or what a propnet cannot do.
    pub fn build(prover: &Prover, limits: &GroundingLimits, stop: &AtomicBool) -> Result<PropNet, NoPropNet> {
        let ground = Ground::new(prover, limits, stop)?;
        let made = Propositions::new(prover.program(), &ground, prover.roles(), stop)?;
        Ok(PropNet::new(made, ground.terms, stop)?)
    }
}
