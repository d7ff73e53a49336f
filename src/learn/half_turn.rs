//! The third way in which players share a movement: the second player's piece is turned by half a circle, not mirrored.
//!
//! Everything is learnt as its player sees the board, for the second player mirrored from bottom to top
//! (`perspective.rs`). Where left and right are exchanged on top of that, the board is turned. So a movement that both
//! players share by a half turn is found from the second player's boards and words with left and right exchanged, and the
//! second player's own movement is what was found, with left and right exchanged again.

use super::guard::{Guard, Guards, Look, SquareSet, Test, Why};
use super::letter::Letter;
use super::perspective::sideways;
use super::samples::{WordTable, add_origins};
use super::state_merging::Induced;
use crate::automata::{Dfa, DfaState};
use crate::board::Shape;
use crate::rules::{Area, Symbol};

fn symbol(symbol: Symbol) -> Symbol {
    match symbol {
        Symbol::Step { dx, dy, landing } => Symbol::Step { dx: -dx, dy, landing },
        Symbol::Look { dx, dy, seen } => Symbol::Look { dx: -dx, dy, seen },
        other => other,
    }
}

/// Words with left and right exchanged.
pub(super) fn table(words: &WordTable, shape: Shape) -> WordTable {
    let mut turned = WordTable::new();
    for (word, origins) in words {
        let word = word.iter().map(|&letter| symbol(letter)).collect();
        let origins = origins.iter().map(|&(start, count)| (sideways(shape, start), count));
        add_origins(turned.entry(word).or_default(), origins);
    }
    turned
}

fn area(area: &Area, shape: Shape) -> Area {
    let other = |file: u8| (shape.width() as u8 - 1).saturating_sub(file);
    let changes_colour = shape.width().is_multiple_of(2);
    match area {
        Area::Files(from, to) => Area::Files(other(*to), other(*from)),
        Area::Squares(squares) => {
            let mut squares: Vec<(u8, u8)> = squares.iter().map(|&(x, y)| (other(x), y)).collect();
            squares.sort_unstable_by_key(|&(x, y)| (y, x));
            Area::Squares(squares)
        }
        Area::Rectangle(from, to) => Area::Rectangle((other(to.0), from.1), (other(from.0), to.1)),
        Area::Dark if changes_colour => Area::Light,
        Area::Light if changes_colour => Area::Dark,
        same @ (Area::Ranks(..) | Area::Dark | Area::Light | Area::Corners) => same.clone(),
    }
}

/// Guards with left and right exchanged.
pub(super) fn guards(guards: &Guards) -> Guards {
    let shape = guards.shape;
    let guard = |Guard { place, test }: &Guard| {
        let test = match test {
            Test::In(squares) => {
                Test::In(SquareSet::of(squares.areas.iter().map(|part| area(part, shape)).collect(), shape))
            }
            Test::Sees(look) => {
                let around = look.around.iter().map(|&(dx, dy)| (-dx, dy)).collect();
                Test::Sees(Look { around, ..look.clone() })
            }
        };
        Guard { place: *place, test }
    };
    Guards { shape, list: guards.list.iter().map(guard).collect() }
}

fn automaton(dfa: &Dfa<Letter>) -> Dfa<Letter> {
    let states = dfa.states().iter().map(|state| {
        let letter = |letter: Letter| Letter { symbol: symbol(letter.symbol), tags: letter.tags };
        let mut edges: Vec<_> = state.edges.iter().map(|edge| (letter(edge.0), edge.1)).collect();
        edges.sort_unstable();
        DfaState { accepting: state.accepting, edges }
    });
    Dfa::trimmed(states.collect())
}

/// A movement with left and right exchanged.
pub(super) fn induced(of: &Induced) -> Induced {
    let why = |why: &Why| Why { word: why.word.iter().map(|&letter| symbol(letter)).collect(), ..why.clone() };
    Induced {
        automaton: automaton(&of.automaton),
        guards: guards(&of.guards),
        why: of.why.iter().map(why).collect(),
        ..of.clone()
    }
}

/// Whether a movement is the same with left and right exchanged, so that to turn it is to mirror it.
pub(super) fn leaves(of: &Induced) -> bool {
    let turned = guards(&of.guards);
    let same = |(one, other): (&Guard, &Guard)| match (&one.test, &other.test) {
        (Test::In(one), Test::In(other)) => one.within == other.within,
        (Test::Sees(one), Test::Sees(other)) => one.around.iter().all(|way| other.around.contains(way)),
        _ => false,
    };
    of.guards.list.iter().zip(&turned.list).all(same) && automaton(&of.automaton).minimise() == of.automaton.minimise()
}

/// What it costs to name the zones and looks of a movement's guards, in nats. Squares of one colour stand in for much that
/// a player who sees the board turned does without them.
pub(super) fn price_of_guards(guards: &Guards) -> f64 {
    const A_GUARD: f64 = 6.0;
    const A_COLOUR: f64 = 6.0;
    let price = |guard: &Guard| match &guard.test {
        Test::In(squares) if matches!(squares.areas[..], [Area::Dark | Area::Light]) => A_GUARD + A_COLOUR,
        _ => A_GUARD,
    };
    guards.list.iter().map(price).sum()
}

#[cfg(test)]
mod tests {
    use super::super::guard::GuardPlace;
    use super::*;

    #[test]
    fn exchanging_left_and_right_twice_changes_nothing() {
        for (width, height) in [(4, 3), (5, 6), (8, 8)] {
            let shape = Shape::new(width, height).unwrap();
            for at in shape.all() {
                assert_eq!(sideways(shape, sideways(shape, at)), at);
                assert_eq!(shape.rank(sideways(shape, at)), shape.rank(at));
                assert_eq!(shape.file(sideways(shape, at)), shape.width() - 1 - shape.file(at));
            }
            let all = [Area::Files(1, 2), Area::Squares(vec![(0, 1), (2, 1)]), Area::Dark, Area::Light, Area::Corners];
            for one in all.into_iter().chain([Area::Ranks(1, 1), Area::Rectangle((0, 0), (1, 1))]) {
                let zone = SquareSet::of(vec![one.clone()], shape);
                let turned = SquareSet::of(vec![area(&one, shape)], shape);
                assert!(shape.all().all(|at| zone.within[at.index()] == turned.within[sideways(shape, at).index()]));
                let test = |zone: &SquareSet| {
                    let guard = Guard { place: GuardPlace::Start, test: Test::In(zone.clone()) };
                    Guards::none(shape).and(guard)
                };
                assert_eq!(guards(&guards(&test(&zone))), test(&zone));
            }
        }
    }
}
