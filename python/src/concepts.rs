//! Concepts: what decides a game, learnt from playouts.

use crate::errors::{Failure, Trouble};
use crate::game::find_game;
use crate::input::{Input, number};
use crate::output;
use crate::work;
use onlooker::concepts::{
    Evidence, Heuristic, LessonOptions, Method, PlayoutPlan, PlayoutPolicy, learn_heuristic, watch_playouts,
};
use onlooker::explain::{ConceptPage, concept_words};
use onlooker::game::AnyGame;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::path::PathBuf;
use std::sync::Arc;

/// Rules over the facts of a game that say what a state is worth.
#[pyclass(frozen, module = "onlooker", name = "Concepts")]
pub struct PyConcepts {
    pub heuristic: Arc<Heuristic>,
}

#[pymethods]
impl PyConcepts {
    /// Reads the text form.
    #[new]
    fn parse(py: Python<'_>, text: &str) -> PyResult<PyConcepts> {
        let heuristic = Heuristic::parse(text).map_err(|error| Trouble::heuristic(&error).raise(py))?;
        Ok(PyConcepts { heuristic: Arc::new(heuristic) })
    }

    /// Reads a file of concepts.
    #[staticmethod]
    fn load(py: Python<'_>, path: Input) -> PyResult<PyConcepts> {
        let text = path.text("ConceptsError", 4 << 20).map_err(|failure| failure.raise(py))?;
        let heuristic = Heuristic::parse(&text);
        let heuristic =
            heuristic.map_err(|error| Trouble::heuristic(&error).in_file(path.name().as_deref()).raise(py))?;
        Ok(PyConcepts { heuristic: Arc::new(heuristic) })
    }

    /// The text form.
    #[getter]
    fn text(&self) -> String {
        self.heuristic.to_string()
    }

    /// The name of the game that they were learnt from.
    #[getter]
    fn game(&self) -> String {
        self.heuristic.game.clone()
    }

    /// The rules: role, value, facts, and the same in words.
    #[getter]
    fn rules(&self) -> Vec<(String, f64, String, String)> {
        let mut rules = Vec::new();
        for role in &self.heuristic.roles {
            for rule in &role.rules {
                let body: Vec<String> = rule.body.iter().map(ToString::to_string).collect();
                rules.push((role.role.clone(), rule.value, body.join(", "), concept_words(&rule.body)));
            }
        }
        rules
    }

    /// In words, or as a page of HTML with boards.
    #[pyo3(signature = (game, format = "text"))]
    fn explain(&self, py: Python<'_>, game: &Bound<'_, PyAny>, format: &str) -> PyResult<String> {
        let game = find_game(py, game, false)?;
        let page = ConceptPage::new(&game.get().0.game, &self.heuristic);
        match format {
            "text" => Ok(page.text()),
            "html" => Ok(page.html()),
            other => Err(Trouble::new("Error", format!("found format {other:?}, expected text or html")).raise(py)),
        }
    }

    /// Writes the text form to a file.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        output::write_file(&path, |out| std::io::Write::write_all(out, self.heuristic.to_string().as_bytes()))
    }

    fn __str__(&self) -> String {
        self.heuristic.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Concepts of {}: {} rules>", self.heuristic.game, self.heuristic.rule_count())
    }

    fn _repr_markdown_(&self) -> String {
        format!("```prolog\n{}```\n", self.heuristic)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("onlooker._onlooker")?.getattr("Concepts")?;
        Ok((make, (self.heuristic.to_string(),).into_pyobject(py)?))
    }
}

/// All playouts together have at most so many moves, tried ones included.
const MOST_STEPS: u64 = 200_000_000;

/// Learns what decides a game from playouts, as `onlooker concepts` does, without a limit of time.
#[pyfunction]
#[pyo3(signature = (game, *, playouts = 2000, method = "fit", cutoff = 3, rules = None, policy = None, share = 10,
    wins = None, max_plies = 1000, seed = 1, transfer = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "what was asked for")]
pub fn concepts(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = number)] playouts: u64,
    method: &str,
    #[pyo3(from_py_with = number)] cutoff: usize,
    #[pyo3(from_py_with = number)] rules: Option<usize>,
    policy: Option<&str>,
    #[pyo3(from_py_with = number)] share: u64,
    #[pyo3(from_py_with = number)] wins: Option<u64>,
    #[pyo3(from_py_with = number)] max_plies: u64,
    #[pyo3(from_py_with = number)] seed: u64,
    transfer: Option<&Bound<'_, PyConcepts>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyConcepts> {
    let refuse = |message: String| Trouble::new("Error", message).raise(py);
    let (method, usual) = match method {
        "fit" => (Method::Fit, "greedy"),
        "frequency" => (Method::Frequency, "random"),
        "concepts" => (Method::Concepts, "random"),
        other => return Err(refuse(format!("found method {other:?}, expected fit, frequency or concepts"))),
    };
    if rules == Some(0) {
        return Err(refuse("expected at least one rule".to_owned()));
    }
    if !(1..=3).contains(&cutoff) || !(1..=100).contains(&share) {
        return Err(refuse("expected a cutoff from 1 to 3 and a share from 1 to 100 percent".to_owned()));
    }
    let policy = match policy.unwrap_or(usual) {
        "greedy" => PlayoutPolicy::Greedy,
        "random" => PlayoutPolicy::Random,
        other => return Err(refuse(format!("found policy {other:?}, expected random or greedy"))),
    };
    let shared = Arc::clone(&find_game(py, game, false)?.get().0);
    let given = transfer.map(|transfer| Arc::clone(&transfer.get().heuristic));
    let plan =
        PlayoutPlan { playouts, wins: wins.unwrap_or(u64::MAX), seed, plies: max_plies, steps: MOST_STEPS, policy };
    let heuristic = work::run(py, progress.as_ref(), move |task| {
        task.of(playouts);
        let evidence = watch(&shared.game, &plan, task)?;
        let share = share as f64 / 100.0;
        let options = LessonOptions {
            method,
            cutoff,
            most_rules: rules,
            share,
            seed,
            given: given.as_deref(),
            ..LessonOptions::default()
        };
        let lesson = learn_heuristic(&shared.game, &evidence, &options, &task.stop);
        if task.is_stopped() {
            return Err(Failure::Stopped);
        }
        Ok(lesson.map_err(|error| Trouble::new("Error", error.to_string()))?.heuristic)
    })?;
    Ok(PyConcepts { heuristic: Arc::new(heuristic) })
}

fn watch(game: &AnyGame, plan: &PlayoutPlan, task: &work::Task) -> Result<Evidence, Failure> {
    let (evidence, report) = watch_playouts(game, plan, &task.stop, &|done| task.set(done));
    if task.is_stopped() {
        return Err(Failure::Stopped);
    }
    if let Some(reason) = report.truncated {
        return Err(Trouble::truncated(reason).into());
    }
    let (playouts, unfinished) = evidence.playouts();
    if playouts == unfinished {
        let message = format!("none of {playouts} playouts came to an end within {} moves", plan.plies);
        return Err(Trouble::new("Error", message).into());
    }
    Ok(evidence)
}
