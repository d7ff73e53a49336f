//! `onlooker bench`

use crate::game_argument::{GameArgument, too_large};
use crate::{Done, output};
use anyhow::{Result, bail};
use onlooker::game::{Chance, Game, Playouts};
use std::time::{Duration, Instant};

/// Measure random playouts on one thread
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker bench breakthrough --seconds 2")]
pub struct Args {
    #[command(flatten)]
    game: GameArgument,
    /// How long
    #[arg(long, value_name = "S", default_value_t = 2.0)]
    seconds: f64,
    /// The same seed plays the same games, though not as many
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A game may have no end; its playouts are then this long.
const MAX_PLIES: u64 = 100_000;
/// The longest that can be asked for: a day.
const MAX_SECONDS: f64 = 86_400.0;

pub fn run(args: Args) -> Result<Done> {
    if !(args.seconds > 0.0 && args.seconds <= MAX_SECONDS) {
        bail!("found --seconds {}, expected a number above 0 and up to {MAX_SECONDS}", args.seconds);
    }
    let begin = Instant::now();
    let game = args.game.load()?;
    let start = game.start();
    let setup = begin.elapsed().as_secs_f64();
    let mut chance = Chance::new(args.seed);
    let mut playouts = Playouts::new(&game);
    let limit = Duration::from_secs_f64(args.seconds);
    let begin = Instant::now();
    let (mut played, mut plies) = (0u64, 0u64);
    while begin.elapsed() < limit {
        let playout = playouts.run(&start, MAX_PLIES, &mut chance);
        if let Some(error) = playout.truncation() {
            return Err(too_large(error));
        }
        plies += playout.plies;
        played += 1;
    }
    let seconds = begin.elapsed().as_secs_f64();
    let (playouts_per_s, states_per_s) = (played as f64 / seconds, plies as f64 / seconds);
    if args.json {
        let json =
            serde_json::json!({ "playouts_per_s": playouts_per_s, "states_per_s": states_per_s, "setup_s": setup });
        output::line(json)?;
    } else {
        output::line(format!("{playouts_per_s:.0} playouts/s, {states_per_s:.0} states/s"))?;
        output::line(format!("{:.1} turns a game, set up in {:.2} ms", plies as f64 / played as f64, setup * 1e3))?;
    }
    Ok(Done::Holds)
}
