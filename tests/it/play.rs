//! Agents and matches, every agent on every kind of game.

use crate::toy_breakthrough::Breakthrough;
use crate::toy_games::{Goofspiel, Pendulum, Puzzle, ThreeNim, TicTacToe};
use onlooker::game::{Chance, Game, JointMoves, Role};
use onlooker::play::{
    Agent, AgentSpec, AlphaBeta, Evaluation, GameEnd, GameResult, Greedy, MatchPlan, MatchResult, Material, Mcts,
    NamedAgent, NoKnowledge, NoOpinion, alphabeta, play_match, play_match_part,
};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

const AGENTS: [&str; 6] = ["random", "greedy", "alphabeta:1", "alphabeta:3", "mcts:1", "mcts:100"];

pub fn agent<G: Game>(name: &str) -> NamedAgent<G> {
    name.parse::<AgentSpec>().unwrap().build(&NoKnowledge).unwrap()
}

fn agents<G: Game>(names: &[&str]) -> Vec<NamedAgent<G>> {
    names.iter().map(|name| agent(name)).collect()
}

fn contest<G: Game>(game: &G, names: &[&str], games: u64, seed: u64) -> MatchResult {
    let plan = MatchPlan { games, seed, plies: 500 };
    play_match(game, &agents(names), &plan, &AtomicBool::new(false), &|_, _| {}).unwrap()
}

/// The same with all its games.
fn watched<G: Game>(game: &G, names: &[&str], games: u64, seed: u64) -> (MatchResult, Vec<GameResult>) {
    let (plan, seen) = (MatchPlan { games, seed, plies: 500 }, Mutex::new(Vec::new()));
    let watch = |number: u64, game: &GameResult| {
        let mut seen = seen.lock().unwrap();
        assert_eq!(number, seen.len() as u64);
        seen.push(game.clone());
    };
    let result = play_match(game, &agents(names), &plan, &AtomicBool::new(false), &watch).unwrap();
    (result, seen.into_inner().unwrap())
}

fn plays_to_the_end<G: Game>(game: &G) {
    for name in AGENTS {
        let agent = agent(name);
        let mut chance = Chance::new(3);
        let mut state = game.start();
        while game.goals(&state).is_none() {
            let mut joint = Vec::new();
            for role in (0..game.roles().len()).map(|role| Role(role as u8)) {
                let choice = agent.choose(game, &state, role, &mut chance);
                assert_eq!(choice.is_some(), game.to_move(&state).contains(role), "{name}: {}", game.name());
                if let Some(choice) = choice {
                    let mut legal = Vec::new();
                    game.legal(&state, role, &mut legal);
                    assert!(legal.contains(&choice.pick), "{name}: {}", game.name());
                    assert!(choice.value.is_none_or(|value| (0.0..=100.0).contains(&value)), "{name}: {choice:?}");
                    joint.push(choice.pick);
                }
            }
            game.play(&mut state, &joint);
        }
        assert_eq!(agent.choose(game, &state, Role(0), &mut chance), None);
    }
}

#[test]
fn every_agent_plays_every_game_to_its_end() {
    plays_to_the_end(&TicTacToe::new());
    plays_to_the_end(&Goofspiel::new(4));
    plays_to_the_end(&ThreeNim::new());
    plays_to_the_end(&Puzzle::new());
    plays_to_the_end(&Breakthrough::new(4, 5));
}

/// Plain minimax in the sense of `alphabeta`: what it must find, without anything that makes it quick.
fn minimax<G: Game>(game: &G, state: &G::State, me: Role, depth: u16, opinion: &dyn Evaluation<G>, ply: i32) -> i32 {
    if let Some(goals) = game.goals(state) {
        let value = (i32::from(goals[me.index()].unwrap_or(0)) - 50) * 2000;
        return value - value.signum() * ply;
    }
    if depth == 0 {
        return opinion.evaluate(game, state, me);
    }
    let place = game.to_move(state).iter().position(|role| role == me);
    let mut joints = JointMoves::default();
    joints.begin(game, state);
    let mut worst = |fixed: Option<(usize, usize)>| {
        joints.restart(fixed);
        let mut worst = i32::MAX;
        while let Some(joint) = joints.advance() {
            let mut child = state.clone();
            game.play(&mut child, joint);
            worst = worst.min(minimax(game, &child, me, depth - 1, opinion, ply + 1));
        }
        worst
    };
    let Some(place) = place else { return worst(None) };
    let mut moves = Vec::new();
    game.legal(state, me, &mut moves);
    (0..moves.len()).map(|pick| worst(Some((place, pick)))).max().unwrap()
}

/// The goal that a value of `minimax` stands for.
fn goal(value: i32) -> f64 {
    let points = f64::from(value) / 2000.0;
    50.0 + if value.abs() > 1000 { points.round() } else { points }
}

fn looks_ahead_as_minimax<G: Game>(game: &G, state: &G::State, depth: u16, opinion: &Arc<dyn Evaluation<G>>) {
    for role in game.to_move(state).iter() {
        let mut chance = Chance::new(0);
        let settings = AlphaBeta { evaluation: Arc::clone(opinion), ..AlphaBeta::new(depth) };
        let choice = alphabeta(game, state, role, &settings, &mut chance, &AtomicBool::new(false)).unwrap();
        let opinion = &**opinion;
        let value = minimax(game, state, role, depth, opinion, 0);
        assert_eq!(choice.value, Some(goal(value)), "{} at depth {depth}: {state:?}", game.name());
        // The move is one that leads there, as quickly.
        let place = game.to_move(state).iter().position(|other| other == role).unwrap();
        let mut joints = JointMoves::default();
        joints.begin(game, state);
        let pick = joints.moves(place).iter().position(|legal| *legal == choice.pick).unwrap();
        joints.restart(Some((place, pick)));
        let mut worst = i32::MAX;
        while let Some(joint) = joints.advance() {
            let mut child = state.clone();
            game.play(&mut child, joint);
            worst = worst.min(minimax(game, &child, role, depth - 1, opinion, 1));
        }
        assert_eq!(worst, value, "{} at depth {depth}: {state:?}: {choice:?}", game.name());
    }
}

/// Every state that can be reached and is not over.
pub fn reachable<G: Game>(game: &G) -> Vec<G::State> {
    let mut found = vec![game.start()];
    let mut seen: HashSet<G::State> = found.iter().cloned().collect();
    let mut next = 0;
    while next < found.len() {
        let mut joints = JointMoves::default();
        joints.begin(game, &found[next]);
        while let Some(joint) = joints.advance() {
            let mut child = found[next].clone();
            game.play(&mut child, joint);
            if game.goals(&child).is_none() && seen.insert(child.clone()) {
                found.push(child);
            }
        }
        next += 1;
    }
    found
}

#[test]
fn looking_ahead_to_the_end_is_minimax() {
    let game = TicTacToe::new();
    let states = reachable(&game);
    assert_eq!(states.len(), 4520);
    let no_opinion: Arc<dyn Evaluation<_>> = Arc::new(NoOpinion);
    for state in &states {
        looks_ahead_as_minimax(&game, state, 9, &no_opinion);
    }
}

#[test]
fn looking_ahead_some_moves_is_minimax() {
    fn all<G: Game>(game: &G, depths: std::ops::RangeInclusive<u16>) {
        let opinion: Arc<dyn Evaluation<G>> = Arc::new(NoOpinion);
        for depth in depths {
            reachable(game).iter().for_each(|state| looks_ahead_as_minimax(game, state, depth, &opinion));
        }
    }
    all(&Goofspiel::new(3), 1..=4);
    all(&ThreeNim::new(), 1..=11);
    all(&Puzzle::new(), 1..=8);
    all(&Pendulum::new(), 1..=6);
    all(&TicTacToe::new(), 1..=2);
    let material: Arc<dyn Evaluation<_>> = Arc::new(Material);
    let game = Breakthrough::new(4, 5);
    let mut chance = Chance::new(9);
    let (mut moves, mut joint) = (Vec::new(), Vec::new());
    for _ in 0..20 {
        let mut state = game.start();
        while game.goals(&state).is_none() {
            for depth in 1..=3 {
                looks_ahead_as_minimax(&game, &state, depth, &material);
            }
            game.play_at_random(&mut state, &mut chance, &mut moves, &mut joint);
        }
    }
}

#[test]
fn what_mcts_proves_is_so() {
    fn check<G: Game>(game: &G, playouts: u32, depth: u16) -> (usize, usize) {
        let states = reachable(game);
        let mut proved = 0;
        for state in &states {
            for role in game.to_move(state).iter() {
                let choice = Mcts::new(playouts).choose(game, state, role, &mut Chance::new(2)).unwrap();
                if choice.proved {
                    let value = goal(minimax(game, state, role, depth, &NoOpinion, 0));
                    assert_eq!(choice.value, Some(value), "{}: {state:?}", game.name());
                    proved += 1;
                }
            }
        }
        (proved, states.len())
    }
    // A forced move is not looked into, so it is never proved.
    let (proved, states) = check(&TicTacToe::new(), 2000, 9);
    assert!(proved > states * 8 / 10, "{proved} of {states}");
    let (proved, states) = check(&Puzzle::new(), 5000, 7);
    assert!(proved > states / 2, "{proved} of {states}");
    check(&ThreeNim::new(), 2000, 10);
    check(&Goofspiel::new(3), 500, 3);
}

#[test]
fn greedy_takes_a_win_only_if_it_is_one() {
    let mut chance = Chance::new(1);
    let game = TicTacToe::new();
    let mut state = game.start();
    for at in [0, 3, 1, 4] {
        game.play(&mut state, &[at]);
    }
    let choice = Greedy.choose(&game, &state, Role(0), &mut chance).unwrap();
    assert_eq!((choice.pick, choice.value, choice.proved), (2, Some(100.0), true));
    // The last bids are forced; before them no bid wins against both of the other's.
    let game = Goofspiel::new(2);
    let choice = Greedy.choose(&game, &game.start(), Role(0), &mut chance).unwrap();
    assert!(!choice.proved);
}

#[test]
fn the_puzzle_is_solved() {
    for agent in ["alphabeta:7", "mcts:3000"] {
        assert_eq!(contest(&Puzzle::new(), &[agent], 10, 1).wins, [10], "{agent}");
    }
}

#[test]
fn mcts_with_enough_playouts_never_loses_tic_tac_toe() {
    for (other, games) in [("random", 40), ("greedy", 40), ("alphabeta:9", 10)] {
        let result = contest(&TicTacToe::new(), &["mcts:1000", other], games, 11);
        assert_eq!(result.wins[1], 0, "against {other}: {:?}", result.wins);
    }
}

#[test]
fn who_looks_further_wins() {
    let game = Breakthrough::new(5, 5);
    for (better, worse, games, least) in [
        ("greedy", "random", 100, 60),
        ("mcts:1000", "greedy", 20, 19),
        ("alphabeta:4", "greedy", 20, 19),
        ("alphabeta:4", "alphabeta:1", 20, 16),
    ] {
        let result = contest(&game, &[better, worse], games, 5);
        assert!(result.wins[0] >= least, "{better} against {worse}: {:?}", result.wins);
    }
    let result = contest(&ThreeNim::new(), &["mcts:300", "random", "random"], 30, 5);
    assert!(result.wins[0] > 10, "{:?}", result.wins);
    let result = contest(&Goofspiel::new(5), &["mcts:500", "random"], 40, 5);
    assert!(result.wins[0] > result.wins[1], "{:?}", result.wins);
}

#[test]
fn matches_are_the_same_on_any_number_of_threads() {
    fn same<G: Game>(game: &G, names: &[&str]) {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| watched(game, names, 9, 77))
        };
        let one = run(1);
        assert_eq!((one.0.games, one.1.len()), (9, 9));
        assert_eq!((&one, &one), (&run(2), &run(4)), "{}", game.name());
        let different: HashSet<_> = one.1.iter().map(|game| game.agents.clone()).collect();
        assert_eq!(different.len(), names.len());
    }
    same(&TicTacToe::new(), &["mcts:50", "random"]);
    same(&Goofspiel::new(4), &["alphabeta:2", "mcts:20"]);
    same(&ThreeNim::new(), &["greedy", "mcts:20", "random"]);
    same(&Puzzle::new(), &["greedy"]);
}

#[test]
fn parts_of_a_match_add_up_to_it() {
    let game = Breakthrough::new(5, 5);
    let names = ["alphabeta:1", "mcts:20"];
    let whole = contest(&game, &names, 11, 3);
    let plan = MatchPlan { games: 11, seed: 3, plies: 500 };
    for cuts in [[0, 11, 11], [4, 5, 11], [1, 10, 11]] {
        let part = |numbers| {
            play_match_part(&game, &agents(&names), &plan, numbers, &AtomicBool::new(false), &|_, _| {}).unwrap()
        };
        let mut sum = part(0..cuts[0]);
        cuts.windows(2).for_each(|cut| sum.merge(&part(cut[0]..cut[1])));
        assert_eq!(sum, whole);
    }
}

#[test]
fn a_match_that_is_stopped_has_a_beginning() {
    let game = Breakthrough::new(5, 5);
    let (whole, games) = watched(&game, &["random", "greedy"], 60, 3);
    let stop = AtomicBool::new(false);
    let seen = Mutex::new(Vec::new());
    // So many that the word to stop comes in time, however late threads are.
    let plan = MatchPlan { games: 1_000_000, seed: 3, plies: 500 };
    let result = play_match(&game, &agents(&["random", "greedy"]), &plan, &stop, &|number, game| {
        seen.lock().unwrap().push(game.clone());
        stop.store(number >= 9, Ordering::Relaxed);
    })
    .unwrap();
    let seen = seen.into_inner().unwrap();
    assert!(result.stopped && (10..1_000_000).contains(&result.games) && seen.len() as u64 == result.games);
    let both = seen.len().min(games.len());
    assert_eq!(seen[..both], games[..both]);
    assert_eq!(result.wins.iter().sum::<u64>() + result.draws, result.games);
    assert!(!whole.stopped);
}

#[test]
fn games_without_an_end_are_broken_off() {
    let plan = MatchPlan { games: 2, seed: 3, plies: 25 };
    for agent in AGENTS {
        let watch = |_, game: &GameResult| {
            assert!(game.plies == 25 && game.end == GameEnd::Limit && game.winner.is_none());
        };
        let result = play_match(&Pendulum::new(), &agents(&[agent]), &plan, &AtomicBool::new(false), &watch).unwrap();
        assert_eq!((result.games, result.wins, result.draws), (2, vec![0], 0));
    }
}

#[test]
fn a_match_needs_an_agent_for_each_role() {
    let plan = MatchPlan { games: 1, seed: 0, plies: 10 };
    let error =
        play_match(&ThreeNim::new(), &agents(&["random"]), &plan, &AtomicBool::new(false), &|_, _| {}).unwrap_err();
    assert_eq!((error.roles, error.agents), (3, 1));
}

#[test]
fn thinking_can_be_stopped() {
    let game = Breakthrough::new(6, 6);
    let stop = AtomicBool::new(true);
    for agent in ["alphabeta:200", "mcts:1000000000"] {
        let agent = self::agent(agent);
        let choice = agent.choose_until(&game, &game.start(), Role(0), &mut Chance::new(1), &stop).unwrap();
        assert!(choice.nodes < 100_000 && !choice.proved, "{choice:?}");
    }
}
