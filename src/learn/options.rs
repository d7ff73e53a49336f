//! How to learn, and where a learner is.

use crate::board::{Cell, Player};
use crate::budget::Budget;
use std::sync::atomic::AtomicBool;

/// How to learn.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The game's name, without spaces.
    pub name: String,
    /// How movements are found.
    pub method: Method,
    /// How much less often than its share a legal kind of move may be played where only some moves are listed.
    pub floor: f64,
    /// The share of records that may be false.
    pub noise: f64,
    /// How many steps each search for a piece's movement may take. Steps count what is looked at, not the time.
    pub budget: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { name: "learnt".to_owned(), method: Method::Shortest, floor: 0.1, noise: 0.0, budget: BUDGET }
    }
}

/// Many times what any known game takes.
const BUDGET: u64 = 500_000_000;

/// How movements are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The shortest description of the movement and of the records together, by state merging.
    Shortest,
    /// Algorithms 1 and 2 of the paper: collapses states as long as nothing known speaks against it.
    Paper {
        /// K: how far from each other two states may be to be collapsed.
        distance: usize,
        /// How many automata are looked at.
        expansions: usize,
    },
    /// The system of Gregory, Björnsson and Schiffel (2015): words are cut where pieces appear, the parts are learnt for
    /// each piece, and LOCM learns how parts make a turn. Parts are learnt as in [`Method::Shortest`], or with the
    /// paper's K and number of expansions. Guards, which the paper does not have, are found as in [`Method::Shortest`].
    Grl(Option<(usize, usize)>),
}

impl Method {
    /// The paper's learner with the paper's settings.
    pub const PAPER: Method = Method::Paper { distance: 2, expansions: 20 };
    /// GRL with the same settings.
    pub const PAPERS_GRL: Method = Method::Grl(Some((2, 20)));
}

/// Where a learner is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It begins with the movement of a kind of piece, named as the first player has it: of one player, or of both at
    /// once.
    Begun(Cell, Option<Player>),
    /// It has found it.
    Done(Cell, Option<Player>),
    /// It begins with how the parts of the turns make a turn that start on a player's kind of piece.
    TurnsBegun(Cell, Player),
    /// It has found it.
    TurnsDone(Cell, Player),
}

/// What every method of learning is given beside the samples.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub options: &'a Options,
    pub stop: &'a AtomicBool,
    pub watch: &'a (dyn Fn(Progress) + Sync),
}

impl<'a> Task<'a> {
    /// What one search may do.
    pub fn budget(&self) -> Budget<'a> {
        Budget::new(self.options.budget, self.stop)
    }

    /// For work whose end is known: it stops only for the flag.
    pub fn unlimited(&self) -> Budget<'a> {
        Budget::new(u64::MAX, self.stop)
    }
}
