//! What was seen, and what was learnt from it.

use super::Contradictions;
use crate::budget::StopReason;
use crate::learn::{Evidence, Learnt, NoGames, Options, Progress, learn};
use crate::rules::Flaw;
use std::sync::atomic::{AtomicBool, Ordering};

/// What was seen, and what was learnt from it.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// What was seen.
    pub evidence: Evidence,
    /// Rules without flaws, and what they do not account for.
    pub learnt: Learnt,
    /// What records contradict each other on.
    pub contradictions: Contradictions,
}

/// Why nothing was learnt from evidence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRules {
    /// There is no game.
    #[error("there is no game to learn from, expected at least one complete game")]
    NoGames,
    /// What was learnt is no game that can be played.
    #[error("these games make no rules: {}", .0.reason)]
    Flawed(Flaw),
    /// It was stopped from outside.
    #[error("it was stopped")]
    Interrupted,
}

impl Lesson {
    /// Learns rules from evidence on the threads of the current rayon pool; `watch` is called wherever it has got to.
    ///
    /// # Errors
    ///
    /// [`NoRules`] if there is no game, if the result would be no rules, or if `stop` is set.
    pub fn learn(
        evidence: Evidence,
        options: &Options,
        stop: &AtomicBool,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<Lesson, NoRules> {
        if stop.load(Ordering::Relaxed) {
            return Err(NoRules::Interrupted);
        }
        let learnt = learn(&evidence, options, stop, watch).map_err(|NoGames| NoRules::NoGames)?;
        // The best so far of a search that was cut off says nothing about the game.
        if learnt.stopped == StopReason::Interrupted {
            return Err(NoRules::Interrupted);
        }
        match learnt.rules.flaws().into_iter().next() {
            Some(flaw) => Err(NoRules::Flawed(flaw)),
            None => Ok(Lesson { evidence, contradictions: Contradictions::of(&learnt), learnt }),
        }
    }

    /// Whether the rules account for everything that was seen.
    pub fn is_consistent(&self) -> bool {
        self.learnt.is_consistent()
    }

    /// Whether a movement was found for every piece and no records contradict each other on it, whatever becomes of endings.
    pub fn moves_are_consistent(&self) -> bool {
        self.learnt.pieces.iter().all(|piece| piece.consistent)
    }
}
