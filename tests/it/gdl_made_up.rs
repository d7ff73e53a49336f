//! Rule sheets made up at random: both engines must say what an evaluator says that is too simple to be wrong.

use onlooker::game::Chance;
use onlooker::gdl::{Atom, Formula, GroundingLimits, Pattern, Program, PropNet, Prover, Rule, Sheet, Term};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Everything that holds, worked out by trying all rules with all atoms until nothing new comes, stratum by stratum.
struct Naive {
    rules: Vec<Rule>,
    strata: Vec<usize>,
}

type Bindings = BTreeMap<String, Term>;

impl Naive {
    fn new(sheet: &Sheet) -> Naive {
        let rules = sheet.rules.clone();
        let mut strata = vec![0; rules.len()];
        // Checked sheets have no rule that depends on its own contrary, or none that play needs: hence the end.
        loop {
            let needed = |rule: &Rule| {
                let mut atoms = Vec::new();
                rule.body.iter().for_each(|formula| atoms_of(formula, false, &mut atoms));
                let of = |(atom, denied): &(&Atom, bool)| {
                    let heads = rules.iter().zip(&strata).filter(|(rule, _)| may_be_same(&rule.head, atom));
                    heads.map(|(_, stratum)| stratum + usize::from(*denied)).max().unwrap_or(0).min(rules.len())
                };
                atoms.iter().map(of).max().unwrap_or(0)
            };
            let next: Vec<usize> = rules.iter().map(needed).collect();
            if next == strata {
                return Naive { rules, strata };
            }
            strata = next;
        }
    }

    fn all(&self, given: impl IntoIterator<Item = Term>) -> BTreeSet<Term> {
        let mut atoms: BTreeSet<Term> = given.into_iter().collect();
        for stratum in 0..=self.strata.iter().copied().max().unwrap_or(0) {
            loop {
                let before = atoms.len();
                let rules = self.rules.iter().zip(&self.strata).filter(|(_, own)| **own == stratum);
                for (rule, _) in rules {
                    let mut ways = vec![Bindings::new()];
                    rule.body.iter().for_each(|formula| ways = bound_by(formula, &ways, &atoms));
                    for way in ways {
                        if rule.body.iter().all(|formula| holds(formula, &way, &atoms)) {
                            atoms.insert(instance(&rule.head, &way));
                        }
                    }
                }
                if atoms.len() == before {
                    break;
                }
            }
        }
        atoms
    }
}

fn atoms_of<'a>(formula: &'a Formula, denied: bool, found: &mut Vec<(&'a Atom, bool)>) {
    match formula {
        Formula::Atom(atom) => found.push((atom, denied)),
        Formula::Not(inner) => atoms_of(inner, !denied, found),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| atoms_of(part, denied, found)),
        Formula::Distinct(..) => {}
    }
}

fn may_be_same(one: &Atom, other: &Atom) -> bool {
    fn patterns(one: &Pattern, other: &Pattern) -> bool {
        match (one, other) {
            (Pattern::Variable(_), _) | (_, Pattern::Variable(_)) => true,
            (Pattern::Name(one), Pattern::Name(other)) => one == other,
            (Pattern::Compound(one, parts), Pattern::Compound(other, others)) => {
                one == other && parts.len() == others.len() && parts.iter().zip(others).all(|(a, b)| patterns(a, b))
            }
            _ => false,
        }
    }
    one.relation == other.relation
        && one.arguments.len() == other.arguments.len()
        && one.arguments.iter().zip(&other.arguments).all(|(one, other)| patterns(one, other))
}

/// All ways in which what is not denied in a formula can hold.
fn bound_by(formula: &Formula, ways: &[Bindings], atoms: &BTreeSet<Term>) -> Vec<Bindings> {
    match formula {
        Formula::Atom(atom) => {
            let mut found = Vec::new();
            for way in ways {
                for candidate in atoms {
                    let mut way = way.clone();
                    if fits_atom(atom, candidate, &mut way) {
                        found.push(way);
                    }
                }
            }
            found
        }
        Formula::And(parts) => parts.iter().fold(ways.to_vec(), |ways, part| bound_by(part, &ways, atoms)),
        Formula::Or(parts) => parts.iter().flat_map(|part| bound_by(part, ways, atoms)).collect(),
        Formula::Not(_) | Formula::Distinct(..) => ways.to_vec(),
    }
}

fn fits_atom(atom: &Atom, candidate: &Term, way: &mut Bindings) -> bool {
    match candidate {
        Term::Name(name) => atom.arguments.is_empty() && *name == atom.relation,
        Term::List(parts) => {
            parts[0] == Term::name(&atom.relation)
                && parts.len() == atom.arguments.len() + 1
                && atom.arguments.iter().zip(&parts[1..]).all(|(pattern, part)| fits(pattern, part, way))
        }
    }
}

fn fits(pattern: &Pattern, term: &Term, way: &mut Bindings) -> bool {
    match (pattern, term) {
        (Pattern::Variable(name), _) => way.entry(name.clone()).or_insert_with(|| term.clone()) == term,
        (Pattern::Name(name), Term::Name(other)) => name == other,
        (Pattern::Compound(name, parts), Term::List(others)) => {
            others[0] == Term::name(name)
                && others.len() == parts.len() + 1
                && parts.iter().zip(&others[1..]).all(|(part, other)| fits(part, other, way))
        }
        _ => false,
    }
}

fn value(pattern: &Pattern, way: &Bindings) -> Term {
    match pattern {
        Pattern::Variable(name) => way[name].clone(),
        Pattern::Name(name) => Term::name(name),
        Pattern::Compound(name, parts) => Term::apply(name, parts.iter().map(|part| value(part, way))),
    }
}

fn instance(atom: &Atom, way: &Bindings) -> Term {
    match atom.arguments.len() {
        0 => Term::name(&atom.relation),
        _ => Term::apply(&atom.relation, atom.arguments.iter().map(|part| value(part, way))),
    }
}

fn holds(formula: &Formula, way: &Bindings, atoms: &BTreeSet<Term>) -> bool {
    // Of an `or`, the other branches may have variables that this way does not bind; those do not hold.
    let is_bound = |formula: &Formula| {
        let mut found = Vec::new();
        atoms_of(formula, false, &mut found);
        found.iter().all(|(atom, _)| atom.arguments.iter().all(|part| bound(part, way)))
    };
    match formula {
        Formula::Atom(atom) => is_bound(formula) && atoms.contains(&instance(atom, way)),
        Formula::Not(inner) => !holds(inner, way, atoms),
        Formula::And(parts) => parts.iter().all(|part| holds(part, way, atoms)),
        Formula::Or(parts) => parts.iter().any(|part| holds(part, way, atoms)),
        Formula::Distinct(one, other, _) => value(one, way) != value(other, way),
    }
}

fn bound(pattern: &Pattern, way: &Bindings) -> bool {
    match pattern {
        Pattern::Variable(name) => way.contains_key(name),
        Pattern::Name(_) => true,
        Pattern::Compound(_, parts) => parts.iter().all(|part| bound(part, way)),
    }
}

/// Makes up a sheet. Many are refused, for rules that depend on their own contrary.
fn made_up(chance: &mut Chance) -> String {
    let mut text = String::from("(role x) (role y)\n(legal x noop) (legal y noop)\n");
    for _ in 0..3 + chance.below(4) {
        let (one, other) = (constant(chance), constant(chance));
        text += &format!("(n {one} {other}) ");
    }
    for _ in 0..1 + chance.below(4) {
        let one = constant(chance);
        text += &format!("(init (p {one})) ");
    }
    for _ in 0..chance.below(4) {
        let (one, other) = (constant(chance), constant(chance));
        text += &format!("(init (q {one} {other})) ");
    }
    if chance.below(2) == 0 {
        text += "(init (w a b)) (init (w b c)) (<= (next (w ?x ?y)) (true (w ?x ?y)))";
    }
    text.push('\n');
    for relation in 0..5 {
        for _ in 0..1 + chance.below(2) {
            let arity = relation % 3;
            text += &rule(chance, false, &mut |chance, bound| derived(relation, arity, chance, bound));
        }
    }
    for _ in 0..1 + chance.below(3) {
        let role = ["x", "y"][chance.below(2)];
        text += &rule(chance, false, &mut |chance, bound| match chance.below(3) {
            0 => format!("(legal {role} (go {}))", argument(chance, bound)),
            1 => format!("(legal {role} (do {} {}))", argument(chance, bound), argument(chance, bound)),
            _ => format!("(legal {role} {})", constant(chance)),
        });
    }
    for _ in 0..2 + chance.below(4) {
        text += &rule(chance, true, &mut |chance, bound| match chance.below(8) {
            0..=3 => format!("(next (p {}))", argument(chance, bound)),
            4 => format!("(next (p (f {})))", argument(chance, bound)),
            _ => format!("(next (q {} {}))", argument(chance, bound), argument(chance, bound)),
        });
    }
    for goal in [0, 50, 100] {
        let role = ["x", "y"][chance.below(2)];
        text += &rule(chance, false, &mut |_, _| format!("(goal {role} {goal})"));
    }
    text += &rule(chance, false, &mut |_, _| "terminal".to_owned());
    text
}

fn constant(chance: &mut Chance) -> &'static str {
    ["a", "b", "c"][chance.below(3)]
}

fn argument(chance: &mut Chance, bound: &[&'static str]) -> String {
    match chance.below(6) {
        0 => constant(chance).to_owned(),
        _ if bound.is_empty() => constant(chance).to_owned(),
        _ => bound[chance.below(bound.len())].to_owned(),
    }
}

fn derived(relation: usize, arity: usize, chance: &mut Chance, bound: &[&'static str]) -> String {
    match arity {
        0 => format!("d{relation}"),
        1 => format!("(d{relation} {})", argument(chance, bound)),
        _ => format!("(d{relation} {} {})", argument(chance, bound), argument(chance, bound)),
    }
}

/// A condition that holds, with variables that it binds.
fn condition(chance: &mut Chance, moves: bool, bound: &mut Vec<&'static str>) -> String {
    let mut variable = |chance: &mut Chance| {
        let name = ["?x", "?y", "?z", "?u"][chance.below(4)];
        if !bound.contains(&name) {
            bound.push(name);
        }
        if chance.below(8) == 0 { constant(chance).to_owned() } else { name.to_owned() }
    };
    match chance.below(if moves { 12 } else { 9 }) {
        0 | 1 => format!("(true (p {}))", variable(chance)),
        2 => format!("(true (q {} {}))", variable(chance), variable(chance)),
        3 => format!("(n {} {})", variable(chance), variable(chance)),
        4 => format!("(d1 {})", variable(chance)),
        5 => format!("(d2 {} {})", variable(chance), variable(chance)),
        6 => format!("(d4 {})", variable(chance)),
        7 => format!("(true (w {} {}))", variable(chance), variable(chance)),
        8 => ["d0", "d3"][chance.below(2)].to_owned(),
        9 => format!("(does {} (go {}))", ["x", "y"][chance.below(2)], variable(chance)),
        10 => format!("(does {} (do {} {}))", ["x", "y"][chance.below(2)], variable(chance), variable(chance)),
        _ => format!("(does x {})", variable(chance)),
    }
}

/// A condition over variables that are bound.
fn test(chance: &mut Chance, bound: &[&'static str]) -> String {
    match chance.below(7) {
        0 => format!("(not (true (p {})))", argument(chance, bound)),
        1 => format!("(not (d1 {}))", argument(chance, bound)),
        2 => format!("(not (d2 {} {}))", argument(chance, bound), argument(chance, bound)),
        3 => "(not d0)".to_owned(),
        4 => format!("(not (true (w {} {})))", argument(chance, bound), argument(chance, bound)),
        5 => format!("(distinct {} {})", argument(chance, bound), argument(chance, bound)),
        _ => format!(
            "(or (true (p {})) (not (true (q {} {}))))",
            argument(chance, bound),
            argument(chance, bound),
            argument(chance, bound)
        ),
    }
}

fn rule(chance: &mut Chance, moves: bool, head: &mut dyn FnMut(&mut Chance, &[&'static str]) -> String) -> String {
    let mut bound = Vec::new();
    let mut body: Vec<String> = (0..1 + chance.below(3)).map(|_| condition(chance, moves, &mut bound)).collect();
    // A variable that a constant took the place of is not bound.
    bound.retain(|name| body.iter().any(|condition| condition.contains(name)));
    for _ in 0..chance.below(3) {
        let at = chance.below(body.len() + 1);
        body.insert(at, test(chance, &bound));
    }
    format!("(<= {} {})\n", head(chance, &bound), body.join(" "))
}

/// Walks through a made-up sheet with all three; `false` if it was refused.
fn agree(seed: u64) -> bool {
    let mut chance = Chance::stream(seed, 0);
    let text = made_up(&mut chance);
    let sheet = Sheet::parse(&text).unwrap();
    let Ok(program) = Program::new(&sheet) else { return false };
    let naive = Naive::new(&sheet);
    let plain = Prover::new(Arc::new(program)).unwrap();
    // With the smaller limits, rules are grounded only for what is asked.
    let networks: Vec<PropNet> = [1, 20]
        .iter()
        .filter_map(|&size| {
            let limits = GroundingLimits { literals: 4_000 * size, atoms: 400 * size, work: 20_000 * size as u64 };
            PropNet::build(&plain, &limits, &AtomicBool::new(false)).ok()
        })
        .collect();
    let atom = |word: &str, fact: &Term| Term::apply(word, [fact.clone()]);
    let of_role = |atoms: &BTreeSet<Term>, word: &str, role: &str| -> Vec<Term> {
        let parts = atoms.iter().filter_map(|atom| atom.arguments_of(word).map(<[Term]>::to_vec));
        let mut found: Vec<Term> = parts.filter(|parts| parts[0] == Term::name(role)).map(|p| p[1].clone()).collect();
        found.sort_by_key(ToString::to_string);
        found
    };
    let facts_of = |atoms: &BTreeSet<Term>, word: &str| -> Vec<Term> {
        atoms.iter().filter_map(|atom| atom.arguments_of(word).map(|parts| parts[0].clone())).collect()
    };
    let mut facts = facts_of(&naive.all([]), "init");
    assert_eq!(plain.start(), facts, "{text}");
    let mut situations: Vec<_> = networks.iter().map(PropNet::start).collect();
    for _ in 0..5 {
        let atoms = naive.all(facts.iter().map(|fact| atom("true", fact)));
        let terminal = atoms.contains(&Term::name("terminal"));
        let legal: Vec<Vec<Term>> = ["x", "y"].iter().map(|role| of_role(&atoms, "legal", role)).collect();
        let goal = |role: &&str| match of_role(&atoms, "goal", role)[..] {
            [ref only] => only.as_name().and_then(|value| value.parse().ok()),
            _ => None,
        };
        let goals: Vec<Option<u8>> = ["x", "y"].iter().map(goal).collect();
        let shared: Arc<[Term]> = facts.clone().into();
        let view = plain.view(&shared).unwrap();
        assert_eq!((view.terminal, &view.legal), (terminal, &legal), "{text}\n{facts:?}");
        if terminal {
            assert_eq!(view.goals, goals, "{text}\n{facts:?}");
        }
        for (network, situation) in networks.iter().zip(&situations) {
            let mut theirs = network.facts(situation);
            theirs.sort();
            assert_eq!(theirs, facts, "{text}");
            assert_eq!(network.is_terminal(situation), terminal, "{text}\n{facts:?}");
            for (role, legal) in legal.iter().enumerate() {
                let mut moves = Vec::new();
                network.legal(situation, role, &mut moves);
                let moves: Vec<Term> = moves.iter().map(|&choice| network.move_term(choice)).collect();
                assert_eq!(moves, *legal, "{text}\n{facts:?}");
            }
            assert_eq!(network.goals(situation).collect::<Vec<_>>(), goals, "{text}\n{facts:?}");
            assert!(network.situation(&facts).as_ref() == Ok(situation), "{text}\n{facts:?}");
        }
        if terminal || legal.iter().any(Vec::is_empty) {
            break;
        }
        let picks: Vec<usize> = legal.iter().map(|moves| chance.below(moves.len())).collect();
        let joint: Vec<Term> = legal.iter().zip(&picks).map(|(moves, &pick)| moves[pick].clone()).collect();
        for (network, situation) in networks.iter().zip(&mut situations) {
            let choices = picks.iter().enumerate().map(|(role, &pick)| {
                let mut moves = Vec::new();
                network.legal(situation, role, &mut moves);
                moves[pick]
            });
            let choices: Vec<u32> = choices.collect();
            let mut after = Vec::new();
            network.facts_after(situation, &choices, &mut |fact| after.push(network.fact_term(fact)));
            network.play(situation, &choices);
            assert_eq!(after, network.facts(situation), "{text}\n{facts:?} {joint:?}");
        }
        let does = ["x", "y"].iter().zip(&joint);
        let does = does.map(|(role, choice)| Term::apply("does", [Term::name(role), choice.clone()]));
        let next = facts_of(&naive.all(facts.iter().map(|fact| atom("true", fact)).chain(does)), "next");
        assert_eq!(plain.next(&shared, &joint).unwrap(), next, "{text}\n{facts:?} {joint:?}");
        facts = next;
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn engines_agree_with_a_naive_evaluator(seed in any::<u64>()) {
        agree(seed);
    }
}

#[test]
fn many_made_up_sheets_are_not_refused() {
    assert!((0..100).filter(|&seed| agree(seed)).count() >= 15);
}
