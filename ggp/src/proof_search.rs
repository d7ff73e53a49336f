//! A search for a result that is certain, beside the playouts.

use crate::log::Log;
use crate::worker::{Alive, lock, thread};
use onlooker::game::{Chance, Game, GdlGame, Role};
use onlooker::play::{AgentSpec, AlphaBeta, Choice, alphabeta};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// What the search chooses.
type Found = Choice<<GdlGame as Game>::Move>;

/// An alpha-beta search in a thread of its own. It ends soon after it is dropped; nobody waits for that.
pub struct ProofSearch {
    enough: Arc<AtomicBool>,
    found: Arc<Mutex<Option<Found>>>,
}

impl ProofSearch {
    /// Begins to search.
    pub fn begin(
        game: Arc<GdlGame>,
        state: <GdlGame as Game>::State,
        role: Role,
        seed: u64,
        alive: &Arc<Alive>,
        log: &Log,
    ) -> ProofSearch {
        let search = ProofSearch { enough: Arc::default(), found: Arc::default() };
        let (enough, proof) = (Arc::clone(&search.enough), Arc::clone(&search.found));
        let work = move || {
            let mut chance = Chance::new(seed);
            let settings = AlphaBeta::new(AgentSpec::MOST_DEPTH);
            let found = alphabeta(&*game, &state, role, &settings, &mut chance, &enough);
            *lock(&proof) = found.filter(|found| found.proved);
        };
        if let Err(error) = thread("proof", alive, work) {
            log.line(format!("nothing can be proved: {error}"));
        }
        search
    }

    /// The move that is proved, if there is one yet.
    pub fn found(&self) -> Option<Found> {
        lock(&self.found).clone()
    }
}

impl Drop for ProofSearch {
    fn drop(&mut self) {
        self.enough.store(true, Ordering::Relaxed);
    }
}
