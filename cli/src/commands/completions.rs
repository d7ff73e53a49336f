//! `onlooker completions`

use crate::{Done, output};
use anyhow::Result;
use clap::CommandFactory;

/// Print a script that completes commands in your shell
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker completions bash > ~/.local/share/bash-completion/completions/onlooker")]
pub struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

pub fn run<C: CommandFactory>(args: Args) -> Result<Done> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut C::command(), "onlooker", &mut script);
    output::line(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Done::Holds)
}
