//! Bindings: what the variables of a clause stand for while its conditions are joined, and matching of patterns with terms.

use super::limits::TooLarge;
use super::program::Pat;
use super::terms::{Functor, TermId, Terms};

/// A pattern as it is matched when some variables are known.
#[derive(Clone, Debug)]
pub(super) enum ArgumentMatch {
    Bind(usize),
    Equal(usize),
    Ground(TermId),
    Apply(Functor, Vec<ArgumentMatch>),
}

impl ArgumentMatch {
    /// How a pattern is matched; its variables are known afterwards.
    pub fn new(pat: &Pat, known: &mut [bool]) -> ArgumentMatch {
        match pat {
            Pat::Variable(variable) if std::mem::replace(&mut known[*variable], true) => {
                ArgumentMatch::Equal(*variable)
            }
            Pat::Variable(variable) => ArgumentMatch::Bind(*variable),
            Pat::Ground(term) => ArgumentMatch::Ground(*term),
            Pat::Apply(functor, parts) => {
                ArgumentMatch::Apply(*functor, parts.iter().map(|part| ArgumentMatch::new(part, known)).collect())
            }
        }
    }
}

/// The values of variables. Plans know which of them mean something, so that none is ever taken back.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings {
    pub values: Vec<TermId>,
    spare: Vec<Vec<TermId>>,
}

impl Bindings {
    pub fn clear(&mut self, variables: usize) {
        self.values.clear();
        self.values.resize(variables, TermId(0));
    }

    /// Whether a term is what a pattern stands for; binds the variables that were not known.
    pub fn fits(&mut self, terms: &Terms, pattern: &ArgumentMatch, term: TermId) -> bool {
        match pattern {
            ArgumentMatch::Bind(variable) => {
                self.values[*variable] = term;
                true
            }
            ArgumentMatch::Equal(variable) => self.values[*variable] == term,
            ArgumentMatch::Ground(ground) => *ground == term,
            ArgumentMatch::Apply(functor, parts) => {
                terms.functor_of(term) == *functor
                    && parts.iter().enumerate().all(|(i, part)| self.fits(terms, part, terms.arguments(term)[i]))
            }
        }
    }

    /// The term that a pattern stands for, if the store has it.
    pub fn find(&mut self, terms: &Terms, pat: &Pat) -> Option<TermId> {
        match pat {
            Pat::Variable(variable) => Some(self.values[*variable]),
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

    /// The term that a pattern stands for, unless it is too large.
    pub fn build(&mut self, terms: &mut Terms, pat: &Pat) -> Result<TermId, TooLarge> {
        let term = self.assemble(terms, pat);
        // A term is larger than its parts.
        if let Pat::Apply(..) = pat {
            terms.check_size(term)?;
        }
        Ok(term)
    }

    /// The term that a pattern stands for, whatever its size: only for what the sheet itself says.
    pub fn assemble(&mut self, terms: &mut Terms, pat: &Pat) -> TermId {
        match pat {
            Pat::Variable(variable) => self.values[*variable],
            Pat::Ground(term) => *term,
            Pat::Apply(functor, parts) => {
                let mut arguments = self.spare.pop().unwrap_or_default();
                arguments.clear();
                for part in parts {
                    let term = self.assemble(terms, part);
                    arguments.push(term);
                }
                let term = terms.intern(*functor, &arguments);
                self.spare.push(arguments);
                term
            }
        }
    }
}
