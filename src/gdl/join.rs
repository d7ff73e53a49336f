//! Clauses as plans: in which order to look for their conditions, and how.

use super::database::{Database, IndexId, Key, Path, mix, no_values};
use super::program::{Clause, Literal, Pat};
use super::terms::{Functor, TermId, Terms};

/// How to find all the ways in which a clause's conditions hold, perhaps with one of them given.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The condition that is given, as a pattern to be matched first.
    given: Option<Match>,
    steps: Vec<Step>,
    pub head: Pat,
    /// Whether the head has no variables.
    pub is_ground: bool,
    variables: usize,
}

#[derive(Clone, Debug)]
enum Step {
    /// Look for atoms that fit.
    Find { literal: usize, index: IndexId, values: Vec<Pat>, pattern: Match },
    /// All is known: does the atom hold?
    Holds { literal: usize, pat: Pat },
    /// All is known: does it fail? What is `open` may fail or not, and is only noted.
    Fails { literal: usize, pat: Pat, open: bool },
    /// Are these not the same, or the same?
    Compare { one: Pat, other: Pat, equal: bool },
}

/// A pattern as it is matched when some variables are known.
#[derive(Clone, Debug)]
enum Match {
    Bind(usize),
    Equal(usize),
    Ground(TermId),
    Apply(Functor, Vec<Match>),
}

/// What a relation is like, as far as plans care.
pub(super) struct Hints<'a> {
    /// Relations whose denials cannot be decided yet.
    pub open: &'a dyn Fn(Functor) -> bool,
}

impl Plan {
    /// Plans a clause. `given` is the number of the literal that is given.
    pub fn new(clause: &Clause, given: Option<usize>, hints: &Hints, terms: &Terms, database: &mut Database) -> Plan {
        let mut known = vec![false; clause.variables];
        let mut left: Vec<usize> = (0..clause.body.len()).filter(|&literal| Some(literal) != given).collect();
        let given = given.map(|literal| match &clause.body[literal] {
            Literal::Holds(pat, _) => matcher(pat, &mut known),
            _ => unreachable!("only what holds can be given"),
        });
        let mut steps = Vec::new();
        while !left.is_empty() {
            // Tests first: they only make less.
            let ready = |literal: &Literal| match literal {
                Literal::Holds(pat, _) | Literal::Fails(pat, _) => is_known(pat, &known),
                Literal::Distinct(one, other, _) | Literal::Same(one, other, _) => {
                    is_known(one, &known) && is_known(other, &known)
                }
            };
            if let Some(at) = left.iter().position(|&literal| ready(&clause.body[literal])) {
                let literal = left.remove(at);
                steps.push(match &clause.body[literal] {
                    Literal::Holds(pat, _) => Step::Holds { literal, pat: pat.clone() },
                    Literal::Fails(pat, _) => {
                        Step::Fails { literal, pat: pat.clone(), open: (hints.open)(pat.functor()) }
                    }
                    Literal::Distinct(one, other, _) => {
                        Step::Compare { one: one.clone(), other: other.clone(), equal: false }
                    }
                    Literal::Same(one, other, _) => {
                        Step::Compare { one: one.clone(), other: other.clone(), equal: true }
                    }
                });
                continue;
            }
            let mut costs: Vec<(f64, usize)> = Vec::new();
            for &literal in &left {
                if let Literal::Holds(pat, _) = &clause.body[literal] {
                    costs.push((cost(pat, &known, terms, database), literal));
                }
            }
            let cheapest = costs.into_iter().min_by(|one, other| one.0.total_cmp(&other.0));
            // Checked clauses bind all variables by what holds, so that tests are never all that is left.
            let (_, literal) = cheapest.expect("unbound variables were refused");
            left.retain(|&other| other != literal);
            let Literal::Holds(pat, _) = &clause.body[literal] else { unreachable!("unbound variables were refused") };
            let (mut key, mut values) = (Key::default(), Vec::new());
            if let Pat::Apply(_, parts) = pat {
                key_of(parts, &known, &mut Path::new(), &mut key, &mut values);
            }
            let index = database.index(terms, pat.functor(), key);
            let pattern = matcher(pat, &mut known);
            steps.push(Step::Find { literal, index, values, pattern });
        }
        let is_ground = is_known(&clause.head, &vec![false; clause.variables]);
        Plan { given, steps, head: clause.head.clone(), is_ground, variables: clause.variables }
    }
}

/// How many atoms a search for a pattern is guessed to find: those there are, shared out evenly among the different values
/// at each known place.
fn cost(pat: &Pat, known: &[bool], terms: &Terms, database: &mut Database) -> f64 {
    let (mut key, mut values) = (Key::default(), Vec::new());
    if let Pat::Apply(_, parts) = pat {
        key_of(parts, known, &mut Path::new(), &mut key, &mut values);
    }
    let (size, shares) = database.spread(terms, pat.functor(), &key);
    // Nothing there may only mean that nothing is there yet.
    let size = if size == 0 { GUESSED_SIZE } else { size as f64 };
    shares.iter().fold(size, |size, &share| size / share.max(GUESSED_SHARE) as f64)
}

/// How many atoms a relation is supposed to have of which none is known yet, and how many different values a place.
const GUESSED_SIZE: f64 = 100.0;
const GUESSED_SHARE: usize = 2;

fn is_known(pat: &Pat, known: &[bool]) -> bool {
    match pat {
        Pat::Variable(variable) => known[*variable],
        Pat::Ground(_) => true,
        Pat::Apply(_, parts) => parts.iter().all(|part| is_known(part, known)),
    }
}

fn key_of(parts: &[Pat], known: &[bool], path: &mut Path, key: &mut Key, values: &mut Vec<Pat>) {
    for (place, part) in parts.iter().enumerate() {
        path.push(place as u16);
        if is_known(part, known) {
            key.values.push(path.clone());
            values.push(part.clone());
        } else if let Pat::Apply(functor, parts) = part {
            key.functors.push((path.clone(), *functor));
            key_of(parts, known, path, key, values);
        }
        path.pop();
    }
}

fn matcher(pat: &Pat, known: &mut [bool]) -> Match {
    match pat {
        Pat::Variable(variable) if std::mem::replace(&mut known[*variable], true) => Match::Equal(*variable),
        Pat::Variable(variable) => Match::Bind(*variable),
        Pat::Ground(term) => Match::Ground(*term),
        Pat::Apply(functor, parts) => Match::Apply(*functor, parts.iter().map(|part| matcher(part, known)).collect()),
    }
}

/// Carries plans out.
#[derive(Debug, Default)]
pub(super) struct Joiner {
    bindings: Vec<TermId>,
    /// The atom that each literal was matched with; those of comparisons mean nothing.
    pub matched: Vec<TermId>,
    /// An atom that may not be used for literals before the given one, so that no way is found twice.
    skip: Option<(TermId, usize)>,
    /// How many atoms were looked at.
    pub work: u64,
    spare: Vec<Vec<TermId>>,
}

impl Joiner {
    /// Calls `found` for each way in which a plan's conditions hold, until it says that it is enough; then `false`.
    ///
    /// With `given`, the number of the literal and its atom, only the ways with that atom there and not at any literal
    /// before it.
    pub fn run(
        &mut self,
        plan: &Plan,
        given: Option<(usize, TermId)>,
        terms: &mut Terms,
        database: &Database,
        found: &mut dyn FnMut(&mut Joiner, &mut Terms) -> bool,
    ) -> bool {
        self.bindings.clear();
        self.bindings.resize(plan.variables, TermId(0));
        self.skip = None;
        let needed = plan.steps.len() + 1;
        if self.matched.len() < needed {
            self.matched.resize(needed, TermId(0));
        }
        if let (Some((literal, atom)), Some(pattern)) = (given, &plan.given) {
            self.work += 1;
            if !self.fits(terms, pattern, atom) {
                return true;
            }
            self.matched[literal] = atom;
            self.skip = Some((atom, literal));
        }
        self.step(plan, 0, terms, database, found)
    }

    fn step(
        &mut self,
        plan: &Plan,
        at: usize,
        terms: &mut Terms,
        database: &Database,
        found: &mut dyn FnMut(&mut Joiner, &mut Terms) -> bool,
    ) -> bool {
        let Some(step) = plan.steps.get(at) else { return found(self, terms) };
        match step {
            Step::Find { literal, index, values, pattern } => {
                let mut hash = no_values();
                for value in values {
                    // A value that is nowhere in the store is in no atom either.
                    let Some(value) = self.find(terms, value) else { return true };
                    hash = mix(hash, value);
                }
                let mut next = database.first(*index, hash);
                while next != 0 {
                    let (atom, before) = database.entry(*index, next);
                    next = before;
                    self.work += 1;
                    let skipped = self.skip.is_some_and(|(skip, given)| skip == atom && *literal < given);
                    if !skipped && self.fits(terms, pattern, atom) {
                        self.matched[*literal] = atom;
                        if !self.step(plan, at + 1, terms, database, found) {
                            return false;
                        }
                    }
                }
                true
            }
            Step::Holds { literal, pat } => {
                self.work += 1;
                let atom = self.find(terms, pat).filter(|&atom| database.contains(atom));
                let skip = self.skip;
                match atom.filter(|&atom| !skip.is_some_and(|(skip, given)| skip == atom && *literal < given)) {
                    Some(atom) => {
                        self.matched[*literal] = atom;
                        self.step(plan, at + 1, terms, database, found)
                    }
                    None => true,
                }
            }
            Step::Fails { literal, pat, open: true } => {
                self.matched[*literal] = self.build(terms, pat);
                self.step(plan, at + 1, terms, database, found)
            }
            Step::Fails { pat, open: false, .. } => {
                if self.find(terms, pat).is_some_and(|atom| database.contains(atom)) {
                    return true;
                }
                self.step(plan, at + 1, terms, database, found)
            }
            Step::Compare { one, other, equal } => {
                let (one, other) = (self.build(terms, one), self.build(terms, other));
                if (one == other) != *equal {
                    return true;
                }
                self.step(plan, at + 1, terms, database, found)
            }
        }
    }

    fn fits(&mut self, terms: &Terms, pattern: &Match, term: TermId) -> bool {
        match pattern {
            Match::Bind(variable) => {
                self.bindings[*variable] = term;
                true
            }
            Match::Equal(variable) => self.bindings[*variable] == term,
            Match::Ground(ground) => *ground == term,
            Match::Apply(functor, parts) => {
                terms.functor_of(term) == *functor
                    && parts.iter().enumerate().all(|(i, part)| self.fits(terms, part, terms.arguments(term)[i]))
            }
        }
    }

    /// The term that a pattern stands for, if the store has it.
    fn find(&mut self, terms: &Terms, pat: &Pat) -> Option<TermId> {
        match pat {
            Pat::Variable(variable) => Some(self.bindings[*variable]),
            Pat::Ground(term) => Some(*term),
            Pat::Apply(functor, parts) => {
                let mut arguments = self.spare.pop().unwrap_or_default();
                arguments.clear();
                let complete =
                    parts.iter().all(|part| self.find(terms, part).map(|term| arguments.push(term)).is_some());
                let term = if complete { terms.find(*functor, &arguments) } else { None };
                self.spare.push(arguments);
                term
            }
        }
    }

    /// The term that a pattern stands for.
    pub fn build(&mut self, terms: &mut Terms, pat: &Pat) -> TermId {
        match pat {
            Pat::Variable(variable) => self.bindings[*variable],
            Pat::Ground(term) => *term,
            Pat::Apply(functor, parts) => {
                let mut arguments = self.spare.pop().unwrap_or_default();
                arguments.clear();
                for part in parts {
                    let term = self.build(terms, part);
                    arguments.push(term);
                }
                let term = terms.intern(*functor, &arguments);
                self.spare.push(arguments);
                term
            }
        }
    }
}
