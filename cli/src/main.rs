//! The command line of Onlooker: a thin shell around the library, one file a verb in `commands/`.

mod commands;
mod draw;
mod game_argument;
mod ggp;
mod interrupt;
mod log_argument;
mod output;
mod player_argument;
mod progress;
mod relearn;
mod report;
mod reproduce;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Watches board games being played, learns them, and can say what it has learnt.
#[derive(Parser)]
#[command(
    name = "onlooker",
    version,
    arg_required_else_help = true,
    after_help = "A GAME is a name of the catalogue (see 'onlooker games') or a path to a rules file or a rule sheet (.kif, .gdl).\n\
                  Exit status: 0 done and holds, 1 done and does not hold, 2 bad input or usage."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Learn(commands::learn::Args),
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
    Locm(commands::locm::Args),
    Reproduce(commands::reproduce::Args),
    Completions(commands::completions::Args),
}

/// What a command found, if it could be done at all.
enum Done {
    Holds,
    DoesNotHold,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Learn(args) => commands::learn::run(args),
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
        Command::Locm(args) => commands::locm::run(args),
        Command::Reproduce(args) => commands::reproduce::run(args),
        Command::Completions(args) => commands::completions::run::<Cli>(args),
    };
    match done {
        Ok(Done::Holds) => ExitCode::SUCCESS,
        Ok(Done::DoesNotHold) => ExitCode::from(1),
        // Whoever read our output has seen enough.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report::print(&error);
            ExitCode::from(2)
        }
    }
}
