//! Where a piece can get from a square, found by walking its automaton.
//!
//! The engine would list every word; here the ends of the shorter ones are enough, so a limit keeps movements with very
//! many words from taking long.

use crate::automata::{Dfa, StateId};
use crate::board::{Cell, Player, Position, Square};
use crate::rules::{Landing, Rules, Seen, Symbol, Taken};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// What can happen on a square.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The piece can come to stand here, the square being empty before.
    pub quiet: bool,
    /// It can come to stand here and captures what stood here.
    pub capture: bool,
    /// What stands here can be captured on the way to another square.
    pub taken: bool,
    /// What the piece becomes here.
    pub becomes: Option<Cell>,
}

/// All that can happen in a position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    pub marks: BTreeMap<Square, Mark>,
    /// Where something that the piece sends off can end, by where the piece then stands.
    pub sent: BTreeMap<Square, BTreeSet<Square>>,
    /// The words and beginnings of words, without their directions and lengths.
    pub accepted: BTreeSet<String>,
    pub begun: BTreeSet<String>,
    /// Whether every word was walked.
    pub complete: bool,
    /// How much was walked.
    pub walked: usize,
}

/// A movement in a position, from some squares.
pub(crate) struct Walk<'a> {
    pub rules: &'a Rules,
    pub automaton: &'a Dfa<Symbol>,
    pub player: Player,
    pub position: &'a Position,
    /// What is lifted where a turn starts; nothing where a piece is dropped.
    pub lifted: Option<Cell>,
}

/// A word while it is being made.
#[derive(Clone, PartialEq, Eq, Hash)]
struct PartialWord {
    state: StateId,
    start: Square,
    cursor: Square,
    controlled: Option<Cell>,
    /// Where the lifted piece was put down.
    stands: Option<Square>,
    changed: Vec<(Square, Cell)>,
    been: Vec<Square>,
    taken: Vec<Square>,
    outline: String,
    step: (i8, i8),
    started: bool,
}

impl PartialWord {
    /// Each square is kept once, so that a word which does the same again and again comes back to where it was.
    fn change(&mut self, square: Square, cell: Cell) {
        match self.changed.iter_mut().find(|change| change.0 == square) {
            Some(change) => change.1 = cell,
            None => self.changed.push((square, cell)),
        }
    }
}

/// How much of a word's outline is kept: what comes later is more of the same.
const OUTLINE: usize = 6;

impl Walk<'_> {
    pub fn reach(&self, starts: &[Square], limit: usize) -> Reach {
        let mut reach = Reach { complete: true, ..Reach::default() };
        let mut seen = HashSet::new();
        let mut open: VecDeque<PartialWord> = starts.iter().map(|&start| self.start(start)).collect();
        while let Some(making) = open.pop_front() {
            reach.walked += 1;
            if reach.walked > limit {
                reach.complete = false;
                break;
            }
            let state = &self.automaton.states()[making.state.index()];
            if state.accepting && making.started {
                self.end(&making, &mut reach);
            }
            reach.begun.insert(making.outline.clone());
            for &(symbol, to) in &state.edges {
                if let Some(mut next) = self.step(symbol, &making) {
                    next.state = to;
                    if seen.insert(next.clone()) {
                        open.push_back(next);
                    }
                }
            }
        }
        reach
    }

    fn start(&self, start: Square) -> PartialWord {
        PartialWord {
            state: StateId(0),
            start,
            cursor: start,
            controlled: self.lifted,
            stands: None,
            changed: if self.lifted.is_some() { vec![(start, Cell::EMPTY)] } else { Vec::new() },
            been: vec![start],
            taken: Vec::new(),
            outline: String::new(),
            step: (0, 0),
            started: false,
        }
    }

    fn at(&self, making: &PartialWord, square: Square) -> Cell {
        let changed = making.changed.iter().find(|change| change.0 == square);
        changed.map_or_else(|| self.position.at(square), |change| change.1)
    }

    fn there(&self, making: &PartialWord, dx: i8, dy: i8) -> Option<Square> {
        let square = self.position.shape().step(making.cursor, dx, dy)?;
        (self.position.at(square) != Cell::HOLE).then_some(square)
    }

    fn is_seen(&self, cell: Cell, seen: Seen) -> bool {
        match seen {
            Seen::Empty => cell.is_empty(),
            Seen::Own => cell.owner() == Some(self.player),
            Seen::Enemy => cell.owner() == Some(self.player.other()),
        }
    }

    fn step(&self, symbol: Symbol, making: &PartialWord) -> Option<PartialWord> {
        let mut next = making.clone();
        let sign = match symbol {
            Symbol::Step { dx, dy, landing } => {
                let square = self.there(making, dx, dy)?;
                let found = self.at(making, square);
                let (fits, taken) = match landing {
                    Landing::On(seen) => (self.is_seen(found, seen), false),
                    Landing::Take(Taken::Own) => (self.is_seen(found, Seen::Own), true),
                    Landing::Take(Taken::Enemy) => (self.is_seen(found, Seen::Enemy), true),
                    Landing::Take(Taken::The(wanted)) => (found == wanted, true),
                };
                if !fits || making.been.contains(&square) {
                    return None;
                }
                if taken {
                    next.change(square, Cell::EMPTY);
                    if !next.taken.contains(&square) {
                        next.taken.push(square);
                    }
                    next.been.clear();
                }
                next.cursor = square;
                next.been.push(square);
                next.started = true;
                // A turn shows as a sign of its own.
                if making.step != (0, 0) && making.step != (dx, dy) {
                    outline(&mut next.outline, '/');
                }
                next.step = (dx, dy);
                match landing {
                    Landing::On(Seen::Empty) => 'e',
                    Landing::On(Seen::Own) => 'w',
                    Landing::On(Seen::Enemy) => 'p',
                    Landing::Take(_) => 'd',
                }
            }
            Symbol::Put(cell) => {
                if let Some(put_down) = next.controlled.replace(cell) {
                    next.change(making.cursor, put_down);
                    next.stands.get_or_insert(making.cursor);
                }
                next.been = vec![making.cursor];
                next.started = true;
                'a'
            }
            Symbol::Zone { number, within } => {
                let zone = self.rules.zones.get(number)?;
                if zone.contains(self.position.shape(), making.cursor) != within {
                    return None;
                }
                if within { 'z' } else { return Some(next) }
            }
            Symbol::Look { dx, dy, seen } => {
                let square = self.there(making, dx, dy)?;
                if !self.is_seen(self.at(making, square), seen) {
                    return None;
                }
                if seen == Seen::Own { 'o' } else { 'l' }
            }
        };
        outline(&mut next.outline, sign);
        Some(next)
    }

    fn end(&self, making: &PartialWord, reach: &mut Reach) {
        reach.accepted.insert(making.outline.clone());
        let at = making.stands.filter(|&square| square != making.cursor).unwrap_or(making.cursor);
        if at != making.cursor {
            reach.sent.entry(at).or_default().insert(making.cursor);
        }
        let becomes = making.stands.filter(|&square| square == making.cursor).and(making.controlled);
        let was = if at == making.start { Cell::EMPTY } else { self.position.at(at) };
        let mark = reach.marks.entry(at).or_default();
        mark.quiet |= was.is_empty();
        mark.capture |= !was.is_empty();
        mark.becomes = mark.becomes.or(becomes);
        for &square in making.taken.iter().filter(|&&square| square != at) {
            reach.marks.entry(square).or_default().taken = true;
        }
    }
}

fn outline(text: &mut String, sign: char) {
    // How far a slide goes is no matter, but one piece or two in its way is.
    let same = text.chars().rev().take_while(|&c| c == sign).count();
    if text.len() < OUTLINE && same < if sign == 'e' { 1 } else { 2 } {
        text.push(sign);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{CATALOGUE, Chance, Game, Role, catalogue_game};

    /// Where the engine says that pieces of a kind can get, and what they can take on the way.
    #[test]
    fn marks_are_where_the_engine_lets_pieces_go() {
        for (name, _) in CATALOGUE {
            let game = catalogue_game(name).unwrap();
            let mut chance = Chance::new(7);
            let mut state = game.start();
            for _ in 0..25 {
                let player = game.turn(&state);
                let (position, mut moves) = (game.board(&state), Vec::new());
                game.legal(&state, Role(player.index() as u8), &mut moves);
                if moves.is_empty() {
                    break;
                }
                let mut expected: BTreeMap<Cell, BTreeSet<Square>> = BTreeMap::new();
                for choice in &moves {
                    let (start, word) = game.word(&state, choice);
                    let effect = position.effect(player, start, &word).unwrap();
                    let changed = effect.changes().iter().map(|change| change.0);
                    expected.entry(position.at(start)).or_default().extend(changed.filter(|&square| square != start));
                    expected
                        .entry(position.at(start))
                        .or_default()
                        .extend(position.at(start).is_empty().then_some(start));
                }
                for (lifted, squares) in expected {
                    let movement = game.rules().movement(player, lifted).unwrap();
                    let automaton = game.rules().automaton(movement, player).unwrap();
                    // Zones of the catalogue's guards are those of the first player.
                    if player == Player::Second && name == "checkers" {
                        continue;
                    }
                    let walk = Walk {
                        rules: game.rules(),
                        automaton: &automaton,
                        player,
                        position: &position,
                        lifted: (!lifted.is_empty()).then_some(lifted),
                    };
                    let mut found = BTreeSet::new();
                    for start in position.shape().all().filter(|&square| position.at(square) == lifted) {
                        let reach = walk.reach(&[start], 1_000_000);
                        assert!(reach.complete);
                        found.extend(reach.marks.keys());
                        found.extend(reach.sent.values().flatten().filter(|&&square| square != start));
                    }
                    assert_eq!(found, squares, "{name} {lifted}\n{position}");
                }
                let next = chance.below(moves.len());
                game.play(&mut state, std::slice::from_ref(&moves[next]));
            }
        }
    }
}
