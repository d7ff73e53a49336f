//! Zones as goals: sets of squares that people have names for, with the length of what they are called, and failing these
//! single squares.

use super::ending_patterns::{Final, Pattern};
use super::going_on::{GoingOn, NameSet, Names};
use super::perspective::PLAYERS;
use crate::board::{Shape, Square};
use crate::rules::Side;

/// A set of squares, and how long its name is in nats.
struct NamedZone {
    squares: Vec<bool>,
    cost: f64,
}

/// Where a goal may be: what the board is, and what was seen.
pub(super) struct GoalSearch<'a> {
    pub names: &'a Names,
    pub going_on: &'a [GoingOn; 2],
    pub shape: Shape,
    /// The share of false records.
    pub noise: f64,
    /// What it is worth to explain one game, in nats.
    pub gain: f64,
}

impl GoalSearch<'_> {
    /// Goals for a side that some of these positions, all with one outcome, may be the end of: for every zone the pieces
    /// that stood there and that were never there while a game went on.
    pub fn goals(&self, side: Side, finals: &[&Final]) -> Vec<Pattern> {
        let mut seen = vec![vec![0; self.shape.squares()]; self.names.list.len()];
        for end in finals {
            for &(name, square) in &end.own {
                if self.stood(side, name, square) == 0 || self.noise > 0.0 {
                    seen[name][square] += end.games;
                }
            }
        }
        let mut goals = Vec::new();
        let zones = zones(self.shape).into_iter().chain(self.squares(side, &seen));
        for NamedZone { squares, cost } in zones {
            let within = || (0..squares.len()).filter(|&square| squares[square]);
            let (mut set, mut open): (NameSet, NameSet) = (0, 0);
            let mut visitor = false;
            for (name, seen) in seen.iter().enumerate() {
                let came: u64 = within().map(|square| seen[square]).sum();
                let stood: u64 = within().map(|square| self.stood(side, name, square)).sum();
                if stood as f64 > self.noise * came as f64 {
                    visitor = true;
                } else if came > 0 {
                    set |= 1 << name;
                } else {
                    open |= 1 << name;
                }
            }
            // If everyone who ever came there ended the game, and several did, so will the others.
            if set.count_ones() > 1 && !visitor && open != 0 {
                goals.push(Pattern::On { set: set | open, squares: squares.clone(), cost: cost - OTHERS });
            }
            if set != 0 {
                goals.push(Pattern::On { set, squares, cost });
            }
        }
        goals
    }

    fn stood(&self, side: Side, name: usize, square: usize) -> u64 {
        let players = PLAYERS.into_iter().filter(|player| side.is_for(*player));
        players.map(|player| self.going_on[player.index()].stood(0, name, square)).sum()
    }

    /// Single squares on which enough games ended for each to be named, for all pieces or for one.
    fn squares(&self, side: Side, seen: &[Vec<u64>]) -> Vec<NamedZone> {
        let area = seen.first().map_or(1, Vec::len) as f64;
        let mut zones: Vec<NamedZone> = Vec::new();
        let everyone = (0..seen.len()).map(Some).chain([None]);
        for only in everyone {
            let games = |square: usize| -> u64 {
                seen.iter()
                    .enumerate()
                    .filter(|(name, _)| only.is_none_or(|only| only == *name))
                    .map(|(_, s)| s[square])
                    .sum()
            };
            let clear = |square: usize| only.is_some_and(|name| self.stood(side, name, square) == 0) || only.is_none();
            let worth = |&square: &usize| {
                let games = games(square);
                games > 1 && clear(square) && games as f64 * self.gain > area.ln() + 1.0
            };
            let chosen: Vec<usize> = (0..area as usize).filter(worth).collect();
            if (1..=MOST_SQUARES).contains(&chosen.len()) {
                let mut squares = vec![false; area as usize];
                chosen.iter().for_each(|&square| squares[square] = true);
                zones.push(NamedZone { squares, cost: 2.0 + chosen.len() as f64 * area.ln() });
            }
        }
        zones
    }
}

/// What naming all pieces is shorter than naming some.
const OTHERS: f64 = 3.0;

/// More squares than this are no zone that a person would list.
const MOST_SQUARES: usize = 16;

/// Ranks and files, one or several side by side, corners, edge, and squares of one colour.
fn zones(shape: Shape) -> Vec<NamedZone> {
    let (width, height) = (shape.width(), shape.height());
    let mut zones: Vec<NamedZone> = Vec::new();
    let mut add = |cost: f64, is_in: &dyn Fn(usize, usize) -> bool| {
        let squares = shape.all().map(|square| is_in(shape.file(square), shape.rank(square))).collect();
        zones.push(NamedZone { squares, cost });
    };
    let (across, up) = ((width as f64).ln(), (height as f64).ln());
    for from in 0..height {
        for to in from..height {
            let cost = match (from == to, to + 1 == height) {
                (true, true) => 0.5,
                (true, false) => up + 0.5,
                (false, true) => up + 1.0,
                (false, false) => 2.0 * up + 1.0,
            };
            if to - from + 1 < height {
                add(cost, &|_, rank| (from..=to).contains(&rank));
            }
        }
    }
    for from in 0..width {
        for to in from..width {
            let cost = if from == to { across + 1.0 } else { 2.0 * across + 1.0 };
            if to - from + 1 < width {
                add(cost, &|file, _| (from..=to).contains(&file));
            }
        }
    }
    let at_side = |file: usize| file == 0 || file + 1 == width;
    let at_end = |rank: usize| rank == 0 || rank + 1 == height;
    add(3.0, &|file, rank| at_side(file) && at_end(rank));
    add(3.0, &|file, rank| at_side(file) || at_end(rank));
    add(4.0, &|file, rank| at_side(file) && rank + 1 == height);
    add(4.0, &|file, rank| (file + rank) % 2 == 0);
    add(4.0, &|file, rank| (file + rank) % 2 == 1);
    add(5.0, &|file, rank| !at_side(file) && !at_end(rank));
    let middle = |at: usize, side: usize| (side - 1) / 2 <= at && at <= side / 2;
    add(4.0, &|file, rank| middle(file, width) && middle(rank, height));
    zones
}

/// The squares of a zone, in order.
pub(super) fn squares_of(squares: &[bool], shape: Shape) -> Vec<Square> {
    shape.all().filter(|square| squares[square.index()]).collect()
}
