//! Magic sets: rules that are only grounded for what is demanded (Bancilhon et al. 1986).
//!
//! A rule such as "a mummy at one place moves toward an explorer at another" makes sense for all pairs of places, though most
//! of them are never needed. So a relation `p` gets a companion `demand p` (its magic predicate) of those of its arguments that
//! are bound wherever a rule needs it. A rule for `p` waits for that, and a rule that needs `p` says first what it demands.
//! Negation demands too. Companions say nothing about the game, so that they leave no trace among the ground rules.

use super::program::{Clause, Keywords, Literal, Pat, Phase, Relation};
use super::terms::{Functor, Terms};
use std::ops::Range;

/// The rules with what they ask, and the relations with the companions, which are marked by functor.
pub(super) fn with_demand(
    rules: Vec<Clause>,
    mut relations: Vec<Relation>,
    words: Keywords,
    terms: &mut Terms,
) -> (Vec<Clause>, Vec<Relation>, Vec<bool>) {
    let known = known_places(&rules, &relations, words);
    let mut companions: Vec<Option<Functor>> = vec![None; relations.len()];
    for relation in (0..relations.len()).filter(|&relation| known[relation] != 0) {
        // No name of a sheet has a space in it.
        let name = format!("demand {}", terms.word(Functor(relation as u32)).name);
        let word = terms.word(Functor(relation as u32)).arity.unwrap_or(0);
        // Two relations of one name may differ in how many things they speak of.
        let functor = terms.functor(&format!("{name} {word}"), Some(known[relation].count_ones()));
        companions[relation] = Some(functor);
    }
    let mut demand_only = vec![false; terms.functors()];
    relations.resize(terms.functors(), Relation::default());
    for companion in companions.iter().flatten() {
        demand_only[companion.index()] = true;
        relations[companion.index()] = Relation { used: true, phase: Phase::State };
    }
    let demand = |pat: &Pat, span: &Range<usize>| {
        let Pat::Apply(relation, parts) = pat else { unreachable!("an atom is a relation applied to things") };
        let companion = (*companions.get(relation.index())?)?;
        let places = parts.iter().take(64).enumerate().filter(|(place, _)| known[relation.index()] >> place & 1 == 1);
        let head = Pat::Apply(companion, places.map(|(_, part)| part.clone()).collect());
        Some((head.clone(), Literal::Holds(head, span.clone())))
    };
    let mut made = Vec::new();
    for mut rule in rules {
        let begin = demand(&rule.head, &rule.span).map(|(_, literal)| literal);
        let order = order(&rule, &relations, words);
        let mut before: Vec<Literal> = begin.iter().cloned().collect();
        for &literal in &order {
            if let Literal::Holds(pat, span) | Literal::Fails(pat, span) = &rule.body[literal]
                && let Some((head, _)) = demand(pat, span)
            {
                let mut body = before.clone();
                body.extend(tests(&rule, &before));
                // What demands itself with what is demanded of it says nothing new.
                if !matches!(body.first(), Some(Literal::Holds(pat, _)) if *pat == head) {
                    made.push(Clause { head, body, ..rule.clone() });
                }
            }
            if let Literal::Holds(..) = rule.body[literal] {
                before.push(rule.body[literal].clone());
            }
        }
        rule.body.extend(begin);
        made.push(rule);
    }
    (made, relations, demand_only)
}

/// Whether atoms of a relation are there without demand: facts, moves, and what is the same in all states.
fn is_base(relation: Functor, relations: &[Relation], words: Keywords) -> bool {
    relation == words.holds || relation == words.does || relations[relation.index()].phase == Phase::Fixed
}

/// The conditions in the order in which they demand: first those that need no demand, then as they are written; what is
/// denied last, when all is known.
fn order(rule: &Clause, relations: &[Relation], words: Keywords) -> Vec<usize> {
    let rank = |literal: &usize| match &rule.body[*literal] {
        Literal::Holds(pat, _) => usize::from(!is_base(pat.functor(), relations, words)),
        Literal::Fails(..) => 2,
        Literal::Distinct(..) | Literal::Same(..) => 3,
    };
    let mut order: Vec<usize> = (0..rule.body.len()).collect();
    order.sort_by_key(rank);
    order
}

/// The comparisons of a rule that can be made once some conditions hold.
fn tests(rule: &Clause, before: &[Literal]) -> Vec<Literal> {
    let mut bound = Vec::new();
    for literal in before {
        if let Literal::Holds(pat, _) = literal {
            pat.variables(&mut bound);
        }
    }
    let ready = |literal: &&Literal| match literal {
        Literal::Distinct(one, other, _) | Literal::Same(one, other, _) => {
            let mut used = Vec::new();
            one.variables(&mut used);
            other.variables(&mut used);
            used.iter().all(|variable| bound.contains(variable))
        }
        Literal::Holds(..) | Literal::Fails(..) => false,
    };
    rule.body.iter().filter(ready).cloned().collect()
}

/// By functor: the places of a relation that are bound wherever it is demanded; none where all of it is needed.
fn known_places(rules: &[Clause], relations: &[Relation], words: Keywords) -> Vec<u64> {
    let needed_whole = [words.legal, words.next, words.goal, words.terminal];
    let derived = |relation: usize| {
        let functor = Functor(relation as u32);
        !needed_whole.contains(&functor) && !is_base(functor, relations, words)
    };
    let mut known: Vec<u64> =
        (0..relations.len()).map(|relation| if derived(relation) { u64::MAX } else { 0 }).collect();
    loop {
        let mut changed = false;
        for rule in rules {
            let mut bound = Vec::new();
            let Pat::Apply(relation, parts) = &rule.head else { continue };
            for (_, part) in parts.iter().take(64).enumerate().filter(|(at, _)| known[relation.index()] >> at & 1 == 1)
            {
                part.variables(&mut bound);
            }
            for literal in order(rule, relations, words) {
                let (Literal::Holds(pat, _) | Literal::Fails(pat, _)) = &rule.body[literal] else { continue };
                let Pat::Apply(relation, parts) = pat else { continue };
                let is_bound = |part: &Pat| {
                    let mut used = Vec::new();
                    part.variables(&mut used);
                    used.iter().all(|variable| bound.contains(variable))
                };
                let places = parts.iter().take(64).enumerate().filter(|(_, part)| is_bound(part));
                let places = places.fold(0, |mask, (place, _)| mask | 1u64 << place);
                if known[relation.index()] & !places != 0 {
                    known[relation.index()] &= places;
                    changed = true;
                }
                if let Literal::Holds(..) = rule.body[literal] {
                    pat.variables(&mut bound);
                }
            }
        }
        if !changed {
            // What no rule demands has no places; of what is demanded with nothing bound, all is needed.
            return known.into_iter().map(|places| if places == u64::MAX { 0 } else { places }).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::{GroundingLimits, Program, PropNet, Prover};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn places_are_known_if_every_rule_that_asks_knows_them() {
        let text = "(role a) (legal a go) (init (at 1)) (n 1 2) (n 2 3) (goal a 0) \
                    (<= (far ?x ?y) (n ?x ?y) (true (at ?x))) (<= (far ?x ?z) (n ?x ?y) (far ?y ?z)) \
                    (<= (any ?x) (far ?x ?y)) (<= (next (at ?y)) (true (at ?x)) (far ?x ?y) (not (any ?y))) \
                    (<= terminal (true (at ?x)) (far ?x 3))";
        let program = Program::read(text).unwrap();
        let known = known_places(&program.clauses, &program.relations, program.words);
        let of = |name: &str, arity| known[program.terms.find_functor(name, Some(arity)).unwrap().index()];
        // The first place of 'far' is known everywhere, the second only by 'terminal'.
        assert_eq!((of("far", 2), of("any", 1), of("next", 1), of("true", 1)), (1, 1, 0, 0));
    }

    #[test]
    fn only_what_is_asked_for_is_grounded() {
        let digits: String = (0..200).map(|i| format!("(d {i}) (n {i} {})", i + 1)).collect();
        let text = format!(
            "{digits} (role a) (legal a go) (init (at 0)) (goal a 0) \
             (<= (pair ?x ?y) (d ?x) (d ?y) (not (true (off ?x)))) (<= (next (at ?y)) (true (at ?x)) (n ?x ?y) (pair ?x ?y)) (<= terminal (true (at 9)))"
        );
        let prover = Prover::new(Arc::new(Program::read(&text).unwrap())).unwrap();
        // All pairs are 40000 ways; two hundred of them are demanded.
        let limits = GroundingLimits { literals: 3_000, atoms: 3_000, work: 30_000 };
        assert!(PropNet::build(&prover, &limits, &AtomicBool::new(false)).is_ok());
    }
}
