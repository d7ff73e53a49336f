//! `onlooker explain`.

use crate::onlooker;
use std::fs;

#[test]
fn every_game_of_the_catalogue_can_be_explained() {
    let folder = tempfile::tempdir().unwrap();
    for name in crate::board_games() {
        let name = name.as_str();
        let told = onlooker(folder.path(), &["explain", name]);
        assert_eq!((told.status, told.err.as_str()), (0, ""), "{name}");
        assert!(told.out.starts_with(name) && told.out.contains("How the game ends"), "{name}\n{}", told.out);
        for (format, begin, end) in
            [("dot", "digraph ", "}\n"), ("svg", "<svg ", "</svg>\n"), ("html", "<!DOCTYPE html>", "</html>\n")]
        {
            let told = onlooker(folder.path(), &["explain", name, "--format", format]);
            assert_eq!((told.status, told.err.as_str()), (0, ""), "{name} {format}");
            assert!(told.out.starts_with(begin) && told.out.ends_with(end), "{name} {format}");
        }
    }
}

#[test]
fn an_explanation_is_written_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let rules = onlooker(folder.path(), &["games", "checkers"]).out;
    let learnt =
        "\nlearnt\n  from 3 games 90 positions\n  piece C  812 moves 9 words, 2 of (1 1 e)\n  ending 1  3 games\n";
    fs::write(folder.path().join("mine.rules"), format!("{rules}{learnt}")).unwrap();
    let arguments = ["explain", "mine.rules", "--format", "html", "-o", "mine.html"];
    let told = onlooker(folder.path(), &arguments);
    assert_eq!((told.status, told.out.as_str(), told.err.as_str()), (0, "", ""));
    let page = fs::read_to_string(folder.path().join("mine.html")).unwrap();
    assert!(page.contains("learnt by watching 3 games") && page.contains("3 games ended so."));
    assert_eq!(page, onlooker(folder.path(), &arguments[..4]).out);
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("wrong.rules"), "game toy\n").unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    for (arguments, says) in [
        (&["explain"][..], "<GAME>"),
        (&["explain", "chekers"], "did you mean checkers?"),
        (&["explain", "wrong.rules"], "expected a section 'board'"),
        (&["explain", "folder"], "is a directory"),
        (&["explain", "checkers", "--format", "pdf"], "html"),
        (&["explain", "checkers", "-o", "folder"], "cannot write folder"),
    ] {
        let ran = onlooker(folder.path(), arguments);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.contains(says), "{arguments:?}: {}", ran.err);
    }
}
