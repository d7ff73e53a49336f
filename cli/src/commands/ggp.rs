//! `onlooker ggp`

use crate::knowledge::FilesForLater;
use crate::{Done, interrupt, output};
use anyhow::{Context, Result};
use onlooker::game::GdlGame;
use onlooker::play::{AgentSpec, NamedAgent};
use onlooker_ggp::{LEAST_MARGIN, Log, Margin, Options, Player, Remember, Style, listen, serve};
use std::path::PathBuf;
use std::time::Duration;

/// Be a player in matches over a network, by the protocol of general game playing
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  onlooker ggp --port 9147\n  \
                  curl -H 'Content-Type: text/acl' --data '(INFO)' http://127.0.0.1:9147/\n\n\
                  It prints its address, then waits for requests until Ctrl-C; what happens is written to standard error.\n\
                  It plays one match at a time: to others it says 'busy', and also to rules that cannot be run. A match in which\n\
                  nothing is asked for long gives way to the next: for a minute after the start clock, or five play clocks.\n\
                  Nobody has to prove who he is, so think before you let it listen to other machines. Web pages are not answered.")]
pub struct Args {
    /// Where to listen; 0 takes a port that is free
    #[arg(long, value_name = "PORT", default_value_t = 9147)]
    port: u16,
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// What it calls itself
    #[arg(long, value_name = "NAME", default_value = "onlooker", value_parser = name)]
    name: String,
    /// How it plays: mcts uses the clock, the others are random, greedy, heuristic:FILE, alphabeta:DEPTH, opponent:FILE and mcts:PLAYOUTS
    #[arg(long, value_name = "PLAYER", default_value = "mcts", value_parser = style)]
    player: Thinking,
    /// With 2, a search for certain results runs beside the playouts; with more, several trees grow at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
    /// Whether the start clock is used to learn what positions are worth and to try out what helps in this game
    #[arg(long, value_name = "ON", default_value = "on", value_parser = ["on", "off"])]
    learn: String,
    /// Write a JSON object about every move to this file: playouts, nodes, depth, value, what was expected and what knowledge was used
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Thinking ends so long before the clock runs out; with short clocks later, but answers leave half a second before
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(LEAST_MARGIN.as_millis() as u64..))]
    margin_ms: u64,
    /// Fixes what is left to chance
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Model the opponents while playing, and keep the models in this folder for the next match against the same ones
    #[arg(long, value_name = "FOLDER")]
    remember: Option<PathBuf>,
    /// Who the opponent is, for --remember: the protocol does not say
    #[arg(long, value_name = "NAME", default_value = "unknown", requires = "remember", value_parser = name)]
    opponent: String,
}

/// An agent, or none for playing by the clock.
#[derive(Clone)]
struct Thinking(Option<NamedAgent<GdlGame>>);

fn style(text: &str) -> Result<Thinking> {
    if text == "mcts" {
        return Ok(Thinking(None));
    }
    Ok(Thinking(Some(text.parse::<AgentSpec>()?.build(&FilesForLater)?)))
}

fn name(text: &str) -> Result<String, &'static str> {
    let plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'(' | b')' | b';');
    if !text.is_empty() && text.bytes().all(plain) {
        Ok(text.to_owned())
    } else {
        Err("expected a name without spaces and brackets")
    }
}

pub fn run(args: Args) -> Result<Done> {
    let stop = interrupt::flag()?;
    let (listener, address) = listen(&args.host, args.port)?;
    let remember = args.remember.map(|folder| Remember { folder, opponent: args.opponent });
    if let Some(Remember { folder, .. }) = &remember {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let report = match &args.report {
        Some(file) => {
            let file = std::fs::OpenOptions::new().create(true).append(true).open(file);
            Some(Log::new(file.with_context(|| format!("cannot write {}", args.report.unwrap_or_default().display()))?))
        }
        None => None,
    };
    let (threads, study) = (usize::from(args.threads), args.learn == "on");
    let style = Style { agent: args.player.0, threads, seed: args.seed, remember, study, report };
    let margin = Margin(Duration::from_millis(args.margin_ms));
    let log = Log::new(std::io::stderr());
    let player = Player::new(Options { name: args.name, margin, style, log: log.clone() });
    output::line(format!("listening on http://{address}/"))?;
    serve(listener, player, &log, &stop)?;
    Ok(Done::Holds)
}
