//! Perft and playouts.

use crate::toy_breakthrough::Breakthrough;
use crate::toy_games::{Goofspiel, Pendulum, Puzzle, ThreeNim, TicTacToe};
use onlooker::game::{Chance, Division, Game, Playout, PlayoutEnd, Playouts, divide, perft, perft_parallel};

fn agrees<G: Game>(game: &G, expected: &[u64]) {
    for depth in 0..=expected.len() {
        assert_eq!(perft(game, depth).unwrap(), expected[..depth], "{} at depth {depth}", game.name());
        assert_eq!(perft_parallel(game, depth).unwrap(), expected[..depth], "{} at depth {depth}", game.name());
        let sum: u64 = divide(game, depth).map(|part| part.unwrap().leaves).sum();
        assert_eq!(sum, depth.checked_sub(1).map_or(0, |at| expected[at]), "{} at depth {depth}", game.name());
    }
}

#[test]
fn the_ways_a_game_can_go_are_counted() {
    agrees(&TicTacToe::new(), &[9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0, 0]);
    // Both bid at the same time: 3 * 3 joint moves, then 2 * 2, then 1.
    agrees(&Goofspiel::new(3), &[9, 36, 36, 0]);
    agrees(&ThreeNim::new(), &[3, 9, 27, 76, 147, 168, 113, 45, 10, 1, 0]);
    agrees(&Puzzle::new(), &[3, 9, 27]);
    agrees(&Pendulum::new(), &[2, 4, 8, 16, 32]);
}

#[test]
fn parts_of_a_count_are_named() {
    let parts: Vec<Division> = divide(&Goofspiel::new(3), 2).map(Result::unwrap).collect();
    assert_eq!(parts.len(), 9);
    assert_eq!(parts[1].names, ["bid 1", "bid 2"]);
    assert_eq!(parts[1].leaves, 4);
    assert_eq!(divide(&TicTacToe::new(), 1).nth(8).unwrap().unwrap().names, ["c3"]);
}

#[test]
fn playouts_say_why_they_stopped() {
    let mut chance = Chance::new(5);
    let game = Pendulum::new();
    let endless = Playouts::new(&game).run(&game.start(), 100, &mut chance);
    assert_eq!(endless, Playout { plies: 100, end: PlayoutEnd::Limit });
    let game = TicTacToe::new();
    let mut playouts = Playouts::new(&game);
    for _ in 0..100 {
        let playout = playouts.run(&game.start(), 9, &mut chance);
        assert_eq!(playout.goals(), game.goals(playouts.state()).as_ref());
        assert!((5..=9).contains(&playout.plies));
    }
    assert_eq!(playouts.run(&game.start(), 3, &mut chance).end, PlayoutEnd::Limit);
    let over = playouts.state().clone();
    assert_eq!(playouts.run(&over, 0, &mut chance).plies, 0);
}

#[test]
fn the_same_seed_plays_the_same_games() {
    let game = Breakthrough::new(5, 6);
    let run = || {
        let mut chance = Chance::new(1);
        let mut playouts = Playouts::new(&game);
        (0..20).map(|_| playouts.run(&game.start(), 1000, &mut chance)).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}
