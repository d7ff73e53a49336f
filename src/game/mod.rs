//! Rules that run: everything that can be played, whoever wrote its rules.
//!
//! In come [`crate::rules`] that compile, from the catalogue or from anybody else, and rule sheets ([`crate::gdl`]); out come states, legal moves, facts
//! and goals, and on top of them playouts, perft and walks. Read the trait [`Game`] first: nothing after it knows where
//! a game's rules came from.

mod any_game;
mod catalogue;
mod chance;
mod check;
mod gdl_game;
mod joint;
mod perft;
mod playout;
mod replay;
mod rules_game;
mod simulate;
mod vocabulary;
mod walk;

pub use crate::gdl::{Term, TermError};
pub use any_game::{AnyGame, AnyMove, AnyState, GameError};
pub use catalogue::{CATALOGUE, SHEETS, catalogue_game};
pub use chance::Chance;
pub use check::{CheckReport, Mismatch, MismatchKind, check_game};
pub use gdl_game::{GdlGame, GdlMove, GdlState};
pub use joint::JointMoves;
pub use perft::{Division, Divisions, divide, divide_from, perft, perft_from, perft_parallel};
pub use playout::{Playout, PlayoutEnd, PlayoutState, Playouts};
pub use replay::{Difference, Key, MAX_WALK_LINE, ReplayError, ReplayReport, replay};
pub use rules_game::RulesGame;
pub use simulate::{SimulationError, SimulationPlan, SimulationReport, random_game, simulate};
pub(crate) use simulate::{write_game, write_games};
pub use vocabulary::{Fact, FactId, FactSet, Vocabulary};
pub use walk::{WalkError, WalkPlan, WalkReport, write_played, write_walks};

use crate::board::Position;
use crate::gdl::TooLarge;
use crate::rules::TooManyTurns;
use smallvec::SmallVec;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, Ordering};

/// A player of a game, by number: the first of [`Game::roles`] is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Role(pub u8);

impl Role {
    /// The number as an index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Roles(u64);

impl Roles {
    /// The most roles a game may have.
    pub const MAX: usize = 64;

    /// Just this one.
    pub fn one(role: Role) -> Roles {
        Roles(1 << role.0)
    }

    /// The first `count` roles, at most [`Roles::MAX`].
    pub fn first(count: usize) -> Roles {
        Roles(if count >= Roles::MAX { u64::MAX } else { (1 << count) - 1 })
    }

    /// The set with a role more.
    pub fn with(self, role: Role) -> Roles {
        Roles(self.0 | 1 << role.0)
    }

    /// Whether a role is in the set.
    pub fn contains(self, role: Role) -> bool {
        self.0 >> role.0 & 1 == 1
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The roles in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Role> {
        (0..Roles::MAX as u8).map(Role).filter(move |&role| self.contains(role))
    }
}

/// What each role has got at the end, from 0 (lost) to 100 (won); `None` for a role whose goal the rules leave open.
pub type Goals = SmallVec<[Option<u8>; 4]>;

/// A game for any number of roles that move in turn or at the same time.
///
/// States and moves are plain values; the game itself is never changed by play. In every state that is not over, at
/// least one role is to move and each role to move has at least one legal move, unless the state is beyond what the engine
/// can work out: then it has none, and [`Game::truncation`] says why.
///
/// ```
/// use onlooker::game::{Game, catalogue_game};
///
/// let game = catalogue_game("tic-tac-toe").expect("a game of the catalogue");
/// let (mut state, mut moves) = (game.start(), Vec::new());
/// while game.goals(&state).is_none() {
///     let role = game.to_move(&state).iter().next().expect("somebody is to move");
///     game.legal(&state, role, &mut moves);
///     game.play(&mut state, &moves[..1]);
/// }
/// assert_eq!(game.goals(&state).expect("it is over")[0], Some(100));
/// ```
pub trait Game: Send + Sync + 'static {
    /// A situation in the game.
    type State: Clone + Debug + Eq + Hash + Send + Sync;
    /// What one role does in one turn.
    type Move: Clone + Debug + Eq + Hash + Send + Sync;

    /// The game's name.
    fn name(&self) -> &str;

    /// A short text that stands for the rules, so that another game of the same name can be told from this one; `None` for
    /// games that do not run from any.
    fn digest(&self) -> Option<String> {
        None
    }

    /// The names of the roles, in the order of [`Role`]'s numbers.
    fn roles(&self) -> &[String];

    /// The roles that nobody plays: they draw their moves, each as likely as the others (the role `random` of GDL-II).
    /// There is always another role.
    fn chance_roles(&self) -> Roles {
        Roles::first(0)
    }

    /// The state in which every game begins.
    fn start(&self) -> Self::State;

    /// The roles that choose a move in this state: one in games with turns, several where they move at the same time.
    fn to_move(&self, state: &Self::State) -> Roles;

    /// The move of a role that is not to move in this state that is not over: the only one it has.
    fn only_move(&self, state: &Self::State, role: Role) -> Term {
        let _ = (state, role);
        Term::name("noop")
    }

    /// Replaces `moves` by the legal moves of a role that is to move, always in the same order; by none if the game is over
    /// or the state is beyond the engine's limits.
    fn legal(&self, state: &Self::State, role: Role, moves: &mut Vec<Self::Move>);

    /// Plays one legal move for each role of [`Game::to_move`], in the order of their numbers.
    fn play(&self, state: &mut Self::State, joint: &[Self::Move]);

    /// What each role has got if the game is over in this state, otherwise `None`.
    fn goals(&self, state: &Self::State) -> Option<Goals>;

    /// Why the engine cannot work this state out, if so. Such a state is not over and has no legal moves, so this needs to
    /// be asked only where that is found: it may take as long as the engine took to give up.
    fn truncation(&self, state: &Self::State) -> Option<Truncation> {
        let _ = state;
        None
    }

    /// Everything that holds in this state, such as `(cell 3 1 o)`; equal facts, equal states.
    fn facts(&self, state: &Self::State) -> Vec<Term>;

    /// The facts that have numbers of their own, each once, in the order of their numbers: all that the game's states can have
    /// if that is known, otherwise as many as are. The same game always numbers its facts alike.
    fn fact_terms(&self) -> Vec<Term> {
        Vec::new()
    }

    /// Shows everything that holds in this state, each fact once, in any order: what [`Game::facts`] says without making
    /// terms where facts have numbers. [`Vocabulary`] makes sense of it.
    fn for_each_fact(&self, state: &Self::State, see: &mut dyn FnMut(Fact<'_>)) {
        self.facts(state).iter().for_each(|fact| see(Fact::Unnumbered(fact)));
    }

    /// The state in which exactly these facts hold.
    ///
    /// # Errors
    ///
    /// There is none, and this is why.
    fn state_with(&self, facts: &[Term]) -> Result<Self::State, FactsError>;

    /// A legal move as a term, such as `(mark 3 1)`; different moves of a role have different terms.
    fn move_term(&self, state: &Self::State, role: Role, choice: &Self::Move) -> Term;

    /// Short names for people of all the legal `moves` of one role, no two alike.
    fn move_names(&self, state: &Self::State, role: Role, moves: &[Self::Move]) -> Vec<String>;

    /// About how many bytes a state takes, for those who keep many.
    fn state_bytes(&self) -> usize {
        size_of::<Self::State>()
    }

    /// The board, if the game is played on one.
    fn position(&self, state: &Self::State) -> Option<Position>;

    /// The rule sheet that it runs from, if it does.
    fn sheet(&self) -> Option<&GdlGame> {
        None
    }

    /// How many joint moves there are, at most `u64::MAX`; 0 if the game is over or the state is beyond the engine's limits.
    fn count(&self, state: &Self::State) -> u64 {
        let mut moves = Vec::new();
        let mut count = |role| {
            self.legal(state, role, &mut moves);
            moves.len() as u64
        };
        let all = self.to_move(state).iter();
        if self.goals(state).is_some() {
            0
        } else {
            all.fold(1, |product: u64, role| product.saturating_mul(count(role)))
        }
    }

    /// Plays a joint move drawn with equal chances; `false` (and nothing played) if the game is over or the state is beyond
    /// the engine's limits.
    ///
    /// `moves` and `joint` are room to work in, so that playouts do not allocate.
    fn play_at_random(
        &self,
        state: &mut Self::State,
        chance: &mut Chance,
        moves: &mut Vec<Self::Move>,
        joint: &mut Vec<Self::Move>,
    ) -> bool {
        self.goals(state).is_none() && play_drawn(self, state, chance, moves, joint)
    }

    /// Plays a joint move that `choose` picks for every role that has several to choose from, by its place among the moves it is shown; `false` (and
    /// nothing played) if the game is over or the state is beyond the engine's limits.
    ///
    /// The moves are all the legal ones, in an order that depends on the state alone. `moves` and `joint` are room to work in.
    fn play_chosen(
        &self,
        state: &mut Self::State,
        moves: &mut Vec<Self::Move>,
        joint: &mut Vec<Self::Move>,
        choose: &mut dyn FnMut(Role, &[Self::Move]) -> usize,
    ) -> bool {
        if self.goals(state).is_some() {
            return false;
        }
        choose_and_play(self, state, moves, joint, choose)
    }

    /// Plays up to `limit` joint moves as [`Game::play_at_random`] does, fewer if no more can be played or once `stop` is set;
    /// returns how many, and why it stopped.
    fn play_many_at_random(
        &self,
        state: &mut Self::State,
        limit: u64,
        chance: &mut Chance,
        stop: &AtomicBool,
        moves: &mut Vec<Self::Move>,
        joint: &mut Vec<Self::Move>,
    ) -> (u64, Halt) {
        for plies in 0..limit {
            if stop.load(Ordering::Relaxed) {
                return (plies, Halt::Stopped);
            }
            if !self.play_at_random(state, chance, moves, joint) {
                return (plies, Halt::NoMove);
            }
        }
        (limit, Halt::Limit)
    }
}

/// Why playing at random stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// No joint move can be played: the game is over, or the state is beyond the engine's limits.
    NoMove,
    /// As many were played as were wanted.
    Limit,
    /// It was stopped from outside.
    Stopped,
}

/// Plays a joint move drawn with equal chances in a state that is not over; `false` if there is none.
fn play_drawn<G: Game + ?Sized>(
    game: &G,
    state: &mut G::State,
    chance: &mut Chance,
    moves: &mut Vec<G::Move>,
    joint: &mut Vec<G::Move>,
) -> bool {
    joint.clear();
    for role in game.to_move(state).iter() {
        game.legal(state, role, moves);
        if moves.is_empty() {
            return false;
        }
        joint.push(moves.swap_remove(chance.below(moves.len())));
    }
    game.play(state, joint);
    true
}

/// A state that is beyond what an engine can work out within its limits.
///
/// It depends on the state alone: the same state is always beyond the limits, whatever was asked before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Truncation {
    /// The rules of a board game give it too many turns.
    #[error(transparent)]
    TooManyTurns(#[from] TooManyTurns),
    /// What a rule sheet says about it is too much to work out.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// Whether a state in which nobody can move is over, as it should be.
pub(crate) fn ensure_over<G: Game + ?Sized>(game: &G, state: &G::State) -> Result<(), Truncation> {
    game.truncation(state).map_or(Ok(()), Err)
}

/// The roles that somebody plays, in the order of their numbers: all but those that are chance.
pub fn played_roles<G: Game + ?Sized>(game: &G) -> Vec<Role> {
    let chance = game.chance_roles();
    Roles::first(game.roles().len()).iter().filter(|&role| !chance.contains(role)).collect()
}

/// A joint move as a term for every role, also for those that are not to move.
pub fn joint_terms<G: Game + ?Sized>(game: &G, state: &G::State, joint: &[G::Move]) -> Vec<Term> {
    let to_move = game.to_move(state);
    let mut joint = joint.iter();
    let mut term = |role| match to_move.contains(role).then(|| joint.next()).flatten() {
        Some(choice) => game.move_term(state, role, choice),
        None => game.only_move(state, role),
    };
    Roles::first(game.roles().len()).iter().map(&mut term).collect()
}

/// Facts in which no state of the game can be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}: {}", .fact.as_ref().map_or_else(|| "no such fact".to_owned(), |fact| fact.to_string()))]
pub struct FactsError {
    /// The fact that does not fit, if it is one that is there.
    pub fact: Option<Term>,
    /// What is wrong.
    pub reason: String,
}

/// Plays a joint move of a state that is not over, each role's chosen where there are several; whether there was one.
fn choose_and_play<G: Game + ?Sized>(
    game: &G,
    state: &mut G::State,
    moves: &mut Vec<G::Move>,
    joint: &mut Vec<G::Move>,
    choose: &mut dyn FnMut(Role, &[G::Move]) -> usize,
) -> bool {
    joint.clear();
    for role in game.to_move(state).iter() {
        game.legal(state, role, moves);
        let place = match moves.len() {
            0 => return false,
            1 => 0,
            _ => choose(role, moves),
        };
        joint.push(moves.swap_remove(place));
    }
    game.play(state, joint);
    true
}
