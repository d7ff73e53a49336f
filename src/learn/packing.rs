//! Boards packed into as few bits a square as their kinds of pieces need.

use super::Refused;
use crate::board::Cell;
use rustc_hash::FxHashMap;

/// How what stands on squares is written as numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Packing {
    /// What the numbers stand for.
    pub kinds: Vec<Cell>,
    /// How many squares the boards have.
    pub squares: usize,
    numbers: FxHashMap<Cell, u8>,
}

/// What is packed, with counts.
pub(super) type Packed = FxHashMap<Box<[u8]>, u32>;

const MOST_KINDS: usize = 256;

impl Packing {
    /// How many bits a square takes.
    fn bits(&self) -> usize {
        match self.kinds.len() {
            0..=4 => 2,
            5..=16 => 4,
            _ => 8,
        }
    }

    /// Makes sure that these cells can be written; what was written already is written anew if that needs more bits.
    pub fn learn(&mut self, cells: &[Cell], written: &mut [&mut Packed]) -> Result<(), Refused> {
        if cells.iter().all(|cell| self.numbers.contains_key(cell)) {
            return Ok(());
        }
        let mut wider = self.clone();
        for &cell in cells {
            if !wider.numbers.contains_key(&cell) {
                if wider.kinds.len() == MOST_KINDS {
                    return Err(Refused::Kinds { limit: MOST_KINDS });
                }
                wider.numbers.insert(cell, wider.kinds.len() as u8);
                wider.kinds.push(cell);
            }
        }
        if wider.bits() != self.bits() {
            self.become_like(&wider, written);
        } else {
            *self = wider;
        }
        Ok(())
    }

    /// Writes what was written in this packing as the other one does, which must know all of this one's kinds.
    pub fn become_like(&mut self, other: &Packing, written: &mut [&mut Packed]) {
        if self.kinds == other.kinds {
            return;
        }
        let mut again = Vec::new();
        let mut cells = Vec::new();
        for map in written {
            **map = std::mem::take(*map)
                .into_iter()
                .map(|(key, count)| {
                    cells.clear();
                    cells.extend((0..self.squares).map(|square| self.kinds[self.at(&key, square)]));
                    other.encode(key[0], &cells, &mut again);
                    again.extend(self.tail(&key));
                    (again.as_slice().into(), count)
                })
                .collect();
        }
        *self = other.clone();
    }

    /// The same kinds, sorted: what is written so does not depend on what was seen first.
    pub fn sorted(&self) -> Packing {
        let mut kinds = self.kinds.clone();
        kinds.sort_unstable();
        let numbers = kinds.iter().zip(0..).map(|(&cell, number)| (cell, number)).collect();
        Packing { kinds, squares: self.squares, numbers }
    }

    /// A first byte and the cells, all of which must be known.
    pub fn encode(&self, head: u8, cells: &[Cell], key: &mut Vec<u8>) {
        let bits = self.bits();
        key.clear();
        key.push(head);
        let mut last = (Cell::EMPTY, self.numbers.get(&Cell::EMPTY).copied().unwrap_or(0));
        for chunk in cells.chunks(8 / bits) {
            let mut byte = 0;
            for (i, &cell) in chunk.iter().enumerate() {
                // Boards are full of equal squares in a row.
                if cell != last.0 {
                    last = (cell, self.numbers[&cell]);
                }
                byte |= last.1 << (i * bits);
            }
            key.push(byte);
        }
    }

    /// What stands behind the board in a key.
    pub fn tail<'k>(&self, key: &'k [u8]) -> &'k [u8] {
        &key[1 + (self.squares * self.bits()).div_ceil(8)..]
    }

    /// The number of what stands on a square.
    pub fn at(&self, key: &[u8], square: usize) -> usize {
        let bits = self.bits();
        let byte = key[1 + square * bits / 8];
        usize::from(byte >> (square * bits % 8) & (((1u16 << bits) - 1) as u8))
    }
}
