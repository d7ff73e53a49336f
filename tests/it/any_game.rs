//! Games that are owned, and facts under numbers.

use crate::play::agent;
use crate::toy_breakthrough::Breakthrough;
use crate::toy_games::{Goofspiel, TicTacToe};
use onlooker::game::{
    AnyGame, CATALOGUE, Chance, FactId, FactSet, Game, GameError, GdlGame, PlayoutEnd, Playouts, Role, Roles, Term,
    Vocabulary, WalkPlan, catalogue_game, divide, perft, perft_from, perft_parallel, write_walks,
};
use onlooker::gdl::{Engine, GroundingLimits, Program};
use onlooker::play::{Agent, MatchPlan, NoKnowledge, Player, PlayerSpec, Session, Tree, play_match};
use onlooker::rules::TooManyTurns;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The rule sheets that we wrote, by name.
fn sheets() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "kif") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            found.push((name, fs::read_to_string(path).unwrap()));
        }
    }
    found.sort();
    assert!(found.len() >= 5);
    found
}

fn sheet(name: &str, text: &str, engine: Engine) -> GdlGame {
    GdlGame::new(name, Program::read(text).unwrap(), engine, &GroundingLimits::default()).unwrap()
}

fn walks<G: Game>(game: &G) -> String {
    let mut out = Vec::new();
    write_walks(game, &WalkPlan { walks: 3, steps: 20, beyond: 0, seed: 1 }, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Everything that can be asked of a game gets the same answers.
fn same<G: Game>(game: &G, any: &AnyGame) {
    assert_eq!((game.name(), game.roles(), game.chance_roles()), (any.name(), any.roles(), any.chance_roles()));
    assert_eq!(walks(game), walks(any));
    assert_eq!((perft(game, 2), game.fact_terms()), (perft(any, 2), any.fact_terms()));
    let parts = |(one, other): (Vec<_>, Vec<_>)| assert_eq!(one, other);
    parts((divide(game, 1).collect(), divide(any, 1).collect()));
    let play = |limit| {
        let mut chance = (Chance::new(3), Chance::new(3));
        let mut typed = Playouts::new(game);
        let mut owned = Playouts::new(Arc::new(any.clone()));
        let (start, any_start) = (game.start(), any.start());
        for _ in 0..3 {
            let (one, other) = (typed.run(&start, limit, &mut chance.0), owned.run(&any_start, limit, &mut chance.1));
            assert_eq!((one, game.facts(typed.state())), (other, any.facts(owned.state())));
            assert_eq!(game.position(typed.state()), any.position(owned.state()));
            assert_eq!(any.state_with(&any.facts(owned.state())).as_ref(), Ok(owned.state()));
        }
    };
    [0, 1, 40].into_iter().for_each(play);
    for name in ["random", "greedy", "alphabeta:1", "mcts:20"] {
        let (start, any_start) = (game.start(), any.start());
        for role in game.to_move(&start).iter() {
            let one = agent(name).choose(game, &start, role, &mut Chance::new(2)).unwrap();
            let other = agent(name).choose(any, &any_start, role, &mut Chance::new(2)).unwrap();
            assert_eq!(game.move_term(&start, role, &one.pick), any.move_term(&any_start, role, &other.pick), "{name}");
            assert_eq!((one.value, one.nodes, one.proved), (other.value, other.nodes, other.proved));
        }
    }
}

#[test]
fn an_owned_game_is_the_same_game() {
    for (name, text) in CATALOGUE {
        same(&catalogue_game(name).unwrap(), &AnyGame::catalogue(name).unwrap());
        assert_eq!(AnyGame::from_rules(text).unwrap().about(), AnyGame::catalogue(name).unwrap().about());
    }
    for (name, text) in sheets() {
        same(&sheet(&name, &text, Engine::Fast), &AnyGame::from_sheet(&name, &text, Engine::Fast).unwrap());
    }
    let text = &sheets()[3].1;
    same(&sheet("plain", text, Engine::Prover), &AnyGame::from_sheet("plain", text, Engine::Prover).unwrap());
    assert!(AnyGame::names().all(|name| AnyGame::catalogue(name).is_some_and(|game| game.name() == name)));
    assert!(AnyGame::catalogue("chess").is_none());
}

#[test]
fn texts_that_are_no_games_are_refused() {
    assert!(matches!(AnyGame::from_rules("hello"), Err(GameError::Rules(_))));
    assert!(matches!(AnyGame::from_sheet("", "(role", Engine::Fast), Err(GameError::Sheet(_))));
    let huge = CATALOGUE[0].1.replace("forward(empty)", "forward((((empty{2,31}){2,31}){2,31}){2,31})");
    assert_ne!(huge, CATALOGUE[0].1);
    assert!(matches!(AnyGame::from_rules(&huge), Err(GameError::Compile(_))));
}

/// Sessions and trees that outlive everything around them.
#[test]
fn sessions_and_trees_can_be_kept() {
    let begin = |name: &str| {
        let game = Arc::new(AnyGame::catalogue(name).unwrap());
        let players = ["person", "random"].map(|name| name.parse::<PlayerSpec>().unwrap().build(&NoKnowledge).unwrap());
        let session = Session::new(Arc::clone(&game), players.to_vec(), 1).unwrap();
        let tree = Tree::new(Arc::clone(&game), game.start(), Role(0));
        (session, tree)
    };
    let mut kept: Vec<(Session<AnyGame>, Tree<AnyGame>)> = ["breakthrough", "racetrack"].map(begin).into();
    let thread = std::thread::spawn(move || {
        for (session, tree) in &mut kept {
            let name = session.legal()[0].0.clone();
            session.choose(&name).unwrap();
            tree.grow(20, &mut Chance::new(1), &AtomicBool::new(false));
            assert!(tree.choice(&mut Chance::new(1)).is_some());
        }
        kept.iter().map(|(session, _)| session.history().len()).sum::<usize>()
    });
    assert!(thread.join().unwrap() >= 2);
}

/// Along random playouts, numbers and terms say the same; the vocabularies in the end.
fn agrees<G: Game>(game: &G, playouts: u64, limit: u64) -> Vocabulary {
    let mut vocabulary = Vocabulary::new(game);
    let numbered = vocabulary.len();
    let mut room = Playouts::new(game);
    for number in 0..playouts {
        let mut chance = Chance::stream(5, number);
        let mut seen = Vec::new();
        let mut watch = |shown: onlooker::game::PlayoutState<'_, G::State>| {
            assert_eq!(shown.ply, seen.len() as u64);
            seen.push((shown.state.clone(), shown.facts.clone(), shown.moved));
        };
        let playout = room.run_watched(&game.start(), limit, &mut chance, &mut vocabulary, &mut watch);
        assert_eq!(seen.len() as u64, playout.plies + 1);
        // The same game as without anybody watching.
        let mut plain = Playouts::new(game);
        assert_eq!(plain.run(&game.start(), limit, &mut Chance::stream(5, number)), playout);
        assert_eq!((&seen.last().unwrap().0, seen[0].2), (plain.state(), Roles::first(0)));
        assert_eq!(playout.goals(), game.goals(plain.state()).as_ref());
        for (at, (state, facts, _)) in seen.iter().enumerate() {
            let terms: BTreeSet<Term> = game.facts(state).into_iter().collect();
            let named: BTreeSet<Term> = facts.iter().map(|id| vocabulary.term(id).clone()).collect();
            assert_eq!(terms, named, "{}", game.name());
            assert_eq!(terms.len(), facts.len());
            assert!(terms.iter().all(|term| facts.contains(vocabulary.id(term).unwrap())));
            if let Some((_, _, moved)) = seen.get(at + 1) {
                assert_eq!(*moved, game.to_move(state));
            }
        }
    }
    for (at, term) in vocabulary.terms().iter().enumerate() {
        assert_eq!(vocabulary.id(term), Some(FactId(at as u32)), "{}: {term} twice", game.name());
    }
    assert_eq!(vocabulary.terms()[..numbered], game.fact_terms());
    vocabulary
}

#[test]
fn numbers_and_terms_of_facts_agree() {
    for (name, _) in CATALOGUE {
        let game = catalogue_game(name).unwrap();
        let vocabulary = agrees(&game, 3, 60);
        // All facts of a board game are known before it is played.
        assert_eq!(vocabulary.len(), game.fact_terms().len(), "{name}");
        assert_eq!(vocabulary, agrees(&catalogue_game(name).unwrap(), 3, 60), "{name}");
        agrees(&AnyGame::from(game), 1, 20);
    }
    for (name, text) in sheets() {
        let fast = sheet(&name, &text, Engine::Fast);
        let vocabulary = agrees(&fast, 3, 40);
        assert_eq!(vocabulary.len(), fast.fact_terms().len(), "{name}");
        assert_eq!(vocabulary, agrees(&sheet(&name, &text, Engine::Fast), 3, 40), "{name}");
        let plain = sheet(&name, &text, Engine::Prover);
        assert_eq!(plain.fact_terms(), []);
        let grown = agrees(&plain, 2, 15);
        assert!(!grown.is_empty());
        assert_eq!(grown, agrees(&sheet(&name, &text, Engine::Prover), 2, 15), "{name}");
    }
    agrees(&TicTacToe::new(), 5, 9);
    agrees(&Goofspiel::new(4), 5, 9);
    agrees(&Breakthrough::new(4, 5), 3, 50);
}

#[test]
fn facts_without_numbers_are_left_out_and_counted() {
    let game = TicTacToe::new();
    let mut vocabulary = Vocabulary::new(&game);
    let mut facts = FactSet::default();
    assert_eq!(vocabulary.read(&game, &game.start(), &mut facts), 10);
    assert!(facts.is_empty() && vocabulary.is_empty());
    vocabulary.learn(&game, &game.start(), &mut facts);
    let mut next = game.start();
    game.play(&mut next, &[4]);
    // A marked cell and the other's turn are new.
    assert_eq!((vocabulary.read(&game, &next, &mut facts), facts.len()), (2, 8));
}

/// A turn that is counted beyond all endings is a fact as well.
#[test]
fn turns_beyond_those_with_numbers_are_facts() {
    let game = catalogue_game("checkers").unwrap();
    let start = game.start();
    let late = game.state(&game.board(&start), game.turn(&start), 123_456).unwrap();
    let mut vocabulary = Vocabulary::new(&game);
    let (numbered, mut facts) = (vocabulary.len(), FactSet::default());
    vocabulary.learn(&game, &late, &mut facts);
    assert_eq!(vocabulary.len(), numbered + 1);
    assert_eq!(vocabulary.terms().last().unwrap().to_string(), "(plies 123456)");
    let named: BTreeSet<Term> = facts.iter().map(|id| vocabulary.term(id).clone()).collect();
    assert_eq!(named, game.facts(&late).into_iter().collect());
}

/// Ten roles with ten moves each: ten thousand million joint moves, which no list could hold.
#[test]
fn joint_moves_of_many_roles_are_counted_without_listing_them() {
    let mut text = String::from("(init start) (<= (next on) (true start)) (<= terminal (true on))\n");
    for role in 0..10 {
        text.push_str(&format!("(role r{role}) (goal r{role} 50)\n"));
        (0..10).for_each(|choice| text.push_str(&format!("(legal r{role} (pick {choice}))")));
    }
    for engine in [Engine::Fast, Engine::Prover] {
        let game = sheet("ten", &text, engine);
        assert_eq!(perft(&game, 1), Ok(vec![10_000_000_000]));
        assert_eq!(perft_parallel(&game, 1), Ok(vec![10_000_000_000]));
        let parts: Vec<_> = divide(&game, 2).take(3).map(|part| part.unwrap().leaves).collect();
        assert_eq!(parts, [0, 0, 0]);
        let last = divide(&game, 1).nth(11).unwrap().unwrap().names;
        assert_eq!((last[8].as_str(), last[9].as_str()), ("(pick 1)", "(pick 1)"));
    }
}

#[test]
fn a_state_that_is_too_large_is_not_over_and_has_no_moves() {
    // The second state has more things than can be looked at: all numbers of 30 bits.
    let bits: String = (0..30).map(|bit| format!(" (bit ?b{bit})")).collect();
    let text = format!(
        "(role r) (init start) (legal r go) (legal r stay) (bit 0) (bit 1) (goal r 0)
         (<= (next wide) (does r go)) (<= (next start) (does r stay))
         (<= (next (count ?x)) (does r go) (all ?x)) (<= (all ?b0) {bits} (distinct ?b0 2) (true wide))
         (<= terminal (all 0) (all 1) (true never)) (<= (legal r (say ?b0)) {bits} (true wide) (distinct ?b29 ?b28) (distinct ?b0 ?b1))"
    );
    let game = sheet("wide", &text, Engine::Prover);
    let mut state = game.start();
    let mut moves = Vec::new();
    game.legal(&state, Role(0), &mut moves);
    let go = moves.iter().find(|choice| game.move_term(&state, Role(0), choice).to_string() == "go").unwrap().clone();
    game.play(&mut state, &[go]);
    let reason = game.truncation(&state).expect("too large");
    assert_eq!((game.goals(&state), game.count(&state)), (None, 0));
    game.legal(&state, Role(0), &mut moves);
    assert!(moves.is_empty());
    let playout = Playouts::new(&game).run(&state, 5, &mut Chance::new(1));
    assert_eq!(playout.end, PlayoutEnd::Truncated(reason));
    for name in ["random", "mcts:10"] {
        assert_eq!(agent(name).choose(&game, &state, Role(0), &mut Chance::new(1)), None, "{name}");
    }
    assert_eq!(perft_from(&game, &state, 2), Err(reason));
    // The start is as it was.
    assert_eq!((game.truncation(&game.start()), game.count(&game.start())), (None, 2));
}

/// Who looks ahead says what was in the way, and goes on.
#[test]
fn searches_report_states_beyond_the_limits() {
    let text = "game g\nplayers white black\nboard\n  .....\n  ..k..\n  .....\n  .....\n  .P.P.\nmoves\n  P  forward(empty)\nmoves of black\n  \
                k  any(empty)+\nending\n  win when the next player cannot move\n";
    let game = AnyGame::from_rules(text).unwrap();
    assert_eq!(game.count(&game.start()), 2);
    for (name, looks) in
        [("random", false), ("greedy", false), ("alphabeta:1", false), ("alphabeta:2", true), ("mcts:50", true)]
    {
        let choice = agent(name).choose(&game, &game.start(), Role(0), &mut Chance::new(1)).unwrap();
        assert_eq!((choice.truncated, choice.proved), (looks.then_some(TooManyTurns.into()), false), "{name}");
    }
    let plan = MatchPlan { games: 100, seed: 1, plies: 10 };
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let agents = ["random", "greedy"].map(agent::<AnyGame>);
        let play = || play_match(&game, &agents, &plan, &AtomicBool::new(false), &|_, _| {}).unwrap();
        let result = pool.install(play);
        assert_eq!((result.games, result.truncated, result.stopped), (1, Some(TooManyTurns.into()), false));
    }
    let mut session = Session::new(&game, vec![Player::Person, Player::Person], 1).unwrap();
    assert_eq!(session.truncation(), None);
    session.choose("1").unwrap();
    assert_eq!((session.truncation(), session.goals(), session.advance()), (Some(TooManyTurns.into()), None, false));
}
