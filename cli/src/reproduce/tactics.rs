//! The experiments of the paper on combinations: its worked example, and tic-tac-toe without losing.

use super::table::{Column, ResultTable, TableCell};
use crate::commands::tactics::system_of;
use crate::knowledge::Files;
use anyhow::{Context, Result};
use onlooker::game::AnyGame;
use onlooker::play::AgentSpec;
use onlooker::tactics::{
    FIGURE_4_3, Foresight, GameBoard, LearnOptions, Library, Mover, Recogniser, RuleFile, Status, Unbeatable,
    UpdateSystem, learn_by_playing, learn_from_game, losing_line, show_description,
};
use std::sync::atomic::AtomicBool;

/// A learner that is still beaten after so many games counts as beaten.
const MOST_GAMES: u64 = 3000;

const fn column(name: &'static str) -> Column {
    Column { group: "", name }
}

/// The worked example, and tic-tac-toe for as many seeds.
pub fn tables(seeds: u64, seed: u64, done: &dyn Fn(u64)) -> Result<Vec<ResultTable>> {
    Ok(vec![worked_example()?, tic_tac_toe(seeds, seed, done)?])
}

fn worked_example() -> Result<ResultTable> {
    let system = UpdateSystem::parse(FIGURE_4_3)?;
    let square = |text: &str| system.names.find(text).context("a square of the example");
    let [x, o] = system.players;
    let options = LearnOptions::default();
    let mut library = Library::default();
    let start = system.start_state();
    let (threat, _) = start.play(&system, square("f2")?, x).context("the example's move 11")?;
    // The paper supposes that Recog-four is known.
    learn_from_game(&system, &mut library, &threat, &[(x, square("g2")?)], "figure-4-4", &options)?;
    let moves = [(x, square("f2")?), (o, square("b2")?), (x, square("g2")?)];
    let lesson = learn_from_game(&system, &mut library, &start, &moves, "figure-4-1", &options)?;
    let mut rows = Vec::new();
    for step in &lesson.steps {
        let name = format!("G{}", step.turn + 10);
        let literals = step.goal.as_ref().map(|goal| show_description(&system, &goal.description)).unwrap_or_default();
        let rule = match (&step.rule, step.mover) {
            (Some((rule, added)), _) => format!("{}, {added:?}, {:?}", rule.name, rule.status),
            (None, Mover::Loser) => "forced by a rule, combined".to_owned(),
            (None, Mover::Winner) => "no rule".to_owned(),
        };
        rows.push(vec![TableCell::Text(name), TableCell::Text(literals.join(" & ")), TableCell::Text(rule)]);
    }
    Ok(ResultTable {
        name: "Section 5: the worked example, step by step".to_owned(),
        columns: vec![column("step"), column("description"), column("rule")],
        rows,
        notes: vec!["G13 is Recog-four again, G12 the fork, G11 becomes Recog-open3 (Figure 4-4).".to_owned()],
    })
}

fn tic_tac_toe(seeds: u64, seed: u64, done: &dyn Fn(u64)) -> Result<ResultTable> {
    let game = AnyGame::catalogue("tic-tac-toe").context("tic-tac-toe is in the catalogue")?;
    let system = system_of(&game, None, 60.0)?;
    let board = GameBoard::new(&system, &game)?;
    let teacher = AgentSpec::alphabeta(9).build(&Files(&game))?;
    let (mut rows, mut safe, mut most_losses, mut most_rules) = (Vec::new(), 0, 0, 0);
    for number in 0..seeds {
        let mut file = RuleFile::new("tic-tac-toe", system.clone());
        let (mut games, mut losses) = (0, 0);
        let mut unbeatable = false;
        while games < MOST_GAMES && !unbeatable {
            let plan = (100, seed.wrapping_add(number));
            let options = LearnOptions::default();
            let (stop, quiet) = (AtomicBool::new(false), |_| ());
            let one = games..games + 1;
            let report = learn_by_playing(&game, &mut file, &board, &teacher, one, plan, &options, &stop, &quiet)?;
            games += 1;
            losses += report.losses;
            if report.losses > 0 {
                unbeatable = losing_line(&Recogniser::new(&file.system, &file.library)?, Foresight::default(), 100_000)
                    == Unbeatable::Yes;
            }
        }
        let rules = file.library.rules.len();
        let proved = file.library.rules.iter().filter(|rule| rule.status == Status::Proved).count();
        safe += u64::from(unbeatable);
        (most_losses, most_rules) = (most_losses.max(losses), most_rules.max(rules));
        let answer = if unbeatable { "yes" } else { "no" };
        let counts = [number, games, losses, rules as u64, proved as u64].map(|count| TableCell::count(count as usize));
        rows.push(counts.into_iter().chain([TableCell::Text(answer.to_owned())]).collect());
        done(number + 1);
    }
    let notes = vec![
        format!("{safe} of {seeds} seeds become unbeatable: at most {most_losses} losses and {most_rules} rules."),
        "Unbeatable: every line of play on both sides was looked at, with every choice that rules leave.".to_owned(),
        "The teacher is alphabeta:9, which plays perfectly; the paper says that its program \"quickly learned\"."
            .to_owned(),
    ];
    let columns = ["seed", "games", "losses", "rules", "proved", "unbeatable"].map(column).to_vec();
    Ok(ResultTable { name: "Tic-tac-toe without losing".to_owned(), columns, rows, notes })
}
