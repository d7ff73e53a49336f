//! The nine board games of the catalogue a second time, as plainly as they can be written.
//!
//! This is the oracle the engine is compared with, so it shares no code and no idea with it: a board is a grid of
//! characters, every game is a handful of hand-written functions, and a move is the text the log has for it.
//! Where a choice was between short and obvious, it is obvious.

/// A file and a rank, or the difference between two squares.
type Pair = (i32, i32);

const EMPTY: char = '.';
const OUTSIDE: char = '#';

const ORTHOGONAL: [Pair; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: [Pair; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const AROUND: [Pair; 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
const KNIGHT: [Pair; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A position as the log writes it: ranks from the bottom, one character a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    /// `grid[rank][file]`, a1 first.
    pub grid: Vec<Vec<char>>,
    /// Whether the first player (uppercase) is to move.
    pub first_to_move: bool,
    /// How many plies were played before this position.
    pub plies: usize,
}

/// One of the nine games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveGame {
    Breakthrough,
    CheckersBreakthrough,
    ChessBreakthrough,
    Amazons,
    Checkers,
    PegSolitaire,
    TicTacToe,
    ConnectFour,
    GoMoku,
}

use NaiveGame::*;

impl NaiveGame {
    /// All nine, in the catalogue's order.
    pub const ALL: [NaiveGame; 9] = [
        Breakthrough,
        CheckersBreakthrough,
        ChessBreakthrough,
        Amazons,
        Checkers,
        PegSolitaire,
        TicTacToe,
        ConnectFour,
        GoMoku,
    ];

    /// The name of the game in the catalogue.
    pub fn name(self) -> &'static str {
        match self {
            Breakthrough => "breakthrough",
            CheckersBreakthrough => "checkers-breakthrough",
            ChessBreakthrough => "chess-breakthrough",
            Amazons => "amazons",
            Checkers => "checkers",
            PegSolitaire => "peg-solitaire",
            TicTacToe => "tic-tac-toe",
            ConnectFour => "connect-four",
            GoMoku => "go-moku",
        }
    }

    /// The position a game begins with.
    pub fn start(self) -> Naive {
        let picture = match self {
            Breakthrough => "pppppppp pppppppp ........ ........ ........ ........ PPPPPPPP PPPPPPPP",
            CheckersBreakthrough | Checkers => {
                ".c.c.c.c c.c.c.c. .c.c.c.c ........ ........ C.C.C.C. .C.C.C.C C.C.C.C."
            }
            ChessBreakthrough => "rnbqkbnr pppppppp ........ ........ ........ ........ PPPPPPPP RNBQKBNR",
            Amazons => {
                "...q..q... .......... .......... q........q .......... \
                 .......... Q........Q .......... .......... ...Q..Q..."
            }
            PegSolitaire => "##PPP## ##PPP## PPPPPPP PPP.PPP PPPPPPP ##PPP## ##PPP##",
            TicTacToe => "... ... ...",
            ConnectFour => "....... ....... ....... ....... ....... .......",
            GoMoku => &["..................."; 19].join(" "),
        };
        // A picture has the top row first, a grid the bottom one.
        let rows = picture.split(' ').rev();
        Naive { grid: rows.map(|row| row.chars().collect()).collect(), first_to_move: true, plies: 0 }
    }

    /// Every legal move as a line of the log, e.g. `12 (1 1 dc)(1 1 e)`. Empty if the position is terminal.
    pub fn moves(self, position: &Naive) -> Vec<String> {
        let mut board = Board::of(position);
        for square in all_squares(&position.grid) {
            self.find_moves(&mut board, square);
        }
        let is_over = self.ending(position, board.found.is_empty()).is_some();
        if is_over { Vec::new() } else { board.found }
    }

    /// None if the game goes on, otherwise the outcome for the player who has just moved.
    pub fn outcome(self, position: &Naive) -> Option<i8> {
        let mut board = Board::of(position);
        let can_move = all_squares(&position.grid).into_iter().any(|square| {
            self.find_moves(&mut board, square);
            !board.found.is_empty()
        });
        self.ending(position, !can_move)
    }

    /// The position after a move line as `moves` writes it.
    pub fn after(self, position: &Naive, line: &str) -> Naive {
        let mut board = Board::of(position);
        let (start, word) = line.split_once(' ').expect("a square, a space, a word");
        let mut cursor = board.square(start.parse().expect("the number of a square"));
        // The piece in hand; a drop begins with none.
        let mut held = board.at(cursor);
        board.put(cursor, EMPTY);
        for micro in word.split_terminator(')') {
            let (step, content) = read_micro(micro);
            cursor = add(cursor, step);
            let mut letters = content.chars();
            match (letters.next(), letters.next()) {
                // Nothing stands under a piece in hand, so removing "here" removes the piece itself.
                (Some('d'), _) if step == (0, 0) => held = EMPTY,
                (Some('d'), _) => board.put(cursor, EMPTY),
                (Some('a'), Some(piece)) => {
                    // At the end of a word the new piece is put down on top of this one and so replaces it.
                    board.put(cursor, held);
                    held = piece;
                }
                // e, w and p are conditions: they leave the board alone.
                _ => {}
            }
        }
        if held != EMPTY {
            board.put(cursor, held);
        }
        // A lone player is always the first.
        let first_to_move = self == PegSolitaire || !position.first_to_move;
        Naive { grid: board.grid, first_to_move, plies: position.plies + 1 }
    }

    /// The endings in their order; `stuck` says that the player to move has no move.
    fn ending(self, position: &Naive, stuck: bool) -> Option<i8> {
        let plies = position.plies;
        match self {
            Breakthrough if reached_far_rank(position, "P") => Some(1),
            CheckersBreakthrough if reached_far_rank(position, "C") => Some(1),
            ChessBreakthrough if reached_far_rank(position, "PN") => Some(1),
            Breakthrough | CheckersBreakthrough | ChessBreakthrough if stuck => Some(1),
            Breakthrough | CheckersBreakthrough | ChessBreakthrough if plies >= 160 => Some(0),

            Amazons | Checkers if stuck => Some(1),
            Checkers if plies >= 200 => Some(0),

            PegSolitaire if position.grid.iter().flatten().filter(|&&c| c == 'P').count() == 1 => Some(1),
            PegSolitaire if stuck => Some(-1),

            TicTacToe if has_line(position, 3) => Some(1),
            ConnectFour if has_line(position, 4) => Some(1),
            GoMoku if has_line(position, 5) => Some(1),
            TicTacToe | ConnectFour | GoMoku if stuck => Some(0),

            _ => None,
        }
    }

    /// The moves that begin on a square by the rules of movement alone, as if no ending had come.
    fn find_moves(self, board: &mut Board, square: Pair) {
        let line = format!("{} ", board.number(square));
        match self {
            TicTacToe | GoMoku => board.drop_mark(square, &line),
            // Below the lowest row there is OUTSIDE, which holds a disc as well as another disc does.
            ConnectFour if board.at(add(square, (0, -1))) != EMPTY => board.drop_mark(square, &line),
            ConnectFour => {}
            _ => board.move_piece(self, square, &line),
        }
    }
}

/// A grid to try moves on, the player who tries them, and the lines found so far.
///
/// The functions that find moves take the square reached and the line written up to there.
struct Board {
    grid: Vec<Vec<char>>,
    first: bool,
    found: Vec<String>,
}

impl Board {
    fn of(position: &Naive) -> Board {
        Board { grid: position.grid.clone(), first: position.first_to_move, found: Vec::new() }
    }

    /// What a square holds; all that is not on the board is OUTSIDE, so that nobody has to look where it ends.
    fn at(&self, (file, rank): Pair) -> char {
        if file < 0 || rank < 0 {
            return OUTSIDE;
        }
        let piece = self.grid.get(rank as usize).and_then(|row| row.get(file as usize));
        piece.copied().unwrap_or(OUTSIDE)
    }

    fn put(&mut self, (file, rank): Pair, piece: char) {
        self.grid[rank as usize][file as usize] = piece;
    }

    fn is_empty(&self, square: Pair) -> bool {
        self.at(square) == EMPTY
    }

    fn is_opponent(&self, square: Pair) -> bool {
        belongs_to(self.at(square), !self.first)
    }

    fn width(&self) -> i32 {
        self.grid[0].len() as i32
    }

    fn number(&self, (file, rank): Pair) -> i32 {
        rank * self.width() + file
    }

    fn square(&self, number: i32) -> Pair {
        (number % self.width(), number / self.width())
    }

    fn forward(&self) -> i32 {
        if self.first { 1 } else { -1 }
    }

    /// The moves of the piece on a square, if it belongs to the player to move.
    fn move_piece(&mut self, game: NaiveGame, from: Pair, line: &str) {
        let piece = self.at(from);
        if !belongs_to(piece, self.first) {
            return;
        }
        let ahead = self.forward();
        // The piece is in the hand now: a king may come back to its square, an arrow may fly over it.
        self.put(from, EMPTY);
        match (game, piece.to_ascii_uppercase()) {
            (Breakthrough, 'P') => {
                self.steps_ahead(from, line, &[(0, "e"), (-1, "e"), (1, "e"), (-1, "p"), (1, "p")]);
            }
            (CheckersBreakthrough, 'C') => {
                self.steps_ahead(from, line, &[(-1, "e"), (1, "e")]);
                self.leap(from, line);
            }
            (ChessBreakthrough, 'P') => self.steps_ahead(from, line, &[(0, "e"), (-1, "p"), (1, "p")]),
            (ChessBreakthrough, 'N') => self.step_or_take(from, line, &KNIGHT),
            (ChessBreakthrough, 'K') => self.step_or_take(from, line, &AROUND),
            (ChessBreakthrough, 'R') => self.ride(from, line, &ORTHOGONAL),
            (ChessBreakthrough, 'B') => self.ride(from, line, &DIAGONAL),
            (ChessBreakthrough, 'Q') => self.ride(from, line, &AROUND),
            (Amazons, 'Q') => self.queen_and_arrow(from, line),
            (Checkers, 'C') => self.checkers_moves(from, line, &[(-1, ahead), (1, ahead)], true),
            (Checkers, 'K') => self.checkers_moves(from, line, &DIAGONAL, false),
            (PegSolitaire, 'P') => self.peg_jumps(from, line),
            // Arrows stay where they are.
            _ => {}
        }
        self.put(from, piece);
    }

    /// The move that is over after one more micro-move, if the square is as its content, "e" or "p", says.
    fn step(&mut self, from: Pair, line: &str, step: Pair, content: &str) {
        let to = add(from, step);
        let allowed = if content == "e" { self.is_empty(to) } else { self.is_opponent(to) };
        if allowed {
            self.found.push(format!("{line}{}", micro(step, content)));
        }
    }

    /// Single steps forward, each with its side (-1 left, 0 straight, 1 right on the printed board) and content.
    fn steps_ahead(&mut self, from: Pair, line: &str, sides_and_contents: &[(i32, &str)]) {
        for &(side, content) in sides_and_contents {
            self.step(from, line, (side, self.forward()), content);
        }
    }

    fn step_or_take(&mut self, from: Pair, line: &str, steps: &[Pair]) {
        for &step in steps {
            self.step(from, line, step, "e");
            self.step(from, line, step, "p");
        }
    }

    /// The empty squares in a direction, up to the first that is not.
    fn ray(&self, from: Pair, step: Pair) -> Vec<Pair> {
        let mut squares = Vec::new();
        let mut square = add(from, step);
        while self.is_empty(square) {
            squares.push(square);
            square = add(square, step);
        }
        squares
    }

    /// Rook, bishop and queen: `(d e)*`, then `(d e)` or `(d p)`.
    fn ride(&mut self, from: Pair, line: &str, directions: &[Pair]) {
        for &step in directions {
            let mut line = line.to_string();
            self.step_or_take(from, &line, &[step]);
            for square in self.ray(from, step) {
                line.push_str(&micro(step, "e"));
                self.step_or_take(square, &line, &[step]);
            }
        }
    }

    /// The arrow flies away from the queen in a straight line, so the queen need not be put down to be in its way.
    fn queen_and_arrow(&mut self, from: Pair, line: &str) {
        let arrow = self.letter_of_mover('A');
        // Written once and not at every square, for there are a thousand moves.
        let directions = AROUND.map(|step| (step, micro(step, "e")));
        for (queen_step, through) in &directions {
            let mut line = line.to_string();
            for queen in self.ray(from, *queen_step) {
                line.push_str(through);
                for (arrow_step, through) in &directions {
                    let mut line = format!("{line}(0 0 a{arrow})");
                    for _ in self.ray(queen, *arrow_step) {
                        line.push_str(through);
                        self.found.push(line.clone());
                    }
                }
            }
        }
    }

    /// The jumps of checkers-breakthrough over pieces that stay; a chain may stop after every jump.
    fn leap(&mut self, from: Pair, line: &str) {
        for step in [(-1, self.forward()), (1, self.forward())] {
            let over = add(from, step);
            let to = add(over, step);
            if self.is_opponent(over) && self.is_empty(to) {
                let line = format!("{line}{}{}", micro(step, "p"), micro(step, "e"));
                self.found.push(line.clone());
                self.leap(to, &line);
            }
        }
    }

    fn checkers_moves(&mut self, from: Pair, line: &str, steps: &[Pair], is_man: bool) {
        for &step in steps {
            let to = add(from, step);
            if self.is_empty(to) {
                self.checkers_landing(to, format!("{line}{}", micro(step, "e")), is_man);
            }
        }
        self.checkers_jumps(from, line, steps, is_man);
    }

    /// A man that promotes jumps no further, for all its jumps go forward and would leave the board.
    fn checkers_jumps(&mut self, from: Pair, line: &str, steps: &[Pair], is_man: bool) {
        for &step in steps {
            let over = add(from, step);
            let to = add(over, step);
            if self.is_opponent(over) && self.is_empty(to) {
                let victim = self.at(over);
                let taking = micro(step, &format!("d{victim}"));
                let line = format!("{line}{taking}{}", micro(step, "e"));
                self.checkers_landing(to, line.clone(), is_man);
                // The victim is gone at once, so that the rest of the chain can neither jump it again nor bump into it.
                self.put(over, EMPTY);
                self.checkers_jumps(to, &line, steps, is_man);
                self.put(over, victim);
            }
        }
    }

    /// The move that stops here; a man on the far rank has no choice but to be crowned.
    fn checkers_landing(&mut self, to: Pair, mut line: String, is_man: bool) {
        let far_rank = if self.first { self.grid.len() as i32 - 1 } else { 0 };
        if is_man && to.1 == far_rank {
            line.push_str(&format!("(0 0 a{})", self.letter_of_mover('K')));
        }
        self.found.push(line);
    }

    fn peg_jumps(&mut self, from: Pair, line: &str) {
        for step in ORTHOGONAL {
            let over = add(from, step);
            if self.at(over) == 'P' && self.is_empty(add(over, step)) {
                self.found.push(format!("{line}{}{}", micro(step, "dP"), micro(step, "e")));
            }
        }
    }

    fn drop_mark(&mut self, square: Pair, line: &str) {
        if self.is_empty(square) {
            self.found.push(format!("{line}(0 0 a{})", mark_of(self.first)));
        }
    }

    fn letter_of_mover(&self, uppercase: char) -> char {
        if self.first { uppercase } else { uppercase.to_ascii_lowercase() }
    }
}

/// Whether the player who has just moved has one of these pieces on the rank farthest from home.
fn reached_far_rank(position: &Naive, pieces: &str) -> bool {
    let first_has_moved = !position.first_to_move;
    let far_rank = if first_has_moved { position.grid.last() } else { position.grid.first() };
    let mut squares = far_rank.into_iter().flatten();
    squares.any(|&piece| belongs_to(piece, first_has_moved) && pieces.contains(piece.to_ascii_uppercase()))
}

/// Whether the player who has just moved has `length` marks in line; a longer line contains one of that length.
fn has_line(position: &Naive, length: i32) -> bool {
    let board = Board::of(position);
    let mark = mark_of(!position.first_to_move);
    // The other four directions are the same lines read from their other end.
    let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
    all_squares(&position.grid).into_iter().any(|(file, rank)| {
        directions.iter().any(|(dx, dy)| {
            let mut line = (0..length).map(|i| (file + i * dx, rank + i * dy));
            line.all(|square| board.at(square) == mark)
        })
    })
}

fn belongs_to(piece: char, first: bool) -> bool {
    if first { piece.is_ascii_uppercase() } else { piece.is_ascii_lowercase() }
}

fn mark_of(first: bool) -> char {
    if first { 'X' } else { 'o' }
}

fn all_squares(grid: &[Vec<char>]) -> Vec<Pair> {
    let mut squares = Vec::new();
    for (rank, row) in grid.iter().enumerate() {
        for file in 0..row.len() {
            squares.push((file as i32, rank as i32));
        }
    }
    squares
}

fn add(square: Pair, step: Pair) -> Pair {
    (square.0 + step.0, square.1 + step.1)
}

fn micro((dx, dy): Pair, content: &str) -> String {
    format!("({dx} {dy} {content})")
}

/// Reads `(dx dy content`, a micro-move up to its closing bracket.
fn read_micro(text: &str) -> (Pair, &str) {
    let parts: Vec<&str> = text.trim_start_matches(['(', ' ']).split(' ').collect();
    let [dx, dy, content] = parts[..] else {
        panic!("not a micro-move: {text})");
    };
    let number = |text: &str| text.parse().expect("a number of squares");
    ((number(dx), number(dy)), content)
}
