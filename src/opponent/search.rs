//! Searching with a model of an opponent: probabilistic opponent-model search with a bound on the risk.
//!
//! Two searches share a number of states. The first is alpha-beta against anybody: it says what each move is worth for certain, and only
//! moves that are worth at most `risk` points less than the best of them stay in. The second expects the modelled role to play as the
//! model says: where that role moves, a state is worth the mean over its likeliest replies, as many as it takes to cover a share of
//! what it plays; all others play against us. Of the moves that stay in, the one that alpha-beta prefers is played, unless another has a higher
//! expectation.
//!
//! Pruned replies make the tree so much narrower that the second search gets deeper with the same number of states. States that the
//! model itself looks at count too.

use super::model::OpponentModel;
use super::turn::Options;
use crate::game::{Chance, Game, JointMoves, Role, Roles, Truncation};
use crate::play::{
    Agent, AlphaBeta, Choice, Deepening, Evaluation, MOST_OPINION, OpponentSpec, Policy, Ties, alphabeta,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An agent that knows how another role plays.
pub struct OpponentSearch<G: Game> {
    /// The model, bound to the game.
    pub model: Arc<OpponentModel>,
    /// Joint moves to look ahead.
    pub depth: u16,
    /// How many states may be looked at for a move.
    pub nodes: u64,
    /// The share of replies that is looked at, from 0 to 1.
    pub coverage: f64,
    /// How many points of the goal may be risked.
    pub risk: f64,
    /// What states at the horizon are worth.
    pub evaluation: Arc<dyn Evaluation<G>>,
}

impl<G: Game> OpponentSearch<G> {
    /// With the options that a person has given.
    pub fn new(
        model: Arc<OpponentModel>,
        spec: &OpponentSpec,
        evaluation: Arc<dyn Evaluation<G>>,
    ) -> OpponentSearch<G> {
        OpponentSearch {
            model,
            depth: spec.depth,
            nodes: spec.nodes.map_or(u64::MAX, u64::from),
            coverage: f64::from(spec.coverage) / 1000.0,
            risk: f64::from(spec.risk),
            evaluation,
        }
    }
}

/// A goal of 100, and what no state is worth.
const MOST: f64 = 100.0;
/// What the strongest opinion on a state at the horizon is worth, in points of the goal.
const OPINION: f64 = 0.5;
/// So many more points have to be expected of a move than of the one that alpha-beta prefers.
const GAIN: f64 = 0.3;
/// What is added to a risk: results that come later are worth a little less.
const SLACK: f64 = 0.1;
/// What a result is worth less for every joint move until it comes.
const HASTE: f64 = 1e-3;
const MOST_REPLIES: usize = 4096;
/// The states of the first round where their number has no limit.
const FIRST_ROUND: u64 = 4096;
const TABLE: usize = 1 << 17;

impl<G: Game> Agent<G> for OpponentSearch<G> {
    fn choose_among(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        moves: Vec<G::Move>,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Choice<G::Move> {
        let modelled = game.roles().iter().position(|name| *name == self.model.role).map(|at| Role(at as u8));
        let unexamined = |pick: usize| Choice::unexamined(moves[pick].clone());
        let Some(modelled) = modelled.filter(|&modelled| modelled != role) else {
            // The model is of the role that it plays itself, or of none.
            return alphabeta(game, state, role, &self.alphabeta(), chance, stop).unwrap_or_else(|| unexamined(0));
        };
        let Some(place) = game.to_move(state).iter().position(|other| other == role) else { return unexamined(0) };
        let turn = Turn { state, place, moves: &moves };
        let settings = self.alphabeta();
        // What is certain against anybody.
        let mut certain = match self.risk < MOST {
            true => Deepening::new(game, state, role, &settings, self.risk + SLACK, chance, stop),
            false => None,
        };
        let mut search = Search::new(self, game, role, modelled, stop);
        // Of equally good moves the first is taken, and which one is first is left to chance.
        let mut order: Vec<usize> = (0..moves.len()).collect();
        (1..order.len()).for_each(|at| order.swap(at, chance.below(at + 1)));
        if self.nodes < u64::MAX {
            return self.weigh(&turn, &order, certain.as_mut(), &mut search, self.nodes).choice;
        }
        // Nobody knows how long it may take, so both searches get further in turns, each time with twice the states of the last.
        let mut limit = FIRST_ROUND;
        loop {
            let round = self.weigh(&turn, &order, certain.as_mut(), &mut search, limit);
            if round.whole || stop.load(Ordering::Relaxed) {
                return round.choice;
            }
            limit = limit.saturating_mul(2);
        }
    }
}

/// A position in which a move is looked for.
struct Turn<'a, G: Game> {
    state: &'a G::State,
    /// The role's place among those to move.
    place: usize,
    moves: &'a [G::Move],
}

/// What a number of states has found.
struct Round<M> {
    choice: Choice<M>,
    /// Whether more states would find the same.
    whole: bool,
}

impl<G: Game> OpponentSearch<G> {
    /// Both searches, with so many states besides those of the rounds before.
    fn weigh(
        &self,
        turn: &Turn<G>,
        order: &[usize],
        certain: Option<&mut Deepening<G>>,
        search: &mut Search<G>,
        limit: u64,
    ) -> Round<G::Move> {
        let &Turn { state, place, moves } = turn;
        let unexamined = |pick: usize| Choice::unexamined(moves[pick].clone());
        let mut eligible = order.to_vec();
        let (mut settled, mut spent) = (true, 0);
        let mut careful = None;
        if let Some(certain) = certain {
            let before = certain.choice().nodes;
            // With most of the states: the replies of the model are so few that the rest gets further.
            settled = certain.deepen(limit / 8 * 7);
            let (choice, values) = (certain.choice(), certain.values());
            spent = choice.nodes - before;
            let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            eligible.retain(|&pick| values[pick] >= best - self.risk - SLACK);
            if eligible.len() == 1 || choice.proved && best > MOST - 1.0 || choice.depth == 0 {
                let choice = Choice { nodes: choice.nodes + search.nodes, ..choice };
                return Round { whole: settled, choice };
            }
            careful = Some(choice);
        }
        search.limit = search.nodes.saturating_add(limit.saturating_sub(spent));
        let whole = search.deepen(state, place, &eligible) && settled;
        let nodes = search.nodes + careful.as_ref().map_or(0, |choice| choice.nodes);
        let truncated = careful.as_ref().and_then(|choice| choice.truncated).or(search.truncated);
        let choice = match &search.found {
            Some(values) => {
                let better = |best: usize, pick: usize| if values[pick] > values[best] + 1e-9 { pick } else { best };
                let best = eligible.iter().copied().fold(eligible[0], better);
                // What alpha-beta prefers stays, unless more can be expected: small differences are those of the model's errors.
                let first = careful.and_then(|choice| moves.iter().position(|legal| *legal == choice.pick));
                let first = first.filter(|first| eligible.contains(first));
                let pick = first.filter(|&first| values[first] > values[best] - GAIN).unwrap_or(best);
                let value = Some(values[pick].clamp(0.0, MOST));
                Choice { value, nodes, depth: search.depth, truncated, ..unexamined(pick) }
            }
            None => Choice { nodes, truncated, ..careful.unwrap_or_else(|| unexamined(eligible[0])) },
        };
        Round { choice, whole }
    }

    fn alphabeta(&self) -> AlphaBeta<G> {
        AlphaBeta {
            depth: self.depth,
            evaluation: Arc::clone(&self.evaluation),
            policy: None,
            nodes: self.nodes,
            ties: Ties::Chance,
        }
    }
}

struct Search<'a, G: Game> {
    agent: &'a OpponentSearch<G>,
    game: &'a G,
    me: Role,
    modelled: Role,
    limit: u64,
    stop: &'a AtomicBool,
    table: FxHashMap<G::State, Entry>,
    /// The replies of the modelled role that are looked at, with their shares.
    replies: FxHashMap<G::State, Arc<Vec<(usize, f64)>>>,
    nodes: u64,
    truncated: Option<Truncation>,
    /// The moves that were looked at, the best first.
    order: Vec<usize>,
    /// What each move is worth by the last depth that was finished for all of them.
    found: Option<Vec<f64>>,
    /// That depth, or one that was finished for other moves.
    depth: u16,
    /// Whether a deeper search would find the same.
    complete: bool,
}

#[derive(Clone, Copy)]
struct Entry {
    depth: u16,
    value: f64,
    bound: Bound,
    /// Whether a deeper search would find the same.
    complete: bool,
    pick: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Exact,
    Below,
    Above,
}

/// A value, and whether a deeper search would find the same.
#[derive(Clone, Copy)]
struct Worth {
    value: f64,
    complete: bool,
}

struct Stopped;

impl<'a, G: Game> Search<'a, G> {
    /// Has looked at nothing yet.
    fn new(agent: &'a OpponentSearch<G>, game: &'a G, me: Role, modelled: Role, stop: &'a AtomicBool) -> Search<'a, G> {
        Search {
            agent,
            game,
            me,
            modelled,
            limit: 0,
            stop,
            table: FxHashMap::default(),
            replies: FxHashMap::default(),
            nodes: 0,
            truncated: None,
            order: Vec::new(),
            found: None,
            depth: 0,
            complete: false,
        }
    }

    /// Searches deeper and deeper, from where the last search for the same moves has got to; whether there is nothing more to find.
    fn deepen(&mut self, state: &G::State, place: usize, picks: &[usize]) -> bool {
        let mut known = self.order.clone();
        let mut asked = picks.to_vec();
        known.sort_unstable();
        asked.sort_unstable();
        if known != asked {
            self.order = picks.to_vec();
            self.found = None;
            self.complete = false;
            self.depth = self.depth.saturating_sub(1);
        }
        let count = picks.iter().max().map_or(0, |most| most + 1);
        while !self.complete && self.depth < self.agent.depth {
            let depth = self.depth + 1;
            let mut values = vec![f64::NEG_INFINITY; count];
            let mut best = f64::NEG_INFINITY;
            let mut complete = true;
            for pick in self.order.clone() {
                // Moves that are as good as the best matter too: they are told apart by what is certain.
                let Ok(worth) = self.reply(state, Some((place, pick)), depth, best - 1e-7, f64::INFINITY) else {
                    return false;
                };
                values[pick] = worth.value;
                best = best.max(worth.value);
                complete &= worth.complete;
            }
            self.order.sort_by(|&one, &other| values[other].total_cmp(&values[one]));
            self.found = Some(values);
            (self.depth, self.complete) = (depth, complete);
        }
        true
    }

    fn value(&mut self, state: &G::State, depth: u16, mut alpha: f64, mut beta: f64) -> Result<Worth, Stopped> {
        self.nodes += 1;
        if self.nodes > self.limit || self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        if let Some(goals) = self.game.goals(state) {
            return Ok(Worth { value: f64::from(goals[self.me.index()].unwrap_or(0)), complete: true });
        }
        if depth == 0 {
            let opinion = self.agent.evaluation.evaluate(self.game, state, self.me);
            let share = f64::from(opinion.clamp(-MOST_OPINION, MOST_OPINION)) / f64::from(MOST_OPINION);
            // As in alpha-beta, an opinion only decides where results do not.
            return Ok(Worth { value: 50.0 + share * OPINION, complete: false });
        }
        let known = self.table.get(state).copied();
        if let Some(entry) = known.filter(|entry| entry.depth == depth || entry.complete) {
            let settled = match entry.bound {
                Bound::Exact => true,
                Bound::Below => entry.value >= beta,
                Bound::Above => entry.value <= alpha,
            };
            if settled {
                return Ok(Worth { value: entry.value, complete: entry.complete });
            }
        }
        let (low, high) = (alpha, beta);
        let to_move = self.game.to_move(state);
        let mine = to_move.iter().position(|role| role == self.me);
        let mut pick = 0;
        let worth = match mine {
            None => self.reply(state, None, depth, alpha, beta)?,
            Some(place) => {
                let mut moves = Vec::new();
                self.game.legal(state, self.me, &mut moves);
                if moves.is_empty() {
                    self.truncated = self.truncated.or_else(|| self.game.truncation(state));
                    return Ok(Worth { value: 50.0, complete: false });
                }
                let mut order: Vec<usize> = (0..moves.len()).collect();
                if let Some(entry) = known {
                    order[..=entry.pick.min(moves.len() - 1)].rotate_right(1);
                }
                let mut best = Worth { value: f64::NEG_INFINITY, complete: true };
                for at in order {
                    let worth = self.reply(state, Some((place, at)), depth, alpha, beta)?;
                    best.complete &= worth.complete;
                    if worth.value > best.value {
                        best.value = worth.value;
                        pick = at;
                    }
                    alpha = alpha.max(best.value);
                    if alpha >= beta {
                        best.complete = worth.complete;
                        break;
                    }
                }
                best
            }
        };
        beta = high;
        let bound = if worth.value >= beta {
            Bound::Below
        } else if worth.value <= low {
            Bound::Above
        } else {
            Bound::Exact
        };
        if self.table.len() >= TABLE {
            self.table.clear();
        }
        self.table.insert(state.clone(), Entry { depth, value: worth.value, bound, complete: worth.complete, pick });
        Ok(worth)
    }

    /// What a state is worth once our own move is fixed, if we are to move: the mean over chance and over what the modelled role is expected to play,
    /// and the worst of what all others can do.
    fn reply(
        &mut self,
        state: &G::State,
        fixed: Option<(usize, usize)>,
        depth: u16,
        alpha: f64,
        beta: f64,
    ) -> Result<Worth, Stopped> {
        let to_move = self.game.to_move(state);
        let chance_roles = self.game.chance_roles();
        let expected = to_move.contains(self.modelled);
        let drawn = to_move.iter().any(|role| chance_roles.contains(role));
        if !expected && !drawn {
            return self.worst(state, fixed, depth, alpha, beta);
        }
        let others: Vec<Role> = to_move.iter().collect();
        let place = others.iter().position(|&role| role == self.modelled).filter(|_| expected);
        let likely = match place {
            Some(_) => self.likely(state),
            None => Arc::new(Vec::new()),
        };
        let alone = to_move.len() == 1 || fixed.is_some() && to_move.len() == 2;
        if let (Some(place), true) = (place, alone) {
            return self.mean(state, fixed, place, &likely, depth, alpha, beta);
        }
        self.mean_of_worst(state, fixed, place, &likely, depth, chance_roles)
    }

    fn child(
        &mut self,
        state: &G::State,
        joint: &[G::Move],
        depth: u16,
        alpha: f64,
        beta: f64,
    ) -> Result<Worth, Stopped> {
        let mut child = state.clone();
        self.game.play(&mut child, joint);
        // A result that comes later is worth a little less, or is a little less bad.
        let worth = self.value(&child, depth - 1, soon(alpha, -1.0), soon(beta, -1.0))?;
        Ok(Worth { value: soon(worth.value, 1.0), ..worth })
    }

    fn worst(
        &mut self,
        state: &G::State,
        fixed: Option<(usize, usize)>,
        depth: u16,
        alpha: f64,
        beta: f64,
    ) -> Result<Worth, Stopped> {
        let mut joints = JointMoves::default();
        joints.begin(self.game, state);
        joints.restart(fixed);
        if joints.is_empty() {
            self.truncated = self.truncated.or_else(|| self.game.truncation(state));
            return Ok(Worth { value: 50.0, complete: false });
        }
        let mut worst = Worth { value: f64::INFINITY, complete: true };
        for reply in 0.. {
            let Some(joint) = joints.advance() else { break };
            if reply == MOST_REPLIES {
                worst.complete = false;
                break;
            }
            let worth = self.child(state, joint, depth, alpha, beta.min(worst.value))?;
            worst.complete &= worth.complete;
            worst.value = worst.value.min(worth.value);
            if worst.value <= alpha {
                worst.complete = worth.complete;
                break;
            }
        }
        Ok(worst)
    }

    /// The mean over the likely replies of the modelled role, which is the only one besides us that moves. As soon as what is left cannot bring it into
    /// the window, it is a bound (Star1).
    #[expect(clippy::too_many_arguments, reason = "where the search is, and what is expected there")]
    fn mean(
        &mut self,
        state: &G::State,
        fixed: Option<(usize, usize)>,
        place: usize,
        likely: &[(usize, f64)],
        depth: u16,
        alpha: f64,
        beta: f64,
    ) -> Result<Worth, Stopped> {
        let mut joints = JointMoves::default();
        joints.begin(self.game, state);
        let (mut sum, mut left, mut complete) = (0.0, likely.iter().map(|(_, share)| share).sum::<f64>(), true);
        let total = left;
        for &(option, share) in likely {
            left -= share;
            let mut picks = vec![0; if fixed.is_some() { 2 } else { 1 }];
            picks[place] = option;
            if let Some((own, pick)) = fixed {
                picks[own] = pick;
            }
            let joint: Vec<G::Move> =
                picks.iter().enumerate().map(|(at, &pick)| joints.moves(at)[pick].clone()).collect();
            // The values of this reply that still matter.
            let least = (alpha * total - sum - left.max(0.0) * MOST) / share;
            let most = (beta * total - sum) / share;
            let worth = self.child(state, &joint, depth, least, most)?;
            complete &= worth.complete;
            sum += share * worth.value;
            if worth.value <= least {
                return Ok(Worth { value: ((sum + left.max(0.0) * MOST) / total).min(alpha), complete });
            }
            if worth.value >= most {
                return Ok(Worth { value: (sum / total).max(beta), complete });
            }
        }
        Ok(Worth { value: sum / total, complete })
    }

    /// The general case: several others, chance among them.
    fn mean_of_worst(
        &mut self,
        state: &G::State,
        fixed: Option<(usize, usize)>,
        place: Option<usize>,
        likely: &[(usize, f64)],
        depth: u16,
        chance_roles: Roles,
    ) -> Result<Worth, Stopped> {
        let roles: Vec<Role> = self.game.to_move(state).iter().collect();
        let mut joints = JointMoves::default();
        joints.begin(self.game, state);
        joints.restart(fixed);
        // For each way in which chance and the modelled role can move: its share, and the worst of the others.
        let mut cases: BTreeMap<Vec<usize>, (f64, f64)> = BTreeMap::new();
        let mut complete = true;
        for reply in 0.. {
            let Some(joint) = joints.advance() else { break };
            if reply == MOST_REPLIES {
                complete = false;
                break;
            }
            let joint = joint.to_vec();
            let picks = joints.picks().to_vec();
            let mut share = 1.0;
            if let Some(place) = place {
                let Some((_, likely)) = likely.iter().find(|(option, _)| *option == picks[place]) else { continue };
                share = *likely;
            }
            let is_case = |at: &usize| Some(*at) == place || chance_roles.contains(roles[*at]);
            let case: Vec<usize> = (0..roles.len()).filter(is_case).map(|at| picks[at]).collect();
            let worth = self.child(state, &joint, depth, f64::NEG_INFINITY, f64::INFINITY)?;
            complete &= worth.complete;
            let known = cases.entry(case).or_insert((share, f64::INFINITY));
            known.1 = known.1.min(worth.value);
        }
        let total: f64 = cases.values().map(|(share, _)| share).sum();
        if cases.is_empty() || total <= 0.0 {
            return Ok(Worth { value: 50.0, complete: false });
        }
        Ok(Worth { value: cases.values().map(|(share, value)| share * value).sum::<f64>() / total, complete })
    }

    /// The likeliest replies of the modelled role, as many as cover the share.
    fn likely(&mut self, state: &G::State) -> Arc<Vec<(usize, f64)>> {
        if let Some(known) = self.replies.get(state) {
            return Arc::clone(known);
        }
        let mut likely = vec![(0, 1.0)];
        if let Some(options) = Options::of(self.game, state, self.modelled).filter(|options| options.terms.len() > 1) {
            let prediction = self.agent.model.predict(self.game, state, self.modelled, &options);
            self.nodes += prediction.nodes;
            likely.clear();
            let mut covered = 0.0;
            for option in prediction.ranking {
                let share = prediction.shares[option];
                likely.push((option, share));
                covered += share;
                if covered >= self.agent.coverage - 1e-12 {
                    break;
                }
            }
        }
        let likely = Arc::new(likely);
        if self.replies.len() >= TABLE {
            self.replies.clear();
        }
        self.replies.insert(state.clone(), Arc::clone(&likely));
        likely
    }
}

/// A value seen from a joint move earlier (`way` 1) or later (-1): results become a little less extreme on the way up.
fn soon(value: f64, way: f64) -> f64 {
    let off = value - 50.0;
    50.0 + if way > 0.0 { off * (1.0 - HASTE) } else { off / (1.0 - HASTE) }
}

/// The model as a policy: how likely a move is. For roles that it knows nothing of, all moves weigh the same.
impl<G: Game> Policy<G> for OpponentModel {
    fn weigh(&self, game: &G, state: &G::State, role: Role, moves: &[G::Move], weights: &mut Vec<f64>) {
        weights.clear();
        if game.roles()[role.index()] == self.role
            && let Some(options) = Options::of(game, state, role).filter(|options| options.moves.len() == moves.len())
        {
            weights.extend(self.predict(game, state, role, &options).shares);
        } else {
            weights.resize(moves.len(), 1.0);
        }
    }
}
