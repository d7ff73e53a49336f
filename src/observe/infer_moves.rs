//! The words that make one position of another: how a move is told when only the boards before and after it are known.
//!
//! Between two squares on a line a word names every square on the way with what stands there, so that a rook's move and a
//! leap over pieces have different words. A piece that takes others goes straight over them, the shortest way. Where several
//! words do the same in the same way, all are told, since a log that lists all moves lists them all. What is found is always
//! tried: a word counts only if it does exactly what was seen.

use super::{Move, Record};
use crate::board::{Cell, Content, MicroMove, Player, Position, Shape, Square, Word};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// How a move is told that takes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HopReading {
    /// Along the line from its start to its end, or by one leap.
    Straight,
    /// As hops over the opponent's pieces side by side, if it can be told so; otherwise straight.
    HopsOverEnemies,
    /// As hops over any pieces, if it can be told so; otherwise straight.
    HopsOverAll,
}

/// A record with its moves told in another way. Nothing if one cannot be told so, or is none that boards show.
pub fn reinterpret(record: &Record, telling: HopReading) -> Option<Record> {
    let mut told = Record { moves: Vec::new(), ..record.clone() };
    let (mut effects, mut known) = (FxHashSet::default(), FxHashSet::default());
    for choice in &record.moves {
        let effect = record.effect(choice).ok()?;
        let mut reached = record.position.clone();
        reached.apply(&effect, record.turn);
        if !effects.insert(effect) {
            continue;
        }
        let words = infer_moves(&record.position, &reached, record.turn, telling);
        if !matches!(words.first(), Some(Move::Word { .. })) {
            return None;
        }
        told.moves.extend(words.into_iter().filter(|word| known.insert(word.clone())));
    }
    Some(told)
}

/// The moves by which a player makes `after` of `before`, both boards of one shape. There is none if no word of the kinds known
/// here does: a drop; one piece that goes somewhere, takes others by jumping over them or on its way, is promoted, or lets
/// one more piece appear.
pub fn infer_moves(before: &Position, after: &Position, player: Player, telling: HopReading) -> Vec<Move> {
    let shape = before.shape();
    let squares: SmallVec<[Square; 8]> = shape.all().filter(|&square| before.at(square) != after.at(square)).collect();
    if squares.is_empty() {
        return vec![Move::Pass];
    }
    if squares.len() > MOST_CHANGES {
        return Vec::new();
    }
    let own = |cell: Cell| cell.owner() == Some(player);
    let (mut left, mut came, mut taken) = (SquareList::new(), SquareList::new(), SquareList::new());
    let mut swapped = SquareList::new();
    for square in squares {
        match (before.at(square), after.at(square)) {
            (was, Cell::EMPTY) if own(was) => left.push(square),
            (was, Cell::EMPTY) if was.piece().is_some() => taken.push(square),
            (was, is) if own(is) => {
                came.push(square);
                if own(was) {
                    swapped.push(square);
                }
            }
            _ => return Vec::new(),
        }
    }
    if left.is_empty() && taken.is_empty() && came.len() == 1 && before.at(came[0]).is_empty() {
        let word = Word(SmallVec::from_slice(&[put(after.at(came[0]))]));
        return vec![Move::Word { start: came[0], word }];
    }
    // Nothing went away, but something may have taken the place of the piece that moved, or it may have come back.
    let mut ends = came;
    let mut starts = if left.is_empty() { swapped } else { left };
    let comes_back = starts.is_empty() && ends.is_empty();
    if comes_back {
        starts = shape.all().filter(|&square| own(before.at(square))).collect();
    }
    let mut words: Vec<(Square, Word)> = Vec::new();
    for aside in [false, true] {
        for &start in &starts {
            if comes_back {
                ends = SquareList::from_slice(&[start]);
            }
            // Another own piece that left was taken.
            let others = starts.iter().copied().filter(|&square| square != start && !comes_back);
            let taken: SquareList = taken.iter().copied().chain(others).collect();
            let mut board = before.clone();
            board.set(start, Cell::EMPTY);
            let mut finder = Finder { shape, player, board, telling, aside, word: Word::default(), found: Vec::new() };
            match *ends.as_slice() {
                [end] => {
                    finder.go(start, end, taken);
                    let promoted = (before.at(start) != after.at(end)).then(|| put(after.at(end)));
                    words.extend(finder.found.into_iter().map(|mut word| {
                        word.0.extend(promoted);
                        (start, word)
                    }));
                }
                [one, other] if taken.is_empty() => {
                    for (end, second) in [(one, other), (other, one)] {
                        if after.at(end) == before.at(start) {
                            words.extend(finder.put_down(start, end, second, after).map(|word| (start, word)));
                        }
                    }
                }
                _ => {}
            }
        }
        // Going out of the way to take something is the last thing to think of.
        if !words.is_empty() {
            break;
        }
    }
    // Any piece may have gone round and come back; those that had the longest way did not.
    if let Some(shortest) = words.iter().map(|(_, word)| length(word)).min().filter(|_| comes_back) {
        words.retain(|(_, word)| length(word) == shortest);
    }
    let does = |(start, word): &(Square, Word)| {
        before.effect(player, *start, word).is_ok_and(|effect| {
            let mut reached = before.clone();
            reached.apply(&effect, player);
            reached.cells() == after.cells()
        })
    };
    words.into_iter().filter(does).map(|(start, word)| Move::Word { start, word }).collect()
}

/// A move that changes more squares than this is not looked into.
const MOST_CHANGES: usize = 16;
/// Of one move no more words are told than this: there are few even in long chains.
const MOST_WORDS: usize = 64;
const NEIGHBOURS: [(i8, i8); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

type SquareList = SmallVec<[Square; 4]>;

fn put(cell: Cell) -> MicroMove {
    MicroMove { dx: 0, dy: 0, content: Content::Add(Some(cell)) }
}

/// Words in the making.
#[derive(Clone)]
struct Finder {
    shape: Shape,
    player: Player,
    /// The board without the piece that moves and what it has taken so far.
    board: Position,
    telling: HopReading,
    /// Whether what is taken may lie aside of the way.
    aside: bool,
    word: Word,
    found: Vec<Word>,
}

impl Finder {
    /// To the end, where the piece is put down, and a second one goes on from there.
    fn put_down(&self, start: Square, end: Square, second: Square, after: &Position) -> Option<Word> {
        let mut finder = self.clone();
        finder.path(start, end, None)?;
        finder.word.0.push(put(after.at(second)));
        finder.path(end, second, None)?;
        Some(finder.word)
    }

    /// From the start to the end, by way of everything that is taken.
    fn go(&mut self, start: Square, end: Square, mut taken: SquareList) {
        taken.sort_unstable();
        if taken.is_empty() {
            if self.telling != HopReading::Straight && self.board.at(end).is_empty() {
                self.hop(start, end, &mut SmallVec::from_slice(&[start]));
                self.keep_shortest();
            }
            if self.found.is_empty() {
                self.straight(start, end);
            }
            return;
        }
        self.jump(start, end, &mut taken);
        self.keep_shortest();
        if let (true, &[over]) = (self.aside && self.found.is_empty(), taken.as_slice()) {
            self.visit(start, end, over);
        }
    }

    fn keep_shortest(&mut self) {
        let shortest = self.found.iter().map(length).min();
        self.found.retain(|word| Some(length(word)) == shortest);
    }

    fn straight(&mut self, from: Square, to: Square) {
        let begun = self.word.0.len();
        if self.path(from, to, None).is_some() {
            self.found.push(self.word.clone());
        }
        self.word.0.truncate(begun);
    }

    /// Over pieces side by side, again and again, without coming to a square twice.
    fn hop(&mut self, at: Square, end: Square, been: &mut SmallVec<[Square; 8]>) {
        if at == end && been.len() > 1 {
            self.found.push(self.word.clone());
            return;
        }
        for (dx, dy) in NEIGHBOURS {
            let is_hurdle = |over: &Square| match self.board.at(*over).owner() {
                Some(owner) => owner != self.player || self.telling == HopReading::HopsOverAll,
                None => false,
            };
            let over = self.shape.step(at, dx, dy).filter(is_hurdle);
            let Some(land) = over.and_then(|over| self.shape.step(over, dx, dy)) else { continue };
            if !self.board.at(land).is_empty() || been.contains(&land) || self.found.len() >= MOST_WORDS {
                continue;
            }
            let begun = self.word.0.len();
            if self.path(at, land, None).is_some() {
                been.push(land);
                self.hop(land, end, been);
                been.pop();
            }
            self.word.0.truncate(begun);
        }
    }

    /// Straight over what is taken, one after another, with nothing else in the way.
    fn jump(&mut self, at: Square, end: Square, left: &mut SquareList) {
        if left.is_empty() {
            if at == end && !self.found.contains(&self.word) {
                self.found.push(self.word.clone());
            }
            return;
        }
        for choice in 0..left.len() {
            let over = left[choice];
            let Some((dx, dy, steps)) = self.shape.straight(at, over) else { continue };
            let free = |square: Square| self.board.at(square).is_empty();
            let mut between =
                (1..steps).scan(at, |square, _| self.shape.step(*square, dx, dy).inspect(|&next| *square = next));
            if !between.all(free) || self.found.len() >= MOST_WORDS {
                continue;
            }
            let begun = self.word.0.len();
            if self.path(at, over, Some(over)).is_some() {
                let jumped = self.board.at(over);
                left.remove(choice);
                self.board.set(over, Cell::EMPTY);
                let mut land = over;
                while let Some(next) = self.shape.step(land, dx, dy).filter(|&next| self.board.at(next).is_empty()) {
                    self.word.0.push(MicroMove { dx, dy, content: Content::Empty });
                    land = next;
                    self.jump(land, end, left);
                }
                self.board.set(over, jumped);
                left.insert(choice, over);
            }
            self.word.0.truncate(begun);
        }
    }

    /// Directly onto what is taken, and from there to the end.
    fn visit(&mut self, at: Square, end: Square, over: Square) {
        if self.path(at, over, Some(over)).is_some() {
            self.board.set(over, Cell::EMPTY);
            self.straight(over, end);
        }
    }

    /// Along the line between two squares, if there is one and nothing on it is outside the game; otherwise by one leap. What
    /// stands on `over` is taken.
    fn path(&mut self, from: Square, to: Square, over: Option<Square>) -> Option<()> {
        let begun = self.word.0.len();
        let (dx, dy, steps) = self.shape.straight(from, to)?;
        let mut at = from;
        let walked = (0..steps).try_for_each(|_| {
            at = self.shape.step(at, dx, dy)?;
            self.step(dx, dy, at, over)
        });
        walked.or_else(|| {
            self.word.0.truncate(begun);
            let whole = |part: i8| i8::try_from(i32::from(part) * steps as i32).ok();
            self.step(whole(dx)?, whole(dy)?, to, over)
        })
    }

    fn step(&mut self, dx: i8, dy: i8, to: Square, over: Option<Square>) -> Option<()> {
        let found = self.board.at(to);
        let content = if over == Some(to) {
            Content::Remove(Some(found))
        } else if found.is_empty() {
            Content::Empty
        } else if found.owner()? == self.player {
            Content::Own
        } else {
            Content::Opponent
        };
        self.word.0.push(MicroMove { dx, dy, content });
        Some(())
    }
}

/// How far a word goes, as a king counts squares, and in how many steps: a chain of jumps over neighbours is shorter than one
/// that gets around as fast by leaps in odd directions.
fn length(word: &Word) -> (u32, usize) {
    let far = |micro: &MicroMove| u32::from(micro.dx.unsigned_abs().max(micro.dy.unsigned_abs()));
    (word.0.iter().map(far).sum(), word.0.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_as_people_would_play_it() {
        for (before, after, told) in [
            ("... | ...", "... | .X.", "1 (0 0 aX)"),
            ("... | P..", "P.. | ...", "0 (0 1 e)"),
            (".q. | P..", ".P. | ...", "0 (1 1 p)"),
            ("... | R..", "... | ..R", "0 (1 0 e)(1 0 e)"),
            ("... | R.q", "... | ..R", "0 (1 0 e)(1 0 p)"),
            ("... | RP.", "... | .PR", "0 (1 0 w)(1 0 e)"),
            ("... | RP.", "... | .R.", "0 (1 0 w)"),
            (".N. | ... | P..", "N.. | ... | P..", "7 (-1 0 e)"),
            ("... | ... | N..", ".N. | ... | ...", "0 (1 2 e)"),
            ("... | P..", "Q.. | ...", "0 (0 1 e)(0 0 aQ)"),
            ("... | .c. | C..", "..C | ... | ...", "0 (1 1 dc)(1 1 e)"),
            ("... | C#. | C..", "... | .#C | C..", "3 (2 0 e)"),
            ("... | #..", "... | #..", "pass"),
            ("P.# | ..#", ".P# | ..#", "3 (1 0 e)"),
            ("R*. | ...", ".*R | ...", "3 (2 0 e)"),
            // A chain of jumps, en passant, an amazon and its arrow, one that flies back, and one that is taken as well.
            (
                "..... | ...c. | ..... | .c... | C....",
                "....C | ..... | ..... | ..... | .....",
                "0 (1 1 dc)(1 1 e)(1 1 dc)(1 1 e)",
            ),
            ("... | pP. | ...", "P.. | ... | ...", "4 (-1 0 dp)(0 1 e)"),
            ("... | A..", "X.. | .A.", "0 (1 0 e)(0 0 aX)(-1 1 e)"),
            ("A.. | ...", "X.. | A..", "3 (0 -1 e)(0 0 aX)(0 1 e)"),
            ("... | PPP", "... | ..P", ""),
            // What it takes is not on its way; and what it takes has gaps.
            ("..... | .c.c. | ..... | .c.c. | C....", "..... | .c... | ..C.. | ..... | .....", ""),
            // All round and back, and one that could be taken by either of two.
            (
                "..... | .c.c. | ..... | .c.c. | ..C..",
                "..... | ..... | ..... | ..... | ..C..",
                "2 (-1 1 dc)(-1 1 e)(1 1 dc)(1 1 e)(1 -1 dc)(1 -1 e)(-1 -1 dc)(-1 -1 e), \
                 2 (1 1 dc)(1 1 e)(-1 1 dc)(-1 1 e)(-1 -1 dc)(-1 -1 e)(1 -1 dc)(1 -1 e)",
            ),
            (
                "...... | .c.c.. | ...... | .c.c.C | ..C... | ......",
                "...... | ...... | ...... | .....C | ..C... | ......",
                "8 (-1 1 dc)(-1 1 e)(1 1 dc)(1 1 e)(1 -1 dc)(1 -1 e)(-1 -1 dc)(-1 -1 e), \
                 8 (1 1 dc)(1 1 e)(-1 1 dc)(-1 1 e)(-1 -1 dc)(-1 -1 e)(1 -1 dc)(1 -1 e)",
            ),
            // The man could take the same four by leaps of (1 3), but it was the king.
            (
                ".....K.. | ....c.c. | .....C.. | ....c.c. | ........",
                ".....K.. | ........ | .....C.. | ........ | ........",
                "37 (-1 -1 dc)(-1 -1 e)(1 -1 dc)(1 -1 e)(1 1 dc)(1 1 e)(-1 1 dc)(-1 1 e), \
                 37 (1 -1 dc)(1 -1 e)(-1 -1 dc)(-1 -1 e)(-1 1 dc)(-1 1 e)(1 1 dc)(1 1 e)",
            ),
            ("C.c.c.", ".....C", "0 (1 0 e)(1 0 dc)(1 0 e)(1 0 dc)(1 0 e)"),
            ("... | PP.", "... | ..P", "0 (1 0 dP)(1 0 e)"),
        ] {
            let position = |text: &str| Position::from_rows(text.split(" | ")).unwrap();
            let words = infer_moves(&position(before), &position(after), Player::First, HopReading::Straight);
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            assert_eq!(words.join(", "), told, "{before} -> {after}");
        }
    }

    #[test]
    fn hops_are_told_where_there_are_any() {
        for (before, after, told) in [
            ("..... | ..... | ..... | .c... | C....", "..... | ..... | ..C.. | .c... | .....", "0 (1 1 p)(1 1 e)"),
            // Over two, by two ways, while the straight way is free.
            (
                "..... | .c.C. | ..... | .C.c. | ..C..",
                "..C.. | .c.C. | ..... | .C.c. | .....",
                "2 (-1 1 w)(-1 1 e)(1 1 p)(1 1 e), 2 (1 1 p)(1 1 e)(-1 1 w)(-1 1 e)",
            ),
            // Nothing to hop over.
            ("... | ... | R..", "R.. | ... | ...", "0 (0 1 e)(0 1 e)"),
        ] {
            let position = |text: &str| Position::from_rows(text.split(" | ")).unwrap();
            let words = infer_moves(&position(before), &position(after), Player::First, HopReading::HopsOverAll);
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            assert_eq!(words.join(", "), told, "{before} -> {after}");
        }
    }

    #[test]
    fn what_no_word_does_is_not_told() {
        for (before, after) in [
            ("... | P..", "... | p.."), // a piece goes over
            ("... | p..", "p.. | ..."), // the opponent's piece moves
            ("... | ...", "..X | X.."), // two appear
            ("R.. | R..", ".R. | .R."), // two move
            ("... | P..", "... | *.."), // a wall appears
        ] {
            let position = |text: &str| Position::from_rows(text.split(" | ")).unwrap();
            let words = infer_moves(&position(before), &position(after), Player::First, HopReading::HopsOverAll);
            assert_eq!(words, [], "{before} -> {after}");
        }
    }
}
