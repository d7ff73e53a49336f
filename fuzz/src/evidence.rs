//! Any lines are either evidence that is written and read back to the same bytes, or refused with a place.

use onlooker::learn::Evidence;

/// Fails if that is not so.
pub fn check(bytes: &[u8]) {
    // With a last line that fits, since otherwise nothing would get beyond it.
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
    let end = format!("end {lines} {:08x}\n", crc32fast::hash(bytes));
    for text in [bytes, &[bytes, end.as_bytes()].concat()] {
        if let Ok(evidence) = Evidence::read(text) {
            let mut written = Vec::new();
            evidence.write(&mut written).unwrap();
            let mut again = Vec::new();
            Evidence::read(written.as_slice()).unwrap().write(&mut again).unwrap();
            assert_eq!(written, again);
        }
    }
}
