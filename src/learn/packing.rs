//! Boards packed into as few bits a square as their kinds of pieces need.

use crate::board::Cell;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// How what stands on squares is written as numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Packing {
    /// What the numbers stand for.
    pub kinds: Vec<Cell>,
    /// How many squares the boards have.
    pub squares: usize,
    numbers: FxHashMap<Cell, u8>,
    /// The numbers of cells with one letter for a name, as nearly all have; one more than the number, or 0.
    letters: Letters,
}

#[derive(Clone, Debug)]
struct Letters([u16; 256]);

impl Default for Letters {
    fn default() -> Letters {
        Letters([0; 256])
    }
}

/// What is packed, with counts.
pub(super) type Packed = FxHashMap<Box<[u8]>, u32>;

/// More than this do not fit into a byte a square.
pub(super) const MOST_KINDS: usize = 256;

/// There are more than [`MOST_KINDS`] kinds of pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooManyKinds;

impl Packing {
    fn add(&mut self, cell: Cell) {
        let number = self.kinds.len() as u8;
        match cell.byte() {
            Some(letter) => self.letters.0[usize::from(letter)] = u16::from(number) + 1,
            None => {
                self.numbers.insert(cell, number);
            }
        }
        self.kinds.push(cell);
    }

    fn number(&self, cell: Cell) -> Option<u8> {
        match cell.byte() {
            Some(letter) => self.letters.0[usize::from(letter)].checked_sub(1).map(|number| number as u8),
            None => self.numbers.get(&cell).copied(),
        }
    }

    /// How many bits a square takes.
    fn bits(&self) -> usize {
        match self.kinds.len() {
            0..=4 => 2,
            5..=16 => 4,
            _ => 8,
        }
    }

    /// Makes sure that these cells can be written; what was written already is written anew if that needs more bits.
    pub fn learn(&mut self, cells: &[Cell], written: &mut [&mut Packed]) -> Result<(), TooManyKinds> {
        if cells.iter().all(|&cell| self.number(cell).is_some()) {
            return Ok(());
        }
        let mut wider = self.clone();
        for &cell in cells {
            if wider.number(cell).is_none() {
                if wider.kinds.len() == MOST_KINDS {
                    return Err(TooManyKinds);
                }
                wider.add(cell);
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
        for map in written {
            **map = std::mem::take(*map)
                .into_iter()
                .map(|(key, count)| {
                    self.rewrite(&key, other, &mut again);
                    (again.as_slice().into(), count)
                })
                .collect();
        }
        *self = other.clone();
    }

    /// A key of this packing as the other one writes it, which must know all of this one's kinds.
    pub fn rewrite(&self, key: &[u8], other: &Packing, again: &mut Vec<u8>) {
        again.clear();
        if self.kinds == other.kinds {
            return again.extend(key);
        }
        let cells: SmallVec<[Cell; 64]> = (0..self.squares).map(|square| self.kinds[self.at(key, square)]).collect();
        other.encode(key[0], &cells, again);
        again.extend(self.tail(key));
    }

    /// The same kinds, sorted: what is written so does not depend on what was seen first.
    pub fn sorted(&self) -> Packing {
        let mut kinds = self.kinds.clone();
        kinds.sort_unstable();
        let mut sorted = Packing { squares: self.squares, ..Packing::default() };
        kinds.into_iter().for_each(|kind| sorted.add(kind));
        sorted
    }

    /// A first byte and the cells, all of which must be known.
    pub fn encode(&self, head: u8, cells: &[Cell], key: &mut Vec<u8>) {
        let bits = self.bits();
        key.clear();
        key.push(head);
        for chunk in cells.chunks(8 / bits) {
            let mut byte = 0;
            for (i, &cell) in chunk.iter().enumerate() {
                byte |= self.number(cell).unwrap_or(0) << (i * bits);
            }
            key.push(byte);
        }
    }

    /// How many bytes a board takes.
    pub fn board_bytes(&self) -> usize {
        self.squares.div_ceil(8 / self.bits())
    }

    /// What stands behind the board in a key.
    pub fn tail<'k>(&self, key: &'k [u8]) -> &'k [u8] {
        &key[1 + self.board_bytes()..]
    }

    /// The number of what stands on a square.
    pub fn at(&self, key: &[u8], square: usize) -> usize {
        let bits = self.bits();
        let byte = key[1 + square * bits / 8];
        usize::from(byte >> (square * bits % 8) & (((1u16 << bits) - 1) as u8))
    }
}
