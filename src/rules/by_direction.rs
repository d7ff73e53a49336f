//! Movements by direction: what can be gone along each of several directions, as one letter.

use super::symbol::Symbol;
use super::{Atom, Directions, Landing, Zone};
use crate::automata::simplify::{Letters, Plain, Simplifier};
use crate::automata::{Expression, Nfa};
use crate::board::Player;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Files to the right, ranks up.
pub(super) type Step = (i8, i8);

/// What is met on a way that goes straight on.
pub(super) type Path = Expression<Landing>;

/// A part of a movement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Leg {
    /// One of several directions, each with the ways along it; sorted by direction, each once.
    Fan(Vec<(Step, Path)>),
    /// A put-down or a guard.
    Still(Symbol),
}

impl From<Symbol> for Leg {
    fn from(symbol: Symbol) -> Leg {
        match symbol {
            Symbol::Step { dx, dy, landing } => Leg::Fan(vec![((dx, dy), Expression::Letter(landing))]),
            other => Leg::Still(other),
        }
    }
}

/// How legs melt into one. Paths with the same words are written alike.
///
/// Words that turn back at once are dropped where that lets legs melt: `vertical(empty)* vertical(enemy)` is
/// `vertical(empty* enemy)`, since a step up is never followed by a step down.
pub(super) struct Legs {
    paths: Simplifier<Plain<Landing>>,
    written: RefCell<FxHashMap<Path, Path>>,
}

/// Larger paths are left as they are: to write them better would take too long.
const LARGE_PATH: usize = 200;

impl Legs {
    pub fn new() -> Legs {
        Legs { paths: Simplifier(Plain::new()), written: RefCell::default() }
    }

    /// The way to write the words of a path.
    fn written(&self, path: Path) -> Path {
        if let Some(known) = self.written.borrow().get(&path) {
            return known.clone();
        }
        let automaton = || Nfa::from_expression(&path, LARGE_PATH).ok()?.determinise(LARGE_PATH).ok();
        let best = automaton().and_then(|dfa| dfa.minimise().expression_within(LARGE_PATH)).unwrap_or(path.clone());
        self.written.borrow_mut().insert(path, best.clone());
        best
    }

    /// Whether a way may end with a piece being taken, after which a word may turn back.
    fn may_take_last(&self, path: &Path) -> bool {
        match path {
            Expression::Letter(landing) => matches!(landing, Landing::Take(_)),
            Expression::Choice(parts) => parts.iter().any(|part| self.may_take_last(part)),
            Expression::Repeat { of, .. } => self.may_take_last(of),
            Expression::Sequence(parts) => {
                let last = parts.iter().rposition(|part| !self.paths.is_optional(part)).unwrap_or(0);
                parts[last..].iter().any(|part| self.may_take_last(part))
            }
        }
    }

    /// One of these ways; if one can be left out, each says so, since all that are alike should look alike.
    fn fan(&self, mut ways: Vec<(Step, Path)>) -> Leg {
        let optional = ways.iter().any(|way| self.paths.is_optional(&way.1));
        for (_, path) in &mut ways {
            let either = if optional { vec![Expression::sequence([]), path.clone()] } else { vec![path.clone()] };
            *path = self.written(self.paths.choice(either));
        }
        Leg::Fan(ways)
    }
}

/// Whether all directions are one or its opposite.
fn is_one_line<'a>(mut steps: impl Iterator<Item = &'a (Step, Path)>) -> bool {
    let Some(&((dx, dy), _)) = steps.next() else { return false };
    steps.all(|&(step, _)| step == (dx, dy) || step == (-dx, -dy))
}

fn along(fan: &[(Step, Path)], step: Step) -> Option<&Path> {
    fan.iter().find(|way| way.0 == step).map(|way| &way.1)
}

impl Letters for Legs {
    type Letter = Leg;

    fn is_optional(&self, leg: &Leg) -> bool {
        match leg {
            Leg::Fan(fan) => fan.iter().any(|way| self.paths.is_optional(&way.1)),
            Leg::Still(_) => false,
        }
    }

    fn either(&self, a: &Leg, b: &Leg) -> Option<Leg> {
        let (Leg::Fan(a), Leg::Fan(b)) = (a, b) else { return None };
        let mut steps: Vec<Step> = a.iter().chain(b).map(|way| way.0).collect();
        steps.sort_unstable();
        steps.dedup();
        let ways = steps.into_iter().map(|step| {
            let paths = along(a, step).into_iter().chain(along(b, step)).cloned();
            (step, self.paths.choice(paths.collect::<Vec<_>>()))
        });
        Some(self.fan(ways.collect()))
    }

    fn then(&self, a: &Leg, b: &Leg) -> Option<Leg> {
        let (Leg::Fan(before), Leg::Fan(after)) = (a, b) else { return None };
        let one_way = before.len() == 1 && after.len() == 1 && before[0].0 == after[0].0;
        if !one_way && (!is_one_line(before.iter().chain(after)) || before.iter().any(|way| self.may_take_last(&way.1)))
        {
            return None;
        }
        let (may_stay, may_stop) = (self.is_optional(a), self.is_optional(b));
        let mut steps: Vec<Step> = before.iter().chain(after).map(|way| way.0).collect();
        steps.sort_unstable();
        steps.dedup();
        let ways = steps.into_iter().filter_map(|step| {
            let (before, after) = (along(before, step), along(after, step));
            let both = before.zip(after).map(|(a, b)| self.paths.sequence([a.clone(), b.clone()]));
            let only = before.filter(|_| may_stop).into_iter().chain(after.filter(|_| may_stay)).cloned();
            let paths: Vec<Path> = both.into_iter().chain(only).collect();
            (!paths.is_empty()).then(|| (step, self.paths.choice(paths)))
        });
        let ways: Vec<(Step, Path)> = ways.collect();
        (!ways.is_empty()).then(|| self.fan(ways))
    }

    fn again(&self, leg: &Leg, least: u8, most: Option<u8>) -> Option<Leg> {
        let Leg::Fan(fan) = leg else { return None };
        if fan.len() > 1 && (!is_one_line(fan.iter()) || fan.iter().any(|way| self.may_take_last(&way.1))) {
            return None;
        }
        let again = |(step, path): &(Step, Path)| (*step, self.paths.repeat(path.clone(), least, most));
        Some(self.fan(fan.iter().map(again).collect()))
    }

    fn size(&self, leg: &Leg) -> usize {
        match leg {
            Leg::Still(_) => 2,
            Leg::Fan(fan) => {
                let is_new = |(at, way): &(usize, &(Step, Path))| fan[..*at].iter().all(|other| other.1 != way.1);
                fan.iter().enumerate().filter(is_new).map(|(_, way)| 2 + self.paths.size(&way.1)).sum()
            }
        }
    }
}

/// Says a leg in the words of the text form, for a player's own line.
pub(super) fn say(leg: &Leg, zones: &[Zone], player: Player) -> Expression<Atom> {
    match leg {
        Leg::Still(symbol) => Expression::Letter(atom(*symbol, zones)),
        Leg::Fan(fan) => {
            let whole: Vec<(&Path, Step)> = fan.iter().map(|(step, path)| (path, *step)).collect();
            let parts = fan.iter().flat_map(|(step, path)| match path {
                Expression::Choice(parts) => parts.iter().map(|part| (part, *step)).collect(),
                other => vec![(other, *step)],
            });
            // `any(empty) | forward(enemy)` rather than `forward(empty | enemy)` and seven directions with empty.
            let tries = [say_grouped(whole, player), say_grouped(parts.collect(), player)];
            tries.into_iter().min_by_key(|said| said.to_string().len()).unwrap_or_else(|| Expression::choice([]))
        }
    }
}

/// A symbol as an atom of a player's own line.
pub(super) fn atom(symbol: Symbol, zones: &[Zone]) -> Atom {
    match symbol {
        Symbol::Step { dx, dy, landing } => Atom::Step { dx, dy, landing },
        Symbol::Put(cell) => Atom::Put(cell),
        Symbol::Vanish => Atom::Vanish,
        Symbol::Zone { number, within } => {
            let name = zones.get(number).map_or_else(|| format!("zone-{number}"), |zone| zone.name.clone());
            Atom::Zone { name, within }
        }
        Symbol::Look { dx, dy, seen } => Atom::Look { dx, dy, seen },
    }
}

/// Ways as a choice, in which directions with the same paths share a name where there is one.
fn say_grouped(ways: Vec<(&Path, Step)>, player: Player) -> Expression<Atom> {
    let mut steps_of: Vec<(&Path, Vec<Step>)> = Vec::new();
    for (path, step) in ways {
        match steps_of.iter_mut().find(|group| group.0 == path) {
            Some(group) => group.1.push(step),
            None => steps_of.push((path, vec![step])),
        }
    }
    let mut groups: Vec<(Vec<Path>, Vec<Step>)> = Vec::new();
    for (path, mut steps) in steps_of {
        steps.sort_unstable();
        match groups.iter_mut().find(|group| group.1 == steps) {
            Some(group) => group.0.push(path.clone()),
            None => groups.push((vec![path.clone()], steps)),
        }
    }
    let paths = Simplifier(Plain::new());
    let mut groups: Vec<(Path, Vec<Step>)> =
        groups.into_iter().map(|(parts, steps)| (paths.choice(parts), steps)).collect();
    groups.sort_by_cached_key(|(path, steps)| (paths.size(path), path.clone(), steps.clone()));
    let said = groups.into_iter().flat_map(|(path, steps)| {
        let (named, single) = named(steps, player);
        let named = named.into_iter().map({
            let path = path.clone();
            move |directions| Expression::Letter(Atom::Along(directions, path.clone()))
        });
        let single = single
            .into_iter()
            .map(move |(dx, dy)| path.expand(&mut |&landing| Expression::Letter(Atom::Step { dx, dy, landing })));
        named.chain(single).collect::<Vec<_>>()
    });
    Expression::choice(said.collect::<Vec<_>>())
}

/// Sets with names that make up these directions, the largest first, and the directions that are in none.
fn named(mut steps: Vec<Step>, player: Player) -> (Vec<Directions>, Vec<Step>) {
    use Directions::*;
    let neighbours = [
        Any,
        Orthogonal,
        Diagonal,
        ForwardDiagonal,
        BackwardDiagonal,
        Vertical,
        Sideways,
        Forward,
        Backward,
        Left,
        Right,
    ];
    let mut leaps: Vec<(u8, u8)> = steps
        .iter()
        .map(|&(dx, dy)| (dx.unsigned_abs().min(dy.unsigned_abs()), dx.unsigned_abs().max(dy.unsigned_abs())))
        .filter(|leap| leap.1 > 1)
        .collect();
    leaps.sort_unstable();
    leaps.dedup();
    let mut found = Vec::new();
    for directions in neighbours.into_iter().chain(leaps.into_iter().map(|(a, b)| Leap(a, b))) {
        let up = |dy: i8| if player == Player::Second { -dy } else { dy };
        let set: Vec<Step> = directions.steps().into_iter().map(|(dx, dy)| (dx, up(dy))).collect();
        if set.iter().all(|step| steps.contains(step)) {
            steps.retain(|step| !set.contains(step));
            found.push(directions);
        }
    }
    (found, steps)
}
