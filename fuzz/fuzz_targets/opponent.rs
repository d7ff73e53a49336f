//! Any bytes either read to a model that is written as it is read and predicts, or give problems with their places.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onlooker_fuzz::opponent::check(bytes));
