//! What is believed of a game, line by line: what speaks for each line, what of it was never tested, and what has just changed.

use onlooker::learn::{Learnt, Unexplained};
use onlooker::rules::{Place, Provenance, Rules, Side, Topic};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What speaks for a line. That a word was seen seldom does not count against it: of the many words of a rider some always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Certainty {
    /// Much speaks for it, and nothing in it is untested.
    Firm,
    /// Nothing in it is untested, but little speaks for it.
    Thin,
    /// Something in it was never put to the test.
    Open,
    /// So few games speak for it that it is a guess.
    Guess,
}

impl Certainty {
    fn name(self) -> &'static str {
        match self {
            Certainty::Firm => "firm",
            Certainty::Thin => "thin",
            Certainty::Open => "open",
            Certainty::Guess => "guess",
        }
    }
}

/// A movement that fewer listed moves speak for, or fewer than so many for each of its kinds on the average, has few examples.
const FEW_MOVES: u64 = 30;
const FEW_OF_A_KIND: u64 = 3;
/// An ending that fewer games speak for has few examples.
const FEW_GAMES: u64 = 10;

fn counted(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// What was never tested, in sentences.
fn told(note: &mut String, open: &[&str]) {
    let questions = counted(open.len() as u64, "question is open", "questions are open");
    if !open.is_empty() {
        let _ = write!(note, " {questions}, never tested: {}.", open.join("; "));
    }
}

/// The text of rules without what they were learnt from, which is shown in another way.
pub fn rules_text(rules: &Rules) -> String {
    Rules { learnt: None, ..rules.clone() }.to_string()
}

/// The lines of learnt rules with how sure they are; `before` is the text that was believed before.
pub fn lines(learnt: &Learnt, before: Option<&str>) -> Value {
    let rules = &learnt.rules;
    let text = rules_text(rules);
    let places = Rules::places(&text);
    let old: BTreeSet<&str> = before.map(|before| before.lines().collect()).unwrap_or_default();
    let mut at = 0;
    let mut shown = Vec::new();
    for line in text.split_inclusive('\n') {
        let span = at..at + line.len();
        at = span.end;
        let line = line.trim_end();
        let place = places.iter().find(|(_, of)| of.start < span.end && span.start < of.end).map(|(place, _)| *place);
        let judged = place.and_then(|place| certainty(learnt, place));
        let is_new = before.is_some() && !line.is_empty() && !old.contains(line);
        let (level, note) = judged.map_or((None, String::new()), |(level, note)| (Some(level.name()), note));
        shown.push(json!({ "text": line, "level": level, "note": note, "new": is_new }));
    }
    let now: BTreeSet<&str> = text.lines().collect();
    let gone: Vec<&str> = old.iter().filter(|line| !line.is_empty() && !now.contains(**line)).copied().collect();
    json!({ "lines": shown, "gone": gone })
}

/// How sure a part of the rules is, and why.
fn certainty(learnt: &Learnt, place: Place) -> Option<(Certainty, String)> {
    let rules = &learnt.rules;
    let provenance = rules.learnt.as_ref()?;
    match place {
        Place::Movement(number) => Some(of_movement(learnt, provenance, number)),
        Place::Ending(number) => {
            let games = provenance.endings.get(number).copied().unwrap_or(0);
            let open = questions(provenance, |about| about == Topic::Ending(number));
            let ending = rules.endings.get(number);
            let guess = learnt
                .unexplained
                .iter()
                .any(|one| matches!(one, Unexplained::Guess { ending: of, .. } if Some(of) == ending));
            let mut note = match games {
                0 => "No game ended so.".to_owned(),
                games => format!("{games} of {} ended so.", counted(provenance.games, "game", "games")),
            };
            told(&mut note, &open);
            let level = match games {
                _ if guess => Certainty::Guess,
                0 => Certainty::Guess,
                _ if !open.is_empty() => Certainty::Open,
                games if games < FEW_GAMES => Certainty::Thin,
                _ => Certainty::Firm,
            };
            Some((level, note))
        }
        _ => None,
    }
}

fn questions(provenance: &Provenance, about: impl Fn(Topic) -> bool) -> Vec<&str> {
    provenance.open.iter().filter(|question| about(question.about)).map(|question| question.text.as_str()).collect()
}

fn of_movement(learnt: &Learnt, provenance: &Provenance, number: usize) -> (Certainty, String) {
    let rules = &learnt.rules;
    let movement = &rules.moves[number];
    let players = rules.sides().filter(|player| match movement.side {
        Side::Both => true,
        Side::Only(only) => *player == only,
    });
    let cells: Vec<_> = players.map(|player| movement.start_for(player)).collect();
    let seen: Vec<_> = provenance.pieces.iter().filter(|record| cells.contains(&record.piece.cell())).collect();
    let open = questions(provenance, |about| matches!(about, Topic::Piece(cell) if cells.contains(&cell)));
    let moves: u64 = seen.iter().map(|record| record.moves).sum();
    let words: u64 = seen.iter().map(|record| record.words).sum();
    let mut note = if seen.is_empty() {
        String::new()
    } else {
        format!("{} of {} seen.", counted(moves, "listed move", "listed moves"), counted(words, "kind", "kinds"))
    };
    told(&mut note, &open);
    let inconsistent =
        learnt.pieces.iter().any(|piece| cells.contains(&piece.start) && (!piece.consistent || piece.given_up()));
    let is_few = moves < FEW_MOVES || moves < FEW_OF_A_KIND * words;
    let level = match open.len() {
        _ if inconsistent => Certainty::Guess,
        0 if is_few && !seen.is_empty() => Certainty::Thin,
        0 => Certainty::Firm,
        _ => Certainty::Open,
    };
    (level, note)
}

/// What has never been seen, and what the rules do not account for.
pub fn doubts(learnt: &Learnt) -> (Vec<String>, Vec<String>) {
    let open = learnt.rules.learnt.iter().flat_map(|from| &from.open).map(ToString::to_string).collect();
    let unexplained = learnt.unexplained.iter().map(ToString::to_string).collect();
    (open, unexplained)
}

#[cfg(test)]
mod tests {
    use super::*;
    use onlooker::budget::StopReason;

    /// The levels and notes of the lines of rules with such a section of what they were learnt from.
    fn judged(section: &str) -> Vec<(String, String)> {
        let text = format!(
            "game g\nplayers w b\n\nboard\n  r..\n  ...\n  ..R\n\nmoves\n  R  orthogonal(empty+)\n\nending\n  win when the next player cannot move\n\nlearnt\n{section}"
        );
        let rules = Rules::parse(&text).unwrap();
        let learnt = Learnt { rules, pieces: Vec::new(), unexplained: Vec::new(), stopped: StopReason::Done };
        let lines = lines(&learnt, None);
        let judged = lines["lines"].as_array().unwrap().iter().filter(|line| !line["level"].is_null());
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        judged.map(|line| (text(&line["level"]), text(&line["note"]))).collect()
    }

    #[test]
    fn a_line_is_as_sure_as_what_speaks_for_it_and_what_was_never_tested() {
        let section = |pieces: &str, games: u64, open: &str| {
            format!("  from 50 games 900 positions\n{pieces}  ending 1  {games} games\n{open}")
        };
        let rook = |moves: u64, kinds: u64| format!("  piece R  {moves} moves {kinds} words, 1 of (0 1 e)\n");
        for (text, movement, ending) in [
            // Some word of a rider was always seen just once.
            (
                section(&rook(33_948, 110), 40, ""),
                ("firm", "33948 listed moves of 110 kinds seen."),
                ("firm", "40 of 50 games ended so."),
            ),
            (
                section(&rook(20, 2), 9, ""),
                ("thin", "20 listed moves of 2 kinds seen."),
                ("thin", "9 of 50 games ended so."),
            ),
            (
                section(&rook(100, 60), 0, ""),
                ("thin", "100 listed moves of 60 kinds seen."),
                ("guess", "No game ended so."),
            ),
            (
                section(
                    &rook(1, 1),
                    40,
                    "  open R  two squares left\n  open R  a capture\n  open ending 1  for black\n",
                ),
                (
                    "open",
                    "1 listed move of 1 kind seen. 2 questions are open, never tested: two squares left; a capture.",
                ),
                ("open", "40 of 50 games ended so. 1 question is open, never tested: for black."),
            ),
        ] {
            let own = |(level, note): (&str, &str)| (level.to_owned(), note.to_owned());
            assert_eq!(judged(&text), [own(movement), own(ending)], "{text}");
        }
    }
}
