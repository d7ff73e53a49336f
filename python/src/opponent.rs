//! Models of how somebody plays a role.

use crate::errors::{Failure, Trouble};
use crate::evidence::open_log;
use crate::game::find_game;
use crate::input::{Input, number};
use crate::moves::{PyMove, legal_moves, role_of};
use crate::output;
use crate::state::PyState;
use crate::work;
use onlooker::game::{AnyGame, Game, Role};
use onlooker::opponent::{
    BayesOptions, Measures, ModelOptions, MoveView, OpponentModel, Options, Turn, predict_turns, turns_of_records,
    waiting_moves, watch_matches,
};
use onlooker::play::{Agent, AgentSpec, MatchPlan, NoKnowledge, find_role};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::path::PathBuf;
use std::sync::Arc;

/// A model of how somebody plays a role.
#[pyclass(frozen, module = "onlooker", name = "OpponentModel")]
pub struct PyOpponentModel(Arc<OpponentModel>);

impl PyOpponentModel {
    pub fn model(&self) -> &OpponentModel {
        &self.0
    }
}

/// How good predictions are.
#[pyclass(frozen, module = "onlooker", name = "Measures", get_all)]
pub struct PyMeasures {
    turns: u64,
    /// For N = 1, 2, ...: the share of turns in which the move played was among the first N.
    top: Vec<f64>,
    /// What the best possible model would reach.
    ceiling: Vec<f64>,
    /// What chance would.
    uniform: Vec<f64>,
    log_loss: f64,
    uniform_log_loss: f64,
}

#[pymethods]
impl PyMeasures {
    fn __repr__(&self) -> String {
        let first = self.top.first().copied().unwrap_or_default();
        format!("<Measures: {} turns, first guess right in {:.1} %>", self.turns, 100.0 * first)
    }
}

const TEST_SALT: u64 = 0x7e57_7e57;

fn agent(py: Python<'_>, name: &str) -> PyResult<AgentSpec> {
    name.parse().map_err(|error: onlooker::play::AgentError| Trouble::new("AgentError", error.to_string()).raise(py))
}

fn play(
    game: &AnyGame,
    role: Role,
    player: &AgentSpec,
    against: &AgentSpec,
    plan: &MatchPlan,
    again: usize,
    task: &work::Task,
) -> Result<Vec<Turn<AnyGame>>, Failure> {
    task.of(plan.games);
    let build = |spec: &AgentSpec| {
        let built = spec.build::<AnyGame>(&NoKnowledge);
        built.map_err(|error| Failure::from(Trouble::new("AgentError", error.reason)))
    };
    let (player, against) = (build(player)?, build(against)?);
    let (player, against): (&dyn Agent<AnyGame>, &dyn Agent<AnyGame>) = (&player, &against);
    let turns = watch_matches(game, role, player, against, plan, again, &task.stop, &|| task.add(1));
    let turns = turns.map_err(Trouble::truncated)?;
    if task.is_stopped() { Err(Failure::Stopped) } else { Ok(turns) }
}

fn recorded(
    game: &AnyGame,
    role: Role,
    logs: &[Input],
    most: u64,
    task: &work::Task,
) -> Result<Vec<Turn<AnyGame>>, Failure> {
    let (mut turns, mut games, mut records) = (Vec::new(), 0, Vec::new());
    for input in logs {
        let name = input.name();
        let mut reader = open_log(input, task)?;
        while games < most {
            let more = reader.read(&mut records);
            if !more.map_err(|error| Failure::from(Trouble::log(&error).in_file(name.as_deref())))? {
                break;
            }
            if task.is_stopped() {
                return Err(Failure::Stopped);
            }
            games += 1;
            let of_game = turns_of_records(game, &records, games, role);
            turns.extend(of_game.map_err(|error| {
                Failure::from(Trouble::new("LogError", error.to_string()).in_file(name.as_deref()))
            })?);
        }
    }
    Ok(turns)
}

#[pymethods]
impl PyOpponentModel {
    /// Reads the text form.
    #[new]
    fn parse(py: Python<'_>, text: &str) -> PyResult<PyOpponentModel> {
        let model = OpponentModel::parse(text).map_err(|error| Trouble::model(&error).raise(py))?;
        Ok(PyOpponentModel(Arc::new(model)))
    }

    /// Reads a model that was saved.
    #[staticmethod]
    fn load(py: Python<'_>, path: Input) -> PyResult<PyOpponentModel> {
        let text = path.text("OpponentError", 256 << 20).map_err(|failure| failure.raise(py))?;
        let model = OpponentModel::parse(&text);
        let model = model.map_err(|error| Trouble::model(&error).in_file(path.name().as_deref()).raise(py))?;
        Ok(PyOpponentModel(Arc::new(model)))
    }

    /// Learns how somebody plays a role: from games that are played now (`player`, `games`), or from logs.
    #[staticmethod]
    #[pyo3(signature = (game, role, *, player = None, logs = Vec::new(), games = None, against = "random", model = "bayes",
        features = 1000, legal = false, smoothing = 1.0, ahead = 4, facts_only = false, max_plies = 1000, seed = 1,
        progress = None))]
    #[expect(clippy::too_many_arguments, reason = "what was asked for")]
    fn train(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        role: &Bound<'_, PyAny>,
        player: Option<&str>,
        logs: Vec<Input>,
        #[pyo3(from_py_with = number)] games: Option<u64>,
        against: &str,
        model: &str,
        #[pyo3(from_py_with = number)] features: usize,
        legal: bool,
        smoothing: f64,
        ahead: u16,
        facts_only: bool,
        #[pyo3(from_py_with = number)] max_plies: u64,
        #[pyo3(from_py_with = number)] seed: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PyOpponentModel> {
        let refuse = |message: String| Trouble::new("OpponentError", message).raise(py);
        let options = match model {
            "bayes" => ModelOptions::Bayes(BayesOptions { features, legal, smoothing }),
            "moves" => ModelOptions::Moves(MoveView { effects: !facts_only, ahead, ..MoveView::default() }),
            other => return Err(refuse(format!("found model {other:?}, expected bayes or moves"))),
        };
        if player.is_some() != logs.is_empty() {
            return Err(refuse("expected either a player or logs".to_owned()));
        }
        let shared = Arc::clone(&find_game(py, game, false)?.get().0);
        // What the model says it is of: as it was given, so that it is found again.
        let named = game.extract::<String>().ok().filter(|text| !text.contains('\n'));
        let named = named.unwrap_or_else(|| shared.game.name().to_owned());
        let role = role_of(py, &shared.game, role)?;
        let player = player.map(|name| agent(py, name)).transpose()?;
        let against = agent(py, against)?;
        let trained = work::run(py, progress.as_ref(), move |task| {
            let game = &shared.game;
            let turns = match &player {
                Some(player) => {
                    let plan = MatchPlan { games: games.unwrap_or(0), seed, plies: max_plies };
                    play(game, role, player, &against, &plan, 0, task)?
                }
                None => recorded(game, role, &logs, games.unwrap_or(u64::MAX), task)?,
            };
            let mut model = OpponentModel::new(&named, &game.roles()[role.index()], options);
            model.train(game, role, &turns, seed);
            model.player = player.as_ref().map(ToString::to_string);
            model.against = player.as_ref().map(|_| against.to_string());
            let mut learnt = |what: &str, value: String| model.learnt.push((what.to_owned(), value));
            let mut games: Vec<u64> = turns.iter().map(|turn| turn.game).collect();
            games.dedup();
            learnt("games", games.len().to_string());
            learnt("states", turns.len().to_string());
            if player.is_some() {
                learnt("seed", seed.to_string());
            }
            logs.iter().for_each(|log| learnt("log", log.name().unwrap_or_default()));
            learnt("program", format!("onlooker {}", env!("CARGO_PKG_VERSION")));
            if task.is_stopped() { Err(Failure::Stopped) } else { Ok(model) }
        })?;
        Ok(PyOpponentModel(Arc::new(trained)))
    }

    /// How likely each legal move of the role is in a state, the likeliest first.
    fn predict(&self, py: Python<'_>, state: &Bound<'_, PyState>) -> PyResult<Vec<(Py<PyMove>, f64)>> {
        let state = state.try_borrow()?;
        let game = &state.shared.game;
        let role = self.role_in(py, game)?;
        let mut model = (*self.0).clone();
        model.bind(game);
        let nothing = || Trouble::new("IllegalMove", format!("{} is not to move in this state", self.0.role)).raise(py);
        let options =
            Options::of(game, state.now(), role).filter(|found| !found.moves.is_empty()).ok_or_else(nothing)?;
        let prediction = model.predict(game, state.now(), role, &options);
        let mut moves: Vec<Option<PyMove>> = legal_moves(game, state.now(), role).into_iter().map(Some).collect();
        let mut predicted = Vec::new();
        for at in prediction.ranking {
            if let Some(found) = moves.get_mut(at).and_then(Option::take) {
                predicted.push((Py::new(py, found)?, prediction.shares[at]));
            }
        }
        Ok(predicted)
    }

    /// Compares predictions with fresh games of the player that the model was learnt from, or of another one.
    #[pyo3(signature = (game = None, *, games = 100, player = None, against = None, again = 15, max_plies = 1000, seed = 1,
        progress = None))]
    #[expect(clippy::too_many_arguments, reason = "what was asked for")]
    fn test(
        &self,
        py: Python<'_>,
        game: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = number)] games: u64,
        player: Option<&str>,
        against: Option<&str>,
        #[pyo3(from_py_with = number)] again: usize,
        #[pyo3(from_py_with = number)] max_plies: u64,
        #[pyo3(from_py_with = number)] seed: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PyMeasures> {
        let named = self.0.game.clone().into_pyobject(py)?.into_any();
        let shared = Arc::clone(&find_game(py, game.unwrap_or(&named), false)?.get().0);
        let role = self.role_in(py, &shared.game)?;
        let unknown = || Trouble::new("OpponentError", "the model does not say who plays, expected a player").raise(py);
        let player = agent(py, player.or(self.0.player.as_deref()).ok_or_else(unknown)?)?;
        let against = agent(py, against.or(self.0.against.as_deref()).unwrap_or("random"))?;
        let mut model = (*self.0).clone();
        let measures = work::run(py, progress.as_ref(), move |task| {
            let game = &shared.game;
            model.bind(game);
            let plan = MatchPlan { games, seed: seed ^ TEST_SALT, plies: max_plies };
            let turns = play(game, role, &player, &against, &plan, again, task)?;
            let waits = model.waits.iter().cloned().chain(waiting_moves(&turns)).collect();
            let own: Vec<&Turn<AnyGame>> = turns.iter().filter(|turn| turn.is_own(&waits)).collect();
            Ok(Measures::of(&predict_turns(&model, game, role, &own), seed))
        })?;
        Ok(PyMeasures {
            turns: measures.turns,
            top: measures.top.iter().map(|top| top.value).collect(),
            ceiling: measures.ceiling,
            uniform: measures.uniform,
            log_loss: measures.log_loss,
            uniform_log_loss: measures.uniform_log_loss,
        })
    }

    /// The sum of two models of Naive Bayes of the same game and role.
    fn __add__(&self, py: Python<'_>, other: &Bound<'_, PyOpponentModel>) -> PyResult<PyOpponentModel> {
        let mut sum = (*self.0).clone();
        sum.merge(&other.get().0).map_err(|error| Trouble::new("OpponentError", error.to_string()).raise(py))?;
        Ok(PyOpponentModel(Arc::new(sum)))
    }

    /// The text form.
    #[getter]
    fn text(&self) -> String {
        self.0.to_string()
    }

    #[getter]
    fn game(&self) -> &str {
        &self.0.game
    }

    #[getter]
    fn role(&self) -> &str {
        &self.0.role
    }

    /// From how many turns it was learnt.
    #[getter]
    fn turns(&self) -> u64 {
        self.0.turns()
    }

    /// Writes the text form to a file.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        output::write_file(&path, |out| std::io::Write::write_all(out, self.0.to_string().as_bytes()))
    }

    fn __repr__(&self) -> String {
        format!("<OpponentModel of {} in {}: {} turns>", self.0.role, self.0.game, self.0.turns())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("onlooker._onlooker")?.getattr("OpponentModel")?;
        Ok((make, (self.0.to_string(),).into_pyobject(py)?))
    }
}

impl PyOpponentModel {
    fn role_in(&self, py: Python<'_>, game: &AnyGame) -> PyResult<Role> {
        find_role(game.roles(), &onlooker::game::Term::name(&self.0.role)).ok_or_else(|| {
            let message = format!("found a model of {}, expected one of {}", self.0.role, game.roles().join(", "));
            Trouble::new("OpponentError", message).raise(py)
        })
    }
}
