//! A heuristic for players who learn only later which game they play, as in matches over a network.

use super::compile::CompiledHeuristic;
use super::heuristic::Heuristic;
use crate::game::{Game, Role};
use crate::play::{Evaluation, Policy};
use std::sync::{Arc, PoisonError, RwLock};

/// A heuristic that is matched with whatever game is played. In a game that it does not fit, it has no opinion.
#[derive(Debug)]
pub struct LazyHeuristic {
    heuristic: Heuristic,
    compiled: RwLock<Option<(GameKey, Option<Arc<CompiledHeuristic>>)>>,
}

/// What tells games apart: where the game is, what it is called, and who plays.
type GameKey = (usize, String, Vec<String>);

impl LazyHeuristic {
    /// Nothing is matched before the first question.
    pub fn new(heuristic: Heuristic) -> LazyHeuristic {
        LazyHeuristic { heuristic, compiled: RwLock::new(None) }
    }

    fn compiled<G: Game>(&self, game: &G) -> Option<Arc<CompiledHeuristic>> {
        let at = std::ptr::from_ref(game).addr();
        if let Some(((known, name, roles), compiled)) = &*self.compiled.read().unwrap_or_else(PoisonError::into_inner)
            && (*known, name.as_str(), &roles[..]) == (at, game.name(), game.roles())
        {
            return compiled.clone();
        }
        let compiled = CompiledHeuristic::new(&self.heuristic, game).ok().map(Arc::new);
        let key = (at, game.name().to_owned(), game.roles().to_vec());
        *self.compiled.write().unwrap_or_else(PoisonError::into_inner) = Some((key, compiled.clone()));
        compiled
    }
}

impl<G: Game> Evaluation<G> for LazyHeuristic {
    fn evaluate(&self, game: &G, state: &G::State, role: Role) -> i32 {
        self.compiled(game).map_or(0, |compiled| compiled.evaluate(game, state, role))
    }

    fn score(&self, game: &G, state: &G::State, role: Role) -> f64 {
        self.compiled(game).map_or(0.0, |compiled| compiled.score(game, state, role))
    }
}

impl<G: Game> Policy<G> for LazyHeuristic {
    fn weigh(&self, game: &G, state: &G::State, role: Role, moves: &[G::Move], weights: &mut Vec<f64>) {
        match self.compiled(game) {
            Some(compiled) => compiled.weigh(game, state, role, moves, weights),
            None => {
                weights.clear();
                weights.resize(moves.len(), 1.0);
            }
        }
    }
}
