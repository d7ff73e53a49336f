//! Positions laid out for counting: one set of squares a column.

use super::evidence::Tail;
use super::situations::Situations;
use super::square_sets::{Column, Cursors, Width, at_width, insert, remove, sets};
use crate::board::{Bits, Cell, Player, Shape, Square};
use crate::observe::Listing;
use crate::rules::Seen;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Stands for the piece that has appeared on a board in mid-turn; on real boards it is no piece.
const APPEARED: Cell = Cell::EMPTY;

/// The positions in which one player was to move, as that player sees them: for the second player the board is mirrored
/// from bottom to top.
pub(super) struct Boards {
    pub shape: Shape,
    pub width: Width,
    pub own: Column,
    pub enemy: Column,
    pub empty: Column,
    /// How often each was seen.
    pub count: Vec<u32>,
    /// Whether all legal moves were listed.
    pub all: Vec<bool>,
    /// Where only the move played was listed: where it starts.
    pub played: Vec<Option<Square>>,
    /// Where the pieces of each kind stand; [`Cell::EMPTY`] is not among them.
    pieces: FxHashMap<Cell, Cursors>,
}

impl Boards {
    pub fn of(situations: &Situations, player: Player) -> Boards {
        let mut boards = Boards::none(situations.shape);
        at_width!(boards.width, fill(&mut boards, situations, player));
        boards
    }

    /// No boards.
    pub fn none(shape: Shape) -> Boards {
        Boards {
            shape,
            width: Width::of(shape),
            own: Column::new(),
            enemy: Column::new(),
            empty: Column::new(),
            count: Vec::new(),
            all: Vec::new(),
            played: Vec::new(),
            pieces: FxHashMap::default(),
        }
    }

    /// Adds a board of others as it is in mid-turn: some squares have changed, and a piece has appeared on one.
    pub fn push_changed(&mut self, base: &Boards, board: usize, changes: &[(usize, Option<Seen>)], appeared: usize) {
        let words = self.width.words();
        let (number, begin) = (self.len() as u32, self.own.len());
        let columns = [(&mut self.own, &base.own), (&mut self.enemy, &base.enemy), (&mut self.empty, &base.empty)];
        columns.into_iter().for_each(|(column, base)| column.extend(&base[board * words..][..words]));
        for &(square, seen) in changes {
            let columns = [&mut self.own, &mut self.enemy, &mut self.empty];
            columns.into_iter().for_each(|column| remove(&mut column[begin..], square));
            let column = match seen {
                Some(Seen::Empty) => &mut self.empty,
                Some(Seen::Own) => &mut self.own,
                Some(Seen::Enemy) => &mut self.enemy,
                None => continue,
            };
            insert(&mut column[begin..], square);
        }
        let cursors = self.pieces.entry(APPEARED).or_default();
        cursors.boards.push(number);
        let cursor = cursors.squares.len();
        cursors.squares.resize(cursor + words, 0);
        insert(&mut cursors.squares[cursor..], appeared);
        self.count.push(base.count[board]);
        self.all.push(base.all[board]);
        self.played.push(None);
    }

    /// Adds boards in mid-turn.
    pub fn append(&mut self, other: Boards) {
        let before = self.len() as u32;
        let appeared = self.pieces.entry(APPEARED).or_default();
        if let Some(theirs) = other.pieces.get(&APPEARED) {
            appeared.boards.extend(theirs.boards.iter().map(|board| board + before));
            appeared.squares.extend(&theirs.squares);
        }
        self.own.extend(other.own);
        self.enemy.extend(other.enemy);
        self.empty.extend(other.empty);
        self.count.extend(other.count);
        self.all.extend(other.all);
        self.played.extend(other.played);
    }

    pub fn len(&self) -> usize {
        self.count.len()
    }

    /// Whether a piece was ever on a board.
    pub fn has(&self, piece: Cell) -> bool {
        self.pieces.contains_key(&piece)
    }

    /// The boards on which a turn can start on this cell, with the squares.
    pub fn starts(&self, start: Cell) -> Cow<'_, Cursors> {
        if start.is_empty() { Cow::Owned(at_width!(self.width, not_full(&self.empty))) } else { self.cursors(start) }
    }

    /// Boards in mid-turn, with the square where a piece has appeared.
    pub fn starts_of_appeared(&self) -> Cow<'_, Cursors> {
        self.cursors(APPEARED)
    }

    fn cursors(&self, piece: Cell) -> Cow<'_, Cursors> {
        self.pieces.get(&piece).map_or_else(|| Cow::Owned(Cursors::default()), Cow::Borrowed)
    }

    /// Whether a square of a board holds this.
    pub fn holds(&self, board: usize, square: Square, seen: Seen) -> bool {
        let column = match seen {
            Seen::Empty => &self.empty,
            Seen::Own => &self.own,
            Seen::Enemy => &self.enemy,
        };
        let at = square.index();
        column[board * self.width.words() + at / 64] >> (at % 64) & 1 == 1
    }
}

fn fill<const N: usize>(boards: &mut Boards, situations: &Situations, player: Player) {
    let shape = situations.shape;
    let kinds = &situations.packing.kinds;
    let seen_as: Vec<usize> = match player {
        Player::First => (0..shape.squares()).collect(),
        Player::Second => shape.all().map(|square| shape.mirrored(square).index()).collect(),
    };
    let mut found = vec![Bits::<N>::NONE; kinds.len()];
    for (head, key, count) in situations.iter().filter(|(head, ..)| head.turn == player && head.outcome.is_none()) {
        found.fill(Bits::NONE);
        for (square, &seen) in seen_as.iter().enumerate() {
            found[situations.packing.at(key, square)].insert(seen);
        }
        let number = boards.count.len() as u32;
        let (mut own, mut enemy, mut empty) = (Bits::NONE, Bits::NONE, Bits::NONE);
        for (set, &kind) in found.iter().zip(kinds).filter(|(set, _)| !set.is_empty()) {
            match kind.owner() {
                Some(owner) if owner == player => {
                    own = own.or(set);
                    boards.pieces.entry(kind).or_default().push(number, *set);
                }
                Some(_) => enemy = enemy.or(set),
                None if kind.is_empty() => empty = empty.or(set),
                None => {}
            }
        }
        boards.own.extend_from_slice(&own.0);
        boards.enemy.extend_from_slice(&enemy.0);
        boards.empty.extend_from_slice(&empty.0);
        boards.count.push(count);
        boards.all.push(head.listing == Listing::All);
        boards.played.push(match situations.tail(key) {
            Tail::Played(Some((start, _))) => Some(Square(seen_as[start.index()] as u16)),
            _ => None,
        });
    }
}

/// The sets of a column that have squares.
fn not_full<const N: usize>(empty: &Column) -> Cursors {
    let mut cursors = Cursors::default();
    for (board, set) in (0..).zip(sets::<N>(empty)).filter(|(_, set)| !Bits(**set).is_empty()) {
        cursors.push(board, Bits(*set));
    }
    cursors
}
