//! A model for players who learn only later which game they play, as in matches over a network.

use super::model::OpponentModel;
use super::search::OpponentSearch;
use crate::game::{Chance, Game, Role};
use crate::play::{Agent, Choice, Evaluation, OpponentSpec};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError, RwLock};

/// An agent that binds its model to whatever game is played. In a game without the model's role it is plain alpha-beta.
pub struct LazyOpponent<G: Game> {
    model: OpponentModel,
    spec: OpponentSpec,
    evaluation: Arc<dyn Evaluation<G>>,
    bound: RwLock<Option<(GameKey, Arc<OpponentSearch<G>>)>>,
}

/// What tells games apart: where the game is, what it is called, and who plays.
type GameKey = (usize, String, Vec<String>);

impl<G: Game> LazyOpponent<G> {
    /// Nothing is bound before the first move.
    pub fn new(model: OpponentModel, spec: OpponentSpec, evaluation: Arc<dyn Evaluation<G>>) -> LazyOpponent<G> {
        LazyOpponent { model, spec, evaluation, bound: RwLock::new(None) }
    }

    fn bound(&self, game: &G) -> Arc<OpponentSearch<G>> {
        let at = std::ptr::from_ref(game).addr();
        if let Some(((known, name, roles), search)) = &*self.bound.read().unwrap_or_else(PoisonError::into_inner)
            && (*known, name.as_str(), &roles[..]) == (at, game.name(), game.roles())
        {
            return Arc::clone(search);
        }
        let mut model = self.model.clone();
        model.bind(game);
        let search = Arc::new(OpponentSearch::new(Arc::new(model), &self.spec, Arc::clone(&self.evaluation)));
        let key = (at, game.name().to_owned(), game.roles().to_vec());
        *self.bound.write().unwrap_or_else(PoisonError::into_inner) = Some((key, Arc::clone(&search)));
        search
    }
}

impl<G: Game> Agent<G> for LazyOpponent<G> {
    fn choose_among(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        moves: Vec<G::Move>,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Choice<G::Move> {
        self.bound(game).choose_among(game, state, role, moves, chance, stop)
    }
}
