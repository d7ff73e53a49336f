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

mod concepts;
mod curves;
mod english;
mod html;
mod picture;
mod piece_section;
mod planning;
mod text;

use crate::board::Position;
use crate::locm::Model;
use crate::rules::Rules;
use picture::diagram::Diagram;
use picture::scene::Scene;
use piece_section::{PieceSection, piece_sections};

pub use concepts::{ConceptPage, concept_words};
pub use curves::{Curve, CurvePlot};
pub use english::ending::ending_sentence;
pub use english::evidence::origin;
pub use english::familiar::familiar;
pub use english::sentences::sentences;

/// Rules made ready to be told.
pub struct Explanation<'a> {
    rules: &'a Rules,
    sections: Vec<PieceSection<'a>>,
}

impl<'a> Explanation<'a> {
    /// Takes rules apart. The same rules always give the same explanation.
    pub fn new(rules: &'a Rules) -> Explanation<'a> {
        Explanation { rules, sections: piece_sections(rules) }
    }

    /// Plain text for a terminal, at most 100 columns wide unless a word is longer.
    pub fn text(&self) -> String {
        text::text(self.rules, &self.sections)
    }

    /// One page that needs no other file and no network.
    pub fn html(&self) -> String {
        html::html(self.rules, &self.sections)
    }

    /// One movement of the rules, by its number: nothing if no player has it.
    pub fn movement(&self, number: usize) -> Option<MovementPicture> {
        let movement = self.rules.moves.get(number)?;
        let section = self.sections.iter().find(|section| std::ptr::eq(section.named.movement, movement))?;
        let scenes = section.scenes(self.rules);
        let board = |scene: &Scene| (section.caption(self.rules, scene), Diagram::of_scene(scene).svg());
        Some(MovementPicture {
            title: section.named.title(self.rules),
            sentences: section.sentences.clone(),
            boards: scenes.iter().map(board).collect(),
        })
    }

    /// The automata of all movements as one drawing.
    pub fn svg(&self) -> String {
        picture::automata_page::svg(self.rules, &self.sections)
    }

    /// The automaton of each movement as a drawing of its own, in the order of the rules; without those that are too large to be
    /// made, as in [`movement_graphs`](crate::export::movement_graphs).
    pub fn automaton_svgs(&self) -> Vec<String> {
        let made = self.sections.iter().filter(|section| section.named.automaton.is_some());
        made.map(|section| picture::automata_page::svg(self.rules, std::slice::from_ref(section))).collect()
    }
}

/// What there is to show of one movement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovementPicture {
    /// The game, the piece and whose it is.
    pub title: String,
    /// What it does, in English.
    pub sentences: Vec<String>,
    /// Boards with what it does there, each as a sentence and a drawing that stands alone.
    pub boards: Vec<(String, String)>,
}

/// A position as a drawing that stands alone, in the colours of the reader's light or dark theme.
///
/// ```
/// use onlooker::board::Position;
/// use onlooker::explain::position_svg;
///
/// let position = Position::from_rows(["..x", ".o.", "X.."]).unwrap();
/// assert!(position_svg(&position).starts_with("<svg"));
/// ```
pub fn position_svg(position: &Position) -> String {
    Diagram::new(position).svg()
}

/// A planning model as plain text: its sorts, its machines, and what was left out and never seen.
pub fn model_text(model: &Model) -> String {
    planning::text(model)
}

/// The machines of a planning model as one drawing.
pub fn model_svg(model: &Model) -> String {
    picture::locm_graph::svg(model)
}

#[cfg(test)]
#[path = "explanation_tests.rs"]
mod tests;
