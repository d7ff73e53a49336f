//! Concepts for people: what a rule of a heuristic says in English, and where it holds on a board.

use super::picture::markup::escaped;
use crate::concepts::{Argument, FactTable, Heuristic, Literal, Rule, Sum};
use crate::game::{FactId, Game, Vocabulary};
use std::fmt::Write;

/// A heuristic made ready to be told.
pub struct ConceptPage<'a> {
    heuristic: &'a Heuristic,
    vocabulary: Vocabulary,
    table: FactTable,
}

/// So many rules are told for each role.
const TOLD: usize = 24;
/// So many places of a rule are looked at for a picture.
const MOST_PLACES: usize = 4096;

/// A cell: two coordinates and what it holds.
struct CellLiteral<'a> {
    column: &'a Argument,
    row: &'a Argument,
    content: &'a Argument,
}

fn cell(literal: &Literal) -> Option<CellLiteral<'_>> {
    let place = |argument: &Argument| !matches!(argument, Argument::Name(_));
    match &literal.arguments[..] {
        [column, row, content] if place(column) && place(row) && !matches!(content, Argument::Number(_)) => {
            Some(CellLiteral { column, row, content })
        }
        _ => None,
    }
}

/// How far a cell is from another to the right and up; `None` if they are not tied to each other.
fn apart(from: &CellLiteral, to: &CellLiteral) -> Option<(i64, i64)> {
    let along = |from: &Argument, to: &Argument| match (from, to) {
        (Argument::Variable(a, plus), Argument::Variable(b, more)) if a == b => Some(more - plus),
        (Argument::Number(a), Argument::Number(b)) => Some(b - a),
        _ => None,
    };
    along(from.column, to.column).zip(along(from.row, to.row))
}

/// What the body of a rule says, in English. Columns are counted to the right and rows upwards.
///
/// ```
/// use onlooker::concepts::Heuristic;
/// use onlooker::explain::concept_words;
///
/// let text = "concepts(1). game(g). sum(odds).\nrole(x).\n\
///     evaluation(1) :- cell(A,B,C), cell(A+1,B,C).\nevaluation(1) :- cell(A,B,x), cell(A+1,B+1,x), cell(A+2,B+2,x).\n";
/// let heuristic = Heuristic::parse(text).unwrap();
/// let words = |at: usize| concept_words(&heuristic.roles[0].rules[at].body);
/// assert_eq!(words(0), "a cell and its right neighbour hold the same");
/// assert_eq!(words(1), "a diagonal of three cells next to each other holds x");
/// ```
pub fn concept_words(body: &[Literal]) -> String {
    let cells: Option<Vec<CellLiteral>> = body.iter().map(cell).collect();
    let told = match cells.as_deref() {
        Some([one]) => Some(single(one)),
        Some([one, other]) => pair(one, other),
        Some(line) if line.len() > 2 => in_line(line).or_else(|| several(line)),
        _ => None,
    };
    told.unwrap_or_else(|| {
        let all: Vec<String> = body.iter().map(ToString::to_string).collect();
        if all.is_empty() { "always".to_owned() } else { format!("it holds that {}", all.join(" and ")) }
    })
}

fn content(argument: &Argument) -> String {
    match argument {
        Argument::Name(name) if is_blank(name) => "nothing".to_owned(),
        Argument::Name(name) => name.clone(),
        Argument::Variable(..) => "something".to_owned(),
        Argument::Number(number) => number.to_string(),
    }
}

fn is_blank(name: &str) -> bool {
    ["blank", "b", "empty", "dirt"].contains(&name)
}

fn single(one: &CellLiteral) -> String {
    match (one.column, one.row) {
        (Argument::Number(column), Argument::Number(row)) => {
            format!("the cell in column {column}, row {row} holds {}", content(one.content))
        }
        _ => format!("some cell holds {}", content(one.content)),
    }
}

/// The place of a cell as seen from another: `its right neighbour`.
fn place(dx: i64, dy: i64) -> String {
    let across = if dx > 0 { "right" } else { "left" };
    let up = if dy > 0 { "upper" } else { "lower" };
    match (dx.abs(), dy.abs()) {
        (0, 0) => "the same cell".to_owned(),
        (1, 0) => format!("its {across} neighbour"),
        (0, 1) => format!("its {up} neighbour"),
        (1, 1) => format!("its {up} {across} neighbour"),
        (far, 0) => format!("the cell {far} to its {across}"),
        (0, far) => format!("the cell {far} {} it", if dy > 0 { "above" } else { "below" }),
        (far, same) if far == same => format!("the cell {far} away on the diagonal to the {up} {across}"),
        (x, y) => format!("the cell {x} to its {across} and {y} {}", if dy > 0 { "up" } else { "down" }),
    }
}

fn pair(one: &CellLiteral, other: &CellLiteral) -> Option<String> {
    let (dx, dy) = apart(one, other)?;
    let first = match (one.column, one.row) {
        (Argument::Number(column), Argument::Number(row)) => format!("the cell in column {column}, row {row}"),
        _ => "a cell".to_owned(),
    };
    let second = place(dx, dy);
    Some(if one.content != other.content {
        let (one, other) = (content(one.content), content(other.content));
        format!("{first} holds {one} and {second} holds {other}")
    } else if matches!(one.content, Argument::Variable(..)) {
        format!("{first} and {second} hold the same")
    } else {
        format!("{first} and {second} both hold {}", content(one.content))
    })
}

/// Cells with the same distance from each to the next, in either direction.
fn in_line(line: &[CellLiteral]) -> Option<String> {
    let first = line.first()?;
    let mut places: Vec<(i64, i64)> = line.iter().map(|cell| apart(first, cell)).collect::<Option<_>>()?;
    places.sort();
    let step = (places[1].0 - places[0].0, places[1].1 - places[0].1);
    let even = places.windows(2).all(|two| (two[1].0 - two[0].0, two[1].1 - two[0].1) == step);
    if !even || line.iter().any(|cell| cell.content != first.content) {
        return None;
    }
    let shape = match (step.0.abs(), step.1.abs()) {
        (_, 0) => "a row",
        (0, _) => "a column",
        (x, y) if x == y => "a diagonal",
        _ => return None,
    };
    let count = match line.len() {
        3 => "three".to_owned(),
        4 => "four".to_owned(),
        more => more.to_string(),
    };
    let next = if step.0.abs().max(step.1.abs()) == 1 { " next to each other" } else { " with gaps" };
    let holds = match first.content {
        Argument::Variable(..) => "the same".to_owned(),
        name => content(name),
    };
    Some(format!("{shape} of {count} cells{next} holds {holds}"))
}

fn several(cells: &[CellLiteral]) -> Option<String> {
    let first = cells.first()?;
    let mut parts = vec![format!("{} holds {}", single_place(first), content(first.content))];
    for other in &cells[1..] {
        let (dx, dy) = apart(first, other)?;
        parts.push(format!("{} holds {}", place(dx, dy), content(other.content)));
    }
    let last = parts.pop()?;
    Some(format!("{} and {last}", parts.join(", ")))
}

fn single_place(cell: &CellLiteral) -> String {
    match (cell.column, cell.row) {
        (Argument::Number(column), Argument::Number(row)) => format!("the cell in column {column}, row {row}"),
        _ => "a cell".to_owned(),
    }
}

/// The board that cells are on: the least and the greatest column and row.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Board {
    columns: (i64, i64),
    rows: (i64, i64),
}

/// The largest board that is drawn.
const MOST_SIDE: i64 = 30;

impl<'a> ConceptPage<'a> {
    /// Looks at what the game's facts are, so that pictures can be drawn.
    pub fn new<G: Game>(game: &G, heuristic: &'a Heuristic) -> ConceptPage<'a> {
        let vocabulary = Vocabulary::new(game);
        let table = FactTable::new(vocabulary.terms());
        ConceptPage { heuristic, vocabulary, table }
    }

    /// The strongest rules of a role, which are printed, and how many there are. A constant tells nothing.
    fn told<'r>(&self, rules: &'r [Rule]) -> (Vec<&'r Rule>, usize) {
        let speak = || rules.iter().filter(|rule| !rule.body.is_empty());
        (speak().take(TOLD).collect(), speak().count())
    }

    fn worth(&self, rule: &Rule) -> String {
        match self.heuristic.sum {
            Sum::Odds => format!("{} {:.2}", if rule.value < 0.0 { "against" } else { "for" }, rule.value.abs()),
            Sum::Frequencies => format!("{:.4}", rule.value),
        }
    }

    /// Names of places on the game's own board.
    fn shape_name(&self, body: &[Literal]) -> Option<&'static str> {
        let [literal] = body else { return None };
        let (board, cell) = (self.board(&literal.name)?, cell(literal)?);
        let (Argument::Number(column), Argument::Number(row)) = (cell.column, cell.row) else { return None };
        let (sides, ends) = (board.columns, board.rows);
        let middle = |at: i64, (least, most): (i64, i64)| 2 * at == least + most;
        let edge = |at: i64, (least, most): (i64, i64)| at == least || at == most;
        match (edge(*column, sides), edge(*row, ends)) {
            (true, true) => Some("a corner"),
            (false, false) if middle(*column, sides) && middle(*row, ends) => Some("the centre"),
            (true, false) | (false, true) => Some("on the edge"),
            _ => None,
        }
    }

    fn words(&self, rule: &Rule) -> String {
        let words = concept_words(&rule.body);
        self.shape_name(&rule.body).map_or(words.clone(), |name| format!("{words} ({name})"))
    }

    /// Plain text for a terminal.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "What decides {}", self.heuristic.game);
        for (what, value) in &self.heuristic.learnt {
            let _ = writeln!(out, "  {what}: {value}");
        }
        for role in &self.heuristic.roles {
            let (told, all) = self.told(&role.rules);
            let _ = writeln!(out, "\n{}: the strongest {} of {} rules", role.role, told.len(), all);
            for rule in told {
                let note = if rule.note.is_empty() { String::new() } else { format!("  ({})", rule.note) };
                let _ = writeln!(out, "  {:>13}  {}{note}", self.worth(rule), self.words(rule));
            }
        }
        out
    }

    /// One page that needs no other file and no network.
    pub fn html(&self) -> String {
        let game = escaped(&self.heuristic.game);
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\"/>\n<title>{game}: concepts</title>\n<style>\n{STYLE}</style>\n\
             </head>\n<body>\n<main>\n<h1>What decides {game}</h1>\n"
        );
        let _ = writeln!(out, "<details><summary>What this was learnt from</summary>\n<dl>");
        for (what, value) in &self.heuristic.learnt {
            let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escaped(what), escaped(value));
        }
        let _ = writeln!(out, "</dl></details>");
        for role in &self.heuristic.roles {
            let (told, all) = self.told(&role.rules);
            let _ = writeln!(
                out,
                "<h2>{}</h2>\n<p>The strongest {} of {} rules.</p>\n<div class=\"rules\">",
                escaped(&role.role),
                told.len(),
                all
            );
            told.into_iter().for_each(|rule| self.article(&mut out, rule));
            let _ = writeln!(out, "</div>");
        }
        let _ = write!(
            out,
            "<details>\n<summary>All rules, as a file</summary>\n<pre>{}</pre>\n</details>\n\
             <footer>Learnt and told by Onlooker.</footer>\n</main>\n</body>\n</html>\n",
            escaped(&self.heuristic.to_string())
        );
        out
    }

    fn article(&self, out: &mut String, rule: &Rule) {
        let class = if rule.value < 0.0 { "against" } else { "for" };
        let _ = writeln!(out, "<article class=\"{class}\">\n{}", self.picture(rule).unwrap_or_default());
        let _ = writeln!(out, "<p><b>{}</b> {}</p>", escaped(&self.worth(rule)), escaped(&self.words(rule)));
        if !rule.note.is_empty() {
            let _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(&rule.note));
        }
        let body: Vec<String> = rule.body.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "<code>{}</code>\n</article>", escaped(&body.join(", ")));
    }

    fn board(&self, name: &str) -> Option<Board> {
        let mut board: Option<Board> = None;
        for term in self.vocabulary.terms() {
            let literal = Literal::of_term(term);
            let Some(cell) = cell(&literal).filter(|_| literal.name == name) else { continue };
            let (Argument::Number(column), Argument::Number(row)) = (cell.column, cell.row) else { continue };
            let wider = |(least, most): (i64, i64), at: i64| (least.min(at), most.max(at));
            board = Some(match board {
                None => Board { columns: (*column, *column), rows: (*row, *row) },
                Some(known) => Board { columns: wider(known.columns, *column), rows: wider(known.rows, *row) },
            });
        }
        board.filter(|board| board.columns.1 - board.columns.0 < MOST_SIDE && board.rows.1 - board.rows.0 < MOST_SIDE)
    }

    /// The rule on a board: one place in full in the middle of all, and how many places each cell belongs to as a shade.
    fn picture(&self, rule: &Rule) -> Option<String> {
        let name = &rule.body.first().filter(|literal| cell(literal).is_some())?.name;
        let board = self.board(name)?;
        let places = self.table.instances(&rule.body, MOST_PLACES).found;
        let at = |fact: &FactId| {
            let literal = Literal::of_term(&self.vocabulary.terms()[fact.index()]);
            let cell = cell(&literal)?;
            match (cell.column, cell.row) {
                (Argument::Number(column), Argument::Number(row)) => Some((*column, *row, content(cell.content))),
                _ => None,
            }
        };
        let places: Vec<Vec<(i64, i64, String)>> =
            places.iter().filter_map(|facts| facts.iter().map(at).collect()).collect();
        let off = |place: &Vec<(i64, i64, String)>| -> i64 {
            let from = |at: i64, (least, most): (i64, i64)| (2 * at - least - most).abs();
            place.iter().map(|(column, row, _)| from(*column, board.columns).max(from(*row, board.rows))).sum()
        };
        let shown = places.iter().min_by_key(|place| off(place))?;
        let (width, height) = (board.columns.1 - board.columns.0 + 1, board.rows.1 - board.rows.0 + 1);
        let words = escaped(&self.words(rule));
        let mut svg =
            format!("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{words}\">", width * 10, height * 10);
        let most = places.len().max(1) as f64;
        for row in 0..height {
            for column in 0..width {
                let (x, y) = (column + board.columns.0, row + board.rows.0);
                let covered = places.iter().filter(|place| place.iter().any(|cell| (cell.0, cell.1) == (x, y))).count();
                let shade = if places.len() > 1 { covered as f64 / most } else { 0.0 };
                let _ = write!(
                    svg,
                    "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" style=\"--s:{shade:.2}\"/>",
                    column * 10,
                    (height - 1 - row) * 10
                );
            }
        }
        for (column, row, mark) in shown {
            let (x, y) = ((column - board.columns.0) * 10 + 5, (height - 1 - (row - board.rows.0)) * 10 + 5);
            let mark = if mark == "nothing" { "·".to_owned() } else { mark.chars().take(3).collect() };
            let size = if mark.chars().count() > 1 { 4 } else { 7 };
            let _ = write!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"4.4\"/><text x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{}</text>",
                escaped(&mark)
            );
        }
        svg.push_str("</svg>");
        Some(svg)
    }
}

const STYLE: &str = include_str!("concepts.css");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::catalogue_game;

    fn heuristic(bodies: &[&str]) -> Heuristic {
        let rules: Vec<String> =
            bodies.iter().map(|body| format!("evaluation(0.5) :- {body}. % in 7 games\n")).collect();
        Heuristic::parse(&format!("concepts(1). game('tic-tac-toe'). sum(odds).\nrole(x).\n{}", rules.concat()))
            .unwrap()
    }

    #[test]
    fn shapes_have_names() {
        for (body, words) in [
            ("cell(2,2,x)", "the cell in column 2, row 2 holds x"),
            ("cell(A,B,x), cell(A,B+1,x)", "a cell and its upper neighbour both hold x"),
            ("cell(A,B,x), cell(A+1,B-1,o)", "a cell holds x and its lower right neighbour holds o"),
            ("cell(A,B,x), cell(A+2,B+1,blank)", "a cell holds x and the cell 2 to its right and 1 up holds nothing"),
            ("cell(A,B,C), cell(A,B+1,C), cell(A,B+2,C)", "a column of three cells next to each other holds the same"),
            ("cell(A,B,x), cell(A+1,B,x), cell(A-1,B,x)", "a row of three cells next to each other holds x"),
            (
                "cell(A,B,x), cell(A+1,B,o), cell(A+1,B+1,x)",
                "a cell holds x, its right neighbour holds o and its upper right neighbour holds x",
            ),
            ("done", "it holds that done"),
        ] {
            assert_eq!(concept_words(&heuristic(&[body]).roles[0].rules[0].body), words);
        }
    }

    #[test]
    fn the_page_shows_boards_and_names_places() {
        let game = catalogue_game("tic-tac-toe").unwrap();
        let heuristic = heuristic(&["cell(2,2,'X')", "cell(1,3,o)", "cell(A,B,'X'), cell(A+1,B,'X')", "odd('<b>')"]);
        let page = ConceptPage::new(&game, &heuristic);
        let (text, html) = (page.text(), page.html());
        for words in ["holds X (the centre)", "holds o (a corner)", "its right neighbour both hold X", "in 7 games"] {
            assert!(text.contains(words) && html.contains(words), "{text}");
        }
        assert_eq!(html.matches("<svg").count(), 3);
        assert!(!html.contains("<b>')"), "names are escaped");
        let picture = page.picture(&heuristic.roles[0].rules[2]).unwrap();
        let drawing = roxmltree::Document::parse(&picture).unwrap();
        let count = |tag: &str| drawing.descendants().filter(|node| node.has_tag_name(tag)).count();
        assert_eq!((count("rect"), count("circle")), (9, 2));
    }
}
