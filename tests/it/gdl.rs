//! Rule sheets: walks of a reference prover, laws of reading and writing, and engines against each other.

use onlooker::game::{Chance, Game, GdlGame, Role, replay};
use onlooker::gdl::{Engine, GroundingLimits, Program, Sheet, Term, TooLarge};
use onlooker::observe::Decompressor;
use proptest::prelude::*;
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The folder of sheets and walks that others made, beside the repository or where a variable says.
pub fn golden() -> Option<PathBuf> {
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

/// Smaller than those of play, so that the tests do not wait for the largest networks: those sheets run plainly here.
const LIMITS: GroundingLimits = GroundingLimits { literals: 2_000_000, atoms: 300_000, work: 5_000_000 };

fn load(path: &Path, engine: Engine) -> GdlGame {
    let program = Program::read(&fs::read_to_string(path).unwrap()).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    GdlGame::new("", program, engine, &LIMITS).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// The header and the first walk of each file come out as they are; 'onlooker walk SHEET --replay FILE' runs all of them.
fn reproduce_walks(engine: Engine) {
    let Some(folder) = golden() else { return };
    sheets(&folder).par_iter().for_each(|sheet| {
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
    reproduce_walks(Engine::Prover);
}

#[test]
fn the_fast_engine_reproduces_the_walks_of_a_reference_prover() {
    reproduce_walks(Engine::Fast);
}

/// How many states of a sheet are compared: fewer the more there is to a state.
fn states_to_compare(plain: &GdlGame) -> usize {
    (60_000 / plain.facts(&plain.start()).len().max(1) / plain.program().clauses().max(1)).clamp(4, 60)
}

/// In every state of a random walk both engines say the same: facts, moves, ends and goals. The walk goes on now by `play`,
/// now by `play_at_random`, which is another way in the fast engine.
#[test]
fn engines_agree_in_every_state_of_random_walks() {
    let Some(folder) = golden() else { return };
    sheets(&folder).par_iter().enumerate().for_each(|(number, sheet)| {
        let (plain, fast) = (load(sheet, Engine::Prover), load(sheet, Engine::Fast));
        let mut chance = Chance::stream(7, number as u64);
        let (mut one, mut other) = (plain.start(), fast.start());
        for _ in 0..states_to_compare(&plain) {
            let sorted = |mut facts: Vec<Term>| {
                facts.sort();
                facts
            };
            let facts = sorted(fast.facts(&other));
            assert_eq!(sorted(plain.facts(&one)), facts, "{sheet:?}");
            assert!(fast.state_with(&facts).unwrap() == other, "{sheet:?}");
            assert_eq!(plain.truncation(&one), None, "{sheet:?}");
            assert_eq!(plain.goals(&one), fast.goals(&other), "{sheet:?}");
            if plain.goals(&one).is_some() {
                (one, other) = (plain.start(), fast.start());
                continue;
            }
            assert_eq!(plain.to_move(&one), fast.to_move(&other), "{sheet:?}");
            let (mut ours, mut theirs, mut joint, mut joint_too) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            for role in (0..plain.roles().len()).map(|role| Role(role as u8)) {
                plain.legal(&one, role, &mut ours);
                fast.legal(&other, role, &mut theirs);
                let names = plain.move_names(&one, role, &ours);
                assert_eq!(names, fast.move_names(&other, role, &theirs), "{sheet:?}");
                if plain.to_move(&one).contains(role) {
                    let pick = chance.below(ours.len());
                    joint.push(ours.swap_remove(pick));
                    joint_too.push(theirs.swap_remove(pick));
                }
            }
            if chance.below(3) == 0 {
                fast.play_at_random(&mut other, &mut chance, &mut theirs, &mut joint_too);
                one = plain.state_with(&fast.facts(&other)).unwrap();
            } else {
                plain.play(&mut one, &joint);
                fast.play(&mut other, &joint_too);
            }
        }
    });
}

/// Everything deep, long or many is refused or runs; nothing overflows a stack.
#[test]
fn sheets_beyond_all_measure_end() {
    let rest = "(role a) (legal a go) (init s) (<= (next ?x) (true ?x)) (goal a 0)";
    let chain = |link: &str| {
        let rules = (0..3000).map(|i| link.replace("I", &i.to_string()).replace("J", &(i + 1).to_string()));
        rules.collect::<String>()
    };
    let [long_list, endless_list] = [4_000, 200_000].map(|count| format!("(q {})", "x ".repeat(count)));
    let long_rule = format!("(<= terminal {})", "(true ?x) (p ?x) ".repeat(5_000));
    for (text, expected) in [
        ("(".repeat(1_000_000), "refused"),
        (format!("{}{}", "(a ".repeat(150), ")".repeat(150)), "refused"),
        (format!("{rest} (<= terminal {} (true s){})", "(or ".repeat(190), ")".repeat(190)), "any"),
        (format!("{rest} {long_list} (<= terminal {long_list})"), "runs"),
        (format!("{rest} {endless_list} (<= terminal {endless_list})"), "refused"),
        (format!("{rest} {long_rule} (p s)"), "runs"),
        (format!("{rest} {} (<= p3000 (true s)) (<= terminal p0)", chain("(<= pI pJ)")), "runs"),
        (format!("{rest} {} (<= p3000 (true s)) (<= terminal p0)", chain("(<= pI (not pJ))")), "any"),
        (format!("{rest} {}", chain("(f I) (<= (g I) (f I)) (<= (h I) (g J))")), "runs"),
    ] {
        let shown = &text[..text.len().min(80)];
        let Ok(program) = Program::read(&text) else {
            assert_ne!(expected, "runs", "{shown}");
            continue;
        };
        assert_ne!(expected, "refused", "{shown}");
        let limits = GroundingLimits { literals: 100_000, atoms: 100_000, work: 1_000_000 };
        match GdlGame::new("", program, Engine::Fast, &limits) {
            Ok(game) => {
                let mut state = game.start();
                game.play_at_random(&mut state, &mut Chance::new(1), &mut Vec::new(), &mut Vec::new());
            }
            Err(error) => assert_ne!(expected, "runs", "{shown}: {error}"),
        }
    }
}

/// Once it is told to stop, making a game ends soon, without a game.
#[test]
fn making_a_game_can_be_stopped() {
    let Some(folder) = golden() else { return };
    let stop = Arc::new(AtomicBool::new(true));
    for sheet in ["amazons", "chess", "sudoku", "mummymaze1p", "hex"] {
        let program = Program::read(&fs::read_to_string(folder.join(format!("{sheet}.kif"))).unwrap()).unwrap();
        let made = GdlGame::new_until("", program, Engine::Fast, &GroundingLimits::default(), Arc::clone(&stop));
        assert_eq!(made.err(), Some(TooLarge::Stopped), "{sheet}");
    }
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
