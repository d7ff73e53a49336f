//! Forced wins that rules lead to: threats that leave one reply each, until a rule wins (threat-space search).
//!
//! Immediate wins of both sides are worked out from the system itself, so that what is found is a proof whatever rules there are.

use super::language::Name;
use super::library::Library;
use super::state::State;
use super::system::UpdateSystem;

/// How far to look for forced wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foresight {
    /// How many threats may be made before a rule wins.
    pub threats: u32,
    /// How many moves may be tried for a decision.
    pub nodes: u32,
}

impl Default for Foresight {
    fn default() -> Foresight {
        Foresight { threats: 2, nodes: 4000 }
    }
}

/// A win that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedWin {
    /// The move.
    pub square: Name,
    /// How many own moves it takes at most.
    pub depth: u32,
    /// The rule that it ends with.
    pub rule: usize,
}

/// A search for forced wins, with what is left of its nodes.
pub struct ForcedWins<'a> {
    system: &'a UpdateSystem,
    library: &'a Library,
    threats: u32,
    /// How many moves may still be tried.
    pub left: u32,
}

impl<'a> ForcedWins<'a> {
    /// A search that has tried nothing yet.
    pub fn new(system: &'a UpdateSystem, library: &'a Library, foresight: Foresight) -> ForcedWins<'a> {
        ForcedWins { system, library, threats: foresight.threats, left: foresight.nodes }
    }

    /// A win for the player to move: with as few threats as possible.
    pub fn find(&mut self, state: &State, player: Name) -> Option<ForcedWin> {
        (0..=self.threats).find_map(|threats| self.within(state, player, threats))
    }

    fn within(&mut self, state: &State, player: Name, threats: u32) -> Option<ForcedWin> {
        let (system, other) = (self.system, self.system.other(player));
        if let Some(threat) = self.library.winning(system, state, player) {
            return Some(ForcedWin { square: threat.square, depth: threat.depth, rule: threat.rule });
        }
        if threats == 0 {
            return None;
        }
        // Whoever is threatened must answer that first.
        let urgent = state.winning_moves(system, other);
        if urgent.len() > 1 {
            return None;
        }
        for square in state.legal(system, player) {
            if urgent.first().is_some_and(|urgent| *urgent != square) {
                continue;
            }
            self.left = self.left.checked_sub(1)?;
            let Some((after, _)) = state.play(system, square, player) else { continue };
            let replies = after.winning_moves(system, player);
            if replies.is_empty() || !after.winning_moves(system, other).is_empty() {
                continue;
            }
            // Any other reply loses at once.
            let mut longest = None;
            let all = replies.iter().all(|&reply| {
                let Some((next, _)) = after.play(system, reply, other) else { return true };
                if next.winner(system).is_some() {
                    return false;
                }
                let win = self.within(&next, player, threats - 1);
                longest = longest.max(win.map(|win| (win.depth, win.rule)));
                win.is_some()
            });
            if let (true, Some((depth, rule))) = (all, longest) {
                return Some(ForcedWin { square, depth: depth + 1, rule });
            }
        }
        None
    }
}
