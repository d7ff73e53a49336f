//! An automaton walked over a position, one square and one word at a time.
//!
//! This is the plain reading of a movement: `generate.rs` gives the same words for all pieces at once, and is compared
//! with it. Those who ask for more than the words (diagrams, for instance) walk here.

use super::{Landing, Movement, Rules, Seen, Symbol, Taken};
use crate::automata::{Dfa, StateId};
use crate::board::{Cell, Content, MicroMove, Player, Position, Square, Trace, Word};
use std::collections::BTreeSet;

impl Rules {
    /// The words that a player's pieces can make in a position, each with the square it starts on, by the plain reading
    /// of the movements; `None` if there are more than `limit` beginnings of words, or a movement is too large.
    ///
    /// This is the reference for [`Engine`](super::Engine), which gives the same words much faster.
    ///
    /// ```
    /// use onlooker::board::Player;
    /// use onlooker::game::catalogue_game;
    ///
    /// let game = catalogue_game("breakthrough").unwrap();
    /// let rules = game.rules();
    /// assert_eq!(rules.words(Player::First, &rules.setup, 1000).unwrap().len(), 22);
    /// ```
    pub fn words(&self, player: Player, position: &Position, limit: usize) -> Option<BTreeSet<(Square, Word)>> {
        let mut words = BTreeSet::new();
        let mut left = limit;
        for movement in self.moves.iter().filter(|movement| movement.side.is_for(player)) {
            let start = movement.start_for(player);
            if self.movement(player, start) != Some(movement) {
                continue;
            }
            let automaton = self.automaton(movement, player).ok()?;
            let walk = Walk::new(self, movement, &automaton, player, position);
            let starts = position.shape().all().filter(|&square| position.at(square) == start);
            let mut open: Vec<(Prefix, Word)> = starts.map(|square| (walk.start(square), Word::default())).collect();
            while let Some((prefix, word)) = open.pop() {
                left = left.checked_sub(1)?;
                for (symbol, next) in walk.next(&prefix) {
                    let mut longer = word.clone();
                    longer.0.extend(walk.micro_move(symbol, &prefix));
                    open.push((next, longer));
                }
                if walk.is_word(&prefix) {
                    words.insert((prefix.start, word));
                }
            }
        }
        Some(words)
    }
}

/// A movement in a position.
pub(crate) struct Walk<'a> {
    rules: &'a Rules,
    automaton: &'a Dfa<Symbol>,
    player: Player,
    /// Whether zones are those of the other player, mirrored.
    turned: bool,
    position: &'a Position,
    /// What is lifted where a turn starts; nothing where a piece is dropped.
    lifted: Option<Cell>,
}

/// The beginning of a word.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Prefix {
    pub state: StateId,
    pub start: Square,
    pub cursor: Square,
    /// The piece in the player's hand; none before a drop has begun.
    pub controlled: Option<Cell>,
    pub trace: Trace<Cell>,
    /// Whether there is a letter yet: guards alone are no word.
    pub begun: bool,
}

impl<'a> Walk<'a> {
    /// The turns of a player by a movement of the rules, which has this automaton for the player.
    pub fn new(
        rules: &'a Rules,
        movement: &Movement,
        automaton: &'a Dfa<Symbol>,
        player: Player,
        position: &'a Position,
    ) -> Walk<'a> {
        let lifted = Some(movement.start_for(player)).filter(|cell| !cell.is_empty());
        Walk { rules, automaton, player, turned: movement.side.turns_for(player), position, lifted }
    }

    /// The empty word from a square.
    pub fn start(&self, start: Square) -> Prefix {
        let trace = if self.lifted.is_some() { Trace::lifting(Cell::EMPTY) } else { Trace::dropping() };
        Prefix { state: StateId(0), start, cursor: start, controlled: self.lifted, trace, begun: false }
    }

    /// Whether a prefix is a word.
    pub fn is_word(&self, prefix: &Prefix) -> bool {
        prefix.begun && self.automaton.states()[prefix.state.index()].accepting
    }

    /// The symbols with which a prefix goes on, each with what it becomes.
    pub fn next<'p>(&'p self, prefix: &'p Prefix) -> impl Iterator<Item = (Symbol, Prefix)> + 'p {
        let edges = &self.automaton.states()[prefix.state.index()].edges;
        edges.iter().filter_map(|&(symbol, to)| {
            let next = self.step(symbol, prefix)?;
            Some((symbol, Prefix { state: to, ..next }))
        })
    }

    /// The zones that stop a prefix, by their numbers, each with what it would become otherwise.
    pub fn refused_by_zones<'p>(&'p self, prefix: &'p Prefix) -> impl Iterator<Item = (usize, Prefix)> + 'p {
        let edges = &self.automaton.states()[prefix.state.index()].edges;
        edges.iter().filter_map(|&(symbol, to)| match symbol {
            Symbol::Zone { number, .. } if !prefix.trace.has_ended() && self.step(symbol, prefix).is_none() => {
                Some((number, Prefix { state: to, ..prefix.clone() }))
            }
            _ => None,
        })
    }

    /// What a prefix finds at a distance where it may go as far as the board is concerned.
    pub fn ahead(&self, prefix: &Prefix, dx: i8, dy: i8) -> Option<Seen> {
        if prefix.trace.has_ended() || !prefix.trace.clone().step(dx, dy, None) {
            return None;
        }
        let (_, found) = self.beside(prefix, dx, dy)?;
        [Seen::Empty, Seen::Own, Seen::Enemy].into_iter().find(|seen| seen.is(found, self.player))
    }

    fn step(&self, symbol: Symbol, prefix: &Prefix) -> Option<Prefix> {
        if prefix.trace.has_ended() {
            return None;
        }
        let mut next = prefix.clone();
        match symbol {
            Symbol::Step { dx, dy, landing } => {
                let (square, found) = self.beside(prefix, dx, dy)?;
                let fits = match landing {
                    Landing::On(seen) => seen.is(found, self.player),
                    Landing::Take(Taken::Own) => Seen::Own.is(found, self.player),
                    Landing::Take(Taken::Enemy) => Seen::Enemy.is(found, self.player),
                    Landing::Take(Taken::The(wanted)) => found == wanted,
                };
                let taken = matches!(landing, Landing::Take(_)).then_some(Cell::EMPTY);
                if !fits || !next.trace.step(dx, dy, taken) {
                    return None;
                }
                next.cursor = square;
                next.begun = true;
            }
            Symbol::Put(cell) => {
                if !next.trace.put(cell, prefix.controlled) {
                    return None;
                }
                next.controlled = Some(cell);
                next.begun = true;
            }
            Symbol::Vanish => {
                if !next.trace.vanish() {
                    return None;
                }
                next.controlled = None;
                next.begun = true;
            }
            Symbol::Zone { number, within } => {
                let shape = self.position.shape();
                let seen = if self.turned { shape.mirrored(prefix.cursor) } else { prefix.cursor };
                if self.rules.zones.get(number)?.contains(shape, seen) != within {
                    return None;
                }
            }
            Symbol::Look { dx, dy, seen } => {
                if !seen.is(self.beside(prefix, dx, dy)?.1, self.player) {
                    return None;
                }
            }
        }
        Some(next)
    }

    /// A square at a distance from the cursor, unless it is none of the board, with what it holds now.
    fn beside(&self, prefix: &Prefix, dx: i8, dy: i8) -> Option<(Square, Cell)> {
        let square = self.position.shape().step(prefix.cursor, dx, dy)?;
        let found = self.position.at(square);
        let changed = prefix.trace.changed(prefix.trace.beside(dx, dy));
        (found != Cell::HOLE).then_some((square, changed.unwrap_or(found)))
    }

    /// The letter that a symbol writes when a prefix goes on with it; guards write none.
    pub fn micro_move(&self, symbol: Symbol, prefix: &Prefix) -> Option<MicroMove> {
        let (dx, dy, content) = match symbol {
            Symbol::Step { dx, dy, landing } => {
                let content = match landing {
                    Landing::On(Seen::Empty) => Content::Empty,
                    Landing::On(Seen::Own) => Content::Own,
                    Landing::On(Seen::Enemy) => Content::Opponent,
                    Landing::Take(_) => Content::Remove(Some(self.beside(prefix, dx, dy)?.1)),
                };
                (dx, dy, content)
            }
            Symbol::Put(cell) => (0, 0, Content::Add(Some(cell))),
            Symbol::Vanish => (0, 0, Content::Remove(prefix.controlled)),
            Symbol::Zone { .. } | Symbol::Look { .. } => return None,
        };
        Some(MicroMove { dx, dy, content })
    }
}
