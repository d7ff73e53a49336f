//! Moves, and the roles that make them.

use crate::errors::Trouble;
use onlooker::game::{AnyGame, AnyMove, AnyState, Game, Role};
use onlooker::play::find_role;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A legal move of a state.
#[pyclass(frozen, module = "onlooker", name = "Move")]
pub struct PyMove {
    /// What people call it; no two legal moves of a state and role have the same name.
    #[pyo3(get)]
    pub name: String,
    /// The same in the Game Description Language.
    #[pyo3(get)]
    pub term: String,
    /// Who makes it.
    #[pyo3(get)]
    pub role: String,
    pub by: Role,
    /// Nothing if it comes from a pickle: then its term says which move it is.
    pub inner: Option<AnyMove>,
}

#[pymethods]
impl PyMove {
    fn __str__(&self) -> &str {
        &self.name
    }

    fn __repr__(&self) -> String {
        format!("Move({:?}, role={:?})", self.name, self.role)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        match other.cast::<PyMove>() {
            Ok(other) => {
                let other = other.get();
                (&self.role, &self.term) == (&other.role, &other.term)
            }
            Err(_) => other.extract::<String>().is_ok_and(|text| text == self.name),
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.name.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("onlooker._onlooker")?.getattr("_move_of")?;
        Ok((make, (&self.name, &self.term, &self.role, self.by.0).into_pyobject(py)?))
    }
}

/// For pickles.
#[pyfunction]
pub fn _move_of(name: String, term: String, role: String, number: u8) -> PyMove {
    PyMove { name, term, role, by: Role(number), inner: None }
}

/// The legal moves of one role that is to move.
pub fn legal_moves(game: &AnyGame, state: &AnyState, role: Role) -> Vec<PyMove> {
    let mut moves = Vec::new();
    if game.goals(state).is_none() && game.to_move(state).contains(role) {
        game.legal(state, role, &mut moves);
    }
    let names = game.move_names(state, role, &moves);
    let named = names.into_iter().zip(moves);
    named.map(|(name, choice)| named_move(game, state, role, name, choice)).collect()
}

fn named_move(game: &AnyGame, state: &AnyState, role: Role, name: String, inner: AnyMove) -> PyMove {
    let term = game.move_term(state, role, &inner).to_string();
    PyMove { name, term, role: game.roles()[role.index()].clone(), by: role, inner: Some(inner) }
}

/// A move that was chosen in this state.
pub fn chosen_move(game: &AnyGame, state: &AnyState, role: Role, choice: &AnyMove) -> Option<PyMove> {
    let mut moves = Vec::new();
    game.legal(state, role, &mut moves);
    let at = moves.iter().position(|legal| legal == choice)?;
    let name = game.move_names(state, role, &moves).swap_remove(at);
    Some(named_move(game, state, role, name, choice.clone()))
}

/// A role by its name or its number.
pub fn role_of(py: Python<'_>, game: &AnyGame, role: &Bound<'_, PyAny>) -> PyResult<Role> {
    let roles = game.roles();
    let found = match role.extract::<usize>() {
        Ok(number) => (number < roles.len()).then_some(Role(number as u8)),
        Err(_) => find_role(roles, &onlooker::game::Term::name(role.extract::<String>()?)),
    };
    found.ok_or_else(|| {
        let message = format!("found role {role}, expected one of the roles of {}: {}", game.name(), roles.join(", "));
        Trouble::new("Error", message).raise(py)
    })
}
