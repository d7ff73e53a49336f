//! Results that are certain, passed up a tree (MCTS-Solver, Winands et al. 2008), with any goals in place of wins and losses.

use super::Tree;
use super::tree_node::{Child, Picks, Proof, goal, haste};
use crate::game::{Game, Role, Roles};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

/// A new node with at most this many moves is looked at for a win at once; with more, that would take longer than its
/// playout.
const MOST_LOOKS: usize = 100;

impl<G: Game, R: Deref<Target = G> + Clone> Tree<G, R> {
    /// The proof of a state in which the only role to move can win at once. The root has none before its playouts, because
    /// it is to tell the move too.
    pub(super) fn win_at_once(
        &self,
        state: &G::State,
        roles: Roles,
        places: &[Vec<Child<G::Move>>],
        stop: &AtomicBool,
    ) -> Option<Proof> {
        let (Some(mover), [arms]) = (roles.iter().next(), places) else { return None };
        if arms.len() > MOST_LOOKS || self.nodes.is_empty() || self.chance_roles.contains(mover) {
            return None;
        }
        let mut child = state.clone();
        for arm in arms {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            child.clone_from(state);
            self.game.play(&mut child, std::slice::from_ref(&arm.choice));
            if let Some(goals) = self.game.goals(&child).filter(|goals| goal(goals, mover) == 100) {
                let sound = mover == self.me || goal(&goals, self.me) == 0;
                return Some(Proof { goals, plies: 1, sound });
            }
        }
        None
    }

    /// Tells the nodes above one whose result has become certain, as far as theirs becomes certain too.
    pub(super) fn pass_up(&mut self, path: &[(u32, Picks)], mut child: u32) {
        for (parent, picks) in path.iter().rev() {
            let node = &self.nodes[*parent as usize];
            let (1, Some(mover)) = (node.places.len(), node.roles.iter().next()) else { return };
            let Some(proof) = self.nodes[child as usize].proof.clone() else { return };
            let drawn = self.chance_roles.contains(mover);
            let own = goal(&proof.goals, mover);
            let node = &mut self.nodes[*parent as usize];
            let arm = &mut node.places[0][picks[0] as usize];
            let known = arm.proof.replace(Box::new(proof.clone())).is_some();
            arm.lost = own == 0;
            node.proved += usize::from(!known);
            let all = node.proved == node.places[0].len();
            let best = if drawn {
                // Where chance moves, only what all its moves lead to is certain.
                match self.alike(*parent).filter(|_| all) {
                    Some(proof) => proof,
                    None => return,
                }
            } else if own == 100 {
                // Nothing can be better for the one who moves; whether it is the worst for us only its own goals tell.
                let against = mover == self.me || goal(&proof.goals, self.me) == 0;
                Proof { sound: proof.sound && against, ..proof }
            } else if all {
                self.best_of_all(*parent, mover)
            } else {
                return;
            };
            self.nodes[*parent as usize].proof = Some(Proof { plies: best.plies + 1, ..best });
            child = *parent;
        }
    }

    /// The proof of a node where chance moves and every move that is proved leads to the same goals.
    fn alike(&self, node: u32) -> Option<Proof> {
        let mut proofs = self.nodes[node as usize].proofs();
        let first = proofs.next()?.clone();
        proofs.try_fold(first, |so_far, proof| {
            (so_far.goals == proof.goals).then(|| Proof {
                plies: so_far.plies.max(proof.plies),
                sound: so_far.sound && proof.sound,
                ..so_far
            })
        })
    }

    /// The proof that a role chooses where all its moves are proved: what is best for it, and of those what is worst for us.
    fn best_of_all(&self, node: u32, mover: Role) -> Proof {
        let proofs: Vec<&Proof> = self.nodes[node as usize].proofs().collect();
        let mine = |proof: &Proof| goal(&proof.goals, self.me);
        let better = |proof: &&&Proof| (goal(&proof.goals, mover), 100 - mine(proof), haste(proof, mover));
        let best = (*proofs.iter().max_by_key(better).expect("a node has moves")).clone();
        let worst = proofs.iter().map(|proof| mine(proof)).min();
        let sound = proofs.iter().all(|proof| proof.sound) && (mover == self.me || Some(mine(&best)) == worst);
        Proof { sound, ..best }
    }
}
