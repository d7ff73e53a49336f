//! From evidence to a model.
//!
//! After Cresswell, McCluskey and West, *Acquiring planning domain models using LOCM* (2013). Departures: an action with
//! an object in two places is an action of its own; parameters are looked for in the zero machine too; a parameter is
//! also flawed if a transition would write or read it with two arguments, or if what was written and what was read were
//! seen to differ, so that a model accepts all traces it was induced from.

use super::evidence::{Evidence, MAX_ARGUMENTS, MAX_SPLIT, NONE, Pair, SortPartition};
use super::family::words;
use super::model::{
    ActionId, Edge, Flaw, Machine, Method, Model, Note, Options, Parameter, Removed, Schema, Sort, SortId, State,
    StateId, Static, Transition,
};
use super::names;
use super::split::Following;
use super::tuples::is_static;
use crate::budget::{Budget, StopReason};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Induces a model. The same traces give the same model, in whatever order they were seen.
///
/// Splitting a sort into several machines takes at most [`Options::budget`] steps, and none are taken once `stop` is
/// raised. Sorts that were not split have one machine; [`Model::notes`] says which, [`Model::stopped`] why.
pub fn induce(evidence: &Evidence, options: &Options, stop: &AtomicBool) -> Model {
    let evidence = evidence.canonical();
    let induction = Induction::new(&evidence);
    let mut notes = Vec::new();
    let mut stopped = StopReason::Done;
    let mut machines = Vec::new();
    let sorts = (0..induction.members.len()).map(|sort| SortId(sort as u32));
    for sort in [None].into_iter().chain(sorts.map(Some)) {
        let all = induction.members_of(sort);
        if all.is_empty() {
            continue;
        }
        let mut sets = vec![];
        if options.method == Method::Locm2 {
            match induction.split(all, &mut Budget::new(options.budget, stop)) {
                Ok(Some(found)) => sets = found,
                Ok(None) => notes.push(Note::Wide(sort)),
                Err(reason) => {
                    notes.push(Note::NotSplit(sort, reason));
                    stopped = stopped.max(reason);
                }
            }
        }
        sets.push(all.to_vec());
        for set in sets {
            let machine = induction.machine(sort, &set, set.len() == all.len());
            if sort.is_none() && machine.is_trivial() {
                if machine.is_whole {
                    notes.push(Note::NoZeroMachine);
                }
            } else {
                machines.push(machine);
            }
        }
    }
    let mut model = Model {
        sorts: induction.members.iter().map(|members| induction.sort(members)).collect(),
        actions: induction.schemas(),
        machines,
        statics: if options.statics { induction.statics() } else { vec![] },
        notes,
        stopped,
        traces: evidence.traces,
        steps: evidence.steps,
    };
    names::name(&mut model, &evidence);
    model
}

/// Evidence in canonical order, with its sorts.
struct Induction<'a> {
    evidence: &'a Evidence,
    /// The transitions of the imagined object.
    zero: Vec<usize>,
    /// For each sort its transitions.
    members: Vec<Vec<usize>>,
    /// For each transition its sort.
    sorts: Vec<Option<SortId>>,
}

impl<'a> Induction<'a> {
    fn new(evidence: &'a Evidence) -> Induction<'a> {
        let mut by_root: BTreeMap<usize, SortId> = BTreeMap::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut zero = Vec::new();
        let mut sorts = Vec::new();
        for (slot, known) in evidence.slots.iter().enumerate() {
            if known.argument == 0 {
                zero.push(slot);
                sorts.push(None);
                continue;
            }
            let next = SortId(members.len() as u32);
            let sort = *by_root.entry(evidence.sort(slot)).or_insert(next);
            if sort == next {
                members.push(Vec::new());
            }
            members[sort.index()].push(slot);
            sorts.push(Some(sort));
        }
        Induction { evidence, zero, members, sorts }
    }

    fn members_of(&self, sort: Option<SortId>) -> &[usize] {
        sort.map_or(&self.zero, |sort| &self.members[sort.index()])
    }

    fn transition(&self, slot: usize) -> Transition {
        let slot = &self.evidence.slots[slot];
        Transition { action: ActionId(slot.action), argument: slot.argument.into() }
    }

    fn sort(&self, members: &[usize]) -> Sort {
        Sort { name: String::new(), transitions: members.iter().map(|&slot| self.transition(slot)).collect() }
    }

    fn schemas(&self) -> Vec<Schema> {
        let schema = |kind: &super::evidence::ActionKind| Schema {
            name: kind.name.to_string(),
            shape: kind.shape.iter().map(|&object| object.into()).collect(),
            sorts: (1..=kind.objects()).filter_map(|i| self.sorts[kind.first as usize + i]).collect(),
            count: kind.count,
        };
        self.evidence.actions.iter().map(schema).collect()
    }

    fn statics(&self) -> Vec<Static> {
        let Some(tuples) = &self.evidence.tuples else { return vec![] };
        let mut found = Vec::new();
        for ((action, k, l), tuples) in tuples.sorted() {
            let Some(tuples) = tuples else { continue };
            if is_static(&tuples, self.evidence.actions[action as usize].count) {
                let pairs = tuples.keys().map(|(a, b)| ((*a).to_owned(), (*b).to_owned()));
                found.push(Static {
                    name: String::new(),
                    action: ActionId(action),
                    arguments: (u32::from(k) + 1, u32::from(l) + 1),
                    tuples: pairs.collect(),
                });
            }
        }
        found
    }

    fn pair(&self, before: usize, after: usize) -> Option<&Pair> {
        let entry = *self.evidence.rows[after].get(before)?;
        (entry != NONE).then(|| &self.evidence.pairs[(entry / 2) as usize])
    }

    /// Whether one transition follows another once all that are not chosen are left out.
    fn follows(&self, before: usize, after: usize, chosen: &[u64]) -> bool {
        self.pair(before, after).is_some_and(|pair| pair.between.has_one_apart_from(chosen))
    }

    /// The sets of transitions that are machines of their own, beside that of all; `None` if there are too many
    /// transitions.
    fn split(&self, members: &[usize], budget: &mut Budget) -> Result<Option<Vec<Vec<usize>>>, StopReason> {
        if members.len() > MAX_SPLIT {
            return Ok(None);
        }
        let mut following = Following { rows: vec![0; members.len()], between: vec![] };
        for (a, &before) in members.iter().enumerate() {
            for (b, &after) in members.iter().enumerate() {
                let Some(pair) = self.pair(before, after) else { continue };
                if pair.between.is_settled() {
                    following.rows[a] |= 1 << b;
                } else {
                    let local = |slot: usize| members.binary_search(&slot).map_or(0, |at| 1 << at);
                    let sets = pair.between.sets().iter().map(|set| set.iter().fold(0, |all, slot| all | local(slot)));
                    following.between.push((a, b, sets.collect()));
                }
            }
        }
        let global =
            |set: u64| (0..members.len()).filter(|i| set >> i & 1 == 1).map(|i| members[i]).collect::<Vec<_>>();
        Ok(Some(following.split(budget)?.into_iter().map(global).collect()))
    }

    fn machine(&self, sort: Option<SortId>, members: &[usize], is_whole: bool) -> Machine {
        let chosen = words(members.iter().copied());
        // Two symbols for each transition, its start and its end.
        let mut joined = SortPartition::of(2 * members.len());
        let mut following = vec![vec![false; members.len()]; members.len()];
        for (a, &before) in members.iter().enumerate() {
            for (b, &after) in members.iter().enumerate() {
                if self.follows(before, after, &chosen) {
                    joined.join(2 * a + 1, 2 * b);
                    following[a][b] = true;
                }
            }
        }
        let mut numbers: BTreeMap<usize, StateId> = BTreeMap::new();
        let mut states: Vec<State> = Vec::new();
        let mut state = |symbol: usize| {
            *numbers.entry(joined.find(symbol)).or_insert_with(|| {
                states.push(State { name: String::new(), parameters: vec![], is_initial: false, is_final: false });
                StateId(states.len() as u32 - 1)
            })
        };
        let edges: Vec<Edge> = (0..members.len())
            .map(|i| Edge { transition: self.transition(members[i]), from: state(2 * i), to: state(2 * i + 1) })
            .collect();
        let mut unseen = Vec::new();
        for (a, before) in edges.iter().enumerate() {
            states[before.from.index()].is_initial |=
                self.evidence.slots[members[a]].before.has_one_apart_from(&chosen);
            states[before.to.index()].is_final |= self.evidence.slots[members[a]].after.has_one_apart_from(&chosen);
            for (b, after) in edges.iter().enumerate() {
                if before.to == after.from && !following[a][b] {
                    unseen.push((before.transition, after.transition));
                }
            }
        }
        let mut machine = Machine { name: String::new(), sort, states, edges, is_whole, unseen, removed: vec![] };
        self.add_parameters(&mut machine, members, &following, &chosen);
        machine
    }

    fn add_parameters(&self, machine: &mut Machine, members: &[usize], following: &[Vec<bool>], chosen: &[u64]) {
        // Arguments that agreed whenever one transition followed the other. What is written by the same argument or read
        // by the same is the same thing.
        let width = MAX_ARGUMENTS + 1;
        let mut joined = SortPartition::of(2 * members.len() * width);
        let mut agrees = vec![false; 2 * members.len() * width];
        let pairs = (0..members.len()).flat_map(|a| (0..members.len()).map(move |b| (a, b)));
        for (a, b) in pairs.filter(|&(a, b)| following[a][b]) {
            let Some(pair) = self.pair(members[a], members[b]) else { continue };
            for known in pair.agreeing.iter().filter(|known| !known.differed.has_one_apart_from(chosen)) {
                let written = 2 * (a * width + usize::from(known.written) + 1);
                let read = 2 * (b * width + usize::from(known.read) + 1) + 1;
                (agrees[written], agrees[read]) = (true, true);
                joined.join(written, read);
            }
        }
        let mut classes: BTreeMap<usize, Class> = BTreeMap::new();
        for node in (0..agrees.len()).filter(|&node| agrees[node]) {
            let class = classes.entry(joined.find(node)).or_default();
            let argument = Argument { member: node / 2 / width, object: (node / 2 % width) as u32 };
            if node % 2 == 1 { &mut class.reads } else { &mut class.writes }.push(argument);
        }
        let mut classes: Vec<Class> = classes.into_values().collect();
        classes.sort_by(|a, b| a.writes.cmp(&b.writes));
        for class in classes {
            let place = |argument: &Argument| (self.transition(members[argument.member]), argument.object);
            let [first, ..] = class.writes[..] else { continue };
            let action = &self.evidence.actions[self.evidence.slots[members[first.member]].action as usize];
            let Some(sort) = self.sorts[(action.first + first.object) as usize] else { continue };
            let state = machine.edges[first.member].to;
            let parameter = Parameter {
                sort,
                writes: class.writes.iter().map(place).collect(),
                reads: class.reads.iter().map(place).collect(),
            };
            match self.flaw(machine, state, &class, members, following, chosen) {
                None => machine.states[state.index()].parameters.push(parameter),
                Some(flaw) => machine.removed.push(Removed { state, parameter, flaw }),
            }
        }
    }

    fn flaw(
        &self,
        machine: &Machine,
        state: StateId,
        class: &Class,
        members: &[usize],
        following: &[Vec<bool>],
        chosen: &[u64],
    ) -> Option<Flaw> {
        let transition = |member: usize| machine.edges[member].transition;
        let twice = |arguments: &[Argument]| {
            arguments.windows(2).find(|two| two[0].member == two[1].member).map(|two| transition(two[0].member))
        };
        let into = (0..machine.edges.len()).filter(|&member| machine.edges[member].to == state);
        let silent = into.into_iter().find(|&member| class.writes.iter().all(|write| write.member != member));
        if let Some(member) = silent {
            return Some(Flaw::NotWritten(transition(member)));
        }
        if let Some(flaw) = twice(&class.writes).map(Flaw::WrittenTwice).or(twice(&class.reads).map(Flaw::ReadTwice)) {
            return Some(flaw);
        }
        let pairs = class.writes.iter().flat_map(|write| class.reads.iter().map(move |read| (*write, *read)));
        let agrees = |(write, read): &(Argument, Argument)| {
            let pair = self.pair(members[write.member], members[read.member]);
            pair.is_some_and(|pair| pair.agrees(write.object, read.object, chosen))
        };
        let contradicted = pairs.into_iter().find(|pair| following[pair.0.member][pair.1.member] && !agrees(pair));
        contradicted.map(|(write, read)| Flaw::Contradicted(transition(write.member), transition(read.member)))
    }
}

/// An argument of a transition's action: which of the machine's transitions, and which object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Argument {
    member: usize,
    object: u32,
}

/// Arguments that are the same thing.
#[derive(Clone, Debug, Default)]
struct Class {
    writes: Vec<Argument>,
    reads: Vec<Argument>,
}
