//! Laws that hold for any traces.

use super::{evidence, folders, plans, reference, saved};
use onlooker::budget::StopReason;
use onlooker::locm::{Action, Domain, Evidence, Method, Options, Refused, induce};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

const ARITIES: [usize; 5] = [2, 1, 2, 3, 0];
const NAMES: [&str; 5] = ["go", "stop", "give", "swap", "wait"];
const OBJECTS: [&str; 4] = ["a1", "a2", "b1", "b2"];

fn actions() -> impl Strategy<Value = Action<&'static str>> {
    (0..NAMES.len(), proptest::collection::vec(0..OBJECTS.len(), 3)).prop_map(|(name, objects)| {
        let arguments: Vec<&str> = objects.iter().take(ARITIES[name]).map(|&object| OBJECTS[object]).collect();
        Action::new(NAMES[name], arguments)
    })
}

/// Traces without and with structure: in the latter each object may only do what its state lets it.
fn traces() -> impl Strategy<Value = Vec<Vec<Action<&'static str>>>> {
    let chaos = proptest::collection::vec(proptest::collection::vec(actions(), 0..8), 0..5);
    let order = proptest::collection::vec(proptest::collection::vec((0..4usize, 0..4usize, 0..4usize), 0..14), 1..7)
        .prop_map(|traces| traces.into_iter().map(ordered).collect());
    prop_oneof![chaos, order]
}

/// A small world: blocks that are held, stacked and put down, and a light.
fn ordered(choices: Vec<(usize, usize, usize)>) -> Vec<Action<&'static str>> {
    const BLOCKS: [&str; 4] = ["p", "q", "r", "s"];
    let mut on: [Option<usize>; 4] = [None; 4];
    let mut held = None;
    let mut trace = Vec::new();
    for (what, x, y) in choices {
        let clear = |x: usize, on: &[Option<usize>; 4]| !on.contains(&Some(x));
        match (what, held) {
            (0, _) => trace.push(Action::new("blink", [])),
            (_, None) if clear(x, &on) => {
                match on[x].take() {
                    None => trace.push(Action::new("pick-up", [BLOCKS[x]])),
                    Some(y) => trace.push(Action::new("unstack", [BLOCKS[x], BLOCKS[y]])),
                }
                held = Some(x);
            }
            (1, Some(x)) => {
                trace.push(Action::new("put-down", [BLOCKS[x]]));
                held = None;
            }
            (_, Some(x)) if x != y && clear(y, &on) => {
                trace.push(Action::new("stack", [BLOCKS[x], BLOCKS[y]]));
                on[x] = Some(y);
                held = None;
            }
            _ => {}
        }
    }
    trace
}

fn options(method: Method) -> Options {
    Options { method, budget: u64::MAX, ..Options::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_machines_are_those_of_the_plain_algorithm(traces in traces()) {
        let evidence = evidence(&traces);
        for (method, several) in [(Method::Locm, false), (Method::Locm2, true)] {
            let model = induce(&evidence, &options(method), &AtomicBool::new(false));
            let found: BTreeSet<_> = model.machines.iter().map(|machine| reference::plain(&model, machine)).collect();
            prop_assert_eq!(found.len(), model.machines.len());
            let expected = reference::machines(&traces, several);
            prop_assert_eq!(&found, &expected, "{:?}", method);
        }
    }

    #[test]
    fn a_model_accepts_what_it_was_induced_from(traces in traces()) {
        for method in [Method::Locm, Method::Locm2] {
            let model = induce(&evidence(&traces), &options(method), &AtomicBool::new(false));
            let domain = Domain::new(&model, "any");
            for trace in &traces {
                prop_assert_eq!(model.accepts(trace), Ok(()));
                prop_assert_eq!(domain.plan(trace).unwrap().lines().count(), trace.len());
                prop_assert!(domain.problem("p", trace).unwrap().ends_with("))\n)\n"));
            }
        }
    }

    #[test]
    fn order_and_merging_make_no_difference(traces in traces(), order in any::<u64>(), cut in 0..6usize) {
        let whole = evidence(&traces);
        let mut shuffled = traces.clone();
        let length = shuffled.len();
        (0..length).for_each(|i| shuffled.swap(i, (order as usize).wrapping_mul(i + 7) % length));
        prop_assert_eq!(saved(&evidence(&shuffled)), saved(&whole));
        let (first, second) = shuffled.split_at(cut.min(shuffled.len()));
        let (first, second) = (evidence(first), evidence(second));
        for (mut one, other) in [(first.clone(), second.clone()), (second, first)] {
            one.merge(other).unwrap();
            prop_assert_eq!(saved(&one), saved(&whole));
        }
        let read = Evidence::read(saved(&whole).as_bytes()).unwrap();
        prop_assert_eq!(saved(&read), saved(&whole));
        prop_assert_eq!(induce(&read, &Options::default(), &AtomicBool::new(false)), induce(&whole, &Options::default(), &AtomicBool::new(false)));
        // What was read can go on.
        let mut on = Evidence::read(saved(&evidence(&traces[..traces.len() / 2])).as_bytes()).unwrap();
        traces[traces.len() / 2..].iter().for_each(|trace| on.observe(trace).unwrap());
        prop_assert_eq!(saved(&on), saved(&whole));
    }
}

#[test]
fn a_trace_that_is_refused_changes_nothing() {
    let good = [Action::new("go", vec!["a", "b"])];
    let mut evidence = evidence(&[good.to_vec()]);
    let before = saved(&evidence);
    let bad = [Action::new("stop", vec!["a"]), Action::new("go", vec!["a"])];
    let refused = Refused::Arity { name: "go".to_owned(), found: 1, expected: 2 };
    assert_eq!(evidence.observe(&bad), Err((1, refused)));
    let bad = [Action::new("stop", vec!["a"]), Action::new("stop", vec![])];
    assert!(matches!(evidence.observe(&bad), Err((1, Refused::Arity { found: 0, expected: 1, .. }))));
    let names: Vec<String> = (0..600).map(|i| format!("go-{i}")).collect();
    let many: Vec<Action<&str>> = names.iter().map(|name| Action::new(name.as_str(), vec![])).collect();
    assert_eq!(evidence.observe(&many), Err((511, Refused::Many)));
    assert_eq!(saved(&evidence), before);
    let mut other = Evidence::default();
    other.observe(&[Action::new("go", vec!["a"])]).unwrap();
    let (refused, back) = evidence.merge(other.clone()).unwrap_err();
    assert!(matches!(refused, Refused::Arity { .. }));
    assert_eq!((saved(&evidence), saved(&back)), (before, saved(&other)));
}

#[test]
fn an_object_in_two_places_makes_an_action_of_its_own() {
    let text = "(move a b)\n(move b c)\n(turn c c)\n(move c a)\n\n(turn x y)\n(move x y)\n";
    let traces: Vec<Vec<Action>> = onlooker::locm::PlanReader::new(text.as_bytes()).collect::<Result<_, _>>().unwrap();
    let model = induce(&evidence(&traces), &Options::default(), &AtomicBool::new(false));
    let names: Vec<String> =
        (0..model.actions.len()).map(|i| model.action_name(onlooker::locm::ActionId(i as u32))).collect();
    assert_eq!(names, ["move", "turn{1=2}", "turn"]);
    let domain = Domain::new(&model, "turning").to_string();
    assert!(domain.contains("(:action turn-1-2\n    :parameters (?"), "{domain}");
    assert_eq!(Domain::new(&model, "turning").plan(&traces[0][2..3]).unwrap(), "(turn-1-2 c)\n");
    // Seen with one object twice in the first place, not in the other.
    assert!(model.accepts(&[Action::new("move", vec!["a", "a"])]).is_err());
    traces.iter().for_each(|trace| assert_eq!(model.accepts(trace), Ok(())));
}

#[test]
fn more_transitions_than_are_split_still_give_one_machine() {
    let names: Vec<String> = (0..80).map(|i| format!("step{i}")).collect();
    let mut traces = Vec::new();
    for start in 0..8 {
        let steps = (0..60).map(|i| &names[(start * 9 + i * (1 + start % 3)) % 80]);
        traces.push(steps.map(|name| Action::new(name.as_str(), vec!["a", "b"])).collect::<Vec<_>>());
    }
    let whole = evidence(&traces);
    let model = induce(&whole, &Options::default(), &AtomicBool::new(false));
    assert!(model.notes.iter().any(|note| model.note_text(note).contains("more than 32 transitions")));
    traces.iter().for_each(|trace| assert_eq!(model.accepts(trace), Ok(())));
    let found: BTreeSet<_> = model.machines.iter().map(|machine| reference::plain(&model, machine)).collect();
    assert_eq!(found, reference::machines(&traces, false));
    traces.reverse();
    assert_eq!(saved(&evidence(&traces)), saved(&whole));
    assert!(saved(&whole).len() < 300_000);
}

#[test]
fn a_budget_that_is_used_up_leaves_one_machine_and_says_so() {
    let evidence = evidence(&plans(&folders()[0].join("blocksworld.txt")));
    let split = induce(&evidence, &Options::default(), &AtomicBool::new(false));
    let whole = induce(&evidence, &Options { budget: 1, ..Options::default() }, &AtomicBool::new(false));
    assert!(split.machines.len() > whole.machines.len());
    assert!(whole.notes.iter().any(|note| whole.note_text(note).contains("given up")));
    let locm = induce(&evidence, &options(Method::Locm), &AtomicBool::new(false));
    assert_eq!(whole.machines, locm.machines);
    let interrupted = induce(&evidence, &Options::default(), &AtomicBool::new(true));
    assert_eq!(interrupted.machines, locm.machines);
    assert!(interrupted.notes.iter().any(|note| interrupted.note_text(note).ends_with("the search was interrupted")));
    let reasons = [split.stopped, whole.stopped, locm.stopped, interrupted.stopped];
    use StopReason::{BudgetSpent, Done, Interrupted};
    assert_eq!(reasons, [Done, BudgetSpent, Done, Interrupted]);
}

/// A trace of 20 actions with 100 arguments, which are the same hundred objects in another order in every step.
fn wide_trace(steps: usize) -> Vec<Action<String>> {
    let step = |i: usize| {
        let objects = (0..100).map(|k| format!("o{}", (k * (2 * i + 1) % 101 + i) % 100));
        let mut seen = BTreeSet::new();
        let mut left = (0..100).map(|k| format!("o{k}"));
        // Those that come twice are replaced by others.
        let distinct = objects.map(|object| if seen.insert(object.clone()) { object } else { String::new() });
        let objects: Vec<String> = distinct.collect();
        let mut missing = left.by_ref().filter(|object| !objects.contains(object)).collect::<Vec<_>>().into_iter();
        let objects: Vec<String> =
            objects.iter().map(|o| if o.is_empty() { missing.next().unwrap() } else { o.clone() }).collect();
        Action::new(format!("act{}", i * i % 20), objects)
    };
    (0..steps).map(step).collect()
}

#[test]
fn actions_with_very_many_arguments_are_refused_before_memory_is_gone() {
    let mut evidence = Evidence::default();
    evidence.observe(&wide_trace(20)).unwrap();
    let before = saved(&evidence);
    let (step, refused) = evidence.observe(&wide_trace(5000)).unwrap_err();
    assert!(step < 5000 && refused == Refused::Large, "{step}: {refused}");
    assert!(refused.to_string().ends_with("expected actions with fewer arguments"));
    assert_eq!(saved(&evidence), before);
    // Without values for traces, what was seen so far stays, and no more is added.
    let mut watched = Evidence::default();
    let mut watcher = watched.watch();
    let seen = wide_trace(5000);
    let refused =
        seen.iter().find_map(|action| watcher.see(&action.name, action.arguments.iter().map(String::as_str)).err());
    drop(watcher);
    assert_eq!(refused, Some(Refused::Large));
    assert_eq!(watched.observe(&wide_trace(1)), Err((0, Refused::Large)));
}
