//! The explanation of a win: a proof without variables, found with the rules that are known.
//!
//! After the winner's move every reply must lose to a known rule; where none matches, a bounded search tries moves of the winner with which
//! every reply does (an exhausted cover of replies).

use super::language::{Argument, Name};
use super::library::{Library, is_usable};
use super::proof::Proof;
use super::state::State;
use super::system::UpdateSystem;

/// How hard to look for an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How many moves of the winner may be searched for beyond what rules say.
    pub extra: u32,
    /// How many states may be looked at.
    pub states: u32,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { extra: 1, states: 20_000 }
    }
}

/// Why a player who plays `square` wins against every reply; `None` if that is not found, or not so.
pub fn explain_win(
    system: &UpdateSystem,
    library: &Library,
    state: &State,
    player: Name,
    square: Name,
    effort: Effort,
) -> Option<Proof> {
    let mut search = Search { system, library, left: effort.states };
    search.play(state, player, square, effort.extra)
}

struct Search<'a> {
    system: &'a UpdateSystem,
    library: &'a Library,
    left: u32,
}

impl Search<'_> {
    /// The player to move wins with this move.
    fn play(&mut self, state: &State, player: Name, square: Name, extra: u32) -> Option<Proof> {
        let system = self.system;
        let (after, _) = state.play(system, square, player)?;
        if after.winner(system) == Some(player) {
            return Some(Proof::Win(Argument::Object(square)));
        }
        let other = system.other(player);
        if after.winner(system).is_some() || !after.winning_moves(system, other).is_empty() {
            return None;
        }
        let mut answers: Vec<(Name, Proof)> = Vec::new();
        let mut known: Vec<Proof> = Vec::new();
        let mut open = Vec::new();
        for reply in after.legal(system, other) {
            self.left = self.left.checked_sub(1)?;
            let (next, _) = after.play(system, reply, other)?;
            match self.by_rule(&next, player, &known) {
                Some(proof) => {
                    if !known.contains(&proof) {
                        known.push(proof.clone());
                    }
                    answers.push((reply, proof));
                }
                None if extra == 0 => return None,
                None => open.push((reply, next)),
            }
        }
        for (reply, next) in open {
            let moves = next.legal(system, player);
            let proof = moves.into_iter().find_map(|square| self.play(&next, player, square, extra - 1))?;
            answers.push((reply, proof));
        }
        // The answer that most replies share needs no list of them.
        let uses = |proof: &Proof| answers.iter().filter(|(_, other)| other == proof).count();
        let common = answers
            .iter()
            .map(|(_, proof)| proof)
            .max_by_key(|proof| (uses(proof), std::cmp::Reverse(proof.depth())))?
            .clone();
        let mut replies: Vec<(Argument, Proof)> = answers
            .iter()
            .filter(|(_, proof)| *proof != common)
            .map(|(reply, proof)| (Argument::Object(*reply), proof.clone()))
            .collect();
        replies.sort();
        Some(Proof::Play { square: Argument::Object(square), replies, otherwise: Some(Box::new(common)) })
    }

    /// A proof by a rule for the player to move: one that answered other replies, if it does here, otherwise the quickest.
    fn by_rule(&self, state: &State, player: Name, known: &[Proof]) -> Option<Proof> {
        let system = self.system;
        let best = self.library.winning(system, state, player)?;
        let mut chosen = None;
        for number in (0..self.library.rules.len()).filter(|&rule| self.library.rules[rule].depth == best.depth) {
            if self.library.rules[number].status != super::recognition::Status::Proved {
                continue;
            }
            self.library.each_match(system, state, player, number, &mut |threat| {
                let proof = self.library.proof(&threat).filter(|proof| known.contains(proof));
                if let Some(proof) = proof.filter(|_| is_usable(system, state, player, &threat)) {
                    chosen = Some(proof);
                    return std::ops::ControlFlow::Break(());
                }
                std::ops::ControlFlow::Continue(())
            });
        }
        chosen.or_else(|| self.library.proof(&best))
    }
}
