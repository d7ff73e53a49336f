//! Any bytes either read to records that replay correctly or give an error with a position.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onlooker_fuzz::log::check(bytes));
