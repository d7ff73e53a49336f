//! What is kept of the traces that were seen.

use super::Action;
use super::family::Family;
use super::objects::TraceObjects;
use super::tuples::Tuples;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// The most different actions that are told apart. Plans with more name their objects within the action's name.
pub const MAX_ACTIONS: usize = 512;
/// The most transitions, that is arguments of different actions and one more for each action.
pub const MAX_TRANSITIONS: usize = 2048;
/// The most arguments an action may have.
pub const MAX_ARGUMENTS: usize = 100;
/// Sorts with more transitions than this are given one machine only: the sets of transitions between two others, which
/// splitting needs, could be too many.
pub(super) const MAX_SPLIT: usize = 32;
/// The most agreements of arguments, with the sets of transitions that came between, that are kept: far more than any
/// domain with few arguments an action has, and some hundred megabytes.
pub const MAX_KEPT: usize = 5_000_000;
/// More different stems of names than this tell nothing about a sort.
const MAX_STEMS: usize = 8;

/// All that induction needs of the traces that were seen: a value that observes traces and merges with others. Neither
/// the order of traces nor that of merging makes a difference to anything that is made of it.
///
/// Transitions `a` and `b` of an object follow each other, once all transitions outside a set are left out, if and only
/// if none of those that really came between is in the set. So for each pair the smallest sets of transitions that came
/// between are kept; for each pair of arguments, the smallest sets that came between when the arguments differed. That
/// is enough to tell, for each set of transitions, which follow each other and which arguments always agree; it grows
/// with the number of different transitions, not with the traces.
///
/// ```
/// use onlooker::locm::{Action, Evidence};
///
/// let mut evidence = Evidence::default();
/// let trace = [Action::new("board", ["car", "ferry"]), Action::new("debark", ["car", "ferry"])];
/// evidence.observe(&trace).map_err(|(_, refused)| refused)?;
/// evidence.merge(evidence.clone()).map_err(|(refused, _)| refused)?;
/// assert_eq!((evidence.traces(), evidence.steps()), (2, 4));
/// # Ok::<(), onlooker::locm::Refused>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    pub(super) actions: Vec<ActionKind>,
    /// For each name its arity and its kinds.
    by_name: FxHashMap<Box<str>, NamedArgument>,
    pub(super) slots: Vec<Slot>,
    /// `rows[b][a]` is twice the number of their pair, plus 1 if nothing more can be learnt about it, or `NONE`.
    pub(super) rows: Vec<Vec<u32>>,
    pub(super) pairs: Vec<Pair>,
    /// How much all pairs keep together.
    kept: usize,
    sorts: SortPartition,
    pub(super) traces: u64,
    pub(super) steps: u64,
    /// Which pairs of arguments were seen together, if that is asked for.
    pub(super) tuples: Option<Tuples>,
    pub(super) scratch: TraceObjects,
}

pub(super) const NONE: u32 = u32::MAX;

/// An action's name, and which of its arguments were the same object. An action in which an object occurs twice is a
/// kind of its own, whose arguments are the different objects: otherwise one step would be two transitions of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ActionKind {
    pub name: Box<str>,
    pub shape: ActionShape,
    pub count: u64,
    /// The number of its transition of the imagined argument 0; those of its arguments follow.
    pub first: u32,
}

/// For each argument, which of the different objects it is, numbered in order of appearance.
pub(super) type ActionShape = SmallVec<[u8; 8]>;

impl ActionKind {
    /// How many different objects it has.
    pub fn objects(&self) -> usize {
        objects(&self.shape)
    }
}

fn objects(shape: &[u8]) -> usize {
    shape.iter().max().map_or(0, |&last| usize::from(last) + 1)
}

/// The shape of some arguments, if they are not too many.
pub(super) fn shape<T>(arguments: &[T], same: impl Fn(&T, &T) -> bool) -> Option<ActionShape> {
    let mut shape = ActionShape::new();
    let mut objects = 0;
    for (i, argument) in arguments.iter().enumerate() {
        let earlier = arguments[..i].iter().position(|earlier| same(earlier, argument));
        shape.push(match earlier {
            Some(earlier) => shape[earlier],
            None => objects,
        });
        if earlier.is_none() {
            objects = objects.checked_add(1).filter(|&objects| usize::from(objects) <= MAX_ARGUMENTS)?;
        }
    }
    (arguments.len() <= MAX_ARGUMENTS).then_some(shape)
}

#[derive(Clone, Debug)]
struct NamedArgument {
    arity: usize,
    kinds: SmallVec<[u32; 1]>,
}

/// A transition: what happens to the object in an argument of an action; argument 0 is imagined.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub action: u32,
    pub argument: u8,
    /// What came before it in its object's trace.
    pub before: Family,
    /// What came after it.
    pub after: Family,
    /// How the names of its objects begin, with `=` behind whole names; `None` if in too many ways.
    pub stems: Option<BTreeSet<Box<str>>>,
}

/// A transition that came after another one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pair {
    pub before: u32,
    pub after: u32,
    /// What came between.
    pub between: Family,
    /// Arguments that agreed at least once, sorted. All others differed whenever the pair was seen.
    pub agreeing: Vec<Agreement>,
}

/// An argument of the earlier action and one of the later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Agreement {
    /// Counted from 0, as all different objects are.
    pub written: u8,
    pub read: u8,
    /// What came between when the two differed.
    pub differed: Family,
}

impl Pair {
    /// Nothing more can be learnt.
    #[inline]
    pub fn is_settled(&self) -> bool {
        self.between.is_settled() && self.agreeing.is_empty()
    }

    /// How many agreements and sets of transitions it keeps.
    #[inline]
    pub fn weight(&self) -> usize {
        let agreeing = self.agreeing.iter().map(|agreement| 1 + agreement.differed.sets().len());
        self.between.sets().len() + agreeing.sum::<usize>()
    }

    /// Takes out agreements that say no more than that the arguments never agreed, and sorts the others.
    pub fn tidy(&mut self) {
        let between = &self.between;
        self.agreeing.retain(|agreement| agreement.differed != *between);
        self.agreeing.sort_by_key(Agreement::arguments);
    }

    /// Where these arguments are among those that agreed, or where they would be.
    pub fn agreement(&self, written: u8, read: u8) -> Result<usize, usize> {
        self.agreeing.binary_search_by_key(&(written, read), Agreement::arguments)
    }

    /// When these arguments differed.
    fn differed(&self, written: u8, read: u8) -> &Family {
        self.agreement(written, read).map_or(&self.between, |known| &self.agreeing[known].differed)
    }

    /// Whether two objects, counted from 1, agreed whenever the pair was seen with nothing chosen between.
    pub fn agrees(&self, written: u32, read: u32, chosen: &[u64]) -> bool {
        let known = self.agreement(written as u8 - 1, read as u8 - 1);
        known.is_ok_and(|known| !self.agreeing[known].differed.has_one_apart_from(chosen))
    }

    fn merge(&mut self, other: &Pair) {
        let mut arguments: Vec<(u8, u8)> =
            self.agreeing.iter().chain(&other.agreeing).map(Agreement::arguments).collect();
        arguments.sort_unstable();
        arguments.dedup();
        let merged = arguments.into_iter().map(|(written, read)| {
            let mut differed = self.differed(written, read).clone();
            differed.merge(other.differed(written, read));
            Agreement { written, read, differed }
        });
        self.agreeing = merged.collect();
        self.between.merge(&other.between);
        self.tidy();
    }
}

impl Agreement {
    pub fn arguments(&self) -> (u8, u8) {
        (self.written, self.read)
    }
}

/// An action that cannot be observed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It had another number of arguments before.
    #[error(
        "found {name} with {found} {}, expected {expected} as before",
        if *.found == 1 { "argument" } else { "arguments" }
    )]
    Arity {
        /// The action.
        name: String,
        /// How many arguments it has.
        found: usize,
        /// How many it had.
        expected: usize,
    },
    /// It has too many arguments.
    #[error("found {name} with {found} arguments, expected at most {MAX_ARGUMENTS}")]
    Long {
        /// The action.
        name: String,
        /// How many arguments it has.
        found: usize,
    },
    /// There are too many different actions.
    #[error(
        "found more than {MAX_ACTIONS} different actions or {MAX_TRANSITIONS} arguments of them, expected objects as \
         arguments of few actions"
    )]
    Many,
    /// Arguments agree in too many ways: there are too many of them.
    #[error(
        "found more than {MAX_KEPT} ways in which arguments of two actions agree, expected actions with fewer arguments"
    )]
    Large,
}

impl Evidence {
    /// No evidence yet; it will also keep which objects were seen together in an action, as [`statics`] needs it. That
    /// takes objects of one name for the same object in all traces.
    ///
    /// [`statics`]: super::Options::statics
    pub fn with_statics() -> Evidence {
        Evidence { tuples: Some(Tuples::default()), ..Evidence::default() }
    }

    /// Whether it keeps which objects were seen together.
    pub fn has_statics(&self) -> bool {
        self.tuples.is_some()
    }

    /// How many traces were seen.
    pub fn traces(&self) -> u64 {
        self.traces
    }

    /// How many actions they had.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether all actions of a trace can be added, so that it is added as a whole or not at all.
    pub(super) fn check<S: AsRef<str>>(&self, trace: &[Action<S>]) -> Result<(), (usize, Refused)> {
        let mut new: Vec<(&str, ActionShape)> = Vec::new();
        let mut slots = self.slots.len();
        for (i, action) in trace.iter().enumerate() {
            let (name, found) = (action.name.as_ref(), action.arguments.len());
            let shape = shape(&action.arguments, |a, b| a.as_ref() == b.as_ref());
            let shape = shape.ok_or_else(|| (i, Refused::Long { name: name.to_owned(), found }))?;
            let named = self.by_name.get(name);
            let earlier = || new.iter().find(|known| known.0 == name).map(|known| known.1.len());
            let expected = named.map(|named| named.arity).or_else(earlier).unwrap_or(found);
            if found != expected {
                return Err((i, Refused::Arity { name: name.to_owned(), found, expected }));
            }
            let known = named.is_some_and(|named| self.has_shape(named, &shape));
            if !known && !new.iter().any(|known| known.0 == name && known.1 == shape) {
                slots += objects(&shape) + 1;
                new.push((name, shape));
                if self.actions.len() + new.len() > MAX_ACTIONS || slots > MAX_TRANSITIONS {
                    return Err((i, Refused::Many));
                }
            }
        }
        Ok(())
    }

    fn has_shape(&self, named: &NamedArgument, shape: &[u8]) -> bool {
        named.kinds.iter().any(|&kind| self.actions[kind as usize].shape.as_slice() == shape)
    }

    /// The kind of an action with these objects.
    pub(super) fn kind(&mut self, name: &str, shape: &[u8]) -> Result<u32, Refused> {
        if let Some(named) = self.by_name.get(name) {
            if named.arity != shape.len() {
                let (found, expected) = (shape.len(), named.arity);
                return Err(Refused::Arity { name: name.to_owned(), found, expected });
            }
            let known = named.kinds.iter().find(|&&kind| self.actions[kind as usize].shape.as_slice() == shape);
            if let Some(&kind) = known {
                return Ok(kind);
            }
        }
        self.add_kind(name, shape)
    }

    fn add_kind(&mut self, name: &str, shape: &[u8]) -> Result<u32, Refused> {
        let (number, first) = (self.actions.len() as u32, self.slots.len() as u32);
        let kind = ActionKind { name: name.into(), shape: ActionShape::from_slice(shape), count: 0, first };
        let slots = kind.objects() + 1;
        if self.actions.len() == MAX_ACTIONS || self.slots.len() + slots > MAX_TRANSITIONS {
            return Err(Refused::Many);
        }
        for argument in 0..slots {
            let stems = Some(BTreeSet::new());
            let argument = argument as u8;
            let slot = Slot { action: number, argument, before: Family::default(), after: Family::default(), stems };
            self.slots.push(slot);
            self.rows.push(Vec::new());
            self.sorts.add();
        }
        if let Some(earlier) = self.actions.first() {
            self.sorts.join(earlier.first as usize, first as usize);
        }
        self.actions.push(kind);
        let named = NamedArgument { arity: shape.len(), kinds: SmallVec::new() };
        self.by_name.entry(name.into()).or_insert(named).kinds.push(number);
        Ok(number)
    }

    /// The pair of these transitions, made if there is none yet.
    pub(super) fn pair(&mut self, before: u32, after: u32) -> &mut Pair {
        let row = &mut self.rows[after as usize];
        if row.len() <= before as usize {
            row.resize(before as usize + 1, NONE);
        }
        let entry = &mut row[before as usize];
        if *entry == NONE {
            *entry = 2 * self.pairs.len() as u32;
            self.pairs.push(Pair { before, after, ..Pair::default() });
        }
        &mut self.pairs[(*entry / 2) as usize]
    }

    /// Counts what a pair keeps more, or less, than before.
    #[inline]
    pub(super) fn weigh(&mut self, before: usize, after: usize) {
        // What was read from a file is not counted until it is merged.
        self.kept = (self.kept + after).saturating_sub(before);
    }

    /// Whether what is kept leaves room for so much more.
    #[inline]
    pub(super) fn has_room(&self, more: usize) -> bool {
        self.kept.saturating_add(more) <= MAX_KEPT
    }

    /// Says that a pair is not to be looked at again.
    pub(super) fn settle(&mut self, before: u32, after: u32) {
        self.rows[after as usize][before as usize] |= 1;
    }

    /// Says that an object made both transitions.
    pub(super) fn same_sort(&mut self, a: u32, b: u32) {
        self.sorts.join(a as usize, b as usize);
    }

    /// Whether sets of transitions are kept for the sort of this one.
    #[inline]
    pub(super) fn is_split(&self, slot: u32) -> bool {
        self.sorts.size(slot as usize) <= MAX_SPLIT
    }

    /// One number for all transitions of a sort; the imagined arguments are one sort.
    pub(super) fn sort(&self, slot: usize) -> usize {
        self.sorts.find(slot)
    }

    /// Adds what another evidence has seen; on an error nothing is added, and it is given back. Which objects were seen
    /// together is known afterwards only if both knew it.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the actions of both do not go together, or are too many.
    pub fn merge(&mut self, other: Evidence) -> Result<(), (Refused, Box<Evidence>)> {
        let backup = self.clone();
        match self.add(&other) {
            Ok(()) => Ok(()),
            Err(refused) => {
                *self = backup;
                Err((refused, Box::new(other)))
            }
        }
    }

    fn add(&mut self, other: &Evidence) -> Result<(), Refused> {
        let mut new = Vec::with_capacity(other.slots.len());
        for kind in &other.actions {
            let number = self.kind(&kind.name, &kind.shape)? as usize;
            let mine = &mut self.actions[number];
            mine.count = mine.count.saturating_add(kind.count);
            let first = mine.first;
            new.extend((0..=kind.objects() as u32).map(|argument| first + argument));
        }
        for (slot, &number) in other.slots.iter().zip(&new) {
            let mine = &mut self.slots[number as usize];
            mine.before.merge(&slot.before.renumbered(&new));
            mine.after.merge(&slot.after.renumbered(&new));
            match &slot.stems {
                None => mine.stems = None,
                Some(stems) => stems.iter().for_each(|stem| mine.add_stem(stem)),
            }
        }
        for pair in other.pairs.iter().filter(|pair| !pair.between.is_empty()) {
            let theirs = pair.renumbered(&new);
            let (before, after) = (theirs.before, theirs.after);
            let mine = self.pair(before, after);
            mine.merge(&theirs);
            let settled = mine.is_settled();
            if mine.between.is_settled() {
                self.same_sort(before, after);
            }
            if settled {
                self.settle(before, after);
            }
        }
        self.kept = self.pairs.iter().map(Pair::weight).sum();
        if !self.has_room(0) {
            return Err(Refused::Large);
        }
        self.tuples = match (self.tuples.take(), &other.tuples) {
            (Some(mut mine), Some(theirs)) => {
                let kinds = |kind: u32| self.slots[new[other.actions[kind as usize].first as usize] as usize].action;
                mine.merge(theirs, kinds);
                Some(mine)
            }
            _ => None,
        };
        self.traces = self.traces.saturating_add(other.traces);
        self.steps = self.steps.saturating_add(other.steps);
        Ok(())
    }

    /// The same evidence with everything in an order that depends on nothing but what was seen, and nothing in it that
    /// induction does not use.
    pub(super) fn canonical(&self) -> Evidence {
        let mut order: Vec<usize> = (0..self.actions.len()).collect();
        order.sort_by(|&a, &b| self.actions[a].cmp_name(&self.actions[b]));
        let mut new = vec![0; self.slots.len()];
        let mut kinds = vec![0; self.actions.len()];
        let mut same = Evidence { traces: self.traces, steps: self.steps, ..Evidence::default() };
        for (number, &old) in order.iter().enumerate() {
            let kind = &self.actions[old];
            kinds[old] = number as u32;
            let first = same.slots.len() as u32;
            // It had room for them, so there is room for them.
            let _ = same.add_kind(&kind.name, &kind.shape);
            same.actions[number].count = kind.count;
            (0..=kind.objects() as u32).for_each(|argument| new[(kind.first + argument) as usize] = first + argument);
        }
        for (slot, &number) in self.slots.iter().zip(&new) {
            let mine = &mut same.slots[number as usize];
            mine.before = slot.before.renumbered(&new);
            mine.after = slot.after.renumbered(&new);
            mine.stems = slot.stems.clone();
        }
        let mut pairs: Vec<Pair> = self.pairs.iter().map(|pair| pair.renumbered(&new)).collect();
        for pair in pairs.iter().filter(|pair| pair.between.is_settled()) {
            same.same_sort(pair.before, pair.after);
        }
        for slot in 0..same.slots.len() {
            if !same.is_split(slot as u32) {
                same.slots[slot].before.cut();
                same.slots[slot].after.cut();
            }
        }
        for pair in pairs.iter_mut().filter(|pair| !same.is_split(pair.before)) {
            pair.between.cut();
            pair.agreeing.iter_mut().for_each(|agreement| agreement.differed.cut());
        }
        pairs.retain(|pair| !pair.between.is_empty());
        pairs.sort_by_key(|pair| (pair.before, pair.after));
        for (number, pair) in (0..).zip(&mut pairs) {
            pair.tidy();
            let row = &mut same.rows[pair.after as usize];
            row.resize((pair.before as usize + 1).max(row.len()), NONE);
            row[pair.before as usize] = 2 * number + u32::from(pair.is_settled());
        }
        same.kept = pairs.iter().map(Pair::weight).sum();
        same.pairs = pairs;
        same.tuples = self.tuples.as_ref().map(|tuples| tuples.renumbered(&kinds));
        same
    }
}

impl ActionKind {
    fn cmp_name(&self, other: &ActionKind) -> std::cmp::Ordering {
        (&self.name, &self.shape).cmp(&(&other.name, &other.shape))
    }
}

impl Slot {
    pub fn add_stem(&mut self, stem: &str) {
        if let Some(stems) = &mut self.stems
            && !stems.contains(stem)
        {
            stems.insert(stem.into());
            if stems.len() > MAX_STEMS {
                self.stems = None;
            }
        }
    }
}

impl Pair {
    fn renumbered(&self, new: &[u32]) -> Pair {
        let agreeing = self.agreeing.iter().map(|known| Agreement {
            written: known.written,
            read: known.read,
            differed: known.differed.renumbered(new),
        });
        Pair {
            before: new[self.before as usize],
            after: new[self.after as usize],
            between: self.between.renumbered(new),
            agreeing: agreeing.collect(),
        }
    }
}

/// Which transitions are of one sort.
#[derive(Clone, Debug, Default)]
pub(super) struct SortPartition {
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl SortPartition {
    pub fn add(&mut self) {
        self.parent.push(self.parent.len() as u32);
        self.size.push(1);
    }

    pub fn of(count: usize) -> SortPartition {
        SortPartition { parent: (0..count as u32).collect(), size: vec![1; count] }
    }

    pub fn find(&self, mut member: usize) -> usize {
        while self.parent[member] as usize != member {
            member = self.parent[member] as usize;
        }
        member
    }

    pub fn size(&self, member: usize) -> usize {
        self.size[self.find(member)] as usize
    }

    /// The smaller one becomes part of the larger, so that ways stay short.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            let (large, small) = if self.size[a] >= self.size[b] { (a, b) } else { (b, a) };
            self.parent[small] = large as u32;
            self.size[large] += self.size[small];
        }
    }
}
