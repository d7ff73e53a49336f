//! The opponent to beat: looks one move ahead and adds up, over all windows of five, how many stones either side has in those that are not dead.
//!
//! Written from that sentence alone, over plain arrays: nothing of the library is in it.

/// A board of stones: 0 empty, 1 and 2 the players.
#[derive(Clone)]
pub struct Board {
    /// Width and height.
    pub side: usize,
    /// Row by row.
    pub stones: Vec<u8>,
}

/// Steps to the right, up, and both diagonals.
const WAYS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl Board {
    /// An empty board.
    pub fn new(side: usize) -> Board {
        Board { side, stones: vec![0; side * side] }
    }

    /// The windows of five that go through a square.
    pub fn windows(&self, square: usize) -> Vec<[usize; 5]> {
        let side = self.side as isize;
        let (x, y) = ((square % self.side) as isize, (square / self.side) as isize);
        let mut windows = Vec::new();
        for (dx, dy) in WAYS {
            for back in 0..5 {
                let at = |step: isize| (x + (step - back) * dx, y + (step - back) * dy);
                if (0..5).all(|step| (0..side).contains(&at(step).0) && (0..side).contains(&at(step).1)) {
                    windows.push(std::array::from_fn(|step| {
                        let (x, y) = at(step as isize);
                        (y * side + x) as usize
                    }));
                }
            }
        }
        windows
    }

    /// The stones of each player in a window.
    pub fn count(&self, window: &[usize; 5]) -> [usize; 2] {
        [1, 2].map(|player| window.iter().filter(|&&square| self.stones[square] == player).count())
    }

    /// Whether a stone that lies there is part of five.
    pub fn is_five(&self, square: usize) -> bool {
        let player = self.stones[square];
        player > 0 && self.windows(square).iter().any(|window| window.iter().all(|&at| self.stones[at] == player))
    }

    /// What a move is worth: own stones and the opponent's in the windows through it, more the more there are.
    pub fn worth(&self, square: usize, player: u8) -> u64 {
        const WORTH: [u64; 5] = [1, 10, 100, 1_000, 100_000];
        let own = usize::from(player - 1);
        let mut sum = 0;
        for window in self.windows(square) {
            let count = self.count(&window);
            if count[1 - own] == 0 {
                sum += 2 * WORTH[count[own].min(4)];
            }
            if count[own] == 0 {
                sum += WORTH[count[1 - own].min(4)];
            }
        }
        sum
    }

    /// The moves that are worth most.
    pub fn best(&self, player: u8) -> Vec<usize> {
        let free = (0..self.stones.len()).filter(|&square| self.stones[square] == 0);
        let worth: Vec<(usize, u64)> = free.map(|square| (square, self.worth(square, player))).collect();
        let most = worth.iter().map(|&(_, worth)| worth).max().unwrap_or(0);
        worth.into_iter().filter(|&(_, worth)| worth == most).map(|(square, _)| square).collect()
    }
}
