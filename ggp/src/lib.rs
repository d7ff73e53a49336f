//! Onlooker in matches over a network, by the protocol of general game playing: a player that answers requests, and a referee
//! that runs matches.
//!
//! In come bytes from a socket; out go moves in time.
//!
//! ```text
//! socket --http--> bytes --onlooker::play::Request--> Player --commands--> SearchWorker (a thread of its own, one a match)
//! ```
//!
//! | module | knows | does not know |
//! |---|---|---|
//! | `server`, `connections`, `http` | sockets, limits of size and time | games |
//! | `player`, `clock`, `system_clock` | which match is played, and when to answer | what a good move is |
//! | `worker`, `turn` | what a match asks of its thread | how it searches |
//! | `setup`, `searcher`, `proof_search`, `memory`, `study_memory`, `move_report` | games, search, opponents | clocks, sockets |
//! | `referee` | the other side of the wire | |
//!
//! Start with [`Player`], which answers one request at a time, and [`serve`], which puts it on a socket. Everything that runs
//! for a match stops within a tenth of a second of its end: one flag reaches the reading of sheets, grounding, evaluation and
//! search, and the next match begins only when all threads of the last one are gone.

mod clock;
mod connections;
mod http;
mod log;
mod memory;
mod move_report;
mod player;
mod proof_search;
mod referee;
mod searcher;
mod server;
mod setup;
mod study_memory;
mod system_clock;
mod turn;
mod worker;

pub use clock::{LEAST_MARGIN, Margin};
pub use log::Log;
pub use memory::Remember;
pub use player::{Options, Player};
pub use referee::{Entrant, EntrantError, EntrantSpec, Errors, Played, RefereeError, Seat, Seating};
pub use server::{ServeError, listen, serve};
pub use system_clock::SystemClock;
pub use worker::Style;
