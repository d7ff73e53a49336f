//! `onlooker learn`

use crate::file_identity::is_standard_output;
use crate::game_argument::SheetText;
use crate::relearn::{self, Comparison, Misfit, Watched};
use crate::{Done, input, log_argument, output, report};
use anyhow::{Context, Result, bail};
use onlooker::board::{Cell, Player};
use onlooker::game::{SimulationPlan, catalogue_game, simulate};
use onlooker::learn::{Contradiction, Evidence, Learnt, LearntPiece, Method, Need, Needs, Options, Progress, learn};
use onlooker::observe::HopReading;
use onlooker::observe::{GameReader, Listing, LogError, Record};
use std::collections::HashMap;
use std::io::{BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

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
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    floor: f64,
    /// The share of records that may be false
    #[arg(long, value_name = "RATE", default_value_t = 0.0, value_parser = rate)]
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
    #[command(flatten)]
    sheet: relearn::Options,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum MethodName {
    Shortest,
    Paper,
    Grl,
    PaperGrl,
}

fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share| *share > 0.0 && *share <= 1.0)
        .ok_or("expected a share above 0, at most 1".to_owned())
}

fn rate(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|rate| (0.0..0.5).contains(rate))
        .ok_or("expected a rate from 0 to less than 0.5".to_owned())
}

pub fn run(args: Args) -> Result<Done> {
    let begun = Instant::now();
    check_places(&args)?;
    let mut watched = match watch(&args)? {
        Some(Ok(watched)) => Some(watched),
        Some(Err(misfit)) => {
            misfit.print(args.json)?;
            return Ok(Done::DoesNotHold);
        }
        None => None,
    };
    let evidence = gather(&args, watched.as_ref())?;
    let mut lesson = match (Lesson::new(&args, watched.as_ref(), evidence)?, &watched) {
        (Ok(lesson), _) => lesson,
        (Err(flaw), Some(watched)) => {
            watched.misfit(flaw).print(args.json)?;
            return Ok(Done::DoesNotHold);
        }
        (Err(flaw), None) => bail!(flaw),
    };
    lesson.compare(&args, watched.as_ref());
    // Boards do not show whether a piece went straight or hopped, so that both are tried.
    for telling in [HopReading::HopsOverEnemies, HopReading::HopsOverAll] {
        if !lesson.moves_hold()
            && let Some(hops) = watched.as_ref().and_then(|watched| watched.told_as(telling))
        {
            let Ok(mut other) = Lesson::new(&args, Some(&hops), gather(&args, Some(&hops))?)? else { continue };
            // Other games of the sheet need not be played to see that it does not fit.
            if other.is_consistent() {
                other.compare(&args, Some(&hops));
                if other.moves_hold() {
                    (lesson, watched) = (other, Some(hops));
                }
            }
        }
    }
    // Not before now, so that a command that is refused changes nothing.
    save(&args, &lesson.evidence)?;
    let seconds = begun.elapsed().as_secs_f64();
    for line in
        contradictions(&args, watched.as_ref(), &lesson.learnt)?.iter().chain(&not_accounted_for(&lesson.learnt))
    {
        eprintln!("{line}");
    }
    if args.json {
        write_rules(&args, &lesson.learnt)?;
        output::line(json(&lesson, seconds))?;
    } else {
        // The rules come last, where a person looks.
        watched.iter().for_each(|watched| eprintln!("{}", watched.told()));
        eprint!("{}", summary(&lesson.evidence, &lesson.learnt, seconds));
        lesson.comparison.iter().for_each(Comparison::print);
        write_rules(&args, &lesson.learnt)?;
    }
    Ok(if lesson.holds() { Done::Holds } else { Done::DoesNotHold })
}

/// Refuses places to write to that are something else too. Only evidence may be saved where it was read.
fn check_places(args: &Args) -> Result<()> {
    let rules = args.output.as_deref();
    if args.json && rules.is_some_and(is_standard_output) {
        bail!("both the rules and the JSON object would go to standard output: expected a file for the rules");
    }
    let mut outputs = vec![rules];
    outputs.extend(args.save_evidence.as_deref().map(Some));
    let logs: Vec<&Path> = args.logs.iter().map(PathBuf::as_path).collect();
    output::check(&outputs, &logs)?;
    let evidence: Vec<&Path> = args.evidence.iter().map(PathBuf::as_path).collect();
    output::check(&[rules], &evidence)
}

/// What was seen, and what was learnt from it.
struct Lesson {
    evidence: Evidence,
    learnt: Learnt,
    times: Times,
    /// With the sheet, if it was learnt from one, once that has been compared.
    comparison: Option<Comparison>,
}

impl Lesson {
    /// Learns; or says why what was learnt is no rules.
    fn new(args: &Args, watched: Option<&Watched>, evidence: Evidence) -> Result<Result<Lesson, String>> {
        let method = match args.method {
            MethodName::Shortest => Method::Shortest,
            MethodName::Paper => Method::Paper { distance: args.distance, expansions: args.expansions },
            MethodName::Grl => Method::Grl(None),
            MethodName::PaperGrl => Method::Grl(Some((args.distance, args.expansions))),
        };
        let name = args.name.clone().unwrap_or_else(|| "learnt".to_owned());
        let budget = args.effort.saturating_mul(1_000_000);
        let options = Options { name, method, floor: args.floor, noise: args.noise, budget };
        let times = Times::default();
        let mut learnt = learn(&evidence, &options, &AtomicBool::new(false), &|progress| times.note(progress))?;
        if let Some(flaw) = learnt.rules.flaws().first() {
            return Ok(Err(format!("these games make no rules: {}", flaw.reason)));
        }
        if let Some(watched) = watched.filter(|_| args.name.is_none()) {
            watched.name(&mut learnt.rules);
        }
        Ok(Ok(Lesson { evidence, learnt, times, comparison: None }))
    }

    /// Compares what was learnt with the sheet that it was learnt from, if it was one.
    fn compare(&mut self, args: &Args, watched: Option<&Watched>) {
        self.comparison = watched.map(|watched| watched.compare(&self.learnt, &args.sheet));
    }

    /// Whether no games contradict each other on moves.
    fn is_consistent(&self) -> bool {
        self.learnt.pieces.iter().all(|piece| piece.consistent)
    }

    /// Whether all moves are accounted for, whatever becomes of endings.
    fn moves_hold(&self) -> bool {
        self.is_consistent() && self.comparison.as_ref().is_none_or(Comparison::moves_hold)
    }

    fn holds(&self) -> bool {
        self.learnt.is_consistent() && self.comparison.as_ref().is_none_or(Comparison::holds)
    }
}

/// The games of a rule sheet, if one is to be learnt from.
fn watch(args: &Args) -> Result<Option<Result<Watched, Misfit>>> {
    let sheets: Result<Vec<Option<SheetText>>> =
        args.logs.iter().map(|path| SheetText::find(&path.to_string_lossy())).collect();
    let mut sheets = sheets?;
    match sheets.iter().position(Option::is_some) {
        Some(at) if sheets.len() > 1 || !args.evidence.is_empty() => bail!(
            "{} is a rule sheet, expected it alone: a game is learnt from logs, or from one rule sheet",
            args.logs[at].display()
        ),
        Some(at) => sheets.swap_remove(at).map(|sheet| Watched::new(sheet, &args.sheet)).transpose(),
        None => Ok(None),
    }
}

fn save(args: &Args, evidence: &Evidence) -> Result<()> {
    match &args.save_evidence {
        Some(path) => output::save(path, |out| evidence.write(out)),
        None => Ok(()),
    }
}

fn write_rules(args: &Args, learnt: &Learnt) -> Result<()> {
    match &args.output {
        None if args.json => Ok(()),
        path => output::write(path.as_deref(), &learnt.rules.to_string()),
    }
}

/// What all logs and all saved evidence show together.
fn gather(args: &Args, watched: Option<&Watched>) -> Result<Evidence> {
    let mut evidence = Evidence::default();
    if let Some(watched) = watched {
        for (game, number) in watched.games.iter().zip(1..) {
            evidence.observe(game).with_context(|| format!("game {number}"))?;
        }
        return Ok(evidence);
    }
    for path in &args.evidence {
        let name = input::name(path);
        let saved = Evidence::read(BufReader::new(input::open(path, "saved evidence")?));
        let saved = saved.with_context(|| format!("{name} is not saved evidence"))?;
        evidence.merge(saved).map_err(|(refused, _)| anyhow::anyhow!("{name}: {refused}"))?;
    }
    let mut damaged = 0;
    for path in &args.logs {
        let games = log_argument::open(path)?;
        damaged += observe(&mut evidence, games, args.keep_going, &|error| report::log(path, error).into())
            .with_context(|| format!("cannot learn from {}", input::name(path)))?;
    }
    if args.logs.is_empty() && args.evidence.is_empty() {
        eprintln!("No log was given: learning from 50 random games of chess-breakthrough.");
        let sample = sample()?;
        observe(&mut evidence, GameReader::new(sample.as_slice()), false, &|error| anyhow::anyhow!("{error}"))?;
    }
    if damaged > 0 {
        eprintln!("{damaged} damaged {} skipped", if damaged == 1 { "game" } else { "games" });
    }
    if evidence.games() == 0 {
        bail!("there is no game to learn from, expected at least one complete game");
    }
    Ok(evidence)
}

/// The games that are learnt from if no log is given.
fn sample() -> Result<Vec<u8>> {
    let game = catalogue_game("chess-breakthrough").context("the catalogue has chess-breakthrough")?;
    let plan = SimulationPlan { games: 50, listing: Listing::All, seed: 1, plies: 10_000 };
    let mut log = Vec::new();
    simulate(&game, &plan, &mut log, &AtomicBool::new(false), &mut |_| {})?;
    Ok(log)
}

/// Games that go from the reader to the learner at once, or as many as list so many moves.
const BATCH: usize = 16;
const MANY_MOVES: usize = 1 << 18;

type Batch = Vec<Vec<Record>>;

/// Adds the games of a log; says how many were damaged. One thread reads, another keeps what was read.
fn observe<R: Read>(
    evidence: &mut Evidence,
    mut games: GameReader<R>,
    keep_going: bool,
    drawn: &dyn Fn(&LogError) -> anyhow::Error,
) -> Result<u64> {
    let mut number = 0;
    let mut keep = |batch: Batch| -> Result<()> {
        for game in batch {
            number += 1;
            evidence.observe(&game).with_context(|| format!("game {number}"))?;
        }
        Ok(())
    };
    let (sender, receiver) = mpsc::sync_channel::<Batch>(4);
    let done = std::thread::scope(|scope| {
        let work = || receiver.into_iter().try_for_each(&mut keep);
        let keeper = std::thread::Builder::new().spawn_scoped(scope, work).ok()?;
        // A keeper that takes no more games has given up, and says why.
        let read = read(&mut games, keep_going, drawn, &mut |batch| Ok(sender.send(batch).is_ok()));
        drop(sender);
        Some(match keeper.join() {
            Ok(kept) => kept.and(read),
            Err(_) => Err(anyhow::anyhow!("the thread that keeps evidence died")),
        })
    });
    // Without another thread both are done by this one.
    done.unwrap_or_else(|| read(&mut games, keep_going, drawn, &mut |batch| keep(batch).map(|()| true)))
}

/// Reads games and hands them on in batches, as long as they are wanted.
fn read<R: Read>(
    games: &mut GameReader<R>,
    keep_going: bool,
    drawn: &dyn Fn(&LogError) -> anyhow::Error,
    hand_on: &mut dyn FnMut(Batch) -> Result<bool>,
) -> Result<u64> {
    let (mut damaged, mut moves) = (0, 0);
    let mut batch = Vec::new();
    for game in games {
        match game {
            Ok(records) => {
                moves += records.iter().map(|record| record.moves.len()).sum::<usize>();
                batch.push(records);
            }
            Err(error) if keep_going => {
                damaged += 1;
                report::print(&drawn(&error));
            }
            Err(error) => return Err(drawn(&error)),
        }
        if batch.len() >= BATCH || moves >= MANY_MOVES {
            moves = 0;
            if !hand_on(std::mem::take(&mut batch))? {
                return Ok(damaged);
            }
        }
    }
    hand_on(batch)?;
    Ok(damaged)
}

/// How long each piece took.
#[derive(Default)]
struct Times(Mutex<HashMap<Learning, (Instant, Duration)>>);

/// A kind of piece, and whose it is unless both players' are learnt at once.
type Learning = (Cell, Option<Player>);

impl Times {
    fn note(&self, progress: Progress) {
        let Ok(mut times) = self.0.lock() else { return };
        match progress {
            Progress::Begun(kind, player) => {
                times.insert((kind, player), (Instant::now(), Duration::ZERO));
            }
            Progress::Done(kind, player) => {
                if let Some((begun, took)) = times.get_mut(&(kind, player)) {
                    *took = begun.elapsed();
                }
            }
            Progress::TurnsBegun(..) | Progress::TurnsDone(..) => {}
        }
    }

    /// A piece that was learnt for both players at once took each of them half the time.
    fn of(&self, piece: &LearntPiece) -> f64 {
        let kind = if piece.player == Player::First { piece.start } else { piece.start.turned() };
        let Ok(times) = self.0.lock() else { return 0.0 };
        let alone = times.get(&(kind, Some(piece.player))).map(|time| time.1);
        let together = times.get(&(kind, None)).map(|time| time.1 / 2);
        alone.or(together).unwrap_or_default().as_secs_f64()
    }
}

fn json(lesson: &Lesson, seconds: f64) -> serde_json::Value {
    let Lesson { evidence, learnt, times, comparison } = lesson;
    let pieces: Vec<serde_json::Value> = learnt
        .pieces
        .iter()
        .map(|piece| {
            serde_json::json!({
                "player": piece.player.letter().to_string(),
                "piece": piece.start.to_string(),
                "states": piece.automaton.states().len(),
                "seconds": times.of(piece),
                "consistent": piece.consistent,
                "given_up": piece.given_up(),
                "uses": uses(piece),
            })
        })
        .collect();
    serde_json::json!({
        "pieces": pieces,
        "seconds": seconds,
        "games": evidence.games(),
        "positions": evidence.positions(),
        "moves": evidence.moves(),
        "unexplained": learnt.unexplained.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "sheet": comparison.as_ref().map(Comparison::json),
    })
}

/// The layers of rules that a piece needs.
fn uses(piece: &LearntPiece) -> Vec<&'static str> {
    let Needs { takes, appears, guards } = &piece.needs;
    let layers = [("movement", true), ("turns", *takes || !appears.is_empty()), ("guards", !guards.is_empty())];
    layers.into_iter().filter(|layer| layer.1).map(|layer| layer.0).collect()
}

fn summary(evidence: &Evidence, learnt: &Learnt, seconds: f64) -> String {
    let (games, positions, moves) = (evidence.games(), evidence.positions(), evidence.moves());
    let states: Vec<String> = learnt
        .pieces
        .iter()
        .map(|piece| {
            let doubt = if piece.consistent { "" } else { "?" };
            format!("{}{doubt} {}", piece.start, piece.automaton.states().len())
        })
        .collect();
    // Only a person wants to know how long it took; other readers of the same log get the same text.
    let took = if std::io::stderr().is_terminal() { format!(" in {seconds:.2} s") } else { String::new() };
    let states = states.join(", ");
    let needs: String = needed(learnt).iter().map(|line| format!("{line}\n")).collect();
    format!("Learnt from {games} games, {positions} positions and {moves} moves{took}.\nStates: {states}\n{needs}")
}

/// Which layers of rules the games need, and why.
fn needed(learnt: &Learnt) -> Vec<String> {
    let mut lines = Vec::new();
    for piece in &learnt.pieces {
        let Needs { takes, appears, guards } = &piece.needs;
        let start = if piece.start.is_empty() { "a drop".to_owned() } else { piece.start.to_string() };
        let mut turns = Vec::new();
        if *takes {
            turns.push("takes pieces on its way".to_owned());
        }
        let others: Vec<String> = appears.iter().map(|cell| cell.to_string()).collect();
        if !others.is_empty() && !piece.start.is_empty() {
            turns.push(format!("lets {} appear", others.join(" or ")));
        }
        if !turns.is_empty() {
            lines.push(format!("Turns: {start} {}.", turns.join(" and ")));
        }
        lines.extend(guards.iter().map(|need| format!("Guard {} for {start}: {}.", need.guard, reason(need))));
    }
    if lines.is_empty() {
        lines.push(
            "Movement alone: nothing is taken or appears in mid-turn, and no move depends on the place.".to_owned(),
        );
    }
    lines
}

fn reason(need: &Need) -> String {
    let Need { word, listed, played, .. } = need;
    match listed {
        (_, 0) => {
            format!("{word} was played {} times where about {:.0} were to be expected", played.0, played.1)
        }
        (listed, possible) => format!("{word} was listed {listed} times of {possible} where its steps found the same"),
    }
}

fn not_accounted_for(learnt: &Learnt) -> Vec<String> {
    let mut lines: Vec<String> = learnt.unexplained.iter().map(|what| format!("not accounted for: {what}")).collect();
    if learnt.pieces.iter().any(|piece| piece.given_up()) {
        lines.push("With a larger --effort it searches on.".to_owned());
    }
    lines
}

/// How many contradictions are shown.
const SHOWN: usize = 5;

/// What records contradict each other on, with the records.
fn contradictions(args: &Args, watched: Option<&Watched>, learnt: &Learnt) -> Result<Vec<String>> {
    let found: Vec<&Contradiction> = learnt.pieces.iter().flat_map(|piece| &piece.contradictions).collect();
    if found.is_empty() || learnt.is_consistent() {
        return Ok(Vec::new());
    }
    let shown = &found[..found.len().min(SHOWN)];
    let mut places: Vec<[Option<String>; 2]> = vec![[None, None]; shown.len()];
    let mut look = |path: &Path, number: u64, record: &Record| {
        for (contradiction, places) in shown.iter().zip(&mut places) {
            for (place, listed) in places.iter_mut().zip([true, false]) {
                if place.is_none() {
                    *place = find(path, number, record, contradiction, listed);
                }
            }
        }
    };
    for path in &args.logs {
        if let Some(watched) = watched {
            let records =
                watched.games.iter().zip(1..).flat_map(|(game, n)| game.iter().map(move |record| (n, record)));
            records.for_each(|(number, record)| look(path, number, record));
            continue;
        }
        if !input::is_repeatable(path) {
            continue;
        }
        for (game, number) in log_argument::open(path)?.zip(1..) {
            // Damaged games were told before.
            game.iter().flatten().for_each(|record| look(path, number, record));
        }
    }
    let mut lines: Vec<String> =
        shown.iter().zip(&places).map(|(contradiction, places)| told(contradiction, places)).collect();
    if found.len() > SHOWN {
        lines.push(format!("and {} more words on which records contradict each other", found.len() - SHOWN));
    }
    if watched.is_none() {
        lines.push("If some records may be false, --noise 0.01 tolerates one in a hundred.".to_owned());
    }
    Ok(lines)
}

fn find(path: &Path, game: u64, record: &Record, contradiction: &Contradiction, listed: bool) -> Option<String> {
    let square = contradiction.is_in(record, listed)?;
    let square = record.position.shape().name(square);
    Some(format!("{}, game {game}, record {}, from {square}", path.display(), record.number))
}

fn told(contradiction: &Contradiction, places: &[Option<String>; 2]) -> String {
    let Contradiction { start, word, listed, possible, .. } = contradiction;
    let unknown = || "a record of saved evidence, or of a log that cannot be read twice".to_owned();
    let [yes, no] = places.clone().map(|place| place.unwrap_or_else(unknown));
    if let Some(expected) = contradiction.expected {
        return format!(
            "contradiction: {start} played {word} {listed} times of {possible} where it was possible and about {expected:.0} were \
             to be expected: probably a mistake\n  it is played in {yes}"
        );
    }
    let reason = if contradiction.depends_on_square() {
        "it depends on the square where the piece stands"
    } else if contradiction.is_rarely_listed() {
        "probably the records that list it are false"
    } else {
        "probably the records that do not list it are false"
    };
    format!(
        "contradiction: {start} has {word} listed {listed} times of {possible} where it was possible: {reason}\n  it is listed \
         in {yes}\n  but not in {no}"
    )
}
