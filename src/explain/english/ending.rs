//! Endings in English.

use super::wording::{self, capitalised, counted, list, number, with_article};
use crate::board::{Piece, Player};
use crate::rules::{Balance, Bound, Condition, Ending, Rules, Side, Verdict, Ways, Whose};

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
    let phrase = |when: &Condition| phrase(rules, ending.side, when, alone, &other);
    let text = match &ending.when {
        Condition::CannotMove => cannot_move(ending, alone, &mover, &other),
        Condition::Plies(plies) => {
            let turns = turns(*plies, alone);
            match (ending.verdict, ending.side, alone) {
                (Verdict::Tie, ..) => format!("the game is a tie after {turns}"),
                (_, _, true) | (_, Side::Only(_), _) => format!("{} after {turns}", outcome(&mover, &mover)),
                (verdict, ..) => format!(
                    "after {turns} the player who has moved last {}",
                    if verdict == Verdict::Win { "wins" } else { "loses" }
                ),
            }
        }
        Condition::All(parts) => holds(list(&parts.iter().map(phrase).collect::<Vec<_>>(), "and")),
        when => holds(phrase(when)),
    };
    format!("{}.", capitalised(&text))
}

/// What must hold after a move, in a sentence about the player who has made it.
fn phrase(rules: &Rules, side: Side, when: &Condition, alone: bool, other: &str) -> String {
    let own = if alone { "" } else { " of theirs" };
    match when {
        Condition::On { pieces, zone } => {
            let who = if pieces.is_empty() { format!("a piece{own}") } else { format!("{}{own}", any_of(pieces)) };
            format!("{who} stands on {}", wording::zone(rules, zone, side))
        }
        Condition::Line { count, exactly, pieces, ways } => {
            let what = if pieces.is_empty() { format!("pieces{own}") } else { format!("{}{own}", names(pieces)) };
            let many = number(usize::from(*count));
            let many = if *exactly { format!("exactly {many}") } else { format!("{many} or more") };
            format!("{many} {what} stand side by side in a {}", lines(*ways, side))
        }
        Condition::Left { whose, count, bound, pieces, zone } => {
            let one = *count == 1 && *bound == Bound::Exactly;
            let own = if *whose == Whose::Mover { own.to_owned() } else { format!(" of {other}") };
            let is = if *count < 2 && *bound == Bound::Exactly { "is" } else { "are" };
            let what = match (pieces.is_empty(), one) {
                (true, true) => format!("piece{own} is"),
                (true, false) => format!("pieces{own} are"),
                (false, _) => format!("{}{own} {is}", names(pieces)),
            };
            let many = number(usize::from(*count));
            let many = match bound {
                Bound::Exactly if *count == 0 => many,
                Bound::Exactly => format!("exactly {many}"),
                Bound::OrFewer => format!("{many} or fewer"),
                Bound::OrMore => format!("{many} or more"),
            };
            match zone {
                None => format!("{many} {what} left"),
                Some(zone) => format!("{many} {what} on {}", wording::zone(rules, zone, side)),
            }
        }
        Condition::Balance(balance) => match balance {
            Balance::Fewer => format!("{other} has fewer pieces left than they have"),
            Balance::Same => format!("{other} has as many pieces left as they have"),
            Balance::More => format!("{other} has more pieces left than they have"),
        },
        Condition::CannotMove if alone => "no move is left".to_owned(),
        Condition::CannotMove => format!("{other} cannot move"),
        Condition::NeitherCanMove => "neither player could move".to_owned(),
        Condition::Plies(plies) => format!("{} have been played", turns(*plies, alone)),
        Condition::All(parts) => {
            let parts = parts.iter().map(|part| phrase(rules, side, part, alone, other));
            list(&parts.collect::<Vec<_>>(), "and")
        }
    }
}

/// The lines along which pieces must stand, as the players see them.
fn lines(ways: Ways, side: Side) -> String {
    let has = |way: Ways| ways.and(way) == ways;
    let mut names = Vec::new();
    names.extend(has(Ways::RANKS).then_some("row"));
    names.extend(has(Ways::FILES).then_some("column"));
    // For the second player the other diagonals rise.
    let seen =
        if side == Side::Only(Player::Second) { "seen from the first player's side" } else { "from left to right" };
    let mut text: Vec<String> = names.into_iter().map(str::to_owned).collect();
    match (has(Ways::RISING), has(Ways::FALLING)) {
        (true, true) => text.push("diagonal".to_owned()),
        (true, false) => text.push(format!("diagonal that leads away from the player {seen}")),
        (false, true) => text.push(format!("diagonal that leads towards the player {seen}")),
        (false, false) => {}
    }
    list(&text, "or")
}

/// A number of turns, of all players together.
fn turns(plies: u32, alone: bool) -> String {
    match alone {
        true => counted(u64::from(plies), "move"),
        false if plies % 2 == 1 => plural_plies(plies),
        false => format!("{} ({} each)", plural_plies(plies), counted(u64::from(plies / 2), "move")),
    }
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
                "win when the opponent has 0 p left",
                "A player wins when, after moving, no p of the opponent is left.",
            ),
            (
                "white black",
                " of black",
                "lose when the opponent has 2 or fewer left",
                "Black loses when, after moving, two or fewer pieces of white are left.",
            ),
            (
                "white black",
                "",
                "win when 3 or more P left on far",
                "A player wins when, after moving, three or more P of theirs are on the far rank (rank 2; rank 1 for black).",
            ),
            (
                "white black",
                "",
                "lose when exactly 3 in line along ranks or files",
                "A player loses when, after moving, exactly three pieces of theirs stand side by side in a row or column.",
            ),
            (
                "white black",
                "",
                "win when 40 plies are played and the opponent has fewer left",
                "A player wins when, after moving, 40 plies (20 moves each) have been played and the opponent has fewer pieces left than they have.",
            ),
            (
                "white black",
                "",
                "tie when neither player can move",
                "The game is a tie when, after a move of a player, neither player could move.",
            ),
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
