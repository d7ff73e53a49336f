//! A server to talk to, and as much of HTTP as that takes.

use onlooker_web::{Options, serve};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

/// A server that ends with the test.
pub struct Server {
    pub port: u16,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub fn start() -> Server {
        Server::with(None, Vec::new())
    }

    pub fn with(save: Option<&Path>, given: Vec<String>) -> Server {
        let stop = Arc::new(AtomicBool::new(false));
        let options =
            Options { host: "127.0.0.1".to_owned(), port: 0, games: None, save: save.map(Path::to_owned), given };
        let (sender, receiver) = mpsc::channel();
        let own = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            serve(&options, &own, |address| sender.send(address.to_owned()).unwrap()).unwrap();
        });
        let address = receiver.recv_timeout(Duration::from_secs(20)).expect("the server says where it is");
        let port = address.trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
        Server { port, stop, thread: Some(thread) }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends a request as it stands, and reads until the other side closes.
    pub fn raw(&self, request: &[u8]) -> Response {
        let mut stream = self.connect();
        // What is refused early need not be read to its end.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        Response::of(&bytes)
    }

    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Response {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
            self.port,
            body.len()
        );
        self.raw(&[head.as_bytes(), body].concat())
    }

    pub fn get(&self, path: &str) -> Response {
        self.ask("GET", path, "", b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Response {
        self.ask("POST", path, "Content-Type: application/json\r\n", body.to_string().as_bytes())
    }

    pub fn upload(&self, name: &str, bytes: &[u8]) -> Response {
        self.ask("POST", &format!("/api/files?name={name}"), "Content-Type: application/octet-stream\r\n", bytes)
    }

    /// The events of a job up to its end.
    pub fn events(&self, job: &str) -> Vec<Value> {
        let response = self.get(&format!("/api/jobs/{job}/events"));
        let lines = response.body.lines().filter_map(|line| line.strip_prefix("data: "));
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Response {
    fn of(bytes: &[u8]) -> Response {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let body =
            if head.to_lowercase().contains("transfer-encoding: chunked") { unchunked(body) } else { body.to_owned() };
        Response { status, head: head.to_owned(), body }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let Ok(size) = usize::from_str_radix(size.trim(), 16) else { break };
        let Some(chunk) = rest.get(..size) else { break };
        whole.push_str(chunk);
        body = rest[size..].trim_start_matches("\r\n");
        if size == 0 {
            break;
        }
    }
    whole
}
