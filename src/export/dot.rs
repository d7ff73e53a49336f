//! Automata in the language of Graphviz.

use super::graph::AutomatonGraph;
use super::naming::{NamedMovement, named_movements};
use crate::rules::Rules;
use std::fmt::Write;

/// The automata of all movements, one graph after another.
///
/// ```
/// use onlooker::game::catalogue_game;
///
/// let game = catalogue_game("breakthrough").expect("a game of the catalogue");
/// assert!(onlooker::export::dot(game.rules()).starts_with("digraph"));
/// ```
pub fn dot(rules: &Rules) -> String {
    named_movements(rules).iter().map(|movement| movement.dot(rules)).collect::<Vec<_>>().join("\n")
}

impl NamedMovement<'_> {
    /// The automaton as a graph.
    pub(crate) fn dot(&self, rules: &Rules) -> String {
        let title = self.title(rules);
        match &self.automaton {
            Some(automaton) => AutomatonGraph::new(rules, automaton).dot(&title),
            None => format!("digraph {} {{\n  label=\"too large\";\n}}\n", quoted(&title)),
        }
    }
}

impl AutomatonGraph {
    /// The graph in the language of Graphviz.
    pub fn dot(&self, title: &str) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "digraph {} {{", quoted(title));
        let _ = writeln!(text, "  label={}; labelloc=t; rankdir=LR; bgcolor=transparent;", quoted(title));
        text.push_str("  node [shape=circle, fontname=\"sans-serif\", fontsize=11];\n");
        text.push_str("  edge [fontname=\"sans-serif\", fontsize=10];\n");
        text.push_str("  start [shape=point, width=0.06];\n  start -> 0;\n");
        for (state, accepting) in self.accepting.iter().enumerate() {
            let _ = writeln!(text, "  {state}{};", if *accepting { " [shape=doublecircle]" } else { "" });
        }
        for edge in &self.edges {
            let lines: Vec<&str> = edge.label.iter().map(|line| line.text.as_str()).collect();
            let _ = writeln!(text, "  {} -> {} [label={}];", edge.from, edge.to, quoted(&lines.join("\n")));
        }
        text.push_str("}\n");
        text
    }
}

/// Text in quotation marks as DOT reads it.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_the_language_are_escaped() {
        assert_eq!(quoted("a\"\\b\nc"), "\"a\\\"\\\\b\\nc\"");
    }
}
