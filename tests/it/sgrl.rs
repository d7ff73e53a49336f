//! The paper's learner does what the paper says: it is compared with Algorithms 1 and 2 written down once more.

use super::sgrl_reference::{PAPER, Settings, are_the_same, learn_dfa};
use super::zoo::{ARMIES, AT_RANDOM, Habits, game_of, play};
use onlooker::game::{RulesGame, catalogue_game};
use onlooker::learn::{Evidence, Learnt, Method, Options, learn};
use onlooker::observe::{Listing, Record};
use std::sync::atomic::AtomicBool;

fn learnt_from(games: &[Vec<Record>], settings: Settings) -> Learnt {
    let mut evidence = Evidence::default();
    games.iter().for_each(|game| evidence.observe(game).unwrap());
    let method = Method::Paper { distance: settings.distance, expansions: settings.expansions };
    learn(&evidence, &Options { method, ..Options::default() }, &AtomicBool::new(false), &|_| {}).unwrap()
}

/// Learns every piece in both ways; returns how many of them have no consistent automaton.
fn agree(game: &RulesGame, games: u64, listing: Listing, habits: Habits, settings: Settings, seed: u64) -> usize {
    let games = play(game, 0..games, listing, habits, seed);
    let learnt = learnt_from(&games, settings);
    let records: Vec<Record> = games.concat();
    for piece in &learnt.pieces {
        let context = || format!("{} {}, {listing:?}, seed {seed}, {settings:?}", game.rules().name, piece.start);
        match learn_dfa(&records, piece.player, piece.start, settings) {
            Some(dfa) => {
                assert!(piece.consistent && piece.contradictions.is_empty(), "{}", context());
                assert!(are_the_same(&dfa, &piece.automaton, piece.player), "{}", context());
            }
            None => {
                assert!(!piece.consistent, "{}", context());
                assert!(!piece.automaton.states()[0].accepting && piece.automaton.states().len() == 1);
                assert!(listing == Listing::Some || !piece.contradictions.is_empty(), "{}", context());
                for contradiction in &piece.contradictions {
                    for listed in [true, false] {
                        let found = records.iter().any(|record| contradiction.is_in(record, listed).is_some());
                        assert!(found, "{}: {contradiction:?}", context());
                    }
                }
            }
        }
    }
    assert!(!learnt.pieces.is_empty());
    learnt.pieces.iter().filter(|piece| !piece.consistent).count()
}

#[test]
fn the_papers_games() {
    for (name, all, some) in [("breakthrough", 5, 20), ("checkers-breakthrough", 3, 10), ("chess-breakthrough", 2, 8)] {
        let game = catalogue_game(name).unwrap();
        for seed in 1..=3 {
            assert_eq!(agree(&game, all, Listing::All, AT_RANDOM, PAPER, seed), 0);
            assert_eq!(agree(&game, some, Listing::Some, AT_RANDOM, PAPER, seed), 0);
        }
    }
}

#[test]
fn other_settings() {
    let game = catalogue_game("chess-breakthrough").unwrap();
    for (distance, expansions) in [(0, 5), (1, 10), (3, 4), (2, 0), (2, 1)] {
        let settings = Settings { distance, expansions };
        agree(&game, 2, Listing::All, AT_RANDOM, settings, 4);
        agree(&game, 8, Listing::Some, AT_RANDOM, settings, 4);
    }
}

#[test]
fn other_pieces() {
    for army in [0, 3, 5] {
        let game = game_of(ARMIES[army].1, 8, 8);
        for (seed, expansions) in [(1, 3), (2, 6)] {
            let settings = Settings { distance: 2, expansions };
            agree(&game, 2, Listing::All, AT_RANDOM, settings, seed);
            agree(&game, 6, Listing::Some, AT_RANDOM, settings, seed);
        }
    }
}

#[test]
fn where_records_contradict_each_other_both_say_so() {
    let habits = Habits { false_moves: 0.01, ..AT_RANDOM };
    for name in ["breakthrough", "checkers-breakthrough", "chess-breakthrough"] {
        let game = catalogue_game(name).unwrap();
        assert!(agree(&game, 10, Listing::All, habits, PAPER, 1) > 0, "{name}");
    }
    assert!(agree(&game_of(ARMIES[1].1, 8, 8), 4, Listing::All, habits, PAPER, 1) > 0);
}
