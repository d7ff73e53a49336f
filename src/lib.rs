//! Onlooker watches board games being played, learns them, and can say what it has learnt.

pub mod board;
pub mod game;
pub mod play;
