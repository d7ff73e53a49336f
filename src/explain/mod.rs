//! Rules for people: English, diagrams, automata, and what the rules were learnt from.
//!
//! In come [`Rules`], learnt or written by hand, without flaws; out goes an [`Explanation`] that can be had as plain
//! text, as a page of HTML that needs nothing else, and as drawings of the automata in SVG or in Graphviz' language.
//! Read [`Explanation`] first. English comes from the movements' expressions (`english.rs`, on top of `way.rs` and
//! `path.rs`), drawings from their automata (`graph.rs`, `layout.rs`, `drawing.rs`), diagrams from walking them
//! (`reach.rs`, `scene.rs`, `diagram.rs`).
//!
//! ```
//! use onlooker::explain::Explanation;
//! use onlooker::game::catalogue_game;
//!
//! let game = catalogue_game("chess-breakthrough").unwrap();
//! let text = Explanation::new(game.rules()).text();
//! assert!(text.contains("The R slides any number of empty squares orthogonally"));
//! assert!(text.contains("It moves like a chess rook."));
//! ```

mod card;
mod diagram;
mod direction;
mod drawing;
mod ending;
mod english;
mod evidence;
mod familiar;
mod forms;
mod gdl;
mod gdl_words;
mod graph;
mod html;
mod kif;
mod layout;
mod machine;
mod machines;
mod markup;
mod path;
mod pddl;
mod planning;
mod reach;
mod scene;
mod sheet;
mod text;
mod turn_nodes;
mod way;
mod wording;

use crate::locm::Model;
use crate::rules::Rules;
use card::Card;

pub use ending::ending_sentence;
pub use english::sentences;
pub use evidence::origin;
pub use familiar::familiar;
pub use forms::FormProblem;
pub use gdl::{ExportError, gdl};
pub use pddl::{Planning, pddl};

/// Rules made ready to be told.
pub struct Explanation<'a> {
    rules: &'a Rules,
    cards: Vec<Card<'a>>,
}

impl<'a> Explanation<'a> {
    /// Takes rules apart. The same rules always give the same explanation.
    pub fn new(rules: &'a Rules) -> Explanation<'a> {
        Explanation { rules, cards: card::cards(rules) }
    }

    /// Plain text for a terminal, at most 100 columns wide unless a word is longer.
    pub fn text(&self) -> String {
        text::text(self.rules, &self.cards)
    }

    /// One page that needs no other file and no network.
    pub fn html(&self) -> String {
        html::html(self.rules, &self.cards)
    }

    /// The automata of all movements as one drawing.
    pub fn svg(&self) -> String {
        sheet::svg(self.rules, &self.cards)
    }

    /// The automata of all movements in the language of Graphviz, one graph after another.
    pub fn dot(&self) -> String {
        self.cards.iter().map(|card| card.dot(self.rules)).collect::<Vec<_>>().join("\n")
    }
}

/// A planning model as plain text: its sorts, its machines, and what was left out and never seen.
pub fn model_text(model: &Model) -> String {
    planning::text(model)
}

/// The machines of a planning model as one drawing.
pub fn model_svg(model: &Model) -> String {
    machines::svg(model)
}

/// The machines of a planning model in the language of Graphviz, one graph after another.
pub fn model_dot(model: &Model) -> String {
    machines::dot(model)
}

#[cfg(test)]
#[path = "explanation_tests.rs"]
mod tests;
