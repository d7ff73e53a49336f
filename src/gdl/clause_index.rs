//! First-argument indexing: clauses by relation and first argument of their heads, so that those that may unify with an atom
//! are found without trying all.

use super::program::{Clause, Pat};
use super::terms::{Functor, TermId};
use rustc_hash::FxHashMap;

/// The numbers of clauses, by relation and first argument.
#[derive(Clone, Debug, Default)]
pub(super) struct ClauseIndex {
    all: FxHashMap<Functor, Vec<u32>>,
    /// Those whose first argument is a thing, and those for which it is not known what it is.
    begin_with: FxHashMap<(Functor, TermId), Vec<u32>>,
    others: FxHashMap<Functor, Vec<u32>>,
}

impl ClauseIndex {
    pub fn new<'a>(clauses: impl IntoIterator<Item = (u32, &'a Clause)>) -> ClauseIndex {
        let mut heads = ClauseIndex::default();
        for (number, clause) in clauses {
            let relation = clause.relation();
            heads.all.entry(relation).or_default().push(number);
            match first(&clause.head) {
                Some(term) => heads.begin_with.entry((relation, term)).or_default().push(number),
                None => heads.others.entry(relation).or_default().push(number),
            }
        }
        heads
    }

    /// All clauses whose heads may be an atom that fits a pattern, and some that may not.
    pub fn candidates(&self, pat: &Pat) -> impl Iterator<Item = u32> + '_ {
        let relation = pat.functor();
        let (one, other) = match first(pat) {
            Some(term) => (self.begin_with.get(&(relation, term)), self.others.get(&relation)),
            None => (self.all.get(&relation), None),
        };
        one.into_iter().chain(other).flatten().copied()
    }
}

fn first(pat: &Pat) -> Option<TermId> {
    match pat {
        Pat::Apply(_, parts) => match parts.first() {
            Some(Pat::Ground(term)) => Some(*term),
            _ => None,
        },
        Pat::Variable(_) | Pat::Ground(_) => None,
    }
}
