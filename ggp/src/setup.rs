//! Engines for a match: the prover first, since it is soon ready, and a propnet as soon as it is built.

use crate::log::Log;
use onlooker::game::{GdlGame, Role, Term};
use onlooker::gdl::{Engine, GroundingLimits, Program, TooLarge};
use onlooker::play::find_role;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A match that can be played.
pub struct Playable {
    /// The game as the prover runs it.
    pub game: Arc<GdlGame>,
    /// The role to play.
    pub role: Role,
    /// The program, for a faster engine.
    pub program: Program,
}

/// Reads the rules, finds the role, and makes the prover; or says why the match cannot be played.
pub fn prepare(id: &str, rules: &str, role: &Term, stop: &Arc<AtomicBool>) -> Result<Playable, String> {
    let program = Program::read_until(rules, stop).map_err(|error| error.to_string())?;
    let found = find_role(program.roles(), role).ok_or_else(|| {
        let roles = program.roles().join(", ");
        format!("there is no role {role}; the rules have {roles}")
    })?;
    let game = make(id, program.clone(), Engine::Prover, stop).map_err(|error| error.to_string())?;
    Ok(Playable { game: Arc::new(game), role: found, program })
}

/// Builds the game as a propnet; `None`, with a line in the log, if it stays with the prover.
pub fn build_propnet(id: &str, program: Program, stop: &Arc<AtomicBool>, log: &Log) -> Option<GdlGame> {
    let reason = match make(id, program, Engine::Fast, stop) {
        Ok(game) => match game.network().err() {
            None => return Some(game),
            Some(reason) => reason.to_string(),
        },
        Err(TooLarge::Stopped) => return None,
        Err(error) => error.to_string(),
    };
    log.line(format!("{id}: plain engine: {reason}"));
    None
}

fn make(id: &str, program: Program, engine: Engine, stop: &Arc<AtomicBool>) -> Result<GdlGame, TooLarge> {
    GdlGame::new_until(id, program, engine, &GroundingLimits::default(), Arc::clone(stop))
}
