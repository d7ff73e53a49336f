//! The learner of Y. Björnsson, Learning Rules of Simplified Boardgames by Observing (ECAI 2012): Algorithms 1 and 2.
//!
//! It is kept to reproduce the paper, and to compare with. Algorithm 1's line 8 is misprinted; meant is that a position
//! which lists all moves refutes an automaton that generates another one. What the paper leaves open: the distance of
//! two states is counted along edges in either direction, pairs are tried in the order of their states (letters are
//! sorted as the player sees the board), of automata with equally many states the one found first is expanded first,
//! and automata with more than [`MOST_STATES`] states are given up.

use super::guard::Guards;
use super::letter::Letter;
use super::movement::Ground;
use super::search::WordTable;
use super::trie::{NodeId, ROOT, Trie};
use crate::automata::{Dfa, DfaState, StateId};
use crate::board::{Cell, Player};
use crate::rules::Symbol;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The union U of all words in the log, as a player sees the board.
pub(super) type Union = FxHashSet<Vec<Symbol>>;

/// No automaton gets so large in any game of the paper.
const MOST_STATES: usize = 5000;

/// Algorithm 1 for one player's piece. Whether a word is allowed does not depend on the position, so it is found once
/// for each word that was ever possible.
struct Consistency<'b, const N: usize> {
    trie: Trie<'b, N>,
    letters: Vec<Symbol>,
    union: &'b Union,
    words: &'b WordTable,
    /// For each node, whether its word is allowed; once somebody has asked.
    allowed: Vec<Option<bool>>,
}

impl<const N: usize> Consistency<'_, N> {
    fn allows(&mut self, node: NodeId) -> bool {
        let at = node as usize;
        if self.allowed.len() <= at {
            self.allowed.resize(at + 1, None);
        }
        if let Some(allowed) = self.allowed[at] {
            return allowed;
        }
        let word: Vec<Symbol> = self.trie.word(node).into_iter().map(|letter| self.letters[letter]).collect();
        let opportunities = self.trie.opportunities(node);
        let listed = self.words.get(&word).map_or(0, |origins| origins.iter().map(|origin| origin.1.all).sum());
        let allowed = listed == opportunities.all && (opportunities.some == 0 || self.is_known(&word));
        self.allowed[at] = Some(allowed);
        allowed
    }

    /// Whether a word is in U, or all of its subsequences with one letter less are.
    fn is_known(&self, word: &[Symbol]) -> bool {
        let without = |gone: usize| [&word[..gone], &word[gone + 1..]].concat();
        self.union.contains(word) || (0..word.len()).all(|gone| self.union.contains(&without(gone)))
    }

    fn holds(&mut self, automaton: &Dfa<usize>) -> bool {
        let mut open = vec![(ROOT, StateId(0))];
        while let Some((node, state)) = open.pop() {
            for &(letter, to) in &automaton.states()[state.index()].edges {
                let Some(child) = self.trie.child(node, letter) else { continue };
                if automaton.states()[to.index()].accepting && !self.allows(child) {
                    return false;
                }
                open.push((child, to));
            }
        }
        true
    }
}

/// Algorithm 2: the smallest automaton that collapsing states leads to, or `None` if the prefix tree is inconsistent.
pub(super) fn sgrl<const N: usize>(
    ground: &Ground<N>,
    (player, kind): (Player, Cell),
    words: &WordTable,
    union: &Union,
    (distance, expansions): (usize, usize),
) -> Option<Dfa<Letter>> {
    let mut letters: Vec<Symbol> = words.keys().flatten().copied().collect();
    letters.sort_unstable();
    letters.dedup();
    let plain: Vec<Letter> = letters.iter().copied().map(Letter::plain).collect();
    let source = ground.source(player, kind);
    let guards = Guards::none(source.boards.shape);
    let trie = Trie::new(vec![source], &plain, &guards, kind.is_empty());
    let number = |letter: &Symbol| letters.partition_point(|other| other < letter);
    let tree = Dfa::prefix_tree(words.keys().map(|word| word.iter().map(number).collect::<Vec<usize>>()));
    let mut consistency = Consistency { trie, letters: letters.clone(), union, words, allowed: Vec::new() };
    if !consistency.holds(&tree) {
        return None;
    }
    let mut smallest = tree.minimise();
    let mut found = vec![smallest.clone()];
    let mut queue = BinaryHeap::from([Reverse((smallest.states().len(), 0))]);
    for _ in 0..expansions {
        let Some(Reverse((size, next))) = queue.pop() else { break };
        let automaton = found[next].clone();
        if size < smallest.states().len() {
            smallest = automaton.clone();
        }
        for (a, b) in candidates(&automaton, distance) {
            let Ok(collapsed) = automaton.collapse(a, b).determinise(MOST_STATES) else { continue };
            if consistency.holds(&collapsed) {
                let collapsed = collapsed.minimise();
                queue.push(Reverse((collapsed.states().len(), found.len())));
                found.push(collapsed);
            }
        }
    }
    let states = smallest.states().iter().map(|state| {
        let edges = state.edges.iter().map(|&(letter, to)| (plain[letter], to)).collect();
        DfaState { accepting: state.accepting, edges }
    });
    Some(Dfa::trimmed(states.collect()))
}

/// Pairs of states that both accept or both do not, at most so far from each other.
fn candidates(automaton: &Dfa<usize>, distance: usize) -> Vec<(StateId, StateId)> {
    let states = automaton.states();
    let mut beside: Vec<Vec<u32>> = vec![Vec::new(); states.len()];
    for (from, state) in states.iter().enumerate() {
        for (_, to) in &state.edges {
            beside[from].push(to.0);
            beside[to.index()].push(from as u32);
        }
    }
    let mut pairs = Vec::new();
    for from in 0..states.len() {
        let mut near = vec![false; states.len()];
        near[from] = true;
        let mut ring = vec![from as u32];
        for _ in 0..distance {
            let next = ring.iter().flat_map(|&at| &beside[at as usize]);
            ring = next.filter(|&&at| !std::mem::replace(&mut near[at as usize], true)).copied().collect();
        }
        let alike = |to: &usize| near[*to] && states[*to].accepting == states[from].accepting;
        pairs.extend((from + 1..states.len()).filter(alike).map(|to| (StateId(from as u32), StateId(to as u32))));
    }
    pairs
}
