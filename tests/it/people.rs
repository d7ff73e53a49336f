//! People's games of chess, from the moves played alone: more of them never make the movements worse.
//!
//! The games are not part of this repository: `ONLOOKER_PGN` is the path of a file of them, perhaps compressed with gzip.
//! Without it the test says so and passes.

use crate::pgn::{games, is_castling, is_en_passant, legal, position, record, text, watched};
use cozy_chess::{Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves};
use cozy_chess::{get_pawn_attacks, get_rook_moves};
use onlooker::board::{Cell, Player, Position};
use onlooker::learn::{Evidence, Learnt, Options, learn};
use onlooker::observe::Move as Choice;
use onlooker::rules::Engine;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

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
    let pgn = text(path.as_ref()).unwrap();
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
