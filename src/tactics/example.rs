//! Examples: one position as text, and the moves by which somebody won or brought an event about in it.
//!
//! ```text
//! example skewer
//! chess 5 x 5                      ; the chess fragment with these pieces; left out where a system is given
//! state on(a5,white-king) on(c1,white-bishop) on(c3,black-king) on(d4,black-queen)
//! moves white c1-b2 black c3-c4 white b2-d4
//! ```
//!
//! Of a set of features of which one holds the text need not say the one that names nothing but its object: squares of which it says nothing
//! are empty. [`learn_from_example`] explains each event that a move of the example brings about, by the system of that event.

use super::chess::chess_system;
use super::language::{Argument, Bindings, Fact, Literal, Name, Names};
use super::learner::{LearnOptions, Lesson, LessonError, learn_from_game};
use super::library::Library;
use super::state::State;
use super::syntax::{TacticsError, TacticsProblem, Token, Tokens, Variables};
use super::system::{Kind, UpdateSystem};
use std::collections::BTreeSet;
use std::ops::Range;

/// A position with moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// What it is called.
    pub name: String,
    /// The system that it is about; of the chess fragment it begins with this position.
    pub system: UpdateSystem,
    /// The position.
    pub state: State,
    /// The moves: players with their moves.
    pub moves: Vec<(Name, Name)>,
    /// Where each of them stands in the text.
    pub places: Vec<Range<usize>>,
}

type Read<T> = Result<T, TacticsProblem>;

impl Example {
    /// Reads the text form; `system` is what it is about, if it does not say that it is the chess fragment.
    ///
    /// # Errors
    ///
    /// The text is no example, or none of this system: where, what was found and what was expected.
    ///
    /// ```
    /// use onlooker::tactics::Example;
    ///
    /// let text = "example mate chess 4 x 4 state on(b3,white-king) on(d1,white-rook) on(a4,black-king) moves white d1-d4";
    /// assert_eq!(Example::parse(text, None)?.moves.len(), 1);
    /// let place = text.find("d1-d4").unwrap();
    /// assert_eq!(Example::parse(&text.replace("d1-d4", "d1-e9"), None).unwrap_err().problems[0].span, place..place + 5);
    /// # Ok::<(), onlooker::tactics::TacticsError>(())
    /// ```
    pub fn parse(text: &str, system: Option<&UpdateSystem>) -> Result<Example, TacticsError> {
        let refuse = |problem| TacticsError { text: text.to_owned(), problems: vec![problem] };
        let mut tokens = Tokens::new(text).map_err(refuse)?;
        let example = read(text, &mut tokens, system).map_err(refuse)?;
        example.replay().map_err(refuse)?;
        Ok(example)
    }

    /// Plays the moves.
    fn replay(&self) -> Read<()> {
        let mut state = self.state.clone();
        let names = &self.system.names;
        for (&(player, square), place) in self.moves.iter().zip(&self.places) {
            if let Some(winner) = state.winner(&self.system) {
                let message = format!("found a move, but {} has won before it", names.text(winner));
                return Err(TacticsProblem::new(place.clone(), message));
            }
            let Some((next, _)) = state.play(&self.system, square, player) else {
                let legal: Vec<&str> =
                    state.legal(&self.system, player).iter().take(12).map(|&name| names.text(name)).collect();
                let (square, player) = (names.text(square), names.text(player));
                let message = format!("found {square}, expected a legal move of {player}, such as {}", legal.join(" "));
                return Err(TacticsProblem::new(place.clone(), message));
            };
            state = next;
        }
        Ok(())
    }
}

fn read(text: &str, tokens: &mut Tokens, given: Option<&UpdateSystem>) -> Read<Example> {
    if !tokens.take("example") {
        return Err(tokens.unexpected("'example' and its name"));
    }
    let name = tokens.word("the example's name")?.to_owned();
    let span = tokens.span();
    let chess = tokens.take("chess");
    let mut system = match (chess, given) {
        (true, _) => read_chess(text, tokens, &name)?,
        (false, Some(system)) => system.clone(),
        (false, None) => {
            let message = "found no system, expected 'chess' and the board, such as 'chess 8 x 8', or a system beside the example";
            return Err(TacticsProblem::new(span, message));
        }
    };
    let span = tokens.span();
    if !tokens.take("state") {
        return Err(tokens.unexpected("'state' and what holds"));
    }
    let mut facts = BTreeSet::new();
    while tokens.at_literal() {
        let (fact, place) = fact(&mut system, tokens)?;
        if let Some(other) = facts.iter().find(|other| excludes(&system, other, &fact)) {
            let message =
                format!("found a feature that cannot hold beside {}, expected one that does", shown(&system, other));
            return Err(TacticsProblem::new(place, message));
        }
        facts.insert(fact);
    }
    complete(&system, &mut facts).map_err(|message| TacticsProblem::new(span, message))?;
    if !tokens.take("moves") {
        return Err(tokens.unexpected("'moves', each with its player, or another feature of the position"));
    }
    let (mut moves, mut places) = (Vec::new(), Vec::new());
    while tokens.peek() != Token::End {
        let players = system.players.map(|player| system.names.text(player).to_owned());
        let expected = format!("{} or {}, and a move", players[0], players[1]);
        let refused = tokens.unexpected(&expected);
        let word = tokens.word(&expected)?;
        let player = system.names.find(word).filter(|player| system.players.contains(player)).ok_or(refused)?;
        places.push(tokens.span());
        let refused = tokens.unexpected("a move of the system");
        let word = tokens.word("a move")?;
        let known = system.names.find(word).filter(|square| system.objects_at(system.input_move, 0).contains(square));
        moves.push((player, known.ok_or(refused)?));
    }
    if moves.is_empty() {
        return Err(tokens.unexpected("at least one move"));
    }
    Ok(Example { name, system, state: State { facts }, moves, places })
}

/// The chess fragment on the board that is said, with the pieces of the position that follows.
fn read_chess(text: &str, tokens: &mut Tokens, name: &str) -> Read<UpdateSystem> {
    let span = tokens.span();
    let width = tokens.number(3, 8)?;
    if !tokens.take("x") {
        return Err(tokens.unexpected("'x' and the board's height"));
    }
    let height = tokens.number(3, 8)?;
    let mut ahead = Tokens::new(text)?;
    ahead.skip_to(tokens);
    let mut pieces: Vec<(String, String, Range<usize>)> = Vec::new();
    if !ahead.take("state") {
        return Err(ahead.unexpected("'state' and where the pieces stand, such as on(a1,white-king)"));
    }
    let mut names = Names::default();
    while ahead.at_literal() {
        let (literal, span) = ahead.literal(&mut names, &mut Variables::default())?;
        match (names.text(literal.predicate), &literal.arguments[..]) {
            ("on", &[Argument::Object(square), Argument::Object(piece)]) => {
                pieces.push((names.text(piece).to_owned(), names.text(square).to_owned(), span));
            }
            ("empty", _) => {}
            _ => return Err(TacticsProblem::new(span, "found another feature, expected such as on(a1,white-king)")),
        }
    }
    let listed: Vec<(&str, &str)> = pieces.iter().map(|(piece, square, _)| (piece.as_str(), square.as_str())).collect();
    // What is wrong is wrong with the first piece with which it is.
    let system = chess_system(name, width, height, &listed).map_err(|error| {
        let wrong =
            (1..=listed.len()).find(|&count| chess_system(name, width, height, &listed[..count]) == Err(error.clone()));
        let place = wrong.and_then(|count| pieces.get(count - 1)).map_or(span.clone(), |(_, _, place)| place.clone());
        TacticsProblem::new(place, error.to_string())
    })?;
    UpdateSystem::parse(&system).map_err(|error| {
        let message = error.problems.first().map_or_else(String::new, |problem| problem.message.clone());
        TacticsProblem::new(span, message)
    })
}

/// A feature without variables.
fn fact(system: &mut UpdateSystem, tokens: &mut Tokens) -> Read<(Fact, Range<usize>)> {
    let (literal, span): (Literal, _) = tokens.literal(&mut system.names, &mut Variables::default())?;
    if let Some(message) = system.misfit(&literal) {
        return Err(TacticsProblem::new(span, message));
    }
    if system.predicates.get(&literal.predicate).is_none_or(|predicate| predicate.kind != Kind::Feature) {
        return Err(TacticsProblem::new(span, "found a static relation, which always holds; expected a feature"));
    }
    match Bindings::default().fact(&literal) {
        Some(fact) if fact.predicate != system.won && fact.predicate != system.input_move => Ok((fact, span)),
        Some(_) => Err(TacticsProblem::new(span, "found a move or a win, expected a feature of a position")),
        None => Err(TacticsProblem::new(span, "found a variable, expected objects: an example is one position")),
    }
}

fn shown(system: &UpdateSystem, fact: &Fact) -> String {
    let arguments: Vec<&str> = fact.arguments.iter().map(|&name| system.names.text(name)).collect();
    format!("{}({})", system.names.text(fact.predicate), arguments.join(","))
}

/// Whether two facts are of a set of which exactly one holds.
fn excludes(system: &UpdateSystem, one: &Fact, other: &Fact) -> bool {
    let same = |key: Option<Name>, other: Option<Name>| key.is_some() && key == other;
    one != other && system.groups.iter().any(|group| same(group.key(one), group.key(other)))
}

/// Adds what the text need not say: of sets of which nothing holds yet the feature that has no other argument.
fn complete(system: &UpdateSystem, facts: &mut BTreeSet<Fact>) -> Result<(), String> {
    for group in &system.groups {
        let plain = group.features.iter().find(|(name, _)| system.predicates[name].types.len() == 1);
        for &key in system.objects(group.kind) {
            if facts.iter().any(|fact| group.key(fact) == Some(key)) {
                continue;
            }
            let &(predicate, _) = plain.ok_or_else(|| {
                let names: Vec<&str> = group.features.iter().map(|&(name, _)| system.names.text(name)).collect();
                format!("found nothing about {}, expected one of {}", system.names.text(key), names.join(", "))
            })?;
            facts.insert(Fact { predicate, arguments: [key].into_iter().collect() });
        }
    }
    Ok(())
}

/// Learns how each win and each event of some moves came about, the events from the least to the best; what comes after an event is looked at too.
///
/// # Errors
///
/// A move is illegal, or nothing came about.
pub fn learn_from_example(
    system: &UpdateSystem,
    library: &mut Library,
    start: &State,
    moves: &[(Name, Name)],
    source: &str,
    options: &LearnOptions,
) -> Result<Vec<Lesson>, LessonError> {
    // The systems of a win and of the events, the best first.
    let events = system.events.iter().map(|event| system.for_event(event.name));
    let systems: Vec<UpdateSystem> = [system.clone()].into_iter().chain(events).collect();
    let mut lessons = Vec::new();
    let mut state = start.clone();
    // For each of the systems the state after which it has not come about yet, and the number of the move.
    let mut since: Vec<(State, usize)> = vec![(start.clone(), 0); systems.len()];
    for (at, &(player, square)) in moves.iter().enumerate() {
        let Some((next, _)) = state.play(system, square, player) else {
            let text = |name| system.names.text(name).to_owned();
            return Err(LessonError::Illegal { number: at + 1, square: text(square), player: text(player) });
        };
        let happens = |system: &&UpdateSystem| {
            state.play(system, square, player).is_some_and(|(after, _)| after.winner(system).is_some())
        };
        if let Some(best) = systems.iter().position(|system| happens(&system)) {
            // Where the best was not forced all the way, something less may have been: the king was lost to save the queen.
            for place in best..systems.len() {
                let (from, begin) = since[place].clone();
                let lesson = learn_from_game(&systems[place], library, &from, &moves[begin..=at], source, options)?;
                let forced = lesson.steps.iter().all(|step| step.escape.is_none());
                let taught = place == best || lesson.learnt() > 0;
                lessons.extend(Some(lesson).filter(|_| taught));
                if forced {
                    break;
                }
            }
            since[best..].iter_mut().for_each(|place| *place = (next.clone(), at + 1));
        }
        state = next;
    }
    if lessons.is_empty() {
        return Err(LessonError::NotLost { moves: moves.len() });
    }
    Ok(lessons)
}
