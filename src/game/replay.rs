//! Walks computed again: what a file of walks says, and what the rules say.

use super::walk::{Goal, Line};
use super::{Game, Role, Term, Truncation};
use crate::saved::{BoundedLines, LineError};
use serde::Deserialize;
use std::collections::HashSet;
use std::fmt;
use std::io::{self, BufRead, Write};

/// The longest line that a file of walks may have, in bytes.
pub const MAX_WALK_LINE: usize = 32 << 20;

/// What [`replay`] has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplayReport {
    /// Walks begun.
    pub walks: u64,
    /// Lines with states.
    pub lines: u64,
    /// How many differences there are.
    pub different: u64,
    /// The first of them, as many as were asked for.
    pub differences: Vec<Difference>,
}

/// Something of which a file and the rules say different things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of the file, the header being 1.
    pub line: u64,
    /// The walk and the step in it; the header has none.
    pub place: Option<(u64, u64)>,
    /// What it is about.
    pub key: Key,
    /// What only the file has.
    pub in_file: Vec<String>,
    /// What only the rules give.
    pub computed: Vec<String>,
    /// Why the rules give nothing, where they do not.
    pub reason: Option<String>,
}

/// A part of a line, for one role where it has a part for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The names of the roles, in the header.
    Roles,
    /// The facts.
    State,
    /// Whether the game is over.
    Terminal,
    /// A role's legal moves.
    Legal(Role),
    /// A role's move, which is not legal.
    Move(Role),
    /// A role's goal.
    Goal(Role),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Key::Roles => f.write_str("roles"),
            Key::State => f.write_str("state"),
            Key::Terminal => f.write_str("terminal"),
            Key::Legal(role) => write!(f, "legal of role {}", role.0),
            Key::Move(role) => write!(f, "move of role {}", role.0),
            Key::Goal(role) => write!(f, "goal of role {}", role.0),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some((walk, step)) = self.place {
            write!(f, ", walk {walk}, step {step}")?;
        }
        write!(f, ", {}: ", self.key)?;
        match &self.reason {
            Some(reason) => write!(f, "{} ({reason})", self.in_file.join(" ")),
            None if self.in_file.is_empty() && self.computed.is_empty() => f.write_str("not in order, or twice there"),
            None => {
                let side = |side: &[String]| if side.is_empty() { "nothing".to_owned() } else { side.join(" ") };
                write!(f, "only in the file {}, only computed {}", side(&self.in_file), side(&self.computed))
            }
        }
    }
}

/// Why a file of walks cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It could not be read, or what was computed could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not one of a file of walks.
    #[error("line {line}, column {column}: {reason}")]
    Malformed {
        /// Which line, the first being 1.
        line: u64,
        /// Which byte of it, the first being 1.
        column: usize,
        /// What is wrong, and what was expected.
        reason: String,
    },
    /// A state is beyond the engine's limits, so its line cannot be computed.
    #[error("line {line}: {reason}")]
    Truncated {
        /// Which line, the first being 1.
        line: u64,
        /// Why.
        reason: Truncation,
    },
}

/// Writes the lines of a file of walks as the rules have them, and tells where they differ.
///
/// Only the first state of a walk, one after a gap, and one after a move that is not legal are taken from the file; every
/// other state comes from the state before it and the recorded move. Of the header, the roles are compared; the rest says
/// where the file comes from and is copied. At most `keep` differences are kept, all are counted.
///
/// # Errors
///
/// The file cannot be read or is none of walks, what was computed cannot be written, or a state is beyond the engine's
/// limits.
pub fn replay<G: Game>(
    game: &G,
    input: impl BufRead,
    out: &mut impl Write,
    keep: usize,
) -> Result<ReplayReport, ReplayError> {
    Replay { game, keep, line: 0, report: ReplayReport::default(), before: None }.run(input, out)
}

struct Replay<'g, G: Game> {
    game: &'g G,
    keep: usize,
    /// The line that is being read.
    line: u64,
    report: ReplayReport,
    before: Option<PreviousLine<G::State>>,
}

/// What came before a line.
struct PreviousLine<S> {
    walk: u64,
    step: u64,
    /// The state after the move played there, if it was legal.
    after: Option<S>,
}

#[derive(Deserialize)]
struct ReplayHeader {
    #[serde(rename = "game")]
    _game: String,
    roles: Vec<String>,
}

impl<G: Game> Replay<'_, G> {
    fn run(mut self, input: impl BufRead, out: &mut impl Write) -> Result<ReplayReport, ReplayError> {
        let mut lines = BoundedLines::new(input, MAX_WALK_LINE);
        let mut header = true;
        loop {
            let more = lines.advance();
            self.line = lines.number();
            match more {
                Ok(true) => {}
                Ok(false) => break,
                Err(LineError::Io(error)) => return Err(error.into()),
                Err(LineError::TooLong) => {
                    let reason = format!("this line is longer than {MAX_WALK_LINE} bytes, expected a line of a walk");
                    return Err(self.malformed(MAX_WALK_LINE, reason));
                }
            }
            let text = lines.line().trim_ascii_end();
            if text.is_empty() {
                continue;
            }
            if std::mem::take(&mut header) {
                self.header(text)?;
                out.write_all(text)?;
                out.write_all(b"\n")?;
            } else if let Some(line) = self.state(text)? {
                line.write(out)?;
            }
        }
        if header {
            return Err(self.malformed(1, "there is no header such as {\"game\":..,\"roles\":[..]}".to_owned()));
        }
        Ok(self.report)
    }

    fn header(&mut self, text: &[u8]) -> Result<(), ReplayError> {
        let header: ReplayHeader = self.read(text)?;
        self.compare(None, Key::Roles, &header.roles, self.game.roles());
        Ok(())
    }

    /// Reads a state's line and computes it, unless its facts are ones the game cannot be in.
    fn state(&mut self, text: &[u8]) -> Result<Option<Line>, ReplayError> {
        let found: Line = self.read(text)?;
        self.check_shape(&found, text)?;
        self.report.lines += 1;
        let place = Some((found.w, found.s));
        let before = self.before.take().filter(|before| before.walk == found.w);
        self.report.walks += u64::from(before.is_none());
        let followed = match before {
            Some(before) if found.s <= before.step => {
                let reason = format!("step {} of walk {} comes after step {}", found.s, found.w, before.step);
                return Err(self.malformed(column(text, "\"s\""), reason));
            }
            Some(before) if found.s - 1 == before.step => before.after,
            _ => None,
        };
        let state = match followed {
            Some(state) => state,
            None => match self.state_with(&found, text)? {
                Some(state) => state,
                None => {
                    self.before = Some(PreviousLine { walk: found.w, step: found.s, after: None });
                    return Ok(None);
                }
            },
        };
        let mut line = Line::of(self.game, found.w, found.s, &state);
        if let Some(reason) = line.truncation(self.game, &state) {
            return Err(ReplayError::Truncated { line: self.line, reason });
        }
        self.compare(place, Key::State, &found.state, &line.state);
        if found.terminal != line.terminal {
            let text = |flag: bool| vec![flag.to_string()];
            self.differ(place, Key::Terminal, text(found.terminal), text(line.terminal), None);
        }
        self.compare_parts(place, &found, &line);
        let mut after = None;
        if let (Some(played), false) = (found.played, line.terminal) {
            after = self.follow(place, state, &played);
            line.played = Some(played);
        }
        self.before = Some(PreviousLine { walk: found.w, step: found.s, after });
        Ok(Some(line))
    }

    /// The state with the facts of a line; if there is none, that is a difference.
    fn state_with(&mut self, found: &Line, text: &[u8]) -> Result<Option<G::State>, ReplayError> {
        let mut facts = Vec::with_capacity(found.state.len());
        for fact in &found.state {
            let fact: Term =
                fact.parse().map_err(|e: super::TermError| self.malformed(column(text, fact), e.to_string()))?;
            facts.push(fact);
        }
        match self.game.state_with(&facts) {
            Ok(state) => Ok(Some(state)),
            Err(error) => {
                let fact = error.fact.iter().map(Term::to_string).collect();
                self.differ(Some((found.w, found.s)), Key::State, fact, Vec::new(), Some(error.reason));
                Ok(None)
            }
        }
    }

    /// Compares what the line has for each role.
    fn compare_parts(&mut self, place: Option<(u64, u64)>, found: &Line, line: &Line) {
        for role in 0..self.game.roles().len() {
            let key = Role(role as u8);
            if let (Some(found), Some(computed)) = (&found.legal, &line.legal) {
                self.compare(place, Key::Legal(key), &found[role], &computed[role]);
            }
            if let (Some(found), Some(computed)) = (&found.goal, &line.goal)
                && found[role] != computed[role]
            {
                let text = |goal: Goal| match goal {
                    Goal::Defined(goal) => vec![goal.to_string()],
                    Goal::Undefined(_) => vec!["[]".to_owned()],
                };
                self.differ(place, Key::Goal(key), text(found[role]), text(computed[role]), None);
            }
        }
    }

    /// The state after the recorded moves, or `None` and a difference if one of them is not legal.
    fn follow(&mut self, place: Option<(u64, u64)>, mut state: G::State, played: &[String]) -> Option<G::State> {
        let game = self.game;
        let to_move = game.to_move(&state);
        let mut joint = Vec::new();
        let mut moves = Vec::new();
        let mut legal = true;
        for (role, text) in played.iter().enumerate() {
            let role = Role(role as u8);
            let found = if to_move.contains(role) {
                game.legal(&state, role, &mut moves);
                let at = moves.iter().position(|choice| game.move_term(&state, role, choice).to_string() == *text);
                at.map(|at| joint.push(moves.swap_remove(at)))
            } else {
                (*text == game.only_move(&state, role).to_string()).then_some(())
            };
            if found.is_none() {
                legal = false;
                let reason = Some("not a legal move".to_owned());
                self.differ(place, Key::Move(role), vec![text.clone()], Vec::new(), reason);
            }
        }
        legal.then(|| {
            game.play(&mut state, &joint);
            state
        })
    }

    /// A line has what its kind of state needs, for each role of the game.
    fn check_shape(&self, found: &Line, text: &[u8]) -> Result<(), ReplayError> {
        let parts = [
            ("legal", found.legal.as_ref().map(Vec::len), !found.terminal),
            ("move", found.played.as_ref().map(Vec::len), !found.terminal),
            ("goal", found.goal.as_ref().map(Vec::len), found.terminal),
        ];
        let roles = self.game.roles().len();
        for (key, length, needed) in parts {
            let reason = match length {
                None if needed => format!("\"{key}\" is missing"),
                Some(_) if !needed => format!("\"{key}\" does not belong here: \"terminal\" is {}", found.terminal),
                Some(length) if length != roles => {
                    format!("\"{key}\" is for {length} roles, the game has {roles}")
                }
                _ => continue,
            };
            return Err(self.malformed(column(text, &format!("\"{key}\"")), reason));
        }
        Ok(())
    }

    fn read<'a, T: Deserialize<'a>>(&self, text: &'a [u8]) -> Result<T, ReplayError> {
        serde_json::from_slice(text).map_err(|error| {
            let message = error.to_string();
            // The place is told in our own words.
            let reason = message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason);
            self.malformed(error.column().max(1), reason.to_owned())
        })
    }

    fn compare(&mut self, place: Option<(u64, u64)>, key: Key, found: &[String], computed: &[String]) {
        if found == computed {
            return;
        }
        let only = |these: &[String], others: &[String]| {
            let others: HashSet<&String> = others.iter().collect();
            these.iter().filter(|text| !others.contains(text)).cloned().collect::<Vec<_>>()
        };
        self.differ(place, key, only(found, computed), only(computed, found), None);
    }

    fn differ(
        &mut self,
        place: Option<(u64, u64)>,
        key: Key,
        in_file: Vec<String>,
        computed: Vec<String>,
        reason: Option<String>,
    ) {
        self.report.different += 1;
        if self.report.differences.len() < self.keep {
            let difference = Difference { line: self.line, place, key, in_file, computed, reason };
            self.report.differences.push(difference);
        }
    }

    fn malformed(&self, column: usize, reason: String) -> ReplayError {
        ReplayError::Malformed { line: self.line, column, reason }
    }
}

/// Where a text first stands in a line, the first byte being 1; 1 if it is not there as it is.
fn column(line: &[u8], text: &str) -> usize {
    line.windows(text.len().max(1)).position(|window| window == text.as_bytes()).map_or(1, |at| at + 1)
}
