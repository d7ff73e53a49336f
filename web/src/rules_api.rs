//! Rules to read and to change: the explanation, diagrams that answer, the editor's errors, and other languages to take away.

use crate::error::{Answer, ApiError};
use crate::games::{LoadedGame, problems};
use crate::position_view::{ClickPath, board};
use crate::store::Kind;
use onlooker::board::{Cell, Player, Position, Square};
use onlooker::explain::Explanation;
use onlooker::export::{dot, gdl, pddl};
use onlooker::game::AnyGame;
use onlooker::gdl::Program;
use onlooker::rules::{Place, Rules};
use serde::Deserialize;
use serde_json::{Value, json};

/// A text in the editor.
#[derive(Debug, Deserialize)]
pub struct Draft {
    pub text: String,
    /// Whether it is a rule sheet.
    #[serde(default)]
    pub sheet: bool,
    /// Where the cursor is, in characters as the page counts them.
    #[serde(default)]
    pub cursor: usize,
}

/// What is wrong with a draft, and what the piece under the cursor does.
pub fn check(draft: &Draft) -> Answer<Value> {
    let text = draft.text.as_str();
    if draft.sheet {
        let error = Program::read(text).err().map(onlooker::game::GameError::Sheet);
        let problems = error.map(|error| problems(text, &error)).unwrap_or_default();
        return Ok(json!({ "problems": problems, "movement": null }));
    }
    let rules = match Rules::parse(text) {
        Err(error) => {
            let problems = problems(text, &onlooker::game::GameError::Rules(error));
            return Ok(json!({ "problems": problems, "movement": null }));
        }
        Ok(rules) => rules,
    };
    // What can be read can still be too large to run.
    let problems = match AnyGame::from_rules(text) {
        Ok(_) => Vec::new(),
        Err(error) => problems(text, &error),
    };
    let movement = movement_at(text, draft.cursor).and_then(|number| Explanation::new(&rules).movement(number));
    let movement = movement.map(|picture| {
        let boards: Vec<Value> =
            picture.boards.iter().map(|(caption, svg)| json!({ "caption": caption, "svg": svg })).collect();
        json!({ "title": picture.title, "sentences": picture.sentences, "boards": boards })
    });
    Ok(json!({ "problems": problems, "movement": movement, "name": rules.name, "board": board(&rules.setup) }))
}

/// The movement whose line the cursor is in, by its number.
fn movement_at(text: &str, cursor: usize) -> Option<usize> {
    let mut units = 0;
    let at = text.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > cursor
    });
    let at = at.map_or(text.len(), |(at, _)| at);
    let line_start = text[..at].rfind('\n').map_or(0, |before| before + 1);
    let line_end = text[at..].find('\n').map_or(text.len(), |after| at + after);
    Rules::places(text).into_iter().find_map(|(place, span)| match place {
        Place::Movement(number) if span.start < line_end.max(line_start + 1) && line_start < span.end => Some(number),
        _ => None,
    })
}

/// Pieces that somebody put on a board, and a square that was clicked on.
#[derive(Debug, Deserialize)]
pub struct Diagram {
    /// What is on the squares, row by row from the bottom.
    pub cells: Vec<String>,
    pub square: u16,
}

/// The position of a board that the page has drawn.
pub fn position(rules: &Rules, cells: &[String]) -> Answer<Position> {
    let shape = rules.setup.shape();
    if cells.len() != shape.squares() {
        return Err(ApiError::bad(format!("found {} squares, expected {}", cells.len(), shape.squares())));
    }
    let mut position = rules.setup.clone();
    let known = rules.pieces();
    for (square, name) in shape.all().zip(cells) {
        let cell = match name.as_str() {
            "." => Cell::EMPTY,
            "#" => Cell::HOLE,
            name => Cell::named(name).map_err(ApiError::bad)?,
        };
        let was_hole = rules.setup.at(square) == Cell::HOLE;
        let fits = cell == Cell::EMPTY
            || cell == Cell::HOLE
            || cell == Cell::WALL
            || cell.piece().is_some_and(|piece| known.contains(&piece));
        if !fits || (cell == Cell::HOLE) != was_hole {
            return Err(ApiError::bad(format!("{cell} cannot stand on {}", shape.name(square))));
        }
        position.set(square, cell);
    }
    Ok(position)
}

/// So many beginnings of moves are looked at for one square.
const MOST_STEPS: usize = 200_000;

/// Where the piece on a square would go, whoever's turn it is and whether or not the game is over.
pub fn reach(loaded: &LoadedGame, diagram: &Diagram) -> Answer<Value> {
    let rules = loaded.rules().ok_or_else(|| ApiError::bad("a rule sheet has no diagrams"))?;
    let position = position(rules, &diagram.cells)?;
    let square = Square(diagram.square);
    if square.index() >= position.shape().squares() {
        return Err(ApiError::bad("there is no such square"));
    }
    let players: Vec<Player> = match position.at(square).owner() {
        Some(owner) => vec![owner],
        None => rules.sides().collect(),
    };
    let mut found = Vec::new();
    for player in players {
        let words = rules.words(player, &position, MOST_STEPS);
        let words = words.ok_or_else(|| ApiError::bad("there are too many moves in this position to show them"))?;
        for (start, word) in words.into_iter().filter(|(start, _)| *start == square) {
            let path = ClickPath::of_word(&position, start, &word);
            let captures =
                path.clicks.last().is_some_and(|&end| end != square.0 && position.at(Square(end)).owner().is_some());
            found.push(json!({ "clicks": path.clicks, "taken": path.taken, "puts": path.puts, "captures": captures, "word": word.to_string() }));
        }
    }
    Ok(json!({ "moves": found }))
}

/// Rules in another form, with the kind of its content and a name for the file.
pub fn export(loaded: &LoadedGame, to: &str) -> Answer<(String, &'static str, String)> {
    let name = onlooker::game::Game::name(&*loaded.game);
    let text = "text/plain; charset=utf-8";
    let Some(rules) = loaded.rules() else {
        return match to {
            "kif" => Ok((loaded.text.clone(), text, format!("{name}.kif"))),
            _ => Err(ApiError::bad("a rule sheet can be had only as it is")),
        };
    };
    Ok(match to {
        "rules" => (loaded.text.clone(), text, format!("{name}.rules")),
        "kif" => (gdl(rules).map_err(ApiError::bad)?, text, format!("{name}.kif")),
        "dot" => (dot(rules), text, format!("{name}.dot")),
        "pddl" => {
            let first = rules.moves.iter().find(|movement| movement.side.is_for(Player::First));
            let first = first.ok_or_else(|| ApiError::bad("the first player has no turns"))?;
            let planning =
                pddl(rules, Player::First, first.start_for(Player::First), &rules.setup).map_err(ApiError::bad)?;
            (format!("{}\n{}", planning.domain, planning.problem), text, format!("{name}.pddl"))
        }
        "svg" => (Explanation::new(rules).svg(), "image/svg+xml", format!("{name}.svg")),
        "html" => (Explanation::new(rules).html(), "text/html; charset=utf-8", format!("{name}.html")),
        _ => return Err(ApiError::missing("expected rules, kif, pddl, dot, svg or html")),
    })
}

/// What kind of text an editor would have of a game.
pub fn source_kind(loaded: &LoadedGame) -> Kind {
    if loaded.rules().is_some() { Kind::Rules } else { Kind::Sheet }
}
