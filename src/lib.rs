//! Onlooker watches board games being played, learns them, and can say what it has learnt.
//!
//! ```text
//!   logs of play                  rules written by hand
//!        |                                |
//!     observe  ---- check ---->         rules            a game as data, with a text form
//!        ^                                |
//!        |                              game             what can be played: moves, facts, goals
//!     simulate  <-------------------------+
//!                                         |
//!                                       play             agents, matches, people
//! ```
//!
//! From one end of the picture to the other:
//!
//! ```
//! use onlooker::game::{RulesGame, SimulationPlan, check_game, simulate};
//! use onlooker::observe::{GameReader, Listing};
//! use onlooker::rules::Rules;
//! use std::sync::atomic::AtomicBool;
//!
//! let rules = Rules::parse("
//! game hop
//! players white black
//! board
//!   ..p
//!   ...
//!   P..
//! zones
//!   far  rank 3
//! moves
//!   P  any(empty | enemy)
//! ending
//!   win when P on far
//!   win when the next player cannot move
//!   tie when 20 plies are played
//! ")?;
//! let game = RulesGame::new(rules)?;
//!
//! let plan = SimulationPlan { games: 10, listing: Listing::All, seed: 1, plies: 100 };
//! let mut log = Vec::new();
//! simulate(&game, &plan, &mut log, &AtomicBool::new(false), &mut |_| {})?;
//!
//! for records in GameReader::new(log.as_slice()) {
//!     assert!(check_game(&game, &records?, 1, 5).holds());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The modules in reading order; each imports only from those above it (`rules` not from `observe`):

pub mod board;

pub mod automata;

pub mod observe;

pub mod rules;

pub mod learn;

pub mod game;

pub mod play;

pub mod explain;

/// The README's example of the library, run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
