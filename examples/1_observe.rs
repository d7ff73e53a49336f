//! Reads a log and tells what is in it: `cargo run --example 1_observe -- games.log.gz`
//! Without a file it simulates one game of tic-tac-toe and reads that.

use onlooker::game::{SimulationPlan, catalogue_game, simulate};
use onlooker::observe::{Decompressor, GameReader, Listing};
use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::sync::atomic::AtomicBool;

fn main() -> Result<(), Box<dyn Error>> {
    let log: Box<dyn Read> = match std::env::args().nth(1) {
        Some(path) => Box::new(Decompressor::new(File::open(path)?)?),
        None => {
            let game = catalogue_game("tic-tac-toe").expect("a game of the catalogue");
            let plan = SimulationPlan { games: 1, listing: Listing::All, seed: 1, plies: 100 };
            let mut log = Vec::new();
            simulate(&game, &plan, &mut log, &AtomicBool::new(false), &mut |_| {})?;
            Box::new(std::io::Cursor::new(log))
        }
    };
    for (number, records) in (1..).zip(GameReader::new(log)) {
        let records = records?;
        for record in &records {
            print!("{}", record.position);
            match (record.played(), record.outcome) {
                (Some(played), _) => println!("{} plays {played}\n", record.turn.letter()),
                (None, outcome) => println!("{outcome:?}\n"),
            }
        }
        println!("game {number}: {} positions\n", records.len());
    }
    Ok(())
}
