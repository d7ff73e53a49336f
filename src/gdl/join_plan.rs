//! Clauses as join plans: in which order to look for their conditions (the join order), and how.
//!
//! Tests come as soon as all their variables are bound; of the rest, what is estimated to be the least work, or what is
//! written first. Atoms that are there are counted; the answers of subgoals are estimated from the plans that they would have
//! themselves. Estimates go wrong in long chains of relations, since each multiplies the errors of those below; authors, who
//! know what their rules mean, mostly write conditions in an order that works.

use super::bindings::ArgumentMatch;
use super::database::{ArgumentPath, Database, IndexId, IndexKey};
use super::limits::{TooLarge, check_stop};
use super::program::{Clause, Literal, Pat};
use super::subgoals::{SubgoalId, Subgoals};
use super::terms::{Functor, Terms};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// How to find all the ways in which a clause's conditions hold, with something given.
#[derive(Clone, Debug)]
pub(super) struct JoinPlan {
    /// Patterns that the given things are matched with first, with the number of the thing.
    pub given: Vec<(usize, ArgumentMatch)>,
    pub steps: Vec<JoinStep>,
    pub head: Pat,
    /// Whether the head has no variables.
    pub is_ground: bool,
    pub variables: usize,
    pub literals: usize,
}

#[derive(Clone, Debug)]
pub(super) enum JoinStep {
    /// Look for atoms that fit.
    Find { literal: usize, index: IndexId, values: Vec<Pat>, pattern: ArgumentMatch },
    /// All is known: does the atom hold?
    Holds { literal: usize, pat: Pat },
    /// All is known: does it fail? What is `open` may fail or not, and is only noted.
    Fails { literal: usize, pat: Pat, open: bool },
    /// Are these not the same, or the same?
    Compare { one: Pat, other: Pat, equal: bool },
    /// Ask for atoms that fit, of a relation that is worked out on demand.
    Call { literal: usize, subgoal: SubgoalId, values: Vec<Pat>, pattern: ArgumentMatch },
    /// All is known: does an atom fail that is worked out on demand?
    CallFails { subgoal: SubgoalId, values: Vec<Pat>, pat: Pat },
}

/// What is given when a plan begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Given<'a> {
    Nothing,
    /// The atom of one condition.
    Literal(usize),
    /// Parts of the head.
    Head(&'a IndexKey),
}

/// In which order conditions are looked for that are no tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LiteralOrder {
    LeastWork,
    AsWritten,
}

/// Makes plans.
pub(super) struct Planner<'a> {
    pub terms: &'a Terms,
    pub database: &'a mut Database,
    pub subgoals: &'a mut Subgoals,
    /// Relations whose denials cannot be decided yet.
    pub open: &'a dyn Fn(Functor) -> bool,
    /// A relation of which there will be one atom for a search to find.
    pub single: Option<Functor>,
    pub order: LiteralOrder,
    stop: &'a AtomicBool,
    guesses: FxHashMap<(Functor, u64), Guess>,
}

/// How many answers are expected, and how much work it is to find them.
#[derive(Clone, Copy, Debug)]
struct Guess {
    answers: f64,
    work: f64,
}

/// How many atoms a relation is supposed to have of which none is known yet, and how many different values a place.
const GUESSED_SIZE: f64 = 100.0;
const GUESSED_SHARE: usize = 2;
/// How many values a place is supposed to have in a relation that needs itself, and how much of a test's atoms pass.
const GUESSED_VALUES: f64 = 4.0;
const PASSING: f64 = 0.5;
/// Guesses go so deep, and there are at most so many: beyond, they are blind.
const DEEPEST_GUESS: usize = 40;
const MOST_GUESSES: usize = 20_000;
/// Conditions of a rule beyond these are taken in the order in which they are written.
const MOST_COMPARED: usize = 60;

impl<'a> Planner<'a> {
    pub fn new(
        terms: &'a Terms,
        database: &'a mut Database,
        subgoals: &'a mut Subgoals,
        open: &'a dyn Fn(Functor) -> bool,
        stop: &'a AtomicBool,
    ) -> Planner<'a> {
        let (single, order) = (None, LiteralOrder::LeastWork);
        Planner { terms, database, subgoals, open, single, order, stop, guesses: FxHashMap::default() }
    }

    /// Plans a clause.
    pub fn plan(&mut self, clause: &Clause, given: Given) -> Result<JoinPlan, TooLarge> {
        let mut known = vec![false; clause.variables];
        let mut left: Vec<usize> = (0..clause.body.len()).collect();
        let mut patterns = Vec::new();
        match given {
            Given::Nothing => {}
            Given::Literal(literal) => {
                left.remove(literal);
                let Literal::Holds(pat, _) = &clause.body[literal] else { unreachable!("only what holds is given") };
                patterns.push((0, ArgumentMatch::new(pat, &mut known)));
            }
            Given::Head(key) => {
                for (number, path) in key.values.iter().enumerate() {
                    if let Some(pat) = part(&clause.head, path, self.terms) {
                        patterns.push((number, ArgumentMatch::new(&pat, &mut known)));
                    }
                }
            }
        }
        let mut steps = Vec::new();
        while !left.is_empty() {
            check_stop(self.stop)?;
            let (at, _) = self.choose(clause, &left, &known, 0);
            let literal = left.remove(at);
            steps.push(self.step(clause, literal, &mut known));
        }
        let is_ground = is_known(&clause.head, &vec![false; clause.variables]);
        Ok(JoinPlan {
            given: patterns,
            steps,
            head: clause.head.clone(),
            is_ground,
            variables: clause.variables,
            literals: clause.body.len(),
        })
    }

    fn step(&mut self, clause: &Clause, literal: usize, known: &mut [bool]) -> JoinStep {
        match &clause.body[literal] {
            Literal::Distinct(one, other, _) => {
                JoinStep::Compare { one: one.clone(), other: other.clone(), equal: false }
            }
            Literal::Same(one, other, _) => JoinStep::Compare { one: one.clone(), other: other.clone(), equal: true },
            Literal::Fails(pat, _) if self.subgoals.on_demand(pat.functor()) => {
                let (subgoal, values) = self.subgoal(pat, known);
                JoinStep::CallFails { subgoal, values, pat: pat.clone() }
            }
            Literal::Fails(pat, _) => JoinStep::Fails { literal, pat: pat.clone(), open: (self.open)(pat.functor()) },
            Literal::Holds(pat, _) if self.subgoals.on_demand(pat.functor()) => {
                let (subgoal, values) = self.subgoal(pat, known);
                JoinStep::Call { literal, subgoal, values, pattern: ArgumentMatch::new(pat, known) }
            }
            Literal::Holds(pat, _) if is_known(pat, known) => JoinStep::Holds { literal, pat: pat.clone() },
            Literal::Holds(pat, _) => {
                let (key, values) = key_of(pat, known);
                let index = self.database.index(self.terms, pat.functor(), key);
                JoinStep::Find { literal, index, values, pattern: ArgumentMatch::new(pat, known) }
            }
        }
    }

    /// The subgoal for atoms that fit a pattern, and what is known of them.
    pub fn subgoal(&mut self, pat: &Pat, known: &[bool]) -> (SubgoalId, Vec<Pat>) {
        let (key, values) = key_of(pat, known);
        let (subgoal, with_values) = self.subgoals.subgoal(pat, key, self.terms);
        (subgoal, if with_values { values } else { Vec::new() })
    }

    /// Plans all subgoals that were added, and those that come up on the way.
    pub fn plan_subgoals(mut self) -> Result<(), TooLarge> {
        while let Some((subgoal, clauses, key)) = self.subgoals.unplanned()? {
            let plans: Result<_, TooLarge> =
                clauses.iter().map(|clause| self.plan(clause, Given::Head(&key))).collect();
            self.subgoals.put(subgoal, plans?);
        }
        self.subgoals.arrange()
    }

    /// Which of the conditions that are left comes next, and what to expect of it.
    fn choose(&mut self, clause: &Clause, left: &[usize], known: &[bool], depth: usize) -> (usize, Guess) {
        // Tests by asking come before all searches, but after all other tests.
        let mut best: Option<(bool, Guess, usize)> = None;
        for (at, &literal) in left.iter().enumerate() {
            if at >= MOST_COMPARED && best.is_some() {
                break;
            }
            let (test, guess) = match &clause.body[literal] {
                Literal::Distinct(one, other, _) | Literal::Same(one, other, _) => {
                    if is_known(one, known) && is_known(other, known) {
                        return (at, Guess { answers: PASSING, work: 1.0 });
                    }
                    continue;
                }
                Literal::Fails(pat, _) => match (is_known(pat, known), self.subgoals.on_demand(pat.functor())) {
                    (false, _) => continue,
                    (true, false) => return (at, Guess { answers: PASSING, work: 1.0 }),
                    (true, true) => (true, self.guess_literal(pat, known, depth)),
                },
                Literal::Holds(pat, _) => match (is_known(pat, known), self.subgoals.on_demand(pat.functor())) {
                    (true, false) => return (at, Guess { answers: PASSING, work: 1.0 }),
                    (test, true) => (test, self.guess_literal(pat, known, depth)),
                    (false, false) => {
                        let answers = self.count(pat, known);
                        (false, Guess { answers, work: answers.max(1.0) })
                    }
                },
            };
            // Of those with the same guess, the one that is written first.
            let better = match &best {
                None => true,
                Some((is_test, other, _)) => test && !is_test || test == *is_test && guess.work < other.work,
            };
            if better {
                best = Some((test, guess, at));
            }
        }
        // Checked clauses bind all variables by what holds, so that tests are never all that is left.
        let (_, guess, at) = best.expect("unbound variables were refused");
        (at, guess)
    }

    fn guess_literal(&mut self, pat: &Pat, known: &[bool], depth: usize) -> Guess {
        if self.order == LiteralOrder::AsWritten {
            return Guess { answers: 1.0, work: 1.0 };
        }
        let Pat::Apply(relation, parts) = pat else { unreachable!("an atom is a relation applied to things") };
        let places = parts.iter().enumerate().take(64).filter(|(_, part)| is_known(part, known));
        let mask = places.fold(0, |mask, (place, _)| mask | 1 << place);
        let guess = self.guess(*relation, mask, parts.len(), depth);
        if is_known(pat, known) { Guess { answers: PASSING, ..guess } } else { guess }
    }

    /// What to expect of a subgoal to a relation of which some places are known.
    fn guess(&mut self, relation: Functor, mask: u64, arity: usize, depth: usize) -> Guess {
        if let Some(&guess) = self.guesses.get(&(relation, mask)) {
            return guess;
        }
        let free = arity.saturating_sub(mask.count_ones() as usize).min(30);
        let blind = GUESSED_VALUES.powi(free as i32);
        let blind = Guess { answers: blind, work: 2.0 * blind };
        if depth > DEEPEST_GUESS || self.guesses.len() > MOST_GUESSES {
            return blind;
        }
        // What it is until it is known, for relations that need themselves.
        self.guesses.insert((relation, mask), blind);
        let mut sum = Guess { answers: 0.0, work: 1.0 };
        let clauses = self.subgoals.clauses_of(relation);
        for clause in clauses.iter() {
            // A guess that is broken off is as good as none; planning ends right after it.
            if self.stop.load(Ordering::Relaxed) {
                return blind;
            }
            let mut known = vec![false; clause.variables];
            if let Pat::Apply(_, parts) = &clause.head {
                for (_, part) in parts.iter().enumerate().take(64).filter(|(place, _)| mask >> place & 1 == 1) {
                    ArgumentMatch::new(part, &mut known);
                }
            }
            let mut left: Vec<usize> = (0..clause.body.len()).collect();
            let mut rows = 1.0;
            while !left.is_empty() {
                let (at, guess) = self.choose(clause, &left, &known, depth + 1);
                let literal = left.remove(at);
                if let Literal::Holds(pat, _) = &clause.body[literal] {
                    ArgumentMatch::new(pat, &mut known);
                }
                sum.work += rows * guess.work;
                rows *= guess.answers;
            }
            sum.answers += rows;
        }
        if free == 0 {
            sum.answers = sum.answers.min(1.0);
        }
        self.guesses.insert((relation, mask), sum);
        sum
    }

    /// How many atoms a search for a pattern is guessed to find: those there are, shared out evenly among the different
    /// values at each known place.
    fn count(&mut self, pat: &Pat, known: &[bool]) -> f64 {
        if self.order == LiteralOrder::AsWritten || self.single == Some(pat.functor()) {
            return 1.0;
        }
        let (key, _) = key_of(pat, known);
        let (size, shares) = self.database.spread(self.terms, pat.functor(), &key);
        // Nothing there may only mean that nothing is there yet.
        let size = if size == 0 { GUESSED_SIZE } else { size as f64 };
        shares.iter().fold(size, |size, &share| size / share.max(GUESSED_SHARE) as f64)
    }
}

/// The part of a pattern at a place; `None` if a variable stands for more than that.
fn part(pat: &Pat, path: &ArgumentPath, terms: &Terms) -> Option<Pat> {
    let mut here = pat.clone();
    for &place in path {
        here = match here {
            Pat::Apply(_, mut parts) => parts.swap_remove(usize::from(place)),
            Pat::Ground(term) => Pat::Ground(terms.arguments(term)[usize::from(place)]),
            Pat::Variable(_) => return None,
        };
    }
    Some(here)
}

fn is_known(pat: &Pat, known: &[bool]) -> bool {
    match pat {
        Pat::Variable(variable) => known[*variable],
        Pat::Ground(_) => true,
        Pat::Apply(_, parts) => parts.iter().all(|part| is_known(part, known)),
    }
}

/// The parts of an atom by which it is looked for, and their patterns.
fn key_of(pat: &Pat, known: &[bool]) -> (IndexKey, Vec<Pat>) {
    let (mut key, mut values) = (IndexKey::default(), Vec::new());
    if let Pat::Apply(_, parts) = pat {
        add_parts(parts, known, &mut ArgumentPath::new(), &mut key, &mut values);
    }
    (key, values)
}

fn add_parts(parts: &[Pat], known: &[bool], path: &mut ArgumentPath, key: &mut IndexKey, values: &mut Vec<Pat>) {
    for (place, part) in parts.iter().enumerate() {
        path.push(place as u16);
        if is_known(part, known) {
            key.values.push(path.clone());
            values.push(part.clone());
        } else if let Pat::Apply(functor, parts) = part {
            key.functors.push((path.clone(), *functor));
            add_parts(parts, known, path, key, values);
        }
        path.pop();
    }
}
