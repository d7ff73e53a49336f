//! Sheets that grow without bounds: every part refuses them at once, and a stop reaches the inner loops.

use onlooker::game::{Chance, Game, GdlGame, Term};
use onlooker::gdl::{Engine, GroundingLimits, NoPropNet, Program, PropNet, Prover, TooLarge};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const REST: &str = "(role a) (legal a go) (goal a 0) (<= terminal (true over)) ";

/// Sheets whose terms grow, with the step after which they are too large and why.
fn growing() -> Vec<(&'static str, String, TooLarge)> {
    let wide = format!("(f{})", " ?x".repeat(50));
    let (long, deep) = (TooLarge::TermLength(8192), TooLarge::TermDepth(200));
    vec![
        ("doubled", "(init (n 0)) (<= (next (n (f ?x ?x))) (true (n ?x)))".to_owned(), long),
        ("wide", format!("(init (n 0)) (<= (next (n {wide})) (true (n ?x)))"), long),
        ("deep", "(init (n 0)) (<= (next (n (s ?x))) (true (n ?x)))".to_owned(), deep),
        (
            "mutually growing",
            "(init (n 0)) (init (m 0)) (<= (next (n (f ?x ?y))) (true (n ?x)) (true (m ?y))) \
             (<= (next (m (g ?y ?x))) (true (n ?x)) (true (m ?y)))"
                .to_owned(),
            long,
        ),
        (
            "growing moves",
            "(init (n 0)) (<= (legal a (go ?x)) (true (n ?x))) (<= (next (n (f ?x ?x))) (does a ?m) (true (n ?x)))"
                .to_owned(),
            long,
        ),
    ]
}

fn game(text: &str, engine: Engine) -> Result<GdlGame, TooLarge> {
    GdlGame::new("", Program::read(text).unwrap(), engine, &GroundingLimits::default())
}

#[test]
fn terms_that_grow_end_the_game_in_both_engines() {
    for (name, rules, why) in growing() {
        let text = format!("{REST}{rules}");
        for engine in [Engine::Prover, Engine::Fast] {
            let game = game(&text, engine).unwrap();
            assert!(game.network().is_err(), "{name}: no propnet holds it");
            let mut state = game.start();
            let (mut moves, mut joint) = (Vec::new(), Vec::new());
            let mut plies = 0;
            while game.play_at_random(&mut state, &mut Chance::new(1), &mut moves, &mut joint) {
                plies += 1;
                assert!(game.facts(&state).iter().all(|fact| fact.to_string().len() <= 8192), "{name}");
                assert!(plies <= 200, "{name}");
            }
            assert_eq!(game.truncation(&state), Some(why.into()), "{name} after {plies} moves");
            assert!(plies >= 2, "{name}: what lies before can be played, {plies}");
        }
        let prover = Prover::new(Arc::new(Program::read(&text).unwrap())).unwrap();
        let refused = PropNet::build(&prover, &GroundingLimits::default(), &AtomicBool::new(false)).err();
        // Grounding combines all terms with all others, so that there may be too many before one is too long.
        let too_many = matches!(refused, Some(NoPropNet::TooLarge(TooLarge::Terms(_))));
        assert!(too_many || refused == Some(NoPropNet::TooLarge(why)), "{name}: {refused:?}");
    }
}

#[test]
fn relations_that_grow_within_a_state_are_refused() {
    // What is built from itself is bounded by another relation, which is large.
    let numbers: String = (0..300).fold(String::new(), |mut text, i| {
        let _ = write!(text, "(n {i} {}) ", i + 1);
        text
    });
    let grown = "(<= (p 0 z) (true s)) (<= (p ?j (f ?x ?x)) (n ?i ?j) (p ?i ?x))";
    let text = format!("{REST}{numbers}{grown} (init s) (<= (next (big ?x)) (p 300 ?x))");
    // It may be refused as a rule that is built from itself, or when it is run.
    if let Ok(program) = Program::read(&text) {
        let made = GdlGame::new("", program, Engine::Fast, &GroundingLimits::default());
        assert_eq!(made.err(), Some(TooLarge::TermLength(8192)));
    }
}

#[test]
fn sheets_that_would_be_much_larger_as_programs_are_refused() {
    let ors = "(or (true a) (true b))".repeat(12);
    let many_ors: String = (0..2_000).map(|i| format!("(<= (p {i}) {ors})")).collect();
    let dependent: String = (0..8_000).map(|i| format!("(<= (p {i}) (p ?x))")).collect();
    let long_name = "x".repeat(2_000);
    let names: String = (0..20_000).map(|i| format!(" (q ?v{i})")).collect();
    for (name, rules, says) in [
        ("a wide fact", format!("(init (f{}))", " a".repeat(100_000)), "8192 characters"),
        ("a wide condition", format!("(<= p (q (f{})))", " ?x".repeat(100_000)), "8192 characters"),
        ("a long name", format!("(init {long_name})"), "name of 2000 bytes"),
        ("many 'or'", many_ors, "conditions once 'or'"),
        ("all rules need all", format!("(p 0) {dependent}"), "depend on each other"),
        ("many variables", format!("(<= terminal{names})"), "20000 variables"),
    ] {
        let began = Instant::now();
        let error = Program::read(&format!("{REST}{rules}")).err().unwrap_or_else(|| panic!("{name} is refused"));
        assert!(error.to_string().contains(says), "{name}: {error}");
        assert!(began.elapsed() < Duration::from_secs(20), "{name}: {:?}", began.elapsed());
    }
}

#[test]
fn states_of_many_long_facts_are_refused() {
    // Each move makes sixteen times as many facts of a hundred characters.
    let digits: String = (0..16).map(|digit| format!("(d {digit})")).collect();
    let tail = "tail".repeat(25);
    let text = format!(
        "{REST}{digits}(init (at (a b c))) \
         (<= (next (at (?x ?y {tail}))) (true (at (?y ?z ?t))) (d ?x))"
    )
    .replace("(?x ?y ", "(c ?x ?y ")
    .replace("(?y ?z ", "(c ?y ?z ")
    .replace("(at (a b c))", "(at (c a b t))");
    let game = game(&text, Engine::Prover).unwrap();
    let mut state = game.start();
    for _ in 0..40 {
        game.play_at_random(&mut state, &mut Chance::new(1), &mut Vec::new(), &mut Vec::new());
        let length: usize = game.facts(&state).iter().map(|fact| fact.to_string().len()).sum();
        assert!(length <= 4 << 20, "{length}");
    }
}

/// A sheet of which one state takes minutes.
fn heavy() -> String {
    let digits: String = (0..110).map(|i| format!("(d {i})")).collect();
    format!(
        "{digits} (role a) (legal a go) (goal a 0) (init s) (<= (next s) (true s)) (<= (next big) (true s)) \
         (<= terminal (true big) (d ?u) (d ?v) (d ?w) (d ?x) (d ?y) (d ?z) (not (n ?u ?v ?w)) (not (n ?x ?y ?z))) \
         (<= (n ?x ?y ?z) (d ?x) (d ?y) (d ?z) (true s))"
    )
}

/// Runs something in a thread, sets the flag after a moment, and returns how long it went on.
fn stopped_after<T: Send + 'static>(
    stop: &Arc<AtomicBool>,
    wait: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> (T, Duration) {
    let thread = std::thread::spawn(work);
    std::thread::sleep(wait);
    assert!(!thread.is_finished(), "it is heavy enough to be stopped");
    stop.store(true, Ordering::Relaxed);
    let began = Instant::now();
    (thread.join().unwrap(), began.elapsed())
}

#[test]
fn a_stop_reaches_evaluation_grounding_and_reading() {
    // Machines are busy at times: an eighth of a second would do on an idle one.
    let soon = Duration::from_secs(1);
    let stop = Arc::new(AtomicBool::new(false));
    let view = {
        let stop = Arc::clone(&stop);
        let prover = Prover::new(Arc::new(Program::read(&heavy().replace("(true big) ", "(true huge) ")).unwrap()));
        let prover = prover.unwrap();
        let facts: Arc<[Term]> = ["huge", "s"].map(Term::name).to_vec().into();
        move || prover.view_until(&facts, &stop)
    };
    let (view, took) = stopped_after(&stop, Duration::from_millis(200), view);
    assert_eq!(view, Err(TooLarge::Stopped));
    assert!(took < soon, "{took:?}");
    // A game on the way, and its states.
    let stop = Arc::new(AtomicBool::new(false));
    let program = Program::read(&heavy()).unwrap();
    let own = Arc::clone(&stop);
    let make = move || GdlGame::new_until("", program, Engine::Fast, &GroundingLimits::default(), own).err();
    let (made, took) = stopped_after(&stop, Duration::from_millis(200), make);
    assert_eq!(made, Some(TooLarge::Stopped));
    assert!(took < soon, "{took:?}");
    // A sheet that is read.
    let stop = Arc::new(AtomicBool::new(true));
    let error = Program::read_until(REST, &stop).unwrap_err();
    assert!(error.to_string().contains("stopped"), "{error}");
}
