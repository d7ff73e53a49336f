//! Measures go-moku: `cargo run --release --example gomoku -- [games] [puzzles] [seed]`.

#[path = "mod.rs"]
mod gomoku;

use onlooker::tactics::{FeatureValue, Library, Recogniser, Status};
use std::time::Instant;

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let number = |at: usize, otherwise: usize| numbers.get(at).copied().unwrap_or(otherwise);
    let (games, puzzles, seed) = (number(0, 2), number(1, 5), number(2, 1) as u64);
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
    let (mut won, mut lost) = (0, 0);
    let begun = Instant::now();
    let foresight = gomoku::FORESIGHT;
    let (mut slowest, mut total, mut moves) = (0.0f64, 0.0, 0u32);
    for game in 0..games as u64 {
        let begun = Instant::now();
        match gomoku::play(&recogniser, &value, foresight, seed * 1000 + game, &mut |seconds| {
            (slowest, total, moves) = (slowest.max(seconds), total + seconds, moves + 1);
        }) {
            Some(true) => won += 1,
            Some(false) => lost += 1,
            None => {}
        }
        println!("game {game}: {won} won, {lost} lost so far, {:.2} s", begun.elapsed().as_secs_f64());
    }
    println!(
        "{won} of {games} games won, {lost} lost, {:.2} s a game, {:.0} ms a move, the slowest {:.0} ms",
        begun.elapsed().as_secs_f64() / games.max(1) as f64,
        1000.0 * total / f64::from(moves.max(1)),
        1000.0 * slowest
    );
    let begun = Instant::now();
    let made = gomoku::puzzles(seed, puzzles);
    println!("{} puzzles made in {:.1} s", made.len(), begun.elapsed().as_secs_f64());
    for (name, recogniser) in [("with", &recogniser), ("without", &plain)] {
        let begun = Instant::now();
        let solved: Vec<bool> = made.iter().map(|puzzle| gomoku::solves(recogniser, puzzle, 1000)).collect();
        let count = solved.iter().filter(|solved| **solved).count();
        println!("{name} rules: {count} of {} solved, {:.2} s", made.len(), begun.elapsed().as_secs_f64());
        for depth in 3..=9 {
            let of = |at: &usize| made[*at].depth == depth;
            let all = (0..made.len()).filter(of).count();
            let good = (0..made.len()).filter(of).filter(|&at| solved[at]).count();
            println!("  depth {depth}: {good} of {all}");
        }
    }
}
