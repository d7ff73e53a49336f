//! LOCM and LOCM2 written down plainly: all sequences are kept, all sets of transitions are tried by size.

use onlooker::locm::{Action, Machine, Model};
use std::collections::{BTreeMap, BTreeSet};

/// A transition: the action (with the arguments that are the same object), and which object, 0 for the imagined one.
pub type Step = (String, usize);

/// A transition, and one of its action's objects.
pub type Argument = (Step, usize);

/// A step with all objects of its action.
type Made = (Step, Vec<String>);

/// A machine without names: for each transition its start and end, states being numbered by the order in which the
/// sorted transitions come to them; and for each state its parameters, each as what is written and read.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone)]
pub struct Plain {
    pub edges: BTreeMap<Step, (usize, usize)>,
    pub parameters: BTreeSet<(usize, Vec<Argument>, Vec<Argument>)>,
    pub finals: BTreeSet<usize>,
    pub initials: BTreeSet<usize>,
}

fn kind(action: &Action<&str>) -> (String, Vec<String>) {
    let mut objects: Vec<&str> = Vec::new();
    let mut shape = Vec::new();
    for argument in &action.arguments {
        let at = objects.iter().position(|object| object == argument).unwrap_or_else(|| {
            objects.push(argument);
            objects.len() - 1
        });
        shape.push(at);
    }
    (format!("{}{shape:?}", action.name), objects.into_iter().map(str::to_owned).collect())
}

/// For each object of each trace what happened to it; the imagined object has no name.
fn sequences(traces: &[Vec<Action<&str>>]) -> Vec<(bool, Vec<Made>)> {
    let mut all = Vec::new();
    for trace in traces {
        let mut of: BTreeMap<Option<String>, Vec<Made>> = BTreeMap::new();
        for action in trace {
            let (name, objects) = kind(action);
            of.entry(None).or_default().push(((name.clone(), 0), objects.clone()));
            for (i, object) in objects.iter().enumerate() {
                of.entry(Some(object.clone())).or_default().push(((name.clone(), i + 1), objects.clone()));
            }
        }
        all.extend(of.into_iter().map(|(object, made)| (object.is_none(), made)));
    }
    all
}

/// Classes of transitions, the imagined object's first.
fn sorts(sequences: &[(bool, Vec<Made>)]) -> Vec<BTreeSet<Step>> {
    let mut sorts: Vec<BTreeSet<Step>> = Vec::new();
    let zero = sequences.iter().filter(|s| s.0).flat_map(|s| s.1.iter().map(|made| made.0.clone())).collect();
    sorts.push(zero);
    for (is_zero, made) in sequences {
        if !is_zero {
            let mut merged: BTreeSet<Step> = made.iter().map(|made| made.0.clone()).collect();
            sorts.retain(|sort| {
                let apart = sort.is_disjoint(&merged);
                if !apart {
                    merged.extend(sort.iter().cloned());
                }
                apart
            });
            sorts.push(merged);
        }
    }
    sorts
}

fn project(sequences: &[(bool, Vec<Made>)], set: &BTreeSet<Step>) -> Vec<Vec<Made>> {
    let within = |made: &[Made]| made.iter().filter(|made| set.contains(&made.0)).cloned().collect::<Vec<_>>();
    sequences.iter().map(|sequence| within(&sequence.1)).filter(|made| !made.is_empty()).collect()
}

fn adjacent(sequences: &[Vec<Made>]) -> BTreeSet<(Step, Step)> {
    sequences.iter().flat_map(|made| made.windows(2).map(|two| (two[0].0.clone(), two[1].0.clone()))).collect()
}

fn holes(set: &BTreeSet<Step>, pairs: &BTreeSet<(Step, Step)>) -> Vec<(Step, Step)> {
    let row =
        |step: &Step| set.iter().filter(|to| pairs.contains(&(step.clone(), (*to).clone()))).collect::<BTreeSet<_>>();
    let mut holes = BTreeSet::new();
    for a in set {
        for b in set {
            if !row(a).is_disjoint(&row(b)) {
                holes.extend(row(b).difference(&row(a)).map(|to| (a.clone(), (*to).clone())));
            }
        }
    }
    holes.into_iter().collect()
}

/// All subsets of this size, in order.
fn combinations(of: &[Step], size: usize) -> Vec<Vec<Step>> {
    if size == 0 {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for i in 0..of.len() {
        for mut rest in combinations(&of[i + 1..], size - 1) {
            rest.insert(0, of[i].clone());
            all.push(rest);
        }
    }
    all
}

fn split(sequences: &[(bool, Vec<Made>)], all: &BTreeSet<Step>) -> Vec<BTreeSet<Step>> {
    let seen = adjacent(&project(sequences, all));
    let mut chosen: Vec<BTreeSet<Step>> = Vec::new();
    for (a, b) in holes(all, &seen) {
        if chosen.iter().any(|set| set.contains(&a) && set.contains(&b)) {
            continue;
        }
        let others: Vec<Step> = all.iter().filter(|step| **step != a && **step != b).cloned().collect();
        let own: BTreeSet<Step> = [a, b].into_iter().collect();
        let sets = (own.len()..all.len()).flat_map(|size| combinations(&others, size - own.len()));
        let good =
            sets.map(|rest| rest.into_iter().chain(own.iter().cloned()).collect::<BTreeSet<Step>>()).find(|set| {
                let pairs = adjacent(&project(sequences, set));
                holes(set, &pairs).is_empty() && pairs.is_subset(&seen)
            });
        chosen.extend(good);
    }
    let sets = chosen.clone();
    chosen.retain(|set| !sets.iter().any(|other| other != set && set.is_subset(other)));
    chosen.push(all.clone());
    chosen
}

fn machine(sequences: &[(bool, Vec<Made>)], set: &BTreeSet<Step>) -> Plain {
    let projected = project(sequences, set);
    let pairs = adjacent(&projected);
    // A class for each start and end, joined until nothing changes.
    let mut class: BTreeMap<(Step, bool), usize> = BTreeMap::new();
    for step in set {
        class.insert((step.clone(), false), class.len());
        class.insert((step.clone(), true), class.len());
    }
    for (a, b) in &pairs {
        let (from, to) = (class[&(a.clone(), true)], class[&(b.clone(), false)]);
        class.values_mut().filter(|class| **class == from).for_each(|class| *class = to);
    }
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    let mut number = |class: usize| {
        let next = numbers.len();
        *numbers.entry(class).or_insert(next)
    };
    let edges: BTreeMap<Step, (usize, usize)> = set
        .iter()
        .map(|step| {
            let from = number(class[&(step.clone(), false)]);
            (step.clone(), (from, number(class[&(step.clone(), true)])))
        })
        .collect();
    // Hypotheses that held every time.
    let mut held: BTreeMap<(Argument, Argument), bool> = BTreeMap::new();
    for made in &projected {
        for two in made.windows(2) {
            let ((a, written), (b, read)) = (&two[0], &two[1]);
            for k in (1..=written.len()).filter(|k| *k != a.1) {
                for l in (1..=read.len()).filter(|l| *l != b.1) {
                    let hypothesis = ((a.clone(), k), (b.clone(), l));
                    *held.entry(hypothesis).or_insert(true) &= written[k - 1] == read[l - 1];
                }
            }
        }
    }
    let held: BTreeSet<(Argument, Argument)> = held.into_iter().filter(|h| h.1).map(|h| h.0).collect();
    let mut classes: Vec<BTreeSet<(Argument, Argument)>> = Vec::new();
    for h in &held {
        let mut merged = BTreeSet::from([h.clone()]);
        classes.retain(|class| {
            let joins = class.iter().any(|other| other.0 == h.0 || other.1 == h.1);
            if joins {
                merged.extend(class.iter().cloned());
            }
            !joins
        });
        classes.push(merged);
    }
    let mut parameters = BTreeSet::new();
    for class in classes {
        let writes: BTreeSet<Argument> = class.iter().map(|h| h.0.clone()).collect();
        let reads: BTreeSet<Argument> = class.iter().map(|h| h.1.clone()).collect();
        let state = edges[&writes.first().unwrap().0].1;
        let once = |arguments: &BTreeSet<Argument>| {
            arguments.iter().map(|argument| &argument.0).collect::<BTreeSet<_>>().len() == arguments.len()
        };
        let set_by_all = edges.iter().filter(|e| e.1.1 == state).all(|e| writes.iter().any(|write| write.0 == *e.0));
        let consistent = writes.iter().all(|write| {
            reads.iter().all(|read| {
                !pairs.contains(&(write.0.clone(), read.0.clone())) || held.contains(&(write.clone(), read.clone()))
            })
        });
        if set_by_all && consistent && once(&writes) && once(&reads) {
            parameters.insert((state, writes.into_iter().collect(), reads.into_iter().collect()));
        }
    }
    let finals = projected.iter().map(|made| edges[&made.last().unwrap().0].1).collect();
    let initials = projected.iter().map(|made| edges[&made[0].0].0).collect();
    Plain { edges, parameters, finals, initials }
}

/// The machines of a set of traces; those of the imagined object that tell nothing are left out.
pub fn machines(traces: &[Vec<Action<&str>>], several: bool) -> BTreeSet<Plain> {
    let sequences = sequences(traces);
    let mut found = BTreeSet::new();
    for (i, sort) in sorts(&sequences).iter().enumerate() {
        let sets = if several { split(&sequences, sort) } else { vec![sort.clone()] };
        for set in sets.iter().filter(|set| !set.is_empty()) {
            let machine = machine(&sequences, set);
            let states: BTreeSet<usize> = machine.edges.values().flat_map(|e| [e.0, e.1]).collect();
            if i > 0 || states.len() > 1 || !machine.parameters.is_empty() {
                found.insert(machine);
            }
        }
    }
    found
}

/// A machine of the library in the same form.
pub fn plain(model: &Model, machine: &Machine) -> Plain {
    let step = |transition: onlooker::locm::Transition| {
        let schema = &model.actions[transition.action.index()];
        (format!("{}{:?}", schema.name, schema.shape), transition.argument as usize)
    };
    let places = |places: &[(onlooker::locm::Transition, u32)]| {
        let mut places: Vec<_> = places.iter().map(|(t, argument)| (step(*t), *argument as usize)).collect();
        places.sort();
        places
    };
    let sorted: BTreeMap<Step, (usize, usize)> =
        machine.edges.iter().map(|edge| (step(edge.transition), (edge.from.index(), edge.to.index()))).collect();
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    for state in sorted.values().flat_map(|edge| [edge.0, edge.1]) {
        let next = numbers.len();
        numbers.entry(state).or_insert(next);
    }
    let edges = sorted.into_iter().map(|(step, (from, to))| (step, (numbers[&from], numbers[&to]))).collect();
    let mut plain = Plain { edges, parameters: BTreeSet::new(), finals: BTreeSet::new(), initials: BTreeSet::new() };
    for (i, state) in machine.states.iter().enumerate() {
        let number = numbers[&i];
        plain.finals.extend(state.is_final.then_some(number));
        plain.initials.extend(state.is_initial.then_some(number));
        for p in &state.parameters {
            plain.parameters.insert((number, places(&p.writes), places(&p.reads)));
        }
    }
    plain
}
