//! The text form of a library: the system, and each rule with its proof. A person can read and edit it; the checker says whether it still holds.
//!
//! ```text
//! tactics 1
//! game tic-tac-toe
//! learnt losses 2
//! system tic-tac-toe
//! ...
//! recognise win-1-1
//!   depth 1 proved
//!   if count(<window1>,<player>,2) in(<window1>,<square1>) is-empty(<square1>)
//!   move input-move(<square1>,<player>)
//!   proof win <square1>
//!   from game-3:8
//! ```
//!
//! A rule for an event other than a win says so below its name: `for queen`. A proof may end with `at-once <move2> end`: some move wins at once, and these are
//! looked at first.

use super::language::{Argument, Description, Names};
use super::library::Library;
use super::proof::Proof;
use super::recognition::{RecognitionRule, Status};
use super::syntax::{TacticsError, TacticsProblem, Token, Tokens, Variables, shortened, show_argument, show_literal};
use super::system::UpdateSystem;
use std::fmt::{self, Write};

/// A library with its system, and what it was learnt from.
///
/// ```
/// use onlooker::tactics::{RuleFile, UpdateSystem, in_line_system};
///
/// let system = UpdateSystem::parse(&in_line_system("tic-tac-toe", ["x", "o"], 3, 3, 3, false))?;
/// let file = RuleFile::new("tic-tac-toe", system);
/// assert_eq!(RuleFile::parse(&file.to_string())?.to_string(), file.to_string());
/// # Ok::<(), onlooker::tactics::TacticsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFile {
    /// The game, as it is given on the command line.
    pub game: String,
    /// What it was learnt from.
    pub learnt: Vec<(String, String)>,
    /// The game as features.
    pub system: UpdateSystem,
    /// The rules.
    pub library: Library,
}

/// Deeper proofs are refused, so that no text exhausts the stack.
const MOST_DEPTH: u32 = 64;

impl RuleFile {
    /// No rules yet.
    pub fn new(game: &str, system: UpdateSystem) -> RuleFile {
        RuleFile { game: game.to_owned(), learnt: Vec::new(), system, library: Library::default() }
    }

    /// Reads the text form.
    ///
    /// # Errors
    ///
    /// The text is no file of rules: where, what was found and what was expected.
    pub fn parse(text: &str) -> Result<RuleFile, TacticsError> {
        let refuse = |problem: TacticsProblem| TacticsError { text: text.to_owned(), problems: vec![problem] };
        let (mut game, mut learnt, mut at, mut titled) = (None, Vec::new(), 0, false);
        for line in text.split_inclusive('\n') {
            let (span, words) = (at..at + line.trim_end().len(), line.trim());
            if words.split(' ').next() == Some("system") {
                break;
            }
            at += line.len();
            if words.is_empty() || words.starts_with(';') {
                continue;
            }
            let (key, rest) = words.split_once(' ').unwrap_or((words, ""));
            match (titled, key) {
                (false, "tactics") if rest == "1" => titled = true,
                (false, _) => {
                    return Err(refuse(TacticsProblem::new(
                        span,
                        format!("found {:?}, expected \"tactics 1\"", shortened(words)),
                    )));
                }
                (true, "game") if !rest.is_empty() && game.is_none() => game = Some(rest.to_owned()),
                (true, "learnt") => {
                    let (what, value) = rest.split_once(' ').unwrap_or((rest, ""));
                    learnt.push((what.to_owned(), value.to_owned()));
                }
                _ => {
                    return Err(refuse(TacticsProblem::new(
                        span,
                        format!("found {:?}, expected 'game', 'learnt' or 'system'", shortened(words)),
                    )));
                }
            }
        }
        let end = text.trim_end().len().min(at)..text.trim_end().len().min(at);
        let missing = |what: &str| {
            refuse(TacticsProblem::new(end.clone(), format!("found no {what}, expected it before 'system'")))
        };
        if !titled {
            return Err(missing("line \"tactics 1\""));
        }
        let game = game.ok_or_else(|| missing("line with the game"))?;
        // The lines above become blank, so that places stay what they are.
        let blank: String = text[..at]
            .chars()
            .flat_map(|c| std::iter::repeat_n(if c == '\n' { '\n' } else { ' ' }, c.len_utf8()))
            .collect();
        let rest = blank + &text[at..];
        let mut tokens = Tokens::new(&rest).map_err(refuse)?;
        let mut system = UpdateSystem::parse_until(&mut tokens, "recognise").map_err(refuse)?;
        system.text = text[at..tokens.span().start.max(at)].trim_end().to_owned() + "\n";
        let mut library = Library::default();
        while tokens.peek() != Token::End {
            let rule = read_rule(&mut tokens, &mut system, &library).map_err(refuse)?;
            library.rules.push(rule);
        }
        Ok(RuleFile { game, learnt, system, library })
    }
}

fn keyword(tokens: &mut Tokens, word: &str) -> Result<(), TacticsProblem> {
    if tokens.take(word) { Ok(()) } else { Err(tokens.unexpected(&format!("{word:?}"))) }
}

fn read_rule(
    tokens: &mut Tokens,
    system: &mut UpdateSystem,
    library: &Library,
) -> Result<RecognitionRule, TacticsProblem> {
    keyword(tokens, "recognise")?;
    let span = tokens.span();
    let name = tokens.word("the rule's name")?.to_owned();
    if library.rules.iter().any(|rule| rule.name == name) {
        return Err(TacticsProblem::new(span, format!("found rule {name:?} again, expected another name")));
    }
    let mut event = None;
    if tokens.take("for") {
        let span = tokens.span();
        let found = tokens.word("the event that the rule brings about")?;
        let known = system.find_event(found).map(|event| event.name);
        event = Some(known.ok_or_else(|| {
            let names: Vec<&str> = system.events.iter().map(|event| system.names.text(event.name)).collect();
            let expected = if names.is_empty() { "one, but the system has none".to_owned() } else { names.join(", ") };
            TacticsProblem::new(span, format!("found event {found:?}, expected {expected}"))
        })?);
    }
    keyword(tokens, "depth")?;
    let depth = tokens.number(1, MOST_DEPTH as usize)? as u32;
    let status = match tokens.peek() {
        Token::Word("proved") => Status::Proved,
        Token::Word("per-position") => Status::PerPosition,
        Token::Word("unproved") => Status::Unproved,
        _ => return Err(tokens.unexpected("'proved', 'per-position' or 'unproved'")),
    };
    tokens.next();
    keyword(tokens, "if")?;
    let mut variables = Variables::default();
    let mut condition = Description::default();
    while tokens.at_literal() {
        let not_equals = tokens.peek() == Token::Word("not-equals");
        let (literal, span) = tokens.literal(&mut system.names, &mut variables)?;
        match (&literal.arguments[..], not_equals) {
            (&[a, b], true) => condition.differ(a, b),
            (_, true) => return Err(TacticsProblem::new(span, "found other arguments, expected not-equals(A,B)")),
            (_, false) => match system.misfit(&literal) {
                Some(message) => return Err(TacticsProblem::new(span, message)),
                None => condition.add(literal),
            },
        }
    }
    keyword(tokens, "move")?;
    let (input, span) = tokens.literal(&mut system.names, &mut variables)?;
    if input.predicate != system.input_move || system.misfit(&input).is_some() {
        return Err(TacticsProblem::new(span, "found another literal, expected input-move(SQUARE,PLAYER)"));
    }
    let bound = |argument: Argument| match argument {
        Argument::Variable(variable) => condition.variables().contains(&variable),
        Argument::Object(_) => true,
    };
    if !input.arguments.iter().all(|&argument| bound(argument)) {
        return Err(TacticsProblem::new(
            span,
            "found a variable that the rule's 'if' does not bind, expected one that it does",
        ));
    }
    let mut proof = None;
    if tokens.take("proof") {
        let span = tokens.span();
        let read = read_proof(tokens, &mut system.names, &mut variables, MOST_DEPTH)?;
        if !read.arguments().iter().all(|&argument| bound(argument)) {
            return Err(TacticsProblem::new(
                span,
                "found a variable in the proof that the rule's 'if' does not bind, expected one that it does",
            ));
        }
        proof = Some(read);
    }
    if proof.is_none() && status != Status::Unproved {
        return Err(tokens.unexpected("'proof', since the rule is said to be proved"));
    }
    let learnt = if tokens.take("from") { tokens.word("where the rule was learnt")?.to_owned() } else { String::new() };
    let (square, player) = (input.arguments[0], input.arguments[1]);
    Ok(RecognitionRule { name, condition, square, player, event, depth, proof, status, variables: variables.0, learnt })
}

fn read_proof(
    tokens: &mut Tokens,
    names: &mut Names,
    variables: &mut Variables,
    depth: u32,
) -> Result<Proof, TacticsProblem> {
    if depth == 0 {
        return Err(tokens.unexpected(&format!("a proof of at most {MOST_DEPTH} moves")));
    }
    if tokens.take("win") {
        return Ok(Proof::Win(tokens.argument(names, variables)?));
    }
    if tokens.take("at-once") {
        let mut squares = Vec::new();
        while !tokens.take("end") {
            squares.push(tokens.argument(names, variables)?);
        }
        return Ok(Proof::AtOnce(squares));
    }
    if !tokens.take("play") {
        return Err(tokens.unexpected("'win', 'at-once' or 'play'"));
    }
    let square = tokens.argument(names, variables)?;
    let (mut replies, mut otherwise) = (Vec::new(), None);
    while tokens.take("reply") {
        let reply = tokens.argument(names, variables)?;
        replies.push((reply, read_proof(tokens, names, variables, depth - 1)?));
    }
    if tokens.take("otherwise") {
        otherwise = Some(Box::new(read_proof(tokens, names, variables, depth - 1)?));
    }
    if !tokens.take("end") {
        return Err(tokens.unexpected("'reply', 'otherwise' or 'end'"));
    }
    Ok(Proof::Play { square, replies, otherwise })
}

impl fmt::Display for RuleFile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let one_line = |text: &str| text.replace(['\n', '\r'], " ");
        writeln!(f, "tactics 1")?;
        writeln!(
            f,
            "; Winning combinations: what to recognise, what to play, and why it wins. Lines after ';' are comments."
        )?;
        writeln!(f, "game {}", one_line(&self.game))?;
        for (what, value) in &self.learnt {
            writeln!(f, "learnt {} {}", one_line(what).replace(' ', "-"), one_line(value))?;
        }
        // Comments above the system's first line stay with the text that it came from.
        let lines = self.system.text.lines().skip_while(|line| line.split_whitespace().next() != Some("system"));
        writeln!(f, "{}", lines.collect::<Vec<_>>().join("\n").trim_end())?;
        self.library.rules.iter().try_for_each(|rule| write!(f, "\n{}", show_rule(&self.system, rule)))
    }
}

/// A rule as it is written.
pub fn show_rule(system: &UpdateSystem, rule: &RecognitionRule) -> String {
    let (names, variables) = (&system.names, &rule.variables);
    let argument = |argument: Argument| show_argument(names, variables, argument);
    let status = match rule.status {
        Status::Proved => "proved",
        Status::PerPosition => "per-position",
        Status::Unproved => "unproved",
    };
    let event = rule.event.map_or_else(String::new, |event| format!("  for {}\n", names.text(event)));
    let mut text = format!("recognise {}\n{event}  depth {} {status}\n  if", rule.name, rule.depth);
    let mut column = 4;
    let pairs = rule.condition.unequal.iter().map(|&(a, b)| format!("not-equals({},{})", argument(a), argument(b)));
    for literal in rule.condition.literals.iter().map(|literal| show_literal(names, variables, literal)).chain(pairs) {
        if column + literal.len() > 110 {
            text.push_str("\n    ");
            column = 4;
        }
        column += literal.len() + 1;
        let _ = write!(text, " {literal}");
    }
    let _ = write!(text, "\n  move input-move({},{})\n", argument(rule.square), argument(rule.player));
    if let Some(proof) = &rule.proof {
        let _ = write!(text, "  proof ");
        show_proof(&mut text, &argument, proof, 4);
        text.push('\n');
    }
    if !rule.learnt.is_empty() {
        let _ = writeln!(text, "  from {}", rule.learnt);
    }
    text
}

/// The literals of a description as they are written; variables that have no name get a number.
pub fn show_description(system: &UpdateSystem, description: &Description) -> Vec<String> {
    let argument = |argument: Argument| show_argument(&system.names, &[], argument);
    let pairs = description.unequal.iter().map(|&(a, b)| format!("not-equals({},{})", argument(a), argument(b)));
    description.literals.iter().map(|literal| show_literal(&system.names, &[], literal)).chain(pairs).collect()
}

fn show_proof(text: &mut String, argument: &dyn Fn(Argument) -> String, proof: &Proof, indent: usize) {
    match proof {
        Proof::Win(square) => {
            let _ = write!(text, "win {}", argument(*square));
        }
        Proof::AtOnce(squares) => {
            let _ = write!(text, "at-once");
            for &square in squares {
                let _ = write!(text, " {}", argument(square));
            }
            let _ = write!(text, " end");
        }
        Proof::Play { square, replies, otherwise } => {
            let _ = write!(text, "play {}", argument(*square));
            for (reply, proof) in replies {
                let _ = write!(text, "\n{:indent$}reply {} ", "", argument(*reply));
                show_proof(text, argument, proof, indent + 2);
            }
            if let Some(proof) = otherwise {
                let _ = write!(text, "\n{:indent$}otherwise ", "");
                show_proof(text, argument, proof, indent + 2);
            }
            let _ = write!(text, "\n{:indent$}end", "");
        }
    }
}
