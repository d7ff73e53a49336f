//! The games of the catalogue against a second implementation, published counts, and themselves.

use crate::naive::{Naive, NaiveGame};
use onlooker::board::{Player, Position};
use onlooker::game::{
    CATALOGUE, Chance, CheckReport, Game, Role, RulesGame, SimulationPlan, catalogue_game, check_game, perft_parallel,
    simulate,
};
use onlooker::observe::{GameReader, Listing};
use onlooker::rules::{State, Verdict};
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;

/// How many positions of each game are compared, fewer where a position has very many moves.
const POSITIONS: usize = 100_000;
const MOVES: usize = 8_000_000;
/// Games that are played at the same time.
const BATCH: u64 = 64;

/// The same position in both worlds.
fn same(game: &RulesGame, state: &State, naive: &Naive) -> bool {
    let rows = naive.grid.iter().rev().map(|row| row.iter().collect::<String>());
    let drawn: Vec<String> = rows.collect();
    let position = Position::from_rows(drawn.iter().map(String::as_str)).unwrap();
    position == game.board(state) && naive.first_to_move == (game.turn(state) == Player::First)
}

/// Plays one game at random and compares everything in every position; returns how many positions and moves there were.
fn compare_game(naive_game: NaiveGame, game: &RulesGame, number: u64) -> (usize, usize) {
    let mut chance = Chance::stream(2026, number);
    let mut state = game.start();
    let mut naive = naive_game.start();
    let mut moves = Vec::new();
    let mut compared = 0;
    for positions in 1.. {
        let context = || format!("{} game {number}, position {positions}\n{}", game.name(), game.board(&state));
        assert!(same(game, &state, &naive), "{}{naive:?}", context());
        let verdict = game.verdict(&state).map(|verdict| match verdict {
            Verdict::Win => 1,
            Verdict::Tie => 0,
            Verdict::Lose => -1,
        });
        assert_eq!(verdict, naive_game.outcome(&naive), "{}", context());
        game.legal(&state, game.to_move(&state).iter().next().unwrap(), &mut moves);
        let line = |choice| {
            let (start, word) = game.word(&state, choice);
            format!("{} {word}", start.0)
        };
        let mut lines: Vec<String> = moves.iter().map(line).collect();
        assert_eq!(game.count(&state), lines.len() as u64, "{}", context());
        let picked = (!moves.is_empty()).then(|| chance.below(moves.len()));
        let played = picked.map(|picked| lines[picked].clone());
        let mut expected = naive_game.moves(&naive);
        lines.sort_unstable();
        expected.sort_unstable();
        assert_eq!(lines, expected, "{}", context());
        compared += lines.len();
        let (Some(picked), Some(played)) = (picked, played) else { return (positions, compared) };
        naive = naive_game.after(&naive, &played);
        game.play(&mut state, &[moves[picked].clone()]);
    }
    unreachable!("every game of the catalogue ends")
}

fn compare(naive_game: NaiveGame) {
    let game = catalogue_game(naive_game.name()).unwrap();
    let (mut positions, mut moves) = (0, 0);
    for batch in 0.. {
        let games = (batch * BATCH..(batch + 1) * BATCH).into_par_iter();
        let counts = games.map(|number| compare_game(naive_game, &game, number));
        let batch = counts.reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
        (positions, moves) = (positions + batch.0, moves + batch.1);
        if positions >= POSITIONS || moves >= MOVES {
            return;
        }
    }
}

/// A test for each game, so that a failure names it and they run side by side.
macro_rules! compared {
    ($($name:ident: $game:ident,)*) => {$(
        #[test]
        fn $name() {
            compare(NaiveGame::$game);
        }
    )*};
}

compared! {
    breakthrough_is_as_the_naive_one: Breakthrough,
    checkers_breakthrough_is_as_the_naive_one: CheckersBreakthrough,
    chess_breakthrough_is_as_the_naive_one: ChessBreakthrough,
    amazons_is_as_the_naive_one: Amazons,
    checkers_is_as_the_naive_one: Checkers,
    peg_solitaire_is_as_the_naive_one: PegSolitaire,
    tic_tac_toe_is_as_the_naive_one: TicTacToe,
    connect_four_is_as_the_naive_one: ConnectFour,
    go_moku_is_as_the_naive_one: GoMoku,
}

#[test]
fn every_game_of_the_catalogue_is_compared() {
    assert_eq!(NaiveGame::ALL.map(NaiveGame::name), CATALOGUE.map(|(name, _)| name));
}

/// Drawing a move by its number is drawing from the list.
#[test]
fn a_random_move_is_the_one_with_that_number() {
    for (name, _) in CATALOGUE {
        let game = catalogue_game(name).unwrap();
        let (mut chance, mut same_chance) = (Chance::new(5), Chance::new(5));
        let (mut state, mut moves, mut joint) = (game.start(), Vec::new(), Vec::new());
        loop {
            let mut listed = state.clone();
            game.legal(&state, game.to_move(&state).iter().next().unwrap(), &mut moves);
            if !moves.is_empty() {
                let choice = moves.swap_remove(same_chance.below(moves.len()));
                game.play(&mut listed, &[choice]);
            }
            let went_on = game.play_at_random(&mut state, &mut chance, &mut moves, &mut joint);
            assert_eq!(state, listed, "{name}");
            if !went_on {
                break;
            }
        }
    }
}

#[test]
fn perft_agrees_with_published_counts() {
    for (name, counts) in [
        // Breakthrough and Amazons: widely used in testing move generators; Amazons also in the Chess Programming Wiki.
        ("breakthrough", &[22, 484, 11_132, 256_036][..]),
        ("amazons", &[2_176, 4_307_152]),
        // Tic-tac-toe: OEIS A061219 and the well-known 255,168 games.
        ("tic-tac-toe", &[9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]),
        ("connect-four", &[7, 49, 343, 2_401, 16_807, 117_649, 823_536]),
        // Checkers: the first two plies of English draughts, in which nobody can capture yet.
        ("checkers", &[7, 49]),
    ] {
        assert_eq!(perft_parallel(&catalogue_game(name).unwrap(), counts.len()).unwrap(), counts, "{name}");
    }
}

#[test]
fn what_is_simulated_is_checked_exactly() {
    for (name, _) in CATALOGUE {
        let game = catalogue_game(name).unwrap();
        for listing in [Listing::All, Listing::Some] {
            let plan = SimulationPlan { games: 5, listing, seed: 7, plies: 1000 };
            let mut log = Vec::new();
            let report = simulate(&game, &plan, &mut log, &AtomicBool::new(false), &mut |_| {}).unwrap();
            let mut check = CheckReport::default();
            for (number, records) in (1..).zip(GameReader::new(log.as_slice())) {
                check.merge(check_game(&game, &records.unwrap(), number, 3), 3);
            }
            assert!(check.holds(), "{name}: {:?}", check.mismatches);
            let seen = (check.games, check.positions, check.words_exact, check.correct);
            assert_eq!(seen, (report.games, report.positions, report.positions, report.moves), "{name}");
        }
    }
}

/// Rules that are wrong in one place are found out, and the report says how.
#[test]
fn wrong_rules_do_not_hold() {
    let right = catalogue_game("breakthrough").unwrap();
    let plan = SimulationPlan { games: 20, listing: Listing::All, seed: 3, plies: 1000 };
    let mut log = Vec::new();
    simulate(&right, &plan, &mut log, &AtomicBool::new(false), &mut |_| {}).unwrap();
    let games: Vec<_> = GameReader::new(log.as_slice()).map(Result::unwrap).collect();
    for (from, to, what) in [
        ("forward(empty) | ", "", "legal but not generated"),
        ("forward(empty) |", "forward(empty | enemy) |", "generated but not legal"),
        ("rank 8", "rank 7", "the rules say won"),
        ("  ........\n", "  .......P\n", "does not begin as in the rules"),
        ("160 plies", "5 plies", "the rules say tied"),
    ] {
        let text = right.rules().to_string().replacen(from, to, 1);
        let wrong = RulesGame::new(onlooker::rules::Rules::parse(&text).unwrap()).unwrap();
        let mut check = CheckReport::default();
        games.iter().for_each(|records| check.merge(check_game(&wrong, records, 1, 1), 1));
        assert!(!check.holds());
        assert!(check.mismatches[0].to_string().contains(what), "{to}: {}", check.mismatches[0]);
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let game = catalogue_game("checkers").unwrap();
    let plan = SimulationPlan { games: 70, listing: Listing::All, seed: 11, plies: 50 };
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut log = Vec::new();
        pool.install(|| simulate(&game, &plan, &mut log, &AtomicBool::new(false), &mut |_| {})).unwrap();
        log
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn facts_tell_the_whole_state() {
    for (name, _) in CATALOGUE {
        let game = catalogue_game(name).unwrap();
        let (mut chance, mut state) = (Chance::new(9), game.start());
        let (mut moves, mut joint) = (Vec::new(), Vec::new());
        for _ in 0..30 {
            let facts = game.facts(&state);
            assert_eq!(game.state_with(&facts), Ok(state.clone()), "{name}");
            for missing in [0, facts.len() - 1] {
                let mut fewer = facts.clone();
                fewer.remove(missing);
                assert!(game.state_with(&fewer).is_err(), "{name}");
            }
            if !game.play_at_random(&mut state, &mut chance, &mut moves, &mut joint) {
                break;
            }
        }
        assert!(game.state_with(&["(cell 99 1 blank)".parse().unwrap()]).is_err());
    }
}

#[test]
fn names_of_moves_are_short_and_different() {
    for (name, example) in [
        ("breakthrough", "a2-a3"),
        ("amazons", "d1-d9-e10"),
        ("tic-tac-toe", "b2"),
        ("connect-four", "d1"),
        ("peg-solitaire", "d2-d4"),
        ("checkers", "a3-b4"),
    ] {
        let game = catalogue_game(name).unwrap();
        let (mut state, mut moves) = (game.start(), Vec::new());
        let mut chance = Chance::new(4);
        for turn in 0..40 {
            let role = game.to_move(&state).iter().next().unwrap_or(Role(0));
            game.legal(&state, role, &mut moves);
            let names = game.move_names(&state, role, &moves);
            assert!(turn > 0 || names.iter().any(|name| name == example), "{name}: {names:?}");
            let mut distinct = names.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), names.len(), "{name}: {names:?}");
            if moves.is_empty() {
                break;
            }
            let choice = moves.swap_remove(chance.below(moves.len()));
            game.play(&mut state, &[choice]);
        }
    }
}
