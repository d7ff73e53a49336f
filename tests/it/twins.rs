//! Trees that grow in the rules that were learnt from a sheet: they follow its games and choose its moves, and where the rules are wrong they are given up.

use crate::relearn::{game, scrambled, sheet};
use onlooker::concepts::Study;
use onlooker::game::{Chance, Game, GdlGame, Role};
use onlooker::learn::Options;
use onlooker::play::{TreeOptions, Trees};
use onlooker::relearn::{SheetPlan, SheetReport, SheetTwin, learn_sheet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn learnt(game: &GdlGame) -> SheetReport {
    let plan = SheetPlan { games: Some(60), check_games: Some(20), ..SheetPlan::default() };
    learn_sheet(game, &plan, &Options::default(), &GO_ON, &|_| {}).unwrap()
}

/// Plays a game of a sheet while trees for both roles follow it: in how many states they were asked, and in how many they were still in the rules.
fn follow(game: &Arc<GdlGame>, twin: &Arc<SheetTwin>, seed: u64, told: bool) -> (u32, u32) {
    let mut chance = Chance::new(seed);
    let mut state = game.start();
    let mut trees = [0, 1].map(|role| {
        let trees = Trees::new(Arc::clone(game), state.clone(), Role(role), TreeOptions::default(), 1);
        trees.in_rules(twin, told.then_some(0), &TreeOptions::default())
    });
    let (mut asked, mut in_rules) = (0, 0);
    while game.goals(&state).is_none() {
        for (trees, role) in trees.iter_mut().zip([Role(0), Role(1)]) {
            asked += 1;
            in_rules += u32::from(trees.rules().is_some());
            assert_eq!(trees.state(), &state);
            let mut moves = Vec::new();
            game.legal(&state, role, &mut moves);
            trees.grow(20, &mut chance, &GO_ON);
            match trees.choice(&mut chance) {
                Some(choice) => assert!(moves.contains(&choice.pick) && !(choice.proved && trees.rules().is_some())),
                None => assert_eq!(moves.len(), 1, "who has nothing to choose"),
            }
            let mut ahead = state.clone();
            for joint in trees.line(4) {
                for (role, choice) in game.to_move(&ahead).iter().zip(&joint) {
                    game.legal(&ahead, role, &mut moves);
                    assert!(moves.contains(choice), "what is expected is legal");
                }
                game.play(&mut ahead, &joint);
            }
        }
        let mut joint = Vec::new();
        for role in game.to_move(&state).iter() {
            let mut moves = Vec::new();
            game.legal(&state, role, &mut moves);
            joint.push(moves.swap_remove(chance.below(moves.len())));
        }
        game.play(&mut state, &joint);
        trees.iter_mut().for_each(|trees| trees.play(&joint));
    }
    assert!(trees.iter().all(|trees| trees.state() == &state));
    (asked, in_rules)
}

#[test]
fn trees_in_rules_follow_every_game_of_the_sheet() {
    for name in ["tic-tac-toe", "breakthrough", "connect-four"] {
        for text in [sheet(name), scrambled(&sheet(name))] {
            let game = Arc::new(game(&text));
            let twin = Arc::new(SheetTwin::new(&game, learnt(&game)).unwrap_or_else(|| panic!("{name} fits")));
            for (seed, told) in [(1, true), (2, false), (3, true)] {
                let (asked, in_rules) = follow(&game, &twin, seed, told);
                assert!(asked > 8 && in_rules == asked, "{name}: in {in_rules} of {asked} states");
            }
        }
    }
}

/// Ways in which rules may be wrong: other lines win, some games end before they are decided, and a move does more than marking a
/// square.
#[test]
fn wrong_rules_are_given_up_and_choose_nothing_illegal() {
    let right = sheet("tic-tac-toe");
    let tampered = |from: &str, to: &str| {
        assert!(right.contains(from), "{right}");
        right.replace(from, to)
    };
    let others = [
        tampered("(true (cell 3 3 ?player)))\n", "(true (cell 3 2 ?player)))\n"),
        format!("{right}\n(<= terminal (true (cell 1 1 x)) (true (cell 3 3 o)))"),
        format!("{right}\n(<= (marked 1 3) (does ?player (mark 3 1)))"),
    ];
    let right = game(&right);
    for text in others {
        let other = Arc::new(game(&text));
        let twin = Arc::new(SheetTwin::new(&other, learnt(&right)).expect("the start is alike"));
        let games = (0..20).map(|seed| follow(&other, &twin, seed, true));
        let (asked, in_rules) = games.fold((0, 0), |sums, game| (sums.0 + game.0, sums.1 + game.1));
        assert!(in_rules > 0 && in_rules < asked, "in {in_rules} of {asked} states\n{text}");
    }
}

/// Rules know who has won, and not by how much.
#[test]
fn sheets_with_other_goals_have_no_twin() {
    let text = sheet("tic-tac-toe");
    let uneven = text.replace("50)", "30)");
    assert_ne!(text, uneven);
    let game = game(&uneven);
    assert!(SheetTwin::new(&game, learnt(&game)).is_none());
}

#[test]
fn without_a_study_trees_are_those_of_the_game() {
    let game = Arc::new(game(&sheet("tic-tac-toe")));
    let trees = Study::none().trees(Arc::clone(&game), game.start(), Role(0), Some(0), 2);
    assert!(trees.rules().is_none() && trees.state() == &game.start());
}
