//! The threads that work is shared out among: as many as there can be.

use rayon::{ThreadBuilder, ThreadPoolBuilder};
use std::sync::mpsc::{self, Sender};
use std::thread::Builder;

/// Makes the pool of threads, smaller where the system allows no more; without any, everything is done by the thread
/// that is there.
///
/// Threads come first and then wait for their part of the pool, since a pool that cannot have all its threads gives up.
pub fn start() {
    let wanted = wanted();
    let mut waiting: Vec<Sender<ThreadBuilder>> = (0..wanted).map_while(|_| waiting_thread()).collect();
    if waiting.len() < wanted {
        // Something must be left for everything else.
        waiting.truncate(waiting.len() / 2);
    }
    let pool = ThreadPoolBuilder::new().num_threads(waiting.len().max(1));
    let built = if waiting.is_empty() {
        pool.use_current_thread().build_global()
    } else {
        pool.spawn_handler(|part| {
            let sent = waiting.get(part.index()).map(|thread| thread.send(part));
            sent.and_then(Result::ok).ok_or_else(|| std::io::Error::other("a thread is gone"))
        })
        .build_global()
    };
    if let Err(error) = built {
        eprintln!("no threads can be used: {error}");
    }
}

/// A thread that becomes the part of the pool that it is sent; `None` if there can be no more.
fn waiting_thread() -> Option<Sender<ThreadBuilder>> {
    let (sender, receiver) = mpsc::channel::<ThreadBuilder>();
    let work = move || {
        if let Ok(part) = receiver.recv() {
            part.run();
        }
    };
    Builder::new().spawn(work).ok().map(|_| sender)
}

/// More threads than this, and than there are processors, only take memory: a thread that finds none for its stack when
/// it starts would end the program.
const MOST_THREADS: usize = 64;

/// As many as are asked for in the way that rayon documents, or as there are processors.
fn wanted() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let asked: Option<usize> = std::env::var("RAYON_NUM_THREADS").ok().and_then(|count| count.parse().ok());
    asked.filter(|&count| count > 0).map_or(processors, |count| count.min(processors.max(MOST_THREADS)))
}
