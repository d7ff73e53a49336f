//! Any text either parses to rules that print to a text with the same rules and compile or say why not, or gives
//! problems that lie within the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onlooker_fuzz::rules::check(bytes));
