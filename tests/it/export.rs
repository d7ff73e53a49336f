//! Rules written for other programs play as the rules do.

use super::movement::{self, can_drop, position, words};
use super::strips::{Facts, Planned};
use super::zoo::{AT_RANDOM, play};
use onlooker::board::{Cell, Piece, Player, Position};
use onlooker::export::{ExportError, gdl, pddl};
use onlooker::game::{CATALOGUE, Chance, Game, GdlGame, Role, RulesGame, catalogue_game, perft};
use onlooker::gdl::{Engine, GroundingLimits, Problem, Program};
use onlooker::learn::{Evidence, Options, learn};
use onlooker::observe::Listing;
use onlooker::rules::Rules;
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::AtomicBool;

fn sheet_of(rules: &Rules, engine: Engine) -> GdlGame {
    let text = gdl(rules).unwrap_or_else(|error| panic!("{}: {error}", rules.name));
    let program = Program::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    // A game without any word has relations that never hold.
    let expected = |warning: &&Problem| rules.name == "made-up" && warning.to_string().contains("it never does");
    let warnings: Vec<&Problem> = program.warnings().iter().filter(|warning| !expected(warning)).collect();
    assert!(warnings.is_empty(), "{warnings:?}\n{text}");
    GdlGame::new(&rules.name, program, engine, &GroundingLimits::default()).unwrap()
}

fn facts<G: Game>(game: &G, state: &G::State) -> Vec<String> {
    let mut facts: Vec<String> = game.facts(state).iter().map(ToString::to_string).collect();
    facts.sort();
    facts
}

fn after<G: Game>(game: &G, state: &G::State, choice: &G::Move) -> Vec<String> {
    let mut next = state.clone();
    game.play(&mut next, std::slice::from_ref(choice));
    facts(game, &next)
}

/// Compares all that both say of a state, and where at most `most` moves lead; returns what was compared last.
fn compare(
    game: &RulesGame,
    sheet: &GdlGame,
    state: &<RulesGame as Game>::State,
    most: usize,
    chance: &mut Chance,
) -> Result<(), String> {
    let told = facts(game, state);
    let same = sheet.state_with(&game.facts(state)).map_err(|error| error.to_string())?;
    let context = || told.join(" ");
    if game.goals(state) != sheet.goals(&same) {
        return Err(format!("goals {:?}, on the sheet {:?}: {}", game.goals(state), sheet.goals(&same), context()));
    }
    if game.goals(state).is_some() {
        return Ok(());
    }
    let role = game.to_move(state).iter().next().unwrap();
    let (mut moves, mut written) = (Vec::new(), Vec::new());
    game.legal(state, role, &mut moves);
    sheet.legal(&same, role, &mut written);
    if moves.len() != written.len() || !sheet.to_move(&same).contains(role) {
        let terms: Vec<String> =
            written.iter().map(|choice| sheet.move_term(&same, role, choice).to_string()).collect();
        let words: Vec<String> = moves.iter().map(|choice| game.move_term(state, role, choice).to_string()).collect();
        return Err(format!("{} words, {} moves\n{words:?}\n{terms:?}\n{}", moves.len(), written.len(), context()));
    }
    let mut nexts: Vec<Vec<String>> = moves.iter().map(|choice| after(game, state, choice)).collect();
    nexts.sort();
    if written.len() <= most {
        let mut sheets: Vec<Vec<String>> = written.iter().map(|choice| after(sheet, &same, choice)).collect();
        sheets.sort();
        if nexts != sheets {
            return Err(format!("other states follow: {}", context()));
        }
    } else {
        for _ in 0..most {
            let choice = &written[chance.below(written.len())];
            if nexts.binary_search(&after(sheet, &same, choice)).is_err() {
                return Err(format!("{} leads elsewhere: {}", sheet.move_term(&same, role, choice), context()));
            }
        }
    }
    Ok(())
}

/// Walks at random and compares every few states.
fn compare_walks(rules: &Rules, walks: u64, every: usize, most: usize) {
    let game = RulesGame::new(rules.clone()).unwrap();
    let sheet = sheet_of(rules, Engine::Fast);
    assert_eq!(facts(&game, &game.start()), facts(&sheet, &sheet.start()));
    for walk in 0..walks {
        let mut chance = Chance::stream(7, walk);
        let mut state = game.start();
        let (mut moves, mut joint) = (Vec::new(), Vec::new());
        for step in walk as usize.. {
            let over = game.goals(&state).is_some();
            if step % every == 0 || over {
                compare(&game, &sheet, &state, most, &mut chance).unwrap_or_else(|error| panic!("{error}"));
            }
            if !game.play_at_random(&mut state, &mut chance, &mut moves, &mut joint) {
                break;
            }
        }
    }
}

/// Games with how many walks are made, how many states are left out, and how many moves are followed.
const WALKS: &[(&str, u64, usize, usize)] = &[
    ("breakthrough", 3, 6, 60),
    ("checkers-breakthrough", 4, 5, 60),
    ("chess-breakthrough", 3, 7, 60),
    ("tic-tac-toe", 20, 1, 60),
    ("connect-four", 5, 4, 60),
    ("peg-solitaire", 5, 3, 60),
    ("go-moku", 1, 60, 3),
    ("amazons", 1, 25, 3),
    ("checkers", 4, 9, 60),
];

#[test]
fn sheets_play_as_their_rules_do() {
    for (name, _) in CATALOGUE {
        let &(_, walks, every, most) = WALKS.iter().find(|row| row.0 == name).expect(name);
        compare_walks(catalogue_game(name).unwrap().rules(), walks, every, most);
    }
}

#[test]
fn sheets_have_as_many_games_as_their_rules() {
    for (name, depth) in [
        ("breakthrough", 2),
        ("checkers-breakthrough", 3),
        ("chess-breakthrough", 2),
        ("tic-tac-toe", 5),
        ("connect-four", 4),
        ("peg-solitaire", 4),
        ("checkers", 3),
    ] {
        let game = catalogue_game(name).unwrap();
        assert_eq!(perft(&sheet_of(game.rules(), Engine::Fast), depth), perft(&game, depth), "{name}");
    }
}

/// A board with pieces strewn over it.
fn strewn(rules: &Rules, chance: &mut Chance) -> Position {
    let pieces = rules.pieces();
    let mut position = rules.setup.clone();
    let one_in = 2 + chance.below(4);
    for square in position.shape().all().filter(|&square| rules.setup.at(square) != Cell::HOLE) {
        let holds = chance.below(one_in) == 0;
        position.set(square, if holds { pieces[chance.below(pieces.len())].cell() } else { Cell::EMPTY });
    }
    position
}

#[test]
fn sheets_play_as_their_rules_do_on_any_board() {
    for (name, boards) in [("checkers", 40), ("checkers-breakthrough", 20), ("chess-breakthrough", 10), ("amazons", 2)]
    {
        let game = catalogue_game(name).unwrap();
        // No network has states that no game comes to.
        let sheet = sheet_of(game.rules(), Engine::Prover);
        for number in 0..boards {
            let mut chance = Chance::stream(11, number);
            let turn = if number % 2 == 0 { Player::First } else { Player::Second };
            let state = game.state(&strewn(game.rules(), &mut chance), turn, 3).unwrap();
            compare(&game, &sheet, &state, 10, &mut chance).unwrap_or_else(|error| panic!("{name} {number}: {error}"));
        }
    }
}

#[test]
fn chains_of_jumps_come_back_to_where_they_began() {
    let game = catalogue_game("checkers").unwrap();
    let rows = ["........", "........", "........", "..c.c...", ".K......", "..c.c...", "........", "........"];
    let state = game.state(&Position::from_rows(rows).unwrap(), Player::First, 0).unwrap();
    let sheet = sheet_of(game.rules(), Engine::Fast);
    compare(&game, &sheet, &state, 100, &mut Chance::new(1)).unwrap_or_else(|error| panic!("{error}"));
    let mut moves = Vec::new();
    let same = sheet.state_with(&game.facts(&state)).unwrap();
    sheet.legal(&same, Role(0), &mut moves);
    let terms: BTreeSet<String> = moves.iter().map(|m| sheet.move_term(&same, Role(0), m).to_string()).collect();
    assert!(terms.contains("(take4_to b4 c5 e5 e3 c3 b4)"), "{terms:?}");
}

/// What the catalogue has not: every kind of ending, sides of their own, zones of all kinds, several names for pieces.
const ODD: &[&str] = &[
    "game odd\nplayers left right\nboard\n  r.r\n  ...\n  ..#\n  R.R\nzones\n  corner  squares a1 c4\n  edge  file a, ranks 1 to 2\n\
     moves\n  R  orthogonal(empty+) (on:corner | off:edge) | diagonal(enemy empty)\n\
     moves of right\n  r  any(empty | take:R) put:q\n  q  any(empty | enemy)\n\
     ending\n  win when any on corner\n  lose when 2 in line\nending of right\n  tie when 7 plies are played\n  win when 1 q left\n\
     ending\n  win when the next player cannot move\n",
    "game alone\nplayers me\nboard\n  .p.\n  P.P\nmoves\n  P  any(empty | enemy)\nending\n  win when 0 P left\n  lose when 5 plies are played\n  tie when the next player cannot move\n",
    "game few\nplayers w b\nboard\n  pkp.\n  ....\n  ....\n  PKP.\nzones\n  home  rank 1\nmoves\n  P  any(empty | enemy)\n  K  orthogonal(empty* (empty | enemy))\n\
     ending\n  win when the opponent has 0 k left\n  lose when exactly 2 P in line along ranks or rising-diagonals\n  tie when 3 or more left on home and the next player cannot move\n  \
     win when 12 plies are played and the opponent has fewer left\n  lose when 12 plies are played and the opponent has more left\n  tie when the next player cannot move\n  tie when 12 plies are played\n",
    "game fewer\nplayers w b\nboard\n  pp.p\n  ....\n  P.PP\nmoves\n  P  any(empty | enemy)\n\
     ending of b\n  win when the opponent has 1 or fewer left\n  lose when exactly 3 in line\nending of w\n  win when the opponent has 2 or fewer p left\n  tie when the opponent has as many left and 9 plies are played\n\
     ending\n  win when the next player cannot move\n  lose when 0 P left\n  tie when 20 plies are played\n",
    "game walls\nplayers w b\nboard\n  p..\n  ...\n  ..P\nmoves\n  P  any(empty) put:\"*\"  | any(empty) put:P any(empty)\nending\n  win when the next player cannot move\n  tie when 30 plies are played\n",
];

#[test]
fn sheets_of_odd_games_play_as_their_rules_do() {
    for text in ODD {
        let rules = Rules::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        compare_walks(&rules, 12, 1, 60);
    }
}

#[test]
fn sheets_of_learnt_rules_play_as_the_rules_do() {
    for (name, games) in [("checkers-breakthrough", 30), ("checkers", 30), ("tic-tac-toe", 40)] {
        let game = catalogue_game(name).unwrap();
        let mut evidence = Evidence::default();
        play(&game, 0..games, Listing::All, AT_RANDOM, 5).iter().for_each(|game| evidence.observe(game).unwrap());
        let learnt = learn(&evidence, &Options::default(), &AtomicBool::new(false), &|_| {}).unwrap();
        compare_walks(&learnt.rules, 2, 9, 40);
    }
}

#[test]
fn what_cannot_be_written_is_refused() {
    let game = |moves: &str| {
        let text = format!(
            "game g\nplayers w b\nboard\n  ...\n  .P.\n  ...\nmoves\n  {moves}\nending\n  win when the next player cannot move\n"
        );
        Rules::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    };
    for (moves, says) in [
        ("P  (any(empty) put:P)+", "again and again"),
        (".  any(empty) put:P", "do not put a piece there first"),
        ("P  any(empty | enemy | own | take:enemy)+", "too many to write rules for"),
    ] {
        let error = gdl(&game(moves)).unwrap_err();
        assert!(matches!(error, ExportError::Movement { .. }) && error.to_string().contains(says), "{moves}: {error}");
    }
    let text = |ending: &str| {
        format!(
            "game g\nplayers w b\nboard\n  p\n  P\nmoves\n  P  any(enemy)\nending\n  {ending}\n  win when the next player cannot move\n"
        )
    };
    for ending in ["tie when neither player can move", "win when 9 plies are played and the opponent has fewer left"] {
        let error = gdl(&Rules::parse(&text(ending)).unwrap()).unwrap_err();
        assert!(matches!(error, ExportError::Ending { .. }) && error.to_string().contains(ending), "{error}");
    }
    let named = Rules::parse(
        "game g\nplayers w b\nboard\n  ?P ?p\nmoves\n  \"?P\"  any(enemy)\nending\n  win when the next player cannot move\n",
    );
    assert!(gdl(&named.unwrap()).unwrap_err().to_string().contains("variables"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn sheets_have_the_words_of_made_up_movements(words in words(), position in position(), drops in any::<bool>()) {
        let rules = movement::game(&words, drops && can_drop(&words));
        prop_assume!(gdl(&rules).is_ok());
        let game = RulesGame::new(rules.clone()).unwrap();
        let state = game.state(&position, Player::First, 0).unwrap();
        prop_assume!(game.count(&state) < 300 && game.truncation(&state).is_none());
        let sheet = sheet_of(&rules, Engine::Prover);
        let result = compare(&game, &sheet, &state, 30, &mut Chance::new(3));
        prop_assert!(result.is_ok(), "{words}\n{position}\n{}", result.unwrap_err());
    }

    #[test]
    fn planning_problems_have_the_moves_of_made_up_movements(words in words(), position in position(), drops in any::<bool>()) {
        let drops = drops && can_drop(&words);
        let rules = movement::game(&words, drops);
        let start = if drops { Cell::EMPTY } else { Cell::named("P").unwrap() };
        let game = RulesGame::new(rules.clone()).unwrap();
        let state = game.state(&position, Player::First, 0).unwrap();
        prop_assume!(game.count(&state) < 100);
        let planned = planned_boards(&rules, Player::First, start, &position).ok().flatten();
        prop_assume!(planned.is_some());
        prop_assert_eq!(planned.unwrap(), boards(&game, &position, Player::First, start), "{}\n{}", words, position);
    }
}

type Board = BTreeSet<(String, String)>;

fn object(rules: &Rules, cell: Cell) -> String {
    let letter = if cell == Cell::WALL { "wall".to_owned() } else { cell.to_string().to_lowercase() };
    match cell.owner().and_then(|owner| rules.players.get(owner.index())) {
        Some(player) => format!("{player}-{letter}"),
        None => format!("other-{letter}"),
    }
}

/// The boards after all words that start on a piece, as the engine has them.
fn boards(game: &RulesGame, position: &Position, player: Player, start: Cell) -> HashSet<Board> {
    let state = game.state(position, player, 0).unwrap();
    let mut moves = Vec::new();
    game.legal(&state, Role(player.index() as u8), &mut moves);
    let shape = position.shape();
    let board = |choice: &_| {
        let mut next = state.clone();
        game.play(&mut next, std::slice::from_ref(choice));
        let after = game.board(&next);
        let held = shape.all().filter(|&s| !matches!(after.at(s), Cell::EMPTY | Cell::HOLE));
        held.map(|s| (shape.name(s).to_string(), object(game.rules(), after.at(s)))).collect()
    };
    moves.iter().filter(|choice| position.at(choice.origin()) == start).map(board).collect()
}

/// The same boards as the state space of the planning problem has them, unless that is too large to be searched.
fn planned_boards(
    rules: &Rules,
    player: Player,
    start: Cell,
    position: &Position,
) -> Result<Option<HashSet<Board>>, ExportError> {
    let planning = pddl(rules, player, start, position)?;
    let board = |facts: &Facts| {
        facts.iter().filter(|fact| fact[0] == "holds").map(|fact| (fact[1].clone(), fact[2].clone())).collect()
    };
    let goals = Planned::read(&planning.domain, &planning.problem).goal_states(5_000);
    Ok(goals.map(|states| states.iter().map(board).collect()))
}

#[test]
fn planning_problems_have_the_moves_of_their_piece() {
    for (name, _) in CATALOGUE {
        let game = catalogue_game(name).unwrap();
        let rules = game.rules();
        let count = if ["amazons", "go-moku"].contains(&name) { 2 } else { 12 };
        for number in 0..count {
            let mut chance = Chance::stream(13, number);
            let position = if number == 0 { rules.setup.clone() } else { strewn(rules, &mut chance) };
            for player in rules.sides() {
                for movement in rules.moves.iter().filter(|movement| movement.side.is_for(player)) {
                    let start = movement.start_for(player);
                    // A game that is over has no legal moves, but its pieces could still go.
                    if game.goals(&game.state(&position, player, 0).unwrap()).is_some() {
                        continue;
                    }
                    let planned = planned_boards(rules, player, start, &position).unwrap();
                    let planned = planned.expect("a small state space");
                    assert_eq!(planned, boards(&game, &position, player, start), "{name} {start}\n{position}");
                }
            }
        }
    }
}

#[test]
fn a_piece_that_does_not_move_is_refused() {
    let game = catalogue_game("amazons").unwrap();
    let arrow = Piece::named("A").unwrap().cell();
    let error = pddl(game.rules(), Player::First, arrow, &game.rules().setup).unwrap_err();
    assert!(error.to_string().contains("no turn starts on A: expected one of Q, q"), "{error}");
    let queen = Piece::named("Q").unwrap().cell();
    let wrong = Position::from_rows(["Q.", ".."]).unwrap();
    assert!(matches!(pddl(game.rules(), Player::First, queen, &wrong), Err(ExportError::Position(_))));
}
