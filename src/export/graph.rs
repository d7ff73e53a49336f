//! An automaton as a graph that can be drawn: parallel edges are one, with a label that tells them together.

use super::arrows::{DirectionStep, class, signs};
use super::naming::{NamedMovement, named_movements};
use crate::automata::Dfa;
use crate::rules::{Landing, Rules, Seen, Symbol, Taken};
use std::collections::{BTreeMap, BTreeSet};

/// The most lines of a label that are drawn.
pub(crate) const MOST_LINES: usize = 6;

/// The automaton of one movement, for programs that work on graphs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovementGraph {
    /// The piece's name, or what is dropped.
    pub piece: String,
    /// Whose pieces move so: `white and black (as r)`; empty in a game for one.
    pub whose: String,
    /// For each state, whether a move may end there. The first is the start.
    pub accepting: Vec<bool>,
    /// At most one edge from one state to another, sorted: from, to, and what leads there, in lines such as `any empty/enemy`.
    pub edges: Vec<(usize, usize, Vec<String>)>,
}

/// The automata of all movements, in the order of the rules; without those that are too large to be made.
///
/// ```
/// use onlooker::game::catalogue_game;
///
/// let game = catalogue_game("chess-breakthrough").expect("a game of the catalogue");
/// let king = &onlooker::export::movement_graphs(game.rules())[5];
/// assert_eq!((king.piece.as_str(), king.accepting.as_slice()), ("K", [false, true].as_slice()));
/// assert_eq!(king.edges, [(0, 1, vec!["any empty/enemy".to_owned()])]);
/// ```
pub fn movement_graphs(rules: &Rules) -> Vec<MovementGraph> {
    let graph = |named: NamedMovement| {
        let graph = AutomatonGraph::new(rules, named.automaton.as_ref()?);
        let edges = graph.edges.into_iter();
        let edges = edges.map(|edge| (edge.from, edge.to, edge.label.into_iter().map(|line| line.text).collect()));
        Some(MovementGraph {
            piece: named.name,
            whose: named.whose,
            accepting: graph.accepting,
            edges: edges.collect(),
        })
    };
    named_movements(rules).into_iter().filter_map(graph).collect()
}

/// The states and labelled edges of an automaton.
#[derive(Clone, Debug)]
pub(crate) struct AutomatonGraph {
    /// For each state, whether a move may end there.
    pub accepting: Vec<bool>,
    /// What is written into each state, in lines; empty if states are circles with their numbers, of which 0 is the
    /// start.
    pub titles: Vec<Vec<String>>,
    /// At most one edge from one state to another, sorted.
    pub edges: Vec<Edge>,
}

/// All symbols that lead from one state to another.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub from: usize,
    pub to: usize,
    pub label: Vec<Line>,
}

/// A line of a label.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Line {
    pub kind: Kind,
    pub text: String,
}

/// What sort of thing a line tells, which gives it its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Quiet,
    Piece,
    Put,
    Guard,
}

impl AutomatonGraph {
    pub fn new(rules: &Rules, automaton: &Dfa<Symbol>) -> AutomatonGraph {
        let mut edges: BTreeMap<(usize, usize), Vec<Symbol>> = BTreeMap::new();
        for (from, state) in automaton.states().iter().enumerate() {
            for &(symbol, to) in &state.edges {
                edges.entry((from, to.index())).or_default().push(symbol);
            }
        }
        let edges = edges.into_iter().map(|((from, to), symbols)| Edge { from, to, label: label(rules, &symbols) });
        AutomatonGraph {
            accepting: automaton.states().iter().map(|state| state.accepting).collect(),
            titles: vec![],
            edges: edges.collect(),
        }
    }
}

fn label(rules: &Rules, symbols: &[Symbol]) -> Vec<Line> {
    // Which landings each set of steps has, steps of one class being told together.
    let mut by_landing: BTreeMap<(Landing, (u8, u8)), BTreeSet<DirectionStep>> = BTreeMap::new();
    let mut looks: BTreeMap<Seen, BTreeSet<DirectionStep>> = BTreeMap::new();
    let mut lines = Vec::new();
    for &symbol in symbols {
        match symbol {
            Symbol::Step { dx, dy, landing } => {
                by_landing.entry((landing, class((dx, dy)))).or_default().insert((dx, dy));
            }
            Symbol::Put(cell) => lines.push(Line { kind: Kind::Put, text: format!("put {cell}") }),
            Symbol::Vanish => lines.push(Line { kind: Kind::Put, text: "vanish".to_owned() }),
            Symbol::Zone { number, within } => {
                let name = rules.zones.get(number).map_or("?", |zone| zone.name.as_str());
                lines.push(Line { kind: Kind::Guard, text: format!("{} {name}", if within { "on" } else { "off" }) });
            }
            Symbol::Look { dx, dy, seen } => {
                looks.entry(seen).or_default().insert((dx, dy));
            }
        }
    }
    let mut by_steps: BTreeMap<BTreeSet<DirectionStep>, Vec<Landing>> = BTreeMap::new();
    for ((landing, _), steps) in by_landing {
        by_steps.entry(steps).or_default().push(landing);
    }
    for (steps, landings) in by_steps {
        let quiet = landings.iter().all(|&landing| landing == Landing::On(Seen::Empty));
        let words: Vec<String> = landings.into_iter().map(landing_word).collect();
        let text = format!("{} {}", signs(&steps), words.join("/"));
        lines.push(Line { kind: if quiet { Kind::Quiet } else { Kind::Piece }, text });
    }
    for (seen, steps) in looks {
        lines.push(Line { kind: Kind::Guard, text: format!("look {} {seen}", signs(&steps)) });
    }
    lines.sort();
    lines
}

fn landing_word(landing: Landing) -> String {
    match landing {
        Landing::On(seen) => seen.to_string(),
        Landing::Take(Taken::Own) => "take own".to_owned(),
        Landing::Take(Taken::Enemy) => "take enemy".to_owned(),
        Landing::Take(Taken::The(cell)) => format!("take {cell}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Player;
    use crate::game::catalogue_game;

    fn graph(game: &str, piece: usize) -> AutomatonGraph {
        let game = catalogue_game(game).unwrap();
        let rules = game.rules();
        AutomatonGraph::new(rules, &rules.automaton(&rules.moves[piece], Player::First).unwrap())
    }

    #[test]
    fn parallel_edges_are_told_together() {
        let king = graph("chess-breakthrough", 5);
        assert_eq!(king.edges.len(), 1);
        assert_eq!(king.edges[0].label, [Line { kind: Kind::Piece, text: "any empty/enemy".to_owned() }]);
        let pawn = graph("chess-breakthrough", 0);
        let texts: Vec<&str> = pawn.edges[0].label.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["↑ empty", "↖↗ enemy"]);
    }

    #[test]
    fn dot_has_every_state_and_edge_once() {
        let rook = graph("chess-breakthrough", 3);
        let dot = rook.dot("a \"rook\"");
        assert!(dot.starts_with("digraph \"a \\\"rook\\\"\" {\n") && dot.ends_with("}\n"), "{dot}");
        assert_eq!(dot.matches(" -> ").count(), rook.edges.len() + 1);
        assert_eq!(dot.matches("doublecircle").count(), rook.accepting.iter().filter(|a| **a).count());
    }
}
