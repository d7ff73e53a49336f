//! All that is told of one movement.

use super::drawing::{self, Drawing};
use super::english;
use super::evidence;
use super::familiar::familiar;
use super::graph::Graph;
use super::markup::dot_quoted;
use super::scene::{Scene, scenes};
use super::wording::list;
use crate::automata::Dfa;
use crate::board::{Cell, Player};
use crate::rules::{Movement, Rules, Side, Start, Symbol};

/// One movement, made ready to be told.
pub(super) struct Card<'a> {
    pub movement: &'a Movement,
    /// The piece's name, or what is dropped.
    pub name: String,
    /// Whose pieces move so: `white and black (as r)`.
    pub whose: String,
    /// The pieces, as they stand on the board.
    pub cells: Vec<Cell>,
    pub sentences: Vec<String>,
    pub familiar: Option<&'static str>,
    /// The automaton of the player by whose eyes the movement is told; `None` if it is too large to be made.
    pub automaton: Option<Dfa<Symbol>>,
    pub evidence: Vec<String>,
}

/// More states than any well-known movement has, even with a promotion.
const LARGE: usize = 100;

/// A card for each movement that some player has.
pub(super) fn cards(rules: &Rules) -> Vec<Card<'_>> {
    rules.moves.iter().filter_map(|movement| Card::new(rules, movement)).collect()
}

/// A sentence about the pieces that are on the board, or come there, and have no movement.
pub(super) fn idle(rules: &Rules) -> Option<String> {
    let pieces = rules.pieces().into_iter().filter(|piece| piece.owner().index() < rules.players.len());
    let idle: Vec<String> = pieces
        .filter(|piece| rules.movement(piece.owner(), piece.cell()).is_none())
        .map(|piece| piece.to_string())
        .collect();
    let verb = if idle.len() == 1 { "never moves" } else { "never move" };
    (!idle.is_empty()).then(|| format!("{} {verb}.", list(&idle, "and")))
}

impl<'a> Card<'a> {
    fn new(rules: &'a Rules, movement: &'a Movement) -> Option<Card<'a>> {
        // A line for one player alone stands in place of the line for both.
        let players: Vec<Player> = rules
            .sides()
            .filter(|&player| movement.side.is_for(player))
            .filter(|&player| rules.movement(player, movement.start_for(player)) == Some(movement))
            .collect();
        let first = *players.first()?;
        let name = english::name(movement);
        let called = |player: Player| {
            let who = &rules.players[player.index()];
            let cell = movement.start_for(player);
            if cell.is_empty() || cell.to_string() == name { who.clone() } else { format!("{who} (as {cell})") }
        };
        let whose = match (&players[..], rules.players.len()) {
            (_, 1) => String::new(),
            (&[only], _) if movement.start == Start::Empty => format!("by {}", rules.players[only.index()]),
            (players, _) => list(&players.iter().map(|&player| called(player)).collect::<Vec<_>>(), "and"),
        };
        let view = match movement.side {
            Side::Both => Player::First,
            Side::Only(_) => first,
        };
        let automaton = rules.automaton(movement, view).ok();
        let cells = players.iter().map(|&player| movement.start_for(player)).filter(|cell| !cell.is_empty()).collect();
        Some(Card {
            movement,
            name,
            whose,
            cells,
            sentences: english::sentences(rules, movement),
            // Large automata take long to make, and nothing familiar is large.
            familiar: automaton
                .as_ref()
                .filter(|found| found.states().len() <= LARGE)
                .and_then(|_| familiar(rules, movement)),
            automaton,
            evidence: evidence::of_movement(rules, movement),
        })
    }

    /// The title of the automaton's drawing.
    pub fn title(&self, rules: &Rules) -> String {
        let whose = if self.whose.is_empty() { String::new() } else { format!(", {}", self.whose) };
        format!("{}: {}{whose}", rules.name, self.name)
    }

    pub fn graph(&self, rules: &Rules) -> Option<Graph> {
        self.automaton.as_ref().map(|automaton| Graph::new(rules, automaton))
    }

    pub fn dot(&self, rules: &Rules) -> String {
        let title = self.title(rules);
        match self.graph(rules) {
            Some(graph) => graph.dot(&title),
            None => format!("digraph {} {{\n  label=\"too large\";\n}}\n", dot_quoted(&title)),
        }
    }

    /// The automaton drawn, or a sentence that says why it is not.
    pub fn drawing(&self, rules: &Rules) -> Result<Drawing, String> {
        let graph = self.graph(rules).ok_or("The automaton is too large to be made.")?;
        drawing::automaton(&graph)
            .ok_or_else(|| format!("The automaton has {} states, too many to draw.", graph.accepting.len()))
    }

    pub fn scenes(&self, rules: &Rules) -> Vec<Scene> {
        self.automaton.as_ref().map(|automaton| scenes(rules, self.movement, automaton)).unwrap_or_default()
    }

    /// What there is to know before a scene is looked at.
    pub fn caption(&self, rules: &Rules, scene: &Scene) -> String {
        let shape = rules.setup.shape();
        let mut text = match (scene.helped, scene.start) {
            (false, Some(_)) => "On an empty board.".to_owned(),
            (true, Some(_)) => "With other pieces near.".to_owned(),
            (false, None) => "On an empty board.".to_owned(),
            (true, None) => "With pieces on the board.".to_owned(),
        };
        let symbols = || self.automaton.iter().flat_map(|dfa| dfa.states()).flat_map(|state| &state.edges);
        if let Some(start) = scene.start
            && symbols().any(|edge| matches!(edge.0, Symbol::Zone { .. }))
        {
            text.push_str(&format!(" What it may do depends on where it is, here on {}.", shape.name(start)));
        }
        if !scene.reach.complete {
            text.push_str(" Only its shorter moves are shown.");
        }
        text
    }
}
