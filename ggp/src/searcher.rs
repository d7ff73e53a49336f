//! The thread of a match from inside: it follows the game, thinks in its turn and while others think, and answers.
//!
//! It never looks at the clocks of the match. Whoever asks for a move raises a flag when it is time, and can take the best
//! move so far at any moment. It begins with the prover and changes to the propnet when that is built, in the middle of a
//! turn if need be: facts carry the state over.

use crate::memory::Memory;
use crate::move_report::MoveReport;
use crate::proof_search::ProofSearch;
use crate::setup;
use crate::study_memory::StudyMemory;
use crate::system_clock::SystemClock;
use crate::turn::MoveRequest;
use crate::worker::{Alive, Command, Next, Ready, Setting, Shared, thread};
use onlooker::concepts::{Study, StudyPlan, study};
use onlooker::game::{Chance, Game, GdlGame, Role, Term, joint_terms, played_roles};
use onlooker::play::{Agent, Choice, Clock, TreeOptions, Trees, joint_move};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// About how long to think before looking up.
const SLICE: Duration = Duration::from_millis(15);

/// Plays a match.
pub struct Searcher {
    setting: Setting,
    shared: Arc<Shared>,
    alive: Arc<Alive>,
    ply: u64,
    /// The last request for a move, and what was answered.
    last: Option<(Option<Vec<Term>>, Term)>,
    /// The turn that is thought about.
    turn: Option<Arc<MoveRequest>>,
    /// Since when it thinks while others do.
    pondered: Option<Instant>,
    /// What is known of the opponents.
    memory: Option<Memory>,
    /// What was found out about the game.
    study: Option<Study>,
    /// Where that is kept for other matches.
    study_memory: Option<StudyMemory>,
}

/// The study ends so long before the start clock is answered.
const STUDY_MARGIN: Duration = Duration::from_millis(100);
/// How much of the start clock goes to the study, and how much at most; in the rest the tree grows that the match begins with.
const STUDY_SHARE: f64 = 0.4;
const LONGEST_STUDY: Duration = Duration::from_secs(20);
/// So many playouts are made before a game is studied.
const GLANCE: u64 = 500;
/// A shorter study is none.
const LEAST_STUDY: Duration = Duration::from_millis(300);

impl Searcher {
    /// Ready to run.
    pub fn new(setting: Setting, shared: Arc<Shared>, alive: Arc<Alive>) -> Searcher {
        Searcher {
            setting,
            shared,
            alive,
            ply: 0,
            last: None,
            turn: None,
            pondered: None,
            memory: None,
            study: None,
            study_memory: None,
        }
    }

    /// Prepares for the match and plays it to its end.
    pub fn run(mut self) {
        match self.prepare() {
            Ok((game, role)) => self.live(game, role),
            Err(reason) => self.shared.set_ready(Ready::Refused(reason)),
        }
    }

    /// Makes the prover, and has the propnet built beside it.
    fn prepare(&mut self) -> Result<(Arc<GdlGame>, Role), String> {
        let Setting { id, rules, role, log, .. } = &self.setting;
        let playable = setup::prepare(id, rules, role, self.shared.over())?;
        let (id, log, shared) = (id.clone(), log.clone(), Arc::clone(&self.shared));
        let program = playable.program;
        // Who studies says when that is done.
        let ready = !self.setting.style.studies();
        let build = move || {
            let engine = setup::build_propnet(&id, program, shared.over(), &log);
            shared.set_engine(engine, ready);
        };
        thread("propnet", &self.alive, build).map_err(|error| error.to_string())?;
        if let Some(remember) = &self.setting.style.remember {
            let (remember, rules, log) = (remember.clone(), &self.setting.rules, self.setting.log.clone());
            self.study_memory = StudyMemory::open(&remember.folder, rules, log.clone());
            self.memory = Some(Memory::open(remember, rules, &playable.game, playable.role, log));
        }
        Ok((playable.game, playable.role))
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
                    self.setting.log.line(format!("{}: plain engine: {error}", self.setting.id));
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
        if let Some(memory) = &mut self.memory {
            memory.bind(game);
        }
        let mut tree = self.trees(game, state, role);
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
            if self.turn.is_none() && tree.is_settled() {
                self.shared.set_ready(Ready::Yes);
            }
            match self.shared.next(may_ponder) {
                Next::End => return None,
                Next::Engine(better) => return Some((better, game.facts(tree.state()))),
                Next::Ponder(interrupt) if self.may_study(game) => {
                    // What is certain after a glance needs no study.
                    tree.grow(GLANCE, &mut chance, &interrupt);
                    if tree.is_settled() {
                        continue;
                    }
                    self.study(game, &interrupt);
                    // The rest of the clock goes into the tree.
                    tree = self.trees(game, tree.state().clone(), role);
                }
                Next::Ponder(interrupt) => {
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
                    self.setting.log.line(format!("{}: {how} after {} moves", self.setting.id, self.ply));
                    if let Some(memory) = &mut self.memory {
                        memory.save();
                    }
                    self.shared.end();
                    return None;
                }
            }
        }
    }

    /// Trees of a state that grow as the study says.
    fn trees(&self, game: &Arc<GdlGame>, state: <GdlGame as Game>::State, role: Role) -> Trees<GdlGame> {
        let style = &self.setting.style;
        let usual = Study::none();
        let study = self.study.as_ref().unwrap_or(&usual);
        // One thread looks for proofs if there are several.
        let number = style.threads.saturating_sub(1).max(1);
        let game = Arc::clone(game);
        match self.memory.as_ref().filter(|memory| memory.knows_opponents()) {
            // What is known of opponents is known of the sheet's moves.
            Some(memory) => {
                let options = TreeOptions { policy: Some(memory.policy()), ..study.options() };
                Trees::new(game, state, role, options, number)
            }
            None => study.trees(game, state, role, u32::try_from(self.ply).ok(), number),
        }
    }

    /// Whether the game is still to be studied, and there is the time for it.
    fn may_study(&self, game: &GdlGame) -> bool {
        let left = self.setting.prepare_until.saturating_duration_since(Instant::now());
        self.setting.style.studies()
            && self.study.is_none()
            && self.ply == 0
            && game.network().is_ok()
            && left > STUDY_MARGIN + LEAST_STUDY
    }

    /// Studies the game as long as the start clock allows, or until it is interrupted.
    fn study(&mut self, game: &Arc<GdlGame>, interrupt: &Arc<AtomicBool>) {
        let left = self.setting.prepare_until.saturating_duration_since(Instant::now()).saturating_sub(STUDY_MARGIN);
        let left = left.mul_f64(STUDY_SHARE).min(LONGEST_STUDY);
        let clock = SystemClock::new();
        let style = &self.setting.style;
        let earlier = self.study_memory.as_ref().map(StudyMemory::load).unwrap_or_default();
        let until = clock.now() + left;
        let plan = StudyPlan { until, seed: style.seed, earlier: earlier.tallies, heuristic: earlier.heuristic };
        let found = study(&**game, &plan, style.threads, &clock, interrupt);
        let parts: Vec<&str> = found.parts.iter().map(|part| part.name()).collect();
        let tallies =
            found.tallies.iter().map(|(part, tally)| format!("{part} {}-{}-{}", tally.won, tally.drawn, tally.lost));
        self.setting.log.line(format!(
            "{}: studied for {} ms{}: playouts are predicted {:.0}% better; trials (won-drawn-lost): {}; using {}",
            self.setting.id,
            left.as_millis(),
            if found.twin.is_some() { " in rules learnt from the sheet" } else { "" },
            100.0 * found.gain,
            tallies.collect::<Vec<_>>().join(", "),
            if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
        ));
        if let Some(memory) = &self.study_memory {
            memory.save(&found);
        }
        self.study = Some(found);
    }

    /// Takes in what was played, unless it was told before, and answers.
    fn follow(
        &mut self,
        game: &Arc<GdlGame>,
        tree: &mut Trees<GdlGame>,
        role: Role,
        turn: Arc<MoveRequest>,
        chance: &mut Chance,
    ) {
        if self.is_told_again(game, tree, role, &turn)
            && let Some((_, answer)) = &self.last
        {
            turn.reply(answer.clone());
            self.shared.turn_done();
            return;
        }
        if let Some(moves) = turn.moves() {
            suggest_ahead(game, tree, role, &turn, moves);
            self.resolve(game, tree, moves);
        }
        *chance = Chance::stream(self.setting.style.seed, self.ply);
        self.answer(game, tree, role, turn, chance);
    }

    /// Whether a request only repeats the last one, since its answer was lost on the way.
    ///
    /// The same moves may also be played twice in a row. Then they are legal now, and ours is what we answered.
    fn is_told_again(&self, game: &GdlGame, tree: &Trees<GdlGame>, role: Role, turn: &MoveRequest) -> bool {
        let Some((moves, answer)) = &self.last else { return false };
        if moves.as_deref() != turn.moves() {
            return false;
        }
        let Some(moves) = moves else { return true };
        let ours = moves.get(role.index()).is_some_and(|ours| is_alike(ours, answer));
        !ours || game.goals(tree.state()).is_some() || !joint_move(game, tree.state(), moves).1.is_empty()
    }

    /// Plays the joint move that was told.
    fn resolve(&mut self, game: &GdlGame, tree: &mut Trees<GdlGame>, moves: &[Term]) {
        if game.goals(tree.state()).is_some() {
            self.setting.log.line(format!("{}: moves were told though the game is over", self.setting.id));
            return;
        }
        let (joint, misfits) = joint_move(game, tree.state(), moves);
        for misfit in misfits {
            let found = misfit.found.map_or("nothing".to_owned(), |found| found.to_string());
            let role = &game.roles()[misfit.role.index()];
            self.setting.log.line(format!(
                "{}: {role} is said to have played {found}, which is not legal; taken as {}",
                self.setting.id, misfit.instead
            ));
        }
        if let Some(memory) = &mut self.memory {
            memory.observe(game, tree.state(), &joint);
        }
        tree.play(&joint);
        self.ply += 1;
    }

    /// Answers a turn. If a better engine comes while it thinks, the turn is put aside for it.
    fn answer(
        &mut self,
        game: &Arc<GdlGame>,
        tree: &mut Trees<GdlGame>,
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
                    Some(agent) => agent.choose_until(&**game, &state, role, chance, turn.time()),
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
        let report = self.setting.style.report.as_ref().map(|_| MoveReport {
            id: &self.setting.id,
            ply: self.ply + 1,
            role: &game.roles()[role.index()],
            answer: &answer,
            took: began.elapsed(),
            choices: moves.len(),
            choice: choice.as_ref(),
            line: expected_line(game, tree),
            engine: match (tree.rules(), game.network()) {
                (Some(_), _) => "rules",
                (None, Ok(_)) => "propnet",
                (None, Err(_)) => "prover",
            },
            study: self.study.as_ref(),
            opponents: self.memory.as_ref().is_some_and(Memory::knows_opponents),
        });
        let report = report.map(|report| report.to_string());
        if let Some(choice) = choice.filter(|_| moves.len() > 1) {
            let value = choice.value.map(|value| format!(", worth {value:.0}")).unwrap_or_default();
            self.setting.log.line(format!(
                "{}: move {}: {answer} in {} ms, {} playouts{value}{}",
                self.setting.id,
                self.ply + 1,
                began.elapsed().as_millis(),
                choice.playouts,
                if choice.proved { " for certain" } else { "" }
            ));
        }
        if let Some(report) = report {
            self.setting.style.report.as_ref().inspect(|log| log.record(&report));
        }
        self.shared.turn_done();
        self.last = Some((turn.moves().map(<[Term]>::to_vec), answer));
    }

    /// The best move that is found until it is time; `None` if a better engine has come.
    fn think(
        &self,
        game: &Arc<GdlGame>,
        tree: &mut Trees<GdlGame>,
        role: Role,
        turn: &MoveRequest,
        chance: &mut Chance,
    ) -> Option<Choice<<GdlGame as Game>::Move>> {
        let state = tree.state().clone();
        // Where states take long to work out, nothing would be proved, only time lost.
        let wanted = self.setting.style.threads > 1 && game.network().is_ok();
        let search = wanted.then(|| {
            ProofSearch::begin(Arc::clone(game), state.clone(), role, chance.bits(), &self.alive, &self.setting.log)
        });
        let mut slice = Slice::default();
        loop {
            slice.grow(tree, chance, turn.pause());
            turn.go_on();
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
            if settled || turn.time().load(Ordering::Relaxed) || self.shared.is_over() {
                return best;
            }
            if self.shared.has_engine() {
                return None;
            }
        }
    }
}

/// Suggests a legal move before a large tree is cut down to what is still of use, which may take a moment.
fn suggest_ahead(game: &GdlGame, tree: &Trees<GdlGame>, role: Role, turn: &MoveRequest, moves: &[Term]) {
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
fn is_better<M>(game: &GdlGame, tree: &Trees<GdlGame>, proved: &Choice<M>, best: Option<&Choice<M>>) -> bool {
    let opposed = match played_roles(game).len() {
        1 => true,
        2 => tree.is_opposed(),
        _ => false,
    };
    // If all is lost, the playouts know what is hardest to refute.
    proved.value > Some(0.0) && (opposed || proved.value >= best.and_then(|best| best.value))
}

/// What the tree expects to be played, a joint move after another.
fn expected_line(game: &GdlGame, tree: &Trees<GdlGame>) -> Vec<String> {
    const MOST: usize = 32;
    let mut state = tree.state().clone();
    let mut line = Vec::new();
    for joint in tree.line(MOST) {
        let terms: Vec<String> = joint_terms(game, &state, &joint).iter().map(ToString::to_string).collect();
        line.push(terms.join(" "));
        game.play(&mut state, &joint);
    }
    line
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
    fn grow(&mut self, tree: &mut Trees<GdlGame>, chance: &mut Chance, stop: &AtomicBool) {
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
