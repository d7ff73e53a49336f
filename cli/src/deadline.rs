//! A stop flag for work that may take only so long. The library reads no clock, so somebody else watches it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Raises a flag when the time is over or the program is interrupted. Ends its watching when dropped.
pub struct Deadline {
    flag: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
    watcher: std::thread::Thread,
}

impl Deadline {
    /// Begins now.
    pub fn new(limit: Duration, interrupt: &Arc<AtomicBool>) -> std::io::Result<Deadline> {
        let (flag, ended) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let begun = Instant::now();
        let work = {
            let (flag, ended, interrupt) = (Arc::clone(&flag), Arc::clone(&ended), Arc::clone(interrupt));
            move || {
                while !ended.load(Ordering::Relaxed) {
                    let left = limit.saturating_sub(begun.elapsed());
                    if left.is_zero() || interrupt.load(Ordering::Relaxed) {
                        flag.store(true, Ordering::Relaxed);
                        return;
                    }
                    std::thread::park_timeout(left.min(Duration::from_millis(50)));
                }
            }
        };
        let watcher = std::thread::Builder::new().name("deadline".to_owned()).spawn(work)?.thread().clone();
        Ok(Deadline { flag, ended, watcher })
    }

    /// Set once the time is over.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        self.watcher.unpark();
    }
}
