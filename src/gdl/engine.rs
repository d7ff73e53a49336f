//! Which engine runs a sheet.

use super::ground::{Ground, GroundingLimits};
use super::propnet::PropNet;
use super::propositions::Propositions;
use super::prover::Prover;
use std::sync::atomic::{AtomicBool, Ordering};

/// Which engine to run a sheet with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Everything is worked out anew in every state.
    Prover,
    /// A network if it fits the limits, otherwise plain.
    #[default]
    Fast,
}

impl PropNet {
    /// Grounds a program and lays out its network; tells what became too large, or what it cannot do, if it fails. Once
    /// `stop` is set it is given up.
    pub fn build(plain: &Prover, limits: &GroundingLimits, stop: &AtomicBool) -> Result<PropNet, &'static str> {
        let ground = Ground::new(plain, limits, stop)?;
        let made = Propositions::new(plain.program(), &ground, plain.roles(), stop)?;
        if stop.load(Ordering::Relaxed) {
            return Err("it was stopped");
        }
        Ok(PropNet::new(made, ground.terms))
    }
}
