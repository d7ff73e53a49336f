//! A planning model for people: its machines as text.

use crate::explain::english::wording::list;
use crate::locm::{Flaw, Machine, Model, Parameter, StateId, Transition};
use std::fmt::Write;

/// The sorts and machines of a model as plain text, with what was left out and what was never seen.
pub(super) fn text(model: &Model) -> String {
    let mut out = String::new();
    let traces = counted(model.traces, "trace");
    let _ = writeln!(out, "{} with {}", traces, counted(model.steps, "action"));
    let _ = writeln!(out, "\nSorts");
    if model.sorts.is_empty() {
        out.push_str("  none: no action has an argument\n");
    }
    for sort in &model.sorts {
        let places: Vec<String> = sort.transitions.iter().map(|&t| model.transition_name(t)).collect();
        let _ = writeln!(out, "  {}: {}", sort.name, places.join(" "));
    }
    for machine in &model.machines {
        machine_text(model, machine, &mut out);
    }
    if !model.statics.is_empty() {
        out.push_str("\nPairs of objects that never change, as far as was seen\n");
        for relation in &model.statics {
            let action = model.action_name(relation.action);
            let (k, l) = relation.arguments;
            let pairs = counted(relation.tuples.len() as u64, "pair");
            let _ = writeln!(out, "  {}: {action} was seen with {pairs} in arguments {k} and {l}", relation.name);
        }
    }
    if !model.notes.is_empty() {
        out.push_str("\nNotes\n");
        for note in &model.notes {
            let _ = writeln!(out, "  {}", model.note_text(note));
        }
    }
    out
}

fn machine_text(model: &Model, machine: &Machine, out: &mut String) {
    let _ = writeln!(out, "\nMachine {}{}", machine.name, about(model, machine));
    for number in 0..machine.states.len() {
        let state = &machine.states[number];
        let mut marks = Vec::new();
        marks.extend(state.is_initial.then_some("seen first"));
        marks.extend(state.is_final.then_some("seen last"));
        let marks = if marks.is_empty() { String::new() } else { format!("  ({})", marks.join(", ")) };
        let _ = writeln!(out, "  {}{marks}", state_title(model, machine, StateId(number as u32)));
        for edge in machine.edges.iter().filter(|edge| edge.from.index() == number) {
            let to = state_title(model, machine, edge.to);
            let _ = writeln!(out, "    {} -> {to}", edge_label(model, machine, edge.transition));
        }
    }
    if !machine.unseen.is_empty() {
        let pairs = machine.unseen.iter().map(|&(a, b)| format!("{} {}", name(model, a), name(model, b)));
        let pairs: Vec<String> = pairs.collect();
        let _ = writeln!(out, "  allowed here, but never seen one after the other: {}", pairs.join(", "));
    }
    for removed in &machine.removed {
        let state = &machine.states[removed.state.index()].name;
        let what = written(model, &removed.parameter);
        let _ = writeln!(out, "  no parameter of {state}: {what}, since {}", flaw(model, removed.flaw));
    }
}

/// Whose machine it is, if its name does not tell.
fn about(model: &Model, machine: &Machine) -> String {
    match (machine.sort, machine.is_whole) {
        (None, true) => ", the order of all actions".to_owned(),
        (None, false) => ", the order of some actions".to_owned(),
        (Some(_), true) => String::new(),
        (Some(sort), false) => format!(", a part of what happens to a {}", model.sorts[sort.index()].name),
    }
}

/// A state with what it remembers: `after-stack-2 [b]`.
pub(super) fn state_title(model: &Model, machine: &Machine, state: StateId) -> String {
    let state = &machine.states[state.index()];
    let sorts: Vec<&str> = state.parameters.iter().map(|p| model.sorts[p.sort.index()].name.as_str()).collect();
    if sorts.is_empty() { state.name.clone() } else { format!("{} [{}]", state.name, sorts.join(", ")) }
}

/// A transition with what it reads and writes: `unstack.1 [2 -> ]`.
pub(super) fn edge_label(model: &Model, machine: &Machine, transition: Transition) -> String {
    let Some(edge) = machine.edge(transition) else { return name(model, transition) };
    let argument = |argument: Option<u32>| argument.map_or("-".to_owned(), |argument| argument.to_string());
    let list = |values: Vec<String>, word: &str| {
        if values.is_empty() { String::new() } else { format!(" {word} {}", values.join(" ")) }
    };
    let from = &machine.states[edge.from.index()].parameters;
    let to = &machine.states[edge.to.index()].parameters;
    let reads = list(from.iter().map(|p| argument(p.read_by(transition))).collect(), "reads");
    let writes = list(to.iter().map(|p| argument(p.written_by(transition))).collect(), "writes");
    format!("{}{reads}{writes}", name(model, transition))
}

fn name(model: &Model, transition: Transition) -> String {
    model.transition_name(transition)
}

fn written(model: &Model, parameter: &Parameter) -> String {
    let places = |places: &[(Transition, u32)]| {
        let texts =
            places.iter().map(|(t, argument)| format!("argument {argument} of {}", model.action_name(t.action)));
        list(&texts.collect::<Vec<_>>(), "and")
    };
    format!("{}, read as {}", places(&parameter.writes), places(&parameter.reads))
}

fn flaw(model: &Model, flaw: Flaw) -> String {
    match flaw {
        Flaw::NotWritten(t) => format!("{} leads there and does not say it", name(model, t)),
        Flaw::WrittenTwice(t) => format!("{} would say it in two ways", name(model, t)),
        Flaw::ReadTwice(t) => format!("{} would ask for it in two ways", name(model, t)),
        Flaw::Contradicted(a, b) => format!("{} and then {} were seen to differ", name(model, a), name(model, b)),
    }
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
