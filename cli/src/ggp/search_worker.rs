//! The thread that plays one match: it follows the game, thinks in its turn and while others think, and answers.
//!
//! It never looks at the clocks of the match. Whoever asks for a move raises a flag when it is time, and can take the best
//! move so far at any moment.

use super::log;
use onlooker::game::{Chance, Game, GdlGame, Role, Term, played_roles};
use onlooker::gdl::{Engine, GroundingLimits, Program};
use onlooker::play::{Agent, AgentSpec, AlphaBeta, Choice, NamedAgent, Tree, alphabeta, find_role, joint_move};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Room for the deepest search.
const STACK: usize = 32 << 20;
/// About how long to think before looking up.
const SLICE: Duration = Duration::from_millis(15);

/// Locks, whatever happened to others who held the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a player thinks.
#[derive(Clone, Debug)]
pub struct Style {
    /// `None`: as long as the clock allows.
    pub agent: Option<NamedAgent<GdlGame>>,
    /// With two, a search for proofs runs beside the playouts.
    pub threads: usize,
    pub seed: u64,
}

/// What a match is about.
#[derive(Clone, Debug)]
pub struct Setting {
    pub id: String,
    pub role: Term,
    pub rules: String,
    /// How long to think at most while others do.
    pub patience: Duration,
    pub style: Style,
}

/// A request for a move.
pub struct MoveRequest {
    moves: Option<Vec<Term>>,
    /// Raised when it is time to answer.
    time: Arc<AtomicBool>,
    /// Raised when there is a reason to look up: it is time, or a better engine has come.
    pause: Arc<AtomicBool>,
    /// The best move so far.
    best: Mutex<Option<Term>>,
    answer: watch::Sender<Option<Term>>,
}

impl MoveRequest {
    /// What it was told.
    pub fn moves(&self) -> Option<&[Term]> {
        self.moves.as_deref()
    }

    /// It is time.
    pub fn hurry(&self) {
        self.time.store(true, Ordering::Relaxed);
        self.pause.store(true, Ordering::Release);
    }

    /// The best move so far, if any is known.
    pub fn best(&self) -> Option<Term> {
        lock(&self.best).clone()
    }

    /// The answer, as soon as there is one.
    pub async fn answer(&self) -> Option<Term> {
        let mut receiver = self.answer.subscribe();
        let answer = receiver.wait_for(Option::is_some).await.ok()?;
        answer.clone()
    }

    /// Whether there is an answer.
    pub fn is_answered(&self) -> bool {
        self.answer.borrow().is_some()
    }

    fn suggest(&self, choice: Term) {
        *lock(&self.best) = Some(choice);
    }

    fn reply(&self, choice: Term) {
        self.suggest(choice.clone());
        self.answer.send_replace(Some(choice));
    }
}

/// How far the preparations for a match are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ready {
    NotYet,
    Yes,
    /// Why it cannot be played.
    Refused(String),
}

/// A mind at work, from outside.
pub struct SearchWorker {
    shared: Arc<Shared>,
}

struct Shared {
    inbox: Mutex<Inbox>,
    wakeup: Condvar,
    ready: watch::Sender<Ready>,
    /// Raised when the match is over, whatever is still being built for it.
    over: AtomicBool,
    /// Whether the thread has ended.
    gone: AtomicBool,
}

#[derive(Default)]
struct Inbox {
    orders: VecDeque<Command>,
    /// The network, once it is there.
    engine: Option<Arc<GdlGame>>,
    /// The turn that the mind thinks about now.
    turn: Option<Arc<MoveRequest>>,
    /// Makes the mind look up from what it is doing otherwise.
    interrupt: Arc<AtomicBool>,
}

impl Inbox {
    /// Somebody has come.
    fn interrupt(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
        if let Some(turn) = &self.turn {
            turn.pause.store(true, Ordering::Release);
        }
    }
}

enum Command {
    Play(Arc<MoveRequest>),
    Stop(Option<Vec<Term>>),
}

impl SearchWorker {
    /// Begins to prepare for a match.
    pub fn begin(setting: Setting) -> std::io::Result<SearchWorker> {
        let shared = Arc::new(Shared {
            inbox: Mutex::default(),
            wakeup: Condvar::new(),
            ready: watch::Sender::new(Ready::NotYet),
            over: AtomicBool::new(false),
            gone: AtomicBool::new(false),
        });
        let own = Arc::clone(&shared);
        thread("mind", move || {
            // Also if it panics.
            let _gone = Gone(Arc::clone(&own));
            Thread { setting, shared: own, ply: 0, last: None, turn: None, pondered: None }.run();
        })?;
        Ok(SearchWorker { shared })
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
        let turn = Arc::new(MoveRequest {
            moves,
            time: Arc::default(),
            pause: Arc::default(),
            best: Mutex::default(),
            answer: watch::Sender::new(None),
        });
        self.order(Command::Play(Arc::clone(&turn)));
        turn
    }

    /// Tells how the match ended.
    pub fn stop(&self, moves: Option<Vec<Term>>) {
        self.order(Command::Stop(moves));
    }

    /// Gives up the match.
    pub fn abort(&self) {
        self.shared.end();
    }

    /// Whether the thread has ended.
    pub fn is_gone(&self) -> bool {
        self.shared.gone.load(Ordering::Relaxed)
    }

    fn order(&self, order: Command) {
        let mut inbox = lock(&self.shared.inbox);
        inbox.orders.push_back(order);
        inbox.interrupt();
        // A turn that nobody waits for any more ends.
        if let Some(turn) = &inbox.turn {
            turn.hurry();
        }
        self.shared.wakeup.notify_all();
    }
}

impl Drop for SearchWorker {
    fn drop(&mut self) {
        // After the last order it ends by itself, and still has something to say.
        let stops = matches!(lock(&self.shared.inbox).orders.back(), Some(Command::Stop(_)));
        if !stops {
            self.shared.end();
        }
    }
}

impl Shared {
    fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
        let inbox = lock(&self.inbox);
        inbox.interrupt();
        if let Some(turn) = &inbox.turn {
            turn.hurry();
        }
        self.wakeup.notify_all();
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

struct Gone(Arc<Shared>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.gone.store(true, Ordering::Relaxed);
        self.0.over.store(true, Ordering::Relaxed);
        let refused = Ready::Refused("the player stumbled over these rules".to_owned());
        self.0.ready.send_if_modified(|ready| {
            let waiting = *ready == Ready::NotYet;
            if waiting {
                *ready = refused;
            }
            waiting
        });
    }
}

fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(work).map(drop)
}

/// The mind from inside.
struct Thread {
    setting: Setting,
    shared: Arc<Shared>,
    ply: u64,
    /// The last request for a move, and what was answered.
    last: Option<(Option<Vec<Term>>, Term)>,
    /// The turn that is thought about.
    turn: Option<Arc<MoveRequest>>,
    /// Since when it thinks while others do.
    pondered: Option<Instant>,
}

/// What to do next.
enum Next {
    Command(Command),
    /// A better engine is there.
    Engine(Arc<GdlGame>),
    /// Nothing is to be done; the flag is raised when something is.
    Nothing(Arc<AtomicBool>),
    End,
}

impl Thread {
    fn run(mut self) {
        match self.prepare() {
            Ok((game, role)) => self.live(game, role),
            Err(reason) => {
                self.shared.ready.send_replace(Ready::Refused(reason));
            }
        }
    }

    /// Makes the plain engine, and has the network made.
    fn prepare(&mut self) -> Result<(Arc<GdlGame>, Role), String> {
        let program = Program::read(&self.setting.rules).map_err(|error| error.to_string())?;
        let role = find_role(program.roles(), &self.setting.role).ok_or_else(|| {
            let roles = program.roles().join(", ");
            format!("there is no role {}; the rules have {roles}", self.setting.role)
        })?;
        let id = self.setting.id.clone();
        let network = program.clone();
        let plain = GdlGame::new(&id, program, Engine::Prover, &GroundingLimits::default())
            .map_err(|error| error.to_string())?;
        let shared = Arc::clone(&self.shared);
        let build = move || {
            let made = GdlGame::new_until(&id, network, Engine::Fast, &GroundingLimits::default(), &shared.over);
            match made {
                Ok(game) if game.network().is_ok() => {
                    let mut inbox = lock(&shared.inbox);
                    inbox.engine = Some(Arc::new(game));
                    inbox.interrupt();
                }
                Ok(game) if shared.is_over() => drop(game),
                Ok(game) => log::line(format!(
                    "{id}: plain engine: {}",
                    game.network().err().map(|reason| reason.to_string()).unwrap_or_default()
                )),
                Err(error) => log::line(format!("{id}: plain engine: {error}")),
            }
            shared.ready.send_replace(Ready::Yes);
            shared.wakeup.notify_all();
        };
        thread("network", build).map_err(|error| error.to_string())?;
        Ok((Arc::new(plain), role))
    }

    /// Plays with one engine after another.
    fn live(&mut self, mut game: Arc<GdlGame>, role: Role) {
        let mut state = game.start();
        loop {
            let Some((better, facts)) = self.live_with(&game, state.clone(), role) else { return };
            match better.state_with(&facts) {
                Ok(same) => {
                    state = same;
                    game = better;
                }
                Err(error) => {
                    log::line(format!("{}: plain engine: {error}", self.setting.id));
                    match game.state_with(&facts) {
                        Ok(same) => state = same,
                        Err(_) => return,
                    }
                }
            }
        }
    }

    /// Plays with an engine until there is a better one; `None` if the match is over.
    fn live_with(
        &mut self,
        game: &Arc<GdlGame>,
        state: <GdlGame as Game>::State,
        role: Role,
    ) -> Option<(Arc<GdlGame>, Vec<Term>)> {
        let mut tree = Tree::new(Arc::clone(game), state, role);
        let mut chance = Chance::stream(self.setting.style.seed, self.ply);
        let mut slice = Slice::default();
        if let Some(turn) = self.turn.take() {
            self.answer(game, &mut tree, role, turn, &mut chance);
        }
        loop {
            let may_ponder = self.turn.is_none()
                && self.setting.style.agent.is_none()
                && !tree.is_settled()
                && self.pondered.is_none_or(|since| since.elapsed() < self.setting.patience);
            match self.next(may_ponder) {
                Next::End => return None,
                Next::Engine(better) => return Some((better, game.facts(tree.state()))),
                Next::Nothing(interrupt) => {
                    self.pondered.get_or_insert_with(Instant::now);
                    slice.grow(&mut tree, &mut chance, &interrupt);
                }
                Next::Command(Command::Play(turn)) => {
                    self.pondered = None;
                    self.follow(game, &mut tree, role, turn, &mut chance);
                }
                Next::Command(Command::Stop(moves)) => {
                    if let Some(moves) = &moves {
                        self.resolve(game, &mut tree, moves);
                    }
                    let goal = game.goals(tree.state()).and_then(|goals| goals[role.index()]);
                    let how = goal.map_or("stopped".to_owned(), |goal| format!("goal {goal}"));
                    log::line(format!("{}: {how} after {} moves", self.setting.id, self.ply));
                    self.shared.end();
                    return None;
                }
            }
        }
    }

    /// What to do next; waits for it unless there is something to ponder.
    fn next(&mut self, may_ponder: bool) -> Next {
        let shared = Arc::clone(&self.shared);
        let mut inbox = lock(&shared.inbox);
        loop {
            if shared.is_over() {
                return Next::End;
            }
            if let Some(engine) = inbox.engine.take() {
                return Next::Engine(engine);
            }
            if let Some(order) = inbox.orders.pop_front() {
                if let Command::Play(turn) = &order {
                    inbox.turn = Some(Arc::clone(turn));
                }
                return Next::Command(order);
            }
            if may_ponder {
                inbox.interrupt = Arc::default();
                return Next::Nothing(Arc::clone(&inbox.interrupt));
            }
            inbox = shared.wakeup.wait(inbox).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes in what was played, unless it was told before, and answers.
    fn follow(
        &mut self,
        game: &Arc<GdlGame>,
        tree: &mut Tree<GdlGame>,
        role: Role,
        turn: Arc<MoveRequest>,
        chance: &mut Chance,
    ) {
        if self.is_told_again(game, tree, role, &turn)
            && let Some((_, answer)) = &self.last
        {
            turn.reply(answer.clone());
            lock(&self.shared.inbox).turn = None;
            return;
        }
        if let Some(moves) = &turn.moves {
            suggest_ahead(game, tree, role, &turn, moves);
            self.resolve(game, tree, moves);
        }
        *chance = Chance::stream(self.setting.style.seed, self.ply);
        self.answer(game, tree, role, turn, chance);
    }

    /// Whether a request only repeats the last one, since its answer was lost on the way.
    ///
    /// The same moves may also be played twice in a row. Then they are legal now, and ours is what we answered.
    fn is_told_again(&self, game: &GdlGame, tree: &Tree<GdlGame>, role: Role, turn: &MoveRequest) -> bool {
        let Some((moves, answer)) = &self.last else { return false };
        if *moves != turn.moves {
            return false;
        }
        let Some(moves) = moves else { return true };
        let ours = moves.get(role.index()).is_some_and(|ours| is_alike(ours, answer));
        !ours || game.goals(tree.state()).is_some() || !joint_move(game, tree.state(), moves).1.is_empty()
    }

    /// Plays the joint move that was told.
    fn resolve(&mut self, game: &GdlGame, tree: &mut Tree<GdlGame>, moves: &[Term]) {
        if game.goals(tree.state()).is_some() {
            log::line(format!("{}: moves were told though the game is over", self.setting.id));
            return;
        }
        let (joint, misfits) = joint_move(game, tree.state(), moves);
        for misfit in misfits {
            let found = misfit.found.map_or("nothing".to_owned(), |found| found.to_string());
            let role = &game.roles()[misfit.role.index()];
            log::line(format!(
                "{}: {role} is said to have played {found}, which is not legal; taken as {}",
                self.setting.id, misfit.instead
            ));
        }
        tree.play(&joint);
        self.ply += 1;
    }

    /// Answers a turn. If a better engine comes while it thinks, the turn is put aside for it.
    fn answer(
        &mut self,
        game: &Arc<GdlGame>,
        tree: &mut Tree<GdlGame>,
        role: Role,
        turn: Arc<MoveRequest>,
        chance: &mut Chance,
    ) {
        let began = Instant::now();
        let state = tree.state().clone();
        let mut moves = Vec::new();
        if game.goals(&state).is_none() && game.to_move(&state).contains(role) {
            game.legal(&state, role, &mut moves);
        }
        let term = |choice: &_| game.move_term(&state, role, choice);
        let choice = match moves.as_slice() {
            // Nothing can be chosen.
            [] => None,
            [only] => Some(Choice::unexamined(only.clone())),
            [first, ..] => {
                turn.suggest(tree.choice(chance).map_or_else(|| term(first), |choice| term(&choice.pick)));
                match &self.setting.style.agent {
                    Some(agent) => agent.choose_until(&**game, &state, role, chance, &turn.time),
                    None => match self.think(game, tree, role, &turn, chance) {
                        Some(choice) => Some(choice),
                        None => {
                            self.turn = Some(turn);
                            return;
                        }
                    },
                }
            }
        };
        let answer = match &choice {
            Some(choice) => term(&choice.pick),
            None => game.only_move(&state, role),
        };
        if !turn.is_answered() {
            turn.reply(answer.clone());
        }
        if let Some(choice) = choice.filter(|_| moves.len() > 1) {
            let value = choice.value.map(|value| format!(", worth {value:.0}")).unwrap_or_default();
            log::line(format!(
                "{}: move {}: {answer} in {} ms, {} playouts{value}{}",
                self.setting.id,
                self.ply + 1,
                began.elapsed().as_millis(),
                choice.playouts,
                if choice.proved { " for certain" } else { "" }
            ));
        }
        lock(&self.shared.inbox).turn = None;
        self.last = Some((turn.moves.clone(), answer));
    }

    /// The best move that is found until it is time; `None` if a better engine has come.
    fn think(
        &self,
        game: &Arc<GdlGame>,
        tree: &mut Tree<GdlGame>,
        role: Role,
        turn: &MoveRequest,
        chance: &mut Chance,
    ) -> Option<Choice<<GdlGame as Game>::Move>> {
        let state = tree.state().clone();
        // Where states take long to work out, nothing would be proved, only time lost.
        let wanted = self.setting.style.threads > 1 && game.network().is_ok();
        let search = wanted.then(|| ProofSearch::begin(Arc::clone(game), state.clone(), role, chance.bits()));
        let mut slice = Slice::default();
        loop {
            slice.grow(tree, chance, &turn.pause);
            // Whatever comes from here on makes it look up again.
            turn.pause.swap(false, Ordering::AcqRel);
            let best = tree.choice(chance);
            let proved = search.as_ref().and_then(ProofSearch::found);
            let proved = proved.filter(|proved| is_better(game, tree, proved, best.as_ref()));
            let settled = tree.is_settled() || proved.is_some();
            let best = match (proved, best) {
                (Some(proved), Some(best)) => Some(Choice { playouts: best.playouts, ..proved }),
                (proved, best) => proved.or(best),
            };
            if let Some(best) = &best {
                turn.suggest(game.move_term(&state, role, &best.pick));
            }
            if settled || turn.time.load(Ordering::Relaxed) || self.shared.is_over() {
                return best;
            }
            if lock(&self.shared.inbox).engine.is_some() {
                return None;
            }
        }
    }
}

/// A search for a result that is certain, in a thread of its own. It ends soon after it is dropped; nobody waits for that.
struct ProofSearch {
    enough: Arc<AtomicBool>,
    found: Arc<Mutex<Option<Choice<<GdlGame as Game>::Move>>>>,
}

impl ProofSearch {
    fn begin(game: Arc<GdlGame>, state: <GdlGame as Game>::State, role: Role, seed: u64) -> ProofSearch {
        let search = ProofSearch { enough: Arc::default(), found: Arc::default() };
        let (enough, proof) = (Arc::clone(&search.enough), Arc::clone(&search.found));
        let work = move || {
            let mut chance = Chance::new(seed);
            let settings = AlphaBeta::new(AgentSpec::MOST_DEPTH);
            let found = alphabeta(&*game, &state, role, &settings, &mut chance, &enough);
            *lock(&proof) = found.filter(|found| found.proved);
        };
        if let Err(error) = thread("proof", work) {
            log::line(format!("nothing can be proved: {error}"));
        }
        search
    }

    fn found(&self) -> Option<Choice<<GdlGame as Game>::Move>> {
        lock(&self.found).clone()
    }
}

impl Drop for ProofSearch {
    fn drop(&mut self) {
        self.enough.store(true, Ordering::Relaxed);
    }
}

/// Suggests a legal move before a large tree is cut down to what is still of use, which may take a moment.
fn suggest_ahead(game: &GdlGame, tree: &Tree<GdlGame>, role: Role, turn: &MoveRequest, moves: &[Term]) {
    // Plainly it would take as long to work out the next state.
    if game.network().is_err() || game.goals(tree.state()).is_some() {
        return;
    }
    let (joint, _) = joint_move(game, tree.state(), moves);
    let mut state = tree.state().clone();
    game.play(&mut state, &joint);
    turn.suggest(game.only_move(&state, role));
}

/// Whether what was proved is to be played instead of what playouts found best.
///
/// The proof supposes that all others play against us. So what it promises is certain, but where the others have goals of
/// their own, more may be had.
fn is_better<M>(game: &GdlGame, tree: &Tree<GdlGame>, proved: &Choice<M>, best: Option<&Choice<M>>) -> bool {
    let opposed = match played_roles(game).len() {
        1 => true,
        2 => tree.is_constant_sum() && tree.is_by_turns(),
        _ => false,
    };
    // If all is lost, the playouts know what is hardest to refute.
    proved.value > Some(0.0) && (opposed || proved.value >= best.and_then(|best| best.value))
}

/// Whether two terms are the same but for case.
fn is_alike(one: &Term, other: &Term) -> bool {
    one.to_string().eq_ignore_ascii_case(&other.to_string())
}

/// How many playouts to make before looking up.
struct Slice(u64);

impl Default for Slice {
    fn default() -> Slice {
        Slice(1)
    }
}

impl Slice {
    fn grow(&mut self, tree: &mut Tree<GdlGame>, chance: &mut Chance, stop: &AtomicBool) {
        let began = Instant::now();
        tree.grow(self.0, chance, stop);
        let took = began.elapsed();
        if took < SLICE / 2 {
            self.0 = (self.0 * 2).min(1 << 16);
        } else if took > SLICE * 2 {
            self.0 = (self.0 / 2).max(1);
        }
    }
}
