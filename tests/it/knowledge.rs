//! Agents that know more than the rules, and agents with little room.

use crate::play::{agent, reachable};
use crate::toy_breakthrough::Breakthrough;
use crate::toy_games::{Goofspiel, ThreeNim, TicTacToe};
use onlooker::game::{Chance, Game, Role};
use onlooker::play::{
    Agent, AgentSpec, AlphaBeta, Choice, ClockedSpec, Evaluation, Knowledge, KnowledgeError, LeafEvaluation, MatchPlan,
    Material, Mcts, NoKnowledge, OpponentSpec, Policy, Tree, TreeOptions, alphabeta, play_match,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Likes the middle, then corners; counts how often it is asked.
#[derive(Default)]
struct Places(AtomicU64);

const WORTH: [i32; 9] = [30, 10, 30, 10, 50, 10, 30, 10, 30];

impl Evaluation<TicTacToe> for Places {
    fn evaluate(&self, _: &TicTacToe, state: &<TicTacToe as Game>::State, role: Role) -> i32 {
        self.0.fetch_add(1, Ordering::Relaxed);
        let sign = |mark: u8| if mark == 0 { 0 } else { if mark == role.0 + 1 { 1 } else { -1 } };
        state.cells.iter().zip(WORTH).map(|(&mark, worth)| sign(mark) * worth).sum()
    }
}

/// Whatever it is asked.
struct Says(i32);

impl<G: Game> Evaluation<G> for Says {
    fn evaluate(&self, _: &G, _: &G::State, _: Role) -> i32 {
        self.0
    }
}

/// Weighs the moves by their place in the list.
struct Weighs(Vec<f64>);

impl<G: Game> Policy<G> for Weighs {
    fn weigh(&self, _: &G, _: &G::State, _: Role, _: &[G::Move], weights: &mut Vec<f64>) {
        weights.clone_from(&self.0);
    }
}

/// Favours what a search of some depth finds best.
struct Oracle(u16);

impl<G: Game> Policy<G> for Oracle {
    fn weigh(&self, game: &G, state: &G::State, role: Role, moves: &[G::Move], weights: &mut Vec<f64>) {
        let stop = AtomicBool::new(false);
        let best = alphabeta(game, state, role, &AlphaBeta::new(self.0), &mut Chance::new(1), &stop);
        let favours = |choice: &G::Move| best.as_ref().is_some_and(|best| best.pick == *choice);
        weights.clear();
        weights.extend(moves.iter().map(|choice| if favours(choice) { 1.0 } else { 0.01 }));
    }
}

fn mcts<G: Game>(playouts: u32, options: TreeOptions<G>) -> Mcts<G> {
    Mcts { playouts, options }
}

fn evaluated<G: Game>(evaluation: impl Evaluation<G> + 'static, share: u8) -> TreeOptions<G> {
    let evaluation = LeafEvaluation { evaluation: Arc::new(evaluation), share };
    TreeOptions { evaluation: Some(evaluation), ..TreeOptions::default() }
}

fn guided<G: Game>(policy: impl Policy<G> + 'static) -> TreeOptions<G> {
    TreeOptions { policy: Some(Arc::new(policy)), ..TreeOptions::default() }
}

fn first_choice<G: Game>(game: &G, agent: &impl Agent<G>, seed: u64) -> Choice<G::Move> {
    agent.choose(game, &game.start(), Role(0), &mut Chance::new(seed)).unwrap()
}

#[test]
fn an_opinion_decides_where_search_sees_no_difference() {
    let game = TicTacToe::new();
    for seed in 0..10 {
        let agent = AlphaBeta { evaluation: Arc::new(Places::default()), ..AlphaBeta::new(1) };
        assert_eq!(first_choice(&game, &agent, seed).pick, 4);
        let choice = first_choice(&game, &mcts(200, evaluated(Places::default(), 100)), seed);
        assert_eq!(choice.pick, 4, "{choice:?}");
    }
}

#[test]
fn an_evaluation_is_mixed_with_playouts_as_asked() {
    let game = Goofspiel::new(5);
    // Every state is worth as much as a win, and every playout brings what it brings.
    let value = |share| first_choice(&game, &mcts(400, evaluated(Says(1000), share)), 1).value.unwrap();
    let plain = first_choice(&game, &Mcts::new(400), 1).value.unwrap();
    assert!((20.0..80.0).contains(&plain), "{plain}");
    let (some, more, all) = (value(20), value(60), value(100));
    assert!(plain < some && some < more && more < all, "{plain} {some} {more} {all}");
    assert!(value(100) == value(100), "the same seed");
}

#[test]
fn opinions_beyond_all_measure_are_cut() {
    for says in [i32::MIN, -1001, 1001, i32::MAX] {
        let game = Breakthrough::new(4, 5);
        let value = first_choice(&game, &mcts(50, evaluated(Says(says), 100)), 1).value.unwrap();
        assert!((0.0..=100.0).contains(&value), "{says}: {value}");
        let agent = AlphaBeta { evaluation: Arc::new(Says(says)), ..AlphaBeta::new(2) };
        let choice = first_choice(&game, &agent, 1);
        assert!(!choice.proved && (49.0..=51.0).contains(&choice.value.unwrap()), "{says}: {choice:?}");
    }
    for weights in [vec![], vec![f64::NAN; 9], vec![-1.0, f64::INFINITY], vec![f64::MAX; 20]] {
        let choice = first_choice(&TicTacToe::new(), &mcts(50, guided(Weighs(weights.clone()))), 1);
        assert!(choice.value.is_some_and(|value| (0.0..=100.0).contains(&value)), "{weights:?}");
        let agent = AlphaBeta { policy: Some(Arc::new(Weighs(weights))), ..AlphaBeta::new(2) };
        first_choice(&TicTacToe::new(), &agent, 1);
    }
}

#[test]
fn a_policy_leads_but_does_not_mislead() {
    let game = TicTacToe::new();
    // x has two in a row, and so has o.
    let mut state = game.start();
    [0, 3, 1, 4].iter().for_each(|&at| game.play(&mut state, &[at]));
    // The moves are 2 (wins), 5, 6, 7, 8.
    let wins = |weights: [f64; 5], playouts| {
        let agent = mcts(playouts, guided(Weighs(weights.to_vec())));
        (0..20).filter(|&seed| agent.choose(&game, &state, Role(0), &mut Chance::new(seed)).unwrap().pick == 2).count()
    };
    assert_eq!(wins([1.0, 0.0, 0.0, 0.0, 0.0], 1), 20);
    assert_eq!(wins([0.0, 0.0, 1.0, 0.0, 0.0], 1), 0);
    assert_eq!(wins([0.0, 0.0, 1.0, 0.0, 0.0], 500), 20);
}

#[test]
fn a_good_policy_saves_playouts() {
    let game = Breakthrough::new(5, 5);
    let plan = MatchPlan { games: 20, seed: 3, plies: 500 };
    let agents: [Arc<dyn Agent<Breakthrough>>; 2] = [Arc::new(mcts(30, guided(Oracle(4)))), Arc::new(Mcts::new(30))];
    let result = play_match(&game, &agents, &plan, &AtomicBool::new(false), &|_, _| {}).unwrap();
    assert!(result.wins[0] >= 16, "{:?}", result.wins);
}

#[test]
fn a_policy_changes_how_long_looking_ahead_takes_and_not_what_it_finds() {
    let game = Breakthrough::new(4, 5);
    let (mut plain, mut guided) = (0, 0);
    let mut chance = Chance::new(4);
    let (mut moves, mut joint) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        let mut state = game.start();
        while game.goals(&state).is_none() {
            let role = game.to_move(&state).iter().next().unwrap();
            let look = |policy: Option<Arc<dyn Policy<Breakthrough>>>| {
                let settings = AlphaBeta { policy, evaluation: Arc::new(Material), ..AlphaBeta::new(4) };
                alphabeta(&game, &state, role, &settings, &mut Chance::new(1), &AtomicBool::new(false)).unwrap()
            };
            let (one, other) = (look(None), look(Some(Arc::new(Oracle(3)))));
            assert_eq!((one.value, one.proved), (other.value, other.proved));
            plain += one.nodes;
            guided += other.nodes;
            game.play_at_random(&mut state, &mut chance, &mut moves, &mut joint);
        }
    }
    assert!(guided < plain, "{guided} of {plain}");
}

/// The moves of a state that minimax finds best.
fn best_moves(game: &TicTacToe, state: &<TicTacToe as Game>::State) -> Vec<u8> {
    let stop = AtomicBool::new(false);
    let role = game.to_move(state).iter().next().unwrap();
    let mut moves = Vec::new();
    game.legal(state, role, &mut moves);
    let worth = |choice: u8| {
        let mut child = state.clone();
        game.play(&mut child, &[choice]);
        let goal = game.goals(&child).map(|goals| f64::from(goals[role.index()].unwrap()));
        let other = Role(1 - role.0);
        goal.unwrap_or_else(|| {
            let reply = alphabeta(game, &child, other, &AlphaBeta::new(9), &mut Chance::new(1), &stop).unwrap();
            100.0 - reply.value.unwrap()
        })
    };
    let worths: Vec<f64> = moves.iter().map(|&choice| worth(choice)).collect();
    let best = worths.iter().copied().fold(0.0, f64::max);
    moves.into_iter().zip(worths).filter(|&(_, worth)| worth == best).map(|(choice, _)| choice).collect()
}

/// With room for some twenty nodes, more playouts still find the right move. A tree that only stops growing gets four wrong,
/// however many playouts it makes.
#[test]
fn a_full_tree_goes_on_learning() {
    let game = TicTacToe::new();
    let states = reachable(&game);
    let mut wrong = [0; 2];
    for state in states.iter().step_by(17) {
        let role = game.to_move(state).iter().next().unwrap();
        let best = best_moves(&game, state);
        for (wrong, playouts) in wrong.iter_mut().zip([20, 2000]) {
            let options = TreeOptions { room: 200, ..TreeOptions::default() };
            let choice = mcts(playouts, options).choose(&game, state, role, &mut Chance::new(7)).unwrap();
            assert!(choice.nodes <= 50, "{choice:?}");
            *wrong += usize::from(!best.contains(&choice.pick));
        }
    }
    assert!(wrong[0] > 5 && wrong[1] == 0, "{wrong:?}");
}

#[test]
fn what_a_full_tree_proves_is_so() {
    fn check<G: Game>(game: &G, depth: u16) -> usize {
        let mut proved = 0;
        for state in reachable(game).iter().step_by(7) {
            for role in game.to_move(state).iter() {
                let options = TreeOptions { room: 60, ..TreeOptions::default() };
                let choice = mcts(1500, options).choose(game, state, role, &mut Chance::new(2)).unwrap();
                if choice.proved {
                    let stop = AtomicBool::new(false);
                    let truth = alphabeta(game, state, role, &AlphaBeta::new(depth), &mut Chance::new(1), &stop);
                    assert_eq!(choice.value, truth.unwrap().value, "{}: {state:?}", game.name());
                    proved += 1;
                }
            }
        }
        proved
    }
    assert!(check(&TicTacToe::new(), 9) > 300);
    check(&ThreeNim::new(), 11);
}

#[test]
fn a_small_tree_is_the_same_each_time_and_follows_the_game() {
    let game = Arc::new(Breakthrough::new(5, 5));
    let run = || {
        let options = TreeOptions { room: 200, ..TreeOptions::default() };
        let mut tree = Tree::with_options(Arc::clone(&game), game.start(), Role(0), options);
        let mut chance = Chance::new(5);
        let mut picks = Vec::new();
        while game.goals(tree.state()).is_none() {
            tree.grow(300, &mut chance, &AtomicBool::new(false));
            let pick = tree.choice(&mut chance).map(|choice| choice.pick).unwrap_or_else(|| {
                let mut moves = Vec::new();
                game.legal(tree.state(), Role(1), &mut moves);
                moves.swap_remove(chance.below(moves.len()))
            });
            picks.push(pick);
            tree.play(&[pick]);
        }
        (picks, game.goals(tree.state()).unwrap()[0])
    };
    let (picks, goal) = run();
    assert_eq!((run().0, goal), (picks, Some(100)));
}

/// Reads one file.
struct OneFile;

impl Knowledge<TicTacToe> for OneFile {
    fn evaluation(&self, file: &str) -> Result<Arc<dyn Evaluation<TicTacToe>>, KnowledgeError> {
        match file {
            "places.txt" => Ok(Arc::new(Places::default())),
            _ => Err(KnowledgeError { file: file.to_owned(), reason: format!("{file}: there is no such file") }),
        }
    }

    fn policy(&self, file: &str) -> Result<Arc<dyn Policy<TicTacToe>>, KnowledgeError> {
        if file == "first.txt" { Ok(Arc::new(Weighs(vec![1.0]))) } else { NoKnowledge.policy(file) }
    }

    fn opponent(
        &self,
        spec: &OpponentSpec,
        evaluation: Arc<dyn Evaluation<TicTacToe>>,
    ) -> Result<Arc<dyn Agent<TicTacToe>>, KnowledgeError> {
        NoKnowledge.opponent(spec, evaluation)
    }

    fn tactics(
        &self,
        file: &str,
        then: Option<Arc<dyn Agent<TicTacToe>>>,
    ) -> Result<Arc<dyn Agent<TicTacToe>>, KnowledgeError> {
        NoKnowledge.tactics(file, then)
    }

    fn clocked(&self, spec: &ClockedSpec) -> Result<Arc<dyn Agent<TicTacToe>>, KnowledgeError> {
        NoKnowledge.clocked(spec)
    }
}

#[test]
fn a_name_brings_knowledge_from_its_file() {
    let game = TicTacToe::new();
    let build = |text: &str| text.parse::<AgentSpec>().unwrap().build(&OneFile);
    for (text, pick) in [
        ("alphabeta:1,eval=places.txt", 4),
        ("mcts:200,eval=places.txt,share=100", 4),
        ("alphabeta:1,policy=first.txt", 0),
        ("mcts:1,policy=first.txt", 0),
    ] {
        let agent = build(text).unwrap();
        assert_eq!((agent.to_string().as_str(), first_choice(&game, &agent, 3).pick), (text, pick));
    }
    for text in ["alphabeta:1,eval=x.txt", "mcts:1,eval=x.txt", "mcts:1,policy=x.txt"] {
        assert!(build(text).err().unwrap().to_string().starts_with("x.txt: "), "{text}");
        let error = text.parse::<AgentSpec>().unwrap().build::<TicTacToe>(&NoKnowledge).err().unwrap();
        assert_eq!(error.file, "x.txt");
    }
    agent::<Breakthrough>("mcts:10,eval=material,share=30,room=50");
}
