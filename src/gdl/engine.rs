//! Which engine runs a sheet.

use super::ground::{Ground, GroundingLimits};
use super::limits::NoPropNet;
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
