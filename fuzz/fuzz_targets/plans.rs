//! Any bytes either read to traces from which a model is induced that accepts them all, or give an error with a place.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onlooker_fuzz::plans::check(bytes));
