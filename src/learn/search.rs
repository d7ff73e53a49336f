//! The search for the shortest description of a piece's movement.

use super::hypothesis::{Hypothesis, Images, NOWHERE, price_of_step};
use super::model::Model;
use super::symmetry::{GROUPS, closed};
use super::trie::{NodeId, Source, Trie};
use crate::automata::Dfa;
use crate::board::Square;
use crate::rules::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// How often words were listed, for one piece as its player sees the board.
pub(super) type WordTable = BTreeMap<Vec<Symbol>, Count>;

/// How often a word was listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub all: u64,
    pub some: u64,
}

/// A movement, and how well it accounts for what was seen.
#[derive(Clone, Debug)]
pub(super) struct Induced {
    pub automaton: Dfa<Symbol>,
    /// The length of its description, in nats.
    pub description: f64,
    /// What the words cost that it has and nobody listed, in nats.
    pub surprise: f64,
}

/// The tree of words of one piece, with what is known of each node.
pub(super) struct Piece<'b, const N: usize> {
    letters: Vec<Symbol>,
    trie: Trie<'b, N>,
    /// The words that the movement must have, by the numbers of their letters, with how often they were seen.
    kept: BTreeMap<Vec<usize>, f64>,
    /// For each node, whether its word is kept, and how often it was listed.
    known: Vec<(bool, Count)>,
    /// What it costs that some kept words were not listed everywhere, and that others are not believed.
    ground_cost: f64,
}

/// A word that was listed in some records and not in others, although all of them list all legal moves; or one that was
/// played so rarely where only some are listed that hardly anybody can have meant it.
#[derive(Clone, Debug)]
pub(super) struct Disagreement {
    pub word: Vec<Symbol>,
    pub listed: u64,
    pub possible: u64,
    /// How often it would have been played if every legal move were as likely as the others.
    pub expected: Option<f64>,
    /// From where it was possible where all moves are listed, and how often.
    pub origins: Vec<(Square, u64)>,
}

impl<'b, const N: usize> Piece<'b, N> {
    pub fn new(sources: Vec<Source<'b, N>>, words: &WordTable, drops: bool, model: &Model) -> Piece<'b, N> {
        // Letters of words that are not believed would only make the search longer.
        let believed: BTreeSet<&Vec<Symbol>> = if model.noise > 0.0 {
            let letters = closed(words.keys().flatten().copied());
            let mut trie = Trie::new(sources.clone(), &letters, drops);
            let keeps = |(word, count): &(&Vec<Symbol>, &Count)| {
                let node = trie.find(numbered(&letters, word));
                let price = word.len() as f64 * price_of_step(letters.len());
                node.is_some_and(|node| model.keeps(trie.kind(node), **count, trie.opportunities(node), price))
            };
            words.iter().filter(keeps).map(|(word, _)| word).collect()
        } else {
            words.keys().collect()
        };
        let letters = closed(believed.iter().copied().flatten().copied());
        let mut piece = Piece {
            trie: Trie::new(sources, &letters, drops),
            letters,
            kept: BTreeMap::new(),
            known: Vec::new(),
            ground_cost: 0.0,
        };
        for (word, &count) in words {
            let keep = believed.contains(word);
            if !keep {
                piece.ground_cost += model.cost_of_dropped(count);
            }
            let known = word.iter().all(|letter| piece.letters.binary_search(letter).is_ok());
            let numbers = numbered(&piece.letters, word);
            let Some(node) = known.then(|| piece.trie.find(numbers.iter().copied())).flatten() else { continue };
            piece.known.resize(piece.trie.len(), (false, Count::default()));
            piece.known[node as usize] = (keep, count);
            if keep {
                piece.kept.insert(numbers, (count.all + count.some) as f64);
                piece.ground_cost += model.cost_of_kept(count, piece.trie.opportunities(node));
            }
        }
        piece
    }

    /// What it costs that some words are believed though not listed everywhere, and others not believed.
    pub fn ground_cost(&self) -> f64 {
        self.ground_cost
    }

    /// What it costs to believe all words if none of them was ever listed.
    pub fn cost_of_all(&self, model: &Model) -> f64 {
        let nodes = (0..).zip(&self.known).filter(|(_, (kept, _))| *kept);
        let cost = |node| model.cost(self.trie.kind(node), Count::default(), self.trie.opportunities(node));
        nodes.map(|(node, _)| cost(node)).sum()
    }

    /// The listed words that were not listed where they should have been.
    pub fn disagreements(&self, model: &Model) -> Vec<Disagreement> {
        let mut found = Vec::new();
        for (node, &(_, count)) in (0..).zip(&self.known) {
            let opportunities = self.trie.opportunities(node);
            let contradicted = count.all > 0 && count.all < opportunities.all;
            if contradicted || model.doubts(self.trie.kind(node), count, opportunities) {
                let word = self.trie.word(node).into_iter().map(|letter| self.letters[letter]).collect();
                let (listed, possible, expected) = match contradicted {
                    true => (count.all, opportunities.all, None),
                    false => (count.some, opportunities.some, Some(opportunities.expected)),
                };
                found.push(Disagreement { word, listed, possible, expected, origins: self.trie.origins(node) });
            }
        }
        found.sort_by(|a, b| a.word.cmp(&b.word));
        found
    }

    /// The words that are believed.
    pub fn kept_words(&self) -> impl Iterator<Item = Vec<Symbol>> {
        self.kept.keys().map(|word| word.iter().map(|&letter| self.letters[letter]).collect())
    }

    /// For each believed word that was played where only some moves are listed: its kind, how often, and how often it
    /// was expected.
    pub fn plays(&self) -> Vec<(usize, f64, f64)> {
        let known = (0..).zip(&self.known).filter(|(_, (kept, count))| *kept && count.some > 0);
        known
            .map(|(node, (_, count))| (self.trie.kind(node), count.some as f64, self.trie.opportunities(node).expected))
            .collect()
    }

    /// What it costs that a movement has a node's word.
    fn word_cost(known: &[(bool, Count)], model: &Model, trie: &Trie<N>, node: NodeId) -> f64 {
        match known.get(node as usize) {
            Some((true, _)) => 0.0,
            Some((false, count)) => model.cost(trie.kind(node), *count, trie.opportunities(node)),
            None => model.cost(trie.kind(node), Count::default(), trie.opportunities(node)),
        }
    }

    fn cost(&mut self, hypothesis: &Hypothesis, model: &Model, bound: f64) -> f64 {
        let known = &self.known;
        hypothesis.cost(&mut self.trie, bound, &mut |trie, node| Self::word_cost(known, model, trie, node))
    }

    fn score(&mut self, hypothesis: &Hypothesis, images: &Images, model: &Model, bound: f64) -> f64 {
        let length = hypothesis.description_length(images);
        if length > bound { f64::INFINITY } else { length + self.cost(hypothesis, model, bound - length) }
    }

    /// The movement with the least score over all symmetries.
    pub fn induce(&mut self, model: &Model) -> Induced {
        let mut best: Option<(f64, Hypothesis, Images)> = None;
        for (turns, prior) in GROUPS.iter().zip(SYMMETRY_PRIORS) {
            let turned = |letter: Symbol| self.letters.partition_point(|&other| other < letter);
            let images =
                turns.iter().map(|turn| self.letters.iter().map(|&letter| turned(turn.of(letter))).collect()).collect();
            let bound = best.as_ref().map_or(f64::INFINITY, |best| best.0);
            if let Some((score, hypothesis, images)) = self.fold(images, model, bound - prior)
                && score + prior < bound
            {
                best = Some((score + prior, hypothesis, images));
            }
        }
        let (_, hypothesis, images) = best.expect("without symmetry the prefix tree costs nothing but its description");
        Induced {
            automaton: hypothesis.automaton(&self.letters),
            description: hypothesis.description_length(&images),
            surprise: self.cost(&hypothesis, model, f64::INFINITY),
        }
    }

    /// Folds the prefix tree of the words and their images: takes the state next to the settled ones that is used most,
    /// merges it with the settled state that gives the least score, or settles it if every score would rise.
    fn fold(&mut self, images: Vec<Vec<usize>>, model: &Model, bound: f64) -> Option<(f64, Hypothesis, Images)> {
        let (mut tree, images) = Hypothesis::tree(self.letters.len(), images, &self.kept);
        // The words' images alone may be too much.
        if self.cost(&tree, model, bound).is_infinite() {
            return None;
        }
        let mut score = self.score(&tree, &images, model, f64::INFINITY);
        let mut settled: BTreeSet<u32> = BTreeSet::from([0]);
        while let Some(open) = next_open(&tree, &settled) {
            let mut best: Option<(f64, usize, Hypothesis)> = None;
            // Its own images are tried too: otherwise they would all be settled at once, as different states.
            let images_of_open = images.states.iter().map(|row| tree.now(row[open as usize])).filter(|&it| it != open);
            let candidates: BTreeSet<u32> = settled.iter().copied().chain(images_of_open).collect();
            for &state in &candidates {
                let mut merged = tree.clone();
                if !merged.merge(state, open, &images) {
                    continue;
                }
                let limit = best.as_ref().map_or(score, |best| best.0) + 1e-9;
                let unsupported = unsupported(&tree, state, open);
                let length = self.score(&merged, &images, model, limit);
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
                None => settled.extend(images.states.iter().map(|row| tree.now(row[open as usize]))),
            }
        }
        Some((score, tree, images))
    }
}

/// What it costs to have each of [`GROUPS`]: pieces that are neither the same from all sides, nor from left and right,
/// are rare.
const SYMMETRY_PRIORS: [f64; 7] = [0.0, 3.0, 0.0, 3.0, 3.0, 0.0, 3.0];

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

fn numbered(letters: &[Symbol], word: &[Symbol]) -> Vec<usize> {
    word.iter().map(|letter| letters.partition_point(|other| other < letter)).collect()
}
