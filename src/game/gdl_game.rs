//! A rule sheet as a game.

use super::{FactsError, Game, Goals, Role, Roles, Term};
use crate::board::Position;
use crate::gdl::{Plain, Program, TooLarge, View};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A game that runs from a sheet of the Game Description Language.
///
/// Every role has a move in every state. Those with more than one to choose from are *to move*; where there is none, one
/// that does something is. The others make their only move, which [`Game::play`] adds by itself.
///
/// A sheet may leave a role without any move though the game is not over. Nobody can go on from there, so such a state
/// counts as over too.
#[derive(Debug)]
pub struct GdlGame {
    name: String,
    plain: Plain,
}

/// A situation in a [`GdlGame`].
#[derive(Clone, Debug)]
pub struct GdlState {
    facts: Arc<[Term]>,
    view: Arc<View>,
}

impl PartialEq for GdlState {
    fn eq(&self, other: &GdlState) -> bool {
        self.facts == other.facts
    }
}

impl Eq for GdlState {}

impl Hash for GdlState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.facts.hash(hasher);
    }
}

/// A move in a [`GdlGame`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GdlMove(Term);

impl GdlGame {
    /// Makes a game of a program.
    pub fn new(name: &str, program: Program) -> Result<GdlGame, TooLarge> {
        Ok(GdlGame { name: name.to_owned(), plain: Plain::new(Arc::new(program))? })
    }

    /// The program it runs from.
    pub fn program(&self) -> &Program {
        self.plain.program()
    }

    fn state(&self, facts: Vec<Term>) -> GdlState {
        let facts: Arc<[Term]> = facts.into();
        let view = Arc::new(self.plain.view(&facts));
        GdlState { facts, view }
    }

    fn is_over(state: &GdlState) -> bool {
        state.view.terminal || state.view.legal.iter().any(Vec::is_empty)
    }
}

impl Game for GdlGame {
    type State = GdlState;
    type Move = GdlMove;

    fn name(&self) -> &str {
        &self.name
    }

    fn roles(&self) -> &[String] {
        self.plain.program().roles()
    }

    fn start(&self) -> GdlState {
        self.state(self.plain.start().to_vec())
    }

    fn to_move(&self, state: &GdlState) -> Roles {
        let legal = &state.view.legal;
        let choosing = (0..legal.len()).filter(|&role| legal[role].len() > 1);
        let roles = choosing.fold(Roles::first(0), |roles, role| roles.with(Role(role as u8)));
        if !roles.is_empty() {
            return roles;
        }
        let acts = |moves: &Vec<Term>| matches!(moves[..], [Term::List(_)]);
        Roles::one(Role(legal.iter().position(acts).unwrap_or(0) as u8))
    }

    fn only_move(&self, state: &GdlState, role: Role) -> Term {
        state.view.legal[role.index()].first().cloned().unwrap_or_else(|| Term::List(Vec::new()))
    }

    fn legal(&self, state: &GdlState, role: Role, moves: &mut Vec<GdlMove>) {
        moves.clear();
        if !GdlGame::is_over(state) {
            moves.extend(state.view.legal[role.index()].iter().cloned().map(GdlMove));
        }
    }

    fn play(&self, state: &mut GdlState, joint: &[GdlMove]) {
        let to_move = self.to_move(state);
        let mut chosen = joint.iter();
        let choice = |role: usize| match to_move.contains(Role(role as u8)).then(|| chosen.next()).flatten() {
            Some(GdlMove(choice)) => choice.clone(),
            None => self.only_move(state, Role(role as u8)),
        };
        let joint: Vec<Term> = (0..self.roles().len()).map(choice).collect();
        *state = self.state(self.plain.next(&state.facts, &joint));
    }

    fn goals(&self, state: &GdlState) -> Option<Goals> {
        GdlGame::is_over(state).then(|| state.view.goals.iter().copied().collect())
    }

    fn facts(&self, state: &GdlState) -> Vec<Term> {
        state.facts.to_vec()
    }

    fn state_with(&self, facts: &[Term]) -> Result<GdlState, FactsError> {
        if let Some(fact) = facts.iter().find(|fact| !is_thing(fact)) {
            let reason = "expected a name, or a list that begins with one".to_owned();
            return Err(FactsError { fact: Some(fact.clone()), reason });
        }
        let mut facts = facts.to_vec();
        facts.sort();
        facts.dedup();
        Ok(self.state(facts))
    }

    fn move_term(&self, _state: &GdlState, _role: Role, choice: &GdlMove) -> Term {
        choice.0.clone()
    }

    fn move_names(&self, state: &GdlState, role: Role, moves: &[GdlMove]) -> Vec<String> {
        moves.iter().map(|choice| self.move_term(state, role, choice).to_string()).collect()
    }

    fn position(&self, _state: &GdlState) -> Option<Position> {
        None
    }
}

/// Whether a term is one of the language.
fn is_thing(term: &Term) -> bool {
    match term {
        Term::Name(_) => true,
        Term::List(parts) => matches!(parts.first(), Some(Term::Name(_))) && parts[1..].iter().all(is_thing),
    }
}
