//! `onlooker check`

use crate::{Done, game_argument, input, log_argument, output, report};
use anyhow::{Result, bail};
use onlooker::game::{CheckReport, RulesGame, check_game};
use onlooker::observe::Record;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Check rules against a log: legal moves, next positions, outcomes, turns and setup
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker check breakthrough games.log.gz")]
pub struct Args {
    /// A name of the catalogue or a path to a rules file
    game: String,
    /// The log, plain or compressed with gzip or zstd
    log: PathBuf,
    /// Report damaged games, skip them, and go on
    #[arg(long)]
    keep_going: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How many differences are shown.
const SHOWN: usize = 5;
/// Games that are checked at the same time, or as many as list so many moves.
const BATCH: usize = 64;
const MANY_MOVES: usize = 1 << 20;

pub fn run(args: Args) -> Result<Done> {
    let game = game_argument::board_game(&args.game)?;
    let (check, damaged) = check_log(&game, &args.log, args.keep_going)?;
    if let Some(error) = check.truncated {
        return Err(game_argument::too_large(error));
    }
    for mismatch in &check.mismatches {
        eprintln!("{mismatch}");
    }
    if damaged > 0 {
        eprintln!("{damaged} damaged {} skipped", if damaged == 1 { "game" } else { "games" });
    }
    if args.json {
        output::line(serde_json::json!({
            "games": check.games,
            "positions": check.positions,
            "exact": check.exact,
            "missing": check.missing,
            "extra": check.extra,
            "precision": check.precision(),
            "recall": check.recall(),
            "outcomes_exact": check.outcomes_exact,
            "words_exact": check.words_exact,
            "damaged_games": damaged,
        }))?;
    } else {
        let (games, positions) = (check.games, check.positions);
        output::line(format!("{games} games, {positions} positions"))?;
        output::line(format!("exact     {:>9}  (with the same words {})", check.exact, check.words_exact))?;
        output::line(format!("outcomes  {:>9}", check.outcomes_exact))?;
        let (precision, recall) = (check.precision(), check.recall());
        output::line(format!("missing   {:>9}  moves (recall {recall:.6})", check.missing))?;
        output::line(format!("extra     {:>9}  moves (precision {precision:.6})", check.extra))?;
        output::line(if check.holds() { "The rules hold." } else { "The rules do not hold." })?;
    }
    if damaged > 0 && check.positions == 0 {
        bail!("no game of {} could be read", input::name(&args.log));
    }
    Ok(if check.holds() { Done::Holds } else { Done::DoesNotHold })
}

fn check_log(game: &RulesGame, path: &Path, keep_going: bool) -> Result<(CheckReport, u64)> {
    let mut games = log_argument::open(path)?;
    let mut check = CheckReport::default();
    let mut damaged = 0;
    loop {
        let mut batch: Vec<Vec<Record>> = Vec::new();
        let mut stop = None;
        let (mut moves, mut done) = (0, false);
        while batch.len() < BATCH && moves < MANY_MOVES {
            match games.next() {
                Some(Ok(records)) => {
                    moves += records.iter().map(|record| record.moves.len()).sum::<usize>();
                    batch.push(records);
                }
                Some(Err(error)) if keep_going => {
                    damaged += 1;
                    report::print(&report::log(path, &error).into());
                }
                Some(Err(error)) => {
                    stop = Some(error);
                    break;
                }
                None => {
                    done = true;
                    break;
                }
            }
        }
        let first = check.games + 1;
        let numbered = (first..).zip(batch).collect::<Vec<_>>().into_par_iter();
        let checked: Vec<CheckReport> =
            numbered.map(|(number, records)| check_game(game, &records, number, SHOWN)).collect();
        checked.into_iter().for_each(|report| check.merge(report, SHOWN));
        if let Some(error) = stop {
            return Err(report::log(path, &error).into());
        }
        if done {
            return Ok((check, damaged));
        }
    }
}
