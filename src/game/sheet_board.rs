//! A rule sheet seen as a board game: which of its facts are squares, which way is up, and whose pieces are whose.
//!
//! Nothing here knows what relations or pieces are called. Games are played at random, and a relation is a board if two of
//! its places tell squares, in every state with at most one thing on each. What appears only when one role moves is that
//! role's piece; what is left behind is an empty square. Then moves can be told as words ([`crate::observe::infer_moves`]) and games as
//! records, and rules can be learnt from them like from any log.

use super::simulate::SimulationPlan;
use super::{Chance, Fact, FactId, Game, GdlGame, GdlMove, GdlState, Goals, Role, Roles, Term};
use crate::board::{Cell, Player, Position, Shape, Square};
use crate::observe::{Cause, Listing, Move, Outcome, Record};
use crate::observe::{HopReading, infer_moves};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

/// How the facts of a sheet tell a board.
#[derive(Clone, Debug)]
pub struct SheetBoard {
    pub(super) layout: BoardLayout,
    /// What the contents are on the board.
    pub(super) cells: HashMap<SquareContent, Cell>,
    /// The board with nothing on it.
    pub(super) bare: Position,
    /// The role that moves first, and the one that moves second if there are two.
    pub(super) roles: Vec<Role>,
}

/// Where in a fact the square is told, and the names of files and ranks in their order.
#[derive(Clone, Debug)]
pub(super) struct BoardLayout {
    pub relation: String,
    pub arguments: usize,
    /// The places of file and rank.
    pub places: [usize; 2],
    pub files: HashMap<Term, usize>,
    pub ranks: HashMap<Term, usize>,
}

/// What a fact says of its square: all its other places.
pub(super) type SquareContent = Vec<Term>;

/// Why a sheet is not seen as a board game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoBoard {
    /// It is for so many roles.
    Roles(usize),
    /// Several roles choose at the same time.
    AtTheSameTime(Vec<String>),
    /// A role chooses when it is not its turn.
    OutOfTurn(String),
    /// No relation tells squares with at most one thing on each.
    NoSquares,
    /// Its moves change nothing on what looks like a board, or not as pieces do.
    NoPieces {
        /// The relation that tells the board.
        relation: String,
        /// A move that no word tells.
        example: String,
    },
    /// This appears when one role moves and when the other does.
    Neutral(String),
    /// There are more kinds of pieces than letters.
    TooManyKinds(usize),
    /// In some state something is on the board that was in none of the games it was found from.
    Unseen(String),
    /// A state could not be worked out.
    TooLarge(String),
    /// A state is so many atoms of work, too many for the thousands of states that must be seen.
    TooSlow(u64),
    /// A role has to pass.
    Passes(String),
    /// What a move does cannot be told in micro-moves.
    NoWord {
        /// The role's name.
        role: String,
        /// The move.
        choice: String,
    },
}

impl fmt::Display for NoBoard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NoBoard::Roles(roles) => write!(f, "it is for {roles} players, and rules on a board are for one or two"),
            NoBoard::AtTheSameTime(roles) => write!(f, "{} move at the same time", roles.join(" and ")),
            NoBoard::OutOfTurn(role) => write!(f, "players do not take turns one by one: {role} moves twice in a row"),
            NoBoard::NoSquares => f.write_str(
                "its facts describe no board: no relation has two places that tell a square with at most one thing on it",
            ),
            NoBoard::NoPieces { relation, example } => write!(
                f,
                "facts of '{relation}' look like squares, but moves do not change them as pieces do: {example} cannot be told \
                 as a drop or as the move of a piece"
            ),
            NoBoard::Neutral(content) => write!(f, "{content} appears in the turns of both players and belongs to neither"),
            NoBoard::TooManyKinds(kinds) => write!(f, "it has {kinds} kinds of pieces, more than there are letters"),
            NoBoard::Unseen(fact) => {
                write!(f, "{fact} was in none of the random games that the board was found from")
            }
            NoBoard::TooLarge(error) => f.write_str(error),
            NoBoard::TooSlow(atoms) => write!(
                f,
                "some {atoms} atoms are looked at to work out one state, and games of thousands of states would have to be \
                 watched"
            ),
            NoBoard::Passes(role) => write!(f, "{role} may do nothing, and rules on a board know no passes"),
            NoBoard::NoWord { role, choice } => write!(
                f,
                "what {choice} of {role} does to the board cannot be told as a drop or as the move of one piece"
            ),
        }
    }
}

impl std::error::Error for NoBoard {}

impl SheetBoard {
    /// The relation that tells the board.
    pub fn relation(&self) -> &str {
        &self.layout.relation
    }

    /// The size of the board.
    pub fn shape(&self) -> Shape {
        self.bare.shape()
    }

    /// The roles in the order in which they move.
    pub fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// The board in a state with these facts.
    pub fn position(&self, facts: &[Term]) -> Result<Position, NoBoard> {
        let mut position = self.bare.clone();
        for fact in facts {
            if let Some((square, cell)) = self.read(fact)? {
                position.set(square, cell);
            }
        }
        Ok(position)
    }

    /// The square of a fact and what is on it; `None` if the fact does not speak of the board.
    fn read(&self, fact: &Term) -> Result<Option<(Square, Cell)>, NoBoard> {
        let Some((square, content)) = self.layout.read(fact, self.shape()) else { return Ok(None) };
        match square.zip(self.cells.get(&content).copied()) {
            // What never moves makes its square a hole.
            Some((square, Cell::WALL)) if self.bare.at(square) == Cell::HOLE => Ok(None),
            Some((square, cell)) if self.bare.at(square) != Cell::HOLE => Ok(Some((square, cell))),
            Some(_) => Err(NoBoard::Unseen(fact.to_string())),
            None => Err(NoBoard::Unseen(fact.to_string())),
        }
    }

    /// A random game of the sheet by its number, counted from 0, as records. Moves are told straight.
    pub fn random_game(&self, game: &GdlGame, plan: &SimulationPlan, number: u64) -> Result<Vec<Record>, NoBoard> {
        let mut chance = Chance::stream(plan.seed, number);
        let mut records = Vec::new();
        let mut reader = FactReader { board: self, game, known: FxHashMap::default() };
        let (mut state, mut choices) = (game.start(), Vec::new());
        for ply in 0.. {
            let turn = self.turn(ply);
            let mut record = Record {
                number: ply + 1,
                position: reader.position(&state)?,
                outcome: None,
                cause: Cause::Position,
                turn,
                listing: plan.listing,
                moves: Vec::new(),
            };
            if let Some(error) = game.truncation(&state) {
                return Err(NoBoard::TooLarge(error.to_string()));
            }
            if let Some(goals) = game.goals(&state) {
                record.outcome = Some(self.outcome(&goals, turn));
            } else if ply == plan.plies {
                (record.outcome, record.cause) = (Some(Outcome::Tied), Cause::Cut);
            }
            if record.outcome.is_some() {
                records.push(record);
                break;
            }
            let role = self.roles[turn.index()];
            check_turn(game, &state, role)?;
            legal(game, &state, role, &mut choices);
            let played = chance.below(choices.len());
            choices.swap(0, played);
            let listed = if plan.listing == Listing::All { choices.len() } else { 1 };
            // Two moves of the sheet that do the same are one.
            let mut told_before = FxHashSet::default();
            let to_move = game.to_move(&state);
            for choice in &choices[..listed] {
                let reached = reader.position_after(&mut state, to_move, choice)?;
                let told = infer_moves(&record.position, &reached, turn, HopReading::Straight);
                let name = || game.roles()[role.index()].clone();
                match told.first() {
                    None => return Err(NoBoard::NoWord { role: name(), choice: choice.term(game, &state, role) }),
                    Some(Move::Pass) => return Err(NoBoard::Passes(name())),
                    Some(Move::Word { .. }) => {}
                }
                record.moves.extend(told.into_iter().filter(|told| told_before.insert(told.clone())));
            }
            records.push(record);
            game.play(&mut state, choices[0].as_slice());
        }
        Ok(records)
    }

    /// Who is to move after so many turns.
    pub(super) fn turn(&self, plies: u32) -> Player {
        if self.roles.len() == 2 && plies % 2 == 1 { Player::Second } else { Player::First }
    }

    /// What the player has got who moved before `turn`: more or less than the other, or in a game for one than half.
    fn outcome(&self, goals: &Goals, turn: Player) -> Outcome {
        let goal = |role: Role| goals[role.index()].unwrap_or(0);
        let just_moved = if self.roles.len() == 2 { turn.other() } else { turn };
        let own = goal(self.roles[just_moved.index()]);
        let other = self.roles.get(just_moved.other().index()).map_or(50, |&role| goal(role));
        match own.cmp(&other) {
            Ordering::Greater => Outcome::Won,
            Ordering::Equal => Outcome::Tied,
            Ordering::Less => Outcome::Lost,
        }
    }
}

/// Reads boards off states; each fact that has a number is made sense of once.
struct FactReader<'a> {
    board: &'a SheetBoard,
    game: &'a GdlGame,
    known: FxHashMap<FactId, Option<(Square, Cell)>>,
}

impl FactReader<'_> {
    fn position(&mut self, state: &GdlState) -> Result<Position, NoBoard> {
        let mut page = Page { position: self.board.bare.clone(), refused: None };
        self.game.for_each_fact(state, &mut |fact| self.add(&mut page, fact));
        page.finish()
    }

    /// The board after a choice.
    fn position_after(
        &mut self,
        state: &mut GdlState,
        to_move: Roles,
        choice: &SheetMove,
    ) -> Result<Position, NoBoard> {
        let mut page = Page { position: self.board.bare.clone(), refused: None };
        let game = self.game;
        let mut add = |fact: Fact| self.add(&mut page, fact);
        let worked_out = game.for_each_fact_after(state, to_move, choice.as_slice(), &mut add);
        worked_out.map_err(|error| NoBoard::TooLarge(error.to_string()))?;
        page.finish()
    }

    fn add(&mut self, page: &mut Page, fact: Fact) {
        let read = match fact {
            Fact::Unnumbered(fact) => self.board.read(fact),
            Fact::Numbered(number) => match self.known.get(&number) {
                Some(read) => Ok(*read),
                None => self.board.read(&self.game.fact_term(number)).inspect(|read| {
                    self.known.insert(number, *read);
                }),
            },
        };
        match read {
            Ok(Some((square, cell))) => page.position.set(square, cell),
            Ok(None) => {}
            Err(reason) => page.refused = Some(reason),
        }
    }
}

/// A board as far as it has been read.
struct Page {
    position: Position,
    refused: Option<NoBoard>,
}

impl Page {
    fn finish(self) -> Result<Position, NoBoard> {
        self.refused.map_or(Ok(self.position), Err)
    }
}

/// What a role does: one of its moves, or the only one it has, which the game makes by itself.
enum SheetMove {
    Chosen(GdlMove),
    Only,
}

impl SheetMove {
    /// As a joint move, to which the game adds every only move.
    fn as_slice(&self) -> &[GdlMove] {
        match self {
            SheetMove::Chosen(choice) => std::slice::from_ref(choice),
            SheetMove::Only => &[],
        }
    }

    fn term(&self, game: &GdlGame, state: &GdlState, role: Role) -> String {
        match self {
            SheetMove::Chosen(choice) => game.move_term(state, role, choice).to_string(),
            SheetMove::Only => game.only_move(state, role).to_string(),
        }
    }
}

/// The choices of the role whose turn it is.
fn legal(game: &GdlGame, state: &GdlState, role: Role, choices: &mut Vec<SheetMove>) {
    choices.clear();
    if game.to_move(state).contains(role) {
        let mut moves = Vec::new();
        game.legal(state, role, &mut moves);
        choices.extend(moves.into_iter().map(SheetMove::Chosen));
    } else {
        choices.push(SheetMove::Only);
    }
}

/// Whether nobody but the role whose turn it is has anything to choose.
pub(super) fn check_turn(game: &GdlGame, state: &GdlState, role: Role) -> Result<(), NoBoard> {
    let to_move = game.to_move(state);
    let name = |role: Role| game.roles()[role.index()].clone();
    if to_move.len() > 1 {
        return Err(NoBoard::AtTheSameTime(to_move.iter().map(name).collect()));
    }
    let mut moves = Vec::new();
    match to_move.iter().find(|&other| other != role) {
        Some(other) => {
            game.legal(state, other, &mut moves);
            if moves.len() > 1 { Err(NoBoard::OutOfTurn(name(other))) } else { Ok(()) }
        }
        None => Ok(()),
    }
}

impl BoardLayout {
    /// The square of a fact and what is on it; `None` if the fact tells no square.
    pub fn read(&self, fact: &Term, shape: Shape) -> Option<(Option<Square>, SquareContent)> {
        let parts = parts_of(fact, &self.relation, self.arguments)?;
        let [file, rank] = self.places;
        let square = match (self.files.get(&parts[file]), self.ranks.get(&parts[rank])) {
            (Some(&file), Some(&rank)) => shape.square(file, rank),
            _ => None,
        };
        let rest = parts.iter().enumerate().filter(|(place, _)| !self.places.contains(place));
        Some((square, rest.map(|(_, part)| part.clone()).collect()))
    }
}

pub(super) fn parts_of<'a>(fact: &'a Term, relation: &str, arguments: usize) -> Option<&'a [Term]> {
    fact.arguments_of(relation).filter(|parts| parts.len() == arguments)
}
