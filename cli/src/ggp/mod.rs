//! Matches over a network: a player that answers requests, and the one who runs a match.
//!
//! ```text
//! socket --server--> bytes --onlooker::play::Request--> player --orders--> mind (a thread of its own, one a match)
//! ```
//!
//! `server` knows HTTP and no games, `player` knows matches and clocks, `mind` knows games and no clocks of others. `referee`
//! is on the other side of the wire.

pub mod clock;
pub mod log;
pub mod player;
pub mod referee;
pub mod search_worker;
pub mod server;
