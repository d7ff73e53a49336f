//! The boards on which a word fits, with the squares where its cursor is on each.
//!
//! One letter more is a shift and a mask for each board. These are the loops in which learning spends its time, and the
//! only ones of the search that are compiled for each width of a set of squares; each is entered once a word.

use super::boards::Boards;
use super::guard::{Guards, Look};
use super::letter::Letter;
use super::samples::Opportunities;
use super::square_sets::{Cursors, Width, at_width, bits, set_of, sets};
use crate::board::{Bits, Shape, Shift, Square};
use crate::rules::{Landing, Seen, Symbol, Taken};
use std::borrow::Cow;

/// Boards with the squares where turns start, and what it counts if one of a board's moves is not played.
#[derive(Clone)]
pub(super) struct Source<'b> {
    pub boards: &'b Boards,
    pub starts: Cow<'b, Cursors>,
    /// For each board, the share of its legal moves that one is; nothing where all moves are listed.
    pub share: &'b [f64],
}

impl Source<'_> {
    /// Whether turns can start on a square of a board.
    pub fn starts_on(&self, board: u32, square: Square) -> bool {
        let Ok(at) = self.starts.boards.binary_search(&board) else { return false };
        let words = self.boards.width.words();
        self.starts.squares[at * words + square.index() / 64] >> (square.index() % 64) & 1 == 1
    }
}

/// A letter made ready for sets of squares.
pub(super) struct LetterStep {
    pub symbol: Symbol,
    /// How far it moves, counted in squares.
    delta: i32,
    /// The squares from which it stays on the board and the guards say what the letter tells: as the first of a word,
    /// and as a later one.
    from: [Box<[u64]>; 2],
    /// What must be seen, or must not, at a distance from the start.
    sights: Vec<Sight>,
}

/// What is seen at some distances.
struct Sight {
    /// For each distance: from the square that is seen back to where it is seen from, and the squares that have a square
    /// at this distance.
    ways: Vec<(i32, Box<[u64]>)>,
    seen: Vec<Seen>,
    /// Where the board's edge is seen, if that counts.
    edge: Box<[u64]>,
    is: bool,
}

impl LetterStep {
    pub fn new(letter: Letter, guards: &Guards, shape: Shape) -> LetterStep {
        let width = Width::of(shape);
        let sight = |(look, is): (&Look, bool)| {
            let way = |&(dx, dy): &(i8, i8)| {
                let from = shape.all().filter(|&square| shape.step(square, dx, dy).is_some());
                (-shape.delta(dx, dy), set_of(from.map(|square| square.index()), width))
            };
            let edge = shape.all().filter(|&square| look.sees_edge(shape, square));
            let edge = set_of(edge.map(|square| square.index()), width);
            Sight { ways: look.around.iter().map(way).collect(), seen: look.seen.clone(), edge, is }
        };
        let mask = |first| set_of(guards.from(letter, first).map(|square| square.index()), width);
        LetterStep {
            symbol: letter.symbol,
            delta: match letter.symbol {
                Symbol::Step { dx, dy, .. } => shape.delta(dx, dy),
                _ => 0,
            },
            from: [true, false].map(mask),
            sights: guards.sights(letter).into_iter().map(sight).collect(),
        }
    }
}

/// What a step must see on the board, or nothing if the word itself knows that it fits.
#[derive(Clone, Copy)]
pub(super) enum Sees {
    Board(Seen),
    Anything,
}

impl Sees {
    /// What a word's first letter must see.
    fn first(symbol: Symbol) -> Sees {
        match symbol {
            Symbol::Step { landing, .. } => Sees::Board(wanted(landing)),
            _ => Sees::Anything,
        }
    }
}

/// What must stand where a step lands.
pub(super) fn wanted(landing: Landing) -> Seen {
    match landing {
        Landing::On(seen) => seen,
        Landing::Take(Taken::Own) => Seen::Own,
        Landing::Take(_) => Seen::Enemy,
    }
}

/// The boards of one or two sources on which a word fits.
pub(super) struct Hits<'a, 'b> {
    pub sources: &'a [Source<'b>],
    pub word: HitWord<'a>,
}

/// How the boards of a word are known.
pub(super) enum HitWord<'a> {
    /// The empty word: all starts.
    Empty,
    /// A word of one letter, worked out again.
    First(&'a LetterStep),
    /// Kept; a board of the second source has the bit [`SOURCE`] set.
    Kept(&'a Cursors),
}

/// The bit of a board's number that tells its source.
const SOURCE: u32 = 31;

impl Hits<'_, '_> {
    fn width(&self) -> Width {
        self.sources[0].boards.width
    }

    /// How often the word with one letter more could have been played, and its boards if they are to be kept.
    pub fn grow(&self, step: &LetterStep, sees: Sees, keep: bool) -> (Opportunities, Cursors) {
        at_width!(self.width(), grow(self, step, sees, keep))
    }

    /// For each square where the cursor may be, how often the word could have been played.
    pub fn by_square(&self) -> Vec<Opportunities> {
        at_width!(self.width(), by_square(self))
    }

    /// Adds to each source's and board's sum how many cursors there are.
    pub fn count(&self, sums: &mut [Vec<f64>]) {
        at_width!(self.width(), count(self, sums));
    }

    /// For each square where the cursor may be: how often the word was to be played on boards that list only some moves,
    /// if each of them has so many.
    pub fn shares(&self, moves: &[Vec<f64>]) -> Vec<f64> {
        at_width!(self.width(), shares(self, moves))
    }

    /// Visits every board and cursor.
    pub fn each_cursor(&self, visit: &mut dyn FnMut(usize, usize)) {
        at_width!(self.width(), each_cursor(self, visit));
    }
}

/// A letter for sets of one width, as the first of a word or as a later one, on the boards of one source.
struct WideStep<'a, const N: usize> {
    shift: Shift,
    from: Bits<N>,
    sights: Vec<WideSight<'a, N>>,
    /// Where the step may land on each board, unless anywhere.
    landings: Option<&'a [[u64; N]]>,
}

/// A sight for sets of one width.
struct WideSight<'a, const N: usize> {
    /// What is there on each board, in all the columns that count.
    columns: Vec<&'a [[u64; N]]>,
    /// The ways back, and from where a square can be seen on each.
    ways: Vec<(Shift, Bits<N>)>,
    edge: Bits<N>,
    /// Whether something must be seen, or nothing.
    is: bool,
}

impl<'a, const N: usize> WideStep<'a, N> {
    fn new(step: &LetterStep, sees: Sees, first: bool, boards: &'a Boards) -> WideStep<'a, N> {
        let column = |seen| {
            sets(match seen {
                Seen::Empty => &boards.empty,
                Seen::Own => &boards.own,
                Seen::Enemy => &boards.enemy,
            })
        };
        let sights = step.sights.iter().filter(|_| first).map(|sight| WideSight {
            columns: sight.seen.iter().map(|&seen| column(seen)).collect(),
            ways: sight.ways.iter().map(|(back, from)| (Shift::by::<N>(*back), bits(from))).collect(),
            edge: bits(&sight.edge),
            is: sight.is,
        });
        WideStep {
            shift: Shift::by::<N>(step.delta),
            from: bits(&step.from[usize::from(!first)]),
            sights: sights.collect(),
            landings: match sees {
                Sees::Board(seen) => Some(column(seen)),
                Sees::Anything => None,
            },
        }
    }

    #[inline]
    fn go(&self, board: usize, mut cursors: Bits<N>) -> Bits<N> {
        for sight in &self.sights {
            let there = sight.columns.iter().fold(Bits::NONE, |sum, column| sum.or(&Bits(column[board])));
            let seen = sight.ways.iter().fold(sight.edge, |sum, (back, from)| sum.or(&there.rotate(*back).and(from)));
            cursors = if sight.is { cursors.and(&seen) } else { cursors.without(&seen) };
        }
        let moved = cursors.and(&self.from).rotate(self.shift);
        match self.landings {
            Some(landings) => moved.and(&Bits(landings[board])),
            None => moved,
        }
    }
}

/// Visits every board on which a word fits: its source, its number, and the cursors.
#[inline]
fn each_hit<const N: usize>(hits: &Hits, visit: &mut impl FnMut(usize, usize, Bits<N>)) {
    if let HitWord::Kept(kept) = hits.word {
        for (board, cursors) in kept.iter() {
            visit((board >> SOURCE) as usize, (board & !(1 << SOURCE)) as usize, cursors);
        }
        return;
    }
    for (number, source) in hits.sources.iter().enumerate() {
        let starts = source.starts.iter().map(|(board, cursors)| (board as usize, cursors));
        if let HitWord::First(step) = hits.word {
            let step = WideStep::new(step, Sees::first(step.symbol), true, source.boards);
            let went = starts.map(|(board, cursors)| (board, step.go(board, cursors)));
            went.filter(|went| !went.1.is_empty()).for_each(|(board, cursors)| visit(number, board, cursors));
        } else {
            starts.for_each(|(board, cursors)| visit(number, board, cursors));
        }
    }
}

fn grow<const N: usize>(hits: &Hits, step: &LetterStep, sees: Sees, keep: bool) -> (Opportunities, Cursors) {
    let first = matches!(hits.word, HitWord::Empty);
    // There are one or two sources; that both places are filled saves a check for each board.
    let sources: [&Source; 2] = [0, hits.sources.len() - 1].map(|number| &hits.sources[number]);
    let steps = sources.map(|source| WideStep::<N>::new(step, sees, first, source.boards));
    let mut opportunities = Opportunities::default();
    let mut grown = Cursors::default();
    each_hit(hits, &mut |source: usize, board: usize, cursors: Bits<N>| {
        let cursors = steps[source & 1].go(board, cursors);
        let count = cursors.count() as u64;
        if count > 0 {
            let Source { boards, share, .. } = sources[source & 1];
            let weight = count * u64::from(boards.count[board]);
            if boards.all[board] {
                opportunities.all += weight;
            } else {
                opportunities.some += weight;
                opportunities.expected += weight as f64 * share[board];
            }
            if keep {
                grown.push((source as u32) << SOURCE | board as u32, cursors);
            }
        }
    });
    grown.shrink_to_fit();
    (opportunities, grown)
}

fn by_square<const N: usize>(hits: &Hits) -> Vec<Opportunities> {
    let mut squares = vec![Opportunities::default(); hits.sources[0].boards.shape.squares()];
    each_hit(hits, &mut |source: usize, board: usize, cursors: Bits<N>| {
        let Source { boards, share, .. } = &hits.sources[source];
        let count = u64::from(boards.count[board]);
        let (all, expected) = (boards.all[board], count as f64 * share[board]);
        for square in cursors.iter() {
            let sum = &mut squares[square];
            if all {
                sum.all += count;
            } else {
                sum.some += count;
                sum.expected += expected;
            }
        }
    });
    squares
}

fn count<const N: usize>(hits: &Hits, sums: &mut [Vec<f64>]) {
    each_hit(hits, &mut |source: usize, board: usize, cursors: Bits<N>| {
        sums[source][board] += cursors.count() as f64;
    });
}

fn shares<const N: usize>(hits: &Hits, moves: &[Vec<f64>]) -> Vec<f64> {
    let mut squares = vec![0.0; hits.sources[0].boards.shape.squares()];
    each_hit(hits, &mut |source: usize, board: usize, cursors: Bits<N>| {
        let boards = hits.sources[source].boards;
        if !boards.all[board] {
            let share = f64::from(boards.count[board]) / moves[source][board];
            cursors.iter().for_each(|at| squares[at] += share);
        }
    });
    squares
}

fn each_cursor<const N: usize>(hits: &Hits, visit: &mut dyn FnMut(usize, usize)) {
    each_hit(hits, &mut |_: usize, board: usize, cursors: Bits<N>| {
        cursors.iter().for_each(|cursor| visit(board, cursor));
    });
}
