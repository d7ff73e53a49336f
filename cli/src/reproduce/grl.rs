//! P. Gregory, Y. Björnsson and S. Schiffel, The GRL System: Learning Board Game Rules With Piece-Move Interactions
//! (IJCAI 2015): Tables 1 and 2, and the machines of Figures 1, 3 and 5.

use super::sgrl::TrialPlan;
use super::{Column, ResultTable, TableCell};
use anyhow::{Context, Result};
use onlooker::board::{Cell as BoardCell, Player};
use onlooker::game::{Chance, RulesGame, catalogue_game, check_game, random_game};
use onlooker::learn::{Evidence, Learnt, Method, Options, Progress, learn, plan_trace};
use onlooker::locm::{self, Action};
use onlooker::observe::{Listing, Move};
use rayon::ThreadPoolBuilder;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The paper's combination with the paper's SGRL, the same with our way to learn the parts, and what is used by default.
const METHODS: [Method; 3] = [Method::PAPERS_GRL, Method::Grl(None), Method::Shortest];

/// How many fresh games, with all moves, tell whether rules are exact.
const FRESH: u64 = 20;

/// What the paper printed for a piece: the first and the second player, with all moves and with a single move known.
struct GrlFigures {
    game: &'static str,
    name: &'static str,
    piece: &'static str,
    letter: &'static str,
    parts: [[&'static str; 2]; 2],
    /// The same in both tables, since LOCM reads only the moves played.
    turns: Option<[&'static str; 2]>,
}

const AT_ONCE: [&str; 2] = ["< 0.01", "< 0.01"];

/// "(*)" marks automata that the paper calls incorrect.
static PRINTED: [GrlFigures; 13] = [
    piece("amazons", "Amazons", "Queen", "Q", [["8.1", "35.2"], ["51.2 (*)", "54.9"]], Some(["20.9", "30.0"])),
    piece("amazons", "Amazons", "Arrow", "A", [["9.3", "10.8"], ["86.2 (*)", "34.6 (*)"]], None),
    piece("checkers", "Checkers", "Pawn", "C", [AT_ONCE; 2], Some(["260.4", "275.3"])),
    piece("checkers", "Checkers", "King", "K", [AT_ONCE; 2], Some(["52.9", "47.0"])),
    piece("peg-solitaire", "Peg Solitaire", "Peg", "P", [["< 0.01", "-"], AT_ONCE], Some(["8.8", "-"])),
    piece("breakthrough", "BT", "Pawn", "P", [AT_ONCE; 2], None),
    piece("checkers-breakthrough", "CheckerBT", "Checker", "C", [["0.16", "0.17"], ["1.2 (*)", "3.1 (*)"]], None),
    piece("chess-breakthrough", "ChessBT", "Pawn", "P", [AT_ONCE; 2], None),
    piece("chess-breakthrough", "ChessBT", "King", "K", [AT_ONCE; 2], None),
    piece("chess-breakthrough", "ChessBT", "Knight", "N", [AT_ONCE; 2], None),
    piece("chess-breakthrough", "ChessBT", "Bishop", "B", [["3.3", "3.4"], ["43.2", "41.0"]], None),
    piece("chess-breakthrough", "ChessBT", "Rook", "R", [["3.9", "3.8"], ["52.4", "50.0"]], None),
    piece("chess-breakthrough", "ChessBT", "Queen", "Q", [["12.3", "12.5"], ["145.3", "140.4"]], None),
];

const fn piece(
    game: &'static str,
    name: &'static str,
    piece: &'static str,
    letter: &'static str,
    parts: [[&'static str; 2]; 2],
    turns: Option<[&'static str; 2]>,
) -> GrlFigures {
    GrlFigures { game, name, piece, letter, parts, turns }
}

/// What is learnt: the piece as the first player has it, whose (nobody's if both at once), and whether it is its turns or
/// only its parts.
type Work = (BoardCell, Option<Player>, bool);

/// What the trials of one game gave with one method.
#[derive(Clone, Default)]
struct GrlResults {
    seconds: HashMap<Work, Vec<f64>>,
    exact: u64,
}

impl GrlResults {
    fn average(&self, kind: BoardCell, player: Player, turns: bool) -> TableCell {
        let alone = self.seconds.get(&(kind, Some(player), turns));
        let Some(seconds) = alone.or_else(|| self.seconds.get(&(kind, None, turns))) else {
            return TableCell::Text("-".to_owned());
        };
        TableCell::seconds(seconds.iter().sum::<f64>() / seconds.len() as f64)
    }
}

/// How many trials there are in a table.
pub fn trials(plan: &TrialPlan) -> u64 {
    let games: BTreeSet<&str> = PRINTED.iter().map(|printed| printed.game).collect();
    plan.trials * games.len() as u64
}

/// ResultTable 1 or 2. `done` is called after every trial of every game.
pub fn table(plan: &TrialPlan, listing: Listing, done: &dyn Fn()) -> Result<ResultTable> {
    let (number, known, games) = match listing {
        Listing::All => (1, "all moves are known", plan.all_games),
        Listing::Some => (2, "a single move is known", plan.single_games),
    };
    let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut rows = Vec::new();
    for study in PRINTED.chunk_by(|a, b| a.game == b.game) {
        let game = catalogue_game(study[0].game).with_context(|| format!("the catalogue has {}", study[0].game))?;
        let mut results = METHODS.map(|_| GrlResults::default());
        for trial in 0..plan.trials {
            let games_plan = plan.games(10 + number, trial, games, listing);
            let mut evidence = Evidence::default();
            for number in 0..games {
                evidence.observe(&random_game(&game, &games_plan, number)?)?;
            }
            for (method, results) in METHODS.into_iter().zip(&mut results) {
                let learnt = pool.install(|| learn_timed(&evidence, method, results))?;
                results.exact += u64::from(is_exact(&game, &learnt, plan, trial));
            }
            done();
        }
        for printed in study {
            let kind = piece_of(&game, printed.letter)?;
            let parts = printed.parts[usize::from(listing == Listing::Some)];
            rows.push(row(printed, "SGRL+", parts, kind, false, &results));
            if let Some(turns) = printed.turns {
                rows.push(row(printed, "LOCM", turns, kind, true, &results));
            }
        }
    }
    let group = |group: &'static str, names: &[&'static str]| -> Vec<Column> {
        names.iter().map(|&name| Column { group, name }).collect()
    };
    let players = ["player 1", "player 2", "exact"];
    let columns = [
        ["game", "piece", "element"].map(Column::label).to_vec(),
        group("the paper", &players[..2]),
        group("Algorithms of both papers here", &players),
        group("their combination, our parts", &players),
        group("the default here", &players),
    ];
    let notes = vec![
        format!(
            "exact: in how many of {} trials the rules of the whole game gave every move, next position and outcome of {FRESH} \
             fresh games",
            plan.trials
        ),
        "(*) as printed: an incorrect automaton".to_owned(),
        "LOCM reads each different turn once; guards such as the last rank, which the paper does not have, are found \
         before the times begin"
            .to_owned(),
        "the default learns whole turns, for both players at once where they are alike, and needs no LOCM".to_owned(),
    ];
    let name = format!("ResultTable {number}: learning time in seconds when {known} ({games} games, one thread)");
    Ok(ResultTable { name, columns: columns.concat(), rows, notes })
}

fn row(
    printed: &GrlFigures,
    element: &str,
    paper: [&str; 2],
    kind: BoardCell,
    turns: bool,
    results: &[GrlResults],
) -> Vec<TableCell> {
    let mut row: Vec<TableCell> =
        [printed.name, printed.piece, element].map(|label| TableCell::Text(label.to_owned())).into();
    row.extend(paper.map(TableCell::printed));
    for results in results {
        row.extend([Player::First, Player::Second].map(|player| results.average(kind, player, turns)));
        row.push(TableCell::count(results.exact as usize));
    }
    row
}

fn piece_of(game: &RulesGame, letter: &str) -> Result<BoardCell> {
    let found = game.rules().pieces().into_iter().map(|piece| piece.cell()).find(|cell| cell.to_string() == letter);
    found.with_context(|| format!("the game has a {letter}"))
}

fn learn_timed(evidence: &Evidence, method: Method, results: &mut GrlResults) -> Result<Learnt> {
    let begun: Mutex<HashMap<Work, Instant>> = Mutex::default();
    let took = Mutex::new(&mut results.seconds);
    let watch = |progress: Progress| {
        let (what, is_done) = match progress {
            Progress::Begun(kind, player) => ((kind, player, false), false),
            Progress::Done(kind, player) => ((kind, player, false), true),
            Progress::TurnsBegun(kind, player) => ((kind, Some(player), true), false),
            Progress::TurnsDone(kind, player) => ((kind, Some(player), true), true),
        };
        let mut begun = begun.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_done {
            begun.insert(what, Instant::now());
        } else if let Some(begin) = begun.remove(&what) {
            let mut took = took.lock().unwrap_or_else(PoisonError::into_inner);
            took.entry(what).or_default().push(begin.elapsed().as_secs_f64());
        }
    };
    Ok(learn(evidence, &Options { method, ..Options::default() }, &AtomicBool::new(false), &watch)?)
}

/// Whether rules give every move, next position and outcome of fresh games.
fn is_exact(game: &RulesGame, learnt: &Learnt, plan: &TrialPlan, trial: u64) -> bool {
    let Ok(rules) = RulesGame::new(learnt.rules.clone()) else { return false };
    let fresh = plan.games(20, trial, FRESH, Listing::All);
    let holds = |records: Vec<_>, number| check_game(&rules, &records, number, 1).holds();
    (0..FRESH).all(|number| random_game(game, &fresh, number).is_ok_and(|records| holds(records, number)))
}

/// The machines of the paper's figures, with the names of their files.
pub fn figures(seed: u64) -> Result<Vec<(&'static str, locm::Model)>> {
    let mut blocks = locm::Evidence::default();
    for number in 0..200 {
        let trace = blocksworld(&mut Chance::stream(seed, number));
        blocks.observe(&trace).map_err(|(_, refused)| anyhow::anyhow!("{refused}"))?;
    }
    let model = |evidence: &locm::Evidence| locm::induce(evidence, &locm::Options::default(), &AtomicBool::new(false));
    Ok(vec![
        ("figure-1-blocksworld.svg", model(&blocks)),
        ("figure-3-amazons-queen.svg", model(&turns("amazons", "Q", seed)?)),
        ("figure-5-checkers-pawn.svg", model(&turns("checkers", "C", seed)?)),
    ])
}

/// The turns of the first player that start on a piece, as plan traces.
fn turns(name: &str, letter: &str, seed: u64) -> Result<locm::Evidence> {
    let game = catalogue_game(name).with_context(|| format!("the catalogue has {name}"))?;
    let start = piece_of(&game, letter)?;
    let plan = TrialPlan { trials: 1, seed, all_games: 0, single_games: 200 }.games(30, 0, 200, Listing::Some);
    let mut evidence = locm::Evidence::default();
    for number in 0..plan.games {
        for record in random_game(&game, &plan, number)?.iter().filter(|record| record.turn == Player::First) {
            let Some(Move::Word { start: square, word }) = record.played() else { continue };
            if record.position.at(*square) != start {
                continue;
            }
            if let Some(trace) = plan_trace(word, start, Player::First) {
                evidence.observe(&trace).map_err(|(_, refused)| anyhow::anyhow!("{refused}"))?;
            }
        }
    }
    Ok(evidence)
}

/// A random plan with four blocks, of 25 actions.
fn blocksworld(chance: &mut Chance) -> Vec<Action> {
    let mut towers: Vec<Vec<u8>> = (0..4).map(|block| vec![block]).collect();
    let mut held: Option<u8> = None;
    let name = |block: u8| format!("b{}", block + 1);
    let mut plan = Vec::new();
    for _ in 0..25 {
        let (verb, blocks) = match held.take() {
            Some(block) => {
                let at = chance.below(towers.len() + 1);
                if at == towers.len() {
                    towers.push(vec![block]);
                    ("put-down", vec![block])
                } else {
                    let below = towers[at][towers[at].len() - 1];
                    towers[at].push(block);
                    ("stack", vec![block, below])
                }
            }
            None => {
                let at = chance.below(towers.len());
                let block = towers[at].pop().unwrap_or_default();
                held = Some(block);
                match towers[at].last() {
                    Some(&below) => ("unstack", vec![block, below]),
                    None => {
                        towers.remove(at);
                        ("pick-up", vec![block])
                    }
                }
            }
        };
        plan.push(Action::new(verb.to_owned(), blocks.into_iter().map(name).collect::<Vec<_>>()));
    }
    plan
}
