//! Traces observed as they come, action by action.

use super::Action;
use super::evidence::{Agreement, Evidence, MAX_SPLIT, NONE, Pair, Refused, shape};
use super::objects::{ActionObjects, MadeTransition, Objects, TraceObjects};

/// Adds traces to evidence action by action. What is dropped ends its trace.
///
/// Each object has a list of the transitions it has made, the last one first: those that stand before a transition are
/// the ones that came after it.
pub struct Watcher<'a> {
    evidence: &'a mut Evidence,
    scratch: TraceObjects,
}

impl Evidence {
    /// Adds one trace; on an error nothing is added, and the number of the action that was refused comes with it.
    ///
    /// # Errors
    ///
    /// [`Refused`] if an action does not go with those before, or if there is too much to keep.
    pub fn observe<S: AsRef<str>>(&mut self, trace: &[Action<S>]) -> Result<(), (usize, Refused)> {
        self.check(trace)?;
        // An action adds a pair for each of its arguments and each transition that the object has made.
        let most = |action: &Action<S>| (action.arguments.len() + 1).pow(2) * (MAX_SPLIT + 1);
        let backup = (!self.has_room(trace.iter().map(most).sum())).then(|| self.clone());
        let mut watcher = self.watch();
        for (i, action) in trace.iter().enumerate() {
            let arguments = action.arguments.iter().map(AsRef::as_ref);
            if let Err(refused) = watcher.see(action.name.as_ref(), arguments) {
                drop(watcher);
                backup.into_iter().for_each(|backup| *self = backup);
                return Err((i, refused));
            }
        }
        Ok(())
    }

    /// Adds traces action by action, without having them as values.
    pub fn watch(&mut self) -> Watcher<'_> {
        Watcher::new(self)
    }
}

impl<'a> Watcher<'a> {
    pub(super) fn new(evidence: &'a mut Evidence) -> Watcher<'a> {
        let mut scratch = std::mem::take(&mut evidence.scratch);
        scratch.trace += 1;
        Watcher { evidence, scratch }
    }

    /// Adds the next action of the trace; on an error it is not added.
    ///
    /// # Errors
    ///
    /// [`Refused`] if it does not go with the actions before, or if there is too much to keep.
    pub fn see<'n>(&mut self, name: &str, names: impl IntoIterator<Item = &'n str>) -> Result<(), Refused> {
        let Watcher { evidence, scratch } = self;
        if !evidence.has_room(0) {
            return Err(Refused::Large);
        }
        scratch.arguments.clear();
        for argument in names {
            let number = scratch.number(argument);
            scratch.arguments.push(number);
        }
        let shape = shape(&scratch.arguments, |a, b| a == b)
            .ok_or_else(|| Refused::Long { name: name.to_owned(), found: scratch.arguments.len() })?;
        let kind = evidence.kind(name, &shape)?;
        // From here on each object stands once.
        for i in (0..shape.len()).rev() {
            if shape[..i].contains(&shape[i]) {
                scratch.arguments.remove(i);
            }
        }
        evidence.steps += 1;
        evidence.actions[kind as usize].count += 1;
        scratch.is_open = true;
        let zero = evidence.actions[kind as usize].first;
        scratch.between.resize(evidence.slots.len().div_ceil(64), 0);
        scratch.place_arguments(true);
        let TraceObjects { objects, zero: imagined, arguments, places, between, trace, seen, .. } = scratch;
        let action = ActionObjects { objects: arguments, places };
        moved(evidence, &mut imagined.made, zero, action, between);
        for (i, &number) in arguments.iter().enumerate() {
            let object = &mut objects[number as usize];
            if object.trace != *trace {
                object.trace = *trace;
                object.made.clear();
                seen.push(number);
            }
            let slot = zero + i as u32 + 1;
            if moved(evidence, &mut object.made, slot, action, between) {
                evidence.slots[slot as usize].add_stem(&object.stem);
            }
        }
        if let Some(tuples) = &mut evidence.tuples
            && arguments.len() > 1
        {
            let mut together = Objects::new();
            for &number in arguments.iter() {
                let object = &mut objects[number as usize];
                together.push(*object.tuple.get_or_insert_with(|| tuples.number(&object.name)));
            }
            tuples.see(kind, &together);
        }
        scratch.place_arguments(false);
        Ok(())
    }

    /// Ends the trace; the next action begins another one.
    pub fn end(&mut self) {
        let Watcher { evidence, scratch } = self;
        if !std::mem::take(&mut scratch.is_open) {
            return;
        }
        evidence.traces += 1;
        ended(evidence, &scratch.zero.made, &mut scratch.between);
        scratch.zero.made.clear();
        for &object in &scratch.seen {
            ended(evidence, &scratch.objects[object as usize].made, &mut scratch.between);
        }
        scratch.seen.clear();
        scratch.trace += 1;
        scratch.forget_if_many();
    }
}

impl Drop for Watcher<'_> {
    fn drop(&mut self) {
        self.end();
        self.evidence.scratch = std::mem::take(&mut self.scratch);
    }
}

/// An object makes a transition; says whether it is its first of this kind.
fn moved(
    evidence: &mut Evidence,
    made: &mut Vec<MadeTransition>,
    slot: u32,
    action: ActionObjects,
    between: &mut [u64],
) -> bool {
    between.fill(0);
    let mut found = None;
    for (i, earlier) in made.iter().enumerate() {
        let known = evidence.rows[slot as usize].get(earlier.slot as usize).copied().unwrap_or(NONE);
        if known == NONE || known & 1 == 0 {
            follows(evidence, earlier, slot, action, (i == 0, between));
        }
        if earlier.slot == slot {
            // What was made before came before this transition too, so they do not follow each other in any set.
            found = Some(i);
            break;
        }
        between[earlier.slot as usize / 64] |= 1 << (earlier.slot % 64);
    }
    match found {
        Some(at) => {
            made[..=at].rotate_right(1);
            made[0].objects.clear();
            made[0].objects.extend_from_slice(action.objects);
            false
        }
        None => {
            let (small, is_first) = (evidence.is_split(slot), made.is_empty());
            let before = &mut evidence.slots[slot as usize].before;
            if (small || is_first) && !before.is_settled() {
                before.insert(&*between);
            }
            made.insert(0, MadeTransition { slot, objects: action.objects.clone() });
            true
        }
    }
}

/// A transition comes after an earlier one of the same object, at once or with these between.
fn follows(
    evidence: &mut Evidence,
    earlier: &MadeTransition,
    slot: u32,
    action: ActionObjects,
    (at_once, between): (bool, &[u64]),
) {
    if !at_once && !evidence.is_split(slot) {
        return;
    }
    // The object itself is the same in both, which says nothing.
    let own = |slot: u32| evidence.slots[slot as usize].argument;
    let own = (own(earlier.slot), own(slot));
    let pair = evidence.pair(earlier.slot, slot);
    let (was_adjacent, before) = (pair.between.is_settled(), pair.weight());
    pair.see(&earlier.objects, action, own, between);
    let (settled, after) = (pair.is_settled(), pair.weight());
    evidence.weigh(before, after);
    if at_once && !was_adjacent {
        evidence.same_sort(earlier.slot, slot);
    }
    if settled {
        evidence.settle(earlier.slot, slot);
    }
}

impl Pair {
    fn see(&mut self, written: &Objects, action: ActionObjects, own: (u8, u8), between: &[u64]) {
        let read = action.objects;
        if !self.between.is_settled() {
            let mut at = 0;
            for (k, &object) in (0..).zip(written) {
                let Some(l) = action.place(object).filter(|&l| (k + 1, l + 1) != own) else { continue };
                at += self.agreeing[at..].iter().take_while(|known| known.arguments() < (k, l)).count();
                if self.agreeing.get(at).is_none_or(|known| known.arguments() != (k, l)) {
                    // Whenever the pair was seen before, they differed.
                    let differed = self.between.clone();
                    self.agreeing.insert(at, Agreement { written: k, read: l, differed });
                }
            }
        }
        let mut is_refuted = false;
        for known in &mut self.agreeing {
            if written[usize::from(known.written)] != read[usize::from(known.read)] {
                known.differed.insert(between);
                is_refuted |= known.differed.is_settled();
            }
        }
        self.between.insert(between);
        if is_refuted {
            // Then the pair has come at once, and the two are no better than those that never agreed.
            self.agreeing.retain(|known| !known.differed.is_settled());
        }
    }
}

/// The trace ends for an object.
fn ended(evidence: &mut Evidence, made: &[MadeTransition], between: &mut [u64]) {
    between.fill(0);
    for (i, last) in made.iter().enumerate() {
        let split = i == 0 || evidence.is_split(last.slot);
        let after = &mut evidence.slots[last.slot as usize].after;
        if split && !after.is_settled() {
            after.insert(&*between);
        }
        between[last.slot as usize / 64] |= 1 << (last.slot % 64);
    }
}
