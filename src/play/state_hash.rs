//! Hashing of states: quick, and the same on every machine, so that what a search finds never depends on it.

use std::hash::{BuildHasherDefault, Hasher};

/// For maps from states and moves to what is known about them.
pub(super) type StateHash = BuildHasherDefault<StateHasher>;

/// Multiplies and turns. It need not withstand anyone: games do not choose their states to collide.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StateHasher(u64);

impl StateHasher {
    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for StateHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|&word| self.add(u64::from_le_bytes(word)));
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.add(u64::from(n));
    }

    fn write_u16(&mut self, n: u16) {
        self.add(u64::from(n));
    }

    fn write_u32(&mut self, n: u32) {
        self.add(u64::from(n));
    }

    fn write_u64(&mut self, n: u64) {
        self.add(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.add(n as u64);
    }

    fn finish(&self) -> u64 {
        // The high bits are the ones that every word has reached.
        self.0 ^ self.0 >> 32
    }
}
