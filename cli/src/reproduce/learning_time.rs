//! Tables 1 and 2 of the paper: how long learning takes, and whether it succeeds.

use super::sgrl::{Study, TrialPlan, columns, label_columns};
use super::{ResultTable, TableCell};
use anyhow::Result;
use onlooker::board::{Cell as BoardCell, Player};
use onlooker::game::random_game;
use onlooker::learn::{Evidence, Method, Options, Progress, learn};
use onlooker::observe::Listing;
use rayon::ThreadPoolBuilder;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The paper's learner, and the one that is used unless something else is asked for.
const METHODS: [Method; 2] = [Method::PAPER, Method::Shortest];

/// What the trials of one method gave.
#[derive(Clone, Default)]
struct Results {
    /// For each piece, the seconds of each trial.
    seconds: Vec<Vec<f64>>,
    /// For each piece, in how many trials it was learnt exactly.
    exact: Vec<usize>,
    /// The seconds of each trial for everything that `learn` does.
    whole: Vec<f64>,
}

/// Learns again and again on one thread. `done` is called after every trial of every game.
pub fn table(studies: &[Study], plan: &TrialPlan, listing: Listing, done: &dyn Fn()) -> Result<ResultTable> {
    let (number, known, games) = match listing {
        Listing::All => (1, "all moves are known", plan.all_games),
        Listing::Some => (2, "a single move is known", plan.single_games),
    };
    let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut rows = Vec::new();
    let mut wholes = Vec::new();
    for study in studies {
        let none = Results {
            seconds: vec![Vec::new(); study.pieces.len()],
            exact: vec![0; study.pieces.len()],
            whole: Vec::new(),
        };
        let mut results = METHODS.map(|_| none.clone());
        for trial in 0..plan.trials {
            let games_plan = plan.games(number, trial, games, listing);
            let mut evidence = Evidence::default();
            for game in 0..games {
                evidence.observe(&random_game(&study.game, &games_plan, game)?)?;
            }
            for (method, results) in METHODS.into_iter().zip(&mut results) {
                pool.install(|| learn_timed(study, &evidence, method, results))?;
            }
            done();
        }
        for (at, piece) in study.pieces.iter().enumerate() {
            let printed = match listing {
                Listing::All => &piece.printed.all_moves,
                Listing::Some => &piece.printed.single_move,
            };
            let mut row = piece.labels(study);
            row.extend(printed[piece.player.index()].map(TableCell::printed));
            for results in &results {
                row.extend(average_least_most(&results.seconds[at]));
                row.push(TableCell::count(results.exact[at]));
            }
            rows.push(row);
        }
        let mut row: Vec<TableCell> =
            [study.name, "(all)", "both", "", "", ""].map(|label| TableCell::Text(label.to_owned())).into();
        for results in &results {
            row.extend(average_least_most(&results.whole));
            row.push(TableCell::Text(String::new()));
        }
        wholes.push(row);
    }
    rows.append(&mut wholes);
    let measures = ["avg", "min", "max", "exact"];
    let columns = [
        label_columns(),
        columns("the paper", &measures[..3]),
        columns("Algorithm 2 here", &measures),
        columns("the default here", &measures),
    ];
    let mut notes = vec![
        format!("exact: in how many of {} trials the moves learnt were those of the true rules", plan.trials),
        "the default learns a piece for both players at once, so its two rows show the same times".to_owned(),
        "(all): everything from the evidence to the rules, endings included; one thread".to_owned(),
    ];
    if listing == Listing::Some {
        notes.push("the default goes over single moves twice: a piece's time is that of the second time".to_owned());
        notes.push("(!) as printed, although it is larger than the average".to_owned());
    }
    let name = format!("ResultTable {number}: learning time in seconds when {known} ({games} games)");
    Ok(ResultTable { name, columns: columns.concat(), rows, notes })
}

/// Learns once, and adds what that gave to the results.
fn learn_timed(study: &Study, evidence: &Evidence, method: Method, results: &mut Results) -> Result<()> {
    let times = PieceTimes::default();
    let begin = Instant::now();
    let learnt = learn(evidence, &Options { method, ..Options::default() }, &AtomicBool::new(false), &|progress| {
        times.watch(progress)
    })?;
    results.whole.push(begin.elapsed().as_secs_f64());
    let exact = study.exact(&learnt);
    for (at, piece) in study.pieces.iter().enumerate() {
        results.seconds[at].extend(times.of(piece.kind, piece.player));
        results.exact[at] += usize::from(exact[at]);
    }
    Ok(())
}

/// How long a learner was busy with each piece.
#[derive(Default)]
struct PieceTimes(Mutex<HashMap<(BoardCell, Option<Player>), Timing>>);

#[derive(Clone, Copy)]
enum Timing {
    Since(Instant),
    Seconds(f64),
}

impl PieceTimes {
    fn watch(&self, progress: Progress) {
        let mut times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match progress {
            Progress::Begun(kind, player) => {
                times.insert((kind, player), Timing::Since(Instant::now()));
            }
            Progress::Done(kind, player) => {
                if let Some(Timing::Since(begin)) = times.get(&(kind, player)).copied() {
                    times.insert((kind, player), Timing::Seconds(begin.elapsed().as_secs_f64()));
                }
            }
            Progress::TurnsBegun(..) | Progress::TurnsDone(..) => {}
        }
    }

    /// The time for a player's piece, alone or together with the other player's.
    fn of(&self, kind: BoardCell, player: Player) -> Option<f64> {
        let times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match times.get(&(kind, Some(player))).or_else(|| times.get(&(kind, None)))? {
            Timing::Seconds(seconds) => Some(*seconds),
            Timing::Since(_) => None,
        }
    }
}

fn average_least_most(seconds: &[f64]) -> [TableCell; 3] {
    if seconds.is_empty() {
        return ["-"; 3].map(|none| TableCell::Text(none.to_owned()));
    }
    let average = seconds.iter().sum::<f64>() / seconds.len() as f64;
    let (least, most) =
        seconds.iter().fold((f64::INFINITY, 0.0_f64), |(least, most), &time| (least.min(time), most.max(time)));
    [average, least, most].map(TableCell::seconds)
}
