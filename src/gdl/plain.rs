//! The plain engine: everything is worked out anew in every state. It is what faster ones are compared with, and what runs
//! where those would grow too large.

use super::Term;
use super::database::Database;
use super::join::Joiner;
use super::program::{Phase, Program};
use super::strata::{self, Stratum, TooMany};
use super::terms::{Functor, TermId, Terms};
use std::sync::{Arc, Mutex, PoisonError};

/// A sheet that runs from its rules.
#[derive(Debug)]
pub struct Plain {
    program: Arc<Program>,
    roles: Vec<TermId>,
    /// What is the same in all states, with the indexes that all plans need.
    base: Scratch,
    of_state: Vec<Stratum>,
    of_moves: Vec<Stratum>,
    /// The relations that are worked out for a state, and those for moves.
    state_relations: Vec<Functor>,
    moves_relations: Vec<Functor>,
    start: Vec<Term>,
    /// Rooms to work in that nobody uses at the moment.
    pool: Mutex<Vec<Scratch>>,
}

/// Room to work a state out.
#[derive(Clone, Debug)]
struct Scratch {
    terms: Terms,
    database: Database,
    /// The state whose relations are there.
    loaded: Option<Arc<[Term]>>,
}

/// What the rules say about a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Whether the game is over.
    pub terminal: bool,
    /// Each role's legal moves, sorted by how they are written.
    pub legal: Vec<Vec<Term>>,
    /// Each role's goal, if it has exactly one that is a number.
    pub goals: Vec<Option<u8>>,
}

/// More terms than this in the fixed relations, and the sheet is refused.
const MOST_TERMS: usize = 20_000_000;

/// A sheet whose fixed relations are too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the relations that are the same in all states have more than {MOST_TERMS} terms")]
pub struct TooLarge;

impl Plain {
    /// Makes a program ready to run.
    pub fn new(program: Arc<Program>) -> Result<Plain, TooLarge> {
        let mut base = Scratch { terms: program.terms.clone(), database: Database::default(), loaded: None };
        let Scratch { terms, database, .. } = &mut base;
        strata::plan(&program, Phase::Fixed, terms, database, MOST_TERMS).map_err(|TooMany| TooLarge)?;
        let only = |terms: &Terms, database: &Database, relation: Functor| {
            database.rows(relation).iter().map(|&atom| terms.arguments(atom)[0]).collect::<Vec<TermId>>()
        };
        let start = only(terms, database, program.words.init);
        let roles = only(terms, database, program.words.role);
        // The facts among what changes must outlive every state.
        for clause in program.clauses.iter().filter(|clause| clause.body.is_empty()) {
            Joiner::default().build(terms, &clause.head);
        }
        let fixed_terms = terms.len();
        // Plans are made as good as the first state tells; then it is cleared away.
        for &fact in &start {
            let atom = terms.intern(program.words.holds, &[fact]);
            database.insert(terms, atom);
        }
        let of_state = strata::plan(&program, Phase::State, terms, database, MOST_TERMS).map_err(|TooMany| TooLarge)?;
        for &role in &roles {
            let legal = database.rows(program.words.legal).iter().map(|&atom| terms.arguments(atom));
            let first = legal.filter(|parts| parts[0] == role).map(|parts| parts[1]).next();
            if let Some(choice) = first {
                let atom = terms.intern(program.words.does, &[role, choice]);
                database.insert(terms, atom);
            }
        }
        let of_moves = strata::plan(&program, Phase::Moves, terms, database, MOST_TERMS).map_err(|TooMany| TooLarge)?;
        let relations = |phase| {
            let all = (0..program.relations.len()).filter(|&functor| program.relations[functor].phase == phase);
            all.map(|functor| Functor(functor as u32)).collect()
        };
        let (state_relations, moves_relations): (Vec<Functor>, Vec<Functor>) =
            (relations(Phase::State), relations(Phase::Moves));
        let mut start: Vec<Term> = start.iter().map(|&fact| terms.term(fact)).collect();
        start.sort();
        let role = |name: &String| {
            let role = roles.iter().find(|&&role| terms.term(role).to_string() == *name);
            *role.expect("the program found it among the facts")
        };
        let roles = program.roles().iter().map(role).collect();
        state_relations.iter().chain(&moves_relations).for_each(|&relation| database.clear(relation));
        terms.truncate(fixed_terms);
        Ok(Plain {
            roles,
            of_state,
            of_moves,
            state_relations,
            moves_relations,
            start,
            base,
            pool: Mutex::default(),
            program,
        })
    }

    /// The program it runs.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The facts of the first state, sorted.
    pub fn start(&self) -> &[Term] {
        &self.start
    }

    /// Works out what the rules say about a state.
    pub fn view(&self, facts: &Arc<[Term]>) -> View {
        self.work(|scratch| {
            self.load(scratch, facts);
            let (terms, database) = (&scratch.terms, &scratch.database);
            let words = self.program.words;
            let of_role = |relation: Functor, role: TermId| {
                let rows = database.rows(relation).iter().map(|&atom| terms.arguments(atom));
                rows.filter(move |parts| parts[0] == role).map(|parts| parts[1])
            };
            let legal = |&role: &TermId| {
                let mut moves: Vec<(String, Term)> = of_role(words.legal, role)
                    .map(|choice| terms.term(choice))
                    .map(|choice| (choice.to_string(), choice))
                    .collect();
                moves.sort();
                moves.into_iter().map(|(_, choice)| choice).collect()
            };
            let goal = |&role: &TermId| {
                let mut values = of_role(words.goal, role);
                let first = values.next()?;
                values.next().is_none().then(|| terms.term(first).as_name()?.parse().ok()).flatten()
            };
            View {
                terminal: !database.rows(words.terminal).is_empty(),
                legal: self.roles.iter().map(legal).collect(),
                goals: self.roles.iter().map(goal).collect(),
            }
        })
    }

    /// The facts of the state after a joint move, a move for each role, sorted.
    pub fn next(&self, facts: &Arc<[Term]>, joint: &[Term]) -> Vec<Term> {
        self.work(|scratch| {
            self.load(scratch, facts);
            let words = self.program.words;
            let Scratch { terms, database, .. } = scratch;
            for (&role, choice) in self.roles.iter().zip(joint) {
                // A move that is no term was never legal.
                let Some(choice) = terms.intern_term(choice) else { continue };
                let atom = terms.intern(words.does, &[role, choice]);
                database.insert(terms, atom);
            }
            self.work_out(&self.of_moves, terms, database);
            let mut next: Vec<Term> =
                database.rows(words.next).iter().map(|&atom| terms.term(terms.arguments(atom)[0])).collect();
            next.sort();
            self.moves_relations.iter().for_each(|&relation| database.clear(relation));
            next
        })
    }

    fn work<T>(&self, job: impl FnOnce(&mut Scratch) -> T) -> T {
        let spare = self.pool.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scratch = spare.unwrap_or_else(|| self.base.clone());
        let result = job(&mut scratch);
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        result
    }

    fn load(&self, scratch: &mut Scratch, facts: &Arc<[Term]>) {
        if scratch.loaded.as_ref().is_some_and(|loaded| Arc::ptr_eq(loaded, facts)) {
            return;
        }
        let Scratch { terms, database, loaded } = scratch;
        self.state_relations.iter().for_each(|&relation| database.clear(relation));
        terms.truncate(self.base.terms.len());
        for fact in facts.iter() {
            let Some(fact) = terms.intern_term(fact) else { continue };
            let atom = terms.intern(self.program.words.holds, &[fact]);
            database.insert(terms, atom);
        }
        self.work_out(&self.of_state, terms, database);
        *loaded = Some(facts.clone());
    }

    fn work_out(&self, strata: &[Stratum], terms: &mut Terms, database: &mut Database) {
        let mut joiner = Joiner::default();
        for stratum in strata {
            // Checked programs build only finitely much in a state.
            let _ = stratum.work_out(&mut joiner, terms, database, usize::MAX);
        }
    }
}
