//! `onlooker gdl`

use crate::game_argument::{EngineName, SheetText};
use crate::{Done, output, report};
use anyhow::Result;
use onlooker::game::Game;

/// Check a rule sheet of the Game Description Language and tell what is made of it
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker gdl games/tic-tac-toe.kif")]
pub struct Args {
    /// The sheet: a path, or a name of the catalogue
    sheet: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<Done> {
    let sheet = SheetText::load(&args.sheet)?;
    let game = sheet.game(EngineName::Fast)?;
    let text = &sheet.text;
    let program = game.program();
    let warnings = program.warnings();
    if args.json {
        let place = |offset: usize| {
            let before = &text[..offset];
            let line = before.matches('\n').count() + 1;
            (line, before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1)
        };
        let warnings: Vec<serde_json::Value> = warnings
            .iter()
            .map(|warning| {
                let (line, column) = place(warning.span.start);
                serde_json::json!({ "line": line, "column": column, "message": warning.message, "mend": warning.mend })
            })
            .collect();
        output::line(serde_json::json!({
            "roles": game.roles(),
            "relations": program.relations().count(),
            "fixed_relations": program.fixed_relations(),
            "clauses": program.clauses(),
            "engine": if game.network().is_ok() { "network" } else { "plain" },
            "network": game.network().ok().map(|network| {
                let size = network.size();
                serde_json::json!({
                    "facts": size.facts, "moves": size.moves, "gates": size.gates, "inputs": size.inputs,
                })
            }),
            "plain_because": game.network().err().map(|reason| reason.to_string()),
            "warnings": warnings,
        }))?;
        return Ok(Done::Holds);
    }
    if !warnings.is_empty() {
        anstream::eprintln!("{}", report::sheet(&sheet.path, text, warnings));
    }
    output::line(format!("roles      {}", game.roles().join(" ")))?;
    let (relations, fixed) = (program.relations().count(), program.fixed_relations());
    output::line(format!("relations  {relations}, of which {fixed} are the same in all states"))?;
    output::line(format!("clauses    {} (rules and facts that play needs, without 'or')", program.clauses()))?;
    output::line(match game.network() {
        Ok(network) => {
            let size = network.size();
            let (facts, moves) = (size.facts, size.moves);
            format!(
                "engine     network: {facts} facts, {moves} moves, {} gates with {} inputs",
                size.gates, size.inputs
            )
        }
        Err(reason) => format!("engine     plain, because of {reason}"),
    })?;
    output::line(format!("warnings   {}", warnings.len()))?;
    Ok(Done::Holds)
}
