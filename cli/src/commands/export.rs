//! `onlooker export`

use crate::file_identity::is_standard_output;
use crate::{Done, game_argument, log_argument, output, report};
use anyhow::{Context, Result, bail};
use onlooker::board::{Cell, Player, Position};
use onlooker::export::{dot, gdl, pddl};
use onlooker::rules::Rules;
use std::path::{Path, PathBuf};

/// Write rules for other programs: a rule sheet, a planning problem, or the automata for Graphviz
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker export checkers --to gdl -o checkers.kif\n  \
                        onlooker export tic-tac-toe --to pddl --piece . --position '.../.X./...' --player o -o turn.pddl\n\n\
                        With --to pddl and -o turn.pddl the domain goes to turn.pddl, the problem to turn-problem.pddl.")]
pub struct Args {
    /// A name of the catalogue or a path to a rules file
    game: String,
    /// A rule sheet of the Game Description Language, a piece's turns as a planning problem, or the automata
    #[arg(long, value_enum)]
    to: Language,
    /// For pddl: the piece that moves, or . for an empty square where one is dropped; the first that moves if left out
    #[arg(long, value_name = "P")]
    piece: Option<String>,
    /// For pddl: the position, rows from the top with / between them, a number for so many empty squares; the start of
    /// the game if left out
    #[arg(long, value_name = "ROWS")]
    position: Option<String>,
    /// For pddl: the position of a log instead
    #[arg(long, value_name = "LOG", conflicts_with = "position")]
    log: Option<PathBuf>,
    /// For pddl: which position of the log, counted over all its games
    #[arg(long, value_name = "N", requires = "log", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    record: u64,
    /// For pddl: who drops a piece on an empty square; the first player if left out
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Where to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Language {
    Gdl,
    Pddl,
    Dot,
}

pub fn run(args: Args) -> Result<Done> {
    if args.to != Language::Pddl
        && [args.piece.is_some(), args.position.is_some(), args.player.is_some(), args.log.is_some()].contains(&true)
    {
        bail!("--piece, --position, --log, --record and --player are for --to pddl only");
    }
    let output = args.output.as_deref();
    // Both parts go to standard output if that is where the first goes.
    let output = output.filter(|path| !is_standard_output(path));
    let second = output.filter(|_| args.to == Language::Pddl).map(problem_path);
    let outputs = [Some(output), second.as_deref().map(Some)];
    let inputs: Vec<&Path> = game_argument::file(&args.game).into_iter().chain(args.log.as_deref()).collect();
    output::check(&outputs.into_iter().flatten().collect::<Vec<_>>(), &inputs)?;
    let game = game_argument::board_game(&args.game)?;
    let rules = game.rules();
    match args.to {
        Language::Gdl => {
            output::write(output, &gdl(rules).with_context(|| format!("cannot write {} as a rule sheet", args.game))?)?;
        }
        Language::Dot => output::write(output, &dot(rules))?,
        Language::Pddl => {
            let (player, start) = start(rules, args.piece.as_deref(), args.player.as_deref())?;
            let position = match (&args.position, &args.log) {
                (Some(rows), _) => position(rows)?,
                (None, Some(log)) => recorded(log, args.record)?,
                (None, None) => rules.setup.clone(),
            };
            let planning = pddl(rules, player, start, &position)
                .with_context(|| format!("cannot write {} as a planning problem", args.game))?;
            match output {
                None => output::write(None, &format!("{}\n{}", planning.domain, planning.problem))?,
                Some(path) => {
                    output::write(Some(path), &planning.domain)?;
                    output::write(second.as_deref(), &planning.problem)?;
                }
            }
        }
    }
    Ok(Done::Holds)
}

/// `turn-problem.pddl` for `turn.pddl`.
fn problem_path(domain: &Path) -> PathBuf {
    let stem = domain.file_stem().unwrap_or_default().to_string_lossy();
    let extension = domain.extension().map_or(String::new(), |extension| format!(".{}", extension.to_string_lossy()));
    domain.with_file_name(format!("{stem}-problem{extension}"))
}

/// Who moves what.
fn start(rules: &Rules, piece: Option<&str>, player: Option<&str>) -> Result<(Player, Cell)> {
    let named = |name: &str| {
        let found = rules.sides().find(|player| rules.players[player.index()] == name);
        found.with_context(|| format!("{name} is not a player: expected one of {}", rules.players.join(", ")))
    };
    let player = player.map(named).transpose()?;
    let Some(piece) = piece else {
        let player = player.unwrap_or(Player::First);
        let first = rules.moves.iter().find(|movement| movement.side.is_for(player));
        let first = first.with_context(|| format!("{} has no turns", rules.players[player.index()]))?;
        return Ok((player, first.start_for(player)));
    };
    let cell = Cell::named(piece).context("--piece")?;
    match (cell.owner(), player) {
        (Some(owner), Some(player)) if owner != player => {
            bail!("{piece} is not a piece of {}", rules.players[player.index()])
        }
        (owner, player) => Ok((owner.or(player).unwrap_or(Player::First), cell)),
    }
}

/// The position of a log's record.
fn recorded(path: &Path, record: u64) -> Result<Position> {
    let mut games = log_argument::open(path)?;
    let (mut game, mut before) = (Vec::new(), 0);
    while games.read(&mut game).map_err(|error| report::log(path, &error))? {
        if let Some(found) = usize::try_from(record - before - 1).ok().and_then(|at| game.get(at)) {
            return Ok(found.position.clone());
        }
        before += game.len() as u64;
    }
    bail!("{} has {before} positions, expected at least {record}", path.display())
}

/// A position on one line.
fn position(text: &str) -> Result<Position> {
    let mut rows = Vec::new();
    for row in text.trim().split('/') {
        let mut drawn = String::new();
        let mut empty = 0;
        for c in row.chars() {
            if let Some(digit) = c.to_digit(10) {
                empty = (empty * 10 + digit).min(1000);
                continue;
            }
            drawn.push_str(&".".repeat(std::mem::take(&mut empty) as usize));
            drawn.push(c);
        }
        drawn.push_str(&".".repeat(empty as usize));
        rows.push(drawn);
    }
    Position::from_rows(rows.iter().map(String::as_str)).map_err(|error| {
        anyhow::anyhow!("--position, row {}, square {}: {}", error.row + 1, error.column + 1, error.reason)
    })
}
