//! Long work: on a thread of its own and without the GIL, while the caller waits, shows progress, and looks for Ctrl-C.

use crate::errors::{Failure, Trouble};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The threads of a process, with its number: a process that was forked off has none of its parent's threads.
static POOL: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);

/// The threads that work is shared out among; nothing if there can be none.
fn pool() -> Option<&'static ThreadPool> {
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let own = std::process::id();
    match *known {
        Some((process, pool)) if process == own => Some(pool),
        _ => {
            let name = |number| format!("onlooker-{number}");
            // Never taken down, since nothing may be left of it in a process that was forked off.
            let pool: &'static ThreadPool =
                Box::leak(Box::new(ThreadPoolBuilder::new().thread_name(name).build().ok()?));
            *known = Some((own, pool));
            Some(pool)
        }
    }
}

/// How often the caller looks whether it was interrupted, and shows progress.
const PAUSE: Duration = Duration::from_millis(10);

/// What work and the one who waits for it share.
#[derive(Clone, Default)]
pub struct Task {
    /// Set once nobody wants the result any more.
    pub stop: Arc<AtomicBool>,
    done: Arc<AtomicU64>,
    total: Arc<AtomicU64>,
}

impl Task {
    /// So much is done.
    pub fn set(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// So much more is done.
    pub fn add(&self, more: u64) {
        self.done.fetch_add(more, Ordering::Relaxed);
    }

    /// How much there is to do, where that is known.
    pub fn of(&self, total: u64) {
        self.total.store(total, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Does some work on another thread. If a signal handler raises an exception meanwhile (as Ctrl-C does), or `progress` does, the
/// work is told to stop and the exception is raised at once: whatever the work holds is its own.
///
/// `progress` is called with what is done and what there is to do (`None` if that is not known), at most 100 times a second.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Task) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let progress = callable(py, progress)?;
    let pooled = |task: &Task| match pool() {
        Some(pool) => pool.install(|| work(task)),
        None => work(task),
    };
    let result = wait(py, progress.as_ref(), pooled);
    if let Some(close) = progress.and_then(|progress| progress.getattr(py, "close").ok()) {
        close.call0(py)?;
    }
    result
}

/// The same for work that needs one thread: even where functions of Python that the others wait for ask for it, it goes on.
pub fn run_alone<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Task) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    wait(py, None, work)
}

/// What to call for progress: nothing, what was given, or for `True` a bar.
fn callable(py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<Option<Py<PyAny>>> {
    match progress.map(|given| (given, given.extract::<bool>(py))) {
        None | Some((_, Ok(false))) => Ok(None),
        Some((_, Ok(true))) => Ok(Some(py.import("onlooker._progress")?.call_method0("bar")?.unbind())),
        Some((given, Err(_))) => Ok(Some(given.clone_ref(py))),
    }
}

fn wait<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Task) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let task = Task::default();
    let (sender, mut receiver) = channel();
    let worker = task.clone();
    std::thread::Builder::new().name("onlooker".to_owned()).spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(|| work(&worker)));
        // Nobody waits any more if it was stopped.
        let _ = sender.send(result);
    })?;
    let mut shown = None;
    let mut show = |task: &Task| -> PyResult<()> {
        let now = (task.done.load(Ordering::Relaxed), task.total.load(Ordering::Relaxed));
        if let Some(progress) = progress.filter(|_| shown != Some(now)) {
            shown = Some(now);
            progress.call1(py, (now.0, (now.1 > 0).then_some(now.1)))?;
        }
        Ok(())
    };
    loop {
        let waiting = &mut receiver;
        let waited = py.detach(move || waiting.recv_timeout(PAUSE));
        let looked = py.check_signals().and_then(|()| show(&task));
        match (waited, looked) {
            (_, Err(error)) => {
                task.stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
            (Err(RecvTimeoutError::Timeout), _) => {}
            (Ok(Ok(result)), _) => return result.map_err(|failure| failure.raise(py)),
            (Ok(Err(panic)), _) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
                return Err(Trouble::new("Error", format!("a defect of Onlooker: {text}")).raise(py));
            }
            (Err(RecvTimeoutError::Disconnected), _) => {
                return Err(Trouble::new("Error", "the work ended without a result").raise(py));
            }
        }
    }
}
