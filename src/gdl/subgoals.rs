//! Subgoals: a relation that is evaluated on demand, with which arguments of its atoms are bound when it is called (its
//! adornment).
//!
//! A subgoal has a join plan for each clause that may answer it, with the bound arguments passed in. Subgoals that call each
//! other form a *unit*, a strongly connected component of the call graph, whose tables are completed together; everything
//! else is completed before it is used. That holds for all negation, since programs are stratified.

use super::TooLarge;
use super::clause_index::ClauseIndex;
use super::database::IndexKey;
use super::join_plan::{JoinPlan, JoinStep};
use super::program::{Clause, Pat, Phase, Relation};
use super::scc::components;
use super::terms::{Functor, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SubgoalId(pub u32);

#[derive(Clone, Debug)]
pub(super) struct Subgoal {
    key: IndexKey,
    clauses: Arc<[Clause]>,
    pub phase: Phase,
    /// Whether all is known, so that there is at most one answer.
    pub is_test: bool,
    pub plans: Vec<JoinPlan>,
    pub unit: u32,
    /// Whether the unit needs itself.
    pub recursive: bool,
}

/// All subgoals that plans ask.
#[derive(Clone, Debug, Default)]
pub(super) struct Subgoals {
    list: Vec<Subgoal>,
    /// From relation, what is known, and which of its clauses may answer.
    ids: FxHashMap<(Functor, IndexKey, Vec<u32>), SubgoalId>,
    planned: usize,
    /// By functor: the clauses of relations on demand.
    clauses: Vec<Option<Arc<[Clause]>>>,
    heads: FxHashMap<Functor, Arc<ClauseIndex>>,
    relations: Vec<Relation>,
    /// How many steps all plans have, or will have.
    steps: u64,
}

/// A subgoal to be planned: its clauses, and what of their heads is known.
type Unplanned = (SubgoalId, Arc<[Clause]>, IndexKey);

/// With more subgoals than this, new ones are called with nothing known.
const MOST_SUBGOALS: usize = 5_000;
/// The most steps of all plans together.
const MOST_STEPS: u64 = 2_000_000;
/// How many units may wait for each other: each takes some of the stack.
const DEEPEST: u32 = 200;

impl Subgoals {
    pub fn new(relations: &[Relation]) -> Subgoals {
        Subgoals { relations: relations.to_vec(), clauses: vec![None; relations.len()], ..Subgoals::default() }
    }

    /// From now on a relation is worked out on demand by these clauses.
    pub fn add(&mut self, relation: Functor, clauses: Vec<Clause>) {
        self.heads.insert(relation, Arc::new(ClauseIndex::new((0..).zip(&clauses))));
        self.clauses[relation.index()] = Some(clauses.into());
    }

    /// From now on it is not.
    pub fn remove(&mut self, relation: Functor) {
        self.clauses[relation.index()] = None;
    }

    pub fn on_demand(&self, relation: Functor) -> bool {
        self.clauses.get(relation.index()).is_some_and(Option::is_some)
    }

    pub fn clauses_of(&self, relation: Functor) -> Arc<[Clause]> {
        self.clauses[relation.index()].clone().unwrap_or_default()
    }

    #[inline]
    pub fn get(&self, subgoal: SubgoalId) -> &Subgoal {
        &self.list[subgoal.0 as usize]
    }

    /// The subgoal for atoms that fit a pattern of which a key is known; with `false` if it is called with nothing known.
    pub fn subgoal(&mut self, pat: &Pat, key: IndexKey, terms: &Terms) -> (SubgoalId, bool) {
        let relation = pat.functor();
        let (key, with_values) =
            if self.list.len() < MOST_SUBGOALS { (key, true) } else { (IndexKey::default(), false) };
        let all = self.clauses_of(relation);
        // Only these count for what waits for what: one clause of a relation may need the contrary of another.
        let may = |clause: &u32| pat.may_equal(&all[*clause as usize].head, terms);
        let mut answering: Vec<u32> = match self.heads.get(&relation) {
            Some(heads) if with_values => heads.candidates(pat).filter(may).collect(),
            _ => (0..all.len() as u32).collect(),
        };
        answering.sort_unstable();
        let next = SubgoalId(self.list.len() as u32);
        let id = *self.ids.entry((relation, key.clone(), answering.clone())).or_insert(next);
        if id == next {
            self.steps += answering.iter().map(|&clause| all[clause as usize].body.len() as u64 + 1).sum::<u64>();
            if self.steps > MOST_STEPS {
                // Planning fails soon: nothing more has to be kept for it.
                answering.clear();
            }
            let clauses: Arc<[Clause]> = answering.iter().map(|&clause| all[clause as usize].clone()).collect();
            let arity = terms.word(relation).arity.unwrap_or(0) as usize;
            self.list.push(Subgoal {
                is_test: key.functors.is_empty() && key.values.len() == arity,
                key,
                clauses,
                phase: self.relations[relation.index()].phase,
                plans: Vec::new(),
                unit: 0,
                recursive: false,
            });
        }
        (id, with_values)
    }

    /// A subgoal that has no plans yet.
    pub fn unplanned(&mut self) -> Result<Option<Unplanned>, TooLarge> {
        if self.steps > MOST_STEPS {
            return Err(TooLarge::Plans(MOST_STEPS));
        }
        let Some(subgoal) = self.list.get(self.planned) else { return Ok(None) };
        let id = SubgoalId(self.planned as u32);
        self.planned += 1;
        Ok(Some((id, subgoal.clauses.clone(), subgoal.key.clone())))
    }

    pub fn put(&mut self, subgoal: SubgoalId, plans: Vec<JoinPlan>) {
        self.list[subgoal.0 as usize].plans = plans;
    }

    /// Finds the units.
    pub fn arrange(&mut self) -> Result<(), TooLarge> {
        let mut needs: Vec<Vec<u32>> = Vec::new();
        let mut denials: Vec<Vec<u32>> = Vec::new();
        for subgoal in &self.list {
            let steps = || subgoal.plans.iter().flat_map(|plan| &plan.steps);
            let denied = steps().filter_map(|step| match step {
                JoinStep::CallFails { subgoal, .. } => Some(subgoal.0),
                _ => None,
            });
            let called = steps().filter_map(|step| match step {
                JoinStep::Call { subgoal, .. } | JoinStep::CallFails { subgoal, .. } => Some(subgoal.0),
                _ => None,
            });
            needs.push(called.collect());
            denials.push(denied.collect());
        }
        let groups = components(self.list.len(), |subgoal| &needs[subgoal]);
        self.list.iter_mut().for_each(|subgoal| subgoal.unit = u32::MAX);
        // How deep the units are, and how deep if only denials count.
        let (mut depth, mut denied_depth) = (vec![0u32; self.list.len()], vec![0u32; self.list.len()]);
        for (unit, group) in groups.iter().enumerate() {
            let needed = || group.iter().flat_map(|&subgoal| &needs[subgoal]).map(|&need| need as usize);
            let own = needed().map(|need| depth[need] + 1).max().unwrap_or(0);
            let denied = group.iter().flat_map(|&subgoal| &denials[subgoal]);
            let below = denied.map(|&need| denied_depth[need as usize] + 1).max().unwrap_or(0);
            let below = needed().map(|need| denied_depth[need]).max().unwrap_or(0).max(below);
            group.iter().for_each(|&subgoal| self.list[subgoal].unit = unit as u32);
            let recursive = needed().any(|need| self.list[need].unit == unit as u32);
            for &subgoal in group {
                depth[subgoal] = own;
                denied_depth[subgoal] = below;
                self.list[subgoal].recursive = recursive;
            }
        }
        if depth.iter().all(|&depth| depth <= DEEPEST) {
            return Ok(());
        }
        // Too deep for the stack: all that no denial separates is one unit.
        if denied_depth.iter().any(|&depth| depth > DEEPEST) {
            return Err(TooLarge::Denials(DEEPEST));
        }
        for (subgoal, &unit) in self.list.iter_mut().zip(&denied_depth) {
            subgoal.unit = unit;
            subgoal.recursive = true;
        }
        Ok(())
    }
}
