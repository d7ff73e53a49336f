//! The machines of a planning model as drawings: states as boxes with what they remember, edges as in `unstack.1`.

use super::drawing::automaton;
use super::graph::{Edge, Graph, Kind, Line};
use super::layout::{MOST_LINES, text_width};
use super::markup::{dot_quoted, escaped, length};
use super::sheet::DRAWING_STYLE;
use crate::locm::{Machine, Model};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The machines one below another.
pub(super) fn svg(model: &Model) -> String {
    const MARGIN: f64 = 24.0;
    const TITLE: f64 = 30.0;
    let mut content = String::new();
    let (mut width, mut y) = (360.0_f64, MARGIN);
    let text = |content: &mut String, class: &str, y: f64, text: &str| {
        let _ = writeln!(
            content,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
            length(MARGIN),
            length(y),
            escaped(text)
        );
    };
    for machine in &model.machines {
        let title = title(model, machine);
        width = width.max(text_width(&title) * 1.4);
        text(&mut content, "title", y + 14.0, &title);
        y += TITLE;
        match automaton(&graph(model, machine)) {
            Some(drawing) => {
                let place = format!("translate({} {})", length(MARGIN), length(y));
                let _ = writeln!(content, "<g transform=\"{place}\">\n{}</g>", drawing.content);
                width = width.max(drawing.width);
                y += drawing.height;
            }
            None => {
                text(&mut content, "note", y + 12.0, &format!("{} states are too many to draw.", machine.states.len()));
                y += TITLE;
            }
        }
        y += MARGIN;
    }
    text(&mut content, "note", y + 8.0, "A double border: the trace of some object ended there.");
    let (width, height) = (length(width + 2.0 * MARGIN), length(y + MARGIN));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sheet\" role=\"img\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n<title>The machines of a planning model</title>\n<style>\n{DRAWING_STYLE}</style>\n<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{content}</svg>\n"
    )
}

/// The machines in the language of Graphviz, one graph after another.
pub(super) fn dot(model: &Model) -> String {
    let mut graphs = Vec::new();
    for machine in &model.machines {
        let graph = graph(model, machine);
        let mut text = String::new();
        let title = dot_quoted(&title(model, machine));
        let _ = writeln!(text, "digraph {title} {{");
        let _ = writeln!(text, "  label={title}; labelloc=t; rankdir=LR; bgcolor=transparent;");
        text.push_str("  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=11];\n");
        text.push_str("  edge [fontname=\"sans-serif\", fontsize=10];\n");
        for (number, (lines, is_final)) in graph.titles.iter().zip(&graph.accepting).enumerate() {
            let double = if *is_final { ", peripheries=2" } else { "" };
            let _ = writeln!(text, "  {number} [label={}{double}];", dot_quoted(&lines.join("\n")));
        }
        for edge in &graph.edges {
            let lines: Vec<&str> = edge.label.iter().map(|line| line.text.as_str()).collect();
            let _ = writeln!(text, "  {} -> {} [label={}];", edge.from, edge.to, dot_quoted(&lines.join("\n")));
        }
        text.push_str("}\n");
        graphs.push(text);
    }
    graphs.join("\n")
}

fn title(model: &Model, machine: &Machine) -> String {
    match machine.sort {
        None => format!("{}: the order of actions", machine.name),
        Some(sort) if !machine.is_whole => format!("{}: an aspect of {}", machine.name, model.sorts[sort.index()].name),
        Some(_) => machine.name.clone(),
    }
}

fn graph(model: &Model, machine: &Machine) -> Graph {
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
    Graph {
        accepting: machine.states.iter().map(|state| state.is_final).collect(),
        titles: titles.collect(),
        edges: edges.into_iter().map(|((from, to), names)| Edge { from, to, label: label(names) }).collect(),
    }
}
