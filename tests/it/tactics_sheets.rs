//! Tactics from rule sheets: whatever their words are and whoever begins, the system is that of the game's lines, and a player uses it.

use onlooker::board::Position;
use onlooker::game::{AnyGame, Chance, Game, Role, catalogue_game};
use onlooker::gdl::Engine;
use onlooker::play::{Agent, AlphaBeta};
use onlooker::tactics::{
    BoardError, Checker, GameBoard, LearnOptions, LessonError, MOST_INSTANCES, NoSystem, RuleFile, Status,
    TacticsPlayer, UpdateSystem, check_beside, checked_rules, find_system, in_line_system, learn_by_playing,
    learn_from_positions,
};
use std::sync::atomic::AtomicBool;

const TIC_TAC_TOE: &str = include_str!("../../games/tic-tac-toe.kif");
const CONNECT_FOUR: &str = include_str!("../../games/connect-four.kif");

fn sheet(text: &str) -> AnyGame {
    AnyGame::from_sheet("sheet", text, Engine::Fast).unwrap()
}

/// The sheet with each of these words replaced by the other.
fn renamed(text: &str, words: &[(&str, &str)]) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    for line in text.lines().map(|line| line.split(';').next().unwrap_or_default()) {
        let mut rest = line;
        while !rest.is_empty() {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if end == 0 {
                let next = rest.find(is_word).unwrap_or(rest.len());
                out.push_str(&rest[..next]);
                rest = &rest[next..];
                continue;
            }
            let word = &rest[..end];
            out.push_str(words.iter().find(|(old, _)| *old == word).map_or(word, |(_, new)| new));
            rest = &rest[end..];
        }
        out.push('\n');
    }
    out
}

/// The width and height of a board, how many in a line win on it, and whether stones fall.
type Line = (usize, usize, usize, bool);

/// Sheets with the line that wins in them, and who begins.
fn sheets() -> Vec<(&'static str, String, Line, Role)> {
    let words = [
        ("cell", "ka"),
        ("x", "zwei"),
        ("o", "eins"),
        ("mark", "q7"),
        ("blank", "leer"),
        ("control", "dran"),
        ("line", "n"),
        ("opponent", "gegen"),
        ("noop", "nix"),
    ];
    let line = (3, 3, 3, false);
    // The role that is named last begins.
    let second_begins = TIC_TAC_TOE.replace("(role x)\n(role o)", "(role o)\n(role x)");
    let walled = format!("{TIC_TAC_TOE}\n(init (cell 0 1 wall)) (init (cell 0 2 wall)) (init (cell 0 3 wall))\n");
    vec![
        ("tic-tac-toe", TIC_TAC_TOE.to_owned(), line, Role(0)),
        ("other words", renamed(TIC_TAC_TOE, &words), line, Role(0)),
        ("the second role begins", second_begins, line, Role(1)),
        ("a file of walls", walled, line, Role(0)),
        ("connect four", CONNECT_FOUR.to_owned(), (7, 6, 4, true), Role(0)),
    ]
}

#[test]
fn the_system_of_a_sheet_is_that_of_its_lines() {
    for (name, text, (width, height, length, falling), first) in sheets() {
        let game = sheet(&text);
        let system = find_system(&game, &AtomicBool::new(false)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let players = system.players.map(|player| system.names.text(player).to_owned());
        let expected = in_line_system("sheet", [&players[0], &players[1]], width, height, length, falling);
        assert_eq!(system.text, expected, "{name}");
        // Other games than those that it was found with.
        let games = if width == 3 { 60 } else { 4 };
        let report = check_beside(&system, &game, games, 77).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(report.games == games && report.wins > 0, "{name}: {report:?}");
        let board = GameBoard::new(&system, &game).unwrap();
        assert_eq!(board.player(first), system.players[0], "{name}");
        // Reading the board leaves the game as it was.
        assert_eq!(game.position(&game.start()), None, "{name}");
        let position = board.position(&game, &game.start()).unwrap();
        assert!(position.shape().all().all(|square| position.at(square).owner().is_none()), "{name}");
    }
}

#[test]
fn the_position_of_a_sheet_is_that_of_the_rules() {
    let (game, rules) = (sheet(CONNECT_FOUR), catalogue_game("connect-four").unwrap());
    let board = GameBoard::new(&find_system(&game, &AtomicBool::new(false)).unwrap(), &game).unwrap();
    for seed in 0..5 {
        let mut chance = Chance::new(seed);
        let (mut state, mut beside) = (game.start(), rules.start());
        let (mut moves, mut others) = (Vec::new(), Vec::new());
        while game.goals(&state).is_none() {
            let role = game.to_move(&state).iter().next().unwrap();
            game.legal(&state, role, &mut moves);
            rules.legal(&beside, role, &mut others);
            assert_eq!(moves.len(), others.len());
            let pick = moves[chance.below(moves.len())].clone();
            game.play(&mut state, &[pick]);
            let seen = board.position(&game, &state).unwrap();
            let owners = |position: &Position| -> Vec<_> {
                position.shape().all().map(|square| position.at(square).owner()).collect()
            };
            let same = others.iter().map(|other| {
                let mut after = beside.clone();
                rules.play(&mut after, std::slice::from_ref(other));
                after
            });
            let mut same = same.filter(|after| owners(&rules.position(after).unwrap()) == owners(&seen));
            beside = same.next().expect("the same move in the rules");
        }
        assert!(rules.goals(&beside).is_some());
    }
}

/// The positions of a game at random.
fn random_game(game: &AnyGame, board: &GameBoard, number: u64) -> Vec<Position> {
    let mut chance = Chance::stream(3, number);
    let mut state = game.start();
    let mut moves = Vec::new();
    let mut positions = vec![board.position(game, &state).unwrap()];
    while game.goals(&state).is_none() {
        let role = game.to_move(&state).iter().next().unwrap();
        game.legal(&state, role, &mut moves);
        let pick = moves[chance.below(moves.len())].clone();
        game.play(&mut state, &[pick]);
        positions.push(board.position(game, &state).unwrap());
    }
    positions
}

#[test]
fn rules_learnt_on_a_sheet_are_proved_and_win() {
    for (name, text, (width, ..), first) in sheets() {
        let game = sheet(&text);
        let system = find_system(&game, &AtomicBool::new(false)).unwrap();
        let board = GameBoard::new(&system, &game).unwrap();
        let mut file = RuleFile::new("sheet.kif", system);
        let options = LearnOptions::default();
        for number in 0..if width == 3 { 12 } else { 2 } {
            let positions = random_game(&game, &board, number);
            match learn_from_positions(&mut file, &board, &positions, "random", &options) {
                Ok(_) | Err(LessonError::NotLost { .. }) => {}
                Err(error) => panic!("{name}: {error}"),
            }
        }
        let stop = AtomicBool::new(false);
        let plan = (100, 97);
        let report =
            learn_by_playing(&game, &mut file, &board, &AlphaBeta::new(2), 0..2, plan, &options, &stop, &|_| {});
        assert_eq!(report.unwrap().games, 2, "{name}");
        let read = RuleFile::parse(&file.to_string()).unwrap();
        let checker = Checker::new(&read.system);
        let proved: Vec<_> = read.library.rules.iter().filter(|rule| rule.status == Status::Proved).collect();
        assert!(!proved.is_empty(), "{name}");
        for rule in proved {
            checker.check_rule(rule, MOST_INSTANCES).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        // With them a player wins where it can, and parries, on both sides.
        let player: TacticsPlayer<AnyGame> = TacticsPlayer::new(checked_rules(&read, &game).unwrap(), None);
        let mut wins = 0;
        for number in 0..10 {
            let own = Role(number as u8 % 2);
            let mut chance = Chance::stream(5, number);
            let mut state = game.start();
            while game.goals(&state).is_none() {
                let role = game.to_move(&state).iter().next().unwrap();
                let pick = if role == own {
                    player.choose(&game, &state, role, &mut chance).unwrap().pick
                } else {
                    let mut moves = Vec::new();
                    game.legal(&state, role, &mut moves);
                    moves[chance.below(moves.len())].clone()
                };
                game.play(&mut state, &[pick]);
            }
            let goals = game.goals(&state).unwrap();
            assert_ne!(goals[own.index()], Some(0), "{name}: lost game {number} to random moves");
            wins += usize::from(goals[own.index()] == Some(100));
        }
        assert!(wins >= 7, "{name}, {first:?}: {wins} of 10");
    }
}

#[test]
fn sheets_that_do_not_fit_are_refused_with_the_reason() {
    let breakthrough = include_str!("../../games/breakthrough.kif");
    assert!(matches!(
        find_system(&sheet(breakthrough), &AtomicBool::new(false)),
        Err(NoSystem::Board(BoardError::Unknown { .. }))
    ));
    let maze = include_str!("../../games/mummy-maze.kif");
    let error = find_system(&sheet(maze), &AtomicBool::new(false)).unwrap_err();
    assert!(matches!(error, NoSystem::Board(BoardError::Sheet { .. })), "{error}");
    // Diagonals do not count.
    let straight = TIC_TAC_TOE.replace("(true (cell 2 2 ?player))\n    (or", "(true (cell 2 2 nobody))\n    (or");
    assert_ne!(straight, TIC_TAC_TOE);
    let error = find_system(&sheet(&straight), &AtomicBool::new(false)).unwrap_err();
    assert!(matches!(error, NoSystem::Board(BoardError::Unknown { .. })), "{error}");
    // Whoever makes a line loses.
    let lost = TIC_TAC_TOE.replace("(goal ?player 100)\n    (wins ?player)", "(goal ?player 0)\n    (wins ?player)");
    let lost = lost.replace("(goal ?player 0)\n    (wins ?other)", "(goal ?player 100)\n    (wins ?other)");
    assert_ne!(lost, TIC_TAC_TOE);
    let error = find_system(&sheet(&lost), &AtomicBool::new(false)).unwrap_err();
    assert!(matches!(error, NoSystem::Board(BoardError::Unknown { .. })), "{error}");
    // A file for another board.
    let system = UpdateSystem::parse(&in_line_system("four", ["x", "o"], 4, 4, 3, false)).unwrap();
    let error = GameBoard::new(&system, &sheet(TIC_TAC_TOE)).unwrap_err();
    assert!(matches!(error, BoardError::OtherBoard { .. }), "{error}");
}
