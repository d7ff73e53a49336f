//! Boards: squares, pieces, positions, and words of micro-moves with what they do.
//!
//! In come the characters of a drawn board and of a move such as `48 (1 1 dc)(1 1 e)`; out go a [`Position`], a
//! [`Word`], and the [`Effect`] that the word has on the position. Read [`Position`] first, then
//! [`Position::effect`], which holds the meaning of every micro-move; `trace.rs` says which words exist at all.

mod bits;
mod effect;
mod piece;
mod position;
mod shape;
mod trace;
mod word;

pub(crate) use bits::{Bits, SetStep, Shift};
pub use effect::{Effect, Misfit, MisfitReason};
pub use piece::{Cell, NameError, Piece, Player};
pub use position::{Position, PositionError};
pub(crate) use position::{read_hand, read_row};
pub use shape::{MAX_SIDE, Shape, Square};
pub(crate) use trace::{Offset, Trace};
pub use word::{Content, MicroMove, Word, WordError};
