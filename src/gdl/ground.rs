//! Grounding: every way in which a clause's conditions may ever hold, without variables.
//!
//! What may ever hold is overestimated: starting from the first state, everything is added that follows if no negated
//! condition on something that changes ever fails (semi-naive, one new atom at a time). What is never reached so needs no place in the
//! propnet. Relations that are the same in all states are used up on the way: only conditions that change are left.

use super::database::Database;
use super::eval_context::EvalContext;
use super::join::Join;
use super::join_plan::{Given, JoinPlan, Planner};
use super::limits::{NoPropNet, WorkLimit, check_stop};
use super::magic_sets::with_demand;
use super::program::{Clause, Literal, Phase, Program, Relation};
use super::prover::Prover;
use super::simplify::{with_constant_facts, without_lonely_variables};
use super::split::split;
use super::subgoals::Subgoals;
use super::tables::Tables;
use super::terms::{Functor, TermId, Terms};
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;

/// Everything that may ever hold, and why.
#[derive(Debug)]
pub(super) struct Ground {
    pub terms: Terms,
    /// By functor; some were added when clauses were taken apart.
    pub relations: Vec<Relation>,
    /// The clauses without variables.
    pub clauses: Vec<GroundClause>,
    /// The conditions of all clauses: an atom's number twice, plus one if it is denied.
    pub literals: Vec<u32>,
    /// The atoms that may hold, each relation's in the order in which they were reached.
    pub reached: Database,
    /// The facts of the first state.
    pub start: Vec<TermId>,
}

/// A head and where its conditions are in the common list.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundClause {
    pub head: TermId,
    pub begin: u32,
    pub end: u32,
}

/// How large the ground rules may become, and how much may be looked at on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundingLimits {
    /// Conditions in all clauses.
    pub literals: usize,
    /// Atoms that may hold.
    pub atoms: usize,
    /// Atoms looked at in search of conditions.
    pub work: u64,
}

impl Default for GroundingLimits {
    fn default() -> GroundingLimits {
        GroundingLimits { literals: 12_000_000, atoms: 2_000_000, work: 40_000_000 }
    }
}

/// After so many atoms the plans are made anew, by what is known then; and after this many times as many again.
const FIRST_PLANS: usize = 500;
const NEXT_PLANS: usize = 8;
/// How many characters all atoms may have when they are written.
const MOST_WRITTEN: usize = 48 << 20;
/// Plans may have so many steps in all.
const MOST_PLANNED: usize = 4_000_000;
/// Grounding for all that may hold gets this part of the limits.
const FIRST_SHARE: usize = 20;

/// Plans for what follows from a new atom, by its relation: clause, literal, plan.
type Triggers = Vec<Vec<(usize, usize, JoinPlan)>>;

impl Ground {
    /// Grounds a program; tells which limit was reached if it is too large.
    ///
    /// At first all rules are grounded for all that may hold. If that is too much, they are grounded for what is demanded (magic sets).
    pub fn new(prover: &Prover, limits: &GroundingLimits, stop: &AtomicBool) -> Result<Ground, NoPropNet> {
        let share = |limit: usize| limit / FIRST_SHARE;
        let first = GroundingLimits {
            literals: share(limits.literals),
            atoms: share(limits.atoms),
            work: limits.work / FIRST_SHARE as u64,
        };
        Ground::try_new(prover, &first, stop, false).or_else(|_| Ground::try_new(prover, limits, stop, true))
    }

    fn try_new(
        prover: &Prover,
        limits: &GroundingLimits,
        stop: &AtomicBool,
        on_demand: bool,
    ) -> Result<Ground, NoPropNet> {
        let program = prover.program();
        // A rule has a plan for each of its conditions, as long as the rule.
        let is_too_long =
            |rules: &[Clause]| rules.iter().map(|rule| rule.body.len().pow(2)).sum::<usize>() > MOST_PLANNED;
        if is_too_long(&program.clauses) {
            return Err(NoPropNet::Conditions(MOST_PLANNED));
        }
        let (mut terms, mut database, subgoals) = prover.fixed();
        let start: Vec<TermId> =
            database.rows(program.words.init).iter().map(|&atom| terms.arguments(atom)[0]).collect();
        let mut relations = program.relations.clone();
        relations.resize(terms.functors(), Relation::default());
        let (mut rules, atoms) = with_constant_facts(program, &start, &mut terms, &mut relations);
        atoms.into_iter().for_each(|atom| _ = database.insert(&terms, atom));
        if on_demand {
            rules = without_lonely_variables(rules, &mut terms, &mut relations);
        }
        rules = split(rules, &mut terms, &mut relations);
        let mut demand_only = Vec::new();
        if on_demand {
            (rules, relations, demand_only) = with_demand(rules, relations, program.words, &mut terms);
        }
        relations.resize(terms.functors(), Relation::default());
        if is_too_long(&rules) {
            return Err(NoPropNet::Conditions(MOST_PLANNED));
        }
        check_stop(stop)?;
        demand_only.resize(terms.functors(), false);
        let budget = WorkLimit { work: 0, most_work: limits.work, most_kept: terms.len() + limits.atoms, stop };
        let mut grounder = Grounder {
            program,
            rules,
            relations,
            demand_only,
            terms,
            database,
            subgoals,
            tables: Tables::default(),
            budget,
            clauses: Vec::new(),
            literals: Vec::new(),
            queue: VecDeque::new(),
            queued: Vec::new(),
            limits: *limits,
        };
        let mut search = Join::default();
        for &fact in &start {
            let atom = grounder.terms.intern(program.words.holds, &[fact]);
            grounder.queue(atom);
        }
        // ClauseIndex of the language's own relations may be the same in all states; they still begin something.
        for word in [program.words.legal, program.words.next] {
            for atom in grounder.database.rows(word).to_vec() {
                grounder.follow_on(atom);
            }
        }
        grounder.begin(&mut search)?;
        let mut triggers = grounder.plan()?;
        let mut next_plans = FIRST_PLANS;
        let (mut done, mut length) = (0, 0);
        while let Some(atom) = grounder.queue.pop_front() {
            if !grounder.database.insert(&grounder.terms, atom) {
                continue;
            }
            done += 1;
            length += grounder.terms.length(atom);
            if done == next_plans {
                grounder.forget_indexes();
                triggers = grounder.plan()?;
                next_plans *= NEXT_PLANS;
            }
            if done > limits.atoms {
                return Err(NoPropNet::Atoms(limits.atoms));
            }
            if length > MOST_WRITTEN {
                return Err(NoPropNet::Length(MOST_WRITTEN));
            }
            let relation = grounder.terms.functor_of(atom);
            for (clause, literal, plan) in &triggers[relation.index()] {
                grounder.fire(*clause, plan, Some((*literal, atom)), &mut search)?;
            }
        }
        let Grounder { terms, database, clauses, literals, relations, .. } = grounder;
        Ok(Ground { terms, relations, clauses, literals, reached: database, start })
    }
}

struct Grounder<'a> {
    program: &'a Program,
    /// The clauses with variables.
    rules: Vec<Clause>,
    relations: Vec<Relation>,
    /// By functor: whether a relation only says what is demanded.
    demand_only: Vec<bool>,
    terms: Terms,
    database: Database,
    /// Relations that are the same in all states and worked out on demand.
    subgoals: Subgoals,
    tables: Tables,
    budget: WorkLimit<'a>,
    clauses: Vec<GroundClause>,
    literals: Vec<u32>,
    queue: VecDeque<TermId>,
    /// By term: whether it has ever been in the queue.
    queued: Vec<bool>,
    limits: GroundingLimits,
}

impl Grounder<'_> {
    fn changes(&self, relation: Functor) -> bool {
        self.relations.get(relation.index()).is_some_and(|relation| relation.phase != Phase::Fixed)
    }

    fn queue(&mut self, atom: TermId) {
        if self.queued.len() <= atom.index() {
            self.queued.resize(self.terms.len().max(atom.index() + 1), false);
        }
        if !std::mem::replace(&mut self.queued[atom.index()], true) {
            self.queue.push_back(atom);
        }
    }

    /// What may hold next turn may hold; what is legal may be done.
    fn follow_on(&mut self, atom: TermId) {
        let words = self.program.words;
        let relation = self.terms.functor_of(atom);
        if relation == words.next {
            let fact = self.terms.arguments(atom)[0];
            let atom = self.terms.intern(words.holds, &[fact]);
            self.queue(atom);
        } else if relation == words.legal {
            let parts = [self.terms.arguments(atom)[0], self.terms.arguments(atom)[1]];
            let atom = self.terms.intern(words.does, &parts);
            self.queue(atom);
        }
    }

    /// Clauses that need nothing that changes, or only denials of it.
    fn begin(&mut self, search: &mut Join) -> Result<(), NoPropNet> {
        for number in 0..self.rules.len() {
            let clause = &self.rules[number];
            let waits = |literal: &Literal| matches!(literal, Literal::Holds(pat, _) if self.changes(pat.functor()));
            if self.changes(clause.relation()) && !clause.body.iter().any(waits) {
                let open = |relation: Functor| self.relations[relation.index()].phase != Phase::Fixed;
                let mut planner =
                    Planner::new(&self.terms, &mut self.database, &mut self.subgoals, &open, self.budget.stop);
                let plan = planner.plan(clause, Given::Nothing)?;
                planner.plan_subgoals()?;
                self.fire(number, &plan, None, search)?;
            }
        }
        Ok(())
    }

    fn plan(&mut self) -> Result<Triggers, NoPropNet> {
        let mut triggers: Triggers = vec![Vec::new(); self.terms.functors()];
        let open = |relation: Functor| self.relations[relation.index()].phase != Phase::Fixed;
        let mut planner = Planner::new(&self.terms, &mut self.database, &mut self.subgoals, &open, self.budget.stop);
        for (number, clause) in self.rules.iter().enumerate() {
            for (literal, condition) in clause.body.iter().enumerate() {
                if let Literal::Holds(pat, _) = condition
                    && open(pat.functor())
                {
                    let plan = planner.plan(clause, Given::Literal(literal))?;
                    triggers[pat.functor().index()].push((number, literal, plan));
                }
            }
        }
        planner.plan_subgoals()?;
        Ok(triggers)
    }

    fn forget_indexes(&mut self) {
        for relation in 0..self.relations.len() {
            let relation = Functor(relation as u32);
            if self.changes(relation) {
                self.database.forget_indexes(relation);
            }
        }
    }

    /// Notes all the ways in which a plan's conditions may hold.
    fn fire(
        &mut self,
        number: usize,
        plan: &JoinPlan,
        given: Option<(usize, TermId)>,
        search: &mut Join,
    ) -> Result<(), NoPropNet> {
        let body = &self.rules[number].body;
        let kept = |literal: &Literal| match literal {
            Literal::Holds(pat, _) if self.demand_only[pat.functor().index()] => None,
            Literal::Holds(pat, _) => self.changes(pat.functor()).then_some(0),
            Literal::Fails(pat, _) => self.changes(pat.functor()).then_some(1),
            Literal::Distinct(..) | Literal::Same(..) => None,
        };
        let kept: Vec<Option<u32>> = body.iter().map(kept).collect();
        let before = self.clauses.len();
        let is_demand_only = self.demand_only[self.rules[number].relation().index()];
        let mut demanded = Vec::new();
        let (clauses, literals, limits) = (&mut self.clauses, &mut self.literals, self.limits);
        let mut context = EvalContext {
            terms: &mut self.terms,
            database: &self.database,
            subgoals: &self.subgoals,
            tables: &mut self.tables,
            budget: self.budget,
        };
        context.spend()?;
        let fits = match given {
            Some((literal, atom)) => search.begin_with(plan, literal, atom, &mut context),
            None => search.begin(plan, &[], &mut context),
        };
        while fits && search.next(plan, &mut context, None)? {
            let head = search.bindings.build(context.terms, &plan.head)?;
            if is_demand_only {
                demanded.push(head);
                continue;
            }
            let begin = literals.len();
            for (literal, denied) in kept.iter().enumerate() {
                if let Some(denied) = denied {
                    literals.push(search.matched[literal].0 << 1 | denied);
                }
            }
            clauses.push(GroundClause { head, begin: begin as u32, end: literals.len() as u32 });
            if literals.len() > limits.literals {
                return Err(NoPropNet::Literals(limits.literals));
            }
        }
        self.budget.work = context.budget.work;
        demanded.into_iter().for_each(|head| self.queue(head));
        for clause in before..self.clauses.len() {
            let head = self.clauses[clause].head;
            self.queue(head);
            self.follow_on(head);
        }
        Ok(())
    }
}
