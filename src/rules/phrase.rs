//! From automata to what a person would have written.

use super::by_direction::{Leg, Legs, Path, Step, atom, say};
use super::no_backtrack::no_backtrack;
use super::symbol::{MAX_STATES, Symbol, symbols};
use super::tokens::MAX_DEPTH;
use super::{Atom, Landing, Zone};
use crate::automata::express::{Order, express};
use crate::automata::simplify::Simplifier;
use crate::automata::{Dfa, DfaState, Expression, Nfa, StateId};
use crate::board::Player;
use std::collections::BTreeSet;

/// What may be handled on the way to a phrase, in letters and signs: more than anybody would read.
const MAX_SIZE: usize = 4_000;

/// Automata with more states are phrased in one way only, instead of the best of several.
const MANY_STATES: usize = 60;

/// A text of so many characters is good enough: it fits into a line.
const SHORT: usize = 100;

/// The movement of an automaton in readable words: a line for this player alone with them, or one for both if the
/// player is the first, generates the same moves. None if it would be too large to be read, or nested too deeply.
///
/// Most pieces go straight on, with the same ways in several directions; that is tried first. Otherwise states are
/// eliminated one by one, with legs along directions for letters. Whatever comes out is only taken if its automaton has
/// the same words, apart from those that turn back at once; the shortest text wins. In the end there is always the
/// expression of the automaton step by step.
///
/// Where a movement first asks for a zone and most of it is the same within and without, the common part is said once.
pub fn phrase(automaton: &Dfa<Symbol>, zones: &[Zone], player: Player) -> Option<Expression<Atom>> {
    let whole = phrase_of_whole(automaton, zones, player);
    let parts = phrase_of_parts(automaton, zones, player);
    let length = |phrase: &Option<Expression<Atom>>| phrase.as_ref().map_or(usize::MAX, |it| it.to_string().len());
    if length(&parts) < length(&whole) { parts } else { whole }
}

fn phrase_of_parts(automaton: &Dfa<Symbol>, zones: &[Zone], player: Player) -> Option<Expression<Atom>> {
    let smallest = automaton.minimise();
    let start = &smallest.states()[0];
    let [(Symbol::Zone { number: n, within: false }, outside), (Symbol::Zone { number, within: true }, inside)] =
        start.edges[..]
    else {
        return None;
    };
    if n != number || start.accepting {
        return None;
    }
    let [outside, inside] = [outside, inside].map(|state| smallest.from(state));
    let (only_inside, only_outside) = (inside.without(&outside), outside.without(&inside));
    let common = inside.without(&only_inside);
    let guard = |within| Expression::Letter(Atom::Zone { name: zones[number].name.clone(), within });
    let mut parts = Vec::new();
    let nothing = |dfa: &Dfa<Symbol>| dfa.states().iter().all(|state| !state.accepting);
    if !nothing(&common) {
        parts.push(phrase_of_whole(&common, zones, player)?);
    }
    for (dfa, within) in [(only_inside, true), (only_outside, false)] {
        if !nothing(&dfa) {
            parts.push(Expression::sequence([guard(within), phrase_of_whole(&dfa, zones, player)?]));
        }
    }
    Some(Expression::choice(parts))
}

fn phrase_of_whole(automaton: &Dfa<Symbol>, zones: &[Zone], player: Player) -> Option<Expression<Atom>> {
    let smallest = automaton.minimise();
    let target = no_backtrack(&smallest).minimise();
    let legs = Simplifier(Legs::new());
    let is_right = |phrase: &Expression<Atom>| {
        let symbols = phrase.expand(&mut |atom| symbols(zones, atom, player, false));
        let automaton = Nfa::from_expression(&symbols, MAX_STATES).and_then(|nfa| nfa.determinise(MAX_STATES));
        depth(phrase) <= MAX_DEPTH && automaton.is_ok_and(|dfa| no_backtrack(&dfa).difference(&target).is_none())
    };
    let said = |legs: Expression<Leg>| legs.expand(&mut |leg| say(leg, zones, player));
    let simple = [Some(straight(&target)), chains(&target, &legs)];
    if let Some(phrase) = simple.into_iter().flatten().map(said).find(is_right) {
        return Some(phrase);
    }
    let mut best: Option<(usize, Expression<Atom>)> = None;
    for (dfa, hubs) in [(&smallest, false), (&smallest, true), (&target, false), (&target, true)] {
        let many = dfa.states().len() > MANY_STATES;
        let is_short = best.as_ref().is_some_and(|(length, _)| *length <= SHORT);
        if many && hubs || is_short && std::ptr::eq(dfa, &target) {
            continue;
        }
        let nfa = if hubs { dfa.with_hubs() } else { Nfa::from_states(dfa.states().iter().cloned()) };
        for &order in if many { &Order::ALL[..1] } else { &Order::ALL[..] } {
            // What is large on the way will hardly become a shorter text; a letter has a size of 2 and four signs or
            // more.
            let limit = best.as_ref().map_or(MAX_SIZE, |(length, _)| MAX_SIZE.min(length / 2));
            let Some(found) = express(&nfa, &legs, &mut |&symbol| Leg::from(symbol), order, limit) else { continue };
            let found = said(found);
            let length = found.to_string().chars().count();
            if best.as_ref().is_none_or(|(shortest, _)| length < *shortest) && is_right(&found) {
                best = Some((length, found));
            }
        }
    }
    let step_by_step = || {
        let plain = smallest.expression_within(MAX_SIZE)?;
        Some(plain.expand(&mut |&symbol| Expression::Letter(atom(symbol, zones)))).filter(|it| depth(it) <= MAX_DEPTH)
    };
    best.map(|(_, phrase)| phrase).or_else(step_by_step)
}

/// What can be gone without ever changing the direction.
fn straight(automaton: &Dfa<Symbol>) -> Expression<Leg> {
    fan(&ways(automaton, |state, _| state.accepting))
}

/// Straight ways, and chains of straight ways that may turn between any two: what a king of draughts does. The links
/// are read off the ways after which a word can turn for the first time.
fn chains(automaton: &Dfa<Symbol>, legs: &Simplifier<Legs>) -> Option<Expression<Leg>> {
    let turns = |state: &DfaState<Symbol>, along| {
        state.edges.iter().any(|edge| direction(edge.0).is_some_and(|(step, _)| step != along))
    };
    let nothing = path_automaton(&Expression::sequence([]))?;
    let mut links = ways(automaton, turns);
    for (_, way) in &mut links {
        // A way of several links is not a link.
        let some = way.without(&nothing).minimise().expression_within(MAX_SIZE)?;
        let several = path_automaton(&Expression::sequence([some.clone(), some.clone()]))?;
        *way = path_automaton(&some)?.without(&several).minimise();
    }
    let mut alone = ways(automaton, |state, _| state.accepting);
    for (step, way) in &mut alone {
        if let Some((_, link)) = links.iter().find(|link| link.0 == *step) {
            let linked = path_automaton(&link.expression_within(MAX_SIZE)?.repeat(1, None))?;
            *way = way.without(&linked).minimise();
        }
    }
    Some(legs.choice([fan(&alone), legs.repeat(fan(&links), 1, None)]))
}

fn path_automaton(path: &Path) -> Option<Dfa<Landing>> {
    Some(Nfa::from_expression(path, MAX_STATES).ok()?.determinise(MAX_SIZE).ok()?.minimise())
}

/// These ways as a leg; without those that cannot be gone, or would be too large.
fn fan(ways: &[(Step, Dfa<Landing>)]) -> Expression<Leg> {
    let path = |(step, way): &(Step, Dfa<Landing>)| Some((*step, way.expression_within(MAX_SIZE)?));
    let mut paths: Vec<(Step, Path)> = ways.iter().filter_map(path).collect();
    paths.retain(|way| way.1 != Expression::choice([]));
    if paths.is_empty() { Expression::choice([]) } else { Expression::Letter(Leg::Fan(paths)) }
}

fn direction(symbol: Symbol) -> Option<(Step, Landing)> {
    match symbol {
        Symbol::Step { dx, dy, landing } => Some(((dx, dy), landing)),
        _ => None,
    }
}

/// For each direction, the ways straight along it from the start to a state that counts as an end.
fn ways(automaton: &Dfa<Symbol>, is_end: impl Fn(&DfaState<Symbol>, Step) -> bool) -> Vec<(Step, Dfa<Landing>)> {
    let letters = automaton.states().iter().flat_map(|state| &state.edges).map(|edge| edge.0);
    let steps: BTreeSet<Step> = letters.filter_map(direction).map(|step| step.0).collect();
    let way = |along: Step| {
        let only = |&(symbol, to): &(Symbol, StateId)| {
            direction(symbol).filter(|step| step.0 == along).map(|(_, landing)| (landing, to))
        };
        let states = automaton.states().iter().map(|state| DfaState {
            accepting: is_end(state, along),
            edges: state.edges.iter().filter_map(only).collect(),
        });
        (along, Dfa::trimmed(states.collect()).minimise())
    };
    steps.into_iter().map(way).collect()
}

/// How deeply brackets are nested in the text.
fn depth(phrase: &Expression<Atom>) -> usize {
    fn of<L>(expression: &Expression<L>, letter: &impl Fn(&L) -> usize) -> usize {
        match expression {
            Expression::Letter(inner) => letter(inner),
            Expression::Sequence(parts) | Expression::Choice(parts) => {
                1 + parts.iter().map(|part| of(part, letter)).max().unwrap_or(0)
            }
            Expression::Repeat { of: inner, .. } => of(inner, letter),
        }
    }
    let path = |atom: &Atom| if let Atom::Along(_, path) = atom { 1 + of(path, &|_| 0) } else { 0 };
    1 + of(phrase, &path)
}
