//! Stratification: bottom-up evaluation of the relations that are the same in all states: strongly connected components of clauses
//! in order, each by semi-naive evaluation, where only new atoms trigger joins.

use super::TooLarge;
use super::database::Database;
use super::eval_context::EvalContext;
use super::join::Join;
use super::join_plan::{Given, JoinPlan, Planner};
use super::limits::WorkLimit;
use super::program::{Literal, Phase, Program};
use super::subgoals::Subgoals;
use super::tables::Tables;
use super::terms::{Functor, TermId, Terms};
use rustc_hash::FxHashMap;
use std::sync::atomic::AtomicBool;

/// How much may be looked at, and how many terms made, for a group of clauses; beyond, its relations are worked out on
/// demand. And how much for all groups together.
const MOST_WORK: u64 = 3_000_000;
const MOST_TERMS: usize = 300_000;
const MOST_WORK_OF_ALL: u64 = 20_000_000;

/// A group of clauses that need each other, or a single one, ready to be worked out.
struct Stratum {
    whole: Vec<JoinPlan>,
    /// Plans for what follows from a new atom of the group's own, with the literal it is given for.
    from_new: FxHashMap<Functor, Vec<(usize, JoinPlan)>>,
}

/// Works out the relations that are the same in all states. Those that would be too large, and all that need them, are left
/// out: they are marked in what is returned, by functor.
pub(super) fn work_out(program: &Program, terms: &mut Terms, database: &mut Database, stop: &AtomicBool) -> Vec<bool> {
    let is_fixed = |clause: usize| {
        let relation = program.clauses[clause].relation();
        program.relations[relation.index()].phase == Phase::Fixed
    };
    let mut search = Join::default();
    for clause in (0..program.clauses.len()).filter(|&clause| is_fixed(clause)) {
        if program.clauses[clause].body.is_empty() {
            let atom = search.bindings.assemble(terms, &program.clauses[clause].head);
            database.insert(terms, atom);
        }
    }
    let mut left_out = vec![false; program.relations.len()];
    let mut subgoals = Subgoals::new(&program.relations);
    let mut work = 0;
    for group in program.groups.iter().filter(|group| is_fixed(group[0])) {
        let needs = |literal: &Literal| match literal {
            Literal::Holds(pat, _) | Literal::Fails(pat, _) => left_out[pat.functor().index()],
            Literal::Distinct(..) | Literal::Same(..) => false,
        };
        let waits = group
            .iter()
            .map(|&clause| &program.clauses[clause])
            .any(|clause| left_out[clause.relation().index()] || clause.body.iter().any(needs));
        let most_work = (work + MOST_WORK).min(MOST_WORK_OF_ALL);
        let mut budget = WorkLimit { work, most_work, most_kept: terms.len() + MOST_TERMS, stop };
        let worked_out = !waits
            && Stratum::new(program, group, terms, database, &mut subgoals, stop)
                .and_then(|stratum| stratum.work_out(&mut search, terms, database, &subgoals, &mut budget))
                .is_ok();
        work = if worked_out || waits { budget.work } else { most_work };
        if !worked_out {
            for &clause in group {
                let relation = program.clauses[clause].relation();
                left_out[relation.index()] = true;
                database.clear(relation);
            }
        }
    }
    left_out
}

impl Stratum {
    fn new(
        program: &Program,
        group: &[usize],
        terms: &Terms,
        database: &mut Database,
        subgoals: &mut Subgoals,
        stop: &AtomicBool,
    ) -> Result<Stratum, TooLarge> {
        let mut planner = Planner::new(terms, database, subgoals, &|_| false, stop);
        let mut stratum = Stratum { whole: Vec::new(), from_new: FxHashMap::default() };
        for &number in group {
            let clause = &program.clauses[number];
            stratum.whole.push(planner.plan(clause, Given::Nothing)?);
            for (literal, condition) in clause.body.iter().enumerate() {
                if let Literal::Holds(pat, _) = condition
                    && group.iter().any(|&other| pat.may_equal(&program.clauses[other].head, terms))
                {
                    let plan = planner.plan(clause, Given::Literal(literal))?;
                    stratum.from_new.entry(pat.functor()).or_default().push((literal, plan));
                }
            }
        }
        Ok(stratum)
    }

    /// Adds all that holds to a database that has everything these clauses need.
    fn work_out(
        &self,
        search: &mut Join,
        terms: &mut Terms,
        database: &mut Database,
        subgoals: &Subgoals,
        budget: &mut WorkLimit,
    ) -> Result<(), TooLarge> {
        let mut tables = Tables::default();
        let (mut new, mut open): (Vec<TermId>, Vec<TermId>) = (Vec::new(), Vec::new());
        let mut plans: Vec<(&JoinPlan, Option<(usize, TermId)>)> = self.whole.iter().map(|plan| (plan, None)).collect();
        plans.reverse();
        loop {
            let Some((plan, given)) = plans.pop() else {
                let Some(atom) = open.pop() else { return Ok(()) };
                let following = self.from_new.get(&terms.functor_of(atom)).into_iter().flatten();
                plans.extend(following.map(|(literal, plan)| (plan, Some((*literal, atom)))));
                continue;
            };
            let mut context = EvalContext { terms, database, subgoals, tables: &mut tables, budget: *budget };
            let fits = match given {
                Some((literal, atom)) => search.begin_with(plan, literal, atom, &mut context),
                None => search.begin(plan, &[], &mut context),
            };
            while fits && search.next(plan, &mut context, None)? {
                let head = search.bindings.build(context.terms, &plan.head)?;
                if !context.database.contains(head) && new.last() != Some(&head) {
                    new.push(head);
                }
                // A head without variables is found once and for all.
                if plan.is_ground {
                    break;
                }
            }
            budget.work = context.budget.work;
            for atom in new.drain(..) {
                if database.insert(terms, atom) && !self.from_new.is_empty() {
                    open.push(atom);
                }
            }
        }
    }
}
