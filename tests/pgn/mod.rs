//! People's games of chess as records: the position and the move played.

use cozy_chess::{Board, Color, File, Move, Piece, Rank, Square};
use onlooker::board::{Player, Position};
use onlooker::observe::{Cause, Listing, Move as Choice, Outcome, Record};
use std::io::Read;
use std::path::Path;

/// The text of a file of games, perhaps compressed with gzip.
pub fn text(path: &Path) -> std::io::Result<String> {
    let bytes = std::fs::read(path)?;
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text)?;
    } else {
        (&bytes[..]).read_to_string(&mut text)?;
    }
    Ok(text)
}

/// The moves of each game, without comments, variations and marks.
pub fn games(pgn: &str) -> impl Iterator<Item = Vec<String>> {
    let mut games = vec![Vec::new()];
    for block in pgn.split("\n[Event ") {
        let moves = block.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join(" ");
        let mut depth = 0;
        let bare: String = moves
            .chars()
            .filter(|&c| {
                depth += i32::from(c == '{' || c == '(');
                let keep = depth == 0;
                depth -= i32::from(c == '}' || c == ')');
                keep
            })
            .collect();
        let is_move = |token: &&str| token.starts_with(|c: char| c.is_ascii_alphabetic());
        let tokens = bare.split_whitespace().map(|token| token.rsplit('.').next().unwrap_or(token));
        let moves = tokens.filter(is_move).map(|token| token.trim_end_matches(['+', '#', '!', '?']).to_owned());
        games.push(moves.collect());
    }
    games.into_iter().filter(|moves| !moves.is_empty())
}

pub fn legal(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

/// Castling is written as the king that takes its own rook.
pub fn is_castling(board: &Board, choice: Move) -> bool {
    board.piece_on(choice.from) == Some(Piece::King) && board.color_on(choice.to) == Some(board.side_to_move())
}

pub fn is_en_passant(board: &Board, choice: Move) -> bool {
    board.piece_on(choice.from) == Some(Piece::Pawn)
        && choice.from.file() != choice.to.file()
        && board.piece_on(choice.to).is_none()
}

/// The legal move that is written so.
fn read(board: &Board, san: &str) -> Option<Move> {
    let moves = legal(board);
    if san.starts_with("O-O") {
        let long = san.starts_with("O-O-O");
        return moves
            .into_iter()
            .find(|&choice| is_castling(board, choice) && (choice.to.file() < choice.from.file()) == long);
    }
    let (san, promotion) = san.split_once('=').map_or((san, None), |(san, piece)| (san, piece.chars().next()));
    let piece = san.chars().next().filter(char::is_ascii_uppercase).unwrap_or('P');
    let rest = san.trim_start_matches(|c: char| c.is_ascii_uppercase()).replace('x', "");
    let to: Square = rest.get(rest.len().checked_sub(2)?..)?.parse().ok()?;
    let from = &rest[..rest.len() - 2];
    let letter = |piece: Piece| char::from(piece).to_ascii_uppercase();
    let mut fitting = moves.into_iter().filter(|&choice| {
        board.piece_on(choice.from).map(letter) == Some(piece)
            && choice.to == to
            && choice.promotion.map(letter) == promotion
            && !is_castling(board, choice)
            && from.chars().all(|c| choice.from.to_string().contains(c))
    });
    fitting.next().filter(|_| fitting.next().is_none())
}

pub fn position(board: &Board) -> Position {
    let name = |rank: usize, file: usize| {
        let square = Square::new(File::index(file), Rank::index(rank));
        match (board.piece_on(square), board.color_on(square)) {
            (Some(piece), Some(Color::White)) => char::from(piece).to_ascii_uppercase(),
            (Some(piece), _) => char::from(piece).to_ascii_lowercase(),
            _ => '.',
        }
    };
    let row = |rank: usize| (0..8).map(|file| name(rank, file).to_string()).collect::<Vec<_>>().join(" ");
    Position::from_rows((0..8).rev().map(row).collect::<Vec<_>>().iter().map(String::as_str)).unwrap()
}

fn place(square: Square) -> (i32, i32) {
    (square.file() as i32, square.rank() as i32)
}

/// The word of a move, as logs write it.
fn word(board: &Board, choice: Move) -> String {
    let white = board.side_to_move() == Color::White;
    let own = |piece: char| if white { piece.to_ascii_uppercase() } else { piece.to_ascii_lowercase() };
    let ((x, y), (to_x, to_y)) = (place(choice.from), place(choice.to));
    let (dx, dy) = (to_x - x, to_y - y);
    if is_castling(board, choice) {
        let rook = own('r');
        return match dx > 0 {
            true => format!("(1 0 e)(1 0 e)(0 0 a{rook})(1 0 d{rook})(-2 0 e)"),
            false => format!("(-1 0 e)(-1 0 e)(0 0 a{rook})(-2 0 d{rook})(3 0 e)"),
        };
    }
    if is_en_passant(board, choice) {
        return format!("({dx} 0 d{})(0 {dy} e)", if white { 'p' } else { 'P' });
    }
    let end = if board.piece_on(choice.to).is_some() { 'p' } else { 'e' };
    let mut word = if board.piece_on(choice.from) == Some(Piece::Knight) {
        format!("({dx} {dy} {end})")
    } else {
        let (sx, sy) = (dx.signum(), dy.signum());
        let passed = format!("({sx} {sy} e)").repeat((dx.abs().max(dy.abs()) - 1) as usize);
        format!("{passed}({sx} {sy} {end})")
    };
    if let Some(piece) = choice.promotion {
        word.push_str(&format!("(0 0 a{})", own(char::from(piece))));
    }
    word
}

pub fn record(number: u32, board: &Board, played: Option<Move>) -> Record {
    let white = board.side_to_move() == Color::White;
    let moves = played.map(|choice| {
        let (file, rank) = place(choice.from);
        let start = onlooker::board::Square((8 * rank + file) as u16);
        Choice::Word { start, word: word(board, choice).parse().unwrap() }
    });
    Record {
        number,
        position: position(board),
        // How a game of people ends says nothing about the rules.
        outcome: played.is_none().then_some(Outcome::Tied),
        cause: Cause::People,
        turn: if white { Player::First } else { Player::Second },
        listing: Listing::Some,
        moves: moves.into_iter().collect(),
    }
}

/// The records of a game, and the boards that they show.
pub fn watched(moves: &[String]) -> (Vec<Record>, Vec<Board>) {
    let (mut board, mut records, mut boards) = (Board::default(), Vec::new(), Vec::new());
    for san in moves {
        let Some(choice) = read(&board, san) else { break };
        records.push(record(records.len() as u32 + 1, &board, Some(choice)));
        boards.push(board.clone());
        board.play_unchecked(choice);
    }
    records.push(record(records.len() as u32 + 1, &board, None));
    (records, boards)
}
