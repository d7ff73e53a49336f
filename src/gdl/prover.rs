//! The prover: it evaluates what is asked about a state from the rules. It is what faster engines are compared with, and what
//! runs where those would grow too large.
//!
//! Small relations that are the same in all states are evaluated once, bottom-up. Everything else is evaluated top-down with
//! tabling, from `legal`, `goal`, `terminal` and `next`, and answers are kept as long as the state lasts.

use super::Term;
use super::TooLarge;
use super::database::Database;
use super::eval_context::EvalContext;
use super::join::Join;
use super::join_order::fastest;
use super::join_plan::{LiteralOrder, Planner};
use super::limits::{WorkLimit, check_stop};
use super::program::{Clause, Literal, Pat, Phase, Program};
use super::strata;
use super::subgoals::{SubgoalId, Subgoals};
use super::tables::{Call, Tables};
use super::terms::{Functor, TermId, Terms};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// A sheet that runs from its rules.
#[derive(Debug)]
pub struct Prover {
    program: Arc<Program>,
    roles: Vec<TermId>,
    /// What is the same in all states, with the indexes that all plans need.
    base: ProverScratch,
    subgoals: Subgoals,
    /// What is asked of every state. `None` where it is the same in all states.
    legal: Option<SubgoalId>,
    goal: Option<SubgoalId>,
    terminal: Option<SubgoalId>,
    next: Option<SubgoalId>,
    start: Vec<Term>,
    /// How much work a state is, as far as is known.
    pub(super) work_of_a_state: u64,
    /// Rooms to work in that nobody uses at the moment.
    pool: Mutex<Vec<ProverScratch>>,
}

/// How much may still be looked at, unless it is stopped from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance<'a> {
    pub left: u64,
    pub stop: &'a AtomicBool,
}

/// Room to work a state out.
#[derive(Clone, Debug)]
struct ProverScratch {
    terms: Terms,
    database: Database,
    tables: Tables,
    /// The state whose relations are there.
    loaded: Option<Arc<[Term]>>,
}

/// What the rules say about a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateView {
    /// Whether the game is over.
    pub terminal: bool,
    /// Each role's legal moves, sorted by how they are written.
    pub legal: Vec<Vec<Term>>,
    /// Each role's goal, if it has exactly one that is a number. Asked for only where the game is over, or a role has no
    /// move.
    pub goals: Vec<Option<u8>>,
}

/// How much may be looked at for a state, or for its successor, and how many terms and answers may come up. A state beyond
/// that is an error: it would take minutes.
pub(super) const MOST_WORK: u64 = 500_000_000;
const MOST_KEPT: usize = 20_000_000;
/// How many characters the facts of a state, or a role's legal moves, may have when they are written.
const MOST_WRITTEN: usize = 4 << 20;
/// Answers to subgoals that are the same in all states are kept until there are so many terms and answers more.
const MOST_REMEMBERED: usize = 1_000_000;

static NEVER: AtomicBool = AtomicBool::new(false);

impl Prover {
    /// Makes a program ready to run.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] if what holds in every state is too much to work out.
    pub fn new(program: Arc<Program>) -> Result<Prover, TooLarge> {
        Prover::new_until(program, &NEVER)
    }

    /// The same, but once `stop` is set it is given up.
    pub(crate) fn new_until(program: Arc<Program>, stop: &AtomicBool) -> Result<Prover, TooLarge> {
        let words = program.words;
        let mut base = ProverScratch {
            terms: program.terms.clone(),
            database: Database::default(),
            tables: Tables::default(),
            loaded: None,
        };
        let left_out = strata::work_out(&program, &mut base.terms, &mut base.database, stop);
        check_stop(stop)?;
        let mut subgoals = Subgoals::new(&program.relations);
        let mut clauses_of: Vec<Vec<&Clause>> = vec![Vec::new(); program.relations.len()];
        program.clauses.iter().for_each(|clause| clauses_of[clause.relation().index()].push(clause));
        for relation in (0..program.relations.len()).map(|functor| Functor(functor as u32)) {
            let known = program.relations[relation.index()];
            let asked = known.phase != Phase::Fixed || left_out[relation.index()];
            if known.used && asked && relation != words.holds && relation != words.does {
                let own = &clauses_of[relation.index()];
                let clauses = clauses_on_demand(relation, own, &mut base.terms, &mut base.database);
                subgoals.add(relation, clauses);
            }
        }
        // What the language itself speaks of is needed in full.
        for word in [words.role, words.init, words.legal, words.next, words.goal, words.terminal] {
            if subgoals.on_demand(word) && program.relations[word.index()].phase == Phase::Fixed {
                let subgoal = base.plan(word, 0, &mut subgoals, LiteralOrder::LeastWork, words.does, stop)?;
                let answers = base.ask(&subgoals, subgoal, &[], &mut base.budget(MOST_WORK, stop))?;
                subgoals.remove(word);
                answers.into_iter().for_each(|atom| _ = base.database.insert(&base.terms, atom));
            }
        }
        let first = |base: &ProverScratch, atom: TermId| base.terms.arguments(atom)[0];
        let start: Vec<TermId> = base.database.rows(words.init).iter().map(|&atom| first(&base, atom)).collect();
        let roles: Vec<TermId> = base.database.rows(words.role).iter().map(|&atom| first(&base, atom)).collect();
        let role = |name: &String| {
            let role = roles.iter().find(|&&role| base.terms.term(role).to_string() == *name);
            *role.expect("the program found it among the facts")
        };
        let roles: Vec<TermId> = program.roles().iter().map(role).collect();
        base.check_length(&start)?;
        let mut facts: Vec<Term> = start.iter().map(|&fact| base.terms.term(fact)).collect();
        facts.sort();
        let fixed_terms = base.terms.len();
        for &fact in &start {
            base.insert(words.holds, &[fact]);
        }
        // Plans are made as good as the first state tells; then it is cleared away.
        let plan = |order| {
            let (mut base, mut subgoals) = (base.clone(), subgoals.clone());
            let mut asked = |word: Functor, known: usize| {
                subgoals
                    .on_demand(word)
                    .then(|| base.plan(word, known, &mut subgoals, order, words.does, stop))
                    .transpose()
            };
            let (legal, goal) = (asked(words.legal, 1)?, asked(words.goal, 1)?);
            let (terminal, next) = (asked(words.terminal, 0)?, asked(words.next, 0)?);
            base.forget(fixed_terms, [words.holds, words.does]);
            let (program, roles, start) = (program.clone(), roles.clone(), facts.clone());
            let (work_of_a_state, pool) = (0, Mutex::default());
            Ok(Prover { program, roles, base, subgoals, legal, goal, terminal, next, start, work_of_a_state, pool })
        };
        fastest([plan(LiteralOrder::LeastWork), plan(LiteralOrder::AsWritten)], stop)
    }

    /// The program it runs.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// How much work it is to work out a state and go on to the next, in atoms that are looked at, by a first few states.
    pub fn work_of_a_state(&self) -> u64 {
        self.work_of_a_state
    }

    /// What is the same in all states, without indexes for the rest, and the subgoals about it.
    pub(super) fn fixed(&self) -> (Terms, Database, Subgoals) {
        let mut database = self.base.database.clone();
        for word in [self.program.words.holds, self.program.words.does] {
            database.forget_indexes(word);
        }
        let mut subgoals = self.subgoals.clone();
        for relation in (0..self.program.relations.len()).map(|functor| Functor(functor as u32)) {
            if self.program.relations[relation.index()].phase != Phase::Fixed {
                subgoals.remove(relation);
            }
        }
        (self.base.terms.clone(), database, subgoals)
    }

    pub(super) fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// The facts of the first state, sorted.
    pub fn start(&self) -> &[Term] {
        &self.start
    }

    /// Works out what the rules say about a state.
    ///
    /// # Errors
    ///
    /// Which limit the state is beyond.
    pub fn view(&self, facts: &Arc<[Term]>) -> Result<StateView, TooLarge> {
        self.view_until(facts, &NEVER)
    }

    /// The same, but once `stop` is set it is given up soon.
    ///
    /// # Errors
    ///
    /// Which limit the state is beyond, or that it was stopped.
    pub fn view_until(&self, facts: &Arc<[Term]>, stop: &AtomicBool) -> Result<StateView, TooLarge> {
        self.view_within(facts, &mut Allowance { left: MOST_WORK, stop })
    }

    pub(super) fn view_within(&self, facts: &Arc<[Term]>, allowance: &mut Allowance) -> Result<StateView, TooLarge> {
        self.work(facts, allowance, |scratch, budget| {
            let words = self.program.words;
            let terminal = match self.terminal {
                Some(subgoal) => !scratch.ask(&self.subgoals, subgoal, &[], budget)?.is_empty(),
                None => !scratch.database.rows(words.terminal).is_empty(),
            };
            let mut legal = Vec::new();
            for &role in &self.roles {
                let moves = scratch.of_role(&self.subgoals, words.legal, self.legal, role, budget)?;
                scratch.check_length(&moves)?;
                let moves = moves.into_iter().map(|choice| scratch.terms.term(choice));
                let mut moves: Vec<(String, Term)> = moves.map(|choice| (choice.to_string(), choice)).collect();
                moves.sort();
                legal.push(moves.into_iter().map(|(_, choice)| choice).collect::<Vec<Term>>());
            }
            let mut goals = vec![None; self.roles.len()];
            if terminal || legal.iter().any(Vec::is_empty) {
                for (&role, goal) in self.roles.iter().zip(&mut goals) {
                    let values = scratch.of_role(&self.subgoals, words.goal, self.goal, role, budget)?;
                    if let [only] = values[..] {
                        *goal = scratch.terms.term(only).as_name().and_then(|value| value.parse().ok());
                    }
                }
            }
            Ok(StateView { terminal, legal, goals })
        })
    }

    /// The facts of the state after a joint move, a move for each role, sorted.
    ///
    /// # Errors
    ///
    /// Which limit the next state is beyond.
    pub fn next(&self, facts: &Arc<[Term]>, joint: &[Term]) -> Result<Vec<Term>, TooLarge> {
        self.next_until(facts, joint, &NEVER)
    }

    /// The same, but once `stop` is set it is given up soon.
    ///
    /// # Errors
    ///
    /// Which limit the next state is beyond, or that it was stopped.
    pub fn next_until(&self, facts: &Arc<[Term]>, joint: &[Term], stop: &AtomicBool) -> Result<Vec<Term>, TooLarge> {
        self.next_within(facts, joint, &mut Allowance { left: MOST_WORK, stop })
    }

    pub(super) fn next_within(
        &self,
        facts: &Arc<[Term]>,
        joint: &[Term],
        allowance: &mut Allowance,
    ) -> Result<Vec<Term>, TooLarge> {
        self.work(facts, allowance, |scratch, budget| {
            let words = self.program.words;
            for (&role, choice) in self.roles.iter().zip(joint) {
                // A move that is no term was never legal.
                let Some(choice) = scratch.terms.intern_term(choice) else { continue };
                scratch.insert(words.does, &[role, choice]);
            }
            let atoms = match self.next {
                Some(subgoal) => scratch.ask(&self.subgoals, subgoal, &[], budget)?,
                None => scratch.database.rows(words.next).to_vec(),
            };
            scratch.check_length(&atoms)?;
            let fact = |&atom: &TermId| scratch.terms.term(scratch.terms.arguments(atom)[0]);
            let mut next: Vec<Term> = atoms.iter().map(fact).collect();
            next.sort();
            scratch.database.clear(words.does);
            scratch.tables.clear(Phase::Moves);
            Ok(next)
        })
    }

    /// Does something with a state. A room in which something went wrong is not used again.
    fn work<T>(
        &self,
        facts: &Arc<[Term]>,
        allowance: &mut Allowance,
        job: impl FnOnce(&mut ProverScratch, &mut WorkLimit) -> Result<T, TooLarge>,
    ) -> Result<T, TooLarge> {
        let spare = self.pool.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scratch = spare.unwrap_or_else(|| self.base.clone());
        let words = self.program.words;
        if !scratch.loaded.as_ref().is_some_and(|loaded| Arc::ptr_eq(loaded, facts)) {
            scratch.forget(self.base.terms.len(), [words.holds, words.does]);
            for fact in facts.iter() {
                if let Some(fact) = scratch.terms.intern_term(fact) {
                    scratch.terms.check_size(fact)?;
                    scratch.insert(words.holds, &[fact]);
                }
            }
            scratch.loaded = Some(facts.clone());
        }
        let mut budget = scratch.budget(allowance.left, allowance.stop);
        let result = job(&mut scratch, &mut budget)?;
        allowance.left -= budget.work.min(allowance.left);
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        Ok(result)
    }
}

/// The clauses of a relation on demand. Its facts become a relation of their own, so that they are not tried one by one.
fn clauses_on_demand(relation: Functor, own: &[&Clause], terms: &mut Terms, database: &mut Database) -> Vec<Clause> {
    let (facts, rules): (Vec<&Clause>, Vec<&Clause>) = own.iter().partition(|clause| clause.body.is_empty());
    let mut clauses: Vec<Clause> = rules.into_iter().cloned().collect();
    if let Some(fact) = facts.first() {
        let word = terms.word(relation).clone();
        // No name of a sheet has a space in it.
        let told = terms.functor(&format!("told {}", word.name), word.arity);
        let variables: Vec<Pat> = (0..word.arity.unwrap_or(0) as usize).map(Pat::Variable).collect();
        let body = vec![Literal::Holds(Pat::Apply(told, variables.clone()), fact.span.clone())];
        let (count, span) = (variables.len(), fact.span.clone());
        clauses.push(Clause { head: Pat::Apply(relation, variables), body, variables: count, span });
        let mut search = Join::default();
        for fact in &facts {
            let atom = search.bindings.assemble(terms, &fact.head);
            let arguments: Vec<TermId> = terms.arguments(atom).to_vec();
            let atom = terms.intern(told, &arguments);
            database.insert(terms, atom);
        }
    }
    clauses
}

impl ProverScratch {
    fn insert(&mut self, relation: Functor, arguments: &[TermId]) {
        let atom = self.terms.intern(relation, arguments);
        self.database.insert(&self.terms, atom);
    }

    /// Plans a subgoal to a relation whose first places are known.
    fn plan(
        &mut self,
        relation: Functor,
        known: usize,
        subgoals: &mut Subgoals,
        order: LiteralOrder,
        does: Functor,
        stop: &AtomicBool,
    ) -> Result<SubgoalId, TooLarge> {
        let arity = self.terms.word(relation).arity.unwrap_or(0) as usize;
        let pat = Pat::Apply(relation, (0..arity).map(Pat::Variable).collect());
        let known: Vec<bool> = (0..arity).map(|place| place < known).collect();
        let mut planner = Planner::new(&self.terms, &mut self.database, subgoals, &|_| false, stop);
        (planner.order, planner.single) = (order, Some(does));
        let (subgoal, _) = planner.subgoal(&pat, &known);
        planner.plan_subgoals()?;
        Ok(subgoal)
    }

    /// Refuses terms that are too long when they are written one after the other.
    fn check_length(&self, terms: &[TermId]) -> Result<(), TooLarge> {
        let length: usize = terms.iter().map(|&term| self.terms.length(term)).sum();
        if length > MOST_WRITTEN { Err(TooLarge::State(MOST_WRITTEN as u64)) } else { Ok(()) }
    }

    fn budget<'a>(&self, most_work: u64, stop: &'a AtomicBool) -> WorkLimit<'a> {
        WorkLimit { work: 0, most_work, most_kept: self.terms.len() + self.tables.size() + MOST_KEPT, stop }
    }

    /// The atoms that answer a subgoal.
    fn ask(
        &mut self,
        subgoals: &Subgoals,
        subgoal: SubgoalId,
        values: &[TermId],
        budget: &mut WorkLimit,
    ) -> Result<Vec<TermId>, TooLarge> {
        let ProverScratch { terms, database, tables, .. } = self;
        let mut context = EvalContext { terms, database, subgoals, tables, budget: *budget };
        let call: Call = std::iter::once(subgoal.0).chain(values.iter().map(|value| value.0)).collect();
        let table = context.call(subgoal, call)?;
        budget.work = context.budget.work;
        Ok(self.tables.answers(table).to_vec())
    }

    /// The second arguments of a relation's atoms whose first one is a role.
    fn of_role(
        &mut self,
        subgoals: &Subgoals,
        relation: Functor,
        subgoal: Option<SubgoalId>,
        role: TermId,
        budget: &mut WorkLimit,
    ) -> Result<Vec<TermId>, TooLarge> {
        let atoms = match subgoal {
            Some(subgoal) => self.ask(subgoals, subgoal, &[role], budget)?,
            None => self.database.rows(relation).to_vec(),
        };
        let parts = atoms.iter().map(|&atom| self.terms.arguments(atom));
        Ok(parts.filter(|parts| parts[0] == role).map(|parts| parts[1]).collect())
    }

    /// Forgets a state. Answers that are the same in all states are kept unless there are too many.
    fn forget(&mut self, fixed_terms: usize, words: [Functor; 2]) {
        self.loaded = None;
        words.iter().for_each(|&word| self.database.clear(word));
        self.tables.clear(Phase::State);
        self.tables.clear(Phase::Moves);
        let kept = self.terms.len() - fixed_terms + self.tables.size();
        if self.tables.is_empty(Phase::Fixed) || kept > MOST_REMEMBERED {
            self.tables.clear(Phase::Fixed);
            self.terms.truncate(fixed_terms);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_beyond_the_limits_is_an_error() {
        let digits: String = (0..60).map(|i| format!("(d {i})")).collect();
        let text = format!(
            "{digits} (role a) (legal a go) (goal a 0) (init s) (<= (next ?x) (true ?x)) \
             (<= terminal (true big) (d ?u) (d ?v) (d ?w) (d ?x) (d ?y) (d ?z) (not (n ?u ?v ?w)) (not (n ?x ?y ?z))) \
             (<= (n ?x ?y ?z) (d ?x) (d ?y) (d ?z) (true s))"
        );
        let prover = Prover::new(Arc::new(Program::read(&text).unwrap())).unwrap();
        let state = |text: &str| -> Arc<[Term]> { text.split(' ').map(Term::name).collect() };
        assert!(!prover.view(&state("s")).unwrap().terminal);
        let mut allowance = Allowance { left: 1_000_000, stop: &NEVER };
        assert_eq!(prover.view_within(&state("big s"), &mut allowance), Err(TooLarge::Work(1_000_000)));
        assert!(!prover.view(&state("s")).unwrap().terminal);
    }
}
