//! Any text either reads as a sheet that is written so that it reads as the same rules, and that runs alike on both
//! engines or says why not; or gives problems that lie within the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onlooker_fuzz::kif::check(bytes));
