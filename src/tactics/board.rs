//! The board of a game as features of a system: states by the stones that lie there, moves by the square that they fill.

use super::geometry;
use super::ground::{GroundState, GroundSystem, MoveId};
use super::in_line::in_line_system;
use super::language::Name;
use super::system::UpdateSystem;
use crate::board::{Cell, Player, Position, Shape, Square};
use crate::game::{AnyGame, Game, GdlGame, Role};
use crate::learn::Options;
use crate::relearn::{SheetBoard, SheetPlan, SheetReader, learn_sheet};
use crate::rules::{Condition, Rules, Verdict, Ways};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a game's board is read.
#[derive(Clone, Debug)]
pub struct GameBoard {
    /// The name of each square in the system, in the order of the board's squares; none for those around it that are not played on.
    squares: Vec<Option<Name>>,
    players: [Name; 2],
    /// The role of the first of them.
    first: Role,
    /// What reads the facts of a game that does not show its positions.
    sheet: Option<Arc<SheetReader>>,
}

/// A board without the ranks and files around it that are not played on.
struct Frame {
    left: usize,
    bottom: usize,
    width: usize,
    height: usize,
}

impl Frame {
    fn of(start: &Position) -> Frame {
        let shape = start.shape();
        let is_open = |file: usize, rank: usize| shape.square(file, rank).is_some_and(|at| start.at(at) != Cell::HOLE);
        let files: Vec<usize> =
            (0..shape.width()).filter(|&file| (0..shape.height()).any(|rank| is_open(file, rank))).collect();
        let ranks: Vec<usize> =
            (0..shape.height()).filter(|&rank| (0..shape.width()).any(|file| is_open(file, rank))).collect();
        let [left, bottom] = [&files, &ranks].map(|open| open.first().copied().unwrap_or(0));
        let [right, top] = [&files, &ranks].map(|open| open.last().map_or(0, |last| last + 1));
        Frame { left, bottom, width: right - left, height: top - bottom }
    }

    /// The number of a square inside, counted along the ranks.
    fn place(&self, shape: Shape, square: Square) -> Option<usize> {
        let (file, rank) = (shape.file(square).checked_sub(self.left)?, shape.rank(square).checked_sub(self.bottom)?);
        (file < self.width && rank < self.height).then_some(rank * self.width + file)
    }
}

/// A game that no system can follow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// It has no board, or another one.
    #[error("{game} is not played on the board of system {system}")]
    OtherBoard {
        /// The game.
        game: String,
        /// The system.
        system: String,
    },
    /// It has other roles.
    #[error("{game} has {found} players, expected two who move in turn")]
    Roles {
        /// The game.
        game: String,
        /// How many it has.
        found: usize,
    },
    /// It runs from a rule sheet that is not understood as a board game.
    #[error("{game} is not understood as a game on a board: {reason}")]
    Sheet {
        /// The game.
        game: String,
        /// Why.
        reason: String,
    },
    /// Learning the rules of its sheet was stopped.
    #[error(
        "{game}: learning the rules of the sheet was stopped before they accounted for its games, expected more time or a system of your own with --system"
    )]
    Stopped {
        /// The game.
        game: String,
    },
    /// Nothing is known that could describe it.
    #[error(
        "there is no state-update system for {game}: expected a game in which stones are put on a board and so many in a line win, or a system of your own with --system"
    )]
    Unknown {
        /// The game.
        game: String,
    },
}

impl GameBoard {
    /// How a game's board is read with a system. The board of a rule sheet is looked for in its games.
    ///
    /// # Errors
    ///
    /// The game has another board, or other players.
    pub fn new<G: Game>(system: &UpdateSystem, game: &G) -> Result<GameBoard, BoardError> {
        let found = game.roles().len();
        if found != 2 {
            return Err(BoardError::Roles { game: game.name().to_owned(), found });
        }
        let other = || BoardError::OtherBoard { game: game.name().to_owned(), system: system.name.clone() };
        let (sheet, start, first) = match (game.position(&game.start()), game.sheet()) {
            (Some(position), _) => (None, position, Role(0)),
            (None, Some(sheet)) => {
                let board = SheetBoard::find(sheet, &AtomicBool::new(false))
                    .map_err(|reason| BoardError::Sheet { game: game.name().to_owned(), reason: reason.to_string() })?;
                let reader = SheetReader::new(board, sheet);
                let (start, first) = (reader.position(game, &game.start()), reader.board().roles()[0]);
                (Some(Arc::new(reader)), start.ok_or_else(other)?, first)
            }
            (None, None) => return Err(other()),
        };
        let frame = Frame::of(&start);
        if system.board != Some((frame.width, frame.height)) {
            return Err(other());
        }
        let names = geometry::squares(frame.width, frame.height);
        let named = |square| match frame.place(start.shape(), square) {
            Some(place) => system.names.find(&names[place]).map(Some),
            None => Some(None),
        };
        let squares: Option<Vec<Option<Name>>> = start.shape().all().map(named).collect();
        Ok(GameBoard { squares: squares.ok_or_else(other)?, players: system.players, first, sheet })
    }

    /// The position in a state of the game, if it can be read.
    pub fn position<G: Game>(&self, game: &G, state: &G::State) -> Option<Position> {
        match &self.sheet {
            Some(reader) => reader.position(game, state),
            None => game.position(state),
        }
    }

    /// The player of the system that a role of the game is.
    pub fn player(&self, role: Role) -> Name {
        self.players[usize::from(role != self.first)]
    }

    /// The name of a square in the system.
    pub fn name(&self, square: Square) -> Option<Name> {
        self.squares[square.index()]
    }

    /// The features of a position: stones are put down until all lie there; `None` if some never can.
    pub fn state(&self, ground: &GroundSystem, position: &Position) -> Option<GroundState> {
        let mut left: Vec<MoveId> = position
            .shape()
            .all()
            .filter_map(|square| ground.move_id(self.name(square)?, self.players[position.at(square).owner()?.index()]))
            .collect();
        let mut state = ground.state(&ground.system.start_state());
        while !left.is_empty() {
            let before = left.len();
            left.retain(|&id| ground.play(&mut state, id).is_none());
            if left.len() == before {
                return None;
            }
        }
        Some(state)
    }

    /// For each move the square that it fills, if that is all it does.
    pub fn squares<G: Game>(&self, game: &G, state: &G::State, role: Role, moves: &[G::Move]) -> Vec<Option<Name>> {
        let Some(before) = self.position(game, state) else { return vec![None; moves.len()] };
        let owner = if role == self.first { Player::First } else { Player::Second };
        let filled = |choice: &G::Move| {
            let mut after = state.clone();
            game.play(&mut after, std::slice::from_ref(choice));
            let after = self.position(game, &after)?;
            let mut changed = before.shape().all().filter(|&square| before.at(square) != after.at(square));
            let (square, None) = (changed.next()?, changed.next()) else { return None };
            let fills = before.at(square).is_empty() && after.at(square).owner() == Some(owner);
            self.name(square).filter(|_| fills)
        };
        moves.iter().map(filled).collect()
    }
}

/// Games of a rule sheet that rules are learnt from, and that these are compared with.
const SHEET_GAMES: [u64; 2] = [300, 100];

/// The texts of systems that may describe a game: K in a line on its board, with stones that stay or that fall. Of a rule sheet
/// the rules are learnt first, until `stop` is set.
///
/// Whether one does has to be tested: see [`super::check_beside`].
///
/// # Errors
///
/// Nothing is known that could.
pub fn systems_for(game: &AnyGame, stop: &AtomicBool) -> Result<Vec<String>, BoardError> {
    let unknown = || BoardError::Unknown { game: game.name().to_owned() };
    let learnt;
    let rules = match game {
        AnyGame::Rules(rules) => rules.rules(),
        AnyGame::Sheet(sheet) => {
            learnt = rules_of(sheet, stop)?;
            &learnt
        }
    };
    let length = rules.endings.iter().find_map(|ending| match (&ending.verdict, &ending.when) {
        (Verdict::Win, Condition::Line { count, exactly: false, ways, .. }) if *ways == Ways::ALL => {
            Some(usize::from(*count))
        }
        _ => None,
    });
    let (frame, length) = (Frame::of(&rules.setup), length.filter(|&length| length >= 2).ok_or_else(unknown)?);
    if rules.players.len() != 2 || frame.width > 26 || frame.height > 26 {
        return Err(unknown());
    }
    let plain =
        |name: &String| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') && name.parse::<u32>().is_err();
    let clash = |name: &String| geometry::place(name).is_some() || name.contains('-');
    let usable = rules.players.iter().all(|name| plain(name) && !clash(name)) && rules.players[0] != rules.players[1];
    let players = if usable { [rules.players[0].as_str(), &rules.players[1]] } else { ["first", "second"] };
    let name: String =
        game.name().chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' }).collect();
    let text = |falling| in_line_system(&name, players, frame.width, frame.height, length, falling);
    Ok(vec![text(false), text(true)])
}

/// The rules of a sheet, which account for all that is seen of it.
fn rules_of(sheet: &GdlGame, stop: &AtomicBool) -> Result<Rules, BoardError> {
    let refuse = |reason: String| BoardError::Sheet { game: sheet.name().to_owned(), reason };
    let [games, check_games] = SHEET_GAMES.map(Some);
    let plan = SheetPlan { games, check_games, ..SheetPlan::default() };
    let report = learn_sheet(sheet, &plan, &Options::default(), stop, &|_| {});
    if stop.load(Ordering::Relaxed) {
        return Err(BoardError::Stopped { game: sheet.name().to_owned() });
    }
    let report = report.map_err(|error| refuse(error.to_string()))?;
    if !report.holds() {
        return Err(refuse("the rules that were learnt from its games do not account for all of them".to_owned()));
    }
    Ok(report.lesson.learnt.rules)
}
