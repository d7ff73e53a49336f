//! Turns: what a role could do in a state, and what it did.

use crate::game::{Game, Role, Term};
use std::collections::BTreeSet;

/// What a role can do in a state.
#[derive(Clone, Debug)]
pub struct Options<G: Game> {
    /// Its legal moves as terms, in the game's order: for a role that is not to move the only one it has.
    pub terms: Vec<Term>,
    /// The same as moves of the game; none for a role that is not to move.
    pub moves: Vec<G::Move>,
    /// Whether it has a choice.
    pub kind: TurnKind,
}

/// Who has a choice in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnKind {
    /// The role has more than one move.
    Chooses,
    /// The role has one move, and somebody else has more.
    Waits,
    /// Nobody has a choice.
    Forced,
}

impl<G: Game> Options<G> {
    /// What a role can do; `None` if the game is over or the state is beyond the engine's limits.
    pub fn of(game: &G, state: &G::State, role: Role) -> Option<Options<G>> {
        if game.goals(state).is_some() {
            return None;
        }
        let to_move = game.to_move(state);
        let mut moves = Vec::new();
        let mut others_choose = false;
        for other in to_move.iter().filter(|&other| other != role) {
            game.legal(state, other, &mut moves);
            others_choose |= moves.len() > 1;
        }
        moves.clear();
        if to_move.contains(role) {
            game.legal(state, role, &mut moves);
            if moves.is_empty() {
                return None;
            }
        }
        let terms: Vec<Term> = if moves.is_empty() {
            vec![game.only_move(state, role)]
        } else {
            moves.iter().map(|choice| game.move_term(state, role, choice)).collect()
        };
        let kind = match terms.len() {
            1 if others_choose => TurnKind::Waits,
            1 => TurnKind::Forced,
            _ => TurnKind::Chooses,
        };
        Some(Options { terms, moves, kind })
    }
}

/// A turn that was seen.
#[derive(Clone, Debug)]
pub struct Turn<G: Game> {
    /// The game it is from, by its number.
    pub game: u64,
    /// The state.
    pub state: G::State,
    /// What the role could do.
    pub options: Options<G>,
    /// What it did, by its place among the options.
    pub played: usize,
    /// What the same player did in the same state when it was asked again, if it was.
    pub again: Vec<usize>,
}

impl<G: Game> Turn<G> {
    /// Whether the turn is the role's own: it has a choice, or nobody has and it does something else than it does when it waits
    /// for others.
    ///
    /// Games for one by turns are written with a move that does nothing for whoever is not to move.
    pub fn is_own(&self, waits: &BTreeSet<Term>) -> bool {
        match self.options.kind {
            TurnKind::Chooses => true,
            TurnKind::Waits => false,
            TurnKind::Forced => {
                let only = &self.options.terms[0];
                !(waits.contains(only) || self.options.moves.is_empty() && only.as_name().is_some())
            }
        }
    }
}

/// What a role was seen to play while it waited for others.
pub fn waiting_moves<'a, G: Game>(turns: impl IntoIterator<Item = &'a Turn<G>>) -> BTreeSet<Term> {
    let waiting = turns.into_iter().filter(|turn| turn.options.kind == TurnKind::Waits);
    waiting.map(|turn| turn.options.terms[0].clone()).collect()
}
