//! `onlooker explain`

use crate::{Done, game_argument, output};
use anyhow::Result;
use onlooker::explain::Explanation;
use onlooker::export::dot;
use std::path::PathBuf;

/// Explain rules in English, with diagrams, automata and the evidence for them
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
    output::check(&[args.output.as_deref()], game_argument::file(&args.game).as_slice())?;
    let game = game_argument::board_game(&args.game)?;
    let explanation = Explanation::new(game.rules());
    let told = match args.format {
        Format::Text => explanation.text(),
        Format::Dot => dot(game.rules()),
        Format::Svg => explanation.svg(),
        Format::Html => explanation.html(),
    };
    output::write(args.output.as_deref(), &told)?;
    Ok(Done::Holds)
}
