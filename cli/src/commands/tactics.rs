//! `onlooker tactics`

use super::tactics_example::{AdviseArgs, ExampleArgs, advise, example};
use crate::deadline::Deadline;
use crate::game_argument::{self, GameArgument, too_large};
use crate::knowledge::{Files, read_tactics};
use crate::progress::Progress;
use crate::{Done, input, interrupt, log_argument, number_argument, output, report};
use anyhow::{Context, Result, bail};
use onlooker::board::Position;
use onlooker::game::AnyGame;
use onlooker::play::AgentSpec;
use onlooker::tactics::{
    BESIDE_GAMES, Checker, GameBoard, LearnOptions, LessonError, MOST_INSTANCES, RuleFile, Status, TrainingError,
    UpdateSystem, check_adequacy, check_beside, describe_rule, draw_lesson, draw_library, explain_lesson, find_system,
    learn_by_playing, learn_from_positions,
};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Learn winning combinations from lost games, prove them, and use them
#[derive(clap::Args)]
#[command(
    after_help = "The result is a file that a person can read and edit. A player uses it: tactics:FILE[,then=PLAYER].\n\n\
                  Examples:\n  onlooker tactics learn tic-tac-toe --against alphabeta:9 --games 100 -o ttt.tactics\n  \
                  onlooker tactics verify ttt.tactics\n  onlooker tactics list ttt.tactics\n  \
                  onlooker match tic-tac-toe --players tactics:ttt.tactics,alphabeta:9 --games 100"
)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

/// The rules of a sheet that is of use are learnt in seconds.
const SECONDS: f64 = 60.0;

#[derive(clap::Subcommand)]
enum Verb {
    Learn(LearnArgs),
    Verify(VerifyArgs),
    List(ListArgs),
    Explain(ExplainArgs),
    Example(ExampleArgs),
    Advise(AdviseArgs),
}

/// Learn rules from lost games
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  onlooker tactics learn tic-tac-toe --against alphabeta:9 --games 100 -o ttt.tactics"
)]
struct LearnArgs {
    #[command(flatten)]
    game: GameArgument,
    /// Play against this player, and learn from the games that it wins
    #[arg(long, value_name = "PLAYER", required_unless_present = "log")]
    against: Option<AgentSpec>,
    /// How many games are played; of recorded ones, how many are read
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=10_000_000), required_unless_present = "log")]
    games: Option<u64>,
    /// Learn from recorded games instead, whoever lost them
    #[arg(long, value_name = "FILE", conflicts_with = "against")]
    log: Vec<PathBuf>,
    /// A state-update system of your own
    #[arg(long, value_name = "FILE")]
    system: Option<PathBuf>,
    /// How long learning the rules of a rule sheet may take
    #[arg(long, value_name = "S", default_value_t = SECONDS, value_parser = number_argument::seconds)]
    seconds: f64,
    /// Games that last longer are broken off
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    plies: u64,
    /// The same seed gives the same games and the same rules
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Where to write the rules; standard output if left out (nowhere with --json)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Check the proof of every rule again
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker tactics verify ttt.tactics")]
struct VerifyArgs {
    /// Rules that 'onlooker tactics learn' wrote
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Show each rule in words and as a board
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker tactics list ttt.tactics")]
struct ListArgs {
    /// Rules that 'onlooker tactics learn' wrote
    file: PathBuf,
    /// How
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Where to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Step through a recorded game that somebody lost: what was forced, and where it went wrong
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker simulate tic-tac-toe --games 5 --moves all -o games.log\n  \
                  onlooker tactics explain tic-tac-toe --log games.log --format html -o lost.html")]
struct ExplainArgs {
    #[command(flatten)]
    game: GameArgument,
    /// Recorded games
    #[arg(long, value_name = "FILE")]
    log: PathBuf,
    /// Which game, counted from 1; the first that somebody lost if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
    /// Rules that are known already, of 'onlooker tactics learn'
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// How long learning the rules of a rule sheet may take
    #[arg(long, value_name = "S", default_value_t = SECONDS, value_parser = number_argument::seconds)]
    seconds: f64,
    /// How
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Where to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    Text,
    Html,
}

pub fn run(args: Args) -> Result<Done> {
    match args.verb {
        Verb::Learn(args) => learn(&args),
        Verb::Verify(args) => verify(&args),
        Verb::List(args) => list(&args),
        Verb::Explain(args) => explain(&args),
        Verb::Example(args) => example(&args),
        Verb::Advise(args) => advise(&args),
    }
}

/// The system of a game: the one that was given, or the first of those that may describe it and does.
pub fn system_of(game: &AnyGame, given: Option<&Path>, seconds: f64) -> Result<UpdateSystem> {
    if let Some(path) = given {
        let text = game_argument::read_text(path, "a state-update system")?;
        let system = UpdateSystem::parse(&text).map_err(|error| report::tactics(path, &error))?;
        let name = input::name(path);
        check_adequacy(&system, 20, 1).with_context(|| name.clone())?;
        check_beside(&system, game, BESIDE_GAMES, 1).with_context(|| name)?;
        return Ok(system);
    }
    // Nothing is written yet, so that an interruption may end the command at once.
    let deadline = Deadline::new(Duration::from_secs_f64(seconds), &Arc::default())?;
    Ok(find_system(game, deadline.flag())?)
}

fn learn(args: &LearnArgs) -> Result<Done> {
    let begun = Instant::now();
    let read = args.game.file().into_iter().chain(args.log.iter().map(PathBuf::as_path)).chain(args.system.as_deref());
    output::check(&[args.output.as_deref()], &read.collect::<Vec<_>>())?;
    let game = args.game.load()?;
    let system = system_of(&game, args.system.as_deref(), args.seconds)?;
    let board = GameBoard::new(&system, &game)?;
    let mut file = RuleFile::new(args.game.text(), system);
    let options = LearnOptions::default();
    let (games, losses) = match &args.against {
        Some(against) => {
            let agent = against.build(&Files(&game))?;
            let stop = interrupt::flag()?;
            let games = args.games.unwrap_or(0);
            let progress = Progress::new(games, "games");
            let plan = (args.plies, args.seed);
            let done = |count| progress.set(count);
            let report = learn_by_playing(&game, &mut file, &board, &agent, 0..games, plan, &options, &stop, &done);
            let report = report.map_err(|error| match error {
                TrainingError::Truncated(truncation) => too_large(truncation),
                error => error.into(),
            })?;
            progress.finish();
            file.learnt.push(("against".to_owned(), against.to_string()));
            file.learnt.push(("seed".to_owned(), args.seed.to_string()));
            (report.games, report.losses)
        }
        None => recorded(args, &mut file, &board, &options)?,
    };
    file.learnt.push(("games".to_owned(), games.to_string()));
    file.learnt.push(("losses".to_owned(), losses.to_string()));
    file.learnt.push(("program".to_owned(), format!("onlooker {}", env!("CARGO_PKG_VERSION"))));
    let seconds = begun.elapsed().as_secs_f64();
    let rules = file.library.rules.len();
    let count = |status| file.library.rules.iter().filter(|rule| rule.status == status).count();
    let (proved, per_position) = (count(Status::Proved), count(Status::PerPosition));
    if !args.json || args.output.is_some() {
        output::write(args.output.as_deref(), &file.to_string())?;
    }
    if args.json {
        output::line(json!({ "games": games, "losses": losses, "rules": rules, "proved": proved,
                "per_position": per_position, "seconds": seconds }))?;
    } else if args.output.is_some() {
        eprintln!(
            "{games} games, {losses} lost, {rules} rules, {proved} of them proved, {per_position} in each position, {seconds:.1} s"
        );
    }
    Ok(Done::Holds)
}

/// Learns from the recorded games that somebody lost.
fn recorded(args: &LearnArgs, file: &mut RuleFile, board: &GameBoard, options: &LearnOptions) -> Result<(u64, u64)> {
    let (mut games, mut losses) = (0, 0);
    for path in &args.log {
        let mut log = log_argument::open(path)?;
        let mut records = Vec::new();
        let mut number = 0;
        while games < args.games.unwrap_or(u64::MAX)
            && log.read(&mut records).map_err(|error| report::log(path, &error))?
        {
            (games, number) = (games + 1, number + 1);
            let positions: Vec<Position> = records.iter().map(|record| record.position.clone()).collect();
            match learn_from_positions(file, board, &positions, &format!("log-{number}"), options) {
                Ok(_) => losses += 1,
                Err(LessonError::NotLost { .. }) => {}
                Err(error) => bail!("{}: game {number}: {error}", input::name(path)),
            }
        }
        file.learnt.push(("log".to_owned(), input::name(path)));
    }
    if losses == 0 {
        let logs: Vec<String> = args.log.iter().map(|path| input::name(path)).collect();
        bail!("{}: nobody has lost one of the {games} games, expected a game that somebody has won", logs.join(", "));
    }
    Ok((games, losses))
}

fn verify(args: &VerifyArgs) -> Result<Done> {
    let file = read_tactics(&args.file)?;
    check_adequacy(&file.system, 20, 1).with_context(|| input::name(&args.file))?;
    let (mut proved, mut failed) = (0, 0);
    let checker = Checker::new(&file.system);
    for rule in file.library.rules.iter().filter(|rule| rule.status == Status::Proved) {
        match checker.check_rule(rule, MOST_INSTANCES) {
            Ok(_) => proved += 1,
            Err(error) => {
                failed += 1;
                eprintln!("{}: rule {}: {error}", input::name(&args.file), rule.name);
            }
        }
    }
    let rules = file.library.rules.len();
    let per_position = file.library.rules.iter().filter(|rule| rule.status == Status::PerPosition).count();
    if args.json {
        output::line(json!({ "rules": rules, "proved": proved, "per_position": per_position, "failed": failed }))?;
    } else if per_position > 0 {
        output::line(format!(
            "{rules} rules, {proved} proved, {per_position} to be proved in each position, {failed} failed"
        ))?;
    } else {
        output::line(format!("{rules} rules, {proved} proved, {failed} failed"))?;
    }
    Ok(if failed == 0 { Done::Holds } else { Done::DoesNotHold })
}

fn list(args: &ListArgs) -> Result<Done> {
    output::check(&[args.output.as_deref()], &[args.file.as_path()])?;
    let file = read_tactics(&args.file)?;
    let text = match args.format {
        Format::Html => draw_library(&file.game, &file.system, &file.library),
        Format::Text if file.library.rules.is_empty() => "no rules\n".to_owned(),
        Format::Text => {
            let texts = file.library.rules.iter().map(|rule| describe_rule(&file.system, rule));
            texts.collect::<Vec<_>>().join("\n")
        }
    };
    output::write(args.output.as_deref(), &text)?;
    Ok(Done::Holds)
}

fn explain(args: &ExplainArgs) -> Result<Done> {
    let read = args.game.file().into_iter().chain([args.log.as_path()]).chain(args.rules.as_deref());
    output::check(&[args.output.as_deref()], &read.collect::<Vec<_>>())?;
    let game = args.game.load()?;
    let mut file = match &args.rules {
        Some(path) => {
            let file = read_tactics(path)?;
            check_beside(&file.system, &game, BESIDE_GAMES, 1).with_context(|| input::name(path))?;
            file
        }
        None => RuleFile::new(args.game.text(), system_of(&game, None, args.seconds)?),
    };
    let board = GameBoard::new(&file.system, &game)?;
    let (name, path) = (input::name(&args.log), args.log.as_path());
    let mut log = log_argument::open(path)?;
    let mut records = Vec::new();
    let mut number = 0;
    while log.read(&mut records).map_err(|error| report::log(path, &error))? {
        number += 1;
        if args.number.is_some_and(|wanted| wanted != number) {
            continue;
        }
        let positions: Vec<Position> = records.iter().map(|record| record.position.clone()).collect();
        let options = LearnOptions::default();
        let lesson = match learn_from_positions(&mut file, &board, &positions, &format!("log-{number}"), &options) {
            Ok(lesson) => lesson,
            Err(LessonError::NotLost { .. }) if args.number.is_none() => continue,
            Err(error) => bail!("{name}: game {number}: {error}"),
        };
        let text = match args.format {
            Format::Text => explain_lesson(&file.system, &lesson).join("\n") + "\n",
            Format::Html => draw_lesson(&file.system, &lesson, &file.system.start_state()),
        };
        output::write(args.output.as_deref(), &text)?;
        return Ok(Done::Holds);
    }
    match args.number {
        Some(wanted) => bail!("{name}: found {number} games, expected at least {wanted}"),
        None => bail!("{name}: nobody has lost one of the {number} games, expected a game that somebody has won"),
    }
}
