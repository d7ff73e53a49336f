//! Training Naive Bayes and ranking with it, and predicting with the model of moves: each on one thread, each with its answer checked.
//!
//! `cargo bench --bench opponent`

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use onlooker::game::{AnyGame, Chance, Role};
use onlooker::opponent::{
    ClassId, FeatureId, ModelOptions, MoveView, NaiveBayes, OpponentModel, select_features, watch_matches,
};
use onlooker::play::{AlphaBeta, MatchPlan, Random};
use std::hint::black_box;
use std::sync::atomic::AtomicBool;

const POSITIONS: usize = 100_000;
const FEATURES: u32 = 500;
const CLASSES: usize = 25;

/// Positions in which about a tenth of the facts holds, as in games.
fn positions() -> Vec<(ClassId, Vec<FeatureId>)> {
    let mut chance = Chance::new(1);
    let position = |chance: &mut Chance| {
        let class = chance.below(CLASSES);
        let holds = |feature: &u32| chance.below(10) == 0 || *feature as usize % CLASSES == class;
        (ClassId(class as u32), (0..FEATURES).filter(holds).map(FeatureId).collect())
    };
    (0..POSITIONS).map(|_| position(&mut chance)).collect()
}

fn train(positions: &[(ClassId, Vec<FeatureId>)]) -> (NaiveBayes, onlooker::opponent::RankingTable) {
    let mut counts = NaiveBayes::new(1.0);
    positions.iter().for_each(|(class, features)| counts.observe(*class, features));
    let table = counts.table(select_features(&counts, FEATURES as usize));
    (counts, table)
}

fn benches(c: &mut Criterion) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first pool");
    let positions = positions();
    let mut group = c.benchmark_group("opponent");
    group.sample_size(10);
    group.bench_function("training on 100,000 positions with 500 features", |b| {
        b.iter(|| assert_eq!(black_box(train(&positions)).0.total(), POSITIONS as u64));
    });
    let (counts, table) = train(&positions);
    let mut scores = Vec::new();
    group.bench_function("ranking 25 moves", |b| {
        b.iter(|| {
            let (class, features) = &positions[7];
            table.scores(features, &mut scores);
            let mut order: Vec<usize> = (0..CLASSES).collect();
            order.sort_unstable_by(|&one, &other| scores[other].total_cmp(&scores[one]));
            assert_eq!(black_box(order)[0], class.0 as usize);
        });
    });
    group.bench_function("taking in one turn", |b| {
        let room = || (counts.clone(), table.clone());
        b.iter_batched_ref(
            room,
            |(counts, table)| counts.observe_with(table, positions[7].0, &positions[7].1),
            BatchSize::SmallInput,
        );
    });
    let game = AnyGame::catalogue("tic-tac-toe").expect("a game of the catalogue");
    let plan = MatchPlan { games: 100, seed: 1, plies: 100 };
    let player = AlphaBeta::new(2);
    let turns = watch_matches(&game, Role(1), &player, &Random, &plan, 0, &AtomicBool::new(false), &|| {});
    let turns = turns.expect("no state is too large");
    for (name, view) in [
        ("predicting a turn of tic-tac-toe by facts", MoveView { effects: false, ..MoveView::default() }),
        ("predicting a turn of tic-tac-toe by what moves do, looking ahead", MoveView::default()),
    ] {
        let mut model = OpponentModel::new("tic-tac-toe", "o", ModelOptions::Moves(view));
        model.train(&game, Role(1), &turns, 1);
        let turn = turns.iter().find(|turn| turn.options.moves.len() > 5).expect("an early turn");
        group.bench_function(name, |b| {
            b.iter(|| assert!(model.predict(&game, &turn.state, Role(1), &turn.options).shares.len() > 5));
        });
    }
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
