//! ACTION TRACES -> PLANNING MODEL: evidence is gathered from plans, and state machines are induced from it (LOCM, LOCM2).
//!
//! In come traces, as values ([`Evidence::observe`]) or as text ([`PlanReader`]), in any order, in pieces that are merged
//! ([`Evidence::merge`]); out comes a [`Model`] ([`induce`]): sorts of objects, the states they go through, and what is
//! remembered in them. A model runs plans ([`Model::accepts`]) and is written as PDDL ([`Domain`]). Read [`Evidence`]
//! first, for what is kept, then [`Model`]; `induce.rs` and `split.rs` make the one of the other.
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
//!
//! # What is kept
//!
//! Transitions a and b of an object follow each other, once all outside a set T are left out, if and only if none of those
//! that really came between is in T. So evidence keeps for each pair the smallest sets that came between, and for each two
//! arguments that ever agreed the smallest sets under which they differed (`evidence.rs`, `family.rs`). Each object of a
//! trace has a list of its transitions, the latest first: those before an entry are what came after it (`watcher.rs`,
//! `objects.rs`). From that, what follows what, parameters, first and last states of every subset of transitions are
//! exact, without the traces; merging is associative and commutative.
//!
//! What is kept grows with the square of the number of arguments, not with the traces. It is bounded ([`MAX_KEPT`]): plans
//! whose actions have very many arguments are refused ([`Refused::Large`]) before memory is gone.
//!
//! # Splitting (LOCM2)
//!
//! For a valid set the matrix of what follows what is the full one restricted, so holes stay holes in larger sets, and a
//! set that is not valid lacks a member of some set that came between: `split.rs` branches on that member, smallest sets
//! first, within a budget of steps ([`Options::budget`]).
//!
//! # Departures from the papers
//!
//! An action with an object twice is an action of its own over its different objects; parameters are looked for in the zero
//! machine too; a parameter is also flawed if a transition writes or reads it twice or an observed pair contradicts it, so
//! a model accepts all its traces. In PDDL a parameter that some exit does not name has its own predicate of which old
//! values may stay, since STRIPS cannot delete what is unknown. Sorts with more than 32 transitions get one machine, and
//! [`Model::notes`] says so.

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
pub use evidence::{Evidence, MAX_ACTIONS, MAX_ARGUMENTS, MAX_KEPT, MAX_TRANSITIONS, Refused};
pub use induce::induce;
pub use model::{
    ActionId, Edge, Flaw, Machine, Method, Model, Note, Options, Parameter, Removed, Schema, Sort, SortId, State,
    StateId, Static, Transition,
};
pub use pddl::Domain;
pub use plans::{MAX_PLAN_LINE, PlanError, PlanLine, PlanProblem, PlanReader};
pub use watcher::Watcher;
