//! Rule sheets in the Game Description Language.
//!
//! In comes the text of a sheet; out comes what can be played: facts of states, legal moves, goals.
//!
//! ```text
//! text --kif--> brackets --sheet--> Sheet --program, check--> Program --plain--> a state's view, the next state
//! ```
//!
//! Read [`Sheet`] first, which is the data as it was written. A [`Program`] is a sheet that was checked: without `or`,
//! with its things under numbers, in an order in which it can be worked out. [`Plain`] runs it, everything anew in every
//! state (`strata` over `join` over `database`).

mod check;
mod database;
mod join;
mod kif;
mod plain;
mod problem;
mod program;
mod sheet;
mod strata;
mod term;
mod terms;

pub use plain::{Plain, TooLarge, View};
pub use problem::{Problem, Severity, SheetError};
pub use program::Program;
pub use sheet::{Atom, Formula, Pattern, Rule, Sheet};
pub use term::{Term, TermError};
