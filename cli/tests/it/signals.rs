//! Whatever ends the program, files are whole, nothing is left beside them, and the exit status says what it was.

use crate::{Ran, begin, names, onlooker};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output};
use std::thread::sleep;
use std::time::Duration;

fn send(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

fn end(child: Child) -> Ran {
    let Output { stdout, stderr, status } = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ran { out: text(stdout), err: text(stderr), status: status.code().unwrap_or(-1) }
}

/// Waits until some file of a folder that is not in its place has so many bytes.
fn wait_for_bytes(folder: &Path, bytes: u64) {
    let is_large = |name: &String| folder.join(name).metadata().is_ok_and(|file| file.len() >= bytes);
    while !names(folder).iter().any(|name| name.ends_with(".part") && is_large(name)) {
        sleep(Duration::from_millis(5));
    }
}

const SIMULATE: [&str; 8] =
    ["simulate", "chess-breakthrough", "--games", "100000000", "--moves", "all", "-o", "games.log.gz"];

#[test]
fn an_interrupted_simulation_leaves_the_games_so_far() {
    for (signal, status) in [("-INT", 130), ("-TERM", 143)] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let child = begin(folder, "", &SIMULATE);
        wait_for_bytes(folder, 10_000);
        assert!(!folder.join("games.log.gz").exists(), "nothing is there before it is whole");
        send(&child, signal);
        let ran = end(child);
        assert_eq!(ran.status, status, "{}", ran.err);
        assert!(ran.err.contains("stopped after ") && ran.out.contains(" written to games.log.gz"), "{}", ran.err);
        assert_eq!(names(folder), ["games.log.gz"]);
        let check = onlooker(folder, &["check", "chess-breakthrough", "games.log.gz"]);
        assert_eq!(check.status, 0, "{}", check.err);
    }
}

#[test]
fn a_second_signal_ends_at_once_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("games.log.gz"), "old").unwrap();
    // A game that does not end for long: the first signal is not looked at before the search for a move is over.
    let arguments = ["match", "amazons", "--players", "alphabeta:60,random", "--games", "1"];
    let child = begin(folder, "", &arguments);
    sleep(Duration::from_millis(300));
    send(&child, "-INT");
    sleep(Duration::from_millis(100));
    send(&child, "-TERM");
    let status = end(child).status;
    assert!(status == 143 || status == 130, "{status}");
    // Both at the same moment, in the middle of writing: the old file is there, or a whole new one.
    for _ in 0..5 {
        let child = begin(folder, "", &SIMULATE);
        wait_for_bytes(folder, 10_000);
        send(&child, "-TERM");
        send(&child, "-INT");
        let status = end(child).status;
        assert!(status == 143 || status == 130, "{status}");
        assert_eq!(names(folder), ["games.log.gz"]);
        if fs::read(folder.join("games.log.gz")).unwrap() != b"old" {
            let check = onlooker(folder, &["check", "chess-breakthrough", "games.log.gz"]);
            assert_eq!(check.status, 0, "{}", check.err);
            fs::write(folder.join("games.log.gz"), "old").unwrap();
        }
    }
}

#[test]
fn commands_that_cannot_stop_early_end_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (signal, status) in [("-INT", 130), ("-TERM", 143)] {
        for arguments in [&["perft", "amazons", "--depth", "9"][..], &["bench", "breakthrough", "--seconds", "1000"]] {
            let child = begin(folder, "", arguments);
            sleep(Duration::from_millis(200));
            send(&child, signal);
            let ran = end(child);
            assert_eq!((ran.status, ran.out.as_str()), (status, ""), "{arguments:?}");
        }
    }
}

/// Commands that write over what is there, with what they write. All of it is the old or the new, whenever they are killed.
const UPDATES: [(&[&str], &[&str]); 4] = [
    (&["learn", "--evidence", "my.ev", "b.log", "--save-evidence", "my.ev", "-o", "my.rules"], &["my.ev", "my.rules"]),
    (&["locm", "--evidence", "my.tr", "plans.txt", "--save-evidence", "my.tr", "-o", "my.pddl"], &["my.tr", "my.pddl"]),
    (&["explain", "chess-breakthrough", "--format", "html", "-o", "my.html"], &["my.html"]),
    (&["simulate", "breakthrough", "--games", "100", "--moves", "all", "-o", "my.log.gz"], &["my.log.gz"]),
];

#[test]
fn a_killed_command_leaves_old_files_or_new_ones() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (seed, log) in [("1", "a.log"), ("2", "b.log")] {
        let arguments = ["simulate", "breakthrough", "--games", "8", "--moves", "all", "--seed", seed, "-o", log];
        assert_eq!(onlooker(folder, &arguments).status, 0);
    }
    fs::write(folder.join("plans.txt"), "(go a)\n(stop a)\n(go a)\n".repeat(10_000)).unwrap();
    for arguments in [
        &["learn", "a.log", "-o", "my.rules", "--save-evidence", "my.ev"][..],
        &["locm", "plans.txt", "-o", "my.pddl", "--save-evidence", "my.tr"],
    ] {
        let ran = onlooker(folder, arguments);
        assert_eq!(ran.status, 0, "{}", ran.err);
    }
    ["my.html", "my.log.gz"].iter().for_each(|name| fs::write(folder.join(name), "old").unwrap());
    let read = |names: &[&str]| names.iter().map(|name| fs::read(folder.join(name)).unwrap()).collect::<Vec<_>>();
    for (arguments, outputs) in UPDATES {
        let old = read(outputs);
        let begun = std::time::Instant::now();
        assert_eq!(onlooker(folder, arguments).status, 0);
        let whole = begun.elapsed();
        let new = read(outputs);
        assert_ne!(old, new, "{arguments:?}");
        for (signal, expected, rounds) in [("-KILL", -1, 12), ("-TERM", 143, 4), ("-INT", 130, 4)] {
            for round in 0..rounds {
                outputs.iter().zip(&old).for_each(|(name, bytes)| fs::write(folder.join(name), bytes).unwrap());
                let child = begin(folder, "", arguments);
                // Up to a little more than the whole time, so that some are ended while they write, and some come through.
                sleep(whole.mul_f64(1.2 * f64::from(round + 1) / f64::from(rounds)));
                send(&child, signal);
                let status = end(child).status;
                // Before the program is up, signals end it as they end everything.
                assert!([0, -1, expected].contains(&status), "{arguments:?} {signal} {status}");
                for ((found, old), new) in read(outputs).iter().zip(&old).zip(&new) {
                    // A simulation that is asked to end leaves the games so far.
                    let shorter = arguments[0] == "simulate" && status == expected && signal != "-KILL";
                    assert!(found == old || found == new || shorter, "{arguments:?} {signal}: {} bytes", found.len());
                }
                let left: Vec<String> = names(folder).into_iter().filter(|name| name.ends_with(".part")).collect();
                assert!(left.is_empty() || signal == "-KILL", "{left:?}");
                left.iter().for_each(|name| fs::remove_file(folder.join(name)).unwrap());
            }
        }
    }
}
