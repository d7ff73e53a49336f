//! What learnt rules were learnt from.

use super::tokens::{Line, Problem, Read};
use crate::board::{Cell, Piece, Word};
use std::fmt;

/// What a learner saw, as far as a reader of the rules wants to know. Rules written by hand have none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Provenance {
    /// Games seen.
    pub games: u64,
    /// Positions seen in them.
    pub positions: u64,
    /// What was seen of each piece that moved.
    pub pieces: Vec<PieceRecord>,
    /// For each of the rules' endings, how many games ended so.
    pub endings: Vec<u64>,
    /// What was never tested.
    pub open: Vec<OpenQuestion>,
}

/// Something that the rules say and that nothing seen could have refuted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpenQuestion {
    /// Which line of the rules it is about.
    pub about: Topic,
    /// What was never seen, in one line.
    pub text: String,
}

/// A line of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// How the piece moves, named as it stands on the board; drops are on empty squares.
    Piece(Cell),
    /// The ending with this number, from 0.
    Ending(usize),
}

/// What was seen of one piece's movement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PieceRecord {
    /// The piece as it stands on the board.
    pub piece: Piece,
    /// How many moves of it were listed.
    pub moves: u64,
    /// How many different words they had.
    pub words: u64,
    /// The word that was listed least often; of several, the longest.
    pub rarest: Word,
    /// How often it was listed.
    pub rarest_seen: u64,
}

impl Provenance {
    /// Reads one line of the section, adding to what was read before.
    pub(super) fn read(&mut self, line: Line) -> Read<()> {
        const EXPECTED: &str = "'from 50 games 5404 positions', 'piece R 812 moves 40 words, 1 of (0 1 e)', 'ending 1 20 games' or 'open R ..'";
        let refuse =
            || Err(Problem { span: line.span(), message: format!("found {:?}, expected {EXPECTED}", line.text) });
        let words: Vec<&str> = line.text.split_whitespace().collect();
        let number = |text: &str| text.parse::<u64>().ok();
        match words[..] {
            ["from", games, "games", positions, "positions"] => match (number(games), number(positions)) {
                (Some(games), Some(positions)) => (self.games, self.positions) = (games, positions),
                _ => return refuse(),
            },
            ["piece", name, moves, "moves", words, "words,", seen, "of", ..] => {
                let word = line.text.split_once(" of ").map_or("", |(_, word)| word);
                match (Piece::named(name), number(moves), number(words), number(seen), word.parse()) {
                    (Ok(piece), Some(moves), Some(words), Some(rarest_seen), Ok(rarest)) => {
                        self.pieces.push(PieceRecord { piece, moves, words, rarest, rarest_seen });
                    }
                    _ => return refuse(),
                }
            }
            ["ending", which, games, "games"] => match (number(which), number(games)) {
                (Some(which), Some(games)) if which == self.endings.len() as u64 + 1 => self.endings.push(games),
                _ => return refuse(),
            },
            ["open", "ending", which, _, ..] => match number(which) {
                Some(which) if which > 0 => self.ask(Topic::Ending(which as usize - 1), &words[3..]),
                _ => return refuse(),
            },
            ["open", name, _, ..] => match Cell::named(name) {
                Ok(cell) if cell.is_empty() || cell.piece().is_some() => self.ask(Topic::Piece(cell), &words[2..]),
                _ => return refuse(),
            },
            _ => return refuse(),
        }
        Ok(())
    }
}

impl Provenance {
    fn ask(&mut self, about: Topic, words: &[&str]) {
        self.open.push(OpenQuestion { about, text: words.join(" ") });
    }
}

impl fmt::Display for OpenQuestion {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.about {
            Topic::Piece(piece) => write!(f, "{piece}")?,
            Topic::Ending(number) => write!(f, "ending {}", number + 1)?,
        }
        write!(f, "  {}", self.text)
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "  from {} games {} positions", self.games, self.positions)?;
        for PieceRecord { piece, moves, words, rarest, rarest_seen } in &self.pieces {
            writeln!(f, "  piece {piece}  {moves} moves {words} words, {rarest_seen} of {rarest}")?;
        }
        self.endings.iter().zip(1..).try_for_each(|(games, which)| writeln!(f, "  ending {which}  {games} games"))?;
        self.open.iter().try_for_each(|question| writeln!(f, "  open {question}"))
    }
}
