//! The tree of possible words (a prefix tree): how often each word could have been played, counted when somebody asks.

use super::boards::Boards;
use super::description_length::word_kind;
use super::guard::Guards;
use super::hits::{HitWord, Hits, LetterStep, Sees, Source, wanted};
use super::letter::Letter;
use super::samples::Opportunities;
use super::square_sets::Cursors;
use crate::automata::{Dfa, StateId};
use crate::board::{Cell, Offset, Player, Square, Trace};
use crate::budget::{Budget, StopReason};
use crate::rules::{Landing, Seen, Symbol};

/// The words that could have been played, as a tree of prefixes that grows where it is looked at.
///
/// A node holds every board on which its word fits, with the squares where the cursors are then, so that a child is a
/// shift and a mask for each board. Nodes of words that fit nowhere, or come to a square twice, do not exist.
pub(super) struct Trie<'b> {
    sources: Vec<Source<'b>>,
    letters: Vec<LetterStep>,
    nodes: Vec<TrieNode>,
    /// Whether the boards of words of one letter are kept: there are so many that they are found again instead if there
    /// are very many starts.
    keeps_first: bool,
    /// For node n and letter l at `n * letters + l`: the child, or what is known of it.
    children: Vec<u32>,
}

/// Above this, memory matters more than time.
const MANY_STARTS: usize = 600_000;

const UNKNOWN: u32 = u32::MAX;
const NONE: u32 = u32::MAX - 1;

/// A node of the tree.
pub(super) type NodeId = u32;
/// The node of the empty word.
pub(super) const ROOT: NodeId = 0;

struct TrieNode {
    parent: NodeId,
    letter: u16,
    opportunities: Opportunities,
    /// What the word has done; a changed square has nothing that can be seen if it holds a wall.
    trace: Trace<Option<Seen>>,
    /// The fitting boards, if they are kept.
    cursors: Cursors,
}

impl<'b> Trie<'b> {
    /// A tree of the words of one or two players over some letters, for turns that start on a piece, or with a drop on
    /// an empty square.
    pub fn new(sources: Vec<Source<'b>>, letters: &[Letter], guards: &Guards, drops: bool) -> Trie<'b> {
        let shape = sources[0].boards.shape;
        let root = TrieNode {
            parent: ROOT,
            letter: 0,
            opportunities: Opportunities::default(),
            trace: if drops { Trace::dropping() } else { Trace::lifting(Some(Seen::Empty)) },
            cursors: Cursors::default(),
        };
        Trie {
            keeps_first: sources.iter().map(|source| source.starts.len()).sum::<usize>() <= MANY_STARTS,
            sources,
            letters: letters.iter().map(|&letter| LetterStep::new(letter, guards, shape)).collect(),
            nodes: vec![root],
            children: vec![UNKNOWN; letters.len()],
        }
    }

    /// How many nodes somebody has asked for.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn opportunities(&self, node: NodeId) -> Opportunities {
        self.nodes[node as usize].opportunities
    }

    /// A distance in squares.
    fn delta(&self, (dx, dy): Offset) -> i32 {
        i32::from(dy) * self.sources[0].boards.shape.width() as i32 + i32::from(dx)
    }

    /// What is known of each square where a node's cursor may be, by the square where the word starts.
    fn by_start<T>(&self, node: NodeId, by_cursor: Vec<T>) -> impl Iterator<Item = (Square, T)> {
        let delta = self.delta(self.nodes[node as usize].trace.at());
        by_cursor.into_iter().enumerate().map(move |(cursor, known)| (Square((cursor as i32 - delta) as u16), known))
    }

    /// The squares from which a node's word could have been played, with how often, as the players see the board; sorted.
    pub fn origins(&self, node: NodeId) -> Vec<(Square, Opportunities)> {
        let possible = |(_, times): &(Square, Opportunities)| times.all + times.some > 0;
        self.by_start(node, self.hits(node).by_square()).filter(possible).collect()
    }

    /// For each of some nodes and each square: how often its word was to be played from there on boards that list only
    /// some moves, if the words of these nodes were all that is legal.
    pub fn shares_among(&self, nodes: &[NodeId]) -> Vec<Vec<(Square, f64)>> {
        let mut moves: Vec<Vec<f64>> = self.sources.iter().map(|source| vec![0.0; source.boards.len()]).collect();
        nodes.iter().for_each(|&node| self.hits(node).count(&mut moves));
        let shares = nodes.iter().map(|&node| {
            self.by_start(node, self.hits(node).shares(&moves)).filter(|(_, share)| *share > 0.0).collect()
        });
        shares.collect()
    }

    /// Visits every board as a node's word leaves it: the board's number, the squares that have changed, and where the
    /// cursor is.
    pub fn each_result(&self, node: NodeId, visit: &mut impl FnMut(usize, &[(usize, Option<Seen>)], usize)) {
        let at = &self.nodes[node as usize];
        let mut changes = Vec::new();
        self.hits(node).each_cursor(&mut |board, cursor| {
            let start = cursor as i32 - self.delta(at.trace.at());
            changes.clear();
            changes
                .extend(at.trace.changes().iter().map(|&(place, seen)| ((start + self.delta(place)) as usize, seen)));
            visit(board, &changes, cursor);
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
            cursors: Cursors::default(),
        };
        let sees = go_on(&mut node.trace, step.symbol)?;
        let keep = parent != ROOT || self.keeps_first;
        (node.opportunities, node.cursors) = self.hits(parent).grow(step, sees, keep);
        if node.opportunities.all + node.opportunities.some == 0 {
            return None;
        }
        self.nodes.push(node);
        self.children.resize(self.nodes.len() * self.letters.len(), UNKNOWN);
        Some(self.nodes.len() as u32 - 1)
    }

    /// The boards on which a node's word fits.
    fn hits(&self, node: NodeId) -> Hits<'_, 'b> {
        let at = &self.nodes[node as usize];
        let word = match node {
            ROOT => HitWord::Empty,
            _ if at.parent != ROOT || self.keeps_first => HitWord::Kept(&at.cursors),
            _ => HitWord::First(&self.letters[usize::from(at.letter)]),
        };
        Hits { sources: &self.sources, word }
    }
}

/// Adds to each board's sum how many moves an automaton has there that start on a cell.
pub(super) fn count_moves(
    boards: &Boards,
    start: Cell,
    (automaton, guards): (&Dfa<Letter>, &Guards),
    moves: &mut Vec<f64>,
    budget: &mut Budget,
) -> Result<(), StopReason> {
    let mut letters: Vec<Letter> =
        automaton.states().iter().flat_map(|state| state.edges.iter().map(|edge| edge.0)).collect();
    letters.sort_unstable();
    letters.dedup();
    let share = vec![0.0; boards.len()];
    let source = Source { boards, starts: boards.starts(start), share: &share };
    let mut trie = Trie::new(vec![source], &letters, guards, start.is_empty());
    let mut open = vec![(ROOT, StateId(0))];
    while let Some((node, state)) = open.pop() {
        budget.spend(1)?;
        for (letter, to) in &automaton.states()[state.index()].edges {
            let Some(child) = trie.child(node, letters.partition_point(|other| other < letter)) else { continue };
            if automaton.states()[to.index()].accepting {
                trie.hits(child).count(std::slice::from_mut(moves));
            }
            open.push((child, *to));
        }
    }
    Ok(())
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
        Symbol::Vanish => trace.vanish().then_some(Sees::Anything),
        Symbol::Zone { .. } | Symbol::Look { .. } => None,
    }
}
