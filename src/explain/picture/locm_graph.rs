//! The machines of a planning model as drawings: states as boxes with what they remember, edges as in `unstack.1`.

use super::drawing::{DRAWING_STYLE, automaton};
use super::layout::text_width;
use super::markup::{escaped, length};
use crate::export::locm_graph::{graph, title};
use crate::locm::Model;
use std::fmt::Write;

/// The machines one below another.
pub(crate) fn svg(model: &Model) -> String {
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
