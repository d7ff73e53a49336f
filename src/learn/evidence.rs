//! What is kept of the games that were seen.

use super::packing::{MOST_KINDS, Packing, TooManyKinds};
use crate::board::{Cell, Content, Player, Shape, Square, Word};
use crate::observe::{Cause, Listing, Move, Outcome, Record};
use rustc_hash::FxHashMap;

/// All that induction needs of the games that were seen: a value that observes games and merges with others. The order
/// in which games are seen or evidence is merged makes no difference to anything that is made of it.
///
/// Positions are kept once with a count, words with the squares they started on. Which word was listed in which
/// position is not kept where all legal moves are listed: a word is legal wherever its steps find what they say, so for
/// each word it is enough to know how often it could have been listed (which the positions tell) and how often it was.
/// With a position stands only how many moves were listed there, or which one was played if only that is known
/// (`Tail`), so that rules can be checked against all of it.
///
/// ```
/// use onlooker::learn::Evidence;
/// use onlooker::observe::GameReader;
///
/// let watch = |log: &str| -> Result<Evidence, Box<dyn std::error::Error>> {
///     let mut evidence = Evidence::default();
///     for game in GameReader::new(log.as_bytes()) {
///         evidence.observe(&game?)?;
///     }
///     Ok(evidence)
/// };
/// // What two machines saw is put together.
/// let mut evidence = watch("1\n.\n.\nK\n*\nw all 1\n0 (0 1 e)\n2\n.\nK\n.\n1\nw all 0\n")?;
/// let other = watch("1\n.\nK\n.\n*\nw all 2\n1 (0 1 e)\n1 (0 -1 e)\n2\nK\n.\n.\n1\nw all 0\n")?;
/// evidence.merge(other).map_err(|(refused, _)| refused)?;
/// assert_eq!((evidence.games(), evidence.positions(), evidence.moves()), (2, 4, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    pub(super) shape: Option<Shape>,
    pub(super) packing: Packing,
    pub(super) situations: FxHashMap<Box<[u8]>, u32>,
    pub(super) setups: FxHashMap<Box<[u8]>, u32>,
    pub(super) words: FxHashMap<(Player, Cell), FxHashMap<Word, Origins>>,
    pub(super) counts: Counts,
    key: Vec<u8>,
}

/// How often a word was listed from each square, sorted by square.
pub(super) type Origins = Vec<(Square, Listed)>;

/// How often a word was listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Listed {
    /// In records that list all legal moves.
    pub all: u32,
    /// In records that list only some.
    pub some: u32,
}

/// Plain counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub games: u64,
    pub positions: u64,
    pub moves: u64,
    /// Records of each player's turn.
    pub turns: [u64; 2],
    /// The most plies after which a game was still going on.
    pub longest: u32,
    /// Moves after which the same player moved again although there are two players, or games that the second player
    /// began.
    pub irregular: u64,
    pub passes: u64,
    /// Records with pieces in hand.
    pub hands: u64,
}

/// What a record says of its position, apart from the board: a situation's first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordHead {
    pub turn: Player,
    pub listing: Listing,
    pub outcome: Option<Outcome>,
}

impl RecordHead {
    pub fn byte(self) -> u8 {
        let outcome = self.outcome.map_or(0, |outcome| outcome as u8 + 1);
        self.turn.index() as u8 | u8::from(self.listing == Listing::Some) << 1 | outcome << 2
    }

    pub fn of(byte: u8) -> RecordHead {
        let outcome = [None, Some(Outcome::Lost), Some(Outcome::Tied), Some(Outcome::Won)][usize::from(byte >> 2 & 3)];
        RecordHead {
            turn: if byte & 1 == 0 { Player::First } else { Player::Second },
            listing: if byte & 2 == 0 { Listing::All } else { Listing::Some },
            outcome,
        }
    }
}

/// What stands behind the board of a situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// In a final position: after how many plies the game was over.
    Over(u32),
    /// Where all legal moves are listed: how many there are, if they can be counted in two bytes.
    Listed(u16),
    /// Where only some are: the one that is listed, if it is one, as its start and the hash of its word.
    Played(Option<(Square, u32)>),
}

impl Tail {
    pub fn write(self, key: &mut Vec<u8>) {
        let square = |square: Option<Square>| square.map_or(NO_SQUARE, |square| square.0).to_le_bytes();
        match self {
            Tail::Over(plies) => key.extend(plies.to_le_bytes()),
            Tail::Listed(count) => key.extend(count.to_le_bytes()),
            Tail::Played(played) => {
                key.extend(square(played.map(|played| played.0)));
                key.extend(played.map_or(0, |played| played.1).to_le_bytes());
            }
        }
    }

    /// What was written behind a board.
    pub fn read(head: RecordHead, bytes: &[u8]) -> Tail {
        let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let long = |at: usize| u32::from(number(at)) | u32::from(number(at + 2)) << 16;
        let square = |number: u16| (number != NO_SQUARE).then_some(Square(number));
        match (head.outcome, head.listing) {
            (Some(_), _) => Tail::Over(long(0)),
            (None, Listing::All) => Tail::Listed(number(0)),
            (None, Listing::Some) => Tail::Played(square(number(0)).map(|start| (start, long(2)))),
        }
    }

    /// What a record says of the moves.
    fn of(record: &Record) -> Tail {
        match (record.listing, record.moves.as_slice()) {
            (Listing::All, moves) => Tail::Listed(u16::try_from(moves.len()).unwrap_or(u16::MAX)),
            (Listing::Some, [Move::Word { start, word }]) => Tail::Played(Some((*start, word_hash(word)))),
            (Listing::Some, _) => Tail::Played(None),
        }
    }
}

/// A word in few bytes, to tell it from the other words of a position. What is removed makes no difference, since the
/// position says what that is.
pub(super) fn word_hash(word: &Word) -> u32 {
    let mut hash = 0u64;
    for micro in &word.0 {
        let content = match micro.content {
            Content::Empty => 1,
            Content::Own => 2,
            Content::Opponent => 3,
            Content::Remove(_) => 4,
            Content::Add(None) => 5,
            Content::Add(Some(cell)) => 6 + cell.bytes().fold(0, |sum, byte| sum << 8 | u64::from(byte)),
        };
        for part in [micro.dx as u64, micro.dy as u64, content] {
            hash = (hash.rotate_left(5) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
    (hash >> 32) as u32
}

/// Games that do not belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The boards differ.
    #[error("found a board of {}x{}, expected one of {}x{} like the games before", .found.width(), .found.height(), .expected.width(), .expected.height())]
    Board {
        /// The board of the games before.
        expected: Shape,
        /// The board of this one.
        found: Shape,
    },
    /// More kinds of pieces than any game has.
    #[error("found more than {limit} different kinds of pieces")]
    Kinds {
        /// How many are too many.
        limit: usize,
    },
}

impl From<TooManyKinds> for Refused {
    fn from(_: TooManyKinds) -> Refused {
        Refused::Kinds { limit: MOST_KINDS }
    }
}

impl Evidence {
    /// How many games were seen.
    pub fn games(&self) -> u64 {
        self.counts.games
    }

    /// How many positions were seen.
    pub fn positions(&self) -> u64 {
        self.counts.positions
    }

    /// How many listed moves were seen.
    pub fn moves(&self) -> u64 {
        self.counts.moves
    }

    /// How many different positions were seen, each with what was seen of it: what memory is needed for.
    pub fn distinct_positions(&self) -> usize {
        self.situations.len()
    }

    /// About how many bytes of memory it takes.
    pub fn memory(&self) -> usize {
        // A slot of the table with its byte of control, and the key with what the allocator adds to it.
        let key = self.situations.keys().next().map_or(0, |key| key.len().next_multiple_of(16) + 16);
        (self.situations.capacity() + self.setups.capacity()) * (size_of::<(Box<[u8]>, u32)>() + 1)
            + (self.situations.len() + self.setups.len()) * key
            + self.words.values().map(|words| words.len() * 256).sum::<usize>()
    }

    /// Adds the records of one whole game; on an error nothing is added.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the board or the kinds of pieces do not go with the games before.
    pub fn observe(&mut self, game: &[Record]) -> Result<(), Refused> {
        let Some(first) = game.first() else { return Ok(()) };
        self.agree_on(first.position.shape())?;
        for record in game {
            self.packing.learn(record.position.cells(), &mut [&mut self.situations, &mut self.setups])?;
        }
        let mut key = std::mem::take(&mut self.key);
        self.packing.encode(0, first.position.cells(), &mut key);
        add(&mut self.setups, &key, 1);
        self.counts.games += 1;
        self.counts.irregular += u64::from(first.turn == Player::Second);
        for (i, record) in game.iter().enumerate() {
            self.counts.positions += 1;
            self.counts.turns[record.turn.index()] += 1;
            self.counts.moves += record.moves.len() as u64;
            self.counts.hands += u64::from(record.position.hand(Player::First).is_some());
            let outcome = record.outcome.filter(|_| record.cause == Cause::Position);
            if record.outcome.is_none() {
                self.counts.longest = self.counts.longest.max(record.number - 1);
            }
            if record.outcome.is_none() || outcome.is_some() {
                let head = RecordHead { turn: record.turn, listing: record.listing, outcome };
                self.packing.encode(head.byte(), record.position.cells(), &mut key);
                let tail = if outcome.is_some() { Tail::Over(record.number - 1) } else { Tail::of(record) };
                tail.write(&mut key);
                add(&mut self.situations, &key, 1);
            }
            record.moves.iter().for_each(|choice| self.listed(record, choice));
            if let Some(next) = game.get(i + 1) {
                self.counts.irregular += u64::from(next.turn == record.turn);
            }
        }
        self.key = key;
        Ok(())
    }

    fn agree_on(&mut self, found: Shape) -> Result<(), Refused> {
        let expected = *self.shape.get_or_insert(found);
        self.packing.squares = expected.squares();
        if expected == found { Ok(()) } else { Err(Refused::Board { expected, found }) }
    }

    fn listed(&mut self, record: &Record, choice: &Move) {
        let Move::Word { start, word } = choice else {
            self.counts.passes += 1;
            return;
        };
        let words = self.words.entry((record.turn, record.position.at(*start))).or_default();
        // Words are seen thousands of times, so they are copied only the first time.
        let origins = match words.get_mut(word) {
            Some(origins) => origins,
            None => words.entry(word.clone()).or_default(),
        };
        let listed = at_origin(origins, *start);
        match record.listing {
            Listing::All => listed.all += 1,
            Listing::Some => listed.some += 1,
        }
    }

    /// Adds what another evidence has seen; on an error nothing is added, and it is given back.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the boards or the kinds of pieces do not go together.
    pub fn merge(&mut self, mut other: Evidence) -> Result<(), (Refused, Box<Evidence>)> {
        if let Some(shape) = other.shape
            && let Err(refused) = self.agree_on(shape)
        {
            return Err((refused, Box::new(other)));
        }
        let mut maps = [&mut self.situations, &mut self.setups];
        if let Err(kinds) = self.packing.learn(&other.packing.kinds, &mut maps) {
            return Err((kinds.into(), Box::new(other)));
        }
        // Both have the same kinds from here on, numbered in the same way.
        other.packing.become_like(&self.packing, &mut [&mut other.situations, &mut other.setups]);
        for (mine, theirs) in [(&mut self.situations, other.situations), (&mut self.setups, other.setups)] {
            if mine.is_empty() {
                *mine = theirs;
            } else {
                theirs.into_iter().for_each(|(key, count)| add(mine, &key, count));
            }
        }
        for (start, words) in other.words {
            let mine = self.words.entry(start).or_default();
            for (word, origins) in words {
                let kept = mine.entry(word).or_default();
                for (square, listed) in origins {
                    let sum = at_origin(kept, square);
                    sum.all = sum.all.saturating_add(listed.all);
                    sum.some = sum.some.saturating_add(listed.some);
                }
            }
        }
        self.counts.merge(&other.counts);
        Ok(())
    }
}

impl Counts {
    /// What was saved may hold any number, so sums stop at the largest.
    fn merge(&mut self, other: &Counts) {
        self.games = self.games.saturating_add(other.games);
        self.positions = self.positions.saturating_add(other.positions);
        self.moves = self.moves.saturating_add(other.moves);
        (0..2).for_each(|i| self.turns[i] = self.turns[i].saturating_add(other.turns[i]));
        self.longest = self.longest.max(other.longest);
        self.irregular = self.irregular.saturating_add(other.irregular);
        self.passes = self.passes.saturating_add(other.passes);
        self.hands = self.hands.saturating_add(other.hands);
    }
}

/// Written where there is no square.
const NO_SQUARE: u16 = u16::MAX;

pub(super) fn add(map: &mut FxHashMap<Box<[u8]>, u32>, key: &[u8], count: u32) {
    match map.get_mut(key) {
        Some(sum) => *sum = sum.saturating_add(count),
        None => {
            map.insert(key.into(), count);
        }
    }
}

pub(super) fn at_origin(origins: &mut Origins, square: Square) -> &mut Listed {
    let at = origins.binary_search_by_key(&square, |origin| origin.0).unwrap_or_else(|at| {
        origins.insert(at, (square, Listed::default()));
        at
    });
    &mut origins[at].1
}
