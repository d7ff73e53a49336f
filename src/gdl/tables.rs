//! Tabling: each call of a subgoal is answered once (Chen and Warren 1996), with components that are known beforehand.
//!
//! A subgoal is called with values for its bound arguments. Its answers are kept in a table. If a plan needs answers of another
//! unit, that call is completed first. If it needs answers of its own unit, it becomes a *consumer*: it is suspended with its
//! bindings, and resumed for each answer that comes. When no consumer has anything left to do, all tables of the unit are
//! complete.

use super::TooLarge;
use super::bindings::Bindings;
use super::eval_context::EvalContext;
use super::join::{Caller, Join};
use super::join_plan::JoinStep;
use super::program::Phase;
use super::subgoals::{Subgoal, SubgoalId, Subgoals};
use super::terms::TermId;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A subgoal's number and the values it is called with.
pub(super) type Call = SmallVec<[u32; 8]>;

/// A table: the phase of its relation, and a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TableId {
    phase: Phase,
    number: u32,
}

#[derive(Clone, Debug)]
struct Table {
    call: Call,
    answers: Vec<TermId>,
    is_complete: bool,
    /// The numbers of those on the agenda who wait for answers.
    waiting: Vec<u32>,
}

/// The tables of a phase.
#[derive(Clone, Debug, Default)]
struct TableSpace {
    ids: FxHashMap<Call, u32>,
    tables: Vec<Table>,
    /// The answers of all tables but those of tests.
    seen: FxHashSet<(u32, TermId)>,
    size: usize,
}

/// All tables.
#[derive(Debug, Default)]
pub(super) struct Tables {
    spaces: [TableSpace; 3],
    /// Searches that nobody uses at the moment.
    spare: Vec<Join>,
}

impl Clone for Tables {
    fn clone(&self) -> Tables {
        Tables { spaces: self.spaces.clone(), spare: Vec::new() }
    }
}

/// What is left to do for a unit.
#[derive(Debug)]
pub(super) struct Agenda {
    unit: u32,
    recursive: bool,
    opened: Vec<TableId>,
    unbegun: Vec<TableId>,
    consumers: Vec<Consumer>,
    /// Those for whom there are answers.
    ready: Vec<u32>,
}

/// A plan that was put aside at a step until there are answers.
#[derive(Debug)]
struct Consumer {
    table: TableId,
    subgoal: SubgoalId,
    plan: usize,
    step: usize,
    bindings: Vec<TermId>,
    called: TableId,
    /// The first answer that it has not had.
    next: usize,
    is_ready: bool,
}

impl Agenda {
    /// Whether a subgoal is of the unit that is being worked out.
    pub fn is_own(&self, subgoal: &Subgoal) -> bool {
        self.recursive && subgoal.unit == self.unit
    }
}

impl Tables {
    /// How much is kept.
    pub fn size(&self) -> usize {
        self.spaces.iter().map(|space| space.size).sum()
    }

    /// Forgets the tables of a phase.
    pub fn clear(&mut self, phase: Phase) {
        let space = &mut self.spaces[phase as usize];
        space.ids.clear();
        space.tables.clear();
        space.seen.clear();
        space.size = 0;
    }

    pub fn is_empty(&self, phase: Phase) -> bool {
        self.spaces[phase as usize].tables.is_empty()
    }

    fn get(&self, table: TableId) -> &Table {
        &self.spaces[table.phase as usize].tables[table.number as usize]
    }

    fn get_mut(&mut self, table: TableId) -> &mut Table {
        &mut self.spaces[table.phase as usize].tables[table.number as usize]
    }

    pub fn answer(&self, table: TableId, number: usize) -> Option<TermId> {
        self.get(table).answers.get(number).copied()
    }

    pub fn answers(&self, table: TableId) -> &[TermId] {
        &self.get(table).answers
    }

    /// Whether an atom that a subgoal asks for is among the answers.
    pub fn contains(&self, table: TableId, atom: TermId, subgoals: &Subgoals) -> bool {
        let found = self.get(table);
        if subgoals.get(SubgoalId(found.call[0])).is_test {
            return !found.answers.is_empty();
        }
        self.spaces[table.phase as usize].seen.contains(&(table.number, atom))
    }

    /// The table of a subgoal, and whether it is new.
    fn open(&mut self, phase: Phase, call: Call) -> (TableId, bool) {
        let space = &mut self.spaces[phase as usize];
        if let Some(&number) = space.ids.get(&call) {
            return (TableId { phase, number }, false);
        }
        let number = space.tables.len() as u32;
        space.ids.insert(call.clone(), number);
        space.tables.push(Table { call, answers: Vec::new(), is_complete: false, waiting: Vec::new() });
        space.size += 4;
        (TableId { phase, number }, true)
    }

    /// Adds an answer and calls those who wait for it.
    fn add(&mut self, table: TableId, answer: TermId, is_test: bool, agenda: &mut Agenda) {
        let space = &mut self.spaces[table.phase as usize];
        let own = &mut space.tables[table.number as usize];
        let is_new = if is_test { own.answers.is_empty() } else { space.seen.insert((table.number, answer)) };
        if is_new {
            own.answers.push(answer);
            space.size += 1;
            for &number in &own.waiting {
                let waiting = &mut agenda.consumers[number as usize];
                if !std::mem::replace(&mut waiting.is_ready, true) {
                    agenda.ready.push(number);
                }
            }
        }
    }
}

impl EvalContext<'_> {
    /// The complete table of a subgoal.
    pub fn call(&mut self, subgoal: SubgoalId, call: Call) -> Result<TableId, TooLarge> {
        let called = self.subgoals.get(subgoal);
        let (table, _) = self.tables.open(called.phase, call);
        if self.tables.get(table).is_complete {
            return Ok(table);
        }
        let mut agenda = Agenda {
            unit: called.unit,
            recursive: called.recursive,
            opened: vec![table],
            unbegun: Vec::new(),
            consumers: Vec::new(),
            ready: Vec::new(),
        };
        self.answer(table, &mut agenda)?;
        loop {
            if let Some(table) = agenda.unbegun.pop() {
                self.answer(table, &mut agenda)?;
            } else if let Some(waiting) = agenda.ready.pop() {
                self.go_on(waiting as usize, &mut agenda)?;
            } else {
                break;
            }
        }
        for &table in &agenda.opened {
            let table = self.tables.get_mut(table);
            table.is_complete = true;
            table.waiting = Vec::new();
        }
        Ok(table)
    }

    /// Begins all plans of a table.
    fn answer(&mut self, table: TableId, agenda: &mut Agenda) -> Result<(), TooLarge> {
        self.spend_table()?;
        let call = self.tables.get(table).call.clone();
        let id = SubgoalId(call[0]);
        let subgoal = &self.subgoals.get(id);
        let values: SmallVec<[TermId; 8]> = call[1..].iter().map(|&value| TermId(value)).collect();
        let mut search = self.tables.spare.pop().unwrap_or_default();
        for plan in 0..subgoal.plans.len() {
            if subgoal.is_test && !self.tables.get(table).answers.is_empty() {
                break;
            }
            if search.begin(&subgoal.plans[plan], &values, self) {
                let mut caller = Caller { agenda, table, subgoal: id, plan };
                self.carry_on(&mut search, &mut caller)?;
            }
        }
        self.tables.spare.push(search);
        Ok(())
    }

    /// Gives answers to a plan that waits.
    fn go_on(&mut self, number: usize, agenda: &mut Agenda) -> Result<(), TooLarge> {
        let waiting = &mut agenda.consumers[number];
        waiting.is_ready = false;
        let Consumer { table, subgoal: id, plan, step, called, .. } = *waiting;
        let subgoal = self.subgoals.get(id);
        let JoinStep::Call { pattern, .. } = &subgoal.plans[plan].steps[step] else {
            unreachable!("it waits for answers")
        };
        let mut search = self.tables.spare.pop().unwrap_or_default();
        while let Some(answer) = self.tables.answer(called, agenda.consumers[number].next) {
            if subgoal.is_test && !self.tables.get(table).answers.is_empty() {
                break;
            }
            self.spend()?;
            agenda.consumers[number].next += 1;
            search.bindings.values.clone_from(&agenda.consumers[number].bindings);
            if search.bindings.fits(self.terms, pattern, answer) {
                search.resume_at(&subgoal.plans[plan], step + 1);
                let mut caller = Caller { agenda, table, subgoal: id, plan };
                self.carry_on(&mut search, &mut caller)?;
            }
        }
        self.tables.spare.push(search);
        Ok(())
    }

    /// Adds all that follows from a search that was begun to the caller's table.
    fn carry_on(&mut self, search: &mut Join, caller: &mut Caller) -> Result<(), TooLarge> {
        let subgoal = self.subgoals.get(caller.subgoal);
        let plan = &subgoal.plans[caller.plan];
        while search.next(plan, self, Some(caller))? {
            let head = search.bindings.build(self.terms, &plan.head)?;
            self.tables.add(caller.table, head, subgoal.is_test, caller.agenda);
            // One answer is all there is.
            if subgoal.is_test || plan.is_ground {
                break;
            }
        }
        Ok(())
    }

    /// Puts a plan aside until there are answers to a subgoal of its own unit; the table if it is complete already.
    pub fn await_answers(
        &mut self,
        caller: &mut Caller,
        step: usize,
        bindings: &Bindings,
        subgoal: SubgoalId,
        call: Call,
    ) -> Option<TableId> {
        let Caller { agenda, table, subgoal: own, plan } = caller;
        let (called, is_new) = self.tables.open(self.subgoals.get(subgoal).phase, call);
        if self.tables.get(called).is_complete {
            return Some(called);
        }
        if is_new {
            agenda.opened.push(called);
            agenda.unbegun.push(called);
        }
        let number = agenda.consumers.len() as u32;
        let is_ready = !self.tables.get(called).answers.is_empty();
        if is_ready {
            agenda.ready.push(number);
        }
        agenda.consumers.push(Consumer {
            table: *table,
            subgoal: *own,
            plan: *plan,
            step,
            bindings: bindings.values.clone(),
            called,
            next: 0,
            is_ready,
        });
        self.tables.get_mut(called).waiting.push(number);
        self.tables.spaces[called.phase as usize].size += 8;
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::gdl::{Program, Prover, Term};
    use std::sync::Arc;

    /// What holds of terminal and the goals in the first state, by rules about a relation that needs itself.
    #[test]
    fn subgoals_are_answered_in_full_whatever_is_known() {
        const REST: &str =
            "(role a) (legal a go) (init s) (init (e 1 2)) (init (e 2 3)) (init (e 3 1)) (init (e 4 5)) ";
        let ways = [
            "(<= (path ?x ?y) (true (e ?x ?y))) (<= (path ?x ?z) (true (e ?x ?y)) (path ?y ?z)) ",
            "(<= (path ?x ?y) (true (e ?x ?y))) (<= (path ?x ?z) (path ?x ?y) (true (e ?y ?z))) ",
            "(<= (path ?x ?y) (true (e ?x ?y))) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z)) ",
            "(<= (path ?x ?y) (trip ?x ?y)) (<= (trip ?x ?y) (true (e ?x ?y))) (<= (trip ?x ?z) (path ?x ?y) (trip ?y ?z)) ",
        ];
        for way in ways {
            for (condition, expected) in [
                ("(path 1 1)", true),
                ("(path 1 4)", false),
                ("(path 4 ?x) (path ?x ?y)", false),
                ("(path ?x ?x) (distinct ?x 1)", true),
                ("(true (e ?x ?y)) (not (path ?y ?x))", true),
                ("(true (e ?x ?y)) (path ?x ?x) (not (path ?y ?x))", false),
            ] {
                let text = format!("{REST}{way}(<= terminal {condition})");
                let prover = Prover::new(Arc::new(Program::read(&text).unwrap())).unwrap();
                let facts: Arc<[Term]> = prover.start().to_vec().into();
                assert_eq!(prover.view(&facts).unwrap().terminal, expected, "{text}");
            }
        }
    }
}
