//! Writes a game, runs it, and changes it: `cargo run --example 2_rules`

use onlooker::game::{Game, RulesGame, perft};
use onlooker::rules::Rules;
use std::error::Error;

const CORRIDOR: &str = "
game corridor
about Two rooks on a strip; who cannot move loses.
players white black
board
  r...
  ...R
moves
  R  orthogonal(empty+)
ending
  win when the next player cannot move
  tie when 30 plies are played
";

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Rules::parse(CORRIDOR)?;
    println!("{rules}");
    let game = RulesGame::new(rules.clone())?;
    println!("with slides {:?}", perft(&game, 4)?);

    // The same game with rooks that leave a wall behind, so that it must end.
    let walls = CORRIDOR.replace("orthogonal(empty+)", "orthogonal(empty+) put:\"*\" orthogonal(empty)");
    let game = RulesGame::new(Rules::parse(&walls)?)?;
    println!("with walls  {:?}", perft(&game, 4)?);
    println!("{}", game.facts(&game.start()).iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
    Ok(())
}
