//! Static relations: facts that never change, found by any of their arguments.

use super::language::{Bindings, Fact, Literal, Name};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The facts of static relations, found by any argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StaticTable {
    facts: BTreeSet<Fact>,
    by_predicate: FxHashMap<Name, Vec<Fact>>,
    by_argument: FxHashMap<(Name, u8, Name), Vec<Fact>>,
}

impl StaticTable {
    pub(super) fn insert(&mut self, fact: Fact) {
        if self.facts.insert(fact.clone()) {
            for (place, &name) in fact.arguments.iter().enumerate() {
                self.by_argument.entry((fact.predicate, place as u8, name)).or_default().push(fact.clone());
            }
            self.by_predicate.entry(fact.predicate).or_default().push(fact);
        }
    }

    /// Whether a fact holds.
    pub fn holds(&self, fact: &Fact) -> bool {
        self.facts.contains(fact)
    }

    /// Facts among which are all that fit a literal.
    pub fn candidates(&self, literal: &Literal, bindings: &Bindings) -> &[Fact] {
        let mut best: &[Fact] = self.by_predicate.get(&literal.predicate).map_or(&[], Vec::as_slice);
        for (place, &argument) in literal.arguments.iter().enumerate() {
            if let Some(name) = bindings.value(argument) {
                let found =
                    self.by_argument.get(&(literal.predicate, place as u8, name)).map_or(&[][..], Vec::as_slice);
                if found.len() <= best.len() {
                    best = found;
                }
            }
        }
        best
    }

    /// All facts, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter()
    }
}
