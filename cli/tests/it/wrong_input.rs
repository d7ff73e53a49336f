//! Whatever is wrong with what it is given, the program says so and exits with 2.

use crate::onlooker;
use std::fs;
use std::path::Path;

fn refused(folder: &Path, arguments: &[&str], says: &[&str]) {
    let ran = onlooker(folder, arguments);
    let context = format!("onlooker {}\n{}{}", arguments.join(" "), ran.out, ran.err);
    assert_eq!(ran.status, 2, "{context}");
    assert_eq!(ran.out, "", "{context}");
    for part in says {
        assert!(ran.err.contains(part), "expected {part:?}\n{context}");
    }
}

/// A folder with files of every wrong kind.
fn wrong_files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("empty", b"");
    write("game.pgn", b"[Event \"Casual\"]\n\n1. e4 e5 2. Nf3 *\n");
    write("photo.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01");
    write("cut.log", b"1\n..\nP.\n*\nw all 2\n0 (0 1 e)\n");
    write("letter.log", b"1\n..\nP.\n*\nw all 1\n0 (0 1 z)\n");
    write("long.log", "x".repeat(100_000).as_bytes());
    write("broken.gz", b"\x1f\x8b\x08\x00 not really gzip");
    write("sheet.kif", b"(role x)\n(<= (legal x ?m)\n    (not (true on)))\n");
    write("wrong.rules", b"game toy\nplayers white\nboard\n  P.\nmoves\n  P  rightwards(empty)\nending\n  lose when the next player cannot move\n");
    write("huge.rules", "; \n".repeat(2_000_000).as_bytes());
    fs::create_dir(folder.path().join("folder")).unwrap();
    folder
}

#[test]
fn a_log_that_is_none_is_refused_with_its_place() {
    let folder = wrong_files();
    for (file, says) in [
        ("empty", &["empty:1:1", "the log is empty", "expected record number 1"][..]),
        ("game.pgn", &["game.pgn:1:1", "this is not an observation log"]),
        ("photo.jpg", &["photo.jpg:1:1", "not UTF-8"]),
        ("cut.log", &["cut.log:", "the log ends within a record"]),
        ("letter.log", &["letter.log:6:8", "found \"z\"", "expected a content: e, w, p, d or a"]),
        ("long.log", &["long.log:1:", "longer than"]),
        ("broken.gz", &["broken.gz", "cannot be read any further"]),
        ("folder", &["folder is a directory, expected a log"]),
        ("missing.log", &["cannot open missing.log"]),
    ] {
        refused(folder.path(), &["check", "breakthrough", file], says);
        refused(folder.path(), &["learn", file], says);
    }
}

#[test]
fn evidence_that_is_none_is_refused_with_its_place() {
    let folder = wrong_files();
    fs::write(folder.path().join("line.evidence"), "onlooker evidence 3\nboard 8 x\n").unwrap();
    for (file, says) in [
        ("empty", &["empty is not saved evidence", "line 1, column 1", "'onlooker evidence 3'"][..]),
        ("game.pgn", &["game.pgn is not saved evidence", "line 1, column 1", "found \"[Event"]),
        ("line.evidence", &["line 2, column 9", "found \"x\"", "expected a height"]),
        ("photo.jpg", &["photo.jpg"]),
        ("broken.gz", &["broken.gz"]),
        ("folder", &["folder is a directory, expected saved evidence"]),
        ("missing", &["cannot open missing"]),
    ] {
        refused(folder.path(), &["learn", "--evidence", file], says);
    }
    refused(folder.path(), &["learn", "--noise", "0.5"], &["0.5", "from 0 to less than 0.5"]);
    refused(folder.path(), &["learn", "--floor", "0"], &["expected a share above 0"]);
    let write = |name: &str, board: &str| {
        let log =
            format!("1\n{board}\nP.\n*\nw all 1\n0 (0 1 e)\n2\n{}\n..\n1\nb all 0\n", board.replacen('.', "P", 1));
        fs::write(folder.path().join(name), log).unwrap();
    };
    write("small.log", "..");
    fs::write(folder.path().join("wide.log"), "1\n...\nP..\n1\nb all 0\n").unwrap();
    refused(folder.path(), &["learn", "small.log", "wide.log"], &["wide.log", "3x2", "2x2"]);
}

#[test]
fn a_game_that_is_none_is_refused() {
    let folder = wrong_files();
    for (game, says) in [
        ("breaktrough", &["no game and no file", "did you mean breakthrough?"][..]),
        ("qqq", &["no game and no file", "games: breakthrough, "]),
        ("folder", &["folder is a directory"]),
        ("empty", &["expected a line 'game NAME'", "expected a section 'board'"]),
        ("photo.jpg", &["photo.jpg:1:1", "not UTF-8"]),
        ("sheet.kif", &["sheet.kif:2:1", "a variable of what the rule says", "add a condition"]),
        ("wrong.rules", &["wrong.rules:6:6", "found \"rightwards\"", "a direction as in orthogonal"]),
        ("huge.rules", &["huge.rules has more than"]),
        ("game.pgn", &["game.pgn:1:1", "expected game, about, players"]),
    ] {
        refused(folder.path(), &["perft", game, "--depth", "1"], says);
    }
    // Commands that need a board say so.
    let says = &["Game Description Language", "needs a game on a board"][..];
    refused(folder.path(), &["check", "sheet.kif", "cut.log"], says);
    let broken = &["sheet.kif:2:1", "a variable of what the rule says"];
    refused(folder.path(), &["simulate", "sheet.kif", "--games", "1", "--moves", "all"], broken);
    refused(folder.path(), &["learn", "sheet.kif"], broken);
    refused(
        folder.path(),
        &["simulate", "racetrack", "--games", "1", "--moves", "all"],
        &["racetrack cannot be written as a log", "white and black move at the same time"],
    );
}

#[test]
fn arguments_without_sense_are_refused() {
    let folder = wrong_files();
    for (arguments, says) in [
        (&[][..], &["Usage: onlooker <COMMAND>", "play"][..]),
        (&["simulat"], &["simulate"]),
        (&["perft", "breakthrough"], &["--depth"]),
        (&["perft", "breakthrough", "--depth", "0"], &["0 is not in 1..=1000"]),
        (&["match", "breakthrough", "--players", "me,random", "--games", "1"], &["\"me\"", "mcts:PLAYOUTS"]),
        (&["match", "breakthrough", "--players", "random", "--games", "1"], &["for 2 players, 1 were given"]),
        (
            &["match", "breakthrough", "--players", "mcts:9,speed=2,random", "--games", "1"],
            &["\"mcts:9,speed=2\"", "mcts has no option speed"],
        ),
        (
            &["match", "breakthrough", "--players", "mcts:9,eval=x.txt,random", "--games", "1"],
            &["error: cannot open x.txt"],
        ),
        (&["play", "breakthrough", "--players", "person,mcts:9,share=2"], &["add eval="]),
        (&["bench", "breakthrough", "--seconds", "0"], &["expected a number above 0"]),
        (&["bench", "breakthrough", "--seconds", "nan"], &["expected a number above 0"]),
        (&["simulate", "breakthrough", "--games", "1", "--moves", "few"], &["all, some"]),
        (&["simulate", "breakthrough", "--games", "1", "--moves", "all", "-o", "folder"], &["cannot write folder"]),
        (&["walk", "tic-tac-toe", "--replay", "game.pgn"], &["game.pgn:1:"]),
        (&["walk", "tic-tac-toe", "--replay", "empty"], &["empty:"]),
        (&["walk", "tic-tac-toe", "--replay", "folder"], &["is a directory"]),
        (&["play", "tic-tac-toe", "--resume", "game.pgn"], &["cannot go on with game.pgn"]),
        (&["play", "tic-tac-toe", "--players", "person"], &["the game is for 2"]),
        (&["completions", "tcl"], &["bash"]),
    ] {
        refused(folder.path(), arguments, says);
    }
}

#[test]
fn turns_without_end_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "game g\nplayers w b\nboard\n  ......\n  ......\n  ..K...\n  ......\n  ......\n  ..k...\nmoves\n  \
                 K  any(empty | enemy)*\nending\n  win when the next player cannot move\n";
    fs::write(folder.path().join("king.rules"), rules).unwrap();
    // The start of a game of these rules, as a walk and as a log.
    let cell = |at: usize| {
        format!(
            "\"(cell {} {} {})\"",
            at % 6 + 1,
            at / 6 + 1,
            ["blank", "K", "k"][match at {
                20 => 1,
                2 => 2,
                _ => 0,
            }]
        )
    };
    let cells: Vec<String> = (0..36).map(cell).collect();
    let walk = format!(
        "{{\"game\":\"g\",\"roles\":[\"w\",\"b\"]}}\n{{\"w\":0,\"s\":0,\"state\":[{},\"(control w)\"],\"terminal\":false,\
         \"legal\":[[],[\"noop\"]],\"move\":[\"x\",\"noop\"]}}\n",
        cells.join(",")
    );
    fs::write(folder.path().join("king.walk"), walk).unwrap();
    let position = "......\n......\n..K...\n......\n......\n..k...\n";
    let after = "......\n..K...\n......\n......\n......\n..k...\n";
    fs::write(folder.path().join("king.log"), format!("1\n{position}*\nw all 1\n20 (0 1 e)\n2\n{after}1\nb all 0\n"))
        .unwrap();
    for command in [
        &["perft", "king.rules", "--depth", "1"][..],
        &["perft", "king.rules", "--depth", "2"],
        &["perft", "king.rules", "--depth", "2", "--divide"],
        &["bench", "king.rules", "--seconds", "0.1"],
        &["walk", "king.rules", "--walks", "1", "--steps", "3"],
        &["walk", "king.rules", "--replay", "king.walk"],
        &["simulate", "king.rules", "--games", "1", "--moves", "all", "-o", "out.log"],
        &["check", "king.rules", "king.log"],
        &["match", "king.rules", "--players", "random,greedy", "--games", "2"],
        &["match", "king.rules", "--players", "mcts:10,alphabeta:2", "--games", "2", "--json"],
        &["play", "king.rules", "--players", "person,random"],
        &["play", "king.rules", "--players", "random,random"],
    ] {
        let ran = onlooker(folder.path(), command);
        assert_eq!(ran.status, 2, "{command:?}: {}{}", ran.out, ran.err);
        assert!(
            ran.err.contains("too many turns") && ran.err.contains("not the whole truth"),
            "{command:?}: {}",
            ran.err
        );
    }
}

/// A slip in a movement takes no more memory than there is in a small machine.
#[cfg(target_os = "linux")]
#[test]
fn too_many_turns_take_little_memory() {
    use std::process::Command;
    let folder = tempfile::tempdir().unwrap();
    for (name, moves) in [("one", "any(empty)+"), ("guarded", "(off:far | off:edge) any(empty)+")] {
        let rows = "  ................\n".repeat(15);
        let rules = format!(
            "game g\nplayers w b\nboard\n{rows}  ..P.P.P.P.P.P...\nzones\n  far  rank 8\n  edge  file a\nmoves\n  P  {moves}\nending\n  \
             win when the next player cannot move\n"
        );
        fs::write(folder.path().join(name), rules).unwrap();
        for command in ["perft NAME --depth 1", "perft NAME --depth 2", "walk NAME --walks 1 --steps 1"] {
            let line = format!(
                "ulimit -v 600000; RAYON_NUM_THREADS=2 exec {} {}",
                env!("CARGO_BIN_EXE_onlooker"),
                command.replace("NAME", name)
            );
            let ran = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
            let said = String::from_utf8_lossy(&ran.stderr);
            assert!(ran.status.code() == Some(2) && said.contains("too many turns"), "{command} of {moves}: {said}");
        }
    }
}

#[test]
fn lines_without_end_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let long = "x".repeat(40 << 20);
    let walk = format!("{{\"game\":\"g\",\"roles\":[\"x\",\"o\"]}}\n{long}");
    write("long.walk", walk.as_bytes());
    // What comes before the line has been written.
    let ran = onlooker(folder.path(), &["walk", "tic-tac-toe", "--replay", "long.walk"]);
    assert!(ran.status == 2 && ran.err.contains("long.walk:2:") && ran.err.contains("longer than"), "{}", ran.err);
    write("long.json", long.as_bytes());
    refused(
        folder.path(),
        &["play", "tic-tac-toe", "--resume", "long.json"],
        &["long.json has more than", "expected a saved game"],
    );
}
