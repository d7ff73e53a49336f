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
    if system.has_moves {
        return with_moves(system, checker, state, &known, player, proof, most);
    }
    let rule = with_variables(system, checker, &known, &known, player, proof, most);
    if rule.is_some() || state.facts.len() > MOST_FACTS {
        return rule;
    }
    // Somewhere else on the board more lies on the same squares: all that holds of them is kept, so that the rule lies only where the
    // board looks the same.
    with_variables(system, checker, &known, &state.facts, player, proof, most)
}

/// The same where moves are objects of their own. What holds of the squares of the moves that the proof names is kept at first, needed here or not: that a
/// square between two pieces is empty may follow from where the others stand here, but does not elsewhere.
fn with_moves(
    system: &UpdateSystem,
    checker: &Checker,
    state: &State,
    known: &BTreeSet<Fact>,
    player: Name,
    proof: &Proof,
    most: u64,
) -> Option<RecognitionRule> {
    let moves = objects_of(proof);
    let about = |fact: &&Fact| fact.arguments.first().is_some_and(|first| moves.contains(first));
    let named: BTreeSet<Name> =
        system.statics.iter().filter(about).flat_map(|fact| fact.arguments.iter().copied()).collect();
    let kept = |fact: &&Fact| known.contains(*fact) || fact.arguments.iter().all(|object| named.contains(object));
    let around: BTreeSet<Fact> = state.facts.iter().filter(kept).cloned().collect();
    let rule = with_variables(system, checker, &around, &around, player, proof, most)
        .or_else(|| with_variables(system, checker, known, known, player, proof, most))?;
    if rule.status != Status::Proved {
        return Some(rule);
    }
    // Features that others make needless, one by one.
    let mut least = rule;
    for literal in least.condition.literals.clone().iter().filter(|literal| !system.is_static(literal.predicate)) {
        let mut smaller = least.clone();
        smaller.condition.literals.retain(|other| other != literal);
        let bound = smaller.condition.variables();
        let is_bound =
            |argument: Argument| !matches!(argument, Argument::Variable(variable) if !bound.contains(&variable));
        let all_bound = [smaller.square, smaller.player].into_iter().chain(proof_arguments(&smaller)).all(is_bound);
        if all_bound && checker.check_rule(&smaller, most).is_ok() {
            least = smaller;
        }
    }
    Some(least)
}

fn proof_arguments(rule: &RecognitionRule) -> Vec<Argument> {
    rule.proof.as_ref().map(Proof::arguments).unwrap_or_default()
}

/// The objects that a proof names.
fn objects_of(proof: &Proof) -> Vec<Name> {
    let object = |argument: Argument| match argument {
        Argument::Object(object) => Some(object),
        Argument::Variable(_) => None,
    };
    proof.arguments().into_iter().filter_map(object).collect()
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
    moves.copied().chain(system.groups.iter().map(|group| group.kind)).collect()
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
    if system.has_moves {
        // A move says which squares it is about; and whose pieces are whose is a relation to either player.
        number(system.other(player));
        let moves = objects_of(proof);
        let about = |fact: &&Fact| fact.arguments.first().is_some_and(|first| moves.contains(first));
        system.statics.iter().filter(about).for_each(|fact| {
            objects(system, &types, fact).for_each(|object| {
                number(object);
            })
        });
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
    let square = lifted.square()?;
    let rule = |relations: &[Literal]| RecognitionRule {
        name: String::new(),
        condition: Description { literals: features.iter().chain(relations).cloned().collect(), unequal: Vec::new() },
        square,
        player: Argument::Variable(numbers[&player]),
        event: system.event,
        depth: lifted.depth(),
        proof: Some(lifted.clone()),
        status: Status::Proved,
        variables: Vec::new(),
        learnt: String::new(),
    };
    // On a large board what ties the squares to each other is kept, so that the rule lies in few places; where they lie is not.
    // A kind is no place.
    let is_number = |literal: &Literal, place: usize| {
        let kinds = system.predicates.get(&literal.predicate).map_or(&[][..], |predicate| &predicate.types);
        kinds.get(place).is_some_and(|&kind| system.names.text(kind) == "number")
    };
    let tied = |literal: &Literal| {
        let variables = literal.variables().count();
        let mut places = literal.arguments.iter().enumerate();
        let no_place =
            places.all(|(at, argument)| matches!(argument, Argument::Variable(_)) || !is_number(literal, at));
        variables == literal.arguments.len() || system.has_moves && variables > 0 && no_place
    };
    let ties: Vec<Literal> = relations.iter().filter(|literal| tied(literal)).cloned().collect();
    let whole = match checker.accept(rule(&ties), most) {
        Some(tied) if tied.status == Status::PerPosition => return Some(tied),
        Some(tied) => {
            if system.has_moves {
                relations = ties;
            }
            tied
        }
        None => checker.accept(rule(&relations), most)?,
    };
    if whole.status == Status::PerPosition {
        return Some(whole);
    }
    if system.has_moves {
        // How far squares are apart says least about why: it goes first.
        relations.sort_by_key(tied);
        relations = needed_relations(relations, &|left| checker.check_rule(&rule(left), most).is_ok());
    } else {
        let mut at = 0;
        while at < relations.len() {
            let kept = relations.remove(at);
            if checker.check_rule(&rule(&relations), most).is_err() {
                relations.insert(at, kept);
                at += 1;
            }
        }
    }
    // A reply on a square that the rule says nothing about any more is one of all the others.
    let smaller = rule(&relations);
    let proof = without_unbound(&lifted, &smaller.condition.variables());
    let smaller = RecognitionRule { depth: proof.depth(), proof: Some(proof), ..smaller };
    Some(checker.accept(smaller, most).unwrap_or(whole))
}

/// The relations without those that are not needed; many go at once where they can, the first ones first.
fn needed_relations(relations: Vec<Literal>, holds: &dyn Fn(&[Literal]) -> bool) -> Vec<Literal> {
    let mut kept = relations.clone();
    let mut open: Vec<Vec<Literal>> = vec![relations];
    while let Some(chunk) = open.pop() {
        let left: Vec<Literal> = kept.iter().filter(|literal| !chunk.contains(literal)).cloned().collect();
        if chunk.is_empty() || holds(&left) {
            kept = left;
        } else if chunk.len() > 1 {
            let (first, last) = chunk.split_at(chunk.len() / 2);
            open.push(last.to_vec());
            open.push(first.to_vec());
        }
    }
    kept
}

/// The proof without replies on squares that are not bound, and without moves that are not, where any move will do.
fn without_unbound(proof: &Proof, bound: &[Variable]) -> Proof {
    let is_bound = |reply: &Argument| !matches!(reply, Argument::Variable(variable) if !bound.contains(variable));
    match proof {
        Proof::Win(_) => proof.clone(),
        Proof::AtOnce(squares) => Proof::AtOnce(squares.iter().copied().filter(is_bound).collect()),
        Proof::Play { square, replies, otherwise } => {
            let kept = replies.iter().filter(|(reply, _)| is_bound(reply));
            Proof::Play {
                square: *square,
                replies: kept.map(|(reply, proof)| (*reply, without_unbound(proof, bound))).collect(),
                otherwise: otherwise.as_ref().map(|proof| Box::new(without_unbound(proof, bound))),
            }
        }
    }
}

fn proof_with(proof: &Proof, numbers: &BTreeMap<Name, Variable>) -> Proof {
    let lift = |argument: Argument| match argument {
        Argument::Object(object) => numbers.get(&object).map_or(argument, |&variable| Argument::Variable(variable)),
        variable => variable,
    };
    match proof {
        Proof::Win(square) => Proof::Win(lift(*square)),
        Proof::AtOnce(squares) => Proof::AtOnce(squares.iter().map(|&square| lift(square)).collect()),
        Proof::Play { square, replies, otherwise } => Proof::Play {
            square: lift(*square),
            replies: replies.iter().map(|(reply, proof)| (lift(*reply), proof_with(proof, numbers))).collect(),
            otherwise: otherwise.as_ref().map(|proof| Box::new(proof_with(proof, numbers))),
        },
    }
}
