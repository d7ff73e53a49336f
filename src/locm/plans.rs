//! Plans as text, as people and planners write them.
//!
//! An action a line, as in `(stack a b)`; an empty line ends a trace; `;` begins a comment. Steps may be numbered or
//! timed (`0: (stack a b)`, `0.000: (stack a b) [1.000]`): the times are not used, actions count in the order in which
//! they stand. Upper and lower case are the same, as in PDDL; names are handed out in lower case.

use super::{Action, Refused};
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

/// The longest line a plan may have, in bytes.
pub const MAX_PLAN_LINE: usize = 1 << 16;

/// Reads plans line by line; memory does not grow with them.
pub struct PlanReader<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    number: u64,
    /// The last line's action, in lower case: its text, and where its name and arguments are in it.
    text: String,
    words: Vec<(usize, usize)>,
    has_actions: bool,
    in_trace: bool,
    failed: bool,
}

/// What a line of a plan says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanLine {
    /// An action, which [`PlanReader::action`] has.
    Action,
    /// The trace ends.
    End,
}

/// A place in a plan where something else was expected.
#[derive(Debug, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct PlanError {
    /// Counted from 1.
    pub line: u64,
    /// The first wrong character of the line, counted from 1.
    pub column: usize,
    /// How many characters are wrong, at least 1.
    pub length: usize,
    /// The line, or the part of a long one around the column; what cannot be shown is replaced, character by character.
    pub text: String,
    /// Where in `text` the wrong characters are, in characters counted from 0.
    pub mark: usize,
    /// What is wrong.
    pub problem: PlanProblem,
}

/// What is wrong with a plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanProblem {
    /// The input failed, or is compressed and damaged.
    #[error("the plan cannot be read any further: {0}")]
    Input(io::Error),
    /// A line is not UTF-8.
    #[error("found the byte 0x{byte:02x}, which is not UTF-8 text, expected an action as in '(stack a b)'")]
    NotText {
        /// The first byte that is not.
        byte: u8,
    },
    /// A line is longer than any action.
    #[error("this line is longer than {MAX_PLAN_LINE} bytes, expected an action as in '(stack a b)'")]
    LongLine,
    /// There is no action.
    #[error("there is no action, expected at least one as in '(stack a b)'")]
    Empty,
    /// Something else stands there.
    #[error("found {}, expected {expected}", FoundText(.found))]
    Unexpected {
        /// What stands there; nothing at the end of the line.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// The action does not belong with the others.
    #[error(transparent)]
    Refused(Refused),
}

struct FoundText<'a>(&'a str);

impl fmt::Display for FoundText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0.is_empty() { f.write_str("the end of the line") } else { write!(f, "{:?}", self.0) }
    }
}

/// Bytes of a line, and what is wrong with them.
type PlanFault = (std::ops::Range<usize>, PlanProblem);

impl<R: Read> PlanReader<R> {
    /// Reads from anything that gives bytes; it need not be buffered.
    pub fn new(input: R) -> PlanReader<R> {
        PlanReader {
            input: BufReader::with_capacity(1 << 16, input),
            line: Vec::new(),
            number: 0,
            text: String::new(),
            words: Vec::new(),
            has_actions: false,
            in_trace: false,
            failed: false,
        }
    }

    /// Goes on to the next action or the end of a trace; `None` at the end of the input, which ends a trace too. After
    /// an error there is nothing more.
    ///
    /// # Errors
    ///
    /// [`PlanError`] with the place of what is no action.
    pub fn advance(&mut self) -> Result<Option<PlanLine>, PlanError> {
        if self.failed {
            return Ok(None);
        }
        self.try_advance().map_err(|(at, problem)| {
            self.failed = true;
            self.error(at, problem)
        })
    }

    fn try_advance(&mut self) -> Result<Option<PlanLine>, PlanFault> {
        loop {
            if !self.read_line()? {
                if !self.has_actions {
                    return Err((0..0, PlanProblem::Empty));
                }
                return Ok(std::mem::take(&mut self.in_trace).then_some(PlanLine::End));
            }
            let text = std::str::from_utf8(&self.line).map_err(|error| {
                let at = error.valid_up_to();
                (at..at + 1, PlanProblem::NotText { byte: self.line[at] })
            })?;
            if text.trim().is_empty() {
                if std::mem::take(&mut self.in_trace) {
                    return Ok(Some(PlanLine::End));
                }
            } else if read_action(text, &mut self.words)? {
                self.text.clear();
                self.text.push_str(text);
                self.text.make_ascii_lowercase();
                (self.has_actions, self.in_trace) = (true, true);
                return Ok(Some(PlanLine::Action));
            }
        }
    }

    /// Reads a line without its end; `false` if there is none.
    fn read_line(&mut self) -> Result<bool, PlanFault> {
        self.line.clear();
        self.number += 1;
        let limit = MAX_PLAN_LINE as u64 + 2;
        let read = self.input.by_ref().take(limit).read_until(b'\n', &mut self.line);
        read.map_err(|error| (0..0, PlanProblem::Input(error)))?;
        if self.line.is_empty() {
            return Ok(false);
        }
        if self.number == 1 && self.line.starts_with("\u{FEFF}".as_bytes()) {
            self.line.drain(.."\u{FEFF}".len());
        }
        while self.line.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            self.line.pop();
        }
        if self.line.len() > MAX_PLAN_LINE {
            return Err((MAX_PLAN_LINE..self.line.len(), PlanProblem::LongLine));
        }
        Ok(true)
    }

    /// The last action's name and its arguments, in lower case.
    pub fn action(&self) -> (&str, impl ExactSizeIterator<Item = &str>) {
        let word = |&(from, to): &(usize, usize)| &self.text[from..to];
        (self.words.first().map_or("", word), self.words.get(1..).unwrap_or_default().iter().map(word))
    }

    /// Reads a whole trace; `false` if there is none left.
    ///
    /// # Errors
    ///
    /// [`PlanError`] with the place of what is no action.
    pub fn read(&mut self, trace: &mut Vec<Action>) -> Result<bool, PlanError> {
        trace.clear();
        while let Some(PlanLine::Action) = self.advance()? {
            let (name, arguments) = self.action();
            trace.push(Action { name: name.to_owned(), arguments: arguments.map(str::to_owned).collect() });
        }
        Ok(!trace.is_empty())
    }

    /// Says that the last action does not belong with the others.
    pub fn refuse(&self, refused: Refused) -> PlanError {
        let &(from, to) = self.words.first().unwrap_or(&(0, 0));
        self.error(from..to, PlanProblem::Refused(refused))
    }

    fn error(&self, at: std::ops::Range<usize>, problem: PlanProblem) -> PlanError {
        const SHOWN: usize = 60;
        let line = String::from_utf8_lossy(&self.line);
        let count = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().count();
        let before = count(&self.line[..at.start]);
        let length = count(&self.line[at]).clamp(1, SHOWN);
        let total = line.chars().count();
        let (from, to) = (before.saturating_sub(SHOWN), (before + length.max(SHOWN)).min(total));
        let shown = line.chars().skip(from).take(to - from).map(|c| match c {
            '\t' => ' ',
            c if c.is_control() => char::REPLACEMENT_CHARACTER,
            c => c,
        });
        let mut text = String::new();
        text.extend((from > 0).then_some('…'));
        text.extend(shown);
        text.extend((to < total).then_some('…'));
        let mark = before - from + usize::from(from > 0);
        PlanError { line: self.number, column: before + 1, length, text, mark, problem }
    }
}

/// All traces, one after another.
impl<R: Read> Iterator for PlanReader<R> {
    type Item = Result<Vec<Action>, PlanError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut trace = Vec::new();
        match self.read(&mut trace) {
            Ok(true) => Some(Ok(trace)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

/// The places of an action's name and arguments; `false` if the line is a comment.
fn read_action(line: &str, words: &mut Vec<(usize, usize)>) -> Result<bool, PlanFault> {
    let bytes = line.as_bytes();
    let mut at = skip_spaces(bytes, 0);
    if bytes.get(at) == Some(&b';') {
        return Ok(false);
    }
    let number = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    if number > 0 {
        at = skip_spaces(bytes, at + number);
        at = expect(line, at, b':', "':' behind the number of a step, as in '0: (stack a b)'")?;
        at = skip_spaces(bytes, at);
    }
    at = expect(line, at, b'(', "an action as in '(stack a b)'")?;
    words.clear();
    loop {
        at = skip_spaces(bytes, at);
        let length = bytes[at..].iter().take_while(|byte| !is_end_of_word(**byte)).count();
        if length == 0 {
            break;
        }
        words.push((at, at + length));
        at += length;
    }
    if words.is_empty() {
        return Err(unexpected(line, at, "the name of an action"));
    }
    at = skip_spaces(bytes, expect(line, at, b')', "an argument, or ')' at the end of the action")?);
    if bytes.get(at) == Some(&b'[') {
        let inside = skip_spaces(bytes, at + 1);
        let digits = bytes[inside..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
        let expected = "how long the action takes, as in '[1.000]'";
        if digits == 0 {
            return Err(unexpected(line, inside, expected));
        }
        at = skip_spaces(bytes, expect(line, skip_spaces(bytes, inside + digits), b']', expected)?);
    }
    match bytes.get(at) {
        None | Some(b';') => Ok(true),
        Some(_) => Err(unexpected(line, at, "the end of the line, since each action has its own")),
    }
}

fn skip_spaces(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

fn is_end_of_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'[' | b']' | b';')
}

fn expect(line: &str, at: usize, byte: u8, expected: &'static str) -> Result<usize, PlanFault> {
    if line.as_bytes().get(at) == Some(&byte) { Ok(at + 1) } else { Err(unexpected(line, at, expected)) }
}

fn unexpected(line: &str, at: usize, expected: &'static str) -> PlanFault {
    let rest = &line[at..];
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let word = rest.bytes().take_while(|byte| !is_end_of_word(*byte)).count();
    let length = word.max(first);
    let found: String = rest[..length].chars().take(40).collect();
    (at..at + length, PlanProblem::Unexpected { found, expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Result<Vec<String>, PlanError> {
        let shown = |trace: Vec<Action>| trace.iter().map(Action::to_string).collect::<Vec<_>>().join("");
        PlanReader::new(text).map(|trace| trace.map(shown)).collect()
    }

    #[test]
    fn plans_of_all_kinds_are_read() {
        for (text, traces) in [
            ("(a)", &["(a)"][..]),
            ("(stack A b)\n(Put-Down a)\n\n\n(x)\n", &["(stack a b)(put-down a)", "(x)"]),
            ("; a plan\n(a b) ; why\n;\n(c)\n; cost = 2 (unit cost)\n", &["(a b)(c)"]),
            ("0: (a b)\n1: (c)\n", &["(a b)(c)"]),
            ("0.000: (drive t a b)  [1.000]\n0.001: (c) [ 2 ] ; end\n", &["(drive t a b)(c)"]),
            ("\u{feff}( a  b )\r\n \t \r\n(c)\r\n", &["(a b)", "(c)"]),
            ("(é ü)\n", &["(é ü)"]),
        ] {
            assert_eq!(read(text.as_bytes()).unwrap(), traces, "{text:?}");
        }
    }

    #[test]
    fn what_is_no_plan_is_refused_where_it_goes_wrong() {
        for (text, line, column, says) in [
            (&b""[..], 1, 1, "there is no action"),
            (b"\n; nothing\n\n", 4, 1, "there is no action"),
            (b"(a b", 1, 5, "found the end of the line, expected an argument, or ')'"),
            (b"(a (b))", 1, 4, "found \"(\", expected an argument, or ')'"),
            (b"(a b))", 1, 6, "found \")\", expected the end of the line"),
            (b"(a) (b)", 1, 5, "expected the end of the line"),
            (b"(a)\n()\n", 2, 2, "found \")\", expected the name of an action"),
            (b"(a)\nstack a b\n", 2, 1, "found \"stack\", expected an action"),
            (b"(a)\n1 (b)\n", 2, 3, "expected ':'"),
            (b"(a) [x]", 1, 6, "found \"x\", expected how long"),
            (b"(a) [1", 1, 7, "found the end of the line, expected how long"),
            (b"(a)\n(b \xff)\n", 2, 4, "0xff"),
            (b"\x89PNG\r\n", 1, 1, "0x89"),
            ("(a) é".as_bytes(), 1, 5, "found \"é\""),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!((error.line, error.column), (line, column), "{text:?} {error}");
            assert!(error.to_string().contains(says), "{text:?} {error}");
        }
        let long = [b"(a)\n(".to_vec(), vec![b'x'; 100_000]].concat();
        let error = read(&long).unwrap_err();
        assert!(matches!(error.problem, PlanProblem::LongLine), "{error}");
        assert!(error.line == 2 && error.text.chars().count() < 200);
    }
}
