//! Hand-written bitboard implementations of four games: the ceiling for a generic rules engine.
//!
//! Each game knows its own rules and nothing else. A position counts its moves, a random number
//! below the count picks one of them, and only that move is made. Where the players move in
//! opposite directions, the board is turned over after every move, so that the player to move
//! always goes up and every rule is written once.

/// A game written by hand. Playouts and perft share `generate` and `play`, so a perft checks the
/// very code that a playout runs.
pub trait HandWritten: Copy {
    /// The moves of a position, in whatever form counts and picks them fastest.
    type Moves: Default;

    /// After this many plies the game is tied.
    const PLY_LIMIT: u32;

    /// The start position.
    fn new() -> Self;

    /// Replaces the contents of `moves` and returns how many there are.
    fn generate(&self, moves: &mut Self::Moves) -> u32;

    /// Plays the move of this number, passes the turn and returns whether the mover has reached
    /// the goal of the game. That the next player cannot move shows when it is asked for moves.
    fn play(&mut self, moves: &Self::Moves, index: u32) -> bool;

    /// Plays uniformly random moves from the start position to the end; returns the plies played
    /// and the outcome for the player who moved last: 1, 0 or -1 (which none of these games has).
    fn playout(&mut self, rng: &mut Rng) -> (u32, i8) {
        *self = Self::new();
        let mut moves = Self::Moves::default();
        let mut plies = 0;
        loop {
            let count = self.generate(&mut moves);
            if count == 0 {
                return (plies, 1);
            }
            if plies == Self::PLY_LIMIT {
                return (plies, 0);
            }
            plies += 1;
            if self.play(&moves, rng.below(count)) {
                return (plies, 1);
            }
        }
    }

    /// The number of move sequences of exactly this length. A game that is won has no more moves;
    /// the ply limit is far beyond any depth that can be counted.
    fn perft(&self, depth: u32) -> u64 {
        let mut moves = Self::Moves::default();
        let count = self.generate(&mut moves);
        if depth <= 1 {
            return if depth == 0 { 1 } else { u64::from(count) };
        }
        let after = |index| {
            let mut next = *self;
            let won = next.play(&moves, index);
            if won { 0 } else { next.perft(depth - 1) }
        };
        (0..count).map(after).sum()
    }
}

/// The generator xoshiro256++ of Blackman and Vigna.
pub struct Rng([u64; 4]);

impl Rng {
    /// Spreads the seed over the state with splitmix64, as the authors advise.
    pub fn new(mut seed: u64) -> Self {
        Rng([(); 4].map(|()| {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }

    /// A number below `n`. With at most a few thousand moves to choose from, the bias of the
    /// multiplication is less than one in a million.
    pub fn below(&mut self, n: u32) -> u32 {
        let s = &mut self.0;
        let random = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        (((random >> 32) * u64::from(n)) >> 32) as u32
    }
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const RANK_8: u64 = 0xff << 56;

/// Moves squares in a direction, 8 being up and 1 to the right. What leaves the board at one side
/// comes back at the other.
fn shift(squares: u64, direction: i32) -> u64 {
    if direction > 0 { squares << direction } else { squares >> -direction }
}

/// The file from which a direction leaves the board at the side.
const fn side(direction: i32) -> u64 {
    match direction {
        1 | 9 | -7 => FILE_A << 7,
        -1 | 7 | -9 => FILE_A,
        _ => 0,
    }
}

/// One step on the board. The direction is a constant, which leaves one mask and one shift.
fn step<const DIRECTION: i32>(squares: u64) -> u64 {
    shift(squares & !side(DIRECTION), DIRECTION)
}

fn lowest(bits: u64) -> u64 {
    bits & bits.wrapping_neg()
}

/// Boards on which each set bit is a move, and their numbers of moves.
type Boards<const N: usize> = ([u64; N], [u32; N]);

/// Sets the boards and counts their moves.
fn count<const N: usize>(moves: &mut Boards<N>, boards: [u64; N]) -> u32 {
    *moves = (boards, boards.map(u64::count_ones));
    moves.1.iter().sum()
}

/// The number of the board that has the move, and the move's bit.
fn pick<const N: usize>((boards, counts): &Boards<N>, mut index: u32) -> (usize, u64) {
    let mut way = 0;
    while index >= counts[way] {
        index -= counts[way];
        way += 1;
    }
    let mut bits = boards[way];
    for _ in 0..index {
        bits &= bits - 1;
    }
    (way, lowest(bits))
}

/// Breakthrough: the men of the player to move and those of the opponent.
#[derive(Clone, Copy)]
pub struct Breakthrough {
    own: u64,
    other: u64,
}

impl HandWritten for Breakthrough {
    /// The squares that men can reach to the left, ahead and to the right.
    type Moves = Boards<3>;
    const PLY_LIMIT: u32 = 160;

    fn new() -> Self {
        let (own, other) = (0xffff, 0xffff << 48);
        Breakthrough { own, other }
    }

    #[inline(always)]
    fn generate(&self, moves: &mut Self::Moves) -> u32 {
        let left = step::<7>(self.own) & !self.own;
        let ahead = step::<8>(self.own) & !(self.own | self.other);
        let right = step::<9>(self.own) & !self.own;
        count(moves, [left, ahead, right])
    }

    #[inline(always)]
    fn play(&mut self, moves: &Self::Moves, index: u32) -> bool {
        let (way, to) = pick(moves, index);
        let own = self.own ^ to ^ (to >> (7 + way));
        self.own = (self.other & !to).swap_bytes();
        self.other = own.swap_bytes();
        to & RANK_8 != 0
    }
}

/// Checkers: the pieces of the player to move, those of the opponent, and the kings of both.
#[derive(Clone, Copy)]
pub struct Checkers {
    own: u64,
    other: u64,
    kings: u64,
}

/// Steps and single jumps as boards, longer chains one by one, since every prefix of a chain is a
/// move and so is every way around.
///
/// All pieces stand on squares of one colour, which leaves room for two directions on a board: the
/// bit of a move to the left is the square of the piece, that of a move to the right the square
/// next to it. The boards are steps up, jumps up, steps down and jumps down.
#[derive(Default)]
pub struct CheckersMoves {
    boards: Boards<4>,
    chains: Vec<Path>,
}

/// Where a piece starts, where it is and what it has jumped over.
type Path = [u64; 3];

impl Checkers {
    /// The squares from which a piece could step to the left and right, and jump there.
    fn sources<const LEFT: i32, const RIGHT: i32>(&self) -> [u64; 4] {
        let empty = !(self.own | self.other);
        let left = shift(empty, -LEFT) & !side(LEFT);
        let right = shift(empty, -RIGHT) & !side(RIGHT);
        let jump_left = shift(left & self.other, -LEFT) & !side(LEFT);
        let jump_right = shift(right & self.other, -RIGHT) & !side(RIGHT);
        [left, right, jump_left, jump_right]
    }

    /// The step or single jump that a bit on one of the boards stands for.
    fn path(&self, way: usize, bit: u64) -> Path {
        let right = usize::from(self.own & bit == 0);
        let from = bit >> right;
        let direction = [[7, 9], [-9, -7]][way / 2][right];
        let next = shift(from, direction);
        let jump = [from, shift(next, direction), next];
        if way % 2 == 1 { jump } else { [from, next, 0] }
    }

    #[cold]
    fn list_chains(&self, moves: &mut CheckersMoves) {
        for way in [1, 3] {
            let mut jumps = moves.boards.0[way];
            while jumps != 0 {
                self.extend(self.path(way, lowest(jumps)), &mut moves.chains);
                jumps &= jumps - 1;
            }
        }
    }

    /// Adds all chains that begin with this path and go on.
    fn extend(&self, path: Path, chains: &mut Vec<Path>) {
        self.jump::<7>(path, chains);
        self.jump::<9>(path, chains);
        if self.kings & path[0] != 0 {
            self.jump::<-9>(path, chains);
            self.jump::<-7>(path, chains);
        }
    }

    fn jump<const DIRECTION: i32>(&self, [from, at, captured]: Path, chains: &mut Vec<Path>) {
        // The square that the piece left is empty, and what it has jumped over is gone.
        let over = step::<DIRECTION>(at) & self.other & !captured;
        let to = step::<DIRECTION>(over) & (!(self.own | self.other) | from);
        if to != 0 {
            chains.push([from, to, captured | over]);
            self.extend([from, to, captured | over], chains);
        }
    }
}

impl HandWritten for Checkers {
    type Moves = CheckersMoves;
    const PLY_LIMIT: u32 = 200;

    fn new() -> Self {
        let (own, other, kings) = (0x0055_aa55, 0x00aa_55aa << 40, 0);
        Checkers { own, other, kings }
    }

    #[inline(always)]
    fn generate(&self, moves: &mut Self::Moves) -> u32 {
        let (up, down) = (self.sources::<7, 9>(), self.sources::<-9, -7>());
        let all = up.map(|squares| squares & self.own);
        let kings = down.map(|squares| squares & self.own & self.kings);
        let pairs = |[a, b, c, d]: [u64; 4]| [a | (b << 1), c | (d << 1)];
        let ([steps, jumps], [steps_down, jumps_down]) = (pairs(all), pairs(kings));
        let singles = count(&mut moves.boards, [steps, jumps, steps_down, jumps_down]);
        moves.chains.clear();
        // Few jumps land where another one could begin, and only then are chains looked for.
        let landings = (all[2] << 14) | (all[3] << 18) | (kings[2] >> 18) | (kings[3] >> 14);
        if landings & (up[2] | up[3] | down[2] | down[3]) != 0 {
            self.list_chains(moves);
        }
        singles + moves.chains.len() as u32
    }

    #[inline(always)]
    fn play(&mut self, moves: &Self::Moves, index: u32) -> bool {
        let [from, to, captured] = if let Some(chain) = moves.chains.get(index as usize) {
            *chain
        } else {
            let (way, bit) = pick(&moves.boards, index - moves.chains.len() as u32);
            self.path(way, bit)
        };
        let own = (self.own ^ from) | to;
        let crowned = to & if self.kings & from != 0 { to } else { RANK_8 };
        self.kings = ((self.kings & !(from | captured)) | crowned).swap_bytes();
        self.own = (self.other & !captured).swap_bytes();
        self.other = own.swap_bytes();
        false
    }
}

/// Chess breakthrough: whose the pieces are, and boards of pawns, knights, kings, and of what
/// slides straight and diagonally; queens are on both.
#[derive(Clone, Copy)]
pub struct ChessBreakthrough {
    own: u64,
    other: u64,
    kinds: [u64; 5],
}

/// The directions of the first eight boards of moves.
const RAYS: [i32; 8] = [8, -8, 1, -1, 9, 7, -7, -9];

impl ChessBreakthrough {
    /// The squares that these sliders and the king reach in a direction.
    fn ray<const DIRECTION: i32>(&self, sliders: u64, king: u64) -> u64 {
        // Nothing slides on into the file where it would come back from the other side.
        let open = !(self.own | self.other | side(-DIRECTION));
        let open2 = open & shift(open, DIRECTION);
        let open4 = open2 & shift(open2, 2 * DIRECTION);
        // Up to one, three, seven squares far, then the step that may capture.
        let seen = sliders | (open & shift(sliders, DIRECTION));
        let seen = seen | (open2 & shift(seen, 2 * DIRECTION));
        let seen = seen | (open4 & shift(seen, 4 * DIRECTION));
        step::<DIRECTION>(seen | king) & !self.own
    }

    fn leap(&self, knight: u64) -> u64 {
        let (west, east) = (step::<-1>(knight), step::<1>(knight));
        let near = west | east;
        let far = step::<-1>(west) | step::<1>(east);
        ((near << 16) | (near >> 16) | (far << 8) | (far >> 8)) & !self.own
    }

    /// The two knights, or as many as are left.
    fn knights(&self) -> [u64; 2] {
        let [_, knights, ..] = self.kinds.map(|squares| squares & self.own);
        let first = lowest(knights);
        [first, knights ^ first]
    }
}

impl HandWritten for ChessBreakthrough {
    /// The squares that can be reached in each direction, then by each knight. No square can be
    /// reached in the same direction by two pieces, since the nearer one is in the way; so a
    /// board serves all pieces, and the mover is the first piece on the way back.
    type Moves = Boards<10>;
    const PLY_LIMIT: u32 = 160;

    fn new() -> Self {
        let (own, other) = (0xffff, 0xffff << 48);
        let kinds = [0xff00, 0x42, 0x10, 0x89, 0x2c].map(|squares: u64| squares | squares.swap_bytes());
        ChessBreakthrough { own, other, kinds }
    }

    #[inline(always)]
    fn generate(&self, moves: &mut Self::Moves) -> u32 {
        let [pawns, _, king, straight, diagonal] = self.kinds.map(|squares| squares & self.own);
        let [first, second] = self.knights();
        let boards = [
            self.ray::<8>(straight, king) | (step::<8>(pawns) & !(self.own | self.other)),
            self.ray::<-8>(straight, king),
            self.ray::<1>(straight, king),
            self.ray::<-1>(straight, king),
            self.ray::<9>(diagonal, king) | (step::<9>(pawns) & self.other),
            self.ray::<7>(diagonal, king) | (step::<7>(pawns) & self.other),
            self.ray::<-7>(diagonal, king),
            self.ray::<-9>(diagonal, king),
            self.leap(first),
            self.leap(second),
        ];
        count(moves, boards)
    }

    #[inline(always)]
    fn play(&mut self, moves: &Self::Moves, index: u32) -> bool {
        let (way, to) = pick(moves, index);
        let from = if way < 8 {
            let mut from = shift(to, -RAYS[way]);
            while from & (self.own | self.other) == 0 {
                from = shift(from, -RAYS[way]);
            }
            from
        } else {
            self.knights()[way - 8]
        };
        let [pawns, knights, ..] = self.kinds;
        let won = (pawns | knights) & from != 0 && to & RANK_8 != 0;
        let moved = |board: u64| {
            let arrived = if board & from != 0 { to } else { 0 };
            ((board & !(from | to)) | arrived).swap_bytes()
        };
        self.kinds = self.kinds.map(moved);
        (self.own, self.other) = (moved(self.other), moved(self.own));
        won
    }
}

/// Amazons: queens and free squares on a board eleven squares wide. The last file is never free
/// and stops what would leave the board at one side and come back at the other.
#[derive(Clone, Copy)]
pub struct Amazons {
    own: u128,
    other: u128,
    free: u128,
    lines: Lines,
}

const BOARD: u128 = ((1 << 110) - 1) / 0x7ff * 0x3ff;

/// The free squares once more, by ranks, files and both kinds of diagonals: nearly all the work is
/// to count arrows, and along a single line the squares in sight are a table's entry.
type Lines = [[u16; 19]; 4];

/// How many squares are in sight from a place on a line with these free squares.
static IN_SIGHT: [[u8; 10]; 1024] = in_sight();

const fn in_sight() -> [[u8; 10]; 1024] {
    let mut table = [[0; 10]; 1024];
    let mut i = 0;
    while i < 10 * 1024 {
        let (line, place) = (i as u32 / 10, i % 10);
        let above = (line >> place >> 1).trailing_ones();
        let below = (line << (31 - place) << 1).leading_ones();
        table[i / 10][place] = (above + below) as u8;
        i += 1;
    }
    table
}

/// The four lines through a square, and its place on each of them.
fn lines_through(square: u32) -> [(usize, usize); 4] {
    let (x, y) = (square as usize % 11, square as usize / 11);
    [(y, x), (x, y), (x + y, x), (9 + x - y, x)]
}

fn toggle(lines: &mut Lines, square: u32) {
    for (lines, (line, place)) in lines.iter_mut().zip(lines_through(square)) {
        lines[line] ^= 1 << place;
    }
}

/// How many squares an arrow can reach.
fn arrows(lines: &Lines, square: u32) -> u32 {
    let mut sum = 0;
    for (lines, (line, place)) in lines.iter().zip(lines_through(square)) {
        sum += u32::from(IN_SIGHT[usize::from(lines[line])][place]);
    }
    sum
}

/// All squares from a square to the edge, in the four directions that count up and back.
static QUEEN_RAYS: [[[u128; 2]; 4]; 110] = queen_rays();

const fn queen_rays() -> [[[u128; 2]; 4]; 110] {
    let mut rays = [[[0; 2]; 4]; 110];
    let mut i = 0;
    while i < 4 * 110 {
        let direction = [1, 10, 11, 12][i % 4];
        let [mut up, mut down] = [1 << (i / 4); 2];
        while up | down != 0 {
            (up, down) = ((up << direction) & BOARD, (down >> direction) & BOARD);
            rays[i / 4][i % 4][0] |= up;
            rays[i / 4][i % 4][1] |= down;
        }
        i += 1;
    }
    rays
}

/// The squares that a queen or an arrow can reach: on each ray those before the first obstacle.
fn reach(square: u32, free: u128) -> u128 {
    let mut reached = 0;
    for [up, down] in &QUEEN_RAYS[square as usize] {
        let first = up & !free;
        reached |= up & free & first.wrapping_sub(1);
        let last = down & !free;
        reached |= down & (u128::MAX << (128 - last.leading_zeros()));
    }
    reached
}

impl HandWritten for Amazons {
    /// The moves of queens: from, to, and how many arrows can be shot then.
    type Moves = Vec<(u8, u8, u16)>;
    /// Every move takes a square for good, so no game is longer.
    const PLY_LIMIT: u32 = 92;

    fn new() -> Self {
        let queens = |squares: [u32; 4]| squares.iter().fold(0, |set, square| set | 1 << square);
        let (own, other) = (queens([3, 6, 33, 42]), queens([66, 75, 102, 105]));
        let free = BOARD & !(own | other);
        let mut lines = [[0; 19]; 4];
        let squares = (0..110).filter(|square| free >> square & 1 == 1);
        squares.for_each(|square| toggle(&mut lines, square));
        Amazons { own, other, free, lines }
    }

    #[inline(always)]
    fn generate(&self, moves: &mut Self::Moves) -> u32 {
        moves.clear();
        let mut total = 0;
        let mut lines = self.lines;
        let mut queens = self.own;
        while queens != 0 {
            let from = queens.trailing_zeros();
            queens &= queens - 1;
            // An arrow may fly over the square that the queen leaves.
            toggle(&mut lines, from);
            let mut targets = reach(from, self.free);
            while targets != 0 {
                let to = targets.trailing_zeros();
                targets &= targets - 1;
                let arrows = arrows(&lines, to);
                moves.push((from as u8, to as u8, arrows as u16));
                total += arrows;
            }
            toggle(&mut lines, from);
        }
        total
    }

    #[inline(always)]
    fn play(&mut self, moves: &Self::Moves, mut index: u32) -> bool {
        let mut way = 0;
        while index >= u32::from(moves[way].2) {
            index -= u32::from(moves[way].2);
            way += 1;
        }
        let (from, to) = (u32::from(moves[way].0), u32::from(moves[way].1));
        let mut targets = reach(to, self.free | 1 << from);
        for _ in 0..index {
            targets &= targets - 1;
        }
        for square in [from, to, targets.trailing_zeros()] {
            self.free ^= 1 << square;
            toggle(&mut self.lines, square);
        }
        let own = self.own ^ (1 << from) ^ (1 << to);
        (self.own, self.other) = (self.other, own);
        false
    }
}
