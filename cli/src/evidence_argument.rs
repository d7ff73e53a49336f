//! The arguments LOG and EVIDENCE: what was seen, gathered from files, and written to one.

use crate::{input, log_argument, output, report};
use anyhow::{Context, Result, bail};
use onlooker::game::{SimulationPlan, catalogue_game, random_game};
use onlooker::learn::Evidence;
use onlooker::observe::Listing;
use onlooker::relearn::{ObserveError, observe_log};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Reads saved evidence.
pub fn read(path: &Path) -> Result<Evidence> {
    let saved = Evidence::read(BufReader::new(input::open(path, "saved evidence")?));
    saved.with_context(|| format!("{} is not saved evidence", input::name(path)))
}

/// Merges saved evidence.
pub fn merge(paths: &[PathBuf]) -> Result<Evidence> {
    let mut evidence = Evidence::default();
    for path in paths {
        let merged = evidence.merge(read(path)?).map_err(|(refused, _)| refused);
        merged.with_context(|| format!("{} does not belong to the evidence before it", input::name(path)))?;
    }
    Ok(evidence)
}

/// Adds the games of a log; with `keep_going`, damaged ones are reported and skipped. Returns how many were.
pub fn observe(evidence: &mut Evidence, path: &Path, keep_going: bool, stop: &AtomicBool) -> Result<u64> {
    let mut skip = |error| {
        report::print(&report::log(path, &error).into());
        Ok(())
    };
    let observed = match keep_going {
        true => observe_log(evidence, log_argument::open(path)?, &mut skip, stop),
        false => observe_log(evidence, log_argument::open(path)?, &mut Err, stop),
    };
    let counts = observed.map_err(|error| match error {
        ObserveError::Damaged(error) => report::log(path, &error).into(),
        error => anyhow::Error::from(error).context(format!("cannot learn from {}", input::name(path))),
    })?;
    Ok(counts.damaged)
}

/// Evidence of 50 random games of chess-breakthrough, for those who have no log.
pub fn sample() -> Result<Evidence> {
    let game = catalogue_game("chess-breakthrough").context("the catalogue has chess-breakthrough")?;
    let plan = SimulationPlan { games: 50, listing: Listing::All, seed: 1, plies: 10_000 };
    let mut evidence = Evidence::default();
    for number in 0..plan.games {
        evidence.observe(&random_game(&game, &plan, number)?)?;
    }
    Ok(evidence)
}

/// Reports how many games were skipped, and refuses evidence without any game.
pub fn finish(evidence: &Evidence, damaged: u64) -> Result<()> {
    if damaged > 0 {
        eprintln!("{damaged} damaged {} skipped", if damaged == 1 { "game" } else { "games" });
    }
    if evidence.games() == 0 {
        bail!("there is no game to learn from, expected at least one complete game");
    }
    Ok(())
}

/// Writes evidence to a file or to standard output, and how much it is; with `json` only that if there is no file.
pub fn write(evidence: &Evidence, path: Option<&Path>, json: bool) -> Result<()> {
    let (games, positions, moves) = (evidence.games(), evidence.positions(), evidence.moves());
    match path {
        Some(path) => output::save(path, |out| evidence.write(out))?,
        None if json => {}
        None => {
            let mut out = output::create(None)?;
            let written = evidence.write(&mut out).and_then(|()| output::finish(out));
            written.context("cannot write to standard output")?;
        }
    }
    if json {
        output::line(serde_json::json!({ "games": games, "positions": positions, "moves": moves }))?;
    } else if let Some(path) = path {
        output::line(format!("{games} games, {positions} positions, {moves} moves written to {}", path.display()))?;
    }
    Ok(())
}
