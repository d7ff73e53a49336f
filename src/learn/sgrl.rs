//! The learner of Y. Björnsson, Learning Rules of Simplified Boardgames by Observing (ECAI 2012): Algorithms 1 and 2.
//!
//! It is kept to reproduce the paper, and to compare with. Algorithm 1's line 8 is misprinted; meant is that a position
//! which lists all moves refutes an automaton that generates another one. What the paper leaves open: the distance of
//! two states is counted along edges in either direction, pairs are tried in the order of their states (letters are
//! sorted as the player sees the board), of automata with equally many states the one found first is expanded first,
//! and automata with more than [`MOST_STATES`] states are given up.

use super::budget::{Budget, GivenUp};
use super::guard::Guards;
use super::letter::Letter;
use super::movement::SampleSet;
use super::state_merging::{WordTable, annotate};
use super::trie::{NodeId, Opportunities, ROOT, Trie};
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

/// How an automaton is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct SgrlLimits {
    /// K: how far from each other two states may be to be collapsed.
    pub distance: usize,
    /// How many automata are looked at.
    pub expansions: usize,
}

/// What decides whether a word is allowed that an automaton generates.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    /// Whether a word was listed as it should, where it was possible so often in records that list all moves.
    pub listed: &'a dyn Fn(&[Letter], u64) -> bool,
    /// Whether a word is known well enough where only some moves are listed.
    pub known: &'a dyn Fn(&[Letter]) -> bool,
}

/// Algorithm 1 for one player's piece. Whether a word is allowed does not depend on the position, so it is found once
/// for each word that was ever possible.
struct Consistency<'b, const N: usize> {
    trie: Trie<'b, N>,
    letters: &'b [Letter],
    judge: Judge<'b>,
    budget: Budget,
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
        let word: Vec<Letter> = self.trie.word(node).into_iter().map(|letter| self.letters[letter]).collect();
        let Opportunities { all, some, .. } = self.trie.opportunities(node);
        let allowed = (all == 0 || (self.judge.listed)(&word, all)) && (some == 0 || (self.judge.known)(&word));
        self.allowed[at] = Some(allowed);
        allowed
    }

    fn holds(&mut self, automaton: &Dfa<usize>) -> Result<bool, GivenUp> {
        let mut open = vec![(ROOT, StateId(0))];
        while let Some((node, state)) = open.pop() {
            let edges = &automaton.states()[state.index()].edges;
            self.budget.spend(1 + edges.len())?;
            for &(letter, to) in edges {
                let Some(child) = self.trie.child(node, letter) else { continue };
                if automaton.states()[to.index()].accepting && !self.allows(child) {
                    return Ok(false);
                }
                open.push((child, to));
            }
        }
        Ok(true)
    }
}

/// What the paper's learner finds for one player's piece, or `None` if the prefix tree is inconsistent.
pub(super) fn sgrl<const N: usize>(
    ground: &SampleSet<N>,
    (player, kind): (Player, Cell),
    words: &WordTable,
    union: &Union,
    limits: SgrlLimits,
    budget: Budget,
) -> Result<Option<Dfa<Letter>>, GivenUp> {
    let source = ground.source(player, kind);
    let guards = Guards::none(source.boards.shape);
    let words = annotate(words, &guards);
    let mut letters: Vec<Letter> = words.keys().flatten().copied().collect();
    letters.sort_unstable();
    letters.dedup();
    let trie = Trie::new(vec![source], &letters, &guards, kind.is_empty());
    let symbols = |word: &[Letter]| -> Vec<Symbol> { word.iter().map(|letter| letter.symbol).collect() };
    let listed = |word: &[Letter], possible: u64| words.get(word).map_or(0, |count| count.all) == possible;
    // A word must be in U, or all of its subsequences with one letter less.
    let known = |word: &[Letter]| {
        let word = symbols(word);
        let without = |gone: usize| [&word[..gone], &word[gone + 1..]].concat();
        union.contains(&word) || (0..word.len()).all(|gone| union.contains(&without(gone)))
    };
    collapse(trie, &letters, words.keys().cloned(), Judge { listed: &listed, known: &known }, limits, budget)
}

/// Algorithm 2: the smallest automaton that collapsing states leads to, or `None` if the prefix tree is inconsistent.
pub(super) fn collapse<const N: usize>(
    trie: Trie<N>,
    letters: &[Letter],
    words: impl Iterator<Item = Vec<Letter>>,
    judge: Judge,
    limits: SgrlLimits,
    budget: Budget,
) -> Result<Option<Dfa<Letter>>, GivenUp> {
    let number = |letter: &Letter| letters.partition_point(|other| other < letter);
    let tree = Dfa::prefix_tree(words.map(|word| word.iter().map(number).collect::<Vec<usize>>()));
    let mut consistency = Consistency { trie, letters, judge, budget, allowed: Vec::new() };
    if !consistency.holds(&tree)? {
        return Ok(None);
    }
    let mut smallest = tree.minimise();
    let mut found = vec![smallest.clone()];
    let mut queue = BinaryHeap::from([Reverse((smallest.states().len(), 0))]);
    for _ in 0..limits.expansions {
        let Some(Reverse((size, next))) = queue.pop() else { break };
        let automaton = found[next].clone();
        if size < smallest.states().len() {
            smallest = automaton.clone();
        }
        for (a, b) in candidates(&automaton, limits.distance) {
            consistency.budget.spend(size)?;
            let Ok(collapsed) = automaton.collapse(a, b).determinise(MOST_STATES) else { continue };
            if consistency.holds(&collapsed)? {
                let collapsed = collapsed.minimise();
                queue.push(Reverse((collapsed.states().len(), found.len())));
                found.push(collapsed);
            }
        }
    }
    let states = smallest.states().iter().map(|state| {
        let edges = state.edges.iter().map(|&(number, to)| (letters[number], to)).collect();
        DfaState { accepting: state.accepting, edges }
    });
    Ok(Some(Dfa::trimmed(states.collect())))
}

/// Pairs of states that both accept or both do not, at most so far from each other. There may be as many as the square of
/// the states, so that they are only found as they are asked for.
fn candidates(automaton: &Dfa<usize>, distance: usize) -> impl Iterator<Item = (StateId, StateId)> {
    let states = automaton.states();
    let mut beside: Vec<Vec<u32>> = vec![Vec::new(); states.len()];
    for (from, state) in states.iter().enumerate() {
        for (_, to) in &state.edges {
            beside[from].push(to.0);
            beside[to.index()].push(from as u32);
        }
    }
    // For each state from which one it was reached last.
    let mut reached = vec![u32::MAX; states.len()];
    (0..states.len() as u32).flat_map(move |from| {
        reached[from as usize] = from;
        let mut near = vec![from];
        let mut begin = 0;
        for _ in 0..distance {
            let ring = near[begin..].iter().flat_map(|&at| &beside[at as usize]);
            let next: Vec<u32> =
                ring.filter(|&&at| std::mem::replace(&mut reached[at as usize], from) != from).copied().collect();
            begin = near.len();
            near.extend(next);
        }
        let accepts = |state: u32| states[state as usize].accepting;
        near.retain(|&to| to > from && accepts(to) == accepts(from));
        near.sort_unstable();
        near.into_iter().map(move |to| (StateId(from), StateId(to)))
    })
}
