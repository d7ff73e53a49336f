//! From a proof in one state to a rule: features that the proof does not need are dropped, objects become variables.
//!
//! This is what makes rules sound where Combine-Conditions is not enough: from depth 3 on a parry may come with a threat of its own, so
//! that features must be kept which say that it does not. The checker says what may be dropped: first in the state itself, then,
//! with variables, for every way in which the rule lies on the board.

use super::ground_checker::Checker;
use super::language::{Argument, Description, Fact, Literal, Name, Variable};
use super::proof::Proof;
use super::recognition::{RecognitionRule, Status};
use super::state::State;
use super::system::UpdateSystem;
use std::collections::{BTreeMap, BTreeSet};

/// A rule whose proof the checker accepts, from a proof in a state; `None` if there is none within `most` ways to lie on the board.
///
/// Features of `wanted` are dropped last.
pub fn generalise(
    system: &UpdateSystem,
    checker: &Checker,
    state: &State,
    player: Name,
    proof: &Proof,
    wanted: &BTreeSet<Fact>,
    most: u64,
) -> Option<RecognitionRule> {
    let mut known = state.facts.clone();
    checker.check_known(&known, player, proof).ok()?;
    let (first, last): (Vec<&Fact>, Vec<&Fact>) = state.facts.iter().partition(|fact| !wanted.contains(fact));
    let order: Vec<&Fact> = first.into_iter().chain(last).collect();
    drop_unneeded(&mut known, &order, &|known| checker.check_known(known, player, proof).is_ok());
    let rule = with_variables(system, checker, &known, &known, player, proof, most);
    if rule.is_some() || state.facts.len() > MOST_FACTS {
        return rule;
    }
    // Somewhere else on the board more lies on the same squares: all that holds of them is kept, so that the rule lies only where the
    // board looks the same.
    with_variables(system, checker, &known, &state.facts, player, proof, most)
}

/// Drops the facts that are not needed, in order. What holds with less known holds with more, so that many go at once where they can.
fn drop_unneeded(known: &mut BTreeSet<Fact>, facts: &[&Fact], holds: &dyn Fn(&BTreeSet<Fact>) -> bool) {
    facts.iter().for_each(|fact| {
        known.remove(*fact);
    });
    if facts.is_empty() || holds(known) {
        return;
    }
    known.extend(facts.iter().map(|&fact| fact.clone()));
    if facts.len() > 1 {
        let (first, last) = facts.split_at(facts.len() / 2);
        drop_unneeded(known, first, holds);
        drop_unneeded(known, last, holds);
    }
}

/// States with more features are not generalised from all of their objects: that would take too long.
const MOST_FACTS: usize = 64;

/// The types whose objects become variables: those of moves, and those of which features say what holds.
fn variable_types(system: &UpdateSystem) -> BTreeSet<Name> {
    let moves = system.predicates.get(&system.input_move).into_iter().flat_map(|predicate| &predicate.types);
    let keys = system.groups.iter().flatten().filter_map(|feature| system.predicates.get(feature)?.types.first());
    moves.chain(keys).copied().collect()
}

/// The objects of a fact that become variables.
fn objects<'a>(system: &'a UpdateSystem, types: &'a BTreeSet<Name>, fact: &'a Fact) -> impl Iterator<Item = Name> + 'a {
    let kinds = system.predicates.get(&fact.predicate).map_or(&[][..], |predicate| &predicate.types);
    fact.arguments.iter().zip(kinds).filter(|(_, kind)| types.contains(kind)).map(|(&object, _)| object)
}

fn with_variables(
    system: &UpdateSystem,
    checker: &Checker,
    known: &BTreeSet<Fact>,
    around: &BTreeSet<Fact>,
    player: Name,
    proof: &Proof,
    most: u64,
) -> Option<RecognitionRule> {
    let types = variable_types(system);
    let mut numbers: BTreeMap<Name, Variable> = BTreeMap::new();
    let mut number = |object: Name| {
        let next = Variable(numbers.len() as u32);
        *numbers.entry(object).or_insert(next)
    };
    number(player);
    for argument in proof.arguments() {
        if let Argument::Object(object) = argument {
            number(object);
        }
    }
    around.iter().for_each(|fact| {
        objects(system, &types, fact).for_each(|object| {
            number(object);
        })
    });
    // The opponent is a variable only if features name it: then it is tied to the player.
    let tie = |fact: &Fact| objects(system, &types, fact).all(|object| numbers.contains_key(&object));
    let lift = |fact: &Fact| {
        let kinds = system.predicates.get(&fact.predicate).map_or(&[][..], |predicate| &predicate.types);
        let arguments = fact.arguments.iter().zip(kinds).map(|(&object, kind)| match numbers.get(&object) {
            Some(&variable) if types.contains(kind) => Argument::Variable(variable),
            _ => Argument::Object(object),
        });
        Literal { predicate: fact.predicate, arguments: arguments.collect() }
    };
    let features: Vec<Literal> = known.iter().map(&lift).collect();
    let mut relations: Vec<Literal> = system.statics.iter().filter(|fact| tie(fact)).map(&lift).collect();
    let lifted = proof_with(proof, &numbers);
    let rule = |relations: &[Literal]| RecognitionRule {
        name: String::new(),
        condition: Description { literals: features.iter().chain(relations).cloned().collect(), unequal: Vec::new() },
        square: lifted.square(),
        player: Argument::Variable(numbers[&player]),
        depth: lifted.depth(),
        proof: Some(lifted.clone()),
        status: Status::Proved,
        variables: Vec::new(),
        learnt: String::new(),
    };
    // On a large board what ties the squares to each other is kept, so that the rule lies in few places; where they lie is not.
    let tied = |literal: &Literal| literal.arguments.iter().all(|argument| matches!(argument, Argument::Variable(_)));
    let ties: Vec<Literal> = relations.iter().filter(|literal| tied(literal)).cloned().collect();
    let whole = match checker.accept(rule(&ties), most) {
        Some(tied) if tied.status == Status::PerPosition => return Some(tied),
        Some(tied) => tied,
        None => checker.accept(rule(&relations), most)?,
    };
    if whole.status == Status::PerPosition {
        return Some(whole);
    }
    let mut at = 0;
    while at < relations.len() {
        let kept = relations.remove(at);
        if checker.check_rule(&rule(&relations), most).is_err() {
            relations.insert(at, kept);
            at += 1;
        }
    }
    // A reply on a square that the rule says nothing about any more is one of all the others.
    let smaller = rule(&relations);
    let proof = without_unbound(&lifted, &smaller.condition.variables());
    let smaller = RecognitionRule { depth: proof.depth(), proof: Some(proof), ..smaller };
    Some(checker.accept(smaller, most).unwrap_or(whole))
}

/// The proof without replies on squares that are not bound.
fn without_unbound(proof: &Proof, bound: &[Variable]) -> Proof {
    let Proof::Play { square, replies, otherwise } = proof else { return proof.clone() };
    let is_bound = |reply: &Argument| !matches!(reply, Argument::Variable(variable) if !bound.contains(variable));
    let kept = replies.iter().filter(|(reply, _)| is_bound(reply));
    Proof::Play {
        square: *square,
        replies: kept.map(|(reply, proof)| (*reply, without_unbound(proof, bound))).collect(),
        otherwise: otherwise.as_ref().map(|proof| Box::new(without_unbound(proof, bound))),
    }
}

fn proof_with(proof: &Proof, numbers: &BTreeMap<Name, Variable>) -> Proof {
    let lift = |argument: Argument| match argument {
        Argument::Object(object) => numbers.get(&object).map_or(argument, |&variable| Argument::Variable(variable)),
        variable => variable,
    };
    match proof {
        Proof::Win(square) => Proof::Win(lift(*square)),
        Proof::Play { square, replies, otherwise } => Proof::Play {
            square: lift(*square),
            replies: replies.iter().map(|(reply, proof)| (lift(*reply), proof_with(proof, numbers))).collect(),
            otherwise: otherwise.as_ref().map(|proof| Box::new(proof_with(proof, numbers))),
        },
    }
}
