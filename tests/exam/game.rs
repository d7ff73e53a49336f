//! A game of the exam: its rules as data, and random play written down for the learner.

use super::chance::Chance;
use super::ending::Ending;
use super::recipe::{DROP, Kind};
use super::turn::{Case, cell};
use super::zone::{Pair, View, Zone};
use onlooker::board::{Player, Position, Shape, Square};
use onlooker::observe::{Cause, Listing, Move, Outcome, Record};

/// The rules of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Files and ranks.
    pub size: Pair,
    /// A byte a square, row by row from the bottom: `.` empty, `#` no square, `*` a stone, letters for pieces.
    pub setup: Vec<u8>,
    /// One or two.
    pub players: usize,
    /// How the second player sees the board.
    pub second: View,
    pub kinds: Vec<Kind>,
    pub endings: Vec<Ending>,
    /// Whether one must capture if one can.
    pub must_capture: bool,
}

/// A game that was played.
pub struct Played {
    pub plies: Vec<Ply>,
    /// The last board.
    pub last: Vec<u8>,
    /// Which ending decided, and what it meant for the player who moved last; none if the game was given up.
    pub ended: Option<(usize, Outcome)>,
}

/// A position that was moved from.
pub struct Ply {
    pub cells: Vec<u8>,
    pub player: usize,
    /// What could be done; the first was.
    pub turns: Vec<(Move, Case)>,
}

/// Games that last longer are given up.
pub const LONGEST: usize = 400;

impl Game {
    /// How a player sees the board.
    pub fn view(&self, player: usize) -> View {
        if player == 0 { View::Same } else { self.second }
    }

    /// The letter on the board for a player's piece.
    pub fn letter(&self, letter: u8, player: usize) -> u8 {
        if player == 0 { letter } else { letter.to_ascii_lowercase() }
    }

    /// Whose a piece is.
    pub fn owner(&self, letter: u8) -> usize {
        usize::from(letter.is_ascii_lowercase())
    }

    /// The file and rank of a square.
    pub fn place(&self, square: usize) -> Pair {
        (square as i32 % self.size.0, square as i32 / self.size.0)
    }

    /// The number of a square that is part of the board.
    pub fn square(&self, (x, y): Pair) -> Option<usize> {
        let inside = (0..self.size.0).contains(&x) && (0..self.size.1).contains(&y);
        let square = (y * self.size.0 + x) as usize;
        (inside && self.setup[square] != b'#').then_some(square)
    }

    /// Whether a square lies in a zone of a player.
    pub fn is_in(&self, zone: &Zone, place: Pair, player: usize) -> bool {
        zone.contains(self.view(player).square(place, self.size), self.size)
    }

    /// Plays a game at random: the same chance, the same game.
    pub fn play(&self, chance: &mut Chance) -> Played {
        let mut played = Played { plies: Vec::new(), last: self.setup.clone(), ended: None };
        let mut turns = self.turns(&played.last, 0);
        while played.ended.is_none() && !turns.is_empty() && played.plies.len() < LONGEST {
            let player = played.plies.len() % self.players;
            let choice = chance.below(turns.len());
            turns.swap(0, choice);
            let after = std::mem::take(&mut turns[0].after);
            let listed = turns.into_iter().map(|turn| {
                let start = Square(turn.start as u16);
                (Move::Word { start, word: turn.word }, turn.case)
            });
            let listed = listed.collect();
            played.plies.push(Ply { cells: std::mem::replace(&mut played.last, after), player, turns: listed });
            let plies = played.plies.len();
            turns = self.turns(&played.last, plies % self.players);
            played.ended = self.over(&played.last, player, plies, turns.is_empty());
        }
        played
    }

    /// A board as the library has it.
    pub fn position(&self, cells: &[u8]) -> Position {
        let shape = Shape::new(self.size.0 as usize, self.size.1 as usize).expect("boards of the exam are small");
        let mut position = Position::empty(shape);
        for (square, &letter) in cells.iter().enumerate().filter(|(_, letter)| **letter != DROP) {
            position.set(Square(square as u16), cell(letter));
        }
        position
    }

    /// What a log would have of a game.
    pub fn records(&self, played: &Played, listing: Listing) -> Vec<Record> {
        let player = |number: usize| if number == 0 { Player::First } else { Player::Second };
        let mut records: Vec<Record> = Vec::with_capacity(played.plies.len() + 1);
        for (number, ply) in (1..).zip(&played.plies) {
            let shown = if listing == Listing::All { ply.turns.len() } else { 1 };
            records.push(Record {
                number,
                position: self.position(&ply.cells),
                outcome: None,
                cause: Cause::Position,
                turn: player(ply.player),
                listing,
                moves: ply.turns[..shown].iter().map(|(turn, _)| turn.clone()).collect(),
            });
        }
        let (outcome, cause) = match played.ended {
            Some((_, outcome)) => (outcome, Cause::Position),
            None => (Outcome::Tied, Cause::Cut),
        };
        records.push(Record {
            number: played.plies.len() as u32 + 1,
            position: self.position(&played.last),
            outcome: Some(outcome),
            cause,
            turn: player(played.plies.len() % self.players),
            listing,
            moves: Vec::new(),
        });
        records
    }
}
