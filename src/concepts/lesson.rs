//! The pipeline of learning a heuristic: from evidence by one of three methods to rules, their concepts, and what they were learnt from.

use super::binary::binary_concepts;
use super::compile::limit_ways;
use super::concept::Concept;
use super::evidence::Evidence;
use super::fit::{FitOptions, fit_heuristic};
use super::heuristic::Heuristic;
use super::statistical::{StatisticalOptions, statistical_heuristic};
use super::structured::structured_heuristic;
use super::ternary::ternary_concepts;
use crate::game::Game;
use std::sync::atomic::AtomicBool;

/// How rules are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Few rules that tell won games from lost ones: [`fit_heuristic`].
    Fit,
    /// The facts that won games end with most often: [`statistical_heuristic`].
    Frequency,
    /// Concepts of pairs of facts: [`structured_heuristic`].
    Concepts,
}

/// What is learnt, and how.
#[derive(Clone, Copy, Debug)]
pub struct LessonOptions<'a> {
    /// How rules are found.
    pub method: Method,
    /// The most facts in a rule that speaks of single places.
    pub cutoff: usize,
    /// For [`Method::Fit`]: see [`FitOptions::concept_size`].
    pub concept_size: usize,
    /// For [`Method::Frequency`]: the part of the rules that is kept.
    pub share: f64,
    /// The seed.
    pub seed: u64,
    /// For [`Method::Fit`]: see [`FitOptions::most_rules`].
    pub most_rules: Option<usize>,
    /// For [`Method::Fit`]: see [`FitOptions::most_features`].
    pub most_features: usize,
    /// Concepts of another game to rebuild.
    pub given: Option<&'a Heuristic>,
}

impl Default for LessonOptions<'_> {
    fn default() -> Self {
        let FitOptions { cutoff, concept_size, seed, most_rules, most_features, .. } = FitOptions::default();
        let share = StatisticalOptions::default().share;
        LessonOptions { method: Method::Fit, cutoff, concept_size, share, seed, most_rules, most_features, given: None }
    }
}

/// What was learnt.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The rules.
    pub heuristic: Heuristic,
    /// For each rule of each role in how many positions it was seen, where the method counts that.
    pub support: Vec<Vec<u64>>,
    /// Whether it was stopped, so that the rules depend on when.
    pub stopped: bool,
}

/// Evidence that taught nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing could be learnt from {playouts} playouts ({})", reasons.join("; "))]
pub struct NothingLearnt {
    /// How many playouts were watched.
    pub playouts: u64,
    /// What is known about why.
    pub reasons: Vec<String>,
}

/// The most ternary concepts that are made.
const MOST_TERNARY: usize = 100_000;

/// Learns a heuristic from evidence of a game, with no more rules than players of the game can use. Once `stop` is set, what was
/// found so far is used; only [`Method::Fit`] takes long enough to look at it.
///
/// # Errors
///
/// There is no rule for any role.
pub fn learn_heuristic<G: Game>(
    game: &G,
    evidence: &Evidence,
    options: &LessonOptions,
    stop: &AtomicBool,
) -> Result<Lesson, NothingLearnt> {
    let (cutoff, seed) = (options.cutoff, options.seed);
    let transferred = options.given.map(|given| concepts_of(given, cutoff)).unwrap_or_default();
    let mut stopped = false;
    let (mut heuristic, mut support): (Heuristic, Vec<Vec<u64>>) = match options.method {
        Method::Fit => {
            let &LessonOptions { concept_size, most_rules, most_features, .. } = options;
            let options = FitOptions { cutoff, concept_size, seed, transferred, most_rules, most_features };
            let (heuristic, report) = fit_heuristic(evidence, &options, stop);
            stopped = report.stopped;
            let support = report.roles.iter().filter(|role| role.nothing.is_none());
            (heuristic, support.map(|role| role.support.iter().map(|(times, _)| *times).collect()).collect())
        }
        Method::Frequency => {
            let options = StatisticalOptions { cutoff, share: options.share, ..StatisticalOptions::default() };
            let mut heuristic = statistical_heuristic(evidence, &options, &|_| false);
            heuristic.concepts = binary_concepts(&heuristic);
            (heuristic, Vec::new())
        }
        Method::Concepts => {
            let concepts = if options.given.is_some() {
                transferred
            } else {
                let options = StatisticalOptions { cutoff: cutoff.clamp(2, 3), ..StatisticalOptions::default() };
                binary_concepts(&statistical_heuristic(evidence, &options, &|_| false))
            };
            (structured_heuristic(evidence, &concepts, &|_| false), Vec::new())
        }
    };
    if heuristic.roles.iter().all(|role| role.rules.is_empty()) {
        let told = |what: &str| what.starts_with("choice for") || what.starts_with("wins of");
        let reasons = heuristic.learnt.iter().filter(|(what, _)| told(what));
        let reasons = reasons.map(|(what, value)| format!("{what}: {value}")).collect();
        return Err(NothingLearnt { playouts: evidence.playouts().0, reasons });
    }
    for (at, (all, left)) in
        limit_ways(&mut heuristic, game).into_iter().enumerate().filter(|(_, (all, left))| left < all)
    {
        if let Some(support) = support.get_mut(at) {
            support.truncate(left);
        }
        let told = format!("the strongest {left} of {all}: more of them match in more ways than players take");
        heuristic.learnt.push((format!("rules for {}", heuristic.roles[at].role), told));
    }
    if heuristic.concepts.is_empty() {
        heuristic.concepts = found_concepts(&heuristic);
    }
    if let Some(given) = options.given {
        heuristic.learnt.push(("concepts from".to_owned(), given.game.clone()));
    }
    heuristic.learnt.push(("seed".to_owned(), seed.to_string()));
    heuristic.learnt.push(("program".to_owned(), format!("onlooker {}", env!("CARGO_PKG_VERSION"))));
    Ok(Lesson { heuristic, support, stopped })
}

/// The concepts of a file: those it lists, and with a cut-off of 3 those of three literals that they make together.
fn concepts_of(given: &Heuristic, cutoff: usize) -> Vec<Concept> {
    let mut concepts = if given.concepts.is_empty() { binary_concepts(given) } else { given.concepts.clone() };
    if cutoff >= 3 {
        let binary: Vec<Concept> = concepts.iter().filter(|concept| concept.body().len() == 2).cloned().collect();
        concepts.extend(ternary_concepts(&binary, MOST_TERNARY));
        concepts.sort();
        concepts.dedup();
    }
    concepts
}

/// The rules with variables, which hold wherever they match: for other games to try.
fn found_concepts(heuristic: &Heuristic) -> Vec<Concept> {
    let rules = heuristic.roles.iter().flat_map(|role| &role.rules).filter(|rule| rule.body.len() > 1);
    let general = rules.filter(|rule| rule.body.iter().any(|literal| !literal.is_ground()));
    let mut concepts: Vec<Concept> = general.filter_map(|rule| Concept::new(&rule.body)).collect();
    concepts.sort();
    concepts.dedup();
    concepts
}
