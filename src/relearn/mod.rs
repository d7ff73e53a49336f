//! FROM WHAT CAN BE WATCHED TO CHECKED RULES: the pipelines of learning, from logs and from rule sheets.
//!
//! Logs: [`observe_log`] adds the games of a log to [`Evidence`](crate::learn::Evidence), [`Lesson::learn`] learns rules from
//! it, and [`Contradictions`] finds the records that contradict each other.
//!
//! Rule sheets: [`SheetBoard`] reads the facts of a sheet as a board, [`learn_sheet`] plays games at random, learns from them
//! what it would learn from a log, and compares that with other games of the sheet ([`SheetReport`]). [`observe_sheet`] only
//! gathers evidence, and [`simulate_sheet`] only writes a log. [`SheetTwin`] keeps what was learnt beside the sheet, for those who think in the rules and
//! answer in the words of the sheet.
//!
//! Limits and a stop flag go in, reports with typed reasons come out. Nothing here opens files or prints: that is left to
//! shells. Read [`learn_sheet`] first: it is the whole way.

mod board_names;
mod comparison;
mod contradictions;
mod find_board;
mod learn_sheet;
mod lesson;
mod observe_log;
mod sheet_board;
mod sheet_games;
mod sheet_reader;
mod sheet_twin;

pub use comparison::{Comparison, Unchecked};
pub use contradictions::{Contradictions, LocatedContradiction, RecordPlace};
pub use learn_sheet::{SheetPlan, SheetReport, learn_sheet};
pub use lesson::{Lesson, NoRules};
pub use observe_log::{LogCounts, ObserveError, observe_log};
pub use sheet_board::{NoBoard, SheetBoard};
pub use sheet_games::{Misfit, SheetLogError, observe_sheet, simulate_sheet};
pub use sheet_reader::SheetReader;
pub use sheet_twin::{MovePair, SheetTwin};
