//! Any bytes either read to a model that is written as it is read and predicts, or give problems with their places.

use onlooker::game::{Game, catalogue_game};
use onlooker::opponent::{OpponentModel, Options};

/// Fails if that is not so.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut model = match OpponentModel::parse(&text) {
        Ok(model) => model,
        Err(error) => {
            assert!(!error.problems.is_empty());
            for problem in &error.problems {
                assert!(error.text.get(problem.span.clone()).is_some() && problem.message.contains("expected"));
            }
            return;
        }
    };
    let written = model.to_string();
    let again = OpponentModel::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again.to_string(), written);
    let game = catalogue_game("tic-tac-toe").expect("a game of the catalogue");
    model.bind(&game);
    let mut state = game.start();
    while let Some(mover) = game.to_move(&state).iter().next().filter(|_| game.goals(&state).is_none()) {
        let options = Options::of(&game, &state, mover).expect("it is not over");
        let prediction = model.predict(&game, &state, mover, &options);
        let sum: f64 = prediction.shares.iter().sum();
        assert!((sum - 1.0).abs() < 1e-6 && prediction.shares.iter().all(|share| (0.0..=1.0).contains(share)));
        model.observe(&game, &state, mover, &options, 0);
        game.play(&mut state, &options.moves[..1]);
    }
}
