//! `observe` and `merge` from the command line: evidence is gathered in pieces, in any order, and learnt from once.

use crate::onlooker;
use std::fs;
use std::path::Path;

fn done(folder: &Path, arguments: &[&str]) -> String {
    let ran = onlooker(folder, arguments);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "onlooker {}", arguments.join(" "));
    ran.out
}

fn refused(folder: &Path, arguments: &[&str], says: &[&str]) {
    let ran = onlooker(folder, arguments);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "onlooker {}\n{}", arguments.join(" "), ran.err);
    says.iter().for_each(|part| assert!(ran.err.contains(part), "expected {part:?}\n{}", ran.err));
}

fn learn(folder: &Path, arguments: &[&str]) -> String {
    let ran = onlooker(folder, &[&["learn"], arguments, &["-o", "learnt.rules"]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    fs::read_to_string(folder.join("learnt.rules")).unwrap()
}

#[test]
fn evidence_in_pieces_gives_the_same_bytes_in_any_order_and_split() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let logs = ["a.log", "b.log.gz", "c.log", "d.log.zst"];
    for (log, (moves, seed)) in logs.iter().zip([("all", "1"), ("some", "2"), ("some", "3"), ("all", "4")]) {
        done(folder, &["simulate", "checkers", "--games", "6", "--moves", moves, "--seed", seed, "-o", log]);
    }
    let at_once = learn(folder, &logs);
    let whole = done(folder, &["observe", logs[0], logs[1], logs[2], logs[3]]);
    let splits: [&[&[&str]]; 4] = [
        &[&["a.log", "b.log.gz", "c.log", "d.log.zst"]],
        &[&["d.log.zst"], &["c.log"], &["b.log.gz"], &["a.log"]],
        &[&["b.log.gz", "a.log"], &["d.log.zst", "c.log"]],
        &[&["c.log"], &["a.log", "d.log.zst", "b.log.gz"]],
    ];
    for split in splits {
        let names: Vec<String> = (0..split.len()).map(|part| format!("{part}.evidence.gz")).collect();
        for (part, name) in split.iter().zip(&names) {
            let said = done(folder, &[&["observe"], *part, &["-o", name]].concat());
            assert!(said.starts_with(&format!("{} games, ", 6 * part.len())) && said.contains(name), "{said}");
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(done(folder, &[&["merge"], &names[..]].concat()), whole, "{split:?}");
        done(folder, &[&["merge"], &names[..], &["-o", "all.evidence"]].concat());
        assert_eq!(fs::read_to_string(folder.join("all.evidence")).unwrap(), whole);
        assert_eq!(learn(folder, &["--evidence", "all.evidence"]), at_once, "{split:?}");
        let each: Vec<&str> = names.iter().flat_map(|name| ["--evidence", *name]).collect();
        assert_eq!(learn(folder, &each), at_once, "{split:?}");
    }
    // What learning saves is what observing writes.
    onlooker(folder, &[&["learn"], &logs[..], &["--save-evidence", "saved.evidence", "--json"]].concat());
    assert_eq!(fs::read_to_string(folder.join("saved.evidence")).unwrap(), whole);
}

#[test]
fn evidence_of_a_sheet_is_what_learning_from_it_sees() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let sheet = format!("{}/../games/breakthrough.kif", env!("CARGO_MANIFEST_DIR"));
    let some = ["--games", "20", "--check-games", "5", "--speed", "0"];
    let learnt = learn(folder, &[&[&sheet[..]], &some[..], &["--save-evidence", "saved.evidence"]].concat());
    done(folder, &["observe", &sheet, "--games", "20", "-o", "one.evidence"]);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("one.evidence"), read("saved.evidence"));
    assert_eq!(learn(folder, &["--evidence", "one.evidence", "--name", "breakthrough"]), learnt);
    // Other seeds are other games, and a log may be added.
    done(folder, &["observe", &sheet, "--games", "20", "--seed", "2", "-o", "two.evidence"]);
    assert_ne!(read("one.evidence"), read("two.evidence"));
    done(folder, &["simulate", &sheet, "--games", "10", "--moves", "all", "--seed", "3", "-o", "three.log"]);
    let both = done(folder, &["observe", "three.log", &sheet, "--games", "20", "--json"]);
    let both: serde_json::Value = serde_json::from_str(&both).unwrap();
    assert_eq!(both["games"], 30);
    done(folder, &["observe", "three.log", "-o", "three.evidence"]);
    done(folder, &["merge", "three.evidence", "two.evidence", "one.evidence", "-o", "all.evidence"]);
    learn(folder, &["--evidence", "all.evidence"]);
    assert_eq!(
        onlooker(folder, &["perft", "learnt.rules", "--depth", "4"]).out,
        onlooker(folder, &["perft", "breakthrough", "--depth", "4"]).out
    );
}

/// Boards do not show hops that take nothing, so that somebody has to say so.
#[test]
fn hops_of_a_sheet_are_read_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    onlooker(folder, &["export", "checkers-breakthrough", "--to", "gdl", "-o", "hops.kif"]);
    done(folder, &["observe", "hops.kif", "--games", "60", "--hops", "over-enemies", "-o", "hops.evidence"]);
    let rules = learn(folder, &["--evidence", "hops.evidence"]);
    assert!(rules.contains("forward-diagonal(empty) | forward-diagonal(enemy empty)+"), "{rules}");
}

#[test]
fn how_much_was_seen_is_said_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let said =
        done(folder, &["simulate", "breakthrough", "--games", "5", "--moves", "all", "-o", "games.log", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let observed = done(folder, &["observe", "games.log", "-o", "e", "--json"]);
    let observed: serde_json::Value = serde_json::from_str(&observed).unwrap();
    assert_eq!(observed, said);
    let merged: serde_json::Value = serde_json::from_str(&done(folder, &["merge", "e", "e", "--json"])).unwrap();
    for key in ["games", "positions", "moves"] {
        assert_eq!(merged[key].as_u64().unwrap(), 2 * said[key].as_u64().unwrap());
    }
}

#[test]
fn what_does_not_belong_together_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for game in ["tic-tac-toe", "connect-four"] {
        let log = format!("{game}.log");
        done(folder, &["simulate", game, "--games", "3", "--moves", "all", "-o", &log]);
        done(folder, &["observe", &log, "-o", &format!("{game}.evidence")]);
    }
    let boards = ["found a board of 7x6", "expected one of 3x3"];
    let says = [&["connect-four.evidence does not belong to the evidence before it"], &boards[..]].concat();
    refused(folder, &["merge", "tic-tac-toe.evidence", "connect-four.evidence", "-o", "both"], &says);
    let says = [&["connect-four.log", "game 1"], &boards[..]].concat();
    refused(folder, &["observe", "tic-tac-toe.log", "connect-four.log", "-o", "both"], &says);
    let sheet = format!("{}/../games/connect-four.kif", env!("CARGO_MANIFEST_DIR"));
    let says = [&["connect-four.kif", "game 1"], &boards[..]].concat();
    refused(folder, &["observe", "tic-tac-toe.log", &sheet, "--games", "2", "-o", "both"], &says);
    assert!(!folder.join("both").exists(), "nothing is written");
    refused(
        folder,
        &["observe", "racetrack"],
        &["cannot learn from racetrack", "white and black move at the same time"],
    );
    refused(folder, &["merge", "tic-tac-toe.log"], &["tic-tac-toe.log is not saved evidence", "line 1, column 1"]);
    refused(folder, &["observe", "tic-tac-toe.evidence"], &["tic-tac-toe.evidence:1:", "not an observation log"]);
    refused(folder, &["observe", "missing.log"], &["cannot open missing.log"]);
    refused(folder, &["merge", "missing.evidence"], &["cannot open missing.evidence"]);
    refused(folder, &["observe"], &["LOG|SHEET"]);
    refused(folder, &["merge"], &["EVIDENCE"]);
    refused(folder, &["observe", "tic-tac-toe.log", "--games", "0"], &["0 is not in 1.."]);
    // Damaged games are refused, or skipped if that is wanted.
    let log = fs::read_to_string(folder.join("tic-tac-toe.log")).unwrap();
    fs::write(folder.join("bad.log"), log.replacen("(0 0 aX)", "(0 0 aQ)", 1)).unwrap();
    refused(folder, &["observe", "bad.log"], &["bad.log:"]);
    let ran = onlooker(folder, &["observe", "bad.log", "--keep-going", "--json"]);
    assert!(ran.status == 0 && ran.out.contains("\"games\":2") && ran.err.ends_with("1 damaged game skipped\n"));
}
