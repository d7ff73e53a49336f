//! Movements and what is said of them.

use super::*;

/// Expressions of the first player's piece P, and the English for them.
const MOVEMENTS: &[(&str, &str)] = &[
    (
        "orthogonal(empty* (empty | enemy))",
        "The P slides any number of empty squares orthogonally and may end by capturing an opponent's piece.",
    ),
    (
        "diagonal(empty* (empty | enemy))",
        "The P slides any number of empty squares diagonally and may end by capturing an opponent's piece.",
    ),
    (
        "any(empty | enemy)",
        "The P steps one square in any direction to an empty square or to capture an opponent's piece.",
    ),
    (
        "leap 1,2(empty | enemy)",
        "The P leaps two squares orthogonally and one square to the side, to an empty square or to capture an opponent's piece.",
    ),
    (
        "forward(empty) | forward-diagonal(enemy)",
        "The P steps one square straight forward to an empty square. Or it steps one square diagonally forward to capture an opponent's piece.",
    ),
    (
        "forward(empty) | forward-diagonal(empty | enemy)",
        "The P steps one square straight forward to an empty square. Or it steps one square diagonally forward to an empty square or to capture an opponent's piece.",
    ),
    (
        "orthogonal(empty+ | empty* (own | enemy) empty* enemy)",
        "The P slides any number of empty squares orthogonally. Or it jumps orthogonally over exactly one piece, of either side, and on over any number of empty squares to capture an opponent's piece.",
    ),
    (
        "(0 1 empty) ((-1 1 empty) | (1 1 empty) | (-1 1 enemy) | (1 1 enemy)) | (1 0 empty) ((1 -1 empty) | (1 1 empty) | (1 -1 enemy) | (1 1 enemy)) | (0 -1 empty) ((-1 -1 empty) | (1 -1 empty) | (-1 -1 enemy) | (1 -1 enemy)) | (-1 0 empty) ((-1 -1 empty) | (-1 1 empty) | (-1 -1 enemy) | (-1 1 enemy))",
        "The P steps one square orthogonally to an empty square, then steps one square diagonally outward to an empty square or to capture an opponent's piece.",
    ),
    (
        "diagonal(empty (empty | enemy))",
        "The P goes exactly two squares diagonally, the square between being empty, to an empty square or to capture an opponent's piece.",
    ),
    (
        "diagonal(empty (empty | enemy)) off:far",
        "The P goes exactly two squares diagonally, the square between being empty, to an empty square or to capture an opponent's piece, provided that it is then not on the far rank (rank 8; rank 1 for black).",
    ),
    (
        "leap 1,2(empty* (empty | enemy))",
        "The P makes any number of leaps over empty squares in one line, each two squares orthogonally and one square to the side, and may end with a leap to capture an opponent's piece.",
    ),
    (
        "any(empty* (own | enemy) (empty | enemy))",
        "The P jumps in any direction over the first piece in its way, of either side, to the square just behind it, to stop there or to capture an opponent's piece.",
    ),
    (
        "orthogonal(empty{0,2} (empty | enemy))",
        "The P slides up to three squares orthogonally over empty squares and may end by capturing an opponent's piece.",
    ),
    (
        "diagonal(empty* (empty | own))",
        "The P slides any number of empty squares diagonally and may end by capturing a piece of its own side.",
    ),
    (
        "diagonal(empty* (empty | own | enemy))",
        "The P slides any number of empty squares diagonally and may end by capturing a piece of either side.",
    ),
    (
        "forward-diagonal(empty) | forward-diagonal(enemy empty)+",
        "The P steps one square diagonally forward to an empty square. Or it jumps diagonally forward over an opponent's piece next to it, which stays, to the empty square just behind it, one or more times in a row, choosing the direction anew each time.",
    ),
    (
        "(forward-diagonal(empty) | forward-diagonal(take:enemy empty)+) (off:far | on:far put:K)",
        "The P steps one square diagonally forward to an empty square. Or it jumps diagonally forward over an opponent's piece next to it to the empty square just behind it, capturing the piece jumped over, one or more times in a row, choosing the direction anew each time. If its move ends on the far rank (rank 8; rank 1 for black), it becomes a K.",
    ),
    (
        "diagonal(empty) | diagonal(take:enemy empty)+",
        "The P steps one square diagonally to an empty square. Or it jumps diagonally over an opponent's piece next to it to the empty square just behind it, capturing the piece jumped over, one or more times in a row, choosing the direction anew each time.",
    ),
    (
        "diagonal(empty+) | diagonal(empty* take:enemy empty+)+",
        "The P slides any number of empty squares diagonally. Or it jumps diagonally over an opponent's piece at any distance across empty squares to any of the empty squares behind it, capturing the piece jumped over, one or more times in a row, choosing the direction anew each time.",
    ),
    (
        "any(empty+) put:A any(empty+)",
        "The P slides any number of empty squares in any direction; then an A appears on its square and slides any number of empty squares in any direction.",
    ),
    (
        "orthogonal(take:own empty)",
        "The P jumps orthogonally over a piece of its own side next to it to the empty square just behind it, capturing the piece jumped over.",
    ),
    (
        "(0 1 empty)* ((0 1 empty) | (0 1 enemy)) | (1 0 empty)* ((1 0 empty) | (1 0 enemy))",
        "The P slides any number of empty squares straight forward or to the right and may end by capturing an opponent's piece.",
    ),
    (
        "forward(empty) (off:far | on:far (put:Q | put:N))",
        "The P steps one square straight forward to an empty square. If its move ends on the far rank (rank 8; rank 1 for black), it becomes a Q or an N.",
    ),
    (
        "forward(empty) (on:far put:Q)?",
        "The P steps one square straight forward to an empty square. If its move ends on the far rank (rank 8; rank 1 for black), it may become a Q.",
    ),
    (
        "on:home forward(empty empty) | forward(empty)",
        "If it stands on rank 2 (rank 7 for black), the P goes exactly two squares straight forward, the square between being empty, to an empty square. Or it steps one square straight forward to an empty square.",
    ),
    (
        "look(0 1 enemy) sideways(empty)",
        "If the square just in front of it holds an opponent's piece, the P steps one square sideways to an empty square.",
    ),
    (
        "(1 2 empty) | (-1 2 empty)",
        "The P leaps two squares forward and one square to either side, to an empty square.",
    ),
    ("forward(empty{1,3})", "The P slides up to three empty squares straight forward."),
    (
        "orthogonal(empty{3})",
        "The P goes exactly three squares orthogonally, all squares between being empty, to an empty square.",
    ),
    (
        "any(empty)+",
        "The P steps one square in any direction to an empty square, one or more times in a row, choosing the direction anew each time.",
    ),
    (
        "any(empty){1,3}",
        "The P steps one square in any direction to an empty square, up to three times in a row, choosing the direction anew each time.",
    ),
    (
        "orthogonal((enemy empty)+)",
        "The P jumps orthogonally over an opponent's piece next to it, which stays, to the empty square just behind it, one or more times in a row, always in the same direction.",
    ),
    (
        "forward(take:q) | any(take:\"*\")",
        "The P steps one square straight forward to capture an opponent's q. Or it steps one square in any direction to remove a wall.",
    ),
    (
        "forward(enemy) backward(empty)",
        "The P steps one square straight forward to pass over an opponent's piece, which stays, then steps one square straight backward to an empty square.",
    ),
    (
        "orthogonal(empty*) diagonal(empty)?",
        "The P slides any number of empty squares orthogonally (or does not), then steps one square diagonally to an empty square. Or it slides any number of empty squares orthogonally.",
    ),
    (
        "sideways(empty enemy own empty)",
        "The P goes sideways: one empty square, then a square with an opponent's piece, which stays, then a square with a piece of its own side, which stays, then one empty square.",
    ),
    ("never", "The P never moves."),
    ("nothing", "The P never moves."),
    (
        "(forward(empty) | left(empty)) (right(empty) | backward(empty) | any(enemy)) ",
        "The P steps one square straight forward or to the left to an empty square, then steps one square straight backward or to the right to an empty square. Or it steps one square straight forward or to the left to an empty square, then steps one square in any direction to capture an opponent's piece.",
    ),
    (
        "vertical(enemy* empty)",
        "The P goes straight forward or backward: (a square with an opponent's piece, which stays) any number of times in a row, or not at all, then one empty square.",
    ),
    ("put:Q", "The P becomes a Q."),
    (
        "put:\"*\" forward(empty)",
        "The P stays where it is; a wall appears on its square and steps one square straight forward to an empty square.",
    ),
    (
        "forward(empty) on:far",
        "The P steps one square straight forward to an empty square, provided that it is then on the far rank (rank 8; rank 1 for black).",
    ),
];

pub(in crate::explain) fn rules(line: &str) -> Rules {
    let text = format!(
        "game toy\nplayers white black\nboard\n  ..q..k.n\n  ........\n  ........\n  ........\n  ........\n  ........\n  ........\n  PA*QKNXO\nzones\n  far  rank 8\n  home  rank 2\nmoves\n{line}\nending\n  win when the next player cannot move\n"
    );
    Rules::parse(&text).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// Whole lines of the section `moves`, with its heading where it is another one.
const LINES: &[(&str, &str)] = &[
    ("  .  put:X", "A player drops an X on an empty square."),
    (
        "  .  (on:home | look(0 -1 own) | look(0 -1 enemy)) put:X",
        "A player drops an X on an empty square, if that square is on rank 2 (rank 7 for black) or the square just behind it holds a piece of either side.",
    ),
    (
        "  .  off:far put:X | put:O any(empty)",
        "A player drops an X on an empty square, if that square is not on the far rank (rank 8; rank 1 for black). Or they drop an O on an empty square, which then steps one square in any direction to an empty square.",
    ),
    (
        "moves of black\n  .  (on:home | look(0 -1 own) | look(0 -1 enemy)) put:o",
        "Black drops an o on an empty square, if that square is on rank 2 or the square just below it holds a piece of either side.",
    ),
    (
        "moves of black\n  n  (0 -1 empty) (off:home | on:home put:q) | backward(take:N)",
        "The n steps one square straight forward to an empty square, provided that it is then not on rank 2. Or it steps one square straight forward to an empty square, provided that it is then on rank 2, and then becomes a q. Or it steps one square straight backward to capture an opponent's N.",
    ),
];

#[test]
fn lines_read_well() {
    let mut wrong = Vec::new();
    for (line, expected) in LINES {
        let rules = rules(line);
        let found = sentences(&rules, &rules.moves[0]).join(" ");
        if found != *expected {
            wrong.push(format!("    ({line:?}, {found:?}),"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn movements_read_well() {
    let mut wrong = Vec::new();
    for (words, expected) in MOVEMENTS {
        let rules = rules(&format!("  P  {words}"));
        let found = sentences(&rules, &rules.moves[0]).join(" ");
        if found != *expected {
            wrong.push(format!("    ({words:?}, {found:?}),"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
