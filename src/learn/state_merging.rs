//! The search for the shortest description of a piece's movement.

use super::budget::{Budget, GivenUp};
use super::description_length::DescriptionLength;
use super::guard::Guards;
use super::guard_search::Why;
use super::hypothesis::{Hypothesis, Images, NOWHERE, price_of_step};
use super::letter::{Alphabet, Letter};
use super::symmetry::GROUPS;
use super::trie::{NodeId, Opportunities, Source, Trie};
use crate::automata::Dfa;
use crate::board::Square;
use crate::rules::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// How often words were listed from each square, for one piece as its player sees the board.
pub(super) type WordTable = BTreeMap<Vec<Symbol>, Vec<(Square, WordCount)>>;

/// How often words were listed, with what guards say.
pub(super) type AnnotatedWords = BTreeMap<Vec<Letter>, WordCount>;

/// The words of a table with what guards say.
pub(super) fn annotate(words: &WordTable, guards: &Guards) -> AnnotatedWords {
    let mut spelt = AnnotatedWords::new();
    for (word, origins) in words {
        if guards.list.is_empty() {
            let sum = spelt.entry(word.iter().copied().map(Letter::plain).collect()).or_default();
            origins.iter().for_each(|origin| sum.add(origin.1));
            continue;
        }
        for &(start, count) in origins {
            if let Some(letters) = guards.annotate(word, start) {
                spelt.entry(letters).or_default().add(count);
            }
        }
    }
    spelt
}

/// How often a word was listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WordCount {
    pub all: u64,
    pub some: u64,
}

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

/// The tree of words of one piece, with what is known of each node.
pub(super) struct PieceSamples<'b, const N: usize> {
    pub guards: Guards,
    /// For each guard why it is needed, once that was found out.
    pub why: Vec<Why>,
    alphabet: Alphabet,
    trie: Trie<'b, N>,
    /// The words that the movement must have, by the numbers of their letters, with how often they were seen.
    kept: BTreeMap<Vec<usize>, f64>,
    /// For each node, whether its word is kept, and how often it was listed.
    known: Vec<(bool, WordCount)>,
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
    /// From where it was possible, and how often.
    pub origins: Vec<(Square, Opportunities)>,
}

impl WordCount {
    pub fn add(&mut self, other: WordCount) {
        self.all += other.all;
        self.some += other.some;
    }
}

impl<'b, const N: usize> PieceSamples<'b, N> {
    /// A piece with some guards.
    pub fn new(
        sources: Vec<Source<'b, N>>,
        words: &WordTable,
        guards: Guards,
        drops: bool,
        model: &DescriptionLength,
    ) -> PieceSamples<'b, N> {
        PieceSamples::spelt(sources, &annotate(words, &guards), guards, drops, model)
    }

    /// A piece with words that tell some guards.
    pub fn spelt(
        sources: Vec<Source<'b, N>>,
        spelt: &AnnotatedWords,
        guards: Guards,
        drops: bool,
        model: &DescriptionLength,
    ) -> PieceSamples<'b, N> {
        let turns = guards.turns();
        let symbols = |words: &mut dyn Iterator<Item = &Vec<Letter>>| -> BTreeSet<Symbol> {
            words.flatten().map(|letter| letter.symbol).collect()
        };
        // Letters of words that are not believed would only make the search longer.
        let believed: BTreeSet<&Vec<Letter>> = if model.noise > 0.0 {
            let alphabet = Alphabet::new(symbols(&mut spelt.keys()), &turns, &guards);
            let mut trie = Trie::new(sources.clone(), &alphabet.letters, &guards, drops);
            let keeps = |(word, count): &(&Vec<Letter>, &WordCount)| {
                let node = alphabet.numbers(word).and_then(|word| trie.find(word));
                let price = word.len() as f64 * price_of_step(alphabet.groups.len());
                node.is_some_and(|node| model.keeps(trie.kind(node), **count, trie.opportunities(node), price))
            };
            spelt.iter().filter(keeps).map(|(word, _)| word).collect()
        } else {
            spelt.keys().collect()
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
        for (word, &count) in spelt {
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
        piece
    }

    /// What it costs that some words are believed though not listed everywhere, and others not believed.
    pub fn ground_cost(&self) -> f64 {
        self.ground_cost
    }

    /// What it costs to believe words of another piece with the same guards, as far as they were never listed for this
    /// one. `None` if they have letters that this piece does not know.
    pub fn cost_of_foreign(&mut self, other: &PieceSamples<N>, model: &DescriptionLength) -> Option<f64> {
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
    pub fn disagreements(&self, model: &DescriptionLength) -> Vec<Disagreement> {
        let mut found = Vec::new();
        for (node, &(_, count)) in (0..).zip(&self.known) {
            let opportunities = self.trie.opportunities(node);
            let contradicted = count.all > 0 && count.all < opportunities.all;
            if contradicted || model.doubts(self.trie.kind(node), count, opportunities) {
                let word = self.symbols(node);
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

    /// What it costs that a movement has a node's word.
    fn word_cost(known: &[(bool, WordCount)], model: &DescriptionLength, trie: &Trie<N>, node: NodeId) -> f64 {
        match known.get(node as usize) {
            Some((true, _)) => 0.0,
            Some((false, count)) => model.cost(trie.kind(node), *count, trie.opportunities(node)),
            None => model.cost(trie.kind(node), WordCount::default(), trie.opportunities(node)),
        }
    }

    fn cost(
        &mut self,
        hypothesis: &Hypothesis,
        model: &DescriptionLength,
        bound: f64,
        effort: &mut Budget,
    ) -> Result<f64, GivenUp> {
        let known = &self.known;
        let mut word_cost = |trie: &Trie<N>, node| Self::word_cost(known, model, trie, node);
        hypothesis.cost(&mut self.trie, bound, effort, &mut word_cost)
    }

    fn score(
        &mut self,
        hypothesis: &Hypothesis,
        images: &Images,
        model: &DescriptionLength,
        bound: f64,
        effort: &mut Budget,
    ) -> Result<f64, GivenUp> {
        effort.spend(hypothesis.size())?;
        let length = hypothesis.description_length(images, &self.alphabet);
        Ok(if length > bound {
            f64::INFINITY
        } else {
            length + self.cost(hypothesis, model, bound - length, effort)?
        })
    }

    /// The movement with the least score over all symmetries.
    pub fn induce(&mut self, model: &DescriptionLength, effort: &mut Budget) -> Result<Induced, GivenUp> {
        let mut best: Option<(f64, Hypothesis, Images)> = None;
        let mut best_tree = f64::INFINITY;
        let kept = self.guards.turns();
        for (turns, prior) in GROUPS.iter().zip(SYMMETRY_PRIORS) {
            if !turns.iter().all(|turn| kept.contains(turn)) {
                continue;
            }
            let images: Option<Vec<Vec<usize>>> = turns.iter().map(|&turn| self.alphabet.images(turn)).collect();
            let Some(images) = images else { continue };
            let bound = best.as_ref().map_or(f64::INFINITY, |best| best.0);
            let (tree, images) = Hypothesis::tree(self.alphabet.len(), images, &self.kept);
            // The words' images alone may be too much.
            if self.cost(&tree, model, bound - prior, effort)?.is_infinite() {
                continue;
            }
            let score = prior + self.score(&tree, &images, model, f64::INFINITY, effort)?;
            // Where so many words are images of each other that the words alone are told in fewer letters, less symmetry
            // would not make them shorter in the end.
            if score > best_tree + CLEARLY {
                continue;
            }
            best_tree = best_tree.min(score);
            let (score, hypothesis, images) = self.fold((tree, images), model, effort)?;
            if score + prior < bound {
                best = Some((score + prior, hypothesis, images));
            }
        }
        let (_, hypothesis, images) = best.expect("without symmetry the prefix tree costs nothing but its description");
        Ok(Induced {
            automaton: hypothesis.automaton(&self.alphabet.letters),
            guards: self.guards.clone(),
            why: self.why.clone(),
            description: hypothesis.description_length(&images, &self.alphabet),
            surprise: self.cost(&hypothesis, model, f64::INFINITY, effort)?,
        })
    }

    /// Folds the prefix tree of the words and their images: takes the state next to the settled ones that is used most,
    /// merges it with the settled state that gives the least score, or settles it if every score would rise.
    fn fold(
        &mut self,
        (mut tree, images): (Hypothesis, Images),
        model: &DescriptionLength,
        effort: &mut Budget,
    ) -> Result<(f64, Hypothesis, Images), GivenUp> {
        let mut score = self.score(&tree, &images, model, f64::INFINITY, effort)?;
        let puts = self.puts();
        if puts.contains(&true) {
            self.join_after(&puts, &mut tree, &mut score, &images, model, effort)?;
        }
        let mut settled: BTreeSet<u32> = BTreeSet::from([0]);
        while let Some(open) = next_open(&tree, &settled) {
            let mut best: Option<(f64, usize, Hypothesis)> = None;
            // Its own images are tried too: otherwise they would all be settled at once, as different states.
            let images_of_open = images.states.iter().map(|row| tree.now(row[open as usize])).filter(|&it| it != open);
            let candidates: BTreeSet<u32> = settled.iter().copied().chain(images_of_open).collect();
            for &state in &candidates {
                effort.spend(tree.size())?;
                let mut merged = tree.clone();
                if !merged.merge(state, open, &images) || puts.contains(&true) && merged.repeats(&puts) {
                    continue;
                }
                let limit = best.as_ref().map_or(score, |best| best.0) + 1e-9;
                let unsupported = unsupported(&tree, state, open);
                let length = self.score(&merged, &images, model, limit, effort)?;
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
        self.forget_guards(&mut tree, &mut score, &images, model, effort)?;
        Ok((score, tree, images))
    }

    /// For each letter, whether it puts a piece down. No piece was ever seen to do that again and again.
    fn puts(&self) -> Vec<bool> {
        self.alphabet.letters.iter().map(|letter| matches!(letter.symbol, Symbol::Put(_))).collect()
    }

    /// What follows after a piece was put down seldom depends on what was before: if so, thousands of words become few
    /// at once.
    fn join_after(
        &mut self,
        puts: &[bool],
        tree: &mut Hypothesis,
        score: &mut f64,
        images: &Images,
        model: &DescriptionLength,
        effort: &mut Budget,
    ) -> Result<(), GivenUp> {
        for states in tree.after(puts) {
            let mut joined = tree.clone();
            let fits = states.windows(2).all(|pair| joined.merge(pair[0], pair[1], images));
            if fits && !joined.repeats(puts) {
                let length = self.score(&joined, images, model, *score, effort)?;
                if length <= *score {
                    (*tree, *score) = (joined, length);
                }
            }
        }
        Ok(())
    }

    /// Lets guards go where nothing speaks against it: they were told by every letter, and matter to few.
    fn forget_guards(
        &mut self,
        tree: &mut Hypothesis,
        score: &mut f64,
        images: &Images,
        model: &DescriptionLength,
        effort: &mut Budget,
    ) -> Result<(), GivenUp> {
        if self.guards.list.is_empty() {
            return Ok(());
        }
        for state in tree.reachable() {
            for group in 0..self.alphabet.groups.len() {
                let Some(wider) = tree.unguarded(state, group, images, &self.alphabet) else { continue };
                let length = self.score(&wider, images, model, *score, effort)?;
                if length < *score {
                    (*tree, *score) = (wider, length);
                }
            }
        }
        Ok(())
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

/// So many nats are no accident of a few words.
const CLEARLY: f64 = 20.0;

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
