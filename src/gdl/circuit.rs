//! The circuit: what ground rules say about a state and its moves, as gates of `and` and `not`.
//!
//! There is one kind of gate, the conjunction of literals, and each is kept once (hash consing); `or` is the denial of a
//! conjunction of denials. Constants, repeated and contrary inputs vanish when a gate is made. Recursive ground rules are no
//! gates: they form recursive components.

use super::limits::{TooLarge, check_stop};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::atomic::AtomicBool;

/// A node or its denial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Lit(pub u32);

impl Lit {
    pub const TRUE: Lit = Lit(0);
    pub const FALSE: Lit = Lit(1);

    pub fn of(node: usize) -> Lit {
        Lit((node as u32) << 1)
    }

    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn denied(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// Always true; only node 0.
    True,
    /// A fact of the state, by number.
    Base(u32),
    /// A move of a role, by number.
    Does(u32),
    /// A conjunction.
    And,
    /// A member of a component: the component's number, and its own within it.
    Member(u32, u32),
}

/// Things that may need each other, such as stones that are connected if a neighbour is: what holds is what follows from
/// the rules, and nothing else. No rule denies a member.
#[derive(Clone, Debug, Default)]
pub(super) struct RecursiveComponent {
    pub rules: Vec<RecursiveRule>,
    pub members: u32,
}

/// A member holds if a literal does and so do some members.
#[derive(Clone, Debug)]
pub(super) struct RecursiveRule {
    pub head: u32,
    pub outside: Lit,
    pub inside: Vec<u32>,
}

/// A circuit: inputs have lower numbers than the gates they feed, and what a component needs than its members. Recursive components are
/// never among gates, only within [`RecursiveComponent`]s.
#[derive(Clone, Debug)]
pub(super) struct Circuit {
    kinds: Vec<NodeKind>,
    ends: Vec<u32>,
    inputs: Vec<Lit>,
    /// From a hash of the inputs to the gates that have it.
    known: FxHashMap<u64, SmallVec<[u32; 1]>>,
    pub components: Vec<RecursiveComponent>,
}

impl Circuit {
    pub fn new() -> Circuit {
        Circuit {
            kinds: vec![NodeKind::True],
            ends: vec![0],
            inputs: Vec::new(),
            known: FxHashMap::default(),
            components: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    pub fn kind(&self, node: usize) -> NodeKind {
        self.kinds[node]
    }

    pub fn inputs(&self, node: usize) -> &[Lit] {
        let begin = if node == 0 { 0 } else { self.ends[node - 1] as usize };
        &self.inputs[begin..self.ends[node] as usize]
    }

    pub fn leaf(&mut self, kind: NodeKind) -> Lit {
        self.kinds.push(kind);
        self.ends.push(self.inputs.len() as u32);
        Lit::of(self.kinds.len() - 1)
    }

    /// The members of a component.
    pub fn component(&mut self, component: RecursiveComponent) -> Vec<Lit> {
        let number = self.components.len() as u32;
        let members = component.members;
        self.components.push(component);
        (0..members).map(|member| self.leaf(NodeKind::Member(number, member))).collect()
    }

    /// What a node needs, be it a gate or a member.
    pub fn needs(&self, node: usize) -> impl Iterator<Item = Lit> + '_ {
        let rules = match self.kinds[node] {
            NodeKind::Member(component, _) => self.components[component as usize].rules.as_slice(),
            _ => &[],
        };
        self.inputs(node).iter().copied().chain(rules.iter().map(|rule| rule.outside))
    }

    /// The conjunction; the list is used up.
    pub fn and(&mut self, literals: &mut Vec<Lit>) -> Lit {
        literals.sort_unstable();
        literals.dedup();
        literals.retain(|&literal| literal != Lit::TRUE);
        // A literal and its denial are neighbours, and the constant is first.
        let contrary = literals.windows(2).any(|pair| pair[0] == !pair[1]);
        match literals[..] {
            _ if contrary || literals.first() == Some(&Lit::FALSE) => return Lit::FALSE,
            [] => return Lit::TRUE,
            [only] => return only,
            _ => {}
        }
        let mut hash = 0x9E37_79B9_7F4A_7C15u64;
        for literal in literals.iter() {
            hash = (hash.rotate_left(21) ^ u64::from(literal.0)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        }
        if let Some(nodes) = self.known.get(&hash)
            && let Some(&node) = nodes.iter().find(|&&node| self.inputs(node as usize) == literals.as_slice())
        {
            return Lit::of(node as usize);
        }
        let node = self.kinds.len();
        self.known.entry(hash).or_default().push(node as u32);
        self.kinds.push(NodeKind::And);
        self.inputs.extend_from_slice(literals);
        self.ends.push(self.inputs.len() as u32);
        Lit::of(node)
    }

    /// The disjunction; the list is used up.
    pub fn or(&mut self, literals: &mut Vec<Lit>) -> Lit {
        literals.iter_mut().for_each(|literal| *literal = !*literal);
        !self.and(literals)
    }

    /// The circuit of what some literals need, with conjunctions that only one other uses taken into that; the literals
    /// are renamed.
    pub fn tidied(&self, outputs: &mut [&mut Lit], stop: &AtomicBool) -> Result<Circuit, TooLarge> {
        let mut uses = vec![0u32; self.len()];
        outputs.iter().for_each(|output| uses[output.node()] += 2);
        for node in (0..self.len()).rev() {
            match self.kinds[node] {
                _ if uses[node] == 0 => {}
                // A denied conjunction cannot be taken in, so that it counts as used by others. So does what a component needs.
                NodeKind::And => {
                    self.inputs(node).iter().for_each(|input| uses[input.node()] += 1 + u32::from(input.denied()));
                }
                _ => self.needs(node).for_each(|need| uses[need.node()] = 2),
            }
        }
        let mut tidy = Circuit::new();
        let mut renamed = vec![Lit::TRUE; self.len()];
        let mut inner: Vec<Lit> = Vec::new();
        for node in 1..self.len() {
            check_stop(stop)?;
            match self.kinds[node] {
                NodeKind::And if uses[node] < 2 => {}
                NodeKind::And => {
                    let mut literals = Vec::new();
                    inner.extend(self.inputs(node));
                    while let Some(input) = inner.pop() {
                        let absorbed =
                            !input.denied() && uses[input.node()] == 1 && self.kinds[input.node()] == NodeKind::And;
                        if absorbed {
                            inner.extend(self.inputs(input.node()));
                        } else {
                            literals.push(Lit(renamed[input.node()].0 ^ (input.0 & 1)));
                        }
                    }
                    renamed[node] = tidy.and(&mut literals);
                }
                // Leaves are all kept: their numbers mean something elsewhere.
                leaf => {
                    tidy.copy_component(self, leaf, |lit| Lit(renamed[lit.node()].0 ^ (lit.0 & 1)));
                    renamed[node] = tidy.leaf(leaf);
                }
            }
        }
        for output in outputs {
            **output = Lit(renamed[output.node()].0 ^ (output.0 & 1));
        }
        Ok(tidy)
    }

    /// Takes a component over from another circuit when its first member is met, with its literals renamed.
    pub fn copy_component(&mut self, other: &Circuit, member: NodeKind, mut rename: impl FnMut(Lit) -> Lit) {
        if let NodeKind::Member(component, 0) = member {
            let mut component = other.components[component as usize].clone();
            component.rules.iter_mut().for_each(|rule| rule.outside = rename(rule.outside));
            self.components.push(component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_kept_once_and_constants_vanish() {
        let mut circuit = Circuit::new();
        let [a, b, c] = [0, 1, 2].map(|base| circuit.leaf(NodeKind::Base(base)));
        let ab = circuit.and(&mut vec![b, a, Lit::TRUE, a]);
        assert_eq!(circuit.and(&mut vec![a, b]), ab);
        assert_eq!(circuit.and(&mut vec![a, !a]), Lit::FALSE);
        assert_eq!(circuit.or(&mut vec![a, Lit::TRUE]), Lit::TRUE);
        assert_eq!(circuit.or(&mut vec![Lit::FALSE, !c]), !c);
        let mut abc = circuit.and(&mut vec![ab, c]);
        let tidy = circuit.tidied(&mut [&mut abc], &AtomicBool::new(false)).unwrap();
        assert_eq!(tidy.inputs(abc.node()), [a, b, c]);
    }
}
