//! Which engine runs a sheet.

use super::ground::{Ground, Limits};
use super::network::Network;
use super::plain::Plain;
use super::propositions::Propositions;
use std::sync::atomic::{AtomicBool, Ordering};

/// Which engine to run a sheet with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Everything is worked out anew in every state.
    Plain,
    /// A network if it fits the limits, otherwise plain.
    #[default]
    Fast,
}

impl Network {
    /// Grounds a program and lays out its network; tells what became too large, or what it cannot do, if it fails. Once
    /// `stop` is set it is given up.
    pub fn build(plain: &Plain, limits: &Limits, stop: &AtomicBool) -> Result<Network, &'static str> {
        let ground = Ground::new(plain, limits, stop)?;
        let made = Propositions::new(plain.program(), &ground, plain.roles(), stop)?;
        if stop.load(Ordering::Relaxed) {
            return Err("it was stopped");
        }
        Ok(Network::new(made, ground.terms))
    }
}
