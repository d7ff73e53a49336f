//! Playouts that learn while they run: moves that have brought much so far are played more often.
//!
//! A move is worth what all walks in which a role has played it have brought to that role, wherever it was played (MAST, Finnsson and
//! Björnsson 2008). With pairs, it is also worth what it has brought as an answer to the joint move before it (NST, Tak, Winands
//! and Björnsson 2012). Mostly the best one is played, now and then any other.

use crate::game::{Chance, Game, PlayoutEnd, Role, Roles};
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};

/// How the moves of playouts are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PlayoutMoves {
    /// Each as likely as the others.
    #[default]
    Uniform,
    /// Mostly the one that has brought most so far (MAST).
    Mast,
    /// The same, with pairs of a move and the one before it (NST).
    Nst,
}

/// A pair counts once it was seen so often.
const LEAST_PAIRS: f32 = 6.0;
/// So much of what was learnt stays when a move was played.
const KEPT: f32 = 0.5;

/// What moves have brought so far.
pub(super) struct MoveStatistics {
    kind: PlayoutMoves,
    /// In thousandths: how often any move is played instead of the best.
    epsilon: usize,
    singles: Vec<Mean>,
    pairs: Vec<Mean>,
}

#[derive(Clone, Copy, Default)]
struct Mean {
    total: f32,
    visits: f32,
}

/// A move that was played in a walk.
#[derive(Clone, Copy)]
pub(super) struct PlayedMove {
    pub role: Role,
    pub slot: u32,
    /// Its place with the joint move before it.
    pair: u32,
}

/// Where a walk has got to: what was played, and the last joint move.
#[derive(Default)]
pub(super) struct Played {
    pub moves: Vec<PlayedMove>,
    last: u64,
}

/// Room for playouts.
pub(super) struct PlayoutRoom<G: Game> {
    pub state: G::State,
    moves: Vec<G::Move>,
    joint: Vec<G::Move>,
}

/// The place of a move in statistics.
pub(super) fn slot_of<M: Hash>(role: Role, choice: &M) -> u32 {
    let mut hasher = FxHasher::default();
    (role.0, choice).hash(&mut hasher);
    fold(hasher.finish())
}

fn fold(hash: u64) -> u32 {
    ((hash ^ (hash >> 32) ^ (hash >> 16)) as usize % MoveStatistics::SLOTS) as u32
}

fn pair_of(last: u64, slot: u32) -> u32 {
    fold((last ^ u64::from(slot)).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

impl Played {
    pub fn clear(&mut self) {
        self.moves.clear();
        self.last = 0;
    }

    /// Adds a joint move by the slots of those who made it.
    pub fn push(&mut self, roles: Roles, slots: &[u32]) {
        let mut now = 1_u64;
        for (role, &slot) in roles.iter().zip(slots) {
            self.moves.push(PlayedMove { role, slot, pair: pair_of(self.last, slot) });
            now = now.wrapping_mul(MoveStatistics::SLOTS as u64 + 1).wrapping_add(u64::from(slot));
        }
        self.last = now;
    }
}

impl MoveStatistics {
    /// Places for statistics. Moves that share one are rare, and only blur what is a guess anyway.
    pub const SLOTS: usize = 1 << 16;

    pub fn new(kind: PlayoutMoves, epsilon: u8) -> MoveStatistics {
        let pairs = if kind == PlayoutMoves::Nst { MoveStatistics::SLOTS } else { 0 };
        let new = |count| vec![Mean::default(); count];
        MoveStatistics {
            kind,
            epsilon: 10 * usize::from(epsilon),
            singles: new(MoveStatistics::SLOTS),
            pairs: new(pairs),
        }
    }

    /// What a move is worth, from 0 to 1; what was never played counts as good.
    pub fn worth(&self, slot: u32) -> f32 {
        let mean = self.singles[slot as usize];
        (mean.total + 1.0) / (mean.visits + 1.0)
    }

    fn worth_after(&self, last: u64, slot: u32) -> f32 {
        let single = self.worth(slot);
        if self.kind != PlayoutMoves::Nst {
            return single;
        }
        let pair = self.pairs[pair_of(last, slot) as usize];
        if pair.visits < LEAST_PAIRS { single } else { (single + pair.total / pair.visits) / 2.0 }
    }

    /// Takes in what a walk has brought to each role.
    pub fn learn(&mut self, played: &Played, values: &[f64]) {
        for PlayedMove { role, slot, pair } in &played.moves {
            let value = values[role.index()] as f32;
            let add = |mean: &mut Mean| {
                mean.total += value;
                mean.visits += 1.0;
            };
            add(&mut self.singles[*slot as usize]);
            if let Some(pair) = self.pairs.get_mut(*pair as usize) {
                add(pair);
            }
        }
    }

    /// The game has gone on: what was learnt counts less than what will be.
    pub fn fade(&mut self) {
        for mean in self.singles.iter_mut().chain(&mut self.pairs) {
            mean.total *= KEPT;
            mean.visits *= KEPT;
        }
    }

    fn pick<M: Hash>(&self, role: Role, moves: &[M], last: u64, chance: &mut Chance) -> (usize, u32) {
        let begin = chance.below(moves.len());
        if moves.len() == 1 || self.kind == PlayoutMoves::Uniform || chance.below(1000) < self.epsilon {
            return (begin, slot_of(role, &moves[begin]));
        }
        let (mut best, mut most) = ((begin, 0), f32::NEG_INFINITY);
        // Of those that are worth the same, the first from anywhere.
        for at in (begin..moves.len()).chain(0..begin) {
            let slot = slot_of(role, &moves[at]);
            let worth = self.worth_after(last, slot);
            if worth > most {
                (best, most) = ((at, slot), worth);
            }
        }
        best
    }
}

impl<G: Game> PlayoutRoom<G> {
    pub fn new(state: G::State) -> PlayoutRoom<G> {
        PlayoutRoom { state, moves: Vec::new(), joint: Vec::new() }
    }

    /// Plays from a state to the end or for `limit` joint moves, and notes what was played; `None` once `stop` is set. Returns how many joint
    /// moves were played too.
    #[allow(clippy::too_many_arguments)]
    pub fn run(
        &mut self,
        game: &G,
        from: &G::State,
        limit: u64,
        statistics: &MoveStatistics,
        chance_roles: Roles,
        played: &mut Played,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Option<(u64, PlayoutEnd)> {
        self.state.clone_from(from);
        let mut slots: SmallVec<[u32; 4]> = SmallVec::new();
        let PlayoutRoom { state, moves, joint } = self;
        for ply in 0..limit {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let (mut roles, last) = (Roles::first(0), played.last);
            slots.clear();
            let on = game.play_chosen(state, moves, joint, &mut |role, moves| {
                let (at, slot) = if chance_roles.contains(role) {
                    let at = chance.below(moves.len());
                    (at, slot_of(role, &moves[at]))
                } else {
                    statistics.pick(role, moves, last, chance)
                };
                roles = roles.with(role);
                slots.push(slot);
                at
            });
            if !on {
                let end = match game.goals(state) {
                    Some(goals) => PlayoutEnd::Over(goals),
                    None => game.truncation(state).map_or(PlayoutEnd::Limit, PlayoutEnd::Truncated),
                };
                return Some((ply, end));
            }
            played.push(roles, &slots);
        }
        if let Some(goals) = game.goals(state) {
            return Some((limit, PlayoutEnd::Over(goals)));
        }
        Some((limit, PlayoutEnd::Limit))
    }
}
