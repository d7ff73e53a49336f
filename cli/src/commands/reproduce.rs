//! `onlooker reproduce`

use crate::progress::Progress;
use crate::reproduce::concepts::{self, ConceptPlan};
use crate::reproduce::opponent::{self, OpponentPlan};
use crate::reproduce::sgrl::{TrialPlan, studies};
use crate::reproduce::{ResultTable, games_needed, grl, learning_time, move_generation, tactics};
use crate::{Done, output};
use anyhow::{Context, Result};
use clap::ValueEnum;
use onlooker::explain::model_svg;
use onlooker::observe::Listing;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Repeat the experiments of a paper and print its tables with our figures beside
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker reproduce sgrl --quick\n\n\
                        Papers:\n  sgrl      Y. Björnsson, Learning Rules of Simplified Boardgames by Observing (2012)\n  \
                        grl       P. Gregory, Y. Björnsson and S. Schiffel, The GRL System (2015)\n  \
                        concepts  Automated Generation of New Concepts from General Game Playing\n  \
                        opponent  Opponent Modeling in General Game Playing\n  \
                        tactics   S. Minton, A Game-Playing Program that Learns by Analyzing Examples (1985)")]
pub struct Args {
    /// The paper
    #[arg(value_enum, hide_possible_values = true)]
    paper: Paper,
    /// Few trials: three instead of twenty for sgrl, one with few games instead of three for grl, two instead of ten for concepts, few games for opponent, two seeds instead of a hundred for tactics
    #[arg(long)]
    quick: bool,
    /// How many trials
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    trials: Option<u64>,
    /// From how many games with a single move, instead of 1000; with all moves from 50 or as many. For concepts and opponent: how many games judge a function or a search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    games: Option<u64>,
    /// For concepts: do not count empty cells in Tables 3 to 6
    #[arg(long)]
    no_blanks: bool,
    /// For grl and opponent: a folder to write the figures to, as SVG
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
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
    let (trials, games) = match (args.paper, args.quick) {
        (Paper::Sgrl, true) => (3, 1000),
        (Paper::Sgrl, false) => (20, 1000),
        (Paper::Grl, true) => (1, 60),
        (Paper::Grl, false) => (3, 1000),
        (Paper::Concepts, quick) => return concepts(&args, quick),
        (Paper::Opponent, quick) => return opponent(&args, quick),
        (Paper::Tactics, quick) => return tactics(&args, quick),
    };
    let games = args.games.unwrap_or(games);
    let all_games = if matches!(args.paper, Paper::Grl) && args.quick { QUICK_ALL_GAMES } else { ALL_GAMES };
    let trials = args.trials.unwrap_or(trials);
    let plan = TrialPlan { trials, seed: args.seed, all_games: all_games.min(games), single_games: games };
    if let Some(folder) = &args.pictures {
        draw(folder, args.seed)?;
    }
    let tables = if matches!(args.paper, Paper::Grl) { grl(&plan)? } else { sgrl(&plan)? };
    print(&tables, args.json)?;
    Ok(Done::Holds)
}

fn concepts(args: &Args, quick: bool) -> Result<Done> {
    let games = match (args.games, quick) {
        (Some(games), _) => (games, games),
        (None, true) => (1000, 200),
        (None, false) => (10_000, 1000),
    };
    let draws = args.trials.unwrap_or(if quick { 2 } else { 10 });
    let plan = ConceptPlan { draws, games, seed: args.seed, blanks: !args.no_blanks };
    let progress = Progress::new(concepts::steps(&plan), "steps");
    let count = AtomicU64::new(0);
    let done = || progress.set(count.fetch_add(1, Ordering::Relaxed) + 1);
    let tables = concepts::tables(&plan, &done)?;
    progress.finish();
    print(&tables, args.json)?;
    Ok(Done::Holds)
}

fn opponent(args: &Args, quick: bool) -> Result<Done> {
    let plan = OpponentPlan {
        games: 100,
        tests: if quick { 30 } else { 300 },
        matches: args.games.unwrap_or(if quick { 4 } else { 200 }),
        rounds: if quick { 2 } else { 20 },
        seed: args.seed,
    };
    let progress = Progress::new(opponent::STEPS, "steps");
    let count = AtomicU64::new(0);
    let done = || progress.set(count.fetch_add(1, Ordering::Relaxed) + 1);
    let (tables, plots) = opponent::tables(&plan, &done)?;
    progress.finish();
    if let Some(folder) = &args.pictures {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for (name, plot) in plots {
            let path = folder.join(name);
            output::write(Some(&path), &plot.svg())?;
            eprintln!("wrote {}", path.display());
        }
    }
    print(&tables, args.json)?;
    Ok(Done::Holds)
}

fn tactics(args: &Args, quick: bool) -> Result<Done> {
    let seeds = args.trials.unwrap_or(if quick { 2 } else { 100 });
    let progress = Progress::new(seeds, "seeds");
    let tables = tactics::tables(seeds, args.seed, &|done| progress.set(done))?;
    progress.finish();
    print(&tables, args.json)?;
    Ok(Done::Holds)
}

fn print(tables: &[ResultTable], json: bool) -> Result<()> {
    if json {
        let tables: Vec<serde_json::Value> = tables.iter().map(ResultTable::json).collect();
        output::line(serde_json::json!({ "tables": tables }))?;
    } else {
        let texts: Vec<String> = tables.iter().map(ResultTable::text).collect();
        output::line(texts.join("\n").trim_end())?;
    }
    Ok(())
}

/// The same where it should be quick.
const QUICK_ALL_GAMES: u64 = 10;

/// Writes the machines of the paper's figures.
fn draw(folder: &Path, seed: u64) -> Result<()> {
    let figures = grl::figures(seed)?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (name, model) in figures {
        let path = folder.join(name);
        output::write(Some(&path), &model_svg(&model))?;
        eprintln!("wrote {}", path.display());
    }
    Ok(())
}

fn grl(plan: &TrialPlan) -> Result<Vec<ResultTable>> {
    let progress = Progress::new(2 * grl::trials(plan), "trials");
    let count = AtomicU64::new(0);
    let done = || progress.set(count.fetch_add(1, Ordering::Relaxed) + 1);
    let tables = vec![grl::table(plan, Listing::All, &done)?, grl::table(plan, Listing::Some, &done)?];
    progress.finish();
    Ok(tables)
}

fn sgrl(plan: &TrialPlan) -> Result<Vec<ResultTable>> {
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
