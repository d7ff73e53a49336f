//! `onlooker concepts`

use crate::deadline::Deadline;
use crate::game_argument::{GameArgument, too_large};
use crate::knowledge::read_heuristic;
use crate::progress::Progress;
use crate::{Done, interrupt, output};
use anyhow::{Result, bail};
use onlooker::budget::StopReason;
use onlooker::concepts::{
    Evidence, Lesson, LessonOptions, Method, PlayoutPlan, PlayoutPolicy, WatchReport, learn_heuristic, watch_playouts,
};
use onlooker::explain::{ConceptPage, concept_words};
use onlooker::game::{AnyGame, Game, played_roles};
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Learn heuristics and concepts from playouts of a game
#[derive(clap::Args)]
#[command(
    after_help = "The result is a file of rules such as 'evaluation(0.25) :- cell(2,2,x).' that a person can read and edit. \
                        Players use it: heuristic:FILE, alphabeta:DEPTH,eval=FILE, mcts:PLAYOUTS,eval=FILE or policy=FILE.\n\n\
                        Examples:\n  onlooker concepts tic-tac-toe -o tic-tac-toe.concepts\n  \
                        onlooker match tic-tac-toe --players heuristic:tic-tac-toe.concepts,greedy --games 100\n  \
                        onlooker concepts connect-four --format html -o concepts.html\n  \
                        onlooker concepts tic-tac-toe --method frequency --cutoff 2 -o small.concepts\n  \
                        onlooker concepts connect-four --method concepts --transfer small.concepts --playouts 100"
)]
pub struct Args {
    #[command(flatten)]
    game: GameArgument,
    /// How many playouts
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    playouts: u64,
    /// Stop before that once each role has won so many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    wins: Option<u64>,
    /// The most facts in a rule that speaks of single places
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=3))]
    cutoff: u64,
    /// fit: the most facts in a rule that holds wherever it matches, 2 or 3
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u64).range(2..=3))]
    concept_size: u64,
    /// fit: the most rules for each role, the strongest; if left out, as many as predict best
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    rules: Option<u64>,
    /// Rebuild the concepts of another game, from a file that this command wrote, here
    #[arg(long, value_name = "FILE")]
    transfer: Option<PathBuf>,
    /// How rules get their values: 'fit' tells won games from lost ones, 'frequency' counts in won games, 'concepts' counts matches of concepts
    #[arg(long, value_enum, default_value_t = MethodName::Fit)]
    method: MethodName,
    /// How playouts are played: random, or a winning move if there is one; if left out, greedy for 'fit', otherwise random
    #[arg(long, value_enum)]
    policy: Option<PolicyName>,
    /// The share of rules that 'frequency' keeps, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=100))]
    share: u64,
    /// Playouts that last longer are broken off
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    plies: u64,
    /// Playing ends after so many seconds, whatever was seen by then, and so does finding rules
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seconds: u64,
    /// The same seed gives the same rules
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Where to write; standard output if left out (nowhere with --json)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What to write; if left out, text for a terminal, HTML if the file's name says so, otherwise the rules
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum MethodName {
    Fit,
    Frequency,
    Concepts,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum PolicyName {
    Random,
    Greedy,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    Rules,
    Text,
    Html,
}

/// All playouts together have at most so many moves, tried ones included.
const MOST_STEPS: u64 = 200_000_000;

pub fn run(args: Args) -> Result<Done> {
    let begun = Instant::now();
    let transferred: Vec<&Path> = args.transfer.iter().map(PathBuf::as_path).collect();
    output::check(&[args.output.as_deref()], &args.game.file().into_iter().chain(transferred).collect::<Vec<_>>())?;
    let game = args.game.load()?;
    let given = args.transfer.as_deref().map(read_heuristic).transpose()?;
    let stop = interrupt::flag()?;
    let (evidence, watched) = watch(&game, &args, &stop)?;
    let options = LessonOptions {
        method: match args.method {
            MethodName::Fit => Method::Fit,
            MethodName::Frequency => Method::Frequency,
            MethodName::Concepts => Method::Concepts,
        },
        cutoff: args.cutoff as usize,
        concept_size: args.concept_size as usize,
        most_rules: args.rules.map(|most| most as usize),
        share: args.share as f64 / 100.0,
        seed: args.seed,
        given: given.as_ref(),
        ..LessonOptions::default()
    };
    let deadline = Deadline::new(Duration::from_secs(args.seconds), &stop)?;
    let learnt = learn_heuristic(&game, &evidence, &options, deadline.flag())?;
    let seconds = begun.elapsed().as_secs_f64();
    if watched.stop == StopReason::Interrupted {
        eprintln!("playing was ended after {} of {} playouts", evidence.playouts().0, args.playouts);
    }
    if learnt.stopped {
        eprintln!("fitting was stopped early, so another run may give other rules: --seconds gives it more time");
    }
    let format = args.format.unwrap_or_else(|| match &args.output {
        Some(path) if path.extension().is_some_and(|extension| extension == "html") => Format::Html,
        None if std::io::stdout().is_terminal() => Format::Text,
        _ => Format::Rules,
    });
    if !args.json || args.output.is_some() {
        let told = match format {
            Format::Rules => learnt.heuristic.to_string(),
            Format::Text => ConceptPage::new(&game, &learnt.heuristic).text(),
            Format::Html => ConceptPage::new(&game, &learnt.heuristic).html(),
        };
        output::write(args.output.as_deref(), &told)?;
    }
    if args.json {
        output::line(summary(&evidence, &learnt, seconds))?;
    }
    Ok(Done::Holds)
}

fn watch(game: &AnyGame, args: &Args, stop: &Arc<AtomicBool>) -> Result<(Evidence, WatchReport)> {
    let policy = args.policy.unwrap_or(match args.method {
        MethodName::Fit => PolicyName::Greedy,
        MethodName::Frequency | MethodName::Concepts => PolicyName::Random,
    });
    let plan = PlayoutPlan {
        playouts: args.playouts,
        wins: args.wins.unwrap_or(u64::MAX),
        seed: args.seed,
        plies: args.plies,
        steps: MOST_STEPS,
        policy: match policy {
            PolicyName::Random => PlayoutPolicy::Random,
            PolicyName::Greedy => PlayoutPolicy::Greedy,
        },
    };
    let progress = Progress::new(args.playouts, "playouts");
    let deadline = Deadline::new(Duration::from_secs(args.seconds), stop)?;
    let (evidence, report) = watch_playouts(game, &plan, deadline.flag(), &|done| progress.set(done));
    progress.finish();
    if let Some(error) = report.truncated {
        return Err(too_large(error));
    }
    let (playouts, unfinished) = evidence.playouts();
    if playouts == unfinished {
        bail!(
            "none of {playouts} playouts of {} came to an end within {} moves and {} seconds, so there is nothing to learn from: \
             expected a larger --plies or --seconds, or another game",
            game.name(),
            args.plies,
            args.seconds
        );
    }
    for role in played_roles(game).iter().filter(|role| evidence.wins(role.index()) == 0) {
        eprintln!("{} has won none of {playouts} playouts", game.roles()[role.index()]);
    }
    Ok((evidence, report))
}

fn summary(evidence: &Evidence, lesson: &Lesson, seconds: f64) -> Value {
    let mut concepts = Vec::new();
    for (at, role) in lesson.heuristic.roles.iter().enumerate() {
        for (number, rule) in role.rules.iter().enumerate().filter(|(_, rule)| !rule.body.is_empty()) {
            let body: Vec<String> = rule.body.iter().map(ToString::to_string).collect();
            let noted = rule.note.split_whitespace().nth(1).and_then(|word| word.parse::<u64>().ok());
            let support = lesson.support.get(at).and_then(|support| support.get(number).copied()).or(noted);
            concepts.push(json!({
                "role": role.role, "text": body.join(", "), "words": concept_words(&rule.body), "value": rule.value,
                "support": support.unwrap_or(0),
            }));
        }
    }
    json!({
        "playouts": evidence.playouts().0,
        "rules": lesson.heuristic.rule_count(),
        "concepts": concepts,
        "learnt": lesson.heuristic.learnt.iter().map(|(what, value)| json!([what, value])).collect::<Vec<_>>(),
        "seconds": seconds,
    })
}
