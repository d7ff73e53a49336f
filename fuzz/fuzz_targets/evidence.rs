//! Any bytes are either evidence that is written and read back to the same bytes, or refused with a place.
#![no_main]

use libfuzzer_sys::fuzz_target;
use onlooker::learn::Evidence;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(evidence) = Evidence::read(bytes) {
        let mut written = Vec::new();
        evidence.write(&mut written).unwrap();
        let mut again = Vec::new();
        Evidence::read(written.as_slice()).unwrap().write(&mut again).unwrap();
        assert_eq!(written, again);
    }
});
