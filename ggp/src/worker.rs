//! The worker of a match: a thread that plays it, seen from outside.
//!
//! Commands go in and are obeyed in order; a command interrupts whatever the thread does. Everything that runs for the match
//! shares one stop flag and one token of life: the flag ends it, the token tells when all of it has ended.

use crate::log::Log;
use crate::memory::Remember;
use crate::searcher::Searcher;
use crate::turn::MoveRequest;
use onlooker::game::{GdlGame, Term};
use onlooker::play::NamedAgent;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Room for the deepest search.
const STACK: usize = 32 << 20;

/// Locks, whatever happened to others who held the lock.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a player thinks.
#[derive(Clone, Debug)]
pub struct Style {
    /// The agent that chooses moves; `None` for as much thinking as the clock allows.
    pub agent: Option<NamedAgent<GdlGame>>,
    /// With two, a search for proofs runs beside the playouts; each one more grows a tree more.
    pub threads: usize,
    /// Fixes what is left to chance.
    pub seed: u64,
    /// Where to keep models of opponents; without, none are made, and play is as if there were none.
    pub remember: Option<Remember>,
    /// Whether the start clock is used: to study the game first, then to grow the tree that the match begins with.
    pub study: bool,
    /// Where a JSON object about every move goes, if anywhere.
    pub report: Option<Log>,
}

impl Style {
    /// As much thinking as the clock allows and nothing else: the same player that `onlooker ggp` is without options, but for its threads.
    pub fn by_the_clock(threads: usize) -> Style {
        Style { agent: None, threads, seed: 1, remember: None, study: true, report: None }
    }

    /// Whether the game is studied: agents know what they know.
    pub(crate) fn studies(&self) -> bool {
        self.study && self.agent.is_none()
    }
}

/// What a match is about.
#[derive(Clone, Debug)]
pub struct Setting {
    pub id: String,
    pub role: Term,
    pub rules: String,
    /// When the start clock is answered.
    pub prepare_until: Instant,
    /// How long to think at most while others do.
    pub patience: Duration,
    pub style: Style,
    pub log: Log,
}

/// How far the preparations for a match are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ready {
    NotYet,
    Yes,
    /// Why it cannot be played.
    Refused(String),
}

/// What the thread is asked to do.
pub enum Command {
    Play(Arc<MoveRequest>),
    Stop(Option<Vec<Term>>),
}

/// What the thread does next.
pub enum Next {
    Command(Command),
    /// A better engine is there.
    Engine(Arc<GdlGame>),
    /// Nothing is to be done; the flag is set when something is.
    Ponder(Arc<AtomicBool>),
    End,
}

/// The threads of a match hold it; when the last one lets go of it, the match is gone.
pub struct Alive(watch::Sender<bool>);

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.send_replace(false);
    }
}

/// Begins a thread of a match.
pub fn thread(name: &str, alive: &Arc<Alive>, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let alive = Arc::clone(alive);
    let work = move || {
        // Declared first, it goes last, also if the work panics.
        let _alive = alive;
        work();
    };
    std::thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(work).map(drop)
}

/// The worker of a match, from outside.
pub struct SearchWorker {
    shared: Arc<Shared>,
    alive: watch::Receiver<bool>,
}

/// What the outside and the thread share.
pub struct Shared {
    inbox: Mutex<Inbox>,
    wakeup: Condvar,
    ready: watch::Sender<Ready>,
    /// Set when the match is over, whatever is still being done for it.
    over: Arc<AtomicBool>,
}

#[derive(Default)]
struct Inbox {
    commands: VecDeque<Command>,
    /// The propnet, once it is there.
    engine: Option<Arc<GdlGame>>,
    /// The turn that is thought about now.
    turn: Option<Arc<MoveRequest>>,
    /// Interrupts what is done otherwise.
    interrupt: Arc<AtomicBool>,
}

impl Inbox {
    fn interrupt(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
        if let Some(turn) = &self.turn {
            turn.look_up();
        }
    }
}

impl SearchWorker {
    /// Begins to prepare for a match.
    pub fn begin(setting: Setting) -> std::io::Result<SearchWorker> {
        let shared = Arc::new(Shared {
            inbox: Mutex::default(),
            wakeup: Condvar::new(),
            ready: watch::Sender::new(Ready::NotYet),
            over: Arc::default(),
        });
        let (sender, receiver) = watch::channel(true);
        let alive = Arc::new(Alive(sender));
        let (own, token) = (Arc::clone(&shared), Arc::clone(&alive));
        thread("search", &alive, move || {
            // Also if it panics.
            let _ended = Ended(Arc::clone(&own));
            Searcher::new(setting, own, token).run();
        })?;
        Ok(SearchWorker { shared, alive: receiver })
    }

    /// Waits until the match can be played well, or it is known that it cannot be played.
    pub async fn ready(&self) -> Ready {
        let mut receiver = self.shared.ready.subscribe();
        match receiver.wait_for(|ready| *ready != Ready::NotYet).await {
            Ok(ready) => ready.clone(),
            Err(_) => Ready::NotYet,
        }
    }

    /// Asks for a move.
    pub fn play(&self, moves: Option<Vec<Term>>) -> Arc<MoveRequest> {
        let turn = MoveRequest::new(moves);
        self.shared.command(Command::Play(Arc::clone(&turn)));
        turn
    }

    /// Says how the match ended.
    pub fn stop(&self, moves: Option<Vec<Term>>) {
        self.shared.command(Command::Stop(moves));
    }

    /// Ends all that runs for the match.
    pub fn end(&self) {
        self.shared.end();
    }

    /// Whether nobody plays the match any more.
    pub fn is_over(&self) -> bool {
        self.shared.is_over()
    }

    /// Shows `false` once all threads of the match have ended.
    pub fn alive(&self) -> watch::Receiver<bool> {
        self.alive.clone()
    }
}

impl Drop for SearchWorker {
    fn drop(&mut self) {
        // After the last command it ends by itself, and still has something to say.
        let stops = matches!(lock(&self.shared.inbox).commands.back(), Some(Command::Stop(_)));
        if !stops {
            self.shared.end();
        }
    }
}

impl Shared {
    fn command(&self, command: Command) {
        let mut inbox = lock(&self.inbox);
        inbox.commands.push_back(command);
        inbox.interrupt();
        // A turn that nobody waits for any more ends.
        if let Some(turn) = &inbox.turn {
            turn.hurry();
        }
        self.wakeup.notify_all();
    }

    /// Ends the match.
    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
        let inbox = lock(&self.inbox);
        inbox.interrupt();
        if let Some(turn) = &inbox.turn {
            turn.hurry();
        }
        self.wakeup.notify_all();
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// The flag that ends all that runs for the match.
    pub fn over(&self) -> &Arc<AtomicBool> {
        &self.over
    }

    /// A better engine is there, or will never be.
    pub fn set_engine(&self, engine: Option<GdlGame>, ready: bool) {
        if let Some(engine) = engine {
            let mut inbox = lock(&self.inbox);
            inbox.engine = Some(Arc::new(engine));
            inbox.interrupt();
        }
        if ready {
            self.set_ready(Ready::Yes);
        }
        self.wakeup.notify_all();
    }

    /// Says how far the preparations are, unless it is known.
    pub fn set_ready(&self, now: Ready) {
        self.ready.send_if_modified(|ready| {
            let waiting = *ready == Ready::NotYet;
            if waiting {
                *ready = now;
            }
            waiting
        });
    }

    /// Whether a better engine waits to be used.
    pub fn has_engine(&self) -> bool {
        lock(&self.inbox).engine.is_some()
    }

    /// The turn is answered.
    pub fn turn_done(&self) {
        lock(&self.inbox).turn = None;
    }

    /// What to do next; waits for it unless there is something to ponder.
    pub fn next(&self, may_ponder: bool) -> Next {
        let mut inbox = lock(&self.inbox);
        loop {
            if self.is_over() {
                return Next::End;
            }
            if let Some(engine) = inbox.engine.take() {
                return Next::Engine(engine);
            }
            if let Some(command) = inbox.commands.pop_front() {
                if let Command::Play(turn) = &command {
                    inbox.turn = Some(Arc::clone(turn));
                }
                return Next::Command(command);
            }
            if may_ponder {
                inbox.interrupt = Arc::default();
                return Next::Ponder(Arc::clone(&inbox.interrupt));
            }
            inbox = self.wakeup.wait(inbox).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Ends the match when its thread ends.
struct Ended(Arc<Shared>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.end();
        self.0.set_ready(Ready::Refused("the player stumbled over these rules".to_owned()));
    }
}
