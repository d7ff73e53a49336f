//! Features of a move in its state, found out by playing it: what appears and disappears, what stands around it, where it leads relative
//! to everything else, what it takes, and whether it wins, or loses to a reply.
//!
//! Nothing here knows a game. Facts are split into what they are about (`cell _ _ x`) and the numbers in them, which are taken for
//! coordinates. A feature has a name such as `near | cell _ _ o | 1 0 | cell _ _ x` and a key that is made of the hashes of its
//! parts, so that names are only written when a model first meets them.

use super::fact_index::FactIndex;
use super::lookahead::look_ahead;
use super::naive_bayes::FeatureId;
use super::turn::Options;
use crate::game::{Game, Role, Term};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// What tells features apart: a hash of the name's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureKey(u64);

/// A part of a feature's name.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// A text, with its hash.
    Text(&'a str, u64),
    /// A word that features begin with.
    Word(&'static str),
    /// A number.
    Number(i32),
    /// Two numbers.
    Pair(i32, i32),
}

/// What stands between the parts of a name.
const SEPARATOR: &str = " | ";

impl Part<'_> {
    fn hash(self) -> u64 {
        match self {
            Part::Text(_, hash) => hash,
            Part::Word(word) => hash_text(word),
            Part::Number(number) => hash_number(number),
            Part::Pair(one, other) => hash_number(one).rotate_left(17) ^ hash_number(other),
        }
    }

    fn write(self, name: &mut String) {
        let _ = match self {
            Part::Text(text, _) => write!(name, "{text}"),
            Part::Word(word) => write!(name, "{word}"),
            Part::Number(number) => write!(name, "{number}"),
            Part::Pair(one, other) => write!(name, "{one} {other}"),
        };
    }
}

fn hash_number(number: i32) -> u64 {
    (i64::from(number) as u64 ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// FNV-1a, which is the same everywhere.
pub fn hash_text(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl FeatureKey {
    fn of(parts: &[Part<'_>]) -> FeatureKey {
        FeatureKey(parts.iter().fold(0, |key, part| mix(key, part.hash())))
    }

    /// The key of a name.
    pub fn of_name(name: &str) -> FeatureKey {
        let number = |text: &str| text.parse::<i32>().ok().filter(|number| number.to_string() == text);
        let part = |text: &str| match (number(text), text.split_once(' ')) {
            (Some(one), _) => hash_number(one),
            (None, Some((one, other))) if number(one).is_some() && number(other).is_some() => {
                Part::Pair(number(one).unwrap_or(0), number(other).unwrap_or(0)).hash()
            }
            _ => hash_text(text),
        };
        FeatureKey(name.split(SEPARATOR).fold(0, |key, text| mix(key, part(text))))
    }
}

fn mix(key: u64, part: u64) -> u64 {
    (key.rotate_left(5) ^ part).wrapping_mul(0x517c_c1b7_2722_0a95)
}

/// The name of the parts.
pub fn name_of(parts: &[Part<'_>]) -> String {
    let mut name = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            name.push_str(SEPARATOR);
        }
        part.write(&mut name);
    }
    name
}

/// How a model looks at moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveView {
    /// Whether moves are played to see what they do. Without, a move is only paired with what holds before it, which takes no states at
    /// all: less is predicted, but a search gets deeper.
    pub effects: bool,
    /// How many joint moves it looks ahead; training leaves it at none where that predicts as well.
    pub ahead: u16,
    /// At how many states at most.
    pub nodes: u64,
}

impl MoveView {
    /// Whether it looks further than at what moves do.
    pub fn looks_ahead(&self) -> bool {
        self.effects && self.ahead > 0
    }
}

impl Default for MoveView {
    fn default() -> MoveView {
        MoveView { effects: true, ahead: 4, nodes: 600 }
    }
}

/// Facts taken apart, under a model's numbers.
#[derive(Clone, Debug, Default)]
pub struct MoveFeatures {
    /// The facts.
    pub facts: FactIndex,
    shapes: Vec<FactShape>,
    /// Contents, such as `cell _ _ x`, with their hashes.
    contents: Vec<(String, u64)>,
    content_numbers: FxHashMap<String, u32>,
    relations: FxHashMap<String, u32>,
}

/// A fact taken apart.
#[derive(Clone, Debug)]
struct FactShape {
    text: String,
    hash: u64,
    /// Its predicate and how many arguments it has.
    relation: u32,
    /// What is left without the numbers.
    content: u32,
    /// The first two numbers in it, and how many there are.
    place: (i32, i32),
    numbers: u8,
}

/// In states with more facts than this, moves are not paired with all of them.
const MOST_PAIRED: usize = 40;
/// Relations with more facts than this in a state are boards, others are about single things.
const MOST_LONE: usize = 6;
const AROUND: [(i32, i32); 8] = [(1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1)];

/// What the features of moves are given to: the option, the parts of the name, and the value.
pub type FeatureSink<'a> = dyn FnMut(usize, FeatureKey, &[Part<'_>], f64) + 'a;

impl MoveFeatures {
    /// Gets ready for a game.
    pub fn bind<G: Game>(&mut self, game: &G) {
        self.facts.bind(game);
        self.take_apart();
    }

    /// Numbers the facts of a state and of all states that the options lead to.
    pub fn learn<G: Game>(&mut self, game: &G, state: &G::State, role: Role, options: &Options<G>) {
        let mut room = Vec::new();
        self.facts.learn(game, state, &mut room);
        for child in children(game, state, role, options) {
            self.facts.learn(game, &child, &mut room);
        }
        self.take_apart();
    }

    fn take_apart(&mut self) {
        for at in self.shapes.len()..self.facts.index.terms().len() {
            let term = self.facts.index.terms()[at].clone();
            let shape = self.shape(&term);
            self.shapes.push(shape);
        }
    }

    fn shape(&mut self, term: &Term) -> FactShape {
        let text = term.to_string();
        let mut content = String::new();
        let mut numbers: Vec<i32> = Vec::new();
        let (mut relation, mut arguments) = (String::new(), 0);
        if let Term::List(parts) = term {
            for (at, part) in parts.iter().enumerate() {
                let name = part.to_string();
                if at == 0 {
                    relation.clone_from(&name);
                    content.push_str(&name);
                    continue;
                }
                arguments += 1;
                match name.parse::<i32>() {
                    Ok(number) => {
                        numbers.push(number);
                        content.push_str(" _");
                    }
                    Err(_) => {
                        content.push(' ');
                        content.push_str(&name);
                    }
                }
            }
        } else {
            content.clone_from(&text);
            relation.clone_from(&text);
        }
        let relation = format!("{relation}/{arguments}");
        let next = self.relations.len() as u32;
        let relation = *self.relations.entry(relation).or_insert(next);
        let next = self.contents.len() as u32;
        let number = *self.content_numbers.entry(content.clone()).or_insert(next);
        if number == next {
            let hash = hash_text(&content);
            self.contents.push((content, hash));
        }
        let place = (numbers.first().copied().unwrap_or(0), numbers.get(1).copied().unwrap_or(0));
        let numbers = numbers.len().min(255) as u8;
        FactShape { hash: hash_text(&text), text, relation, content: number, place, numbers }
    }

    fn content(&self, number: Option<u32>) -> Part<'_> {
        match number {
            Some(number) => {
                let (text, hash) = &self.contents[number as usize];
                Part::Text(text, *hash)
            }
            None => Part::Word("nothing"),
        }
    }

    /// Gives all features of all options to `sink`; returns how many states were looked at for them.
    pub fn extract<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        options: &Options<G>,
        view: MoveView,
        sink: &mut FeatureSink<'_>,
    ) -> u64 {
        let texts: Vec<String> = options.terms.iter().map(ToString::to_string).collect();
        let mut before = Vec::new();
        self.facts.read(game, state, &mut before);
        before.sort_unstable();
        let board = Board::new(self, &before);
        let few = before.len() <= MOST_PAIRED;
        let count = options.terms.len();
        for (option, text) in texts.iter().enumerate() {
            let own = Part::Text(text, hash_text(text));
            let mut see = |parts: &[Part<'_>], value: f64| sink(option, FeatureKey::of(parts), parts, value);
            see(&[Part::Word("move"), own], 1.0);
            see(&[Part::Word("place")], option as f64 / count as f64);
            if few {
                for fact in &before {
                    let fact = &self.shapes[fact.0 as usize];
                    see(&[Part::Word("move"), own, Part::Text(&fact.text, fact.hash)], 0.5);
                }
                self.directions(&board, own, &mut see);
            }
        }
        if options.moves.is_empty() || count == 1 || !view.effects {
            return 0;
        }
        let mut after = Vec::new();
        for (option, child) in children(game, state, role, options).enumerate() {
            self.facts.read(game, &child, &mut after);
            after.sort_unstable();
            let mut see = |parts: &[Part<'_>], value: f64| sink(option, FeatureKey::of(parts), parts, value);
            self.changes(&board, &before, &after, &mut see);
            let replies = if game.goals(&child).is_some() { 0 } else { game.count(&child).min(64) };
            see(&[Part::Word("leaves"), Part::Number((replies + 1).ilog2() as i32)], 1.0);
        }
        let (verdicts, nodes) = look_ahead(game, state, role, options.moves.len(), view.ahead, view.nodes);
        for (depth, verdicts) in verdicts.iter().enumerate() {
            for (option, &verdict) in verdicts.iter().enumerate().filter(|(_, verdict)| **verdict != 0) {
                let parts = [Part::Word("ahead"), Part::Number(depth as i32 + 1), Part::Number(i32::from(verdict))];
                sink(option, FeatureKey::of(&parts), &parts, 2.0);
            }
        }
        if let Some(deepest) = verdicts.last() {
            for (option, &verdict) in deepest.iter().enumerate() {
                let parts = [Part::Word("deepest"), Part::Number(i32::from(verdict))];
                sink(option, FeatureKey::of(&parts), &parts, 2.0);
            }
        }
        nodes + options.moves.len() as u64
    }

    /// A move beside the directions in which single things lie from each other.
    fn directions(&self, board: &Board, own: Part<'_>, see: &mut dyn FnMut(&[Part<'_>], f64)) {
        let move_word = Part::Word("move");
        for (at, one) in board.lone.iter().map(|&fact| &self.shapes[fact as usize]).enumerate() {
            for other in board.lone[at + 1..].iter().map(|&fact| &self.shapes[fact as usize]) {
                if one.numbers != other.numbers {
                    continue;
                }
                let (first, second) = (self.content(Some(one.content)), self.content(Some(other.content)));
                let (dx, dy) = (other.place.0 - one.place.0, other.place.1 - one.place.1);
                let way = Part::Pair(dx.signum(), dy.signum());
                see(&[move_word, own, first, second, Part::Pair(dx.clamp(-2, 2), dy.clamp(-2, 2))], 1.0);
                see(&[move_word, own, Part::Text(&one.text, one.hash), second, way], 1.0);
                see(&[move_word, own, first, Part::Text(&other.text, other.hash), way], 1.0);
            }
        }
    }

    /// What a move changes.
    fn changes(&self, board: &Board, before: &[FeatureId], after: &[FeatureId], see: &mut dyn FnMut(&[Part<'_>], f64)) {
        let removed: Vec<&FactShape> = difference(before, after).map(|fact| &self.shapes[fact.0 as usize]).collect();
        let added: Vec<&FactShape> = difference(after, before).map(|fact| &self.shapes[fact.0 as usize]).collect();
        for fact in &added {
            see(&[Part::Word("makes"), Part::Text(&fact.text, fact.hash)], 1.0);
            if fact.numbers == 0 {
                continue;
            }
            let own = self.content(Some(fact.content));
            let (x, y) = fact.place;
            let flat = fact.numbers == 1;
            if let Some(under) = board.at(fact.relation, x, y) {
                see(&[Part::Word("over"), own, self.content(Some(under))], 1.0);
            }
            if board.is_board(fact.relation) {
                for (dx, dy) in AROUND.into_iter().filter(|(_, dy)| !flat || *dy == 0) {
                    let near = self.content(board.at(fact.relation, x + dx, y + dy));
                    let far = self.content(board.at(fact.relation, x + 2 * dx, y + 2 * dy));
                    see(&[Part::Word("near"), own, Part::Pair(dx, dy), near], 0.5);
                    see(&[Part::Word("line"), own, near, far], 0.7);
                    if (dx, dy) > (0, 0) {
                        let back = self.content(board.at(fact.relation, x - dx, y - dy));
                        let (one, other) = if near.hash() < back.hash() { (near, back) } else { (back, near) };
                        see(&[Part::Word("between"), own, one, other], 0.7);
                    }
                }
            }
            let lost = removed.iter().find(|fact2| fact2.relation == fact.relation && fact2.content == fact.content);
            let Some(from) = lost else { continue };
            let step = Part::Pair(x - from.place.0, y - from.place.1);
            see(&[Part::Word("shift"), own, step], 1.0);
            for other in board.lone.iter().map(|&fact| &self.shapes[fact as usize]) {
                if other.text == from.text || other.numbers != fact.numbers {
                    continue;
                }
                let to = self.content(Some(other.content));
                let side = |from: (i32, i32)| ((other.place.0 - from.0).signum(), (other.place.1 - from.1).signum());
                let (was, is) = (side(from.place), side(fact.place));
                see(&[Part::Word("towards"), own, to, Part::Pair(was.0, was.1), step], 1.0);
                see(&[Part::Word("arrives"), own, to, Part::Pair(is.0, is.1)], 0.5);
                let distance = |from: (i32, i32)| (other.place.0 - from.0).abs() + (other.place.1 - from.1).abs();
                let nearer = distance(fact.place) - distance(from.place);
                see(&[Part::Word("nearer"), own, to, Part::Number(nearer.signum())], 1.0);
            }
        }
        for fact in &removed {
            let gone = !added.iter().any(|other| other.content == fact.content);
            if gone {
                see(&[Part::Word("ends"), self.content(Some(fact.content))], 1.0);
            }
        }
    }
}

/// The numbers of a state's facts by place.
struct Board {
    cells: FxHashMap<(u32, i32, i32), u32>,
    sizes: FxHashMap<u32, usize>,
    /// Facts with numbers of relations that have few.
    lone: Vec<u32>,
}

impl Board {
    fn new(features: &MoveFeatures, facts: &[FeatureId]) -> Board {
        let mut board = Board { cells: FxHashMap::default(), sizes: FxHashMap::default(), lone: Vec::new() };
        for fact in facts {
            let shape = &features.shapes[fact.0 as usize];
            *board.sizes.entry(shape.relation).or_default() += 1;
            if shape.numbers > 0 {
                board.cells.insert((shape.relation, shape.place.0, shape.place.1), shape.content);
            }
        }
        let is_lone = |fact: &&FeatureId| {
            let shape = &features.shapes[fact.0 as usize];
            shape.numbers > 1 && !board.is_board(shape.relation)
        };
        board.lone = facts.iter().filter(is_lone).map(|fact| fact.0).collect();
        board
    }

    fn at(&self, relation: u32, x: i32, y: i32) -> Option<u32> {
        self.cells.get(&(relation, x, y)).copied()
    }

    fn is_board(&self, relation: u32) -> bool {
        self.sizes.get(&relation).is_some_and(|&size| size > MOST_LONE)
    }
}

/// What is in one sorted list and not in the other.
fn difference<'a>(one: &'a [FeatureId], other: &'a [FeatureId]) -> impl Iterator<Item = FeatureId> + 'a {
    one.iter().copied().filter(|fact| other.binary_search(fact).is_err())
}

/// The states that the options lead to; where others move at the same time, with the first move of each.
fn children<'a, G: Game>(
    game: &'a G,
    state: &'a G::State,
    role: Role,
    options: &'a Options<G>,
) -> impl Iterator<Item = G::State> + 'a {
    let to_move = game.to_move(state);
    let mut joint = Vec::new();
    let mut place = None;
    let mut room = Vec::new();
    if !options.moves.is_empty() {
        for mover in to_move.iter() {
            if mover == role {
                place = Some(joint.len());
                joint.push(options.moves[0].clone());
            } else {
                game.legal(state, mover, &mut room);
                joint.extend(room.first().cloned());
            }
        }
    }
    let whole = joint.len() == to_move.len();
    let place = place.filter(|_| whole);
    options.moves.iter().take(if place.is_some() { usize::MAX } else { 0 }).map(move |choice| {
        let mut child = state.clone();
        joint[place.unwrap_or(0)].clone_from(choice);
        game.play(&mut child, &joint);
        child
    })
}
