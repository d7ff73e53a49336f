//! Factoring: a condition that many ways to the same thing share is evaluated once.
//!
//! "Somebody can move" in as many ways as there are moves, and half of them test whether it is white's turn: whenever the turn
//! changes, so do they all. "It is white's turn, and white has a move" changes once.

use super::circuit::{Circuit, Lit, NodeKind};
use super::limits::{TooLarge, check_stop};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Conditions that fewer ways share than this, or a smaller part of them, are left where they are.
const FEWEST: usize = 8;
const LEAST_PART: usize = 4;

/// The circuit of what some literals need with shared conditions taken out; the literals are renamed. Gates that depend on
/// moves stay as they are: they are not kept up to date.
pub(super) fn factored(circuit: &Circuit, outputs: &mut [&mut Lit], stop: &AtomicBool) -> Result<Circuit, TooLarge> {
    let mut made = Circuit::new();
    let mut renamed = vec![Lit::TRUE; circuit.len()];
    let mut moved = vec![false; circuit.len()];
    for node in 1..circuit.len() {
        check_stop(stop)?;
        let inputs = circuit.inputs(node);
        moved[node] = matches!(circuit.kind(node), NodeKind::Does(_)) || inputs.iter().any(|input| moved[input.node()]);
        let now = |lit: Lit| Lit(renamed[lit.node()].0 ^ (lit.0 & 1));
        renamed[node] = match circuit.kind(node) {
            NodeKind::And => {
                let mut literals: Vec<Lit> = inputs.iter().map(|&input| now(input)).collect();
                if !moved[node] {
                    made.take_out(&mut literals, stop);
                }
                made.and(&mut literals)
            }
            leaf => {
                made.copy_component(circuit, leaf, now);
                made.leaf(leaf)
            }
        };
    }
    for output in outputs {
        **output = Lit(renamed[output.node()].0 ^ (output.0 & 1));
    }
    Ok(made)
}

impl Circuit {
    /// Puts together those of some denied conjunctions, the ways to the contrary, that share a condition.
    fn take_out(&mut self, denials: &mut Vec<Lit>, stop: &AtomicBool) {
        let is_way = |circuit: &Circuit, lit: Lit| lit.denied() && circuit.kind(lit.node()) == NodeKind::And;
        if denials.iter().filter(|&&lit| is_way(self, lit)).count() < FEWEST {
            return;
        }
        // What is left undone is thrown away soon.
        while !stop.load(Ordering::Relaxed) {
            let mut frequency: FxHashMap<Lit, usize> = FxHashMap::default();
            for lit in denials.iter().filter(|&&lit| is_way(self, lit)) {
                self.inputs(lit.node()).iter().for_each(|&input| *frequency.entry(input).or_default() += 1);
            }
            let most = frequency.into_iter().max_by_key(|&(lit, count)| (count, std::cmp::Reverse(lit)));
            let Some((shared, count)) = most else { return };
            if count < FEWEST.max(denials.len() / LEAST_PART) {
                return;
            }
            let has_it = |lit: &Lit| is_way(self, *lit) && self.inputs(lit.node()).contains(&shared);
            let (ways, mut others): (Vec<Lit>, Vec<Lit>) = denials.iter().copied().partition(has_it);
            let mut rests: Vec<Lit> = Vec::new();
            for way in ways {
                let mut rest = self.inputs(way.node()).to_vec();
                rest.retain(|&input| input != shared);
                rests.push(!self.and(&mut rest));
            }
            self.take_out(&mut rests, stop);
            let none = self.and(&mut rests);
            others.push(!self.and(&mut vec![shared, !none]));
            *denials = others;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Chance;

    fn holds(circuit: &Circuit, state: u64, lit: Lit) -> bool {
        let mut value = vec![true; circuit.len()];
        for node in 1..circuit.len() {
            value[node] = match circuit.kind(node) {
                NodeKind::Base(base) => state >> base & 1 == 1,
                _ => circuit.inputs(node).iter().all(|input| value[input.node()] != input.denied()),
            };
        }
        value[lit.node()] != lit.denied()
    }

    #[test]
    fn what_many_ways_share_is_asked_once() {
        let mut circuit = Circuit::new();
        let turn = circuit.leaf(NodeKind::Base(0));
        let free: Vec<Lit> = (1..=20).map(|base| circuit.leaf(NodeKind::Base(base))).collect();
        let way = |(at, &free): (usize, &Lit)| circuit.and(&mut vec![if at < 10 { turn } else { !turn }, free]);
        let mut ways: Vec<Lit> = free.iter().enumerate().map(way).collect();
        let mut can_move = circuit.or(&mut ways);
        let go_on = AtomicBool::new(false);
        let made = factored(&circuit, &mut [&mut can_move], &go_on).unwrap();
        let made = made.tidied(&mut [&mut can_move], &go_on).unwrap();
        let uses = (0..made.len()).filter(|&node| made.inputs(node).iter().any(|input| input.node() == turn.node()));
        assert_eq!(uses.count(), 2);
        for (state, expected) in
            [(0, false), (1, false), (0b11, true), (0b10, false), (1 << 11, true), (1 << 11 | 1, false)]
        {
            assert_eq!(holds(&made, state, can_move), expected, "{state:b}");
        }
    }

    #[test]
    fn factored_circuits_say_the_same() {
        let mut smaller = 0;
        for seed in 0..300 {
            let mut chance = Chance::new(seed);
            let mut circuit = Circuit::new();
            let mut lits: Vec<Lit> = (0..12).map(|base| circuit.leaf(NodeKind::Base(base))).collect();
            for _ in 0..4 {
                let shared = lits[chance.below(lits.len())];
                let mut ways = Vec::new();
                for _ in 0..8 + chance.below(12) {
                    let mut way: Vec<Lit> = (0..1 + chance.below(3)).map(|_| lits[chance.below(lits.len())]).collect();
                    way.iter_mut().for_each(|lit| *lit = if chance.below(3) == 0 { !*lit } else { *lit });
                    way.extend((chance.below(3) > 0).then_some(shared));
                    ways.push(circuit.and(&mut way));
                }
                lits.push(circuit.or(&mut ways));
            }
            let mut outputs = lits[12..].to_vec();
            let go_on = AtomicBool::new(false);
            let made = factored(&circuit, &mut outputs.iter_mut().collect::<Vec<_>>(), &go_on).unwrap();
            let tidied = made.tidied(&mut outputs.clone().iter_mut().collect::<Vec<_>>(), &go_on).unwrap();
            smaller += usize::from(tidied.len() < circuit.len());
            for state in (0..50).map(|_| chance.below(1 << 12) as u64) {
                for (&before, &after) in lits[12..].iter().zip(&outputs) {
                    assert_eq!(holds(&circuit, state, before), holds(&made, state, after), "seed {seed}, {state:b}");
                }
            }
        }
        assert!(smaller > 200, "{smaller}");
    }
}
