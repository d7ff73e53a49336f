//! The clock of the machine, for the library, which has none.

use onlooker::play::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time since it was made.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

/// How often an alarm looks whether it was stopped.
const LOOK: Duration = Duration::from_millis(5);

impl SystemClock {
    /// A clock that begins now.
    #[allow(clippy::new_without_default, reason = "what begins now is no default")]
    pub fn new() -> SystemClock {
        SystemClock(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn alarm(&self, at: Duration, stop: &Arc<AtomicBool>) -> Arc<AtomicBool> {
        let flag = Arc::new(AtomicBool::new(self.now() >= at));
        if flag.load(Ordering::Relaxed) {
            return flag;
        }
        let (clock, stop, set) = (*self, Arc::clone(stop), Arc::downgrade(&flag));
        let watch = move || {
            loop {
                // Nobody waits for it any more if it is gone.
                let Some(flag) = set.upgrade() else { return };
                let left = at.saturating_sub(clock.now());
                if left.is_zero() || stop.load(Ordering::Relaxed) {
                    flag.store(true, Ordering::Relaxed);
                    return;
                }
                drop(flag);
                std::thread::sleep(left.min(LOOK));
            }
        };
        if std::thread::Builder::new().name("alarm".to_owned()).spawn(watch).is_err() {
            // Better early than never.
            flag.store(true, Ordering::Relaxed);
        }
        flag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alarms_go_off_in_time_or_when_they_are_stopped() {
        let clock = SystemClock::new();
        let never = Arc::default();
        let soon = clock.alarm(clock.now() + Duration::from_millis(30), &never);
        let stop: Arc<AtomicBool> = Arc::default();
        let late = clock.alarm(clock.now() + Duration::from_secs(600), &stop);
        assert!(!late.load(Ordering::Relaxed));
        stop.store(true, Ordering::Relaxed);
        let wait = |flag: &AtomicBool| {
            (0..1000).any(|_| {
                std::thread::sleep(Duration::from_millis(5));
                flag.load(Ordering::Relaxed)
            })
        };
        assert!(wait(&soon) && wait(&late));
        assert!(clock.alarm(Duration::ZERO, &never).load(Ordering::Relaxed));
    }
}
