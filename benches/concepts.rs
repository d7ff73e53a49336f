//! Watching playouts and counting subsets, evaluating positions, fitting: each on one thread, each with its answer checked.
//!
//! `cargo bench --bench concepts`

use criterion::{Criterion, criterion_group, criterion_main};
use onlooker::concepts::{
    CompiledHeuristic, Evidence, FitOptions, PlayoutPlan, PlayoutPolicy, StatisticalOptions, fit_heuristic,
    statistical_heuristic, watch_playouts,
};
use onlooker::game::{Chance, Game, Role, RulesGame, catalogue_game};
use onlooker::play::Evaluation;
use std::hint::black_box;
use std::sync::atomic::AtomicBool;

fn watch(game: &RulesGame, playouts: u64, policy: PlayoutPolicy) -> Evidence {
    let plan = PlayoutPlan { playouts, wins: u64::MAX, seed: 1, plies: 1000, steps: u64::MAX, policy };
    watch_playouts(game, &plan, &AtomicBool::new(false), &|_| {}).0
}

fn count(game: &RulesGame, playouts: u64, cutoff: usize) -> usize {
    let evidence = watch(game, playouts, PlayoutPolicy::Random);
    let options = StatisticalOptions { cutoff, ..StatisticalOptions::default() };
    statistical_heuristic(&evidence, &options, &|_| false).rule_count()
}

/// States of a random game.
fn states(game: &RulesGame) -> Vec<<RulesGame as Game>::State> {
    let (mut state, mut chance) = (game.start(), Chance::new(1));
    let mut states = Vec::new();
    while game.play_at_random(&mut state, &mut chance, &mut Vec::new(), &mut Vec::new()) {
        states.push(state.clone());
    }
    states
}

fn benches(c: &mut Criterion) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first pool");
    let game = |name| catalogue_game(name).expect("a game of the catalogue");
    let (small, large) = (game("tic-tac-toe"), game("connect-four"));
    let mut group = c.benchmark_group("concepts");
    group.sample_size(10);
    group.bench_function("20,000 playouts of tic-tac-toe, cut-off 3", |b| {
        b.iter(|| assert!(black_box(count(&small, 20_000, 3)) > 200));
    });
    group.bench_function("2,000 playouts of connect four, cut-off 2", |b| {
        b.iter(|| assert!(black_box(count(&large, 2000, 2)) > 1000));
    });
    let evidence = watch(&large, 500, PlayoutPolicy::Greedy);
    let (heuristic, _) = fit_heuristic(&evidence, &FitOptions::default(), &AtomicBool::new(false));
    let compiled = CompiledHeuristic::new(&heuristic, &large).expect("it is for this game");
    let states = states(&large);
    group.bench_function("evaluating the states of a game of connect four", |b| {
        b.iter(|| states.iter().map(|state| compiled.evaluate(&large, state, Role(0))).sum::<i32>());
    });
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
