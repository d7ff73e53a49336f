//! Facts under numbers: what learners look at, since terms are made of strings.

use super::{Game, Term};
use rustc_hash::FxHashMap;

/// A fact of a game by its number in a [`Vocabulary`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(pub u32);

impl FactId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A fact as a game shows it: by its place in [`Game::fact_terms`], or as it is if it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact<'a> {
    /// One of those that the game numbers.
    Numbered(FactId),
    /// Another one.
    Unnumbered(&'a Term),
}

/// The facts of a game, each under a number that stays the same.
///
/// It begins with the facts that the game numbers by itself. For games that number none (sheets that run without a network)
/// it grows with the states that it is shown: the same states in the same order give the same numbers.
///
/// ```
/// use onlooker::game::{FactSet, Game, Term, Vocabulary, catalogue_game};
///
/// let game = catalogue_game("tic-tac-toe").expect("a game of the catalogue");
/// let mut vocabulary = Vocabulary::new(&game);
/// let mut facts = FactSet::default();
/// vocabulary.learn(&game, &game.start(), &mut facts);
/// let middle: Term = "(cell 2 2 blank)".parse()?;
/// assert!(facts.contains(vocabulary.id(&middle).expect("a fact of the game")));
/// assert_eq!(facts.len(), 10);
/// # Ok::<(), onlooker::game::TermError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    terms: Vec<Term>,
    ids: FxHashMap<Term, FactId>,
}

impl Vocabulary {
    /// The facts that a game numbers.
    pub fn new<G: Game>(game: &G) -> Vocabulary {
        let terms = game.fact_terms();
        let ids = terms.iter().cloned().zip((0..).map(FactId)).collect();
        Vocabulary { terms, ids }
    }

    /// How many facts have a number.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The fact with a number.
    ///
    /// # Panics
    ///
    /// If the number is from another vocabulary and too large for this one.
    pub fn term(&self, id: FactId) -> &Term {
        &self.terms[id.index()]
    }

    /// The number of a fact, if it has one.
    pub fn id(&self, term: &Term) -> Option<FactId> {
        self.ids.get(term).copied()
    }

    /// The facts in the order of their numbers.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Replaces `facts` by those of a state. Facts without a number get one.
    pub fn learn<G: Game>(&mut self, game: &G, state: &G::State, facts: &mut FactSet) {
        facts.clear();
        game.for_each_fact(state, &mut |fact| {
            facts.insert(match fact {
                Fact::Numbered(id) => id,
                Fact::Unnumbered(term) => self.id(term).unwrap_or_else(|| {
                    let id = FactId(self.terms.len() as u32);
                    self.terms.push(term.clone());
                    self.ids.insert(term.clone(), id);
                    id
                }),
            });
        });
    }

    /// Replaces `facts` by those of a state that have a number; returns how many have none.
    pub fn read<G: Game>(&self, game: &G, state: &G::State, facts: &mut FactSet) -> usize {
        facts.clear();
        let mut unknown = 0;
        game.for_each_fact(state, &mut |fact| match fact {
            Fact::Numbered(id) => facts.insert(id),
            Fact::Unnumbered(term) => match self.id(term) {
                Some(id) => facts.insert(id),
                None => unknown += 1,
            },
        });
        unknown
    }
}

/// A set of facts by their numbers, a bit for each.
#[derive(Clone, Debug, Default)]
pub struct FactSet(Vec<u64>);

impl FactSet {
    /// Takes all facts out, and keeps the room.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a fact.
    #[inline]
    pub fn insert(&mut self, fact: FactId) {
        let word = fact.index() / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (fact.0 % 64);
    }

    /// Whether a fact is in the set.
    #[inline]
    pub fn contains(&self, fact: FactId) -> bool {
        self.0.get(fact.index() / 64).is_some_and(|word| word >> (fact.0 % 64) & 1 == 1)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The facts in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = FactId> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let bits = std::iter::successors(Some(word).filter(|&word| word != 0), |&left| {
                Some(left & (left - 1)).filter(|&left| left != 0)
            });
            bits.map(move |left| FactId((at * 64) as u32 + left.trailing_zeros()))
        })
    }

    /// The bits, fact 0 the lowest of the first word. Words at the end that are all 0 may be left out.
    pub fn words(&self) -> &[u64] {
        &self.0
    }
}

impl PartialEq for FactSet {
    fn eq(&self, other: &FactSet) -> bool {
        let (short, long) = if self.0.len() < other.0.len() { (&self.0, &other.0) } else { (&other.0, &self.0) };
        long.starts_with(short) && long[short.len()..].iter().all(|&word| word == 0)
    }
}

impl Eq for FactSet {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let mut set = FactSet::default();
        assert!(set.is_empty() && !set.contains(FactId(7)));
        let ids = [3, 0, 63, 64, 200, 3].map(FactId);
        ids.into_iter().for_each(|id| set.insert(id));
        assert_eq!(set.iter().map(|id| id.0).collect::<Vec<_>>(), [0, 3, 63, 64, 200]);
        assert!(set.len() == 5 && ids.iter().all(|&id| set.contains(id)) && !set.contains(FactId(65)));
        let mut other = set.clone();
        assert_eq!(set, other);
        other.insert(FactId(1000));
        assert_ne!(set, other);
        other.clear();
        other.insert(FactId(5));
        let mut small = FactSet::default();
        small.insert(FactId(5));
        assert_eq!(other, small);
    }
}
