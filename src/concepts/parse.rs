//! Reading the text of a heuristic: a small part of Prolog, with the place of everything that does not belong there.

use super::concept::Concept;
use super::heuristic::{Heuristic, RoleRules, Rule, Sum};
use super::literal::{Argument, Literal};
use std::ops::Range;

/// A text that is no heuristic: the text, and everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>().join("; "))]
pub struct HeuristicError {
    /// What was refused.
    pub text: String,
    /// Why, in the order of the text; never empty.
    pub problems: Vec<HeuristicProblem>,
}

/// One thing that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeuristicProblem {
    /// Where, in bytes.
    pub span: Range<usize>,
    /// What was found and what was expected.
    pub message: String,
}

/// The most problems that are looked for.
const MOST_PROBLEMS: usize = 20;
/// The most literals in the body of a rule.
const MOST_BODY: usize = 16;
/// The most that is added to a variable, and the largest number that stands in a literal.
const MOST_NUMBER: i64 = 1 << 40;

impl Heuristic {
    /// Reads the text form. Every clause is read whatever is wrong with the others.
    ///
    /// # Errors
    ///
    /// The text is none of a heuristic; all problems say where.
    pub fn parse(text: &str) -> Result<Heuristic, HeuristicError> {
        let mut reader =
            Reader { text, at: 0, version: None, game: None, sum: None, rest: empty(), problems: Vec::new() };
        reader.read();
        let Reader { version, game, sum, mut rest, mut problems, .. } = reader;
        let missing = |what: &str| HeuristicProblem { span: 0..0, message: format!("found no {what}, expected one") };
        if problems.is_empty() {
            let wanted =
                [(version.is_none(), "concepts(1)"), (game.is_none(), "game(NAME)"), (sum.is_none(), "sum(odds)")];
            problems.extend(wanted.iter().filter(|(is_missing, _)| *is_missing).map(|(_, what)| missing(what)));
        }
        if !problems.is_empty() {
            return Err(HeuristicError { text: text.to_owned(), problems });
        }
        rest.game = game.unwrap_or_default();
        rest.sum = sum.unwrap_or(Sum::Odds);
        Ok(rest)
    }
}

fn empty() -> Heuristic {
    Heuristic { game: String::new(), sum: Sum::Odds, learnt: Vec::new(), concepts: Vec::new(), roles: Vec::new() }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    version: Option<u64>,
    game: Option<String>,
    sum: Option<Sum>,
    rest: Heuristic,
    problems: Vec<HeuristicProblem>,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Variable(String),
    Number(String),
    Sign(&'static str),
    End,
    /// What no token begins with.
    Strange(char),
}

type Read<T> = Result<T, HeuristicProblem>;

/// A head: a name with arguments that are no literals.
struct Head {
    name: String,
    span: Range<usize>,
    arguments: Vec<(Token, Range<usize>)>,
}

impl Reader<'_> {
    fn read(&mut self) {
        while self.problems.len() < MOST_PROBLEMS {
            if self.peek().0 == Token::End {
                return;
            }
            if let Err(problem) = self.clause() {
                self.problems.push(problem);
                self.skip_clause();
            }
        }
    }

    /// Goes on after the next full stop at the end of a line, so that one mistake is told once.
    fn skip_clause(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.find(".\n").map_or(rest.len(), |at| at + 2);
    }

    fn blank(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let inner = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.at += rest.len() - inner.len();
            if !inner.starts_with('%') {
                return;
            }
            self.at += inner.find('\n').unwrap_or(inner.len());
        }
    }

    /// The next token and its place; nothing is taken.
    fn peek(&mut self) -> (Token, Range<usize>) {
        self.blank();
        let begin = self.at;
        let rest = &self.text[begin..];
        let Some(first) = rest.chars().next() else { return (Token::End, begin..begin) };
        let word = || {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            rest[..end].to_owned()
        };
        let (token, length) = match first {
            'a'..='z' => {
                let word = word();
                let length = word.len();
                (Token::Name(word), length)
            }
            'A'..='Z' | '_' => {
                let word = word();
                let length = word.len();
                (Token::Variable(word), length)
            }
            '0'..='9' => {
                let length = number_length(rest);
                (Token::Number(rest[..length].to_owned()), length)
            }
            '\'' => match quoted(rest) {
                Some((name, length)) => (Token::Name(name), length),
                None => (Token::Strange('\''), rest.find('\n').unwrap_or(rest.len())),
            },
            _ => match [":-", "(", ")", ",", ".", "+", "-"].into_iter().find(|sign| rest.starts_with(sign)) {
                Some(sign) => (Token::Sign(sign), sign.len()),
                None => (Token::Strange(first), first.len_utf8()),
            },
        };
        (token, begin..begin + length)
    }

    fn take(&mut self) -> (Token, Range<usize>) {
        let (token, span) = self.peek();
        self.at = span.end;
        (token, span)
    }

    fn expect(&mut self, sign: &'static str, expected: &str) -> Read<()> {
        match self.take() {
            (Token::Sign(found), _) if found == sign => Ok(()),
            (token, span) => Err(found(&token, span, expected)),
        }
    }

    fn clause(&mut self) -> Read<()> {
        let head = self.head()?;
        let (token, span) = self.take();
        let body = match token {
            Token::Sign(".") => Vec::new(),
            Token::Sign(":-") => {
                let body = self.body()?;
                self.expect(".", "',' or '.' after a literal")?;
                body
            }
            token => return Err(found(&token, span, "':-' or '.'")),
        };
        let note = self.note();
        self.enter(head, body, note)
    }

    /// The comment on the same line.
    fn note(&self) -> String {
        let line = self.text[self.at..].lines().next().unwrap_or_default();
        line.trim_start().strip_prefix('%').map(|note| note.trim().to_owned()).unwrap_or_default()
    }

    fn head(&mut self) -> Read<Head> {
        let (token, span) = self.take();
        let Token::Name(name) = token else {
            return Err(found(&token, span, "a clause such as role(x) or evaluation(0.5)"));
        };
        let mut arguments = Vec::new();
        if self.peek().0 == Token::Sign("(") {
            self.take();
            loop {
                let (token, span) = self.take();
                arguments.push(match token {
                    Token::Sign("-") => {
                        let (token, rest) = self.take();
                        let Token::Number(digits) = token else { return Err(found(&token, rest, "a number")) };
                        (Token::Number(format!("-{digits}")), span.start..rest.end)
                    }
                    Token::Name(_) | Token::Number(_) | Token::Variable(_) => (token, span),
                    _ => return Err(found(&token, span, "a name or a number")),
                });
                match self.take() {
                    (Token::Sign(","), _) => {}
                    (Token::Sign(")"), _) => break,
                    (token, span) => return Err(found(&token, span, "',' or ')'")),
                }
            }
        }
        Ok(Head { name, span, arguments })
    }

    fn body(&mut self) -> Read<Vec<Literal>> {
        let mut variables: Vec<String> = Vec::new();
        let mut literals = Vec::new();
        loop {
            let place = self.peek().1;
            literals.push(self.literal(&mut variables)?);
            if literals.len() > MOST_BODY {
                let message = format!("found more than {MOST_BODY} literals in a rule, expected fewer");
                return Err(HeuristicProblem { span: place, message });
            }
            if self.peek().0 != Token::Sign(",") {
                return Ok(literals);
            }
            self.take();
        }
    }

    fn literal(&mut self, variables: &mut Vec<String>) -> Read<Literal> {
        let (token, span) = self.take();
        let Token::Name(name) = token else { return Err(found(&token, span, "a fact such as cell(1,2,x)")) };
        let mut arguments = Vec::new();
        if self.peek().0 == Token::Sign("(") {
            self.take();
            loop {
                arguments.push(self.argument(variables)?);
                match self.take() {
                    (Token::Sign(","), _) => {}
                    (Token::Sign(")"), _) => break,
                    (token, span) => return Err(found(&token, span, "',' or ')' after an argument")),
                }
            }
        }
        Ok(Literal { name, arguments })
    }

    fn argument(&mut self, variables: &mut Vec<String>) -> Read<Argument> {
        let (token, span) = self.take();
        match token {
            // A name in quotes is what its text is in a fact: '7' is the number 7.
            Token::Name(name) => Ok(Argument::constant(&name)),
            Token::Number(digits) => Ok(Argument::Number(whole(&digits, span)?)),
            Token::Sign("-") => {
                let (token, span) = self.take();
                let Token::Number(digits) = token else { return Err(found(&token, span, "a number")) };
                Ok(Argument::Number(-whole(&digits, span)?))
            }
            Token::Variable(name) => {
                let known = variables.iter().position(|known| *known == name && name != "_");
                let number = known.unwrap_or_else(|| {
                    variables.push(name);
                    variables.len() - 1
                });
                let number = u8::try_from(number).map_err(|_| HeuristicProblem {
                    span,
                    message: "found more than 256 variables in a rule, expected fewer".to_owned(),
                })?;
                let sign = match self.peek().0 {
                    Token::Sign("+") => 1,
                    Token::Sign("-") => -1,
                    _ => return Ok(Argument::Variable(number, 0)),
                };
                self.take();
                let (token, span) = self.take();
                let Token::Number(digits) = token else { return Err(found(&token, span, "a number to add")) };
                Ok(Argument::Variable(number, sign * whole(&digits, span)?))
            }
            token => Err(found(&token, span, "a name, a number or a variable")),
        }
    }

    /// Puts a clause where it belongs.
    fn enter(&mut self, head: Head, body: Vec<Literal>, note: String) -> Read<()> {
        let refuse = |message: String| HeuristicProblem { span: head.span.clone(), message };
        let only_rules = head.name == "evaluation" || head.name.starts_with("concept") && head.name != "concepts";
        if !body.is_empty() && !only_rules {
            return Err(refuse(format!("found a body for {}, expected it without one", head.name)));
        }
        match (head.name.as_str(), &head.arguments[..]) {
            ("concepts", [(Token::Number(version), span)]) => {
                let found = version.parse::<u64>().ok().filter(|version| *version > 0);
                let newest = Heuristic::VERSION;
                let known = found.filter(|version| *version <= newest).ok_or_else(|| HeuristicProblem {
                    span: span.clone(),
                    message: format!(
                        "found version {version}, expected at most {newest}: a newer program has written this"
                    ),
                })?;
                once(&mut self.version, known).map_err(refuse)
            }
            ("game", [(Token::Name(name), _)]) => once(&mut self.game, name.clone()).map_err(refuse),
            ("sum", [(Token::Name(name), span)]) => {
                let known = [Sum::Frequencies, Sum::Odds].into_iter().find(|sum| sum.to_string() == *name);
                let sum = known.ok_or_else(|| HeuristicProblem {
                    span: span.clone(),
                    message: format!("found {name}, expected frequencies or odds"),
                })?;
                once(&mut self.sum, sum).map_err(refuse)
            }
            ("learnt", [(Token::Name(what), _), (Token::Name(value) | Token::Number(value), _)]) => {
                self.rest.learnt.push((what.clone(), value.clone()));
                Ok(())
            }
            ("role", [(Token::Name(name) | Token::Number(name), span)]) => {
                if self.rest.roles.iter().any(|role| role.role == *name) {
                    let message = format!("found role {name} twice, expected each once");
                    return Err(HeuristicProblem { span: span.clone(), message });
                }
                self.rest.roles.push(RoleRules { role: name.clone(), rules: Vec::new() });
                Ok(())
            }
            ("evaluation", [(Token::Number(digits), span)]) => {
                let value = digits.parse::<f64>().ok().filter(|value| value.abs() <= Heuristic::MOST_VALUE);
                let value = value.ok_or_else(|| HeuristicProblem {
                    span: span.clone(),
                    message: format!("found {digits}, expected a value of at most {}", Heuristic::MOST_VALUE),
                })?;
                let role = self.rest.roles.last_mut();
                let role =
                    role.ok_or_else(|| refuse("found a rule before any role, expected role(NAME) first".to_owned()))?;
                role.rules.push(Rule { value, body, note });
                Ok(())
            }
            (name, _) if name.starts_with("concept") && name != "concepts" => {
                let most = Concept::MOST_LITERALS;
                let concept = Concept::new(&body).ok_or_else(|| {
                    refuse(format!("found {} literals in a concept, expected 1 to {most}", body.len()))
                })?;
                self.rest.concepts.push(concept);
                Ok(())
            }
            (name, arguments) => Err(refuse(format!(
                "found {name} with {} arguments, expected concepts(1), game(NAME), sum(odds), learnt(WHAT, VALUE), \
                 role(NAME), evaluation(NUMBER) :- FACTS or conceptN :- FACTS",
                arguments.len()
            ))),
        }
    }
}

fn once<T>(place: &mut Option<T>, value: T) -> Result<(), String> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err("found this a second time, expected it once".to_owned()),
    }
}

fn whole(digits: &str, span: Range<usize>) -> Read<i64> {
    digits.parse::<i64>().ok().filter(|number| *number <= MOST_NUMBER).ok_or_else(|| HeuristicProblem {
        span,
        message: format!("found {digits}, expected a whole number of at most {MOST_NUMBER}"),
    })
}

fn found(token: &Token, span: Range<usize>, expected: &str) -> HeuristicProblem {
    let found = match token {
        Token::Name(name) | Token::Variable(name) | Token::Number(name) => format!("{name:?}"),
        Token::Sign(sign) => format!("'{sign}'"),
        Token::End => "the end of the text".to_owned(),
        Token::Strange('\'') => "a quote that is not closed on its line".to_owned(),
        Token::Strange(c) => format!("{c:?}"),
    };
    HeuristicProblem { span, message: format!("found {found}, expected {expected}") }
}

/// How many bytes a number takes: digits, perhaps with decimals and an exponent.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(0);
    if text[length..].starts_with('.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let exponent = digits(length + 1 + sign);
        length += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    length
}

/// A name in quotes, and how many bytes it takes; `None` if it does not end on its line.
fn quoted(text: &str) -> Option<(String, usize)> {
    let mut name = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '\'' => return Some((name, at + 1)),
            '\n' => return None,
            '\\' => name.push(match characters.next()?.1 {
                'n' => '\n',
                'r' => '\r',
                other => other,
            }),
            _ => name.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "concepts(1). game(g). sum(odds).\n";

    #[test]
    fn what_is_written_is_read_again() {
        let text = format!(
            "{HEAD}learnt(playouts, 20000). learnt('what else', 'it\\'s \"this\"').\nconcept7 :- cell(A,B,C), cell(A+1,B,C).\n\
             role(x).\nevaluation(-0.25). % always\nevaluation(1.5e-3) :- cell(1,-2,'X'), done, cell(P,Q-3,o).\nrole('The 2nd').\n"
        );
        let heuristic = Heuristic::parse(&text).unwrap();
        assert_eq!((heuristic.rule_count(), heuristic.concepts.len()), (2, 1));
        assert_eq!(heuristic.roles[0].rules[0].note, "always");
        assert_eq!(heuristic.learnt("playouts"), Some("20000"));
        let written = heuristic.to_string();
        assert_eq!(Heuristic::parse(&written).unwrap(), heuristic, "{written}");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, place, says) in [
            ("role(x).\nevaluation(0.5) :- cell(1,2.\n", ".", "found '.', expected ',' or ')'"),
            ("role(x).\nevaluation(abc).\n", "evaluation", "with 1 arguments"),
            ("evaluation(0.5).\n", "evaluation", "before any role"),
            ("role(x). role(x).\n", "x", "twice"),
            ("role(x).\nevaluation(1e99).\n", "1e99", "at most 1000000"),
            ("role(x).\nevaluation(1) :- cell(1,'ab).\n", "'ab).", "not closed"),
            ("sum(odds).\n", "sum", "second time"),
            ("concepts(2).\n", "2", "newer program"),
            ("role(x) :- done.\n", "role", "found a body"),
            ("role(x).\nevaluation(1) :- cell(X1 * 2).\n", "*", "found '*', expected ',' or ')'"),
            ("concept1.\n", "concept1", "found 0 literals"),
        ] {
            let error = Heuristic::parse(&format!("{HEAD}{text}")).unwrap_err();
            assert!(error.to_string().contains(says), "{text}: {error}");
            assert_eq!(&error.text[error.problems[0].span.clone()], place, "{text}");
        }
        let both = Heuristic::parse("role(x).\nevaluation().\nevaluation(1) :- 5.\n").unwrap_err();
        assert_eq!(both.problems.len(), 2, "{both}");
        assert!(Heuristic::parse("").unwrap_err().to_string().contains("found no concepts(1)"));
    }
}
