//! All that is told of one movement.

use super::english::evidence;
use super::english::familiar::familiar;
use super::english::sentences;
use super::english::wording::list;
use super::picture::drawing::{self, Drawing};
use super::picture::scene::{Scene, scenes};
use crate::export::graph::AutomatonGraph;
use crate::export::naming::{NamedMovement, named_movements};
use crate::rules::{Rules, Symbol};

/// One movement, made ready to be described.
pub(super) struct PieceSection<'a> {
    pub named: NamedMovement<'a>,
    pub sentences: Vec<String>,
    pub familiar: Option<&'static str>,
    pub evidence: Vec<String>,
}

/// More states than any well-known movement has, even with a promotion.
const LARGE: usize = 100;

/// A section for each movement that some player has.
pub(super) fn piece_sections(rules: &Rules) -> Vec<PieceSection<'_>> {
    named_movements(rules).into_iter().map(|named| PieceSection::new(rules, named)).collect()
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

impl<'a> PieceSection<'a> {
    fn new(rules: &'a Rules, named: NamedMovement<'a>) -> PieceSection<'a> {
        let movement = named.movement;
        // Large automata take long to make, and nothing familiar is large.
        let small = named.automaton.as_ref().is_some_and(|found| found.states().len() <= LARGE);
        PieceSection {
            sentences: sentences::sentences(rules, movement),
            familiar: if small { familiar(rules, movement) } else { None },
            evidence: evidence::of_movement(rules, movement),
            named,
        }
    }

    pub fn graph(&self, rules: &Rules) -> Option<AutomatonGraph> {
        self.named.automaton.as_ref().map(|automaton| AutomatonGraph::new(rules, automaton))
    }

    /// The automaton drawn, or a sentence that says why it is not.
    pub fn drawing(&self, rules: &Rules) -> Result<Drawing, String> {
        let graph = self.graph(rules).ok_or("The automaton is too large to be made.")?;
        drawing::automaton(&graph)
            .ok_or_else(|| format!("The automaton has {} states, too many to draw.", graph.accepting.len()))
    }

    pub fn scenes(&self, rules: &Rules) -> Vec<Scene> {
        self.named.automaton.as_ref().map(|automaton| scenes(rules, self.named.movement, automaton)).unwrap_or_default()
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
        let symbols = || self.named.automaton.iter().flat_map(|dfa| dfa.states()).flat_map(|state| &state.edges);
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
