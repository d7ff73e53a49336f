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

use super::Choice;
use crate::game::{Chance, Game, Goals, Playouts, Role, Roles};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much a move that was tried seldom is favoured.
const CURIOSITY: f64 = 0.25;
/// Playouts are given up after this many joint moves; each role then gets half.
const MOST_PLIES: u64 = 2000;
/// A new node with at most this many moves is looked at for a win at once; with more, that would take longer than its
/// playout.
const MOST_LOOKS: usize = 100;
/// When the tree has this many moves, it grows no more.
const MOST_ARMS: usize = 1 << 21;
/// A node without moves takes as much room as this many.
const ROOM: usize = 4;

/// Which of its moves each place plays.
type Picks = SmallVec<[u32; 4]>;

pub(super) fn choose<G: Game>(
    game: &G,
    state: &G::State,
    role: Role,
    playouts: u32,
    chance: &mut Chance,
    stop: &AtomicBool,
) -> Choice<G::Move> {
    let mut tree = Tree::new(game, state.clone(), role);
    tree.grow(u64::from(playouts), chance, stop);
    tree.choice(chance).expect("a role that is to move has moves")
}

/// A tree that grows by playouts, to find a role's best move in the state at its root. It can be grown further at any time,
/// and when a joint move was played, what lies below it is kept.
///
/// For a number of playouts without a stop, the same chance gives the same tree.
pub struct Tree<'g, G: Game> {
    game: &'g G,
    me: Role,
    chance_roles: Roles,
    root: G::State,
    nodes: Vec<TreeNode<G::Move>>,
    children: FxHashMap<(u32, Picks), u32>,
    /// How many there are in all the nodes.
    arms: usize,
    /// Made since the root is the root.
    playouts: u64,
    /// Whether in all results so far what one role gained others lost.
    constant_sum: bool,
    /// Whether nobody moved at the same time as others so far.
    by_turns: bool,
    /// Room for walks, while nobody walks.
    walker: Option<Walker<'g, G>>,
}

struct TreeNode<M> {
    roles: Roles,
    /// The moves of each role to move.
    places: SmallVec<[Vec<Child<M>>; 1]>,
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

/// Room for a walk down the tree.
struct Walker<'g, G: Game> {
    state: G::State,
    path: Vec<(u32, Picks)>,
    joint: Vec<G::Move>,
    playouts: Playouts<'g, G>,
}

impl<'g, G: Game> Tree<'g, G> {
    /// A tree of one node.
    pub fn new(game: &'g G, state: G::State, role: Role) -> Tree<'g, G> {
        let mut tree = Tree {
            game,
            me: role,
            chance_roles: game.chance_roles(),
            root: state,
            nodes: Vec::new(),
            children: FxHashMap::default(),
            arms: 0,
            playouts: 0,
            constant_sum: true,
            by_turns: true,
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

    /// Whether more playouts would change nothing: the result is certain, or the game is over.
    pub fn is_settled(&self) -> bool {
        self.nodes[0].proof.is_some()
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

    /// Adds up to so many playouts, fewer if the result becomes certain or once `stop` is set; tells how many.
    pub fn grow(&mut self, playouts: u64, chance: &mut Chance, stop: &AtomicBool) -> u64 {
        let new = || Walker {
            state: self.root.clone(),
            path: Vec::new(),
            joint: Vec::new(),
            playouts: Playouts::new(self.game),
        };
        let mut walker = self.walker.take().unwrap_or_else(new);
        let mut made = 0;
        while made < playouts && !self.is_settled() && self.playout(&mut walker, chance, stop) {
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
            Some(child) => self.keep_below(child),
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
    fn keep_below(&mut self, root: u32) {
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
            self.arms += ROOM + node.places.iter().map(Vec::len).sum::<usize>();
            self.nodes.push(node);
            let mut children = std::mem::take(&mut below[number as usize]);
            // The order of a map is nobody's business.
            children.sort_unstable_by_key(|&(_, child)| child);
            for (picks, child) in children {
                self.children.insert((next as u32, picks), kept.len() as u32);
                kept.push(child);
            }
            next += 1;
        }
        // A win that was seen at a glance has left no trace of the move that wins; the root is to tell it.
        let over = self.nodes[0].places.is_empty();
        let seen = (0..self.nodes[0].places.first().map_or(0, Vec::len))
            .any(|pick| self.child(0, pick).is_some_and(|child| child.proof.is_some()));
        if !over && !seen {
            self.nodes[0].proof = None;
        }
    }

    /// Walks down by the moves' promise, adds a node, plays out and passes the result up; `false` if it was stopped.
    fn playout(&mut self, walker: &mut Walker<G>, chance: &mut Chance, stop: &AtomicBool) -> bool {
        walker.state.clone_from(&self.root);
        walker.path.clear();
        let mut node = 0;
        let result = loop {
            if let Some(proof) = &self.nodes[node as usize].proof {
                break Some(proof.goals.clone());
            }
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            let picks = self.select(node, &mut walker.joint, chance);
            self.game.play(&mut walker.state, &walker.joint);
            let known = self.children.get(&(node, picks.clone())).copied();
            walker.path.push((node, picks.clone()));
            if let Some(child) = known {
                node = child;
                continue;
            }
            if self.arms < MOST_ARMS {
                let child = self.add(&walker.state, stop);
                self.children.insert((node, picks), child);
                if self.nodes[child as usize].proof.is_some() {
                    node = child;
                    self.pass_up(&walker.path, child);
                    continue;
                }
            }
            let Some(playout) = walker.playouts.run_until(&walker.state, MOST_PLIES, chance, stop) else {
                return false;
            };
            break playout.goals().cloned();
        };
        if let Some(goals) = &result {
            self.constant_sum &= self.sum(goals) == 100;
        }
        for (node, picks) in &walker.path {
            let node = &mut self.nodes[*node as usize];
            node.visits += 1;
            for ((role, arms), &pick) in node.roles.iter().zip(&mut node.places).zip(picks) {
                let arm = &mut arms[pick as usize];
                arm.visits += 1;
                arm.total += result.as_ref().map_or(0.5, |goals| f64::from(goal(goals, role)) / 100.0);
            }
        }
        true
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
        for role in roles.iter() {
            let mut moves = Vec::new();
            self.game.legal(state, role, &mut moves);
            self.arms += moves.len();
            places.push(moves.into_iter().map(|choice| Child { choice, visits: 0, total: 0.0, lost: false }).collect());
        }
        self.arms += ROOM;
        self.by_turns &= places.len() < 2;
        let proof = goals
            .map(|goals| Proof { goals, plies: 0, sound: true })
            .or_else(|| self.win_at_once(state, roles, &places, stop));
        self.nodes.push(TreeNode { roles, places, visits: 0, proved: 0, proof });
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
        let pick = |(role, arms): (Role, &Vec<Child<G::Move>>)| {
            let untried = arms.iter().filter(|arm| arm.visits == 0).count();
            let pick = if self.chance_roles.contains(role) {
                Some(chance.below(arms.len()))
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
            pick as u32
        };
        node.roles.iter().zip(&node.places).map(pick).collect()
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
            node.places[0][picks[0] as usize].lost = own == 0;
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
        let picks = 0..self.nodes[node as usize].places[0].len();
        let mut proofs = picks.filter_map(|pick| self.child(node, pick)).filter_map(|child| child.proof.as_ref());
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
        let proofs: Vec<&Proof> = (0..self.nodes[node as usize].places[0].len())
            .filter_map(|pick| self.child(node, pick))
            .filter_map(|child| child.proof.as_ref())
            .collect();
        let mine = |proof: &Proof| goal(&proof.goals, self.me);
        let better = |proof: &&&Proof| (goal(&proof.goals, mover), 100 - mine(proof), haste(proof, mover));
        let best = (*proofs.iter().max_by_key(better).expect("a node has moves")).clone();
        let worst = proofs.iter().map(|proof| mine(proof)).min();
        let sound = proofs.iter().all(|proof| proof.sound) && (mover == self.me || Some(mine(&best)) == worst);
        Proof { sound, ..best }
    }

    fn child(&self, node: u32, pick: usize) -> Option<&TreeNode<G::Move>> {
        let child = self.children.get(&(node, SmallVec::from_slice(&[pick as u32])))?;
        Some(&self.nodes[*child as usize])
    }

    /// The move to play: one that is certain to be best if there is one, otherwise the one that was tried most.
    /// `None` if the role is not to move.
    pub fn choice(&self, chance: &mut Chance) -> Option<Choice<G::Move>> {
        let root = &self.nodes[0];
        let place = root.roles.iter().position(|role| role == self.me)?;
        let arms = &root.places[place];
        let proof = |pick: usize| {
            let child = if root.places.len() == 1 { self.child(0, pick) } else { None };
            child.and_then(|child| child.proof.as_ref())
        };
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
            playouts: self.playouts,
            proved: root.proof.as_ref().is_some_and(|proof| proof.sound),
        })
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
