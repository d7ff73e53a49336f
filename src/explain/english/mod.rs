//! Rules in English: movements, endings, and what they were learnt from.
//!
//! In comes a movement's expression; `decompose` takes it apart into alternatives, `path` and `direction` put their parts
//! into words, and `sentences` joins them. `ending` does the same for endings, `familiar` knows well-known pieces.

pub(super) mod decompose;
pub(super) mod direction;
pub(super) mod ending;
pub(super) mod evidence;
pub(super) mod familiar;
pub(super) mod path;
pub(super) mod sentences;
pub(super) mod wording;
