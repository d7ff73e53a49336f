//! The hub: a game as data, its text form, and the engine it compiles into.
//!
//! In comes a text that a person wrote or a learner printed ([`Rules::parse`]), out go [`Rules`] and, from them, an
//! [`Engine`] that generates moves, plays them and knows the endings. Read [`Rules`] first; [`Atom`] holds what a
//! movement can say, and `games/*.rules` in the repository are its examples.
//!
//! `Rules` is a plain value with public fields. What makes no sense in it is found by [`Rules::flaws`], which the parser
//! (with places in the text) and [`Engine::compile`] both ask. Parsing and printing are inverse.
//!
//! # Layers
//!
//! A legal move passes every layer:
//!
//! - *movement* and *turn*: one expression for each piece over the micro-moves of the whole turn. So "a queen moves, then
//!   an arrow flies" is `any(empty+) put:A any(empty+)`, and nothing else has to know about turns.
//! - *guards*: atoms that look without going, `on:zone`, `off:zone`, `look(dx dy content)`. They are symbols of the
//!   automaton that are not part of the word.
//! - *ending*: a list that is tried in order after every move, written for the player who has just moved.
//! - *restrictions* (must capture, king not left in check) have no place yet. They are filters over the set of candidate
//!   moves, so they will come between the generated words and those who ask for them.
//!
//! Lines for both players are written as the first player sees them; for the second the board is mirrored from bottom to
//! top and the colours are swapped. Lines under `moves of NAME` or `ending of NAME` stand as they are and take the place
//! of the line for both.
//!
//! # How moves are generated
//!
//! 1. Every movement, turned for its player, becomes a minimal automaton over [`Symbol`]s (steps with what they land on,
//!    put-downs, guards). Zone guards and board edges become masks (`compile.rs`, `narrow.rs`).
//! 2. A state holds one bitboard for each kind of piece, for each side, and for the empty squares: 1, 2, 6 or 16 words of
//!    64 bits, chosen by the board's size.
//! 3. `generate.rs` walks an automaton once for all pieces of its kind: the cursors of all pieces move together as a set.
//!    All have made the same steps, so what a word has changed lies at the same distance from each, and is kept once.
//! 4. When rules are compiled, first steps are sorted (`openings.rs`): *leaps* (whole words of one step), *stays* (drops
//!    that look around, all squares at once), *slides* (counted by their rays without walking), *deep* ones (walked).
//!    Movers that can meet their own traces are separated from those that cannot by a test on directions, and only the
//!    former keep traces.
//! 5. What is done with the words is a `Sink`: count them, find one, stop at the first, write them all out. Random
//!    playouts count, draw a number and walk again to the move with that number; moves are never written out. A walk that
//!    does not end is cut off after two million steps, and the call says so.
//!
//! [`Move`] is the start square and the word as runs of equal letters, 32 bytes; its text is made only when asked for.
//! Which words exist is defined once, in `board/trace.rs`; [`Rules::words`] is the plain reading that the generator is
//! compared with.
//!
//! # From automaton to text
//!
//! A word never comes to a square twice, so opposite directions may share a state of a learnt automaton (the rook has four
//! states). [`phrase`] takes out words that turn back at once, which separates the directions again, and compares the
//! expression with the automaton before it is used.

mod by_direction;
mod compile;
mod definition;
mod difference;
mod ending;
mod engine;
mod generate;
mod movement;
mod narrow;
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
pub(crate) mod walk;
mod zone;

pub use compile::CompileError;
pub use definition::{Flaw, Place, Rules};
pub use difference::movement_difference;
pub use ending::{Balance, Bound, Condition, Ending, Verdict, Ways, Whose};
pub use engine::{Engine, TooManyTurns, UnknownPiece};
pub use movement::{Atom, Directions, Landing, Movement, Seen, Side, Start, Taken};
pub use no_backtrack::without_backtracking;
pub use parse::ParseError;
pub use phrase::phrase;
pub use provenance::{OpenQuestion, PieceRecord, Provenance, Topic};
pub use state::{Move, State};
pub use symbol::Symbol;
pub use tokens::Problem;
pub use zone::{Area, Zone};
