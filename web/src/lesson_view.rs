//! What is believed of a game, line by line: how sure each line is, and what has just changed.

use onlooker::learn::{Learnt, Unexplained};
use onlooker::rules::{Place, Provenance, Rules, Side, Topic};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

/// How sure a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Certainty {
    /// Seen often, in every form.
    Firm,
    /// Part of it was seen only once or twice.
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
                1 => "1 game ended so.".to_owned(),
                games => format!("{games} games ended so."),
            };
            open.iter().for_each(|question| {
                let _ = write!(note, " Never tested: {question}.");
            });
            let level = match games {
                _ if guess => Certainty::Guess,
                0 => Certainty::Guess,
                _ if !open.is_empty() => Certainty::Open,
                1..=2 => Certainty::Thin,
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
    let rarest = seen.iter().map(|record| record.rarest_seen).min();
    let mut note = if seen.is_empty() { String::new() } else { format!("{moves} moves of {words} kinds were listed.") };
    if let Some(rarest) = rarest.filter(|&rarest| rarest <= 2) {
        let _ = write!(note, " The rarest was seen {}.", if rarest == 1 { "once" } else { "twice" });
    }
    open.iter().for_each(|question| {
        let _ = write!(note, " Never tested: {question}.");
    });
    let inconsistent =
        learnt.pieces.iter().any(|piece| cells.contains(&piece.start) && (!piece.consistent || piece.given_up()));
    let level = match rarest {
        _ if inconsistent => Certainty::Guess,
        _ if !open.is_empty() => Certainty::Open,
        Some(..=2) => Certainty::Thin,
        _ => Certainty::Firm,
    };
    (level, note)
}

/// What has never been seen, and what the rules do not account for.
pub fn doubts(learnt: &Learnt) -> (Vec<String>, Vec<String>) {
    let open = learnt.rules.learnt.iter().flat_map(|from| &from.open).map(ToString::to_string).collect();
    let unexplained = learnt.unexplained.iter().map(ToString::to_string).collect();
    (open, unexplained)
}
