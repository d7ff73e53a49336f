//! Rule sheets in the Game Description Language (GDL).
//!
//! In comes the text of a sheet; out comes what can be played: facts of states, legal moves, goals.
//!
//! ```text
//! text --kif--> s-expressions --sheet--> Sheet --program, check--> Program --strata, subgoals, tables--> Prover
//!                                                                     |
//!   PropNetState <--propnet_state-- PropNet <--propnet-- Propositions <--propositions, extract-- Ground <--split, ground
//! ```
//!
//! Read [`Sheet`] first, which is the data as it was written. A [`Program`] is a sheet that was checked (safety,
//! stratification, recursion): a normal logic program without `or`, with interned terms, its clauses ordered by strata.
//!
//! [`Prover`] evaluates a program from its rules. Small relations that are the same in all states are evaluated once, bottom-up
//! by semi-naive evaluation (`strata`). Everything else is evaluated top-down with tabling: a call with what is known of its
//! arguments is a subgoal (`subgoals`), its answers are kept in a table (`tables`). A clause is compiled into a join plan
//! (`join_plan`), which is an order of its conditions (a join order), and executed (`join`) over a database of atoms with
//! indexes (`database`), within a budget (`eval_context`). Which join order is good is found by a trial on some states
//! (`join_order`). It is the reference for the rest, and what runs where the rest would grow too large.
//!
//! [`PropNet`], a propositional network, is fast. On the way to it:
//!
//! 1. `simplify` replaces facts that never change; `split` decomposes clauses whose conditions share few variables.
//! 2. `ground` instantiates (grounds) everything that may ever hold, within [`GroundingLimits`]. If that is too much, it is
//!    done again only for what is demanded (`magic_sets`).
//! 3. `propositions` makes a circuit of it (`circuit`: one kind of gate, hash-consed, and recursive components, the strongly
//!    connected components of ground rules, found by `scc`), learns which facts never change or mirror others and which moves
//!    are forced, and makes it again with that. `choices` says "one of most moves" as "none of the others"; `factor` and
//!    `extract` share conditions.
//! 4. `propnet` lays the circuit out; its head says which gates are kept up to date, which are evaluated lazily, and why moves
//!    are cheap.
//! 5. `propnet_state` plays: a [`PropNetState`] is the facts and all that is kept up to date with them.
//!
//! **Limits.** Terms are counted as they are written, so that sharing does not hide their size (`terms`). Programs, plans, tables,
//! states and propnets are counted before they are made. What is beyond a limit is a [`TooLarge`], a [`NoPropNet`] or a problem
//! of the sheet, and never an abort. One stop flag reaches all inner loops.
//!
//! To change the fast engine, change one of these and run the tests of `tests/it/gdl.rs` and `gdl_made_up.rs`: both engines must
//! agree, and with an evaluator there that is too simple to be wrong; `gdl_limits.rs` has the sheets that grow.

mod bindings;
mod canonical;
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
mod limits;
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

pub use canonical::SheetForm;
pub use engine::Engine;
pub use ground::GroundingLimits;
pub use kif::MAX_SHEET_BYTES;
pub use limits::{NoPropNet, TooLarge};
pub use problem::{Problem, Severity, SheetError};
pub use program::Program;
pub use propnet::{PropNet, Size};
pub use propnet_state::PropNetState;
pub use prover::{Prover, StateView};
pub use sheet::{Atom, Formula, Pattern, Rule, Sheet};
pub use term::{Term, TermError};
