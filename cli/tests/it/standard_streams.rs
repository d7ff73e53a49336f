//! Standard input in place of files, and standard output and error that are full or closed.

use crate::{onlooker, onlooker_with, sh};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A folder with a log of tic-tac-toe that has an illegal move, and a good one.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let games = ["simulate", "tic-tac-toe", "--games", "30", "--moves", "all", "-o"];
    for name in ["games.log", "games.log.gz"] {
        assert_eq!(onlooker(path, &[&games[..], &[name]].concat()).status, 0);
    }
    let walk = onlooker(path, &["walk", "tic-tac-toe", "--walks", "3", "--steps", "9"]).out;
    fs::write(path.join("walk.jsonl"), &walk).unwrap();
    fs::write(path.join("plans.txt"), "(go a)\n(stop a)\n\n(go b)\n(stop b)\n(go b)\n").unwrap();
    fs::write(path.join("my.rules"), onlooker(path, &["games", "breakthrough"]).out).unwrap();
    fs::write(path.join("my.kif"), onlooker(path, &["games", "mummy-maze"]).out).unwrap();
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../games/tic-tac-toe.kif"), path.join("board.kif")).unwrap();
    folder
}

/// Every command that reads files, with one of them.
const READERS: &[(&[&str], &str)] = &[
    (&["learn", "games.log"], "games.log"),
    (&["learn", "games.log.gz"], "games.log.gz"),
    (&["learn", "board.kif", "--games", "50", "--check-games", "5", "--speed", "0"], "board.kif"),
    (&["learn", "--evidence", "e.ev", "games.log"], "e.ev"),
    (&["learn", "--evidence", "e.ev", "games.log"], "games.log"),
    (&["check", "tic-tac-toe", "games.log"], "games.log"),
    (&["check", "my.rules", "games.log"], "my.rules"),
    (&["locm", "plans.txt"], "plans.txt"),
    (&["locm", "plans.txt", "--problem", "2"], "plans.txt"),
    (&["locm", "--evidence", "t.ev"], "t.ev"),
    (&["explain", "my.rules"], "my.rules"),
    (&["export", "my.rules", "--to", "gdl"], "my.rules"),
    (&["export", "tic-tac-toe", "--to", "pddl", "--piece", ".", "--log", "games.log", "--record", "2"], "games.log"),
    (&["games", "my.rules"], "my.rules"),
    (&["games", "my.kif"], "my.kif"),
    (&["gdl", "my.kif"], "my.kif"),
    (&["perft", "my.rules", "--depth", "2"], "my.rules"),
    (&["perft", "my.kif", "--depth", "2"], "my.kif"),
    (&["simulate", "my.rules", "--games", "2", "--moves", "some"], "my.rules"),
    (&["simulate", "board.kif", "--games", "2", "--moves", "some"], "board.kif"),
    (&["match", "board.kif", "--players", "random,greedy", "--games", "3"], "board.kif"),
    (&["walk", "tic-tac-toe", "--replay", "walk.jsonl"], "walk.jsonl"),
    (&["walk", "my.rules", "--walks", "1", "--steps", "3"], "my.rules"),
];

#[test]
fn a_hyphen_is_standard_input() {
    let folder = folder();
    let folder = folder.path();
    assert_eq!(onlooker(folder, &["learn", "games.log", "--save-evidence", "e.ev"]).status, 0);
    assert_eq!(onlooker(folder, &["locm", "plans.txt", "--save-evidence", "t.ev"]).status, 0);
    for (arguments, file) in READERS {
        let usual = onlooker(folder, arguments);
        assert!(usual.status < 2 && !usual.out.is_empty(), "{arguments:?} {}", usual.err);
        let other: Vec<String> =
            arguments.iter().map(|part| if part == file { "-".to_owned() } else { format!("'{part}'") }).collect();
        let ran = sh(folder, &format!("exec \"$0\" {} <{file}", other.join(" ")));
        // A rule sheet is called as its file is.
        let called = file.strip_suffix(".kif").unwrap_or(file);
        let same = |text: &str| text.replace("standard input", file).replace("stdin", called);
        assert_eq!((ran.status, same(&ran.out)), (usual.status, usual.out), "{arguments:?} {}", ran.err);
    }
    for arguments in [&["check", "-", "-"][..], &["learn", "-", "-"], &["locm", "-", "--evidence", "-"]] {
        let ran = onlooker_with(folder, arguments, &fs::read_to_string(folder.join("games.log")).unwrap());
        assert!(ran.status == 2, "{arguments:?} {}", ran.err);
    }
    let twice = sh(folder, "exec \"$0\" learn - - <games.log");
    assert!(twice.err.contains("standard input can be read only once"), "{}", twice.err);
    // What is wrong is told with its place.
    for (arguments, input, says) in [
        (&["check", "tic-tac-toe", "-"][..], "1\n...\n...\n...\n*\nw all x\n", "standard input:6:7"),
        (&["locm", "-"], "(go a\n", "standard input:1:6"),
        (&["perft", "-", "--depth", "1"], "game x\n", "standard input"),
        (&["perft", "-", "--depth", "1"], "; a sheet\n  (role x)\n(legal", "standard input:3"),
        (&["check", "-", "games.log"], "(role x)", "standard input is a rule sheet"),
        (&["learn", "--evidence", "-"], "onlooker evidence 1\n", "standard input is not saved evidence"),
    ] {
        let ran = onlooker_with(folder, arguments, input);
        assert!(ran.status == 2 && ran.err.contains(says), "{arguments:?} {}", ran.err);
    }
}

#[test]
fn only_the_result_goes_to_standard_output_if_it_is_to_go_there() {
    let folder = folder();
    let folder = folder.path();
    for arguments in [
        &["simulate", "tic-tac-toe", "--games", "3", "--moves", "some"][..],
        &["learn", "games.log"],
        &["locm", "plans.txt", "--format", "pddl"],
    ] {
        let usual = onlooker(folder, arguments);
        let ran = onlooker(folder, &[arguments, &["-o", "-"]].concat());
        assert_eq!((ran.status, ran.out, ran.err), (usual.status, usual.out, usual.err), "{arguments:?}");
        let refused = onlooker(folder, &[arguments, &["-o", "-", "--json"]].concat());
        assert_eq!((refused.status, refused.out.as_str()), (2, ""), "{arguments:?}");
    }
    let record = onlooker(folder, &["ggp-match", "board.kif", "--players", "random,random", "-o", "-"]);
    assert!(record.status == 0 && record.err.contains("moves"), "{}", record.err);
    let again = onlooker_with(folder, &["walk", "board.kif", "--replay", "-"], &record.out);
    assert_eq!((again.status, again.out), (0, record.out));
}

/// Commands that print on both, the file that they write, and their exit status.
const PRINTERS: &[(&[&str], i32)] = &[
    (&["learn", "games.log", "-o", "out"], 0),
    (&["check", "breakthrough", "games.log"], 1),
    (&["check", "tic-tac-toe", "games.log"], 0),
    (&["walk", "tic-tac-toe", "--replay", "changed.jsonl"], 1),
    (&["gdl", "my.kif"], 0),
    (&["learn", "racetrack", "--json"], 1),
    (&["locm", "plans.txt", "-o", "out"], 0),
    (&["perft", "nothing", "--depth", "1"], 2),
    (&["perft", "--depth"], 2),
    (&["ggp-match", "board.kif", "--players", "random,random"], 0),
];

fn changed_walk(folder: &Path) {
    let walk = fs::read_to_string(folder.join("walk.jsonl")).unwrap();
    fs::write(folder.join("changed.jsonl"), walk.replacen("\"roles\":[\"x\"", "\"roles\":[\"y\"", 1)).unwrap();
}

#[test]
fn a_full_or_closed_standard_error_changes_nothing() {
    let folder = folder();
    let folder = folder.path();
    changed_walk(folder);
    for (arguments, status) in PRINTERS {
        let _ = fs::remove_file(folder.join("out"));
        let usual = onlooker(folder, arguments);
        assert_eq!(usual.status, *status, "{arguments:?} {}", usual.err);
        let written = fs::read(folder.join("out")).ok();
        let quoted: Vec<String> = arguments.iter().map(|part| format!("'{part}'")).collect();
        for to in ["2>/dev/full", "2>&-"] {
            let _ = fs::remove_file(folder.join("out"));
            let ran = sh(folder, &format!("exec \"$0\" {} {to}", quoted.join(" ")));
            assert_eq!((ran.status, ran.err.as_str()), (*status, ""), "{arguments:?} {to}");
            assert_eq!(
                (without_times(&ran.out), fs::read(folder.join("out")).ok()),
                (without_times(&usual.out), written.clone())
            );
        }
        assert_eq!(with_closed_pipe(folder, arguments, false), *status, "{arguments:?}");
    }
}

/// Matches have names by the clock.
fn without_times(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("onlooker.")).collect()
}

/// The exit status of a run whose standard output or error nobody reads.
fn with_closed_pipe(folder: &Path, arguments: &[&str], output: bool) -> i32 {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_onlooker"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let command = if output { command.stdout(writer) } else { command.stderr(writer) };
    command.status().unwrap().code().unwrap_or(-1)
}

#[test]
fn what_was_found_does_not_depend_on_who_reads_it() {
    let folder = folder();
    let folder = folder.path();
    changed_walk(folder);
    for (arguments, status) in PRINTERS {
        assert_eq!(with_closed_pipe(folder, arguments, true), *status, "{arguments:?}");
    }
    for arguments in [
        &["--help"][..],
        &["learn", "games.log"],
        &["simulate", "tic-tac-toe", "--games", "100000", "--moves", "all"],
        &["walk", "tic-tac-toe", "--walks", "100000", "--steps", "9"],
        &["games"],
        &["play", "tic-tac-toe"],
    ] {
        assert_eq!(with_closed_pipe(folder, arguments, true), 0, "{arguments:?}");
    }
}

#[test]
fn a_full_standard_output_is_an_error() {
    let folder = folder();
    let folder = folder.path();
    changed_walk(folder);
    let others: &[&[&str]] = &[
        &["--help"],
        &["--version"],
        &["learn", "--help"],
        &["learn", "games.log"],
        &["learn", "games.log", "--json"],
        &["simulate", "tic-tac-toe", "--games", "3", "--moves", "all"],
        &["simulate", "tic-tac-toe", "--games", "3", "--moves", "all", "--json"],
        &["explain", "breakthrough"],
        &["export", "breakthrough", "--to", "gdl"],
        &["export", "breakthrough", "--to", "pddl"],
        &["locm", "plans.txt"],
        &["walk", "tic-tac-toe", "--walks", "3", "--steps", "9"],
        &["games"],
        &["games", "breakthrough"],
        &["perft", "breakthrough", "--depth", "2"],
        &["bench", "tic-tac-toe", "--seconds", "0.05"],
        &["match", "tic-tac-toe", "--players", "random,random", "--games", "2"],
        &["play", "tic-tac-toe"],
        &["completions", "bash"],
        &["ggp", "--port", "0"],
    ];
    let printers = PRINTERS.iter().map(|(arguments, _)| *arguments).filter(|arguments| !arguments.contains(&"-o"));
    for arguments in others.iter().copied().chain(printers.filter(|arguments| arguments[0] != "perft")) {
        let quoted: Vec<String> = arguments.iter().map(|part| format!("'{part}'")).collect();
        let ran = sh(folder, &format!("exec \"$0\" {} >/dev/full", quoted.join(" ")));
        assert_eq!(ran.status, 2, "{arguments:?} {}", ran.err);
        assert!(ran.err.contains("standard output: No space left"), "{arguments:?} {}", ran.err);
        let ran = sh(folder, &format!("exec \"$0\" {} >/dev/full 2>/dev/full", quoted.join(" ")));
        assert_eq!(ran.status, 2, "{arguments:?}");
    }
}
