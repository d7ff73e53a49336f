//! HTTP around a player: requests come in as KIF, replies go out as KIF, and nothing that is sent can do harm.

use super::log;
use super::player::Player;
use crate::threads;
use anyhow::{Context, Result};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use onlooker::play::Request;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// The largest request that is read. Rule sheets have less than a hundredth of it.
const MOST_BYTES: usize = 16 << 20;
/// All requests that are being read may have so many bytes together.
const MOST_BYTES_AT_ONCE: usize = 4 * MOST_BYTES;
/// A request must have come in whole after this time, its head and its body each.
const READING: Duration = Duration::from_secs(10);
/// How many connections there may be at once.
const CONNECTIONS: usize = 256;
/// The threads that requests are worked on by.
const WORKERS: usize = 2;
/// Larger requests are made out beside the others.
const LARGE: usize = 64 << 10;

const GREETING: &str = "This is a player of the general game playing protocol.\n\
                        Send it requests such as (INFO) by POST, as text/acl.\n";

/// Serves a player until `stop` is set.
pub fn serve(listener: TcpListener, player: Player, stop: &AtomicBool) -> Result<()> {
    // A runtime that cannot have its threads would panic.
    let mut runtime = if threads::are_available(WORKERS) {
        tokio::runtime::Builder::new_multi_thread()
    } else {
        tokio::runtime::Builder::new_current_thread()
    };
    let runtime = runtime
        .worker_threads(WORKERS)
        .max_blocking_threads(8)
        .enable_all()
        .build()
        .context("cannot start the server")?;
    listener.set_nonblocking(true).context("cannot start the server")?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).context("cannot start the server")?;
        accept(listener, Arc::new(player), stop).await;
        Ok(())
    })
}

async fn accept(listener: tokio::net::TcpListener, player: Arc<Player>, stop: &AtomicBool) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let reading = Arc::new(AtomicUsize::new(0));
    while !stop.load(Ordering::Relaxed) {
        // Now and then it looks up whether it is to stop.
        let stream = match timeout(Duration::from_millis(100), listener.accept()).await {
            Err(_) => continue,
            Ok(Ok((stream, _))) => stream,
            Ok(Err(error)) => {
                log::line(format!("a connection failed: {error}"));
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            log::line(format!("more than {CONNECTIONS} connections: one is closed"));
            continue;
        };
        let _ = stream.set_nodelay(true);
        let (player, reading) = (Arc::clone(&player), Arc::clone(&reading));
        tokio::spawn(async move {
            let service = service_fn(|request| {
                let (player, reading) = (Arc::clone(&player), Arc::clone(&reading));
                let came = Instant::now();
                async move { Ok::<_, std::convert::Infallible>(respond(request, came, player, &reading).await) }
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(READING)
                // Moves lie far apart. A connection that was kept open would break just when it is needed.
                .keep_alive(false)
                // Some clients say that they have nothing more to send before they read.
                .half_close(true)
                .title_case_headers(true)
                .serve_connection(TokioIo::new(stream), service);
            // Whoever breaks off or sends nonsense has nobody left to tell it to.
            let _ = connection.await;
            drop(place);
        });
    }
}

type HttpResponse = Response<Full<Bytes>>;

async fn respond(
    request: hyper::Request<Incoming>,
    came: Instant,
    player: Arc<Player>,
    reading: &AtomicUsize,
) -> HttpResponse {
    let method = request.method().clone();
    let bytes = match method {
        Method::POST => match body(request, reading).await {
            Ok(bytes) => bytes,
            Err((status, reason)) => {
                log::line(format!("a request was refused: {reason}"));
                return answer(status, reason.to_owned());
            }
        },
        // Requests may also stand in the address.
        Method::GET => match request.uri().path().trim_start_matches('/') {
            "" => return answer(StatusCode::OK, GREETING.to_owned()),
            path => from_address(path),
        },
        Method::OPTIONS | Method::HEAD => return answer(StatusCode::OK, String::new()),
        _ => return answer(StatusCode::METHOD_NOT_ALLOWED, "expected POST\n".to_owned()),
    };
    // In a task of its own, so that nothing is left half done if the connection breaks.
    let work = tokio::spawn(async move {
        let read = if bytes.len() > LARGE {
            match tokio::task::spawn_blocking(move || Request::read(&bytes)).await {
                Ok(read) => read,
                Err(_) => {
                    return answer(StatusCode::INTERNAL_SERVER_ERROR, "the request could not be read\n".to_owned());
                }
            }
        } else {
            Request::read(&bytes)
        };
        match read {
            Ok(request) => answer(StatusCode::OK, player.answer(request, came).await.to_string()),
            Err(error) => {
                log::line(format!("a request was refused: {error}"));
                answer(StatusCode::BAD_REQUEST, format!("this is not a request of the protocol: {error}\n"))
            }
        }
    });
    work.await.unwrap_or_else(|_| answer(StatusCode::INTERNAL_SERVER_ERROR, "the player stumbled\n".to_owned()))
}

/// The whole body of a request, or what to say about it.
async fn body(request: hyper::Request<Incoming>, reading: &AtomicUsize) -> Result<Vec<u8>, (StatusCode, &'static str)> {
    const TOO_LARGE: (StatusCode, &str) = (StatusCode::PAYLOAD_TOO_LARGE, "a request may have at most 16 MB\n");
    const TOO_SLOW: (StatusCode, &str) = (StatusCode::REQUEST_TIMEOUT, "the request took too long to come\n");
    const TOO_MANY: (StatusCode, &str) = (StatusCode::SERVICE_UNAVAILABLE, "too many large requests at once\n");
    const BROKEN: (StatusCode, &str) = (StatusCode::BAD_REQUEST, "the request broke off\n");
    let waits = request
        .headers()
        .get(header::EXPECT)
        .is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"));
    let mut body = request.into_body();
    if waits && body.size_hint().lower() > MOST_BYTES as u64 {
        return Err(TOO_LARGE);
    }
    let mut taken = ReadBytes { all: reading, own: 0 };
    let mut bytes = Vec::new();
    // Of what is too large the rest is thrown away as it comes, so that the sender gets to read the answer.
    let mut refused = None;
    let read = async {
        while let Some(frame) = body.frame().await {
            let Ok(frame) = frame else { return Err(BROKEN) };
            let Ok(data) = frame.into_data() else { continue };
            if refused.is_some() {
                continue;
            }
            if bytes.len() + data.len() > MOST_BYTES {
                refused = Some(TOO_LARGE);
            } else if !taken.more(data.len()) {
                refused = Some(TOO_MANY);
            } else {
                bytes.extend_from_slice(&data);
            }
            if refused.is_some() {
                bytes = Vec::new();
                taken.none();
            }
        }
        Ok(())
    };
    let read = timeout(READING, read).await;
    match (refused, read) {
        (Some(refused), _) => Err(refused),
        (None, Err(_)) => Err(TOO_SLOW),
        (None, Ok(Err(broken))) => Err(broken),
        (None, Ok(Ok(()))) => Ok(bytes),
    }
}

/// Bytes of requests that are being read.
struct ReadBytes<'a> {
    all: &'a AtomicUsize,
    own: usize,
}

impl ReadBytes<'_> {
    fn more(&mut self, bytes: usize) -> bool {
        self.own += bytes;
        self.all.fetch_add(bytes, Ordering::Relaxed) + bytes <= MOST_BYTES_AT_ONCE
    }

    fn none(&mut self) {
        self.all.fetch_sub(std::mem::take(&mut self.own), Ordering::Relaxed);
    }
}

impl Drop for ReadBytes<'_> {
    fn drop(&mut self) {
        self.none();
    }
}

/// An answer with the headers that web pages need to read it.
fn answer(status: StatusCode, text: String) -> HttpResponse {
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/acl"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST, GET, OPTIONS"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("Content-Type, Sender, Receiver"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    response
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

/// Listens at an address.
pub fn listen(host: &str, port: u16) -> Result<(TcpListener, SocketAddr)> {
    let failed = || format!("cannot listen on {host}, port {port}");
    let listener = TcpListener::bind((host, port)).with_context(failed)?;
    let address = listener.local_addr().with_context(failed)?;
    Ok((listener, address))
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
