//! Tactics: the paper's worked example, and rules that are sound in every state.

use onlooker::game::Chance;
use onlooker::tactics::{
    Added, Argument, Description, FIGURE_4_3, Foresight, LearnOptions, LessonError, Library, MoveId, Mover, Name,
    Proof, Recogniser, RecognitionRule, RuleFile, State, Status, Unbeatable, UpdateSystem, check_adequacy, check_rule,
    decide, in_line_system, learn_from_game, losing_line,
};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

fn name(system: &UpdateSystem, text: &str) -> Name {
    system.names.find(text).unwrap_or_else(|| panic!("{text}"))
}

fn game(system: &UpdateSystem, first: usize, squares: &[&str]) -> Vec<(Name, Name)> {
    let player = |at: usize| system.players[(at + first) % 2];
    squares.iter().enumerate().map(|(at, square)| (player(at), name(system, square))).collect()
}

/// A description as text, with variables by their names in the paper.
fn rule_of(system: &mut UpdateSystem, text: &str, square: &str) -> RecognitionRule {
    let mut variables: Vec<String> = Vec::new();
    let mut argument = |system: &mut UpdateSystem, word: &str| match word.strip_prefix('<') {
        Some(variable) => {
            let at = variables.iter().position(|known| known == variable).unwrap_or_else(|| {
                variables.push(variable.to_owned());
                variables.len() - 1
            });
            Argument::Variable(onlooker::tactics::Variable(at as u32))
        }
        None => Argument::Object(system.names.intern(word)),
    };
    let mut condition = Description::default();
    for literal in text.split_whitespace() {
        let (predicate, arguments) = literal.trim_end_matches(')').split_once('(').unwrap();
        let predicate = system.names.intern(predicate);
        let arguments = arguments.split(',').map(|word| argument(system, word.trim_end_matches('>'))).collect();
        condition.add(onlooker::tactics::Literal { predicate, arguments });
    }
    let square = argument(system, square.trim_end_matches('>'));
    let player = argument(system, "<player");
    RecognitionRule {
        name: String::new(),
        condition,
        square,
        player,
        event: None,
        depth: 0,
        proof: None,
        status: Status::Unproved,
        variables: Vec::new(),
        learnt: String::new(),
    }
}

fn assert_equivalent(system: &UpdateSystem, found: &RecognitionRule, expected: &RecognitionRule) {
    let mut found = found.clone();
    (found.depth, found.status) = (0, Status::Unproved);
    assert!(found.is_equivalent(expected, system), "{found:?}\n{expected:?}");
    assert_eq!(found.condition.literals.len(), expected.condition.literals.len());
    assert_eq!(found.condition.unequal, expected.condition.unequal);
}

#[test]
fn the_worked_example_gives_recog_four_and_recog_open3() {
    let mut system = UpdateSystem::parse(FIGURE_4_3).unwrap();
    let four = rule_of(
        &mut system,
        "four-in-row(<4position>,<player>) is-empty(<squareA>) extends(<4position>,<squareA>)",
        "<squareA>",
    );
    let open3 = rule_of(
        &mut system,
        "three-in-row(<3position>,<player>) is-empty(<squareC>) extends(<3position>,<squareC>) \
         composes(<4position>,<squareC>,<3position>) is-empty(<squareA>) is-empty(<squareB>) extends(<4position>,<squareA>) \
         extends(<4position>,<squareB>)",
        "<squareC>",
    );
    let g12 = rule_of(
        &mut system,
        "four-in-row(<4position>,<player>) is-empty(<squareA>) is-empty(<squareB>) extends(<4position>,<squareA>) \
         extends(<4position>,<squareB>)",
        "<squareA>",
    );
    // State 11 of Figure 4-1: an open three of x on c2 to e2.
    let state: State = system.start_state();
    let options = LearnOptions::default();
    let mut library = Library::default();
    // Recog-four has to be known before: from a lost game of one move.
    let mut threat = state.clone();
    threat = threat.play(&system, name(&system, "f2"), system.players[0]).unwrap().0;
    let lesson = learn_from_game(&system, &mut library, &threat, &game(&system, 0, &["g2"]), "one", &options).unwrap();
    assert_eq!((lesson.steps.len(), lesson.learnt(), library.rules.len()), (1, 1, 1));
    assert_equivalent(&system, &library.rules[0], &four);
    assert_eq!(library.rules[0].status, Status::Proved);

    let moves = game(&system, 0, &["f2", "b2", "g2"]);
    let lesson = learn_from_game(&system, &mut library, &state, &moves, "two", &options).unwrap();
    let turns: Vec<(usize, Mover)> = lesson.steps.iter().map(|step| (step.turn, step.mover)).collect();
    assert_eq!(turns, [(3, Mover::Winner), (2, Mover::Loser), (1, Mover::Winner)]);
    // G13 is Recog-four again, and is discarded.
    let (rule, added) = lesson.steps[0].rule.clone().unwrap();
    assert_equivalent(&system, &rule, &four);
    assert_eq!(added, Added::Known);
    // G12 is the fork.
    let fork = lesson.steps[1].goal.clone().unwrap();
    let fork = RecognitionRule { condition: fork.description, ..g12.clone() };
    let fork_as = |square: Argument| RecognitionRule { square, player: g12.player, ..fork.clone() };
    let squares: Vec<Argument> = fork.condition.literals.iter().flat_map(|literal| literal.arguments.clone()).collect();
    let players = squares.clone();
    let same = squares.iter().any(|&square| {
        players.iter().any(|&player| {
            let candidate = RecognitionRule { player, ..fork_as(square) };
            candidate.is_equivalent(&g12, &system)
        })
    });
    assert!(same, "{fork:?}");
    assert_eq!(fork.condition.literals.len(), 5);
    assert!(lesson.steps[1].reason.is_some());
    // G11 is Recog-open3, without any not-equals.
    let (rule, added) = lesson.steps[2].rule.clone().unwrap();
    assert_equivalent(&system, &rule, &open3);
    assert_eq!(added, Added::New { replaced: 0 });
    assert_eq!((rule.status, rule.depth), (Status::Proved, 2));
    assert!(check_rule(&system, &rule, 1_000_000).unwrap().instances > 0);
    assert_eq!(library.rules.len(), 2);
}

fn in_line(width: usize, height: usize, length: usize, falling: bool) -> UpdateSystem {
    UpdateSystem::parse(&in_line_system("lines", ["x", "o"], width, height, length, falling)).unwrap()
}

type Values = HashMap<State, i32>;

/// What a state is worth for the player to move: 1, 0 or -1, by looking at all of the game.
fn value(system: &UpdateSystem, values: &mut Values, state: &State, ply: usize) -> i32 {
    if let Some(&value) = values.get(state) {
        return value;
    }
    let player = system.players[ply % 2];
    let moves = state.legal(system, player);
    let next = |square: &Name| state.play(system, *square, player).unwrap().0;
    let value = match state.winner(system) {
        Some(_) => -1,
        None => moves.iter().map(|square| -value(system, values, &next(square), ply + 1)).max().unwrap_or(0),
    };
    values.insert(state.clone(), value);
    value
}

/// All proved rules in all states of which the value is known: how often they match, and where they are wrong.
fn unsound(system: &UpdateSystem, library: &Library, values: &mut Values) -> (usize, Vec<String>) {
    let taken = system.names.find("taken").unwrap();
    let (mut matched, mut wrong) = (0, Vec::new());
    let states: Vec<State> = values.keys().filter(|state| state.winner(system).is_none()).cloned().collect();
    for state in states {
        let ply = state.facts.iter().filter(|fact| fact.predicate == taken).count();
        let player = system.players[ply % 2];
        for (number, rule) in library.rules.iter().enumerate().filter(|(_, rule)| rule.status == Status::Proved) {
            library.each_match(system, &state, player, number, &mut |threat| {
                matched += 1;
                let wins = state.play(system, threat.square, player).is_some_and(|(after, _)| {
                    let excused = !after.winning_moves(system, system.other(player)).is_empty();
                    rule.depth > 1 && excused || value(system, values, &after, ply + 1) == -1
                });
                if !wins {
                    wrong.push(format!("{} in {state:?}", rule.name));
                }
                ControlFlow::Continue(())
            });
        }
    }
    (matched, wrong)
}

/// Plays until the learner has lost so often, or has become unbeatable.
fn train(
    system: &UpdateSystem,
    values: &mut Values,
    seed: u64,
    foresight: Foresight,
    losses: u64,
) -> (Library, u64, bool) {
    let mut chance = Chance::new(seed);
    let mut library = Library::default();
    let mut recogniser = Recogniser::new(system, &library).unwrap();
    let mut lost = 0;
    for number in 0..3000 {
        let (mut state, mut moves) = (system.start_state(), Vec::new());
        for ply in 0.. {
            let player = system.players[ply % 2];
            let mut legal = state.legal(system, player);
            if legal.is_empty() {
                break;
            }
            if ply % 2 == number % 2 {
                let ground = &recogniser.ground;
                let moves: Vec<MoveId> = legal.iter().map(|&square| ground.move_id(square, player).unwrap()).collect();
                let stop = AtomicBool::new(false);
                let decision = decide(&recogniser, &mut ground.state(&state), &moves, foresight, &stop);
                legal = decision.moves.iter().map(|&id| ground.square(id)).collect();
            } else {
                // The perfect teacher.
                let worth: Vec<i32> = legal
                    .iter()
                    .map(|&square| -value(system, values, &state.play(system, square, player).unwrap().0, ply + 1))
                    .collect();
                let best = *worth.iter().max().unwrap();
                let mut at = 0;
                legal.retain(|_| {
                    at += 1;
                    worth[at - 1] == best
                });
            }
            let square = legal[chance.below(legal.len())];
            moves.push((player, square));
            state = state.play(system, square, player).unwrap().0;
        }
        if state.winner(system).is_some_and(|winner| winner != system.players[number % 2]) {
            lost += 1;
            let start = system.start_state();
            learn_from_game(system, &mut library, &start, &moves, "game", &LearnOptions::default()).unwrap();
            recogniser = Recogniser::new(system, &library).unwrap();
            let unbeatable = losing_line(&recogniser, foresight, 100_000) == Unbeatable::Yes;
            if unbeatable || lost == losses {
                return (library, lost, unbeatable);
            }
        }
    }
    (library, lost, false)
}

#[test]
fn tic_tac_toe_is_not_lost_after_a_few_losses_and_no_rule_is_unsound() {
    let system = in_line(3, 3, 3, false);
    let mut values = Values::new();
    assert_eq!(value(&system, &mut values, &system.start_state(), 0), 0);
    assert_eq!(values.keys().filter(|state| state.winner(&system).is_none() && !full(&system, state)).count(), 4520);
    for seed in 0..2 {
        let (library, losses, unbeatable) = train(&system, &mut values, seed, Foresight::default(), 10);
        assert!(unbeatable && losses <= 10 && library.rules.len() <= 12, "seed {seed}: {losses} losses");
        let (matched, wrong) = unsound(&system, &library, &mut values);
        assert!(matched > 1000 && wrong.is_empty(), "{matched}: {wrong:?}");
        let file = RuleFile { library, ..RuleFile::new("tic-tac-toe", system.clone()) };
        let read = RuleFile::parse(&file.to_string()).unwrap();
        assert_eq!(read.to_string(), file.to_string());
        for rule in read.library.rules.iter().filter(|rule| rule.status == Status::Proved) {
            check_rule(&read.system, rule, 1_000_000).unwrap();
        }
    }
    // Without looking ahead for threats rules of depth 3 have to be learnt: those are where the paper's are unsound.
    let (library, _, _) = train(&system, &mut values, 7, Foresight { threats: 0, attacks: 0, nodes: 1000 }, 8);
    let (matched, wrong) = unsound(&system, &library, &mut values);
    assert!(matched > 1000 && wrong.is_empty(), "{matched}: {wrong:?}");
    assert!(library.rules.iter().any(|rule| rule.depth >= 3 && rule.status == Status::Proved));
}

fn full(system: &UpdateSystem, state: &State) -> bool {
    state.legal(system, system.players[0]).is_empty()
}

#[test]
fn rules_of_falling_stones_are_sound() {
    let system = in_line(3, 3, 3, true);
    assert!(check_adequacy(&system, 20, 1).unwrap().wins > 0);
    let mut values = Values::new();
    value(&system, &mut values, &system.start_state(), 0);
    let (library, losses, _) = train(&system, &mut values, 3, Foresight { threats: 1, attacks: 0, nodes: 1000 }, 2);
    assert!(losses > 0 && library.rules.iter().any(|rule| rule.depth > 1 && rule.status == Status::Proved));
    let (matched, wrong) = unsound(&system, &library, &mut values);
    assert!(matched > 10 && wrong.is_empty(), "{matched}: {wrong:?}");
}

#[test]
fn a_larger_board_teaches_forks_that_are_proved_for_all_of_it() {
    let system = in_line(5, 5, 4, false);
    let mut library = Library::default();
    // x makes three in a row with both ends open.
    let moves = game(&system, 0, &["c3", "a1", "d3", "e5", "b3", "a3", "e3"]);
    learn_from_game(&system, &mut library, &system.start_state(), &moves, "game", &LearnOptions::default()).unwrap();
    let depths: Vec<(u32, Status)> = library.rules.iter().map(|rule| (rule.depth, rule.status)).collect();
    assert!(depths.contains(&(1, Status::Proved)) && depths.contains(&(2, Status::Proved)), "{depths:?}");
    // The same combination is recognised in a column, for the other player.
    let mut state = system.start_state();
    for (player, square) in game(&system, 0, &["a1", "e3", "b1", "e4"]) {
        state = state.play(&system, square, player).unwrap().0;
    }
    let found = library.winning(&system, &state, system.players[1]).expect("an open two");
    assert_eq!(found.depth, 2);
    assert_eq!(system.names.text(found.square), "e2");
}

#[test]
fn the_checker_refuses_what_does_not_hold() {
    let system = UpdateSystem::parse(FIGURE_4_3).unwrap();
    let mut library = Library::default();
    let start = system.start_state();
    let moves = game(&system, 0, &["f2", "b2", "g2"]);
    learn_from_game(&system, &mut library, &start, &moves, "one", &LearnOptions::default()).unwrap();
    let rule = library.rules.iter().find(|rule| rule.depth == 2 && rule.status == Status::Proved).unwrap().clone();
    assert!(check_rule(&system, &rule, 1_000_000).is_ok());
    // Without any one of its features it does not.
    let is_feature = |at: &usize| !system.is_static(rule.condition.literals[*at].predicate);
    for at in (0..rule.condition.literals.len()).filter(is_feature) {
        let mut less = rule.clone();
        let gone = less.condition.literals.remove(at);
        assert!(check_rule(&system, &less, 1_000_000).is_err(), "{gone:?} is not needed");
    }
    let Some(Proof::Play { square, replies, otherwise }) = rule.proof.clone() else { panic!("depth 2") };
    let bad = [
        None,
        Some(Proof::Win(square)),
        Some(Proof::Play { square, replies: Vec::new(), otherwise: otherwise.clone() }),
        Some(Proof::Play { square, replies, otherwise: None }),
    ];
    for proof in bad {
        let changed = RecognitionRule { proof, ..rule.clone() };
        assert!(check_rule(&system, &changed, 1_000_000).is_err(), "{:?}", changed.proof);
    }
    assert!(check_rule(&system, &rule, 3).is_err(), "the limit counts");
}

#[test]
fn what_is_no_lost_game_is_refused() {
    let system = in_line(3, 3, 3, false);
    let learn = |squares: &[&str]| {
        let moves = game(&system, 0, squares);
        let start = system.start_state();
        learn_from_game(&system, &mut Library::default(), &start, &moves, "game", &LearnOptions::default())
    };
    assert_eq!(learn(&["a1", "b2"]), Err(LessonError::NotLost { moves: 2 }));
    assert!(matches!(learn(&["a1", "a1"]), Err(LessonError::Illegal { number: 2, .. })));
    assert!(matches!(learn(&["a1", "a2", "b1", "b2", "c1", "c2"]), Err(LessonError::Over { number: 6, .. })));
    assert_eq!(learn(&["a1", "a2", "b1", "b2", "c1"]).unwrap().steps[0].turn, 5);
}

#[test]
fn wrong_systems_are_refused_with_the_place() {
    let good = in_line_system("t", ["x", "o"], 3, 3, 3, false);
    assert!(check_adequacy(&UpdateSystem::parse(&good).unwrap(), 5, 1).is_ok());
    for (old, new, at, says) in [
        ("system t", "sistem t", "sistem", "expected 'system'"),
        ("players x o", "players x x", "x\n", "again"),
        ("board 3 x 3", "board 3 x 99", "99", "a number from 1 to 26"),
        ("windows 3", "windows many", "many", "a number from 2 to 26"),
        ("feature dead(window)", "feature dead(place)", "dead(place)", "expected a type"),
        ("add    dead(<w>)", "add    deed(<w>)", "deed(<w>)", "expected a feature or static relation"),
        ("add    dead(<w>)", "add    dead(<z>)", "dead(<z>)", "does not bind"),
        ("add    dead(<w>)", "add    dead(<w>,<p>)", "dead(<w>,<p>)", "found 2 arguments, expected 1"),
        ("add    dead(<w>)", "add    in(<w>,<s>)", "in(<w>,<s>)\n\nrule win", "never changes"),
        ("delete free(<w>)", "delete dead(<w>)", "dead(<w>)", "stands in the rule's 'if'"),
        ("add    won(<p>)", "add    won(<p>", "rule", "',' or ')'"),
        ("rule win", "rule grow", "grow\n  if     input-move(<s>,<p>) in(<w>,<s>) count(<w>,<p>,2)", "again"),
        ("start\n", "start <s>\n", "<s>\n", "expected a section"),
        ("one-of is-empty taken", "one-of is-empty gone", "is-e", "expected declared features"),
    ] {
        assert!(good.contains(old), "{old}");
        let text = good.replace(old, new);
        let error = UpdateSystem::parse(&text).unwrap_err();
        let problem = &error.problems[0];
        assert!(problem.message.contains(says), "{new}: {}", problem.message);
        assert!(text[problem.span.start..].starts_with(at), "{new}: {:?}", &text[problem.span.start..]);
    }
    for (old, new, says) in [
        ("  delete input-move(<s>,<p>) is-empty(<s>)\n  add    taken(<s>,<p>)", "  add taken(<s>,<p>)", "legality"),
        ("  add    won(<p>)", "  add    dead(<w>)", "applicability"),
        ("  add    count(<w>,<p>,1)", "  add    won(<p>)", "invariant"),
        ("succ(1,2)", "succ(1,3)", "invariant"),
    ] {
        let system = UpdateSystem::parse(&good.replace(old, new)).unwrap();
        let error = check_adequacy(&system, 20, 1).unwrap_err();
        assert_eq!(error.requirement, says, "{new}: {error}");
    }
}
