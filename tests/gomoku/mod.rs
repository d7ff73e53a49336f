//! Go-moku on 15 x 15: a library learnt from fifteen examples, against a one-move player and on puzzles.

pub mod examples;
pub mod puzzles;
pub mod threat_player;

use examples::EXAMPLES;
use onlooker::game::Chance;
use onlooker::tactics::{
    FeatureValue, ForcedWins, Foresight, GroundState, LearnOptions, LessonError, Library, Name, Recogniser,
    UpdateSystem, decide_first, in_line_system, learn_from_game,
};
use puzzles::{Puzzle, Random, puzzle};
use std::sync::atomic::AtomicBool;
use threat_player::Board;

/// Width and height.
pub const SIDE: usize = 15;

/// The state-update system of go-moku.
pub fn system() -> UpdateSystem {
    UpdateSystem::parse(&in_line_system("go-moku", ["x", "o"], SIDE, SIDE, 5, false)).expect("our own system")
}

/// The name of a square, as numbered by [`Board`].
pub fn square(system: &UpdateSystem, at: usize) -> Name {
    let text = format!("{}{}", char::from(b'a' + (at % SIDE) as u8), at / SIDE + 1);
    system.names.find(&text).expect("a square of the board")
}

/// Learns from the examples, in order.
pub fn learn(system: &UpdateSystem, done: &mut dyn FnMut(&str, &Library)) -> Result<Library, (String, LessonError)> {
    let mut library = Library::default();
    // Enough for the places of a five: everything else is checked in each position.
    let options = LearnOptions { instances: 6_000, ..LearnOptions::default() };
    for (name, moves) in EXAMPLES {
        let moves: Vec<(Name, Name)> = moves
            .split(' ')
            .enumerate()
            .map(|(at, square)| (system.players[at % 2], system.names.find(square).expect("a square")))
            .collect();
        let start = system.start_state();
        learn_from_game(system, &mut library, &start, &moves, name, &options)
            .map_err(|error| (name.to_owned(), error))?;
        done(name, &library);
    }
    Ok(library)
}

/// A board as a state.
pub fn state(recogniser: &Recogniser, board: &Board) -> GroundState {
    let ground = &recogniser.ground;
    let mut state = ground.state(&ground.system.start_state());
    for (at, &stone) in board.stones.iter().enumerate().filter(|(_, stone)| **stone > 0) {
        let player = ground.system.players[usize::from(stone - 1)];
        let id = ground.move_id(square(&ground.system, at), player).expect("a square");
        ground.play(&mut state, id).expect("an empty square");
    }
    state
}

/// How far the player looks: some 20 ms a move.
pub const FORESIGHT: Foresight = Foresight { threats: 8, attacks: 3, nodes: 3_000 };

/// How a game against the one-move player ended for the library: won, lost or neither; `took` gets the seconds of every move.
pub fn play(
    recogniser: &Recogniser,
    value: &FeatureValue,
    foresight: Foresight,
    seed: u64,
    took: &mut dyn FnMut(f64),
) -> Option<bool> {
    let ground = &recogniser.ground;
    let own = (seed % 2) as usize;
    let mut chance = Chance::new(seed);
    let mut random = Random(seed);
    let mut board = Board::new(SIDE);
    let mut state = ground.state(&ground.system.start_state());
    let stop = AtomicBool::new(false);
    for ply in 0..SIDE * SIDE {
        let player = ply % 2;
        let at = if ply < 2 {
            // Somewhere in the middle, so that games differ.
            let free: Vec<usize> = (0..SIDE * SIDE)
                .filter(|&at| (5..10).contains(&(at % SIDE)) && (5..10).contains(&(at / SIDE)) && board.stones[at] == 0)
                .collect();
            free[random.below(free.len())]
        } else if player == own {
            let legal = ground.legal(&mut state, player);
            let begun = std::time::Instant::now();
            let liked = value.ranked(ground, &mut state, &legal, &mut chance, &stop);
            let decision = decide_first(recogniser, &mut state, &liked, foresight, &stop);
            let id = *decision.moves.first()?;
            took(begun.elapsed().as_secs_f64());
            id.0 as usize / 2
        } else {
            let best = board.best(player as u8 + 1);
            best[random.below(best.len())]
        };
        board.stones[at] = player as u8 + 1;
        let id = ground.move_id(square(&ground.system, at), ground.system.players[player])?;
        ground.play(&mut state, id)?;
        if board.is_five(at) {
            assert_eq!(ground.winner(&state), Some(player));
            return Some(player == own);
        }
    }
    None
}

/// Whether a puzzle is solved within so many nodes: the move that was found keeps a win by fours.
pub fn solves(recogniser: &Recogniser, puzzle: &Puzzle, nodes: u32) -> bool {
    let stop = AtomicBool::new(false);
    let mut search = ForcedWins::new(recogniser, Foresight { threats: 12, attacks: 0, nodes }, &stop);
    let mut state = state(recogniser, &puzzle.board);
    search.find(&mut state, usize::from(puzzle.player - 1)).is_some()
}

/// Puzzles of a seed: of depth 3 to 9 in turn.
pub fn puzzles(seed: u64, count: usize) -> Vec<Puzzle> {
    let mut random = Random(seed);
    (0..count).map(|number| puzzle(&mut random, SIDE, 3 + number as u32 % 7)).collect()
}
