//! RECORDS -> RULES: evidence is gathered from games, and rules are induced from it.
//!
//! In come the records of whole games ([`Evidence::observe`]), in any order, in pieces that are merged
//! ([`Evidence::merge`]); out come [`Rules`](crate::rules::Rules) with what they rest on and what they do not account
//! for ([`learn`]). Read [`Evidence`] first; `model.rs` says what is minimised, `search.rs` how.

mod boards;
mod budget;
mod contradiction;
mod decide;
mod description_length;
mod endings;
mod evidence;
mod grl;
mod guard;
mod guard_search;
mod hypothesis;
mod learner;
mod letter;
mod movement;
mod packing;
mod reading;
mod saved;
mod sgrl;
mod state_merging;
mod symmetry;
mod trace;
mod trie;

pub use crate::saved::SavedError;
pub use contradiction::Contradiction;
pub use evidence::{Evidence, Refused};
pub use learner::{Learnt, LearntPiece, Method, Need, Needs, NoGames, Options, Progress, learn};
pub use trace::plan_trace;
