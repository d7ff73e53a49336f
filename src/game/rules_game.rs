//! Compiled rules as a game.

use super::{Chance, Fact, FactId, FactsError, Game, Goals, Role, Roles, Term, Truncation};
use crate::board::{Cell, Content, Player, Position, Square, Word};
use crate::rules::{CompileError, Engine, Move, Rules, State, UnknownPiece, Verdict};
use smallvec::smallvec;
use std::collections::HashMap;
use std::fmt::Write;

/// A board game that runs from its [`Rules`].
///
/// ```
/// use onlooker::game::{Game, Role, RulesGame};
/// use onlooker::rules::Rules;
///
/// let game = RulesGame::new(Rules::parse(include_str!("../../games/breakthrough.rules"))?)?;
/// let mut moves = Vec::new();
/// game.legal(&game.start(), Role(0), &mut moves);
/// assert_eq!(moves.len(), 22);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RulesGame {
    rules: Rules,
    engine: Engine,
    numbering: FactNumbering,
}

/// How the facts of a board game are numbered: for each square that is not a hole what may stand there, then whose turn it
/// is, then how many turns have been played.
#[derive(Debug)]
struct FactNumbering {
    /// Those of empty squares; what may stand there follows.
    squares: Vec<u32>,
    first_turn: u32,
    first_plies: u32,
    /// How many turns have numbers, if some ending asks for them, so that they are a fact.
    plies: Option<u32>,
}

/// More turns than this have no numbers of their own: nobody can learn anything from so many facts.
const MOST_NUMBERED_PLIES: u32 = 10_000;

impl FactNumbering {
    fn new(rules: &Rules, engine: &Engine) -> FactNumbering {
        let mut next = 0;
        let mut number = |cell: &Cell| {
            let first = next;
            next += if *cell == Cell::HOLE { 0 } else { 1 + engine.kinds().len() as u32 };
            first
        };
        let squares = rules.setup.cells().iter().map(&mut number).collect();
        // An ending for one player may come a turn late.
        let most = rules.endings.iter().filter_map(|ending| ending.when.plies());
        let most = most.map(|plies| plies.saturating_add(2).min(MOST_NUMBERED_PLIES));
        let first_plies = next + rules.players.len() as u32;
        FactNumbering { squares, first_turn: next, first_plies, plies: most.max() }
    }
}

impl RulesGame {
    /// Compiles rules.
    ///
    /// # Errors
    ///
    /// [`CompileError`] if the rules have flaws, or a movement is too large or repeats nothing but guards.
    pub fn new(rules: Rules) -> Result<RulesGame, CompileError> {
        let engine = Engine::compile(&rules)?;
        let numbering = FactNumbering::new(&rules, &engine);
        Ok(RulesGame { rules, engine, numbering })
    }

    /// The rules it runs from.
    pub fn rules(&self) -> &Rules {
        &self.rules
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
        self.engine.verdict(state).ok().flatten()
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
    ///
    /// # Errors
    ///
    /// [`UnknownPiece`] if the board has another shape, or holds something that the rules do not know.
    pub fn state(&self, position: &Position, turn: Player, plies: u32) -> Result<State, UnknownPiece> {
        self.engine.state(position, turn, plies)
    }

    fn cell_fact(&self, square: Square, cell: Cell) -> Term {
        let shape = self.rules.setup.shape();
        let content = match cell {
            Cell::EMPTY => Term::name(BLANK),
            Cell::WALL => Term::name(WALL),
            piece => Term::name(piece),
        };
        Term::apply(CELL, [Term::name(shape.file(square) + 1), Term::name(shape.rank(square) + 1), content])
    }

    fn turn_fact(&self, player: Player) -> Term {
        Term::apply(CONTROL, [Term::name(&self.rules.players[player.index()])])
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

fn plies_fact(plies: u32) -> Term {
    Term::apply(PLIES, [Term::name(plies)])
}

impl Game for RulesGame {
    type State = State;
    type Move = Move;

    fn name(&self) -> &str {
        &self.rules.name
    }

    fn digest(&self) -> Option<String> {
        Some(self.rules.digest())
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
        // A state with too many turns has none; `truncation` says so.
        let _ = self.engine.moves(state, moves);
    }

    fn play(&self, state: &mut State, joint: &[Move]) {
        self.engine.play(state, &joint[0]);
    }

    fn goals(&self, state: &State) -> Option<Goals> {
        let (won, lost) = match self.verdict(state)? {
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
        let squares = shape.all().filter(|&square| position.at(square) != Cell::HOLE);
        let mut facts: Vec<Term> = squares.map(|square| self.cell_fact(square, position.at(square))).collect();
        facts.push(self.turn_fact(state.turn()));
        if self.numbering.plies.is_some() {
            facts.push(plies_fact(state.plies()));
        }
        facts
    }

    fn fact_terms(&self) -> Vec<Term> {
        let (setup, kinds) = (&self.rules.setup, self.engine.kinds());
        let squares = setup.shape().all().filter(|&square| setup.at(square) != Cell::HOLE);
        let contents = || std::iter::once(Cell::EMPTY).chain(kinds.iter().copied());
        let mut facts: Vec<Term> =
            squares.flat_map(|square| contents().map(move |cell| self.cell_fact(square, cell))).collect();
        let players = [Player::First, Player::Second];
        facts.extend(players[..self.rules.players.len()].iter().map(|&player| self.turn_fact(player)));
        facts.extend((0..self.numbering.plies.unwrap_or(0)).map(plies_fact));
        facts
    }

    fn for_each_fact(&self, state: &State, see: &mut dyn FnMut(Fact<'_>)) {
        let numbering = &self.numbering;
        self.engine.for_each_square(state, &mut |square, kind| {
            let content = kind.map_or(0, |kind| kind as u32 + 1);
            see(Fact::Numbered(FactId(numbering.squares[square.index()] + content)));
        });
        see(Fact::Numbered(FactId(numbering.first_turn + state.turn().index() as u32)));
        match numbering.plies {
            None => {}
            Some(plies) if state.plies() < plies => {
                see(Fact::Numbered(FactId(numbering.first_plies + state.plies())));
            }
            Some(_) => see(Fact::Unnumbered(&plies_fact(state.plies()))),
        }
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
        if plies.is_some() != self.numbering.plies.is_some() {
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
        self.engine.count(state).unwrap_or(0)
    }

    fn truncation(&self, state: &State) -> Option<Truncation> {
        let too_many = match self.engine.verdict(state) {
            Ok(Some(_)) => None,
            Ok(None) => self.engine.count(state).err(),
            Err(error) => Some(error),
        };
        too_many.map(Truncation::TooManyTurns)
    }

    fn play_at_random(&self, state: &mut State, chance: &mut Chance, _: &mut Vec<Move>, _: &mut Vec<Move>) -> bool {
        self.engine.play_picked(state, |count| chance.below(count)).unwrap_or(false)
    }
}
