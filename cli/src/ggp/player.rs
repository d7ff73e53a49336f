//! A player: which match it is in, and when it answers.

use super::clock::Margin;
use super::log;
use super::search_worker::{MoveRequest, Ready, SearchWorker, Setting, Style};
use onlooker::game::Term;
use onlooker::gdl::Program;
use onlooker::play::{Reply, Request};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::time::{sleep_until, timeout, timeout_at};

/// A match in which nothing is asked for so long gives way to a new one.
const LEAST_IDLE: Duration = Duration::from_secs(60);
/// How many play clocks that is, if it is more.
const IDLE_CLOCKS: u32 = 5;
/// Others may think somewhat longer than their clock.
const OVERTIME: Duration = Duration::from_secs(5);

/// What a player is told when it is made.
#[derive(Clone, Debug)]
pub struct Options {
    pub name: String,
    pub margin: Margin,
    pub style: Style,
}

/// Plays one match at a time.
pub struct Player {
    options: Options,
    current: Mutex<Option<Arc<Match>>>,
}

struct Match {
    id: String,
    /// The request that began it.
    start: Request,
    start_clock: Duration,
    play_clock: Duration,
    mind: SearchWorker,
    /// When something was last asked or answered.
    used: Mutex<Instant>,
    /// The last request for a move.
    turn: Mutex<Option<Arc<MoveRequest>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Player {
    pub fn new(options: Options) -> Player {
        Player { options, current: Mutex::new(None) }
    }

    /// Answers a request that came in at a time.
    pub async fn answer(&self, request: Request, came: Instant) -> Reply {
        match request {
            Request::Info => Reply::Info { name: self.options.name.clone(), busy: self.is_busy() },
            Request::Preview { rules, clock } => self.preview(rules, Duration::from_secs(clock)).await,
            Request::Start { .. } => self.start(request, came).await,
            Request::Play { id, moves } => match self.find(&id) {
                Some(this) => self.play(&this, moves, came).await,
                None => self.unknown(&id),
            },
            Request::Stop { id, moves } => match self.take(&id) {
                Some(this) => {
                    this.mind.stop(moves);
                    Reply::Done
                }
                None => self.unknown(&id),
            },
            Request::Abort { id } => match self.take(&id) {
                Some(this) => {
                    log::line(format!("{}: aborted", this.id));
                    this.mind.abort();
                    Reply::Aborted
                }
                None => self.unknown(&id),
            },
        }
    }

    fn unknown(&self, id: &str) -> Reply {
        log::line(format!("{id}: no such match is being played"));
        Reply::Busy
    }

    fn is_busy(&self) -> bool {
        lock(&self.current).as_ref().is_some_and(|this| !this.is_abandoned())
    }

    fn find(&self, id: &str) -> Option<Arc<Match>> {
        let current = lock(&self.current);
        let this = current.as_ref().filter(|this| this.id.eq_ignore_ascii_case(id))?;
        this.touch();
        Some(Arc::clone(this))
    }

    fn take(&self, id: &str) -> Option<Arc<Match>> {
        let mut current = lock(&self.current);
        current.take_if(|this| this.id.eq_ignore_ascii_case(id))
    }

    /// Looks whether the rules can be played.
    async fn preview(&self, rules: String, clock: Duration) -> Reply {
        if self.is_busy() {
            return Reply::Busy;
        }
        let read = tokio::task::spawn_blocking(move || Program::read(&rules).map(drop));
        match timeout(self.options.margin.think(clock), read).await {
            Ok(Ok(Err(error))) => {
                log::line(format!("preview: {error}"));
                Reply::Busy
            }
            _ => Reply::Ready,
        }
    }

    async fn start(&self, request: Request, came: Instant) -> Reply {
        let this = match self.begin(&request) {
            Some(this) => this,
            None => return Reply::Busy,
        };
        let deadline = came + self.options.margin.think(this.start_clock);
        let reply = match timeout_at(deadline.into(), this.mind.ready()).await {
            Ok(Ready::Refused(reason)) => {
                log::line(format!("{}: refused: {reason}", this.id));
                let mut current = lock(&self.current);
                current.take_if(|current| Arc::ptr_eq(current, &this));
                Reply::Busy
            }
            // Also if the preparations take longer: they go on.
            _ => Reply::Ready,
        };
        this.touch();
        reply
    }

    /// The match that a request begins, or has begun before; `None` if another is being played.
    fn begin(&self, request: &Request) -> Option<Arc<Match>> {
        let Request::Start { id, role, rules, start_clock, play_clock } = request else { return None };
        let mut current = lock(&self.current);
        if let Some(this) = current.as_ref() {
            // The answer may have been lost on the way.
            if this.start == *request && !this.mind.is_gone() {
                return Some(Arc::clone(this));
            }
            if !this.is_abandoned() {
                log::line(format!("{id}: busy, since {} is being played", this.id));
                return None;
            }
            log::line(format!("{}: nothing was asked for long, so {id} begins", this.id));
        }
        let [start_clock, play_clock] = [start_clock, play_clock].map(|&clock| Duration::from_secs(clock));
        log::line(format!(
            "{id}: start as {role}, {} s to begin, {} s a move",
            start_clock.as_secs(),
            play_clock.as_secs()
        ));
        let setting = Setting {
            id: id.clone(),
            role: role.clone(),
            rules: rules.clone(),
            patience: start_clock.max(play_clock) + OVERTIME,
            style: self.options.style.clone(),
        };
        let mind = match SearchWorker::begin(setting) {
            Ok(mind) => mind,
            Err(error) => {
                log::line(format!("{id}: refused: {error}"));
                return None;
            }
        };
        let this = Arc::new(Match {
            id: id.clone(),
            start: request.clone(),
            start_clock,
            play_clock,
            mind,
            used: Mutex::new(Instant::now()),
            turn: Mutex::default(),
        });
        *current = Some(Arc::clone(&this));
        Some(this)
    }

    async fn play(&self, this: &Match, moves: Option<Vec<Term>>, came: Instant) -> Reply {
        let turn = this.ask(moves);
        let margin = self.options.margin;
        let time = came + margin.think(this.play_clock);
        let last = came + margin.answer(this.play_clock);
        let answer = tokio::select! {
            biased;
            answer = turn.answer() => answer,
            () = sleep_until(time.into()) => {
                turn.hurry();
                timeout_at(last.into(), turn.answer()).await.ok().flatten()
            }
        };
        this.touch();
        let answer = answer.or_else(|| {
            log::line(format!("{}: out of time, so the best move so far is played", this.id));
            turn.best()
        });
        // Only if the rules take longer than the clock to tell what is legal.
        Reply::Move(answer.unwrap_or_else(|| Term::name("nil")))
    }
}

impl Match {
    /// Asks for a move. A request that comes again while it is thought about gets the same answer.
    fn ask(&self, moves: Option<Vec<Term>>) -> Arc<MoveRequest> {
        let mut last = lock(&self.turn);
        if let Some(turn) = last.as_ref().filter(|turn| !turn.is_answered() && turn.moves() == moves.as_deref()) {
            return Arc::clone(turn);
        }
        let turn = self.mind.play(moves);
        *last = Some(Arc::clone(&turn));
        turn
    }

    fn touch(&self) {
        *lock(&self.used) = Instant::now();
    }

    fn is_abandoned(&self) -> bool {
        let idle = LEAST_IDLE.max(IDLE_CLOCKS * self.play_clock).max(self.start_clock + LEAST_IDLE);
        self.mind.is_gone() || lock(&self.used).elapsed() > idle
    }
}
