//! Opponent modelling in general game playing, Figures 2 to 6: how well moves are predicted, and what that saves in search; then what search makes of it.

use super::{Column, ResultTable, TableCell};
use crate::commands::opponent::contour_plot;
use anyhow::{Context, Result};
use onlooker::concepts::{CompiledHeuristic, FitOptions, PlayoutPlan, PlayoutPolicy, fit_heuristic, watch_playouts};
use onlooker::explain::{Curve, CurvePlot};
use onlooker::game::{AnyGame, Chance, Game, Role};
use onlooker::gdl::Engine;
use onlooker::opponent::{
    BayesOptions, Branching, Measures, ModelOptions, MoveView, OpponentModel, OpponentSearch, Turn, depth_reached,
    nodes_to_depth, predict_turns, replies_needed, waiting_moves, watch_matches,
};
use onlooker::play::{Agent, AlphaBeta, Choice, Evaluation, Greedy, MatchPlan, NoOpinion, Random, Ties};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How the experiments are run.
pub struct OpponentPlan {
    /// Games to learn from; the paper has 100.
    pub games: u64,
    /// Games to predict; the paper has 10.
    pub tests: u64,
    /// Games to judge a search by.
    pub matches: u64,
    /// Games of each round in which the model learns from play against the search.
    pub rounds: u64,
    /// Fixes everything.
    pub seed: u64,
}

/// One of the three domains: a game, and a player of one of its roles.
struct Study {
    name: &'static str,
    figure: &'static str,
    game: AnyGame,
    role: Role,
    player: Arc<dyn Agent<AnyGame>>,
    says: &'static str,
    /// Looks at states for whoever searches against the player.
    evaluation: Arc<dyn Evaluation<AnyGame>>,
    /// Somebody else, for whom the model is wrong.
    stranger: Arc<dyn Agent<AnyGame>>,
    stranger_name: &'static str,
    /// States for a move in matches.
    nodes: u64,
    /// How often the player is watched against the search, and the model learns from that too, before it is judged.
    rounds: u64,
}

/// What one study learnt.
struct Learnt {
    train: Vec<Turn<AnyGame>>,
    test: Vec<Turn<AnyGame>>,
    waits: BTreeSet<onlooker::game::Term>,
}

/// Plays as another sheet with the same facts prescribes, which leaves no choice.
struct Prescribed(AnyGame);

impl Agent<AnyGame> for Prescribed {
    fn choose_among(
        &self,
        game: &AnyGame,
        state: &<AnyGame as Game>::State,
        role: Role,
        mut moves: Vec<<AnyGame as Game>::Move>,
        _: &mut Chance,
        _: &AtomicBool,
    ) -> Choice<<AnyGame as Game>::Move> {
        let only = self.0.state_with(&game.facts(state)).map(|same| self.0.only_move(&same, role));
        let found =
            only.ok().and_then(|only| moves.iter().position(|choice| game.move_term(state, role, choice) == only));
        Choice::unexamined(moves.swap_remove(found.unwrap_or(0)))
    }
}

const FREE_MUMMY: &str = include_str!("../../../games/mummy-maze-free.kif");

fn studies(seed: u64) -> Result<Vec<Study>> {
    let catalogue = |name: &str| AnyGame::catalogue(name).with_context(|| format!("the catalogue has no {name}"));
    let role = |game: &AnyGame, name: &str| {
        let at = game.roles().iter().position(|role| role == name).with_context(|| format!("there is no {name}"))?;
        anyhow::Ok(Role(at as u8))
    };
    let minimax = |depth: u16, evaluation: &Arc<dyn Evaluation<AnyGame>>, ties| AlphaBeta {
        evaluation: Arc::clone(evaluation),
        ties,
        ..AlphaBeta::new(depth)
    };
    let nothing: Arc<dyn Evaluation<AnyGame>> = Arc::new(NoOpinion);
    let maze = AnyGame::from_sheet("mummy-maze-free", FREE_MUMMY, Engine::Fast)?;
    let small = catalogue("tic-tac-toe")?;
    let race = catalogue("racetrack")?;
    let race_heuristic = heuristic(&race, seed)?;
    Ok(vec![
        Study {
            name: "Mummy Maze",
            figure: "Figure 2",
            role: role(&maze, "mummy")?,
            player: Arc::new(Prescribed(catalogue("mummy-maze")?)),
            game: maze,
            says: "100 % for N >= 17 of 25",
            evaluation: Arc::clone(&nothing),
            stranger: Arc::new(Random),
            stranger_name: "a random mummy",
            nodes: 6000,
            rounds: 0,
        },
        Study {
            name: "Tic-tac-toe",
            figure: "Figure 5",
            role: role(&small, "o")?,
            player: Arc::new(minimax(9, &nothing, Ties::First)),
            game: small,
            says: "worse than Mummy Maze; legal moves only is much the best",
            evaluation: Arc::clone(&nothing),
            stranger: Arc::new(Greedy),
            stranger_name: "greedy",
            nodes: 2000,
            rounds: 3,
        },
        Study {
            name: "Racetrack",
            figure: "Figure 6",
            role: role(&race, "white")?,
            player: Arc::new(minimax(3, &race_heuristic, Ties::Chance)),
            game: race,
            says: "similar to Mummy Maze",
            evaluation: race_heuristic,
            stranger: Arc::new(Random),
            stranger_name: "random",
            nodes: 3000,
            rounds: 3,
        },
    ])
}

/// A heuristic from playouts, for the player that the paper calls one with heuristics.
fn heuristic(game: &AnyGame, seed: u64) -> Result<Arc<dyn Evaluation<AnyGame>>> {
    let plan = PlayoutPlan {
        playouts: 2000,
        wins: u64::MAX,
        seed,
        plies: 100,
        steps: u64::MAX,
        policy: PlayoutPolicy::Greedy,
    };
    let stop = AtomicBool::new(false);
    let (evidence, _) = watch_playouts(game, &plan, &stop, &|_| {});
    let (heuristic, _) = fit_heuristic(&evidence, &FitOptions { seed, ..FitOptions::default() }, &stop);
    Ok(Arc::new(CompiledHeuristic::new(&heuristic, game)?))
}

impl Study {
    fn learn(&self, plan: &OpponentPlan) -> Result<Learnt> {
        let stop = AtomicBool::new(false);
        let watch = |games: u64, seed: u64, again: usize| {
            let plan = MatchPlan { games, seed, plies: 1000 };
            watch_matches(&self.game, self.role, &self.player, &Random, &plan, again, &stop, &|| {})
        };
        let train = watch(plan.games, plan.seed, 0)?;
        let test = watch(plan.tests, plan.seed ^ 0x7e57, 15)?;
        let waits = waiting_moves(&train);
        Ok(Learnt { train, test, waits })
    }

    fn model(&self, learnt: &Learnt, options: ModelOptions, own: bool, seed: u64) -> OpponentModel {
        let mut model = OpponentModel::new(self.game.name(), &self.game.roles()[self.role.index()], options);
        if own {
            model.train(&self.game, self.role, &learnt.train, seed);
        } else {
            model.train_on(&self.game, self.role, &learnt.train.iter().collect::<Vec<_>>(), seed);
        }
        model
    }

    fn measure(&self, model: &OpponentModel, learnt: &Learnt, own: bool, seed: u64) -> Measures {
        let turns = learnt.test.iter().filter(|turn| !own || turn.is_own(&learnt.waits));
        Measures::of(&predict_turns(model, &self.game, self.role, &turns.collect::<Vec<_>>()), seed)
    }
}

/// How many steps of work there are.
pub const STEPS: u64 = 6;

/// Pictures, each with the name of its file.
pub type Plots = Vec<(String, CurvePlot)>;

/// The tables, and the pictures.
pub fn tables(plan: &OpponentPlan, done: &dyn Fn()) -> Result<(Vec<ResultTable>, Plots)> {
    let mut tables = Vec::new();
    let mut plots = Vec::new();
    let mut searches = Vec::new();
    for study in studies(plan.seed)? {
        let learnt = study.learn(plan)?;
        let bayes = |legal: bool| ModelOptions::Bayes(BayesOptions { legal, ..BayesOptions::default() });
        let moves = ModelOptions::Moves(MoveView::default());
        let state_only = study.model(&learnt, bayes(false), true, plan.seed);
        let with_legal = study.model(&learnt, bayes(true), true, plan.seed);
        let all_turns = study.model(&learnt, bayes(false), false, plan.seed);
        let by_moves = study.model(&learnt, moves, true, plan.seed);
        let measures = [
            study.measure(&all_turns, &learnt, false, plan.seed),
            study.measure(&state_only, &learnt, true, plan.seed),
            study.measure(&with_legal, &learnt, true, plan.seed),
            study.measure(&by_moves, &learnt, true, plan.seed),
        ];
        tables.push(top_table(&study, plan, &measures));
        plots.push((file_name(study.figure, study.name), top_plot(&study, &measures)));
        let branching = Branching::of(&study.game, study.role, &learnt.test, &|turn| turn.is_own(&learnt.waits));
        let top: Vec<f64> = measures[1].top.iter().map(|top| top.value).collect();
        let best: Vec<f64> = measures[3].top.iter().map(|top| top.value).collect();
        let figure = if study.figure == "Figure 2" { "Figures 3 and 4" } else { "As Figures 3 and 4" };
        tables.push(contour_table(figure, study.name, branching, &top, &best));
        let title = format!("Nodes to reach a depth: {}", study.name);
        plots.push((file_name(figure, study.name), contour_plot(&title, branching, &top)));
        done();
        searches.extend(search_rows(&study, learnt, plan)?);
        done();
    }
    tables.push(search_table(searches, plan));
    Ok((tables, plots))
}

fn file_name(figure: &str, name: &str) -> String {
    format!("{figure} {name}.svg").to_lowercase().replace(' ', "-")
}

fn percent(share: Option<f64>) -> TableCell {
    share.map_or_else(|| TableCell::Text("-".to_owned()), |share| TableCell::Number(100.0 * share, 1))
}

fn top_table(study: &Study, plan: &OpponentPlan, measures: &[Measures; 4]) -> ResultTable {
    let [all_turns, state_only, with_legal, by_moves] = measures;
    let column = |group, name| Column { group, name };
    let columns = vec![
        Column::label("N"),
        column("Naive Bayes, all moves %", "all turns"),
        column("Naive Bayes, all moves %", "own turns"),
        column("Naive Bayes, all moves %", "own, with legal"),
        column("legal moves only, own turns %", "Naive Bayes"),
        column("legal moves only, own turns %", "from"),
        column("legal moves only, own turns %", "to"),
        column("legal moves only, own turns %", "moves"),
        column("legal moves only, own turns %", "ceiling"),
        column("legal moves only, own turns %", "frequent"),
        column("legal moves only, own turns %", "uniform"),
    ];
    let longest = state_only.top.len().max(state_only.top_of_all.as_ref().map_or(0, Vec::len));
    let shown = (1..=longest).filter(|n| *n <= 5 || n % 5 == 0 || *n == 17 || *n == longest);
    let at = |curve: &[f64], n: usize| Some(curve.get(n - 1).or(curve.last()).copied().unwrap_or(1.0));
    let of_all = |measures: &Measures, n: usize| measures.top_of_all.as_deref().and_then(|curve| at(curve, n));
    let rows = shown.map(|n| {
        let estimate = state_only.top.get(n - 1);
        let top = |measures: &Measures| at(&measures.top.iter().map(|top| top.value).collect::<Vec<_>>(), n);
        let mut row = vec![TableCell::Text(n.to_string())];
        row.extend([of_all(all_turns, n), of_all(state_only, n), of_all(with_legal, n), top(state_only)].map(percent));
        row.extend(
            [estimate.map_or(Some(1.0), |top| Some(top.low)), estimate.map_or(Some(1.0), |top| Some(top.high))]
                .map(percent),
        );
        row.extend(
            [top(by_moves), at(&state_only.ceiling, n), at(&state_only.frequent, n), at(&state_only.uniform, n)]
                .map(percent),
        );
        row
    });
    let rows = rows.collect();
    let notes = vec![
        format!("The paper: {}. Its curves are pictures.", study.says),
        format!(
            "{} games to learn from, {} to predict, {} own turns; log-loss: Naive Bayes {:.3}, moves {:.3}, uniform {:.3}",
            plan.games,
            plan.tests,
            state_only.turns,
            state_only.log_loss,
            by_moves.log_loss,
            state_only.uniform_log_loss
        ),
    ];
    ResultTable { name: format!("{}: top-N, {}", study.figure, study.name), columns, rows, notes }
}

fn top_plot(study: &Study, measures: &[Measures; 4]) -> CurvePlot {
    let points = |curve: &[f64]| (1..).zip(curve).map(|(n, &share)| (f64::from(n), 100.0 * share)).collect();
    let curve = |name: &str, shares: &[f64], dashed| Curve { name: name.to_owned(), points: points(shares), dashed };
    let top = |measures: &Measures| measures.top.iter().map(|top| top.value).collect::<Vec<f64>>();
    let all = |measures: &Measures| measures.top_of_all.clone().unwrap_or_default();
    let [_, state_only, with_legal, by_moves] = measures;
    CurvePlot {
        title: format!("{}: {}", study.figure, study.name),
        x: "N".to_owned(),
        y: "played move among the first N, %".to_owned(),
        log_y: false,
        curves: vec![
            curve("all moves", &all(state_only), false),
            curve("with legal moves", &all(with_legal), false),
            curve("legal moves only", &top(state_only), false),
            curve("model of moves", &top(by_moves), false),
            curve("ceiling", &state_only.ceiling, true),
        ],
    }
}

const DEPTHS: [u32; 6] = [2, 4, 6, 8, 10, 12];
const CONFIDENCES: [f64; 5] = [0.5, 0.8, 0.9, 0.95, 0.99];

fn contour_table(figure: &str, name: &str, branching: Branching, top: &[f64], best: &[f64]) -> ResultTable {
    let names = ["50 %", "80 %", "90 %", "95 %", "99 %"];
    let column = |group, name| Column { group, name };
    let mut columns = vec![Column::label("depth"), column("log10 of nodes", "all moves")];
    columns.extend(names.map(|name| column("Naive Bayes, so sure", name)));
    columns.extend(names.map(|name| column("moves, so sure", name)));
    let log = |nodes: f64| TableCell::Number(nodes.max(1.0).log10(), 2);
    let rows = DEPTHS.map(|depth| {
        let mut row = vec![TableCell::Text(depth.to_string()), log(nodes_to_depth(branching, top.len().max(1), depth))];
        for curve in [top, best] {
            row.extend(CONFIDENCES.map(|confidence| {
                let replies = replies_needed(curve, confidence, branching.own * f64::from(depth));
                log(nodes_to_depth(branching, replies, depth))
            }));
        }
        row
    });
    let nodes = 1e6;
    let reached = |curve: &[f64], confidence| depth_reached(branching, curve, top.len(), confidence, nodes);
    let notes = vec![
        format!(
            "Others have {:.1} joint moves a state, the modelled role has {} and moves in {:.0} % of the states",
            branching.others,
            top.len(),
            100.0 * branching.own
        ),
        format!(
            "With a million nodes: depth {} with all moves, {} with Naive Bayes and {} with the model of moves, 95 % sure",
            reached(top, None),
            reached(top, Some(0.95)),
            reached(best, Some(0.95))
        ),
        "The paper: several additional levels for a modest sacrifice in certainty".to_owned(),
    ];
    ResultTable { name: format!("{figure}: nodes to reach a depth, {name}"), columns, rows: rows.into(), notes }
}

/// How a search did against somebody.
struct SearchRow {
    game: &'static str,
    against: String,
    agent: &'static str,
    goal: f64,
    interval: f64,
    won: f64,
    nodes: f64,
    depth: f64,
}

fn search_rows(study: &Study, mut learnt: Learnt, plan: &OpponentPlan) -> Result<Vec<SearchRow>> {
    let plain: Arc<dyn Agent<AnyGame>> =
        Arc::new(AlphaBeta { evaluation: Arc::clone(&study.evaluation), nodes: study.nodes, ..AlphaBeta::new(60) });
    // A model that takes no states of its own.
    let options = ModelOptions::Moves(MoveView { effects: false, ..MoveView::default() });
    let mut model = Arc::new(study.model(&learnt, options, true, plan.seed));
    let search = |model: &Arc<OpponentModel>, risk: f64| OpponentSearch {
        model: Arc::clone(model),
        depth: 60,
        nodes: study.nodes,
        coverage: 0.95,
        risk,
        evaluation: Arc::clone(&study.evaluation),
    };
    for round in 0..study.rounds {
        // Against somebody who plays well other states come up than against chance.
        let games = MatchPlan { games: plan.rounds, seed: plan.seed ^ 0xda66e4 ^ round, plies: 1000 };
        for risk in [2.0, 100.0] {
            let (ours, stop) = (search(&model, risk), AtomicBool::new(false));
            let seen = watch_matches(&study.game, study.role, &study.player, &ours, &games, 0, &stop, &|| {})?;
            learnt.train.extend(seen);
        }
        model = Arc::new(study.model(&learnt, options, true, plan.seed));
    }
    let with = |risk: f64| -> Arc<dyn Agent<AnyGame>> { Arc::new(search(&model, risk)) };
    let (careful, bold) = (with(2.0), with(100.0));
    let opponents = [
        ("the modelled player".to_owned(), &study.player),
        (format!("{} (not modelled)", study.stranger_name), &study.stranger),
    ];
    let mut rows = Vec::new();
    for (against, opponent) in opponents {
        for (agent, ours) in [("alpha-beta", &plain), ("model, risk 2", &careful), ("model, risk 100", &bold)] {
            rows.push(judge(study, ours, opponent, plan, &against, agent));
        }
    }
    Ok(rows)
}

/// Plays games in which the opponent keeps its role.
fn judge(
    study: &Study,
    ours: &Arc<dyn Agent<AnyGame>>,
    opponent: &Arc<dyn Agent<AnyGame>>,
    plan: &OpponentPlan,
    against: &str,
    agent: &'static str,
) -> SearchRow {
    let game = &study.game;
    let me = Role(1 - study.role.0);
    let play = |number: u64| {
        let mut chance = Chance::stream(plan.seed ^ 0x5ea7c4, number);
        let mut state = game.start();
        let (mut choices, mut nodes, mut depths) = (0_u64, 0_u64, 0_u64);
        for _ in 0..1000 {
            if game.goals(&state).is_some() {
                break;
            }
            let mut joint = Vec::new();
            for role in game.to_move(&state).iter() {
                let player = if role == me { ours } else { opponent };
                let Some(choice) = player.choose(game, &state, role, &mut chance) else { continue };
                if role == me && choice.nodes > 0 {
                    (choices, nodes, depths) = (choices + 1, nodes + choice.nodes, depths + u64::from(choice.depth));
                }
                joint.push(choice.pick);
            }
            game.play(&mut state, &joint);
        }
        let goal = game.goals(&state).and_then(|goals| goals[me.index()]).unwrap_or(50);
        (f64::from(goal), choices, nodes, depths)
    };
    let games: Vec<(f64, u64, u64, u64)> = (0..plan.matches).into_par_iter().map(play).collect();
    let count = games.len().max(1) as f64;
    let mean = games.iter().map(|game| game.0).sum::<f64>() / count;
    let variance = games.iter().map(|game| (game.0 - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let choices = games.iter().map(|game| game.1).sum::<u64>().max(1) as f64;
    SearchRow {
        game: study.name,
        against: against.to_owned(),
        agent,
        goal: mean,
        interval: 1.96 * (variance / count).sqrt(),
        won: games.iter().filter(|game| game.0 > 50.0).count() as f64 / count,
        nodes: games.iter().map(|game| game.2).sum::<u64>() as f64 / choices,
        depth: games.iter().map(|game| game.3).sum::<u64>() as f64 / choices,
    }
}

fn search_table(rows: Vec<SearchRow>, plan: &OpponentPlan) -> ResultTable {
    let column = |name| Column { group: "ours", name };
    let mut columns = vec![Column::label("game"), Column::label("against"), Column::label("search")];
    columns.extend(["mean goal", "+-", "won %", "states a move", "depth"].map(column));
    let row = |row: &SearchRow| {
        let mut cells: Vec<TableCell> =
            [row.game, &row.against, row.agent].map(|text| TableCell::Text(text.to_owned())).into();
        let numbers = [(row.goal, 2), (row.interval, 2), (100.0 * row.won, 1), (row.nodes, 0), (row.depth, 1)];
        cells.extend(numbers.map(|(number, digits)| TableCell::Number(number, digits)));
        cells
    };
    let notes = vec![format!(
        "{} games each; the same number of states for all searches; coverage 0.95; +- is a 95 % interval; in tic-tac-toe and racetrack the \
         model has also learnt from {} games against the search itself",
        plan.matches,
        6 * plan.rounds
    )];
    ResultTable {
        name: "Search with the model beside alpha-beta".to_owned(),
        columns,
        rows: rows.iter().map(row).collect(),
        notes,
    }
}
