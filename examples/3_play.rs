//! Lets two agents play one game and shows it, then many: `cargo run --release --example 3_play`

use onlooker::game::{Chance, Game, catalogue_game};
use onlooker::play::{Agent, AgentSpec, MatchPlan, NoKnowledge, play_match};
use std::error::Error;
use std::sync::atomic::AtomicBool;

fn main() -> Result<(), Box<dyn Error>> {
    let game = catalogue_game("connect-four").expect("a game of the catalogue");
    let specs: [AgentSpec; 2] = ["mcts:500".parse()?, "alphabeta:4".parse()?];
    let agents = [specs[0].build(&NoKnowledge)?, specs[1].build(&NoKnowledge)?];

    let (mut state, mut chance) = (game.start(), Chance::new(1));
    while game.goals(&state).is_none() {
        for role in game.to_move(&state).iter() {
            let choice = agents[role.index()].choose(&game, &state, role, &mut chance).expect("the game goes on");
            game.play(&mut state, &[choice.pick]);
        }
    }
    println!("{}{:?}\n", game.board(&state), game.goals(&state));

    let plan = MatchPlan { games: 10, seed: 1, plies: 1000 };
    let result = play_match(&game, &agents, &plan, &AtomicBool::new(false), &|_, _| {})?;
    println!("{} won {}, {} won {}, {} draws", agents[0], result.wins[0], agents[1], result.wins[1], result.draws);
    Ok(())
}
