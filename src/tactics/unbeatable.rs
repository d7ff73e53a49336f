//! Whether a library makes a player unbeatable: every line of play is looked at, with every choice that rules leave.

use super::decision::decide;
use super::forced_win::Foresight;
use super::ground::GroundState;
use super::language::Name;
use super::recogniser::Recogniser;
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
pub fn losing_line(recogniser: &Recogniser, foresight: Foresight, most: usize) -> Unbeatable {
    let ground = &recogniser.ground;
    for own in 0..2 {
        let mut search = Search { recogniser, foresight, own, most, seen: HashSet::new(), line: Vec::new() };
        match search.loses(&mut ground.state(&ground.system.start_state()), 0) {
            Some(true) => return Unbeatable::No(ground.system.players[own], search.line),
            Some(false) => {}
            None => return Unbeatable::Unknown,
        }
    }
    Unbeatable::Yes
}

struct Search<'a> {
    recogniser: &'a Recogniser,
    foresight: Foresight,
    own: usize,
    most: usize,
    seen: HashSet<GroundState>,
    line: Vec<Name>,
}

impl Search<'_> {
    fn loses(&mut self, state: &mut GroundState, ply: usize) -> Option<bool> {
        let ground = &self.recogniser.ground;
        if let Some(winner) = ground.winner(state) {
            return Some(winner != self.own);
        }
        if !self.seen.insert(state.clone()) {
            return Some(false);
        }
        if self.seen.len() > self.most {
            return None;
        }
        let player = ply % 2;
        let mut moves = ground.legal(state, player);
        if player == self.own && moves.len() > 1 {
            moves = decide(self.recogniser, state, &moves, self.foresight, &AtomicBool::new(false)).moves;
        }
        for id in moves {
            let Some(undo) = ground.play(state, id) else { continue };
            self.line.push(ground.square(id));
            let loses = self.loses(state, ply + 1);
            state.undo(&undo);
            if loses? {
                return Some(true);
            }
            self.line.pop();
        }
        Some(false)
    }
}
