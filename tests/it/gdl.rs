//! Rule sheets: walks of a reference prover, laws of reading and writing, and engines against each other.

use onlooker::game::{GdlGame, replay};
use onlooker::gdl::{Program, Sheet};
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

fn load(path: &Path) -> GdlGame {
    let program = Program::read(&fs::read_to_string(path).unwrap()).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    GdlGame::new("", program).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// Sheets that the plain engine runs, but too slowly for a test.
const SLOW: [&str; 8] =
    ["amazons", "amazonsTorus", "chess", "crissrace", "laikLee_hex", "mummymaze1p", "slaughter", "sudoku"];

#[test]
fn the_walks_of_a_reference_prover_are_reproduced() {
    let Some(folder) = golden() else { return };
    sheets(&folder).par_iter().for_each(|sheet| {
        if SLOW.iter().any(|slow| sheet.file_stem().is_some_and(|stem| stem == *slow)) {
            return;
        }
        let game = load(sheet);
        // The header and the first walk; 'onlooker walk SHEET --replay FILE' runs all of them.
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
