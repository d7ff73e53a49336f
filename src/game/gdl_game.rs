//! A rule sheet as a game.

use super::{Chance, Fact, FactId, FactsError, Game, Goals, Role, Roles, Term, Truncation, choose_and_play};
use crate::board::Position;
use crate::gdl::{Engine, GroundingLimits, NoPropNet, Program, PropNet, PropNetState, Prover, StateView, TooLarge};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A game that runs from a sheet of the Game Description Language.
///
/// Every role has a move in every state. Those with more than one to choose from are *to move*; where there is none, one
/// that does something is. The others make their only move, which [`Game::play`] adds by itself.
///
/// A sheet may leave a role without any move though the game is not over. Nobody can go on from there, so such a state
/// counts as over too. A state of which the rules cannot be worked out within limits does not: [`Game::truncation`] says so.
///
/// ```
/// use onlooker::game::{GdlGame, perft};
/// use onlooker::gdl::{Engine, GroundingLimits, Program};
///
/// let program = Program::read(include_str!("../../games/tic-tac-toe.kif"))?;
/// let game = GdlGame::new("noughts and crosses", program, Engine::Fast, &GroundingLimits::default())?;
/// assert!(game.network().is_ok(), "it runs as a propnet");
/// assert_eq!(perft(&game, 2), Ok(vec![9, 72]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GdlGame {
    name: String,
    plain: Prover,
    /// The network, or why there is none.
    network: Result<PropNet, NoPropNet>,
    /// Once it is set, no state is worked out any more.
    stop: Arc<AtomicBool>,
}

/// A situation in a [`GdlGame`].
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct GdlState(Inner);

#[derive(Debug)]
enum Inner {
    Prover {
        facts: Arc<[Term]>,
        view: Arc<StateView>,
    },
    PropNet(Box<PropNetState>),
    /// A state that could not be worked out; the facts of the last one that could, or its own.
    TooLarge {
        facts: Arc<[Term]>,
        error: TooLarge,
    },
}

impl Clone for GdlState {
    fn clone(&self) -> GdlState {
        GdlState(match &self.0 {
            Inner::Prover { facts, view } => Inner::Prover { facts: facts.clone(), view: view.clone() },
            Inner::PropNet(situation) => Inner::PropNet(situation.clone()),
            Inner::TooLarge { facts, error } => Inner::TooLarge { facts: facts.clone(), error: *error },
        })
    }

    fn clone_from(&mut self, other: &GdlState) {
        match (&mut self.0, &other.0) {
            // The room it has is used again.
            (Inner::PropNet(own), Inner::PropNet(other)) => own.clone_from(other),
            _ => *self = other.clone(),
        }
    }
}

impl PartialEq for Inner {
    fn eq(&self, other: &Inner) -> bool {
        match (self, other) {
            (Inner::Prover { facts, .. }, Inner::Prover { facts: others, .. }) => facts == others,
            (Inner::PropNet(situation), Inner::PropNet(other)) => situation == other,
            (Inner::TooLarge { facts, .. }, Inner::TooLarge { facts: others, .. }) => facts == others,
            _ => false,
        }
    }
}

impl Eq for Inner {}

impl Hash for Inner {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        match self {
            Inner::Prover { facts, .. } | Inner::TooLarge { facts, .. } => facts.hash(hasher),
            Inner::PropNet(situation) => situation.hash(hasher),
        }
    }
}

/// A move in a [`GdlGame`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GdlMove(MoveRepr);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum MoveRepr {
    Term(Term),
    Number(u32),
}

impl GdlGame {
    /// Makes a game of a program, with a network if it fits the limits and is wanted.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] if the first state is too much to work out, whichever engine runs it.
    pub fn new(name: &str, program: Program, engine: Engine, limits: &GroundingLimits) -> Result<GdlGame, TooLarge> {
        GdlGame::new_until(name, program, engine, limits, Arc::default())
    }

    /// The same, but once `stop` is set, the work on it is given up soon, and so is the work on every state of the game:
    /// states that are asked for from then on are beyond the limit [`TooLarge::Stopped`].
    ///
    /// # Errors
    ///
    /// What makes the program too large to be run, or that it was stopped.
    pub fn new_until(
        name: &str,
        program: Program,
        engine: Engine,
        limits: &GroundingLimits,
        stop: Arc<AtomicBool>,
    ) -> Result<GdlGame, TooLarge> {
        let plain = Prover::new_until(Arc::new(program), &stop)?;
        let network = match engine {
            Engine::Prover => Err(NoPropNet::NotWanted),
            Engine::Fast => PropNet::build(&plain, limits, &stop),
        };
        if let Err(NoPropNet::TooLarge(TooLarge::Stopped)) = network {
            return Err(TooLarge::Stopped);
        }
        Ok(GdlGame { name: name.to_owned(), plain, network, stop })
    }

    /// The program it runs from.
    pub fn program(&self) -> &Program {
        self.plain.program()
    }

    /// The network it runs as, or why it runs plainly.
    ///
    /// # Errors
    ///
    /// It has no propnet, and this is why.
    pub fn network(&self) -> Result<&PropNet, NoPropNet> {
        self.network.as_ref().map_err(|&reason| reason)
    }

    /// How much work it is to work out a state, in atoms that are looked at: next to nothing for a network.
    pub fn work_of_a_state(&self) -> u64 {
        if self.network.is_ok() { 1 } else { self.plain.work_of_a_state().max(1) }
    }

    fn plain_state(&self, facts: Vec<Term>) -> GdlState {
        let facts: Arc<[Term]> = facts.into();
        GdlState(match self.plain.view_until(&facts, &self.stop) {
            Ok(view) => Inner::Prover { facts, view: Arc::new(view) },
            Err(error) => Inner::TooLarge { facts, error },
        })
    }

    /// The network of a situation, which is only made where there is one.
    fn net(&self) -> &PropNet {
        self.network.as_ref().expect("situations come from a network")
    }

    /// The same as [`Game::for_each_fact`] for the state that a joint move leads to, made by those who are to move. It is not worked out what the rules
    /// say about that state, which is most of the work.
    pub(crate) fn for_each_fact_after(
        &self,
        state: &mut GdlState,
        to_move: Roles,
        joint: &[GdlMove],
        see: &mut dyn FnMut(Fact<'_>),
    ) -> Result<(), TooLarge> {
        match &mut state.0 {
            Inner::Prover { facts, view } => {
                let after = self.plain.next_until(facts, &whole_terms(view, to_move, joint), &self.stop)?;
                after.iter().for_each(|fact| see(Fact::Unnumbered(fact)));
            }
            Inner::PropNet(situation) => {
                let joint = self.whole_numbers(situation, to_move, joint);
                self.net().facts_after(situation, &joint, &mut |fact| see(Fact::Numbered(FactId(fact))));
            }
            Inner::TooLarge { error, .. } => return Err(*error),
        }
        Ok(())
    }

    /// A joint move with the only moves of those who are not to move.
    fn whole_numbers(&self, situation: &PropNetState, to_move: Roles, joint: &[GdlMove]) -> Vec<u32> {
        let mut chosen = joint.iter();
        let number = |role: usize| match to_move.contains(Role(role as u8)).then(|| chosen.next()).flatten() {
            Some(GdlMove(MoveRepr::Number(number))) => Some(*number),
            _ => self.net().nth(situation, role, 0),
        };
        (0..self.roles().len()).filter_map(number).collect()
    }

    /// The fact with a number.
    pub(crate) fn fact_term(&self, fact: FactId) -> Term {
        self.net().fact_term(fact.0)
    }

    fn count_of(&self, state: &GdlState, role: usize) -> usize {
        match &state.0 {
            Inner::Prover { view, .. } => view.legal[role].len(),
            Inner::PropNet(situation) => self.net().count(situation, role),
            Inner::TooLarge { .. } => 0,
        }
    }

    fn is_over(&self, state: &GdlState) -> bool {
        let terminal = match &state.0 {
            Inner::Prover { view, .. } => view.terminal,
            Inner::PropNet(situation) => self.net().is_terminal(situation),
            Inner::TooLarge { .. } => return false,
        };
        terminal || (0..self.roles().len()).any(|role| self.count_of(state, role) == 0)
    }
}

impl Game for GdlGame {
    type State = GdlState;
    type Move = GdlMove;

    fn name(&self) -> &str {
        &self.name
    }

    fn digest(&self) -> Option<String> {
        Some(self.plain.program().digest().to_owned())
    }

    fn roles(&self) -> &[String] {
        self.plain.program().roles()
    }

    /// The role `random`, however it is written, unless there is no other.
    fn chance_roles(&self) -> Roles {
        let random = self.roles().iter().position(|role| role.eq_ignore_ascii_case("random"));
        random.filter(|_| self.roles().len() > 1).map_or(Roles::first(0), |role| Roles::one(Role(role as u8)))
    }

    fn start(&self) -> GdlState {
        match &self.network {
            Ok(network) => GdlState(Inner::PropNet(Box::new(network.start()))),
            Err(_) => self.plain_state(self.plain.start().to_vec()),
        }
    }

    fn to_move(&self, state: &GdlState) -> Roles {
        let count = self.roles().len();
        let choosing = (0..count).filter(|&role| self.count_of(state, role) > 1);
        let roles = choosing.fold(Roles::first(0), |roles, role| roles.with(Role(role as u8)));
        if !roles.is_empty() {
            return roles;
        }
        let acts = |role: &usize| matches!(self.only_move(state, Role(*role as u8)), Term::List(_));
        Roles::one(Role((0..count).find(acts).unwrap_or(0) as u8))
    }

    fn only_move(&self, state: &GdlState, role: Role) -> Term {
        let only = match &state.0 {
            Inner::Prover { view, .. } => view.legal[role.index()].first().cloned(),
            Inner::PropNet(situation) => {
                self.net().nth(situation, role.index(), 0).map(|choice| self.net().move_term(choice))
            }
            Inner::TooLarge { .. } => None,
        };
        // A role without moves ends the game.
        only.unwrap_or_else(|| Term::name("noop"))
    }

    fn legal(&self, state: &GdlState, role: Role, moves: &mut Vec<GdlMove>) {
        moves.clear();
        if self.is_over(state) {
            return;
        }
        match &state.0 {
            Inner::Prover { view, .. } => {
                moves.extend(view.legal[role.index()].iter().cloned().map(|choice| GdlMove(MoveRepr::Term(choice))));
            }
            Inner::PropNet(situation) => {
                let mut numbers = Vec::new();
                self.net().legal(situation, role.index(), &mut numbers);
                moves.extend(numbers.into_iter().map(|choice| GdlMove(MoveRepr::Number(choice))));
            }
            Inner::TooLarge { .. } => {}
        }
    }

    fn play(&self, state: &mut GdlState, joint: &[GdlMove]) {
        let to_move = self.to_move(state);
        match &mut state.0 {
            Inner::Prover { facts, view } => {
                *state = match self.plain.next_until(facts, &whole_terms(view, to_move, joint), &self.stop) {
                    Ok(facts) => self.plain_state(facts),
                    Err(error) => GdlState(Inner::TooLarge { facts: facts.clone(), error }),
                };
            }
            Inner::PropNet(situation) => {
                let joint = self.whole_numbers(situation, to_move, joint);
                self.net().play(situation, &joint);
            }
            Inner::TooLarge { .. } => {}
        }
    }

    fn goals(&self, state: &GdlState) -> Option<Goals> {
        self.is_over(state).then(|| match &state.0 {
            Inner::Prover { view, .. } => view.goals.iter().copied().collect(),
            Inner::PropNet(situation) => self.net().goals(situation).collect(),
            Inner::TooLarge { .. } => self.roles().iter().map(|_| None).collect(),
        })
    }

    fn truncation(&self, state: &GdlState) -> Option<Truncation> {
        if let Inner::TooLarge { error, .. } = state.0 { Some(error.into()) } else { None }
    }

    fn facts(&self, state: &GdlState) -> Vec<Term> {
        match &state.0 {
            Inner::Prover { facts, .. } | Inner::TooLarge { facts, .. } => facts.to_vec(),
            Inner::PropNet(situation) => self.net().facts(situation),
        }
    }

    /// All that can hold if it runs as a network, otherwise none.
    fn fact_terms(&self) -> Vec<Term> {
        match &self.network {
            Ok(network) => (0..network.fact_count() as u32).map(|fact| network.fact_term(fact)).collect(),
            Err(_) => Vec::new(),
        }
    }

    fn for_each_fact(&self, state: &GdlState, see: &mut dyn FnMut(Fact<'_>)) {
        match &state.0 {
            Inner::Prover { facts, .. } | Inner::TooLarge { facts, .. } => {
                facts.iter().for_each(|fact| see(Fact::Unnumbered(fact)));
            }
            Inner::PropNet(situation) => {
                self.net().fact_ids(situation).for_each(|fact| see(Fact::Numbered(FactId(fact))));
            }
        }
    }

    fn state_with(&self, facts: &[Term]) -> Result<GdlState, FactsError> {
        let refuse = |fact: &Term, reason: &str| FactsError { fact: Some(fact.clone()), reason: reason.to_owned() };
        if let Some(fact) = facts.iter().find(|fact| !is_thing(fact)) {
            return Err(refuse(fact, "expected a name, or a list that begins with one"));
        }
        if let Ok(network) = &self.network {
            let situation = network.situation(facts);
            let situation = situation
                .map_err(|fact| refuse(&fact, "in no state that can be reached is it like that with this fact"));
            return situation.map(|situation| GdlState(Inner::PropNet(Box::new(situation))));
        }
        let mut facts = facts.to_vec();
        facts.sort();
        facts.dedup();
        Ok(self.plain_state(facts))
    }

    fn move_term(&self, _state: &GdlState, _role: Role, choice: &GdlMove) -> Term {
        match &choice.0 {
            MoveRepr::Term(term) => term.clone(),
            MoveRepr::Number(number) => self.net().move_term(*number),
        }
    }

    fn move_names(&self, state: &GdlState, role: Role, moves: &[GdlMove]) -> Vec<String> {
        moves.iter().map(|choice| self.move_term(state, role, choice).to_string()).collect()
    }

    fn state_bytes(&self) -> usize {
        match &self.network {
            // A gate has a value and a count, a fact a place in lists, a move a bit.
            Ok(network) => {
                let size = network.size();
                256 + 5 * size.gates + 8 * size.facts + size.moves / 8
            }
            // Facts and moves are terms of several names each; the first state is as good a guess as any.
            Err(_) => 4096 + 512 * self.plain.start().len(),
        }
    }

    fn position(&self, _state: &GdlState) -> Option<Position> {
        None
    }

    fn sheet(&self) -> Option<&GdlGame> {
        Some(self)
    }

    fn count(&self, state: &GdlState) -> u64 {
        if self.is_over(state) {
            return 0;
        }
        // All roles of a state that is too large have none.
        let counts = (0..self.roles().len()).map(|role| self.count_of(state, role) as u64);
        counts.fold(1, u64::saturating_mul)
    }

    fn play_chosen(
        &self,
        state: &mut GdlState,
        moves: &mut Vec<GdlMove>,
        joint: &mut Vec<GdlMove>,
        choose: &mut dyn FnMut(Role, &[GdlMove]) -> usize,
    ) -> bool {
        if let Inner::PropNet(situation) = &mut state.0 {
            let mut numbers = Vec::new();
            return self.net().play_chosen(situation, &mut numbers, &mut |role, numbers| {
                moves.clear();
                moves.extend(numbers.iter().map(|&number| GdlMove(MoveRepr::Number(number))));
                choose(Role(role as u8), moves)
            });
        }
        if self.is_over(state) {
            return false;
        }
        choose_and_play(self, state, moves, joint, choose)
    }

    fn play_at_random(
        &self,
        state: &mut GdlState,
        chance: &mut Chance,
        moves: &mut Vec<GdlMove>,
        joint: &mut Vec<GdlMove>,
    ) -> bool {
        if let Inner::PropNet(situation) = &mut state.0 {
            return self.net().play_picked(situation, &mut |count| chance.below(count));
        }
        !self.is_over(state) && super::play_drawn(self, state, chance, moves, joint)
    }
}

/// A joint move with the only moves of those who are not to move.
fn whole_terms(view: &StateView, to_move: Roles, joint: &[GdlMove]) -> Vec<Term> {
    let mut chosen = joint.iter();
    let term = |role: usize| match to_move.contains(Role(role as u8)).then(|| chosen.next()).flatten() {
        Some(GdlMove(MoveRepr::Term(term))) => term.clone(),
        _ => view.legal[role].first().cloned().unwrap_or_else(|| Term::name("noop")),
    };
    (0..view.legal.len()).map(term).collect()
}

/// Whether a term is one of the language.
fn is_thing(term: &Term) -> bool {
    match term {
        Term::Name(_) => true,
        Term::List(parts) => matches!(parts.first(), Some(Term::Name(_))) && parts[1..].iter().all(is_thing),
    }
}
