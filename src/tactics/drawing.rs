//! Rules and lost games as pictures: SVG boards, and pages of HTML around them.

use super::back_up::Mover;
use super::language::Name;
use super::learner::{Lesson, Step};
use super::library::Library;
use super::picture::{Place, describe_rule, place_of};
use super::piece_board::{Letters, letters, pieces_of_rule};
use super::recognition::{RecognitionRule, Status};
use super::state::State;
use super::system::UpdateSystem;
use std::fmt::Write;

/// What lies on a square of a drawing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Own,
    Other,
    Empty,
    Move,
    Threat,
    Piece(char),
}

/// The side of a square.
const CELL: usize = 26;
/// How many squares around what matters are shown.
const AROUND: usize = 1;

/// A rule as an SVG board, cut to the part that matters: own stones black, the opponent's white, the move with a ring, squares on which the win may
/// go on with a cross, others that must be empty with a dot. `None` if the system has no board.
pub fn draw_rule(system: &UpdateSystem, rule: &RecognitionRule) -> Option<String> {
    if system.has_moves {
        return draw_letters(system, &pieces_of_rule(system, rule)?, &rule.name);
    }
    let place = place_of(system, rule)?;
    let Place { board: (width, height), squares, stones, empty, square, threats } = &place;
    let mark = |name: &Name| match name {
        name if name == square => Some(Mark::Move),
        name if stones[0].contains(name) => Some(Mark::Own),
        name if stones[1].contains(name) => Some(Mark::Other),
        name if threats.contains(name) => Some(Mark::Threat),
        name if empty.contains(name) => Some(Mark::Empty),
        _ => None,
    };
    let marks: Vec<Option<Mark>> = squares.iter().map(mark).collect();
    Some(board(*width, *height, &marks, None, &rule.name))
}

/// A board with letters for pieces, the square that the move goes to with a ring.
fn draw_letters(system: &UpdateSystem, shown: &Letters, title: &str) -> Option<String> {
    let (width, height) = system.board?;
    let marks: Vec<Option<Mark>> = (0..shown.letters.len())
        .map(|at| shown.letters[at].map(Mark::Piece).or(shown.moved.contains(&at).then_some(Mark::Empty)))
        .collect();
    Some(board(width, height, &marks, shown.moved.last().copied(), title))
}

/// A board with marks, one of them with a ring, cut to the squares that have a mark and their neighbours.
fn board(width: usize, height: usize, marks: &[Option<Mark>], ringed: Option<usize>, title: &str) -> String {
    let marked = || (0..marks.len()).filter(|&at| marks[at].is_some()).map(|at| (at % width, at / width));
    let range = |values: Vec<usize>, most: usize| {
        let (least, greatest) =
            (values.iter().min().copied().unwrap_or(0), values.iter().max().copied().unwrap_or(most - 1));
        (least.saturating_sub(AROUND), (greatest + AROUND).min(most - 1))
    };
    let (left, right) = range(marked().map(|(x, _)| x).collect(), width);
    let (bottom, top) = range(marked().map(|(_, y)| y).collect(), height);
    let (columns, rows) = (right - left + 1, top - bottom + 1);
    let (wide, high) = ((columns + 1) * CELL, (rows + 1) * CELL);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\"><title>{}</title>\n",
        escaped(title)
    );
    let middle = |x: usize, y: usize| ((x - left + 1) * CELL + CELL / 2, (top - y) * CELL + CELL / 2);
    for y in bottom..=top {
        let (_, cy) = middle(left, y);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\" fill=\"#555\">{}</text>", CELL / 2, cy + 4, y + 1);
        for x in left..=right {
            let (cx, cy) = middle(x, y);
            let (x0, y0) = (cx - CELL / 2, cy - CELL / 2);
            let _ = writeln!(
                svg,
                "<rect x=\"{x0}\" y=\"{y0}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"#f3e3c3\" stroke=\"#b79a6a\"/>"
            );
            let (a, b) = (CELL / 2 - 3, CELL / 2 - 7);
            let _ = match marks[y * width + x] {
                Some(Mark::Own) => writeln!(svg, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{a}\" fill=\"#222\"/>"),
                Some(Mark::Other) => {
                    writeln!(svg, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{a}\" fill=\"#fff\" stroke=\"#222\"/>")
                }
                Some(Mark::Move) => writeln!(
                    svg,
                    "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{a}\" fill=\"none\" stroke=\"#c0392b\" stroke-width=\"3\"/>"
                ),
                Some(Mark::Threat) => writeln!(
                    svg,
                    "<path d=\"M{} {}l{s} {s}m0 -{s}l-{s} {s}\" stroke=\"#c0392b\" stroke-width=\"2\" fill=\"none\"/>",
                    cx - b,
                    cy - b,
                    s = 2 * b
                ),
                Some(Mark::Piece(letter)) => writeln!(
                    svg,
                    "<text x=\"{cx}\" y=\"{}\" font-size=\"18\" fill=\"{}\">{}</text>",
                    cy + 6,
                    if letter.is_uppercase() { "#1a1a1a" } else { "#a02020" },
                    letter.to_uppercase()
                ),
                Some(Mark::Empty) => writeln!(svg, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"3\" fill=\"#2e7d32\"/>"),
                None => Ok(()),
            };
            if ringed == Some(y * width + x) {
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{a}\" fill=\"none\" stroke=\"#c0392b\" stroke-width=\"3\"/>"
                );
            }
        }
    }
    for x in left..=right {
        let (cx, cy) = middle(x, bottom);
        let file = char::from(b'a' + (x % 26) as u8);
        let _ = writeln!(svg, "<text x=\"{cx}\" y=\"{}\" fill=\"#555\">{file}</text>", cy + CELL / 2 + 16);
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "body{font:15px/1.45 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}\
section{display:flex;gap:1.5em;align-items:flex-start;border-top:1px solid #ddd;padding:1em 0;flex-wrap:wrap}\
section>div{flex:1;min-width:20em}h2{margin:0 0 .3em;font-size:1.1em}pre{white-space:pre-wrap;font-size:12px;background:#f7f7f7;padding:.6em}\
.legend{color:#555}";

const RULE_LEGEND: &str = "Black: stones of the player to move. White: the opponent's. Ring: the move. Cross: where it threatens to go on. Dot: \
                           must be empty.";
const PIECES_LEGEND: &str = "Black letters: pieces of the player to move (of the winner in a game). Red letters: the opponent's. Ring: where the \
                             move goes. Dot: where it comes from.";
const GAME_LEGEND: &str = "Black: the winner's stones. White: the loser's. Ring: the move that was just played.";

/// The start of a page, with what the marks mean.
fn page(title: &str, legend: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}</style></head>\n\
         <body><h1>{title}</h1>\n<p class=\"legend\">{legend}</p>\n"
    )
}

/// All rules of a library as a page of HTML.
pub fn draw_library(game: &str, system: &UpdateSystem, library: &Library) -> String {
    let legend = if system.has_moves { PIECES_LEGEND } else { RULE_LEGEND };
    let mut html = page(&format!("Tactics of {game}"), legend);
    if library.rules.is_empty() {
        html.push_str("<p>no rules</p>\n");
    }
    for rule in &library.rules {
        let status = match rule.status {
            Status::Proved => "proved for every place on the board",
            Status::PerPosition => "proved in each position before it is played",
            Status::Unproved => "not proved: it only orders moves",
        };
        let words = describe_rule(system, rule);
        // The board is drawn, so that the one of letters is left out.
        let words: Vec<&str> = words
            .lines()
            .skip(1)
            .take_while(|line| !line.starts_with("    ") || line.contains(' ') && !is_rank(line))
            .collect();
        let _ = writeln!(
            html,
            "<section>{}<div><h2>{}: {} in {}</h2><p>{status}. Learnt from {}.</p><pre>{}</pre></div></section>",
            draw_rule(system, rule).unwrap_or_default(),
            escaped(&rule.name),
            rule.event.map_or_else(|| "wins".to_owned(), |event| escaped(system.names.text(event))),
            counted(rule.depth),
            escaped(&rule.learnt),
            escaped(&words.join("\n"))
        );
    }
    html.push_str("</body></html>\n");
    html
}

/// Whether a line is a row of a board of letters.
fn is_rank(line: &str) -> bool {
    line.trim_start().split(' ').next().is_some_and(|word| word.parse::<u32>().is_ok())
}

/// The explanation of a lost game, step by step from its beginning, in words.
pub fn explain_lesson(system: &UpdateSystem, lesson: &Lesson) -> Vec<String> {
    let text = |name: Name| system.names.text(name);
    let (what, the) = match lesson.event {
        Some(event) => (format!("bring about {}", text(event)), format!("the {}", text(event))),
        None => ("win".to_owned(), "the win".to_owned()),
    };
    let (winner, loser) = (text(lesson.winner), text(system.other(lesson.winner)));
    let mut said = Vec::new();
    let first = lesson.steps.iter().map(|step| step.turn).min().unwrap_or(1);
    if first > 1 {
        said.push(format!("Moves 1 to {}: nothing was forced yet.", first - 1));
    }
    for step in lesson.steps.iter().rev() {
        let square = lesson.moves.get(step.turn - 1).map_or("?", |&(_, square)| text(square));
        said.push(match step.mover {
            Mover::Winner => of_winner(system, step, winner, square),
            Mover::Loser => match &step.reason {
                reason if (system.has_moves || reason.is_none()) && every_reply_lost(lesson, step) => format!(
                    "Move {}: {loser} played {square}; every reply would have lost as much: the move before it had decided that.",
                    step.turn
                ),
                // Whoever does not take the square where the other wins next has not seen it, or has no choice.
                Some(reason) if reason.threat.depth == 1 && text(reason.threat.square) != square => format!(
                    "Move {}: {loser} played {square}, which leaves {winner} {the} with {}.",
                    step.turn,
                    text(reason.threat.square)
                ),
                Some(reason) => format!(
                    "Move {}: {loser} played {square}. It had to answer at once: {winner} threatened to {what} in {} with {}.",
                    step.turn,
                    counted(reason.threat.depth),
                    text(reason.threat.square)
                ),
                None => format!(
                    "Move {}: {loser} played {square}, and no rule says that it had to: here it could have played otherwise.",
                    step.turn
                ),
            },
        });
    }
    said
}

/// Whether the winner's move before a step is one of a rule with a proof.
fn every_reply_lost(lesson: &Lesson, step: &Step) -> bool {
    let before = lesson.steps.iter().find(|before| before.turn + 1 == step.turn);
    before
        .and_then(|before| before.rule.as_ref())
        .is_some_and(|(rule, _)| rule.proof.is_some() && rule.status != Status::Unproved)
}

fn counted(moves: u32) -> String {
    format!("{moves} {}", if moves == 1 { "move" } else { "moves" })
}

fn of_winner(system: &UpdateSystem, step: &Step, winner: &str, square: &str) -> String {
    let of = |rule: &RecognitionRule, win: &str, bring: &str| match rule.event {
        Some(event) => format!("{bring} about {}", system.names.text(event)),
        None => win.to_owned(),
    };
    match &step.rule {
        Some((rule, _)) if rule.depth == 1 => {
            format!("Move {}: {winner} played {square} and {}.", step.turn, of(rule, "won", "brought"))
        }
        Some((rule, _)) => {
            let sure = if rule.status == Status::Unproved { "which nobody has proved" } else { "against every reply" };
            let wins = of(rule, "wins", "brings");
            format!("Move {}: {winner} played {square}, which {wins} in {}, {sure}.", step.turn, counted(rule.depth))
        }
        None => match step.escape {
            Some(escape) => format!(
                "Move {}: {winner} played {square}. After {} nothing as good was found, so that this forced nothing.",
                step.turn,
                system.names.text(escape)
            ),
            None => format!("Move {}: {winner} played {square}.", step.turn),
        },
    }
}

/// The same as a page of HTML, with the position after each move.
pub fn draw_lesson(system: &UpdateSystem, lesson: &Lesson, start: &State) -> String {
    let legend = if system.has_moves { PIECES_LEGEND } else { GAME_LEGEND };
    let mut html = page(&format!("How {} lost", system.names.text(system.other(lesson.winner))), legend);
    let said = explain_lesson(system, lesson);
    let steps: Vec<usize> = lesson.steps.iter().rev().map(|step| step.turn).collect();
    let without = said.len() - steps.len();
    for (at, sentence) in said.iter().enumerate() {
        let turn = if at < without { None } else { steps.get(at - without).copied() };
        let drawing =
            turn.and_then(|turn| position(system, start, &lesson.moves[..turn], lesson.winner)).unwrap_or_default();
        let _ = writeln!(html, "<section>{drawing}<div><p>{}</p></div></section>", escaped(sentence));
    }
    html.push_str("</body></html>\n");
    html
}

/// The stones after moves, the last one with a ring.
fn position(system: &UpdateSystem, start: &State, moves: &[(Name, Name)], winner: Name) -> Option<String> {
    let (width, height) = system.board?;
    if system.has_moves {
        let mut state = start.clone();
        for &(player, square) in moves {
            state = state.play(system, square, player)?.0;
        }
        let last = moves.last().map(|&(_, square)| square);
        let title = format!("after move {}", moves.len());
        return draw_letters(system, &letters(system, &state.facts, last, winner)?, &title);
    }
    let squares = super::geometry::squares(width, height);
    let mut marks: Vec<Option<Mark>> = vec![None; squares.len()];
    let at = |square: Name| squares.iter().position(|name| name == system.names.text(square));
    let of = |player: Name| if player == winner { Mark::Own } else { Mark::Other };
    for fact in &start.facts {
        if let [square, player] = fact.arguments[..]
            && system.players.contains(&player)
            && let Some(at) = at(square)
        {
            marks[at] = Some(of(player));
        }
    }
    for &(player, square) in moves {
        marks[at(square)?] = Some(of(player));
    }
    let title = format!("after move {}", moves.len());
    let last = moves.last().and_then(|&(_, square)| at(square));
    Some(board(width, height, &marks, last, &title))
}
