//! The search for guards: which zone of the board explains that a word is legal here and not there.
//!
//! A word that was listed in some records and not in others, although its steps found the same, may depend on the place.
//! For every zone with a short description (a rank, a file, all ranks from one on, the edge, ...), tested at the start of
//! the turn or on every landing, it is counted how many of the omissions it explains. A zone is worth its description
//! if it explains more than the assumption that a few records are false, or, where only the moves played are listed,
//! more than chance. Of zones that explain as much, the one with the shortest movement is taken, and the search goes on
//! with what is left to explain.

use super::description_length::{ASSUMED_NOISE, DescriptionLength};
use super::guard::{Annotation, Guard, GuardPlace, Guards, Landings, Look, SquareSet, Test, Why, landings};
use super::hits::Source;
use super::piece_samples::{PieceSamples, Suspect};
use super::samples::{WordCount, WordTable};
use super::state_merging::induce;
use crate::board::{Shape, Square};
use crate::budget::{Budget, StopReason};
use crate::rules::{Area, Seen, Symbol};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Where only some moves are listed: what was to be expected so often, in nats, and never came, is no chance.
const NO_CHANCE: f64 = 8.0;

/// A guard must explain so many nats more than its zone's description is long.
const MARGIN: f64 = 6.0;

/// Where only some moves are listed: a word that was played less often needs no guard.
const FEWEST_PLAYS: u64 = 4;

/// The suspects that are looked at, the most suspicious first: they tell enough.
const MOST_SUSPECTS: usize = 400;

/// Zones that explain as much as the best one are compared by the movements they lead to, but not more than these.
const MOST_RIVALS: usize = 8;

/// The piece with the guards that its words need; without any if nothing calls for one.
pub(super) fn guarded<'b>(
    sources: Vec<Source<'b>>,
    words: &WordTable,
    drops: bool,
    model: &DescriptionLength,
    budget: &mut Budget,
) -> Result<PieceSamples<'b>, StopReason> {
    let shape = sources[0].boards.shape;
    let search = Search { sources, words, drops, model };
    let bare = search.piece(Guards::none(shape), budget)?;
    if !drops {
        return search.zones(bare, budget);
    }
    // Where a drop depends on what is beside it, zones explain a part of that too.
    let looked = search.looks(bare, budget)?;
    if looked.guards.list.is_empty() {
        return search.zones(looked, budget);
    }
    let is_explained = |piece: &PieceSamples| likelihood(piece, words).is_none() && disagreement(piece, words) == 0;
    if looked.guards.list.len() == 1 && is_explained(&looked) {
        return Ok(looked);
    }
    let looked = search.zones(looked, budget)?;
    let zoned = search.zones(search.piece(Guards::none(shape), budget)?, budget)?;
    let zoned = search.looks(zoned, budget)?;
    Ok(if search.length(&zoned) < search.length(&looked) { zoned } else { looked })
}

/// What a search for guards is about.
struct Search<'w, 'b> {
    sources: Vec<Source<'b>>,
    words: &'w WordTable,
    drops: bool,
    model: &'w DescriptionLength,
}

impl<'b> Search<'_, 'b> {
    fn piece(&self, guards: Guards, budget: &Budget) -> Result<PieceSamples<'b>, StopReason> {
        PieceSamples::new(self.sources.clone(), self.words, guards, self.drops, self.model, budget)
    }

    /// The piece with the zones that its words need beside the guards that it has.
    fn zones(&self, mut piece: PieceSamples<'b>, budget: &mut Budget) -> Result<PieceSamples<'b>, StopReason> {
        let (model, shape) = (self.model, piece.guards.shape);
        let suspects = suspects(&piece, self.words, model);
        let mut value = value(&suspects, &piece.guards, model);
        let mut why = std::mem::take(&mut piece.why);
        while piece.guards.list.len() < Guards::MOST {
            let before = piece.guards.clone();
            let better = |zones: Vec<CandidateZone>| best_of(zones, &piece.guards, &suspects, model, value);
            let (rectangles, single) = patches(shape, &suspects);
            let mut rivals = better(lines(shape).into_iter().chain(rectangles).collect());
            if rivals.is_empty() {
                rivals = better(single);
            }
            let Some(first) = rivals.first() else { break };
            value = first.value;
            let mut made: Vec<(f64, PieceSamples)> = Vec::new();
            for rival in rivals {
                made.push((rival.price, self.piece(piece.guards.and(rival.guard), budget)?));
            }
            piece = shortest(made, model, budget)?;
            why.extend(most_explained(&suspects, &before, &piece.guards, model));
        }
        piece.why = why;
        Ok(piece)
    }

    /// What the guards of a piece leave open, with their own length.
    fn length(&self, piece: &PieceSamples) -> f64 {
        let price = |guard: &Guard| match &guard.test {
            Test::In(_) => 6.0,
            Test::Sees(look) => price(look),
        };
        let guards: f64 = piece.guards.list.iter().map(price).sum();
        let left = disagreement(piece, self.words) as f64 * a_disagreement(self.model);
        guards + left - likelihood(piece, self.words).unwrap_or(0.0)
    }

    /// The piece with guards on what is seen beside the start, if they explain what zones do not: everything where all moves
    /// are listed, or all but the noise that was allowed; and what is played how often where only some are.
    fn looks(&self, piece: PieceSamples<'b>, budget: &Budget) -> Result<PieceSamples<'b>, StopReason> {
        let (words, model) = (self.words, self.model);
        let unexplained = disagreement(&piece, words);
        let uneven = likelihood(&piece, words);
        if unexplained == 0 && uneven.is_none() {
            return Ok(piece);
        }
        let cost = |left: u64| left as f64 * a_disagreement(model);
        let mut best = (cost(unexplained) - uneven.unwrap_or(0.0), None);
        let mut now = piece.guards.clone();
        while now.list.len() < Guards::MOST {
            let mut better: Option<(f64, PieceSamples, f64)> = None;
            for look in looks() {
                if self.sources.iter().any(|source| breaks(source, &look)) {
                    continue;
                }
                let price = price(&look);
                let guard = Guard { place: GuardPlace::Start, test: Test::Sees(look) };
                let made = self.piece(now.and(guard), budget)?;
                let uneven = if uneven.is_some() { likelihood(&made, words) } else { None };
                let left = cost(disagreement(&made, words)) - uneven.unwrap_or(0.0);
                let gain = best.0 - left - price - MARGIN;
                if gain > 0.0 && better.as_ref().is_none_or(|better| gain > better.0 + 1e-6) {
                    better = Some((gain, made, left));
                }
            }
            let Some((_, made, left)) = better else { break };
            now = made.guards.clone();
            best = (left, Some(made));
        }
        // Without noise a guard that leaves anything open is no explanation.
        let Some(mut made) = best.1.filter(|made| model.noise > 0.0 || disagreement(made, words) == 0) else {
            return Ok(piece);
        };
        made.why = piece.why.clone();
        for _ in piece.guards.list.len()..made.guards.list.len() {
            made.why.extend(piece.opportunities_of_known().next().map(|(word, squares)| {
                let mut tally = Tally::default();
                for (_, times) in squares {
                    tally.add(Tally { listed: 0, possible: times.all, played: 0, expected: times.expected });
                }
                for (_, count) in &words[&word] {
                    tally.add(Tally { listed: count.all, possible: 0, played: count.some, expected: 0.0 });
                }
                tally.why(&word)
            }));
        }
        Ok(made)
    }
}

fn most_explained(cases: &[Case], before: &Guards, after: &Guards, model: &DescriptionLength) -> Option<Why> {
    let cost = |case: &Case, guards| value(std::slice::from_ref(case), guards, model);
    let gain = |case: &Case| cost(case, before) - cost(case, after);
    // Of equals the first.
    let best = cases.iter().map(|case| (gain(case), case)).reduce(|a, b| if b.0 > a.0 { b } else { a })?.1;
    let mut all = Tally::default();
    best.squares.iter().for_each(|(_, tally)| all.add(*tally));
    Some(all.why(&best.word))
}

/// A suspect word with what is known of it at each square where it may start.
struct Case {
    word: Vec<Symbol>,
    rate: f64,
    squares: Vec<(Square, Tally)>,
    /// For each of the squares, where the word's letters land; nothing if it leaves the board.
    landings: Vec<Option<Landings>>,
}

impl Case {
    /// Whether the word is more than a slip: otherwise a zone around it would explain it away.
    fn is_supported(&self) -> bool {
        let listed = self.squares.iter().any(|(_, tally)| tally.listed > 0);
        listed || self.squares.iter().map(|(_, tally)| tally.played).sum::<u64>() >= FEWEST_PLAYS
    }
}

/// How often a word was listed, and how often it could have been.
#[derive(Clone, Copy, Default)]
struct Tally {
    listed: u64,
    possible: u64,
    played: u64,
    expected: f64,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.listed += other.listed;
        self.possible += other.possible;
        self.played += other.played;
        self.expected += other.expected;
    }

    fn why(self, word: &[Symbol]) -> Why {
        let Tally { listed, possible, played, expected } = self;
        Why { word: word.to_vec(), listed, possible, played, expected }
    }

    /// What it costs to say of these that the word is legal in all, or in none and was played by mistake.
    fn cost(&self, rate: f64, model: &DescriptionLength) -> f64 {
        let a_disagreement = a_disagreement(model);
        let listed = self.listed.min(self.possible.saturating_sub(self.listed)) as f64 * a_disagreement;
        // People avoid some squares: a word that was played there is legal there, unless records may be false.
        let mistakes = match self.played {
            0 => NO_CHANCE,
            _ if model.keeps_all => f64::INFINITY,
            played => NO_CHANCE + played as f64 * a_disagreement,
        };
        listed + (rate * self.expected).min(mistakes)
    }
}

fn suspects(piece: &PieceSamples, words: &WordTable, model: &DescriptionLength) -> Vec<Case> {
    let case = |suspect: Suspect| {
        let listed: FxHashMap<Square, WordCount> = words[&suspect.word].iter().copied().collect();
        let squares = suspect.origins.into_iter().map(|(square, possible)| {
            let WordCount { all, some } = listed.get(&square).copied().unwrap_or_default();
            let tally = Tally { listed: all, possible: possible.all, played: some, expected: possible.expected };
            (square, tally)
        });
        let squares: Vec<(Square, Tally)> = squares.collect();
        let shape = piece.guards.shape;
        let landings = squares.iter().map(|&(square, _)| landings(&suspect.word, square, shape)).collect();
        Case { word: suspect.word, rate: suspect.rate, squares, landings }
    };
    let found = piece.suspects(model, NO_CHANCE).into_iter().map(case);
    // Only what differs between squares can be explained by them.
    let mut found: Vec<(f64, Case)> = found
        .map(|case| {
            let apart: f64 = case.squares.iter().map(|(_, tally)| tally.cost(case.rate, model)).sum();
            let mut together = Tally::default();
            case.squares.iter().for_each(|(_, tally)| together.add(*tally));
            (together.cost(case.rate, model) - apart, case)
        })
        .filter(|(gain, case)| *gain > 0.0 && (case.is_supported() || !model.keeps_all))
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.word.cmp(&b.1.word)));
    found.truncate(MOST_SUSPECTS);
    found.into_iter().map(|(_, case)| case).collect()
}

/// What one false record costs; even where none is expected, a guard must explain more than a few would.
fn a_disagreement(model: &DescriptionLength) -> f64 {
    -model.noise.max(ASSUMED_NOISE).ln()
}

/// What it costs that words which are spelt alike are not always listed alike.
fn value(cases: &[Case], guards: &Guards, model: &DescriptionLength) -> f64 {
    let mut cost = 0.0;
    let mut spelt: FxHashMap<Annotation, Tally> = FxHashMap::default();
    for case in cases {
        spelt.clear();
        for (&(square, tally), landings) in case.squares.iter().zip(&case.landings) {
            if let Some(landings) = landings {
                spelt.entry(guards.spelling(square, landings)).or_default().add(tally);
            }
        }
        let mut costs: Vec<f64> = spelt.values().map(|tally| tally.cost(case.rate, model)).collect();
        // The order of a hash table must not show in the sum.
        costs.sort_unstable_by(f64::total_cmp);
        cost += costs.iter().sum::<f64>();
    }
    cost
}

/// A zone and the length of its description.
struct CandidateZone {
    squares: SquareSet,
    price: f64,
}

struct Rival {
    guard: Guard,
    price: f64,
    value: f64,
}

/// The guards that explain most, if any is worth it; the shortest first.
fn best_of(
    zones: Vec<CandidateZone>,
    guards: &Guards,
    cases: &[Case],
    model: &DescriptionLength,
    now: f64,
) -> Vec<Rival> {
    let mut rivals: Vec<Rival> = Vec::new();
    for zone in zones {
        for place in [GuardPlace::Start, GuardPlace::Landing] {
            let guard = Guard { place, test: Test::In(zone.squares.clone()) };
            let value = value(cases, &guards.and(guard.clone()), model);
            if now - value > zone.price + MARGIN {
                rivals.push(Rival { guard, price: zone.price, value });
            }
        }
    }
    let net = |rival: &Rival| rival.value + rival.price;
    // A stable sort: of equals, the one that is tried first.
    rivals.sort_by(|a, b| net(a).total_cmp(&net(b)));
    if let Some(best) = rivals.first() {
        let most = best.value + 1e-6;
        rivals.retain(|rival| rival.value <= most);
        rivals.truncate(MOST_RIVALS);
    }
    rivals
}

/// The piece with the shortest movement.
fn shortest<'b>(
    mut made: Vec<(f64, PieceSamples<'b>)>,
    model: &DescriptionLength,
    budget: &mut Budget,
) -> Result<PieceSamples<'b>, StopReason> {
    // As long as something is left to explain, movements cannot be compared.
    let open = made.iter().any(|(_, piece)| piece.ground_cost() == f64::INFINITY);
    let mut best = (f64::INFINITY, 0);
    if made.len() > 1 && !open {
        for (number, (price, piece)) in made.iter_mut().enumerate() {
            let induced = induce(piece, model, budget)?;
            let score = *price + piece.ground_cost() + induced.description + induced.surprise;
            if score < best.0 - 1e-6 {
                best = (score, number);
            }
        }
    }
    Ok(made.swap_remove(best.1).1)
}

/// Zones that anybody would name.
fn lines(shape: Shape) -> Vec<CandidateZone> {
    let (width, height) = (shape.width() as u8, shape.height() as u8);
    let mut zones: Vec<CandidateZone> = Vec::new();
    let mut add = |areas: Vec<Area>, price: f64| {
        let squares = SquareSet::of(areas, shape);
        let known = |zone: &CandidateZone| {
            let same = zone.squares.within == squares.within;
            same || zone.squares.within.iter().zip(&squares.within).all(|(a, b)| a != b)
        };
        let is_trivial = squares.within.iter().all(|&within| within == squares.within[0]);
        if !is_trivial && !zones.iter().any(known) {
            zones.push(CandidateZone { squares, price });
        }
    };
    let (ranks, files) = (f64::from(height).ln(), f64::from(width).ln());
    // The last rank is where most things happen.
    add(vec![Area::Ranks(height - 1, height - 1)], 0.0);
    (0..height).for_each(|n| add(vec![Area::Ranks(n, n)], ranks));
    (0..width).for_each(|n| add(vec![Area::Files(n, n)], files + 0.5));
    (1..height - 1).for_each(|n| add(vec![Area::Ranks(n, height - 1)], ranks + 1.0));
    (1..width - 1).for_each(|n| add(vec![Area::Files(n, width - 1)], files + 1.5));
    let (top, right) = (height - 1, width - 1);
    add(vec![Area::Ranks(0, 0), Area::Ranks(top, top), Area::Files(0, 0), Area::Files(right, right)], 4.0);
    add(vec![Area::Corners], 5.0);
    add(vec![Area::Dark], 5.0);
    for a in 1..height {
        (a + 1..height - 1).for_each(|b| add(vec![Area::Ranks(a, b)], 2.0 * ranks + 1.0));
    }
    for a in 1..width {
        (a + 1..width - 1).for_each(|b| add(vec![Area::Files(a, b)], 2.0 * files + 1.5));
    }
    zones
}

/// The lowest and the highest file and rank of some squares.
type Corners = ((u8, u8), (u8, u8));

/// The smallest rectangle around two.
fn around(a: Corners, b: Corners) -> Corners {
    let (low, high) = ((a.0.0.min(b.0.0), a.0.1.min(b.0.1)), (a.1.0.max(b.1.0), a.1.1.max(b.1.1)));
    (low, high)
}

/// Rectangles, and sets of single squares, that the first suspect words suggest.
fn patches(shape: Shape, cases: &[Case]) -> (Vec<CandidateZone>, Vec<CandidateZone>) {
    let squares = shape.squares() as f64;
    let (mut rectangles, mut singles) = (Vec::new(), Vec::new());
    let add = |zones: &mut Vec<CandidateZone>, squares: SquareSet, price: f64| {
        if !zones.iter().any(|zone| zone.squares.within == squares.within) {
            zones.push(CandidateZone { squares, price });
        }
    };
    let rectangle = |zones: &mut Vec<CandidateZone>, (low, high): Corners| {
        // Whole ranks and files are lines.
        if high.0 - low.0 + 1 < shape.width() as u8 && high.1 - low.1 + 1 < shape.height() as u8 {
            let price = 2.0 * squares.ln() + 1.0;
            add(zones, SquareSet::of(vec![Area::Rectangle(low, high)], shape), price);
        }
    };
    for (legal, end) in [(true, true), (true, false), (false, true), (false, false)] {
        let is_legal = |tally: &Tally| tally.listed > 0 || tally.played > 0;
        // Words in different directions come to different parts of one rectangle.
        let mut all: Option<Corners> = None;
        for (number, case) in cases.iter().enumerate() {
            let lands = |&start: &Square| {
                case.word.iter().try_fold(start, |at, symbol| match symbol {
                    Symbol::Step { dx, dy, .. } if end => shape.step(at, *dx, *dy),
                    _ => Some(at),
                })
            };
            let starts = case.squares.iter().filter(|(_, tally)| is_legal(tally) == legal).map(|case| &case.0);
            let at = starts.filter_map(lands).map(|s| (shape.file(s) as u8, shape.rank(s) as u8));
            let at: Vec<(u8, u8)> = at.collect();
            let Some(corners) = at.iter().map(|&at| (at, at)).reduce(around) else { continue };
            all = Some(all.map_or(corners, |all| around(all, corners)));
            if number < 10 {
                rectangle(&mut rectangles, corners);
                let single = at.len() as f64 * squares.ln() + 2.0;
                add(&mut singles, SquareSet::of(vec![Area::Squares(at)], shape), single);
            }
        }
        all.into_iter().for_each(|corners| rectangle(&mut rectangles, corners));
    }
    (rectangles, singles)
}

/// How often words were not listed where they were possible, or listed where the guards say they are not.
fn disagreement(piece: &PieceSamples, words: &WordTable) -> u64 {
    let mut possible: BTreeMap<(Vec<Symbol>, Square), u64> = BTreeMap::new();
    for (word, squares) in piece.opportunities_of_known() {
        squares.iter().for_each(|(square, times)| *possible.entry((word.clone(), *square)).or_default() += times.all);
    }
    let mut sum = 0;
    for (word, origins) in words {
        for (square, count) in origins {
            sum += possible.remove(&(word.clone(), *square)).unwrap_or(0).abs_diff(count.all);
        }
    }
    sum + possible.values().sum::<u64>()
}

/// What may be looked for around the start.
fn looks() -> Vec<Look> {
    let around: [&[(i8, i8)]; 14] = [
        &[(0, -1)],
        &[(0, 1)],
        &[(-1, 0)],
        &[(1, 0)],
        &[(-1, -1)],
        &[(1, -1)],
        &[(-1, 1)],
        &[(1, 1)],
        &[(-1, 0), (1, 0)],
        &[(0, -1), (0, 1)],
        &[(-1, 1), (1, 1)],
        &[(0, -1), (-1, 0), (1, 0), (0, 1)],
        &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)],
    ];
    let seen: [&[Seen]; 4] = [&[Seen::Empty], &[Seen::Own], &[Seen::Enemy], &[Seen::Own, Seen::Enemy]];
    let mut looks = Vec::new();
    for around in around {
        for seen in seen {
            for (any, edge) in [(false, false), (true, false), (true, true)] {
                looks.push(Look { around: around.to_vec(), seen: seen.to_vec(), edge, any });
            }
        }
    }
    looks
}

/// What it costs to say a look, in nats: which of the few hundred it is.
fn price(look: &Look) -> f64 {
    6.0 + if look.edge { 1.0 } else { 0.0 } + if look.around.len() > 1 { 1.0 } else { 0.0 }
}

/// Whether a move was played, where only that is listed, that does not pass a look.
fn breaks(source: &Source, look: &Look) -> bool {
    let boards = source.boards;
    let is_start = |board: u32, square: Square| source.starts_on(board, square);
    let plays = (0..).zip(&boards.played).filter_map(|(board, played)| Some((board, (*played)?)));
    plays.filter(|&(board, square)| is_start(board, square)).any(|(board, square)| {
        let sees = look
            .around
            .iter()
            .filter_map(|&(dx, dy)| boards.shape.step(square, dx, dy))
            .any(|at| look.seen.iter().any(|&seen| boards.holds(board as usize, at, seen)));
        (sees || look.sees_edge(boards.shape, square)) != look.any
    })
}

/// How well the squares where words were played fit to those where they could have been, if on each board every such
/// word is as likely as the others: the logarithm of their chance, apart from what does not depend on the guards. `None`
/// if no board lists only some moves.
fn likelihood(piece: &PieceSamples, words: &WordTable) -> Option<f64> {
    let chances = piece.chances()?;
    let mut sum = 0.0;
    for (word, origins) in words {
        for (square, count) in origins.iter().filter(|origin| origin.1.some > 0) {
            let chance = chances.get(&(word.clone(), *square)).copied().unwrap_or(0.0);
            // What cannot be played at all and was rules the guards out.
            sum += count.some as f64 * chance.ln();
        }
    }
    Some(sum)
}
