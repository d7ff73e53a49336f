//! A short number that stands for a text: whether two texts are the same can be told without keeping them.

use std::fmt;

/// FNV-1a with 64 bits over what is written into it. It tells texts apart that differ by accident, not by design.
struct Hasher(u64);

impl fmt::Write for Hasher {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = text.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Ok(())
    }
}

/// The digest of what is displayed, as sixteen hexadecimal digits.
pub(crate) fn digest(shown: &impl fmt::Display) -> String {
    let mut hasher = Hasher(0xcbf2_9ce4_8422_2325);
    fmt::Write::write_fmt(&mut hasher, format_args!("{shown}")).expect("hashing cannot fail");
    format!("{:016x}", hasher.0)
}
