//! Playouts and their states in batches, as arrays that are handed over without being copied.

use crate::errors::{Failure, Trouble};
use crate::game::Shared;
use crate::work;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use onlooker::game::{AnyState, Chance, FactSet, Game, Playouts, Roles, Truncation};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rayon::prelude::*;
use std::sync::Arc;

/// How random games went.
#[pyclass(frozen, module = "onlooker", name = "Playouts")]
pub struct PyPlayouts {
    /// How many moves each game had.
    #[pyo3(get)]
    plies: Py<PyArray1<i64>>,
    /// What each role got in each game, from 0 to 100; -1 where the game did not end or the rules leave it open.
    #[pyo3(get)]
    goals: Py<PyArrayDyn<i16>>,
    #[pyo3(get)]
    roles: Vec<String>,
    count: usize,
}

#[pymethods]
impl PyPlayouts {
    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("<Playouts: {} games>", self.count)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("onlooker._onlooker")?.getattr("_playouts_of")?;
        Ok((make, (self.plies.bind(py), self.goals.bind(py), &self.roles).into_pyobject(py)?))
    }
}

/// For pickles.
#[pyfunction]
pub fn _playouts_of(
    py: Python<'_>,
    plies: Py<PyArray1<i64>>,
    goals: Py<PyArrayDyn<i16>>,
    roles: Vec<String>,
) -> PyPlayouts {
    let count = plies.bind(py).len();
    PyPlayouts { plies, goals, roles, count }
}

/// Playouts that one thread does at once.
const PIECE: usize = 64;

/// Plays games at random from a state.
#[expect(clippy::too_many_arguments, reason = "what was asked for")]
pub fn play_out(
    py: Python<'_>,
    shared: &Arc<Shared>,
    from: AnyState,
    count: usize,
    seed: u64,
    max_plies: u64,
    threads: Option<usize>,
    progress: Option<&Py<PyAny>>,
) -> PyResult<PyPlayouts> {
    let own = Arc::clone(shared);
    let roles = shared.game.roles().len();
    let (plies, goals) = work::run(py, progress, move |task| {
        task.of(count as u64);
        let mut plies = vec![0i64; count];
        let mut goals = vec![-1i16; count * roles];
        let piece = |(number, (plies, goals)): (usize, (&mut [i64], &mut [i16]))| -> Result<(), Truncation> {
            let mut playouts = Playouts::new(&own.game);
            for (at, (plies, goals)) in plies.iter_mut().zip(goals.chunks_mut(roles)).enumerate() {
                let mut chance = Chance::stream(seed, (number * PIECE + at) as u64);
                let Some(playout) = playouts.run_until(&from, max_plies, &mut chance, &task.stop) else {
                    return Ok(());
                };
                if let Some(reason) = playout.truncation() {
                    return Err(reason);
                }
                *plies = playout.plies as i64;
                for (goal, got) in goals.iter_mut().zip(playout.goals().into_iter().flatten()) {
                    *goal = got.map_or(-1, i16::from);
                }
            }
            task.add(plies.len() as u64);
            Ok(())
        };
        let mut all = || {
            let pieces = plies.par_chunks_mut(PIECE).zip(goals.par_chunks_mut(PIECE * roles)).enumerate();
            pieces.map(piece).collect::<Result<(), Truncation>>()
        };
        let played = match threads {
            // Not worth a pool: the thread that is there does it all.
            Some(1) => plies.chunks_mut(PIECE).zip(goals.chunks_mut(PIECE * roles)).enumerate().try_for_each(piece),
            Some(threads) => pool(threads)?.install(all),
            None => all(),
        };
        played.map_err(Trouble::truncated)?;
        if task.is_stopped() { Err(Failure::Stopped) } else { Ok((plies, goals)) }
    })?;
    let goals = PyArray1::from_vec(py, goals).reshape([count, roles])?.to_dyn().clone().unbind();
    let roles = shared.game.roles().to_vec();
    Ok(PyPlayouts { plies: PyArray1::from_vec(py, plies).unbind(), goals, roles, count })
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, Trouble> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Trouble::new("Error", error.to_string()))
}

/// Every state of random games.
#[pyclass(frozen, module = "onlooker", name = "States")]
pub struct PyStates {
    /// The boards as numbers (`Game.pieces`), a rank after another from the top; `None` for a game without a board.
    #[pyo3(get)]
    boards: Option<Py<PyArrayDyn<u8>>>,
    /// For each numbered fact (`Game.fact_names`) whether it holds; `None` for a game with a board.
    #[pyo3(get)]
    facts: Option<Py<PyArrayDyn<u8>>>,
    /// Which game each state is of, counted from 0.
    #[pyo3(get)]
    playout: Py<PyArray1<i64>>,
    /// How many moves were played before it.
    #[pyo3(get)]
    ply: Py<PyArray1<i64>>,
    /// The number of the role that is to move; -1 if the game is over, -2 if several are.
    #[pyo3(get)]
    to_move: Py<PyArray1<i8>>,
    /// What each role got in the end of the state's game, as in `Playouts.goals`.
    #[pyo3(get)]
    goals: Py<PyArrayDyn<i16>>,
    count: usize,
}

#[pymethods]
impl PyStates {
    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("<States: {}>", self.count)
    }
}

/// What is gathered of the states of some games.
#[derive(Default)]
struct Rows {
    cells: Vec<u8>,
    playout: Vec<i64>,
    ply: Vec<i64>,
    to_move: Vec<i8>,
    goals: Vec<i16>,
}

/// Plays games at random and shows all their states.
pub fn watch_states(
    py: Python<'_>,
    shared: &Arc<Shared>,
    playouts: usize,
    seed: u64,
    max_plies: u64,
    progress: Option<&Py<PyAny>>,
) -> PyResult<PyStates> {
    let own = Arc::clone(shared);
    let board = shared.game.position(&shared.game.start()).map(|position| position.shape());
    let roles = shared.game.roles().len();
    let width = board.map_or_else(|| shared.vocabulary().len(), |shape| shape.squares());
    let rows = work::run(py, progress, move |task| {
        task.of(playouts as u64);
        let play = |number: usize| -> Result<Rows, Failure> {
            let mut rows = Rows::default();
            let (game, mut state) = (&own.game, own.game.start());
            let (mut chance, mut moves, mut joint) = (Chance::stream(seed, number as u64), Vec::new(), Vec::new());
            let mut facts = FactSet::default();
            for ply in 0.. {
                if task.is_stopped() {
                    return Err(Failure::Stopped);
                }
                match game.position(&state).filter(|_| board.is_some()) {
                    Some(position) => rows.cells.extend(own.codes(&position)),
                    None => {
                        own.vocabulary().read(game, &state, &mut facts);
                        let from = rows.cells.len();
                        rows.cells.resize(from + width, 0);
                        facts.iter().for_each(|fact| rows.cells[from + fact.index()] = 1);
                    }
                }
                rows.ply.push(ply as i64);
                rows.playout.push(number as i64);
                let over = game.goals(&state).is_some();
                let movers = if over { Roles::first(0) } else { game.to_move(&state) };
                rows.to_move.push(match movers.len() {
                    0 => -1,
                    1 => movers.iter().next().map_or(-1, |role| role.0 as i8),
                    _ => -2,
                });
                if ply == max_plies || !game.play_at_random(&mut state, &mut chance, &mut moves, &mut joint) {
                    break;
                }
            }
            let goals = game.goals(&state);
            if let (None, Some(reason)) = (&goals, game.truncation(&state)) {
                return Err(Trouble::truncated(reason).into());
            }
            let goals: Vec<i16> = match goals {
                Some(goals) => goals.iter().map(|goal| goal.map_or(-1, i16::from)).collect(),
                None => vec![-1; roles],
            };
            rows.ply.iter().for_each(|_| rows.goals.extend(&goals));
            task.add(1);
            Ok(rows)
        };
        let games: Result<Vec<Rows>, Failure> = (0..playouts).into_par_iter().map(play).collect();
        let mut all = Rows::default();
        for rows in games? {
            all.cells.extend(rows.cells);
            all.playout.extend(rows.playout);
            all.ply.extend(rows.ply);
            all.to_move.extend(rows.to_move);
            all.goals.extend(rows.goals);
        }
        Ok(all)
    })?;
    let count = rows.ply.len();
    let cells = PyArray1::from_vec(py, rows.cells);
    let (boards, facts) = match board {
        Some(shape) => {
            let boards = cells.reshape([count, shape.height(), shape.width()])?;
            (Some(boards.to_dyn().clone().unbind()), None)
        }
        None => (None, Some(cells.reshape([count, width])?.to_dyn().clone().unbind())),
    };
    Ok(PyStates {
        boards,
        facts,
        playout: PyArray1::from_vec(py, rows.playout).unbind(),
        ply: PyArray1::from_vec(py, rows.ply).unbind(),
        to_move: PyArray1::from_vec(py, rows.to_move).unbind(),
        goals: PyArray1::from_vec(py, rows.goals).reshape([count, roles])?.to_dyn().clone().unbind(),
        count,
    })
}
