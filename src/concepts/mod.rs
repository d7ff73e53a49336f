//! Concepts: heuristics from simulations, and what they have in common.
//!
//! In comes any [`Game`](crate::game::Game). [`watch_playouts`] turns playouts into [`Evidence`]: the positions that were
//! seen, and what each role got in the end. It merges in any order. Out of it is induced a [`Heuristic`], a text file of rules such as
//! `evaluation(0.238) :- cell(3,1,o), cell(2,2,o).`, in one of two ways: [`statistical_heuristic`] counts the subsets of
//! final positions as the paper does (Algorithm 1), [`fit_heuristic`] weighs rules by how well they tell won games from lost ones and
//! keeps few. [`binary_concepts`] (Algorithm 2) and [`ternary_concepts`] (Algorithm 4) make [`Concept`]s of rules by
//! putting variables in, [`structured_heuristic`] (Algorithm 3) makes rules of concepts, in the same game or in another.
//! [`CompiledHeuristic`] is a heuristic as an evaluation for players.
//!
//! The paper is *Automated Generation of New Concepts from General Game Playing*. Read [`Literal`] first, then
//! [`Heuristic`], [`Evidence`] and `fit.rs`.

mod binary;
mod clocked_player;
mod combinations;
mod compile;
mod concept;
mod evidence;
mod fact_table;
mod fact_values;
mod features;
mod fit;
mod heuristic;
mod lazy;
mod lesson;
mod literal;
mod parse;
mod piece_values;
mod samples;
mod statistical;
mod structured;
mod study;
mod ternary;
mod watch;

pub use binary::{binary_concepts, pair_concept};
pub use clocked_player::ClockedPlayer;
pub use combinations::SubsetCounts;
pub use compile::{CompileHeuristicError, CompiledHeuristic};
pub use concept::Concept;
pub use evidence::{Evidence, MergeError, Row};
pub use fact_table::{FactTable, Instances};
pub use fact_values::{FactValues, FactValuesPlan, learn_fact_values};
pub use fit::{FitOptions, FitReport, RoleFit, fit_heuristic};
pub use heuristic::{Heuristic, RoleRules, Rule, Sum};
pub use lazy::LazyHeuristic;
pub use lesson::{Lesson, LessonOptions, Method, NothingLearnt, learn_heuristic};
pub use literal::{Argument, Literal};
pub use parse::{HeuristicError, HeuristicProblem};
pub use statistical::{StatisticalOptions, statistical_heuristic};
pub use structured::structured_heuristic;
pub use study::{Part, Study, StudyPlan, Tally, study};
pub use ternary::ternary_concepts;
pub use watch::{PlayoutPlan, PlayoutPolicy, WatchReport, watch_playouts};
