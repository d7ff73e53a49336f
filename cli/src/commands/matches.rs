//! `onlooker match`

use crate::game_argument::{GameArgument, too_large};
use crate::knowledge::Files;
use crate::player_argument::{self, PlayerList};
use crate::progress::Progress;
use crate::timed_agent::TimedAgent;
use crate::{Done, interrupt, output};
use anyhow::Result;
use onlooker::game::{AnyGame, Game, played_roles};
use onlooker::play::{AgentSpec, Effort, MatchPlan, NamedAgent, Score, play_match};
use std::time::Duration;

/// Let players compete: they change sides from game to game
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker match breakthrough --players mcts:1000,alphabeta:3 --games 20\n  \
                        onlooker match breakthrough --players mcts:1000000,alphabeta:64 --move-time 50 --games 20\n\n\
                        Players:\n  random           any legal move\n  greedy           a winning move if there is one, else any\n  \
                        heuristic:FILE   the move to the best position by the rules of a file that 'onlooker concepts' wrote\n  \
                        alphabeta:DEPTH  searches so many moves ahead\n  opponent:FILE    searches with a model of another player that 'onlooker opponent train' wrote\n  mcts:PLAYOUTS    grows a tree with so many playouts\n  \
                        ggp:SECONDS      studies the game, then thinks so long about every move, as 'onlooker ggp' does\n\n\
                        Options follow a player, as in mcts:1000,eval=material,share=30,room=50000:\n  \
                        eval=NAME        what states are worth: none, material or a file that 'onlooker concepts' wrote\n  \
                        policy=FILE      which moves are promising, from such a file or a model of an opponent\n  \
                        nodes=N          alphabeta, opponent: at most so many states for a move\n  \
                        ties=first       alphabeta: of equally good moves the first, not any\n  \
                        coverage=SHARE   opponent: look at the likeliest replies that are played with this probability\n  \
                        risk=POINTS      opponent: risk so many points of the goal beside what is certain\n  \
                        share=PERCENT    mcts: how much that counts beside playouts; 100 makes none\n  \
                        room=MOVES       mcts: about how many moves its tree may hold\n  \
                        transpositions=on  mcts: equal states share what is known of them\n  \
                        playouts=NAME    mcts: uniform, or those that learn while they run: mast, nst\n  \
                        epsilon=PERCENT  mcts: how often those that learn play any move\n  \
                        rave=N           mcts: moves count wherever they were played, the more the larger N is\n  \
                        cutoff=PLIES     mcts: playouts end after so many moves, and eval= says what they are worth\n  \
                        minimax=PERCENT  mcts: how much eval= counts for a move's promise if both sides play by it\n  \
                        start=SECONDS    ggp: how long it studies the game\n  \
                        learn=off        ggp: it does not\n  \
                        threads=N        ggp: how many trees grow at the same time")]
pub struct Args {
    #[command(flatten)]
    game: GameArgument,
    /// Who plays, one for each side (the role random of a rule sheet plays by itself)
    #[arg(long, value_name = "A,B", required = true)]
    players: Vec<PlayerList<AgentSpec>>,
    /// How many games
    #[arg(long, value_name = "N")]
    games: u64,
    /// The same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Games that last longer are broken off, and nobody has won them
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    plies: u64,
    /// So many milliseconds for each move, besides what the players' own names allow. How games go depends on the machine then
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    move_time: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<Done> {
    let game = args.game.load()?;
    let specs = player_argument::all(args.players);
    let limit = args.move_time.map(Duration::from_millis);
    let timed = |spec: &AgentSpec| Ok(TimedAgent::new(spec.build(&Files(&game))?, limit));
    let agents: Vec<TimedAgent<NamedAgent<AnyGame>>> = specs.iter().map(timed).collect::<Result<_>>()?;
    let stop = interrupt::flag()?;
    let plan = MatchPlan { games: args.games, seed: args.seed, plies: args.plies };
    let progress = Progress::new(args.games, "games");
    let result = play_match(&game, &agents, &plan, &stop, &|number, _| progress.set(number + 1))?;
    progress.finish();
    if let Some(error) = result.truncated {
        return Err(too_large(error).context(format!("game {}", result.games)));
    }
    let games = result.games;
    if result.stopped {
        eprintln!("stopped after {games} of {} games", args.games);
    }
    if args.json {
        let score = |score: &Score| [score.won, score.drawn, score.lost];
        let sides: Vec<Vec<[u64; 3]>> = result.sides.iter().map(|roles| roles.iter().map(score).collect()).collect();
        let effort = |(effort, agent): (&Effort, &TimedAgent<_>)| {
            let (nodes, depth) = (effort.nodes_per_choice(), effort.mean_depth());
            let mut json = serde_json::json!({ "choices": effort.choices, "nodes": nodes, "depth": depth });
            if limit.is_some() {
                json["seconds"] = agent.seconds_per_choice().into();
            }
            json
        };
        let effort: Vec<serde_json::Value> = result.effort.iter().zip(&agents).map(effort).collect();
        let json = serde_json::json!({
            "games": games, "wins": result.wins, "draws": result.draws, "sides": sides, "effort": effort
        });
        output::line(json)?;
        return Ok(Done::Holds);
    }
    let played = played_roles(&game);
    for (at, (player, effort)) in specs.iter().zip(&result.effort).enumerate() {
        let (wins, sides) = (result.wins[at], &result.sides[at]);
        let by_role: Vec<String> = (played.iter().zip(sides))
            .map(|(role, score)| format!("{} as {}", score.won, game.roles()[role.index()]))
            .collect();
        // Those who search say how far.
        let mut searched = match effort.depths {
            0 => String::new(),
            _ => format!(", {:.0} states a move, depth {:.1}", effort.nodes_per_choice(), effort.mean_depth()),
        };
        if limit.is_some() {
            searched += &format!(", {:.1} ms a move", 1000.0 * agents[at].seconds_per_choice());
        }
        output::line(format!("{:16} won {wins:>6}  ({}){searched}", player.to_string(), by_role.join(", ")))?;
    }
    if played.len() > 1 {
        output::line(format!("{:16}     {:>6}", "draws", result.draws))?;
    }
    Ok(Done::Holds)
}
