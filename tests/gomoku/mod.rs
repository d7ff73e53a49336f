//! Go-moku on 15 x 15: a library learnt from fifteen examples, against a one-move player and on puzzles.

pub mod examples;
pub mod puzzles;
pub mod threat_player;

use examples::EXAMPLES;
use onlooker::game::Chance;
use onlooker::tactics::{
    FeatureValue, ForcedWins, Foresight, GroundState, LearnOptions, LessonError, Library, Name, Recogniser,
    UpdateSystem, Why, decide_first, in_line_system, learn_from_game,
};
use puzzles::{Puzzle, Random, keeps_win, puzzle};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
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

/// How far the player looks where moves are counted instead of milliseconds: the same seed, the same game.
pub const FORESIGHT: Foresight = Foresight { threats: 8, attacks: 3, nodes: 3_000 };

/// A game against the one-move player.
pub struct Played {
    /// Won by the library, lost, or neither.
    pub won: Option<bool>,
    /// The moves, the first by x.
    pub squares: Vec<usize>,
    /// Why the library made each of its moves: by a win, forced, lost or free.
    pub why: String,
    /// The seconds of every move of the library.
    pub seconds: Vec<f64>,
}

/// The nanoseconds that a thread has run, where the system tells: on a machine that does other things too a clock on the wall would
/// measure those.
fn processor_time(thread: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(thread.join("schedstat")).ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// What is chosen, with a flag that is set when its time is over, and the seconds that it took.
fn timed<T>(time: Option<Duration>, choose: impl FnOnce(&AtomicBool) -> T) -> (T, f64) {
    let thread = std::fs::read_link("/proc/thread-self").map(|link| Path::new("/proc").join(link)).unwrap_or_default();
    let (begun, before) = (Instant::now(), processor_time(&thread));
    let took = || match (processor_time(&thread), before) {
        (Some(now), Some(before)) => Duration::from_nanos(now - before),
        _ => begun.elapsed(),
    };
    let stop = AtomicBool::new(false);
    let (done, ended) = channel::<()>();
    std::thread::scope(|scope| {
        if let Some(time) = time {
            let (stop, took) = (&stop, &took);
            scope.spawn(move || {
                while let Some(left) = time.checked_sub(took()).filter(|left| !left.is_zero()) {
                    if ended.recv_timeout(left) != Err(RecvTimeoutError::Timeout) {
                        return;
                    }
                }
                stop.store(true, Ordering::Relaxed);
            });
        }
        let chosen = choose(&stop);
        drop(done);
        (chosen, took().as_secs_f64())
    })
}

/// Plays a game of a seed, the sides in turn; the first two moves lie somewhere in the middle, so that games differ.
pub fn play(
    recogniser: &Recogniser,
    value: &FeatureValue,
    (foresight, time): (Foresight, Option<Duration>),
    seed: u64,
) -> Played {
    let ground = &recogniser.ground;
    let own = (seed % 2) as usize;
    let mut chance = Chance::new(seed);
    let mut random = Random(seed);
    let mut board = Board::new(SIDE);
    let mut state = ground.state(&ground.system.start_state());
    let mut played = Played { won: None, squares: Vec::new(), why: String::new(), seconds: Vec::new() };
    for ply in 0..SIDE * SIDE {
        let player = ply % 2;
        let at = if ply < 2 {
            let free: Vec<usize> = (0..SIDE * SIDE)
                .filter(|&at| (5..10).contains(&(at % SIDE)) && (5..10).contains(&(at / SIDE)) && board.stones[at] == 0)
                .collect();
            free[random.below(free.len())]
        } else if player == own {
            let (decision, seconds) = timed(time, |stop| {
                let legal = ground.legal(&mut state, player);
                let liked = value.ranked(ground, &mut state, &legal, &mut chance, stop);
                decide_first(recogniser, &mut state, &liked, foresight, stop)
            });
            played.seconds.push(seconds);
            played.why.push(match decision.why {
                Why::Wins(_) => 'w',
                Why::Forced(_) => 'f',
                Why::Lost(_) => 'l',
                Why::Free => '-',
            });
            decision.moves[0].0 as usize / 2
        } else {
            let best = board.best(player as u8 + 1);
            best[random.below(best.len())]
        };
        board.stones[at] = player as u8 + 1;
        played.squares.push(at);
        let id = ground.move_id(square(&ground.system, at), ground.system.players[player]).expect("a square");
        ground.play(&mut state, id).expect("an empty square");
        if board.is_five(at) {
            assert_eq!(ground.winner(&state), Some(player));
            played.won = Some(player == own);
            break;
        }
    }
    played
}

/// What came of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// A move was found that keeps the win by fours: the plain solver says so.
    Solved,
    /// A move was found of which it does not say so.
    Doubtful,
    /// No move was found.
    Open,
}

/// What comes of a puzzle within so many nodes, and how many were used.
pub fn solve(recogniser: &Recogniser, puzzle: &Puzzle, nodes: u32) -> (Tried, u32) {
    let stop = AtomicBool::new(false);
    let mut search = ForcedWins::new(recogniser, Foresight { threats: 12, attacks: 0, nodes }, &stop);
    let mut state = state(recogniser, &puzzle.board);
    let found = search.find(&mut state, usize::from(puzzle.player - 1));
    let used = nodes - search.left;
    let Some(found) = found else { return (Tried::Open, used) };
    let at = (0..SIDE * SIDE).find(|&at| square(&recogniser.ground.system, at) == found.square).expect("a square");
    (if keeps_win(puzzle, at) { Tried::Solved } else { Tried::Doubtful }, used)
}

/// Puzzles of a seed: of depth 3 to 9 in turn.
pub fn puzzles(seed: u64, count: usize) -> Vec<Puzzle> {
    let mut random = Random(seed);
    (0..count).map(|number| puzzle(&mut random, SIDE, 3 + number as u32 % 7)).collect()
}
