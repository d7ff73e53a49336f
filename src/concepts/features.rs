//! Features: what a regression may weigh, and which of them each position has, how often.
//!
//! A feature is a single fact where it stands, a subset of facts where they stand, or a pair or triple of facts by where they stand to
//! each other: numbers become variables with what is added to them, names stay. The last kind is the same everywhere on a board, so that few
//! games say much about it.

use super::concept::Concept;
use super::fact_table::{FactTable, Value};
use super::literal::{Argument, Literal};
use crate::game::{FactId, Term};
use rustc_hash::FxHashMap;

/// Which kinds of features there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FeatureKinds {
    /// Pairs by where they stand to each other, numbers at most so far apart; none for 0.
    pub reach: i64,
    /// Subsets where they stand, of up to so many facts; single facts for 1.
    pub subsets: usize,
    /// Triples by where they stand to each other: those of these concepts.
    pub triples: Vec<Concept>,
}

/// Features by number, and for each position the numbers of those it has.
#[derive(Clone, Debug)]
pub(super) struct Features {
    pub bodies: Vec<Vec<Literal>>,
    /// By position: where its features begin in `numbers`.
    pub starts: Vec<usize>,
    pub numbers: Vec<u32>,
}

/// What tells features apart while they are collected.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Facts([u32; 3]),
    Pair(PairKey),
    Triple(u32),
}

/// What two facts say, and for each argument the difference of two numbers or both values.
type PairKey = (u32, u32, Vec<Place>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Place {
    Apart(i64),
    Both(Value, Value),
    One(Value),
}

const NONE: u32 = u32::MAX;

impl Features {
    /// The features of positions, each with its facts in the order of their numbers; those that fewer than `least` positions have are left out.
    /// `None` if positions have more than `most` together.
    pub fn collect(
        positions: &[Vec<FactId>],
        terms: &[Term],
        table: &FactTable,
        kinds: &FeatureKinds,
        least: u32,
        most: usize,
    ) -> Option<Features> {
        let mut collector = Collector {
            table,
            kinds,
            ids: FxHashMap::default(),
            keys: Vec::new(),
            pairs: FxHashMap::default(),
            examples: FxHashMap::default(),
        };
        let triples = collector.triples(terms);
        let (mut starts, mut numbers) = (vec![0], Vec::new());
        let mut place_of: Vec<bool> = vec![false; terms.len()];
        for facts in positions {
            collector.position(facts, &mut numbers);
            if !triples.is_empty() {
                facts.iter().for_each(|fact| place_of[fact.index()] = true);
                for fact in facts {
                    let here = triples.get(fact).into_iter().flatten();
                    let matched = here.filter(|(others, _)| others.iter().all(|other| place_of[other.index()]));
                    numbers.extend(matched.map(|(_, number)| *number));
                }
                facts.iter().for_each(|fact| place_of[fact.index()] = false);
            }
            starts.push(numbers.len());
            if numbers.len() > most {
                return None;
            }
        }
        let bodies: Vec<Vec<Literal>> =
            (0..).zip(&collector.keys).map(|(number, key)| collector.body(number, key, terms)).collect();
        Some(Features::kept(bodies, &starts, &numbers, least))
    }

    /// Leaves out what is rare, and numbers the rest anew.
    fn kept(all: Vec<Vec<Literal>>, starts: &[usize], numbers: &[u32], least: u32) -> Features {
        let mut last = vec![NONE; all.len()];
        let mut seen = vec![0_u32; all.len()];
        for (row, bounds) in starts.windows(2).enumerate() {
            for &number in &numbers[bounds[0]..bounds[1]] {
                if last[number as usize] != row as u32 {
                    last[number as usize] = row as u32;
                    seen[number as usize] += 1;
                }
            }
        }
        let mut renumber = vec![NONE; all.len()];
        let mut bodies = Vec::new();
        for (number, body) in all.into_iter().enumerate().filter(|(number, _)| seen[*number] >= least) {
            renumber[number] = bodies.len() as u32;
            bodies.push(body);
        }
        let mut kept = Features { bodies, starts: vec![0], numbers: Vec::with_capacity(numbers.len()) };
        for bounds in starts.windows(2) {
            let old = numbers[bounds[0]..bounds[1]].iter().map(|&number| renumber[number as usize]);
            kept.numbers.extend(old.filter(|number| *number != NONE));
            kept.starts.push(kept.numbers.len());
        }
        kept
    }

    /// The features of a position.
    pub fn of(&self, position: usize) -> &[u32] {
        &self.numbers[self.starts[position]..self.starts[position + 1]]
    }
}

struct Collector<'a> {
    table: &'a FactTable,
    kinds: &'a FeatureKinds,
    ids: FxHashMap<Key, u32>,
    keys: Vec<Key>,
    /// The numbers of pairs that were seen before; `NONE` if they are too far apart.
    pairs: FxHashMap<(FactId, FactId), u32>,
    /// Two facts for each pair by where they stand to each other.
    examples: FxHashMap<u32, (FactId, FactId)>,
}

/// For each fact the other facts of triples that begin with it, and the triples' numbers.
type Triples = FxHashMap<FactId, Vec<(Vec<FactId>, u32)>>;

/// The most ways to match a concept of three literals.
const MOST_TRIPLES: usize = 1 << 14;

impl Collector<'_> {
    fn id(&mut self, key: Key) -> u32 {
        let keys = &mut self.keys;
        *self.ids.entry(key).or_insert_with_key(|key| {
            keys.push(key.clone());
            keys.len() as u32 - 1
        })
    }

    fn triples(&mut self, terms: &[Term]) -> Triples {
        let mut found = Triples::default();
        for (number, concept) in self.kinds.triples.iter().enumerate() {
            let number = self.id(Key::Triple(number as u32));
            let mut here = self.table.instances(concept.body(), MOST_TRIPLES).found;
            here.iter_mut().for_each(|facts| facts.sort());
            here.sort();
            here.dedup();
            debug_assert!(here.iter().flatten().all(|fact| fact.index() < terms.len()));
            for facts in here {
                found.entry(facts[0]).or_default().push((facts[1..].to_vec(), number));
            }
        }
        found
    }

    fn position(&mut self, facts: &[FactId], numbers: &mut Vec<u32>) {
        let (reach, size) = (self.kinds.reach, self.kinds.subsets);
        for (i, one) in facts.iter().enumerate() {
            let single = self.id(Key::Facts([one.0, NONE, NONE]));
            numbers.push(single);
            if reach == 0 && size < 2 {
                continue;
            }
            for (j, other) in facts.iter().enumerate().skip(i + 1) {
                if reach > 0 {
                    let number = match self.pairs.get(&(*one, *other)) {
                        Some(number) => *number,
                        None => {
                            let number = self.pair(*one, *other).map_or(NONE, |key| self.id(Key::Pair(key)));
                            self.pairs.insert((*one, *other), number);
                            self.examples.entry(number).or_insert((*one, *other));
                            number
                        }
                    };
                    if number != NONE {
                        numbers.push(number);
                    }
                }
                if size >= 2 {
                    numbers.push(self.id(Key::Facts([one.0, other.0, NONE])));
                }
                if size >= 3 {
                    for third in &facts[j + 1..] {
                        numbers.push(self.id(Key::Facts([one.0, other.0, third.0])));
                    }
                }
            }
        }
    }

    /// The body of the rule that a feature is.
    fn body(&self, number: u32, key: &Key, terms: &[Term]) -> Vec<Literal> {
        let fact = |number: &u32| Literal::of_term(&terms[*number as usize]);
        match key {
            Key::Facts(facts) => facts.iter().filter(|fact| **fact != NONE).map(fact).collect(),
            Key::Triple(number) => self.kinds.triples[*number as usize].body().to_vec(),
            Key::Pair(_) => {
                let (one, other) = self.examples[&number];
                pair_body(&fact(&one.0), &fact(&other.0)).map(|pair| pair.body().to_vec()).unwrap_or_default()
            }
        }
    }

    /// How two facts stand to each other; `None` if too far apart, or if they have no numbers to compare.
    fn pair(&self, one: FactId, other: FactId) -> Option<PairKey> {
        let (a, b) = (self.table.atom(one), self.table.atom(other));
        let key = |a: &(u32, Vec<Value>), b: &(u32, Vec<Value>)| -> PairKey {
            let shared = a.1.iter().zip(&b.1).map(|(a, b)| match (a, b) {
                (Value::Number(a), Value::Number(b)) => Place::Apart(b.saturating_sub(*a)),
                _ => Place::Both(*a, *b),
            });
            let longer = if a.1.len() > b.1.len() { &a.1 } else { &b.1 };
            let rest = longer[a.1.len().min(b.1.len())..].iter().map(|value| Place::One(*value));
            (a.0, b.0, shared.chain(rest).collect())
        };
        let (forth, back) = (key(a, b), key(b, a));
        let apart = |place: &Place| if let Place::Apart(by) = place { Some(by.saturating_abs()) } else { None };
        let farthest = forth.2.iter().filter_map(apart).max()?;
        (farthest <= self.kinds.reach).then(|| forth.min(back))
    }
}

/// The pair of two facts as literals: numbers become variables, names stay.
fn pair_body(one: &Literal, other: &Literal) -> Option<Concept> {
    let (mut first, mut second) = (one.clone(), other.clone());
    let mut variables = 0;
    for (a, b) in first.arguments.iter_mut().zip(&mut second.arguments) {
        if let (Argument::Number(from), Argument::Number(to)) = (&*a, &*b) {
            let apart = to.saturating_sub(*from);
            *a = Argument::Variable(variables, 0);
            *b = Argument::Variable(variables, apart);
            variables = variables.saturating_add(1);
        }
    }
    Concept::new(&[first, second])
}
