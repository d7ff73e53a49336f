//! Sets of squares as columns of words: data without a width, for loops with one.
//!
//! A set of squares takes 1, 2, 6 or 16 words of 64 bits, depending on the board. Columns do not know how many, so that
//! whatever holds them is compiled once; the few loops that touch bits are compiled for each [`Width`] ([`at_width!`])
//! and see a column as sets of fixed size.

use crate::board::{Bits, Shape};

/// How many words a set of squares takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Upto64,
    Upto128,
    Upto384,
    Upto1024,
}

impl Width {
    pub fn of(shape: Shape) -> Width {
        match shape.squares() {
            0..=64 => Width::Upto64,
            65..=128 => Width::Upto128,
            129..=384 => Width::Upto384,
            _ => Width::Upto1024,
        }
    }

    pub fn words(self) -> usize {
        match self {
            Width::Upto64 => 1,
            Width::Upto128 => 2,
            Width::Upto384 => 6,
            Width::Upto1024 => 16,
        }
    }
}

/// Calls a function with the number of words as its first generic argument.
macro_rules! at_width {
    ($width:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $width {
            Width::Upto64 => $function::<1>($($argument),*),
            Width::Upto128 => $function::<2>($($argument),*),
            Width::Upto384 => $function::<6>($($argument),*),
            Width::Upto1024 => $function::<16>($($argument),*),
        }
    };
}
pub(super) use at_width;

/// A column of sets, one for each board.
pub(super) type Column = Vec<u64>;

/// A column as sets of fixed size.
#[inline]
pub(super) fn sets<const N: usize>(column: &[u64]) -> &[[u64; N]] {
    column.as_chunks().0
}

/// One set as words.
pub(super) fn set_of(squares: impl IntoIterator<Item = usize>, width: Width) -> Box<[u64]> {
    let mut set = vec![0; width.words()].into_boxed_slice();
    squares.into_iter().for_each(|square| insert(&mut set, square));
    set
}

/// One set of fixed size.
#[inline]
pub(super) fn bits<const N: usize>(set: &[u64]) -> Bits<N> {
    Bits(std::array::from_fn(|i| set[i]))
}

pub(super) fn insert(set: &mut [u64], square: usize) {
    set[square / 64] |= 1 << (square % 64);
}

pub(super) fn remove(set: &mut [u64], square: usize) {
    set[square / 64] &= !(1 << (square % 64));
}

/// Boards, each with a set of squares: two columns, since there may be millions.
#[derive(Clone, Debug, Default)]
pub(super) struct Cursors {
    /// The numbers of the boards.
    pub boards: Vec<u32>,
    /// For each of them, the squares.
    pub squares: Column,
}

impl Cursors {
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    #[inline]
    pub fn push<const N: usize>(&mut self, board: u32, squares: Bits<N>) {
        self.boards.push(board);
        self.squares.extend_from_slice(&squares.0);
    }

    #[inline]
    pub fn iter<const N: usize>(&self) -> impl Iterator<Item = (u32, Bits<N>)> {
        self.boards.iter().copied().zip(sets(&self.squares)).map(|(board, squares)| (board, Bits(*squares)))
    }

    pub fn shrink_to_fit(&mut self) {
        self.boards.shrink_to_fit();
        self.squares.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_sets_of_any_width() {
        for (width, height) in [(8, 8), (10, 10), (19, 19), (32, 32)] {
            let shape = Shape::new(width, height).unwrap();
            let last = shape.squares() - 1;
            let mut set = set_of([0, last], Width::of(shape));
            assert_eq!(set.len(), Width::of(shape).words());
            fn squares<const N: usize>(set: &[u64]) -> Vec<usize> {
                assert_eq!(sets::<N>(set).len(), 1);
                bits::<N>(set).iter().collect()
            }
            assert_eq!(at_width!(Width::of(shape), squares(&set)), [0, last]);
            remove(&mut set, 0);
            insert(&mut set, 5);
            assert_eq!(at_width!(Width::of(shape), squares(&set)), [5, last]);
        }
    }
}
