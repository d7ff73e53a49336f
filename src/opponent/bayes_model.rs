//! The paper's model of an opponent: Naive Bayes over the facts of a state, with chi-squared feature selection.

use super::chi_squared::select_features;
use super::fact_index::{FactIndex, TermIndex};
use super::naive_bayes::{ClassId, FeatureId, NaiveBayes, RankingTable};
use super::turn::Turn;
use crate::game::{Game, Term};

/// Naive Bayes over facts, and perhaps the legal moves as features: which move a role plays in a state.
#[derive(Clone, Debug)]
pub struct BayesModel {
    facts: FactIndex,
    moves: TermIndex,
    counts: NaiveBayes,
    table: RankingTable,
    options: BayesOptions,
}

/// What the model looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BayesOptions {
    /// The most features that are kept, those with the highest chi-squared statistics.
    pub features: usize,
    /// Whether the legal moves are features too.
    pub legal: bool,
    /// Added to every count.
    pub smoothing: f64,
}

impl Default for BayesOptions {
    fn default() -> BayesOptions {
        BayesOptions { features: 1000, legal: false, smoothing: 1.0 }
    }
}

/// A legal move as a feature.
fn legal_feature(term: &Term) -> Term {
    Term::apply("legal", [term.clone()])
}

impl BayesModel {
    /// Nothing seen yet.
    pub fn new(options: BayesOptions) -> BayesModel {
        let counts = NaiveBayes::new(options.smoothing);
        let table = counts.table(Vec::new());
        BayesModel { facts: FactIndex::default(), moves: TermIndex::default(), counts, table, options }
    }

    /// What it looks at.
    pub fn options(&self) -> BayesOptions {
        self.options
    }

    /// The counts.
    pub fn counts(&self) -> &NaiveBayes {
        &self.counts
    }

    /// The features by their numbers: facts, and legal moves as `(legal MOVE)`.
    pub fn feature_terms(&self) -> &[Term] {
        self.facts.index.terms()
    }

    /// The number of a feature, if it has one.
    pub fn feature_number(&self, term: &Term) -> Option<usize> {
        self.facts.index.get(term).map(|number| number as usize)
    }

    /// The moves by their numbers.
    pub fn move_terms(&self) -> &[Term] {
        self.moves.terms()
    }

    /// The features that were selected.
    pub fn selected(&self) -> impl Iterator<Item = &Term> {
        self.table.selected().iter().map(|feature| &self.feature_terms()[feature.0 as usize])
    }

    /// Gets ready for a game.
    pub fn bind<G: Game>(&mut self, game: &G) {
        self.facts.bind(game);
    }

    /// Whether a move has a number.
    pub fn knows_move(&self, term: &Term) -> bool {
        self.moves.get(term).is_some()
    }

    /// How often a move was seen.
    pub fn times_played(&self, term: &Term) -> u64 {
        self.moves.get(term).map_or(0, |class| self.counts.class_count(ClassId(class)))
    }

    /// The number of a move; it gets one if it has none.
    pub fn intern_move(&mut self, term: &Term) -> ClassId {
        ClassId(self.moves.intern(term))
    }

    /// Counts a move some times more.
    pub fn add_move(&mut self, class: ClassId, times: u64) {
        self.counts.add_class(class, times);
    }

    /// Counts a feature of a move some times more.
    pub fn add_feature(&mut self, class: ClassId, feature: &Term, times: u64) {
        let feature = FeatureId(self.facts.index.intern(feature));
        self.counts.add_feature(class, feature, times);
    }

    /// Selects the features again from what was counted.
    pub fn select(&mut self) {
        self.table = self.counts.table(select_features(&self.counts, self.options.features));
    }

    /// Replaces `found` by the features of a state, giving numbers to new ones.
    fn learn_features<G: Game>(&mut self, game: &G, state: &G::State, terms: &[Term], found: &mut Vec<FeatureId>) {
        self.facts.learn(game, state, found);
        if self.options.legal {
            found.extend(terms.iter().map(|term| FeatureId(self.facts.index.intern(&legal_feature(term)))));
        }
    }

    fn read_features<G: Game>(&self, game: &G, state: &G::State, terms: &[Term], found: &mut Vec<FeatureId>) {
        self.facts.read(game, state, found);
        if self.options.legal {
            found.extend(terms.iter().filter_map(|term| self.facts.index.get(&legal_feature(term)).map(FeatureId)));
        }
    }

    /// Takes in turns, and selects features. The model must be bound to the game.
    pub fn train<'a, G: Game>(&mut self, game: &G, turns: impl Iterator<Item = &'a Turn<G>>) {
        let mut features = Vec::new();
        for turn in turns {
            let class = self.intern_move(&turn.options.terms[turn.played]);
            self.learn_features(game, &turn.state, &turn.options.terms, &mut features);
            self.counts.observe(class, &features);
        }
        self.select();
    }

    /// Takes in one turn while play goes on: the features that are looked at stay the same until [`BayesModel::select`].
    pub fn observe<G: Game>(&mut self, game: &G, state: &G::State, terms: &[Term], played: usize) {
        let class = self.intern_move(&terms[played]);
        let mut features = Vec::new();
        self.learn_features(game, state, terms, &mut features);
        self.counts.observe_with(&mut self.table, class, &features);
    }

    /// Replaces `scores` by the joint log-likelihood of each of the moves; minus infinity for those never seen.
    pub fn scores<G: Game>(&self, game: &G, state: &G::State, terms: &[Term], scores: &mut Vec<f64>) {
        let (mut features, mut all) = (Vec::new(), Vec::new());
        self.read_features(game, state, terms, &mut features);
        self.table.scores(&features, &mut all);
        scores.clear();
        let score = |term: &Term| self.moves.get(term).and_then(|class| all.get(class as usize).copied());
        scores.extend(terms.iter().map(|term| score(term).unwrap_or(f64::NEG_INFINITY)));
    }

    /// The joint log-likelihood of every move that the model knows, legal or not.
    pub fn all_scores<G: Game>(&self, game: &G, state: &G::State, legal: &[Term]) -> Vec<f64> {
        let (mut features, mut all) = (Vec::new(), Vec::new());
        self.read_features(game, state, legal, &mut features);
        self.table.scores(&features, &mut all);
        all.truncate(self.moves.terms().len());
        all
    }

    /// The share of turns that are to be expected to bring a move never seen (Good and Turing's estimate).
    pub fn surprise(&self) -> f64 {
        (self.counts.seen_once() as f64 + 1.0) / (self.counts.total() as f64 + 2.0)
    }
}
