//! Which objects were seen together in an action.

use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// For each pair of arguments of an action, the pairs of objects that were seen there. Here, and nowhere else, objects
/// of one name are the same object in all traces.
#[derive(Clone, Debug, Default)]
pub(super) struct Tuples {
    numbers: FxHashMap<Box<str>, u32>,
    names: Vec<Box<str>>,
    relations: FxHashMap<TuplePlace, PairCounts>,
}

/// An action, and two of its different objects, the earlier first.
pub(super) type TuplePlace = (u32, u8, u8);

/// How often each pair was seen: once, or more often. `None` if there are too many.
type PairCounts = Option<FxHashMap<(u32, u32), Seen>>;

/// Pairs of names, sorted.
type Pairs<'a> = BTreeMap<(&'a str, &'a str), Seen>;

/// How often a pair was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Once,
    Often,
}

/// More pairs than this are too many to be written down.
const MAX_TUPLES: usize = 10_000;

impl Tuples {
    /// A name's number.
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.numbers.insert(name.into(), number);
        self.names.push(name.into());
        number
    }

    /// The different objects of an action.
    pub fn see(&mut self, action: u32, objects: &[u32]) {
        for (k, &first) in objects.iter().enumerate() {
            for (l, &second) in objects.iter().enumerate().skip(k + 1) {
                self.add((action, k as u8, l as u8), first, second, Seen::Once);
            }
        }
    }

    fn add(&mut self, place: TuplePlace, first: u32, second: u32, seen: Seen) {
        let relation = self.relations.entry(place).or_insert_with(|| Some(FxHashMap::default()));
        let Some(tuples) = relation else { return };
        tuples.entry((first, second)).and_modify(|seen| *seen = Seen::Often).or_insert(seen);
        if tuples.len() > MAX_TUPLES {
            *relation = None;
        }
    }

    /// Adds the tuples of another, whose actions have other numbers.
    pub fn merge(&mut self, other: &Tuples, action: impl Fn(u32) -> u32) {
        for (&(old, k, l), relation) in &other.relations {
            let place = (action(old), k, l);
            match relation {
                None => drop(self.relations.insert(place, None)),
                Some(tuples) => {
                    self.relations.entry(place).or_insert_with(|| Some(FxHashMap::default()));
                    for (&(first, second), &seen) in tuples {
                        let first = self.number(&other.names[first as usize]);
                        let second = self.number(&other.names[second as usize]);
                        self.add(place, first, second, seen);
                    }
                }
            }
        }
    }

    /// The same with other numbers of the actions.
    pub fn renumbered(&self, actions: &[u32]) -> Tuples {
        let mut same = Tuples::default();
        same.merge(self, |action| actions[action as usize]);
        same
    }

    /// All that was seen, sorted.
    pub fn sorted(&self) -> BTreeMap<TuplePlace, Option<Pairs<'_>>> {
        let name = |number: u32| &*self.names[number as usize];
        let named = |tuples: &FxHashMap<(u32, u32), Seen>| {
            tuples.iter().map(|(&(first, second), &seen)| ((name(first), name(second)), seen)).collect()
        };
        self.relations.iter().map(|(&place, relation)| (place, relation.as_ref().map(named))).collect()
    }

    /// What was written down, read again.
    pub fn restore(&mut self, place: TuplePlace, tuples: Option<Vec<(&str, &str, Seen)>>) {
        match tuples {
            None => drop(self.relations.insert(place, None)),
            Some(tuples) => {
                for (first, second, seen) in tuples {
                    let (first, second) = (self.number(first), self.number(second));
                    self.add(place, first, second, seen);
                }
            }
        }
    }
}

/// Whether pairs of objects show that only some of them are allowed.
///
/// The objects seen in either place could make many more pairs; the action was seen so often that they should have come,
/// eight times each if all were alike; and all that did come came again. (The chance that the next pair is a new one is
/// about the share of pairs seen once.)
pub(super) fn is_static(tuples: &Pairs, count: u64) -> bool {
    let first: BTreeSet<&str> = tuples.keys().map(|pair| pair.0).collect();
    let second: BTreeSet<&str> = tuples.keys().map(|pair| pair.1).collect();
    let possible = first.len() * second.len() - first.intersection(&second).count();
    let once = tuples.values().filter(|&&seen| seen == Seen::Once).count() as u64;
    10 * tuples.len() <= 9 * possible && count >= 8 * possible as u64 && once * 1000 <= count
}
