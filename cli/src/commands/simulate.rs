//! `onlooker simulate`

use crate::file_identity::is_standard_output;
use crate::game_argument::{self, EngineName, SheetText};
use crate::progress::Progress;
use crate::{Done, interrupt, output};
use anyhow::{Result, bail};
use onlooker::game::{GdlGame, RulesGame, SimulationError, SimulationPlan, SimulationReport, simulate};
use onlooker::observe::Listing;
use onlooker::relearn::{SheetLogError, simulate_sheet};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Play games at random and write them as a log
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker simulate chess-breakthrough --games 50 --moves all -o games.log.gz")]
pub struct Args {
    /// A name of the catalogue, or a path to a rules file or to a rule sheet whose facts tell a board
    game: String,
    /// How many games
    #[arg(long, value_name = "N")]
    games: u64,
    /// Whether to list all legal moves of a position, or only the one played
    #[arg(long, value_enum)]
    moves: Moves,
    /// The same seed gives the same bytes
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Games that last longer are cut short
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    plies: u32,
    /// Where to write the log; a name ending in .gz or .zst compresses it. Standard output if left out (nowhere with --json)
    #[arg(short, long, value_name = "LOG")]
    output: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Moves {
    All,
    Some,
}

pub fn run(args: Args) -> Result<Done> {
    let is_printed = args.output.as_deref().is_some_and(is_standard_output);
    if args.json && is_printed {
        bail!("both the log and the JSON object would go to standard output: expected a file for the log");
    }
    output::check(&[args.output.as_deref()], game_argument::file(&args.game).as_slice())?;
    let game = Source::find(&args.game)?;
    let listing = match args.moves {
        Moves::All => Listing::All,
        Moves::Some => Listing::Some,
    };
    let plan = SimulationPlan { games: args.games, listing, seed: args.seed, plies: args.plies };
    let stop = interrupt::flag()?;
    let progress = Progress::new(args.games, "games");
    let mut show = |report: &SimulationReport| progress.set(report.games);
    let refused = |error: anyhow::Error| error.context(format!("{} cannot be written as a log", args.game));
    let report = if args.json && args.output.is_none() {
        game.simulate(&plan, &mut io::sink(), &stop, &mut show).map_err(refused)?
    } else {
        let mut out = output::create(args.output.as_deref())?;
        let failed = |error: anyhow::Error| match &args.output {
            Some(path) if !is_printed => error.context(format!("cannot write {}", path.display())),
            _ => error,
        };
        let report =
            game.simulate(&plan, &mut out, &stop, &mut show).map_err(|error| match error.is::<io::Error>() {
                true => failed(error),
                false => refused(error),
            })?;
        // Interrupted or not, these are whole games; but none at all are no log.
        if report.games > 0 || !report.stopped {
            output::finish(out).map_err(|error| failed(error.into()))?;
        }
        report
    };
    progress.finish();
    if report.stopped {
        eprintln!("stopped after {} of {} games", report.games, args.games);
    }
    if args.json {
        let json = serde_json::json!({ "games": report.games, "positions": report.positions, "moves": report.moves });
        output::line(json)?;
    } else if let Some(path) = args.output.as_ref().filter(|_| !is_printed) {
        let (games, positions, moves) = (report.games, report.positions, report.moves);
        output::line(format!("{games} games, {positions} positions, {moves} moves written to {}", path.display()))?;
    }
    Ok(Done::Holds)
}

/// Where games come from.
enum Source {
    Rules(Box<RulesGame>),
    Sheet(Box<GdlGame>),
}

impl Source {
    fn find(text: &str) -> Result<Source> {
        Ok(match SheetText::find(text)? {
            Some(sheet) => Source::Sheet(Box::new(sheet.game(EngineName::Fast)?)),
            None => Source::Rules(Box::new(game_argument::board_game(text)?)),
        })
    }

    fn simulate<W: Write>(
        &self,
        plan: &SimulationPlan,
        out: &mut W,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&SimulationReport),
    ) -> Result<SimulationReport> {
        match self {
            Source::Rules(game) => simulate(game, plan, out, stop, progress).map_err(|error| match error {
                SimulationError::Io(error) => error.into(),
                SimulationError::Truncated(reason) => game_argument::too_large(reason),
            }),
            Source::Sheet(game) => simulate_sheet(game, plan, out, stop, progress).map_err(|error| match error {
                SheetLogError::Io(error) => error.into(),
                SheetLogError::Board(reason) => reason.into(),
            }),
        }
    }
}
