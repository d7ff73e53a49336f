//! Opponent models: how well they predict, and that searching with them is what it says.

use onlooker::game::{AnyGame, Chance, Game, Role, SimulationPlan, WalkPlan, catalogue_game, simulate, write_walks};
use onlooker::gdl::Engine;
use onlooker::observe::{GameReader, Listing};
use onlooker::opponent::{
    BayesOptions, Branching, ClassId, FeatureId, Measures, ModelOptions, MoveView, NaiveBayes, OpponentModel,
    OpponentSearch, Options, Turn, depth_reached, predict_turns, turns_of_records, turns_of_walks, watch_matches,
};
use onlooker::play::{Agent, AlphaBeta, Greedy, MatchPlan, Material, NoOpinion, Random, Ties, play_match};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn game(name: &str) -> AnyGame {
    AnyGame::catalogue(name).unwrap()
}

fn watch(
    game: &AnyGame,
    role: Role,
    player: &dyn Agent<AnyGame>,
    games: u64,
    seed: u64,
    again: usize,
) -> Vec<Turn<AnyGame>> {
    let plan = MatchPlan { games, seed, plies: 1000 };
    watch_matches(game, role, player, &Random, &plan, again, &AtomicBool::new(false), &|| {}).unwrap()
}

fn trained(game: &AnyGame, role: Role, turns: &[Turn<AnyGame>], options: ModelOptions) -> OpponentModel {
    let mut model = OpponentModel::new(game.name(), &game.roles()[role.index()], options);
    model.train(game, role, turns, 1);
    model
}

fn measured(model: &OpponentModel, game: &AnyGame, role: Role, turns: &[Turn<AnyGame>]) -> Measures {
    let own: Vec<&Turn<AnyGame>> = turns.iter().filter(|turn| turn.is_own(&model.waits)).collect();
    Measures::of(&predict_turns(model, game, role, &own), 1)
}

/// What a state is worth against a model: expectations without tables, bounds or an order.
fn expectation(
    model: &OpponentModel,
    game: &AnyGame,
    state: &<AnyGame as Game>::State,
    me: Role,
    coverage: f64,
) -> f64 {
    if let Some(goals) = game.goals(state) {
        return f64::from(goals[me.index()].unwrap());
    }
    let mover = game.to_move(state).iter().next().unwrap();
    let options = Options::of(game, state, mover).unwrap();
    let after = |option: usize| {
        let mut child = state.clone();
        game.play(&mut child, &options.moves[option..=option]);
        50.0 + (expectation(model, game, &child, me, coverage) - 50.0) * 0.999
    };
    if mover == me {
        return (0..options.moves.len()).map(after).fold(f64::NEG_INFINITY, f64::max);
    }
    let prediction = model.predict(game, state, mover, &options);
    let (mut sum, mut covered) = (0.0, 0.0);
    for option in prediction.ranking {
        sum += prediction.shares[option] * after(option);
        covered += prediction.shares[option];
        if covered >= coverage - 1e-12 {
            break;
        }
    }
    sum / covered
}

#[test]
fn the_search_finds_the_expectation() {
    let game = game("tic-tac-toe");
    let (me, other) = (Role(0), Role(1));
    let player = AlphaBeta::new(2);
    for view in [MoveView { effects: false, ..MoveView::default() }, MoveView { ahead: 2, ..MoveView::default() }] {
        let model = Arc::new(trained(&game, other, &watch(&game, other, &player, 60, 1, 0), ModelOptions::Moves(view)));
        for coverage in [0.5, 0.95, 1.0] {
            let search = OpponentSearch {
                model: Arc::clone(&model),
                depth: 20,
                nodes: u64::MAX,
                coverage,
                risk: 100.0,
                evaluation: Arc::new(NoOpinion),
            };
            for seed in 0..6 {
                let mut chance = Chance::new(seed);
                let mut state = game.start();
                for _ in 0..4 {
                    game.play_at_random(&mut state, &mut chance, &mut Vec::new(), &mut Vec::new());
                }
                let expected = expectation(&model, &game, &state, me, coverage);
                let choice = search.choose(&game, &state, me, &mut chance).unwrap();
                assert!((choice.value.unwrap() - expected).abs() < 1e-6, "{:?} {expected}", choice.value);
                // Rounds of more and more states come to what one search without a limit finds.
                let careful = |nodes: u64| {
                    let agent = OpponentSearch {
                        model: Arc::clone(&model),
                        nodes,
                        risk: 5.0,
                        evaluation: Arc::new(NoOpinion),
                        ..search
                    };
                    let choice = agent.choose(&game, &state, me, &mut chance.clone()).unwrap();
                    (choice.pick, choice.value.map(|value| (value * 1e6).round()), choice.depth)
                };
                assert_eq!(careful(u64::MAX), careful(u64::MAX / 2));
            }
        }
    }
}

const FREE_MUMMY: &str = include_str!("../../games/mummy-maze-free.kif");

fn bayes() -> ModelOptions {
    ModelOptions::Bayes(BayesOptions::default())
}

fn moves() -> ModelOptions {
    ModelOptions::Moves(MoveView::default())
}

/// Games of the mummy that has no choice, as turns of the one that has.
fn mummy_turns(walks: u64, seed: u64) -> (AnyGame, Role, Vec<Turn<AnyGame>>) {
    let forced = game("mummy-maze");
    let mut text = Vec::new();
    write_walks(&forced, &WalkPlan { walks, steps: 200, beyond: 0, seed }, &mut text).unwrap();
    let free = AnyGame::from_sheet("mummy-maze-free", FREE_MUMMY, Engine::Fast).unwrap();
    let turns = turns_of_walks(&free, &text[..], Role(1)).unwrap();
    (free, Role(1), turns)
}

#[test]
fn first_best_minimax_is_predicted_as_measured_elsewhere() {
    let (game, role) = (game("tic-tac-toe"), Role(1));
    let player = AlphaBeta { ties: Ties::First, ..AlphaBeta::new(9) };
    let (train, test) = (watch(&game, role, &player, 100, 1, 0), watch(&game, role, &player, 150, 2, 0));
    let naive = measured(&trained(&game, role, &train, bayes()), &game, role, &test);
    assert!((naive.top[0].value - 0.52).abs() < 0.04, "{:?}", naive.top);
    assert!((naive.top[2].value - 0.88).abs() < 0.04, "{:?}", naive.top);
    assert!(naive.top[0].value > naive.uniform[0] && naive.log_loss < naive.uniform_log_loss);
    let strong = measured(&trained(&game, role, &train, moves()), &game, role, &test);
    assert!(strong.top[0].value >= 0.8 && strong.top[2].value >= 0.97, "{:?}", strong.top);
    assert!(strong.log_loss < naive.log_loss);
}

#[test]
fn with_ties_the_stronger_model_comes_near_the_ceiling() {
    let (game, role) = (game("tic-tac-toe"), Role(1));
    let player = AlphaBeta::new(9);
    let (train, test) = (watch(&game, role, &player, 100, 1, 0), watch(&game, role, &player, 100, 2, 11));
    let strong = measured(&trained(&game, role, &train, moves()), &game, role, &test);
    assert!(strong.ceiling[0] > 0.68 && strong.ceiling[0] < 0.8, "{:?}", strong.ceiling);
    assert!(strong.top[0].value > strong.ceiling[0] - 0.05, "{:?} {:?}", strong.top[0], strong.ceiling[0]);
}

#[test]
fn the_mummy_is_predicted() {
    let (game, role, train) = mummy_turns(100, 1);
    let test = mummy_turns(30, 2).2;
    let naive = measured(&trained(&game, role, &train, bayes()), &game, role, &test);
    assert_eq!(naive.top.len(), 25);
    assert!(naive.top[16].value == 1.0 && naive.top[3].value > 0.98, "{:?}", naive.top);
    let strong = trained(&game, role, &train, moves());
    assert_eq!(measured(&strong, &game, role, &test).top[0].value, 1.0);
    // Where the rules leave it no choice, its own turns are found all the same.
    let forced = self::game("mummy-maze");
    let turns = watch(&forced, role, &Random, 20, 3, 0);
    let model = trained(&forced, role, &turns, bayes());
    let own = measured(&model, &forced, role, &turns);
    assert!(own.turns > 50 && own.turns < turns.len() as u64 / 2 && own.top[0].value == 1.0, "{}", own.turns);
    assert!(model.waits.iter().any(|term| term.to_string() == "(move2 nowhere nowhere)"));
}

#[test]
fn with_the_model_a_search_gets_deeper_with_as_many_states() {
    let (game, role, train) = mummy_turns(100, 1);
    let view = MoveView { effects: false, ..MoveView::default() };
    let model = Arc::new(trained(&game, role, &train, ModelOptions::Moves(view)));
    let nodes = 3000;
    let plain = AlphaBeta { nodes, ..AlphaBeta::new(60) };
    let with = OpponentSearch { model, depth: 60, nodes, coverage: 0.95, risk: 100.0, evaluation: Arc::new(NoOpinion) };
    let (mut depths, mut states) = ([0, 0], 0);
    for turn in train.iter().filter(|turn| turn.options.moves.is_empty()).step_by(200).take(8) {
        let choices = [
            plain.choose(&game, &turn.state, Role(0), &mut Chance::new(1)).unwrap(),
            with.choose(&game, &turn.state, Role(0), &mut Chance::new(1)).unwrap(),
        ];
        assert!(choices.iter().all(|choice| choice.nodes <= nodes + 30));
        // What is settled sooner needs no depth.
        if choices.iter().all(|choice| choice.nodes >= nodes) {
            depths.iter_mut().zip(&choices).for_each(|(sum, choice)| *sum += u32::from(choice.depth));
            states += 1;
        }
    }
    assert!(states > 2 && depths[1] >= depths[0] + 2 * states, "{depths:?} in {states}");
    let own: Vec<&Turn<AnyGame>> = train.iter().filter(|turn| !turn.options.moves.is_empty()).collect();
    let measures = Measures::of(&predict_turns(&trained(&game, role, &train, bayes()), &game, role, &own), 1);
    let top: Vec<f64> = measures.top.iter().map(|top| top.value).collect();
    let branching = Branching::of(&game, role, &train, &|turn| !turn.options.moves.is_empty());
    assert!(depth_reached(branching, &top, 25, Some(0.95), 1e6) >= depth_reached(branching, &top, 25, None, 1e6) + 2);
}

#[test]
fn a_modelled_opponent_is_beaten_more_often_and_others_no_less() {
    let (game, other) = (game("tic-tac-toe"), Role(1));
    let turns = watch(&game, other, &Greedy, 200, 1, 0);
    let view = MoveView { effects: false, ..MoveView::default() };
    let model = Arc::new(trained(&game, other, &turns, ModelOptions::Moves(view)));
    let nodes = 2000;
    let plain: Arc<dyn Agent<AnyGame>> = Arc::new(AlphaBeta { nodes, ..AlphaBeta::new(20) });
    let with: Arc<dyn Agent<AnyGame>> =
        Arc::new(OpponentSearch { model, depth: 20, nodes, coverage: 0.95, risk: 2.0, evaluation: Arc::new(Material) });
    let score = |ours: &Arc<dyn Agent<AnyGame>>, theirs: Arc<dyn Agent<AnyGame>>, games: u64| {
        let plan = MatchPlan { games, seed: 1, plies: 100 };
        play_match(&game, &[Arc::clone(ours), theirs], &plan, &AtomicBool::new(false), &|_, _| {}).unwrap().sides[0][0]
    };
    let (alone, modelled) = (score(&plain, Arc::new(Greedy), 1000), score(&with, Arc::new(Greedy), 1000));
    assert!(modelled.won > alone.won && modelled.lost <= alone.lost + 5, "{modelled:?} {alone:?}");
    // Somebody who plays perfectly, as nothing that was seen.
    let strangers = score(&with, Arc::new(AlphaBeta::new(9)), 60);
    assert!(strangers.lost <= 1, "{strangers:?}");
}

#[test]
fn little_or_nothing_seen_gives_defined_results() {
    for name in ["tic-tac-toe", "racetrack", "mummy-maze", "breakthrough"] {
        let game = game(name);
        let turns = watch(&game, Role(0), &Random, 2, 1, 0);
        for options in [bayes(), moves(), ModelOptions::Bayes(BayesOptions { legal: true, ..BayesOptions::default() })]
        {
            for seen in [0, 1, 3] {
                let mut model = trained(&game, Role(0), &turns[..seen], options);
                for turn in &turns {
                    let prediction = model.predict(&game, &turn.state, Role(0), &turn.options);
                    let sum: f64 = prediction.shares.iter().sum();
                    assert!((sum - 1.0).abs() < 1e-9, "{name} {seen} {sum}");
                    assert!(prediction.shares.iter().all(|share| *share > 0.0), "{name} {seen}");
                    let mut ranking = prediction.ranking.clone();
                    ranking.sort();
                    assert_eq!(ranking, (0..turn.options.terms.len()).collect::<Vec<_>>());
                }
                let all: Vec<&Turn<AnyGame>> = turns.iter().collect();
                let measures = Measures::of(&predict_turns(&model, &game, Role(0), &all), 1);
                assert!(measures.log_loss.is_finite() && measures.top.iter().all(|top| top.value.is_finite()));
                model.observe(&game, &turns[0].state, Role(0), &turns[0].options, turns[0].played);
                let text = model.to_string();
                let again = OpponentModel::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!(again.to_string(), text);
            }
        }
    }
}

#[test]
fn learning_turn_by_turn_counts_the_same() {
    let (game, role) = (game("racetrack"), Role(0));
    let turns = watch(&game, role, &Greedy, 30, 1, 0);
    let whole = trained(&game, role, &turns, bayes());
    let mut by_turns = OpponentModel::new(game.name(), "white", bayes());
    by_turns.bind(&game);
    for turn in turns.iter().filter(|turn| turn.is_own(&whole.waits)) {
        by_turns.observe(&game, &turn.state, role, &turn.options, turn.played);
    }
    (by_turns.waits, by_turns.temperature) = (whole.waits.clone(), whole.temperature);
    assert_eq!(by_turns.to_string(), whole.to_string());
    // A model that was read again predicts the same.
    for model in [&whole, &trained(&game, role, &turns, moves())] {
        let mut again = OpponentModel::parse(&model.to_string()).unwrap();
        again.bind(&game);
        let turn = &turns[5];
        let [one, other] = [model, &again].map(|model| model.predict(&game, &turn.state, role, &turn.options));
        assert_eq!(one.ranking, other.ranking);
        assert!(one.shares.iter().zip(&other.shares).all(|(one, other)| (one - other).abs() < 1e-9));
    }
}

#[test]
fn recorded_games_are_training_sets() {
    let rules = catalogue_game("breakthrough").unwrap();
    let plan = SimulationPlan { games: 3, seed: 1, plies: 200, listing: Listing::Some };
    let mut log = Vec::new();
    simulate(&rules, &plan, &mut log, &AtomicBool::new(false), &mut |_| {}).unwrap();
    let game: AnyGame = rules.into();
    let mut reader = GameReader::new(&log[..]);
    let mut records = Vec::new();
    let mut turns = Vec::new();
    let mut games = 0;
    let mut last = Vec::new();
    while reader.read(&mut records).unwrap() {
        games += 1;
        last.clone_from(&records);
        turns.extend(turns_of_records(&game, &records, games, Role(1)).unwrap());
    }
    let own = turns.iter().filter(|turn| !turn.options.moves.is_empty()).count();
    assert!(games == 3 && own > 30 && own * 2 <= turns.len() + 3);
    let sheet = self::game("racetrack");
    assert!(turns_of_records(&sheet, &last, 1, Role(0)).unwrap_err().to_string().contains("expected walks"));
    for (text, says) in [
        ("", "expected a header"),
        ("{\"game\":1", "expected a line of a walk"),
        ("{\"game\":\"g\",\"roles\":[\"a\"]}\n", "expected white among them"),
        (
            "{\"roles\":[\"white\",\"black\"]}\n{\"w\":0,\"s\":0,\"state\":[\"(pawn\"],\"terminal\":false,\"move\":[\"a\",\"b\"]}",
            "expected a term",
        ),
        (
            "{\"roles\":[\"white\",\"black\"]}\n{\"w\":0,\"s\":0,\"state\":[\"(pawn x)\"],\"terminal\":false,\"move\":[\"a\",\"b\"]}",
            "expected a state of racetrack",
        ),
    ] {
        let error = turns_of_walks(&sheet, text.as_bytes(), Role(0)).unwrap_err().to_string();
        assert!(error.starts_with("line ") && error.contains(says), "{text}: {error}");
    }
}

/// Three who move at the same time, and chance.
const THREE: &str = "(role a) (role random) (role b) (role c) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (pick low) (pick high) (<= (legal ?r ?m) (role ?r) (pick ?m))
    (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= (next (got ?r)) (does ?r high) (does random high))
    (<= (next (got ?r)) (true (got ?r))) (<= terminal (true (n 3)))
    (<= (goal ?r 100) (role ?r) (true (got ?r))) (<= (goal ?r 0) (role ?r) (not (true (got ?r))))";

#[test]
fn any_number_of_roles_and_chance_are_searched() {
    for engine in [Engine::Fast, Engine::Prover] {
        let game = AnyGame::from_sheet("three", THREE, engine).unwrap();
        let role = game.roles().iter().position(|role| role == "b").map(|at| Role(at as u8)).unwrap();
        let turns = watch(&game, role, &Greedy, 10, 1, 3);
        assert_eq!(turns.len(), 30);
        for options in [bayes(), moves()] {
            let model = Arc::new(trained(&game, role, &turns, options));
            for risk in [0.0, 100.0] {
                let model = Arc::clone(&model);
                let search = OpponentSearch {
                    model,
                    depth: 3,
                    nodes: 5000,
                    coverage: 0.9,
                    risk,
                    evaluation: Arc::new(NoOpinion),
                };
                for me in
                    game.roles().iter().enumerate().filter(|(_, name)| *name != "random").map(|(at, _)| Role(at as u8))
                {
                    let choice = search.choose(&game, &game.start(), me, &mut Chance::new(1)).unwrap();
                    let picked = game.move_term(&game.start(), me, &choice.pick).to_string();
                    assert!(picked == "high" || risk < 100.0 || me == role, "{picked}");
                }
            }
        }
    }
}

#[test]
fn naive_bayes_is_that_of_scikit_learn() {
    let installed = Command::new("python3").args(["-c", "import sklearn"]).output();
    if !installed.is_ok_and(|ran| ran.status.success()) {
        println!("scikit-learn is not installed: nothing is compared");
        return;
    }
    let (game, role) = (game("tic-tac-toe"), Role(1));
    let turns = watch(&game, role, &AlphaBeta::new(3), 60, 1, 0);
    // The same numbers for facts and moves on both sides.
    let mut facts = std::collections::BTreeMap::new();
    let mut played = std::collections::BTreeMap::new();
    let mut rows: Vec<(u32, Vec<u32>)> = Vec::new();
    for turn in turns.iter().filter(|turn| turn.options.moves.len() > 1) {
        let next = played.len() as u32;
        let class = *played.entry(turn.options.terms[turn.played].to_string()).or_insert(next);
        let number = |fact: &onlooker::game::Term| {
            let next = facts.len() as u32;
            *facts.entry(fact.to_string()).or_insert(next)
        };
        rows.push((class, game.facts(&turn.state).iter().map(number).collect()));
    }
    let mut counts = NaiveBayes::new(1.0);
    let ids = |row: &[u32]| row.iter().copied().map(FeatureId).collect::<Vec<_>>();
    rows.iter().for_each(|(class, row)| counts.observe(ClassId(*class), &ids(row)));
    let table = counts.table((0..facts.len() as u32).map(FeatureId).collect());
    let script = format!(
        "import numpy as np\nfrom sklearn.naive_bayes import BernoulliNB\nrows = {rows:?}\nX = np.zeros((len(rows), {}))\n\
         for i, (c, row) in enumerate(rows):\n    X[i, row] = 1\nm = BernoulliNB(alpha=1.0).fit(X, [c for c, _ in rows])\n\
         for line in m._joint_log_likelihood(X):\n    print(*(repr(float(v)) for v in line))\n",
        facts.len()
    );
    let ran = Command::new("python3").args(["-c", &script]).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let mut scores = Vec::new();
    let text = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(text.lines().count(), rows.len());
    for (line, (_, row)) in text.lines().zip(&rows) {
        table.scores(&ids(row), &mut scores);
        for (theirs, ours) in line.split(' ').zip(&scores) {
            assert!((theirs.parse::<f64>().unwrap() - ours).abs() < 1e-9, "{theirs} {ours}");
        }
    }
}
