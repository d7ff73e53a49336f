//! A board drawn with characters.

use anstyle::{AnsiColor, Style};
use onlooker::board::{Cell, Player, Position, Shape, Square};

/// How to draw.
#[derive(Clone, Copy)]
pub struct Look {
    /// Only characters that every terminal has.
    pub ascii: bool,
}

/// The board with the names of ranks and files, the squares in `marked` standing out.
pub fn board(position: &Position, marked: &[Square], look: Look) -> String {
    let shape = position.shape();
    let width = shape.all().map(|s| position.at(s).to_string().chars().count()).max().unwrap_or(1);
    let dim = Style::new().dimmed();
    let margin = shape.height().to_string().len() + 1;
    let mut text = String::new();
    for rank in (0..shape.height()).rev() {
        text.push_str(&format!("{dim}{:>margin$}{dim:#} ", rank + 1));
        for file in 0..shape.width() {
            let Some(square) = shape.square(file, rank) else { continue };
            let (sign, mut style) = sign(position.at(square), look);
            let padded = format!("{sign:^width$}");
            if marked.contains(&square) {
                style = style.underline().bg_color(Some(AnsiColor::BrightBlack.into()));
            }
            text.push_str(&format!(" {style}{padded}{style:#}"));
        }
        text.push('\n');
    }
    let files: Vec<String> = (0..shape.width()).map(|file| format!("{:^width$}", Shape::file_name(file))).collect();
    text.push_str(&format!("{:margin$}  {dim}{}{dim:#}\n", "", files.join(" ")));
    text
}

fn sign(cell: Cell, look: Look) -> (String, Style) {
    let plain = Style::new();
    match (cell, cell.owner()) {
        (_, Some(Player::First)) => (cell.to_string(), AnsiColor::Yellow.on_default().bold()),
        (_, Some(Player::Second)) => (cell.to_string(), AnsiColor::Cyan.on_default().bold()),
        (Cell::HOLE, _) => (" ".to_owned(), plain),
        (Cell::WALL, _) => (if look.ascii { "*" } else { "▒" }.to_owned(), plain),
        _ => (if look.ascii { "." } else { "·" }.to_owned(), plain.dimmed()),
    }
}

/// The squares that are not the same on two boards.
pub fn changed(before: &Position, after: &Position) -> Vec<Square> {
    after.shape().all().filter(|&square| before.at(square) != after.at(square)).collect()
}
