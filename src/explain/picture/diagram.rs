//! Boards with what stands on them and what can happen there, as SVG and as text.

use super::drawing::{DRAWING_STYLE, Drawing};
use super::markup::{escaped, length};
use super::reach::Mark;
use super::scene::{Scene, Window};
use crate::board::{Cell, Player, Position, Shape, Square};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A board to be drawn.
pub(crate) struct Diagram<'a> {
    pub position: &'a Position,
    pub window: Window,
    /// The square that stands out.
    pub start: Option<Square>,
    pub marks: BTreeMap<Square, Mark>,
    /// Where a piece that is sent off can end, and from where.
    pub sent: BTreeSet<Square>,
    pub sent_from: Option<Square>,
    /// Squares of zones, of the first player and of the second.
    pub zones: [BTreeSet<Square>; 2],
}

impl<'a> Diagram<'a> {
    /// Just a board.
    pub fn new(position: &'a Position) -> Diagram<'a> {
        Diagram {
            position,
            window: Window::whole(position.shape()),
            start: None,
            marks: BTreeMap::new(),
            sent: BTreeSet::new(),
            sent_from: None,
            zones: Default::default(),
        }
    }

    /// What a piece can do in a scene.
    pub fn of_scene(scene: &'a Scene) -> Diagram<'a> {
        let shape = scene.position.shape();
        // Of all places from which something is sent off, the one from which it gets furthest stands for the others.
        let visible = |square: &Square| scene.window.contains(shape, *square);
        let from =
            scene.reach.sent.iter().filter(|(from, _)| visible(from)).max_by_key(|(from, to)| {
                (to.iter().filter(|square| visible(square)).count(), std::cmp::Reverse(**from))
            });
        Diagram {
            window: scene.window,
            start: scene.start,
            marks: scene.reach.marks.clone(),
            sent: from.map(|(_, to)| to.clone()).unwrap_or_default(),
            sent_from: from.map(|(from, _)| *from),
            ..Diagram::new(&scene.position)
        }
    }

    /// The squares of the window, row by row from the top.
    fn rows(&self) -> impl Iterator<Item = (usize, Vec<Square>)> {
        let shape = self.position.shape();
        let Window { files, ranks } = self.window;
        let row = move |rank: usize| (files.0..=files.1).filter_map(move |file| shape.square(file, rank)).collect();
        (ranks.0..=ranks.1).rev().map(move |rank| (rank, row(rank)))
    }

    /// What the signs on this diagram mean, each with the class of its sign.
    pub fn legend(&self) -> Vec<(&'static str, String)> {
        let any = |is: fn(&Mark) -> bool| self.marks.values().any(is);
        let mut legend = Vec::new();
        let drops = self.start.is_none();
        if any(|mark| mark.quiet) {
            legend.push(("dot", if drops { "can be dropped here" } else { "moves here" }.to_owned()));
        }
        if any(|mark| mark.capture) {
            legend.push(("ring", "captures here".to_owned()));
        }
        if any(|mark| mark.taken) {
            legend.push(("cross", "captured on the way".to_owned()));
        }
        let becomes: BTreeSet<String> =
            self.marks.values().filter_map(|mark| mark.becomes).map(|cell| cell.to_string()).collect();
        if !becomes.is_empty() {
            legend.push(("star", format!("becomes {} here", becomes.into_iter().collect::<Vec<_>>().join(" or "))));
        }
        if let Some(from) = self.sent_from {
            let name = self.position.shape().name(from);
            legend.push(("spark", format!("where what it sends off can end, if it has moved to {name}")));
        }
        legend
    }

    /// The board as a drawing.
    pub fn drawing(&self) -> Drawing {
        const SIZE: f64 = 32.0;
        const MARGIN: f64 = 18.0;
        let Window { files, ranks } = self.window;
        let (columns, rows) = (files.1 - files.0 + 1, ranks.1 - ranks.0 + 1);
        let (width, height) = (columns as f64 * SIZE, rows as f64 * SIZE);
        let mut out = String::new();
        for (row, (rank, squares)) in self.rows().enumerate() {
            let y = row as f64 * SIZE + 1.0;
            let _ = writeln!(
                out,
                "<text class=\"coordinate\" x=\"{}\" y=\"{}\">{}</text>",
                length(MARGIN - 9.0),
                length(y + SIZE / 2.0 + 3.5),
                rank + 1
            );
            for (column, square) in squares.into_iter().enumerate() {
                self.draw_square(&mut out, square, MARGIN + column as f64 * SIZE, y, SIZE);
            }
        }
        for file in files.0..=files.1 {
            let x = MARGIN + (file - files.0) as f64 * SIZE + SIZE / 2.0;
            let _ = writeln!(
                out,
                "<text class=\"coordinate\" x=\"{}\" y=\"{}\">{}</text>",
                length(x),
                length(height + 14.0),
                escaped(&Shape::file_name(file))
            );
        }
        Drawing { width: MARGIN + width + 1.0, height: height + MARGIN + 1.0, content: out }
    }

    /// The board as a picture that stands alone.
    pub fn svg(&self) -> String {
        let drawing = self.drawing();
        let (width, height) = (length(drawing.width), length(drawing.height));
        let title = escaped(&format!("A board of {}", self.position.shape()));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board\" role=\"img\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n<title>{title}</title>\n<style>\n{DRAWING_STYLE}</style>\n{}</svg>\n",
            drawing.content
        )
    }

    fn draw_square(&self, out: &mut String, square: Square, x: f64, y: f64, size: f64) {
        let shape = self.position.shape();
        let cell = self.position.at(square);
        if cell == Cell::HOLE {
            return;
        }
        let dark = (shape.file(square) + shape.rank(square)).is_multiple_of(2);
        let zone = match (self.zones[0].contains(&square), self.zones[1].contains(&square)) {
            (true, true) => " both",
            (true, false) => " first",
            (false, true) => " second",
            (false, false) => "",
        };
        let (left, top, side) = (length(x), length(y), length(size));
        let shade = if dark { "dark" } else { "light" };
        let _ = writeln!(
            out,
            "<rect class=\"square {shade}\" x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\"/>"
        );
        if !zone.is_empty() {
            let _ = writeln!(
                out,
                "<rect class=\"zone{zone}\" x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\"/>"
            );
        }
        if self.start == Some(square) {
            let _ =
                writeln!(out, "<rect class=\"start\" x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\"/>");
        }
        let (cx, cy) = (x + size / 2.0, y + size / 2.0);
        draw_cell(out, cell, cx, cy, size);
        if let Some(mark) = self.marks.get(&square) {
            draw_mark(out, mark, cx, cy, size);
        }
        if self.sent.contains(&square) {
            let d = size * 0.09;
            let (cx, cy) = if self.marks.contains_key(&square) { (cx + size * 0.3, cy - size * 0.3) } else { (cx, cy) };
            let _ = writeln!(
                out,
                "<path class=\"spark\" d=\"M{} {}l{d:.1} {d:.1}l-{d:.1} {d:.1}l-{d:.1} -{d:.1}z\"/>",
                length(cx),
                length(cy - d)
            );
        }
        if self.sent_from == Some(square) {
            let _ = writeln!(
                out,
                "<circle class=\"spark-ring\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
                length(cx),
                length(cy),
                length(size * 0.26)
            );
        }
    }

    /// The board with characters, at most so many columns wide.
    pub fn text(&self, columns: usize) -> String {
        let margin = (self.window.ranks.1 + 1).to_string().len() + 1;
        let count = self.window.files.1 - self.window.files.0 + 1;
        let longest = self.rows().flat_map(|(_, row)| row).map(|s| self.position.at(s).to_string().chars().count());
        let room = columns.saturating_sub(margin + 2) / count;
        let width = (longest.max().unwrap_or(1) + 2).min(room).max(1);
        let mut text = String::new();
        let line = "─".repeat(width * count);
        let _ = writeln!(text, "{:margin$}┌{line}┐", "");
        for (rank, row) in self.rows() {
            let _ = write!(text, "{:>w$} │", rank + 1, w = margin - 1);
            row.into_iter().for_each(|square| text.push_str(&self.sign(square, width)));
            text.push_str("│\n");
        }
        let _ = writeln!(text, "{:margin$}└{line}┘", "");
        let files =
            (self.window.files.0..=self.window.files.1).map(|file| format!("{:^width$}", Shape::file_name(file)));
        let files: String = files.collect();
        let _ = writeln!(text, "{:margin$} {}", "", files.trim_end());
        text
    }

    fn sign(&self, square: Square, width: usize) -> String {
        let cell = self.position.at(square);
        let mark = self.marks.get(&square).cloned().unwrap_or_default();
        let inner: String = match cell {
            Cell::HOLE => " ".to_owned(),
            Cell::EMPTY => match (&mark.becomes, mark.quiet, self.sent.contains(&square)) {
                (Some(_), ..) => "★".to_owned(),
                (None, true, true) => "•+".to_owned(),
                (None, true, false) => "•".to_owned(),
                (None, false, true) => "+".to_owned(),
                _ if self.zones[0].contains(&square) && self.zones[1].contains(&square) => "%".to_owned(),
                _ if self.zones[0].contains(&square) => "▲".to_owned(),
                _ if self.zones[1].contains(&square) => "▼".to_owned(),
                _ => "·".to_owned(),
            },
            Cell::WALL => "▒".to_owned(),
            cell => cell.to_string(),
        };
        let inner: String = inner.chars().take(width).collect();
        let framed = if mark.capture {
            format!("({inner})")
        } else if mark.taken {
            format!("×{inner}×")
        } else if self.start == Some(square) {
            format!("[{inner}]")
        } else {
            inner.clone()
        };
        let shown = if framed.chars().count() <= width { framed } else { inner };
        format!("{shown:^width$}")
    }
}

/// How a diagram as text shows what the class of a legend's sign shows in a drawing.
pub(crate) fn text_sign(class: &str) -> &'static str {
    match class {
        "dot" => "•",
        "ring" => "( )",
        "cross" => "× ×",
        "star" => "★",
        "spark" => "+",
        _ => "?",
    }
}

/// A piece as a disc with its name, light for the first player and dark for the second, or a wall.
fn draw_cell(out: &mut String, cell: Cell, cx: f64, cy: f64, size: f64) {
    let Some(owner) = cell.owner() else {
        if cell == Cell::WALL {
            let side = size * 0.7;
            let _ = writeln!(
                out,
                "<rect class=\"wall\" x=\"{}\" y=\"{}\" width=\"{side:.1}\" height=\"{side:.1}\" rx=\"3\"/>",
                length(cx - side / 2.0),
                length(cy - side / 2.0)
            );
        }
        return;
    };
    let class = if owner == Player::First { "one" } else { "two" };
    let name = cell.to_string();
    let letters = name.chars().count();
    let font = match letters {
        1 => 14.0,
        2 => 11.0,
        3 => 9.0,
        _ => 26.0 / letters as f64,
    };
    let _ = writeln!(
        out,
        "<circle class=\"disc {class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
        length(cx),
        length(cy),
        length(size * 0.37)
    );
    let _ = writeln!(
        out,
        "<text class=\"name {class}\" x=\"{}\" y=\"{}\" font-size=\"{}\">{}</text>",
        length(cx),
        length(cy + font * 0.36),
        length(font),
        escaped(&name)
    );
}

fn draw_mark(out: &mut String, mark: &Mark, cx: f64, cy: f64, size: f64) {
    let (x, y) = (length(cx), length(cy));
    if mark.capture {
        let _ = writeln!(out, "<circle class=\"ring\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", length(size * 0.44));
    }
    if let Some(cell) = mark.becomes {
        let _ = writeln!(out, "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", length(size * 0.26));
        let _ = writeln!(
            out,
            "<text class=\"becomes\" x=\"{x}\" y=\"{}\">{}</text>",
            length(cy + 4.0),
            escaped(&cell.to_string())
        );
    } else if mark.quiet {
        let _ = writeln!(out, "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", length(size * 0.15));
    }
    if mark.taken {
        // The arms of a cross, which leave the name in the middle free.
        let (far, near) = (size * 0.43, size * 0.2);
        let arm = |x: f64, y: f64| {
            let (from, to) = ((cx + x * far, cy + y * far), (cx + x * near, cy + y * near));
            format!("M{} {}L{} {}", length(from.0), length(from.1), length(to.0), length(to.1))
        };
        let arms = [arm(-1.0, -1.0), arm(1.0, -1.0), arm(1.0, 1.0), arm(-1.0, 1.0)].concat();
        let _ = writeln!(out, "<path class=\"cross\" d=\"{arms}\"/>");
    }
}

/// A piece alone, as a small picture beside a title.
pub(crate) fn badge(cell: Cell) -> String {
    let mut content = String::new();
    draw_cell(&mut content, cell, 16.0, 16.0, 38.0);
    format!("<svg viewBox=\"0 0 32 32\" aria-hidden=\"true\">{content}</svg>")
}

/// The sign of a legend as a small picture.
pub(crate) fn legend_sign(class: &str) -> String {
    let content = match class {
        "dot" => "<circle class=\"dot\" cx=\"8\" cy=\"8\" r=\"4.5\"/>",
        "ring" => "<circle class=\"ring\" cx=\"8\" cy=\"8\" r=\"6\"/>",
        "cross" => "<path class=\"cross\" d=\"M3 3L13 13M3 13L13 3\"/>",
        "star" => "<circle class=\"dot\" cx=\"8\" cy=\"8\" r=\"7\"/>",
        "first" => "<rect class=\"zone first\" x=\"1\" y=\"1\" width=\"14\" height=\"14\"/>",
        "second" => "<rect class=\"zone second\" x=\"1\" y=\"1\" width=\"14\" height=\"14\"/>",
        "both" => "<rect class=\"zone both\" x=\"1\" y=\"1\" width=\"14\" height=\"14\"/>",
        _ => "<path class=\"spark\" d=\"M8 3l5 5l-5 5l-5 -5z\"/>",
    };
    format!("<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\">{content}</svg>")
}
