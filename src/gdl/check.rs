//! Static checks: whether the rules of a sheet make sense together, as the specification of the language asks (safety,
//! stratified negation, the recursion restriction).
//!
//! What cannot be run exactly is an error. What only breaks the letter of the specification, as many sheets do, is a
//! warning.

use super::clause_index::ClauseIndex;
use super::problem::{Problem, Severity};
use super::program::{Clause, Keywords, Literal, Pat, Phase, Relation};
use super::scc::components;
use super::sheet::Sheet;
use super::terms::{Functor, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Finds which relations are needed for play, and for what they have to wait; by functor.
pub(super) fn relations(terms: &Terms, words: Keywords, clauses: &[Clause]) -> Vec<Relation> {
    let mut needs: Vec<Vec<u32>> = vec![Vec::new(); terms.functors()];
    for clause in clauses {
        needs[clause.relation().index()].extend(atoms(clause).map(|(pat, ..)| pat.functor().0));
    }
    needs.iter_mut().for_each(|needs| {
        needs.sort_unstable();
        needs.dedup();
    });
    let mut relations = vec![Relation::default(); terms.functors()];
    for group in components(needs.len(), |relation| &needs[relation]) {
        let own = |functor: usize| match Functor(functor as u32) {
            functor if functor == words.holds => Phase::State,
            functor if functor == words.does => Phase::Moves,
            _ => Phase::Fixed,
        };
        let phase = |&functor: &usize| {
            let needed = needs[functor].iter().map(|&need| relations[need as usize].phase);
            needed.max().unwrap_or_default().max(own(functor))
        };
        let phase = group.iter().map(phase).max().unwrap_or_default();
        for functor in group {
            relations[functor] = Relation { used: false, phase };
        }
    }
    let Keywords { role, init, next, legal, goal, terminal, .. } = words;
    let mut open: Vec<usize> = [role, init, next, legal, goal, terminal].iter().map(|word| word.index()).collect();
    while let Some(functor) = open.pop() {
        if !std::mem::replace(&mut relations[functor].used, true) {
            open.extend(needs[functor].iter().map(|&need| need as usize));
        }
    }
    relations
}

/// The most pairs of a condition and a rule that may answer it.
const MOST_DEPENDENCIES: usize = 20_000_000;

/// The strongly connected components of the clauses with conditions, each after all that it needs. `None` if the clauses
/// depend on each other in too many ways, or it was stopped.
///
/// Clauses, not relations: `(goal a 0)` may well depend on the contrary of `(goal a 100)`.
pub(super) fn groups(terms: &Terms, clauses: &[Clause], stop: &AtomicBool) -> Option<Vec<Vec<usize>>> {
    let heads = ClauseIndex::new((0..).zip(clauses).filter(|(_, clause)| !clause.body.is_empty()));
    let mut tried = 0;
    let mut needs: Vec<Vec<u32>> = Vec::with_capacity(clauses.len());
    for clause in clauses {
        let mut own: Vec<u32> = Vec::new();
        for (pat, ..) in atoms(clause) {
            for other in heads.candidates(pat) {
                tried += 1;
                if pat.may_equal(&clauses[other as usize].head, terms) {
                    own.push(other);
                }
            }
            if tried > MOST_DEPENDENCIES || stop.load(Ordering::Relaxed) {
                return None;
            }
        }
        own.sort_unstable();
        own.dedup();
        own.shrink_to_fit();
        needs.push(own);
    }
    let mut groups = components(clauses.len(), |clause| &needs[clause]);
    groups.retain(|group| !clauses[group[0]].body.is_empty());
    Some(groups)
}

/// The atoms among a clause's conditions, whether they are denied, and where they stand.
fn atoms(clause: &Clause) -> impl Iterator<Item = (&Pat, bool, &Range<usize>)> {
    clause.body.iter().filter_map(|literal| match literal {
        Literal::Holds(pat, span) => Some((pat, false, span)),
        Literal::Fails(pat, span) => Some((pat, true, span)),
        Literal::Distinct(..) | Literal::Same(..) => None,
    })
}

/// The most roles that a game may have.
const MOST_ROLES: usize = 64;

/// Finds everything that is wrong, as far as it comes until `stop` is set.
#[allow(clippy::too_many_arguments)]
pub(super) fn check(
    sheet: &Sheet,
    terms: &Terms,
    words: Keywords,
    clauses: &[Clause],
    relations: &[Relation],
    roles: &[String],
    stop: &AtomicBool,
    problems: &mut Vec<Problem>,
) {
    let mut checker = Checker { terms, words, relations, found: Vec::new() };
    let all = 0..sheet.rules.first().map_or(0, |rule| rule.span.end);
    checker.roles(&all, clauses, roles);
    checker.words(&all, clauses);
    checker.arities(sheet);
    checker.undefined(clauses);
    let goes_on = || !stop.load(Ordering::Relaxed);
    clauses.iter().take_while(|_| goes_on()).for_each(|clause| checker.safety(clause));
    let groups = groups(terms, clauses, stop);
    if groups.is_none() {
        let message = format!("the rules depend on each other in more than {MOST_DEPENDENCIES} ways");
        checker.error(&all, message, "give them different relation names");
    }
    for group in groups.into_iter().flatten() {
        let heads = ClauseIndex::new(group.iter().map(|&clause| (clause as u32, &clauses[clause])));
        for &clause in group.iter().take_while(|_| goes_on()) {
            let needed =
                |pat: &Pat| heads.candidates(pat).any(|other| pat.may_equal(&clauses[other as usize].head, terms));
            checker.negation(&clauses[clause], &needed);
            checker.recursion(&clauses[clause], &needed);
        }
    }
    problems.append(&mut checker.found);
    // A rule with 'or' comes apart into several clauses that have the same problem.
    let mut seen = BTreeSet::new();
    problems.retain(|problem| seen.insert((problem.span.start, problem.span.end, problem.message.clone())));
}

struct Checker<'a> {
    terms: &'a Terms,
    words: Keywords,
    relations: &'a [Relation],
    found: Vec<Problem>,
}

impl Checker<'_> {
    fn error(&mut self, span: &Range<usize>, message: impl Into<String>, mend: impl Into<String>) {
        self.found.push(Problem::error(span.clone(), message, mend));
    }

    fn warning(&mut self, span: &Range<usize>, message: impl Into<String>, mend: impl Into<String>) {
        self.found.push(Problem::warning(span.clone(), message, mend));
    }

    /// An error if play needs the relation, otherwise a warning: what is never asked cannot go wrong.
    fn problem(&mut self, relation: Functor, span: &Range<usize>, message: String, mend: &str) {
        let severity = if self.relation(relation).used { Severity::Error } else { Severity::Warning };
        self.found.push(Problem { severity, ..Problem::error(span.clone(), message, mend) });
    }

    fn relation(&self, functor: Functor) -> Relation {
        self.relations[functor.index()]
    }

    fn name(&self, functor: Functor) -> String {
        self.terms.word(functor).name.clone()
    }

    fn roles(&mut self, all: &Range<usize>, clauses: &[Clause], roles: &[String]) {
        if roles.is_empty() {
            self.error(all, "the sheet has no role", "declare who plays, as in (role white)");
        }
        if roles.len() > MOST_ROLES {
            self.error(
                all,
                format!("the sheet has {} roles, expected at most {MOST_ROLES}", roles.len()),
                "leave some out",
            );
        }
        let role = self.words.role;
        for clause in clauses.iter().filter(|clause| clause.relation() == role) {
            if clause.body.is_empty() {
                continue;
            }
            if self.relation(role).phase != Phase::Fixed {
                self.error(
                    &clause.span,
                    "'role' depends on a state or on moves, but who plays is the same in all states",
                    "declare every role as a fact",
                );
            } else {
                self.warning(
                    &clause.span,
                    "found a role with conditions, which is not counted as a player",
                    "declare every role as a fact",
                );
            }
        }
    }

    /// The language's own words are used as they must be.
    fn words(&mut self, all: &Range<usize>, clauses: &[Clause]) {
        let Keywords { init, next, legal, goal, terminal, .. } = self.words;
        for word in [legal, goal, terminal] {
            if !clauses.iter().any(|clause| clause.relation() == word) {
                let message = format!("the sheet has no rule for '{}', so it never holds", self.name(word));
                self.warning(all, message, "add one");
            }
        }
        for clause in clauses {
            let relation = clause.relation();
            let phase = atoms(clause).map(|(pat, ..)| self.relation(pat.functor()).phase).max().unwrap_or_default();
            if relation == init && phase != Phase::Fixed {
                self.error(
                    &clause.span,
                    "'init' depends on a state or on moves, before there are any",
                    "use fixed relations only",
                );
            }
            if [legal, goal, terminal].contains(&relation) && phase == Phase::Moves {
                let message = format!("'{}' depends on the moves that are played", self.name(relation));
                self.error(&clause.span, message, "it may only depend on the state: take 'does' out of what it needs");
            }
            if let Some((_, _, span)) = atoms(clause).find(|(pat, ..)| pat.functor() == next) {
                self.warning(
                    span,
                    "found 'next' among the conditions of a rule",
                    "expected it only as what a rule says",
                );
            }
            if self.terms.word(relation).name == "sees" {
                self.warning(
                    &clause.span,
                    "'sees' has no effect: every role is shown the whole state",
                    "nothing needs to be done",
                );
            }
            if relation == goal
                && let Pat::Apply(_, parts) = &clause.head
                && let Pat::Ground(value) = parts[1]
                && self.terms.term(value).as_name().and_then(|n| n.parse::<u8>().ok()).is_none_or(|n| n > 100)
            {
                let message = format!("found the goal {}, expected a number from 0 to 100", self.terms.term(value));
                self.warning(&clause.span, message, "a goal that is no number up to 255 counts as not defined");
            }
        }
    }

    /// A name has always the same number of arguments.
    fn arities(&mut self, sheet: &Sheet) {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let mut odd = Vec::new();
        for rule in &sheet.rules {
            let count = rule.head.arguments.len();
            let first = *seen.entry(&rule.head.relation).or_insert(count);
            if first != count {
                odd.push((rule.head.span.clone(), rule.head.relation.clone(), first, count));
            }
        }
        let mut told = BTreeSet::new();
        for (span, name, first, count) in odd {
            if told.insert(name.clone()) {
                let message = format!("'{name}' is said of {count} things here and of {first} before: two relations");
                self.warning(&span, message, "give them different names");
            }
        }
    }

    /// Conditions on relations that nothing is said about.
    fn undefined(&mut self, clauses: &[Clause]) {
        let mut defined = vec![false; self.terms.functors()];
        clauses.iter().for_each(|clause| defined[clause.relation().index()] = true);
        for word in [self.words.holds, self.words.does] {
            defined[word.index()] = true;
        }
        for clause in clauses {
            for (pat, _, span) in atoms(clause) {
                let functor = pat.functor();
                // One message a relation is enough.
                if !std::mem::replace(&mut defined[functor.index()], true) {
                    let word = self.terms.word(functor);
                    let message = format!(
                        "no rule says when '{}' of {} things holds: it never does",
                        word.name,
                        word.arity.unwrap_or(0)
                    );
                    self.warning(span, message, "is it misspelt?");
                }
            }
        }
    }

    /// Every variable is bound by a condition that holds.
    fn safety(&mut self, clause: &Clause) {
        let mut bound = Vec::new();
        for literal in &clause.body {
            if let Literal::Holds(pat, _) = literal {
                pat.variables(&mut bound);
            }
        }
        let unbound = |pats: &[&Pat]| {
            let mut found = Vec::new();
            pats.iter().for_each(|pat| pat.variables(&mut found));
            found.iter().any(|variable| !bound.contains(variable))
        };
        let place = if unbound(&[&clause.head]) {
            Some((clause.span.clone(), "what the rule says"))
        } else {
            clause.body.iter().find_map(|literal| match literal {
                Literal::Fails(pat, span) if unbound(&[pat]) => Some((span.clone(), "a 'not'")),
                Literal::Distinct(one, other, span) | Literal::Same(one, other, span) if unbound(&[one, other]) => {
                    Some((span.clone(), "a 'distinct'"))
                }
                _ => None,
            })
        };
        if let Some((span, place)) = place {
            let message = format!("a variable of {place} stands in no condition that holds, so it could be anything");
            self.problem(clause.relation(), &span, message, "add a condition that binds the variable");
        }
    }

    /// Nothing depends on its own contrary.
    fn negation(&mut self, clause: &Clause, circular: &dyn Fn(&Pat) -> bool) {
        if let Some((pat, _, span)) = atoms(clause).find(|(pat, denied, _)| *denied && circular(pat)) {
            let (head, denied) = (self.name(clause.relation()), self.name(pat.functor()));
            let message = format!("'{head}' depends on the contrary of '{denied}', which depends on '{head}'");
            self.problem(clause.relation(), &span.clone(), message, "break the circle: it has no clear meaning");
        }
    }

    /// What a rule asks of its own relation is bounded by the rest of the rule.
    fn recursion(&mut self, clause: &Clause, own: &dyn Fn(&Pat) -> bool) {
        let relation = clause.relation();
        let parts = |pat: &Pat| if let Pat::Apply(_, parts) = pat { parts.clone() } else { Vec::new() };
        let mut allowed = parts(&clause.head);
        let mut recursive = Vec::new();
        for literal in &clause.body {
            match literal {
                Literal::Holds(pat, span) if own(pat) => recursive.push((pat, span)),
                Literal::Holds(pat, _) => allowed.extend(parts(pat)),
                _ => {}
            }
        }
        let free = |pat: &Pat| parts(pat).iter().any(|part| !matches!(part, Pat::Ground(_)) && !allowed.contains(part));
        let Some((_, span)) = recursive.into_iter().find(|(pat, _)| free(pat)) else { return };
        let builds = |part: &Pat| matches!(part, Pat::Apply(..));
        let name = self.name(relation);
        if parts(&clause.head).iter().any(builds) {
            let message = format!("'{name}' is built from itself, perhaps without end");
            self.problem(relation, &span.clone(), message, "bound it by a condition of another relation");
        } else {
            let message =
                format!("'{name}' depends on itself in a way the language forbids, though it can be worked out");
            self.warning(
                &span.clone(),
                message,
                "use only variables that stand in what the rule says or in other conditions",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::gdl::{Program, Severity};

    /// A game that is sound, to which the tables add what is not.
    const SOUND: &str = "(role a) (init (on 1)) (legal a go) (<= (next (on ?x)) (true (on ?x))) (goal a 50) \
                         (<= terminal (true (on 2))) (n 1 2) ";

    #[test]
    fn a_sound_sheet_has_no_problems() {
        assert_eq!(Program::read(SOUND).unwrap().warnings(), []);
    }

    #[test]
    fn problems_are_found_where_they_are() {
        use Severity::{Error, Warning};
        for (text, severity, at, words) in [
            ("(<= (legal ?p stop) (not (true (on 1))))", Error, "(<= (legal ?p", "could be anything"),
            ("(<= terminal (distinct ?x 1))", Error, "(distinct", "could be anything"),
            ("(<= terminal (not (true (on ?x))))", Error, "(true (on ?x))", "could be anything"),
            ("(<= (p ?x ?y) (n ?x 2))", Warning, "(<= (p", "could be anything"),
            ("(<= terminal (not p)) (<= p (not q)) (<= q p)", Error, "q))", "contrary of 'q'"),
            ("(<= (p (s ?x)) (p ?x)) (p 0) (<= terminal (p 1))", Error, "(p ?x)", "without end"),
            ("(<= (p ?x ?y) (p ?x ?z) (p ?z ?y)) (p 1 2)", Warning, "(p ?x ?z)", "forbids"),
            ("(<= (init (on 2)) (true (on 1)))", Error, "(<= (init", "depends on a state"),
            ("(<= (legal a stop) q) (<= q (does a go))", Error, "(<= (legal a stop)", "depends on the moves"),
            ("(<= (role b) (n 1 2))", Warning, "(<= (role b", "not counted"),
            ("(<= (role a) (true (on 1)))", Error, "(<= (role a", "who plays is the same in all states"),
            ("(<= terminal (near 1 2))", Warning, "(near 1 2)", "misspelt"),
            ("(n 1)", Warning, "(n 1)", "of 1 things here and of 2"),
            ("(goal a 101)", Warning, "(goal a 101)", "0 to 100"),
            ("(<= (q ?x) (next ?x))", Warning, "(next ?x)", "'next' among"),
            ("(sees a b)", Warning, "(sees", "no effect"),
        ] {
            let text = format!("{SOUND}{text}");
            let problems = match Program::read(&text) {
                Ok(program) => program.warnings().to_vec(),
                Err(error) => error.problems,
            };
            let found = problems.iter().find(|problem| problem.to_string().contains(words));
            let found = found.unwrap_or_else(|| panic!("{text}: {problems:?}"));
            assert_eq!(found.severity, severity, "{text}");
            let place = SOUND.len() + text[SOUND.len()..].find(at).unwrap();
            assert_eq!(found.span.start, place, "{text}: {found:?}");
        }
        assert!(Program::read("(p 1)").unwrap_err().to_string().contains("no role"));
    }
}
