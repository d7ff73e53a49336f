//! A line about a move for those who study how the player plays: one JSON object.

use onlooker::concepts::Study;
use onlooker::game::{Game, GdlGame, Term};
use onlooker::play::Choice;
use serde_json::json;
use std::fmt;
use std::time::Duration;

/// What there is to say about a move.
pub struct MoveReport<'a> {
    pub id: &'a str,
    pub ply: u64,
    pub role: &'a str,
    pub answer: &'a Term,
    pub took: Duration,
    /// How many moves there were to choose from.
    pub choices: usize,
    pub choice: Option<&'a Choice<<GdlGame as Game>::Move>>,
    /// What is expected to be played, beginning with this move.
    pub line: Vec<String>,
    /// What the trees grow in.
    pub engine: &'static str,
    pub study: Option<&'a Study>,
    /// Whether a model of the opponents is used.
    pub opponents: bool,
}

impl fmt::Display for MoveReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let choice = self.choice;
        let parts: Vec<&str> = self.study.iter().flat_map(|study| &study.parts).map(|part| part.name()).collect();
        let trials = self.study.iter().flat_map(|study| &study.tallies);
        let trials: serde_json::Map<String, serde_json::Value> =
            trials.map(|(part, tally)| (part.name().to_owned(), json!([tally.won, tally.drawn, tally.lost]))).collect();
        let report = json!({
            "match": self.id,
            "move": self.ply,
            "role": self.role,
            "answer": self.answer.to_string(),
            "choices": self.choices,
            "ms": self.took.as_millis() as u64,
            "playouts": choice.map_or(0, |choice| choice.playouts),
            "nodes": choice.map_or(0, |choice| choice.nodes),
            "depth": self.line.len(),
            "value": choice.and_then(|choice| choice.value),
            "certain": choice.is_some_and(|choice| choice.proved),
            "line": self.line,
            "engine": self.engine,
            "knowledge": {
                "studied": self.study.is_some(),
                "parts": parts,
                "trials": trials,
                "gain": self.study.map_or(0.0, |study| study.gain),
                "opponents": self.opponents,
            },
        });
        report.fmt(f)
    }
}
