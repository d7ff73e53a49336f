//! A player on a socket.

use crate::{SHEET, player};
use onlooker::game::Chance;
use onlooker_ggp::{Log, listen, serve};
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A server, stopped when it is dropped.
struct Server {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    fn new() -> Server {
        let (listener, address) = listen("127.0.0.1", 0).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let own = Arc::clone(&stop);
        let thread = std::thread::spawn(move || serve(listener, player(), &Log::none(), &own).unwrap());
        Server { address, stop, thread: Some(thread) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// Sends bytes, and keeps the connection open as managers do.
    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn is_alive(&self) -> bool {
        self.send(b"POST / HTTP/1.1\r\nContent-Length: 6\r\n\r\n(INFO)").contains("(name tested)")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(std::thread::panicking() || matches!(ended, Some(Ok(()))));
    }
}

#[test]
fn odd_managers_are_understood() {
    let server = Server::new();
    let rules = SHEET.replace("one", "één");
    let start = format!("(START m x ({rules}) 3 1)");
    // The length in characters, as some programs count it.
    let request = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{start}", start.chars().count());
    assert!(start.len() > start.chars().count());
    assert!(server.send(request.as_bytes()).ends_with("ready"));
    // No length at all.
    let answer = server.send(b"POST / HTTP/1.0\r\nContent-Type: text/acl\r\n\r\n( PLAY m nil )");
    assert!(answer.ends_with("één") || answer.ends_with("two"), "{answer}");
    let answer = server.send("POST / HTTP/1.1\r\nContent-Length: 22\r\n\r\n( PLAY m ( één noop ) )".as_bytes());
    assert!(answer.ends_with("noop"), "{answer}");
    assert!(server.send(b"POST / HTTP/1.0\r\n\r\n(ABORT m)").ends_with("aborted"));
}

#[test]
fn web_pages_are_not_answered() {
    let server = Server::new();
    let from = |origin: &str| {
        let request = format!(
            "POST / HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\nContent-Length: 6\r\n\r\n(INFO)",
            server.address
        );
        server.send(request.as_bytes())
    };
    for origin in ["http://example.org", "https://example.org", "null", "http://localhost:1"] {
        let answer = from(origin);
        assert!(answer.starts_with("HTTP/1.0 403"), "{origin}: {answer}");
        assert!(!answer.to_lowercase().contains("access-control"), "{answer}");
    }
    assert!(from(&format!("http://{}", server.address)).contains("(name tested)"));
}

#[test]
fn slow_senders_are_timed_out_and_block_nobody() {
    let server = Server::new();
    let began = Instant::now();
    let whole = format!("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n(PREVIEW ({SHEET}", 100_000);
    let slow: Vec<_> = (0..40)
        .map(|number| {
            let (mut stream, whole) = (server.connect(), whole.clone().into_bytes());
            std::thread::spawn(move || {
                // A few bytes now and then, some within the head, some within the body.
                let begin = number * 3;
                let _ = stream.write_all(&whole[..begin]);
                for part in whole[begin..].chunks(2) {
                    if stream.write_all(part).is_err() || began.elapsed() > Duration::from_secs(40) {
                        break;
                    }
                    std::thread::sleep(Duration::from_millis(200));
                }
                began.elapsed()
            })
        })
        .collect();
    for _ in 0..20 {
        let asked = Instant::now();
        assert!(server.is_alive());
        assert!(asked.elapsed() < Duration::from_secs(3), "{:?}", asked.elapsed());
        std::thread::sleep(Duration::from_millis(50));
    }
    for thread in slow {
        let took = thread.join().unwrap();
        assert!(took < Duration::from_secs(35), "{took:?}");
    }
    assert!(server.is_alive());
}

#[test]
fn mutated_bytes_do_no_harm() {
    let server = Server::new();
    let mut chance = Chance::new(7);
    let seeds = [
        "POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: 12\r\n\r\n(PLAY m nil)".to_owned(),
        "GET /%28INFO%29 HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(),
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n(INFO)\r\n0\r\n\r\n".to_owned(),
        format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n(PREVIEW ({SHEET}) 1)", SHEET.len() + 14),
        "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 6\r\n\r\n(INFO)".to_owned(),
    ];
    for number in 0..400 {
        let mut bytes = seeds[chance.below(seeds.len())].clone().into_bytes();
        for _ in 0..1 + chance.below(5) {
            let at = chance.below(bytes.len());
            match chance.below(3) {
                0 => bytes[at] = chance.below(256) as u8,
                1 => drop(bytes.drain(at..(at + chance.below(20)).min(bytes.len()))),
                _ => bytes.insert(at, b"\r\n ():;0"[chance.below(8)]),
            }
            if bytes.is_empty() {
                break;
            }
        }
        let mut stream = server.connect();
        let _ = stream.write_all(&bytes);
        if chance.below(2) == 0 {
            let _ = stream.shutdown(Shutdown::Write);
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer);
        }
        if number % 50 == 0 {
            assert!(server.is_alive(), "{number}: {}", String::from_utf8_lossy(&bytes));
        }
    }
    assert!(server.is_alive());
}
