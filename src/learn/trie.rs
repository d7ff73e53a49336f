//! Words with their opportunities, counted when somebody asks.

use super::boards::Boards;
use super::description_length::word_kind;
use super::guard::Guards;
use super::letter::Letter;
use crate::automata::{Dfa, StateId};
use crate::board::{Bits, Cell, Player, Shift, Square, Trace};
use crate::rules::{Landing, Seen, Symbol, Taken};
use std::borrow::Cow;

/// The words that could have been played, as a tree of prefixes that grows where it is looked at.
///
/// A node holds every board on which its word fits, with the squares where the cursors are then, so that a child is a
/// shift and a mask for each board. Nodes of words that fit nowhere, or come to a square twice, do not exist.
pub(super) struct Trie<'b, const N: usize> {
    sources: Vec<Source<'b, N>>,
    letters: Vec<LetterStep<N>>,
    nodes: Vec<TrieNode<N>>,
    /// Whether the boards of words of one letter are kept: there are so many that they are found again instead if there
    /// are very many starts.
    keeps_first: bool,
    /// For node n and letter l at `n * letters + l`: the child, or what is known of it.
    children: Vec<u32>,
}

/// Boards with the squares where turns start, and what it counts if one of a board's moves is not played.
#[derive(Clone)]
pub(super) struct Source<'b, const N: usize> {
    pub boards: &'b Boards<N>,
    pub starts: Cow<'b, [(u32, Bits<N>)]>,
    /// For each board, the share of its legal moves that one is; nothing where all moves are listed.
    pub share: &'b [f64],
}

/// Above this, memory matters more than time.
const MANY_STARTS: usize = 600_000;

const UNKNOWN: u32 = u32::MAX;
const NONE: u32 = u32::MAX - 1;

/// A node of the tree.
pub(super) type NodeId = u32;
/// The node of the empty word.
pub(super) const ROOT: NodeId = 0;

/// A letter made ready for sets of squares.
struct LetterStep<const N: usize> {
    symbol: Symbol,
    shift: Shift,
    /// The squares from which it stays on the board and the guards say what the letter tells: as the first of a word,
    /// and as a later one.
    from: [Bits<N>; 2],
    /// What must be seen, or must not, at a distance from the start.
    sights: Vec<Sight<N>>,
}

/// What is seen at a distance.
struct Sight<const N: usize> {
    /// From the square that is seen back to where it is seen from.
    back: Shift,
    /// The squares that have a square at this distance.
    from: Bits<N>,
    seen: Seen,
    is: bool,
}

struct TrieNode<const N: usize> {
    parent: NodeId,
    letter: u16,
    opportunities: Opportunities,
    /// What the word has done; a changed square holds a wall if it is nothing that can be seen.
    trace: Trace<Option<Seen>>,
    /// The fitting boards, if they are kept.
    hits: Hits<N>,
}

/// The boards on which a word fits, with the cursors on each: two columns, since there may be millions.
struct Hits<const N: usize> {
    /// The board's number, with the number of its source in the highest bit.
    boards: Vec<u32>,
    cursors: Vec<Bits<N>>,
}

impl<const N: usize> Hits<N> {
    const SOURCE: u32 = 31;

    const NONE: Hits<N> = Hits { boards: Vec::new(), cursors: Vec::new() };

    fn push(&mut self, source: u16, board: u32, cursors: Bits<N>) {
        self.boards.push(board | u32::from(source) << Self::SOURCE);
        self.cursors.push(cursors);
    }

    fn iter(&self) -> impl Iterator<Item = (u16, u32, Bits<N>)> {
        let place = |board: &u32| ((board >> Self::SOURCE) as u16, board & !(1 << Self::SOURCE));
        self.boards.iter().map(place).zip(&self.cursors).map(|((source, board), &cursors)| (source, board, cursors))
    }
}

/// How often a word could have been played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Opportunities {
    /// Where all legal moves were listed.
    pub all: u64,
    /// Where only some were.
    pub some: u64,
    /// How often it would have been played there if every legal move were as likely as the others.
    pub expected: f64,
}

impl<'b, const N: usize> Trie<'b, N> {
    /// A tree of the words of one or two players over some letters, for turns that start on a piece, or with a drop on
    /// an empty square.
    pub fn new(sources: Vec<Source<'b, N>>, letters: &[Letter], guards: &Guards, drops: bool) -> Trie<'b, N> {
        let shape = sources[0].boards.shape;
        let delta = |dx: i8, dy: i8| i32::from(dy) * shape.width() as i32 + i32::from(dx);
        let sight = |((dx, dy), seen, is): ((i8, i8), Seen, bool)| {
            let from = shape.all().filter(|&square| shape.step(square, dx, dy).is_some());
            let from = Bits::of(from.map(|square| square.index()));
            Sight { back: Shift::by::<N>(-delta(dx, dy)), from, seen, is }
        };
        let step = |&letter: &Letter| LetterStep {
            symbol: letter.symbol,
            shift: match letter.symbol {
                Symbol::Step { dx, dy, .. } => Shift::by::<N>(delta(dx, dy)),
                _ => Shift::default(),
            },
            from: [true, false].map(|first| guards.mask(letter, first)),
            sights: guards.sights(letter).into_iter().map(sight).collect(),
        };
        let root = TrieNode {
            parent: ROOT,
            letter: 0,
            opportunities: Opportunities::default(),
            trace: if drops { Trace::dropping() } else { Trace::lifting(Some(Seen::Empty)) },
            hits: Hits::NONE,
        };
        let children = vec![UNKNOWN; letters.len()];
        let keeps_first = sources.iter().map(|source| source.starts.len()).sum::<usize>() <= MANY_STARTS;
        Trie { sources, keeps_first, letters: letters.iter().map(step).collect(), nodes: vec![root], children }
    }

    /// How many nodes somebody has asked for.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn opportunities(&self, node: NodeId) -> Opportunities {
        self.nodes[node as usize].opportunities
    }

    /// The squares from which a node's word could have been played, with how often, as the players see the board; sorted.
    pub fn origins(&self, node: NodeId) -> Vec<(Square, Opportunities)> {
        let (dx, dy) = self.nodes[node as usize].trace.at();
        let shape = self.sources[0].boards.shape;
        let delta = i32::from(dy) * shape.width() as i32 + i32::from(dx);
        let mut origins = vec![Opportunities::default(); shape.squares()];
        self.each_hit(node, &mut |source, board, cursors| {
            let source = &self.sources[usize::from(source)];
            let count = u64::from(source.boards.count[board as usize]);
            let (all, expected) = (source.boards.all[board as usize], count as f64 * source.share[board as usize]);
            for square in cursors.iter() {
                let sum = &mut origins[(square as i32 - delta) as usize];
                if all {
                    sum.all += count;
                } else {
                    sum.some += count;
                    sum.expected += expected;
                }
            }
        });
        let possible = |(_, times): &(Square, Opportunities)| times.all + times.some > 0;
        (0..).map(Square).zip(origins).filter(possible).collect()
    }

    /// For each of some nodes and each square: how often its word was to be played from there on boards that list only
    /// some moves, if the words of these nodes were all that is legal.
    pub fn shares_among(&self, nodes: &[NodeId]) -> Vec<Vec<(Square, f64)>> {
        let mut moves: Vec<Vec<u32>> = self.sources.iter().map(|source| vec![0; source.boards.len()]).collect();
        for &node in nodes {
            self.each_hit(node, &mut |source, board, cursors| {
                moves[usize::from(source)][board as usize] += cursors.count() as u32;
            });
        }
        let width = self.sources[0].boards.shape.width() as i32;
        let shares = nodes.iter().map(|&node| {
            let (dx, dy) = self.nodes[node as usize].trace.at();
            let delta = i32::from(dy) * width + i32::from(dx);
            let mut squares = vec![0.0; self.sources[0].boards.shape.squares()];
            self.each_hit(node, &mut |source, board, cursors| {
                let boards = self.sources[usize::from(source)].boards;
                if !boards.all[board as usize] {
                    let count = f64::from(boards.count[board as usize]);
                    let share = count / f64::from(moves[usize::from(source)][board as usize]);
                    cursors.iter().for_each(|at| squares[(at as i32 - delta) as usize] += share);
                }
            });
            (0..).map(Square).zip(squares).filter(|(_, share)| *share > 0.0).collect()
        });
        shares.collect()
    }

    /// Visits every board as a node's word leaves it: the board's number, the squares that have changed, and where the
    /// cursor is.
    pub fn each_result(&self, node: NodeId, visit: &mut impl FnMut(u32, &[(usize, Option<Seen>)], usize)) {
        let at = &self.nodes[node as usize];
        let width = self.sources[0].boards.shape.width() as i32;
        let delta = |(dx, dy): (i16, i16)| i32::from(dy) * width + i32::from(dx);
        let mut changes = Vec::new();
        self.each_hit(node, &mut |_, board, cursors| {
            for cursor in cursors.iter() {
                let start = cursor as i32 - delta(at.trace.at());
                changes.clear();
                changes.extend(at.trace.changes().iter().map(|&(place, seen)| ((start + delta(place)) as usize, seen)));
                visit(board, &changes, cursor);
            }
        });
    }

    /// The kind of a node's word.
    pub fn kind(&self, node: NodeId) -> usize {
        let at = &self.nodes[node as usize];
        word_kind(self.letters[usize::from(at.letter)].symbol, at.parent == ROOT)
    }

    /// A node's word, by the numbers of its letters.
    pub fn word(&self, mut node: NodeId) -> Vec<usize> {
        let mut word = Vec::new();
        while node != ROOT {
            let at = &self.nodes[node as usize];
            word.push(usize::from(at.letter));
            node = at.parent;
        }
        word.reverse();
        word
    }

    /// The node of the word with one letter more, if it fits anywhere.
    pub fn child(&mut self, node: NodeId, letter: usize) -> Option<NodeId> {
        let slot = node as usize * self.letters.len() + letter;
        if self.children[slot] == UNKNOWN {
            self.children[slot] = self.grow(node, letter).unwrap_or(NONE);
        }
        (self.children[slot] != NONE).then_some(self.children[slot])
    }

    /// The node of a word.
    pub fn find(&mut self, word: impl IntoIterator<Item = usize>) -> Option<NodeId> {
        word.into_iter().try_fold(ROOT, |node, letter| self.child(node, letter))
    }

    fn grow(&mut self, parent: NodeId, letter: usize) -> Option<NodeId> {
        let step = &self.letters[letter];
        let before = &self.nodes[parent as usize];
        let mut node = TrieNode {
            parent,
            letter: letter as u16,
            opportunities: Opportunities::default(),
            trace: before.trace.clone(),
            hits: Hits::NONE,
        };
        let sees = go_on(&mut node.trace, step.symbol)?;
        let keep = parent != ROOT || self.keeps_first;
        let mut opportunities = Opportunities::default();
        let mut hits = Hits::NONE;
        self.each_hit(parent, &mut |source: u16, board: u32, cursors: Bits<N>| {
            let boards = self.sources[usize::from(source)].boards;
            let cursors = step.go(boards, board, cursors, sees, parent == ROOT);
            let count = cursors.count() as u64;
            if count > 0 {
                let weight = count * u64::from(boards.count[board as usize]);
                if boards.all[board as usize] {
                    opportunities.all += weight;
                } else {
                    opportunities.some += weight;
                    opportunities.expected += weight as f64 * self.sources[usize::from(source)].share[board as usize];
                }
                if keep {
                    hits.push(source, board, cursors);
                }
            }
        });
        if opportunities.all + opportunities.some == 0 {
            return None;
        }
        hits.boards.shrink_to_fit();
        hits.cursors.shrink_to_fit();
        node.opportunities = opportunities;
        node.hits = hits;
        self.nodes.push(node);
        self.children.resize(self.nodes.len() * self.letters.len(), UNKNOWN);
        Some(self.nodes.len() as u32 - 1)
    }

    /// Visits every board on which a node's word fits.
    fn each_hit(&self, node: NodeId, visit: &mut impl FnMut(u16, u32, Bits<N>)) {
        let at = &self.nodes[node as usize];
        if node != ROOT && (at.parent != ROOT || self.keeps_first) {
            return at.hits.iter().for_each(|(source, board, cursors)| visit(source, board, cursors));
        }
        for (number, source) in (0..).zip(&self.sources) {
            for &(board, cursors) in source.starts.iter() {
                if node == ROOT {
                    visit(number, board, cursors);
                    continue;
                }
                let step = &self.letters[usize::from(at.letter)];
                let cursors = step.go(source.boards, board, cursors, first_sight(step.symbol), true);
                if !cursors.is_empty() {
                    visit(number, board, cursors);
                }
            }
        }
    }
}

/// Adds to each board's sum how many moves an automaton has there that start on a cell.
pub(super) fn count_moves<const N: usize>(
    boards: &Boards<N>,
    start: Cell,
    (automaton, guards): (&Dfa<Letter>, &Guards),
    moves: &mut [f64],
) {
    let mut letters: Vec<Letter> =
        automaton.states().iter().flat_map(|state| state.edges.iter().map(|edge| edge.0)).collect();
    letters.sort_unstable();
    letters.dedup();
    let share = vec![0.0; boards.len()];
    let source = Source { boards, starts: boards.starts(start), share: &share };
    let mut trie = Trie::new(vec![source], &letters, guards, start.is_empty());
    let mut open = vec![(ROOT, StateId(0))];
    while let Some((node, state)) = open.pop() {
        for (letter, to) in &automaton.states()[state.index()].edges {
            let Some(child) = trie.child(node, letters.partition_point(|other| other < letter)) else { continue };
            if automaton.states()[to.index()].accepting {
                trie.each_hit(child, &mut |_, board, cursors| moves[board as usize] += cursors.count() as f64);
            }
            open.push((child, *to));
        }
    }
}

/// What a step must see on the board, or nothing if the word itself knows that it fits.
#[derive(Clone, Copy)]
enum Sees {
    Board(Seen),
    Anything,
}

fn first_sight(symbol: Symbol) -> Sees {
    match symbol {
        Symbol::Step { landing, .. } => Sees::Board(wanted(landing)),
        _ => Sees::Anything,
    }
}

fn wanted(landing: Landing) -> Seen {
    match landing {
        Landing::On(seen) => seen,
        Landing::Take(Taken::Own) => Seen::Own,
        Landing::Take(_) => Seen::Enemy,
    }
}

/// Goes on with a letter, if a word may and knows of no square that it does not fit.
fn go_on(trace: &mut Trace<Option<Seen>>, symbol: Symbol) -> Option<Sees> {
    match symbol {
        Symbol::Step { dx, dy, landing } => {
            let wanted = wanted(landing);
            let sees = match trace.changed(trace.beside(dx, dy)) {
                Some(made) if made == Some(wanted) => Sees::Anything,
                Some(_) => return None,
                None => Sees::Board(wanted),
            };
            let taken = matches!(landing, Landing::Take(_)).then_some(Some(Seen::Empty));
            trace.step(dx, dy, taken).then_some(sees)
        }
        Symbol::Put(cell) => {
            // The piece that was lifted is the player's own, and a wall is nobody's.
            let put_down = trace.controlled().map_or(Some(Seen::Own), |cell| match cell.owner()? {
                Player::First => Some(Seen::Own),
                Player::Second => Some(Seen::Enemy),
            });
            let is_first_of_drop = trace.controlled().is_none() && trace.changes().is_empty();
            trace.put(cell, (!is_first_of_drop).then_some(put_down)).then_some(Sees::Anything)
        }
        Symbol::Zone { .. } | Symbol::Look { .. } => None,
    }
}

impl<const N: usize> LetterStep<N> {
    #[inline]
    fn go(&self, boards: &Boards<N>, board: u32, mut cursors: Bits<N>, sees: Sees, first: bool) -> Bits<N> {
        if first && !self.sights.is_empty() {
            for sight in &self.sights {
                let there = seen(boards, board, sight.seen).rotate(sight.back).and(&sight.from);
                cursors = if sight.is { cursors.and(&there) } else { cursors.without(&there) };
            }
        }
        let moved = cursors.and(&self.from[usize::from(!first)]).rotate(self.shift);
        match sees {
            Sees::Anything => moved,
            Sees::Board(wanted) => moved.and(seen(boards, board, wanted)),
        }
    }
}

#[inline]
fn seen<const N: usize>(boards: &Boards<N>, board: u32, seen: Seen) -> &Bits<N> {
    match seen {
        Seen::Empty => &boards.empty[board as usize],
        Seen::Own => &boards.own[board as usize],
        Seen::Enemy => &boards.enemy[board as usize],
    }
}
