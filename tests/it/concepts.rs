//! Concepts: evidence that merges in any order, fast counting beside a plain one, rules that players use.

use onlooker::concepts::{
    Argument, CompiledHeuristic, Evidence, FitOptions, Heuristic, LessonOptions, Literal, PlayoutPlan, PlayoutPolicy,
    StatisticalOptions, binary_concepts, fit_heuristic, learn_heuristic, statistical_heuristic, structured_heuristic,
    ternary_concepts, watch_playouts,
};
use onlooker::game::{AnyGame, Chance, FactSet, Game, Role, Roles, Term, Vocabulary, catalogue_game};
use onlooker::gdl::Engine;
use onlooker::play::{Agent, Evaluation, Greedy, MatchPlan, OnePly, play_match};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn watch<G: Game>(game: &G, playouts: u64, policy: PlayoutPolicy) -> Evidence {
    let plan = PlayoutPlan { playouts, wins: u64::MAX, seed: 3, plies: 200, steps: 10_000_000, policy };
    watch_playouts(game, &plan, &AtomicBool::new(false), &|_| {}).0
}

fn fit(evidence: &Evidence) -> Heuristic {
    fit_heuristic(evidence, &FitOptions::default(), &AtomicBool::new(false)).0
}

/// A heuristic by the book: every subset of every final position in a map.
fn plainly<G: Game>(
    game: &G,
    playouts: u64,
    role: usize,
    cutoff: usize,
    left_out: &[Term],
) -> BTreeMap<Vec<String>, u32> {
    let mut counts = BTreeMap::new();
    for number in 0..playouts {
        let (mut state, mut chance) = (game.start(), Chance::stream(3, number));
        while game.play_at_random(&mut state, &mut chance, &mut Vec::new(), &mut Vec::new()) {}
        let goals = game.goals(&state).unwrap();
        if goals[role] != Some(100) {
            continue;
        }
        let facts = game.facts(&state);
        let facts: Vec<String> = facts
            .iter()
            .filter(|fact| !left_out.contains(fact))
            .map(|fact| Literal::of_term(fact).to_string())
            .collect();
        let mut subsets: Vec<Vec<String>> = vec![Vec::new()];
        for fact in facts {
            let longer: Vec<Vec<String>> = subsets
                .iter()
                .filter(|subset| subset.len() < cutoff)
                .map(|subset| subset.iter().cloned().chain([fact.clone()]).collect())
                .collect();
            subsets.extend(longer);
        }
        for mut subset in subsets.into_iter().filter(|subset| !subset.is_empty()) {
            subset.sort();
            *counts.entry(subset).or_default() += 1;
        }
    }
    counts
}

#[test]
fn statistical_rules_have_the_counts_of_a_plain_reading() {
    for (name, playouts, cutoff) in [("tic-tac-toe", 60, 3), ("connect-four", 12, 2)] {
        let game = catalogue_game(name).unwrap();
        let evidence = watch(&game, playouts, PlayoutPolicy::Random);
        let options = StatisticalOptions { cutoff, share: 1.0, ..StatisticalOptions::default() };
        let heuristic = statistical_heuristic(&evidence, &options, &|_| false);
        // What was the same in all playouts at every ply tells nothing.
        let told = evidence.terms().iter().zip(evidence.telling());
        let left_out: Vec<Term> = told.filter(|(_, telling)| !telling).map(|(term, _)| term.clone()).collect();
        for (role, rules) in heuristic.roles.iter().enumerate() {
            let plain = plainly(&game, playouts, role, cutoff, &left_out);
            assert_eq!(rules.rules.len(), plain.len(), "{name}");
            for rule in &rules.rules {
                let mut body: Vec<String> = rule.body.iter().map(ToString::to_string).collect();
                body.sort();
                assert_eq!(rule.value, f64::from(plain[&body]) / evidence.wins(role) as f64, "{body:?}");
            }
            let tenth = statistical_heuristic(&evidence, &StatisticalOptions { share: 0.1, ..options }, &|_| false);
            let least = tenth.roles[role].rules.iter().map(|rule| rule.value).fold(f64::MAX, f64::min);
            assert_eq!(tenth.roles[role].rules.len(), plain.len().div_ceil(10));
            assert!(rules.rules.iter().filter(|rule| rule.value > least).count() <= tenth.roles[role].rules.len());
        }
    }
}

/// The playouts of a game one by one.
fn observed(number: u64) -> Evidence {
    let game = catalogue_game("tic-tac-toe").unwrap();
    let mut vocabulary = Vocabulary::new(&game);
    let mut evidence = Evidence::new(game.name(), game.roles(), vocabulary.terms().to_vec());
    let (mut state, mut chance) = (game.start(), Chance::stream(9, number));
    let (mut states, mut moved) = (Vec::new(), Roles::first(0));
    loop {
        let mut facts = FactSet::default();
        vocabulary.learn(&game, &state, &mut facts);
        states.push((moved, facts));
        moved = game.to_move(&state);
        if !game.play_at_random(&mut state, &mut chance, &mut Vec::new(), &mut Vec::new()) {
            break;
        }
    }
    evidence.observe(number, &states, game.goals(&state).as_deref());
    evidence.with_most_rows(60)
}

fn told(evidence: &Evidence) -> String {
    let rows: Vec<String> = evidence.rows().iter().map(|row| format!("{row:?}")).collect();
    format!("{:?} {:?} {:?} {}", evidence.playouts(), evidence.horizon(), evidence.telling(), rows.join("\n"))
}

#[test]
fn evidence_merges_in_any_order_and_forgets_the_same() {
    let merged = |order: &[u64]| {
        let mut all = observed(order[0]);
        order[1..].iter().for_each(|&number| all.merge(observed(number)).unwrap());
        all
    };
    let forth: Vec<u64> = (0..40).collect();
    let back: Vec<u64> = forth.iter().rev().copied().collect();
    let mut halves = merged(&forth[..17]);
    halves.merge(merged(&back[..23])).unwrap();
    let whole = merged(&forth);
    assert!(whole.row_count() <= 60 && whole.horizon().is_some(), "something had to be forgotten");
    assert_eq!(told(&whole), told(&merged(&back)));
    assert_eq!(told(&whole), told(&halves));
    let other = Evidence::new("another", &[], Vec::new());
    assert!(merged(&[0, 1]).merge(other).unwrap_err().to_string().contains("found evidence of another"));
}

#[test]
fn the_same_seed_gives_the_same_file_on_any_number_of_threads() {
    let game = catalogue_game("tic-tac-toe").unwrap();
    let text = || fit(&watch(&game, 300, PlayoutPolicy::Greedy)).to_string();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let one = pool(1).install(text);
    assert_eq!(one, pool(3).install(text));
    assert!(Heuristic::parse(&one).unwrap().to_string() == one, "it is read as it is written");
}

#[test]
fn turns_and_clocks_are_left_out() {
    let game = AnyGame::catalogue("tic-tac-toe").unwrap();
    let evidence = watch(&game, 50, PlayoutPolicy::Random);
    for (term, telling) in evidence.terms().iter().zip(evidence.telling()) {
        assert_eq!(telling, term.arguments_of("cell").is_some(), "{term}");
    }
}

#[test]
fn compiled_sums_are_plain_sums_whatever_was_asked_before() {
    let game = catalogue_game("connect-four").unwrap();
    let heuristic = Heuristic::parse(
        "concepts(1). game('connect-four'). sum(odds).\nrole(x).\nevaluation(0.5).\nevaluation(1) :- cell(4,1,'X').\n\
         evaluation(-0.25) :- cell(A,B,o), cell(A+1,B,o).\nevaluation(0.125) :- cell(A,B,M), cell(A,B+1,M), cell(A,B+2,M).\n",
    )
    .unwrap();
    let compiled = CompiledHeuristic::new(&heuristic, &game).unwrap();
    assert_eq!(compiled.unmatched(), 0);
    for seed in 0..30 {
        let (mut state, mut chance) = (game.start(), Chance::new(seed));
        while game.play_at_random(&mut state, &mut chance, &mut Vec::new(), &mut Vec::new()) {
            let facts: Vec<Literal> = game.facts(&state).iter().map(Literal::of_term).collect();
            let at = |x: i64, y: i64, mark: &str| {
                let arguments = vec![Argument::Number(x), Argument::Number(y), Argument::Name(mark.to_owned())];
                facts.contains(&Literal { name: "cell".to_owned(), arguments })
            };
            let mut sum = 0.5 + if at(4, 1, "X") { 1.0 } else { 0.0 };
            for (x, y) in (1..=7).flat_map(|x| (1..=6).map(move |y| (x, y))) {
                sum -= if at(x, y, "o") && at(x + 1, y, "o") { 0.25 } else { 0.0 };
                let column = |mark: &str| (0..3).all(|up| at(x, y + up, mark));
                sum += ["X", "o", "blank"].iter().filter(|mark| column(mark)).count() as f64 * 0.125;
            }
            assert_eq!(compiled.sum(&game, &state, Role(0)), Some(sum));
        }
    }
}

#[test]
fn heuristics_that_do_not_fit_are_refused() {
    let game = catalogue_game("tic-tac-toe").unwrap();
    for (text, says) in [
        (
            "role(white).\nevaluation(1) :- cell(1,1,x).\n",
            "found rules for role white, expected one of the roles of tic-tac-toe: x, o",
        ),
        ("role(x).\nevaluation(1) :- square(1,1,x).\n", "none of the 1 rules matches"),
    ] {
        let heuristic = Heuristic::parse(&format!("concepts(1). game(g). sum(odds).\n{text}")).unwrap();
        assert!(CompiledHeuristic::new(&heuristic, &game).unwrap_err().to_string().contains(says));
    }
}

/// How often a heuristic wins against the player that takes wins, in percent, in both roles.
fn against_greedy<G: Game>(game: &G, heuristic: &Heuristic, games: u64) -> f64 {
    let ours: Arc<dyn Agent<G>> =
        Arc::new(OnePly { evaluation: Arc::new(CompiledHeuristic::new(heuristic, game).unwrap()) });
    let plan = MatchPlan { games, seed: 5, plies: 500 };
    let result = play_match(game, &[ours, Arc::new(Greedy)], &plan, &AtomicBool::new(false), &|_, _| {}).unwrap();
    100.0 * result.wins[0] as f64 / games as f64
}

#[test]
fn fitted_rules_beat_the_player_that_takes_wins() {
    for (name, playouts, cutoff, least) in
        [("tic-tac-toe", 1000, 3, 65.0), ("connect-four", 1000, 1, 80.0), ("breakthrough", 20, 1, 75.0)]
    {
        let game = catalogue_game(name).unwrap();
        let options = FitOptions { cutoff, most_features: 4_000_000, ..FitOptions::default() };
        let (heuristic, _) =
            fit_heuristic(&watch(&game, playouts, PlayoutPolicy::Greedy), &options, &AtomicBool::new(false));
        let won = against_greedy(&game, &heuristic, 60);
        assert!(won >= least, "{name}: {won} %");
    }
}

#[test]
fn a_few_rules_are_the_strongest_and_still_beat_the_player_that_takes_wins() {
    let game = catalogue_game("tic-tac-toe").unwrap();
    let evidence = watch(&game, 1000, PlayoutPolicy::Greedy);
    for most in [1, 30, 100_000] {
        let options = FitOptions { most_rules: Some(most), ..FitOptions::default() };
        let (few, report) = fit_heuristic(&evidence, &options, &AtomicBool::new(false));
        for (role, fit) in few.roles.iter().zip(&report.roles) {
            assert!(role.rules.len() - 1 <= most && fit.rules.1 <= most.min(fit.rules.0));
            assert_eq!(fit.support.len(), role.rules.len());
        }
        if most == 30 {
            let won = against_greedy(&game, &few, 100);
            assert!(won >= 60.0, "{won} %");
        }
    }
    let options = FitOptions { most_rules: Some(5), ..FitOptions::default() };
    let (stopped, _) = fit_heuristic(&evidence, &options, &AtomicBool::new(true));
    assert!(stopped.roles.iter().all(|role| role.rules.len() <= 6));
}

#[test]
fn sheets_show_the_same_concepts_as_rules_and_the_prover_the_same_as_the_network() {
    let sheet = include_str!("../../games/tic-tac-toe.kif");
    let texts: Vec<String> = [Engine::Fast, Engine::Prover]
        .map(|engine| {
            let game = AnyGame::from_sheet("tic-tac-toe", sheet, engine).unwrap();
            let evidence = watch(&game, 40, PlayoutPolicy::Random);
            let heuristic = statistical_heuristic(
                &evidence,
                &StatisticalOptions { share: 1.0, ..StatisticalOptions::default() },
                &|_| false,
            );
            let compiled = CompiledHeuristic::new(&heuristic, &game).unwrap();
            assert_eq!(compiled.unmatched(), 0);
            assert!(Evaluation::<AnyGame>::score(&compiled, &game, &game.start(), Role(0)) > 0.0);
            let mut rules: Vec<String> = heuristic.roles[0]
                .rules
                .iter()
                .map(|rule| {
                    let mut body: Vec<String> = rule.body.iter().map(ToString::to_string).collect();
                    body.sort();
                    format!("{} {}", rule.value, body.join(", "))
                })
                .collect();
            rules.sort();
            rules.join("\n")
        })
        .into();
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn concepts_of_a_small_game_are_rebuilt_in_a_larger_one() {
    let (small, large) = (catalogue_game("tic-tac-toe").unwrap(), catalogue_game("connect-four").unwrap());
    let options = StatisticalOptions { cutoff: 3, ..StatisticalOptions::default() };
    let learnt = statistical_heuristic(&watch(&small, 2000, PlayoutPolicy::Random), &options, &|_| false);
    let concepts = binary_concepts(&learnt);
    assert!(concepts.iter().any(|concept| concept.to_string() == "cell(X0,X1,X2), cell(X0+1,X1+1,X2)"));
    let ternary = ternary_concepts(&concepts, 100_000);
    let line = "cell(X0,X1,X2), cell(X0+1,X1,X2), cell(X0+2,X1,X2)";
    assert!(ternary.iter().any(|concept| concept.to_string() == line));
    let evidence = watch(&large, 60, PlayoutPolicy::Random);
    for concepts in [concepts, ternary] {
        let rebuilt = structured_heuristic(&evidence, &concepts, &|_| false);
        assert!(rebuilt.roles.iter().all(|role| role.rules.len() > 100), "{}", rebuilt.rule_count());
        assert!(CompiledHeuristic::new(&rebuilt, &large).unwrap().unmatched() == 0);
    }
}

#[test]
fn games_that_teach_nothing_say_so() {
    // Nobody ever gets anything else than the other.
    let sheet = "(role a) (role b) (init (n 0)) (legal a x) (legal a y) (legal b z) (<= (next (n 1)) (does a x)) (<= (next (n 2)) (does a y))
        (<= terminal (true (n 1))) (<= terminal (true (n 2))) (goal a 50) (goal b 50)";
    let game = AnyGame::from_sheet("dull", sheet, Engine::Fast).unwrap();
    let (heuristic, report) =
        fit_heuristic(&watch(&game, 30, PlayoutPolicy::Greedy), &FitOptions::default(), &AtomicBool::new(false));
    assert!(heuristic.roles.is_empty());
    assert!(report.roles.iter().all(|role| role.nothing.is_some()));
    // A game for one role: goals that differ are enough.
    let sheet = sheet.replace("(goal a 50)", "(<= (goal a 100) (true (n 1))) (<= (goal a 0) (true (n 2)))");
    let game = AnyGame::from_sheet("choice", &sheet, Engine::Fast).unwrap();
    let heuristic = fit(&watch(&game, 200, PlayoutPolicy::Random));
    assert_eq!(heuristic.roles.len(), 1);
    assert_eq!(heuristic.roles[0].role, "a");
}

#[test]
fn playing_ends_at_the_budget_and_at_the_flag() {
    let game = catalogue_game("tic-tac-toe").unwrap();
    let plan = PlayoutPlan {
        playouts: 1_000_000,
        wins: u64::MAX,
        seed: 1,
        plies: 100,
        steps: 2000,
        policy: PlayoutPolicy::Random,
    };
    let (evidence, report) = watch_playouts(&game, &plan, &AtomicBool::new(false), &|_| {});
    assert!(report.steps >= 2000 && evidence.playouts().0 < 1000);
    let (evidence, _) = watch_playouts(&game, &PlayoutPlan { wins: 20, ..plan }, &AtomicBool::new(false), &|_| {});
    assert!((0..2).all(|role| evidence.wins(role) >= 20));
    let (evidence, report) = watch_playouts(&game, &plan, &AtomicBool::new(true), &|_| {});
    assert!(evidence.playouts().0 == 0 && !report.stop.is_done());
}

#[test]
fn fitting_that_is_stopped_is_reported_and_never_panics() {
    let game = catalogue_game("tic-tac-toe").unwrap();
    let evidence = watch(&game, 200, PlayoutPolicy::Greedy);
    let none = learn_heuristic(&game, &evidence, &LessonOptions::default(), &AtomicBool::new(true)).unwrap_err();
    assert!(none.to_string().contains("stopped before its first round"), "{none}");
    let whole = learn_heuristic(&game, &evidence, &LessonOptions::default(), &AtomicBool::new(false)).unwrap();
    // Whenever the flag is raised, there are rules or a reason.
    for delay in 0..20 {
        let stop = AtomicBool::new(false);
        let lesson = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(5 * delay));
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            });
            learn_heuristic(&game, &evidence, &LessonOptions::default(), &stop)
        });
        match lesson {
            Ok(lesson) if lesson.stopped => assert!(lesson.heuristic.to_string().contains("stopped early")),
            Ok(lesson) => assert_eq!(lesson.heuristic, whole.heuristic),
            Err(none) => assert!(none.to_string().contains("stopped before its first round"), "{none}"),
        }
    }
}

#[test]
fn concepts_have_no_more_literals_than_asked_for() {
    let game = catalogue_game("tic-tac-toe").unwrap();
    let evidence = watch(&game, 300, PlayoutPolicy::Greedy);
    for size in [2, 3] {
        let options = LessonOptions { cutoff: 1, concept_size: size, ..LessonOptions::default() };
        let lesson = learn_heuristic(&game, &evidence, &options, &AtomicBool::new(false)).unwrap();
        let longest = lesson.heuristic.roles.iter().flat_map(|role| &role.rules).map(|rule| rule.body.len()).max();
        assert_eq!(longest, Some(size));
    }
}
