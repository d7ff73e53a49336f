//! Walks written and replayed.

use crate::toy_breakthrough::Breakthrough;
use crate::toy_games::{Goofspiel, Pendulum, Puzzle, ThreeNim, TicTacToe};
use onlooker::game::{
    CATALOGUE, Chance, Game, Key, MAX_WALK_LINE, ReplayError, ReplayReport, Role, WalkPlan, catalogue_game, replay,
    write_walks,
};

fn walks<G: Game>(game: &G, plan: &WalkPlan) -> String {
    let mut out = Vec::new();
    write_walks(game, plan, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn replayed<G: Game>(game: &G, text: &[u8]) -> Result<(ReplayReport, Vec<u8>), ReplayError> {
    let mut out = Vec::new();
    replay(game, text, &mut out, 10).map(|report| (report, out))
}

const PLANS: [WalkPlan; 4] = [
    WalkPlan { walks: 5, steps: 100, beyond: 0, seed: 1 },
    WalkPlan { walks: 3, steps: 2, beyond: 0, seed: 2 },
    WalkPlan { walks: 3, steps: 2, beyond: 100, seed: 3 },
    WalkPlan { walks: 0, steps: 0, beyond: 0, seed: 4 },
];

fn comes_back<G: Game>(game: &G) {
    for plan in &PLANS {
        let text = walks(game, plan);
        let (report, out) = replayed(game, text.as_bytes()).unwrap();
        assert_eq!(report.differences, [], "{}", game.name());
        assert_eq!(String::from_utf8(out).unwrap(), text);
        assert_eq!((report.walks, report.lines), (plan.walks, text.lines().count() as u64 - 1));
    }
}

#[test]
fn walks_come_back_byte_for_byte() {
    comes_back(&TicTacToe::new());
    comes_back(&Goofspiel::new(4));
    comes_back(&ThreeNim::new());
    comes_back(&Puzzle::new());
    comes_back(&Pendulum::new());
    comes_back(&Breakthrough::new(4, 5));
    CATALOGUE.iter().for_each(|(name, _)| comes_back(&catalogue_game(name).unwrap()));
}

#[test]
fn lines_are_as_the_format_says() {
    let plan = WalkPlan { walks: 1, steps: 1, beyond: 9, seed: 1 };
    let text = walks(&ThreeNim::new(), &plan);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], r#"{"game":"three nim","roles":["red","green","blue"],"seed":1,"walks":1,"max_steps":1}"#);
    let start = r#"{"w":0,"s":0,"state":["(heap 10)","(turn 0)"],"terminal":false,"#;
    let legal = r#""legal":[["(take 1)","(take 2)","(take 3)"],["noop"],["noop"]],"move":["(take "#;
    assert!(lines[1].starts_with(&format!("{start}{legal}")) && lines[1].ends_with(r#")","noop","noop"]}"#), "{text}");
    // The end follows after a gap, with the last move that led to it; red's goal may be undefined.
    assert_eq!(lines.len(), 4, "{text}");
    assert!(lines[2].contains(r#""terminal":false"#) && lines[2].contains(r#""move":["#));
    assert!(lines[3].contains(r#""terminal":true,"goal":["#) && lines[3].contains("[]"), "{text}");
}

/// One walk of another program for this game.
const KNOWN: &str = r#"{"game":"ticTacToe","path":"anywhere","roles":["xplayer","oplayer"],"walks":1}
{"w":0,"s":6,"state":["(cell 1 1 o)","(cell 1 2 b)","(cell 1 3 b)","(cell 2 1 o)","(cell 2 2 b)","(cell 2 3 x)","(cell 3 1 x)","(cell 3 2 x)","(cell 3 3 o)","(control xplayer)"],"terminal":false,"legal":[["(mark 1 2)","(mark 1 3)","(mark 2 2)"],["noop"]],"move":["(mark 1 3)","noop"]}
{"w":0,"s":7,"state":["(cell 1 1 o)","(cell 1 2 b)","(cell 1 3 x)","(cell 2 1 o)","(cell 2 2 b)","(cell 2 3 x)","(cell 3 1 x)","(cell 3 2 x)","(cell 3 3 o)","(control oplayer)"],"terminal":false,"legal":[["noop"],["(mark 1 2)","(mark 2 2)"]],"move":["noop","(mark 2 2)"]}
{"w":0,"s":8,"state":["(cell 1 1 o)","(cell 1 2 b)","(cell 1 3 x)","(cell 2 1 o)","(cell 2 2 o)","(cell 2 3 x)","(cell 3 1 x)","(cell 3 2 x)","(cell 3 3 o)","(control xplayer)"],"terminal":true,"goal":[0,100]}
"#;

#[test]
fn differences_are_named() {
    let game = TicTacToe::new();
    let (report, out) = replayed(&game, KNOWN.as_bytes()).unwrap();
    assert_eq!((report.different, out), (0, KNOWN.as_bytes().to_vec()));
    let x = Role(0);
    let table = [
        ("xplayer\",\"op", "xplayer\",\"oq", 1, Key::Roles, vec!["oqlayer"], vec!["oplayer"]),
        ("[[\"(mark 1 2)\",", "[[", 2, Key::Legal(x), vec![], vec!["(mark 1 2)"]),
        ("[\"(mark 1 3)\",\"noop\"]", "[\"(mark 1 1)\",\"noop\"]", 2, Key::Move(x), vec!["(mark 1 1)"], vec![]),
        ("(cell 2 2 o)", "(cell 2 2 x)", 4, Key::State, vec!["(cell 2 2 x)"], vec!["(cell 2 2 o)"]),
        ("\"goal\":[0", "\"goal\":[1", 4, Key::Goal(x), vec!["1"], vec!["0"]),
        ("\"goal\":[0", "\"goal\":[[]", 4, Key::Goal(x), vec!["[]"], vec!["0"]),
        ("\"(mark 1 2)\",\"(mark 2 2)\"", "\"(mark 2 2)\",\"(mark 1 2)\"", 3, Key::Legal(Role(1)), vec![], vec![]),
        ("[\"(cell 1 1 o)", "[\"(cell 9 1 o)", 2, Key::State, vec!["(cell 9 1 o)"], vec![]),
    ];
    for (old, new, line, key, in_file, computed) in table {
        let (report, _) = replayed(&game, KNOWN.replacen(old, new, 1).as_bytes()).unwrap();
        assert_eq!(report.different, 1, "{old} -> {new}: {:?}", report.differences);
        let found = &report.differences[0];
        assert_eq!((found.line, found.key), (line, key), "{old} -> {new}");
        assert_eq!((&found.in_file, &found.computed), (&texts(&in_file), &texts(&computed)));
        assert!(found.to_string().starts_with(&format!("line {line}")));
    }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

#[test]
fn malformed_lines_are_refused_with_their_place() {
    let game = TicTacToe::new();
    // What is changed to what, on which line, whether the column is there (or else where the line begins or ends), the reason.
    let table = [
        ("{\"game\"", "{\"gane\"", 1, false, "missing field"),
        ("\"legal\":[[", "\"lefal\":[[", 2, true, "unknown field"),
        ("\"w\":0,\"s\":7", "\"w\":0,\"s\":5", 3, true, "step 5 of walk 0 comes after step 6"),
        ("\"w\":0,\"s\":7", "\"w\":0,\"s\":-7", 3, true, "-7"),
        (
            "\"legal\":[[\"(mark 1 2)\",\"(mark 1 3)\",\"(mark 2 2)\"],[\"noop\"]]",
            "\"legal\":[[]]",
            2,
            true,
            "for 1 roles",
        ),
        ("\"goal\":[0,100]", "\"goal\":[0,\"x\"]", 4, true, "a goal is a whole number"),
        (",\"goal\":[0,100]", "", 4, false, "\"goal\" is missing"),
        ("\"terminal\":true", "\"terminal\":false", 4, false, "\"legal\" is missing"),
        ("(cell 1 1 o)", "(cell 1 1 o", 2, true, "bracket"),
        ("[\"(cell 1 1 o)\"", "[(cell 1 1 o)\"", 2, true, "expected value"),
    ];
    for (old, new, line, there, reason) in table {
        let text = KNOWN.replacen(old, new, 1);
        let changed = text.lines().nth(line - 1).unwrap();
        let around = changed.find(new).unwrap() + 1;
        match replayed(&game, text.as_bytes()) {
            Err(ReplayError::Malformed { line: l, column, reason: r }) => {
                assert!(l == line as u64 && r.contains(reason), "{old} -> {new}: line {l}: {r}");
                let right = if there {
                    (around..=around + new.len()).contains(&column)
                } else {
                    column == 1 || column == changed.len()
                };
                assert!(right, "{old} -> {new}: column {column}: {r}");
            }
            other => panic!("{old} -> {new}: {other:?}"),
        }
    }
    assert!(matches!(replayed(&game, b""), Err(ReplayError::Malformed { line: 1, column: 1, .. })));
    let endless = std::io::BufReader::new(std::io::repeat(b' '));
    let refused = replay(&game, endless, &mut Vec::new(), 1);
    assert!(matches!(refused, Err(ReplayError::Malformed { line: 1, column: MAX_WALK_LINE, .. })), "{refused:?}");
}

#[test]
fn a_changed_byte_is_found() {
    let game = TicTacToe::new();
    let text = walks(&game, &WalkPlan { walks: 2, steps: 3, beyond: 9, seed: 7 });
    let header = text.find('\n').unwrap();
    let roles = text.find("\"roles\"").unwrap()..text.find("\"seed\"").unwrap();
    let mut chance = Chance::new(1);
    let (mut found, mut valid) = (0, 0);
    for at in 0..text.len() {
        for byte in [chance.below(256) as u8, b'0' + chance.below(10) as u8, b'"', b'o', 0xFF] {
            let mut changed = text.clone().into_bytes();
            // What stands in the header besides the roles says where the file comes from, and nothing about the rules.
            if std::mem::replace(&mut changed[at], byte) == byte || at < header && !roles.contains(&at) {
                continue;
            }
            match replayed(&game, &changed) {
                Ok((report, out)) if report.different == 0 => {
                    // Then the changed file is itself right, as with a wider gap or another last move.
                    let values = |text: &[u8]| {
                        let lines = text.split(|&b| b == b'\n').filter(|line| !line.trim_ascii().is_empty());
                        lines.map(|line| serde_json::from_slice(line).unwrap()).collect::<Vec<serde_json::Value>>()
                    };
                    assert_eq!(values(&out), values(&changed));
                    valid += 1;
                }
                _ => found += 1,
            }
        }
    }
    assert!(found > 50 * valid, "{found} found, {valid} valid");
}
