//! Back-Up, Merge and Combine-Conditions: which states lead to a described state, by regression over the rules that fired.
//!
//! An [`Explained`] description carries what its variables stand for in the game it comes from. So literals correspond if they stand for the
//! same feature, and there is only one way to merge: the paper's Merge tries all ways and takes a most general one. Rules that add nothing
//! that is needed are left out, which only makes the description more general: a rule that fires besides cannot delete what is needed,
//! or the proof of the rule fails.

use super::language::{Argument, Bindings, Description, Fact, Literal, Variable};
use super::matching::first_match;
use super::recognition::cannot_be_equal;
use super::state::{State, UpdateTrace};
use super::system::UpdateSystem;
use std::collections::HashMap;

/// A description with what it stands for in the game that it explains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// The description.
    pub description: Description,
    /// What its variables stand for.
    pub bindings: Bindings,
    /// The first number that no variable has.
    pub next: u32,
}

/// Whose move it is that is backed up over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// The winner's: the move must be legal and is part of the rule.
    Winner,
    /// The loser's: only what it changes matters.
    Loser,
}

/// The move that leads from one description to the next.
pub type InputMove = (Argument, Argument);

impl Explained {
    /// `won(<player>)`
    pub fn won(system: &UpdateSystem, winner: super::language::Name) -> Explained {
        let mut bindings = Bindings::default();
        bindings.set(Variable(0), winner);
        let literal =
            Literal { predicate: system.won, arguments: [Argument::Variable(Variable(0))].into_iter().collect() };
        Explained { description: Description { literals: vec![literal], unequal: Vec::new() }, bindings, next: 1 }
    }

    /// A description with its match.
    pub fn of_match(description: &Description, bindings: &Bindings) -> Explained {
        let next = description.variables().iter().map(|variable| variable.0 + 1).max().unwrap_or(0);
        Explained { description: description.clone(), bindings: bindings.clone(), next }
    }

    fn fact(&self, literal: &Literal) -> Option<Fact> {
        self.bindings.fact(literal)
    }

    /// Gives the variables of another description numbers of their own here; returns the change.
    fn adopt(&mut self, variables: &[Variable], bindings: &Bindings) -> HashMap<Variable, Variable> {
        let mut renamed = HashMap::new();
        for &variable in variables {
            let new = Variable(self.next);
            self.next += 1;
            if let Some(name) = bindings.get(variable) {
                self.bindings.set(new, name);
            }
            renamed.insert(variable, new);
        }
        renamed
    }
}

/// Arguments that were found to be the same.
#[derive(Default)]
struct Unifier(HashMap<Variable, Argument>);

impl Unifier {
    fn resolve(&self, mut argument: Argument) -> Argument {
        while let Argument::Variable(variable) = argument {
            match self.0.get(&variable) {
                Some(&next) => argument = next,
                None => break,
            }
        }
        argument
    }

    /// Makes two literals the same that stand for the same feature.
    fn unify(&mut self, a: &Literal, b: &Literal) {
        for (&a, &b) in a.arguments.iter().zip(&b.arguments) {
            match (self.resolve(a), self.resolve(b)) {
                (a, b) if a == b => {}
                (Argument::Variable(a), Argument::Variable(b)) => {
                    // The older variable stays.
                    self.0.insert(a.max(b), Argument::Variable(a.min(b)));
                }
                (Argument::Variable(variable), other) | (other, Argument::Variable(variable)) => {
                    self.0.insert(variable, other);
                }
                (Argument::Object(_), Argument::Object(_)) => {}
            }
        }
    }
}

/// Conjoins literals to a description; those that stand for the same feature become one.
fn merge_into(post: &mut Explained, literals: Vec<Literal>, unequal: Vec<(Argument, Argument)>, unifier: &mut Unifier) {
    for literal in literals {
        let fact = post.fact(&literal);
        let same = post.description.literals.iter().find(|known| fact.is_some() && post.bindings.fact(known) == fact);
        match same {
            Some(known) => unifier.unify(&known.clone(), &literal),
            None => post.description.literals.push(literal),
        }
    }
    post.description.unequal.extend(unequal);
    apply(post, unifier);
}

fn apply(post: &mut Explained, unifier: &Unifier) {
    post.description = post.description.map(&mut |variable| unifier.resolve(Argument::Variable(variable)));
}

/// Merge: the most general description that is a special case of both; `renamed` says what variables of the second became.
pub fn merge(
    one: &Explained,
    two: &Explained,
) -> (Explained, impl Fn(Argument) -> Argument, impl Fn(Argument) -> Argument) {
    let mut merged = one.clone();
    let renamed = merged.adopt(&two.description.variables(), &two.bindings);
    let mut rename = |variable: Variable| Argument::Variable(renamed.get(&variable).copied().unwrap_or(variable));
    let second = two.description.map(&mut rename);
    let mut unifier = Unifier::default();
    merge_into(&mut merged, second.literals, second.unequal, &mut unifier);
    let substitution: HashMap<Variable, Argument> =
        unifier.0.keys().map(|&variable| (variable, unifier.resolve(Argument::Variable(variable)))).collect();
    let first_change = substitution.clone();
    let resolve = |map: &HashMap<Variable, Argument>, argument: Argument| match argument {
        Argument::Variable(variable) => map.get(&variable).copied().unwrap_or(argument),
        object => object,
    };
    let first = move |argument| resolve(&first_change, argument);
    let second = move |argument| match argument {
        Argument::Variable(variable) => {
            resolve(&substitution, Argument::Variable(renamed.get(&variable).copied().unwrap_or(variable)))
        }
        object => object,
    };
    (merged, first, second)
}

/// Combine-Conditions: both threats at once, so that no single reply parries both; `None` if one does, whatever the state.
///
/// The block sets are the replies that may parry the first threat and the second one.
pub fn combine(
    system: &UpdateSystem,
    one: &Explained,
    two: &Explained,
    blocks: (&[Argument], &[Argument]),
) -> Option<Explained> {
    let (mut combined, first, second) = merge(one, two);
    for &a in blocks.0 {
        for &b in blocks.1 {
            let (a, b) = (first(a), second(b));
            if a == b
                || combined.bindings.value(a).is_some() && combined.bindings.value(a) == combined.bindings.value(b)
            {
                return None;
            }
            if !cannot_be_equal(system, &combined.description, a, b) {
                combined.description.differ(a, b);
            }
        }
    }
    Some(combined)
}

/// Back-Up: the most general description of states from which the move that was played leads to `goal` by the same rules.
///
/// `after` is the state that the move led to. The input move is `None` if nothing of the goal depends on it.
pub fn back_up(
    system: &UpdateSystem,
    trace: &UpdateTrace,
    after: &State,
    goal: &Explained,
    mover: Mover,
) -> (Explained, Option<InputMove>) {
    let mut post = goal.clone();
    specialise(system, after, &mut post);
    for round in trace.rounds.iter().rev() {
        let mut unifier = Unifier::default();
        let (mut literals, mut unequal) = (Vec::new(), Vec::new());
        let mut removed = Vec::new();
        for firing in round {
            let rule = &system.rules[firing.rule];
            let gives: Vec<(usize, usize)> = rule
                .add
                .iter()
                .enumerate()
                .filter_map(|(place, add)| {
                    let fact = firing.bindings.fact(add)?;
                    let at = post
                        .description
                        .literals
                        .iter()
                        .position(|literal| post.fact(literal).as_ref() == Some(&fact))?;
                    Some((place, at))
                })
                .collect();
            let permits = rule.delete.iter().any(|literal| literal.predicate == system.input_move);
            if gives.is_empty() && !(permits && mover == Mover::Winner) {
                continue;
            }
            let all = Description {
                literals: rule.condition.iter().chain(&rule.add).cloned().collect(),
                unequal: rule.unequal.clone(),
            };
            let renamed = post.adopt(&all.variables(), &firing.bindings);
            let mut rename = |variable: Variable| Argument::Variable(renamed[&variable]);
            for (place, at) in gives {
                unifier.unify(&post.description.literals[at].clone(), &rule.add[place].map(&mut rename));
                removed.push(at);
            }
            let condition =
                Description { literals: rule.condition.clone(), unequal: rule.unequal.clone() }.map(&mut rename);
            literals.extend(condition.literals);
            unequal.extend(condition.unequal);
        }
        let mut at = 0;
        post.description.literals.retain(|_| {
            at += 1;
            !removed.contains(&(at - 1))
        });
        // Literals of two rules may stand for the same feature: they are merged one after another.
        merge_into(&mut post, literals, unequal, &mut unifier);
    }
    let input = post.description.literals.iter().position(|literal| literal.predicate == system.input_move);
    let input = input
        .map(|at| post.description.literals.remove(at))
        .map(|literal| (literal.arguments[0], literal.arguments[1]));
    let input = simplify(system, &mut post, input);
    (post, input)
}

/// Phase 1: as long as a rule would fire in all states described, the description is made more special: first variables are bound, then
/// features of the state are added. In the state itself no rule fires.
fn specialise(system: &UpdateSystem, after: &State, post: &mut Explained) {
    let fires = |description: &Description| {
        // A description's own literals as facts: what holds in every state that it describes.
        let frozen = |argument: &Argument| match argument {
            Argument::Object(name) => *name,
            Argument::Variable(variable) => super::language::Name(u32::MAX - variable.0),
        };
        let facts = description
            .literals
            .iter()
            .map(|literal| Fact {
                predicate: literal.predicate,
                arguments: literal.arguments.iter().map(frozen).collect(),
            })
            .collect();
        system.rules.iter().any(|rule| {
            let condition = Description { literals: rule.condition.clone(), unequal: rule.unequal.clone() };
            first_match(system, &condition, &facts, &Bindings::default()).is_some()
        })
    };
    for variable in post.description.variables() {
        if !fires(&post.description) {
            return;
        }
        if let Some(name) = post.bindings.get(variable) {
            post.description = post
                .description
                .map(&mut |other| if other == variable { Argument::Object(name) } else { Argument::Variable(other) });
        }
    }
    for fact in &after.facts {
        if !fires(&post.description) {
            return;
        }
        post.description.add(fact.literal());
    }
}

/// Evaluates static relations: what holds anyway is left out, and what can be one thing only is bound.
fn simplify(system: &UpdateSystem, post: &mut Explained, mut input: Option<InputMove>) -> Option<InputMove> {
    loop {
        let mut change = None;
        post.description.literals.retain(|literal| {
            let holds = Bindings::default().fact(literal).is_some_and(|fact| system.statics.holds(&fact));
            !(system.is_static(literal.predicate) && holds)
        });
        for literal in post.description.literals.iter().filter(|literal| system.is_static(literal.predicate)) {
            if literal.variables().count() == literal.arguments.len() {
                continue;
            }
            let mut fitting = system.statics.candidates(literal, &Bindings::default()).iter().filter_map(|fact| {
                let mut bindings = Bindings::default();
                bindings.unify(literal, fact).map(|_| bindings)
            });
            if let (Some(only), None) = (fitting.next(), fitting.next()) {
                change = literal.variables().next().and_then(|variable| Some((variable, only.get(variable)?)));
                break;
            }
        }
        let Some((variable, name)) = change else { return input };
        let mut bind = |other| if other == variable { Argument::Object(name) } else { Argument::Variable(other) };
        post.description = post.description.map(&mut bind);
        input = input.map(|(square, player)| {
            (super::language::map_argument(square, &mut bind), super::language::map_argument(player, &mut bind))
        });
    }
}
