//! A short look ahead with every move: does it win or lose by force within a few joint moves?
//!
//! It is what a model knows of tactics without knowing the game: iterative deepening over won, open and lost, up to a number of
//! states.

use crate::game::{Game, JointMoves, Role};

/// What a move leads to by force: 1 for more than half of what the game gives, -1 for less, 0 for neither, or not known.
pub type Verdict = i8;

/// For each depth that could be finished, from 1 on, the verdict on every move; and how many states were looked at.
pub fn look_ahead<G: Game>(
    game: &G,
    state: &G::State,
    role: Role,
    moves: usize,
    most_depth: u16,
    most_nodes: u64,
) -> (Vec<Vec<Verdict>>, u64) {
    let Some(place) = game.to_move(state).iter().position(|other| other == role) else { return (Vec::new(), 0) };
    let mut look = Look { game, role, left: most_nodes };
    let mut found: Vec<Vec<Verdict>> = Vec::new();
    for depth in 1..=most_depth {
        let verdicts: Option<Vec<Verdict>> =
            (0..moves).map(|pick| look.replies(state, Some((place, pick)), depth, -1, 1)).collect();
        let Some(verdicts) = verdicts else { break };
        let settled = verdicts.iter().all(|&verdict| verdict != 0);
        found.push(verdicts);
        if settled {
            break;
        }
    }
    (found, most_nodes - look.left)
}

struct Look<'a, G> {
    game: &'a G,
    role: Role,
    left: u64,
}

impl<G: Game> Look<'_, G> {
    /// The worst that the others can do with one place's move fixed; `None` if there is no time left.
    fn replies(
        &mut self,
        state: &G::State,
        fixed: Option<(usize, usize)>,
        depth: u16,
        alpha: Verdict,
        mut beta: Verdict,
    ) -> Option<Verdict> {
        let mut joints = JointMoves::default();
        joints.begin(self.game, state);
        joints.restart(fixed);
        let mut child = state.clone();
        let mut worst = 1;
        while let Some(joint) = joints.advance() {
            child.clone_from(state);
            self.game.play(&mut child, joint);
            worst = worst.min(self.value(&child, depth - 1, alpha, beta)?);
            beta = beta.min(worst);
            if worst <= alpha {
                break;
            }
        }
        Some(worst)
    }

    fn value(&mut self, state: &G::State, depth: u16, mut alpha: Verdict, beta: Verdict) -> Option<Verdict> {
        self.left = self.left.checked_sub(1)?;
        if let Some(goals) = self.game.goals(state) {
            return Some(goals[self.role.index()].map_or(0, |goal| (goal > 50) as Verdict - (goal < 50) as Verdict));
        }
        if depth == 0 {
            return Some(0);
        }
        let to_move = self.game.to_move(state);
        let Some(place) = to_move.iter().position(|other| other == self.role) else {
            return self.replies(state, None, depth, alpha, beta);
        };
        let mut moves = Vec::new();
        self.game.legal(state, self.role, &mut moves);
        if moves.is_empty() {
            // Beyond the engine's limits.
            return Some(0);
        }
        let mut best = -1;
        for pick in 0..moves.len() {
            best = best.max(self.replies(state, Some((place, pick)), depth, alpha, beta)?);
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::AnyGame;

    #[test]
    fn wins_and_losses_by_force_are_found() {
        let game =
            AnyGame::from_sheet("", include_str!("../../games/tic-tac-toe.kif"), crate::gdl::Engine::Fast).unwrap();
        let facts =
            ["1 1 x", "2 1 x", "3 1 blank", "1 2 o", "2 2 o", "3 2 blank", "1 3 blank", "2 3 blank", "3 3 blank"];
        let facts = facts.iter().map(|cell| format!("(cell {cell})")).chain(["(control x)".to_owned()]);
        let state = game.state_with(&facts.map(|fact| fact.parse().unwrap()).collect::<Vec<_>>()).unwrap();
        let mut moves = Vec::new();
        game.legal(&state, Role(0), &mut moves);
        let (found, nodes) = look_ahead(&game, &state, Role(0), moves.len(), 4, 10_000);
        let name = |at: usize| game.move_term(&state, Role(0), &moves[at]).to_string();
        for (at, _) in moves.iter().enumerate() {
            // (mark 3 1) wins at once, (mark 3 2) parries, everything else loses to it.
            let expected = match name(at).as_str() {
                "(mark 3 1)" => [1, 1],
                "(mark 3 2)" => [0, 0],
                _ => [0, -1],
            };
            assert_eq!([found[0][at], found[1][at]], expected, "{}", name(at));
        }
        assert!(nodes > 10 && nodes < 10_000);
        assert!(look_ahead(&game, &state, Role(0), moves.len(), 4, 3).0.is_empty());
        assert!(look_ahead(&game, &state, Role(1), 1, 4, 100).0.is_empty());
    }
}
