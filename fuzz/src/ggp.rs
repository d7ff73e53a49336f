//! Any bytes are either a request, which is written so that it reads as the same request, or refused at a place within them.

use onlooker::play::Request;

/// Fails if that is not so.
pub fn check(bytes: &[u8]) {
    match Request::read(bytes) {
        Ok(request) => assert_eq!(Request::read(request.to_string().as_bytes()), Ok(request)),
        Err(error) => assert!(error.at <= bytes.len()),
    }
}
