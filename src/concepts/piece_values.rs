//! What kinds of facts are worth, wherever they hold: a piece more or less, learnt within a fraction of a second.
//!
//! Facts of a relation are of a kind if one of their arguments is the same, the one with the fewest values: of `cell(3,1,p)` that is `p`. How many there
//! are of each kind tells who wins (logistic regression, by Newton's method with a ridge). Playouts at random hardly use what they are ahead by, players
//! who search do. So values are stretched until they tell positions apart as clearly as a search needs it.

use super::heuristic::Rule;
use super::literal::{Argument, Literal};
use super::samples::Sample;
use crate::game::Vocabulary;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// A relation with more kinds has none: they are places rather than pieces.
const MOST_KINDS: usize = 32;
/// More positions say no more.
const MOST_SAMPLES: usize = 120_000;
/// So many products a step of Newton's method may take: with many kinds fewer positions are looked at, so that each step ends within some hundredths of a second.
const MOST_WORK: usize = 24_000_000;
/// How often Newton's method is repeated.
const STEPS: usize = 8;
/// How strongly values are drawn to 0, per position.
const RIDGE: f64 = 1e-3;
/// Values are of no use if they predict the results of other playouts by less, in standard errors: a few captures that random players have
/// made say nothing, or the opposite.
const LEAST_GAIN: f64 = 2.5;
/// The standard deviation that sums of values are stretched to, as the logarithm of odds.
const SPREAD: f64 = 1.0;

/// The kinds of facts of a game.
pub(super) struct FactKinds {
    /// The rule body of each kind.
    bodies: Vec<Literal>,
    /// The kind of each fact.
    of: Vec<Option<usize>>,
}

impl FactKinds {
    pub(super) fn new(vocabulary: &Vocabulary) -> FactKinds {
        let literals: Vec<Literal> = vocabulary.terms().iter().map(Literal::of_term).collect();
        let mut values: FxHashMap<(&str, usize), Vec<BTreeSet<&Argument>>> = FxHashMap::default();
        for Literal { name, arguments } in &literals {
            let sets = values.entry((name, arguments.len())).or_insert_with(|| vec![BTreeSet::new(); arguments.len()]);
            sets.iter_mut().zip(arguments).for_each(|(set, argument)| set.extend([argument]));
        }
        let place = |literal: &Literal| {
            let sets = &values[&(literal.name.as_str(), literal.arguments.len())];
            let places = sets.iter().enumerate().filter(|(_, set)| (2..=MOST_KINDS).contains(&set.len()));
            // Of those that are as few the last one.
            let place = places.rev().min_by_key(|(_, set)| set.len())?.0;
            (literal.arguments.len() > 1).then_some(place)
        };
        let mut numbers: FxHashMap<Literal, usize> = FxHashMap::default();
        let (mut bodies, mut of) = (Vec::new(), Vec::new());
        for literal in &literals {
            of.push(place(literal).map(|place| {
                let variable = |(at, argument): (usize, &Argument)| match at == place {
                    true => argument.clone(),
                    false => Argument::Variable(at as u8, 0),
                };
                let arguments = literal.arguments.iter().enumerate().map(variable).collect();
                let body = Literal { name: literal.name.clone(), arguments };
                *numbers.entry(body.clone()).or_insert_with(|| {
                    bodies.push(body);
                    bodies.len() - 1
                })
            }));
        }
        FactKinds { bodies, of }
    }

    fn count(&self, sample: &Sample) -> Vec<f64> {
        let mut counts = vec![0.0; self.bodies.len()];
        sample.facts.iter().filter_map(|&fact| self.of[fact as usize]).for_each(|kind| counts[kind] += 1.0);
        counts
    }

    /// Whether moves decide how many facts of a kind there are, and not only how many were played.
    fn vary(&self, samples: &[&Sample]) -> bool {
        let mut by_plies: FxHashMap<usize, Vec<f64>> = FxHashMap::default();
        samples.iter().any(|sample| {
            let counts = self.count(sample);
            *by_plies.entry(sample.plies).or_insert_with(|| counts.clone()) != counts
        })
    }

    /// Rules that give each kind its value for a role; `None` if they predict results no better than chance would, or `stop` is set.
    pub(super) fn fit(&self, samples: &[&Sample], role: usize, stop: &AtomicBool) -> Option<Vec<Rule>> {
        let most = MOST_SAMPLES.min(MOST_WORK / (self.bodies.len() + 1).pow(2));
        let samples = &samples[..samples.len().min(most)];
        if !self.vary(samples) {
            return None;
        }
        let row = |sample: &&Sample| {
            let goal = f64::from(sample.goals[role]);
            Row { playout: sample.playout, counts: self.count(sample), goal }
        };
        let mut rows: Vec<Row> = samples.iter().map(row).collect();
        let mean = |kind: usize| rows.iter().map(|row| row.counts[kind]).sum::<f64>() / rows.len() as f64;
        let means: Vec<f64> = (0..self.bodies.len()).map(mean).collect();
        for row in &mut rows {
            row.counts.iter_mut().zip(&means).for_each(|(count, mean)| *count -= mean);
        }
        // What one half of the playouts says is tested on the other.
        let (even, odd): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.playout.is_multiple_of(2));
        let mut gains = gains(&weights(&even, stop)?, &odd);
        gains.extend(self::gains(&weights(&odd, stop)?, &even));
        if standard_errors(&gains) < LEAST_GAIN {
            return None;
        }
        let all: Vec<&Row> = rows.iter().collect();
        let weights = weights(&all, stop)?;
        let constant = weights[means.len()];
        let square = |row: &Row| (sum(&weights, &row.counts) - constant).powi(2);
        let deviation = (rows.iter().map(square).sum::<f64>() / rows.len() as f64).sqrt();
        let stretch = (SPREAD / deviation).max(1.0);
        let moved: f64 = weights.iter().zip(&means).map(|(weight, mean)| weight * mean).sum();
        let rule = |value: f64, body| Rule { value: stretch * value, body, note: String::new() };
        let mut rules = vec![rule(constant - moved, Vec::new())];
        rules.extend(self.bodies.iter().zip(&weights).map(|(body, &value)| rule(value, vec![body.clone()])));
        Some(rules)
    }
}

/// A position: how many facts of each kind there are, beside their mean, and what became of it.
struct Row {
    playout: u64,
    counts: Vec<f64>,
    goal: f64,
}

/// What each kind is worth, and last what always counts; `None` if that cannot be told, or `stop` is set.
fn weights(rows: &[&Row], stop: &AtomicBool) -> Option<Vec<f64>> {
    let kinds = rows.first()?.counts.len();
    let mean = rows.iter().map(|row| row.goal).sum::<f64>() / rows.len() as f64;
    if !(0.01..=0.99).contains(&mean) {
        return None;
    }
    let mut weights = vec![0.0; kinds + 1];
    weights[kinds] = (mean / (1.0 - mean)).ln();
    for _ in 0..STEPS {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        newton_step(&mut weights, rows)?;
    }
    Some(weights)
}

/// By how much each playout is predicted better than without the counts, in the mean of its positions: these stand for one another.
fn gains(weights: &[f64], rows: &[&Row]) -> Vec<f64> {
    let constant = weights[weights.len() - 1];
    let loss = |odds: f64, goal: f64| {
        let predicted = logistic(odds).clamp(1e-4, 1.0 - 1e-4);
        -(goal * predicted.ln() + (1.0 - goal) * (1.0 - predicted).ln())
    };
    let gain = |row: &&Row| loss(constant, row.goal) - loss(sum(weights, &row.counts), row.goal);
    let playouts = rows.chunk_by(|one, other| one.playout == other.playout);
    playouts.map(|rows| rows.iter().map(gain).sum::<f64>() / rows.len() as f64).collect()
}

/// By how many standard errors the mean of some numbers is above 0.
fn standard_errors(numbers: &[f64]) -> f64 {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    mean / (variance / count).sqrt().max(f64::MIN_POSITIVE)
}

fn sum(weights: &[f64], counts: &[f64]) -> f64 {
    weights[counts.len()] + weights.iter().zip(counts).map(|(weight, count)| weight * count).sum::<f64>()
}

fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// One step of Newton's method; `None` if the equations have no solution.
fn newton_step(weights: &mut [f64], rows: &[&Row]) -> Option<()> {
    let size = weights.len();
    let ridge = RIDGE * rows.len() as f64;
    let mut matrix = vec![vec![0.0; size + 1]; size];
    for (at, row) in matrix.iter_mut().enumerate() {
        row[at] = ridge;
        row[size] = if at + 1 < size { -ridge * weights[at] } else { 0.0 };
    }
    for Row { counts, goal, .. } in rows {
        let predicted = logistic(sum(weights, counts));
        let (weight, error) = ((predicted * (1.0 - predicted)).max(1e-6), goal - predicted);
        let feature = |at: usize| counts.get(at).copied().unwrap_or(1.0);
        for (at, row) in matrix.iter_mut().enumerate() {
            let scaled = weight * feature(at);
            (0..size).for_each(|other| row[other] += scaled * feature(other));
            row[size] += error * feature(at);
        }
    }
    let step = solve(matrix)?;
    weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
    Some(())
}

/// The solution of linear equations whose right side is the last column (Gaussian elimination with pivots).
fn solve(mut matrix: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let size = matrix.len();
    for column in 0..size {
        let pivot =
            (column..size).max_by(|&one, &other| matrix[one][column].abs().total_cmp(&matrix[other][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        let (above, below) = matrix.split_at_mut(column + 1);
        let first = &above[column];
        for row in below {
            let factor = row[column] / first[column];
            row.iter_mut().zip(first).skip(column).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    let mut solution = vec![0.0; size];
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|at| matrix[row][at] * solution[at]).sum();
        solution[row] = (matrix[row][size] - known) / matrix[row][row];
    }
    solution.iter().all(|value| value.is_finite()).then_some(solution)
}

#[cfg(test)]
mod tests {
    use super::super::{CompiledHeuristic, FactValuesPlan, learn_fact_values};
    use super::*;
    use crate::game::{Game, Role, catalogue_game};

    #[test]
    fn equations_are_solved() {
        let solution = solve(vec![vec![0.0, 2.0, 4.0], vec![3.0, 1.0, 5.0]]).unwrap();
        assert!((solution[0] - 1.0).abs() < 1e-12 && (solution[1] - 2.0).abs() < 1e-12, "{solution:?}");
        assert!(solve(vec![vec![1.0, 1.0, 2.0], vec![2.0, 2.0, 4.0]]).is_none());
    }

    #[test]
    fn own_pieces_are_worth_something_where_games_are_about_them() {
        let never = AtomicBool::new(false);
        let plan = FactValuesPlan { playouts: 2000, plies: 500, seed: 1 };
        for (name, own, theirs) in [("checkers", "'C'", "c"), ("checkers", "'K'", "k")] {
            let game = catalogue_game(name).unwrap();
            let pieces = learn_fact_values(&game, &plan, &never, &never).unwrap().pieces.expect(name);
            let value = |piece: &str| {
                let ends = format!(",{piece})");
                let rule = |rule: &&Rule| rule.body.iter().any(|literal| literal.to_string().ends_with(&ends));
                pieces.roles[0].rules.iter().find(rule).unwrap().value
            };
            assert!(value(own) > 0.1 && value(theirs) < -0.1, "{name}: {} {}", value(own), value(theirs));
            let compiled = CompiledHeuristic::new(&pieces, &game).unwrap();
            let sum = compiled.sum(&game, &game.start(), Role(0)).unwrap();
            assert!(sum.abs() < 1.0, "{name}: both sides have as many: {sum}");
        }
        // Nobody loses a stone.
        let game = catalogue_game("connect-four").unwrap();
        assert!(learn_fact_values(&game, &plan, &never, &never).unwrap().pieces.is_none());
    }
}
