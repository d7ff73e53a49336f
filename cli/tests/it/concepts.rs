//! `onlooker concepts`, and players that use its files.

use crate::onlooker;
use std::path::Path;

#[test]
fn a_file_is_learnt_and_players_use_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let ran = onlooker(folder.path(), arguments);
        assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.err);
        ran.out
    };
    let out = run(&["concepts", "tic-tac-toe", "--playouts", "800", "--seed", "2", "--json", "-o", "t.concepts"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["playouts"], 800);
    let concepts = json["concepts"].as_array().unwrap();
    assert!(json["rules"].as_u64().unwrap() as usize >= concepts.len() && concepts.len() > 10);
    for concept in concepts {
        assert!(
            concept["role"].is_string() && concept["text"].is_string() && concept["value"].is_number(),
            "{concept}"
        );
        assert!(concept["support"].as_u64().unwrap() > 0, "{concept}");
    }
    let file = std::fs::read_to_string(folder.path().join("t.concepts")).unwrap();
    assert!(file.contains("learnt(playouts, 800).") && file.contains("choice for x"), "{file}");
    for player in
        ["heuristic:t.concepts", "alphabeta:2,eval=t.concepts", "mcts:50,eval=t.concepts", "mcts:50,policy=t.concepts"]
    {
        let out = run(&["match", "tic-tac-toe", "--players", &format!("{player},random"), "--games", "40", "--json"]);
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert!(json["wins"][0].as_u64().unwrap() > 2 * json["wins"][1].as_u64().unwrap(), "{player}: {out}");
    }
    let html = run(&["concepts", "tic-tac-toe", "--playouts", "300", "--format", "html"]);
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<svg"), "{html}");
    let text = run(&["concepts", "tic-tac-toe", "--playouts", "300", "--format", "text"]);
    assert!(text.contains("What decides tic-tac-toe") && text.contains("(the centre)"), "{text}");
    run(&[
        "concepts",
        "tic-tac-toe",
        "--method",
        "frequency",
        "--cutoff",
        "2",
        "--playouts",
        "500",
        "-o",
        "f.concepts",
    ]);
    let out =
        run(&["concepts", "connect-four", "--method", "concepts", "--transfer", "f.concepts", "--playouts", "50"]);
    assert!(out.contains("learnt('concepts from', 'tic-tac-toe')."), "{out}");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let arguments = ["concepts", "tic-tac-toe", "--playouts", "200", "--seed", "5"];
    let once = onlooker(Path::new("."), &arguments);
    assert_eq!((once.status, &once.out), (0, &onlooker(Path::new("."), &arguments).out), "{}", once.err);
}

#[test]
fn what_cannot_be_used_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let bad = "concepts(1).\ngame(g).\nsum(odds).\nrole(x).\nevaluation(0.5) :- cell(1,2.\n";
    std::fs::write(folder.path().join("bad.concepts"), bad).unwrap();
    std::fs::write(folder.path().join("other.concepts"), "concepts(1). game(g). sum(odds).\nrole(white).\n").unwrap();
    std::fs::write(folder.path().join("dull.kif"), DULL).unwrap();
    for (arguments, says) in [
        (
            &["match", "tic-tac-toe", "--players", "heuristic:bad.concepts,random", "--games", "1"][..],
            "bad.concepts:5:",
        ),
        (
            &["match", "tic-tac-toe", "--players", "heuristic:other.concepts,random", "--games", "1"],
            "found rules for role white",
        ),
        (&["match", "tic-tac-toe", "--players", "heuristic:none,random", "--games", "1"], "cannot open none"),
        (&["concepts", "connect-four", "--transfer", "bad.concepts"], "bad.concepts:5:"),
        (&["concepts", "dull.kif", "--playouts", "20"], "nothing could be learnt"),
        (&["concepts", "breakthrough", "--playouts", "2", "--plies", "3"], "none of 2 playouts"),
        (&["concepts", "tic-tac-toe", "--cutoff", "9"], "9 is not in 1..=3"),
    ] {
        let ran = onlooker(folder.path(), arguments);
        assert_eq!(ran.status, 2, "{arguments:?}");
        assert!(ran.err.contains(says), "{arguments:?}: {}", ran.err);
        assert!(ran.out.is_empty(), "{}", ran.out);
    }
}

/// Whatever is played, both get the same.
const DULL: &str = "(role a) (role b) (init (n 0)) (legal a x) (legal a y) (legal b z)
    (<= (next (n 1)) (does a x)) (<= (next (n 2)) (does a y)) (<= terminal (true (n 1))) (<= terminal (true (n 2)))
    (goal a 50) (goal b 50)";
