//! Work that goes on for longer: each job is a thread that sends events, can be paused and stopped, and has a budget.
//!
//! Events are kept up to a size, so that a page that comes later, or comes back, gets what it has missed. A job that nobody listens
//! to any more is stopped after a while, so that pages that were closed cost nothing.

use crate::error::ApiError;
use crate::limits::{ENDED_JOBS, EVENT_BYTES, JOB_TIME, JOBS, UNHEARD};
use crate::tables::unguessable;
use axum::response::sse::Event;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};

/// One job.
pub struct Job {
    pub id: String,
    /// What it does, for people.
    pub title: String,
    begun: Instant,
    stop: Arc<AtomicBool>,
    events: Mutex<Events>,
    /// How many events there have been; readers wait for more.
    count: watch::Sender<u64>,
    pace: Mutex<Pace>,
    paced: Condvar,
    listeners: AtomicUsize,
    heard: Mutex<Instant>,
}

#[derive(Default)]
struct Events {
    /// The number of the first that is kept.
    first: u64,
    kept: VecDeque<Arc<str>>,
    bytes: usize,
    /// How long it took, once it has ended.
    ended: Option<Duration>,
}

/// How fast a job goes on.
#[derive(Clone, Copy, Debug)]
struct Pace {
    paused: bool,
    /// Steps that are made though it is paused.
    steps: u32,
    /// Between two steps.
    delay: Duration,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    /// The flag that ends it.
    pub fn stop_flag(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Whether it is to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Ends it soon.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.paced.notify_all();
    }

    /// Whether it has ended.
    pub fn has_ended(&self) -> bool {
        lock(&self.events).ended.is_some()
    }

    /// Sends an event to all who listen.
    pub fn send(&self, event: &Value) {
        let text: Arc<str> = event.to_string().into();
        let mut events = lock(&self.events);
        events.bytes += text.len();
        events.kept.push_back(text);
        while events.bytes > EVENT_BYTES && events.kept.len() > 1 {
            let gone = events.kept.pop_front().map_or(0, |gone| gone.len());
            events.bytes -= gone;
            events.first += 1;
        }
        let count = events.first + events.kept.len() as u64;
        drop(events);
        self.count.send_replace(count);
    }

    fn end(&self) {
        lock(&self.events).ended = Some(self.begun.elapsed());
        // Whoever waits looks again, though nothing has come.
        self.count.send_modify(|_| {});
    }

    /// Waits until the next step is due; `false` if it is to end.
    pub fn pace(&self) -> bool {
        let mut pace = lock(&self.pace);
        let begun = Instant::now();
        loop {
            if self.is_stopped() {
                return false;
            }
            if pace.paused {
                if pace.steps > 0 {
                    pace.steps -= 1;
                    return true;
                }
                pace =
                    self.paced.wait_timeout(pace, Duration::from_millis(200)).unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let Some(left) = pace.delay.checked_sub(begun.elapsed()).filter(|left| !left.is_zero()) else {
                return true;
            };
            pace = self.paced.wait_timeout(pace, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Whether steps come one by one, so that each is worth showing.
    pub fn is_slow(&self) -> bool {
        let pace = lock(&self.pace);
        pace.paused || pace.delay >= Duration::from_millis(20)
    }

    /// Pauses it, lets it make a step, or changes its speed.
    pub fn control(&self, what: &str, value: Option<u64>) -> Result<(), ApiError> {
        let mut pace = lock(&self.pace);
        match what {
            "pause" => (pace.paused, pace.steps) = (true, 0),
            "resume" => pace.paused = false,
            "step" => (pace.paused, pace.steps) = (true, pace.steps + 1),
            "delay" => pace.delay = Duration::from_millis(value.unwrap_or(0).min(10_000)),
            "stop" => self.stop.store(true, Ordering::Relaxed),
            _ => return Err(ApiError::bad("expected pause, resume, step, delay or stop")),
        }
        drop(pace);
        self.paced.notify_all();
        Ok(())
    }

    fn summary(&self) -> Value {
        let pace = *lock(&self.pace);
        let ended = lock(&self.events).ended;
        let seconds = ended.unwrap_or_else(|| self.begun.elapsed()).as_secs();
        json!({ "id": self.id, "title": self.title, "ended": ended.is_some(), "paused": pace.paused, "seconds": seconds })
    }
}

/// Somebody who listens to a job, for as long as this is kept.
struct Listener(Arc<Job>);

impl Listener {
    fn new(job: Arc<Job>) -> Listener {
        job.listeners.fetch_add(1, Ordering::Relaxed);
        Listener(job)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        *lock(&self.0.heard) = Instant::now();
        self.0.listeners.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Sends the events of a job from a number on, until it has ended or nobody listens.
pub fn events(job: Arc<Job>, from: u64) -> mpsc::Receiver<Result<Event, std::convert::Infallible>> {
    let (sender, receiver) = mpsc::channel(8);
    tokio::spawn(async move {
        let listener = Listener::new(job);
        let job = &listener.0;
        let mut count = job.count.subscribe();
        let mut next = from;
        loop {
            let (batch, ended) = {
                count.mark_unchanged();
                let events = lock(&job.events);
                next = next.max(events.first);
                let batch: Vec<Arc<str>> = events.kept.iter().skip((next - events.first) as usize).cloned().collect();
                (batch, events.ended.is_some())
            };
            for text in batch {
                next += 1;
                let event = Event::default().id(next.to_string()).data(&*text);
                if sender.send(Ok(event)).await.is_err() {
                    return;
                }
            }
            if ended {
                let _ = sender.send(Ok(Event::default().event("end").data("{}"))).await;
                return;
            }
            tokio::select! {
                changed = count.changed() => if changed.is_err() { return },
                () = sender.closed() => return,
            }
        }
    });
    receiver
}

/// How many jobs may run, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct JobLimits {
    /// At once.
    pub running: usize,
    /// A job takes no longer.
    pub time: Duration,
    /// A job that nobody has listened to for so long is stopped.
    pub unheard: Duration,
}

impl Default for JobLimits {
    fn default() -> JobLimits {
        JobLimits { running: JOBS, time: JOB_TIME, unheard: UNHEARD }
    }
}

/// All jobs.
#[derive(Default)]
pub struct Jobs {
    limits: JobLimits,
    jobs: Mutex<Vec<Arc<Job>>>,
}

impl Jobs {
    /// Begins a job, unless too many are running.
    pub fn start(
        &self,
        title: String,
        delay: Duration,
        work: impl FnOnce(&Job) -> Result<(), ApiError> + Send + 'static,
    ) -> Result<Arc<Job>, ApiError> {
        let mut jobs = lock(&self.jobs);
        let running = jobs.iter().filter(|job| !job.has_ended()).count();
        if running >= self.limits.running {
            return Err(ApiError::busy(format!(
                "{running} jobs are running, which is the most at once: stop one first"
            )));
        }
        // Those that ended first are forgotten first.
        while jobs.len() > ENDED_JOBS {
            let Some(at) = jobs.iter().position(|job| job.has_ended()) else { break };
            jobs.remove(at);
        }
        let job = Arc::new(Job {
            id: unguessable(),
            title,
            begun: Instant::now(),
            stop: Arc::default(),
            events: Mutex::default(),
            count: watch::channel(0).0,
            pace: Mutex::new(Pace { paused: false, steps: 0, delay }),
            paced: Condvar::new(),
            listeners: AtomicUsize::new(0),
            heard: Mutex::new(Instant::now()),
        });
        let own = Arc::clone(&job);
        let body = move || {
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&own)));
            match done {
                Ok(Ok(())) => {}
                Ok(Err(why)) => own.send(&json!({ "type": "error", "error": why.to_string() })),
                Err(_) => own
                    .send(&json!({ "type": "error", "error": "this is a defect of the program: the job has failed" })),
            }
            own.end();
        };
        let spawned = std::thread::Builder::new().name("job".to_owned()).stack_size(8 << 20).spawn(body);
        spawned.map_err(|_| ApiError::busy("there is no room for another job"))?;
        jobs.push(Arc::clone(&job));
        Ok(job)
    }

    /// The job of an id.
    pub fn get(&self, id: &str) -> Result<Arc<Job>, ApiError> {
        let found = lock(&self.jobs).iter().find(|job| job.id == id).cloned();
        found.ok_or_else(|| ApiError::missing("there is no such job any more"))
    }

    /// All that are known, the newest first.
    pub fn list(&self) -> Vec<Value> {
        lock(&self.jobs).iter().rev().map(|job| job.summary()).collect()
    }

    /// Stops those that have run for too long or that nobody listens to.
    pub fn supervise(&self) {
        for job in lock(&self.jobs).iter().filter(|job| !job.has_ended()) {
            let late = job.begun.elapsed() > self.limits.time;
            let unheard =
                job.listeners.load(Ordering::Relaxed) == 0 && lock(&job.heard).elapsed() > self.limits.unheard;
            if (late || unheard) && !job.is_stopped() {
                let why = if late { "the time for a job is over" } else { "nobody listened any more" };
                job.send(&json!({ "type": "stopped", "why": why }));
                job.stop();
            }
        }
    }

    /// Stops all.
    pub fn stop_all(&self) {
        lock(&self.jobs).iter().for_each(|job| job.stop());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(30);
    const NEVER: Duration = Duration::from_secs(3600);

    /// Jobs that would run for ever.
    fn jobs(time: Duration, unheard: Duration) -> (Jobs, Arc<Job>) {
        let jobs = Jobs { limits: JobLimits { running: 1, time, unheard }, ..Jobs::default() };
        let endless = |job: &Job| {
            while job.pace() {}
            Ok(())
        };
        let job = jobs.start("endless".to_owned(), Duration::from_millis(1), endless).unwrap();
        (jobs, job)
    }

    fn wait_for_end(job: &Job) {
        while !job.has_ended() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn sent(job: &Job) -> String {
        lock(&job.events).kept.iter().map(|event| format!("{event}\n")).collect()
    }

    #[test]
    fn a_job_ends_when_its_time_is_over_and_when_nobody_listens() {
        for (time, unheard, listens, why) in [
            (SOON, NEVER, false, Some("the time for a job is over")),
            (SOON, SOON, true, Some("the time for a job is over")),
            (NEVER, SOON, false, Some("nobody listened any more")),
            (NEVER, SOON, true, None),
            (NEVER, NEVER, false, None),
        ] {
            let (jobs, job) = jobs(time, unheard);
            let listener = listens.then(|| Listener::new(Arc::clone(&job)));
            std::thread::sleep(2 * SOON);
            jobs.supervise();
            match why {
                Some(why) => {
                    wait_for_end(&job);
                    assert!(sent(&job).contains(why), "{}", sent(&job));
                }
                None => assert!(!job.is_stopped() && sent(&job).is_empty()),
            }
            drop(listener);
            jobs.stop_all();
            wait_for_end(&job);
        }
    }

    #[test]
    fn the_time_of_a_job_stands_still_once_it_has_ended() {
        let (jobs, job) = jobs(NEVER, NEVER);
        job.stop();
        wait_for_end(&job);
        std::thread::sleep(Duration::from_millis(1_100));
        assert_eq!((&jobs.list()[0]["ended"], &jobs.list()[0]["seconds"]), (&json!(true), &json!(0)));
        assert!(job.begun.elapsed() > Duration::from_secs(1));
    }

    #[test]
    fn whoever_listens_again_in_time_keeps_a_job() {
        let (jobs, job) = jobs(NEVER, Duration::from_secs(60));
        drop(Listener::new(Arc::clone(&job)));
        jobs.supervise();
        assert!(!job.is_stopped());
        jobs.stop_all();
    }

    #[test]
    fn no_more_jobs_run_than_allowed_and_one_that_panics_says_so() {
        let (jobs, job) = jobs(NEVER, NEVER);
        let nothing = |_: &Job| Ok(());
        let refused = jobs.start("second".to_owned(), Duration::ZERO, nothing).err().unwrap();
        assert!(refused.to_string().contains("1 jobs are running"), "{refused}");
        job.stop();
        wait_for_end(&job);
        let failed = jobs.start("third".to_owned(), Duration::ZERO, |_| panic!("on purpose")).unwrap();
        wait_for_end(&failed);
        assert!(sent(&failed).contains("a defect of the program"), "{}", sent(&failed));
    }
}
