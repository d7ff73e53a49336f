//! Lines on standard error, whether anybody reads them or not.

use std::io::Write;

/// Writes a line. What others sent may be in it, so control characters are written out.
pub fn line(text: impl std::fmt::Display) {
    let clean: String = text.to_string().chars().flat_map(shown).collect();
    // Nobody has to listen.
    let _ = writeln!(std::io::stderr(), "{clean}");
}

fn shown(character: char) -> Vec<char> {
    if character.is_control() { character.escape_default().collect() } else { vec![character] }
}
