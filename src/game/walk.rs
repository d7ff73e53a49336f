//! Random walks through a game as JSON lines, so that other programs can check the rules.

use super::{Chance, Game, Role, Truncation, joint_terms};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// Which walks to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkPlan {
    /// How many walks.
    pub walks: u64,
    /// How many states of each walk are written before its end, each with the move played in it.
    pub steps: u64,
    /// How many joint moves may be played after those without being written, in search of the end. If it is found, the
    /// last state before it and the end itself follow after a gap.
    pub beyond: u64,
    /// Fixes the moves.
    pub seed: u64,
}

/// What [`write_walks`] has written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkReport {
    /// Lines with states.
    pub lines: u64,
    /// Walks that came to the end of the game.
    pub ended: u64,
}

/// Why walks could not be written to their end.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// What they are written to failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A state is beyond the engine's limits, so its line cannot be written.
    #[error("walk {walk}, step {step}: {reason}")]
    Truncated {
        /// Which walk, the first being 0.
        walk: u64,
        /// Which step of it.
        step: u64,
        /// Why.
        reason: Truncation,
    },
}

/// Writes a header and then a line for each state, one at a time.
///
/// # Errors
///
/// Writing failed, or a state is beyond the engine's limits; the lines before it are written.
pub fn write_walks<G: Game>(game: &G, plan: &WalkPlan, out: &mut impl Write) -> Result<WalkReport, WalkError> {
    let header =
        Header { game: game.name(), roles: game.roles(), seed: plan.seed, walks: plan.walks, max_steps: plan.steps };
    serde_json::to_writer(&mut *out, &header).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    let mut report = WalkReport::default();
    for walk in 0..plan.walks {
        let mut chance = Chance::stream(plan.seed, walk);
        let mut state = game.start();
        // The line before the current state where it has not been written, beyond the plan's steps.
        let mut held: Option<Line> = None;
        let last = plan.steps.saturating_add(plan.beyond);
        for step in 0..=last {
            let mut line = Line::of(game, walk, step, &state);
            if line.terminal {
                report.ended += 1;
                for line in held.iter().chain([&line]) {
                    line.write(out)?;
                    report.lines += 1;
                }
                break;
            }
            if step == last {
                break;
            }
            if let Some(reason) = line.truncation(game, &state) {
                return Err(WalkError::Truncated { walk, step, reason });
            }
            line.played = Some(play_at_random(game, &mut state, &mut chance));
            if step < plan.steps {
                line.write(out)?;
                report.lines += 1;
            } else {
                held = Some(line);
            }
        }
    }
    Ok(report)
}

/// Plays a random joint move and returns it as text for every role.
fn play_at_random<G: Game>(game: &G, state: &mut G::State, chance: &mut Chance) -> Vec<String> {
    let mut joint = Vec::new();
    let mut moves = Vec::new();
    for role in game.to_move(state).iter() {
        game.legal(state, role, &mut moves);
        joint.push(moves.swap_remove(chance.below(moves.len())));
    }
    let played = texts(game, state, &joint);
    game.play(state, &joint);
    played
}

/// A joint move as text for every role.
fn texts<G: Game>(game: &G, state: &G::State, joint: &[G::Move]) -> Vec<String> {
    joint_terms(game, state, joint).iter().map(ToString::to_string).collect()
}

/// Writes games that were played as walks: of each the joint moves from the start.
///
/// # Errors
///
/// Writing failed.
pub fn write_played<G: Game>(
    game: &G,
    played: &[Vec<Vec<G::Move>>],
    seed: u64,
    out: &mut impl Write,
) -> io::Result<()> {
    let longest = played.iter().map(Vec::len).max().unwrap_or(0);
    let header =
        Header { game: game.name(), roles: game.roles(), seed, walks: played.len() as u64, max_steps: longest as u64 };
    serde_json::to_writer(&mut *out, &header)?;
    out.write_all(b"\n")?;
    for (walk, joints) in played.iter().enumerate() {
        let mut state = game.start();
        for (step, joint) in joints.iter().enumerate() {
            let mut line = Line::of(game, walk as u64, step as u64, &state);
            line.played = Some(texts(game, &state, joint));
            line.write(out)?;
            game.play(&mut state, joint);
        }
        // A line that is no end must tell the move played there.
        if game.goals(&state).is_some() {
            Line::of(game, walk as u64, joints.len() as u64, &state).write(out)?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct Header<'a> {
    game: &'a str,
    roles: &'a [String],
    seed: u64,
    walks: u64,
    max_steps: u64,
}

/// One state of a walk. The order of the fields is the order in which they are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    /// Which walk.
    pub w: u64,
    /// Which step of it.
    pub s: u64,
    /// The facts, sorted as byte strings.
    pub state: Vec<String>,
    pub terminal: bool,
    /// Each role's legal moves, sorted as byte strings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<Vec<String>>>,
    /// Each role's move.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub played: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<Vec<Goal>>,
}

/// A role's goal as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a goal is a whole number, or [] where it is not defined")]
pub(super) enum Goal {
    Defined(u64),
    Undefined([u64; 0]),
}

impl Line {
    /// All that the rules say about a state; the move is left open.
    pub fn of<G: Game>(game: &G, w: u64, s: u64, state: &G::State) -> Line {
        let goals = game.goals(state);
        let goal = goals.as_ref().map(|goals| {
            let goal = |goal: &Option<u8>| goal.map_or(Goal::Undefined([]), |goal| Goal::Defined(u64::from(goal)));
            goals.iter().map(goal).collect()
        });
        let legal = goals.is_none().then(|| {
            let to_move = game.to_move(state);
            let mut moves = Vec::new();
            let mut legal = |role| {
                if !to_move.contains(role) {
                    return vec![game.only_move(state, role).to_string()];
                }
                game.legal(state, role, &mut moves);
                sorted(moves.iter().map(|choice| game.move_term(state, role, choice).to_string()))
            };
            (0..game.roles().len()).map(|role| legal(Role(role as u8))).collect()
        });
        let facts = sorted(game.facts(state).iter().map(ToString::to_string));
        Line { w, s, state: facts, terminal: goals.is_some(), legal, played: None, goal }
    }

    /// Why there is no legal move in the line of a state that is not over, if so.
    pub fn truncation<G: Game>(&self, game: &G, state: &G::State) -> Option<Truncation> {
        let stuck = self.legal.as_ref().is_some_and(|legal| legal.iter().any(Vec::is_empty));
        // A state without moves has none for all roles; those who are not to move have their only one in the line.
        if stuck { game.truncation(state) } else { None }
    }

    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        out.write_all(b"\n")
    }
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    // Strings compare byte by byte.
    texts.sort_unstable();
    texts
}
