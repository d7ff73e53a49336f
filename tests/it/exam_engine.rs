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
use onlooker::game::{catalogue_game, check_game, perft};
use onlooker::learn::Options;
use onlooker::observe::{GameReader, Listing, LogWriter, Outcome};

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
        assert_eq!(counts, perft(&theirs, depth), "{name}");
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
