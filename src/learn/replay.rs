//! The learner checks itself: the rules are played over all of the evidence, and what differs is reported.
//!
//! Where all legal moves are listed, the rules must generate as many as were listed. Equal numbers are equal moves, since a
//! listed word that is not in the language of its piece is reported apart ([`Unexplained::Words`]). Where only the move
//! played is listed, the rules must generate it; and of every class of moves that they generate ([`MoveClass`]) as many
//! must have been played as chance explains. Endings must hold where games ended, and nowhere else.

use super::description_length::{NO_ACCIDENT, WORD_KINDS, rates, word_kind};
use super::endings::outcome_of;
use super::evidence::{RecordHead, Tail, word_hash};
use super::guard_tests::untested_guards;
use super::learnt::{MoveClass, MovePart, Place, Unexplained};
use super::situations::Situations;
use super::step_tests::untested_steps;
use super::untested::Tests;
use crate::board::{Cell, Content, MicroMove, Player, Position, Shape, Square, Word};
use crate::budget::{Budget, StopReason};
use crate::observe::Outcome;
use crate::rules::{Engine, Landing, OpenQuestion, Rules, Seen, Side, State, Symbol, Taken, Topic};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Play is even if every legal move is at least so likely, compared with the others: then where a move goes is a class of
/// its own. People avoid squares for good reasons.
const EVEN: f64 = 0.5;

/// Positions that are looked at one after the other.
const CHUNK: usize = 1024;

/// What is allowed for.
pub(super) struct Allowance {
    /// The share of records that may be false.
    pub noise: f64,
    /// How much less often than its share a legal move of each kind of word may be played.
    pub rates: [f64; WORD_KINDS],
    /// How many games are known to have ended in a way that nothing explains.
    pub unexplained_games: u64,
}

impl Allowance {
    fn least_rate(&self) -> f64 {
        self.rates.into_iter().fold(1.0, f64::min)
    }

    fn rate(&self, class: &MoveClass) -> f64 {
        match class {
            MoveClass::Word { word, .. } => self.rates[kind_of(word)],
            _ => self.least_rate(),
        }
    }

    /// How evenly moves of these rules were played; before they were known, a word that is not legal everywhere looked as if
    /// it was played seldom.
    fn with_plays(&self, classes: &FxHashMap<u64, (Plays, MoveClass)>) -> Allowance {
        let mut words: Vec<(usize, f64, f64)> = Vec::new();
        for (plays, class) in classes.values() {
            if let MoveClass::Word { word, .. } = class
                && plays.played > 0
            {
                words.push((kind_of(word), plays.played as f64, plays.expected));
            }
        }
        // Sums of fractions depend on the order.
        words.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2)));
        let known = rates(&words, 0.0);
        Allowance { rates: std::array::from_fn(|kind| self.rates[kind].max(known[kind])), ..*self }
    }
}

/// The kind of a word by what it ends on.
fn kind_of(word: &Word) -> usize {
    let single = word.0.len() < 2;
    let last = word.0.last().filter(|micro| !is_vanishing(micro));
    let landing = match last.map(|micro| micro.content) {
        Some(Content::Empty) => Landing::On(Seen::Empty),
        Some(Content::Own) => Landing::On(Seen::Own),
        Some(Content::Opponent) => Landing::On(Seen::Enemy),
        Some(Content::Remove(_)) => Landing::Take(Taken::Enemy),
        Some(Content::Add(_)) | None => return word_kind(Symbol::Put(Cell::EMPTY), single),
    };
    word_kind(Symbol::Step { dx: 0, dy: 0, landing }, single)
}

/// Plays rules over what was seen, and reports what differs and what was never tested; or why it was stopped before that
/// was known.
pub(super) fn replay(
    situations: &Situations,
    rules: &Rules,
    allowance: &Allowance,
    budget: &Budget,
) -> Result<(Vec<Unexplained>, Vec<OpenQuestion>), StopReason> {
    let Ok(engine) = Engine::compile(&Rules { learnt: None, ..rules.clone() }) else {
        return Ok((vec![Unexplained::NotPlayable], Vec::new()));
    };
    let two = rules.players.len() == 2;
    let all: Vec<(RecordHead, &[u8], u32)> = situations.iter().collect();
    let tests = Tests::new(rules, allowance.least_rate());
    let whole = || -> Result<Vec<(Tally, Tests)>, StopReason> {
        let chunks = all.par_chunks(CHUNK).map(|chunk| {
            let (mut tally, mut tests) = (Tally::default(), tests.clone());
            let mut replay = Replay { situations, engine: &engine, two, tally: &mut tally, tests: &mut tests };
            for &(head, key, count) in chunk {
                budget.check()?;
                replay.situation(head, key, count);
            }
            Ok((tally, tests))
        });
        chunks.collect()
    };
    let guards = || untested_guards(situations, &engine, rules, allowance.least_rate(), budget);
    let steps = || untested_steps(situations, &engine, rules, allowance.least_rate(), budget);
    let (chunks, (guards, steps)) = rayon::join(whole, || rayon::join(guards, steps));
    // In the order of the situations: sums of fractions depend on it.
    let (mut tally, mut tests) = (Tally::default(), tests.clone());
    for (later, later_tests) in chunks? {
        tally.merge(later);
        tests.merge(later_tests);
    }
    let mut open = tests.questions();
    open.extend(guards?);
    open.extend(steps?);
    open.extend(tally.never_played(rules));
    let allowance = allowance.with_plays(&tally.classes);
    Ok((tally.report(&allowance, rules), open))
}

/// Something that differs: how often, and the first.
struct Differences<T> {
    count: u64,
    first: Option<T>,
}

impl<T> Default for Differences<T> {
    fn default() -> Differences<T> {
        Differences { count: 0, first: None }
    }
}

impl<T> Differences<T> {
    fn add(&mut self, count: u32, first: impl FnOnce() -> T) {
        self.count += u64::from(count);
        self.first.get_or_insert_with(first);
    }

    fn merge(&mut self, later: Differences<T>) {
        self.count += later.count;
        self.first = self.first.take().or(later.first);
    }
}

/// How often moves of a class were played, and how often they were to be expected.
#[derive(Clone, Copy, Default)]
struct Plays {
    expected: f64,
    played: u64,
}

impl Plays {
    /// How unlikely it is that so few were played if each was at least so likely, in nats (of a Poisson distribution).
    fn surprise(&self, rate: f64) -> f64 {
        let (expected, played) = (self.expected * rate, self.played as f64);
        match self.played {
            0 => expected,
            _ if played >= expected => 0.0,
            _ => expected - played + played * (played / expected).ln(),
        }
    }
}

#[derive(Default)]
struct Tally {
    positions: u64,
    /// The numbers of moves that were listed and generated.
    moves: Differences<(Position, Player, u64, u64)>,
    /// The move that was played is not generated.
    played: Differences<(Position, Player, Square)>,
    outcomes: Differences<(Position, Option<Outcome>, Option<Outcome>)>,
    /// By a hash of the class: there are thousands of moves for each.
    classes: FxHashMap<u64, (Plays, MoveClass)>,
}

impl Tally {
    fn merge(&mut self, later: Tally) {
        self.positions += later.positions;
        self.moves.merge(later.moves);
        self.played.merge(later.played);
        self.outcomes.merge(later.outcomes);
        for (key, (plays, class)) in later.classes {
            let sum = &mut self.classes.entry(key).or_insert((Plays::default(), class)).0;
            sum.expected += plays.expected;
            sum.played += plays.played;
        }
    }

    /// First steps that moves of the rules have, and no move that was played.
    fn never_played(&self, rules: &Rules) -> Vec<OpenQuestion> {
        let mut begun: BTreeMap<Cell, BTreeMap<MicroMove, bool>> = BTreeMap::new();
        for (plays, class) in self.classes.values() {
            let MoveClass::Word { player, piece, word } = class else { continue };
            let (Some(movement), Some(&first)) = (rules.movement(*player, *piece), word.0.first()) else { continue };
            let turned = movement.side.turns_for(*player);
            let (piece, first) = if turned { (piece.turned(), first.turned()) } else { (*piece, first) };
            *begun.entry(piece).or_default().entry(first).or_default() |= plays.played > 0;
        }
        let questions = begun.into_iter().filter_map(|(piece, steps)| {
            let never: Vec<String> =
                steps.iter().filter(|(_, played)| !**played).map(|(first, _)| first.to_string()).collect();
            let text = format!("no move began with {}", never.join(" or "));
            (!never.is_empty()).then_some(OpenQuestion { about: Topic::Piece(piece), text })
        });
        questions.collect()
    }

    /// The classes of moves; with them words of movements that both players share, as the first sees them, and squares put
    /// together to ranks and files.
    fn classes(&self, rules: &Rules) -> Vec<(Plays, MoveClass)> {
        let shape = rules.setup.shape();
        let mut all: Vec<(Plays, MoveClass)> = self.classes.values().cloned().collect();
        all.sort_by(|a, b| a.1.cmp(&b.1));
        let mut sums: BTreeMap<MoveClass, Plays> = BTreeMap::new();
        let mut add = |class: MoveClass, plays: &Plays| {
            let sum = sums.entry(class).or_default();
            sum.expected += plays.expected;
            sum.played += plays.played;
        };
        for (plays, class) in &all {
            let (MoveClass::Word { player, piece, .. } | MoveClass::At { player, piece, .. }) = *class else {
                continue;
            };
            let Some(side) = rules.movement(player, piece).map(|movement| movement.side) else { continue };
            let class = if side.turns_for(player) { class.turned(shape) } else { class.clone() };
            match class {
                MoveClass::At { player, piece, part, place: Place::Square(square) } => {
                    for place in [Place::Rank(shape.rank(square)), Place::File(shape.file(square))] {
                        add(MoveClass::At { player, piece, part, place }, plays);
                    }
                }
                _ if side == Side::Both => add(class, plays),
                _ => {}
            }
        }
        all.extend(sums.into_iter().map(|(class, plays)| (plays, class)));
        all
    }

    fn report(self, allowance: &Allowance, rules: &Rules) -> Vec<Unexplained> {
        let shape = rules.setup.shape();
        let classes = self.classes(rules);
        let total = self.positions as f64;
        // Three standard deviations more than the share that was allowed.
        let allowed = allowance.noise * total + 3.0 * (allowance.noise * total).sqrt();
        let too_many = |count: u64| count > 0 && count as f64 > allowed;
        let mut found = Vec::new();
        let of = self.positions;
        if let Some((position, player, listed, generated)) = self.moves.first.filter(|_| too_many(self.moves.count)) {
            let positions = self.moves.count;
            found.push(Unexplained::Listed { positions, of, position, player, listed, generated });
        }
        if let Some((position, player, start)) = self.played.first.filter(|_| too_many(self.played.count)) {
            found.push(Unexplained::Played { positions: self.played.count, of, position, player, start });
        }
        let outcomes = self.outcomes.count.saturating_sub(allowance.unexplained_games);
        if let Some((position, recorded, computed)) = self.outcomes.first.filter(|_| too_many(outcomes)) {
            found.push(Unexplained::Outcomes { positions: self.outcomes.count, position, recorded, computed });
        }
        // The more classes, the more of them are rare by chance; words are what rules are made of.
        let many = NO_ACCIDENT + (classes.len() as f64).max(1.0).ln();
        let even = allowance.least_rate() >= EVEN;
        let is_rare = |(plays, class): &(Plays, MoveClass)| {
            let least = match class {
                MoveClass::Word { .. } => NO_ACCIDENT,
                MoveClass::At { .. } if !even => return false,
                _ => many,
            };
            plays.surprise(allowance.rate(class)) > least
        };
        let rare = classes.into_iter().filter(is_rare);
        // Of each kind of class the most surprising one.
        let mut worst: BTreeMap<u8, (Plays, MoveClass)> = BTreeMap::new();
        for (plays, class) in rare {
            let known = worst.entry(class.order()).or_insert((plays, class.clone()));
            if plays.surprise(allowance.rate(&class)) > known.0.surprise(allowance.rate(&known.1)) {
                *known = (plays, class);
            }
        }
        found.extend(worst.into_values().map(|(plays, class)| Unexplained::RarelyPlayed {
            class,
            shape,
            expected: plays.expected.round() as u64,
            played: plays.played,
        }));
        found
    }
}

struct Replay<'a, 'r> {
    situations: &'a Situations,
    engine: &'a Engine,
    two: bool,
    tally: &'a mut Tally,
    tests: &'a mut Tests<'r>,
}

impl Replay<'_, '_> {
    fn situation(&mut self, head: RecordHead, key: &[u8], count: u32) {
        self.tally.positions += u64::from(count);
        let shape = self.situations.shape;
        let mut position = Position::empty(shape);
        shape.all().for_each(|square| position.set(square, self.situations.at(key, square)));
        let tail = self.situations.tail(key);
        let plies = if let Tail::Over(plies) = tail { plies } else { 0 };
        let Ok(state) = self.engine.state(&position, head.turn, plies) else {
            // A piece that no rule names.
            let listed = if let Tail::Listed(listed) = tail { u64::from(listed) } else { 0 };
            return self.tally.moves.add(count, || (position, head.turn, listed, 0));
        };
        let mover = if self.two { head.turn.other() } else { head.turn };
        self.tests.stood(&position, mover);
        self.outcome(head, &position, &state, count);
        match tail {
            Tail::Over(_) => {
                if let Some(outcome) = head.outcome {
                    self.tests.ended(&position, mover, outcome);
                }
            }
            Tail::Listed(listed) => {
                self.tests.moved(&position, head.turn, None, count);
                let generated = self.engine.count(&state).unwrap_or(u64::MAX);
                if generated.min(u64::from(u16::MAX)) != u64::from(listed) {
                    self.tally.moves.add(count, || (position, head.turn, u64::from(listed), generated));
                }
            }
            Tail::Played(None) => {}
            Tail::Played(Some((start, hash))) => self.played(&position, &state, start, hash, count),
        }
    }

    fn outcome(&mut self, head: RecordHead, position: &Position, state: &State, count: u32) {
        let computed = self.engine.verdict(state).ok().flatten().map(outcome_of);
        if computed != head.outcome {
            self.tally.outcomes.add(count, || (position.clone(), head.outcome, computed));
        }
    }

    fn played(&mut self, position: &Position, state: &State, start: Square, hash: u32, count: u32) {
        let player = state.turn();
        let mut moves = Vec::new();
        let generated = self.engine.moves(state, &mut moves).is_ok();
        let words: Vec<(Square, Word)> =
            moves.iter().map(|choice| (choice.origin(), self.engine.word(state, choice))).collect();
        let is_played = |(origin, word): &(Square, Word)| *origin == start && word_hash(word) == hash;
        if !generated || !words.iter().any(is_played) {
            return self.tally.played.add(count, || (position.clone(), player, start));
        }
        self.tests.moved(position, player, Some(words.len()), count);
        let situation = Classes::of(position, player, &words, self.two);
        let share = f64::from(count) / words.len() as f64;
        for choice in &words {
            let played = is_played(choice);
            situation.each(choice, &mut |key, class| {
                let plays = &mut self.tally.classes.entry(key).or_insert_with(|| (Plays::default(), class())).0;
                plays.expected += share;
                plays.played += u64::from(played) * u64::from(count);
            });
        }
    }
}

/// What decides on the classes of the moves of one position.
struct Classes<'a> {
    position: &'a Position,
    player: Player,
    shape: Shape,
    can_capture: bool,
    pieces: u16,
    squares: bool,
}

impl<'a> Classes<'a> {
    fn of(position: &'a Position, player: Player, words: &[(Square, Word)], squares: bool) -> Classes<'a> {
        let own = position.cells().iter().filter(|cell| cell.owner() == Some(player)).count();
        Classes {
            position,
            player,
            shape: position.shape(),
            can_capture: words.iter().any(|(_, word)| captures(word)),
            pieces: own as u16,
            squares,
        }
    }

    /// Visits the classes of a move, each with a hash.
    fn each(&self, (start, word): &(Square, Word), visit: &mut dyn FnMut(u64, &dyn Fn() -> MoveClass)) {
        let piece = self.position.at(*start);
        let player = self.player;
        let key = |kind: u8, of: &dyn Fn(&mut FxHasher)| {
            let mut hasher = FxHasher::default();
            (kind, player, piece).hash(&mut hasher);
            of(&mut hasher);
            hasher.finish()
        };
        if self.can_capture {
            let capture = captures(word);
            visit(u64::from(capture), &|| MoveClass::WhileCaptures { capture });
        }
        let pieces = self.pieces;
        visit(key(1, &|hasher| pieces.hash(hasher)), &|| MoveClass::WithPieces { player, piece, pieces });
        visit(key(2, &|hasher| word_hash(word).hash(hasher)), &|| MoveClass::Word {
            player,
            piece,
            word: unnamed(word),
        });
        if piece.is_empty() {
            let (own, enemy) = (self.beside(*start, player), self.beside(*start, player.other()));
            visit(key(3, &|hasher| (own, enemy).hash(hasher)), &|| MoveClass::DropBeside { player, own, enemy });
        }
        if self.squares {
            let mut visit_at = |part: MovePart, square: Square| {
                let place = Place::Square(square);
                visit(key(4, &|hasher| (part, square).hash(hasher)), &|| MoveClass::At { player, piece, part, place });
            };
            visit_at(MovePart::From, *start);
            let (mut at, mut put_down, mut becomes) = (Some(*start), None, None);
            for micro in &word.0 {
                at = at.and_then(|square| self.shape.step(square, micro.dx, micro.dy));
                // Where it goes on from there, the square decides as much as the last one does.
                if (micro.dx, micro.dy) != (0, 0)
                    && let Some(square) = put_down.take()
                {
                    visit_at(MovePart::PutsDown, square);
                }
                if let Content::Add(cell) = micro.content {
                    (put_down, becomes) = (at, cell);
                }
            }
            if let Some(square) = at {
                visit_at(MovePart::To { becomes }, square);
            }
        }
    }

    fn beside(&self, square: Square, owner: Player) -> bool {
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).filter(|&step| step != (0, 0));
        around
            .filter_map(|(dx, dy)| self.shape.step(square, dx, dy))
            .any(|square| self.position.at(square).owner() == Some(owner))
    }
}

/// Whether a word takes a piece of the opponent, or may.
fn captures(word: &Word) -> bool {
    let last = word.0.iter().rev().find(|micro| !matches!(micro.content, Content::Add(_)));
    last.is_some_and(|micro| micro.content == Content::Opponent)
        || word.0.iter().any(|micro| matches!(micro.content, Content::Remove(_)) && !is_vanishing(micro))
}

/// Whether it removes the piece that moves.
fn is_vanishing(micro: &MicroMove) -> bool {
    matches!(micro.content, Content::Remove(_)) && (micro.dx, micro.dy) == (0, 0)
}

/// A word without the names of what it removes.
fn unnamed(word: &Word) -> Word {
    let mut word = word.clone();
    for micro in &mut word.0 {
        if let Content::Remove(name) = &mut micro.content {
            *name = None;
        }
    }
    word
}

impl MoveClass {
    /// The class of the same moves as the other player would make them, of classes of a player's moves.
    fn turned(&self, shape: Shape) -> MoveClass {
        match self.clone() {
            MoveClass::Word { player, piece, word } => {
                MoveClass::Word { player: player.other(), piece: piece.turned(), word: word.turned() }
            }
            MoveClass::At { player, piece, part, place: Place::Square(square) } => {
                let part = match part {
                    MovePart::To { becomes } => MovePart::To { becomes: becomes.map(Cell::turned) },
                    other => other,
                };
                let place = Place::Square(shape.mirrored(square));
                MoveClass::At { player: player.other(), piece: piece.turned(), part, place }
            }
            other => other,
        }
    }

    /// Which kind of class it is.
    fn order(&self) -> u8 {
        match self {
            MoveClass::Word { .. } => 0,
            MoveClass::WhileCaptures { .. } => 1,
            MoveClass::WithPieces { .. } => 2,
            MoveClass::DropBeside { .. } => 3,
            MoveClass::At { part: MovePart::From, .. } => 4,
            MoveClass::At { part: MovePart::To { .. }, .. } => 5,
            MoveClass::At { part: MovePart::PutsDown, .. } => 6,
        }
    }
}
