//! Agents: who plays, how well, and against whom.
//!
//! In comes a [`Game`](crate::game::Game) and an [`Agent`], which is a value written as `mcts:1000`; out comes a
//! [`Choice`] for one role in one state. [`play_match`] plays agents against each other, a [`Session`] lets people play.
//! What players and those who run matches say to each other over a network is a [`Request`] and a [`Reply`].
//! Read [`Agent`] first, then [`Agent::choose`].

mod agent;
mod alphabeta;
mod choice;
mod ggp;
mod greedy;
mod matches;
mod material;
mod mcts;
mod resolve;
mod saved;
mod session;

pub use agent::{Agent, AgentError};
pub use alphabeta::{Evaluate, alphabeta, no_opinion};
pub use choice::Choice;
pub use ggp::{Reply, Request, RequestError};
pub use matches::{GameResult, MatchError, MatchPlan, MatchResult, play_match, winning_role};
pub use material::material;
pub use mcts::Tree;
pub use resolve::{Unresolved, find_role, joint_move};
pub use saved::LoadError;
pub use session::{Player, PlayerError, RefusedMove, Session};
