//! What learnt rules rest on, in English.

use super::wording::{counted, times};
use crate::board::{Cell, Player};
use crate::rules::{Movement, OpenQuestion, PieceRecord, Rules, Topic};

/// Where the rules come from, as a sentence.
pub fn origin(rules: &Rules) -> String {
    match &rules.learnt {
        None => "These rules were written by hand.".to_owned(),
        Some(learnt) => format!(
            "These rules were learnt by watching {} with {}.",
            counted(learnt.games, "game"),
            counted(learnt.positions, "position")
        ),
    }
}

/// What was seen of the pieces that a movement is for, a sentence for each; nothing if the rules were not learnt.
pub(crate) fn of_movement(rules: &Rules, movement: &Movement) -> Vec<String> {
    let Some(learnt) = &rules.learnt else { return Vec::new() };
    let cells: Vec<Cell> = [Player::First, Player::Second]
        .into_iter()
        .filter(|&player| movement.side.is_for(player))
        .map(|player| movement.start_for(player))
        .collect();
    let records: Vec<&PieceRecord> =
        learnt.pieces.iter().filter(|record| cells.contains(&record.piece.cell())).collect();
    if records.is_empty() && cells.iter().any(|cell| !cell.is_empty()) {
        return vec!["No move of it was listed.".to_owned()];
    }
    let mut sentences: Vec<String> = records.into_iter().map(of_piece).collect();
    let is_about = |about: Topic| matches!(about, Topic::Piece(piece) if cells.contains(&piece));
    for OpenQuestion { about, text } in learnt.open.iter().filter(|question| is_about(question.about)) {
        let Topic::Piece(piece) = about else { continue };
        sentences.push(format!("Never tested for {piece}: {}.", text.replace(' ', "\u{a0}").replace(",\u{a0}", ", ")));
    }
    sentences
}

fn of_piece(record: &PieceRecord) -> String {
    let PieceRecord { piece, moves, words, rarest, rarest_seen } = record;
    // The gaps within a word do not break.
    let rarest = rarest.to_string().replace(' ', "\u{a0}");
    format!(
        "{} of {piece} listed, with {}. The rarest, {rarest}, was seen {}.",
        counted(*moves, "move"),
        counted(*words, "different word"),
        times(*rarest_seen)
    )
}

/// How many games an ending decided, by its number.
pub(crate) fn of_ending(rules: &Rules, number: usize) -> Option<String> {
    let games = *rules.learnt.as_ref()?.endings.get(number)?;
    let mut text =
        if games == 0 { "No game ended so.".to_owned() } else { format!("{} ended so.", counted(games, "game")) };
    let open = rules.learnt.iter().flat_map(|learnt| &learnt.open);
    for question in open.filter(|question| question.about == Topic::Ending(number)) {
        text.push_str(&format!(" Never tested: {}.", question.text));
    }
    Some(text)
}
