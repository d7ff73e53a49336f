//! The machines of a planning model as graphs: states as boxes with what they remember, edges as in `unstack.1`.

use super::dot::quoted;
use super::graph::{AutomatonGraph, Edge, Kind, Line, MOST_LINES};
use crate::locm::{Machine, Model};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The machines in the language of Graphviz, one graph after another.
///
/// ```
/// use onlooker::locm::{Action, Evidence, Options, induce};
/// use std::sync::atomic::AtomicBool;
///
/// let mut evidence = Evidence::default();
/// let trace = [Action::new("board", ["car", "ferry"]), Action::new("debark", ["car", "ferry"])];
/// evidence.observe(&trace).map_err(|(_, refused)| refused)?;
/// let model = induce(&evidence, &Options::default(), &AtomicBool::new(false));
/// assert!(onlooker::export::model_dot(&model).starts_with("digraph"));
/// # Ok::<(), onlooker::locm::Refused>(())
/// ```
pub fn dot(model: &Model) -> String {
    let mut graphs = Vec::new();
    for machine in &model.machines {
        let graph = graph(model, machine);
        let mut text = String::new();
        let title = quoted(&title(model, machine));
        let _ = writeln!(text, "digraph {title} {{");
        let _ = writeln!(text, "  label={title}; labelloc=t; rankdir=LR; bgcolor=transparent;");
        text.push_str("  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=11];\n");
        text.push_str("  edge [fontname=\"sans-serif\", fontsize=10];\n");
        for (number, (lines, is_final)) in graph.titles.iter().zip(&graph.accepting).enumerate() {
            let double = if *is_final { ", peripheries=2" } else { "" };
            let _ = writeln!(text, "  {number} [label={}{double}];", quoted(&lines.join("\n")));
        }
        for edge in &graph.edges {
            let lines: Vec<&str> = edge.label.iter().map(|line| line.text.as_str()).collect();
            let _ = writeln!(text, "  {} -> {} [label={}];", edge.from, edge.to, quoted(&lines.join("\n")));
        }
        text.push_str("}\n");
        graphs.push(text);
    }
    graphs.join("\n")
}

/// The title of a machine's drawing.
pub(crate) fn title(model: &Model, machine: &Machine) -> String {
    match machine.sort {
        None => format!("{}: the order of actions", machine.name),
        Some(sort) if !machine.is_whole => format!("{}: an aspect of {}", machine.name, model.sorts[sort.index()].name),
        Some(_) => machine.name.clone(),
    }
}

/// A machine as a graph.
pub(crate) fn graph(model: &Model, machine: &Machine) -> AutomatonGraph {
    let mut edges: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    for edge in &machine.edges {
        let names = edges.entry((edge.from.index(), edge.to.index())).or_default();
        names.push(model.transition_name(edge.transition));
    }
    // All transitions are told, many of them side by side.
    let label = |names: Vec<String>| {
        let lines = names.chunks(names.len().div_ceil(MOST_LINES)).map(|names| names.join("  "));
        lines.map(|text| Line { kind: Kind::Quiet, text }).collect()
    };
    let titles = machine.states.iter().map(|state| {
        let sorts: Vec<&str> = state.parameters.iter().map(|p| model.sorts[p.sort.index()].name.as_str()).collect();
        let remembered = (!sorts.is_empty()).then(|| format!("[{}]", sorts.join(", ")));
        [Some(state.name.clone()), remembered].into_iter().flatten().collect()
    });
    AutomatonGraph {
        accepting: machine.states.iter().map(|state| state.is_final).collect(),
        titles: titles.collect(),
        edges: edges.into_iter().map(|((from, to), names)| Edge { from, to, label: label(names) }).collect(),
    }
}
