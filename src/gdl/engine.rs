//! Which engine runs a sheet.

use super::eval_context::TooLarge;
use super::ground::{Ground, GroundingLimits};
use super::propnet::PropNet;
use super::propositions::Propositions;
use super::prover::Prover;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a sheet does not run as a network: there was too much of something, or it was not to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NoNetwork {
    /// Nobody asked for one.
    #[error("it was not wanted")]
    NotWanted,
    /// It was stopped from outside.
    #[error("it was stopped")]
    Stopped,
    /// The rules have too many conditions to plan for.
    #[error("conditions of rules")]
    RuleConditions,
    /// Too much may hold.
    #[error("atoms that may hold")]
    Atoms,
    /// The rules without variables have too many conditions.
    #[error("conditions of ground rules")]
    GroundConditions,
    /// Too much has to be looked at.
    #[error("work")]
    Work,
    /// Too many terms come up.
    #[error("terms")]
    Terms,
    /// Too many relations wait for each other.
    #[error("relations that deny each other in a row")]
    Denials,
    /// Rules about what a move does need each other.
    #[error("circles among the ground rules about moves")]
    MoveCircles,
}

impl From<TooLarge> for NoNetwork {
    fn from(error: TooLarge) -> NoNetwork {
        match error {
            TooLarge::Work(_) => NoNetwork::Work,
            TooLarge::Terms(_) => NoNetwork::Terms,
            TooLarge::Denials(_) => NoNetwork::Denials,
            TooLarge::Stopped => NoNetwork::Stopped,
        }
    }
}

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
    /// Grounds a program and lays out its network. Once `stop` is set it is given up.
    ///
    /// # Errors
    ///
    /// Something became too large, or cannot be said by a network.
    pub fn build(plain: &Prover, limits: &GroundingLimits, stop: &AtomicBool) -> Result<PropNet, NoNetwork> {
        let ground = Ground::new(plain, limits, stop)?;
        let made = Propositions::new(plain.program(), &ground, plain.roles(), stop)?;
        if stop.load(Ordering::Relaxed) {
            return Err(NoNetwork::Stopped);
        }
        Ok(PropNet::new(made, ground.terms))
    }
}
