//! Files that are written: the old one or the new one, with the rights and under the links that were there.

use crate::{names, onlooker, onlooker_with, sh};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

const TRACES: &str = "(go a)\n(stop a)\n(go a)\n";

/// A folder with a log, plans, a rules file and a rule sheet.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let games = ["simulate", "tic-tac-toe", "--games", "20", "--moves", "all", "-o", "games.log"];
    assert_eq!(onlooker(path, &games).status, 0);
    fs::write(path.join("plans.txt"), TRACES).unwrap();
    fs::write(path.join("my.rules"), onlooker(path, &["games", "breakthrough"]).out).unwrap();
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../games/tic-tac-toe.kif"), path.join("my.kif")).unwrap();
    folder
}

/// Every command that writes files, with the files that it writes.
const WRITERS: &[(&[&str], &[&str])] = &[
    (&["simulate", "tic-tac-toe", "--games", "300", "--moves", "all", "-o", "out"], &["out"]),
    (&["simulate", "tic-tac-toe", "--games", "300", "--moves", "all", "-o", "out.zst"], &["out.zst"]),
    (&["learn", "games.log", "-o", "out", "--save-evidence", "out.ev"], &["out", "out.ev"]),
    (&["locm", "plans.txt", "-o", "out", "--save-evidence", "out.ev"], &["out", "out.ev"]),
    (&["explain", "breakthrough", "--format", "html", "-o", "out"], &["out"]),
    (&["export", "breakthrough", "--to", "gdl", "-o", "out"], &["out"]),
    (&["export", "breakthrough", "--to", "pddl", "-o", "out.pddl"], &["out.pddl", "out-problem.pddl"]),
    (&["ggp-match", "my.kif", "--players", "random,random", "-o", "out"], &["out"]),
    (&["play", "tic-tac-toe", "--players", "random,random", "--save", "out"], &["out"]),
];

#[test]
fn links_and_rights_stay_and_other_files_are_left_alone() {
    for (arguments, outputs) in WRITERS {
        let folder = folder();
        let folder = folder.path();
        for name in *outputs {
            fs::write(folder.join(format!("real-{name}")), "old").unwrap();
            fs::set_permissions(folder.join(format!("real-{name}")), PermissionsExt::from_mode(0o640)).unwrap();
            symlink(format!("real-{name}"), folder.join(name)).unwrap();
            // What a careless program would write beside it.
            fs::write(folder.join(format!("{name}.part")), "mine").unwrap();
        }
        let before = names(folder);
        let ran = onlooker(folder, arguments);
        assert_eq!(ran.status, 0, "{arguments:?} {}", ran.err);
        assert_eq!(names(folder), before, "{arguments:?}");
        for name in *outputs {
            assert!(folder.join(name).symlink_metadata().unwrap().is_symlink(), "{arguments:?}");
            assert_ne!(fs::read(folder.join(name)).unwrap(), b"old", "{arguments:?}");
            assert_eq!(folder.join(name).metadata().unwrap().mode() & 0o777, 0o640, "{arguments:?}");
            assert_eq!(text(folder, &format!("{name}.part")), "mine");
        }
    }
}

#[test]
fn new_files_have_the_usual_rights_and_links_to_nothing_are_followed() {
    let folder = folder();
    let folder = folder.path();
    symlink("later", folder.join("link")).unwrap();
    let script = "umask 027; exec \"$0\" explain breakthrough -o link";
    let ran = sh(folder, script);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(folder.join("link").symlink_metadata().unwrap().is_symlink());
    assert_eq!(folder.join("later").symlink_metadata().unwrap().mode() & 0o777, 0o640);
}

/// With a limit on the size of files, as on a full disk, everything stays as it was.
#[test]
fn a_full_disk_changes_nothing() {
    for (arguments, outputs) in WRITERS {
        let folder = folder();
        let folder = folder.path();
        outputs.iter().for_each(|name| fs::write(folder.join(name), "old").unwrap());
        let before = names(folder);
        let quoted: Vec<String> = arguments.iter().map(|argument| format!("'{argument}'")).collect();
        // No file may get longer than nothing at all.
        let script = format!("ulimit -f 0; exec \"$0\" {} >/dev/null", quoted.join(" "));
        let ran = sh(folder, &script);
        assert_eq!(ran.status, 2, "{arguments:?} {}", ran.err);
        assert!(ran.err.contains("cannot write out"), "{arguments:?} {}", ran.err);
        assert_eq!(names(folder), before, "{arguments:?}");
        outputs.iter().for_each(|name| assert_eq!(text(folder, name), "old", "{arguments:?}"));
    }
}

/// Commands that are refused leave what they would have written as it was.
#[test]
fn a_refused_command_changes_nothing() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("bad.log"), format!("{}nonsense\n", text(folder, "games.log"))).unwrap();
    fs::write(folder.join("bad.txt"), format!("{TRACES}(\n")).unwrap();
    fs::write(folder.join("old"), "old").unwrap();
    fs::write(folder.join("old.ev"), "old").unwrap();
    let before = names(folder);
    for arguments in [
        &["simulate", "racetrack", "--games", "1", "--moves", "all", "-o", "old"][..],
        &["learn", "bad.log", "-o", "old", "--save-evidence", "old.ev"],
        &["learn", "games.log", "-o", "no-folder/rules", "--save-evidence", "old.ev"],
        &["learn", "--evidence", "old.ev", "games.log", "-o", "old", "--save-evidence", "old.ev"],
        &["locm", "bad.txt", "-o", "old", "--save-evidence", "old.ev"],
        &["locm", "plans.txt", "-o", "no-folder/rules", "--save-evidence", "old.ev"],
        &["locm", "--evidence", "old.ev", "-o", "old"],
        &["explain", "my.kif", "-o", "old"],
        &["export", "breakthrough", "--to", "pddl", "--piece", "?", "-o", "old"],
        &["ggp-match", "my.kif", "--players", "random", "-o", "old"],
        &["play", "tic-tac-toe", "--players", "random", "--save", "old"],
    ] {
        let ran = onlooker(folder, arguments);
        assert_eq!(ran.status, 2, "{arguments:?} {}", ran.err);
        assert_eq!(
            (names(folder), text(folder, "old"), text(folder, "old.ev")),
            (before.clone(), "old".into(), "old".into())
        );
    }
}

#[test]
fn nothing_is_written_over_what_is_read() {
    let folder = folder();
    let folder = folder.path();
    fs::hard_link(folder.join("games.log"), folder.join("hard.log")).unwrap();
    symlink("games.log", folder.join("soft.log")).unwrap();
    for name in ["e.ev", "t.ev"] {
        let from: &[&str] = if name == "e.ev" { &["learn", "games.log"] } else { &["locm", "plans.txt"] };
        let ran = onlooker(folder, &[from, &["-o", "other", "--save-evidence", name]].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
    }
    let all = || names(folder).iter().map(|name| fs::read(folder.join(name)).unwrap()).collect::<Vec<_>>();
    let before = all();
    for arguments in [
        &["learn", "games.log", "-o", "games.log"][..],
        &["learn", "games.log", "-o", "hard.log"],
        &["learn", "games.log", "-o", "soft.log"],
        &["learn", "soft.log", "-o", "./hard.log"],
        &["learn", "games.log", "-o", "x", "--save-evidence", "hard.log"],
        &["learn", "games.log", "-o", "x", "--save-evidence", "./x"],
        &["learn", "--evidence", "e.ev", "-o", "e.ev"],
        &["learn", "my.kif", "-o", "my.kif"],
        &["locm", "plans.txt", "-o", "plans.txt"],
        &["locm", "plans.txt", "-o", "-", "--save-evidence", "/dev/stdout"],
        &["locm", "--evidence", "t.ev", "-o", "t.ev"],
        &["explain", "my.rules", "-o", "my.rules"],
        &["export", "my.rules", "--to", "gdl", "-o", "my.rules"],
        &["export", "tic-tac-toe", "--to", "pddl", "--log", "games.log", "-o", "games.log"],
        &["simulate", "my.rules", "--games", "1", "--moves", "all", "-o", "my.rules"],
        &["ggp-match", "my.kif", "--players", "random,random", "-o", "my.kif"],
        &["play", "my.rules", "--save", "my.rules"],
    ] {
        let ran = onlooker(folder, arguments);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?} {}", ran.err);
        assert!(ran.err.contains("to write to"), "{arguments:?} {}", ran.err);
    }
    let typed = onlooker_with(folder, &["play", "my.rules"], "save my.rules\n");
    assert!(typed.out.contains("Not saved: my.rules would take the place"), "{}", typed.out);
    // The shell has opened these.
    for script in ["learn - <games.log -o hard.log", "walk tic-tac-toe --replay w.jsonl >>w.jsonl"] {
        fs::write(folder.join("w.jsonl"), "").unwrap();
        let ran = sh(folder, &format!("exec \"$0\" {script}"));
        assert_eq!(ran.status, 2, "{script} {}", ran.err);
        assert!(ran.err.contains("expected another place to write to"), "{script} {}", ran.err);
    }
    fs::remove_file(folder.join("w.jsonl")).unwrap();
    assert!(all() == before);
    // Evidence may be saved where it came from.
    for arguments in [
        &["learn", "--evidence", "e.ev", "games.log", "-o", "x", "--save-evidence", "e.ev"][..],
        &["locm", "--evidence", "t.ev", "plans.txt", "-o", "x", "--save-evidence", "t.ev"],
    ] {
        let ran = onlooker(folder, arguments);
        assert_eq!(ran.status, 0, "{arguments:?} {}", ran.err);
    }
    assert!(text(folder, "e.ev").contains("count games 40\n") && text(folder, "t.ev").contains("count traces 2\n"));
}

#[test]
fn what_is_no_regular_file_is_written_directly() {
    let folder = folder();
    let folder = folder.path();
    let explained = onlooker(folder, &["explain", "breakthrough"]).out;
    for place in ["-", "/dev/stdout", "/dev/fd/1"] {
        let ran = onlooker(folder, &["explain", "breakthrough", "-o", place]);
        assert_eq!((ran.status, &ran.out), (0, &explained), "{place}");
    }
    let ran = onlooker(folder, &["explain", "breakthrough", "-o", "/dev/stderr"]);
    assert_eq!((ran.status, &ran.err), (0, &explained));
    assert_eq!(onlooker(folder, &["explain", "breakthrough", "-o", "/dev/null"]).status, 0);
    let full = onlooker(folder, &["explain", "breakthrough", "-o", "/dev/full"]);
    assert!(full.status == 2 && full.err.contains("cannot write /dev/full"), "{}", full.err);
    // What others have written to the same file stays.
    let script = "mkfifo pipe; cat pipe >read & \"$0\" explain breakthrough -o pipe && wait
                  { echo first; \"$0\" explain breakthrough -o /dev/stdout; \"$0\" explain breakthrough -o /dev/fd/3 3>&1; } >file";
    let ran = sh(folder, script);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(text(folder, "read"), explained);
    // A pipe whose reader goes away is an error, unlike standard output.
    let script = "mkfifo gone; true <gone & exec \"$0\" simulate breakthrough --games 3000 --moves all -o gone";
    let ran = sh(folder, script);
    assert!(ran.status == 2 && ran.err.contains("cannot write gone"), "{} {}", ran.status, ran.err);
    assert_eq!(text(folder, "file"), format!("first\n{explained}{explained}"));
}

#[test]
fn a_file_that_may_not_be_written_is_not_replaced() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("out"), "old").unwrap();
    fs::set_permissions(folder.join("out"), PermissionsExt::from_mode(0o444)).unwrap();
    // Some users may write everywhere.
    if fs::OpenOptions::new().append(true).open(folder.join("out")).is_err() {
        let ran = onlooker(folder, &["explain", "breakthrough", "-o", "out"]);
        assert!(ran.status == 2 && ran.err.contains("cannot write out"), "{}", ran.err);
        assert_eq!(text(folder, "out"), "old");
    }
}

/// Evidence that is cut off or changed is refused with its file and line; the library's tests cut it everywhere.
#[test]
fn evidence_that_is_not_whole_is_refused_with_its_place() {
    let folder = folder();
    let folder = folder.path();
    for (command, input) in [("learn", "games.log"), ("locm", "plans.txt")] {
        let ran = onlooker(folder, &[command, input, "-o", "rules", "--save-evidence", "whole.ev"]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let whole = text(folder, "whole.ev");
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let step = lines.len() / 12 + 1;
        let cuts = (0..lines.len()).step_by(step).chain([lines.len() - 1]);
        let mut bad: Vec<(String, String)> =
            cuts.map(|count| (lines[..count].concat(), format!("line {}, column 1", count + 1))).collect();
        let last = format!("line {}, column ", lines.len());
        bad.push((whole.replacen("count ", "count  ", 1), last.clone()));
        bad.push((whole.trim_end().to_owned(), last));
        bad.push((format!("{whole}{whole}"), format!("line {}, column 1", lines.len() + 1)));
        let (title, rest) = whole.split_once('\n').unwrap();
        let (name, _) = title.rsplit_once(' ').unwrap();
        for version in ["1", "9"] {
            bad.push((
                format!("{name} {version}\n{rest}"),
                "another version of the program saved this file".to_owned(),
            ));
        }
        for (bytes, says) in bad {
            fs::write(folder.join("bad.ev"), &bytes).unwrap();
            let ran = onlooker(folder, &[command, "--evidence", "bad.ev", input, "--save-evidence", "bad.ev"]);
            assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{says} {}", ran.err);
            assert!(ran.err.contains("bad.ev") && ran.err.contains(&says), "{says}: {}", ran.err);
            assert_eq!(text(folder, "bad.ev"), bytes);
        }
    }
}
