//! A walk down a tree: moves are selected by their promise, a node is added, a playout is made, and what it has brought is passed up.

use super::evaluation::{MOST_OPINION, shares};
use super::playout_policy::{MoveStatistics, Played, slot_of};
use super::tree_node::{Child, NONE, Picks, Proof, TreeNode, goal};
use super::walker::Walker;
use super::{Evaluation, LeafEvaluation, PlayoutMoves, Tree};
use crate::game::{Chance, Game, Goals, Playout, PlayoutEnd, Role, Roles};
use smallvec::SmallVec;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much a move that was tried seldom is favoured.
const CURIOSITY: f64 = 0.25;
/// The same where there is a policy, for a move that has all of its favour.
const TRUST: f64 = 1.0;
/// So much of a policy's favour is shared out evenly, since it may be wrong about a move that it never plays.
const DOUBT: f64 = 0.05;
/// Playouts are given up after this many joint moves; each role then gets half.
const MOST_PLIES: u64 = 2000;

/// What a walk has found at its end.
enum Leaf {
    /// These goals, for certain or by a playout.
    Over(Goals),
    /// A state for the evaluation, and what a playout from there has found.
    Evaluated(Option<Goals>),
    /// A playout that was cut off: the evaluation says what the state is worth that it has reached.
    CutOff,
    /// A playout without an end.
    Undecided,
    /// A state beyond the engine's limits.
    Truncated,
}

impl<G: Game, R: Deref<Target = G> + Clone> Tree<G, R> {
    /// Walks down by the moves' promise, adds a node, plays out and passes the result up; `false` if it was stopped.
    pub(super) fn walk(&mut self, walker: &mut Walker<G, R>, chance: &mut Chance, stop: &AtomicBool) -> bool {
        if self.arms >= self.room() {
            self.recycle();
        }
        walker.state.clone_from(&self.root);
        walker.path.clear();
        walker.played.clear();
        let mut node = 0;
        let result = loop {
            let here = &self.nodes[node as usize];
            if let Some(proof) = &here.proof {
                break Leaf::Over(proof.goals.clone());
            }
            if here.is_truncated() {
                break Leaf::Truncated;
            }
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            let picks = self.select(node, &mut walker.joint, chance);
            self.note(node, &picks, &mut walker.played);
            if let Some(proof) = self.nodes[node as usize].proof_of(picks[0] as usize) {
                let goals = proof.goals.clone();
                walker.path.push((node, picks));
                break Leaf::Over(goals);
            }
            self.game.play(&mut walker.state, &walker.joint);
            let known = self.child(node, &picks);
            walker.path.push((node, picks.clone()));
            if let Some(child) = known.or_else(|| self.link(node, &picks, &walker.state)) {
                if !self.options.transpositions {
                    node = child;
                    continue;
                }
                if self.nodes[child as usize].proof.is_some() {
                    self.pass_up(&walker.path, child);
                }
                // Going round in circles proves nothing; a playout gets out of it.
                if walker.path.iter().all(|(passed, _)| *passed != child) {
                    node = child;
                    continue;
                }
            } else if self.arms < self.room() {
                let child = self.add(&walker.state, stop);
                self.set_child(node, picks, child);
                let added = &self.nodes[child as usize];
                if added.proof.is_some() || added.is_truncated() {
                    node = child;
                    self.pass_up(&walker.path, child);
                    continue;
                }
                node = child;
            }
            match self.leaf(walker, chance, stop) {
                Some(leaf) => break leaf,
                None => return false,
            }
        };
        walker.truncations = if matches!(result, Leaf::Truncated) { walker.truncations + 1 } else { 0 };
        self.set_values(walker, &result);
        self.back_up(walker, node);
        true
    }

    /// Adds what a walk has brought to all that it went through, and to the node where it ended.
    fn back_up(&mut self, walker: &mut Walker<G, R>, last: u32) {
        for (node, picks) in &walker.path {
            let node = &mut self.nodes[*node as usize];
            node.visits += 1;
            for ((role, arms), &pick) in node.roles.iter().zip(&mut node.places).zip(picks) {
                let arm = &mut arms[pick as usize];
                arm.visits += 1;
                arm.total += walker.values[role.index()];
            }
        }
        if self.options.transpositions {
            let passed = walker.path.iter().map(|(node, _)| *node).filter(|&node| node != last);
            for node in passed.chain([last]) {
                let node = &mut self.nodes[node as usize];
                node.walks += 1;
                node.totals.iter_mut().zip(&walker.values).for_each(|(total, value)| *total += value);
            }
        }
        if self.options.rave.is_some() {
            self.back_up_later(walker);
        }
        if self.minimax > 0.0 {
            self.back_up_guesses(walker, last);
        }
        if let Some(statistics) = self.statistics.as_mut().filter(|_| self.options.playouts != PlayoutMoves::Uniform) {
            statistics.learn(&walker.played, &walker.values);
        }
    }

    /// Lets the moves of a walk know what the evaluation makes of the states that they lead to, up to the first where nothing changes.
    fn back_up_guesses(&mut self, walker: &Walker<G, R>, last: u32) {
        let mut child = last;
        for (node, picks) in walker.path.iter().rev().filter(|(node, _)| *node != last) {
            let below = &self.nodes[child as usize];
            let ([arms], Some(mover)) = (&below.places[..], below.roles.iter().next()) else { return };
            let best = arms.iter().map(|arm| arm.guess).fold(0.0, f32::max);
            let here = &mut self.nodes[*node as usize];
            let ([arms], Some(role)) = (&mut here.places[..], here.roles.iter().next()) else { return };
            let guess = &mut arms[picks[0] as usize].guess;
            let worth = if role == mover { best } else { 1.0 - best };
            if *guess == worth {
                return;
            }
            *guess = worth;
            child = *node;
        }
    }

    /// What the evaluation makes of each move of a role at a state.
    fn guess_moves(&self, state: &G::State, role: Role, arms: &mut [Child<G::Move>]) {
        let Some(LeafEvaluation { evaluation, .. }) = &self.options.evaluation else { return };
        let mut next = state.clone();
        for arm in arms {
            next.clone_from(state);
            self.game.play(&mut next, std::slice::from_ref(&arm.choice));
            arm.guess = match self.game.goals(&next) {
                Some(goals) => f32::from(goal(&goals, role)) / 100.0,
                None => share_of(evaluation.evaluate(&self.game, &next, role)) as f32,
            };
        }
    }

    /// Lets every node of a walk know which of its moves were played from there on.
    fn back_up_later(&mut self, walker: &mut Walker<G, R>) {
        if walker.stamps.is_empty() || walker.stamp == u32::MAX {
            walker.stamps = vec![0; MoveStatistics::SLOTS];
            walker.stamp = 0;
        }
        walker.stamp += 1;
        let mut later = walker.played.moves.iter().rev();
        let mut left = walker.played.moves.len();
        let first: usize = walker.path.iter().map(|(_, picks)| picks.len()).sum();
        while left > first {
            left -= 1;
            later.next().into_iter().for_each(|played| walker.stamps[played.slot as usize] = walker.stamp);
        }
        for (node, picks) in walker.path.iter().rev() {
            for played in later.by_ref().take(picks.len()) {
                walker.stamps[played.slot as usize] = walker.stamp;
            }
            let node = &mut self.nodes[*node as usize];
            for (role, arms) in node.roles.iter().zip(&mut node.places) {
                let value = walker.values[role.index()] as f32;
                for arm in arms.iter_mut().filter(|arm| walker.stamps[arm.slot as usize] == walker.stamp) {
                    arm.later.0 += 1;
                    arm.later.1 += value;
                }
            }
        }
    }

    /// Notes the moves of a node that were picked, if that is of use.
    fn note(&self, node: u32, picks: &Picks, played: &mut Played) {
        if self.statistics.is_none() {
            return;
        }
        let node = &self.nodes[node as usize];
        let slots: Picks = picks.iter().zip(&node.places).map(|(&pick, arms)| arms[pick as usize].slot).collect();
        played.push(node.roles, &slots);
    }

    /// The node that a joint move leads to, if there is one.
    pub(super) fn child(&self, node: u32, picks: &Picks) -> Option<u32> {
        match &self.nodes[node as usize].places[..] {
            [arms] => Some(arms[picks[0] as usize].node).filter(|&child| child != NONE),
            _ => self.children.get(&(node, picks.clone())).copied(),
        }
    }

    fn set_child(&mut self, node: u32, picks: Picks, child: u32) {
        match &mut self.nodes[node as usize].places[..] {
            [arms] => arms[picks[0] as usize].node = child,
            _ => {
                self.children.insert((node, picks), child);
            }
        }
    }

    /// The node of a state that was reached in another way before, if there is one: from now on this joint move leads to it too.
    fn link(&mut self, node: u32, picks: &Picks, state: &G::State) -> Option<u32> {
        if !self.options.transpositions {
            return None;
        }
        let child = self.by_key.get(&self.key(state)).copied()?;
        self.set_child(node, picks.clone(), child);
        Some(child)
    }

    /// What is to be found at a state that has just been reached; `None` if it was stopped.
    fn leaf(&mut self, walker: &mut Walker<G, R>, chance: &mut Chance, stop: &AtomicBool) -> Option<Leaf> {
        let share = self.options.evaluation.as_ref().map_or(0, |leaf| leaf.share);
        let cutoff = self.options.cutoff.filter(|_| self.options.evaluation.is_some());
        if share >= 100 && cutoff.is_none() {
            return Some(self.game.goals(&walker.state).map_or(Leaf::Evaluated(None), Leaf::Over));
        }
        let limit = cutoff.map_or(MOST_PLIES, u64::from);
        let playout = match &self.statistics {
            None => walker.playouts.run_until(&walker.state, limit, chance, stop)?,
            Some(statistics) => {
                let Walker { noted, state, played, .. } = walker;
                let (plies, end) =
                    noted.run(&*self.game, state, limit, statistics, self.chance_roles, played, chance, stop)?;
                Playout { plies, end }
            }
        };
        self.truncated = self.truncated.or(playout.truncation());
        Some(match playout.end {
            // Where it is over at once, nothing is to be guessed.
            PlayoutEnd::Over(goals) if share == 0 || playout.plies == 0 || cutoff.is_some() => Leaf::Over(goals),
            PlayoutEnd::Over(goals) => Leaf::Evaluated(Some(goals)),
            PlayoutEnd::Limit if cutoff.is_some() => Leaf::CutOff,
            PlayoutEnd::Limit if share > 0 => Leaf::Evaluated(None),
            PlayoutEnd::Limit => Leaf::Undecided,
            PlayoutEnd::Truncated(_) => Leaf::Truncated,
        })
    }

    /// What a walk has brought to each role.
    fn set_values(&mut self, walker: &mut Walker<G, R>, result: &Leaf) {
        let goals = match result {
            Leaf::Over(goals) | Leaf::Evaluated(Some(goals)) => Some(goals),
            Leaf::Evaluated(None) | Leaf::CutOff | Leaf::Undecided | Leaf::Truncated => None,
        };
        if let Some(goals) = goals {
            self.constant_sum &= self.sum(goals) == 100;
        }
        walker.values.clear();
        for role in Roles::first(self.game.roles().len()).iter() {
            let played = goals.map(|goals| f64::from(goal(goals, role)) / 100.0);
            let guess = |evaluation: &dyn Evaluation<G>, state: &G::State| {
                share_of(evaluation.evaluate(&self.game, state, role))
            };
            walker.values.push(match (result, &self.options.evaluation) {
                (Leaf::Evaluated(_), Some(leaf)) if !self.chance_roles.contains(role) => {
                    let guess = guess(&*leaf.evaluation, &walker.state);
                    let share = f64::from(leaf.share.min(100)) / 100.0;
                    // Without a result there is nothing but the guess.
                    played.map_or(guess, |played| share * guess + (1.0 - share) * played)
                }
                (Leaf::CutOff, Some(leaf)) if !self.chance_roles.contains(role) => {
                    let reached = if self.statistics.is_some() { &walker.noted.state } else { walker.playouts.state() };
                    guess(&*leaf.evaluation, reached)
                }
                _ => played.unwrap_or(0.5),
            });
        }
    }

    /// What all but chance have got together.
    fn sum(&self, goals: &Goals) -> u32 {
        let roles = Roles::first(goals.len()).iter().filter(|&role| !self.chance_roles.contains(role));
        roles.map(|role| u32::from(goal(goals, role))).sum()
    }

    /// Adds a node for a state.
    pub(super) fn add(&mut self, state: &G::State, stop: &AtomicBool) -> u32 {
        let goals = self.game.goals(state);
        let roles = if goals.is_some() { Roles::first(0) } else { self.game.to_move(state) };
        let mut places: SmallVec<[Vec<Child<G::Move>>; 1]> = SmallVec::new();
        let mut share_lists = SmallVec::new();
        for role in roles.iter() {
            let mut moves = Vec::new();
            self.game.legal(state, role, &mut moves);
            if let Some(policy) = &self.options.policy {
                share_lists.push(shares(&**policy, &self.game, state, role, &moves));
            }
            let noted = self.statistics.is_some();
            let child = |choice| {
                let slot = if noted { slot_of(role, &choice) } else { 0 };
                Child::untried(choice, slot)
            };
            places.push(moves.into_iter().map(child).collect());
        }
        self.by_turns &= places.len() < 2;
        if let ([arms], Some(role), true) = (&mut places[..], roles.iter().next(), self.minimax > 0.0) {
            self.guess_moves(state, role, arms);
        }
        let proof = goals
            .map(|goals| Proof { goals, plies: 0, sound: true })
            .or_else(|| self.win_at_once(state, roles, &places, stop));
        let key = self.key(state);
        let totals = if self.options.transpositions { self.game.roles().len() } else { 0 };
        let node = TreeNode {
            roles,
            places,
            shares: share_lists,
            visits: 0,
            walks: 0,
            totals: SmallVec::from_elem(0.0, totals),
            key,
            proved: 0,
            proof,
        };
        if node.is_truncated() {
            self.truncated = self.truncated.or_else(|| self.game.truncation(state));
        }
        self.arms += node.room();
        let number = self.nodes.len() as u32;
        if self.options.transpositions {
            self.by_key.insert(key, number);
        }
        self.nodes.push(node);
        number
    }

    /// Chooses a move for each place of a node.
    fn select(&self, node: u32, joint: &mut Vec<G::Move>, chance: &mut Chance) -> Picks {
        joint.clear();
        let node = &self.nodes[node as usize];
        let curiosity = CURIOSITY * f64::from(node.visits).sqrt().sqrt();
        let mut picks = Picks::new();
        for (place, (role, arms)) in node.roles.iter().zip(&node.places).enumerate() {
            let untried = || arms.iter().filter(|arm| arm.visits == 0).count();
            let pick = if self.chance_roles.contains(role) {
                Some(chance.below(arms.len()))
            } else if let Some(shares) = node.shares.get(place) {
                self.most_promising(arms, role, shares, node.visits)
            } else if let Some(statistics) = &self.statistics {
                self.best_by_statistics(arms, role, statistics, curiosity, chance)
            } else if let untried @ 1.. = untried() {
                let nth = chance.below(untried);
                arms.iter().enumerate().filter(|(_, arm)| arm.visits == 0).nth(nth).map(|(pick, _)| pick)
            } else {
                let promise = |arm: &Child<_>| {
                    let visits = f64::from(arm.visits);
                    let mean = self.with_guess(self.mean_of(arm, role), arm);
                    if arm.lost { -1.0 } else { mean + curiosity / visits.sqrt() }
                };
                let promises = arms.iter().map(promise).enumerate();
                promises.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(pick, _)| pick)
            };
            let pick = pick.unwrap_or(0);
            joint.push(arms[pick].choice.clone());
            picks.push(pick as u32);
        }
        picks
    }

    /// What a move that was tried has brought to the role that plays it, from 0 to 1: where nodes are shared, what all walks through the state
    /// have brought that it leads to.
    fn mean_of(&self, arm: &Child<G::Move>, role: Role) -> f64 {
        if self.options.transpositions {
            if let Some(proof) = &arm.proof {
                return f64::from(goal(&proof.goals, role)) / 100.0;
            }
            if let Some(node) = self.nodes.get(arm.node as usize).filter(|node| node.walks > 0) {
                return node.totals[role.index()] / f64::from(node.walks);
            }
        }
        arm.total / f64::from(arm.visits)
    }

    /// What a move has brought, together with what the evaluation makes of it.
    fn with_guess(&self, mean: f64, arm: &Child<G::Move>) -> f64 {
        if self.minimax == 0.0 { mean } else { (1.0 - self.minimax) * mean + self.minimax * f64::from(arm.guess) }
    }

    /// The move with the greatest promise where playouts tell about moves, also about those that were not tried here yet.
    fn best_by_statistics(
        &self,
        arms: &[Child<G::Move>],
        role: Role,
        statistics: &MoveStatistics,
        curiosity: f64,
        chance: &mut Chance,
    ) -> Option<usize> {
        let learns = self.options.playouts != PlayoutMoves::Uniform;
        let rave = self.options.rave.map(f64::from);
        let promise = |arm: &Child<G::Move>| {
            if arm.lost {
                return -1.0;
            }
            let visits = f64::from(arm.visits);
            let prior = if learns { f64::from(statistics.worth(arm.slot)) } else { 1.0 };
            let own = if arm.visits == 0 { 0.0 } else { self.mean_of(arm, role) * visits };
            let mut mean = (own + prior) / (visits + 1.0);
            if let (Some(rave), (1.., total)) = (rave, arm.later) {
                let weight = (rave / (3.0 * visits + rave)).sqrt();
                mean = weight * f64::from(total) / f64::from(arm.later.0) + (1.0 - weight) * mean;
            }
            self.with_guess(mean, arm) + curiosity / (visits + 1.0).sqrt()
        };
        // Of those that promise the same, the first from anywhere.
        let begin = chance.below(arms.len().max(1));
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        for at in (begin..arms.len()).chain(0..begin) {
            let promise = promise(&arms[at]);
            if promise > most {
                (best, most) = (Some(at), promise);
            }
        }
        best
    }

    /// The move with the greatest promise by PUCT. One that was never tried counts as bringing what all bring on average.
    fn most_promising(&self, arms: &[Child<G::Move>], role: Role, shares: &[f32], visits: u32) -> Option<usize> {
        let tried: u32 = arms.iter().map(|arm| arm.visits).sum();
        let total: f64 = arms.iter().map(|arm| arm.total).sum();
        let mean = if tried == 0 { 0.5 } else { total / f64::from(tried) };
        let curiosity = TRUST * f64::from(visits + 1).sqrt();
        let promise = |(arm, &share): (&Child<G::Move>, &f32)| {
            let visits = f64::from(arm.visits);
            let share = (1.0 - DOUBT) * f64::from(share) + DOUBT / arms.len() as f64;
            let value = self.with_guess(if arm.visits == 0 { mean } else { self.mean_of(arm, role) }, arm);
            if arm.lost { -1.0 } else { value + curiosity * share / (1.0 + visits) }
        };
        let promises = arms.iter().zip(shares).map(promise).enumerate();
        promises.max_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(pick, _)| pick)
    }
}

/// An opinion as a share of all that can be had.
fn share_of(opinion: i32) -> f64 {
    f64::from(opinion.clamp(-MOST_OPINION, MOST_OPINION) + MOST_OPINION) / f64::from(2 * MOST_OPINION)
}

#[cfg(test)]
mod tests {
    use super::super::{LeafEvaluation, Material, TreeOptions};
    use super::*;
    use crate::game::catalogue_game;
    use std::sync::Arc;

    #[test]
    fn a_guess_is_the_best_that_the_evaluation_makes_of_what_follows() {
        let game = catalogue_game("breakthrough").unwrap();
        let (mut state, mut moves, mut chance) = (game.start(), Vec::new(), Chance::new(3));
        for _ in 0..20 {
            let role = game.to_move(&state).iter().next().unwrap();
            game.legal(&state, role, &mut moves);
            let choice = moves.swap_remove(chance.below(moves.len()));
            game.play(&mut state, &[choice]);
        }
        for transpositions in [false, true] {
            let evaluation = Some(LeafEvaluation { evaluation: Arc::new(Material) as _, share: 0 });
            let options = TreeOptions { evaluation, minimax: 60, transpositions, ..TreeOptions::default() };
            let mut tree = Tree::with_options(&game, state.clone(), Role(0), options);
            tree.grow(3000, &mut Chance::new(1), &AtomicBool::new(false));
            let (mut compared, mut varied) = (0, false);
            for node in tree.nodes.iter().filter(|node| node.proof.is_none()) {
                for arm in node.places[0].iter().filter(|arm| arm.node != NONE && arm.proof.is_none()) {
                    let below = &tree.nodes[arm.node as usize];
                    let best = below.places[0].iter().map(|arm| arm.guess).fold(0.0, f32::max);
                    // Where nodes are shared, other ways to a state may lag behind.
                    if !transpositions {
                        assert_eq!(arm.guess, 1.0 - best);
                    }
                    compared += 1;
                    varied |= arm.guess != 0.5;
                }
            }
            assert!(compared > 1000 && varied, "{compared}");
        }
    }
}
