//! Games to learn from: matches in which the learner plays and loses, and records of others.

use super::board::GameBoard;
use super::example::learn_from_example;
use super::forced_win::Foresight;
use super::language::Name;
use super::learner::{LearnOptions, Lesson, LessonError, learn_from_game};
use super::player::{Otherwise, TacticsPlayer};
use super::recogniser::{CompileError, Recogniser};
use super::rule_file::RuleFile;
use crate::board::{Player, Position};
use crate::game::{Chance, Game, Role, Truncation};
use crate::play::{Agent, Random};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a match came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrainingReport {
    /// Games that were played.
    pub games: u64,
    /// Those that the learner lost.
    pub losses: u64,
}

/// Why training ended early.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TrainingError {
    /// A state is beyond the engine's limits.
    #[error("a state is beyond the limits of the engine: {0:?}")]
    Truncated(Truncation),
    /// The rules cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The system has no move for one of the game.
    #[error("game {game}: a move fills no square of the system")]
    NotFollowed {
        /// Which game, counted from 1.
        game: u64,
    },
    /// The system and the game disagree about it.
    #[error("game {game}: {error}")]
    Lesson {
        /// Which game, counted from 1.
        game: u64,
        /// What the system says.
        error: LessonError,
    },
}

/// Plays the games with these numbers against an agent, the sides in turn, and learns from every loss at once. Where rules leave a choice the learner plays at random.
///
/// # Errors
///
/// A state is beyond the engine's limits, or the system does not follow the game.
#[expect(clippy::too_many_arguments, reason = "who plays what how often, and how it is followed")]
pub fn learn_by_playing<G: Game>(
    game: &G,
    file: &mut RuleFile,
    board: &GameBoard,
    against: &dyn Agent<G>,
    games: Range<u64>,
    (plies, seed): (u64, u64),
    options: &LearnOptions,
    stop: &AtomicBool,
    done: &dyn Fn(u64),
) -> Result<TrainingReport, TrainingError> {
    let mut report = TrainingReport::default();
    let system = file.system.clone();
    let mut recogniser = Arc::new(Recogniser::new(&system, &file.library)?);
    for number in games {
        let mut chance = Chance::stream(seed, number);
        let own = Role((number % 2) as u8);
        let learner = TacticsPlayer {
            recogniser: Arc::clone(&recogniser),
            board: board.clone(),
            foresight: Foresight::default(),
            otherwise: Otherwise::Agent(Arc::new(Random)),
        };
        let mut state = game.start();
        let mut moves: Vec<(Name, Name)> = Vec::new();
        let mut followed = true;
        for _ in 0..plies {
            if stop.load(Ordering::Relaxed) {
                return Ok(report);
            }
            let Some(role) = game.to_move(&state).iter().next().filter(|_| game.goals(&state).is_none()) else { break };
            let agent: &dyn Agent<G> = if role == own { &learner } else { against };
            let Some(choice) = agent.choose_until(game, &state, role, &mut chance, stop) else {
                match game.truncation(&state) {
                    Some(truncation) => return Err(TrainingError::Truncated(truncation)),
                    None => break,
                }
            };
            match board.squares(game, &state, role, std::slice::from_ref(&choice.pick))[..] {
                [Some(square)] => moves.push((board.player(role), square)),
                _ => followed = false,
            }
            game.play(&mut state, std::slice::from_ref(&choice.pick));
        }
        report.games += 1;
        let lost = game.goals(&state).is_some_and(|goals| goals[own.index()] == Some(0));
        if lost {
            report.losses += 1;
            let source = format!("game-{}", number + 1);
            if !followed {
                return Err(TrainingError::NotFollowed { game: number + 1 });
            }
            let start = system.start_state();
            learn_from_game(&system, &mut file.library, &start, &moves, &source, options)
                .map_err(|error| TrainingError::Lesson { game: number + 1, error })?;
            recogniser = Arc::new(Recogniser::new(&system, &file.library)?);
        }
        done(report.games);
    }
    Ok(report)
}

/// Learns from the positions of a recorded game, each with one stone more than the one before: from its win, and from the events of the system.
///
/// # Errors
///
/// The game is none that can be learnt from.
pub fn learn_from_positions(
    file: &mut RuleFile,
    board: &GameBoard,
    positions: &[Position],
    source: &str,
    options: &LearnOptions,
) -> Result<Lesson, LessonError> {
    let system = file.system.clone();
    let mut moves = Vec::new();
    for (at, pair) in positions.windows(2).enumerate() {
        let shape = pair[0].shape();
        let mut changed = shape.all().filter(|&square| pair[0].at(square) != pair[1].at(square));
        let filled = changed
            .next()
            .filter(|_| changed.next().is_none())
            .and_then(|square| Some((square, pair[1].at(square).owner()?)));
        let filled = filled.filter(|(square, _)| pair[0].at(*square).is_empty());
        let Some((square, owner)) = filled.and_then(|(square, owner)| Some((board.name(square)?, owner))) else {
            let player = system.names.text(system.players[at % 2]).to_owned();
            return Err(LessonError::Illegal { number: at + 1, square: "no new stone".to_owned(), player });
        };
        let player = system.players[if owner == Player::First { 0 } else { 1 }];
        moves.push((player, square));
    }
    let start = system.start_state();
    if system.events.is_empty() {
        return learn_from_game(&system, &mut file.library, &start, &moves, source, options);
    }
    // A game teaches how each event came about, and the lesson is about the best of them.
    let mut lessons = learn_from_example(&system, &mut file.library, &start, &moves, source, options)?;
    let rank = |lesson: &Lesson| {
        system.events.iter().position(|event| Some(event.name) == lesson.event).map_or(0, |at| at + 1)
    };
    let best = (0..lessons.len()).min_by_key(|&at| (rank(&lessons[at]), std::cmp::Reverse(at)));
    best.map(|at| lessons.swap_remove(at)).ok_or(LessonError::NotLost { moves: moves.len() })
}
