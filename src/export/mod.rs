//! RULES AND MODELS -> OTHER PROGRAMS: rule sheets in GDL, planning domains in PDDL, automata for Graphviz.
//!
//! In come [`Rules`](crate::rules::Rules) without flaws, learnt or written by hand; out goes text that other programs
//! read. [`gdl`] writes a whole game as a rule sheet, [`pddl`] one piece's turns as a planning problem, [`dot`] the
//! automata of all movements. Planning models are written by [`crate::locm`]; [`model_dot`] draws their machines.
//!
//! `mover` decides which squares of a word a move of a sheet has to name so that no two words have the same name.
//! `forms` walks every word that some board allows and lists its *forms* (sequences of named places) with which places
//! can be the same square. The sheet has the automata as facts and a few rules for each form (`gdl`, `gdl_moves`); a
//! taken or put-down square is an argument of the path, so conditions on the changed board are `distinct`s and extra
//! rules exactly where the walk found that squares can meet. Nothing grows without end, so the recursion restriction
//! holds; what has endless or too many forms is refused. `turn_plan` reads an automaton as a plan with the actions of
//! the GRL paper.
//!
//! Move terms of sheets differ from those of the rules' own game, since GDL wants one arity a function and names as
//! functions; facts are the same, so walks agree in their states.

pub(crate) mod arrows;
mod dot;
mod forms;
mod gdl;
mod gdl_moves;
pub(crate) mod graph;
mod kif_writer;
pub(crate) mod locm_graph;
mod mover;
pub(crate) mod naming;
mod pddl;
mod turn_plan;

pub use dot::dot;
pub use forms::FormProblem;
pub use gdl::{ExportError, gdl};
pub use graph::{MovementGraph, movement_graphs};
pub use locm_graph::dot as model_dot;
pub use pddl::{Planning, pddl};
