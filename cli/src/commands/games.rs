//! `onlooker games`

use crate::game_argument::{self, SheetText};
use crate::{Done, output};
use anyhow::Result;
use onlooker::game::{CATALOGUE, Game, SHEETS, catalogue_game};

/// List the games of the catalogue, or print the rules of one
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker games\n  onlooker games checkers > my-checkers.rules")]
pub struct Args {
    /// Print the rules or the rule sheet of this game: a name or a path
    game: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<Done> {
    if let Some(name) = &args.game {
        if let Some(sheet) = SheetText::find(name)? {
            if args.json {
                output::line(serde_json::json!({ "name": sheet.name, "sheet": sheet.text }))?;
            } else {
                output::line(sheet.text.trim_end())?;
            }
            return Ok(Done::Holds);
        }
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
    let sheets = SHEETS.map(|(name, text)| (name, about(text)));
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
        let sheet = |(name, about): &(&str, String)| serde_json::json!({ "name": name, "board": null, "about": about });
        let all: Vec<serde_json::Value> = games.iter().map(entry).chain(sheets.iter().map(sheet)).collect();
        output::line(serde_json::json!({ "games": all }))?;
        return Ok(Done::Holds);
    }
    let bold = anstyle::Style::new().bold();
    for game in &games {
        let rules = game.rules();
        let name = format!("{:21}", rules.name);
        output::line(format!("{bold}{name}{bold:#}  {:>5}  {}", rules.setup.shape().to_string(), rules.about))?;
    }
    for (name, about) in &sheets {
        let name = format!("{name:21}");
        output::line(format!("{bold}{name}{bold:#}  sheet  {about}"))?;
    }
    Ok(Done::Holds)
}

/// What a sheet says of itself in its first comment, after the colon.
fn about(text: &str) -> String {
    let comment = text.lines().take_while(|line| line.starts_with("; ")).map(|line| &line[2..]);
    let whole = comment.collect::<Vec<_>>().join(" ");
    let told = whole.split_once(": ").map_or(whole.as_str(), |(_, told)| told);
    let mut letters = told.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
