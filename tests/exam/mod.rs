//! An exam for the learner: games that nobody has seen, made by a grammar, with an engine that shares nothing with the
//! library's.
//!
//! In comes a seed; [`grammar::game`] makes rules of it, which [`game::Game`] plays as plainly as can be: a board is an
//! array of bytes, and every recipe of a piece is a function that writes its words. Out come records for the learner
//! ([`game::Played::records`]), and a grade for what it made of them ([`grade::grade`]). Read `game.rs` first.

pub mod chance;
pub mod describe;
pub mod ending;
pub mod game;
pub mod grade;
pub mod grammar;
pub mod moves;
pub mod pieces;
pub mod recipe;
pub mod table;
pub mod turn;
pub mod zone;
