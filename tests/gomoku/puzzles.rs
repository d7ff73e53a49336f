//! Puzzles: positions that are won by continuous fours, made at random and solved by a plain search that knows nothing of the library.

use super::threat_player::Board;

/// A position in which a player to move wins by fours.
pub struct Puzzle {
    /// The position.
    pub board: Board,
    /// Who is to move: 1 or 2.
    pub player: u8,
    /// How many own moves the shortest win by fours takes, the five included.
    pub depth: u32,
}

/// A small generator of random numbers (SplitMix64), so that puzzles do not depend on the library.
pub struct Random(pub u64);

impl Random {
    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) % bound as u64) as usize
    }
}

/// The squares on which a player completes five.
fn fives(board: &mut Board, player: u8) -> Vec<usize> {
    let free: Vec<usize> = (0..board.stones.len()).filter(|&square| board.stones[square] == 0).collect();
    free.into_iter()
        .filter(|&square| {
            board.stones[square] = player;
            let five = board.is_five(square);
            board.stones[square] = 0;
            five
        })
        .collect()
}

/// The shortest win by fours within so many own moves; `None` if there is none, or the search gives up.
pub fn solve(board: &mut Board, player: u8, most: u32, nodes: &mut u32) -> Option<u32> {
    (1..=most).find(|&depth| wins(board, player, depth, nodes))
}

fn wins(board: &mut Board, player: u8, depth: u32, nodes: &mut u32) -> bool {
    let other = 3 - player;
    if !fives(board, player).is_empty() {
        return true;
    }
    if depth <= 1 {
        return false;
    }
    let urgent = fives(board, other);
    if urgent.len() > 1 {
        return false;
    }
    // A four: a window with three own stones and nothing else.
    let moves: Vec<usize> = (0..board.stones.len())
        .filter(|&square| {
            let own = usize::from(player - 1);
            let makes_four = |window: &[usize; 5]| {
                let count = board.count(window);
                count[own] == 3 && count[1 - own] == 0
            };
            board.stones[square] == 0
                && urgent.first().is_none_or(|&urgent| urgent == square)
                && board.windows(square).iter().any(makes_four)
        })
        .collect();
    for square in moves {
        if *nodes == 0 {
            return false;
        }
        *nodes -= 1;
        board.stones[square] = player;
        let answers = fives(board, player);
        let won = match answers[..] {
            [] => false,
            [answer] => {
                fives(board, other).is_empty() && {
                    board.stones[answer] = other;
                    let won = wins(board, player, depth - 1, nodes);
                    board.stones[answer] = 0;
                    won
                }
            }
            _ => fives(board, other).is_empty(),
        };
        board.stones[square] = 0;
        if won {
            return true;
        }
    }
    false
}

/// Makes a puzzle of a depth in the range: stones are strewn in a part of the board until one arises.
pub fn puzzle(random: &mut Random, side: usize, depths: std::ops::RangeInclusive<u32>) -> Puzzle {
    loop {
        let mut board = Board::new(side);
        let width = 7 + random.below(5);
        let corner = (random.below(side - width + 1), random.below(side - width + 1));
        let stones = width * width / 4 + random.below(width * width / 5);
        let mut player = 1;
        for _ in 0..stones {
            let square = (corner.1 + random.below(width)) * side + corner.0 + random.below(width);
            if board.stones[square] != 0 {
                continue;
            }
            board.stones[square] = player;
            if board.is_five(square) {
                board.stones[square] = 0;
                continue;
            }
            player = 3 - player;
        }
        // Whose turn it is follows from the stones; nobody may have a five to make.
        if !fives(&mut board, 3 - player).is_empty() || !fives(&mut board, player).is_empty() {
            continue;
        }
        if wins(&mut board, player, depths.start() - 1, &mut 2_000) {
            continue;
        }
        if let Some(depth) = solve(&mut board, player, *depths.end(), &mut 20_000)
            && depths.contains(&depth)
        {
            return Puzzle { board, player, depth };
        }
    }
}
