//! `onlooker serve`

use crate::{Done, interrupt, output};
use anyhow::Result;
use onlooker_web::{Options, serve};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Open a page in the browser: watch, learn, read, play, change the rules
#[derive(clap::Args)]
#[command(
    after_help = "It prints its address, then answers until Ctrl-C. Only this machine is answered unless --host says otherwise; nobody has \
                  to prove who he is, so think before you let other machines in. Nothing is fetched from elsewhere, and no file is read \
                  but those given here.\n\n\
                  Examples:\n  onlooker serve\n  onlooker serve --open games.log.gz my.rules\n  \
                  onlooker serve --port 8080 --games games --save kept"
)]
pub struct Args {
    /// Games of the catalogue, logs, rules files, rule sheets, evidence, plans, saved games, and what was learnt about play
    #[arg(value_name = "GAME|FILE")]
    given: Vec<String>,
    /// Where to listen; 0 takes a port that is free
    #[arg(long, value_name = "PORT", default_value_t = 8080)]
    port: u16,
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// A folder of rules files and rule sheets to show beside the catalogue
    #[arg(long, value_name = "FOLDER")]
    games: Option<PathBuf>,
    /// Keep what is dropped on the page, what is learnt and the games in progress in this folder, so that a restart loses nothing
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

pub fn run(args: Args) -> Result<Done> {
    let stop = interrupt::flag()?;
    let options = Options { host: args.host, port: args.port, games: args.games, save: args.save, given: args.given };
    let mut printed = Ok(());
    serve(&options, &stop, |address| {
        printed = output::line(address);
        if args.open && !open(address) {
            eprintln!("no browser could be opened: open the address above");
        }
    })?;
    printed?;
    Ok(Done::Holds)
}

/// Asks the system to open an address; `false` if it cannot.
fn open(address: &str) -> bool {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    Command::new(program).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
}
