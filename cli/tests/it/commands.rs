//! What the commands do when all is well, or nearly.

use crate::{onlooker, onlooker_with};
use std::fs;
use std::path::Path;

fn json(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    let ran = onlooker(folder, arguments);
    assert_eq!(ran.out.trim_end().lines().count(), 1, "one JSON object: {}", ran.out);
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn json_has_the_keys_that_other_programs_read() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let simulate = ["simulate", "checkers", "--games", "2", "--moves", "all", "-o", "a.log.zst", "--json"];
    for (arguments, keys) in [
        (&simulate[..], &["games", "positions", "moves"][..]),
        (
            &["check", "checkers", "a.log.zst", "--json"],
            &["positions", "exact", "missing", "extra", "precision", "recall", "outcomes_exact", "words_exact"],
        ),
        (&["learn", "--json"], &["pieces", "seconds"]),
        (&["perft", "amazons", "--depth", "1", "--json"], &["nodes"]),
        (&["bench", "tic-tac-toe", "--seconds", "0.05", "--json"], &["playouts_per_s", "states_per_s", "setup_s"]),
        (
            &["match", "tic-tac-toe", "--players", "random,greedy", "--games", "4", "--json"],
            &["games", "wins", "draws", "sides"],
        ),
        (&["games", "--json"], &["games"]),
    ] {
        let object = json(folder, arguments);
        for key in keys {
            assert!(object.get(key).is_some(), "{arguments:?} has no {key}: {object}");
        }
    }
    assert_eq!(json(folder, &["perft", "amazons", "--depth", "1", "--json"])["nodes"], serde_json::json!([2176]));
}

#[test]
fn the_same_seed_gives_the_same_bytes_however_they_are_packed() {
    let folder = tempfile::tempdir().unwrap();
    let simulate = |seed: &str| {
        let arguments = ["simulate", "connect-four", "--games", "40", "--moves", "some", "--seed", seed];
        onlooker(folder.path(), &arguments).out
    };
    assert_eq!(simulate("5"), simulate("5"));
    assert_ne!(simulate("5"), simulate("6"));
    for name in ["a.log", "a.log.gz", "a.log.zst"] {
        let arguments = ["simulate", "connect-four", "--games", "40", "--moves", "some", "--seed", "5", "-o", name];
        assert_eq!(onlooker(folder.path(), &arguments).status, 0);
        let check = onlooker(folder.path(), &["check", "connect-four", name]);
        assert_eq!((check.status, check.err.as_str()), (0, ""), "{name}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("a.log")).unwrap(), simulate("5"));
    let start = |name: &str| fs::read(folder.path().join(name)).unwrap()[..2].to_vec();
    assert_eq!((start("a.log.gz"), start("a.log.zst")), (vec![0x1f, 0x8b], vec![0x28, 0xb5]));
}

#[test]
fn keep_going_skips_just_the_damaged_games() {
    let folder = tempfile::tempdir().unwrap();
    let log = onlooker(folder.path(), &["simulate", "tic-tac-toe", "--games", "6", "--moves", "all"]).out;
    let games = log.split("1\n...\n...\n...\n").skip(1).count();
    assert_eq!(games, 6);
    // The second and the fifth game lose a row each.
    let mut seen = 0;
    let damaged: String = (log.split_inclusive('\n'))
        .filter(|line| {
            seen += usize::from(*line == "w all 9\n");
            let second_row_of_record_two = *line == "2\n" && (seen == 2 || seen == 5);
            !second_row_of_record_two
        })
        .collect();
    fs::write(folder.path().join("damaged.log"), damaged).unwrap();
    let plain = onlooker(folder.path(), &["check", "tic-tac-toe", "damaged.log"]);
    assert_eq!(plain.status, 2, "{}", plain.err);
    let kept = onlooker(folder.path(), &["check", "tic-tac-toe", "damaged.log", "--keep-going"]);
    assert_eq!(kept.status, 0, "{}", kept.err);
    assert!(kept.err.contains("2 damaged games skipped"), "{}", kept.err);
    assert!(kept.out.starts_with("4 games, "), "{}", kept.out);
}

#[test]
fn a_walk_is_replayed_and_a_change_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let walk = onlooker(folder.path(), &["walk", "checkers", "--walks", "3", "--steps", "20", "--seed", "4"]);
    assert_eq!(walk.status, 0);
    fs::write(folder.path().join("w.jsonl"), &walk.out).unwrap();
    let again = onlooker(folder.path(), &["walk", "checkers", "--replay", "w.jsonl"]);
    assert_eq!((again.status, again.out), (0, walk.out.clone()));
    fs::write(folder.path().join("w.jsonl"), walk.out.replacen("\"(plies 7)\"", "\"(plies 8)\"", 1)).unwrap();
    let changed = onlooker(folder.path(), &["walk", "checkers", "--replay", "w.jsonl"]);
    assert_eq!(changed.status, 1);
    assert!(changed.err.contains("walk 0, step 7, state"), "{}", changed.err);
}

#[test]
fn rules_that_were_printed_run_as_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let rules = onlooker(folder.path(), &["games", "breakthrough"]).out;
    fs::write(folder.path().join("mine.rules"), rules.replace("game breakthrough", "game mine")).unwrap();
    let ran = onlooker(folder.path(), &["perft", "mine.rules", "--depth", "3", "--json"]);
    assert_eq!(ran.out.trim_end(), r#"{"nodes":[22,484,11132]}"#);
}

#[test]
fn a_saved_game_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let play = ["play", "connect-four", "--players", "person,random", "--save", "game.json"];
    let first = onlooker_with(folder.path(), &play, "d1\nsave copy.json\n");
    assert_eq!(first.status, 0, "{}", first.err);
    assert!(first.out.contains("x plays d1") && first.out.contains("o (random) plays"), "{}", first.out);
    let board = |text: &str| text.rsplit("\n\n").find(|part| part.starts_with(" 6  ")).map(str::to_owned);
    for file in ["game.json", "copy.json"] {
        let on = onlooker_with(folder.path(), &["play", "connect-four", "--resume", file], "quit\n");
        assert_eq!(on.status, 0, "{}", on.err);
        assert_eq!(board(&on.out), board(&first.out), "{file}");
    }
    let other = onlooker(folder.path(), &["play", "tic-tac-toe", "--resume", "game.json"]);
    assert!(other.status == 2 && other.err.contains("connect-four"), "{}", other.err);
}

#[test]
fn a_line_that_nobody_types_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let play = ["play", "tic-tac-toe", "--players", "person,random"];
    let typed = format!("{}\nb2\nquit\n", "x".repeat(3_000_000));
    let ran = onlooker_with(folder.path(), &play, &typed);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.len() < 10_000 && ran.out.contains("more than 4096 bytes"), "{}", ran.out.len());
    assert!(ran.out.contains("x plays b2"), "{}", ran.out);
    // Also if it has no end.
    let ran = onlooker_with(folder.path(), &play, &"x".repeat(10_000));
    assert!(ran.status == 0 && ran.out.contains("more than 4096 bytes"), "{}", ran.out);
}

#[test]
fn a_match_tells_the_score_of_every_side() {
    let folder = tempfile::tempdir().unwrap();
    let players = |players: &str, games: &str| {
        json(folder.path(), &["match", "tic-tac-toe", "--players", players, "--games", games, "--json"])
    };
    let result = players("mcts:30,eval=material,share=20,random", "21");
    let number = |value: &serde_json::Value| value.as_u64().unwrap();
    assert_eq!(number(&result["games"]), 21);
    let sides = result["sides"].as_array().unwrap();
    for (player, roles) in sides.iter().enumerate() {
        let roles: Vec<Vec<u64>> = roles
            .as_array()
            .unwrap()
            .iter()
            .map(|role| role.as_array().unwrap().iter().map(number).collect())
            .collect();
        // The first has x in games 1, 3, ..., 21.
        assert_eq!(roles.iter().map(|role| role.iter().sum()).collect::<Vec<u64>>(), [[11, 10], [10, 11]][player]);
        assert_eq!(roles.iter().map(|role| role[0]).sum::<u64>(), number(&result["wins"][player]));
        assert_eq!(roles.iter().map(|role| role[1]).sum::<u64>(), number(&result["draws"]));
    }
    // A player that never had a side has no games there.
    assert_eq!(players("random,random", "1")["sides"][0][1], serde_json::json!([0, 0, 0]));
    let alone = json(folder.path(), &["match", "peg-solitaire", "--players", "random", "--games", "5", "--json"]);
    let score: Vec<u64> = alone["sides"][0][0].as_array().unwrap().iter().map(number).collect();
    assert_eq!((score[1], score.iter().sum::<u64>(), number(&alone["draws"])), (0, 5, 0));
}

#[test]
fn a_match_with_a_clock_ends_searches_that_would_not_end() {
    let folder = tempfile::tempdir().unwrap();
    let players = ["--players", "alphabeta:64,mcts:1000000000", "--plies", "4", "--games", "2"];
    let with = |more: &[&'static str]| [&["match", "breakthrough"][..], &players, more].concat();
    let result = json(folder.path(), &with(&["--move-time", "5", "--json"]));
    for effort in result["effort"].as_array().unwrap() {
        // However busy the machine is, a search that was not stopped would not have ended by now.
        assert!(effort["choices"] == 4 && effort["nodes"].as_f64() > Some(0.0), "{effort}");
        assert!(effort["seconds"].as_f64() >= Some(0.005), "{effort}");
    }
    let ran = onlooker(folder.path(), &with(&["--move-time", "5"]));
    assert!(ran.status == 0 && ran.out.contains(" ms a move"), "{}", ran.out);
}

#[test]
fn completions_are_scripts() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = onlooker(Path::new("."), &["completions", shell]);
        assert!(ran.status == 0 && ran.out.contains("simulate"), "{shell}");
    }
}

/// The reader of our output may stop reading.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_onlooker"))
        .args(["simulate", "breakthrough", "--games", "2000", "--moves", "all"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut some = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
