//! A person's games.

use crate::toy_games::{Goofspiel, Puzzle, TicTacToe};
use onlooker::game::{Game, Role};
use onlooker::play::{LoadError, Mcts, NoKnowledge, Player, PlayerSpec, RefusedMove, Session};
use std::sync::atomic::AtomicBool;

fn players<G: Game>(names: &[&str]) -> Vec<Player<G>> {
    names.iter().map(|name| name.parse::<PlayerSpec>().unwrap().build(&NoKnowledge).unwrap()).collect()
}

#[test]
fn moves_are_taken_by_number_name_and_beginning() {
    let game = Puzzle::new();
    let unknown = |found: &str| Err(RefusedMove::Unknown { found: found.to_owned(), legal: 3 });
    let table = [
        ("2", Ok("(sum 2)")),
        (" double ", Ok("(sum 2)")),
        ("DOUBLE", Ok("(sum 2)")),
        ("d", Ok("(sum 2)")),
        ("three", Ok("(sum 4)")),
        ("add 3", Ok("(sum 4)")),
        ("Add 3", Ok("(sum 4)")),
        ("3", Ok("(sum 4)")),
        ("0", unknown("0")),
        ("4", unknown("4")),
        ("", unknown("")),
        ("halve", unknown("halve")),
        (
            "a",
            Err(RefusedMove::Ambiguous { found: "a".to_owned(), names: vec!["Add 1".to_owned(), "Add 3".to_owned()] }),
        ),
    ];
    for (text, expected) in table {
        let mut session = Session::new(&game, players(&["person"]), 1).unwrap();
        let found = session.choose(text).map(|()| game.facts(session.state())[0].to_string());
        assert_eq!(found, expected.map(str::to_owned), "{text:?}");
    }
}

#[test]
fn undo_goes_back_to_the_persons_turn_and_agents_answer_alike() {
    let game = TicTacToe::new();
    let mut session = Session::new(&game, players(&["person", "mcts:50"]), 4).unwrap();
    assert!(!session.undo());
    let mut states = vec![session.state().clone()];
    for _ in 0..2 {
        assert_eq!(session.waiting_for(), Some(Role(0)));
        session.choose("1").unwrap();
        assert_eq!(session.waiting_for(), None);
        assert_eq!(session.choose("1"), Err(RefusedMove::NobodyAsked));
        assert!(session.advance());
        states.push(session.state().clone());
    }
    assert!(session.undo());
    assert_eq!(*session.state(), states[1]);
    session.choose("1").unwrap();
    assert!(session.advance() && !session.advance());
    assert_eq!(*session.state(), states[2]);
    assert!(session.undo() && session.undo() && !session.undo());
    assert_eq!(*session.state(), states[0]);
    assert_eq!(session.history().len(), 0);
}

#[test]
fn a_hint_is_a_legal_move_by_name() {
    let game = TicTacToe::new();
    let session = Session::new(&game, players(&["person", "random"]), 4).unwrap();
    let (name, choice) = session.hint(&Mcts::new(200), &AtomicBool::new(false)).unwrap();
    assert!(session.legal().contains(&(name, choice.pick)));
}

#[test]
fn people_who_move_at_the_same_time_are_asked_one_after_the_other() {
    let game = Goofspiel::new(3);
    let mut session = Session::new(&game, players(&["person", "person"]), 4).unwrap();
    session.choose("bid 2").unwrap();
    assert_eq!((session.waiting_for(), session.history().len()), (Some(Role(1)), 0));
    assert!(session.undo());
    assert_eq!(session.waiting_for(), Some(Role(0)));
    session.choose("bid 2").unwrap();
    session.choose("bid 3").unwrap();
    assert_eq!((session.waiting_for(), session.history().len()), (Some(Role(0)), 1));
    // Against an agent, one choice is enough.
    let mut session = Session::new(&game, players(&["greedy", "person"]), 4).unwrap();
    for _ in 0..3 {
        assert_eq!(session.waiting_for(), Some(Role(1)));
        session.choose("1").unwrap();
    }
    assert!(session.goals().is_some());
}

#[test]
fn a_session_goes_back_to_any_state_and_on_from_there() {
    let game = TicTacToe::new();
    let mut session = Session::new(&game, players(&["person", "mcts:50"]), 4).unwrap();
    while session.goals().is_none() {
        if session.waiting_for().is_some() {
            session.choose("1").unwrap()
        } else {
            assert!(session.advance())
        };
    }
    let whole = session.to_json();
    let (states, plies) = (session.states().to_vec(), session.history().len());
    assert!(!session.rewind(plies + 1) && session.to_json() == whole, "there is no such state");
    for back in (0..=plies).rev() {
        assert!(session.rewind(back));
        assert_eq!((session.states(), session.history().len()), (&states[..=back], back));
    }
    // The same moves get the same answers.
    while session.goals().is_none() {
        if session.waiting_for().is_some() {
            session.choose("1").unwrap()
        } else {
            assert!(session.advance())
        };
    }
    assert_eq!(session.to_json(), whole);
}

#[test]
fn sessions_come_back_from_json() {
    let game = TicTacToe::new();
    let mut session = Session::new(&game, players(&["person", "mcts:20"]), u64::MAX).unwrap();
    loop {
        let text = session.to_json();
        let loaded = Session::from_json(&game, &text, &NoKnowledge).unwrap();
        assert_eq!(loaded.to_json(), text);
        assert_eq!((loaded.state(), loaded.seed()), (session.state(), u64::MAX));
        let names = |players: &[Player<_>]| players.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(names(loaded.players()), names(session.players()));
        if session.waiting_for().is_some() {
            session.choose("1").unwrap();
        } else if !session.advance() {
            break;
        }
    }
    assert!(session.goals().is_some());
    let beginning = r#"{"format":"onlooker-session","version":1,"game":"ticTacToe","seed":18446744073709551615,"players":["person","mcts:20"],"moves":[["(mark 1 1)","noop"],["noop","#;
    assert!(session.to_json().starts_with(beginning), "{}", session.to_json());
}

#[test]
fn documents_that_do_not_fit_are_refused() {
    let game = TicTacToe::new();
    let text = |version: &str, moves: &str| {
        format!(
            r#"{{"format":"onlooker-session","version":{version},"game":"ticTacToe","seed":1,"players":["person","person"],"moves":{moves}}}"#
        )
    };
    let error = |text: &str| Session::from_json(&game, text, &NoKnowledge).map(|_| ()).unwrap_err().to_string();
    assert!(Session::from_json(&game, &text("1", r#"[["(mark 1 1)","noop"]]"#), &NoKnowledge).is_ok());
    let table = [
        (text("2", "[]"), "version 2"),
        (text("0", "[]"), "version 0"),
        // Of a newer version nothing else is expected.
        (r#"{"format":"onlooker-session","version":7}"#.to_owned(), "a newer program"),
        (text("1", "[]").replace("onlooker-session", "diary"), "\"diary\""),
        (text("1", "[]").replace("ticTacToe", "chess"), "\"chess\""),
        (text("1", "[]").replace("[\"person\"", "[\"parson\""), "\"parson\""),
        (text("1", "[]").replace("\"person\",", ""), "1 players were given"),
        (text("1", r#"[["(mark 1 1)","noop"],["noop","(mark 1 1)"]]"#), "move 2 of oplayer: \"(mark 1 1)\""),
        (text("1", r#"[["noop","(mark 1 1)"]]"#), "move 1 of xplayer: \"noop\""),
        (text("1", r#"[["(mark 1 1)","(mark 1 2)"]]"#), "move 1 of oplayer"),
        (text("1", r#"[["(mark 1 1)"]]"#), "move 1: "),
        (text("\"1\"", "[]"), "invalid type"),
        ("{".to_owned(), "EOF"),
    ];
    for (text, reason) in table {
        let found = error(&text);
        assert!(found.contains(reason), "{text}: {found}");
    }
    let newer = Session::from_json(&game, &text("2", "[]"), &NoKnowledge);
    assert!(matches!(newer, Err(LoadError::Version { found: 2 })));
}

#[test]
fn a_session_begins_anywhere_and_is_saved_with_its_beginning() {
    use onlooker::board::{Player as Side, Position};
    use onlooker::game::{AnyGame, AnyState, catalogue_game};
    use std::sync::Arc;
    let game = catalogue_game("breakthrough").unwrap();
    let position = Position::from_rows([
        "........", "P.......", "........", "........", "........", "........", "pp......", "........",
    ])
    .unwrap();
    let state = game.state(&position, Side::First, 0).unwrap();
    let game = Arc::new(AnyGame::from(game));
    let players = || vec![Player::Person, Player::Person];
    let mut session = Session::from_state(Arc::clone(&game), players(), 1, AnyState::Rules(state)).unwrap();
    assert!(
        Session::new(Arc::clone(&game), players(), 1).unwrap().to_json().find("start").is_none(),
        "a usual one says nothing about it"
    );
    let saved = session.to_json();
    session.choose("a7-a8").unwrap();
    assert!(session.goals().is_some());
    for text in [saved, session.to_json()] {
        let again = Session::from_json(Arc::clone(&game), &text, &NoKnowledge).unwrap();
        assert_eq!(again.to_json(), text);
        assert_eq!(again.states()[0], session.states()[0]);
        let wrong = text.replace("(cell 1 7 P)", "(cell 1 7 Z)");
        let refused = Session::from_json(Arc::clone(&game), &wrong, &NoKnowledge).err().map(|error| error.to_string());
        assert!(refused.is_some_and(|why| why.contains("begins with no state of the game")));
    }
}

#[test]
fn a_session_goes_on_only_by_the_rules_it_was_played_by() {
    use onlooker::game::AnyGame;
    use onlooker::gdl::Engine;
    use std::sync::Arc;
    let rules = include_str!("../../games/breakthrough.rules");
    let sheet = include_str!("../../games/tic-tac-toe.kif");
    let of_rules = |text: &str| Arc::new(AnyGame::from_rules(text).unwrap());
    let of_sheet = |text: &str| Arc::new(AnyGame::from_sheet("ttt", text, Engine::Fast).unwrap());
    for (game, same, other) in [
        (
            of_rules(rules),
            of_rules(&format!("; The same game.\n{rules}")),
            of_rules(&rules.replacen("forward(empty)", "forward(empty | enemy)", 1)),
        ),
        (of_sheet(sheet), of_sheet(&format!("; The same.\n{sheet}")), of_sheet(&format!("{sheet}\n(extra fact)"))),
    ] {
        let seats = || vec![Player::Person, Player::Person];
        let mut session = Session::new(Arc::clone(&game), seats(), 1).unwrap();
        session.choose("1").unwrap();
        let text = session.to_json();
        assert_eq!(Session::from_json(same, &text, &NoKnowledge).unwrap().to_json(), text);
        let refused = Session::from_json(Arc::clone(&other), &text, &NoKnowledge).err().unwrap();
        assert!(matches!(refused, LoadError::Rules { .. }), "{refused}");
        assert!(refused.to_string().contains("played by other rules"), "{refused}");
        // Files that do not say which rules they were played by are replayed.
        let digest = game.digest().unwrap();
        let old = text.replace(&format!("\"rules\":\"{digest}\","), "");
        assert_ne!(old, text);
        assert!(Session::from_json(other, &old, &NoKnowledge).is_ok());
        assert_eq!(Session::from_json(game, &old, &NoKnowledge).unwrap().to_json(), text);
    }
}
