//! All suites in one binary: tables and properties over the library's public face.

mod counting;
mod observe;
mod play;
mod rules;
mod session;
mod toy_breakthrough;
mod toy_games;
mod walk;
