//! Compiled matching: descriptions as programs over bits, in a discrimination tree that shares what they have in common.
//!
//! A description becomes a list of steps: scan the facts of a bucket, follow a static relation, test a bit. The rarest facts come first, as they were
//! counted in random play. Descriptions that begin with the same steps share them, so that a thousand rules about fours and threes look once for a
//! four and once for a three. `matching.rs` is the plain meaning, and the tests compare both.

use super::ground::{FactId, GroundState, GroundSystem};
use super::language::{Argument, Bindings, Description, Literal, Name, Variable};
use crate::game::Chance;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A description to be compiled.
pub(super) struct Entry<'a> {
    /// What must hold.
    pub description: &'a Description,
    /// Whose move is recommended.
    pub player: Argument,
    /// Where.
    pub square: Argument,
    /// How many own moves the win takes.
    pub depth: u32,
}

/// An argument of a compiled step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operand {
    Object(Name),
    Slot(u8),
}

/// A fact whose arguments are known when the step is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    /// The bit of the fact for the first object of everything that lies in a slot.
    offset: u32,
    /// Slots, the type that numbers their objects, and how far apart facts are.
    terms: SmallVec<[(u8, u16, u32); 2]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Op {
    /// The fact must hold.
    Test(Pattern),
    /// Every fact of the bucket that holds: its first argument goes into the slot.
    Scan { bucket: Pattern, kind: u16, size: u32, slot: u8 },
    /// Every object of a type.
    Each { kind: u16, slot: u8 },
    /// Every row of a static relation that agrees with what is known, found by one place.
    Relate { relation: u16, by: Option<(u8, Operand)>, places: SmallVec<[(Operand, bool); 3]> },
    /// These must differ.
    Differ(Operand, Operand),
    /// Facts of two literals must differ.
    Distinct(Pattern, Pattern),
}

/// A description that is met when its node is reached.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// Its number.
    pub entry: u32,
    /// How many own moves the win takes.
    pub depth: u32,
    square: Operand,
    slots: Vec<(Variable, u8)>,
}

#[derive(Clone, Debug)]
struct Node {
    op: Op,
    children: Vec<u32>,
    leaves: Vec<Leaf>,
    /// The least depth of a leaf below.
    depth: u32,
}

#[derive(Clone, Debug)]
struct Relation {
    rows: Vec<SmallVec<[Name; 3]>>,
    /// For each place and name the numbers of rows.
    by_place: Vec<FxHashMap<Name, Vec<u32>>>,
}

/// Compiled descriptions.
#[derive(Clone, Debug)]
pub(super) struct Trie {
    nodes: Vec<Node>,
    roots: Vec<u32>,
    relations: Vec<Relation>,
    player: [Name; 2],
}

/// How many values a description may have: more than rules ever have.
const SLOTS: usize = 128;
type Slots = [Name; SLOTS];

/// How often facts hold in random play.
#[derive(Clone, Debug)]
pub(super) struct Frequencies {
    /// For each bucket, by its first bit.
    mean: HashMap<u32, f64>,
}

impl Frequencies {
    /// Plays at random and counts; the same for the same system.
    pub fn sample(ground: &GroundSystem) -> Frequencies {
        let buckets = ground.buckets();
        let mut sums: HashMap<u32, u64> = HashMap::new();
        let mut samples = 0;
        for game in 0..8 {
            let mut chance = Chance::stream(0, game);
            let mut state = ground.state(&ground.system.start_state());
            for ply in 0..400 {
                let legal = ground.legal(&mut state, ply % 2);
                if legal.is_empty() {
                    break;
                }
                if ground.play(&mut state, legal[chance.below(legal.len())]).is_none() {
                    break;
                }
                if ply % 8 == 7 {
                    samples += 1;
                    for &(bit, size, ..) in &buckets {
                        let held: u32 = state.range(bit, size).iter().map(|word| word.count_ones()).sum();
                        *sums.entry(bit).or_default() += u64::from(held);
                    }
                }
            }
        }
        let mean = sums.into_iter().map(|(bit, sum)| (bit, (sum as f64 + 0.01) / f64::from(samples.max(1)))).collect();
        Frequencies { mean }
    }

    fn of(&self, bit: u32) -> f64 {
        self.mean.get(&bit).copied().unwrap_or(1.0)
    }
}

impl Trie {
    /// Compiles descriptions; `None` if one has more variables than fit.
    pub fn new(ground: &GroundSystem, frequencies: &Frequencies, entries: &[Entry]) -> Option<Trie> {
        Trie::compile(ground, frequencies, (0..).zip(entries))
    }

    /// The same for descriptions that keep the numbers they have.
    pub fn numbered(ground: &GroundSystem, frequencies: &Frequencies, entries: &[&(u32, Entry)]) -> Option<Trie> {
        Trie::compile(ground, frequencies, entries.iter().map(|(number, entry)| (*number, entry)))
    }

    fn compile<'e>(
        ground: &GroundSystem,
        frequencies: &Frequencies,
        entries: impl Iterator<Item = (u32, &'e Entry<'e>)>,
    ) -> Option<Trie> {
        let mut compiler = Compiler::new(ground, frequencies);
        let mut trie =
            Trie { nodes: Vec::new(), roots: Vec::new(), relations: Vec::new(), player: ground.system.players };
        for (number, entry) in entries {
            let (ops, leaf) = compiler.compile(number, entry)?;
            trie.insert(ops, leaf);
        }
        trie.relations = compiler.relations;
        Some(trie)
    }

    fn insert(&mut self, ops: Vec<Op>, leaf: Leaf) {
        let mut at: Option<u32> = None;
        for op in ops {
            let children = at.map_or(&self.roots, |at| &self.nodes[at as usize].children);
            let known = children.iter().copied().find(|&child| self.nodes[child as usize].op == op);
            let next = known.unwrap_or_else(|| {
                let next = self.nodes.len() as u32;
                self.nodes.push(Node { op, children: Vec::new(), leaves: Vec::new(), depth: u32::MAX });
                match at {
                    Some(at) => self.nodes[at as usize].children.push(next),
                    None => self.roots.push(next),
                }
                next
            });
            let node = &mut self.nodes[next as usize];
            node.depth = node.depth.min(leaf.depth);
            at = Some(next);
        }
        if let Some(at) = at {
            self.nodes[at as usize].leaves.push(leaf);
        }
    }

    /// Every match for a player, of descriptions with at most so many own moves, unless it takes more steps than allowed. What `found` returns is
    /// the limit from then on.
    pub fn matches(
        &self,
        ground: &GroundSystem,
        state: &GroundState,
        player: usize,
        limit: u32,
        steps: u64,
        found: &mut dyn FnMut(&Leaf, Match) -> ControlFlow<(), u32>,
    ) -> ControlFlow<()> {
        let mut search = Search { trie: self, ground, state, slots: [self.player[player]; SLOTS], limit, steps, found };
        self.roots.iter().try_for_each(|&root| search.node(root))
    }
}

/// What a match stands on.
#[derive(Clone, Copy)]
pub(super) struct Match<'a> {
    slots: &'a Slots,
}

impl Match<'_> {
    /// The recommended square.
    pub fn square(self, leaf: &Leaf) -> Name {
        value(leaf.square, self.slots)
    }

    /// What the variables of the description stand for.
    pub fn bindings(self, leaf: &Leaf) -> Bindings {
        let mut bindings = Bindings::default();
        leaf.slots.iter().for_each(|&(variable, slot)| bindings.set(variable, self.slots[slot as usize]));
        bindings
    }
}

#[inline]
fn value(operand: Operand, slots: &Slots) -> Name {
    match operand {
        Operand::Object(name) => name,
        Operand::Slot(slot) => slots[slot as usize],
    }
}

impl Pattern {
    /// The bit; `None` if an object is of another type, so that there is no such fact.
    #[inline]
    fn bit(&self, ground: &GroundSystem, slots: &Slots) -> Option<u32> {
        let mut bit = self.offset;
        for &(slot, kind, stride) in &self.terms {
            let number = ground.number(kind as usize, slots[slot as usize]);
            if number == u32::MAX {
                return None;
            }
            bit += number * stride;
        }
        Some(bit)
    }
}

struct Search<'a, 'f> {
    trie: &'a Trie,
    ground: &'a GroundSystem,
    state: &'a GroundState,
    slots: Slots,
    limit: u32,
    steps: u64,
    found: &'f mut dyn FnMut(&Leaf, Match) -> ControlFlow<(), u32>,
}

impl<'a> Search<'a, '_> {
    fn node(&mut self, number: u32) -> ControlFlow<()> {
        let node: &'a Node = &self.trie.nodes[number as usize];
        if node.depth > self.limit {
            return ControlFlow::Continue(());
        }
        if self.steps == 0 {
            return ControlFlow::Break(());
        }
        self.steps -= 1;
        let ground = self.ground;
        match &node.op {
            Op::Test(pattern) => {
                if pattern.bit(ground, &self.slots).is_some_and(|bit| self.state.holds(FactId(bit))) {
                    self.below(node)?;
                }
            }
            Op::Scan { bucket, kind, size, slot } => {
                let Some(first) = bucket.bit(ground, &self.slots) else { return ControlFlow::Continue(()) };
                let objects = &ground.system.types[*kind as usize].1;
                let words = self.state.range(first, *size).len();
                for at in 0..words {
                    let mut word = self.state.range(first, *size)[at];
                    while word != 0 {
                        let bit = word.trailing_zeros() as usize;
                        word &= word - 1;
                        self.slots[*slot as usize] = objects[at * 64 + bit];
                        self.below(node)?;
                    }
                }
            }
            Op::Each { kind, slot } => {
                for &object in &ground.system.types[*kind as usize].1 {
                    self.slots[*slot as usize] = object;
                    self.below(node)?;
                }
            }
            Op::Relate { relation, by, places } => {
                let relation: &'a Relation = &self.trie.relations[*relation as usize];
                match by {
                    Some((place, operand)) => {
                        let key = value(*operand, &self.slots);
                        let rows = relation.by_place[*place as usize].get(&key);
                        for &row in rows.into_iter().flatten() {
                            self.row(node, &relation.rows[row as usize], places)?;
                        }
                    }
                    None => {
                        for row in &relation.rows {
                            self.row(node, row, places)?;
                        }
                    }
                }
            }
            Op::Differ(a, b) => {
                if value(*a, &self.slots) != value(*b, &self.slots) {
                    self.below(node)?;
                }
            }
            Op::Distinct(a, b) => {
                if a.bit(ground, &self.slots) != b.bit(ground, &self.slots) {
                    self.below(node)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn row(&mut self, node: &'a Node, row: &[Name], places: &[(Operand, bool)]) -> ControlFlow<()> {
        for (&name, &(operand, binds)) in row.iter().zip(places) {
            match (operand, binds) {
                (Operand::Slot(slot), true) => self.slots[slot as usize] = name,
                (operand, _) if value(operand, &self.slots) != name => return ControlFlow::Continue(()),
                _ => {}
            }
        }
        self.below(node)
    }

    #[inline]
    fn below(&mut self, node: &'a Node) -> ControlFlow<()> {
        for leaf in &node.leaves {
            if leaf.depth <= self.limit {
                self.limit = match (self.found)(leaf, Match { slots: &self.slots }) {
                    ControlFlow::Continue(limit) => limit,
                    ControlFlow::Break(()) => return ControlFlow::Break(()),
                };
            }
        }
        for &child in &node.children {
            self.node(child)?;
        }
        ControlFlow::Continue(())
    }
}

struct Compiler<'a> {
    ground: &'a GroundSystem,
    frequencies: &'a Frequencies,
    relations: Vec<Relation>,
    numbers: HashMap<Name, u16>,
}

impl<'a> Compiler<'a> {
    fn new(ground: &'a GroundSystem, frequencies: &'a Frequencies) -> Compiler<'a> {
        let mut compiler = Compiler { ground, frequencies, relations: Vec::new(), numbers: HashMap::new() };
        for fact in ground.system.statics.iter() {
            let next = compiler.relations.len() as u16;
            let number = *compiler.numbers.entry(fact.predicate).or_insert(next);
            if number == next {
                let by_place = vec![FxHashMap::default(); fact.arguments.len()];
                compiler.relations.push(Relation { rows: Vec::new(), by_place });
            }
            let relation = &mut compiler.relations[number as usize];
            let row = relation.rows.len() as u32;
            for (place, &name) in fact.arguments.iter().enumerate() {
                relation.by_place[place].entry(name).or_default().push(row);
            }
            relation.rows.push(fact.arguments.clone());
        }
        compiler
    }

    fn compile(&mut self, number: u32, entry: &Entry) -> Option<(Vec<Op>, Leaf)> {
        let mut rule = Compiling { slots: HashMap::new(), ops: Vec::new() };
        if let Argument::Variable(variable) = entry.player {
            rule.slots.insert(variable, 0);
        } else if let Argument::Object(name) = entry.player {
            rule.ops.push(Op::Differ(Operand::Slot(0), Operand::Object(self.ground.system.other(name))));
        }
        let is_static = |literal: &&Literal| self.ground.system.is_static(literal.predicate);
        let mut left: Vec<&Literal> = entry.description.literals.iter().collect();
        let mut unequal = entry.description.unequal.clone();
        let mut done: Vec<&Literal> = Vec::new();
        loop {
            unequal.retain(|&(a, b)| match (rule.operand(a), rule.operand(b)) {
                (Some(a), Some(b)) => {
                    rule.ops.push(Op::Differ(a, b));
                    false
                }
                _ => true,
            });
            if left.is_empty() {
                break;
            }
            let costs: Vec<f64> = left.iter().map(|literal| self.cost(literal, &rule)).collect();
            let at = (0..left.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b]))?;
            let literal = left.remove(at);
            if is_static(&literal) {
                self.relate(literal, &mut rule)?;
            } else {
                self.feature(literal, &mut rule)?;
                for other in &done {
                    if may_be_equal(literal, other) {
                        let (a, b) = (self.pattern(literal, &rule)?, self.pattern(other, &rule)?);
                        rule.ops.push(Op::Distinct(a, b));
                    }
                }
                done.push(literal);
            }
        }
        // A pair with a variable that nothing binds can be kept apart, unless it is the same twice.
        if unequal.iter().any(|(a, b)| a == b) {
            rule.ops.push(Op::Differ(Operand::Slot(0), Operand::Slot(0)));
        }
        if rule.ops.is_empty() {
            rule.ops.push(Op::Differ(Operand::Slot(0), Operand::Object(Name(u32::MAX))));
        }
        let square = rule.operand(entry.square)?;
        let mut slots: Vec<(Variable, u8)> = rule.slots.iter().map(|(&variable, &slot)| (variable, slot)).collect();
        slots.sort_unstable();
        Some((rule.ops, Leaf { entry: number, depth: entry.depth, square, slots }))
    }

    /// How many ways a literal leaves, about.
    fn cost(&self, literal: &Literal, rule: &Compiling) -> f64 {
        let bound: Vec<bool> = literal.arguments.iter().map(|&argument| rule.operand(argument).is_some()).collect();
        let system = &self.ground.system;
        if system.is_static(literal.predicate) {
            let Some(relation) = self.numbers.get(&literal.predicate).map(|&at| &self.relations[at as usize]) else {
                return 0.0;
            };
            let rows = relation.rows.len() as f64;
            let keys = |place: usize| relation.by_place[place].len().max(1) as f64;
            return (0..bound.len()).filter(|&place| bound[place]).fold(rows, |rows, place| rows / keys(place));
        }
        let Some((_, arguments)) = self.ground.layout(literal.predicate) else { return 0.0 };
        let sizes: Vec<f64> = arguments.map(|(kind, _)| system.types[kind].1.len() as f64).collect();
        // Of the bucket for the first player: the other one's are as full.
        let first = self.first_bucket(literal, rule);
        let mut cost = self.frequencies.of(first);
        if bound.first().copied().unwrap_or(true) {
            cost /= sizes.first().copied().unwrap_or(1.0);
        }
        (1..bound.len()).filter(|&place| !bound[place]).fold(cost, |cost, place| cost * sizes[place])
    }

    fn first_bucket(&self, literal: &Literal, rule: &Compiling) -> u32 {
        let Some((base, arguments)) = self.ground.layout(literal.predicate) else { return 0 };
        let mut bit = base;
        for (&argument, (kind, stride)) in literal.arguments.iter().zip(arguments).skip(1) {
            if let Some(Operand::Object(name)) = rule.operand(argument) {
                let number = self.ground.number(kind, name);
                bit += if number == u32::MAX { 0 } else { number * stride };
            }
        }
        bit
    }

    fn relate(&self, literal: &Literal, rule: &mut Compiling) -> Option<()> {
        let Some(&relation) = self.numbers.get(&literal.predicate) else {
            // A relation without facts: never met.
            rule.ops.push(Op::Differ(Operand::Slot(0), Operand::Slot(0)));
            for &argument in &literal.arguments {
                rule.bind(argument)?;
            }
            return Some(());
        };
        let table = &self.relations[relation as usize];
        let known: SmallVec<[Option<Operand>; 3]> = literal.arguments.iter().map(|&a| rule.operand(a)).collect();
        // The place that leaves the fewest rows.
        let by = (0..known.len())
            .filter(|&place| known[place].is_some())
            .max_by_key(|&place| (table.by_place[place].len(), std::cmp::Reverse(place)))
            .and_then(|place| Some((place as u8, known[place]?)));
        let mut places = SmallVec::new();
        for &argument in &literal.arguments {
            match rule.operand(argument) {
                Some(operand) => places.push((operand, false)),
                None => places.push((Operand::Slot(rule.bind(argument)?), true)),
            }
        }
        rule.ops.push(Op::Relate { relation, by, places });
        Some(())
    }

    fn feature(&self, literal: &Literal, rule: &mut Compiling) -> Option<()> {
        let (_, arguments) = self.ground.layout(literal.predicate)?;
        let kinds: Vec<usize> = arguments.map(|(kind, _)| kind).collect();
        for (&argument, &kind) in literal.arguments.iter().zip(&kinds).skip(1) {
            if rule.operand(argument).is_none() {
                let slot = rule.bind(argument)?;
                rule.ops.push(Op::Each { kind: kind as u16, slot });
            }
        }
        let first = literal.arguments.first().copied();
        match first.filter(|&first| rule.operand(first).is_none()) {
            Some(first) => {
                let mut rest = literal.clone();
                let size = self.ground.system.types[kinds[0]].1.len() as u32;
                let object = self.ground.system.types[kinds[0]].1.first().copied()?;
                rest.arguments[0] = Argument::Object(object);
                let bucket = self.pattern(&rest, rule)?;
                let slot = rule.bind(first)?;
                rule.ops.push(Op::Scan { bucket, kind: kinds[0] as u16, size, slot });
            }
            None => {
                let pattern = self.pattern(literal, rule)?;
                rule.ops.push(Op::Test(pattern));
            }
        }
        Some(())
    }

    fn pattern(&self, literal: &Literal, rule: &Compiling) -> Option<Pattern> {
        let (base, arguments) = self.ground.layout(literal.predicate)?;
        let mut pattern = Pattern { offset: base, terms: SmallVec::new() };
        for (&argument, (kind, stride)) in literal.arguments.iter().zip(arguments) {
            match rule.operand(argument)? {
                Operand::Object(name) => {
                    let number = self.ground.number(kind, name);
                    if number == u32::MAX {
                        return None;
                    }
                    pattern.offset += number * stride;
                }
                Operand::Slot(slot) => pattern.terms.push((slot, kind as u16, stride)),
            }
        }
        Some(pattern)
    }
}

/// Whether two literals may match the same fact.
fn may_be_equal(a: &Literal, b: &Literal) -> bool {
    let differ =
        |(a, b): (&Argument, &Argument)| matches!((a, b), (Argument::Object(a), Argument::Object(b)) if a != b);
    a.predicate == b.predicate && !a.arguments.iter().zip(&b.arguments).any(differ)
}

struct Compiling {
    slots: HashMap<Variable, u8>,
    ops: Vec<Op>,
}

impl Compiling {
    fn operand(&self, argument: Argument) -> Option<Operand> {
        match argument {
            Argument::Object(name) => Some(Operand::Object(name)),
            Argument::Variable(variable) => self.slots.get(&variable).map(|&slot| Operand::Slot(slot)),
        }
    }

    /// The slot of a variable, a new one if it has none; slot 0 is the player's.
    fn bind(&mut self, argument: Argument) -> Option<u8> {
        let Argument::Variable(variable) = argument else { return Some(0) };
        let next = self.slots.values().copied().max().unwrap_or(0) + 1;
        let slot = *self.slots.entry(variable).or_insert(next);
        (usize::from(slot) < SLOTS).then_some(slot)
    }
}
