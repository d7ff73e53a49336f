//! Shorter expressions for the same words.
//!
//! The constructors here take expressions that are simple already and put them together simply. Every rule is an
//! identity of regular expressions, whatever the parts are.

use super::Expression;
use super::Expression::{Choice, Letter, Repeat, Sequence};
use std::marker::PhantomData;

/// Nothing is said to be repeated more often than this, unless without end.
const MAX_REPEAT: u8 = 31;

/// How letters can melt into one, if they stand for sets of words themselves.
pub(crate) trait Letters {
    type Letter: Clone + Ord;

    /// Whether the empty word is among its words.
    fn is_optional(&self, _: &Self::Letter) -> bool {
        false
    }

    /// The letter with the words of both.
    fn either(&self, _: &Self::Letter, _: &Self::Letter) -> Option<Self::Letter> {
        None
    }

    /// The letter with the words of one followed by words of the other.
    fn then(&self, _: &Self::Letter, _: &Self::Letter) -> Option<Self::Letter> {
        None
    }

    /// The letter for a letter that is repeated.
    fn again(&self, _: &Self::Letter, _least: u8, _most: Option<u8>) -> Option<Self::Letter> {
        None
    }

    /// How much there is to read.
    fn size(&self, _: &Self::Letter) -> usize {
        2
    }
}

/// Letters that are just letters.
pub(crate) struct Plain<L>(PhantomData<L>);

impl<L> Plain<L> {
    pub fn new() -> Plain<L> {
        Plain(PhantomData)
    }
}

impl<L: Clone + Ord> Letters for Plain<L> {
    type Letter = L;
}

/// Puts expressions together, by what is known of their letters.
pub(crate) struct Simplifier<K>(pub K);

type Of<K> = Expression<<K as Letters>::Letter>;

impl<K: Letters> Simplifier<K> {
    /// How much there is to read.
    pub fn size(&self, expression: &Of<K>) -> usize {
        match expression {
            Letter(letter) => self.0.size(letter),
            Sequence(parts) => parts.iter().map(|part| self.size(part)).sum(),
            Choice(parts) => 1 + parts.iter().map(|part| self.size(part)).sum::<usize>(),
            Repeat { of, .. } => 1 + self.size(of),
        }
    }

    /// Whether the empty word is among its words.
    pub fn is_optional(&self, expression: &Of<K>) -> bool {
        match expression {
            Letter(letter) => self.0.is_optional(letter),
            Sequence(parts) => parts.iter().all(|part| self.is_optional(part)),
            Choice(parts) => parts.iter().any(|part| self.is_optional(part)),
            Repeat { of, least, .. } => *least == 0 || self.is_optional(of),
        }
    }

    /// The parts one after another.
    pub fn sequence(&self, parts: impl IntoIterator<Item = Of<K>>) -> Of<K> {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Sequence(inner) => flat.extend(inner),
                Choice(inner) if inner.is_empty() => return Choice(inner),
                other => flat.push(other),
            }
        }
        while self.join_letters(&mut flat)
            || join_runs(&mut flat)
            || join_turns(&mut flat)
            || self.join_stars(&mut flat)
        {}
        Expression::sequence(flat)
    }

    fn join_letters(&self, parts: &mut Vec<Of<K>>) -> bool {
        let joined = parts.windows(2).enumerate().find_map(|(at, pair)| match pair {
            [Letter(a), Letter(b)] => self.0.then(a, b).map(|letter| (at, letter)),
            _ => None,
        });
        joined.map(|(at, letter)| parts.splice(at..at + 2, [Letter(letter)]).count()).is_some()
    }

    /// `x* (y x*)*` and `(x* y)* x*` are `(x | y)*`.
    fn join_stars(&self, parts: &mut Vec<Of<K>>) -> bool {
        fn loops<L>(part: &Expression<L>) -> Option<(&Expression<L>, u8)> {
            match part {
                Repeat { of, least: least @ 0..=1, most: None } => Some((of, *least)),
                _ => None,
            }
        }
        let star_of_sequence = |part: &Of<K>| match loops(part) {
            Some((Sequence(inner), 0)) => Some(inner.clone()),
            _ => None,
        };
        let joined = parts.windows(2).enumerate().find_map(|(at, pair)| {
            let before = loops(&pair[0]).zip(star_of_sequence(&pair[1])).and_then(|((x, least), inner)| {
                let (last, rest) = inner.split_last()?;
                (loops(last) == Some((x, 0))).then(|| (x.clone(), least, rest.to_vec(), true))
            });
            let after = loops(&pair[1]).zip(star_of_sequence(&pair[0])).and_then(|((x, least), inner)| {
                let (first, rest) = inner.split_first()?;
                (loops(first) == Some((x, 0))).then(|| (x.clone(), least, rest.to_vec(), false))
            });
            before.or(after).map(|found| (at, found))
        });
        let Some((at, (x, least, rest, once_before))) = joined else { return false };
        let star = self.repeat(self.choice([x.clone(), self.sequence(rest)]), 0, None);
        let mut new = vec![star];
        if least == 1 {
            new.insert(if once_before { 0 } else { 1 }, x);
        }
        parts.splice(at..at + 2, flattened(new));
        true
    }

    /// One of the parts.
    pub fn choice(&self, parts: impl IntoIterator<Item = Of<K>>) -> Of<K> {
        let mut flat: Vec<Of<K>> = parts.into_iter().collect();
        let mut optional = false;
        loop {
            // The empty word has a place of its own until the end.
            let mut open = std::mem::take(&mut flat);
            while let Some(part) = open.pop() {
                match part {
                    Choice(inner) => open.extend(inner),
                    Sequence(inner) if inner.is_empty() => optional = true,
                    Repeat { of, least: 0, most: Some(1) } => {
                        optional = true;
                        open.push(*of);
                    }
                    other => flat.push(other),
                }
            }
            flat.sort_unstable();
            flat.dedup();
            flat.sort_by_cached_key(|part| self.size(part));
            if !(self.merge_letters(&mut flat)
                || self.merge_counts(&mut flat)
                || self.merge_into_loop(&mut flat)
                || self.merge_stops(&mut flat)
                || self.factor(&mut flat))
            {
                break;
            }
        }
        if optional && !flat.iter().any(|part| self.is_optional(part)) {
            match flat.iter_mut().find(|part| matches!(part, Repeat { least: 1, .. })) {
                Some(Repeat { least, .. }) => *least = 0,
                // Of no parts at all, this is the empty word.
                _ => return self.repeat(Expression::choice(flat), 0, Some(1)),
            }
        }
        Expression::choice(flat)
    }

    fn merge_letters(&self, parts: &mut Vec<Of<K>>) -> bool {
        let merged = pairs(parts).find_map(|(i, j)| match (&parts[i], &parts[j]) {
            (Letter(a), Letter(b)) => self.0.either(a, b).map(|letter| (i, j, Letter(letter))),
            _ => None,
        });
        merged.map(|(i, j, letter)| replace(parts, &[i, j], letter)).is_some()
    }

    /// `x | x x*` is `x+`: repetitions of the same that leave no gap between them.
    fn merge_counts(&self, parts: &mut Vec<Of<K>>) -> bool {
        let reaches = |most: Option<u8>, least: u8| most.is_none_or(|most| most.saturating_add(1) >= least);
        let merged = pairs(parts).find_map(|(i, j)| {
            let ((x, least, most), (y, least2, most2)) = (counted(&parts[i]), counted(&parts[j]));
            let joins = x == y && reaches(most, least2) && reaches(most2, least);
            let most = most.zip(most2).map(|(a, b)| a.max(b));
            joins.then(|| (i, j, self.repeat(x.clone(), least.min(least2), most)))
        });
        merged.map(|(i, j, repeat)| replace(parts, &[i, j], repeat)).is_some()
    }

    /// `x+ | x* y` is `x* (x | y)`, and so with bounds; it reads better if y is a letter or a choice of letters.
    fn merge_into_loop(&self, parts: &mut Vec<Of<K>>) -> bool {
        let is_letters = |part: &Of<K>| match part {
            Letter(_) => true,
            Choice(inner) => inner.iter().all(|part| matches!(part, Letter(_))),
            _ => false,
        };
        let merged = (0..parts.len()).flat_map(|i| (0..parts.len()).map(move |j| (i, j))).find_map(|(i, j)| {
            let Sequence(inner) = &parts[j] else { return None };
            let [Repeat { of, least: 0, most }, end] = inner.as_slice() else { return None };
            let fits = counted(&parts[i]) == (of, 1, most.map(|most| most.saturating_add(1)))
                && is_letters(end)
                && is_letters(of);
            fits.then(|| (i, j, self.sequence([inner[0].clone(), self.choice([(**of).clone(), end.clone()])])))
        });
        merged.map(|(i, j, sequence)| replace(parts, &[i, j], sequence)).is_some()
    }

    /// `z | x (y (x | z))?` is `(x y)? (x | z)`: a way that may stop early.
    fn merge_stops(&self, parts: &mut Vec<Of<K>>) -> bool {
        let merged = (0..parts.len()).find_map(|at| {
            let Sequence(inner) = &parts[at] else { return None };
            let [once, Repeat { of, least: 0, most: Some(1) }] = inner.as_slice() else { return None };
            let (end, middle) = factors(of).split_last()?;
            let Choice(ends) = end else { return None };
            let others = ends.iter().filter(|end| *end != once);
            let mut members =
                others.map(|end| parts.iter().position(|part| part == end)).collect::<Option<Vec<_>>>()?;
            members.push(at);
            let longer = self.sequence([once].into_iter().chain(middle).cloned());
            let stops = self.sequence([self.choice([Sequence(Vec::new()), longer]), end.clone()]);
            ends.contains(once).then_some((members, stops))
        });
        merged.map(|(members, stops)| replace(parts, &members, stops)).is_some()
    }

    /// Takes out the beginning or end that several parts share, the one that saves most.
    fn factor(&self, parts: &mut Vec<Of<K>>) -> bool {
        let mut best: Option<(usize, CommonParts)> = None;
        for shared in [true, false].into_iter().flat_map(|front| shares(parts, front)) {
            let first = factors(&parts[shared.members[0]]);
            let common = if shared.front { &first[..shared.length] } else { &first[first.len() - shared.length..] };
            let size: usize = common.iter().map(|part| self.size(part)).sum();
            let saved = size * if shared.whole { 1 } else { shared.members.len() - 1 };
            if best.as_ref().is_none_or(|(most, _)| saved > *most) {
                best = Some((saved, shared));
            }
        }
        let Some((_, CommonParts { members, length, front, whole })) = best else { return false };
        let first = factors(&parts[members[0]]);
        let common = if front { &first[..length] } else { &first[first.len() - length..] };
        let rest = |&member: &usize| {
            let factors = factors(&parts[member]);
            let rest = if front { &factors[length..] } else { &factors[..factors.len() - length] };
            Expression::sequence(rest.to_vec())
        };
        let rests = match whole {
            true => self.choice([rest(&members[0]), Sequence(Vec::new())]),
            false => self.choice(members.iter().map(rest).collect::<Vec<_>>()),
        };
        let common = Expression::sequence(common.to_vec());
        let factored = if front { self.sequence([common, rests]) } else { self.sequence([rests, common]) };
        replace(parts, &members, factored);
        true
    }

    /// The same again and again.
    pub fn repeat(&self, of: Of<K>, least: u8, most: Option<u8>) -> Of<K> {
        let is_optional = self.is_optional(&of);
        let least = if is_optional { 0 } else { least };
        match (of, least, most) {
            (_, _, Some(0)) => Sequence(Vec::new()),
            (of, _, Some(1)) if is_optional || least == 1 => of,
            (Sequence(inner), _, _) if inner.is_empty() => Sequence(inner),
            (Choice(inner), 0, _) if inner.is_empty() => Sequence(inner),
            (Choice(inner), _, _) if inner.is_empty() => Choice(inner),
            (Repeat { of, least: 1, most }, 0, Some(1)) => self.repeat(*of, 0, most),
            (Repeat { of, least: 0, most: Some(1) }, 0, most) => self.repeat(*of, 0, most),
            (of, 0..=1, None) => {
                let bare = self.without_loops(of);
                self.repeated(bare, least, None)
            }
            (of, least, most) => self.repeated(of, least, most),
        }
    }

    /// Something with the same words if it is repeated as often as you like: `x+ | y? z*` becomes `x | y | z`.
    fn without_loops(&self, of: Of<K>) -> Of<K> {
        match of {
            Repeat { of, least: 0..=1, .. } => self.without_loops(*of),
            Choice(parts) => self.choice(parts.into_iter().map(|part| self.without_loops(part)).collect::<Vec<_>>()),
            Sequence(parts) if !parts.is_empty() && parts.iter().all(|part| self.is_optional(part)) => {
                self.choice(parts.into_iter().map(|part| self.without_loops(part)).collect::<Vec<_>>())
            }
            other => other,
        }
    }

    fn repeated(&self, of: Of<K>, least: u8, most: Option<u8>) -> Of<K> {
        match &of {
            Letter(letter) => match self.0.again(letter, least, most) {
                Some(letter) => Letter(letter),
                None if (least, most) == (2, Some(2)) => Sequence(vec![of.clone(), of]),
                None => of.repeat(least, most),
            },
            _ => of.repeat(least, most),
        }
    }
}

/// Parts that begin or end alike.
struct CommonParts {
    /// The first of them says what is shared.
    members: Vec<usize>,
    /// How many factors.
    length: usize,
    /// At the beginning, or at the end.
    front: bool,
    /// Whether it is one factor, a choice whose parts stand alone beside the first member: `y | z | x (y | z)`.
    whole: bool,
}

fn shares<L: Eq>(parts: &[Expression<L>], front: bool) -> Vec<CommonParts> {
    let edge = |factors: &[Expression<L>], n: usize| if front { n } else { factors.len() - 1 - n };
    let mut found = Vec::new();
    let mut grouped = vec![false; parts.len()];
    for i in 0..parts.len() {
        let first = factors(&parts[i]);
        if let [_, _, ..] = first
            && let Choice(inner) = &first[edge(first, 0)]
            && let Some(others) =
                inner.iter().map(|part| parts.iter().position(|other| other == part)).collect::<Option<Vec<_>>>()
        {
            let members = [i].into_iter().chain(others).collect();
            found.push(CommonParts { members, length: 1, front, whole: true });
        }
        if grouped[i] {
            continue;
        }
        let alike = |j: &usize, n: usize| {
            let other = factors(&parts[*j]);
            n < first.len() && n < other.len() && first[edge(first, n)] == other[edge(other, n)]
        };
        let members: Vec<usize> = (i..parts.len()).filter(|j| alike(j, 0)).collect();
        members.iter().for_each(|&member| grouped[member] = true);
        if members.len() > 1 {
            let length = (1..).find(|&n| !members.iter().all(|j| alike(j, n))).unwrap_or(1);
            found.push(CommonParts { members, length, front, whole: false });
        }
    }
    found
}

fn factors<L>(part: &Expression<L>) -> &[Expression<L>] {
    if let Sequence(parts) = part { parts } else { std::slice::from_ref(part) }
}

fn flattened<L>(parts: Vec<Expression<L>>) -> Vec<Expression<L>> {
    match Expression::sequence(parts) {
        Sequence(parts) => parts,
        other => vec![other],
    }
}

/// What is repeated, how often at least, and at most.
fn counted<L: Eq>(part: &Expression<L>) -> (&Expression<L>, u8, Option<u8>) {
    match part {
        Repeat { of, least, most } => (of, *least, *most),
        Sequence(parts) if matches!(parts.as_slice(), [a, b] if a == b) => (&parts[0], 2, Some(2)),
        other => (other, 1, Some(1)),
    }
}

fn pairs<T>(parts: &[T]) -> impl Iterator<Item = (usize, usize)> + use<T> {
    let count = parts.len();
    (0..count).flat_map(move |i| (i + 1..count).map(move |j| (i, j)))
}

/// Puts one part in the place of several.
fn replace<L>(parts: &mut Vec<Expression<L>>, members: &[usize], by: Expression<L>) {
    let mut number = 0;
    parts.retain(|_| {
        number += 1;
        !members.contains(&(number - 1))
    });
    parts.push(by);
}

/// `x x*` is `x+`: neighbours that repeat the same.
fn join_runs<L: Clone + Eq>(parts: &mut Vec<Expression<L>>) -> bool {
    let mut begin = 0;
    while begin < parts.len() {
        let (of, mut least, mut most) = counted(&parts[begin]);
        let mut end = begin + 1;
        while end < parts.len() {
            let (other, more, most_more) = counted(&parts[end]);
            let sum = most.zip(most_more).map(|(a, b)| a.saturating_add(b));
            if other != of || least.saturating_add(more) > MAX_REPEAT || sum.is_some_and(|sum| sum > MAX_REPEAT) {
                break;
            }
            (least, most, end) = (least + more, sum, end + 1);
        }
        // Twice the same letter reads better as it is.
        let stays = (least, most) == (2, Some(2)) && matches!(of, Letter(_));
        if end - begin > 1 && !stays {
            let joined = of.clone().repeat(least, most);
            parts.splice(begin..end, [joined]);
            return true;
        }
        begin = end;
    }
    false
}

/// `b (a b)* a` is `(b a)+`: a loop with one more turn around it.
fn join_turns<L: Clone + Eq>(parts: &mut Vec<Expression<L>>) -> bool {
    for at in 0..parts.len() {
        let Repeat { of, least, most } = &parts[at] else { continue };
        let Sequence(turn) = &**of else { continue };
        if *least >= MAX_REPEAT || most.is_some_and(|most| most >= MAX_REPEAT) {
            continue;
        }
        let around = |&cut: &usize| parts[..at].ends_with(&turn[cut..]) && parts[at + 1..].starts_with(&turn[..cut]);
        if let Some(cut) = (0..=turn.len()).find(around) {
            let turned = Sequence([&turn[cut..], &turn[..cut]].concat());
            let joined = turned.repeat(least + 1, most.map(|most| most + 1));
            let begin = at - (turn.len() - cut);
            parts.splice(begin..=at + cut, [joined]);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{Plain, Simplifier};
    use crate::automata::Expression::{self, Choice, Letter, Repeat, Sequence};
    use crate::automata::samples::{expressions, minimal};
    use proptest::prelude::*;

    /// The same expression, put together simply from its letters.
    fn simplified(expression: &Expression<char>) -> Expression<char> {
        let simplifier = Simplifier(Plain::new());
        match expression {
            Letter(_) => expression.clone(),
            Sequence(parts) => simplifier.sequence(parts.iter().map(simplified)),
            Choice(parts) => simplifier.choice(parts.iter().map(simplified)),
            Repeat { of, least, most } => simplifier.repeat(simplified(of), *least, *most),
        }
    }

    proptest! {
        #[test]
        fn simpler_expressions_have_the_same_words(expression in expressions()) {
            let simple = simplified(&expression);
            prop_assert_eq!(minimal(&simple), minimal(&expression), "{}", simple);
        }
    }

    #[test]
    fn what_people_would_write() {
        let (x, y, z) = (|| Letter('x'), || Letter('y'), || Letter('z'));
        let star = |of: Expression<char>| of.repeat(0, None);
        let all = |parts: &[Expression<char>]| Expression::sequence(parts.to_vec());
        let one = |parts: &[Expression<char>]| Expression::choice(parts.to_vec());
        let nothing = || Expression::sequence([]);
        for (expression, expected) in [
            (one(&[x(), all(&[x(), star(x())])]), "x+"),
            (one(&[nothing(), x().repeat(1, None)]), "x*"),
            (one(&[nothing(), x()]), "x?"),
            (one(&[all(&[x(), y()]), all(&[x(), z()])]), "x (y | z)"),
            (one(&[all(&[y(), x()]), all(&[z(), x()])]), "(y | z) x"),
            (one(&[x().repeat(1, None), all(&[star(x()), y()])]), "x* (x | y)"),
            (one(&[x(), y(), all(&[x(), one(&[x(), y(), all(&[x(), one(&[x(), y()])])])])]), "x{0,2} (x | y)"),
            (all(&[y(), star(all(&[x(), y()])), x()]), "(y x)+"),
            (all(&[star(x()), star(all(&[y(), star(x())]))]), "(x | y)*"),
            (star(one(&[star(x()), y().repeat(0, Some(1))])), "(x | y)*"),
            (all(&[x(), x(), x()]), "x{3}"),
            (all(&[x(), x()]), "x x"),
        ] {
            assert_eq!(simplified(&expression).to_string(), expected, "{expression}");
        }
    }
}
