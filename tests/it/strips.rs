//! A plain reader and runner of planning problems: types are not looked at, everything else of STRIPS is.

use onlooker::gdl::Term;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

pub type Fact = Vec<String>;
pub type Facts = BTreeSet<Fact>;

struct Action {
    needs: Vec<Fact>,
    adds: Vec<Fact>,
    deletes: Vec<Fact>,
}

pub struct Planned {
    actions: Vec<Action>,
    /// What no action changes, by predicate and first argument.
    fixed: HashMap<(String, String), Vec<Fact>>,
    start: Facts,
    goal: Fact,
}

fn read(text: &str) -> Vec<Term> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with(';')).collect();
    match lines.join("\n").parse() {
        Ok(Term::List(parts)) => parts,
        other => panic!("expected one definition: {other:?}"),
    }
}

fn atom(term: &Term) -> Fact {
    match term {
        Term::List(parts) => parts.iter().map(ToString::to_string).collect(),
        Term::Name(name) => panic!("expected an atom, found {name}"),
    }
}

fn conjuncts(term: &Term) -> Vec<&Term> {
    match term.arguments_of("and") {
        Some(parts) => parts.iter().collect(),
        None => vec![term],
    }
}

impl Planned {
    pub fn read(domain: &str, problem: &str) -> Planned {
        let (domain, problem) = (read(domain), read(problem));
        let mut actions = Vec::new();
        let mut declared = HashSet::new();
        for part in &domain {
            if let Some(predicates) = part.arguments_of(":predicates") {
                declared.extend(predicates.iter().map(|predicate| atom(predicate)[0].clone()));
            }
            let Some(action) = part.arguments_of(":action") else { continue };
            let [_, _, parameters, _, needs, _, effects] = action else { panic!("an action of an odd form: {part}") };
            let mut action = Action { needs: vec![], adds: vec![], deletes: vec![] };
            action.needs = conjuncts(needs).into_iter().map(atom).collect();
            for effect in conjuncts(effects) {
                match effect.arguments_of("not") {
                    Some([inner]) => action.deletes.push(atom(inner)),
                    _ => action.adds.push(atom(effect)),
                }
            }
            let known = atom(parameters);
            for fact in action.needs.iter().chain(&action.adds).chain(&action.deletes) {
                assert!(declared.contains(&fact[0]), "{fact:?} is not declared");
                assert!(fact.iter().filter(|name| name.starts_with('?')).all(|name| known.contains(name)), "{fact:?}");
            }
            actions.push(action);
        }
        let changing: HashSet<String> =
            actions.iter().flat_map(|action| action.adds.iter().chain(&action.deletes)).map(|f| f[0].clone()).collect();
        let part = |name: &str| problem.iter().find_map(|part| part.arguments_of(name)).unwrap();
        let mut found = Planned { actions, fixed: HashMap::new(), start: Facts::new(), goal: atom(&part(":goal")[0]) };
        for fact in part(":init").iter().map(atom) {
            assert!(declared.contains(&fact[0]), "{fact:?} is not declared");
            if changing.contains(&fact[0]) {
                found.start.insert(fact);
            } else {
                found.fixed.entry((fact[0].clone(), fact[1].clone())).or_default().push(fact);
            }
        }
        found
    }

    /// All states in which the goal holds, or none if more states than the limit can be reached: a turn of few ends may have
    /// very many beginnings that lead nowhere.
    pub fn goal_states(&self, limit: usize) -> Option<HashSet<Facts>> {
        let mut seen = HashSet::from([self.start.clone()]);
        let mut open = vec![self.start.clone()];
        while let Some(state) = open.pop() {
            if seen.len() > limit {
                return None;
            }
            for action in &self.actions {
                let mut bindings = Vec::new();
                self.bind(&action.needs, &state, &mut BTreeMap::new(), &mut bindings);
                for binding in bindings {
                    let ground = |fact: &Fact| -> Fact {
                        fact.iter().map(|name| binding.get(name).unwrap_or(name).clone()).collect()
                    };
                    let mut next = state.clone();
                    action.deletes.iter().for_each(|fact| _ = next.remove(&ground(fact)));
                    next.extend(action.adds.iter().map(ground));
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
        }
        seen.retain(|state| state.contains(&self.goal));
        Some(seen)
    }

    fn bind(
        &self,
        needs: &[Fact],
        state: &Facts,
        binding: &mut BTreeMap<String, String>,
        found: &mut Vec<BTreeMap<String, String>>,
    ) {
        let Some((need, rest)) = needs.split_first() else { return found.push(binding.clone()) };
        let partly: Fact = need.iter().map(|name| binding.get(name).unwrap_or(name).clone()).collect();
        let first = partly.get(1).cloned().unwrap_or_default();
        let mut candidates: Vec<&Fact> = Vec::new();
        if first.starts_with('?') {
            candidates.extend(self.fixed.iter().filter(|(key, _)| key.0 == partly[0]).flat_map(|(_, facts)| facts));
        } else {
            candidates.extend(self.fixed.get(&(partly[0].clone(), first)).into_iter().flatten());
        }
        let known: Fact = partly.iter().take_while(|name| !name.starts_with('?')).cloned().collect();
        candidates.extend(state.range(known.clone()..).take_while(|fact| fact.starts_with(&known)));
        for fact in candidates {
            let fits = |(name, value): (&String, &String)| name.starts_with('?') || name == value;
            if fact.len() != partly.len() || !partly.iter().zip(fact).all(fits) {
                continue;
            }
            let new: Vec<(String, String)> = partly
                .iter()
                .zip(fact)
                .filter(|(name, _)| name.starts_with('?'))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            let mut extended = binding.clone();
            if new.into_iter().all(|(name, value)| extended.insert(name, value.clone()).is_none_or(|old| old == value))
            {
                self.bind(rest, state, &mut extended, found);
            }
        }
    }
}
