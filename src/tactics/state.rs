//! States as sets of features, and what a move does: the trace of the rules that fired.

use super::language::{Argument, Bindings, Description, Fact, Name};
use super::matching::{facts_of, first_match, matches};
use super::system::{UpdateRule, UpdateSystem};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A state between moves: its features. The description that has them all is the maximally specialised one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// What holds.
    pub facts: BTreeSet<Fact>,
}

/// A rule that fired, and for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Firing {
    /// The rule's number in its system.
    pub rule: usize,
    /// What its variables stood for.
    pub bindings: Bindings,
}

/// What a move did: rounds of rules that fired together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateTrace {
    /// The square.
    pub square: Name,
    /// Who moved.
    pub player: Name,
    /// The rules of each round.
    pub rounds: Vec<Vec<Firing>>,
}

/// A move after which rules fire more often than this is refused as one that never ends.
pub(super) const MOST_ROUNDS: usize = 1000;

impl UpdateSystem {
    /// The state before the first move.
    pub fn start_state(&self) -> State {
        State { facts: self.start.clone() }
    }
}

impl State {
    /// Plays a move; `None` if it is illegal, or if the rules never come to rest after it.
    pub fn play(&self, system: &UpdateSystem, square: Name, player: Name) -> Option<(State, UpdateTrace)> {
        let mut facts = self.facts.clone();
        let entered = system.move_fact(square, player);
        facts.insert(entered.clone());
        let mut rounds = Vec::new();
        let mut first = true;
        loop {
            let firings = applicable(system, &facts, first.then_some(&entered));
            first = false;
            if firings.is_empty() {
                break;
            }
            if rounds.len() == MOST_ROUNDS {
                return None;
            }
            let before = facts.clone();
            let rule = |firing: &Firing| &system.rules[firing.rule];
            for firing in &firings {
                for fact in rule(firing).delete.iter().filter_map(|literal| firing.bindings.fact(literal)) {
                    facts.remove(&fact);
                }
            }
            for firing in &firings {
                facts.extend(rule(firing).add.iter().filter_map(|literal| firing.bindings.fact(literal)));
            }
            rounds.push(firings);
            if facts == before {
                // What adds only what is there has come to rest.
                break;
            }
        }
        (!facts.contains(&entered)).then_some((State { facts }, UpdateTrace { square, player, rounds }))
    }

    /// Whether somebody has won.
    pub fn winner(&self, system: &UpdateSystem) -> Option<Name> {
        facts_of(&self.facts, system.won, None).next().and_then(|fact| fact.arguments.first().copied())
    }

    /// The moves that a player may make, were it to move.
    pub fn legal(&self, system: &UpdateSystem, player: Name) -> Vec<Name> {
        let squares = system.objects_at(system.input_move, 0);
        if system.has_moves && is_direct(system) {
            return self.legal_from_features(system, player);
        }
        squares.iter().copied().filter(|&square| self.is_legal(system, square, player)).collect()
    }

    /// The same, found from what stands on the board: most moves of few pieces start where nothing does.
    fn legal_from_features(&self, system: &UpdateSystem, player: Name) -> Vec<Name> {
        let mut legal = BTreeSet::new();
        if self.winner(system).is_some() {
            return Vec::new();
        }
        for rule in system.rules.iter().filter(|rule| consumes(system, rule)) {
            for input in rule.condition.iter().filter(|literal| literal.predicate == system.input_move) {
                let mut bindings = Bindings::default();
                match input.arguments[1] {
                    Argument::Variable(variable) => bindings.set(variable, player),
                    Argument::Object(name) if name != player => continue,
                    Argument::Object(_) => {}
                }
                let literals = rule.condition.iter().filter(|other| *other != input).cloned().collect();
                let rest = Description { literals, unequal: rule.unequal.clone() };
                let _ = matches(system, &rest, &self.facts, &bindings, &mut |bindings| {
                    match bindings.value(input.arguments[0]) {
                        Some(square) => drop(legal.insert(square)),
                        None => legal.extend(system.objects_at(system.input_move, 0)),
                    }
                    ControlFlow::Continue(())
                });
            }
        }
        system.objects_at(system.input_move, 0).iter().copied().filter(|square| legal.contains(square)).collect()
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, system: &UpdateSystem, square: Name, player: Name) -> bool {
        if self.winner(system).is_some() {
            return false;
        }
        let entered = system.move_fact(square, player);
        for rule in system.rules.iter().filter(|rule| consumes(system, rule)) {
            for literal in rule.condition.iter().filter(|literal| literal.predicate == system.input_move) {
                let mut bindings = Bindings::default();
                if bindings.unify(literal, &entered).is_none() {
                    continue;
                }
                // The rest of the condition is looked for in the state, which is not copied for it.
                let literals = rule.condition.iter().filter(|other| *other != literal).cloned().collect();
                let rest = Description { literals, unequal: rule.unequal.clone() };
                if first_match(system, &rest, &self.facts, &bindings).is_some() {
                    return true;
                }
            }
        }
        !is_direct(system) && self.play(system, square, player).is_some()
    }

    /// The moves with which a player wins at once.
    pub fn winning_moves(&self, system: &UpdateSystem, player: Name) -> Vec<Name> {
        let mut squares = BTreeSet::new();
        if self.winner(system).is_some() {
            return Vec::new();
        }
        for rule in &system.rules {
            let wins = rule.add.iter().any(|literal| literal.predicate == system.won);
            if !wins {
                continue;
            }
            let Some(input) = rule.condition.iter().find(|literal| literal.predicate == system.input_move) else {
                // The win follows from what the move adds first: every move has to be tried.
                squares.extend(system.objects_at(system.input_move, 0));
                continue;
            };
            let mut bindings = Bindings::default();
            if bindings.value(input.arguments[1]).is_some_and(|mover| mover != player) {
                continue;
            }
            if let Argument::Variable(variable) = input.arguments[1] {
                bindings.set(variable, player);
            }
            let literals = rule.condition.iter().filter(|literal| *literal != input).cloned().collect();
            let rest = Description { literals, unequal: rule.unequal.clone() };
            let _ = matches(system, &rest, &self.facts, &bindings, &mut |bindings| {
                match bindings.value(input.arguments[0]) {
                    Some(square) => {
                        squares.insert(square);
                    }
                    None => squares.extend(system.objects_at(system.input_move, 0)),
                }
                ControlFlow::Continue(())
            });
        }
        let wins = |&square: &Name| {
            self.play(system, square, player).is_some_and(|(state, _)| state.winner(system) == Some(player))
        };
        squares.into_iter().filter(wins).collect()
    }
}

/// Whether a rule takes the move away, so that it was legal.
fn consumes(system: &UpdateSystem, rule: &UpdateRule) -> bool {
    rule.delete.iter().any(|literal| literal.predicate == system.input_move)
}

/// Whether the rules that take a move away look only at what held before the move, so that nothing else has to fire first.
pub(super) fn is_direct(system: &UpdateSystem) -> bool {
    let others = system.rules.iter().filter(|rule| !consumes(system, rule)).flat_map(|rule| &rule.add);
    let added: BTreeSet<Name> = others.map(|literal| literal.predicate).collect();
    let mut takers = system.rules.iter().filter(|rule| consumes(system, rule));
    takers.all(|rule| rule.condition.iter().all(|literal| !added.contains(&literal.predicate)))
}

/// The rules that match, each way in which they do, in order. In the first round only what the move enters can be new.
fn applicable(system: &UpdateSystem, facts: &BTreeSet<Fact>, entered: Option<&Fact>) -> Vec<Firing> {
    let mut firings = Vec::new();
    for (number, rule) in system.rules.iter().enumerate() {
        let mut add = |bindings: &Bindings| {
            let firing = Firing { rule: number, bindings: bindings.clone() };
            if changes(rule, bindings, facts) && !firings.contains(&firing) {
                firings.push(firing);
            }
            ControlFlow::Continue(())
        };
        let description = Description { literals: rule.condition.clone(), unequal: rule.unequal.clone() };
        match entered {
            Some(entered) => {
                for literal in rule.condition.iter().filter(|literal| literal.predicate == entered.predicate) {
                    let mut bindings = Bindings::default();
                    if bindings.unify(literal, entered).is_some() {
                        let _ = matches(system, &description, facts, &bindings, &mut add);
                    }
                }
            }
            None => {
                let _ = matches(system, &description, facts, &Bindings::default(), &mut add);
            }
        }
    }
    firings
}

/// A rule whose additions are there and which deletes nothing has fired already.
fn changes(rule: &UpdateRule, bindings: &Bindings, facts: &BTreeSet<Fact>) -> bool {
    !rule.delete.is_empty()
        || rule.add.iter().filter_map(|literal| bindings.fact(literal)).any(|fact| !facts.contains(&fact))
}
