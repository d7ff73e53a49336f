//! `onlooker ggp-match`

use crate::file_identity::is_standard_output;
use crate::game_argument::{self, EngineName, SheetText};
use crate::knowledge::Files;
use crate::player_argument::{self, PlayerList};
use crate::{Done, interrupt, output};
use anyhow::{Context, Result, bail};
use onlooker::game::{Game, played_roles, write_played};
use onlooker::gdl::Sheet;
use onlooker::play::winning_role;
use onlooker_ggp::{Entrant, EntrantSpec, Log, Played, Seat, Seating};
use serde_json::{Value, json};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Run a match of players over a network, by the protocol of general game playing
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  onlooker ggp-match games/tic-tac-toe.kif --players http://127.0.0.1:9147,mcts:1000\n  \
                  onlooker ggp-match games/connect-four.kif --players http://127.0.0.1:9147,http://127.0.0.1:9148 -o game.jsonl\n  \
                  onlooker walk games/connect-four.kif --replay game.jsonl > again.jsonl    (check the record)\n\n\
                  A player who answers too late, not at all, or with no legal move has a legal move drawn for him, and the error\n\
                  is counted. Answers are waited for until one second after the clock. The role random is played by the server.\n\
                  Over several games the players change roles. Ctrl-C aborts the match."
)]
pub struct Args {
    /// A rule sheet (.kif, .gdl), or a name of the catalogue that is one
    sheet: String,
    /// Who plays: addresses, or players of our own such as random or mcts:1000,eval=FILE
    #[arg(long, value_name = "A,B", required = true)]
    players: Vec<PlayerList<EntrantSpec>>,
    /// Seconds to prepare
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    start_clock: u64,
    /// Seconds for each move
    #[arg(long, value_name = "S", default_value_t = 5, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    play_clock: u64,
    /// What the match is called; with several games a number follows
    #[arg(long, value_name = "ID", value_parser = id)]
    match_id: Option<String>,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: u64,
    /// Fixes the moves of chance and of our own players
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Games that last longer are broken off, and nobody has won them
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    plies: u64,
    /// How the sheet is run here: 'plain' works everything out anew in every state, 'fast' keeps what does not change
    #[arg(long, value_enum, value_name = "ENGINE", default_value = "fast")]
    engine: EngineName,
    /// Write the games as walks, which 'onlooker walk SHEET --replay' can check
    #[arg(short, long, value_name = "RECORD")]
    output: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn id(text: &str) -> Result<String, &'static str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    if !text.is_empty() && text.bytes().all(plain) {
        Ok(text.to_owned())
    } else {
        Err("expected letters, digits, '.', '_' and '-'")
    }
}

pub fn run(args: Args) -> Result<Done> {
    let stop = interrupt::flag()?;
    let is_printed = args.output.as_deref().is_some_and(is_standard_output);
    if args.json && is_printed {
        bail!("both the record and the JSON object would go to standard output: expected a file for the record");
    }
    // The record alone is on standard output if it is to go there.
    let say = if is_printed { as_message } else { output::line };
    if let Some(record) = &args.output {
        output::check(&[Some(record)], game_argument::file(&args.sheet).as_slice())?;
    }
    let sheet = SheetText::load(&args.sheet)?;
    let game = sheet.game(args.engine)?;
    let roles = played_roles(&game);
    let players = player_argument::all(args.players);
    if roles.len() != players.len() {
        let names: Vec<&str> = roles.iter().map(|role| game.roles()[role.index()].as_str()).collect();
        bail!("the game is for {} ({}), {} players were given", roles.len(), names.join(", "), players.len());
    }
    let entrants: Vec<Entrant> = players.iter().map(|player| player.build(&Files(&game))).collect::<Result<_, _>>()?;
    // Sent without comments and on one line, which every player can read.
    let sheet = Sheet::parse(&sheet.text)?.to_string();
    let rules: Vec<&str> = sheet.lines().map(str::trim).collect();
    let table = Seating {
        game: Arc::new(game),
        rules: rules.join(" "),
        entrants,
        start_clock: args.start_clock,
        play_clock: args.play_clock,
        plies: args.plies,
        seed: args.seed,
        log: Log::new(std::io::stderr()),
    };
    let name = match &args.match_id {
        Some(id) => id.clone(),
        None => {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is wrong")?;
            format!("onlooker.{}", since.as_millis())
        }
    };
    let mut games: Vec<Played> = Vec::new();
    for number in 0..args.games {
        let id = if args.games == 1 { name.clone() } else { format!("{name}.{}", number + 1) };
        let Some(played) = table.play(number, &id, &stop)? else {
            anstream::eprintln!("stopped after {} of {} games", games.len(), args.games);
            break;
        };
        if !args.json {
            tell(&table, &played, say)?;
        }
        games.push(played);
    }
    let is_stopped = (games.len() as u64) < args.games;
    if let Some(path) = args.output.as_ref().filter(|_| !games.is_empty() || !is_stopped) {
        let played: Vec<_> = games.iter().map(|game| game.joints.clone()).collect();
        output::save(path, |out| write_played(&*table.game, &played, args.seed, out))?;
    }
    let score = Score::of(&table, &games);
    if args.json {
        let matches: Vec<Value> = games.iter().map(|played| as_json(&table, played)).collect();
        output::line(json!({ "games": games.len(), "wins": score.wins, "draws": score.draws, "matches": matches }))?;
    } else if games.len() > 1 {
        for (player, wins) in table.entrants.iter().zip(&score.wins) {
            say(format!("{:30} won {wins:>6}", player.to_string()))?;
        }
        if roles.len() > 1 {
            say(format!("{:30}     {:>6}", "draws", score.draws))?;
        }
    }
    Ok(Done::Holds)
}

/// Who has won how often.
struct Score {
    wins: Vec<u64>,
    draws: u64,
}

impl Score {
    fn of(table: &Seating, games: &[Played]) -> Score {
        let roles = played_roles(&*table.game);
        let mut score = Score { wins: vec![0; table.entrants.len()], draws: 0 };
        for played in games {
            let winner = played.goals.as_ref().and_then(|goals| winning_role(goals, &roles));
            match winner.and_then(|role| played.seats.iter().find(|seat| seat.role == role)) {
                Some(seat) => score.wins[seat.entrant] += 1,
                None if roles.len() > 1 => score.draws += 1,
                None => {}
            }
        }
        score
    }
}

fn as_message(text: String) -> io::Result<()> {
    eprintln!("{text}");
    Ok(())
}

fn tell(table: &Seating, played: &Played, say: fn(String) -> io::Result<()>) -> Result<()> {
    let broken_off = if played.goals.is_some() { "" } else { ", broken off" };
    say(format!("{}: {} moves{broken_off}", played.id, played.joints.len()))?;
    for seat in &played.seats {
        let goal = played.goals.as_ref().and_then(|goals| goals[seat.role.index()]);
        let goal = goal.map_or("-".to_owned(), |goal| goal.to_string());
        let errors =
            [(seat.errors.timeouts, "too late"), (seat.errors.connections, "lost"), (seat.errors.illegal, "not legal")];
        let errors: Vec<String> =
            errors.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        let errors = if errors.is_empty() { String::new() } else { format!("  ({})", errors.join(", ")) };
        let role = &table.game.roles()[seat.role.index()];
        say(format!("  {role:10} {:30} {goal:>3}{errors}", table.entrants[seat.entrant].to_string()))?;
    }
    Ok(())
}

fn as_json(table: &Seating, played: &Played) -> Value {
    let seat = |seat: &Seat| {
        json!({
            "role": table.game.roles()[seat.role.index()],
            "player": table.entrants[seat.entrant].to_string(),
            "goal": played.goals.as_ref().and_then(|goals| goals[seat.role.index()]),
            "errors": {
                "timeout": seat.errors.timeouts,
                "connection": seat.errors.connections,
                "illegal": seat.errors.illegal,
            },
            "slowest_ms": seat.slowest.as_millis() as u64,
        })
    };
    json!({
        "id": played.id,
        "moves": played.joints.len(),
        "finished": played.goals.is_some(),
        "players": played.seats.iter().map(seat).collect::<Vec<Value>>(),
    })
}
