//! Movements made ready for other programs: automata whose nodes know which squares of a word must be named, so that no
//! two words of a piece are called alike.

use crate::automata::{Dfa, DfaState, StateId, TooManyStates};
use crate::board::{Cell, Player, Shape};
use crate::rules::{Landing, Movement, Rules, Seen, Symbol, Taken};
use std::collections::{BTreeMap, HashMap};

/// The turns of one player that start on one kind of piece, or on an empty square.
pub(super) struct MoverAutomaton<'a> {
    pub movement: &'a Movement,
    pub player: Player,
    /// What the turns start on, as it stands on the board.
    pub start: Cell,
    /// The first is where a turn begins.
    pub nodes: Vec<MoverNode>,
    /// Whether words could come back to a square without having taken or put down anything, which is forbidden.
    pub may_circle: bool,
}

/// A state of the automaton, and whether unnamed squares have been passed since the last named one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MoverNode {
    /// Whether a word may end here.
    pub accepting: bool,
    /// Whether the cursor has left the last named square.
    pub has_moved: bool,
    pub edges: Vec<MoverEdge>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoverEdge {
    pub symbol: Symbol,
    /// Whether the square of a step that takes nothing is named.
    pub is_named: bool,
    pub to: usize,
}

/// Which squares of a word are named, besides those where something is taken or put down, and the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    /// None.
    Last,
    /// Those where the word might have ended.
    Stops,
    /// All.
    Every,
}

/// The machines of all players, in the order of the rules.
pub(super) fn machines(rules: &Rules) -> Result<Vec<MoverAutomaton<'_>>, (Cell, TooManyStates)> {
    let pieces = rules.pieces();
    let mut machines = Vec::new();
    for player in rules.sides() {
        for movement in rules.moves.iter().filter(|movement| movement.side.is_for(player)) {
            let start = movement.start_for(player);
            let is_used = start.piece().is_none_or(|piece| pieces.contains(&piece));
            if is_used && rules.movement(player, start) == Some(movement) {
                let dfa = ending_at_vanish(&rules.automaton(movement, player).map_err(|error| (start, error))?);
                machines.push(MoverAutomaton::new(&dfa, rules.setup.shape(), movement, player, start));
            }
        }
    }
    Ok(machines)
}

/// The same words, but with nothing behind a state in which the piece has vanished.
fn ending_at_vanish(dfa: &Dfa<Symbol>) -> Dfa<Symbol> {
    let vanishes = |edge: &(Symbol, StateId)| edge.0 == Symbol::Vanish;
    if !dfa.states().iter().flat_map(|state| &state.edges).any(vanishes) {
        return dfa.clone();
    }
    let end = StateId(dfa.states().len() as u32);
    let mut states = dfa.states().to_vec();
    for state in &mut states {
        state.edges.retain(|edge| !vanishes(edge) || dfa.states()[edge.1.index()].accepting);
        state.edges.iter_mut().filter(|edge| vanishes(edge)).for_each(|edge| edge.1 = end);
    }
    states.push(DfaState { accepting: true, edges: Vec::new() });
    Dfa::trimmed(states)
}

impl<'a> MoverAutomaton<'a> {
    fn new(dfa: &Dfa<Symbol>, shape: Shape, movement: &'a Movement, player: Player, start: Cell) -> MoverAutomaton<'a> {
        let reading = Reading { dfa, shape, player };
        let may_circle = reading.may_circle();
        let naming = match () {
            () if may_circle => Naming::Every,
            () if reading.tells_apart(Naming::Last) => Naming::Last,
            () if reading.tells_apart(Naming::Stops) => Naming::Stops,
            () => Naming::Every,
        };
        MoverAutomaton { movement, player, start, nodes: nodes(dfa, naming, start), may_circle }
    }
}

/// The nodes of an automaton, split by whether unnamed squares have been passed since the last named one, and by whether
/// a drop has its piece yet: the same state may stand before and behind the first put-down.
fn nodes(dfa: &Dfa<Symbol>, naming: Naming, start: Cell) -> Vec<MoverNode> {
    let first = (0, false, !start.is_empty());
    let mut number: BTreeMap<(usize, bool, bool), usize> = BTreeMap::from([(first, 0)]);
    let mut order = vec![first];
    let mut nodes = Vec::new();
    while nodes.len() < order.len() {
        let (state, has_moved, has_piece) = order[nodes.len()];
        let state = &dfa.states()[state];
        let mut edges = Vec::new();
        for &(symbol, to) in &state.edges {
            let is_plain = matches!(symbol, Symbol::Step { landing: Landing::On(_), .. });
            let is_named = is_plain && is_named(dfa, naming, to.index());
            let moved = if symbol.is_guard() { has_moved } else { is_plain && !is_named };
            let key = (to.index(), moved, has_piece || matches!(symbol, Symbol::Put(_)));
            let to = *number.entry(key).or_insert_with(|| {
                order.push(key);
                order.len() - 1
            });
            edges.push(MoverEdge { symbol, is_named, to });
        }
        nodes.push(MoverNode { accepting: state.accepting, has_moved, edges });
    }
    nodes
}

fn is_named(dfa: &Dfa<Symbol>, naming: Naming, to: usize) -> bool {
    match naming {
        Naming::Last => false,
        Naming::Stops => dfa.states()[to].accepting,
        Naming::Every => true,
    }
}

/// What a square holds, as far as a word tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Blank,
    Own,
    Enemy,
    The(Cell),
}

impl What {
    pub fn of(landing: Landing) -> What {
        match landing {
            Landing::On(seen) => What::seen(seen),
            Landing::Take(Taken::Own) => What::Own,
            Landing::Take(Taken::Enemy) => What::Enemy,
            Landing::Take(Taken::The(cell)) => What::The(cell),
        }
    }

    pub fn seen(seen: Seen) -> What {
        match seen {
            Seen::Empty => What::Blank,
            Seen::Own => What::Own,
            Seen::Enemy => What::Enemy,
        }
    }

    /// Whether a square can hold both, for the player to move.
    pub fn agrees(self, other: What, player: Player) -> bool {
        let side = |what: What| match what {
            What::Blank => None,
            What::Own => Some(player),
            What::Enemy => Some(player.other()),
            What::The(cell) => cell.owner(),
        };
        match (self, other) {
            (What::Blank, What::The(cell)) | (What::The(cell), What::Blank) => cell.is_empty(),
            (What::The(one), What::The(other)) => one == other,
            (What::Blank, What::Blank) => true,
            (What::Blank, _) | (_, What::Blank) => false,
            (one, other) => side(one) == side(other),
        }
    }
}

/// How many steps are looked at before words count as too many to tell apart by their stops.
const MOST_STEPS: usize = 50_000;

/// Looks at the words of an automaton on a board of which only the size is known.
struct Reading<'a> {
    dfa: &'a Dfa<Symbol>,
    shape: Shape,
    player: Player,
}

type Displacement = (i32, i32);

impl Reading<'_> {
    fn plus(&self, at: Displacement, dx: i8, dy: i8) -> Option<Displacement> {
        let to = (at.0 + i32::from(dx), at.1 + i32::from(dy));
        let fits = to.0.unsigned_abs() < self.shape.width() as u32 && to.1.unsigned_abs() < self.shape.height() as u32;
        fits.then_some(to)
    }

    /// The states in which the law of squares that are come to twice begins afresh, with what is known of the square.
    fn fresh_starts(&self) -> Vec<(usize, Option<What>)> {
        let edges = self.dfa.states().iter().flat_map(|state| &state.edges);
        let fresh = edges.filter_map(|&(symbol, to)| match symbol {
            Symbol::Put(_) => Some((to.index(), None)),
            Symbol::Step { landing: Landing::Take(_), .. } => Some((to.index(), Some(What::Blank))),
            _ => None,
        });
        std::iter::once((0, Some(What::Blank))).chain(fresh).collect()
    }

    /// Whether a word could come to a square twice without having taken or put down anything, on some board.
    fn may_circle(&self) -> bool {
        let mut left = MOST_STEPS;
        self.fresh_starts()
            .into_iter()
            .any(|(state, known)| self.circles(state, (0, 0), &mut vec![((0, 0), known)], &mut left))
    }

    fn circles(
        &self,
        state: usize,
        at: Displacement,
        been: &mut Vec<(Displacement, Option<What>)>,
        left: &mut usize,
    ) -> bool {
        self.dfa.states()[state].edges.iter().any(|&(symbol, to)| {
            *left = left.saturating_sub(1);
            match symbol {
                _ if *left == 0 => true,
                Symbol::Put(_) | Symbol::Vanish => false,
                Symbol::Zone { .. } | Symbol::Look { .. } => self.circles(to.index(), at, been, left),
                Symbol::Step { dx, dy, landing } => {
                    let Some(next) = self.plus(at, dx, dy) else { return false };
                    let what = What::of(landing);
                    if let Some((_, known)) = been.iter().find(|(square, _)| *square == next) {
                        return known.is_none_or(|known| known.agrees(what, self.player));
                    }
                    if matches!(landing, Landing::Take(_)) {
                        return false;
                    }
                    been.push((next, Some(what)));
                    let circles = self.circles(to.index(), next, been, left);
                    been.pop();
                    circles
                }
            }
        })
    }

    /// Whether no two words with the same named squares go different ways. Only for words that never circle.
    fn tells_apart(&self, naming: Naming) -> bool {
        let mut starts: Vec<usize> = self.fresh_starts().into_iter().map(|start| start.0).collect();
        if naming == Naming::Stops {
            // One word along two ways, one of them with a stop, would be called in two ways.
            let edges = |state: usize| &self.dfa.states()[state].edges;
            let takes_alike = |state: usize| {
                let takes = edges(state).iter().filter_map(|&(symbol, _)| match symbol {
                    Symbol::Step { dx, dy, landing: Landing::Take(_) } => Some((dx, dy)),
                    _ => None,
                });
                let mut takes: Vec<(i8, i8)> = takes.collect();
                takes.sort_unstable();
                takes.windows(2).any(|pair| pair[0] == pair[1])
            };
            let count = self.dfa.states().len();
            if (0..count).any(|s| takes_alike(s) || edges(s).iter().any(|edge| edge.0.is_guard())) {
                return false;
            }
            starts.extend((0..count).filter(|&state| self.dfa.states()[state].accepting));
        }
        starts.sort_unstable();
        starts.dedup();
        let mut left = MOST_STEPS;
        starts.into_iter().all(|state| {
            let mut segments = Segments { naming, known: HashMap::new(), left };
            let unique = self.segments(state, &mut vec![(0, 0)], &mut segments);
            left = segments.left;
            unique
        })
    }

    /// Goes along all ways to the next named square; `false` if two of them are called alike.
    fn segments(&self, state: usize, way: &mut Vec<Displacement>, segments: &mut Segments) -> bool {
        let at = way[way.len() - 1];
        let node = &self.dfa.states()[state];
        if node.accepting && !segments.is_new(Close::End, at, way) {
            return false;
        }
        node.edges.iter().all(|&(symbol, to)| {
            segments.left = segments.left.saturating_sub(1);
            match symbol {
                _ if segments.left == 0 => false,
                Symbol::Zone { .. } | Symbol::Look { .. } => self.segments(to.index(), way, segments),
                Symbol::Put(cell) => segments.is_new(Close::Put(cell), at, way),
                Symbol::Vanish => segments.is_new(Close::Put(Cell::EMPTY), at, way),
                Symbol::Step { dx, dy, landing } => {
                    let Some(next) = self.plus(at, dx, dy).filter(|next| !way.contains(next)) else { return true };
                    way.push(next);
                    let unique = match landing {
                        Landing::Take(_) => segments.is_new(Close::Take, next, way),
                        Landing::On(_) if is_named(self.dfa, segments.naming, to.index()) => {
                            segments.is_new(Close::Stop, next, way)
                        }
                        Landing::On(_) => self.segments(to.index(), way, segments),
                    };
                    way.pop();
                    unique
                }
            }
        })
    }
}

/// How a way to the next named square ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Close {
    End,
    Stop,
    Take,
    Put(Cell),
}

struct Segments {
    naming: Naming,
    known: HashMap<(Close, Displacement), Vec<Displacement>>,
    left: usize,
}

impl Segments {
    fn is_new(&mut self, close: Close, at: Displacement, way: &[Displacement]) -> bool {
        // A way that has not left its square yet has no end of its own.
        *self.known.entry((close, at)).or_insert_with(|| way.to_vec()) == way
    }
}
