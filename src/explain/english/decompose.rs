//! A movement taken apart into ways: what a person would tell one after another.
//!
//! Expressions with the same words can be written in many ways; taking them apart brings most of them to one form, so
//! that `(0 1 empty)* | (1 0 empty)*` is told as a slide like `orthogonal(empty*)`.

use crate::automata::{Dfa, Expression, Nfa};
use crate::board::{Cell, Player};
use crate::export::arrows::{DirectionStep, class};
use crate::rules::{Atom, Landing, Seen, Side};

/// One thing after another.
pub(crate) type Way = Vec<Unit>;

/// A part of a way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Unit {
    /// Steps that all go in one direction out of a set; forward is away from one's own side.
    Leg { steps: Vec<DirectionStep>, path: Expression<Landing> },
    /// After a leg by a side: a step by one of the two corners that lead further away.
    Outward { path: Expression<Landing> },
    /// The piece is put down, and another one goes on.
    Put(Cell),
    /// The piece leaves the board.
    Vanish,
    /// One of the guards must hold.
    Guard(Vec<Guard>),
    /// One of the ways, again and again; at least once.
    Again { ways: Vec<Way>, least: u8, most: Option<u8> },
    /// One of the ways.
    OneOf(Vec<Way>),
}

/// What must hold at a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Guard {
    Zone { name: String, within: bool },
    Look { step: DirectionStep, seen: Seen },
}

/// Whose movement it is, which says where forward is.
#[derive(Clone, Copy)]
pub(crate) struct View {
    pub side: Side,
}

impl View {
    pub fn player(self) -> Player {
        match self.side {
            Side::Both => Player::First,
            Side::Only(player) => player,
        }
    }

    /// A step of the text as the mover sees it.
    fn forward(self, dx: i8, dy: i8) -> DirectionStep {
        (dx, if self.player() == Player::Second { dy.wrapping_neg() } else { dy })
    }
}

/// How many ways a sequence of choices may become before it is told as choices.
const MOST_WAYS: usize = 4;

/// The ways of a movement.
pub(crate) fn ways(words: &Expression<Atom>, view: View) -> Vec<Way> {
    let ways = match words {
        Expression::Letter(atom) => return vec![vec![unit(atom, view)]],
        Expression::Choice(parts) => parts.iter().flat_map(|part| ways(part, view)).collect(),
        Expression::Sequence(parts) => {
            parts.iter().fold(vec![Vec::new()], |before, part| joined(before, ways(part, view)))
        }
        Expression::Repeat { of, least, most } => repeated(ways(of, view), *least, *most),
    };
    merged(ways)
}

fn unit(atom: &Atom, view: View) -> Unit {
    match atom {
        Atom::Step { dx, dy, landing } => {
            Unit::Leg { steps: vec![view.forward(*dx, *dy)], path: Expression::Letter(*landing) }
        }
        Atom::Along(directions, path) => Unit::Leg { steps: directions.steps(), path: path.clone() },
        Atom::Put(cell) => Unit::Put(*cell),
        Atom::Vanish => Unit::Vanish,
        Atom::Zone { name, within } => Unit::Guard(vec![Guard::Zone { name: name.clone(), within: *within }]),
        // What is looked at is told as the text has it: on boards that are not turned, as it is drawn.
        Atom::Look { dx, dy, seen } => Unit::Guard(vec![Guard::Look { step: (*dx, *dy), seen: *seen }]),
    }
}

fn joined(before: Vec<Way>, after: Vec<Way>) -> Vec<Way> {
    if before.len() * after.len() <= MOST_WAYS || before.is_empty() || after.is_empty() {
        let join = |a: &Way, b: &Way| {
            let mut way = a.clone();
            b.iter().for_each(|unit| push(&mut way, unit.clone()));
            way
        };
        return before.iter().flat_map(|a| after.iter().map(move |b| join(a, b))).collect();
    }
    let one = |mut ways: Vec<Way>| if ways.len() == 1 { ways.remove(0) } else { vec![Unit::OneOf(ways)] };
    let mut way = one(before);
    one(after).into_iter().for_each(|unit| push(&mut way, unit));
    vec![way]
}

/// Adds a unit to a way; steps in the same single direction become one leg.
fn push(way: &mut Way, unit: Unit) {
    if let (Some(Unit::Leg { steps, path }), Unit::Leg { steps: more, path: on }) = (way.last_mut(), &unit)
        && steps.len() == 1
        && steps == more
    {
        *path = Expression::sequence([path.clone(), on.clone()]);
    } else {
        way.push(unit);
    }
}

fn repeated(mut ways: Vec<Way>, least: u8, most: Option<u8>) -> Vec<Way> {
    if most == Some(0) {
        return vec![Vec::new()];
    }
    if let [way] = &ways[..]
        && let [Unit::Leg { steps, path }] = &way[..]
        && steps.len() == 1
    {
        return vec![vec![Unit::Leg { steps: steps.clone(), path: path.clone().repeat(least, most) }]];
    }
    let all = ways.len();
    ways.retain(|way| !way.is_empty());
    let may_be_nothing = least == 0 || ways.len() < all;
    if ways.is_empty() {
        return if may_be_nothing { vec![Vec::new()] } else { Vec::new() };
    }
    // Where some of the times may be nothing, fewer times will do.
    let least = if ways.len() < all { 1 } else { least.max(1) };
    let some = if (least, most) == (1, Some(1)) { ways } else { vec![vec![Unit::Again { ways, least, most }]] };
    if may_be_nothing { some.into_iter().chain([Vec::new()]).collect() } else { some }
}

/// The smallest automaton of a path, by which paths are compared; `None` if it is very large.
pub(crate) fn path_automaton(path: &Expression<Landing>) -> Option<Dfa<Landing>> {
    const LIMIT: usize = 300;
    Some(Nfa::from_expression(path, LIMIT).ok()?.determinise(LIMIT).ok()?.minimise())
}

pub(crate) fn same_path(a: &Expression<Landing>, b: &Expression<Landing>) -> bool {
    a == b || matches!((path_automaton(a), path_automaton(b)), (Some(a), Some(b)) if a == b)
}

/// Two units as one that stands for either, if there is such a one.
fn union(a: &Unit, b: &Unit) -> Option<Unit> {
    match (a, b) {
        (Unit::Leg { steps, path }, Unit::Leg { steps: others, path: other }) if steps == others => {
            Some(Unit::Leg { steps: steps.clone(), path: Expression::choice([path.clone(), other.clone()]) })
        }
        (Unit::Leg { steps, path }, Unit::Leg { steps: others, path: other }) => {
            let alike = class(*steps.first()?) == class(*others.first()?) && same_path(path, other);
            alike.then(|| {
                let mut all = [&steps[..], others].concat();
                all.sort_unstable();
                all.dedup();
                Unit::Leg { steps: all, path: path.clone() }
            })
        }
        (Unit::Guard(some), Unit::Guard(others)) => {
            let mut all = some.clone();
            others.iter().for_each(|guard| {
                if !all.contains(guard) {
                    all.push(guard.clone());
                }
            });
            Some(Unit::Guard(all))
        }
        _ => None,
    }
}

fn is_same(a: &Unit, b: &Unit) -> bool {
    match (a, b) {
        (Unit::Leg { steps, path }, Unit::Leg { steps: others, path: other }) => {
            steps == others && same_path(path, other)
        }
        (Unit::Outward { path }, Unit::Outward { path: other }) => same_path(path, other),
        _ => a == b,
    }
}

/// Two ways that differ in one unit as one.
fn merge_two(a: &Way, b: &Way) -> Option<Way> {
    if a.len() != b.len() {
        return None;
    }
    let mut differ = (0..a.len()).filter(|&i| !is_same(&a[i], &b[i]));
    match (differ.next(), differ.next()) {
        (None, _) => Some(a.clone()),
        (Some(at), None) => {
            let mut way = a.clone();
            way[at] = union(&a[at], &b[at])?;
            Some(way)
        }
        _ => None,
    }
}

/// The ways with those told together that can be. More than this many are left as they are.
fn merged(mut ways: Vec<Way>) -> Vec<Way> {
    const MOST: usize = 24;
    if ways.len() > MOST {
        return ways;
    }
    ways.iter_mut().for_each(turn_outward);
    while let Some((i, j, way)) = (0..ways.len())
        .flat_map(|i| (i + 1..ways.len()).map(move |j| (i, j)))
        .find_map(|(i, j)| merge_two(&ways[i], &ways[j]).map(|way| (i, j, way)))
    {
        ways[i] = way;
        ways.remove(j);
    }
    ways
}

/// A step by a side and then by one of the corners beyond it, as the horse of xiangqi goes.
fn turn_outward(way: &mut Way) {
    if let [.., Unit::Leg { steps: first, .. }, Unit::Leg { steps: second, path }] = &way[..]
        && let [(dx, dy)] = first[..]
        && dx.unsigned_abs() + dy.unsigned_abs() == 1
    {
        let mut corners = if dx == 0 { vec![(-1, dy), (1, dy)] } else { vec![(dx, -1), (dx, 1)] };
        corners.sort_unstable();
        if *second == corners {
            let outward = Unit::Outward { path: path.clone() };
            way.pop();
            way.push(outward);
        }
    }
}
