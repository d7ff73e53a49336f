//! The board of a game as features of a system: states by the stones that lie there, moves by the square that they fill.

use super::ground::{GroundState, GroundSystem, MoveId};
use super::in_line::in_line_system;
use super::language::Name;
use super::system::UpdateSystem;
use crate::board::{Player, Position, Square};
use crate::game::{AnyGame, Game, Role};
use crate::rules::{Condition, Verdict, Ways};

/// How a game's board is read.
#[derive(Clone, Debug)]
pub struct GameBoard {
    /// The name of each square, in the order of the board's squares.
    squares: Vec<Name>,
    players: [Name; 2],
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
    /// How a game's board is read with a system.
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
        let position = game.position(&game.start()).ok_or_else(other)?;
        let shape = position.shape();
        if system.board != Some((shape.width(), shape.height())) {
            return Err(other());
        }
        let squares: Option<Vec<Name>> =
            shape.all().map(|square| system.names.find(&shape.name(square).to_string())).collect();
        Ok(GameBoard { squares: squares.ok_or_else(other)?, players: system.players })
    }

    /// The name of a square.
    pub fn name(&self, square: Square) -> Name {
        self.squares[square.index()]
    }

    /// The features of a position: stones are put down until all lie there; `None` if some never can.
    pub fn state(&self, ground: &GroundSystem, position: &Position) -> Option<GroundState> {
        let mut left: Vec<MoveId> = position
            .shape()
            .all()
            .filter_map(|square| {
                ground.move_id(self.squares[square.index()], self.players[position.at(square).owner()?.index()])
            })
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
        let Some(before) = game.position(state) else { return vec![None; moves.len()] };
        let owner = if role.index() == 0 { Player::First } else { Player::Second };
        let filled = |choice: &G::Move| {
            let mut after = state.clone();
            game.play(&mut after, std::slice::from_ref(choice));
            let after = game.position(&after)?;
            let mut changed = before.shape().all().filter(|&square| before.at(square) != after.at(square));
            let (square, None) = (changed.next()?, changed.next()) else { return None };
            (before.at(square).is_empty() && after.at(square).owner() == Some(owner))
                .then(|| self.squares[square.index()])
        };
        moves.iter().map(filled).collect()
    }
}

/// The texts of systems that may describe a game: K in a line on its board, with stones that stay or that fall.
///
/// Whether one does has to be tested: see [`super::check_beside`].
///
/// # Errors
///
/// Nothing is known that could.
pub fn systems_for(game: &AnyGame) -> Result<Vec<String>, BoardError> {
    let unknown = || BoardError::Unknown { game: game.name().to_owned() };
    let AnyGame::Rules(rules) = game else { return Err(unknown()) };
    let rules = rules.rules();
    let length = rules.endings.iter().find_map(|ending| match (&ending.verdict, &ending.when) {
        (Verdict::Win, Condition::Line { count, exactly: false, ways, .. }) if *ways == Ways::ALL => {
            Some(usize::from(*count))
        }
        _ => None,
    });
    let (shape, length) = (rules.setup.shape(), length.filter(|&length| length >= 2).ok_or_else(unknown)?);
    if rules.players.len() != 2 || shape.width() > 26 || shape.height() > 26 {
        return Err(unknown());
    }
    let plain =
        |name: &String| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') && name.parse::<u32>().is_err();
    let clash = |name: &String| super::geometry::place(name).is_some() || name.contains('-');
    let usable = rules.players.iter().all(|name| plain(name) && !clash(name)) && rules.players[0] != rules.players[1];
    let players = if usable { [rules.players[0].as_str(), &rules.players[1]] } else { ["first", "second"] };
    let name: String =
        game.name().chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' }).collect();
    let text = |falling| in_line_system(&name, players, shape.width(), shape.height(), length, falling);
    Ok(vec![text(false), text(true)])
}
