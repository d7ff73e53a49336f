//! The explanation of a win: a proof without variables, found with the rules that are known.
//!
//! After the winner's move every reply must lose to a known rule; where none matches, a bounded search tries moves of the winner with which
//! every reply does (an exhausted cover of replies). Where moves are objects of their own, as in chess, all replies that lose at once are one case of the proof:
//! in check those are all but the few legal ones, and in mate there are no others.

use super::ground::{GroundState, GroundSystem, MoveId};
use super::language::Argument;
use super::library::Library;
use super::proof::Proof;
use super::recogniser::Recogniser;

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

/// Why the player of a move wins with it against every reply; `None` if that is not found, or not so.
pub fn explain_win(
    recogniser: &Recogniser,
    library: &Library,
    state: &mut GroundState,
    id: MoveId,
    effort: Effort,
) -> Option<Proof> {
    explain_or_escape(recogniser, library, state, id, effort).ok()
}

/// The same, or the first reply after which nothing as good was found; none if the search was given up before it could say so.
pub(super) fn explain_or_escape(
    recogniser: &Recogniser,
    library: &Library,
    state: &mut GroundState,
    id: MoveId,
    effort: Effort,
) -> Result<Proof, Option<MoveId>> {
    let mut search = Search { recogniser, library, left: effort.states, escape: None };
    let found = search.play(state, id, effort.extra);
    found.ok_or(search.escape.filter(|_| search.left > 0))
}

struct Search<'a> {
    recogniser: &'a Recogniser,
    library: &'a Library,
    left: u32,
    /// The last reply that was found to be no loss: that of the outermost search comes last.
    escape: Option<MoveId>,
}

impl Search<'_> {
    /// The player to move wins with this move.
    fn play(&mut self, state: &mut GroundState, id: MoveId, extra: u32) -> Option<Proof> {
        let undo = self.recogniser.ground.play(state, id)?;
        let proof = self.after(state, id, extra);
        state.undo(&undo);
        proof
    }

    fn after(&mut self, state: &mut GroundState, id: MoveId, extra: u32) -> Option<Proof> {
        let ground = &self.recogniser.ground;
        let square = Argument::Object(ground.square(id));
        let (player, other) = (id.0 as usize % 2, 1 - id.0 as usize % 2);
        if ground.winner(state) == Some(player) {
            return ground.stands(state, player).then_some(Proof::Win(square));
        }
        if ground.winner(state).is_some() || self.recogniser.can_win(state, other) {
            return None;
        }
        // Where an immediate win threatens, every reply that cannot parry it loses to it.
        let threat = self.recogniser.wins_at_once(state, player).first().copied();
        let parries = threat.and_then(|threat| Some((threat, ground.parries(state, threat)?)));
        let mut answers: Vec<(MoveId, Proof)> = Vec::new();
        let mut known: Vec<Proof> = Vec::new();
        let mut open = Vec::new();
        for reply in ground.legal(state, other) {
            if let Some((threat, parries)) = &parries
                && !parries.contains(&reply)
            {
                answers.push((reply, Proof::Win(Argument::Object(ground.square(*threat)))));
                continue;
            }
            self.left = self.left.checked_sub(1)?;
            let undo = ground.play(state, reply)?;
            let proof = self.by_rule(state, player, &known);
            state.undo(&undo);
            match proof {
                Some(proof) => {
                    if !known.contains(&proof) {
                        known.push(proof.clone());
                    }
                    answers.push((reply, proof));
                }
                None if extra == 0 => {
                    self.escape = Some(reply);
                    return None;
                }
                None => open.push(reply),
            }
        }
        for reply in open {
            let undo = ground.play(state, reply)?;
            let moves = ground.legal(state, player);
            let proof = moves.into_iter().find_map(|id| self.play(state, id, extra - 1));
            state.undo(&undo);
            let Some(proof) = proof else {
                self.escape = Some(reply);
                return None;
            };
            answers.push((reply, proof));
        }
        if ground.system.has_moves {
            return Some(with_limited_replies(ground, square, &answers));
        }
        // The answer that most replies share needs no list of them.
        let uses = |proof: &Proof| answers.iter().filter(|(_, other)| other == proof).count();
        let mut distinct: Vec<&Proof> = Vec::new();
        for (_, proof) in &answers {
            if !distinct.contains(&proof) {
                distinct.push(proof);
            }
        }
        let common = distinct.into_iter().max_by_key(|proof| (uses(proof), std::cmp::Reverse(proof.depth())))?.clone();
        let mut replies: Vec<(Argument, Proof)> = answers
            .iter()
            .filter(|(_, proof)| *proof != common)
            .map(|(reply, proof)| (Argument::Object(ground.square(*reply)), proof.clone()))
            .collect();
        replies.sort();
        Some(Proof::Play { square, replies, otherwise: Some(Box::new(common)) })
    }

    /// A proof for the player to move: an immediate win, or one by a rule; one that answered other replies, if it does here.
    fn by_rule(&self, state: &mut GroundState, player: usize, known: &[Proof]) -> Option<Proof> {
        let wins = self.recogniser.wins_at_once(state, player);
        let squares = wins.iter().map(|&id| Proof::Win(Argument::Object(self.recogniser.ground.square(id))));
        let at_once: Vec<Proof> = squares.collect();
        if let Some(first) = at_once.first() {
            return Some(at_once.iter().find(|proof| known.contains(proof)).unwrap_or(first).clone());
        }
        if let Some(proof) = known.iter().find(|proof| self.recogniser.holds(state, player, proof)) {
            return Some(proof.clone());
        }
        let found = self.recogniser.winning(state, player)?;
        self.library.rules[found.rule].proof.as_ref().map(|proof| proof.ground(&found.bindings))
    }
}

/// So many of the moves that answer replies at once are named.
const MOST_NAMED: usize = 3;

/// The proof with all replies that lose at once as one case, whichever move takes what they leave: those that answer several are named. The
/// others, such as the few legal ones in check, are listed, each with its own proof.
fn with_limited_replies(ground: &GroundSystem, square: Argument, answers: &[(MoveId, Proof)]) -> Proof {
    let mut named: Vec<(usize, Argument)> = Vec::new();
    let mut replies: Vec<(Argument, Proof)> = Vec::new();
    for (reply, proof) in answers {
        let Proof::Win(answer) = proof else {
            replies.push((Argument::Object(ground.square(*reply)), proof.clone()));
            continue;
        };
        match named.iter_mut().find(|(_, known)| known == answer) {
            Some((uses, _)) => *uses += 1,
            None => named.push((1, *answer)),
        }
    }
    named.sort_by_key(|&(uses, answer)| (std::cmp::Reverse(uses), answer));
    let otherwise = (!named.is_empty()).then(|| {
        let several = named.iter().enumerate().filter(|(at, (uses, _))| *at == 0 || *uses > 1);
        Box::new(Proof::AtOnce(several.take(MOST_NAMED).map(|(_, &(_, answer))| answer).collect()))
    });
    replies.sort();
    Proof::Play { square, replies, otherwise }
}
