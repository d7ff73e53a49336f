//! Move generation: a piece's automaton is walked for all pieces of its kind at once.
//!
//! The walk goes along the letters, depth first, with the set of squares where the cursors are: one for each piece that
//! can make all the steps so far. A step moves the whole set and keeps the squares with the right content. All cursors
//! have made the same steps, so what a word has changed (the lifted piece, pieces taken and put down) lies at the same
//! distance from each of them, and is kept once for all. Nothing is allocated unless a word is very long.
//!
//! Which words exist is defined in `board/trace.rs`; what is kept here is the same for sets of squares, and the tests
//! compare the two.

use super::state::{Path, Run, push_letter};
use super::tables::{Arm, Board, Check, Core, Deep, Leap, Mover, Put, Slide, Sliding, Stay};
use crate::board::Bits;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// Who wants to know the words.
pub(super) trait Sink<const N: usize> {
    /// Whether the words are asked for, or only where they lead.
    const READS_WORDS: bool;
    /// After so many steps a walk is cut off. Words that were gone through before need no limit.
    const MOST_STEPS: u64 = MOST_STEPS;

    /// Takes a word (if asked for), the squares to which it leads, and how far by number these are from the squares
    /// it starts on. No pair of a word and a square comes twice. The walk stops if this breaks.
    fn found(&mut self, word: &[Run], squares: Bits<N>, delta: i32) -> ControlFlow<()>;

    /// Whether it is enough to know that there are so many words here.
    fn takes_count(&mut self, count: usize) -> bool;

    /// The walk is cut off here, so there may be words that the sink never gets.
    fn cut_off(&mut self);
}

/// After so many steps a walk is cut off: the turns of the position cannot all be gone through.
pub(super) const MOST_STEPS: u64 = 2_000_000;
/// No position may have more turns than this, whether they are counted or listed: the lists must fit into memory.
pub(super) const MOST_TURNS: usize = 1 << 18;

/// Gives the sink every word that pieces of the mover's kind can make.
pub(super) fn generate<const N: usize, S: Sink<N>>(
    core: &Core<N>,
    mover: &Mover<N>,
    boards: &[[u64; N]],
    sink: &mut S,
) -> ControlFlow<()> {
    let cursors = mover.cursors(core, boards);
    if cursors.is_empty() {
        return ControlFlow::Continue(());
    }
    for leap in mover.leaps() {
        let squares = leap.landing(cursors, boards);
        if !squares.is_empty() {
            sink.found(&leap.path, squares, leap.delta)?;
        }
    }
    generate_longer(core, mover, cursors, boards, sink)
}

impl<const N: usize> Mover<N> {
    /// Where words start.
    #[inline]
    pub fn cursors(&self, core: &Core<N>, boards: &[[u64; N]]) -> Bits<N> {
        Bits(boards[self.start.unwrap_or(core.vacant())])
    }

    /// The words that are generated first, each at once for all pieces.
    #[inline]
    pub fn leaps(&self) -> &[Leap<N>] {
        self.openings.as_ref().map_or(&[], |openings| &openings.leaps)
    }

    /// Whether there may be words that are not leaps.
    #[inline]
    pub fn has_longer(&self) -> bool {
        self.openings.as_ref().is_none_or(|openings| {
            !(openings.stays.is_empty() && openings.slides.is_empty() && openings.deep.is_empty())
        })
    }
}

impl<const N: usize> Leap<N> {
    /// Where it leads.
    #[inline]
    pub fn landing(&self, cursors: Bits<N>, boards: &[[u64; N]]) -> Bits<N> {
        cursors.and(&self.from).rotate(self.shift).and(&Bits(boards[self.holds.0]))
    }
}

/// The words that are not leaps.
pub(super) fn generate_longer<const N: usize, S: Sink<N>>(
    core: &Core<N>,
    mover: &Mover<N>,
    cursors: Bits<N>,
    boards: &[[u64; N]],
    sink: &mut S,
) -> ControlFlow<()> {
    let Some(openings) = &mover.openings else {
        return walk(core, mover, boards, sink, Begin::Start(cursors));
    };
    let empty = Bits(boards[core.vacant()]);
    let holds = |squares: Bits<N>, board: Board| squares.and(&Bits(boards[board.0]));
    for stay in &openings.stays {
        let squares = stay.squares(cursors, holds);
        if !squares.is_empty() {
            sink.found(&stay.path, squares, 0)?;
        }
    }
    for sliding in &openings.slides {
        let ends_on = |board: Board, end| Bits(boards[board.0]).contains(end);
        let count = cursors.iter().map(|cursor| sliding.slide.count(cursor, &empty, ends_on)).sum();
        if count > 0 && !sink.takes_count(count) {
            slide(sliding, cursors, Board(core.vacant()), holds, sink)?;
        }
    }
    for deep in &openings.deep {
        let next = holds(cursors.and(&deep.from).rotate(deep.shift), deep.arm.holds);
        if !next.is_empty() {
            walk(core, mover, boards, sink, Begin::After(deep, next))?;
        }
    }
    ControlFlow::Continue(())
}

impl<const N: usize> Stay<N> {
    /// The squares on which one of the ways is open.
    #[inline]
    fn squares(&self, cursors: Bits<N>, holds: impl Fn(Bits<N>, Board) -> Bits<N>) -> Bits<N> {
        let mut squares = Bits([0; N]);
        for way in &self.ways {
            let open = way.iter().fold(cursors, |cursors, check| match check {
                Check::Within(squares) => cursors.and(squares),
                Check::Look { shift, from, back, holds: board, .. } => {
                    holds(cursors.and(from).rotate(*shift), *board).rotate(*back)
                }
            });
            squares = squares.or(&open);
        }
        squares
    }
}

/// Makes all steps of a slide.
fn slide<const N: usize>(
    sliding: &Sliding<N>,
    mut cursors: Bits<N>,
    vacant: Board,
    holds: impl Fn(Bits<N>, Board) -> Bits<N>,
    sink: &mut impl Sink<N>,
) -> ControlFlow<()> {
    let mut path = Path::new();
    let mut delta = 0;
    loop {
        let landed = cursors.and(&sliding.from).rotate(sliding.shift);
        delta += sliding.delta;
        for (&end, &letter) in sliding.slide.ends.iter().zip(&sliding.ends) {
            let squares = holds(landed, end);
            if !squares.is_empty() {
                path.push(Run { letter, times: 1 });
                sink.found(&path, squares, delta)?;
                path.pop();
            }
        }
        cursors = holds(landed, vacant);
        if cursors.is_empty() {
            return ControlFlow::Continue(());
        }
        push_letter(&mut path, sliding.letter);
        sink.found(&path, cursors, delta)?;
    }
}

impl<const N: usize> Slide<N> {
    /// How many words of the slide start on a square.
    #[inline]
    fn count(&self, start: usize, empty: &Bits<N>, ends_on: impl Fn(Board, usize) -> bool) -> usize {
        let (ray, length) = &self.rays[start];
        match ray.without(empty).end(self.up) {
            None => usize::from(*length),
            // The ray from there has what lies behind.
            Some(end) => {
                let ends = self.ends.iter().filter(|&&board| ends_on(board, end)).count();
                usize::from(length - 1 - self.rays[end].1) + ends
            }
        }
    }
}

/// Walks with traces or without: most movers never meet their own, and are walked without keeping any.
#[inline]
fn walk<const N: usize, S: Sink<N>>(
    core: &Core<N>,
    mover: &Mover<N>,
    boards: &[[u64; N]],
    sink: &mut S,
    begin: Begin<N>,
) -> ControlFlow<()> {
    if mover.loops || mover.touches || mover.ambiguous || mover.puts_again {
        Walk::<N, S, true>::new(core, mover, boards, sink).begin(begin)
    } else {
        Walk::<N, S, false>::new(core, mover, boards, sink).begin(begin)
    }
}

/// Where a walk begins.
enum Begin<'a, const N: usize> {
    /// At the start, with the cursors there.
    Start(Bits<N>),
    /// Behind a first step, with the cursors there.
    After(&'a Deep<N>, Bits<N>),
}

/// A kind of piece that appeared, or none; small, since walks are made all the time.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Appeared(u32);

impl Appeared {
    const NONE: Appeared = Appeared(u32::MAX);

    #[inline]
    fn new(kind: Option<usize>) -> Appeared {
        kind.map_or(Appeared::NONE, |kind| Appeared(kind as u32))
    }
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

    /// The distance by square numbers.
    #[inline]
    fn delta<const N: usize>(self, core: &Core<N>) -> i32 {
        let (dx, dy) = ((self.0 + 32).rem_euclid(64) - 32, (self.0 + 32).div_euclid(64));
        core.shape.delta(dx as i8, dy as i8)
    }
}

/// What a word has made of a square.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    Empty,
    /// A piece of this kind was put down.
    Kind(usize),
}

/// A walk over the words of one mover; with `TRACES` it keeps in mind where the word has been and what it has changed.
struct Walk<'a, const N: usize, S, const TRACES: bool> {
    core: &'a Core<N>,
    mover: &'a Mover<N>,
    boards: &'a [[u64; N]],
    sink: &'a mut S,
    path: Path,
    /// Squares the cursor has come to; those before `fresh` do not count any more.
    been: SmallVec<[Offset; 16]>,
    fresh: usize,
    /// Squares that are not as on the board, the latest change last.
    made: SmallVec<[(Offset, Made); 8]>,
    /// The put-downs: where, which piece appeared before this one, and which appeared; those before `fresh_puts` do not
    /// count any more.
    puts: SmallVec<[(Offset, Appeared, Appeared); 4]>,
    fresh_puts: usize,
    controlled: Option<usize>,
    /// The piece that appeared last.
    appeared: Appeared,
    /// For ambiguous movers, the words that have been found, and where.
    told: FxHashMap<Path, Bits<N>>,
    /// How many steps are left.
    left: u64,
}

/// How far a walk had got, to go back to.
struct Mark {
    runs: usize,
    times: u16,
    been: usize,
    fresh: usize,
    made: usize,
    puts: usize,
    fresh_puts: usize,
    controlled: Option<usize>,
    appeared: Appeared,
}

impl<'a, const N: usize, S: Sink<N>, const TRACES: bool> Walk<'a, N, S, TRACES> {
    #[inline]
    fn new(core: &'a Core<N>, mover: &'a Mover<N>, boards: &'a [[u64; N]], sink: &'a mut S) -> Self {
        let mut walk = Walk {
            core,
            mover,
            boards,
            sink,
            path: SmallVec::new(),
            been: SmallVec::new(),
            fresh: 0,
            made: SmallVec::new(),
            puts: SmallVec::new(),
            fresh_puts: 0,
            controlled: mover.start,
            appeared: Appeared::NONE,
            told: FxHashMap::default(),
            left: S::MOST_STEPS,
        };
        if TRACES {
            walk.been.push(Offset::HERE);
            if mover.start.is_some() {
                walk.made.push((Offset::HERE, Made::Empty));
            }
        }
        walk
    }

    fn begin(&mut self, begin: Begin<N>) -> ControlFlow<()> {
        match begin {
            Begin::Start(cursors) => self.from(0, cursors, Offset::HERE, 0, false),
            Begin::After(first, cursors) => {
                let at = Offset::HERE.plus(first.dx, first.dy);
                self.step(&first.arm, at, true);
                if first.arm.accepting {
                    self.found(cursors, first.delta)?;
                }
                self.from(first.arm.to, cursors, at, first.delta, true)
            }
        }
    }

    /// Goes on from a state with the cursors `delta` squares (by number) from their starts. A word has `begun` when it has
    /// a letter: guards alone are no word.
    fn from(
        &mut self,
        mut state: usize,
        mut cursors: Bits<N>,
        mut at: Offset,
        mut delta: i32,
        mut begun: bool,
    ) -> ControlFlow<()> {
        let mover = self.mover;
        let begin = self.mark();
        // The last way on is followed in this loop and not by a call, so that slides are loops.
        'on: loop {
            self.spend()?;
            let node = &mover.nodes[state];
            if let Some(fan) = &node.fan {
                let count = self.fan_count(fan, cursors, delta);
                if count == 0 || self.sink.takes_count(count) {
                    break;
                }
            }
            // Guards write no letters, so those that lead to one state are one way.
            for guards in node.guards.chunk_by(|a, b| a.to == b.to) {
                let to = guards[0].to;
                let passing = guards.iter().map(|guard| self.guarded(&guard.check, cursors, at));
                let next = passing.fold(Bits::NONE, |all, next| all.or(&next));
                if !next.is_empty() {
                    if begun && mover.nodes[to].accepting {
                        self.found(next, delta)?;
                    }
                    self.from(to, next, at, delta, begun)?;
                }
            }
            for put in &node.puts {
                if !(TRACES && self.puts[self.fresh_puts..].contains(&(at, self.appeared, Appeared::new(put.kind)))) {
                    let before = self.mark();
                    self.put(put, at);
                    if mover.nodes[put.to].accepting {
                        self.found(cursors, delta)?;
                    }
                    self.from(put.to, cursors, at, delta, true)?;
                    self.back_to(&before);
                }
            }
            for (i, hop) in node.hops.iter().enumerate() {
                let landed = cursors.and(&hop.from).rotate(hop.shift);
                if landed.is_empty() {
                    continue;
                }
                let to = at.plus(hop.dx, hop.dy);
                if TRACES && mover.loops && self.been[self.fresh..].contains(&to) {
                    continue;
                }
                let made = if TRACES && mover.touches { self.made_of(to) } else { None };
                let delta_to = delta + hop.delta;
                for (j, arm) in hop.arms.iter().enumerate() {
                    let next = self.passing(landed, arm.holds, made);
                    if next.is_empty() {
                        continue;
                    }
                    if arm.leaf {
                        self.push(arm.letter);
                        self.found(next, delta_to)?;
                        self.pop();
                        continue;
                    }
                    let last = i + 1 == node.hops.len() && j + 1 == hop.arms.len();
                    let before = if last { None } else { Some(self.mark()) };
                    self.step(arm, to, made.is_none());
                    if arm.accepting {
                        self.found(next, delta_to)?;
                    }
                    match before {
                        None => {
                            (state, cursors, at, delta, begun) = (arm.to, next, to, delta_to, true);
                            continue 'on;
                        }
                        Some(before) => {
                            self.from(arm.to, next, to, delta_to, true)?;
                            self.back_to(&before);
                        }
                    }
                }
            }
            break;
        }
        self.back_to(&begin);
        ControlFlow::Continue(())
    }

    /// Counts a step.
    #[inline]
    fn spend(&mut self) -> ControlFlow<()> {
        if self.left == 0 {
            self.sink.cut_off();
            return ControlFlow::Break(());
        }
        self.left -= 1;
        ControlFlow::Continue(())
    }

    /// How many words there are if nothing but slides can follow.
    fn fan_count(&self, fan: &[Slide<N>], cursors: Bits<N>, delta: i32) -> usize {
        let mut count = 0;
        for cursor in cursors.iter() {
            let mut empty = Bits(self.boards[self.core.vacant()]);
            let start = cursor as i32 - delta;
            if TRACES {
                for &(offset, made) in &self.made {
                    let square = (start + offset.delta(self.core)) as usize;
                    if made == Made::Empty { empty.insert(square) } else { empty.remove(square) }
                }
            }
            let ends_on = |board, end| self.ends_on(board, end, start);
            count += fan.iter().map(|slide| slide.count(cursor, &empty, ends_on)).sum::<usize>();
        }
        count
    }

    /// Whether a square that is not empty for a word from `start` holds what is asked for.
    #[inline]
    fn ends_on(&self, board: Board, square: usize, start: i32) -> bool {
        if TRACES {
            let made = self.made.iter().rev().find(|made| start + made.0.delta(self.core) == square as i32);
            if let Some(&(_, made)) = made {
                return self.fits(made, board);
            }
        }
        Bits(self.boards[board.0]).contains(square)
    }

    #[inline]
    fn step(&mut self, arm: &Arm, at: Offset, original: bool) {
        self.push(arm.letter);
        if !TRACES {
            return;
        }
        if self.mover.loops {
            self.been.push(at);
        }
        if arm.takes {
            self.fresh = self.been.len() - 1;
            self.made.push((at, Made::Empty));
            // There are only so many pieces on the board, so a word may start afresh when it has taken one of them.
            if original {
                self.fresh_puts = self.puts.len();
            }
        }
    }

    #[inline]
    fn put(&mut self, put: &Put, at: Offset) {
        self.push(put.letter);
        if !TRACES || put.kind.is_none() {
            return;
        }
        let appeared = Appeared::new(put.kind);
        self.puts.push((at, std::mem::replace(&mut self.appeared, appeared), appeared));
        self.been.push(at);
        self.fresh = self.been.len() - 1;
        if let Some(put_down) = std::mem::replace(&mut self.controlled, put.kind) {
            self.made.push((at, Made::Kind(put_down)));
        }
    }

    fn guarded(&self, check: &Check<N>, cursors: Bits<N>, at: Offset) -> Bits<N> {
        match check {
            Check::Within(squares) => cursors.and(squares),
            Check::Look { dx, dy, shift, from, back, holds } => {
                let seen = cursors.and(from).rotate(*shift);
                self.passing(seen, *holds, self.made_of(at.plus(*dx, *dy))).rotate(*back)
            }
        }
    }

    #[inline]
    fn mark(&self) -> Mark {
        Mark {
            runs: self.path.len(),
            times: self.path.last().map_or(0, |run| run.times),
            been: self.been.len(),
            fresh: self.fresh,
            made: self.made.len(),
            puts: self.puts.len(),
            fresh_puts: self.fresh_puts,
            controlled: self.controlled,
            appeared: self.appeared,
        }
    }

    #[inline]
    fn back_to(&mut self, mark: &Mark) {
        if S::READS_WORDS || TRACES && self.mover.ambiguous {
            self.path.truncate(mark.runs);
            if let Some(run) = self.path.last_mut() {
                run.times = mark.times;
            }
        }
        if TRACES {
            self.been.truncate(mark.been);
            self.fresh = mark.fresh;
            self.made.truncate(mark.made);
            self.puts.truncate(mark.puts);
            self.fresh_puts = mark.fresh_puts;
            self.controlled = mark.controlled;
            self.appeared = mark.appeared;
        }
    }

    #[inline]
    fn made_of(&self, at: Offset) -> Option<Made> {
        self.made.iter().rev().find(|made| made.0 == at).map(|made| made.1)
    }

    /// The squares that are in the set asked for, where the word may have put them into another one.
    #[inline]
    fn passing(&self, squares: Bits<N>, board: Board, made: Option<Made>) -> Bits<N> {
        match made {
            None => squares.and(&Bits(self.boards[board.0])),
            Some(made) if self.fits(made, board) => squares,
            Some(_) => Bits::NONE,
        }
    }

    fn fits(&self, made: Made, board: Board) -> bool {
        match made {
            Made::Empty => board.0 == self.core.vacant(),
            Made::Kind(kind) => {
                let owner = self.core.kinds[kind].owner();
                board.0 == kind || owner.is_some_and(|owner| board.0 == self.core.side(owner))
            }
        }
    }

    #[inline]
    fn push(&mut self, letter: u16) {
        if S::READS_WORDS || TRACES && self.mover.ambiguous {
            push_letter(&mut self.path, letter);
        }
    }

    #[inline]
    fn pop(&mut self) {
        if (S::READS_WORDS || TRACES && self.mover.ambiguous)
            && let Some(run) = self.path.last_mut()
        {
            run.times -= 1;
            if run.times == 0 {
                self.path.pop();
            }
        }
    }

    /// The word may end here.
    #[inline]
    fn found(&mut self, mut squares: Bits<N>, delta: i32) -> ControlFlow<()> {
        if TRACES && self.mover.ambiguous {
            // Equal words lead equally far, so the squares can be compared.
            let told = self.told.entry(self.path.clone()).or_insert(Bits([0; N]));
            squares = squares.without(told);
            *told = told.or(&squares);
            if squares.is_empty() {
                return ControlFlow::Continue(());
            }
            if self.told.len() > MOST_TURNS {
                self.sink.cut_off();
                return ControlFlow::Break(());
            }
        }
        self.sink.found(&self.path, squares, delta)
    }
}
