//! The hub: a game as data, its text form, and the engine it compiles into.
//!
//! In comes a text that a person wrote or a learner printed ([`Rules::parse`]), out go [`Rules`] and, from them, an
//! [`Engine`] that generates moves, plays them and knows the endings. Read [`Rules`] first; [`Atom`] holds what a
//! movement can say, and `games/*.rules` in the repository are its examples.
//!
//! A legal move passes every layer: *movement* and *turn* are one expression for each piece over the micro-moves of
//! the whole turn; *guards* are atoms of that expression which look at a place without going there; *endings* say when
//! the game is over and for whom.

mod by_direction;
mod compile;
mod definition;
mod difference;
mod ending;
mod engine;
mod generate;
mod movement;
mod no_backtrack;
mod openings;
mod parse;
mod phrase;
mod print;
mod provenance;
mod state;
mod symbol;
mod tables;
mod tokens;
mod zone;

pub use compile::CompileError;
pub use definition::{Flaw, Place, Rules};
pub use difference::movement_difference;
pub use ending::{Condition, Ending, Verdict};
pub use engine::{Engine, TooManyTurns, UnknownPiece};
pub use movement::{Atom, Directions, Landing, Movement, Seen, Side, Start, Taken};
pub use no_backtrack::without_backtracking;
pub use parse::ParseError;
pub use phrase::phrase;
pub use provenance::{PieceRecord, Provenance};
pub use state::{Move, State};
pub use symbol::Symbol;
pub use tokens::Problem;
pub use zone::{Area, Zone};
