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

/// The game of the catalogue with this name.
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
    use crate::game::Game;

    #[test]
    fn every_game_runs_under_its_name() {
        for (name, _) in CATALOGUE {
            let game = catalogue_game(name).unwrap();
            assert_eq!(game.name(), name);
            assert!(game.count(&game.start()) > 0, "{name}");
        }
        assert!(catalogue_game("chess").is_none());
    }
}
