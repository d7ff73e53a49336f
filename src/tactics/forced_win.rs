//! Forced wins: threats to win at once that leave few replies, until a rule wins (threat-space search).
//!
//! Immediate wins of both sides and the replies that parry are worked out from the system itself, so that what is found is a proof whatever
//! rules there are. Rules make it short: where one matches, nothing has to be searched.

use super::ground::{GroundState, MoveId};
use super::language::Name;
use super::recogniser::Recogniser;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};

/// How far to look for forced wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foresight {
    /// How many threats may be made before a rule wins.
    pub threats: u32,
    /// How many moves may be made that threaten to win by a rule.
    pub attacks: u32,
    /// How many threats may be tried for a decision.
    pub nodes: u32,
}

impl Default for Foresight {
    fn default() -> Foresight {
        Foresight { threats: 8, attacks: 2, nodes: 20_000 }
    }
}

/// A win that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedWin {
    /// The move.
    pub square: Name,
    /// How many own moves it takes at most.
    pub depth: u32,
    /// The rule that it ends with, if it is one.
    pub rule: Option<usize>,
}

/// A search for forced wins, with what is left of its nodes.
pub struct ForcedWins<'a> {
    pub(super) recogniser: &'a Recogniser,
    pub(super) threats: u32,
    attacks: u32,
    pub(super) stop: &'a AtomicBool,
    /// How many threats may still be tried.
    pub left: u32,
    /// States in which so many threats were not enough. Two states with the same number can only hide a win.
    failed: FxHashMap<(u64, usize), u32>,
    /// States in which an attack of so many moves was not enough.
    pub(super) held: FxHashSet<(u64, usize, u32)>,
}

impl<'a> ForcedWins<'a> {
    /// A search that has tried nothing yet.
    pub fn new(recogniser: &'a Recogniser, foresight: Foresight, stop: &'a AtomicBool) -> ForcedWins<'a> {
        let Foresight { threats, attacks, nodes: left } = foresight;
        let (failed, held) = (FxHashMap::default(), FxHashSet::default());
        ForcedWins { recogniser, threats, attacks, stop, left, failed, held }
    }

    /// A win for the player to move: with as few threats as possible.
    pub fn find(&mut self, state: &mut GroundState, player: usize) -> Option<ForcedWin> {
        let found = (0..=self.threats).find_map(|threats| self.within(state, player, threats));
        found.or_else(|| self.quietly(state, player))
    }

    /// A win by a quiet move: one that a rule recommends, or one of an attack by rules.
    fn quietly(&mut self, state: &mut GroundState, player: usize) -> Option<ForcedWin> {
        let ground = &self.recogniser.ground;
        for (depth, rule, id) in self.recogniser.quiet_moves(state, player) {
            if self.left == 0 || self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let Some(undo) = ground.play(state, id) else { continue };
            let wins = ground.winner(state).is_none() && self.every_reply_loses(state, player, 0);
            state.undo(&undo);
            if wins {
                return Some(ForcedWin { square: ground.square(id), depth, rule: Some(rule) });
            }
        }
        (1..=self.attacks).find_map(|quiet| {
            let id = self.attack(state, player, quiet)?;
            // Each move of the attack takes at most as long as a rule and the threats before it.
            Some(ForcedWin { square: ground.square(id), depth: 2 + 2 * quiet, rule: None })
        })
    }

    /// The number of a state. Two states with the same number can only hide a win.
    pub(super) fn key(&self, state: &GroundState) -> u64 {
        let mut hasher = FxHasher::default();
        state.hash(&mut hasher);
        hasher.finish()
    }

    pub(super) fn within(&mut self, state: &mut GroundState, player: usize, threats: u32) -> Option<ForcedWin> {
        let (recogniser, ground) = (self.recogniser, &self.recogniser.ground);
        if let Some(&id) = recogniser.wins_at_once(state, player).first() {
            return Some(ForcedWin { square: ground.square(id), depth: 1, rule: None });
        }
        if let Some(found) = recogniser.winning(state, player) {
            return Some(ForcedWin { square: ground.square(found.best), depth: found.depth, rule: Some(found.rule) });
        }
        if threats == 0 || self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let key = (self.key(state), player);
        if self.failed.get(&key).is_some_and(|&tried| tried >= threats) {
            return None;
        }
        // Whoever is threatened must answer that first.
        let urgent = recogniser.wins_at_once(state, 1 - player);
        if urgent.len() > 1 {
            return None;
        }
        for id in recogniser.threatening(state, player) {
            if urgent.first().is_some_and(|urgent| urgent.0 / 2 != id.0 / 2) {
                continue;
            }
            self.left = self.left.checked_sub(1)?;
            let Some(undo) = ground.play(state, id) else { continue };
            let win = self.wins_after(state, player, threats);
            state.undo(&undo);
            if let Some((depth, rule)) = win {
                return Some(ForcedWin { square: ground.square(id), depth: depth + 1, rule });
            }
        }
        if self.left > 0 && !self.stop.load(Ordering::Relaxed) {
            self.failed.insert(key, threats);
        }
        None
    }

    /// Whether every reply to a threat loses: in how many moves, and by which rule.
    fn wins_after(&mut self, state: &mut GroundState, player: usize, threats: u32) -> Option<(u32, Option<usize>)> {
        let (recogniser, ground) = (self.recogniser, &self.recogniser.ground);
        let other = 1 - player;
        if ground.winner(state).is_some() {
            return None;
        }
        let threatened = recogniser.wins_at_once(state, player);
        let &threat = threatened.first()?;
        if recogniser.can_win(state, other) {
            return None;
        }
        let every: Vec<MoveId>;
        let parries = ground.parries(state, threat);
        let replies: &[MoveId] = match &parries {
            Some(parries) => parries,
            None => {
                every = ground.legal(state, other);
                &every
            }
        };
        // Every other reply loses at once; there must be one, or nobody wins.
        let mut longest = (1, None);
        let mut replied = false;
        for &reply in replies {
            if !ground.is_legal(state, reply) {
                continue;
            }
            replied = true;
            let Some(undo) = ground.play(state, reply) else { continue };
            let win = if !recogniser.wins_at_once(state, player).is_empty() {
                Some((1, None))
            } else {
                self.within(state, player, threats - 1).map(|win| (win.depth, win.rule))
            };
            state.undo(&undo);
            longest = longest.max(win?);
        }
        (replied || ground.all_moves(other).any(|id| ground.is_legal(state, id))).then_some(longest)
    }
}
