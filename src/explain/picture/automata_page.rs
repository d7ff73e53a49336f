//! All automata of a game on one sheet, and the zones of its board.

use super::diagram::Diagram;
use super::drawing::DRAWING_STYLE;
use super::markup::{escaped, length};
use crate::board::{Cell, Player, Position, Square};
use crate::explain::english::wording::{list, mirrored};
use crate::explain::piece_section::PieceSection;
use crate::rules::{Atom, Rules, Side, Verdict, Zone};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The automata one below another.
pub(crate) fn svg(rules: &Rules, sections: &[PieceSection]) -> String {
    const MARGIN: f64 = 24.0;
    const TITLE: f64 = 34.0;
    let mut content = String::new();
    let (mut width, mut y) = (360.0_f64, MARGIN);
    for section in sections {
        let title = section.named.title(rules);
        width = width.max(title.chars().count() as f64 * 9.0);
        let _ = writeln!(
            content,
            "<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>",
            length(MARGIN),
            length(y + 16.0),
            escaped(&title)
        );
        y += TITLE;
        match section.drawing(rules) {
            Ok(drawing) => {
                let _ = writeln!(
                    content,
                    "<g transform=\"translate({} {})\">\n{}</g>",
                    length(MARGIN),
                    length(y),
                    drawing.content
                );
                width = width.max(drawing.width);
                y += drawing.height;
            }
            Err(reason) => {
                let _ = writeln!(
                    content,
                    "<text class=\"note\" x=\"{}\" y=\"{}\">{}</text>",
                    length(MARGIN),
                    length(y + 12.0),
                    escaped(&reason)
                );
                y += TITLE;
            }
        }
        y += MARGIN;
    }
    let (width, height) = (length(width + 2.0 * MARGIN), length(y));
    let title = escaped(&format!("The automata of {}", rules.name));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sheet\" role=\"img\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n<title>{title}</title>\n<style>\n{DRAWING_STYLE}</style>\n<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{content}</svg>\n"
    )
}

/// A zone on the board.
pub(crate) struct ZoneView<'a> {
    zone: &'a Zone,
    squares: [BTreeSet<Square>; 2],
    /// What it is and where.
    pub caption: String,
    board: Position,
}

impl ZoneView<'_> {
    pub fn diagram(&self) -> Diagram<'_> {
        Diagram { zones: self.squares.clone(), ..Diagram::new(&self.board) }
    }

    pub fn name(&self) -> &str {
        &self.zone.name
    }
}

/// The zones that movements or endings speak of, as each player has them.
pub(crate) fn zones(rules: &Rules) -> Vec<ZoneView<'_>> {
    rules.zones.iter().map(|zone| view(rules, zone)).collect()
}

fn view<'a>(rules: &'a Rules, zone: &'a Zone) -> ZoneView<'a> {
    let shape = rules.setup.shape();
    let mut sides = Vec::new();
    let mut winning = false;
    for movement in &rules.moves {
        movement.words.letters(&mut |atom| {
            if matches!(atom, Atom::Zone { name, .. } if *name == zone.name) {
                sides.push(movement.side);
            }
        });
    }
    for ending in &rules.endings {
        if ending.when.parts().iter().any(|part| part.zone() == Some(&zone.name)) {
            sides.push(ending.side);
            winning |= ending.verdict == Verdict::Win;
        }
    }
    let other = mirrored(zone, shape);
    let two = rules.players.len() > 1;
    let shared = sides.contains(&Side::Both) || sides.is_empty();
    let squares = |zone: &Zone| {
        let within = shape.all().filter(|&s| zone.contains(shape, s) && rules.setup.at(s) != Cell::HOLE);
        within.collect::<BTreeSet<Square>>()
    };
    let mut both = [BTreeSet::new(), BTreeSet::new()];
    if shared || sides.contains(&Side::Only(Player::First)) || !two {
        both[0] = squares(zone);
    }
    if two && shared {
        both[1] = squares(&other);
    }
    if two && sides.contains(&Side::Only(Player::Second)) {
        both[1].extend(squares(zone));
    }
    let mut places = Vec::new();
    if both[0] == both[1] || !two {
        places.push(zone.to_string());
    } else {
        let ways = [(0, zone), (1, if shared { &other } else { zone })];
        for (player, zone) in ways.into_iter().filter(|(player, _)| !both[*player].is_empty()) {
            places.push(format!("{zone} for {}", rules.players[player]));
        }
    }
    let what = if winning { "the goal squares" } else { "a zone" };
    let caption = format!("{what}: {}", list(&places, "and"));
    let mut board = Position::empty(shape);
    let holes = shape.all().filter(|&square| rules.setup.at(square) == Cell::HOLE);
    holes.for_each(|square| board.set(square, Cell::HOLE));
    ZoneView { zone, squares: both, caption, board }
}
