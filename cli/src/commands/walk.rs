//! `onlooker walk`

use crate::game_argument::{GameArgument, too_large};
use crate::{Done, input, output};
use anyhow::Result;
use onlooker::game::{ReplayError, WalkError, WalkPlan, replay, write_walks};
use std::io::{BufReader, BufWriter, Write};
use std::path::PathBuf;

/// Walk at random through a game, or walk again along a file, and print every state
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  onlooker walk tic-tac-toe --walks 5 --steps 60 > walks.jsonl\n  \
                        onlooker walk tic-tac-toe --replay walks.jsonl > again.jsonl")]
pub struct Args {
    #[command(flatten)]
    game: GameArgument,
    /// How many walks
    #[arg(long, value_name = "N", required_unless_present = "replay")]
    walks: Option<u64>,
    /// How many states of each
    #[arg(long, value_name = "M", required_unless_present = "replay")]
    steps: Option<u64>,
    /// The same seed gives the same bytes
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Compute the lines of this file again, and exit with 1 if anything differs
    #[arg(long, value_name = "FILE", conflicts_with_all = ["walks", "steps", "seed"])]
    replay: Option<PathBuf>,
    /// The lines are JSON already; accepted so that every command takes it
    #[arg(long)]
    json: bool,
}

/// How many differences are shown.
const SHOWN: usize = 5;

pub fn run(args: Args) -> Result<Done> {
    let game = args.game.load()?;
    let _ = args.json;
    let Some(path) = args.replay else {
        let mut out = BufWriter::new(output::Standard);
        let plan =
            WalkPlan { walks: args.walks.unwrap_or(0), steps: args.steps.unwrap_or(0), beyond: 0, seed: args.seed };
        write_walks(&game, &plan, &mut out).map_err(|error| match error {
            WalkError::Truncated { reason, walk, step } => {
                too_large(reason).context(format!("walk {walk}, step {step}"))
            }
            WalkError::Io(error) => error.into(),
        })?;
        out.flush()?;
        return Ok(Done::Holds);
    };
    output::check(&[None], &[&path])?;
    let name = input::name(&path);
    let input = BufReader::new(input::open(&path, "a file of walks")?);
    // What differs does not depend on who reads on.
    let mut out = BufWriter::new(output::WhileRead);
    let report = replay(&game, input, &mut out, SHOWN).map_err(|error| match error {
        ReplayError::Malformed { line, column, reason } => anyhow::anyhow!("{name}:{line}:{column}: {reason}"),
        ReplayError::Truncated { line, reason } => too_large(reason).context(format!("{name}:{line}")),
        ReplayError::Io(error) => anyhow::Error::new(error).context(format!("cannot replay {name}")),
    })?;
    out.flush()?;
    for difference in &report.differences {
        eprintln!("{difference}");
    }
    if report.different > report.differences.len() as u64 {
        eprintln!("{} differences in all", report.different);
    }
    Ok(if report.different == 0 { Done::Holds } else { Done::DoesNotHold })
}
