//! The database: the atoms that hold, with indexes by the arguments that are known when they are looked for.

use super::terms::{Functor, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Where a part of an atom is found: the number of the argument, then of that one's argument, and so on.
pub(super) type ArgumentPath = SmallVec<[u16; 3]>;

/// The parts by which a relation's atoms are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct IndexKey {
    /// What must be applied at these places, whoever looks.
    pub functors: Vec<(ArgumentPath, Functor)>,
    /// The places whose content is known when one looks.
    pub values: Vec<ArgumentPath>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IndexId(pub usize);

#[derive(Clone, Debug)]
struct Index {
    key: IndexKey,
    /// From a hash of the values to the newest entry.
    heads: FxHashMap<u64, u32>,
    /// Atoms, each with the entry before it plus one.
    entries: Vec<(TermId, u32)>,
}

const SEED: u64 = 0x243F_6A88_85A3_08D3;

/// Takes one more value into a hash.
pub(super) fn mix(hash: u64, value: TermId) -> u64 {
    (hash.rotate_left(25) ^ u64::from(value.0)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The hash of no values.
pub(super) fn no_values() -> u64 {
    SEED
}

fn part(terms: &Terms, atom: TermId, path: &ArgumentPath) -> TermId {
    path.iter().fold(atom, |term, &place| terms.arguments(term)[usize::from(place)])
}

impl Index {
    /// The hash of an atom's values; `None` if it is not of the index's kind.
    fn hash(&self, terms: &Terms, atom: TermId) -> Option<u64> {
        // Functors stand before those within them, so that every path that is followed exists.
        for (path, functor) in &self.key.functors {
            if terms.functor_of(part(terms, atom, path)) != *functor {
                return None;
            }
        }
        Some(self.key.values.iter().fold(SEED, |hash, path| mix(hash, part(terms, atom, path))))
    }
}

/// A set of atoms.
#[derive(Clone, Debug, Default)]
pub(super) struct Database {
    /// By term.
    present: Vec<bool>,
    /// By functor.
    rows: Vec<Vec<TermId>>,
    indexes: Vec<Index>,
    /// By functor.
    of_relation: Vec<Vec<usize>>,
    /// What [`Database::spread`] has counted, and among how many atoms.
    spreads: FxHashMap<(Functor, IndexKey), (usize, usize, Vec<usize>)>,
}

impl Database {
    /// The index of a relation by a key, made if there is none yet.
    pub fn index(&mut self, terms: &Terms, relation: Functor, key: IndexKey) -> IndexId {
        self.make_room(relation);
        let own = &self.of_relation[relation.index()];
        if let Some(&index) = own.iter().find(|&&index| self.indexes[index].key == key) {
            return IndexId(index);
        }
        let index = self.indexes.len();
        self.of_relation[relation.index()].push(index);
        let mut made = Index { key, heads: FxHashMap::default(), entries: Vec::new() };
        self.rows[relation.index()].iter().for_each(|&atom| add(&mut made, terms, atom));
        self.indexes.push(made);
        IndexId(index)
    }

    /// How many atoms of a relation are of a key's kind, and how many different contents each of its places has.
    pub fn spread(&mut self, terms: &Terms, relation: Functor, key: &IndexKey) -> (usize, Vec<usize>) {
        self.make_room(relation);
        let rows = &self.rows[relation.index()];
        let slot = self.spreads.entry((relation, key.clone())).or_default();
        // What was counted when there was half as much is counted again.
        if slot.0 * 2 < rows.len() || slot.0 > rows.len() {
            let probe = Index { key: key.clone(), heads: FxHashMap::default(), entries: Vec::new() };
            let mut contents: Vec<FxHashSet<TermId>> = vec![FxHashSet::default(); key.values.len()];
            let mut count = 0;
            for &atom in rows.iter().filter(|&&atom| probe.hash(terms, atom).is_some()) {
                count += 1;
                contents.iter_mut().zip(&key.values).for_each(|(seen, path)| {
                    seen.insert(part(terms, atom, path));
                });
            }
            *slot = (rows.len(), count, contents.iter().map(FxHashSet::len).collect());
        }
        (slot.1, slot.2.clone())
    }

    fn make_room(&mut self, relation: Functor) {
        if self.rows.len() <= relation.index() {
            self.rows.resize(relation.index() + 1, Vec::new());
            self.of_relation.resize(relation.index() + 1, Vec::new());
        }
    }

    /// Drops all indexes of a relation. Plans that use them are useless then.
    pub fn forget_indexes(&mut self, relation: Functor) {
        let Some(own) = self.of_relation.get_mut(relation.index()) else { return };
        for index in own.drain(..) {
            self.indexes[index] = Index { key: IndexKey::default(), heads: FxHashMap::default(), entries: Vec::new() };
        }
    }

    pub fn contains(&self, atom: TermId) -> bool {
        self.present.get(atom.index()).is_some_and(|&present| present)
    }

    /// The atoms of a relation in the order in which they came.
    pub fn rows(&self, relation: Functor) -> &[TermId] {
        self.rows.get(relation.index()).map_or(&[], Vec::as_slice)
    }

    /// Adds an atom; `false` if it was there.
    pub fn insert(&mut self, terms: &Terms, atom: TermId) -> bool {
        if self.present.len() <= atom.index() {
            self.present.resize((atom.index() + 1).max(terms.len()), false);
        }
        if std::mem::replace(&mut self.present[atom.index()], true) {
            return false;
        }
        let relation = terms.functor_of(atom);
        self.make_room(relation);
        self.rows[relation.index()].push(atom);
        for &index in &self.of_relation[relation.index()] {
            add(&mut self.indexes[index], terms, atom);
        }
        true
    }

    /// Takes all atoms of a relation out.
    pub fn clear(&mut self, relation: Functor) {
        let Some(rows) = self.rows.get_mut(relation.index()) else { return };
        for atom in rows.drain(..) {
            self.present[atom.index()] = false;
        }
        for &index in &self.of_relation[relation.index()] {
            self.indexes[index].heads.clear();
            self.indexes[index].entries.clear();
        }
    }

    /// The newest entry of an index under a hash.
    pub fn first(&self, index: IndexId, hash: u64) -> u32 {
        self.indexes[index.0].heads.get(&hash).copied().unwrap_or(0)
    }

    /// An entry's atom and the entry before it; 0 is no entry.
    pub fn entry(&self, index: IndexId, entry: u32) -> (TermId, u32) {
        self.indexes[index.0].entries[entry as usize - 1]
    }
}

fn add(index: &mut Index, terms: &Terms, atom: TermId) {
    if let Some(hash) = index.hash(terms, atom) {
        let before = index.heads.entry(hash).or_insert(0);
        index.entries.push((atom, *before));
        *before = index.entries.len() as u32;
    }
}
