//! Conditions that may end a game, as the player who has just moved sees them: whether they hold in a final position, how
//! often they held while games went on, and how long it takes to say them.

use super::going_on::{EVERYONE, GoingOn, NameSet, Names};
use crate::board::{Cell, Player, Position, Shape};
use crate::observe::Outcome;
use crate::rules::{Balance, Bound, Ways, Whose};

/// A position in which games ended, seen by the player who moved last.
pub(super) struct Final {
    pub mover: Player,
    pub outcome: Outcome,
    pub plies: u32,
    /// How many games ended so.
    pub games: u64,
    /// Whether the player to move has no move, and whether the other one would have none either.
    pub stuck: [bool; 2],
    pub position: Position,
    /// The player's pieces: the number of the name and the square.
    pub own: Vec<(usize, usize)>,
    /// The opponent's.
    pub others: Vec<(usize, usize)>,
    /// For all of the player's pieces, then for each name, and for each direction: the lengths of lines as bits.
    pub runs: Vec<[u64; 4]>,
}

impl Final {
    /// How many pieces of some names the player has (0), or the opponent (1).
    pub fn number(&self, side: usize, set: NameSet) -> usize {
        let pieces = if side == 0 { &self.own } else { &self.others };
        if set == EVERYONE { pieces.len() } else { pieces.iter().filter(|piece| set >> piece.0 & 1 != 0).count() }
    }

    /// The lengths of lines on a board, as [`Final::runs`] has them.
    pub fn runs_of(shape: Shape, own: &[(usize, usize)], names: usize) -> Vec<[u64; 4]> {
        let mut at: Vec<Option<usize>> = vec![None; shape.squares()];
        own.iter().for_each(|&(name, square)| at[square] = Some(name));
        let mut runs = vec![[0; 4]; 1 + names];
        for (way, (dx, dy)) in Shape::LINES.into_iter().enumerate() {
            for square in shape.all() {
                let Some(name) = at[square.index()] else { continue };
                let before = shape.step(square, -dx, -dy).and_then(|square| at[square.index()]);
                let ahead = || shape.ray(square, dx, dy).map(|square| at[square.index()]);
                if before.is_none() {
                    runs[0][way] |= 1 << (1 + ahead().take_while(Option::is_some).count());
                }
                if before != Some(name) {
                    runs[1 + name][way] |= 1 << (1 + ahead().take_while(|other| *other == Some(name)).count());
                }
            }
        }
        runs
    }
}

/// A condition on the position after a move.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pattern {
    /// A line of all pieces (0) or of those with a name (its number plus 1).
    Line { group: usize, count: u16, exactly: bool, ways: Ways },
    /// A piece with one of the names stands on one of the squares.
    On { set: NameSet, squares: Vec<bool>, cost: f64 },
    /// So many pieces of the names.
    Left { whose: Whose, set: NameSet, count: u16, bound: Bound },
    /// No piece with the name is on the square.
    Gone { whose: Whose, name: usize, square: usize },
    /// The game is over in any case, perhaps with a certain balance of pieces.
    Over { how: Over, balance: Option<Balance> },
}

/// What ends a game whatever is on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    NeitherCanMove,
    CannotMove,
    Plies(u32),
}

pub(super) fn side_of(whose: Whose) -> usize {
    usize::from(whose == Whose::Opponent)
}

impl Pattern {
    pub fn holds(&self, end: &Final) -> bool {
        match self {
            Pattern::Line { group, count, exactly, ways } => {
                let wanted = if *exactly { 1 << count } else { u64::MAX << count };
                (0..4).any(|way| ways.has(way) && end.runs[*group][way] & wanted != 0)
            }
            Pattern::On { set, squares, .. } => {
                end.own.iter().any(|&(name, square)| set >> name & 1 != 0 && squares[square])
            }
            Pattern::Left { whose, set, count, bound } => bound.allows(end.number(side_of(*whose), *set), *count),
            Pattern::Gone { whose, name, square } => {
                let pieces = if *whose == Whose::Mover { &end.own } else { &end.others };
                !pieces.contains(&(*name, *square))
            }
            Pattern::Over { how, balance } => {
                let over = match how {
                    Over::NeitherCanMove => end.stuck == [true; 2],
                    Over::CannotMove => end.stuck[0],
                    Over::Plies(plies) => end.plies >= *plies,
                };
                over && balance.is_none_or(|balance| balance.holds(end.own.len(), end.others.len()))
            }
        }
    }

    /// How often it held after moves of a player while games went on; at least so often, if it held at all.
    pub fn held(&self, going_on: &GoingOn) -> u64 {
        match self {
            Pattern::Line { group, count, exactly, ways } => {
                let count = usize::from(*count);
                let wanted = |length: usize| if *exactly { length == count } else { length >= count };
                (0..4).filter(|&way| ways.has(way)).map(|way| going_on.lines(*group, way, wanted)).sum()
            }
            Pattern::On { set, squares, .. } => names_in(*set)
                .flat_map(|name| (0..squares.len()).filter(|&s| squares[s]).map(move |square| (name, square)))
                .map(|(name, square)| going_on.stood(0, name, square))
                .sum(),
            Pattern::Left { whose, set, count, bound } => {
                going_on.numbers(side_of(*whose), *set, |number| bound.allows(number, *count))
            }
            Pattern::Gone { whose, name, square } => {
                going_on.boards - going_on.stood(side_of(*whose), *name, *square).min(going_on.boards)
            }
            // Who could move has moved, and the limit is chosen beyond the longest game.
            Pattern::Over { .. } => 0,
        }
    }

    /// How long it takes to say, in nats.
    pub fn cost(&self, names: &Names, shape: Shape) -> f64 {
        let several = (names.list.len() as f64).max(1.0).ln();
        let named = |set: NameSet| match set.count_ones() {
            _ if set == EVERYONE => 0.0,
            one_or_more => 1.0 + f64::from(one_or_more) * (several.min(1.0) + 0.2),
        };
        match self {
            Pattern::Line { group, exactly, ways, .. } => {
                let kind = if *group == 0 { 0.0 } else { 2.0 + several };
                let ways = match *ways {
                    Ways::ALL => 0.0,
                    ways if ways == Ways::RANKS.and(Ways::FILES) || ways == Ways::DIAGONALS => 2.5,
                    _ => 3.5,
                };
                5.0 + kind + if *exactly { 2.0 } else { 0.0 } + ways
            }
            Pattern::On { set, cost, .. } => 3.0 + named(*set) + cost,
            Pattern::Left { whose, set, count, bound } => {
                // Captures may take several at a time; who plays alone wants just so many to be left.
                let usual = if names.of[1] != 0 && *count > 0 { Bound::OrFewer } else { Bound::Exactly };
                let bound = match bound {
                    bound if *bound == usual => 0.0,
                    Bound::OrMore => 2.0,
                    _ => 0.7,
                };
                let whose = if *whose == Whose::Opponent { 0.5 } else { 1.0 };
                4.0 + whose + named(*set) + f64::from(1 + count).ln() + bound
            }
            Pattern::Gone { .. } => 6.0 + (shape.squares() as f64).ln() + several,
            Pattern::Over { how, balance } => {
                let how = match how {
                    Over::NeitherCanMove => 4.0,
                    Over::CannotMove => 1.0,
                    // People like round numbers.
                    Over::Plies(plies) if plies % 10 == 0 => 2.0 + f64::from(plies / 10).max(1.0).ln(),
                    Over::Plies(plies) => 2.0 + f64::from(*plies).max(1.0).ln(),
                };
                how + if balance.is_some() { 0.7 } else { 0.0 }
            }
        }
    }

    /// Where it stands among other endings, if nothing else decides: what is to be seen on the board comes first.
    pub fn place(&self) -> usize {
        match self {
            Pattern::Line { .. } => 0,
            Pattern::On { .. } => 2,
            Pattern::Left { .. } | Pattern::Gone { .. } => 3,
            Pattern::Over { how, balance } => {
                let how = match how {
                    Over::NeitherCanMove => 4,
                    Over::CannotMove => 6,
                    Over::Plies(_) => 8,
                };
                how + usize::from(balance.is_none())
            }
        }
    }
}

/// The numbers of the names of a set.
pub(super) fn names_in(set: NameSet) -> impl Iterator<Item = usize> {
    (0..31).filter(move |name| set >> name & 1 != 0)
}

/// All patterns that may be worth a look, but for those on zones, which `goal_zones.rs` has.
pub(super) fn patterns(
    names: &Names,
    going_on: &[GoingOn; 2],
    finals: &[Final],
    setup: &Position,
    longest: u32,
) -> Vec<Pattern> {
    let shape = setup.shape();
    let mut patterns = Vec::new();
    for how in [Over::CannotMove, Over::NeitherCanMove, Over::Plies(longest + 1)] {
        for balance in [None, Some(Balance::Fewer), Some(Balance::Same), Some(Balance::More)] {
            patterns.push(Pattern::Over { how, balance });
        }
    }
    let ways = [
        Ways::ALL,
        Ways::RANKS.and(Ways::FILES),
        Ways::DIAGONALS,
        Ways::RANKS,
        Ways::FILES,
        Ways::RISING,
        Ways::FALLING,
    ];
    let groups = if names.list.len() > 1 { 1 + names.list.len() } else { 1 };
    for group in 0..groups {
        let longest = finals.iter().flat_map(|end| end.runs[group]).max().map_or(0, |runs| runs.max(1).ilog2());
        for (count, exactly) in (3..=longest as u16).flat_map(|count| [(count, false), (count, true)]) {
            patterns.extend(ways.map(|ways| Pattern::Line { group, count, exactly, ways }));
        }
    }
    if names.list.len() < 31 {
        for whose in [Whose::Opponent, Whose::Mover] {
            for set in sets(names) {
                let mut numbers: Vec<u16> = finals.iter().map(|end| end.number(side_of(whose), set) as u16).collect();
                numbers.sort_unstable();
                numbers.dedup();
                for count in numbers {
                    let bounds = [Bound::OrFewer, Bound::Exactly, Bound::OrMore];
                    // To have none or fewer, or none or more, is no condition of its own.
                    for bound in bounds.into_iter().filter(|bound| count > 0 || *bound == Bound::Exactly) {
                        patterns.push(Pattern::Left { whose, set, count, bound });
                    }
                }
            }
        }
    }
    for whose in [Whose::Mover, Whose::Opponent] {
        for name in 0..names.list.len() {
            let on = |square: &usize| setup.cells()[*square] != Cell::HOLE;
            let always = |square: &usize| {
                going_on.iter().any(|seen| seen.boards > 0 && seen.stood(side_of(whose), name, *square) == seen.boards)
            };
            let squares = (0..shape.squares()).filter(on).filter(always);
            patterns.extend(squares.map(|square| Pattern::Gone { whose, name, square }));
        }
    }
    patterns
}

/// Sets of names for whom pieces may be counted: those of either player, and if they differ some of each together.
fn sets(names: &Names) -> Vec<NameSet> {
    let [first, second] = [names.sets(Player::First), names.sets(Player::Second)];
    let mut sets = vec![EVERYONE];
    sets.extend(&first);
    sets.extend(&second);
    if names.of[0] != names.of[1] {
        let alike =
            |a: NameSet, b: NameSet| a.count_ones() == 1 && b.count_ones() == 1 || first.len() * second.len() <= 64;
        for &a in &first {
            // What both have is either counted for both or for none.
            let both = names.of[0] & names.of[1];
            let fits = |b: &&NameSet| alike(a, **b) && a & both == **b & both;
            sets.extend(second.iter().filter(fits).map(|b| a | b));
        }
    }
    sets.sort_unstable_by_key(|set| std::cmp::Reverse(*set));
    sets.dedup();
    // Everyone by name is said shorter.
    sets.retain(|&set| set == EVERYONE || names.list.len() == 1 || set != names.of[0] | names.of[1]);
    sets
}
