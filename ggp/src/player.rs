//! A player: which match it is in, and when it answers.

use crate::clock::Margin;
use crate::log::Log;
use crate::turn::MoveRequest;
use crate::worker::{Ready, SearchWorker, Setting, Style, lock};
use onlooker::game::Term;
use onlooker::gdl::Program;
use onlooker::play::{Reply, Request};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, sleep_until, timeout, timeout_at};

/// A match in which nothing is asked for so long gives way to a new one.
const LEAST_IDLE: Duration = Duration::from_secs(60);
/// How many play clocks that is, if it is more.
const IDLE_CLOCKS: u32 = 5;
/// Others may think somewhat longer than their clock.
const OVERTIME: Duration = Duration::from_secs(5);

/// After STOP the thread of a match may still say how it ended, for so long.
const LAST_WORDS: Duration = Duration::from_millis(20);
/// A new match waits so long for the last one to be gone.
const CLEARING: Duration = Duration::from_secs(2);
/// No preview takes longer.
const LONGEST_PREVIEW: Duration = Duration::from_secs(30);
/// Where the clock does not leave the time to find any legal move, one is waited for so long all the same.
const FIRST_MOVE: Duration = Duration::from_secs(60);

/// What a player is like.
#[derive(Clone, Debug)]
pub struct Options {
    /// What it calls itself: one word.
    pub name: String,
    /// How long before the clock runs out thinking ends.
    pub margin: Margin,
    /// How it thinks.
    pub style: Style,
    /// Where it says what happens.
    pub log: Log,
}

/// A player: it plays one match at a time, and answers requests.
///
/// ```
/// use onlooker::play::{Reply, Request};
/// use onlooker_ggp::{Log, Margin, Options, Player, Style};
/// use std::time::{Duration, Instant};
///
/// let margin = Margin(Duration::from_secs(1));
/// let style = Style::by_the_clock(1);
/// let player = Player::new(Options { name: "me".to_owned(), margin, style, log: Log::none() });
/// let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// let reply = runtime.block_on(player.answer(Request::Info, Instant::now()));
/// assert_eq!(reply, Reply::Info { name: "me".to_owned(), busy: false });
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Player {
    options: Options,
    current: Mutex<Option<Arc<Match>>>,
    /// Matches that have ended, as long as their threads have not.
    ending: Mutex<Vec<watch::Receiver<bool>>>,
    /// Previews are made one at a time.
    previews: Semaphore,
}

struct Match {
    id: String,
    /// The request that began it.
    start: Request,
    start_clock: Duration,
    play_clock: Duration,
    worker: SearchWorker,
    /// When something was last asked or answered.
    used: Mutex<Instant>,
    /// The last request for a move.
    turn: Mutex<Option<Arc<MoveRequest>>>,
}

impl Player {
    /// A player in no match.
    pub fn new(options: Options) -> Player {
        Player { options, current: Mutex::new(None), ending: Mutex::default(), previews: Semaphore::new(1) }
    }

    /// Gives up the match that is being played.
    pub(crate) fn end(&self) {
        if let Some(this) = lock(&self.current).take() {
            this.worker.end();
        }
    }

    /// Answers a request that came in at a time, from which its clock counts.
    pub async fn answer(&self, request: Request, came: Instant) -> Reply {
        match request {
            Request::Info => Reply::Info { name: self.options.name.clone(), busy: self.is_busy() },
            Request::Preview { rules, clock } => self.preview(rules, Duration::from_secs(clock), came).await,
            Request::Start { .. } => self.start(request, came).await,
            Request::Play { id, moves } => match self.find(&id) {
                Some(this) => self.play(&this, moves, came).await,
                None => self.unknown(&id),
            },
            Request::Stop { id, moves } => match self.take(&id) {
                Some(this) => {
                    this.worker.stop(moves);
                    // It ends by itself, or is ended if it is in the middle of something.
                    tokio::spawn(async move {
                        sleep(LAST_WORDS).await;
                        this.worker.end();
                    });
                    Reply::Done
                }
                None => self.unknown(&id),
            },
            Request::Abort { id } => match self.take(&id) {
                Some(this) => {
                    self.log(format!("{}: aborted", this.id));
                    this.worker.end();
                    Reply::Aborted
                }
                None => self.unknown(&id),
            },
        }
    }

    fn log(&self, text: String) {
        self.options.log.line(text);
    }

    fn unknown(&self, id: &str) -> Reply {
        self.log(format!("{id}: no such match is being played"));
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

    /// Takes a match out of play. Its threads end soon, or when they have said how it ended.
    fn take(&self, id: &str) -> Option<Arc<Match>> {
        let this = lock(&self.current).take_if(|this| this.id.eq_ignore_ascii_case(id))?;
        self.let_go(&this);
        Some(this)
    }

    /// Remembers a match whose threads have to end before the next one begins.
    fn let_go(&self, this: &Match) {
        let mut ending = lock(&self.ending);
        ending.retain(|alive| *alive.borrow());
        ending.push(this.worker.alive());
    }

    /// Waits until no thread of a match that has ended is left; `false` if that takes too long.
    async fn cleared(&self) -> bool {
        let ending: Vec<watch::Receiver<bool>> = lock(&self.ending).clone();
        let gone = async {
            for mut alive in ending {
                let _ = alive.wait_for(|alive| !alive).await;
            }
        };
        timeout(CLEARING, gone).await.is_ok()
    }

    /// Looks whether the rules can be played.
    async fn preview(&self, rules: String, clock: Duration, came: Instant) -> Reply {
        let deadline = came + self.options.margin.think(clock).min(LONGEST_PREVIEW);
        let Ok(Ok(_turn)) = timeout_at(deadline.into(), self.previews.acquire()).await else {
            self.log("preview: busy with another one".to_owned());
            return Reply::Busy;
        };
        if self.is_busy() {
            return Reply::Busy;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let own = Arc::clone(&stop);
        let mut read = tokio::task::spawn_blocking(move || Program::read_until(&rules, &own).map(drop));
        let read = match timeout_at(deadline.into(), &mut read).await {
            Ok(read) => read,
            Err(_) => {
                // It is not known whether they can be played; nothing goes on for it.
                stop.store(true, Ordering::Relaxed);
                let _ = read.await;
                return Reply::Ready;
            }
        };
        match read {
            Ok(Err(error)) => {
                self.log(format!("preview: {error}"));
                Reply::Busy
            }
            _ => Reply::Ready,
        }
    }

    async fn start(&self, request: Request, came: Instant) -> Reply {
        let Some(this) = self.begin(&request, came).await else { return Reply::Busy };
        let deadline = came + self.options.margin.think(this.start_clock);
        let reply = match timeout_at(deadline.into(), this.worker.ready()).await {
            Ok(Ready::Refused(reason)) => {
                self.log(format!("{}: refused: {reason}", this.id));
                if lock(&self.current).take_if(|current| Arc::ptr_eq(current, &this)).is_some() {
                    self.let_go(&this);
                }
                Reply::Busy
            }
            // Also if the preparations take longer: they go on.
            _ => Reply::Ready,
        };
        this.touch();
        reply
    }

    /// The match that a request begins, or has begun before; `None` if another is being played.
    async fn begin(&self, request: &Request, came: Instant) -> Option<Arc<Match>> {
        let Request::Start { id, .. } = request else { return None };
        if let Some(this) = lock(&self.current).take_if(|this| this.start != *request && this.is_abandoned()) {
            self.log(format!("{}: nothing was asked for long, so {id} begins", this.id));
            this.worker.end();
            self.let_go(&this);
        }
        if let Some(this) = lock(&self.current).take_if(|this| this.worker.is_over()) {
            self.let_go(&this);
        }
        if lock(&self.current).is_none() && !self.cleared().await {
            self.log(format!("{id}: busy, since the last match is not cleared away yet"));
            return None;
        }
        let mut current = lock(&self.current);
        if let Some(this) = current.as_ref() {
            // The answer may have been lost on the way.
            if this.start == *request {
                return Some(Arc::clone(this));
            }
            self.log(format!("{id}: busy, since {} is being played", this.id));
            return None;
        }
        // Another may have begun and ended meanwhile.
        if lock(&self.ending).iter().any(|alive| *alive.borrow()) {
            return None;
        }
        let this = Arc::new(self.new_match(request, came)?);
        *current = Some(Arc::clone(&this));
        Some(this)
    }

    fn new_match(&self, request: &Request, came: Instant) -> Option<Match> {
        let Request::Start { id, role, rules, start_clock, play_clock } = request else { return None };
        let [start_clock, play_clock] = [start_clock, play_clock].map(|&clock| Duration::from_secs(clock));
        self.log(format!(
            "{id}: start as {role}, {} s to begin, {} s a move",
            start_clock.as_secs(),
            play_clock.as_secs()
        ));
        let setting = Setting {
            id: id.clone(),
            role: role.clone(),
            rules: rules.clone(),
            prepare_until: came + self.options.margin.think(start_clock),
            patience: start_clock.max(play_clock) + OVERTIME,
            style: self.options.style.clone(),
            log: self.options.log.clone(),
        };
        let worker = match SearchWorker::begin(setting) {
            Ok(worker) => worker,
            Err(error) => {
                self.log(format!("{id}: refused: {error}"));
                return None;
            }
        };
        Some(Match {
            id: id.clone(),
            start: request.clone(),
            start_clock,
            play_clock,
            worker,
            used: Mutex::new(Instant::now()),
            turn: Mutex::default(),
        })
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
        if let Some(answer) = answer {
            return Reply::Move(answer);
        }
        if let Some(best) = turn.best() {
            self.log(format!("{}: out of time, so the best move so far is played", this.id));
            return Reply::Move(best);
        }
        self.log(format!("{}: no legal move is known in time, so the first one is waited for", this.id));
        let mut alive = this.worker.alive();
        let first = tokio::select! {
            first = timeout(FIRST_MOVE, turn.any()) => first.ok().flatten(),
            _ = alive.wait_for(|alive| !alive) => None,
        };
        this.touch();
        // Only if the match was ended meanwhile, or a state takes minutes.
        Reply::Move(first.unwrap_or_else(|| Term::name("nil")))
    }
}

impl Match {
    /// Asks for a move. A request that comes again while it is thought about gets the same answer.
    fn ask(&self, moves: Option<Vec<Term>>) -> Arc<MoveRequest> {
        let mut last = lock(&self.turn);
        if let Some(turn) = last.as_ref().filter(|turn| !turn.is_answered() && turn.moves() == moves.as_deref()) {
            return Arc::clone(turn);
        }
        let turn = self.worker.play(moves);
        *last = Some(Arc::clone(&turn));
        turn
    }

    fn touch(&self) {
        *lock(&self.used) = Instant::now();
    }

    fn is_abandoned(&self) -> bool {
        let idle = LEAST_IDLE.max(IDLE_CLOCKS * self.play_clock).max(self.start_clock + LEAST_IDLE);
        self.worker.is_over() || lock(&self.used).elapsed() > idle
    }
}
