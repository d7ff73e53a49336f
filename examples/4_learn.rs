//! From a log to rules: evidence is gathered game by game, and rules are learnt from it.
//!
//! `cargo run --release --example 4_learn [LOG]`

use onlooker::game::{SimulationPlan, catalogue_game, simulate};
use onlooker::learn::{Evidence, Options, learn};
use onlooker::observe::{Decompressor, GameReader, Listing};
use std::fs::File;
use std::io::Read;
use std::sync::atomic::AtomicBool;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let log: Box<dyn Read> = match std::env::args().nth(1) {
        Some(path) => Box::new(Decompressor::new(File::open(path)?)?),
        None => {
            let game = catalogue_game("checkers-breakthrough").ok_or("no such game")?;
            let plan = SimulationPlan { games: 20, listing: Listing::Some, seed: 1, plies: 1000 };
            let mut log = Vec::new();
            simulate(&game, &plan, &mut log, &AtomicBool::new(false), &mut |_| {})?;
            Box::new(std::io::Cursor::new(log))
        }
    };
    let mut evidence = Evidence::default();
    for game in GameReader::new(log) {
        evidence.observe(&game?)?;
    }
    let learnt = learn(&evidence, &Options::default(), &AtomicBool::new(false), &|_| {})?;
    println!("{}", learnt.rules);
    for piece in &learnt.pieces {
        println!("{}: an automaton of {} states", piece.start, piece.automaton.states().len());
    }
    for what in &learnt.unexplained {
        println!("not accounted for: {what}");
    }
    Ok(())
}
