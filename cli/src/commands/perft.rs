//! `onlooker perft`

use crate::game_argument::{GameArgument, too_large};
use crate::{Done, output};
use anyhow::Result;
use onlooker::game::{divide, perft_parallel};

/// Count the sequences of moves of each length
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker perft breakthrough --depth 4")]
pub struct Args {
    #[command(flatten)]
    game: GameArgument,
    /// The greatest length
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: u32,
    /// Show the count behind each first move
    #[arg(long, conflicts_with = "json")]
    divide: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<Done> {
    let game = args.game.load()?;
    let depth = args.depth as usize;
    if args.divide {
        for part in divide(&game, depth) {
            let part = part.map_err(too_large)?;
            output::line(format!("{:16} {}", part.names.join(" "), part.leaves))?;
        }
        return Ok(Done::Holds);
    }
    let nodes = perft_parallel(&game, depth).map_err(too_large)?;
    if args.json {
        output::line(serde_json::json!({ "nodes": nodes }))?;
    } else {
        for (depth, nodes) in (1..).zip(nodes) {
            output::line(format!("{depth:3}  {nodes}"))?;
        }
    }
    Ok(Done::Holds)
}
