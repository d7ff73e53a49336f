//! Statistical heuristics (Algorithm 1 of the paper): the subsets of final positions that are most frequent in won games.

use super::combinations::SubsetCounts;
use super::evidence::Evidence;
use super::heuristic::{Heuristic, RoleRules, Rule, Sum};
use super::literal::Literal;
use crate::game::FactId;
use std::cmp::Reverse;

/// How to count, and what to keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StatisticalOptions {
    /// The largest number of facts in a rule, from 1 to [`SubsetCounts::MOST_SIZE`].
    pub cutoff: usize,
    /// The share of rules that is kept, those with the highest values.
    pub share: f64,
    /// Whether what only the other roles have in the games they won is taken away from each value.
    pub discriminative: bool,
    /// How many subsets are counted at most.
    pub limit: usize,
}

impl Default for StatisticalOptions {
    fn default() -> StatisticalOptions {
        StatisticalOptions { cutoff: 2, share: 0.1, discriminative: false, limit: SubsetCounts::LIMIT }
    }
}

/// The counts of subsets in the final positions of the playouts that a role has won.
pub(super) fn won_counts(evidence: &Evidence, role: usize, wanted: &[bool], size: usize, limit: usize) -> SubsetCounts {
    let rows = evidence.rows();
    let won = rows.iter().filter(|row| row.left == 0 && row.wins(role) > 0);
    SubsetCounts::count(won.map(|row| (row.fact_ids(), row.wins(role))), wanted, size, limit)
}

/// The facts that can stand in rules: those that tell something and are not excluded by name.
pub(super) fn wanted_facts(evidence: &Evidence, excluded: &dyn Fn(&Literal) -> bool) -> Vec<bool> {
    let telling = evidence.telling().into_iter();
    telling.zip(evidence.terms()).map(|(telling, term)| telling && !excluded(&Literal::of_term(term))).collect()
}

/// Counts the subsets of the final positions that each role has won, and keeps the most frequent ones.
///
/// A value is the share of the role's won playouts in which the rule's body held at the end. Facts that only count turns are
/// left out, as are those that `excluded` names. Of equally frequent subsets, the smaller ones and then those of facts with lower numbers are kept.
pub fn statistical_heuristic(
    evidence: &Evidence,
    options: &StatisticalOptions,
    excluded: &dyn Fn(&Literal) -> bool,
) -> Heuristic {
    let wanted = wanted_facts(evidence, excluded);
    let (playouts, _) = evidence.playouts();
    let mut learnt = vec![
        ("method".to_owned(), if options.discriminative { "won minus lost" } else { "frequency" }.to_owned()),
        ("playouts".to_owned(), playouts.to_string()),
        ("cutoff".to_owned(), options.cutoff.to_string()),
        ("share".to_owned(), options.share.to_string()),
    ];
    let all: Vec<SubsetCounts> = (0..evidence.roles().len())
        .map(|role| won_counts(evidence, role, &wanted, options.cutoff, options.limit))
        .collect();
    let mut roles = Vec::new();
    for (role, name) in evidence.roles().iter().enumerate() {
        let won = evidence.wins(role);
        learnt.push((format!("wins of {name}"), won.to_string()));
        let counts = &all[role];
        if counts.left_out().0 > 0 {
            let (facts, most) = counts.left_out();
            let told = format!(
                "{facts} facts left out; every subset with one of them is in at most {most} of {won} won playouts"
            );
            learnt.push((format!("limit for {name}"), told));
        }
        let others: Vec<(usize, u64)> =
            (0..all.len()).filter(|other| *other != role).map(|other| (other, evidence.wins(other))).collect();
        let share = |count: u32, of: u64| if of == 0 { 0.0 } else { f64::from(count) / of as f64 };
        let mut found: Vec<(f64, u32, Vec<FactId>)> = Vec::new();
        counts.for_each(&mut |facts, count| {
            let mut value = share(count, won);
            if options.discriminative && !others.is_empty() {
                let theirs = others.iter().map(|(other, wins)| share(all[*other].of(facts).unwrap_or(0), *wins));
                value -= theirs.sum::<f64>() / others.len() as f64;
            }
            found.push((value, count, facts.to_vec()));
        });
        let kept = ((found.len() as f64 * options.share).ceil() as usize).min(found.len());
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.2.len(), &a.2).cmp(&(b.2.len(), &b.2))));
        found.truncate(kept);
        found.sort_by_key(|(_, count, _)| Reverse(*count));
        let rule = |(value, count, facts): (f64, u32, Vec<FactId>)| Rule {
            value,
            body: facts.iter().map(|fact| Literal::of_term(&evidence.terms()[fact.index()])).collect(),
            note: format!("in {count} of {won} won playouts"),
        };
        roles.push(RoleRules { role: name.clone(), rules: found.into_iter().map(rule).collect() });
    }
    Heuristic { game: evidence.game().to_owned(), sum: Sum::Frequencies, learnt, concepts: Vec::new(), roles }
}
