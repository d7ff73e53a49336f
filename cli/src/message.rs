//! Messages to a person on standard error, whether anybody reads them or not.

use std::fmt::Display;
use std::io::Write;

/// Prints text on standard error, with colours if that is a terminal.
pub fn print(text: impl Display) {
    // In one piece, and if nobody listens the work goes on.
    let _ = anstream::stderr().write_all(text.to_string().as_bytes());
}
