//! `onlooker reproduce`

use crate::progress::Progress;
use crate::reproduce::sgrl::{Plan, studies};
use crate::reproduce::{Table, games_needed, learning_time, move_generation};
use crate::{Done, output};
use anyhow::{Result, bail};
use clap::ValueEnum;
use onlooker::observe::Listing;
use std::sync::atomic::{AtomicU64, Ordering};

/// Repeat the experiments of a paper and print its tables with our figures beside
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker reproduce sgrl --quick\n\n\
                        Papers:\n  sgrl      Y. Björnsson, Learning Rules of Simplified Boardgames by Observing (2012)\n  \
                        grl, concepts, opponent, tactics are not available yet")]
pub struct Args {
    /// The paper
    #[arg(value_enum, hide_possible_values = true)]
    paper: Paper,
    /// Three trials instead of twenty
    #[arg(long)]
    quick: bool,
    /// How many trials, instead of three or twenty
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    trials: Option<u64>,
    /// From how many games with a single move, instead of 1000; with all moves from 50 or as many
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1000))]
    games: u64,
    /// The same seed gives the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Paper {
    Sgrl,
    Grl,
    Concepts,
    Opponent,
    Tactics,
}

/// In how many games all moves are known.
const ALL_GAMES: u64 = 50;

pub fn run(args: Args) -> Result<Done> {
    if !matches!(args.paper, Paper::Sgrl) {
        let name = args.paper.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        bail!("the experiments of {name} are not available yet, expected sgrl");
    }
    let trials = args.trials.unwrap_or(if args.quick { 3 } else { 20 });
    let plan = Plan { trials, seed: args.seed, all_games: ALL_GAMES.min(args.games), single_games: args.games };
    let tables = sgrl(&plan)?;
    if args.json {
        let tables: Vec<serde_json::Value> = tables.iter().map(Table::json).collect();
        output::line(serde_json::json!({ "tables": tables }))?;
    } else {
        let texts: Vec<String> = tables.iter().map(Table::text).collect();
        output::line(texts.join("\n").trim_end())?;
    }
    Ok(Done::Holds)
}

fn sgrl(plan: &Plan) -> Result<Vec<Table>> {
    let studies = studies()?;
    let progress = Progress::new(3 * plan.trials * studies.len() as u64, "trials");
    let count = AtomicU64::new(0);
    let done = || progress.set(count.fetch_add(1, Ordering::Relaxed) + 1);
    let tables = vec![
        learning_time::table(&studies, plan, Listing::All, &done)?,
        learning_time::table(&studies, plan, Listing::Some, &done)?,
        games_needed::table(&studies, plan, &done)?,
        move_generation::table(plan.seed)?,
    ];
    progress.finish();
    Ok(tables)
}
