//! A rule sheet as data: facts and rules as they were written.

use super::kif::{self, SExpr, SExprKind};
use super::problem::{Problem, SheetError};
use crate::saved::digest;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// A rule sheet: its facts and rules in the order of the text. Displayed in the form in which it is read.
///
/// ```
/// use onlooker::gdl::Sheet;
///
/// let sheet = Sheet::parse("(role x) (<= terminal (true (lamp on))) ; it ends when the lamp is on")?;
/// assert_eq!(sheet.rules.len(), 2);
/// assert_eq!(sheet.rules[1].head.to_string(), "terminal");
/// assert_eq!(Sheet::parse(&sheet.to_string())?.to_string(), sheet.to_string());
/// # Ok::<(), onlooker::gdl::SheetError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// Facts are rules without conditions.
    pub rules: Vec<Rule>,
}

/// What holds if some conditions do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What holds.
    pub head: Atom,
    /// All of these must hold for it.
    pub body: Vec<Formula>,
    /// Where it stands in the text.
    pub span: Range<usize>,
}

/// A relation of things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The relation's name; the language's own words are in lower case.
    pub relation: String,
    /// What it is said of. `terminal` and `(terminal)` have nothing here.
    pub arguments: Vec<Pattern>,
    /// Where it stands in the text.
    pub span: Range<usize>,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// It holds.
    Atom(Atom),
    /// It does not hold.
    Not(Box<Formula>),
    /// All of them hold.
    And(Vec<Formula>),
    /// At least one of them holds.
    Or(Vec<Formula>),
    /// They are not the same.
    Distinct(Pattern, Pattern, Range<usize>),
}

/// A thing, perhaps with variables in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// `?x`, without the question mark.
    Variable(String),
    /// `white`, `3`.
    Name(String),
    /// `(cell 1 ?y b)`: a name applied to things. `(f)` is not `f`.
    Compound(String, Vec<Pattern>),
}

/// The language's own words and to how many things they apply; `None` for connectives that take any number.
const KEYWORDS: [(&str, Option<usize>); 16] = [
    ("role", Some(1)),
    ("init", Some(1)),
    ("true", Some(1)),
    ("next", Some(1)),
    ("does", Some(2)),
    ("legal", Some(2)),
    ("goal", Some(2)),
    ("terminal", Some(0)),
    ("base", Some(1)),
    ("input", Some(2)),
    ("sees", Some(2)),
    ("distinct", Some(2)),
    ("not", Some(1)),
    ("or", None),
    ("and", None),
    ("<=", None),
];

/// A keyword in lower case with the number of its arguments, whatever case it is written in.
fn keyword(name: &str) -> Option<(&'static str, Option<usize>)> {
    KEYWORDS.into_iter().find(|(keyword, _)| keyword.eq_ignore_ascii_case(name))
}

impl Sheet {
    /// Reads the text of a sheet. All of it is read whatever is wrong, so that all problems are reported at once.
    ///
    /// Whether the rules make sense together is not asked here: see [`Program`](super::Program).
    ///
    /// # Errors
    ///
    /// Everything in the text that is no rule, with its place.
    pub fn parse(text: &str) -> Result<Sheet, SheetError> {
        Sheet::parse_until(text, &AtomicBool::new(false))
    }

    /// The same, but once `stop` is set it is given up soon.
    pub(super) fn parse_until(text: &str, stop: &AtomicBool) -> Result<Sheet, SheetError> {
        let mut reader = SheetReader { problems: Vec::new() };
        let mut rules = Vec::new();
        for expression in kif::read(text)? {
            if stop.load(Ordering::Relaxed) {
                return Err(SheetError { text: text.to_owned(), problems: vec![Problem::stopped()] });
            }
            rules.extend(reader.rule(expression));
        }
        if reader.problems.is_empty() {
            return Ok(Sheet { rules });
        }
        Err(SheetError { text: text.to_owned(), problems: reader.problems })
    }
}

/// So many problems are collected: a text of another language would have one on every line.
const MOST_PROBLEMS: usize = 100;

struct SheetReader {
    problems: Vec<Problem>,
}

impl SheetReader {
    fn refuse<T>(&mut self, span: Range<usize>, message: impl Into<String>, mend: impl Into<String>) -> Option<T> {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(Problem::error(span, message, mend));
        }
        None
    }

    fn rule(&mut self, expression: SExpr) -> Option<Rule> {
        let span = expression.span.clone();
        if !begins_with(&expression, "<=") {
            let head = self.head(expression)?;
            return Some(Rule { head, body: Vec::new(), span });
        }
        let SExprKind::List(parts) = expression.kind else {
            return self.refuse(span, "found '<=' alone, expected (<= HEAD CONDITION ...)", "put the rule in brackets");
        };
        let mut parts = parts.into_iter().skip(1);
        let Some(head) = parts.next() else {
            return self.refuse(span, "found a rule without a head", "write (<= HEAD CONDITION ...)");
        };
        let head = self.head(head);
        let formulas: Vec<Option<Formula>> = parts.map(|part| self.formula(part)).collect();
        Some(Rule { head: head?, body: formulas.into_iter().collect::<Option<_>>()?, span })
    }

    fn head(&mut self, expression: SExpr) -> Option<Atom> {
        let span = expression.span.clone();
        let head = self.atom(expression)?;
        match head.relation.as_str() {
            "not" | "or" | "and" | "distinct" | "<=" => {
                let message = format!("found '{}' as what a rule says, expected a relation", head.relation);
                self.refuse(span, message, "it can only stand among the conditions of a rule")
            }
            word @ ("true" | "does") => {
                let message = format!("found a rule for '{word}', which is given by the state of the game");
                self.refuse(span, message, if word == "true" { "use init or next" } else { "use legal" })
            }
            _ => Some(head),
        }
    }

    fn formula(&mut self, expression: SExpr) -> Option<Formula> {
        let span = expression.span.clone();
        let word = match &expression.kind {
            SExprKind::List(parts) => match parts.first().map(|first| &first.kind) {
                Some(SExprKind::Name(name)) => keyword(name).map_or("", |(word, _)| word),
                _ => "",
            },
            SExprKind::Name(_) => "",
        };
        match (word, expression.kind) {
            ("and" | "or" | "not", SExprKind::List(parts)) => {
                let count = parts.len() - 1;
                let parts: Vec<Option<Formula>> = parts.into_iter().skip(1).map(|part| self.formula(part)).collect();
                let mut parts: Vec<Formula> = parts.into_iter().collect::<Option<_>>()?;
                match word {
                    "and" => Some(Formula::And(parts)),
                    "or" => Some(Formula::Or(parts)),
                    _ if count == 1 => Some(Formula::Not(Box::new(parts.remove(0)))),
                    _ => self.refuse(
                        span,
                        format!("found 'not' of {count} conditions, expected 1"),
                        "use (not (or ...))",
                    ),
                }
            }
            ("<=", _) => self.refuse(span, "found a rule within a rule", "is a ')' missing before it?"),
            (_, kind) => {
                let mut atom = self.atom(SExpr { span: span.clone(), kind })?;
                if atom.relation != "distinct" {
                    return Some(Formula::Atom(atom));
                }
                let second = atom.arguments.pop()?;
                Some(Formula::Distinct(atom.arguments.pop()?, second, span))
            }
        }
    }

    fn atom(&mut self, expression: SExpr) -> Option<Atom> {
        let span = expression.span.clone();
        let (name, arguments) = match expression.kind {
            SExprKind::Name(name) => (name, Vec::new()),
            SExprKind::List(parts) => {
                let mut parts = parts.into_iter();
                match parts.next() {
                    Some(SExpr { kind: SExprKind::Name(name), .. }) => (name, parts.collect()),
                    Some(first) => {
                        return self.refuse(first.span, "found a list, expected the name of a relation", "name it");
                    }
                    None => return self.refuse(span, "found empty brackets, expected a relation", "remove them"),
                }
            }
        };
        if name.starts_with('?') {
            let message = format!("found the variable {name}, expected the name of a relation");
            return self.refuse(span, message, "a variable can only stand for a thing");
        }
        let arguments: Vec<Option<Pattern>> = arguments.into_iter().map(|part| self.pattern(part)).collect();
        let arguments: Vec<Pattern> = arguments.into_iter().collect::<Option<_>>()?;
        let Some((word, count)) = keyword(name) else {
            return Some(Atom { relation: name.to_owned(), arguments, span });
        };
        match count {
            Some(count) if count != arguments.len() => {
                let message = format!("found '{word}' of {} things, expected {count}", arguments.len());
                self.refuse(span, message, format!("write {}", example(word)))
            }
            _ => Some(Atom { relation: word.to_owned(), arguments, span }),
        }
    }

    fn pattern(&mut self, expression: SExpr) -> Option<Pattern> {
        let span = expression.span;
        match expression.kind {
            SExprKind::Name("?") => self.refuse(span, "found '?' alone", "give the variable a name"),
            SExprKind::Name(name) => Some(match name.strip_prefix('?') {
                Some(variable) => Pattern::Variable(variable.to_owned()),
                None => Pattern::Name(name.to_owned()),
            }),
            SExprKind::List(parts) => {
                let mut parts = parts.into_iter();
                let name = match parts.next() {
                    Some(SExpr { kind: SExprKind::Name(name), .. }) if !name.starts_with('?') => name,
                    Some(first) => {
                        let message = "found a list or a variable, expected the name of what the list says";
                        return self.refuse(first.span, message, "begin the list with a name");
                    }
                    None => return self.refuse(span, "found empty brackets, expected a thing", "remove them"),
                };
                let parts: Vec<Option<Pattern>> = parts.map(|part| self.pattern(part)).collect();
                Some(Pattern::Compound(name.to_owned(), parts.into_iter().collect::<Option<_>>()?))
            }
        }
    }
}

/// How a keyword is used.
fn example(word: &str) -> &'static str {
    match word {
        "role" => "(role PLAYER)",
        "init" => "(init FACT)",
        "true" => "(true FACT)",
        "next" => "(next FACT)",
        "does" => "(does PLAYER MOVE)",
        "legal" => "(legal PLAYER MOVE)",
        "goal" => "(goal PLAYER NUMBER)",
        "base" => "(base FACT)",
        "input" => "(input PLAYER MOVE)",
        "sees" => "(sees PLAYER THING)",
        "distinct" => "(distinct THING THING)",
        "not" => "(not CONDITION)",
        _ => "terminal",
    }
}

fn begins_with(expression: &SExpr, name: &str) -> bool {
    match &expression.kind {
        SExprKind::Name(found) => *found == name,
        SExprKind::List(parts) => {
            matches!(parts.first().map(|part| &part.kind), Some(SExprKind::Name(found)) if *found == name)
        }
    }
}

impl Sheet {
    /// Sixteen digits that stand for the sheet, however its text is laid out; next to surely others for any other sheet.
    pub fn digest(&self) -> String {
        digest(self)
    }
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.rules.iter().try_for_each(|rule| writeln!(f, "{rule}"))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.body.is_empty() {
            return write!(f, "{}", self.head);
        }
        write!(f, "(<= {}", self.head)?;
        self.body.iter().try_for_each(|condition| write!(f, "\n    {condition}"))?;
        f.write_str(")")
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.arguments.is_empty() {
            return f.write_str(&self.relation);
        }
        list(f, &self.relation, &self.arguments)
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Formula::Atom(atom) => write!(f, "{atom}"),
            Formula::Not(inner) => write!(f, "(not {inner})"),
            Formula::And(parts) => list(f, "and", parts),
            Formula::Or(parts) => list(f, "or", parts),
            Formula::Distinct(one, other, _) => write!(f, "(distinct {one} {other})"),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Pattern::Variable(name) => write!(f, "?{name}"),
            Pattern::Name(name) => f.write_str(name),
            Pattern::Compound(name, parts) => list(f, name, parts),
        }
    }
}

fn list<T: fmt::Display>(f: &mut fmt::Formatter, name: &str, parts: &[T]) -> fmt::Result {
    write!(f, "({name}")?;
    parts.iter().try_for_each(|part| write!(f, " {part}"))?;
    f.write_str(")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_are_written_as_they_are_read() {
        let text = "(role x)\n(<= terminal\n    (true (cell 1 ?x (s b)))\n    (not open)\n    (or (p ?x) (and q r))\n    \
                    (distinct ?x (f)))\n";
        assert_eq!(Sheet::parse(text).unwrap().to_string(), text);
        let wild = "(ROLE x) (<= (TERMINAL) (True (cell 1 ?x (s b))) (NOT (open)) (Or (p ?x) (and q r)) \
                    (DISTINCT ?x (f)))";
        assert_eq!(Sheet::parse(wild).unwrap().to_string(), text);
        assert_eq!(Sheet::parse("(<= p) (<= (q) (and))").unwrap().to_string(), "p\n(<= q\n    (and))\n");
    }

    #[test]
    fn what_is_no_rule_is_refused_where_it_stands() {
        for (text, at, words) in [
            ("(p) ()", 4, "empty brackets"),
            ("(?x a)", 0, "variable ?x"),
            ("((p) a)", 1, "name of a relation"),
            ("(<= (p ?) (q a))", 7, "'?' alone"),
            ("<=", 0, "alone"),
            ("(<=)", 0, "without a head"),
            ("(<= p (<= q))", 6, "rule within"),
            ("(not p)", 0, "as what a rule says"),
            ("(true p)", 0, "a rule for 'true'"),
            ("(<= (does a b) c)", 4, "a rule for 'does'"),
            ("(<= p (not a b))", 6, "'not' of 2"),
            ("(<= p (distinct a))", 6, "'distinct' of 1"),
            ("(role a b)", 0, "'role' of 2"),
            ("(<= p ?x)", 6, "variable ?x"),
            ("(p (?f a))", 4, "list or a variable"),
            ("(p ())", 3, "expected a thing"),
        ] {
            let error = Sheet::parse(text).unwrap_err();
            assert_eq!(error.problems[0].span.start, at, "{text}: {error}");
            assert!(error.to_string().contains(words), "{text}: {error}");
        }
    }
}
