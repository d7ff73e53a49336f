//! Move generation for every game of the catalogue: microseconds for a thousand positions of random play.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use onlooker::game::{CATALOGUE, Chance, Game, RulesGame, catalogue_game};
use onlooker::rules::State;
use std::hint::black_box;

const POSITIONS: usize = 1000;

/// Positions of random games, none of them over.
fn positions(game: &RulesGame) -> Vec<State> {
    let (mut chance, mut moves, mut joint) = (Chance::new(1), Vec::new(), Vec::new());
    let mut positions = Vec::new();
    let mut state = game.start();
    while positions.len() < POSITIONS {
        if game.goals(&state).is_some() {
            state = game.start();
        }
        positions.push(state.clone());
        game.play_at_random(&mut state, &mut chance, &mut moves, &mut joint);
    }
    positions
}

fn generation(criterion: &mut Criterion) {
    for (name, _) in CATALOGUE {
        let game = catalogue_game(name).expect("a game of the catalogue");
        let positions = positions(&game);
        let mut moves = Vec::new();
        let mut list = |state: &State| {
            let role = game.to_move(state).iter().next().expect("somebody is to move");
            game.legal(state, role, &mut moves);
            moves.len() as u64
        };
        // Listing and counting are different code and must agree on every position.
        assert!(positions.iter().all(|state| list(state) == game.count(state) && game.count(state) > 0), "{name}");
        let total: u64 = positions.iter().map(&mut list).sum();
        let mut group = criterion.benchmark_group(format!("moves/{name}"));
        group.throughput(Throughput::Elements(total));
        group.bench_function("list", |bencher| {
            bencher.iter(|| assert_eq!(black_box(&positions).iter().map(&mut list).sum::<u64>(), total));
        });
        group.bench_function("count", |bencher| {
            bencher
                .iter(|| assert_eq!(black_box(&positions).iter().map(|state| game.count(state)).sum::<u64>(), total));
        });
        group.finish();
    }
}

criterion_group!(benches, generation);
criterion_main!(benches);
