//! Chance that can be repeated: all randomness of the library comes from here.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A stream of random choices fixed by its seed, the same on every machine and with every number of threads.
///
/// Work that is done in parallel takes one stream for each numbered piece of it ([`Chance::stream`]), so results do not
/// depend on which thread did what.
#[derive(Clone, Debug)]
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Chance {
        Chance(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The stream for piece number `index` of the work under `seed`, such as one game of a match.
    pub fn stream(seed: u64, index: u64) -> Chance {
        let mut outer = Chance::new(seed);
        // Multiplying by an odd number keeps different indices apart, and the generator's own seeding mixes the rest.
        Chance::new(outer.bits() ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `bound - 1`, each exactly as likely as the others (Lemire's method of multiplication with
    /// rejection).
    ///
    /// # Panics
    ///
    /// If `bound` is 0: there is nothing to choose from.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "a choice among nothing");
        let bound = bound as u64;
        let mut product = u128::from(self.bits()) * u128::from(bound);
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = u128::from(self.bits()) * u128::from(bound);
            }
        }
        (product >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_the_stream_and_indices_part_streams() {
        let draw = |mut chance: Chance| [chance.bits(), chance.bits()];
        assert_eq!(draw(Chance::stream(7, 3)), draw(Chance::stream(7, 3)));
        assert_ne!(draw(Chance::stream(7, 3)), draw(Chance::stream(7, 4)));
        assert_ne!(draw(Chance::stream(7, 3)), draw(Chance::stream(8, 3)));
    }

    #[test]
    fn every_number_below_the_bound_is_about_as_likely() {
        let mut chance = Chance::new(1);
        let mut seen = [0; 7];
        (0..70_000).for_each(|_| seen[chance.below(7)] += 1);
        assert!(seen.iter().all(|&n| (9_500..10_500).contains(&n)), "{seen:?}");
    }
}
