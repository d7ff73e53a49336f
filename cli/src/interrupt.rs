//! Ctrl-C and requests to terminate: the first asks for a clean end, the second ends at once. A command that does not
//! ask for the flag ends at once too. No file is left half written in any case, and the exit status says which signal it
//! was: 130 or 143.

use crate::output;
use anyhow::Result;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, OnceLock};

/// The flag of a command that ends cleanly.
static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
/// The first signal that came; 0 if none did.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// A flag that is set by Ctrl-C and by a request to terminate. From now on the first of them only does that.
pub fn flag() -> Result<Arc<AtomicBool>> {
    Ok(Arc::clone(FLAG.get_or_init(Arc::default)))
}

/// The exit status of a command that was interrupted.
pub fn status() -> Option<u8> {
    match RECEIVED.load(Ordering::Relaxed) {
        0 => None,
        signal => Some(status_of(signal)),
    }
}

fn status_of(signal: i32) -> u8 {
    128 + signal as u8
}

fn receive(signal: i32) {
    let is_first = RECEIVED.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed).is_ok();
    match FLAG.get() {
        Some(flag) if is_first => flag.store(true, Ordering::Relaxed),
        _ => {
            // Kept until the end, so that no file is begun after all others were removed.
            let _kept = output::abandon();
            std::process::exit(i32::from(status_of(signal)));
        }
    }
}

/// Begins to watch for signals. If that is not possible, they end the program at once as they always do.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
    // A file that gets too large is an error of writing, not the end of the program.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    let (begun, wait) = std::sync::mpsc::channel();
    let work = move || {
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
        let _ = begun.send(());
        signals.forever().for_each(receive);
    };
    if std::thread::Builder::new().name("signals".to_owned()).spawn(work).is_ok() {
        let _ = wait.recv();
    }
}

#[cfg(not(unix))]
pub fn watch() {
    let _ = receive;
}
