//! Whether a library makes a player unbeatable: every line of play is looked at, with every choice that rules leave.

use super::forced_win::Foresight;
use super::language::Name;
use super::library::Library;
use super::player::decide;
use super::state::State;
use super::system::UpdateSystem;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unbeatable {
    /// No line of play loses.
    Yes,
    /// This one does: whose side the player has, and the moves.
    No(Name, Vec<Name>),
    /// There are more states than may be looked at.
    Unknown,
}

/// Looks for a line of play in which a player who follows the rules loses, on either side; `most` states are looked at.
pub fn losing_line(system: &UpdateSystem, library: &Library, foresight: Foresight, most: usize) -> Unbeatable {
    for own in system.players {
        let mut search = Search { system, library, foresight, own, most, seen: HashSet::new(), line: Vec::new() };
        match search.loses(&system.start_state(), 0) {
            Some(true) => return Unbeatable::No(own, search.line),
            Some(false) => {}
            None => return Unbeatable::Unknown,
        }
    }
    Unbeatable::Yes
}

struct Search<'a> {
    system: &'a UpdateSystem,
    library: &'a Library,
    foresight: Foresight,
    own: Name,
    most: usize,
    seen: HashSet<State>,
    line: Vec<Name>,
}

impl Search<'_> {
    fn loses(&mut self, state: &State, ply: usize) -> Option<bool> {
        let system = self.system;
        if let Some(winner) = state.winner(system) {
            return Some(winner != self.own);
        }
        if !self.seen.insert(state.clone()) {
            return Some(false);
        }
        if self.seen.len() > self.most {
            return None;
        }
        let player = system.players[ply % 2];
        let mut moves = state.legal(system, player);
        if player == self.own && moves.len() > 1 {
            moves =
                decide(system, self.library, state, player, &moves, self.foresight, &AtomicBool::new(false)).squares;
        }
        for square in moves {
            let Some((next, _)) = state.play(system, square, player) else { continue };
            self.line.push(square);
            if self.loses(&next, ply + 1)? {
                return Some(true);
            }
            self.line.pop();
        }
        Some(false)
    }
}
