//! Which words exist: what a word of micro-moves has done so far, and how it may go on.
//!
//! Movements with loops would have endless words without a rule that ends them. The rule looks at the word alone, never
//! at the automaton that accepts it, so that two automata of the same language always give the same moves:
//!
//! 1. A word comes to no square twice, unless it has taken or put down a piece in between. Taking starts afresh because
//!    chains of jumps may come back to a square (in draughts a king may end where it began).
//! 2. A word does not repeat a put-down: on the same square, with the same piece put down and the same piece appearing,
//!    unless it has taken in between a piece that stood on the board when the turn began. There are only so many of
//!    those, so every word ends.
//! 3. A word ends when its piece vanishes, without even a guard behind. Only a piece that was lifted vanishes: a drop that
//!    vanishes is no turn.
//!
//! The learner, the diagrams and the exports all walk with a [`Trace`]. The move generator keeps the same facts in a form
//! made for whole sets of squares, and is compared with this one in the tests.

use super::Cell;
use smallvec::SmallVec;

/// A square seen from the one where the word starts: files to the right, ranks up.
pub(crate) type Offset = (i16, i16);

/// What a word has done so far. `C` is what a changed square holds, as exactly as the user of the trace knows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Trace<C> {
    at: Offset,
    /// Where the cursor has been since a piece was taken or put down.
    visited: SmallVec<[Offset; 8]>,
    /// Each square once, the lifted piece's first.
    changed: SmallVec<[(Offset, C); 2]>,
    /// The piece that appeared last; `None` before the first put-down.
    controlled: Option<Cell>,
    /// The put-downs since a piece was taken that stood on the board: where, what was put down, what appeared.
    puts: SmallVec<[(Offset, Option<Cell>, Cell); 1]>,
    drops: bool,
    /// Whether the piece has vanished.
    ended: bool,
}

impl<C: Copy> Trace<C> {
    /// The empty word of a piece that is lifted, which leaves its square `empty`.
    pub fn lifting(empty: C) -> Trace<C> {
        let mut trace = Trace { drops: false, ..Trace::dropping() };
        trace.changed.push(((0, 0), empty));
        trace
    }

    /// The empty word of a drop on an empty square.
    pub fn dropping() -> Trace<C> {
        Trace {
            at: (0, 0),
            visited: SmallVec::from_iter([(0, 0)]),
            changed: SmallVec::new(),
            controlled: None,
            puts: SmallVec::new(),
            drops: true,
            ended: false,
        }
    }

    /// Where the cursor is.
    pub fn at(&self) -> Offset {
        self.at
    }

    /// The piece that appeared last; `None` before the first put-down.
    pub fn controlled(&self) -> Option<Cell> {
        self.controlled
    }

    /// The square at a distance from the cursor.
    pub fn beside(&self, dx: i8, dy: i8) -> Offset {
        (self.at.0 + i16::from(dx), self.at.1 + i16::from(dy))
    }

    /// The squares that are not as on the board.
    pub fn changes(&self) -> &[(Offset, C)] {
        &self.changed
    }

    /// What the word has made of a square; `None` if the square is as on the board.
    pub fn changed(&self, square: Offset) -> Option<C> {
        self.changed.iter().find(|change| change.0 == square).map(|change| change.1)
    }

    /// Where the cursor has been since a piece was taken or put down.
    pub fn visited(&self) -> &[Offset] {
        &self.visited
    }

    /// Whether the piece has vanished, so that nothing follows.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether the word may come to a square next.
    pub fn may_visit(&self, square: Offset) -> bool {
        !self.visited.contains(&square)
    }

    /// Makes a step. If it takes what it lands on, the square is left with `taken`. Refused, with nothing changed, if the
    /// word may not come there.
    pub fn step(&mut self, dx: i8, dy: i8, taken: Option<C>) -> bool {
        let to = self.beside(dx, dy);
        if self.ended || !self.may_visit(to) {
            return false;
        }
        self.at = to;
        if let Some(empty) = taken {
            if self.changed(to).is_none() {
                self.puts.clear();
            }
            self.change(to, empty);
            self.visited.clear();
        }
        self.visited.push(to);
        true
    }

    /// Puts the controlled piece down as `put_down` (`None` if a drop has no piece yet), and lets `appears` appear.
    /// Refused, with nothing changed, if that would repeat a put-down.
    pub fn put(&mut self, appears: Cell, put_down: Option<C>) -> bool {
        let put = (self.at, self.controlled, appears);
        if self.ended || self.puts.contains(&put) {
            return false;
        }
        self.puts.push(put);
        if let Some(cell) = put_down {
            self.change(self.at, cell);
        }
        self.controlled = Some(appears);
        self.visited.clear();
        self.visited.push(self.at);
        true
    }

    /// Takes the controlled piece off the board. Refused, with nothing changed, if the word is a drop or has ended.
    pub fn vanish(&mut self) -> bool {
        let may = !self.drops && !self.ended;
        self.ended |= may;
        may
    }

    fn change(&mut self, square: Offset, cell: C) {
        match self.changed.iter_mut().find(|change| change.0 == square) {
            Some(change) => change.1 = cell,
            None => self.changed.push((square, cell)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(name: &str) -> Cell {
        Cell::named(name).unwrap()
    }

    #[test]
    fn a_square_is_visited_again_only_after_a_change() {
        let mut word = Trace::lifting(Cell::EMPTY);
        assert!(word.step(1, 0, None) && !word.step(-1, 0, None));
        assert!(word.step(1, 0, Some(Cell::EMPTY)) && word.step(-1, 0, None) && word.step(-1, 0, None));
        assert_eq!((word.at(), word.changed((2, 0)), word.changed((1, 0))), ((0, 0), Some(Cell::EMPTY), None));
        assert!(word.put(cell("A"), Some(cell("P"))) && word.step(1, 0, None));
    }

    #[test]
    fn a_put_down_is_repeated_only_after_a_piece_of_the_board_was_taken() {
        let (a, b, p) = (cell("A"), cell("B"), cell("P"));
        let mut word = Trace::lifting(Cell::EMPTY);
        assert!(word.put(a, Some(p)) && word.put(b, Some(a)) && word.put(a, Some(b)));
        assert!(!word.put(b, Some(a)), "A was put down here before, and B appeared");
        assert_eq!(word.changed((0, 0)), Some(b));
        // Taking what the word itself has put down does not count.
        assert!(word.step(1, 0, None) && word.put(a, Some(a)) && word.step(-1, 0, Some(Cell::EMPTY)));
        assert!(!word.put(b, Some(a)));
        assert!(word.step(1, 0, None) && word.step(1, 0, Some(Cell::EMPTY)) && word.step(-1, 0, None));
        assert!(word.step(-1, 0, None) && word.put(b, Some(a)));
    }
}
