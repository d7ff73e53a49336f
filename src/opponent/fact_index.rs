//! The facts of states under the numbers of a model, which stay the same whatever game is read.

use super::naive_bayes::FeatureId;
use crate::game::{Fact, Game, Term};
use rustc_hash::FxHashMap;

/// Terms, each under a number.
#[derive(Clone, Debug, Default)]
pub struct TermIndex {
    terms: Vec<Term>,
    numbers: FxHashMap<Term, u32>,
}

impl TermIndex {
    /// The number of a term; it gets one if it has none.
    pub fn intern(&mut self, term: &Term) -> u32 {
        if let Some(&number) = self.numbers.get(term) {
            return number;
        }
        let number = self.terms.len() as u32;
        self.terms.push(term.clone());
        self.numbers.insert(term.clone(), number);
        number
    }

    /// The number of a term, if it has one.
    pub fn get(&self, term: &Term) -> Option<u32> {
        self.numbers.get(term).copied()
    }

    /// The terms in the order of their numbers.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }
}

/// The facts that a model knows, and how a game numbers them.
#[derive(Clone, Debug, Default)]
pub struct FactIndex {
    /// What the model's numbers mean.
    pub index: TermIndex,
    /// By the game's number of a fact, the model's.
    by_fact: Vec<u32>,
}

impl FactIndex {
    /// Gets ready for a game: all facts that it numbers have a number here too.
    pub fn bind<G: Game>(&mut self, game: &G) {
        self.by_fact = game.fact_terms().iter().map(|term| self.index.intern(term)).collect();
    }

    /// Replaces `facts` by those of a state that have a number.
    pub fn read<G: Game>(&self, game: &G, state: &G::State, facts: &mut Vec<FeatureId>) {
        facts.clear();
        game.for_each_fact(state, &mut |fact| {
            let number = match fact {
                Fact::Numbered(id) => self.by_fact.get(id.index()).copied(),
                Fact::Unnumbered(term) => self.index.get(term),
            };
            facts.extend(number.map(FeatureId));
        });
    }

    /// The same, but facts without a number get one.
    pub fn learn<G: Game>(&mut self, game: &G, state: &G::State, facts: &mut Vec<FeatureId>) {
        facts.clear();
        game.for_each_fact(state, &mut |fact| {
            let number = match fact {
                Fact::Numbered(id) => self.by_fact.get(id.index()).copied(),
                Fact::Unnumbered(term) => Some(self.index.intern(term)),
            };
            facts.extend(number.map(FeatureId));
        });
    }
}
