//! Any bytes are either a request, which is written so that it reads as the same request, or refused at a place within them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use onlooker::play::Request;

fuzz_target!(|bytes: &[u8]| match Request::read(bytes) {
    Ok(request) => assert_eq!(Request::read(request.to_string().as_bytes()), Ok(request)),
    Err(error) => assert!(error.at <= bytes.len()),
});
