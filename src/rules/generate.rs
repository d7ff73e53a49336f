//! Move generation: a piece's automaton is walked for all pieces of its kind at once.
//!
//! The walk goes along the letters, depth first, with the set of squares where the cursors are: one for each piece that
//! can make all the steps so far. A step moves the whole set and keeps the squares with the right content. All cursors
//! have made the same steps, so what a word has changed (the lifted piece, pieces taken and put down) lies at the same
//! distance from each of them, and is kept once for all. Nothing is allocated unless a word is very long.

use super::bits::{Bits, Shift};
use super::compile::{Check, Core, Mover, Test};
use super::state::{Path, Run};
use crate::board::Player;
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// What is where for the player to move.
pub(super) struct Sides<const N: usize> {
    pub empty: Bits<N>,
    pub own: Bits<N>,
    pub enemy: Bits<N>,
}

/// A distance from the start: files and ranks in one number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Offset(i16);

impl Offset {
    const HERE: Offset = Offset(0);

    #[inline]
    fn plus(self, dx: i8, dy: i8) -> Offset {
        // Distances are at most 31 either way, so 64 keeps files and ranks apart.
        Offset(self.0 + 64 * i16::from(dy) + i16::from(dx))
    }
}

/// What a word has made of a square.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    Empty,
    /// A piece of this kind was put down.
    Kind(usize),
}

/// Calls `emit` with every word that pieces of the mover's kind can make, and with the squares they start on. No pair
/// of a word and a square comes twice. Stops when `emit` breaks.
pub(super) fn generate<const N: usize>(
    core: &Core<N>,
    mover: &Mover<N>,
    player: Player,
    boards: &[[u64; N]],
    sides: &Sides<N>,
    emit: &mut impl FnMut(&[Run], Bits<N>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let cursors = mover.start.map_or(sides.empty, |kind| Bits(boards[kind]));
    if cursors.is_empty() {
        return ControlFlow::Continue(());
    }
    let mut walk = Walk {
        core,
        mover,
        player,
        boards,
        sides,
        emit,
        path: SmallVec::new(),
        been: SmallVec::new(),
        fresh: 0,
        made: SmallVec::new(),
        puts: SmallVec::new(),
        fresh_puts: 0,
        controlled: mover.start,
        emitted: Vec::new(),
    };
    walk.been.push(Offset::HERE);
    if mover.start.is_some() {
        walk.made.push((Offset::HERE, Made::Empty));
    }
    walk.from(0, cursors, Offset::HERE, 0)
}

struct Walk<'a, const N: usize, E> {
    core: &'a Core<N>,
    mover: &'a Mover<N>,
    player: Player,
    boards: &'a [[u64; N]],
    sides: &'a Sides<N>,
    emit: &'a mut E,
    path: Path,
    /// Squares the cursor has come to; those before `fresh` do not count any more.
    been: SmallVec<[Offset; 16]>,
    fresh: usize,
    /// Squares that are not as on the board, the latest change last.
    made: SmallVec<[(Offset, Made); 8]>,
    /// Where, and into which state, pieces were put down; those before `fresh_puts` do not count any more.
    puts: SmallVec<[(Offset, usize); 4]>,
    fresh_puts: usize,
    controlled: Option<usize>,
    /// For ambiguous movers, the words that have been emitted.
    emitted: Vec<(Path, Bits<N>)>,
}

impl<const N: usize, E: FnMut(&[Run], Bits<N>) -> ControlFlow<()>> Walk<'_, N, E> {
    /// Goes on from a state with the cursors `delta` squares (by number) from their starts.
    fn from(&mut self, state: usize, cursors: Bits<N>, at: Offset, delta: i32) -> ControlFlow<()> {
        let mover = self.mover;
        let node = &mover.nodes[state];
        for hop in &node.hops {
            let landed = cursors.and(&hop.from).rotate(hop.shift);
            if landed.is_empty() {
                continue;
            }
            let to = at.plus(hop.dx, hop.dy);
            if mover.loops && self.been[self.fresh..].contains(&to) {
                continue;
            }
            let made = if mover.touches { self.made_of(to) } else { None };
            let delta = delta + self.core.delta(hop.dx, hop.dy);
            for arm in &hop.arms {
                let next = self.passing(landed, arm.test, made);
                if next.is_empty() {
                    continue;
                }
                self.push(arm.letter);
                if arm.accepting {
                    self.found(next, delta)?;
                }
                if !arm.leaf {
                    self.after_step(arm.to, next, to, delta, arm.takes, made.is_none())?;
                }
                self.pop();
            }
        }
        for put in &node.puts {
            // A piece put down at the same place into the same state again would go on for ever.
            if self.puts[self.fresh_puts..].contains(&(at, put.to)) {
                continue;
            }
            self.push(put.letter);
            if mover.nodes[put.to].accepting {
                self.found(cursors, delta)?;
            }
            self.after_put(put.to, put.kind, cursors, at, delta)?;
            self.pop();
        }
        for guard in &node.guards {
            let next = match &guard.check {
                Check::Within(squares) => cursors.and(squares),
                Check::Look { dx, dy, shift, from, back, test } => {
                    let seen = cursors.and(from).rotate(*shift).and(&self.core.board);
                    let made = self.made_of(at.plus(*dx, *dy));
                    self.passing(seen, *test, made).rotate(*back)
                }
            };
            if next.is_empty() {
                continue;
            }
            if mover.nodes[guard.to].accepting {
                self.found(next, delta)?;
            }
            self.from(guard.to, next, at, delta)?;
        }
        ControlFlow::Continue(())
    }

    fn after_step(
        &mut self,
        state: usize,
        cursors: Bits<N>,
        at: Offset,
        delta: i32,
        takes: bool,
        original: bool,
    ) -> ControlFlow<()> {
        let (fresh, fresh_puts) = (self.fresh, self.fresh_puts);
        self.been.push(at);
        if takes {
            self.fresh = self.been.len() - 1;
            self.made.push((at, Made::Empty));
            // There are only so many pieces on the board, so a word may start afresh when it has taken one of them.
            if original {
                self.fresh_puts = self.puts.len();
            }
        }
        let flow = self.from(state, cursors, at, delta);
        if takes {
            self.made.pop();
        }
        self.been.pop();
        (self.fresh, self.fresh_puts) = (fresh, fresh_puts);
        flow
    }

    fn after_put(&mut self, state: usize, kind: usize, cursors: Bits<N>, at: Offset, delta: i32) -> ControlFlow<()> {
        let (fresh, controlled, made) = (self.fresh, self.controlled, self.made.len());
        self.puts.push((at, state));
        self.been.push(at);
        self.fresh = self.been.len() - 1;
        if let Some(put_down) = controlled {
            self.made.push((at, Made::Kind(put_down)));
        }
        self.controlled = Some(kind);
        let flow = self.from(state, cursors, at, delta);
        self.controlled = controlled;
        self.made.truncate(made);
        self.been.pop();
        self.puts.pop();
        self.fresh = fresh;
        flow
    }

    #[inline]
    fn made_of(&self, at: Offset) -> Option<Made> {
        self.made.iter().rev().find(|made| made.0 == at).map(|made| made.1)
    }

    /// The squares with the content asked for, where the word may have made it another one.
    #[inline]
    fn passing(&self, squares: Bits<N>, test: Test, made: Option<Made>) -> Bits<N> {
        let Some(made) = made else {
            return squares.and(match test {
                Test::Empty => &self.sides.empty,
                Test::Own => &self.sides.own,
                Test::Enemy => &self.sides.enemy,
                Test::Kind(kind) => return squares.and(&Bits(self.boards[kind])),
            });
        };
        let passes = match (made, test) {
            (Made::Empty, test) => test == Test::Empty,
            (Made::Kind(_), Test::Empty) => false,
            (Made::Kind(kind), Test::Own) => self.core.kinds[kind].owner() == Some(self.player),
            (Made::Kind(kind), Test::Enemy) => self.core.kinds[kind].owner() == Some(self.player.other()),
            (Made::Kind(kind), Test::Kind(asked)) => kind == asked,
        };
        if passes { squares } else { Bits::NONE }
    }

    #[inline]
    fn push(&mut self, letter: u16) {
        match self.path.last_mut() {
            Some(run) if run.letter == letter => run.times += 1,
            _ => self.path.push(Run { letter, times: 1 }),
        }
    }

    #[inline]
    fn pop(&mut self) {
        if let Some(run) = self.path.last_mut() {
            run.times -= 1;
            if run.times == 0 {
                self.path.pop();
            }
        }
    }

    /// The word may end here: the cursors lead back to the squares it starts on.
    #[inline]
    fn found(&mut self, cursors: Bits<N>, delta: i32) -> ControlFlow<()> {
        // Guards alone are no word.
        if self.path.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut starts = cursors.rotate(Shift::by::<N>(-delta));
        if self.mover.ambiguous {
            let before = self.emitted.iter().filter(|(path, _)| *path == self.path);
            starts = before.fold(starts, |left, (_, done)| left.without(done));
            if starts.is_empty() {
                return ControlFlow::Continue(());
            }
            self.emitted.push((self.path.clone(), starts));
        }
        (self.emit)(&self.path, starts)
    }
}
