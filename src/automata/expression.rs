//! Regular expressions as values.

use std::fmt;

/// A regular expression over letters `L`.
///
/// The constructors keep expressions flat: no sequence directly within a sequence, no choice within a choice, nothing
/// repeated exactly once. So equal texts are equal values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expression<L> {
    /// One letter.
    Letter(L),
    /// One after another; of none, the empty word.
    Sequence(Vec<Expression<L>>),
    /// One of several; of none, no word at all.
    Choice(Vec<Expression<L>>),
    /// The same again and again.
    Repeat {
        /// What is repeated.
        of: Box<Expression<L>>,
        /// How often at least.
        least: u8,
        /// How often at most; `None` for as often as you like.
        most: Option<u8>,
    },
}

impl<L> Expression<L> {
    /// The parts one after another.
    pub fn sequence(parts: impl IntoIterator<Item = Expression<L>>) -> Expression<L> {
        let flat = parts.into_iter().flat_map(|part| match part {
            Expression::Sequence(inner) => inner,
            other => vec![other],
        });
        only_or(flat.collect(), Expression::Sequence)
    }

    /// One of the parts.
    pub fn choice(parts: impl IntoIterator<Item = Expression<L>>) -> Expression<L> {
        let flat = parts.into_iter().flat_map(|part| match part {
            Expression::Choice(inner) => inner,
            other => vec![other],
        });
        only_or(flat.collect(), Expression::Choice)
    }

    /// This one from `least` to `most` times.
    pub fn repeat(self, least: u8, most: Option<u8>) -> Expression<L> {
        if (least, most) == (1, Some(1)) { self } else { Expression::Repeat { of: Box::new(self), least, most } }
    }

    /// The same expression with an expression in place of each letter.
    pub fn expand<M>(&self, replace: &mut impl FnMut(&L) -> Expression<M>) -> Expression<M> {
        match self {
            Expression::Letter(letter) => replace(letter),
            Expression::Sequence(parts) => {
                Expression::sequence(parts.iter().map(|p| p.expand(replace)).collect::<Vec<_>>())
            }
            Expression::Choice(parts) => {
                Expression::choice(parts.iter().map(|p| p.expand(replace)).collect::<Vec<_>>())
            }
            Expression::Repeat { of, least, most } => of.expand(replace).repeat(*least, *most),
        }
    }

    /// Visits every letter from left to right.
    pub fn letters<'a>(&'a self, visit: &mut impl FnMut(&'a L)) {
        match self {
            Expression::Letter(letter) => visit(letter),
            Expression::Sequence(parts) | Expression::Choice(parts) => parts.iter().for_each(|p| p.letters(visit)),
            Expression::Repeat { of, .. } => of.letters(visit),
        }
    }
}

fn only_or<L>(mut parts: Vec<Expression<L>>, many: fn(Vec<Expression<L>>) -> Expression<L>) -> Expression<L> {
    if parts.len() == 1 { parts.remove(0) } else { many(parts) }
}

/// How tightly a text must hold together where it stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Within {
    Choice,
    Sequence,
    Repeat,
}

impl<L: fmt::Display> Expression<L> {
    fn write(&self, f: &mut fmt::Formatter, within: Within) -> fmt::Result {
        let (own, parts, gap) = match self {
            Expression::Letter(letter) => return letter.fmt(f),
            Expression::Choice(parts) if parts.is_empty() => return f.write_str("never"),
            Expression::Sequence(parts) if parts.is_empty() => return f.write_str("nothing"),
            Expression::Repeat { of, least, most } => {
                of.write(f, Within::Repeat)?;
                return match (least, most) {
                    (0, None) => f.write_str("*"),
                    (1, None) => f.write_str("+"),
                    (0, Some(1)) => f.write_str("?"),
                    (least, None) => write!(f, "{{{least},}}"),
                    (least, Some(most)) if least == most => write!(f, "{{{least}}}"),
                    (least, Some(most)) => write!(f, "{{{least},{most}}}"),
                };
            }
            Expression::Sequence(parts) => (Within::Sequence, parts, " "),
            Expression::Choice(parts) => (Within::Choice, parts, " | "),
        };
        let brackets = within > own;
        f.write_str(if brackets { "(" } else { "" })?;
        for (i, part) in parts.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { gap })?;
            part.write(f, if own == Within::Choice { Within::Sequence } else { own })?;
        }
        f.write_str(if brackets { ")" } else { "" })
    }
}

impl<L: fmt::Display> fmt::Display for Expression<L> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.write(f, Within::Choice)
    }
}
