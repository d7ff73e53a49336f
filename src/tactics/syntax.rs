//! The text form: words, variables and literals with their spans, and what is wrong where.
//!
//! A literal is `count(<w>,<p>,2)`: names are words, variables stand in angle brackets. `;` begins a comment.

use super::language::{Argument, Literal, Names, Variable};
use std::ops::Range;

/// A text that is no state-update system, or no file of recognition rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .problems.first().map_or_else(String::new, |problem| problem.message.clone()))]
pub struct TacticsError {
    /// The text.
    pub text: String,
    /// What is wrong with it; at least one.
    pub problems: Vec<TacticsProblem>,
}

/// Something wrong in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TacticsProblem {
    /// Its bytes in the text.
    pub span: Range<usize>,
    /// What was found, and what was expected.
    pub message: String,
}

impl TacticsProblem {
    /// Words that fill a file are not repeated as a whole.
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> TacticsProblem {
        let mut message = message.into();
        if message.split(' ').any(|word| word.len() > MOST_SAID) {
            let words: Vec<String> = message.split(' ').map(shortened).collect();
            message = words.join(" ");
        }
        TacticsProblem { span, message }
    }
}

/// So many bytes of a word are repeated in a message.
const MOST_SAID: usize = 80;

/// The beginning of a long text, all of a short one.
pub(super) fn shortened(text: &str) -> String {
    if text.len() <= MOST_SAID {
        return text.to_owned();
    }
    let end = (0..=MOST_SAID).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    format!("{}…", &text[..end])
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    Variable(&'a str),
    Mark(char),
    End,
}

impl Token<'_> {
    fn shown(&self) -> String {
        match self {
            Token::Word(word) => format!("{word:?}"),
            Token::Variable(name) => format!("<{name}>"),
            Token::Mark(mark) => format!("{mark:?}"),
            Token::End => "the end".to_owned(),
        }
    }
}

/// A reader of tokens.
pub(super) struct Tokens<'a> {
    text: &'a str,
    list: Vec<(Token<'a>, Range<usize>)>,
    at: usize,
}

/// Longer texts have no more tokens than this.
const MOST_TOKENS: usize = 4_000_000;

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/' | '=' | '+' | '\'')
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Result<Tokens<'a>, TacticsProblem> {
        let mut list = Vec::new();
        let mut rest = text.char_indices().peekable();
        while let Some((at, c)) = rest.next() {
            let end_of = |from: usize, keep: &dyn Fn(char) -> bool| {
                text[from..].find(|c: char| !keep(c)).map_or(text.len(), |length| from + length)
            };
            let (token, end) = match c {
                c if c.is_whitespace() => continue,
                ';' => {
                    let end = end_of(at, &|c| c != '\n');
                    while rest.next_if(|&(at, _)| at < end).is_some() {}
                    continue;
                }
                '(' | ')' | ',' => (Token::Mark(c), at + 1),
                '<' => {
                    let end = end_of(at + 1, &is_word);
                    if end == at + 1 || !text[end..].starts_with('>') {
                        return Err(TacticsProblem::new(
                            at..end.max(at + 1),
                            "found '<', expected a variable such as <square>",
                        ));
                    }
                    (Token::Variable(&text[at + 1..end]), end + 1)
                }
                c if is_word(c) => {
                    let end = end_of(at, &is_word);
                    (Token::Word(&text[at..end]), end)
                }
                c => {
                    let message = format!("found {c:?}, expected a word, a variable such as <square>, '(', ')' or ','");
                    return Err(TacticsProblem::new(at..at + c.len_utf8(), message));
                }
            };
            while rest.next_if(|&(at, _)| at < end).is_some() {}
            list.push((token, at..end));
            if list.len() > MOST_TOKENS {
                return Err(TacticsProblem::new(
                    at..end,
                    format!("found more than {MOST_TOKENS} words, expected fewer"),
                ));
            }
        }
        Ok(Tokens { text, list, at: 0 })
    }

    pub(super) fn peek(&self) -> Token<'a> {
        self.list.get(self.at).map_or(Token::End, |(token, _)| token.clone())
    }

    /// The span of the next token; at the end, the last place of the text.
    pub(super) fn span(&self) -> Range<usize> {
        let end = self.text.trim_end().len();
        self.list.get(self.at).map_or(end..end, |(_, span)| span.clone())
    }

    /// Goes on where another reader of the same text is.
    pub(super) fn skip_to(&mut self, other: &Tokens) {
        self.at = other.at;
    }

    pub(super) fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at += 1;
        token
    }

    /// A problem with the next token.
    pub(super) fn unexpected(&self, expected: &str) -> TacticsProblem {
        TacticsProblem::new(self.span(), format!("found {}, expected {expected}", self.peek().shown()))
    }

    pub(super) fn word(&mut self, expected: &str) -> Result<&'a str, TacticsProblem> {
        let Token::Word(word) = self.peek() else { return Err(self.unexpected(expected)) };
        self.at += 1;
        Ok(word)
    }

    /// Takes the next word if it is this one.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let is = self.peek() == Token::Word(word);
        self.at += usize::from(is);
        is
    }

    pub(super) fn mark(&mut self, mark: char) -> Result<(), TacticsProblem> {
        if self.peek() != Token::Mark(mark) {
            return Err(self.unexpected(&format!("{mark:?}")));
        }
        self.at += 1;
        Ok(())
    }

    pub(super) fn number(&mut self, least: usize, most: usize) -> Result<usize, TacticsProblem> {
        let expected = format!("a number from {least} to {most}");
        let Token::Word(word) = self.peek() else { return Err(self.unexpected(&expected)) };
        let plain = word.bytes().all(|byte| byte.is_ascii_digit());
        match word.parse().ok().filter(|number| plain && (least..=most).contains(number)) {
            Some(number) => {
                self.at += 1;
                Ok(number)
            }
            None => Err(self.unexpected(&expected)),
        }
    }

    /// Whether a literal comes next: a word with an opening bracket.
    pub(super) fn at_literal(&self) -> bool {
        let after = self.list.get(self.at + 1).map(|(token, _)| token);
        matches!(self.peek(), Token::Word(_)) && after == Some(&Token::Mark('('))
    }

    /// An argument: an object or a variable.
    pub(super) fn argument(
        &mut self,
        names: &mut Names,
        variables: &mut Variables,
    ) -> Result<Argument, TacticsProblem> {
        let argument = match self.peek() {
            Token::Word(word) => Argument::Object(names.intern(word)),
            Token::Variable(name) => Argument::Variable(variables.find(name)),
            _ => return Err(self.unexpected("an object or a variable such as <square>")),
        };
        self.at += 1;
        Ok(argument)
    }

    /// A literal, and where it stands.
    pub(super) fn literal(
        &mut self,
        names: &mut Names,
        variables: &mut Variables,
    ) -> Result<(Literal, Range<usize>), TacticsProblem> {
        let begin = self.span().start;
        let predicate = self.word("a literal such as is-empty(<square>)")?;
        self.mark('(')?;
        let mut arguments = smallvec::SmallVec::new();
        loop {
            arguments.push(self.argument(names, variables)?);
            match self.peek() {
                Token::Mark(',') => self.at += 1,
                Token::Mark(')') => {
                    let end = self.span().end;
                    self.at += 1;
                    return Ok((Literal { predicate: names.intern(predicate), arguments }, begin..end));
                }
                _ => return Err(self.unexpected("',' or ')'")),
            }
        }
    }
}

/// The names of the variables of one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Variables(pub Vec<String>);

impl Variables {
    pub(super) fn find(&mut self, name: &str) -> Variable {
        let known = self.0.iter().position(|known| known == name);
        Variable(known.unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        }) as u32)
    }
}

/// A literal as it is written.
pub(super) fn show_literal(names: &Names, variables: &[String], literal: &Literal) -> String {
    let arguments: Vec<String> =
        literal.arguments.iter().map(|&argument| show_argument(names, variables, argument)).collect();
    format!("{}({})", names.text(literal.predicate), arguments.join(","))
}

/// An argument as it is written.
pub(super) fn show_argument(names: &Names, variables: &[String], argument: Argument) -> String {
    match argument {
        Argument::Object(name) => names.text(name).to_owned(),
        Argument::Variable(Variable(number)) => match variables.get(number as usize) {
            Some(name) => format!("<{name}>"),
            None => format!("<v{number}>"),
        },
    }
}
