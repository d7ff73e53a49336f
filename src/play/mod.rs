//! Agents: who plays, how well, and against whom.
//!
//! In comes a [`Game`](crate::game::Game) and an [`Agent`], which is a value written as `mcts:1000`; out comes a
//! [`Choice`] for one role in one state. [`play_match`] plays agents against each other, a [`Session`] lets people play.
//! Read [`Agent`] first, then [`Agent::choose`].

mod agent;
mod alphabeta;
mod choice;
mod greedy;
mod matches;
mod material;
mod mcts;
mod saved;
mod session;

pub use agent::{Agent, AgentError};
pub use alphabeta::{Evaluate, alphabeta, no_opinion};
pub use choice::Choice;
pub use matches::{GameResult, MatchError, MatchPlan, MatchResult, play_match};
pub use material::material;
pub use saved::LoadError;
pub use session::{Player, PlayerError, RefusedMove, Session};
