//! Where a piece can get from a square, found by walking its automaton.
//!
//! The engine would list every word; here the ends of the shorter ones are enough, so a limit keeps movements with very
//! many words from taking long.

use crate::board::{Cell, Position, Square};
use crate::rules::walk::{Prefix, Walk};
use crate::rules::{Landing, Seen, Symbol};
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

/// A word while it is being made.
#[derive(Clone, PartialEq, Eq, Hash)]
struct PartialWord {
    prefix: Prefix,
    /// Where the lifted piece was put down.
    stands: Option<Square>,
    taken: Vec<Square>,
    outline: String,
    step: (i8, i8),
}

/// How much of a word's outline is kept: what comes later is more of the same.
const OUTLINE: usize = 6;

/// What a movement can do in a position, from some squares; at most `limit` beginnings of words are looked at.
pub(crate) fn reach(walk: &Walk, position: &Position, starts: &[Square], limit: usize) -> Reach {
    let mut reach = Reach { complete: true, ..Reach::default() };
    let mut seen = HashSet::new();
    let mut open: VecDeque<PartialWord> = starts.iter().map(|&start| PartialWord::new(walk.start(start))).collect();
    while let Some(word) = open.pop_front() {
        reach.walked += 1;
        if reach.walked > limit {
            reach.complete = false;
            break;
        }
        if walk.is_word(&word.prefix) {
            reach.add(&word, position);
        }
        reach.begun.insert(word.outline.clone());
        for (symbol, prefix) in walk.next(&word.prefix) {
            let next = word.then(symbol, prefix);
            if seen.insert(next.clone()) {
                open.push_back(next);
            }
        }
    }
    reach
}

impl PartialWord {
    fn new(prefix: Prefix) -> PartialWord {
        PartialWord { prefix, stands: None, taken: Vec::new(), outline: String::new(), step: (0, 0) }
    }

    fn then(&self, symbol: Symbol, prefix: Prefix) -> PartialWord {
        let mut next = PartialWord { prefix, ..self.clone() };
        let cursor = next.prefix.cursor;
        let sign = match symbol {
            Symbol::Step { dx, dy, landing } => {
                if matches!(landing, Landing::Take(_)) && !next.taken.contains(&cursor) {
                    next.taken.push(cursor);
                }
                // A turn shows as a sign of its own.
                if self.step != (0, 0) && self.step != (dx, dy) {
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
            Symbol::Put(_) => {
                if self.prefix.controlled.is_some() {
                    next.stands.get_or_insert(cursor);
                }
                'a'
            }
            Symbol::Vanish => 'v',
            Symbol::Zone { within: true, .. } => 'z',
            Symbol::Zone { within: false, .. } => return next,
            Symbol::Look { seen: Seen::Own, .. } => 'o',
            Symbol::Look { .. } => 'l',
        };
        outline(&mut next.outline, sign);
        next
    }
}

impl Reach {
    fn add(&mut self, word: &PartialWord, position: &Position) {
        let cursor = word.prefix.cursor;
        self.accepted.insert(word.outline.clone());
        let at = word.stands.filter(|&square| square != cursor).unwrap_or(cursor);
        if at != cursor {
            self.sent.entry(at).or_default().insert(cursor);
        }
        let becomes = word.stands.filter(|&square| square == cursor).and(word.prefix.controlled);
        let was = if at == word.prefix.start { Cell::EMPTY } else { position.at(at) };
        let mark = self.marks.entry(at).or_default();
        mark.quiet |= was.is_empty();
        mark.capture |= !was.is_empty();
        mark.becomes = mark.becomes.or(becomes);
        for &square in word.taken.iter().filter(|&&square| square != at) {
            self.marks.entry(square).or_default().taken = true;
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
                    let walk = Walk::new(game.rules(), movement, &automaton, player, &position);
                    let mut found = BTreeSet::new();
                    for start in position.shape().all().filter(|&square| position.at(square) == lifted) {
                        let reach = reach(&walk, &position, &[start], 1_000_000);
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
