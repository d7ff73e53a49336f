//! Terms without variables, interned: each is kept once under a number (hash consing).
//!
//! Shared parts make a term small here that is enormous when it is written: `(f T T)` of a `T` that is built the same way
//! doubles with every step. So every term knows how long it is when written and how deeply it is nested, and whoever makes
//! terms from rules checks that ([`Terms::check_size`]).

use super::Term;
use super::limits::TooLarge;
use rustc_hash::FxHashMap;

/// A term: equal numbers, equal terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TermId(pub u32);

impl TermId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A name with the number of things it is applied to; relations have theirs too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Functor(pub u32);

impl Functor {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a functor is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FunctorName {
    pub name: String,
    /// `None` for a bare name; `(f)` has 0.
    pub arity: Option<u32>,
}

/// The longest term, in characters as it is written. Terms of known games have less than a hundred.
pub(super) const MAX_TERM_LENGTH: u16 = 8192;
/// How deeply lists may be nested in a term: as deeply as a term that is read.
pub(super) const MAX_TERM_DEPTH: u8 = 200;

/// How large a term is as a tree, without regard to what its parts share. Both numbers stop at their types' largest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TermSize {
    /// Bytes when it is written.
    length: u16,
    /// Nested lists.
    depth: u8,
}

/// The store of terms. Terms can be added and, in the reverse order, forgotten.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    words: Vec<FunctorName>,
    functors: FxHashMap<FunctorName, Functor>,
    terms: Vec<(Functor, u32)>,
    arguments: Vec<TermId>,
    /// By term.
    sizes: Vec<TermSize>,
    /// Open addressing over term numbers plus one, 0 being free. Its order of filling is that of the numbers, which is
    /// what makes forgetting possible.
    slots: Vec<u32>,
}

impl Terms {
    pub fn functor(&mut self, name: &str, arity: Option<u32>) -> Functor {
        let word = FunctorName { name: name.to_owned(), arity };
        let next = Functor(self.words.len() as u32);
        *self.functors.entry(word).or_insert_with_key(|word| {
            self.words.push(word.clone());
            next
        })
    }

    pub fn find_functor(&self, name: &str, arity: Option<u32>) -> Option<Functor> {
        self.functors.get(&FunctorName { name: name.to_owned(), arity }).copied()
    }

    pub fn word(&self, functor: Functor) -> &FunctorName {
        &self.words[functor.index()]
    }

    pub fn functors(&self) -> usize {
        self.words.len()
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn functor_of(&self, term: TermId) -> Functor {
        self.terms[term.index()].0
    }

    pub fn arguments(&self, term: TermId) -> &[TermId] {
        let begin = self.terms[term.index()].1 as usize;
        let end = self.terms.get(term.index() + 1).map_or(self.arguments.len(), |next| next.1 as usize);
        &self.arguments[begin..end]
    }

    fn slot(&self, functor: Functor, arguments: &[TermId]) -> usize {
        let mut hash = u64::from(functor.0).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x517C_C1B7_2722_0A95;
        for argument in arguments {
            hash = (hash.rotate_left(23) ^ u64::from(argument.0)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        }
        hash ^= hash >> 32;
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            let term = TermId(self.slots[at] - 1);
            if self.functor_of(term) == functor && self.arguments(term) == arguments {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }

    pub fn find(&self, functor: Functor, arguments: &[TermId]) -> Option<TermId> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(functor, arguments)].checked_sub(1).map(TermId)
    }

    pub fn intern(&mut self, functor: Functor, arguments: &[TermId]) -> TermId {
        if self.terms.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(functor, arguments);
        if let Some(found) = self.slots[slot].checked_sub(1) {
            return TermId(found);
        }
        let id = self.terms.len() as u32;
        self.terms.push((functor, self.arguments.len() as u32));
        self.arguments.extend_from_slice(arguments);
        self.sizes.push(self.size_of(functor, arguments));
        self.slots[slot] = id + 1;
        TermId(id)
    }

    fn size_of(&self, functor: Functor, arguments: &[TermId]) -> TermSize {
        let word = self.word(functor);
        let name = u16::try_from(word.name.len()).unwrap_or(u16::MAX);
        if word.arity.is_none() {
            return TermSize { length: name, depth: 0 };
        }
        // Brackets around it, and a space before each argument.
        let whole = TermSize { length: name.saturating_add(2), depth: 0 };
        let whole = arguments.iter().map(|part| self.sizes[part.index()]).fold(whole, |whole, part| TermSize {
            length: whole.length.saturating_add(part.length).saturating_add(1),
            depth: whole.depth.max(part.depth),
        });
        TermSize { depth: whole.depth.saturating_add(1), ..whole }
    }

    /// How many characters a term has when it is written; for terms beyond the limit, more than that.
    pub fn length(&self, term: TermId) -> usize {
        usize::from(self.sizes[term.index()].length)
    }

    /// Refuses a term that is too large to be written.
    #[inline]
    pub fn check_size(&self, term: TermId) -> Result<(), TooLarge> {
        let size = self.sizes[term.index()];
        if size.length > MAX_TERM_LENGTH {
            return Err(TooLarge::TermLength(MAX_TERM_LENGTH));
        }
        if size.depth > MAX_TERM_DEPTH {
            return Err(TooLarge::TermDepth(MAX_TERM_DEPTH));
        }
        Ok(())
    }

    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(64)];
        for id in 0..self.terms.len() as u32 {
            let term = TermId(id);
            let slot = self.slot(self.functor_of(term), self.arguments(term));
            self.slots[slot] = id + 1;
        }
    }

    /// Forgets all terms but the first `length`.
    pub fn truncate(&mut self, length: usize) {
        while self.terms.len() > length {
            let term = TermId(self.terms.len() as u32 - 1);
            let slot = self.slot(self.functor_of(term), self.arguments(term));
            // Nothing that is still there was put down after it, so no search leads past its slot.
            self.slots[slot] = 0;
            let (_, begin) = self.terms.pop().expect("it is longer than that");
            self.arguments.truncate(begin as usize);
            self.sizes.pop();
        }
    }

    /// The number of a term that is given as text is.
    pub fn intern_term(&mut self, term: &Term) -> Option<TermId> {
        match term {
            Term::Name(name) => {
                let functor = self.functor(name, None);
                Some(self.intern(functor, &[]))
            }
            Term::List(parts) => {
                let name = parts.first()?.as_name()?;
                let arguments = parts[1..].iter().map(|part| self.intern_term(part)).collect::<Option<Vec<_>>>()?;
                let functor = self.functor(name, Some(arguments.len() as u32));
                Some(self.intern(functor, &arguments))
            }
        }
    }

    /// The same for a store that must not change: `None` if it has no such term.
    pub fn find_term(&self, term: &Term) -> Option<TermId> {
        match term {
            Term::Name(name) => self.find(self.find_functor(name, None)?, &[]),
            Term::List(parts) => {
                let name = parts.first()?.as_name()?;
                let arguments = parts[1..].iter().map(|part| self.find_term(part)).collect::<Option<Vec<_>>>()?;
                self.find(self.find_functor(name, Some(arguments.len() as u32))?, &arguments)
            }
        }
    }

    /// How a term is written.
    pub fn term(&self, id: TermId) -> Term {
        let word = self.word(self.functor_of(id));
        match word.arity {
            None => Term::name(&word.name),
            Some(_) => Term::apply(&word.name, self.arguments(id).iter().map(|&part| self.term(part))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_kept_once_and_forgotten_in_reverse() {
        let mut terms = Terms::default();
        let read = |text: &str| text.parse::<Term>().unwrap();
        let first = terms.intern_term(&read("(cell 1 2 (s b))")).unwrap();
        let before = terms.len();
        for i in 0..1000 {
            terms.intern_term(&read(&format!("(cell {i} 2 (s b))"))).unwrap();
        }
        assert_eq!(terms.intern_term(&read("(cell 1 2 (s b))")), Some(first));
        terms.truncate(before);
        assert_eq!(terms.len(), before);
        assert_eq!(terms.find_term(&read("(cell 7 2 (s b))")), None);
        assert_eq!(terms.find_term(&read("(cell 1 2 (s b))")), Some(first));
        assert_eq!(terms.term(first).to_string(), "(cell 1 2 (s b))");
    }

    #[test]
    fn sizes_are_those_of_the_written_term_and_sharing_does_not_help() {
        let mut terms = Terms::default();
        for text in ["a", "(f)", "(f a)", "(cell 1 2 (s b))", "(f (f (f a b) c) (g))"] {
            let term = terms.intern_term(&text.parse().unwrap()).unwrap();
            assert_eq!(terms.length(term), text.len(), "{text}");
        }
        let (f, s) = (terms.functor("f", Some(2)), terms.functor("s", Some(1)));
        let leaf = terms.intern_term(&Term::name("a")).unwrap();
        let (mut wide, mut deep) = (leaf, leaf);
        let mut refused = [None, None];
        for step in 0..300 {
            wide = terms.intern(f, &[wide, wide]);
            deep = terms.intern(s, &[deep]);
            for (term, refused) in [wide, deep].into_iter().zip(&mut refused) {
                if let Err(error) = terms.check_size(term) {
                    refused.get_or_insert((step, error));
                }
            }
        }
        assert_eq!(refused[0], Some((10, TooLarge::TermLength(MAX_TERM_LENGTH))));
        assert_eq!(refused[1], Some((200, TooLarge::TermDepth(MAX_TERM_DEPTH))));
    }
}
