//! Rules as text and as objects.

use crate::errors::{Failure, Trouble};
use crate::game::{PyGame, position_of};
use crate::input::Input;
use crate::output;
use crate::work;
use onlooker::board::{Cell, Player};
use onlooker::explain::{Explanation, ending_sentence, sentences};
use onlooker::export::{MovementGraph, dot, gdl, movement_graphs, pddl};
use onlooker::game::{GameError, RulesGame};
use onlooker::rules::{Rules, Side, Start};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::path::PathBuf;
use std::sync::Arc;

/// The rules of a game on a board: data with a text form.
#[pyclass(frozen, module = "onlooker", name = "Rules")]
pub struct PyRules(pub Arc<Rules>);

impl PyRules {
    pub fn new(rules: Rules) -> PyRules {
        PyRules(Arc::new(rules))
    }

    pub fn compile(&self, py: Python<'_>) -> PyResult<PyGame> {
        let rules = (*self.0).clone();
        work::run_alone(py, move |_| {
            let game = RulesGame::new(rules);
            game.map(PyGame::of_rules).map_err(|error| Trouble::game(&GameError::Compile(error)).into())
        })
    }

    fn html(&self) -> String {
        Explanation::new(&self.0).html()
    }
}

/// How a piece moves.
#[pyclass(frozen, module = "onlooker", name = "Movement", get_all)]
pub struct PyMovement {
    /// The piece, or '.' for drops.
    piece: String,
    /// For whom: the name of a player, or `None` for all.
    player: Option<String>,
    /// The words, as an expression over micro-moves.
    expression: String,
    /// The same in English.
    english: Vec<String>,
}

#[pymethods]
impl PyMovement {
    fn __repr__(&self) -> String {
        format!("Movement({:?}, {:?})", self.piece, self.expression)
    }
}

/// How a game ends.
#[pyclass(frozen, module = "onlooker", name = "Ending", get_all)]
pub struct PyEnding {
    /// As the rules write it: `win when P on far`.
    text: String,
    /// For whom: the name of a player, or `None` for all.
    player: Option<String>,
    /// The same in English.
    english: String,
}

#[pymethods]
impl PyEnding {
    fn __repr__(&self) -> String {
        format!("Ending({:?})", self.text)
    }
}

/// The automaton of one movement.
#[pyclass(frozen, module = "onlooker", name = "Automaton", get_all)]
pub struct PyAutomaton {
    /// The piece's name, or what is dropped.
    piece: String,
    /// Whose pieces move so.
    whose: String,
    /// For each state, whether a move may end there; the first is the start.
    accepting: Vec<bool>,
    /// From, to, and what leads there.
    edges: Vec<(usize, usize, Vec<String>)>,
    svg: String,
}

#[pymethods]
impl PyAutomaton {
    /// The automaton as a `networkx.MultiDiGraph`.
    fn to_networkx<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("onlooker.graphs")?.call_method1("automaton_graph", (slf,))
    }

    fn _repr_svg_(&self) -> &str {
        &self.svg
    }

    fn __len__(&self) -> usize {
        self.accepting.len()
    }

    fn __repr__(&self) -> String {
        format!("<Automaton of {}: {} states, {} edges>", self.piece, self.accepting.len(), self.edges.len())
    }
}

fn player_name(rules: &Rules, side: Side) -> Option<String> {
    match side {
        Side::Both => None,
        Side::Only(player) => rules.players.get(player.index()).cloned(),
    }
}

#[pymethods]
impl PyRules {
    /// Reads the text form.
    #[new]
    fn parse(py: Python<'_>, text: &str) -> PyResult<PyRules> {
        let rules = Rules::parse(text);
        rules.map(PyRules::new).map_err(|error| Trouble::game(&GameError::Rules(error)).raise(py))
    }

    /// Reads a rules file.
    #[staticmethod]
    fn load(py: Python<'_>, path: Input) -> PyResult<PyRules> {
        let text = path.text("RulesError", 4 << 20).map_err(|failure| failure.raise(py))?;
        Rules::parse(&text).map(PyRules::new).map_err(|error| {
            let trouble = Trouble::game(&GameError::Rules(error)).in_file(path.name().as_deref());
            Failure::from(trouble).raise(py)
        })
    }

    /// The text form.
    #[getter]
    fn text(&self) -> String {
        self.0.to_string()
    }

    /// Writes the text form to a file.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        output::write_file(&path, |out| std::io::Write::write_all(out, self.0.to_string().as_bytes()))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    #[getter]
    fn about(&self) -> &str {
        &self.0.about
    }

    #[getter]
    fn players(&self) -> Vec<String> {
        self.0.players.clone()
    }

    /// The board at the start, its rows from the top.
    #[getter]
    fn board(&self) -> Vec<String> {
        self.0.setup.to_string().lines().map(str::to_owned).collect()
    }

    /// The zones: names and what they are.
    #[getter]
    fn zones(&self) -> Vec<(String, String)> {
        self.0.zones.iter().map(|zone| (zone.name.clone(), zone.to_string())).collect()
    }

    #[getter]
    fn movements(&self) -> Vec<PyMovement> {
        let movement = |movement: &onlooker::rules::Movement| PyMovement {
            piece: match movement.start {
                Start::Piece(piece) => piece.to_string(),
                Start::Empty => ".".to_owned(),
            },
            player: player_name(&self.0, movement.side),
            expression: movement.words.to_string(),
            english: sentences(&self.0, movement),
        };
        self.0.moves.iter().map(movement).collect()
    }

    #[getter]
    fn endings(&self) -> Vec<PyEnding> {
        let ending = |ending: &onlooker::rules::Ending| PyEnding {
            text: ending.to_string(),
            player: player_name(&self.0, ending.side),
            english: ending_sentence(&self.0, ending),
        };
        self.0.endings.iter().map(ending).collect()
    }

    /// What was never tested by the games that the rules were learnt from.
    #[getter]
    fn open_questions(&self) -> Vec<String> {
        self.0.learnt.iter().flat_map(|learnt| &learnt.open).map(ToString::to_string).collect()
    }

    /// The automata of all movements.
    fn automata(&self) -> Vec<PyAutomaton> {
        let automaton = |(graph, svg): (MovementGraph, String)| {
            let MovementGraph { piece, whose, accepting, edges } = graph;
            PyAutomaton { piece, whose, accepting, edges, svg }
        };
        let svgs = Explanation::new(&self.0).automaton_svgs();
        movement_graphs(&self.0).into_iter().zip(svgs).map(automaton).collect()
    }

    /// The rules in English, as text, or with pictures as one page of HTML.
    #[pyo3(signature = (format = "text"))]
    fn explain(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let explanation = Explanation::new(&self.0);
        match format {
            "text" => Ok(explanation.text()),
            "html" => Ok(explanation.html()),
            "svg" => Ok(explanation.svg()),
            other => {
                Err(Trouble::new("Error", format!("found format {other:?}, expected text, html or svg")).raise(py))
            }
        }
    }

    /// A rule sheet in the Game Description Language that plays as the rules do.
    fn to_gdl(&self, py: Python<'_>) -> PyResult<String> {
        gdl(&self.0).map_err(|error| Trouble::new("Error", error.to_string()).raise(py))
    }

    /// The automata for Graphviz.
    fn to_dot(&self) -> String {
        dot(&self.0)
    }

    /// The turns of a piece as a planning domain, and a board as its problem.
    #[pyo3(signature = (piece, board = None))]
    fn to_pddl(&self, py: Python<'_>, piece: &str, board: Option<&Bound<'_, PyAny>>) -> PyResult<(String, String)> {
        let cell = Cell::named(piece).map_err(|error| Trouble::new("Error", error.to_string()).raise(py))?;
        let position = board.map_or_else(|| Ok(self.0.setup.clone()), |board| position_of(py, board))?;
        let planning = pddl(&self.0, cell.owner().unwrap_or(Player::First), cell, &position);
        let planning = planning.map_err(|error| Trouble::new("Error", error.to_string()).raise(py))?;
        Ok((planning.domain, planning.problem))
    }

    /// The game that runs by these rules.
    fn game(&self, py: Python<'_>) -> PyResult<PyGame> {
        self.compile(py)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Rules of {}: {} movements, {} endings>", self.0.name, self.0.moves.len(), self.0.endings.len())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyRules>().is_ok_and(|other| self.0.to_string() == other.get().0.to_string())
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.0.to_string().hash(&mut hasher);
        hasher.finish()
    }

    pub fn _repr_html_(&self) -> String {
        // The page stands alone: within a notebook it goes into a frame of its own.
        let page = self.html().replace('&', "&amp;").replace('"', "&quot;");
        format!("<iframe srcdoc=\"{page}\" style=\"width:100%;height:640px;border:0\" title=\"Rules\"></iframe>")
    }

    fn _repr_markdown_(&self) -> String {
        format!("```text\n{}```\n", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("onlooker._onlooker")?.getattr("Rules")?;
        Ok((make, (self.0.to_string(),).into_pyobject(py)?))
    }
}
