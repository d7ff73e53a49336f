//! A model as a planning domain in PDDL, with `:strips` and `:typing`, and plans as problems of it.
//!
//! A state of a machine is a predicate over the object and what is remembered. A parameter that some transition out of
//! its state does not name cannot be taken back by that transition, since STRIPS has no "whatever it was"; it becomes a
//! predicate of its own, of which old values may stay behind. So a domain accepts all that its model accepts, and more
//! only in that case. Machines that tell nothing (one state, no parameter) have no predicate.

use super::accept::TraceRun;
use super::model::{ActionId, Machine, Model, Parameter, SortId, StateId, Transition};
use super::names::Taken;
use super::{Action, Rejection};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// A model with names for all that its domain has.
pub struct Domain<'a> {
    model: &'a Model,
    name: String,
    actions: Vec<String>,
    sorts: Vec<String>,
    /// For each machine and state.
    predicates: Vec<Vec<Predicates>>,
    statics: Vec<String>,
    taken: Taken,
}

/// How a state is told.
#[derive(Clone, Debug, Default)]
struct Predicates {
    /// The predicate of the object and all parameters that every transition out of the state names.
    state: String,
    /// For each parameter its own predicate, if it has one.
    loose: Vec<Option<String>>,
}

/// The kind of an action, and its different objects.
type PredicateKind<'p> = (ActionId, Vec<&'p str>);

/// The atoms with which an object began in a machine, and those with which it ended.
type Ends = (Vec<PddlAtom>, Vec<PddlAtom>);

/// A predicate with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PddlAtom(Vec<String>);

impl fmt::Display for PddlAtom {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "({})", self.0.join(" "))
    }
}

impl<'a> Domain<'a> {
    /// The domain of a model.
    pub fn new(model: &'a Model, name: &str) -> Domain<'a> {
        let mut taken = Taken::default();
        let actions = (0..model.actions.len()).map(|i| taken.take(&model.action_name(ActionId(i as u32)))).collect();
        let sorts = model.sorts.iter().map(|sort| taken.take(&sort.name)).collect();
        let mut predicates = Vec::new();
        for machine in &model.machines {
            let mut states = Vec::new();
            for (number, state) in machine.states.iter().enumerate().filter(|_| !machine.is_trivial()) {
                let own = taken.take(&format!("{}-{}", machine.name, state.name));
                let loose = state.parameters.iter().map(|parameter| {
                    let sort = &model.sorts[parameter.sort.index()].name;
                    (!is_always_read(machine, number, parameter)).then(|| taken.take(&format!("{own}-{sort}")))
                });
                let loose = loose.collect();
                states.push(Predicates { state: own, loose });
            }
            predicates.push(states);
        }
        let statics = model.statics.iter().map(|relation| taken.take(&relation.name)).collect();
        let name = super::names::identifier(name);
        Domain { model, name, actions, sorts, predicates, statics, taken }
    }

    fn sort_of(&self, transition: Transition, argument: u32) -> SortId {
        self.model.actions[transition.action.index()].sorts[argument as usize - 1]
    }

    /// The atoms of an object in a state of a machine; parameters whose value is `None` and that have a predicate of
    /// their own are left out.
    fn atoms(&self, machine: usize, state: StateId, object: Option<&str>, values: &[Option<String>]) -> Vec<PddlAtom> {
        let Some(predicates) = self.predicates[machine].get(state.index()) else { return vec![] };
        let object = || object.map(str::to_owned);
        let mut joint = vec![predicates.state.clone()];
        joint.extend(object());
        let mut atoms = Vec::new();
        for (loose, value) in predicates.loose.iter().zip(values) {
            match (loose, value) {
                (None, value) => joint.extend(value.clone()),
                (Some(loose), Some(value)) => {
                    let atom = [Some(loose.clone()), object(), Some(value.clone())];
                    atoms.push(PddlAtom(atom.into_iter().flatten().collect()));
                }
                (Some(_), None) => {}
            }
        }
        atoms.insert(0, PddlAtom(joint));
        atoms
    }

    /// What an action needs, takes back and makes true.
    fn effects(&self, action: ActionId, variables: &[String]) -> (Vec<PddlAtom>, Vec<PddlAtom>, Vec<PddlAtom>) {
        let (mut needs, mut deletes, mut adds) = (vec![], vec![], vec![]);
        let named = |argument: Option<u32>| argument.map(|argument| variables[argument as usize - 1].clone());
        for argument in 0..=variables.len() as u32 {
            let transition = Transition { action, argument };
            let object = argument.checked_sub(1).map(|i| variables[i as usize].as_str());
            for (number, machine) in self.model.machines.iter().enumerate() {
                let Some(edge) = machine.edge(transition) else { continue };
                let (from, to) = (&machine.states[edge.from.index()], &machine.states[edge.to.index()]);
                let read: Vec<_> = from.parameters.iter().map(|p| named(p.read_by(transition))).collect();
                let written: Vec<_> = to.parameters.iter().map(|p| named(p.written_by(transition))).collect();
                let before = self.atoms(number, edge.from, object, &read);
                let after = self.atoms(number, edge.to, object, &written);
                deletes.extend(before.iter().filter(|atom| !after.contains(atom)).cloned());
                adds.extend(after.into_iter().filter(|atom| !before.contains(atom)));
                needs.extend(before);
            }
        }
        for (relation, name) in self.model.statics.iter().zip(&self.statics) {
            if relation.action == action {
                let (k, l) = relation.arguments;
                needs.push(PddlAtom(vec![
                    name.clone(),
                    variables[k as usize - 1].clone(),
                    variables[l as usize - 1].clone(),
                ]));
            }
        }
        (needs, deletes, adds)
    }

    /// Variables for objects of these sorts: `?ball`, or `?ball1` and `?ball2`.
    fn variables(&self, sorts: &[SortId]) -> Vec<String> {
        let count = |sort: SortId, sorts: &[SortId]| sorts.iter().filter(|other| **other == sort).count();
        let mut taken = Taken::default();
        let mut names = Vec::new();
        for (i, &sort) in sorts.iter().enumerate() {
            let name = &self.sorts[sort.index()];
            let name =
                if count(sort, sorts) == 1 { name.clone() } else { format!("{name}{}", count(sort, &sorts[..=i])) };
            names.push(format!("?{}", taken.take(&name)));
        }
        names
    }

    fn typed(&self, sorts: &[SortId]) -> String {
        let variables = self.variables(sorts);
        let typed = variables.iter().zip(sorts).map(|(name, sort)| format!("{name} - {}", self.sorts[sort.index()]));
        typed.collect::<Vec<_>>().join(" ")
    }

    fn write_predicates(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut line = |name: &str, sorts: &[SortId]| {
            let space = if sorts.is_empty() { "" } else { " " };
            writeln!(f, "    ({name}{space}{})", self.typed(sorts))
        };
        for (machine, predicates) in self.model.machines.iter().zip(&self.predicates) {
            for (state, predicates) in machine.states.iter().zip(predicates) {
                let own: Vec<SortId> = machine.sort.into_iter().collect();
                let joint = state.parameters.iter().zip(&predicates.loose).filter(|(_, loose)| loose.is_none());
                let sorts: Vec<SortId> = own.iter().copied().chain(joint.map(|(p, _)| p.sort)).collect();
                line(&predicates.state, &sorts)?;
                for (parameter, loose) in state.parameters.iter().zip(&predicates.loose) {
                    if let Some(loose) = loose {
                        line(loose, &[&own[..], &[parameter.sort]].concat())?;
                    }
                }
            }
        }
        for (relation, name) in self.model.statics.iter().zip(&self.statics) {
            let transition = Transition { action: relation.action, argument: 0 };
            let (k, l) = relation.arguments;
            line(name, &[self.sort_of(transition, k), self.sort_of(transition, l)])?;
        }
        Ok(())
    }

    /// A plan in the names of the domain: as it was, unless a name is not valid in PDDL or an object occurs twice in an
    /// action.
    ///
    /// # Errors
    ///
    /// [`Rejection`] if the model does not accept the plan.
    pub fn plan<S: AsRef<str>>(&self, plan: &[Action<S>]) -> Result<String, Rejection> {
        let mut text = String::new();
        let objects = self.objects(plan)?;
        for (action, arguments) in self.kinds(plan)? {
            let _ = write!(text, "({}", self.actions[action.index()]);
            for argument in arguments {
                let _ = write!(text, " {}", objects[argument].0);
            }
            text.push_str(")\n");
        }
        Ok(text)
    }

    /// The kinds of a plan's actions, with their different objects.
    fn kinds<'p, S: AsRef<str>>(&self, plan: &'p [Action<S>]) -> Result<Vec<PredicateKind<'p>>, Rejection> {
        let run = TraceRun::new(self.model);
        let mut kinds = Vec::new();
        for (step, action) in plan.iter().enumerate() {
            let arguments: Vec<&str> = action.arguments.iter().map(AsRef::as_ref).collect();
            kinds.push(run.kind(action.name.as_ref(), &arguments).map_err(|reason| {
                let action = Action::new(action.name.as_ref(), arguments).to_string();
                Rejection { step, action, reason: Box::new(reason) }
            })?);
        }
        Ok(kinds)
    }

    /// The objects of a plan that the model accepts: their names in the problem, and their sorts.
    fn objects<'p, S: AsRef<str>>(
        &self,
        plan: &'p [Action<S>],
    ) -> Result<BTreeMap<&'p str, (String, SortId)>, Rejection> {
        self.model.accepts(plan)?;
        let mut sorts: BTreeMap<&str, SortId> = BTreeMap::new();
        for (action, objects) in self.kinds(plan)? {
            sorts.extend(objects.into_iter().zip(self.model.actions[action.index()].sorts.iter().copied()));
        }
        let mut taken = self.taken.clone();
        Ok(sorts.into_iter().map(|(object, sort)| (object, (taken.take(object), sort))).collect())
    }

    /// A problem that a plan solves: it begins in a state that lets the plan be carried out, and asks for the state in
    /// which it ends, as far as the plan tells. What is remembered in a first state is what is read from it first.
    ///
    /// # Errors
    ///
    /// [`Rejection`] if the model does not accept the plan.
    pub fn problem<S: AsRef<str>>(&self, name: &str, plan: &[Action<S>]) -> Result<String, Rejection> {
        let objects = self.objects(plan)?;
        let model = self.model;
        // For each machine and object.
        let mut places: BTreeMap<(usize, Option<&str>), Ends> = BTreeMap::new();
        for (action, arguments) in self.kinds(plan)? {
            let named = |argument: Option<u32>| argument.map(|i| objects[arguments[i as usize - 1]].0.clone());
            for argument in 0..=arguments.len() {
                let transition = Transition { action, argument: argument as u32 };
                let object = argument.checked_sub(1).map(|i| arguments[i]);
                let own = object.map(|object| objects[object].0.as_str());
                for (number, machine) in model.machines.iter().enumerate() {
                    let Some(edge) = machine.edge(transition) else { continue };
                    let from = &machine.states[edge.from.index()].parameters;
                    let to = &machine.states[edge.to.index()].parameters;
                    let read: Vec<_> = from.iter().map(|p| named(p.read_by(transition))).collect();
                    let written: Vec<_> = to.iter().map(|p| named(p.written_by(transition))).collect();
                    let first = || (self.atoms(number, edge.from, own, &read), vec![]);
                    let place = places.entry((number, object)).or_insert_with(first);
                    place.1 = self.atoms(number, edge.to, own, &written);
                }
            }
        }
        let mut text = String::new();
        let _ = writeln!(text, "(define (problem {})", super::names::identifier(name));
        let _ = writeln!(text, "  (:domain {})", self.name);
        text.push_str("  (:objects\n");
        for (name, sort) in objects.values() {
            let _ = writeln!(text, "    {name} - {}", self.sorts[sort.index()]);
        }
        text.push_str("  )\n  (:init\n");
        for atom in places.values().flat_map(|place| &place.0) {
            let _ = writeln!(text, "    {atom}");
        }
        for (relation, name) in model.statics.iter().zip(&self.statics) {
            for (first, second) in &relation.tuples {
                if let (Some(first), Some(second)) = (objects.get(first.as_str()), objects.get(second.as_str())) {
                    let _ = writeln!(text, "    ({name} {} {})", first.0, second.0);
                }
            }
        }
        text.push_str("  )\n  (:goal (and\n");
        for atom in places.values().flat_map(|place| &place.1) {
            let _ = writeln!(text, "    {atom}");
        }
        text.push_str("  ))\n)\n");
        Ok(text)
    }
}

/// Whether all transitions out of a parameter's state name it.
fn is_always_read(machine: &Machine, state: usize, parameter: &Parameter) -> bool {
    let mut out = machine.edges.iter().filter(|edge| edge.from.index() == state);
    out.all(|edge| parameter.read_by(edge.transition).is_some())
}

impl fmt::Display for Domain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Model { traces, steps, .. } = self.model;
        writeln!(f, "; Induced from {traces} traces with {steps} actions.")?;
        for (machine, predicates) in self.model.machines.iter().zip(&self.predicates) {
            for loose in predicates.iter().flat_map(|predicates| predicates.loose.iter().flatten()) {
                writeln!(
                    f,
                    "; Some action ends {loose} of {} without naming what it was: old values stay.",
                    machine.name
                )?;
            }
        }
        writeln!(f, "(define (domain {})\n  (:requirements :strips :typing)", self.name)?;
        if !self.sorts.is_empty() {
            writeln!(f, "  (:types {})", self.sorts.join(" "))?;
        }
        writeln!(f, "  (:predicates")?;
        self.write_predicates(f)?;
        writeln!(f, "  )")?;
        for (number, action) in self.model.actions.iter().enumerate() {
            let variables = self.variables(&action.sorts);
            let (needs, deletes, adds) = self.effects(ActionId(number as u32), &variables);
            if action.has_repeats() {
                let original = self.model.action_name(ActionId(number as u32));
                writeln!(f, "  ; {original}: {} with one object in the places in braces", action.name)?;
            }
            writeln!(f, "  (:action {}", self.actions[number])?;
            writeln!(f, "    :parameters ({})", self.typed(&action.sorts))?;
            write!(f, "    :precondition (and")?;
            needs.iter().try_for_each(|atom| write!(f, "\n      {atom}"))?;
            write!(f, ")\n    :effect (and")?;
            deletes.iter().try_for_each(|atom| write!(f, "\n      (not {atom})"))?;
            adds.iter().try_for_each(|atom| write!(f, "\n      {atom}"))?;
            writeln!(f, "))")?;
        }
        writeln!(f, ")")
    }
}
