//! Which squares the guards of learnt rules were never tested on.
//!
//! A guard says that a part of a movement is for the squares of a zone, or for the others. A square is tested if a move that the
//! guard decides on, to allow or to refuse it, could be made there where all moves are listed, or would have been played often
//! enough where only the moves played are. On any other square the zone is no more than the shortest description.

use super::description_length::NO_ACCIDENT;
use super::evidence::{Tail, word_hash};
use super::situations::Situations;
use crate::automata::{Dfa, StateId};
use crate::board::{Cell, Player, Position, Shape, Square, Word};
use crate::budget::{Budget, StopReason};
use crate::rules::walk::{Prefix, Walk};
use crate::rules::{Engine, Movement, OpenQuestion, Rules, Symbol, Topic};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// How many beginnings of words are looked at in all: a second's work.
const WORK: usize = 2_000_000;
/// How many of them in one position, for one piece.
const WORK_OF_A_PIECE: usize = 500;
/// Situations are sorted, so that neighbours are alike; this goes through them in steps.
const STRIDES: [usize; 2] = [1_000_003, 999_983];

/// A zone that guards a movement, both by their numbers in the rules.
type Guard = (usize, usize);

/// A square on which a guard decides, as its zone names squares.
type Decision = (usize, Square);

/// A movement with guards, as one player has it.
struct Mover<'r> {
    number: usize,
    player: Player,
    movement: &'r Movement,
    automaton: Dfa<Symbol>,
    /// For each square on which a turn may start, the decisions that its words may come to, whatever stands on the board.
    reach: Vec<BTreeSet<Decision>>,
}

/// What tests a square.
#[derive(Clone, Copy)]
struct Trial {
    /// What was played, where only that is listed.
    played: Option<(Square, u32)>,
    /// How often a move would have been played.
    share: f64,
}

struct GuardTests<'r> {
    rules: &'r Rules,
    movers: Vec<Mover<'r>>,
    /// For each guard, how often moves that it decides on were to be expected, by square.
    tested: BTreeMap<Guard, Vec<f64>>,
    enough: f64,
    left: usize,
}

/// What was never tested of the guards of rules whose moves are played at least at this rate, compared with an even share.
pub(super) fn untested_guards(
    situations: &Situations,
    engine: &Engine,
    rules: &Rules,
    rate: f64,
    budget: &Budget,
) -> Result<Vec<OpenQuestion>, StopReason> {
    let Some(mut tests) = GuardTests::new(rules, rate) else { return Ok(Vec::new()) };
    let all: Vec<_> = situations.iter().collect();
    let stride = STRIDES.into_iter().find(|stride| all.len() % stride != 0).unwrap_or(1);
    let shape = situations.shape;
    for step in 0..all.len() {
        if tests.left == 0 || tests.is_done() {
            break;
        }
        budget.check()?;
        let (head, key, count) = all[step.wrapping_mul(stride) % all.len()];
        let at = |square: Square| situations.at(key, square);
        if !tests.concerns(head.turn, shape, &at) {
            continue;
        }
        let mut position = Position::empty(shape);
        shape.all().for_each(|square| position.set(square, at(square)));
        let trial = match situations.tail(key) {
            Tail::Listed(_) => Trial { played: None, share: f64::INFINITY },
            Tail::Played(Some(played)) => {
                let Ok(moves) = engine.state(&position, head.turn, 0).map(|state| engine.count(&state)) else {
                    continue;
                };
                let Ok(moves) = moves else { continue };
                Trial { played: Some(played), share: f64::from(count) / (moves + 1) as f64 }
            }
            Tail::Over(_) | Tail::Played(None) => continue,
        };
        tests.position(&position, head.turn, trial);
    }
    Ok(tests.questions())
}

impl<'r> GuardTests<'r> {
    /// Unless there are no guards.
    fn new(rules: &'r Rules, rate: f64) -> Option<GuardTests<'r>> {
        let mut movers = Vec::new();
        let mut puts: FxHashSet<Cell> = FxHashSet::default();
        for player in rules.sides() {
            for (number, movement) in rules.moves.iter().enumerate().filter(|(_, m)| m.side.is_for(player)) {
                let Ok(automaton) = rules.automaton(movement, player) else { continue };
                let edges = || automaton.states().iter().flat_map(|state| &state.edges);
                puts.extend(edges().filter_map(|edge| if let Symbol::Put(cell) = edge.0 { Some(cell) } else { None }));
                let is_guarded = edges().any(|edge| matches!(edge.0, Symbol::Zone { .. }));
                if is_guarded && rules.movement(player, movement.start_for(player)) == Some(movement) {
                    movers.push(Mover { number, player, movement, automaton, reach: Vec::new() });
                }
            }
        }
        let shape = rules.setup.shape();
        let mut tested: BTreeMap<Guard, Vec<f64>> = BTreeMap::new();
        for mover in &mut movers {
            let start = mover.movement.start_for(mover.player);
            let appears = start.is_empty() || puts.contains(&start) || !rules.setup.cells().contains(&start);
            let begins = |square: &Square| match rules.setup.at(*square) {
                Cell::HOLE => false,
                cell => appears || cell == start,
            };
            mover.reach = vec![BTreeSet::new(); shape.all().count()];
            let mut open: Vec<Square> = shape.all().filter(begins).collect();
            let mut known: FxHashSet<Square> = open.iter().copied().collect();
            while let Some(square) = open.pop() {
                let (decisions, ends) = mover.reach_from(rules, square);
                open.extend(ends.into_iter().filter(|end| known.insert(*end)));
                for &(zone, decided) in &decisions {
                    let squares = tested.entry((mover.number, zone));
                    squares.or_insert_with(|| vec![f64::INFINITY; shape.all().count()])[decided.index()] = 0.0;
                }
                mover.reach[square.index()] = decisions;
            }
        }
        (!tested.is_empty()).then_some(GuardTests { rules, movers, tested, enough: NO_ACCIDENT / rate, left: WORK })
    }

    fn is_open(&self, mover: &Mover, (zone, square): Decision) -> bool {
        self.tested.get(&(mover.number, zone)).is_some_and(|squares| squares[square.index()] < self.enough)
    }

    fn is_done(&self) -> bool {
        self.tested.values().flatten().all(|&expected| expected >= self.enough)
    }

    /// Whether a piece from this square may still test something.
    fn may_test(&self, mover: &Mover, square: Square) -> bool {
        mover.reach[square.index()].iter().any(|&decision| self.is_open(mover, decision))
    }

    fn concerns(&self, player: Player, shape: Shape, at: &dyn Fn(Square) -> Cell) -> bool {
        self.movers.iter().filter(|mover| mover.player == player).any(|mover| {
            let start = mover.movement.start_for(player);
            shape.all().any(|square| at(square) == start && self.may_test(mover, square))
        })
    }

    fn position(&mut self, position: &Position, player: Player, trial: Trial) {
        let mut found: Vec<(Guard, Square, f64)> = Vec::new();
        let mut work = 0;
        for mover in self.movers.iter().filter(|mover| mover.player == player) {
            let start = mover.movement.start_for(player);
            for square in position.shape().all().filter(|&square| position.at(square) == start) {
                if self.may_test(mover, square) {
                    work += mover.decisions(self.rules, position, square, &trial, &mut found);
                }
            }
        }
        self.left = self.left.saturating_sub(work);
        for (guard, square, expected) in found {
            if let Some(squares) = self.tested.get_mut(&guard) {
                squares[square.index()] += expected;
            }
        }
    }

    fn questions(&self) -> Vec<OpenQuestion> {
        let shape = self.rules.setup.shape();
        let mut questions = Vec::new();
        for (&(number, zone), squares) in &self.tested {
            let untested = |square: &Square| squares[square.index()] < self.enough;
            let untested: Vec<Square> = shape.all().filter(untested).collect();
            let (Some(movement), Some(zone)) = (self.rules.moves.get(number), self.rules.zones.get(zone)) else {
                continue;
            };
            if !untested.is_empty() {
                let player = if movement.side.is_for(Player::First) { Player::First } else { Player::Second };
                let hardly = untested.iter().any(|square| squares[square.index()] > 0.0) || self.left == 0;
                let which = if hardly { "hardly any move showed" } else { "no move showed" };
                let squares = super::untested::named(shape, &untested);
                let text = format!("{which} whether it goes by {} on {squares}", zone.name);
                questions.push(OpenQuestion { about: Topic::Piece(movement.start_for(player)), text });
            }
        }
        questions
    }
}

impl Mover<'_> {
    /// A square as the rules' zones have it.
    fn seen(&self, shape: Shape, square: Square) -> Square {
        if self.movement.side.turns_for(self.player) { shape.mirrored(square) } else { square }
    }

    /// What words from a square may come to, whatever stands on the board: decisions of guards, and last squares. Guards
    /// hold, so that no square is asked about that no piece ever comes to.
    fn reach_from(&self, rules: &Rules, start: Square) -> (BTreeSet<Decision>, BTreeSet<Square>) {
        let shape = rules.setup.shape();
        let (mut decisions, mut ends) = (BTreeSet::new(), BTreeSet::new());
        let mut open = vec![(StateId(0), start)];
        let mut known: FxHashSet<(StateId, Square)> = open.iter().copied().collect();
        while let Some((state, at)) = open.pop() {
            let state = &self.automaton.states()[state.index()];
            if state.accepting {
                ends.insert(at);
            }
            for &(symbol, to) in &state.edges {
                let next = match symbol {
                    Symbol::Step { dx, dy, .. } => {
                        shape.step(at, dx, dy).filter(|&square| rules.setup.at(square) != Cell::HOLE)
                    }
                    Symbol::Zone { number, within } => {
                        let seen = self.seen(shape, at);
                        decisions.insert((number, seen));
                        let allows = rules.zones.get(number).is_some_and(|zone| zone.contains(shape, seen) == within);
                        allows.then_some(at)
                    }
                    Symbol::Put(_) | Symbol::Vanish | Symbol::Look { .. } => Some(at),
                };
                open.extend(next.map(|at| (to, at)).filter(|next| known.insert(*next)));
            }
        }
        (decisions, ends)
    }

    /// The decisions of guards on which a word of this position depends: those that allow one, and those that alone are in
    /// the way of one. Returns how many beginnings of words were looked at.
    fn decisions(
        &self,
        rules: &Rules,
        position: &Position,
        start: Square,
        trial: &Trial,
        found: &mut Vec<(Guard, Square, f64)>,
    ) -> usize {
        let walk = Walk::new(rules, self.movement, &self.automaton, self.player, position);
        let shape = position.shape();
        let mut legal: BTreeSet<Word> = BTreeSet::new();
        let mut refused: Vec<(Word, Decision)> = Vec::new();
        // A word so far, the guards that allowed it, and the one that is in its way.
        let mut open: Vec<(Prefix, Word, Vec<Decision>, Option<Decision>)> =
            vec![(walk.start(start), Word::default(), Vec::new(), None)];
        let mut work = 0;
        while let Some((prefix, word, allowed, against)) = open.pop() {
            work += 1;
            if work > WORK_OF_A_PIECE {
                break;
            }
            let place = self.seen(shape, prefix.cursor);
            for (symbol, next) in walk.next(&prefix) {
                let (mut word, mut allowed) = (word.clone(), allowed.clone());
                word.0.extend(walk.micro_move(symbol, &prefix));
                if let Symbol::Zone { number, .. } = symbol {
                    allowed.push((number, place));
                }
                open.push((next, word, allowed, against));
            }
            if against.is_none() {
                for (number, next) in walk.refused_by_zones(&prefix) {
                    open.push((next, word.clone(), Vec::new(), Some((number, place))));
                }
            }
            if walk.is_word(&prefix) {
                match against {
                    Some(decision) => refused.push((word, decision)),
                    None => {
                        let is_played = trial.played.is_some_and(|played| played == (start, word_hash(&word)));
                        let share = if is_played { f64::INFINITY } else { trial.share };
                        found.extend(allowed.into_iter().map(|(zone, at)| ((self.number, zone), at, share)));
                        legal.insert(word);
                    }
                }
            }
        }
        // Unless the word is legal in another way.
        let refused = refused.into_iter().filter(|(word, _)| !legal.contains(word));
        found.extend(refused.map(|(_, (zone, at))| ((self.number, zone), at, trial.share)));
        work
    }
}
