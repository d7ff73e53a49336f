//! Any text either reads as a sheet that is written so that it reads as the same rules, and that runs alike on both
//! engines or says why not; or gives problems that lie within the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use onlooker::game::{Game, GdlGame};
use onlooker::gdl::{Engine, GroundingLimits, Program, Sheet};

fuzz_target!(|text: &str| {
    let sheet = match Sheet::parse(text) {
        Ok(sheet) => sheet,
        Err(error) => {
            assert!(error.problems.iter().all(|problem| text.get(problem.span.clone()).is_some()));
            return;
        }
    };
    let written = sheet.to_string();
    assert_eq!(Sheet::parse(&written).expect("it reads again").to_string(), written);
    let Ok(program) = Program::new(&sheet) else { return };
    let limits = GroundingLimits { literals: 10_000, atoms: 1_000, work: 100_000 };
    let make = |engine| GdlGame::new("", program.clone(), engine, &limits);
    let (Ok(plain), Ok(fast)) = (make(Engine::Prover), make(Engine::Fast)) else { return };
    let (mut one, mut other) = (plain.start(), fast.start());
    for _ in 0..5 {
        if plain.truncation(&one).is_some() || fast.truncation(&other).is_some() {
            break;
        }
        let facts = |game: &GdlGame, state: &_| {
            let mut facts: Vec<String> = game.facts(state).iter().map(ToString::to_string).collect();
            facts.sort();
            facts
        };
        assert_eq!(facts(&plain, &one), facts(&fast, &other));
        assert_eq!(plain.goals(&one), fast.goals(&other));
        if plain.goals(&one).is_some() {
            break;
        }
        assert_eq!(plain.to_move(&one), fast.to_move(&other));
        let first = |game: &GdlGame, state: &_| {
            let mut joint = Vec::new();
            for role in game.to_move(state).iter() {
                let mut moves = Vec::new();
                game.legal(state, role, &mut moves);
                joint.push(moves.swap_remove(0));
            }
            joint
        };
        let (ours, theirs) = (first(&plain, &one), first(&fast, &other));
        plain.play(&mut one, &ours);
        fast.play(&mut other, &theirs);
    }
});
