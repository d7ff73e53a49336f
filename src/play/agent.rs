//! Agents by name.

use super::{Choice, alphabeta, greedy, material, mcts};
use crate::game::{Chance, Game, Role};
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

/// A way of playing any game, for any number of roles that move in turn or at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agent {
    /// `random`: any legal move, each as likely as the others.
    Random,
    /// `greedy`: a move that wins at once, whatever the others do at the same time; otherwise any.
    Greedy,
    /// `alphabeta:DEPTH`: looks this many joint moves ahead and supposes that all others play against it.
    AlphaBeta {
        /// Joint moves, from 1 to [`Agent::MOST_DEPTH`].
        depth: u16,
    },
    /// `mcts:PLAYOUTS`: grows a tree with this many random playouts.
    Mcts {
        /// From 1 to [`Agent::MOST_PLAYOUTS`].
        playouts: u32,
    },
}

impl Agent {
    /// The deepest search that may be asked for.
    pub const MOST_DEPTH: u16 = 200;
    /// The most playouts that may be asked for.
    pub const MOST_PLAYOUTS: u32 = 1_000_000_000;

    /// Chooses a move for a role; `None` if it is not to move or the game is over.
    ///
    /// A role that is chance draws its move, whichever agent is asked.
    pub fn choose<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        chance: &mut Chance,
    ) -> Option<Choice<G::Move>> {
        self.choose_until(game, state, role, chance, &AtomicBool::new(false))
    }

    /// The same, but once `stop` is set, the best that was found so far is chosen soon.
    pub fn choose_until<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Option<Choice<G::Move>> {
        if game.goals(state).is_some() || !game.to_move(state).contains(role) {
            return None;
        }
        let mut moves = Vec::new();
        game.legal(state, role, &mut moves);
        if moves.len() < 2 {
            // There is nothing to think about.
            return moves.pop().map(Choice::unexamined);
        }
        let agent = if game.chance_roles().contains(role) { Agent::Random } else { *self };
        Some(match agent {
            Agent::Random => Choice::unexamined(moves.swap_remove(chance.below(moves.len()))),
            Agent::Greedy => greedy::choose(game, state, role, moves, chance),
            Agent::AlphaBeta { depth } => alphabeta(game, state, role, depth, material, chance, stop)?,
            Agent::Mcts { playouts } => mcts::choose(game, state, role, playouts, chance, stop),
        })
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Agent::Random => f.write_str("random"),
            Agent::Greedy => f.write_str("greedy"),
            Agent::AlphaBeta { depth } => write!(f, "alphabeta:{depth}"),
            Agent::Mcts { playouts } => write!(f, "mcts:{playouts}"),
        }
    }
}

impl FromStr for Agent {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<Agent, AgentError> {
        let error = |reason: String| AgentError { found: text.to_owned(), reason };
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (text, None),
        };
        let number = |what: &str, most: u32| {
            let digits = number.ok_or_else(|| error(format!("{name} needs a number of {what}, as in {name}:3")))?;
            let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let number = digits.parse::<u32>().ok().filter(|number| plain && (1..=most).contains(number));
            number.ok_or_else(|| error(format!("the number of {what} must be from 1 to {most}")))
        };
        match (name, text.contains(':')) {
            ("random", false) => Ok(Agent::Random),
            ("greedy", false) => Ok(Agent::Greedy),
            ("random" | "greedy", true) => Err(error(format!("{name} takes no number"))),
            ("alphabeta", _) => {
                let depth = number("joint moves to look ahead", u32::from(Agent::MOST_DEPTH))?;
                Ok(Agent::AlphaBeta { depth: depth as u16 })
            }
            ("mcts", _) => Ok(Agent::Mcts { playouts: number("playouts", Agent::MOST_PLAYOUTS)? }),
            _ => Err(error("there is no such player".to_owned())),
        }
    }
}

/// A text that names no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found:?}: {reason}; players are random, greedy, alphabeta:DEPTH and mcts:PLAYOUTS")]
pub struct AgentError {
    /// What was given.
    pub found: String,
    /// What is wrong.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_written_as_they_are_read() {
        for text in ["random", "greedy", "alphabeta:3", "mcts:1000"] {
            assert_eq!(text.parse::<Agent>().unwrap().to_string(), text);
        }
        assert_eq!("mcts:1000".parse(), Ok(Agent::Mcts { playouts: 1000 }));
    }

    #[test]
    fn what_is_no_agent_is_refused_with_what_there_is() {
        for text in [
            "",
            "mcts",
            "mcts:",
            "mcts:0",
            "mcts:-1",
            "mcts:+1",
            "mcts:1e3",
            "mcts:99999999999",
            "mcts:1:2",
            "alphabeta",
            "alphabeta:0",
            "alphabeta:201",
            "random:1",
            "greedy:",
            "Random",
            "nobody",
        ] {
            let error = text.parse::<Agent>().unwrap_err().to_string();
            assert!(error.contains(&format!("{text:?}")) && error.contains("mcts:PLAYOUTS"), "{error}");
        }
    }
}
