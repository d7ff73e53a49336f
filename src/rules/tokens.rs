//! The words and signs of a rules file, and what is made of a few of them: expressions, steps, pieces, squares.

use super::{Atom, Directions, Landing, Seen, Taken};
use crate::automata::Expression;
use crate::board::{Cell, Piece, Shape};
use std::ops::Range;

/// How deeply brackets may be nested, so that no text can exhaust the stack.
pub const MAX_DEPTH: usize = 50;
/// How often something may be repeated by number: no board has more squares in a row.
const MAX_REPEAT: u8 = 31;

/// One thing that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The bytes it is about; empty at the end of a line where something is missing.
    pub span: Range<usize>,
    /// What was found and what was expected.
    pub message: String,
}

/// What was read, or what is wrong with it.
pub(super) type Read<T> = Result<T, Problem>;

/// A line with its place in the text, without its comment and the space around it.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub text: &'a str,
    pub at: usize,
    pub indented: bool,
    /// The line as it stands, for texts in which `;` is no comment.
    pub raw: &'a str,
}

impl Line<'_> {
    pub fn span(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    Quoted(&'a str),
    Sign(char),
}

/// The tokens of an entry, with one to look at.
pub(super) struct Tokens<'a> {
    tokens: Vec<(Token<'a>, Range<usize>)>,
    pub at: usize,
    end: usize,
    depth: usize,
}

const SIGNS: &str = "()|*+?{},:\"";

impl<'a> Tokens<'a> {
    pub fn of(lines: &[Line<'a>]) -> Read<Tokens<'a>> {
        let mut tokens = Vec::new();
        for line in lines {
            let mut at = 0;
            while let Some(first) = line.text[at..].chars().next() {
                let rest = &line.text[at..];
                let begin = line.at + at;
                let (token, length) = if first.is_whitespace() {
                    at += first.len_utf8();
                    continue;
                } else if first == '"' {
                    let Some(close) = rest[1..].find('"') else {
                        let message = "expected a closing '\"'".to_owned();
                        return Err(Problem { span: begin..begin + rest.len(), message });
                    };
                    (Token::Quoted(&rest[1..=close]), close + 2)
                } else if SIGNS.contains(first) {
                    (Token::Sign(first), first.len_utf8())
                } else {
                    let length = rest.find(|c: char| c.is_whitespace() || SIGNS.contains(c)).unwrap_or(rest.len());
                    (Token::Word(&rest[..length]), length)
                };
                tokens.push((token, begin..begin + length));
                at += length;
            }
        }
        let end = lines.last().map_or(0, |line| line.span().end);
        Ok(Tokens { tokens, at: 0, end, depth: 0 })
    }

    pub fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).map(|token| token.0)
    }

    pub fn after(&self, ahead: usize) -> Option<Token<'a>> {
        self.tokens.get(self.at + ahead).map(|token| token.0)
    }

    /// What was found here is not what was expected.
    pub fn refuse<T>(&self, expected: &str) -> Read<T> {
        let (found, span) = match self.tokens.get(self.at) {
            None => ("the end of the line".to_owned(), self.end..self.end),
            Some((Token::Word(word), span)) => (format!("{word:?}"), span.clone()),
            Some((Token::Quoted(name), span)) => (format!("{name:?}"), span.clone()),
            Some((Token::Sign(sign), span)) => (format!("'{sign}'"), span.clone()),
        };
        Err(Problem { span, message: format!("found {found}, expected {expected}") })
    }

    pub fn takes(&mut self, token: Token) -> bool {
        let takes = self.peek() == Some(token);
        self.at += usize::from(takes);
        takes
    }

    pub fn sign(&mut self, sign: char) -> Read<()> {
        if self.takes(Token::Sign(sign)) { Ok(()) } else { self.refuse(&format!("'{sign}'")) }
    }

    pub fn number<N: std::str::FromStr>(&mut self, expected: &str) -> Read<N> {
        match self.peek() {
            Some(Token::Word(word)) if word.parse::<N>().is_ok() => {
                self.at += 1;
                word.parse().or_else(|_| self.refuse(expected))
            }
            _ => self.refuse(expected),
        }
    }

    pub fn finished(&self, expected: &str) -> Read<()> {
        if self.peek().is_none() { Ok(()) } else { self.refuse(expected) }
    }

    /// A name that can stand anywhere: in quotation marks, or one word.
    pub fn cell(&mut self) -> Read<Cell> {
        const EXPECTED: &str = "a piece, as in put:Q or put:\"+P\"";
        let name = match self.peek() {
            Some(Token::Word(name) | Token::Quoted(name)) => name,
            _ => return self.refuse(EXPECTED),
        };
        match Cell::named(name) {
            Ok(cell) => {
                self.at += 1;
                Ok(cell)
            }
            Err(_) => self.refuse(EXPECTED),
        }
    }

    /// Alternatives of sequences of repeated things, with `leaf` reading the things.
    pub fn expression<L>(&mut self, leaf: &impl Fn(&mut Self) -> Read<L>) -> Read<Expression<L>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.refuse("less deeply nested brackets");
        }
        let mut choices = vec![self.sequence(leaf)?];
        while self.takes(Token::Sign('|')) {
            choices.push(self.sequence(leaf)?);
        }
        self.depth -= 1;
        Ok(Expression::choice(choices))
    }

    pub fn sequence<L>(&mut self, leaf: &impl Fn(&mut Self) -> Read<L>) -> Read<Expression<L>> {
        let mut parts = Vec::new();
        while !matches!(self.peek(), None | Some(Token::Sign(')' | '|'))) {
            parts.push(self.repeated(leaf)?);
        }
        if parts.is_empty() { self.refuse("a movement, or 'nothing'") } else { Ok(Expression::sequence(parts)) }
    }

    pub fn repeated<L>(&mut self, leaf: &impl Fn(&mut Self) -> Read<L>) -> Read<Expression<L>> {
        let is_step = |token| matches!(token, Some(Token::Word(word)) if word.parse::<i32>().is_ok());
        let mut expression = match self.peek() {
            Some(Token::Sign('(')) if !is_step(self.after(1)) => {
                self.at += 1;
                let inner = self.expression(leaf)?;
                self.sign(')')?;
                inner
            }
            Some(Token::Word("nothing")) => {
                self.at += 1;
                Expression::sequence([])
            }
            Some(Token::Word("never")) => {
                self.at += 1;
                Expression::choice([])
            }
            _ => Expression::Letter(leaf(self)?),
        };
        loop {
            let (least, most) = match self.peek() {
                Some(Token::Sign('*')) => (0, None),
                Some(Token::Sign('+')) => (1, None),
                Some(Token::Sign('?')) => (0, Some(1)),
                Some(Token::Sign('{')) => self.bounds()?,
                _ => return Ok(expression),
            };
            self.at += 1;
            expression = expression.repeat(least, most);
        }
    }

    /// `{2}`, `{2,}` or `{2,5}`; stops at the closing bracket.
    pub fn bounds(&mut self) -> Read<(u8, Option<u8>)> {
        const EXPECTED: &str = "how often, as in {2}, {2,} or {2,5}, at most 31 times";
        self.sign('{')?;
        let least = self.number::<u8>(EXPECTED)?;
        let most = if !self.takes(Token::Sign(',')) {
            Some(least)
        } else if self.peek() == Some(Token::Sign('}')) {
            None
        } else {
            Some(self.number::<u8>(EXPECTED)?)
        };
        let sensible = least <= MAX_REPEAT && most.is_none_or(|most| (1..=MAX_REPEAT).contains(&most) && most >= least);
        if self.peek() == Some(Token::Sign('}')) && sensible { Ok((least, most)) } else { self.refuse(EXPECTED) }
    }

    pub fn landing(&mut self) -> Read<Landing> {
        const EXPECTED: &str = "empty, own, enemy, take:own, take:enemy or take: and a piece";
        let Some(Token::Word(word)) = self.peek() else { return self.refuse(EXPECTED) };
        if let Some(seen) = seen(word) {
            self.at += 1;
            return Ok(Landing::On(seen));
        }
        if word != "take" {
            return self.refuse(EXPECTED);
        }
        self.at += 1;
        self.sign(':')?;
        let taken = match self.peek() {
            Some(Token::Word("own")) => Taken::Own,
            Some(Token::Word("enemy")) => Taken::Enemy,
            _ => return self.cell().map(|cell| Landing::Take(Taken::The(cell))),
        };
        self.at += 1;
        Ok(Landing::Take(taken))
    }

    pub fn step(&mut self) -> Read<(i8, i8)> {
        const EXPECTED: &str = "a number of squares";
        Ok((self.number(EXPECTED)?, self.number(EXPECTED)?))
    }

    pub fn atom(&mut self) -> Read<Atom> {
        const EXPECTED: &str =
            "a step as in (1 2 empty), a direction as in orthogonal(empty+), put:, vanish, on:, off: or look(..)";
        if self.takes(Token::Sign('(')) {
            let (dx, dy) = self.step()?;
            let landing = self.landing()?;
            self.sign(')')?;
            return Ok(Atom::Step { dx, dy, landing });
        }
        let Some(Token::Word(word)) = self.peek() else { return self.refuse(EXPECTED) };
        if let Some((_, directions)) = Directions::NAMED.iter().find(|(name, _)| *name == word) {
            self.at += 1;
            return self.along(*directions);
        }
        match word {
            "leap" => {
                self.at += 1;
                let a = self.number("how far the leap goes, as in leap 1,2")?;
                self.sign(',')?;
                let b = self.number("how far the leap goes, as in leap 1,2")?;
                if a > 31 || b > 31 {
                    self.at -= 1;
                    return self.refuse("leaps of at most 31 squares");
                }
                self.along(Directions::Leap(a, b))
            }
            "put" => {
                self.at += 1;
                self.sign(':')?;
                Ok(Atom::Put(self.cell()?))
            }
            "vanish" => {
                self.at += 1;
                Ok(Atom::Vanish)
            }
            "on" | "off" => {
                self.at += 1;
                self.sign(':')?;
                let Some(Token::Word(name)) = self.peek() else { return self.refuse("a zone") };
                self.at += 1;
                Ok(Atom::Zone { name: name.to_owned(), within: word == "on" })
            }
            "look" => {
                self.at += 1;
                self.sign('(')?;
                let (dx, dy) = self.step()?;
                let Some(seen) = (match self.peek() {
                    Some(Token::Word(word)) => seen(word),
                    _ => None,
                }) else {
                    return self.refuse("empty, own or enemy");
                };
                self.at += 1;
                self.sign(')')?;
                Ok(Atom::Look { dx, dy, seen })
            }
            _ => self.refuse(EXPECTED),
        }
    }

    pub fn along(&mut self, directions: Directions) -> Read<Atom> {
        self.sign('(')?;
        let path = self.expression(&Tokens::landing)?;
        self.sign(')')?;
        Ok(Atom::Along(directions, path))
    }

    /// `P or N`, or none.
    /// A number of pieces.
    pub fn count(&mut self) -> Read<u16> {
        self.number("a number of pieces that fits a board")
    }

    pub fn pieces(&mut self) -> Read<Vec<Piece>> {
        let mut pieces = Vec::new();
        loop {
            let name = match self.peek() {
                Some(Token::Word(name) | Token::Quoted(name)) => name,
                _ => return self.refuse("a piece"),
            };
            match Piece::named(name) {
                Ok(piece) => pieces.push(piece),
                Err(_) => return self.refuse("a piece"),
            }
            self.at += 1;
            if !self.takes(Token::Word("or")) {
                return Ok(pieces);
            }
        }
    }

    pub fn words(&mut self, words: &[&str]) -> Read<()> {
        words
            .iter()
            .try_for_each(|word| if self.takes(Token::Word(word)) { Ok(()) } else { self.refuse(&format!("'{word}'")) })
    }
}

fn seen(word: &str) -> Option<Seen> {
    match word {
        "empty" => Some(Seen::Empty),
        "own" => Some(Seen::Own),
        "enemy" => Some(Seen::Enemy),
        _ => None,
    }
}

impl Tokens<'_> {
    pub fn range(&mut self, several: bool, one: impl Fn(&mut Self) -> Read<u8>) -> Read<(u8, u8)> {
        let from = one(self)?;
        if !several {
            return Ok((from, from));
        }
        self.words(&["to"])?;
        Ok((from, one(self)?))
    }

    pub fn line_number(&mut self) -> Read<u8> {
        const EXPECTED: &str = "a rank from 1 to 32";
        match self.number::<u8>(EXPECTED)? {
            rank @ 1..=32 => Ok(rank - 1),
            _ => {
                self.at -= 1;
                self.refuse(EXPECTED)
            }
        }
    }

    pub fn file(&mut self) -> Read<u8> {
        let found = match self.peek() {
            Some(Token::Word(word)) => (0..32u8).find(|&file| Shape::file_name(usize::from(file)) == word),
            _ => None,
        };
        self.at += usize::from(found.is_some());
        found.map_or_else(|| self.refuse("a file from a to af"), Ok)
    }

    pub fn square(&mut self) -> Read<(u8, u8)> {
        let whole = Shape::new(32, 32).expect("the largest board");
        let found = match self.peek() {
            Some(Token::Word(word)) => whole.named(word),
            _ => None,
        };
        self.at += usize::from(found.is_some());
        found.map_or_else(
            || self.refuse("a square such as e4"),
            |square| Ok((whole.file(square) as u8, whole.rank(square) as u8)),
        )
    }
}
