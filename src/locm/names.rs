//! Names for what is induced: made of what the traces have, always valid in PDDL, never twice the same.

use super::evidence::Evidence;
use super::model::{Machine, Model, SortId, State, Transition};
use std::collections::{BTreeSet, HashSet};

/// Names that are taken. PDDL does not tell upper and lower case apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken(HashSet<String>);

/// Words of PDDL that some reader may take for more than a name.
const WORDS: &[&str] = &[
    "action",
    "all",
    "always",
    "and",
    "assign",
    "at",
    "constants",
    "decrease",
    "define",
    "domain",
    "effect",
    "either",
    "end",
    "exists",
    "forall",
    "functions",
    "goal",
    "imply",
    "increase",
    "init",
    "maximize",
    "metric",
    "minimize",
    "not",
    "number",
    "object",
    "objects",
    "or",
    "over",
    "parameters",
    "precondition",
    "predicates",
    "preference",
    "problem",
    "requirements",
    "scale-down",
    "scale-up",
    "sometime",
    "start",
    "total-cost",
    "total-time",
    "types",
    "when",
    "within",
];

impl Taken {
    /// The text as a valid name, changed as little as possible, and from now on taken.
    pub fn take(&mut self, text: &str) -> String {
        let name = identifier(text);
        let numbered = (2..).map(|number: u64| format!("{name}-{number}"));
        let mut choices = [name.clone()].into_iter().chain(numbered);
        let free = |choice: &String| !WORDS.contains(&&*choice.to_ascii_lowercase()) && !self.has(choice);
        let choice = choices.find(free).unwrap_or(name);
        self.0.insert(choice.to_ascii_lowercase());
        choice
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains(&name.to_ascii_lowercase())
    }
}

/// Letters, digits, `-` and `_`, beginning with a letter.
pub(super) fn identifier(text: &str) -> String {
    let valid = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
    let name: String = text.chars().map(valid).collect();
    let name = name.trim_matches('-');
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => name.to_owned(),
        Some(_) => format!("x{name}"),
        None => "x".to_owned(),
    }
}

/// Gives names to all sorts, machines, states and static relations.
pub(super) fn name(model: &mut Model, evidence: &Evidence) {
    let mut taken = Taken::default();
    model.actions.iter().for_each(|action| drop(taken.take(&action.name)));
    taken.take("zero");
    for sort in 0..model.sorts.len() {
        model.sorts[sort].name = taken.take(&sort_name(model, evidence, SortId(sort as u32)));
    }
    for machine in 0..model.machines.len() {
        let Machine { sort, is_whole, .. } = model.machines[machine];
        let own = model.sort_name(sort).to_owned();
        let name = if is_whole { own } else { taken.take(&format!("{own}-{}", part_name(model, machine))) };
        let mut taken = Taken::default();
        for state in 0..model.machines[machine].states.len() {
            let name = state_name(model, &model.machines[machine], state);
            model.machines[machine].states[state].name = taken.take(&name);
        }
        model.machines[machine].name = name;
    }
    for relation in 0..model.statics.len() {
        let (action, (k, l)) = (model.statics[relation].action, model.statics[relation].arguments);
        model.statics[relation].name = taken.take(&format!("may-{}-{k}-{l}", model.actions[action.index()].name));
    }
}

/// More than this many words are left out of a name.
const MOST_WORDS: usize = 3;

/// What the names of its objects begin with, if that is not too many things; otherwise its first transition.
fn sort_name(model: &Model, evidence: &Evidence, sort: SortId) -> String {
    let transitions = &model.sorts[sort.index()].transitions;
    let fallback = || transition_words(model, transitions[0], true);
    let mut stems: BTreeSet<&str> = BTreeSet::new();
    for transition in transitions {
        let slot = evidence.actions[transition.action.index()].first + transition.argument;
        match &evidence.slots[slot as usize].stems {
            Some(known) => stems.extend(known.iter().map(|stem| &**stem)),
            None => return fallback(),
        }
    }
    let whole: BTreeSet<String> = stems.iter().filter_map(|stem| stem.strip_suffix('=')).map(str::to_owned).collect();
    let stems: BTreeSet<&str> = stems.into_iter().map(|stem| stem.trim_end_matches('=')).collect();
    let (Some(first), Some(last)) = (stems.first(), stems.last()) else { return fallback() };
    // What the first and the last in order have in common, all have in common.
    let common = first.chars().zip(last.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect::<String>();
    let common = common.trim_end_matches(['-', '_']);
    let name = if stems.len() == 1 || common.chars().count() >= 3 {
        common.to_owned()
    } else if stems.len() <= MOST_WORDS && stems.iter().all(|stem| !stem.is_empty()) {
        stems.iter().copied().collect::<Vec<_>>().join("-")
    } else {
        return fallback();
    };
    // Some readers want different names for a sort and an object.
    match name.is_empty() {
        true => fallback(),
        false if whole.contains(&name) => format!("{name}-sort"),
        false => name,
    }
}

/// `unstack-1`, or `unstack` alone.
fn transition_words(model: &Model, transition: Transition, with_argument: bool) -> String {
    let name = model.action_name(transition.action);
    if with_argument { format!("{name}-{}", transition.argument) } else { name }
}

/// What tells a machine with some of its sort's transitions from the others.
fn part_name(model: &Model, machine: usize) -> String {
    const ORDINALS: [&str; 9] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
    let edges = &model.machines[machine].edges;
    let actions: BTreeSet<_> = edges.iter().map(|edge| edge.transition.action).collect();
    let words: Vec<String> = actions.iter().map(|&action| model.action_name(action)).collect();
    let argument = edges[0].transition.argument as usize;
    let alike = edges.iter().all(|edge| edge.transition.argument as usize == argument);
    if words.len() <= 2 {
        words.join("-")
    } else if alike && (1..=ORDINALS.len()).contains(&argument) {
        ORDINALS[argument - 1].to_owned()
    } else {
        format!("{}-to-{}", words[0], words[words.len() - 1])
    }
}

/// What leads into a state, or out of it.
fn state_name(model: &Model, machine: &Machine, state: usize) -> String {
    if machine.states.len() == 1 {
        return single_state_name(model, &machine.states[0]);
    }
    let is_repeated = |transition: Transition| {
        machine.edges.iter().filter(|edge| edge.transition.action == transition.action).count() > 1
    };
    let words = |transitions: Vec<Transition>| {
        let words = transitions.iter().map(|&t| transition_words(model, t, is_repeated(t)));
        words.collect::<Vec<_>>()
    };
    let into = words(machine.edges.iter().filter(|e| e.to.index() == state).map(|e| e.transition).collect());
    let out = words(machine.edges.iter().filter(|e| e.from.index() == state).map(|e| e.transition).collect());
    let told = |words: &[String]| (1..=MOST_WORDS).contains(&words.len());
    if told(&into) {
        format!("after-{}", into.join("-"))
    } else if told(&out) {
        format!("before-{}", out.join("-"))
    } else if into.is_empty() {
        format!("before-{}-etc", out[0])
    } else {
        format!("after-{}-etc", into[0])
    }
}

/// A machine with one state is about what it remembers.
fn single_state_name(model: &Model, state: &State) -> String {
    let sorts: Vec<&str> = state.parameters.iter().map(|p| model.sorts[p.sort.index()].name.as_str()).collect();
    if sorts.is_empty() { "any".to_owned() } else { format!("with-{}", sorts.join("-")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_and_different() {
        let mut taken = Taken::default();
        for (text, name) in [
            ("pick-up", "pick-up"),
            ("Pick-Up", "Pick-Up-2"),
            ("object", "object-2"),
            ("3d", "x3d"),
            ("", "x"),
            ("größe", "gr--e"),
            ("move{1=2}", "move-1-2"),
            ("_a", "x_a"),
            ("?x", "x-2"),
        ] {
            assert_eq!(taken.take(text), name, "{text}");
        }
    }
}
