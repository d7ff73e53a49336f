//! A compiled game: states, moves, endings.

use super::generate::{MOST_STEPS, MOST_TURNS, Sink, generate, generate_longer};
use super::state::{Move, Path, Run, State};
use super::tables::{Act, Core, When};
use super::{CompileError, Rules, Verdict};
use crate::board::{Bits, Cell, Content, MicroMove, Player, Position, Shape, Shift, Square, Word};
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// Rules that run: generates moves, plays them, and knows the endings.
#[derive(Debug)]
pub struct Engine(Width);

/// One core for each size of sets of squares, so that small boards are fast.
#[derive(Debug)]
enum Width {
    Upto64(Core<1>),
    Upto128(Core<2>),
    Upto384(Core<6>),
    Upto1024(Core<16>),
}

/// Runs an expression on the core, whatever its width.
macro_rules! on_core {
    ($engine:expr, $core:ident => $body:expr) => {
        match &$engine.0 {
            Width::Upto64($core) => $body,
            Width::Upto128($core) => $body,
            Width::Upto384($core) => $body,
            Width::Upto1024($core) => $body,
        }
    };
}

/// A position with a piece that the rules do not know, or on another board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownPiece {
    /// The board has another size.
    #[error("the position has {found} squares, the game's board has {expected}")]
    Board {
        /// The size found.
        found: Shape,
        /// The size of the game's board.
        expected: Shape,
    },
    /// A square holds what never stands there in this game.
    #[error("{found} is on {}, where the game never has it", .shape.name(*.square))]
    Square {
        /// The size of the board, which gives the square its name.
        shape: Shape,
        /// Where.
        square: Square,
        /// What.
        found: Cell,
    },
}

/// A position whose turns are too many to go through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a position has too many turns: there are more than {MOST_TURNS}, or after {MOST_STEPS} steps of a piece they were \
     not all known"
)]
pub struct TooManyTurns;

impl Engine {
    /// Compiles rules.
    ///
    /// # Errors
    ///
    /// [`CompileError`] if the rules have flaws, or a movement is too large or repeats nothing but guards.
    pub fn compile(rules: &Rules) -> Result<Engine, CompileError> {
        let flaws = rules.flaws();
        if !flaws.is_empty() {
            return Err(CompileError::Flawed(flaws));
        }
        let core = Core::new(rules)?;
        Ok(Engine(match rules.setup.shape().squares() {
            0..=64 => Width::Upto64(core.narrow()),
            65..=128 => Width::Upto128(core.narrow()),
            129..=384 => Width::Upto384(core.narrow()),
            _ => Width::Upto1024(core),
        }))
    }

    /// The state in which every game begins.
    pub fn start(&self) -> State {
        on_core!(self, core => core.state(|square| core.start[square], Player::First, 0))
    }

    /// The state of a position.
    ///
    /// # Errors
    ///
    /// [`UnknownPiece`] if the board has another shape, or holds something that the rules do not know.
    pub fn state(&self, position: &Position, turn: Player, plies: u32) -> Result<State, UnknownPiece> {
        on_core!(self, core => {
            if position.shape() != core.shape {
                return Err(UnknownPiece::Board { found: position.shape(), expected: core.shape });
            }
            for square in core.shape.all() {
                let found = position.at(square);
                let hole = !core.board.contains(square.index());
                let known = if hole { found == Cell::HOLE } else { found.is_empty() || core.kind(found).is_some() };
                if !known {
                    return Err(UnknownPiece::Square { shape: core.shape, square, found });
                }
            }
            let plies = if core.counts_plies { plies } else { 0 };
            Ok(core.state(|square| core.kind(position.cells()[square]), turn, plies))
        })
    }

    /// The position of a state.
    pub fn position(&self, state: &State) -> Position {
        on_core!(self, core => {
            let mut position = Position::empty(core.shape);
            for square in core.shape.all() {
                position.set(square, core.cell(state, square.index()));
            }
            position
        })
    }

    /// What can stand on a square, by the numbers of [`Engine::for_each_square`].
    pub fn kinds(&self) -> &[Cell] {
        on_core!(self, core => &core.kinds)
    }

    /// Shows each square that is not a hole, with the number of what stands there, or `None` if it is empty; in any order.
    pub fn for_each_square(&self, state: &State, see: &mut dyn FnMut(Square, Option<usize>)) {
        on_core!(self, core => {
            let boards = boards_of(state);
            for kind in 0..core.kinds.len() {
                core.on(boards, kind).iter().for_each(|square| see(Square(square as u16), Some(kind)));
            }
            core.on(boards, core.vacant()).iter().for_each(|square| see(Square(square as u16), None));
        });
    }

    /// Replaces `moves` by all legal moves; by none if the game is over.
    ///
    /// # Errors
    ///
    /// There are too many turns; `moves` is empty then.
    pub fn moves(&self, state: &State, moves: &mut Vec<Move>) -> Result<(), TooManyTurns> {
        moves.clear();
        on_core!(self, core => {
            if core.has_ended(state) {
                return Ok(());
            }
            let mut list = List { moves, cut: false };
            let _ = core.words(state, &mut list);
            if list.cut {
                *list.moves = Vec::new();
                return Err(TooManyTurns);
            }
            Ok(())
        })
    }

    /// How many legal moves there are; 0 if the game is over.
    ///
    /// # Errors
    ///
    /// There are too many turns. [`Engine::moves`] fails in exactly the same states.
    pub fn count(&self, state: &State) -> Result<u64, TooManyTurns> {
        on_core!(self, core => {
            if core.has_ended(state) { Ok(0) } else { core.count(state) }
        })
    }

    /// Plays a legal move.
    pub fn play(&self, state: &mut State, choice: &Move) {
        on_core!(self, core => {
            let lifted = core.kind_on(boards_of(state), choice.origin.index());
            core.play(state, choice.origin.index(), lifted, &choice.path);
        });
    }

    /// Plays the legal move with the number that `pick` returns for how many there are; `false` if the game is over.
    ///
    /// The same as choosing from [`Engine::moves`], but the moves are never written out.
    ///
    /// # Errors
    ///
    /// There are too many turns, and nothing was played.
    pub fn play_picked(&self, state: &mut State, pick: impl FnOnce(usize) -> usize) -> Result<bool, TooManyTurns> {
        on_core!(self, core => core.play_picked(state, pick))
    }

    /// What the player who has just moved has got, if the game is over.
    ///
    /// # Errors
    ///
    /// An ending asks whether the next player can move, and so many ways lead nowhere that this is not known.
    pub fn verdict(&self, state: &State) -> Result<Option<Verdict>, TooManyTurns> {
        on_core!(self, core => core.verdict(state))
    }

    /// The player who has just moved; in games for one, that player.
    pub fn just_moved(&self, state: &State) -> Player {
        on_core!(self, core => core.just_moved(state))
    }

    /// A legal move as a word of micro-moves.
    pub fn word(&self, state: &State, choice: &Move) -> Word {
        on_core!(self, core => core.word(state, choice))
    }

    /// The squares of a legal move that tell it to a person: where it starts, where each piece is put down that is
    /// followed by others, and where it ends; with the piece that it ends as, if that is another one.
    pub fn stops(&self, state: &State, choice: &Move) -> (Vec<Square>, Option<Cell>) {
        on_core!(self, core => core.stops(state, choice))
    }
}

/// Counts words.
#[derive(Default)]
struct Count {
    count: usize,
    cut: bool,
}

impl Count {
    fn finish(self) -> Result<usize, TooManyTurns> {
        if self.cut || self.count > MOST_TURNS { Err(TooManyTurns) } else { Ok(self.count) }
    }
}

impl<const N: usize> Sink<N> for Count {
    const READS_WORDS: bool = false;

    #[inline]
    fn found(&mut self, _: &[Run], squares: Bits<N>, _: i32) -> ControlFlow<()> {
        self.count += squares.count();
        if self.count > MOST_TURNS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn takes_count(&mut self, count: usize) -> bool {
        self.count += count;
        true
    }

    fn cut_off(&mut self) {
        self.cut = true;
    }
}

/// Stops at the first word.
#[derive(Default)]
struct First {
    cut: bool,
}

impl<const N: usize> Sink<N> for First {
    const READS_WORDS: bool = false;

    fn found(&mut self, _: &[Run], _: Bits<N>, _: i32) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn takes_count(&mut self, _: usize) -> bool {
        false
    }

    fn cut_off(&mut self) {
        self.cut = true;
    }
}

/// Stops at the word that has so many others before it, all of which have been counted.
struct Nth {
    left: usize,
    found: Option<(usize, Path)>,
}

impl<const N: usize> Sink<N> for Nth {
    const READS_WORDS: bool = true;
    const MOST_STEPS: u64 = u64::MAX;

    #[inline]
    fn found(&mut self, word: &[Run], squares: Bits<N>, delta: i32) -> ControlFlow<()> {
        let here = squares.count();
        if self.left < here {
            let origin = squares.nth(self.left) as i32 - delta;
            self.found = Some((origin as usize, Path::from_slice(word)));
            return ControlFlow::Break(());
        }
        self.left -= here;
        ControlFlow::Continue(())
    }

    #[inline]
    fn takes_count(&mut self, count: usize) -> bool {
        let passes = self.left >= count;
        self.left -= if passes { count } else { 0 };
        passes
    }

    fn cut_off(&mut self) {}
}

/// Writes all words out as moves.
struct List<'a> {
    moves: &'a mut Vec<Move>,
    cut: bool,
}

impl<const N: usize> Sink<N> for List<'_> {
    const READS_WORDS: bool = true;
    // Slides that are only counted elsewhere are walked here, and every step of theirs makes a word. So what can be
    // counted can be listed.
    const MOST_STEPS: u64 = MOST_STEPS + MOST_TURNS as u64;

    fn found(&mut self, word: &[Run], squares: Bits<N>, delta: i32) -> ControlFlow<()> {
        if self.moves.len() + squares.count() > MOST_TURNS {
            self.cut = true;
            return ControlFlow::Break(());
        }
        let origin = |square: usize| Square((square as i32 - delta) as u16);
        self.moves.extend(squares.iter().map(|square| Move { origin: origin(square), path: Path::from_slice(word) }));
        ControlFlow::Continue(())
    }

    fn takes_count(&mut self, _: usize) -> bool {
        false
    }

    fn cut_off(&mut self) {
        self.cut = true;
    }
}

impl<const N: usize> Core<N> {
    fn state(&self, kind_at: impl Fn(usize) -> Option<usize>, turn: Player, plies: u32) -> State {
        let mut state = State { boards: SmallVec::from_elem(0, N * (self.vacant() + 1)), turn, plies };
        boards_of_mut(&mut state)[self.vacant()] = self.board.0;
        for square in 0..self.shape.squares() {
            if let Some(kind) = kind_at(square) {
                self.place(boards_of_mut(&mut state), square, kind);
            }
        }
        state
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    fn place(&self, boards: &mut [[u64; N]], square: usize, kind: usize) {
        let (word, bit) = (square / 64, 1 << (square % 64));
        boards[kind][word] |= bit;
        boards[self.vacant()][word] &= !bit;
        if let Some(owner) = self.owners[kind] {
            boards[self.side(owner)][word] |= bit;
        }
    }

    /// Takes away what is on a square, and tells which kind it was.
    #[inline(always)]
    fn clear(&self, boards: &mut [[u64; N]], square: usize) -> Option<usize> {
        let (word, bit) = (square / 64, 1 << (square % 64));
        if boards[self.vacant()][word] & bit != 0 {
            return None;
        }
        let kind = self.kind_on(boards, square)?;
        self.lift(boards, square, kind);
        Some(kind)
    }

    /// Takes away a piece of a known kind.
    #[inline(always)]
    fn lift(&self, boards: &mut [[u64; N]], square: usize, kind: usize) {
        let (word, bit) = (square / 64, 1 << (square % 64));
        boards[kind][word] &= !bit;
        boards[self.vacant()][word] |= bit;
        if let Some(owner) = self.owners[kind] {
            boards[self.side(owner)][word] &= !bit;
        }
    }

    #[inline(always)]
    fn kind_on(&self, boards: &[[u64; N]], square: usize) -> Option<usize> {
        (0..self.kinds.len()).find(|&kind| Bits(boards[kind]).contains(square))
    }

    /// One of the state's sets of squares.
    fn on(&self, boards: &[[u64; N]], board: usize) -> Bits<N> {
        Bits(boards[board])
    }

    fn cell(&self, state: &State, square: usize) -> Cell {
        match self.kind_on(boards_of(state), square) {
            Some(kind) => self.kinds[kind],
            None if self.board.contains(square) => Cell::EMPTY,
            None => Cell::HOLE,
        }
    }

    fn just_moved(&self, state: &State) -> Player {
        if self.one_player { state.turn } else { state.turn.other() }
    }

    /// Every word that the player to move can make, whether or not the game is over.
    fn words(&self, state: &State, sink: &mut impl Sink<N>) -> ControlFlow<()> {
        let boards = boards_of::<N>(state);
        let movers = &self.players[state.turn.index()].movers;
        movers.iter().try_for_each(|mover| generate(self, mover, boards, sink))
    }

    fn can_move(&self, state: &State) -> Result<bool, TooManyTurns> {
        let mut first = First::default();
        let found = self.words(state, &mut first).is_break();
        if first.cut { Err(TooManyTurns) } else { Ok(found) }
    }

    /// Whether a condition holds that does not ask whether the next player can move.
    #[inline(always)]
    fn holds_on_board(&self, when: &When<N>, state: &State) -> bool {
        let boards = boards_of::<N>(state);
        match when {
            When::On { kinds, zone } => !on_any(boards, kinds).and(zone).is_empty(),
            When::Line { count, exactly, kinds, directions } => {
                let pieces = on_any(boards, kinds);
                // A loop, since closures of adapters are inlined only where the whole crate is optimised at once.
                for (shift, from) in directions {
                    let holds = match exactly {
                        false => has_line(pieces, *count, *shift, from),
                        true => has_exact_line(pieces, *count, *shift, from),
                    };
                    if holds {
                        return true;
                    }
                }
                false
            }
            When::Left { count, bound, kinds, zone } => bound.allows(on_any(boards, kinds).and(zone).count(), *count),
            When::Balance(balance) => {
                let mover = self.just_moved(state);
                let left = |player| self.on(boards, self.side(player)).count();
                balance.holds(left(mover), left(mover.other()))
            }
            // Whoever asks for legal moves finds none then, whatever is said here.
            When::CannotMove | When::NeitherCanMove => false,
            When::Plies(plies) => state.plies >= *plies,
            When::All(parts) => self.all_hold_on_board(parts, state),
        }
    }

    /// Apart, so that plain conditions stay without a call.
    #[inline(never)]
    fn all_hold_on_board(&self, parts: &[When<N>], state: &State) -> bool {
        parts.iter().all(|part| self.holds_on_board(part, state))
    }

    /// Whether an ending holds that does not ask whether the next player can move.
    #[inline(always)]
    fn has_ended(&self, state: &State) -> bool {
        let endings = &self.players[self.just_moved(state).index()].endings;
        for ending in endings {
            if self.holds_on_board(&ending.when, state) {
                return true;
            }
        }
        false
    }

    fn holds(&self, when: &When<N>, state: &State) -> Result<bool, TooManyTurns> {
        match when {
            When::CannotMove => Ok(!self.can_move(state)?),
            When::NeitherCanMove => {
                let other = State { turn: self.just_moved(state), ..state.clone() };
                Ok(!self.can_move(state)? && !self.can_move(&other)?)
            }
            When::All(parts) => {
                for part in parts {
                    if !self.holds(part, state)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            when => Ok(self.holds_on_board(when, state)),
        }
    }

    fn verdict(&self, state: &State) -> Result<Option<Verdict>, TooManyTurns> {
        for ending in &self.players[self.just_moved(state).index()].endings {
            if self.holds(&ending.when, state)? {
                return Ok(Some(ending.verdict));
            }
        }
        Ok(None)
    }

    /// Plays a word of the kind that stands on its start, or of a drop.
    #[inline]
    fn play(&self, state: &mut State, origin: usize, lifted: Option<usize>, path: &[Run]) {
        let letters = &self.players[state.turn.index()].letters;
        let boards = boards_of_mut::<N>(state);
        if let Some(kind) = lifted {
            self.lift(boards, origin, kind);
        }
        let mut controlled = lifted;
        let mut cursor = origin as i32;
        for run in path {
            let letter = &letters[usize::from(run.letter)];
            match letter.act {
                Act::Pass(_) => cursor += letter.delta * i32::from(run.times),
                Act::Take => {
                    for _ in 0..run.times {
                        cursor += letter.delta;
                        self.clear(boards, cursor as usize);
                    }
                }
                Act::Put(kind) => {
                    for _ in 0..run.times {
                        if let Some(put_down) = controlled.replace(kind) {
                            self.clear(boards, cursor as usize);
                            self.place(boards, cursor as usize, put_down);
                        }
                    }
                }
                Act::Vanish => controlled = None,
            }
        }
        if let Some(kind) = controlled {
            self.clear(boards, cursor as usize);
            self.place(boards, cursor as usize, kind);
        }
        state.turn = if self.one_player { state.turn } else { state.turn.other() };
        state.plies += u32::from(self.counts_plies);
    }

    fn count(&self, state: &State) -> Result<u64, TooManyTurns> {
        let mut count = Count::default();
        let _ = self.words(state, &mut count);
        count.finish().map(|count| count as u64)
    }

    /// Counts the moves of each mover, then goes again along those of one up to the move picked: cheaper than keeping
    /// them all.
    fn play_picked(&self, state: &mut State, pick: impl FnOnce(usize) -> usize) -> Result<bool, TooManyTurns> {
        if self.has_ended(state) {
            return Ok(false);
        }
        let boards = boards_of::<N>(state);
        let movers = &self.players[state.turn.index()].movers;
        // How many moves there are before each mover's own.
        let mut before: SmallVec<[usize; 12]> = SmallVec::new();
        let mut count = 0;
        for mover in movers {
            before.push(count);
            let cursors = mover.cursors(self, boards);
            if !cursors.is_empty() {
                for leap in mover.leaps() {
                    count += leap.landing(cursors, boards).count();
                }
                if mover.has_longer() {
                    let mut longer = Count::default();
                    let _ = generate_longer(self, mover, cursors, boards, &mut longer);
                    count += longer.finish()?;
                }
            }
        }
        if count == 0 {
            return Ok(false);
        }
        if count > MOST_TURNS {
            return Err(TooManyTurns);
        }
        let picked = pick(count);
        let number = before.iter().rposition(|&moves| moves <= picked).unwrap_or(0);
        let (mover, mut left) = (&movers[number], picked - before[number]);
        let cursors = mover.cursors(self, boards);
        for leap in mover.leaps() {
            let landing = leap.landing(cursors, boards);
            let here = landing.count();
            if left < here {
                self.play(state, (landing.nth(left) as i32 - leap.delta) as usize, mover.start, &leap.path);
                return Ok(true);
            }
            left -= here;
        }
        let mut nth = Nth { left, found: None };
        let _ = generate_longer(self, mover, cursors, boards, &mut nth);
        let Some((origin, path)) = nth.found else { unreachable!("there is no move with a number beyond their count") };
        self.play(state, origin, mover.start, &path);
        Ok(true)
    }

    fn word(&self, state: &State, choice: &Move) -> Word {
        let letters = &self.players[state.turn.index()].letters;
        // Only to find out which pieces are taken.
        let takes = choice.path.iter().any(|run| letters[usize::from(run.letter)].act == Act::Take);
        let mut seen = takes.then(|| state.clone());
        let mut boards = seen.as_mut().map(boards_of_mut::<N>);
        if let Some(boards) = &mut boards {
            self.clear(boards, choice.origin.index());
        }
        let mut cursor = choice.origin.index() as i32;
        let mut controlled = self.kind_on(boards_of(state), choice.origin.index());
        let mut word = Word::default();
        for run in &choice.path {
            let letter = &letters[usize::from(run.letter)];
            for _ in 0..run.times {
                cursor += letter.delta;
                let content = match letter.act {
                    Act::Pass(content) => content,
                    Act::Take => {
                        let taken = boards.as_mut().and_then(|boards| self.clear(boards, cursor as usize));
                        Content::Remove(taken.map(|kind| self.kinds[kind]))
                    }
                    Act::Put(kind) => {
                        if let (Some(put_down), Some(boards)) = (controlled.replace(kind), &mut boards) {
                            self.clear(boards, cursor as usize);
                            self.place(boards, cursor as usize, put_down);
                        }
                        Content::Add(Some(self.kinds[kind]))
                    }
                    Act::Vanish => Content::Remove(controlled.map(|kind| self.kinds[kind])),
                };
                word.0.push(MicroMove { dx: letter.dx, dy: letter.dy, content });
            }
        }
        word
    }

    fn stops(&self, state: &State, choice: &Move) -> (Vec<Square>, Option<Cell>) {
        let letters = &self.players[state.turn.index()].letters;
        let mut cursor = choice.origin.index() as i32;
        let mut stops = vec![choice.origin];
        let mut becomes = None;
        for (i, run) in choice.path.iter().enumerate() {
            let letter = &letters[usize::from(run.letter)];
            cursor += letter.delta * i32::from(run.times);
            if let Act::Put(kind) = letter.act {
                let last = i + 1 == choice.path.len();
                let dropped = i == 0 && self.kind_on(boards_of(state), choice.origin.index()).is_none();
                if last {
                    becomes = Some(self.kinds[kind]);
                } else if !dropped {
                    stops.push(Square(cursor as u16));
                }
            }
        }
        if cursor != choice.origin.index() as i32 || choice.path.len() > 1 {
            stops.push(Square(cursor as u16));
        }
        (stops, becomes)
    }
}

/// The squares on which pieces of these kinds stand.
#[inline]
fn on_any<const N: usize>(boards: &[[u64; N]], kinds: &[usize]) -> Bits<N> {
    let mut all = Bits::NONE;
    for &kind in kinds {
        all = all.or(&Bits(boards[kind]));
    }
    all
}

/// Whether `count` of the pieces lie side by side in a direction.
#[inline]
fn has_line<const N: usize>(pieces: Bits<N>, count: usize, shift: Shift, from: &Bits<N>) -> bool {
    let mut ends = pieces;
    for _ in 1..count {
        ends = ends.and(from).rotate(shift).and(&pieces);
        if ends.is_empty() {
            return false;
        }
    }
    !ends.is_empty()
}

/// Whether `count` of the pieces lie side by side in a direction, and no further one at either end.
fn has_exact_line<const N: usize>(pieces: Bits<N>, count: usize, shift: Shift, from: &Bits<N>) -> bool {
    let go = |squares: Bits<N>| squares.and(from).rotate(shift).and(&pieces);
    // Each line is followed from its first piece, so that there is one square for each.
    let mut ends = pieces.without(&go(pieces));
    for _ in 1..count {
        ends = go(ends);
    }
    go(ends).count() < ends.count()
}

#[inline]
fn boards_of<const N: usize>(state: &State) -> &[[u64; N]] {
    state.boards.as_chunks().0
}

#[inline]
fn boards_of_mut<const N: usize>(state: &mut State) -> &mut [[u64; N]] {
    state.boards.as_chunks_mut().0
}
