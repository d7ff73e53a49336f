//! Fitted heuristics: few rules with values that tell won games from lost ones (logistic regression with early stopping).
//!
//! The paper counts what is frequent in won games, which is mostly what is frequent everywhere. Here every rule's value is its share in
//! the logarithm of the odds that the role wins, learnt from positions after its own moves; those near the end of
//! their games count more. One playout in five is set aside. What predicts those best decides which kinds of rules there are (single facts,
//! pairs and triples wherever they stand on the board, subsets where they stand), how long values are fitted, and how many rules are kept.

use super::concept::Concept;
use super::evidence::Evidence;
use super::fact_table::FactTable;
use super::features::{FeatureKinds, Features};
use super::heuristic::{Heuristic, RoleRules, Rule, Sum};
use super::literal::Literal;
use super::statistical::wanted_facts;
use super::ternary::ternary_concepts;
use crate::game::{Chance, FactId, Term};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// How to fit.
#[derive(Clone, Debug, PartialEq)]
pub struct FitOptions {
    /// The largest subsets of facts where they stand, from 1 to 3.
    pub cutoff: usize,
    /// The most literals of a concept, which holds wherever it matches: 2, or 3 to try triples too.
    pub concept_size: usize,
    /// Fixes the order in which positions are looked at.
    pub seed: u64,
    /// Concepts of another game that are tried too.
    pub transferred: Vec<Concept>,
    /// How many rules each role may have at most, its constant aside; `None` leaves that to what predicts best.
    pub most_rules: Option<usize>,
    /// How many features all positions may have together: memory is about 4 bytes for each.
    pub most_features: usize,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions {
            cutoff: 3,
            concept_size: 3,
            seed: 1,
            transferred: Vec::new(),
            most_rules: None,
            most_features: 24_000_000,
        }
    }
}

/// How fitting went.
#[derive(Clone, Debug, PartialEq)]
pub struct FitReport {
    /// By role.
    pub roles: Vec<RoleFit>,
    /// Whether it was stopped, so that the rules depend on when.
    pub stopped: bool,
}

/// What was found for a role.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleFit {
    /// The role.
    pub role: String,
    /// The kinds of rules that were tried, with how badly each predicts the playouts set aside (mean logarithmic loss), the best first.
    pub tried: Vec<(String, f64)>,
    /// How many times all positions were gone through.
    pub rounds: usize,
    /// How many rules could have been kept, and how many were.
    pub rules: (usize, usize),
    /// For each rule that was kept: in how many positions it was seen, and what the role got there on average, from 0 to 1.
    pub support: Vec<(u64, f64)>,
    /// Why there is nothing, if so.
    pub nothing: Option<String>,
}

/// How much less a position counts with each joint move it is from the end.
const FADING: f64 = 0.8;
/// Positions that are farther from the end than this count for nothing.
const FARTHEST: u32 = 17;
/// Features that fewer positions have are left out.
const LEAST_POSITIONS: u32 = 4;
/// How far a value moves at first: less where there is much to learn from, which a round goes through more often.
const RATE: f32 = 0.01;
const SMALL_RATE: f32 = 0.004;
const MUCH: usize = 1_000_000;
/// The most rounds, and how many without a gain are the end.
const MOST_ROUNDS: usize = 60;
const PATIENCE: usize = 3;
/// How many values may be touched while one kind is fitted.
const MOST_WORK: usize = 600_000_000;
/// How far apart numbers of a pair may be; smaller ones are tried where there would be too many.
const REACHES: [i64; 4] = [8, 4, 2, 1];
/// How many pairs triples are made of, and how many triples are looked at and kept.
const PAIRS_FOR_TRIPLES: usize = 40;
const MOST_TRIPLES: usize = 20_000;
const KEPT_TRIPLES: usize = 400;
/// Fewer rules may predict worse by this share.
const SLACK: f64 = 0.01;
/// No fewer rules than these are tried unless that is asked for.
const LEAST_RULES: usize = 16;
/// Kinds with more rules must predict better by this share: playouts are not real games, and what is general carries over better.
const TOLERANCE: f64 = 0.05;

/// A position for a role: what is known of it.
struct Sample {
    facts: Vec<FactId>,
    weight: f64,
    goal: f64,
    times: u64,
    held_out: bool,
}

/// Fits a function for each role.
///
/// The same evidence and options give the same rules on any number of threads. Once `stop` is set, what was found so far is used.
pub fn fit_heuristic(evidence: &Evidence, options: &FitOptions, stop: &AtomicBool) -> (Heuristic, FitReport) {
    let wanted = wanted_facts(evidence, &|_| false);
    let table = FactTable::new(evidence.terms());
    let (playouts, unfinished) = evidence.playouts();
    let fits: Vec<(RoleRules, RoleFit)> = (0..evidence.roles().len())
        .into_par_iter()
        .map(|role| RoleFitter { evidence, options, wanted: &wanted, table: &table, role, stop }.fit())
        .collect();
    let stopped = stop.load(Ordering::Relaxed);
    let mut learnt = vec![("method".to_owned(), "fit".to_owned()), ("playouts".to_owned(), playouts.to_string())];
    if unfinished > 0 {
        learnt.push(("playouts without an end".to_owned(), unfinished.to_string()));
    }
    if stopped {
        learnt.push(("fitting".to_owned(), "stopped early".to_owned()));
    }
    if let Some(horizon) = evidence.horizon() {
        learnt.push(("positions kept up to moves before the end".to_owned(), horizon.to_string()));
    }
    for (role, name) in evidence.roles().iter().enumerate() {
        learnt.push((format!("wins of {name}"), evidence.wins(role).to_string()));
    }
    for (_, fit) in &fits {
        let told = match &fit.nothing {
            Some(nothing) => nothing.clone(),
            None => {
                let tried: Vec<String> = fit.tried.iter().map(|(kind, loss)| format!("{kind} {loss:.4}")).collect();
                format!(
                    "kept {} of {} rules, {} rounds; loss on the playouts set aside: {}",
                    fit.rules.1,
                    fit.rules.0,
                    fit.rounds,
                    tried.join(", ")
                )
            }
        };
        learnt.push((format!("choice for {}", fit.role), told));
    }
    let (roles, fits): (Vec<RoleRules>, Vec<RoleFit>) = fits.into_iter().unzip();
    let roles = roles.into_iter().filter(|role| !role.rules.is_empty()).collect();
    let game = evidence.game().to_owned();
    (Heuristic { game, sum: Sum::Odds, learnt, concepts: Vec::new(), roles }, FitReport { roles: fits, stopped })
}

struct RoleFitter<'a> {
    evidence: &'a Evidence,
    options: &'a FitOptions,
    wanted: &'a [bool],
    table: &'a FactTable,
    role: usize,
    stop: &'a AtomicBool,
}

/// Looks at the values after each round; whether to go on.
type Judge<'a> = dyn FnMut(usize, &[f32], f32) -> bool + 'a;

/// A kind of features, fitted.
struct Candidate {
    name: String,
    /// How many there were before the weaker ones were left out.
    all: usize,
    features: Features,
    values: Vec<f32>,
    constant: f32,
    rounds: usize,
    loss: f64,
}

impl RoleFitter<'_> {
    fn fit(&self) -> (RoleRules, RoleFit) {
        let role = self.evidence.roles()[self.role].clone();
        let empty = |nothing: &str| {
            let fit = RoleFit {
                role: role.clone(),
                tried: Vec::new(),
                rounds: 0,
                rules: (0, 0),
                support: Vec::new(),
                nothing: Some(nothing.to_owned()),
            };
            (RoleRules { role: role.clone(), rules: Vec::new() }, fit)
        };
        let samples = self.samples();
        let goals = || samples.iter().map(|sample| sample.goal);
        let (least, most) = (goals().fold(f64::MAX, f64::min), goals().fold(f64::MIN, f64::max));
        if samples.is_empty() {
            return empty("no playout came to its end after a move of this role");
        }
        if most - least < 1e-9 {
            return empty("all playouts ended alike for this role: nothing tells good positions from bad ones");
        }
        let mut candidates = self.candidates(&samples);
        candidates.retain(|candidate| candidate.rounds > 0);
        // Which kind is best may depend on how few rules there are.
        let few = self.options.most_rules.is_some();
        if few {
            candidates = candidates.into_iter().map(|candidate| self.prune(&samples, candidate)).collect();
        }
        if candidates.is_empty() {
            return empty("fitting was stopped before its first round");
        }
        // More rules have to be better by more than chance makes them.
        candidates.sort_by_key(|candidate| candidate.features.bodies.len());
        let best = (1..candidates.len()).fold(0, |best, at| {
            if candidates[at].loss < candidates[best].loss * (1.0 - TOLERANCE) { at } else { best }
        });
        let mut tried: Vec<(String, f64)> = candidates.iter().map(|one| (one.name.clone(), one.loss)).collect();
        let chosen = tried.remove(best);
        tried.insert(0, chosen);
        let candidate = candidates.swap_remove(best);
        let candidate = if few { candidate } else { self.prune(&samples, candidate) };
        let Candidate { all, features, rounds, .. } = candidate;
        // What predicts playouts best is fitted to how playouts go; games against players are played better with less of it.
        let fewer_rounds = if features.numbers.len() > MUCH { (rounds / 3).max(2) } else { rounds };
        let (values, constant) = self.descend(&samples, &features, fewer_rounds, |_| true, None);
        let rules = (all, features.bodies.len());
        let fit = RoleFit { role, tried, rounds: fewer_rounds, rules, support: Vec::new(), nothing: None };
        if self.is_stopped() {
            // What was just begun may have no values yet; the candidate has those of its best round.
            let fit = RoleFit { rounds, ..fit };
            return self.tell(&samples, &features, &candidate.values, candidate.constant, fit);
        }
        self.tell(&samples, &features, &values, constant, fit)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The rules with what they rest on, the strongest first.
    fn tell(
        &self,
        samples: &[Sample],
        features: &Features,
        values: &[f32],
        constant: f32,
        mut fit: RoleFit,
    ) -> (RoleRules, RoleFit) {
        let mut seen = vec![(0_u64, 0.0); features.bodies.len()];
        let mut last = vec![usize::MAX; features.bodies.len()];
        for (at, sample) in samples.iter().enumerate() {
            for &number in features.of(at) {
                if std::mem::replace(&mut last[number as usize], at) != at {
                    seen[number as usize].0 += sample.times;
                    seen[number as usize].1 += sample.times as f64 * sample.goal;
                }
            }
        }
        let mut order: Vec<usize> = (0..values.len()).collect();
        let strength = |at: usize| f64::from(values[at].abs()) * (seen[at].0 as f64).sqrt();
        order.sort_by(|&a, &b| strength(b).total_cmp(&strength(a)).then(a.cmp(&b)));
        let rounded = |value: f32| (f64::from(value) * 1e5).round() / 1e5;
        let mut rules = vec![Rule { value: rounded(constant), body: Vec::new(), note: String::new() }];
        fit.support.push((samples.iter().map(|sample| sample.times).sum(), 0.0));
        for at in order.into_iter().filter(|at| rounded(values[*at]) != 0.0) {
            let (times, goals) = seen[at];
            let mean = if times == 0 { 0.0 } else { goals / times as f64 };
            let note = format!(
                "odds x {:.2}; in {times} positions, {:.0} % of the goal",
                f64::from(values[at]).exp(),
                100.0 * mean
            );
            rules.push(Rule { value: rounded(values[at]), body: features.bodies[at].clone(), note });
            fit.support.push((times, mean));
        }
        (RoleRules { role: fit.role.clone(), rules }, fit)
    }

    /// The positions after moves of the role, equal ones put together.
    fn samples(&self) -> Vec<Sample> {
        let mut places: FxHashMap<(Vec<FactId>, bool), usize> = FxHashMap::default();
        let mut samples: Vec<Sample> = Vec::new();
        for row in self.evidence.rows() {
            if !row.moved(self.role) || row.left > FARTHEST {
                continue;
            }
            let facts: Vec<FactId> = row.fact_ids().filter(|fact| self.wanted[fact.index()]).collect();
            let weight = FADING.powi(row.left as i32) * row.times as f64;
            let at = *places.entry((facts.clone(), row.held_out)).or_insert(samples.len());
            if at == samples.len() {
                samples.push(Sample { facts, weight: 0.0, goal: 0.0, times: 0, held_out: row.held_out });
            }
            let sample = &mut samples[at];
            sample.goal = (sample.goal * sample.weight + row.goal(self.role) * weight) / (sample.weight + weight);
            sample.weight += weight;
            sample.times += row.times;
        }
        samples
    }

    /// Every kind of features that there is room for, fitted without the playouts that are set aside.
    fn candidates(&self, samples: &[Sample]) -> Vec<Candidate> {
        let positions: Vec<Vec<FactId>> = samples.iter().map(|sample| sample.facts.clone()).collect();
        let terms: &[Term] = self.evidence.terms();
        let most = self.options.most_features;
        let collect =
            |kinds: &FeatureKinds| Features::collect(&positions, terms, self.table, kinds, LEAST_POSITIONS, most);
        let kinds = |reach: i64, subsets: usize| FeatureKinds { reach, subsets, triples: Vec::new() };
        let mut found = Vec::new();
        if let Some(features) = collect(&kinds(0, 1)) {
            found.push(self.candidate("single facts", features, samples));
        }
        if self.is_stopped() {
            return found;
        }
        let pairs = REACHES.into_iter().find_map(|reach| collect(&kinds(reach, 1)).map(|features| (reach, features)));
        let Some((reach, features)) = pairs else { return found };
        let pairs = self.candidate(&format!("pairs within {reach}"), features, samples);
        if self.is_stopped() {
            found.push(pairs);
            return found;
        }
        let triples = if self.options.concept_size < 3 { Vec::new() } else { self.triples(samples, &pairs) };
        found.push(pairs);
        if !triples.is_empty()
            && let Some(features) = collect(&FeatureKinds { reach, subsets: 1, triples })
        {
            found.push(self.candidate("pairs and triples", features, samples));
        }
        for size in 2..=self.options.cutoff.min(3) {
            if !self.is_stopped()
                && let Some(features) = collect(&kinds(reach, size))
            {
                found.push(self.candidate(&format!("pairs and subsets of {size} where they stand"), features, samples));
            }
        }
        found
    }

    /// Triples made of the strongest pairs by unification, and of concepts of another game: those that tell most of what pairs do not tell.
    fn triples(&self, samples: &[Sample], pairs: &Candidate) -> Vec<Concept> {
        let mut order: Vec<usize> =
            (0..pairs.values.len()).filter(|at| pairs.features.bodies[*at].len() == 2).collect();
        order.sort_by(|&a, &b| pairs.values[b].abs().total_cmp(&pairs.values[a].abs()).then(a.cmp(&b)));
        let strongest = order.iter().take(PAIRS_FOR_TRIPLES);
        let strongest: Vec<Concept> = strongest.filter_map(|at| Concept::new(&pairs.features.bodies[*at])).collect();
        let mut triples = ternary_concepts(&strongest, MOST_TRIPLES);
        triples.extend(self.options.transferred.iter().filter(|concept| concept.body().len() == 3).cloned());
        triples.sort();
        triples.dedup();
        // What a triple tells besides: how far the goals with it are from what pairs predict there.
        let positions: Vec<Vec<FactId>> = samples.iter().map(|sample| sample.facts.clone()).collect();
        let kinds = FeatureKinds { reach: 0, subsets: 1, triples: triples.clone() };
        let collected = Features::collect(
            &positions,
            self.evidence.terms(),
            self.table,
            &kinds,
            LEAST_POSITIONS,
            self.options.most_features,
        );
        let Some(features) = collected else { return Vec::new() };
        let mut seen = vec![(0.0, 0.0); features.bodies.len()];
        for (at, sample) in samples.iter().enumerate().filter(|(_, sample)| !sample.held_out) {
            let odds = pairs.constant + pairs.features.of(at).iter().map(|&n| pairs.values[n as usize]).sum::<f32>();
            let missed = sample.goal - f64::from(chance_of(odds));
            for &number in features.of(at) {
                seen[number as usize].0 += sample.weight;
                seen[number as usize].1 += sample.weight * missed;
            }
        }
        let tells = |at: usize| if seen[at].0 > 0.0 { seen[at].1.abs() / seen[at].0.sqrt() } else { 0.0 };
        let mut order: Vec<usize> = (0..features.bodies.len()).filter(|at| features.bodies[*at].len() == 3).collect();
        order.sort_by(|&a, &b| tells(b).total_cmp(&tells(a)).then(a.cmp(&b)));
        order.iter().take(KEPT_TRIPLES).filter_map(|at| Concept::new(&features.bodies[*at])).collect()
    }

    fn candidate(&self, name: &str, features: Features, samples: &[Sample]) -> Candidate {
        let (name, all) = (name.to_owned(), features.bodies.len());
        let mut found = Candidate { name, all, features, values: Vec::new(), constant: 0.0, rounds: 0, loss: f64::MAX };
        let most = (MOST_WORK / found.features.numbers.len().max(1)).clamp(2, MOST_ROUNDS);
        let mut best = (f64::MAX, 0);
        let features = std::mem::replace(&mut found.features, Features::none());
        let mut judge = |round: usize, values: &[f32], constant: f32| {
            let loss = loss(samples, &features, values, constant);
            if loss < best.0 {
                best = (loss, round);
                found.values = values.to_vec();
                found.constant = constant;
            }
            round < best.1 + PATIENCE
        };
        self.descend(samples, &features, most, |sample| !sample.held_out, Some(&mut judge));
        (found.loss, found.rounds) = best;
        found.features = features;
        found
    }

    /// Gradient descent on the logarithmic loss with steps that get smaller where much was learnt already (AdaGrad).
    fn descend(
        &self,
        samples: &[Sample],
        features: &Features,
        rounds: usize,
        used: impl Fn(&Sample) -> bool,
        mut judge: Option<&mut Judge>,
    ) -> (Vec<f32>, f32) {
        let mut order: Vec<usize> = (0..samples.len()).filter(|at| used(&samples[*at])).collect();
        let total: f64 = order.iter().map(|at| samples[*at].weight).sum();
        let usual = total / order.len().max(1) as f64;
        let mean = order.iter().map(|at| samples[*at].weight * samples[*at].goal).sum::<f64>() / total.max(1e-9);
        let mut constant = (mean.clamp(0.01, 0.99) / (1.0 - mean.clamp(0.01, 0.99))).ln() as f32;
        let mut values = vec![0_f32; features.bodies.len()];
        let mut slopes = vec![1e-6_f32; features.bodies.len()];
        let rate = if features.numbers.len() > MUCH { SMALL_RATE } else { RATE };
        let mut chance = Chance::stream(self.options.seed, self.role as u64);
        for round in 1..=rounds {
            if self.is_stopped() {
                break;
            }
            (1..order.len()).for_each(|at| order.swap(at, chance.below(at + 1)));
            for &at in &order {
                let sample = &samples[at];
                let numbers = features.of(at);
                let sum = constant + numbers.iter().map(|&number| values[number as usize]).sum::<f32>();
                let slope = (chance_of(sum) - sample.goal as f32) * (sample.weight / usual).min(20.0) as f32;
                constant -= 0.01 * slope.clamp(-1.0, 1.0);
                for &number in numbers {
                    let number = number as usize;
                    slopes[number] += slope * slope;
                    values[number] -= rate * slope / slopes[number].sqrt();
                }
            }
            if judge.as_mut().is_some_and(|judge| !judge(round, &values, constant)) {
                break;
            }
        }
        (values, constant)
    }

    /// As few of the strongest features as predict the playouts set aside about as well. The weaker half is left out and the others are fitted
    /// anew, again and again, since what is left takes over from what is not. What is left out in the end is mostly what only playouts have.
    fn prune(&self, samples: &[Sample], candidate: Candidate) -> Candidate {
        let (most, all) = (self.options.most_rules.unwrap_or(usize::MAX), candidate.all);
        let mut tried = vec![candidate];
        while let Some(last) = tried.last()
            && last.features.bodies.len() > LEAST_RULES.min(most)
        {
            let mut order = by_strength(&last.values, &spread(samples, &last.features));
            let half = order.len() / 2;
            order.truncate(if order.len() > most { half.max(most) } else { half.max(LEAST_RULES) });
            order.sort();
            let fewer = self.candidate(&last.name, last.features.only(&order), samples);
            // What was stopped before its first round has no values: those from before have to do, for as many as there may be.
            let values = || order.iter().map(|&at| last.values[at as usize]).collect();
            let fewer = match fewer.rounds {
                0 if last.features.bodies.len() <= most => break,
                0 => Candidate {
                    values: values(),
                    constant: last.constant,
                    rounds: last.rounds,
                    loss: last.loss,
                    ..fewer
                },
                _ => fewer,
            };
            tried.push(Candidate { all, ..fewer });
        }
        tried.retain(|one| one.features.bodies.len() <= most);
        let best = tried.iter().map(|one| one.loss).fold(f64::MAX, f64::min);
        let fewest = tried.iter().rposition(|one| one.loss <= best * (1.0 + SLACK)).unwrap_or(0);
        tried.swap_remove(fewest)
    }
}

/// How much each feature is seen, by the weights of positions.
fn spread(samples: &[Sample], features: &Features) -> Vec<f64> {
    let mut spread = vec![0.0; features.bodies.len()];
    for (at, sample) in samples.iter().enumerate() {
        features.of(at).iter().for_each(|&number| spread[number as usize] += sample.weight);
    }
    spread
}

/// The numbers of features, those first whose values change predictions most.
fn by_strength(values: &[f32], spread: &[f64]) -> Vec<u32> {
    let strength = |at: u32| f64::from(values[at as usize].abs()) * spread[at as usize].sqrt();
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_by(|&a, &b| strength(b).total_cmp(&strength(a)).then(a.cmp(&b)));
    order
}

impl Features {
    fn none() -> Features {
        Features { bodies: Vec::new(), starts: vec![0], numbers: Vec::new() }
    }

    /// Only some features, given in the order of their numbers, which they lose.
    fn only(&self, kept: &[u32]) -> Features {
        let mut renumber = vec![u32::MAX; self.bodies.len()];
        kept.iter().zip(0..).for_each(|(old, new)| renumber[*old as usize] = new);
        let bodies: Vec<Vec<Literal>> = kept.iter().map(|old| self.bodies[*old as usize].clone()).collect();
        let mut few = Features { bodies, starts: vec![0], numbers: Vec::new() };
        for bounds in self.starts.windows(2) {
            let here = self.numbers[bounds[0]..bounds[1]].iter().map(|&old| renumber[old as usize]);
            few.numbers.extend(here.filter(|number| *number != u32::MAX));
            few.starts.push(few.numbers.len());
        }
        few
    }
}

fn chance_of(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

/// The mean logarithmic loss on the playouts that are set aside.
fn loss(samples: &[Sample], features: &Features, values: &[f32], constant: f32) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for (at, sample) in samples.iter().enumerate().filter(|(_, sample)| sample.held_out) {
        let odds = constant + features.of(at).iter().map(|&number| values[number as usize]).sum::<f32>();
        let chance = f64::from(chance_of(odds)).clamp(1e-6, 1.0 - 1e-6);
        sum -= sample.weight * (sample.goal * chance.ln() + (1.0 - sample.goal) * (1.0 - chance).ln());
        weight += sample.weight;
    }
    if weight > 0.0 { sum / weight } else { 0.0 }
}
