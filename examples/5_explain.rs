//! From rules to a page for people.
//!
//! `cargo run --release --example 5_explain [GAME] > page.html`

use onlooker::explain::Explanation;
use onlooker::game::catalogue_game;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "chess-breakthrough".to_owned());
    let game = catalogue_game(&name).ok_or("no such game in the catalogue")?;
    println!("{}", Explanation::new(game.rules()).html());
    Ok(())
}
