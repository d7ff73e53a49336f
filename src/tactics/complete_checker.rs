//! The checker of proofs where what is known of a state says everything about it: then replies are played out, and nothing has to be supposed.
//!
//! That is so where sets of features lie across each other: every square is empty or has a piece on it, and every piece stands somewhere or is gone. A rule
//! that says where all pieces are leaves nothing open. The claim is that of `checker.rs`, and the tests compare both: where the opponent can win at once right after
//! the rule's move it says nothing, and later no win of the opponent may come first.

use super::ground::{GroundState, GroundSystem, MoveId};
use super::language::{Argument, Fact, Name};
use super::proof::Proof;
use std::sync::Arc;

/// Words of a state with the bits to look at.
type Mask = Vec<(usize, u64)>;

/// Checks proofs in states of which all is known.
pub(super) struct Complete {
    ground: Arc<GroundSystem>,
    /// For every set of features and every object the facts of which exactly one holds.
    sets: Vec<Mask>,
}

impl Complete {
    /// `None` if the sets of a system never say everything about a state.
    pub fn new(ground: &Arc<GroundSystem>) -> Option<Complete> {
        let system = &ground.system;
        let beside = [Some(system.input_move), Some(system.won), system.outright];
        let mut sets: Vec<((usize, Name), Mask)> = Vec::new();
        for (first, size, predicate, rest) in ground.buckets() {
            if beside.contains(&Some(predicate)) {
                continue;
            }
            let kind = system.predicates.get(&predicate).and_then(|predicate| predicate.types.first());
            let mut grouped = false;
            for at in 0..size {
                let Some(&key) = kind.and_then(|&kind| system.objects(kind).get(at as usize)) else { continue };
                let fact = Fact { predicate, arguments: [key].into_iter().chain(rest.iter().copied()).collect() };
                for (number, group) in system.groups.iter().enumerate() {
                    let Some(object) = group.key(&fact) else { continue };
                    grouped = true;
                    let set = match sets.iter_mut().find(|(known, _)| *known == (number, object)) {
                        Some((_, set)) => set,
                        None => {
                            sets.push(((number, object), Vec::new()));
                            &mut sets.last_mut()?.1
                        }
                    };
                    let (word, bit) = ((first + at) as usize / 64, 1u64 << ((first + at) % 64));
                    match set.iter_mut().find(|(known, _)| *known == word) {
                        Some((_, mask)) => *mask |= bit,
                        None => set.push((word, bit)),
                    }
                }
            }
            if !grouped {
                return None;
            }
        }
        let sets = sets.into_iter().map(|(_, set)| set).collect();
        Some(Complete { ground: Arc::clone(ground), sets })
    }

    /// The state of which this is known, if that is everything.
    pub fn state(&self, known: &[u64]) -> Option<GroundState> {
        let all = self.sets.iter().all(|set| set.iter().any(|&(word, mask)| known[word] & mask != 0));
        all.then(|| GroundState::of_words(known))
    }

    /// Whether the player to move wins as the proof says, unless the opponent can win at once right after the first move.
    pub fn check(&self, state: &mut GroundState, player: usize, proof: &Proof) -> Result<(), String> {
        self.wins(state, player, proof, true)
    }

    fn move_of(&self, square: Argument, player: usize) -> Option<MoveId> {
        let Argument::Object(square) = square else { return None };
        self.ground.move_id(square, self.ground.system.players[player])
    }

    fn named(&self, id: MoveId) -> String {
        let names = &self.ground.system.names;
        format!(
            "{} with {}",
            names.text(self.ground.system.players[id.0 as usize % 2]),
            names.text(self.ground.square(id))
        )
    }

    fn wins(&self, state: &mut GroundState, player: usize, proof: &Proof, first: bool) -> Result<(), String> {
        let ground = &self.ground;
        let Some(square) = proof.square() else {
            let named = if let Proof::AtOnce(named) = proof { &named[..] } else { &[] };
            let named: Vec<MoveId> = named.iter().filter_map(|&square| self.move_of(square, player)).collect();
            let player_text = || ground.system.names.text(ground.system.players[player]).to_owned();
            return match ground.can_win_by(state, player, &named) {
                true => Ok(()),
                false => Err(format!("{} has no move that wins at once", player_text())),
            };
        };
        let id = self.move_of(square, player).ok_or("the proof plays a move that nothing says")?;
        let undo = ground.play(state, id).ok_or_else(|| format!("{} is no legal move", self.named(id)))?;
        let result = self.after(state, player, proof, id, first);
        state.undo(&undo);
        result
    }

    fn after(
        &self,
        state: &mut GroundState,
        player: usize,
        proof: &Proof,
        id: MoveId,
        first: bool,
    ) -> Result<(), String> {
        let (ground, other) = (&self.ground, 1 - player);
        let Proof::Play { replies, otherwise, .. } = proof else {
            return match ground.winner(state) == Some(player) {
                // Right after the rule's own move that is the exception.
                true if first || ground.stands(state, player) => Ok(()),
                true => Err(format!("{} may be answered with as much", self.named(id))),
                false => Err(format!("{} does not win", self.named(id))),
            };
        };
        if ground.winner(state).is_some() {
            return Err(format!("{} ends the game, but the proof goes on", self.named(id)));
        }
        if let Some(reply) = ground.all_moves(other).find(|&reply| ground.achieves(state, reply)) {
            return if first { Ok(()) } else { Err(format!("{} wins first", self.named(reply))) };
        }
        let mut moved = false;
        for reply in ground.all_moves(other) {
            let Some(undo) = ground.play_if_moving(state, reply) else { continue };
            moved = true;
            let listed = replies.iter().find(|(listed, _)| self.move_of(*listed, other) == Some(reply));
            let next = listed.map(|(_, proof)| proof).or(otherwise.as_deref());
            let result = match next {
                Some(next) => self.wins(state, player, next, false),
                None => Err("there is no answer".to_owned()),
            };
            state.undo(&undo);
            result.map_err(|reason| format!("{reason} after {}", self.named(reply)))?;
        }
        if moved { Ok(()) } else { Err(format!("the opponent has no move after {}", self.named(id))) }
    }
}
