//! The pipelines of learning. Rule sheets: the board is found in their facts whatever they are called, and what is learnt from
//! random play is the game. Logs: games are counted, and refused by their number.

use onlooker::export::gdl;
use onlooker::game::{CATALOGUE, Game, GdlGame, RulesGame, SimulationPlan, catalogue_game, check_game, perft};
use onlooker::gdl::{Engine, GroundingLimits, Program};
use onlooker::learn::{Evidence, Options, Refused, learn};
use onlooker::observe::{GameReader, HopReading, Listing, LogError, Record, reinterpret};
use onlooker::relearn::{
    Lesson, LogCounts, Misfit, NoBoard, NoRules, ObserveError, SheetBoard, SheetLogError, SheetPlan, SheetReport,
    learn_sheet, observe_log, observe_sheet, simulate_sheet,
};
use onlooker::rules::Rules;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Nobody stops anything.
static GO_ON: AtomicBool = AtomicBool::new(false);

pub fn sheet(name: &str) -> String {
    std::fs::read_to_string(format!("{}/games/{name}.kif", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

pub fn game(text: &str) -> GdlGame {
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
    let learnt = learn(&evidence, &Options::default(), &GO_ON, &|_| {}).unwrap();
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
pub fn scrambled(text: &str) -> String {
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
            "neither a drop nor",
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

/// Noughts and crosses until the board is full, in which x may put a crown on one square if `when` holds. Each square can be
/// marked in so many ways, which all do the same.
fn crowned(ways: usize, x: &str, crown: &str, when: &str) -> GdlGame {
    let ways: String = (0..ways).map(|way| format!("(way {way})")).collect();
    game(&format!(
        "(role x) (role o) (init (control x)) (line 1) (line 2) (line 3) {ways}
         (<= (init (cell ?x ?y b)) (line ?x) (line ?y))
         (<= (legal ?p (mark ?x ?y ?w)) (true (control ?p)) (true (cell ?x ?y b)) (way ?w))
         (<= (legal x (crown 1 1)) (true (control x)) (true (cell 1 1 b)) {when})
         (<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
         (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
         (<= (next (cell ?x ?y {x})) (does x (mark ?x ?y ?w)))
         (<= (next (cell ?x ?y o)) (does o (mark ?x ?y ?w)))
         (<= (next (cell ?x ?y {crown})) (does x (crown ?x ?y)))
         (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (touched ?x ?y)))
         (<= (touched ?x ?y) (does ?p (mark ?x ?y ?w))) (<= (touched ?x ?y) (does ?p (crown ?x ?y)))
         (<= open (true (cell ?x ?y b))) (<= terminal (not open)) (goal x 50) (goal o 50)"
    ))
}

/// The log of random games of a sheet that lists all moves.
fn simulated(game: &GdlGame, games: u64) -> Result<String, SheetLogError> {
    let plan = SimulationPlan { games, listing: Listing::All, seed: 1, plies: 100 };
    let mut log = Vec::new();
    let report = simulate_sheet(game, &plan, &mut log, &GO_ON, &mut |_| {})?;
    assert_eq!((report.games, report.stopped), (games, false));
    Ok(String::from_utf8(log).unwrap())
}

fn observed(game: &GdlGame, games: u64, seed: u64) -> Result<Evidence, Misfit> {
    let mut evidence = Evidence::default();
    assert_eq!(observe_sheet(&mut evidence, game, seed, Some(games), HopReading::Straight, &GO_ON)?, games);
    Ok(evidence)
}

fn bytes(evidence: &Evidence) -> String {
    let mut bytes = Vec::new();
    evidence.write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn learnt_from(game: &GdlGame, games: u64) -> SheetReport {
    let plan = SheetPlan { games: Some(games), check_games: Some(10), ..SheetPlan::default() };
    learn_sheet(game, &plan, &Options::default(), &GO_ON, &|_| {}).unwrap()
}

/// A crown is always possible and next to never played: it is in none of the games that the board is looked for in first, but
/// among the moves that are legal in them.
#[test]
fn what_is_rarely_played_is_on_the_board_all_the_same() {
    for (x, crown) in [("x", "star"), ("px", "pstar")] {
        let game = crowned(40, x, crown, "");
        let learnt = learnt_from(&game, 30);
        assert!(learnt.holds(), "{:?}\n{}", learnt.comparison, learnt.lesson.learnt.rules);
        assert!(simulated(&game, 5).unwrap().contains("(0 0 aS)"));
        assert_eq!(bytes(&observed(&game, 30, 1).unwrap()), bytes(&learnt.lesson.evidence));
    }
}

/// A crown is seldom possible, so that it comes up when some games have been read already.
#[test]
fn what_is_rarely_possible_widens_the_board_and_renames_nothing_that_was_read() {
    let when = "(true (cell 1 2 o)) (true (cell 2 2 o)) (true (cell 3 3 o))";
    let first_crown = |log: &str| log[..log.find("(0 0 aS)").unwrap()].matches("\n1\n").count();
    let game = crowned(1, "x", "star", when);
    let log = simulated(&game, 400).unwrap();
    assert!(first_crown(&log) > 60, "there are games before it");
    assert_eq!(log.matches("(0 0 aX)").count(), 400 * (9 + 7 + 5 + 3 + 1));
    let learnt = learnt_from(&game, 400);
    assert_eq!(bytes(&observed(&game, 400, 1).unwrap()), bytes(&learnt.lesson.evidence));
    // Here crosses are called P as long as no crown has been seen, and X then, after what is not shared by the names.
    let game = crowned(1, "px", "pstar", when);
    assert!(simulated(&game, 60).unwrap().contains("(0 0 aP)"));
    let unseen = |reason: &NoBoard| matches!(reason, NoBoard::Unseen(fact) if fact.to_string() == "(cell 1 1 pstar)");
    assert!(matches!(simulated(&game, 400), Err(SheetLogError::Board(reason)) if unseen(&reason)));
    assert!(matches!(observed(&game, 400, 1), Err(Misfit::Board(reason)) if unseen(&reason)));
    // Who has all games at hand begins anew.
    assert_eq!(bytes(&learnt_from(&game, 400).lesson.evidence), bytes(&learnt.lesson.evidence));
}

#[test]
fn evidence_of_a_sheet_merges_whatever_the_seeds() {
    let game = game(&sheet("tic-tac-toe"));
    let seeds = [1, 2, 3];
    let parts: Vec<Evidence> = seeds.iter().map(|&seed| observed(&game, 20, seed).unwrap()).collect();
    let mut one_by_one = Evidence::default();
    for seed in seeds {
        observe_sheet(&mut one_by_one, &game, seed, Some(20), HopReading::Straight, &GO_ON).unwrap();
    }
    let mut merged = Evidence::default();
    parts.into_iter().rev().for_each(|part| merged.merge(part).unwrap());
    assert_eq!(bytes(&merged), bytes(&one_by_one));
    let learnt = learn(&merged, &Options::default(), &GO_ON, &|_| {}).unwrap();
    assert!(learnt.is_consistent());
    assert_eq!(learnt.rules.moves, catalogue_game("tic-tac-toe").unwrap().rules().moves);
}

/// Hops that take nothing leave no trace on the board: the reading is found that makes rules.
#[test]
fn the_reading_of_hops_is_found() {
    let (_, text) = CATALOGUE.iter().find(|(known, _)| *known == "checkers-breakthrough").unwrap();
    let game = game(&gdl(&Rules::parse(text).unwrap()).unwrap());
    let learnt = learnt_from(&game, 60);
    assert!(learnt.holds() && learnt.reading == HopReading::HopsOverEnemies, "{:?}", learnt.reading);
    let mut evidence = Evidence::default();
    observe_sheet(&mut evidence, &game, 1, Some(60), learnt.reading, &GO_ON).unwrap();
    assert_eq!(bytes(&evidence), bytes(&learnt.lesson.evidence));
    assert_eq!(learnt.lesson.learnt.rules.name, "sheet");
}

#[test]
fn the_reasons_are_typed() {
    let racetrack = game(&sheet("racetrack"));
    let refused = learn_sheet(&racetrack, &SheetPlan::default(), &Options::default(), &GO_ON, &|_| {}).unwrap_err();
    let roles = ["white", "black"].map(str::to_owned).to_vec();
    assert_eq!(refused, Misfit::Board(NoBoard::AtTheSameTime(roles)));
    // A second sheet on another board does not belong to the first.
    let mut evidence = observed(&game(&sheet("tic-tac-toe")), 1, 1).unwrap();
    let four = game(&sheet("connect-four"));
    let refused = observe_sheet(&mut evidence, &four, 1, Some(1), HopReading::Straight, &GO_ON).unwrap_err();
    assert!(matches!(refused, Misfit::Refused { game: 1, reason: Refused::Board { .. } }), "{refused}");
}

#[test]
fn a_stop_flag_ends_everything() {
    let stop = AtomicBool::new(true);
    let game = game(&sheet("breakthrough"));
    assert_eq!(SheetBoard::find(&game, &stop).unwrap_err(), NoBoard::Interrupted);
    let options = Options::default();
    let learnt = learn_sheet(&game, &SheetPlan::default(), &options, &stop, &|_| {});
    assert_eq!(learnt.unwrap_err(), Misfit::Interrupted);
    assert_eq!(Lesson::learn(Evidence::default(), &options, &stop, &|_| {}).unwrap_err(), NoRules::Interrupted);
    let log = "1\n..\nP.\n*\nw all 1\n0 (0 1 e)\n2\nP.\n..\n1\nb all 0\n".repeat(100);
    let mut evidence = Evidence::default();
    let refused = observe_log(&mut evidence, GameReader::new(log.as_bytes()), &mut Err, &stop).unwrap_err();
    assert!(matches!(refused, ObserveError::Interrupted) && evidence.games() < 100);
    // Set while something is learnt, what there is so far is not taken for the game.
    let stop = AtomicBool::new(false);
    let plan = SheetPlan { games: Some(20), ..SheetPlan::default() };
    let learnt = learn_sheet(&game, &plan, &options, &stop, &|_| stop.store(true, Ordering::Relaxed));
    assert_eq!(learnt.unwrap_err(), Misfit::Interrupted);
}

#[test]
fn games_of_a_log_are_counted_skipped_and_refused_by_number() {
    let good = "1\n..\nP.\n*\nw all 1\n0 (0 1 e)\n2\nP.\n..\n1\nb all 0\n";
    let (damaged, wide) = (good.replace("(0 1 e)", "(0 1 p)"), "1\n...\nP..\n1\nb all 0\n");
    // More than are added at once, so that reading goes on while games are added.
    let log = [good.repeat(50), damaged, good.repeat(50)].concat();
    let mut evidence = Evidence::default();
    let mut numbers = Vec::new();
    let mut skip = |error: LogError| {
        numbers.push(error.game);
        Ok(())
    };
    let counts = observe_log(&mut evidence, GameReader::new(log.as_bytes()), &mut skip, &GO_ON).unwrap();
    assert_eq!((counts, evidence.games()), (LogCounts { games: 100, damaged: 1 }, 100));
    assert_eq!(numbers, [51]);
    let refused = observe_log(&mut evidence, GameReader::new(log.as_bytes()), &mut Err, &GO_ON).unwrap_err();
    assert!(matches!(refused, ObserveError::Damaged(error) if error.game == 51));
    assert_eq!(evidence.games(), 150, "games before the damaged one stay");
    let log = [&log, wide, good].concat();
    let mut skip = |_| Ok(());
    let refused = observe_log(&mut evidence, GameReader::new(log.as_bytes()), &mut skip, &GO_ON).unwrap_err();
    assert!(matches!(refused, ObserveError::Refused { game: 102, reason: Refused::Board { .. } }), "{refused}");
}
