//! Terms: how facts and moves are written for other programs.

use std::fmt;

/// A name, or a name applied to terms: `noop`, `(cell 3 1 o)`. Displayed in KIF with single spaces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// A name or number.
    Name(String),
    /// A list; its first element is usually a name.
    List(Vec<Term>),
}

/// How deeply the lists of a term may be nested: far beyond any game, far below what a stack holds.
const MAX_DEPTH: usize = 200;

impl Term {
    /// A name.
    pub fn name(name: impl fmt::Display) -> Term {
        Term::Name(name.to_string())
    }

    /// A name applied to terms.
    pub fn apply(name: &str, arguments: impl IntoIterator<Item = Term>) -> Term {
        Term::List(std::iter::once(Term::name(name)).chain(arguments).collect())
    }

    /// The parts of a list if it begins with this name.
    pub fn arguments_of(&self, name: &str) -> Option<&[Term]> {
        match self {
            Term::List(parts) if matches!(parts.first(), Some(Term::Name(first)) if first == name) => Some(&parts[1..]),
            _ => None,
        }
    }

    /// The name, if it is one.
    pub fn as_name(&self) -> Option<&str> {
        match self {
            Term::Name(name) => Some(name),
            Term::List(_) => None,
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Term::Name(name) => f.write_str(name),
            Term::List(parts) => {
                f.write_str("(")?;
                for (i, part) in parts.iter().enumerate() {
                    write!(f, "{}{part}", if i == 0 { "" } else { " " })?;
                }
                f.write_str(")")
            }
        }
    }
}

impl std::str::FromStr for Term {
    type Err = TermError;

    fn from_str(text: &str) -> Result<Term, TermError> {
        let error = |at: usize, reason| TermError { text: text.to_owned(), at, reason };
        let mut open: Vec<Vec<Term>> = Vec::new();
        let mut done: Option<Term> = None;
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let length = match rest.as_bytes()[0] {
                b' ' | b'\t' | b'\r' | b'\n' | b'(' | b')' => 1,
                _ => rest.find([' ', '\t', '\r', '\n', '(', ')']).unwrap_or(rest.len()),
            };
            let token = &rest[..length];
            let finished = match token {
                " " | "\t" | "\r" | "\n" => None,
                _ if done.is_some() => return Err(error(at, "there is more after the term")),
                "(" if open.len() == MAX_DEPTH => return Err(error(at, "lists are nested too deeply")),
                "(" => {
                    open.push(Vec::new());
                    None
                }
                ")" => Some(Term::List(open.pop().ok_or_else(|| error(at, "this bracket closes nothing"))?)),
                name => Some(Term::name(name)),
            };
            if let Some(term) = finished {
                match open.last_mut() {
                    Some(list) => list.push(term),
                    None => done = Some(term),
                }
            }
            at += length;
        }
        match done {
            Some(term) if open.is_empty() => Ok(term),
            _ => Err(error(text.len(), "a bracket is not closed, or there is no term")),
        }
    }
}

/// A text that is not a term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason} (byte {at} of {text:?})")]
pub struct TermError {
    /// What was given.
    pub text: String,
    /// Where it goes wrong.
    pub at: usize,
    /// What is wrong.
    pub reason: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_written_with_single_spaces() {
        for (text, written) in
            [("noop", "noop"), ("(cell 1  2 (s b))", "(cell 1 2 (s b))"), (" ( f\tx ) ", "(f x)"), ("()", "()")]
        {
            let term: Term = text.parse().unwrap();
            assert_eq!(term.to_string(), written);
            assert_eq!(written.parse(), Ok(term));
        }
    }

    #[test]
    fn what_is_no_term_is_refused() {
        let deep = "(".repeat(100_000);
        for text in ["", " ", "(", ")", "(a", "a b", "(a))", deep.as_str()] {
            assert!(text.parse::<Term>().is_err(), "{text}");
        }
    }
}
