//! Rules are read as they are written, and refused where they are wrong.

use crate::movement::can_drop;
use onlooker::automata::Expression;
use onlooker::board::{Cell, Piece, Player, Position, Shape, Square};
use onlooker::game::{
    CATALOGUE, Chance, Game, Playout, PlayoutEnd, Playouts, RulesGame, divide, perft, perft_parallel,
};
use onlooker::rules::{
    Area, Atom, Balance, Bound, Condition, Directions, Ending, Engine, Landing, Movement, OpenQuestion, PieceRecord,
    Provenance, Rules, Seen, Side, Start, Taken, TooManyTurns, Topic, Verdict, Ways, Whose, Zone,
};
use proptest::prelude::*;

const NAMES: [&str; 5] = ["P", "Q", "+R", "Kn~", "Ж"];

fn piece(owner: Player) -> impl Strategy<Value = Piece> {
    prop::sample::select(&NAMES[..]).prop_map(move |name| {
        let first = Piece::named(name).unwrap();
        if owner == Player::First { first } else { first.turned() }
    })
}

fn cell() -> impl Strategy<Value = Cell> {
    prop_oneof![
        piece(Player::First).prop_map(Piece::cell),
        piece(Player::Second).prop_map(Piece::cell),
        Just(Cell::WALL)
    ]
}

fn expression<L: Clone + std::fmt::Debug + 'static>(
    leaf: impl Strategy<Value = L> + 'static,
    depth: u32,
) -> BoxedStrategy<Expression<L>> {
    leaf.prop_map(Expression::Letter)
        .prop_recursive(depth, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Expression::sequence),
                prop::collection::vec(inner.clone(), 0..4).prop_map(Expression::choice),
                (inner, 0u8..4, prop::option::of(1u8..4))
                    .prop_map(|(of, least, more)| of.repeat(least, more.map(|m| least + m))),
            ]
        })
        .boxed()
}

fn landing() -> impl Strategy<Value = Landing> {
    prop_oneof![
        prop::sample::select(vec![Seen::Empty, Seen::Own, Seen::Enemy]).prop_map(Landing::On),
        Just(Landing::Take(Taken::Own)),
        Just(Landing::Take(Taken::Enemy)),
        cell().prop_map(|cell| Landing::Take(Taken::The(cell))),
    ]
}

fn step() -> impl Strategy<Value = (i8, i8)> {
    (-31i8..32, -31i8..32).prop_filter("a step goes somewhere", |step| *step != (0, 0))
}

fn directions() -> impl Strategy<Value = Directions> {
    let named = Directions::NAMED.map(|(_, directions)| directions).to_vec();
    prop_oneof![prop::sample::select(named), (0u8..32, 1u8..32).prop_map(|(a, b)| Directions::Leap(a, b))]
}

fn atom() -> impl Strategy<Value = Atom> {
    prop_oneof![
        (step(), landing()).prop_map(|((dx, dy), landing)| Atom::Step { dx, dy, landing }),
        (directions(), expression(landing(), 3)).prop_map(|(directions, path)| Atom::Along(directions, path)),
        cell().prop_map(Atom::Put),
        Just(Atom::Vanish),
        (any::<bool>()).prop_map(|within| Atom::Zone { name: "far".to_owned(), within }),
        (step(), prop::sample::select(vec![Seen::Empty, Seen::Own, Seen::Enemy]))
            .prop_map(|((dx, dy), seen)| Atom::Look { dx, dy, seen }),
    ]
}

/// A plain condition, with pieces of the first player; of the second where it counts the opponent's.
fn condition() -> impl Strategy<Value = Condition> {
    let pieces =
        || prop::collection::vec(prop::sample::select(&NAMES[..]).prop_map(|n| Piece::named(n).unwrap()), 0..3);
    let way = prop::sample::select(vec![Ways::RANKS, Ways::FILES, Ways::RISING, Ways::FALLING, Ways::ALL]);
    let ways = prop::collection::vec(way, 1..3).prop_map(|ways| ways.into_iter().reduce(Ways::and).unwrap());
    let whose = prop::sample::select(vec![Whose::Mover, Whose::Opponent]);
    let bound = prop::sample::select(vec![Bound::Exactly, Bound::OrFewer, Bound::OrMore]);
    prop_oneof![
        pieces().prop_map(|pieces| Condition::On { pieces, zone: "far".to_owned() }),
        (1u16..9, any::<bool>(), pieces(), ways).prop_map(|(count, exactly, pieces, ways)| Condition::Line {
            count,
            exactly,
            pieces,
            ways
        }),
        (whose, 0u16..9, bound, pieces(), any::<bool>()).prop_map(|(whose, count, bound, mut pieces, zone)| {
            if whose == Whose::Opponent {
                pieces.iter_mut().for_each(|piece| *piece = piece.turned());
            }
            Condition::Left { whose, count, bound, pieces, zone: zone.then(|| "far".to_owned()) }
        }),
        (1u32..1000).prop_map(Condition::Plies),
        prop::sample::select(vec![Balance::Fewer, Balance::Same, Balance::More]).prop_map(Condition::Balance),
        Just(Condition::CannotMove),
        Just(Condition::NeitherCanMove),
    ]
}

fn ending() -> impl Strategy<Value = Ending> {
    let when = prop_oneof![
        4 => condition(),
        1 => prop::collection::vec(condition(), 2..4).prop_map(Condition::All),
    ];
    let verdict = prop::sample::select(vec![Verdict::Win, Verdict::Lose, Verdict::Tie]);
    (prop::option::of(prop::sample::select(vec![Player::First, Player::Second])), verdict, when).prop_map(
        |(side, verdict, mut when)| {
            if side == Some(Player::Second) {
                turn(&mut when);
            }
            Ending { side: side.map_or(Side::Both, Side::Only), verdict, when }
        },
    )
}

fn turn(when: &mut Condition) {
    match when {
        Condition::On { pieces, .. } | Condition::Line { pieces, .. } | Condition::Left { pieces, .. } => {
            pieces.iter_mut().for_each(|piece| *piece = piece.turned());
        }
        Condition::All(parts) => parts.iter_mut().for_each(turn),
        _ => {}
    }
}

fn zone() -> impl Strategy<Value = Vec<Area>> {
    let range = |n: u8| (0..n, 0..n).prop_map(|(a, b)| (a.min(b), a.max(b)));
    let area = prop_oneof![
        range(5).prop_map(|(from, to)| Area::Ranks(from, to)),
        range(7).prop_map(|(from, to)| Area::Files(from, to)),
        prop::collection::vec((0u8..7, 0u8..5), 1..4).prop_map(Area::Squares),
        (range(7), range(5)).prop_map(|(files, ranks)| Area::Rectangle((files.0, ranks.0), (files.1, ranks.1))),
        Just(Area::Dark),
        Just(Area::Light),
        Just(Area::Corners),
    ];
    prop::collection::vec(area, 1..4)
}

prop_compose! {
    /// Rules without sense, but without flaws too.
    pub fn rules()(
        words in prop::collection::vec(expression(atom(), 4), 0..8),
        endings in prop::collection::vec(ending(), 0..5),
        areas in zone(),
        seen in prop::option::of((any::<u64>(), prop::collection::vec((piece(Player::Second), any::<u64>()), 0..3))),
        about in "[a-zA-Z;:!]([a-zA-Z ;:!]{0,20}[a-z])?|",
    ) -> Rules {
        // All pieces stand in the setup, so that endings may speak of them.
        let setup = Position::from_rows(["+R +r Q q P p .", "Kn~ kN~ Ж ж * # #", ". . . . . . .", ". . . . . . .", "P P P . . . ."]).unwrap();
        let starts = NAMES.map(|name| Start::Piece(Piece::named(name).unwrap()));
        let mut moves: Vec<Movement> = Vec::new();
        for (i, words) in words.into_iter().enumerate() {
            let (side, start) = match i {
                0..5 => (Side::Both, starts[i]),
                5 if can_drop(&words) => (Side::Both, Start::Empty),
                5 => continue,
                6 => (Side::Only(Player::First), starts[0]),
                _ => (Side::Only(Player::Second), Start::Piece(Piece::named("p").unwrap())),
            };
            moves.push(Movement { side, start, words });
        }
        let stuck = Ending { side: Side::Both, verdict: Verdict::Lose, when: Condition::CannotMove };
        Rules {
            name: "made-up".to_owned(),
            about,
            players: vec!["white".to_owned(), "black".to_owned()],
            setup,
            zones: vec![Zone { name: "far".to_owned(), areas }],
            moves,
            learnt: seen.map(|(games, pieces)| Provenance {
                games,
                positions: games,
                pieces: pieces.into_iter().map(|(piece, moves)| PieceRecord { piece, moves, words: 3, rarest: "(0 0 a+r)(1 2 e)".parse().unwrap(), rarest_seen: 1 }).collect(),
                endings: vec![games; endings.len()],
                open: vec![
                    OpenQuestion { about: Topic::Piece(Cell::named("+r").unwrap()), text: "nothing was ever at (0 1), (1 0)".to_owned() },
                    OpenQuestion { about: Topic::Ending(0), text: "no game ended on a1".to_owned() },
                ],
            }),
            endings: endings.into_iter().chain([stuck]).collect(),
        }
    }
}

proptest! {
    #[test]
    fn rules_are_read_as_they_were_written(rules in rules()) {
        prop_assert_eq!(rules.flaws(), vec![]);
        let text = rules.to_string();
        prop_assert_eq!(Rules::parse(&text).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?, rules);
    }

    #[test]
    fn a_damaged_text_gives_rules_or_problems_within_it(game in 0..CATALOGUE.len(), at in any::<prop::sample::Index>(), cut in 0usize..6, put in "[ a-zP(){}|*+,:;\"0-9\n-]{0,4}") {
        let text = CATALOGUE[game].1;
        let from = (0..=at.index(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap();
        let to = (from + cut.min(text.len() - from)..).find(|&i| text.is_char_boundary(i)).unwrap();
        let damaged = format!("{}{put}{}", &text[..from], &text[to..]);
        match Rules::parse(&damaged) {
            Ok(rules) => {
                prop_assert_eq!(Rules::parse(&rules.to_string()).unwrap(), rules.clone());
                let _ = Engine::compile(&rules);
            }
            Err(error) => {
                prop_assert!(!error.problems.is_empty());
                prop_assert!(error.problems.iter().all(|problem| damaged.get(problem.span.clone()).is_some()));
            }
        }
    }
}

#[test]
fn the_catalogue_is_read_as_it_is_written() {
    for (name, text) in CATALOGUE {
        let rules = Rules::parse(text).unwrap();
        assert_eq!(Rules::parse(&rules.to_string()).unwrap(), rules, "{name}");
    }
}

/// A good text, into which the broken lines below are put.
const GOOD: &str = "\
game toy
players white black

board
  ppp
  ...
  PPP

zones
  far  rank 3

moves
  P  forward(empty)

ending
  win when P on far
  win when the next player cannot move
";

#[test]
fn what_is_wrong_is_shown_where_it_is() {
    assert!(Rules::parse(GOOD).is_ok());
    // What to replace, by what, the text pointed at, and a part of the message.
    for (good, bad, pointed, message) in [
        ("game toy", "game my toy", "game my toy", "one name"),
        ("game toy\n", "", "", "expected a line 'game NAME'"),
        ("players white black", "players white white", "players white white", "both players are called white"),
        ("players white black", "players a b c", "players a b c", "one or two players"),
        ("players white black\n", "", "", "expected a line 'players NAME NAME'"),
        ("zones\n", "zone\n", "zone", "expected game, about, players, board"),
        ("board\n", "", "ppp", "expected a section"),
        ("  ...\n", "  ..\n", "..", "this row has 2 squares, the rows above have 3"),
        ("  ...\n", "  .1.\n", "1.", "not a piece"),
        ("rank 3", "rank 4", "far  rank 4", "squares that the board does not have"),
        ("rank 3", "rank", "", "a rank from 1 to 32"),
        ("rank 3", "row 3", "row", "expected rank 8"),
        ("moves\n", "moves of green\n", "moves of green", "one of the players: white, black"),
        ("forward(empty)", "forwards(empty)", "forwards", "expected a step as in (1 2 empty), a direction"),
        ("forward(empty)", "forward(blank)", "blank", "empty, own, enemy, take:own"),
        ("forward(empty)", "forward(empty", "", "expected ')'"),
        ("forward(empty)", "forward(empty))", ")", "expected '|', a movement, or the end"),
        ("forward(empty)", "", "", "a movement, or 'nothing'"),
        ("forward(empty)", "(0 1 empty) |", "", "a movement, or 'nothing'"),
        ("forward(empty)", "(0 empty)", "empty", "a number of squares"),
        ("forward(empty)", "(0 0 empty)", "P  (0 0 empty)", "leads nowhere"),
        ("forward(empty)", "forward(empty{3,2})", "}", "how often"),
        ("forward(empty)", "forward(empty{99})", "}", "how often"),
        ("forward(empty)", "forward(empty) on:near", "P  forward(empty) on:near", "there is no zone near"),
        ("forward(empty)", "forward(empty) put:7", "7", "a piece, as in put:Q"),
        ("forward(empty)", "forward(empty) put:\"Q", "\"Q", "closing"),
        ("  P  forward", "  p  forward", "p  forward(empty)", "in UPPERCASE"),
        ("  P  forward", "  7  forward", "7", "expected a piece, or '.'"),
        ("win when P on far", "win if P on far", "if", "expected 'when'"),
        ("win when P on far", "draw when P on far", "draw", "win, lose or tie"),
        ("win when P on far", "win when Q on far", "win when Q on far", "no piece Q is ever on the board"),
        ("win when P on far", "win when 0 plies are played", "win when 0 plies are played", "greater than 0"),
        ("win when P on far", "win when 3 P", "", "'in line' or 'left'"),
        ("win when P on far", "win when 3 or less left", "less", "'fewer' or 'more'"),
        ("win when P on far", "win when exactly 3 left", "left", "'in line'"),
        ("win when P on far", "win when 3 in line along rows", "rows", "ranks, files, diagonals"),
        ("win when P on far", "win when the opponent has none left", "none", "a number of pieces"),
        (
            "win when P on far",
            "win when the opponent has 0 P left",
            "win when the opponent has 0 P left",
            "of the opponent",
        ),
        ("win when P on far", "win when 2 left on near", "win when 2 left on near", "there is no zone near"),
        ("win when P on far", "win when P on far and", "", "'the next player cannot move'"),
        ("win when P on far", "win when P on far or 2 left", "or", "'and' or the end of the line"),
        ("win when P on far", "win when 99999 left", "99999", "fits a board"),
        ("  win when the next player cannot move\n", "", "ending", "no ending says what it means for white"),
    ] {
        let text = GOOD.replacen(good, bad, 1);
        let error = Rules::parse(&text).expect_err(bad);
        let problem = &error.problems[0];
        assert_eq!(&text[problem.span.clone()], pointed, "{bad}: {}", problem.message);
        assert!(problem.message.contains(message), "{bad}: {}", problem.message);
        assert_eq!(error.text, text);
    }
}

#[test]
fn every_problem_of_a_text_is_told_at_once() {
    let text =
        GOOD.replace("rank 3", "rank x").replace("forward(empty)", "upward(empty)").replace("win when P", "won when P");
    assert_eq!(Rules::parse(&text).unwrap_err().problems.len(), 3);
}

#[test]
fn comments_blank_lines_and_long_expressions_are_read() {
    let text = format!(
        "\u{feff}; first\r\n{}",
        GOOD.replace("  P  forward(empty)", "  P  forward(empty) ; one step\n\n     | forward-diagonal(enemy)")
    );
    let rules = Rules::parse(&text.replace('\n', "\r\n")).unwrap();
    assert_eq!(rules.moves[0].words.to_string(), "forward(empty) | forward-diagonal(enemy)");
}

#[test]
fn deep_nesting_and_huge_automata_are_errors_not_crashes() {
    let nested = format!("{}empty{}", "(".repeat(100_000), ")".repeat(100_000));
    let deep = Rules::parse(&GOOD.replace("forward(empty)", &format!("forward({nested})"))).unwrap_err();
    assert!(deep.problems[0].message.contains("nested"), "{}", deep.problems[0].message);
    let huge = GOOD.replace("forward(empty)", "forward((((empty{2,31}){2,31}){2,31}){2,31})");
    let error = Engine::compile(&Rules::parse(&huge).unwrap()).unwrap_err();
    assert!(error.to_string().contains("too large"), "{error}");
    let idle = GOOD.replace("forward(empty)", "forward(empty) (on:far off:far)*");
    assert!(Engine::compile(&Rules::parse(&idle).unwrap()).unwrap_err().to_string().contains("guards"));
}

/// Positions with more turns than can be gone through are errors, always the same ones, whatever was asked before.
#[test]
fn turns_without_end_are_errors() {
    let board = |words: &str| {
        let text = format!(
            "game g\nplayers white black\nboard\n  ........\n  ........\n  ........\n  ...P....\n  ........\n  ........\n  ........\n  ........\n\
             zones\n  far  rank 8\n  edge  file a\nmoves\n  P  {words}\nending\n  win when the next player cannot move\n"
        );
        Rules::parse(&text).unwrap()
    };
    for (words, too_many) in [
        ("any(empty)*", true),
        ("any(empty)+", true),
        ("any(empty)* any(take:own)", true),
        ("(off:far | off:edge) any(empty)+", true),
        ("any(empty)", false),
        ("orthogonal(empty+) diagonal(empty+) put:Q", false),
    ] {
        let engine = Engine::compile(&board(words)).unwrap();
        // Once more, since nothing may be remembered.
        for _ in 0..2 {
            let mut state = engine.start();
            let (mut moves, count) = (Vec::new(), engine.count(&state));
            assert_eq!(count.is_err(), too_many, "{words}");
            assert_eq!(engine.moves(&state, &mut moves).map(|()| moves.len() as u64), count, "{words}");
            assert!(!too_many || moves.is_empty());
            let before = state.clone();
            let picked = engine.play_picked(&mut state, |count| count - 1);
            assert_eq!(picked.ok(), count.ok().map(|count| count > 0), "{words}");
            assert!(!too_many || state == before, "{words}");
        }
    }
}

/// A game that has met a position beyond the limits goes on as if nothing had happened.
#[test]
fn a_position_beyond_the_limits_leaves_no_trace() {
    // The king may go far only where nobody else is: with the stone there, it has 8 moves.
    let text = "game g\nplayers white black\nboard\n  ......\n  ......\n  ..K...\n  ......\n  ......\n  s.....\nmoves\n  \
                K  any(empty)+\n  S  forward(empty)\nending\n  win when the next player cannot move\n";
    let game = RulesGame::new(Rules::parse(text).unwrap()).unwrap();
    let start = game.start();
    let mut small = Position::empty(Shape::new(6, 6).unwrap());
    let full = small.shape().all().filter(|square| square.index() % 6 > 1);
    full.for_each(|square| small.set(square, Cell::named("s").unwrap()));
    small.set(Square(0), Cell::named("K").unwrap());
    let small = game.state(&small, Player::First, 0).unwrap();
    let known = RulesGame::new(Rules::parse(text).unwrap()).unwrap().count(&small);
    assert!(known > 0);
    for _ in 0..2 {
        assert_eq!(game.count(&start), 0);
        assert_eq!((game.goals(&start), game.truncation(&start)), (None, Some(TooManyTurns.into())));
        assert_eq!((game.count(&small), game.truncation(&small)), (known, None));
        let playout = Playouts::new(&game).run(&start, 5, &mut Chance::new(1));
        assert_eq!(playout, Playout { plies: 0, end: PlayoutEnd::Truncated(TooManyTurns.into()) });
        assert_eq!(perft(&game, 2), Err(TooManyTurns.into()));
        assert_eq!(perft_parallel(&game, 2), Err(TooManyTurns.into()));
        assert_eq!(divide(&game, 1).collect::<Vec<_>>(), [Err(TooManyTurns.into())]);
    }
}

/// A movement with very many guards is compiled in no time, and still means what it says.
#[test]
fn many_guards_in_one_movement_are_soon_compiled() {
    let offsets = || (-6..=6).flat_map(|dx| (-6..=6).map(move |dy| (dx, dy))).filter(|&offset| offset != (0, 0));
    let all: Vec<String> = offsets().map(|(dx, dy)| format!("look({dx} {dy} empty)")).collect();
    let any: Vec<String> = offsets().map(|(dx, dy)| format!("look({dx} {dy} enemy) (0 1 empty)")).collect();
    assert!(all.len() > 160);
    let moves = |movement: &str, other: &str| {
        let rank = |rank| match rank {
            6 => "......P......".to_owned(),
            12 => format!("{other}............"),
            _ => ".............".to_owned(),
        };
        let board: String = (0..13).map(|number| format!("  {}\n", rank(number))).collect();
        let text = format!(
            "game g\nplayers white black\nboard\n{board}moves\n  P  {movement}\nending\n  win when the next player cannot move\n"
        );
        let began = std::time::Instant::now();
        let game = RulesGame::new(Rules::parse(&text).unwrap()).unwrap();
        assert!(began.elapsed() < std::time::Duration::from_secs(10), "{:?}", began.elapsed());
        game.count(&game.start())
    };
    let forward = format!("{} forward(empty)", all.join(" "));
    assert_eq!((moves(&forward, "."), moves(&forward, "p")), (1, 0));
    // Few ways at a time, and many at once.
    let either = any.join(" | ");
    assert_eq!((moves(&either, "."), moves(&either, "p")), (0, 1));
    let doubled: Vec<String> = all.chunks(8).map(|some| format!("({})", some.join(" | "))).collect();
    assert_eq!(moves(&format!("{} forward(empty)", doubled.join(" ")), "p"), 1);
}
