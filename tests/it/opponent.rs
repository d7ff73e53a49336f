//! Opponent models: how well they predict, and that searching with them is what it says.

use onlooker::game::{AnyGame, Chance, Game, Role};
use onlooker::opponent::{
    BayesOptions, Measures, ModelOptions, MoveView, OpponentModel, OpponentSearch, Options, Turn, predict_turns,
    watch_matches,
};
use onlooker::play::{Agent, AlphaBeta, MatchPlan, NoOpinion, Random, Ties};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn game(name: &str) -> AnyGame {
    AnyGame::catalogue(name).unwrap()
}

fn watch(game: &AnyGame, role: Role, player: &dyn Agent<AnyGame>, games: u64, seed: u64, again: usize) -> Vec<Turn<AnyGame>> {
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
fn expectation(model: &OpponentModel, game: &AnyGame, state: &<AnyGame as Game>::State, me: Role, coverage: f64) -> f64 {
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
            }
        }
    }
}
