//! Automata of movements are said as a person would say them, and mean the same.

use crate::movement::{can_drop, game, position, read_plainly, words};
use onlooker::automata::{Dfa, Expression, StateId};
use onlooker::board::Player;
use onlooker::game::CATALOGUE;
use onlooker::rules::{Atom, Rules, Symbol, phrase, without_backtracking};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Rules with one movement, for one player alone.
fn rules(words: &str, player: Player) -> Rules {
    let (name, piece) = if player == Player::First { ("white", "P") } else { ("black", "p") };
    let text = format!(
        "game made-up
players white black
board
  P p Q q K k A a *
zones
  far  rank 1
  there  file a
moves of {name}
  {piece}  {words}
ending
  win when the next player cannot move"
    );
    Rules::parse(&text).unwrap()
}

/// The automaton of the one movement of these rules.
fn automaton(rules: &Rules, player: Player) -> Dfa<Symbol> {
    rules.automaton(&rules.moves[0], player).unwrap()
}

/// A word that only one automaton has and that does something. One that only looks is no move, so a phrase need not tell
/// whether it is among the words.
fn moves_differ(one: &Dfa<Symbol>, other: &Dfa<Symbol>) -> Option<Vec<Symbol>> {
    let acts = |letter: &Symbol| !matches!(letter, Symbol::Zone { .. } | Symbol::Look { .. });
    let edges = |dfa: &Dfa<Symbol>, state: Option<StateId>| {
        state.map_or(Vec::new(), |state| dfa.states()[state.0 as usize].edges.clone())
    };
    // Both are where looking alone has led; from the first thing done on, every word counts.
    let mut met = vec![(Some(StateId(0)), Some(StateId(0)))];
    let mut next = 0;
    while let Some(&(here, there)) = met.get(next) {
        next += 1;
        let letters: BTreeSet<Symbol> =
            edges(one, here).iter().chain(&edges(other, there)).map(|edge| edge.0).collect();
        for letter in letters {
            let pair =
                (here.and_then(|state| one.next(state, &letter)), there.and_then(|state| other.next(state, &letter)));
            if !acts(&letter) {
                if !met.contains(&pair) {
                    met.push(pair);
                }
                continue;
            }
            let (Some(here), Some(there)) = pair else {
                return Some(vec![letter]);
            };
            if let Some(rest) = one.from(here).difference(&other.from(there)) {
                return Some([vec![letter], rest].concat());
            }
        }
    }
    None
}

/// The words as they are phrased from their automaton, after making sure that they mean the same and can be read back.
fn phrased(words: &str, player: Player) -> Option<Expression<Atom>> {
    let rules = rules(words, player);
    let expected = automaton(&rules, player);
    let mut said = rules.clone();
    said.moves[0].words = phrase(&expected, &rules.zones, player)?;
    assert_eq!(Rules::parse(&said.to_string()).unwrap(), said);
    let difference = moves_differ(&without_backtracking(&automaton(&said, player)), &without_backtracking(&expected));
    assert_eq!(difference, None, "{words}\n{}", said.moves[0].words);
    Some(said.moves[0].words.clone())
}

/// Movements that are said just as they were written.
const SAME: &[&str] = &[
    "orthogonal(empty* (empty | enemy))",
    "any(empty* (empty | enemy))",
    "leap 1,2(empty | enemy)",
    "any(empty | enemy)",
    "forward(empty) | forward-diagonal(empty | enemy)",
    "forward(empty) | forward-diagonal(enemy)",
    "forward-diagonal(empty) | forward-diagonal(enemy empty)+",
    "diagonal(empty) | diagonal(enemy empty)+",
    "diagonal(empty) | diagonal(take:enemy empty)+",
    "(forward-diagonal(empty) | forward-diagonal(take:enemy empty)+) (off:far | on:far put:K)",
    "orthogonal(empty+ | empty* (own | enemy) empty* enemy)",
    "diagonal(empty (empty | enemy))",
    "leap 1,2(empty* (empty | enemy))",
    "any(empty* (own | enemy) (empty | enemy))",
    "orthogonal(empty{0,2} (empty | enemy))",
    "any(empty+) put:A any(empty+)",
    "orthogonal(take:own empty)",
    "put:P",
    "(on:far | look(0 -1 own) | look(0 -1 enemy)) put:P",
    "any(empty)+",
    "any(empty) | forward(enemy)",
    "orthogonal(empty | enemy) | forward-diagonal(empty | enemy)",
    "diagonal(empty | enemy) | forward(empty | enemy)",
    "diagonal(empty+) | diagonal(empty* take:enemy empty+)+",
    "orthogonal(empty* (empty | enemy)) (off:far | on:far put:K)",
    "any(empty{1,3})",
];

/// Movements that are said otherwise, and how.
const OTHERWISE: &[(&str, &str)] = &[
    (
        "forward(empty) forward-diagonal(empty | enemy) | backward(empty) backward-diagonal(empty | enemy) | left(empty) ((-1 -1 empty) | (-1 -1 enemy) | (-1 1 empty) | (-1 1 enemy)) | right(empty) ((1 -1 empty) | (1 -1 enemy) | (1 1 empty) | (1 1 enemy))",
        "left(empty) ((-1 -1 empty) | (-1 -1 enemy) | (-1 1 empty) | (-1 1 enemy)) | backward(empty) backward-diagonal(empty | enemy) | forward(empty) forward-diagonal(empty | enemy) | right(empty) ((1 -1 empty) | (1 -1 enemy) | (1 1 empty) | (1 1 enemy))",
    ),
    ("leap 0,2(empty | enemy) | leap 1,1(empty)", "diagonal(empty) | leap 0,2(empty | enemy)"),
    (
        "(on:there forward(empty{1,2}) | off:there forward(empty) | forward-diagonal(enemy)) (off:far | on:far (put:Q | put:K))",
        "(forward-diagonal(enemy) | off:there forward(empty) | on:there forward(empty{1,2})) (off:far | on:far (put:K | put:Q))",
    ),
    (
        "orthogonal(empty* (empty | enemy)) | diagonal(empty | enemy)",
        "diagonal(empty | enemy) | orthogonal(empty* (empty | enemy))",
    ),
    (
        "orthogonal(empty* (empty | enemy)) | leap 1,2(empty | enemy)",
        "leap 1,2(empty | enemy) | orthogonal(empty* (empty | enemy))",
    ),
    (
        "vertical(empty)* vertical(empty | enemy) | sideways(empty)* sideways(empty | enemy)",
        "orthogonal(empty* (empty | enemy))",
    ),
    (
        "vertical(empty)+ | vertical(empty)* vertical(own | enemy) vertical(empty)* vertical(enemy) | sideways(empty)+ | sideways(empty)* sideways(own | enemy) sideways(empty)* sideways(enemy)",
        "orthogonal(empty+ | empty* (own | enemy) empty* enemy)",
    ),
    ("vertical(enemy) vertical(empty) | sideways(enemy) sideways(empty)", "orthogonal(enemy empty)"),
    (
        "(vertical(enemy) vertical(empty) | sideways(enemy) sideways(empty))+ | vertical(empty) | sideways(empty)",
        "orthogonal(empty) | orthogonal(enemy empty)+",
    ),
];

/// Guards alone are no move, whatever is said of them; beside moves they hide nothing.
#[test]
fn words_that_only_look_are_no_moves() {
    let of = |words: &str| automaton(&rules(words, Player::First), Player::First);
    for (one, other, differ) in [
        ("on:there | off:there", "forward(empty)?", true),
        ("on:there | forward(empty)", "off:there | forward(empty)", false),
        ("on:there | forward(empty)", "off:there | forward(enemy)", true),
        ("on:there forward(empty)? | left(empty)", "left(empty)", true),
        ("on:there* | forward(empty)", "forward(empty)", false),
    ] {
        assert_eq!(moves_differ(&of(one), &of(other)).is_some(), differ, "{one}, {other}");
    }
    assert!(phrased("on:there | off:there", Player::First).is_some());
}

#[test]
fn movements_are_said_as_people_say_them() {
    for player in [Player::First, Player::Second] {
        for words in SAME {
            assert_eq!(phrased(words, player).unwrap().to_string(), *words);
        }
        // Where nothing else decides, alternatives come in the order of their steps on the board.
        for (words, expected) in OTHERWISE.iter().filter(|line| player == Player::First || !line.1.contains("-1")) {
            assert_eq!(phrased(words, player).unwrap().to_string(), *expected);
        }
    }
}

#[test]
fn the_catalogue_is_said_as_it_is_written() {
    for (name, text) in CATALOGUE {
        let rules = Rules::parse(text).unwrap();
        for movement in &rules.moves {
            let player = rules.sides().find(|&player| movement.side.is_for(player)).unwrap();
            let said = phrase(&rules.automaton(movement, player).unwrap(), &rules.zones, player).unwrap();
            assert_eq!(said.to_string(), movement.words.to_string(), "{name}");
        }
    }
}

/// Tangled movements with more states may be too large to be said.
const MANY_STATES: usize = 40;

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, max_global_rejects: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn phrases_of_made_up_movements_mean_the_same(words in words(), player in prop::sample::select(vec![Player::First, Player::Second])) {
        let states = automaton(&game(&words, false), player).states().len();
        prop_assert!(phrased(&words.to_string(), player).is_some() || states > MANY_STATES, "too large: {}", words);
    }

    #[test]
    fn phrases_have_the_same_moves_by_a_plain_reading(words in words(), position in position(), drops in any::<bool>()) {
        let drops = drops && can_drop(&words);
        let expected = read_plainly(&words, &position, drops);
        prop_assume!(expected.is_some());
        let rules = game(&words, drops);
        let said = phrase(&automaton(&rules, Player::First), &rules.zones, Player::First);
        prop_assume!(said.is_some() || automaton(&rules, Player::First).states().len() <= MANY_STATES);
        let said = said.ok_or_else(|| TestCaseError::fail(format!("too large: {words}")))?;
        if let Some(found) = read_plainly(&said, &position, drops) {
            prop_assert_eq!(found, expected.unwrap_or_default(), "{}\n{}\n{}", words, said, position);
        }
    }
}
