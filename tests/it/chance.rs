//! Games with a role that is chance, and trees that are grown from move to move.

use super::play::reachable;
use crate::toy_games::TicTacToe;
use onlooker::game::{Chance, Game, GdlGame, Role, played_roles};
use onlooker::gdl::{Engine, GroundingLimits, Program};
use onlooker::play::{
    Agent, AlphaBeta, GameResult, MatchPlan, Mcts, NamedAgent, NoKnowledge, PlayerSpec, Session, Tree, alphabeta,
    play_match,
};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

fn sheet(name: &str) -> GdlGame {
    let path = format!("{}/tests/testdata/ggp/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    let program = Program::read(&std::fs::read_to_string(path).unwrap()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program.warnings(), [], "{name}");
    GdlGame::new(name, program, Engine::Fast, &GroundingLimits::default()).unwrap()
}

const LEFT: Role = Role(0);
const RANDOM: Role = Role(1);
const RIGHT: Role = Role(2);

/// What a role can expect if the others play against it and chance draws: in points, 0 being even, as whole numbers.
fn expectation(game: &GdlGame, state: &<GdlGame as Game>::State, me: Role, depth: u16) -> i64 {
    if let Some(goals) = game.goals(state) {
        return (i64::from(goals[me.index()].unwrap_or(0)) - 50) * 2000;
    }
    if depth == 0 {
        return 0;
    }
    let mover = game.to_move(state).iter().next().unwrap();
    let mut moves = Vec::new();
    game.legal(state, mover, &mut moves);
    let values = moves.iter().map(|choice| {
        let mut child = state.clone();
        game.play(&mut child, std::slice::from_ref(choice));
        expectation(game, &child, me, depth - 1)
    });
    if mover == RANDOM {
        values.sum::<i64>() / moves.len() as i64
    } else if mover == me {
        values.max().unwrap()
    } else {
        values.min().unwrap()
    }
}

#[test]
fn random_is_nobodys_role() {
    let game = sheet("dice-race");
    assert_eq!(game.chance_roles().iter().collect::<Vec<_>>(), [RANDOM]);
    assert_eq!(played_roles(&game), [LEFT, RIGHT]);
    for (text, chance) in [
        ("(role random) (legal random x) (goal random 1) (init s) (<= terminal (true s))", 0),
        (
            "(role RANDOM) (role a) (legal RANDOM x) (legal a x) (goal a 1) (goal RANDOM 1) (init s) (<= terminal (true s))",
            1,
        ),
        (
            "(role randoms) (role a) (legal randoms x) (legal a x) (goal a 1) (goal randoms 1) (init s) (<= terminal (true s))",
            0,
        ),
    ] {
        let game = GdlGame::new("", Program::read(text).unwrap(), Engine::Prover, &GroundingLimits::default()).unwrap();
        assert_eq!(game.chance_roles().len(), chance, "{text}");
    }
}

#[test]
fn chance_draws_whoever_is_asked() {
    let game = sheet("dice-race");
    let mut state = game.start();
    let mut moves = Vec::new();
    game.legal(&state, LEFT, &mut moves);
    let throw = moves.iter().find(|choice| game.move_term(&state, LEFT, choice).to_string() == "throw").unwrap();
    game.play(&mut state, std::slice::from_ref(throw));
    for agent in ["random", "greedy", "alphabeta:3", "mcts:50"] {
        let agent = crate::play::agent(agent);
        let mut chance = Chance::new(1);
        let mut seen = [0; 3];
        game.legal(&state, RANDOM, &mut moves);
        for _ in 0..3000 {
            let choice = agent.choose(&game, &state, RANDOM, &mut chance).unwrap();
            seen[moves.iter().position(|legal| *legal == choice.pick).unwrap()] += 1;
        }
        assert!(seen.iter().all(|count| (900..1100).contains(count)), "{agent}: {seen:?}");
    }
}

#[test]
fn a_match_needs_no_agent_for_chance() {
    let game = sheet("dice-race");
    let plan = MatchPlan { games: 60, seed: 3, plies: 500 };
    let run = |names: &[&str]| {
        let agents: Vec<NamedAgent<GdlGame>> = names.iter().map(|name| crate::play::agent(name)).collect();
        let seats = Mutex::new(Vec::new());
        let watch = |_, game: &GameResult| seats.lock().unwrap().push(game.agents.clone());
        play_match(&game, &agents, &plan, &AtomicBool::new(false), &watch)
            .map(|result| (result, seats.into_inner().unwrap()))
    };
    let (result, seats) = run(&["mcts:200", "random"]).unwrap();
    assert_eq!(seats[0], [Some(0), None, Some(1)]);
    assert_eq!(seats[1], [Some(1), None, Some(0)]);
    // What chance has got is no win.
    assert_eq!((result.wins.iter().sum::<u64>(), result.draws), (60, 0));
    assert!(result.wins[0] > result.wins[1] + 10, "{:?}", result.wins);
    assert_eq!(run(&["random", "random", "random"]).unwrap_err().roles, 2);
}

#[test]
fn looking_ahead_takes_the_mean_over_chance() {
    let game = sheet("dice-race");
    let states = reachable(&game);
    assert!(states.len() > 50);
    for state in &states {
        for role in game.to_move(state).iter().filter(|&role| role != RANDOM) {
            for depth in 1..=6 {
                let stop = AtomicBool::new(false);
                let choice = alphabeta(&game, state, role, &AlphaBeta::new(depth), &mut Chance::new(1), &stop).unwrap();
                let value = 50.0 + expectation(&game, state, role, depth) as f64 / 2000.0;
                assert_eq!(choice.value, Some(value), "depth {depth}: {:?}", game.facts(state));
                // Nothing but a sure win or loss is certain in a race that chance can draw out.
                assert!(!choice.proved || value == 0.0 || value == 100.0, "{:?}", game.facts(state));
            }
        }
    }
}

#[test]
fn trees_draw_for_chance_and_prove_only_what_all_draws_lead_to() {
    let game = sheet("dice-race");
    let mut proved = 0;
    for state in &reachable(&game) {
        for role in game.to_move(state).iter().filter(|&role| role != RANDOM) {
            let choice = Mcts::new(3000).choose(&game, state, role, &mut Chance::new(5)).unwrap();
            let value = 50.0 + expectation(&game, state, role, 12) as f64 / 2000.0;
            if choice.proved {
                assert_eq!(choice.value, Some(value), "{:?}", game.facts(state));
                proved += 1;
            } else {
                let found = choice.value.unwrap();
                assert!((found - value).abs() < 12.0, "{found} for {value}: {:?}", game.facts(state));
            }
        }
    }
    assert!(proved > 5, "{proved}");
}

#[test]
fn sessions_let_chance_move_by_itself() {
    let game = sheet("dice-race");
    let players = ["person", "random"].map(|name| name.parse::<PlayerSpec>().unwrap().build(&NoKnowledge).unwrap());
    let players = players.to_vec();
    let mut session = Session::new(&game, players.clone(), 1).unwrap();
    session.choose("throw").unwrap();
    while session.advance() {}
    assert_eq!(session.waiting_for(), Some(LEFT));
    assert!(session.history().len() >= 3);
    let again = Session::from_json(&game, &session.to_json(), &NoKnowledge).unwrap();
    assert!(again.state() == session.state());
    let error = Session::new(&game, vec![players[0].clone(); 3], 1).err().unwrap();
    assert_eq!(error.to_string(), "the game is for 2 (left, right), 3 players were given");
}

/// Plays whole games with one tree, and checks what it proves on the way.
#[test]
fn a_tree_is_grown_from_move_to_move() {
    let game = TicTacToe::new();
    let stop = AtomicBool::new(false);
    let run = |seed: u64| {
        let mut chance = Chance::new(seed);
        let mut tree = Tree::new(&game, game.start(), Role(0));
        let mut picks = Vec::new();
        let mut kept = 0;
        while game.goals(tree.state()).is_none() {
            let mover = game.to_move(tree.state()).iter().next().unwrap();
            tree.grow(150, &mut chance, &stop);
            let pick = if mover == Role(0) {
                let choice = tree.choice(&mut chance).unwrap();
                let stop = AtomicBool::new(false);
                let truth =
                    alphabeta(&game, tree.state(), mover, &AlphaBeta::new(9), &mut Chance::new(1), &stop).unwrap();
                if choice.proved {
                    assert_eq!(choice.value, truth.value, "{:?}", tree.state());
                }
                choice.pick
            } else {
                assert_eq!(tree.choice(&mut chance), None);
                let mut moves = Vec::new();
                game.legal(tree.state(), mover, &mut moves);
                moves[chance.below(moves.len())]
            };
            picks.push(pick);
            tree.play(&[pick]);
            kept += u64::from(tree.choice(&mut Chance::new(0)).is_some_and(|choice| choice.nodes > 1));
        }
        assert!(tree.is_settled());
        (picks, game.goals(tree.state()).unwrap()[0], kept)
    };
    let mut all_kept = 0;
    for seed in 0..60 {
        let (picks, goal, kept) = run(seed);
        assert_ne!(goal, Some(0), "lost: {picks:?}");
        assert_eq!(run(seed).0, picks, "the same seed");
        all_kept += kept;
    }
    assert!(all_kept > 60, "trees are kept: {all_kept}");
}

#[test]
fn what_trees_have_seen_of_goals_and_turns_is_told() {
    let stop = AtomicBool::new(false);
    for (name, constant_sum, by_turns) in [("dice-race", true, true), ("bids", true, false)] {
        let game = sheet(name);
        let mut tree = Tree::new(&game, game.start(), Role(0));
        tree.grow(500, &mut Chance::new(1), &stop);
        assert_eq!((tree.is_constant_sum(), tree.is_by_turns()), (constant_sum, by_turns), "{name}");
    }
}
