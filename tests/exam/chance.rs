//! Chance: SplitMix64 (Steele, Lea and Flood 2014), so that a seed means the same games whatever the library does.

/// A stream of numbers.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The stream of some numbers, such as a seed and the number of a game.
    pub fn new(seeds: &[u64]) -> Chance {
        let mut chance = Chance(0x5EED);
        for seed in seeds {
            chance.0 ^= seed.wrapping_mul(0xD6E8_FEB8_6659_FD93);
            chance.0 = chance.next();
        }
        chance
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }

    /// A number from the first to the last.
    pub fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    /// True in so many cases of a hundred.
    pub fn percent(&mut self, cases: usize) -> bool {
        self.below(100) < cases
    }

    /// One of them.
    pub fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// One of them, each as likely as its weight.
    pub fn weighted<T: Clone>(&mut self, of: &[(usize, T)]) -> T {
        let mut left = self.below(of.iter().map(|choice| choice.0).sum());
        for (weight, choice) in of {
            match left.checked_sub(*weight) {
                Some(less) => left = less,
                None => return choice.clone(),
            }
        }
        unreachable!("the number is below the sum of the weights")
    }
}
