//! Recognition on 15 x 15 with 10, 100 and 1000 rules, all matches for both players: compiled, beside symbolic matching with 10.
//!
//! `cargo bench --bench tactics`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use onlooker::game::Chance;
use onlooker::tactics::{
    Argument, Description, GroundState, Library, Literal, Name, Proof, Recogniser, RecognitionRule, State, Status,
    UpdateSystem, Variable, in_line_system,
};
use std::hint::black_box;
use std::ops::ControlFlow;

/// Rules about two to four windows through one square, with so many stones each, some squares of them empty: no two are the same.
fn rules(system: &UpdateSystem, count: usize) -> Library {
    let mut chance = Chance::new(1);
    let name = |text: &str| system.names.find(text).expect("a name of the system");
    let [counts, holds, empty] = ["count", "in", "is-empty"].map(name);
    let variable = |number: usize| Argument::Variable(Variable(number as u32));
    let (player, square) = (variable(0), variable(1));
    let mut library = Library::default();
    while library.rules.len() < count {
        let windows = 2 + chance.below(3);
        let mut description = Description::default();
        let literal = |predicate: Name, arguments: &[Argument]| Literal { predicate, arguments: arguments.into() };
        description.add(literal(empty, &[square]));
        for window in 0..windows {
            // A combination rests on a three, or on a two with others.
            let stones = if window == 0 { 3 } else { 1 + chance.below(3) };
            let (window, other) = (variable(2 + 2 * window), variable(3 + 2 * window));
            let number = Argument::Object(name(&stones.to_string()));
            description.add(literal(counts, &[window, player, number]));
            description.add(literal(holds, &[window, square]));
            if chance.below(2) == 0 {
                description.add(literal(holds, &[window, other]));
                description.add(literal(empty, &[other]));
                description.differ(square, other);
            }
        }
        if chance.below(2) == 0 {
            description.differ(variable(2), variable(4));
        }
        let rule = RecognitionRule {
            name: format!("rule-{}", library.rules.len()),
            condition: description,
            square,
            player,
            event: None,
            depth: windows as u32,
            proof: Some(Proof::Win(square)),
            status: Status::Proved,
            variables: Vec::new(),
            learnt: String::new(),
        };
        if library.rules.iter().all(|known| known.condition != rule.condition) || library.rules.len() > 300 {
            library.rules.push(rule);
        }
    }
    library
}

/// Positions of games in which stones lie near each other.
fn positions(system: &UpdateSystem) -> Vec<State> {
    let mut chance = Chance::new(2);
    let squares = system.objects_at(system.input_move, 0);
    (0..64)
        .map(|_| {
            let mut state = system.start_state();
            let mut last = 112;
            for ply in 0..30 {
                let (x, y) = (last % 15 + chance.below(5), last / 15 + chance.below(5));
                let at = y.saturating_sub(2).min(14) * 15 + x.saturating_sub(2).min(14);
                if let Some((next, _)) = state.play(system, squares[at], system.players[ply % 2])
                    && next.winner(system).is_none()
                {
                    (state, last) = (next, at);
                }
            }
            state
        })
        .collect()
}

fn benches(c: &mut Criterion) {
    let system = UpdateSystem::parse(&in_line_system("go-moku", ["x", "o"], 15, 15, 5, false)).expect("our own system");
    let states = positions(&system);
    let mut group = c.benchmark_group("tactics");
    group.sample_size(10);
    group.throughput(Throughput::Elements(states.len() as u64));
    let plain = |library: &Library| {
        let mut count = 0u64;
        for state in &states {
            for player in system.players {
                for number in 0..library.rules.len() {
                    library.each_match(&system, state, player, number, &mut |_| {
                        count += 1;
                        ControlFlow::Continue(())
                    });
                }
            }
        }
        count
    };
    for number in [10, 100, 1000] {
        let library = rules(&system, number);
        let recogniser = Recogniser::new(&system, &library).expect("small enough");
        let bits: Vec<GroundState> = states.iter().map(|state| recogniser.ground.state(state)).collect();
        let count = |bits: &[GroundState]| -> u64 {
            bits.iter().map(|state| recogniser.count(state, 0) + recogniser.count(state, 1)).sum()
        };
        let expected = if number == 10 { plain(&library) } else { count(&bits) };
        group.bench_function(format!("{number} rules"), |b| b.iter(|| assert_eq!(black_box(count(&bits)), expected)));
    }
    let library = rules(&system, 10);
    group.bench_function("10 rules, symbolic", |b| b.iter(|| black_box(plain(&library))));
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
