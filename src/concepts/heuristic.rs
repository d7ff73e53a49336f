//! Heuristics: rules that add up to what a position is worth for a role, as data and as text.

use super::concept::Concept;
use super::literal::{Literal, Quoted, write_body};
use std::fmt;

/// What a file of rules says: for each role what positions are worth, the concepts that were found, and what it all was learnt from.
///
/// ```
/// use onlooker::concepts::Heuristic;
///
/// let text = "
/// concepts(1).
/// game('tic-tac-toe').
/// sum(frequencies).
/// learnt(playouts, 20000).
///
/// concept1 :- cell(X0,X1,X2), cell(X0,X1+1,X2).
///
/// role(o).
/// evaluation(0.238) :- cell(3,1,o), cell(2,2,o).
/// ";
/// let heuristic = Heuristic::parse(text).unwrap();
/// assert_eq!(heuristic.roles[0].rules[0].value, 0.238);
/// assert_eq!(Heuristic::parse(&heuristic.to_string()).unwrap(), heuristic);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Heuristic {
    /// The game that it was learnt from.
    pub game: String,
    /// What the sums of values mean.
    pub sum: Sum,
    /// What it was learnt from and how, in pairs of what and how much.
    pub learnt: Vec<(String, String)>,
    /// The concepts that were found.
    pub concepts: Vec<Concept>,
    /// The rules, a function for each role.
    pub roles: Vec<RoleRules>,
}

/// What the values of the rules that match add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sum {
    /// Frequencies in won games, as in the paper: more is better, and nothing else is said.
    Frequencies,
    /// The logarithm of the odds that the role wins, after a move of its own.
    Odds,
}

/// The function of a role.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleRules {
    /// The role's name.
    pub role: String,
    /// Its rules.
    pub rules: Vec<Rule>,
}

/// One rule: every way in which its body matches a position adds its value. Without a body it always does.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// What it adds.
    pub value: f64,
    /// What has to hold.
    pub body: Vec<Literal>,
    /// What it rests on, for people; one line, perhaps empty.
    pub note: String,
}

impl Heuristic {
    /// The version of the text that is written, and the newest that is read.
    pub const VERSION: u64 = 1;
    /// The largest value that a rule may have, for or against.
    pub const MOST_VALUE: f64 = 1e6;

    /// What something it was learnt from is, by its name.
    pub fn learnt(&self, what: &str) -> Option<&str> {
        self.learnt.iter().find(|(name, _)| name == what).map(|(_, value)| value.as_str())
    }

    /// How many rules there are for all roles together.
    pub fn rule_count(&self) -> usize {
        self.roles.iter().map(|role| role.rules.len()).sum()
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Sum::Frequencies => "frequencies",
            Sum::Odds => "odds",
        })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "evaluation({})", self.value)?;
        if !self.body.is_empty() {
            f.write_str(" :- ")?;
            write_body(f, &self.body)?;
        }
        f.write_str(".")?;
        if self.note.is_empty() { Ok(()) } else { write!(f, "  % {}", self.note) }
    }
}

/// Value and note of something it was learnt from: a number stands as it is.
struct Datum<'a>(&'a str);

impl fmt::Display for Datum<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let digits = self.0.len() < 18 && !self.0.is_empty() && self.0.bytes().all(|byte| byte.is_ascii_digit());
        if digits && (self.0 == "0" || !self.0.starts_with('0')) { f.write_str(self.0) } else { Quoted(self.0).fmt(f) }
    }
}

/// The text that [`Heuristic::parse`] reads.
impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "% Heuristics learnt by Onlooker. Every way in which a rule's body matches a position adds its value."
        )?;
        writeln!(f, "concepts({}).", Heuristic::VERSION)?;
        writeln!(f, "game({}).", Quoted(&self.game))?;
        writeln!(f, "sum({}).", self.sum)?;
        for (what, value) in &self.learnt {
            writeln!(f, "learnt({}, {}).", Quoted(what), Datum(value))?;
        }
        for (at, concept) in self.concepts.iter().enumerate() {
            let gap = if at == 0 { "\n" } else { "" };
            writeln!(f, "{gap}concept{} :- {concept}.", at + 1)?;
        }
        for role in &self.roles {
            writeln!(f, "\nrole({}).", Quoted(&role.role))?;
            role.rules.iter().try_for_each(|rule| writeln!(f, "{rule}"))?;
        }
        Ok(())
    }
}
