//! The engine's words for made-up movements, against the plain walk of their automata and against a reading of their
//! expressions that shares nothing with either.

use onlooker::automata::Expression;
use onlooker::board::{Cell, Content, MicroMove, Piece, Player, Position, Shape, Square, Word};
use onlooker::game::{Game, Role, RulesGame};
use onlooker::rules::{
    Area, Atom, Condition, Directions, Ending, Landing, Movement, Rules, Seen, Side, Start, Taken, Verdict, Zone,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

pub type Words = BTreeSet<(u16, String)>;

/// How many configurations the plain reading may look at before a case is given up.
const MOST: usize = 30_000;

fn cell(name: &str) -> Cell {
    Cell::named(name).unwrap()
}

/// Each direction of a set as an alternative of its own, so that only plain steps are left.
fn plain(words: &Expression<Atom>) -> Expression<Atom> {
    words.expand(&mut |atom| match atom {
        Atom::Along(directions, path) => {
            let along = directions
                .steps()
                .into_iter()
                .map(|(dx, dy)| path.expand(&mut |&landing| Expression::Letter(Atom::Step { dx, dy, landing })));
            Expression::choice(along.collect::<Vec<_>>())
        }
        other => Expression::Letter(other.clone()),
    })
}

fn nullable(expression: &Expression<Atom>) -> bool {
    match expression {
        Expression::Letter(_) => false,
        Expression::Sequence(parts) => parts.iter().all(nullable),
        Expression::Choice(parts) => parts.iter().any(nullable),
        Expression::Repeat { of, least, .. } => *least == 0 || nullable(of),
    }
}

/// The atoms that can come first, each with what is left after it.
fn firsts(expression: &Expression<Atom>) -> Vec<(Atom, Expression<Atom>)> {
    match expression {
        Expression::Letter(atom) => vec![(atom.clone(), Expression::sequence([]))],
        Expression::Choice(parts) => parts.iter().flat_map(firsts).collect(),
        Expression::Sequence(parts) => {
            let mut found = Vec::new();
            for (i, part) in parts.iter().enumerate() {
                let rest = |after| Expression::sequence([after].into_iter().chain(parts[i + 1..].iter().cloned()));
                found.extend(firsts(part).into_iter().map(|(atom, after)| (atom, rest(after))));
                if !nullable(part) {
                    break;
                }
            }
            found
        }
        Expression::Repeat { most: Some(0), .. } => Vec::new(),
        Expression::Repeat { of, least, most } => {
            let again = of.clone().repeat(least.saturating_sub(1), most.map(|most| most - 1));
            firsts(of).into_iter().map(|(atom, after)| (atom, Expression::sequence([after, again.clone()]))).collect()
        }
    }
}

/// A word of the first player while it is being made.
#[derive(Clone)]
struct Making {
    board: Position,
    cursor: Square,
    controlled: Option<Cell>,
    /// Squares that must not be come to.
    been: Vec<Square>,
    /// Put-downs that must not be made again: where, which piece had appeared before, and which appears.
    puts: Vec<(Square, Option<Cell>, Cell)>,
    appeared: Option<Cell>,
    /// Squares that are not as they were when the turn began.
    changed: Vec<Square>,
    vanished: bool,
    word: Word,
}

struct Reader<'a> {
    zone: &'a Zone,
    start: Square,
    words: Words,
    looked_at: usize,
}

fn is_seen(cell: Cell, seen: Seen) -> bool {
    match seen {
        Seen::Empty => cell.is_empty(),
        Seen::Own => cell.owner() == Some(Player::First),
        Seen::Enemy => cell.owner() == Some(Player::Second),
    }
}

impl Reader<'_> {
    fn read(&mut self, expression: &Expression<Atom>, making: &Making) {
        self.looked_at += 1;
        if self.looked_at > MOST {
            return;
        }
        if nullable(expression) && !making.word.is_empty() {
            self.words.insert((self.start.0, making.word.to_string()));
        }
        for (atom, rest) in firsts(expression) {
            if let Some(next) = self.step(&atom, making) {
                self.read(&rest, &next);
            }
        }
    }

    fn step(&self, atom: &Atom, making: &Making) -> Option<Making> {
        let shape = making.board.shape();
        if making.vanished {
            return None;
        }
        let mut next = making.clone();
        let there = |dx, dy| shape.step(making.cursor, dx, dy).filter(|&square| making.board.at(square) != Cell::HOLE);
        match atom {
            Atom::Step { dx, dy, landing } => {
                next.cursor = there(*dx, *dy)?;
                let found = making.board.at(next.cursor);
                let takes = |wanted: bool| wanted.then_some(Content::Remove(Some(found)));
                let content = match landing {
                    Landing::On(seen) if !is_seen(found, *seen) => None,
                    Landing::On(Seen::Empty) => Some(Content::Empty),
                    Landing::On(Seen::Own) => Some(Content::Own),
                    Landing::On(Seen::Enemy) => Some(Content::Opponent),
                    Landing::Take(Taken::Own) => takes(is_seen(found, Seen::Own)),
                    Landing::Take(Taken::Enemy) => takes(is_seen(found, Seen::Enemy)),
                    Landing::Take(Taken::The(wanted)) => takes(found == *wanted),
                }?;
                if making.been.contains(&next.cursor) {
                    return None;
                }
                if let Content::Remove(_) = content {
                    next.board.set(next.cursor, Cell::EMPTY);
                    next.been.clear();
                    if !making.changed.contains(&next.cursor) {
                        next.puts.clear();
                    }
                    next.changed.push(next.cursor);
                }
                next.been.push(next.cursor);
                next.word.0.push(MicroMove { dx: *dx, dy: *dy, content });
            }
            Atom::Put(cell) => {
                let put = (making.cursor, making.appeared, *cell);
                if making.puts.contains(&put) {
                    return None;
                }
                next.puts.push(put);
                next.appeared = Some(*cell);
                if let Some(put_down) = next.controlled.replace(*cell) {
                    next.board.set(making.cursor, put_down);
                    next.changed.push(making.cursor);
                }
                next.been = vec![making.cursor];
                next.word.0.push(MicroMove { dx: 0, dy: 0, content: Content::Add(Some(*cell)) });
            }
            Atom::Vanish => {
                next.vanished = true;
                let content = Content::Remove(next.controlled.take());
                next.word.0.push(MicroMove { dx: 0, dy: 0, content });
            }
            Atom::Zone { within, .. } => return (self.zone.contains(shape, making.cursor) == *within).then_some(next),
            Atom::Look { dx, dy, seen } => return is_seen(making.board.at(there(*dx, *dy)?), *seen).then_some(next),
            Atom::Along(..) => unreachable!("directions were written out"),
        }
        Some(next)
    }
}

fn landing() -> impl Strategy<Value = Landing> {
    prop_oneof![
        4 => Just(Landing::On(Seen::Empty)),
        1 => Just(Landing::On(Seen::Own)),
        2 => Just(Landing::On(Seen::Enemy)),
        2 => Just(Landing::Take(Taken::Enemy)),
        1 => Just(Landing::Take(Taken::Own)),
        1 => Just(Landing::Take(Taken::The(cell("q")))),
        1 => Just(Landing::Take(Taken::The(Cell::WALL))),
    ]
}

fn path() -> impl Strategy<Value = Expression<Landing>> {
    landing().prop_map(Expression::Letter).prop_recursive(3, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(Expression::sequence),
            prop::collection::vec(inner.clone(), 1..3).prop_map(Expression::choice),
            inner.clone().prop_map(|of| of.repeat(0, None)),
            inner.prop_map(|of| of.repeat(1, None)),
        ]
    })
}

fn steps() -> impl Strategy<Value = Expression<Atom>> {
    let directions = prop::sample::select(vec![
        Directions::Orthogonal,
        Directions::Diagonal,
        Directions::Sideways,
        Directions::Forward,
        Directions::Leap(1, 2),
    ]);
    let along = (directions, path()).prop_map(|(directions, path)| Atom::Along(directions, path));
    let step = ((-1i8..2, -1i8..2), landing()).prop_filter_map("a step goes somewhere", |((dx, dy), landing)| {
        ((dx, dy) != (0, 0)).then_some(Atom::Step { dx, dy, landing })
    });
    prop_oneof![3 => along, 2 => step].prop_map(Expression::Letter)
}

/// Movements of all kinds, with put-downs in their loops and one after another.
pub fn words() -> impl Strategy<Value = Expression<Atom>> {
    let puts =
        || prop::sample::select(vec!["Q", "q", "P", "*"]).prop_map(|name| Expression::Letter(Atom::Put(cell(name))));
    let repeated = || prop_oneof![4 => steps().boxed(), 1 => puts().boxed()];
    let loops = prop_oneof![
        3 => steps(),
        1 => prop::collection::vec(repeated(), 1..3).prop_map(|parts| Expression::choice(parts).repeat(1, None)),
        1 => prop::collection::vec(repeated(), 1..3).prop_map(|parts| Expression::sequence(parts).repeat(0, None)),
    ];
    let look = ((-1i8..2, -1i8..2), prop::sample::select(vec![Seen::Empty, Seen::Own, Seen::Enemy]))
        .prop_map(|((dx, dy), seen)| Atom::Look { dx, dy, seen });
    let still = prop_oneof![
        any::<bool>().prop_map(|within| Atom::Zone { name: "there".to_owned(), within }),
        prop::sample::select(vec!["Q", "q", "P", "*"]).prop_map(|name| Atom::Put(cell(name))),
        Just(Atom::Vanish),
        look,
    ]
    .prop_map(Expression::Letter);
    let part = prop_oneof![3 => loops, 1 => still];
    let sequence = prop::collection::vec(part, 1..4).prop_map(Expression::sequence);
    prop::collection::vec(sequence, 1..4).prop_map(Expression::choice)
}

const HOLE: usize = 6;

pub fn position() -> impl Strategy<Value = Position> {
    prop::collection::vec(prop::sample::select(vec![".", ".", ".", "P", "Q", "p", "q", "*"]), 12).prop_map(|names| {
        let mut position = Position::empty(Shape::new(4, 3).unwrap());
        for (square, name) in (0..).map(Square).zip(names) {
            position.set(square, if square.index() == HOLE { Cell::HOLE } else { cell(name) });
        }
        position
    })
}

/// Whether a movement can be one of drops: a piece that is dropped does not vanish.
pub fn can_drop(words: &Expression<Atom>) -> bool {
    let mut vanishes = false;
    words.letters(&mut |atom| vanishes |= *atom == Atom::Vanish);
    !vanishes
}

pub fn game(words: &Expression<Atom>, drops: bool) -> Rules {
    let start = if drops { Start::Empty } else { Start::Piece(Piece::named("P").unwrap()) };
    Rules {
        name: "made-up".to_owned(),
        about: String::new(),
        players: vec!["white".to_owned(), "black".to_owned()],
        setup: Position::from_rows(["P Q p q", ". . # .", "* . . ."]).unwrap(),
        zones: vec![Zone { name: "there".to_owned(), areas: vec![Area::Ranks(1, 1), Area::Files(3, 3)] }],
        moves: vec![Movement { side: Side::Only(Player::First), start, words: words.clone() }],
        endings: vec![Ending { side: Side::Both, verdict: Verdict::Win, when: Condition::CannotMove }],
        learnt: None,
    }
}

/// The first player's words by a plain reading of their expression; none if that takes too long.
pub fn read_plainly(words: &Expression<Atom>, position: &Position, drops: bool) -> Option<Words> {
    let rules = game(words, drops);
    let expression = plain(words);
    let start = if drops { Cell::EMPTY } else { cell("P") };
    let mut found = Words::new();
    let mut looked_at = 0;
    for square in position.shape().all().filter(|&square| position.at(square) == start) {
        let mut board = position.clone();
        board.set(square, Cell::EMPTY);
        let controlled = (!drops).then_some(start);
        let making = Making {
            board,
            cursor: square,
            controlled,
            been: vec![square],
            puts: Vec::new(),
            appeared: None,
            changed: if drops { Vec::new() } else { vec![square] },
            vanished: false,
            word: Word::default(),
        };
        let mut reader = Reader { zone: &rules.zones[0], start: square, words: Words::new(), looked_at };
        reader.read(&expression, &making);
        looked_at = reader.looked_at;
        found.append(&mut reader.words);
    }
    (looked_at <= MOST).then_some(found)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_has_exactly_the_words_of_the_expression(words in words(), position in position(), drops in any::<bool>()) {
        let drops = drops && can_drop(&words);
        let rules = game(&words, drops);
        let expected = read_plainly(&words, &position, drops);
        prop_assume!(expected.is_some());
        let expected = expected.unwrap_or_default();
        let walked = rules.words(Player::First, &position, 10 * MOST);
        if let Some(walked) = walked {
            let walked: Words = walked.into_iter().map(|(start, word)| (start.0, word.to_string())).collect();
            prop_assert_eq!(&walked, &expected, "{}\n{}", words, position);
        }
        let game = RulesGame::new(rules).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let state = game.state(&position, Player::First, 0).unwrap();
        let mut moves = Vec::new();
        game.legal(&state, Role(0), &mut moves);
        let generated: Words = moves.iter().map(|choice| game.word(&state, choice)).map(|(start, word)| (start.0, word.to_string())).collect();
        prop_assert_eq!(&generated, &expected, "{}\n{}", words, position);
        prop_assert_eq!(moves.len(), expected.len(), "a word twice: {}\n{}", words, position);
        prop_assert_eq!(game.count(&state), expected.len() as u64, "{}\n{}", words, position);
        // Every word does to the engine's state what the format says it does to the position.
        for choice in &moves {
            let (start, word) = game.word(&state, choice);
            let mut after = state.clone();
            game.play(&mut after, std::slice::from_ref(choice));
            // A drop that does not begin with its piece has no meaning in logs.
            if let Ok(effect) = position.effect(Player::First, start, &word) {
                let mut expected = position.clone();
                expected.apply(&effect, Player::First);
                prop_assert_eq!(game.board(&after), expected, "{}\n{}{} {}", words, position, start.0, word);
            }
        }
    }
}
