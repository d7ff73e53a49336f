//! The one who runs a match: asks every player for its moves, judges them, and keeps the score.

use crate::log::Log;
use onlooker::game::{Chance, Game, GdlGame, Goals, Role, Term, Truncation, joint_terms, played_roles};
use onlooker::play::{Agent, AgentError, AgentSpec, Knowledge, KnowledgeError, NamedAgent, Request, joint_move};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Answers are waited for so much longer than the clock says.
const GRACE: Duration = Duration::from_secs(1);
/// How long it may take to reach a player.
const REACHING: Duration = Duration::from_secs(5);
/// Agents of our own stop so long before the clock runs out.
const MARGIN: Duration = Duration::from_millis(500);
/// No answer is longer.
const MOST_ANSWER: u64 = 1 << 20;

/// Who takes part.
pub enum Entrant {
    /// A player somewhere.
    Url(String),
    /// One of our own.
    Agent(NamedAgent<GdlGame>),
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Entrant::Url(url) => f.write_str(url),
            Entrant::Agent(agent) => agent.fmt(f),
        }
    }
}

/// The text that names who takes part: an address, or an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntrantSpec {
    /// The address of a player.
    Url(String),
    /// One of our own.
    Agent(AgentSpec),
}

impl EntrantSpec {
    /// Who takes part, with what an agent knows.
    ///
    /// # Errors
    ///
    /// A file that the agent knows something from cannot be used.
    pub fn build(&self, knowledge: &dyn Knowledge<GdlGame>) -> Result<Entrant, KnowledgeError> {
        match self {
            EntrantSpec::Url(url) => Ok(Entrant::Url(url.clone())),
            EntrantSpec::Agent(agent) => agent.build(knowledge).map(Entrant::Agent),
        }
    }
}

impl FromStr for EntrantSpec {
    type Err = EntrantError;

    fn from_str(text: &str) -> Result<EntrantSpec, EntrantError> {
        if !text.contains("://") {
            return text.parse().map(EntrantSpec::Agent).map_err(EntrantError::Agent);
        }
        match text.parse::<ureq::http::Uri>() {
            Ok(uri) if uri.scheme_str() == Some("http") && uri.host().is_some() => {
                Ok(EntrantSpec::Url(text.to_owned()))
            }
            _ => Err(EntrantError::Url(text.to_owned())),
        }
    }
}

/// A text that names no player.
#[derive(Debug)]
pub enum EntrantError {
    /// It is no address, and no agent either.
    Agent(AgentError),
    /// It is an address that cannot be used.
    Url(String),
}

impl fmt::Display for EntrantError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            EntrantError::Agent(error) => write!(f, "{error}, or an address such as http://127.0.0.1:9147"),
            EntrantError::Url(found) => write!(f, "{found:?}: expected an address such as http://127.0.0.1:9147"),
        }
    }
}

impl std::error::Error for EntrantError {}

/// What is played, and by whom.
pub struct Seating {
    /// The game, as the referee runs it.
    pub game: Arc<GdlGame>,
    /// The sheet as it is sent.
    pub rules: String,
    /// Who plays.
    pub entrants: Vec<Entrant>,
    /// Seconds to prepare.
    pub start_clock: u64,
    /// Seconds for each move.
    pub play_clock: u64,
    /// Games that last longer are broken off.
    pub plies: u64,
    /// Fixes the moves of chance and of our own agents.
    pub seed: u64,
    /// Where it says what goes wrong.
    pub log: Log,
}

/// A match that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefereeError {
    /// A player cannot take part.
    #[error("the match cannot begin with {player}: {reason}")]
    Player {
        /// Who.
        player: String,
        /// Why.
        reason: String,
    },
    /// A state is beyond the engine's limits.
    #[error("a state of the game is too large, so the match cannot go on: {0}")]
    Truncated(#[from] Truncation),
    /// There is no thread in which a player could be asked. That is not the player's fault.
    #[error("no thread can be started, so the match cannot go on: {0}")]
    NoThread(String),
}

/// What went wrong with a player's answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    /// They came too late, or not at all.
    pub timeouts: u64,
    /// The player could not be reached, or broke off.
    pub connections: u64,
    /// They were no legal moves.
    pub illegal: u64,
}

/// A role in a game, and how its player did.
pub struct Seat {
    /// The role.
    pub role: Role,
    /// Who plays it, by number.
    pub entrant: usize,
    /// What went wrong with its answers.
    pub errors: Errors,
    /// The longest that a move took.
    pub slowest: Duration,
}

/// How a game went.
pub struct Played {
    /// What the match is called.
    pub id: String,
    /// Who played what.
    pub seats: Vec<Seat>,
    /// `None` if it was broken off.
    pub goals: Option<Goals>,
    /// The joint moves.
    pub joints: Vec<Vec<<GdlGame as Game>::Move>>,
}

/// Why there is no answer.
enum Failure {
    Timeout,
    Connection(String),
}

/// An answer and how long it took.
type TimedAnswer = (Result<String, Failure>, Duration);
/// Something that answers; the flag tells it to hurry.
type Job = Box<dyn FnOnce(&AtomicBool) -> Result<String, Failure> + Send>;

impl Seating {
    /// Plays a game; `None` if it was stopped, and then all players were told so.
    ///
    /// Who plays which role changes from game to game, as in matches.
    ///
    /// # Errors
    ///
    /// If a player cannot be reached or is busy when the match begins, a state is beyond the engine's limits, or no threads
    /// can be started.
    pub fn play(&self, number: u64, id: &str, stop: &AtomicBool) -> Result<Option<Played>, RefereeError> {
        let roles = played_roles(&*self.game);
        let entrant = |place: usize| (place + (number % roles.len() as u64) as usize) % roles.len();
        let seat = |(place, &role): (usize, &Role)| Seat {
            role,
            entrant: entrant(place),
            errors: Errors::default(),
            slowest: Duration::ZERO,
        };
        let mut played = Played {
            id: id.to_owned(),
            seats: roles.iter().enumerate().map(seat).collect(),
            goals: None,
            joints: Vec::new(),
        };
        if !self.start(&mut played, stop)? {
            self.abort(&played);
            return Ok(None);
        }
        let mut chance = Chance::stream(self.seed, number);
        let mut state = self.game.start();
        let mut last: Option<Vec<Term>> = None;
        while self.game.goals(&state).is_none() && (played.joints.len() as u64) < self.plies {
            if let Some(error) = self.game.truncation(&state) {
                self.abort(&played);
                return Err(error.into());
            }
            let joint = match self.turn(&mut played, &state, last, &mut chance, stop) {
                Ok(Some(joint)) => joint,
                ended => {
                    self.abort(&played);
                    return ended.map(|_| None);
                }
            };
            last = Some(joint_terms(&*self.game, &state, &joint));
            self.game.play(&mut state, &joint);
            played.joints.push(joint);
        }
        played.goals = self.game.goals(&state);
        let stop_request = Request::Stop { id: id.to_owned(), moves: last }.to_string();
        // What they say to that does not matter.
        let clock = self.play_clock;
        let _ = self.ask(self.jobs(&played, |_| Some(stop_request.clone()), clock, None), clock, stop);
        Ok(Some(played))
    }

    /// Tells all players that a match begins; `false` if it was stopped.
    fn start(&self, played: &mut Played, stop: &AtomicBool) -> Result<bool, RefereeError> {
        let request = |seat: &Seat| {
            let request = Request::Start {
                id: played.id.clone(),
                role: Term::name(&self.game.roles()[seat.role.index()]),
                rules: self.rules.clone(),
                start_clock: self.start_clock,
                play_clock: self.play_clock,
            };
            Some(request.to_string())
        };
        let jobs = self.jobs(played, request, self.start_clock, None);
        let answers = match self.ask(jobs, self.start_clock, stop) {
            Ok(Some(answers)) => answers,
            Ok(None) => return Ok(false),
            Err(error) => {
                self.abort(played);
                return Err(error);
            }
        };
        for (seat, answer) in played.seats.iter_mut().zip(answers) {
            let player = &self.entrants[seat.entrant];
            let reason = match answer {
                Some((Ok(text), _)) if text.trim().eq_ignore_ascii_case("busy") => {
                    "it is busy, or cannot play this".to_owned()
                }
                Some((Err(Failure::Connection(reason)), _)) => reason,
                Some((Err(Failure::Timeout), _)) => {
                    self.log.line(format!("{player} was not ready in time"));
                    seat.errors.timeouts += 1;
                    continue;
                }
                _ => continue,
            };
            let player = player.to_string();
            self.abort(played);
            return Err(RefereeError::Player { player, reason });
        }
        Ok(true)
    }

    /// Asks for a joint move. Who has no legal one to offer gets one by chance. `None` if it was stopped.
    fn turn(
        &self,
        played: &mut Played,
        state: &<GdlGame as Game>::State,
        last: Option<Vec<Term>>,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<<GdlGame as Game>::Move>>, RefereeError> {
        let request = Request::Play { id: played.id.clone(), moves: last }.to_string();
        let clock = self.play_clock;
        let choosing = Some((state, chance.bits()));
        let jobs = self.jobs(played, |_| Some(request.clone()), clock, choosing);
        let Some(answers) = self.ask(jobs, clock, stop)? else { return Ok(None) };
        // Roles that are chance, and answers that are missing, are left open.
        let mut resolve = vec![Term::List(Vec::new()); self.game.roles().len()];
        let mut silent = Vec::new();
        for (seat, answer) in played.seats.iter_mut().zip(answers) {
            let Some((answer, took)) = answer else { return Ok(None) };
            seat.slowest = seat.slowest.max(took);
            let name = &self.entrants[seat.entrant];
            match answer {
                Ok(text) => {
                    if let Ok(term) = text.trim().parse() {
                        resolve[seat.role.index()] = term;
                    }
                    continue;
                }
                Err(Failure::Timeout) => {
                    self.log.line(format!("{name} is too late"));
                    seat.errors.timeouts += 1;
                }
                Err(Failure::Connection(reason)) => {
                    self.log.line(format!("{name} is lost: {reason}"));
                    seat.errors.connections += 1;
                }
            }
            silent.push(seat.role);
        }
        let (mut joint, misfits) = joint_move(&*self.game, state, &resolve);
        let to_move: Vec<Role> = self.game.to_move(state).iter().collect();
        let mut moves = Vec::new();
        for misfit in misfits {
            let seat = played.seats.iter_mut().find(|seat| seat.role == misfit.role);
            if let Some(seat) = seat.filter(|seat| !silent.contains(&seat.role)) {
                let found = misfit.found.unwrap_or(Term::List(Vec::new()));
                self.log.line(format!("{} says {found}, which is not a legal move", self.entrants[seat.entrant]));
                seat.errors.illegal += 1;
            }
            if let Some(place) = to_move.iter().position(|&role| role == misfit.role) {
                self.game.legal(state, misfit.role, &mut moves);
                joint[place] = moves.swap_remove(chance.below(moves.len()));
            }
        }
        Ok(Some(joint))
    }

    /// Tells all players that the match is given up.
    fn abort(&self, played: &Played) {
        let request = Request::Abort { id: played.id.clone() }.to_string();
        let jobs = self.jobs(played, |_| Some(request.clone()), 1, None);
        let _ = self.ask(jobs, 1, &AtomicBool::new(false));
    }

    /// What to ask of each seat: a request of those who are somewhere, a move of our own agents if there is a state.
    fn jobs(
        &self,
        played: &Played,
        request: impl Fn(&Seat) -> Option<String>,
        clock: u64,
        choosing: Option<(&<GdlGame as Game>::State, u64)>,
    ) -> Vec<Option<Job>> {
        let job = |seat: &Seat| match (&self.entrants[seat.entrant], choosing) {
            (Entrant::Url(url), _) => {
                let (url, body) = (url.clone(), request(seat)?);
                let job: Job = Box::new(move |_| post(&url, &body, Duration::from_secs(clock) + GRACE));
                Some(job)
            }
            (Entrant::Agent(agent), Some((state, seed))) => {
                let (game, agent, state, role) = (Arc::clone(&self.game), agent.clone(), state.clone(), seat.role);
                let job: Job = Box::new(move |hurry| {
                    let mut chance = Chance::stream(seed, u64::from(role.0));
                    let choice = agent.choose_until(&*game, &state, role, &mut chance, hurry);
                    let term = choice.map(|choice| game.move_term(&state, role, &choice.pick));
                    Ok(term.unwrap_or_else(|| game.only_move(&state, role)).to_string())
                });
                Some(job)
            }
            (Entrant::Agent(_), None) => None,
        };
        played.seats.iter().map(job).collect()
    }

    /// Does all jobs at once and waits for them; `None` if it was stopped.
    fn ask(
        &self,
        jobs: Vec<Option<Job>>,
        clock: u64,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Option<TimedAnswer>>>, RefereeError> {
        let began = Instant::now();
        let hurry = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        let mut answers: Vec<Option<TimedAnswer>> = jobs.iter().map(|_| None).collect();
        let mut missing = 0;
        for (place, job) in jobs.into_iter().enumerate() {
            let Some(job) = job else { continue };
            let (sender, own) = (sender.clone(), Arc::clone(&hurry));
            let work = move || {
                let answer = job(&own);
                // Nobody waits any more if the match was stopped.
                let _ = sender.send((place, (answer, began.elapsed())));
            };
            if let Err(error) = std::thread::Builder::new().stack_size(32 << 20).spawn(work) {
                hurry.store(true, Ordering::Relaxed);
                return Err(RefereeError::NoThread(error.to_string()));
            }
            missing += 1;
        }
        // So that a job that panics is noticed.
        drop(sender);
        let clock = Duration::from_secs(clock);
        let late = clock.saturating_sub(MARGIN).max(clock / 2);
        while missing > 0 {
            match receiver.recv_timeout(Duration::from_millis(20)) {
                Ok((place, answer)) => {
                    answers[place] = Some(answer);
                    missing -= 1;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if stop.load(Ordering::Relaxed) {
                hurry.store(true, Ordering::Relaxed);
                return Ok(None);
            }
            if began.elapsed() > late {
                hurry.store(true, Ordering::Relaxed);
            }
        }
        Ok(Some(answers))
    }
}

/// Sends a request and reads the answer.
fn post(url: &str, body: &str, patience: Duration) -> Result<String, Failure> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(patience))
        .timeout_connect(Some(REACHING.min(patience)))
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        .build()
        .into();
    let failed = |error: ureq::Error| match error {
        ureq::Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => {
            Failure::Connection("it cannot be reached".to_owned())
        }
        ureq::Error::Timeout(_) => Failure::Timeout,
        error => Failure::Connection(error.to_string()),
    };
    let request = agent.post(url).header("Content-Type", "text/acl").header("Sender", "GAMESERVER");
    let mut response = request.send(body).map_err(failed)?;
    response.body_mut().with_config().limit(MOST_ANSWER).lossy_utf8(true).read_to_string().map_err(failed)
}
