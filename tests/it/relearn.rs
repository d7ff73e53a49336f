//! Rule sheets that are watched: the board is found in their facts whatever they are called, and what is learnt from random
//! play is the game.

use onlooker::export::gdl;
use onlooker::game::{CATALOGUE, Game, GdlGame, RulesGame, SimulationPlan, catalogue_game, check_game, perft};
use onlooker::gdl::{Engine, GroundingLimits, Program};
use onlooker::learn::{Evidence, Options, learn};
use onlooker::observe::{HopReading, Listing, Record, reinterpret};
use onlooker::relearn::{NoBoard, SheetBoard};
use onlooker::rules::Rules;
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;

/// Nobody stops anything.
static GO_ON: AtomicBool = AtomicBool::new(false);

fn sheet(name: &str) -> String {
    std::fs::read_to_string(format!("{}/games/{name}.kif", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn game(text: &str) -> GdlGame {
    let program = Program::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    GdlGame::new("sheet", program, Engine::Fast, &GroundingLimits::default()).unwrap()
}

fn records(game: &GdlGame, board: &SheetBoard, numbers: std::ops::Range<u64>) -> Result<Vec<Vec<Record>>, NoBoard> {
    let plan = SimulationPlan { games: numbers.end, listing: Listing::All, seed: 5, plies: 2000 };
    numbers.into_par_iter().map(|number| board.random_game(game, &plan, number)).collect()
}

/// Learns rules from a sheet and checks them on games of it that were not learnt from.
fn relearnt(text: &str, games: u64, telling: HopReading) -> RulesGame {
    let game = game(text);
    let board = SheetBoard::find(&game, &GO_ON).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut evidence = Evidence::default();
    for game in records(&game, &board, 0..games).unwrap_or_else(|error| panic!("{error}\n{text}")) {
        let told: Vec<Record> = game.iter().map(|record| reinterpret(record, telling).unwrap()).collect();
        evidence.observe(&told).unwrap();
    }
    let learnt = learn(&evidence, &Options::default(), &|_| {}).unwrap();
    assert!(learnt.is_consistent(), "{:?}\n{}", learnt.unexplained, learnt.rules);
    let written = learnt.rules.to_string();
    let again = RulesGame::new(Rules::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"))).unwrap();
    for fresh in records(&game, &board, 1000..1020).unwrap() {
        let report = check_game(&again, &fresh, 1, 3);
        assert!(report.holds(), "{:?}\n{written}", report.mismatches);
    }
    again
}

/// Perft cannot tell words apart that do the same, so it is compared only where no two words do.
#[test]
fn our_sheets_are_relearnt() {
    for (name, games, depth) in [("breakthrough", 50, 4), ("tic-tac-toe", 60, 6), ("connect-four", 60, 5)] {
        let learnt = relearnt(&sheet(name), games, HopReading::Straight);
        assert_eq!(perft(&learnt, depth), perft(&catalogue_game(name).unwrap(), depth), "{name}");
    }
}

/// The circle: rules are written as a sheet, the sheet is played and watched, and what is learnt are the rules.
#[test]
fn exported_sheets_are_relearnt() {
    for (name, games, depth, telling) in [
        ("chess-breakthrough", 30, 2, HopReading::Straight),
        ("checkers-breakthrough", 60, 4, HopReading::HopsOverEnemies),
        ("checkers", 60, 4, HopReading::Straight),
        ("peg-solitaire", 60, 4, HopReading::Straight),
    ] {
        let (_, text) = CATALOGUE.iter().find(|(known, _)| *known == name).unwrap();
        let rules = Rules::parse(text).unwrap();
        let learnt = relearnt(&gdl(&rules).unwrap(), games, telling);
        assert_eq!(perft(&learnt, depth), perft(&catalogue_game(name).unwrap(), depth), "{name}\n{}", learnt.rules());
    }
}

/// All names of a sheet but those of the language, changed into ones that tell nothing, and comments left out.
fn scrambled(text: &str) -> String {
    const KEPT: [&str; 16] = [
        "role", "init", "true", "does", "next", "legal", "goal", "terminal", "not", "or", "and", "distinct", "<=", "0",
        "50", "100",
    ];
    let mut names: Vec<String> = Vec::new();
    let mut scrambled = String::new();
    for line in text.lines().map(|line| line.split(';').next().unwrap_or_default()) {
        let mut word = String::new();
        for letter in line.chars().chain(['\n']) {
            if !(letter.is_whitespace() || "()".contains(letter)) {
                word.push(letter);
                continue;
            }
            if word.is_empty() || word.starts_with('?') || KEPT.contains(&word.as_str()) {
                scrambled.push_str(&word);
            } else {
                let number = names.iter().position(|name| *name == word).unwrap_or_else(|| {
                    names.push(word.clone());
                    names.len() - 1
                });
                // No order is left in the names.
                scrambled.push_str(&format!("n{}", (number * 7919 + 13) % 10007));
            }
            word.clear();
            scrambled.push(letter);
        }
    }
    scrambled
}

#[test]
fn boards_are_found_by_facts_and_not_by_names() {
    for (name, depth) in [("breakthrough", 4), ("connect-four", 5)] {
        let text = scrambled(&sheet(name));
        assert!(!text.contains("cell") && !text.contains("white"));
        let learnt = relearnt(&text, 60, HopReading::Straight);
        assert_eq!(perft(&learnt, depth), perft(&catalogue_game(name).unwrap(), depth), "{name}");
    }
}

/// The board may lie on its side or upside down, with rows before columns, and squares may be told by more than a piece's name.
#[test]
fn the_first_player_sits_below() {
    let straight = sheet("breakthrough");
    let rows_first = straight
        .replace("(cell ?column ?row ", "(cell ?row ?column ")
        .replace("(cell ?to ?ahead ", "(cell ?ahead ?to ")
        .replace("(cell ?beside ?ahead ", "(cell ?ahead ?beside ")
        .replace("(cell ?column 8 ", "(cell 8 ?column ")
        .replace("(cell ?column 1 ", "(cell 1 ?column ");
    assert_ne!(straight, rows_first);
    for text in [straight, rows_first] {
        let game = game(&text);
        let board = SheetBoard::find(&game, &GO_ON).unwrap();
        let start = board.position(&game.facts(&game.start())).unwrap();
        let expected = "wwwwwwww\nwwwwwwww\n........\n........\n........\n........\nWWWWWWWW\nWWWWWWWW";
        assert_eq!(start.to_string().trim_end(), expected);
    }
}

#[test]
fn what_is_no_board_game_is_told() {
    let noop = "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))";
    let turns =
        "(init (control x)) (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))";
    let lines = "(line 1) (line 2) (line 3)";
    let keep = "(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (touched ?x ?y)))";
    let blank = "(<= (init (cell ?x ?y b)) (line ?x) (line ?y))";
    let open = "(<= open (true (cell ?x ?y b))) (<= terminal (not open)) (goal x 50) (goal o 50)";
    let both = "(role x) (role o)";
    for (text, expected) in [
        (sheet("racetrack"), "white and black move at the same time"),
        (sheet("mummy-maze"), "belongs to neither"),
        (
            "(role a) (role b) (role c) (init (p 1 1)) (<= (legal ?r (go 1)) (role ?r)) (<= (legal ?r (go 2)) (role ?r)) terminal
             (goal a 0) (goal b 0) (goal c 0)"
                .to_owned(),
            "it is for 3 players",
        ),
        // Nothing like squares.
        (
            "(role a) (init (step 1)) (legal a x) (legal a y) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
             (succ 1 2) (succ 2 3) (<= terminal (true (step 3))) (goal a 100)"
                .to_owned(),
            "describe no board",
        ),
        // Everybody may pass.
        (
            format!(
                "{both} {noop} {turns} {lines} {keep} {blank} {open}
                 (<= (legal ?p (mark ?x ?y)) (true (control ?p)) (true (cell ?x ?y b)))
                 (<= (legal ?p (wait)) (true (control ?p)))
                 (<= (touched ?x ?y) (does ?p (mark ?x ?y)))
                 (<= (next (cell ?x ?y ?p)) (does ?p (mark ?x ?y)))"
            ),
            "may do nothing",
        ),
        // Stones of neither player.
        (
            format!(
                "{both} {noop} {turns} {lines} {keep} {blank} {open}
                 (<= (legal ?p (mark ?x ?y)) (true (control ?p)) (true (cell ?x ?y b)))
                 (<= (touched ?x ?y) (does ?p (mark ?x ?y)))
                 (<= (next (cell ?x ?y stone)) (does ?p (mark ?x ?y)))"
            ),
            "belongs to neither",
        ),
        // Two stones in a turn.
        (
            format!(
                "{both} {noop} {turns} {lines} {keep} {blank} {open}
                 (<= (legal ?p (mark ?x ?y ?z)) (true (control ?p)) (true (cell ?x ?y b)) (line ?z))
                 (<= (touched ?x ?y) (does ?p (mark ?x ?y ?z)))
                 (<= (touched ?x ?z) (does ?p (mark ?x ?y ?z)))
                 (<= (next (cell ?x ?y ?p)) (does ?p (mark ?x ?y ?z)))
                 (<= (next (cell ?x ?z ?p)) (does ?p (mark ?x ?y ?z)))"
            ),
            "cannot be told",
        ),
    ] {
        let game = game(&text);
        let refused = match SheetBoard::find(&game, &GO_ON) {
            Err(refused) => refused,
            Ok(board) => records(&game, &board, 0..20).expect_err(expected),
        };
        assert!(refused.to_string().contains(expected), "{refused}, expected: {expected}");
    }
}

#[test]
fn a_sheet_whose_states_take_too_long_is_told() {
    let digits: String = (0..60).map(|digit| format!("(d {digit})")).collect();
    let text = format!(
        "{digits} (role a) (init on) (goal a 0) (<= (next on) (true on)) (<= terminal (not (true on)))
         (<= (legal a (go ?x ?y ?z)) (d ?x) (d ?y) (d ?z) (true on)) (<= (next (at ?x ?y ?z)) (does a (go ?x ?y ?z)))"
    );
    let game =
        GdlGame::new("slow", Program::read(&text).unwrap(), Engine::Prover, &GroundingLimits::default()).unwrap();
    let work = game.work_of_a_state();
    assert!(work >= 60 * 60 * 60);
    assert_eq!(SheetBoard::find(&game, &GO_ON).unwrap_err(), NoBoard::TooSlow(work));
}
