//! The Gomocup protocol, as a manager speaks it.

use onlooker::tactics::{FIVE_IN_A_LINE, Gomocup, Heard};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The answers to lines, moves included.
fn answers(player: &mut Gomocup, lines: &str) -> Vec<String> {
    let mut said = Vec::new();
    for line in lines.lines() {
        match player.hear(line) {
            Heard::Nothing => {}
            Heard::Say(text) => said.push(text),
            Heard::Think => said.push(player.think(&AtomicBool::new(false))),
            Heard::End => said.push("end".to_owned()),
        }
    }
    said
}

#[test]
fn a_manager_gets_moves_and_bad_lines_get_errors() {
    let mut player = Gomocup::new(FIVE_IN_A_LINE, 1).unwrap();
    let errors = [
        ("BEGIN", "ERROR found BEGIN before START, expected START first"),
        ("TURN 1,1", "ERROR found TURN before START, expected START first"),
        ("START", "ERROR found \"\", expected the size of the board"),
        ("START four", "ERROR found \"four\", expected the size of the board"),
        ("START 4", "ERROR found a board of 4 x 4, expected sides from 5 to 24"),
        ("RECTSTART 10", "ERROR found \"10\", expected width,height"),
        ("INFO rule 1", "ERROR found rule 1, expected 0: five or more in a line"),
        ("INFO timeout_turn soon", "ERROR found timeout_turn \"soon\", expected a number of milliseconds"),
        ("SWAP2BOARD", "UNKNOWN SWAP2BOARD"),
        ("hello there", "UNKNOWN hello"),
    ];
    for (line, answer) in errors {
        assert_eq!(answers(&mut player, line), [answer]);
    }
    assert_eq!(answers(&mut player, "START 9\r\nINFO folder x\r\n\r\n"), ["OK"]);
    for (line, expected) in [
        ("TURN 9,0", "expected a square of a board of 9 x 9"),
        ("TURN 1", "expected x,y"),
        ("TURN -1,2", "expected x,y"),
        ("TAKEBACK 3,3", "expected a square with a stone"),
        ("BOARD\n1,1,7\nDONE", "expected x,y,1 or x,y,2 or DONE"),
        ("BOARD\n1,1,1\n1,1,2\nDONE", "expected an empty square"),
    ] {
        let said = answers(&mut player, line);
        assert!(said[0].starts_with("ERROR ") && said[0].ends_with(expected), "{line}: {said:?}");
    }
    assert!(answers(&mut player, "ABOUT")[0].starts_with("name=\"onlooker\""));
    assert_eq!(answers(&mut player, "END"), ["end"]);
}

#[test]
fn fours_are_completed_and_parried_on_any_board() {
    let mut player = Gomocup::new(FIVE_IN_A_LINE, 1).unwrap();
    for start in ["START 9", "RECTSTART 12,7", "START 20"] {
        assert_eq!(answers(&mut player, start), ["OK"]);
        // Four of one's own, closed at one end.
        let own = "BOARD\n1,3,1\n2,3,1\n3,3,1\n4,3,1\n0,3,2\n0,0,2\n2,6,2\n6,6,2\nDONE";
        assert_eq!(answers(&mut player, own), ["5,3"], "{start}");
        // Four of the opponent's.
        let other = "BOARD\n1,3,2\n2,3,2\n3,3,2\n4,3,2\n0,3,1\n0,0,1\n2,6,1\nDONE";
        assert_eq!(answers(&mut player, other), ["5,3"], "{start}");
        // An open three of the opponent's leaves a few squares.
        let three = "BOARD\n2,3,2\n3,3,2\n4,3,2\n0,0,1\n2,6,1\nDONE";
        assert!(["0,3", "1,3", "5,3", "6,3"].contains(&answers(&mut player, three)[0].as_str()), "{start}");
    }
}

#[test]
fn a_game_goes_on_with_stones_taken_back() {
    let mut player = Gomocup::new(FIVE_IN_A_LINE, 1).unwrap();
    let said = answers(&mut player, "START 9\nBEGIN\n");
    let first = said[1].clone();
    let said = answers(&mut player, &format!("TAKEBACK {first}\nTURN {first}"));
    assert_eq!(said[0], "OK");
    assert_ne!(said[1], first);
    assert!(answers(&mut player, &format!("TURN {first}"))[0].starts_with("ERROR "));
    assert_eq!(answers(&mut player, "RESTART\nBEGIN")[1], first, "the same seed, the same move");
}

#[test]
fn limits_of_time_are_kept() {
    let mut player = Gomocup::new(FIVE_IN_A_LINE, 1).unwrap();
    assert_eq!(player.turn_time(), Duration::from_millis(29_950));
    answers(&mut player, "INFO timeout_turn 1000");
    assert_eq!(player.turn_time(), Duration::from_millis(950));
    answers(&mut player, "INFO timeout_match 100000\nINFO time_left 2450");
    assert_eq!(player.turn_time(), Duration::from_millis(200));
    answers(&mut player, "INFO timeout_turn 0");
    assert_eq!(player.turn_time(), Duration::ZERO);
    // Whoever has no time moves all the same.
    answers(&mut player, "START 9");
    player.hear("TURN 4,4");
    let answer = player.think(&AtomicBool::new(true));
    assert!(answer.split(',').all(|part| part.parse::<usize>().is_ok()), "{answer}");
}
