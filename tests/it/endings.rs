//! Endings: the engine says what their words mean, they are learnt from games that end so, and whatever is learnt without
//! a doubt reproduces the games that it was learnt from.

use super::zoo::{AT_RANDOM, game, play};
use crate::exam::chance::Chance;
use crate::exam::grammar;
use onlooker::board::{Cell, Player, Position, Shape, Square};
use onlooker::game::{RulesGame, catalogue_game, check_game};
use onlooker::learn::{Evidence, Learnt, Options, Unexplained, learn};
use onlooker::observe::{GameReader, Listing, Outcome, Record};
use onlooker::rules::{Balance, Bound, Condition, Engine, Rules, Verdict, Whose};
use std::sync::atomic::AtomicBool;

fn learnt_from(games: &[Vec<Record>], options: &Options) -> Learnt {
    let mut evidence = Evidence::default();
    games.iter().for_each(|game| evidence.observe(game).unwrap());
    learn(&evidence, options, &AtomicBool::new(false), &|_| {}).unwrap()
}

/// Lines of the section `ending`.
fn endings(rules: &Rules) -> Vec<String> {
    rules.endings.iter().map(ToString::to_string).collect()
}

/// A condition read as its words say, on a board as the player who has just moved sees it.
fn holds(rules: &Rules, when: &Condition, position: &Position, mover: Player, turned: bool, stuck: [bool; 2]) -> bool {
    let shape = position.shape();
    let seen = |square: Square| if turned { shape.mirrored(square) } else { square };
    let as_written = |cell: Cell| if turned { cell.turned() } else { cell };
    let owner = |whose: Whose| if whose == Whose::Mover { mover } else { mover.other() };
    let counts = |square: Square, whose: Whose, pieces: &[onlooker::board::Piece]| {
        let cell = position.at(square);
        let listed = || pieces.iter().any(|piece| piece.cell() == as_written(cell));
        cell.owner() == Some(owner(whose)) && (pieces.is_empty() || listed())
    };
    let number = |whose: Whose, pieces: &[onlooker::board::Piece], zone: Option<&String>| {
        let inside = |square: Square| zone.is_none_or(|zone| rules.zone(zone).unwrap().contains(shape, seen(square)));
        shape.all().filter(|&square| inside(square) && counts(square, whose, pieces)).count()
    };
    match when {
        Condition::On { pieces, zone } => number(Whose::Mover, pieces, Some(zone)) > 0,
        Condition::Left { whose, count, bound, pieces, zone } => {
            let number = number(*whose, pieces, zone.as_ref());
            match bound {
                Bound::Exactly => number == usize::from(*count),
                Bound::OrFewer => number <= usize::from(*count),
                Bound::OrMore => number >= usize::from(*count),
            }
        }
        Condition::Line { count, exactly, pieces, ways } => Shape::LINES.iter().enumerate().any(|(way, &(dx, dy))| {
            let ways = if turned { ways.mirrored() } else { *ways };
            let is_own = |square: &Square| counts(*square, Whose::Mover, pieces);
            ways.has(way)
                && shape.all().filter(is_own).any(|square| {
                    let first = shape.step(square, -dx, -dy).is_none_or(|before| !is_own(&before));
                    let length = 1 + shape.ray(square, dx, dy).take_while(is_own).count();
                    first && if *exactly { length == usize::from(*count) } else { length >= usize::from(*count) }
                })
        }),
        Condition::Balance(balance) => {
            let (own, others) = (number(Whose::Mover, &[], None), number(Whose::Opponent, &[], None));
            match balance {
                Balance::Fewer => others < own,
                Balance::Same => others == own,
                Balance::More => others > own,
            }
        }
        Condition::CannotMove => stuck[0],
        Condition::NeitherCanMove => stuck == [true; 2],
        Condition::Plies(plies) => *plies <= 7,
        Condition::All(parts) => parts.iter().all(|part| holds(rules, part, position, mover, turned, stuck)),
    }
}

#[test]
fn the_engine_says_what_the_words_of_conditions_mean() {
    let conditions = [
        "P on far",
        "any on mid",
        "3 in line",
        "exactly 2 in line",
        "exactly 3 P in line along ranks or files",
        "2 Q in line along rising-diagonals",
        "3 in line along ranks or falling-diagonals",
        "2 P left",
        "3 or fewer left",
        "2 or more Q left on far",
        "0 P left on mid",
        "the opponent has 0 p left",
        "the opponent has 2 or fewer left",
        "the opponent has 1 or more p or q left on mid",
        "the opponent has fewer left",
        "the opponent has as many left",
        "the opponent has more left",
        "the next player cannot move",
        "neither player can move",
        "7 plies are played and the opponent has fewer left",
        "8 plies are played and P on far",
        "the next player cannot move and the opponent has more left",
        "P on far and 4 or fewer left and the opponent has more left",
    ];
    let mut chance = Chance::new(&[1]);
    let shape = Shape::new(5, 4).unwrap();
    for condition in conditions {
        let text = |section: &str, condition: &str| {
            format!(
                "game g\nplayers w b\nboard\n  pqp..\n  .....\n  .....\n  PQP..\nzones\n  far  rank 4\n  mid  squares b2 c2 e3\n\
                 moves\n  P  forward(empty)\nending{section}\n  win when {condition}\nending\n  tie when the next player cannot move\n"
            )
        };
        for (section, mover) in [("", Player::First), ("", Player::Second), (" of w", Player::First)] {
            let rules = Rules::parse(&text(section, condition)).unwrap_or_else(|error| panic!("{condition}: {error}"));
            assert_eq!(rules.endings[0].when.to_string(), condition);
            let engine = Engine::compile(&rules).unwrap();
            let mut met = [0; 2];
            for _ in 0..300 {
                let mut position = Position::empty(shape);
                let density = chance.between(5, 80);
                for square in shape.all() {
                    if chance.percent(density) {
                        position.set(square, Cell::named(chance.one(&["P", "P", "Q", "p", "p", "q"])).unwrap());
                    }
                }
                let can_move = |player: Player| {
                    let (pawn, up) = if player == Player::First { ("P", 1) } else { ("p", -1) };
                    shape.all().any(|square| {
                        let ahead = shape.step(square, 0, up);
                        position.at(square) == Cell::named(pawn).unwrap()
                            && ahead.is_some_and(|ahead| position.at(ahead).is_empty())
                    })
                };
                let stuck = [!can_move(mover.other()), !can_move(mover)];
                let state = engine.state(&position, mover.other(), 7).unwrap();
                let turned = mover == Player::Second;
                let expected = holds(&rules, &rules.endings[0].when, &position, mover, turned, stuck);
                let found = engine.verdict(&state).unwrap();
                let plain = stuck[0].then_some(Verdict::Tie);
                assert_eq!(
                    found,
                    if expected { Some(Verdict::Win) } else { plain },
                    "{condition} for {mover:?}\n{position}"
                );
                let mut moves = Vec::new();
                engine.moves(&state, &mut moves).unwrap();
                assert_eq!(moves.is_empty(), found.is_some(), "{condition} for {mover:?}\n{position}");
                met[usize::from(expected)] += 1;
            }
            assert!(met[1] > 0 || condition.starts_with('8'), "{condition}: {met:?}");
            assert!(met[0] > 0, "{condition}: {met:?}");
        }
    }
}

/// Games whose endings must come back word for word, from all moves and from single ones.
const GAMES: &[&str] = &[
    // The capture of a king.
    "players white black\nboard\n  rnkn\n  ....\n  ....\n  RNKN\nmoves\n  R  orthogonal(empty* (empty | enemy))\n  N  leap 1,2(empty | enemy)\n  K  any(empty | enemy)\n\
     ending\n  win when the opponent has 0 k left\n  win when the next player cannot move\n  tie when 60 plies are played\n",
    // Fox and geese: the armies differ.
    "players geese fox\nboard\n  GGGGG\n  G...G\n  .....\n  ..f..\n  .....\nmoves of geese\n  G  orthogonal(empty)\nmoves of fox\n  f  any(empty) | any(take:enemy empty)\n\
     ending\n  win when the opponent has 4 left\n  win when the next player cannot move\n  tie when 60 plies are played\n",
    // Two ways to win.
    "players white black\nboard\n  pppppp\n  ......\n  ......\n  ......\n  PPPPPP\nzones\n  far  rank 5\nmoves\n  P  forward(empty) | forward-diagonal(empty | enemy) | sideways(empty)\n\
     ending\n  win when exactly 3 in line along diagonals\n  win when P on far\n  win when the next player cannot move\n",
    // More pieces at a limit.
    "players white black\nboard\n  rrrrr\n  .....\n  .....\n  .....\n  RRRRR\nmoves\n  R  orthogonal(empty* (empty | enemy))\n\
     ending\n  win when the next player cannot move\n  win when 30 plies are played and the opponent has fewer left\n  lose when 30 plies are played and the opponent has more left\n  tie when 30 plies are played\n",
    // Lines that lose.
    "players x o\nboard\n  ....\n  ....\n  ....\n  ....\nmoves of x\n  .  put:X\nmoves of o\n  .  put:o\n\
     ending\n  lose when 3 in line\n  tie when the next player cannot move\n",
    // A piece that must stay where it is.
    "players white black\nboard\n  .pkp.\n  .....\n  .....\n  .PKP.\nzones\n  zone  square c1\nmoves\n  P  any(empty | enemy)\n  K  any(empty)\n\
     ending\n  lose when 0 K left on zone\n  win when the next player cannot move\n",
];

#[test]
fn endings_are_learnt_as_they_were_written() {
    for (number, text) in GAMES.iter().enumerate() {
        let game = game(&format!("game toy{number}\n{text}"));
        for (listing, games) in [(Listing::All, 150), (Listing::Some, 400)] {
            let games = play(&game, 0..games, listing, AT_RANDOM, 1);
            let learnt = learnt_from(&games, &Options::default());
            let said: Vec<String> = learnt.unexplained.iter().map(ToString::to_string).collect();
            assert_eq!(endings(&learnt.rules), endings(game.rules()), "{listing:?} {said:?}\n{}", learnt.rules);
            assert_eq!(said, Vec::<String>::new(), "{}", learnt.rules);
        }
    }
}

/// Evidence that was saved, read and merged gives the same endings.
#[test]
fn endings_do_not_depend_on_how_evidence_was_gathered() {
    for text in GAMES {
        let games = play(&game(&format!("game toy\n{text}")), 0..60, Listing::All, AT_RANDOM, 2);
        let whole = learnt_from(&games, &Options::default()).rules.to_string();
        let mut merged = Evidence::default();
        for part in games.chunks(7).rev() {
            let mut one = Evidence::default();
            part.iter().for_each(|game| one.observe(game).unwrap());
            let mut bytes = Vec::new();
            one.write(&mut bytes).unwrap();
            merged.merge(Evidence::read(bytes.as_slice()).unwrap()).unwrap();
        }
        let learnt = learn(&merged, &Options::default(), &AtomicBool::new(false), &|_| {}).unwrap();
        assert_eq!(learnt.rules.to_string(), whole);
    }
}

#[test]
fn what_is_learnt_without_doubt_reproduces_the_games_it_was_learnt_from() {
    let mut certain = 0;
    for number in 0..40 {
        let made = grammar::game(11, number).game;
        for (listing, count) in [(Listing::All, 40), (Listing::Some, 60)] {
            let played = (0..count).map(|n| made.play(&mut Chance::new(&[11, number, n])));
            let games: Vec<Vec<Record>> = played.map(|played| made.records(&played, listing)).collect();
            let learnt = learnt_from(&games, &Options::default());
            if !learnt.is_consistent() {
                continue;
            }
            certain += 1;
            let rules = RulesGame::new(learnt.rules.clone()).unwrap();
            for records in &games {
                let report = check_game(&rules, records, 1, 3);
                assert!(
                    report.holds(),
                    "game {number}, {listing:?}: {:?}\n{made}\n{}",
                    report.mismatches,
                    learnt.rules
                );
            }
        }
    }
    assert!(certain > 20, "only {certain}");
}

#[test]
fn a_few_games_make_no_certain_endings() {
    for name in ["breakthrough", "go-moku", "connect-four"] {
        for games in 1..=2 {
            let games = play(&catalogue_game(name).unwrap(), 0..games, Listing::All, AT_RANDOM, 3);
            let learnt = learnt_from(&games, &Options::default());
            assert!(!learnt.is_consistent(), "{}", learnt.rules);
        }
    }
    let silent = "1\n.p\nP.\n*\nw some 0\n";
    let games: Vec<Vec<Record>> = GameReader::new(silent.as_bytes()).filter_map(Result::ok).collect();
    if !games.is_empty() {
        let learnt = learnt_from(&games, &Options::default());
        assert!(learnt.unexplained.contains(&Unexplained::NoMoves(1)), "{:?}", learnt.unexplained);
    }
}

/// Outcomes that follow no rule are told, with a position, and are tolerated only if so many may be false.
#[test]
fn outcomes_that_nothing_explains_are_told() {
    let game = catalogue_game("breakthrough").unwrap();
    let mut games = play(&game, 0..200, Listing::All, AT_RANDOM, 4);
    let won = |records: &Vec<Record>| records.last().is_some_and(|last| last.outcome == Some(Outcome::Won));
    for records in games.iter_mut().filter(|records| won(records)).step_by(60).take(2) {
        records.last_mut().unwrap().outcome = Some(Outcome::Lost);
    }
    let strict = learnt_from(&games, &Options::default());
    let told = strict
        .unexplained
        .iter()
        .any(|what| matches!(what, Unexplained::Games { outcome: Outcome::Lost, .. } | Unexplained::Guess { .. }));
    assert!(told && !strict.is_consistent(), "{:?}\n{}", strict.unexplained, strict.rules);
    let noisy = learnt_from(&games, &Options { noise: 0.02, ..Options::default() });
    assert!(noisy.is_consistent(), "{:?}", noisy.unexplained);
    // No game lasted until the limit.
    assert_eq!(endings(&noisy.rules), endings(game.rules())[..2]);
}
