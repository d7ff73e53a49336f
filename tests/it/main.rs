//! The suites, in one binary.

mod counting;
mod play;
mod session;
mod toy_breakthrough;
mod toy_games;
mod walk;
