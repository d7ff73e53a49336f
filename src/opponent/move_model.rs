//! The action-conditional model: a multinomial logit (softmax) over the legal moves, whose features are those of each move in its state.
//!
//! Where Naive Bayes has to see every move often, this one learns what moves have in common: that the opponent takes wins, parries
//! threats, goes towards something. Weights are fitted by stochastic gradient descent with steps that shrink for features that were seen often
//! (AdaGrad), which also goes on move by move while a game is played.

use super::move_features::{FeatureKey, MoveFeatures, MoveView, Part, name_of};
use super::turn::{Options, Turn};
use crate::game::{Chance, Game, Role, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A softmax over the legal moves of a state.
#[derive(Clone, Debug)]
pub struct MoveModel {
    features: MoveFeatures,
    view: MoveView,
    numbers: FxHashMap<FeatureKey, u32>,
    weights: Vec<Weight>,
    turns: u64,
    /// How often each move was played.
    played: BTreeMap<Term, u64>,
}

/// What a feature adds to a move's score.
#[derive(Clone, Debug, PartialEq)]
pub struct Weight {
    /// The feature.
    pub name: String,
    /// What it adds.
    pub value: f64,
    /// The sum of its squared gradients, which says how small further steps are.
    pub seen: f64,
}

/// How far the first step goes.
const STEP: f64 = 0.4;
/// How strongly weights are drawn to 0.
const DECAY: f64 = 1e-3;
/// How often a training set is gone through.
const ROUNDS: usize = 30;
/// No weight is larger.
const MOST_WEIGHT: f64 = 50.0;

/// The features of one option, as numbers of weights with values.
type Row = Vec<(u32, f64)>;

impl MoveModel {
    /// Nothing seen yet.
    pub fn new(view: MoveView) -> MoveModel {
        MoveModel {
            features: MoveFeatures::default(),
            view,
            numbers: FxHashMap::default(),
            weights: Vec::new(),
            turns: 0,
            played: BTreeMap::new(),
        }
    }

    /// How often each move was played.
    pub fn played(&self) -> &BTreeMap<Term, u64> {
        &self.played
    }

    /// Says that a move was played some times more.
    pub fn add_played(&mut self, term: &Term, times: u64) {
        *self.played.entry(term.clone()).or_default() += times;
        self.turns += times;
    }

    /// How it looks at moves.
    pub fn view(&self) -> MoveView {
        self.view
    }

    /// Changes how it looks at moves.
    pub fn set_view(&mut self, view: MoveView) {
        self.view = view;
    }

    /// The weights of all features that were seen.
    pub fn weights(&self) -> &[Weight] {
        &self.weights
    }

    /// How many turns were taken in.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Sets the weight of a feature; `false` if it has one.
    pub fn add_weight(&mut self, weight: Weight) -> bool {
        let next = self.weights.len() as u32;
        let number = *self.numbers.entry(FeatureKey::of_name(&weight.name)).or_insert(next);
        if number == next {
            self.weights.push(weight);
        }
        number == next
    }

    /// Gets ready for a game.
    pub fn bind<G: Game>(&mut self, game: &G) {
        self.features.bind(game);
    }

    /// The features of all options, with numbers for new ones.
    fn learn_rows<G: Game>(&mut self, game: &G, state: &G::State, role: Role, options: &Options<G>) -> Vec<Row> {
        self.features.learn(game, state, role, options);
        let mut rows: Vec<Row> = vec![Vec::new(); options.terms.len()];
        let (numbers, weights) = (&mut self.numbers, &mut self.weights);
        let mut sink = |option: usize, key: FeatureKey, parts: &[Part<'_>], value: f64| {
            let number = *numbers.entry(key).or_insert_with(|| {
                weights.push(Weight { name: name_of(parts), value: 0.0, seen: 0.0 });
                weights.len() as u32 - 1
            });
            rows[option].push((number, value));
        };
        self.features.extract(game, state, role, options, self.view, &mut sink);
        rows
    }

    /// Takes in turns of a role, again and again. The model must be bound to the game.
    pub fn train<'a, G: Game>(&mut self, game: &G, role: Role, turns: impl Iterator<Item = &'a Turn<G>>, seed: u64) {
        let mut examples: Vec<(Vec<Row>, usize)> = Vec::new();
        for turn in turns {
            self.add_played(&turn.options.terms[turn.played], 1);
            if turn.options.terms.len() > 1 {
                examples.push((self.learn_rows(game, &turn.state, role, &turn.options), turn.played));
            }
        }
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let mut chance = Chance::new(seed);
        for _ in 0..ROUNDS {
            (1..order.len()).for_each(|at| order.swap(at, chance.below(at + 1)));
            for &at in &order {
                let (rows, played) = &examples[at];
                self.step(rows, *played);
            }
        }
        // As many digits as are written to files.
        for weight in &mut self.weights {
            weight.value = (weight.value * 1e5).round() / 1e5;
            weight.seen = (weight.seen * 1e5).round() / 1e5;
        }
    }

    /// Takes in one turn while play goes on.
    pub fn observe<G: Game>(&mut self, game: &G, state: &G::State, role: Role, options: &Options<G>, played: usize) {
        self.add_played(&options.terms[played], 1);
        if options.terms.len() > 1 {
            let rows = self.learn_rows(game, state, role, options);
            self.step(&rows, played);
        }
    }

    fn step(&mut self, rows: &[Row], played: usize) {
        let mut shares: Vec<f64> = rows.iter().map(|row| self.sum(row)).collect();
        softmax(&mut shares, 1.0);
        for (option, (row, share)) in rows.iter().zip(&shares).enumerate() {
            let error = share - f64::from(u8::from(option == played));
            for &(number, value) in row {
                let weight = &mut self.weights[number as usize];
                let gradient = error * value + DECAY * weight.value;
                weight.seen += gradient * gradient;
                weight.value -= STEP * gradient / (weight.seen.sqrt() + 1e-6);
                weight.value = weight.value.clamp(-MOST_WEIGHT, MOST_WEIGHT);
            }
        }
    }

    fn sum(&self, row: &Row) -> f64 {
        row.iter().map(|&(number, value)| self.weights[number as usize].value * value).sum()
    }

    /// Replaces `scores` by a score for each option; returns how many states were looked at for it.
    pub fn scores<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        options: &Options<G>,
        scores: &mut Vec<f64>,
    ) -> u64 {
        scores.clear();
        scores.resize(options.terms.len(), 0.0);
        let mut sink = |option: usize, key: FeatureKey, _: &[Part<'_>], value: f64| {
            if let Some(&number) = self.numbers.get(&key) {
                scores[option] += self.weights[number as usize].value * value;
            }
        };
        self.features.extract(game, state, role, options, self.view, &mut sink)
    }
}

/// Turns scores into shares that add up to 1, the sharper the lower the temperature. Scores of minus infinity have no share, unless all
/// have it: then all shares are equal.
pub fn softmax(scores: &mut [f64], temperature: f64) {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        let equal = 1.0 / scores.len().max(1) as f64;
        scores.fill(equal);
        return;
    }
    scores.iter_mut().for_each(|score| *score = ((*score - most) / temperature).exp());
    let sum: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= sum);
}
