//! What was seen: records of games, read from logs and written to them.
//!
//! In come the bytes of a log, perhaps compressed; out come [`Record`]s, one for each position of each game, that can
//! be trusted: every move fits, every position follows from the one before. Read [`Record`] first, then
//! [`LogReader`]; [`GameReader`] hands out whole games and gets over damaged ones.

mod bare;
mod compression;
mod error;
mod game_blocks;
mod games;
mod infer_moves;
mod limits;
mod lines;
mod reader;
mod record;
mod seen;
mod syntax;
mod writer;

pub use compression::{Compression, Compressor, Decompressor};
pub use error::{LogError, Problem};
pub use game_blocks::{GameBlock, GameBlocks, find_game};
pub use games::GameReader;
pub use infer_moves::{HopReading, infer_moves, reinterpret};
pub use limits::{MAX_GAME, MAX_LINE, MAX_MOVES};
pub use reader::LogReader;
pub use record::{Cause, Listing, Move, Outcome, Record};
pub use writer::LogWriter;
