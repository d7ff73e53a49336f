//! Bitboards: sets of squares as bits.

use super::{Shape, Square};

/// A set of squares of a board with at most `64 * N` squares; bit n of the whole is square n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits<const N: usize>(pub [u64; N]);

/// How far a set is moved: by so many whole words and then so many bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shift {
    words: u8,
    bits: u8,
}

/// A step for whole sets of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SetStep<const N: usize> {
    /// The squares from which it stays on the board.
    pub from: Bits<N>,
    pub shift: Shift,
    /// The way back.
    pub back: Shift,
}

impl<const N: usize> SetStep<N> {
    pub fn new(shape: Shape, dx: i8, dy: i8) -> SetStep<N> {
        let from = shape.all().filter(|&square| shape.step(square, dx, dy).is_some());
        let delta = shape.delta(dx, dy);
        SetStep { from: Bits::of(from.map(Square::index)), shift: Shift::by::<N>(delta), back: Shift::by::<N>(-delta) }
    }

    /// Where the squares of a set get by the step.
    #[inline]
    pub fn go(&self, squares: Bits<N>) -> Bits<N> {
        squares.and(&self.from).rotate(self.shift)
    }
}

impl Shift {
    /// By `squares` up (or down, if negative) in sets of `N` words.
    #[inline]
    pub fn by<const N: usize>(squares: i32) -> Shift {
        let up = squares.rem_euclid(64 * N as i32);
        Shift { words: (up / 64) as u8, bits: (up % 64) as u8 }
    }

    /// By how many squares up.
    pub fn squares(self) -> i32 {
        64 * i32::from(self.words) + i32::from(self.bits)
    }
}

impl<const N: usize> Bits<N> {
    pub const NONE: Bits<N> = Bits([0; N]);

    pub fn of(squares: impl IntoIterator<Item = usize>) -> Bits<N> {
        let mut bits = Bits::NONE;
        squares.into_iter().for_each(|square| bits.insert(square));
        bits
    }

    #[inline]
    pub fn insert(&mut self, square: usize) {
        self.0[square / 64] |= 1 << (square % 64);
    }

    #[inline]
    pub fn remove(&mut self, square: usize) {
        self.0[square / 64] &= !(1 << (square % 64));
    }

    #[inline]
    pub fn contains(&self, square: usize) -> bool {
        self.0[square / 64] >> (square % 64) & 1 == 1
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        let mut all = 0;
        for &word in &self.0 {
            all |= word;
        }
        all == 0
    }

    #[inline]
    pub fn count(&self) -> usize {
        let mut count = 0;
        for word in &self.0 {
            count += word.count_ones() as usize;
        }
        count
    }

    #[inline]
    pub fn and(mut self, other: &Bits<N>) -> Bits<N> {
        for i in 0..N {
            self.0[i] &= other.0[i];
        }
        self
    }

    #[inline]
    pub fn or(mut self, other: &Bits<N>) -> Bits<N> {
        for i in 0..N {
            self.0[i] |= other.0[i];
        }
        self
    }

    #[inline]
    pub fn without(mut self, other: &Bits<N>) -> Bits<N> {
        for i in 0..N {
            self.0[i] &= !other.0[i];
        }
        self
    }

    /// The square with the lowest number, or with the highest.
    #[inline]
    pub fn end(&self, lowest: bool) -> Option<usize> {
        for i in 0..N {
            let at = if lowest { i } else { N - 1 - i };
            let word = self.0[at];
            if word != 0 {
                return Some(64 * at + if lowest { word.trailing_zeros() } else { 63 - word.leading_zeros() } as usize);
            }
        }
        None
    }

    /// Every square moved. What leaves at one end comes in at the other, so the caller takes out first what would
    /// leave the board.
    #[inline]
    #[expect(clippy::needless_range_loop, reason = "adapters of iterators are not always inlined across codegen units")]
    pub fn rotate(self, shift: Shift) -> Bits<N> {
        if N == 1 {
            return Bits([self.0[0].rotate_left(u32::from(shift.bits)); N]);
        }
        if N == 2 {
            let whole = u128::from(self.0[0]) | u128::from(self.0[N - 1]) << 64;
            let moved = whole.rotate_left(64 * u32::from(shift.words) + u32::from(shift.bits));
            let mut words = [0; N];
            words[0] = moved as u64;
            words[N - 1] = (moved >> 64) as u64;
            return Bits(words);
        }
        let words = usize::from(shift.words);
        let mut moved = [0; N];
        // A step to another square is short, forwards or backwards.
        if words == 0 {
            let mut below = self.0[N - 1];
            for i in 0..N {
                moved[i] = self.0[i] << shift.bits | carried(below, shift.bits);
                below = self.0[i];
            }
            return Bits(moved);
        }
        if words == N - 1 {
            for i in 0..N {
                let above = if i + 1 < N { self.0[i + 1] } else { self.0[0] };
                moved[i] = above << shift.bits | carried(self.0[i], shift.bits);
            }
            return Bits(moved);
        }
        for (i, &word) in self.0.iter().enumerate() {
            let low = if i + words < N { i + words } else { i + words - N };
            let high = if low + 1 < N { low + 1 } else { 0 };
            moved[low] |= word << shift.bits;
            moved[high] |= carried(word, shift.bits);
        }
        Bits(moved)
    }

    /// The square with `n` others of the set below it.
    #[inline]
    pub fn nth(&self, mut n: usize) -> usize {
        for (i, &word) in self.0.iter().enumerate() {
            let here = word.count_ones() as usize;
            if n < here {
                return 64 * i + nth_in_word(word, n);
            }
            n -= here;
        }
        unreachable!("a set has no square beyond its count")
    }

    #[inline]
    pub fn iter(self) -> BitsIter<N> {
        BitsIter { left: self, word: 0 }
    }
}

/// The squares of a set, the lowest first.
///
/// Written out, as all loops here: adapters of iterators are generic functions of their own, which are inlined only where the whole crate is
/// optimised at once.
pub struct BitsIter<const N: usize> {
    left: Bits<N>,
    word: usize,
}

impl<const N: usize> Iterator for BitsIter<N> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word < N {
            let word = self.left.0[self.word];
            if word != 0 {
                self.left.0[self.word] = word & (word - 1);
                return Some(64 * self.word + word.trailing_zeros() as usize);
            }
            self.word += 1;
        }
        None
    }
}

/// The bits of a word that a shift to the left by less than 64 pushes out. In two steps, since shifting by 64 is not allowed.
#[inline]
fn carried(word: u64, bits: u8) -> u64 {
    word >> 1 >> (63 - bits)
}

/// The position of the bit of a word with `n` others below it: halves first, so that full words cost no more.
#[inline]
fn nth_in_word(mut word: u64, mut n: usize) -> usize {
    let mut at = 0;
    for width in [32, 16, 8] {
        let low = (word & ((1 << width) - 1)).count_ones() as usize;
        if n >= low {
            n -= low;
            word >>= width;
            at += width;
        }
    }
    for _ in 0..n {
        word &= word - 1;
    }
    at + word.trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sets_move_and_count_as_sets_of_numbers_do(squares in prop::collection::btree_set(0usize..384, 0..60), by in -383i32..384) {
            let bits: Bits<6> = Bits::of(squares.iter().copied());
            prop_assert_eq!(bits.iter().collect::<Vec<_>>(), squares.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(bits.count(), squares.len());
            for (n, &square) in squares.iter().enumerate() {
                prop_assert_eq!(bits.nth(n), square);
                prop_assert!(bits.contains(square));
            }
            prop_assert_eq!((bits.end(true), bits.end(false)), (squares.first().copied(), squares.last().copied()));
            let moved: std::collections::BTreeSet<usize> = squares.iter().map(|&s| (s as i32 + by).rem_euclid(384) as usize).collect();
            prop_assert_eq!(bits.rotate(Shift::by::<6>(by)), Bits::of(moved));
        }

        #[test]
        fn one_word_is_no_other_case(word: u64, by in -63i32..64) {
            let moved = Bits([word]).rotate(Shift::by::<1>(by));
            prop_assert_eq!(moved, Bits::of(Bits([word]).iter().map(|s| (s as i32 + by).rem_euclid(64) as usize)));
            (0..word.count_ones() as usize).for_each(|n| assert_eq!(Bits([word]).nth(n), Bits([word]).iter().nth(n).unwrap()));
        }
    }
}
