//! The argument GAME: a name of the catalogue or a path.

use crate::report;
use anyhow::{Context, Result, bail};
use onlooker::game::{CATALOGUE, GdlGame, RulesGame, catalogue_game};
use onlooker::gdl::Program;
use onlooker::rules::Rules;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// No rules file is larger by far.
const MAX_BYTES: u64 = 4 << 20;

/// The argument GAME of commands that run any game.
#[derive(clap::Args)]
pub struct GameArgument {
    /// A name of the catalogue, or a path to a rules file or a rule sheet (.kif, .gdl)
    game: String,
}

/// A game that a person means.
pub enum AnyGame {
    Rules(Box<RulesGame>),
    Sheet(GdlGame),
}

impl GameArgument {
    pub fn load(&self) -> Result<AnyGame> {
        let path = Path::new(&self.game);
        if catalogue_game(&self.game).is_none() && is_sheet(path) && path.exists() {
            return Ok(AnyGame::Sheet(sheet(path)?));
        }
        Ok(AnyGame::Rules(Box::new(board_game(&self.game)?)))
    }
}

/// A rule sheet as a game.
pub fn sheet(path: &Path) -> Result<GdlGame> {
    let program =
        Program::read(&read_text(path)?).map_err(|error| report::sheet(path, &error.text, &error.problems))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    GdlGame::new(&name, program).with_context(|| format!("cannot run {}", path.display()))
}

fn is_sheet(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "kif" || extension == "gdl")
}

/// The game that a person means for a command that needs a board.
pub fn board_game(text: &str) -> Result<RulesGame> {
    if let Some(game) = catalogue_game(text) {
        return Ok(game);
    }
    let path = Path::new(text);
    if !path.exists() {
        bail!("{}", unknown(text));
    }
    if is_sheet(path) {
        bail!(
            "{text} is a rule sheet in the Game Description Language, and this command needs a game on a board: \
             expected a rules file or a name of the catalogue"
        );
    }
    let rules = Rules::parse(&read_text(path)?).map_err(|error| report::rules(path, &error))?;
    RulesGame::new(rules).with_context(|| format!("cannot run {text}"))
}

/// A text file of sensible size.
pub fn read_text(path: &Path) -> Result<String> {
    let name = path.display();
    if path.is_dir() {
        bail!("{name} is a directory, expected a file");
    }
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("{name} has more than {MAX_BYTES} bytes, expected a rules file");
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = good.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
        anyhow::anyhow!("{name}:{line}:{column}: found bytes that are not UTF-8, expected a text file")
    })
}

/// What to say about a name that is neither a game nor a file.
fn unknown(text: &str) -> String {
    let likeness = |name: &str| strsim::jaro_winkler(&text.to_lowercase(), name);
    let nearest = CATALOGUE.iter().map(|(name, _)| *name).max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let names: Vec<&str> = CATALOGUE.iter().map(|(name, _)| *name).collect();
    let hint =
        nearest.filter(|name| likeness(name) > 0.7).map(|name| format!("\n  did you mean {name}?")).unwrap_or_default();
    format!("there is no game and no file {text:?}{hint}\n  games: {}", names.join(", "))
}
