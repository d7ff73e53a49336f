//! The tree of possible words (a prefix tree): how often each word could have been played, counted when somebody asks.

use super::boards::Boards;
use super::description_length::word_kind;
use super::guard::Guards;
use super::hits::{HitWord, Hits, LetterStep, Sees, Source, wanted};
use super::letter::Letter;
use super::samples::Opportunities;
use super::square_sets::Cursors;
use crate::automata::{Dfa, StateId};
use crate::board::{Cell, Square};
use crate::budget::{Budget, StopReason};
use crate::rules::{Landing, Seen, Symbol};
use smallvec::SmallVec;

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
    /// Where the cursor is, seen from the start.
    at: (i16, i16),
    opportunities: Opportunities,
    /// Where the cursor has been since something was taken or put down.
    been: SmallVec<[(i16, i16); 8]>,
    /// Squares that the word has changed, with what they hold now; the lifted piece's is the first.
    changed: SmallVec<[((i16, i16), Seen); 2]>,
    /// The fitting boards, if they are kept.
    cursors: Cursors,
}

impl<'b> Trie<'b> {
    /// A tree of the words of one or two players over some letters, for turns that start on a piece, or with a drop on
    /// an empty square.
    pub fn new(sources: Vec<Source<'b>>, letters: &[Letter], guards: &Guards, drops: bool) -> Trie<'b> {
        let shape = sources[0].boards.shape;
        let changed = if drops { SmallVec::new() } else { SmallVec::from_iter([((0, 0), Seen::Empty)]) };
        let root = TrieNode {
            parent: ROOT,
            letter: 0,
            at: (0, 0),
            opportunities: Opportunities::default(),
            been: SmallVec::from_iter([(0, 0)]),
            changed,
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
    fn delta(&self, (dx, dy): (i16, i16)) -> i32 {
        i32::from(dy) * self.sources[0].boards.shape.width() as i32 + i32::from(dx)
    }

    /// What is known of each square where a node's cursor may be, by the square where the word starts.
    fn by_start<T>(&self, node: NodeId, by_cursor: Vec<T>) -> impl Iterator<Item = (Square, T)> {
        let delta = self.delta(self.nodes[node as usize].at);
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
    pub fn each_result(&self, node: NodeId, visit: &mut impl FnMut(usize, &[(usize, Seen)], usize)) {
        let at = &self.nodes[node as usize];
        let mut changes = Vec::new();
        self.hits(node).each_cursor(&mut |board, cursor| {
            let start = cursor as i32 - self.delta(at.at);
            changes.clear();
            changes.extend(at.changed.iter().map(|&(place, seen)| ((start + self.delta(place)) as usize, seen)));
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
            at: before.at,
            opportunities: Opportunities::default(),
            been: before.been.clone(),
            changed: before.changed.clone(),
            cursors: Cursors::default(),
        };
        let sees = node.goes(step.symbol)?;
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

impl TrieNode {
    /// Goes on with a letter, if a word may: it comes to no square twice unless it has taken or put down something in
    /// between, and puts nothing down twice without a step.
    fn goes(&mut self, symbol: Symbol) -> Option<Sees> {
        match symbol {
            Symbol::Step { dx, dy, landing } => {
                self.at = (self.at.0 + i16::from(dx), self.at.1 + i16::from(dy));
                if self.been.contains(&self.at) {
                    return None;
                }
                let seen = wanted(landing);
                let known = self.changed.iter_mut().find(|change| change.0 == self.at);
                let sees = match &known {
                    Some(change) if change.1 == seen => Sees::Anything,
                    Some(_) => return None,
                    None => Sees::Board(seen),
                };
                if let Landing::Take(_) = landing {
                    match known {
                        Some(change) => change.1 = Seen::Empty,
                        None => self.changed.push((self.at, Seen::Empty)),
                    }
                    self.been.clear();
                }
                self.been.push(self.at);
                Some(sees)
            }
            Symbol::Put(_) => {
                // A piece put down is the player's own for who comes by again; the one that appears is in the fingers.
                if self.changed.contains(&(self.at, Seen::Own)) {
                    return None;
                }
                match self.changed.iter_mut().find(|change| change.0 == self.at) {
                    Some(change) => change.1 = Seen::Own,
                    None => self.changed.push((self.at, Seen::Own)),
                }
                self.been.clear();
                self.been.push(self.at);
                Some(Sees::Anything)
            }
            Symbol::Zone { .. } | Symbol::Look { .. } => None,
        }
    }
}
