//! State merging: the search for the shortest description of a piece's movement.
//!
//! For each symmetry of the board the prefix tree acceptor of the words and their images is folded: states are merged in
//! the order of their use (as in the red-blue framework: settled states, and those next to them), each with whichever
//! settled state gives the shortest description, together with all images of the two. The best symmetry wins.

use super::description_length::DescriptionLength;
use super::guard::{Guards, Why};
use super::hypothesis::{Hypothesis, Images, NOWHERE};
use super::letter::Letter;
use super::piece_samples::PieceSamples;
use super::symmetry::GROUPS;
use crate::automata::Dfa;
use crate::budget::{Budget, StopReason};
use crate::rules::Symbol;
use std::collections::BTreeSet;

/// A movement, and how well it accounts for what was seen.
#[derive(Clone, Debug)]
pub(super) struct Induced {
    pub automaton: Dfa<Letter>,
    pub guards: Guards,
    pub why: Vec<Why>,
    /// The length of its description, in nats.
    pub description: f64,
    /// What the words cost that it has and nobody listed, in nats.
    pub surprise: f64,
}

/// Trees with fewer states are searched quickly as they are.
const MANY_STATES: usize = 1000;

/// So many nats are no accident of a few words.
const CLEARLY: f64 = 20.0;

/// The prior of each of [`GROUPS`], in nats: pieces that are neither the same from all sides, nor from left and right,
/// are rare.
const SYMMETRY_PRIORS: [f64; 7] = [0.0, 3.0, 0.0, 3.0, 3.0, 0.0, 3.0];

/// The movement with the shortest description over all symmetries.
pub(super) fn induce(
    piece: &mut PieceSamples,
    model: &DescriptionLength,
    budget: &mut Budget,
) -> Result<Induced, StopReason> {
    let mut best: Option<(f64, Hypothesis, Images)> = None;
    let mut best_tree = f64::INFINITY;
    let kept = piece.guards.turns();
    for (turns, prior) in GROUPS.iter().zip(SYMMETRY_PRIORS) {
        if !turns.iter().all(|turn| kept.contains(turn)) {
            continue;
        }
        let images: Option<Vec<Vec<usize>>> = turns.iter().map(|&turn| piece.alphabet.images(turn)).collect();
        let Some(images) = images else { continue };
        let bound = best.as_ref().map_or(f64::INFINITY, |best| best.0);
        let (tree, images) = Hypothesis::tree(piece.alphabet.len(), images, &piece.kept);
        // The words' images alone may be too much.
        if piece.surprise(&tree, model, bound - prior, budget)?.is_infinite() {
            continue;
        }
        let mut folding = Folding { piece, model, budget, images };
        let score = folding.score(&tree, f64::INFINITY)?;
        // Where so many words are images of each other that the words alone are told in fewer letters, less symmetry
        // would not make them shorter in the end.
        if prior + score > best_tree + CLEARLY {
            continue;
        }
        best_tree = best_tree.min(prior + score);
        let (score, hypothesis) = folding.fold(tree)?;
        if score + prior < bound {
            best = Some((score + prior, hypothesis, folding.images));
        }
    }
    let (_, hypothesis, images) = best.expect("without symmetry the prefix tree costs nothing but its description");
    Ok(Induced {
        automaton: hypothesis.automaton(&piece.alphabet.letters),
        guards: piece.guards.clone(),
        why: piece.why.clone(),
        description: hypothesis.description_length(&images, &piece.alphabet),
        surprise: piece.surprise(&hypothesis, model, f64::INFINITY, budget)?,
    })
}

/// The search under one symmetry.
struct Folding<'a, 'b, 's> {
    piece: &'a mut PieceSamples<'b>,
    model: &'a DescriptionLength,
    budget: &'a mut Budget<'s>,
    images: Images,
}

impl Folding<'_, '_, '_> {
    /// The length of a hypothesis with what it leaves unexplained, or infinity if that is more than `bound`.
    fn score(&mut self, hypothesis: &Hypothesis, bound: f64) -> Result<f64, StopReason> {
        self.budget.spend(hypothesis.size())?;
        let length = hypothesis.description_length(&self.images, &self.piece.alphabet);
        Ok(if length > bound {
            f64::INFINITY
        } else {
            length + self.piece.surprise(hypothesis, self.model, bound - length, self.budget)?
        })
    }

    /// Folds a prefix tree: takes the state next to the settled ones that is used most, merges it with the settled state
    /// that gives the least score, or settles it if every score would rise.
    fn fold(&mut self, mut tree: Hypothesis) -> Result<(f64, Hypothesis), StopReason> {
        let mut score = self.score(&tree, f64::INFINITY)?;
        let puts = self.puts();
        self.fold_chains(&puts, &mut tree, &mut score)?;
        if puts.contains(&true) {
            self.join_after(&puts, &mut tree, &mut score)?;
        }
        let mut settled: BTreeSet<u32> = BTreeSet::from([0]);
        while let Some(open) = next_open(&tree, &settled) {
            let mut best: Option<(f64, usize, Hypothesis)> = None;
            // Its own images are tried too: otherwise they would all be settled at once, as different states.
            let images_of_open =
                self.images.states.iter().map(|row| tree.now(row[open as usize])).filter(|&it| it != open);
            let candidates: BTreeSet<u32> = settled.iter().copied().chain(images_of_open).collect();
            for &state in &candidates {
                self.budget.spend(tree.size())?;
                let mut merged = tree.clone();
                if !merged.merge(state, open, &self.images) || puts.contains(&true) && merged.repeats(&puts) {
                    continue;
                }
                let limit = best.as_ref().map_or(score, |best| best.0) + 1e-9;
                let unsupported = unsupported(&tree, state, open);
                let length = self.score(&merged, limit)?;
                let better = |best: &(f64, usize, Hypothesis)| {
                    length < best.0 - 1e-9 || length <= best.0 + 1e-9 && unsupported < best.1
                };
                if length <= score + 1e-9 && best.as_ref().is_none_or(better) {
                    best = Some((length, unsupported, merged));
                }
            }
            match best {
                Some((length, _, merged)) => {
                    (tree, score) = (merged, length);
                    settled = settled.into_iter().map(|state| tree.now(state)).collect();
                }
                None => settled.extend(self.images.states.iter().map(|row| tree.now(row[open as usize]))),
            }
        }
        self.forget_guards(&mut tree, &mut score)?;
        Ok((score, tree))
    }

    /// For each letter, whether it puts a piece down. No piece was ever seen to do that again and again.
    fn puts(&self) -> Vec<bool> {
        self.piece.alphabet.letters.iter().map(|letter| matches!(letter.symbol, Symbol::Put(_))).collect()
    }

    /// Chains of jumps make thousands of words out of a few parts that are words themselves: what follows a part is the
    /// same wherever the part stands. If so, the tree becomes small at once, and is searched as any other.
    fn fold_chains(&mut self, puts: &[bool], tree: &mut Hypothesis, score: &mut f64) -> Result<(), StopReason> {
        if tree.reachable().len() < MANY_STATES {
            return Ok(());
        }
        let parts = chain_parts(self.piece.kept.keys());
        let mut ends: BTreeSet<u32> = BTreeSet::new();
        for word in self.piece.kept.keys() {
            let states = tree.states_along(word);
            ends.extend(part_ends(word, &parts).into_iter().filter_map(|end| states.get(end)));
        }
        let ends: Vec<u32> = ends.into_iter().collect();
        if ends.len() < 2 {
            return Ok(());
        }
        let mut joined = tree.clone();
        if ends.windows(2).all(|pair| joined.merge(pair[0], pair[1], &self.images)) && !joined.repeats(puts) {
            let length = self.score(&joined, *score)?;
            if length <= *score {
                (*tree, self.images) = joined.compacted(&self.images);
                *score = length;
            }
        }
        Ok(())
    }

    /// What follows after a piece was put down seldom depends on what was before: if so, thousands of words become few
    /// at once.
    fn join_after(&mut self, puts: &[bool], tree: &mut Hypothesis, score: &mut f64) -> Result<(), StopReason> {
        for states in tree.after(puts) {
            let mut joined = tree.clone();
            let fits = states.windows(2).all(|pair| joined.merge(pair[0], pair[1], &self.images));
            if fits && !joined.repeats(puts) {
                let length = self.score(&joined, *score)?;
                if length <= *score {
                    (*tree, *score) = (joined, length);
                }
            }
        }
        Ok(())
    }

    /// Lets guards go where nothing speaks against it: they were told by every letter, and matter to few.
    fn forget_guards(&mut self, tree: &mut Hypothesis, score: &mut f64) -> Result<(), StopReason> {
        if self.piece.guards.list.is_empty() {
            return Ok(());
        }
        for state in tree.reachable() {
            for group in 0..self.piece.alphabet.groups.len() {
                let Some(wider) = tree.unguarded(state, group, &self.images, &self.piece.alphabet) else { continue };
                let length = self.score(&wider, *score)?;
                if length < *score {
                    (*tree, *score) = (wider, length);
                }
            }
        }
        Ok(())
    }
}

/// The words that longer words are made of, one behind the other; words that repeat one letter, as slides do, are no parts.
fn chain_parts<'w>(words: impl Iterator<Item = &'w Vec<usize>>) -> BTreeSet<&'w [usize]> {
    let varies = |word: &&[usize]| word.iter().any(|letter| *letter != word[0]);
    let mut words: Vec<&[usize]> = words.map(Vec::as_slice).filter(varies).collect();
    words.sort_by_key(|word| word.len());
    let mut primitive: BTreeSet<&[usize]> = BTreeSet::new();
    let mut parts = BTreeSet::new();
    for word in words {
        match split(word, &primitive) {
            Some(split) => parts.extend(split),
            None => {
                primitive.insert(word);
            }
        }
    }
    parts
}

/// A word as a sequence of two or more parts.
fn split<'w>(word: &'w [usize], parts: &BTreeSet<&[usize]>) -> Option<Vec<&'w [usize]>> {
    // For each position that parts lead to, where the last of them begins.
    let mut from: Vec<Option<usize>> = vec![None; word.len() + 1];
    from[0] = Some(0);
    for begin in 0..word.len() {
        if from[begin].is_some() {
            let ends = (begin + 1..=word.len()).filter(|&end| parts.contains(&word[begin..end]));
            for end in ends.collect::<Vec<_>>() {
                from[end].get_or_insert(begin);
            }
        }
    }
    let mut split = Vec::new();
    let mut end = word.len();
    while end > 0 {
        let begin = from[end]?;
        split.push(&word[begin..end]);
        end = begin;
    }
    (split.len() > 1).then_some(split)
}

/// Behind how many letters of a word a part ends, if the word begins with parts.
fn part_ends(word: &[usize], parts: &BTreeSet<&[usize]>) -> Vec<usize> {
    let mut ends = vec![0];
    let mut at = 0;
    while let Some(&begin) = ends.get(at) {
        let more = (begin + 1..=word.len()).filter(|&end| parts.contains(&word[begin..end]));
        for end in more.collect::<Vec<_>>() {
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        at += 1;
    }
    ends.split_off(1)
}

/// The state next to the settled ones that is used most; of several, the first.
fn next_open(tree: &Hypothesis, settled: &BTreeSet<u32>) -> Option<u32> {
    let mut best: Option<(f64, u32)> = None;
    for &state in settled {
        for letter in 0..tree.letters() {
            let to = tree.next(state, letter);
            if to != NOWHERE && !settled.contains(&to) {
                let uses = tree.uses(to);
                if best.is_none_or(|best| uses > best.0 || uses == best.0 && to < best.1) {
                    best = Some((uses, to));
                }
            }
        }
    }
    best.map(|best| best.1)
}

/// How many letters leave one of the two states but not the other.
fn unsupported(tree: &Hypothesis, a: u32, b: u32) -> usize {
    (0..tree.letters()).filter(|&l| (tree.next(a, l) == NOWHERE) != (tree.next(b, l) == NOWHERE)).count()
}
