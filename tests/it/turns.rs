//! Turns in which pieces act together, and movements that depend on the place: learnt exactly from play.

use onlooker::board::{Cell, Player};
use onlooker::game::{RulesGame, SimulationPlan, catalogue_game, check_game, random_game};
use onlooker::learn::{Evidence, Learnt, Method, Options, learn, plan_trace};
use onlooker::observe::Listing;
use onlooker::rules::Rules;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Games by name, with how many games with all moves, and with single moves, are enough to learn them exactly.
const GAMES: [(&str, u64, u64); 17] = [
    ("amazons", 10, 0),
    ("small-amazons", 50, 300),
    ("checkers", 50, 1000),
    ("peg-solitaire", 20, 200),
    ("tic-tac-toe", 50, 300),
    ("connect-four", 50, 300),
    ("pawns", 100, 1000),
    ("konane", 50, 300),
    ("turkish-draughts", 50, 1000),
    ("isola", 50, 300),
    ("fanorona", 50, 300),
    ("chess-fragment", 100, 1000),
    ("small-xiangqi", 50, 1000),
    ("small-shogi", 50, 1000),
    ("no-corners", 50, 300),
    ("russian-draughts", 50, 1000),
    ("two-put-downs", 50, 1000),
];

fn game(name: &str) -> RulesGame {
    catalogue_game(name).unwrap_or_else(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/testdata/turns/{name}.rules"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        RulesGame::new(Rules::parse(&text).unwrap()).unwrap()
    })
}

fn learnt_by(method: Method, game: &RulesGame, games: u64, listing: Listing, seed: u64) -> Learnt {
    let mut evidence = Evidence::default();
    let plan = SimulationPlan { games, listing, seed, plies: 10_000 };
    (0..games).for_each(|number| evidence.observe(&random_game(game, &plan, number).unwrap()).unwrap());
    learn(&evidence, &Options { method, ..Options::default() }, &AtomicBool::new(false), &|_| {}).unwrap()
}

/// In how many of some fresh games the rules differ from the true ones in anything.
fn wrong_games(game: &RulesGame, learnt: &Learnt) -> usize {
    let rules = RulesGame::new(learnt.rules.clone()).unwrap();
    let fresh = SimulationPlan { games: 40, listing: Listing::All, seed: 7777, plies: 10_000 };
    (0..fresh.games)
        .filter(|&number| !check_game(&rules, &random_game(game, &fresh, number).unwrap(), 1, 1).holds())
        .count()
}

fn learns_exactly(name: &str, games: u64, listing: Listing, seed: u64) {
    let game = game(name);
    let learnt = learnt_by(Method::Shortest, &game, games, listing, seed);
    assert!(learnt.is_consistent(), "{name}, seed {seed}: {:?}", learnt.unexplained);
    assert_eq!(wrong_games(&game, &learnt), 0, "{name}, {listing:?}, seed {seed}:\n{}", learnt.rules);
    let again: Rules = Rules::parse(&learnt.rules.to_string()).unwrap();
    assert_eq!(again, learnt.rules, "{name}");
}

#[test]
fn turns_are_learnt_from_all_moves() {
    for (name, games, _) in GAMES {
        learns_exactly(name, games, Listing::All, 1);
    }
}

#[test]
fn turns_are_learnt_from_single_moves() {
    for (name, _, games) in GAMES.into_iter().filter(|game| game.2 > 0) {
        learns_exactly(name, games, Listing::Some, 1);
    }
}

#[test]
fn a_learnt_turn_reads_as_it_was_written() {
    for (name, kind) in [("checkers", "C"), ("checkers", "K"), ("small-amazons", "Q"), ("peg-solitaire", "P")] {
        let game = game(name);
        let line = |rules: &Rules| {
            let text = rules.to_string();
            let line = text.lines().find(|line| line.starts_with(&format!("  {kind}  "))).map(str::to_owned);
            line.unwrap_or_else(|| panic!("no line for {kind} in {text}"))
        };
        let learnt = learnt_by(Method::Shortest, &game, 50, Listing::All, 3);
        assert_eq!(line(&learnt.rules), line(game.rules()), "{name}");
    }
}

#[test]
fn what_the_games_need_is_told() {
    let needs = |name: &str, start: &str| {
        let learnt = learnt_by(Method::Shortest, &game(name), 50, Listing::All, 1);
        learnt.pieces.into_iter().find(|piece| piece.start.to_string() == start).unwrap().needs
    };
    let man = needs("checkers", "C");
    assert!(man.takes && man.appears.len() == 1 && man.guards.len() == 1, "{man:?}");
    assert_eq!(man.guards[0].guard.to_string(), "on:far");
    assert!(man.guards[0].listed.0 < man.guards[0].listed.1);
    let king = needs("checkers", "K");
    assert!(king.takes && king.appears.is_empty() && king.guards.is_empty(), "{king:?}");
    let pawn = needs("breakthrough", "P");
    assert_eq!(pawn, Default::default());
}

/// GRL: the parts of the turn for each piece, put together by LOCM. The games in which LOCM's machines tell enough: a
/// machine has each action once, so one step of a castling king is to it the same as two.
#[test]
fn parts_put_together_by_locm_make_the_same_turns() {
    for (name, games) in [
        ("amazons", 10),
        ("small-amazons", 50),
        ("checkers", 50),
        ("peg-solitaire", 20),
        ("pawns", 100),
        ("konane", 50),
        ("isola", 50),
        ("fanorona", 50),
        ("breakthrough", 50),
        ("checkers-breakthrough", 50),
        ("tic-tac-toe", 50),
    ] {
        let game = game(name);
        let learnt = learnt_by(Method::Grl(None), &game, games, Listing::All, 1);
        assert_eq!(wrong_games(&game, &learnt), 0, "{name}:\n{}", learnt.rules);
    }
    for (name, games) in [("small-amazons", 300), ("peg-solitaire", 200), ("isola", 300)] {
        let game = game(name);
        let learnt = learnt_by(Method::Grl(None), &game, games, Listing::Some, 1);
        assert_eq!(wrong_games(&game, &learnt), 0, "{name}, single moves:\n{}", learnt.rules);
    }
}

#[test]
fn words_become_the_actions_of_the_paper() {
    let trace = |player, start: &str, word: &str| {
        let trace = plan_trace(&word.parse().unwrap(), Cell::named(start).unwrap(), player).unwrap();
        trace.iter().map(|action| action.to_string()).collect::<Vec<_>>().join(" ")
    };
    let table = [
        ("Q", "(1 0 e)(0 0 aA)(1 0 e)", "(move_q square1 square2) (appear_a square2) (move_a square2 square3)"),
        (
            "C",
            "(1 1 dc)(1 1 e)(-1 1 dc)(-1 1 e)",
            "(take_over_c square1 square2 square3) (take_over_c square3 square4 square5)",
        ),
        ("C", "(1 1 p)(1 1 e)", "(move_over_c square1 square2 square3)"),
        ("R", "(1 0 e)(1 0 p)", "(move_r square1 square2) (take_r square2 square3)"),
        // It comes back to where it was.
        ("P", "(1 0 e)(1 0 dp)(-1 0 e)", "(move_p square1 square2) (take_over_p square2 square3 square2)"),
        ("P", "(1 1 p)(0 0 aQ)", "(take_p square1 square2) (appear_q square2)"),
    ];
    for (start, word, actions) in table {
        assert_eq!(trace(Player::First, start, word), actions, "{word}");
    }
    assert_eq!(trace(Player::Second, "p", "(-1 -1 p)(0 0 aq)"), "(take_p square1 square2) (appear_q square2)");
}
