//! Any lines are either evidence that is written and read back to the same bytes, or refused with a place.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onlooker_fuzz::evidence::check(bytes));
