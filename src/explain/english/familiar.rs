//! Movements that many people know, found by comparing automata.

use super::sentences::without_promotion;
use crate::automata::{Dfa, Expression};
use crate::board::{Cell, Player};
use crate::rules::{Atom, Movement, Rules, Side, Start, Symbol};
use std::sync::LazyLock;

/// What a movement is known as, and the movement.
const FAMILIAR: [(&str, &str); 26] = [
    ("a chess rook", "orthogonal(empty* (empty | enemy))"),
    ("a chess bishop", "diagonal(empty* (empty | enemy))"),
    ("a chess queen", "any(empty* (empty | enemy))"),
    ("a chess king", "any(empty | enemy)"),
    ("a chess knight", "leap 1,2(empty | enemy)"),
    ("a chess pawn without its double step", "forward(empty) | forward-diagonal(enemy)"),
    ("a pawn of Breakthrough", "forward(empty) | forward-diagonal(empty | enemy)"),
    ("the cannon of xiangqi", "orthogonal(empty+ | empty* (own | enemy) empty* enemy)"),
    (
        "the horse of xiangqi",
        "(0 1 empty) ((1 1 empty) | (1 1 enemy) | (-1 1 empty) | (-1 1 enemy)) | (1 0 empty) ((1 1 empty) | (1 1 enemy) | (1 -1 empty) | (1 -1 enemy)) | (0 -1 empty) ((1 -1 empty) | (1 -1 enemy) | (-1 -1 empty) | (-1 -1 enemy)) | (-1 0 empty) ((-1 1 empty) | (-1 1 enemy) | (-1 -1 empty) | (-1 -1 enemy))",
    ),
    ("the elephant of xiangqi, but everywhere", "diagonal(empty (empty | enemy))"),
    ("the advisor of xiangqi, but everywhere", "diagonal(empty | enemy)"),
    ("the soldier of xiangqi before the river", "forward(empty | enemy)"),
    ("the nightrider of fairy chess", "leap 1,2(empty* (empty | enemy))"),
    ("the grasshopper of fairy chess", "any(empty* (own | enemy) (empty | enemy))"),
    ("the wazir of fairy chess", "orthogonal(empty | enemy)"),
    ("the amazon of fairy chess, queen and knight in one", "any(empty* (empty | enemy)) | leap 1,2(empty | enemy)"),
    ("a rook and a knight in one", "orthogonal(empty* (empty | enemy)) | leap 1,2(empty | enemy)"),
    ("a bishop and a knight in one", "diagonal(empty* (empty | enemy)) | leap 1,2(empty | enemy)"),
    ("the lance of shogi", "forward(empty* (empty | enemy))"),
    ("the knight of shogi", "(1 2 empty) | (-1 2 empty) | (1 2 enemy) | (-1 2 enemy)"),
    ("the gold general of shogi", "(orthogonal(empty | enemy) | forward-diagonal(empty | enemy))"),
    ("the silver general of shogi", "(diagonal(empty | enemy) | forward(empty | enemy))"),
    ("a man of English draughts", "forward-diagonal(empty) | forward-diagonal(take:enemy empty)+"),
    ("a king of English draughts", "diagonal(empty) | diagonal(take:enemy empty)+"),
    ("a flying king of draughts", "diagonal(empty+) | diagonal(empty* take:enemy empty+)+"),
    ("an amazon of the Game of the Amazons", "any(empty+) put:X any(empty+)"),
];

/// The automata of the well-known movements.
static KNOWN: LazyLock<Vec<(&'static str, Dfa<Symbol>)>> = LazyLock::new(|| {
    let automaton = |words: &str| {
        let rules = Rules::parse(&sheet(words)).ok()?;
        rules.automaton(rules.moves.first()?, Player::First).ok()
    };
    FAMILIAR.iter().filter_map(|&(name, words)| Some((name, automaton(words)?))).collect()
});

/// What a movement is known as, if its automaton, but for a promotion at its end, is that of a well-known one.
pub fn familiar(rules: &Rules, movement: &Movement) -> Option<&'static str> {
    let (Start::Piece(_), Side::Both) = (movement.start, movement.side) else {
        // A line for one player is compared as that player sees it, which for the first is as for both.
        return match (movement.start, movement.side) {
            (Start::Piece(_), Side::Only(Player::First)) => {
                familiar(rules, &Movement { side: Side::Both, ..movement.clone() })
            }
            _ => None,
        };
    };
    let without = without_promotion(movement);
    let found = rules.automaton(&with_plain_puts(&without), Player::First).ok()?;
    KNOWN.iter().find(|(_, expected)| *expected == found).map(|(name, _)| *name)
}

/// The same movement with one piece in place of all that it puts down.
fn with_plain_puts(movement: &Movement) -> Movement {
    let plain = Cell::named("X").unwrap_or(Cell::WALL);
    let words = movement.words.expand(&mut |atom| {
        Expression::Letter(match atom {
            Atom::Put(_) => Atom::Put(plain),
            other => other.clone(),
        })
    });
    Movement { words, ..movement.clone() }
}

fn sheet(words: &str) -> String {
    format!(
        "game familiar\nplayers first second\nboard\n  PX\nmoves\n  P  {words}\nending\n  tie when the next player cannot move\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_familiar_movement_is_found_and_no_two_are_the_same() {
        let mut seen = BTreeSet::new();
        for (name, words) in FAMILIAR {
            let rules = Rules::parse(&sheet(words)).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(familiar(&rules, &rules.moves[0]), Some(name));
            seen.insert(format!("{:?}", rules.automaton(&rules.moves[0], Player::First).unwrap()));
        }
        assert_eq!(seen.len(), FAMILIAR.len());
    }

    #[test]
    fn only_the_words_count_not_how_they_are_written() {
        for (words, expected) in [
            ("orthogonal(empty+ | empty* enemy)", Some("a chess rook")),
            ("(0 1 empty) | (1 1 enemy) | (-1 1 enemy)", Some("a chess pawn without its double step")),
            ("any(empty+) put:P any(empty empty*)", Some("an amazon of the Game of the Amazons")),
            ("forward(empty)", None),
        ] {
            let rules = Rules::parse(&sheet(words)).unwrap();
            assert_eq!(familiar(&rules, &rules.moves[0]), expected, "{words}");
        }
    }
}
