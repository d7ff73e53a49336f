//! The board of a rule sheet: how its facts are read as positions, and its games as records.
//!
//! Nothing here knows what relations or pieces are called. Games are played at random, and a relation is a board if two of
//! its arguments name squares, in every state with at most one thing on each. What appears only when one role moves is that
//! role's piece; what is left behind is an empty square. Then moves can be written as words
//! ([`infer_moves`](crate::observe::infer_moves)) and games as records, and rules can be learnt from them as from any log.

use crate::board::{Cell, Player, Position, Shape, Square};
use crate::game::{
    Chance, Fact, FactId, Game, GdlGame, GdlMove, GdlState, Goals, Role, Roles, SimulationPlan, Term, Truncation,
};
use crate::observe::{Cause, HopReading, Listing, Move, Outcome, Record, infer_moves};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::collections::HashMap;

/// How the facts of a rule sheet are read as a board.
///
/// ```
/// use onlooker::game::{GdlGame, SimulationPlan};
/// use onlooker::gdl::{Engine, GroundingLimits, Program};
/// use onlooker::observe::Listing;
/// use onlooker::relearn::SheetBoard;
/// use std::sync::atomic::AtomicBool;
///
/// let program = Program::read("
///     (role x) (init (at 1 1)) (succ 1 2) (succ 2 3) (succ 3 4) (file 1) (file 2)
///     (<= (legal x (go ?to)) (true (at ?f ?r)) (succ ?r ?next) (file ?to))
///     (<= (next (at ?to ?next)) (does x (go ?to)) (true (at ?f ?r)) (succ ?r ?next))
///     (<= terminal (true (at ?f 4))) (goal x 100)")?;
/// let game = GdlGame::new("race", program, Engine::Fast, &GroundingLimits::default())?;
/// let board = SheetBoard::find(&game, &AtomicBool::new(false))?;
/// assert_eq!((board.relation(), board.shape().to_string()), ("at", "2x4".to_owned()));
/// let plan = SimulationPlan { games: 1, listing: Listing::All, seed: 1, plies: 100 };
/// assert_eq!(board.random_game(&game, &plan, 0)?.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SheetBoard {
    pub(super) layout: BoardLayout,
    /// What the contents are on the board.
    pub(super) cells: HashMap<SquareContent, Cell>,
    /// The board with nothing on it.
    pub(super) bare: Position,
    /// The role that moves first, and the one that moves second if there are two.
    pub(super) roles: Vec<Role>,
    /// How many random games it was found from.
    pub(super) walks: u64,
}

/// Where in a fact the square is named, and the names of files and ranks in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Why a rule sheet is not seen as a board game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoBoard {
    /// It is for so many roles.
    #[error("it is for {0} players, and rules on a board are for one or two")]
    Roles(usize),
    /// Several roles choose at the same time.
    #[error("{} move at the same time", .0.join(" and "))]
    AtTheSameTime(Vec<String>),
    /// A role chooses when it is not its turn.
    #[error("players do not take turns one by one: {0} moves twice in a row")]
    OutOfTurn(String),
    /// No relation names squares with at most one thing on each.
    #[error(
        "its facts describe no board: no relation has two arguments that name a square with at most one thing on it"
    )]
    NoSquares,
    /// Its moves change nothing on what looks like a board, or not as pieces do.
    #[error(
        "facts of '{relation}' look like squares, but moves do not change them as pieces do: {} cannot be told as a drop or \
         as the move of a piece", .ply.map_or("no move".to_owned(), |ply| format!("move {ply} of a game"))
    )]
    NoPieces {
        /// The relation of the squares.
        relation: String,
        /// A move that no word describes, counted from 1 in its game, if there was any move at all.
        ply: Option<u32>,
    },
    /// This appears when one role moves and when the other does.
    #[error("{0} appears in the turns of both players and belongs to neither")]
    Neutral(String),
    /// There are more kinds of pieces than letters.
    #[error("it has {0} kinds of pieces, more than there are letters")]
    TooManyKinds(usize),
    /// In some state this fact is on the board, which was in none of the games it was found from.
    #[error("{0} was in none of the random games that the board was found from")]
    Unseen(Term),
    /// A state could not be worked out.
    #[error(transparent)]
    TooLarge(#[from] Truncation),
    /// A state is so many atoms of work, too many for the thousands of states that must be seen.
    #[error(
        "some {0} atoms are looked at to work out one state, and games of thousands of states would have to be watched"
    )]
    TooSlow(u64),
    /// A role has to pass.
    #[error("{0} may do nothing, and rules on a board know no passes")]
    Passes(String),
    /// What a move does cannot be written in micro-moves.
    #[error("what {choice} of {role} does to the board is neither a drop nor the move of one piece")]
    NoWord {
        /// The role's name.
        role: String,
        /// The move.
        choice: Term,
    },
    /// The search for it was stopped from outside.
    #[error("it was stopped")]
    Interrupted,
}

impl SheetBoard {
    /// The relation of its squares.
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

    /// The position in a state with these facts.
    ///
    /// # Errors
    ///
    /// [`NoBoard::Unseen`] if one of the facts was in none of the games that the board was found from.
    pub fn position(&self, facts: &[Term]) -> Result<Position, NoBoard> {
        let mut position = self.bare.clone();
        for fact in facts {
            if let Some((square, cell)) = self.square_of(fact)? {
                position.set(square, cell);
            }
        }
        Ok(position)
    }

    /// The board with nothing on it.
    pub fn bare(&self) -> &Position {
        &self.bare
    }

    /// The square of a fact and what is on it; `None` if the fact is not about the board.
    ///
    /// # Errors
    ///
    /// [`NoBoard::Unseen`] if the fact was in none of the games that the board was found from.
    pub fn square_of(&self, fact: &Term) -> Result<Option<(Square, Cell)>, NoBoard> {
        let Some((square, content)) = self.layout.read(fact, self.shape()) else { return Ok(None) };
        match square.zip(self.cells.get(&content).copied()) {
            // What never moves makes its square a hole.
            Some((square, Cell::WALL)) if self.bare.at(square) == Cell::HOLE => Ok(None),
            Some((square, cell)) if self.bare.at(square) != Cell::HOLE => Ok(Some((square, cell))),
            Some(_) | None => Err(NoBoard::Unseen(fact.clone())),
        }
    }

    /// Whether everything that another board of the same sheet reads is read here in the same way.
    pub(super) fn extends(&self, other: &SheetBoard) -> bool {
        let reads_alike = |(content, cell): (&SquareContent, &Cell)| self.cells.get(content) == Some(cell);
        self.layout == other.layout
            && self.bare == other.bare
            && self.roles == other.roles
            && other.cells.iter().all(reads_alike)
    }

    /// The records of a random game of the sheet by its number, counted from 0. Moves are read straight.
    ///
    /// # Errors
    ///
    /// Why the game does not fit on the board.
    pub fn random_game(&self, game: &GdlGame, plan: &SimulationPlan, number: u64) -> Result<Vec<Record>, NoBoard> {
        let mut records = Vec::new();
        self.for_each_record(game, plan, number, &mut |record| {
            records.push(record.clone());
            true
        })?;
        Ok(records)
    }

    /// Plays the same game and shows every record, as long as `show` wants to see more; whether the game came to its end.
    pub(super) fn for_each_record(
        &self,
        game: &GdlGame,
        plan: &SimulationPlan,
        number: u64,
        show: &mut dyn FnMut(&Record) -> bool,
    ) -> Result<bool, NoBoard> {
        let mut chance = Chance::stream(plan.seed, number);
        let mut reader = FactReader { board: self, game, known: FxHashMap::default() };
        let mut state = game.start();
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
                return Err(NoBoard::TooLarge(error));
            }
            if let Some(goals) = game.goals(&state) {
                record.outcome = Some(self.outcome(&goals, turn));
            } else if ply == plan.plies {
                (record.outcome, record.cause) = (Some(Outcome::Tied), Cause::Cut);
            }
            if record.outcome.is_some() {
                show(&record);
                break;
            }
            let role = self.roles[turn.index()];
            check_turn(game, &state, role)?;
            let mut choices = legal(game, &state, role);
            let played = chance.below(choices.len());
            choices.swap(0, played);
            let listed = if plan.listing == Listing::All { choices.len() } else { 1 };
            // Two moves of the sheet that do the same are one.
            let mut listed_before = FxHashSet::default();
            let to_move = game.to_move(&state);
            for choice in &choices[..listed] {
                let reached = reader.position_after(&mut state, to_move, choice)?;
                let words = infer_moves(&record.position, &reached, turn, HopReading::Straight);
                let name = || game.roles()[role.index()].clone();
                match words.first() {
                    None => return Err(NoBoard::NoWord { role: name(), choice: choice.term(game, &state, role) }),
                    Some(Move::Pass) => return Err(NoBoard::Passes(name())),
                    Some(Move::Word { .. }) => {}
                }
                record.moves.extend(words.into_iter().filter(|word| listed_before.insert(word.clone())));
            }
            if !show(&record) {
                return Ok(false);
            }
            game.play(&mut state, choices[0].as_slice());
        }
        Ok(true)
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
        worked_out.map_err(Truncation::from)?;
        page.finish()
    }

    fn add(&mut self, page: &mut Page, fact: Fact) {
        let read = match fact {
            Fact::Unnumbered(fact) => self.board.square_of(fact),
            Fact::Numbered(number) => match self.known.get(&number) {
                Some(read) => Ok(*read),
                None => self.board.square_of(&self.game.fact_term(number)).inspect(|read| {
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

    fn term(&self, game: &GdlGame, state: &GdlState, role: Role) -> Term {
        match self {
            SheetMove::Chosen(choice) => game.move_term(state, role, choice),
            SheetMove::Only => game.only_move(state, role),
        }
    }
}

/// The choices of the role whose turn it is.
fn legal(game: &GdlGame, state: &GdlState, role: Role) -> Vec<SheetMove> {
    if !game.to_move(state).contains(role) {
        return vec![SheetMove::Only];
    }
    let mut moves = Vec::new();
    game.legal(state, role, &mut moves);
    moves.into_iter().map(SheetMove::Chosen).collect()
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
    /// The square of a fact and what is on it; `None` if the fact names no square.
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
