//! The signature test: rules are played, the log is learnt, and the rules learnt are the rules played.

use super::zoo::{ARMIES, AT_RANDOM, Habits, game, game_of, play, wrong};
use onlooker::board::Player;
use onlooker::budget::StopReason;
use onlooker::game::{RulesGame, catalogue_game, check_game};
use onlooker::learn::{Evidence, Learnt, LearntPiece, Method, MoveClass, Options, Progress, Unexplained, learn};
use onlooker::observe::{Listing, Record};
use onlooker::rules::{Rules, Side};
use std::sync::atomic::{AtomicBool, Ordering};

fn evidence(games: &[Vec<Record>]) -> Evidence {
    let mut evidence = Evidence::default();
    games.iter().for_each(|game| evidence.observe(game).unwrap());
    evidence
}

fn learnt_from(games: &[Vec<Record>], options: &Options) -> Learnt {
    learn(&evidence(games), options, &AtomicBool::new(false), &|_| {}).unwrap()
}

/// Learns from games, and checks the rules, read back from their text, against fresh ones.
fn learns_exactly(
    game: &RulesGame,
    games: u64,
    listing: Listing,
    habits: Habits,
    options: &Options,
    seed: u64,
) -> Learnt {
    let learnt = learnt_from(&play(game, 0..games, listing, habits, seed), options);
    assert_eq!(wrong(game, &learnt), Vec::<String>::new(), "seed {seed}\n{}", learnt.rules);
    let text = learnt.rules.to_string();
    let again = RulesGame::new(Rules::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
    for records in play(game, 1_000_000..1_000_020, Listing::All, AT_RANDOM, seed) {
        let report = check_game(&again, &records, 1, 3);
        assert!(report.holds(), "seed {seed}: {:?}\n{text}", report.mismatches);
    }
    learnt
}

const GAMES: [&str; 3] = ["breakthrough", "checkers-breakthrough", "chess-breakthrough"];

/// How many states the textbook has for each piece.
const TEXTBOOK: [(char, usize); 7] = [('P', 2), ('C', 6), ('K', 2), ('N', 2), ('B', 6), ('R', 6), ('Q', 10)];

#[test]
fn the_papers_games_are_learnt_from_all_moves() {
    for name in GAMES {
        for seed in 1..=3 {
            let game = catalogue_game(name).unwrap();
            let learnt = learns_exactly(&game, 50, Listing::All, AT_RANDOM, &Options::default(), seed);
            assert!(learnt.is_consistent(), "{:?}", learnt.unexplained);
            for piece in &learnt.pieces {
                let letter = piece.start.to_string().to_uppercase();
                let most = TEXTBOOK.iter().find(|(name, _)| letter == name.to_string()).unwrap().1;
                assert!(piece.automaton.states().len() <= most, "{letter}: {}", piece.automaton.states().len());
            }
            // What is written is what a person would have written: lines for both players, as in the catalogue.
            assert!(learnt.rules.moves.iter().all(|movement| movement.side == Side::Both));
            let written = |rules: &Rules| {
                let mut lines: Vec<String> = rules.moves.iter().map(|m| format!("{:?} {}", m.start, m.words)).collect();
                lines.sort();
                lines
            };
            assert_eq!(written(&learnt.rules), written(game.rules()));
        }
    }
}

#[test]
fn the_papers_games_are_learnt_from_single_moves() {
    for (name, games) in [("breakthrough", 20), ("checkers-breakthrough", 150), ("chess-breakthrough", 60)] {
        let game = catalogue_game(name).unwrap();
        for seed in 1..=2 {
            learns_exactly(&game, games, Listing::Some, AT_RANDOM, &Options::default(), seed);
        }
    }
}

#[test]
fn players_who_like_or_avoid_captures_make_learning_slower_not_wrong() {
    for captures in [0.1, 10.0] {
        for name in GAMES {
            let game = catalogue_game(name).unwrap();
            let habits = Habits { captures, ..AT_RANDOM };
            learns_exactly(&game, 300, Listing::Some, habits, &Options::default(), 1);
        }
    }
}

#[test]
fn other_pieces_are_learnt_from_all_moves() {
    for (name, kinds) in ARMIES {
        let game = game_of(kinds, 8, 8);
        for seed in 1..=3 {
            let learnt = learns_exactly(&game, 50, Listing::All, AT_RANDOM, &Options::default(), seed);
            assert!(learnt.is_consistent(), "{name}: {:?}", learnt.unexplained);
        }
    }
}

#[test]
fn other_pieces_are_learnt_from_single_moves() {
    for (_, kinds) in ARMIES {
        learns_exactly(&game_of(kinds, 8, 8), 300, Listing::Some, AT_RANDOM, &Options::default(), 1);
    }
}

#[test]
fn boards_need_not_be_square() {
    for (army, width, height) in [(0, 9, 10), (1, 5, 12), (2, 12, 6), (3, 7, 8), (4, 10, 9)] {
        let game = game_of(ARMIES[army].1, width, height);
        learns_exactly(&game, 100, Listing::All, AT_RANDOM, &Options::default(), 1);
    }
    // On a board so large hardly a game is won, so goals are not learnt.
    let game = game_of(ARMIES[5].1, 19, 19);
    let learnt = learnt_from(&play(&game, 0..20, Listing::All, AT_RANDOM, 1), &Options::default());
    assert_eq!(wrong(&game, &learnt), Vec::<String>::new(), "{}", learnt.rules);
}

/// Both have a Q, but move it in their own ways; a piece each is unknown to the other; and the goals differ.
const DIFFERENT: &str = "
game different
players white black
board
  .qkrkq.
  ppppppp
  .......
  .......
  .......
  PPPPPPP
  .QNNNQ.
zones
  far    rank 7
  gates  squares a1 g1
moves of white
  P  forward(empty) | forward-diagonal(enemy)
  Q  diagonal(empty* (empty | enemy))
  N  leap 1,2(empty | enemy)
moves of black
  p  forward(empty) | forward-diagonal(empty | enemy)
  q  orthogonal(empty* (empty | enemy))
  k  any(empty | enemy)
  r  orthogonal(empty+)
ending of white
  win when P or N on far
  win when the next player cannot move
ending of black
  win when k on gates
  win when the next player cannot move
ending
  tie when 160 plies are played
";

#[test]
fn armies_may_differ() {
    let game = game(DIFFERENT);
    let learnt = learns_exactly(&game, 200, Listing::All, AT_RANDOM, &Options::default(), 1);
    assert!(learnt.rules.moves.iter().all(|movement| movement.side != Side::Both), "{}", learnt.rules);
    learns_exactly(&game, 400, Listing::Some, AT_RANDOM, &Options::default(), 1);
}

#[test]
fn false_records_are_tolerated_if_allowed_and_told_if_not() {
    let habits = Habits { false_moves: 0.01, ..AT_RANDOM };
    let noisy = Options { noise: 0.01, ..Options::default() };
    for name in GAMES {
        let game = catalogue_game(name).unwrap();
        let learnt = learns_exactly(&game, 50, Listing::All, habits, &noisy, 1);
        assert!(learnt.is_consistent());
        learns_exactly(&game, 300, Listing::Some, habits, &noisy, 1);
    }
    for (_, kinds) in ARMIES {
        learns_exactly(&game_of(kinds, 8, 8), 50, Listing::All, habits, &noisy, 1);
    }
}

#[test]
fn evidence_does_not_depend_on_order_or_on_how_it_is_cut() {
    for (name, listing) in [("chess-breakthrough", Listing::All), ("checkers-breakthrough", Listing::Some)] {
        let games = play(&catalogue_game(name).unwrap(), 0..12, listing, AT_RANDOM, 5);
        let text = |evidence: &Evidence| {
            learn(evidence, &Options::default(), &AtomicBool::new(false), &|_| {}).unwrap().rules.to_string()
        };
        let whole = text(&evidence(&games));
        let reversed: Vec<Vec<Record>> = games.iter().rev().cloned().collect();
        assert_eq!(text(&evidence(&reversed)), whole);
        let saved = |evidence: &Evidence| {
            let mut bytes = Vec::new();
            evidence.write(&mut bytes).unwrap();
            bytes
        };
        let mut merged = evidence(&games[7..]);
        merged.merge(evidence(&games[..3])).unwrap();
        merged.merge(Evidence::default()).unwrap();
        merged.merge(evidence(&games[3..7])).unwrap();
        assert_eq!(text(&merged), whole);
        let bytes = saved(&evidence(&games));
        assert!(bytes == saved(&merged) && bytes == saved(&evidence(&reversed)));
        let read = Evidence::read(bytes.as_slice()).unwrap();
        assert!(bytes == saved(&read) && text(&read) == whole);
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| text(&merged)), whole);
        }
    }
}

#[test]
fn a_single_mistake_is_told_with_its_record() {
    let game = catalogue_game("chess-breakthrough").unwrap();
    for listing in [Listing::All, Listing::Some] {
        // From single moves only what is often possible can be told to be a mistake, and that takes more games.
        let count = if listing == Listing::All { 100 } else { 600 };
        let mut games = play(&game, 0..count, listing, AT_RANDOM, 1);
        let share = if listing == Listing::All { 0.002 } else { 0.03 };
        let mistaken = play(&game, count..count + 30, listing, Habits { false_moves: share, ..AT_RANDOM }, 1);
        // The first game in which something went wrong.
        let truth = |records: &[Record]| check_game(&game, records, 1, 1).holds();
        let wrong_game = mistaken.into_iter().find(|records| !truth(records)).unwrap();
        games.insert(50, wrong_game);
        let learnt = learnt_from(&games, &Options::default());
        assert!(!learnt.is_consistent());
        if listing == Listing::All {
            assert_eq!(wrong(&game, &learnt), Vec::<String>::new());
        }
        if listing == Listing::Some {
            let rare =
                |what: &Unexplained| matches!(what, Unexplained::RarelyPlayed { class: MoveClass::Word { .. }, .. });
            assert!(learnt.unexplained.iter().any(rare), "{:?}", learnt.unexplained);
            continue;
        }
        let told: Vec<_> = learnt.pieces.iter().flat_map(|piece| &piece.contradictions).collect();
        assert!(!told.is_empty());
        for contradiction in told {
            let listed =
                |records: &Vec<Record>| records.iter().any(|record| contradiction.is_in(record, true).is_some());
            let place = games.iter().position(listed);
            assert!(!contradiction.is_rarely_listed() || place == Some(50), "{contradiction:?} {place:?}");
        }
    }
}

#[test]
fn a_movement_that_depends_on_what_is_beside_it_is_told() {
    let text = "
game hand-in-hand
players white black
board
  ........
  pppp....
  ........
  ........
  PPPP....
  ........
zones
  far   rank 6
moves
  P  forward(empty) | look(1 0 own) forward(empty empty) | forward-diagonal(enemy)
ending
  win when P on far
  win when the next player cannot move
";
    let games = play(&game(text), 0..30, Listing::All, AT_RANDOM, 1);
    let learnt = learnt_from(&games, &Options::default());
    let told: Vec<_> = learnt.pieces.iter().flat_map(|piece| &piece.contradictions).collect();
    assert!(!told.is_empty() && !learnt.is_consistent());
    for contradiction in told {
        let find = |listed| games.iter().flatten().any(|record| contradiction.is_in(record, listed).is_some());
        assert!(find(true) && find(false));
    }
}

#[test]
fn words_that_no_movement_has_are_told() {
    // The piece goes round and comes back to where it has been, which words of movements do not.
    let log = "1\n...\nP..\n*\nw some 1\n0 (0 1 e)(1 0 e)(0 -1 e)(-1 0 e)(1 0 e)\n2\n...\n.P.\n1\nb some 0\n";
    let games: Vec<Vec<Record>> = onlooker::observe::GameReader::new(log.as_bytes()).map(Result::unwrap).collect();
    let learnt = learnt_from(&games, &Options::default());
    assert!(!learnt.is_consistent());
    assert!(
        learnt.unexplained.iter().any(|what| what.to_string().starts_with("1 words of P, the first (0 1 e)")),
        "{:?}",
        learnt.unexplained
    );
}

/// A search that takes too long is given up after a number of steps, not after a time; the other pieces are learnt.
#[test]
fn a_search_is_given_up_after_so_many_steps() {
    let game = catalogue_game("chess-breakthrough").unwrap();
    let games = play(&game, 0..50, Listing::All, AT_RANDOM, 1);
    let learnt = |budget| learnt_from(&games, &Options { budget, ..Options::default() });
    let given_up = |learnt: &Learnt| -> String {
        let of_first = learnt.pieces.iter().filter(|piece| piece.given_up() && piece.player == Player::First);
        of_first.map(|piece| piece.start.to_string()).collect()
    };
    let all = learnt(u64::MAX);
    assert_eq!((given_up(&all).as_str(), all.is_consistent()), ("", true));
    let hard = learnt(100_000);
    assert_eq!((given_up(&hard).as_str(), hard.is_consistent()), ("Q", false));
    assert_eq!(hard.stopped, StopReason::BudgetSpent);
    let unexplained: Vec<String> = hard.unexplained.iter().map(ToString::to_string).collect();
    assert_eq!(unexplained, ["how Q moves: given up after 0.1 million steps of search"]);
    let lines = |learnt: &Learnt| -> Vec<String> {
        learnt.rules.moves.iter().map(|movement| format!("{:?} {}", movement.start, movement.words)).collect()
    };
    let queens = |line: &&String| !lines(&hard).contains(line);
    assert_eq!(lines(&all).iter().filter(queens).count(), 1);
    assert_eq!(given_up(&learnt(0)), "BKNPQR");
}

/// Whatever was found before the flag is raised is kept, everything else is marked, and nothing is claimed.
#[test]
fn an_interrupted_learner_returns_the_best_so_far_and_says_so() {
    let game = catalogue_game("chess-breakthrough").unwrap();
    for listing in [Listing::All, Listing::Some] {
        let evidence = evidence(&play(&game, 0..50, listing, AT_RANDOM, 1));
        for method in [Method::Shortest, Method::PAPER, Method::Grl(None), Method::PAPERS_GRL] {
            let options = Options { method, ..Options::default() };
            let whole = learn(&evidence, &options, &AtomicBool::new(false), &|_| {}).unwrap();
            assert_eq!(whole.stopped, StopReason::Done);
            let none = learn(&evidence, &options, &AtomicBool::new(true), &|_| {}).unwrap();
            assert_eq!((none.stopped, none.is_consistent()), (StopReason::Interrupted, false));
            assert!(none.rules.moves.is_empty() && none.pieces.iter().all(LearntPiece::given_up), "{method:?}");
            assert!(none.unexplained.iter().any(|what| what.to_string() == "how Q moves: interrupted"));
            // On one thread, so that pieces come one after the other.
            let stop = AtomicBool::new(false);
            let first = |progress| {
                if let Progress::Done(..) = progress {
                    stop.store(true, Ordering::Relaxed);
                }
            };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            let part = pool.install(|| learn(&evidence, &options, &stop, &first)).unwrap();
            assert_eq!((part.stopped, part.is_consistent()), (StopReason::Interrupted, false));
            let done: Vec<&LearntPiece> = part.pieces.iter().filter(|piece| !piece.given_up()).collect();
            assert!(part.pieces.len() == whole.pieces.len() && done.len() < whole.pieces.len(), "{method:?}");
            assert!(!done.is_empty() || matches!(method, Method::Grl(_)), "{method:?}");
            for piece in done {
                let same = whole.pieces.iter().find(|other| (other.player, other.start) == (piece.player, piece.start));
                assert_eq!(same.unwrap().automaton, piece.automaton);
            }
        }
    }
}

/// Where all is learnt twice, what the first round has found is better than nothing.
#[test]
fn an_interrupted_second_round_leaves_the_first() {
    let game = catalogue_game("chess-breakthrough").unwrap();
    let evidence = evidence(&play(&game, 0..200, Listing::Some, AT_RANDOM, 1));
    let stop = AtomicBool::new(false);
    // Only the second round is watched.
    let first = |progress| {
        if let Progress::Begun(..) = progress {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let learnt = learn(&evidence, &Options::default(), &stop, &first).unwrap();
    assert_eq!((learnt.stopped, learnt.is_consistent()), (StopReason::Interrupted, false));
    assert!(learnt.pieces.iter().all(|piece| piece.given_up() && !piece.consistent));
    assert_eq!(learnt.rules.moves.len(), 6);
}

/// The paper's learner is bounded too: what it has found by then is kept.
#[test]
fn the_papers_learner_is_given_up_after_so_many_steps() {
    let game = catalogue_game("chess-breakthrough").unwrap();
    let games = play(&game, 0..50, Listing::All, AT_RANDOM, 1);
    for method in [Method::PAPER, Method::PAPERS_GRL] {
        let learnt = |budget| learnt_from(&games, &Options { budget, method, ..Options::default() });
        let states = |learnt: &Learnt| -> usize { learnt.pieces.iter().map(|p| p.automaton.states().len()).sum() };
        let (all, some, none) = (learnt(u64::MAX), learnt(20_000), learnt(0));
        assert_eq!(
            (all.stopped, some.stopped, none.stopped),
            (StopReason::Done, StopReason::BudgetSpent, StopReason::BudgetSpent)
        );
        assert!(!some.is_consistent() && !none.is_consistent());
        assert!(states(&none) < states(&all) && states(&all) < states(&some), "{method:?}");
        assert!(
            some.unexplained
                .iter()
                .any(|what| what.to_string() == "how Q moves: given up after 0.02 million steps of search")
        );
    }
}
