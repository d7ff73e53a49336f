//! The tables of published experiments, with what this program finds beside them.

pub mod concepts;
pub mod games_needed;
pub mod grl;
pub mod learning_time;
pub mod move_generation;
pub mod opponent;
pub mod sgrl;
mod table;
pub mod tactics;

pub use table::{Column, ResultTable, TableCell};
