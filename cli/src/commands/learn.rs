//! `onlooker learn`

use crate::file_identity::is_standard_output;
use crate::game_argument::{EngineName, SheetText};
use crate::lesson_text::{LessonText, SheetResult, print_misfit};
use crate::stopwatch::{self, PieceTimes};
use crate::{Done, evidence_argument, input, interrupt, log_argument, number_argument, output};
use anyhow::{Result, bail};
use onlooker::learn::{Evidence, Method, Options};
use onlooker::relearn::{Lesson, Misfit, SheetPlan, learn_sheet};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Learn the rules of a game from logs of play, or from a rule sheet whose facts tell a board
#[derive(clap::Args)]
#[command(
    after_help = "Without a log it learns from 50 random games of chess-breakthrough. A rule sheet is played at random, watched, and \
                  what was learnt is checked on other games of it: the exit status is 1 if the sheet does not fit.\n\n\
                  Example:\n  onlooker learn games.log.gz -o learnt.rules\n  onlooker learn games/breakthrough.kif -o breakthrough.rules"
)]
pub struct Args {
    /// Logs of complete games, plain or compressed with gzip or zstd; or one rule sheet (.kif, .gdl)
    logs: Vec<PathBuf>,
    /// Where to write the rules; standard output if left out (nowhere with --json)
    #[arg(short, long, value_name = "RULES")]
    output: Option<PathBuf>,
    /// What to call the game; 'learnt' if left out, or what the rule sheet is called
    #[arg(long)]
    name: Option<String>,
    /// How movements are found: as the shortest description of what was seen; by the algorithms of Björnsson (2012); as
    /// parts of turns that LOCM puts together (Gregory, Björnsson and Schiffel 2015); or like that with Björnsson's
    /// algorithms for the parts
    #[arg(long, value_enum, default_value_t = MethodName::Shortest)]
    method: MethodName,
    /// With --method paper or paper-grl: how far apart collapsed states may be (the paper's K)
    #[arg(long, value_name = "K", default_value_t = 2)]
    distance: usize,
    /// With --method paper or paper-grl: how many automata are looked at (the paper's MaxExpansions)
    #[arg(long, value_name = "N", default_value_t = 20)]
    expansions: usize,
    /// Where only the moves played are listed: the least share of its fair share that any legal kind of move is played
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = number_argument::share)]
    floor: f64,
    /// The share of records that may be false
    #[arg(long, value_name = "RATE", default_value_t = 0.0, value_parser = number_argument::rate)]
    noise: f64,
    /// After how many million steps each search for a piece's movement is given up
    #[arg(long, value_name = "N", default_value_t = 500)]
    effort: u64,
    /// Evidence saved by an earlier run, to go on with
    #[arg(long, value_name = "FILE")]
    evidence: Vec<PathBuf>,
    /// Save what was seen, so that a later run can go on with it; a name ending in .gz or .zst compresses it
    #[arg(long, value_name = "FILE")]
    save_evidence: Option<PathBuf>,
    /// Report damaged games, skip them, and go on
    #[arg(long)]
    keep_going: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// How many random games of a rule sheet to learn from; 1000 if left out, or fewer that list 300000 moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = SHEET)]
    games: Option<u64>,
    /// How many other games to check the rules on that were learnt from a rule sheet; 1000 if left out, or fewer that list
    /// 300000 moves
    #[arg(long, value_name = "N", help_heading = SHEET)]
    check_games: Option<u64>,
    /// The same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = SHEET)]
    seed: u64,
    /// For how many seconds to measure random play, from the sheet and from the rules; 0 leaves it out
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = number_argument::seconds, help_heading = SHEET)]
    speed: f64,
}

const SHEET: &str = "With a rule sheet";

#[derive(Clone, Copy, clap::ValueEnum)]
enum MethodName {
    Shortest,
    Paper,
    Grl,
    PaperGrl,
}

pub fn run(args: Args) -> Result<Done> {
    check_places(&args)?;
    let stop = interrupt::flag()?;
    match args.sheet()? {
        Some(sheet) => from_sheet(&args, &sheet, &stop),
        None => from_logs(&args, &stop),
    }
}

fn from_logs(args: &Args, stop: &AtomicBool) -> Result<Done> {
    let (begun, times) = (Instant::now(), PieceTimes::default());
    let evidence = gather(args, stop)?;
    let mut lesson = Lesson::learn(evidence, &args.options(), stop, &|progress| times.note(progress))?;
    // Not before now, so that a command that is refused changes nothing.
    save(args, &lesson.evidence)?;
    for (number, path) in args.logs.iter().enumerate() {
        if !lesson.contradictions.are_located() && input::is_repeatable(path) {
            lesson.contradictions.look_through(number, log_argument::open(path)?);
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let text = LessonText { lesson: &lesson, logs: &args.logs, times, seconds, sheet: None };
    text.print(args.output.as_deref(), args.json)?;
    Ok(if lesson.is_consistent() { Done::Holds } else { Done::DoesNotHold })
}

fn from_sheet(args: &Args, sheet: &SheetText, stop: &AtomicBool) -> Result<Done> {
    let (begun, times) = (Instant::now(), PieceTimes::default());
    let game = sheet.game(EngineName::Fast)?;
    let (games, check_games, seed, sheet_names) = (args.games, args.check_games, args.seed, args.name.is_none());
    let plan = SheetPlan { games, check_games, seed, sheet_names };
    let report = match learn_sheet(&game, &plan, &args.options(), stop, &|progress| times.note(progress)) {
        Ok(report) => report,
        Err(Misfit::Interrupted) => bail!("stopped before anything was learnt from {}", sheet.path.display()),
        Err(misfit) => {
            print_misfit(&sheet.path, &misfit, args.json)?;
            return Ok(Done::DoesNotHold);
        }
    };
    save(args, &report.lesson.evidence)?;
    let seconds = begun.elapsed().as_secs_f64();
    // How fast other rules are than the sheet's says nothing.
    let measured = if report.comparison.holds() { args.speed } else { 0.0 };
    let speed = stopwatch::compare(&game, &report.lesson.learnt.rules, measured, seed)?;
    let sheet = SheetResult { game: &game, path: &sheet.path, report: &report, speed };
    let text = LessonText { lesson: &report.lesson, logs: &args.logs, times, seconds, sheet: Some(sheet) };
    text.print(args.output.as_deref(), args.json)?;
    Ok(if report.holds() { Done::Holds } else { Done::DoesNotHold })
}

/// Refuses places to write to that are something else too. Only evidence may be saved where it was read.
fn check_places(args: &Args) -> Result<()> {
    let rules = args.output.as_deref();
    if args.json && rules.is_some_and(is_standard_output) {
        bail!("both the rules and the JSON object would go to standard output: expected a file for the rules");
    }
    let mut outputs = vec![rules];
    outputs.extend(args.save_evidence.as_deref().map(Some));
    output::check(&outputs, &args.logs)?;
    output::check(&[rules], &args.evidence)
}

impl Args {
    /// The rule sheet to learn from, if it is one.
    fn sheet(&self) -> Result<Option<SheetText>> {
        for path in &self.logs {
            let Some(sheet) = SheetText::find(&path.to_string_lossy())? else { continue };
            if self.logs.len() == 1 && self.evidence.is_empty() {
                return Ok(Some(sheet));
            }
            let name = path.display();
            bail!("{name} is a rule sheet, expected it alone: a game is learnt from logs, or from one rule sheet");
        }
        Ok(None)
    }

    fn options(&self) -> Options {
        let method = match self.method {
            MethodName::Shortest => Method::Shortest,
            MethodName::Paper => Method::Paper { distance: self.distance, expansions: self.expansions },
            MethodName::Grl => Method::Grl(None),
            MethodName::PaperGrl => Method::Grl(Some((self.distance, self.expansions))),
        };
        let name = self.name.clone().unwrap_or_else(|| "learnt".to_owned());
        Options { name, method, floor: self.floor, noise: self.noise, budget: self.effort.saturating_mul(1_000_000) }
    }
}

/// What all logs and all saved evidence show together.
fn gather(args: &Args, stop: &AtomicBool) -> Result<Evidence> {
    let mut evidence = evidence_argument::merge(&args.evidence)?;
    let mut damaged = 0;
    for path in &args.logs {
        damaged += evidence_argument::observe(&mut evidence, path, args.keep_going, stop)?;
    }
    if args.logs.is_empty() && args.evidence.is_empty() {
        eprintln!("No log was given: learning from 50 random games of chess-breakthrough.");
        evidence = evidence_argument::sample()?;
    }
    evidence_argument::finish(&evidence, damaged)?;
    Ok(evidence)
}

fn save(args: &Args, evidence: &Evidence) -> Result<()> {
    args.save_evidence.as_ref().map_or(Ok(()), |path| output::save(path, |out| evidence.write(out)))
}
