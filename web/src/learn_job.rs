//! A game that is learnt while one looks on: games come in one after another, and the rules are induced again and again.

use crate::error::ApiError;
use crate::games::LoadedGame;
use crate::jobs::Job;
use crate::lesson_view::{doubts, lines, rules_text};
use crate::position_view::board;
use crate::store::{Document, Kind, Store};
use onlooker::board::Player as Side;
use onlooker::game::{AnyGame, CheckReport, RulesGame, SimulationPlan, check_game, random_game};
use onlooker::learn::{Evidence, Learnt, Options, learn};
use onlooker::observe::{Decompressor, GameReader, Listing, LogError, Outcome, Record};
use onlooker::relearn::NoRules;
use onlooker::relearn::SheetBoard;
use rayon::ThreadPool;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What to learn from, and how.
#[derive(Clone, Debug, Deserialize)]
pub struct LearnRequest {
    /// A game, or the id of a log or of evidence.
    pub source: String,
    /// Whether every legal move is listed, or only the one played.
    #[serde(default)]
    pub some: bool,
    /// How many games, at most.
    #[serde(default)]
    pub games: Option<u64>,
    #[serde(default)]
    pub seed: Option<u64>,
    /// Milliseconds between games.
    #[serde(default)]
    pub delay: Option<u64>,
    /// The game that a log is of, if somebody knows: what was learnt is checked against it.
    #[serde(default)]
    pub truth: Option<String>,
}

/// Where games come from.
pub enum Source {
    Game(Arc<LoadedGame>),
    Log(Document),
    Evidence(Document),
}

/// All that a learning job needs.
pub struct LearnJob {
    pub request: LearnRequest,
    pub source: Source,
    pub truth: Option<Arc<LoadedGame>>,
    pub store: Arc<Store>,
    /// Where heavy work is done, so that something is left for those who click.
    pub workers: Arc<ThreadPool>,
}

/// Games of a source that has no end of its own.
const USUAL_GAMES: u64 = 100;
const MOST_GAMES: u64 = 100_000;
/// A game that lasts longer is cut short.
const PLIES: u32 = 2_000;
/// Fresh games on which every version of the rules is checked, and the last one.
const CHECK_GAMES: u64 = 10;
const LAST_CHECK_GAMES: u64 = 100;
/// After so long a check ends with the games it has looked at.
const CHECK_TIME: Duration = Duration::from_secs(5);
/// Not every game of a long log is shown.
const BETWEEN_SHOWN: Duration = Duration::from_millis(120);
/// Damaged games that are reported one by one.
const REPORTED: u64 = 20;
/// How many steps each search for a piece's movement may take.
const BUDGET: u64 = 200_000_000;

/// Counts what is read of a log.
struct Counted<R> {
    inner: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Plays random games of a game that is known.
#[derive(Clone)]
struct Player {
    game: Arc<LoadedGame>,
    board: Option<SheetBoard>,
}

impl Player {
    fn new(game: &Arc<LoadedGame>) -> Result<Player, ApiError> {
        let board = game.sheet_board().cloned();
        if game.rules().is_none() && board.is_none() {
            return Err(ApiError::bad(format!(
                "the facts of {} describe no board, so there is nothing to watch",
                game.id
            )));
        }
        Ok(Player { game: Arc::clone(game), board })
    }

    fn play(&self, plan: &SimulationPlan, number: u64) -> Result<Vec<Record>, ApiError> {
        match (&*self.game.game, &self.board) {
            (AnyGame::Rules(game), _) => random_game(game, plan, number).map_err(ApiError::bad),
            (AnyGame::Sheet(game), Some(board)) => board.random_game(game, plan, number).map_err(ApiError::bad),
            (AnyGame::Sheet(_), None) => Err(ApiError::bad("there is no board")),
        }
    }
}

enum Games {
    Simulated(Box<Player>, SimulationPlan),
    Log(Box<GameReader<Counted<Decompressor<File>>>>),
}

enum NextGame {
    Game(Vec<Record>),
    Damaged(LogError),
    End,
}

impl Games {
    fn next(&mut self, number: u64) -> Result<NextGame, ApiError> {
        Ok(match self {
            Games::Simulated(_, plan) if number >= plan.games => NextGame::End,
            Games::Simulated(player, plan) => NextGame::Game(player.play(plan, number)?),
            Games::Log(reader) => match reader.next() {
                None => NextGame::End,
                Some(Ok(records)) => NextGame::Game(records),
                Some(Err(error)) => NextGame::Damaged(error),
            },
        })
    }
}

/// What a game showed that the rules did not account for.
struct Surprise {
    game: u64,
    record: u32,
    why: String,
    board: Value,
    turn: char,
}

/// What is believed now.
struct Belief {
    learnt: Learnt,
    text: String,
    game: Option<RulesGame>,
}

struct Course<'j> {
    job: &'j Job,
    work: LearnJob,
    evidence: Evidence,
    belief: Option<Belief>,
    surprise: Option<Surprise>,
    truth: Option<Player>,
    /// How long it took to induce rules the last time.
    took: Duration,
    /// After how many games rules are induced next.
    next: u64,
}

impl LearnJob {
    /// Learns until the games are over or it is stopped.
    pub fn run(self, job: &Job) -> Result<(), ApiError> {
        let truth = match (&self.source, &self.truth) {
            (_, Some(truth)) | (Source::Game(truth), None) => Some(Player::new(truth)?),
            _ => None,
        };
        let evidence = match &self.source {
            Source::Evidence(document) => {
                let read = Evidence::read(BufReader::new(document.open()?));
                read.map_err(|error| ApiError::bad(format!("{}: {error}", document.name)))?
            }
            _ => Evidence::default(),
        };
        let mut course =
            Course { job, work: self, evidence, belief: None, surprise: None, truth, took: Duration::ZERO, next: 1 };
        course.run()
    }

    fn name(&self) -> String {
        match &self.source {
            Source::Game(game) => onlooker::game::Game::name(&*game.game).to_owned(),
            Source::Log(document) | Source::Evidence(document) => {
                document.name.split('.').next().unwrap_or("learnt").to_owned()
            }
        }
    }
}

impl Course<'_> {
    fn run(&mut self) -> Result<(), ApiError> {
        let request = &self.work.request;
        let bytes = Arc::new(AtomicU64::new(0));
        let mut total = None;
        let listing = if request.some { Listing::Some } else { Listing::All };
        let (seed, most) = (request.seed.unwrap_or(1), request.games.unwrap_or(USUAL_GAMES).min(MOST_GAMES));
        let games = match &self.work.source {
            Source::Game(game) => {
                let plan = SimulationPlan { games: most, listing, seed, plies: PLIES };
                Some(Games::Simulated(Box::new(Player::new(game)?), plan))
            }
            Source::Log(document) => {
                total = Some(document.bytes);
                let log = Counted { inner: document.open()?, bytes: Arc::clone(&bytes) };
                Some(Games::Log(Box::new(GameReader::new(log))))
            }
            Source::Evidence(_) => None,
        };
        if let Some(games) = games {
            self.watch(games, &bytes, total)?;
        }
        if self.evidence.games() == 0 {
            return Err(ApiError::bad("there is no game to learn from, expected at least one complete game"));
        }
        if !self.job.is_stopped() || self.belief.is_none() {
            self.induce()?;
        }
        self.finish()
    }

    fn watch(&mut self, mut games: Games, bytes: &AtomicU64, total: Option<u64>) -> Result<(), ApiError> {
        let (mut number, mut damaged) = (0, 0);
        let mut shown: Option<Instant> = None;
        loop {
            if !self.job.pace() {
                return Ok(());
            }
            let records = match games.next(number)? {
                NextGame::End => return Ok(()),
                NextGame::Damaged(error) => {
                    (number, damaged) = (number + 1, damaged + 1);
                    if damaged <= REPORTED {
                        self.job.send(&json!({
                            "type": "damaged", "game": error.game, "line": error.line, "column": error.column,
                            "message": error.problem.to_string(), "text": error.to_string(), "excerpt": error.excerpt(),
                        }));
                    }
                    continue;
                }
                NextGame::Game(records) => records,
            };
            number += 1;
            self.compare(number, &records);
            if let Err(refused) = self.evidence.observe(&records) {
                damaged += 1;
                self.job.send(&json!({ "type": "damaged", "game": number, "message": refused.to_string(), "text": format!("game {number}: {refused}") }));
                continue;
            }
            if shown.is_none_or(|shown| shown.elapsed() > BETWEEN_SHOWN) || self.job.is_slow() {
                shown = Some(Instant::now());
                let mut event = game_event(number, &records);
                event["games"] = json!(self.evidence.games());
                event["positions"] = json!(self.evidence.positions());
                event["damaged"] = json!(damaged);
                event["read"] = json!(bytes.load(Ordering::Relaxed));
                event["total"] = json!(total);
                self.job.send(&event);
            }
            let seldom = self.evidence.games() >= self.next;
            let eager = self.job.is_slow() && self.took < Duration::from_millis(300);
            if seldom || eager {
                self.induce()?;
                let games = self.evidence.games();
                self.next = games + (games / if self.took > Duration::from_millis(300) { 3 } else { 6 }).max(1);
            }
        }
    }

    /// Looks for the first position that the rules do not account for.
    fn compare(&mut self, number: u64, records: &[Record]) {
        // Where games come fast, some are enough.
        if self.surprise.is_some() || !self.job.is_slow() && number > 200 && !number.is_multiple_of(16) {
            return;
        }
        let Some(game) = self.belief.as_ref().and_then(|belief| belief.game.as_ref()) else { return };
        let report = check_game(game, records, number, 1);
        if let Some(mismatch) = report.mismatches.first()
            && let Some(record) = records.iter().find(|record| record.number == mismatch.record)
        {
            self.surprise = Some(Surprise {
                game: number,
                record: mismatch.record,
                why: mismatch.to_string(),
                board: board(&record.position),
                turn: record.turn.letter(),
            });
        }
    }

    fn options(&self) -> Options {
        let name: String = self
            .work
            .name()
            .chars()
            .map(|c| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '-' })
            .collect();
        let name = if name.starts_with(char::is_alphabetic) { name } else { format!("learnt-{name}") };
        Options { name, budget: BUDGET, ..Options::default() }
    }

    /// Learns rules from all that was seen so far, and says what has changed.
    fn induce(&mut self) -> Result<(), ApiError> {
        let begun = Instant::now();
        let (options, stop) = (self.options(), self.job.stop_flag());
        let learnt = self.work.workers.install(|| learn(&self.evidence, &options, stop, &|_| {}));
        self.took = begun.elapsed();
        let learnt = learnt.map_err(|_| ApiError::bad(NoRules::NoGames))?;
        if learnt.stopped == onlooker::budget::StopReason::Interrupted {
            return Ok(());
        }
        if let Some(flaw) = learnt.rules.flaws().first() {
            self.job.send(&json!({ "type": "nothing", "games": self.evidence.games(), "why": NoRules::Flawed(flaw.clone()).to_string() }));
            return Ok(());
        }
        let text = rules_text(&learnt.rules);
        let before = self.belief.as_ref().map(|belief| belief.text.as_str());
        let changed = before != Some(text.as_str());
        let shown = lines(&learnt, before);
        let (open, unexplained) = doubts(&learnt);
        let game = RulesGame::new(learnt.rules.clone()).ok();
        let exact = self.check(game.as_ref(), CHECK_GAMES);
        let surprise = self.surprise.take().map(|one| {
            json!({ "game": one.game, "record": one.record, "why": one.why, "board": one.board, "turn": one.turn.to_string() })
        });
        self.job.send(&json!({
            "type": "rules", "games": self.evidence.games(), "positions": self.evidence.positions(), "moves": self.evidence.moves(),
            "lines": shown["lines"], "gone": shown["gone"], "changed": changed, "surprise": surprise,
            "open": open, "unexplained": unexplained, "exact": exact, "seconds": self.took.as_secs_f64(),
        }));
        self.belief = Some(Belief { learnt, text, game });
        Ok(())
    }

    /// Rules on fresh games of the game that is known.
    fn check(&self, game: Option<&RulesGame>, games: u64) -> Value {
        let (Some(game), Some(truth)) = (game, &self.truth) else { return Value::Null };
        // Other games than those it learns from, and always the same.
        let plan = SimulationPlan {
            games,
            listing: Listing::All,
            seed: u64::MAX - self.work.request.seed.unwrap_or(1),
            plies: PLIES,
        };
        let (begun, mut report) = (Instant::now(), CheckReport::default());
        for number in 0..games {
            let Ok(records) = truth.play(&plan, number) else { break };
            report.merge(check_game(game, &records, number + 1, 3), 3);
            if begun.elapsed() > CHECK_TIME || self.job.is_stopped() && number > 0 {
                break;
            }
        }
        json!({
            "games": report.games, "positions": report.positions, "exact": report.exact, "outcomes": report.outcomes_exact,
            "holds": report.holds(), "mismatches": report.mismatches.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    }

    fn finish(&mut self) -> Result<(), ApiError> {
        let Some(belief) = &self.belief else {
            return Err(ApiError::bad("these games make no rules"));
        };
        let check = self.check(belief.game.as_ref(), LAST_CHECK_GAMES);
        let name = self.work.name();
        let rules =
            self.work.store.add_text(&format!("{name}.rules"), Kind::Rules, &belief.learnt.rules.to_string())?;
        let evidence = self.save_evidence(&name)?;
        self.job.send(&json!({
            "type": "done", "games": self.evidence.games(), "rules": rules.id, "evidence": evidence.id, "check": check,
            "consistent": belief.learnt.is_consistent(), "stopped": self.job.is_stopped(),
        }));
        Ok(())
    }

    fn save_evidence(&self, name: &str) -> Result<Document, ApiError> {
        struct Sink(crate::store::Incoming, Option<ApiError>);
        impl Write for Sink {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                match self.0.write(bytes) {
                    Ok(()) => Ok(bytes.len()),
                    Err(error) => {
                        self.1 = Some(error);
                        Err(io::Error::other("no room"))
                    }
                }
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut sink = io::BufWriter::new(Sink(self.work.store.begin()?, None));
        let written = self.evidence.write(&mut sink).and_then(|()| sink.flush());
        let (sink, _) = sink.into_parts();
        match (written, sink.1) {
            (Ok(()), None) => self.work.store.finish(sink.0, &format!("{name}.evidence"), Some(Kind::Evidence)),
            (_, Some(error)) => Err(error),
            (Err(error), None) => Err(ApiError::defect(error.kind())),
        }
    }
}

/// The most positions of a game that are shown.
const SHOWN_POSITIONS: usize = 120;

/// A game as the page shows it.
fn game_event(number: u64, records: &[Record]) -> Value {
    let step = records.len().div_ceil(SHOWN_POSITIONS).max(1);
    let shown = records.iter().enumerate().filter(|(at, _)| at % step == 0 || at + 1 == records.len());
    let positions: Vec<String> = shown
        .map(|(_, record)| record.position.cells().iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    let last = records.last();
    let shape = last.map(|record| record.position.shape());
    let outcome = last.and_then(|record| {
        let alone = records.iter().all(|record| record.turn == Side::First);
        // The one who has just moved, not the one whose turn it is.
        let mover = match record.turn {
            _ if alone => "the player",
            Side::First => "the second player",
            Side::Second => "the first player",
        };
        record.outcome.map(|outcome| match outcome {
            Outcome::Won => format!("won by {mover}"),
            Outcome::Lost => format!("lost by {mover}"),
            Outcome::Tied => "a tie".to_owned(),
        })
    });
    json!({
        "type": "game", "number": number, "plies": records.len().saturating_sub(1), "outcome": outcome,
        "width": shape.map(|shape| shape.width()), "height": shape.map(|shape| shape.height()), "boards": positions,
    })
}
