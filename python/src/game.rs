//! Games: of the catalogue, of rules, of rule sheets.

use crate::actions::ActionSpace;
use crate::errors::{Failure, Trouble};
use crate::input::{Input, number};
use crate::output;
use crate::playouts::{PyPlayouts, PyStates, play_out, watch_states};
use crate::rules::PyRules;
use crate::state::PyState;
use crate::work;
use onlooker::board::{Cell, Player, Position};
use onlooker::game::{
    AnyGame, AnyState, CATALOGUE, Game, GameError, GdlGame, JointMoves, RulesGame, SHEETS, Term, Vocabulary,
};
use onlooker::gdl::{Engine, GroundingLimits, Program};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// No file of rules is larger by far.
const MAX_BYTES: u64 = 4 << 20;

/// A game, and what is worked out about it once.
pub struct Shared {
    pub game: AnyGame,
    /// What it was made of.
    pub text: String,
    /// Whether a sheet is run by the prover.
    plain: bool,
    actions: OnceLock<ActionSpace>,
    kinds: OnceLock<Vec<Cell>>,
    vocabulary: OnceLock<Vocabulary>,
}

impl Shared {
    pub fn actions(&self) -> &ActionSpace {
        self.actions.get_or_init(|| ActionSpace::of(&self.game))
    }

    /// What stands on squares, by number: an empty square first.
    pub fn kinds(&self) -> &[Cell] {
        self.kinds.get_or_init(|| {
            let mut kinds = vec![Cell::EMPTY];
            if let AnyGame::Rules(game) = &self.game {
                let rules = game.rules();
                kinds.extend(rules.setup.cells().iter().copied().filter(|cell| cell.piece().is_none()));
                kinds.extend(rules.pieces().into_iter().map(|piece| piece.cell()));
                kinds.push(Cell::WALL);
            }
            let mut known = Vec::new();
            kinds.retain(|kind| {
                let new = !known.contains(kind);
                known.push(*kind);
                new
            });
            kinds
        })
    }

    pub fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary.get_or_init(|| Vocabulary::new(&self.game))
    }

    /// A board as the numbers of what stands on its squares, top row first.
    pub fn codes(&self, position: &Position) -> Vec<u8> {
        let (shape, kinds) = (position.shape(), self.kinds());
        let code = |cell: Cell| kinds.iter().position(|kind| *kind == cell).map_or(u8::MAX, |at| at as u8);
        let mut codes = Vec::with_capacity(shape.squares());
        for rank in (0..shape.height()).rev() {
            let files = (0..shape.width()).filter_map(|file| shape.square(file, rank));
            codes.extend(files.map(|square| code(position.at(square))));
        }
        codes
    }
}

/// A game: states, legal moves, playouts.
#[pyclass(frozen, module = "onlooker", name = "Game")]
pub struct PyGame(pub Arc<Shared>);

impl PyGame {
    pub fn new(game: AnyGame, text: String, plain: bool) -> PyGame {
        let (actions, kinds, vocabulary) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        PyGame(Arc::new(Shared { game, text, plain, actions, kinds, vocabulary }))
    }

    pub fn of_rules(game: RulesGame) -> PyGame {
        let text = game.rules().to_string();
        PyGame::new(game.into(), text, false)
    }

    /// The game of a text of rules or of a rule sheet. Compiling a sheet may take long.
    fn compile(text: String, name: &str, plain: bool, sheet: bool, task: &work::Task) -> Result<PyGame, Trouble> {
        let game = if sheet {
            let engine = if plain { Engine::Prover } else { Engine::Fast };
            let program = Program::read_until(&text, &task.stop).map_err(GameError::from);
            program.and_then(|program| {
                let stop = Arc::clone(&task.stop);
                let game = GdlGame::new_until(name, program, engine, &GroundingLimits::default(), stop)?;
                Ok(AnyGame::from(game))
            })
        } else {
            AnyGame::from_rules(&text)
        };
        game.map(|game| PyGame::new(game, text, plain)).map_err(|error| Trouble::game(&error))
    }

    /// The game of a text.
    fn of_text(py: Python<'_>, text: String, name: &str, plain: bool, sheet: bool) -> PyResult<PyGame> {
        let name = name.to_owned();
        work::run_alone(py, move |task| Ok(PyGame::compile(text, &name, plain, sheet, task)?))
    }

    /// The game of a rules file or a rule sheet.
    fn of_file(py: Python<'_>, path: PathBuf, plain: bool) -> PyResult<PyGame> {
        work::run_alone(py, move |task| {
            let sheet = path.extension().is_some_and(|extension| extension == "kif" || extension == "gdl");
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let input = Input::Path(path);
            let text = input.text("RulesError", MAX_BYTES)?;
            let game = PyGame::compile(text, &name, plain, sheet, task);
            game.map_err(|trouble| trouble.in_file(input.name().as_deref()).into())
        })
    }

    pub fn rules_game(&self, py: Python<'_>) -> PyResult<Arc<RulesGame>> {
        match &self.0.game {
            AnyGame::Rules(game) => Ok(Arc::clone(game)),
            AnyGame::Sheet(game) => {
                let message = format!("{} is a rule sheet, and this needs a game on a board with rules", game.name());
                Err(Trouble::new("Error", message).raise(py))
            }
        }
    }
}

/// A game by what somebody calls it: an object, a name of the catalogue, a path, or a text of several lines.
pub fn find_game(py: Python<'_>, source: &Bound<'_, PyAny>, plain: bool) -> PyResult<Py<PyGame>> {
    if let Ok(game) = source.cast::<PyGame>() {
        return Ok(game.clone().unbind());
    }
    if let Ok(rules) = source.cast::<PyRules>() {
        return Py::new(py, rules.get().compile(py)?);
    }
    if let Ok(text) = source.extract::<String>() {
        let known = CATALOGUE.iter().map(|entry| (entry, false)).chain(SHEETS.iter().map(|entry| (entry, true)));
        if let Some(((name, rules), sheet)) = known.into_iter().find(|((name, _), _)| *name == text) {
            return Py::new(py, PyGame::of_text(py, (*rules).to_owned(), name, plain, sheet)?);
        }
        if text.contains('\n') {
            let sheet = text.lines().map(str::trim_start).find(|line| !line.is_empty() && !line.starts_with(';'));
            let sheet = sheet.is_some_and(|line| line.starts_with('('));
            return Py::new(py, PyGame::of_text(py, text, "sheet", plain, sheet)?);
        }
        if !Path::new(&text).exists() {
            return Err(unknown(py, &text)?);
        }
        return Py::new(py, PyGame::of_file(py, PathBuf::from(text), plain)?);
    }
    let path = source.extract::<PathBuf>()?;
    Py::new(py, PyGame::of_file(py, path, plain)?)
}

fn unknown(py: Python<'_>, text: &str) -> PyResult<PyErr> {
    let names: Vec<&str> = AnyGame::names().collect();
    let near = py.import("difflib")?.call_method1("get_close_matches", (text, &names, 1))?.extract::<Vec<String>>()?;
    let hint = near.first().map(|name| format!("; did you mean {name:?}?")).unwrap_or_default();
    let message = format!("there is no game and no file {text:?}{hint} (games: {})", names.join(", "));
    Ok(Trouble::new("UnknownGame", message).raise(py))
}

#[pymethods]
impl PyGame {
    /// The game of a text of rules.
    #[staticmethod]
    fn from_rules(py: Python<'_>, text: &str) -> PyResult<PyGame> {
        PyGame::of_text(py, text.to_owned(), "", false, false)
    }

    /// The game of a text of a rule sheet in the Game Description Language.
    #[staticmethod]
    #[pyo3(signature = (text, name = "sheet", *, engine = "fast"))]
    fn from_sheet(py: Python<'_>, text: &str, name: &str, engine: &str) -> PyResult<PyGame> {
        let plain = is_plain(py, engine)?;
        PyGame::of_text(py, text.to_owned(), name, plain, true)
    }

    /// What the game is called.
    #[getter]
    fn name(&self) -> &str {
        self.0.game.name()
    }

    /// A sentence on the game; empty if its author wrote none.
    #[getter]
    fn about(&self) -> &str {
        self.0.game.about()
    }

    /// The names of the roles, in the order in which goals and returns list them.
    #[getter]
    fn roles(&self) -> Vec<String> {
        self.0.game.roles().to_vec()
    }

    /// The roles that nobody plays: they draw their moves.
    #[getter]
    fn chance_roles(&self) -> Vec<String> {
        let chance = self.0.game.chance_roles();
        chance.iter().map(|role| self.0.game.roles()[role.index()].clone()).collect()
    }

    /// The rules, if the game has any: a rule sheet has none.
    #[getter]
    fn rules(&self) -> Option<PyRules> {
        match &self.0.game {
            AnyGame::Rules(game) => Some(PyRules::new(game.rules().clone())),
            AnyGame::Sheet(_) => None,
        }
    }

    /// The text that the game was made of: rules, or a rule sheet.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// Whether the game runs from a rule sheet.
    #[getter]
    fn is_sheet(&self) -> bool {
        matches!(self.0.game, AnyGame::Sheet(_))
    }

    /// How many ranks and files the board has, if there is one.
    #[getter]
    fn board_shape(&self) -> Option<(usize, usize)> {
        let position = self.0.game.position(&self.0.game.start())?;
        Some((position.shape().height(), position.shape().width()))
    }

    /// What the numbers of `State.to_numpy` and `Game.states` stand for: the empty square first.
    #[getter]
    fn pieces(&self) -> Vec<String> {
        self.0.kinds().iter().map(ToString::to_string).collect()
    }

    /// The facts that have numbers, in the order of the columns of fact vectors; empty if no such list is known.
    #[getter]
    fn fact_names(&self) -> Vec<String> {
        self.0.vocabulary().terms().iter().map(ToString::to_string).collect()
    }

    /// How many different numbers `State.legal_actions` uses.
    #[getter]
    fn num_actions(&self, py: Python<'_>) -> usize {
        py.detach(|| self.0.actions().size)
    }

    /// The state in which every game begins.
    fn initial_state(&self) -> PyState {
        PyState::new(Arc::clone(&self.0), self.0.game.start())
    }

    /// The same as `initial_state`, as OpenSpiel calls it.
    fn new_initial_state(&self) -> PyState {
        self.initial_state()
    }

    /// The state with a board (rows from the top, or one text of lines or ranks divided by '/') and a player to move; or the one in
    /// which just these facts hold.
    #[pyo3(signature = (board = None, turn = None, plies = 0, *, facts = None))]
    fn state(
        &self,
        py: Python<'_>,
        board: Option<&Bound<'_, PyAny>>,
        turn: Option<&str>,
        #[pyo3(from_py_with = number)] plies: u32,
        facts: Option<Vec<String>>,
    ) -> PyResult<PyState> {
        let refuse = |message: String| Trouble::new("Error", message).raise(py);
        let state = match (board, facts) {
            (Some(board), None) => {
                let game = self.rules_game(py)?;
                let position = position_of(py, board)?;
                let players = &game.rules().players;
                let turn = match turn {
                    None => 0,
                    Some(name) => players.iter().position(|player| player == name).ok_or_else(|| {
                        refuse(format!("found player {name:?}, expected one of {}", players.join(", ")))
                    })?,
                };
                let turn = [Player::First, Player::Second][turn];
                AnyState::Rules(game.state(&position, turn, plies).map_err(|error| refuse(error.to_string()))?)
            }
            (None, Some(facts)) => {
                let terms: Result<Vec<Term>, _> = facts.iter().map(|fact| fact.parse::<Term>()).collect();
                let terms = terms.map_err(|error| refuse(error.to_string()))?;
                self.0.game.state_with(&terms).map_err(|error| refuse(error.to_string()))?
            }
            _ => return Err(refuse("expected either a board or facts".to_owned())),
        };
        Ok(PyState::new(Arc::clone(&self.0), state))
    }

    /// Writes the rules, or the rule sheet, to a file.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        output::write_file(&path, |out| std::io::Write::write_all(out, self.0.text.as_bytes()))
    }

    /// Plays games at random from the start: thousands in one call, on all cores, the same on any number of threads.
    #[pyo3(signature = (count, seed = 1, *, max_plies = 100_000, threads = None, progress = None))]
    fn playouts(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number)] count: usize,
        #[pyo3(from_py_with = number)] seed: u64,
        #[pyo3(from_py_with = number)] max_plies: u64,
        #[pyo3(from_py_with = number)] threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PyPlayouts> {
        play_out(py, &self.0, self.0.game.start(), count, seed, max_plies, threads, progress.as_ref())
    }

    /// Every state of games that are played at random, as arrays.
    #[pyo3(signature = (playouts, seed = 1, *, max_plies = 1_000, progress = None))]
    fn states(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number)] playouts: usize,
        #[pyo3(from_py_with = number)] seed: u64,
        #[pyo3(from_py_with = number)] max_plies: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PyStates> {
        watch_states(py, &self.0, playouts, seed, max_plies, progress.as_ref())
    }

    /// How many states there are after 1, 2, ... `depth` moves, counted along every path.
    fn perft(&self, py: Python<'_>, #[pyo3(from_py_with = number)] depth: usize) -> PyResult<Vec<u64>> {
        let shared = Arc::clone(&self.0);
        work::run(py, None, move |task| {
            let mut counts = vec![0; depth];
            count_paths(&shared.game, &shared.game.start(), &mut counts, task)?;
            Ok(counts)
        })
    }

    fn __repr__(&self) -> String {
        format!("Game({:?})", self.0.game.name())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyGame>().is_ok_and(|other| {
            let other = &other.get().0;
            Arc::ptr_eq(&self.0, other) || (self.0.game.name(), &self.0.text) == (other.game.name(), &other.text)
        })
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.0.game.name(), &self.0.text).hash(&mut hasher);
        hasher.finish()
    }

    fn _repr_html_(&self) -> Option<String> {
        self.rules().map(|rules| rules._repr_html_())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("onlooker._onlooker")?.getattr("_game_of")?;
        let sheet = matches!(self.0.game, AnyGame::Sheet(_));
        let parts = (&self.0.text, self.0.game.name(), self.0.plain, sheet).into_pyobject(py)?;
        Ok((make, parts))
    }
}

/// Adds up how many states there are after each number of moves. The library's own count cannot be stopped.
fn count_paths(game: &AnyGame, state: &AnyState, counts: &mut [u64], task: &work::Task) -> Result<(), Failure> {
    let Some((own, deeper)) = counts.split_first_mut() else { return Ok(()) };
    if task.is_stopped() {
        return Err(Failure::Stopped);
    }
    let count = game.count(state);
    *own += count;
    if count == 0
        && game.goals(state).is_none()
        && let Some(reason) = game.truncation(state)
    {
        return Err(Trouble::truncated(reason).into());
    }
    if deeper.is_empty() || count == 0 {
        return Ok(());
    }
    let mut moves = JointMoves::default();
    moves.begin(game, state);
    while let Some(joint) = moves.advance() {
        let mut next = state.clone();
        game.play(&mut next, joint);
        count_paths(game, &next, deeper, task)?;
    }
    Ok(())
}

/// For pickles.
#[pyfunction]
pub fn _game_of(py: Python<'_>, text: String, name: &str, plain: bool, sheet: bool) -> PyResult<PyGame> {
    PyGame::of_text(py, text, name, plain, sheet)
}

/// The game that somebody means: a name of the catalogue, a path to a rules file or a rule sheet (`.kif`, `.gdl`), or a text of
/// rules or of a sheet.
#[pyfunction]
#[pyo3(signature = (source, *, engine = "fast"))]
pub fn game(py: Python<'_>, source: &Bound<'_, PyAny>, engine: &str) -> PyResult<Py<PyGame>> {
    find_game(py, source, is_plain(py, engine)?)
}

fn is_plain(py: Python<'_>, engine: &str) -> PyResult<bool> {
    match engine {
        "fast" => Ok(false),
        "plain" => Ok(true),
        other => Err(Trouble::new("Error", format!("found engine {other:?}, expected 'fast' or 'plain'")).raise(py)),
    }
}

/// The names of all games of the catalogue.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    AnyGame::names().collect()
}

/// A board: rows from the top, or a text of lines, or ranks divided by '/'.
pub fn position_of(py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Position> {
    let rows: Vec<String> = match board.extract::<String>() {
        Ok(text) => text.trim().split(['/', '\n']).map(|row| row.trim().to_owned()).collect(),
        Err(_) => board.extract()?,
    };
    Position::from_rows(rows.iter().map(String::as_str)).map_err(|error| {
        let message = format!("row {}, column {}: {}", error.row, error.column, error.reason);
        Trouble::new("Error", message).raise(py)
    })
}
