//! Made-up expressions and a plain reading of them, for the tests of this folder.

use super::{Dfa, Expression, Nfa};
use proptest::prelude::*;

/// The letters of made-up expressions.
pub const ALPHABET: [char; 3] = ['a', 'b', 'c'];

/// Made-up expressions.
pub fn expressions() -> impl Strategy<Value = Expression<char>> {
    let letter = prop::sample::select(&ALPHABET[..]).prop_map(Expression::Letter);
    letter.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Expression::sequence),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Expression::choice),
            (inner, 0u8..3, prop::option::of(0u8..3))
                .prop_map(|(of, least, more)| of.repeat(least, more.map(|m| least + m))),
        ]
    })
}

/// All words up to a length, the shorter first.
pub fn words(length: usize) -> Vec<Vec<char>> {
    let longer = |words: &Vec<Vec<char>>| {
        words.iter().flat_map(|w| ALPHABET.map(|c| w.iter().copied().chain([c]).collect())).collect::<Vec<Vec<char>>>()
    };
    let mut all = vec![vec![vec![]]];
    (0..length).for_each(|n| all.push(longer(&all[n])));
    all.concat()
}

/// Whether the expression matches, by trying every way to cut the word: slow and plain.
pub fn matches(expression: &Expression<char>, word: &[char]) -> bool {
    match expression {
        Expression::Letter(letter) => word == [*letter],
        Expression::Choice(parts) => parts.iter().any(|part| matches(part, word)),
        Expression::Sequence(parts) => match parts.split_first() {
            None => word.is_empty(),
            Some((first, rest)) => (0..=word.len())
                .any(|cut| matches(first, &word[..cut]) && matches(&Expression::Sequence(rest.to_vec()), &word[cut..])),
        },
        Expression::Repeat { of, least, most } => {
            let fewer = |n: Option<u8>| n.map(|n| n.saturating_sub(1));
            let again = || {
                (0..=word.len()).filter(|&cut| cut > 0 || *least > 0).any(|cut| {
                    let rest =
                        Expression::Repeat { of: of.clone(), least: least.saturating_sub(1), most: fewer(*most) };
                    matches(of, &word[..cut]) && matches(&rest, &word[cut..])
                })
            };
            *least == 0 && word.is_empty() || *most != Some(0) && again()
        }
    }
}

/// The smallest automaton of an expression.
pub fn minimal(expression: &Expression<char>) -> Dfa<char> {
    Nfa::from_expression(expression, 10_000).unwrap().determinise(10_000).unwrap().minimise()
}

/// A random automaton, which need not be the smallest of its words.
pub fn automata() -> impl Strategy<Value = Dfa<char>> {
    expressions().prop_map(|expression| Nfa::from_expression(&expression, 10_000).unwrap().determinise(10_000).unwrap())
}
