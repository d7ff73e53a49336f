//! How much the server takes on: every number that keeps it small, in one place.

use std::time::Duration;

/// Connections at the same time; more wait.
pub const CONNECTIONS: usize = 256;
/// A request's head must be there within this time.
pub const HEAD_TIME: Duration = Duration::from_secs(10);
/// The longest wait for the next part of a request's body.
pub const BODY_TIME: Duration = Duration::from_secs(20);
/// The largest body of a request that is not a file.
pub const REQUEST_BYTES: usize = 4 << 20;
/// The largest file that can be dropped on the page.
pub const FILE_BYTES: u64 = 512 << 20;
/// The largest text that is read as a whole: rules, sheets, saved games, models.
pub const TEXT_BYTES: u64 = 4 << 20;
/// All files that were dropped on the page, together.
pub const STORE_BYTES: u64 = 4 << 30;
/// How many files there can be.
pub const STORE_FILES: usize = 10_000;
/// Games that are kept ready to run.
pub const GAMES: usize = 48;
/// Games in progress that are kept in memory; those that nobody has looked at for longest make room.
pub const TABLES: usize = 200;
/// Games in progress that are kept in the folder.
pub const SAVED_TABLES: usize = 20_000;
/// The most joint moves of a game in progress.
pub const PLIES: usize = 5_000;
/// Jobs that run at the same time.
pub const JOBS: usize = 4;
/// How long a job may run, pauses included.
pub const JOB_TIME: Duration = Duration::from_secs(30 * 60);
/// A job that nobody listens to is stopped after this time.
pub const UNHEARD: Duration = Duration::from_secs(30);
/// Jobs that are remembered after their end.
pub const ENDED_JOBS: usize = 32;
/// What is kept of a job's events, in bytes.
pub const EVENT_BYTES: usize = 8 << 20;
/// How long an agent may think about a move, or about a hint.
pub const THINKING_TIME: Duration = Duration::from_secs(20);
/// Legal moves that the page is sent; of more it shows the first.
pub const LISTED_MOVES: usize = 20_000;
