//! Logs: random games written down, games that were played written down, rules checked against them.

use crate::errors::{Failure, Trouble};
use crate::evidence::{OneOrMany, open_log, total};
use crate::game::{PyGame, find_game};
use crate::input::{Input, number};
use crate::output;
use crate::state::PyState;
use crate::work::{self, Task};
use onlooker::game::{
    AnyGame, AnyState, CheckReport, RulesGame, SimulationError, SimulationPlan, check_game, random_game,
    simulate as simulate_rules,
};
use onlooker::observe::{Listing, LogWriter, Record};
use onlooker::relearn::{SheetLogError, simulate_sheet};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// How well rules account for logs.
#[pyclass(frozen, module = "onlooker", name = "CheckReport", get_all)]
pub struct PyCheckReport {
    /// Whether everything is reproduced.
    holds: bool,
    games: u64,
    positions: u64,
    /// Positions whose legal moves, compared by effect, and whose next position are reproduced.
    exact: u64,
    /// Those of them whose words agree too.
    words_exact: u64,
    /// Positions whose outcome is reproduced.
    outcomes_exact: u64,
    /// Moves that are listed but not generated.
    missing: u64,
    /// Moves that are generated but not listed.
    extra: u64,
    precision: f64,
    recall: f64,
    /// The first differences, each with its game and record.
    mismatches: Vec<String>,
    /// The errors of damaged games that were skipped.
    damaged: Vec<Py<PyAny>>,
}

#[pymethods]
impl PyCheckReport {
    fn __bool__(&self) -> bool {
        self.holds
    }

    fn __repr__(&self) -> String {
        let holds = if self.holds { "the rules hold" } else { "the rules do not hold" };
        format!("<CheckReport: {} games, {} positions, {holds}>", self.games, self.positions)
    }
}

const BATCH: usize = 256;
const MANY_MOVES: usize = 1 << 20;

/// Checks rules against logs: legal moves, next positions, outcomes, turns and setup.
#[pyfunction]
#[pyo3(signature = (game, logs, *, keep_going = false, shown = 5, progress = None))]
pub fn check(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    logs: OneOrMany,
    keep_going: bool,
    #[pyo3(from_py_with = number)] shown: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyCheckReport> {
    let game = find_game(py, game, false)?.get().rules_game(py)?;
    let inputs: Vec<Input> = logs.into();
    let (check, damaged) =
        work::run(py, progress.as_ref(), move |task| check_logs(&game, &inputs, keep_going, shown, task))?;
    if let Some(reason) = check.truncated {
        return Err(Trouble::truncated(reason).raise(py));
    }
    let damaged: PyResult<Vec<_>> = damaged.iter().map(|one| one.exception(py).map(Bound::unbind)).collect();
    Ok(PyCheckReport {
        holds: check.holds(),
        games: check.games,
        positions: check.positions,
        exact: check.exact,
        words_exact: check.words_exact,
        outcomes_exact: check.outcomes_exact,
        missing: check.missing,
        extra: check.extra,
        precision: check.precision(),
        recall: check.recall(),
        mismatches: check.mismatches.iter().map(ToString::to_string).collect(),
        damaged: damaged?,
    })
}

fn check_logs(
    game: &RulesGame,
    inputs: &[Input],
    keep_going: bool,
    shown: usize,
    task: &Task,
) -> Result<(CheckReport, Vec<Trouble>), Failure> {
    task.of(total(inputs));
    let (mut check, mut damaged) = (CheckReport::default(), Vec::new());
    for input in inputs {
        let name = input.name();
        let mut games = open_log(input, task)?;
        loop {
            let mut batch: Vec<Vec<Record>> = Vec::new();
            let (mut moves, mut ended) = (0, false);
            while batch.len() < BATCH && moves < MANY_MOVES {
                match games.next() {
                    Some(Ok(records)) => {
                        moves += records.iter().map(|record| record.moves.len()).sum::<usize>();
                        batch.push(records);
                    }
                    Some(Err(error)) => {
                        let trouble = Trouble::log(&error).in_file(name.as_deref());
                        if !keep_going {
                            return Err(trouble.into());
                        }
                        damaged.push(trouble);
                    }
                    None => {
                        ended = true;
                        break;
                    }
                }
            }
            if task.is_stopped() {
                return Err(Failure::Stopped);
            }
            let first = check.games + 1;
            let numbered = (first..).zip(batch).collect::<Vec<_>>().into_par_iter();
            let checked: Vec<CheckReport> =
                numbered.map(|(number, records)| check_game(game, &records, number, shown)).collect();
            checked.into_iter().for_each(|report| check.merge(report, shown));
            if ended {
                break;
            }
        }
    }
    if check.positions == 0 && !damaged.is_empty() {
        let message = "no game could be read, expected at least one complete game";
        return Err(Trouble::new("LogError", message).in_file(damaged[0].file.as_deref()).into());
    }
    Ok((check, damaged))
}

/// What was written to a log.
#[pyclass(frozen, module = "onlooker", name = "SimulationReport", get_all)]
pub struct PySimulationReport {
    games: u64,
    positions: u64,
    moves: u64,
}

#[pymethods]
impl PySimulationReport {
    fn __repr__(&self) -> String {
        format!("<SimulationReport: {} games, {} positions, {} moves>", self.games, self.positions, self.moves)
    }
}

fn listing(py: Python<'_>, moves: &str) -> PyResult<Listing> {
    match moves {
        "all" => Ok(Listing::All),
        "some" => Ok(Listing::Some),
        other => Err(Trouble::new("Error", format!("found moves {other:?}, expected 'all' or 'some'")).raise(py)),
    }
}

/// Plays games at random and writes them to a file as a log, as the command line does: the same seed, the same bytes.
#[pyfunction]
#[pyo3(signature = (game, path, *, games, moves = "all", seed = 1, max_plies = 10_000, progress = None))]
#[expect(clippy::too_many_arguments, reason = "what was asked for")]
pub fn simulate(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    path: PathBuf,
    #[pyo3(from_py_with = number)] games: u64,
    moves: &str,
    #[pyo3(from_py_with = number)] seed: u64,
    #[pyo3(from_py_with = number)] max_plies: u32,
    progress: Option<Py<PyAny>>,
) -> PyResult<PySimulationReport> {
    let shared = Arc::clone(&find_game(py, game, false)?.get().0);
    let plan = SimulationPlan { games, listing: listing(py, moves)?, seed, plies: max_plies };
    let report = work::run(py, progress.as_ref(), move |task| {
        let mut report = None;
        let written = output::try_write(&path, |out| {
            report = Some(write_games(&shared.game, &plan, out, task)?);
            Ok(())
        });
        written.map_err(|stop: Ended| match stop {
            Ended::Io(error) => Failure::Io(error, path.display().to_string()),
            Ended::Failure(failure) => failure,
        })?;
        report.ok_or(Failure::Stopped)
    })?;
    Ok(PySimulationReport { games: report.0, positions: report.1, moves: report.2 })
}

/// Why writing ended.
enum Ended {
    Io(io::Error),
    Failure(Failure),
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Ended {
        Ended::Io(error)
    }
}

fn write_games(
    game: &AnyGame,
    plan: &SimulationPlan,
    out: &mut impl Write,
    task: &Task,
) -> Result<(u64, u64, u64), Ended> {
    task.of(plan.games);
    let mut show = |report: &onlooker::game::SimulationReport| task.set(report.games);
    let report = match game {
        AnyGame::Rules(game) => {
            simulate_rules(game, plan, out, &task.stop, &mut show).map_err(|error| match error {
                SimulationError::Io(error) => Ended::Io(error),
                SimulationError::Truncated(reason) => Ended::Failure(Trouble::truncated(reason).into()),
            })?
        }
        AnyGame::Sheet(game) => {
            simulate_sheet(game, plan, out, &task.stop, &mut show).map_err(|error| match error {
                SheetLogError::Io(error) => Ended::Io(error),
                SheetLogError::Board(reason) => Ended::Failure(Trouble::new("Error", reason.to_string()).into()),
            })?
        }
    };
    if report.stopped {
        return Err(Ended::Failure(Failure::Stopped));
    }
    Ok((report.games, report.positions, report.moves))
}

/// Random games as the bytes of a log: those with numbers from `first` on, or all if the game is a rule sheet.
#[pyfunction]
#[pyo3(signature = (game, games, *, moves = "all", seed = 1, max_plies = 10_000, first = 0, progress = None))]
#[expect(clippy::too_many_arguments, reason = "what was asked for")]
pub fn simulate_bytes<'py>(
    py: Python<'py>,
    game: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = number)] games: u64,
    moves: &str,
    #[pyo3(from_py_with = number)] seed: u64,
    #[pyo3(from_py_with = number)] max_plies: u32,
    #[pyo3(from_py_with = number)] first: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let shared = Arc::clone(&find_game(py, game, false)?.get().0);
    let plan = SimulationPlan { games: first + games, listing: listing(py, moves)?, seed, plies: max_plies };
    let bytes = work::run(py, progress.as_ref(), move |task| {
        task.of(games);
        let AnyGame::Rules(rules) = &shared.game else {
            if first > 0 {
                let message = "games of a rule sheet are written all at once, expected first = 0";
                return Err(Trouble::new("Error", message).into());
            }
            let mut out = Vec::new();
            return match write_games(&shared.game, &plan, &mut out, task) {
                Ok(_) => Ok(out),
                Err(Ended::Failure(failure)) => Err(failure),
                Err(Ended::Io(error)) => Err(Failure::Io(error, String::new())),
            };
        };
        let play = |number: u64| -> Result<Vec<u8>, Failure> {
            if task.is_stopped() {
                return Err(Failure::Stopped);
            }
            let records = random_game(rules, &plan, number).map_err(Trouble::truncated)?;
            task.add(1);
            written(&records)
        };
        let logs: Result<Vec<Vec<u8>>, Failure> = (first..first + games).into_par_iter().map(play).collect();
        Ok(logs?.concat())
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// For Dask: writes bytes one after another to a file, compressed as the command line does.
#[pyfunction]
pub fn _write_parts(path: PathBuf, parts: Vec<Bound<'_, PyBytes>>) -> PyResult<()> {
    output::write_file(&path, |out| parts.iter().try_for_each(|part| out.write_all(part.as_bytes())))
}

fn written(records: &[Record]) -> Result<Vec<u8>, Failure> {
    let failed = |error| Failure::Io(error, String::new());
    let mut writer = LogWriter::new(Vec::new());
    records.iter().try_for_each(|record| writer.write(record)).map_err(failed)?;
    writer.finish().map_err(failed)
}

/// The game that led to a state, as the bytes of a log that lists all legal moves.
#[pyfunction]
pub fn game_log<'py>(py: Python<'py>, state: &Bound<'_, PyState>) -> PyResult<Bound<'py, PyBytes>> {
    let state = state.try_borrow()?;
    let game = PyGame(Arc::clone(&state.shared)).rules_game(py)?;
    let records: Vec<Record> = state.records(&game);
    Ok(PyBytes::new(py, &written(&records).map_err(|failure| failure.raise(py))?))
}

/// What a record says of a state.
pub fn record_of(game: &RulesGame, state: &AnyState, number: u32) -> Option<Record> {
    use onlooker::observe::{Move, Outcome};
    use onlooker::rules::Verdict;
    let AnyState::Rules(state) = state else { return None };
    let mut record = Record { number, listing: Listing::All, ..Record::default() };
    record.position = game.board(state);
    record.turn = game.turn(state);
    record.outcome = game.verdict(state).map(|verdict| match verdict {
        Verdict::Win => Outcome::Won,
        Verdict::Lose => Outcome::Lost,
        Verdict::Tie => Outcome::Tied,
    });
    if record.outcome.is_none() {
        let mut moves = Vec::new();
        onlooker::game::Game::legal(game, state, onlooker::game::Role(record.turn.index() as u8), &mut moves);
        record.moves.extend(moves.iter().map(|choice| {
            let (start, word) = game.word(state, choice);
            Move::Word { start, word }
        }));
    }
    Some(record)
}
