//! Training sets: simulated matches of the player that is to be modelled, logs of board games, walks of rule sheets.

use super::turn::{Options, Turn};
use crate::game::{AnyGame, AnyMove, AnyState, Chance, Game, MAX_WALK_LINE, Role, RulesGame, Term, Truncation};
use crate::observe::Record;
use crate::play::{Agent, MatchPlan, Random, find_role};
use crate::saved::{BoundedLines, LineError};
use rayon::prelude::*;
use serde::Deserialize;
use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};

/// Plays matches and returns the turns of one role, in the order of the games.
///
/// `player` plays the role, `others` all other roles (the paper takes a random player); roles that are chance draw their moves. After every
/// turn with a choice the player is asked `again` more times, with other chances, so that it is known which moves are ties to it.
/// Games that were begun when `stop` was set are left out.
///
/// # Errors
///
/// A state is beyond the engine's limits.
#[expect(clippy::too_many_arguments, reason = "who plays, what is to be played, and how it is followed")]
pub fn watch_matches<G: Game>(
    game: &G,
    role: Role,
    player: &dyn Agent<G>,
    others: &dyn Agent<G>,
    plan: &MatchPlan,
    again: usize,
    stop: &AtomicBool,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Turn<G>>, Truncation> {
    let play = |number: u64| {
        let turns = watch_game(game, role, player, others, plan, number, again, stop);
        done();
        turns
    };
    let games: Vec<Result<Vec<Turn<G>>, Truncation>> = (0..plan.games).into_par_iter().map(play).collect();
    let mut turns = Vec::new();
    for game in games {
        turns.extend(game?);
    }
    Ok(turns)
}

#[expect(clippy::too_many_arguments, reason = "the same as those of the function above, for one game")]
fn watch_game<G: Game>(
    game: &G,
    role: Role,
    player: &dyn Agent<G>,
    others: &dyn Agent<G>,
    plan: &MatchPlan,
    number: u64,
    again: usize,
    stop: &AtomicBool,
) -> Result<Vec<Turn<G>>, Truncation> {
    let mut chance = Chance::stream(plan.seed, number);
    let chance_roles = game.chance_roles();
    let mut state = game.start();
    let mut turns = Vec::new();
    let mut joint = Vec::new();
    for _ in 0..plan.plies {
        if stop.load(Ordering::Relaxed) {
            return Ok(Vec::new());
        }
        let Some(options) = Options::of(game, &state, role) else {
            return match game.goals(&state) {
                Some(_) => Ok(turns),
                None => game.truncation(&state).map_or(Ok(turns), Err),
            };
        };
        joint.clear();
        let mut played = 0;
        for mover in game.to_move(&state).iter() {
            let choice = match mover {
                _ if chance_roles.contains(mover) => Random.choose_until(game, &state, mover, &mut chance, stop),
                _ if mover == role => player.choose_until(game, &state, mover, &mut chance, stop),
                _ => others.choose_until(game, &state, mover, &mut chance, stop),
            };
            let Some(choice) = choice else {
                return game.truncation(&state).map_or(Ok(turns), Err);
            };
            if mover == role {
                played = options.moves.iter().position(|legal| *legal == choice.pick).unwrap_or(0);
            }
            joint.push(choice.pick);
        }
        let mut repeated = Vec::new();
        if options.moves.len() > 1 && again > 0 {
            let mut other = Chance::stream(chance.bits(), number);
            let asked = (0..again).filter_map(|_| player.choose_until(game, &state, role, &mut other, stop));
            repeated.extend(asked.filter_map(|choice| options.moves.iter().position(|legal| *legal == choice.pick)));
        }
        turns.push(Turn { game: number, state: state.clone(), options, played, again: repeated });
        game.play(&mut state, &joint);
    }
    Ok(turns)
}

/// Why recorded games are no training set for a game.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// A record of a log does not fit the game.
    #[error("game {game}, record {record}: {reason}")]
    Record {
        /// Which game, counted from 1.
        game: u64,
        /// Which record of it.
        record: u32,
        /// What is wrong, and what was expected.
        reason: String,
    },
    /// A line of a file of walks does not fit.
    #[error("line {line}, column {column}: {reason}")]
    Line {
        /// Counted from 1.
        line: u64,
        /// Counted from 1.
        column: usize,
        /// What is wrong, and what was expected.
        reason: String,
    },
    /// It could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The turns of one role in a recorded game of a board game; `number` is the game's, counted from 1.
///
/// # Errors
///
/// A position or a move is not one of the game.
pub fn turns_of_records(
    game: &AnyGame,
    records: &[Record],
    number: u64,
    role: Role,
) -> Result<Vec<Turn<AnyGame>>, TrainingError> {
    let refuse =
        |record: &Record, reason: String| TrainingError::Record { game: number, record: record.number, reason };
    let mut turns = Vec::new();
    for record in records {
        let AnyGame::Rules(rules) = game else {
            return Err(refuse(
                record,
                format!("found a log of a board game, expected walks: {} is a rule sheet", game.name()),
            ));
        };
        let Some(played) = record.played().filter(|_| !record.is_terminal()) else { continue };
        let state = rules
            .state(&record.position, record.turn, record.number - 1)
            .map_err(|error| refuse(record, format!("{error}, expected a position of {}", game.name())))?;
        let state = AnyState::Rules(state);
        let Some(options) = Options::of(game, &state, role) else {
            return Err(refuse(record, format!("found a move, but in {} the game is over here", game.name())));
        };
        let mut place = 0;
        if !options.moves.is_empty() {
            let effect = record.effect(played).ok();
            let same =
                |choice: &AnyMove| has_effect(rules, &state, record, choice).is_some_and(|own| Some(own) == effect);
            let found = options.moves.iter().position(same);
            place = found
                .ok_or_else(|| refuse(record, format!("found {played}, expected a legal move of {}", game.name())))?;
        }
        turns.push(Turn { game: number, state, options, played: place, again: Vec::new() });
    }
    Ok(turns)
}

fn has_effect(game: &RulesGame, state: &AnyState, record: &Record, choice: &AnyMove) -> Option<crate::board::Effect> {
    let (AnyState::Rules(state), AnyMove::Rules(choice)) = (state, choice) else { return None };
    let (start, word) = game.word(state, choice);
    record.position.effect(record.turn, start, &word).ok()
}

#[derive(Deserialize)]
struct WalkHeader {
    roles: Vec<String>,
}

#[derive(Deserialize)]
struct WalkLine {
    w: u64,
    state: Vec<String>,
    terminal: bool,
    #[serde(rename = "move")]
    played: Option<Vec<String>>,
}

/// The turns of one role in a file of walks, as `walk` writes them.
///
/// # Errors
///
/// It cannot be read, or a line is none of a walk of this game.
pub fn turns_of_walks<G: Game>(game: &G, input: impl BufRead, role: Role) -> Result<Vec<Turn<G>>, TrainingError> {
    let mut lines = BoundedLines::new(input, MAX_WALK_LINE);
    let mut place = None;
    let mut turns = Vec::new();
    loop {
        let more = lines.advance();
        let number = lines.number();
        let refuse = |column: usize, reason: String| TrainingError::Line { line: number, column, reason };
        match more {
            Ok(true) => {}
            Ok(false) if place.is_none() => {
                let reason = "found the end of the file, expected a header such as {\"game\":..,\"roles\":[..]}";
                return Err(refuse(1, reason.to_owned()));
            }
            Ok(false) => return Ok(turns),
            Err(LineError::Io(error)) => return Err(error.into()),
            Err(LineError::TooLong) => {
                return Err(refuse(1, format!("found more than {MAX_WALK_LINE} bytes, expected a line of a walk")));
            }
        }
        let text = lines.line().trim_ascii_end();
        if text.is_empty() {
            continue;
        }
        let malformed = |error: serde_json::Error| {
            let reason = error.to_string();
            let reason = reason.split(" at line ").next().unwrap_or_default();
            refuse(error.column().max(1), format!("{reason}, expected a line of a walk"))
        };
        let Some(at) = place else {
            let header: WalkHeader = serde_json::from_slice(text).map_err(malformed)?;
            let name = Term::name(&game.roles()[role.index()]);
            let found = find_role(&header.roles, &name);
            let found = found.ok_or_else(|| {
                refuse(1, format!("found roles {}, expected {name} among them", header.roles.join(", ")))
            })?;
            place = Some(found.index());
            continue;
        };
        let line: WalkLine = serde_json::from_slice(text).map_err(malformed)?;
        let Some(played) = line.played.filter(|_| !line.terminal) else { continue };
        let term = |text: &String| {
            text.parse::<Term>().map_err(|error| refuse(1, format!("found {text:?}: {error}, expected a term")))
        };
        let facts: Vec<Term> = line.state.iter().map(term).collect::<Result<_, _>>()?;
        let state = game
            .state_with(&facts)
            .map_err(|error| refuse(1, format!("{error}, expected a state of {}", game.name())))?;
        let Some(options) = Options::of(game, &state, role) else {
            return Err(refuse(1, format!("found a move, but in {} the game is over here", game.name())));
        };
        let played = played
            .get(at)
            .ok_or_else(|| refuse(1, "found no move of the role, expected one for each role".to_owned()))?;
        let played = term(played)?;
        let found = options.terms.iter().position(|legal| *legal == played);
        let found =
            found.ok_or_else(|| refuse(1, format!("found {played}, expected a legal move of {}", game.name())))?;
        turns.push(Turn { game: line.w, state, options, played: found, again: Vec::new() });
    }
}
