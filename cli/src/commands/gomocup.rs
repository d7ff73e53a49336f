//! `onlooker gomocup`

use crate::deadline::Deadline;
use crate::knowledge::read_tactics;
use crate::{Done, input, interrupt, output};
use anyhow::{Context, Result, bail};
use onlooker::tactics::{FIVE_IN_A_LINE, Gomocup, Heard};
use std::io::{BufRead, Read};
use std::path::PathBuf;

/// Play five in a line under a manager of Gomocup, on standard input and output
#[derive(clap::Args)]
#[command(after_help = "Example:\n  printf 'START 15\\nTURN 7,7\\nEND\\n' | onlooker gomocup\n\n\
                  Commands: START, RECTSTART, RESTART, BEGIN, TURN, BOARD, TAKEBACK, INFO, ABOUT, END. A square is x,y, counted from 0.\n\
                  What is not understood is answered by ERROR or UNKNOWN. Time limits are those of INFO timeout_turn, timeout_match and time_left.")]
pub struct Args {
    /// Rules that 'onlooker tactics learn' wrote for five in a line; those that come with the program if left out
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Fixes what is left to chance
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// No line of a manager is longer by far.
const MOST: u64 = 4096;

pub fn run(args: Args) -> Result<Done> {
    let mut player = match &args.rules {
        Some(path) => {
            let text = read_tactics(path)?.to_string();
            let rules = text.find("\nrecognise ").map_or("", |at| &text[at..]);
            Gomocup::new(rules, args.seed).with_context(|| input::name(path))?
        }
        None => Gomocup::new(FIVE_IN_A_LINE, args.seed)?,
    };
    let interrupt = interrupt::flag()?;
    let mut lines = std::io::stdin().lock();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = lines.by_ref().take(MOST).read_until(b'\n', &mut bytes).context("standard input")?;
        if read == 0 {
            return Ok(Done::Holds);
        }
        if read as u64 == MOST && bytes.last() != Some(&b'\n') {
            bail!("standard input: found a line of more than {MOST} bytes, expected a command of Gomocup");
        }
        let line = String::from_utf8_lossy(&bytes);
        match player.hear(&line) {
            Heard::Nothing => {}
            Heard::Say(text) => output::line(text)?,
            Heard::Think => {
                let deadline = Deadline::new(player.turn_time(), &interrupt)?;
                let answer = player.think(deadline.flag());
                output::line(answer)?;
            }
            Heard::End => return Ok(Done::Holds),
        }
    }
}
