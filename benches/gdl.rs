//! Rule sheets: setting up, and random playouts beside the same games from rules files.

use criterion::{Criterion, criterion_group, criterion_main};
use onlooker::game::{Chance, Game, GdlGame, Playouts, catalogue_game, perft};
use onlooker::gdl::{Engine, GroundingLimits, Program};
use std::hint::black_box;

const SHEETS: [(&str, &str); 3] = [
    ("tic-tac-toe", include_str!("../games/tic-tac-toe.kif")),
    ("connect-four", include_str!("../games/connect-four.kif")),
    ("breakthrough", include_str!("../games/breakthrough.kif")),
];

fn game(name: &str, text: &str, engine: Engine) -> GdlGame {
    let program = Program::read(text).expect("our own sheets are sound");
    GdlGame::new(name, program, engine, &GroundingLimits::default()).expect("our own sheets are small")
}

fn sheets(criterion: &mut Criterion) {
    for (name, text) in SHEETS {
        let rules = catalogue_game(name).expect("a game of the catalogue");
        let answer = perft(&rules, 3).unwrap();
        let mut group = criterion.benchmark_group(format!("gdl/{name}"));
        group.bench_function("set up", |bencher| {
            bencher.iter(|| {
                let game = game(name, black_box(text), Engine::Fast);
                assert!(game.network().is_ok());
                game
            });
        });
        let fast = game(name, text, Engine::Fast);
        assert_eq!(perft(&fast, 3).unwrap(), answer);
        group.bench_function("perft 3", |bencher| bencher.iter(|| assert_eq!(perft(&fast, 3).unwrap(), answer)));
        let plain = game(name, text, Engine::Prover);
        assert_eq!(perft(&plain, 2).unwrap(), answer[..2]);
        group.bench_function("plain perft 2", |bencher| {
            bencher.iter(|| assert_eq!(perft(&plain, 2).unwrap(), answer[..2]))
        });
        let start = fast.start();
        let (mut playouts, mut chance) = (Playouts::new(&fast), Chance::new(1));
        group.bench_function("playout", |bencher| {
            bencher.iter(|| assert!(playouts.run(&start, 1000, &mut chance).goals().is_some()));
        });
        group.finish();
    }
}

criterion_group!(benches, sheets);
criterion_main!(benches);
