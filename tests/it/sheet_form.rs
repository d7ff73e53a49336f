//! Sheets are known again whatever their names are, and told apart whatever they have in common.

use onlooker::game::{Chance, Term};
use onlooker::gdl::{Sheet, SheetForm};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The language's own words, and the numbers that roles get.
fn is_kept(word: &str) -> bool {
    const KEYWORDS: [&str; 17] = [
        "role", "init", "true", "next", "does", "legal", "goal", "terminal", "base", "input", "sees", "distinct",
        "not", "or", "and", "<=", "random",
    ];
    word.starts_with('?')
        || word.parse::<u32>().is_ok()
        || KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// The sheet with other names and its rules in another order.
fn scrambled(sheet: &Sheet, chance: &mut Chance) -> Sheet {
    let text = sheet.to_string();
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || "()".contains(c)).filter(|word| !word.is_empty()).collect();
    let mut names: HashMap<String, String> = HashMap::new();
    for word in words.into_iter().filter(|word| !is_kept(word)) {
        let number = names.len();
        // The order of the new names says nothing about that of the old ones.
        names.entry(word.to_owned()).or_insert_with(|| format!("w{:x}x{number}", chance.bits() as u16));
    }
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_whitespace() || "()".contains(c) {
            out.push_str(names.get(&word).unwrap_or(&word));
            word.clear();
            out.push(c);
        } else {
            word.push(c);
        }
    }
    let mut sheet = Sheet::parse(&out).unwrap();
    for at in (1..sheet.rules.len()).rev() {
        sheet.rules.swap(at, chance.below(at + 1));
    }
    for rule in &mut sheet.rules {
        rule.body.reverse();
    }
    sheet
}

/// Our sheets, and some of those that others wrote where they are at hand.
fn sheets() -> Vec<(String, Sheet)> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut paths: Vec<PathBuf> = fs::read_dir(ours).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "kif"));
    paths.sort();
    if let Some(golden) = crate::gdl::golden() {
        let names =
            ["breakthrough", "connectFour", "checkers", "ticTacToe", "pentago", "blocksWorld", "hex", "3pConnectFour"];
        paths.extend(names.map(|name| golden.join(format!("{name}.kif"))));
    }
    let sheet = |path: &PathBuf| Sheet::parse(&fs::read_to_string(path).unwrap()).unwrap();
    paths.iter().map(|path| (path.display().to_string(), sheet(path))).collect()
}

#[test]
fn scrambled_sheets_are_known_again_and_others_told_apart() {
    let mut known: HashMap<u128, String> = HashMap::new();
    for (number, (name, sheet)) in sheets().into_iter().enumerate() {
        let form = SheetForm::of(&sheet);
        let mut chance = Chance::stream(5, number as u64);
        let other = scrambled(&sheet, &mut chance);
        let other_form = SheetForm::of(&other);
        assert_eq!(form.hash(), other_form.hash(), "{name}");
        // Facts of the start are translated to facts of the start.
        let text = other.to_string();
        for rule in sheet.rules.iter().filter(|rule| rule.head.relation == "init" && rule.body.is_empty()) {
            let init: Term = rule.head.to_string().parse().unwrap();
            let translated = form.translate(&init, &other_form).unwrap();
            assert!(text.contains(&translated.to_string()), "{name}: {init} -> {translated}");
        }
        if let Some(before) = known.insert(form.hash(), name.clone()) {
            panic!("{name} is taken for {before}");
        }
        // A sheet with a rule less is another one.
        let mut less = sheet.clone();
        less.rules.pop();
        assert_ne!(SheetForm::of(&less).hash(), form.hash(), "{name}");
    }
    assert!(known.len() >= 5);
}
