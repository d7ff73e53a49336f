//! `learn` from the command line: logs in any order, evidence taken up again, contradictions named.

use crate::onlooker;
use std::fs;
use std::path::Path;

fn simulate(folder: &Path, game: &str, games: &str, moves: &str, seed: &str, log: &str) {
    let arguments = ["simulate", game, "--games", games, "--moves", moves, "--seed", seed, "-o", log];
    assert_eq!(onlooker(folder, &arguments).status, 0);
}

#[test]
fn logs_and_evidence_may_come_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    simulate(folder, "chess-breakthrough", "8", "all", "1", "a.log");
    simulate(folder, "chess-breakthrough", "7", "some", "2", "b.log.gz");
    simulate(folder, "chess-breakthrough", "7", "some", "2", "b.log");
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    fs::write(folder.join("ab.log"), text("a.log") + &text("b.log")).unwrap();
    let learn = |arguments: &[&str], name: &str| {
        let files = [&format!("{name}.rules")[..], &format!("{name}.evidence")];
        let all = [&["learn"], arguments, &["-o", files[0], "--save-evidence", files[1]]].concat();
        let ran = onlooker(folder, &all);
        assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{}", ran.err);
        (text(files[0]), text(files[1]))
    };
    let whole = learn(&["ab.log"], "whole");
    assert_eq!(learn(&["a.log", "b.log.gz"], "two"), whole);
    assert_eq!(learn(&["b.log", "a.log"], "other"), whole);
    learn(&["b.log"], "b");
    assert_eq!(learn(&["--evidence", "b.evidence", "a.log"], "on"), whole);
    assert_eq!(learn(&["--evidence", "whole.evidence"], "again"), whole);
    assert!(whole.0.contains("R  orthogonal(empty* (empty | enemy))"), "{}", whole.0);
    assert_eq!(onlooker(folder, &["check", "whole.rules", "a.log"]).status, 0);
}

#[test]
fn an_illegal_move_is_told_with_its_record_and_tolerated_if_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    simulate(folder, "breakthrough", "30", "all", "1", "good.log");
    // In the first game's eleventh record a pawn of the first player may step back, it is said.
    let good = fs::read_to_string(folder.join("good.log")).unwrap();
    let record = good.find("\n11\n").unwrap() + 1;
    let head = record + good[record..].find("w all ").unwrap();
    let line: &str = good[head..].lines().next().unwrap();
    let count: usize = line.rsplit(' ').next().unwrap().parse().unwrap();
    let rows: Vec<&str> = good[record..head].lines().skip(1).take(8).collect();
    let (row, file) = (0..7)
        .flat_map(|row| (0..8).map(move |file| (row, file)))
        .find(|&(row, file)| &rows[row][file..=file] == "P" && &rows[row + 1][file..=file] == ".")
        .unwrap();
    let square = (7 - row) * 8 + file;
    let lines: String = good[head..].split_inclusive('\n').skip(1).take(count).collect();
    let bad =
        good.replacen(&format!("{line}\n{lines}"), &format!("w all {}\n{lines}{square} (0 -1 e)\n", count + 1), 1);
    fs::write(folder.join("bad.log"), bad).unwrap();
    let told = onlooker(folder, &["learn", "bad.log", "-o", "bad.rules"]);
    assert_eq!(told.status, 1, "{}", told.err);
    assert!(told.err.contains("P has (0 -1 e) listed 1 times of "), "{}", told.err);
    assert!(told.err.contains("it is listed in bad.log, game 1, record 11, from "), "{}", told.err);
    let allowed = onlooker(folder, &["learn", "bad.log", "-o", "noisy.rules", "--noise", "0.01", "--json"]);
    assert_eq!(allowed.status, 0, "{}", allowed.err);
    for rules in ["bad.rules", "noisy.rules"] {
        assert_eq!(onlooker(folder, &["check", rules, "good.log"]).status, 0, "{rules}");
    }
    // The paper's learner gives up on that piece, and says so.
    let paper = onlooker(folder, &["learn", "bad.log", "--method", "paper", "--json"]);
    assert_eq!(paper.status, 1);
    let object: serde_json::Value = serde_json::from_str(&paper.out).unwrap();
    let consistent = |piece: &str| {
        let pieces = object["pieces"].as_array().unwrap();
        pieces.iter().find(|found| found["piece"] == piece).unwrap()["consistent"].as_bool().unwrap()
    };
    assert!(!consistent("P") && consistent("p"));
}

fn sheet(name: &str) -> String {
    format!("{}/../games/{name}.kif", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_rule_sheet_is_watched_learnt_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--games", "40", "--check-games", "20", "--speed", "0.05", "-o", "learnt.rules", "--json"];
    let learnt = onlooker(folder.path(), &[&["learn", &sheet("breakthrough")][..], &arguments].concat());
    assert_eq!(learnt.status, 0, "{}", learnt.err);
    let told: serde_json::Value = serde_json::from_str(&learnt.out).unwrap();
    assert_eq!(told["games"], 40);
    assert_eq!((&told["sheet"]["fits"], &told["sheet"]["check_games"]), (&true.into(), &20.into()));
    assert_eq!(told["sheet"]["positions"], told["sheet"]["exact"]);
    let [sheet_speed, rules_speed, ratio] =
        ["sheet_states_per_s", "rules_states_per_s", "speed_up"].map(|key| told["sheet"][key].as_f64().unwrap());
    assert!(sheet_speed > 0.0 && (rules_speed / sheet_speed - ratio).abs() < 1e-6 * ratio);
    let [learnt, written] = ["learnt.rules", "breakthrough"]
        .map(|game| onlooker(folder.path(), &["perft", game, "--depth", "4", "--json"]).out);
    assert_eq!(learnt, written);
    let rules = fs::read_to_string(folder.path().join("learnt.rules")).unwrap();
    assert!(rules.starts_with("game breakthrough\nplayers white black\n"), "{rules}");
}

#[test]
fn games_of_a_rule_sheet_are_a_log_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let simulated = onlooker(
        folder.path(),
        &["simulate", &sheet("tic-tac-toe"), "--games", "60", "--moves", "all", "-o", "games.log.gz"],
    );
    assert_eq!((simulated.status, simulated.err.as_str()), (0, ""));
    let checked = onlooker(folder.path(), &["check", "tic-tac-toe", "games.log.gz"]);
    assert_eq!(checked.status, 0, "{}{}", checked.out, checked.err);
}

#[test]
fn a_sheet_that_does_not_fit_is_told_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let told = onlooker(folder.path(), &["learn", "racetrack"]);
    let reason = "racetrack does not fit: white and black move at the same time.\n";
    assert_eq!((told.status, told.out.as_str(), told.err.as_str()), (1, "", reason));
    let told = onlooker(folder.path(), &["learn", "mummy-maze", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!((told.status, &json["sheet"]["fits"]), (1, &false.into()));
    // Hex is won by a chain of stones, which rules on a board cannot say.
    let odd = "(role x) (role o) (init (control x)) (line 1) (line 2) (line 3)
        (<= (init (cell ?x ?y b)) (line ?x) (line ?y))
        (<= (legal ?p (mark ?x ?y)) (true (control ?p)) (true (cell ?x ?y b)))
        (<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
        (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
        (<= (next (cell ?x ?y ?p)) (does ?p (mark ?x ?y)))
        (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (touched ?x ?y)))
        (<= (touched ?x ?y) (does ?p (mark ?x ?y)))
        (<= odd (true (cell 1 2 x)) (true (cell 3 1 o)))
        (<= terminal odd) (<= open (true (cell ?x ?y b))) (<= terminal (not open))
        (<= (goal x 100) odd) (<= (goal o 0) odd) (<= (goal ?r 50) (role ?r) (not odd))";
    fs::write(folder.path().join("odd.kif"), odd).unwrap();
    let told = onlooker(folder.path(), &["learn", "odd.kif", "--speed", "0", "-o", "odd.rules"]);
    assert_eq!(told.status, 1);
    assert!(told.err.contains("The sheet does not fit: of ") && told.err.contains("the record says"), "{}", told.err);
}

#[test]
fn a_sheet_that_takes_too_long_is_told_too() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--effort", "0", "--games", "5", "--check-games", "5", "--speed", "0", "-o", "none.rules"];
    let told = onlooker(folder.path(), &[&["learn", &sheet("breakthrough")][..], &arguments].concat());
    assert_eq!(told.status, 1);
    assert!(
        told.err.contains("not accounted for: how W moves: given up after 0 million steps of search\n"),
        "{}",
        told.err
    );
    assert!(told.err.contains("With a larger --effort it searches on.\n"), "{}", told.err);
    // The words that were seen are what is left, and here they are all.
    assert!(told.err.contains("Checked on 5 other games: all "), "{}", told.err);
}

#[test]
fn a_sheet_is_learnt_from_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("some.log"), "").unwrap();
    let refused = onlooker(folder.path(), &["learn", "some.log", &sheet("breakthrough")]);
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("breakthrough.kif is a rule sheet, expected it alone"), "{}", refused.err);
}

#[test]
fn every_method_is_bounded_by_its_effort() {
    let folder = tempfile::tempdir().unwrap();
    simulate(folder.path(), "checkers", "5", "all", "1", "games.log");
    for method in ["shortest", "paper", "grl", "paper-grl"] {
        let given_up = onlooker(folder.path(), &["learn", "games.log", "--method", method, "--effort", "0", "--json"]);
        assert_eq!(given_up.status, 1, "{method}: {}", given_up.err);
        let object: serde_json::Value = serde_json::from_str(&given_up.out).unwrap();
        let pieces = object["pieces"].as_array().unwrap();
        assert!(
            pieces.len() == 4 && pieces.iter().all(|piece| piece["given_up"] == true),
            "{method}: {}",
            given_up.out
        );
        for kind in ["C", "K"] {
            let line = format!("not accounted for: how {kind} moves: given up after 0 million steps of search\n");
            assert!(given_up.err.contains(&line), "{method}: {}", given_up.err);
        }
        assert!(given_up.err.contains("With a larger --effort it searches on.\n"), "{method}: {}", given_up.err);
        // With enough of it, nothing is given up.
        let found = onlooker(folder.path(), &["learn", "games.log", "--method", method, "--json"]);
        let object: serde_json::Value = serde_json::from_str(&found.out).unwrap();
        let pieces = object["pieces"].as_array().unwrap();
        assert!(pieces.len() == 4 && pieces.iter().all(|piece| piece["given_up"] == false), "{method}: {}", found.out);
    }
}
