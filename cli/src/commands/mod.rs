//! One file a verb.

pub mod bench;
pub mod check;
pub mod completions;
pub mod concepts;
pub mod explain;
pub mod export;
pub mod games;
pub mod gdl;
pub mod ggp;
pub mod ggp_match;
pub mod gomocup;
pub mod learn;
pub mod locm;
pub mod matches;
pub mod merge;
pub mod observe;
pub mod opponent;
pub mod perft;
pub mod play;
pub mod reproduce;
pub mod serve;
pub mod simulate;
pub mod tactics;
pub mod tactics_example;
pub mod walk;
