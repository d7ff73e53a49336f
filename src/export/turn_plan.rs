//! The automaton of a piece read as a plan: which of the paper's actions can follow which.
//!
//! A step onto a piece means different things by what follows: over it onto an empty square, on to the next piece, or
//! the end, when it is taken. Nodes tell these apart, so that every action says at once what it does.

use super::forms::FormProblem;
use super::mover::{MoverAutomaton, What};
use crate::board::Cell;
use crate::rules::{Landing, Seen, Symbol};
use std::collections::BTreeMap;

/// What stands under the controlled piece, and so what may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Under {
    /// The turn has not begun.
    Start,
    /// Nothing, or what was put down here.
    Free,
    /// Nothing any more, since a piece was taken here; a step to an empty square would have been told with that.
    Taken,
    /// Nothing any more: the turn, or this piece's part of it, ends here.
    Replaced,
    /// A piece that stays; a step to an empty square would have been told with that.
    Onto,
    /// A piece that stays, and a guard has been passed since.
    Above,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TurnState {
    pub state: usize,
    pub under: Under,
    /// The piece that is controlled, if there is one yet.
    pub controlled: Option<Cell>,
    /// The piece that was put down here just now.
    pub beneath: Option<Cell>,
}

/// What an action does; the paper's names are `move`, `take`, `move_over`, `take_over` and `appear`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Move { step: (i8, i8) },
    Onto { step: (i8, i8), what: What },
    Take { step: (i8, i8), what: What },
    Over { step: (i8, i8), what: What, then: (i8, i8), takes: bool },
    Appear(Cell),
    Zone { number: usize, within: bool },
    Look { step: (i8, i8), what: What },
}

pub(super) struct TurnNode {
    pub at: TurnState,
    pub may_end: bool,
    pub deeds: Vec<(Deed, usize)>,
}

/// The nodes of a machine; the first is where a turn begins.
pub(super) fn turn_nodes(machine: &MoverAutomaton) -> Result<Vec<TurnNode>, FormProblem> {
    if machine.nodes.iter().flat_map(|node| &node.edges).any(|edge| edge.symbol == Symbol::Vanish) {
        return Err(FormProblem::Vanishes);
    }
    if puts_again(machine) {
        return Err(FormProblem::PutsAgain);
    }
    let controlled = (!machine.start.is_empty()).then_some(machine.start);
    let start = TurnState { state: 0, under: Under::Start, controlled, beneath: None };
    let mut number = BTreeMap::from([(start, 0)]);
    let mut order = vec![start];
    let mut nodes: Vec<TurnNode> = Vec::new();
    while nodes.len() < order.len() {
        let at = order[nodes.len()];
        let may_end = machine.nodes[at.state].accepting
            && matches!(at.under, Under::Free | Under::Taken | Under::Replaced)
            && at.controlled.is_some();
        let mut deeds = Vec::new();
        for (deed, to) in deeds_from(machine, at)? {
            let to = *number.entry(to).or_insert_with(|| {
                order.push(to);
                order.len() - 1
            });
            deeds.push((deed, to));
        }
        nodes.push(TurnNode { at, may_end, deeds });
    }
    Ok(nodes)
}

/// Whether a put-down can be followed by itself: in a loop, or on the same square.
fn puts_again(machine: &MoverAutomaton) -> bool {
    let same_again = |symbol: Symbol, to: usize| {
        let mut reached = vec![false; machine.nodes.len()];
        let mut open = vec![to];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                let here = machine.nodes[at].edges.iter().filter(|edge| !matches!(edge.symbol, Symbol::Step { .. }));
                if here.clone().any(|edge| edge.symbol == symbol) {
                    return true;
                }
                open.extend(here.map(|edge| edge.to));
            }
        }
        false
    };
    let edges = machine.nodes.iter().flat_map(|node| &node.edges);
    let mut puts = edges.filter(|edge| matches!(edge.symbol, Symbol::Put(_)));
    if puts.any(|edge| same_again(edge.symbol, edge.to)) {
        return true;
    }
    let puts = |node: usize| {
        machine.nodes[node].edges.iter().filter(|edge| matches!(edge.symbol, Symbol::Put(_))).map(|edge| edge.to)
    };
    (0..machine.nodes.len()).any(|node| {
        puts(node).any(|to| {
            let mut reached = vec![false; machine.nodes.len()];
            let mut open = vec![to];
            while let Some(at) = open.pop() {
                if !std::mem::replace(&mut reached[at], true) {
                    open.extend(machine.nodes[at].edges.iter().map(|edge| edge.to));
                }
            }
            reached[node]
        })
    })
}

fn deeds_from(machine: &MoverAutomaton, at: TurnState) -> Result<Vec<(Deed, TurnState)>, FormProblem> {
    let mut deeds = Vec::new();
    let free = |state| TurnState { state, under: Under::Free, beneath: None, ..at };
    for edge in &machine.nodes[at.state].edges {
        let next = &machine.nodes[edge.to];
        let onto_empty = next.edges.iter().filter_map(|edge| match edge.symbol {
            Symbol::Step { dx, dy, landing: Landing::On(Seen::Empty) } => Some(((dx, dy), edge.to)),
            _ => None,
        });
        let leads = |wanted: &dyn Fn(Symbol) -> bool| next.edges.iter().any(|edge| wanted(edge.symbol));
        match edge.symbol {
            Symbol::Step { .. } if at.controlled.is_none() => return Err(FormProblem::EmptyStart),
            Symbol::Step { .. } if at.under == Under::Replaced => {}
            Symbol::Step { dx, dy, landing: Landing::On(Seen::Empty) } => {
                if matches!(at.under, Under::Start | Under::Free | Under::Above) {
                    deeds.push((Deed::Move { step: (dx, dy) }, free(edge.to)));
                }
            }
            Symbol::Step { dx, dy, landing } => {
                let (step, what) = ((dx, dy), What::of(landing));
                let takes = matches!(landing, Landing::Take(_));
                deeds.extend(onto_empty.map(|(then, to)| (Deed::Over { step, what, then, takes }, free(to))));
                let is_guard = |symbol: Symbol| symbol.is_guard();
                if takes {
                    deeds.push((Deed::Take { step, what }, TurnState { under: Under::Taken, ..free(edge.to) }));
                    continue;
                }
                if next.accepting || leads(&is_guard) || leads(&|symbol| matches!(symbol, Symbol::Put(_))) {
                    deeds.push((Deed::Take { step, what }, TurnState { under: Under::Replaced, ..free(edge.to) }));
                }
                let onto_piece =
                    |symbol| matches!(symbol, Symbol::Step { landing, .. } if landing != Landing::On(Seen::Empty));
                if leads(&is_guard) || leads(&onto_piece) {
                    deeds.push((Deed::Onto { step, what }, TurnState { under: Under::Onto, ..free(edge.to) }));
                }
            }
            Symbol::Put(cell) => {
                if !matches!(at.under, Under::Onto | Under::Above) {
                    let to = TurnState { controlled: Some(cell), beneath: at.controlled, ..free(edge.to) };
                    deeds.push((Deed::Appear(cell), to));
                }
            }
            Symbol::Vanish => return Err(FormProblem::Vanishes),
            Symbol::Zone { .. } | Symbol::Look { .. } => {
                let under = match at.under {
                    Under::Taken => Under::Free,
                    Under::Onto => Under::Above,
                    other => other,
                };
                let deed = match edge.symbol {
                    Symbol::Zone { number, within } => Deed::Zone { number, within },
                    // The piece here was taken before its time.
                    Symbol::Look { dx: 0, dy: 0, .. } if at.under == Under::Replaced => {
                        return Err(FormProblem::LooksBeneath);
                    }
                    Symbol::Look { dx, dy, seen } => Deed::Look { step: (dx, dy), what: What::seen(seen) },
                    _ => continue,
                };
                deeds.push((deed, TurnState { state: edge.to, under, ..at }));
            }
        }
    }
    Ok(deeds)
}
