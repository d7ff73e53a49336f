//! What was never tested: steps of a piece onto what it never met, and parts of endings that decided no game.
//!
//! Rules say what happens there too, but only because that is the shortest description. Whoever wants to be sure plays
//! games in which it happens.

use super::description_length::NO_ACCIDENT;
use crate::board::{Cell, Player, Position, Shape, Square};
use crate::observe::Outcome;
use crate::rules::{Condition, Landing, OpenQuestion, Rules, Seen, Side, Symbol, Topic, Ways};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A first step of a piece: how far, and what is there.
type Step = ((i8, i8), Seen);

/// What is counted for one player's kind of piece.
#[derive(Clone, Default)]
struct Steps {
    /// The first steps that the rules have.
    allowed: BTreeSet<Step>,
    /// Steps by the same distances, which the rules do not have, as long as nothing has tested them: they were never possible
    /// where all moves are listed, and would have been played seldom elsewhere, so often.
    refused: Vec<(Step, f64)>,
}

/// What was seen of one ending.
#[derive(Clone, Default)]
struct EndedWith {
    /// The pieces that stood on squares of its zone, as the first player sees them if it is for both.
    pieces: BTreeSet<(Cell, Square)>,
    /// The directions of lines, by their numbers in [`Shape::LINES`].
    ways: BTreeSet<usize>,
}

/// What the evidence has to say about rules.
#[derive(Clone)]
pub(super) struct Tests<'r> {
    rules: &'r Rules,
    /// What would have been played so often and never was is not legal.
    enough: f64,
    steps: FxHashMap<(Player, Cell), Steps>,
    /// For each ending, what games ended with.
    ended: Vec<EndedWith>,
    /// Where pieces stood after a move of their player.
    stood: FxHashMap<Cell, Vec<bool>>,
}

impl<'r> Tests<'r> {
    /// For rules whose moves are played at least at this rate, compared with an even share.
    pub fn new(rules: &'r Rules, rate: f64) -> Tests<'r> {
        let mut steps: FxHashMap<(Player, Cell), Steps> = FxHashMap::default();
        for player in rules.sides() {
            for movement in rules.moves.iter().filter(|movement| movement.side.is_for(player)) {
                let start = movement.start_for(player);
                let Ok(automaton) = rules.automaton(movement, player) else { continue };
                if start.is_empty() || rules.movement(player, start) != Some(movement) {
                    continue;
                }
                // Guards may stand before the first step.
                let (mut open, mut reached) = (vec![0], BTreeSet::from([0]));
                let kind = steps.entry((player, start)).or_default();
                while let Some(state) = open.pop() {
                    for &(symbol, to) in &automaton.states()[state].edges {
                        match symbol {
                            Symbol::Step { dx, dy, landing } => {
                                let seen = match landing {
                                    Landing::On(seen) => seen,
                                    Landing::Take(crate::rules::Taken::Own) => Seen::Own,
                                    Landing::Take(_) => Seen::Enemy,
                                };
                                kind.allowed.insert(((dx, dy), seen));
                            }
                            _ if symbol.is_guard() && reached.insert(to.index()) => open.push(to.index()),
                            _ => {}
                        }
                    }
                }
                let images = |&((dx, dy), _): &Step| [(dx, dy), (-dx, dy), (dx, -dy), (-dx, -dy)];
                let distances: BTreeSet<(i8, i8)> = kind.allowed.iter().flat_map(images).collect();
                let all = distances.into_iter().flat_map(|step| SEEN.map(|seen| (step, seen)));
                let refused = all.filter(|step| !kind.allowed.contains(step)).map(|step| (step, 0.0));
                kind.refused = refused.collect();
            }
        }
        Tests {
            enough: NO_ACCIDENT / rate,
            rules,
            steps,
            ended: vec![EndedWith::default(); rules.endings.len()],
            stood: FxHashMap::default(),
        }
    }

    /// A position in which a player moved: all moves were listed, or one was played where the rules have so many.
    pub fn moved(&mut self, position: &Position, player: Player, played_of: Option<usize>, count: u32) {
        let (shape, enough) = (position.shape(), self.enough);
        for square in shape.all() {
            let Some(steps) = self.steps.get_mut(&(player, position.at(square))) else { continue };
            steps.refused.retain_mut(|((step, seen), expected)| {
                let there = shape.step(square, step.0, step.1).map(|there| position.at(there));
                let is_possible = there.is_some_and(|cell| cell != Cell::HOLE && seen.is(cell, player));
                match played_of {
                    _ if !is_possible => {}
                    None => return false,
                    Some(moves) => *expected += f64::from(count) / (moves + 1) as f64,
                }
                *expected < enough
            });
        }
    }

    /// A position after a player's move.
    pub fn stood(&mut self, position: &Position, mover: Player) {
        for (square, cell) in position.cells().iter().enumerate().filter(|(_, cell)| cell.owner() == Some(mover)) {
            self.stood.entry(*cell).or_insert_with(|| vec![false; position.cells().len()])[square] = true;
        }
    }

    /// A position in which a game ended after a player's move.
    pub fn ended(&mut self, position: &Position, mover: Player, outcome: Outcome) {
        let shape = position.shape();
        for (ending, seen) in self.rules.endings.iter().zip(&mut self.ended) {
            if !ending.side.is_for(mover) || super::endings::outcome_of(ending.verdict) != outcome {
                continue;
            }
            let turned = ending.side.turns_for(mover);
            let own = |square: &Square| position.at(*square).owner() == Some(mover);
            match &ending.when {
                Condition::On { zone, .. } => {
                    let Some(zone) = self.rules.zone(zone) else { continue };
                    for square in shape.all().filter(own) {
                        let place = if turned { shape.mirrored(square) } else { square };
                        if zone.contains(shape, place) {
                            let cell = position.at(square);
                            seen.pieces.insert((if turned { cell.turned() } else { cell }, place));
                        }
                    }
                }
                Condition::Line { count, .. } => {
                    for (way, (dx, dy)) in Shape::LINES.into_iter().enumerate() {
                        let long = |square: Square| {
                            let ahead = shape.ray(square, dx, dy).take_while(|square| own(square)).count();
                            1 + ahead >= usize::from(*count)
                        };
                        if shape.all().filter(|square| own(square)).any(long) {
                            seen.ways.insert(if turned { mirrored_way(way) } else { way });
                        }
                    }
                }
                _ => {}
            }
        }
    }

    pub fn merge(&mut self, later: Tests) {
        for (key, steps) in later.steps {
            let Some(known) = self.steps.get_mut(&key) else { continue };
            // What was tested in one part of the evidence is tested. Both lists are sorted.
            known.refused.retain_mut(|(step, expected)| {
                let later = steps.refused.binary_search_by(|other| other.0.cmp(step)).ok();
                *expected += later.map_or(f64::INFINITY, |at| steps.refused[at].1);
                *expected < self.enough
            });
        }
        for (cell, later) in later.stood {
            let stood = self.stood.entry(cell).or_insert_with(|| vec![false; later.len()]);
            stood.iter_mut().zip(later).for_each(|(stood, later)| *stood |= later);
        }
        for (seen, later) in self.ended.iter_mut().zip(later.ended) {
            seen.pieces.extend(later.pieces);
            seen.ways.extend(later.ways);
        }
    }

    /// What was never tested.
    pub fn questions(&self) -> Vec<OpenQuestion> {
        let mut questions = Vec::new();
        let mut all: Vec<(&(Player, Cell), &Steps)> = self.steps.iter().collect();
        all.sort_by_key(|(key, _)| **key);
        for (&(_, piece), steps) in all {
            let mut by_seen: BTreeMap<Seen, (Vec<(i8, i8)>, bool)> = BTreeMap::new();
            for &((step, seen), expected) in &steps.refused {
                let known = by_seen.entry(seen).or_default();
                known.0.push(step);
                known.1 |= expected > 0.0;
            }
            for (seen, (places, hardly)) in by_seen {
                let what = match seen {
                    Seen::Empty => "an empty square",
                    Seen::Own => "a piece of its own",
                    Seen::Enemy => "a piece of the opponent",
                };
                let often = if hardly { "hardly ever" } else { "never" };
                let text = format!("{what} was {often} seen at {}", listed(&places));
                questions.push(OpenQuestion { about: Topic::Piece(piece), text });
            }
        }
        for (number, (ending, seen)) in self.rules.endings.iter().zip(&self.ended).enumerate() {
            let about = Topic::Ending(number);
            match &ending.when {
                Condition::On { pieces, zone } => {
                    let Some(zone) = self.rules.zone(zone) else { continue };
                    let mover = if ending.side == Side::Only(Player::Second) { Player::Second } else { Player::First };
                    let all = self.rules.pieces().into_iter().filter(|piece| piece.owner() == mover);
                    let pieces: Vec<Cell> = match &pieces[..] {
                        [] => all.map(|piece| piece.cell()).collect(),
                        some => some.iter().map(|piece| piece.cell()).collect(),
                    };
                    let unseen = |piece: &&Cell| !seen.pieces.iter().any(|(cell, _)| cell == *piece);
                    let missing: Vec<String> = pieces.iter().filter(unseen).map(ToString::to_string).collect();
                    if !missing.is_empty() {
                        let text = format!("no game ended with {} on {}", missing.join(" or "), zone.name);
                        questions.push(OpenQuestion { about, text });
                    }
                    let shape = self.rules.setup.shape();
                    let is_square = |square: &Square| self.rules.setup.at(*square) != Cell::HOLE;
                    let squares = shape.all().filter(is_square).filter(|&square| zone.contains(shape, square));
                    let unseen = |square: &Square| !seen.pieces.iter().any(|(_, place)| place == square);
                    let missing: Vec<Square> = squares.filter(unseen).collect();
                    if !missing.is_empty() {
                        let text = format!("no game ended on {}", named(shape, &missing));
                        questions.push(OpenQuestion { about, text });
                    }
                    // Where none of its pieces ever came, the game might end too.
                    let elsewhere = shape.all().filter(is_square).filter(|&square| !zone.contains(shape, square));
                    let both = ending.side == Side::Both && self.rules.players.len() == 2;
                    let stood = |cell: Cell, at: Square| self.stood.get(&cell).is_some_and(|stood| stood[at.index()]);
                    let came = |square: &Square| {
                        let mirrored = shape.mirrored(*square);
                        let came = |&piece: &Cell| stood(piece, *square) || both && stood(piece.turned(), mirrored);
                        pieces.iter().any(came)
                    };
                    let missing: Vec<Square> = elsewhere.filter(|square| !came(square)).collect();
                    if !missing.is_empty() {
                        let names: Vec<String> = pieces.iter().map(ToString::to_string).collect();
                        let text = format!("no {} was ever seen on {}", names.join(" or "), named(shape, &missing));
                        questions.push(OpenQuestion { about, text });
                    }
                }
                Condition::Line { ways, .. } => {
                    for (way, name) in WAYS.into_iter().enumerate() {
                        if ways.has(way) && !seen.ways.contains(&way) {
                            questions
                                .push(OpenQuestion { about, text: format!("no game ended with a line along {name}") });
                        }
                    }
                }
                _ => {
                    let games = self.rules.learnt.as_ref().and_then(|learnt| learnt.endings.get(number));
                    if games == Some(&0) {
                        questions.push(OpenQuestion { about, text: "no game ended so".to_owned() });
                    }
                }
            }
        }
        questions
    }
}

const SEEN: [Seen; 3] = [Seen::Empty, Seen::Own, Seen::Enemy];

/// The directions of lines, in the order of [`Shape::LINES`].
const WAYS: [&str; 4] = ["ranks", "files", "rising-diagonals", "falling-diagonals"];

fn mirrored_way(way: usize) -> usize {
    let one = [Ways::RANKS, Ways::FILES, Ways::RISING, Ways::FALLING];
    let mirrored = one.into_iter().find(|ways| ways.has(way)).map(Ways::mirrored);
    (0..4).find(|&other| mirrored.is_some_and(|ways| ways.has(other))).unwrap_or(way)
}

/// The names of squares; of many, the first.
pub(super) fn named(shape: Shape, squares: &[Square]) -> String {
    const MANY: usize = 12;
    let names: Vec<String> = squares.iter().take(MANY).map(|&square| shape.name(square).to_string()).collect();
    let more = squares.len().saturating_sub(MANY);
    if more > 0 { format!("{} and {more} other squares", names.join(", ")) } else { names.join(", ") }
}

/// Places as the text of rules has them.
fn listed(places: &[(i8, i8)]) -> String {
    places.iter().map(|(dx, dy)| format!("({dx} {dy})")).collect::<Vec<_>>().join(", ")
}
