//! A movement in English.

use super::decompose::{Guard, Unit, View, Way, ways};
use super::direction::place;
use super::path::{After, Context, may_be_nothing, often, phrases};
use super::wording::{self, capitalised, cell, list};
use crate::automata::Expression;
use crate::board::Cell;
use crate::rules::{Atom, Movement, Rules, Seen, Side, Start};
use std::collections::BTreeSet;

/// What a movement says, as sentences that can stand one after another.
pub fn sentences(rules: &Rules, movement: &Movement) -> Vec<String> {
    let teller = Teller { rules, movement, view: View { side: movement.side } };
    teller.sentences()
}

/// The movement without the promotion at its end, if it has one.
pub(crate) fn without_promotion(movement: &Movement) -> Movement {
    match Promotion::split(&movement.words) {
        Some((words, _)) => Movement { words, ..movement.clone() },
        None => movement.clone(),
    }
}

/// `(off:far | on:far put:K)`: what a piece becomes where.
struct Promotion {
    zone: String,
    into: Vec<Cell>,
    /// Whether it may stay what it is.
    optional: bool,
}

impl Promotion {
    /// A movement's words before a promotion, and the promotion.
    fn split(words: &Expression<Atom>) -> Option<(Expression<Atom>, Promotion)> {
        let Expression::Sequence(parts) = words else { return None };
        let (last, before) = parts.split_last()?;
        let promotion = Promotion::of(last)?;
        (!before.is_empty()).then(|| (Expression::sequence(before.to_vec()), promotion))
    }

    fn of(words: &Expression<Atom>) -> Option<Promotion> {
        let (ways, mut optional) = match words {
            Expression::Repeat { of, least: 0, most: Some(1) } => (alternatives(of), true),
            other => (alternatives(other), false),
        };
        let (mut inside, mut outside, mut into) = (None, None, Vec::new());
        let is_first = |place: &mut Option<String>, name: &String| place.get_or_insert_with(|| name.clone()) == name;
        for way in ways {
            match &way[..] {
                [] => optional = true,
                [Atom::Zone { name, within: false }] if is_first(&mut outside, name) => {}
                [Atom::Zone { name, within: true }, Atom::Put(cell)] if is_first(&mut inside, name) => into.push(*cell),
                _ => return None,
            }
        }
        // Without a word for the squares outside the zone, a piece that does not reach it cannot move at all.
        let fits = !into.is_empty() && (optional || outside == inside);
        fits.then_some(Promotion { zone: inside?, into, optional })
    }
}

/// Each alternative as its letters, if it has nothing else.
fn alternatives(words: &Expression<Atom>) -> Vec<Vec<Atom>> {
    let letters = |part: &Expression<Atom>| {
        let mut all = Vec::new();
        part.letters(&mut |atom| all.push(atom.clone()));
        all
    };
    match words {
        Expression::Choice(parts) => parts.iter().flat_map(alternatives).collect(),
        Expression::Sequence(parts) => {
            // `on:far (put:Q | put:N)` is two.
            let mut all = vec![Vec::new()];
            for part in parts {
                let next = alternatives(part);
                all = all.iter().flat_map(|a| next.iter().map(move |b| [&a[..], b].concat())).take(32).collect();
            }
            all
        }
        Expression::Letter(_) => vec![letters(words)],
        // Nothing that a promotion would have: it fits no pattern.
        Expression::Repeat { .. } => vec![[letters(words), letters(words), letters(words)].concat()],
    }
}

struct Teller<'a> {
    rules: &'a Rules,
    movement: &'a Movement,
    view: View,
}

impl Teller<'_> {
    fn sentences(&self) -> Vec<String> {
        let (words, promotion) = match Promotion::split(&self.movement.words) {
            Some((words, promotion)) => (words, Some(promotion)),
            None => (self.movement.words.clone(), None),
        };
        let mut all = Vec::new();
        for way in ways(&words, self.view) {
            self.tell(&way, &mut all);
        }
        if all.is_empty() {
            return vec![format!("{} never moves.", capitalised(&self.subject()))];
        }
        all.extend(promotion.map(|promotion| self.promotion(&promotion)));
        all
    }

    /// Who moves: the piece, or a player who drops one.
    fn subject(&self) -> String {
        match (self.movement.start, self.movement.side) {
            (Start::Piece(piece), _) => format!("the {piece}"),
            (Start::Empty, Side::Both) => "a player".to_owned(),
            // `X drops an X` would be hard to read.
            (Start::Empty, Side::Only(player)) => match self.rules.players.get(player.index()) {
                Some(name) if name.chars().count() > 2 => name.clone(),
                Some(name) => format!("player {name}"),
                None => "a player".to_owned(),
            },
        }
    }

    fn promotion(&self, promotion: &Promotion) -> String {
        let into: Vec<String> = promotion.into.iter().map(|&into| cell(into, self.view.player())).collect();
        let verb = if promotion.optional { "may become" } else { "becomes" };
        let zone = wording::zone(self.rules, &promotion.zone, self.movement.side);
        format!("If its move ends on {zone}, it {verb} {}.", list(&into, "or"))
    }

    /// The sentences of one way; several where a lone path has several.
    fn tell(&self, way: &Way, all: &mut Vec<String>) {
        let guards = way.iter().take_while(|unit| matches!(unit, Unit::Guard(_))).count();
        let (conditions, rest) = way.split_at(guards);
        if rest.is_empty() {
            return;
        }
        let drops = self.movement.start == Start::Empty;
        let mut conditions: Vec<String> = conditions.iter().map(|unit| self.condition(unit, true)).collect();
        let clauses = match rest {
            [Unit::Leg { steps, path }] if !drops => {
                phrases(path, Context { steps, after: After::Stays, owner: self.view.player() })
            }
            _ => vec![self.way(rest, drops)],
        };
        for clause in clauses {
            let subject = if all.is_empty() { self.subject() } else { "it".to_owned() };
            let subject = if drops && !all.is_empty() { "they".to_owned() } else { subject };
            let text = if drops && !conditions.is_empty() {
                // Where a piece is dropped, the conditions are about the square.
                let conditions: Vec<String> = std::mem::take(&mut conditions);
                format!("{subject} {clause}, if {}", conditions.join(" and "))
            } else if conditions.is_empty() {
                format!("{subject} {clause}")
            } else {
                format!("if {}, {subject} {clause}", conditions.join(" and "))
            };
            let text = if all.is_empty() { capitalised(&text) } else { format!("Or {text}") };
            let text = if drops { text.replacen("Or they drops", "Or they drop", 1) } else { text };
            all.push(format!("{text}."));
        }
    }

    /// Units as one clause after another, the first of which has `it` as its subject.
    fn way(&self, units: &[Unit], drops: bool) -> String {
        let mut text = String::new();
        let mut moved = false;
        // Whether what stands there is a clause that the next one can go on from without `then`.
        let mut fresh = true;
        for (i, unit) in units.iter().enumerate() {
            let rest = &units[i + 1..];
            let clause = match unit {
                Unit::Guard(_) => {
                    text.push_str(&format!(", provided that {}", self.condition(unit, false)));
                    continue;
                }
                Unit::Put(put) => {
                    let what = cell(*put, self.view.player());
                    let goes_on = rest.iter().any(|unit| !matches!(unit, Unit::Guard(_) | Unit::Put(_)));
                    if drops && !moved {
                        moved = true;
                        fresh = goes_on;
                        let which = if goes_on { ", which then" } else { "" };
                        text.push_str(&format!("drops {what} on an empty square{which}"));
                    } else if goes_on {
                        let before = if text.is_empty() { "stays where it is; " } else { "; then " };
                        text.push_str(&format!("{before}{what} appears on its square and"));
                        fresh = true;
                    } else {
                        let guarded = i > 0 && matches!(units[i - 1], Unit::Guard(_));
                        let before = if text.is_empty() {
                            ""
                        } else if guarded {
                            ", and then "
                        } else {
                            " and "
                        };
                        text.push_str(&format!("{before}becomes {what}"));
                        fresh = false;
                    }
                    continue;
                }
                Unit::Vanish => {
                    text.push_str(if text.is_empty() { "vanishes" } else { " and vanishes" });
                    continue;
                }
                Unit::Leg { .. } | Unit::Outward { .. } | Unit::Again { .. } | Unit::OneOf(_) => {
                    moved = true;
                    self.unit(unit, after(rest))
                }
            };
            let gap = match (text.is_empty(), fresh) {
                (true, _) => "",
                (false, true) => " ",
                (false, false) => ", then ",
            };
            text.push_str(&format!("{gap}{clause}"));
            fresh = false;
        }
        text
    }

    fn unit(&self, unit: &Unit, after: After) -> String {
        match unit {
            Unit::Leg { steps, path } => {
                let all = phrases(path, Context { steps, after, owner: self.view.player() });
                let text = match &all[..] {
                    [] => "stays where it is".to_owned(),
                    [only] => only.clone(),
                    _ => format!("either {}", list(&all, "or")),
                };
                if may_be_nothing(path) && !all.is_empty() { format!("{text} (or does not)") } else { text }
            }
            Unit::Outward { path } => {
                // The words of a diagonal step fit, but for the direction.
                let context = Context { steps: &[(1, 1)], after, owner: self.view.player() };
                let all: Vec<String> = phrases(path, context)
                    .iter()
                    .map(|phrase| phrase.replace("diagonally forward to the right", "diagonally outward"))
                    .collect();
                list(&all, "or")
            }
            Unit::Again { ways, least, most } => {
                let turns = |unit: &Unit| matches!(unit, Unit::Leg { steps, .. } if steps.len() > 1);
                let inner: Vec<String> = ways.iter().map(|way| self.inner(way)).collect();
                let choice = match ways.len() {
                    1 if ways.iter().flatten().any(turns) => ", choosing the direction anew each time",
                    1 => "",
                    _ => ", choosing anew each time",
                };
                let times = often(usize::from(*least), most.map(usize::from));
                format!("{}, {times}{choice}", list(&inner, "or"))
            }
            Unit::OneOf(ways) => {
                let nothing = ways.iter().any(|way| way.is_empty());
                let some: Vec<String> = ways.iter().filter(|way| !way.is_empty()).map(|way| self.inner(way)).collect();
                let either = if some.len() > 1 { "either " } else { "" };
                format!("{either}{}{}", list(&some, "or"), if nothing { " (or does not)" } else { "" })
            }
            Unit::Put(put) => format!("becomes {}", cell(*put, self.view.player())),
            Unit::Vanish => "vanishes".to_owned(),
            Unit::Guard(_) => format!("goes on only if {}", self.condition(unit, false)),
        }
    }

    /// A way within another.
    fn inner(&self, way: &Way) -> String {
        let guards = way.iter().take_while(|unit| matches!(unit, Unit::Guard(_))).count();
        let (conditions, rest) = way.split_at(guards);
        let conditions: Vec<String> = conditions.iter().map(|unit| self.condition(unit, false)).collect();
        let text = match rest {
            [] => "stops".to_owned(),
            // Whether it is the last time round is not known here.
            [only @ (Unit::Leg { .. } | Unit::Outward { .. })] => self.unit(only, After::Either),
            rest => self.way(rest, false),
        };
        if conditions.is_empty() { text } else { format!("{text} if {}", conditions.join(" and ")) }
    }

    /// What a guard asks for; `standing` where the turn begins.
    fn condition(&self, unit: &Unit, standing: bool) -> String {
        let Unit::Guard(guards) = unit else { return String::new() };
        let drops = self.movement.start == Start::Empty;
        let who = match (drops && standing, standing) {
            (true, _) => "that square is",
            (_, true) => "it stands",
            (_, false) => "it is then",
        };
        let mut words: Vec<String> = Vec::new();
        let mut looks: Vec<((i8, i8), BTreeSet<Seen>)> = Vec::new();
        for guard in guards {
            match guard {
                Guard::Zone { name, within } => {
                    let zone = wording::zone(self.rules, name, self.movement.side);
                    let who = match (within, drops && standing, standing) {
                        (true, ..) => who.to_owned(),
                        (false, true, _) | (false, false, false) => format!("{who} not"),
                        (false, false, true) => "it does not stand".to_owned(),
                    };
                    words.push(format!("{who} on {zone}"));
                }
                Guard::Look { step, seen } => match looks.iter_mut().find(|look| look.0 == *step) {
                    Some(look) => {
                        look.1.insert(*seen);
                    }
                    None => looks.push((*step, BTreeSet::from([*seen]))),
                },
            }
        }
        let as_drawn = self.movement.side != Side::Both;
        for (step, seen) in looks {
            words.push(format!("the square {} {}", place(step, as_drawn), wording::seen(&seen)));
        }
        list(&words, "or")
    }
}

/// What becomes of a piece before the rest of a way.
fn after(rest: &[Unit]) -> After {
    for unit in rest {
        match unit {
            Unit::Guard(_) => {}
            Unit::Put(_) => return After::Stays,
            // What it stands on stays there.
            Unit::Vanish => return After::GoesOn,
            Unit::Leg { path, .. } | Unit::Outward { path } => {
                return if may_be_nothing(path) { After::Either } else { After::GoesOn };
            }
            Unit::Again { .. } => return After::GoesOn,
            Unit::OneOf(ways) if ways.iter().all(|way| after(way) == After::GoesOn) => return After::GoesOn,
            Unit::OneOf(_) => return After::Either,
        }
    }
    After::Stays
}

#[cfg(test)]
#[path = "sentences_tests.rs"]
mod tests;
