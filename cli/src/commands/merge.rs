//! `onlooker merge`

use crate::{Done, evidence_argument, output};
use anyhow::Result;
use std::path::PathBuf;

/// Merge evidence that was gathered in pieces
#[derive(clap::Args)]
#[command(
    after_help = "The order makes no difference: the same games give the same bytes. Evidence that is given twice counts twice.\n\n\
                  Example:\n  onlooker merge monday.evidence tuesday.evidence.gz -o days.evidence.gz\n  \
                  onlooker learn --evidence days.evidence.gz -o learnt.rules"
)]
pub struct Args {
    /// Evidence written by 'observe', 'merge' or 'learn --save-evidence', all of games on the same board
    #[arg(required = true, value_name = "EVIDENCE")]
    evidence: Vec<PathBuf>,
    /// Where to write the merged evidence; a name ending in .gz or .zst compresses it. Standard output if left out (nowhere
    /// with --json)
    #[arg(short, long, value_name = "EVIDENCE")]
    output: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<Done> {
    // All evidence is read before any is written, so that it may be merged into one of its files.
    output::check(&[args.output.as_deref()], &[] as &[PathBuf])?;
    let evidence = evidence_argument::merge(&args.evidence)?;
    evidence_argument::finish(&evidence, 0)?;
    evidence_argument::write(&evidence, args.output.as_deref(), args.json)?;
    Ok(Done::Holds)
}
