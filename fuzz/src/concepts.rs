//! Any bytes either read to a heuristic that is written as it is read and evaluates positions, or give problems with their places.

use onlooker::concepts::{CompiledHeuristic, Heuristic, binary_concepts, ternary_concepts};
use onlooker::explain::{ConceptPage, concept_words};
use onlooker::game::{Game, Role, catalogue_game};
use onlooker::play::Evaluation;

/// Fails if that is not so.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let heuristic = match Heuristic::parse(&text) {
        Ok(heuristic) => heuristic,
        Err(error) => {
            assert!(!error.problems.is_empty());
            for problem in &error.problems {
                assert!(error.text.get(problem.span.clone()).is_some() && problem.message.contains("expected"));
            }
            return;
        }
    };
    let written = heuristic.to_string();
    let again = Heuristic::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again, heuristic, "{written}");
    ternary_concepts(&binary_concepts(&heuristic), 100);
    heuristic.roles.iter().flat_map(|role| &role.rules).for_each(|rule| assert!(!concept_words(&rule.body).is_empty()));
    let game = catalogue_game("tic-tac-toe").expect("a game of the catalogue");
    if let Ok(compiled) = CompiledHeuristic::new(&heuristic, &game) {
        let mut state = game.start();
        let mut moves = Vec::new();
        while game.goals(&state).is_none() {
            let opinion = [0, 1].map(|role| compiled.evaluate(&game, &state, Role(role)));
            // A position is worth the same whatever was asked before.
            let fresh = CompiledHeuristic::new(&heuristic, &game).expect("it was compiled before");
            assert_eq!(opinion, [0, 1].map(|role| fresh.evaluate(&game, &state, Role(role))));
            let to_move = game.to_move(&state).iter().next().expect("somebody is to move");
            game.legal(&state, to_move, &mut moves);
            game.play(&mut state, &moves[..1]);
        }
        assert!(!ConceptPage::new(&game, &heuristic).html().is_empty());
    }
}
