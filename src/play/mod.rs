//! Agents: who plays, how well, and against whom.
//!
//! An [`Agent`] gets a [`Game`](crate::game::Game) and gives back a [`Choice`] for one role in one state. What it knows
//! besides the rules it carries: an [`Evaluation`] of states, a [`Policy`] over moves. The text that names it, such as
//! `mcts:1000,eval=material`, is an [`AgentSpec`], from which [`AgentSpec::build`] makes it. [`play_match`] plays agents
//! against each other, a [`Session`] lets people play. What players and those who run matches say to each other over a network
//! is a [`Request`] and a [`Reply`]. Read [`Agent`] first, then [`Tree`].

mod agent;
mod agent_spec;
mod alphabeta;
mod choice;
mod clock;
mod evaluation;
mod forest;
mod ggp;
mod greedy;
mod knowledge;
mod matches;
mod mcts;
mod one_ply;
mod playout_policy;
mod resolve;
mod saved;
mod session;
mod tree;
mod tree_node;
mod tree_options;
mod tree_proof;
mod tree_room;
mod tree_walk;
mod trees;
mod walker;

pub use agent::{Agent, Random};
pub use agent_spec::{AgentError, AgentSpec, ClockedSpec, EvaluationSpec, GrowthSpec, OpponentSpec, split_players};
pub use alphabeta::{AlphaBeta, Deepening, Ties, alphabeta};
pub use choice::Choice;
pub use clock::Clock;
pub use evaluation::{Evaluation, MOST_OPINION, Material, NoOpinion, Policy};
pub use forest::Forest;
pub use ggp::{Reply, Request, RequestError};
pub use greedy::Greedy;
pub use knowledge::{Knowledge, KnowledgeError, NamedAgent, NoKnowledge};
pub use matches::{
    Effort, GameEnd, GameResult, MatchError, MatchPlan, MatchResult, Score, play_match, play_match_part, winning_role,
};
pub use mcts::Mcts;
pub use one_ply::OnePly;
pub use playout_policy::PlayoutMoves;
pub use resolve::{Unresolved, find_role, joint_move};
pub use saved::LoadError;
pub use session::{Player, PlayerError, PlayerSpec, RefusedMove, Session};
pub use tree::Tree;
pub use tree_options::{LeafEvaluation, TreeOptions};
pub use trees::Trees;
