//! Taking a win where there is one.

use super::{Agent, Choice};
use crate::game::{Chance, Game, JointMoves, Role};
use std::sync::atomic::AtomicBool;

/// Where the others can answer in more ways than this at the same time, no win is looked for.
const MOST_REPLIES: u64 = 100_000;

/// Plays one of the moves after which the role has a goal of 100, or any if there is none.
///
/// Where others move at the same time, a move counts only if it wins against each of their joint moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Greedy;

impl<G: Game> Agent<G> for Greedy {
    fn choose_among(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        mut moves: Vec<G::Move>,
        chance: &mut Chance,
        _: &AtomicBool,
    ) -> Choice<G::Move> {
        let mut nodes = 0;
        let mut wins = Vec::new();
        let place = game.to_move(state).iter().position(|other| other == role).unwrap_or(0);
        if game.count(state) / moves.len() as u64 <= MOST_REPLIES {
            let mut child = state.clone();
            let mut joints = JointMoves::default();
            joints.begin(game, state);
            for pick in 0..moves.len() {
                joints.restart(Some((place, pick)));
                let mut wins_always = true;
                while let (true, Some(joint)) = (wins_always, joints.advance()) {
                    nodes += 1;
                    child.clone_from(state);
                    game.play(&mut child, joint);
                    wins_always = game.goals(&child).is_some_and(|goals| goals[role.index()] == Some(100));
                }
                if wins_always {
                    wins.push(pick);
                }
            }
        }
        let proved = !wins.is_empty();
        let pick = if proved { wins[chance.below(wins.len())] } else { chance.below(moves.len()) };
        let value = proved.then_some(100.0);
        Choice { value, nodes, proved, ..Choice::unexamined(moves.swap_remove(pick)) }
    }
}
