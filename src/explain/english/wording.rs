//! Small words: articles, numbers, lists, and how pieces and zones are called.

use crate::board::{Cell, Player, Shape};
pub(crate) use crate::export::naming::{list, with_article};
use crate::rules::{Area, Landing, Rules, Seen, Side, Taken, Zone};
use std::collections::BTreeSet;

/// The text with its first letter in upper case.
pub(crate) fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

/// A number in words as long as they are short.
pub(crate) fn number(n: usize) -> String {
    const SMALL: [&str; 11] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    SMALL.get(n).map_or_else(|| n.to_string(), |&word| word.to_owned())
}

/// `1 game`, `2 games`.
pub(crate) fn counted(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// How often something happened.
pub(crate) fn times(n: u64) -> String {
    match n {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{n} times"),
    }
}

/// A piece or wall as the player whose line it is would call it.
pub(crate) fn cell(cell: Cell, owner: Player) -> String {
    match cell.owner() {
        None if cell == Cell::WALL => "a wall".to_owned(),
        Some(other) if other != owner => format!("an opponent's {cell}"),
        _ => with_article(&cell.to_string()),
    }
}

/// What a set of landings finds on a square that is not empty; `None` if there is nothing but empty squares in it.
pub(crate) fn whom(landings: &BTreeSet<Landing>, owner: Player) -> Option<String> {
    let has =
        |seen: Seen, taken: Taken| landings.contains(&Landing::On(seen)) || landings.contains(&Landing::Take(taken));
    let (own, enemy) = (has(Seen::Own, Taken::Own), has(Seen::Enemy, Taken::Enemy));
    let mut words: Vec<String> = match (own, enemy) {
        (true, true) => vec!["a piece of either side".to_owned()],
        (true, false) => vec!["a piece of its own side".to_owned()],
        (false, true) => vec!["an opponent's piece".to_owned()],
        (false, false) => Vec::new(),
    };
    for landing in landings {
        if let Landing::Take(Taken::The(taken)) = landing {
            words.push(cell(*taken, owner));
        }
    }
    (!words.is_empty()).then(|| list(&words, "or"))
}

/// What a guard sees.
pub(crate) fn seen(seen: &BTreeSet<Seen>) -> String {
    let found: BTreeSet<Landing> = seen.iter().map(|&seen| Landing::On(seen)).collect();
    match (seen.contains(&Seen::Empty), whom(&found, Player::First)) {
        (true, None) => "is empty".to_owned(),
        (true, Some(whom)) => format!("is empty or holds {whom}"),
        (false, Some(whom)) => format!("holds {whom}"),
        (false, None) => "is there".to_owned(),
    }
}

/// The zone as the second player has it where a line is for both.
pub(crate) fn mirrored(zone: &Zone, shape: Shape) -> Zone {
    Zone { name: zone.name.clone(), areas: zone.areas.iter().map(|area| area.mirrored(shape)).collect() }
}

/// The zone by its squares: `the far rank (rank 8; rank 1 for black)`.
pub(crate) fn zone(rules: &Rules, name: &str, side: Side) -> String {
    let Some(zone) = rules.zone(name) else { return format!("the zone {name}") };
    let shape = rules.setup.shape();
    let top = shape.height().saturating_sub(1) as u8;
    let other = mirrored(zone, shape);
    let turned = match (side, rules.players.get(1)) {
        (Side::Both, Some(second)) if other != *zone => Some(format!("{other} for {second}")),
        _ => None,
    };
    let common = match zone.areas[..] {
        [Area::Ranks(a, b)] if a == b && turned.is_some() && a == top => Some("the far rank"),
        [Area::Ranks(a, b)] if a == b && turned.is_some() && a == 0 => Some("its first rank"),
        _ => None,
    };
    match (common, turned) {
        (Some(common), Some(turned)) => format!("{common} ({zone}; {turned})"),
        (_, turned) => match (&zone.areas[..], turned) {
            ([Area::Squares(_)], None) => format!("the zone {name} ({zone})"),
            ([Area::Squares(_)], Some(turned)) => format!("the zone {name} ({zone}; {turned})"),
            ([Area::Ranks(..) | Area::Files(..)], None) => zone.to_string(),
            ([Area::Ranks(..) | Area::Files(..)], Some(turned)) => format!("{zone} ({turned})"),
            ([_], None) => format!("the {zone}"),
            ([_], Some(turned)) => format!("the {zone} ({turned})"),
            (_, None) => format!("the zone {name} ({zone})"),
            (_, Some(turned)) => format!("the zone {name} ({zone}; {turned})"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_are_those_of_letters_read_out() {
        for (name, expected) in
            [("P", "a P"), ("N", "an N"), ("u", "a u"), ("+R", "an +R"), ("Kn~", "a Kn~"), ("x", "an x")]
        {
            assert_eq!(with_article(name), expected);
        }
    }

    #[test]
    fn lists_and_numbers_read_well() {
        let words = |n: usize| ["a", "b", "c"][..n].iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        assert_eq!([0, 1, 2, 3].map(|n| list(&words(n), "or")), ["", "a", "a or b", "a, b or c"].map(str::to_owned));
        assert_eq!((number(3), number(31)), ("three".to_owned(), "31".to_owned()));
        assert_eq!((counted(1, "game"), times(1), times(7)), ("1 game".into(), "once".into(), "7 times".into()));
        assert_eq!(capitalised("über"), "Über");
    }
}
