//! `onlooker export`.

use crate::onlooker;
use std::fs;

#[test]
fn every_game_of_the_catalogue_can_be_written_for_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    for name in crate::board_games() {
        let name = name.as_str();
        for (language, begin, end) in [("gdl", "; ", ")\n"), ("pddl", "; ", ")))\n"), ("dot", "digraph ", "}\n")] {
            let written = onlooker(folder.path(), &["export", name, "--to", language]);
            assert_eq!((written.status, written.err.as_str()), (0, ""), "{name} {language}");
            let begins = written.out.starts_with(begin);
            assert!(begins && written.out.ends_with(end), "{name} {language}\n{}", written.out);
        }
    }
}

#[test]
fn a_sheet_is_played_by_every_command_that_takes_a_game() {
    let folder = tempfile::tempdir().unwrap();
    for (name, depth) in [("tic-tac-toe", "4"), ("checkers", "3"), ("peg-solitaire", "4")] {
        let sheet = format!("{name}.kif");
        let written = onlooker(folder.path(), &["export", name, "--to", "gdl", "-o", &sheet]);
        assert_eq!((written.status, written.out.as_str(), written.err.as_str()), (0, "", ""));
        let perft = |game: &str| onlooker(folder.path(), &["perft", game, "--depth", depth, "--json"]).out;
        assert_eq!(perft(name), perft(&sheet), "{name}");
    }
}

#[test]
fn a_planning_problem_goes_to_two_files() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["export", "checkers", "--to", "pddl", "--piece", "K", "--position", "8/8/8/8/8/2c5/1K6/8"];
    let both = onlooker(folder.path(), &arguments);
    assert_eq!((both.status, both.err.as_str()), (0, ""));
    let written = onlooker(folder.path(), &[&arguments[..], &["-o", "king.pddl"]].concat());
    assert_eq!((written.status, written.out.as_str(), written.err.as_str()), (0, "", ""));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let (domain, problem) = (read("king.pddl"), read("king-problem.pddl"));
    assert_eq!(both.out, format!("{domain}\n{problem}"));
    assert!(domain.contains("(:action take_over_k") && problem.contains("(holds b2 white-k)"));
}

#[test]
fn a_position_comes_from_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["simulate", "tic-tac-toe", "--games", "2", "--moves", "all", "--seed", "1", "-o", "games.log"];
    assert_eq!(onlooker(folder.path(), &arguments).status, 0);
    let arguments = ["export", "tic-tac-toe", "--to", "pddl", "--player", "o", "--log", "games.log", "--record", "2"];
    let written = onlooker(folder.path(), &arguments);
    assert_eq!((written.status, written.err.as_str()), (0, ""));
    // One X is on the board after the first move.
    assert_eq!(written.out.matches("(holds ").count() - written.out.matches("(holds ?").count(), 1, "{}", written.out);
    let beyond = [&arguments[..8], &["--record", "200"]].concat();
    let refused = onlooker(folder.path(), &beyond);
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("games.log has") && refused.err.contains("expected at least 200"), "{}", refused.err);
}

/// Reads what is written with another program's reader of planning problems, where that is installed.
#[test]
fn planning_problems_can_be_read_by_unified_planning() {
    let python = |folder: &std::path::Path, code: &str| {
        let ran = std::process::Command::new("python3").current_dir(folder).args(["-c", code]).output();
        ran.map(|ran| (ran.status.success(), String::from_utf8_lossy(&ran.stderr).into_owned()))
    };
    let folder = tempfile::tempdir().unwrap();
    if !python(folder.path(), "import unified_planning").is_ok_and(|(done, _)| done) {
        eprintln!("skipped: the Python package unified-planning is not installed");
        return;
    }
    for (game, piece) in [("checkers", "C"), ("amazons", "q"), ("chess-breakthrough", "Q"), ("connect-four", ".")] {
        let arguments = ["export", game, "--to", "pddl", "--piece", piece, "-o", "turn.pddl"];
        assert_eq!(onlooker(folder.path(), &arguments).status, 0);
        let read = "from unified_planning.io import PDDLReader\n\
                    p = PDDLReader().parse_problem('turn.pddl', 'turn-problem.pddl')\n\
                    assert len(p.actions) > 2 and len(p.goals) == 1";
        let (done, said) = python(folder.path(), read).unwrap();
        assert!(done, "{game}: {said}");
    }
}

#[test]
fn what_cannot_be_written_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("sheet.kif", "(role x)");
    write(
        "wrong.rules",
        "game toy\nplayers white\nboard\n  P.\nmoves\n  P  rightwards(empty)\nending\n  lose when the next player cannot move\n",
    );
    write(
        "wild.rules",
        "game wild\nplayers white\nboard\n  P..\n  ...\n  ...\nmoves\n  P  (any(empty) put:P)+\nending\n  lose when the next player cannot move\n",
    );
    for (arguments, says) in [
        (&["chekers", "--to", "gdl"][..], &["there is no game and no file", "did you mean checkers?"][..]),
        (&["sheet.kif", "--to", "gdl"], &["sheet.kif is a rule sheet"]),
        (&["wrong.rules", "--to", "gdl"], &["wrong.rules:6:6"]),
        (&["missing.rules", "--to", "gdl"], &["there is no game and no file"]),
        (
            &["wild.rules", "--to", "gdl"],
            &["cannot write wild.rules as a rule sheet", "movement of P", "again and again"],
        ),
        (&["wild.rules", "--to", "pddl"], &["cannot write wild.rules as a planning problem", "again and again"]),
        (&["checkers", "--to", "prolog"], &["invalid value 'prolog'", "gdl, pddl, dot"]),
        (&["checkers"], &["--to"]),
        (&["checkers", "--to", "gdl", "--piece", "K"], &["for --to pddl only"]),
        (&["amazons", "--to", "pddl", "--piece", "A"], &["no turn starts on A", "expected one of Q, q"]),
        (&["amazons", "--to", "pddl", "--piece", "Q,"], &["is not a piece"]),
        (&["amazons", "--to", "pddl", "--piece", "Q", "--player", "black"], &["Q is not a piece of black"]),
        (&["amazons", "--to", "pddl", "--player", "red"], &["red is not a player: expected one of white, black"]),
        (&["tic-tac-toe", "--to", "pddl", "--position", ".../.X"], &["--position, row 2", "2 squares"]),
        (&["tic-tac-toe", "--to", "pddl", "--position", ".../.!./..."], &["--position, row 2, square 2"]),
        (&["tic-tac-toe", "--to", "pddl", "--position", "3/.Q./3"], &["the position does not fit", "Q is on b2"]),
        (&["checkers", "--to", "pddl", "--log", "none.log"], &["cannot open none.log"]),
        (&["checkers", "--to", "pddl", "--log", "sheet.kif"], &["sheet.kif:1:1"]),
        (&["tic-tac-toe", "--to", "pddl", "--position", "2/2"], &["the position does not fit", "2x2", "3x3"]),
    ] {
        let ran = onlooker(folder.path(), &[&["export"], arguments].concat());
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?}\n{}", ran.err);
        for part in says {
            assert!(ran.err.contains(part), "{arguments:?}: expected {part:?}\n{}", ran.err);
        }
    }
}
