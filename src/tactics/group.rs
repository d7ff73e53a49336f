//! Sets of features of which exactly one holds for every object of a type: `one-of empty on` (for every square), `one-of on gone by piece`.

use super::language::{Fact, Name};

/// A set of features of which exactly one holds for every object of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The type.
    pub kind: Name,
    /// The features, each with the number of the argument that is the object.
    pub features: Vec<(Name, usize)>,
}

impl Group {
    /// Which argument of a feature is the object; `None` if it is not in this set.
    pub fn place(&self, feature: Name) -> Option<usize> {
        self.features.iter().find(|(name, _)| *name == feature).map(|&(_, place)| place)
    }

    /// The object that a fact of this set is about.
    pub fn key(&self, fact: &Fact) -> Option<Name> {
        fact.arguments.get(self.place(fact.predicate)?).copied()
    }

    /// Whether all of its features name the object first.
    pub fn is_by_first(&self) -> bool {
        self.features.iter().all(|&(_, place)| place == 0)
    }
}
