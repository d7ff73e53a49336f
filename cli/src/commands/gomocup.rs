//! `onlooker gomocup`

use crate::knowledge::read_tactics;
use crate::{Done, input, output};
use anyhow::{Context, Result};
use onlooker::tactics::{FIVE_IN_A_LINE, Gomocup, Heard};
use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

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
const MOST: usize = 4096;

pub fn run(args: Args) -> Result<Done> {
    let mut player = match &args.rules {
        Some(path) => {
            let text = read_tactics(path)?.to_string();
            let rules = text.find("\nrecognise ").map_or("", |at| &text[at..]);
            Gomocup::new(rules, args.seed).with_context(|| input::name(path))?
        }
        None => Gomocup::new(FIVE_IN_A_LINE, args.seed)?,
    };
    let mut lines = std::io::stdin().lock();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = lines.read_until(b'\n', &mut bytes).context("standard input")?;
        if read == 0 {
            return Ok(Done::Holds);
        }
        let line = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST)]);
        match player.hear(&line) {
            Heard::Nothing => {}
            Heard::Say(text) => output::line(text)?,
            Heard::Think => {
                let answer = within(player.turn_time(), |stop| player.think(stop));
                output::line(answer)?;
            }
            Heard::End => return Ok(Done::Holds),
        }
    }
}

/// Does something with a flag that is set when the time is over.
fn within<T>(time: Duration, work: impl FnOnce(&AtomicBool) -> T) -> T {
    let stop = Arc::new(AtomicBool::new(false));
    let (done, waiting) = channel::<()>();
    let flag = Arc::clone(&stop);
    let clock = std::thread::spawn(move || {
        if waiting.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
            flag.store(true, Ordering::Relaxed);
        }
    });
    let result = work(&stop);
    drop(done);
    let _ = clock.join();
    result
}
