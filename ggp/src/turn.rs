//! A request for a move, seen by the one who waits and by the one who thinks.

use onlooker::game::Term;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::watch;

/// A request for a move.
pub struct MoveRequest {
    moves: Option<Vec<Term>>,
    /// Set when it is time to answer.
    time: AtomicBool,
    /// Set when there is a reason to look up: it is time, or a better engine has come.
    pause: AtomicBool,
    /// The best move so far.
    best: watch::Sender<Option<Term>>,
    answer: watch::Sender<Option<Term>>,
}

impl MoveRequest {
    /// A request that comes with the last moves of all roles.
    pub fn new(moves: Option<Vec<Term>>) -> Arc<MoveRequest> {
        Arc::new(MoveRequest {
            moves,
            time: AtomicBool::new(false),
            pause: AtomicBool::new(false),
            best: watch::Sender::new(None),
            answer: watch::Sender::new(None),
        })
    }

    /// The last moves of all roles, as the request has them.
    pub fn moves(&self) -> Option<&[Term]> {
        self.moves.as_deref()
    }

    /// It is time to answer.
    pub fn hurry(&self) {
        self.time.store(true, Ordering::Relaxed);
        self.look_up();
    }

    /// There is a reason to look up from thinking.
    pub fn look_up(&self) {
        self.pause.store(true, Ordering::Release);
    }

    /// Set when it is time to answer.
    pub fn time(&self) -> &AtomicBool {
        &self.time
    }

    /// Set when there is a reason to look up.
    pub fn pause(&self) -> &AtomicBool {
        &self.pause
    }

    /// Goes back to thinking: whatever comes from here on is a new reason to look up.
    pub fn go_on(&self) {
        self.pause.swap(false, Ordering::AcqRel);
    }

    /// The best move so far, if any is known.
    pub fn best(&self) -> Option<Term> {
        self.best.borrow().clone()
    }

    /// The best move so far, as soon as one is known.
    pub async fn any(&self) -> Option<Term> {
        first(&self.best).await
    }

    /// The answer, as soon as there is one.
    pub async fn answer(&self) -> Option<Term> {
        first(&self.answer).await
    }

    /// Whether there is an answer.
    pub fn is_answered(&self) -> bool {
        self.answer.borrow().is_some()
    }

    /// Says what would be played now.
    pub fn suggest(&self, choice: Term) {
        self.best.send_replace(Some(choice));
    }

    /// Answers.
    pub fn reply(&self, choice: Term) {
        self.suggest(choice.clone());
        self.answer.send_replace(Some(choice));
    }
}

async fn first(sender: &watch::Sender<Option<Term>>) -> Option<Term> {
    let mut receiver = sender.subscribe();
    let found = receiver.wait_for(Option::is_some).await.ok()?;
    found.clone()
}
