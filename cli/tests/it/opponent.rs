//! `onlooker opponent`, and players that use its files.

use crate::onlooker;
use std::fs;

#[test]
fn a_model_is_learnt_tested_drawn_and_played_with() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let ran = onlooker(folder.path(), arguments);
        assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.err);
        ran.out
    };
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    for model in ["bayes", "moves"] {
        let train = [
            "opponent",
            "train",
            "tic-tac-toe",
            "--player",
            "greedy",
            "--role",
            "o",
            "--games",
            "60",
            "--model",
            model,
        ];
        let out = run(&[&train[..], &["--json", "-o", "o.model"]].concat());
        let trained = json(&out);
        assert!(trained["turns"].as_u64().unwrap() > 100 && trained["features"].as_u64().unwrap() > 10, "{out}");
        assert!(trained["seconds"].is_number());
        // The same seed, the same bytes.
        assert_eq!(run(&train), fs::read_to_string(folder.path().join("o.model")).unwrap());
        let out = run(&["opponent", "test", "o.model", "--games", "20", "--json"]);
        let tested = json(&out);
        let (top, ceiling) = (tested["top"].as_array().unwrap(), tested["ceiling"].as_array().unwrap());
        assert!(tested["turns"].as_u64().unwrap() > 30 && top.len() == ceiling.len() && tested["log_loss"].is_number());
        assert_eq!(top.last().unwrap().as_f64(), Some(1.0), "{out}");
        assert!(top.windows(2).all(|pair| pair[0].as_f64() <= pair[1].as_f64()), "{out}");
        let text = run(&["opponent", "test", "o.model", "--games", "5", "--learn", "--player", "random"]);
        assert!(text.contains("own turns of o in tic-tac-toe") && text.contains("log-loss"), "{text}");
        for kind in ["top", "contours", "calibration"] {
            let svg = run(&["opponent", "plot", "o.model", "--games", "5", "--kind", kind]);
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
        }
        for player in [
            "opponent:o.model",
            "opponent:o.model,nodes=300,depth=9,coverage=0.9,risk=100",
            "alphabeta:2,policy=o.model",
        ] {
            let players = format!("{player},random");
            let out = run(&["match", "tic-tac-toe", "--players", &players, "--games", "10", "--json"]);
            let played = json(&out);
            assert!(played["wins"][0].as_u64() > played["wins"][1].as_u64(), "{player}: {out}");
            assert!(played["effort"][0]["depth"].as_f64().unwrap() >= 1.0, "{player}: {out}");
        }
    }
}

#[test]
fn recorded_games_and_merged_counts() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let ran = onlooker(folder.path(), arguments);
        assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.err);
        ran.out
    };
    run(&["simulate", "breakthrough", "--games", "4", "--moves", "some", "-o", "b.log"]);
    fs::write(folder.path().join("m.jsonl"), run(&["walk", "racetrack", "--walks", "4", "--steps", "30"])).unwrap();
    for (game, log, role) in [("breakthrough", "b.log", "black"), ("racetrack", "m.jsonl", "white")] {
        let train = ["opponent", "train", game, "--role", role, "--log", log];
        run(&[&train[..], &["-o", "all"]].concat());
        run(&[&train[..], &["--games", "2", "-o", "half"]].concat());
        let out = run(&["opponent", "test", "half", "--log", log, "--json"]);
        assert!(serde_json::from_str::<serde_json::Value>(&out).unwrap()["turns"].as_u64().unwrap() > 10, "{out}");
        let whole = fs::read_to_string(folder.path().join("all")).unwrap();
        let twice = run(&["opponent", "merge", "all", "all"]);
        let count = |text: &str| -> u64 {
            let lines = text.lines().filter_map(|line| line.strip_prefix("move "));
            lines.map(|line| line.split(' ').next().unwrap().parse::<u64>().unwrap()).sum()
        };
        assert!(count(&whole) > 0 && count(&twice) == 2 * count(&whole));
    }
}

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let good = "opponent 1\ngame tic-tac-toe\nrole o\nplayer greedy\nmodel bayes\nmove 2 (mark 1 1)\n  1 (cell 1 1 blank)\nend\n";
    for (name, text) in [
        ("good", good.to_owned()),
        ("empty", String::new()),
        ("cut", good.replace("end\n", "")),
        ("count", good.replace("  1 (cell", "  9 (cell")),
        ("role", good.replace("role o", "role z")),
        ("game", good.replace("tic-tac-toe", "nowhere")),
        ("player", good.replace("greedy", "nobody")),
        ("nobody", good.replace("player greedy\n", "")),
        ("other", "concepts(1).\n".to_owned()),
        ("walk", "{\"roles\":[\"x\",\"o\"]}\n{\"w\":1}\n".to_owned()),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    fs::write(folder.path().join("bytes"), b"opponent 1\n\xff\xfe").unwrap();
    for (arguments, says) in [
        (&["opponent", "test", "empty", "--games", "1"][..], "first line 'opponent 1'"),
        (&["opponent", "test", "cut", "--games", "1"], "cut off"),
        (&["opponent", "test", "count", "--games", "1"], "count:7:3"),
        (&["opponent", "test", "role", "--games", "1"], "expected one of the roles of tic-tac-toe"),
        (&["opponent", "test", "game", "--games", "1"], "no game and no file \"nowhere\""),
        (&["opponent", "test", "player", "--games", "1"], "no such player"),
        (&["opponent", "test", "nobody", "--games", "1"], "expected --player or --log"),
        (&["opponent", "test", "other", "--games", "1"], "other:1:1"),
        (&["opponent", "test", "bytes", "--games", "1"], "bytes:2:1: found bytes that are not UTF-8"),
        (&["opponent", "test", "missing", "--games", "1"], "cannot open missing"),
        (&["opponent", "test", "good", "--log", "walk"], "walk:2:"),
        (&["opponent", "test", "good", "--log", "good"], "good:1:1"),
        (&["opponent", "test", "good"], "--games"),
        (
            &["opponent", "train", "tic-tac-toe", "--player", "greedy", "--role", "z", "--games", "1"],
            "found role \"z\"",
        ),
        (&["opponent", "train", "tic-tac-toe", "--role", "o", "--games", "1"], "--player"),
        (
            &[
                "opponent",
                "train",
                "tic-tac-toe",
                "--player",
                "opponent:good,coverage=2",
                "--role",
                "o",
                "--games",
                "1",
            ],
            "coverage must be",
        ),
        (&["opponent", "merge", "good", "cut"], "cut off"),
        (&["match", "tic-tac-toe", "--players", "opponent:role,random", "--games", "1"], "found a model of role z"),
        (&["match", "tic-tac-toe", "--players", "opponent:other,random", "--games", "1"], "first line 'opponent 1'"),
    ] {
        let ran = onlooker(folder.path(), arguments);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(says), "{arguments:?}: {}", ran.err);
    }
    // No turn to learn from is no error, and neither is a move that was never seen.
    let ran = onlooker(
        folder.path(),
        &["opponent", "train", "tic-tac-toe", "--player", "random", "--role", "o", "--games", "0", "-o", "none"],
    );
    assert_eq!(ran.status, 0, "{}", ran.err);
    for file in ["none", "good"] {
        let ran = onlooker(folder.path(), &["opponent", "test", file, "--player", "random", "--games", "2", "--json"]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        assert!(
            serde_json::from_str::<serde_json::Value>(&ran.out).unwrap()["log_loss"].as_f64().unwrap() > 0.5,
            "{}",
            ran.out
        );
    }
}
