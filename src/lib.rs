//! Onlooker watches board games being played, learns them, and can say what it has learnt.

pub mod automata;
pub mod board;
pub mod game;
pub mod observe;
pub mod play;
pub mod rules;
