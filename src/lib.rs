//! Onlooker watches board games being played, learns them, and can say what it has learnt.
//!
//! ```text
//!   logs of play                                   rules written by hand
//!        |                                                  |
//!     observe  -->  learn  ------------------->           rules        a game as data, with a text form
//!        ^        what was seen becomes rules       /       |
//!        |                                   explain      game         what can be played: moves, facts, goals
//!     simulate  <-------------------------------------------+
//!                                                           |
//!                                                         play         agents, matches, people
//!                                                           |
//!                                                       concepts       what decides a game, from playouts
//!                                                       opponent       how somebody plays, and search with it
//! ```
//!
//! From one end of the picture to the other:
//!
//! ```
//! use onlooker::game::{RulesGame, SimulationPlan, check_game, simulate};
//! use onlooker::learn::{Evidence, Options, learn};
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
//! let mut evidence = Evidence::default();
//! for records in GameReader::new(log.as_slice()) {
//!     evidence.observe(&records?)?;
//! }
//! let learnt = learn(&evidence, &Options::default(), &AtomicBool::new(false), &|_| {})?;
//! assert_eq!(learnt.rules.moves, game.rules().moves);
//!
//! let again = RulesGame::new(learnt.rules)?;
//! for records in GameReader::new(log.as_slice()) {
//!     assert!(check_game(&again, &records?, 1, 5).holds());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The modules in reading order; each imports only from those above it (`rules` not from `observe`):

pub mod board;

pub mod automata;

pub mod budget;

pub mod saved;

pub mod observe;

pub mod rules;

pub mod gdl;

pub mod locm;

pub mod learn;

pub mod game;

pub mod export;

pub mod relearn;

pub mod play;

pub mod concepts;

pub mod opponent;

pub mod tactics;

pub mod explain;

/// The README's example of the library, run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
