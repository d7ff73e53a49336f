//! A sheet as a normal logic program: `or` and `and` expanded into clauses, terms interned, clauses in the order of their
//! strata.
//!
//! Every expansion is counted before it is made, so that no sheet makes a program that is much larger than itself.

use super::check;
use super::problem::{Problem, Severity, SheetError};
use super::sheet::{Atom, Formula, Pattern, Rule, Sheet};
use super::term::Term;
use super::terms::{Functor, MAX_TERM_LENGTH, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// A sheet that can be run, with what is odd about it.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) terms: Terms,
    pub(super) words: Keywords,
    /// The clauses that have anything to do with play.
    pub(super) clauses: Vec<Clause>,
    /// By functor.
    pub(super) relations: Vec<Relation>,
    /// The numbers of the clauses with conditions in groups that need each other, each after all that it needs.
    pub(super) groups: Vec<Vec<usize>>,
    roles: Vec<String>,
    digest: String,
    warnings: Vec<Problem>,
}

/// The relations that the language itself speaks of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keywords {
    pub role: Functor,
    pub init: Functor,
    pub holds: Functor,
    pub next: Functor,
    pub does: Functor,
    pub legal: Functor,
    pub goal: Functor,
    pub terminal: Functor,
}

impl Keywords {
    fn new(terms: &mut Terms) -> Keywords {
        let mut word = |name, arity| terms.functor(name, Some(arity));
        Keywords {
            role: word("role", 1),
            init: word("init", 1),
            holds: word("true", 1),
            next: word("next", 1),
            does: word("does", 2),
            legal: word("legal", 2),
            goal: word("goal", 2),
            terminal: word("terminal", 0),
        }
    }
}

/// What is known of a relation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Relation {
    /// Whether it is one at all, and needed for play.
    pub used: bool,
    pub phase: Phase,
}

/// What must be known to work a relation out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// Nothing: it is the same in all states.
    #[default]
    Fixed,
    /// The state.
    State,
    /// The state and the moves.
    Moves,
}

/// A head that holds if all literals do.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub head: Pat,
    pub body: Vec<Literal>,
    /// How many variables there are.
    pub variables: usize,
    /// Where the rule stands that it comes from.
    pub span: Range<usize>,
}

impl Clause {
    pub fn relation(&self) -> Functor {
        self.head.functor()
    }
}

/// A condition without `or` and `and`.
#[derive(Clone, Debug)]
pub(super) enum Literal {
    Holds(Pat, Range<usize>),
    Fails(Pat, Range<usize>),
    Distinct(Pat, Pat, Range<usize>),
    Same(Pat, Pat, Range<usize>),
}

/// A term with variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Pat {
    Variable(usize),
    Ground(TermId),
    Apply(Functor, Vec<Pat>),
}

impl Pat {
    /// Of an atom, its relation. Atoms are never kept as `Ground`.
    pub fn functor(&self) -> Functor {
        match self {
            Pat::Apply(functor, _) => *functor,
            Pat::Variable(_) | Pat::Ground(_) => unreachable!("an atom is a relation applied to things"),
        }
    }

    /// Whether some term may be what both stand for, their variables being different ones.
    pub fn may_equal(&self, other: &Pat, terms: &Terms) -> bool {
        match (self, other) {
            (Pat::Variable(_), _) | (_, Pat::Variable(_)) => true,
            (Pat::Ground(one), Pat::Ground(other)) => one == other,
            (Pat::Apply(one, parts), Pat::Apply(other, others)) => {
                one == other && parts.iter().zip(others).all(|(part, other)| part.may_equal(other, terms))
            }
            (Pat::Apply(functor, parts), Pat::Ground(ground)) | (Pat::Ground(ground), Pat::Apply(functor, parts)) => {
                let fits = |(part, &other): (&Pat, &TermId)| part.may_equal(&Pat::Ground(other), terms);
                terms.functor_of(*ground) == *functor && parts.iter().zip(terms.arguments(*ground)).all(fits)
            }
        }
    }

    pub fn variables(&self, found: &mut Vec<usize>) {
        match self {
            Pat::Variable(variable) if !found.contains(variable) => found.push(*variable),
            Pat::Variable(_) | Pat::Ground(_) => {}
            Pat::Apply(_, parts) => parts.iter().for_each(|part| part.variables(found)),
        }
    }
}

/// A rule may not come apart into more clauses than this.
const MOST_CLAUSES: usize = 4096;
/// All clauses together may not have more conditions than this.
const MOST_LITERALS: usize = 2_000_000;
/// A rule may not have more variables than this.
const MOST_VARIABLES: usize = 4096;
/// Whether to stop is looked at after so many rules.
const OFTEN: usize = 64;

impl Program {
    /// Reads, checks and prepares a sheet.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the sheet, with its places, if it cannot be run.
    ///
    /// ```
    /// use onlooker::gdl::Program;
    ///
    /// let sheet = "(role a) (init (n 1)) (legal a go) (<= (next (n 2)) (true (n 1))) (<= terminal (true (n 2))) (goal a 100)";
    /// assert_eq!(Program::read(sheet)?.roles(), ["a"]);
    /// assert!(Program::read("(legal a go)").is_err());
    /// # Ok::<(), onlooker::gdl::SheetError>(())
    /// ```
    pub fn read(text: &str) -> Result<Program, SheetError> {
        Program::read_until(text, &AtomicBool::new(false))
    }

    /// The same, but once `stop` is set it is given up soon.
    ///
    /// # Errors
    ///
    /// The same, or that it was stopped.
    pub fn read_until(text: &str, stop: &AtomicBool) -> Result<Program, SheetError> {
        let refuse = |problems| SheetError { text: text.to_owned(), problems };
        Program::new_until(&Sheet::parse_until(text, stop)?, stop).map_err(refuse)
    }

    /// Checks and prepares a sheet.
    ///
    /// # Errors
    ///
    /// All that is wrong with it if it cannot be run.
    pub fn new(sheet: &Sheet) -> Result<Program, Vec<Problem>> {
        Program::new_until(sheet, &AtomicBool::new(false))
    }

    fn new_until(sheet: &Sheet, stop: &AtomicBool) -> Result<Program, Vec<Problem>> {
        let check_stop = || if stop.load(Ordering::Relaxed) { Err(vec![Problem::stopped()]) } else { Ok(()) };
        let mut lowering = Lowering::default();
        let words = Keywords::new(&mut lowering.terms);
        for rules in sheet.rules.chunks(OFTEN) {
            rules.iter().for_each(|rule| lowering.rule(rule));
            check_stop()?;
        }
        let Lowering { terms, clauses, mut problems, .. } = lowering;
        let roles = roles(&terms, words, &clauses);
        let relations = check::relations(&terms, words, &clauses);
        check_stop()?;
        check::check(sheet, &terms, words, &clauses, &relations, &roles, stop, &mut problems);
        check_stop()?;
        problems.sort_by_key(|problem| problem.span.start);
        if problems.iter().any(|problem| problem.severity == Severity::Error) {
            return Err(problems);
        }
        let used = |clause: &Clause| relations[clause.relation().index()].used;
        let clauses: Vec<Clause> = clauses.into_iter().filter(used).collect();
        // Fewer clauses depend on each other in fewer ways than was checked.
        let groups = check::groups(&terms, &clauses, stop).ok_or_else(|| vec![Problem::stopped()])?;
        let digest = sheet.digest();
        Ok(Program { terms, words, clauses, relations, groups, roles, digest, warnings: problems })
    }

    /// The names of the roles in the order of the sheet.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The [digest](Sheet::digest) of the sheet.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// What is odd about the sheet, though it can be run.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// How many clauses play needs, after `or` was taken apart.
    pub fn clauses(&self) -> usize {
        self.clauses.len()
    }

    /// The names of the relations that play needs, with the number of their arguments.
    pub fn relations(&self) -> impl Iterator<Item = (&str, u32)> {
        let used = self.relations.iter().enumerate().filter(|(_, relation)| relation.used);
        used.map(|(functor, _)| {
            let word = self.terms.word(Functor(functor as u32));
            (word.name.as_str(), word.arity.unwrap_or(0))
        })
    }

    /// By relation with two arguments: the pairs that the sheet tells as facts.
    pub fn pairs(&self) -> BTreeMap<String, Vec<(Term, Term)>> {
        let mut pairs: BTreeMap<String, Vec<(Term, Term)>> = BTreeMap::new();
        for clause in self.clauses.iter().filter(|clause| clause.body.is_empty()) {
            if let Pat::Apply(relation, parts) = &clause.head
                && let [Pat::Ground(one), Pat::Ground(other)] = parts[..]
            {
                let name = self.terms.word(*relation).name.clone();
                pairs.entry(name).or_default().push((self.terms.term(one), self.terms.term(other)));
            }
        }
        pairs
    }

    /// How many of them are the same in all states.
    pub fn fixed_relations(&self) -> usize {
        self.relations.iter().filter(|relation| relation.used && relation.phase == Phase::Fixed).count()
    }
}

/// The roles that are told as facts. That there are no others is checked.
fn roles(terms: &Terms, words: Keywords, clauses: &[Clause]) -> Vec<String> {
    let mut roles: Vec<String> = Vec::new();
    let mut seen = FxHashSet::default();
    for clause in clauses.iter().filter(|clause| clause.relation() == words.role && clause.body.is_empty()) {
        if let Pat::Apply(_, parts) = &clause.head
            && let [Pat::Ground(role)] = parts[..]
            && seen.insert(role)
        {
            roles.push(terms.term(role).to_string());
        }
    }
    roles
}

#[derive(Default)]
struct Lowering {
    terms: Terms,
    clauses: Vec<Clause>,
    /// How many conditions they have, their heads counted too.
    literals: usize,
    problems: Vec<Problem>,
}

/// The variables of a rule, numbered as they come.
type Variables = FxHashMap<String, usize>;

impl Lowering {
    fn rule(&mut self, rule: &Rule) {
        // That the whole is too large was reported with the rule that made it so.
        if self.literals > MOST_LITERALS {
            return;
        }
        let mut variables = Variables::default();
        let head = self.atom(&rule.head, &mut variables);
        let mut bodies: Vec<Vec<Literal>> = vec![Vec::new()];
        for formula in &rule.body {
            let ways = self.ways(formula, false, &mut variables);
            if ways.and_then(|ways| multiply(&mut bodies, ways)).is_none() {
                let message = format!("the rule comes apart into more than {MOST_CLAUSES} rules without 'or'");
                self.problems.push(Problem::error(
                    rule.span.clone(),
                    message,
                    "name a part of it by a rule of its own",
                ));
                return;
            }
        }
        if variables.len() > MOST_VARIABLES {
            let message = format!("the rule has {} variables, expected at most {MOST_VARIABLES}", variables.len());
            self.problems.push(Problem::error(rule.span.clone(), message, "name a part of it by a rule of its own"));
            return;
        }
        self.literals += bodies.iter().map(|body| body.len() + 1).sum::<usize>();
        if self.literals > MOST_LITERALS {
            let message = format!("the rules have more than {MOST_LITERALS} conditions once 'or' is taken apart");
            self.problems.push(Problem::error(rule.span.clone(), message, "name parts of them by rules of their own"));
            return;
        }
        for body in bodies {
            let clause = Clause { head: head.clone(), body, variables: variables.len(), span: rule.span.clone() };
            self.clauses.push(renumbered(clause));
        }
    }

    /// The ways in which a formula can hold (or fail, if denied): each a list of literals. `None` if there are too many.
    fn ways(&mut self, formula: &Formula, denied: bool, variables: &mut Variables) -> Option<Vec<Vec<Literal>>> {
        Some(match formula {
            Formula::Not(inner) => return self.ways(inner, !denied, variables),
            Formula::Atom(atom) => {
                let pat = self.atom(atom, variables);
                let literal = if denied { Literal::Fails } else { Literal::Holds };
                vec![vec![literal(pat, atom.span.clone())]]
            }
            Formula::Distinct(one, other, span) => {
                let (one, other) = (self.pattern(one, variables), self.pattern(other, variables));
                let literal = if denied { Literal::Same } else { Literal::Distinct };
                vec![vec![literal(one, other, span.clone())]]
            }
            Formula::And(parts) | Formula::Or(parts) => {
                let all = matches!(formula, Formula::And(_)) != denied;
                let mut ways = if all { vec![Vec::new()] } else { Vec::new() };
                for part in parts {
                    let part = self.ways(part, denied, variables)?;
                    if all { multiply(&mut ways, part)? } else { ways.extend(part) }
                }
                if ways.len() > MOST_CLAUSES {
                    return None;
                }
                ways
            }
        })
    }

    fn atom(&mut self, atom: &Atom, variables: &mut Variables) -> Pat {
        if length(&atom.relation, &atom.arguments) > usize::from(MAX_TERM_LENGTH) {
            let message = format!("found more than {MAX_TERM_LENGTH} characters in one condition or fact");
            self.problems.push(Problem::error(atom.span.clone(), message, "say it with several shorter ones"));
        }
        let functor = self.terms.functor(&atom.relation, Some(atom.arguments.len() as u32));
        Pat::Apply(functor, atom.arguments.iter().map(|part| self.pattern(part, variables)).collect())
    }

    fn pattern(&mut self, pattern: &Pattern, variables: &mut Variables) -> Pat {
        let next = variables.len();
        match pattern {
            Pattern::Variable(name) => Pat::Variable(*variables.entry(name.clone()).or_insert(next)),
            Pattern::Name(name) => {
                let functor = self.terms.functor(name, None);
                Pat::Ground(self.terms.intern(functor, &[]))
            }
            Pattern::Compound(name, parts) => {
                let functor = self.terms.functor(name, Some(parts.len() as u32));
                let parts: Vec<Pat> = parts.iter().map(|part| self.pattern(part, variables)).collect();
                let ground = |part: &Pat| if let Pat::Ground(term) = part { Some(*term) } else { None };
                match parts.iter().map(ground).collect::<Option<Vec<TermId>>>() {
                    Some(arguments) => Pat::Ground(self.terms.intern(functor, &arguments)),
                    None => Pat::Apply(functor, parts),
                }
            }
        }
    }
}

/// How many characters a name applied to things has when it is written.
fn length(name: &str, parts: &[Pattern]) -> usize {
    let part = |part: &Pattern| match part {
        Pattern::Variable(name) | Pattern::Name(name) => name.len(),
        Pattern::Compound(name, parts) => length(name, parts),
    };
    2 + name.len() + parts.iter().map(|pattern| 1 + part(pattern)).sum::<usize>()
}

/// All ways in which one of the left and one of the right hold together, in place of the left; `None` if they are too many.
fn multiply(left: &mut Vec<Vec<Literal>>, right: Vec<Vec<Literal>>) -> Option<()> {
    let total = |ways: &[Vec<Literal>]| ways.iter().map(Vec::len).sum::<usize>();
    let literals = total(left).saturating_mul(right.len()).saturating_add(total(&right).saturating_mul(left.len()));
    if left.len().saturating_mul(right.len()) > MOST_CLAUSES || literals > MOST_LITERALS {
        return None;
    }
    if let [only] = &right[..] {
        left.iter_mut().for_each(|way| way.extend_from_slice(only));
    } else {
        let both = |one: &Vec<Literal>| right.iter().map(|other| [one.as_slice(), other].concat()).collect::<Vec<_>>();
        *left = left.iter().flat_map(both).collect();
    }
    Some(())
}

/// The clause with its variables numbered without gaps: those of another branch of an `or` do not count.
fn renumbered(mut clause: Clause) -> Clause {
    let mut found = Vec::new();
    clause.head.variables(&mut found);
    for literal in &clause.body {
        match literal {
            Literal::Holds(pat, _) | Literal::Fails(pat, _) => pat.variables(&mut found),
            Literal::Distinct(one, other, _) | Literal::Same(one, other, _) => {
                one.variables(&mut found);
                other.variables(&mut found);
            }
        }
    }
    let mut numbers = vec![0; clause.variables];
    found.iter().enumerate().for_each(|(number, &variable)| numbers[variable] = number);
    rename(&mut clause.head, &numbers);
    for literal in &mut clause.body {
        match literal {
            Literal::Holds(pat, _) | Literal::Fails(pat, _) => rename(pat, &numbers),
            Literal::Distinct(one, other, _) | Literal::Same(one, other, _) => {
                rename(one, &numbers);
                rename(other, &numbers);
            }
        }
    }
    clause.variables = found.len();
    clause
}

fn rename(pat: &mut Pat, numbers: &[usize]) {
    match pat {
        Pat::Variable(variable) => *variable = numbers[*variable],
        Pat::Ground(_) => {}
        Pat::Apply(_, parts) => parts.iter_mut().for_each(|part| rename(part, numbers)),
    }
}
