//! What movements and automata are called in titles.

use crate::automata::Dfa;
use crate::board::{Cell, Player};
use crate::rules::{Atom, Movement, Rules, Side, Start, Symbol};

/// One movement that some player has, with its names and its automaton.
pub(crate) struct NamedMovement<'a> {
    pub movement: &'a Movement,
    /// The piece's name, or what is dropped.
    pub name: String,
    /// Whose pieces move so: `white and black (as r)`.
    pub whose: String,
    /// The pieces, as they stand on the board.
    pub cells: Vec<Cell>,
    /// The automaton of the player from whose side the movement is described; `None` if it would be too large.
    pub automaton: Option<Dfa<Symbol>>,
}

/// The movements that some player has, in the order of the rules.
pub(crate) fn named_movements(rules: &Rules) -> Vec<NamedMovement<'_>> {
    rules.moves.iter().filter_map(|movement| NamedMovement::new(rules, movement)).collect()
}

impl<'a> NamedMovement<'a> {
    fn new(rules: &'a Rules, movement: &'a Movement) -> Option<NamedMovement<'a>> {
        // A line for one player alone stands in place of the line for both.
        let players: Vec<Player> = rules
            .sides()
            .filter(|&player| movement.side.is_for(player))
            .filter(|&player| rules.movement(player, movement.start_for(player)) == Some(movement))
            .collect();
        let first = *players.first()?;
        let name = name(movement);
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
        Some(NamedMovement { movement, name, whose, cells, automaton })
    }

    /// The title of the automaton's drawing.
    pub fn title(&self, rules: &Rules) -> String {
        let whose = if self.whose.is_empty() { String::new() } else { format!(", {}", self.whose) };
        format!("{}: {}{whose}", rules.name, self.name)
    }
}

/// How a movement's piece is called: `the R`, or `dropping an X`.
fn name(movement: &Movement) -> String {
    match movement.start {
        Start::Piece(piece) => piece.to_string(),
        Start::Empty => {
            let mut dropped = Vec::new();
            movement.words.letters(&mut |atom| {
                if let Atom::Put(cell) = atom {
                    let name = with_article(&cell.to_string());
                    if !dropped.contains(&name) {
                        dropped.push(name);
                    }
                }
            });
            if dropped.is_empty() { "Dropping".to_owned() } else { format!("Dropping {}", list(&dropped, "or")) }
        }
    }
}

/// The words joined by commas, and the last two by another word: `a, b or c`.
pub(crate) fn list(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// The name with its article: `a P`, `an N`, since single letters are read out.
pub(crate) fn with_article(name: &str) -> String {
    let letters: Vec<char> = name.chars().filter(|c| c.is_alphabetic()).collect();
    let vowel = match letters[..] {
        [letter] => "AEFHILMNORSX".contains(letter.to_ascii_uppercase()),
        [first, ..] => "AEIOU".contains(first.to_ascii_uppercase()),
        [] => false,
    };
    format!("{} {name}", if vowel { "an" } else { "a" })
}
