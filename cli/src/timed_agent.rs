//! An agent that is stopped when its time for a move is over. The library reads no clock.

use onlooker::game::{Chance, Game, Role};
use onlooker::play::{Agent, Choice};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often a thinking agent's match may be found stopped.
const LOOK: Duration = Duration::from_millis(20);

/// An agent and its clock.
pub struct TimedAgent<A> {
    agent: A,
    /// For a move; as long as it likes if there is none.
    limit: Option<Duration>,
    /// How many moves it has chosen, and the nanoseconds that they took.
    choices: AtomicU64,
    nanoseconds: AtomicU64,
}

impl<A> TimedAgent<A> {
    /// With so much time for a move.
    pub fn new(agent: A, limit: Option<Duration>) -> TimedAgent<A> {
        TimedAgent { agent, limit, choices: AtomicU64::new(0), nanoseconds: AtomicU64::new(0) }
    }

    /// Seconds for a move, on average; moves without a choice do not count.
    pub fn seconds_per_choice(&self) -> f64 {
        let choices = self.choices.load(Ordering::Relaxed).max(1);
        self.nanoseconds.load(Ordering::Relaxed) as f64 / 1e9 / choices as f64
    }
}

impl<G: Game, A: Agent<G>> Agent<G> for TimedAgent<A> {
    fn choose_among(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
        moves: Vec<G::Move>,
        chance: &mut Chance,
        stop: &AtomicBool,
    ) -> Choice<G::Move> {
        let begun = Instant::now();
        let Some(limit) = self.limit else {
            return self.agent.choose_among(game, state, role, moves, chance, stop);
        };
        let (late, chosen) = (AtomicBool::new(false), AtomicBool::new(false));
        let choice = std::thread::scope(|scope| {
            let clock = scope.spawn(|| {
                while !chosen.load(Ordering::Relaxed) {
                    let left = limit.saturating_sub(begun.elapsed());
                    if left.is_zero() || stop.load(Ordering::Relaxed) {
                        return late.store(true, Ordering::Relaxed);
                    }
                    std::thread::park_timeout(left.min(LOOK));
                }
            });
            let choice = self.agent.choose_among(game, state, role, moves, chance, &late);
            chosen.store(true, Ordering::Relaxed);
            clock.thread().unpark();
            choice
        });
        self.choices.fetch_add(1, Ordering::Relaxed);
        self.nanoseconds.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
        choice
    }
}
