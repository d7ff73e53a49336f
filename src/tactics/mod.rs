//! Tactics: winning combinations, learnt from single lost games and positions, proved, and used.
//!
//! In come an [`UpdateSystem`] (a game as features, and rules that say how a move changes them) and a game that somebody lost, or an [`Example`]: one position with
//! moves. Out come [`RecognitionRule`]s: [`back_up`] goes back over its moves, [`combine`] joins two threats, and [`check_rule`] accepts the
//! proof of what comes out, or not. A [`RuleFile`] is all of that as text. [`decide`] says what rules make of a turn; [`TacticsPlayer`] plays.
//!
//! An [`Event`] is something that a player may bring about beside a win, such as the capture of a queen. [`UpdateSystem::for_event`] gives the system in which whoever
//! brings it about first has won, so that all of the above is about events too; [`Recogniser::advice`] says what rules recommend where their proofs hold.
//! [`chess_system`] is a fragment of chess with such events.
//!
//! One finding: as the paper describes it, Combine-Conditions yields rules that are unsound from depth 3 on, since deeper threats
//! have several parries, and a parry may come with a threat. So nothing is used that is not proved, and where the paper's
//! description is too general, a proof of the state is generalised instead (`generalise.rs`).
//!
//! The paper is S. Minton, *A Game-Playing Program that Learns by Analyzing Examples* (1985). Read [`UpdateSystem`] first, then `learner.rs` and `checker.rs`.

mod adequacy;
mod attack;
mod back_up;
mod board;
mod checker;
mod chess;
mod complete_checker;
mod decision;
mod declaration;
mod drawing;
mod event;
mod event_system;
mod example;
mod explain_win;
mod feature_value;
mod forced_win;
mod generalise;
mod geometry;
mod gomocup;
mod ground;
mod ground_checker;
mod group;
mod in_line;
mod language;
mod learner;
mod library;
mod matching;
mod picture;
mod piece_board;
mod player;
mod proof;
mod recogniser;
mod recognition;
mod rule_file;
mod state;
mod static_table;
mod syntax;
mod system;
mod training;
mod trie;
mod unbeatable;

pub use adequacy::{AdequacyReport, BESIDE_GAMES, Inadequate, NoSystem, check_adequacy, check_beside, find_system};
pub use back_up::{Explained, InputMove, Mover, back_up, combine, merge};
pub use board::{BoardError, GameBoard, systems_for};
pub use checker::{Checked, Refuted, check_known, check_rule};
pub use chess::{CHESS_PLAYERS, ChessError, chess_system};
pub use decision::{Decision, Why, decide, decide_first};
pub use drawing::{draw_lesson, draw_library, draw_rule, explain_lesson};
pub use event::Event;
pub use example::{Example, learn_from_example};
pub use explain_win::{Effort, explain_win};
pub use feature_value::FeatureValue;
pub use forced_win::{ForcedWin, ForcedWins, Foresight};
pub use generalise::generalise;
pub use gomocup::{FIVE_IN_A_LINE, FiveError, Gomocup, Heard};
pub use ground::{FactId, GroundState, GroundSystem, MoveId, TooLarge, Undo};
pub use ground_checker::{Checker, MOST_INSTANCES};
pub use group::Group;
pub use in_line::{FIGURE_4_3, in_line_system};
pub use language::{Argument, Bindings, Description, Fact, Literal, Name, Names, Variable};
pub use learner::{LearnOptions, Lesson, LessonError, Reason, Step, learn_from_game};
pub use library::{Added, Library, Threat, is_usable};
pub use matching::{Found, first_match, matches};
pub use picture::describe_rule;
pub use player::{Otherwise, RulesRefused, TacticsPlayer, checked_rules};
pub use proof::Proof;
pub use recogniser::{Advice, CompileError, Recognised, Recogniser};
pub use recognition::{RecognitionRule, Status};
pub use rule_file::{RuleFile, show_description, show_rule};
pub use state::{Firing, State, UpdateTrace};
pub use static_table::StaticTable;
pub use syntax::{TacticsError, TacticsProblem};
pub use system::{Kind, Predicate, Tally, UpdateRule, UpdateSystem};
pub use training::{TrainingError, TrainingReport, learn_by_playing, learn_from_positions};
pub use unbeatable::{Unbeatable, losing_line};
