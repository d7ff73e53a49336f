//! Agents: whoever chooses moves.

use super::Choice;
use crate::game::{Chance, Game, Role};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A way of playing a game, with all that it knows about it.
///
/// Whoever writes one says how it chooses among several moves; [`Agent::choose`] is for those who ask.
///
/// ```
/// use onlooker::game::{Chance, Game, Role, catalogue_game};
/// use onlooker::play::{Agent, Mcts};
///
/// let game = catalogue_game("tic-tac-toe").expect("a game of the catalogue");
/// let choice = Mcts::new(100).choose(&game, &game.start(), Role(0), &mut Chance::new(1));
/// assert_eq!(choice.expect("it is to move").playouts, 100);
/// ```
pub trait Agent<G: Game>: Send + Sync {
    /// Chooses one of the at least two legal `moves` of a role that is to move and is not chance; once `stop` is set, the best
    /// that was found so far is chosen soon.
    fn choose_among(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        moves: Vec<G::Move>,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Choice<G::Move>;

    /// Chooses a move for a role; `None` if it is not to move, the game is over or the state is beyond the engine's limits.
    ///
    /// A role that is chance draws its move, whichever agent is asked.
    fn choose(&self, game: &G, state: &G::State, role: Role, chance: &mut Chance) -> Option<Choice<G::Move>> {
        self.choose_until(game, state, role, chance, &AtomicBool::new(false))
    }

    /// The same, but once `stop` is set, the best that was found so far is chosen soon.
    fn choose_until(
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
        Some(if game.chance_roles().contains(role) {
            Random.choose_among(game, state, role, moves, chance, stop)
        } else {
            self.choose_among(game, state, role, moves, chance, stop)
        })
    }
}

impl<G: Game, A: Agent<G> + ?Sized> Agent<G> for Arc<A> {
    fn choose_among(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        moves: Vec<G::Move>,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Choice<G::Move> {
        (**self).choose_among(game, state, role, moves, chance, stop)
    }
}

/// Plays any legal move, each as likely as the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Random;

impl<G: Game> Agent<G> for Random {
    fn choose_among(
        &self,
        _: &G,
        _: &G::State,
        _: Role,
        mut moves: Vec<G::Move>,
        chance: &mut Chance,
        _: &AtomicBool,
    ) -> Choice<G::Move> {
        Choice::unexamined(moves.swap_remove(chance.below(moves.len())))
    }
}
