//! Sentences about truth that hold for any bytes: each is a fuzz target, and is tried on inputs that once broke it.

pub mod concepts;
pub mod evidence;
pub mod ggp;
pub mod kif;
pub mod log;
pub mod opponent;
pub mod plans;
pub mod rules;
pub mod tactics;
