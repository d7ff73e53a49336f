//! Paths in one direction as phrases: slides, steps, leaps, jumps.

use super::decompose::path_automaton;
use super::direction::adverb;
use super::wording::{list, number, whom};
use crate::automata::Expression;
use crate::board::Player;
use crate::export::arrows::{DirectionStep, is_near};
use crate::rules::{Landing, Seen, Taken};
use std::collections::BTreeSet;

/// What comes behind a path, which says what becomes of a piece that it ends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum After {
    /// The piece is put down there, so that whatever stood there is captured.
    Stays,
    /// It goes on.
    GoesOn,
    /// One or the other.
    Either,
}

/// What a phrase is about.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub steps: &'a [DirectionStep],
    pub after: After,
    pub owner: Player,
}

type LandingSquares = BTreeSet<Landing>;

const EMPTY: Landing = Landing::On(Seen::Empty);

/// A part of a path.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    /// So many squares, each with one of these.
    Land { on: LandingSquares, least: usize, most: Option<usize> },
    /// One of the paths, so many times.
    Again { paths: Vec<Vec<Item>>, least: usize, most: Option<usize> },
}

/// The alternatives of a path, each a phrase with a verb: `slides any number of empty squares orthogonally`.
pub(crate) fn phrases(path: &Expression<Landing>, context: Context) -> Vec<String> {
    if let Some(ray) = Ray::of(path) {
        return ray.phrases(context);
    }
    let Some(paths) = items(path) else {
        return vec![format!("goes {} along the path ‘{path}’", adverb(context.steps))];
    };
    // What only slides is told together, so that a slide and the capture at its end are one phrase.
    let (plain, special): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| is_plain(path));
    let slides = Expression::choice(plain.iter().map(|path| expression(path)).collect::<Vec<_>>());
    let mut found = if plain.is_empty() { Vec::new() } else { phrases_of_slides(&slides, &plain, context) };
    found.extend(special.iter().filter(|path| !path.is_empty()).map(|path| special_phrase(path, context)));
    found
}

/// Whether a path can be walked without a step.
pub(crate) fn may_be_nothing(path: &Expression<Landing>) -> bool {
    path_automaton(path).is_some_and(|automaton| automaton.states()[0].accepting)
}

fn phrases_of_slides(slides: &Expression<Landing>, plain: &[Vec<Item>], context: Context) -> Vec<String> {
    match Ray::of(slides) {
        Some(ray) => ray.phrases(context),
        None => plain.iter().filter(|path| !path.is_empty()).map(|path| special_phrase(path, context)).collect(),
    }
}

/// Lengths, as runs from the first to the last.
type Lengths = Vec<(usize, Option<usize>)>;

/// A path over empty squares that ends on one of them, or on something else right behind them.
struct Ray {
    /// After how many empty squares it may end.
    quiet: Lengths,
    /// On which step what may be come to that is not empty.
    ends: Vec<(Landing, Lengths)>,
}

impl Ray {
    fn of(path: &Expression<Landing>) -> Option<Ray> {
        let automaton = path_automaton(path)?;
        let states = automaton.states();
        let mut quiet = BTreeSet::new();
        let mut ends: Vec<(Landing, BTreeSet<usize>)> = Vec::new();
        let (mut at, mut walked, mut endless) = (0, 0, false);
        loop {
            if states[at].accepting {
                quiet.insert(walked);
            }
            let mut next = None;
            for &(landing, to) in &states[at].edges {
                if landing == EMPTY {
                    next = Some(to.index());
                } else if !states[to.index()].accepting || !states[to.index()].edges.is_empty() {
                    return None;
                } else {
                    match ends.iter_mut().find(|end| end.0 == landing) {
                        Some(end) => {
                            end.1.insert(walked + 1);
                        }
                        None => ends.push((landing, BTreeSet::from([walked + 1]))),
                    }
                }
            }
            walked += 1;
            match next {
                None => break,
                Some(to) if to == at => {
                    endless = true;
                    break;
                }
                // A longer loop would be a rhythm, which is no slide.
                Some(_) if walked > states.len() => return None,
                Some(to) => at = to,
            }
        }
        // In an endless slide the last state goes on for ever.
        let last = walked - 1;
        let runs = |lengths: BTreeSet<usize>, open: bool| {
            let mut runs: Lengths = Vec::new();
            for length in lengths {
                match runs.last_mut() {
                    Some((_, Some(to))) if *to + 1 == length => *to = length,
                    _ => runs.push((length, Some(length))),
                }
            }
            if open && let Some(run) = runs.last_mut() {
                run.1 = None;
            }
            runs
        };
        let quiet_open = endless && quiet.contains(&last);
        let mut quiet = runs(quiet, quiet_open);
        // To stay is no move; sequences tell it in their own way.
        quiet = quiet
            .into_iter()
            .filter_map(|(from, to)| if from > 0 { Some((from, to)) } else { (to != Some(0)).then_some((1, to)) })
            .collect();
        let ends = ends
            .into_iter()
            .map(|(landing, lengths)| {
                let open = endless && lengths.contains(&(last + 1));
                (landing, runs(lengths, open))
            })
            .collect();
        Some(Ray { quiet, ends })
    }

    fn phrases(&self, context: Context) -> Vec<String> {
        // What ends on the same steps is told together.
        let mut groups: Vec<(&Lengths, LandingSquares)> = Vec::new();
        for (landing, lengths) in &self.ends {
            match groups
                .iter_mut()
                .find(|group| group.0 == lengths && stays(*landing) == group.1.iter().all(|&l| stays(l)))
            {
                Some(group) => {
                    group.1.insert(*landing);
                }
                None => groups.push((lengths, BTreeSet::from([*landing]))),
            }
        }
        let mut found = Vec::new();
        let with_quiet = groups.iter().position(|group| *group.0 == self.quiet);
        if !self.quiet.is_empty() {
            let end = with_quiet.map(|at| arrival(&groups[at].1, context));
            found.push(slide(&self.quiet, true, end.as_deref(), context));
        }
        for (i, (lengths, landings)) in groups.iter().enumerate() {
            if Some(i) != with_quiet || self.quiet.is_empty() {
                found.push(slide(lengths, false, Some(&arrival(landings, context)), context));
            }
        }
        found
    }
}

fn stays(landing: Landing) -> bool {
    matches!(landing, Landing::On(_))
}

/// What happens to what is come to at the end: `capture an opponent's piece`.
fn arrival(landings: &LandingSquares, context: Context) -> String {
    let whom = whom(landings, context.owner).unwrap_or_default();
    let only_walls = landings.iter().all(|landing| *landing == Landing::Take(Taken::The(crate::board::Cell::WALL)));
    let kept = landings.iter().all(|&landing| stays(landing));
    match (context.after, kept) {
        _ if only_walls => format!("remove {whom}"),
        (After::GoesOn, true) => format!("pass over {whom}, which stays"),
        (After::Either, true) => format!("come to {whom}, which is captured if the move ends there"),
        _ => format!("capture {whom}"),
    }
}

fn squares(n: usize) -> String {
    if n == 1 { "one square".to_owned() } else { format!("{} squares", number(n)) }
}

fn slide(lengths: &Lengths, quiet: bool, end: Option<&str>, context: Context) -> String {
    let way = adverb(context.steps);
    let near = context.steps.first().is_none_or(|&step| is_near(step));
    let arrive = match (quiet, end) {
        (true, None) => " to an empty square".to_owned(),
        (true, Some(end)) => format!(" to an empty square or to {end}"),
        (_, end) => format!(" to {}", end.unwrap_or("stop")),
    };
    if lengths[..] == [(1, Some(1))] {
        return if near { format!("steps one square {way}{arrive}") } else { format!("leaps {way},{arrive}") };
    }
    if !near {
        let often = match lengths[..] {
            [(1, None)] => "any number of leaps".to_owned(),
            [(1, Some(most))] => format!("up to {} leaps", number(most)),
            [(least, None)] => format!("{} or more leaps", number(least)),
            [(a, Some(b))] if a == b => format!("exactly {} leaps", number(a)),
            _ => format!("{} leaps", several(lengths)),
        };
        let end = match (quiet, end) {
            (true, None) => String::new(),
            (true, Some(end)) => format!(", and may end with a leap to {end}"),
            (false, end) => format!(" and ends with a leap to {}", end.unwrap_or("stop")),
        };
        return format!("makes {often} over empty squares in one line, each {way}{end}");
    }
    let ending = match (quiet, end) {
        (_, None) => String::new(),
        (true, Some(end)) => format!(" and may end by {}", gerund(end)),
        (false, Some(end)) => format!(" to {end}"),
    };
    match (lengths.as_slice(), quiet, end.is_some()) {
        ([(1, None)], true, _) => format!("slides any number of empty squares {way}{ending}"),
        ([(1, None)], false, _) => format!("slides over any number of empty squares {way}{ending}"),
        ([(1, Some(2))], true, false) => format!("slides one or two empty squares {way}"),
        ([(1, Some(most))], true, false) => format!("slides up to {} empty squares {way}", number(*most)),
        ([(1, Some(2))], _, _) => format!("slides one or two squares {way} over empty squares{ending}"),
        ([(1, Some(most))], _, _) => format!("slides up to {} squares {way} over empty squares{ending}", number(*most)),
        ([(least, None)], _, _) => {
            format!("slides {} or more squares {way} over empty squares{ending}", number(*least))
        }
        ([(a, Some(b))], _, _) if a == b => {
            let between = if *a == 2 { "the square between being empty" } else { "all squares between being empty" };
            format!("goes exactly {} {way}, {between},{arrive}", squares(*a))
        }
        _ => format!("slides {} squares {way} over empty squares{ending}", several(lengths)),
    }
}

/// `1, 3 to 5 or more than 7`.
fn several(lengths: &Lengths) -> String {
    let words = lengths.iter().map(|run| match run {
        (a, Some(b)) if a == b => number(*a),
        (a, Some(b)) => format!("{} to {}", number(*a), number(*b)),
        (a, None) => format!("{} or more", number(*a)),
    });
    list(&words.collect::<Vec<_>>(), "or")
}

/// `capture a Q` becomes `capturing a Q`.
fn gerund(phrase: &str) -> String {
    let (verb, rest) = phrase.split_once(' ').unwrap_or((phrase, ""));
    let stem = if verb == "pass" { verb } else { verb.strip_suffix('e').unwrap_or(verb) };
    format!("{stem}ing {rest}")
}

/// The alternatives of a path as items, unless there are very many.
fn items(path: &Expression<Landing>) -> Option<Vec<Vec<Item>>> {
    const MOST: usize = 8;
    let paths = match path {
        Expression::Letter(landing) => {
            vec![vec![Item::Land { on: BTreeSet::from([*landing]), least: 1, most: Some(1) }]]
        }
        Expression::Choice(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(items(part)?);
            }
            all
        }
        Expression::Sequence(parts) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let next = items(part)?;
                all = all.iter().flat_map(|before| next.iter().map(move |after| concatenated(before, after))).collect();
                if all.len() > MOST {
                    return None;
                }
            }
            all
        }
        Expression::Repeat { of, least, most } => {
            let mut paths = items(of)?;
            let (least, most) = (usize::from(*least), most.map(usize::from));
            if let [path] = &paths[..]
                && let [Item::Land { on, least: 1, most: Some(1) }] = &path[..]
            {
                return Some(vec![vec![Item::Land { on: on.clone(), least, most }]]);
            }
            let all = paths.len();
            paths.retain(|path| !path.is_empty());
            let may_be_nothing = least == 0 || paths.len() < all;
            let least = if paths.len() < all { 1 } else { least.max(1) };
            let mut some = match (paths.is_empty() || most == Some(0), (least, most)) {
                (true, _) => Vec::new(),
                (_, (1, Some(1))) => paths,
                _ => vec![vec![Item::Again { paths, least, most }]],
            };
            if may_be_nothing {
                some.push(Vec::new());
            }
            some
        }
    };
    let paths = together(paths);
    (paths.len() <= MOST).then_some(paths)
}

fn concatenated(before: &[Item], after: &[Item]) -> Vec<Item> {
    let mut all = before.to_vec();
    for item in after {
        match (all.last_mut(), item) {
            (Some(Item::Land { on, least, most }), Item::Land { on: next, least: more, most: up }) if on == next => {
                *least += more;
                *most = most.zip(*up).map(|(a, b)| a + b);
            }
            _ => all.push(item.clone()),
        }
    }
    all
}

/// Paths that differ only in what one of their squares holds become one.
fn together(paths: Vec<Vec<Item>>) -> Vec<Vec<Item>> {
    let merge = |a: &Vec<Item>, b: &Vec<Item>| -> Option<Vec<Item>> {
        let mut differ = (0..a.len()).filter(|&i| a[i] != b[i]);
        match (a.len() == b.len(), differ.next(), differ.next()) {
            (true, Some(at), None) => match (&a[at], &b[at]) {
                (Item::Land { on, least: 1, most: Some(1) }, Item::Land { on: others, least: 1, most: Some(1) }) => {
                    let mut path = a.clone();
                    path[at] = Item::Land { on: on.union(others).copied().collect(), least: 1, most: Some(1) };
                    Some(path)
                }
                _ => None,
            },
            (true, None, _) => Some(a.clone()),
            _ => None,
        }
    };
    let mut all: Vec<Vec<Item>> = Vec::new();
    for path in paths {
        // The lengths are compared before the items are.
        match all.iter_mut().find_map(|other| {
            let merged = (other.len() == path.len()).then(|| merge(other, &path)).flatten()?;
            Some((other, merged))
        }) {
            Some((other, merged)) => *other = merged,
            None => all.push(path),
        }
    }
    all
}

/// Whether a path only slides over empty squares and comes to something at most at its end.
fn is_plain(path: &[Item]) -> bool {
    let slide = |item: &Item| matches!(item, Item::Land { on, .. } if on.len() == 1 && on.contains(&EMPTY));
    let once = |item: &Item| matches!(item, Item::Land { least: 1, most: Some(1), .. });
    match path {
        [] => true,
        [only] => slide(only) || once(only),
        [first, end] => slide(first) && once(end),
        _ => false,
    }
}

fn expression(path: &[Item]) -> Expression<Landing> {
    Expression::sequence(path.iter().map(|item| match item {
        Item::Land { on, least, most } => {
            let one = Expression::choice(on.iter().map(|&landing| Expression::Letter(landing)));
            one.repeat(small(*least), most.map(small))
        }
        Item::Again { paths, least, most } => {
            let one = Expression::choice(paths.iter().map(|path| expression(path)));
            one.repeat(small(*least), most.map(small))
        }
    }))
}

/// No board is longer by far.
fn small(n: usize) -> u8 {
    u8::try_from(n).unwrap_or(u8::MAX)
}

/// How often something is done: `one or more times in a row`.
pub(crate) fn often(least: usize, most: Option<usize>) -> String {
    match (least, most) {
        (0, None) => "any number of times in a row, or not at all".to_owned(),
        (0, Some(1)) => "once or not at all".to_owned(),
        (0, Some(most)) => format!("up to {} times in a row, or not at all", number(most)),
        (1, None) => "one or more times in a row".to_owned(),
        (least, None) => format!("{} or more times in a row", number(least)),
        (1, Some(1)) => "once".to_owned(),
        (1, Some(2)) => "once or twice".to_owned(),
        (1, Some(most)) => format!("up to {} times in a row", number(most)),
        (a, Some(b)) if a == b => format!("exactly {} times in a row", number(a)),
        (a, Some(b)) => format!("{} to {} times in a row", number(a), number(b)),
    }
}

/// A path with pieces on it before its end.
fn special_phrase(path: &[Item], context: Context) -> String {
    if let [Item::Again { paths, least, most }] = path {
        let inner = Context { after: After::Either, ..context };
        let all: Vec<String> = paths.iter().map(|path| one_phrase(path, inner)).collect();
        return format!("{}, {}, always in the same direction", list(&all, "or"), often(*least, *most));
    }
    jump(path, context).unwrap_or_else(|| plain_list(path, context))
}

fn one_phrase(path: &[Item], context: Context) -> String {
    match Ray::of(&expression(path)) {
        Some(ray) => list(&ray.phrases(context), "or"),
        None => special_phrase(path, context),
    }
}

/// A jump over one piece, which is what nearly all special paths are.
fn jump(path: &[Item], context: Context) -> Option<String> {
    let is_empty = |item: &Item| matches!(item, Item::Land { on, .. } if on.len() == 1 && on.contains(&EMPTY));
    let (before, rest) = match path {
        [first @ Item::Land { least, most, .. }, rest @ ..] if is_empty(first) => ((*least, *most), rest),
        rest => ((0, Some(0)), rest),
    };
    let [Item::Land { on: over, least: 1, most: Some(1) }, rest @ ..] = rest else { return None };
    if over.contains(&EMPTY) {
        return None;
    }
    let (between, end) = match rest {
        [run @ Item::Land { least, most, .. }] if is_empty(run) => ((*least, *most), None),
        [run @ Item::Land { least, most, .. }, Item::Land { on, least: 1, most: Some(1) }] if is_empty(run) => {
            ((*least, *most), Some(on))
        }
        [Item::Land { on, least: 1, most: Some(1) }] => ((0, Some(0)), Some(on)),
        _ => return None,
    };
    let way = adverb(context.steps);
    let near = context.steps.first().is_none_or(|&step| is_near(step));
    let over_whom = whom(over, context.owner)?;
    let taken = over.iter().all(|&landing| !stays(landing));
    if !taken && !over.iter().all(|&landing| stays(landing)) {
        return None;
    }
    let stays_there = if taken || over.len() > 1 { "" } else { ", which stays," };
    let hurdle = match before {
        (0, Some(0)) if near => format!("{over_whom} next to it{stays_there}"),
        (0, Some(0)) => format!("{over_whom} one leap away{stays_there}"),
        (0, None) if over.len() > 1 && between == (0, None) => "exactly one piece, of either side,".to_owned(),
        (0, None) if over.len() > 1 => "the first piece in its way, of either side,".to_owned(),
        (0, None) => format!("{over_whom} at any distance across empty squares{stays_there}"),
        (least, most) => format!("{over_whom} behind {}{stays_there}", empties(least, most)),
    };
    let on_whom = end.and_then(|on| whom(on, context.owner)).map(|_| arrival(&without_empty(end), context));
    let may_be_empty = end.is_none_or(|on| on.contains(&EMPTY));
    let to = match (between, may_be_empty, on_whom) {
        ((1, Some(1)), true, None) if end.is_none() => "to the empty square just behind it".to_owned(),
        ((1, None), true, None) if end.is_none() => "to any of the empty squares behind it".to_owned(),
        ((0, None), true, None) if end.is_some() => "to any of the empty squares behind it".to_owned(),
        ((0, Some(0)), true, None) => "to the empty square just behind it".to_owned(),
        ((0, Some(0)), true, Some(capture)) => format!("to the square just behind it, to stop there or to {capture}"),
        ((0, Some(0)), false, Some(capture)) => format!("to the square just behind it to {capture}"),
        ((0, None), true, Some(capture)) => {
            format!("and on over empty squares, to stop on one of them or to {capture} behind them")
        }
        ((0, None), false, Some(capture)) => format!("and on over any number of empty squares to {capture}"),
        ((least, most), true, None) if end.is_none() => format!("and {} beyond it", empties(least, most)),
        _ => return None,
    };
    let captured = match taken {
        true => ", capturing the piece jumped over",
        false => "",
    };
    let hurdle = if captured.is_empty() { hurdle } else { hurdle.trim_end_matches(',').to_owned() };
    Some(format!("jumps {way} over {hurdle} {to}{captured}"))
}

fn without_empty(end: Option<&LandingSquares>) -> LandingSquares {
    end.into_iter().flatten().copied().filter(|&landing| landing != EMPTY).collect()
}

fn empties(least: usize, most: Option<usize>) -> String {
    match (least, most) {
        (0, None) => "any number of empty squares".to_owned(),
        (least, None) => format!("{} or more empty squares", number(least)),
        (1, Some(1)) => "one empty square".to_owned(),
        (a, Some(b)) if a == b => format!("{} empty squares", number(a)),
        (0, Some(most)) => format!("up to {} empty squares", number(most)),
        (a, Some(b)) => format!("{} to {} empty squares", number(a), number(b)),
    }
}

/// Square by square: always right, if not always pretty.
fn plain_list(path: &[Item], context: Context) -> String {
    let last = path.len().saturating_sub(1);
    let words: Vec<String> = path
        .iter()
        .enumerate()
        .map(|(i, item)| {
            let after = if i == last { context.after } else { After::GoesOn };
            match item {
                Item::Land { on, least, most } => land(on, *least, *most, Context { after, ..context }),
                Item::Again { paths, least, most } => {
                    let inner: Vec<String> = paths
                        .iter()
                        .map(|path| plain_list(path, Context { after: After::Either, ..context }))
                        .map(|text| text.split_once(": ").map_or(text.clone(), |(_, list)| list.to_owned()))
                        .collect();
                    format!("({}) {}", list(&inner, "or"), often(*least, *most))
                }
            }
        })
        .collect();
    let near = context.steps.first().is_none_or(|&step| is_near(step));
    let way = adverb(context.steps);
    let verb = if near { format!("goes {way}") } else { format!("leaps in one line, each time {way}") };
    format!("{verb}: {}", words.join(", then "))
}

fn land(on: &LandingSquares, least: usize, most: Option<usize>, context: Context) -> String {
    let rest = without_empty(Some(on));
    let found = whom(&rest, context.owner).map(|found| format!("{found}{}", fate(&rest, context)));
    let what = match (on.contains(&EMPTY), found) {
        (_, None) => return empties(least, most),
        (true, Some(found)) => format!("an empty square or one with {found}"),
        (false, Some(found)) => format!("a square with {found}"),
    };
    if (least, most) == (1, Some(1)) { what } else { format!("({what}) {}", often(least, most)) }
}

/// What becomes of a piece that is come to.
fn fate(on: &LandingSquares, context: Context) -> &'static str {
    match (on.iter().all(|&landing| stays(landing)), context.after) {
        (true, After::GoesOn) => ", which stays",
        (true, After::Either) => ", which is captured if the move ends there",
        _ => ", which is captured",
    }
}
