//! A player on a socket: requests come in as KIF, replies go out as KIF, and nothing that is sent can do harm.

use crate::connections::Connections;
use crate::http::{self, Answer, ByteBudget, HttpRequest, Method};
use crate::log::Log;
use crate::player::Player;
use onlooker::play::{Request, RequestError};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Larger requests are parsed one after the other, beside all that is small.
const LARGE: usize = 64 << 10;

const GREETING: &str = "This is a player of the general game playing protocol.\n\
                        Send it requests such as (INFO) by POST, as text/acl.\n";

/// A player that cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is not free, or not one of this machine.
    #[error("cannot listen on {host}, port {port}: {error}")]
    Listen {
        /// The host that was asked for.
        host: String,
        /// The port that was asked for.
        port: u16,
        /// Why.
        error: io::Error,
    },
    /// The system refused what a server needs.
    #[error("cannot start the server: {0}")]
    Start(io::Error),
}

/// Listens at an address.
///
/// # Errors
///
/// If the address is not free, or not one of this machine.
pub fn listen(host: &str, port: u16) -> Result<(TcpListener, SocketAddr), ServeError> {
    let failed = |error| ServeError::Listen { host: host.to_owned(), port, error };
    let listener = TcpListener::bind((host, port)).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// The threads that connections are served by.
const WORKERS: usize = 2;

/// Serves a player until `stop` is set.
///
/// # Errors
///
/// If the system refuses what a server needs. Nothing that others send is an error.
pub fn serve(listener: TcpListener, player: Player, log: &Log, stop: &AtomicBool) -> Result<(), ServeError> {
    // A runtime that cannot have its threads would panic.
    let mut runtime = if threads_are_available(WORKERS) {
        tokio::runtime::Builder::new_multi_thread()
    } else {
        tokio::runtime::Builder::new_current_thread()
    };
    let runtime = runtime
        .worker_threads(WORKERS)
        // One to parse, one to preview: what they allocate, they use again.
        .max_blocking_threads(2)
        .enable_all()
        .build()
        .map_err(ServeError::Start)?;
    listener.set_nonblocking(true).map_err(ServeError::Start)?;
    let player = Arc::new(player);
    let served = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).map_err(ServeError::Start)?;
        accept(listener, Arc::clone(&player), log, stop).await;
        Ok(())
    });
    // Whoever is still being answered is not waited for.
    player.end();
    runtime.shutdown_timeout(Duration::from_millis(500));
    served
}

/// Whether so many more threads can be made.
fn threads_are_available(count: usize) -> bool {
    let mut threads = Vec::new();
    for _ in 0..count {
        let (release, wait) = std::sync::mpsc::channel::<()>();
        // They are there at the same time, until their senders are dropped.
        match std::thread::Builder::new().spawn(move || wait.recv().is_ok()) {
            Ok(thread) => threads.push((release, thread)),
            Err(_) => break,
        }
    }
    let made = threads.len();
    for (release, thread) in threads {
        drop(release);
        let _ = thread.join();
    }
    made == count
}

/// What all connections share.
#[derive(Clone)]
struct Host {
    player: Arc<Player>,
    budget: ByteBudget,
    /// Large requests are parsed one at a time.
    parsing: Arc<Semaphore>,
    log: Log,
}

async fn accept(listener: tokio::net::TcpListener, player: Arc<Player>, log: &Log, stop: &AtomicBool) {
    let connections = Connections::default();
    let host = Host { player, budget: ByteBudget::default(), parsing: Arc::new(Semaphore::new(1)), log: log.clone() };
    while !stop.load(Ordering::Relaxed) {
        // Now and then it looks up whether it is to stop.
        let (stream, address) = match timeout(Duration::from_millis(100), listener.accept()).await {
            Err(_) => continue,
            Ok(Ok(accepted)) => accepted,
            Ok(Err(error)) => {
                log.line(format!("a connection failed: {error}"));
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let place = connections.enter(address.ip());
        let host = host.clone();
        tokio::spawn(async move {
            tokio::select! {
                biased;
                () = place.needed() => host.log.line("too many connections: one is closed"),
                () = host.converse(stream, || place.complete()) => {}
            }
        });
    }
}

impl Host {
    /// Reads a request and answers it.
    async fn converse(&self, mut stream: TcpStream, complete: impl Fn()) {
        let answer = match http::read(&mut stream, &self.budget).await {
            Ok(request) => {
                complete();
                let (version, with_text) = (request.version, request.method != Method::Head);
                let (status, text) = self.respond(request).await;
                Answer { version, status, text, with_text }
            }
            Err(refusal) => {
                let Some(status) = refusal.status() else { return };
                self.log.line(format!("a request was refused: {refusal}"));
                Answer { version: 0, status, text: format!("{refusal}\n"), with_text: true }
            }
        };
        http::respond(&mut stream, &answer).await;
        http::linger(&mut stream).await;
    }

    async fn respond(&self, request: HttpRequest) -> (u16, String) {
        let bytes = match request.method {
            Method::Post => request.body,
            // A question may also stand in the address; what changes something may not, since any page may link to it.
            Method::Get => match request.path.trim_start_matches('/') {
                "" => return (200, GREETING.to_owned()),
                path => match from_address(path) {
                    bytes if matches!(Request::read(&bytes), Ok(Request::Info)) => bytes,
                    _ => return (405, "expected (INFO) in the address, or another request by POST\n".to_owned()),
                },
            },
            Method::Options | Method::Head => return (200, String::new()),
            Method::Other => return (405, "expected POST\n".to_owned()),
        };
        let (host, came, held) = (self.clone(), request.came, request.bytes);
        // In a task of its own, so that nothing is left half done if the connection breaks.
        let work = tokio::spawn(async move {
            // Large requests count as long as anything is done with them.
            let _held = held;
            let read = if bytes.len() > LARGE { host.parse(bytes).await } else { Request::read(&bytes) };
            match read {
                Ok(request) => (200, host.player.answer(request, came).await.to_string()),
                Err(error) => {
                    host.log.line(format!("a request was refused: {error}"));
                    (400, format!("this is not a request of the protocol: {error}\n"))
                }
            }
        });
        work.await.unwrap_or_else(|_| (500, "the player stumbled\n".to_owned()))
    }

    /// Parses a large request when it is its turn.
    async fn parse(&self, bytes: Vec<u8>) -> Result<Request, RequestError> {
        let turn = self.parsing.acquire().await;
        let read = tokio::task::spawn_blocking(move || Request::read(&bytes)).await;
        drop(turn);
        read.unwrap_or_else(|_| Err(RequestError { at: 0, reason: "the request could not be read".to_owned() }))
    }
}

/// A request that stands in an address: `%28INFO%29`, with `+` for a space.
fn from_address(path: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        let (byte, after) = match (first, after) {
            (b'%', [high, low, further @ ..]) => match hex(&[*high, *low]) {
                Some(byte) => (byte, further),
                None => (b'%', after),
            },
            (b'+', _) => (b' ', after),
            (&byte, _) => (byte, after),
        };
        bytes.push(byte);
        rest = after;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_hold_requests() {
        for (path, bytes) in
            [("%28INFO%29", &b"(INFO)"[..]), ("(PLAY+a%20nil)", b"(PLAY a nil)"), ("%2", b"%2"), ("%zz+", b"%zz ")]
        {
            assert_eq!(from_address(path), bytes, "{path}");
        }
    }
}
