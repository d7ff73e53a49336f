//! Any bytes either read to rules of tactics that are written as they are read, or give problems with their places.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onlooker_fuzz::tactics::check(bytes));
