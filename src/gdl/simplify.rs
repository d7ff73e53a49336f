//! Program transformations before grounding, without a change in what the rules say: constant facts become fixed relations, and
//! variables that occur once are projected out.

use super::program::{Clause, Literal, Pat, Phase, Program, Relation};
use super::terms::{Functor, TermId, Terms};
use rustc_hash::FxHashMap;

/// Facts that no move changes, such as walls: those whose only rule about the next state is that they stay. Conditions about
/// them become conditions about relations that are the same in all states, whose atoms are returned too.
pub(super) fn with_constant_facts(
    program: &Program,
    start: &[TermId],
    terms: &mut Terms,
    relations: &mut Vec<Relation>,
) -> (Vec<Clause>, Vec<TermId>) {
    let mut lasting: FxHashMap<Functor, Functor> = FxHashMap::default();
    // How many rules there are about the next state of each kind of fact; under `None`, of facts of any kind.
    let mut rules_of: FxHashMap<Option<Functor>, usize> = FxHashMap::default();
    for clause in program.clauses.iter().filter(|clause| clause.relation() == program.words.next) {
        let Pat::Apply(_, parts) = &clause.head else { continue };
        let kind = match &parts[0] {
            Pat::Apply(functor, _) => Some(*functor),
            Pat::Ground(term) => Some(terms.functor_of(*term)),
            Pat::Variable(_) => None,
        };
        *rules_of.entry(kind).or_default() += 1;
    }
    for functor in program.clauses.iter().filter_map(stays) {
        let word = terms.word(functor).clone();
        let rules = [Some(functor), None].iter().filter_map(|kind| rules_of.get(kind)).sum::<usize>();
        if rules == 1 {
            // No name of a sheet has a space in it.
            lasting.insert(functor, terms.functor(&format!("always {}", word.name), word.arity));
        }
    }
    relations.resize(terms.functors(), Relation::default());
    lasting.values().for_each(|always| relations[always.index()].used = true);
    let mut atoms = Vec::new();
    for &fact in start {
        if let Some(&always) = lasting.get(&terms.functor_of(fact)) {
            let arguments = terms.arguments(fact).to_vec();
            atoms.push(terms.intern(always, &arguments));
        }
    }
    let instead = |pat: &Pat| {
        let Pat::Apply(relation, parts) = pat else { return None };
        let fact = parts.first().filter(|_| *relation == program.words.holds)?;
        match fact {
            Pat::Apply(functor, parts) => Some(Pat::Apply(*lasting.get(functor)?, parts.clone())),
            Pat::Ground(term) => {
                let parts = terms.arguments(*term).iter().map(|&part| Pat::Ground(part)).collect();
                Some(Pat::Apply(*lasting.get(&terms.functor_of(*term))?, parts))
            }
            Pat::Variable(_) => None,
        }
    };
    let mut clauses = program.clauses.clone();
    for clause in clauses.iter_mut().filter(|clause| stays(clause).is_none()) {
        for literal in &mut clause.body {
            if let Literal::Holds(pat, _) | Literal::Fails(pat, _) = literal
                && let Some(other) = instead(pat)
            {
                *pat = other;
            }
        }
    }
    (clauses, atoms)
}

/// Of a rule that says of all facts of a kind that they stay, the kind.
fn stays(clause: &Clause) -> Option<Functor> {
    let [Literal::Holds(Pat::Apply(_, now), _)] = &clause.body[..] else { return None };
    let (Pat::Apply(_, then), [Pat::Apply(functor, parts)]) = (&clause.head, &now[..]) else { return None };
    let variables: Option<Vec<usize>> =
        parts.iter().map(|part| if let Pat::Variable(variable) = part { Some(*variable) } else { None }).collect();
    let mut variables = variables?;
    variables.sort_unstable();
    variables.dedup();
    (then == now && variables.len() == parts.len()).then_some(*functor)
}

/// Conditions without the variables that nothing else speaks of: "somebody moves from here, wherever to". Such a condition
/// becomes a relation of what is left, so that its ways are not multiplied with those of the rest.
pub(super) fn without_lonely_variables(
    clauses: Vec<Clause>,
    terms: &mut Terms,
    relations: &mut Vec<Relation>,
) -> Vec<Clause> {
    let mut known: FxHashMap<(Pat, Vec<usize>), Functor> = FxHashMap::default();
    let mut made = Vec::new();
    for mut clause in clauses {
        let mut uses = vec![0usize; clause.variables];
        let mut count = |pats: &[&Pat]| {
            let mut found = Vec::new();
            pats.iter().for_each(|pat| pat.variables(&mut found));
            found.iter().for_each(|&variable| uses[variable] += 1);
        };
        count(&[&clause.head]);
        for literal in &clause.body {
            match literal {
                Literal::Holds(pat, _) | Literal::Fails(pat, _) => count(&[pat]),
                Literal::Distinct(one, other, _) | Literal::Same(one, other, _) => count(&[one, other]),
            }
        }
        let several = clause.body.len() > 1;
        for literal in clause.body.iter_mut().filter(|_| several) {
            let Literal::Holds(pat, span) = literal else { continue };
            let phase = relations[pat.functor().index()].phase;
            let mut own = Vec::new();
            pat.variables(&mut own);
            let kept: Vec<usize> = own.iter().copied().filter(|&variable| uses[variable] > 1).collect();
            if phase == Phase::Fixed || kept.len() == own.len() {
                continue;
            }
            // The same condition in another rule has the same numbers then.
            let mut numbers = vec![0; clause.variables];
            own.iter().enumerate().for_each(|(number, &variable)| numbers[variable] = number);
            let body = renamed(pat, &numbers);
            let left: Vec<usize> = kept.iter().map(|&variable| numbers[variable]).collect();
            let key = (body, left);
            let functor = match known.get(&key) {
                Some(&functor) => functor,
                None => {
                    // No name of a sheet has a space in it.
                    let functor = terms.functor(&format!("some {}", known.len()), Some(key.1.len() as u32));
                    relations.resize(terms.functors(), Relation::default());
                    relations[functor.index()] = Relation { used: true, phase };
                    let head = Pat::Apply(functor, key.1.iter().copied().map(Pat::Variable).collect());
                    let condition = Literal::Holds(key.0.clone(), span.clone());
                    made.push(Clause { head, body: vec![condition], variables: own.len(), span: span.clone() });
                    known.insert(key, functor);
                    functor
                }
            };
            *pat = Pat::Apply(functor, kept.into_iter().map(Pat::Variable).collect());
        }
        made.push(clause);
    }
    made
}

fn renamed(pat: &Pat, numbers: &[usize]) -> Pat {
    match pat {
        Pat::Variable(variable) => Pat::Variable(numbers[*variable]),
        Pat::Ground(term) => Pat::Ground(*term),
        Pat::Apply(functor, parts) => Pat::Apply(*functor, parts.iter().map(|part| renamed(part, numbers)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_that_only_stay_are_constant() {
        let text = "(role a) (legal a go) (goal a 0) (init (wall 1)) (init (at 1)) \
                    (<= (next (wall ?x)) (true (wall ?x))) (<= (next (at ?x)) (true (at ?x))) \
                    (<= (next (at 2)) (true (at ?x)) (not (true (wall ?x)))) (<= terminal (true (wall 2)))";
        let program = Program::read(text).unwrap();
        let (mut terms, mut relations) = (program.terms.clone(), program.relations.clone());
        let fact = |text: &str, terms: &mut Terms| terms.intern_term(&text.parse().unwrap()).unwrap();
        let start = [fact("(wall 1)", &mut terms), fact("(at 1)", &mut terms)];
        let (clauses, atoms) = with_constant_facts(&program, &start, &mut terms, &mut relations);
        assert_eq!(atoms.len(), 1);
        let always = terms.functor_of(atoms[0]);
        let uses = clauses.iter().flat_map(|clause| &clause.body).filter(
            |literal| matches!(literal, Literal::Holds(pat, _) | Literal::Fails(pat, _) if pat.functor() == always),
        );
        assert_eq!(uses.count(), 2);
    }

    #[test]
    fn lonely_variables_are_taken_out_once_for_all_rules() {
        let text = "(role a) (legal a (go 1 2)) (goal a 0) (init (at 1)) (<= terminal (true (at 9))) \
                    (<= (next (at ?x)) (true (at ?x)) (does a (go ?x ?y))) \
                    (<= (next (at ?z)) (true (at ?z)) (does a (go ?z ?other)))";
        let program = Program::read(text).unwrap();
        let (mut terms, mut relations) = (program.terms.clone(), program.relations.clone());
        let made = without_lonely_variables(program.clauses.clone(), &mut terms, &mut relations);
        assert_eq!(made.len(), program.clauses.len() + 1);
    }
}
