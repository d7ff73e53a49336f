//! The exam's own engine: it gives the same games every time, its logs can be read, and games that the catalogue has too
//! are the same games.

use crate::exam::chance::Chance;
use crate::exam::ending::{Ending, WAYS, When};
use crate::exam::game::Game;
use crate::exam::grade::{Mark, Mode, Question, grade};
use crate::exam::grammar;
use crate::exam::recipe::{Clause, DROP, FAR, Form, Kind, Landing, Near, Tail, Whose};
use crate::exam::zone::{Pair, View, Zone};
use onlooker::board::{Player, Square};
use onlooker::game::{RulesGame, catalogue_game, check_game, perft};
use onlooker::learn::Options;
use onlooker::observe::{GameReader, Listing, LogWriter, Outcome};
use onlooker::rules::Rules;

const SEED: u64 = 7;
const GAMES: u64 = 24;

#[test]
fn the_same_seed_makes_the_same_games() {
    let made: Vec<Game> = (0..GAMES).map(|number| grammar::game(SEED, number).game).collect();
    for (number, game) in (0..).zip(&made) {
        assert_eq!(*game, grammar::game(SEED, number).game);
        let played = |seed| game.records(&game.play(&mut Chance::new(&[seed])), Listing::All);
        assert_eq!(played(1), played(1));
    }
    let different = made.iter().enumerate().all(|(n, game)| !made[..n].contains(game));
    assert!(different, "games of different numbers are different");
    assert_ne!(made[0], grammar::game(SEED + 1, 0).game);
}

#[test]
fn words_do_what_the_engine_says() {
    for number in 0..GAMES {
        let game = grammar::game(SEED, number).game;
        let played = game.play(&mut Chance::new(&[number]));
        for ply in &played.plies {
            let position = game.position(&ply.cells);
            let player = [Player::First, Player::Second][ply.player];
            for turn in game.turns(&ply.cells, ply.player) {
                let mut after = position.clone();
                let effect = position.effect(player, Square(turn.start as u16), &turn.word);
                let effect = effect.unwrap_or_else(|misfit| panic!("{game}\n{position}{}: {misfit:?}", turn.word));
                after.apply(&effect, player);
                assert_eq!(after, game.position(&turn.after), "{game}\n{position}{}", turn.word);
            }
        }
    }
}

#[test]
fn logs_of_the_exam_are_read_as_they_were_written() {
    for number in 0..GAMES {
        let game = grammar::game(SEED, number).game;
        for listing in [Listing::All, Listing::Some] {
            let games: Vec<_> = (0..3).map(|n| game.records(&game.play(&mut Chance::new(&[n])), listing)).collect();
            let mut writer = LogWriter::new(Vec::new());
            games.iter().flatten().for_each(|record| writer.write(record).unwrap());
            let log = writer.finish().unwrap();
            let read: Vec<_> = GameReader::new(log.as_slice()).map(|game| game.unwrap()).collect();
            assert_eq!(read, games, "{game}");
        }
    }
}

#[test]
fn games_of_the_exam_can_be_played() {
    for number in 0..GAMES {
        let game = grammar::game(SEED, number).game;
        let lengths: Vec<usize> = (0..20)
            .map(|n| {
                let played = game.play(&mut Chance::new(&[SEED, n]));
                assert!(played.ended.is_some(), "{game}");
                played.plies.len()
            })
            .collect();
        let mean = lengths.iter().sum::<usize>() / lengths.len();
        assert!((3..=250).contains(&mean), "{mean} plies\n{game}");
    }
}

/// A game of both players' alike, written from the top row as people do.
fn game(rows: &[&str], kinds: Vec<Kind>, endings: Vec<Ending>) -> Game {
    let size: Pair = (rows[0].len() as i32, rows.len() as i32);
    let setup = rows.iter().rev().flat_map(|row| row.bytes()).collect();
    Game { size, setup, players: 2, second: View::Mirrored, kinds, endings, must_capture: false }
}

fn kind(letter: u8, clauses: Vec<Clause>) -> Kind {
    Kind { letter, owner: None, clauses }
}

fn ending(when: When, outcome: Outcome) -> Ending {
    Ending { when, outcome }
}

fn race(letters: &[u8]) -> Vec<Ending> {
    vec![
        ending(When::Reach { letters: letters.to_vec(), zone: Zone::Ranks(7, 7) }, Outcome::Won),
        ending(When::Stuck, Outcome::Won),
        ending(When::Plies(160), Outcome::Tied),
    ]
}

const ORTHOGONAL: [Pair; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: [Pair; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const AHEAD: [Pair; 2] = [(1, 1), (-1, 1)];

fn breakthrough() -> Game {
    let rows = ["pppppppp", "pppppppp", "........", "........", "........", "........", "PPPPPPPP", "PPPPPPPP"];
    let clauses = vec![
        Clause::new(Form::Leap, vec![(0, 1)], Landing::Move),
        Clause::new(Form::Leap, AHEAD.to_vec(), Landing::Both),
    ];
    game(&rows, vec![kind(b'P', clauses)], race(b"P"))
}

fn chess_breakthrough() -> Game {
    let rows = ["rnbqkbnr", "pppppppp", "........", "........", "........", "........", "PPPPPPPP", "RNBQKBNR"];
    let around = [ORTHOGONAL, DIAGONAL].concat();
    let knight = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)].to_vec();
    let ride = |steps: &[Pair]| vec![Clause::new(Form::Ride { min: 1, max: FAR }, steps.to_vec(), Landing::Both)];
    let pawn = vec![
        Clause::new(Form::Leap, vec![(0, 1)], Landing::Move),
        Clause::new(Form::Leap, AHEAD.to_vec(), Landing::Capture),
    ];
    let kinds = vec![
        kind(b'P', pawn),
        kind(b'N', vec![Clause::new(Form::Leap, knight, Landing::Both)]),
        kind(b'B', ride(&DIAGONAL)),
        kind(b'R', ride(&ORTHOGONAL)),
        kind(b'Q', ride(&around)),
        kind(b'K', vec![Clause::new(Form::Leap, around.clone(), Landing::Both)]),
    ];
    game(&rows, kinds, race(b"PN"))
}

const DRAUGHTS: [&str; 8] =
    [".c.c.c.c", "c.c.c.c.", ".c.c.c.c", "........", "........", "C.C.C.C.", ".C.C.C.C", "C.C.C.C."];

fn checkers_breakthrough() -> Game {
    let clauses = vec![
        Clause::new(Form::Leap, AHEAD.to_vec(), Landing::Move),
        Clause::new(Form::HopChain { over: Whose::Enemy }, AHEAD.to_vec(), Landing::Move),
    ];
    game(&DRAUGHTS, vec![kind(b'C', clauses)], race(b"C"))
}

fn checkers() -> Game {
    let clauses = |steps: &[Pair]| {
        let jumps = Form::Locust { far: false, chain: true, takes: Whose::Enemy };
        let of = |form| Clause::new(form, steps.to_vec(), Landing::Move);
        vec![of(Form::Leap), of(jumps)]
    };
    let mut men = clauses(&AHEAD);
    let crown = Tail::Promote { zone: Zone::Ranks(7, 7), into: b'K', optional: false };
    men.iter_mut().for_each(|clause| clause.tails.push(crown.clone()));
    let endings = vec![ending(When::Stuck, Outcome::Won), ending(When::Plies(200), Outcome::Tied)];
    game(&DRAUGHTS, vec![kind(b'C', men), kind(b'K', clauses(&DIAGONAL))], endings)
}

fn drops(rows: &[&str], near: Near, count: usize) -> Game {
    let drop = |letter, owner| {
        let clause = Clause::new(Form::Drop { letter, near }, Vec::new(), Landing::Move);
        Kind { letter: DROP, owner: Some(owner), clauses: vec![clause] }
    };
    let line = When::Line { count, exactly: false, ways: WAYS.to_vec() };
    let endings = vec![ending(line, Outcome::Won), ending(When::Stuck, Outcome::Tied)];
    game(rows, vec![drop(b'X', 0), drop(b'O', 1)], endings)
}

fn peg_solitaire() -> Game {
    let rows = ["##PPP##", "##PPP##", "PPPPPPP", "PPP.PPP", "PPPPPPP", "##PPP##", "##PPP##"];
    let jump = Form::Locust { far: false, chain: false, takes: Whose::Own };
    let clauses = vec![Clause::new(jump, ORTHOGONAL.to_vec(), Landing::Move)];
    let endings = vec![ending(When::OwnLeft { count: 1 }, Outcome::Won), ending(When::Stuck, Outcome::Lost)];
    Game { players: 1, ..game(&rows, vec![kind(b'P', clauses)], endings) }
}

/// How many ways there are to play so many turns.
fn leaves(game: &Game, cells: &[u8], ply: usize, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let player = ply % game.players;
    let stuck = |after: &[u8]| game.turns(after, (ply + 1) % game.players).is_empty();
    let goes_on = |after: &[u8]| game.over(after, player, ply + 1, stuck(after)).is_none();
    let turns = game.turns(cells, player);
    let open = turns.iter().filter(|turn| depth == 1 || goes_on(&turn.after));
    open.map(|turn| leaves(game, &turn.after, ply + 1, depth - 1)).sum()
}

#[test]
fn games_of_the_catalogue_are_the_same_here() {
    let games = [
        ("breakthrough", breakthrough(), 3),
        ("chess-breakthrough", chess_breakthrough(), 3),
        ("checkers-breakthrough", checkers_breakthrough(), 4),
        ("checkers", checkers(), 5),
        ("tic-tac-toe", drops(&["...", "...", "..."], Near::Nothing, 3), 7),
        ("connect-four", drops(&["......."; 6], Near::Support, 4), 5),
        ("peg-solitaire", peg_solitaire(), 5),
    ];
    for (name, ours, depth) in games {
        let theirs = catalogue_game(name).unwrap();
        let counts: Vec<u64> = (1..=depth).map(|depth| leaves(&ours, &ours.setup, 0, depth)).collect();
        assert_eq!(Ok(counts), perft(&theirs, depth), "{name}");
        for number in 0..20 {
            let records = ours.records(&ours.play(&mut Chance::new(&[number])), Listing::All);
            let report = check_game(&theirs, &records, number, 5);
            assert!(report.holds() && report.words_exact == report.positions, "{name}: {:?}", report.mismatches);
        }
    }
}

#[test]
fn what_is_learnt_well_is_exact_and_what_cannot_be_known_is_not() {
    let ask = |game: &Game, listing, games| {
        let question = Question { seed: SEED, number: 0, mode: Mode { listing, games } };
        grade(game, &question, &Options::default())
    };
    let well = ask(&breakthrough(), Listing::All, 30);
    assert_eq!((well.mark, well.class), (Mark::Exact, None), "{}", well.difference);
    assert!(well.covered && well.moves_exact);
    // One game does not show every way in which six pieces capture.
    let badly = ask(&chess_breakthrough(), Listing::Some, 1);
    assert!(matches!(badly.mark, Mark::SaysSo | Mark::Silent));
    assert!(!badly.covered && badly.class.is_some() && !badly.difference.is_empty());
}

/// The same words for each of four directions, as `@`, and for the way back, as `~`.
fn four_ways(words: &str) -> String {
    let ways = [("right", "left"), ("left", "right"), ("forward", "backward"), ("backward", "forward")];
    ways.map(|(there, back)| words.replace('@', there).replace('~', back)).join(" | ")
}

#[test]
fn what_the_exam_calls_sayable_is_said() {
    let around = || [ORTHOGONAL, DIAGONAL].concat();
    let of = |form, steps: &[Pair], landing| Clause::new(form, steps.to_vec(), landing);
    let step = || of(Form::Leap, &around(), Landing::Move);
    let with = |mut clause: Clause, tail| {
        clause.tails.push(tail);
        clause
    };
    let lame = "(0 1 empty) forward-diagonal(empty | enemy) | (0 -1 empty) backward-diagonal(empty | enemy)";
    let bent = "diagonal(empty | enemy) \
        | (1 1 empty) (right(empty* (empty | enemy)) | forward(empty* (empty | enemy))) \
        | (-1 1 empty) (left(empty* (empty | enemy)) | forward(empty* (empty | enemy))) \
        | (1 -1 empty) (right(empty* (empty | enemy)) | backward(empty* (empty | enemy))) \
        | (-1 -1 empty) (left(empty* (empty | enemy)) | backward(empty* (empty | enemy)))";
    let far = |takes| Form::Locust { far: true, chain: true, takes };
    let promotion = Tail::Promote { zone: Zone::Ranks(5, 5), into: b'B', optional: true };
    let shot = Tail::Shoot { steps: around(), max: 2 };
    let mut inside = step();
    inside.to = Some(Zone::Palace);
    let mut double = of(Form::Ride { min: 2, max: 2 }, &[(0, 1)], Landing::Move);
    double.from = Some(Zone::Ranks(1, 1));
    let near = Near::Beside(Whose::Enemy);
    let drop = of(Form::Drop { letter: b'A', near }, &ORTHOGONAL, Landing::Move);
    let games = [
        (vec![of(Form::Lame, &[(1, 2), (-1, 2), (1, -2), (-1, -2)], Landing::Both)], lame.to_owned()),
        (
            vec![of(Form::Hop { far: true, over: Whose::Anyone }, &around(), Landing::Both)],
            "any(empty* (own | enemy) (empty | enemy))".to_owned(),
        ),
        (
            vec![of(Form::Cannon, &ORTHOGONAL, Landing::Capture), step()],
            "any(empty) | orthogonal(empty* (own | enemy) empty* enemy)".to_owned(),
        ),
        (vec![of(Form::Bent { short: true }, &DIAGONAL, Landing::Both)], bent.to_owned()),
        (
            vec![of(far(Whose::Enemy), &around(), Landing::Move), step()],
            "any(empty) | any(empty* take:enemy empty)+".to_owned(),
        ),
        (
            vec![of(Form::HopChain { over: Whose::Anyone }, &ORTHOGONAL, Landing::Move), step()],
            "any(empty) | orthogonal((own | enemy) empty)+".to_owned(),
        ),
        (
            vec![of(Form::Swap { with: Whose::Enemy }, &ORTHOGONAL, Landing::Move), step()],
            format!("any(empty) | {}", four_ways("@(take:enemy) put:a ~(empty)")),
        ),
        (
            vec![of(Form::Push, &ORTHOGONAL, Landing::Move), step()],
            format!("any(empty) | {}", four_ways("@(take:enemy) put:a @(empty)")),
        ),
        (
            vec![of(Form::Rifle { range: 1 }, &ORTHOGONAL, Landing::Move), step()],
            format!("any(empty) | {}", four_ways("@(take:enemy) ~(empty)")),
        ),
        (
            vec![of(Form::Explode, &ORTHOGONAL, Landing::Move), step()],
            "any(empty) | orthogonal(take:enemy) vanish".to_owned(),
        ),
        (vec![with(step(), Tail::Stone)], "put:\"*\" put:A any(empty)".to_owned()),
        (vec![with(step(), shot)], "any(empty) put:\"*\" any(empty{1,2})".to_owned()),
        (vec![with(step(), promotion)], "any(empty) (on:far put:B)?".to_owned()),
        (vec![inside], "any(empty) on:palace".to_owned()),
        (vec![double, step()], "any(empty) | on:second forward(empty empty)".to_owned()),
    ];
    let rows = ["aaaaaa", "a.aa.a", "......", "......", "A.AA.A", "AAAAAA"];
    let endings = || vec![ending(When::Stuck, Outcome::Won), ending(When::Plies(60), Outcome::Tied)];
    let dropped = Kind { letter: DROP, owner: None, clauses: vec![drop] };
    let beside = "(look(1 0 enemy) | look(-1 0 enemy) | look(0 1 enemy) | look(0 -1 enemy)) put:A";
    let mut all: Vec<(Game, String)> = vec![(game(&rows, vec![dropped], endings()), format!(".  {beside}"))];
    for (clauses, words) in games {
        all.push((game(&rows, vec![kind(b'A', clauses)], endings()), format!("A  {words}")));
    }
    for (ours, words) in all {
        let text = format!(
            "game said\nplayers white black\nboard\n  {}\nzones\n  far  rank 6\n  second  rank 2\n  \
             palace  squares b1 c1 d1 b2 c2 d2 b3 c3 d3\nmoves\n  {words}\nending\n  \
             win when the next player cannot move\n  tie when 60 plies are played\n",
            rows.join("\n  ")
        );
        let theirs = RulesGame::new(Rules::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"))).unwrap();
        for number in 0..10 {
            let records = ours.records(&ours.play(&mut Chance::new(&[number])), Listing::All);
            let report = check_game(&theirs, &records, number, 2);
            assert!(report.holds() && report.words_exact == report.positions, "{words}: {:?}", report.mismatches);
        }
    }
}
