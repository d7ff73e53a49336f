//! Go-moku on 15 x 15 from fifteen examples: against a one-move player, and on puzzles that a plain solver made.

#[path = "../gomoku/mod.rs"]
mod gomoku;

use onlooker::tactics::{Checker, FeatureValue, Recogniser, RuleFile, Status};

#[test]
fn fifteen_examples_teach_go_moku() {
    let system = gomoku::system();
    let library = gomoku::learn(&system, &mut |_, _| {}).unwrap();
    let used: Vec<_> = library.rules.iter().filter(|rule| rule.status != Status::Unproved).collect();
    assert!(used.iter().all(|rule| rule.proof.is_some()));
    assert!((1..=3).all(|depth| used.iter().any(|rule| rule.depth == depth)), "five, open four, and four-three");
    let file = RuleFile { library: library.clone(), ..RuleFile::new("go-moku", system.clone()) };
    assert_eq!(RuleFile::parse(&file.to_string()).unwrap().to_string(), file.to_string());

    let recogniser = Recogniser::new(&system, &library).unwrap();
    let value = FeatureValue::learn(&recogniser);
    let games: Vec<_> =
        (0..12).map(|seed| gomoku::play(&recogniser, &value, (gomoku::FORESIGHT, None), seed)).collect();
    let results: Vec<Option<bool>> = games.iter().map(|game| game.won).collect();
    let won = results.iter().filter(|result| **result == Some(true)).count();
    assert!(won >= 10, "games against a player that looks one move ahead: {results:?}");

    // What rules say in the positions of these games is proved by the checker there.
    let checker = Checker::new(&system);
    let mut claims = 0;
    for game in &games {
        let mut state = system.start_state();
        for (ply, &at) in game.squares.iter().enumerate() {
            let (player, name) = (system.players[ply % 2], gomoku::square(&system, at));
            let mut bits = recogniser.ground.state(&state);
            if let Some(found) = recogniser.winning(&mut bits, ply % 2) {
                let proof = library.rules[found.rule].proof.as_ref().unwrap().ground(&found.bindings);
                let accepted = checker.check_known(&state.facts, player, &proof);
                assert!(accepted.is_ok(), "{}: {accepted:?}", library.rules[found.rule].name);
                claims += 1;
            }
            state = state.play(&system, name, player).unwrap().0;
        }
    }
    assert!(claims > 20, "{claims}");
    for puzzle in gomoku::puzzles(3, 12) {
        let tried = gomoku::solve(&recogniser, &puzzle, 1000).0;
        assert_eq!(tried, gomoku::Tried::Solved, "a win by fours of depth {}", puzzle.depth);
    }
}
