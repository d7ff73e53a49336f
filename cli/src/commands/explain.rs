//! `onlooker explain`

use crate::{Done, game_argument, output};
use anyhow::{Context, Result};
use onlooker::explain::Explanation;
use onlooker::export::dot;
use std::io::Write;
use std::path::PathBuf;

/// Tell rules in English, with diagrams, automata and the evidence for them
#[derive(clap::Args)]
#[command(after_help = "Example:\n  onlooker explain chess-breakthrough\n  \
                        onlooker explain chess-breakthrough --format html -o chess.html")]
pub struct Args {
    /// A name of the catalogue or a path to a rules file
    game: String,
    /// Plain text, the automata as Graphviz reads them or as a drawing, or a page to show to others
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Where to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Text,
    Dot,
    Svg,
    Html,
}

pub fn run(args: Args) -> Result<Done> {
    let game = game_argument::board_game(&args.game)?;
    let explanation = Explanation::new(game.rules());
    let told = match args.format {
        Format::Text => explanation.text(),
        Format::Dot => dot(game.rules()),
        Format::Svg => explanation.svg(),
        Format::Html => explanation.html(),
    };
    let place = || args.output.as_ref().map_or("standard output".to_owned(), |path| path.display().to_string());
    let mut out = output::create(args.output.as_deref())?;
    let written = out.write_all(told.as_bytes()).and_then(|()| output::finish(out));
    written.with_context(|| format!("cannot write to {}", place()))?;
    Ok(Done::Holds)
}
