//! `cargo run --release --example pgn_log -- FILE.pgn[.gz] GAMES [SKIP] > games.log` writes people's games of chess as a log with the
//! moves played; so many games are skipped first.

#[path = "mod.rs"]
#[allow(dead_code, reason = "the tests use another part of it")]
mod pgn;

use onlooker::observe::LogWriter;
use std::io::{self, BufWriter};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const USAGE: &str = "pgn_log FILE.pgn[.gz] GAMES [SKIP]";
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (path, games, skip) = match &words[..] {
        [path, games] => (path, games.parse()?, 0),
        [path, games, skip] => (path, games.parse()?, skip.parse()?),
        _ => return Err(USAGE.into()),
    };
    let text = pgn::text(path.as_ref())?;
    let mut log = LogWriter::new(BufWriter::new(io::stdout().lock()));
    for moves in pgn::games(&text).skip(skip).take(games) {
        pgn::watched(&moves).0.iter().try_for_each(|record| log.write(record))?;
    }
    log.finish()?;
    Ok(())
}
