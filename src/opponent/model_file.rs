//! The text form of a model: what a person can read and edit, with the place of what is wrong in it.
//!
//! ```text
//! opponent 1
//! game tic-tac-toe
//! role o
//! player alphabeta:9
//! learnt games 100
//! model bayes
//! move 57 (mark 1 1)
//!   30 (cell 2 2 x)
//! end
//! ```
//!
//! A model of Naive Bayes is its counts: in how many turns a move was played, and in how many of them each fact held. Files of the same
//! game and role merge by adding them up. A model of moves has a line for the weight of every feature, and how far it may still change.

use super::bayes_model::{BayesModel, BayesOptions};
use super::model::{OpponentModel, Predictor};
use super::move_features::MoveView;
use super::move_model::{MoveModel, Weight};
use super::naive_bayes::ClassId;
use crate::game::Term;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

/// A text that is no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .problems.first().map_or_else(String::new, |problem| problem.message.clone()))]
pub struct ModelError {
    /// The text.
    pub text: String,
    /// What is wrong with it, in the order of the text; at least one.
    pub problems: Vec<ModelProblem>,
}

/// Something wrong in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelProblem {
    /// Its bytes in the text.
    pub span: Range<usize>,
    /// What was found, and what was expected.
    pub message: String,
}

/// Models of different games or roles, or of which the counts cannot be added up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found {found}, expected {expected}")]
pub struct MergeModelError {
    /// What the other one is.
    pub found: String,
    /// What it should be.
    pub expected: String,
}

/// No count may be larger, so that sums do not overflow.
const MOST_COUNT: u64 = 1 << 50;
const MOST_WEIGHT: f64 = 1e6;
/// Reading ends with so many problems.
const MOST_PROBLEMS: usize = 20;

impl fmt::Display for OpponentModel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "opponent 1")?;
        writeln!(f, "; How a player plays the role {}: lines after ';' are comments.", one_line(&self.role))?;
        writeln!(f, "game {}", one_line(&self.game))?;
        writeln!(f, "role {}", one_line(&self.role))?;
        self.player.iter().try_for_each(|player| writeln!(f, "player {}", one_line(player)))?;
        self.against.iter().try_for_each(|against| writeln!(f, "against {}", one_line(against)))?;
        for (what, value) in &self.learnt {
            writeln!(f, "learnt {} {}", one_line(what).replace(' ', "-"), one_line(value))?;
        }
        self.waits.iter().try_for_each(|term| writeln!(f, "waits {term}"))?;
        writeln!(f, "temperature {}", self.temperature)?;
        match &self.predictor {
            Predictor::Bayes(model) => write_bayes(f, model)?,
            Predictor::Moves(model) => write_moves(f, model)?,
        }
        writeln!(f, "end")
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ").trim().to_owned()
}

fn write_bayes(f: &mut fmt::Formatter, model: &BayesModel) -> fmt::Result {
    let options = model.options();
    writeln!(f, "model bayes")?;
    writeln!(f, "smoothing {}", options.smoothing)?;
    writeln!(f, "features {}", options.features)?;
    writeln!(f, "legal {}", if options.legal { "yes" } else { "no" })?;
    writeln!(f, "; In how many turns a move was played, and in how many of those each fact held.")?;
    let mut moves: Vec<(&Term, ClassId)> = model.move_terms().iter().zip((0..).map(ClassId)).collect();
    moves.sort();
    let counts = model.counts();
    for (term, class) in moves.into_iter().filter(|&(_, class)| counts.class_count(class) > 0) {
        writeln!(f, "move {} {term}", counts.class_count(class))?;
        let present = counts.row(class).iter().zip(model.feature_terms()).filter(|(times, _)| **times > 0);
        let mut present: Vec<(&Term, u64)> = present.map(|(&times, term)| (term, times)).collect();
        present.sort();
        present.iter().try_for_each(|(term, times)| writeln!(f, "  {times} {term}"))?;
    }
    Ok(())
}

fn write_moves(f: &mut fmt::Formatter, model: &MoveModel) -> fmt::Result {
    let view = model.view();
    writeln!(f, "model moves")?;
    writeln!(f, "effects {}", if view.effects { "yes" } else { "no" })?;
    writeln!(f, "ahead {} {}", view.ahead, view.nodes)?;
    model.played().iter().try_for_each(|(term, times)| writeln!(f, "played {times} {term}"))?;
    writeln!(f, "; The weight of a feature, how much it was learnt, and its name.")?;
    let mut weights: Vec<&Weight> =
        model.weights().iter().filter(|weight| weight.seen > 0.0 || weight.value != 0.0).collect();
    weights.sort_by(|one, other| one.name.cmp(&other.name));
    weights.iter().try_for_each(|weight| writeln!(f, "weight {} {} {}", weight.value, weight.seen, weight.name))
}

impl OpponentModel {
    /// Reads a model.
    ///
    /// # Errors
    ///
    /// The text is none; every problem with its place.
    pub fn parse(text: &str) -> Result<OpponentModel, ModelError> {
        let mut reader = Reader { text, at: 0, problems: Vec::new() };
        let model = reader.model();
        match model {
            Some(mut model) if reader.problems.is_empty() => {
                if let Predictor::Bayes(bayes) = &mut model.predictor {
                    bayes.select();
                }
                Ok(model)
            }
            _ => Err(ModelError { text: text.to_owned(), problems: reader.problems }),
        }
    }

    /// Adds the counts of another model of the same game and role.
    ///
    /// # Errors
    ///
    /// It is of another game or role, or one of the two is a model of moves, which has no counts.
    pub fn merge(&mut self, other: &OpponentModel) -> Result<(), MergeModelError> {
        let place = |model: &OpponentModel| format!("a model of {} in {}", model.role, model.game);
        if (&self.game, &self.role) != (&other.game, &other.role) {
            return Err(MergeModelError { found: place(other), expected: place(self) });
        }
        let (Predictor::Bayes(own), Predictor::Bayes(theirs)) = (&mut self.predictor, &other.predictor) else {
            return Err(MergeModelError {
                found: "a model of moves, whose weights do not add up".to_owned(),
                expected: "models of Naive Bayes".to_owned(),
            });
        };
        for (term, class) in theirs.move_terms().iter().zip((0..).map(ClassId)) {
            let here = own.intern_move(term);
            own.add_move(here, theirs.counts().class_count(class));
            for (&times, feature) in
                theirs.counts().row(class).iter().zip(theirs.feature_terms()).filter(|(times, _)| **times > 0)
            {
                own.add_feature(here, feature, times);
            }
        }
        own.select();
        self.waits.extend(other.waits.iter().cloned());
        Ok(())
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    problems: Vec<ModelProblem>,
}

/// A line by words, each with its place.
struct Line<'a> {
    rest: &'a str,
    at: usize,
}

impl<'a> Line<'a> {
    /// The next word and where it begins.
    fn word(&mut self) -> (&'a str, usize) {
        let trimmed = self.rest.trim_start();
        self.at += self.rest.len() - trimmed.len();
        let length = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        let found = (&trimmed[..length], self.at);
        self.at += length;
        self.rest = &trimmed[length..];
        found
    }

    /// All that is left, and where it begins.
    fn tail(&mut self) -> (&'a str, usize) {
        let trimmed = self.rest.trim_start();
        self.at += self.rest.len() - trimmed.len();
        self.rest = trimmed;
        (trimmed.trim_end(), self.at)
    }
}

/// What the head of a file says about a predictor.
struct Head {
    bayes: BayesOptions,
    view: MoveView,
}

impl<'a> Reader<'a> {
    /// The next line that is no comment; `None` at the end.
    fn line(&mut self) -> Option<Line<'a>> {
        while self.at < self.text.len() {
            let begin = self.at;
            let length = self.text[begin..].find('\n').unwrap_or(self.text.len() - begin);
            self.at = (begin + length + 1).min(self.text.len());
            let line = &self.text[begin..begin + length];
            let line = line.strip_suffix('\r').unwrap_or(line);
            let kept = line.trim_start();
            if !kept.is_empty() && !kept.starts_with(';') {
                return Some(Line { rest: line, at: begin });
            }
        }
        None
    }

    fn problem(&mut self, found: &str, at: usize, expected: &str) {
        let shown: String = found.chars().take(40).collect();
        let shown = if found.is_empty() { "nothing".to_owned() } else { format!("{shown:?}") };
        let end = (at + found.len()).min(self.text.len());
        let span = at.min(self.text.len())..end;
        self.problems.push(ModelProblem { span, message: format!("found {shown}, expected {expected}") });
    }

    fn count(&mut self, line: &mut Line<'a>) -> Option<u64> {
        let (word, at) = line.word();
        let count =
            word.parse::<u64>().ok().filter(|count| *count <= MOST_COUNT && word.bytes().all(|b| b.is_ascii_digit()));
        if count.is_none() {
            self.problem(word, at, "a whole number of at most 1125899906842624");
        }
        count
    }

    fn number(&mut self, line: &mut Line<'a>, least: f64, most: f64) -> Option<f64> {
        let (word, at) = line.word();
        let number = word.parse::<f64>().ok().filter(|number| number.is_finite() && (least..=most).contains(number));
        if number.is_none() {
            self.problem(word, at, &format!("a number from {least} to {most}"));
        }
        number
    }

    fn term(&mut self, line: &mut Line<'a>) -> Option<Term> {
        let (text, at) = line.tail();
        match text.parse::<Term>() {
            Ok(term) => Some(term),
            Err(error) => {
                self.problem(text, at, &format!("a term such as (mark 1 1): {}", error.reason));
                None
            }
        }
    }

    fn yes(&mut self, line: &mut Line<'a>) -> bool {
        let (text, at) = line.tail();
        if text != "yes" && text != "no" {
            self.problem(text, at, "yes or no");
        }
        text == "yes"
    }

    fn rest(&mut self, line: &mut Line<'a>, expected: &str) -> Option<String> {
        let (text, at) = line.tail();
        if text.is_empty() {
            self.problem(text, at, expected);
            return None;
        }
        Some(text.to_owned())
    }

    fn model(&mut self) -> Option<OpponentModel> {
        let Some(mut first) = self.line() else {
            self.problem("", 0, "a first line 'opponent 1'");
            return None;
        };
        let (word, at) = first.word();
        let (version, place) = first.word();
        if word != "opponent" {
            self.problem(word, at, "a first line 'opponent 1'");
            return None;
        }
        if version != "1" {
            self.problem(version, place, "1: another version of the program wrote this");
            return None;
        }
        let mut model = OpponentModel::new("", "", super::model::ModelOptions::default());
        let mut head = Head { bayes: BayesOptions::default(), view: MoveView::default() };
        let mut predictor: Option<Predictor> = None;
        let mut current: Option<ClassId> = None;
        let mut seen: BTreeSet<&'a str> = BTreeSet::new();
        let mut ended = false;
        while let Some(mut line) = self.line() {
            if self.problems.len() >= MOST_PROBLEMS {
                return None;
            }
            let (word, at) = line.word();
            if ended {
                self.problem(word, at, "nothing after the line 'end'");
                break;
            }
            let once = [
                "game",
                "role",
                "player",
                "against",
                "temperature",
                "model",
                "smoothing",
                "features",
                "legal",
                "effects",
                "ahead",
            ];
            if once.contains(&word) && !seen.insert(word) {
                self.problem(word, at, "it once");
                continue;
            }
            match word {
                "end" => {
                    ended = true;
                    let (more, at) = line.tail();
                    if !more.is_empty() {
                        self.problem(more, at, "nothing after 'end'");
                    }
                }
                "game" => model.game = self.rest(&mut line, "the name of a game").unwrap_or_default(),
                "role" => model.role = self.rest(&mut line, "the name of a role").unwrap_or_default(),
                "player" => model.player = self.rest(&mut line, "a player"),
                "against" => model.against = self.rest(&mut line, "a player"),
                "learnt" => {
                    let (what, place) = line.word();
                    if what.is_empty() {
                        self.problem(what, place, "what is known about where the model comes from");
                    }
                    model.learnt.push((what.to_owned(), line.tail().0.to_owned()));
                }
                "waits" => model.waits.extend(self.term(&mut line)),
                "temperature" => model.temperature = self.number(&mut line, 1e-3, 1e3).unwrap_or(1.0),
                "smoothing" => head.bayes.smoothing = self.number(&mut line, 1e-9, 1e6).unwrap_or(1.0),
                "features" => head.bayes.features = self.count(&mut line).unwrap_or(0) as usize,
                "legal" => head.bayes.legal = self.yes(&mut line),
                "effects" => head.view.effects = self.yes(&mut line),
                "ahead" => {
                    head.view.ahead = self.count(&mut line).unwrap_or(0).min(20) as u16;
                    head.view.nodes = self.count(&mut line).unwrap_or(0).min(1_000_000);
                }
                "model" => match line.tail() {
                    ("bayes", _) => predictor = Some(Predictor::Bayes(BayesModel::new(head.bayes))),
                    ("moves", _) => predictor = Some(Predictor::Moves(MoveModel::new(head.view))),
                    (other, place) => self.problem(other, place, "bayes or moves"),
                },
                "move" => match &mut predictor {
                    Some(Predictor::Bayes(bayes)) => {
                        if bayes.move_terms().is_empty() {
                            // What the head says holds for all that follows.
                            *bayes = BayesModel::new(head.bayes);
                        }
                        let times = self.count(&mut line);
                        let (text, place) = line.tail();
                        if let (Some(times), Some(term)) = (times, self.term(&mut line)) {
                            if bayes.knows_move(&term) {
                                self.problem(text, place, "each move once");
                            }
                            let class = bayes.intern_move(&term);
                            bayes.add_move(class, times);
                            current = Some(class);
                        }
                    }
                    _ => self.problem(word, at, "a line 'model bayes' before moves that were counted"),
                },
                "played" => match &mut predictor {
                    Some(Predictor::Moves(moves)) => {
                        let times = self.count(&mut line);
                        if let (Some(times), Some(term)) = (times, self.term(&mut line)) {
                            moves.add_played(&term, times);
                        }
                    }
                    _ => self.problem(word, at, "a line 'model moves' before moves that were played"),
                },
                "weight" => match &mut predictor {
                    Some(Predictor::Moves(moves)) => {
                        let value = self.number(&mut line, -MOST_WEIGHT, MOST_WEIGHT);
                        let seen = self.number(&mut line, 0.0, f64::MAX);
                        let (_, place) = line.tail();
                        let name = self.rest(&mut line, "the name of a feature");
                        if let (Some(value), Some(seen), Some(name)) = (value, seen, name)
                            && !moves.add_weight(Weight { name: name.clone(), value, seen })
                        {
                            self.problem(&name, place, "each feature once");
                        }
                    }
                    _ => self.problem(word, at, "a line 'model moves' before weights"),
                },
                digits if digits.starts_with(|c: char| c.is_ascii_digit()) => match (&mut predictor, current) {
                    (Some(Predictor::Bayes(bayes)), Some(class)) => {
                        let times = digits.parse::<u64>().ok().filter(|times| *times <= MOST_COUNT);
                        let most = bayes.counts().class_count(class);
                        match times.filter(|times| *times <= most) {
                            None => {
                                let expected =
                                    format!("a whole number of at most {most}, as often as the move was played");
                                self.problem(digits, at, &expected);
                            }
                            Some(times) => {
                                let (text, place) = line.tail();
                                if let Some(term) = self.term(&mut line) {
                                    let known = bayes.feature_number(&term);
                                    let before =
                                        known.and_then(|feature| bayes.counts().row(class).get(feature).copied());
                                    if before.unwrap_or(0) > 0 {
                                        self.problem(text, place, "each fact once for a move");
                                    } else {
                                        bayes.add_feature(class, &term, times);
                                    }
                                }
                            }
                        }
                    }
                    _ => self.problem(digits, at, "a line 'move' before facts that were counted with it"),
                },
                other => {
                    let expected = "one of game, role, player, against, learnt, waits, temperature, model, smoothing, features, \
                                    legal, effects, ahead, move, played, weight, a count with a fact, or end";
                    self.problem(other, at, expected);
                }
            }
        }
        if !ended && self.problems.is_empty() {
            self.problem("", self.text.len(), "a last line 'end': the file is cut off");
        }
        for (name, missing) in [("game", model.game.is_empty()), ("role", model.role.is_empty())] {
            if missing && self.problems.is_empty() {
                self.problem("", self.text.len(), &format!("a line '{name}'"));
            }
        }
        if predictor.is_none() && self.problems.is_empty() {
            self.problem("", self.text.len(), "a line 'model bayes' or 'model moves'");
        }
        if let Some(Predictor::Bayes(bayes)) = &mut predictor
            && bayes.move_terms().is_empty()
        {
            *bayes = BayesModel::new(head.bayes);
        }
        if let Some(Predictor::Moves(moves)) = &mut predictor {
            moves.set_view(head.view);
        }
        model.predictor = predictor?;
        Some(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BAYES: &str = "opponent 1\ngame g\nrole o\nplayer alphabeta:9,eval=none\nlearnt games 3\nwaits noop\ntemperature 1.5\nmodel bayes\nlegal yes\n\
                         move 3 (mark 1 1)\n  2 (cell 1 1 b)\n 1 (legal (mark 1 1))\nmove 1 noop\nend\n";
    const MOVES: &str = "opponent 1\ngame a b.kif\nrole o\nmodel moves\neffects no\nahead 2 100\nplayed 4 (mark 1 1)\nweight -0.5 2.25 near | cell _ _ o | 1 0 | nothing\nend\n";

    #[test]
    fn what_is_written_is_read_again() {
        for text in [BAYES, MOVES] {
            let model = OpponentModel::parse(text).unwrap_or_else(|error| panic!("{error:?}"));
            let written = model.to_string();
            let again = OpponentModel::parse(&written).unwrap();
            assert_eq!(again.to_string(), written);
        }
        let model = OpponentModel::parse(BAYES).unwrap();
        assert_eq!((model.turns(), model.temperature, model.feature_count()), (4, 1.5, 2));
        assert_eq!(OpponentModel::parse(MOVES).unwrap().turns(), 4);
    }

    #[test]
    fn counts_merge() {
        let (mut one, other) = (OpponentModel::parse(BAYES).unwrap(), OpponentModel::parse(BAYES).unwrap());
        one.merge(&other).unwrap();
        assert!(one.to_string().contains("move 6 (mark 1 1)\n  4 (cell 1 1 b)\n"), "{one}");
        let moves = OpponentModel::parse(MOVES).unwrap();
        assert!(one.merge(&moves).unwrap_err().to_string().contains("expected a model of o in g"));
    }

    #[test]
    fn what_is_wrong_is_reported_with_its_place() {
        for (from, to, place, says) in [
            ("opponent 1", "opponent 2", "2", "another version"),
            ("opponent 1", "concepts(1).", "concepts(1).", "first line 'opponent 1'"),
            ("move 3", "move x", "x", "a whole number"),
            ("  2 (cell", "  4 (cell", "4", "at most 3"),
            ("(cell 1 1 b)", "(cell 1 1", "(cell 1 1", "a term such as"),
            ("model bayes", "model trees", "trees", "bayes or moves"),
            ("temperature 1.5", "temperature nan", "nan", "a number from"),
            ("role o\n", "role\n", "", "the name of a role"),
            ("end\n", "", "", "cut off"),
            ("end\n", "end\nmore\n", "more", "nothing after"),
            ("game g\n", "game g\ngame h\n", "game", "it once"),
            ("move 1 noop", "move 1 (mark 1 1)", "(mark 1 1)", "each move once"),
            ("legal yes", "legal perhaps", "perhaps", "yes or no"),
            ("learnt games 3", "lernt games 3", "lernt", "one of game"),
        ] {
            let error = OpponentModel::parse(&BAYES.replacen(from, to, 1)).unwrap_err();
            let problem = &error.problems[0];
            assert!(problem.message.contains(says), "{to}: {}", problem.message);
            assert_eq!(&error.text[problem.span.clone()], place, "{to}");
        }
        assert!(OpponentModel::parse("").is_err());
    }
}
