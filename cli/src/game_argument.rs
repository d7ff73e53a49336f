//! The argument GAME: a name of the catalogue or a path.

use crate::{input, report};
use anyhow::{Context, Result, bail};
use onlooker::game::{AnyGame, GdlGame, RulesGame, SHEETS, Truncation, catalogue_game};
use onlooker::gdl::{Engine, GroundingLimits, Program, SheetError};
use onlooker::rules::Rules;
use std::io::Read;
use std::path::{Path, PathBuf};

/// No file of rules, and no saved game, is larger by far.
const MAX_BYTES: u64 = 4 << 20;

/// The argument GAME of commands that run any game.
#[derive(clap::Args)]
pub struct GameArgument {
    /// A name of the catalogue, or a path to a rules file or a rule sheet (.kif, .gdl)
    game: String,
    /// How a rule sheet is run: 'plain' works everything out anew in every state, 'fast' keeps what does not change
    #[arg(long, value_enum, value_name = "ENGINE", default_value = "fast")]
    engine: EngineName,
}

/// An engine for rule sheets.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum EngineName {
    Plain,
    Fast,
}

impl GameArgument {
    /// A game that a file speaks of.
    pub fn named(game: &str) -> GameArgument {
        GameArgument { game: game.to_owned(), engine: EngineName::Fast }
    }

    /// What was given.
    pub fn text(&self) -> &str {
        &self.game
    }

    /// The file that the game is read from, if it is not one of the catalogue.
    pub fn file(&self) -> Option<&Path> {
        file(&self.game)
    }

    pub fn load(&self) -> Result<AnyGame> {
        Ok(match SheetText::find(&self.game)? {
            Some(sheet) => sheet.game(self.engine)?.into(),
            None => board_game(&self.game)?.into(),
        })
    }
}

/// What is said of a result that a state beyond the engine's limits makes worthless.
pub fn too_large(error: Truncation) -> anyhow::Error {
    anyhow::anyhow!("a state of the game is too large, so this is not the whole truth: {error}")
}

/// A rule sheet before anything is made of it.
#[derive(Clone)]
pub struct SheetText {
    /// What the game is called.
    pub name: String,
    /// Where it comes from: a path, or a name of the catalogue.
    pub path: PathBuf,
    pub text: String,
}

impl SheetText {
    /// The rule sheet that a person means, if it is one.
    pub fn find(text: &str) -> Result<Option<SheetText>> {
        if let Some((name, sheet)) = SHEETS.iter().find(|(name, _)| *name == text) {
            return Ok(Some(SheetText { name: (*name).to_owned(), path: text.into(), text: (*sheet).to_owned() }));
        }
        let path = Path::new(text);
        if catalogue_game(text).is_some() || !is_sheet(path)? {
            return Ok(None);
        }
        SheetText::read(path).map(Some)
    }

    /// The rule sheet that a person means where nothing else is possible.
    pub fn load(text: &str) -> Result<SheetText> {
        SheetText::find(text)?.map_or_else(|| SheetText::read(Path::new(text)), Ok)
    }

    /// The rule sheet in a file, whatever the file is called.
    fn read(path: &Path) -> Result<SheetText> {
        let stem = if input::is_standard(path) { Some("stdin".as_ref()) } else { path.file_stem() };
        let name = stem.unwrap_or_default().to_string_lossy().into_owned();
        Ok(SheetText { name, path: path.to_owned(), text: read_text(path, "rules")? })
    }

    /// The sheet as a game.
    pub fn game(&self, engine: EngineName) -> Result<GdlGame> {
        let refused = |error: SheetError| report::sheet(&self.path, &error.text, &error.problems);
        let program = Program::read(&self.text).map_err(refused)?;
        let engine = match engine {
            EngineName::Plain => Engine::Prover,
            EngineName::Fast => Engine::Fast,
        };
        GdlGame::new(&self.name, program, engine, &GroundingLimits::default())
            .with_context(|| format!("cannot run {}", self.path.display()))
    }
}

/// Whether a path leads to a rule sheet: by its name, or for standard input by what it begins with.
fn is_sheet(path: &Path) -> Result<bool> {
    if input::is_standard(path) {
        return input::standard_is_sheet();
    }
    Ok(path.extension().is_some_and(|extension| extension == "kif" || extension == "gdl") && path.exists())
}

/// The file that a game is read from, if it is not one of the catalogue.
pub fn file(game: &str) -> Option<&Path> {
    let known = AnyGame::names().any(|name| name == game);
    (!known).then_some(Path::new(game))
}

/// The game that a person means for a command that needs a board.
pub fn board_game(text: &str) -> Result<RulesGame> {
    if let Some(game) = catalogue_game(text) {
        return Ok(game);
    }
    let path = Path::new(text);
    if SHEETS.iter().any(|(name, _)| *name == text) || is_sheet(path)? {
        bail!(
            "{} is a rule sheet in the Game Description Language, and this command needs a game on a board: \
             expected a rules file or a name of the catalogue",
            input::name(path)
        );
    }
    if !input::is_standard(path) && !path.exists() {
        bail!("{}", unknown(text));
    }
    let rules = Rules::parse(&read_text(path, "rules")?).map_err(|error| report::rules(path, &error))?;
    RulesGame::new(rules).with_context(|| format!("cannot run {text}"))
}

/// A text file of sensible size, which may be compressed; `expected` says what should be in it.
pub fn read_text(path: &Path, expected: &str) -> Result<String> {
    read_text_up_to(path, expected, MAX_BYTES)
}

/// The same with another limit.
pub fn read_text_up_to(path: &Path, expected: &str, most: u64) -> Result<String> {
    let name = input::name(path);
    let mut bytes = Vec::new();
    let text = input::open(path, "a file")?;
    text.take(most + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > most {
        bail!("{name} has more than {most} bytes, expected {expected}");
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
    let names: Vec<&str> = AnyGame::names().collect();
    let nearest = names.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let hint =
        nearest.filter(|name| likeness(name) > 0.7).map(|name| format!("\n  did you mean {name}?")).unwrap_or_default();
    format!("there is no game and no file {text:?}{hint}\n  games: {}", names.join(", "))
}
