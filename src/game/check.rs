//! Rules checked against what was seen.

use super::simulate::outcome;
use super::{Game, Role, RulesGame, Truncation};
use crate::board::Effect;
use crate::observe::{Cause, Listing, Move, Outcome, Record};
use crate::rules::State;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How well rules account for records. Reports of different games add up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Games seen.
    pub games: u64,
    /// Records seen.
    pub positions: u64,
    /// Records whose legal moves, compared by effect, and whose next position are reproduced.
    pub exact: u64,
    /// Those of them whose words agree too.
    pub words_exact: u64,
    /// Records whose outcome is reproduced.
    pub outcomes_exact: u64,
    /// MoveTally, by effect, that are listed and generated.
    pub correct: u64,
    /// MoveTally, by effect, that are listed but not generated.
    pub missing: u64,
    /// MoveTally, by effect, that are generated but not listed where all legal moves are.
    pub extra: u64,
    /// The first mismatches, at most as many as were asked for.
    pub mismatches: Vec<Mismatch>,
    /// Why the first position could not be checked that is beyond the engine's limits, if there is one. It is not exact.
    pub truncated: Option<Truncation>,
}

impl CheckReport {
    /// Whether everything is reproduced.
    pub fn holds(&self) -> bool {
        self.exact == self.positions && self.outcomes_exact == self.positions
    }

    /// The share of generated moves that are listed, where all legal moves are; 1 if none is generated.
    pub fn precision(&self) -> f64 {
        ratio(self.correct, self.correct + self.extra)
    }

    /// The share of listed moves that are generated; 1 if none is listed.
    pub fn recall(&self) -> f64 {
        ratio(self.correct, self.correct + self.missing)
    }

    /// Adds the report of games that came after these.
    pub fn merge(&mut self, later: CheckReport, keep: usize) {
        self.games += later.games;
        self.positions += later.positions;
        self.exact += later.exact;
        self.words_exact += later.words_exact;
        self.outcomes_exact += later.outcomes_exact;
        self.correct += later.correct;
        self.missing += later.missing;
        self.extra += later.extra;
        let room = keep.saturating_sub(self.mismatches.len());
        self.mismatches.extend(later.mismatches.into_iter().take(room));
        self.truncated = self.truncated.or(later.truncated);
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// Something that rules and records do not agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Which game of those checked, counted from 1.
    pub game: u64,
    /// Which record of it.
    pub record: u32,
    /// What differs.
    pub kind: MismatchKind,
}

/// What differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MismatchKind {
    /// The game does not begin as the rules say.
    Setup,
    /// The rules cannot make sense of the position.
    Position(String),
    /// These moves are legal, but the rules do not generate them.
    Missing(Vec<Move>),
    /// The rules generate these moves, but they are not legal.
    Extra(Vec<Move>),
    /// The outcome is another one.
    Outcome {
        /// What the record says.
        recorded: Option<Outcome>,
        /// What the rules say.
        computed: Option<Outcome>,
    },
    /// The move played leads to another position or another player's turn.
    Next,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "game {}, record {}: ", self.game, self.record)?;
        let list = |moves: &[Move]| {
            let shown: Vec<String> = moves.iter().take(3).map(ToString::to_string).collect();
            let more = moves.len().saturating_sub(3);
            if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
        };
        let name = |outcome: &Option<Outcome>| match outcome {
            None => "the game goes on",
            Some(Outcome::Won) => "won",
            Some(Outcome::Tied) => "tied",
            Some(Outcome::Lost) => "lost",
        };
        match &self.kind {
            MismatchKind::Setup => f.write_str("the game does not begin as in the rules"),
            MismatchKind::Position(reason) => f.write_str(reason),
            MismatchKind::Missing(moves) => write!(f, "legal but not generated: {}", list(moves)),
            MismatchKind::Extra(moves) => write!(f, "generated but not legal: {}", list(moves)),
            MismatchKind::Outcome { recorded, computed } => {
                write!(f, "the record says {}, the rules say {}", name(recorded), name(computed))
            }
            MismatchKind::Next => {
                f.write_str("the move played leads to another position or turn than the next record's")
            }
        }
    }
}

/// Checks rules against the records of one game, keeping at most `keep` mismatches; `number` is the game's.
///
/// After a position beyond the engine's limits, which takes long, nothing else of the game is checked, and none of it is exact.
pub fn check_game(game: &RulesGame, records: &[Record], number: u64, keep: usize) -> CheckReport {
    let mut check = GameCheck { game, report: CheckReport { games: 1, ..CheckReport::default() }, number, keep };
    for (i, record) in records.iter().enumerate() {
        check.record(record, records.get(i + 1));
    }
    check.report
}

struct GameCheck<'g> {
    game: &'g RulesGame,
    report: CheckReport,
    number: u64,
    keep: usize,
}

impl GameCheck<'_> {
    fn differs(&mut self, record: &Record, kind: MismatchKind) {
        if self.report.mismatches.len() < self.keep {
            self.report.mismatches.push(Mismatch { game: self.number, record: record.number, kind });
        }
    }

    fn record(&mut self, record: &Record, next: Option<&Record>) {
        self.report.positions += 1;
        if self.report.truncated.is_some() {
            return;
        }
        let state = match self.game.state(&record.position, record.turn, record.number - 1) {
            Ok(state) => state,
            Err(error) => {
                self.report.missing += record.moves.len() as u64;
                return self.differs(record, MismatchKind::Position(error.to_string()));
            }
        };
        self.outcome(record, &state);
        // Where people broke a game off, the position says nothing: there are legal moves that nobody listed.
        if record.is_terminal() && record.cause != Cause::Position {
            self.report.exact += 1;
            self.report.words_exact += 1;
            return;
        }
        let moves = MoveTally::of(self.game, &state, record);
        let mut exact = true;
        if moves.is_stuck
            && let Some(reason) = self.game.truncation(&state)
        {
            exact = false;
            self.report.truncated.get_or_insert(reason);
        }
        if record.number == 1 && state != self.game.start() {
            exact = false;
            self.differs(record, MismatchKind::Setup);
        }
        self.report.correct += moves.correct;
        self.report.missing += moves.missing.len() as u64;
        self.report.extra += moves.extra.len() as u64;
        exact &= moves.missing.is_empty() && moves.extra.is_empty();
        if !moves.missing.is_empty() {
            self.differs(record, MismatchKind::Missing(moves.missing));
        }
        if !moves.extra.is_empty() {
            self.differs(record, MismatchKind::Extra(moves.extra));
        }
        if let (Some(after), Some(next)) = (&moves.after, next)
            && (self.game.board(after).cells() != next.position.cells() || self.game.turn(after) != next.turn)
        {
            exact = false;
            self.differs(record, MismatchKind::Next);
        }
        self.report.exact += u64::from(exact);
        self.report.words_exact += u64::from(exact && moves.words_agree);
    }

    fn outcome(&mut self, record: &Record, state: &State) {
        let computed = self.game.verdict(state).map(outcome);
        let recorded = if record.cause == Cause::Position { record.outcome } else { None };
        if computed == recorded {
            self.report.outcomes_exact += 1;
        } else {
            self.differs(record, MismatchKind::Outcome { recorded, computed });
        }
    }
}

/// The moves of a record beside those of the rules.
struct MoveTally {
    correct: u64,
    missing: Vec<Move>,
    extra: Vec<Move>,
    words_agree: bool,
    /// Whether the rules have no move.
    is_stuck: bool,
    /// Where the rules get with the move played, if they have it.
    after: Option<State>,
}

impl MoveTally {
    fn of(game: &RulesGame, state: &State, record: &Record) -> MoveTally {
        let mut legal = Vec::new();
        game.legal(state, Role(record.turn.index() as u8), &mut legal);
        let mut generated: BTreeMap<Effect, usize> = BTreeMap::new();
        let mut words: Vec<Move> = Vec::with_capacity(legal.len());
        for (i, choice) in legal.iter().enumerate() {
            let (start, word) = game.word(state, choice);
            // What a generated word does is what the format says it does, or it does not count as that move.
            if let Ok(effect) = record.position.effect(record.turn, start, &word) {
                generated.entry(effect).or_insert(i);
            }
            words.push(Move::Word { start, word });
        }
        let mut listed: BTreeMap<Effect, &Move> = BTreeMap::new();
        for choice in &record.moves {
            if let Ok(effect) = record.effect(choice) {
                listed.entry(effect).or_insert(choice);
            }
        }
        let known: BTreeSet<&Move> = words.iter().collect();
        let all = record.listing == Listing::All;
        let missing: Vec<Move> = listed
            .iter()
            .filter(|(effect, _)| !generated.contains_key(effect))
            .map(|(_, &choice)| choice.clone())
            .collect();
        let extra = generated.iter().filter(|(effect, _)| all && !listed.contains_key(effect));
        let after = record.played().and_then(|played| record.effect(played).ok()).and_then(|effect| {
            let choice = &legal[*generated.get(&effect)?];
            let mut after = state.clone();
            game.play(&mut after, std::slice::from_ref(choice));
            Some(after)
        });
        MoveTally {
            correct: (listed.len() - missing.len()) as u64,
            extra: extra.map(|(_, &i)| words[i].clone()).collect(),
            words_agree: record.moves.iter().all(|choice| known.contains(choice))
                && (!all || known.len() == record.moves.len()),
            missing,
            is_stuck: legal.is_empty(),
            after,
        }
    }
}
