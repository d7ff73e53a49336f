//! Little memory and few threads are enough, whatever is read.

use crate::{onlooker, sh};
use onlooker::observe::{Compression, Compressor};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Runs a command with so many kilobytes of address space, most of which the threads' stacks and libraries take.
const ROOM: &str = "ulimit -v 400000; export RAYON_NUM_THREADS=2";

fn packed(text: &[u8], compression: Compression) -> Vec<u8> {
    let mut out = Compressor::new(Vec::new(), compression).unwrap();
    out.write_all(text).unwrap();
    out.finish().unwrap()
}

/// Small files that unpack to a beginning and then to a line without end, and the same without being packed, though it
/// takes no room on the disk.
fn bombs(folder: &Path, begins: &[(&str, &str)]) {
    for (ending, compression, times) in [("zst", Compression::Zstd, 64), ("gz", Compression::Gzip, 56)] {
        // Pieces that were packed one by one are unpacked one after another.
        let pieces = packed(&vec![b'('; 8 << 20], compression).repeat(times);
        for (name, begin) in begins {
            let bomb = [packed(begin.as_bytes(), compression), pieces.clone()].concat();
            assert!(bomb.len() < 500_000);
            fs::write(folder.join(format!("{name}.{ending}")), bomb).unwrap();
        }
    }
    for (name, begin) in begins {
        fs::write(folder.join(name), begin).unwrap();
        fs::OpenOptions::new().append(true).open(folder.join(name)).unwrap().set_len(512 << 20).unwrap();
    }
}

#[test]
fn lines_without_end_take_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let begins = [
        ("log", "1\n"),
        ("plans", "(go a)\n"),
        ("evidence", "onlooker evidence 3\n"),
        ("traces", "onlooker traces 2\n"),
        ("rules", "game x\n"),
        ("walks", "{\"game\":\"x\",\"roles\":[\"x\",\"o\"]}\n"),
    ];
    bombs(folder, &begins);
    for (arguments, says) in [
        ("learn log", ":2:"),
        ("check tic-tac-toe log", ":2:"),
        ("locm plans", ":2:"),
        ("learn --evidence evidence", "line 2, column 1: found \"more than 4194304 bytes\""),
        ("locm --evidence traces", "line 2, column 1: found \"more than 4194304 bytes\""),
        ("perft rules --depth 1", "has more than 4194304 bytes"),
        ("gdl rules", "has more than 4194304 bytes"),
        ("walk tic-tac-toe --replay walks", ":2:33554432: this line is longer than 33554432 bytes"),
        ("play tic-tac-toe --resume rules", "has more than 4194304 bytes"),
    ] {
        for ending in ["", ".gz", ".zst"] {
            let command: Vec<String> = arguments
                .split(' ')
                .map(|part| {
                    if begins.iter().any(|(name, _)| *name == part) {
                        format!("{part}{ending}")
                    } else {
                        part.to_owned()
                    }
                })
                .collect();
            let ran = sh(folder, &format!("{ROOM}; exec \"$0\" {}", command.join(" ")));
            assert_eq!(ran.status, 2, "{command:?} {}", ran.err);
            assert!(ran.err.contains(says), "{command:?} {}", ran.err);
        }
    }
    // From standard input too, and what is typed.
    let ran = sh(folder, &format!("{ROOM}; \"$0\" check tic-tac-toe - <log"));
    assert!(ran.status == 2 && ran.err.contains("standard input:2:"), "{}", ran.err);
    let ran = sh(folder, &format!("{ROOM}; head -c 100000000 /dev/zero | \"$0\" play tic-tac-toe | wc -c"));
    assert_eq!(ran.status, 0, "{}", ran.err);
}

/// One game, or one record, that unpacks to gigabytes from a small file.
#[test]
fn a_game_without_end_takes_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = File::create(folder.join("game.log.zst")).unwrap();
    let mut out = Compressor::new(file, Compression::Zstd).unwrap();
    let board = "................................\n".repeat(31);
    out.write_all(format!("1\nP...............................\n{board}*\nw all 1000000\n").as_bytes()).unwrap();
    // A piece that goes to and fro many times, and then away.
    for number in 0..4000 {
        let word = "(1 0 e)(-1 0 e)".repeat(3000 + number % 1000) + &"(0 -1 e)".repeat(1 + number / 1000);
        out.write_all(format!("992 {word}\n").as_bytes()).unwrap();
    }
    out.finish().unwrap();
    assert!(folder.join("game.log.zst").metadata().unwrap().len() < 500_000);
    for command in ["learn game.log.zst", "check tic-tac-toe game.log.zst"] {
        let ran = sh(folder, &format!("ulimit -v 1000000; export RAYON_NUM_THREADS=2; exec \"$0\" {command}"));
        assert_eq!(ran.status, 2, "{command} {}", ran.err);
        assert!(ran.err.contains("the game has more than 134217728 bytes up to here"), "{command} {}", ran.err);
    }
}

/// Where no more threads can be made, fewer do the same work.
#[test]
fn few_threads_are_enough() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let simulate = "simulate chess-breakthrough --games 30 --moves all";
    let usual = onlooker(folder, &simulate.split(' ').collect::<Vec<_>>());
    fs::write(folder.join("games.log"), &usual.out).unwrap();
    let learnt = onlooker(folder, &["learn", "games.log"]);
    for count in [1, 2, 100_000] {
        for (command, out) in [(simulate, &usual.out), ("learn games.log", &learnt.out)] {
            let ran = sh(folder, &format!("ulimit -v 1500000; RAYON_NUM_THREADS={count} exec \"$0\" {command}"));
            assert_eq!(ran.status, 0, "{count} {command} {}", ran.err);
            assert!(ran.out == *out, "{count} {command}");
        }
    }
}

/// Without any other thread the one that is there does everything.
#[test]
fn no_threads_at_all_are_enough() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let open = |path: &Path| fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    open(folder);
    // The limit is none for those who may do everything, so that they become somebody else.
    fs::copy(env!("CARGO_BIN_EXE_onlooker"), folder.join("onlooker")).unwrap();
    let alone = "test $(id -u) = 0 && nobody='setpriv --reuid 65534 --clear-groups'; $nobody prlimit --nproc=0";
    if sh(folder, &format!("{alone} ./onlooker --version")).status != 0 {
        return;
    }
    let usual = onlooker(folder, &["simulate", "chess-breakthrough", "--games", "30", "--moves", "all"]);
    fs::write(folder.join("games.log"), &usual.out).unwrap();
    open(&folder.join("games.log"));
    for command in [
        "simulate chess-breakthrough --games 30 --moves all",
        "learn games.log",
        "check chess-breakthrough games.log",
        "perft breakthrough --depth 3",
        "match breakthrough --players random,greedy --games 4",
        "learn racetrack",
    ] {
        let usual = onlooker(folder, &command.split(' ').collect::<Vec<_>>());
        let ran = sh(folder, &format!("{alone} ./onlooker {command}"));
        assert_eq!((ran.status, ran.out, ran.err), (usual.status, usual.out, usual.err), "{command}");
    }
}
