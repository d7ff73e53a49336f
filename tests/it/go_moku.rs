//! Go-moku on 15 x 15 from fifteen examples: against a one-move player, and on puzzles that a plain solver made.

#[path = "../gomoku/mod.rs"]
mod gomoku;

use onlooker::tactics::{FeatureValue, Recogniser, RuleFile, Status};

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
    let results: Vec<Option<bool>> =
        (0..12).map(|seed| gomoku::play(&recogniser, &value, gomoku::FORESIGHT, seed, &mut |_| {})).collect();
    let won = results.iter().filter(|result| **result == Some(true)).count();
    assert!(won >= 10, "games against a player that looks one move ahead: {results:?}");
    for puzzle in gomoku::puzzles(3, 12) {
        assert!(gomoku::solves(&recogniser, &puzzle, 1000), "a win by fours of depth {}", puzzle.depth);
    }
}
