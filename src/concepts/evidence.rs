//! Evidence: which positions were seen in playouts, how far from the end, and what each role got there.
//!
//! It merges in any order: rows with the same key add up, and what was seen at a ply is a union and an intersection. Memory is bounded by forgetting
//! the rows that are farthest from the end of their games first. Since adding games never makes fewer rows, what is left does
//! not depend on the order in which games came.

use crate::game::{FactId, FactSet, Roles, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What playouts of one game have shown.
#[derive(Clone, Debug)]
pub struct Evidence {
    game: String,
    roles: Vec<String>,
    /// What the numbers of facts mean.
    terms: Vec<Term>,
    /// By distance from the end.
    rows: BTreeMap<u32, FxHashMap<RowKey, RowTally>>,
    row_count: usize,
    /// Rows that are farther from the end than this are not kept.
    horizon: u32,
    most_rows: usize,
    playouts: u64,
    unfinished: u64,
    wins: Vec<u64>,
    plies: Vec<PlyFacts>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct RowKey {
    /// The facts, words of 0 at the end left out.
    facts: Vec<u64>,
    /// Who made the last move, a bit for each role.
    moved: u64,
    /// Whether the playout was set aside to judge by.
    held_out: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct RowTally {
    times: u64,
    goals: Vec<u64>,
    wins: Vec<u64>,
}

/// What held at a ply in some playout, and what in all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PlyFacts {
    some: Vec<u64>,
    all: Vec<u64>,
}

/// A position, with what came of it.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The bits of its facts.
    pub facts: &'a [u64],
    /// Who made the last move.
    moved: u64,
    /// Joint moves to the end of the game.
    pub left: u32,
    /// Whether it is from a playout that is set aside to judge by.
    pub held_out: bool,
    /// How often it was seen.
    pub times: u64,
    goals: &'a [u64],
    wins: &'a [u64],
}

impl Row<'_> {
    /// Whether a role made the last move.
    pub fn moved(&self, role: usize) -> bool {
        self.moved >> role & 1 == 1
    }

    /// The mean goal of a role, from 0 to 1.
    pub fn goal(&self, role: usize) -> f64 {
        self.goals[role] as f64 / (100.0 * self.times as f64)
    }

    /// In how many of these games a role got 100 and more than every other role.
    pub fn wins(&self, role: usize) -> u64 {
        self.wins[role]
    }

    /// Its facts.
    pub fn fact_ids(&self) -> impl Iterator<Item = FactId> + '_ {
        bits(self.facts)
    }
}

fn bits(words: &[u64]) -> impl Iterator<Item = FactId> + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| {
        (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| FactId((at * 64) as u32 + bit))
    })
}

/// Evidence that cannot be put together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found evidence of {found}, expected {expected}")]
pub struct MergeError {
    /// The other game.
    pub found: String,
    /// This game.
    pub expected: String,
}

/// The playouts of every so many are set aside to judge by.
const HELD_OUT: u64 = 5;
/// How many plies are looked at to tell what only counts turns.
const MOST_PLIES: usize = 512;

impl Evidence {
    /// How many rows are kept unless something else is asked for.
    pub const MOST_ROWS: usize = 1 << 19;

    /// Nothing seen yet of a game whose facts have these numbers.
    pub fn new(game: &str, roles: &[String], terms: Vec<Term>) -> Evidence {
        Evidence {
            game: game.to_owned(),
            roles: roles.to_vec(),
            terms,
            rows: BTreeMap::new(),
            row_count: 0,
            horizon: u32::MAX,
            most_rows: Evidence::MOST_ROWS,
            playouts: 0,
            unfinished: 0,
            wins: vec![0; roles.len()],
            plies: Vec::new(),
        }
    }

    /// The same with another bound on the rows that are kept.
    pub fn with_most_rows(mut self, most: usize) -> Evidence {
        self.most_rows = most.max(1);
        self.shrink();
        self
    }

    /// The game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Its roles.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// Says what the numbers of facts mean, for those who find out only while they watch.
    pub(super) fn set_terms(&mut self, terms: Vec<Term>) {
        self.terms = terms;
    }

    /// The facts by their numbers.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// How many playouts were seen, and how many of them came to no end.
    pub fn playouts(&self) -> (u64, u64) {
        (self.playouts, self.unfinished)
    }

    /// How many of them a role has won.
    pub fn wins(&self, role: usize) -> u64 {
        self.wins[role]
    }

    /// The farthest from the end that rows are kept; `None` if nothing had to be forgotten.
    pub fn horizon(&self) -> Option<u32> {
        (self.horizon < u32::MAX).then_some(self.horizon)
    }

    /// How many rows there are.
    pub fn row_count(&self) -> usize {
        self.row_count
    }

    /// Takes in a playout: its states from the first on, each with who made the move before it, and the goals at its end.
    /// `number` is the playout's own, which tells whether it is set aside.
    pub fn observe(&mut self, number: u64, states: &[(Roles, FactSet)], goals: Option<&[Option<u8>]>) {
        self.playouts += 1;
        for (ply, (_, facts)) in states.iter().enumerate().take(MOST_PLIES) {
            let facts = trimmed(facts.words());
            match self.plies.get_mut(ply) {
                Some(seen) => seen.merge(facts, facts),
                None => self.plies.push(PlyFacts { some: facts.to_vec(), all: facts.to_vec() }),
            }
        }
        let Some(goals) = goals else {
            self.unfinished += 1;
            return;
        };
        let goal = |role: usize| u64::from(goals.get(role).copied().flatten().unwrap_or(0).min(100));
        let got: Vec<u64> = (0..self.roles.len()).map(goal).collect();
        let won = |role: usize| got[role] == 100 && (0..got.len()).all(|other| other == role || got[other] < 100);
        let won: Vec<u64> = (0..got.len()).map(|role| u64::from(won(role))).collect();
        self.wins.iter_mut().zip(&won).for_each(|(wins, won)| *wins += won);
        let held_out = number % HELD_OUT == HELD_OUT - 1;
        for (left, (moved, facts)) in states.iter().skip(1).rev().enumerate() {
            let moved = moved.iter().fold(0, |bits, role| bits | 1 << role.0);
            let key = RowKey { facts: trimmed(facts.words()).to_vec(), moved, held_out };
            self.add(left as u32, key, &RowTally { times: 1, goals: got.clone(), wins: won.clone() });
        }
        self.shrink();
    }

    fn add(&mut self, left: u32, key: RowKey, tally: &RowTally) {
        if left > self.horizon {
            return;
        }
        let rows = self.rows.entry(left).or_default();
        match rows.get_mut(&key) {
            Some(known) => known.add(tally),
            None => {
                rows.insert(key, tally.clone());
                self.row_count += 1;
            }
        }
    }

    /// Forgets what is farthest from the end while there is too much. Final positions are always kept.
    fn shrink(&mut self) {
        while self.row_count > self.most_rows {
            match self.rows.last_key_value() {
                Some((&left, rows)) if left > 0 => {
                    self.row_count -= rows.len();
                    self.rows.remove(&left);
                    self.horizon = left - 1;
                }
                _ => return,
            }
        }
    }

    /// Takes in what others have seen of the same game.
    ///
    /// # Errors
    ///
    /// It is another game.
    pub fn merge(&mut self, other: Evidence) -> Result<(), MergeError> {
        if (&self.game, &self.roles) != (&other.game, &other.roles) {
            return Err(MergeError { found: other.game, expected: self.game.clone() });
        }
        let renumber = self.renumbering(&other.terms);
        let changed = |words: &[u64]| match &renumber {
            None => words.to_vec(),
            Some(numbers) => {
                let mut set = FactSet::default();
                bits(words).for_each(|fact| set.insert(numbers[fact.index()]));
                trimmed(set.words()).to_vec()
            }
        };
        self.most_rows = self.most_rows.min(other.most_rows);
        self.horizon = self.horizon.min(other.horizon);
        let farthest = self.horizon;
        while let Some((&left, rows)) = self.rows.last_key_value() {
            if left <= farthest {
                break;
            }
            self.row_count -= rows.len();
            self.rows.remove(&left);
        }
        for (left, rows) in other.rows {
            for (key, tally) in rows {
                self.add(left, RowKey { facts: changed(&key.facts), ..key }, &tally);
            }
            // So that no more memory is used than is allowed while it goes on.
            self.shrink();
        }
        self.playouts += other.playouts;
        self.unfinished += other.unfinished;
        self.wins.iter_mut().zip(&other.wins).for_each(|(wins, more)| *wins += more);
        for (ply, seen) in other.plies.into_iter().enumerate() {
            let (some, all) = (changed(&seen.some), changed(&seen.all));
            match self.plies.get_mut(ply) {
                Some(known) => known.merge(&some, &all),
                None => self.plies.push(PlyFacts { some, all }),
            }
        }
        Ok(())
    }

    /// The numbers here of facts that are numbered elsewhere; `None` if they are the same. New facts get numbers.
    fn renumbering(&mut self, terms: &[Term]) -> Option<Vec<FactId>> {
        if self.terms.starts_with(terms) {
            return None;
        }
        if terms.starts_with(&self.terms) {
            self.terms = terms.to_vec();
            return None;
        }
        let mut known: FxHashMap<Term, FactId> = self.terms.iter().cloned().zip((0..).map(FactId)).collect();
        let mut number = |term: &Term| {
            *known.entry(term.clone()).or_insert_with(|| {
                self.terms.push(term.clone());
                FactId(self.terms.len() as u32 - 1)
            })
        };
        Some(terms.iter().map(&mut number).collect())
    }

    /// The rows in an order that depends on nothing but what was seen: nearest to the end first, then by facts.
    pub fn rows(&self) -> Vec<Row<'_>> {
        let mut sorted = Vec::with_capacity(self.row_count);
        for (&left, rows) in &self.rows {
            let mut rows: Vec<(&RowKey, &RowTally)> = rows.iter().collect();
            rows.sort_by_key(|(key, _)| *key);
            sorted.extend(rows.into_iter().map(|(key, tally)| Row {
                facts: &key.facts,
                moved: key.moved,
                left,
                held_out: key.held_out,
                times: tally.times,
                goals: &tally.goals,
                wins: &tally.wins,
            }));
        }
        sorted
    }

    /// Numbers facts by their terms instead of the order in which they were seen, for games that number none.
    pub fn sorted(mut self) -> Evidence {
        let mut terms = self.terms.clone();
        terms.sort();
        let mut sorted = Evidence::new(&self.game, &self.roles, terms).with_most_rows(self.most_rows);
        self.most_rows = usize::MAX;
        sorted.horizon = self.horizon;
        let same = sorted.merge(self);
        debug_assert!(same.is_ok(), "it is the same game");
        sorted
    }

    /// For each fact whether it can tell something: whether it ever differed between playouts at the same ply. Turns and clocks do not.
    pub fn telling(&self) -> Vec<bool> {
        let mut telling = vec![false; self.terms.len()];
        for seen in &self.plies {
            let differing: Vec<u64> =
                seen.some.iter().enumerate().map(|(at, some)| some & !seen.all.get(at).copied().unwrap_or(0)).collect();
            bits(&differing).for_each(|fact| telling[fact.index()] = true);
        }
        telling
    }
}

impl RowTally {
    fn add(&mut self, other: &RowTally) {
        self.times += other.times;
        self.goals.iter_mut().zip(&other.goals).for_each(|(goals, more)| *goals += more);
        self.wins.iter_mut().zip(&other.wins).for_each(|(wins, more)| *wins += more);
    }
}

impl PlyFacts {
    fn merge(&mut self, some: &[u64], all: &[u64]) {
        if self.some.len() < some.len() {
            self.some.resize(some.len(), 0);
        }
        self.some.iter_mut().zip(some).for_each(|(known, more)| *known |= more);
        self.all.truncate(all.len());
        self.all.iter_mut().zip(all).for_each(|(known, more)| *known &= more);
    }
}

fn trimmed(words: &[u64]) -> &[u64] {
    let length = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
    &words[..length]
}
