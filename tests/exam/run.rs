//! `cargo run --release --example exam -- --seed 1 --games 40` examines the learner: from 50 and 200 games with all moves and
//! from 300 and 1000 with single moves, or as `--mode all|some --from N` says. `--game N` examines one game and prints it,
//! what was learnt, and the first difference.

#[path = "mod.rs"]
#[allow(dead_code, reason = "the tests use another part of it")]
mod exam;

use exam::grade::{Mark, Mode, Question, grade};
use exam::grammar::{self, Refused};
use exam::table::{Answer, line, list, tables};
use onlooker::learn::Options;
use onlooker::observe::Listing;
use std::collections::BTreeMap;
use std::time::Instant;

const USAGE: &str = "exam [--seed S] [--games N] [--mode all|some --from N] [--game N] [--steps MILLIONS] [--describe]";

struct Args {
    seed: u64,
    games: u64,
    modes: Vec<Mode>,
    game: Option<u64>,
    options: Options,
    describe: bool,
}

fn args() -> Result<Args, String> {
    let mut args =
        Args { seed: 1, games: 40, modes: Vec::new(), game: None, options: Options::default(), describe: false };
    let (mut listing, mut from) = (None, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word == "--describe" {
            args.describe = true;
            continue;
        }
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{word} needs a number, found {value}"));
        match word.as_str() {
            "--seed" => args.seed = number()?,
            "--games" => args.games = number()?,
            "--from" => from = Some(number()?),
            "--game" => args.game = Some(number()?),
            "--steps" => args.options.budget = number()? * 1_000_000,
            "--mode" if value == "all" => listing = Some(Listing::All),
            "--mode" if value == "some" => listing = Some(Listing::Some),
            _ => return Err(format!("{word} {value} is not understood")),
        }
    }
    args.modes = match (listing, from) {
        (Some(listing), Some(games)) => vec![Mode { listing, games }],
        (None, None) => [(Listing::All, 50), (Listing::All, 200), (Listing::Some, 300), (Listing::Some, 1000)]
            .map(|(listing, games)| Mode { listing, games })
            .to_vec(),
        _ => return Err("--mode and --from go together".to_owned()),
    };
    Ok(args)
}

fn main() {
    let args = args().unwrap_or_else(|problem| {
        eprintln!("{problem}\n{USAGE}");
        std::process::exit(2);
    });
    let numbers = args.game.map_or(0..args.games, |number| number..number + 1);
    let mut refused: BTreeMap<Refused, usize> = BTreeMap::new();
    let mut answers = Vec::new();
    for number in numbers {
        let made = grammar::game(args.seed, number);
        made.refused.iter().for_each(|(reason, count)| *refused.entry(*reason).or_insert(0) += count);
        if args.describe || args.game.is_some() {
            println!("game {number}: {}", made.game);
        }
        for &mode in args.modes.iter().filter(|_| !args.describe) {
            let question = Question { seed: args.seed, number, mode };
            let begun = Instant::now();
            let grade = grade(&made.game, &question, &args.options);
            let answer = Answer { question, game: made.game.clone(), grade };
            eprintln!("{:6.1} s  {}", begun.elapsed().as_secs_f64(), line(&answer));
            if args.game.is_some() {
                show(&answer);
            }
            answers.push(answer);
        }
    }
    if args.game.is_some() || args.describe {
        return;
    }
    println!("{}", tables(&answers));
    println!("Games refused by the grammar before {} were found: {refused:?}\n", args.games);
    println!("Silently wrong:\n\n{}", list(&answers, Mark::Silent));
    println!("Wrong, and says so:\n\n{}", list(&answers, Mark::SaysSo));
}

/// Everything about one answer.
fn show(answer: &Answer) {
    println!("--- {}", line(answer));
    println!("{}", answer.grade.learnt.rules);
    for what in &answer.grade.learnt.unexplained {
        println!("not accounted for: {what}");
    }
    for piece in answer.grade.learnt.pieces.iter().filter(|piece| !piece.consistent) {
        println!("{} of the {:?} player is not consistent", piece.start, piece.player);
    }
}
