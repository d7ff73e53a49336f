//! `onlooker tactics`, and the player that uses its files.

use crate::onlooker;
use std::fs;

#[test]
fn rules_are_learnt_verified_listed_and_played_with() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let ran = onlooker(folder.path(), arguments);
        assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.err);
        ran.out
    };
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    // It rarely loses: with this seed, in the last of so many games.
    let learn = ["tactics", "learn", "tic-tac-toe", "--against", "alphabeta:9", "--games", "24", "--seed", "97"];
    let out = run(&[&learn[..], &["--json", "-o", "t.tactics"]].concat());
    let learnt = json(&out);
    assert!(learnt["games"] == 24 && learnt["losses"].as_u64() >= Some(1) && learnt["seconds"].is_number(), "{out}");
    assert!(learnt["rules"].as_u64() >= Some(2) && learnt["proved"].as_u64() >= Some(2), "{out}");
    // The same seed, the same bytes.
    let text = fs::read_to_string(folder.path().join("t.tactics")).unwrap();
    assert_eq!(run(&learn), text);
    let verified = json(&run(&["tactics", "verify", "t.tactics", "--json"]));
    assert_eq!(
        (&verified["rules"], &verified["proved"], &verified["failed"]),
        (&learnt["rules"], &learnt["proved"], &0.into())
    );
    let list = run(&["tactics", "list", "t.tactics"]);
    assert!(list.contains("the player to move wins in 1 move (proved)") && list.contains("which wins"), "{list}");
    assert!(list.lines().any(|line| line.contains('*') && line.contains('X')), "{list}");
    let page = run(&["tactics", "list", "t.tactics", "--format", "html"]);
    assert!(page.starts_with("<!doctype html>") && page.contains("Learnt from game-"), "{page}");
    // Every rule has a board, with a ring for its move.
    let drawn = page.matches("<svg").count();
    assert!(drawn >= 1 && page.matches("<section>").count() == drawn, "{page}");
    assert_eq!(page.matches("stroke-width=\"3\"").count(), drawn);
    for players in ["tactics:t.tactics,random", "tactics:t.tactics,then=greedy,random"] {
        let out = run(&["match", "tic-tac-toe", "--players", players, "--games", "30", "--json"]);
        let played = json(&out);
        assert!(played["wins"][0].as_u64() > played["wins"][1].as_u64(), "{players}: {out}");
    }
    // What was edited is not believed.
    let broken = text.replacen("proof win <square1>", "proof win <square1> ", 1);
    fs::write(folder.path().join("same.tactics"), &broken).unwrap();
    assert_eq!(onlooker(folder.path(), &["tactics", "verify", "same.tactics"]).status, 0);
    let literal = text.split_whitespace().find(|word| word.starts_with("count(<window1>,<player>,2)")).unwrap();
    let weaker = text.replacen(literal, "count(<window1>,<player>,1)", 1);
    fs::write(folder.path().join("weak.tactics"), weaker).unwrap();
    let ran = onlooker(folder.path(), &["tactics", "verify", "weak.tactics", "--json"]);
    assert_eq!((ran.status, json(&ran.out)["failed"].as_u64()), (1, Some(1)), "{}", ran.err);
    assert!(ran.err.contains("may not win"), "{}", ran.err);
    let ran =
        onlooker(folder.path(), &["match", "tic-tac-toe", "--players", "tactics:weak.tactics,random", "--games", "1"]);
    assert!(ran.status == 2 && ran.err.contains("is not accepted"), "{}", ran.err);
}

#[test]
fn recorded_games_teach_and_bad_input_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| onlooker(folder.path(), arguments);
    assert_eq!(run(&["simulate", "tic-tac-toe", "--games", "6", "--moves", "some", "-o", "t.log"]).status, 0);
    let ran = run(&["tactics", "learn", "tic-tac-toe", "--log", "t.log", "-o", "t.tactics", "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let learnt: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(
        learnt["games"] == 6 && learnt["losses"].as_u64() >= Some(1) && learnt["rules"].as_u64() >= Some(1),
        "{learnt}"
    );
    let text = fs::read_to_string(folder.path().join("t.tactics")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("empty", "");
    write("title", "tactic 1\n");
    write("cut", &text[..text.len() / 3]);
    write("proof", &text.replacen("proof win", "proof loss", 1));
    write("literal", &text.replacen("if count(<window1>", "if cont(<window1>", 1));
    let draw = "1\n...\n...\n...\n*\nw some 1\n0 (0 0 aX)\n";
    write("open.log", draw);
    let verify = |name| ["tactics", "verify", name];
    for (arguments, says) in [
        (&verify("empty")[..], "expected it before 'system'"),
        (&verify("title"), "title:1:1"),
        (&verify("cut"), "cut:"),
        (&verify("proof"), "'win', 'at-once' or 'play'"),
        (&verify("literal"), "expected a feature or static relation"),
        (&verify("nowhere"), "nowhere"),
        (
            &["tactics", "learn", "breakthrough", "--against", "random", "--games", "1"],
            "no state-update system for breakthrough",
        ),
        (&["tactics", "learn", "tic-tac-toe", "--games", "1"], "--against"),
        (
            &["match", "breakthrough", "--players", "tactics:t.tactics,random", "--games", "1"],
            "not played on the board",
        ),
        (&["match", "tic-tac-toe", "--players", "tactics:,random", "--games", "1"], "needs a file"),
    ] {
        let ran = run(arguments);
        assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(says), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn a_lost_game_is_explained_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| onlooker(folder.path(), arguments);
    assert_eq!(run(&["simulate", "tic-tac-toe", "--games", "20", "--moves", "all", "-o", "games.log"]).status, 0);
    let explain = ["tactics", "explain", "tic-tac-toe", "--log", "games.log"];
    let ran = run(&explain);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let last = ran.out.lines().last().unwrap_or_default();
    assert!(last.starts_with("Move ") && last.ends_with("and won."), "{}", ran.out);
    let page = run(&[&explain[..], &["--format", "html"]].concat()).out;
    let steps = ran.out.lines().filter(|line| line.starts_with("Move ")).count();
    assert_eq!(page.matches("<svg").count(), steps, "{page}");
    let ran = run(&[&explain[..], &["--number", "21"]].concat());
    assert!(ran.status == 2 && ran.err.contains("found 20 games, expected at least 21"), "{}", ran.err);
}

#[test]
fn a_rule_sheet_teaches_as_a_rules_file_does() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| onlooker(folder.path(), arguments);
    let sheet = include_str!("../../../games/tic-tac-toe.kif");
    fs::write(folder.path().join("t.kif"), sheet).unwrap();
    fs::write(folder.path().join("b.kif"), include_str!("../../../games/breakthrough.kif")).unwrap();
    assert_eq!(run(&["simulate", "tic-tac-toe", "--games", "12", "--moves", "some", "-o", "t.log"]).status, 0);
    let learn = ["tactics", "learn", "t.kif", "--log", "t.log"];
    let ran = run(&[&learn[..], &["-o", "t.tactics", "--json"]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let learnt: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(learnt["losses"].as_u64() >= Some(1) && learnt["proved"].as_u64() >= Some(1), "{learnt}");
    let text = fs::read_to_string(folder.path().join("t.tactics")).unwrap();
    assert_eq!(run(&learn).out, text);
    let ran = run(&["tactics", "verify", "t.tactics", "--json"]);
    assert!(ran.status == 0 && ran.out.contains("\"failed\":0"), "{}{}", ran.out, ran.err);
    let ran = run(&["tactics", "list", "t.tactics"]);
    assert!(ran.status == 0 && ran.out.contains("the player to move wins in 1 move (proved)"), "{}", ran.out);
    // The file is of the game, whether it runs from a sheet or from rules.
    for game in ["t.kif", "tic-tac-toe"] {
        let ran = run(&["match", game, "--players", "tactics:t.tactics,random", "--games", "20", "--json"]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let played: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert!(played["wins"][0].as_u64() > played["wins"][1].as_u64(), "{game}: {played}");
    }
    for (arguments, says) in [
        (&["tactics", "learn", "b.kif", "--against", "random", "--games", "1"][..], "no state-update system for b"),
        (&["match", "b.kif", "--players", "tactics:t.tactics,random", "--games", "1"], "not played on the board"),
    ] {
        let ran = run(arguments);
        assert!(ran.status == 2 && ran.err.contains(says), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn one_position_teaches_events_that_are_verified_explained_and_advised() {
    let folder = tempfile::tempdir().unwrap();
    let example = |name: &str| format!("{}/../games/{name}.example", env!("CARGO_MANIFEST_DIR"));
    let (skewer, fork) = (example("skewer"), example("fork"));
    let run = |arguments: &[&str]| {
        let ran = onlooker(folder.path(), arguments);
        assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.err);
        ran.out
    };
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let learnt = json(&run(&["tactics", "example", &fork, "--json", "-o", "fork.tactics"]));
    assert_eq!((&learnt["rules"], &learnt["proved"]), (&2.into(), &2.into()), "{learnt}");
    assert_eq!(learnt["list"][1]["event"], "queen");
    // The same bytes again, and nothing else on standard output.
    assert_eq!(run(&["tactics", "example", &fork]), fs::read_to_string(folder.path().join("fork.tactics")).unwrap());
    let verified = json(&run(&["tactics", "verify", "fork.tactics", "--json"]));
    assert_eq!((&verified["proved"], &verified["failed"]), (&2.into(), &0.into()));
    let list = run(&["tactics", "list", "fork.tactics"]);
    assert!(list.contains("queen-2-1: the player to move brings about queen in 2 moves (proved)"), "{list}");
    assert!(run(&["tactics", "list", "fork.tactics", "--format", "html"]).contains("queen in 2 moves"));
    assert_eq!(
        run(&["tactics", "advise", "fork.tactics", &fork]),
        "white brings about queen with a1-c2 in 2 moves (queen-2-1)\n"
    );
    let advice = json(&run(&["tactics", "advise", "fork.tactics", &fork, "--json"]));
    assert_eq!((&advice["player"], &advice["advice"][0]["move"]), (&"white".into(), &"a1-c2".into()));
    let said = run(&["tactics", "example", &fork, "--format", "explanation"]);
    assert!(said.contains("every reply would have lost as much"), "{said}");
    assert!(run(&["tactics", "example", &fork, "--format", "html"]).contains(">N</text>"));
    // A rule for an event that is said to be one for a win is refused.
    let text = fs::read_to_string(folder.path().join("fork.tactics")).unwrap();
    fs::write(folder.path().join("win.tactics"), text.replace("\n  for queen\n", "\n")).unwrap();
    let ran = onlooker(folder.path(), &["tactics", "verify", "win.tactics", "--json"]);
    assert_eq!((ran.status, json(&ran.out)["failed"].as_u64()), (1, Some(2)), "{}", ran.err);
    // What is wrong is refused with its place.
    for (old, new, says) in [
        ("c4-b4", "c4-d5", "bad.example:7:25"),
        ("white-bishop", "white-pawn", "bad.example:6:25"),
        ("5 x 5", "5 by 5", "bad.example:5:9"),
        (" white a2-d5", "", "expected a win or one of queen, bishop"),
    ] {
        let text = fs::read_to_string(&skewer).unwrap();
        assert!(text.contains(old), "{old}");
        fs::write(folder.path().join("bad.example"), text.replacen(old, new, 1)).unwrap();
        let ran = onlooker(folder.path(), &["tactics", "example", "bad.example"]);
        assert!(ran.status == 2 && ran.out.is_empty() && ran.err.contains(says), "{new}: {}", ran.err);
    }
    let ran = onlooker(folder.path(), &["tactics", "advise", "fork.tactics", &skewer]);
    assert!(ran.status == 2 && ran.err.contains("found another board or other pieces"), "{}", ran.err);
    let ran = onlooker(folder.path(), &["tactics", "example", &fork, &skewer]);
    assert!(ran.status == 2 && ran.err.contains("found another board or other pieces"), "{}", ran.err);
    // Any other system may be given: the paper's own position.
    let figure = format!("{}/../games/figure-4-3.system", env!("CARGO_MANIFEST_DIR"));
    let text =
        "example open-three state three-in-row(c2-e2,x) taken(c2,x) taken(d2,x) taken(e2,x) moves x f2 o b2 x g2";
    fs::write(folder.path().join("three.example"), text).unwrap();
    let out = run(&["tactics", "example", "three.example", "--system", &figure, "--json"]);
    assert_eq!(json(&out)["proved"], 2, "{out}");
}

#[test]
fn what_the_opponent_threatens_is_said_with_the_moves_that_answer_it() {
    let folder = tempfile::tempdir().unwrap();
    let rules = format!("{}/../tests/testdata/tic-tac-toe.tactics", env!("CARGO_MANIFEST_DIR"));
    let corner = "example corner state taken(a1,x) taken(b1,x) taken(b2,o) count(a1-c1,x,2) dead(b1-b3) dead(a1-c3)
        count(a1-a3,x,1) count(a2-c2,o,1) count(a3-c1,o,1) moves o c1";
    fs::write(folder.path().join("corner"), corner).unwrap();
    let run = |arguments: &[&str]| onlooker(folder.path(), arguments);
    let ran = run(&["tactics", "advise", &rules, "corner"]);
    assert_eq!((ran.status, &*ran.out), (0, "o has to play one of these: c1; otherwise x wins with c1 in 1 move\n"));
    let said = run(&["tactics", "advise", &rules, "corner", "--json"]).out;
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let forced =
        serde_json::json!({ "lost": false, "by": { "move": "c1", "depth": 1, "rule": null }, "moves": ["c1"] });
    assert_eq!((&said["forced"], &said["advice"]), (&forced, &serde_json::json!([])), "{said}");
    // Two threats at once: whatever it plays.
    let lost = corner.replace("taken(b2,o)", "taken(a2,x) taken(b3,o) taken(c3,o)");
    let counts = "count(a1-c1,x,2) count(a1-a3,x,2) dead(b1-b3) dead(a1-c3) count(a2-c2,x,1) count(a3-c3,o,2) count(c1-c3,o,1) moves o a3";
    let lost = format!("{} {counts}", &lost[..lost.find(" count(").unwrap()]);
    fs::write(folder.path().join("won"), &lost).unwrap();
    let ran = run(&["tactics", "advise", &rules, "won"]);
    assert_eq!((ran.status, &*ran.out), (0, "o wins with a3 in 1 move (win-1-1)\n"), "{}", ran.err);
    let lost = lost.replace("taken(c3,o)", "taken(c2,o)").replace("dead(a1-c3)", "count(a1-c3,x,1)");
    let lost = lost.replace("count(a2-c2,x,1)", "dead(a2-c2)").replace("count(a3-c3,o,2)", "count(a3-c3,o,1)");
    fs::write(folder.path().join("lost"), &lost).unwrap();
    let ran = run(&["tactics", "advise", &rules, "lost"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(
        ran.out.starts_with("o loses whatever it plays: x wins with ") && ran.out.contains("in 1 move;"),
        "{}",
        ran.out
    );
}

#[test]
fn logs_without_a_loss_large_words_and_sheets_that_take_too_long_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| onlooker(folder.path(), arguments);
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let start = "1\n...\n...\n...\n*\nw some 1\n0 (0 0 aX)\n";
    write("open.log", start);
    write("long", &"x".repeat(3_000_000));
    write("lines", &"x ".repeat(1_000_000));
    write("t.kif", include_str!("../../../games/tic-tac-toe.kif"));
    let rules = format!("{}/../tests/testdata/tic-tac-toe.tactics", env!("CARGO_MANIFEST_DIR"));
    let lost = "open.log: nobody has lost one of the 1 games, expected a game that somebody has won";
    for (arguments, says) in [
        (&["tactics", "learn", "tic-tac-toe", "--log", "open.log"][..], lost),
        (&["tactics", "explain", "tic-tac-toe", "--log", "open.log"], lost),
        (
            &["tactics", "explain", "tic-tac-toe", "--log", "open.log", "--number", "1"],
            "open.log: game 1: nobody has lost",
        ),
        (&["tactics", "verify", "long"], "long:1:1"),
        (&["tactics", "verify", "lines"], "lines:1:1"),
        (&["tactics", "list", "long"], "long:1:1"),
        (&["tactics", "example", "long"], "long:1:1"),
        (&["tactics", "advise", &rules, "long"], "long:1:1"),
        (&["tactics", "explain", "tic-tac-toe", "--log", "open.log", "--rules", "long"], "long:1:1"),
        (&["tactics", "learn", "tic-tac-toe", "--log", "open.log", "--system", "long"], "long:1:1"),
        (
            &["tactics", "learn", "t.kif", "--log", "open.log", "--seconds", "0"],
            "t: learning the rules of the sheet was stopped",
        ),
    ] {
        let ran = run(arguments);
        assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(says) && ran.err.len() < 2_000, "{arguments:?}: {:.2000}", ran.err);
    }
}
