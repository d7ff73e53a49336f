//! Random playouts: the engine that runs rules files beside players written by hand for one game each.
//!
//! `cargo bench --bench playouts` prints criterion's figures and then a table of ratios, for which both sides are
//! measured by turns in one run.

mod hand_written;

use criterion::{Criterion, criterion_group};
use hand_written::{Amazons, Breakthrough, Checkers, ChessBreakthrough, HandWritten, Rng};
use onlooker::game::{Chance, Game, Playouts, RulesGame, catalogue_game, perft};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Names of games, with how deep their move sequences are counted on both sides.
const GAMES: [(&str, u32); 4] = [("breakthrough", 4), ("chess-breakthrough", 4), ("checkers", 6), ("amazons", 1)];

fn engine(name: &str) -> RulesGame {
    catalogue_game(name).expect("a game of the catalogue")
}

/// A playout of the engine, with how many plies it had.
fn engine_playouts(game: &RulesGame) -> impl FnMut() -> u64 {
    let (mut playouts, start, mut chance) = (Playouts::new(game), game.start(), Chance::new(1));
    move || playouts.run(&start, u64::MAX, &mut chance).plies
}

/// The same by hand.
fn hand_playouts<H: HandWritten>() -> impl FnMut() -> u64 {
    let (mut player, mut rng) = (H::new(), Rng::new(1));
    move || u64::from(player.playout(&mut rng).0)
}

fn hand(name: &str) -> Box<dyn FnMut() -> u64> {
    match name {
        "breakthrough" => Box::new(hand_playouts::<Breakthrough>()),
        "chess-breakthrough" => Box::new(hand_playouts::<ChessBreakthrough>()),
        "checkers" => Box::new(hand_playouts::<Checkers>()),
        _ => Box::new(hand_playouts::<Amazons>()),
    }
}

/// Both sides must play the same game: as many sequences of moves, and random games of the same length.
fn assert_same_game(name: &str, depth: u32) {
    let game = engine(name);
    let counted = perft(&game, depth as usize).expect("no state is too large")[depth as usize - 1];
    let by_hand = match name {
        "breakthrough" => Breakthrough::new().perft(depth),
        "chess-breakthrough" => ChessBreakthrough::new().perft(depth),
        "checkers" => Checkers::new().perft(depth),
        _ => Amazons::new().perft(depth),
    };
    assert_eq!(counted, by_hand, "{name}");
    let mean = |mut playout: Box<dyn FnMut() -> u64>| (0..1000).map(|_| playout()).sum::<u64>() as f64 / 1000.0;
    let (ours, theirs) = (mean(Box::new(engine_playouts(&game))), mean(hand(name)));
    assert!((ours / theirs - 1.0).abs() < 0.1, "{name}: games of {ours} and {theirs} plies");
}

fn playouts(criterion: &mut Criterion) {
    for (name, depth) in GAMES {
        assert_same_game(name, depth);
        let mut group = criterion.benchmark_group(format!("playout/{name}"));
        let game = engine(name);
        let mut playout = engine_playouts(&game);
        group.bench_function("rules", |bencher| bencher.iter(|| black_box(playout())));
        let mut playout = hand(name);
        group.bench_function("by hand", |bencher| bencher.iter(|| black_box(playout())));
        group.finish();
    }
}

criterion_group!(benches, playouts);

/// Playouts and plies per second in a window of time.
fn measure(playout: &mut dyn FnMut() -> u64) -> (f64, f64) {
    let begin = Instant::now();
    let (mut played, mut plies) = (0, 0);
    while begin.elapsed() < Duration::from_millis(200) {
        for _ in 0..8 {
            plies += playout();
            played += 1;
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    (f64::from(played) / seconds, plies as f64 / seconds)
}

/// Measures both sides by turns, so that a busy machine slows both, and takes the best of each.
fn ratios() {
    println!("\n| game | rules: playouts/s | states/s | by hand: playouts/s | states/s | by hand / rules |");
    println!("|---|---|---|---|---|---|");
    for (name, _) in GAMES {
        let game = engine(name);
        let (mut ours, mut theirs) = (engine_playouts(&game), hand(name));
        let (mut best, mut best_by_hand) = ((0.0, 0.0), (0.0, 0.0));
        for _ in 0..12 {
            let (one, other) = (measure(&mut ours), measure(&mut *theirs));
            best = if one > best { one } else { best };
            best_by_hand = if other > best_by_hand { other } else { best_by_hand };
        }
        let ratio = best_by_hand.0 / best.0;
        println!(
            "| {name} | {:.0} | {:.0} | {:.0} | {:.0} | {ratio:.2} |",
            best.0, best.1, best_by_hand.0, best_by_hand.1
        );
    }
}

fn main() {
    // Under `cargo test` benchmarks are only tried, not measured.
    let tried = std::env::args().any(|argument| argument == "--test");
    benches();
    Criterion::default().configure_from_args().final_summary();
    if !tried {
        ratios();
    }
}
