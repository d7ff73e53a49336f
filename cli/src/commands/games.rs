//! `onlooker games`

use crate::{Done, game_argument, output};
use anyhow::Result;
use onlooker::game::{CATALOGUE, Game, catalogue_game};

/// List the games of the catalogue, or print the rules of one
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker games\n  onlooker games checkers > my-checkers.rules")]
pub struct Args {
    /// Print the rules of this game: a name or a path
    game: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<Done> {
    if let Some(name) = &args.game {
        let game = game_argument::board_game(name)?;
        if args.json {
            output::line(serde_json::json!({ "name": game.name(), "rules": game.rules().to_string() }))?;
        } else {
            let text = CATALOGUE.iter().find(|(known, _)| known == name).map(|(_, text)| (*text).to_owned());
            output::line(text.unwrap_or_else(|| game.rules().to_string()).trim_end())?;
        }
        return Ok(Done::Holds);
    }
    let games: Vec<_> = CATALOGUE.iter().filter_map(|(name, _)| catalogue_game(name)).collect();
    if args.json {
        let entry = |game: &onlooker::game::RulesGame| {
            let rules = game.rules();
            serde_json::json!({
                "name": rules.name,
                "board": rules.setup.shape().to_string(),
                "players": rules.players,
                "about": rules.about,
            })
        };
        output::line(serde_json::json!({ "games": games.iter().map(entry).collect::<Vec<_>>() }))?;
        return Ok(Done::Holds);
    }
    let bold = anstyle::Style::new().bold();
    for game in &games {
        let rules = game.rules();
        let name = format!("{:21}", rules.name);
        output::line(format!("{bold}{name}{bold:#}  {:>5}  {}", rules.setup.shape().to_string(), rules.about))?;
    }
    Ok(Done::Holds)
}
