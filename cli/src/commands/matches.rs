//! `onlooker match`

use crate::game_argument::{AnyGame, GameArgument, whole};
use crate::progress::Progress;
use crate::{Done, interrupt, output};
use anyhow::Result;
use onlooker::game::{Game, played_roles};
use onlooker::play::{Agent, MatchPlan, play_match};

/// Let players compete: they change sides from game to game
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker match breakthrough --players mcts:1000,alphabeta:3 --games 20\n\n\
                        Players:\n  random           any legal move\n  greedy           a winning move if there is one, else any\n  \
                        alphabeta:DEPTH  searches so many moves ahead\n  mcts:PLAYOUTS    grows a tree with so many playouts")]
pub struct Args {
    #[command(flatten)]
    game: GameArgument,
    /// Who plays, one for each side (the role random of a rule sheet plays by itself)
    #[arg(long, value_name = "A,B", value_delimiter = ',', required = true)]
    players: Vec<Agent>,
    /// How many games
    #[arg(long, value_name = "N")]
    games: u64,
    /// The same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Games that last longer are broken off, and nobody has won them
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    plies: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<Done> {
    match args.game.load()? {
        AnyGame::Rules(game) => whole(compete(&*game, &args), game.truncated()),
        AnyGame::Sheet(game) => whole(compete(&*game, &args), game.truncated()),
    }
}

fn compete<G: Game>(game: &G, args: &Args) -> Result<Done> {
    let stop = interrupt::flag()?;
    let plan = MatchPlan { games: args.games, seed: args.seed, plies: args.plies };
    let progress = Progress::new(args.games, "games");
    let result = play_match(game, &args.players, &plan, &stop, &|done| progress.set(done))?;
    progress.finish();
    let games = result.games.len();
    if result.stopped {
        eprintln!("stopped after {games} of {} games", args.games);
    }
    if args.json {
        output::line(serde_json::json!({ "games": games, "wins": result.wins, "draws": result.draws }))?;
        return Ok(Done::Holds);
    }
    let played = played_roles(game);
    for (agent, (player, wins)) in args.players.iter().zip(&result.wins).enumerate() {
        let by_role: Vec<String> = (played.iter())
            .map(|&role| {
                let (role, name) = (role.index(), &game.roles()[role.index()]);
                let won =
                    result.games.iter().filter(|game| game.winner == Some(agent) && game.agents[role] == Some(agent));
                format!("{} as {name}", won.count())
            })
            .collect();
        output::line(format!("{:16} won {wins:>6}  ({})", player.to_string(), by_role.join(", ")))?;
    }
    if played.len() > 1 {
        output::line(format!("{:16}     {:>6}", "draws", result.draws))?;
    }
    Ok(Done::Holds)
}
