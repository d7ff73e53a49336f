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
    for fact in first.into_iter().chain(last) {
        known.remove(fact);
        if checker.check_known(&known, player, proof).is_err() {
            known.insert(fact.clone());
        }
    }
    let rule = with_variables(system, checker, &known, &known, player, proof, most);
    if rule.is_some() || state.facts.len() > MOST_FACTS {
        return rule;
    }
    // Somewhere else on the board more lies on the same squares: all that holds of them is kept, so that the rule lies only where the
    // board looks the same.
    with_variables(system, checker, &known, &state.facts, player, proof, most)
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
    // Where the board has too many places for the rule, what holds of its squares is kept.
    checker.check_rule(&rule(&relations), most).ok()?;
    let mut at = 0;
    while at < relations.len() {
        let kept = relations.remove(at);
        if checker.check_rule(&rule(&relations), most).is_err() {
            relations.insert(at, kept);
            at += 1;
        }
    }
    // A reply on a square that the rule says nothing about any more is one of all the others.
    let rule = rule(&relations);
    let proof = without_unbound(&lifted, &rule.condition.variables());
    let rule = RecognitionRule { depth: proof.depth(), proof: Some(proof), ..rule };
    checker.check_rule(&rule, most).ok().map(|_| rule)
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
