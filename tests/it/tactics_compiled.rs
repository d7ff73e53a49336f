//! Compiled tactics are the plain ones: states as bits play as sets of features do, and a discrimination tree finds the matches that
//! symbolic matching finds, for rules made at random.

use onlooker::game::Chance;
use onlooker::tactics::{
    Argument, Checker, Description, Effort, FIGURE_4_3, Fact, GroundSystem, Library, Literal, Name, Recogniser,
    RecognitionRule, State, Status, UpdateSystem, Variable, check_known, explain_win, in_line_system,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// A system in which one move sets off others: rules fire in several rounds.
const ROUNDS: &str = "system rounds
players x o
board 3 x 3
step next 1 0
feature is-empty(square)
feature taken(square,player)
feature lit(square)
one-of is-empty taken
start is-empty(<s>)
rule occupy
  if input-move(<s>,<p>) is-empty(<s>)
  delete input-move(<s>,<p>) is-empty(<s>)
  add taken(<s>,<p>)
rule light
  if taken(<s>,<p>) next(<s>,<t>) taken(<t>,<p>)
  add lit(<s>)
rule win
  if lit(<s>) next(<s>,<t>) lit(<t>) taken(<s>,<p>)
  add won(<p>)
";

fn systems() -> Vec<UpdateSystem> {
    let line = |width, height, length, falling| in_line_system("lines", ["x", "o"], width, height, length, falling);
    let texts = [
        line(3, 3, 3, false),
        line(4, 4, 3, true),
        line(5, 4, 4, false),
        line(7, 6, 4, true),
        line(15, 15, 5, false),
        FIGURE_4_3.to_owned(),
        ROUNDS.to_owned(),
    ];
    texts.iter().map(|text| UpdateSystem::parse(text).unwrap()).collect()
}

#[test]
fn grounded_systems_play_as_plain_ones() {
    let mut all = 0;
    for system in systems() {
        let ground = GroundSystem::new(&system).unwrap();
        let recogniser = Recogniser::new(&system, &Library::default()).unwrap();
        let mut wins = 0;
        let games = if system.board == Some((15, 15)) { 1 } else { 12 };
        for game in 0..games {
            let mut chance = Chance::stream(5, game);
            let mut plain = system.start_state();
            let mut state = ground.state(&plain);
            for ply in 0..60 {
                for (at, &player) in system.players.iter().enumerate() {
                    let squares: Vec<Name> =
                        ground.legal(&mut state, at).into_iter().map(|id| ground.square(id)).collect();
                    assert_eq!(squares, plain.legal(&system, player));
                    let winning: BTreeSet<Name> =
                        recogniser.wins_at_once(&mut state, at).iter().map(|&id| ground.square(id)).collect();
                    assert_eq!(winning, plain.winning_moves(&system, player).into_iter().collect());
                    wins += winning.len();
                }
                let player = system.players[ply % 2];
                let legal = plain.legal(&system, player);
                if legal.is_empty() {
                    break;
                }
                let square = legal[chance.below(legal.len())];
                let before = state.clone();
                let undo = ground.play(&mut state, ground.move_id(square, player).unwrap()).unwrap();
                plain = plain.play(&system, square, player).unwrap().0;
                assert_eq!(state, ground.state(&plain));
                let mut back = state.clone();
                back.undo(&undo);
                assert_eq!(back, before);
                assert_eq!(ground.winner(&state).map(|at| system.players[at]), plain.winner(&system));
            }
        }
        all += wins;
    }
    assert!(all > 100, "{all}");
}

/// A rule about some features of a state, with variables for most of its objects.
fn made_up(system: &UpdateSystem, state: &State, chance: &mut Chance) -> Option<RecognitionRule> {
    let facts: Vec<&Fact> = state.facts.iter().collect();
    let count = 1 + chance.below(3);
    let chosen: BTreeSet<&Fact> = (0..count).map(|_| facts[chance.below(facts.len())]).collect();
    let mut variables: BTreeMap<Name, Variable> = BTreeMap::new();
    let player = Variable(0);
    variables.insert(system.players[0], player);
    for &name in chosen.iter().flat_map(|fact| &fact.arguments) {
        let next = Variable(variables.len() as u32);
        if name != system.players[1] && chance.below(8) > 0 {
            variables.entry(name).or_insert(next);
        }
    }
    let squares = system.objects_at(system.input_move, 0);
    let square = squares[chance.below(squares.len())];
    let next = Variable(variables.len() as u32);
    variables.entry(square).or_insert(next);
    let lift = |fact: &Fact| Literal {
        predicate: fact.predicate,
        arguments: fact
            .arguments
            .iter()
            .map(|name| variables.get(name).map_or(Argument::Object(*name), |&variable| Argument::Variable(variable)))
            .collect(),
    };
    let tied = |fact: &&Fact| fact.arguments.iter().all(|name| variables.contains_key(name));
    let mut literals: Vec<Literal> = chosen.iter().map(|fact| lift(fact)).collect();
    literals.extend(system.statics.iter().filter(tied).map(lift));
    let bound = literals.iter().flat_map(Literal::variables).any(|variable| variable == variables[&square]);
    let unequal = match chance.below(3) {
        0 => vec![(Argument::Variable(Variable(1)), Argument::Variable(variables[&square]))],
        _ => Vec::new(),
    };
    let unequal: Vec<_> = unequal.into_iter().filter(|(a, b)| a != b).collect();
    bound.then(|| RecognitionRule {
        name: String::new(),
        condition: Description { literals, unequal },
        square: Argument::Variable(variables[&square]),
        player: Argument::Variable(player),
        event: None,
        depth: 1 + chance.below(3) as u32,
        proof: None,
        status: Status::Proved,
        variables: Vec::new(),
        learnt: String::new(),
    })
}

/// Whether a rule matches in few ways.
fn is_special(system: &UpdateSystem, state: &State, rule: &RecognitionRule) -> bool {
    let library = Library { rules: vec![rule.clone()] };
    let mut count = 0;
    library.each_match(system, state, system.players[0], 0, &mut |_| {
        count += 1;
        if count > 2000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    count <= 2000
}

#[test]
fn compiled_matching_is_symbolic_matching() {
    let mut compared = 0;
    for (number, system) in systems().into_iter().enumerate() {
        let large = system.board == Some((15, 15));
        let mut chance = Chance::stream(9, number as u64);
        let ground = GroundSystem::new(&system).unwrap();
        let mut states = Vec::new();
        for _ in 0..if large { 2 } else { 8 } {
            let mut state = system.start_state();
            for ply in 0..if large { 40 } else { 12 } {
                let player = system.players[ply % 2];
                let legal = state.legal(&system, player);
                if legal.is_empty() {
                    break;
                }
                state = state.play(&system, legal[chance.below(legal.len())], player).unwrap().0;
                states.push(state.clone());
            }
        }
        let mut library = Library::default();
        while library.rules.len() < 40 {
            let state = &states[chance.below(states.len())];
            library.rules.extend(made_up(&system, state, &mut chance).filter(|rule| is_special(&system, state, rule)));
        }
        let recogniser = Recogniser::new(&system, &library).unwrap();
        for state in states.iter().step_by(if large { 20 } else { 3 }) {
            let bits = ground.state(state);
            for (at, &player) in system.players.iter().enumerate() {
                let mut compiled: Vec<(usize, Name, Vec<Option<Name>>)> = Vec::new();
                let values = |threat: &onlooker::tactics::Threat| {
                    let variables = library.rules[threat.rule].condition.variables();
                    variables.iter().map(|&variable| threat.bindings.get(variable)).collect::<Vec<_>>()
                };
                recogniser.each_match(&bits, at, &mut |threat| {
                    compiled.push((threat.rule, threat.square, values(&threat)));
                });
                let mut plain = Vec::new();
                for rule in 0..library.rules.len() {
                    library.each_match(&system, state, player, rule, &mut |threat| {
                        plain.push((threat.rule, threat.square, values(&threat)));
                        ControlFlow::Continue(())
                    });
                }
                compiled.sort();
                plain.sort();
                compared += plain.len();
                assert_eq!(compiled, plain, "{}", system.name);
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}

/// Compares the matches of rules made at random in so many positions of random play, both players; how many matches there were.
fn compare(positions: u64) -> u64 {
    let mut compared = 0;
    let systems: Vec<UpdateSystem> = systems().into_iter().filter(|system| system.board != Some((15, 15))).collect();
    let each = positions.div_ceil(systems.len() as u64);
    for (number, system) in systems.iter().enumerate() {
        let (mut seen, mut game) = (0, 0);
        let mut library = Library::default();
        let mut recogniser = Recogniser::new(system, &library).unwrap();
        while seen < each {
            let mut chance = Chance::stream(17 + number as u64, game);
            let mut state = system.start_state();
            for ply in 0.. {
                let player = system.players[ply % 2];
                let legal = state.legal(system, player);
                if legal.is_empty() || seen == each {
                    break;
                }
                state = state.play(system, legal[chance.below(legal.len())], player).unwrap().0;
                seen += 1;
                let bits = recogniser.ground.state(&state);
                for (at, &player) in system.players.iter().enumerate() {
                    let mut matches: BTreeMap<(usize, Name), i64> = BTreeMap::new();
                    recogniser.each_match(&bits, at, &mut |threat| {
                        *matches.entry((threat.rule, threat.square)).or_default() += 1;
                        compared += 1;
                    });
                    for rule in 0..library.rules.len() {
                        library.each_match(system, &state, player, rule, &mut |threat| {
                            *matches.entry((threat.rule, threat.square)).or_default() -= 1;
                            ControlFlow::Continue(())
                        });
                    }
                    assert!(matches.values().all(|&count| count == 0), "{}: {matches:?}", system.name);
                }
            }
            // Other rules now and then, made from the last position.
            if game % 50 == 0 {
                library = Library::default();
                for _ in 0..200 {
                    let rule = made_up(system, &state, &mut chance).filter(|rule| is_special(system, &state, rule));
                    library.rules.extend(rule.filter(|_| library.rules.len() < 6));
                }
                recogniser = recogniser.with(&library).unwrap();
            }
            game += 1;
        }
    }
    compared
}

#[test]
fn compiled_matching_is_symbolic_matching_in_random_positions() {
    assert!(compare(2_000) > 2_000);
}

/// `cargo test --release --test it a_million_random_positions -- --ignored --nocapture`
#[test]
#[ignore = "takes many minutes"]
fn compiled_matching_is_symbolic_matching_in_a_million_random_positions() {
    println!("{} matches", compare(1_000_000));
}

#[test]
fn both_checkers_accept_the_same_proofs() {
    let effort = Effort { extra: 1, states: 2000 };
    let (mut accepted, mut refused) = (0, 0);
    for (number, system) in systems().into_iter().enumerate().filter(|(_, system)| system.board != Some((15, 15))) {
        let checker = Checker::new(&system);
        let recogniser = Recogniser::new(&system, &Library::default()).unwrap();
        let mut chance = Chance::stream(13, number as u64);
        for _ in 0..30 {
            let mut state = system.start_state();
            for ply in 0..20 {
                let player = system.players[ply % 2];
                let legal = state.legal(&system, player);
                if legal.is_empty() {
                    break;
                }
                let square = legal[chance.below(legal.len())];
                let id = recogniser.ground.move_id(square, player).unwrap();
                let mut bits = recogniser.ground.state(&state);
                if let Some(proof) = explain_win(&recogniser, &Library::default(), &mut bits, id, effort) {
                    assert!(recogniser.holds(&mut bits, ply % 2, &proof), "{proof:?}");
                    for _ in 0..12 {
                        let keep = 1 + chance.below(12);
                        let known: BTreeSet<Fact> =
                            state.facts.iter().filter(|_| chance.below(12) < keep).cloned().collect();
                        let plain = check_known(&system, &known, player, &proof);
                        let fast = checker.check_known(&known, player, &proof);
                        assert_eq!(plain.is_ok(), fast.is_ok(), "{}: {plain:?} {fast:?} {known:?}", system.name);
                        if plain.is_ok() { accepted += 1 } else { refused += 1 }
                    }
                }
                state = state.play(&system, square, player).unwrap().0;
            }
        }
    }
    assert!(accepted > 200 && refused > 200, "{accepted} {refused}");
}
