//! After which beginnings of moves it was never tested that a piece may not go on.
//!
//! A movement that ends after two steps says that the third is not allowed. That is known if the third step could be made
//! where all moves are listed, or would have been played often enough where only the moves played are. Only ways straight
//! on, and ways that the movement goes on by if it finds something else there, are asked about: whatever else a piece
//! might do is without end. First steps are for `untested.rs`, and what zones decide for `guard_tests.rs`.

use super::evidence::Tail;
use super::situations::Situations;
use crate::automata::Dfa;
use crate::board::{Cell, Content, MicroMove, Player, Position, Word};
use crate::budget::{Budget, StopReason};
use crate::rules::walk::{Prefix, Walk};
use crate::rules::{Engine, Landing, Movement, OpenQuestion, Rules, Seen, Symbol, Taken, Topic};
use std::collections::{BTreeMap, BTreeSet};

/// How many beginnings of words are looked at in all: half a second's work.
const WORK: usize = 1_000_000;
/// How many of them in one position, for one piece.
const WORK_OF_A_PIECE: usize = 200;
/// Situations are sorted, so that neighbours are alike; this goes through them in steps.
const STRIDES: [usize; 2] = [1_000_003, 999_983];
/// What would have been played so often, in nats, and never was is hardly legal.
const DOUBT: f64 = 4.0;
/// More beginnings of one movement are not asked about one by one.
const MOST: usize = 200;
/// So many are told.
const TOLD: usize = 3;

/// One step more than a movement allows.
struct Refusal {
    way: (i8, i8),
    seen: Seen,
    /// The word that it would begin, as the movement's first player has it.
    word: Word,
    /// How often it would have been played.
    expected: f64,
}

/// A movement as one player has it, with what has not been tested yet.
struct Mover<'r> {
    player: Player,
    movement: &'r Movement,
    automaton: Dfa<Symbol>,
    /// What each state refuses and nothing has tested yet.
    open: Vec<Vec<Refusal>>,
}

/// What was never tested of the movements of rules whose moves are played at least at this rate, compared with an even
/// share.
pub(super) fn untested_steps(
    situations: &Situations,
    engine: &Engine,
    rules: &Rules,
    rate: f64,
    budget: &Budget,
) -> Result<Vec<OpenQuestion>, StopReason> {
    let mut movers: Vec<Mover> = Vec::new();
    for player in rules.sides() {
        for movement in rules.moves.iter().filter(|movement| movement.side.is_for(player)) {
            let start = movement.start_for(player);
            let Ok(automaton) = rules.automaton(movement, player) else { continue };
            if !start.is_empty() && rules.movement(player, start) == Some(movement) {
                movers.push(Mover::new(player, movement, automaton));
            }
        }
    }
    let names: Vec<(Cell, Word)> = movers.iter().flat_map(Mover::asked).collect();
    let all: Vec<_> = situations.iter().collect();
    let stride = STRIDES.into_iter().find(|stride| all.len() % stride != 0).unwrap_or(1);
    let shape = situations.shape;
    let mut left = WORK;
    for step in 0..all.len() {
        if left == 0 || movers.iter().all(|mover| mover.is_done()) {
            break;
        }
        budget.check()?;
        let (head, key, count) = all[step.wrapping_mul(stride) % all.len()];
        let is_here = |mover: &Mover| {
            let start = mover.movement.start_for(mover.player);
            mover.player == head.turn && !mover.is_done() && shape.all().any(|at| situations.at(key, at) == start)
        };
        if !movers.iter().any(is_here) {
            continue;
        }
        let mut position = Position::empty(shape);
        shape.all().for_each(|square| position.set(square, situations.at(key, square)));
        let share = match situations.tail(key) {
            Tail::Listed(_) => f64::INFINITY,
            Tail::Played(Some(_)) => {
                let Ok(moves) = engine.state(&position, head.turn, 0).map(|state| engine.count(&state)) else {
                    continue;
                };
                let Ok(moves) = moves else { continue };
                f64::from(count) / (moves + 1) as f64
            }
            Tail::Over(_) | Tail::Played(None) => continue,
        };
        for mover in movers.iter_mut().filter(|mover| mover.player == head.turn && !mover.is_done()) {
            left = left.saturating_sub(mover.position(rules, &position, share, DOUBT / rate));
        }
    }
    // Of movements that both players share, what one of them has tested is tested.
    let mut open: BTreeMap<(Cell, Word), Vec<f64>> = BTreeMap::new();
    for mover in &movers {
        for refusal in mover.open.iter().flatten() {
            open.entry((mover.name(), refusal.word.clone())).or_default().push(refusal.expected);
        }
    }
    let enough = DOUBT / rate;
    let asked = |(cell, word): &(Cell, Word)| names.iter().filter(|other| (&other.0, &other.1) == (cell, word)).count();
    open.retain(|key, expected| asked(key) == expected.len() && expected.iter().sum::<f64>() < enough);
    let mut by_piece: BTreeMap<Cell, Vec<(Word, bool)>> = BTreeMap::new();
    for ((cell, word), expected) in open {
        by_piece.entry(cell).or_default().push((word, expected.iter().any(|expected| *expected > 0.0)));
    }
    let question = |(cell, mut words): (Cell, Vec<(Word, bool)>)| {
        words.sort_by_key(|(word, _)| word.0.len());
        let told: Vec<String> = words.iter().take(TOLD).map(|(word, _)| word.to_string()).collect();
        let more = words.len().saturating_sub(TOLD);
        let which = if words.iter().any(|word| word.1) || left == 0 { "hardly any move" } else { "no move" };
        let more = if more > 0 { format!(", or {more} others") } else { String::new() };
        let text = format!("{which} showed whether it may go on: {}{more}", told.join(", "));
        OpenQuestion { about: Topic::Piece(cell), text }
    };
    Ok(by_piece.into_iter().map(question).collect())
}

impl<'r> Mover<'r> {
    fn new(player: Player, movement: &'r Movement, automaton: Dfa<Symbol>) -> Mover<'r> {
        let mut mover = Mover { player, movement, automaton, open: Vec::new() };
        let states = mover.automaton.states();
        let mut open: Vec<Vec<Refusal>> = states.iter().map(|_| Vec::new()).collect();
        let is_guarded = |state: usize| states[state].edges.iter().any(|edge| edge.0.is_guard());
        // Where other words go on after a guard, one that is refused here may be legal there.
        let mut after_guard: BTreeSet<usize> = BTreeSet::new();
        for state in states {
            after_guard.extend(state.edges.iter().filter(|edge| edge.0.is_guard()).map(|edge| edge.1.index()));
        }
        for (number, begun) in mover.beginnings().into_iter().enumerate().skip(1) {
            let Some(begun) = begun.filter(|_| !is_guarded(number) && !after_guard.contains(&number)) else { continue };
            let Some(last) = begun.0.last() else { continue };
            let known: BTreeSet<((i8, i8), Seen)> =
                states[number].edges.iter().filter_map(|edge| seen_by(edge.0)).collect();
            let mut ways: BTreeSet<(i8, i8)> = known.iter().map(|edge| edge.0).collect();
            if (last.dx, last.dy) != (0, 0) {
                ways.insert(mover.own((last.dx, last.dy)));
            }
            for way in ways {
                for seen in [Seen::Empty, Seen::Own, Seen::Enemy] {
                    if !known.contains(&(way, seen)) {
                        let mut word = begun.clone();
                        let (dx, dy) = mover.own(way);
                        let content = match seen {
                            Seen::Empty => Content::Empty,
                            Seen::Own => Content::Own,
                            Seen::Enemy => Content::Opponent,
                        };
                        word.0.push(MicroMove { dx, dy, content });
                        open[number].push(Refusal { way, seen, word, expected: 0.0 });
                    }
                }
            }
        }
        if open.iter().map(Vec::len).sum::<usize>() <= MOST {
            mover.open = open;
        }
        mover
    }

    fn is_done(&self) -> bool {
        self.open.iter().all(Vec::is_empty)
    }

    fn turns(&self) -> bool {
        self.movement.side.turns_for(self.player)
    }

    /// A step as the movement's first player has it, and the other way round.
    fn own(&self, (dx, dy): (i8, i8)) -> (i8, i8) {
        (dx, if self.turns() { -dy } else { dy })
    }

    /// The piece as the movement's first player has it.
    fn name(&self) -> Cell {
        let start = self.movement.start_for(self.player);
        if self.turns() { start.turned() } else { start }
    }

    fn asked(&self) -> Vec<(Cell, Word)> {
        self.open.iter().flatten().map(|refusal| (self.name(), refusal.word.clone())).collect()
    }

    /// For each state the shortest beginning of a word that leads to it, of several the first, as the movement's first
    /// player has it.
    fn beginnings(&self) -> Vec<Option<Word>> {
        let states = self.automaton.states();
        let mut found: Vec<Option<Word>> = vec![None; states.len()];
        let mut layer: BTreeMap<usize, Word> = BTreeMap::from([(0, Word::default())]);
        while !layer.is_empty() {
            let mut next: BTreeMap<usize, Word> = BTreeMap::new();
            for (state, word) in layer {
                if found[state].is_some() {
                    continue;
                }
                for &(symbol, to) in &states[state].edges {
                    let mut longer = word.clone();
                    longer.0.extend(self.letter(symbol));
                    let known = next.entry(to.index()).or_insert_with(|| longer.clone());
                    if longer < *known {
                        *known = longer;
                    }
                }
                found[state] = Some(word);
            }
            layer = next;
        }
        found
    }

    fn letter(&self, symbol: Symbol) -> Option<MicroMove> {
        let (dx, dy, content) = match symbol {
            Symbol::Step { dx, dy, landing } => {
                let content = match landing {
                    Landing::On(Seen::Empty) => Content::Empty,
                    Landing::On(Seen::Own) => Content::Own,
                    Landing::On(Seen::Enemy) => Content::Opponent,
                    Landing::Take(_) => Content::Remove(None),
                };
                let (dx, dy) = self.own((dx, dy));
                (dx, dy, content)
            }
            Symbol::Put(cell) => (0, 0, Content::Add(Some(if self.turns() { cell.turned() } else { cell }))),
            Symbol::Vanish => (0, 0, Content::Remove(None)),
            Symbol::Zone { .. } | Symbol::Look { .. } => return None,
        };
        Some(MicroMove { dx, dy, content })
    }

    /// Notes what a position tests, and returns how many beginnings of words were looked at.
    fn position(&mut self, rules: &Rules, position: &Position, share: f64, enough: f64) -> usize {
        let start = self.movement.start_for(self.player);
        let walk = Walk::new(rules, self.movement, &self.automaton, self.player, position);
        let mut work = 0;
        let starts = position.shape().all().filter(|&at| position.at(at) == start);
        for square in starts {
            let mut here = 0;
            let mut beginnings: Vec<Prefix> = vec![walk.start(square)];
            while let Some(prefix) = beginnings.pop() {
                here += 1;
                if here > WORK_OF_A_PIECE {
                    break;
                }
                for refusal in &mut self.open[prefix.state.index()] {
                    if walk.ahead(&prefix, refusal.way.0, refusal.way.1) == Some(refusal.seen) {
                        refusal.expected += share;
                    }
                }
                beginnings.extend(walk.next(&prefix).map(|(_, next)| next));
            }
            work += here;
        }
        self.open.iter_mut().for_each(|state| state.retain(|refusal| refusal.expected < enough));
        work
    }
}

fn seen_by(symbol: Symbol) -> Option<((i8, i8), Seen)> {
    match symbol {
        Symbol::Step { dx, dy, landing } => {
            let seen = match landing {
                Landing::On(seen) => seen,
                Landing::Take(Taken::Own) => Seen::Own,
                Landing::Take(_) => Seen::Enemy,
            };
            Some(((dx, dy), seen))
        }
        _ => None,
    }
}
