//! HTTP/1 as managers of matches really speak it: one request a connection, read by hand.
//!
//! Two habits of theirs break a strict reader. Some count `Content-Length` in characters, so that the body is longer than
//! they say if it is not ASCII; some send HTTP/1.0 without a length and wait for the answer. So the end of a body is also
//! looked for where KIF has it, at the bracket that closes the first one, and a sender who has fallen silent has said all.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{timeout, timeout_at};

/// The largest body that is read.
pub const MOST_BYTES: usize = onlooker::gdl::MAX_SHEET_BYTES;
/// The largest head that is read.
const MOST_HEAD: usize = 16 << 10;
/// How many headers a head may have.
const MOST_HEADERS: usize = 64;
/// A request must have come in whole after this time, its head and its body each.
pub const READING: Duration = Duration::from_secs(10);
/// Whoever sends nothing for so long, though a body has no length or an odd one, has sent it all.
const SILENCE: Duration = Duration::from_millis(500);
/// So much of a body every request may have, whatever others send at the same time.
const SMALL: usize = 64 << 10;
/// Beyond that, all requests that are being read or worked on may have so many bytes together.
const MOST_BYTES_AT_ONCE: usize = 2 * MOST_BYTES;

/// A request that has come in whole.
#[derive(Debug)]
pub struct HttpRequest {
    pub method: Method,
    /// Of HTTP/1: 0 or 1.
    pub version: u8,
    /// What stands in the address after the host.
    pub path: String,
    pub body: Vec<u8>,
    /// When its first bytes came.
    pub came: Instant,
    /// Held as long as the bytes are worked on.
    pub bytes: BytesHeld,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Head,
    Options,
    Post,
    Other,
}

/// A request that is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The connection broke, or was closed without a word.
    #[error("the connection was closed")]
    Closed,
    /// The head is no HTTP.
    #[error("this is not HTTP/1: {0}")]
    NotHttp(String),
    /// The head is too large.
    #[error("the head of a request may have at most {MOST_HEAD} bytes")]
    LargeHead,
    /// The body is too large.
    #[error("a request may have at most {MOST_BYTES} bytes")]
    LargeBody,
    /// Others send a lot at the same time.
    #[error("too many large requests at once")]
    TooMany,
    /// It did not come in time.
    #[error("the request took longer than {} seconds to come", READING.as_secs())]
    Slow,
    /// A page of another place in the web sent it.
    #[error("requests of web pages are not answered: the origin {0:?} is not this player")]
    ForeignOrigin(String),
}

impl Refusal {
    /// The status to answer with; `None` if nobody is there to read it.
    pub fn status(&self) -> Option<u16> {
        match self {
            Refusal::Closed => None,
            Refusal::NotHttp(_) => Some(400),
            Refusal::LargeHead => Some(431),
            Refusal::LargeBody => Some(413),
            Refusal::TooMany => Some(503),
            Refusal::Slow => Some(408),
            Refusal::ForeignOrigin(_) => Some(403),
        }
    }
}

/// How many bytes of large requests there are in all.
#[derive(Clone, Debug, Default)]
pub struct ByteBudget(Arc<AtomicUsize>);

/// Bytes of one request.
#[derive(Debug)]
pub struct BytesHeld {
    all: ByteBudget,
    held: usize,
}

impl BytesHeld {
    fn new(all: &ByteBudget) -> BytesHeld {
        BytesHeld { all: all.clone(), held: 0 }
    }

    /// Notes that the request has so many bytes; `false` if that is too much at once.
    fn grow(&mut self, total: usize) -> bool {
        let more = total.saturating_sub(SMALL).saturating_sub(self.held);
        self.held += more;
        more == 0 || self.all.0.fetch_add(more, Ordering::Relaxed) + more <= MOST_BYTES_AT_ONCE
    }

    fn release(&mut self) {
        self.all.0.fetch_sub(std::mem::take(&mut self.held), Ordering::Relaxed);
    }
}

impl Drop for BytesHeld {
    fn drop(&mut self) {
        self.release();
    }
}

/// Where the end of a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Known(usize),
    Chunked,
    Unknown,
}

/// The head of a request.
#[derive(Debug)]
struct Head {
    method: Method,
    version: u8,
    path: String,
    length: Length,
    waits: bool,
}

/// Reads a request.
pub async fn read<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    budget: &ByteBudget,
) -> Result<HttpRequest, Refusal> {
    let opened = Instant::now();
    let mut came = None;
    let mut buffer = Vec::new();
    let deadline = tokio::time::Instant::from_std(opened + READING);
    let (head, begin) = loop {
        if let Some(found) = parse_head(&buffer)? {
            break found;
        }
        if buffer.len() > MOST_HEAD {
            return Err(Refusal::LargeHead);
        }
        if timeout_at(deadline, more(stream, &mut buffer)).await.map_err(|_| Refusal::Slow)?? == 0 {
            return Err(Refusal::Closed);
        }
        came.get_or_insert_with(Instant::now);
    };
    buffer.drain(..begin);
    let mut request = HttpRequest {
        method: head.method,
        version: head.version,
        path: head.path,
        body: Vec::new(),
        came: came.unwrap_or(opened),
        bytes: BytesHeld::new(budget),
    };
    if request.method == Method::Post {
        if head.waits {
            if matches!(head.length, Length::Known(length) if length > MOST_BYTES) {
                return Err(Refusal::LargeBody);
            }
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await.map_err(|_| Refusal::Closed)?;
        }
        request.body = body(stream, buffer, head.length, &mut request.bytes).await?;
    }
    Ok(request)
}

/// Reads what there is; 0 at the end.
async fn more<S: AsyncRead + Unpin>(stream: &mut S, buffer: &mut Vec<u8>) -> Result<usize, Refusal> {
    let mut part = [0; 8 << 10];
    let length = stream.read(&mut part).await.map_err(|_| Refusal::Closed)?;
    buffer.extend_from_slice(&part[..length]);
    Ok(length)
}

/// The head that bytes begin with, and how long it is; `None` if there is more to come.
fn parse_head(bytes: &[u8]) -> Result<Option<(Head, usize)>, Refusal> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let length = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(error) => return Err(Refusal::NotHttp(error.to_string())),
    };
    let header = |name: &str| {
        let found = parsed.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        found.map(|header| String::from_utf8_lossy(header.value).trim().to_owned())
    };
    let host = header("Host").unwrap_or_default();
    if let Some(origin) = header("Origin").filter(|origin| !is_own(origin, &host)) {
        return Err(Refusal::ForeignOrigin(origin.chars().take(100).collect()));
    }
    // Browsers say so where they send no origin.
    if let Some(site) = header("Sec-Fetch-Site").filter(|site| !matches!(site.as_str(), "same-origin" | "none")) {
        return Err(Refusal::ForeignOrigin(site.chars().take(100).collect()));
    }
    let chunked = header("Transfer-Encoding").is_some_and(|coding| coding.to_ascii_lowercase().contains("chunked"));
    let length_given = match header("Content-Length") {
        Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            // More digits than fit are too many bytes too.
            Some(digits.parse().unwrap_or(usize::MAX))
        }
        Some(_) => return Err(Refusal::NotHttp("invalid Content-Length".to_owned())),
        None => None,
    };
    let head = Head {
        method: match parsed.method {
            Some("GET") => Method::Get,
            Some("HEAD") => Method::Head,
            Some("OPTIONS") => Method::Options,
            Some("POST") => Method::Post,
            _ => Method::Other,
        },
        version: parsed.version.unwrap_or(0),
        path: parsed.path.unwrap_or_default().to_owned(),
        length: match (chunked, length_given) {
            (true, _) => Length::Chunked,
            (false, Some(length)) => Length::Known(length),
            (false, None) => Length::Unknown,
        },
        waits: header("Expect").is_some_and(|expected| expected.eq_ignore_ascii_case("100-continue")),
    };
    Ok(Some((head, length)))
}

/// Whether an origin is the player itself, under an address and not a name, since any name may lead here.
fn is_own(origin: &str, host: &str) -> bool {
    let name = host
        .rsplit_once(':')
        .map_or(host, |(name, port)| if port.bytes().all(|byte| byte.is_ascii_digit()) { name } else { host });
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    let is_address = bare.parse::<std::net::IpAddr>().is_ok() || bare.eq_ignore_ascii_case("localhost");
    is_address && origin.strip_prefix("http://").is_some_and(|origin| origin.eq_ignore_ascii_case(host))
}

/// Reads a body of which the beginning is there.
async fn body<S: AsyncRead + Unpin>(
    stream: &mut S,
    begun: Vec<u8>,
    length: Length,
    held: &mut BytesHeld,
) -> Result<Vec<u8>, Refusal> {
    let mut reader = BodyReader::new(length);
    // Of what is too large the rest is thrown away as it comes, so that the sender gets to read the answer.
    let mut refused = None;
    let mut part = begun;
    let deadline = tokio::time::Instant::now() + READING;
    loop {
        if refused.is_none() {
            reader.add(&part)?;
            refused = if reader.body.len() > MOST_BYTES {
                Some(Refusal::LargeBody)
            } else if !held.grow(reader.body.len()) {
                Some(Refusal::TooMany)
            } else {
                None
            };
            if refused.is_some() {
                reader.discard();
                held.release();
            }
        } else {
            reader.pass(part.len());
        }
        if reader.is_complete() {
            break;
        }
        part.clear();
        let until = if reader.may_be_complete() { tokio::time::Instant::now() + SILENCE } else { deadline };
        let read = match timeout_at(until.min(deadline), more(stream, &mut part)).await {
            Ok(read) => read?,
            Err(_) if reader.may_be_complete() => 0,
            Err(_) => return Err(refused.unwrap_or(Refusal::Slow)),
        };
        if read == 0 {
            if refused.is_none() && !reader.may_be_complete() {
                return Err(Refusal::Closed);
            }
            break;
        }
    }
    match refused {
        Some(refused) => Err(refused),
        None => Ok(reader.finish()),
    }
}

/// Finds the end of a body.
struct BodyReader {
    length: Length,
    body: Vec<u8>,
    /// Bytes that have come, whether they were kept or not.
    seen: usize,
    brackets: Brackets,
    chunks: Chunks,
}

impl BodyReader {
    fn new(length: Length) -> BodyReader {
        BodyReader { length, body: Vec::new(), seen: 0, brackets: Brackets::default(), chunks: Chunks::default() }
    }

    fn add(&mut self, part: &[u8]) -> Result<(), Refusal> {
        self.seen += part.len();
        let before = self.body.len();
        match self.length {
            Length::Chunked => self.chunks.decode(part, &mut self.body)?,
            Length::Known(_) | Length::Unknown => self.body.extend_from_slice(part),
        }
        self.brackets.add(&self.body[before..]);
        Ok(())
    }

    /// Counts bytes that are not kept.
    fn pass(&mut self, bytes: usize) {
        self.seen += bytes;
    }

    /// The body without what follows it.
    fn finish(mut self) -> Vec<u8> {
        let end = match self.length {
            Length::Known(length) if !self.brackets.foreign => Some(length),
            Length::Known(length) => self.brackets.closed.map(|end| end.max(length)),
            Length::Unknown => self.brackets.closed,
            Length::Chunked => None,
        };
        self.body.truncate(end.unwrap_or(usize::MAX));
        self.body
    }

    fn discard(&mut self) {
        self.body = Vec::new();
    }

    /// Whether nothing more can belong to it.
    fn is_complete(&self) -> bool {
        match self.length {
            // A length in characters is less than one in bytes, so that ASCII cannot be meant by it.
            Length::Known(length) => self.seen >= length && (!self.brackets.foreign || self.brackets.closed.is_some()),
            Length::Unknown => self.brackets.closed.is_some(),
            Length::Chunked => self.chunks.done,
        }
    }

    /// Whether it is complete if nothing more comes.
    fn may_be_complete(&self) -> bool {
        match self.length {
            Length::Known(length) => self.seen >= length,
            Length::Unknown => self.seen > 0,
            Length::Chunked => false,
        }
    }
}

/// Follows the brackets of KIF.
#[derive(Default)]
struct Brackets {
    seen: usize,
    depth: usize,
    /// Where the first expression ends.
    closed: Option<usize>,
    in_comment: bool,
    /// Whether there was a byte that is not ASCII.
    foreign: bool,
}

impl Brackets {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.seen += 1;
            self.foreign |= !byte.is_ascii();
            match byte {
                b'\n' => self.in_comment = false,
                _ if self.in_comment => {}
                b';' => self.in_comment = true,
                b'(' => self.depth += 1,
                b')' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        self.closed.get_or_insert(self.seen);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Takes a body in chunks apart.
#[derive(Default)]
struct Chunks {
    /// Bytes of a chunk's head that are not complete yet.
    pending: Vec<u8>,
    /// What is left of a chunk, with the line end behind it.
    left: usize,
    done: bool,
}

impl Chunks {
    fn decode(&mut self, mut part: &[u8], body: &mut Vec<u8>) -> Result<(), Refusal> {
        const LINE_END: usize = 2;
        const LONGEST_HEAD: usize = 1 << 10;
        while !part.is_empty() && !self.done {
            if self.left > 0 {
                let taken = part.len().min(self.left);
                // The last two bytes of what is left are the line end.
                let content = self.left.saturating_sub(LINE_END).min(taken);
                body.extend_from_slice(&part[..content]);
                self.left -= taken;
                part = &part[taken..];
                continue;
            }
            let line = part.iter().position(|&byte| byte == b'\n').map_or(part.len(), |at| at + 1);
            self.pending.extend_from_slice(&part[..line]);
            part = &part[line..];
            match httparse::parse_chunk_size(&self.pending) {
                Ok(httparse::Status::Complete((_, 0))) => self.done = true,
                Ok(httparse::Status::Complete((_, size))) if size <= 2 * MOST_BYTES as u64 => {
                    self.left = size as usize + LINE_END;
                    self.pending.clear();
                }
                Ok(httparse::Status::Complete(_)) => return Err(Refusal::LargeBody),
                Ok(httparse::Status::Partial) if self.pending.len() < LONGEST_HEAD => {}
                _ => return Err(Refusal::NotHttp("invalid chunk".to_owned())),
            }
        }
        Ok(())
    }
}

/// What is sent back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Of HTTP/1: 0 or 1, as the request has it.
    pub version: u8,
    pub status: u16,
    pub text: String,
    /// Whether the text is sent, or only how long it is.
    pub with_text: bool,
}

/// Answers a request.
pub async fn respond<S: AsyncWrite + Unpin>(stream: &mut S, answer: &Answer) {
    let Answer { version, status, text, with_text } = answer;
    let reason = match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        413 => "Payload Too Large",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    };
    let length = text.len();
    let head = format!(
        "HTTP/1.{version} {status} {reason}\r\nContent-Type: text/acl\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    let answer = if *with_text { head + text } else { head };
    // Whoever breaks off has nobody left to answer to.
    if stream.write_all(answer.as_bytes()).await.is_ok() {
        let _ = stream.shutdown().await;
    }
}

/// Reads what a sender still has to say, so that the answer reaches him, for a moment.
pub async fn linger<S: AsyncRead + Unpin>(stream: &mut S) {
    let mut part = [0; 8 << 10];
    let drain = async { while stream.read(&mut part).await.is_ok_and(|length| length > 0) {} };
    let _ = timeout(SILENCE, drain).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bodies of requests that come in pieces, from a sender who then falls silent.
    async fn body_of(bytes: &[u8], piece: usize) -> Result<String, Refusal> {
        let (mut ours, mut theirs) = tokio::io::duplex(1 << 20);
        let bytes = bytes.to_vec();
        let sender = tokio::spawn(async move {
            for part in bytes.chunks(piece) {
                theirs.write_all(part).await.unwrap();
                tokio::task::yield_now().await;
            }
            // It is not closed: managers wait for the answer.
            tokio::time::sleep(Duration::from_secs(3)).await;
        });
        let read = read(&mut ours, &ByteBudget::default()).await;
        sender.abort();
        read.map(|request| String::from_utf8(request.body).unwrap())
    }

    #[tokio::test]
    async fn bodies_end_where_their_senders_mean_it() {
        for (request, body) in [
            ("POST / HTTP/1.1\r\nContent-Length: 6\r\n\r\n(INFO)", Ok("(INFO)")),
            // In characters: two of them have two bytes, and one three.
            ("POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n(PLAY é (ü€))", Ok("(PLAY é (ü€))")),
            ("POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\nhé(oé)", Ok("hé(oé)")),
            // Without a length.
            ("POST / HTTP/1.0\r\n\r\n(PLAY m nil)", Ok("(PLAY m nil)")),
            ("POST / HTTP/1.0\r\n\r\n(PLAY m ; (\n nil)", Ok("(PLAY m ; (\n nil)")),
            ("POST / HTTP/1.0\r\n\r\nnonsense", Ok("nonsense")),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n(IN\r\n3;x\r\nFO)\r\n0\r\n\r\n", Ok("(INFO)")),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", Err(400)),
            ("POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", Err(400)),
            ("POST / HTTP/1.1\r\nHost: 127.0.0.1:9147\r\nOrigin: http://x.org\r\n\r\n(INFO)", Err(403)),
            ("POST / HTTP/1.1\r\nHost: x.org\r\nOrigin: http://x.org\r\n\r\n(INFO)", Err(403)),
            ("POST / HTTP/1.1\r\nHost: x.org\r\nOrigin: null\r\n\r\n(INFO)", Err(403)),
            ("GET /%28INFO%29 HTTP/1.1\r\nHost: localhost:1\r\nSec-Fetch-Site: cross-site\r\n\r\n", Err(403)),
            ("POST / HTTP/1.1\r\nHost: 127.0.0.1:9147\r\nOrigin: http://127.0.0.1:9147\r\n\r\n(INFO)", Ok("(INFO)")),
        ] {
            for piece in [1, 7, 1000] {
                let found = body_of(request.as_bytes(), piece).await;
                let expected = body.map(str::to_owned);
                assert_eq!(found.map_err(|refusal| refusal.status().unwrap()), expected, "{request} by {piece}");
            }
        }
    }

    #[tokio::test]
    async fn large_bodies_are_bounded_together_and_small_ones_always_come_through() {
        let budget = ByteBudget::default();
        let mut held: Vec<BytesHeld> = (0..5).map(|_| BytesHeld::new(&budget)).collect();
        let taken: Vec<bool> = held.iter_mut().map(|held| held.grow(MOST_BYTES)).collect();
        assert_eq!(taken, [true, true, false, false, false]);
        assert!(BytesHeld::new(&budget).grow(SMALL));
        held.clear();
        assert!(BytesHeld::new(&budget).grow(MOST_BYTES));
    }

    #[test]
    fn refusals_name_the_limit_in_force() {
        assert!(Refusal::LargeBody.to_string().contains(&MOST_BYTES.to_string()));
        let mut reader = BodyReader::new(Length::Known(MOST_BYTES + 1));
        reader.add(&vec![b'('; MOST_BYTES]).unwrap();
        assert!(reader.body.len() <= MOST_BYTES);
    }
}
