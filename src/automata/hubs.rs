//! Fewer edges: what many states can do is done from one place.

use super::nfa::NfaState;
use super::{Dfa, Nfa, StateId};

/// Hubs are not looked for one by one without end.
const MAX_HUBS: usize = 12;

/// An edge by the number of its letter and its target; or, with no letter, that a word may end.
type Ability = (Option<usize>, usize);

const ENDS: Ability = (None, 0);

impl<L: Clone + Ord> Dfa<L> {
    /// The same words by an automaton in which states that have many edges in common go on from a hub instead.
    ///
    /// Deterministic automata hide where one part of a word ends and the next begins: every state in which a part may end
    /// has the edges of all next parts. Hubs bring such places back, and expressions by elimination stay short.
    pub fn with_hubs(&self) -> Nfa<L> {
        // No two states with the same words: each would be the other's larger one.
        let smallest = self.minimise();
        let mut letters: Vec<&L> =
            smallest.states().iter().flat_map(|state| &state.edges).map(|edge| &edge.0).collect();
        letters.sort_unstable();
        letters.dedup();
        let own = smallest.states().iter().map(|state| {
            let edges = state.edges.iter().map(|(letter, to)| (letters.binary_search(&letter).ok(), to.index()));
            state.accepting.then_some(ENDS).into_iter().chain(edges).collect()
        });
        let mut own: Vec<Vec<Ability>> = own.collect();
        let within = inclusions(&own);
        // All that a state may do without a new word: what leads to fewer words than an edge that it has.
        let able: Vec<Vec<Ability>> = own.iter().map(|own| closed(own, &within)).collect();
        let mut silent = vec![Vec::new(); own.len()];
        for _ in 0..MAX_HUBS {
            let Some((shared, users)) = best_hub(&own, &able) else { break };
            let hub = StateId(own.len() as u32);
            for user in users {
                own[user].retain(|ability| shared.binary_search(ability).is_err());
                silent[user].push(hub);
            }
            let is_largest = |&&(letter, to): &&Ability| {
                !shared
                    .iter()
                    .any(|other| letter.is_some() && other.0 == letter && other.1 != to && within[to][other.1])
            };
            own.push(shared.iter().filter(is_largest).copied().collect());
            silent.push(Vec::new());
        }
        let states = own.into_iter().zip(silent).map(|(own, silent)| NfaState {
            accepting: own.contains(&ENDS),
            edges: own
                .iter()
                .filter_map(|&(letter, to)| Some((letters[letter?].clone(), StateId(to as u32))))
                .collect(),
            silent,
        });
        Nfa { states: states.collect(), start: StateId(0) }
    }
}

/// For each two states, whether the second has all the words of the first.
fn inclusions(own: &[Vec<Ability>]) -> Vec<Vec<bool>> {
    let mut within = vec![vec![true; own.len()]; own.len()];
    loop {
        let mut changed = false;
        for a in 0..own.len() {
            for b in 0..own.len() {
                let follows = |&(letter, to): &Ability| {
                    own[b].binary_search_by(|other| other.0.cmp(&letter)).is_ok_and(|at| within[to][own[b][at].1])
                };
                if within[a][b] && !own[a].iter().all(follows) {
                    within[a][b] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return within;
        }
    }
}

fn closed(own: &[Ability], within: &[Vec<bool>]) -> Vec<Ability> {
    let less = own.iter().filter(|ability| **ability != ENDS).flat_map(|&(letter, to)| {
        (0..within.len()).filter(move |&state| within[state][to]).map(move |state| (letter, state))
    });
    let mut all: Vec<Ability> = own.iter().copied().chain(less).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What several states share so that a hub saves most edges, and those states.
fn best_hub(own: &[Vec<Ability>], able: &[Vec<Ability>]) -> Option<(Vec<Ability>, Vec<usize>)> {
    let mut best = None;
    let mut most = 0;
    for a in 0..able.len() {
        for b in a + 1..able.len() {
            let has = |state: usize, ability: &Ability| able[state].binary_search(ability).is_ok();
            let shared: Vec<Ability> = able[a].iter().filter(|ability| has(b, ability)).copied().collect();
            if shared.len() < 2 {
                continue;
            }
            let saves =
                |state: usize| own[state].iter().filter(|ability| shared.binary_search(ability).is_ok()).count();
            let users: Vec<usize> = (0..able.len())
                .filter(|&state| saves(state) > 1 && shared.iter().all(|ability| has(state, ability)))
                .collect();
            let before: usize = users.iter().map(|&state| saves(state)).sum();
            let mut kinds: Vec<Option<usize>> = shared.iter().map(|ability| ability.0).collect();
            kinds.dedup();
            let saved = before.saturating_sub(users.len() + kinds.len());
            if saved > most {
                most = saved;
                best = Some((shared, users));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use crate::automata::samples::automata;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn hubs_change_no_word(dfa in automata()) {
            for dfa in [&dfa, &dfa.minimise()] {
                prop_assert_eq!(dfa.with_hubs().determinise(10_000).unwrap().minimise(), dfa.minimise());
            }
        }
    }
}
