//! RECORDS -> RULES: evidence is gathered from games, and rules are induced from it.
//!
//! In come the records of whole games ([`Evidence::observe`]), in any order, in pieces that are merged
//! ([`Evidence::merge`]); out come [`Rules`](crate::rules::Rules) with what they rest on and what they do not account
//! for ([`learn`]). Read [`Evidence`] first; `model.rs` says what is minimised, `search.rs` how.

mod alphabet;
mod boards;
mod contradiction;
mod decide;
mod description_length;
mod endings;
mod evidence;
mod grl;
mod guard;
mod guard_search;
mod hits;
mod hypothesis;
mod learner;
mod learnt;
mod letter;
mod movement;
mod options;
mod packing;
mod perspective;
mod piece_samples;
mod reading;
mod sample_set;
mod samples;
mod saved;
mod sgrl;
mod shortest;
mod situations;
mod square_sets;
mod state_merging;
mod symmetry;
mod trace;
mod trie;

pub use crate::saved::SavedError;
pub use contradiction::Contradiction;
pub use evidence::{Evidence, Refused};
pub use learner::{NoGames, learn};
pub use learnt::{Learnt, LearntPiece, Need, NeededGuard, Needs, Unexplained};
pub use options::{Method, Options, Progress};
pub use trace::plan_trace;
