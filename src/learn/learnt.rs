//! What was learnt, and what it does not account for.

use super::contradiction::Contradiction;
use crate::automata::Dfa;
use crate::board::{Cell, Player, Position, Shape, Square, Word};
use crate::budget::StopReason;
use crate::observe::Outcome;
use crate::rules::{Ending, Rules, Seen, Symbol};
use std::fmt;

/// What was learnt.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// The rules.
    pub rules: Rules,
    /// How each player's pieces move.
    pub pieces: Vec<LearntPiece>,
    /// What the rules do not account for.
    pub unexplained: Vec<Unexplained>,
    /// Why learning ended: the worst reason of all its searches. If it is not [`StopReason::Done`], the rules are the
    /// best so far.
    pub stopped: StopReason,
}

impl Learnt {
    /// Whether the rules account for everything that was seen.
    pub fn is_consistent(&self) -> bool {
        self.unexplained.is_empty() && self.pieces.iter().all(|piece| piece.consistent)
    }
}

/// How one piece moves.
#[derive(Clone, Debug)]
pub struct LearntPiece {
    /// Whose it is.
    pub player: Player,
    /// The piece as it stands on the board, or [`Cell::EMPTY`] for drops.
    pub start: Cell,
    /// Its movement, as it stands on the board.
    pub automaton: Dfa<Symbol>,
    /// What its turns need beyond steps.
    pub needs: Needs,
    /// Why the search for its movement ended. If it is not [`StopReason::Done`], the movement is the best so far, or
    /// empty if there is none.
    pub stopped: StopReason,
    /// Whether its movement was found and no records contradict each other on it, beyond the noise that was allowed.
    pub consistent: bool,
    /// On what they do.
    pub contradictions: Vec<Contradiction>,
}

impl LearntPiece {
    /// Whether the search for its movement ended too early.
    pub fn given_up(&self) -> bool {
        !self.stopped.is_done()
    }
}

/// What the turns of a piece need beyond steps that find what they say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Needs {
    /// Whether pieces are taken on squares where the turn does not end.
    pub takes: bool,
    /// Pieces that appear in the course of a turn.
    pub appears: Vec<Cell>,
    /// Where it makes a difference where the piece is, or what is beside it.
    pub guards: Vec<Need>,
}

/// Why a guard is needed.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// The guard.
    pub guard: NeededGuard,
    /// A word on which records contradict each other without the guard; what it removes is not named.
    pub word: Word,
    /// How often it was listed where all moves are, and how often it could have been.
    pub listed: (u64, u64),
    /// How often it was played where only some moves are listed, and how often it was to be expected.
    pub played: (u64, f64),
}

/// A guard; it prints as rules say it, such as `on:far`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NeededGuard {
    /// The square lies in the zone of this name.
    On(String),
    /// One of the squares at these distances holds one of these, or none does.
    Sees {
        /// Files to the right and ranks up.
        around: Vec<(i8, i8)>,
        /// What is there.
        seen: Vec<Seen>,
        /// Whether the board's edge counts too.
        edge: bool,
        /// Whether one must be there, or none.
        any: bool,
    },
}

impl fmt::Display for NeededGuard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NeededGuard::On(zone) => write!(f, "on:{zone}"),
            NeededGuard::Sees { around, seen, edge, any } => {
                f.write_str(if *any { "" } else { "not " })?;
                let looks = around.iter().flat_map(|way| seen.iter().map(move |seen| (way, seen)));
                for (number, ((dx, dy), seen)) in looks.enumerate() {
                    write!(f, "{}look({dx} {dy} {seen})", if number > 0 { " | " } else { "" })?;
                }
                f.write_str(if *edge { " | the edge" } else { "" })
            }
        }
    }
}

/// Something that was seen and that the rules do not account for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unexplained {
    /// How a kind of piece moves, named as the first player has it, or where pieces are put down ([`Cell::EMPTY`]): the
    /// search ended too early.
    Stopped {
        /// The piece.
        kind: Cell,
        /// Why.
        reason: StopReason,
        /// How many steps each search was allowed.
        budget: u64,
    },
    /// How a piece moves: its automaton is too large to be written as rules.
    TooLarge {
        /// The piece.
        piece: Cell,
        /// How many states the automaton has.
        states: usize,
    },
    /// Words that were listed and that no movement has which can be learnt, such as words that come to a square twice.
    Words {
        /// The piece.
        piece: Cell,
        /// How many words.
        count: usize,
        /// The first in order.
        first: Word,
    },
    /// Games that ended in a way that no ending explains.
    Games {
        /// How many.
        games: u64,
        /// How the first of them ended for the player who moved last.
        outcome: Outcome,
        /// Its last position.
        position: Position,
    },
    /// An ending that so few games speak for that it is a guess.
    Guess {
        /// The ending.
        ending: Ending,
        /// How many games only it accounts for.
        games: u64,
    },
    /// No record lists a move, in so many games.
    NoMoves(u64),
    /// Positions in which all legal moves are listed and the rules generate others.
    Listed {
        /// How many.
        positions: u64,
        /// Of how many that were seen.
        of: u64,
        /// The first of them.
        position: Position,
        /// Whose turn it is there.
        player: Player,
        /// How many moves are listed there.
        listed: u64,
        /// How many the rules generate.
        generated: u64,
    },
    /// Positions in which the rules do not generate the move that was played.
    Played {
        /// How many.
        positions: u64,
        /// Of how many that were seen.
        of: u64,
        /// The first of them.
        position: Position,
        /// Whose turn it is there.
        player: Player,
        /// Where the move starts.
        start: Square,
    },
    /// Positions whose outcome the rules do not reproduce.
    Outcomes {
        /// How many.
        positions: u64,
        /// The first of them.
        position: Position,
        /// Its outcome for the player who moved last, if the game ended there.
        recorded: Option<Outcome>,
        /// What the rules say.
        computed: Option<Outcome>,
    },
    /// Moves that the rules have and that were played far less often than was to be expected.
    RarelyPlayed {
        /// Which moves.
        class: MoveClass,
        /// The board.
        shape: Shape,
        /// How often they were to be expected.
        expected: u64,
        /// How often they were played.
        played: u64,
    },
    /// The rules cannot be played.
    NotPlayable,
    /// It was stopped before the rules had been checked against all of the evidence.
    NotChecked,
    /// Games began with different positions.
    Setups(u64),
    /// Players passed.
    Passes(u64),
    /// Records have pieces in hand.
    Hands(u64),
    /// Turns did not alternate, beginning with the first player.
    Turns(u64),
    /// Words have letters that rules do not have.
    Letters(u64),
}

/// Moves that have something in common that rules might depend on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum MoveClass {
    /// Captures, or other moves, where captures are possible.
    WhileCaptures {
        /// Whether it is the captures.
        capture: bool,
    },
    /// Moves of a piece, or drops, of a player who has so many pieces on the board.
    WithPieces {
        /// Whose.
        player: Player,
        /// The piece, or [`Cell::EMPTY`] for drops.
        piece: Cell,
        /// How many pieces the player has.
        pieces: u16,
    },
    /// A word of a piece; what it removes is not named.
    Word {
        /// Whose.
        player: Player,
        /// The piece, or [`Cell::EMPTY`] for drops.
        piece: Cell,
        /// The word.
        word: Word,
    },
    /// Drops on squares with certain neighbours.
    DropBeside {
        /// Whose.
        player: Player,
        /// Whether one of the eight squares around has a piece of the player.
        own: bool,
        /// Whether one has a piece of the opponent.
        enemy: bool,
    },
    /// Moves of a piece by where they begin, end, or put something down.
    At {
        /// Whose.
        player: Player,
        /// The piece, or [`Cell::EMPTY`] for drops.
        piece: Cell,
        /// What of the move is there.
        part: MovePart,
        /// Where.
        place: Place,
    },
}

/// A part of a move that is somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MovePart {
    /// Its first square.
    From,
    /// Its last square.
    To {
        /// What the piece becomes on the way, if anything.
        becomes: Option<Cell>,
    },
    /// A square on which something is put down before the move goes on.
    PutsDown,
}

/// Squares that moves have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// One square.
    Square(Square),
    /// A rank, from 0; for pieces that both players have alike, as the first player sees it.
    Rank(usize),
    /// A file, from 0.
    File(usize),
}

impl MoveClass {
    fn write(&self, shape: Shape, f: &mut fmt::Formatter) -> fmt::Result {
        let moves = |piece: &Cell| {
            if piece.is_empty() { "drops".to_owned() } else { format!("moves of {piece}") }
        };
        let side = |player: &Player| match player {
            Player::First => "the first player",
            Player::Second => "the second player",
        };
        match self {
            MoveClass::WhileCaptures { capture: true } => f.write_str("captures"),
            MoveClass::WhileCaptures { capture: false } => f.write_str("other moves where captures are possible"),
            MoveClass::WithPieces { player, piece, pieces } => {
                write!(f, "{} while {} has {pieces} pieces", moves(piece), side(player))
            }
            MoveClass::Word { piece, word, .. } => write!(f, "{} {word}", moves(piece)),
            MoveClass::DropBeside { player, own, enemy } => {
                let has = |has: &bool| if *has { "a piece" } else { "no piece" };
                write!(f, "drops by {} beside {} of its own and {} of the opponent", side(player), has(own), has(enemy))
            }
            MoveClass::At { piece, part, place, .. } => {
                let place = match place {
                    Place::Square(square) => shape.name(*square).to_string(),
                    Place::Rank(rank) => format!("rank {}", rank + 1),
                    Place::File(file) => format!("file {}", Shape::file_name(*file)),
                };
                match part {
                    MovePart::From => write!(f, "{} from {place}", moves(piece)),
                    MovePart::To { becomes: None } => write!(f, "{} to {place}", moves(piece)),
                    MovePart::To { becomes: Some(cell) } => {
                        write!(f, "{} to {place} that become {cell}", moves(piece))
                    }
                    MovePart::PutsDown => write!(f, "{} that put a piece down on {place}", moves(piece)),
                }
            }
        }
    }
}

impl Unexplained {
    /// Whether it is about none of what it counts.
    pub(super) fn is_nothing(&self) -> bool {
        use Unexplained::{Hands, Letters, NoMoves, Passes, Setups, Turns};
        matches!(self, NoMoves(0) | Setups(0) | Passes(0) | Hands(0) | Turns(0) | Letters(0))
    }
}

impl fmt::Display for Unexplained {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unexplained::Stopped { kind, reason, budget } => {
                if kind.is_empty() {
                    f.write_str("where pieces are put down: ")?;
                } else {
                    write!(f, "how {kind} moves: ")?;
                }
                match reason {
                    StopReason::BudgetSpent => {
                        write!(f, "given up after {} million steps of search", *budget as f64 / 1e6)
                    }
                    reason => write!(f, "{reason}"),
                }
            }
            Unexplained::TooLarge { piece, states } => {
                write!(f, "how {piece} moves: its automaton of {states} states is too large to be written as rules")
            }
            Unexplained::Words { piece, count, first } => write!(f, "{count} words of {piece}, the first {first}"),
            Unexplained::Games { games, outcome, position } => {
                let ended = if *games == 1 { "game that ended" } else { "games that ended" };
                write!(f, "{games} {ended} in another way, the first {} in {}", how(*outcome), rows(position))
            }
            Unexplained::Listed { positions, of, position, player, listed, generated } => write!(
                f,
                "{positions} of {of} positions have other moves than the rules, the first {} with {} to move: {listed} are \
                 listed, {generated} generated",
                rows(position),
                player.letter()
            ),
            Unexplained::Played { positions, of, position, player, start } => write!(
                f,
                "in {positions} of {of} positions a move was played that the rules do not have, the first {} with {} to \
                 move, from {}",
                rows(position),
                player.letter(),
                position.shape().name(*start)
            ),
            Unexplained::Outcomes { positions, position, recorded, computed } => {
                let name = |outcome: &Option<Outcome>| outcome.map_or("the game goes on", how);
                write!(
                    f,
                    "{positions} positions have another outcome, the first {}: the record says {}, the rules say {}",
                    rows(position),
                    name(recorded),
                    name(computed)
                )
            }
            Unexplained::RarelyPlayed { class, shape, expected, played } => {
                class.write(*shape, f)?;
                write!(f, ": about {expected} were to be expected, ")?;
                if *played == 0 { f.write_str("none was ever played") } else { write!(f, "{played} were played") }
            }
            Unexplained::NotChecked => f.write_str("the rules have not been checked against the records"),
            Unexplained::NotPlayable => f.write_str("the rules cannot be played"),
            Unexplained::Guess { ending, games } => {
                let games = if *games == 1 { "1 game ended".to_owned() } else { format!("{games} games ended") };
                write!(f, "'{ending}' is a guess: only {games} so and in no other way")
            }
            Unexplained::NoMoves(_) => f.write_str("no record lists a move"),
            Unexplained::Setups(count) => {
                write!(f, "{count} different positions at the start; the most frequent one was taken")
            }
            Unexplained::Passes(count) => write!(f, "{count} passes: rules cannot say yet when one may pass"),
            Unexplained::Hands(count) => write!(f, "{count} records with pieces in hand: rules know no hands yet"),
            Unexplained::Turns(count) => {
                write!(f, "{count} turns that did not alternate, beginning with the first player")
            }
            Unexplained::Letters(count) => write!(f, "{count} words with letters that rules do not have"),
        }
    }
}

fn how(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won => "won",
        Outcome::Lost => "lost",
        Outcome::Tied => "tied",
    }
}

fn rows(position: &Position) -> String {
    position.to_string().lines().collect::<Vec<_>>().join("/")
}
