//! Common subexpressions: conditions that many gates share become gates of their own.
//!
//! A fact that feeds a thousand gates directly makes a thousand counts change whenever it changes. Where the gates share
//! pairs of conditions, such as "this square is empty and the piece before it can be taken", the pair becomes a gate, and
//! most changes go no further than that.

use super::circuit::{Circuit, Lit, NodeKind};
use super::limits::{TooLarge, check_stop};
use rustc_hash::FxHashMap;
use std::sync::atomic::AtomicBool;

/// Pairs that fewer gates share than this are left alone.
const FEWEST: u32 = 3;
/// How often pairs are looked for; in each round a gate gives at most one.
const ROUNDS: usize = 12;
/// Gates with more inputs are left alone: they are lists of ways, not of conditions.
const MOST_INPUTS: usize = 24;
/// With more pairs than this the circuit is left as it is.
const MOST_PAIRS: usize = 6_000_000;

/// The circuit of what some literals need with shared pairs taken out; the literals are renamed. Gates that depend on moves
/// stay as they are: they are not kept up to date.
pub(super) fn extracted(circuit: &Circuit, outputs: &mut [&mut Lit], stop: &AtomicBool) -> Result<Circuit, TooLarge> {
    let count = circuit.len();
    let mut used = vec![false; count];
    outputs.iter().for_each(|output| used[output.node()] = true);
    for node in (0..count).rev() {
        if used[node] {
            circuit.needs(node).for_each(|need| used[need.node()] = true);
        }
    }
    let mut moved = vec![false; count];
    for node in 0..count {
        let by_input = || circuit.inputs(node).iter().any(|input| moved[input.node()]);
        moved[node] = matches!(circuit.kind(node), NodeKind::Does(_)) || by_input();
    }
    let mut gates: Vec<Vec<Lit>> = (0..count)
        .map(|node| if used[node] && !moved[node] { circuit.inputs(node).to_vec() } else { Vec::new() })
        .collect();
    // Pairs are nodes beyond those of the circuit.
    let mut pairs: Vec<[Lit; 2]> = Vec::new();
    for _ in 0..ROUNDS {
        if !take_pairs(&mut gates, &mut pairs, count, stop)? {
            break;
        }
    }
    check_stop(stop)?;
    Ok(rebuild(circuit, &used, &moved, &gates, &pairs, outputs))
}

/// One round; `false` if there was nothing to do.
fn take_pairs(
    gates: &mut [Vec<Lit>],
    pairs: &mut Vec<[Lit; 2]>,
    count: usize,
    stop: &AtomicBool,
) -> Result<bool, TooLarge> {
    let fits = |gate: &Vec<Lit>| (3..=MOST_INPUTS).contains(&gate.len());
    let total: usize = gates.iter().filter(|gate| fits(gate)).map(|gate| gate.len() * (gate.len() - 1) / 2).sum();
    if total > MOST_PAIRS {
        return Ok(false);
    }
    let mut shared: FxHashMap<(Lit, Lit), u32> = FxHashMap::default();
    let both = |gate: &[Lit], visit: &mut dyn FnMut((Lit, Lit))| {
        for (at, &one) in gate.iter().enumerate() {
            gate[at + 1..].iter().for_each(|&other| visit((one, other)));
        }
    };
    for gate in gates.iter().filter(|gate| fits(gate)) {
        check_stop(stop)?;
        both(gate, &mut |pair| *shared.entry(pair).or_default() += 1);
    }
    shared.retain(|_, times| *times >= FEWEST);
    let mut made: FxHashMap<(Lit, Lit), Lit> = FxHashMap::default();
    let mut any = false;
    for gate in gates.iter_mut().filter(|gate| fits(gate)) {
        check_stop(stop)?;
        let mut best: Option<(u32, std::cmp::Reverse<(Lit, Lit)>)> = None;
        both(gate, &mut |pair| {
            if let Some(&times) = shared.get(&pair) {
                best = best.max(Some((times, std::cmp::Reverse(pair))));
            }
        });
        let Some((_, std::cmp::Reverse(pair))) = best else { continue };
        let lit = *made.entry(pair).or_insert_with(|| {
            pairs.push([pair.0, pair.1]);
            Lit::of(count + pairs.len() - 1)
        });
        gate.retain(|&input| input != pair.0 && input != pair.1);
        gate.push(lit);
        any = true;
    }
    Ok(any)
}

fn rebuild(
    circuit: &Circuit,
    used: &[bool],
    moved: &[bool],
    gates: &[Vec<Lit>],
    pairs: &[[Lit; 2]],
    outputs: &mut [&mut Lit],
) -> Circuit {
    let count = circuit.len();
    let mut made = Circuit::new();
    let mut renamed = vec![Lit::TRUE; count];
    let mut pair_names: Vec<Option<Lit>> = vec![None; pairs.len()];
    for node in 1..count {
        renamed[node] = match circuit.kind(node) {
            NodeKind::And if !used[node] => continue,
            NodeKind::And => {
                let inputs = if moved[node] { circuit.inputs(node) } else { &gates[node] };
                let mut literals = Vec::with_capacity(inputs.len());
                for &input in inputs {
                    literals.push(name(input, count, &renamed, pairs, &mut pair_names, &mut made));
                }
                made.and(&mut literals)
            }
            // Leaves are all kept: their numbers mean something elsewhere.
            leaf => {
                made_component(circuit, leaf, &renamed, pairs, &mut pair_names, &mut made);
                made.leaf(leaf)
            }
        };
    }
    for output in outputs {
        **output = Lit(renamed[output.node()].0 ^ (output.0 & 1));
    }
    made
}

/// Takes a component over when its first member is met.
fn made_component(
    circuit: &Circuit,
    member: NodeKind,
    renamed: &[Lit],
    pairs: &[[Lit; 2]],
    pair_names: &mut [Option<Lit>],
    made: &mut Circuit,
) {
    if let NodeKind::Member(component, 0) = member {
        let mut component = circuit.components[component as usize].clone();
        for rule in &mut component.rules {
            rule.outside = name(rule.outside, circuit.len(), renamed, pairs, pair_names, made);
        }
        made.components.push(component);
    }
}

/// The new name of a literal. A pair's gate is made when it is first needed; a pair may be of pairs, one for each round.
fn name(
    lit: Lit,
    count: usize,
    renamed: &[Lit],
    pairs: &[[Lit; 2]],
    pair_names: &mut [Option<Lit>],
    made: &mut Circuit,
) -> Lit {
    let Some(pair) = lit.node().checked_sub(count) else { return Lit(renamed[lit.node()].0 ^ (lit.0 & 1)) };
    let known = match pair_names[pair] {
        Some(known) => known,
        None => {
            let mut both = pairs[pair].iter().map(|&lit| name(lit, count, renamed, pairs, pair_names, made)).collect();
            let gate = made.and(&mut both);
            pair_names[pair] = Some(gate);
            gate
        }
    };
    Lit(known.0 ^ (lit.0 & 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_that_three_gates_share_becomes_a_gate() {
        let mut circuit = Circuit::new();
        let lits: Vec<Lit> = (0..5).map(|base| circuit.leaf(NodeKind::Base(base))).collect();
        let mut gates = [2, 3, 4].map(|other| circuit.and(&mut vec![lits[0], !lits[1], lits[other]]));
        let [a, b, c] = &mut gates;
        let made = extracted(&circuit, &mut [a, b, c], &AtomicBool::new(false)).unwrap();
        assert!(gates.iter().all(|gate| made.inputs(gate.node()).len() == 2));
        assert_eq!(made.len(), circuit.len() + 1);
    }
}
