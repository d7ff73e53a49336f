//! RECORDS -> RULES: evidence is gathered from games, and rules are induced from it.
//!
//! In come the records of whole games ([`Evidence::observe`]), in any order, in pieces that are merged
//! ([`Evidence::merge`]); out come [`Rules`](crate::rules::Rules) with what they rest on and what they do not account
//! for ([`learn`]). Read [`Evidence`] first; `model.rs` says what is minimised, `search.rs` how.

mod boards;
mod contradiction;
mod decide;
mod effort;
mod endings;
mod evidence;
mod grl;
mod guard;
mod guarding;
mod hypothesis;
mod learner;
mod letter;
mod model;
mod movement;
mod packing;
mod reading;
mod saved;
mod search;
mod sgrl;
mod symmetry;
mod trace;
mod trie;

pub use crate::saved::SavedError;
pub use contradiction::Contradiction;
pub use evidence::{Evidence, Refused};
pub use learner::{Learnt, LearntPiece, Method, Need, Needs, NoGames, Options, Progress, learn};
pub use trace::plan_trace;
