//! What predictions save in search: how many nodes it takes to reach a depth while p % sure that every real reply is considered (the
//! paper's Figures 3 and 4).

use super::turn::{Turn, TurnKind};
use crate::game::{Game, Role};

/// How a game branches for somebody who searches against one role.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branching {
    /// The geometric mean of the number of joint moves of all other roles, over all states.
    pub others: f64,
    /// The share of states in which the role has a move of its own to make.
    pub own: f64,
}

impl Branching {
    /// How a game branches in the states of some turns. `is_own` says which are the role's own.
    pub fn of<G: Game>(game: &G, role: Role, turns: &[Turn<G>], is_own: &dyn Fn(&Turn<G>) -> bool) -> Branching {
        let mut moves = Vec::new();
        let (mut logs, mut own) = (0.0, 0_u64);
        for turn in turns {
            own += u64::from(is_own(turn));
            if turn.options.kind == TurnKind::Forced {
                continue;
            }
            for other in game.to_move(&turn.state).iter().filter(|&other| other != role) {
                game.legal(&turn.state, other, &mut moves);
                logs += (moves.len().max(1) as f64).ln();
            }
        }
        let states = turns.len().max(1) as f64;
        Branching { others: (logs / states).exp(), own: own as f64 / states }
    }
}

/// How many replies have to be looked at in each state to be sure enough in all of them.
///
/// `top` is a top-N curve; with `levels` states in which the role replies, each may be missed so rarely that all are considered with
/// probability `confidence`. If the curve never gets there, it is as many as it has.
pub fn replies_needed(top: &[f64], confidence: f64, levels: f64) -> usize {
    let each = if levels > 0.0 { confidence.clamp(0.0, 1.0).powf(1.0 / levels) } else { 0.0 };
    let reached = top.iter().position(|share| *share >= each - 1e-12);
    reached.map_or(top.len(), |at| at + 1).max(1)
}

/// How many nodes a full-width search to a depth has, if so many replies are looked at in each state where the role replies.
pub fn nodes_to_depth(branching: Branching, replies: usize, depth: u32) -> f64 {
    let each = branching.others * (replies as f64).powf(branching.own);
    (1..=depth).map(|level| each.powi(level as i32)).sum()
}

/// How deep a search gets with so many nodes, while so sure that every reply is considered; `None` for the confidence stands for
/// looking at all `all` replies.
pub fn depth_reached(branching: Branching, top: &[f64], all: usize, confidence: Option<f64>, nodes: f64) -> u32 {
    let fits = |depth: u32| {
        let replies = confidence.map_or(all, |confidence| {
            replies_needed(top, confidence, branching.own * f64::from(depth)).min(all.max(1))
        });
        nodes_to_depth(branching, replies, depth) <= nodes
    };
    (1..=200).take_while(|&depth| fits(depth)).last().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surer_is_dearer_and_pruned_is_deeper() {
        let branching = Branching { others: 2.0, own: 0.5 };
        let top = [0.8, 0.95, 0.99, 1.0];
        assert_eq!(replies_needed(&top, 0.8, 1.0), 1);
        assert_eq!(replies_needed(&top, 0.95, 1.0), 2);
        assert_eq!(replies_needed(&top, 0.95, 2.0), 3);
        assert_eq!(replies_needed(&top, 1.0, 5.0), 4);
        assert_eq!(replies_needed(&[], 0.5, 1.0), 1);
        assert_eq!(nodes_to_depth(branching, 4, 2), 4.0 + 16.0);
        let full = depth_reached(branching, &top, 25, None, 1e6);
        let pruned = depth_reached(branching, &top, 25, Some(0.95), 1e6);
        assert!(pruned > full + 1, "{pruned} {full}");
    }
}
