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
