//! Sets of directions in words.

use super::wording::{list, number};
use crate::export::arrows::{DirectionStep, class, is_near};
use crate::rules::Directions;
use std::collections::BTreeSet;

/// Sets of neighbours, the larger ones first, with the adverb for each.
const ADVERBS: [(Directions, &str); 11] = [
    (Directions::Any, "in any direction"),
    (Directions::Orthogonal, "orthogonally"),
    (Directions::Diagonal, "diagonally"),
    (Directions::Vertical, "straight forward or backward"),
    (Directions::Sideways, "sideways"),
    (Directions::ForwardDiagonal, "diagonally forward"),
    (Directions::BackwardDiagonal, "diagonally backward"),
    (Directions::Forward, "straight forward"),
    (Directions::Backward, "straight backward"),
    (Directions::Left, "to the left"),
    (Directions::Right, "to the right"),
];

/// The way steps to neighbours go: `orthogonally`, `straight forward or sideways`.
fn near_adverb(steps: &[DirectionStep]) -> String {
    let mut left: BTreeSet<DirectionStep> = steps.iter().copied().collect();
    let mut words = Vec::new();
    for (directions, adverb) in ADVERBS {
        let all = directions.steps();
        if all.iter().all(|step| left.contains(step)) {
            all.iter().for_each(|step| {
                left.remove(step);
            });
            words.push(adverb.to_owned());
        }
    }
    for (dx, dy) in left {
        let (along, across) = (if dy > 0 { "forward" } else { "backward" }, if dx > 0 { "right" } else { "left" });
        words.push(format!("diagonally {along} to the {across}"));
    }
    list(&words, "or")
}

fn squares(n: u8) -> String {
    format!("{} square{}", number(usize::from(n)), if n == 1 { "" } else { "s" })
}

/// The way one leap goes: `two squares orthogonally and one square to the side`.
fn leap(steps: &[DirectionStep]) -> String {
    let (a, b) = class(steps[0]);
    let all: BTreeSet<DirectionStep> = steps.iter().copied().collect();
    if Directions::Leap(a, b).steps().into_iter().collect::<BTreeSet<DirectionStep>>() == all {
        return match (a, b) {
            (0, b) => format!("exactly {} orthogonally", squares(b)),
            (a, b) if a == b => format!("exactly {} diagonally", squares(a)),
            (a, b) => format!("{} orthogonally and {} to the side", squares(b), squares(a)),
        };
    }
    // Steps that differ only in their side are told together.
    let mut told = BTreeSet::new();
    let mut words = Vec::new();
    for &(dx, dy) in &all {
        if !told.insert((dx.unsigned_abs(), dy)) {
            continue;
        }
        let along = match dy {
            0 => None,
            dy => Some(format!("{} {}", squares(dy.unsigned_abs()), if dy > 0 { "forward" } else { "backward" })),
        };
        let side = match (dx, all.contains(&(dx.wrapping_neg(), dy))) {
            (0, _) => None,
            (dx, true) => Some(format!("{} to either side", squares(dx.unsigned_abs()))),
            (dx, false) => {
                Some(format!("{} to the {}", squares(dx.unsigned_abs()), if dx > 0 { "right" } else { "left" }))
            }
        };
        words.push([along, side].into_iter().flatten().collect::<Vec<_>>().join(" and "));
    }
    list(&words, "or")
}

/// The way steps go, all of one class.
pub(crate) fn adverb(steps: &[DirectionStep]) -> String {
    match steps.first() {
        None => "nowhere".to_owned(),
        Some(&first) if is_near(first) => near_adverb(steps),
        Some(_) => leap(steps),
    }
}

/// Where a square lies that a guard looks at: `in front of it`, or `below it` where the board stays as it is drawn.
pub(crate) fn place(step: DirectionStep, as_drawn: bool) -> String {
    let (dx, dy) = step;
    let words = if as_drawn { ["above", "below"] } else { ["in front of", "behind"] };
    let along = |n: i8| words[usize::from(n < 0)];
    let side = if dx > 0 { "to the right" } else { "to the left" };
    match (dx, dy) {
        (0, 0) => "where it stands".to_owned(),
        (0, 1 | -1) => format!("just {} it", along(dy)),
        (1 | -1, 0) => format!("just {side} of it"),
        (0, n) => format!("{} {} it", squares(n.unsigned_abs()), along(n)),
        (n, 0) => format!("{} {side} of it", squares(n.unsigned_abs())),
        (n, m) => format!("{} {side} of and {} {} it", squares(n.unsigned_abs()), squares(m.unsigned_abs()), along(m)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_directions_have_adverbs() {
        for (steps, expected) in [
            (Directions::Any.steps(), "in any direction"),
            (vec![(0, 1), (-1, 0), (1, 0)], "sideways or straight forward"),
            (vec![(0, 1), (0, -1), (-1, 0), (1, 0), (1, 1), (-1, 1)], "orthogonally or diagonally forward"),
            (vec![(1, 1)], "diagonally forward to the right"),
            (Directions::Leap(1, 2).steps(), "two squares orthogonally and one square to the side"),
            (Directions::Leap(0, 2).steps(), "exactly two squares orthogonally"),
            (Directions::Leap(3, 3).steps(), "exactly three squares diagonally"),
            (vec![(1, 2), (-1, 2)], "two squares forward and one square to either side"),
            (vec![(0, 2)], "two squares forward"),
        ] {
            assert_eq!(adverb(&steps), expected, "{steps:?}");
        }
    }

    #[test]
    fn places_are_told_from_the_piece() {
        assert_eq!(place((0, -1), true), "just below it");
        assert_eq!(place((0, 1), false), "just in front of it");
        assert_eq!(place((2, -1), false), "two squares to the right of and one square behind it");
    }
}
