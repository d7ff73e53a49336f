//! Games of kinds that the catalogue does not have: learnt exactly, or reported.

use super::zoo::{AT_RANDOM, game, play, wrong};
use crate::exam::grade::{Class, Mark, Mode, Question, grade};
use crate::exam::grammar;
use onlooker::board::{Content, Word};
use onlooker::game::{MismatchKind, RulesGame, check_game};
use onlooker::learn::{Evidence, Learnt, MoveClass, Options, Unexplained, learn};
use onlooker::observe::{Listing, Move, Record};
use onlooker::rules::{Rules, Side, Topic};
use std::sync::atomic::AtomicBool;

fn learnt_from(games: &[Vec<Record>], options: &Options) -> Learnt {
    let mut evidence = Evidence::default();
    games.iter().for_each(|game| evidence.observe(game).unwrap());
    learn(&evidence, options, &AtomicBool::new(false), &|_| {}).unwrap()
}

/// Boards and movements, with how many games are enough if all moves are listed, and if single ones are.
const GAMES: [(&str, &str, u64, u64); 5] = [
    (
        "pushes",
        "board\n  .rprpr.\n  .ppppp.\n  .......\n  .......\n  .PPPPP.\n  .RPRPR.\nmoves\n  R  orthogonal(empty)\n  P  \
         forward(empty) | forward(take:p) put:p forward(empty) | forward(take:r) put:r forward(empty)\n",
        60,
        600,
    ),
    (
        "swaps",
        "board\n  .rprpr.\n  .......\n  .......\n  .RPRPR.\nmoves\n  R  orthogonal(empty)\n  P  forward(empty) | \
         forward(take:P) put:P backward(empty) | forward(take:R) put:R backward(empty) | forward(take:p) put:p \
         backward(empty) | forward(take:r) put:r backward(empty)\n",
        60,
        600,
    ),
    (
        "beside-an-enemy",
        "board\n  .......\n  ...p...\n  .......\n  ...P...\n  .......\nmoves\n  .  (look(1 0 enemy) | look(-1 0 enemy) | \
         look(0 1 enemy) | look(0 -1 enemy)) put:P\n",
        60,
        300,
    ),
    (
        "support-beside-holes",
        "board\n  .......\n  ..#.#..\n  .......\n  ..#.#..\n  .......\nzones\n  floor  rank 1\nmoves of white\n  .  (look(0 -1 \
         own) | look(0 -1 enemy) | on:floor) put:P\nmoves of black\n  .  (look(0 -1 own) | look(0 -1 enemy) | on:floor) \
         put:p\n",
        60,
        300,
    ),
    (
        "not-beside-oneself",
        "board\n  .......\n  .......\n  .......\n  .......\nzones\n  right  file g\n  left  file a\nmoves\n  .  (look(1 0 empty) | \
         look(1 0 enemy) | on:right) (look(-1 0 empty) | look(-1 0 enemy) | on:left) put:P\n",
        60,
        300,
    ),
];

const ENDING: &str = "ending\n  win when the next player cannot move\n  tie when 60 plies are played\n";

#[test]
fn what_is_taken_and_put_down_again_and_what_is_beside_a_drop_is_learnt() {
    for (name, rules, all, some) in GAMES {
        let text = format!("game {name}\nplayers white black\n{rules}{ENDING}");
        let game = game(&text);
        for (listing, games) in [(Listing::All, all), (Listing::Some, some)] {
            let learnt = learnt_from(&play(&game, 0..games, listing, AT_RANDOM, 3), &Options::default());
            assert_eq!(wrong(&game, &learnt), Vec::<String>::new(), "{name}, {listing:?}\n{}", learnt.rules);
            assert!(learnt.is_consistent(), "{name}, {listing:?}: {:?}\n{}", learnt.unexplained, learnt.rules);
        }
    }
}

#[test]
fn noise_leaves_a_drop_that_looks_around() {
    let game = onlooker::game::catalogue_game("connect-four").unwrap();
    let mut games = play(&game, 0..40, Listing::All, AT_RANDOM, 1);
    // A dozen records lack a move that was not played.
    let mut left = 12;
    for record in games.iter_mut().flatten().step_by(7) {
        if left > 0 && record.moves.len() > 2 {
            record.moves.pop();
            left -= 1;
        }
    }
    assert_eq!(left, 0);
    let learnt = learnt_from(&games, &Options { noise: 0.02, ..Options::default() });
    assert_eq!(wrong(&game, &learnt), Vec::<String>::new(), "{}", learnt.rules);
    assert!(learnt.is_consistent(), "{:?}", learnt.unexplained);
    // More than was allowed is reported.
    let strict = learnt_from(&games, &Options { noise: 0.000_1, ..Options::default() });
    assert!(!strict.is_consistent(), "{}", strict.rules);
}

#[test]
fn forced_captures_are_reported() {
    let forced = (0..).map(|number| (number, grammar::game(11, number).game)).filter(|(_, game)| game.must_capture);
    for (number, game) in forced.take(2) {
        for (listing, games) in [(Listing::All, 60), (Listing::Some, 400)] {
            let question = Question { seed: 11, number, mode: Mode { listing, games } };
            let grade = grade(&game, &question, &Options::default());
            assert_ne!(grade.mark, Mark::Silent, "game {number}, {listing:?}: {}", grade.difference);
            if listing == Listing::Some {
                let quiet = |what: &Unexplained| {
                    matches!(
                        what,
                        Unexplained::RarelyPlayed { class: MoveClass::WhileCaptures { capture: false }, played: 0, .. }
                    )
                };
                assert!(grade.learnt.unexplained.iter().any(quiet), "game {number}: {:?}", grade.learnt.unexplained);
            }
        }
    }
}

#[test]
fn rules_without_a_warning_reproduce_what_they_were_learnt_from() {
    for number in 0..16 {
        let game = grammar::game(12, number).game;
        let question = Question { seed: 12, number, mode: Mode { listing: Listing::All, games: 60 } };
        let grade = grade(&game, &question, &Options::default());
        let contradicts = grade.class == Some(Class::ContradictsEvidence);
        assert!(grade.mark != Mark::Silent || !contradicts, "game {number}: {}", grade.difference);
    }
}

#[test]
fn zones_come_out_as_people_name_them() {
    const ZONES: [(&str, &str); 3] = [
        ("squares b1 to d3", "any(empty | enemy) on:here"),
        ("dark squares", "orthogonal(empty | enemy) | on:here diagonal(empty | enemy)"),
        ("corners", "any(empty | enemy) off:here"),
    ];
    for (zone, movement) in ZONES {
        let text = format!(
            "game zone\nplayers white black\nboard\n  .kakw.w\n  .......\n  .......\n  .......\n  .......\n  .......\n  .KAKW.W\n\
             zones\n  here  {zone}\nmoves\n  K  {movement}\n  A  {movement}\n  W  any(empty | \
             enemy)\n{ENDING}"
        );
        let game = game(&text);
        let learnt = learnt_from(&play(&game, 0..200, Listing::All, AT_RANDOM, 3), &Options::default());
        let rules = RulesGame::new(learnt.rules.clone()).unwrap();
        for records in play(&game, 0..20, Listing::All, AT_RANDOM, 77) {
            let report = check_game(&rules, &records, 1, 3);
            assert!(report.holds(), "{zone}: {:?}\n{}", report.mismatches, learnt.rules);
        }
        let zones: Vec<String> = learnt.rules.zones.iter().map(ToString::to_string).collect();
        assert!(zones.iter().any(|found| found == zone), "{zone}: {zones:?}\n{}", learnt.rules);
    }
}

/// Rules with a guard, and squares that are or are not named as those on which nothing showed whether it decides.
const GUARDS: [(&str, &[&str], &[&str]); 2] = [
    // Something that never moves stands in the way of one of the two.
    (
        "board\n  ......\n  ...*..\n  .....k\n  ......\n  .P.P..\nzones\n  far  rank 5\nmoves of white\n  P  forward(empty) \
         (off:far | on:far put:R)\n  R  sideways(empty)\nmoves of black\n  k  forward(empty) | backward(empty)\n",
        &["d5"],
        &["b3", "b5"],
    ),
    // A piece that may go everywhere, and does.
    (
        "board\n  ......\n  ......\n  .....k\n  ......\n  .K.K..\nzones\n  near  ranks 1 to 3\nmoves of white\n  K  \
         orthogonal(empty) on:near\nmoves of black\n  k  forward(empty) | backward(empty)\n",
        &[],
        &["a1", "b3", "c4", "e4"],
    ),
];

#[test]
fn squares_of_guards_that_nothing_tested_are_asked_about() {
    for (rules, asked, not_asked) in GUARDS {
        let game = game(&format!("game guarded\nplayers white black\n{rules}{ENDING}"));
        let learnt = learnt_from(&play(&game, 0..40, Listing::All, AT_RANDOM, 3), &Options::default());
        let open = &learnt.rules.learnt.as_ref().unwrap().open;
        let about = |square: &str| {
            let on = |text: &str| text.split(" on ").last().is_some_and(|squares| squares.contains(square));
            open.iter().any(|question| question.text.contains("whether it goes by") && on(&question.text))
        };
        for square in asked {
            assert!(about(square), "{square}\n{}", learnt.rules);
        }
        for square in not_asked {
            assert!(!about(square), "{square}\n{}", learnt.rules);
        }
        // Questions are part of the rules as text.
        assert_eq!(Rules::parse(&learnt.rules.to_string()).unwrap(), learnt.rules);
    }
}

#[test]
fn no_move_began_as_open_questions_say() {
    let mut asked = 0;
    for number in 0..12 {
        let game = grammar::game(12, number).game;
        let question = Question { seed: 12, number, mode: Mode { listing: Listing::Some, games: 40 } };
        let games: Vec<Vec<Record>> =
            question.shown(&game).map(|played| game.records(&played, Listing::Some)).collect();
        let learnt = learnt_from(&games, &Options::default());
        for question in &learnt.rules.learnt.as_ref().unwrap().open {
            let (Some(steps), Topic::Piece(piece)) =
                (question.text.strip_prefix("no move began with "), question.about)
            else {
                continue;
            };
            asked += 1;
            for record in games.iter().flatten().filter(|record| record.turn == piece.owner().unwrap_or(record.turn)) {
                let Some(Move::Word { start, word }) = record.moves.first() else { continue };
                let mut first = word.0[0];
                if let Content::Remove(name) = &mut first.content {
                    *name = None;
                }
                let begins = steps.split(" or ").any(|step| step == first.to_string());
                assert!(record.position.at(*start) != piece || !begins, "game {number}: {question}");
            }
        }
    }
    assert!(asked > 2, "{asked} questions");
}

#[test]
fn ranks_on_which_nothing_was_ever_put_down_are_reported() {
    let game = grammar::game(2, 23).game;
    let question = Question { seed: 2, number: 23, mode: Mode { listing: Listing::Some, games: 600 } };
    let grade = grade(&game, &question, &Options::default());
    assert_ne!(grade.mark, Mark::Silent, "{}\n{}", grade.difference, grade.learnt.rules);
}

/// Games of the exam's grammar that were once learnt wrongly, with how they are shown.
const ONCE_WRONG: [(u64, u64, Listing, u64, bool); 3] = [
    // Who cannot move wins, loses or ties by numbers of pieces: together that decides every case.
    (7, 27, Listing::All, 200, true),
    // Slides, and chains of captures from afar in eight directions: 7474 words.
    (7, 30, Listing::All, 200, true),
    // Captures backwards, which both players could have made some 14 times each, and did not.
    (7, 38, Listing::Some, 1000, false),
];

#[test]
fn games_that_were_once_wrong_are_exact_or_doubted() {
    for (seed, number, listing, games, exact) in ONCE_WRONG {
        let game = grammar::game(seed, number).game;
        let question = Question { seed, number, mode: Mode { listing, games } };
        let grade = grade(&game, &question, &Options::default());
        let expected = if exact { Mark::Exact } else { Mark::SaysSo };
        assert_eq!(grade.mark, expected, "game {number}: {}\n{}", grade.difference, grade.learnt.rules);
    }
}

/// Words that were seen stay, as many as can be written, and each move of theirs is one that was seen.
#[test]
fn a_search_that_is_given_up_leaves_words_that_were_seen() {
    let game = grammar::game(7, 30).game;
    let question = Question { seed: 7, number: 30, mode: Mode { listing: Listing::All, games: 40 } };
    let games: Vec<Vec<Record>> = question.shown(&game).map(|played| game.records(&played, Listing::All)).collect();
    let learnt = learnt_from(&games, &Options { budget: 0, ..Options::default() });
    assert!(!learnt.is_consistent());
    assert!(!learnt.rules.moves.is_empty(), "{}", learnt.rules);
    let rules = RulesGame::new(learnt.rules.clone()).unwrap();
    for (number, records) in (1..).zip(&games) {
        for mismatch in check_game(&rules, records, number, usize::MAX).mismatches {
            assert!(!matches!(mismatch.kind, MismatchKind::Extra(_)), "{mismatch:?}\n{}", learnt.rules);
        }
    }
}

/// What is told as never tested after a few steps fits no position in which all moves are listed, and is the beginning of
/// no move.
#[test]
fn ways_on_that_nothing_tested_were_never_possible() {
    const ASKED: &str = "no move showed whether it may go on: ";
    let mut asked = 0;
    for number in 0..12 {
        let game = grammar::game(12, number).game;
        let question = Question { seed: 12, number, mode: Mode { listing: Listing::All, games: 15 } };
        let games: Vec<Vec<Record>> = question.shown(&game).map(|played| game.records(&played, Listing::All)).collect();
        let learnt = learnt_from(&games, &Options::default());
        for question in &learnt.rules.learnt.as_ref().unwrap().open {
            let (Some(told), Topic::Piece(piece)) = (question.text.strip_prefix(ASKED), question.about) else {
                continue;
            };
            let movement = learnt.rules.movement(piece.owner().unwrap(), piece).unwrap();
            let words = told.split(", ").filter_map(|word| word.parse::<Word>().ok());
            // Words do not say whose pieces they take.
            let takes = |word: &Word| word.0.iter().any(|micro| matches!(micro.content, Content::Remove(_)));
            let words = words.filter(|word| !takes(word));
            for word in words {
                asked += 1;
                for record in games.iter().flatten().filter(|record| record.outcome.is_none()) {
                    let turned = record.turn != piece.owner().unwrap();
                    if turned && movement.side != Side::Both {
                        continue;
                    }
                    let (piece, word) = if turned { (piece.turned(), word.turned()) } else { (piece, word.clone()) };
                    let starts = record.position.shape().all().filter(|&at| record.position.at(at) == piece);
                    for start in starts {
                        let fits = record.position.effect(record.turn, start, &word).is_ok();
                        assert!(!fits, "game {number}: {question}\n{}", record.position);
                    }
                }
            }
        }
    }
    assert!(asked > 2, "{asked} words");
}
