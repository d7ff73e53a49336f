//! What is induced from traces: sorts of objects, and the machines they go through.

use super::evidence::MAX_SPLIT;
use crate::budget::StopReason;

/// A number of [`Model::actions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(pub u32);

/// A number of [`Model::sorts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortId(pub u32);

/// A number of [`Machine::states`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl ActionId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl SortId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl StateId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A planning model: each object is in one state of each machine of its sort, and actions move objects between states.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The sorts of objects, in the order of their first transitions.
    pub sorts: Vec<Sort>,
    /// The actions, sorted by name.
    pub actions: Vec<Schema>,
    /// The machines, those of the imagined object first, then sort by sort.
    pub machines: Vec<Machine>,
    /// Pairs of objects that never change and that actions ask for; empty unless [`Options::statics`] is set.
    pub statics: Vec<Static>,
    /// What was left out, and why.
    pub notes: Vec<Note>,
    /// Why induction ended: the worst reason of all its searches. If it is not [`StopReason::Done`], some sorts have one
    /// machine that might have been split into several.
    pub stopped: StopReason,
    /// From how many traces it was induced.
    pub traces: u64,
    /// From how many actions.
    pub steps: u64,
}

/// Objects that are used alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// A valid identifier of PDDL, made of the names of its objects or of its first transition.
    pub name: String,
    /// Where its objects occur.
    pub transitions: Vec<Transition>,
}

/// An action and the sorts of its objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Its name in the traces.
    pub name: String,
    /// For each argument of the traces, which of the different objects it is, counted from 0. An action in which an
    /// object occurs twice is an action of its own, with fewer objects than arguments.
    pub shape: Vec<usize>,
    /// The sorts of the different objects.
    pub sorts: Vec<SortId>,
    /// How often it was seen.
    pub count: u64,
}

impl Schema {
    /// Whether an object occurs twice in it.
    pub fn has_repeats(&self) -> bool {
        self.sorts.len() < self.shape.len()
    }
}

/// What happens to an object in an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transition {
    /// The action.
    pub action: ActionId,
    /// Which of its different objects, counted from 1; 0 is the imagined object that takes part in all actions.
    pub argument: u32,
}

/// The states that an object goes through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// A valid identifier of PDDL, different from those of all other machines and sorts.
    pub name: String,
    /// Whose states these are; `None` for the imagined object that takes part in all actions (the zero machine).
    pub sort: Option<SortId>,
    /// Its states.
    pub states: Vec<State>,
    /// Its transitions, each once.
    pub edges: Vec<Edge>,
    /// Whether it has all transitions of its sort.
    pub is_whole: bool,
    /// Transitions that may follow each other in this machine but never did.
    pub unseen: Vec<(Transition, Transition)>,
    /// What looked like parameters of its states, but is none.
    pub removed: Vec<Removed>,
}

/// A state, with the objects that are remembered in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// A valid identifier of PDDL, different from those of the machine's other states.
    pub name: String,
    /// What is remembered.
    pub parameters: Vec<Parameter>,
    /// Whether an object of some trace began in it.
    pub is_initial: bool,
    /// Whether an object of some trace ended in it.
    pub is_final: bool,
}

/// An object that is remembered while in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its sort.
    pub sort: SortId,
    /// For each transition into the state, which of the action's objects it is, counted from 1.
    pub writes: Vec<(Transition, u32)>,
    /// For transitions out of the state, which of the action's objects must be it; not all of them need name it.
    pub reads: Vec<(Transition, u32)>,
}

impl Parameter {
    /// Which of the action's objects a transition into the state leaves there.
    pub fn written_by(&self, transition: Transition) -> Option<u32> {
        self.writes.iter().find(|write| write.0 == transition).map(|write| write.1)
    }

    /// Which of the action's objects a transition out of the state names.
    pub fn read_by(&self, transition: Transition) -> Option<u32> {
        self.reads.iter().find(|read| read.0 == transition).map(|read| read.1)
    }
}

/// A transition of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The action, and which of its objects makes it.
    pub transition: Transition,
    /// Where it begins.
    pub from: StateId,
    /// Where it ends.
    pub to: StateId,
}

/// Arguments that agreed now and then, but are no parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// The state.
    pub state: StateId,
    /// What it would have been.
    pub parameter: Parameter,
    /// Why it is none.
    pub flaw: Flaw,
}

/// Why something is no parameter of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// This transition leads into the state and says nothing of it.
    NotWritten(Transition),
    /// This transition would write it with two of its arguments.
    WrittenTwice(Transition),
    /// This transition would read it with two of its arguments.
    ReadTwice(Transition),
    /// The first transition wrote one object, and the second then read another.
    Contradicted(Transition, Transition),
}

/// Two arguments of an action between which only some pairs of objects are allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Static {
    /// A valid identifier of PDDL.
    pub name: String,
    /// The action.
    pub action: ActionId,
    /// Which of its objects, counted from 1.
    pub arguments: (u32, u32),
    /// The pairs that were seen, sorted.
    pub tuples: Vec<(String, String)>,
}

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The search for how to split the sort, or the imagined object's transitions, ended too early: after
    /// [`Options::budget`] steps, or because it was interrupted.
    NotSplit(Option<SortId>, StopReason),
    /// A sort has more transitions than are ever split.
    Wide(Option<SortId>),
    /// The machine of the imagined object with all actions tells nothing, and is left out.
    NoZeroMachine,
}

/// How to induce a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// One machine a sort, or several.
    pub method: Method,
    /// How many sets may be tried for each sort when it is split into several machines.
    pub budget: u64,
    /// Whether to look for pairs of objects that never change; needs evidence that began as
    /// [`Evidence::with_statics`](super::Evidence::with_statics).
    pub statics: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { method: Method::Locm2, budget: 100_000, statics: false }
    }
}

/// Which algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// One machine a sort (Cresswell, McCluskey and West 2009).
    Locm,
    /// More machines for sorts with several aspects (Cresswell and Gregory 2011).
    #[default]
    Locm2,
}

impl Model {
    /// A transition as `unstack.1`, with the arguments that are the same object in braces where there are such.
    pub fn transition_name(&self, transition: Transition) -> String {
        format!("{}.{}", self.action_name(transition.action), transition.argument)
    }

    /// An action's name, with the arguments that are the same object in braces where there are such: `swap{1=2}`.
    pub fn action_name(&self, action: ActionId) -> String {
        let Schema { name, shape, .. } = &self.actions[action.index()];
        let places = |object: usize| (1..).zip(shape).filter(move |place| *place.1 == object).map(|place| place.0);
        let repeated = (0..self.actions[action.index()].sorts.len()).filter(|&object| places(object).count() > 1);
        let repeats: Vec<String> = repeated
            .map(|object| places(object).map(|place: usize| place.to_string()).collect::<Vec<_>>().join("="))
            .collect();
        if repeats.is_empty() { name.clone() } else { format!("{name}{{{}}}", repeats.join(",")) }
    }

    /// The name of a sort, or `zero` for the imagined object.
    pub fn sort_name(&self, sort: Option<SortId>) -> &str {
        sort.map_or("zero", |sort| &self.sorts[sort.index()].name)
    }

    /// A note as a sentence.
    pub fn note_text(&self, note: &Note) -> String {
        match note {
            Note::NotSplit(sort, reason) => {
                let reason = match reason {
                    StopReason::BudgetSpent => "the search was given up after the allowed number of steps",
                    _ => "the search was interrupted",
                };
                format!("{} was not split into several machines: {reason}", self.sort_name(*sort))
            }
            Note::Wide(sort) => format!(
                "{} was not split into several machines: it has more than {MAX_SPLIT} transitions",
                self.sort_name(*sort)
            ),
            Note::NoZeroMachine => {
                "the machine of zero with all actions has one state without parameters, and is left out".to_owned()
            }
        }
    }
}

impl Machine {
    /// The edge of a transition, if the machine has it.
    pub fn edge(&self, transition: Transition) -> Option<&Edge> {
        let at = self.edges.binary_search_by_key(&transition, |edge| edge.transition).ok()?;
        Some(&self.edges[at])
    }

    /// Whether it tells nothing: one state without parameters.
    pub fn is_trivial(&self) -> bool {
        self.states.len() == 1 && self.states[0].parameters.is_empty()
    }
}
