//! What single facts are worth, learnt within seconds: for players who have a clock to prepare by.
//!
//! [`fit_heuristic`](super::fit_heuristic) looks for the best kinds of rules, which takes as long as it takes. Here every fact has a value, in the
//! logarithm of the odds that the role wins (logistic regression by stochastic gradient descent over positions after the role's
//! own moves). One playout in five is set aside: how much better its results are predicted than by their mean alone says what it is all worth.

use super::heuristic::{Heuristic, RoleRules, Rule, Sum};
use super::literal::Literal;
use super::piece_values::FactKinds;
use super::samples::{Sample, watch};
use crate::game::{Chance, FactId, Game, Vocabulary};
use std::sync::atomic::{AtomicBool, Ordering};

/// Which playouts are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactValuesPlan {
    /// At most so many.
    pub playouts: u64,
    /// A playout that lasts longer is broken off, and says nothing.
    pub plies: u64,
    /// Fixes them all.
    pub seed: u64,
}

/// What was learnt.
#[derive(Clone, Debug, PartialEq)]
pub struct FactValues {
    /// A rule for each fact, for each role that wins sometimes.
    pub heuristic: Heuristic,
    /// A rule for each kind of facts, if their numbers tell who wins.
    pub pieces: Option<Heuristic>,
    /// How many playouts came to their end.
    pub playouts: u64,
    /// Joint moves of a playout, on average.
    pub plies: f64,
    /// By how much, as a share, the results of playouts set aside are predicted better than by their mean; 0 or less if not at all.
    pub gain: f64,
}

/// Facts that were seen less often have no value.
const LEAST_SEEN: u32 = 12;
/// How often all positions are gone through at most.
const ROUNDS: usize = 20;
/// How far a prediction moves at first, in the logarithm of the odds, for an error of 1: all facts of a position share that out.
const RATE: f32 = 0.15;
/// How many rounds without a gain are the end.
const PATIENCE: usize = 6;
/// How strongly values are drawn to 0.
const DECAY: f32 = 1e-4;

/// Watches playouts until there are enough or `enough` is set, and learns what facts are worth; `None` if nothing tells good positions from
/// bad ones, or `stop` is set.
pub fn learn_fact_values<G: Game>(
    game: &G,
    plan: &FactValuesPlan,
    enough: &AtomicBool,
    stop: &AtomicBool,
) -> Option<FactValues> {
    let mut vocabulary = Vocabulary::new(game);
    let (samples, ended, plies) = watch(game, [plan.playouts, plan.plies], plan.seed, &mut vocabulary, enough);
    let mut seen = vec![0_u32; vocabulary.len()];
    samples.iter().flat_map(|sample| &sample.facts).for_each(|&fact| seen[fact as usize] += 1);
    let all = samples.len() as u32;
    let counts = |fact: u32| (LEAST_SEEN..all).contains(&seen[fact as usize]);
    let chance_roles = game.chance_roles();
    let kinds = FactKinds::new(&vocabulary);
    let (mut roles, mut gains, mut piece_roles) = (Vec::new(), Vec::new(), Vec::new());
    for (role, name) in game.roles().iter().enumerate() {
        let role_samples: Vec<&Sample> =
            samples.iter().filter(|sample| sample.moved.contains(crate::game::Role(role as u8))).collect();
        if chance_roles.contains(crate::game::Role(role as u8)) || stop.load(Ordering::Relaxed) {
            continue;
        }
        if let Some(rules) = kinds.fit(&role_samples, role, stop) {
            piece_roles.push(RoleRules { role: name.clone(), rules });
        }
        let Some((values, constant, gain)) = fit(&role_samples, role, vocabulary.len(), &counts, plan.seed, stop)
        else {
            continue;
        };
        let mut rules = vec![Rule { value: f64::from(constant), body: Vec::new(), note: String::new() }];
        rules.extend((0..).zip(&values).filter(|(_, value)| **value != 0.0).map(|(fact, &value)| Rule {
            value: f64::from(value),
            body: vec![Literal::of_term(vocabulary.term(FactId(fact)))],
            note: String::new(),
        }));
        roles.push(RoleRules { role: name.clone(), rules });
        gains.push(gain);
    }
    if roles.is_empty() || stop.load(Ordering::Relaxed) {
        return None;
    }
    let gain = gains.iter().sum::<f64>() / gains.len() as f64;
    let learnt = vec![
        ("method".to_owned(), "fact values".to_owned()),
        ("playouts".to_owned(), ended.to_string()),
        ("gain on playouts set aside".to_owned(), format!("{gain:.4}")),
        ("seed".to_owned(), plan.seed.to_string()),
    ];
    let heuristic = Heuristic { game: game.name().to_owned(), sum: Sum::Odds, learnt, concepts: Vec::new(), roles };
    let pieces = Heuristic { roles: piece_roles, ..heuristic.clone() };
    let pieces = Some(pieces).filter(|pieces| !pieces.roles.is_empty());
    Some(FactValues { heuristic, pieces, playouts: ended, plies, gain })
}

/// The values of facts for a role, what always counts, and what it all is worth; `None` if all positions are alike to it.
fn fit(
    samples: &[&Sample],
    role: usize,
    facts: usize,
    counts: &dyn Fn(u32) -> bool,
    seed: u64,
    stop: &AtomicBool,
) -> Option<(Vec<f32>, f32, f64)> {
    let (aside, mut learnt): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().copied().partition(|sample| sample.set_aside);
    let goal = |sample: &Sample| sample.goals[role];
    let mean = learnt.iter().map(|sample| goal(sample)).sum::<f32>() / learnt.len().max(1) as f32;
    if aside.is_empty() || !(0.01..=0.99).contains(&mean) {
        return None;
    }
    let constant = (mean / (1.0 - mean)).ln();
    let loss = |values: &[f32], constant: f32| {
        let one = |sample: &&Sample| f64::from(log_loss(goal(sample), predict(values, constant, sample)));
        aside.iter().map(one).sum::<f64>() / aside.len() as f64
    };
    let base = loss(&vec![0.0; facts], constant);
    let (mut values, mut bias) = (vec![0.0_f32; facts], constant);
    let mut best = (values.clone(), bias, base);
    let mut wasted = 0;
    let mut chance = Chance::stream(seed, u64::MAX - role as u64);
    for round in 0..ROUNDS {
        for at in (1..learnt.len()).rev() {
            learnt.swap(at, chance.below(at + 1));
        }
        for (number, sample) in learnt.iter().enumerate() {
            if number.is_multiple_of(1024) && stop.load(Ordering::Relaxed) {
                break;
            }
            let rate = RATE / (1.0 + round as f32) / (sample.facts.len() + 1) as f32;
            let error = goal(sample) - predict(&values, bias, sample);
            bias += rate * error;
            for &fact in sample.facts.iter().filter(|&&fact| counts(fact)) {
                let value = &mut values[fact as usize];
                *value += rate * (error - DECAY * *value);
            }
        }
        let now = loss(&values, bias);
        if now < best.2 {
            best = (values.clone(), bias, now);
        } else {
            wasted += 1;
        }
        if wasted == PATIENCE || stop.load(Ordering::Relaxed) {
            break;
        }
    }
    (best.2 < base).then(|| (best.0, best.1, 1.0 - best.2 / base.max(f64::MIN_POSITIVE)))
}

fn predict(values: &[f32], constant: f32, sample: &Sample) -> f32 {
    let sum: f32 = sample.facts.iter().map(|&fact| values[fact as usize]).sum();
    1.0 / (1.0 + (-(constant + sum)).exp())
}

fn log_loss(goal: f32, predicted: f32) -> f32 {
    let predicted = predicted.clamp(1e-4, 1.0 - 1e-4);
    -(goal * predicted.ln() + (1.0 - goal) * (1.0 - predicted).ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Role, catalogue_game};
    use crate::play::Evaluation;

    #[test]
    fn facts_tell_good_positions_from_bad_ones() {
        let game = catalogue_game("breakthrough").unwrap();
        let plan = FactValuesPlan { playouts: 3000, plies: 500, seed: 1 };
        let never = AtomicBool::new(false);
        let learnt = learn_fact_values(&game, &plan, &never, &never).unwrap();
        assert!(learnt.gain > 0.02 && learnt.playouts == 3000 && learnt.plies > 20.0, "{learnt:?}");
        assert_eq!(learn_fact_values(&game, &plan, &never, &never).as_ref(), Some(&learnt));
        let compiled = super::super::CompiledHeuristic::new(&learnt.heuristic, &game).unwrap();
        let start = game.start();
        let [one, other] = [0, 1].map(|role| compiled.evaluate(&game, &start, Role(role)));
        assert!(one.abs() < 600 && other.abs() < 600, "{one} {other}");
        // Text and back.
        let text = learnt.heuristic.to_string();
        assert_eq!(Heuristic::parse(&text).unwrap().rule_count(), learnt.heuristic.rule_count());
    }

    #[test]
    fn what_is_stopped_has_learnt_nothing() {
        let game = catalogue_game("breakthrough").unwrap();
        let plan = FactValuesPlan { playouts: 400, plies: 500, seed: 1 };
        assert!(learn_fact_values(&game, &plan, &AtomicBool::new(true), &AtomicBool::new(false)).is_none());
    }
}
