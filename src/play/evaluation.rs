//! What search asks of those who know more of a game than its rules: what a state is worth, and which moves are promising.

use crate::board::Player;
use crate::game::{Game, Role};

/// The most an [`Evaluation`] may say, for or against.
pub const MOST_OPINION: i32 = 1000;

/// An opinion on states.
///
/// ```
/// use onlooker::game::{Game, Role, RulesGame, catalogue_game};
/// use onlooker::play::{Agent, AlphaBeta, Evaluation};
/// use std::sync::Arc;
///
/// /// Likes to have many moves.
/// struct Mobility;
///
/// impl<G: Game> Evaluation<G> for Mobility {
///     fn evaluate(&self, game: &G, state: &G::State, role: Role) -> i32 {
///         let own = if game.to_move(state).contains(role) { 10 } else { -10 };
///         own * game.count(state).min(100) as i32
///     }
/// }
///
/// let game = catalogue_game("amazons").expect("a game of the catalogue");
/// let agent = AlphaBeta { evaluation: Arc::new(Mobility), ..AlphaBeta::new(1) };
/// let choice = agent.choose(&game, &game.start(), Role(0), &mut onlooker::game::Chance::new(1));
/// assert!(choice.is_some());
/// ```
pub trait Evaluation<G: Game>: Send + Sync {
    /// What a state that is not over is worth for a role: from -[`MOST_OPINION`], as good as a goal of 0, to
    /// [`MOST_OPINION`], as good as a goal of 100. What is beyond that counts as that.
    fn evaluate(&self, game: &G, state: &G::State, role: Role) -> i32;

    /// The same on a scale of its own that may tell more states apart: only more and less mean something.
    fn score(&self, game: &G, state: &G::State, role: Role) -> f64 {
        f64::from(self.evaluate(game, state, role))
    }
}

/// An opinion on moves.
pub trait Policy<G: Game>: Send + Sync {
    /// Replaces `weights` by a weight for each of a role's legal `moves`: how promising it is, or how likely to be played,
    /// beside the others. Weights need not add up to anything; what is not a positive number counts as 0.
    fn weigh(&self, game: &G, state: &G::State, role: Role, moves: &[G::Move], weights: &mut Vec<f64>);
}

/// The weights of a policy as shares that add up to 1: equal ones if it favours nothing.
pub(super) fn shares<G: Game>(
    policy: &dyn Policy<G>,
    game: &G,
    state: &G::State,
    role: Role,
    moves: &[G::Move],
) -> Vec<f32> {
    let mut weights = Vec::with_capacity(moves.len());
    policy.weigh(game, state, role, moves, &mut weights);
    weights.resize(moves.len(), 0.0);
    weights.iter_mut().filter(|weight| !(weight.is_finite() && **weight > 0.0)).for_each(|weight| *weight = 0.0);
    let most = weights.iter().copied().fold(0.0, f64::max);
    if most == 0.0 {
        return vec![1.0 / moves.len() as f32; moves.len()];
    }
    // By the largest first, so that the sum cannot overflow.
    let sum: f64 = weights.iter().map(|weight| weight / most).sum();
    weights.iter().map(|weight| (weight / most / sum) as f32).collect()
}

/// An evaluation by which every state that is not over is worth the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoOpinion;

impl<G: Game> Evaluation<G> for NoOpinion {
    fn evaluate(&self, _: &G, _: &G::State, _: Role) -> i32 {
        0
    }
}

/// An evaluation by the role's share of all the pieces on the board: [`MOST_OPINION`] if it has them all, 0 in games that are
/// not played on a board by two.
///
/// The first role's pieces are those of the board's first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Material;

impl<G: Game> Evaluation<G> for Material {
    fn evaluate(&self, game: &G, state: &G::State, role: Role) -> i32 {
        if game.roles().len() != 2 {
            return 0;
        }
        let Some(position) = game.position(state) else { return 0 };
        let [mut first, mut second] = [0, 0];
        for cell in position.cells() {
            match cell.owner() {
                Some(Player::First) => first += 1,
                Some(Player::Second) => second += 1,
                None => {}
            }
        }
        let ahead = if role.0 == 0 { first - second } else { second - first };
        if ahead == 0 { 0 } else { MOST_OPINION * ahead / (first + second) }
    }
}
