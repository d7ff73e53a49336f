//! Plans run through a model.

use super::evidence::shape;
use super::model::{ActionId, Model, SortId, StateId, Transition};
use super::{Action, Machine};
use std::collections::HashMap;
use std::fmt;

/// Why a plan is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The first action that cannot be done, counted from 0.
    pub step: usize,
    /// The action.
    pub action: String,
    /// Why it cannot be done.
    pub reason: Box<Reason>,
}

/// Why an action cannot be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is no such action.
    UnknownAction,
    /// The action has another number of arguments.
    Arity {
        /// How many it has in the model.
        expected: usize,
    },
    /// The action was never seen with one object in two places, or in these.
    Repeated,
    /// An object is of another sort.
    Sort {
        /// The object.
        object: String,
        /// The sort it has.
        found: String,
        /// The sort it should have.
        expected: String,
    },
    /// An object is in another state.
    State {
        /// The object; `None` for the imagined one.
        object: Option<String>,
        /// The machine.
        machine: String,
        /// The state it is in.
        found: String,
        /// The state it should be in.
        expected: String,
    },
    /// Another object is remembered.
    Parameter {
        /// The object; `None` for the imagined one.
        object: Option<String>,
        /// The machine.
        machine: String,
        /// The state.
        state: String,
        /// The object that is remembered.
        found: String,
        /// The object of the action that should be.
        expected: String,
    },
    /// Two objects are not related as they always were.
    Static {
        /// The relation.
        relation: String,
        /// The two objects.
        objects: (String, String),
    },
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "step {}, {}: {}", self.step + 1, self.action, self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let who = |object: &Option<String>| object.clone().unwrap_or("zero".to_owned());
        match self {
            Reason::UnknownAction => f.write_str("the model has no such action"),
            Reason::Arity { expected } => write!(f, "expected {expected} arguments"),
            Reason::Repeated => f.write_str("no such action was seen with the same object twice in this way"),
            Reason::Sort { object, found, expected } => write!(f, "{object} is a {found}, expected a {expected}"),
            Reason::State { object, machine, found, expected } => {
                write!(f, "{} is {found} in {machine}, expected {expected}", who(object))
            }
            Reason::Parameter { object, machine, state, found, expected } => {
                write!(f, "{} is {state} in {machine} with {found}, expected {expected}", who(object))
            }
            Reason::Static { relation, objects: (a, b) } => write!(f, "{a} and {b} were never seen in {relation}"),
        }
    }
}

impl Model {
    /// Whether some initial state lets a plan be carried out.
    ///
    /// Each object of the plan starts, in each machine of its sort, where its first transition of that machine starts;
    /// so does the imagined object. What its first state remembers is not known, and agrees with anything. From then on
    /// each transition must start where the one before it ended, and the objects it reads must be those that were
    /// written. An object has one sort in a plan. Where the model has static relations, two objects that were both seen
    /// in a relation's places must have been seen there together.
    ///
    /// # Errors
    ///
    /// [`Rejection`] with the first action that cannot be done, and why.
    pub fn accepts<S: AsRef<str>>(&self, plan: &[Action<S>]) -> Result<(), Rejection> {
        let mut run = TraceRun::new(self);
        for (step, action) in plan.iter().enumerate() {
            let arguments: Vec<&str> = action.arguments.iter().map(AsRef::as_ref).collect();
            run.step(action.name.as_ref(), &arguments).map_err(|reason| {
                let action = Action::new(action.name.as_ref(), arguments).to_string();
                Rejection { step, action, reason: Box::new(reason) }
            })?;
        }
        Ok(())
    }
}

/// Where a plan has led so far.
pub(super) struct TraceRun<'a, 'p> {
    model: &'a Model,
    /// For each name the kinds of action it may be.
    actions: HashMap<&'a str, Vec<ActionId>>,
    /// For each transition the machines that have it.
    machines: HashMap<Transition, Vec<usize>>,
    sorts: HashMap<&'p str, SortId>,
    /// Where each object is in each machine; the imagined object has no name.
    places: HashMap<(usize, Option<&'p str>), ObjectState<'p>>,
}

/// A state, and what is remembered there.
struct ObjectState<'p> {
    state: StateId,
    /// For each parameter of the state.
    values: Vec<Option<&'p str>>,
}

impl<'a, 'p> TraceRun<'a, 'p> {
    pub fn new(model: &'a Model) -> TraceRun<'a, 'p> {
        let mut actions: HashMap<&str, Vec<ActionId>> = HashMap::new();
        for (number, action) in model.actions.iter().enumerate() {
            actions.entry(&action.name).or_default().push(ActionId(number as u32));
        }
        let mut machines: HashMap<Transition, Vec<usize>> = HashMap::new();
        for (number, machine) in model.machines.iter().enumerate() {
            machine.edges.iter().for_each(|edge| machines.entry(edge.transition).or_default().push(number));
        }
        TraceRun { model, actions, machines, sorts: HashMap::new(), places: HashMap::new() }
    }

    /// The kind of an action, and its different objects.
    pub fn kind(&self, name: &str, arguments: &[&'p str]) -> Result<(ActionId, Vec<&'p str>), Reason> {
        let kinds = self.actions.get(name).ok_or(Reason::UnknownAction)?;
        let expected = self.model.actions[kinds[0].index()].shape.len();
        let shape = shape(arguments, |a, b| a == b).filter(|shape| shape.len() == expected);
        let shape: Vec<usize> = shape.ok_or(Reason::Arity { expected })?.iter().map(|&i| i.into()).collect();
        let kind = kinds.iter().find(|kind| self.model.actions[kind.index()].shape == shape);
        let mut objects = Vec::new();
        for (i, &argument) in arguments.iter().enumerate() {
            if shape[i] == objects.len() {
                objects.push(argument);
            }
        }
        Ok((*kind.ok_or(Reason::Repeated)?, objects))
    }

    /// Carries out an action, or says why not.
    pub fn step(&mut self, name: &str, arguments: &[&'p str]) -> Result<(), Reason> {
        let (action, objects) = self.kind(name, arguments)?;
        self.check_statics(action, &objects)?;
        let sorts = &self.model.actions[action.index()].sorts;
        for (&object, &sort) in objects.iter().zip(sorts) {
            let found = *self.sorts.entry(object).or_insert(sort);
            if found != sort {
                let name = |sort: SortId| self.model.sorts[sort.index()].name.clone();
                let (found, expected) = (name(found), name(sort));
                return Err(Reason::Sort { object: object.to_owned(), found, expected });
            }
        }
        for argument in 0..=objects.len() {
            let object = argument.checked_sub(1).map(|i| objects[i]);
            let transition = Transition { action, argument: argument as u32 };
            let machines = self.machines.get(&transition).cloned().unwrap_or_default();
            for machine in machines {
                self.go(machine, object, transition, &objects)?;
            }
        }
        Ok(())
    }

    fn go(
        &mut self,
        number: usize,
        object: Option<&'p str>,
        transition: Transition,
        objects: &[&'p str],
    ) -> Result<(), Reason> {
        let machine: &'a Machine = &self.model.machines[number];
        let Some(edge) = machine.edge(transition) else { return Ok(()) };
        let expected = &machine.states[edge.from.index()];
        if let Some(place) = self.places.get(&(number, object)) {
            let who = || object.map(str::to_owned);
            if place.state != edge.from {
                return Err(Reason::State {
                    object: who(),
                    machine: machine.name.clone(),
                    found: machine.states[place.state.index()].name.clone(),
                    expected: expected.name.clone(),
                });
            }
            for (parameter, value) in expected.parameters.iter().zip(&place.values) {
                let read = parameter.read_by(transition).map(|argument| objects[argument as usize - 1]);
                if let (Some(read), Some(value)) = (read, value)
                    && read != *value
                {
                    return Err(Reason::Parameter {
                        object: who(),
                        machine: machine.name.clone(),
                        state: expected.name.clone(),
                        found: (*value).to_owned(),
                        expected: read.to_owned(),
                    });
                }
            }
        }
        let parameters = &machine.states[edge.to.index()].parameters;
        let written = parameters.iter().map(|parameter| parameter.written_by(transition));
        let values = written.map(|argument| argument.map(|argument| objects[argument as usize - 1])).collect();
        self.places.insert((number, object), ObjectState { state: edge.to, values });
        Ok(())
    }

    fn check_statics(&self, action: ActionId, objects: &[&str]) -> Result<(), Reason> {
        for relation in self.model.statics.iter().filter(|relation| relation.action == action) {
            let (k, l) = relation.arguments;
            let (first, second) = (objects[k as usize - 1], objects[l as usize - 1]);
            let known = relation.tuples.iter().any(|pair| pair.0 == first)
                && relation.tuples.iter().any(|pair| pair.1 == second);
            if known && !relation.tuples.iter().any(|pair| pair.0 == first && pair.1 == second) {
                let objects = (first.to_owned(), second.to_owned());
                return Err(Reason::Static { relation: relation.name.clone(), objects });
            }
        }
        Ok(())
    }
}
