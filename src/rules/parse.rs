//! Rules read from text.

use super::definition::is_name;
use super::tokens::{Line, Problem, Read, Token, Tokens};
use super::{
    Area, Balance, Bound, Condition, Ending, Movement, Place, Provenance, Rules, Side, Start, Verdict, Ways, Whose,
    Zone,
};
use crate::board::{Piece, Player, Position, Shape};
use std::ops::Range;

/// A text that is not a game's rules: the text, and everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>().join("; "))]
pub struct ParseError {
    /// What was refused.
    pub text: String,
    /// Why, in the order of the text; never empty.
    pub problems: Vec<Problem>,
}

impl Rules {
    /// Reads the text form. Every line is read whatever is wrong with the others, so that all problems are reported
    /// at once.
    ///
    /// # Errors
    ///
    /// [`ParseError`] with every problem of the text and its place.
    pub fn parse(text: &str) -> Result<Rules, ParseError> {
        let mut reader = RulesReader::new(text);
        lines(text).for_each(|line| reader.line(line));
        let mut problems = std::mem::take(&mut reader.problems);
        let (rules, places) = reader.finish(&mut problems);
        // Flaws in what was only half understood would be noise.
        if problems.is_empty() {
            let place = |place: Place| places.iter().find(|(p, _)| *p == place).map_or(0..0, |(_, span)| span.clone());
            let flaws = rules.flaws().into_iter();
            problems.extend(flaws.map(|flaw| Problem { span: place(flaw.place), message: flaw.reason }));
        }
        if problems.is_empty() {
            return Ok(rules);
        }
        problems.sort_by_key(|problem| problem.span.start);
        Err(ParseError { text: text.to_owned(), problems })
    }
}

impl Rules {
    /// Where the parts of a text stand, in the order of the text, as far as it can be read: the bytes of each.
    ///
    /// ```
    /// use onlooker::rules::{Place, Rules};
    ///
    /// let text = include_str!("../../games/breakthrough.rules");
    /// let places = Rules::places(text);
    /// let (_, span) = places.iter().find(|(place, _)| *place == Place::Movement(0)).unwrap();
    /// assert!(text[span.clone()].starts_with("P  "));
    /// ```
    pub fn places(text: &str) -> Vec<(Place, Range<usize>)> {
        let mut reader = RulesReader::new(text);
        lines(text).for_each(|line| reader.line(line));
        let (_, mut places) = reader.finish(&mut Vec::new());
        places.sort_by_key(|(_, span)| span.start);
        places
    }
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |whole| {
        let begin = at;
        at += whole.len();
        // A byte order mark is no letter of the first line.
        let raw = whole.trim_end().trim_start_matches('\u{feff}');
        let begin = begin + (whole.trim_end().len() - raw.len());
        let comment = raw.match_indices(';').map(|(i, _)| i).find(|&i| i == 0 || raw[..i].ends_with([' ', '\t']));
        let text = raw[..comment.unwrap_or(raw.len())].trim_end();
        let inner = text.trim_start();
        let indent = text.len() - inner.len();
        let line = Line { text: inner, at: begin + indent, indented: indent > 0, raw: raw.trim_start() };
        (!inner.is_empty()).then_some(line)
    })
}

/// The section that a line belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    None,
    Board,
    Zones,
    Moves(Side),
    Ending(Side),
    Learnt,
}

struct RulesReader<'a> {
    name: Option<String>,
    about: String,
    players: Vec<String>,
    rows: Vec<Line<'a>>,
    zones: Vec<Zone>,
    /// A movement's line, and those that go on with it.
    moves: Vec<(Side, Vec<Line<'a>>)>,
    endings: Vec<Ending>,
    learnt: Option<Provenance>,
    section: Section,
    places: Vec<(Place, Range<usize>)>,
    problems: Vec<Problem>,
    end: usize,
}

impl<'a> RulesReader<'a> {
    fn new(text: &str) -> RulesReader<'a> {
        RulesReader {
            name: None,
            about: String::new(),
            players: Vec::new(),
            rows: Vec::new(),
            zones: Vec::new(),
            moves: Vec::new(),
            endings: Vec::new(),
            learnt: None,
            section: Section::None,
            places: Vec::new(),
            problems: Vec::new(),
            end: text.trim_end().len(),
        }
    }

    fn line(&mut self, line: Line<'a>) {
        let read = if line.indented { self.entry(line) } else { self.heading(line) };
        self.problems.extend(read.err());
    }

    fn heading(&mut self, line: Line<'a>) -> Read<()> {
        let (keyword, rest) = line.text.split_once([' ', '\t']).unwrap_or((line.text, ""));
        let rest = rest.trim();
        let refuse = |message: String| Err(Problem { span: line.span(), message });
        self.section = match (keyword, rest) {
            ("game", name) if is_name(name) && self.name.is_none() => {
                self.name = Some(name.to_owned());
                self.places.push((Place::Name, line.span()));
                Section::None
            }
            ("game", _) => {
                return refuse(
                    "expected one name of letters, digits, '-' and '_', as in: game breakthrough".to_owned(),
                );
            }
            ("about", _) => {
                self.about = line.raw["about".len()..].trim().to_owned();
                Section::None
            }
            ("players", names) => {
                self.players = names.split_whitespace().map(str::to_owned).collect();
                self.places.push((Place::Players, line.span()));
                Section::None
            }
            ("board", "") => {
                self.places.push((Place::Setup, line.span()));
                Section::Board
            }
            ("zones", "") => Section::Zones,
            ("moves", whose) => Section::Moves(self.side(whose, line)?),
            ("ending", whose) => {
                self.places.push((Place::Endings, line.span()));
                Section::Ending(self.side(whose, line)?)
            }
            ("learnt", "") => {
                self.places.push((Place::Learnt, line.span()));
                self.learnt.get_or_insert_default();
                Section::Learnt
            }
            _ => {
                return refuse(format!(
                    "found {:?}, expected game, about, players, board, zones, moves, ending or learnt (what belongs to a section is indented)",
                    line.text
                ));
            }
        };
        Ok(())
    }

    /// Whom a section is for: everybody, or the player named after `of`.
    fn side(&self, whose: &str, line: Line) -> Read<Side> {
        if whose.is_empty() {
            return Ok(Side::Both);
        }
        let name = whose.strip_prefix("of ").map(str::trim);
        match self.players.iter().position(|player| Some(player.as_str()) == name) {
            Some(0) => Ok(Side::Only(Player::First)),
            Some(1) => Ok(Side::Only(Player::Second)),
            _ => {
                let message = format!(
                    "found {whose:?}, expected nothing or 'of' and one of the players: {}",
                    self.players.join(", ")
                );
                Err(Problem { span: line.span(), message })
            }
        }
    }

    fn entry(&mut self, line: Line<'a>) -> Read<()> {
        match self.section {
            Section::None => {
                let message = "expected a section (board, zones, moves, ending or learnt) before this line".to_owned();
                return Err(Problem { span: line.span(), message });
            }
            Section::Board => self.rows.push(line),
            Section::Zones => {
                self.places.push((Place::Zone(self.zones.len()), line.span()));
                let zone = zone(line)?;
                self.zones.push(zone);
            }
            Section::Moves(_) if line.text.starts_with('|') && !self.moves.is_empty() => {
                self.moves.last_mut().expect("there is a movement to go on with").1.push(line);
            }
            Section::Moves(side) => self.moves.push((side, vec![line])),
            Section::Ending(side) => {
                self.places.push((Place::Ending(self.endings.len()), line.span()));
                let ending = ending(side, line)?;
                self.endings.push(ending);
            }
            Section::Learnt => self.learnt.get_or_insert_default().read(line)?,
        }
        Ok(())
    }

    fn finish(mut self, problems: &mut Vec<Problem>) -> (Rules, Vec<(Place, Range<usize>)>) {
        let mut moves = Vec::new();
        for (side, lines) in &self.moves {
            let end = lines.last().map_or(0, |line| line.span().end);
            self.places.push((Place::Movement(moves.len()), lines[0].at..end));
            match movement(*side, lines) {
                Ok(movement) => moves.push(movement),
                Err(problem) => problems.push(problem),
            }
        }
        let setup = Position::from_rows(self.rows.iter().map(|line| line.text)).unwrap_or_else(|error| {
            let row = self.rows.get(error.row);
            let begin = row.map_or(self.end, |line| line.at + error.column.min(line.text.len()));
            let message = if row.is_some() {
                error.reason
            } else {
                "expected a section 'board' with the rows of the board at the start".to_owned()
            };
            problems.push(Problem { span: begin..row.map_or(begin, |line| line.span().end), message });
            Position::empty(Shape::new(1, 1).expect("a board of one square"))
        });
        let mut missing = |what: &str| {
            problems.push(Problem { span: self.end..self.end, message: format!("expected a line '{what}'") })
        };
        if self.name.is_none() {
            missing("game NAME");
        }
        if self.players.is_empty() {
            missing("players NAME NAME");
        }
        let (name, about, players) = (self.name.unwrap_or_default(), self.about, self.players);
        let (zones, endings, learnt) = (self.zones, self.endings, self.learnt);
        (Rules { name, about, players, setup, zones, moves, endings, learnt }, self.places)
    }
}

fn movement(side: Side, lines: &[Line]) -> Read<Movement> {
    let first = lines[0];
    let length = first.text.find([' ', '\t']).unwrap_or(first.text.len());
    let name = &first.text[..length];
    let start = match name {
        "." => Start::Empty,
        _ => Start::Piece(Piece::named(name).map_err(|error| {
            let message = format!("{error}; expected a piece, or '.' for drops on empty squares");
            Problem { span: first.at..first.at + length, message }
        })?),
    };
    let mut rest = lines.to_vec();
    let expression = first.text[length..].trim_start();
    rest[0] = Line { text: expression, at: first.at + first.text.len() - expression.len(), ..first };
    let mut tokens = Tokens::of(&rest)?;
    let words = tokens.expression(&Tokens::atom)?;
    tokens.finished("'|', a movement, or the end of the line")?;
    Ok(Movement { side, start, words })
}

fn zone(line: Line) -> Read<Zone> {
    const EXPECTED: &str = "rank 8, ranks 1 to 2, file a, files a to c, square e4, squares d4 e4, squares d1 to f3, dark squares, light squares or corners";
    let mut tokens = Tokens::of(&[line])?;
    let Some(Token::Word(name)) = tokens.peek() else { return tokens.refuse("a zone's name") };
    tokens.at += 1;
    let mut areas = Vec::new();
    loop {
        let Some(Token::Word(kind)) = tokens.peek() else { return tokens.refuse(EXPECTED) };
        let several = kind.ends_with('s');
        tokens.at += 1;
        areas.push(match kind {
            "rank" | "ranks" => {
                let (from, to) = tokens.range(several, |tokens| tokens.line_number())?;
                Area::Ranks(from, to)
            }
            "file" | "files" => {
                let (from, to) = tokens.range(several, |tokens| tokens.file())?;
                Area::Files(from, to)
            }
            "square" | "squares" => {
                let mut squares = vec![tokens.square()?];
                if several && tokens.takes(Token::Word("to")) {
                    let to = tokens.square()?;
                    areas.push(Area::Rectangle(squares[0], to));
                    if tokens.takes(Token::Sign(',')) {
                        continue;
                    }
                    tokens.finished("',' or the end of the line")?;
                    return Ok(Zone { name: name.to_owned(), areas });
                }
                while several && !matches!(tokens.peek(), None | Some(Token::Sign(','))) {
                    squares.push(tokens.square()?);
                }
                Area::Squares(squares)
            }
            "dark" | "light" => {
                if !tokens.takes(Token::Word("squares")) {
                    return tokens.refuse("'squares'");
                }
                if kind == "dark" { Area::Dark } else { Area::Light }
            }
            "corners" => Area::Corners,
            _ => {
                tokens.at -= 1;
                return tokens.refuse(EXPECTED);
            }
        });
        if !tokens.takes(Token::Sign(',')) {
            tokens.finished("',' or the end of the line")?;
            return Ok(Zone { name: name.to_owned(), areas });
        }
    }
}

fn ending(side: Side, line: Line) -> Read<Ending> {
    let mut tokens = Tokens::of(&[line])?;
    let verdict = match tokens.peek() {
        Some(Token::Word("win")) => Verdict::Win,
        Some(Token::Word("lose")) => Verdict::Lose,
        Some(Token::Word("tie")) => Verdict::Tie,
        _ => return tokens.refuse("win, lose or tie, as in: win when P on far"),
    };
    tokens.at += 1;
    tokens.words(&["when"])?;
    let first = condition(&mut tokens)?;
    let mut parts = vec![first];
    while tokens.takes(Token::Word("and")) {
        parts.push(condition(&mut tokens)?);
    }
    tokens.finished("'and' or the end of the line")?;
    let when = if parts.len() > 1 { Condition::All(parts) } else { parts.swap_remove(0) };
    Ok(Ending { side, verdict, when })
}

fn condition(tokens: &mut Tokens) -> Read<Condition> {
    const EXPECTED: &str = "'P on ZONE', '5 in line', '1 P left', 'the opponent has 0 k left', 'the next player cannot move' or '160 plies are played'";
    match tokens.peek() {
        Some(Token::Word("the")) => {
            tokens.at += 1;
            if tokens.takes(Token::Word("opponent")) {
                tokens.words(&["has"])?;
                return opponent(tokens);
            }
            tokens.words(&["next", "player", "cannot", "move"])?;
            Ok(Condition::CannotMove)
        }
        Some(Token::Word("neither")) => {
            tokens.words(&["neither", "player", "can", "move"])?;
            Ok(Condition::NeitherCanMove)
        }
        Some(Token::Word("exactly")) => {
            tokens.at += 1;
            let count = tokens.count()?;
            line_of(tokens, count, true)
        }
        Some(Token::Word(word)) if word.parse::<u32>().is_ok() => {
            let number: u32 = tokens.number(EXPECTED)?;
            if tokens.takes(Token::Word("plies")) {
                tokens.words(&["are", "played"])?;
                return Ok(Condition::Plies(number));
            }
            tokens.at -= 1;
            let count = tokens.count()?;
            if matches!(tokens.peek(), Some(Token::Word("or"))) {
                return left(tokens, Whose::Mover, count);
            }
            let at = tokens.at;
            let bare = matches!(tokens.peek(), Some(Token::Word("in" | "left")));
            if !bare {
                tokens.pieces()?;
            }
            match tokens.peek() {
                Some(Token::Word("in")) => {
                    tokens.at = at;
                    line_of(tokens, count, false)
                }
                Some(Token::Word("left")) => {
                    tokens.at = at;
                    left(tokens, Whose::Mover, count)
                }
                _ => tokens.refuse("'in line' or 'left'"),
            }
        }
        Some(_) => {
            let pieces = if tokens.takes(Token::Word("any")) { Vec::new() } else { tokens.pieces()? };
            tokens.words(&["on"])?;
            Ok(Condition::On { pieces, zone: zone_name(tokens)? })
        }
        None => tokens.refuse(EXPECTED),
    }
}

/// What the opponent has.
fn opponent(tokens: &mut Tokens) -> Read<Condition> {
    let balance = match tokens.peek() {
        Some(Token::Word("fewer")) => Balance::Fewer,
        Some(Token::Word("more")) => Balance::More,
        Some(Token::Word("as")) => {
            tokens.at += 1;
            if !matches!(tokens.peek(), Some(Token::Word("many"))) {
                return tokens.refuse("'many'");
            }
            Balance::Same
        }
        Some(Token::Word(word)) if word.parse::<u32>().is_ok() => {
            let count = tokens.count()?;
            return left(tokens, Whose::Opponent, count);
        }
        _ => return tokens.refuse("a number of pieces, 'fewer', 'as many' or 'more', and 'left'"),
    };
    tokens.at += 1;
    tokens.words(&["left"])?;
    Ok(Condition::Balance(balance))
}

/// What follows a number of pieces that are left.
fn left(tokens: &mut Tokens, whose: Whose, count: u16) -> Read<Condition> {
    let mut bound = Bound::Exactly;
    if tokens.takes(Token::Word("or")) {
        bound = match tokens.peek() {
            Some(Token::Word("fewer")) => Bound::OrFewer,
            Some(Token::Word("more")) => Bound::OrMore,
            _ => return tokens.refuse("'fewer' or 'more'"),
        };
        tokens.at += 1;
    }
    let pieces = if tokens.peek() == Some(Token::Word("left")) { Vec::new() } else { tokens.pieces()? };
    tokens.words(&["left"])?;
    let zone = if tokens.takes(Token::Word("on")) { Some(zone_name(tokens)?) } else { None };
    Ok(Condition::Left { whose, count, bound, pieces, zone })
}

/// What follows the length of a line.
fn line_of(tokens: &mut Tokens, count: u16, exactly: bool) -> Read<Condition> {
    let pieces = match tokens.peek() {
        Some(Token::Word("in")) => Vec::new(),
        Some(Token::Word("left")) => return tokens.refuse("'in line': so many pieces are left without 'exactly'"),
        _ => tokens.pieces()?,
    };
    tokens.words(&["in", "line"])?;
    let mut ways: Option<Ways> = None;
    if tokens.takes(Token::Word("along")) {
        loop {
            let named = if let Some(Token::Word(name)) = tokens.peek() { Ways::named(name) } else { None };
            let Some(named) = named else {
                return tokens.refuse("ranks, files, diagonals, rising-diagonals or falling-diagonals");
            };
            tokens.at += 1;
            ways = Some(ways.map_or(named, |ways| ways.and(named)));
            if !tokens.takes(Token::Word("or")) {
                break;
            }
        }
    }
    Ok(Condition::Line { count, exactly, pieces, ways: ways.unwrap_or(Ways::ALL) })
}

fn zone_name(tokens: &mut Tokens) -> Read<String> {
    let Some(Token::Word(zone)) = tokens.peek() else { return tokens.refuse("a zone") };
    tokens.at += 1;
    Ok(zone.to_owned())
}
