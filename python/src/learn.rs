//! Learning: evidence or a rule sheet becomes rules, with what they do not account for.

use crate::errors::{Failure, Trouble};
use crate::evidence::{PyEvidence, SharedEvidence, open_log};
use crate::game::PyGame;
use crate::input::{Input, number};
use crate::rules::PyRules;
use crate::work::{self, Task};
use onlooker::board::{Player, Position};
use onlooker::budget::StopReason;
use onlooker::game::{AnyGame, CheckReport};
use onlooker::learn::{Learnt, LearntPiece, Method, Options, Progress, learn as induce};
use onlooker::observe::{HopReading, infer_moves as inferred};
use onlooker::relearn::{Contradictions, Misfit, NoRules, SheetPlan, Unchecked, learn_sheet, observe_sheet};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::atomic::Ordering;

/// How one piece was found to move.
#[pyclass(frozen, module = "onlooker", name = "LearntPiece", get_all)]
pub struct PyLearntPiece {
    /// The number of its player.
    player: usize,
    piece: String,
    /// How many states its automaton has.
    states: usize,
    /// Whether no records contradict each other on it.
    consistent: bool,
    /// Whether the search for its movement ended too early.
    given_up: bool,
}

#[pymethods]
impl PyLearntPiece {
    fn __repr__(&self) -> String {
        format!("<LearntPiece {}: {} states>", self.piece, self.states)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("onlooker._onlooker")?.getattr("_learnt_piece_of")?;
        let parts = (self.player, &self.piece, self.states, self.consistent, self.given_up);
        Ok((make, parts.into_pyobject(py)?))
    }
}

/// For pickles.
#[pyfunction]
pub fn _learnt_piece_of(
    player: usize,
    piece: String,
    states: usize,
    consistent: bool,
    given_up: bool,
) -> PyLearntPiece {
    PyLearntPiece { player, piece, states, consistent, given_up }
}

/// What was learnt, and what it does not account for.
#[pyclass(frozen, module = "onlooker", name = "Lesson", get_all)]
pub struct PyLesson {
    rules: Py<PyRules>,
    /// What was seen.
    evidence: Py<PyEvidence>,
    pieces: Vec<Py<PyLearntPiece>>,
    /// Whether the rules account for everything that was seen, and for a rule sheet, whether other games of it agree.
    is_consistent: bool,
    /// What the rules do not account for.
    unexplained: Vec<String>,
    /// Records that contradict each other.
    contradictions: Vec<String>,
    /// The errors of damaged games that were skipped.
    damaged: Vec<Py<PyAny>>,
    /// How the rules compare with the rule sheet that they were learnt from.
    comparison: Option<String>,
}

#[pymethods]
impl PyLesson {
    /// The learnt game.
    fn game(&self, py: Python<'_>) -> PyResult<PyGame> {
        self.rules.get().compile(py)
    }

    fn __repr__(&self) -> String {
        let rules = &self.rules.get().0;
        let evidence = self.evidence.get().shared();
        let (games, positions) = (evidence.lock().games(), evidence.lock().positions());
        let holds = if self.is_consistent { "" } else { ", not consistent" };
        format!("<Lesson: {} from {games} games, {positions} positions{holds}>", rules.name)
    }

    fn __str__(&self) -> String {
        self.rules.get().0.to_string()
    }

    fn _repr_markdown_(&self) -> String {
        let problems: Vec<String> =
            self.unexplained.iter().chain(&self.contradictions).map(|line| format!("- {line}\n")).collect();
        format!("```text\n{}```\n\n{}", self.rules.get().0, problems.concat())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("onlooker._onlooker")?.getattr("_lesson_of")?;
        let parts = (
            self.rules.bind(py),
            self.evidence.bind(py),
            self.pieces.iter().map(|piece| piece.bind(py)).collect::<Vec<_>>(),
            self.is_consistent,
            &self.unexplained,
            &self.contradictions,
            self.damaged.iter().map(|error| error.bind(py)).collect::<Vec<_>>(),
            &self.comparison,
        );
        Ok((make, parts.into_pyobject(py)?))
    }
}

/// For pickles.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "all that a lesson says")]
pub fn _lesson_of(
    rules: Py<PyRules>,
    evidence: Py<PyEvidence>,
    pieces: Vec<Py<PyLearntPiece>>,
    is_consistent: bool,
    unexplained: Vec<String>,
    contradictions: Vec<String>,
    damaged: Vec<Py<PyAny>>,
    comparison: Option<String>,
) -> PyLesson {
    PyLesson { rules, evidence, pieces, is_consistent, unexplained, contradictions, damaged, comparison }
}

/// What was learnt, before there are objects of Python for it.
struct Found {
    learnt: Learnt,
    contradictions: Contradictions,
    holds: bool,
    comparison: Option<String>,
}

impl Found {
    fn lesson(
        self,
        py: Python<'_>,
        evidence: Py<PyEvidence>,
        sources: &[Input],
        damaged: Vec<Py<PyAny>>,
    ) -> PyResult<PyLesson> {
        let sources: Vec<String> = sources.iter().map(|input| input.name().unwrap_or_default()).collect();
        let mut contradictions: Vec<String> =
            self.contradictions.shown.iter().map(|one| one.describe(&sources)).collect();
        if self.contradictions.more > 0 {
            contradictions
                .push(format!("and {} more words on which records contradict each other", self.contradictions.more));
        }
        let piece = |piece: &LearntPiece| {
            let (states, consistent) = (piece.automaton.states().len(), piece.consistent);
            let (player, given_up) = (piece.player.index(), piece.given_up());
            Py::new(py, PyLearntPiece { player, piece: piece.start.to_string(), states, consistent, given_up })
        };
        Ok(PyLesson {
            pieces: self.learnt.pieces.iter().map(piece).collect::<PyResult<_>>()?,
            unexplained: self.learnt.unexplained.iter().map(ToString::to_string).collect(),
            rules: Py::new(py, PyRules::new(self.learnt.rules))?,
            evidence,
            is_consistent: self.holds,
            contradictions,
            damaged,
            comparison: self.comparison,
        })
    }
}

/// The options of learning by their names.
#[expect(clippy::too_many_arguments, reason = "what was asked for")]
fn options(
    py: Python<'_>,
    name: Option<String>,
    method: &str,
    distance: usize,
    expansions: usize,
    floor: f64,
    noise: f64,
    effort: u64,
) -> PyResult<Options> {
    let refuse = |message: String| Trouble::new("Error", message).raise(py);
    let method = match method {
        "shortest" => Method::Shortest,
        "paper" => Method::Paper { distance, expansions },
        "grl" => Method::Grl(None),
        "paper-grl" => Method::Grl(Some((distance, expansions))),
        other => return Err(refuse(format!("found method {other:?}, expected shortest, paper, grl or paper-grl"))),
    };
    if !(floor > 0.0 && floor <= 1.0 && (0.0..1.0).contains(&noise)) {
        return Err(refuse("expected a floor above 0 and up to 1, and a noise from 0 up to 1".to_owned()));
    }
    let name = name.unwrap_or_else(|| "learnt".to_owned());
    Ok(Options { name, method, floor, noise, budget: effort.saturating_mul(1_000_000) })
}

fn watch(task: &Task) -> impl Fn(Progress) + Sync {
    task.set(0);
    task.of(0);
    let task = task.clone();
    move |progress| match progress {
        Progress::Done(..) | Progress::TurnsDone(..) => task.add(1),
        _ => {}
    }
}

fn no_rules(reason: &NoRules) -> Failure {
    match reason {
        NoRules::Interrupted => Failure::Stopped,
        reason => Trouble::new("NoRules", reason.to_string()).into(),
    }
}

/// Rules from evidence, which stays where it is.
fn learn_from(evidence: &SharedEvidence, options: &Options, logs: &[Input], task: &Task) -> Result<Found, Failure> {
    let evidence = evidence.lock();
    if task.stop.load(Ordering::Relaxed) {
        return Err(Failure::Stopped);
    }
    let learnt = induce(&evidence, options, &task.stop, &watch(task)).map_err(|_| no_rules(&NoRules::NoGames))?;
    if learnt.stopped == StopReason::Interrupted {
        return Err(Failure::Stopped);
    }
    if let Some(flaw) = learnt.rules.flaws().into_iter().next() {
        return Err(no_rules(&NoRules::Flawed(flaw)));
    }
    let mut contradictions = Contradictions::of(&learnt);
    for (number, log) in logs.iter().enumerate() {
        if !contradictions.are_located() && matches!(log, Input::Path(_) | Input::Bytes(_)) {
            contradictions.look_through(number, open_log(log, task)?);
        }
    }
    let holds = learnt.is_consistent();
    Ok(Found { learnt, contradictions, holds, comparison: None })
}

/// Learns rules from evidence. `logs` are looked through for records that contradict each other, if any do.
#[pyfunction]
#[pyo3(signature = (evidence, *, name = None, method = "shortest", distance = 2, expansions = 20, floor = 0.1, noise = 0.0,
    effort = 500, logs = Vec::new(), damaged = Vec::new(), progress = None))]
#[expect(clippy::too_many_arguments, reason = "what was asked for")]
pub fn _learn_evidence(
    py: Python<'_>,
    evidence: Py<PyEvidence>,
    name: Option<String>,
    method: &str,
    #[pyo3(from_py_with = number)] distance: usize,
    #[pyo3(from_py_with = number)] expansions: usize,
    floor: f64,
    noise: f64,
    #[pyo3(from_py_with = number)] effort: u64,
    logs: Vec<Input>,
    damaged: Vec<Py<PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyLesson> {
    let options = options(py, name, method, distance, expansions, floor, noise, effort)?;
    let (shared, looked) = (evidence.get().shared(), logs.clone());
    let found = work::run(py, progress.as_ref(), move |task| learn_from(&shared, &options, &looked, task))?;
    found.lesson(py, evidence, &logs, damaged)
}

/// Learns rules from a rule sheet: plays it at random, watches, and checks the rules on other games of it.
#[pyfunction]
#[pyo3(signature = (game, *, games = None, check_games = None, seed = 1, name = None, method = "shortest", distance = 2,
    expansions = 20, floor = 0.1, noise = 0.0, effort = 500, progress = None))]
#[expect(clippy::too_many_arguments, reason = "what was asked for")]
pub fn _learn_sheet(
    py: Python<'_>,
    game: &Bound<'_, PyGame>,
    #[pyo3(from_py_with = number)] games: Option<u64>,
    #[pyo3(from_py_with = number)] check_games: Option<u64>,
    #[pyo3(from_py_with = number)] seed: u64,
    name: Option<String>,
    method: &str,
    #[pyo3(from_py_with = number)] distance: usize,
    #[pyo3(from_py_with = number)] expansions: usize,
    floor: f64,
    noise: f64,
    #[pyo3(from_py_with = number)] effort: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyLesson> {
    let plan = SheetPlan { games, check_games, seed, sheet_names: name.is_none() };
    let options = options(py, name, method, distance, expansions, floor, noise, effort)?;
    let sheet = sheet_of(py, game)?;
    let (found, evidence) = work::run(py, progress.as_ref(), move |task| {
        let report = learn_sheet(&sheet, &plan, &options, &task.stop, &watch(task)).map_err(misfit)?;
        if task.is_stopped() {
            return Err(Failure::Stopped);
        }
        let comparison = Some(compared(&report.comparison.check));
        let holds = report.holds();
        let (learnt, contradictions) = (report.lesson.learnt, report.lesson.contradictions);
        Ok((Found { learnt, contradictions, holds, comparison }, report.lesson.evidence))
    })?;
    let evidence = Py::new(py, PyEvidence::of(evidence))?;
    found.lesson(py, evidence, &[], Vec::new())
}

fn sheet_of(py: Python<'_>, game: &Bound<'_, PyGame>) -> PyResult<std::sync::Arc<onlooker::game::GdlGame>> {
    match &game.get().0.game {
        AnyGame::Sheet(sheet) => Ok(sheet.clone()),
        AnyGame::Rules(_) => {
            let message = "a game that has rules already was given, expected a rule sheet, logs or evidence";
            Err(Trouble::new("Error", message).raise(py))
        }
    }
}

fn misfit(reason: Misfit) -> Failure {
    match reason {
        Misfit::Interrupted => Failure::Stopped,
        reason => Trouble::new("NoRules", format!("the sheet does not fit: {reason}")).into(),
    }
}

fn compared(check: &Result<CheckReport, Unchecked>) -> String {
    match check {
        Err(reason) => format!("not checked: {reason}"),
        Ok(check) => format!(
            "checked on {} other games: of {} positions, moves agree in {} and outcomes in {}",
            check.games, check.positions, check.exact, check.outcomes_exact
        ),
    }
}

/// Evidence of random games of a rule sheet.
#[pyfunction]
#[pyo3(signature = (game, *, games = None, seed = 1, hops = "none", progress = None))]
pub fn observe_game(
    py: Python<'_>,
    game: &Bound<'_, PyGame>,
    #[pyo3(from_py_with = number)] games: Option<u64>,
    #[pyo3(from_py_with = number)] seed: u64,
    hops: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyEvidence> {
    let sheet = sheet_of(py, game)?;
    let reading = reading(py, hops)?;
    let evidence = work::run(py, progress.as_ref(), move |task| {
        let mut evidence = onlooker::learn::Evidence::default();
        observe_sheet(&mut evidence, &sheet, seed, games, reading, &task.stop).map_err(misfit)?;
        Ok(evidence)
    })?;
    Ok(PyEvidence::of(evidence))
}

fn reading(py: Python<'_>, hops: &str) -> PyResult<HopReading> {
    match hops {
        "none" => Ok(HopReading::Straight),
        "over-enemies" => Ok(HopReading::HopsOverEnemies),
        "over-all" => Ok(HopReading::HopsOverAll),
        other => {
            let message = format!("found hops {other:?}, expected none, over-enemies or over-all");
            Err(Trouble::new("Error", message).raise(py))
        }
    }
}

/// The moves by which the first (0) or the second (1) player makes one board of another, as a log writes them.
#[pyfunction]
#[pyo3(signature = (before, after, player = 0, *, hops = "none"))]
pub fn infer_moves(
    py: Python<'_>,
    before: &Bound<'_, PyAny>,
    after: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = number)] player: usize,
    hops: &str,
) -> PyResult<Vec<String>> {
    let (before, after): (Position, Position) =
        (crate::game::position_of(py, before)?, crate::game::position_of(py, after)?);
    if before.shape() != after.shape() || player > 1 {
        let message = "expected two boards of one shape, and player 0 or 1";
        return Err(Trouble::new("Error", message).raise(py));
    }
    let player = [Player::First, Player::Second][player];
    let moves = inferred(&before, &after, player, reading(py, hops)?);
    Ok(moves.iter().map(ToString::to_string).collect())
}
