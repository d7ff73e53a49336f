//! Attacks: moves that threaten to win by a rule, one after the other, until every reply loses.
//!
//! A threat to win at once leaves few replies (`forced_win.rs`). A move after which a rule would win next, were the opponent to pass, leaves more,
//! but not many: a reply that neither touches what the rule rests on nor threatens to win at once changes nothing. Only the others are
//! played. That is also how the proofs of quiet rules, such as double three, are checked in a position.

use super::forced_win::ForcedWins;
use super::ground::{GroundState, MoveId};
use std::sync::atomic::Ordering;

/// How many own moves the win takes after a move that threatens to win by a rule.
const NEXT: u32 = 2;

impl ForcedWins<'_> {
    /// Whether the player to move wins with at most so many moves that threaten to win by a rule: the first one.
    pub(super) fn attack(&mut self, state: &mut GroundState, player: usize, quiet: u32) -> Option<MoveId> {
        let (recogniser, ground) = (self.recogniser, &self.recogniser.ground);
        let urgent = recogniser.wins_at_once(state, 1 - player);
        let candidates = match urgent[..] {
            [] => recogniser.threatening_rules(state, player),
            // Only an answer to the opponent's threat may be a threat of one's own.
            [urgent] => ground.parries(state, urgent).map(|parries| parries.to_vec()).unwrap_or_default(),
            _ => return None,
        };
        for id in candidates {
            if !ground.is_legal(state, id) {
                continue;
            }
            if self.left == 0 || self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let Some(undo) = ground.play(state, id) else { continue };
            let wins = ground.winner(state) == Some(player) || self.every_reply_loses(state, player, quiet - 1);
            state.undo(&undo);
            if wins {
                return Some(id);
            }
        }
        None
    }

    /// Whether a player wins whatever the opponent, who is to move, replies.
    pub(super) fn every_reply_loses(&mut self, state: &mut GroundState, winner: usize, quiet: u32) -> bool {
        let (recogniser, ground, other) = (self.recogniser, &self.recogniser.ground, 1 - winner);
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        if recogniser.can_win(state, other) {
            return false;
        }
        let replies = match recogniser.wins_at_once(state, winner).first() {
            Some(&threat) => ground.parries(state, threat).map(|parries| parries.to_vec()),
            None => {
                // What would happen if the opponent passed: without that there is no threat at all.
                let Some(next) = recogniser.winning_within(state, winner, NEXT) else { return false };
                recogniser.separate.then(|| {
                    let mut replies = self.disturbing(state, next.best);
                    let threats = recogniser.threatening(state, other);
                    replies.extend(threats.into_iter().filter(|reply| !replies.contains(reply)).collect::<Vec<_>>());
                    replies
                })
            }
        };
        let replies = replies.unwrap_or_else(|| ground.legal(state, other));
        let mut replied = false;
        for reply in replies {
            if !ground.is_legal(state, reply) {
                continue;
            }
            let Some(undo) = ground.play(state, reply) else { continue };
            replied = true;
            let lost = ground.winner(state).is_none() && self.is_won(state, winner, quiet);
            state.undo(&undo);
            if !lost {
                return false;
            }
        }
        replied || ground.all_moves(other).any(|id| ground.is_legal(state, id))
    }

    /// The replies that may take away what lets a move win in the next turn.
    fn disturbing(&self, state: &mut GroundState, id: MoveId) -> Vec<MoveId> {
        let ground = &self.recogniser.ground;
        let before = state.clone();
        let Some(undo) = ground.play(state, id) else { return Vec::new() };
        let wins = self.recogniser.wins_at_once(state, id.0 as usize % 2);
        let disturbing = ground.disturbing(&before, id, state, &wins);
        state.undo(&undo);
        disturbing
    }

    /// Whether the player to move wins: at once, by a rule, by threats to win at once, or by an attack that goes on.
    fn is_won(&mut self, state: &mut GroundState, winner: usize, quiet: u32) -> bool {
        let (recogniser, ground) = (self.recogniser, &self.recogniser.ground);
        if recogniser.can_win(state, winner) || recogniser.winning(state, winner).is_some() {
            return true;
        }
        let key = (self.key(state), winner, quiet);
        if self.held.contains(&key) {
            return false;
        }
        let urgent = recogniser.wins_at_once(state, 1 - winner);
        let won = match urgent[..] {
            [] => {
                (1..=self.threats.min(SHORT)).any(|threats| self.within(state, winner, threats).is_some())
                    || quiet > 0 && self.attack(state, winner, quiet).is_some()
            }
            // The answer to a threat leaves the attack as it is, or ends it.
            [urgent] => {
                let parries = ground.parries(state, urgent).unwrap_or_default();
                parries.into_iter().any(|parry| {
                    let Some(undo) = ground.play(state, parry) else { return false };
                    let wins = ground.winner(state) == Some(winner) || self.every_reply_loses(state, winner, quiet);
                    state.undo(&undo);
                    wins
                })
            }
            _ => false,
        };
        if !won && self.left > 0 && !self.stop.load(Ordering::Relaxed) {
            self.held.insert(key);
        }
        won
    }
}

/// How many threats to win at once are tried within an attack.
const SHORT: u32 = 3;
