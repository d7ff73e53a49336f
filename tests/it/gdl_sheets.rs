//! The sheets in `games/` are the catalogue's games: every state, move and goal of random walks, and perft.

use onlooker::game::{Chance, Game, GdlGame, RulesGame, Term, catalogue_game, perft};
use onlooker::gdl::{Engine, Limits, Program};
use std::collections::BTreeMap;

fn sheet(name: &str, engine: Engine) -> GdlGame {
    let path = format!("{}/games/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    let program = Program::read(&std::fs::read_to_string(path).unwrap()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program.warnings(), [], "{name}");
    let game = GdlGame::new(name, program, engine, &Limits::default()).unwrap();
    assert_eq!(game.network().is_ok(), engine == Engine::Fast, "{name}");
    game
}

/// The squares with something on them, in the words of the sheets.
fn cells(facts: &[Term]) -> Vec<String> {
    let cell = |fact: &Term| {
        let [column, row, content] = fact.arguments_of("cell")? else { return None };
        let content = match content.as_name()? {
            "blank" => return None,
            "X" => "x",
            "P" => "white",
            "p" => "black",
            other => other,
        };
        Some(format!("{column} {row} {content}"))
    };
    let mut cells: Vec<String> = facts.iter().filter_map(cell).collect();
    cells.sort();
    cells
}

/// The states after each joint move, by their squares.
fn children<G: Game>(game: &G, state: &G::State) -> BTreeMap<Vec<String>, G::State> {
    let mut moves = Vec::new();
    let role = game.to_move(state).iter().next().unwrap();
    assert_eq!(game.to_move(state).len(), 1);
    game.legal(state, role, &mut moves);
    let child = |choice: &G::Move| {
        let mut child = state.clone();
        game.play(&mut child, std::slice::from_ref(choice));
        (cells(&game.facts(&child)), child)
    };
    let children: BTreeMap<_, _> = moves.iter().map(child).collect();
    assert_eq!(children.len(), moves.len());
    children
}

fn same_walks(rules: &RulesGame, sheet: &GdlGame, walks: u64) {
    for walk in 0..walks {
        let mut chance = Chance::stream(3, walk);
        let (mut one, mut other) = (rules.start(), sheet.start());
        loop {
            assert_eq!(cells(&rules.facts(&one)), cells(&sheet.facts(&other)));
            assert_eq!(rules.goals(&one), sheet.goals(&other));
            if rules.goals(&one).is_some() {
                break;
            }
            let (mut ours, mut theirs) = (children(rules, &one), children(sheet, &other));
            assert!(ours.keys().eq(theirs.keys()), "{:?}\n{:?}", ours.keys(), theirs.keys());
            let pick = ours.keys().nth(chance.below(ours.len())).unwrap().clone();
            one = ours.remove(&pick).unwrap();
            other = theirs.remove(&pick).unwrap();
        }
    }
}

#[test]
fn sheets_play_like_the_catalogue() {
    for (name, walks, depth) in [("tic-tac-toe", 50, 9), ("connect-four", 20, 6), ("breakthrough", 5, 3)] {
        let rules = catalogue_game(name).unwrap();
        let fast = sheet(name, Engine::Fast);
        same_walks(&rules, &fast, walks);
        assert_eq!(perft(&fast, depth), perft(&rules, depth), "{name}");
        let plain = sheet(name, Engine::Plain);
        same_walks(&rules, &plain, walks / 5);
        assert_eq!(perft(&plain, 2), perft(&rules, 2), "{name}");
    }
}
