//! Carrying plans out: all the ways in which a clause's conditions hold, one after the other.

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
    /// The atom that each literal was matched with; those of comparisons and questions' denials mean nothing.
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

/// For whom a question's plan is carried out: what it needs of its own unit, it waits for.
pub(super) struct Asker<'a> {
    pub agenda: &'a mut Agenda,
    pub table: TableId,
    pub question: SubgoalId,
    pub plan: usize,
}

impl Join {
    /// Begins a plan; `false` if what is given does not fit.
    pub fn begin(&mut self, plan: &JoinPlan, given: &[TermId], world: &mut EvalContext) -> bool {
        self.skip = None;
        self.bindings.clear(plan.variables);
        self.resume_at(plan, 0);
        plan.given.iter().all(|(number, pattern)| self.bindings.fits(world.terms, pattern, given[*number]))
    }

    /// Begins a plan with the atom of one literal given, which may not be at any literal before it.
    pub fn begin_with(&mut self, plan: &JoinPlan, literal: usize, atom: TermId, world: &mut EvalContext) -> bool {
        let fits = self.begin(plan, &[atom], world);
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
        world: &mut EvalContext,
        mut asker: Option<&mut Asker>,
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
                    if matches!(plan.steps[self.at], JoinStep::Find { .. } | JoinStep::Ask { .. }) {
                        break;
                    }
                }
                self.fresh = false;
            }
            holds = self.step(&plan.steps[self.at], world, asker.as_deref_mut())?;
            if holds {
                self.at += 1;
                self.fresh = true;
            }
        }
    }

    fn is_skipped(&self, atom: TermId, literal: usize) -> bool {
        self.skip.is_some_and(|(skip, given)| skip == atom && literal < given)
    }

    fn step(&mut self, step: &JoinStep, world: &mut EvalContext, asker: Option<&mut Asker>) -> Result<bool, TooLarge> {
        match step {
            JoinStep::Find { literal, index, values, pattern } => {
                let mut next = if self.fresh {
                    let mut hash = no_values();
                    for value in values {
                        // A value that is nowhere in the store is in no atom either.
                        let Some(value) = self.bindings.find(world.terms, value) else { return Ok(false) };
                        hash = mix(hash, value);
                    }
                    world.database.first(*index, hash)
                } else {
                    self.places[self.at].next
                };
                while next != 0 {
                    let (atom, before) = world.database.entry(*index, next);
                    next = before;
                    world.spend()?;
                    if !self.is_skipped(atom, *literal) && self.bindings.fits(world.terms, pattern, atom) {
                        self.matched[*literal] = atom;
                        self.places[self.at].next = next;
                        return Ok(true);
                    }
                }
                self.places[self.at].next = 0;
                Ok(false)
            }
            JoinStep::Holds { literal, pat } => {
                world.spend()?;
                let atom = self.bindings.find(world.terms, pat).filter(|&atom| world.database.contains(atom));
                let Some(atom) = atom.filter(|&atom| !self.is_skipped(atom, *literal)) else { return Ok(false) };
                self.matched[*literal] = atom;
                Ok(true)
            }
            JoinStep::Fails { literal, pat, open: true } => {
                self.matched[*literal] = self.bindings.build(world.terms, pat);
                Ok(true)
            }
            JoinStep::Fails { pat, open: false, .. } => {
                Ok(!self.bindings.find(world.terms, pat).is_some_and(|atom| world.database.contains(atom)))
            }
            JoinStep::Compare { one, other, equal } => {
                let (one, other) = (self.bindings.build(world.terms, one), self.bindings.build(world.terms, other));
                Ok((one == other) == *equal)
            }
            JoinStep::AskFails { question, values, pat } => {
                world.spend()?;
                let call = self.call(*question, values, world);
                let table = world.ask(*question, call)?;
                let atom = self.bindings.find(world.terms, pat);
                Ok(!atom.is_some_and(|atom| world.tables.contains(table, atom, world.questions)))
            }
            JoinStep::Ask { literal, question, values, pattern } => {
                if self.fresh {
                    world.spend()?;
                    let call = self.call(*question, values, world);
                    let table = match asker {
                        Some(asker) if asker.agenda.is_own(world.questions.get(*question)) => {
                            match world.await_answers(asker, self.at, &self.bindings, *question, call) {
                                Some(table) => table,
                                None => return Ok(false),
                            }
                        }
                        _ => world.ask(*question, call)?,
                    };
                    self.places[self.at] = Cursor { table, next: 0 };
                }
                let Cursor { table, next } = self.places[self.at];
                for number in next.. {
                    let Some(answer) = world.tables.answer(table, number as usize) else { break };
                    world.spend()?;
                    if self.bindings.fits(world.terms, pattern, answer) {
                        self.matched[*literal] = answer;
                        self.places[self.at].next = number + 1;
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    fn call(&mut self, question: SubgoalId, values: &[super::program::Pat], world: &mut EvalContext) -> Call {
        let values = values.iter().map(|value| self.bindings.build(world.terms, value).0);
        std::iter::once(question.0).chain(values).collect()
    }
}
