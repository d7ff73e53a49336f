//! From automata to what a person would have written.

use super::fan::{Leg, Legs, Path, Step, atom, say};
use super::forth::forth;
use super::symbol::{MAX_STATES, Symbol, symbols};
use super::tokens::MAX_DEPTH;
use super::{Atom, Landing, Zone};
use crate::automata::express::{Order, express};
use crate::automata::simplify::Simplifier;
use crate::automata::{Dfa, DfaState, Expression, Nfa, StateId};
use crate::board::Player;

/// What may be handled on the way to a phrase, in letters and signs: more than anybody would read.
const MAX_SIZE: usize = 4_000;

/// Automata with more states are phrased in one way only, instead of the best of several.
const MANY_STATES: usize = 60;

/// The movement of an automaton in readable words: a line for this player alone with them, or one for both if the player
/// is the first, generates the same moves. None if it would be too large to be read, or nested too deeply.
///
/// Most pieces go straight on, with the same ways in several directions; that is tried first. Otherwise states are
/// eliminated one by one, with legs along directions for letters. Whatever comes out is only taken if its automaton has
/// the same words, apart from those that turn back at once; the shortest text wins. In the end there is always the
/// expression of the automaton step by step.
pub fn phrase(automaton: &Dfa<Symbol>, zones: &[Zone], player: Player) -> Option<Expression<Atom>> {
    let smallest = automaton.minimise();
    let target = forth(&smallest).minimise();
    let legs = Simplifier(Legs::new());
    let is_right = |phrase: &Expression<Atom>| {
        let symbols = phrase.expand(&mut |atom| symbols(zones, atom, player, false));
        let automaton = Nfa::from_expression(&symbols, MAX_STATES).and_then(|nfa| nfa.determinise(MAX_STATES));
        depth(phrase) <= MAX_DEPTH && automaton.is_ok_and(|dfa| forth(&dfa).difference(&target).is_none())
    };
    let said = |legs: Expression<Leg>| legs.expand(&mut |leg| say(leg, zones, player));
    let straight = said(Expression::Letter(straight(&target, &legs.0)));
    if is_right(&straight) {
        return Some(straight);
    }
    let mut phrases = Vec::new();
    for (dfa, orders) in [&smallest, &target].into_iter().zip([3, 3]) {
        let orders = if dfa.states().len() > MANY_STATES { 1 } else { orders };
        for &order in &Order::ALL[..orders] {
            let found = express(dfa, &legs, &mut |&symbol| Leg::from(symbol), order, MAX_SIZE);
            phrases.extend(found.map(said));
        }
    }
    phrases.sort_by_cached_key(|phrase| phrase.to_string().chars().count());
    phrases.dedup();
    let step_by_step = || {
        let plain = smallest.expression_within(MAX_SIZE)?;
        Some(plain.expand(&mut |&symbol| Expression::Letter(atom(symbol, zones)))).filter(|it| depth(it) <= MAX_DEPTH)
    };
    phrases.into_iter().find(is_right).or_else(step_by_step)
}

/// What can be gone without ever changing the direction.
fn straight(automaton: &Dfa<Symbol>, legs: &Legs) -> Leg {
    let step = |symbol: Symbol| match symbol {
        Symbol::Step { dx, dy, landing } => Some(((dx, dy), landing)),
        _ => None,
    };
    let mut steps: Vec<Step> = automaton
        .states()
        .iter()
        .flat_map(|state| &state.edges)
        .filter_map(|edge| step(edge.0))
        .map(|step| step.0)
        .collect();
    steps.sort_unstable();
    steps.dedup();
    let path = |&along: &Step| {
        let only =
            |&(symbol, to): &(Symbol, StateId)| step(symbol).filter(|step| step.0 == along).map(|step| (step.1, to));
        let states = automaton.states().iter().map(|state| DfaState::<Landing> {
            accepting: state.accepting,
            edges: state.edges.iter().filter_map(only).collect(),
        });
        let path: Path = Dfa::trimmed(states.collect()).minimise().expression_within(MAX_SIZE)?;
        (path != Expression::choice([])).then(|| (along, legs.written(path)))
    };
    Leg::Fan(steps.iter().filter_map(path).collect())
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
