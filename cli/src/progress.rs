//! Progress on standard error: a bar on a terminal, otherwise a plain line every few seconds.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How far some work has got.
pub struct Progress {
    total: u64,
    what: &'static str,
    shown: Shown,
}

enum Shown {
    Bar(ProgressBar),
    /// When the last line was printed.
    Lines(Mutex<Instant>),
}

/// The time between two plain lines.
const PAUSE: Duration = Duration::from_secs(5);

impl Progress {
    /// Shows how many of `total` things are done.
    pub fn new(total: u64, what: &'static str) -> Progress {
        let shown = if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(total);
            let style =
                ProgressStyle::with_template("{bar:30.cyan/dim} {human_pos}/{human_len} {msg} ({per_sec}, {eta} left)");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_message(what);
            Shown::Bar(bar)
        } else {
            Shown::Lines(Mutex::new(Instant::now()))
        };
        Progress { total, what, shown }
    }

    /// So many are done.
    pub fn set(&self, done: u64) {
        match &self.shown {
            Shown::Bar(bar) => bar.set_position(done),
            Shown::Lines(last) => {
                let Ok(mut last) = last.lock() else { return };
                if last.elapsed() >= PAUSE {
                    *last = Instant::now();
                    eprintln!("{done} of {} {}", self.total, self.what);
                }
            }
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}
