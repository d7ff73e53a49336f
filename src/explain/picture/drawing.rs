//! An automaton drawn as SVG.

use super::layout::{GraphLayout, LINE, LOOP, Point, RADIUS, Track, half_size, label_size, layout};
use super::markup::{escaped, length};
use crate::export::graph::{AutomatonGraph, Kind, MOST_LINES};
use std::fmt::Write;

/// How drawings look, alone or within a page.
pub(crate) const DRAWING_STYLE: &str = include_str!("drawing.css");

/// More states than this are not drawn.
pub(crate) const MOST_STATES: usize = 40;

/// A drawing without its `<svg>` element.
pub(crate) struct Drawing {
    pub width: f64,
    pub height: f64,
    pub content: String,
}

impl Drawing {
    /// The drawing as an element of a page.
    pub fn element(&self, class: &str, title: &str) -> String {
        let (width, height) = (length(self.width), length(self.height));
        let title = escaped(title);
        format!(
            "<svg class=\"{class}\" role=\"img\" aria-label=\"{title}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n<title>{title}</title>\n{}</svg>\n",
            self.content
        )
    }
}

/// Draws an automaton, unless it is too large.
pub(crate) fn automaton(graph: &AutomatonGraph) -> Option<Drawing> {
    const MOST_EDGES: usize = 200;
    if graph.accepting.len() > MOST_STATES || graph.edges.len() > MOST_EDGES {
        return None;
    }
    let layout = layout(graph);
    let mut lines = String::new();
    let mut labels = String::new();
    for (edge, track) in graph.edges.iter().zip(&layout.edges) {
        if edge.from == edge.to {
            draw_loop(&mut lines, layout.states[edge.from], loop_heights(graph, edge.from));
        } else {
            draw_edge(&mut lines, graph, &layout, (edge.from, edge.to), track);
        }
        draw_label(&mut labels, edge.label.iter().map(|line| (line.kind, line.text.as_str())), &edge.label, track);
    }
    let mut states = String::new();
    for (number, (at, accepting)) in layout.states.iter().zip(&graph.accepting).enumerate() {
        match graph.titles.get(number) {
            Some(title) => draw_box(&mut states, *at, half_size(graph, number), title, *accepting),
            None => draw_circle(&mut states, *at, number, *accepting),
        }
    }
    if graph.titles.is_empty() {
        let start = layout.states[0];
        let end = Point { x: start.x - RADIUS, y: start.y };
        let (from, to) = (length(end.x - 24.0), length(end.x - 5.0));
        let _ = writeln!(lines, "<path class=\"edge\" d=\"M{from} {}H{to}\"/>", length(end.y));
        arrowhead(&mut lines, end, false);
    }
    Some(Drawing { width: layout.width, height: layout.height, content: lines + &labels + &states })
}

fn draw_circle(out: &mut String, at: Point, number: usize, accepting: bool) {
    let (x, y) = (length(at.x), length(at.y));
    let _ = writeln!(out, "<circle class=\"state\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", length(RADIUS));
    if accepting {
        let _ = writeln!(out, "<circle class=\"state\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", length(RADIUS - 3.5));
    }
    let _ = writeln!(out, "<text class=\"number\" x=\"{x}\" y=\"{}\">{number}</text>", length(at.y + 3.5));
}

fn draw_box(out: &mut String, at: Point, half: (f64, f64), title: &[String], accepting: bool) {
    let mut rect = |inset: f64| {
        let (left, top) = (length(at.x - half.0 + inset), length(at.y - half.1 + inset));
        let (width, height) = (length(2.0 * (half.0 - inset)), length(2.0 * (half.1 - inset)));
        let _ = writeln!(
            out,
            "<rect class=\"state\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"{}\"/>",
            length(9.0 - inset)
        );
    };
    rect(0.0);
    if accepting {
        rect(3.0);
    }
    for (i, line) in title.iter().enumerate() {
        let class = if i == 0 { "label" } else { "label put" };
        let baseline = at.y + LINE * (i as f64 + 0.75 - title.len() as f64 / 2.0);
        let (x, y) = (length(at.x), length(baseline));
        let _ = writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", escaped(line));
    }
}

/// How far above a state's middle its loop begins, and where it would end if it did not bend.
fn loop_heights(graph: &AutomatonGraph, state: usize) -> (f64, f64) {
    if graph.titles.is_empty() {
        return (RADIUS * 0.87, RADIUS + LOOP + 4.0);
    }
    let top = half_size(graph, state).1;
    (top, top + LOOP)
}

/// An arrowhead whose tip is here, pointing to the right or left.
fn arrowhead(out: &mut String, tip: Point, leftward: bool) {
    let back = if leftward { 7.0 } else { -7.0 };
    let (x, y, b) = (length(tip.x), length(tip.y), length(tip.x + back));
    let (above, below) = (length(tip.y - 3.6), length(tip.y + 3.6));
    let _ = writeln!(out, "<path class=\"tip\" d=\"M{x} {y}L{b} {above}L{b} {below}Z\"/>");
}

fn draw_loop(out: &mut String, at: Point, (dy, top): (f64, f64)) {
    let dx = RADIUS * 0.5;
    let peak = at.y - top;
    let _ = writeln!(
        out,
        "<path class=\"edge\" d=\"M{} {}C{} {} {} {} {} {}\"/>",
        length(at.x - dx),
        length(at.y - dy),
        length(at.x - 20.0),
        length(peak),
        length(at.x + 20.0),
        length(peak),
        length(at.x + dx + 1.5),
        length(at.y - dy - 5.0)
    );
    let (x, y) = (at.x + dx, at.y - dy);
    let _ = writeln!(
        out,
        "<path class=\"tip\" d=\"M{} {}L{} {}L{} {}Z\"/>",
        length(x),
        length(y),
        length(x - 1.6),
        length(y - 7.6),
        length(x + 5.4),
        length(y - 5.6)
    );
}

fn draw_edge(
    out: &mut String,
    graph: &AutomatonGraph,
    layout: &GraphLayout,
    (from, to): (usize, usize),
    track: &Track,
) {
    let (left, right) = if track.backward { (to, from) } else { (from, to) };
    // What leads back keeps to the lower side of its states.
    let side = |state: usize| match (graph.titles.is_empty(), track.backward) {
        (true, true) => (RADIUS * 0.77, RADIUS * 0.64),
        (true, false) => (RADIUS, 0.0),
        (false, true) => (half_size(graph, state).0, half_size(graph, state).1 * 0.45),
        (false, false) => (half_size(graph, state).0, half_size(graph, state).1 * -0.2),
    };
    let ((left_dx, left_dy), (right_dx, right_dy)) = (side(left), side(right));
    let begin = Point { x: layout.states[left].x + left_dx, y: layout.states[left].y + left_dy };
    let end = Point { x: layout.states[right].x - right_dx, y: layout.states[right].y + right_dy };
    // The line ends within its arrowhead, not at its tip.
    let (begin_line, end_line) = if track.backward { (begin.x + 5.0, end.x) } else { (begin.x, end.x - 5.0) };
    let (from_x, to_x) = (layout.spans[left].1.max(begin_line), layout.spans[right].0.min(end_line));
    let mut path = format!("M{} {}H{}", length(begin_line), length(begin.y), length(from_x));
    let mut at = Point { x: from_x, y: begin.y };
    let curve = |path: &mut String, at: Point, to: Point| {
        let middle = (at.x + to.x) / 2.0;
        let _ = write!(
            path,
            "C{} {} {} {} {} {}",
            length(middle),
            length(at.y),
            length(middle),
            length(to.y),
            length(to.x),
            length(to.y)
        );
    };
    for &(from, to, y) in &track.stretches {
        curve(&mut path, at, Point { x: from, y });
        if to > from {
            let _ = write!(path, "H{}", length(to));
        }
        at = Point { x: to, y };
    }
    curve(&mut path, at, Point { x: to_x, y: end.y });
    let _ = write!(path, "H{}", length(end_line));
    let _ = writeln!(out, "<path class=\"edge\" d=\"{path}\"/>");
    arrowhead(out, if track.backward { begin } else { end }, track.backward);
}

fn draw_label<'a>(
    out: &mut String,
    lines: impl Iterator<Item = (Kind, &'a str)>,
    label: &[crate::export::graph::Line],
    track: &Track,
) {
    let (width, height) = label_size(label);
    let Point { x, y } = track.label;
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    let _ = writeln!(
        out,
        "<rect class=\"paper\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\"/>",
        length(left),
        length(top),
        length(width),
        length(height)
    );
    let more = label.len().saturating_sub(MOST_LINES);
    for (i, (kind, text)) in lines.take(MOST_LINES).enumerate() {
        let class = match kind {
            Kind::Quiet => "quiet",
            Kind::Piece => "piece",
            Kind::Put => "put",
            Kind::Guard => "guard",
        };
        let text = if more > 0 && i + 1 == MOST_LINES { format!("and {} more", more + 1) } else { text.to_owned() };
        let baseline = top + LINE * i as f64 + LINE * 0.75;
        let _ = writeln!(
            out,
            "<text class=\"label {class}\" x=\"{}\" y=\"{}\">{}</text>",
            length(x),
            length(baseline),
            escaped(&text)
        );
    }
}
