//! A state of a propnet, and play in it: changes are propagated through the kept gates.

use super::Term;
use super::propnet::{ComponentLayout, PropNet, Ref};
use rustc_hash::FxHashSet;
use std::hash::{Hash, Hasher};

/// A state of a game that runs as a propnet: the facts, and everything that is kept up to date with them.
#[derive(Debug, Default)]
pub struct PropNetState {
    /// By kept node.
    value: Vec<bool>,
    /// By kept node: how many inputs are false.
    lacking: Vec<u32>,
    /// A bit for each move whose conditions hold apart from the group's guard.
    legal: Vec<u64>,
    /// The facts that are not what they will be if nobody moves, and where each is in the list.
    differing: Vec<u32>,
    place: Vec<u32>,
    scratch: Scratch,
}

/// Where moves and subgoals are worked out; nothing in it outlives a call.
#[derive(Debug, Default)]
struct Scratch {
    /// Rises with each move, so that nothing has to be cleared.
    now: u32,
    /// By lazy gate: when it was lazy last, twice, plus its value.
    lazy: Vec<u32>,
    /// By moved gate: the same.
    moved: Vec<u32>,
    /// By moved gate: when it was put in line last, twice, plus one if an input is known to be false.
    lined: Vec<u32>,
    /// By move: when it was made last.
    made: Vec<u32>,
    /// By fact: when a moved gate decided it last.
    decided: Vec<u32>,
    /// Gates in line, by level.
    kept_line: Vec<Vec<u32>>,
    moved_line: Vec<Vec<u32>>,
    /// By component: whether it is in line, with a number beyond those of all kept nodes.
    component_lined: Vec<bool>,
    changes: Vec<u32>,
    joint: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Clone for PropNetState {
    fn clone(&self) -> PropNetState {
        let mut copy = PropNetState::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &PropNetState) {
        self.value.clone_from(&other.value);
        self.lacking.clone_from(&other.lacking);
        self.legal.clone_from(&other.legal);
        self.differing.clone_from(&other.differing);
        self.place.clone_from(&other.place);
        // What was lazy was lazy of another state.
        self.scratch.now += 1;
    }
}

/// Situations are compared within one network only, where equal facts mean that all is equal.
impl PartialEq for PropNetState {
    fn eq(&self, other: &PropNetState) -> bool {
        self.facts() == other.facts()
    }
}

impl Eq for PropNetState {}

impl Hash for PropNetState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // Packed: nothing is hashed as slowly as a bool at a time.
        for facts in self.facts().chunks(64) {
            hasher.write_u64(facts.iter().rev().fold(0, |bits, &holds| bits << 1 | u64::from(holds)));
        }
    }
}

impl Scratch {
    /// Makes the scratch large enough, and time begin again before it runs out.
    fn prepare(&mut self, propnet: &PropNet) {
        if self.made.len() != propnet.moves.len()
            || self.decided.len() != propnet.facts.len()
            || self.kept_line.len() != propnet.depth
            || self.now >= u32::MAX / 2 - 2
        {
            *self = Scratch {
                now: 1,
                lazy: vec![0; propnet.lazy - propnet.kept],
                moved: vec![0; propnet.resting.len()],
                lined: vec![0; propnet.resting.len()],
                made: vec![0; propnet.moves.len()],
                decided: vec![0; propnet.facts.len()],
                kept_line: vec![Vec::new(); propnet.depth],
                moved_line: vec![Vec::new(); propnet.moved_depth],
                component_lined: vec![false; propnet.components.len()],
                changes: Vec::new(),
                joint: std::mem::take(&mut self.joint),
            };
        }
    }
}

impl PropNetState {
    /// The values of the facts.
    fn facts(&self) -> &[bool] {
        &self.value[1..=self.place.len()]
    }

    #[inline]
    fn holds(&self, lit: Ref) -> bool {
        self.value[lit.node()] != lit.denied()
    }
}

impl PropNet {
    /// The first situation.
    pub fn start(&self) -> PropNetState {
        let mut value = vec![false; self.kept];
        let mut lacking = vec![0u32; self.kept];
        value[0] = true;
        value[1..=self.first.len()].copy_from_slice(&self.first);
        let mut of_ring: Vec<Option<usize>> = vec![None; self.kept];
        for (number, component) in self.components.iter().enumerate() {
            component.members.iter().for_each(|&member| of_ring[member as usize] = Some(number));
        }
        let mut worked_out = vec![false; self.components.len()];
        for node in 1 + self.facts.len()..self.kept {
            if let Some(number) = of_ring[node] {
                // All that it needs is of lower level, and so before its first member.
                if !std::mem::replace(&mut worked_out[number], true) {
                    let component = &self.components[number];
                    let holds = component.holds(&value);
                    component.members.iter().zip(holds).for_each(|(&member, holds)| value[member as usize] = holds);
                }
                continue;
            }
            let inputs = self.inputs.get(node).iter().map(|&input| Ref(input));
            lacking[node] = inputs.filter(|input| value[input.node()] == input.denied()).count() as u32;
            value[node] = lacking[node] == 0;
        }
        let mut state = PropNetState {
            value,
            lacking,
            legal: vec![0; self.move_at.len() / 64],
            differing: Vec::new(),
            place: vec![NOWHERE; self.facts.len()],
            scratch: Scratch::default(),
        };
        for &(place, left) in &self.bit_of {
            state.legal[place as usize / 64] |= u64::from(state.holds(left)) << (place % 64);
        }
        for fact in 0..self.facts.len() {
            if self.at_rest[fact].is_some_and(|rest| state.holds(rest) != state.value[fact + 1]) {
                differ(&mut state.differing, &mut state.place, fact as u32);
            }
        }
        state
    }

    /// Whether the game is over by the rules.
    pub fn is_terminal(&self, state: &PropNetState) -> bool {
        state.holds(self.terminal)
    }

    /// How many legal moves a role has.
    pub fn count(&self, state: &PropNetState, role: usize) -> usize {
        let mut count = 0;
        for group in &self.groups[role] {
            if state.holds(group.guard) {
                for word in &state.legal[group.first_word..group.first_word + group.words] {
                    count += word.count_ones() as usize;
                }
            }
        }
        count
    }

    /// The `nth` legal move of a role, in an order of the propnet's own.
    pub fn nth(&self, state: &PropNetState, role: usize, mut nth: usize) -> Option<u32> {
        for group in &self.groups[role] {
            if !state.holds(group.guard) {
                continue;
            }
            for word in group.first_word..group.first_word + group.words {
                let mut bits = state.legal[word];
                let here = bits.count_ones() as usize;
                if nth < here {
                    for _ in 0..nth {
                        bits &= bits - 1;
                    }
                    return Some(self.move_at[word * 64 + bits.trailing_zeros() as usize]);
                }
                nth -= here;
            }
        }
        None
    }

    /// All legal moves of a role, in the order of their numbers.
    pub fn legal(&self, state: &PropNetState, role: usize, moves: &mut Vec<u32>) {
        moves.clear();
        self.list(state, role, moves);
        moves.sort_unstable();
    }

    /// Adds all legal moves of a role to a list.
    fn list(&self, state: &PropNetState, role: usize, moves: &mut Vec<u32>) {
        for group in self.groups[role].iter().filter(|group| state.holds(group.guard)) {
            for word in group.first_word..group.first_word + group.words {
                let mut bits = state.legal[word];
                while bits != 0 {
                    moves.push(self.move_at[word * 64 + bits.trailing_zeros() as usize]);
                    bits &= bits - 1;
                }
            }
        }
    }

    /// How a move is written.
    pub fn move_term(&self, choice: u32) -> Term {
        self.terms.term(self.moves[choice as usize])
    }

    /// The facts of a situation.
    pub fn facts(&self, state: &PropNetState) -> Vec<Term> {
        self.fact_ids(state).map(|fact| self.fact_term(fact)).collect()
    }

    /// The facts of a situation by numbers from 0 that are the same in all situations.
    pub fn fact_ids<'a>(&'a self, state: &'a PropNetState) -> impl Iterator<Item = u32> + 'a {
        // First those that change by themselves, then those that mirror them, then those that always hold.
        let held = (0..).zip(state.facts()).filter(|&(_, &holds)| holds).map(|(fact, _)| fact);
        let mirrors = (self.facts.len() as u32..).zip(&self.mirrors);
        let mirrored = mirrors.filter(|&(_, &(_, lit))| state.holds(lit)).map(|(fact, _)| fact);
        let first = self.facts.len() + self.mirrors.len();
        held.chain(mirrored).chain(first as u32..self.fact_count() as u32)
    }

    /// How many facts have a number.
    pub fn fact_count(&self) -> usize {
        self.facts.len() + self.mirrors.len() + self.always.len()
    }

    /// How the fact with this number is written.
    pub fn fact_term(&self, fact: u32) -> Term {
        let mut at = fact as usize;
        if let Some(&fact) = self.facts.get(at) {
            return self.terms.term(fact);
        }
        at -= self.facts.len();
        let term = self.mirrors.get(at).map_or_else(|| self.always[at - self.mirrors.len()], |&(fact, _)| fact);
        self.terms.term(term)
    }

    /// The situation in which exactly these facts hold; if there is none, a fact that is in the way or missing.
    ///
    /// # Errors
    ///
    /// The first fact that is in the way or missing.
    pub fn situation(&self, facts: &[Term]) -> Result<PropNetState, Term> {
        let mut wanted = vec![false; self.facts.len()];
        let mut others = FxHashSet::default();
        for fact in facts {
            let id = self.terms.find_term(fact).ok_or_else(|| fact.clone())?;
            match self.fact_number.get(&id) {
                Some(&number) => wanted[number as usize] = true,
                None => {
                    others.insert(id);
                }
            }
        }
        if let Some(&missing) = self.always.iter().find(|fact| !others.remove(fact)) {
            return Err(self.terms.term(missing));
        }
        for &(fact, lit) in &self.mirrors {
            // It is a fact's literal, so that the fact's number is the node's less one.
            if others.remove(&fact) == (wanted[lit.node() - 1] == lit.denied()) {
                return Err(self.terms.term(fact));
            }
        }
        if let Some(&other) = others.iter().min() {
            return Err(self.terms.term(other));
        }
        let mut state = self.start();
        state.scratch.prepare(self);
        state.scratch.changes.clear();
        let changes = (0..self.facts.len()).filter(|&fact| state.value[fact + 1] != wanted[fact]);
        let changes: Vec<u32> = changes.map(|fact| fact as u32).collect();
        state.scratch.changes = changes;
        self.change(&mut state);
        Ok(state)
    }

    /// Each role's goal, if exactly one is defined and a number.
    pub fn goals<'a>(&'a self, state: &'a PropNetState) -> impl Iterator<Item = Option<u8>> + 'a {
        let mut memo = vec![None; self.lazy - self.kept];
        self.goals.iter().map(move |goals| {
            let mut found = goals.iter().filter(|&&(_, lit)| self.evaluate_apart(state, lit, &mut memo));
            let first = found.next()?;
            if found.next().is_some() { None } else { first.0 }
        })
    }

    /// Works out a literal of the state without leaving a trace in it.
    fn evaluate_apart(&self, state: &PropNetState, lit: Ref, memo: &mut [Option<bool>]) -> bool {
        let node = lit.node();
        let value = if node < self.kept {
            state.value[node]
        } else if let Some(known) = memo[node - self.kept] {
            known
        } else {
            let value = self.inputs.get(node).iter().all(|&input| self.evaluate_apart(state, Ref(input), memo));
            memo[node - self.kept] = Some(value);
            value
        };
        value != lit.denied()
    }

    /// Plays a joint move, one for each role.
    pub fn play(&self, state: &mut PropNetState, joint: &[u32]) {
        state.scratch.joint.clear();
        state.scratch.joint.extend(joint);
        self.play_joint(state);
    }

    /// Shows the facts of the situation that a joint move leads to, by their numbers, without going there.
    pub fn facts_after(&self, state: &mut PropNetState, joint: &[u32], see: &mut dyn FnMut(u32)) {
        state.scratch.joint.clear();
        state.scratch.joint.extend(joint);
        self.find_changes(state);
        self.flip_facts(state);
        self.fact_ids(state).for_each(see);
        self.flip_facts(state);
    }

    fn flip_facts(&self, state: &mut PropNetState) {
        for &fact in &state.scratch.changes {
            state.value[fact as usize + 1] ^= true;
        }
    }

    /// Plays a move that is picked for each role by its number among so many; `false` if the game is over.
    pub fn play_picked(&self, state: &mut PropNetState, pick: &mut impl FnMut(usize) -> usize) -> bool {
        if self.is_terminal(state) {
            return false;
        }
        state.scratch.joint.clear();
        for role in 0..self.groups.len() {
            let count = self.count(state, role);
            let nth = match count {
                0 => return false,
                1 => 0,
                _ => pick(count),
            };
            let choice = self.nth(state, role, nth);
            state.scratch.joint.extend(choice);
        }
        self.play_joint(state);
        true
    }

    /// Plays a move that is chosen for each role that has several, by its place among them, in an order of the propnet's own; `false` if the game is
    /// over. `room` is for the moves of a role.
    pub fn play_chosen(
        &self,
        state: &mut PropNetState,
        room: &mut Vec<u32>,
        choose: &mut impl FnMut(usize, &[u32]) -> usize,
    ) -> bool {
        if self.is_terminal(state) {
            return false;
        }
        state.scratch.joint.clear();
        for role in 0..self.groups.len() {
            room.clear();
            self.list(state, role, room);
            let place = match room.len() {
                0 => return false,
                1 => 0,
                _ => choose(role, room),
            };
            state.scratch.joint.push(room[place]);
        }
        self.play_joint(state);
        true
    }

    /// Plays the joint move that is in the scratch.
    fn play_joint(&self, state: &mut PropNetState) {
        self.find_changes(state);
        self.change(state);
    }

    /// Lists the facts that the joint move in the scratch turns around.
    fn find_changes(&self, state: &mut PropNetState) {
        state.scratch.prepare(self);
        state.scratch.now += 1;
        state.scratch.changes.clear();
        let now = state.scratch.now;
        for at in 0..state.scratch.joint.len() {
            let choice = state.scratch.joint[at];
            state.scratch.made[choice as usize] = now;
        }
        for at in 0..state.scratch.joint.len() {
            let choice = state.scratch.joint[at];
            for feed in self.does_feeds.get(choice as usize).chunks_exact(2) {
                self.line_up(state, feed[0], feed[1], true);
            }
            for &code in self.does_decides.get(choice as usize) {
                self.decide(state, code, true);
            }
        }
        for level in 0..self.moved_depth {
            let mut line = std::mem::take(&mut state.scratch.moved_line[level]);
            for &gate in &line {
                let falsified = state.scratch.lined[gate as usize] & 1 == 1;
                let rest = self.evaluate(state, self.resting[gate as usize]);
                // All that held at rest and was not falsified still does.
                let value = !falsified && (rest || self.all_inputs_hold(state, self.lazy + gate as usize));
                state.scratch.moved[gate as usize] = now << 1 | u32::from(value);
                if value != rest {
                    for feed in self.moved_feeds.get(gate as usize).chunks_exact(2) {
                        self.line_up(state, feed[0], feed[1], value);
                    }
                    for &code in self.decides.get(gate as usize) {
                        self.decide(state, code, value);
                    }
                }
            }
            line.clear();
            state.scratch.moved_line[level] = line;
        }
        for at in 0..state.differing.len() {
            let fact = state.differing[at];
            if state.scratch.decided[fact as usize] != now {
                state.scratch.changes.push(fact);
            }
        }
    }

    /// Puts a gate in line that has got a new input, unless its guard shows that it stays false.
    #[inline]
    fn line_up(&self, state: &mut PropNetState, feed: u32, guard: u32, value: bool) {
        if !state.holds(Ref(guard)) {
            return;
        }
        let Scratch { now, lined, moved_line, .. } = &mut state.scratch;
        let (gate, falsified) = ((feed >> 1) as usize, value == (feed & 1 == 1));
        if lined[gate] >> 1 != *now {
            lined[gate] = *now << 1;
            moved_line[self.moved_levels[gate] as usize].push(gate as u32);
        }
        lined[gate] |= u32::from(falsified);
    }

    /// Notes what a fact will be: the fact twice, plus one if it is the denial of the value.
    #[inline]
    fn decide(&self, state: &mut PropNetState, code: u32, value: bool) {
        let fact = code >> 1;
        state.scratch.decided[fact as usize] = state.scratch.now;
        if state.value[fact as usize + 1] != (value != (code & 1 == 1)) {
            state.scratch.changes.push(fact);
        }
    }

    /// The value of any literal, in the middle of a move.
    fn evaluate(&self, state: &mut PropNetState, lit: Ref) -> bool {
        let node = lit.node();
        let value = if node < self.kept {
            state.value[node]
        } else if node < self.lazy {
            let memo = state.scratch.lazy[node - self.kept];
            if memo >> 1 == state.scratch.now {
                memo & 1 == 1
            } else {
                let value = self.all_inputs_hold(state, node);
                state.scratch.lazy[node - self.kept] = state.scratch.now << 1 | u32::from(value);
                value
            }
        } else if let Some(&memo) = state.scratch.moved.get(node - self.lazy) {
            if memo >> 1 == state.scratch.now {
                memo & 1 == 1
            } else {
                self.evaluate(state, self.resting[node - self.lazy])
            }
        } else {
            state.scratch.made[node - self.does_node()] == state.scratch.now
        };
        value != lit.denied()
    }

    #[inline]
    fn all_inputs_hold(&self, state: &mut PropNetState, node: usize) -> bool {
        for &input in self.inputs.get(node) {
            if !self.evaluate(state, Ref(input)) {
                return false;
            }
        }
        true
    }

    /// Turns the facts in the list of changes around, and all that follows from them.
    fn change(&self, state: &mut PropNetState) {
        for at in 0..state.scratch.changes.len() {
            let fact = state.scratch.changes[at];
            self.turn(state, fact as usize + 1);
        }
        state.scratch.changes.clear();
        for level in 1..self.depth {
            let mut line = std::mem::take(&mut state.scratch.kept_line[level]);
            for &gate in &line {
                if let Some(component) = (gate as usize).checked_sub(self.kept) {
                    state.scratch.component_lined[component] = false;
                    let holds = self.components[component].holds(&state.value);
                    for (&member, holds) in self.components[component].members.iter().zip(holds) {
                        if state.value[member as usize] != holds {
                            self.turn(state, member as usize);
                        }
                    }
                    continue;
                }
                // The count is right now that all lower levels are done. It may have come back to where it was.
                if state.value[gate as usize] != (state.lacking[gate as usize] == 0) {
                    self.turn(state, gate as usize);
                }
            }
            line.clear();
            state.scratch.kept_line[level] = line;
        }
    }

    /// Turns a node's value around and tells those that depend on it.
    #[inline]
    fn turn(&self, state: &mut PropNetState, node: usize) {
        let PropNetState { value, lacking, legal, differing, place, scratch } = state;
        let now = !value[node];
        value[node] = now;
        for &target in self.feeds.get(node) {
            let gate = (target >> 1) as usize;
            let before = lacking[gate];
            let after = if now != (target & 1 == 1) { before - 1 } else { before + 1 };
            lacking[gate] = after;
            if before == 0 || after == 0 {
                scratch.kept_line[self.levels[gate] as usize].push(gate as u32);
            }
        }
        if !self.components.is_empty() {
            for &component in self.component_feeds.get(node) {
                if !std::mem::replace(&mut scratch.component_lined[component as usize], true) {
                    scratch.kept_line[self.components[component as usize].level as usize]
                        .push(self.kept as u32 + component);
                }
            }
        }
        for &watch in self.watches.get(node) {
            if watch & 1 == 1 {
                differ(differing, place, watch >> 1);
            } else {
                legal[(watch >> 7) as usize] ^= 1 << (watch >> 1 & 63);
            }
        }
    }
}

impl ComponentLayout {
    /// Which members hold: what follows from the rules, and nothing else.
    fn holds(&self, value: &[bool]) -> Vec<bool> {
        let mut holds = vec![false; self.members.len()];
        let mut open: Vec<u32> = Vec::new();
        let mut derive = |member: u32, open: &mut Vec<u32>| {
            if !std::mem::replace(&mut holds[member as usize], true) {
                open.push(member);
            }
        };
        // How many members a rule still waits for; those whose other condition fails wait for more than there are.
        let mut lacking: Vec<u32> = Vec::with_capacity(self.rules.len());
        for rule in &self.rules {
            let outside = value[rule.outside.node()] != rule.outside.denied();
            lacking.push(rule.inside + u32::from(!outside));
            if outside && rule.inside == 0 {
                derive(rule.head, &mut open);
            }
        }
        while let Some(member) = open.pop() {
            for &rule in self.uses.get(member as usize) {
                lacking[rule as usize] -= 1;
                if lacking[rule as usize] == 0 {
                    derive(self.rules[rule as usize].head, &mut open);
                }
            }
        }
        holds
    }
}

/// Adds a fact to those that differ, or takes it out.
#[inline]
fn differ(differing: &mut Vec<u32>, place: &mut [u32], fact: u32) {
    let at = place[fact as usize];
    if at == NOWHERE {
        place[fact as usize] = differing.len() as u32;
        differing.push(fact);
    } else {
        differing.swap_remove(at as usize);
        if let Some(&moved) = differing.get(at as usize) {
            place[moved as usize] = at;
        }
        place[fact as usize] = NOWHERE;
    }
}
