//! Compiled rules as a game.

use super::{Chance, FactsError, Game, Goals, Role, Roles, Term};
use crate::board::{Cell, Content, Player, Position, Square, Word};
use crate::rules::{CompileError, Condition, Engine, Move, Rules, State, TooManyTurns, UnknownPiece, Verdict};
use smallvec::smallvec;
use std::collections::HashMap;
use std::fmt::Write;

/// A board game that runs from its [`Rules`].
#[derive(Debug)]
pub struct RulesGame {
    rules: Rules,
    engine: Engine,
    /// Whether some ending asks how many turns have been played, so that it is a fact.
    counts_plies: bool,
}

impl RulesGame {
    /// Compiles rules.
    pub fn new(rules: Rules) -> Result<RulesGame, CompileError> {
        let engine = Engine::compile(&rules)?;
        let counts_plies = rules.endings.iter().any(|ending| matches!(ending.when, Condition::Plies(_)));
        Ok(RulesGame { rules, engine, counts_plies })
    }

    /// The rules it runs from.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whether a position had too many turns since the game was made, so that what was said of it is not the whole truth.
    pub fn truncated(&self) -> Option<TooManyTurns> {
        self.engine.truncated()
    }

    /// The player who is to move.
    pub fn turn(&self, state: &State) -> Player {
        state.turn()
    }

    /// The player who has just moved; in games for one, that player.
    pub fn just_moved(&self, state: &State) -> Player {
        self.engine.just_moved(state)
    }

    /// What the player who has just moved has got, if the game is over.
    pub fn verdict(&self, state: &State) -> Option<Verdict> {
        self.engine.verdict(state)
    }

    /// A legal move as the log writes it.
    pub fn word(&self, state: &State, choice: &Move) -> (Square, Word) {
        (choice.origin(), self.engine.word(state, choice))
    }

    /// The board.
    pub fn board(&self, state: &State) -> Position {
        self.engine.position(state)
    }

    /// The state in which a position stands with a player to move and so many turns played.
    pub fn state(&self, position: &Position, turn: Player, plies: u32) -> Result<State, UnknownPiece> {
        self.engine.state(position, turn, plies)
    }

    /// The squares of a move, one after another, and what it puts down on the way.
    fn full_name(&self, state: &State, choice: &Move) -> String {
        let shape = self.rules.setup.shape();
        let (start, word) = self.word(state, choice);
        let mut at = start;
        let mut name = shape.name(start).to_string();
        for micro in &word.0 {
            if let Content::Add(Some(cell)) = micro.content {
                let _ = write!(name, "={cell}");
            } else if let Some(next) = shape.step(at, micro.dx, micro.dy) {
                at = next;
                let _ = write!(name, "-{}", shape.name(at));
            }
        }
        name
    }

    fn short_name(&self, state: &State, choice: &Move) -> String {
        let shape = self.rules.setup.shape();
        let (stops, becomes) = self.engine.stops(state, choice);
        let squares: Vec<String> = stops.iter().map(|&square| shape.name(square).to_string()).collect();
        match becomes {
            // A drop is told by its square.
            Some(cell) if stops.len() > 1 => format!("{}={cell}", squares.join("-")),
            _ => squares.join("-"),
        }
    }
}

/// The names of facts.
const CELL: &str = "cell";
const CONTROL: &str = "control";
const PLIES: &str = "plies";
/// How facts call an empty square and a wall: pieces have names of their own.
const BLANK: &str = "blank";
const WALL: &str = "wall";

impl Game for RulesGame {
    type State = State;
    type Move = Move;

    fn name(&self) -> &str {
        &self.rules.name
    }

    fn roles(&self) -> &[String] {
        &self.rules.players
    }

    fn start(&self) -> State {
        self.engine.start()
    }

    fn to_move(&self, state: &State) -> Roles {
        Roles::one(Role(state.turn().index() as u8))
    }

    fn legal(&self, state: &State, role: Role, moves: &mut Vec<Move>) {
        debug_assert!(self.to_move(state).contains(role));
        self.engine.moves(state, moves);
    }

    fn play(&self, state: &mut State, joint: &[Move]) {
        self.engine.play(state, &joint[0]);
    }

    fn goals(&self, state: &State) -> Option<Goals> {
        let (won, lost) = match self.engine.verdict(state)? {
            Verdict::Win => (100, 0),
            Verdict::Lose => (0, 100),
            Verdict::Tie => (50, 50),
        };
        let first = self.just_moved(state) == Player::First;
        let mut goals: Goals = smallvec![Some(if first { won } else { lost }), Some(if first { lost } else { won })];
        goals.truncate(self.rules.players.len());
        Some(goals)
    }

    fn facts(&self, state: &State) -> Vec<Term> {
        let position = self.engine.position(state);
        let shape = position.shape();
        let cell = |square: Square| {
            let content = match position.at(square) {
                Cell::EMPTY => Term::name(BLANK),
                Cell::WALL => Term::name(WALL),
                piece => Term::name(piece),
            };
            Term::apply(CELL, [Term::name(shape.file(square) + 1), Term::name(shape.rank(square) + 1), content])
        };
        let mut facts: Vec<Term> = shape.all().filter(|&s| position.at(s) != Cell::HOLE).map(cell).collect();
        facts.push(Term::apply(CONTROL, [Term::name(&self.rules.players[state.turn().index()])]));
        if self.counts_plies {
            facts.push(Term::apply(PLIES, [Term::name(state.plies())]));
        }
        facts
    }

    fn state_with(&self, facts: &[Term]) -> Result<State, FactsError> {
        let shape = self.rules.setup.shape();
        let mut position = self.rules.setup.clone();
        let (mut turn, mut plies) = (None, None);
        let mut told = vec![false; shape.squares()];
        for fact in facts {
            let refuse = |reason: &str| FactsError { fact: Some(fact.clone()), reason: reason.to_owned() };
            let number = |term: &Term| term.as_name().and_then(|name| name.parse::<u32>().ok());
            if let Some([file, rank, content]) = fact.arguments_of(CELL) {
                let at = |term| number(term).and_then(|n: u32| n.checked_sub(1)).map(|n| n as usize);
                let square = at(file).zip(at(rank)).and_then(|(file, rank)| shape.square(file, rank));
                let square = square.filter(|&square| position.at(square) != Cell::HOLE);
                let square = square.ok_or_else(|| refuse("the board has no such square"))?;
                if std::mem::replace(&mut told[square.index()], true) {
                    return Err(refuse("the square has two facts"));
                }
                let cell = match content.as_name() {
                    Some(BLANK) => Ok(Cell::EMPTY),
                    Some(WALL) => Ok(Cell::WALL),
                    Some(name) => Cell::named(name).map_err(|_| refuse("there is no such piece")),
                    None => Err(refuse("expected a piece's name")),
                }?;
                position.set(square, cell);
            } else if let Some([player]) = fact.arguments_of(CONTROL) {
                let number = self.rules.players.iter().position(|name| player.as_name() == Some(name));
                turn = Some(match number.ok_or_else(|| refuse("there is no such player"))? {
                    0 => Player::First,
                    _ => Player::Second,
                });
            } else if let Some([count]) = fact.arguments_of(PLIES) {
                plies = Some(number(count).ok_or_else(|| refuse("expected a number"))?);
            } else {
                return Err(refuse("the game has no such fact"));
            }
        }
        let missing = |reason: String| FactsError { fact: None, reason };
        if let Some(square) = shape.all().find(|&s| !told[s.index()] && self.rules.setup.at(s) != Cell::HOLE) {
            return Err(missing(format!("there is no fact for square {}", shape.name(square))));
        }
        let turn = turn.ok_or_else(|| missing("nobody is to move".to_owned()))?;
        if plies.is_some() != self.counts_plies {
            return Err(missing("the number of turns played is missing, or not part of this game".to_owned()));
        }
        self.engine.state(&position, turn, plies.unwrap_or(0)).map_err(|error| missing(error.to_string()))
    }

    fn move_term(&self, state: &State, _role: Role, choice: &Move) -> Term {
        let (start, word) = self.word(state, choice);
        let start = Term::name(self.rules.setup.shape().name(start));
        let micro_moves = word
            .0
            .iter()
            .map(|micro| Term::List(vec![Term::name(micro.dx), Term::name(micro.dy), Term::name(micro.content)]));
        Term::apply("move", std::iter::once(start).chain(micro_moves))
    }

    fn move_names(&self, state: &State, _role: Role, moves: &[Move]) -> Vec<String> {
        let mut names: Vec<String> = moves.iter().map(|choice| self.short_name(state, choice)).collect();
        let longer: [&dyn Fn(&Move) -> String; 2] = [&|choice| self.full_name(state, choice), &|choice| {
            let (start, word) = self.word(state, choice);
            format!("{} {word}", self.rules.setup.shape().name(start))
        }];
        for name in longer {
            let mut seen: HashMap<String, usize> = HashMap::new();
            names.iter().for_each(|name| *seen.entry(name.clone()).or_default() += 1);
            for (at, choice) in moves.iter().enumerate() {
                if seen.get(&names[at]).is_some_and(|&times| times > 1) {
                    names[at] = name(choice);
                }
            }
        }
        names
    }

    fn position(&self, state: &State) -> Option<Position> {
        Some(self.engine.position(state))
    }

    fn count(&self, state: &State) -> u64 {
        self.engine.count(state)
    }

    fn play_at_random(&self, state: &mut State, chance: &mut Chance, _: &mut Vec<Move>, _: &mut Vec<Move>) -> bool {
        self.engine.play_picked(state, |count| chance.below(count))
    }
}
