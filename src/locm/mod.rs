//! ACTION TRACES -> PLANNING MODEL.

mod accept;
mod action;
mod evidence;
mod family;
mod induce;
mod model;
mod names;
mod pddl;
mod plans;
mod saved;
mod split;
mod tuples;
mod watcher;

pub use accept::{Reason, Rejection};
pub use action::Action;
pub use evidence::{Evidence, MAX_ACTIONS, MAX_ARGUMENTS, MAX_TRANSITIONS, Refused};
pub use induce::induce;
pub use model::{
    ActionId, Edge, Flaw, Machine, Method, Model, Note, Options, Parameter, Removed, Schema, Sort, SortId, State,
    StateId, Static, Transition,
};
pub use pddl::Domain;
pub use plans::{MAX_PLAN_LINE, PlanError, PlanLine, PlanProblem, PlanReader};
pub use saved::SavedError;
pub use watcher::Watcher;
