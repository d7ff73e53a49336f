//! The Gomocup protocol: five in a line under a manager that sends commands, one a line, and reads answers.
//!
//! This is what lines mean; reading them, writing answers and keeping the time is left to a shell. A command that asks for a move is
//! [`Heard::Think`]: the shell then calls [`Gomocup::think`] and sets the flag that it passes when [`Gomocup::turn_time`] is over.

use super::checker::Refuted;
use super::decision::decide_first;
use super::feature_value::FeatureValue;
use super::forced_win::Foresight;
use super::ground::{GroundState, MoveId};
use super::ground_checker::{Checker, MOST_INSTANCES};
use super::in_line::in_line_system;
use super::recogniser::{CompileError, Recogniser};
use super::recognition::Status;
use super::rule_file::RuleFile;
use super::syntax::TacticsError;
use crate::game::Chance;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The combinations that come with the library.
pub const FIVE_IN_A_LINE: &str = include_str!("../../games/five-in-a-line.recognise");

/// What to do after a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Nothing.
    Nothing,
    /// Write this line.
    Say(String),
    /// Call [`Gomocup::think`] and write what it returns.
    Think,
    /// The manager wants no more.
    End,
}

/// Rules that five in a line cannot be played by.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FiveError {
    /// The text is wrong.
    #[error(transparent)]
    Text(#[from] TacticsError),
    /// They cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A proof does not hold.
    #[error("the proof of rule {rule} is not accepted: {reason}")]
    Proof {
        /// The rule.
        rule: String,
        /// Why.
        reason: Refuted,
    },
}

/// The smallest and the largest board.
const SIDES: std::ops::RangeInclusive<usize> = 5..=24;
/// What features are worth is learnt on a board of this size: it is the same on any other.
const SCHOOL: usize = 9;
/// The manager's own limit, if it says nothing.
const TURN: u64 = 30_000;
/// So much of the time for a turn is left for what the clock does not see.
const MARGIN: u64 = 50;
/// How far to look while there is time.
const FORESIGHT: Foresight = Foresight { threats: 10, attacks: 4, nodes: 50_000 };
/// How far to look if there is none.
const AT_ONCE: Foresight = Foresight { threats: 4, attacks: 1, nodes: 100 };

/// A player under a manager.
///
/// ```
/// use onlooker::tactics::{FIVE_IN_A_LINE, Gomocup, Heard};
///
/// let mut player = Gomocup::new(FIVE_IN_A_LINE, 1)?;
/// assert_eq!(player.hear("START 5"), Heard::Say("OK".to_owned()));
/// assert_eq!(player.hear("BEGIN"), Heard::Think);
/// # Ok::<(), onlooker::tactics::FiveError>(())
/// ```
pub struct Gomocup {
    /// The rules, as text without a system.
    rules: String,
    value: FeatureValue,
    seed: u64,
    table: Option<Table>,
    /// The stones of a `BOARD` command that has not ended yet.
    reading: Option<Vec<(usize, usize, usize)>>,
    /// Milliseconds for a turn, for a match, and what is left of that.
    timeout_turn: u64,
    timeout_match: u64,
    time_left: Option<u64>,
}

/// A board with its stones: the player's own have number 0.
struct Table {
    width: usize,
    height: usize,
    recogniser: Recogniser,
    value: FeatureValue,
    state: GroundState,
    /// Square by square, row by row.
    stones: Vec<Option<usize>>,
}

impl Gomocup {
    /// A player by rules: text as in a file of rules, from the first `recognise` on.
    ///
    /// # Errors
    ///
    /// They are not understood.
    pub fn new(rules: &str, seed: u64) -> Result<Gomocup, FiveError> {
        let recogniser = compiled(rules, SCHOOL, SCHOOL)?;
        Ok(Gomocup {
            rules: rules.to_owned(),
            value: FeatureValue::learn(&recogniser),
            seed,
            table: None,
            reading: None,
            timeout_turn: TURN,
            timeout_match: 0,
            time_left: None,
        })
    }

    /// How long the next turn may take; nothing if it has to be made at once.
    pub fn turn_time(&self) -> Duration {
        let turn = self.timeout_turn.saturating_sub(MARGIN);
        // A match has a few dozen turns.
        let share = |left: u64| left.saturating_sub(MARGIN) / 12;
        let left = self.time_left.filter(|_| self.timeout_match > 0 || self.time_left < Some(i32::MAX as u64));
        Duration::from_millis(left.map_or(turn, |left| turn.min(share(left))))
    }

    /// Takes in a line.
    pub fn hear(&mut self, line: &str) -> Heard {
        let line = line.trim();
        if let Some(stones) = &mut self.reading {
            if line.eq_ignore_ascii_case("DONE") {
                let stones = std::mem::take(stones);
                self.reading = None;
                return self.set_up(&stones);
            }
            return match numbers::<3>(line) {
                Some([x, y, field]) if (1..=3).contains(&field) => {
                    stones.push((x, y, field));
                    Heard::Nothing
                }
                _ => {
                    self.reading = None;
                    error(format!("found {line:?}, expected x,y,1 or x,y,2 or DONE"))
                }
            };
        }
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command.to_ascii_uppercase().as_str() {
            "" => Heard::Nothing,
            "START" => match numbers::<1>(rest) {
                Some([side]) => self.start(side, side),
                None => error(format!("found {rest:?}, expected the size of the board")),
            },
            "RECTSTART" => match numbers::<2>(rest) {
                Some([width, height]) => self.start(width, height),
                None => error(format!("found {rest:?}, expected width,height")),
            },
            "INFO" => self.info(rest),
            "ABOUT" => Heard::Say(format!(
                "name=\"onlooker\", version=\"{}\", author=\"the Onlooker project\", country=\"-\"",
                env!("CARGO_PKG_VERSION")
            )),
            "END" => Heard::End,
            "RESTART" | "BEGIN" | "TURN" | "BOARD" | "TAKEBACK" if self.table.is_none() => {
                error(format!("found {command} before START, expected START first"))
            }
            "RESTART" => {
                self.clear();
                Heard::Say("OK".to_owned())
            }
            "BEGIN" => Heard::Think,
            "TURN" => match self.put(rest, 1) {
                Ok(()) => Heard::Think,
                Err(problem) => error(problem),
            },
            "BOARD" => {
                self.reading = Some(Vec::new());
                Heard::Nothing
            }
            "TAKEBACK" => self.take_back(rest),
            _ => Heard::Say(format!("UNKNOWN {command}")),
        }
    }

    fn start(&mut self, width: usize, height: usize) -> Heard {
        if !SIDES.contains(&width) || !SIDES.contains(&height) {
            let (least, most) = (SIDES.start(), SIDES.end());
            return error(format!("found a board of {width} x {height}, expected sides from {least} to {most}"));
        }
        let known = self.table.as_ref().is_some_and(|table| (table.width, table.height) == (width, height));
        if !known {
            let recogniser = match compiled(&self.rules, width, height) {
                Ok(recogniser) => recogniser,
                Err(problem) => return error(problem.to_string()),
            };
            let state = recogniser.ground.state(&recogniser.ground.system.start_state());
            let value = self.value.on(&recogniser.ground);
            self.table = Some(Table { width, height, recogniser, value, state, stones: vec![None; width * height] });
        }
        self.clear();
        Heard::Say("OK".to_owned())
    }

    fn clear(&mut self) {
        if let Some(table) = &mut self.table {
            let ground = &table.recogniser.ground;
            table.state = ground.state(&ground.system.start_state());
            table.stones.fill(None);
        }
    }

    fn info(&mut self, text: &str) -> Heard {
        let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let value = value.trim();
        let number = || value.parse::<u64>().ok();
        let wrong = || error(format!("found {key} {value:?}, expected a number of milliseconds"));
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => match number() {
                Some(time) => self.timeout_turn = time,
                None => return wrong(),
            },
            "timeout_match" => match number() {
                Some(time) => self.timeout_match = time,
                None => return wrong(),
            },
            "time_left" => match value.parse::<i64>() {
                Ok(time) => self.time_left = Some(time.max(0) as u64),
                Err(_) => return wrong(),
            },
            // Bit 1: exactly five; 4: renju; 8: caro. Bit 2, games one after the other, changes nothing.
            "rule" => match number() {
                Some(0 | 2) => {}
                Some(rule) => return error(format!("found rule {rule}, expected 0: five or more in a line")),
                None => return error(format!("found rule {value:?}, expected a number")),
            },
            // What a manager may say beside that has no bearing on the moves.
            _ => {}
        }
        Heard::Nothing
    }

    fn put(&mut self, text: &str, player: usize) -> Result<(), String> {
        let [x, y] = numbers(text).ok_or_else(|| format!("found {text:?}, expected x,y"))?;
        self.table.as_mut().ok_or("expected START first")?.put(x, y, player)
    }

    fn set_up(&mut self, stones: &[(usize, usize, usize)]) -> Heard {
        self.clear();
        let Some(table) = &mut self.table else { return error("expected START first") };
        for &(x, y, field) in stones.iter().filter(|(_, _, field)| *field < 3) {
            if let Err(problem) = table.put(x, y, field - 1) {
                self.clear();
                return error(problem);
            }
        }
        Heard::Think
    }

    fn take_back(&mut self, text: &str) -> Heard {
        let Some([x, y]) = numbers(text) else { return error(format!("found {text:?}, expected x,y")) };
        let Some(table) = &mut self.table else { return error("expected START first") };
        if x >= table.width || y >= table.height || table.stones[y * table.width + x].is_none() {
            return error(format!("found {x},{y}, expected a square with a stone"));
        }
        let mut stones = table.stones.clone();
        stones[y * table.width + x] = None;
        let width = table.width;
        self.clear();
        if let Some(table) = &mut self.table {
            for (at, player) in stones.iter().enumerate().filter_map(|(at, stone)| Some((at, (*stone)?))) {
                if let Err(problem) = table.put(at % width, at / width, player) {
                    return error(problem);
                }
            }
        }
        Heard::Say("OK".to_owned())
    }

    /// The move of the turn, made and as a line; ends soon after `stop` is set.
    pub fn think(&mut self, stop: &AtomicBool) -> String {
        let at_once = self.turn_time().is_zero();
        let Some(table) = &mut self.table else { return "ERROR expected START first".to_owned() };
        let played = table.stones.iter().flatten().count() as u64;
        let mut chance = Chance::stream(self.seed, played);
        let ground = &table.recogniser.ground;
        let legal = ground.legal(&mut table.state, 0);
        if legal.is_empty() {
            return "ERROR there is no move left".to_owned();
        }
        let liked = table.value.ranked(ground, &mut table.state, &legal, &mut chance, stop);
        let foresight = if at_once { AT_ONCE } else { FORESIGHT };
        let decision = decide_first(&table.recogniser, &mut table.state, &liked, foresight, stop);
        let id = decision.moves.first().or(liked.first()).copied().unwrap_or(legal[0]);
        let at = table.at(id);
        match table.put(at.0, at.1, 0) {
            Ok(()) => format!("{},{}", at.0, at.1),
            Err(problem) => format!("ERROR {problem}"),
        }
    }
}

impl Table {
    /// File and rank of a move, counted from 0.
    fn at(&self, id: MoveId) -> (usize, usize) {
        let square = id.0 as usize / 2;
        (square % self.width, square / self.width)
    }

    fn put(&mut self, x: usize, y: usize, player: usize) -> Result<(), String> {
        if x >= self.width || y >= self.height {
            return Err(format!("found {x},{y}, expected a square of a board of {} x {}", self.width, self.height));
        }
        let at = y * self.width + x;
        let id = MoveId((at * 2 + player) as u32);
        let free = self.stones[at].is_none();
        if !free || self.recogniser.ground.play(&mut self.state, id).is_none() {
            return Err(format!("found {x},{y}, expected an empty square"));
        }
        self.stones[at] = Some(player);
        Ok(())
    }
}

fn error(problem: impl std::fmt::Display) -> Heard {
    Heard::Say(format!("ERROR {problem}"))
}

/// So many numbers with commas between them.
fn numbers<const N: usize>(text: &str) -> Option<[usize; N]> {
    let parts: Option<Vec<usize>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    parts?.try_into().ok()
}

/// The rules on a board, as far as the checker accepts them.
fn compiled(rules: &str, width: usize, height: usize) -> Result<Recogniser, FiveError> {
    let system = in_line_system("five-in-a-line", ["x", "o"], width, height, 5, false);
    let file = RuleFile::parse(&format!("tactics 1\ngame five-in-a-line\n{system}\n{rules}"))?;
    let recogniser = Recogniser::new(&file.system, &file.library)?;
    let checker = Checker::of_ground(&recogniser.ground);
    for rule in file.library.rules.iter().filter(|rule| rule.status == Status::Proved) {
        checker
            .check_rule(rule, MOST_INSTANCES)
            .map_err(|reason| FiveError::Proof { rule: rule.name.clone(), reason })?;
    }
    Ok(recogniser)
}
