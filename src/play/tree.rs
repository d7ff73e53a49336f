//! Growing a tree by playouts: Monte Carlo tree search for any number of roles.
//!
//! Each role that is to move chooses by its own goal and knows nothing of what the others choose at the same time
//! (decoupled UCT). Where one role moves at a time, results that are certain are passed up (MCTS-Solver, Winands et al.
//! 2008), with any goals in place of wins and losses.
//!
//! We depart from UCT in how a move that was tried seldom is favoured: by the fourth root of the number of visits instead
//! of the root of its logarithm (Shah, Xie and Xu 2020 show why it should be so), which is computed alike on every machine.
//!
//! Where chance moves, moves are drawn with equal chances in the tree too, and a result is certain only if all of them
//! lead to it.
//!
//! With `minimax`, every new node's moves are evaluated, and the best of a node is what the move to it is worth: a share of that counts beside what
//! walks have brought (implicit minimax backups, Lanctot, Winands, Pepels and Sturtevant 2014).
//!
//! With a policy, its weights are the priors of PUCT (Rosin 2011, in the form of AlphaZero): a move is favoured by its share instead of
//! being tried once before any is tried again. With an evaluation, a new node is worth a mean of that and its playout.
//!
//! When the tree is full, the nodes that were visited least are dropped and their room is used again. What was found below
//! them stays in the moves that lead there, and so do results that are certain. So a small tree goes as deep as a large one
//! where it matters, and only forgets what it does not look at.

use super::playout_policy::MoveStatistics;
use super::tree_node::{Child, Picks, TreeNode, goal, haste};
use super::walker::Walker;
use super::{Choice, PlayoutMoves, TreeOptions};
use crate::game::{Chance, Game, Role, Roles, Truncation};
use rustc_hash::FxHashMap;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// After so many walks in a row to states beyond the engine's limits, each of which takes long, growing is given up.
const MOST_TRUNCATED: u32 = 32;

/// A tree that grows by playouts, to find a role's best move in the state at its root. It can be grown further at any time,
/// and when a joint move was played, what lies below it is kept.
///
/// The game is held by any pointer `R`: an `Arc` if the tree is to live long, otherwise a plain reference will do. For a
/// number of playouts without a stop, the same chance gives the same tree.
///
/// ```
/// use onlooker::game::{Chance, Game, Role, catalogue_game};
/// use onlooker::play::Tree;
/// use std::sync::{Arc, atomic::AtomicBool};
///
/// let game = Arc::new(catalogue_game("tic-tac-toe").expect("a game of the catalogue"));
/// let mut tree = Tree::new(Arc::clone(&game), game.start(), Role(0));
/// tree.grow(500, &mut Chance::new(1), &AtomicBool::new(false));
/// assert!(tree.choice(&mut Chance::new(1)).is_some());
/// assert!(tree.line(3).len() == 3 && tree.mean() > Some(50.0));
/// ```
pub struct Tree<G: Game, R: Deref<Target = G> = Arc<G>> {
    pub(super) game: R,
    pub(super) options: TreeOptions<G>,
    pub(super) me: Role,
    pub(super) chance_roles: Roles,
    pub(super) root: G::State,
    pub(super) nodes: Vec<TreeNode<G::Move>>,
    /// Where several roles move: the nodes that joint moves lead to.
    pub(super) children: FxHashMap<(u32, Picks), u32>,
    /// The nodes by the keys of their states, where they are shared.
    pub(super) by_key: FxHashMap<u128, u32>,
    /// What moves have brought, if that is of use.
    pub(super) statistics: Option<MoveStatistics>,
    /// The room that all the nodes take.
    pub(super) arms: usize,
    /// Made since the root is the root.
    playouts: u64,
    /// Whether in all results so far what one role gained others lost.
    pub(super) constant_sum: bool,
    /// Whether nobody moved at the same time as others so far.
    pub(super) by_turns: bool,
    /// How much the evaluation's minimax value counts, from 0 to 1.
    pub(super) minimax: f64,
    /// Why the first state could not be worked out that could not.
    pub(super) truncated: Option<Truncation>,
    /// Room for walks, while nobody walks.
    walker: Option<Walker<G, R>>,
}

impl<G: Game, R: Deref<Target = G> + Clone> Tree<G, R> {
    /// A tree of one node that grows by playouts alone.
    pub fn new(game: R, state: G::State, role: Role) -> Tree<G, R> {
        Tree::with_options(game, state, role, TreeOptions::default())
    }

    /// A tree of one node.
    pub fn with_options(game: R, state: G::State, role: Role, options: TreeOptions<G>) -> Tree<G, R> {
        let chance_roles = game.chance_roles();
        // Others play by goals of their own.
        let two = chance_roles.is_empty() && game.roles().len() == 2 && options.evaluation.is_some();
        let minimax = if two { f64::from(options.minimax.min(100)) / 100.0 } else { 0.0 };
        let noted = options.playouts != PlayoutMoves::Uniform || options.rave.is_some();
        let statistics = noted.then(|| MoveStatistics::new(options.playouts, options.epsilon));
        let mut tree = Tree {
            game,
            options,
            me: role,
            chance_roles,
            root: state,
            nodes: Vec::new(),
            children: FxHashMap::default(),
            by_key: FxHashMap::default(),
            statistics,
            arms: 0,
            playouts: 0,
            constant_sum: true,
            by_turns: true,
            minimax,
            truncated: None,
            walker: None,
        };
        let root = tree.root.clone();
        tree.add(&root, &AtomicBool::new(false));
        tree
    }

    /// The state at the root.
    pub fn state(&self) -> &G::State {
        &self.root
    }

    /// Whether more playouts would change nothing: the result is certain, the game is over, or the root is beyond the engine's
    /// limits.
    pub fn is_settled(&self) -> bool {
        self.nodes[0].proof.is_some() || self.nodes[0].is_truncated()
    }

    /// Why a state could not be worked out, if there was one so far.
    pub fn truncation(&self) -> Option<Truncation> {
        self.truncated
    }

    /// Whether in all results that were seen the roles' goals had the same sum, so that what is bad for one is good for the
    /// others.
    pub fn is_constant_sum(&self) -> bool {
        self.constant_sum
    }

    /// Whether in all states that were added only one role was to move.
    pub fn is_by_turns(&self) -> bool {
        self.by_turns
    }

    /// Adds up to so many playouts, fewer if the result becomes certain, once `stop` is set, or if nothing but states beyond the
    /// engine's limits is found; returns how many.
    pub fn grow(&mut self, playouts: u64, chance: &mut Chance, stop: &AtomicBool) -> u64 {
        let mut walker = self.walker.take().unwrap_or_else(|| Walker::new(self.game.clone(), &self.root));
        walker.truncations = 0;
        let mut made = 0;
        while made < playouts
            && !self.is_settled()
            && walker.truncations < MOST_TRUNCATED
            && self.walk(&mut walker, chance, stop)
        {
            made += 1;
        }
        self.walker = Some(walker);
        self.playouts += made;
        made
    }

    /// Plays a joint move at the root. What the tree knows about the state that follows is kept, the rest is dropped.
    pub fn play(&mut self, joint: &[G::Move]) {
        let find = |(arms, choice): (&Vec<Child<G::Move>>, &G::Move)| {
            arms.iter().position(|arm| arm.choice == *choice).map(|pick| pick as u32)
        };
        let picks: Option<Picks> = self.nodes[0].places.iter().zip(joint).map(find).collect();
        let child = picks.filter(|picks| !picks.is_empty()).and_then(|picks| self.child(0, &picks));
        self.game.play(&mut self.root, joint);
        self.playouts = 0;
        self.statistics.iter_mut().for_each(MoveStatistics::fade);
        match child {
            Some(child) => self.re_root(child),
            None => {
                self.clear();
                let root = self.root.clone();
                self.add(&root, &AtomicBool::new(false));
            }
        }
    }

    /// The move to play: one that is certain to be best if there is one, otherwise the one that was tried most.
    /// `None` if the role is not to move or its moves are not known.
    pub fn choice(&self, chance: &mut Chance) -> Option<Choice<G::Move>> {
        let root = &self.nodes[0];
        let place = root.roles.iter().position(|role| role == self.me)?;
        let arms = &root.places[place];
        if arms.is_empty() {
            return None;
        }
        let proof = |pick: usize| root.proof_of(pick);
        let proved = best_by_chance(arms.len(), chance, |pick| {
            proof(pick).map(|proof| (goal(&proof.goals, self.me), haste(proof, self.me), arms[pick].visits))
        });
        let tried = best_by_chance(arms.len(), chance, |pick| proof(pick).is_none().then_some(arms[pick].visits));
        let mean = |pick: usize| 100.0 * arms[pick].total / f64::from(arms[pick].visits.max(1));
        let certain = |pick: usize| proof(pick).map(|proof| f64::from(goal(&proof.goals, self.me)));
        let (pick, value) = match (proved, tried) {
            (Some(proved), Some(tried)) if certain(proved) < Some(mean(tried)) => (tried, mean(tried)),
            (Some(proved), _) => (proved, certain(proved).unwrap_or(0.0)),
            (None, tried) => tried.map_or((0, 0.0), |tried| (tried, mean(tried))),
        };
        Some(Choice {
            pick: arms[pick].choice.clone(),
            value: Some(value),
            nodes: self.nodes.len() as u64,
            depth: 0,
            playouts: self.playouts,
            proved: root.proof.as_ref().is_some_and(|proof| proof.sound),
            truncated: self.truncated,
        })
    }
}

impl<G: Game, R: Deref<Target = G> + Clone> Tree<G, R> {
    /// What the root is worth to the role, from 0 to 100: what is certain, otherwise what all playouts have brought on average.
    /// `None` if there are none, or the role is not to move.
    pub fn mean(&self) -> Option<f64> {
        let root = &self.nodes[0];
        if let Some(proof) = &root.proof {
            return Some(f64::from(goal(&proof.goals, self.me)));
        }
        let arms = &root.places[root.roles.iter().position(|role| role == self.me)?];
        let visits: u32 = arms.iter().map(|arm| arm.visits).sum();
        (visits > 0).then(|| 100.0 * arms.iter().map(|arm| arm.total).sum::<f64>() / f64::from(visits))
    }

    /// How often a move of the role was tried at the root, and what that has brought in all, from 0 to 1 each time.
    pub(super) fn tried(&self, choice: &G::Move) -> (u32, f64) {
        let root = &self.nodes[0];
        let place = root.roles.iter().position(|role| role == self.me);
        let arm = place.and_then(|place| root.places[place].iter().find(|arm| arm.choice == *choice));
        arm.map_or((0, 0.0), |arm| (arm.visits, arm.total))
    }

    /// The joint moves that were tried most, one after another from the root, at most `most` of them: what it expects to be played.
    /// Certain results come first, for the role that moves.
    pub fn line(&self, most: usize) -> Vec<Vec<G::Move>> {
        let (mut line, mut node) = (Vec::new(), 0_u32);
        while line.len() < most {
            let here = &self.nodes[node as usize];
            let mut picks = Picks::new();
            for (role, arms) in here.roles.iter().zip(&here.places) {
                let certain = |pick: usize| here.proof_of(pick).map(|proof| goal(&proof.goals, role));
                let won = |pick: usize| certain(pick).is_some_and(|goal| goal > 50);
                let lost = |pick: usize| certain(pick).is_some_and(|goal| goal < 50);
                let worth = |&pick: &usize| (won(pick), !lost(pick), arms[pick].visits, std::cmp::Reverse(pick));
                let Some(pick) = (0..arms.len()).max_by_key(worth) else { return line };
                if arms[pick].visits == 0 {
                    return line;
                }
                picks.push(pick as u32);
            }
            if picks.is_empty() {
                return line;
            }
            line.push(picks.iter().zip(&here.places).map(|(&pick, arms)| arms[pick as usize].choice.clone()).collect());
            match self.child(node, &picks) {
                Some(child) => node = child,
                None => return line,
            }
        }
        line
    }
}

/// One of those with the highest score, each as likely as the others.
fn best_by_chance<T: Ord>(count: usize, chance: &mut Chance, score: impl Fn(usize) -> Option<T>) -> Option<usize> {
    let best = (0..count).filter_map(&score).max()?;
    let all: Vec<usize> = (0..count).filter(|&pick| score(pick).as_ref() == Some(&best)).collect();
    Some(all[chance.below(all.len())])
}
