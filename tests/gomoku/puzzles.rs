//! Puzzles: positions that are won by continuous fours, made and solved by a plain solver that knows nothing of the library.

use super::threat_player::Board;

/// Pseudo-random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// The next number below `most`.
    pub fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % most as u64) as usize
    }
}

/// A position that is won by fours.
pub struct Puzzle {
    /// The position.
    pub board: Board,
    /// Who is to move and wins: 1 or 2.
    pub player: u8,
    /// How many own moves it takes, the five included.
    pub depth: u32,
}

/// A solver of wins by fours: how many stones lie in each window of five, kept up to date.
pub struct Solver {
    stones: Vec<u8>,
    windows: Vec<[usize; 5]>,
    counts: Vec<[u8; 2]>,
    /// The windows of each square.
    of_square: Vec<Vec<usize>>,
}

impl Solver {
    /// A solver for a position.
    pub fn new(board: &Board) -> Solver {
        let squares = board.stones.len();
        let mut windows: Vec<[usize; 5]> = (0..squares).flat_map(|square| board.windows(square)).collect();
        windows.sort_unstable();
        windows.dedup();
        let mut of_square = vec![Vec::new(); squares];
        for (number, window) in windows.iter().enumerate() {
            window.iter().for_each(|&square| of_square[square].push(number));
        }
        let counts = vec![[0; 2]; windows.len()];
        let mut solver = Solver { stones: vec![0; squares], windows, counts, of_square };
        for square in (0..squares).filter(|&square| board.stones[square] > 0) {
            solver.put(square, board.stones[square]);
        }
        solver
    }

    fn put(&mut self, square: usize, player: u8) {
        self.stones[square] = player;
        for &window in &self.of_square[square] {
            self.counts[window][usize::from(player - 1)] += 1;
        }
    }

    fn take(&mut self, square: usize) {
        let player = std::mem::take(&mut self.stones[square]);
        for &window in &self.of_square[square] {
            self.counts[window][usize::from(player - 1)] -= 1;
        }
    }

    fn has_five(&self) -> bool {
        self.counts.iter().any(|count| count.contains(&5))
    }

    /// The empty squares of windows in which a player has so many stones and the other none, each square once.
    fn open(&self, player: u8, stones: u8) -> Vec<usize> {
        let own = usize::from(player - 1);
        let mut found = Vec::new();
        for (window, count) in self.windows.iter().zip(&self.counts) {
            if count[own] == stones && count[1 - own] == 0 {
                found.extend(window.iter().copied().filter(|&square| self.stones[square] == 0));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The shortest win by fours within so many own moves; `None` if there is none, or the search gives up after so many fours.
    pub fn depth(&mut self, player: u8, most: u32, nodes: u32) -> Option<u32> {
        let mut left = nodes;
        (1..=most).find(|&depth| self.wins(player, depth, &mut left))
    }

    fn wins(&mut self, player: u8, depth: u32, left: &mut u32) -> bool {
        let other = 3 - player;
        if !self.open(player, 4).is_empty() {
            return true;
        }
        let urgent = self.open(other, 4);
        if depth <= 1 || urgent.len() > 1 {
            return false;
        }
        for square in self.open(player, 3) {
            if urgent.first().is_some_and(|&urgent| urgent != square) {
                continue;
            }
            let Some(rest) = left.checked_sub(1) else { return false };
            *left = rest;
            self.put(square, player);
            let answers = self.open(player, 4);
            let won = self.open(other, 4).is_empty()
                && match answers[..] {
                    [] => false,
                    [answer] => {
                        self.put(answer, other);
                        let won = self.wins(player, depth - 1, left);
                        self.take(answer);
                        won
                    }
                    // Two squares for a five: one of them is left, whatever the reply.
                    _ => depth > 1,
                };
            self.take(square);
            if won {
                return true;
            }
        }
        false
    }
}

/// How many fours the solver tries before it gives up.
const EFFORT: u32 = 30_000;

/// Makes a puzzle of a depth: stones are strewn in a part of the board, and moved about as long as that makes the win longer.
pub fn puzzle(random: &mut Random, side: usize, depth: u32) -> Puzzle {
    loop {
        let mut board = Board::new(side);
        let width = 8 + random.below(5);
        let corner = (random.below(side - width + 1), random.below(side - width + 1));
        let place = |random: &mut Random| (corner.1 + random.below(width)) * side + corner.0 + random.below(width);
        let mut player = 1;
        for _ in 0..width * width * 2 / 5 {
            let square = place(random);
            if board.stones[square] == 0 {
                board.stones[square] = player;
                player = 3 - player;
            }
        }
        // Whose turn it is follows from the stones. A win that takes longer than is asked for by more than a move is as good as none.
        let mut solver = Solver::new(&board);
        let mut best = depth_of(&mut solver, player, depth + 1);
        for _ in 0..400 {
            if best == depth {
                return Puzzle { board, player, depth };
            }
            if best > depth {
                break;
            }
            let (from, to) = (place(random), place(random));
            if board.stones[from] == 0 || board.stones[to] != 0 {
                continue;
            }
            let stone = solver.stones[from];
            solver.take(from);
            solver.put(to, stone);
            let now = depth_of(&mut solver, player, depth + 1);
            if now >= best && now <= depth {
                best = now;
                board.stones.swap(from, to);
            } else {
                solver.take(to);
                solver.put(from, stone);
            }
        }
    }
}

/// How long the win by fours takes; 0 if there is none in so many moves, or the position is none to be asked about.
fn depth_of(solver: &mut Solver, player: u8, most: u32) -> u32 {
    let settled = solver.has_five() || [1, 2].iter().any(|&player| !solver.open(player, 4).is_empty());
    if settled { 0 } else { solver.depth(player, most, EFFORT).unwrap_or(0) }
}

/// Whether a move of the player who is to win is a four, or a five, after which it still wins by fours.
pub fn keeps_win(puzzle: &Puzzle, square: usize) -> bool {
    let (player, other) = (puzzle.player, 3 - puzzle.player);
    let mut solver = Solver::new(&puzzle.board);
    if solver.stones[square] > 0 {
        return false;
    }
    let urgent = solver.open(other, 4);
    solver.put(square, player);
    if solver.counts.iter().any(|count| count[usize::from(player - 1)] == 5) {
        return true;
    }
    if urgent.iter().any(|&urgent| urgent != square) || !solver.open(other, 4).is_empty() {
        return false;
    }
    match solver.open(player, 4)[..] {
        [] => false,
        [answer] => {
            solver.put(answer, other);
            solver.depth(player, 14, 10 * EFFORT).is_some()
        }
        _ => true,
    }
}
