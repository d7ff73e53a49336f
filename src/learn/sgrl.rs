//! The learner of Y. Björnsson, Learning Rules of Simplified Boardgames by Observing (ECAI 2012): Algorithms 1 and 2.
//!
//! It is kept to reproduce the paper, and to compare with. Algorithm 1's line 8 is misprinted; meant is that a position
//! which lists all moves refutes an automaton that generates another one. What the paper leaves open: the distance of
//! two states is counted along edges in either direction, pairs are tried in the order of their states (letters are
//! sorted as the player sees the board), of automata with equally many states the one found first is expanded first,
//! and automata with more than [`MOST_STATES`] states are given up.

use super::contradiction::Contradiction;
use super::description_length::DescriptionLength;
use super::evidence::Evidence;
use super::guard::Guards;
use super::letter::Letter;
use super::movement::{KindMovement, PlayerMovement, no_words};
use super::options::{Progress, Task};
use super::perspective::{PLAYERS, symbol_of};
use super::sample_set::{PieceTables, SampleSet};
use super::samples::{Opportunities, WordTable, annotate};
use super::trie::{NodeId, ROOT, Trie};
use crate::automata::{Dfa, DfaState, StateId};
use crate::board::{Cell, Player};
use crate::budget::{Budget, StopReason};
use crate::rules::Symbol;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The union U of all words in the log, as a player sees the board.
type Union = FxHashSet<Vec<Symbol>>;

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
struct Consistency<'a, 'b, 's> {
    trie: Trie<'b>,
    letters: &'a [Letter],
    judge: Judge<'a>,
    budget: &'a mut Budget<'s>,
    /// For each node, whether its word is allowed; once somebody has asked.
    allowed: Vec<Option<bool>>,
}

impl Consistency<'_, '_, '_> {
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

    fn holds(&mut self, automaton: &Dfa<usize>) -> Result<bool, StopReason> {
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

/// What the paper's learner finds, for each player alone. A piece with an inconsistent prefix tree gets no movement.
pub(super) fn movements(
    samples: &SampleSet,
    evidence: &Evidence,
    limits: SgrlLimits,
    task: &Task,
) -> Vec<KindMovement> {
    let unions = PLAYERS.map(|player| union_seen_by(samples, player));
    let clean = DescriptionLength::exact(samples.rates);
    let learn = |(kind, tables): &(Cell, PieceTables)| {
        let players = PLAYERS.map(|player| {
            let words = tables[player.index()].as_ref()?;
            (task.watch)(Progress::Begun(*kind, Some(player)));
            let Collapsed { automaton, stopped } =
                sgrl(samples, (player, *kind), words, &unions[player.index()], limits, task);
            (task.watch)(Progress::Done(*kind, Some(player)));
            let consistent = automaton.is_some();
            let piece = samples.piece(player, *kind, tables, &clean, task).ok().flatten();
            let found = piece.map_or(Vec::new(), |piece| piece.disagreements());
            let found = found.iter().filter(|_| !consistent);
            Some(PlayerMovement {
                automaton: automaton.unwrap_or_else(no_words),
                guards: Guards::none(samples.shape()),
                why: Vec::new(),
                consistent: consistent && stopped.is_done(),
                contradictions: found.map(|found| Contradiction::of(evidence, player, *kind, found)).collect(),
                stopped,
            })
        });
        KindMovement { kind: *kind, shared: false, players }
    };
    samples.tables.par_iter().map(learn).collect()
}

/// The words of all pieces of both players, as one of them sees the board.
fn union_seen_by(samples: &SampleSet, player: Player) -> Union {
    let mut union = Union::default();
    for (_, tables) in &samples.tables {
        for owner in PLAYERS {
            let turned = |&letter: &Symbol| symbol_of(player, symbol_of(owner, letter));
            let words = tables[owner.index()].iter().flat_map(WordTable::keys);
            union.extend(words.map(|word| word.iter().map(turned).collect::<Vec<Symbol>>()));
        }
    }
    union
}

/// What the paper's learner finds for one player's piece.
fn sgrl(
    samples: &SampleSet,
    (player, kind): (Player, Cell),
    words: &WordTable,
    union: &Union,
    limits: SgrlLimits,
    task: &Task,
) -> Collapsed {
    let guards = Guards::none(samples.shape());
    let words = annotate(words, &guards);
    let mut letters: Vec<Letter> = words.keys().flatten().copied().collect();
    letters.sort_unstable();
    letters.dedup();
    let trie = Trie::new(vec![samples.source(player, kind)], &letters, &guards, kind.is_empty());
    let symbols = |word: &[Letter]| -> Vec<Symbol> { word.iter().map(|letter| letter.symbol).collect() };
    let listed = |word: &[Letter], possible: u64| words.get(word).map_or(0, |count| count.all) == possible;
    // A word must be in U, or all of its subsequences with one letter less.
    let known = |word: &[Letter]| {
        let word = symbols(word);
        let without = |gone: usize| [&word[..gone], &word[gone + 1..]].concat();
        union.contains(&word) || (0..word.len()).all(|gone| union.contains(&without(gone)))
    };
    let judge = Judge { listed: &listed, known: &known };
    collapse(trie, &letters, words.keys().cloned(), judge, limits, &mut task.budget())
}

/// What collapsing states led to.
pub(super) struct Collapsed {
    /// The smallest automaton that was found, or `None` if the prefix tree is inconsistent or was not even looked at.
    pub automaton: Option<Dfa<Letter>>,
    pub stopped: StopReason,
}

/// Algorithm 2: the smallest automaton that collapsing states leads to.
pub(super) fn collapse(
    trie: Trie,
    letters: &[Letter],
    words: impl Iterator<Item = Vec<Letter>>,
    judge: Judge,
    limits: SgrlLimits,
    budget: &mut Budget,
) -> Collapsed {
    let number = |letter: &Letter| letters.partition_point(|other| other < letter);
    let tree = Dfa::prefix_tree(words.map(|word| word.iter().map(number).collect::<Vec<usize>>()));
    let mut consistency = Consistency { trie, letters, judge, budget, allowed: Vec::new() };
    match consistency.holds(&tree) {
        Ok(true) => {}
        held => return Collapsed { automaton: None, stopped: held.err().unwrap_or_default() },
    }
    let mut smallest = tree.minimise();
    let stopped = shrink(&mut smallest, &mut consistency, limits).err().unwrap_or_default();
    let states = smallest.states().iter().map(|state| {
        let edges = state.edges.iter().map(|&(number, to)| (letters[number], to)).collect();
        DfaState { accepting: state.accepting, edges }
    });
    Collapsed { automaton: Some(Dfa::trimmed(states.collect())), stopped }
}

/// Looks for smaller automata, the smallest first.
fn shrink(smallest: &mut Dfa<usize>, consistency: &mut Consistency, limits: SgrlLimits) -> Result<(), StopReason> {
    let mut found = vec![smallest.clone()];
    let mut queue = BinaryHeap::from([Reverse((smallest.states().len(), 0))]);
    for _ in 0..limits.expansions {
        let Some(Reverse((size, next))) = queue.pop() else { break };
        let automaton = found[next].clone();
        if size < smallest.states().len() {
            *smallest = automaton.clone();
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
    Ok(())
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
