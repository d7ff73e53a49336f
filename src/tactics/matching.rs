//! Matching a description with a state: distinct literals match distinct features, under one substitution.
//!
//! This is the reference: symbolic, for any system. Literals are taken in an order in which as much as possible is bound already.

use super::language::{Argument, Bindings, Description, Fact, Literal, Name, Variable};
use super::system::UpdateSystem;
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// What is called for every match; breaking ends the search.
pub type Found<'a> = dyn FnMut(&Bindings) -> ControlFlow<()> + 'a;

/// Finds every match of a description with facts, in a fixed order.
pub fn matches(
    system: &UpdateSystem,
    description: &Description,
    facts: &BTreeSet<Fact>,
    bindings: &Bindings,
    found: &mut Found,
) -> ControlFlow<()> {
    let order = order(system, &description.literals, bindings);
    let mut search =
        Search { system, unequal: &description.unequal, facts, used: Vec::new(), bindings: bindings.clone(), found };
    search.step(&order)
}

/// The first match, if there is one.
pub fn first_match(
    system: &UpdateSystem,
    description: &Description,
    facts: &BTreeSet<Fact>,
    bindings: &Bindings,
) -> Option<Bindings> {
    let mut first = None;
    let _ = matches(system, description, facts, bindings, &mut |bindings| {
        first = Some(bindings.clone());
        ControlFlow::Break(())
    });
    first
}

/// The facts that begin with a predicate, and with a first argument if that is known.
pub(super) fn facts_of(facts: &BTreeSet<Fact>, predicate: Name, first: Option<Name>) -> impl Iterator<Item = &Fact> {
    let from = Fact { predicate, arguments: first.into_iter().collect::<SmallVec<[Name; 3]>>() };
    facts.range(from..).take_while(move |fact| {
        fact.predicate == predicate && first.is_none_or(|first| fact.arguments.first() == Some(&first))
    })
}

/// Literals in the order in which they are matched: what has most bound first, static relations before features.
fn order<'a>(system: &UpdateSystem, literals: &'a [Literal], bindings: &Bindings) -> Vec<&'a Literal> {
    let mut known: Vec<Variable> =
        literals.iter().flat_map(Literal::variables).filter(|&variable| bindings.get(variable).is_some()).collect();
    let mut left: Vec<&Literal> = literals.iter().collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let score = |literal: &Literal| {
            let bound = |argument: &Argument| match argument {
                Argument::Object(_) => true,
                Argument::Variable(variable) => known.contains(variable),
            };
            let free = literal.arguments.iter().filter(|argument| !bound(argument)).count();
            let (any, first) = (free < literal.arguments.len(), literal.arguments.first().is_some_and(bound));
            match (system.is_static(literal.predicate), free) {
                (_, 0) => 0,
                (true, _) if any => 1 + free,
                (false, _) if first => 1 + free,
                (false, _) if any => 10 + free,
                (false, _) => 20 + free,
                (true, _) => 30 + free,
            }
        };
        let best = (0..left.len()).min_by_key(|&at| (score(left[at]), at)).unwrap_or(0);
        let literal = left.remove(best);
        known.extend(literal.variables());
        order.push(literal);
    }
    order
}

struct Search<'a, 'b> {
    system: &'a UpdateSystem,
    unequal: &'a [(Argument, Argument)],
    facts: &'a BTreeSet<Fact>,
    used: Vec<&'a Fact>,
    bindings: Bindings,
    found: &'a mut Found<'b>,
}

impl<'a> Search<'a, '_> {
    fn step(&mut self, left: &[&'a Literal]) -> ControlFlow<()> {
        let Some((literal, left)) = left.split_first() else { return (self.found)(&self.bindings) };
        if self.system.is_static(literal.predicate) {
            let system = self.system;
            for fact in system.statics.candidates(literal, &self.bindings) {
                self.take(literal, fact, left)?;
            }
            return ControlFlow::Continue(());
        }
        let facts = self.facts;
        if let Some(whole) = self.bindings.fact(literal) {
            return match facts.get(&whole).filter(|fact| !self.used.contains(fact)) {
                Some(fact) => self.feature(literal, fact, left),
                None => ControlFlow::Continue(()),
            };
        }
        let first = literal.arguments.first().and_then(|&argument| self.bindings.value(argument));
        for fact in facts_of(facts, literal.predicate, first) {
            if !self.used.contains(&fact) {
                self.feature(literal, fact, left)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn feature(&mut self, literal: &Literal, fact: &'a Fact, left: &[&'a Literal]) -> ControlFlow<()> {
        self.used.push(fact);
        let flow = self.take(literal, fact, left);
        self.used.pop();
        flow
    }

    fn take(&mut self, literal: &Literal, fact: &Fact, left: &[&'a Literal]) -> ControlFlow<()> {
        let Some(bound) = self.bindings.unify(literal, fact) else { return ControlFlow::Continue(()) };
        let flow = if self.bindings.respects(self.unequal) { self.step(left) } else { ControlFlow::Continue(()) };
        bound.iter().for_each(|&variable| self.bindings.clear(variable));
        flow
    }
}
