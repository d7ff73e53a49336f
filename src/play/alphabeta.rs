//! Looking ahead: alpha-beta search for any number of roles.
//!
//! One role maximises its goal and all others minimise it (they are "paranoid" for it). Where they move at the same time,
//! the others answer as if they knew its move, so what it is promised it gets, but bluffing is beyond it. With one role
//! nobody answers, and it is a plain search.
//!
//! Where chance moves, a state is worth the mean over its moves, each searched without bounds, since a mean cuts nothing off;
//! others who move at the same time answer as if they knew what was drawn. In a game with chance it does not matter how soon
//! a result comes.
//!
//! The result is exactly that of minimax to the same depth. A transposition table remembers states whole, so no two are ever mixed up,
//! and what it says is used only for the same remaining depth, or for a greater one where nothing was left open.
//!
//! A policy changes only the order in which moves are tried: what a state is worth stays the same, and which of several equally
//! good moves is taken is up to it.

use super::evaluation::{MOST_OPINION, shares};
use super::{Agent, Choice, Evaluation, NoOpinion, Policy};
use crate::game::{Chance, Game, Goals, JointMoves, Role, Roles, Truncation};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One point of a goal. It is so much larger than an opinion that the number of joint moves to the end, which is added or
/// taken away so that wins come soon and losses late, never makes one look like the other.
const POINT: i32 = 2 * MOST_OPINION;
/// A goal of 50 is worth nothing.
const EVEN: i32 = 50;
const INFINITE: i32 = i32::MAX / 2;
/// Where the others can answer in more ways than this at the same time, the rest is not looked at (and nothing is proved).
const MOST_REPLIES: usize = 4096;
/// How many states the table remembers before it begins to forget the older half, and how many bytes they may take.
const TABLE: usize = 1 << 16;
const TABLE_BYTES: usize = 128 << 20;
/// After so many states beyond the engine's limits, each of which takes long, the search is given up.
const MOST_TRUNCATED: u32 = 32;

/// An agent that looks ahead.
pub struct AlphaBeta<G: Game> {
    /// Joint moves to look ahead.
    pub depth: u16,
    /// What states at the horizon are worth.
    pub evaluation: Arc<dyn Evaluation<G>>,
    /// Which moves to try first.
    pub policy: Option<Arc<dyn Policy<G>>>,
    /// How many states may be looked at for a move; the last depth that was finished counts.
    pub nodes: u64,
    /// Which of several equally good moves is taken.
    pub ties: Ties,
}

/// Which of several equally good moves is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ties {
    /// Any of them, left to chance or to the policy.
    #[default]
    Chance,
    /// The first in the game's order.
    First,
}

impl<G: Game> AlphaBeta<G> {
    /// Looks so many joint moves ahead without an opinion on what it sees there.
    pub fn new(depth: u16) -> AlphaBeta<G> {
        AlphaBeta { depth, evaluation: Arc::new(NoOpinion), policy: None, nodes: u64::MAX, ties: Ties::Chance }
    }
}

impl<G: Game> Agent<G> for AlphaBeta<G> {
    fn choose_among(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        mut moves: Vec<G::Move>,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Choice<G::Move> {
        alphabeta(game, state, role, self, chance, stop).unwrap_or_else(|| Choice::unexamined(moves.swap_remove(0)))
    }
}

/// The best move for a role looking some joint moves ahead, left to chance (or to the policy) if several are equally good;
/// `None` if it is not to move.
///
/// Depths are searched one after the other, until one has settled the game. Once `stop` is set, the last one that was
/// finished counts.
pub fn alphabeta<G: Game>(
    game: &G,
    state: &G::State,
    role: Role,
    settings: &AlphaBeta<G>,
    chance: &mut Chance,
    stop: &AtomicBool,
) -> Option<Choice<G::Move>> {
    let mut search = Deepening::new(game, state, role, settings, 0.0, chance, stop)?;
    search.deepen(settings.nodes);
    Some(search.choice())
}

/// A search that goes on where it has stopped: it deepens by one joint move after the other, as far as the states that it may look
/// at allow, and can be given more of them.
pub struct Deepening<'a, G: Game> {
    search: Search<'a, G>,
    state: &'a G::State,
    /// The role's place among those to move.
    place: usize,
    level: Box<PlyBuffers<G>>,
    /// The moves, the best of the last depth first.
    order: Vec<usize>,
    /// Whether equally good moves are left to chance or to the policy.
    shuffled: bool,
    slack: i32,
    depth: u16,
    found: Option<Worth>,
    values: Vec<i32>,
    pick: usize,
    reached: u16,
}

impl<'a, G: Game> Deepening<'a, G> {
    /// Has looked at nothing yet. Moves that are worse than the best by less than `slack` points of the goal are searched exactly. `None` if the
    /// role has no move.
    pub fn new(
        game: &'a G,
        state: &'a G::State,
        role: Role,
        settings: &'a AlphaBeta<G>,
        slack: f64,
        chance: &mut Chance,
        stop: &'a AtomicBool,
    ) -> Option<Deepening<'a, G>> {
        let place = game.to_move(state).iter().position(|other| other == role)?;
        let depth = settings.depth;
        let mut search = Search {
            game,
            me: role,
            evaluation: &*settings.evaluation,
            policy: settings.policy.as_deref(),
            stop,
            table: TranspositionTable::with_room(TABLE.min(TABLE_BYTES / game.state_bytes().max(1))),
            history: FxHashMap::default(),
            killers: vec![None; usize::from(depth) + 1],
            room: Vec::new(),
            nodes: 0,
            skipped: false,
            truncated: None,
            truncations: 0,
            chance_roles: game.chance_roles(),
            drawn: false,
            most_nodes: 0,
        };
        let level = search.level(state);
        let mut order: Vec<usize> = (0..level.joints.moves(place).len()).collect();
        // Of equally good moves the first is taken, and which one is first is left to chance.
        let shuffled = settings.ties == Ties::Chance;
        if shuffled {
            (1..order.len()).for_each(|at| order.swap(at, chance.below(at + 1)));
        }
        if let Some(policy) = search.policy.filter(|_| shuffled) {
            let shares = shares(policy, game, state, role, level.joints.moves(place));
            order.sort_by(|&one, &other| shares[other].total_cmp(&shares[one]));
        }
        let slack = (slack.clamp(0.0, 100.0) * f64::from(POINT)) as i32;
        let (values, pick) = (vec![-INFINITE; order.len()], *order.first()?);
        Some(Deepening {
            search,
            state,
            place,
            level,
            order,
            shuffled,
            slack,
            depth,
            found: None,
            values,
            pick,
            reached: 0,
        })
    }

    /// Searches with so many more states; whether there is nothing more to find. Once the stop flag is set, it ends soon.
    pub fn deepen(&mut self, nodes: u64) -> bool {
        self.search.most_nodes = self.search.nodes.saturating_add(nodes);
        while self.reached < self.depth && !self.is_settled() {
            let depth = i32::from(self.reached) + 1;
            let root = self.search.root(self.state, &mut self.level, self.place, &self.order, depth, self.slack);
            let Ok((best, worth, values)) = root else { return false };
            self.pick = self.order[best];
            self.values = values;
            if self.shuffled {
                self.order[..=best].rotate_right(1);
            }
            self.found = Some(worth);
            self.reached += 1;
        }
        true
    }

    /// Whether a deeper search would find the same.
    fn is_settled(&self) -> bool {
        self.found.is_some_and(|worth| self.search.is_certain(worth))
    }

    /// The best move by the last depth that was finished.
    pub fn choice(&self) -> Choice<G::Move> {
        let search = &self.search;
        // A mean is what can be expected, which is certain only if it is the most or the least.
        let expected = |worth: Worth| search.drawn && worth.value.abs() != EVEN * POINT;
        Choice {
            pick: self.level.joints.moves(self.place)[self.pick].clone(),
            value: self.found.map(|worth| search.goal_of(worth.value)),
            nodes: search.nodes,
            depth: self.reached,
            playouts: 0,
            proved: !search.skipped && self.is_settled() && !self.found.is_some_and(expected),
            truncated: search.truncated,
        }
    }

    /// The goal that every legal move leads to if all others play against it, in the order of the legal moves: exactly for moves that
    /// are worse than the best by less than the slack; for others that they are not, and 0 for all if no depth was finished.
    pub fn values(&self) -> Vec<f64> {
        let goal = |value: &i32| match *value {
            value if value == -INFINITE => 0.0,
            value => f64::from(EVEN) + f64::from(value) / f64::from(POINT),
        };
        self.values.iter().map(goal).collect()
    }
}

struct Search<'a, G: Game> {
    game: &'a G,
    me: Role,
    evaluation: &'a dyn Evaluation<G>,
    policy: Option<&'a dyn Policy<G>>,
    stop: &'a AtomicBool,
    table: TranspositionTable<G::State>,
    /// How often, and how far from the leaves, a role's move has cut off the others.
    history: FxHashMap<(Role, G::Move), u64>,
    /// The move that last did so, by ply.
    killers: Vec<Option<G::Move>>,
    /// Room for the states on the way down.
    room: Vec<Box<PlyBuffers<G>>>,
    nodes: u64,
    /// Whether replies were left out, or states beyond the engine's limits.
    skipped: bool,
    /// Why the first of those is, and how many there were.
    truncated: Option<Truncation>,
    truncations: u32,
    chance_roles: Roles,
    /// Whether a mean was taken of values that are not all the same.
    drawn: bool,
    most_nodes: u64,
}

struct PlyBuffers<G: Game> {
    child: G::State,
    joints: JointMoves<G::Move>,
    /// The moves of the role that chooses, the most promising first.
    order: Vec<MoveOrder>,
}

/// A move with what it promises: by what it did elsewhere, then by the policy.
#[derive(Clone, Copy)]
struct MoveOrder {
    score: u64,
    share: f32,
    pick: usize,
}

/// What is known about a state's value.
#[derive(Clone, Copy)]
struct Worth {
    value: i32,
    /// Whether a deeper search would find the same.
    complete: bool,
}

/// Where in the tree a search is, and which values matter there.
#[derive(Clone, Copy)]
struct SearchWindow {
    /// Joint moves to the horizon.
    depth: i32,
    /// Joint moves from the root.
    ply: i32,
    /// What the searching role has for certain elsewhere.
    alpha: i32,
    /// What the others can hold it to elsewhere.
    beta: i32,
}

/// Stopped before the result was certain.
struct Stopped;

impl<G: Game> Search<'_, G> {
    /// The first of the moves that are best to this depth, by its place in the order, how good it is, and what each move is worth.
    fn root(
        &mut self,
        state: &G::State,
        level: &mut PlyBuffers<G>,
        place: usize,
        order: &[usize],
        depth: i32,
        slack: i32,
    ) -> Result<(usize, Worth, Vec<i32>), Stopped> {
        let mut best = 0;
        let mut worth = Worth { value: -INFINITE, complete: true };
        let mut values = vec![-INFINITE; order.len()];
        for (at, &pick) in order.iter().enumerate() {
            let alpha = worth.value.saturating_sub(slack).max(-INFINITE);
            let window = SearchWindow { depth, ply: 0, alpha, beta: INFINITE };
            let this = self.replies(state, level, Some((place, pick)), window)?;
            worth.complete &= this.complete;
            values[pick] = this.value;
            if this.value > worth.value {
                worth.value = this.value;
                best = at;
            }
        }
        Ok((best, worth, values))
    }

    /// What a state is worth: exactly, if it is within the window, otherwise a bound on that side of it.
    fn search(&mut self, state: &G::State, window: SearchWindow) -> Result<Worth, Stopped> {
        self.nodes += 1;
        // States of some games take long, so this is asked at each.
        if self.stop.load(Ordering::Relaxed) || self.nodes > self.most_nodes {
            return Err(Stopped);
        }
        if let Some(goals) = self.game.goals(state) {
            return Ok(Worth { value: value_of(&goals, self.me, self.ply(window)), complete: true });
        }
        if window.depth == 0 {
            return Ok(self.opinion(state));
        }
        let known = self.table.get(state);
        if let Some(worth) = known.and_then(|known| known.settles(window, self.ply(window))) {
            return Ok(worth);
        }
        let mut level = self.level(state);
        if level.joints.is_empty() {
            return self.beyond_limits(state);
        }
        let (worth, pick) = self.best(state, &mut level, known, window)?;
        self.room.push(level);
        let bound = match worth.value {
            value if value <= window.alpha => Bound::Above,
            value if value >= window.beta => Bound::Below,
            _ => Bound::Exact,
        };
        let value = from_here(worth.value, self.ply(window));
        self.table.put(state, TableEntry { value, bound, depth: window.depth, complete: worth.complete, pick });
        Ok(worth)
    }

    fn opinion(&self, state: &G::State) -> Worth {
        let value = self.evaluation.evaluate(self.game, state, self.me).clamp(-MOST_OPINION, MOST_OPINION);
        Worth { value, complete: false }
    }

    /// What a state is worth that is not over and has no moves.
    fn beyond_limits(&mut self, state: &G::State) -> Result<Worth, Stopped> {
        self.skipped = true;
        self.truncations += 1;
        self.truncated = self.truncated.or_else(|| self.game.truncation(state));
        if self.truncations > MOST_TRUNCATED { Err(Stopped) } else { Ok(self.opinion(state)) }
    }

    /// Tries the moves of the role that chooses here: the searching one, or the only other one.
    fn best(
        &mut self,
        state: &G::State,
        level: &mut PlyBuffers<G>,
        known: Option<TableEntry>,
        mut window: SearchWindow,
    ) -> Result<(Worth, usize), Stopped> {
        let to_move = self.game.to_move(state);
        let mine = to_move.contains(self.me);
        let drawn = to_move.iter().all(|role| self.chance_roles.contains(role));
        if !mine && (to_move.len() != 1 || drawn) {
            return Ok((self.replies(state, level, None, window)?, 0));
        }
        let place = to_move.iter().position(|role| role == self.me).unwrap_or(0);
        let mover = to_move.iter().nth(place).unwrap_or(self.me);
        self.sort(state, level, place, mover, known, window);
        let order = std::mem::take(&mut level.order);
        let mut best = Worth { value: if mine { -INFINITE } else { INFINITE }, complete: true };
        let mut best_pick = 0;
        for &MoveOrder { pick, .. } in &order {
            let worth = self.replies(state, level, Some((place, pick)), window)?;
            best.complete &= worth.complete;
            if (mine && worth.value > best.value) || (!mine && worth.value < best.value) {
                best.value = worth.value;
                best_pick = pick;
            }
            if mine {
                window.alpha = window.alpha.max(best.value);
            } else {
                window.beta = window.beta.min(best.value);
            }
            if window.alpha >= window.beta {
                // The bound rests on this move alone.
                best.complete = worth.complete;
                let choice = &level.joints.moves(place)[pick];
                let weight = window.depth as u64;
                *self.history.entry((mover, choice.clone())).or_default() += weight * weight;
                self.killers[window.ply as usize] = Some(choice.clone());
                break;
            }
        }
        level.order = order;
        Ok((best, best_pick))
    }

    /// The worst that the others can do, with one place's move fixed: in a game with turns just what it leads to.
    fn replies(
        &mut self,
        state: &G::State,
        level: &mut PlyBuffers<G>,
        fixed: Option<(usize, usize)>,
        window: SearchWindow,
    ) -> Result<Worth, Stopped> {
        if !self.chance_roles.is_empty() && self.game.to_move(state).iter().any(|role| self.chance_roles.contains(role))
        {
            return self.mean(state, level, fixed, window);
        }
        level.joints.restart(fixed);
        let mut worst = Worth { value: INFINITE, complete: true };
        for reply in 0.. {
            let Some(joint) = level.joints.advance() else { break };
            if reply == MOST_REPLIES {
                self.skipped = true;
                worst.complete = false;
                break;
            }
            level.child.clone_from(state);
            self.game.play(&mut level.child, joint);
            let below = SearchWindow {
                depth: window.depth - 1,
                ply: window.ply + 1,
                alpha: window.alpha,
                beta: window.beta.min(worst.value),
            };
            let worth = self.search(&level.child, below)?;
            worst.complete &= worth.complete;
            worst.value = worst.value.min(worth.value);
            if worst.value <= window.alpha {
                worst.complete = worth.complete;
                break;
            }
        }
        Ok(worst)
    }

    /// The mean over the moves of chance of the worst that the others can do.
    fn mean(
        &mut self,
        state: &G::State,
        level: &mut PlyBuffers<G>,
        fixed: Option<(usize, usize)>,
        window: SearchWindow,
    ) -> Result<Worth, Stopped> {
        let drawn: Vec<bool> = self.game.to_move(state).iter().map(|role| self.chance_roles.contains(role)).collect();
        // For each way in which chance can move, the worst of the others' replies.
        let mut worsts: BTreeMap<Vec<usize>, i32> = BTreeMap::new();
        let mut complete = true;
        level.joints.restart(fixed);
        for reply in 0.. {
            let Some(joint) = level.joints.advance() else { break };
            if reply == MOST_REPLIES {
                self.skipped = true;
                complete = false;
                break;
            }
            level.child.clone_from(state);
            self.game.play(&mut level.child, joint);
            let below = SearchWindow { depth: window.depth - 1, ply: window.ply + 1, alpha: -INFINITE, beta: INFINITE };
            let picks = level.joints.picks().iter().zip(&drawn).filter(|(_, drawn)| **drawn).map(|(&pick, _)| pick);
            let picks: Vec<usize> = picks.collect();
            let worth = self.search(&level.child, below)?;
            complete &= worth.complete;
            worsts.entry(picks).and_modify(|worst| *worst = worth.value.min(*worst)).or_insert(worth.value);
        }
        let mut values = worsts.values();
        let first = values.next().copied().unwrap_or(0);
        self.drawn |= values.any(|&value| value != first);
        let sum: i64 = worsts.values().map(|&value| i64::from(value)).sum();
        Ok(Worth { value: (sum / worsts.len().max(1) as i64) as i32, complete })
    }

    /// Whether no deeper search can find anything else.
    fn is_certain(&self, worth: Worth) -> bool {
        // The mean of many wins and few losses may look like a win.
        worth.complete || self.chance_roles.is_empty() && is_decided(worth.value)
    }

    /// The goal that a value stands for.
    fn goal_of(&self, value: i32) -> f64 {
        let points = f64::from(value) / f64::from(POINT);
        // What was added or taken away for haste is left out again.
        let hasty = self.chance_roles.is_empty() && value.abs() > MOST_OPINION;
        f64::from(EVEN) + if hasty { points.round() } else { points }
    }

    /// How far from the root a window counts as being: results that come soon are not better where means are taken.
    fn ply(&self, window: SearchWindow) -> i32 {
        if self.chance_roles.is_empty() { window.ply } else { 0 }
    }

    /// Puts the most promising moves first: the best of an earlier search, then what cut off a neighbour, then what has cut
    /// off most, then what the policy favours.
    fn sort(
        &self,
        state: &G::State,
        level: &mut PlyBuffers<G>,
        place: usize,
        mover: Role,
        known: Option<TableEntry>,
        window: SearchWindow,
    ) {
        let moves = level.joints.moves(place);
        level.order.clear();
        // Next to the horizon a policy would take longer than the search.
        let policy = self.policy.filter(|_| window.depth > 1);
        let shares = policy.map(|policy| shares(policy, self.game, state, mover, moves));
        let promise = |(pick, choice): (usize, &G::Move)| {
            let score = if known.is_some_and(|known| known.pick == pick) {
                u64::MAX
            } else if self.killers[window.ply as usize].as_ref() == Some(choice) {
                u64::MAX - 1
            } else if window.depth > 1 {
                self.history.get(&(mover, choice.clone())).copied().unwrap_or(0)
            } else {
                0
            };
            MoveOrder { score, share: shares.as_ref().map_or(0.0, |shares| shares[pick]), pick }
        };
        level.order.extend(moves.iter().enumerate().map(promise));
        // Shares are never negative, so their bits are in the same order.
        level.order.sort_by_key(|order| Reverse((order.score, order.share.to_bits())));
    }

    fn level(&mut self, state: &G::State) -> Box<PlyBuffers<G>> {
        let new = || Box::new(PlyBuffers { child: state.clone(), joints: JointMoves::default(), order: Vec::new() });
        let mut level = self.room.pop().unwrap_or_else(new);
        level.joints.begin(self.game, state);
        level
    }
}

/// The value of an end that is `ply` joint moves away. A goal that the rules leave open is none.
fn value_of(goals: &Goals, me: Role, ply: i32) -> i32 {
    let goal = goals.get(me.index()).copied().flatten().unwrap_or(0);
    let value = (i32::from(goal) - EVEN) * POINT;
    value - value.signum() * ply
}

/// Whether nothing better, or nothing worse, can be found further on.
fn is_decided(value: i32) -> bool {
    value.abs() > (EVEN - 1) * POINT
}

/// A value seen from the root as it is seen from `ply` joint moves further on.
fn from_here(value: i32, ply: i32) -> i32 {
    if value.abs() > MOST_OPINION { value + value.signum() * ply } else { value }
}

/// The states that were searched, in two generations, so that there are never too many.
struct TranspositionTable<S> {
    /// How many the younger ones may be.
    room: usize,
    young: FxHashMap<S, TableEntry>,
    old: FxHashMap<S, TableEntry>,
}

impl<S> TranspositionTable<S> {
    fn with_room(room: usize) -> TranspositionTable<S> {
        TranspositionTable { room, young: FxHashMap::default(), old: FxHashMap::default() }
    }
}

/// What the table says about a state.
#[derive(Clone, Copy)]
struct TableEntry {
    /// As seen from the state itself.
    value: i32,
    bound: Bound,
    depth: i32,
    complete: bool,
    /// The best move, by its place in the list of legal moves.
    pick: usize,
}

/// Which way a value is right.
#[derive(Clone, Copy)]
enum Bound {
    Exact,
    /// It is this or more.
    Below,
    /// It is this or less.
    Above,
}

impl TableEntry {
    /// The worth of the state, if this is enough to tell it or to tell that it is outside the window.
    fn settles(self, window: SearchWindow, ply: i32) -> Option<Worth> {
        let value = from_here(self.value, -ply);
        let fits = self.depth == window.depth || self.complete && self.depth < window.depth;
        let enough = match self.bound {
            Bound::Exact => true,
            Bound::Below => value >= window.beta,
            Bound::Above => value <= window.alpha,
        };
        (fits && enough).then_some(Worth { value, complete: self.complete })
    }
}

impl<S: Clone + Eq + std::hash::Hash> TranspositionTable<S> {
    fn get(&self, state: &S) -> Option<TableEntry> {
        self.young.get(state).or_else(|| self.old.get(state)).copied()
    }

    fn put(&mut self, state: &S, known: TableEntry) {
        if let Some(before) = self.young.get_mut(state) {
            *before = known;
            return;
        }
        if self.young.len() >= self.room {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(state.clone(), known);
    }
}
