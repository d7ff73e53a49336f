//! Working relations out from the bottom: each group of clauses after all that it needs, until nothing new comes.

use super::database::Database;
use super::join::{Hints, Joiner, Plan};
use super::program::{Literal, Phase, Program};
use super::terms::{Functor, TermId, Terms};
use rustc_hash::FxHashMap;

/// A group of clauses that need each other, or a single one, ready to be worked out.
#[derive(Clone, Debug)]
pub(super) struct Stratum {
    /// What holds without conditions.
    facts: Vec<TermId>,
    whole: Vec<Plan>,
    /// Plans for what follows from a new atom of the group's own, with the literal it is given for.
    from_new: FxHashMap<Functor, Vec<(usize, Plan)>>,
}

/// More atoms than a limit allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMany;

/// Plans all the clauses of a phase and works them out at once, so that plans can go by what is there already.
pub(super) fn plan(
    program: &Program,
    phase: Phase,
    terms: &mut Terms,
    database: &mut Database,
    most_terms: usize,
) -> Result<Vec<Stratum>, TooMany> {
    let in_phase = |clause: usize| program.relations[program.clauses[clause].relation().index()].phase == phase;
    let mut joiner = Joiner::default();
    let facts =
        (0..program.clauses.len()).filter(|&clause| in_phase(clause) && program.clauses[clause].body.is_empty());
    let facts = facts.map(|clause| joiner.build(terms, &program.clauses[clause].head)).collect();
    let first = Stratum { facts, whole: Vec::new(), from_new: FxHashMap::default() };
    first.work_out(&mut joiner, terms, database, most_terms)?;
    let hints = Hints { open: &|_| false };
    let mut strata = vec![first];
    for group in program.groups.iter().filter(|group| in_phase(group[0])) {
        let mut stratum = Stratum { facts: Vec::new(), whole: Vec::new(), from_new: FxHashMap::default() };
        for &number in group {
            let clause = &program.clauses[number];
            stratum.whole.push(Plan::new(clause, None, &hints, terms, database));
            for (literal, condition) in clause.body.iter().enumerate() {
                if let Literal::Holds(pat, _) = condition
                    && group.iter().any(|&other| pat.may_equal(&program.clauses[other].head, terms))
                {
                    let plan = Plan::new(clause, Some(literal), &hints, terms, database);
                    stratum.from_new.entry(pat.functor()).or_default().push((literal, plan));
                }
            }
        }
        stratum.work_out(&mut joiner, terms, database, most_terms)?;
        strata.push(stratum);
    }
    Ok(strata)
}

impl Stratum {
    /// Adds all that holds to a database that has everything these clauses need.
    pub fn work_out(
        &self,
        joiner: &mut Joiner,
        terms: &mut Terms,
        database: &mut Database,
        most_terms: usize,
    ) -> Result<(), TooMany> {
        let mut new = Vec::new();
        let mut open = Vec::new();
        let take = |new: &mut Vec<TermId>, open: &mut Vec<TermId>, terms: &Terms, database: &mut Database| {
            for atom in new.drain(..) {
                if database.insert(terms, atom) && !self.from_new.is_empty() {
                    open.push(atom);
                }
            }
            if terms.len() > most_terms { Err(TooMany) } else { Ok(()) }
        };
        for &fact in &self.facts {
            database.insert(terms, fact);
        }
        for plan in &self.whole {
            follow(plan, None, joiner, terms, database, &mut new, most_terms);
            take(&mut new, &mut open, terms, database)?;
        }
        while let Some(atom) = open.pop() {
            for (literal, plan) in self.from_new.get(&terms.functor_of(atom)).into_iter().flatten() {
                follow(plan, Some((*literal, atom)), joiner, terms, database, &mut new, most_terms);
                take(&mut new, &mut open, terms, database)?;
            }
        }
        Ok(())
    }
}

/// Collects the heads of a plan that are not there yet.
fn follow(
    plan: &Plan,
    given: Option<(usize, TermId)>,
    joiner: &mut Joiner,
    terms: &mut Terms,
    database: &Database,
    new: &mut Vec<TermId>,
    most_terms: usize,
) {
    joiner.run(plan, given, terms, database, &mut |joiner, terms| {
        let head = joiner.build(terms, &plan.head);
        if !database.contains(head) && new.last() != Some(&head) {
            new.push(head);
        }
        // A head without variables is found once and for all.
        !plan.is_ground && terms.len() <= most_terms
    });
}
