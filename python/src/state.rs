//! States: what was played to get there, what can be played, and what they look like.

use crate::errors::Trouble;
use crate::game::{PyGame, Shared};
use crate::input::number;
use crate::moves::{PyMove, legal_moves, role_of};
use crate::playouts::{PyPlayouts, play_out};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use onlooker::board::{Cell, Position, Shape};
use onlooker::explain::position_svg;
use onlooker::game::{AnyMove, AnyState, Chance, FactSet, Game, Role, Term, joint_terms};
use onlooker::play::joint_move;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// A situation in a game, with all that was played before it.
#[pyclass(module = "onlooker", name = "State")]
pub struct PyState {
    pub shared: Arc<Shared>,
    /// The states so far; the last is this one.
    states: Vec<AnyState>,
    /// The joint move played in each of them but the last.
    played: Vec<Vec<AnyMove>>,
}

impl PyState {
    pub fn new(shared: Arc<Shared>, state: AnyState) -> PyState {
        PyState { shared, states: vec![state], played: Vec::new() }
    }

    pub fn now(&self) -> &AnyState {
        // There is always the first one.
        &self.states[self.states.len() - 1]
    }

    /// The roles that are to move, none if the game is over.
    fn movers(&self) -> Vec<Role> {
        match self.shared.game.goals(self.now()) {
            Some(_) => Vec::new(),
            None => self.shared.game.to_move(self.now()).iter().collect(),
        }
    }

    fn name_of(&self, role: Role) -> String {
        self.shared.game.roles()[role.index()].clone()
    }

    /// The roles that are asked for: one, or all that are to move.
    fn asked(&self, py: Python<'_>, role: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Role>> {
        match role {
            None => Ok(self.movers()),
            Some(role) => Ok(vec![role_of(py, &self.shared.game, role)?]),
        }
    }

    fn legal(&self, py: Python<'_>, role: Role) -> PyResult<Vec<PyMove>> {
        let moves = legal_moves(&self.shared.game, self.now(), role);
        if moves.is_empty()
            && self.shared.game.goals(self.now()).is_none()
            && let Some(reason) = self.shared.game.truncation(self.now())
        {
            return Err(Trouble::truncated(reason).raise(py));
        }
        Ok(moves)
    }

    /// The legal moves of a role with their numbers.
    fn numbered(&self, py: Python<'_>, role: Role) -> PyResult<(Vec<AnyMove>, Vec<usize>)> {
        let mut moves = Vec::new();
        if self.shared.game.goals(self.now()).is_none() && self.shared.game.to_move(self.now()).contains(role) {
            self.shared.game.legal(self.now(), role, &mut moves);
        }
        let actions = py.detach(|| self.shared.actions());
        let numbers = actions.numbers(&self.shared.game, self.now(), role, &moves);
        let numbers = numbers.ok_or_else(|| {
            let message = format!("found {} legal moves, expected at most {} actions", moves.len(), actions.size);
            Trouble::new("Error", message).raise(py)
        })?;
        Ok((moves, numbers))
    }

    /// The legal move of a role with a number. Numbers that no move can have are as illegal as any other.
    fn numbered_move(&self, py: Python<'_>, role: Role, action: &Bound<'_, PyAny>) -> PyResult<AnyMove> {
        let number = match action.extract::<usize>() {
            Ok(number) => Some(number),
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => None,
            Err(error) => return Err(error),
        };
        let (mut moves, numbers) = self.numbered(py, role)?;
        let found = numbers.iter().position(|&known| Some(known) == number);
        Ok(moves.swap_remove(found.ok_or_else(|| self.illegal(py, &format!("action {action}"), role))?))
    }

    fn illegal(&self, py: Python<'_>, what: &str, role: Role) -> PyErr {
        let names: Vec<String> = legal_moves(&self.shared.game, self.now(), role).into_iter().map(|m| m.name).collect();
        let shown = names.iter().take(12).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if names.len() > 12 { format!(" and {} more", names.len() - 12) } else { String::new() };
        let who = self.name_of(role);
        let message = format!("found {what}, expected a legal move of {who}: {shown}{more}");
        Trouble::new("IllegalMove", message).raise(py)
    }

    /// The legal move of a role that somebody means, by a move of this package, its name or its term.
    fn resolve(&self, py: Python<'_>, role: Role, meant: &Bound<'_, PyAny>) -> PyResult<AnyMove> {
        let game = &self.shared.game;
        if let Ok(given) = meant.cast::<PyMove>() {
            let given = given.get();
            let mut legal = Vec::new();
            if given.by == role && game.goals(self.now()).is_none() && game.to_move(self.now()).contains(role) {
                game.legal(self.now(), role, &mut legal);
            }
            // Usually it is a move of this very state; from another one, it may be told by its term only.
            let same = |one: &&AnyMove| {
                given.inner.as_ref() == Some(*one) && game.move_term(self.now(), role, one).to_string() == given.term
            };
            let found = legal.iter().find(same);
            let by_term = |one: &&AnyMove| game.move_term(self.now(), role, one).to_string() == given.term;
            let found = found.or_else(|| legal.iter().find(by_term));
            return found.cloned().ok_or_else(|| self.illegal(py, &given.name, role));
        }
        let legal = self.legal(py, role)?;
        let text = meant.extract::<String>()?;
        let found = legal.iter().find(|one| one.name == text).or_else(|| legal.iter().find(|one| one.term == text));
        found.and_then(|one| one.inner.clone()).ok_or_else(|| self.illegal(py, &format!("{text:?}"), role))
    }

    fn step(&mut self, joint: Vec<AnyMove>) {
        let mut next = self.now().clone();
        self.shared.game.play(&mut next, &joint);
        self.states.push(next);
        self.played.push(joint);
    }

    fn over(&self, py: Python<'_>) -> PyErr {
        Trouble::new("IllegalMove", "the game is over: nothing can be played").raise(py)
    }

    fn joint_moves(&self, at: usize) -> Vec<PyMove> {
        let (game, state) = (&self.shared.game, &self.states[at]);
        let mut moves = Vec::new();
        for (role, choice) in game.to_move(state).iter().zip(&self.played[at]) {
            moves.extend(crate::moves::chosen_move(game, state, role, choice));
        }
        moves
    }
}

#[pymethods]
impl PyState {
    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame(Arc::clone(&self.shared))
    }

    /// The roles that are to move; none if the game is over.
    #[getter]
    fn to_move(&self) -> Vec<String> {
        self.movers().into_iter().map(|role| self.name_of(role)).collect()
    }

    /// The role that is to move, if it is just one.
    #[getter]
    fn turn(&self) -> Option<String> {
        match self.movers()[..] {
            [role] => Some(self.name_of(role)),
            _ => None,
        }
    }

    /// How many joint moves were played.
    #[getter]
    fn ply(&self) -> usize {
        self.played.len()
    }

    /// The legal moves of a role, or of all roles that are to move; none if the game is over.
    #[pyo3(signature = (role = None))]
    fn legal_moves(&self, py: Python<'_>, role: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<PyMove>> {
        let mut moves = Vec::new();
        for role in self.asked(py, role)? {
            moves.extend(self.legal(py, role)?);
        }
        Ok(moves)
    }

    /// Plays a move, by itself or by its name; where several roles move at once, one for each in their order, or a dictionary.
    #[pyo3(signature = (*moves))]
    fn play(&mut self, py: Python<'_>, moves: &Bound<'_, PyTuple>) -> PyResult<()> {
        let movers = self.movers();
        if movers.is_empty() {
            return Err(self.over(py));
        }
        let mut joint = Vec::new();
        let given: Vec<Bound<'_, PyAny>> = match moves.len() {
            1 if moves.get_item(0)?.is_instance_of::<PyDict>() => {
                let named = moves.get_item(0)?.cast_into::<PyDict>().map_err(PyErr::from)?;
                let find = |role: &Role| {
                    let name = self.name_of(*role);
                    named.get_item(&name)?.ok_or_else(|| {
                        Trouble::new("IllegalMove", format!("{name} is to move, and no move of theirs is given"))
                            .raise(py)
                    })
                };
                movers.iter().map(find).collect::<PyResult<_>>()?
            }
            1 if movers.len() > 1
                && moves.get_item(0)?.try_iter().is_ok()
                && moves.get_item(0)?.extract::<String>().is_err() =>
            {
                moves.get_item(0)?.try_iter()?.collect::<PyResult<_>>()?
            }
            _ => moves.iter().collect(),
        };
        if given.len() != movers.len() {
            let who = self.to_move().join(", ");
            let message = format!("found {} moves, expected one for each who is to move: {who}", given.len());
            return Err(Trouble::new("IllegalMove", message).raise(py));
        }
        for (role, meant) in movers.into_iter().zip(given) {
            joint.push(self.resolve(py, role, &meant)?);
        }
        self.step(joint);
        Ok(())
    }

    /// The same as `play`, as python-chess calls it.
    #[pyo3(signature = (*moves))]
    fn push(&mut self, py: Python<'_>, moves: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.play(py, moves)
    }

    /// A copy of the state in which a move is played; this one stays as it is.
    #[pyo3(signature = (*moves))]
    fn after(&self, py: Python<'_>, moves: &Bound<'_, PyTuple>) -> PyResult<PyState> {
        let mut next = self.copy();
        next.play(py, moves)?;
        Ok(next)
    }

    /// Takes the last move back and returns it: one move, or a list where several roles moved at once.
    fn undo(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if self.played.is_empty() {
            return Err(Trouble::new("IllegalMove", "nothing was played that could be taken back").raise(py));
        }
        let mut moves = self.joint_moves(self.played.len() - 1);
        self.states.pop();
        self.played.pop();
        if moves.len() == 1 {
            return Ok(Py::new(py, moves.remove(0))?.into_any());
        }
        Ok(moves.into_pyobject(py)?.into_any().unbind())
    }

    /// The same as `undo`, as python-chess calls it.
    fn pop(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.undo(py)
    }

    /// The moves that were played, in their order: a list for each joint move.
    #[getter]
    fn history(&self) -> Vec<Vec<PyMove>> {
        (0..self.played.len()).map(|at| self.joint_moves(at)).collect()
    }

    /// Draws a joint move with equal chances, plays it, and returns it.
    #[pyo3(signature = (seed = None))]
    fn play_random(
        &mut self,
        py: Python<'_>,
        #[pyo3(from_py_with = number)] seed: Option<u64>,
    ) -> PyResult<Vec<PyMove>> {
        let seed = match seed {
            Some(seed) => seed,
            None => py.import("random")?.call_method1("getrandbits", (63,))?.extract()?,
        };
        let (movers, mut chance, mut joint) = (self.movers(), Chance::new(seed), Vec::new());
        if movers.is_empty() {
            return Err(self.over(py));
        }
        for role in movers {
            let mut legal = self.legal(py, role)?;
            joint.extend(legal.swap_remove(chance.below(legal.len())).inner);
        }
        self.step(joint);
        Ok(self.joint_moves(self.played.len() - 1))
    }

    /// Whether the game is over.
    fn is_terminal(&self) -> bool {
        self.shared.game.goals(self.now()).is_some()
    }

    /// The same as `is_terminal`, as python-chess calls it.
    fn is_game_over(&self) -> bool {
        self.is_terminal()
    }

    /// What each role has got, from 0 (lost) to 100 (won), if the game is over; `None` where the rules leave it open.
    fn goals(&self) -> Option<Vec<Option<u8>>> {
        self.shared.game.goals(self.now()).map(|goals| goals.to_vec())
    }

    /// What each role has got, from -1 (lost) to 1 (won); 0 while the game goes on.
    fn returns(&self) -> Vec<f64> {
        let value = |goal: Option<u8>| goal.map_or(0.0, |goal| (f64::from(goal) - 50.0) / 50.0);
        match self.shared.game.goals(self.now()) {
            Some(goals) => goals.iter().map(|&goal| value(goal)).collect(),
            None => vec![0.0; self.shared.game.roles().len()],
        }
    }

    /// The name of the role that has won, if one has got more than all others.
    #[getter]
    fn winner(&self) -> Option<String> {
        let goals = self.shared.game.goals(self.now())?;
        let played = onlooker::game::played_roles(&self.shared.game);
        onlooker::play::winning_role(&goals, &played).map(|role| self.name_of(role))
    }

    /// Everything that holds in this state, such as `(cell 3 1 o)`.
    fn facts(&self) -> Vec<String> {
        self.shared.game.facts(self.now()).iter().map(ToString::to_string).collect()
    }

    /// The rows of the board from the top, if there is one.
    #[getter]
    fn board(&self) -> Option<Vec<String>> {
        let position = self.shared.game.position(self.now())?;
        Some(position.to_string().lines().map(str::to_owned).collect())
    }

    /// The board as numbers (`Game.pieces` says what they stand for), top row first.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let Some(position) = self.shared.game.position(self.now()) else {
            return Err(Trouble::new("Error", "the game has no board; facts_vector() has its facts").raise(py));
        };
        let shape = position.shape();
        PyArray1::from_vec(py, self.shared.codes(&position)).reshape([shape.height(), shape.width()])
    }

    /// For each numbered fact (`Game.fact_names`) whether it holds.
    fn facts_vector<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let vocabulary = self.shared.vocabulary();
        let mut facts = FactSet::default();
        vocabulary.read(&self.shared.game, self.now(), &mut facts);
        let mut vector = vec![0; vocabulary.len()];
        facts.iter().for_each(|fact| vector[fact.index()] = 1);
        PyArray1::from_vec(py, vector)
    }

    /// The numbers of the legal moves of a role (or of the one that is to move), sorted.
    #[pyo3(signature = (role = None))]
    fn legal_actions(&self, py: Python<'_>, role: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<usize>> {
        let mut all = Vec::new();
        for role in self.asked(py, role)?.into_iter().take(1) {
            all = self.numbered(py, role)?.1;
            all.sort_unstable();
        }
        Ok(all)
    }

    /// For each number whether it is a legal move of a role (or of the one that is to move).
    #[pyo3(signature = (role = None))]
    fn action_mask<'py>(&self, py: Python<'py>, role: Option<&Bound<'_, PyAny>>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let mut mask = vec![0; py.detach(|| self.shared.actions().size)];
        for action in self.legal_actions(py, role)? {
            mask[action] = 1;
        }
        Ok(PyArray1::from_vec(py, mask))
    }

    /// The legal move with a number.
    #[pyo3(signature = (action, role = None))]
    fn action_to_move(
        &self,
        py: Python<'_>,
        action: &Bound<'_, PyAny>,
        role: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyMove> {
        let Some(role) = self.asked(py, role)?.into_iter().next() else { return Err(self.over(py)) };
        let meant = self.numbered_move(py, role, action)?;
        let chosen = crate::moves::chosen_move(&self.shared.game, self.now(), role, &meant);
        chosen.ok_or_else(|| self.illegal(py, &format!("action {action}"), role))
    }

    /// The number of a legal move.
    fn move_to_action(&self, py: Python<'_>, choice: &Bound<'_, PyAny>) -> PyResult<usize> {
        let role = match choice.cast::<PyMove>() {
            Ok(given) => given.get().by,
            Err(_) => *self.movers().first().ok_or_else(|| self.over(py))?,
        };
        let meant = self.resolve(py, role, choice)?;
        let (moves, numbers) = self.numbered(py, role)?;
        let found = moves.iter().position(|one| *one == meant);
        Ok(numbers[found.ok_or_else(|| self.over(py))?])
    }

    /// Plays the move with a number, as OpenSpiel calls it; where several roles move at once, a number for each.
    #[pyo3(signature = (*actions))]
    fn apply_action(&mut self, py: Python<'_>, actions: &Bound<'_, PyTuple>) -> PyResult<()> {
        let movers = self.movers();
        if movers.is_empty() {
            return Err(self.over(py));
        }
        if actions.len() != movers.len() {
            let who = self.to_move().join(", ");
            let message = format!("found {} actions, expected one for each who is to move: {who}", actions.len());
            return Err(Trouble::new("IllegalMove", message).raise(py));
        }
        let mut joint = Vec::new();
        for (role, action) in movers.into_iter().zip(actions) {
            joint.push(self.numbered_move(py, role, &action)?);
        }
        self.step(joint);
        Ok(())
    }

    /// Plays games at random from this state.
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
        play_out(py, &self.shared, self.now().clone(), count, seed, max_plies, threads, progress.as_ref())
    }

    /// A state of its own that is the same.
    fn copy(&self) -> PyState {
        PyState { shared: Arc::clone(&self.shared), states: self.states.clone(), played: self.played.clone() }
    }

    /// The same as `copy`, as OpenSpiel calls it.
    fn clone(&self) -> PyState {
        self.copy()
    }

    fn __copy__(&self) -> PyState {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyState {
        self.copy()
    }

    fn __str__(&self) -> String {
        match self.shared.game.position(self.now()) {
            Some(position) => drawn(&position),
            None => self.facts().join("\n"),
        }
    }

    fn __repr__(&self) -> String {
        let turn = match self.to_move() {
            movers if movers.is_empty() => "over".to_owned(),
            movers => format!("{} to move", movers.join(" and ")),
        };
        format!("<State of {}: {} plies, {turn}>", self.shared.game.name(), self.played.len())
    }

    /// The board as a picture.
    fn _repr_svg_(&self) -> Option<String> {
        self.shared.game.position(self.now()).map(|position| position_svg(&position))
    }

    fn _repr_html_(&self) -> Option<String> {
        // A game with a board has a picture.
        match self.shared.game.position(self.now()) {
            Some(_) => None,
            None => {
                let escape = |fact: String| fact.replace('&', "&amp;").replace('<', "&lt;");
                let facts: Vec<String> = self.facts().into_iter().map(escape).collect();
                Some(format!("<pre>{}</pre>", facts.join("\n")))
            }
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<PyState>() else { return false };
        let Ok(other) = other.try_borrow() else { return false };
        PyGame(Arc::clone(&self.shared)).is_same(&other.shared) && self.now() == other.now()
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.facts().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("onlooker._onlooker")?.getattr("_state_of")?;
        let game = &self.shared.game;
        let facts: Vec<String> = game.facts(&self.states[0]).iter().map(ToString::to_string).collect();
        let terms = |(at, joint): (usize, &Vec<AnyMove>)| -> Vec<String> {
            joint_terms(game, &self.states[at], joint).iter().map(ToString::to_string).collect()
        };
        let played: Vec<Vec<String>> = self.played.iter().enumerate().map(terms).collect();
        Ok((make, (Py::new(py, self.game())?, facts, played).into_pyobject(py)?))
    }
}

impl PyGame {
    fn is_same(&self, other: &Arc<Shared>) -> bool {
        Arc::ptr_eq(&self.0, other) || (self.0.game.name(), &self.0.text) == (other.game.name(), &other.text)
    }
}

/// For pickles.
#[pyfunction]
pub fn _state_of(
    py: Python<'_>,
    game: &Bound<'_, PyGame>,
    facts: Vec<String>,
    played: Vec<Vec<String>>,
) -> PyResult<PyState> {
    let shared = Arc::clone(&game.get().0);
    let refuse = |message: String| Trouble::new("Error", message).raise(py);
    let terms = |texts: &[String]| -> PyResult<Vec<Term>> {
        let terms: Result<Vec<Term>, _> = texts.iter().map(|text| text.parse::<Term>()).collect();
        terms.map_err(|error| refuse(error.to_string()))
    };
    // The first state is known without its facts, which need not tell all of it.
    let start = shared.game.start();
    let own: Vec<String> = shared.game.facts(&start).iter().map(ToString::to_string).collect();
    let first = if own == facts {
        start
    } else {
        shared.game.state_with(&terms(&facts)?).map_err(|error| refuse(error.to_string()))?
    };
    let mut state = PyState::new(shared, first);
    for joint in played {
        let (moves, misfits) = joint_move(&state.shared.game, state.now(), &terms(&joint)?);
        if !misfits.is_empty() {
            return Err(refuse(format!("found {}, expected legal moves", joint.join(" "))));
        }
        state.step(moves);
    }
    Ok(state)
}

/// The board with the names of ranks and files, in plain characters.
fn drawn(position: &Position) -> String {
    let shape = position.shape();
    let width = shape.all().map(|s| position.at(s).to_string().chars().count()).max().unwrap_or(1);
    let margin = shape.height().to_string().len() + 1;
    let mut lines = Vec::new();
    for rank in (0..shape.height()).rev() {
        let mut line = format!("{:>margin$} ", rank + 1);
        for square in (0..shape.width()).filter_map(|file| shape.square(file, rank)) {
            let sign = match position.at(square) {
                Cell::HOLE => " ".to_owned(),
                cell => cell.to_string(),
            };
            line.push_str(&format!(" {sign:^width$}"));
        }
        lines.push(line.trim_end().to_owned());
    }
    let files: Vec<String> = (0..shape.width()).map(|file| format!("{:^width$}", Shape::file_name(file))).collect();
    lines.push(format!("{:margin$}  {}", "", files.join(" ")).trim_end().to_owned());
    lines.join("\n")
}

impl PyState {
    /// The game so far as records that list all legal moves, the one played first.
    pub fn records(&self, game: &onlooker::game::RulesGame) -> Vec<onlooker::observe::Record> {
        use onlooker::observe::Move;
        let mut records = Vec::new();
        for (at, state) in self.states.iter().enumerate() {
            let Some(mut record) = crate::log::record_of(game, state, at as u32 + 1) else { continue };
            if let (Some([AnyMove::Rules(choice)]), AnyState::Rules(state)) =
                (self.played.get(at).map(Vec::as_slice), state)
            {
                let (start, word) = game.word(state, choice);
                let played = Move::Word { start, word };
                if let Some(place) = record.moves.iter().position(|listed| *listed == played) {
                    record.moves.swap(0, place);
                }
            } else if record.outcome.is_none() {
                // What was played from here is not known, so a log cannot list it.
                break;
            }
            records.push(record);
        }
        records
    }
}
