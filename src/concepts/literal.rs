//! Literals: facts in which variables may stand for arguments, as `cell(X0,X1+1,o)`.

use crate::game::Term;
use std::fmt;

/// An argument of a literal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Argument {
    /// A whole number.
    Number(i64),
    /// A name; a compound argument of a fact is the text of its term.
    Name(String),
    /// A variable by its number, and what is added to it. A variable that stands for a name has nothing added.
    Variable(u8, i64),
}

/// A fact, perhaps with variables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    /// What it says.
    pub name: String,
    /// Of what.
    pub arguments: Vec<Argument>,
}

impl Argument {
    /// The argument that a text of a fact is: a number if it is written as numbers are.
    pub fn constant(text: &str) -> Argument {
        match text.parse::<i64>() {
            Ok(number) if number.to_string() == text => Argument::Number(number),
            _ => Argument::Name(text.to_owned()),
        }
    }
}

impl Literal {
    /// A fact of a game.
    pub fn of_term(term: &Term) -> Literal {
        match term {
            Term::Name(name) => Literal { name: name.clone(), arguments: Vec::new() },
            Term::List(parts) => {
                let name = parts.first().map(ToString::to_string).unwrap_or_default();
                let arguments = parts.iter().skip(1).map(|part| Argument::constant(&part.to_string())).collect();
                Literal { name, arguments }
            }
        }
    }

    /// Whether it has no variables.
    pub fn is_ground(&self) -> bool {
        !self.arguments.iter().any(|argument| matches!(argument, Argument::Variable(..)))
    }
}

/// A name as Prolog writes it: in quotes if it could be read as something else.
fn write_name(f: &mut fmt::Formatter, name: &str) -> fmt::Result {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if plain {
        return f.write_str(name);
    }
    f.write_str("'")?;
    for c in name.chars() {
        match c {
            '\'' | '\\' => write!(f, "\\{c}")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            _ => write!(f, "{c}")?,
        }
    }
    f.write_str("'")
}

/// A name that is displayed as Prolog writes it.
pub(super) struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write_name(f, self.0)
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Argument::Number(number) => write!(f, "{number}"),
            Argument::Name(name) => write_name(f, name),
            Argument::Variable(variable, 0) => write!(f, "X{variable}"),
            Argument::Variable(variable, plus) => write!(f, "X{variable}{plus:+}"),
        }
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write_name(f, &self.name)?;
        for (at, argument) in self.arguments.iter().enumerate() {
            write!(f, "{}{argument}", if at == 0 { "(" } else { "," })?;
        }
        if self.arguments.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

/// Literals with commas between them.
pub(super) fn write_body(f: &mut fmt::Formatter, body: &[Literal]) -> fmt::Result {
    for (at, literal) in body.iter().enumerate() {
        write!(f, "{}{literal}", if at == 0 { "" } else { ", " })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_written_as_prolog_writes_them() {
        for (term, text) in [
            ("(cell 3 1 o)", "cell(3,1,o)"),
            ("(cell 3 -1 X)", "cell(3,-1,'X')"),
            ("done", "done"),
            ("(on (f a) 01)", "on('(f a)','01')"),
            ("(p it's)", "p('it\\'s')"),
        ] {
            assert_eq!(Literal::of_term(&term.parse().unwrap()).to_string(), text);
        }
        let literal = Literal {
            name: "cell".to_owned(),
            arguments: vec![Argument::Variable(0, 0), Argument::Variable(1, 2), Argument::Variable(2, -1)],
        };
        assert!(literal.to_string() == "cell(X0,X1+2,X2-1)" && !literal.is_ground());
    }
}
