//! The games that come with Onlooker, each written as rules in `games/`.

use super::RulesGame;
use crate::rules::Rules;

/// The names of all games of the catalogue with the text of their rules.
pub const CATALOGUE: [(&str, &str); 9] = [
    ("breakthrough", include_str!("../../games/breakthrough.rules")),
    ("checkers-breakthrough", include_str!("../../games/checkers-breakthrough.rules")),
    ("chess-breakthrough", include_str!("../../games/chess-breakthrough.rules")),
    ("amazons", include_str!("../../games/amazons.rules")),
    ("checkers", include_str!("../../games/checkers.rules")),
    ("peg-solitaire", include_str!("../../games/peg-solitaire.rules")),
    ("tic-tac-toe", include_str!("../../games/tic-tac-toe.rules")),
    ("connect-four", include_str!("../../games/connect-four.rules")),
    ("go-moku", include_str!("../../games/go-moku.rules")),
];

/// The games of the catalogue that are rule sheets, because their rules do not fit on a board: names and texts.
pub const SHEETS: [(&str, &str); 2] = [
    ("mummy-maze", include_str!("../../games/mummy-maze.kif")),
    ("racetrack", include_str!("../../games/racetrack.kif")),
];

/// The game of the catalogue with this name, if it has a board.
///
/// # Panics
///
/// Never: a test compiles every game of the catalogue.
pub fn catalogue_game(name: &str) -> Option<RulesGame> {
    let (_, text) = CATALOGUE.iter().find(|(known, _)| *known == name)?;
    let rules = Rules::parse(text).unwrap_or_else(|error| panic!("the catalogue's {name}: {error}"));
    Some(RulesGame::new(rules).unwrap_or_else(|error| panic!("the catalogue's {name}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, GdlGame};
    use crate::gdl::{Engine, GroundingLimits, Program};

    #[test]
    fn every_game_runs_under_its_name() {
        for (name, _) in CATALOGUE {
            let game = catalogue_game(name).unwrap();
            assert_eq!(game.name(), name);
            assert!(game.count(&game.start()) > 0, "{name}");
        }
        assert!(catalogue_game("chess").is_none());
        for (name, text) in SHEETS {
            let program = Program::read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let game = GdlGame::new(name, program, Engine::Fast, &GroundingLimits::default()).unwrap();
            assert!(game.network().is_ok() && game.count(&game.start()) > 1, "{name}");
            assert!(catalogue_game(name).is_none());
        }
    }
}
