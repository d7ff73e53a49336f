//! All suites in one binary: tables and properties over the library's public face.

mod catalogue;
mod counting;
mod explain;
mod movement;
mod naive;
mod observe;
mod play;
mod rules;
mod session;
mod tidy;
mod toy_breakthrough;
mod toy_games;
mod walk;
