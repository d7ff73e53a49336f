//! The positions of the evidence in sorted order, so that nothing depends on the order in which they were seen.

use super::evidence::{Evidence, RecordHead, Tail};
use super::packing::{Packed, Packing};
use crate::board::{Cell, Shape, Square};

/// The positions that were seen, in an order that does not depend on how they were seen.
pub(super) struct Situations {
    pub shape: Shape,
    pub packing: Packing,
    keys: Sorted,
}

impl Situations {
    pub fn of(evidence: &Evidence, shape: Shape) -> Situations {
        let (packing, keys) = sorted(&evidence.packing, &evidence.situations);
        Situations { shape, packing, keys }
    }

    /// Every situation with how often it was seen.
    pub fn iter(&self) -> impl Iterator<Item = (RecordHead, &[u8], u32)> {
        self.keys.iter().map(|(key, count)| (RecordHead::of(key[0]), key, count))
    }

    /// What stands behind the board of a situation.
    pub fn tail(&self, key: &[u8]) -> Tail {
        Tail::read(RecordHead::of(key[0]), self.packing.tail(key))
    }

    /// What stands on a square of a situation.
    pub fn at(&self, key: &[u8], square: Square) -> Cell {
        self.packing.kinds[self.packing.at(key, square.index())]
    }
}

/// Keys with counts, one behind the other: there may be millions.
pub(super) struct Sorted {
    bytes: Vec<u8>,
    /// Where each key ends, and its count.
    ends: Vec<(usize, u32)>,
}

impl Sorted {
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], u32)> {
        let begins = std::iter::once(0).chain(self.ends.iter().map(|end| end.0));
        begins.zip(&self.ends).map(|(begin, &(end, count))| (&self.bytes[begin..end], count))
    }
}

/// Keys as they are written in the packing with sorted kinds, sorted.
pub(super) fn sorted(packing: &Packing, map: &Packed) -> (Packing, Sorted) {
    let wanted = packing.sorted();
    let mut bytes = Vec::new();
    let mut spans: Vec<(usize, usize, u32)> = Vec::with_capacity(map.len());
    let mut again = Vec::new();
    for (key, &count) in map {
        let begin = bytes.len();
        packing.rewrite(key, &wanted, &mut again);
        bytes.extend(&again);
        spans.push((begin, bytes.len(), count));
    }
    spans.sort_unstable_by(|a, b| bytes[a.0..a.1].cmp(&bytes[b.0..b.1]));
    let mut keys = Sorted { bytes: Vec::with_capacity(bytes.len()), ends: Vec::with_capacity(spans.len()) };
    for (begin, end, count) in spans {
        keys.bytes.extend(&bytes[begin..end]);
        keys.ends.push((keys.bytes.len(), count));
    }
    (wanted, keys)
}
