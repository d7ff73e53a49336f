//! `onlooker observe`

use crate::game_argument::{EngineName, SheetText};
use crate::{Done, evidence_argument, input, interrupt, output};
use anyhow::{Context, Result};
use onlooker::learn::Evidence;
use onlooker::observe::HopReading;
use onlooker::relearn::observe_sheet;
use std::path::PathBuf;

/// Gather evidence from logs of play or from rule sheets, without learning from it yet
#[derive(clap::Args)]
#[command(
    after_help = "Evidence is all that 'learn' needs of the games. It can be gathered in pieces, on many machines, merged in any \
                  order with 'onlooker merge' and learnt from with 'onlooker learn --evidence': the rules are the same as if \
                  everything had been learnt from at once. Games of a rule sheet differ by --seed.\n\n\
                  Example:\n  onlooker observe monday.log.gz tuesday.log.gz -o days.evidence.gz\n  \
                  onlooker observe games/breakthrough.kif --games 100 --seed 2 -o two.evidence"
)]
pub struct Args {
    /// Logs of complete games, plain or compressed with gzip or zstd, or rule sheets (.kif, .gdl)
    #[arg(required = true, value_name = "LOG|SHEET")]
    inputs: Vec<PathBuf>,
    /// Where to write the evidence; a name ending in .gz or .zst compresses it. Standard output if left out (nowhere with
    /// --json)
    #[arg(short, long, value_name = "EVIDENCE")]
    output: Option<PathBuf>,
    /// Report damaged games, skip them, and go on
    #[arg(long)]
    keep_going: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// How many random games of a rule sheet to observe; 1000 if left out, or fewer that list 300000 moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "With a rule sheet")]
    games: Option<u64>,
    /// The same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "With a rule sheet")]
    seed: u64,
    /// How to read moves that take nothing, since boards do not show whether a piece went straight or hopped; 'learn' tries
    /// all three on a rule sheet
    #[arg(long, value_enum, default_value_t = Hops::None, help_heading = "With a rule sheet")]
    hops: Hops,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Hops {
    /// Straight
    None,
    /// As hops over the opponent's pieces, where possible
    OverEnemies,
    /// As hops over any pieces, where possible
    OverAll,
}

pub fn run(args: Args) -> Result<Done> {
    output::check(&[args.output.as_deref()], &args.inputs)?;
    let stop = interrupt::flag()?;
    let reading = match args.hops {
        Hops::None => HopReading::Straight,
        Hops::OverEnemies => HopReading::HopsOverEnemies,
        Hops::OverAll => HopReading::HopsOverAll,
    };
    let (mut evidence, mut damaged) = (Evidence::default(), 0);
    for path in &args.inputs {
        match SheetText::find(&path.to_string_lossy())? {
            Some(sheet) => {
                let game = sheet.game(EngineName::Fast)?;
                observe_sheet(&mut evidence, &game, args.seed, args.games, reading, &stop)
                    .with_context(|| format!("cannot learn from {}", input::name(path)))?;
            }
            None => damaged += evidence_argument::observe(&mut evidence, path, args.keep_going, &stop)?,
        }
    }
    evidence_argument::finish(&evidence, damaged)?;
    evidence_argument::write(&evidence, args.output.as_deref(), args.json)?;
    Ok(Done::Holds)
}
