//! From action traces to a planning model, on one thread: the whole way from text, beside macq, for very many short
//! traces, and how time and evidence grow with the traces.
//!
//! `cargo bench --bench locm` prints three tables; with `-- --quick` from fewer traces. Every part asserts its answer.
//! With `MACQ_PYTHON=/path/to/python3` of an environment that has macq installed, macq's LOCM is timed in the same run.

use onlooker::locm::{Action, Evidence, Method, Model, Options, PlanLine, PlanReader, induce};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A source of actions that come one after another, forever.
struct World {
    chance: Xoshiro256PlusPlus,
    rules: fn(&mut World) -> String,
    /// What each block lies on, where each car is, or how the puzzle stands.
    at: Vec<Option<usize>>,
    held: Option<usize>,
    here: usize,
}

impl World {
    fn new(rules: fn(&mut World) -> String, objects: usize) -> World {
        let chance = Xoshiro256PlusPlus::seed_from_u64(1);
        World { chance, rules, at: vec![None; objects], held: None, here: 0 }
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.chance.next_u64() % limit as u64) as usize
    }

    fn next(&mut self) -> String {
        (self.rules)(self)
    }
}

fn blocksworld(world: &mut World) -> String {
    loop {
        let (x, y) = (world.below(world.at.len()), world.below(world.at.len()));
        let clear = |x: usize| !world.at.contains(&Some(x));
        match world.held {
            None if clear(x) => {
                world.held = Some(x);
                return match world.at[x].take() {
                    None => format!("(pick-up b{x})"),
                    Some(y) => format!("(unstack b{x} b{y})"),
                };
            }
            Some(x) if x == y => {
                world.held = None;
                return format!("(put-down b{x})");
            }
            Some(x) if clear(y) => {
                world.held = None;
                world.at[x] = Some(y);
                return format!("(stack b{x} b{y})");
            }
            _ => {}
        }
    }
}

fn ferry(world: &mut World) -> String {
    const PLACES: usize = 5;
    let (car, here, coin) = (world.below(world.at.len()), world.here, world.below(2) == 0);
    match world.held {
        Some(car) if coin => {
            world.held = None;
            world.at[car] = Some(here);
            format!("(debark c{car} l{here})")
        }
        None if world.at[car].unwrap_or(car % PLACES) == here => {
            world.held = Some(car);
            format!("(board c{car} l{here})")
        }
        _ => {
            world.here = (here + 1 + world.below(PLACES - 1)) % PLACES;
            format!("(sail l{here} l{})", world.here)
        }
    }
}

fn npuzzle(world: &mut World) -> String {
    const SIDE: usize = 3;
    loop {
        let (x, y) = (world.here % SIDE, world.here / SIDE);
        let step = [(0, 1), (2, 1), (1, 0), (1, 2)][world.below(4)];
        let (x, y) = ((x + step.0).wrapping_sub(1), (y + step.1).wrapping_sub(1));
        if x < SIDE && y < SIDE {
            let (from, to) = (y * SIDE + x, world.here);
            let tile = world.at[from].unwrap_or(from);
            world.at[to] = Some(tile);
            world.here = from;
            return format!("(slide t{tile} p{from} p{to})");
        }
    }
}

/// So many actions in traces of this length.
fn text(world: &mut World, actions: usize, length: usize) -> String {
    let mut text = String::new();
    for i in 1..=actions {
        text.push_str(&world.next());
        text.push_str(if i % length == 0 { "\n\n" } else { "\n" });
    }
    text
}

fn observe(evidence: &mut Evidence, text: &str) {
    let mut plans = PlanReader::new(text.as_bytes());
    let mut watcher = evidence.watch();
    while let Some(line) = plans.advance().expect("a plan") {
        match line {
            PlanLine::End => watcher.end(),
            PlanLine::Action => {
                let (name, arguments) = plans.action();
                watcher.see(name, arguments).expect("few actions");
            }
        }
    }
}

fn learnt(text: &str, method: Method) -> Model {
    let mut evidence = Evidence::default();
    observe(&mut evidence, text);
    induce(&evidence, &Options { method, ..Options::default() }, &AtomicBool::new(false))
}

/// The states of all machines and their parameters.
fn size(model: &Model) -> (usize, usize) {
    let states = || model.machines.iter().flat_map(|machine| &machine.states);
    (states().count(), states().map(|state| state.parameters.len()).sum())
}

/// A domain with the states and parameters that LOCM and LOCM2 find in it.
type Domain = (&'static str, fn(&mut World) -> String, usize, [(usize, usize); 2]);

const DOMAINS: [Domain; 3] = [
    ("blocksworld", blocksworld, 6, [(5, 2), (8, 3)]),
    ("ferry", ferry, 5, [(5, 2), (7, 3)]),
    ("npuzzle", npuzzle, 9, [(4, 3), (4, 3)]),
];

fn best(times: usize, mut work: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..times {
        let begin = Instant::now();
        work();
        best = best.min(begin.elapsed().as_secs_f64());
    }
    best
}

fn macq(python: &str, text: &str) -> Option<f64> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/locm_macq.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let printed = child.wait_with_output().ok()?.stdout;
    String::from_utf8(printed).ok()?.trim().parse().ok()
}

/// The shortest time first, runs that failed last.
fn f64_order(a: &Option<f64>, b: &Option<f64>) -> std::cmp::Ordering {
    a.unwrap_or(f64::INFINITY).total_cmp(&b.unwrap_or(f64::INFINITY))
}

fn whole(actions: usize) {
    let python = std::env::var("MACQ_PYTHON").ok();
    println!(
        "\nText -> traces -> evidence -> model, {actions} actions in one trace, since macq takes only one; seconds (best of 20)"
    );
    println!("macq: from traces in memory to a model, best of 3\n");
    println!("| domain | LOCM | LOCM2 | macq LOCM | macq / LOCM | macq / LOCM2 |\n|---|---|---|---|---|---|");
    for (name, rules, objects, sizes) in DOMAINS {
        let text = text(&mut World::new(rules, objects), actions, actions);
        let [locm, locm2] = [(Method::Locm, sizes[0]), (Method::Locm2, sizes[1])]
            .map(|(method, expected)| best(20, || assert_eq!(size(&learnt(&text, method)), expected, "{name}")));
        let macq = python.as_ref().and_then(|python| (0..3).map(|_| macq(python, &text)).min_by(f64_order).flatten());
        let missing = if python.is_some() { "gave up" } else { "not run" };
        let shown = macq.map_or([missing, "", ""].map(str::to_owned), |macq| {
            [format!("{macq:.3}"), format!("{:.0}", macq / locm), format!("{:.0}", macq / locm2)]
        });
        println!("| {name} | {locm:.5} | {locm2:.5} | {} |", shown.join(" | "));
    }
}

/// Turns of a game: a queen moves, an arrow appears and flies.
fn turns(count: usize) -> Vec<Vec<Action>> {
    let mut world = World::new(ferry, 1);
    let mut turns = Vec::new();
    for _ in 0..count {
        let mut turn = Vec::new();
        let mut square = world.below(100);
        for (piece, first) in [("queen", true), ("arrow", false)] {
            let name = |square: usize| format!("s{square}");
            if !first {
                turn.push(Action::new("appear-arrow".to_owned(), [name(square)]));
            }
            let step = 1 + world.below(11);
            for _ in 0..1 + world.below(3) {
                let next = square + step;
                turn.push(Action::new(format!("move-{piece}"), [name(square), name(next)]));
                square = next;
            }
        }
        turns.push(turn);
    }
    turns
}

fn many_turns(count: usize) {
    let turns = turns(count);
    let actions: usize = turns.iter().map(Vec::len).sum();
    let mut model = None;
    let seconds = best(5, || {
        let mut evidence = Evidence::default();
        turns.iter().for_each(|turn| evidence.observe(turn).expect("few actions"));
        model = Some(induce(&evidence, &Options::default(), &AtomicBool::new(false)));
    });
    let model = model.expect("it was induced");
    let zero = model.machines.iter().find(|machine| machine.sort.is_none()).expect("turns have an order");
    assert_eq!(zero.states.iter().filter(|state| state.is_final).count(), 1);
    assert!(zero.states.iter().filter(|state| !state.is_initial).all(|state| state.parameters.len() == 1));
    println!("\n{count} turns with {actions} actions, from memory to a model: {seconds:.4} s (best of 5)");
}

fn growth(largest: usize) {
    println!("\nGrowth, blocksworld with 6 blocks in traces of 25, and ferry in one trace; reading text included\n");
    println!("| domain | actions | seconds | ns an action | evidence, bytes | text, MB |\n|---|---|---|---|---|---|");
    for (name, rules, objects) in
        [("blocksworld", blocksworld as fn(&mut World) -> String, 6), ("ferry, one trace", ferry, 5)]
    {
        let mut actions = 10_000;
        while actions <= largest {
            let mut world = World::new(rules, objects);
            let mut evidence = Evidence::default();
            let (mut seconds, mut bytes) = (0.0, 0);
            // Text is made in pieces, and making it is not timed.
            let mut left = actions;
            let single = name.contains("one trace");
            while left > 0 {
                let part = left.min(if single { left } else { 100_000 });
                let text = text(&mut world, part, if single { part } else { 25 });
                bytes += text.len();
                let begin = Instant::now();
                observe(&mut evidence, &text);
                seconds += begin.elapsed().as_secs_f64();
                left -= part;
            }
            let begin = Instant::now();
            let model = induce(&evidence, &Options::default(), &AtomicBool::new(false));
            seconds += begin.elapsed().as_secs_f64();
            assert_eq!(model.steps, actions as u64);
            assert_eq!(size(&model), if single { (7, 3) } else { (8, 3) });
            let mut saved = Vec::new();
            evidence.write(&mut saved).expect("memory");
            let each = seconds * 1e9 / actions as f64;
            let megabytes = bytes as f64 / 1e6;
            println!("| {name} | {actions} | {seconds:.4} | {each:.0} | {} | {megabytes:.1} |", saved.len());
            actions *= 10;
        }
    }
}

fn main() {
    let asked = |name: &str| std::env::args().any(|argument| argument == name);
    let (turns, largest) = match (asked("--test"), asked("--quick")) {
        (true, _) => (500, 10_000),
        (_, true) => (25_000, 1_000_000),
        _ => (25_000, 10_000_000),
    };
    whole(10_000);
    many_turns(turns);
    growth(largest);
}
