//! Looking one move ahead with an evaluation: the player that shows what a heuristic is worth by itself.

use super::{Agent, Choice, Evaluation};
use crate::game::{Chance, Game, JointMoves, Role};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Plays a move after which the role has a goal of 100 if there is one, otherwise the one that leads to the state with the highest score;
/// one of them if several do.
///
/// A move that ends the game with a goal is the better the higher the goal: worse than any that goes on below 50, better above, and at 50 as good as a score of 0.
/// Where others move at the same time, a move is worth the mean over their joint moves.
pub struct OnePly<G: Game> {
    /// What states are worth.
    pub evaluation: Arc<dyn Evaluation<G>>,
}

/// So many joint moves of the others are looked at for each move.
const MOST_REPLIES: usize = 64;
/// A score beyond all others.
const ENDED: f64 = 1e12;

impl<G: Game> Agent<G> for OnePly<G> {
    fn choose_among(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        mut moves: Vec<G::Move>,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Choice<G::Move> {
        let place = game.to_move(state).iter().position(|other| other == role).unwrap_or(0);
        let mut joints = JointMoves::default();
        joints.begin(game, state);
        let mut child = state.clone();
        let (mut nodes, mut best) = (0, f64::NEG_INFINITY);
        let mut picks: Vec<usize> = Vec::new();
        for pick in 0..moves.len() {
            joints.restart(Some((place, pick)));
            let (mut sum, mut replies) = (0.0, 0);
            while let Some(joint) = joints.advance() {
                nodes += 1;
                child.clone_from(state);
                game.play(&mut child, joint);
                sum += match game.goals(&child) {
                    Some(goals) => match goals[role.index()].unwrap_or(0) {
                        50 => 0.0,
                        goal => (f64::from(goal) - 50.0) / 50.0 * ENDED,
                    },
                    None => self.evaluation.score(game, &child, role),
                };
                replies += 1;
                if replies == MOST_REPLIES {
                    break;
                }
            }
            let score = sum / replies.max(1) as f64;
            if score > best {
                best = score;
                picks.clear();
            }
            if score == best {
                picks.push(pick);
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        let pick = if picks.is_empty() { chance.below(moves.len()) } else { picks[chance.below(picks.len())] };
        let proved = best >= ENDED;
        Choice { nodes, proved, value: proved.then_some(100.0), ..Choice::unexamined(moves.swap_remove(pick)) }
    }
}
