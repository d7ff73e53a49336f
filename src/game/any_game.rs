//! A game that can be owned and passed around, wherever its rules come from.

use super::{
    CATALOGUE, Chance, Fact, FactsError, Game, GdlGame, GdlMove, GdlState, Goals, Halt, Role, Roles, RulesGame, SHEETS,
    Term, Truncation, catalogue_game,
};
use crate::board::Position;
use crate::gdl::{Engine, GroundingLimits, Program, SheetError, TooLarge};
use crate::rules::{CompileError, Move, ParseError, Rules, State};
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Any game that Onlooker can run, as one type: for those who get to know it only when the program runs.
///
/// A clone is the same game and costs next to nothing. Where the type is known, [`RulesGame`] and [`GdlGame`] list moves a
/// little faster; playouts are as fast here.
///
/// ```
/// use onlooker::game::{AnyGame, Chance, Game, Playouts};
/// use std::sync::Arc;
///
/// let game = Arc::new(AnyGame::catalogue("racetrack").expect("a game of the catalogue"));
/// let mut playouts = Playouts::new(Arc::clone(&game));
/// let thread = std::thread::spawn(move || playouts.run(&game.start(), 1000, &mut Chance::new(1)).plies);
/// assert!(thread.join().unwrap() > 0);
/// ```
///
/// # Panics
///
/// States and moves belong to the game that made them. Methods of [`Game`] may panic if they get those of another one.
#[derive(Clone, Debug)]
pub enum AnyGame {
    /// A board game that runs from its rules.
    Rules(Arc<RulesGame>),
    /// A game that runs from a rule sheet.
    Sheet(Arc<GdlGame>),
}

/// A situation in [`AnyGame`].
#[derive(Debug, PartialEq, Eq, Hash)]
pub enum AnyState {
    /// In a board game.
    Rules(State),
    /// In the game of a rule sheet.
    Sheet(GdlState),
}

/// A move in [`AnyGame`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnyMove {
    /// In a board game.
    Rules(Move),
    /// In the game of a rule sheet.
    Sheet(GdlMove),
}

/// A text that no game can be made of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// It is no rules file.
    #[error(transparent)]
    Rules(#[from] ParseError),
    /// The rules cannot be run.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// It is no rule sheet.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// The rule sheet cannot be run.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

impl AnyGame {
    /// The names of all games of the catalogue.
    pub fn names() -> impl Iterator<Item = &'static str> {
        CATALOGUE.iter().chain(&SHEETS).map(|(name, _)| *name)
    }

    /// The game of the catalogue with this name.
    ///
    /// # Panics
    ///
    /// Never: a test runs every game of the catalogue.
    pub fn catalogue(name: &str) -> Option<AnyGame> {
        if let Some(game) = catalogue_game(name) {
            return Some(game.into());
        }
        let (name, text) = SHEETS.iter().find(|(known, _)| *known == name)?;
        let game = AnyGame::from_sheet(name, text, Engine::Fast);
        Some(game.unwrap_or_else(|error| panic!("the catalogue's {name}: {error}")))
    }

    /// The game of a text of rules.
    ///
    /// # Errors
    ///
    /// The text is none of rules, or they cannot be run.
    pub fn from_rules(text: &str) -> Result<AnyGame, GameError> {
        Ok(RulesGame::new(Rules::parse(text)?)?.into())
    }

    /// The game of a text of a rule sheet, which does not say what it is called.
    ///
    /// # Errors
    ///
    /// The text is none of a rule sheet, or it cannot be run.
    pub fn from_sheet(name: &str, text: &str, engine: Engine) -> Result<AnyGame, GameError> {
        Ok(GdlGame::new(name, Program::read(text)?, engine, &GroundingLimits::default())?.into())
    }

    /// A sentence on the game for people; empty if its author wrote none.
    pub fn about(&self) -> &str {
        match self {
            AnyGame::Rules(game) => &game.rules().about,
            AnyGame::Sheet(_) => "",
        }
    }
}

impl From<RulesGame> for AnyGame {
    fn from(game: RulesGame) -> AnyGame {
        AnyGame::Rules(Arc::new(game))
    }
}

impl From<GdlGame> for AnyGame {
    fn from(game: GdlGame) -> AnyGame {
        AnyGame::Sheet(Arc::new(game))
    }
}

impl Clone for AnyState {
    fn clone(&self) -> AnyState {
        match self {
            AnyState::Rules(state) => AnyState::Rules(state.clone()),
            AnyState::Sheet(state) => AnyState::Sheet(state.clone()),
        }
    }

    fn clone_from(&mut self, other: &AnyState) {
        match (&mut *self, other) {
            // The room it has is used again.
            (AnyState::Rules(own), AnyState::Rules(other)) => own.clone_from(other),
            (AnyState::Sheet(own), AnyState::Sheet(other)) => own.clone_from(other),
            _ => *self = other.clone(),
        }
    }
}

/// Asks whichever game it is.
macro_rules! on_game {
    ($any:expr, $game:ident => $body:expr) => {
        match $any {
            AnyGame::Rules($game) => $body,
            AnyGame::Sheet($game) => $body,
        }
    };
    ($any:expr, $state:expr, $game:ident, $inner:ident => $body:expr) => {
        match ($any, $state) {
            (AnyGame::Rules($game), AnyState::Rules($inner)) => $body,
            (AnyGame::Sheet($game), AnyState::Sheet($inner)) => $body,
            _ => foreign(),
        }
    };
}

fn foreign() -> ! {
    panic!("a state or move of another game")
}

fn rules_move(choice: &AnyMove) -> &Move {
    if let AnyMove::Rules(choice) = choice { choice } else { foreign() }
}

fn sheet_move(choice: &AnyMove) -> &GdlMove {
    if let AnyMove::Sheet(choice) = choice { choice } else { foreign() }
}

impl Game for AnyGame {
    type State = AnyState;
    type Move = AnyMove;

    fn name(&self) -> &str {
        on_game!(self, game => game.name())
    }

    fn digest(&self) -> Option<String> {
        on_game!(self, game => game.digest())
    }

    fn roles(&self) -> &[String] {
        on_game!(self, game => game.roles())
    }

    fn chance_roles(&self) -> Roles {
        on_game!(self, game => game.chance_roles())
    }

    fn start(&self) -> AnyState {
        match self {
            AnyGame::Rules(game) => AnyState::Rules(game.start()),
            AnyGame::Sheet(game) => AnyState::Sheet(game.start()),
        }
    }

    fn to_move(&self, state: &AnyState) -> Roles {
        on_game!(self, state, game, state => game.to_move(state))
    }

    fn only_move(&self, state: &AnyState, role: Role) -> Term {
        on_game!(self, state, game, state => game.only_move(state, role))
    }

    fn legal(&self, state: &AnyState, role: Role, moves: &mut Vec<AnyMove>) {
        moves.clear();
        match (self, state) {
            (AnyGame::Rules(game), AnyState::Rules(state)) => {
                let mut own = Vec::new();
                game.legal(state, role, &mut own);
                moves.extend(own.into_iter().map(AnyMove::Rules));
            }
            (AnyGame::Sheet(game), AnyState::Sheet(state)) => {
                let mut own = Vec::new();
                game.legal(state, role, &mut own);
                moves.extend(own.into_iter().map(AnyMove::Sheet));
            }
            _ => foreign(),
        }
    }

    fn play(&self, state: &mut AnyState, joint: &[AnyMove]) {
        match (self, state) {
            // Board games have one move at a time.
            (AnyGame::Rules(game), AnyState::Rules(state)) => {
                game.play(state, std::slice::from_ref(rules_move(&joint[0])));
            }
            (AnyGame::Sheet(game), AnyState::Sheet(state)) => {
                let joint: SmallVec<[GdlMove; 4]> = joint.iter().map(|choice| sheet_move(choice).clone()).collect();
                game.play(state, &joint);
            }
            _ => foreign(),
        }
    }

    fn goals(&self, state: &AnyState) -> Option<Goals> {
        on_game!(self, state, game, state => game.goals(state))
    }

    fn truncation(&self, state: &AnyState) -> Option<Truncation> {
        on_game!(self, state, game, state => game.truncation(state))
    }

    fn facts(&self, state: &AnyState) -> Vec<Term> {
        on_game!(self, state, game, state => game.facts(state))
    }

    fn fact_terms(&self) -> Vec<Term> {
        on_game!(self, game => game.fact_terms())
    }

    fn for_each_fact(&self, state: &AnyState, see: &mut dyn FnMut(Fact<'_>)) {
        on_game!(self, state, game, state => game.for_each_fact(state, see));
    }

    fn state_with(&self, facts: &[Term]) -> Result<AnyState, FactsError> {
        match self {
            AnyGame::Rules(game) => game.state_with(facts).map(AnyState::Rules),
            AnyGame::Sheet(game) => game.state_with(facts).map(AnyState::Sheet),
        }
    }

    fn move_term(&self, state: &AnyState, role: Role, choice: &AnyMove) -> Term {
        match (self, state) {
            (AnyGame::Rules(game), AnyState::Rules(state)) => game.move_term(state, role, rules_move(choice)),
            (AnyGame::Sheet(game), AnyState::Sheet(state)) => game.move_term(state, role, sheet_move(choice)),
            _ => foreign(),
        }
    }

    fn move_names(&self, state: &AnyState, role: Role, moves: &[AnyMove]) -> Vec<String> {
        match (self, state) {
            (AnyGame::Rules(game), AnyState::Rules(state)) => {
                let moves: Vec<Move> = moves.iter().map(|choice| rules_move(choice).clone()).collect();
                game.move_names(state, role, &moves)
            }
            (AnyGame::Sheet(game), AnyState::Sheet(state)) => {
                let moves: Vec<GdlMove> = moves.iter().map(|choice| sheet_move(choice).clone()).collect();
                game.move_names(state, role, &moves)
            }
            _ => foreign(),
        }
    }

    fn state_bytes(&self) -> usize {
        on_game!(self, game => game.state_bytes())
    }

    fn sheet(&self) -> Option<&GdlGame> {
        match self {
            AnyGame::Rules(_) => None,
            AnyGame::Sheet(game) => Some(game),
        }
    }

    fn position(&self, state: &AnyState) -> Option<Position> {
        on_game!(self, state, game, state => game.position(state))
    }

    fn count(&self, state: &AnyState) -> u64 {
        on_game!(self, state, game, state => game.count(state))
    }

    fn play_at_random(
        &self,
        state: &mut AnyState,
        chance: &mut Chance,
        _: &mut Vec<AnyMove>,
        _: &mut Vec<AnyMove>,
    ) -> bool {
        // Neither game needs room for its moves, but for sheets without a network, to which it makes no difference.
        on_game!(self, state, game, state => game.play_at_random(state, chance, &mut Vec::new(), &mut Vec::new()))
    }

    // So that it is decided once a playout which game it is, and not at every move.
    fn play_many_at_random(
        &self,
        state: &mut AnyState,
        limit: u64,
        chance: &mut Chance,
        stop: &AtomicBool,
        _: &mut Vec<AnyMove>,
        _: &mut Vec<AnyMove>,
    ) -> (u64, Halt) {
        on_game!(self, state, game, state => {
            game.play_many_at_random(state, limit, chance, stop, &mut Vec::new(), &mut Vec::new())
        })
    }
}
