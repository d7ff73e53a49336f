//! Any bytes are either evidence that is written and read back to the same bytes, or refused with a place.

use onlooker::learn::Evidence;

/// Fails if that is not so.
pub fn check(bytes: &[u8]) {
    if let Ok(evidence) = Evidence::read(bytes) {
        let mut written = Vec::new();
        evidence.write(&mut written).unwrap();
        let mut again = Vec::new();
        Evidence::read(written.as_slice()).unwrap().write(&mut again).unwrap();
        assert_eq!(written, again);
    }
}
