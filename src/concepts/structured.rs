//! Structured heuristics (Algorithm 3 of the paper): rules made of concepts, in the game they are from or in another.

use super::combinations::SubsetCounts;
use super::concept::Concept;
use super::evidence::Evidence;
use super::fact_table::FactTable;
use super::heuristic::{Heuristic, RoleRules, Rule, Sum};
use super::literal::Literal;
use super::statistical::{wanted_facts, won_counts};
use crate::game::FactId;
use std::collections::BTreeMap;

/// The most ways in which one concept is matched.
const MOST_INSTANCES: usize = 1 << 18;

/// Matches concepts with the final positions that each role has won: a rule for every way, with the share of all subsets of the concept's size that it makes
/// out. Ways that several concepts share add up.
pub fn structured_heuristic(
    evidence: &Evidence,
    concepts: &[Concept],
    excluded: &dyn Fn(&Literal) -> bool,
) -> Heuristic {
    let wanted = wanted_facts(evidence, excluded);
    let table = FactTable::new(evidence.terms());
    let size = concepts.iter().map(|concept| concept.body().len()).max().unwrap_or(1).min(SubsetCounts::MOST_SIZE);
    // In how many ways a set of facts is matched by concepts.
    let mut ways: BTreeMap<Vec<FactId>, u32> = BTreeMap::new();
    let mut used = Vec::new();
    for concept in concepts {
        let mut here: Vec<Vec<FactId>> = table.instances(concept.body(), MOST_INSTANCES).found;
        here.retain(|facts| facts.iter().all(|fact| wanted[fact.index()]));
        here.iter_mut().for_each(|facts| facts.sort());
        // A set is matched or not, in whatever order.
        here.sort();
        here.dedup();
        if !here.is_empty() {
            used.push(concept.clone());
        }
        here.into_iter().for_each(|facts| *ways.entry(facts).or_default() += 1);
    }
    let (playouts, _) = evidence.playouts();
    let mut learnt = vec![
        ("method".to_owned(), "concepts".to_owned()),
        ("playouts".to_owned(), playouts.to_string()),
        ("concepts that match".to_owned(), format!("{} of {}", used.len(), concepts.len())),
    ];
    let mut roles = Vec::new();
    for (role, name) in evidence.roles().iter().enumerate() {
        let won = evidence.wins(role);
        learnt.push((format!("wins of {name}"), won.to_string()));
        let counts = won_counts(evidence, role, &wanted, size, SubsetCounts::LIMIT);
        let mut subsets = vec![0.0; size + 1];
        counts.for_each(&mut |facts, count| subsets[facts.len()] += f64::from(count));
        let mut rules: Vec<Rule> = Vec::new();
        for (facts, ways) in &ways {
            if let Some(count) = counts.of(facts).filter(|count| *count > 0) {
                rules.push(Rule {
                    value: f64::from(*ways) * f64::from(count) / subsets[facts.len()],
                    body: facts.iter().map(|fact| Literal::of_term(&evidence.terms()[fact.index()])).collect(),
                    note: format!("in {count} of {won} won playouts, by {ways} concepts"),
                });
            }
        }
        rules.sort_by(|a, b| b.value.total_cmp(&a.value));
        roles.push(RoleRules { role: name.clone(), rules });
    }
    Heuristic { game: evidence.game().to_owned(), sum: Sum::Frequencies, learnt, concepts: used, roles }
}
