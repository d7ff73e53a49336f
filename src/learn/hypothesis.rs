//! The hypothesis of state merging: an automaton that begins as a prefix tree acceptor and whose states are merged one
//! after another, with the length of its description.

use super::alphabet::Alphabet;
use super::letter::Letter;
use super::trie::{NodeId, ROOT, Trie};
use crate::automata::{Dfa, DfaState, StateId};
use crate::budget::{Budget, StopReason};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::ops::Range;

/// No state.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A deterministic automaton over numbered letters whose states can be merged. It keeps a symmetry: whatever is merged
/// is merged in all its images too.
#[derive(Clone)]
pub(super) struct Hypothesis {
    letters: usize,
    /// For state s and letter l at `s * letters + l`.
    next: Vec<u32>,
    accepting: Vec<bool>,
    /// How often words led through each state.
    uses: Vec<f64>,
    /// Which state each has been merged into; itself if it still stands.
    into: Vec<u32>,
}

/// What a symmetry does to the letters and the states: a row for each turn.
pub(super) struct Images {
    pub letters: Vec<Vec<usize>>,
    pub states: Vec<Vec<u32>>,
}

impl Hypothesis {
    /// The prefix tree of words and all their images, with how the images lie in it. A word's uses count for each
    /// image.
    pub fn tree(letters: usize, images: Vec<Vec<usize>>, words: &BTreeMap<Vec<usize>, f64>) -> (Hypothesis, Images) {
        let mut tree =
            Hypothesis { letters, next: Vec::new(), accepting: Vec::new(), uses: Vec::new(), into: Vec::new() };
        tree.add_state();
        for (word, uses) in words {
            for image in &images {
                let mut state = 0;
                tree.uses[0] += uses;
                for &letter in word {
                    let slot = state as usize * letters + image[letter];
                    if tree.next[slot] == NOWHERE {
                        tree.next[slot] = tree.add_state();
                    }
                    state = tree.next[slot];
                    tree.uses[state as usize] += uses;
                }
                tree.accepting[state as usize] = true;
            }
        }
        let states = images.iter().map(|image| tree.image(image)).collect();
        (tree, Images { letters: images, states })
    }

    fn add_state(&mut self) -> u32 {
        self.next.resize(self.next.len() + self.letters, NOWHERE);
        self.accepting.push(false);
        self.uses.push(0.0);
        self.into.push(self.into.len() as u32);
        self.into.len() as u32 - 1
    }

    /// Where each state lies if every word is turned.
    fn image(&self, letters: &[usize]) -> Vec<u32> {
        let mut image = vec![NOWHERE; self.into.len()];
        image[0] = 0;
        let mut open = vec![0];
        while let Some(state) = open.pop() {
            for (letter, turned) in letters.iter().enumerate() {
                let to = self.next[state as usize * self.letters + letter];
                if to != NOWHERE && image[to as usize] == NOWHERE {
                    image[to as usize] = self.next[image[state as usize] as usize * self.letters + turned];
                    debug_assert_ne!(image[to as usize], NOWHERE, "the automaton has the symmetry");
                    open.push(to);
                }
            }
        }
        image
    }

    /// The state that a state has become.
    pub fn now(&self, mut state: u32) -> u32 {
        while self.into[state as usize] != state {
            state = self.into[state as usize];
        }
        state
    }

    pub fn next(&self, state: u32, letter: usize) -> u32 {
        let to = self.next[state as usize * self.letters + letter];
        if to == NOWHERE { NOWHERE } else { self.now(to) }
    }

    pub fn letters(&self) -> usize {
        self.letters
    }

    /// How many entries it has.
    pub fn size(&self) -> usize {
        self.next.len()
    }

    pub fn uses(&self, state: u32) -> f64 {
        self.uses[state as usize]
    }

    /// Merges two states, all images of the two, and what must be merged then to stay deterministic. `false` if the
    /// start would accept.
    pub fn merge(&mut self, a: u32, b: u32, images: &Images) -> bool {
        let mut open: Vec<(u32, u32)> =
            images.states.iter().map(|image| (image[a as usize], image[b as usize])).collect();
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.now(a), self.now(b));
            if a == b {
                continue;
            }
            // The lower number stays, so the start stays the start.
            let (kept, gone) = (a.min(b), a.max(b));
            self.into[gone as usize] = kept;
            self.accepting[kept as usize] |= self.accepting[gone as usize];
            self.uses[kept as usize] += self.uses[gone as usize];
            for letter in 0..self.letters {
                let theirs = self.next[gone as usize * self.letters + letter];
                if theirs == NOWHERE {
                    continue;
                }
                let slot = kept as usize * self.letters + letter;
                if self.next[slot] == NOWHERE {
                    self.next[slot] = theirs;
                } else {
                    open.push((self.next[slot], theirs));
                }
            }
        }
        !self.accepting[self.now(0) as usize]
    }

    /// The states that a word leads through, the start first; only those of its beginning if it is in no word.
    pub fn states_along(&self, word: &[usize]) -> Vec<u32> {
        let mut states = vec![self.now(0)];
        for &letter in word {
            match self.next(states[states.len() - 1], letter) {
                NOWHERE => break,
                to => states.push(to),
            }
        }
        states
    }

    /// The same with the states that still stand, and nothing else.
    pub fn compacted(&self, images: &Images) -> (Hypothesis, Images) {
        let order = self.reachable();
        let mut number = vec![NOWHERE; self.into.len()];
        (0..).zip(&order).for_each(|(i, &state)| number[state as usize] = i);
        let numbered = |to: u32| if to == NOWHERE { NOWHERE } else { number[to as usize] };
        let compact = Hypothesis {
            letters: self.letters,
            next: order.iter().flat_map(|&s| (0..self.letters).map(move |l| numbered(self.next(s, l)))).collect(),
            accepting: order.iter().map(|&state| self.accepting[state as usize]).collect(),
            uses: order.iter().map(|&state| self.uses[state as usize]).collect(),
            into: (0..order.len() as u32).collect(),
        };
        let image = |row: &Vec<u32>| order.iter().map(|&state| numbered(self.now(row[state as usize]))).collect();
        let states = images.states.iter().map(image).collect();
        (compact, Images { letters: images.letters.clone(), states })
    }

    /// For each of some letters, and each number of such letters before: the states it leads to.
    pub fn after(&self, is_wanted: &[bool]) -> Vec<Vec<u32>> {
        let mut after: BTreeMap<(usize, usize), Vec<u32>> = BTreeMap::new();
        let mut open = vec![(self.now(0), 0)];
        while let Some((state, before)) = open.pop() {
            for (letter, &wanted) in is_wanted.iter().enumerate() {
                let to = self.next(state, letter);
                if to != NOWHERE {
                    open.push((to, before + usize::from(wanted)));
                    if wanted {
                        after.entry((before, letter)).or_default().push(to);
                    }
                }
            }
        }
        after.into_values().collect()
    }

    /// Whether a word may have one of some letters again and again.
    pub fn repeats(&self, is_wanted: &[bool]) -> bool {
        let order = self.reachable();
        let leads = |state: u32| (0..self.letters).filter(|&l| is_wanted[l]).map(move |l| self.next(state, l));
        let mut targets: Vec<u32> = order.iter().flat_map(|&state| leads(state)).filter(|&to| to != NOWHERE).collect();
        targets.sort_unstable();
        targets.dedup();
        targets.iter().any(|&target| {
            let mut seen = vec![false; self.into.len()];
            let mut open = vec![target];
            while let Some(state) = open.pop() {
                if std::mem::replace(&mut seen[state as usize], true) {
                    continue;
                }
                for (letter, &wanted) in is_wanted.iter().enumerate() {
                    let to = self.next(state, letter);
                    if to == target && wanted {
                        return true;
                    }
                    if to != NOWHERE {
                        open.push(to);
                    }
                }
            }
            false
        })
    }

    /// The states that can be reached, in the order of a walk, the start first.
    pub fn reachable(&self) -> Vec<u32> {
        let mut seen = vec![false; self.into.len()];
        let start = self.now(0);
        seen[start as usize] = true;
        let mut order = vec![start];
        let mut at = 0;
        while at < order.len() {
            let state = order[at];
            for letter in 0..self.letters {
                let to = self.next(state, letter);
                if to != NOWHERE && !std::mem::replace(&mut seen[to as usize], true) {
                    order.push(to);
                }
            }
            at += 1;
        }
        order
    }

    /// What it takes to write the automaton down, in nats. What is the image of something else is free: so a movement
    /// that looks the same from all sides is written in an eighth of the space. Letters that differ only in what guards
    /// say are written once if they lead to the same state, otherwise the guards have to be told.
    pub fn description_length(&self, images: &Images, alphabet: &Alphabet) -> f64 {
        let a_transition = (alphabet.groups.len() as f64).ln() + A_TARGET;
        let mut length = 0.0;
        let start = self.now(0);
        let order = self.reachable();
        for &state in &order {
            let image = |row: &Vec<u32>| self.now(row[state as usize]);
            if images.states.iter().any(|row| image(row) < state) {
                continue;
            }
            length += A_STATE;
            for group in &alphabet.groups {
                let lesser =
                    |row: &Vec<u32>, letters: &Vec<usize>| image(row) == state && letters[group.start] < group.start;
                if images.states.iter().zip(&images.letters).any(|(row, letters)| lesser(row, letters)) {
                    continue;
                }
                let ways = self.ways(state, state == start, group.clone(), alphabet);
                let ways: SmallVec<[u32; 4]> = ways.dedup();
                let targets = ways.iter().filter(|&&to| to != NOWHERE).count();
                length += targets as f64 * if ways.len() > 1 { a_transition + A_GUARD } else { a_transition };
            }
        }
        length
    }

    /// Where the letters of one symbol lead that can be made in a state.
    fn ways(&self, state: u32, is_start: bool, group: Range<usize>, alphabet: &Alphabet) -> Ways {
        let mut ways = Ways::default();
        for letter in group {
            let [first, later] = alphabet.possible[letter];
            if later || first && is_start {
                ways.0.push((letter, self.next(state, letter)));
            }
        }
        ways
    }

    /// The hypothesis in which a symbol leads from a state to where it leads already, whatever the guards say; and so
    /// for all images. Nothing if that would be no news, or if it leads to different states.
    pub fn unguarded(&self, state: u32, group: usize, images: &Images, alphabet: &Alphabet) -> Option<Hypothesis> {
        let ways = self.ways(state, state == self.now(0), alphabet.groups[group].clone(), alphabet);
        let (targets, missing): (Vec<_>, Vec<_>) = ways.0.iter().partition(|way| way.1 != NOWHERE);
        let &(_, to) = targets.first()?;
        if missing.is_empty() || targets.iter().any(|way| way.1 != to) {
            return None;
        }
        let mut wider = self.clone();
        for &(letter, _) in &missing {
            for (row, letters) in images.states.iter().zip(&images.letters) {
                let (from, to) = (self.now(row[state as usize]), self.now(row[to as usize]));
                let slot = from as usize * self.letters + letters[letter];
                if wider.next[slot] == NOWHERE {
                    wider.next[slot] = to;
                } else if self.now(wider.next[slot]) != to {
                    return None;
                }
            }
        }
        Some(wider)
    }

    /// The automaton over real letters, as small as can be.
    pub fn automaton(&self, letters: &[Letter]) -> Dfa<Letter> {
        let order = self.reachable();
        let mut number = vec![0; self.into.len()];
        (0..).zip(&order).for_each(|(i, &state)| number[state as usize] = i);
        let states = order.iter().map(|&state| {
            let edges = (0..self.letters).map(|letter| (letters[letter], self.next(state, letter)));
            let edges = edges.filter(|edge| edge.1 != NOWHERE);
            DfaState {
                accepting: self.accepting[state as usize],
                edges: edges.map(|(letter, to)| (letter, StateId(number[to as usize]))).collect(),
            }
        });
        Dfa::trimmed(states.collect()).minimise()
    }

    /// What the words cost that the automaton has and that nobody listed, or more than `bound` as soon as that is sure.
    pub fn cost(
        &self,
        trie: &mut Trie,
        bound: f64,
        budget: &mut Budget,
        word_cost: &mut impl FnMut(&Trie, NodeId) -> f64,
    ) -> Result<f64, StopReason> {
        let mut cost = 0.0;
        let mut walked = 0;
        // Short words first: they have the most opportunities.
        let mut open = std::collections::VecDeque::from([(ROOT, self.now(0))]);
        while let Some((node, state)) = open.pop_front() {
            budget.spend(self.letters)?;
            for letter in 0..self.letters {
                let to = self.next(state, letter);
                if to == NOWHERE {
                    continue;
                }
                let Some(child) = trie.child(node, letter) else { continue };
                if self.accepting[to as usize] {
                    cost += word_cost(trie, child);
                    if cost > bound {
                        return Ok(f64::INFINITY);
                    }
                }
                let times = trie.opportunities(child);
                let is_negligible = times.all == 0 && times.expected < NEGLIGIBLE;
                if walked < MANY_WORDS || !is_negligible {
                    open.push_back((child, to));
                }
            }
            walked += 1;
            if walked > MOST_WORDS + self.into.len() {
                return Ok(f64::INFINITY);
            }
        }
        Ok(cost)
    }
}

/// Where the letters of one symbol lead, by their numbers.
#[derive(Default)]
struct Ways(SmallVec<[(usize, u32); 8]>);

impl Ways {
    /// The different states they lead to.
    fn dedup(&self) -> SmallVec<[u32; 4]> {
        let mut to: SmallVec<[u32; 4]> = self.0.iter().map(|way| way.1).collect();
        to.sort_unstable();
        to.dedup();
        to
    }
}

/// What it takes to write down a transition and the state it leads to, if there are so many letters.
pub(super) fn price_of_step(letters: usize) -> f64 {
    (letters as f64).ln() + A_TARGET + A_STATE
}

/// A hypothesis with so many words more than there are states in the tree of the listed ones is not worth a look: no
/// piece moves so.
const MOST_WORDS: usize = 200_000;

/// When so many words have been looked at, those are left out that were to be expected less often than this: long chains
/// of jumps, of which there are very many.
const MANY_WORDS: usize = 20_000;
const NEGLIGIBLE: f64 = 0.05;

/// What it takes to say where a transition leads.
const A_TARGET: f64 = 2.0794415416798357; // ln 8
/// What it takes to say for which guards a transition is.
const A_GUARD: f64 = 1.3862943611198906; // ln 4
/// What it takes to say that there is a state, and whether it accepts.
const A_STATE: f64 = std::f64::consts::LN_2;
