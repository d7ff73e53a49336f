//! From the name of an agent to the agent: where its knowledge comes from.

use super::{
    Agent, AgentSpec, AlphaBeta, Choice, ClockedSpec, Evaluation, EvaluationSpec, Greedy, LeafEvaluation, Material,
    Mcts, NoOpinion, OnePly, OpponentSpec, Policy, Random, TreeOptions,
};
use crate::game::{Chance, Game, Role};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Somebody who can read the files that the names of agents speak of.
pub trait Knowledge<G: Game> {
    /// The evaluation in a file.
    ///
    /// # Errors
    ///
    /// There is no evaluation of this game in it.
    fn evaluation(&self, file: &str) -> Result<Arc<dyn Evaluation<G>>, KnowledgeError>;

    /// The policy in a file.
    ///
    /// # Errors
    ///
    /// There is no policy for this game in it.
    fn policy(&self, file: &str) -> Result<Arc<dyn Policy<G>>, KnowledgeError>;

    /// The agent that searches with the model in a file.
    ///
    /// # Errors
    ///
    /// There is no model of an opponent in this game in it.
    fn opponent(
        &self,
        spec: &OpponentSpec,
        evaluation: Arc<dyn Evaluation<G>>,
    ) -> Result<Arc<dyn Agent<G>>, KnowledgeError>;

    /// The agent that plays by the rules in a file, and asks another one where they leave a choice.
    ///
    /// # Errors
    ///
    /// There are no rules for this game in it.
    fn tactics(&self, file: &str, then: Option<Arc<dyn Agent<G>>>) -> Result<Arc<dyn Agent<G>>, KnowledgeError>;

    /// The agent that plays by the clock.
    ///
    /// # Errors
    ///
    /// There is no clock here.
    fn clocked(&self, spec: &ClockedSpec) -> Result<Arc<dyn Agent<G>>, KnowledgeError>;
}

/// A file that an agent cannot use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct KnowledgeError {
    /// The file.
    pub file: String,
    /// What is wrong with it, and where in the file.
    pub reason: String,
}

/// No file is read: agents know what they are built with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoKnowledge;

impl NoKnowledge {
    fn refuse<T>(file: &str, what: &str) -> Result<T, KnowledgeError> {
        Err(KnowledgeError { file: file.to_owned(), reason: format!("{file}: {what} cannot be read from files here") })
    }
}

impl<G: Game> Knowledge<G> for NoKnowledge {
    fn evaluation(&self, file: &str) -> Result<Arc<dyn Evaluation<G>>, KnowledgeError> {
        NoKnowledge::refuse(file, "evaluations other than none and material")
    }

    fn policy(&self, file: &str) -> Result<Arc<dyn Policy<G>>, KnowledgeError> {
        NoKnowledge::refuse(file, "policies")
    }

    fn opponent(&self, spec: &OpponentSpec, _: Arc<dyn Evaluation<G>>) -> Result<Arc<dyn Agent<G>>, KnowledgeError> {
        NoKnowledge::refuse(&spec.file, "models of opponents")
    }

    fn tactics(&self, file: &str, _: Option<Arc<dyn Agent<G>>>) -> Result<Arc<dyn Agent<G>>, KnowledgeError> {
        NoKnowledge::refuse(file, "tactics")
    }

    fn clocked(&self, _: &ClockedSpec) -> Result<Arc<dyn Agent<G>>, KnowledgeError> {
        Err(no_clock())
    }
}

/// Why an agent cannot play by a clock.
fn no_clock() -> KnowledgeError {
    let reason = "ggp:SECONDS plays by a clock, and there is none here: expected another player, such as mcts:1000";
    KnowledgeError { file: String::new(), reason: reason.to_owned() }
}

/// An agent that was made from its name.
pub struct NamedAgent<G: Game> {
    spec: AgentSpec,
    agent: Arc<dyn Agent<G>>,
}

impl AgentSpec {
    /// Makes the agent.
    ///
    /// # Errors
    ///
    /// A file that it needs cannot be used.
    pub fn build<G: Game>(&self, knowledge: &dyn Knowledge<G>) -> Result<NamedAgent<G>, KnowledgeError> {
        let evaluation = |spec: &EvaluationSpec| -> Result<Option<Arc<dyn Evaluation<G>>>, KnowledgeError> {
            Ok(match spec {
                EvaluationSpec::Nothing => None,
                EvaluationSpec::Material => Some(Arc::new(Material)),
                EvaluationSpec::File(file) => Some(knowledge.evaluation(file)?),
            })
        };
        let policy = |policy: &Option<String>| policy.as_ref().map(|file| knowledge.policy(file)).transpose();
        let agent: Arc<dyn Agent<G>> = match self {
            AgentSpec::Random => Arc::new(Random),
            AgentSpec::Greedy => Arc::new(Greedy),
            AgentSpec::Heuristic { file } => Arc::new(OnePly { evaluation: knowledge.evaluation(file)? }),
            AgentSpec::AlphaBeta { depth, evaluation: named, policy: file, nodes, ties } => Arc::new(AlphaBeta {
                depth: *depth,
                evaluation: evaluation(named)?.unwrap_or_else(|| Arc::new(NoOpinion)),
                policy: policy(file)?,
                nodes: nodes.map_or(u64::MAX, u64::from),
                ties: *ties,
            }),
            AgentSpec::Opponent(spec) => {
                let evaluation = evaluation(&spec.evaluation)?.unwrap_or_else(|| Arc::new(NoOpinion));
                knowledge.opponent(spec, evaluation)?
            }
            AgentSpec::Clocked(spec) => knowledge.clocked(spec)?,
            AgentSpec::Tactics { file, then } => {
                let then = then.as_ref().map(|then| then.build(knowledge)).transpose()?;
                knowledge.tactics(file, then.map(|then| then.agent))?
            }
            AgentSpec::Mcts { playouts, evaluation: named, share, policy: file, room, growth } => Arc::new(Mcts {
                playouts: *playouts,
                options: TreeOptions {
                    evaluation: evaluation(named)?.map(|evaluation| LeafEvaluation { evaluation, share: *share }),
                    policy: policy(file)?,
                    room: *room as usize,
                    transpositions: growth.transpositions,
                    playouts: growth.playouts,
                    epsilon: growth.epsilon,
                    rave: growth.rave,
                    cutoff: growth.cutoff,
                    minimax: growth.minimax,
                },
            }),
        };
        Ok(NamedAgent { spec: self.clone(), agent })
    }
}

impl<G: Game> NamedAgent<G> {
    /// `random`, who needs to know nothing.
    pub fn random() -> NamedAgent<G> {
        NamedAgent { spec: AgentSpec::Random, agent: Arc::new(Random) }
    }

    /// What it was made from.
    pub fn spec(&self) -> &AgentSpec {
        &self.spec
    }
}

impl<G: Game> Clone for NamedAgent<G> {
    fn clone(&self) -> NamedAgent<G> {
        NamedAgent { spec: self.spec.clone(), agent: Arc::clone(&self.agent) }
    }
}

impl<G: Game> fmt::Display for NamedAgent<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.spec.fmt(f)
    }
}

impl<G: Game> fmt::Debug for NamedAgent<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("NamedAgent").field(&self.spec).finish()
    }
}

impl<G: Game> Agent<G> for NamedAgent<G> {
    fn choose_among(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        moves: Vec<G::Move>,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Choice<G::Move> {
        self.agent.choose_among(game, state, role, moves, chance, stop)
    }
}
