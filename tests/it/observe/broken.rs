//! Broken logs: each problem with its line, its column, what is underlined and what is said.

use onlooker::observe::{GameReader, LogReader, MAX_LINE, Problem};

/// A good log: a pawn goes up and wins.
const GOOD: &str = "\
1
.r.
P..
*
w all 2
0 (0 1 e)
0 (1 1 p)
2
Pr.
...
1
b all 0
";

/// What is replaced in the good log, once, and by what; line, column and length of the error; what is said.
#[rustfmt::skip]
const BROKEN: &[(&str, &str, u64, usize, usize, &str)] = &[
    // Numbers.
    ("1\n.r.", "2\n.r.", 1, 1, 1, "found \"2\", expected record number 1"),
    ("1\n.r.", "[Event \"x\"]\n.r.", 1, 1, 11, "this is not an observation log: it begins with \"[Event \\\"x\\\"]\", expected record number 1"),
    ("2\nPr.", "3\nPr.", 8, 1, 1, "found \"3\", expected record number 2, or 1 for a new game"),
    ("2\nPr.", "99999999999\nPr.", 8, 1, 11, "found \"99999999999\", expected record number 2, or 1 for a new game"),
    ("2\nPr.", "Pr.", 8, 1, 3, "found \"Pr.\", expected record number 2, or 1 for a new game"),
    ("b all 0\n", "b all 0\n3\n", 13, 1, 1, "found \"3\", expected record number 1"),
    // Boards.
    (".r.\nP..\n", "", 2, 1, 1, "found \"*\", expected the rows of the board"),
    ("...\n1\n", "1\n", 10, 1, 1, "found \"1\", expected row 2 of the 2 rows of the board"),
    ("P..\n", "P.\n", 3, 1, 2, "found a row of width 2, expected width 3 as in the rows before, or an outcome after the last row"),
    ("Pr.\n", "Pr..\n", 9, 1, 4, "found a row of width 4, expected width 3 as in the rows before, or an outcome after the last row"),
    (".r.", ".1.", 2, 2, 1, "\"1\" is not a piece: a piece's name has a letter, UPPERCASE for the first player, lowercase for the second; expected a square of the board: '.', '*', '#' or a piece"),
    (".r.", ". r (", 2, 5, 1, "\"(\" is not a piece: a piece's name has no spaces and none of ( ) . , ; : | # *; expected a square of the board: '.', '*', '#' or a piece"),
    (".r.", "...................................", 2, 1, 35, "the board is too large, expected at most 32 rows of at most 32 squares"),
    ("Pr.", "P.r", 9, 2, 1, "b2 holds nothing, expected r after the move played in the record before"),
    ("Pr.", "P  q  .", 9, 4, 1, "b2 holds q, expected r after the move played in the record before"),
    ("0 (0 1 e)\n0 (1 1 p)", "0 (1 1 p)\n0 (0 1 e)", 9, 1, 1, "a2 holds P, expected nothing after the move played in the record before"),
    // Hands.
    ("*\n", "hands P\n*\n", 4, 8, 1, "found one hand; expected both players' hands, as in 'hands PPN -'"),
    ("*\n", "hands P Pp\n*\n", 4, 9, 2, "P is the other player's, so it is not in this hand; expected both players' hands, as in 'hands PPN -'"),
    ("*\n", "hands P - x\n*\n", 4, 11, 1, "found \"x\", expected the end of the line"),
    ("...\n1\n", "...\nhands - -\n", 12, 1, 7, "found \"b all 0\", expected the outcome: *, -1, 0 or 1"),
    // Outcomes.
    ("*\nw", "w", 4, 1, 7, "found \"w all 2\", expected the outcome: *, -1, 0 or 1"),
    ("...\n1\n", "...\n2\n", 11, 1, 1, "found \"2\", expected the outcome: *, -1, 0 or 1"),
    ("...\n1\n", "...\n1 resigned\n", 11, 3, 8, "found \"resigned\", expected the outcome's cause: position, people or cut"),
    ("...\n1\n", "...\n1 people now\n", 11, 10, 3, "found \"now\", expected the end of the line"),
    // Turns.
    ("w all 2", "W all 2", 5, 1, 7, "found \"W all 2\", expected whose turn it is, w or b, as in 'w all 20'"),
    ("w all 2", "w many 2", 5, 3, 4, "found \"many\", expected all or some, as in 'w all 20'"),
    ("w all 2", "w", 5, 2, 1, "found the end of the line, expected all or some, as in 'w all 20'"),
    ("w all 2", "w all", 5, 6, 1, "found the end of the line, expected the number of moves listed, at most 1000000, as in 'w all 20'"),
    ("w all 2", "w all -2", 5, 7, 2, "found \"-2\", expected the number of moves listed, at most 1000000, as in 'w all 20'"),
    ("w all 2", "w all 1000001", 5, 7, 7, "found \"1000001\", expected the number of moves listed, at most 1000000, as in 'w all 20'"),
    ("w all 2", "w all 2 3", 5, 9, 1, "found \"3\", expected the end of the line"),
    ("b all 0", "b all 1\n1 (0 0 w)", 12, 7, 1, "found 1, expected 0 moves since the game is over in this position"),
    ("...\n1\n", "...\n*\n", 12, 7, 1, "found 0, expected at least the move played since the game is not over in this position"),
    ("w all 2", "w all 3", 8, 1, 1, "found \"2\", expected move 3 of the 3 moves"),
    ("w all 2", "w all 1", 7, 1, 9, "found a move more than the 1 announced, expected the next record"),
    // Moves.
    ("0 (0 1 e)", "e2e4", 6, 1, 4, "found \"e2e4\", expected a move such as '12 (0 1 e)' or 'pass'"),
    ("0 (0 1 e)", "pass (0 1 e)", 6, 6, 2, "found \"(0\", expected the end of the line"),
    ("0 (0 1 e)", "6 (0 1 e)", 6, 1, 1, "square 6 is not on the board, expected one from 0 to 5 that is no hole"),
    ("P..\n*", "P#.\n*", 10, 2, 1, "b1 holds nothing, expected # after the move played in the record before"),
    ("0 (0 1 e)", "1 (0 1 e)", 6, 1, 1, "b1 is empty, expected a piece of the player to move (w)"),
    ("0 (0 1 e)", "  4 (0 -1 e)", 6, 3, 1, "b2 holds r, expected a piece of the player to move (w)"),
    ("0 (0 1 e)", "0 (0 1 x)", 6, 8, 1, "found \"x\", expected a content: e, w, p, d or a, the last two with a piece's name"),
    ("0 (0 1 e)", "0 (0 +1 e)", 6, 6, 2, "found \"+1\", expected a number of files or ranks from -31 to 31"),
    ("0 (0 1 e)", "0 (0 1 e)(0 1 e", 6, 16, 1, "found \"\", expected ')' closing the micro-move"),
    ("0 (0 1 e)", "0 (0 1 aQ)", 6, 8, 2, "found \"aQ\", expected (0 0 a..): a piece appears where the controlled one stands"),
    ("0 (0 1 e)", "0 (0 1 e)(0 1 e)", 6, 10, 7, "this step leads off the board"),
    ("0 (0 1 e)", "0 (0 1 p)", 6, 3, 7, "this step comes to an empty square, expected a piece of the opponent"),
    ("0 (0 1 e)", "0 (0 1 e) (1 0 dR)", 6, 11, 8, "this step comes to r, expected R to be removed"),
    ("*\nw all 2\n0 (0 1 e)", "hands N -\n*\nw all 2\n1 (0 0 aQ)", 7, 3, 8, "Q is dropped, but it is not in the player's hand"),
    ("0 (1 1 p)", "0 (0  1 e)", 7, 1, 10, "this move is already listed as number 1, expected each move once"),
    // Bare additions.
    ("0 (1 1 p)", "0 (1 1 p)(0 0 a)", 7, 10, 7, "a bare 'a' does not say which piece appears, and this is not the move that was played; expected a name, as in (0 0 aQ)"),
    ("0 (0 1 e)", "0 (0 1 e)(0 0 a)(0 0 d)", 6, 10, 7, "a bare 'a' does not say which piece appears, and it is removed before it is put down; expected a name, as in (0 0 aQ)"),
    ("0 (0 1 e)", "0 (0 0 a)(1 0 e)", 6, 3, 7, "a bare 'a' does not say which piece appears, and the next position has nothing where it was put down; expected a name, as in (0 0 aQ)"),
    ("0 (0 1 e)\n0 (1 1 p)\n2\nPr.\n...", "0 (0 1 e)(0 0 a)\n0 (1 1 p)\n2\nQ.r\n...", 9, 2, 1, "b2 holds nothing, expected r after the move played in the record before"),
    ("0 (1 1 p)\n2\nPr.\n...\n1\nb all 0\n", "0 (1 1 p)\n2\nPr.\n...\n*\nw all 1\n3 (0 0 a)\n", 13, 3, 7, "a bare 'a' does not say which piece appears, and no next position tells; expected a name, as in (0 0 aQ)"),
    ("0 (0 1 e)\n0 (1 1 p)", "0 (0 1 e)(0 0 a)\n0 (0 1 e)(0 0 aP)", 6, 1, 16, "this move is already listed as number 2, expected each move once"),
    // Ends.
    ("b all 0\n", "", 12, 1, 1, "the log ends within a record, expected whose turn it is, as in 'w all 20'"),
    ("1\nb all 0\n", "", 11, 1, 1, "the log ends within a record, expected the outcome"),
    ("...\n1\nb all 0\n", "", 10, 1, 1, "the log ends within a record, expected a row of the board"),
    ("0 (1 1 p)\n2\nPr.\n...\n1\nb all 0\n", "", 7, 1, 1, "the log ends within a record, expected a move"),
];

#[test]
fn every_problem_is_told_with_its_place() {
    assert_eq!(LogReader::new(GOOD.as_bytes()).filter(Result::is_ok).count(), 2);
    for &(from, to, line, column, length, message) in BROKEN {
        assert!(GOOD.contains(from), "{from:?}");
        let broken = GOOD.replacen(from, to, 1);
        let error = LogReader::new(broken.as_bytes()).find_map(Result::err);
        let error = error.unwrap_or_else(|| panic!("{from:?} -> {to:?} is read"));
        let found = (error.line, error.column, error.length);
        assert_eq!(found, (line, column, length), "{from:?} -> {to:?}: {error}\n{}", error.excerpt());
        assert_eq!(error.problem.to_string(), message, "{from:?} -> {to:?}");
        // With another game after it, the broken one is lost and nothing else.
        let kept = GameReader::new([broken.as_str(), GOOD].concat().as_bytes()).flatten().last().unwrap();
        assert_eq!(kept.len(), 2, "{from:?} -> {to:?}");
    }
}

#[test]
fn what_is_no_log_is_told_at_once() {
    let jpeg = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01".as_slice();
    let long = "1".repeat(MAX_LINE + 1);
    let late = [GOOD.as_bytes(), b"1\n.\xe9\n"].concat();
    for (bytes, line, column, message) in [
        (b"".as_slice(), 1, 1, "the log is empty, expected record number 1"),
        (b"\n; nothing\n\n", 4, 1, "the log is empty, expected record number 1"),
        (jpeg, 1, 1, "found the byte 0xff, which is not UTF-8 text, expected an observation log"),
        (&late, 14, 2, "found the byte 0xe9, which is not UTF-8 text, expected an observation log"),
        (b"; caf\xe9\n1\n", 1, 6, "found the byte 0xe9, which is not UTF-8 text, expected an observation log"),
        (
            long.as_bytes(),
            1,
            MAX_LINE + 1,
            "this line is longer than 65536 bytes, expected the lines of an observation log",
        ),
        (
            b"{\"a\": 1}",
            1,
            1,
            "this is not an observation log: it begins with \"{\\\"a\\\": 1}\", expected record number 1",
        ),
    ] {
        let error = LogReader::new(bytes).find_map(Result::err).unwrap();
        assert_eq!((error.line, error.column), (line, column), "{error}");
        assert_eq!(error.problem.to_string(), message);
        assert!(error.text.chars().count() <= 130);
    }
}

#[test]
fn holes_are_no_squares_to_start_from() {
    let log = "1\nP#\n*\nw all 1\n1 (-1 0 w)\n";
    let error = LogReader::new(log.as_bytes()).find_map(Result::err).unwrap();
    assert_eq!(error.problem.to_string(), "square 1 is not on the board, expected one from 0 to 1 that is no hole");
}

#[test]
fn an_input_that_fails_is_told_with_the_line_reached() {
    struct Failing;

    impl std::io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }

    let input = std::io::Read::chain(&GOOD.as_bytes()[..20], Failing);
    let error = LogReader::new(input).find_map(Result::err).unwrap();
    assert_eq!(error.line, 6);
    assert_eq!(error.problem.to_string(), "the log cannot be read any further: the disk is gone");
    let input = std::io::Read::chain(GOOD.as_bytes(), Failing);
    let games: Vec<_> = GameReader::new(input).collect();
    assert!(matches!(&games[..], [Ok(_), Err(_)]), "the whole game before is kept");
}

#[test]
fn columns_count_characters() {
    let log = "1\nЖ ж .\n*\nw all 1\n0 (1 0 dж)(1 0 p)\n";
    let error = LogReader::new(log.as_bytes()).find_map(Result::err).unwrap();
    assert_eq!((error.column, error.length), (11, 7));
    assert_eq!(error.excerpt(), "0 (1 0 dж)(1 0 p)\n          ^^^^^^^");
}

#[test]
fn what_a_bare_add_stood_for_is_filled_in() {
    let log = "1\n...\nP.p\n*\nw some 1\n0 (0 1 e)(0 0 a)\n2\nQ..\n..p\n*\nb some 1\n2 (0 0 a)(-1 0 e)\n3\nQ..\n.qp\n1\nw all 0\n";
    let records: Vec<_> = LogReader::new(log.as_bytes()).map(Result::unwrap).collect();
    let played: Vec<String> = records.iter().filter_map(|record| Some(record.played()?.to_string())).collect();
    assert_eq!(played, ["0 (0 1 e)(0 0 aQ)", "2 (0 0 aq)(-1 0 e)"]);
}

/// Whoever reads whole games keeps them, so that a game has an end, however small the file is that it comes from.
#[test]
fn a_game_without_end_is_refused() {
    let rows = ".".repeat(32) + "\n";
    let record = |number: u64| {
        let (from, to) = if number % 2 == 1 { (0, 1) } else { (1, 0) };
        let top: String = (0..32).map(|file| if file == from { 'P' } else { '.' }).collect();
        let start = 31 * 32 + from;
        format!("{number}\n{top}\n{}*\nw some 1\n{start} ({} 0 e)\n", rows.repeat(31), to - from)
    };
    struct Endless<F>(F, Vec<u8>, u64);
    impl<F: Fn(u64) -> String> std::io::Read for Endless<F> {
        fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
            if self.1.is_empty() {
                self.2 += 1;
                self.1 = (self.0)(self.2).into_bytes();
            }
            let count = room.len().min(self.1.len());
            room[..count].copy_from_slice(&self.1[..count]);
            self.1.drain(..count);
            Ok(count)
        }
    }
    let error = LogReader::new(Endless(record, Vec::new(), 0)).find_map(Result::err).unwrap();
    assert!(matches!(error.problem, Problem::LongGame), "{error}");
    assert!(error.record > 100_000 && error.game == 1, "{error}");
}
