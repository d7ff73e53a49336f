//! Whether two movements are the same on a board.

use super::no_backtrack::no_backtrack;
use super::{Landing, Symbol};
use crate::automata::{Dfa, StateId};
use crate::board::{Offset, Shape, Trace};
use rustc_hash::FxHashMap;

/// A word that one of two movements has and the other has not, among the words that fit a board of this shape and come
/// to no square twice; no other word is ever a move. `None` if there is none: then both generate the same moves in
/// every position.
///
/// If a movement takes or puts down pieces or has guards, all words count in which no step is followed by its opposite.
/// So do they if two movements have so many words in common before they differ that they cannot be looked through: a
/// word is returned then that may never be a move, since `None` must not be said without proof.
pub fn movement_difference(a: &Dfa<Symbol>, b: &Dfa<Symbol>, shape: Shape) -> Option<Vec<Symbol>> {
    // Learners like to let opposite directions share a state; nearly always that is the only difference.
    let (a, b) = (&no_backtrack(a), &no_backtrack(b));
    let any = a.difference(b)?;
    let letters = [a, b].into_iter().flat_map(Dfa::states).flat_map(|state| &state.edges).map(|edge| edge.0);
    if letters.into_iter().any(|letter| !matches!(letter, Symbol::Step { landing: Landing::On(_), .. })) {
        return Some(any);
    }
    let mut walk = PairWalk {
        a,
        b,
        shape,
        trace: Trace::dropping(),
        word: Vec::new(),
        same: same_from_here(a, b),
        left: MOST_STEPS,
    };
    match walk.differs(Some(StateId(0)), Some(StateId(0))) {
        Some(true) => Some(walk.word),
        Some(false) => None,
        None => Some(any),
    }
}

/// Enough for every piece that is not made to wander all over the board.
const MOST_STEPS: u32 = 2_000_000;

type Pair = (Option<StateId>, Option<StateId>);

/// A walk through both automata at once, a missing edge leading out of one for good.
struct PairWalk<'d> {
    a: &'d Dfa<Symbol>,
    b: &'d Dfa<Symbol>,
    shape: Shape,
    trace: Trace<()>,
    word: Vec<Symbol>,
    same: FxHashMap<Pair, bool>,
    left: u32,
}

fn accepts(dfa: &Dfa<Symbol>, at: Option<StateId>) -> bool {
    at.is_some_and(|at| dfa.states()[at.index()].accepting)
}

fn letters((a, b): (&Dfa<Symbol>, &Dfa<Symbol>), pair: Pair) -> Vec<Symbol> {
    let leaving = |dfa: &Dfa<Symbol>, at: Option<StateId>| -> Vec<Symbol> {
        at.map_or(Vec::new(), |at| dfa.states()[at.index()].edges.iter().map(|edge| edge.0).collect())
    };
    let mut letters = [leaving(a, pair.0), leaving(b, pair.1)].concat();
    letters.sort_unstable();
    letters.dedup();
    letters
}

fn next((a, b): (&Dfa<Symbol>, &Dfa<Symbol>), pair: Pair, letter: &Symbol) -> Pair {
    (pair.0.and_then(|at| a.next(at, letter)), pair.1.and_then(|at| b.next(at, letter)))
}

/// For each pair of states that can be met, whether the same words go on from both. Ways that lead only to such pairs
/// need not be walked, which is nearly all where two movements differ in little.
fn same_from_here(a: &Dfa<Symbol>, b: &Dfa<Symbol>) -> FxHashMap<Pair, bool> {
    let start = (Some(StateId(0)), Some(StateId(0)));
    let mut same = FxHashMap::from_iter([(start, true)]);
    let mut pairs = vec![start];
    let mut before: Vec<(Pair, Pair)> = Vec::new();
    let mut at = 0;
    while at < pairs.len() {
        let pair = pairs[at];
        for letter in letters((a, b), pair) {
            let to = next((a, b), pair, &letter);
            before.push((to, pair));
            if same.insert(to, true).is_none() {
                pairs.push(to);
            }
        }
        at += 1;
    }
    let mut open: Vec<Pair> = pairs.into_iter().filter(|pair| accepts(a, pair.0) != accepts(b, pair.1)).collect();
    before.sort_unstable();
    while let Some(pair) = open.pop() {
        if same.insert(pair, false) == Some(true) {
            let first = before.partition_point(|(to, _)| *to < pair);
            open.extend(before[first..].iter().take_while(|(to, _)| *to == pair).map(|(_, from)| *from));
        }
    }
    same
}

impl PairWalk<'_> {
    /// Whether a word that goes on from here is a difference; the word is kept then. `None` if the steps are used up.
    fn differs(&mut self, a: Option<StateId>, b: Option<StateId>) -> Option<bool> {
        if accepts(self.a, a) != accepts(self.b, b) {
            return Some(true);
        }
        for letter in letters((self.a, self.b), (a, b)) {
            let Symbol::Step { dx, dy, .. } = letter else { continue };
            let to = next((self.a, self.b), (a, b), &letter);
            let before = self.trace.clone();
            if self.same[&to] || !self.trace.step(dx, dy, None) {
                continue;
            }
            self.left = self.left.checked_sub(1)?;
            self.word.push(letter);
            if self.fits() && self.differs(to.0, to.1)? {
                return Some(true);
            }
            self.trace = before;
            self.word.pop();
        }
        Some(false)
    }

    fn fits(&self) -> bool {
        let fits_along = |of: fn(&Offset) -> i16, side: usize| {
            let at = self.trace.visited().iter().map(of);
            let (least, most) = at.fold((0, 0), |(least, most), at| (least.min(at), most.max(at)));
            most - least < side as i16
        };
        fits_along(|at| at.0, self.shape.width()) && fits_along(|at| at.1, self.shape.height())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Player;
    use crate::rules::Rules;

    fn automaton(words: &str) -> Dfa<Symbol> {
        let text = format!(
            "game toy\nplayers white\nboard\n  R..\nmoves\n  R  {words}\nending\n  lose when the next player cannot move\n"
        );
        let rules = Rules::parse(&text).unwrap();
        rules.automaton(&rules.moves[0], Player::First).unwrap()
    }

    #[test]
    fn only_words_that_can_be_moves_count() {
        let shape = Shape::new(3, 2).unwrap();
        for (a, b, differ) in [
            ("orthogonal(empty+)", "orthogonal(empty+)", false),
            ("sideways(empty{1,2})", "sideways(empty+)", false),
            ("sideways(empty)", "sideways(empty+)", true),
            ("vertical(empty{1,2})", "vertical(empty)", false),
            // Back and forth comes to a square twice.
            ("sideways(empty+)", "(left(empty) | right(empty))+", false),
            ("vertical(empty) sideways(empty)", "vertical(empty) sideways(empty enemy?)", true),
            ("leap 3,0(empty) | right(own)", "right(own)", false),
            // Where something is taken, every word counts.
            ("vertical(take:enemy empty{0,3})", "vertical(take:enemy empty{0,2})", true),
        ] {
            let (a, b) = (automaton(a), automaton(b));
            let found = [movement_difference(&a, &b, shape), movement_difference(&b, &a, shape)];
            for word in &found {
                assert_eq!(word.is_some(), differ, "{word:?}");
                assert!(word.as_ref().is_none_or(|word| a.accepts(word) != b.accepts(word)));
            }
        }
    }
}
