//! Any bytes are either a request, which is written so that it reads as the same request, or refused at a place within them.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onlooker_fuzz::ggp::check(bytes));
