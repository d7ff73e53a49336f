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
//! With a policy, its weights are the priors of PUCT (Rosin 2011, in the form of AlphaZero): a move is favoured by its share instead of
//! being tried once before any is tried again. With an evaluation, a new node is worth a mean of that and its playout.
//!
//! When the tree is full, the nodes that were visited least are dropped and their room is used again. What was found below
//! them stays in the moves that lead there, and so do results that are certain. So a small tree goes as deep as a large one
//! where it matters, and only forgets what it does not look at.

use super::evaluation::{MOST_OPINION, shares};
use super::{Choice, TreeOptions};
use crate::game::{Chance, Game, Goals, PlayoutEnd, Playouts, Role, Roles, Truncation};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much a move that was tried seldom is favoured.
const CURIOSITY: f64 = 0.25;
/// The same where there is a policy, for a move that has all of its favour.
const TRUST: f64 = 1.0;
/// So much of a policy's favour is shared out evenly, since it may be wrong about a move that it never plays.
const DOUBT: f64 = 0.05;
/// Playouts are given up after this many joint moves; each role then gets half.
const MOST_PLIES: u64 = 2000;
/// A new node with at most this many moves is looked at for a win at once; with more, that would take longer than its
/// playout.
const MOST_LOOKS: usize = 100;
/// A node without moves takes as much room as this many.
const ROOM: usize = 4;
/// There is always room for this many times the root.
const LEAST_ROOM: usize = 4;
/// After so many walks in a row to states beyond the engine's limits, each of which takes long, growing is given up.
const MOST_TRUNCATED: u32 = 32;

/// Which of its moves each place plays.
type Picks = SmallVec<[u32; 4]>;

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
    game: R,
    options: TreeOptions<G>,
    me: Role,
    chance_roles: Roles,
    root: G::State,
    nodes: Vec<TreeNode<G::Move>>,
    children: FxHashMap<(u32, Picks), u32>,
    /// The room that all the nodes take.
    arms: usize,
    /// Made since the root is the root.
    playouts: u64,
    /// Whether in all results so far what one role gained others lost.
    constant_sum: bool,
    /// Whether nobody moved at the same time as others so far.
    by_turns: bool,
    /// Why the first state could not be worked out that could not.
    truncated: Option<Truncation>,
    /// Room for walks, while nobody walks.
    walker: Option<Walker<G, R>>,
}

struct TreeNode<M> {
    roles: Roles,
    /// The moves of each role to move.
    places: SmallVec<[Vec<Child<M>>; 1]>,
    /// The policy's shares of them, if there is one.
    shares: SmallVec<[Vec<f32>; 1]>,
    visits: u32,
    /// How many moves lead to a certain result, where one role moves.
    proved: usize,
    proof: Option<Proof>,
}

/// A move and what it has brought to the role that plays it.
struct Child<M> {
    choice: M,
    visits: u32,
    total: f64,
    /// Whether it is certain that the role gets nothing with it.
    lost: bool,
    /// What is certain about it, where one role moves.
    proof: Option<Box<Proof>>,
}

/// A result that is certain if everyone looks after their own goal.
#[derive(Clone)]
struct Proof {
    goals: Goals,
    /// Joint moves to the end.
    plies: u32,
    /// Whether it is also certain if all the others only play against the searching role.
    sound: bool,
}

impl<M> TreeNode<M> {
    /// How much room it takes.
    fn room(&self) -> usize {
        ROOM + self.places.iter().map(Vec::len).sum::<usize>()
    }

    /// Whether the game is not over there, but the moves are not known.
    fn is_truncated(&self) -> bool {
        self.places.iter().any(Vec::is_empty)
    }

    /// What is certain about one of the moves, where one role moves.
    fn proof_of(&self, pick: usize) -> Option<&Proof> {
        if self.places.len() == 1 { self.places[0].get(pick)?.proof.as_deref() } else { None }
    }

    /// What is certain about the moves, where one role moves.
    fn proofs(&self) -> impl Iterator<Item = &Proof> {
        (0..self.places.first().map_or(0, Vec::len)).filter_map(|pick| self.proof_of(pick))
    }
}

/// What a walk has found at its end.
enum Leaf {
    /// These goals, for certain or by a playout.
    Over(Goals),
    /// A state for the evaluation, and what a playout from there has found.
    Evaluated(Option<Goals>),
    /// A playout without an end.
    Undecided,
    /// A state beyond the engine's limits.
    Truncated,
}

/// Room for a walk down the tree.
struct Walker<G: Game, R: Deref<Target = G>> {
    state: G::State,
    path: Vec<(u32, Picks)>,
    joint: Vec<G::Move>,
    playouts: Playouts<G, R>,
    /// What the walk has brought to each role, from 0 to 1.
    values: SmallVec<[f64; 4]>,
    /// How many walks in a row have led to states beyond the engine's limits.
    truncations: u32,
}

impl<G: Game, R: Deref<Target = G> + Clone> Tree<G, R> {
    /// A tree of one node that grows by playouts alone.
    pub fn new(game: R, state: G::State, role: Role) -> Tree<G, R> {
        Tree::with_options(game, state, role, TreeOptions::default())
    }

    /// A tree of one node.
    pub fn with_options(game: R, state: G::State, role: Role, options: TreeOptions<G>) -> Tree<G, R> {
        let chance_roles = game.chance_roles();
        let mut tree = Tree {
            game,
            options,
            me: role,
            chance_roles,
            root: state,
            nodes: Vec::new(),
            children: FxHashMap::default(),
            arms: 0,
            playouts: 0,
            constant_sum: true,
            by_turns: true,
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
        let new = || Walker {
            state: self.root.clone(),
            path: Vec::new(),
            joint: Vec::new(),
            playouts: Playouts::new(self.game.clone()),
            values: SmallVec::new(),
            truncations: 0,
        };
        let mut walker = self.walker.take().unwrap_or_else(new);
        walker.truncations = 0;
        let mut made = 0;
        while made < playouts
            && !self.is_settled()
            && walker.truncations < MOST_TRUNCATED
            && self.playout(&mut walker, chance, stop)
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
        let child = picks.and_then(|picks| self.children.get(&(0, picks)).copied());
        self.game.play(&mut self.root, joint);
        self.playouts = 0;
        match child {
            Some(child) => self.re_root(child),
            None => {
                self.nodes.clear();
                self.children.clear();
                self.arms = 0;
                let root = self.root.clone();
                self.add(&root, &AtomicBool::new(false));
            }
        }
    }

    /// Makes a node the root and drops all that is not below it.
    fn re_root(&mut self, root: u32) {
        self.keep(root, 0);
        // A win that was seen at a glance has left no trace of the move that wins; the root is to tell it.
        let over = self.nodes[0].places.is_empty();
        if !over && self.nodes[0].proofs().next().is_none() {
            self.nodes[0].proof = None;
        }
    }

    /// Drops the nodes that were visited least, so that those that stay take half of the room at most.
    fn recycle(&mut self) {
        let mut nodes: Vec<(u32, usize)> = self.nodes[1..].iter().map(|node| (node.visits, node.room())).collect();
        nodes.sort_unstable_by_key(|&(visits, _)| Reverse(visits));
        let (mut taken, mut least) = (self.nodes[0].room(), u32::MAX);
        for alike in nodes.chunk_by(|one, other| one.0 == other.0) {
            taken += alike.iter().map(|(_, room)| room).sum::<usize>();
            if taken > self.room() / 2 {
                break;
            }
            least = alike[0].0;
        }
        self.keep(0, least);
    }

    /// How many moves the tree may hold.
    fn room(&self) -> usize {
        self.options.room.max(LEAST_ROOM * self.nodes[0].room())
    }

    /// Makes a node the root and keeps what is below it and was visited at least so often.
    fn keep(&mut self, root: u32, least: u32) {
        let mut below: Vec<Vec<(Picks, u32)>> = vec![Vec::new(); self.nodes.len()];
        for ((parent, picks), child) in self.children.drain() {
            below[parent as usize].push((picks, child));
        }
        let mut old: Vec<Option<TreeNode<G::Move>>> = std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        self.arms = 0;
        // The numbers of nodes that were kept, by their new numbers.
        let mut kept = vec![root];
        let mut next = 0;
        while let Some(&number) = kept.get(next) {
            // There is one way to every node.
            let Some(node) = old[number as usize].take() else { break };
            self.arms += node.room();
            self.nodes.push(node);
            let mut children = std::mem::take(&mut below[number as usize]);
            children.retain(|&(_, child)| old[child as usize].as_ref().is_some_and(|node| node.visits >= least));
            // The order of a map is nobody's business.
            children.sort_unstable_by_key(|&(_, child)| child);
            for (picks, child) in children {
                self.children.insert((next as u32, picks), kept.len() as u32);
                kept.push(child);
            }
            next += 1;
        }
    }

    /// Walks down by the moves' promise, adds a node, plays out and passes the result up; `false` if it was stopped.
    fn playout(&mut self, walker: &mut Walker<G, R>, chance: &mut Chance, stop: &AtomicBool) -> bool {
        if self.arms >= self.room() {
            self.recycle();
        }
        walker.state.clone_from(&self.root);
        walker.path.clear();
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
            if let Some(proof) = self.nodes[node as usize].proof_of(picks[0] as usize) {
                let goals = proof.goals.clone();
                walker.path.push((node, picks));
                break Leaf::Over(goals);
            }
            self.game.play(&mut walker.state, &walker.joint);
            let known = self.children.get(&(node, picks.clone())).copied();
            walker.path.push((node, picks.clone()));
            if let Some(child) = known {
                node = child;
                continue;
            }
            if self.arms < self.room() {
                let child = self.add(&walker.state, stop);
                self.children.insert((node, picks), child);
                let added = &self.nodes[child as usize];
                if added.proof.is_some() || added.is_truncated() {
                    node = child;
                    self.pass_up(&walker.path, child);
                    continue;
                }
            }
            match self.leaf(walker, chance, stop) {
                Some(leaf) => break leaf,
                None => return false,
            }
        };
        walker.truncations = if matches!(result, Leaf::Truncated) { walker.truncations + 1 } else { 0 };
        self.set_values(walker, &result);
        for (node, picks) in &walker.path {
            let node = &mut self.nodes[*node as usize];
            node.visits += 1;
            for ((role, arms), &pick) in node.roles.iter().zip(&mut node.places).zip(picks) {
                let arm = &mut arms[pick as usize];
                arm.visits += 1;
                arm.total += walker.values[role.index()];
            }
        }
        true
    }

    /// What is to be found at a state that has just been reached; `None` if it was stopped.
    fn leaf(&mut self, walker: &mut Walker<G, R>, chance: &mut Chance, stop: &AtomicBool) -> Option<Leaf> {
        let share = self.options.evaluation.as_ref().map_or(0, |leaf| leaf.share);
        if share >= 100 {
            return Some(self.game.goals(&walker.state).map_or(Leaf::Evaluated(None), Leaf::Over));
        }
        let playout = walker.playouts.run_until(&walker.state, MOST_PLIES, chance, stop)?;
        self.truncated = self.truncated.or(playout.truncation());
        Some(match playout.end {
            // Where it is over at once, nothing is to be guessed.
            PlayoutEnd::Over(goals) if share == 0 || playout.plies == 0 => Leaf::Over(goals),
            PlayoutEnd::Over(goals) => Leaf::Evaluated(Some(goals)),
            PlayoutEnd::Limit if share > 0 => Leaf::Evaluated(None),
            PlayoutEnd::Limit => Leaf::Undecided,
            PlayoutEnd::Truncated(_) => Leaf::Truncated,
        })
    }

    /// What a walk has brought to each role.
    fn set_values(&mut self, walker: &mut Walker<G, R>, result: &Leaf) {
        let goals = match result {
            Leaf::Over(goals) | Leaf::Evaluated(Some(goals)) => Some(goals),
            Leaf::Evaluated(None) | Leaf::Undecided | Leaf::Truncated => None,
        };
        if let Some(goals) = goals {
            self.constant_sum &= self.sum(goals) == 100;
        }
        walker.values.clear();
        for role in Roles::first(self.game.roles().len()).iter() {
            let played = goals.map(|goals| f64::from(goal(goals, role)) / 100.0);
            walker.values.push(match (result, &self.options.evaluation) {
                (Leaf::Evaluated(_), Some(leaf)) if !self.chance_roles.contains(role) => {
                    let opinion = leaf.evaluation.evaluate(&self.game, &walker.state, role);
                    let opinion = opinion.clamp(-MOST_OPINION, MOST_OPINION);
                    let guess = f64::from(opinion + MOST_OPINION) / f64::from(2 * MOST_OPINION);
                    let share = f64::from(leaf.share.min(100)) / 100.0;
                    // Without a result there is nothing but the guess.
                    played.map_or(guess, |played| share * guess + (1.0 - share) * played)
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
    fn add(&mut self, state: &G::State, stop: &AtomicBool) -> u32 {
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
            let child = |choice| Child { choice, visits: 0, total: 0.0, lost: false, proof: None };
            places.push(moves.into_iter().map(child).collect());
        }
        self.by_turns &= places.len() < 2;
        let proof = goals
            .map(|goals| Proof { goals, plies: 0, sound: true })
            .or_else(|| self.win_at_once(state, roles, &places, stop));
        let node = TreeNode { roles, places, shares: share_lists, visits: 0, proved: 0, proof };
        if node.is_truncated() {
            self.truncated = self.truncated.or_else(|| self.game.truncation(state));
        }
        self.arms += node.room();
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }

    /// The proof of a state in which the only role to move can win at once. The root has none before its playouts, because
    /// it is to tell the move too.
    fn win_at_once(
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

    /// Chooses a move for each place of a node.
    fn select(&self, node: u32, joint: &mut Vec<G::Move>, chance: &mut Chance) -> Picks {
        joint.clear();
        let node = &self.nodes[node as usize];
        let curiosity = CURIOSITY * f64::from(node.visits).sqrt().sqrt();
        let mut picks = Picks::new();
        for (place, (role, arms)) in node.roles.iter().zip(&node.places).enumerate() {
            let untried = arms.iter().filter(|arm| arm.visits == 0).count();
            let pick = if self.chance_roles.contains(role) {
                Some(chance.below(arms.len()))
            } else if let Some(shares) = node.shares.get(place) {
                most_promising(arms, shares, node.visits)
            } else if untried > 0 {
                let nth = chance.below(untried);
                arms.iter().enumerate().filter(|(_, arm)| arm.visits == 0).nth(nth).map(|(pick, _)| pick)
            } else {
                let promise = |arm: &Child<_>| {
                    let visits = f64::from(arm.visits);
                    if arm.lost { -1.0 } else { arm.total / visits + curiosity / visits.sqrt() }
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

    /// Tells the nodes above one whose result has become certain, as far as theirs becomes certain too.
    fn pass_up(&mut self, path: &[(u32, Picks)], mut child: u32) {
        for (parent, picks) in path.iter().rev() {
            let node = &self.nodes[*parent as usize];
            let (1, Some(mover)) = (node.places.len(), node.roles.iter().next()) else { return };
            let Some(proof) = self.nodes[child as usize].proof.clone() else { return };
            let drawn = self.chance_roles.contains(mover);
            let own = goal(&proof.goals, mover);
            let node = &mut self.nodes[*parent as usize];
            node.proved += 1;
            let arm = &mut node.places[0][picks[0] as usize];
            arm.lost = own == 0;
            arm.proof = Some(Box::new(proof.clone()));
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
            match self.children.get(&(node, picks)) {
                Some(&child) => node = child,
                None => return line,
            }
        }
        line
    }
}

/// What a role has got. A goal that the rules leave open is none.
fn goal(goals: &Goals, role: Role) -> u8 {
    goals.get(role.index()).copied().flatten().unwrap_or(0)
}

/// Good results should come soon, bad ones late: the larger, the better for the role.
fn haste(proof: &Proof, role: Role) -> i64 {
    let plies = i64::from(proof.plies);
    if goal(&proof.goals, role) > 50 { -plies } else { plies }
}

/// One of those with the highest score, each as likely as the others.
fn best_by_chance<T: Ord>(count: usize, chance: &mut Chance, score: impl Fn(usize) -> Option<T>) -> Option<usize> {
    let best = (0..count).filter_map(&score).max()?;
    let all: Vec<usize> = (0..count).filter(|&pick| score(pick).as_ref() == Some(&best)).collect();
    Some(all[chance.below(all.len())])
}

/// The move with the greatest promise by PUCT. One that was never tried counts as bringing what all bring on average.
fn most_promising<M>(arms: &[Child<M>], shares: &[f32], visits: u32) -> Option<usize> {
    let tried: u32 = arms.iter().map(|arm| arm.visits).sum();
    let total: f64 = arms.iter().map(|arm| arm.total).sum();
    let mean = if tried == 0 { 0.5 } else { total / f64::from(tried) };
    let curiosity = TRUST * f64::from(visits + 1).sqrt();
    let promise = |(arm, &share): (&Child<M>, &f32)| {
        let visits = f64::from(arm.visits);
        let share = (1.0 - DOUBT) * f64::from(share) + DOUBT / arms.len() as f64;
        let value = if arm.visits == 0 { mean } else { arm.total / visits };
        if arm.lost { -1.0 } else { value + curiosity * share / (1.0 + visits) }
    };
    let promises = arms.iter().zip(shares).map(promise).enumerate();
    promises.max_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(pick, _)| pick)
}
