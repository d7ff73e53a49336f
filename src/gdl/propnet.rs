//! The propnet (propositional network): a circuit laid out for play, where only what changes is looked at.
//!
//! Nodes are numbered by how they are evaluated:
//!
//! 1. *kept* nodes: the constant, the facts, and gates that are always up to date. A kept gate counts its inputs that are
//!    false; a change of an input changes the count, and only a count that comes to 0 or leaves it goes on. Gates are
//!    visited level by level, so that each changes at most once.
//! 2. *lazy* gates: needed only at the end (goals), or only for what moves do. They are evaluated when they are needed.
//! 3. *moved* gates depend on moves. Each stands for a *resting* literal of the state: what it is if nobody moves. To play,
//!    only those that a move may change are evaluated, and compared with what they are at rest.
//!
//! *Recursive components* are atoms that depend on each other. Their members are kept nodes of one level; if anything changes
//! that a component needs, all its members are evaluated anew.
//!
//! A fact whose next value at rest is the fact itself stays as it is, at no cost, unless a moved gate says otherwise. For the
//! others, the set of facts that differ from their next value at rest is kept like any gate.
//!
//! Legal moves of a role are kept as bits in groups: a group's moves share one literal (usually whose turn it is) that is
//! not part of the bits, so that a change of turn costs nothing.

use super::circuit::{Circuit, Lit, NodeKind, RecursiveRule};
use super::limits::{TooLarge, check_stop};
use super::propositions::Propositions;
use super::terms::{TermId, Terms};
use rustc_hash::FxHashMap;
use std::sync::atomic::AtomicBool;

/// A literal over the propnet's own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ref(pub u32);

impl Ref {
    pub const TRUE: Ref = Ref(0);

    #[inline]
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub fn denied(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Lists of different lengths in one.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(lists: &[Vec<u32>]) -> Lists {
        let mut all = Lists::default();
        lists.iter().for_each(|list| all.push(list.iter().copied()));
        all
    }

    fn push(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.extend(items);
        self.ends.push(self.items.len() as u32);
    }

    #[inline]
    pub fn get(&self, list: usize) -> &[u32] {
        let begin = if list == 0 { 0 } else { self.ends[list - 1] as usize };
        &self.items[begin..self.ends[list] as usize]
    }

    fn len(&self) -> usize {
        self.ends.len()
    }
}

/// A component, laid out.
#[derive(Clone, Debug)]
pub(super) struct ComponentLayout {
    pub level: u32,
    /// The nodes of its members.
    pub members: Vec<u32>,
    pub rules: Vec<RuleLayout>,
    /// By member: the rules that need it.
    pub uses: Lists,
}

/// A member holds if a literal of lower level does and so do some members, as many as `inside`.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleLayout {
    pub head: u32,
    pub outside: Ref,
    pub inside: u32,
}

/// A role's moves that share a condition.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub guard: Ref,
    /// The first of its words among all bits of legal moves, and how many it has.
    pub first_word: usize,
    pub words: usize,
}

/// A circuit laid out for play.
#[derive(Debug)]
pub struct PropNet {
    pub(super) terms: Terms,
    /// The facts that change, by number; fact `i` is node `1 + i`.
    pub(super) facts: Vec<TermId>,
    pub(super) fact_number: FxHashMap<TermId, u32>,
    pub(super) always: Vec<TermId>,
    /// Facts that are another one, or its contrary.
    pub(super) mirrors: Vec<(TermId, Ref)>,
    pub(super) first: Vec<bool>,
    /// Kept nodes end here, lazy ones there.
    pub(super) kept: usize,
    pub(super) lazy: usize,
    /// The inputs of every gate, by node, without moves that must not be made.
    pub(super) inputs: Lists,
    /// Kept gates that a kept node feeds: the gate twice, plus one if the input is denied.
    pub(super) feeds: Lists,
    /// What else changes with a kept node: moves (twice the place of the bit), or facts that differ (twice the fact, plus 1).
    pub(super) watches: Lists,
    pub(super) components: Vec<ComponentLayout>,
    /// The components that a kept node feeds; empty if there are no components.
    pub(super) component_feeds: Lists,
    /// By kept node.
    pub(super) levels: Vec<u32>,
    pub(super) depth: usize,
    /// Moved gates, from node `lazy` on: what they are at rest, their levels, and what they and moves feed.
    pub(super) resting: Vec<Ref>,
    pub(super) moved_levels: Vec<u32>,
    pub(super) moved_depth: usize,
    /// Pairs: the gate twice, plus one if the input is denied, and its guard: one of its inputs that depends on no move.
    /// Where that is false, the gate is false whatever is moved.
    pub(super) moved_feeds: Lists,
    pub(super) does_feeds: Lists,
    /// The facts that a moved gate or a move decides: the fact twice, plus one if it is the denial.
    pub(super) decides: Lists,
    pub(super) does_decides: Lists,
    /// The literals by which facts change at rest, where it is not the fact itself.
    pub(super) at_rest: Vec<Option<Ref>>,
    pub(super) terminal: Ref,
    pub(super) goals: Vec<Vec<(Option<u8>, Ref)>>,
    /// Moves of all roles, by number; a role's are together, sorted by how they are written.
    pub(super) moves: Vec<TermId>,
    pub(super) groups: Vec<Vec<Group>>,
    /// By place of a bit: the move's number.
    pub(super) move_at: Vec<u32>,
    /// By move: the place of its bit and its literal apart from the guard.
    pub(super) bit_of: Vec<(u32, Ref)>,
}

/// How large a propnet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Facts that can change.
    pub facts: usize,
    /// Moves of all roles.
    pub moves: usize,
    /// Gates of all kinds.
    pub gates: usize,
    /// Inputs of all gates that are looked at.
    pub inputs: usize,
}

/// Gates deeper than this are kept, not lazy, since asking goes as deep as the gates.
const DEEPEST_LAZY: u32 = 300;

impl PropNet {
    pub(super) fn new(mut made: Propositions, terms: Terms, stop: &AtomicBool) -> Result<PropNet, TooLarge> {
        let mut layout = PropNetLayout::new(&mut made);
        layout.group_moves(&made);
        check_stop(stop)?;
        layout.mark(&made);
        check_stop(stop)?;
        layout.number(&made.circuit);
        layout.build(made, terms, stop)
    }

    /// How large it is.
    pub fn size(&self) -> Size {
        Size {
            facts: self.facts.len(),
            moves: self.moves.len(),
            gates: self.inputs.len() - 1 - self.facts.len(),
            inputs: self.inputs.items.len(),
        }
    }

    /// The moves that reach a moved gate first, by its number among all nodes.
    pub(super) fn does_node(&self) -> usize {
        self.lazy + self.resting.len()
    }
}

/// A guard, and the moves that have it with what is left of their conditions.
type GuardedMoves = (Lit, Vec<(u32, Lit)>);

/// What becomes of the circuit's nodes.
struct PropNetLayout {
    /// By circuit node: whether it depends on moves.
    moved: Vec<bool>,
    /// By circuit node that depends on moves: what it is at rest.
    rest: Vec<Lit>,
    kept: Vec<bool>,
    lazy: Vec<bool>,
    used_moved: Vec<bool>,
    level: Vec<u32>,
    /// For each role, its groups: the guard and the moves in it with what is left of their conditions.
    groups: Vec<Vec<GuardedMoves>>,
    node_of: Vec<u32>,
    order: Vec<usize>,
    kept_end: usize,
    lazy_end: usize,
    /// By component, the circuit node of its first member.
    first_members: Vec<usize>,
}

impl PropNetLayout {
    fn new(made: &mut Propositions) -> PropNetLayout {
        let circuit = &mut made.circuit;
        let count = circuit.len();
        let mut moved = vec![false; count];
        let mut rest: Vec<Lit> = (0..count).map(Lit::of).collect();
        for node in 0..count {
            match circuit.kind(node) {
                NodeKind::Does(_) => {
                    moved[node] = true;
                    rest[node] = Lit::FALSE;
                }
                NodeKind::And if circuit.inputs(node).iter().any(|input| moved[input.node()]) => {
                    moved[node] = true;
                    let at_rest = |input: &Lit| Lit(rest[input.node()].0 ^ (input.0 & 1));
                    let mut inputs: Vec<Lit> = circuit.inputs(node).iter().map(at_rest).collect();
                    rest[node] = circuit.and(&mut inputs);
                }
                _ => {}
            }
        }
        // Gates at rest were added at the end.
        for node in count..circuit.len() {
            rest.push(Lit::of(node));
        }
        moved.resize(circuit.len(), false);
        PropNetLayout {
            moved,
            rest,
            kept: Vec::new(),
            lazy: Vec::new(),
            used_moved: Vec::new(),
            level: Vec::new(),
            groups: Vec::new(),
            node_of: Vec::new(),
            order: Vec::new(),
            kept_end: 0,
            lazy_end: 0,
            first_members: Vec::new(),
        }
    }

    /// Puts the moves of each role that share a guard together.
    fn group_moves(&mut self, made: &Propositions) {
        let mut number = 0;
        for moves in &made.moves {
            let mut groups: Vec<GuardedMoves> = Vec::new();
            let mut group_of: FxHashMap<Lit, usize> = FxHashMap::default();
            for choice in moves {
                let group = *group_of.entry(choice.guard).or_insert_with(|| {
                    groups.push((choice.guard, Vec::new()));
                    groups.len() - 1
                });
                groups[group].1.push((number, choice.left));
                number += 1;
            }
            self.groups.push(groups);
        }
    }

    /// Decides which nodes are kept up to date and which are worked out when lazy.
    fn mark(&mut self, made: &Propositions) {
        let circuit = &made.circuit;
        let count = circuit.len();
        self.kept = vec![false; count];
        self.lazy = vec![false; count];
        self.used_moved = vec![false; count];
        self.level = vec![0; count];
        let mut moved_level = vec![0u32; count];
        let mut deepest = 0;
        for node in 0..count {
            if let NodeKind::Member(component, place) = circuit.kind(node) {
                // Members come one after the other, and all need the same.
                self.level[node] = match place {
                    0 => circuit.needs(node).map(|need| self.level[need.node()] + 1).max().unwrap_or(1),
                    _ => self.level[node - 1],
                };
                deepest = deepest.max(self.level[node]);
                self.first_members.resize(component as usize + 1, node);
            }
            if circuit.kind(node) == NodeKind::And {
                let inputs = circuit.inputs(node);
                let deeper = |level: &[u32]| inputs.iter().map(|input| level[input.node()] + 1).max().unwrap_or(0);
                if self.moved[node] {
                    moved_level[node] = deeper(&moved_level);
                } else {
                    self.level[node] = deeper(&self.level);
                    deepest = deepest.max(self.level[node]);
                }
            }
        }
        let mut keep = vec![made.terminal];
        let mut ask: Vec<Lit> = made.goals.iter().flatten().map(|&(_, lit)| lit).collect();
        for (guard, moves) in self.groups.iter().flatten() {
            keep.push(*guard);
            keep.extend(moves.iter().map(|&(_, left)| left));
        }
        for base in &made.bases {
            keep.push(base.lit);
            let node = base.next.node();
            if self.moved[node] {
                self.used_moved[node] = true;
            }
            keep.push(Lit(self.rest[node].0 ^ (base.next.0 & 1)));
        }
        for node in (0..count).rev().filter(|&node| self.moved[node] && circuit.kind(node) == NodeKind::And) {
            if self.used_moved[node] {
                ask.push(self.rest[node]);
                for input in circuit.inputs(node) {
                    if self.moved[input.node()] {
                        self.used_moved[input.node()] = true;
                        ask.push(self.rest[input.node()]);
                    } else {
                        ask.push(*input);
                    }
                }
            }
        }
        keep.iter().for_each(|lit| self.kept[lit.node()] = true);
        let all_kept = deepest > DEEPEST_LAZY;
        ask.iter().for_each(|lit| if all_kept { self.kept[lit.node()] = true } else { self.lazy[lit.node()] = true });
        self.kept[0] = true;
        for node in (0..count).rev().filter(|&node| !self.moved[node]) {
            if let NodeKind::Member(component, _) = circuit.kind(node) {
                // If one member is used, all are.
                let first = self.first_members[component as usize];
                let members = first..first + circuit.components[component as usize].members as usize;
                if members.clone().any(|member| self.kept[member] || self.lazy[member]) {
                    members.for_each(|member| self.kept[member] = true);
                    circuit.needs(node).for_each(|need| self.kept[need.node()] = true);
                }
                continue;
            }
            for input in circuit.inputs(node) {
                if self.kept[node] {
                    self.kept[input.node()] = true;
                } else if self.lazy[node] {
                    self.lazy[input.node()] = true;
                }
            }
        }
        for (node, &moved_level) in moved_level.iter().enumerate() {
            let leaf = matches!(circuit.kind(node), NodeKind::Base(_) | NodeKind::True);
            self.kept[node] |= leaf;
            self.lazy[node] &= !self.kept[node];
            if self.moved[node] {
                self.level[node] = moved_level;
            }
        }
    }

    /// Gives all nodes that are used their numbers in the propnet.
    fn number(&mut self, circuit: &Circuit) {
        let count = circuit.len();
        self.node_of = vec![u32::MAX; count];
        let is = |kind: fn(NodeKind) -> bool| (0..count).filter(move |&node| kind(circuit.kind(node)));
        let mut order: Vec<usize> = vec![0];
        order.extend(is(|kind| matches!(kind, NodeKind::Base(_))));
        let mut kept: Vec<usize> =
            is(|kind| matches!(kind, NodeKind::And | NodeKind::Member(..))).filter(|&node| self.kept[node]).collect();
        kept.sort_by_key(|&node| self.level[node]);
        order.extend(kept);
        self.kept_end = order.len();
        order.extend(is(|kind| kind == NodeKind::And).filter(|&node| self.lazy[node]));
        self.lazy_end = order.len();
        let mut moved: Vec<usize> = is(|kind| kind == NodeKind::And).filter(|&node| self.used_moved[node]).collect();
        moved.sort_by_key(|&node| self.level[node]);
        order.extend(moved);
        order.extend(is(|kind| matches!(kind, NodeKind::Does(_))));
        order.iter().enumerate().for_each(|(number, &node)| self.node_of[node] = number as u32);
        self.order = order;
    }

    /// The components that are used, laid out, and by kept node those that it feeds.
    fn components(&self, circuit: &Circuit) -> (Vec<ComponentLayout>, Lists) {
        let mut components = Vec::new();
        let mut feeds: Vec<Vec<u32>> = vec![Vec::new(); self.kept_end];
        for (component, &first) in circuit.components.iter().zip(&self.first_members) {
            if !self.kept[first] {
                continue;
            }
            let count = component.members as usize;
            let mut uses = vec![Vec::new(); count];
            for (number, rule) in component.rules.iter().enumerate() {
                rule.inside.iter().for_each(|&member| uses[member as usize].push(number as u32));
                let from = self.reference(rule.outside).node();
                if feeds[from].last() != Some(&(components.len() as u32)) {
                    feeds[from].push(components.len() as u32);
                }
            }
            let rule = |rule: &RecursiveRule| RuleLayout {
                head: rule.head,
                outside: self.reference(rule.outside),
                inside: rule.inside.len() as u32,
            };
            components.push(ComponentLayout {
                level: self.level[first],
                members: (first..first + count).map(|member| self.node_of[member]).collect(),
                rules: component.rules.iter().map(rule).collect(),
                uses: Lists::new(&uses),
            });
        }
        let feeds = if components.is_empty() { Lists::default() } else { Lists::new(&feeds) };
        (components, feeds)
    }

    fn reference(&self, lit: Lit) -> Ref {
        Ref(self.node_of[lit.node()] << 1 | lit.0 & 1)
    }

    fn build(self, made: Propositions, terms: Terms, stop: &AtomicBool) -> Result<PropNet, TooLarge> {
        let circuit = &made.circuit;
        let (kept, lazy) = (self.kept_end, self.lazy_end);
        let gates_end = self.order.iter().position(|&node| matches!(circuit.kind(node), NodeKind::Does(_)));
        let moved = gates_end.unwrap_or(self.order.len()) - lazy;
        let count: usize = made.moves.iter().map(Vec::len).sum();
        let mut inputs = Lists::default();
        let mut feeds = vec![Vec::new(); kept];
        let mut moved_feeds = vec![Vec::new(); moved];
        let mut does_feeds = vec![Vec::new(); count];
        for number in 0..lazy + moved {
            check_stop(stop)?;
            let own = circuit.inputs(self.order[number]);
            let mut own: Vec<Ref> = own.iter().map(|&input| self.reference(input)).collect();
            // What is cheap to ask is lazy first.
            own.sort_by_key(|input| input.0);
            // That a move is not made need not be looked at: one that is made says so itself.
            let unmade = |input: &&Ref| input.denied() && input.node() >= lazy + moved;
            inputs.push(own.iter().filter(|input| !unmade(input)).map(|input| input.0));
            let guard = own.iter().copied().filter(|input| input.node() < kept).max_by_key(|input| input.0);
            let guard = guard.unwrap_or(Ref::TRUE).0;
            for from in own {
                if number < kept {
                    feeds[from.node()].push((number as u32) << 1 | from.0 & 1);
                    continue;
                }
                let target = (number.saturating_sub(lazy) as u32) << 1 | from.0 & 1;
                if from.node() >= lazy + moved {
                    does_feeds[from.node() - lazy - moved].extend([target, guard]);
                } else if from.node() >= lazy {
                    moved_feeds[from.node() - lazy].extend([target, guard]);
                }
            }
        }
        let (components, component_feeds) = self.components(circuit);
        let mut watches = vec![Vec::new(); kept];
        let mut decides = vec![Vec::new(); moved];
        let mut does_decides = vec![Vec::new(); count];
        let mut at_rest = Vec::new();
        for (fact, base) in made.bases.iter().enumerate() {
            let node = base.next.node();
            let rest = self.reference(Lit(self.rest[node].0 ^ (base.next.0 & 1)));
            if self.moved[node] {
                let next = self.reference(base.next);
                // A fact may be the move itself.
                match next.node().checked_sub(lazy) {
                    Some(gate) if gate < moved => decides[gate].push((fact as u32) << 1 | next.0 & 1),
                    _ => does_decides[next.node() - lazy - moved].push((fact as u32) << 1 | next.0 & 1),
                }
            }
            let stays = rest.node() == fact + 1 && !rest.denied();
            at_rest.push((!stays).then_some(rest));
            if !stays {
                for node in [rest.node(), fact + 1] {
                    watches[node].push((fact as u32) << 1 | 1);
                }
            }
        }
        let (mut groups, mut move_at, mut bit_of) = (Vec::new(), Vec::new(), vec![(0, Ref::TRUE); count]);
        for own in &self.groups {
            let mut laid = Vec::new();
            for (guard, moves) in own {
                let first_word = move_at.len() / 64;
                for &(choice, left) in moves {
                    let place = move_at.len() as u32;
                    let left = self.reference(left);
                    bit_of[choice as usize] = (place, left);
                    if left.node() != 0 {
                        watches[left.node()].push(place << 1);
                    }
                    move_at.push(choice);
                }
                move_at.resize(move_at.len().next_multiple_of(64), u32::MAX);
                laid.push(Group { guard: self.reference(*guard), first_word, words: move_at.len() / 64 - first_word });
            }
            groups.push(laid);
        }
        let levels: Vec<u32> = self.order[..kept].iter().map(|&node| self.level[node]).collect();
        let moved_levels: Vec<u32> = self.order[lazy..lazy + moved].iter().map(|&node| self.level[node]).collect();
        Ok(PropNet {
            fact_number: made.bases.iter().enumerate().map(|(number, base)| (base.fact, number as u32)).collect(),
            facts: made.bases.iter().map(|base| base.fact).collect(),
            always: made.always.clone(),
            mirrors: made.mirrors.iter().map(|&(fact, lit)| (fact, self.reference(lit))).collect(),
            first: made.bases.iter().map(|base| base.first).collect(),
            kept,
            lazy,
            inputs,
            feeds: Lists::new(&feeds),
            watches: Lists::new(&watches),
            components,
            component_feeds,
            depth: levels.iter().max().map_or(1, |&level| level as usize + 1),
            levels,
            resting: self.order[lazy..lazy + moved].iter().map(|&node| self.reference(self.rest[node])).collect(),
            moved_depth: moved_levels.iter().max().map_or(1, |&level| level as usize + 1),
            moved_levels,
            moved_feeds: Lists::new(&moved_feeds),
            does_feeds: Lists::new(&does_feeds),
            decides: Lists::new(&decides),
            does_decides: Lists::new(&does_decides),
            at_rest,
            terminal: self.reference(made.terminal),
            goals: made
                .goals
                .iter()
                .map(|goals| goals.iter().map(|&(value, lit)| (value, self.reference(lit))).collect())
                .collect(),
            moves: made.moves.iter().flatten().map(|choice| choice.term).collect(),
            groups,
            move_at,
            bit_of,
            terms,
        })
    }
}
