//! A rule for a reader: in words, and as a small board where it lies.

use super::language::{Argument, Bindings, Fact, Name};
use super::learner::kind_of;
use super::matching::matches;
use super::piece_board::{letters_as_text, pieces_of_rule};
use super::proof::Proof;
use super::recognition::{RecognitionRule, Status};
use super::syntax::{show_argument, show_literal};
use super::system::UpdateSystem;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::ControlFlow;

/// A rule in words, with a board that shows one place where it lies: `X` own stones, `o` the opponent's, `+` squares that must be empty, `*` the
/// move, `.` squares that do not matter.
pub fn describe_rule(system: &UpdateSystem, rule: &RecognitionRule) -> String {
    let plural = if rule.depth == 1 { "move" } else { "moves" };
    let status = match rule.status {
        Status::Proved => "proved",
        Status::PerPosition => "its proof is checked in each position",
        Status::Unproved => "not proved: only a hint",
    };
    let what = match rule.event {
        Some(event) => format!("brings about {}", system.names.text(event)),
        None => "wins".to_owned(),
    };
    let mut text = format!("{}: the player to move {what} in {} {plural} ({status})\n", rule.name, rule.depth);
    let show = |argument: Argument| show_argument(&system.names, &rule.variables, argument);
    let literals: Vec<String> =
        rule.condition.literals.iter().map(|literal| show_literal(&system.names, &rule.variables, literal)).collect();
    let _ = writeln!(text, "  when {}", literals.join(", "));
    for &(a, b) in &rule.condition.unequal {
        let _ = writeln!(text, "  and {} is not {}", show(a), show(b));
    }
    if let Some(proof) = &rule.proof {
        words(&mut text, &show, proof, 2);
    } else {
        let _ = writeln!(text, "  play {}", show(rule.square));
    }
    if let Some(board) = picture(system, rule) {
        text.push_str(&board);
    }
    text
}

fn words(text: &mut String, show: &dyn Fn(Argument) -> String, proof: &Proof, indent: usize) {
    match proof {
        Proof::Win(square) => {
            let _ = writeln!(text, "{:indent$}play {}, which wins", "", show(*square));
        }
        Proof::AtOnce(squares) if squares.is_empty() => {
            let _ = writeln!(text, "{:indent$}some move wins at once", "");
        }
        Proof::AtOnce(squares) => {
            let shown: Vec<String> = squares.iter().map(|&square| show(square)).collect();
            let _ = writeln!(text, "{:indent$}some move wins at once: {}, or another", "", shown.join(", "));
        }
        Proof::Play { square, replies, otherwise } => {
            let _ = writeln!(text, "{:indent$}play {}", "", show(*square));
            for (reply, proof) in replies {
                let _ = writeln!(text, "{:indent$}if the opponent answers {}:", "", show(*reply));
                words(text, show, proof, indent + 2);
            }
            if let Some(proof) = otherwise {
                let _ = writeln!(text, "{:indent$}otherwise:", "");
                words(text, show, proof, indent + 2);
            }
        }
    }
}

/// One place where a rule lies on a board.
pub(super) struct Place {
    /// Width and height.
    pub board: (usize, usize),
    /// All squares, row by row from the bottom.
    pub squares: Vec<Name>,
    /// Stones of the player to move, and of the opponent.
    pub stones: [Vec<Name>; 2],
    /// Squares that must be empty.
    pub empty: Vec<Name>,
    /// The move.
    pub square: Name,
    /// The squares on which the win may be completed, and where the opponent's replies are answered.
    pub threats: Vec<Name>,
}

/// One place where a rule lies on the board, if there is a board: the one that shows most stones.
pub(super) fn place_of(system: &UpdateSystem, rule: &RecognitionRule) -> Option<Place> {
    let (width, height) = system.board?;
    let mut bindings = Bindings::default();
    if let Argument::Variable(variable) = rule.player {
        bindings.set(variable, system.players[0]);
    }
    // Static relations and objects of the right types: features are supposed to hold.
    let statics =
        rule.condition.literals.iter().filter(|literal| system.is_static(literal.predicate)).cloned().collect();
    let places = super::language::Description { literals: statics, unequal: rule.condition.unequal.clone() };
    let mut found: Option<(usize, Bindings)> = None;
    let mut tried = 0;
    let _ = matches(system, &places, &BTreeSet::new(), &bindings, &mut |bindings| {
        let mut bindings = bindings.clone();
        for variable in rule.condition.variables() {
            if bindings.get(variable).is_none() {
                let kind = kind_of(system, &rule.condition, variable);
                let used: Vec<Option<Name>> =
                    rule.condition.variables().iter().map(|&other| bindings.get(other)).collect();
                let mut objects = kind.into_iter().flat_map(|kind| system.objects(kind));
                if let Some(&object) = objects.find(|&&object| !used.contains(&Some(object))) {
                    bindings.set(variable, object);
                }
            }
        }
        tried += 1;
        let facts = facts_of_rule(system, rule, &bindings);
        let stones = facts.as_ref().and_then(|facts| Some(stones(system, facts)?.len()));
        let better = |stones: &usize| found.as_ref().is_none_or(|(best, _)| stones > best);
        if let Some(stones) = stones.filter(better) {
            found = Some((stones, bindings));
        }
        if tried > 20_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let (_, bindings) = found?;
    let facts = facts_of_rule(system, rule, &bindings)?;
    let (own, square) = (bindings.value(rule.player)?, bindings.value(rule.square)?);
    let lying = stones(system, &facts)?;
    let of = |mine: bool| {
        let stones = lying.iter().copied().filter(|(_, player)| (*player == own) == mine);
        stones.map(|(at, _)| at).collect()
    };
    let (stones, empty) = ([of(true), of(false)], facts.iter().filter(|fact| fact.arguments.len() == 1));
    let empty = empty.filter_map(|fact| fact.arguments.first().copied()).collect();
    let later = rule.proof.as_ref().map(Proof::moves).unwrap_or_default();
    let threats =
        later.into_iter().filter_map(|argument| bindings.value(argument)).filter(|&at| at != square).collect();
    let squares = super::geometry::squares(width, height);
    let squares = squares.iter().map(|name| system.names.find(name)).collect::<Option<_>>()?;
    Some(Place { board: (width, height), squares, stones, empty, square, threats })
}

/// A place as text.
fn picture(system: &UpdateSystem, rule: &RecognitionRule) -> Option<String> {
    if system.has_moves {
        return Some(letters_as_text(system, &pieces_of_rule(system, rule)?));
    }
    let place = place_of(system, rule)?;
    let (width, height) = place.board;
    let mut text = String::new();
    for rank in (0..height).rev() {
        let _ = write!(text, "    {:>2} ", rank + 1);
        for name in &place.squares[rank * width..(rank + 1) * width] {
            text.push(match name {
                name if *name == place.square => '*',
                name if place.stones[0].contains(name) => 'X',
                name if place.stones[1].contains(name) => 'o',
                name if place.empty.contains(name) => '+',
                _ => '.',
            });
        }
        text.push('\n');
    }
    let files: String = (0..width).map(|file| char::from(b'a' + file as u8)).collect();
    let _ = writeln!(text, "       {files}");
    Some(text)
}

/// The features of a rule where it lies; `None` if literals coincide there.
fn facts_of_rule(system: &UpdateSystem, rule: &RecognitionRule, bindings: &Bindings) -> Option<BTreeSet<Fact>> {
    let features = rule.condition.literals.iter().filter(|literal| !system.is_static(literal.predicate));
    let facts: Vec<Fact> = features.map(|literal| bindings.fact(literal)).collect::<Option<_>>()?;
    let set: BTreeSet<Fact> = facts.iter().cloned().collect();
    (set.len() == facts.len()).then_some(set)
}

/// The stones that features say or count: what a tally counts lies on some of its squares that are not said to be empty. `None` if they do not fit.
fn stones(system: &UpdateSystem, facts: &BTreeSet<Fact>) -> Option<Vec<(Name, Name)>> {
    let taken: Vec<Name> = system.tallies.iter().map(|tally| tally.counted.predicate).collect();
    let empty =
        |square: Name| facts.iter().any(|fact| fact.arguments.len() == 1 && fact.arguments.first() == Some(&square));
    let said = facts.iter().filter(|fact| taken.contains(&fact.predicate) && fact.arguments.len() == 2);
    let mut stones: Vec<(Name, Name)> = said.map(|fact| (fact.arguments[0], fact.arguments[1])).collect();
    // How many stones each tally counts, and where they may lie.
    let mut counted: Vec<(usize, Vec<(Name, Name)>)> = Vec::new();
    for tally in &system.tallies {
        for fact in facts {
            let mut bindings = Bindings::default();
            if bindings.unify(&tally.feature, fact).is_none() {
                continue;
            }
            let count = fact.arguments.last().and_then(|&name| system.names.text(name).parse().ok()).unwrap_or(0);
            let mut here = Vec::new();
            for place in system.statics.candidates(&tally.place, &bindings) {
                let mut bindings = bindings.clone();
                let bound = bindings.unify(&tally.place, place);
                let stone = bound.and_then(|_| bindings.fact(&tally.counted));
                here.extend(
                    stone
                        .filter(|stone| stone.arguments.len() == 2 && !empty(stone.arguments[0]))
                        .map(|stone| (stone.arguments[0], stone.arguments[1])),
                );
            }
            counted.push((count, here));
        }
    }
    let mut tries = MOST_TRIES;
    lay(&counted, 0, 0, &mut stones, &mut tries).then_some(stones)
}

/// So many ways to lay stones are tried in one place.
const MOST_TRIES: u32 = 2_000;

/// Lays the stones that tallies from a number on count, on their squares from a number on, so that all counts are right; whether that is possible.
fn lay(
    counted: &[(usize, Vec<(Name, Name)>)],
    tally: usize,
    from: usize,
    stones: &mut Vec<(Name, Name)>,
    tries: &mut u32,
) -> bool {
    let Some((count, here)) = counted.get(tally) else {
        return counted
            .iter()
            .all(|(count, here)| here.iter().filter(|stone| stones.contains(stone)).count() == *count);
    };
    if *tries == 0 {
        return false;
    }
    *tries -= 1;
    let lying = here.iter().filter(|stone| stones.contains(stone)).count();
    if lying >= *count {
        return lying == *count && lay(counted, tally + 1, 0, stones, tries);
    }
    for (at, &stone) in here.iter().enumerate().skip(from) {
        if stones.iter().any(|known| known.0 == stone.0) {
            continue;
        }
        stones.push(stone);
        if lay(counted, tally, at + 1, stones, tries) {
            return true;
        }
        stones.pop();
    }
    false
}
