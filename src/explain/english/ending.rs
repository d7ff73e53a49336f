//! Endings in English.

use super::wording::{self, capitalised, counted, list, number, with_article};
use crate::board::{Piece, Player};
use crate::rules::{Condition, Ending, Rules, Side, Verdict};

/// An ending as a sentence.
pub fn ending_sentence(rules: &Rules, ending: &Ending) -> String {
    let alone = rules.players.len() < 2;
    let name = |player: Player| rules.players.get(player.index()).map_or("the player", String::as_str);
    let (mover, other) = match ending.side {
        _ if alone => ("the player".to_owned(), "the player".to_owned()),
        Side::Both => ("a player".to_owned(), "the opponent".to_owned()),
        Side::Only(player) => (name(player).to_owned(), name(player.other()).to_owned()),
    };
    let outcome = |winner: &str, loser: &str| match ending.verdict {
        Verdict::Win => format!("{winner} wins"),
        Verdict::Lose => format!("{loser} loses"),
        Verdict::Tie => "the game is a tie".to_owned(),
    };
    let holds = |what: String| match (ending.verdict, alone) {
        (_, true) => format!("{} when, after a move, {what}", outcome(&mover, &mover)),
        (Verdict::Tie, _) => format!("the game is a tie when, after a move of {mover}, {what}"),
        (Verdict::Win, _) => format!("{mover} wins when, after moving, {what}"),
        (Verdict::Lose, _) => format!("{mover} loses when, after moving, {what}"),
    };
    let own = if alone { "" } else { " of theirs" };
    let text = match &ending.when {
        Condition::On { pieces, zone } => {
            let who = if pieces.is_empty() { format!("a piece{own}") } else { format!("{}{own}", any_of(pieces)) };
            holds(format!("{who} stands on {}", wording::zone(rules, zone, ending.side)))
        }
        Condition::Line { count, pieces } => {
            let what = if pieces.is_empty() { format!("pieces{own}") } else { format!("{}{own}", names(pieces)) };
            let many = number(usize::from(*count));
            holds(format!("{many} or more {what} stand side by side in a row, column or diagonal"))
        }
        Condition::Left { count, pieces } => {
            let one = *count == 1;
            let what = match (pieces.is_empty(), one) {
                (true, true) => format!("piece{own} is"),
                (true, false) => format!("pieces{own} are"),
                (false, _) => format!("{}{own} {}", names(pieces), if *count < 2 { "is" } else { "are" }),
            };
            let exactly = if *count == 0 { "" } else { "exactly " };
            holds(format!("{exactly}{} {what} left", number(usize::from(*count))))
        }
        Condition::CannotMove => cannot_move(ending, alone, &mover, &other),
        Condition::Plies(plies) => {
            let each = if alone || plies % 2 == 1 {
                String::new()
            } else {
                format!(" ({} each)", counted(u64::from(plies / 2), "move"))
            };
            let turns = if alone { counted(u64::from(*plies), "move") } else { plural_plies(*plies) };
            match (ending.verdict, ending.side, alone) {
                (Verdict::Tie, ..) => format!("the game is a tie after {turns}{each}"),
                (_, _, true) | (_, Side::Only(_), _) => format!("{} after {turns}{each}", outcome(&mover, &mover)),
                (verdict, ..) => format!(
                    "after {turns}{each} the player who has moved last {}",
                    if verdict == Verdict::Win { "wins" } else { "loses" }
                ),
            }
        }
    };
    format!("{}.", capitalised(&text))
}

fn plural_plies(plies: u32) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

fn cannot_move(ending: &Ending, alone: bool, mover: &str, other: &str) -> String {
    match (ending.verdict, ending.side, alone) {
        (Verdict::Win, _, true) => "the player wins when no move is left".to_owned(),
        (Verdict::Lose, _, true) => "the player loses when no move is left".to_owned(),
        (Verdict::Tie, _, true) => "the game is a tie when no move is left".to_owned(),
        (Verdict::Win, Side::Both, _) => "a player who cannot move loses".to_owned(),
        (Verdict::Lose, Side::Both, _) => "a player who cannot move wins".to_owned(),
        (Verdict::Tie, Side::Both, _) => "the game is a tie when the player whose turn it is cannot move".to_owned(),
        (Verdict::Win, ..) => format!("{mover} wins when {other} cannot move"),
        (Verdict::Lose, ..) => format!("{mover} loses when {other} cannot move"),
        (Verdict::Tie, ..) => format!("the game is a tie when {other} cannot move"),
    }
}

fn any_of(pieces: &[Piece]) -> String {
    list(&pieces.iter().map(|piece| with_article(&piece.to_string())).collect::<Vec<_>>(), "or")
}

fn names(pieces: &[Piece]) -> String {
    list(&pieces.iter().map(Piece::to_string).collect::<Vec<_>>(), "or")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(players: &str, section: &str, line: &str) -> Rules {
        let second = if players.contains(' ') { "p" } else { "." };
        let text = format!(
            "game toy\nplayers {players}\nboard\n  {second}.\n  PN\nzones\n  far  rank 2\n  mid  square a1\nmoves\n  P  any(empty)\nending{section}\n  {line}\nending\n  tie when the next player cannot move\n"
        );
        Rules::parse(&text).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn endings_read_well() {
        for (players, section, line, expected) in [
            (
                "white black",
                "",
                "win when P or N on far",
                "A player wins when, after moving, a P or an N of theirs stands on the far rank (rank 2; rank 1 for black).",
            ),
            (
                "white black",
                " of white",
                "win when any on far",
                "White wins when, after moving, a piece of theirs stands on rank 2.",
            ),
            (
                "x o",
                "",
                "win when 4 in line",
                "A player wins when, after moving, four or more pieces of theirs stand side by side in a row, column or diagonal.",
            ),
            ("solver", "", "win when 1 P left", "The player wins when, after a move, exactly one P is left."),
            ("solver", "", "lose when the next player cannot move", "The player loses when no move is left."),
            ("white black", "", "win when the next player cannot move", "A player who cannot move loses."),
            ("white black", " of black", "win when the next player cannot move", "Black wins when white cannot move."),
            ("white black", "", "tie when 160 plies are played", "The game is a tie after 160 plies (80 moves each)."),
            ("white black", "", "tie when 31 plies are played", "The game is a tie after 31 plies."),
            ("white black", "", "lose when 0 P left", "A player loses when, after moving, no P of theirs is left."),
            (
                "white black",
                "",
                "win when 10 plies are played",
                "After 10 plies (5 moves each) the player who has moved last wins.",
            ),
        ] {
            let rules = rules(players, section, line);
            assert_eq!(ending_sentence(&rules, &rules.endings[0]), expected, "{line}");
        }
    }
}
