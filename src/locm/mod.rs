//! ACTION TRACES -> PLANNING MODEL: evidence is gathered from plans, and machines are induced from it.
//!
//! In come traces, as values ([`Evidence::observe`]) or as text ([`PlanReader`]), in any order, in pieces that are merged
//! ([`Evidence::merge`]); out comes a [`Model`] ([`induce`]): sorts of objects, the states they go through, and what is
//! remembered in them. A model runs plans ([`Model::accepts`]) and is written as PDDL ([`Domain`]). Read [`Evidence`]
//! first, for what is kept, then [`Model`]; `induce.rs` and `split.rs` say how the one is made of the other.
//!
//! ```
//! use onlooker::locm::{Action, Evidence, Options, PlanReader, induce};
//! use std::sync::atomic::AtomicBool;
//!
//! let text = "(board car1 ferry)\n(debark car1 ferry)\n\n(board car2 ferry)\n(debark car2 ferry)\n(board car2 ferry)\n";
//! let mut evidence = Evidence::default();
//! for trace in PlanReader::new(text.as_bytes()) {
//!     evidence.observe(&trace?).map_err(|(_, refused)| refused)?;
//! }
//! let model = induce(&evidence, &Options::default(), &AtomicBool::new(false));
//! assert!(model.accepts(&[Action::new("board", ["x", "y"]), Action::new("debark", ["x", "y"])]).is_ok());
//! let twice = [Action::new("board", ["x", "y"]), Action::new("board", ["x", "y"])];
//! assert_eq!(model.accepts(&twice).unwrap_err().step, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accept;
mod action;
mod evidence;
mod family;
mod induce;
mod model;
mod names;
mod objects;
mod pddl;
mod plans;
mod saved;
mod split;
mod tuples;
mod watcher;

pub use crate::saved::SavedError;
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
pub use watcher::Watcher;
