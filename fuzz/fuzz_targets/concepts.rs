//! Any bytes either read to a heuristic that is written as it is read and evaluates positions, or give problems with their places.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onlooker_fuzz::concepts::check(bytes));
