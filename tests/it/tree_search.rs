//! What a tree learns while it grows: shared states, playouts that learn, moves that count wherever they were played, playouts that are cut off.

use onlooker::game::{Chance, Game, GdlGame, Role, RulesGame, catalogue_game};
use onlooker::gdl::{Engine, GroundingLimits, Program};
use onlooker::play::{
    AgentSpec, Choice, Forest, LeafEvaluation, MatchPlan, Material, NoKnowledge, PlayoutMoves, Tree, TreeOptions,
    play_match,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn all_options<G: Game>() -> Vec<(&'static str, TreeOptions<G>)> {
    let plain = TreeOptions::default;
    let material = || Some(LeafEvaluation { evaluation: Arc::new(Material), share: 50 });
    vec![
        ("plain", plain()),
        ("transpositions", TreeOptions { transpositions: true, ..plain() }),
        ("mast", TreeOptions { playouts: PlayoutMoves::Mast, ..plain() }),
        ("nst", TreeOptions { playouts: PlayoutMoves::Nst, ..plain() }),
        ("rave", TreeOptions { rave: Some(200), ..plain() }),
        ("cutoff", TreeOptions { evaluation: material(), cutoff: Some(4), ..plain() }),
        ("minimax", TreeOptions { evaluation: material(), minimax: 50, ..plain() }),
        (
            "all",
            TreeOptions {
                transpositions: true,
                playouts: PlayoutMoves::Nst,
                rave: Some(200),
                evaluation: material(),
                cutoff: Some(6),
                minimax: 30,
                ..plain()
            },
        ),
    ]
}

fn grown<G: Game>(game: &G, options: TreeOptions<G>, playouts: u64, seed: u64) -> Choice<G::Move> {
    let mut tree = Tree::with_options(game, game.start(), Role(0), options);
    let mut chance = Chance::new(seed);
    tree.grow(playouts, &mut chance, &AtomicBool::new(false));
    tree.choice(&mut chance).expect("the first role begins")
}

#[test]
fn a_draw_is_found_to_be_one_with_every_option() {
    let game = catalogue_game("tic-tac-toe").unwrap();
    for (name, options) in all_options::<RulesGame>() {
        let choice = grown(&game, options, 50_000, 3);
        assert!(choice.value.is_some_and(|value| (value - 50.0).abs() < 8.0), "{name}: {choice:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_tree() {
    let game = catalogue_game("connect-four").unwrap();
    for (name, options) in all_options::<RulesGame>() {
        let [one, other] = [(); 2].map(|()| grown(&game, options.clone(), 2000, 5));
        assert_eq!(one, other, "{name}");
        let different = grown(&game, options, 2000, 6);
        assert_ne!((one.value, one.nodes), (different.value, different.nodes), "{name}");
    }
}

#[test]
fn equal_states_share_a_node() {
    // There are 5478 states of tic-tac-toe, and many more ways to them.
    let game = catalogue_game("tic-tac-toe").unwrap();
    let shared = TreeOptions { transpositions: true, ..TreeOptions::default() };
    let nodes = grown(&game, shared, 100_000, 1).nodes;
    let apart = grown(&game, TreeOptions::default(), 100_000, 1).nodes;
    assert!(nodes <= 5478 && nodes < apart / 2, "{nodes} {apart}");
}

/// One may go round in circles for ever, or leave by one of two ways.
const CIRCLES: &str = "(role x) (role y) (init (at 1)) (init (control x))
    (<= (legal ?r left) (true (control ?r))) (<= (legal ?r right) (true (control ?r)))
    (<= (legal x wait) (true (control y))) (<= (legal y wait) (true (control x)))
    (<= (legal x out) (true (control x)) (true (at 3)))
    (<= (next (control y)) (true (control x))) (<= (next (control x)) (true (control y)))
    (next_of 1 2) (next_of 2 3) (next_of 3 4) (next_of 4 5) (next_of 5 6) (next_of 6 1)
    (<= (next (at ?b)) (does ?r right) (true (at ?a)) (next_of ?a ?b))
    (<= (next (at ?b)) (does ?r left) (true (at ?a)) (next_of ?b ?a))
    (<= (next won) (does x out)) (<= terminal (true won)) (<= (goal x 100) (true won)) (<= (goal y 0) (true won))
    (<= (goal x 0) (not (true won))) (<= (goal y 100) (not (true won)))";

#[test]
fn circles_end() {
    let program = Program::read(CIRCLES).unwrap();
    let game = GdlGame::new("circles", program, Engine::Fast, &GroundingLimits::default()).unwrap();
    for (name, options) in all_options::<GdlGame>() {
        let mut tree = Tree::with_options(&game, game.start(), Role(0), options);
        let made = tree.grow(20_000, &mut Chance::new(1), &AtomicBool::new(false));
        let choice = tree.choice(&mut Chance::new(1)).unwrap();
        assert!(made == 20_000 || choice.proved, "{name}: {made}");
        if name == "transpositions" {
            assert!(choice.nodes <= 13, "six places, two sides, and the end: {}", choice.nodes);
        }
    }
}

#[test]
fn a_small_tree_of_shared_nodes_is_used_again_and_goes_on() {
    let game = Arc::new(catalogue_game("connect-four").unwrap());
    for (name, options) in all_options::<RulesGame>() {
        let options = TreeOptions { room: 500, ..options };
        let mut tree = Tree::with_options(Arc::clone(&game), game.start(), Role(0), options);
        let mut chance = Chance::new(2);
        let mut moves = Vec::new();
        while game.goals(tree.state()).is_none() {
            tree.grow(300, &mut chance, &AtomicBool::new(false));
            let role = game.to_move(tree.state()).iter().next().unwrap();
            game.legal(tree.state(), role, &mut moves);
            let pick = match tree.choice(&mut chance) {
                Some(choice) => choice.pick,
                None => moves[chance.below(moves.len())].clone(),
            };
            assert!(moves.contains(&pick), "{name}");
            tree.play(&[pick]);
        }
    }
}

/// What helps must be seen to help: at the same number of playouts.
#[test]
fn what_learns_while_it_runs_wins_more() {
    let game = catalogue_game("breakthrough").unwrap();
    for better in ["mcts:150,playouts=mast", "mcts:150,playouts=nst", "mcts:150,rave=300"] {
        let plain = "mcts:150";
        let agents = [better, plain].map(|name| name.parse::<AgentSpec>().unwrap().build(&NoKnowledge).unwrap());
        let plan = MatchPlan { games: 30, seed: 1, plies: 1000 };
        let result = play_match(&game, &agents, &plan, &AtomicBool::new(false), &|_, _| {}).unwrap();
        assert!(result.wins[0] > result.wins[1] + 5, "{better}: {:?}", result.wins);
    }
}

#[test]
fn trees_that_grow_together_choose_alike_every_time() {
    let game = Arc::new(catalogue_game("connect-four").unwrap());
    let never = AtomicBool::new(false);
    let options = TreeOptions { playouts: PlayoutMoves::Mast, ..TreeOptions::default() };
    let choose = |trees| {
        let mut forest = Forest::new(Arc::clone(&game), game.start(), Role(0), &options, trees);
        let mut chance = Chance::new(4);
        assert_eq!(forest.grow(500, &mut chance, &never), 500 * trees as u64);
        forest.choice(&mut chance).unwrap()
    };
    for trees in [1, 2, 3] {
        let choice = choose(trees);
        assert_eq!(choice, choose(trees), "{trees}");
        assert_eq!(choice.playouts, 500 * trees as u64);
    }
    // One is as a tree alone.
    assert_eq!(choose(1), grown(&*game, options.clone(), 500, 4));
}
