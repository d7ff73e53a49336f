//! People's games of chess, from the moves played alone: more of them never make the movements worse.
//!
//! The games are not part of this repository: `ONLOOKER_PGN` is the path of a file of them, perhaps compressed with gzip.
//! Without it the test says so and passes.

use cozy_chess::{Board, Color, File, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves};
use cozy_chess::{get_pawn_attacks, get_rook_moves};
use onlooker::board::{Cell, Player, Position};
use onlooker::learn::{Evidence, Learnt, Options, learn};
use onlooker::observe::{Cause, Listing, Move as Choice, Outcome, Record};
use onlooker::rules::Engine;
use std::collections::BTreeSet;
use std::io::Read;
use std::sync::atomic::AtomicBool;

/// The moves of each game, without comments, variations and marks.
fn games(pgn: &str) -> impl Iterator<Item = Vec<String>> {
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

fn legal(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

/// Castling is written as the king that takes its own rook.
fn is_castling(board: &Board, choice: Move) -> bool {
    board.piece_on(choice.from) == Some(Piece::King) && board.color_on(choice.to) == Some(board.side_to_move())
}

fn is_en_passant(board: &Board, choice: Move) -> bool {
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

fn position(board: &Board) -> Position {
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

fn record(number: u32, board: &Board, played: Option<Move>) -> Record {
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
fn watched(moves: &[String]) -> (Vec<Record>, Vec<Board>) {
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

/// Whether a player's king is attacked.
fn is_in_check(position: &Position, player: Player) -> bool {
    let square = |at: onlooker::board::Square| Square::index(at.index());
    let holding = |letters: &str, owner: Player| {
        let squares = position.shape().all().filter(|&at| {
            let cell = position.at(at);
            cell.owner() == Some(owner) && letters.contains(&cell.to_string().to_ascii_uppercase())
        });
        squares.map(|at| square(at).bitboard()).fold(cozy_chess::BitBoard::EMPTY, |all, one| all | one)
    };
    let blockers = holding("KQRBNP", Player::First) | holding("KQRBNP", Player::Second);
    let other = player.other();
    let color = if player == Player::First { Color::White } else { Color::Black };
    holding("K", player).into_iter().any(|king| {
        let straight = get_rook_moves(king, blockers) & holding("QR", other);
        let diagonal = get_bishop_moves(king, blockers) & holding("QB", other);
        let near = get_king_moves(king) & holding("K", other) | get_knight_moves(king) & holding("N", other);
        let pawns = get_pawn_attacks(king, color) & holding("P", other);
        !(straight | diagonal | near | pawns).is_empty()
    })
}

/// Whether learnt rules have the legal moves of a board and no others, apart from castling, en passant (which depends on
/// the move before), moves after which one's own king is attacked, and what people hardly ever promote to.
fn is_exact(engine: &Engine, board: &Board) -> bool {
    let position = position(board);
    let player = if board.side_to_move() == Color::White { Player::First } else { Player::Second };
    let after = |start, word: &onlooker::board::Word| {
        let mut after = position.clone();
        after.apply(&position.effect(player, start, word).unwrap(), player);
        after
    };
    let show = |position: &Position| position.cells().iter().map(Cell::to_string).collect::<Vec<_>>();
    let is_rare = |choice: Move| matches!(choice.promotion, Some(Piece::Rook | Piece::Bishop));
    let ordinary = legal(board)
        .into_iter()
        .filter(|&choice| !is_castling(board, choice) && !is_en_passant(board, choice) && !is_rare(choice));
    let expected: BTreeSet<Vec<String>> = ordinary
        .map(|choice| {
            let Choice::Word { start, word } = record(1, board, Some(choice)).moves.remove(0) else { unreachable!() };
            show(&after(start, &word))
        })
        .collect();
    let state = engine.state(&position, player, 0).unwrap();
    let mut moves = Vec::new();
    engine.moves(&state, &mut moves).unwrap();
    let generated: BTreeSet<Vec<String>> = moves
        .iter()
        .map(|choice| (choice.origin(), engine.word(&state, choice)))
        // What takes a piece on a square where the move does not end castles, or takes en passant.
        .filter(|(_, word)| !word.to_string().contains('d'))
        .filter(|(_, word)| !["aR", "aB", "ar", "ab"].iter().any(|rare| word.to_string().contains(rare)))
        .map(|(start, word)| after(start, &word))
        .filter(|after| !is_in_check(after, player))
        .map(|after| show(&after))
        .collect();
    generated == expected
}

#[test]
fn more_games_of_people_never_make_movements_worse() {
    let Some(path) = std::env::var_os("ONLOOKER_PGN") else {
        return eprintln!("skipped: ONLOOKER_PGN names no file of games");
    };
    let mut pgn = String::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut pgn).unwrap();
    const SHOWN: [usize; 5] = [100, 300, 1000, 3000, 10_000];
    let all: Vec<Vec<String>> = games(&pgn).take(SHOWN[4] + 100).collect();
    assert!(all.len() > SHOWN[4], "expected more than 10,000 games, found {}", all.len());
    let fresh: Vec<Board> = all[SHOWN[4]..].iter().flat_map(|moves| watched(moves).1).collect();
    let mut evidence = Evidence::default();
    let (mut shown, mut before) = (0, 0);
    for games in SHOWN {
        all[shown..games].iter().for_each(|moves| evidence.observe(&watched(moves).0).unwrap());
        shown = games;
        let learnt: Learnt = learn(&evidence, &Options::default(), &AtomicBool::new(false), &|_| {}).unwrap();
        let engine = Engine::compile(&learnt.rules).unwrap();
        let exact = fresh.iter().filter(|board| is_exact(&engine, board)).count();
        eprintln!("{games} games: {exact} of {} fresh positions exact", fresh.len());
        assert!(exact >= before, "{exact} of {} after {games} games, {before} before\n{}", fresh.len(), learnt.rules);
        assert!(games < 3000 || exact == fresh.len(), "{exact} of {}\n{}", fresh.len(), learnt.rules);
        before = exact;
    }
}
