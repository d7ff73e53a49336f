//! The player of matches over a network as an agent: it studies a game by the clock, then thinks about every move by the clock.

use super::study::{Study, StudyPlan, study};
use crate::game::{Chance, Game, Role};
use crate::play::{Agent, Choice, Clock, ClockedSpec};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Plays as `onlooker ggp` does, but for what that thinks while others think.
///
/// Whoever asks first has the game studied; all others wait for that, so that one agent can play many games at once.
pub struct ClockedPlayer {
    spec: ClockedSpec,
    clock: Arc<dyn Clock>,
    studied: Mutex<Option<(GameKey, Arc<Study>)>>,
}

/// What tells games apart: where the game is, what it is called, and who plays.
type GameKey = (usize, String, Vec<String>);

/// About how long to think before looking whether to stop.
const SLICE: Duration = Duration::from_millis(5);
/// How often to look whether a study is to be stopped.
const LOOK: Duration = Duration::from_millis(5);

impl ClockedPlayer {
    /// Nothing is studied before the first question.
    pub fn new(spec: ClockedSpec, clock: Arc<dyn Clock>) -> ClockedPlayer {
        ClockedPlayer { spec, clock, studied: Mutex::new(None) }
    }

    /// What was found out about a game, which is studied if it was not yet.
    fn study<G: Game>(&self, game: &G, stop: &AtomicBool) -> Arc<Study> {
        if !self.spec.learn {
            return Arc::new(Study::none());
        }
        let key = (std::ptr::from_ref(game).addr(), game.name().to_owned(), game.roles().to_vec());
        let mut studied = self.studied.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, study)) = &*studied
            && *known == key
        {
            return Arc::clone(study);
        }
        let until = self.clock.now() + Duration::from_millis(u64::from(self.spec.start_ms));
        let plan = StudyPlan { until, seed: 1, earlier: Vec::new(), heuristic: None };
        let halt: Arc<AtomicBool> = Arc::default();
        let threads = usize::from(self.spec.threads);
        let found = std::thread::scope(|scope| {
            let work = scope.spawn(|| study(game, &plan, threads, &*self.clock, &halt));
            while !work.is_finished() {
                halt.store(stop.load(Ordering::Relaxed), Ordering::Relaxed);
                std::thread::park_timeout(LOOK);
            }
            work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        let found = Arc::new(found);
        // What was stopped is studied again.
        if !stop.load(Ordering::Relaxed) {
            *studied = Some((key, Arc::clone(&found)));
        }
        found
    }
}

impl<G: Game> Agent<G> for ClockedPlayer {
    fn choose_among(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        mut moves: Vec<G::Move>,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Choice<G::Move> {
        let study = self.study(game, stop);
        let until = self.clock.now() + Duration::from_millis(u64::from(self.spec.move_ms));
        let time = self.clock.alarm(until, &Arc::default());
        let threads = usize::from(self.spec.threads);
        let mut trees = study.trees(game, state.clone(), role, None, threads);
        let mut playouts = 1;
        while !trees.is_settled() && !time.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
            let begun = self.clock.now();
            if trees.grow(playouts, chance, &time) == 0 {
                break;
            }
            if self.clock.now().saturating_sub(begun) < SLICE {
                playouts *= 2;
            }
        }
        trees.choice(chance).unwrap_or_else(|| Choice::unexamined(moves.swap_remove(0)))
    }
}
