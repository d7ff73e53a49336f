//! `onlooker opponent`

use crate::game_argument::{GameArgument, too_large};
use crate::knowledge::{Files, read_model};
use crate::progress::Progress;
use crate::{Done, input, interrupt, log_argument, output, report};
use anyhow::{Context, Result, bail};
use onlooker::explain::{Curve, CurvePlot};
use onlooker::game::{AnyGame, Game, Role, Term};
use onlooker::opponent::{
    BayesOptions, Branching, Measures, ModelOptions, MoveView, OpponentModel, TrainingError, Turn, nodes_to_depth,
    predict_turns, replies_needed, turns_of_records, turns_of_walks, waiting_moves, watch_matches,
};
use onlooker::play::{AgentSpec, MatchPlan, find_role};
use serde_json::{Value, json};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Learn how a player plays a role, and predict its moves
#[derive(clap::Args)]
#[command(
    after_help = "The result is a file that a person can read and edit. Players use it: opponent:FILE, or as alphabeta:DEPTH,policy=FILE.\n\n\
                  Examples:\n  onlooker opponent train tic-tac-toe --player alphabeta:9 --role o --games 100 -o o.model\n  \
                  onlooker opponent test o.model --games 100\n  \
                  onlooker opponent plot o.model --games 100 -o o.svg\n  \
                  onlooker match tic-tac-toe --players opponent:o.model,alphabeta:9 --games 100\n  \
                  onlooker opponent train racetrack --player alphabeta:3 --role white --games 100 --model moves -o white.model"
)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    Train(TrainArgs),
    Test(TestArgs),
    Plot(PlotArgs),
    Merge(MergeArgs),
}

/// Learn a model of a player from games
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  onlooker opponent train tic-tac-toe --player alphabeta:9 --role o --games 100 --model moves -o o.model"
)]
struct TrainArgs {
    #[command(flatten)]
    game: GameArgument,
    /// Who is modelled: a player as for 'onlooker match'
    #[arg(long, value_name = "PLAYER", required_unless_present = "log")]
    player: Option<AgentSpec>,
    /// Learn from recorded games instead: a log of a board game, or walks of a rule sheet
    #[arg(long, value_name = "FILE", conflicts_with_all = ["player", "against"])]
    log: Vec<PathBuf>,
    /// The role that it plays
    #[arg(long, value_name = "ROLE")]
    role: String,
    /// How many games are played; of recorded ones, how many are read
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=10_000_000), required_unless_present = "log")]
    games: Option<u64>,
    /// Who plays the other roles
    #[arg(long, value_name = "PLAYER", default_value = "random")]
    against: AgentSpec,
    /// How to predict: 'bayes' is the paper's Naive Bayes over facts, 'moves' looks at what each move does
    #[arg(long, value_enum, default_value_t = ModelName::Bayes)]
    model: ModelName,
    /// bayes: how many features to keep, those with the highest chi-squared statistics
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    features: u64,
    /// bayes: take the legal moves as features too
    #[arg(long)]
    legal: bool,
    /// bayes: what is added to every count
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = smoothing)]
    smoothing: f64,
    /// moves: how many joint moves to look ahead for wins and losses
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(0..=20))]
    ahead: u16,
    /// moves: pair moves only with what holds before them, without playing them: predicts less, but a search gets deeper
    #[arg(long)]
    facts_only: bool,
    /// Which turns to learn from: the role's own, or also those in which it waits for others
    #[arg(long, value_enum, default_value_t = Which::Own)]
    turns: Which,
    #[command(flatten)]
    common: Common,
    /// Where to write the model; standard output if left out (nowhere with --json)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Compare a model's predictions with fresh games
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker opponent test o.model --games 100 --json")]
struct TestArgs {
    /// A model that 'onlooker opponent train' wrote
    file: PathBuf,
    /// How many games are played; of recorded ones, how many are read
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=10_000_000), required_unless_present = "log")]
    games: Option<u64>,
    /// Who plays the role, if not the player that the model was learnt from
    #[arg(long, value_name = "PLAYER")]
    player: Option<AgentSpec>,
    /// Who plays the other roles, if not the same as in training
    #[arg(long, value_name = "PLAYER")]
    against: Option<AgentSpec>,
    /// Predict recorded games instead: a log of a board game, or walks of a rule sheet
    #[arg(long, value_name = "FILE", conflicts_with_all = ["player", "against"])]
    log: Vec<PathBuf>,
    /// The game, if not the one that the model names
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// How often the player is asked again in every turn, to find out which moves are ties to it
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u64).range(0..=10_000))]
    again: u64,
    /// Go on learning after every turn
    #[arg(long)]
    learn: bool,
    #[command(flatten)]
    common: Common,
}

/// Draw how good a model's predictions are, and what they save in search, as SVG
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker opponent plot o.model --games 100 --kind top -o top.svg")]
struct PlotArgs {
    #[command(flatten)]
    test: TestArgs,
    /// What to draw
    #[arg(long, value_enum, default_value_t = Kind::Top)]
    kind: Kind,
    /// Where to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Add up models that were counted from different games of the same player
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker opponent merge monday.model tuesday.model -o both.model")]
struct MergeArgs {
    /// Models of Naive Bayes of the same game and role
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(clap::Args)]
struct Common {
    /// Games that last longer are broken off
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    plies: u64,
    /// The same seed gives the same games and the same model
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum ModelName {
    Bayes,
    Moves,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Which {
    Own,
    All,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Kind {
    /// Top-N curves
    Top,
    /// Nodes to reach a depth while p % sure
    Contours,
    /// How likely moves were said to be, and how often they were played
    Calibration,
}

fn smoothing(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && (1e-9..=1e6).contains(number));
    number.ok_or_else(|| "expected a number from 1e-9 to 1e6".to_owned())
}

pub fn run(args: Args) -> Result<Done> {
    match args.verb {
        Verb::Train(args) => train(args),
        Verb::Test(args) => test(&args),
        Verb::Plot(args) => plot(&args),
        Verb::Merge(args) => merge(&args),
    }
}

fn role_of(game: &AnyGame, name: &str) -> Result<Role> {
    find_role(game.roles(), &Term::name(name)).with_context(|| {
        format!("found role {name:?}, expected one of the roles of {}: {}", game.name(), game.roles().join(", "))
    })
}

fn train(args: TrainArgs) -> Result<Done> {
    let begun = Instant::now();
    let read: Vec<&Path> = args.game.file().into_iter().chain(args.log.iter().map(PathBuf::as_path)).collect();
    output::check(&[args.output.as_deref()], &read)?;
    let game = args.game.load()?;
    let role = role_of(&game, &args.role)?;
    let turns = match &args.player {
        Some(player) => play(&game, role, player, &args.against, args.games.unwrap_or(0), 0, &args.common, 0)?,
        None => recorded(&game, role, &args.log, args.games.unwrap_or(u64::MAX))?,
    };
    let options = match args.model {
        ModelName::Bayes => ModelOptions::Bayes(BayesOptions {
            features: args.features as usize,
            legal: args.legal,
            smoothing: args.smoothing,
        }),
        ModelName::Moves => {
            ModelOptions::Moves(MoveView { effects: !args.facts_only, ahead: args.ahead, ..MoveView::default() })
        }
    };
    let mut model = OpponentModel::new(args.game.text(), &game.roles()[role.index()], options);
    match args.turns {
        Which::Own => model.train(&game, role, &turns, args.common.seed),
        Which::All => {
            model.waits = waiting_moves(&turns);
            model.train_on(&game, role, &turns.iter().collect::<Vec<_>>(), args.common.seed);
        }
    }
    model.player = args.player.as_ref().map(ToString::to_string);
    model.against = args.player.as_ref().map(|_| args.against.to_string());
    let mut learnt = |what: &str, value: String| model.learnt.push((what.to_owned(), value));
    let mut games: Vec<u64> = turns.iter().map(|turn| turn.game).collect();
    games.dedup();
    learnt("games", games.len().to_string());
    learnt("states", turns.len().to_string());
    if args.player.is_some() {
        learnt("seed", args.common.seed.to_string());
    }
    args.log.iter().for_each(|path| learnt("log", input::name(path)));
    learnt("program", format!("onlooker {}", env!("CARGO_PKG_VERSION")));
    let seconds = begun.elapsed().as_secs_f64();
    if model.turns() == 0 {
        eprintln!(
            "{} has no turn of its own in {} games: the model predicts every move alike",
            model.role,
            games.len()
        );
    }
    if !args.common.json || args.output.is_some() {
        output::write(args.output.as_deref(), &model.to_string())?;
    }
    if args.common.json {
        let (turns, features) = (model.turns(), model.feature_count());
        output::line(json!({ "turns": turns, "features": features, "seconds": seconds }))?;
    } else if args.output.is_some() {
        eprintln!(
            "{} turns of {} in {} games, {} features, {seconds:.1} s",
            model.turns(),
            model.role,
            games.len(),
            model.feature_count()
        );
    }
    Ok(Done::Holds)
}

/// Lets players play, and returns the turns of one role.
#[expect(clippy::too_many_arguments, reason = "what was asked for on the command line")]
fn play(
    game: &AnyGame,
    role: Role,
    player: &AgentSpec,
    against: &AgentSpec,
    games: u64,
    again: u64,
    common: &Common,
    salt: u64,
) -> Result<Vec<Turn<AnyGame>>> {
    let (player, against) = (player.build(&Files(game))?, against.build(&Files(game))?);
    let stop = interrupt::flag()?;
    let plan = MatchPlan { games, seed: common.seed ^ salt, plies: common.plies };
    let progress = Progress::new(games, "games");
    let count = AtomicU64::new(0);
    let done = || progress.set(count.fetch_add(1, Ordering::Relaxed) + 1);
    let turns = watch_matches(game, role, &player, &against, &plan, again as usize, &stop, &done).map_err(too_large)?;
    progress.finish();
    Ok(turns)
}

/// The turns of one role in recorded games.
fn recorded(game: &AnyGame, role: Role, logs: &[PathBuf], most: u64) -> Result<Vec<Turn<AnyGame>>> {
    let mut turns = Vec::new();
    let mut games = 0;
    for path in logs {
        let name = input::name(path);
        let refuse = |error: TrainingError| match error {
            TrainingError::Line { line, column, reason } => anyhow::anyhow!("{name}:{line}:{column}: {reason}"),
            other => anyhow::Error::new(other).context(name.clone()),
        };
        if is_walks(path)? {
            let input = BufReader::new(input::open(path, "a log or a file of walks")?);
            let walks = turns_of_walks(game, input, role).map_err(refuse)?;
            let first = games;
            let mut last = None;
            for mut turn in walks {
                if last != Some(turn.game) {
                    (last, games) = (Some(turn.game), games + 1);
                }
                if games - first > 0 && games <= most {
                    turn.game = games;
                    turns.push(turn);
                }
            }
            continue;
        }
        let mut reader = log_argument::open(path)?;
        let mut records = Vec::new();
        while games < most {
            match reader.read(&mut records) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => return Err(report::log(path, &error).into()),
            }
            games += 1;
            turns.extend(turns_of_records(game, &records, games, role).map_err(refuse)?);
        }
    }
    Ok(turns)
}

/// Whether a file has lines of JSON.
fn is_walks(path: &Path) -> Result<bool> {
    if input::is_standard(path) {
        bail!("found standard input for --log, expected a file");
    }
    let mut start = Vec::new();
    let input = input::open(path, "a log or a file of walks")?;
    input.take(64).read_to_end(&mut start).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(start.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{'))
}

/// The model in a file and its game.
fn load(args: &TestArgs) -> Result<(OpponentModel, AnyGame, Role)> {
    let mut model = read_model(&args.file)?;
    let named = args.game.as_deref().unwrap_or(&model.game);
    // A path is one from where the program runs, or from where the model is.
    let beside = args.file.parent().map(|folder| folder.join(named)).filter(|path| path.is_file());
    let known = AnyGame::names().any(|name| name == named) || Path::new(named).exists();
    let game = match beside.as_deref().and_then(Path::to_str).filter(|_| !known) {
        Some(path) => GameArgument::named(path).load(),
        None => GameArgument::named(named).load(),
    };
    let game = game.with_context(|| {
        format!("{}: the game of the model (another can be given with --game)", input::name(&args.file))
    })?;
    let role = role_of(&game, &model.role).with_context(|| input::name(&args.file))?;
    model.bind(&game);
    Ok((model, game, role))
}

/// The seed of games to test with is another one than that of training.
const TEST_SALT: u64 = 0x7e57_7e57;

fn test_turns(args: &TestArgs, model: &OpponentModel, game: &AnyGame, role: Role) -> Result<Vec<Turn<AnyGame>>> {
    if !args.log.is_empty() {
        return recorded(game, role, &args.log, args.games.unwrap_or(u64::MAX));
    }
    let agent = |given: &Option<AgentSpec>, named: &Option<String>| -> Result<Option<AgentSpec>> {
        match (given, named) {
            (Some(given), _) => Ok(Some(given.clone())),
            (None, Some(named)) => Ok(Some(named.parse().with_context(|| input::name(&args.file))?)),
            (None, None) => Ok(None),
        }
    };
    let Some(player) = agent(&args.player, &model.player)? else {
        bail!("{} does not say who plays {}, expected --player or --log", input::name(&args.file), model.role);
    };
    let against = agent(&args.against, &model.against)?.unwrap_or(AgentSpec::Random);
    play(game, role, &player, &against, args.games.unwrap_or(0), args.again, &args.common, TEST_SALT)
}

fn test(args: &TestArgs) -> Result<Done> {
    let (mut model, game, role) = load(args)?;
    let turns = test_turns(args, &model, &game, role)?;
    let waits = model.waits.iter().cloned().chain(waiting_moves(&turns)).collect();
    let own: Vec<&Turn<AnyGame>> = turns.iter().filter(|turn| turn.is_own(&waits)).collect();
    let measured = if args.learn {
        let mut outcomes = Vec::new();
        for turn in &own {
            outcomes.extend(predict_turns(&model, &game, role, &[*turn]));
            model.observe(&game, &turn.state, role, &turn.options, turn.played);
        }
        Measures::of(&outcomes, args.common.seed)
    } else {
        Measures::of(&predict_turns(&model, &game, role, &own), args.common.seed)
    };
    if args.common.json {
        let all =
            Measures::of(&predict_turns(&model, &game, role, &turns.iter().collect::<Vec<_>>()), args.common.seed);
        let mut json = json_of(&measured);
        json["all_turns"] = json_of(&all);
        output::line(json)?;
        return Ok(Done::Holds);
    }
    output::line(format!("{} own turns of {} in {}, legal moves only", measured.turns, model.role, game.name()))?;
    output::line(format!(
        "{:>4} {:>8} {:>16} {:>8} {:>8} {:>9}",
        "N", "top", "95 %", "ceiling", "uniform", "frequent"
    ))?;
    for (at, top) in measured.top.iter().enumerate().take(10) {
        output::line(format!(
            "{:>4} {:>7.1}% {:>7.1}..{:>5.1} % {:>7.1}% {:>7.1}% {:>8.1}%",
            at + 1,
            100.0 * top.value,
            100.0 * top.low,
            100.0 * top.high,
            100.0 * measured.ceiling[at],
            100.0 * measured.uniform[at],
            100.0 * measured.frequent[at]
        ))?;
    }
    output::line(format!("log-loss {:.4} (uniform {:.4})", measured.log_loss, measured.uniform_log_loss))?;
    Ok(Done::Holds)
}

fn json_of(measures: &Measures) -> Value {
    let round = |share: f64| (share * 1e6).round() / 1e6;
    let curve = |curve: &[f64]| curve.iter().map(|&share| round(share)).collect::<Vec<f64>>();
    let top: Vec<f64> = measures.top.iter().map(|top| round(top.value)).collect();
    let intervals: Vec<[f64; 2]> = measures.top.iter().map(|top| [round(top.low), round(top.high)]).collect();
    let calibration: Vec<Value> = (measures.calibration.iter())
        .map(|bin| json!({ "turns": bin.turns, "said": round(bin.said), "found": round(bin.found) }))
        .collect();
    json!({
        "turns": measures.turns,
        "top": top,
        "ceiling": curve(&measures.ceiling),
        "log_loss": round(measures.log_loss),
        "intervals": intervals,
        "uniform": curve(&measures.uniform),
        "frequent": curve(&measures.frequent),
        "of_all_moves": measures.top_of_all.as_deref().map(curve),
        "uniform_log_loss": round(measures.uniform_log_loss),
        "calibration": calibration,
    })
}

fn plot(args: &PlotArgs) -> Result<Done> {
    output::check(&[args.output.as_deref()], &[&args.test.file])?;
    let (model, game, role) = load(&args.test)?;
    let turns = test_turns(&args.test, &model, &game, role)?;
    let waits = model.waits.iter().cloned().chain(waiting_moves(&turns)).collect();
    let own: Vec<&Turn<AnyGame>> = turns.iter().filter(|turn| turn.is_own(&waits)).collect();
    let measures = Measures::of(&predict_turns(&model, &game, role, &own), args.test.common.seed);
    let title = format!("{} in {}, {} own turns", model.role, game.name(), measures.turns);
    let plot = match args.kind {
        Kind::Top => top_plot(&title, &measures),
        Kind::Contours => {
            let branching = Branching::of(&game, role, &turns, &|turn| turn.is_own(&waits));
            let top = measures.top_of_all.clone();
            let top = top.unwrap_or_else(|| measures.top.iter().map(|top| top.value).collect());
            contour_plot(&title, branching, &top)
        }
        Kind::Calibration => {
            let points = measures.calibration.iter().map(|bin| (bin.said, bin.found)).collect();
            let curves = vec![
                Curve { name: "predictions".to_owned(), points, dashed: false },
                Curve { name: "as said".to_owned(), points: vec![(0.0, 0.0), (1.0, 1.0)], dashed: true },
            ];
            let (x, y) = ("said".to_owned(), "found".to_owned());
            CurvePlot { title: format!("Calibration: {title}"), x, y, log_y: false, curves }
        }
    };
    output::write(args.output.as_deref(), &plot.svg())?;
    if args.test.common.json && args.output.is_some() {
        output::line(json_of(&measures))?;
    }
    Ok(Done::Holds)
}

/// Top-N curves with their ceiling.
pub fn top_plot(title: &str, measures: &Measures) -> CurvePlot {
    let points = |curve: &[f64]| (1..).zip(curve).map(|(n, &share)| (f64::from(n), 100.0 * share)).collect();
    let curve = |name: &str, shares: &[f64], dashed| Curve { name: name.to_owned(), points: points(shares), dashed };
    let top: Vec<f64> = measures.top.iter().map(|top| top.value).collect();
    let mut curves = vec![curve("legal moves", &top, false)];
    curves.extend(measures.top_of_all.as_deref().map(|all| curve("all moves", all, false)));
    curves.push(curve("ceiling", &measures.ceiling, true));
    curves.push(curve("most frequent", &measures.frequent, true));
    curves.push(curve("uniform", &measures.uniform, true));
    let (x, y) = ("N".to_owned(), "played move among the first N, %".to_owned());
    CurvePlot { title: title.to_owned(), x, y, log_y: false, curves }
}

/// Nodes to reach a depth for several confidences.
pub fn contour_plot(title: &str, branching: Branching, top: &[f64]) -> CurvePlot {
    let nodes = |depth: u32, confidence: f64| {
        let replies = replies_needed(top, confidence, branching.own * f64::from(depth));
        nodes_to_depth(branching, replies, depth)
    };
    let curve = |percent: u32| Curve {
        name: format!("{percent} % sure"),
        points: (1..=16).map(|depth| (f64::from(depth), nodes(depth, f64::from(percent) / 100.0))).collect(),
        dashed: false,
    };
    let mut curves: Vec<Curve> = [50, 80, 90, 95, 99].map(curve).into();
    let all = (1..=16).map(|depth| (f64::from(depth), nodes_to_depth(branching, top.len().max(1), depth))).collect();
    curves.push(Curve { name: "all moves".to_owned(), points: all, dashed: true });
    let (x, y) = ("depth, joint moves".to_owned(), "nodes".to_owned());
    CurvePlot { title: title.to_owned(), x, y, log_y: true, curves }
}

fn merge(args: &MergeArgs) -> Result<Done> {
    output::check(&[args.output.as_deref()], &args.files)?;
    let mut models = args.files.iter().map(|path| anyhow::Ok((path, read_model(path)?)));
    let Some(first) = models.next() else { bail!("expected at least one model") };
    let (_, mut merged) = first?;
    for model in models {
        let (path, model) = model?;
        merged.merge(&model).with_context(|| input::name(path))?;
    }
    output::write(args.output.as_deref(), &merged.to_string())?;
    Ok(Done::Holds)
}
