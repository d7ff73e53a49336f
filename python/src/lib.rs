//! Onlooker for Python: the extension module `onlooker._onlooker`. What users import is in `onlooker/`.
//!
//! Every class wraps a value of the library; nothing is worked out here that the library could. Long work goes through
//! [`work::run`], errors through [`errors::Trouble`].

mod actions;
mod concepts;
mod curves;
mod errors;
mod evidence;
mod game;
mod input;
mod learn;
mod locm;
mod log;
mod moves;
mod opponent;
mod output;
mod play;
mod playouts;
mod rules;
mod state;
mod tactics;
mod work;

use pyo3::prelude::*;

#[pymodule]
mod _onlooker {
    #[pymodule_export]
    use crate::concepts::{PyConcepts, concepts};
    #[pymodule_export]
    use crate::curves::curves_svg;
    #[pymodule_export]
    use crate::evidence::{_evidence_of, PyEvidence};
    #[pymodule_export]
    use crate::game::{_game_of, PyGame, game, games};
    #[pymodule_export]
    use crate::learn::{
        _learn_evidence, _learn_sheet, _learnt_piece_of, _lesson_of, PyLearntPiece, PyLesson, infer_moves, observe_game,
    };
    #[pymodule_export]
    use crate::locm::{_planning_model_of, PyMachine, PyPlanningModel, PyTraceEvidence, read_plans};
    #[pymodule_export]
    use crate::log::{_write_parts, PyCheckReport, PySimulationReport, check, game_log, simulate, simulate_bytes};
    #[pymodule_export]
    use crate::moves::{_move_of, PyMove};
    #[pymodule_export]
    use crate::opponent::{PyMeasures, PyOpponentModel};
    #[pymodule_export]
    use crate::play::{_agent_of, _match_of, PyAgent, PyChoice, PyMatchResult, match_};
    #[pymodule_export]
    use crate::playouts::{_playouts_of, PyPlayouts, PyStates};
    #[pymodule_export]
    use crate::rules::{PyAutomaton, PyEnding, PyMovement, PyRules};
    #[pymodule_export]
    use crate::state::{_state_of, PyState};
    #[pymodule_export]
    use crate::tactics::{PyTactics, tactics};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
