//! What was seen while games went on: a condition that held then ends no game.
//!
//! There may be millions of positions, so they are counted once, by all that endings can ask for: which piece stood on
//! which square, how long lines were, how many pieces there were.

use super::perspective::{PLAYERS, cell_of};
use super::situations::Situations;
use super::square_sets::{Width, at_width};
use crate::board::{Bits, Cell, Player, SetStep, Shape};
use std::collections::BTreeSet;

/// Kinds of pieces as the first player has them: both players' kinds together.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// In order.
    pub list: Vec<Cell>,
    /// Which of them each player has: bits by number.
    pub of: [NameSet; 2],
}

/// Some of the names, as bits by their numbers.
pub(super) type NameSet = u32;

/// All names, even those that have no bit.
pub(super) const EVERYONE: NameSet = NameSet::MAX;

/// More kinds than this are only looked at together.
const MOST_NAMES: usize = 31;

impl Names {
    pub fn of(kinds: &[Cell]) -> Names {
        let owned = kinds.iter().filter_map(|kind| Some((kind.owner()?, *kind)));
        let named: Vec<(Player, Cell)> = owned.map(|(owner, kind)| (owner, cell_of(owner, kind))).collect();
        let list: BTreeSet<Cell> = named.iter().map(|named| named.1).collect();
        let list: Vec<Cell> = list.into_iter().take(MOST_NAMES).collect();
        let mut of = [0; 2];
        for (owner, name) in named {
            if let Some(number) = list.iter().position(|other| *other == name) {
                of[owner.index()] |= 1 << number;
            }
        }
        Names { list, of }
    }

    /// The number of a piece that its owner calls so.
    pub fn number(&self, name: Cell) -> Option<usize> {
        self.list.iter().position(|other| *other == name)
    }

    /// The sets of a player's names that are counted: all of them if there are few.
    pub fn sets(&self, owner: Player) -> Vec<NameSet> {
        let has = self.of[owner.index()];
        let each = (0..self.list.len()).map(|number| 1 << number).filter(|one| has & one != 0);
        let mut sets: Vec<NameSet> = match has.count_ones() {
            0..=4 => (1..1 << self.list.len().min(12)).filter(|set| set & !has == 0).collect(),
            _ => each.collect(),
        };
        if !sets.contains(&has) {
            sets.push(has);
        }
        sets
    }
}

/// The positions after one player's moves while games went on, seen from that player's side.
#[derive(Clone, Debug, Default)]
pub(super) struct GoingOn {
    /// How many.
    pub boards: u64,
    /// How often a piece stood on a square: of the player and of the opponent, by the number of its name and by square.
    occupied: [Vec<Vec<u64>>; 2],
    /// For all of the player's pieces, then for each name, and for each direction: how often lines had each length.
    runs: Vec<[Vec<u64>; 4]>,
    /// For the player and for the opponent: sets of names, and how often there were so many pieces of them.
    counts: [Vec<(NameSet, Vec<u64>)>; 2],
    /// The names that exist.
    has: [NameSet; 2],
}

impl GoingOn {
    /// For each player who has just moved.
    pub fn of(situations: &Situations, two: bool) -> (Names, [GoingOn; 2]) {
        let names = Names::of(&situations.packing.kinds);
        let squares = situations.shape.squares();
        let mut all = PLAYERS.map(|player| {
            let owners = [player, player.other()];
            let counts = |owner: Player| {
                names.sets(owner).into_iter().map(|set| (set, vec![0; squares + 1])).collect::<Vec<_>>()
            };
            GoingOn {
                boards: 0,
                occupied: [(); 2].map(|()| vec![vec![0; squares]; names.list.len()]),
                runs: vec![[(); 4].map(|()| vec![0; 33]); 1 + names.list.len()],
                counts: owners.map(counts),
                has: owners.map(|owner| names.of[owner.index()]),
            }
        });
        at_width!(Width::of(situations.shape), fill(&mut all, &names, situations, two));
        (names, all)
    }

    /// How often one of the player's pieces with a name, or of the opponent's, stood on a square.
    pub fn stood(&self, side: usize, name: usize, square: usize) -> u64 {
        self.occupied[side][name][square]
    }

    /// How often lines of such lengths were seen, of all pieces (0) or of those with a name (its number plus 1).
    pub fn lines(&self, group: usize, way: usize, lengths: impl Fn(usize) -> bool) -> u64 {
        self.runs[group][way].iter().enumerate().filter(|(length, _)| lengths(*length)).map(|(_, count)| count).sum()
    }

    /// How often there were such numbers of pieces of some names, of the player (0) or of the opponent (1).
    pub fn numbers(&self, side: usize, set: NameSet, wanted: impl Fn(usize) -> bool) -> u64 {
        match self.counts[side].iter().find(|(other, _)| *other == set & self.has[side]) {
            Some((_, counts)) => {
                counts.iter().enumerate().filter(|(number, _)| wanted(*number)).map(|(_, count)| count).sum()
            }
            // There is never a piece of them, or they are not counted.
            None if set & self.has[side] == 0 => {
                if wanted(0) {
                    self.boards
                } else {
                    0
                }
            }
            None => self.boards,
        }
    }
}

fn fill<const N: usize>(all: &mut [GoingOn; 2], names: &Names, situations: &Situations, two: bool) {
    let shape = situations.shape;
    let kinds = &situations.packing.kinds;
    let seen_as = [
        (0..shape.squares()).collect::<Vec<usize>>(),
        shape.all().map(|square| shape.mirrored(square).index()).collect(),
    ];
    let steps = Shape::LINES.map(|(dx, dy)| SetStep::<N>::new(shape, dx, dy));
    let name_of: Vec<_> =
        kinds.iter().map(|kind| kind.owner().and_then(|owner| names.number(cell_of(owner, *kind)))).collect();
    let mut found = vec![Bits::<N>::NONE; kinds.len()];
    let mut left = [vec![0; names.list.len()], vec![0; names.list.len()]];
    for (head, key, count) in situations.iter().filter(|(head, ..)| head.outcome.is_none()) {
        let mover = if two { head.turn.other() } else { head.turn };
        let going_on = &mut all[mover.index()];
        let count = u64::from(count);
        going_on.boards += count;
        found.fill(Bits::NONE);
        for (square, &seen) in seen_as[mover.index()].iter().enumerate() {
            found[situations.packing.at(key, square)].insert(seen);
        }
        left.iter_mut().for_each(|left| left.fill(0));
        let mut own = Bits::NONE;
        for (kind, set) in found.iter().enumerate().filter(|(_, set)| !set.is_empty()) {
            let Some(owner) = kinds[kind].owner() else { continue };
            let side = usize::from(owner != mover);
            if side == 0 {
                own = own.or(set);
            }
            let Some(name) = name_of[kind] else { continue };
            left[side][name] = set.count();
            set.iter().for_each(|square| going_on.occupied[side][name][square] += count);
            if side == 0 && names.list.len() > 1 {
                count_runs(&mut going_on.runs[1 + name], *set, &steps, count);
            }
        }
        count_runs(&mut going_on.runs[0], own, &steps, count);
        for (side, left) in left.iter().enumerate() {
            for (set, counts) in &mut going_on.counts[side] {
                let number = left.iter().enumerate().filter(|(name, _)| *set >> name & 1 != 0).map(|(_, n)| n);
                counts[number.sum::<usize>()] += count;
            }
        }
    }
}

/// Adds the lengths of lines, each once for a board and direction.
fn count_runs<const N: usize>(runs: &mut [Vec<u64>; 4], pieces: Bits<N>, steps: &[SetStep<N>; 4], count: u64) {
    for (way, step) in steps.iter().enumerate() {
        // Each line is followed from its first piece.
        let mut ends = pieces.without(&step.go(pieces).and(&pieces));
        let mut length = 1;
        while !ends.is_empty() {
            let longer = step.go(ends).and(&pieces);
            if longer.count() < ends.count() {
                runs[way][length] += count;
            }
            (ends, length) = (longer, length + 1);
        }
    }
}
