//! What an event is to proofs: a system in which whoever brings it about, or something better, first has won.
//!
//! Every rule of the game that adds the feature of the event, or of a better one, gets a companion with the same condition that adds `won`. So all
//! that is known about winning (learner, recogniser, checkers) is about the event. One thing is added: a win ends the game, an event does not. What was brought about
//! must stand, so that a queen which is taken back at once is none, nor one for which the king is lost; a feature beside `won` says which of both it was.

use super::event::Event;
use super::language::{Argument, Bindings, Literal, Name, Variable, map_argument};
use super::system::{Kind, Predicate, UpdateRule, UpdateSystem};
use std::collections::HashMap;

/// No text can say it, so that no system has a feature of this name.
const OUTRIGHT: &str = "won outright";

impl UpdateSystem {
    /// The event of a name.
    pub fn find_event(&self, name: &str) -> Option<&Event> {
        self.events.iter().find(|event| self.names.text(event.name) == name)
    }

    /// The system in which this event, or a better one, is a win; names keep their numbers.
    #[must_use]
    pub fn for_event(&self, name: Name) -> UpdateSystem {
        let mut system = self.clone();
        let Some(last) = self.events.iter().position(|event| event.name == name) else { return system };
        let outright = system.names.intern(OUTRIGHT);
        let player = system.predicates.get(&system.won).map(|won| won.types.clone()).unwrap_or_default();
        system.predicates.insert(outright, Predicate { kind: Kind::Feature, types: player });
        (system.event, system.outright) = (Some(name), Some(outright));
        for rule in &mut system.rules {
            let wins = rule.add.iter().filter(|literal| literal.predicate == self.won).cloned();
            let wins: Vec<Literal> = wins.map(|literal| Literal { predicate: outright, ..literal }).collect();
            rule.add.extend(wins);
        }
        for event in &self.events[..=last] {
            for rule in &self.rules {
                let companions = rule.add.iter().filter_map(|add| companion(self, rule, add, event));
                let companions: Vec<UpdateRule> = companions.collect();
                for companion in companions {
                    if !system.rules.contains(&companion) {
                        system.rules.push(companion);
                    }
                }
            }
        }
        system
    }
}

/// The rule that says that the event has come about where another rule adds its feature; `None` if that rule never does.
fn companion(system: &UpdateSystem, rule: &UpdateRule, add: &Literal, event: &Event) -> Option<UpdateRule> {
    if add.predicate != event.feature.predicate || add.arguments.len() != event.feature.arguments.len() {
        return None;
    }
    // Variables of the event are kept apart from those of the rule.
    let used = rule.condition.iter().flat_map(Literal::variables).map(|variable| variable.0 + 1).max().unwrap_or(0);
    let mut apart = |variable: Variable| Argument::Variable(Variable(variable.0 + used));
    let feature = event.feature.map(&mut apart);
    let mut same: HashMap<Variable, Argument> = HashMap::new();
    for (&one, &other) in feature.arguments.iter().zip(&add.arguments) {
        match (resolve(&same, one), resolve(&same, other)) {
            (one, other) if one == other => {}
            (Argument::Variable(one), other) => drop(same.insert(one, other)),
            (one, Argument::Variable(other)) => drop(same.insert(other, one)),
            (Argument::Object(_), Argument::Object(_)) => return None,
        }
    }
    let mut change = |variable: Variable| resolve(&same, Argument::Variable(variable));
    let relations = event.relations.iter().map(|literal| literal.map(&mut apart));
    let mut condition: Vec<Literal> = Vec::new();
    for literal in rule.condition.iter().cloned().chain(relations) {
        let literal = literal.map(&mut change);
        if !condition.contains(&literal) {
            condition.push(literal);
        }
    }
    // What names no variable is settled here.
    let holds = |literal: &Literal| Bindings::default().fact(literal).is_none_or(|fact| system.statics.holds(&fact));
    if condition.iter().any(|literal| system.is_static(literal.predicate) && !holds(literal)) {
        return None;
    }
    let unequal =
        rule.unequal.iter().map(|&(a, b)| (map_argument(a, &mut change), map_argument(b, &mut change))).collect();
    let player = resolve(&same, Argument::Variable(Variable(event.player.0 + used)));
    let name = format!("{}:{}", rule.name, system.names.text(event.name));
    let won = Literal { predicate: system.won, arguments: [player].into_iter().collect() };
    Some(UpdateRule { name, condition, unequal, add: vec![won], delete: Vec::new(), span: rule.span.clone() })
}

fn resolve(same: &HashMap<Variable, Argument>, mut argument: Argument) -> Argument {
    while let Argument::Variable(variable) = argument {
        match same.get(&variable) {
            Some(&next) => argument = next,
            None => break,
        }
    }
    argument
}
