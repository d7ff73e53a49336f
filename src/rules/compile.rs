//! Rules made into tables that run.
//!
//! Each player's movements become automata over symbols: steps, put-downs and guards, with everything turned for that
//! player. The automata are then laid out for the generator in `generate.rs`.

use super::bits::{Bits, Shift};
use super::state::{Path, push_letter};
use super::{Atom, Condition, Ending, Flaw, Landing, Movement, Rules, Seen, Side, Start, Taken, Verdict, Zone};
use crate::automata::{Dfa, DfaState, Expression, Nfa, StateId, TooLarge};
use crate::board::{Cell, Content, Player, Shape, Square};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The most states an automaton of a movement may have; enough for any game by far, and soon tested.
const MAX_STATES: usize = 10_000;

/// Rules that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// They make no sense.
    #[error("the rules make no sense: {}", .0.iter().map(|flaw| flaw.reason.as_str()).collect::<Vec<_>>().join("; "))]
    Flawed(Vec<Flaw>),
    /// A movement is too large.
    #[error("the movement of {start} is too large: {reason}")]
    TooLarge {
        /// Where it starts.
        start: Cell,
        /// How large.
        reason: TooLarge,
    },
    /// A guard is repeated: `(on:far)*` would be tried for ever.
    #[error("the movement of {start} repeats nothing but guards, which leads nowhere")]
    IdleLoop {
        /// Where it starts.
        start: Cell,
    },
}

/// A compiled game on a board of at most `64 * N` squares.
#[derive(Debug)]
pub(super) struct Core<const N: usize> {
    pub shape: Shape,
    pub one_player: bool,
    /// Whether some ending asks how many turns have been played; otherwise they are not counted.
    pub counts_plies: bool,
    /// All squares but holes.
    pub board: Bits<N>,
    /// What can stand on a square, by number.
    pub kinds: Vec<Cell>,
    /// Whose each kind is.
    pub owners: Vec<Option<Player>>,
    /// The kinds of each player.
    pub kinds_of: [Vec<usize>; 2],
    pub players: [PlayerTables<N>; 2],
    pub start: Vec<Option<usize>>,
}

/// What a player may do, and what ends the game when that player has just moved.
#[derive(Debug, Default)]
pub(super) struct PlayerTables<const N: usize> {
    pub letters: Vec<Letter>,
    pub movers: Vec<Mover<N>>,
    pub endings: Vec<Outcome<N>>,
}

/// A micro-move as it is played and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letter {
    pub dx: i8,
    pub dy: i8,
    /// The difference in square numbers.
    pub delta: i32,
    pub act: Act,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Go there, whatever becomes of what is there.
    Pass(Content),
    /// Go there and remove what is there.
    Take,
    /// Put down the controlled piece, and control a new one of this kind.
    Put(usize),
}

/// The automaton of one kind of piece, or of drops on empty squares.
#[derive(Debug)]
pub(super) struct Mover<const N: usize> {
    /// The kind that is lifted, or `None` for drops.
    pub start: Option<usize>,
    pub nodes: Vec<Node<N>>,
    /// The first steps sorted by what follows them, unless they have to be walked.
    pub openings: Option<Openings<N>>,
    /// Whether a word might come to a square twice without taking or putting anything in between.
    pub loops: bool,
    /// Whether a word might come to a square that it has changed.
    pub touches: bool,
    /// Whether a word might be read in several ways, so that it could be generated twice.
    pub ambiguous: bool,
    /// Whether a word might put down pieces again and again.
    pub puts_again: bool,
}

/// A state of a mover.
#[derive(Debug)]
pub(super) struct Node<const N: usize> {
    pub accepting: bool,
    pub hops: Vec<Hop<N>>,
    pub puts: Vec<Put>,
    pub guards: Vec<Guard<N>>,
    /// If all that can follow are slides, these: their words need not be walked to be counted.
    pub fan: Option<Vec<Slide<N>>>,
}

/// The ways in which words of a mover begin, in the order in which they are generated.
#[derive(Debug)]
pub(super) struct Openings<const N: usize> {
    pub leaps: Vec<Leap<N>>,
    pub slides: Vec<Sliding<N>>,
    pub deep: Vec<Deep<N>>,
}

/// A whole word with a single step, perhaps with something put down behind it.
#[derive(Debug)]
pub(super) struct Leap<const N: usize> {
    /// From where the step stays on the board and leads to where it must.
    pub from: Bits<N>,
    pub shift: Shift,
    pub delta: i32,
    pub holds: Board,
    pub path: Path,
}

/// A slide with its letters.
#[derive(Debug)]
pub(super) struct Sliding<const N: usize> {
    pub slide: Slide<N>,
    pub from: Bits<N>,
    pub shift: Shift,
    pub delta: i32,
    /// The letter over empty squares, and those of the slide's ends.
    pub letter: u16,
    pub ends: SmallVec<[u16; 1]>,
}

/// A first step after which the word goes on.
#[derive(Debug)]
pub(super) struct Deep<const N: usize> {
    pub dx: i8,
    pub dy: i8,
    pub delta: i32,
    pub shift: Shift,
    pub from: Bits<N>,
    pub arm: Arm,
}

/// A slide over empty squares that may end on any of them, or on what is behind them.
#[derive(Debug)]
pub(super) struct Slide<const N: usize> {
    /// For each square, the squares that the slide comes to if nothing is in its way, and how many these are.
    pub rays: Vec<(Bits<N>, u16)>,
    /// Whether the nearest square of a ray has the lowest number, or the highest.
    pub up: bool,
    /// What the slide may end on.
    pub ends: SmallVec<[Board; 1]>,
}

/// A step in one direction, with all that may be found there.
#[derive(Debug)]
pub(super) struct Hop<const N: usize> {
    pub dx: i8,
    pub dy: i8,
    /// The difference in square numbers.
    pub delta: i32,
    pub shift: Shift,
    /// From where the step stays on the board.
    pub from: Bits<N>,
    /// What may be found there; what ends a word for certain comes first.
    pub arms: SmallVec<[Arm; 2]>,
}

/// What is found after a step, and where that leads.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    pub holds: Board,
    pub takes: bool,
    pub letter: u16,
    pub to: usize,
    /// Whether nothing can follow, and whether the word may end here: both of the state `to`.
    pub leaf: bool,
    pub accepting: bool,
}

/// One of a state's sets of squares: those with a kind of piece, all of a player, or the empty ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board(pub usize);

#[derive(Debug)]
pub(super) struct Put {
    pub kind: usize,
    pub letter: u16,
    pub to: usize,
}

#[derive(Debug)]
pub(super) struct Guard<const N: usize> {
    pub check: Check<N>,
    pub to: usize,
}

#[derive(Debug)]
pub(super) enum Check<const N: usize> {
    /// The cursor is here.
    Within(Bits<N>),
    /// This is to be seen there.
    Look { dx: i8, dy: i8, shift: Shift, from: Bits<N>, back: Shift, holds: Board },
}

/// An ending ready to be tried.
#[derive(Debug)]
pub(super) struct Outcome<const N: usize> {
    pub verdict: Verdict,
    pub when: When<N>,
}

#[derive(Debug)]
pub(super) enum When<const N: usize> {
    On { kinds: Vec<usize>, zone: Bits<N> },
    Line { count: usize, kinds: Vec<usize>, directions: Vec<(Shift, Bits<N>)> },
    Left { count: usize, kinds: Vec<usize> },
    CannotMove,
    Plies(u32),
}

/// What an automaton reads: steps and put-downs, which are the word, and guards, which are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Symbol {
    Step { dx: i8, dy: i8, landing: Landing },
    Put(Cell),
    Zone { number: usize, within: bool },
    Look { dx: i8, dy: i8, seen: Seen },
}

impl Symbol {
    fn is_guard(self) -> bool {
        matches!(self, Symbol::Zone { .. } | Symbol::Look { .. })
    }

    /// Whether two guards can never hold at the same place.
    fn excludes(self, other: Symbol) -> bool {
        match (self, other) {
            (Symbol::Zone { number: a, within: p }, Symbol::Zone { number: b, within: q }) => a == b && p != q,
            (Symbol::Look { dx, dy, seen }, Symbol::Look { dx: dx2, dy: dy2, seen: seen2 }) => {
                (dx, dy) == (dx2, dy2) && seen != seen2
            }
            _ => false,
        }
    }
}

impl<const N: usize> Core<N> {
    /// The tables of rules without flaws.
    pub fn new(rules: &Rules) -> Result<Core<N>, CompileError> {
        let shape = rules.setup.shape();
        let kinds: Vec<Cell> = rules.cells().into_iter().collect();
        let of = |player| (0..kinds.len()).filter(|&k| kinds[k].owner() == Some(player)).collect();
        let kind_at = |square: Square| kinds.iter().position(|&kind| kind == rules.setup.at(square));
        let mut core = Core {
            shape,
            one_player: rules.players.len() == 1,
            counts_plies: rules.endings.iter().any(|ending| matches!(ending.when, Condition::Plies(_))),
            board: Bits::of(shape.all().filter(|&s| rules.setup.at(s) != Cell::HOLE).map(Square::index)),
            kinds_of: [of(Player::First), of(Player::Second)],
            owners: kinds.iter().map(|kind| kind.owner()).collect(),
            players: Default::default(),
            start: shape.all().map(kind_at).collect(),
            kinds,
        };
        for player in rules.sides() {
            core.players[player.index()] = core.player(rules, player)?;
        }
        Ok(core)
    }

    fn player(&self, rules: &Rules, player: Player) -> Result<PlayerTables<N>, CompileError> {
        let mut tables = PlayerTables::default();
        for movement in rules.moves.iter().filter(|movement| movement.side.is_for(player)) {
            let turned = movement.side.turns_for(player);
            let start = match movement.start {
                Start::Piece(piece) if turned => piece.turned().cell(),
                Start::Piece(piece) => piece.cell(),
                Start::Empty => Cell::EMPTY,
            };
            // A line for one player alone stands in place of the line for both.
            let own = |other: &Movement| other.side == Side::Only(player) && start_of(other) == start;
            if movement.side == Side::Both && rules.moves.iter().any(own) {
                continue;
            }
            let kind = self.kind(start);
            // A piece that is never on the board never moves.
            if kind.is_some() || movement.start == Start::Empty {
                let mover = self.mover(rules, movement, player, start, &mut tables.letters)?;
                tables.movers.push(mover);
            }
        }
        let endings = rules.endings.iter().filter(|ending| ending.side.is_for(player));
        tables.endings = endings.map(|ending| self.ending(rules, ending, player)).collect();
        Ok(tables)
    }

    pub fn kind(&self, cell: Cell) -> Option<usize> {
        self.kinds.iter().position(|&kind| kind == cell)
    }

    fn zone(&self, zone: &Zone, turned: bool) -> Bits<N> {
        let seen = |square| if turned { self.shape.mirrored(square) } else { square };
        Bits::of(self.shape.all().filter(|&s| zone.contains(self.shape, seen(s))).map(Square::index)).and(&self.board)
    }

    /// The squares from which a step stays on the board, and how far it moves a set.
    fn step(&self, dx: i8, dy: i8) -> (Shift, Bits<N>) {
        let from = self.shape.all().filter(|&square| self.shape.step(square, dx, dy).is_some());
        (Shift::by::<N>(self.delta(dx, dy)), Bits::of(from.map(Square::index)))
    }

    pub fn delta(&self, dx: i8, dy: i8) -> i32 {
        i32::from(dy) * self.shape.width() as i32 + i32::from(dx)
    }

    fn mover(
        &self,
        rules: &Rules,
        movement: &Movement,
        player: Player,
        start: Cell,
        letters: &mut Vec<Letter>,
    ) -> Result<Mover<N>, CompileError> {
        let turned = movement.side.turns_for(player);
        let expression = movement.words.expand(&mut |atom| symbols(rules, atom, player, turned));
        let automaton = Nfa::from_expression(&expression, MAX_STATES).and_then(|nfa| nfa.determinise(MAX_STATES));
        let dfa = automaton.map_err(|reason| CompileError::TooLarge { start, reason })?.minimise();
        if has_idle_loop(&dfa) {
            return Err(CompileError::IdleLoop { start });
        }
        let zones: Vec<Bits<N>> = rules.zones.iter().map(|zone| self.zone(zone, turned)).collect();
        let node = |state| self.node(&dfa, state, player, &zones, letters);
        let mut mover = Mover {
            start: self.kind(start),
            openings: None,
            nodes: dfa.states().iter().map(node).collect(),
            loops: may_return(&dfa, true),
            touches: may_return(&dfa, false) || looks(&dfa),
            ambiguous: is_ambiguous(&dfa),
            puts_again: may_put_again(&dfa),
        };
        if !mover.loops && !mover.ambiguous {
            let fans: Vec<_> = mover.nodes.iter().map(|node| self.fan(&mover, node)).collect();
            mover.nodes.iter_mut().zip(fans).for_each(|(node, fan)| node.fan = fan);
        }
        if !mover.ambiguous {
            mover.openings = self.openings(&mover);
        }
        Ok(mover)
    }

    /// The slides of a node, if there is nothing else to it.
    fn fan(&self, mover: &Mover<N>, node: &Node<N>) -> Option<Vec<Slide<N>>> {
        let only_hops = node.puts.is_empty() && node.guards.is_empty();
        if node.hops.is_empty() || !only_hops {
            None
        } else {
            node.hops.iter().map(|hop| self.slide(mover, hop)).collect()
        }
    }

    /// The slide that a hop begins, if it is nothing else.
    fn slide(&self, mover: &Mover<N>, hop: &Hop<N>) -> Option<Slide<N>> {
        let vacant = Board(self.vacant());
        // What stands at the end of a slide, and the state in which the slide goes on over empty squares.
        let parts = |hop: &Hop<N>| {
            let (ends, on): (Vec<&Arm>, Vec<&Arm>) = hop.arms.iter().partition(|arm| arm.leaf);
            let ends: SmallVec<[Board; 1]> = ends.iter().map(|arm| arm.holds).collect();
            match on.as_slice() {
                [arm] if arm.holds == vacant && arm.accepting && !ends.contains(&vacant) => Some((ends, arm.to)),
                _ => None,
            }
        };
        let (ends, to) = parts(hop)?;
        let next = &mover.nodes[to];
        let [again] = next.hops.as_slice() else { return None };
        let only_hop = next.puts.is_empty() && next.guards.is_empty();
        let same = only_hop && (again.dx, again.dy) == (hop.dx, hop.dy) && parts(again)? == (ends.clone(), to);
        same.then(|| Slide { rays: self.rays(hop.dx, hop.dy), up: hop.delta > 0, ends })
    }

    /// What the words of a mover begin with; `None` if they do not all begin with a step.
    fn openings(&self, mover: &Mover<N>) -> Option<Openings<N>> {
        let first = &mover.nodes[0];
        if !first.puts.is_empty() || !first.guards.is_empty() {
            return None;
        }
        let mut openings = Openings { leaps: Vec::new(), slides: Vec::new(), deep: Vec::new() };
        for hop in &first.hops {
            let (shift, delta) = (hop.shift, hop.delta);
            let slide = if mover.loops { None } else { self.slide(mover, hop) };
            if let Some(slide) = slide {
                // The arm over empty squares is the last, behind those at which the slide ends.
                let mut letters = hop.arms.iter().map(|arm| arm.letter);
                let letter = letters.next_back()?;
                openings.slides.push(Sliding { slide, from: hop.from, shift, delta, letter, ends: letters.collect() });
                continue;
            }
            for arm in &hop.arms {
                match self.closings(mover, arm.to, 0) {
                    Some(closings) => openings.leaps.extend(closings.into_iter().map(|(squares, rest)| {
                        let from = hop.from.and(&squares.rotate(Shift::by::<N>(-delta)));
                        let mut path = Path::new();
                        std::iter::once(arm.letter).chain(rest).for_each(|letter| push_letter(&mut path, letter));
                        Leap { from, shift, delta, holds: arm.holds, path }
                    })),
                    None => openings.deep.push(Deep {
                        dx: hop.dx,
                        dy: hop.dy,
                        delta,
                        shift,
                        from: hop.from,
                        arm: arm.clone(),
                    }),
                }
            }
        }
        Some(openings)
    }

    /// The letters with which a word can end in a state, and the squares on which it can; `None` if it can go on to
    /// other squares or depends on them.
    fn closings(&self, mover: &Mover<N>, state: usize, depth: usize) -> Option<Vec<(Bits<N>, Vec<u16>)>> {
        const DEEP: usize = 4;
        let node = &mover.nodes[state];
        if !node.hops.is_empty() || depth > DEEP {
            return None;
        }
        let mut closings = Vec::new();
        if node.accepting {
            closings.push((self.board, Vec::new()));
        }
        for guard in &node.guards {
            let Check::Within(squares) = &guard.check else { return None };
            let after = self.closings(mover, guard.to, depth + 1)?;
            closings.extend(after.into_iter().map(|(there, rest)| (there.and(squares), rest)));
        }
        for put in &node.puts {
            let after = self.closings(mover, put.to, depth + 1)?;
            closings.extend(after.into_iter().map(|(there, rest)| (there, [vec![put.letter], rest].concat())));
        }
        Some(closings)
    }

    fn rays(&self, dx: i8, dy: i8) -> Vec<(Bits<N>, u16)> {
        let ray = |square: Square| {
            let next = |at: &Square| self.shape.step(*at, dx, dy);
            let squares = Bits::of(std::iter::successors(next(&square), next).map(Square::index));
            (squares, squares.count() as u16)
        };
        self.shape.all().map(ray).collect()
    }

    fn node(
        &self,
        dfa: &Dfa<Symbol>,
        state: &DfaState<Symbol>,
        player: Player,
        zones: &[Bits<N>],
        letters: &mut Vec<Letter>,
    ) -> Node<N> {
        let mut node =
            Node { accepting: state.accepting, hops: Vec::new(), puts: Vec::new(), guards: Vec::new(), fan: None };
        let mut hops: BTreeMap<(i8, i8), SmallVec<[Arm; 2]>> = BTreeMap::new();
        for &(symbol, to) in &state.edges {
            let to = to.index();
            let target = &dfa.states()[to];
            match symbol {
                Symbol::Step { dx, dy, landing } => {
                    let Some(holds) = self.board_of(landing, player) else { continue };
                    let takes = matches!(landing, Landing::Take(_));
                    let act = if takes { Act::Take } else { Act::Pass(content(landing)) };
                    let letter = number(letters, Letter { dx, dy, delta: self.delta(dx, dy), act });
                    let arm =
                        Arm { holds, takes, letter, to, leaf: target.edges.is_empty(), accepting: target.accepting };
                    hops.entry((dx, dy)).or_default().push(arm);
                }
                Symbol::Put(cell) => {
                    // Every cell that is put down somewhere has a kind.
                    let Some(kind) = self.kind(cell) else { continue };
                    let letter = number(letters, Letter { dx: 0, dy: 0, delta: 0, act: Act::Put(kind) });
                    node.puts.push(Put { kind, letter, to });
                }
                Symbol::Zone { number, within } => {
                    let squares = if within { zones[number] } else { self.board.without(&zones[number]) };
                    node.guards.push(Guard { check: Check::Within(squares), to });
                }
                Symbol::Look { dx, dy, seen } => {
                    let Some(holds) = self.board_of(Landing::On(seen), player) else { continue };
                    let (shift, from) = self.step(dx, dy);
                    let back = Shift::by::<N>(-self.delta(dx, dy));
                    node.guards.push(Guard { check: Check::Look { dx, dy, shift, from, back, holds }, to });
                }
            }
        }
        for ((dx, dy), mut arms) in hops {
            arms.sort_by_key(|arm| !arm.leaf);
            let (shift, from) = self.step(dx, dy);
            node.hops.push(Hop { dx, dy, delta: self.delta(dx, dy), shift, from, arms });
        }
        node
    }

    /// The set in which a landing must be; `None` if what it asks for is never on the board.
    fn board_of(&self, landing: Landing, player: Player) -> Option<Board> {
        Some(Board(match landing {
            Landing::On(Seen::Empty) => self.vacant(),
            Landing::On(Seen::Own) | Landing::Take(Taken::Own) => self.side(player),
            Landing::On(Seen::Enemy) | Landing::Take(Taken::Enemy) => self.side(player.other()),
            Landing::Take(Taken::The(cell)) => self.kind(cell)?,
        }))
    }

    /// The number of the set with all pieces of a player: these lie behind the sets of all kinds.
    pub fn side(&self, player: Player) -> usize {
        self.kinds.len() + player.index()
    }

    /// The number of the set with all empty squares, which is the last.
    pub fn vacant(&self) -> usize {
        self.kinds.len() + 2
    }

    fn ending(&self, rules: &Rules, ending: &Ending, player: Player) -> Outcome<N> {
        let turned = ending.side.turns_for(player);
        let kinds = |pieces: &[crate::board::Piece]| -> Vec<usize> {
            let cells = pieces.iter().map(|piece| if turned { piece.turned().cell() } else { piece.cell() });
            if pieces.is_empty() {
                self.kinds_of[player.index()].clone()
            } else {
                cells.filter_map(|cell| self.kind(cell)).collect()
            }
        };
        let when = match &ending.when {
            Condition::On { pieces, zone } => {
                let zone = rules.zone(zone).map_or(Bits::NONE, |zone| self.zone(zone, turned));
                When::On { kinds: kinds(pieces), zone }
            }
            Condition::Line { count, pieces } => {
                let directions = [(1, 0), (0, 1), (1, 1), (1, -1)].map(|(dx, dy)| self.step(dx, dy)).to_vec();
                When::Line { count: usize::from(*count), kinds: kinds(pieces), directions }
            }
            Condition::Left { count, pieces } => When::Left { count: usize::from(*count), kinds: kinds(pieces) },
            Condition::CannotMove => When::CannotMove,
            Condition::Plies(plies) => When::Plies(*plies),
        };
        Outcome { verdict: ending.verdict, when }
    }
}

/// What a movement for one player starts on.
fn start_of(movement: &Movement) -> Cell {
    match movement.start {
        Start::Piece(piece) => piece.cell(),
        Start::Empty => Cell::EMPTY,
    }
}

/// How a log writes what a step passes over.
fn content(landing: Landing) -> Content {
    match landing {
        Landing::On(Seen::Own) => Content::Own,
        Landing::On(Seen::Enemy) => Content::Opponent,
        Landing::On(Seen::Empty) => Content::Empty,
        Landing::Take(_) => Content::Remove(None),
    }
}

fn number(letters: &mut Vec<Letter>, letter: Letter) -> u16 {
    let known = letters.iter().position(|&other| other == letter);
    known.unwrap_or_else(|| {
        letters.push(letter);
        letters.len() - 1
    }) as u16
}

/// An atom as the player makes it. Named directions always go from the player's own side; all else is turned only
/// in lines that hold for both players.
fn symbols(rules: &Rules, atom: &Atom, player: Player, turned: bool) -> Expression<Symbol> {
    let cell = |cell: Cell| if turned { cell.turned() } else { cell };
    let land = |landing: Landing| match landing {
        Landing::Take(Taken::The(taken)) => Landing::Take(Taken::The(cell(taken))),
        other => other,
    };
    let up = |dy: i8, turned: bool| if turned { -dy } else { dy };
    Expression::Letter(match atom {
        Atom::Step { dx, dy, landing } => Symbol::Step { dx: *dx, dy: up(*dy, turned), landing: land(*landing) },
        Atom::Put(piece) => Symbol::Put(cell(*piece)),
        Atom::Look { dx, dy, seen } => Symbol::Look { dx: *dx, dy: up(*dy, turned), seen: *seen },
        Atom::Zone { name, within } => {
            let number = rules.zones.iter().position(|zone| zone.name == *name).unwrap_or(usize::MAX);
            Symbol::Zone { number, within: *within }
        }
        Atom::Along(directions, path) => {
            let steps = directions.steps().into_iter().map(|(dx, dy)| (dx, up(dy, player == Player::Second)));
            let along = steps.map(|(dx, dy)| {
                path.expand(&mut |landing| Expression::Letter(Symbol::Step { dx, dy, landing: land(*landing) }))
            });
            return Expression::choice(along.collect::<Vec<_>>());
        }
    })
}

/// Whether guards can be tried for ever without a step between them.
fn has_idle_loop(dfa: &Dfa<Symbol>) -> bool {
    // Taking away, again and again, the states that no guard leads to leaves the loops.
    let count = dfa.states().len();
    let mut entered = vec![0; count];
    let guards =
        |state: usize| dfa.states()[state].edges.iter().filter(|edge| edge.0.is_guard()).map(|edge| edge.1.index());
    (0..count).flat_map(guards).for_each(|to| entered[to] += 1);
    let mut open: Vec<usize> = (0..count).filter(|&s| entered[s] == 0).collect();
    let mut removed = 0;
    while let Some(state) = open.pop() {
        removed += 1;
        for to in guards(state) {
            entered[to] -= 1;
            if entered[to] == 0 {
                open.push(to);
            }
        }
    }
    removed < count
}

/// Whether a word might come back to a square it has been to; with `fresh`, only without taking or putting anything in
/// between.
///
/// If the steps that can follow a step, together with it, all lie in one open half of the plane, no sum of them is
/// zero. So if that holds for every step of the automaton, no word comes back.
fn may_return(dfa: &Dfa<Symbol>, fresh: bool) -> bool {
    let resets = |symbol: Symbol| matches!(symbol, Symbol::Put(_) | Symbol::Step { landing: Landing::Take(_), .. });
    let steps_from = |start: StateId| {
        let mut reached = vec![false; dfa.states().len()];
        let mut open = vec![start];
        let mut steps = Vec::new();
        reached[start.index()] = true;
        while let Some(state) = open.pop() {
            for &(symbol, to) in &dfa.states()[state.index()].edges {
                if let Symbol::Step { dx, dy, .. } = symbol {
                    steps.push((i32::from(dx), i32::from(dy)));
                }
                if !(fresh && resets(symbol)) && !std::mem::replace(&mut reached[to.index()], true) {
                    open.push(to);
                }
            }
        }
        steps.sort_unstable();
        steps.dedup();
        steps
    };
    let half_plane = |steps: &[(i32, i32)]| {
        let left_of = |a: (i32, i32), b: (i32, i32)| {
            let cross = a.0 * b.1 - a.1 * b.0;
            cross > 0 || cross == 0 && a.0 * b.0 + a.1 * b.1 > 0
        };
        steps.is_empty() || steps.iter().any(|&first| steps.iter().all(|&other| left_of(first, other)))
    };
    dfa.states().iter().any(|state| {
        state.edges.iter().any(|&(symbol, to)| match symbol {
            Symbol::Step { dx, dy, .. } if !(fresh && resets(symbol)) => {
                let mut steps = steps_from(to);
                steps.push((i32::from(dx), i32::from(dy)));
                !half_plane(&steps)
            }
            _ => false,
        })
    })
}

/// Whether a word might put down pieces without end: some put-down can be followed by itself.
fn may_put_again(dfa: &Dfa<Symbol>) -> bool {
    let puts = |state: usize| {
        dfa.states()[state].edges.iter().filter(|edge| matches!(edge.0, Symbol::Put(_))).map(|edge| edge.1)
    };
    (0..dfa.states().len()).flat_map(|state| puts(state).map(move |to| (state, to))).any(|(state, to)| {
        let mut reached = vec![false; dfa.states().len()];
        let mut open = vec![to.index()];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                open.extend(dfa.states()[at].edges.iter().map(|edge| edge.1.index()));
            }
        }
        reached[state]
    })
}

/// Whether a guard looks at other squares, which the word may have changed.
fn looks(dfa: &Dfa<Symbol>) -> bool {
    dfa.states().iter().flat_map(|state| &state.edges).any(|edge| matches!(edge.0, Symbol::Look { .. }))
}

/// Whether the same word might be read along two ways that differ in their guards. With very many ways it says yes
/// without looking at them all: it only costs time then.
fn is_ambiguous(dfa: &Dfa<Symbol>) -> bool {
    const MANY: usize = 1000;
    (0..dfa.states().len()).any(|state| {
        let mut ways = vec![(StateId(state as u32), Vec::new())];
        let mut next = 0;
        while next < ways.len() {
            if ways.len() > MANY {
                return true;
            }
            let (at, guards): (StateId, Vec<Symbol>) = ways[next].clone();
            for &(symbol, to) in dfa.states()[at.index()].edges.iter().filter(|edge| edge.0.is_guard()) {
                ways.push((to, guards.iter().copied().chain([symbol]).collect()));
            }
            next += 1;
        }
        let exclusive = |a: &[Symbol], b: &[Symbol]| a.iter().any(|&x| b.iter().any(|&y| x.excludes(y)));
        let clash = |a: StateId, b: StateId| {
            let (a, b) = (&dfa.states()[a.index()], &dfa.states()[b.index()]);
            let letters: BTreeMap<Symbol, ()> = a.edges.iter().filter(|e| !e.0.is_guard()).map(|e| (e.0, ())).collect();
            a.accepting && b.accepting || b.edges.iter().any(|edge| letters.contains_key(&edge.0))
        };
        ways.iter()
            .enumerate()
            .any(|(i, (a, guards))| ways[..i].iter().any(|(b, others)| !exclusive(guards, others) && clash(*a, *b)))
    })
}
