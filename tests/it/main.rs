//! The suites, in one binary.

mod counting;
mod toy_breakthrough;
mod toy_games;
mod walk;
