//! Rule sheets in the Game Description Language.
//!
//! In comes the text of a sheet; out comes what can be played: facts of states, legal moves, goals.
//!
//! ```text
//! text --kif--> brackets --sheet--> Sheet --program, check--> Program --strata, questions, tables--> Prover
//!                                                                |
//!     PropNetState <--run-- PropNet <--network-- Propositions <--propositions, extract-- Ground <--split, ground
//! ```
//!
//! Read [`Sheet`] first, which is the data as it was written. A [`Program`] is a sheet that was checked: without `or`,
//! with its things under numbers, its clauses in an order in which they can be worked out.
//!
//! [`Prover`] runs a program from its rules. Small relations that are the same in all states are worked out once, from the
//! bottom (`strata`). Everything else is asked for, with what is known passed in (`questions`), and answered once
//! (`tables`). A clause is a plan (`plan`), which is an order of its conditions, that is carried out (`search`) over atoms
//! with indexes (`database`), within limits (`world`). Which orders are good is seen by playing some states (`race`). It is
//! the reference for the rest, and what runs where the rest would grow too large.
//!
//! [`PropNet`] is fast. On the way to it:
//!
//! 1. `simplify` uses up facts that never change; `split` takes clauses apart whose conditions have little to do with each
//!    other.
//! 2. `ground` finds everything that may ever hold, and every way in which a clause may say so, within [`GroundingLimits`]. If that
//!    is too much, it is done again only for what is asked (`asked`).
//! 3. `propositions` makes a circuit of it (`circuit`: one kind of gate, each kept once, and circles of what needs each
//!    other), learns which facts never change or mirror others and which moves are forced, and makes it again with that.
//!    `choices` says "one of most moves" as "none of the others"; `extract` makes gates of shared conditions.
//! 4. `network` lays the circuit out; its head says which gates are kept up to date, which are asked, and why moves are cheap.
//! 5. `run` plays: a [`PropNetState`] is the facts and all that is kept up to date with them.
//!
//! To change the fast engine, change one of these and run the tests of `tests/it/gdl.rs` and
//! `gdl_made_up.rs`: both engines must agree, and with an evaluator there that is too simple to be wrong.

mod bindings;
mod check;
mod choices;
mod circuit;
mod clause_index;
mod database;
mod engine;
mod eval_context;
mod extract;
mod factor;
mod ground;
mod join;
mod join_order;
mod join_plan;
pub(crate) mod kif;
mod magic_sets;
mod problem;
mod program;
mod propnet;
mod propnet_state;
mod propositions;
mod prover;
mod scc;
mod sheet;
mod simplify;
mod split;
mod strata;
mod subgoals;
mod tables;
mod term;
mod terms;

pub use engine::{Engine, NoNetwork};
pub use eval_context::TooLarge;
pub use ground::GroundingLimits;
pub use problem::{Problem, Severity, SheetError};
pub use program::Program;
pub use propnet::{PropNet, Size};
pub use propnet_state::PropNetState;
pub use prover::{Prover, StateView};
pub use sheet::{Atom, Formula, Pattern, Rule, Sheet};
pub use term::{Term, TermError};
