//! What automata of movements read, and what can be told about their words before any is made.

use super::{Atom, Landing, Movement, Rules, Seen, Side, Start, Taken, Zone};
use crate::automata::{Dfa, DfaState, Expression, Nfa, StateId, TooManyStates};
use crate::board::{Cell, Player};
use std::collections::BTreeSet;

/// What the automaton of a movement reads: steps and put-downs, which are the word, and guards, which are not. All as
/// they stand on the board, whichever player makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// A step, and what it lands on.
    Step {
        /// Files to the right.
        dx: i8,
        /// Ranks up.
        dy: i8,
        /// What is there.
        landing: Landing,
    },
    /// The controlled piece is put down and this one appears.
    Put(Cell),
    /// The controlled piece leaves the board, and the word ends.
    Vanish,
    /// A guard on where the cursor is.
    Zone {
        /// Which of the rules' zones.
        number: usize,
        /// Whether the cursor must be in it, or must not.
        within: bool,
    },
    /// A guard on what is there.
    Look {
        /// Files to the right.
        dx: i8,
        /// Ranks up.
        dy: i8,
        /// What must be there.
        seen: Seen,
    },
}

impl Symbol {
    /// Whether it only looks.
    pub fn is_guard(self) -> bool {
        matches!(self, Symbol::Zone { .. } | Symbol::Look { .. })
    }

    /// Whether two guards can never hold at the same place, whatever the board is.
    pub(super) fn excludes(self, other: Symbol) -> bool {
        match (self, other) {
            (Symbol::Zone { number: a, within: p }, Symbol::Zone { number: b, within: q }) => a == b && p != q,
            (Symbol::Look { dx, dy, seen }, Symbol::Look { dx: dx2, dy: dy2, seen: seen2 }) => {
                (dx, dy) == (dx2, dy2) && seen != seen2
            }
            _ => false,
        }
    }
}

/// The most states an automaton of a movement may have; enough for any game by far, and soon tested.
pub(super) const MAX_STATES: usize = 10_000;

impl Rules {
    /// The movement that a player's turns follow which start on a piece of this name, or on an empty square. A line for
    /// one player alone stands in place of the line for both.
    pub fn movement(&self, player: Player, start: Cell) -> Option<&Movement> {
        let own = |movement: &&Movement| movement.side == Side::Only(player) && movement.start_for(player) == start;
        let shared = |movement: &&Movement| movement.side == Side::Both && movement.start_for(player) == start;
        self.moves.iter().find(own).or_else(|| self.moves.iter().find(shared))
    }

    /// The smallest automaton of a movement, as the player makes it.
    ///
    /// # Errors
    ///
    /// [`TooManyStates`] if the automaton is too large.
    pub fn automaton(&self, movement: &Movement, player: Player) -> Result<Dfa<Symbol>, TooManyStates> {
        let turned = movement.side.turns_for(player);
        let expression = movement.words.expand(&mut |atom| symbols(&self.zones, atom, player, turned));
        Ok(Nfa::from_expression(&expression, MAX_STATES)?.determinise(MAX_STATES)?.minimise())
    }
}

impl Movement {
    /// What a player's turns of this movement start on: a piece as it stands on the board, or nothing.
    pub fn start_for(&self, player: Player) -> Cell {
        match self.start {
            Start::Piece(piece) if self.side.turns_for(player) => piece.turned().cell(),
            Start::Piece(piece) => piece.cell(),
            Start::Empty => Cell::EMPTY,
        }
    }
}

/// An atom as the player makes it. Named directions always go from the player's own side; all else is turned only
/// in lines that hold for both players.
pub(super) fn symbols(zones: &[Zone], atom: &Atom, player: Player, turned: bool) -> Expression<Symbol> {
    let cell = |cell: Cell| if turned { cell.turned() } else { cell };
    let land = |landing: Landing| match landing {
        Landing::Take(Taken::The(taken)) => Landing::Take(Taken::The(cell(taken))),
        other => other,
    };
    let up = |dy: i8, turned: bool| if turned { -dy } else { dy };
    Expression::Letter(match atom {
        Atom::Step { dx, dy, landing } => Symbol::Step { dx: *dx, dy: up(*dy, turned), landing: land(*landing) },
        Atom::Put(piece) => Symbol::Put(cell(*piece)),
        Atom::Vanish => Symbol::Vanish,
        Atom::Look { dx, dy, seen } => Symbol::Look { dx: *dx, dy: up(*dy, turned), seen: *seen },
        Atom::Zone { name, within } => {
            let number = zones.iter().position(|zone| zone.name == *name).unwrap_or(usize::MAX);
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
pub(super) fn has_idle_loop(dfa: &Dfa<Symbol>) -> bool {
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
pub(super) fn may_return(dfa: &Dfa<Symbol>, fresh: bool) -> bool {
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
                if (!fresh || !resets(symbol)) && !std::mem::replace(&mut reached[to.index()], true) {
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

/// Whether the same piece might appear twice in a word.
pub(super) fn may_put_again(dfa: &Dfa<Symbol>) -> bool {
    let puts = |state: usize| {
        dfa.states()[state].edges.iter().filter_map(|edge| match edge.0 {
            Symbol::Put(cell) => Some((cell, edge.1.index())),
            _ => None,
        })
    };
    (0..dfa.states().len()).flat_map(puts).any(|(cell, to)| {
        let mut reached = vec![false; dfa.states().len()];
        let mut open = vec![to];
        while let Some(at) = open.pop() {
            if puts(at).any(|(other, _)| other == cell) {
                return true;
            }
            if !std::mem::replace(&mut reached[at], true) {
                open.extend(dfa.states()[at].edges.iter().map(|edge| edge.1.index()));
            }
        }
        false
    })
}

/// Whether a guard looks at other squares, which the word may have changed.
pub(super) fn looks(dfa: &Dfa<Symbol>) -> bool {
    dfa.states().iter().flat_map(|state| &state.edges).any(|edge| matches!(edge.0, Symbol::Look { .. }))
}

/// Whether the same word might be read along two ways that differ in their guards, or in how they call a piece that is
/// taken (`take:enemy` and `take:q` are the same letter where a q stands). `excludes` tells which guards can never hold
/// at the same place. With very many ways it says yes without looking at them all: it only costs time then.
pub(super) fn is_ambiguous(dfa: &Dfa<Symbol>, excludes: &impl Fn(Symbol, Symbol) -> bool) -> bool {
    const MANY: usize = 10_000;
    let mut compared = 0;
    // The letter as it is written: what is taken is read off the board.
    let written = |symbol: Symbol| match symbol {
        Symbol::Step { dx, dy, landing: Landing::Take(_) } => {
            Symbol::Step { dx, dy, landing: Landing::Take(Taken::Enemy) }
        }
        other => other,
    };
    let takes_alike = |state: &DfaState<Symbol>| {
        let letters: BTreeSet<Symbol> = state.edges.iter().map(|edge| written(edge.0)).collect();
        letters.len() < state.edges.len()
    };
    if dfa.states().iter().any(takes_alike) {
        return true;
    }
    let Some(ways) = GuardedWays::of(dfa, excludes) else { return true };
    let can_both = |a: &GuardSet, b: &GuardSet| !a.excludes(b);
    // Pairs of states to which the same letters may lead along different ways.
    let mut seen: BTreeSet<(StateId, StateId)> = BTreeSet::new();
    let mut open = Vec::new();
    for ways in &ways.0 {
        for (i, (a, guards)) in ways.iter().enumerate() {
            let rivals = ways[..i].iter().filter(|(_, others)| can_both(guards, others));
            open.extend(rivals.map(|(b, _)| (*a, *b)));
        }
    }
    // Each pair is looked at once.
    open.sort_unstable();
    open.dedup();
    while let Some((a, b)) = open.pop() {
        let (from_a, from_b) = (&dfa.states()[a.index()], &dfa.states()[b.index()]);
        // From the same state every word goes on in the same way.
        if a == b || from_a.accepting && from_b.accepting || seen.len() > MANY {
            return true;
        }
        if !seen.insert((a.min(b), a.max(b))) {
            continue;
        }
        for &(letter, next_a) in from_a.edges.iter().filter(|edge| !edge.0.is_guard()) {
            for &(_, next_b) in from_b.edges.iter().filter(|edge| written(edge.0) == written(letter)) {
                compared += ways.0[next_a.index()].len() * ways.0[next_b.index()].len();
                if compared > MANY_PAIRS {
                    return true;
                }
                for (a, guards) in &ways.0[next_a.index()] {
                    let rivals = ways.0[next_b.index()].iter().filter(|(_, others)| can_both(guards, others));
                    open.extend(rivals.map(|(b, _)| (*a, *b)));
                }
            }
        }
    }
    false
}

/// So many pairs of ways may be compared.
const MANY_PAIRS: usize = 10_000_000;

/// The guards that were passed, and all those that can never hold together with one of them, as bits of their numbers.
#[derive(Clone, Debug, Default)]
struct GuardSet {
    passed: Vec<u64>,
    excluded: Vec<u64>,
}

impl GuardSet {
    /// Whether the two can never both be passed at the same place.
    fn excludes(&self, other: &GuardSet) -> bool {
        self.passed.iter().zip(&other.excluded).any(|(one, other)| one & other != 0)
    }

    fn with(&self, guard: usize, excluded: &[u64]) -> GuardSet {
        let mut longer = self.clone();
        longer.passed.resize(excluded.len(), 0);
        longer.excluded.resize(excluded.len(), 0);
        longer.passed[guard / 64] |= 1 << (guard % 64);
        longer.excluded.iter_mut().zip(excluded).for_each(|(own, more)| *own |= more);
        longer
    }
}

/// By state: where guards alone lead from it, with the guards on the way.
struct GuardedWays(Vec<Vec<(StateId, GuardSet)>>);

impl GuardedWays {
    /// All ways through guards; `None` if there are very many. Whether two guards exclude each other is asked once a pair,
    /// not once for each two ways that have them.
    fn of(dfa: &Dfa<Symbol>, excludes: &impl Fn(Symbol, Symbol) -> bool) -> Option<GuardedWays> {
        const MANY_WAYS: usize = 1000;
        const MANY_GUARDS: usize = 1000;
        let edges = || dfa.states().iter().flat_map(|state| &state.edges);
        let mut guards: Vec<Symbol> = edges().map(|edge| edge.0).filter(|symbol| symbol.is_guard()).collect();
        guards.sort_unstable();
        guards.dedup();
        let excluded = |&guard: &Symbol| {
            let mut bits = vec![0u64; guards.len().div_ceil(64)];
            for (at, &other) in guards.iter().enumerate() {
                bits[at / 64] |= u64::from(excludes(guard, other)) << (at % 64);
            }
            bits
        };
        if guards.len() > MANY_GUARDS {
            return None;
        }
        let excluded: Vec<Vec<u64>> = guards.iter().map(excluded).collect();
        let (mut all, mut pairs) = (Vec::with_capacity(dfa.states().len()), 0);
        for state in 0..dfa.states().len() {
            let mut ways = vec![(StateId(state as u32), GuardSet::default())];
            let mut next = 0;
            while next < ways.len() {
                let (at, passed): (StateId, GuardSet) = ways[next].clone();
                for &(symbol, to) in &dfa.states()[at.index()].edges {
                    if let Ok(guard) = guards.binary_search(&symbol) {
                        ways.push((to, passed.with(guard, &excluded[guard])));
                    }
                }
                if ways.len() > MANY_WAYS {
                    return None;
                }
                next += 1;
            }
            // Comparing two ways costs a step for every word of bits.
            pairs += ways.len().pow(2) * guards.len().div_ceil(64).max(1);
            if pairs > MANY_PAIRS {
                return None;
            }
            all.push(ways);
        }
        Some(GuardedWays(all))
    }
}
