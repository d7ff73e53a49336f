//! Time, as shells hand it to the library, which never looks at a clock by itself.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A clock that somebody else reads.
pub trait Clock: Send + Sync {
    /// How much time has gone by since some moment that stays the same.
    fn now(&self) -> Duration;

    /// A flag that is set when [`Clock::now`] has got so far, or soon after `stop` is set.
    fn alarm(&self, at: Duration, stop: &Arc<AtomicBool>) -> Arc<AtomicBool>;
}
