//! Executing join plans: all the ways in which a clause's conditions hold, one after the other (an index nested-loop join).

use super::TooLarge;
use super::bindings::Bindings;
use super::database::{mix, no_values};
use super::eval_context::EvalContext;
use super::join_plan::{JoinPlan, JoinStep};
use super::subgoals::SubgoalId;
use super::tables::{Agenda, Call, TableId};
use super::terms::TermId;

/// A search for the ways in which a plan's conditions hold. It keeps its place, so that it needs no stack.
#[derive(Debug, Default)]
pub(super) struct Join {
    pub bindings: Bindings,
    /// The atom that each literal was matched with; those of comparisons and subgoals' denials mean nothing.
    pub matched: Vec<TermId>,
    /// By step: where its search goes on.
    places: Vec<Cursor>,
    /// The step to be taken, the first one there is, and whether it is begun or goes on.
    at: usize,
    from: usize,
    fresh: bool,
    /// An atom that may not be used for literals before a given one, so that no way is found twice.
    skip: Option<(TermId, usize)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cursor {
    table: TableId,
    next: u32,
}

/// For whom a subgoal's plan is carried out: what it needs of its own unit, it waits for.
pub(super) struct Caller<'a> {
    pub agenda: &'a mut Agenda,
    pub table: TableId,
    pub subgoal: SubgoalId,
    pub plan: usize,
}

impl Join {
    /// Begins a plan; `false` if what is given does not fit.
    pub fn begin(&mut self, plan: &JoinPlan, given: &[TermId], context: &mut EvalContext) -> bool {
        self.skip = None;
        self.bindings.clear(plan.variables);
        self.resume_at(plan, 0);
        plan.given.iter().all(|(number, pattern)| self.bindings.fits(context.terms, pattern, given[*number]))
    }

    /// Begins a plan with the atom of one literal given, which may not be at any literal before it.
    pub fn begin_with(&mut self, plan: &JoinPlan, literal: usize, atom: TermId, context: &mut EvalContext) -> bool {
        let fits = self.begin(plan, &[atom], context);
        self.matched[literal] = atom;
        self.skip = Some((atom, literal));
        fits
    }

    /// Takes a plan up at a step; the bindings are there.
    pub fn resume_at(&mut self, plan: &JoinPlan, step: usize) {
        self.places.resize(plan.steps.len().max(self.places.len()), Cursor::default());
        self.matched.resize(plan.literals.max(self.matched.len()), TermId(0));
        (self.at, self.from, self.fresh) = (step, step, true);
    }

    /// Goes on to the next way; `false` if there is none.
    pub fn next(
        &mut self,
        plan: &JoinPlan,
        context: &mut EvalContext,
        mut caller: Option<&mut Caller>,
    ) -> Result<bool, TooLarge> {
        // The last way is left where it was found.
        let mut holds = self.fresh;
        loop {
            if holds && self.at == plan.steps.len() {
                self.fresh = false;
                return Ok(true);
            }
            if !holds {
                loop {
                    if self.at == self.from {
                        self.fresh = false;
                        return Ok(false);
                    }
                    self.at -= 1;
                    if matches!(plan.steps[self.at], JoinStep::Find { .. } | JoinStep::Call { .. }) {
                        break;
                    }
                }
                self.fresh = false;
            }
            holds = self.step(&plan.steps[self.at], context, caller.as_deref_mut())?;
            if holds {
                self.at += 1;
                self.fresh = true;
            }
        }
    }

    fn is_skipped(&self, atom: TermId, literal: usize) -> bool {
        self.skip.is_some_and(|(skip, given)| skip == atom && literal < given)
    }

    fn step(
        &mut self,
        step: &JoinStep,
        context: &mut EvalContext,
        caller: Option<&mut Caller>,
    ) -> Result<bool, TooLarge> {
        match step {
            JoinStep::Find { literal, index, values, pattern } => {
                let mut next = if self.fresh {
                    let mut hash = no_values();
                    for value in values {
                        // A value that is nowhere in the store is in no atom either.
                        let Some(value) = self.bindings.find(context.terms, value) else { return Ok(false) };
                        hash = mix(hash, value);
                    }
                    context.database.first(*index, hash)
                } else {
                    self.places[self.at].next
                };
                while next != 0 {
                    let (atom, before) = context.database.entry(*index, next);
                    next = before;
                    context.spend()?;
                    if !self.is_skipped(atom, *literal) && self.bindings.fits(context.terms, pattern, atom) {
                        self.matched[*literal] = atom;
                        self.places[self.at].next = next;
                        return Ok(true);
                    }
                }
                self.places[self.at].next = 0;
                Ok(false)
            }
            JoinStep::Holds { literal, pat } => {
                context.spend()?;
                let atom = self.bindings.find(context.terms, pat).filter(|&atom| context.database.contains(atom));
                let Some(atom) = atom.filter(|&atom| !self.is_skipped(atom, *literal)) else { return Ok(false) };
                self.matched[*literal] = atom;
                Ok(true)
            }
            JoinStep::Fails { literal, pat, open: true } => {
                self.matched[*literal] = self.bindings.build(context.terms, pat)?;
                Ok(true)
            }
            JoinStep::Fails { pat, open: false, .. } => {
                Ok(!self.bindings.find(context.terms, pat).is_some_and(|atom| context.database.contains(atom)))
            }
            JoinStep::Compare { one, other, equal } => {
                let (one, other) =
                    (self.bindings.build(context.terms, one)?, self.bindings.build(context.terms, other)?);
                Ok((one == other) == *equal)
            }
            JoinStep::CallFails { subgoal, values, pat } => {
                context.spend()?;
                let call = self.call(*subgoal, values, context)?;
                let table = context.call(*subgoal, call)?;
                let atom = self.bindings.find(context.terms, pat);
                Ok(!atom.is_some_and(|atom| context.tables.contains(table, atom, context.subgoals)))
            }
            JoinStep::Call { literal, subgoal, values, pattern } => {
                if self.fresh {
                    context.spend()?;
                    let call = self.call(*subgoal, values, context)?;
                    let table = match caller {
                        Some(caller) if caller.agenda.is_own(context.subgoals.get(*subgoal)) => {
                            match context.await_answers(caller, self.at, &self.bindings, *subgoal, call) {
                                Some(table) => table,
                                None => return Ok(false),
                            }
                        }
                        _ => context.call(*subgoal, call)?,
                    };
                    self.places[self.at] = Cursor { table, next: 0 };
                }
                let Cursor { table, next } = self.places[self.at];
                for number in next.. {
                    let Some(answer) = context.tables.answer(table, number as usize) else { break };
                    context.spend()?;
                    if self.bindings.fits(context.terms, pattern, answer) {
                        self.matched[*literal] = answer;
                        self.places[self.at].next = number + 1;
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    fn call(
        &mut self,
        subgoal: SubgoalId,
        values: &[super::program::Pat],
        context: &mut EvalContext,
    ) -> Result<Call, TooLarge> {
        let values = values.iter().map(|value| Ok(self.bindings.build(context.terms, value)?.0));
        std::iter::once(Ok(subgoal.0)).chain(values).collect()
    }
}
