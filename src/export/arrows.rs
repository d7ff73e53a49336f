//! Sets of directions in arrows.

use crate::rules::Directions;
use std::collections::BTreeSet;

/// Files to the right and ranks forward (in words), or up the board (in arrows).
pub(crate) type DirectionStep = (i8, i8);

/// Whether a step goes to one of the eight neighbours.
pub(crate) fn is_near(step: DirectionStep) -> bool {
    step.0.unsigned_abs() <= 1 && step.1.unsigned_abs() <= 1
}

/// What steps must have in common to be told in one breath: neighbours are, and leaps over equal distances.
pub(crate) fn class(step: DirectionStep) -> (u8, u8) {
    let (a, b) = (step.0.unsigned_abs(), step.1.unsigned_abs());
    if is_near(step) { (1, 1) } else { (a.min(b), a.max(b)) }
}

/// One step as an arrow, or as numbers if it is a leap.
fn arrow(step: DirectionStep) -> String {
    match step {
        (0, 1) => "↑".to_owned(),
        (1, 1) => "↗".to_owned(),
        (1, 0) => "→".to_owned(),
        (1, -1) => "↘".to_owned(),
        (0, -1) => "↓".to_owned(),
        (-1, -1) => "↙".to_owned(),
        (-1, 0) => "←".to_owned(),
        (-1, 1) => "↖".to_owned(),
        (dx, dy) => format!("({dx},{dy})"),
    }
}

/// Steps as they stand on the board, as short as can be: `orthogonal`, `leap 1,2`, `↖↗`.
pub(crate) fn signs(steps: &BTreeSet<DirectionStep>) -> String {
    let is = |directions: Directions| directions.steps().into_iter().collect::<BTreeSet<DirectionStep>>() == *steps;
    for directions in [Directions::Any, Directions::Orthogonal, Directions::Diagonal] {
        if is(directions) {
            return directions.to_string();
        }
    }
    if let Some(&first) = steps.first()
        && !is_near(first)
    {
        let (a, b) = class(first);
        if is(Directions::Leap(a, b)) {
            return Directions::Leap(a, b).to_string();
        }
    }
    // Clockwise from the left.
    let mut sorted: Vec<DirectionStep> = steps.iter().copied().collect();
    let angle = |step: &DirectionStep| f64::from(step.1).atan2(-f64::from(step.0)).rem_euclid(std::f64::consts::TAU);
    sorted.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    let words: Vec<String> = sorted.into_iter().map(arrow).collect();
    let spaced = words.iter().any(|word| word.len() > 3);
    words.join(if spaced { " " } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_directions_have_signs() {
        for (steps, expected) in [
            (Directions::Diagonal.steps(), "diagonal"),
            (vec![(1, 1), (-1, 1)], "↖↗"),
            (vec![(0, 1), (-1, 0), (1, 0)], "←↑→"),
            (Directions::Leap(1, 2).steps(), "leap 1,2"),
            (vec![(1, 2)], "(1,2)"),
        ] {
            assert_eq!(signs(&steps.into_iter().collect()), expected);
        }
    }
}
