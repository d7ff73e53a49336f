//! Learning, on one thread: the whole way from the bytes of a log to rules, the sliding pieces beside the paper's
//! algorithms written down plainly, and how the time grows with the number of games.
//!
//! `cargo bench --bench learn` prints three tables; with `-- --quick` from fewer games. Every part asserts that what
//! was learnt is exact. Logs are simulated beforehand, and only learning is timed.

#[path = "../tests/it/sgrl_reference.rs"]
mod sgrl_reference;

use onlooker::board::{Cell, Player};
use onlooker::game::{RulesGame, SimulationPlan, catalogue_game, check_game, random_game, simulate};
use onlooker::learn::{Evidence, Learnt, Method, Options, Progress, learn};
use onlooker::observe::{GameReader, Listing, Record};
use onlooker::rules::movement_difference;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// From how many games.
struct Scale {
    all: u64,
    single: u64,
    /// For the paper's algorithms written down plainly, which take their time.
    reference: u64,
    growth: &'static [u64],
}

const FULL: Scale = Scale { all: 50, single: 1000, reference: 50, growth: &[50, 500, 5000] };
const QUICK: Scale = Scale { all: 50, single: 1000, reference: 8, growth: &[50, 500] };
/// Under `cargo test` benchmarks are only tried, not measured.
const TRIED: Scale = Scale { all: 30, single: 60, reference: 2, growth: &[60] };

const PLIES: u32 = 1000;
const PLAYERS: [Player; 2] = [Player::First, Player::Second];

fn plan(games: u64, listing: Listing, seed: u64) -> SimulationPlan {
    SimulationPlan { games, listing, seed, plies: PLIES }
}

fn log(game: &RulesGame, plan: &SimulationPlan) -> Vec<u8> {
    let mut bytes = Vec::new();
    simulate(game, plan, &mut bytes, &AtomicBool::new(false), &mut |_| {}).expect("memory can be written to");
    bytes
}

/// The rules learnt must tell the same as the true ones about fresh games.
fn assert_exact(game: &RulesGame, learnt: Learnt) {
    let again = RulesGame::new(learnt.rules).expect("rules that were learnt run");
    for number in 0..20 {
        let report =
            check_game(&again, &random_game(game, &plan(20, Listing::All, u64::MAX), number).unwrap(), number, 3);
        assert!(report.holds(), "{:?}", report.mismatches);
    }
}

fn observe(evidence: &mut Evidence, bytes: &[u8]) {
    for records in GameReader::new(bytes) {
        evidence.observe(&records.expect("a simulated log")).expect("games of one kind");
    }
}

fn whole(game: &RulesGame, scale: &Scale) {
    println!("\nLog -> games -> evidence -> rules, chess-breakthrough, one thread\n");
    println!("| moves listed | games | log, MB | seconds (best of 3) |\n|---|---|---|---|");
    for (listing, name, games) in [(Listing::All, "all", scale.all), (Listing::Some, "one", scale.single)] {
        let bytes = log(game, &plan(games, listing, 1));
        let mut best = f64::INFINITY;
        for _ in 0..3 {
            let begin = Instant::now();
            let mut evidence = Evidence::default();
            observe(&mut evidence, &bytes);
            let learnt =
                learn(&evidence, &Options::default(), &AtomicBool::new(false), &|_| {}).expect("there are games");
            best = best.min(begin.elapsed().as_secs_f64());
            assert_exact(game, learnt);
        }
        println!("| {name} | {games} | {:.1} | {best:.3} |", bytes.len() as f64 / 1e6);
    }
}

/// Whose piece, as the learner names it.
type Work = (Cell, Option<Player>);

/// What is learnt, and the seconds for each piece.
fn learn_timed(evidence: &Evidence, method: Method) -> (Learnt, HashMap<Work, f64>) {
    let begun = Mutex::new(HashMap::new());
    let seconds = Mutex::new(HashMap::new());
    let learnt =
        learn(
            evidence,
            &Options { method, ..Options::default() },
            &AtomicBool::new(false),
            &|progress| match progress {
                Progress::Begun(kind, player) => drop(begun.lock().unwrap().insert((kind, player), Instant::now())),
                Progress::Done(kind, player) => {
                    let time = begun.lock().unwrap()[&(kind, player)].elapsed().as_secs_f64();
                    seconds.lock().unwrap().insert((kind, player), time);
                }
                Progress::TurnsBegun(..) | Progress::TurnsDone(..) => {}
            },
        );
    (learnt.expect("there are games"), seconds.into_inner().unwrap())
}

fn beside_the_paper(game: &RulesGame, scale: &Scale) {
    let games = scale.reference;
    let few = if games < FULL.reference { " (the paper has 50, and so has the full run)" } else { "" };
    println!("\nSliding pieces of both players, seconds, all moves of {games} games{few}, one thread\n");
    println!(
        "| piece | Algorithms 1 and 2, plainly | Method::PAPER | default | plainly / default |\n|---|---|---|---|---|"
    );
    let records: Vec<Vec<Record>> =
        (0..games).map(|number| random_game(game, &plan(games, Listing::All, 1), number).unwrap()).collect();
    let mut evidence = Evidence::default();
    records.iter().for_each(|records| evidence.observe(records).expect("games of one kind"));
    let records = records.concat();
    let (papers, papers_times) = learn_timed(&evidence, Method::PAPER);
    let (ours, our_times) = learn_timed(&evidence, Method::Shortest);
    let rules = game.rules();
    for name in ["B", "R", "Q"] {
        let kind = Cell::named(name).expect("a piece");
        let mut plainly = 0.0;
        for player in PLAYERS {
            let start = if player == Player::First { kind } else { kind.turned() };
            let found = |learnt: &Learnt| {
                learnt.pieces.iter().find(|piece| piece.start == start).expect("it was seen").automaton.clone()
            };
            let begin = Instant::now();
            let reference = sgrl_reference::learn_dfa(&records, player, start, sgrl_reference::PAPER);
            plainly += begin.elapsed().as_secs_f64();
            let reference = reference.expect("the records do not contradict each other");
            assert!(sgrl_reference::are_the_same(&reference, &found(&papers), player), "{start}");
            // From the two games of a mere try nothing is learnt exactly.
            if games >= QUICK.reference {
                let truth = rules.automaton(rules.movement(player, start).expect("it moves"), player).expect("small");
                assert_eq!(movement_difference(&truth, &found(&ours), rules.setup.shape()), None, "{start}");
            }
        }
        let paper: f64 = PLAYERS.iter().map(|&player| papers_times[&(kind, Some(player))]).sum();
        let our = our_times[&(kind, None)];
        println!("| {name} | {plainly:.3} | {paper:.4} | {our:.5} | {:.0} |", plainly / our);
    }
}

/// Games whose log is in memory at the same time.
const BATCH: u64 = 250;

fn growth(game: &RulesGame, scale: &Scale) {
    println!("\nLearning from more and more games, chess-breakthrough, one thread\n");
    println!("| moves listed | games | log, MB | reading, s | rules, s | ms a game |\n|---|---|---|---|---|---|");
    for (listing, name) in [(Listing::All, "all"), (Listing::Some, "one")] {
        for &games in scale.growth {
            let mut evidence = Evidence::default();
            let (mut bytes, mut reading, mut done) = (0, 0.0, 0);
            while done < games {
                let batch = BATCH.min(games - done);
                let part = log(game, &plan(batch, listing, 2 + done));
                let begin = Instant::now();
                observe(&mut evidence, &part);
                reading += begin.elapsed().as_secs_f64();
                (bytes, done) = (bytes + part.len(), done + batch);
            }
            let begin = Instant::now();
            let learnt =
                learn(&evidence, &Options::default(), &AtomicBool::new(false), &|_| {}).expect("there are games");
            let inducing = begin.elapsed().as_secs_f64();
            // Fifty games with one move each may not show every letter of every piece.
            if listing == Listing::All || games >= 500 {
                assert_exact(game, learnt);
            }
            let each = (reading + inducing) * 1e3 / games as f64;
            println!("| {name} | {games} | {:.1} | {reading:.3} | {inducing:.3} | {each:.3} |", bytes as f64 / 1e6);
        }
    }
}

fn main() {
    let asked = |name: &str| std::env::args().any(|argument| argument == name);
    let scale = match (asked("--test"), asked("--quick")) {
        (true, _) => TRIED,
        (_, true) => QUICK,
        _ => FULL,
    };
    let game = catalogue_game("chess-breakthrough").expect("a game of the catalogue");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| {
        whole(&game, &scale);
        beside_the_paper(&game, &scale);
        growth(&game, &scale);
    });
}
