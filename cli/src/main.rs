//! The command line of Onlooker: a thin shell around the library, one file a verb in `commands/`.

/// As the standard one, except that a standard error that is full or closed is no reason to panic. It stands before
/// all modules, so that it is the one that is meant everywhere.
macro_rules! eprintln {
    ($($part:tt)*) => { $crate::message::print(format_args!("{}\n", format_args!($($part)*))) };
}

mod commands;
mod deadline;
mod draw;
mod evidence_argument;
mod file_identity;
mod game_argument;
mod input;
mod interrupt;
mod knowledge;
mod lesson_text;
mod log_argument;
mod message;
mod number_argument;
mod output;
mod player_argument;
mod progress;
mod report;
mod reproduce;
mod stopwatch;
mod threads;
mod timed_agent;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

/// Watches board games being played, learns them, and can say what it has learnt.
#[derive(Parser)]
#[command(
    name = "onlooker",
    version,
    arg_required_else_help = true,
    after_help = "A GAME is a name of the catalogue (see 'onlooker games') or a path to a rules file or a rule sheet (.kif, .gdl).\n\
                  A '-' in place of a file that is read is standard input; -o - is standard output.\n\
                  Exit status: 0 done and holds, 1 done and does not hold, 2 bad input or usage, 130 or 143 interrupted."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Learn(commands::learn::Args),
    Observe(commands::observe::Args),
    Merge(commands::merge::Args),
    Games(commands::games::Args),
    Gdl(commands::gdl::Args),
    Play(commands::play::Args),
    Simulate(commands::simulate::Args),
    Check(commands::check::Args),
    Explain(commands::explain::Args),
    Export(commands::export::Args),
    Perft(commands::perft::Args),
    Walk(commands::walk::Args),
    Bench(commands::bench::Args),
    Match(commands::matches::Args),
    Ggp(commands::ggp::Args),
    GgpMatch(commands::ggp_match::Args),
    Gomocup(commands::gomocup::Args),
    Locm(commands::locm::Args),
    Concepts(commands::concepts::Args),
    Opponent(commands::opponent::Args),
    Tactics(commands::tactics::Args),
    Serve(commands::serve::Args),
    Reproduce(commands::reproduce::Args),
    Completions(commands::completions::Args),
}

/// What a command found, if it could be done at all.
enum Done {
    Holds,
    DoesNotHold,
}

fn main() -> ExitCode {
    interrupt::watch();
    // Whatever went wrong, the exit status is one of those that are documented.
    std::panic::catch_unwind(run).unwrap_or_else(|_| {
        eprintln!("this is a defect of the program, and the result is not to be relied on");
        ExitCode::from(2)
    })
}

fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help that was asked for is output; otherwise it is about what is wrong.
        Err(help) if !help.use_stderr() => {
            let printed = help.print().context("cannot write to standard output");
            return ended(printed.map(|()| Done::Holds));
        }
        Err(usage) => {
            let _ = usage.print();
            return ExitCode::from(2);
        }
    };
    threads::start();
    ended(command(cli.command))
}

fn command(command: Command) -> Result<Done> {
    match command {
        Command::Learn(args) => commands::learn::run(args),
        Command::Observe(args) => commands::observe::run(args),
        Command::Merge(args) => commands::merge::run(args),
        Command::Games(args) => commands::games::run(args),
        Command::Gdl(args) => commands::gdl::run(args),
        Command::Play(args) => commands::play::run(args),
        Command::Simulate(args) => commands::simulate::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Export(args) => commands::export::run(args),
        Command::Perft(args) => commands::perft::run(args),
        Command::Walk(args) => commands::walk::run(args),
        Command::Bench(args) => commands::bench::run(args),
        Command::Match(args) => commands::matches::run(args),
        Command::Ggp(args) => commands::ggp::run(args),
        Command::GgpMatch(args) => commands::ggp_match::run(args),
        Command::Gomocup(args) => commands::gomocup::run(args),
        Command::Locm(args) => commands::locm::run(args),
        Command::Concepts(args) => commands::concepts::run(args),
        Command::Opponent(args) => commands::opponent::run(args),
        Command::Tactics(args) => commands::tactics::run(args),
        Command::Serve(args) => commands::serve::run(args),
        Command::Reproduce(args) => commands::reproduce::run(args),
        Command::Completions(args) => commands::completions::run::<Cli>(args),
    }
}

/// The exit status of what was done.
fn ended(done: Result<Done>) -> ExitCode {
    // What is still on its way to standard output has to get there too.
    let flushed = output::Standard.flush().map_err(anyhow::Error::new);
    match done.and_then(|done| flushed.map(|()| done)) {
        // Whoever read our output has seen enough.
        Err(error) if !output::is_broken_pipe(&error) => {
            report::print(&error);
            ExitCode::from(interrupt::status().unwrap_or(2))
        }
        done => match (interrupt::status(), done) {
            (Some(status), _) => ExitCode::from(status),
            (None, Ok(Done::DoesNotHold)) => ExitCode::from(1),
            (None, _) => ExitCode::SUCCESS,
        },
    }
}
