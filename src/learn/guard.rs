//! Guards: where a movement depends on more than what its steps find, namely on the place.
//!
//! A guard is a test on a square. Every letter of a guarded movement is annotated with the tests that hold where it is
//! made (see [`Letter`]), so that promotion on the last rank is a matter of different letters, and learning goes on as
//! without guards. When the movement is known, `decide.rs` keeps a test only where its result makes a difference.

use super::letter::{Letter, Tags};
use super::symmetry::{BoardSymmetry, GROUPS};
use crate::board::{Shape, Square};
use crate::rules::{Area, Seen, Symbol, Zone};
use smallvec::SmallVec;

/// A test, and where it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Guard {
    pub place: GuardPlace,
    pub test: Test,
}

/// Where a test is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum GuardPlace {
    /// On the square where the turn starts.
    Start,
    /// On every square that a step lands on.
    Landing,
}

/// What is tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// Whether the square lies in a zone, as the player sees the board.
    In(SquareSet),
    /// What is seen around the start. Every listed word of a piece with such a guard passes it.
    Sees(Look),
}

/// Whether one of some squares around the start, seen from there, holds one of these, or whether none does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Look {
    pub around: Vec<(i8, i8)>,
    pub seen: Vec<Seen>,
    /// Whether the board's edge counts as one of them; holes never do.
    pub edge: bool,
    pub any: bool,
}

impl Look {
    /// Whether a look from a square goes beyond the edge and that counts.
    pub fn sees_edge(&self, shape: Shape, square: Square) -> bool {
        self.edge && self.around.iter().any(|&(dx, dy)| shape.step(square, dx, dy).is_none())
    }
}

/// Why a guard is needed: the word that it explains best.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Why {
    pub word: Vec<Symbol>,
    /// How often the word was listed, and how often it could have been, where all moves are listed.
    pub listed: u64,
    pub possible: u64,
    /// How often it was played, and how often it was to be expected, where only some are.
    pub played: u64,
    pub expected: f64,
}

/// For each letter of a word, the square it lands on if it is a step.
pub(super) type Landings = SmallVec<[Option<Square>; 8]>;

/// Which guards hold where on a word's way, in bits.
pub(super) type Annotation = SmallVec<[u64; 4]>;

/// Where the letters of a word land that starts on a square; `None` if it leaves the board.
pub(super) fn landings(word: &[Symbol], start: Square, shape: Shape) -> Option<Landings> {
    let mut at = start;
    let mut landings = Landings::new();
    for &symbol in word {
        landings.push(match symbol {
            Symbol::Step { dx, dy, .. } => {
                at = shape.step(at, dx, dy)?;
                Some(at)
            }
            _ => None,
        });
    }
    Some(landings)
}

/// A set of squares with its description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SquareSet {
    pub areas: Vec<Area>,
    /// For each square of the board, whether it is one of them.
    pub within: Vec<bool>,
}

impl SquareSet {
    pub fn of(areas: Vec<Area>, shape: Shape) -> SquareSet {
        let zone = Zone { name: String::new(), areas };
        let within = shape.all().map(|square| zone.contains(shape, square)).collect();
        SquareSet { areas: zone.areas, within }
    }

    /// The same squares as the other player sees them.
    pub fn mirrored(&self, shape: Shape) -> SquareSet {
        SquareSet::of(self.areas.iter().map(|area| area.mirrored(shape)).collect(), shape)
    }
}

/// The guards of a movement, at most [`Guards::MOST`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Guards {
    pub shape: Shape,
    pub list: Vec<Guard>,
}

impl Guards {
    /// More than any known movement needs.
    pub const MOST: usize = 3;

    pub fn none(shape: Shape) -> Guards {
        Guards { shape, list: Vec::new() }
    }

    pub fn and(&self, guard: Guard) -> Guards {
        let list = self.list.iter().cloned().chain([guard]).collect();
        Guards { shape: self.shape, list }
    }

    /// All letters of a symbol, sorted.
    pub fn letters(&self, symbol: Symbol) -> impl Iterator<Item = Letter> {
        (0..1 << self.list.len()).map(move |tags| Letter { symbol, tags: Tags(tags) })
    }

    /// A word that starts on a square, with the guards that hold; `None` if it leaves the board.
    pub fn annotate(&self, word: &[Symbol], start: Square) -> Option<Vec<Letter>> {
        let mut at = start;
        let mut letters = Vec::with_capacity(word.len());
        for (number, &symbol) in word.iter().enumerate() {
            if let Symbol::Step { dx, dy, .. } = symbol {
                at = self.shape.step(at, dx, dy)?;
            }
            let lands = matches!(symbol, Symbol::Step { .. });
            let mut tags = Tags::default();
            for (i, guard) in self.list.iter().enumerate() {
                let holds = match (&guard.test, guard.place) {
                    (Test::In(squares), GuardPlace::Landing) => lands && squares.within[at.index()],
                    (Test::In(squares), GuardPlace::Start) => number == 0 && squares.within[start.index()],
                    (Test::Sees(_), _) => number == 0,
                };
                tags = tags.with(i, holds);
            }
            letters.push(Letter { symbol, tags });
        }
        Some(letters)
    }

    /// What guards say of a word that starts on a square: equal for two squares if and only if [`Guards::annotate`] is.
    pub fn spelling(&self, start: Square, landings: &Landings) -> Annotation {
        let mut spelling = Annotation::new();
        for guard in &self.list {
            match (&guard.test, guard.place) {
                (Test::In(squares), GuardPlace::Start) => spelling.push(u64::from(squares.within[start.index()])),
                (Test::In(squares), GuardPlace::Landing) => {
                    for landings in landings.chunks(64) {
                        let within = |square: &Option<Square>| square.is_some_and(|at| squares.within[at.index()]);
                        spelling.push(landings.iter().rev().fold(0, |bits, at| bits << 1 | u64::from(within(at))));
                    }
                }
                // Every word passes it.
                (Test::Sees(_), _) => {}
            }
        }
        spelling
    }

    /// The squares from which a letter can be made, as the first of a word or as a later one, as far as the place
    /// decides.
    pub fn from(&self, letter: Letter, first: bool) -> impl Iterator<Item = Square> {
        self.shape.all().filter(move |&square| self.can_stand_on(letter, first, square))
    }

    /// Whether a letter can be made from a square, as far as the place decides.
    pub fn can_stand_on(&self, letter: Letter, first: bool, square: Square) -> bool {
        let landing = match letter.symbol {
            Symbol::Step { dx, dy, .. } => match self.shape.step(square, dx, dy) {
                Some(landing) => Some(landing),
                None => return false,
            },
            _ => None,
        };
        self.list.iter().enumerate().all(|(i, guard)| {
            let told = letter.tags.holds(i);
            match (&guard.test, guard.place) {
                (Test::In(squares), GuardPlace::Landing) => {
                    told == landing.is_some_and(|at| squares.within[at.index()])
                }
                (Test::In(squares), GuardPlace::Start) => told == (first && squares.within[square.index()]),
                (Test::Sees(_), _) => first || !told,
            }
        })
    }

    pub fn can_stand(&self, letter: Letter, first: bool) -> bool {
        self.from(letter, first).next().is_some()
    }

    /// What a first letter says of the squares around: where it looks, and whether it sees one of the things there.
    pub fn sights(&self, letter: Letter) -> Vec<(&Look, bool)> {
        let looks = self.list.iter().enumerate().filter_map(|(i, guard)| match &guard.test {
            Test::Sees(look) => Some((look, letter.tags.holds(i) == look.any)),
            Test::In(_) => None,
        });
        looks.collect()
    }

    /// The turns of the board that leave every guard as it is.
    pub fn turns(&self) -> Vec<BoardSymmetry> {
        let keeps = |turn: &BoardSymmetry, guard: &Guard| match &guard.test {
            Test::In(squares) => self.shape.all().all(|square| {
                let image = turn.square(self.shape, square);
                image.is_some_and(|image| squares.within[image.index()] == squares.within[square.index()])
            }),
            Test::Sees(look) => look.around.iter().all(|&(dx, dy)| look.around.contains(&turn.step(dx, dy))),
        };
        let all = GROUPS[0].iter().copied();
        all.filter(|turn| self.list.iter().all(|guard| keeps(turn, guard))).collect()
    }
}
