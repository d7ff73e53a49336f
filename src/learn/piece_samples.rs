//! What is known of one piece's words: the tree of possible words with the counts of the listed ones.

use super::alphabet::Alphabet;
use super::description_length::DescriptionLength;
use super::guard::{Guards, Why};
use super::hits::Source;
use super::hypothesis::{Hypothesis, price_of_step};
use super::letter::Letter;
use super::samples::{AnnotatedWords, Disagreement, Opportunities, WordCount, WordTable, annotate};
use super::trie::{NodeId, Trie};
use crate::board::Square;
use crate::budget::{Budget, StopReason};
use crate::rules::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// The tree of words of one piece, with what is known of each node.
pub(super) struct PieceSamples<'b> {
    pub guards: Guards,
    /// For each guard why it is needed, once that was found out.
    pub why: Vec<Why>,
    pub alphabet: Alphabet,
    trie: Trie<'b>,
    /// The words that the movement must have, by the numbers of their letters, with how often they were seen.
    pub kept: BTreeMap<Vec<usize>, f64>,
    /// For each node, whether its word is kept, and how often it was listed.
    known: Vec<(bool, WordCount)>,
    /// What it costs that some kept words were not listed everywhere, and that others are not believed.
    ground_cost: f64,
}

impl<'b> PieceSamples<'b> {
    /// A piece with some guards.
    pub fn new(
        sources: Vec<Source<'b>>,
        words: &WordTable,
        guards: Guards,
        drops: bool,
        model: &DescriptionLength,
        budget: &Budget,
    ) -> Result<PieceSamples<'b>, StopReason> {
        PieceSamples::annotated(sources, &annotate(words, &guards), guards, drops, model, budget)
    }

    /// A piece with words that are annotated with some guards.
    pub fn annotated(
        sources: Vec<Source<'b>>,
        words: &AnnotatedWords,
        guards: Guards,
        drops: bool,
        model: &DescriptionLength,
        budget: &Budget,
    ) -> Result<PieceSamples<'b>, StopReason> {
        let turns = guards.turns();
        let symbols = |words: &mut dyn Iterator<Item = &Vec<Letter>>| -> BTreeSet<Symbol> {
            words.flatten().map(|letter| letter.symbol).collect()
        };
        // Letters of words that are not believed would only make the search longer.
        let believed: BTreeSet<&Vec<Letter>> = if model.noise > 0.0 {
            let alphabet = Alphabet::new(symbols(&mut words.keys()), &turns, &guards);
            let mut trie = Trie::new(sources.clone(), &alphabet.letters, &guards, drops);
            let keeps = |(word, count): &(&Vec<Letter>, &WordCount)| {
                let node = alphabet.numbers(word).and_then(|word| trie.find(word));
                let price = word.len() as f64 * price_of_step(alphabet.groups.len());
                node.is_some_and(|node| model.keeps(trie.kind(node), **count, trie.opportunities(node), price))
            };
            words.iter().filter(keeps).map(|(word, _)| word).collect()
        } else {
            words.keys().collect()
        };
        let alphabet = Alphabet::new(symbols(&mut believed.iter().copied()), &turns, &guards);
        let mut piece = PieceSamples {
            trie: Trie::new(sources, &alphabet.letters, &guards, drops),
            guards,
            why: Vec::new(),
            alphabet,
            kept: BTreeMap::new(),
            known: Vec::new(),
            ground_cost: 0.0,
        };
        for (word, &count) in words {
            budget.check()?;
            let keep = believed.contains(word);
            if !keep {
                piece.ground_cost += model.cost_of_dropped(count);
            }
            let Some(numbers) = piece.alphabet.numbers(word) else { continue };
            let Some(node) = piece.trie.find(numbers.iter().copied()) else { continue };
            piece.known.resize(piece.trie.len(), (false, WordCount::default()));
            piece.known[node as usize] = (keep, count);
            if keep {
                piece.kept.insert(numbers, (count.all + count.some) as f64);
                piece.ground_cost += model.cost_of_kept(count, piece.trie.opportunities(node));
            }
        }
        Ok(piece)
    }

    /// What it costs that some words are believed though not listed everywhere, and others not believed.
    pub fn ground_cost(&self) -> f64 {
        self.ground_cost
    }

    /// What it costs to believe words of another piece with the same guards, as far as they were never listed for this
    /// one. `None` if they have letters that this piece does not know.
    pub fn cost_of_foreign(&mut self, other: &PieceSamples, model: &DescriptionLength) -> Option<f64> {
        let mut cost = 0.0;
        for word in other.kept_words() {
            let Some(node) = self.trie.find(self.alphabet.numbers(&word)?) else { continue };
            let is_listed = self.known.get(node as usize).is_some_and(|(_, count)| count.all + count.some > 0);
            if !is_listed {
                cost += model.cost(self.trie.kind(node), WordCount::default(), self.trie.opportunities(node));
            }
        }
        Some(cost)
    }

    /// The listed words that were not listed where they should have been.
    pub fn disagreements(&self) -> Vec<Disagreement> {
        let mut found = Vec::new();
        for (node, &(_, count)) in (0..).zip(&self.known) {
            let opportunities = self.trie.opportunities(node);
            if count.all > 0 && count.all < opportunities.all {
                let (word, listed, possible) = (self.symbols(node), count.all, opportunities.all);
                found.push(Disagreement { word, listed, possible, origins: self.trie.origins(node) });
            }
        }
        found.sort_by(|a, b| a.word.cmp(&b.word));
        found
    }

    fn symbols(&self, node: NodeId) -> Vec<Symbol> {
        self.trie.word(node).into_iter().map(|letter| self.alphabet.letters[letter].symbol).collect()
    }

    /// Listed words that may depend on more than what their steps find: those that were not listed everywhere, or
    /// where only some moves are listed, those that were to be expected more often than `least` times.
    pub fn suspects(&self, model: &DescriptionLength, least: f64) -> Vec<Suspect> {
        let known = (0..).zip(&self.known);
        let known = known.filter(|(node, (_, count))| {
            let opportunities = self.trie.opportunities(*node);
            let rate = model.rates[self.trie.kind(*node)];
            count.all > 0 && count.all < opportunities.all || count.some > 0 && rate * opportunities.expected > least
        });
        known
            .map(|(node, _)| Suspect {
                word: self.symbols(node),
                rate: model.rates[self.trie.kind(node)],
                origins: self.trie.origins(node),
            })
            .collect()
    }

    /// For each listed word, from where it could have been listed.
    pub fn opportunities_of_known(&self) -> impl Iterator<Item = (Vec<Symbol>, Vec<(Square, Opportunities)>)> {
        let known = (0..).zip(&self.known).filter(|(_, (_, count))| count.all + count.some > 0);
        known.map(|(node, _)| (self.symbols(node), self.trie.origins(node)))
    }

    /// For each listed word and square: how often it was to be played from there, if on each board that lists only some
    /// moves the listed words were all that is legal, each as likely as the others. `None` if there is no such board.
    pub fn chances(&self) -> Option<BTreeMap<(Vec<Symbol>, Square), f64>> {
        let nodes: Vec<NodeId> =
            (0..).zip(&self.known).filter(|(_, known)| known.1.some > 0).map(|(node, _)| node).collect();
        if nodes.is_empty() {
            return None;
        }
        let shares = self.trie.shares_among(&nodes);
        let words = nodes.iter().map(|&node| self.symbols(node));
        let each = words.zip(shares).flat_map(|(word, squares)| {
            squares.into_iter().map(move |(square, share)| ((word.clone(), square), share))
        });
        Some(each.collect())
    }

    /// The words that are believed.
    pub fn kept_words(&self) -> impl Iterator<Item = Vec<Letter>> {
        self.kept.keys().map(|word| word.iter().map(|&letter| self.alphabet.letters[letter]).collect())
    }

    /// For each believed word that was played where only some moves are listed: its kind, how often, and how often it
    /// was expected.
    pub fn plays(&self) -> Vec<(usize, f64, f64)> {
        let known = (0..).zip(&self.known).filter(|(_, (kept, count))| *kept && count.some > 0);
        known
            .map(|(node, (_, count))| (self.trie.kind(node), count.some as f64, self.trie.opportunities(node).expected))
            .collect()
    }

    /// What the words cost that a hypothesis has and nobody listed, or infinity as soon as that is sure to be more than
    /// `bound`.
    pub fn surprise(
        &mut self,
        hypothesis: &Hypothesis,
        model: &DescriptionLength,
        bound: f64,
        budget: &mut Budget,
    ) -> Result<f64, StopReason> {
        let known = &self.known;
        let mut word_cost = |trie: &Trie, node: NodeId| match known.get(node as usize) {
            Some((true, _)) => 0.0,
            Some((false, count)) => model.cost(trie.kind(node), *count, trie.opportunities(node)),
            None => model.cost(trie.kind(node), WordCount::default(), trie.opportunities(node)),
        };
        hypothesis.cost(&mut self.trie, bound, budget, &mut word_cost)
    }
}

/// A listed word that may depend on more than what its steps find.
pub(super) struct Suspect {
    pub word: Vec<Symbol>,
    /// How much less often than its share it may be played.
    pub rate: f64,
    /// From where it was possible, and how often.
    pub origins: Vec<(Square, Opportunities)>,
}
