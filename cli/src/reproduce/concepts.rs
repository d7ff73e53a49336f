//! Automated Generation of New Concepts from General Game Playing, Tables 1 to 6: heuristics from simulations, played by a player that looks one move ahead.

use super::{Column, ResultTable, TableCell};
use anyhow::{Context, Result};
use onlooker::concepts::{
    Argument, CompiledHeuristic, Concept, Evidence, FitOptions, Heuristic, Literal, PlayoutPlan, PlayoutPolicy,
    StatisticalOptions, binary_concepts, fit_heuristic, statistical_heuristic, structured_heuristic, ternary_concepts,
    watch_playouts,
};
use onlooker::game::{Chance, Game, RulesGame, catalogue_game};
use onlooker::play::{Agent, Greedy, MatchPlan, NoOpinion, OnePly, Random, play_match};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How the experiments are run.
pub struct ConceptPlan {
    /// How often each is repeated with new playouts.
    pub draws: u64,
    /// How many games are played to judge each function, for tic-tac-toe and Connect Four.
    pub games: (u64, u64),
    /// Fixes everything.
    pub seed: u64,
    /// Whether empty cells count in structured heuristics.
    pub blanks: bool,
}

/// One of the two games.
struct Study {
    name: &'static str,
    game: RulesGame,
    /// Playouts that each role has to win.
    wins: u64,
    games: u64,
    /// The paper's names of the roles.
    roles: [&'static str; 2],
}

/// Won, lost and drawn in percent.
type Shares = [f64; 3];

/// The rows of a table: what the paper printed, and our draws.
struct Line {
    game: &'static str,
    player: &'static str,
    setting: String,
    /// Against the random player and against the one that takes wins.
    printed: [Option<Shares>; 2],
    found: [Vec<Shares>; 2],
}

pub fn tables(plan: &ConceptPlan, done: &(dyn Fn() + Sync)) -> Result<Vec<ResultTable>> {
    let studies = studies(plan)?;
    let mut statistical: Vec<Line> = Vec::new();
    let mut structured: Vec<Line> = Vec::new();
    let mut ternary: Vec<Line> = Vec::new();
    let mut fitted: Vec<Line> = Vec::new();
    for draw in 0..plan.draws {
        let seed = Chance::stream(plan.seed, draw).bits();
        let mut concepts: Vec<Concept> = Vec::new();
        for (number, study) in studies.iter().enumerate() {
            let evidence = study.watch(u64::MAX, study.wins, seed, PlayoutPolicy::Random);
            let cutoffs = if number == 0 { 3 } else { 2 };
            for cutoff in 0..=cutoffs {
                let options = StatisticalOptions { cutoff, ..StatisticalOptions::default() };
                let heuristic = (cutoff > 0).then(|| statistical_heuristic(&evidence, &options, &|_| false));
                if number == 0 && cutoff == 3 {
                    concepts = binary_concepts(heuristic.as_ref().context("a function for cut-off 3")?);
                }
                study.add(&mut statistical, &format!("cut-off {cutoff}"), heuristic.as_ref(), seed, &TABLES_1_2)?;
                done();
            }
            let general = transferable(&concepts);
            let usable = if number == 0 { &concepts } else { &general };
            let excluded = |literal: &Literal| !plan.blanks && is_blank(literal);
            for wins in if number == 0 { vec![study.wins] } else { vec![10, 100] } {
                let few = if number == 0 {
                    evidence.clone()
                } else {
                    study.watch(u64::MAX, wins, seed, PlayoutPolicy::Random)
                };
                let heuristic = structured_heuristic(&few, usable, &excluded);
                study.add(&mut structured, &format!("{wins} simulations"), Some(&heuristic), seed, &TABLES_3_4)?;
                done();
            }
            if number == 1 {
                let few = study.watch(u64::MAX, 10, seed, PlayoutPolicy::Random);
                let triples = ternary_concepts(&general, 100_000);
                let heuristic = structured_heuristic(&few, &triples, &|literal| !plan.blanks && is_blank(literal));
                study.add(&mut ternary, "10 simulations", Some(&heuristic), seed, &TABLES_5_6)?;
                done();
            }
            // No more playouts than the paper needed for its wins.
            let playouts = evidence.playouts().0;
            let seen = study.watch(playouts, u64::MAX, seed, PlayoutPolicy::Greedy);
            let (heuristic, _) =
                fit_heuristic(&seen, &FitOptions { seed, ..FitOptions::default() }, &AtomicBool::new(false));
            study.add(&mut fitted, "fitted", Some(&heuristic), seed, &BEST_PRINTED)?;
            done();
        }
    }
    let mut tables = Vec::new();
    for (opponent, [first, second, third]) in
        [(0, ["Table 1", "Table 3", "Table 5"]), (1, ["Table 2", "Table 4", "Table 6"])]
    {
        let against = ["a random player", "a player that takes wins"][opponent];
        tables.push(table(format!("{first}: statistical heuristics against {against}"), &statistical, opponent, plan));
        tables.push(table(format!("{second}: heuristics of concepts against {against}"), &structured, opponent, plan));
        tables.push(table(
            format!("{third}: heuristics of ternary concepts against {against}"),
            &ternary,
            opponent,
            plan,
        ));
    }
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    for opponent in 0..2 {
        let against = ["a random player", "a player that takes wins"][opponent];
        let mut better = table(format!("Better: fitted heuristics against {against}"), &fitted, opponent, plan);
        better.notes.insert(
            0,
            "Printed: the best of the paper's tables. From no more playouts than Tables 1 and 2 took.".to_owned(),
        );
        tables.push(better);
    }
    Ok(tables)
}

/// How many steps of work there are.
pub fn steps(plan: &ConceptPlan) -> u64 {
    plan.draws * (4 + 1 + 1 + 3 + 2 + 1 + 1)
}

fn studies(plan: &ConceptPlan) -> Result<[Study; 2]> {
    let game = |name: &str| catalogue_game(name).with_context(|| format!("the catalogue has no {name}"));
    let (small, large) = (game("tic-tac-toe")?, game("connect-four")?);
    Ok([
        Study { name: "Tic-tac-toe", game: small, wins: 10_000, games: plan.games.0, roles: ["x", "o"] },
        Study { name: "Connect Four", game: large, wins: 1000, games: plan.games.1, roles: ["white", "red"] },
    ])
}

/// Whether a fact says that a cell is empty.
fn is_blank(literal: &Literal) -> bool {
    literal.arguments.last() == Some(&Argument::Name("blank".to_owned()))
}

/// The concepts that say nothing about the marks of one game: in the paper the two games have different ones.
fn transferable(concepts: &[Concept]) -> Vec<Concept> {
    concepts.iter().filter(|concept| concept.constants().all(|name| name == "blank")).cloned().collect()
}

impl Study {
    fn watch(&self, playouts: u64, wins: u64, seed: u64, policy: PlayoutPolicy) -> Evidence {
        let playouts = playouts.min(100 * self.wins);
        let plan = PlayoutPlan { playouts, wins, seed, plies: 1000, steps: u64::MAX, policy };
        watch_playouts(&self.game, &plan, &AtomicBool::new(false), &|_| {}).0
    }

    /// Plays both roles against both opponents.
    fn add(
        &self,
        lines: &mut Vec<Line>,
        setting: &str,
        heuristic: Option<&Heuristic>,
        seed: u64,
        printed: &[Printed],
    ) -> Result<()> {
        let ours: Arc<dyn Agent<RulesGame>> = match heuristic {
            None => Arc::new(OnePly { evaluation: Arc::new(NoOpinion) }),
            Some(heuristic) => {
                Arc::new(OnePly { evaluation: Arc::new(CompiledHeuristic::new(heuristic, &self.game)?) })
            }
        };
        let opponents: [Arc<dyn Agent<RulesGame>>; 2] = [Arc::new(Random), Arc::new(Greedy)];
        for (opponent, other) in opponents.into_iter().enumerate() {
            // Sides change from game to game.
            let plan = MatchPlan { games: 2 * self.games, seed: seed ^ 0x5eed, plies: 1000 };
            let result =
                play_match(&self.game, &[Arc::clone(&ours), other], &plan, &AtomicBool::new(false), &|_, _| {})?;
            for (role, score) in result.sides[0].iter().enumerate() {
                let all = (score.won + score.lost + score.drawn).max(1) as f64;
                let shares = [score.won, score.lost, score.drawn].map(|count| 100.0 * count as f64 / all);
                let (game, player) = (self.name, self.roles[role]);
                let at = lines
                    .iter()
                    .position(|line| (line.game, line.player, line.setting.as_str()) == (game, player, setting));
                let at = at.unwrap_or_else(|| {
                    let row = printed.iter().find(|row| (row.0, row.1, row.2) == (game, player, setting));
                    let printed = row.map_or([None, None], |row| [Some(row.3), Some(row.4)]);
                    lines.push(Line {
                        game,
                        player,
                        setting: setting.to_owned(),
                        printed,
                        found: [Vec::new(), Vec::new()],
                    });
                    lines.len() - 1
                });
                lines[at].found[opponent].push(shares);
            }
        }
        debug_assert_eq!(self.game.roles().len(), 2);
        Ok(())
    }
}

fn mean_and_deviation(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    let square = values.map(|value| (value - mean) * (value - mean)).sum::<f64>();
    (mean, if count > 1.0 { (square / (count - 1.0)).sqrt() } else { 0.0 })
}

fn table(name: String, lines: &[Line], opponent: usize, plan: &ConceptPlan) -> ResultTable {
    let column = |group, name| Column { group, name };
    let mut columns = vec![Column::label("game"), Column::label("player"), Column::label("setting")];
    columns.extend(["won", "lost", "drawn"].map(|name| column("paper %", name)));
    columns.extend(["won", "sd", "lost", "drawn"].map(|name| column("ours %, mean", name)));
    columns.push(column("paper - ours", "won"));
    let mut notes = Vec::new();
    let mut rows = Vec::new();
    for line in lines {
        let found = &line.found[opponent];
        let share = |at: usize| mean_and_deviation(found.iter().map(move |shares| shares[at]));
        let (won, deviation) = share(0);
        let labels = [line.game, line.player, line.setting.as_str()];
        let mut row: Vec<TableCell> = labels.map(|text| TableCell::Text(text.to_owned())).into();
        match line.printed[opponent] {
            Some(printed) => row.extend(printed.map(|share| TableCell::Number(share, 2))),
            None => row.extend([(); 3].map(|()| TableCell::Text("-".to_owned()))),
        }
        row.extend([won, deviation, share(1).0, share(2).0].map(|share| TableCell::Number(share, 2)));
        match line.printed[opponent] {
            Some([printed, ..]) => {
                row.push(TableCell::Number(printed - won, 2));
                let games = if line.game == "Tic-tac-toe" { plan.games.0 } else { plan.games.1 } as f64;
                // One draw of the paper varies as ours do, and by the games that it was judged by.
                let sampling = printed * (100.0 - printed) / if line.game == "Tic-tac-toe" { 10_000.0 } else { 1000.0 };
                let ours = won * (100.0 - won) / games / plan.draws as f64;
                let spread = (deviation * deviation + sampling + ours).sqrt().max(1e-9);
                if (printed - won).abs() > 3.0 * spread && !name.starts_with("Better") {
                    notes.push(format!(
                        "differs: {} {}, {}: {:+.2} points, {:.1} standard deviations",
                        line.game,
                        line.player,
                        line.setting,
                        printed - won,
                        (printed - won).abs() / spread
                    ));
                }
            }
            None => row.push(TableCell::Text("-".to_owned())),
        }
        if line.setting == "cut-off 0" && line.game == "Tic-tac-toe" {
            let exact = EXACT.iter().find(|exact| (exact.0, exact.1) == (line.player, opponent));
            notes.extend(
                exact.map(|exact| format!("exact for {}, cut-off 0: {:.2} won, ours {won:.2}", exact.0, exact.2)),
            );
        }
        rows.push(row);
    }
    let blanks = if plan.blanks { "counting empty cells" } else { "not counting empty cells" };
    notes.push(format!(
        "{} draws; final positions of won playouts; {blanks} in Tables 3 to 6; {} and {} games for each role",
        plan.draws, plan.games.0, plan.games.1
    ));
    ResultTable { name, columns, rows, notes }
}

/// Game, player, setting, and the shares against the random player and the one that takes wins.
type Printed = (&'static str, &'static str, &'static str, Shares, Shares);

/// What can be worked out exactly for tic-tac-toe without a function: player, opponent, won.
const EXACT: [(&str, usize, f64); 3] = [("x", 0, 81.36), ("o", 0, 52.17), ("x", 1, 68.54)];

const TABLES_1_2: [Printed; 14] = [
    ("Tic-tac-toe", "x", "cut-off 0", [80.73, 12.32, 6.95], [67.98, 27.51, 4.51]),
    ("Tic-tac-toe", "x", "cut-off 1", [93.38, 4.53, 2.09], [85.81, 13.57, 0.62]),
    ("Tic-tac-toe", "x", "cut-off 2", [90.17, 7.45, 2.38], [74.53, 25.47, 0.0]),
    ("Tic-tac-toe", "x", "cut-off 3", [96.49, 2.76, 0.75], [91.42, 8.58, 0.0]),
    ("Tic-tac-toe", "o", "cut-off 0", [50.57, 40.69, 8.74], [27.00, 68.71, 4.29]),
    ("Tic-tac-toe", "o", "cut-off 1", [65.64, 27.50, 6.86], [41.78, 55.40, 2.82]),
    ("Tic-tac-toe", "o", "cut-off 2", [68.10, 28.11, 3.79], [41.95, 57.87, 0.18]),
    ("Tic-tac-toe", "o", "cut-off 3", [73.65, 24.77, 1.58], [50.42, 49.58, 0.0]),
    ("Connect Four", "white", "cut-off 0", [81.4, 18.6, 0.0], [57.4, 42.6, 0.0]),
    ("Connect Four", "white", "cut-off 1", [84.4, 15.6, 0.0], [62.2, 37.8, 0.0]),
    ("Connect Four", "white", "cut-off 2", [90.2, 9.8, 0.0], [79.7, 20.3, 0.0]),
    ("Connect Four", "red", "cut-off 0", [71.3, 28.6, 0.1], [40.1, 59.9, 0.0]),
    ("Connect Four", "red", "cut-off 1", [70.4, 29.6, 0.0], [40.4, 59.6, 0.0]),
    ("Connect Four", "red", "cut-off 2", [77.4, 22.6, 0.0], [54.4, 45.6, 0.0]),
];

const TABLES_3_4: [Printed; 6] = [
    ("Tic-tac-toe", "x", "10000 simulations", [94.60, 3.77, 1.63], [89.64, 10.36, 0.0]),
    ("Tic-tac-toe", "o", "10000 simulations", [56.91, 38.05, 5.04], [39.16, 56.87, 3.97]),
    ("Connect Four", "white", "10 simulations", [90.6, 9.4, 0.0], [74.5, 25.5, 0.0]),
    ("Connect Four", "white", "100 simulations", [92.3, 7.7, 0.0], [78.3, 21.7, 0.0]),
    ("Connect Four", "red", "10 simulations", [61.8, 38.2, 0.0], [29.5, 70.5, 0.0]),
    ("Connect Four", "red", "100 simulations", [69.4, 30.6, 0.0], [44.3, 55.7, 0.0]),
];

const TABLES_5_6: [Printed; 2] = [
    ("Connect Four", "white", "10 simulations", [72.7, 27.3, 0.0], [39.7, 60.3, 0.0]),
    ("Connect Four", "red", "10 simulations", [71.7, 28.3, 0.0], [37.8, 62.2, 0.0]),
];

const BEST_PRINTED: [Printed; 4] = [
    ("Tic-tac-toe", "x", "fitted", [96.49, 2.76, 0.75], [91.42, 8.58, 0.0]),
    ("Tic-tac-toe", "o", "fitted", [73.65, 24.77, 1.58], [50.42, 49.58, 0.0]),
    ("Connect Four", "white", "fitted", [92.3, 7.7, 0.0], [79.7, 20.3, 0.0]),
    ("Connect Four", "red", "fitted", [77.4, 22.6, 0.0], [54.4, 45.6, 0.0]),
];
