//! Positions laid out for counting: one set of squares a column.

use super::Evidence;
use super::evidence::RecordHead;
use super::packing::{Packed, Packing};
use crate::board::{Bits, Cell, Player, Shape, Shift, Square};
use crate::observe::Listing;
use crate::rules::Seen;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The positions that were seen, in an order that does not depend on how they were seen.
pub(super) struct Situations {
    pub shape: Shape,
    pub packing: Packing,
    keys: Sorted,
}

impl Situations {
    pub fn of(evidence: &Evidence, shape: Shape) -> Situations {
        let (packing, keys) = sorted(&evidence.packing, &evidence.situations);
        Situations { shape, packing, keys }
    }

    /// Lets go of all but the positions in which games ended.
    pub fn keep_finals(&mut self) {
        let mut finals = Sorted { bytes: Vec::new(), ends: Vec::new() };
        for (_, key, count) in self.iter().filter(|(head, ..)| head.outcome.is_some()) {
            finals.bytes.extend(key);
            finals.ends.push((finals.bytes.len(), count));
        }
        self.keys = finals;
    }

    /// Every situation with how often it was seen.
    pub fn iter(&self) -> impl Iterator<Item = (RecordHead, &[u8], u32)> {
        self.keys.iter().map(|(key, count)| (RecordHead::of(key[0]), key, count))
    }

    /// What stands on a square of a situation.
    pub fn at(&self, key: &[u8], square: Square) -> Cell {
        self.packing.kinds[self.packing.at(key, square.index())]
    }
}

/// Keys with counts, one behind the other: there may be millions.
pub(super) struct Sorted {
    bytes: Vec<u8>,
    /// Where each key ends, and its count.
    ends: Vec<(usize, u32)>,
}

impl Sorted {
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], u32)> {
        let begins = std::iter::once(0).chain(self.ends.iter().map(|end| end.0));
        begins.zip(&self.ends).map(|(begin, &(end, count))| (&self.bytes[begin..end], count))
    }
}

/// Keys as they are written in the packing with sorted kinds, sorted.
pub(super) fn sorted(packing: &Packing, map: &Packed) -> (Packing, Sorted) {
    let wanted = packing.sorted();
    let mut bytes = Vec::new();
    let mut spans: Vec<(usize, usize, u32)> = Vec::with_capacity(map.len());
    let mut again = Vec::new();
    for (key, &count) in map {
        let begin = bytes.len();
        packing.rewrite(key, &wanted, &mut again);
        bytes.extend(&again);
        spans.push((begin, bytes.len(), count));
    }
    spans.sort_unstable_by(|a, b| bytes[a.0..a.1].cmp(&bytes[b.0..b.1]));
    let mut keys = Sorted { bytes: Vec::with_capacity(bytes.len()), ends: Vec::with_capacity(spans.len()) };
    for (begin, end, count) in spans {
        keys.bytes.extend(&bytes[begin..end]);
        keys.ends.push((keys.bytes.len(), count));
    }
    (wanted, keys)
}

/// Stands for the piece that has appeared on a board in mid-turn; on real boards it is no piece.
const APPEARED: Cell = Cell::EMPTY;

/// The positions in which one player was to move, as that player sees them: for the second player the board is mirrored
/// from bottom to top.
pub(super) struct Boards<const N: usize> {
    pub shape: Shape,
    pub own: Vec<Bits<N>>,
    pub enemy: Vec<Bits<N>>,
    pub empty: Vec<Bits<N>>,
    /// How often each was seen.
    pub count: Vec<u32>,
    /// Whether all legal moves were listed.
    pub all: Vec<bool>,
    /// Where the pieces of each kind stand; [`Cell::EMPTY`] is not among them.
    pieces: FxHashMap<Cell, Vec<(u32, Bits<N>)>>,
}

impl<const N: usize> Boards<N> {
    pub fn of(situations: &Situations, player: Player) -> Boards<N> {
        let shape = situations.shape;
        let mut boards = Boards::none(shape);
        let kinds = &situations.packing.kinds;
        let seen_as: Vec<usize> = match player {
            Player::First => (0..shape.squares()).collect(),
            Player::Second => shape.all().map(|square| shape.mirrored(square).index()).collect(),
        };
        let mut sets = vec![Bits::NONE; kinds.len()];
        for (head, key, count) in situations.iter().filter(|(head, ..)| head.turn == player && head.outcome.is_none()) {
            sets.fill(Bits::NONE);
            for (square, &seen) in seen_as.iter().enumerate() {
                sets[situations.packing.at(key, square)].insert(seen);
            }
            let number = boards.count.len() as u32;
            let (mut own, mut enemy, mut empty) = (Bits::NONE, Bits::NONE, Bits::NONE);
            for (set, &kind) in sets.iter().zip(kinds).filter(|(set, _)| !set.is_empty()) {
                match kind.owner() {
                    Some(owner) if owner == player => {
                        own = own.or(set);
                        boards.pieces.entry(kind).or_default().push((number, *set));
                    }
                    Some(_) => enemy = enemy.or(set),
                    None if kind.is_empty() => empty = empty.or(set),
                    None => {}
                }
            }
            boards.own.push(own);
            boards.enemy.push(enemy);
            boards.empty.push(empty);
            boards.count.push(count);
            boards.all.push(head.listing == Listing::All);
        }
        boards
    }

    /// No boards.
    pub fn none(shape: Shape) -> Boards<N> {
        Boards {
            shape,
            own: Vec::new(),
            enemy: Vec::new(),
            empty: Vec::new(),
            count: Vec::new(),
            all: Vec::new(),
            pieces: FxHashMap::default(),
        }
    }

    /// Adds a board of others as it is in mid-turn: some squares have changed, and a piece has appeared on one.
    pub fn push_changed(&mut self, base: &Boards<N>, board: u32, changes: &[(usize, Option<Seen>)], appeared: usize) {
        let at = board as usize;
        let (mut own, mut enemy, mut empty) = (base.own[at], base.enemy[at], base.empty[at]);
        for &(square, seen) in changes {
            [&mut own, &mut enemy, &mut empty].into_iter().for_each(|set| set.remove(square));
            match seen {
                Some(Seen::Empty) => empty.insert(square),
                Some(Seen::Own) => own.insert(square),
                Some(Seen::Enemy) => enemy.insert(square),
                None => {}
            }
        }
        let number = self.len() as u32;
        self.pieces.entry(APPEARED).or_default().push((number, Bits::of([appeared])));
        self.own.push(own);
        self.enemy.push(enemy);
        self.empty.push(empty);
        self.count.push(base.count[at]);
        self.all.push(base.all[at]);
    }

    /// Adds boards in mid-turn.
    pub fn append(&mut self, other: Boards<N>) {
        let before = self.len() as u32;
        let appeared = other.starts_of_appeared().iter().map(|&(board, square)| (board + before, square));
        self.pieces.entry(APPEARED).or_default().extend(appeared);
        self.own.extend(other.own);
        self.enemy.extend(other.enemy);
        self.empty.extend(other.empty);
        self.count.extend(other.count);
        self.all.extend(other.all);
    }

    /// Boards in mid-turn, with the square where a piece has appeared.
    pub fn starts_of_appeared(&self) -> &[(u32, Bits<N>)] {
        self.pieces.get(&APPEARED).map_or(&[], Vec::as_slice)
    }

    pub fn len(&self) -> usize {
        self.count.len()
    }

    /// Whether a piece was ever on a board.
    pub fn has(&self, piece: Cell) -> bool {
        self.pieces.contains_key(&piece)
    }

    /// The boards on which a turn can start on this cell, with the squares.
    pub fn starts(&self, start: Cell) -> Cow<'_, [(u32, Bits<N>)]> {
        if start.is_empty() {
            return (0..).zip(&self.empty).filter(|(_, set)| !set.is_empty()).map(|(i, set)| (i, *set)).collect();
        }
        Cow::Borrowed(self.pieces.get(&start).map_or(&[], Vec::as_slice))
    }

    /// How many of one side's pieces stand side by side in a row, column or diagonal, at most, on any of the boards.
    pub fn longest_line(&self, side: &[Bits<N>]) -> u16 {
        let directions = [(1, 0), (0, 1), (1, 1), (1, -1)].map(|(dx, dy)| {
            let from = self.shape.all().filter(|&square| self.shape.step(square, dx, dy).is_some());
            let delta = i32::from(dy) * self.shape.width() as i32 + i32::from(dx);
            (Bits::<N>::of(from.map(|square| square.index())), Shift::by::<N>(delta))
        });
        let mut longest = 0;
        for set in side {
            for (from, shift) in &directions {
                // The squares at which a line of so many ends.
                let (mut ends, mut length) = (*set, 1);
                while !ends.is_empty() {
                    longest = longest.max(length);
                    ends = ends.and(from).rotate(*shift).and(set);
                    length += 1;
                }
            }
        }
        longest
    }
}
