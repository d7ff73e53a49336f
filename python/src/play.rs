//! Agents and matches.

use crate::concepts::PyConcepts;
use crate::errors::{Failure, Trouble};
use crate::game::{Shared, find_game};
use crate::input::{Input, number};
use crate::moves::{PyMove, chosen_move, role_of};
use crate::opponent::PyOpponentModel;
use crate::state::PyState;
use crate::tactics::{PyTactics, player as tactics_player};
use crate::work;
use onlooker::concepts::{CompiledHeuristic, Heuristic};
use onlooker::game::{AnyGame, AnyMove, AnyState, Chance, Game, Role, played_roles};
use onlooker::opponent::{OpponentModel, OpponentSearch};
use onlooker::play::{
    Agent, AgentSpec, Choice, ClockedSpec, Evaluation, Knowledge, KnowledgeError, MatchPlan, MatchResult, NoKnowledge,
    OpponentSpec, Policy, play_match_part,
};
use onlooker::tactics::RuleFile;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Whoever chooses moves, by name: `mcts:1000`, `alphabeta:4,eval=material`, `heuristic:FILE`.
#[pyclass(frozen, module = "onlooker", name = "Agent")]
pub struct PyAgent {
    spec: AgentSpec,
    known: Arc<HashMap<String, Known>>,
}

/// What a name in the text of an agent stands for.
#[derive(Clone)]
enum Known {
    Concepts(Arc<Heuristic>),
    Opponent(Arc<OpponentModel>),
    Tactics(Arc<RuleFile>),
}

/// Looks for knowledge among what was given, and otherwise in files.
struct Library<'a> {
    game: &'a AnyGame,
    known: &'a HashMap<String, Known>,
}

/// No file of a model is larger by far.
const MAX_MODEL: u64 = 256 << 20;

impl Library<'_> {
    fn refuse(&self, file: &str, failure: Failure) -> KnowledgeError {
        let reason = match failure {
            Failure::Trouble(trouble) => {
                let place = trouble.line.map(|line| format!(":{line}:{}", trouble.column.unwrap_or(1)));
                format!("{file}{}: {}", place.unwrap_or_default(), trouble.message)
            }
            Failure::Io(error, _) => format!("{file}: {error}"),
            Failure::Python(error) => format!("{file}: {error}"),
            Failure::Stopped => format!("{file}: it was stopped"),
        };
        KnowledgeError { file: file.to_owned(), reason }
    }

    fn find(&self, file: &str) -> Result<Known, KnowledgeError> {
        if let Some(known) = self.known.get(file) {
            return Ok(known.clone());
        }
        let text = Input::Path(PathBuf::from(file)).text("ConceptsError", MAX_MODEL);
        let text = text.map_err(|failure| self.refuse(file, failure))?;
        if text.starts_with("opponent ") {
            let model =
                OpponentModel::parse(&text).map_err(|error| self.refuse(file, Trouble::model(&error).into()))?;
            return Ok(Known::Opponent(Arc::new(model)));
        }
        let heuristic = Heuristic::parse(&text);
        let heuristic = heuristic.map_err(|error| self.refuse(file, Trouble::heuristic(&error).into()))?;
        Ok(Known::Concepts(Arc::new(heuristic)))
    }

    /// Only the name of the agent says that a file has tactics.
    fn rules(&self, file: &str) -> Result<Arc<RuleFile>, KnowledgeError> {
        match self.known.get(file) {
            Some(Known::Tactics(rules)) => Ok(Arc::clone(rules)),
            Some(_) => Err(self.refuse(file, Trouble::new("TacticsError", "expected tactics").into())),
            None => {
                let text = Input::Path(PathBuf::from(file)).text("TacticsError", MAX_MODEL);
                let text = text.map_err(|failure| self.refuse(file, failure))?;
                let rules = RuleFile::parse(&text);
                rules.map(Arc::new).map_err(|error| self.refuse(file, Trouble::tactics(&error).into()))
            }
        }
    }

    fn compiled(&self, file: &str) -> Result<Arc<CompiledHeuristic>, KnowledgeError> {
        let refuse = |reason: String| KnowledgeError { file: file.to_owned(), reason: format!("{file}: {reason}") };
        match self.find(file)? {
            Known::Concepts(heuristic) => {
                CompiledHeuristic::new(&heuristic, self.game).map(Arc::new).map_err(|error| refuse(error.to_string()))
            }
            Known::Opponent(_) => Err(refuse("found a model of an opponent, expected concepts".to_owned())),
            Known::Tactics(_) => Err(refuse("found tactics, expected concepts".to_owned())),
        }
    }

    fn model(&self, file: &str) -> Result<Arc<OpponentModel>, KnowledgeError> {
        let refuse = |reason: String| KnowledgeError { file: file.to_owned(), reason: format!("{file}: {reason}") };
        let Known::Opponent(model) = self.find(file)? else {
            return Err(refuse("found something else, expected a model of an opponent".to_owned()));
        };
        let mut model = (*model).clone();
        if !self.game.roles().contains(&model.role) {
            let (found, roles) = (&model.role, self.game.roles().join(", "));
            return Err(refuse(format!("found a model of role {found}, expected one of {roles}")));
        }
        model.bind(self.game);
        Ok(Arc::new(model))
    }
}

impl Knowledge<AnyGame> for Library<'_> {
    fn evaluation(&self, file: &str) -> Result<Arc<dyn Evaluation<AnyGame>>, KnowledgeError> {
        Ok(self.compiled(file)?)
    }

    fn policy(&self, file: &str) -> Result<Arc<dyn Policy<AnyGame>>, KnowledgeError> {
        match self.find(file)? {
            Known::Opponent(_) => Ok(self.model(file)?),
            Known::Concepts(_) | Known::Tactics(_) => Ok(self.compiled(file)?),
        }
    }

    fn tactics(
        &self,
        file: &str,
        then: Option<Arc<dyn Agent<AnyGame>>>,
    ) -> Result<Arc<dyn Agent<AnyGame>>, KnowledgeError> {
        let refuse = |reason: String| KnowledgeError { file: file.to_owned(), reason: format!("{file}: {reason}") };
        tactics_player(self.game, &*self.rules(file)?, then).map_err(refuse)
    }

    fn opponent(
        &self,
        spec: &OpponentSpec,
        evaluation: Arc<dyn Evaluation<AnyGame>>,
    ) -> Result<Arc<dyn Agent<AnyGame>>, KnowledgeError> {
        Ok(Arc::new(OpponentSearch::new(self.model(&spec.file)?, spec, evaluation)))
    }

    fn clocked(&self, spec: &ClockedSpec) -> Result<Arc<dyn Agent<AnyGame>>, KnowledgeError> {
        NoKnowledge.clocked(spec)
    }
}

/// What an agent chose, and what it knows about it.
#[pyclass(frozen, module = "onlooker", name = "Choice", get_all)]
pub struct PyChoice {
    r#move: Py<PyMove>,
    /// The goal that the agent expects with it, from 0 to 100, if it has an opinion.
    value: Option<f64>,
    /// States that were looked at.
    nodes: u64,
    depth: u16,
    playouts: u64,
    /// Whether the value is certain.
    proved: bool,
}

#[pymethods]
impl PyChoice {
    fn __repr__(&self) -> String {
        let value = self.value.map_or_else(String::new, |value| format!(", value {value:.1}"));
        format!("<Choice {}{value}>", self.r#move.get().name)
    }
}

impl PyAgent {
    fn build(&self, game: &AnyGame) -> Result<Arc<dyn Agent<AnyGame>>, Failure> {
        let library = Library { game, known: &self.known };
        let agent = self.spec.build(&library);
        let agent = agent.map_err(|error| Trouble::new("AgentError", error.reason).in_file(Some(&error.file)))?;
        Ok(Arc::new(agent))
    }
}

#[pymethods]
impl PyAgent {
    /// An agent by its name. Names of files in it may stand for objects that are given with them:
    /// `Agent("mcts:500,eval=mine", mine=concepts)`.
    #[new]
    #[pyo3(signature = (name, **known))]
    fn new(py: Python<'_>, name: &str, known: Option<&Bound<'_, PyDict>>) -> PyResult<PyAgent> {
        let spec: AgentSpec = name
            .parse()
            .map_err(|error: onlooker::play::AgentError| Trouble::new("AgentError", error.to_string()).raise(py))?;
        let mut given = HashMap::new();
        for (name, value) in known.into_iter().flatten() {
            let value = if let Ok(concepts) = value.cast::<PyConcepts>() {
                Known::Concepts(Arc::clone(&concepts.get().heuristic))
            } else if let Ok(model) = value.cast::<PyOpponentModel>() {
                Known::Opponent(Arc::new(model.get().model().clone()))
            } else if let Ok(tactics) = value.cast::<PyTactics>() {
                Known::Tactics(Arc::clone(&tactics.get().file))
            } else {
                let message = format!("found {value}, expected concepts, tactics or a model of an opponent");
                return Err(Trouble::new("AgentError", message).raise(py));
            };
            given.insert(name.extract::<String>()?, value);
        }
        Ok(PyAgent { spec, known: Arc::new(given) })
    }

    /// Chooses a move in a state, for a role or for the one that is to move.
    #[pyo3(signature = (state, role = None, *, seed = 1))]
    fn choose(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyState>,
        role: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = number)] seed: u64,
    ) -> PyResult<PyChoice> {
        let (shared, now) = {
            let state = state.try_borrow()?;
            (Arc::clone(&state.shared), state.now().clone())
        };
        let role = match role {
            Some(role) => role_of(py, &shared.game, role)?,
            None => shared.game.to_move(&now).iter().next().unwrap_or(Role(0)),
        };
        let agent = self.build(&shared.game).map_err(|failure| failure.raise(py))?;
        let (choice, named) = work::run(py, None, move |task| {
            let choice = agent.choose_until(&shared.game, &now, role, &mut Chance::new(seed), &task.stop);
            let nothing = || Trouble::new("IllegalMove", "there is nothing to choose: the role is not to move");
            let choice = choice.ok_or_else(nothing)?;
            let named = chosen_move(&shared.game, &now, role, &choice.pick).ok_or_else(nothing)?;
            Ok((choice, named))
        })?;
        let Choice { value, nodes, depth, playouts, proved, truncated, .. } = choice;
        if let Some(reason) = truncated {
            return Err(Trouble::truncated(reason).raise(py));
        }
        Ok(PyChoice { r#move: Py::new(py, named)?, value, nodes, depth, playouts, proved })
    }

    fn __str__(&self) -> String {
        self.spec.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Agent({:?})", self.spec.to_string())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let make = py.import("onlooker._onlooker")?.getattr("_agent_of")?;
        let texts: HashMap<String, (&str, String)> = (self.known.iter())
            .map(|(name, known)| {
                let text = match known {
                    Known::Concepts(heuristic) => ("concepts", heuristic.to_string()),
                    Known::Opponent(model) => ("opponent", model.to_string()),
                    Known::Tactics(rules) => ("tactics", rules.to_string()),
                };
                (name.clone(), text)
            })
            .collect();
        let arguments = (self.spec.to_string(), texts).into_pyobject(py)?;
        Ok((make, arguments).into_pyobject(py)?.into_any())
    }
}

/// For pickles.
#[pyfunction]
pub fn _agent_of(py: Python<'_>, name: &str, texts: HashMap<String, (String, String)>) -> PyResult<PyAgent> {
    let refuse = |trouble: Trouble| trouble.raise(py);
    let mut known = HashMap::new();
    for (name, (kind, text)) in texts {
        let value = match kind.as_str() {
            "concepts" => {
                Known::Concepts(Arc::new(Heuristic::parse(&text).map_err(|error| refuse(Trouble::heuristic(&error)))?))
            }
            "tactics" => {
                Known::Tactics(Arc::new(RuleFile::parse(&text).map_err(|error| refuse(Trouble::tactics(&error)))?))
            }
            _ => {
                Known::Opponent(Arc::new(OpponentModel::parse(&text).map_err(|error| refuse(Trouble::model(&error)))?))
            }
        };
        known.insert(name, value);
    }
    let spec = name
        .parse()
        .map_err(|error: onlooker::play::AgentError| refuse(Trouble::new("AgentError", error.to_string())))?;
    Ok(PyAgent { spec, known: Arc::new(known) })
}

/// A function of Python that chooses moves: `function(state, role)` gives a legal move or its name.
struct Function {
    function: Py<PyAny>,
    shared: Arc<Shared>,
    /// What it raised first.
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Function {
    fn call(&self, state: &AnyState, role: Role, moves: &[AnyMove]) -> PyResult<usize> {
        Python::attach(|py| {
            let game = &self.shared.game;
            let name = game.roles()[role.index()].clone();
            let shown = Py::new(py, PyState::new(Arc::clone(&self.shared), state.clone()))?;
            let chosen = self.function.call1(py, (shown, name))?;
            let names = game.move_names(state, role, moves);
            let text = match chosen.cast_bound::<PyMove>(py) {
                Ok(chosen) => chosen.get().name.clone(),
                Err(_) => chosen.extract::<String>(py)?,
            };
            names.iter().position(|legal| *legal == text).ok_or_else(|| {
                Trouble::new("IllegalMove", format!("found {text:?}, expected a legal move: {}", names.join(", ")))
                    .raise(py)
            })
        })
    }
}

impl Agent<AnyGame> for Function {
    fn choose_among(
        &self,
        _: &AnyGame,
        state: &AnyState,
        role: Role,
        mut moves: Vec<AnyMove>,
        _: &mut Chance,
        stop: &AtomicBool,
    ) -> Choice<AnyMove> {
        let pick = match self.call(state, role, &moves) {
            Ok(pick) => pick,
            Err(error) => {
                stop.store(true, Ordering::Relaxed);
                self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                0
            }
        };
        Choice::unexamined(moves.swap_remove(pick))
    }
}

/// How a match went.
#[pyclass(frozen, module = "onlooker", name = "MatchResult")]
pub struct PyMatchResult {
    result: MatchResult,
    /// The names of the players.
    #[pyo3(get)]
    players: Vec<String>,
    /// The roles that are played, in the order of `sides`.
    #[pyo3(get)]
    roles: Vec<String>,
}

#[pymethods]
impl PyMatchResult {
    #[getter]
    fn games(&self) -> u64 {
        self.result.games
    }

    /// Games won, by player.
    #[getter]
    fn wins(&self) -> Vec<u64> {
        self.result.wins.clone()
    }

    #[getter]
    fn draws(&self) -> u64 {
        self.result.draws
    }

    /// By player and role: games won, drawn and lost.
    #[getter]
    fn sides(&self) -> Vec<Vec<(u64, u64, u64)>> {
        let score = |score: &onlooker::play::Score| (score.won, score.drawn, score.lost);
        self.result.sides.iter().map(|roles| roles.iter().map(score).collect()).collect()
    }

    /// By player: how many moves it chose, states a move, mean depth.
    #[getter]
    fn effort(&self) -> Vec<(u64, f64, f64)> {
        let effort = |effort: &onlooker::play::Effort| (effort.choices, effort.nodes_per_choice(), effort.mean_depth());
        self.result.effort.iter().map(effort).collect()
    }

    /// The result of this and of the games that came after.
    fn __add__(&self, later: &Bound<'_, PyMatchResult>) -> PyMatchResult {
        let mut result = self.result.clone();
        result.merge(&later.get().result);
        PyMatchResult { result, players: self.players.clone(), roles: self.roles.clone() }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<PyMatchResult>()
            .is_ok_and(|other| self.result == other.get().result && self.players == other.get().players)
    }

    fn __repr__(&self) -> String {
        let scores = self.players.iter().zip(&self.result.wins);
        let scores: Vec<String> = scores.map(|(player, wins)| format!("{player} won {wins}")).collect();
        format!("<MatchResult: {} games, {}, {} draws>", self.result.games, scores.join(", "), self.result.draws)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let make = py.import("onlooker._onlooker")?.getattr("_match_of")?;
        let MatchResult { games, wins, draws, effort, .. } = &self.result;
        let effort: Vec<(u64, u64, u64)> = effort.iter().map(|one| (one.choices, one.nodes, one.depths)).collect();
        let arguments = (&self.players, &self.roles, *games, wins, *draws, self.sides(), effort).into_pyobject(py)?;
        Ok((make, arguments).into_pyobject(py)?.into_any())
    }
}

/// For pickles.
#[pyfunction]
pub fn _match_of(
    players: Vec<String>,
    roles: Vec<String>,
    #[pyo3(from_py_with = number)] games: u64,
    wins: Vec<u64>,
    draws: u64,
    sides: Vec<Vec<(u64, u64, u64)>>,
    effort: Vec<(u64, u64, u64)>,
) -> PyMatchResult {
    use onlooker::play::{Effort, Score};
    let score = |(won, drawn, lost): (u64, u64, u64)| Score { won, drawn, lost };
    let sides = sides.into_iter().map(|roles| roles.into_iter().map(score).collect()).collect();
    let effort = effort.into_iter().map(|(choices, nodes, depths)| Effort { choices, nodes, depths }).collect();
    let result = MatchResult { games, wins, draws, sides, effort, stopped: false, truncated: None };
    PyMatchResult { result, players, roles }
}

/// Lets players compete: agents, their names, or functions of a state and a role. They change sides from game to game.
#[pyfunction]
#[pyo3(name = "match", signature = (game, players, *, games, seed = 1, max_plies = 10_000, first = 0, progress = None))]
#[expect(clippy::too_many_arguments, reason = "what was asked for")]
pub fn match_(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    players: Vec<Py<PyAny>>,
    #[pyo3(from_py_with = number)] games: u64,
    #[pyo3(from_py_with = number)] seed: u64,
    #[pyo3(from_py_with = number)] max_plies: u64,
    #[pyo3(from_py_with = number)] first: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyMatchResult> {
    let shared = Arc::clone(&find_game(py, game, false)?.get().0);
    let raised = Arc::new(Mutex::new(None));
    let (mut agents, mut names): (Vec<Arc<dyn Agent<AnyGame>>>, Vec<String>) = (Vec::new(), Vec::new());
    for player in players {
        let bound = player.bind(py);
        if let Ok(name) = bound.extract::<String>() {
            let agent = PyAgent::new(py, &name, None)?;
            names.push(agent.spec.to_string());
            agents.push(agent.build(&shared.game).map_err(|failure| failure.raise(py))?);
        } else if let Ok(agent) = bound.cast::<PyAgent>() {
            names.push(agent.get().spec.to_string());
            agents.push(agent.get().build(&shared.game).map_err(|failure| failure.raise(py))?);
        } else {
            names.push(
                bound.getattr("__name__").and_then(|name| name.extract()).unwrap_or_else(|_| "function".to_owned()),
            );
            let (shared, raised) = (Arc::clone(&shared), Arc::clone(&raised));
            agents.push(Arc::new(Function { function: player, shared, raised }));
        }
    }
    let roles = played_roles(&shared.game).iter().map(|role| shared.game.roles()[role.index()].clone()).collect();
    let plan = MatchPlan { games: first + games, seed, plies: max_plies };
    let result = work::run(py, progress.as_ref(), move |task| {
        task.of(games);
        let numbers = first..first + games;
        let watch = |number: u64, _: &onlooker::play::GameResult| task.set(number - first + 1);
        let result = play_match_part(&shared.game, &agents, &plan, numbers, &task.stop, &watch);
        if let Some(error) = raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(Failure::Python(error));
        }
        let result = result.map_err(|error| Trouble::new("Error", error.to_string()))?;
        match result.truncated {
            Some(reason) => Err(Trouble::truncated(reason).into()),
            None if result.stopped => Err(Failure::Stopped),
            None => Ok(result),
        }
    })?;
    Ok(PyMatchResult { result, players: names, roles })
}
