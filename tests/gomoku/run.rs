//! Measures go-moku: `cargo run --release --example gomoku -- [games] [puzzles] [seed] [milliseconds a move]`. Without a time the effort of a
//! move is counted in nodes.

#[path = "mod.rs"]
mod gomoku;

use gomoku::Tried;
use onlooker::tactics::{FeatureValue, Library, Recogniser, Status};
use std::time::{Duration, Instant};

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let number = |at: usize, otherwise: usize| numbers.get(at).copied().unwrap_or(otherwise);
    let (games, puzzles, seed) = (number(0, 2), number(1, 5), number(2, 1) as u64);
    let time = numbers.get(3).map(|&time| Duration::from_millis(time as u64));
    let system = gomoku::system();
    let begun = Instant::now();
    let mut last = Instant::now();
    let library = gomoku::learn(&system, &mut |name, library: &Library| {
        let count = |status| library.rules.iter().filter(|rule| rule.status == status).count();
        let counts = [Status::Proved, Status::PerPosition, Status::Unproved].map(count);
        println!("{name}: {counts:?} rules, {:.1} s", last.elapsed().as_secs_f64());
        last = Instant::now();
    });
    let library = match library {
        Ok(library) => library,
        Err((name, error)) => return eprintln!("{name}: {error}"),
    };
    println!("15 examples: {} rules in {:.1} s", library.rules.len(), begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    let recogniser = Recogniser::new(&system, &library).expect("small enough");
    let plain = Recogniser::new(&system, &Library::default()).expect("small enough");
    println!("compiled in {:.2} s", begun.elapsed().as_secs_f64() / 2.0);
    let begun = Instant::now();
    let value = FeatureValue::learn(&recogniser);
    println!("value learnt in {:.2} s", begun.elapsed().as_secs_f64());
    measure_games(&recogniser, &value, games, seed, time);
    measure_puzzles(&[("with", &recogniser), ("without", &plain)], puzzles, seed);
}

/// Games against the one-move player, the sides in turn; the lost ones are printed move by move.
fn measure_games(recogniser: &Recogniser, value: &FeatureValue, games: usize, seed: u64, time: Option<Duration>) {
    let (mut won, mut lost) = (0, 0);
    let mut seconds: Vec<f64> = Vec::new();
    for game in 0..games as u64 {
        let number = seed * 1000 + game;
        let played = gomoku::play(recogniser, value, (gomoku::FORESIGHT, time), number);
        seconds.extend(&played.seconds);
        match played.won {
            Some(true) => won += 1,
            Some(false) => lost += 1,
            None => {}
        }
        if played.won != Some(true) {
            let named =
                |&at: &usize| format!("{}{}", char::from(b'a' + (at % gomoku::SIDE) as u8), at / gomoku::SIDE + 1);
            let squares: Vec<String> = played.squares.iter().map(named).collect();
            let side = ["x", "o"][number as usize % 2];
            println!("game {number}, as {side}: {:?}, {}: {}", played.won, played.why, squares.join(" "));
        }
    }
    if games > 0 {
        seconds.sort_by(f64::total_cmp);
        let mean = seconds.iter().sum::<f64>() / seconds.len() as f64;
        let most = seconds.last().copied().unwrap_or(0.0);
        println!(
            "{won} of {games} games won, {lost} lost; a move {:.0} ms on average, the slowest {:.0} ms",
            1000.0 * mean,
            1000.0 * most
        );
    }
}

/// Puzzles of depth 3 to 9, with rules and without, 1000 nodes each.
fn measure_puzzles(recognisers: &[(&str, &Recogniser)], count: usize, seed: u64) {
    if count == 0 {
        return;
    }
    let begun = Instant::now();
    let made = gomoku::puzzles(seed, count);
    println!("{count} puzzles made in {:.1} s", begun.elapsed().as_secs_f64());
    for (name, recogniser) in recognisers {
        let begun = Instant::now();
        let tried: Vec<(Tried, u32)> = made.iter().map(|puzzle| gomoku::solve(recogniser, puzzle, 1000)).collect();
        println!("{name} rules, {:.2} s:", begun.elapsed().as_secs_f64());
        for depths in (3..=9).map(|depth| depth..=depth).chain([7..=9, 3..=9]) {
            let of: Vec<(Tried, u32)> = made
                .iter()
                .zip(&tried)
                .filter(|(puzzle, _)| depths.contains(&puzzle.depth))
                .map(|(_, &tried)| tried)
                .collect();
            let count = |wanted: Tried| of.iter().filter(|(tried, _)| *tried == wanted).count();
            let nodes = of.iter().map(|(_, used)| f64::from(*used)).sum::<f64>() / of.len().max(1) as f64;
            println!(
                "  depth {depths:?}: {} of {} solved, {} doubtful, {nodes:.0} nodes on average",
                count(Tried::Solved),
                of.len(),
                count(Tried::Doubtful)
            );
        }
    }
}
