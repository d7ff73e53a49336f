//! How large the parts of a log may be.

/// The longest line a log may have, in bytes: some thousand micro-moves.
pub const MAX_LINE: usize = 1 << 16;

/// The most moves that a record may list.
pub const MAX_MOVES: u32 = 1_000_000;

/// The most text that a game may have, in bytes: those who read whole games keep as much.
pub const MAX_GAME: usize = 128 << 20;
