//! What is said in a match over a network: the requests of the one who runs it, and a player's replies, in KIF.
//!
//! The protocol is that of general game playing competitions. Requests are read leniently, since every program that runs
//! matches writes them a little differently: keywords in any case, further arguments ignored, `nil` or `()` for no moves.

use crate::game::Term;
use crate::gdl::kif::{self, SExpr, SExprKind};
use std::fmt;

/// What the one who runs matches asks of a player. Displayed in the form in which it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `(INFO)`: who is there, and is it free?
    Info,
    /// `(PREVIEW RULES CLOCK)`: a look at the rules of a match that may come.
    Preview {
        /// The text of the rule sheet.
        rules: String,
        /// Seconds.
        clock: u64,
    },
    /// `(START ID ROLE RULES STARTCLOCK PLAYCLOCK)`: a match begins.
    Start {
        /// The match.
        id: String,
        /// The role to play.
        role: Term,
        /// The text of the rule sheet.
        rules: String,
        /// Seconds until the first move is asked for.
        start_clock: u64,
        /// Seconds for each move.
        play_clock: u64,
    },
    /// `(PLAY ID MOVES)`: this is what was played; what comes next?
    Play {
        /// The match.
        id: String,
        /// Every role's last move; `None` before the first.
        moves: Option<Vec<Term>>,
    },
    /// `(STOP ID MOVES)`: this is what was played, and the match is over.
    Stop {
        /// The match.
        id: String,
        /// Every role's last move.
        moves: Option<Vec<Term>>,
    },
    /// `(ABORT ID)`: the match is given up.
    Abort {
        /// The match.
        id: String,
    },
}

impl Request {
    /// Reads a request. Whatever the bytes are, it is read or refused.
    ///
    /// # Errors
    ///
    /// Where the bytes stop to be a request, and what was expected there.
    pub fn read(bytes: &[u8]) -> Result<Request, RequestError> {
        let text = std::str::from_utf8(bytes).map_err(|error| RequestError {
            at: error.valid_up_to(),
            reason: "found bytes that are not UTF-8, expected KIF".to_owned(),
        })?;
        let read = kif::read(text).map_err(|error| {
            let first = error.problems.into_iter().next();
            first.map_or(refuse(0, "this is not KIF"), |problem| refuse(problem.span.start, problem.message))
        })?;
        let parts = match read.into_iter().next() {
            Some(SExpr { kind: SExprKind::List(parts), .. }) => parts,
            Some(other) => return Err(refuse(other.span.start, "found a name, expected a request in brackets")),
            None => return Err(refuse(0, "found nothing, expected a request such as (INFO)")),
        };
        RequestReader { text, parts: &parts, next: 0, end: text.trim_end().len().saturating_sub(1) }.request()
    }
}

/// The most seconds that a clock may have: a day.
const MOST_SECONDS: u64 = 24 * 3600;

/// What KIF takes for space. Other spaces of Unicode are letters of names.
const SPACES: [char; 6] = [' ', '\t', '\r', '\n', '\u{b}', '\u{c}'];

/// Goes through the parts of a request.
struct RequestReader<'a> {
    text: &'a str,
    parts: &'a [SExpr<'a>],
    next: usize,
    end: usize,
}

impl<'a> RequestReader<'a> {
    fn request(mut self) -> Result<Request, RequestError> {
        const KEYWORDS: &str = "INFO, PREVIEW, START, PLAY, STOP or ABORT";
        let keyword = self.part(KEYWORDS)?;
        let SExprKind::Name(word) = &keyword.kind else {
            return Err(refuse(keyword.span.start, format!("found a list, expected {KEYWORDS}")));
        };
        Ok(match word.to_ascii_uppercase().as_str() {
            "INFO" => Request::Info,
            "PREVIEW" => Request::Preview { rules: self.rules()?, clock: self.clock("the clock")? },
            "START" => Request::Start {
                id: self.id()?,
                role: term(self.part("a role")?),
                rules: self.rules()?,
                start_clock: self.clock("the start clock")?,
                play_clock: self.clock("the play clock")?,
            },
            "PLAY" => Request::Play { id: self.id()?, moves: self.moves()? },
            "STOP" => Request::Stop { id: self.id()?, moves: self.moves()? },
            "ABORT" => Request::Abort { id: self.id()? },
            _ => {
                let found: String = word.chars().take(40).collect();
                return Err(refuse(keyword.span.start, format!("found {found:?}, expected {KEYWORDS}")));
            }
        })
    }

    fn part(&mut self, expected: &str) -> Result<&'a SExpr<'a>, RequestError> {
        let part = self
            .parts
            .get(self.next)
            .ok_or_else(|| refuse(self.end, format!("nothing is left, expected {expected}")))?;
        self.next += 1;
        Ok(part)
    }

    fn id(&mut self) -> Result<String, RequestError> {
        match self.part("the name of a match")? {
            SExpr { kind: SExprKind::Name(id), .. } => Ok((*id).to_owned()),
            list => Err(refuse(list.span.start, "found a list, expected the name of a match")),
        }
    }

    fn clock(&mut self, what: &str) -> Result<u64, RequestError> {
        let part = self.part(&format!("{what} in seconds"))?;
        let digits = match &part.kind {
            SExprKind::Name(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits,
            _ => return Err(refuse(part.span.start, format!("expected {what} in whole seconds"))),
        };
        // A number with more digits than fit is too long a time too.
        let seconds = digits.parse().ok().filter(|&seconds: &u64| seconds <= MOST_SECONDS);
        seconds.ok_or_else(|| {
            let found: String = digits.chars().take(40).collect();
            refuse(part.span.start, format!("found {what} of {found} seconds, expected at most {MOST_SECONDS}"))
        })
    }

    /// The text between the brackets around the rules.
    fn rules(&mut self) -> Result<String, RequestError> {
        let part = self.part("the rules in brackets")?;
        match part.kind {
            SExprKind::List(_) => Ok(self.text[part.span.start + 1..part.span.end - 1].trim_matches(SPACES).to_owned()),
            SExprKind::Name(_) => Err(refuse(part.span.start, "found a name, expected the rules in brackets")),
        }
    }

    /// A list of moves; any name stands for none, and so does nothing at all.
    fn moves(&mut self) -> Result<Option<Vec<Term>>, RequestError> {
        Ok(match self.parts.get(self.next).map(|part| &part.kind) {
            Some(SExprKind::List(moves)) if !moves.is_empty() => Some(moves.iter().map(term).collect()),
            _ => None,
        })
    }
}

fn term(expression: &SExpr) -> Term {
    match &expression.kind {
        SExprKind::Name(name) => Term::Name((*name).to_owned()),
        SExprKind::List(parts) => Term::List(parts.iter().map(term).collect()),
    }
}

fn refuse(at: usize, reason: impl Into<String>) -> RequestError {
    RequestError { at, reason: reason.into() }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let moves = |moves: &Option<Vec<Term>>| {
            moves.as_ref().map_or("NIL".to_owned(), |moves| Term::List(moves.clone()).to_string())
        };
        match self {
            Request::Info => f.write_str("(INFO)"),
            // A comment at the end of the rules ends with the line.
            Request::Preview { rules, clock } => write!(f, "(PREVIEW ({rules}\n) {clock})"),
            Request::Start { id, role, rules, start_clock, play_clock } => {
                write!(f, "(START {id} {role} ({rules}\n) {start_clock} {play_clock})")
            }
            Request::Play { id, moves: played } => write!(f, "(PLAY {id} {})", moves(played)),
            Request::Stop { id, moves: played } => write!(f, "(STOP {id} {})", moves(played)),
            Request::Abort { id } => write!(f, "(ABORT {id})"),
        }
    }
}

/// Bytes that are no request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: {reason}")]
pub struct RequestError {
    /// Where it goes wrong.
    pub at: usize,
    /// What was found and what was expected.
    pub reason: String,
}

/// What a player answers. Displayed as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// To INFO.
    Info {
        /// The player's name, one word.
        name: String,
        /// Whether it is in a match.
        busy: bool,
    },
    /// To START and PREVIEW.
    Ready,
    /// It cannot: it plays another match, knows no such match, or cannot make sense of the rules.
    Busy,
    /// To PLAY.
    Move(Term),
    /// To STOP.
    Done,
    /// To ABORT.
    Aborted,
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Reply::Info { name, busy } => {
                let status = if *busy { "busy" } else { "available" };
                write!(f, "((name {name}) (status {status}) (species machine))")
            }
            Reply::Ready => f.write_str("ready"),
            Reply::Busy => f.write_str("busy"),
            Reply::Move(choice) => choice.fmt(f),
            Reply::Done => f.write_str("done"),
            Reply::Aborted => f.write_str("aborted"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn requests_are_read_however_they_are_written() {
        let play = |moves: Option<&[&str]>| Request::Play {
            id: "m.1".to_owned(),
            moves: moves.map(|moves| moves.iter().map(|text| text.parse().unwrap()).collect()),
        };
        let start = Request::Start {
            id: "m.1".to_owned(),
            role: Term::name("x"),
            rules: "(role x) (<= p (q))".to_owned(),
            start_clock: 30,
            play_clock: 5,
        };
        for (text, request) in [
            ("(INFO)", Request::Info),
            ("\r\n ( info )\n", Request::Info),
            ("(info please)", Request::Info),
            ("( PLAY m.1 NIL )", play(None)),
            ("(play m.1 nil)", play(None)),
            ("(play m.1 ())", play(None)),
            ("(play m.1)", play(None)),
            ("( PLAY m.1 (noop (mark 1 2) ) )", play(Some(&["noop", "(mark 1 2)"]))),
            ("(START m.1 x ((role x) (<= p (q))) 30 5)", start.clone()),
            ("(start m.1 x (\t(role x) (<= p (q))\n) 030 5 more (arguments 1))", start.clone()),
            (
                "(Stop m.1 (a b))",
                Request::Stop { id: "m.1".to_owned(), moves: Some(vec![Term::name("a"), Term::name("b")]) },
            ),
            ("(abort m.1)", Request::Abort { id: "m.1".to_owned() }),
            ("(PREVIEW ((role x)) 9)", Request::Preview { rules: "(role x)".to_owned(), clock: 9 }),
        ] {
            assert_eq!(Request::read(text.as_bytes()), Ok(request), "{text}");
        }
    }

    #[test]
    fn what_is_no_request_is_refused_where_it_goes_wrong() {
        let brackets = "(".repeat(100_000);
        for (bytes, at, words) in [
            (&b""[..], 0, "nothing"),
            (b"ready", 0, "brackets"),
            (b"()", 1, "INFO, PREVIEW"),
            (b"((START))", 1, "found a list"),
            (b"(HELLO)", 1, "\"HELLO\""),
            (b"(START m x)", 10, "the rules"),
            (b"(START m x rules 1 1)", 11, "the rules"),
            (b"(START (m) x () 1 1)", 7, "name of a match"),
            (b"(START m x () -1 1)", 14, "start clock"),
            (b"(START m x () 1 soon)", 16, "play clock"),
            (b"(START m x () 1 1.5)", 16, "play clock"),
            (b"(START m x () 100000000000000000000 1)", 14, "at most 86400"),
            (b"(START m x () 86400 86401)", 20, "at most 86400"),
            (b"(PLAY", 0, "never closed"),
            (b"(PLAY)", 5, "name of a match"),
            (b"(PLAY m (a)))", 12, "closes nothing"),
            (b"\xff\xfe", 0, "UTF-8"),
            (b"(PLAY \xc3(", 6, "UTF-8"),
            (brackets.as_bytes(), 200, "nested"),
        ] {
            let error = Request::read(bytes).unwrap_err();
            assert_eq!(error.at, at, "{error}: {:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(40)]));
            assert!(error.to_string().contains(words), "{error}");
        }
    }

    fn a_term() -> impl Strategy<Value = Term> {
        let name = "[a-zA-Z0-9+.-]{1,4}".prop_map(Term::Name);
        name.prop_recursive(3, 8, 3, |inner| prop::collection::vec(inner, 0..4).prop_map(Term::List))
    }

    fn a_request() -> impl Strategy<Value = Request> {
        let id = || "[a-zA-Z0-9._-]{1,8}";
        // No moves at all are written as nil.
        let moves = || prop::option::of(prop::collection::vec(a_term(), 1..4));
        let rules = || {
            let rule = (a_term(), any::<bool>())
                .prop_map(|(rule, comment)| format!("{rule}{}", if comment { " ; (why" } else { "" }));
            prop::collection::vec(rule, 0..4).prop_map(|rules| rules.join("\n"))
        };
        let clock = || 0..=MOST_SECONDS;
        prop_oneof![
            Just(Request::Info),
            (rules(), clock()).prop_map(|(rules, clock)| Request::Preview { rules, clock }),
            (id(), a_term(), rules(), clock(), clock()).prop_map(|(id, role, rules, start_clock, play_clock)| {
                Request::Start { id, role, rules, start_clock, play_clock }
            }),
            (id(), moves()).prop_map(|(id, moves)| Request::Play { id, moves }),
            (id(), moves()).prop_map(|(id, moves)| Request::Stop { id, moves }),
            id().prop_map(|id| Request::Abort { id }),
        ]
    }

    proptest! {
        #[test]
        fn requests_are_written_as_they_are_read(request in a_request()) {
            prop_assert_eq!(Request::read(request.to_string().as_bytes()), Ok(request));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60), text in "[()a;\n]{0,30}") {
            for bytes in [&bytes[..], text.as_bytes(), format!("(PLAY m {text}").as_bytes()] {
                if let Err(error) = Request::read(bytes) {
                    prop_assert!(error.at <= bytes.len());
                }
            }
        }
    }
}
