//! All suites in one binary: tables and properties over the library's public face.

mod any_game;
mod catalogue;
mod chance;
mod concepts;
mod counting;
mod endings;
#[path = "../exam/mod.rs"]
#[allow(dead_code, reason = "the example uses another part of it")]
mod exam;
mod exam_engine;
mod explain;
mod export;
mod found;
#[path = "../../fuzz/src/lib.rs"]
mod fuzz;
mod gdl;
mod gdl_limits;
mod gdl_made_up;
mod gdl_sheets;
mod go_moku;
mod gomocup;
mod knowledge;
mod learn;
mod locm;
mod movement;
mod naive;
mod observe;
mod opponent;
mod people;
#[path = "../pgn/mod.rs"]
mod pgn;
mod phrase;
mod play;
mod published;
mod relearn;
mod rules;
mod saved;
mod session;
mod sgrl;
mod sgrl_reference;
mod sheet_form;
mod small_boards;
mod strips;
mod tactics;
mod tactics_chess;
mod tactics_compiled;
mod tactics_sheets;
mod terms;
mod tidy;
mod toy_breakthrough;
mod toy_games;
mod tree_search;
mod turns;
mod twins;
mod unseen;
mod walk;
mod zoo;
