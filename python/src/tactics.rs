//! Tactics: winning combinations, learnt from lost games, and proved.

use crate::errors::{Failure, Trouble};
use crate::evidence::{OneOrMany, open_log};
use crate::game::find_game;
use crate::input::{Input, number};
use crate::output;
use crate::work;
use onlooker::board::Position;
use onlooker::game::{AnyGame, Game};
use onlooker::play::{Agent, AgentSpec, NoKnowledge};
use onlooker::tactics::{
    BESIDE_GAMES, Checker, GameBoard, LearnOptions, LessonError, MOST_INSTANCES, RuleFile, Status, TacticsPlayer,
    TrainingError, UpdateSystem, check_adequacy, check_beside, checked_rules, describe_rule, find_system,
    learn_by_playing, learn_from_positions,
};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Rules that recognise winning combinations, with their proofs.
#[pyclass(frozen, module = "onlooker", name = "Tactics")]
pub struct PyTactics {
    pub file: Arc<RuleFile>,
}

/// The player that uses rules, where they recognise nothing another one.
pub fn player(
    game: &AnyGame,
    file: &RuleFile,
    then: Option<Arc<dyn Agent<AnyGame>>>,
) -> Result<Arc<dyn Agent<AnyGame>>, String> {
    let checked = checked_rules(file, game).map_err(|error| error.to_string())?;
    Ok(Arc::new(TacticsPlayer::new(checked, then)))
}

#[pymethods]
impl PyTactics {
    /// Reads the text form.
    #[new]
    fn parse(py: Python<'_>, text: &str) -> PyResult<PyTactics> {
        let file = RuleFile::parse(text).map_err(|error| Trouble::tactics(&error).raise(py))?;
        Ok(PyTactics { file: Arc::new(file) })
    }

    /// Reads a file of tactics.
    #[staticmethod]
    fn load(py: Python<'_>, path: Input) -> PyResult<PyTactics> {
        let text = path.text("TacticsError", 4 << 20).map_err(|failure| failure.raise(py))?;
        let file = RuleFile::parse(&text);
        let file = file.map_err(|error| Trouble::tactics(&error).in_file(path.name().as_deref()).raise(py))?;
        Ok(PyTactics { file: Arc::new(file) })
    }

    /// The text form.
    #[getter]
    fn text(&self) -> String {
        self.file.to_string()
    }

    /// What the game is called that they are for.
    #[getter]
    fn game(&self) -> String {
        self.file.game.clone()
    }

    /// The rules: name, whether it is proved, and what it says, with a board.
    #[getter]
    fn rules(&self) -> Vec<(String, bool, String)> {
        let rules = self.file.library.rules.iter();
        rules
            .map(|rule| (rule.name.clone(), rule.status == Status::Proved, describe_rule(&self.file.system, rule)))
            .collect()
    }

    /// Checks the proof of every rule again: for each that is not accepted, its name and why.
    fn verify(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        let file = Arc::clone(&self.file);
        work::run(py, None, move |task| {
            check_adequacy(&file.system, 20, 1).map_err(|error| Trouble::new("TacticsError", error.to_string()))?;
            let mut failed = Vec::new();
            let checker = Checker::new(&file.system);
            for rule in file.library.rules.iter().filter(|rule| rule.status == Status::Proved) {
                if task.is_stopped() {
                    return Err(Failure::Stopped);
                }
                if let Err(error) = checker.check_rule(rule, MOST_INSTANCES) {
                    failed.push((rule.name.clone(), error.to_string()));
                }
            }
            Ok(failed)
        })
    }

    /// Writes the text form to a file.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        output::write_file(&path, |out| std::io::Write::write_all(out, self.file.to_string().as_bytes()))
    }

    fn __str__(&self) -> String {
        self.file.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Tactics of {}: {} rules>", self.file.game, self.file.library.rules.len())
    }

    fn _repr_markdown_(&self) -> String {
        let rules: Vec<String> = self.rules().into_iter().map(|rule| rule.2).collect();
        format!("```text\n{}\n```\n", rules.join("\n"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("onlooker._onlooker")?.getattr("Tactics")?;
        Ok((make, (self.file.to_string(),).into_pyobject(py)?))
    }
}

/// The first of the systems that may describe a game and does.
fn system_of(game: &AnyGame, stop: &AtomicBool) -> Result<UpdateSystem, Failure> {
    find_system(game, stop).map_err(|error| Failure::from(Trouble::new("TacticsError", error.to_string())))
}

/// Learns winning combinations: from games against a player (`against`, `games`) that it wins, or from logs.
#[pyfunction]
#[pyo3(signature = (game, *, against = None, games = None, logs = None, system = None, max_plies = 1000, seed = 1,
    progress = None))]
#[expect(clippy::too_many_arguments, reason = "what was asked for")]
pub fn tactics(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    against: Option<&str>,
    #[pyo3(from_py_with = number)] games: Option<u64>,
    logs: Option<OneOrMany>,
    system: Option<&str>,
    #[pyo3(from_py_with = number)] max_plies: u64,
    #[pyo3(from_py_with = number)] seed: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyTactics> {
    let logs: Vec<Input> = logs.map(Vec::from).unwrap_or_default();
    if against.is_some() != logs.is_empty() {
        return Err(Trouble::new("TacticsError", "expected either a player or logs").raise(py));
    }
    let shared = Arc::clone(&find_game(py, game, false)?.get().0);
    let named = game.extract::<String>().ok().filter(|text| !text.contains('\n'));
    let named = named.unwrap_or_else(|| shared.game.name().to_owned());
    let given = system.map(UpdateSystem::parse).transpose();
    let given = given.map_err(|error| Trouble::tactics(&error).raise(py))?;
    let against: Option<AgentSpec> = against
        .map(str::parse)
        .transpose()
        .map_err(|error: onlooker::play::AgentError| Trouble::new("AgentError", error.to_string()).raise(py))?;
    let learnt = work::run(py, progress.as_ref(), move |task| {
        let game = &shared.game;
        let refuse = |message: String| Failure::from(Trouble::new("TacticsError", message));
        let system = match given {
            Some(system) => {
                check_adequacy(&system, 20, 1).map_err(|error| refuse(error.to_string()))?;
                check_beside(&system, game, BESIDE_GAMES, 1).map_err(|error| refuse(error.to_string()))?;
                system
            }
            None => system_of(game, &task.stop)?,
        };
        let board = GameBoard::new(&system, game).map_err(|error| refuse(error.to_string()))?;
        let mut file = RuleFile::new(&named, system);
        let options = LearnOptions::default();
        let (games, losses) = match against {
            Some(against) => {
                let games = games.unwrap_or(0);
                task.of(games);
                let agent = against.build::<AnyGame>(&NoKnowledge);
                let agent = agent.map_err(|error| Trouble::new("AgentError", error.reason))?;
                let done = |count| task.set(count);
                let plan = (max_plies, seed);
                let report =
                    learn_by_playing(game, &mut file, &board, &agent, 0..games, plan, &options, &task.stop, &done);
                let report = report.map_err(|error| match error {
                    TrainingError::Truncated(reason) => Failure::from(Trouble::truncated(reason)),
                    error => refuse(error.to_string()),
                })?;
                file.learnt.push(("against".to_owned(), against.to_string()));
                file.learnt.push(("seed".to_owned(), seed.to_string()));
                (report.games, report.losses)
            }
            None => recorded(&mut file, &board, &options, &logs, games.unwrap_or(u64::MAX), task)?,
        };
        if task.is_stopped() {
            return Err(Failure::Stopped);
        }
        file.learnt.push(("games".to_owned(), games.to_string()));
        file.learnt.push(("losses".to_owned(), losses.to_string()));
        file.learnt.push(("program".to_owned(), format!("onlooker {}", env!("CARGO_PKG_VERSION"))));
        Ok(file)
    })?;
    Ok(PyTactics { file: Arc::new(learnt) })
}

/// Learns from the recorded games that somebody lost.
fn recorded(
    file: &mut RuleFile,
    board: &GameBoard,
    options: &LearnOptions,
    logs: &[Input],
    most: u64,
    task: &work::Task,
) -> Result<(u64, u64), Failure> {
    let (mut games, mut losses, mut records) = (0, 0, Vec::new());
    for input in logs {
        let name = input.name();
        let mut log = open_log(input, task)?;
        let mut number = 0;
        while games < most && log.read(&mut records).map_err(|error| Trouble::log(&error).in_file(name.as_deref()))? {
            if task.is_stopped() {
                return Err(Failure::Stopped);
            }
            (games, number) = (games + 1, number + 1);
            let positions: Vec<Position> = records.iter().map(|record| record.position.clone()).collect();
            match learn_from_positions(file, board, &positions, &format!("log-{number}"), options) {
                Ok(_) => losses += 1,
                Err(LessonError::NotLost { .. }) => {}
                Err(error) => {
                    let trouble = Trouble::new("TacticsError", format!("game {number}: {error}"));
                    return Err(trouble.in_file(name.as_deref()).into());
                }
            }
        }
        file.learnt.push(("log".to_owned(), name.unwrap_or_default()));
    }
    if losses == 0 {
        let message = format!("nobody has lost one of the {games} games, expected a game that somebody has won");
        return Err(Trouble::new("TacticsError", message).into());
    }
    Ok((games, losses))
}
