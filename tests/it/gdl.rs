//! Rule sheets: walks of a reference prover, laws of reading and writing, and engines against each other.

use onlooker::game::{Chance, Game, GdlGame, Role, replay};
use onlooker::gdl::{Engine, Limits, Program, Sheet};
use onlooker::observe::Decompressor;
use proptest::prelude::*;
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The folder of sheets and walks that others made, beside the repository or where a variable says.
fn golden() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let told = std::env::var_os("ONLOOKER_SHARED").map(PathBuf::from);
    let places = told.into_iter().chain([root.join("../shared"), root.join("../../shared")]);
    let found = places.map(|place| place.join("golden")).find(|place| place.is_dir());
    if found.is_none() {
        eprintln!("skipped: there is no folder ../shared/golden, and ONLOOKER_SHARED names none");
    }
    found
}

fn sheets(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut sheets: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "kif")).collect();
    sheets.sort();
    assert!(!sheets.is_empty());
    sheets
}

fn load(path: &Path, engine: Engine) -> GdlGame {
    let program = Program::read(&fs::read_to_string(path).unwrap()).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    GdlGame::new("", program, engine, &Limits::default()).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// Sheets for which trying to build a network takes too long for a test.
const SLOW: [&str; 8] =
    ["amazons", "amazonsTorus", "chess", "crissrace", "laikLee_hex", "mummymaze1p", "slaughter", "sudoku"];

/// The header and the first walk of each file come out as they are; 'onlooker walk SHEET --replay FILE' runs all of them.
fn reproduce_walks(engine: Engine) {
    let Some(folder) = golden() else { return };
    sheets(&folder).par_iter().for_each(|sheet| {
        if engine == Engine::Fast && SLOW.iter().any(|slow| sheet.file_stem().is_some_and(|stem| stem == *slow)) {
            return;
        }
        let game = load(sheet, engine);
        let file = BufReader::new(Decompressor::new(File::open(sheet.with_extension("jsonl.gz")).unwrap()).unwrap());
        let lines = file.lines().map(|line| line.unwrap() + "\n");
        let text: String = lines.take_while(|line| !line.starts_with("{\"w\":1,")).collect();
        let mut out = Vec::new();
        let report = replay(&game, text.as_bytes(), &mut out, 3).unwrap();
        assert_eq!(report.differences, [], "{sheet:?}");
        assert_eq!(String::from_utf8(out).unwrap(), text, "{sheet:?}");
    });
}

#[test]
fn the_plain_engine_reproduces_the_walks_of_a_reference_prover() {
    reproduce_walks(Engine::Plain);
}

#[test]
fn the_fast_engine_reproduces_the_walks_of_a_reference_prover() {
    reproduce_walks(Engine::Fast);
}

/// Walks of the fast engine, made by `play_at_random` and so by other ways than replays, are the plain engine's too.
#[test]
fn engines_agree_on_random_walks() {
    let Some(folder) = golden() else { return };
    sheets(&folder).par_iter().enumerate().for_each(|(number, sheet)| {
        if SLOW.iter().any(|slow| sheet.file_stem().is_some_and(|stem| stem == *slow)) {
            return;
        }
        let (plain, fast) = (load(sheet, Engine::Plain), load(sheet, Engine::Fast));
        let mut chance = Chance::stream(7, number as u64);
        let mut state = fast.start();
        let (mut moves, mut joint) = (Vec::new(), Vec::new());
        for _ in 0..chance.below(40) {
            if !fast.play_at_random(&mut state, &mut chance, &mut moves, &mut joint) {
                break;
            }
        }
        let facts = fast.facts(&state);
        let same = plain.state_with(&facts).unwrap();
        assert_eq!(plain.goals(&same), fast.goals(&state), "{sheet:?}");
        if plain.goals(&same).is_none() {
            for role in (0..plain.roles().len()).map(|role| Role(role as u8)) {
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                fast.legal(&state, role, &mut ours);
                plain.legal(&same, role, &mut theirs);
                let ours = fast.move_names(&state, role, &ours);
                assert_eq!(ours, plain.move_names(&same, role, &theirs), "{sheet:?}");
            }
        }
        assert!(fast.state_with(&facts).unwrap() == state, "{sheet:?}");
    });
}

#[test]
fn sheets_of_others_are_written_as_they_are_read() {
    let Some(folder) = golden() else { return };
    for path in sheets(&folder) {
        let sheet = Sheet::parse(&fs::read_to_string(&path).unwrap()).unwrap();
        let written = sheet.to_string();
        assert_eq!(Sheet::parse(&written).unwrap().to_string(), written, "{path:?}");
    }
}

fn pattern() -> impl Strategy<Value = String> {
    let leaf = prop_oneof!["[a-z][a-z0-9+-]{0,3}", "\\?[a-zA-Z]{1,2}", "[0-9]{1,2}"];
    leaf.prop_recursive(3, 8, 3, |inner| {
        ("[a-z]{1,3}", prop::collection::vec(inner, 0..3)).prop_map(|(name, parts)| {
            format!("({name}{})", parts.iter().map(|part| format!(" {part}")).collect::<String>())
        })
    })
}

fn atom() -> impl Strategy<Value = String> {
    ("[a-z]{1,3}x", prop::collection::vec(pattern(), 0..3)).prop_map(|(name, parts)| match parts.len() {
        0 => name,
        _ => format!("({name} {})", parts.join(" ")),
    })
}

fn formula() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        3 => atom(),
        1 => (pattern(), pattern()).prop_map(|(one, other)| format!("(distinct {one} {other})")),
        1 => pattern().prop_map(|fact| format!("(true {fact})")),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|part| format!("(not {part})")),
            prop::collection::vec(inner.clone(), 0..3).prop_map(|parts| format!("(or {})", parts.join(" "))),
            prop::collection::vec(inner, 0..3).prop_map(|parts| format!("(and {})", parts.join(" "))),
        ]
    })
}

proptest! {
    /// What was read is written so that it reads as the same rules.
    #[test]
    fn rules_are_written_as_they_are_read(rules in prop::collection::vec((atom(), prop::collection::vec(formula(), 0..4)), 0..6)) {
        let rules = rules.iter().map(|(head, body)| format!("(<= {head} {}) ; why\r\n", body.join(" ")));
        let text: String = rules.collect();
        let sheet = Sheet::parse(&text).unwrap();
        let written = sheet.to_string();
        let again = Sheet::parse(&written).unwrap();
        prop_assert_eq!(again.to_string(), written);
        prop_assert_eq!(again.rules.len(), sheet.rules.len());
        for (one, other) in again.rules.iter().zip(&sheet.rules) {
            prop_assert_eq!(one.to_string(), other.to_string());
        }
        // Whatever it says, it is either refused or ready to run.
        let _ = Program::new(&sheet);
    }

    /// No text is anything but read or refused.
    #[test]
    fn any_text_is_read_or_refused(text in "[()?a<=; \n]{0,60}") {
        if let Err(error) = Program::read(&text) {
            prop_assert!(error.problems.iter().all(|problem| problem.span.end <= text.len()));
        }
    }
}
