//! The classic domains: LOCM and LOCM2 find the published machines, accept plans they have not seen, and reject wrong
//! ones as the true domain does, where the literature says so.
//!
//! `cargo test --test it locm::domains -- --nocapture` prints the table.

use super::strips::Strips;
use super::{evidence, folders, plans};
use onlooker::locm::{Action, Machine, Method, Model, Options, induce};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::sync::atomic::AtomicBool;

struct Domain {
    name: &'static str,
    /// What is true of every state, for the judge of plans.
    groups: &'static [&'static str],
    /// The machines that LOCM finds, and those that LOCM2 finds beside them: the sort, and the states with their
    /// parameters.
    locm: &'static [&'static str],
    beside: &'static [&'static str],
    /// Whether LOCM's and LOCM2's model reject all false plans. In hanoi they lose what a disk lies on.
    rejects: [bool; 2],
    /// Whether they accept all true ones. In the traces of logistics each city has one truck, and the models ask for it.
    accepts: bool,
}

const DOMAINS: [Domain; 8] = [
    Domain {
        name: "blocksworld",
        groups: &["ontable x | on x _ | holding x", "clear x | on _ x | holding x", "handempty | holding _"],
        locm: &["zero: () (b)", "b: () () (b)"],
        beside: &["b: () () (b)"],
        rejects: [false, true],
        accepts: true,
    },
    Domain {
        name: "gripper",
        groups: &["at-robby _", "at b _ | carry b _", "free g | carry _ g"],
        locm: &["zero: (room)", "ball: (left-right) (room)", "room: () ()", "left-right: () (ball)"],
        beside: &[],
        rejects: [true, true],
        accepts: true,
    },
    Domain {
        name: "ferry",
        groups: &["at-ferry _", "at c _ | on c", "empty-ferry | on _"],
        locm: &["zero: (l)", "c: () (l)", "l: () ()"],
        beside: &["zero: () (c)"],
        rejects: [false, true],
        accepts: true,
    },
    Domain {
        name: "logistics",
        groups: &["at o _ | in o _"],
        locm: &[
            "truck: (ap-loc)",
            "ap-loc: ()",
            "city: (truck ap-loc)",
            "plane: (ap-loc)",
            "pkg: (ap-loc) (plane) (truck)",
        ],
        beside: &["ap-loc: (truck city) (truck)", "ap-loc: (truck city) (truck)"],
        rejects: [true, true],
        accepts: false,
    },
    Domain {
        name: "driverlog",
        groups: &["at o _ | in o _ | driving o _", "empty t | driving _ t"],
        locm: &["driver: (p-s) (truck p-s)", "truck: (p-s)", "p-s: ()", "package: (p-s) (truck)"],
        beside: &["truck: (driver p-s) (p-s)"],
        rejects: [false, true],
        accepts: true,
    },
    Domain {
        name: "miconic",
        groups: &["lift-at _", "waiting p | boarded p | served p"],
        locm: &["zero: (f)", "f: () ()", "p: () () ()"],
        beside: &[],
        rejects: [true, true],
        accepts: true,
    },
    Domain {
        name: "hanoi",
        groups: &["on d _", "clear x | on _ x"],
        locm: &["d-peg: () (d-peg)"],
        beside: &[],
        rejects: [false, false],
        accepts: true,
    },
    Domain {
        name: "npuzzle",
        groups: &["at t _", "empty p | at _ p", "empty _"],
        locm: &["zero: (p)", "t: (p)", "p: () (t)"],
        beside: &[],
        rejects: [true, true],
        accepts: true,
    },
];

/// A machine as in the tables above, its states sorted.
fn shown(model: &Model, machine: &Machine) -> String {
    let sort = |parameter: &onlooker::locm::Parameter| model.sorts[parameter.sort.index()].name.clone();
    let mut states: Vec<String> = machine
        .states
        .iter()
        .map(|state| format!("({})", state.parameters.iter().map(sort).collect::<Vec<_>>().join(" ")))
        .collect();
    states.sort();
    format!("{}: {}", model.sort_name(machine.sort), states.join(" "))
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

fn model(traces: &[Vec<Action>], method: Method) -> Model {
    induce(&evidence(traces), &Options { method, ..Options::default() }, &AtomicBool::new(false))
}

#[test]
fn the_published_machines_are_found() {
    for folder in folders() {
        for domain in &DOMAINS {
            let traces = plans(&folder.join(format!("{}.txt", domain.name)));
            let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
            for (method, expected) in
                [(Method::Locm, owned(domain.locm)), (Method::Locm2, owned(&[domain.locm, domain.beside].concat()))]
            {
                let model = model(&traces, method);
                let found = model.machines.iter().map(|machine| shown(&model, machine)).collect();
                let place = format!("{} of {}, {method:?}", domain.name, folder.display());
                assert_eq!(sorted(found), sorted(expected), "{place}");
            }
        }
    }
}

/// Two actions of a plan exchanged, or one argument replaced by another object that was seen in its place.
fn wrong(plan: &[Action], all: &[Vec<Action>], chance: &mut Xoshiro256PlusPlus, swap: bool) -> Vec<Action> {
    let mut below = |limit: usize| (chance.next_u64() % limit as u64) as usize;
    let mut plan = plan.to_vec();
    for _ in 0..1000 {
        let at = below(plan.len());
        if swap {
            let other = below(plan.len());
            if plan[at] != plan[other] {
                plan.swap(at, other);
                return plan;
            }
        } else if !plan[at].arguments.is_empty() {
            let place = below(plan[at].arguments.len());
            let trace = &all[below(all.len())];
            let other = &trace[below(trace.len())];
            if other.name == plan[at].name && !plan[at].arguments.contains(&other.arguments[place]) {
                plan[at].arguments[place] = other.arguments[place].clone();
                return plan;
            }
        }
    }
    plan
}

#[derive(Default, Debug, PartialEq)]
struct Tally {
    right: usize,
    right_accepted: [usize; 2],
    wrong: usize,
    wrong_rejected: [usize; 2],
}

#[test]
fn plans_are_judged_as_in_the_true_domain() {
    for folder in folders() {
        println!("\n{}: learnt from every other trace, LOCM / LOCM2\n", folder.display());
        println!(
            "| domain | unseen plans accepted | true mutants accepted | false mutants rejected |\n|---|---|---|---|"
        );
        for domain in &DOMAINS {
            let path = folder.join(domain.name);
            let traces = plans(&path.with_extension("txt"));
            let truth = Strips::new(&std::fs::read_to_string(path.with_extension("pddl")).unwrap(), domain.groups);
            assert_eq!(truth.ungrouped().len(), 0, "{}", domain.name);
            let (seen, unseen): (Vec<_>, Vec<_>) = traces.iter().enumerate().partition(|(i, _)| i % 2 == 0);
            let strip =
                |half: Vec<(usize, &Vec<Action>)>| half.into_iter().map(|(_, trace)| trace.clone()).collect::<Vec<_>>();
            let (seen, unseen) = (strip(seen), strip(unseen));
            let models = [model(&seen, Method::Locm), model(&seen, Method::Locm2)];
            let mut chance = Xoshiro256PlusPlus::seed_from_u64(1);
            let mut accepted = [0; 2];
            let mut tally = Tally::default();
            for plan in &seen {
                assert!(truth.is_true(plan), "{}", domain.name);
                models.iter().for_each(|model| assert_eq!(model.accepts(plan), Ok(())));
            }
            for plan in &unseen {
                assert!(truth.is_true(plan), "{}", domain.name);
                models.iter().zip(&mut accepted).for_each(|(m, count)| *count += usize::from(m.accepts(plan).is_ok()));
                for i in 0..10 {
                    let mutant = wrong(plan, &traces, &mut chance, i % 2 == 0);
                    let verdicts = [0, 1].map(|i| models[i].accepts(&mutant).is_ok());
                    if truth.is_true(&mutant) {
                        tally.right += 1;
                        (0..2).for_each(|i| tally.right_accepted[i] += usize::from(verdicts[i]));
                    } else {
                        tally.wrong += 1;
                        (0..2).for_each(|i| tally.wrong_rejected[i] += usize::from(!verdicts[i]));
                    }
                }
            }
            let Tally { right, right_accepted, wrong, wrong_rejected } = &tally;
            println!(
                "| {} | {} / {} of {} | {} / {} of {right} | {} / {} of {wrong} |",
                domain.name,
                accepted[0],
                accepted[1],
                unseen.len(),
                right_accepted[0],
                right_accepted[1],
                wrong_rejected[0],
                wrong_rejected[1]
            );
            assert_eq!(accepted, [unseen.len(); 2], "{}", domain.name);
            if traces.len() >= 200 {
                assert_eq!([0, 1].map(|i| wrong_rejected[i] == *wrong), domain.rejects, "{}", domain.name);
            } else if domain.rejects[1] {
                assert_eq!(wrong_rejected[1], *wrong, "{}", domain.name);
            }
            assert_eq!(*right_accepted == [*right; 2], domain.accepts, "{}", domain.name);
        }
    }
}
