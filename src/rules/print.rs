//! Rules written as text.

use super::{Rules, Side, Start};
use crate::automata::Expression;
use std::fmt;

/// How long a line of alternatives may get before each gets a line of its own.
const LINE: usize = 100;

/// The text form, which [`Rules::parse`] reads back to equal rules.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "game {}", self.name)?;
        if !self.about.is_empty() {
            writeln!(f, "about {}", self.about)?;
        }
        writeln!(f, "players {}", self.players.join(" "))?;
        f.write_str("\nboard\n")?;
        self.setup.to_string().lines().try_for_each(|row| writeln!(f, "  {row}"))?;
        if !self.zones.is_empty() {
            f.write_str("\nzones\n")?;
            let width = self.zones.iter().map(|zone| zone.name.chars().count()).max().unwrap_or(0);
            self.zones.iter().try_for_each(|zone| writeln!(f, "  {:width$}  {zone}", zone.name))?;
        }
        let mut section = None;
        for movement in &self.moves {
            self.heading(f, "moves", movement.side, &mut section)?;
            let start = match movement.start {
                Start::Piece(piece) => piece.to_string(),
                Start::Empty => ".".to_owned(),
            };
            let words = movement.words.to_string();
            match &movement.words {
                Expression::Choice(parts) if words.chars().count() > LINE => {
                    let indent = " ".repeat(start.chars().count());
                    for (i, part) in parts.iter().enumerate() {
                        // A part is printed as the whole it would be in the choice: nothing binds looser.
                        let (before, bar) = if i == 0 { (&start, ' ') } else { (&indent, '|') };
                        writeln!(f, "  {before} {bar} {part}")?;
                    }
                }
                _ => writeln!(f, "  {start}  {words}")?,
            }
        }
        let mut section = None;
        for ending in &self.endings {
            self.heading(f, "ending", ending.side, &mut section)?;
            writeln!(f, "  {ending}")?;
        }
        if let Some(learnt) = &self.learnt {
            write!(f, "\nlearnt\n{learnt}")?;
        }
        Ok(())
    }
}

impl Rules {
    /// A new section where the side changes.
    fn heading(&self, f: &mut fmt::Formatter, what: &str, side: Side, section: &mut Option<Side>) -> fmt::Result {
        if section.replace(side) == Some(side) {
            return Ok(());
        }
        match side {
            Side::Both => writeln!(f, "\n{what}"),
            Side::Only(player) => {
                let name = self.players.get(player.index()).map_or("?", String::as_str);
                writeln!(f, "\n{what} of {name}")
            }
        }
    }
}
