//! Opponent models: which moves somebody plays, and searching with that.
//!
//! In come games of a player: simulated ([`watch_matches`]), from logs ([`turns_of_records`]) or from walks of rule sheets
//! ([`turns_of_walks`]), each as [`Turn`]s. An [`OpponentModel`] learns from them, in one of two ways: [`BayesModel`] is the paper's
//! Naive Bayes over facts with chi-squared feature selection, [`MoveModel`] a softmax over features of each move in its state. Both
//! predict how likely every legal move is, and go on learning turn by turn. Models are text files.
//!
//! The paper is *Opponent Modeling in General Game Playing*. Read [`Turn`] first, then [`OpponentModel`], [`NaiveBayes`] and
//! `move_features.rs`.

mod bayes_model;
mod chi_squared;
mod contours;
mod fact_index;
mod lazy;
mod lookahead;
mod measures;
mod model;
mod model_file;
mod move_features;
mod move_model;
mod naive_bayes;
mod search;
mod training;
mod turn;

pub use bayes_model::{BayesModel, BayesOptions};
pub use chi_squared::{chi_squared, select_features};
pub use contours::{Branching, depth_reached, nodes_to_depth, replies_needed};
pub use lazy::LazyOpponent;
pub use measures::{CalibrationBin, Estimate, Measures, TurnOutcome, predict_turns};
pub use model::{ModelOptions, OpponentModel, Prediction, Predictor};
pub use model_file::{MergeModelError, ModelError, ModelProblem};
pub use move_features::MoveView;
pub use move_model::{MoveModel, Weight};
pub use naive_bayes::{ClassId, FeatureId, NaiveBayes, RankingTable};
pub use search::OpponentSearch;
pub use training::{TrainingError, turns_of_records, turns_of_walks, watch_matches};
pub use turn::{Options, Turn, TurnKind, waiting_moves};
