//! `onlooker tactics example` and `onlooker tactics advise`

use crate::knowledge::read_tactics;
use crate::{Done, game_argument, input, output, report};
use anyhow::{Context, Result, bail};
use onlooker::tactics::{
    Example, ForcedWin, Foresight, LearnOptions, Lesson, Name, Recogniser, RuleFile, State, Status, UpdateSystem, Why,
    decide, draw_lesson, explain_lesson, learn_from_example,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Learn from single positions: how a win, or an event such as the capture of a queen, was forced
#[derive(clap::Args)]
#[command(
    after_help = "An example is a text: a name, the system, what holds, and the moves.\n\n  example skewer\n  chess 8 x 8\n  \
                  state on(g1,white-king) on(f1,white-bishop) on(c3,black-king) on(b2,black-queen)\n  \
                  moves white f1-e2 ...\n\nExamples:\n  onlooker tactics example games/skewer.example -o skewer.tactics\n  \
                  onlooker tactics example games/skewer.example --format explanation\n  onlooker tactics verify skewer.tactics"
)]
pub struct ExampleArgs {
    /// Examples of one system; chess fragments have to have the same board and pieces
    #[arg(required = true)]
    examples: Vec<PathBuf>,
    /// The state-update system that the examples are about, if they do not say 'chess WIDTH x HEIGHT'
    #[arg(long, value_name = "FILE")]
    system: Option<PathBuf>,
    /// A rule that lies in more places is not proved for all of them: its proof is checked in each position
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    places: u64,
    /// What to write
    #[arg(long, value_enum, default_value_t = ExampleFormat::Rules)]
    format: ExampleFormat,
    /// Print one JSON object
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Where to write; standard output if left out (nowhere with --json)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Say what rules recommend in the position of an example, where their proofs hold, or what the opponent threatens and which moves answer it
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker tactics advise skewer.tactics games/skewer.example")]
pub struct AdviseArgs {
    /// Rules that 'onlooker tactics example' or 'onlooker tactics learn' wrote
    file: PathBuf,
    /// A position; whoever makes its first move is to move
    example: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum ExampleFormat {
    /// A file of rules
    Rules,
    /// What was forced, step by step
    Explanation,
    /// The same as a page with boards
    Html,
}

fn read_example(path: &Path, system: Option<&UpdateSystem>) -> Result<Example> {
    let text = game_argument::read_text(path, "an example: a position with moves")?;
    Example::parse(&text, system).map_err(|error| report::tactics(path, &error).into())
}

/// Whether two systems differ in nothing but their names and starts.
fn is_same(one: &UpdateSystem, other: &UpdateSystem) -> bool {
    one.types == other.types
        && one.predicates == other.predicates
        && one.statics == other.statics
        && one.groups == other.groups
        && one.events == other.events
        && one.rules.len() == other.rules.len()
        && one.rules.iter().zip(&other.rules).all(|(a, b)| (&a.condition, &a.add) == (&b.condition, &b.add))
}

pub fn example(args: &ExampleArgs) -> Result<Done> {
    let begun = Instant::now();
    let read: Vec<&Path> = args.examples.iter().map(PathBuf::as_path).chain(args.system.as_deref()).collect();
    output::check(&[args.output.as_deref()], &read)?;
    let given = args.system.as_deref().map(|path| -> Result<UpdateSystem> {
        let text = game_argument::read_text(path, "a state-update system")?;
        Ok(UpdateSystem::parse(&text).map_err(|error| report::tactics(path, &error))?)
    });
    let given = given.transpose()?;
    let options = LearnOptions { instances: args.places, ..LearnOptions::default() };
    let mut file: Option<RuleFile> = None;
    let mut taught: Vec<(Lesson, Example)> = Vec::new();
    for path in &args.examples {
        let name = input::name(path);
        let example = read_example(path, given.as_ref())?;
        let file = file.get_or_insert_with(|| {
            let game = if given.is_some() { example.system.name.as_str() } else { "chess-fragment" };
            RuleFile::new(game, example.system.clone())
        });
        if !is_same(&file.system, &example.system) {
            bail!("{name}: found another board or other pieces than in the examples before it, expected the same");
        }
        let (system, state) = (&file.system, &example.state);
        let lessons = learn_from_example(system, &mut file.library, state, &example.moves, &example.name, &options);
        let lessons = lessons.map_err(|error| match error {
            onlooker::tactics::LessonError::NotLost { moves } => {
                anyhow::anyhow!(
                    "{name}: nothing came about in {moves} moves: expected a win{}",
                    events(&example.system)
                )
            }
            error => anyhow::Error::new(error).context(name.clone()),
        })?;
        taught.extend(lessons.into_iter().map(|lesson| (lesson, example.clone())));
    }
    let mut file = file.context("no example")?;
    file.learnt.push(("examples".to_owned(), args.examples.len().to_string()));
    file.learnt.push(("program".to_owned(), format!("onlooker {}", env!("CARGO_PKG_VERSION"))));
    let seconds = begun.elapsed().as_secs_f64();
    let count = |status| file.library.rules.iter().filter(|rule| rule.status == status).count();
    let (rules, proved, per_position) = (file.library.rules.len(), count(Status::Proved), count(Status::PerPosition));
    if args.json {
        if args.output.is_some() {
            output::write(args.output.as_deref(), &file.to_string())?;
        }
        let listed: Vec<Value> = file.library.rules.iter().map(|rule| rule_as_json(&file, rule)).collect();
        output::line(json!({ "examples": args.examples.len(), "rules": rules, "proved": proved,
            "per_position": per_position, "seconds": seconds, "list": listed }))?;
        return Ok(Done::Holds);
    }
    let text = match args.format {
        ExampleFormat::Rules => file.to_string(),
        ExampleFormat::Explanation => {
            let texts = taught.iter().map(|(lesson, _)| explain_lesson(&file.system, lesson).join("\n") + "\n");
            texts.collect::<Vec<_>>().join("\n")
        }
        ExampleFormat::Html => {
            let pages = taught.iter().map(|(lesson, example)| draw_lesson(&file.system, lesson, &example.state));
            pages.collect()
        }
    };
    output::write(args.output.as_deref(), &text)?;
    if args.output.is_some() {
        eprintln!("{rules} rules, {proved} of them proved, {per_position} in each position, {seconds:.1} s");
    }
    if !taught.iter().any(|(lesson, _)| lesson.steps.iter().any(|step| step.rule.is_some())) {
        eprintln!("no rule: before every move that came to something the other side could have had as much at once");
    }
    Ok(Done::Holds)
}

fn events(system: &UpdateSystem) -> String {
    let names: Vec<&str> = system.events.iter().map(|event| system.names.text(event.name)).collect();
    if names.is_empty() { String::new() } else { format!(" or one of {}", names.join(", ")) }
}

fn rule_as_json(file: &RuleFile, rule: &onlooker::tactics::RecognitionRule) -> Value {
    let status = match rule.status {
        Status::Proved => "proved",
        Status::PerPosition => "per-position",
        Status::Unproved => "unproved",
    };
    let event = rule.event.map_or("win", |event| file.system.names.text(event));
    json!({ "name": rule.name, "event": event, "depth": rule.depth, "status": status })
}

pub fn advise(args: &AdviseArgs) -> Result<Done> {
    let file = read_tactics(&args.file)?;
    let text = game_argument::read_text(&args.example, "an example: a position with moves")?;
    // A position of the chess fragment brings its own system; where pieces or board differ, the rules say nothing of it.
    let example = Example::parse(&text, Some(&file.system)).map_err(|error| report::tactics(&args.example, &error))?;
    if !is_same(&file.system, &example.system) {
        bail!(
            "{}: found another board or other pieces than {} is about, expected the same",
            input::name(&args.example),
            input::name(&args.file)
        );
    }
    let system = &file.system;
    let player = example.moves.first().map_or(system.players[0], |&(player, _)| player);
    let recogniser = Recogniser::new(system, &file.library)?.with_events(&file.library)?;
    let advice = recogniser.advice(&example.state, player, &file.library);
    let text = |name| system.names.text(name);
    let forced = if advice.is_empty() { forced(&recogniser, &example.state, player) } else { None };
    if args.json {
        let listed = advice.iter().map(|one| {
            json!({ "event": one.event.map_or("win", text), "move": text(one.square), "depth": one.depth,
                "rule": file.library.rules[one.rule].name })
        });
        let mut answer = json!({ "player": text(player), "advice": listed.collect::<Vec<Value>>() });
        if let Some((win, lost, moves)) = &forced {
            let rule = win.rule.map(|rule| &file.library.rules[rule].name);
            let by = json!({ "move": text(win.square), "depth": win.depth, "rule": rule });
            let moves: Vec<&str> = moves.iter().map(|&square| text(square)).collect();
            answer["forced"] = json!({ "lost": lost, "by": by, "moves": moves });
        }
        output::line(answer)?;
        return Ok(Done::Holds);
    }
    match &forced {
        Some((win, lost, moves)) => {
            let (player, other) = (text(player), text(system.other(player)));
            let moves: Vec<&str> = moves.iter().map(|&square| text(square)).collect();
            let rule = win.rule.map(|rule| format!(" ({})", file.library.rules[rule].name)).unwrap_or_default();
            let wins = format!("{other} wins with {} in {}{rule}", text(win.square), counted(win.depth));
            output::line(if *lost {
                format!("{player} loses whatever it plays: {wins}; these hold out longest: {}", moves.join(" "))
            } else {
                format!("{player} has to play one of these: {}; otherwise {wins}", moves.join(" "))
            })?;
        }
        None if advice.is_empty() => output::line(format!("no rule has anything for {}", text(player)))?,
        None => {}
    }
    for one in advice {
        let (square, rule) = (text(one.square), &file.library.rules[one.rule].name);
        let moves = counted(one.depth);
        output::line(match one.event {
            None => format!("{} wins with {square} in {moves} ({rule})", text(player)),
            Some(event) => format!("{} brings about {} with {square} in {moves} ({rule})", text(player), text(event)),
        })?;
    }
    Ok(Done::Holds)
}

/// What the opponent would win by, whether every move lets it, and the moves that are left: none of that where nothing threatens. Of games in which
/// moves are objects of their own only rules say something.
fn forced(recogniser: &Recogniser, state: &State, player: Name) -> Option<(ForcedWin, bool, Vec<Name>)> {
    let ground = &recogniser.ground;
    if ground.system.has_moves {
        return None;
    }
    let mut bits = ground.state(state);
    let legal = ground.legal(&mut bits, ground.player(player));
    let decision = decide(recogniser, &mut bits, &legal, Foresight::default(), &AtomicBool::new(false));
    let squares = decision.moves.iter().map(|&id| ground.square(id)).collect();
    match decision.why {
        Why::Forced(win) => Some((win, false, squares)),
        Why::Lost(win) => Some((win, true, squares)),
        Why::Wins(_) | Why::Free => None,
    }
}

fn counted(moves: u32) -> String {
    if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") }
}
